"""Sections of what an arm reaches: pictures, pages and tables."""

from sistel.views.workspace._draw import Looks, draw_workspace
from sistel.views.workspace._files import save_workspace

__all__ = ["Looks", "draw_workspace", "save_workspace"]
