"""Self-contained pages: one .html file with the moving system, its plots, its equations, and a live mode."""

from sistel.views.page._page import draw_page, save_page

__all__ = ["draw_page", "save_page"]
