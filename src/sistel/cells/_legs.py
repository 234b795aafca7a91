"""Walking machines: a free trunk and legs that are arms in angular coordinates, with points or soles for feet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._elbow import bend, shoulder
from sistel.errors import Text, refuse
from sistel.model import Body, Model, Point
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


LEVEL = 1e-9
"""How far points of a sole may lie from one plane [m]."""


@record
class Leg:
    """A leg: column, shoulder and elbow, and its foot: the end of the forearm, or a sole behind an ankle of two hinges.

    An ankle undoes what the leg turns, so that its sole stays level with the trunk.
    """

    name: str
    bodies: tuple[Body, ...]
    """Three, or five with an ankle."""
    soles: tuple[Point, ...]
    """Where it may stand: one point, or three and more of a sole."""
    place: Array
    """Of its column in the trunk, shape (3,) [m]."""
    axes: Array
    """Of its column at angle 0 in the trunk, shape (3, 3)."""
    lengths: tuple[float, float]
    """[m]"""
    spread: Array
    """From the foot to the points where it stands, in the trunk, shape (points, 3) [m]."""
    ankle: float
    """Height of the ankle above the sole [m]."""

    def angles(self, foot: Array) -> tuple[float, ...] | None:
        """Angles that put the foot somewhere, the knee above, shape (3,) in the trunk; None out of reach."""
        x, y, z = (float(each) for each in self.axes.T @ (foot + np.array([0.0, 0.0, self.ankle]) - self.place))
        a, b = self.lengths
        ahead = math.hypot(x, y)
        angle = bend(a, b, ahead, z)
        if angle is None:
            return None
        turned, raised = math.atan2(y, x), shoulder(a, b, ahead, z, -angle)
        if len(self.bodies) == 3:
            return turned, raised, -angle
        return turned, raised, -angle, angle - raised, -turned

    @property
    def hangs(self) -> bool:
        """Whether it points down at angle 0, rather than aside."""
        return bool(self.axes[2, 0] < -0.5)


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
    axes, place = np.array(chain[0].R_PB), np.array(chain[0].p_PB)
    upper = float(chain[2].p_PB[0])
    if len(chain) == 3:
        point = points[0]
        return Leg(
            name=point.name,
            bodies=tuple(chain),
            soles=(point,),
            place=place,
            axes=axes,
            lengths=(upper, float(point.p_BP[0])),
            spread=np.zeros((1, 3)),
            ankle=0.0,
        )
    # Angles of an ankle whose axes are those of the elbow and the column cancel theirs.
    parallel = chain[3].joint.axis == chain[2].joint.axis and chain[4].joint.axis == chain[0].joint.axis
    spread = np.array([axes @ np.array(point.p_BP) for point in points])
    if len(points) < 3 or not parallel or np.ptp(spread[:, 2]) > LEVEL:
        return None
    ankle = -float(spread[0, 2])
    return Leg(
        name=chain[4].name,
        bodies=tuple(chain),
        soles=tuple(points),
        place=place,
        axes=axes,
        lengths=(upper, float(chain[3].p_PB[0])),
        spread=spread + np.array([0.0, 0.0, ankle]),
        ankle=ankle,
    )
