"""Kinematic schemes: planar systems by a stylesheet, spatial ones in axonometry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.views.schemes._document import drawn_document
from sistel.views.schemes._placed import PlacedScheme, Places, place_scheme, placed
from sistel.views.schemes._posture import coordinates_at
from sistel.views.schemes._render import draw_scheme, stylesheet

if TYPE_CHECKING:
    from sistel.views.schemes._export import save_picture
    from sistel.views.schemes._moving import MovingScheme, moving_scheme
    from sistel.views.schemes._plan import floor_plan

_HOMES = {
    "MovingScheme": "sistel.views.schemes._moving",
    "floor_plan": "sistel.views.schemes._plan",
    "moving_scheme": "sistel.views.schemes._moving",
    "save_picture": "sistel.views.schemes._export",
}
# Schemes that move need NumPy, those that stand do not.
__getattr__ = names_at_home(__name__, _HOMES)

__all__ = [
    "MovingScheme",
    "PlacedScheme",
    "Places",
    "coordinates_at",
    "draw_scheme",
    "drawn_document",
    "floor_plan",
    "moving_scheme",
    "place_scheme",
    "placed",
    "save_picture",
    "stylesheet",
]
