"""The joint types: which coordinates each has, in the plane and in space. To add a joint, add a row."""

from __future__ import annotations

from typing import Literal

from sistel.records import record

CoordinateKind = Literal["slide", "turn", "quaternion"]
"""A slide is in m, a turn in rad; the four numbers of a quaternion are pure."""


@record
class JointType:
    """A type of joint, in a planar or in a spatial system."""

    key: str
    coordinates: tuple[tuple[str, CoordinateKind], ...]
    """Name and kind of each number of q; the name is empty where the joint has only one."""
    rates: tuple[tuple[str, CoordinateKind], ...]
    """The same for v: a quaternion has four coordinates and three angular velocities."""
    uses_axis: bool = False
    uses_axis2: bool = False

    @property
    def nq(self) -> int:
        """How many coordinates."""
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        """How many velocities: the degrees of freedom."""
        return len(self.rates)

    @property
    def has_quaternion(self) -> bool:
        """Whether the orientation is a quaternion."""
        return self.nq != self.nv


def _simple(key: str, *coordinates: tuple[str, CoordinateKind], axis: bool = False, axis2: bool = False) -> JointType:
    return JointType(key=key, coordinates=coordinates, rates=coordinates, uses_axis=axis, uses_axis2=axis2)


_QUATERNION: tuple[tuple[str, CoordinateKind], ...] = (
    ("qw", "quaternion"),
    ("qx", "quaternion"),
    ("qy", "quaternion"),
    ("qz", "quaternion"),
)
_SPIN: tuple[tuple[str, CoordinateKind], ...] = (("wx", "turn"), ("wy", "turn"), ("wz", "turn"))
_PLACE: tuple[tuple[str, CoordinateKind], ...] = (("x", "slide"), ("y", "slide"), ("z", "slide"))

PLANAR: dict[str, JointType] = {
    joint.key: joint
    for joint in (
        _simple("fixed"),
        _simple("prismatic", ("", "slide"), axis=True),
        _simple("revolute", ("", "turn")),
        _simple("prismatic2", ("x", "slide"), ("y", "slide")),
        _simple("free", ("x", "slide"), ("y", "slide"), ("angle", "turn")),
    )
}

SPATIAL: dict[str, JointType] = {
    joint.key: joint
    for joint in (
        _simple("fixed"),
        _simple("prismatic", ("", "slide"), axis=True),
        _simple("revolute", ("", "turn"), axis=True),
        _simple("cylindrical", ("angle", "turn"), ("slide", "slide"), axis=True),
        _simple("universal", ("first", "turn"), ("second", "turn"), axis=True, axis2=True),
        _simple("planar", ("x", "slide"), ("y", "slide"), ("angle", "turn"), axis=True),
        JointType(key="spherical", coordinates=_QUATERNION, rates=_SPIN),
        JointType(
            key="free",
            coordinates=(*_QUATERNION, *_PLACE),
            rates=(*_SPIN, ("vx", "slide"), ("vy", "slide"), ("vz", "slide")),
        ),
    )
}

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
