"""Inverse kinematics in closed form: all branches, within the limits, verified; or why there are none."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel import solve
from sistel.arms.closed_forms._pieper import ClosedForm
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags, Whole
    from sistel.solve import Options, Solution, Solver


ROWS = 4096
"""Targets at a time: an interrupt is heard between."""
POLISHED = 1e-14
"""Errors from which Newton's steps are worth while, in parts of the size of what there is."""
NEWTON = 8
"""Steps at most: formulas are exact but for rounding and for axes that nearly meet."""
CLOSE = 2e-3
"""Errors up to which a candidate is near a solution [rad, and parts of the distance]."""
EDGE = 1e-7
"""How far beyond its limit a coordinate is still taken to stand at it [m or rad]: where branches meet, formulas know it
to half of the digits. The other joints make up for it."""
SAME = 1e-4
"""Branches nearer to each other than this in every coordinate are one [m or rad]."""


def closed_solution(solver: Solver, form: ClosedForm, target: Array, seed: Array, options: Options) -> Solution:
    """Coordinates for targets that were checked; arguments as those of `sistel.solve.inverse_kinematics`."""
    batch = np.broadcast_shapes(target.shape[:-2], seed.shape[:-1])
    targets = np.ascontiguousarray(np.broadcast_to(target, (*batch, 4, 4))).reshape(-1, 4, 4)
    seeds = np.ascontiguousarray(np.broadcast_to(seed, (*batch, seed.shape[-1]))).reshape(-1, seed.shape[-1])
    q = seeds.copy()
    good, beyond = np.zeros(len(q), dtype=bool), np.zeros(len(q), dtype=np.int64)
    several: list[Array] = []
    for begin in range(0, len(q), ROWS):
        rows = slice(begin, begin + ROWS)
        every, fine, outside = _branches(solver, form, targets[rows], seeds[rows], options)
        good[rows], beyond[rows] = fine.any(axis=1), outside
        if options.several:
            kept = _distinct(solver, every, fine)
            several += [each[mask] for each, mask in zip(every, kept, strict=True)]
        first = np.argmax(fine, axis=1)
        q[rows] = np.where(good[rows, None], every[np.arange(len(first)), first], q[rows])
    reasons: list[Text | None] = [None] * len(q)
    iterations = np.zeros(len(q), dtype=np.int64)
    bad = np.flatnonzero(~good)
    if len(bad):
        # The search tells the nearest, and knows families of postures where formulas name a member.
        plain = replace(options, method="lm", several=False)
        rest = solve.inverse_kinematics(solver, targets[bad], seeds[bad], plain)
        q[bad], good[bad], iterations[bad] = rest.q, rest.success, rest.iterations
        for i, reason in zip(bad, rest.reason, strict=True):
            reasons[i] = reason and _reason(reason, int(beyond[i]))
            if options.several and reason is None:
                several[i] = q[i : i + 1].copy()
    pose = solver.pose(q)
    left = solve.residuals(solver.task, targets, pose)
    single = not batch
    return solve.Solution(
        q=q.reshape(*batch, q.shape[-1]),
        success=bool(good[0]) if single else good.reshape(batch),
        residual=left.reshape(*batch, 6),
        nearest=pose.reshape(*batch, 4, 4),
        iterations=int(iterations[0]) if single else iterations.reshape(batch),
        attempt=0 if single else np.zeros(batch, dtype=np.int64),
        reason=reasons[0] if single else tuple(reasons),
        solutions=None if not options.several else several[0] if single else tuple(several),
    )


def _reason(reason: Text, beyond: int) -> Text:
    if beyond:
        return Text(
            f"{reason.en}; in closed form: solutions beyond the limits of joints: {beyond}, within them none",
            f"{reason.ru}; замкнутое решение: за пределами сочленений решений {beyond}, в пределах ни одного",
        )
    return Text(
        f"{reason.en}; in closed form: no solution, with or without limits",
        f"{reason.ru}; замкнутое решение: решений нет, ни с пределами, ни без них",
    )


def _branches(
    solver: Solver, form: ClosedForm, targets: Array, seeds: Array, options: Options
) -> tuple[Array, Flags, Whole]:
    """Branches, nearest first, shape (rows, branches, nq); which are solutions; how many there are beyond limits."""
    places = solver.places
    with np.errstate(invalid="ignore", over="ignore"):
        found = form.branches(targets, seeds[:, places])
    rows, count = found.shape[:2]
    real: Flags = np.asarray(np.isfinite(found).all(axis=-1))
    every = np.repeat(seeds[:, None], count, axis=1)
    every[..., places] = np.where(real[..., None], found, every[..., places])
    flat, wanted = every.reshape(rows * count, -1), np.repeat(targets, count, axis=0)
    _polish(solver, flat, wanted, real.ravel(), None)
    inside, held = _into_limits(solver, every, seeds)
    if held.any():
        _polish(solver, flat, wanted, (real & held.any(axis=-1)).ravel(), held.reshape(rows * count, -1))
        inside &= _into_limits(solver, every, seeds)[0]
    left = solve.residuals(solver.task, wanted, solver.pose(flat))
    fine: Flags = np.asarray(solve.within(left, options).reshape(rows, count) & real)
    away = np.where(fine & inside, np.abs(every - seeds[:, None]).sum(axis=-1), np.inf)
    order = np.argsort(away, axis=1, kind="stable")
    none = ~(fine & inside).any(axis=1)
    beyond = np.zeros(rows, dtype=np.int64)
    if none.any():
        beyond[none] = _distinct(solver, every[none], fine[none]).sum(axis=1)
    fine = np.take_along_axis(fine & inside, order, axis=1)
    return np.take_along_axis(every, order[..., None], axis=1), fine, beyond


def _polish(solver: Solver, q: Array, targets: Array, real: Flags, held: Flags | None) -> None:
    """Newton's steps where they help, in place; without limits, but for joints that are held where they are."""
    places, rates = solver.places, list(solver.joints.rates)
    left = solve.residuals(solver.task, targets, solver.pose(q))
    size = 1.0 + np.abs(targets[:, :3, 3]).max(axis=1)
    error = np.abs(left).max(axis=1) / size
    for _ in range(NEWTON):
        rows = np.flatnonzero(real & (error > POLISHED) & (error < CLOSE))
        if not len(rows):
            return
        R = targets[rows, :3, :3]
        e = np.concatenate([left[rows, None, :3], left[rows, None, 3:]], axis=1)
        whole = np.asarray(solver.engine.frame_call("jacobian", *solver.place)(q[rows])).reshape(len(rows), 6, -1)
        J = whole[..., rates].reshape(len(rows), 2, 3, -1)
        inner = (np.swapaxes(R, 1, 2)[:, None] @ J).reshape(len(rows), 6, -1)
        if held is not None:
            inner = np.where(held[rows, None, :], 0.0, inner)
        asked = np.array([weight != 0.0 for weight in solver.task.weights])
        step = (np.linalg.pinv(inner[:, asked], rcond=1e-9) @ e.reshape(-1, 6)[:, asked, None])[..., 0]
        trial = q[rows]
        # A step that goes far is one along which nothing is decided.
        trial[:, places] += np.where(np.abs(step).max(axis=1, keepdims=True) < 0.3, step, 0.0)
        after = solve.residuals(solver.task, targets[rows], solver.pose(trial))
        worth = np.abs(after).max(axis=1) / size[rows]
        better = worth < error[rows]
        q[rows[better]], left[rows[better]] = trial[better], after[better]
        # What does not get better is left alone.
        error[rows] = np.where(better, worth, 0.0)


def _into_limits(solver: Solver, every: Array, seeds: Array) -> tuple[Flags, Flags]:
    """Bring angles as near to the seeds as whole turns within the limits allow, in place.

    Returns:
        Which branches are within, shape (rows, branches); which joints were put at a limit, shape (rows, branches, n).
    """
    inside = np.ones(every.shape[:2], dtype=bool)
    held = np.zeros((*every.shape[:2], len(solver.joints.places)), dtype=bool)
    for k, place in enumerate(solver.joints.places):
        q = every[..., place]
        low, high = (solver.joints.low[k], solver.joints.high[k]) if solver.limits else (-math.inf, math.inf)
        if solver.joints.turns[k]:
            count = np.round((seeds[:, place, None] - q) / math.tau)
            least, most = np.ceil((low - EDGE - q) / math.tau), np.floor((high + EDGE - q) / math.tau)
            q = q + math.tau * np.clip(count, least, np.maximum(most, least))
        fits = (q >= low - EDGE) & (q <= high + EDGE)
        inside &= fits
        clipped = np.clip(q, low, high)
        held[..., k] = fits & (clipped != q)
        every[..., place] = np.where(fits, clipped, q)
    return inside, held


def _distinct(solver: Solver, every: Array, fine: Flags) -> Flags:
    """Which branches are solutions that no solution before is the same as, whole turns aside."""
    turns = np.zeros(every.shape[-1], dtype=bool)
    turns[list(solver.joints.places)] = solver.joints.turns
    count = every.shape[1]
    kept = fine.copy()
    for i in range(1, count):
        by = np.abs(every[:, :i] - every[:, i : i + 1])
        by[..., turns] = np.abs((by[..., turns] + math.pi) % math.tau - math.pi)
        kept[:, i] &= ~((by.max(axis=-1) < SAME) & kept[:, :i]).any(axis=1)
    return kept
