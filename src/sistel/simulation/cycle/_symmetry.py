"""What a motion may go on by from period to period: shifts of a state that no equation notices.

The place along a slope is such a shift, and so is a counter that nothing reads. Where a condition reads a place and a
counter together, as stairs whose edges lie at n times their depth, or a floor is a slanted line, or a belt is given its
place as a speed times the time, neither of two numbers is free, but a shift of both is. These are found as the
directions in which all that is watched, all constraints and all transitions of a motion stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model, Transition
    from sistel.simulation.cycle._variation import Surface, Variation


ALIKE = 1e-9
"""Relative change of what is watched under which it counts as none."""

Look = tuple["Variation", "Surface", "Array"]
"""A state that a motion passes, with the derivatives and the constraints of its structure there."""
Passed = tuple["Variation", "Transition", "Array"]
"""A transition, with the state just before it."""


def entries(model: Model) -> list[int]:
    """Places in a state of the instant of the last entry: none, or one."""
    return [model.nq + model.nv + place for place, each in enumerate(model.memory) if each.kind == "entered"]


def counts(model: Model) -> list[int]:
    """Places in a state of what is counted."""
    return [model.nq + model.nv + place for place, each in enumerate(model.memory) if each.kind != "entered"]


def lone_shifts(looks: Iterable[Look], passed: Iterable[Passed], size: int) -> set[int]:
    """Components of the state that no equation of a motion contains; by the formulas, not by numbers."""
    free = set(range(size))
    for variation, surface, _ in looks:
        free &= variation.absent & surface.absent
    for variation, transition, _ in passed:
        free &= variation.carried(transition)
    return free


def joint_shifts(
    model: Model, looks: Sequence[Look], passed: Sequence[Passed], alone: set[int], mirror: Array, forced: bool
) -> Array:
    """Directions that shift several components at once, and that no equation of a motion notices.

    Args:
        model: The system.
        looks: States of the motion.
        passed: Its transitions.
        alone: Components that are free by themselves.
        mirror: A map of states that the directions have to agree with.
        forced: Whether given motions count, and the time goes on with them: not where a period goes by and takes them
            with it.

    Returns:
        Orthonormal columns of the size of a state.
    """
    size = model.state_size
    candidates = (*range(model.nq), *counts(model), *([size - 1] if forced else []))
    # Where some equation contains the time, places may go on with it that the rates contain.
    timely = forced and size - 1 not in alone
    columns = [i for i in candidates if i not in alone and (timely or all(i in each[0].unmoved for each in looks))]
    if not columns or not looks:
        return np.zeros((size, 0))
    # The instant of the last entry goes on with the time.
    ways = np.eye(size)[:, columns]
    ways[entries(model)] = ways[-1]
    rows = [np.zeros((1, size))]
    for variation, surface, y in looks:
        rows.append(_unit(variation.local(y)[2]))
        if timely:
            rows.append(_unit(variation.rate_slopes(y)))
        slopes = surface.slopes(y)
        if not forced and surface.forced:
            half = len(slopes) // 2
            held = [*range(half - surface.forced), *range(half, 2 * half - surface.forced)]
            slopes = slopes[held]
        rows.append(_unit(slopes))
    found = _kernel(rows, ways, mirror)
    if found.shape[1]:
        # What transitions do is much to derive, and seldom asked.
        rows += [_unit(variation.jump(transition, y)[1] - np.eye(size)) for variation, transition, y in passed]
        rows += [_unit(variation.choices(transition, y)) for variation, transition, y in passed]
        found = _kernel(rows, ways, mirror)
    made = np.asarray(np.linalg.qr(ways @ found)[0])
    made = np.where(np.abs(made) > ALIKE, made, 0.0)
    # Whole shifts, and not only the beginnings of them.
    return made if all(unnoticed(looks, passed, shift) for shift in made.T) else np.zeros((size, 0))


def _kernel(rows: Sequence[Array], ways: Array, mirror: Array) -> Array:
    """Combinations of directions along which all rows vanish, and those of the mirror image."""
    every = np.concatenate(rows)
    _, sizes, turned = np.linalg.svd(np.concatenate([every, every @ mirror]) @ ways)
    return np.asarray(turned[int((sizes > ALIKE).sum()) :].T)


def _unit(rows: Array) -> Array:
    """Rows of length 1; those that are zero stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0.0))


def unnoticed(looks: Iterable[Look], passed: Iterable[Passed], shift: Array, tolerance: float = ALIKE) -> bool:
    """Whether a shift changes nothing in the rates, in what is watched and in the transitions of a motion."""
    for variation, _, y in looks:
        here, there = (np.concatenate(variation.local(each)[:2]) for each in (y, y + shift))
        if not alike(here, there, tolerance):
            return False
    for variation, transition, y in passed:
        if not alike(variation.after(transition, y) + shift, variation.after(transition, y + shift), tolerance):
            return False
    return True


def alike(here: Array, there: Array, tolerance: float = ALIKE) -> bool:
    """Whether two rows of numbers are the same, up to a part of the largest of them or of 1."""
    return bool(np.abs(here - there).max(initial=0.0) <= tolerance * max(1.0, float(np.abs(here).max(initial=0.0))))


def time_shift(model: Model, shifts: Array, alone: set[int]) -> Array | None:
    """What goes on with the time where no equation notices: the change of a state in a second; None where one does."""
    if model.state_size - 1 in alone:
        made = np.zeros(model.state_size)
        made[[*entries(model), -1]] = 1.0
        return made
    size = float(shifts[-1] @ shifts[-1])
    return np.asarray(shifts @ shifts[-1] / size) if size > ALIKE else None


def frame_beside(shifts: Array, left_out: Iterable[int]) -> Array:
    """Orthonormal columns at right angles to shifts, without some components: what a cycle has to give back.

    Components that no shift contains are columns of their own, so nothing is rounded that need not be.
    """
    size = len(shifts)
    out = set(left_out)
    shifts = np.where(np.abs(shifts) > ALIKE, shifts, 0.0)
    shifts = shifts[:, [not any(column[i] for i in out) for column in shifts.T]]
    mixed = [i for i in range(size) if shifts[i].any() and i not in out]
    plain = np.eye(size)[:, [i for i in range(size) if i not in out and i not in mixed]]
    if not mixed:
        return plain
    left, sizes, _ = np.linalg.svd(shifts[mixed])
    rank = int((sizes > ALIKE).sum())
    rest = np.zeros((size, len(mixed) - rank))
    rest[mixed] = left[:, rank:]
    return np.concatenate([plain, rest], axis=1)
