"""What people see of a system: plain data, pages for terminals and notebooks, the graph of structures, proof sheets."""

from sistel.views._answers import register
from sistel.views._drawing import Drawing
from sistel.views._proofs import ReadingRow, draw_proofs, proofs_html, proofs_text, reading_text
from sistel.views.charts import draw_run, draw_travel, figure_run
from sistel.views.graph import draw_structures
from sistel.views.notebook import notebook_html, show_html
from sistel.views.text import Summary, automaton_data, automaton_text, show_text, summarize

__all__ = [
    "Drawing",
    "ReadingRow",
    "Summary",
    "automaton_data",
    "automaton_text",
    "draw_proofs",
    "draw_run",
    "draw_structures",
    "draw_travel",
    "figure_run",
    "notebook_html",
    "proofs_html",
    "proofs_text",
    "reading_text",
    "register",
    "show_html",
    "show_text",
    "summarize",
]
