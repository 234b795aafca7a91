"""Arms of the line: three joints that place the centre of the wrist, three that turn the gripper about it.

By the first three an arm works in Cartesian (three slides), cylindrical (turn, lift, reach), spherical (turn,
elevation, reach) or angular coordinates (three hinges). All four have closed inverse kinematics: the place of the
centre follows from the pose of the gripper, the coordinates of the arm from the place, and the wrist is left to turn
what remains, about z, y and x.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NoReturn

import numpy as np

from sistel.arms import chain_to
from sistel.cells._elbow import bend, shoulder
from sistel.errors import Text, refuse
from sistel.model import Body, Frame, Model
from sistel.pose import Parameters, apart, compose, rotate
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


Kind = Literal["cartesian", "cylindrical", "spherical", "angular"]

_KINDS: dict[tuple[str, ...], Kind] = {
    ("prismatic", "prismatic", "prismatic"): "cartesian",
    ("revolute", "prismatic", "prismatic"): "cylindrical",
    ("revolute", "revolute", "prismatic"): "spherical",
    ("revolute", "revolute", "revolute"): "angular",
}
_AXES: dict[Kind, tuple[tuple[int, int, int], ...]] = {
    "cartesian": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "cylindrical": ((0, 0, 1), (0, 0, 1), (1, 0, 0)),
    "spherical": ((0, 0, 1), (0, -1, 0), (1, 0, 0)),
    "angular": ((0, 0, 1), (0, -1, 0), (0, -1, 0)),
}
_WRIST = ((0, 0, 1), (0, 1, 0), (1, 0, 0))
DUST = 1e-12
"""Lengths and angles that count as none [m or rad]."""
SLACK = 1e-9
"""How far beyond a limit a coordinate may be [m or rad]."""


@record
class Reached:
    """Coordinates of an arm that put its gripper where it was asked to be."""

    q: Array
    """All coordinates of the system, shape (nq,) [m or rad]; those that are not the arm's as they were given."""
    others: tuple[Array, ...]
    """Other coordinates that do the same, within the limits."""


@record
class Arm:
    """An arm of one of the four kinds."""

    model: Model
    frame: Frame
    """The gripper's."""
    kind: Kind
    bodies: tuple[Body, ...]
    """Six of them, from the ground to the gripper."""
    first: tuple[float, float, float]
    """Of the first joint, seen from the ground [m]."""
    lengths: tuple[float, float]
    """Kinds but the Cartesian: of the second and third link, or the reach of the arm drawn in [m]."""

    def inverse(self, target: ArrayLike, q: ArrayLike | None = None) -> Reached:
        """Coordinates that put the gripper into a pose.

        Args:
            target: The pose in the ground's frame, shape (4, 4) [m].
            q: Coordinates to stay near to, shape (nq,) [m or rad]; without, those of the start.

        Raises:
            SistelError: The pose is none, or out of reach: which coordinate would have to go beyond which limit.
        """
        seed = np.array(self.model.start.q if q is None else q, dtype=float)
        found: list[Array] = []
        beyond: list[tuple[float, str]] = []
        for six in self._solutions(target):
            off = self._beyond(six)
            if off is None:
                full = seed.copy()
                full[[body.first_q for body in self.bodies]] = self._unwound(six, seed)
                found.append(full)
            else:
                beyond.append(off)
        if not found:
            self._out_of_reach(beyond)
        found.sort(key=lambda each: float(np.abs(each - seed).sum()))
        return Reached(q=found[0], others=tuple(found[1:]))

    def _solutions(self, target: ArrayLike) -> Iterator[list[float]]:
        """Six coordinates, for every branch; none where the place is out of reach."""
        p = apart(target)[1]
        X = np.asarray(target, dtype=float)
        tool = np.array(self.frame.R_BF)
        R = X[:3, :3] @ tool.T
        centre = p - R @ np.array(self.frame.p_BF)
        sets = Parameters.standard()
        for three in self._places(centre):
            wrist = self._turned(three).T @ R
            yaw, pitch, roll = sets.convert_rotation(wrist.reshape(9), "matrix", "zyx").tolist()
            yield [*three, yaw, pitch, roll]
            yield [*three, yaw + math.pi, math.pi - pitch, roll + math.pi]

    def _places(self, centre: Array) -> Iterator[list[float]]:
        """The first three coordinates, for every branch."""
        x, y, z = (float(a) - b for a, b in zip(centre, self.first, strict=True))
        if self.kind == "cartesian":
            yield [x, y, z]
            return
        across, turned = math.hypot(x, y), math.atan2(y, x)
        for ahead, phi in ((across, turned), (-across, turned + math.pi)):
            yield from ([phi, *two] for two in self._two(ahead, z))

    def _two(self, ahead: float, up: float) -> Iterator[tuple[float, float]]:
        a, b = self.lengths
        if self.kind == "cylindrical":
            yield up - a, ahead - b
            return
        if self.kind == "spherical":
            yield math.atan2(up, ahead), math.hypot(ahead, up) - b
            return
        angle = bend(a, b, ahead, up, SLACK)
        for elbow in () if angle is None else (-angle, angle):
            yield shoulder(a, b, ahead, up, elbow), elbow

    def _turned(self, three: Sequence[float]) -> Array:
        """The orientation of the third body for the first three coordinates."""
        if self.kind == "cartesian":
            return np.eye(3)
        c, s = math.cos(three[0]), math.sin(three[0])
        column = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        if self.kind == "cylindrical":
            return column
        lift = three[1] + (three[2] if self.kind == "angular" else 0.0)
        c, s = math.cos(lift), math.sin(lift)
        return np.asarray(column @ np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]]))

    def _unwound(self, six: Sequence[float], seed: Array) -> list[float]:
        """The same coordinates, hinges within their limits and as near to the seed as turns allow."""
        made = []
        for value, body in zip(six, self.bodies, strict=True):
            if body.joint.type.key == "revolute":
                turns = round((float(seed[body.first_q]) - value) / (2 * math.pi))
                ways = [value + 2 * math.pi * (turns + k) for k in (0, 1, -1, 2, -2)]
                ways += [value + 2 * math.pi * k for k in (0, 1, -1)]
                low, high = body.joint.minimum[0] - SLACK, body.joint.maximum[0] + SLACK
                value = next(way for way in ways if low <= way <= high)
            made.append(min(max(value, body.joint.minimum[0]), body.joint.maximum[0]))
        return made

    def _beyond(self, six: Sequence[float]) -> tuple[float, str] | None:
        """How far a coordinate is beyond its limits, and which; None where all are within."""
        worst: tuple[float, str] | None = None
        for value, body in zip(six, self.bodies, strict=True):
            low, high = body.joint.minimum[0], body.joint.maximum[0]
            ways = [value + 2 * math.pi * k for k in (0, 1, -1)] if body.joint.type.key == "revolute" else [value]
            off = min(max(low - way, way - high, 0.0) for way in ways)
            if off > SLACK and (worst is None or off > worst[0]):
                worst = off, body.name
        return worst

    def _out_of_reach(self, beyond: list[tuple[float, str]]) -> NoReturn:
        if beyond:
            off, name = min(beyond)
            slides = next(body for body in self.bodies if body.name == name).joint.type.key == "prismatic"
            en = f"{1e3 * off:.4g} mm" if slides else f"{math.degrees(off):.4g}°"
            ru = en.replace(" mm", " мм")
            reason = Text(f'"{name}" would have to go {en} beyond its limit', f"«{name}» вышел бы за предел на {ru}")
        else:
            a, b = self.lengths
            reason = Text(
                f"the wrist reaches from {abs(a - b):g} m to {a + b:g} m from the shoulder",
                f"кисть достаёт от {abs(a - b):g} м до {a + b:g} м от плеча",
            )
        refuse("out-of-reach", Text(f"this pose is out of reach: {reason.en}", f"поза недостижима: {reason.ru}"))


def arm_of(model: Model, frame: str) -> Arm:
    """The arm that carries a frame.

    Args:
        model: The system.
        frame: Name of the gripper's frame.

    Raises:
        SistelError: There is no such frame, or its chain of bodies is none of the four kinds of arms.
    """
    chosen, chain = chain_to(model, frame)
    kind = _KINDS.get(tuple(body.joint.type.key for body in chain[:3]))
    if len(chain) != 6 or kind is None or any(body.joint.type.key != "revolute" for body in chain[3:]):
        _no_arm(frame)
    R = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    places = []
    for body, axis in zip(chain, (*_AXES[kind], *_WRIST), strict=True):
        places.append(rotate(R, body.p_PB))
        R = compose(R, body.R_PB)
        if max(abs(a - b) for a, b in zip(rotate(R, body.joint.axis), axis, strict=True)) > DUST:
            _no_arm(frame)
    # Joints stand in line: what lies between them is along the way that they move.
    lengths, straight = (0.0, 0.0), True
    base = np.array(places[0])
    if kind == "cartesian":
        base = np.sum(places[:4], axis=0)
    elif kind == "cylindrical":
        straight = _along(places[1], 2) and _along(places[2], 0) and _along(places[3], 0)
        lengths = (places[1][2], places[2][0] + places[3][0])
    elif kind == "spherical":
        straight = _along(places[1], 2) and _along(places[2], 0) and _along(places[3], 0)
        base, lengths = base + places[1], (0.0, places[2][0] + places[3][0])
    else:
        straight = _along(places[1], 2) and _along(places[2], 0) and _along(places[3], 0)
        base, lengths = base + places[1], (places[2][0], places[3][0])
    wrist = all(abs(entry) < DUST for place in places[4:] for entry in place)
    turned = max(abs(a - b) for row, one in zip(R, np.eye(3), strict=True) for a, b in zip(row, one, strict=True))
    if not straight or not wrist or turned > DUST:
        _no_arm(frame)
    x, y, z = (float(each) for each in base)
    return Arm(model=model, frame=chosen, kind=kind, bodies=tuple(chain), first=(x, y, z), lengths=lengths)


def _along(place: Sequence[float], axis: int) -> bool:
    return all(abs(entry) < DUST for i, entry in enumerate(place) if i != axis)


def _no_arm(frame: str) -> NoReturn:
    refuse(
        "no-arm",
        Text(
            f'what carries "{frame}" is no arm of the four kinds',
            f"то, что несёт «{frame}», не рука одного из четырёх видов",
        ),
        expected=Text(
            "three joints that place the wrist in Cartesian, cylindrical, spherical or angular coordinates, and three "
            "hinges of the wrist about z, y and x that meet in a point",
            "три сочленения, которые ставят кисть в декартовых, цилиндрических, сферических или ангулярных "
            "координатах, и три шарнира кисти вокруг z, y и x, оси которых сходятся в точке",
        ),
    )
