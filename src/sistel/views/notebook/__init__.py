"""Models, runs and other results as notebooks show them."""

from sistel.views.notebook._results import notebook_html
from sistel.views.notebook._run_html import run_html
from sistel.views.notebook._summary_html import show_html
from sistel.views.notebook._widget import page_widget

__all__ = ["notebook_html", "page_widget", "run_html", "show_html"]
