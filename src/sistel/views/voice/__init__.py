"""Axial orientations by voice: a grammar of the phrases, and a dialogue about them."""

from sistel.views.voice._dialogue import draw_dialogue
from sistel.views.voice._grammar import draw_grammar

__all__ = ["draw_dialogue", "draw_grammar"]
