"""The coordinates that are drawn, and where they put the bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sistel.errors import SistelError, Text, one_of, refuse
from sistel.expr import Expr
from sistel.model import Model
from sistel.pose import IDENTITY, Vector3
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.expr import Scalar
    from sistel.mechanics import Kinematics

Point = tuple[float, float]


@entry
class Place:
    """A pose in the plane: origin [mm] and angle [rad], clockwise as seen."""

    x: float
    y: float
    angle: float

    def out(self, p: Point) -> Point:
        """A point given in these axes, in those outside."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (self.x + c * p[0] - s * p[1], self.y + s * p[0] + c * p[1])

    def into(self, p: Point) -> Point:
        """A point given outside, in these axes."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        dx, dy = p[0] - self.x, p[1] - self.y
        return (c * dx + s * dy, -s * dx + c * dy)

    def seen(self, other: Place) -> Place:
        """Another pose as seen from this one."""
        x, y = self.into((other.x, other.y))
        return Place(x, y, math.remainder(other.angle - self.angle, 2 * math.pi))


def coordinates_at(model: Model, at: str | Mapping[str, float] | Sequence[float]) -> tuple[float, ...]:
    """Coordinates of a posture by name, of the start, of zero, or as given, shape (nq,) [m or rad].

    Some coordinates by name stay as they are given; the others are those of the start, and follow to close loops.

    Raises:
        SistelError: There is no such posture or coordinate, or there are too many or too few numbers.
    """
    names = model.coordinate_names
    if isinstance(at, Mapping):
        for name in at:
            if name not in names:
                refuse(
                    "bad-state",
                    Text(f'there is no coordinate "{name}"', f"нет координаты «{name}»"),
                    expected=one_of(names),
                )
        q = [at.get(name, value) for name, value in zip(names, _start(model), strict=True)]
        return _assembled(model, q, frozenset(i for i, name in enumerate(names) if name in at))
    if not isinstance(at, str):
        given = tuple(float(x) for x in at)
        if len(given) != model.nq or not all(map(math.isfinite, given)):
            refuse(
                "bad-state",
                Text(f"{model.nq} finite coordinates are needed", f"нужно конечных координат: {model.nq}"),
                expected=Text(", ".join(names), ", ".join(names)),
            )
        return _assembled(model, given, frozenset())
    for posture in model.postures:
        if posture.name == at:
            return _assembled(model, posture.q, posture.given_q)
    if at == "start":
        return _start(model)
    if at != "zero":
        refuse(
            "bad-state",
            Text(f'there is no posture "{at}"', f"нет позы «{at}»"),
            expected=one_of(list(dict.fromkeys([*(p.name for p in model.postures), "start", "zero"]))),
        )
    zero = [float(name == "qw") for body in model.bodies for name, _ in body.joint.type.coordinates]
    return _assembled(model, zero, frozenset())


def drawn_coordinates(
    model: Model, at: Sequence[float] | None = None, *, put: Mapping[int, float] | None = None
) -> tuple[float, ...]:
    """Coordinates to draw, shape (nq,) [m or rad]: as asked, as the file's drawing says, or those of the start.

    Loops are closed where they can be: coordinates that are given stay, the others follow.

    Args:
        model: The system.
        at: All of them.
        put: By their places in q, some that are given other values than in the file.
    """
    if at is not None:
        return tuple(at)
    picture = model.picture
    drawn = None if picture is None or not picture.posture.given_q else picture.posture
    if drawn is None and not put:
        return _start(model)
    if drawn is None:
        q, given = list(model.start.q), frozenset(model.start.given_q)
    elif len(drawn.given_q) == model.nq and not put:
        return drawn.q
    else:
        first, given = _start(model), drawn.given_q
        q = [drawn.q[i] if i in given else first[i] for i in range(model.nq)]
    for i, value in (put or {}).items():
        q[i] = value
    return _assembled(model, q, given | frozenset(put or ()))


def _start(model: Model) -> tuple[float, ...]:
    try:
        from sistel.simulation import start_state
    except ModuleNotFoundError:
        return _start_by_hand(model)  # in a browser, say: NumPy is not there
    try:
        state = start_state(model, model.structure())
    except (SistelError, ValueError, ArithmeticError):
        # What cannot move can still be looked at.
        given = frozenset(model.start.given_q)
        return _assembled(model, model.start.q, given)
    return tuple(float(x) for x in state[: model.nq])


def _start_by_hand(model: Model) -> tuple[float, ...]:
    """Coordinates of the start as `start_state` finds them, without its velocities, which need NumPy."""
    from sistel.automaton import forced_at
    from sistel.mechanics import tree_of

    rates = {body.first_v + i: body.first_q + i for body in model.bodies for i in range(body.joint.type.nv)}
    q = list(model.start.q)
    given = set(model.start.given_q)
    try:
        for row in forced_at(model, tree_of(model), model.structure(), q, [0.0] * model.nv, model.start_time):
            assert row.rate is not None
            q[rates[row.rate]] -= plain(row.value)
            given.add(rates[row.rate])
    except (SistelError, ValueError, ArithmeticError):
        pass  # what cannot move can still be looked at
    return _assembled(model, q, frozenset(given))


def _assembled(model: Model, q: Sequence[float], given: frozenset[int]) -> tuple[float, ...]:
    from sistel.mechanics import assemble

    structure = model.structure()
    if not (structure.holds or structure.changes):
        return tuple(q)
    simple = [body for body in model.bodies if not body.joint.type.has_quaternion]
    pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
    found = assemble(model, structure, q, fixed=frozenset(rate for place, rate in pairs if place in given))
    return found.q if found.success else tuple(q)


def places(model: Model, q: Sequence[float]) -> list[Place]:
    """Poses of the bodies of a planar system in the ground's frame, by number; 0 is the ground."""
    from sistel.mechanics import posture

    kinematics = posture(model, q)
    made = [Place(0.0, 0.0, 0.0)]
    for body in model.bodies:
        p, R = kinematics.place(body.number, (0.0, 0.0, 0.0)), kinematics.axes(body.number, IDENTITY)
        made.append(Place(1e3 * plain(p[0]), 1e3 * plain(p[1]), math.atan2(plain(R[1][0]), plain(R[0][0]))))
    return made


def world_direction(kinematics: Kinematics, body: int, a_B: Vector3) -> Vector3:
    """A direction of a body in the ground's frame."""
    if body == 0:
        return a_B
    R = kinematics.axes(body, IDENTITY)
    x, y, z = (sum(plain(R[i][k]) * a_B[k] for k in range(3)) for i in range(3))
    return (x, y, z)


def plain(x: Scalar) -> float:
    """A number of kinematics that was asked for with numbers."""
    assert not isinstance(x, Expr)
    return float(x)
