"""What people see of a system: plain data of it, a page for a terminal, a page for a notebook."""

from sistel.views._html import show_html
from sistel.views._summary import Summary, summarize
from sistel.views._terminal import show_text

__all__ = ["Summary", "show_html", "show_text", "summarize"]
