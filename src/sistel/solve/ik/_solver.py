"""A frame of a system, compiled for inverse kinematics."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.expr import Program
from sistel.kernels import FUNCTION, USER, Code, LlvmRunner, Native, compiled, keep_program, recall_program
from sistel.kernels.subset import CompiledFunctions, compile_functions
from sistel.mechanics import derive_frame
from sistel.once import COMPILING
from sistel.records import record
from sistel.solve.ik import _ccd, _loop
from sistel.solve.ik._step import Joints, Task, derive_step
from sistel.solve.ik._threads import Job, cores, parts, run_jobs

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.engine import Engine
    from sistel.pose import Rotation, Vector3


LANES = 8
"""Attempts that run at a time. Two vectors of four hide the latency of divisions and roots behind each other."""
LEAST, MOST = 1e-12, 1e8
"""Bounds of the damping: below, rounding could make the equations indefinite; above, nothing moves."""
CHOICE = 16
"""Among how many starts an attempt after the first chooses the one that is nearest to its target."""
POLISH = 400
"""Iterations for poses that no attempt reached: the nearest that can be reached is told to the last digits."""
STALL = 0.1
"""Part of its cost that an attempt has to lose in an iteration, most of the time."""
SPREAD = 1.0
"""Around the start, how far attempts begin in coordinates without limits, where they slide [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to search."""

    method: Literal["lm", "ccd", "analytic", "anfis"]
    limits: bool
    turn: float
    """Tolerance [rad]."""
    slide: float
    """Tolerance [m]."""
    restarts: int
    iterations: int
    damping: tuple[float, float, float]
    """λ to begin with in parts of the cost, and its factors after a step that is rejected and after one that is
    accepted."""
    seed: int
    several: bool
    threads: int | None = None
    """Threads at most; None for as many as there are cores. What is found is the same."""


@record
class Found:
    """What a search came to, one row a pose."""

    q: Array
    iterations: Whole
    attempt: Whole
    """Which attempt it was; the number of all where none succeeded."""
    every: Array | None
    """Where all attempts ended, shape (poses, attempts, nq), if they are kept."""

    def part(self, rows: slice) -> Found:
        """Some of the poses, in the same memory."""
        every = None if self.every is None else self.every[rows]
        return Found(q=self.q[rows], iterations=self.iterations[rows], attempt=self.attempt[rows], every=every)


class Solver:
    """The compiled iterations of one frame and task."""

    def __init__(
        self, engine: Engine, place: tuple[int, Vector3, Rotation], joints: Joints, task: Task, limits: bool
    ) -> None:
        """Nothing is compiled yet."""
        self.engine, self.place, self.joints, self.task, self.limits = engine, place, joints, task, limits
        self.nq = engine.model.nq
        self.places = np.array(joints.places, dtype=np.int64)
        self._steps: dict[int, Code] = {}
        self._poses: dict[int, Code] = {}
        self._starts: dict[tuple[str, int, int], Array] = {}
        self._loop: CompiledFunctions | None = None
        self._ccd: tuple[Native, CompiledFunctions] | None = None

    def run(self, targets: Array, seeds: Array, options: Options) -> Found:
        """Search for all targets, shape (poses, 4, 4), from seeds of shape (1 or poses, nq).

        Raises:
            KeyboardInterrupt: Somebody pressed Ctrl-C.
        """
        count, attempts = len(targets), options.restarts + 1
        every = np.zeros((count, attempts, self.nq)) if options.several else None
        found = Found(
            q=np.empty((count, self.nq)),
            iterations=np.zeros(count, dtype=np.int64),
            attempt=np.full(count, attempts, dtype=np.int64),
            every=every,
        )
        found.q[:] = seeds
        start = self.starts(options) if options.method == "ccd" else self.choices(options)
        threads = cores() if options.threads is None else options.threads
        prepare = self._descent if options.method == "ccd" else self._search
        jobs = [
            prepare(targets[part], seeds if len(seeds) == 1 else seeds[part], start, found.part(part), options)
            for part in parts(count, count * attempts, threads)
        ]
        run_jobs(jobs, count * attempts, threads)
        return found

    def starts(self, options: Options) -> Array:
        """Where attempts after the first begin: drawn within the limits, the same for all poses."""
        return self._kept("places", options, lambda: self._drawn(options, 1))

    def choices(self, options: Options) -> Array:
        """The same with as many for each attempt as it chooses among, and their poses by twelve numbers."""
        return self._kept("choices", options, lambda: self._posed(self._drawn(options, CHOICE)))

    def _kept(self, what: str, options: Options, make: Callable[[], Array]) -> Array:
        key = what, options.seed, options.restarts
        found = self._starts.get(key)
        if found is None:
            found = make()
            self._starts = {key: found}  # one draw is enough to keep
        return found

    def _posed(self, drawn: Array) -> Array:
        states = np.repeat(np.array([self.engine.model.start.q], dtype=float), len(drawn), axis=0)
        states[:, self.places] = drawn
        poses = self.pose(states)
        return np.concatenate([drawn, poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], axis=1)

    def _drawn(self, options: Options, each: int) -> Array:
        first, last = self.ranges()
        return np.random.default_rng(options.seed).uniform(first, last, (max(1, options.restarts) * each, len(first)))

    def ranges(self) -> tuple[Array, Array]:
        """Between which coordinates attempts begin, each of shape (joints,) [m or rad].

        They are the limits; where there are none, one turn around, and of slides a metre about the start.
        """
        low, high = np.array(self.joints.low), np.array(self.joints.high)
        turns = np.array(self.joints.turns)
        # One turn around is enough; a slide without limits is looked for about its start.
        middle = np.where(turns, 0.0, np.array(self.engine.model.start.q, dtype=float)[self.places])
        reach = np.where(turns, math.pi, SPREAD)
        if not self.limits:
            low, high = np.full_like(low, -math.inf), np.full_like(high, math.inf)
        first, last = np.maximum(low, middle - reach), np.minimum(high, middle + reach)
        outside = first >= last
        first[outside], last[outside] = low[outside], np.minimum(high, low + 2.0 * reach)[outside]
        return first, last

    def _recalled(self, what: str, derive: Callable[[], Program]) -> Program:
        body, p, R = self.place
        key = [
            self.engine.model.fingerprint,
            what,
            *(repr(x) for x in (body, p, R, self.joints, self.task, self.limits)),
        ]
        return (recall_program(USER, key) or keep_program(USER, key, (derive(), ())))[0]

    def step_code(self, lanes: int) -> Code:
        """The kernel of an iteration for so many lanes; who calls its address must hold it."""
        with COMPILING:
            if lanes not in self._steps:
                body, p, R = self.place
                line = self._recalled(
                    "inverse kinematics, damped step",
                    lambda: derive_step(self.engine.tree, body, p, R, self.joints, self.task, self.limits),
                )
                self._steps[lanes] = Code(compiled(line, lanes, USER, "double", True))
            return self._steps[lanes]

    def pose_code(self, lanes: int) -> Code:
        """The kernel of the pose for so many lanes; who calls its address must hold it."""
        with COMPILING:
            if lanes not in self._poses:
                self._poses[lanes] = Code(compiled(self.pose_program(), lanes, USER, "double", True))
            return self._poses[lanes]

    def pose_program(self) -> Program:
        """The program of the pose alone, which verifies what is found."""
        return self._recalled("pose", lambda: derive_frame(self.engine.tree, "pose", *self.place))

    def plan(self, count: int, lanes: int, options: Options) -> tuple[Whole, Array]:
        """The numbers that the search goes by; the address of the arguments is still missing."""
        t = _loop
        counts, numbers = np.zeros(t.WIDTH, dtype=np.int64), np.zeros(t.NUMBERS)
        counts[[t.COUNT, t.LANES, t.NQ, t.JOINTS]] = count, lanes, self.nq, len(self.places)
        counts[[t.ATTEMPTS, t.ITERATIONS, t.ALL]] = options.restarts + 1, options.iterations, options.several
        axis = self.task.free_axis
        counts[[t.CHOICE, t.FREE]] = CHOICE, -1 if axis is None else axis
        weigh = 0.5 * max(self.task.weights[:3]), 0.5 * max(self.task.weights[3:])
        numbers[:] = options.turn**2, options.slide**2, *options.damping, LEAST, MOST, STALL, *weigh
        if options.restarts == 0:
            numbers[t.STALL] = 0.0  # no other attempt comes: this one goes on to its end
        return counts, numbers

    def search_rules(self, options: Options) -> dict[str, float]:
        """The numbers by which an attempt goes on or ends, for a search that is done elsewhere: on a page."""
        counts, numbers = self.plan(1, 1, options)
        return {
            "slow": _loop.SLOW,
            "least": numbers[_loop.LEAST].item(),
            "most": numbers[_loop.MOST].item(),
            "stall": numbers[_loop.STALL].item(),
            "choice": counts[_loop.CHOICE].item(),
            "polish": POLISH,
            "patience": _ccd.PATIENCE,
            "patient": _ccd.PATIENT,
        }

    def _search(self, targets: Array, seeds: Array, start: Array, found: Found, options: Options) -> Job:
        t = _loop
        if self._loop is None:
            from sistel.solve.ik._single import code

            self._loop = code()
        loop, step = self._loop, self.step_code(LANES)
        count, nq, joints = len(targets), self.nq, len(self.places)
        counts, numbers = self.plan(count, LANES, options)
        lanes = [np.zeros(size * LANES) for size in (nq, 12, 1, joints, 3)]
        table = np.zeros(10, dtype=np.int64)
        table[::2] = [block.ctypes.data for block in lanes]
        counts[[t.SEEDS, t.ARGUMENTS]] = len(seeds) > 1, table.ctypes.data
        rows = np.concatenate([targets[:, :3, :3].reshape(count, 9), targets[:, :3, 3]], axis=1)

        def whole(size: int) -> Whole:
            return np.zeros(size, dtype=np.int64)

        def call() -> None:
            held = step.function(FUNCTION), table  # machine code goes by their addresses
            loop.search(
                held[0], counts, numbers, self.places, rows.ravel(), seeds.ravel(), start.ravel(),
                *lanes, whole(LANES * t.STATE), np.zeros(nq * LANES), np.zeros(LANES), whole(1), whole(count),
                found.attempt, whole(count), found.q.ravel(), np.full(count, -1.0), found.iterations,
                np.zeros(1) if found.every is None else found.every.ravel(),
                whole(1 if found.every is None else count * (options.restarts + 1)),
            )  # fmt: skip

        return Job(call=call, counts=counts, stop=t.STOP)

    def _descent(self, targets: Array, seeds: Array, start: Array, found: Found, options: Options) -> Job:
        t = _ccd
        look, loop = self._looking()
        count, nq, joints = len(targets), self.nq, len(self.places)
        counts = np.zeros(t.WIDTH, dtype=np.int64)
        blocks = [np.zeros(nq), np.zeros(12), np.zeros(6 * joints)]
        table = np.zeros(6, dtype=np.int64)
        table[::2] = [block.ctypes.data for block in blocks]
        counts[[t.COUNT, t.NQ, t.JOINTS, t.SWEEPS]] = count, nq, joints, options.iterations
        counts[[t.ATTEMPTS, t.SEEDS, t.ALL]] = options.restarts + 1, len(seeds) > 1, options.several
        counts[t.ARGUMENTS] = table.ctypes.data
        bounds = np.array([self.joints.low, self.joints.high]).T.copy()
        if not self.limits:
            bounds[:] = -math.inf, math.inf
        weights = self.task.weights
        axis = self.task.free_axis
        turns = list(weights[:3]) if axis is None else [max(weights[:3]) * (j == axis) for j in range(3)]
        scale = 1.0 / max(1e-9, self.size(np.array(self.engine.model.start.q, dtype=float), start))
        # Three axes may each be nearer to theirs than the whole turn is: by a root of 2/3 at most.
        turn = options.turn * (0.8 if axis is None else 1.0)
        numbers = np.array([turn, options.slide, scale, 0.9 if options.restarts else 1.0 - 1e-9])
        rows = np.concatenate([targets[:, :3, :3].transpose(0, 2, 1).reshape(count, 9), targets[:, :3, 3]], axis=1)

        def call() -> None:
            held = table, blocks  # machine code goes by their addresses
            loop.descend(
                look, counts, numbers, self.places, bounds.ravel(), np.array([*turns, weights[3]]), rows.ravel(),
                seeds.ravel(), start.ravel(), *blocks, np.zeros(12), found.attempt, found.q.ravel(),
                np.full(count, -1.0), found.iterations, np.zeros(1) if found.every is None else found.every.ravel(),
                np.zeros(1 if found.every is None else count * (options.restarts + 1), dtype=np.int64),
            )  # fmt: skip
            del held

        return Job(call=call, counts=counts, stop=t.STOP)

    def _looking(self) -> tuple[Native, CompiledFunctions]:
        """What "ccd" sees of the arm, and its loop."""
        with COMPILING:
            if self._ccd is None:
                body, p, R = self.place
                line = self._recalled(
                    "inverse kinematics, look", lambda: _ccd.derive_look(self.engine.tree, body, p, R, self.joints)
                )
                runner = LlvmRunner(line, width=None, threads=None, cache=USER)
                loop = compile_functions(list(_ccd.FUNCTIONS), exports=["descend"], cache=USER)
                self._ccd = runner.native, loop
            return self._ccd

    def size(self, seed: Array, start: Array) -> float:
        """Of the arm [m]: how far its frame is from its first joint, at most, where attempts begin."""
        states = np.repeat(seed[None], len(start), axis=0)
        states[:, self.places] = start
        p = self.pose(states)[:, :3, 3]
        return float(np.sqrt(((p - p.mean(axis=0)) ** 2).sum(axis=1)).max())

    def pose(self, q: Array) -> Array:
        """Poses of the frame by forward kinematics alone, shape (rows, 4, 4)."""
        return np.asarray(self.engine.frame_call("pose", *self.place)(q)).reshape(-1, 4, 4)

    def jacobian(self, q: Array) -> Array:
        """Of one state, columns of the joints, shape (6, joints)."""
        whole = np.asarray(self.engine.frame_call("jacobian", *self.place)(q)).reshape(6, -1)
        return np.asarray(whole[:, list(self.joints.rates)])
