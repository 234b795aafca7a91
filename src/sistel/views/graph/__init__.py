"""The graph of structures and transitions: where boxes and arrows go, and the picture."""

from sistel.views.graph._svg import draw_structures

__all__ = ["draw_structures"]
