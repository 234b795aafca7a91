"""A scheme together with where things are in it: for windows in which it can be taken hold of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sistel.mechanics import posture
from sistel.model import Model
from sistel.pose import Vector3
from sistel.records import record
from sistel.views.schemes._axonometry import project
from sistel.views.schemes._posture import Point, drawn_coordinates, plain, world_direction
from sistel.views.schemes._render import Labels, draw_scheme
from sistel.views.schemes._style import style_rules

if TYPE_CHECKING:
    from sistel.mechanics import Kinematics

_STYLE = re.compile(r"(<style>).*?(</style>)", re.DOTALL)
_BOX = re.compile(r'viewBox="([^"]+)"')


@record
class Places:
    """Where points of bodies are in a picture [mm], y down."""

    model: Model
    q: tuple[float, ...]
    """Coordinates that are drawn, shape (nq,) [m or rad]."""
    kinematics: Kinematics

    def world(self, body: int, p_BP: Vector3) -> Vector3:
        """A point of a body in the ground's frame [m]."""
        if body == 0:
            return p_BP
        x, y, z = self.kinematics.place(body, p_BP)
        return (plain(x), plain(y), plain(z))

    def direction(self, body: int, a_B: Vector3) -> Vector3:
        """A direction of a body in the ground's frame."""
        return world_direction(self.kinematics, body, a_B)

    def shown(self, p_WP: Vector3) -> Point:
        """A point or a direction of the ground's frame in the picture [mm]."""
        x, y, z = (1e3 * each for each in p_WP)
        return (x, y) if self.model.planar else project((x, y, z))

    def point(self, body: int, p_BP: Vector3) -> Point:
        """A point of a body in the picture [mm]."""
        return self.shown(self.world(body, p_BP))

    def along(self, body: int, a_B: Vector3) -> Point:
        """How far a point goes in the picture [mm] that goes along a direction of a body by its length [m]."""
        return self.shown(self.direction(body, a_B))


@record
class PlacedScheme:
    """A scheme, and where things are in it."""

    svg: str
    """Its colours are those of the page around it."""
    window: tuple[float, float, float, float]
    """Left, top, width and height [mm]."""
    places: Places


def placed(model: Model, at: Sequence[float] | None = None, *, put: Mapping[int, float] | None = None) -> Places:
    """Where points of bodies are.

    Args:
        model: The system.
        at: Coordinates, shape (nq,) [m or rad]; by default those that are drawn.
        put: By their places in q, some that have other values than in the file; the others follow.
    """
    q = drawn_coordinates(model, at, put=put)
    return Places(model=model, q=q, kinematics=posture(model, q))


def place_scheme(model: Model, at: Sequence[float] | None = None, *, labels: Labels = "names") -> PlacedScheme:
    """The scheme of a system in the colours of the page around it, and where things are in it.

    Args:
        model: The system.
        at: Coordinates to draw, shape (nq,) [m or rad]; by default those of the file's drawing, or of the start.
        labels: Whether the bodies bear their numbers or names.
    """
    svg = str(draw_scheme(model, at, labels=labels))
    scope = "sistel-scheme" if model.planar else "sistel-axonometry"
    svg = _STYLE.sub(lambda found: f"{found[1]}{style_rules('page', scope)}{found[2]}", svg, count=1)
    box = _BOX.search(svg)
    assert box is not None
    left, top, width, height = (float(each) for each in box[1].split())
    return PlacedScheme(svg=svg, window=(left, top, width, height), places=placed(model, at))
