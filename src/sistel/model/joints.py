"""The joint types: which coordinates each has, and how they move it, in the plane and in space.

To add a joint, add a row; `tests/unit/mechanics/test_every_joint.py` names what else has to know it.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from sistel.records import record

CoordinateKind = Literal["slide", "turn", "quaternion"]
"""A slide is in m, a turn in rad; the four numbers of a quaternion are pure."""


MotionKind = Literal["turn", "slide", "ball", "free"]
"""What a joint is made of: a ball takes all its turns, a free joint its slides too, at once."""
Direction = Literal["axis", "axis2", "x", "y", "z", "first", "second"]
"""Along what: the axes of the joint, those of the body, or the two of the plane normal to the axis (`plane_axes`)."""


@record
class JointType:
    """A type of joint, in a planar or in a spatial system."""

    key: str
    coordinates: tuple[tuple[str, CoordinateKind], ...]
    """Name and kind of each number of q; the name is empty where the joint has only one."""
    rates: tuple[tuple[str, CoordinateKind], ...]
    """The same for v: a quaternion has four coordinates and three angular velocities."""
    motions: tuple[tuple[MotionKind, Direction], ...] = ()
    """The elementary motions, one after another from the base to the body."""
    uses_axis: bool = False
    uses_axis2: bool = False
    placed_limits: bool = False
    """Whether limits of its slides are of the place of the pole in the base, as in the papers, not of a coordinate."""

    nq: int = field(init=False)
    """How many coordinates."""
    nv: int = field(init=False)
    """How many velocities: the degrees of freedom."""
    has_quaternion: bool = field(init=False)
    """Whether the orientation is a quaternion."""

    def __post_init__(self) -> None:
        """Count what it has."""
        object.__setattr__(self, "nq", len(self.coordinates))
        object.__setattr__(self, "nv", len(self.rates))
        object.__setattr__(self, "has_quaternion", self.nq != self.nv)

    def limits_place(self, index: int) -> bool:
        """Whether the limits of a coordinate are of the place of the pole in the base: p_PB plus the coordinate."""
        return self.placed_limits and self.rates[index][1] == "slide"


def _simple(key: str, *steps: tuple[str, CoordinateKind, Direction], placed_limits: bool = False) -> JointType:
    """A joint of turns and slides: name, kind and direction of each coordinate, in the order of the motions."""
    coordinates = tuple((name, kind) for name, kind, _ in steps)
    directions = {direction for _, _, direction in steps}
    return JointType(
        key=key,
        coordinates=coordinates,
        rates=coordinates,
        motions=tuple(("turn" if kind == "turn" else "slide", direction) for _, kind, direction in steps),
        uses_axis=not directions.isdisjoint(("axis", "first", "second")),
        uses_axis2="axis2" in directions,
        placed_limits=placed_limits,
    )


_QUATERNION: tuple[tuple[str, CoordinateKind], ...] = (
    ("qw", "quaternion"),
    ("qx", "quaternion"),
    ("qy", "quaternion"),
    ("qz", "quaternion"),
)
_SPIN: tuple[tuple[str, CoordinateKind], ...] = (("wx", "turn"), ("wy", "turn"), ("wz", "turn"))
_PLACE: tuple[tuple[str, CoordinateKind], ...] = (("x", "slide"), ("y", "slide"), ("z", "slide"))


def _table(*types: JointType) -> dict[str, JointType]:
    """By their keys."""
    return {joint.key: joint for joint in types}


PLANAR = _table(
    _simple("fixed"),
    _simple("prismatic", ("", "slide", "axis")),
    _simple("revolute", ("", "turn", "z")),
    _simple("prismatic2", ("x", "slide", "x"), ("y", "slide", "y"), placed_limits=True),
    _simple("free", ("x", "slide", "x"), ("y", "slide", "y"), ("angle", "turn", "z"), placed_limits=True),
)

SPATIAL = _table(
    _simple("fixed"),
    _simple("prismatic", ("", "slide", "axis")),
    _simple("revolute", ("", "turn", "axis")),
    _simple("cylindrical", ("angle", "turn", "axis"), ("slide", "slide", "axis")),
    _simple("universal", ("first", "turn", "axis"), ("second", "turn", "axis2")),
    _simple("planar", ("x", "slide", "first"), ("y", "slide", "second"), ("angle", "turn", "axis")),
    JointType(key="spherical", coordinates=_QUATERNION, rates=_SPIN, motions=(("ball", "z"),)),
    JointType(
        key="free",
        coordinates=(*_QUATERNION, *_PLACE),
        rates=(*_SPIN, ("vx", "slide"), ("vy", "slide"), ("vz", "slide")),
        motions=(("free", "z"),),
    ),
)

COORDINATE_WORDS: dict[str, str] = {
    "угол": "angle",
    "ход": "slide",
    "первый": "first",
    "второй": "second",
    "х": "x",
    "у": "y",
}
"""Russian spellings of the coordinate names, for `корпус.угол`."""


def joint_types(planar: bool) -> dict[str, JointType]:
    """The joint types of planar or of spatial systems."""
    return PLANAR if planar else SPATIAL


def constraints(joint: JointType, planar: bool) -> int:
    """How many relative motions the joint forbids."""
    return (3 if planar else 6) - joint.nv
