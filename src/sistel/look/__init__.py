"""What everything that people see looks like: colours by their meaning, one style sheet, one header."""

from sistel.look._page import both, brand, header, still_page, switched_page
from sistel.look._style import MONO, PAGES, SANS, Theme, inside, painted, properties, style_sheet, tidied
from sistel.look._tokens import AXES, COORDINATES, STRUCTURES, TOKENS, colour, mixed, parts, triple

__all__ = [
    "AXES",
    "COORDINATES",
    "MONO",
    "PAGES",
    "SANS",
    "STRUCTURES",
    "TOKENS",
    "Theme",
    "both",
    "brand",
    "colour",
    "header",
    "inside",
    "mixed",
    "painted",
    "parts",
    "properties",
    "still_page",
    "style_sheet",
    "switched_page",
    "tidied",
    "triple",
]
