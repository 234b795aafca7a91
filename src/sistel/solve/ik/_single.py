"""One pose at a time: the target is checked, searched for and verified in one call of machine code.

What is unusual (a target that is not quite a pose, one that is not reached) is left to the general way, which has the
words for it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.kernels import FUNCTION, USER, Code, LlvmRunner, assemble
from sistel.kernels.subset import CompiledFunctions, Floats, Function, Ints, compile_functions, shift
from sistel.once import once
from sistel.records import record
from sistel.solve.ik import _loop, _rows
from sistel.solve.ik._loop import ATTEMPTS, JOINTS, NQ, search
from sistel.solve.ik._rows import SLACK, read_target, turn_left
from sistel.solve.ik._solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from sistel.arrays import AnyArray, Array, Flags, Whole
    from sistel.solve.ik._solver import Options, Solver


Kernel = Function[[int, int, int], None]

REACHED, UNUSUAL = range(2)
RESTARTS: Final = 100
"""How many attempts follow the first here, at most: nearly all poses that can be reached are reached by then."""
LANES: Final = 4
"""Attempts at a time: the first one mostly succeeds, and a shorter vector is there sooner."""
FREE, POSE_ARGUMENTS, LIMITS, PLAN = range(4)
"""Places of whole numbers: the axis about which the frame may turn (-1 for none), the address of the arguments of the
pose, whether there are limits; how many there are."""


def answer(
    step: Kernel, pose_at: Kernel, plan: Ints, counts: Ints, numbers: Floats, tolerances: Floats, asked: Floats,
    places: Ints, turns: Ints, bounds: Floats, given: Floats, target: Floats, seed: Floats, starts: Floats, q: Floats,
    lanes_target: Floats, damping: Floats, following: Floats, errors: Floats, state: Ints, best_q: Floats,
    best_cost: Floats, next_pose: Ints, attempts: Ints, won: Ints, chosen: Ints, found: Floats, costs: Floats,
    iterations: Ints, every: Floats, every_success: Ints, pose: Floats, left: Floats,
) -> int:  # fmt: skip
    """Search for one pose and verify it: REACHED, or UNUSUAL for the general way.

    Args:
        step: The kernel of an iteration.
        pose_at: The kernel of the pose, which verifies.
        plan: See the places.
        counts: As for `search`.
        numbers: As for `search`.
        tolerances: Of the turn and of the way [rad and m].
        asked: 1 for the six components that are asked for, else 0.
        places: Of the joints in q.
        turns: Whether they are angles.
        bounds: Lower and upper limit of every joint.
        given: The target, sixteen numbers.
        target: Room: the target as the search takes it.
        seed: Where to begin.
        starts: As for `search`, and so are those that follow.
        q: See there.
        lanes_target: See there.
        damping: See there.
        following: See there.
        errors: See there.
        state: See there.
        best_q: See there.
        best_cost: See there.
        next_pose: See there.
        attempts: See there.
        won: See there.
        chosen: See there.
        found: The coordinates.
        costs: See there.
        iterations: How many.
        every: Not used.
        every_success: Not used.
        pose: Of the frame there, sixteen numbers.
        left: What is left, six numbers.
    """
    if not read_target(given, target):
        return UNUSUAL
    for i in range(counts[NQ]):
        if not math.isfinite(seed[i]):
            return UNUSUAL
    if plan[LIMITS] != 0:
        for k in range(counts[JOINTS]):
            seed[places[k]] = min(max(seed[places[k]], bounds[2 * k]), bounds[2 * k + 1])
    won[0] = counts[ATTEMPTS]
    costs[0] = -1.0
    attempts[0] = 0
    next_pose[0] = 0
    search(
        step, counts, numbers, places, target, seed, starts, q, lanes_target, damping, following, errors, state, best_q,
        best_cost, next_pose, attempts, won, chosen, found, costs, iterations, every, every_success,
    )  # fmt: skip
    if won[0] >= counts[ATTEMPTS]:
        return UNUSUAL
    for k in range(counts[JOINTS]):
        if turns[k] != 0:
            at = places[k]
            count = (seed[at] - found[at]) / (2.0 * math.pi)
            if abs(count) > 0.5:
                there = found[at] + 2.0 * math.pi * math.floor(count + 0.5)
                if plan[LIMITS] == 0 or bounds[2 * k] <= there <= bounds[2 * k + 1]:
                    found[at] = there
    pose_at(0, 1, plan[POSE_ARGUMENTS])
    turn = turn_left(pose, target, plan[FREE], left)
    way = shift(left, 3)
    for j in range(3):
        way[j] = 0.0
        for i in range(3):
            way[j] = way[j] + target[3 * i + j] * (target[9 + i] - pose[4 * i + 3])
    for i in range(6):
        left[i] = left[i] * asked[i]
    turn = math.sqrt(left[0] ** 2 + left[1] ** 2 + left[2] ** 2) if turn < 3.0 else turn
    slide = math.sqrt(left[3] ** 2 + left[4] ** 2 + left[5] ** 2)
    return REACHED if turn <= tolerances[0] * SLACK and slide <= tolerances[1] * SLACK else UNUSUAL


FUNCTIONS: Final = (*_loop.FUNCTIONS, *_rows.FUNCTIONS, answer)


@once
def code() -> CompiledFunctions:
    """The compiled functions: one for all arms."""
    exports = ["search", "answer", "read_rows", "rows_left", "unwind", "rows_within"]
    return compile_functions(list(FUNCTIONS), exports=exports, cache=USER)


def exact_rows(given: Array) -> Flags:
    """Which targets of shape (rows, 4, 4) are exact poses."""
    exact = np.zeros(max(1, len(given)), dtype=np.int64)
    code().read_rows(len(given), np.ascontiguousarray(given).ravel(), np.zeros(12), exact)
    return np.asarray(exact[: len(given)] != 0)


def left_over(free: int | None, asked: Array, poses: Array, targets: Array) -> tuple[Array, Array]:
    """What is left, shape (rows, 6), and the angles, shape (rows,); half turns have no axis here."""
    left, angles = np.zeros((len(poses), 6)), np.zeros(len(poses))
    flat = (np.ascontiguousarray(each).ravel() for each in (poses, targets))
    axis = -1 if free is None else free
    code().rows_left(len(poses), axis, asked, *flat, np.zeros(12), left.ravel(), angles)
    return left, angles


def unwound(solver: Solver, q: Array, seeds: Array) -> Array:
    """The same postures, angles as near to the seeds as whole turns within the limits bring them.

    Args:
        solver: Whose joints they are.
        q: Shape (rows, nq).
        seeds: Shape (rows or 1, nq).
    """
    made, joints = np.array(q, dtype=float, order="C"), solver.joints
    bounds = np.array([joints.low, joints.high]).T.ravel()
    turns = np.array(joints.turns, dtype=np.int64)
    code().unwind(
        len(made), made.shape[1], len(turns), solver.places, turns, bounds, int(solver.limits), int(len(seeds) > 1),
        np.ascontiguousarray(seeds).ravel(), made.ravel(),
    )  # fmt: skip
    return made


def within(left: Array, options: Options) -> Flags:
    """Whether residuals, shape (rows, 6), are within the tolerances; the search rounds otherwise than this does."""
    good = np.zeros(max(1, len(left)), dtype=np.int64)
    code().rows_within(len(left), np.ascontiguousarray(left).ravel(), options.turn, options.slide, good)
    return np.asarray(good[: len(left)] != 0)


@record
class Some:
    """As many rows of an array as a count of one number says."""

    rows: Array
    count: Whole


class Room:
    """Memory of one call at a time, with the code bound to it."""

    def __init__(self, nq: int) -> None:
        """Lay out what all calls have; nothing is bound yet."""
        self.given, self.seed, self.q = np.zeros((4, 4)), np.zeros(nq), np.zeros(nq)
        self.pose, self.left = np.zeros((4, 4)), np.zeros(6)
        self.fields: dict[str, object] = {
            "q": self.q, "success": True, "residual": self.left, "nearest": self.pose, "iterations": 0, "attempt": 0,
            "reason": None, "solutions": None,
        }  # fmt: skip
        """Of the solution: things, or arrays whose numbers are taken; one whole number where they hold such."""

    def bind(self, function: int, arguments: Sequence[int | AnyArray], keep: object) -> None:
        """Bind the code at an address to its arguments, whole numbers and arrays, and keep what they need."""
        # Not the solver: it leads to the system, and what is remembered is not seen by the collector of cycles.
        self._keep = keep, arguments
        self._code = Code(assemble(_bound(function, arguments)))
        self.address = self._code.address("go")
        self.call: Callable[[], int] = ctypes.CFUNCTYPE(ctypes.c_int64)(self.address)

    def solution(self) -> Solution:
        """What the last call has left."""
        return Solution(**{name: _taken(value) for name, value in self.fields.items()})


def _taken(value: Any) -> Any:
    if isinstance(value, Some):
        return value.rows[: value.count.item()].copy()
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype == np.float64 else value.item()
    return value


def search_room(solver: Solver, options: Options) -> Room:
    """A room for the search: compile what is not compiled yet, and lay out the memory."""
    t, nq, joints = _loop, solver.nq, len(solver.places)
    runner = LlvmRunner(solver.pose_program(), width=None, threads=None, cache=USER)
    step, functions = solver.step_code(LANES), code()
    counts, numbers = solver.plan(1, LANES, options)
    lanes = [np.zeros(size * LANES) for size in (nq, 12, 1, joints, 3)]
    table, pose_table = np.zeros(10, dtype=np.int64), np.zeros(4, dtype=np.int64)
    table[::2] = [block.ctypes.data for block in lanes]
    counts[t.ARGUMENTS] = table.ctypes.data
    room = Room(nq)
    iterations, won = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    room.fields |= {"iterations": iterations, "attempt": won}
    pose_table[::2] = room.q.ctypes.data, room.pose.ctypes.data
    axis = solver.task.free_axis
    plan = np.array([-1 if axis is None else axis, pose_table.ctypes.data, solver.limits], dtype=np.int64)

    def whole(size: int) -> Whole:
        return np.zeros(size, dtype=np.int64)

    arguments: tuple[int | AnyArray, ...] = (
        step.address(FUNCTION), runner.scalar_code.address(FUNCTION), plan, counts, numbers,
        np.array([options.turn, options.slide]), np.array([float(w != 0.0) for w in solver.task.weights]),
        solver.places, np.array(solver.joints.turns, dtype=np.int64),
        np.array([solver.joints.low, solver.joints.high]).T.ravel(), room.given.ravel(), np.zeros(12), room.seed,
        solver.choices(options).ravel(), *lanes,
        whole(LANES * t.STATE), np.zeros(nq * LANES), np.zeros(LANES), whole(1), whole(1), won, whole(1),
        room.q, np.zeros(1), iterations, np.zeros(1), whole(1), room.pose.ravel(), room.left,
    )  # fmt: skip
    room.bind(functions.answer.address, arguments, (runner, step, functions, table, pose_table))
    return room


def _bound(address: int, arguments: Sequence[int | AnyArray]) -> str:
    """A function without arguments that calls another one with these: handing over thirty costs more than the search.

    All of them are whole numbers or addresses, which are passed alike.
    """
    numbers = [each if isinstance(each, int) else each.ctypes.data for each in arguments]
    listed = ", ".join(f"i64 {number}" for number in numbers)
    return f"""
define i64 @go() {{
  %f = inttoptr i64 {address} to ptr
  %answer = call i64 %f({listed})
  ret i64 %answer
}}
"""


class Single:
    """Answers single targets; threads may share it: each call takes a room of its own."""

    def __init__(self, room: Callable[[], Room], start: Array) -> None:
        """Nothing is compiled yet.

        Args:
            room: Makes a room.
            start: Where to begin where nothing else is said, shape (nq,) [m or rad].
        """
        self.room, self.start, self.shape = room, start, start.shape
        self._rooms: list[Room] = []

    def __call__(self, target: Any, q: Any) -> Solution | None:
        """What is found; None for the general way.

        Args:
            target: An array of shape (4, 4).
            q: Where to begin, an array of shape (nq,); None for the start of the file.
        """
        try:
            room = self._rooms.pop()
        except IndexError:
            room = self.room()
        room.given[...] = target
        room.seed[...] = self.start if q is None else q
        found = room.solution() if room.call() == REACHED else None
        self._rooms.append(room)
        return found


def search_single(solver: Solver, options: Options, start: Array) -> Single:
    """The search for single targets; what few attempts do not reach is for the general way, which can be stopped."""
    few = replace(options, restarts=min(options.restarts, RESTARTS))
    return Single(partial(search_room, solver, few), start)
