"""What touches: contacts and the shapes behind them, outlines, blades, tracks; frozen data, in SI.

Notation and the plane are those of `_elements`.
"""

from __future__ import annotations

import math

from sistel.errors import Span
from sistel.model._elements import Formula, Vector2
from sistel.pose import Rotation, Vector3
from sistel.records import entry, record


@record
class Round:
    """The round shape of a contact: a sphere, a circle of the plane, or the rim of a wheel."""

    radius: float
    """That of the tread included [m]."""
    axis: Vector3 | None = None
    """Of a wheel: a unit vector in its body."""
    tread: float = 0.0
    """Radius of the rounded tread of a wheel, 0 where its rim is sharp [m]."""


@record
class Straight:
    """A straight side of an outline, its free side on the left of the way along it as a picture shows it."""

    place: Vector2
    """Where it begins [m]."""
    along: Vector2
    """Unit vector."""
    length: float
    """[m]"""
    depth: float = math.inf
    """How far behind it nothing is free [m]."""
    beside: tuple[tuple[Vector2, Vector2], ...] = ()
    """Place and direction of the sides that it meets at convex corners: what is before them is not behind it."""


@record
class Chain:
    """Sides that follow each other around convex corners, or a circle: what is behind all of them is solid."""

    sides: tuple[Straight, ...] = ()
    closed: bool = False
    """Whether the last side ends where the first begins."""
    ends: tuple[bool, bool] = (False, False)
    """Whether the first and the last corner are free ends, rather than corners into which something may run."""
    centre: Vector2 = (0.0, 0.0)
    """Of a circle [m]."""
    radius: float = 0.0
    """Of a circle; 0 where there are sides [m]."""


@record
class Solid:
    """A solid of space in the frame of its body: a core and all that is near it, or a cylinder.

    The core is a box: of a sphere one without lengths, of a capsule one along z.
    """

    centre: Vector3
    """[m]"""
    axes: Rotation
    half: Vector3
    """Half lengths of the core, or of a cylinder along its axis z [m]."""
    radius: float = 0.0
    """How far it reaches beyond its core, or of a cylinder [m]."""
    barrel: bool = False
    """Whether it is a cylinder."""
    face: int = -1
    """Of a box that a point touches: the axis across whose two faces it counts; -1 where there is no such choice."""
    beside: bool = False
    """Whether of a capsule what is between its ends counts alone: its ends are other contacts."""


@record
class Crossing:
    """An edge of one solid that may lie across an edge of another; a capsule is an edge with a radius.

    Of the four edges of a box along an axis those count that are nearest to the other solid; where a face lies flat on
    another, `sides` tells two of them apart.
    """

    first: Solid
    """Of the body that touches."""
    second: Solid
    """Of the body that is touched."""
    along: tuple[int, int]
    """Axes of the solids that the edges are along."""
    sides: tuple[int, int] = (0, 0)
    """-1 or 1, for the axis that is less along the normal; 0 of a capsule."""
    edges: tuple[tuple[int, int], tuple[int, int]] | None = None
    """Of two boxes: on which sides, -1 or 1, of their other axes one edge of each is; None where `sides` tell."""


@record
class Outline:
    """Chains of which no two can be touched at once, in the frame of their body: what a contact of shapes may touch.

    The gap is the distance to the nearest of them. A round shape goes around corners. For a point every side is a
    chain, and nothing is beyond its ends: there a corner of the outline touches a side of the other shape, which is
    another contact. In space there are solids instead of chains, or two edges that cross.
    """

    chains: tuple[Chain, ...] = ()
    sharp: bool = True
    """Whether a point rests at the very end of a side, too."""
    wedge: tuple[Vector2, ...] = ()
    """Of a corner in the plane that touches: directions of the two sides that leave it, in the frame of its body."""
    solids: tuple[Solid, ...] = ()
    crossing: Crossing | None = None
    corner_of: Solid | None = None
    """The box whose corner touches another box."""

    @property
    def of_boxes(self) -> bool:
        """Whether it is one of the very many contacts of two boxes, of which few are ever closed."""
        return self.corner_of is not None or (self.crossing is not None and self.crossing.edges is not None)


@entry
class Pair:
    """Two shapes that may touch, as the file declares them.

    Several contacts come of it, each of which knows its pair.
    """

    name: str
    of: str
    to: str
    """The other shape, or "world"."""
    is_point: bool = False
    """Whether `of` is a point."""


@record
class Height:
    """How a curved surface is solved for a coordinate."""

    axis: int
    """Which one is the height: 0, 1 or 2."""
    sign: float
    """1 where what is free is above it, -1 where it is below."""
    beside: tuple[int, ...]
    """The other coordinates."""


@record
class Contact:
    """A point, or a round shape, that may rest on a surface."""

    name: str
    point: str
    """Name of the point, or of the shape."""
    body: int
    p_BP: Vector3
    """The point, or the centre of the shape [m]."""
    on: int
    """Body whose frame the surface is in."""
    gap: Formula
    """Positive on the free side; zero on the surface; a function of x, y, z in the frame of `on`."""
    friction: float | None
    """Coefficient; None where the point sticks."""
    impact: str
    restitution: float
    round: Round | None = None
    """None for a point."""
    rolls: bool = False
    """Whether it never slips and never comes off."""
    outline: Outline | None = None
    """What it may touch, where that is a shape; its gap is then none of the formula."""
    pair: Pair | None = None
    """The declared pair of shapes that it belongs to."""
    belt: Formula | None = None
    """Speed of the surface along its tangent, a function of the time [m/s]."""
    height: Height | None = None
    """Of a round shape on a curved surface."""
    resistance: float = 0.0
    """Of rolling: the greatest moment for a unit normal force [m]."""
    spinning: float = 0.0
    """The same about the normal [m]."""
    span: Span

    @property
    def between(self) -> tuple[int, int]:
        """The two bodies, in one order for all contacts of two shapes, whichever has the corner that touches."""
        bodies = (self.body, self.on)
        return bodies if self.outline is None else (max(bodies), min(bodies))

    @property
    def measured(self) -> bool:
        """Whether its gap is a distance, whose gradient is the unit normal: of shapes, and over curved ground."""
        return self.outline is not None or self.height is not None

    @property
    def keeps_place(self) -> bool:
        """Whether one and the same point of the body touches."""
        return self.round is None and (self.outline is None or self.outline.crossing is None)

    @property
    def grips(self) -> bool:
        """Whether it can hold what it touches along the surface."""
        return self.rolls or self.friction != 0.0


@record
class Belt:
    """What drives a track."""

    rate: int
    """Index in v of the turn of its sprocket."""
    body: int
    """The sprocket."""
    speed: float
    """Speed of the belt towards the rear for a unit of the turn [m]: the radius, or its opposite."""


@record
class Blade:
    """A point that does not move across a direction of its body."""

    name: str
    point: str
    body: int
    p_BP: Vector3
    """[m]"""
    across: Vector3
    """Unit vector in the body."""
    on: int
    """Body that it cuts into."""
    always: bool
    belt: Belt | None = None
    """What moves the point along that direction instead: the belt of an ideal track."""
    span: Span


@record
class Track:
    """A belt under a hull that moves in a plane: patches in a row, each pressed by its part of the weight."""

    name: str
    body: int
    """The hull."""
    rear: Vector3
    front: Vector3
    """Ends of what lies on the ground, in the hull [m]."""
    forward: Vector3
    """Unit vector from the rear to the front, in the hull."""
    normal: Vector3
    """Away from the ground: the axis of the hull's joint, in the hull."""
    patches: tuple[Vector3, ...]
    """Their middles, in the hull [m]."""
    belt: Belt
    friction: float
    """Coefficient; 0 where nothing rubs."""
    shear: float = 0.0
    """Of soft ground: the shear at which it has used up 1 - 1/e of its strength [m]; 0 for firm ground."""
    widening: float = 0.0
    """Of an ideal track: how many times as far aside as it is its centre of rotation is; 0 for one that rubs."""
    span: Span

    def patch_name(self, index: int) -> str:
        """What one of its patches is called."""
        return f"{self.name} {index + 1}"
