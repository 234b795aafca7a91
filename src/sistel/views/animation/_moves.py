"""The joints of a planar system as nested moves, and how far each may be off. Lengths are in mm, angles in degrees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Body, Model
from sistel.views.animation._clock import Clock
from sistel.views.animation._keys import MOST, Key, fit, too_many
from sistel.views.animation._pieces import along
from sistel.views.schemes._posture import Point

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Run


DEGREE = 180 / math.pi
STILL = 1e-6
"""What moves less is at rest [mm or degrees]."""
COARSEST = 2.0
"""Error of a turn that moves nothing visible [degrees]."""
LEAVES_OUT = 0.02
"""Of its bound, what the polynomials of a motion may leave out."""


@dataclass(frozen=True, slots=True)
class Move:
    """A part of what a joint does: the body goes along a vector, or turns."""

    body: int
    place: int
    """Of its coordinate."""
    gain: float
    """mm or degrees for a unit of it."""
    vector: Point | None
    """Unit vector of the way; None for a turn."""


def moves_of(body: Body) -> list[Move]:
    """What a joint of a planar system does, from the outside in."""
    key, first, number = body.joint.type.key, body.first_q, body.number
    if key == "revolute":
        return [Move(number, first, DEGREE * body.joint.axis[2], None)]
    if key == "prismatic":
        x, y = body.joint.axis[:2]
        return [Move(number, first, 1e3, (x, y))]
    made = []
    if key in ("prismatic2", "free"):
        made = [Move(number, first, 1e3, (1.0, 0.0)), Move(number, first + 1, 1e3, (0.0, 1.0))]
    if key == "free":
        made.append(Move(number, first + 2, DEGREE, None))
    return made


def reaches(model: Model, corners: Mapping[int, Sequence[Point]], ways: Mapping[int, float]) -> dict[int, float]:
    """How far from the pole of every body any point of it, and of what it carries, can be [mm].

    Args:
        model: The system.
        corners: What is drawn of every body, in its axes.
        ways: How far the pole of every body goes from where its joint is zero.
    """
    found = {body.number: max(math.hypot(*p) for p in corners[body.number]) for body in model.bodies}
    for body in reversed(model.bodies):
        if body.base:
            arm = 1e3 * math.hypot(*body.p_PB[:2]) + ways[body.number] + found[body.number]
            found[body.base] = max(found[body.base], arm)
    return found


def shares(model: Model, moving: Sequence[Move]) -> dict[Move, int]:
    """Among how many moves a point can be, at most, of which one is this: the bound of an error is divided so."""
    own = {body.number: sum(move.body == body.number for move in moving) for body in model.bodies}
    above = dict(own)
    for body in model.bodies:
        if body.base:
            above[body.number] += above[body.base]
    below = dict(own)
    for body in reversed(model.bodies):
        if body.base:
            below[body.base] = max(below[body.base], own[body.base] + below[body.number])
    return {move: above[move.body] + below[move.body] - own[move.body] for move in moving}


def fitted(
    run: Run, corners: Mapping[int, Sequence[Point]], clock: Clock, bound: float
) -> dict[Move, tuple[list[Key], int]]:
    """Keys of all moves that happen, and the decimals of their values.

    Every point of every body stays within the bound: a turn moves points by its error times their distance from the
    pole at most, and what errors of joints one after another do adds up.

    Args:
        run: The run.
        corners: What is drawn of every body, in its axes [mm].
        clock: The cycle.
        bound: How far any point of a body may be off [mm].
    """
    model = run.model
    moves = [move for body in model.bodies for move in moves_of(body)]
    low, high = _extremes(run)
    moving = [move for move in moves if _happens(run, move)]
    ways = {body.number: 0.0 for body in model.bodies}
    for move in moves:
        if move.vector is not None:
            farthest = max(abs(low[move.place]), abs(high[move.place]))
            # A margin, for extremes are looked for at the steps and between them, not proved.
            ways[move.body] = math.hypot(ways[move.body], 1.1e3 * farthest)
    reach = reaches(model, corners, ways)
    made: dict[Move, tuple[list[Key], int]] = {}
    divided = shares(model, moving)
    for move in moving:
        own = 0.98 * bound / divided[move]
        if move.vector is None:
            own = min(own / max(reach[move.body], 1e-9) * DEGREE, COARSEST)
        decimals = max(0, math.ceil(-math.log10(0.3 * own)))
        pieces = along(run, {move.place: move.gain}, 0.0, LEAVES_OUT * own)
        made[move] = (fit(pieces, clock, own, decimals), decimals)
        if sum(len(keys) for keys, _ in made.values()) > MOST:
            raise too_many()
    return made


def _happens(run: Run, move: Move) -> bool:
    pieces = along(run, {move.place: move.gain}, 0.0, STILL)
    first = pieces.at(run.begin)
    return pieces.distance(run.begin, pieces.end, (first, 0.0, 0.0, 0.0)) > STILL


def _extremes(run: Run) -> tuple[Array, Array]:
    """Least and greatest values of all coordinates, at the steps and at three times within each."""
    t = run.t
    between = np.concatenate([t[:-1] + share * np.diff(t) for share in (0.25, 0.5, 0.75)]) if len(t) > 1 else t
    q = np.concatenate([run.q, run(np.clip(between, run.begin, run.end))[0]])
    return q.min(axis=0), q.max(axis=0)
