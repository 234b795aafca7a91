"""Walking machines: a free trunk and legs of three hinges, with points or soles for feet.

Legs are arms in angular coordinates, or hang from a hip that leads them aside.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._elbow import bend, shoulder
from sistel.errors import Text, refuse
from sistel.model import Body, Model, Point
from sistel.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arrays import Array


LEVEL = 1e-9
"""How far points of a sole may lie from one plane, and links beside their axes [m]."""


@record
class Column:
    """A leg that turns about a column and bends in the plane of it: shoulder and elbow, as an arm."""

    axes: Array
    """Of its column at angle 0 in the trunk, shape (3, 3)."""
    lengths: tuple[float, float]
    """Of its two links along x [m]."""
    ahead: float
    """From the column to the shoulder along x [m]."""
    sign: int
    """1 where the shoulder turns about -y, so that the leg goes up, -1 where it turns about y."""

    def angles(self, foot: Array) -> tuple[float, float, float] | None:
        """Angles that put its end somewhere, the knee above, seen from the column in the trunk; None out of reach."""
        x, y, z = (float(each) for each in self.axes.T @ foot)
        a, b = self.lengths
        ahead = math.hypot(x, y) - self.ahead
        angle = bend(a, b, ahead, z)
        if angle is None:
            return None
        return math.atan2(y, x), self.sign * shoulder(a, b, ahead, z, -angle), -self.sign * angle

    @property
    def below(self) -> Array:
        """Where its foot hangs down, or stands at an angle of 0 below its shoulder, shape (3,) [m]."""
        return np.asarray(self.ahead * self.axes[:, 0])


@record
class Hip:
    """A leg that is led aside about x, and whose thigh and shank hang down and turn about y, beside that axis."""

    axes: Array
    """Of its first joint at angle 0 in the trunk, shape (3, 3)."""
    lengths: tuple[float, float]
    """Of thigh and shank along -z [m]."""
    aside: float
    """From the first axis to the plane of thigh and shank, along y [m]."""
    signs: tuple[int, int]
    """1 where they turn about x and about y, -1 where about -x and about -y."""
    back: bool
    """Whether the knee turns back about y, as knees of people do not."""

    def angles(self, foot: Array) -> tuple[float, float, float] | None:
        """Angles that put its end somewhere, seen from the first joint in the trunk; None out of reach."""
        x, y, z = (float(each) for each in self.axes.T @ foot)
        far = math.hypot(y, z)
        if far <= abs(self.aside):
            return None
        below = math.sqrt((far - self.aside) * (far + self.aside))
        a, b = self.lengths
        # Thigh and shank at h and h + k about y end at -(a sin h + b sin (h + k)) ahead, a cos h + b cos (h + k) below.
        found = bend(a, b, below, -x)
        if found is None:
            return None
        knee = -found if self.back else found
        led = math.remainder(math.atan2(z, y) - math.atan2(-below, self.aside), math.tau)
        first, second = self.signs
        return first * led, second * shoulder(a, b, below, -x, knee), second * knee

    @property
    def below(self) -> Array:
        """Where its foot hangs down, shape (3,) [m]."""
        return np.asarray(self.aside * self.axes[:, 1])


@record
class Leg:
    """A leg of three hinges, and its foot: the end of the shank, or a sole behind an ankle of two hinges.

    An ankle undoes what the leg turns, so that its sole stays level with the trunk.
    """

    name: str
    bodies: tuple[Body, ...]
    """Three, or five with an ankle."""
    soles: tuple[Point, ...]
    """Where it may stand: one point, or three and more of a sole."""
    place: Array
    """Of its first joint in the trunk, shape (3,) [m]."""
    shape: Column | Hip
    spread: Array
    """From the foot to the points where it stands, in the trunk, shape (points, 3) [m]."""
    ankle: float
    """Height of the ankle above the sole [m]."""

    def angles(self, foot: Array) -> tuple[float, ...] | None:
        """Angles that put the foot somewhere, shape (3,) in the trunk; None out of reach."""
        found = self.shape.angles(foot + np.array([0.0, 0.0, self.ankle]) - self.place)
        if found is None or len(self.bodies) == 3:
            return found
        turned, raised, elbow = found
        return turned, raised, elbow, -elbow - raised, -turned

    @property
    def lengths(self) -> tuple[float, float]:
        """Of its two links [m]."""
        return self.shape.lengths

    @property
    def hangs(self) -> bool:
        """Whether it points down at angle 0, rather than aside."""
        return isinstance(self.shape, Hip) or bool(self.shape.axes[2, 0] < -0.5)

    @property
    def home(self) -> Array:
        """Above where its foot stands when it reaches nowhere, in the trunk, shape (3,) [m]."""
        return np.asarray(self.place + self.shape.below)

    @property
    def outward(self) -> Array:
        """Where it reaches at angle 0, shape (3,); nowhere for one that hangs down."""
        return np.zeros(3) if self.hangs else self.shape.axes[:, 0]


@record
class Machine:
    """A walking machine: a free trunk and legs."""

    model: Model
    trunk: Body
    legs: tuple[Leg, ...]
    """Left and right by turns, from front to back."""


def machine_of(model: Model) -> Machine:
    """The walking machine of a model: a free body with arms that end in points, or in soles with three points.

    Raises:
        SistelError: There is no free body, or it has no legs of that kind.
    """
    trunks = [body for body in model.bodies if body.base == 0 and body.joint.type.key == "free"]
    if len(trunks) != 1 or model.planar:
        refuse("no-trunk", Text("a walking machine has one free body", "у шагающей машины одно свободное тело"))
    ends: dict[int, list[Point]] = {}
    for point in model.points:
        if point.body:
            ends.setdefault(point.body, []).append(point)
    found: dict[int, Leg] = {}
    for number, points in ends.items():
        leg = _leg(model, trunks[0], number, points)
        if leg is None:
            continue
        column = leg.bodies[0].number
        if column not in found or len(found[column].bodies) < len(leg.bodies):
            found[column] = leg
    legs = list(found.values())
    if len(legs) < 2 or len(legs) % 2 or (len(legs) == 2 and any(len(leg.soles) < 3 for leg in legs)):
        refuse(
            "no-legs",
            Text(f"this machine has {len(legs)} legs of three hinges", f"у машины ног из трёх шарниров: {len(legs)}"),
            expected=Text("four or six; or two with flat feet", "четыре или шесть; или две с плоскими стопами"),
        )
    # From front to back, left (y > 0) before right.
    legs.sort(key=lambda leg: (-round(leg.place[0], 9), -leg.place[1]))
    return Machine(model=model, trunk=trunks[0], legs=tuple(legs))


def _leg(model: Model, trunk: Body, number: int, points: list[Point]) -> Leg | None:
    """The leg that ends in a body; None where the bodies up to the trunk make none."""
    chain: list[Body] = []
    while number and number != trunk.number:
        chain.insert(0, model.bodies[number - 1])
        number = chain[0].base
    if len(chain) not in (3, 5) or number == 0 or any(body.joint.type.key != "revolute" for body in chain):
        return None
    place, point = np.array(chain[0].p_PB), points[0]
    if len(chain) == 3:
        shape = _column(chain, point.p_BP) or _hip(model, chain, point.p_BP)
        if shape is None:
            return None
        spread, ankle = np.zeros((1, 3)), 0.0
        points = points[:1]
    else:
        shape = _column(chain[:3], chain[3].p_PB)
        # Angles of an ankle whose axes are those of the elbow and the column cancel theirs.
        parallel = chain[3].joint.axis == chain[2].joint.axis and chain[4].joint.axis == chain[0].joint.axis
        if shape is None or len(points) < 3 or not parallel:
            return None
        spread = np.array([shape.axes @ np.array(each.p_BP) for each in points])
        ankle = -float(spread[0, 2])
        spread = spread + np.array([0.0, 0.0, ankle])
        if np.ptp(spread[:, 2]) > LEVEL:
            return None
    return Leg(
        name=point.name if len(chain) == 3 else chain[4].name,
        bodies=tuple(chain),
        soles=tuple(points),
        place=place,
        shape=shape,
        spread=spread,
        ankle=ankle,
    )


def _along(axis: Sequence[float], place: int) -> int:
    """1 or -1 where a vector lies along that axis of its frame or against it, 0 where it does neither."""
    rest = max(abs(x) for i, x in enumerate(axis) if i != place)
    return 0 if rest > LEVEL or axis[place] == 0.0 else int(math.copysign(1.0, axis[place]))


def _only(vector: Sequence[float], place: int) -> bool:
    """Whether a vector has nothing across that axis of its frame."""
    return all(abs(x) <= LEVEL for i, x in enumerate(vector) if i != place)


def _straight(chain: Sequence[Body]) -> bool:
    """Whether all but the first body have the axes of their bases at angle 0."""
    return all(np.abs(np.array(body.R_PB) - np.eye(3)).max() <= LEVEL for body in chain[1:])


def _column(chain: Sequence[Body], end: Sequence[float]) -> Column | None:
    """The column, shoulder and elbow of three bodies, whose last ends there; None where they have other axes."""
    first, second, third = chain
    sign = -_along(second.joint.axis, 1)
    if _along(first.joint.axis, 2) != 1 or not sign or -_along(third.joint.axis, 1) != sign or not _straight(chain):
        return None
    ways = second.p_PB, third.p_PB, end
    if not all(_only(way, 0) for way in ways):
        return None
    ahead, a, b = (float(way[0]) for way in ways)
    return Column(axes=np.array(first.R_PB), lengths=(a, b), ahead=ahead, sign=sign) if a > 0.0 and b > 0.0 else None


def _hip(model: Model, chain: Sequence[Body], end: Sequence[float]) -> Hip | None:
    """The hip, thigh and shank of three bodies, whose last ends there; None where they have other axes."""
    first, second, third = chain
    signs = _along(first.joint.axis, 0), _along(second.joint.axis, 1)
    if 0 in signs or _along(third.joint.axis, 1) != signs[1] or not _straight(chain):
        return None
    if not (_only(second.p_PB, 1) and _only(third.p_PB, 2) and _only(end, 2)):
        return None
    a, b = -float(third.p_PB[2]), -float(end[2])
    if a <= 0.0 or b <= 0.0:
        return None
    low, high = third.joint.minimum[0], third.joint.maximum[0]
    # A knee that bends one way bends that way; one that bends both ways does as at the start, or back.
    bends = 1.0 if low >= 0.0 else -1.0 if high <= 0.0 else model.start.q[third.first_q] or -1.0
    return Hip(
        axes=np.array(first.R_PB),
        lengths=(a, b),
        aside=float(second.p_PB[1]),
        signs=signs,
        back=signs[1] * bends < 0.0,
    )
