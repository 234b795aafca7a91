"""Inverse kinematics in closed form: all branches, within the limits, verified; or why there are none."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel import solve
from sistel.arms.closed_forms import _newton, _positions, _roots, _verified, _wrists
from sistel.arms.closed_forms._layout import (
    ARGUMENTS,
    ASKED,
    BOUNDS,
    FREE_AXIS,
    LANES,
    MARKS,
    NQ,
    PLACES,
    ROOM,
    ROWS,
    SEEDS,
    SEVERAL,
    STOP,
    TOLERANCES,
    TURNING,
    TURNS,
)
from sistel.arms.closed_forms._pieper import ClosedForm
from sistel.errors import Text
from sistel.kernels import FUNCTION, USER
from sistel.kernels.subset import CompiledFunctions, compile_functions
from sistel.once import once
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.solve import Job, Options, Room, Single, Solution, Solver

PARTS = (_roots, _positions, _wrists, _newton, _verified)
FUNCTIONS = (solve.read_target, *(function for part in PARTS for function in part.FUNCTIONS))


@once
def code() -> CompiledFunctions:
    """The compiled functions: one for all arms."""
    return compile_functions(list(FUNCTIONS), exports=["answer", "solve_rows"], cache=USER, quick=True)


class Workplace:
    """What machine code goes by, and memory for one call at a time."""

    def __init__(self, solver: Solver, form: ClosedForm, options: Options) -> None:
        """Compile what is not compiled yet, and lay out the memory."""
        joints, weights, axis = solver.joints, solver.task.weights, solver.task.free_axis
        count = len(joints.places)
        self.functions, self.kernel = code(), solver.pose_code(LANES)
        self.lanes = np.zeros(solver.nq * LANES), np.zeros(16 * LANES)
        self.table = np.zeros(4, dtype=np.int64)
        self.table[::2] = [block.ctypes.data for block in self.lanes]
        self.plan, self.numbers = form.plan.copy(), form.numbers.copy()
        self.plan[[NQ, FREE_AXIS, SEVERAL]] = solver.nq, -1 if axis is None else axis, options.several
        self.plan[[TURNING, ARGUMENTS]] = any(weights[:3]), self.table.ctypes.data
        self.plan[PLACES : PLACES + count], self.plan[TURNS : TURNS + count] = joints.places, joints.turns
        self.plan[ASKED : ASKED + 6] = [weight != 0.0 for weight in weights]
        limits = (joints.low, joints.high) if solver.limits else ((-math.inf,) * count, (math.inf,) * count)
        self.numbers[BOUNDS : BOUNDS + 2 * count] = np.transpose(limits).ravel()
        self.numbers[TOLERANCES : TOLERANCES + 2] = options.turn, options.slide
        self.arguments = (
            self.kernel.function(FUNCTION), self.plan, self.numbers,
            np.zeros(MARKS, dtype=np.int64), np.zeros(ROOM), *self.lanes,
        )  # fmt: skip

    def job(self, targets: Array, seeds: Array, found: Found) -> Job:
        """The call for many targets."""
        self.plan[[ROWS, SEEDS]] = len(targets), len(seeds) > 1
        arrays = targets.ravel(), seeds.ravel(), found.counts, found.q.ravel(), found.pose.ravel(), found.left.ravel()
        return solve.Job(
            call=lambda: self.functions.solve_rows(*self.arguments, *arrays, found.several.ravel()),
            counts=self.plan,
            stop=STOP,
        )

    def room(self, branches: int) -> Room:
        """The call for one target, bound to its memory."""
        nq = self.plan[NQ].item()
        room = solve.Room(nq)
        count, several = np.zeros(1, dtype=np.int64), np.zeros((branches, nq))
        if self.plan[SEVERAL]:
            room.fields["solutions"] = solve.Some(rows=several, count=count)
        arrays = room.given.ravel(), room.seed, count, room.q, room.pose.ravel(), room.left, several.ravel()
        kernel, *arguments = self.arguments
        room.bind(self.functions.answer.address, (kernel.address, *arguments, *arrays), self)
        return room


@record
class Found:
    """What is found for some targets, one row each; what is not found is not written."""

    counts: Whole
    """Solutions; where there is none, minus the number of those beyond the limits."""
    q: Array
    pose: Array
    left: Array
    several: Array
    """All solutions, one after the other, if they are kept."""

    def part(self, rows: slice, branches: int) -> Found:
        """Some of the targets, in the same memory."""
        several = self.several[rows.start * branches : rows.stop * branches]
        return Found(
            counts=self.counts[rows], q=self.q[rows], pose=self.pose[rows], left=self.left[rows], several=several
        )

    def solutions(self) -> list[Array]:
        """Those of each target."""
        ends = np.cumsum(np.maximum(self.counts, 0)).tolist()
        return [self.several[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def closed_solution(solver: Solver, form: ClosedForm, target: Array, seed: Array, options: Options) -> Solution:
    """Coordinates for targets that were checked; arguments as those of `sistel.solve.inverse_kinematics`."""
    batch = np.broadcast_shapes(target.shape[:-2], seed.shape[:-1])
    one = seed.ndim == 1
    targets = _rows(target, (*batch, 4, 4)).reshape(-1, 4, 4)
    seeds = seed[None] if one else _rows(seed, (*batch, seed.shape[-1])).reshape(-1, seed.shape[-1])
    count, nq = len(targets), solver.nq
    branches = form.branches if options.several else 0
    # Memory that is not written to is not taken.
    found = Found(
        counts=np.zeros(count, dtype=np.int64),
        q=np.empty((count, nq)),
        pose=np.empty((count, 4, 4)),
        left=np.empty((count, 6)),
        several=np.empty((count * branches, nq)),
    )
    threads = solve.cores() if options.threads is None else options.threads
    pieces = solve.parts(count, count, threads)
    parts = [found.part(rows, branches) for rows in pieces]
    jobs = [
        Workplace(solver, form, options).job(targets[rows], seeds if one else seeds[rows], part)
        for rows, part in zip(pieces, parts, strict=True)
    ]
    solve.run_jobs(jobs, count, threads)
    several = [each for part in parts for each in part.solutions()] if options.several else []
    reasons: list[Text | None] = [None] * count
    good, iterations = found.counts > 0, np.zeros(count, dtype=np.int64)
    bad = np.flatnonzero(~good)
    if len(bad):
        # The search tells the nearest, and knows families of postures where formulas name a member.
        plain = replace(options, method="lm", several=False)
        rest = solve.inverse_kinematics(solver, targets[bad], np.broadcast_to(seeds, (count, nq))[bad], plain)
        found.q[bad], found.pose[bad], found.left[bad] = rest.q, rest.nearest, rest.residual
        good[bad], iterations[bad] = rest.success, rest.iterations
        for i, reason in zip(bad, rest.reason, strict=True):
            reasons[i] = reason and _reason(reason, -int(found.counts[i]))
            if options.several and reason is None:
                several[i] = found.q[i : i + 1].copy()
    single = not batch
    return solve.Solution(
        q=found.q.reshape(*batch, nq),
        success=bool(good[0]) if single else good.reshape(batch),
        residual=found.left.reshape(*batch, 6),
        nearest=found.pose.reshape(*batch, 4, 4),
        iterations=int(iterations[0]) if single else iterations.reshape(batch),
        attempt=0 if single else np.zeros(batch, dtype=np.int64),
        reason=reasons[0] if single else tuple(reasons),
        solutions=None if not options.several else several[0] if single else tuple(several),
    )


def _rows(array: Array, shape: tuple[int, ...]) -> Array:
    """An array of a shape whose numbers lie side by side and are not locked, as machine code takes them."""
    return np.require(array if array.shape == shape else np.array(np.broadcast_to(array, shape)), None, ["C", "W"])


def closed_single(solver: Solver, form: ClosedForm, options: Options, start: Array) -> Single:
    """What answers single targets; what has no solution is for the general way, which has the words for it."""
    return solve.Single(lambda: Workplace(solver, form, options).room(form.branches), start)


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
