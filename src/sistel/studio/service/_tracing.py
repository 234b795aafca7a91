"""The way of a point of a body: one coordinate goes through all it can, and what must follow follows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.mechanics import assemble
from sistel.model import Model
from sistel.pose import Vector3
from sistel.studio.service._stances import body_of, kind_of, limits_of
from sistel.views.schemes import Places, placed

if TYPE_CHECKING:
    from sistel.plain import JsonObject

TURN = math.pi / 36.0
"""A step of a turn [rad]."""
STEPS = 40
"""Steps of a slide between its limits."""


def way(model: Model, places: Places, body: int, p: Vector3) -> JsonObject:
    """Where a point goes, in the picture [mm].

    Args:
        model: The system.
        places: The posture that is drawn.
        body: Whose point.
        p: Where it is on its body [m].
    """
    drive = _drive(model, body)
    if drive is None or body == 0:
        return {"points": [], "closed": False, "drive": None}
    kind = kind_of(model, drive)
    low, high = limits_of(model, drive)
    step = TURN
    if kind == "slide":
        reach = 1e-3 * max(abs(x) for x in places.point(body, p)) or 0.1
        low, high = max(low, places.q[drive] - reach), min(high, places.q[drive] + reach)
        step = max(high - low, 1e-9) / STEPS
    whole = kind == "turn" and high - low >= 2.0 * math.pi - 1e-9
    if whole:
        low, high = places.q[drive] - math.pi, places.q[drive] + math.pi
    forth = _go(model, places.q, drive, step, high)
    back = _go(model, places.q, drive, -step, low)
    turned = whole and len(forth) + len(back) >= 2 * round(math.pi / TURN)
    postures = [*reversed(back), places.q, *forth]
    points = [placed(model, q).point(body, p) for q in postures]
    return {
        "points": [[round(x, 3), round(y, 3)] for x, y in points],
        "closed": turned,
        "drive": model.coordinate_names[drive],
    }


def _drive(model: Model, body: int) -> int | None:
    """The coordinate that moves: in loops one that a motor turns or that is given, else the first below the body."""
    structure = model.structure()
    simple = [each for each in model.bodies if not each.joint.type.has_quaternion and each.joint.type.nq]
    if structure.holds:
        driven = {motor.body for motor in model.motors}
        order = sorted(simple, key=lambda each: (each.number not in driven, each.first_q not in model.start.given_q))
        return order[0].first_q if order else None
    chain = []
    while body:
        chain.append(body)
        body = model.bodies[body - 1].base
    return next((each.first_q for each in simple if each.number in chain and each.joint.type.nq == 1), None)


def _go(model: Model, q: Sequence[float], drive: int, step: float, end: float) -> list[tuple[float, ...]]:
    """Postures from one on, as far as loops can be closed."""
    structure = model.structure()
    held = bool(structure.holds or structure.changes)
    rate = body_of(model, drive).first_v + drive - body_of(model, drive).first_q
    made: list[tuple[float, ...]] = []
    before, last = tuple(q), tuple(q)
    for number in range(1, 400):
        value = q[drive] + number * step
        if (value - end) * step > 1e-9 * abs(step):
            break
        # As the last step went, so the next one does: half the work of closing the loops is done by that.
        guess = [2.0 * b - a for a, b in zip(before, last, strict=True)] if number > 1 else list(last)
        guess[drive] = value
        if held:
            found = assemble(model, structure, guess, fixed=frozenset({rate}))
            if not found.success or abs(found.q[drive] - value) > 1e-9:
                break
            guess = list(found.q)
            if max(abs(a - b) for a, b in zip(guess, last, strict=True)) > 20.0 * abs(step):
                break  # another way of closing the loops: the point would jump
        before, last = last, tuple(guess)
        made.append(last)
    return made
