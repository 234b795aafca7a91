"""What people see of a system: plain data, pages for terminals and notebooks, the graph of structures, proof sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.views._answers import register
from sistel.views._drawing import Drawing

if TYPE_CHECKING:
    from sistel.views._proofs import ReadingRow, draw_proofs, proofs_html, proofs_text, reading_text
    from sistel.views.charts import draw_run, draw_travel, figure_run
    from sistel.views.graph import draw_structures
    from sistel.views.notebook import notebook_html, show_html
    from sistel.views.text import Summary, automaton_data, automaton_text, show_text, summarize

_HOMES = {
    **dict.fromkeys(
        ("ReadingRow", "draw_proofs", "proofs_html", "proofs_text", "reading_text"), "sistel.views._proofs"
    ),
    **dict.fromkeys(("draw_run", "draw_travel", "figure_run"), "sistel.views.charts"),
    **dict.fromkeys(("notebook_html", "show_html"), "sistel.views.notebook"),
    **dict.fromkeys(("Summary", "automaton_data", "automaton_text", "show_text", "summarize"), "sistel.views.text"),
    "draw_structures": "sistel.views.graph",
}
# What is drawn of a system alone needs no NumPy; charts and notebooks bring it along.
__getattr__ = names_at_home(__name__, _HOMES)

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
