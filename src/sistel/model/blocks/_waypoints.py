"""Waypoints of a tool on the straight line to its target, with orientations in stages.

Between a start pose (P, R) and a target, with a distance Δl between points, waypoint k is at P + k Δl e, the last one
at the target, and its axes are R Rz(θ_k) Ry(ψ_k) Rx(φ_k): up to k₁ the angle about x grows, up to k₂ that about y, then
that about z. The next waypoint comes when this one has been reached, within two tolerances.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arrays import Floats, shift
from sistel.errors import Text
from sistel.expr import Routine
from sistel.model.blocks._law import Block, Given, Law, Memory

STEP: Final = 0
FIRST: Final = 1
SECOND: Final = 2
PLACE: Final = ("x", "y", "z")
TURN: Final = ("w", "x", "y", "z")


def product(a: Floats, b: Floats, out: Floats) -> None:
    """The product of two quaternions w, x, y, z."""
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3]
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]


def turned_by(q: Floats, angle: float, axis: int, room: Floats) -> None:
    """Turn a quaternion about one of its own axes, in its own place."""
    turn = shift(room, 4)
    for i in range(4):
        turn[i] = 0.0
    turn[0] = math.cos(0.5 * angle)
    turn[1 + axis] = math.sin(0.5 * angle)
    product(q, turn, room)
    for i in range(4):
        q[i] = room[i]


def staged(k: float, first: float, last: float) -> float:
    """The part of an angle at a waypoint: 0 until a stage, 1 from its end on."""
    return min(max((k - first) / (last - first), 0.0), 1.0)


def waypoint(data: Floats, given: Floats, made: Floats) -> None:
    """A waypoint.

    Args:
        data: Δl, k₁, k₂.
        given: Place and quaternion at the start, then of the target, then k.
        made: How many waypoints there are; place and quaternion of this one; then room.
    """
    start = given
    target = shift(given, 7)
    x = target[0] - start[0]
    y = target[1] - start[1]
    z = target[2] - start[2]
    way = math.sqrt(x * x + y * y + z * z)
    # Rounding must not add a point to a whole number of steps.
    count = max(float(math.ceil(way / data[STEP] - 1e-9)), data[SECOND] + 1.0)
    k = min(given[14], count)
    part = min(k * data[STEP] / way, 1.0) if way > 0.0 and k < count else 1.0
    made[0] = count
    made[1] = start[0] + part * x
    made[2] = start[1] + part * y
    made[3] = start[2] + part * z
    q = shift(made, 4)
    room = shift(made, 8)
    between = shift(made, 16)
    back = shift(made, 20)
    back[0] = start[3]
    for i in range(1, 4):
        back[i] = -start[3 + i]
    product(back, shift(target, 3), between)
    w = between[0]
    a = between[1]
    b = between[2]
    c = between[3]
    size = w * w + a * a + b * b + c * c
    roll = math.atan2(2.0 * (w * a + b * c), w * w - a * a - b * b + c * c)
    pitch = math.asin(min(max(2.0 * (w * b - a * c) / size, -1.0), 1.0))
    yaw = math.atan2(2.0 * (w * c + a * b), w * w + a * a - b * b - c * c)
    for i in range(4):
        q[i] = start[3 + i]
    turned_by(q, yaw * staged(k, data[SECOND], count), 2, room)
    turned_by(q, pitch * staged(k, data[FIRST], data[SECOND]), 1, room)
    turned_by(q, roll * staged(k, 0.0, data[FIRST]), 0, room)


WAYPOINT: Final = (waypoint, staged, turned_by, product)


def waypoint_routine(step: float, first: float, second: float) -> Routine:
    """A routine that makes a waypoint."""
    return Routine("waypoint", WAYPOINT, 15, 24, [step, first, second])


def _law(given: Given) -> Law:
    """What is remembered: the pose at the start, and the number of the waypoint."""
    names = [*(f"p{each}" for each in PLACE), *(f"q{each}" for each in TURN)]
    again = "(ticks < 0.5)" if "reset" not in given else "(ticks < 0.5 or (reset))"
    inner = {f"from_{own}": f"select({again}, si(in_{i}), {own})" for i, own in enumerate(names)}
    inner |= {f"to_{own}": f"si(target_{i})" for i, own in enumerate(names)}
    inner["now"] = f"select({again}, 1, k)"
    inner["left"] = "hypot(si(in_0) - made_1, si(in_1) - made_2, si(in_2) - made_3)"
    # The norm of the difference of two matrices over √2 is 2 sin(φ / 2), and |q · p| = cos(φ / 2).
    along = " + ".join(f"si(in_{3 + i}) * made_{4 + i}" for i in range(4))
    inner["askew"] = f"2 * sqrt(max(0, 1 - ({along})^2))"
    there = "left <= si(within_0) and askew <= si(within_1)"
    stores = {own: Memory(like="", following=f"from_{own}") for own in names}
    stores["k"] = Memory(like="", following=f"select({there}, min(now + 1, made_0), now)", start="1")
    parts = {f"place.{each}": f"made_{1 + i} * 1 m" for i, each in enumerate(PLACE)}
    parts |= {f"turn.{each}": f"made_{4 + i}" for i, each in enumerate(TURN)}
    parts |= {"number": "now", "count": "made_0", "reached": there, "done": f"({there}) and now > made_0 - 0.5"}
    (step,), (first, second) = given.numbers["step"], given.numbers["stages"]
    asked = (*(f"from_{own}" for own in names), *(f"to_{own}" for own in names), "now")
    return Law("", stores, parts, inner, {"made": (waypoint_routine(step, first, second), asked)})


def _wrong(given: Given) -> tuple[str, Text] | None:
    pose = Text("x, y, z and a quaternion w, x, y, z", "x, y, z и кватернион w, x, y, z")
    for key in ("in", "target"):
        if given.counts[key] != 7:
            return key, pose
    if given.counts["within"] != 2:
        return "within", Text('a distance and part of a turn: "1 mm, 0.01"', "расстояние и доля поворота: «1 мм, 0.01»")
    stages, (step,) = given.numbers["stages"], given.numbers["step"]
    if len(stages) != 2 or not 0 < stages[0] < stages[1] or any(each != int(each) for each in stages):
        return "stages", Text("two whole numbers that rise: k1 < k2", "два целых числа по возрастанию: k1 < k2")
    return None if step > 0 else ("step", Text("a positive distance", "положительное расстояние"))


def _parts(given: Given) -> tuple[str, ...]:
    pose = (*(f"place.{each}" for each in PLACE), *(f"turn.{each}" for each in TURN))
    return (*pose, "number", "count", "reached", "done")


BLOCKS = (
    Block(
        key="waypoints",
        needs=("in", "target", "step", "stages", "within"),
        takes=("reset",),
        law=_law,
        parts=_parts,
        lists=("target", "stages", "within"),
        constants=("step", "stages"),
        wrong=_wrong,
        clocked=True,
    ),
)
