"""The states in which a system is looked at: random, the same on every run, within limits, on the constraints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import Tree, anchors, assemble, constraint_rows, moved
from sistel.model import Body, Model, Structure
from sistel.proofs._units import Units

if TYPE_CHECKING:
    from sistel.arrays import Array


SINGULAR = 1e-9
"""Singular values below this part of the largest count as zero, as in `mechanics.solve_singular`."""


def random_coordinates(units: Units, rng: np.random.Generator, count: int) -> Array:
    """Coordinates within the limits of the joints, (count, nq); the constraints are not looked at."""
    return np.array([_coordinates(units, rng) for _ in range(count)])


def _coordinates(units: Units, rng: np.random.Generator) -> list[float]:
    q: list[float] = []
    for body in units.model.bodies:
        kind = body.joint.type
        if kind.has_quaternion:
            turn = rng.normal(size=4)
            q += (turn / np.linalg.norm(turn)).tolist()
            q += rng.uniform(-units.length, units.length, kind.nq - 4).tolist()
            continue
        q += [float(rng.uniform(*_range(units, body, i))) for i in range(kind.nv)]
    return q


def _range(units: Units, body: Body, index: int) -> tuple[float, float]:
    low, high = units.model.limits(body, index)
    wide = math.pi if body.joint.type.rates[index][1] == "turn" else units.length
    if math.isinf(low) and math.isinf(high):
        return -wide, wide
    return (high - 2 * wide if math.isinf(low) else low), (low + 2 * wide if math.isinf(high) else high)


def within(model: Model, q: Sequence[float]) -> bool:
    """Whether coordinates keep the limits of their joints."""
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            continue
        for i in range(body.joint.type.nv):
            low, high = model.limits(body, i)
            if not low - 1e-9 <= q[body.first_q + i] <= high + 1e-9:
                return False
    return True


def assembled(model: Model, tree: Tree, structure: Structure) -> tuple[list[float], float]:
    """The start of the file, brought to the constraints of a structure, and how far it still is [m or rad]."""
    simple = [body for body in model.bodies if not body.joint.type.has_quaternion]
    pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
    fixed = frozenset(rate for place, rate in pairs if place in model.start.given_q)
    found = assemble(model, structure, model.start.q, fixed=fixed, tree=tree)
    return list(found.q), found.error


def walk(
    units: Units, tree: Tree, structure: Structure, begin: list[float], rng: np.random.Generator, count: int
) -> Array:
    """Postures on the constraints, from a first one along motions that are left, (count, nq)."""
    model = units.model
    kept = anchors(model, tree, structure, begin)
    bounded = within(model, begin)
    here, made = begin, [begin]
    while len(made) < count:
        way = feasible(units, tree, structure, here, rng.uniform(-1.0, 1.0, model.nv) * units.ways)
        step = 0.5
        for _ in range(4):
            went = assemble(model, structure, moved(model, here, way.tolist(), step), found=kept, tree=tree)
            if went.success and (not bounded or within(model, went.q)):
                here = list(went.q)
                break
            step *= -0.4
        made.append(here)
    return np.array(made)


def feasible(units: Units, tree: Tree, structure: Structure, q: Sequence[float], v: Array) -> Array:
    """The velocities nearest to given ones that the constraints let pass."""
    rows = constraint_rows(units.model, tree, structure, list(q), v.tolist())
    if not rows:
        return v
    J = np.array([row.J for row in rows], dtype=float) * units.ways
    drift = np.array([row.drift for row in rows], dtype=float)
    scaled = v / units.ways
    for _ in range(2):  # the second round removes what rounding left
        scaled = scaled - np.linalg.lstsq(J, J @ scaled + drift, rcond=SINGULAR)[0]
    return np.asarray(scaled * units.ways)
