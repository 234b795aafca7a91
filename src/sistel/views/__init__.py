"""What people see of a system: plain data, pages for terminals and notebooks, the graph of structures, proof sheets."""

from sistel.views._answers import register
from sistel.views._automaton import automaton_data, automaton_text
from sistel.views._graph_svg import Drawing, draw_structures
from sistel.views._html import show_html
from sistel.views._notebook import notebook_html
from sistel.views._proofs import ReadingRow, draw_proofs, proofs_html, proofs_text, reading_text
from sistel.views._runs import draw_run, figure_run
from sistel.views._summary import Summary, summarize
from sistel.views._terminal import show_text
from sistel.views._travels import draw_travel

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
