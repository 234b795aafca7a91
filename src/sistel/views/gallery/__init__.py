"""Many systems as a site of files: an index of cards that can be searched, and a page for every system."""

from sistel.views.gallery._card import Card, card_of, slugs
from sistel.views.gallery._index import draw_index

__all__ = ["Card", "card_of", "draw_index", "slugs"]
