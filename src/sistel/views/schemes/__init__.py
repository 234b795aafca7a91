"""Kinematic schemes: planar systems by a stylesheet, spatial ones in axonometry."""

from sistel.views.schemes._document import drawn_document
from sistel.views.schemes._export import save_picture
from sistel.views.schemes._moving import MovingScheme, moving_scheme
from sistel.views.schemes._plan import floor_plan
from sistel.views.schemes._posture import coordinates_at
from sistel.views.schemes._render import draw_scheme, stylesheet

__all__ = [
    "MovingScheme",
    "coordinates_at",
    "draw_scheme",
    "drawn_document",
    "floor_plan",
    "moving_scheme",
    "save_picture",
    "stylesheet",
]
