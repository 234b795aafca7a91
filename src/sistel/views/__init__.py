"""What people see of a system: plain data of it, a page for a terminal, a page for a notebook; the proof sheet."""

from sistel.views._html import show_html
from sistel.views._proofs import ReadingRow, draw_proofs, proofs_html, proofs_text, reading_text
from sistel.views._summary import Summary, summarize
from sistel.views._terminal import show_text

__all__ = [
    "ReadingRow",
    "Summary",
    "draw_proofs",
    "proofs_html",
    "proofs_text",
    "reading_text",
    "show_html",
    "show_text",
    "summarize",
]
