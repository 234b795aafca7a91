"""The search of inverse kinematics as compiled code: attempts in the lanes of vectors, dampings, restarts.

Written in the compiled subset of Python. Every lane works at one attempt at one pose; a lane that has ended takes the
next pose, and where none is left, the next attempt at a pose that another lane is still at. What is found does not
depend on that: it is the answer of the first attempt, in their order, that succeeds, or the best of all.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, poll, shift

Step = Function[[int, int, int], None]
"""The kernel of an iteration: first and last block, address of its table of arguments."""

COUNT, LANES, NQ, JOINTS, ATTEMPTS, ITERATIONS, SEEDS, ALL, STOP, ARGUMENTS, CHOICE, FREE, WIDTH = range(13)
"""Places of whole numbers: poses, lanes, coordinates, joints that move, attempts at a pose, iterations of an attempt,
whether every pose has a seed of its own, whether every attempt is kept, a flag that stops the search, the address of
the arguments of the kernel, among how many starts an attempt chooses, the axis about which the frame may turn (-1 for
none); how many there are."""
TURN, SLIDE, DAMPING, UP, DOWN, LEAST, MOST, STALL, BY_TURN, BY_SLIDE, NUMBERS = range(11)
"""Places of numbers: squares of the tolerances, λ to begin with, its factors, its bounds, the part of the cost that an
iteration has to take away, what turns and ways weigh in the choice of a start; how many there are."""
POSE, ATTEMPT, ITERATION, AGAIN, STALLED, STATE = range(6)
"""Of a lane: its pose (-1 for none, -2 before the first) and attempt, iterations done, whether the last step is taken
back, how many iterations in a row took away little; how many numbers that is."""
GOES_ON, FAILED, SUCCEEDED = range(3)
"""How an attempt stands after an iteration."""
SLOW: Final = 6
"""Iterations in a row that take away little, after which an attempt ends."""


def last_attempt(counts: Ints, won: int) -> int:
    """How many attempts at a pose are worth while: those before the one that succeeded, or all."""
    return counts[ATTEMPTS] if counts[ALL] != 0 else min(counts[ATTEMPTS], won)


def take_job(counts: Ints, state: Ints, lane: int, next_pose: Ints, attempts: Ints, won: Ints) -> bool:
    """Give a lane its next attempt, at its own pose, at one that nobody has begun, at another lane's; or False."""
    pose = state[lane * STATE + POSE]
    if pose < 0 or attempts[pose] >= last_attempt(counts, won[pose]):
        pose = -1
        state[lane * STATE + POSE] = -1
        if next_pose[0] < counts[COUNT]:
            pose = next_pose[0]
            next_pose[0] = pose + 1
        else:
            for other in range(counts[LANES]):
                theirs = state[other * STATE + POSE]
                if theirs >= 0 and attempts[theirs] < last_attempt(counts, won[theirs]):
                    pose = theirs
                    break
    if pose < 0:
        return False
    state[lane * STATE + POSE] = pose
    state[lane * STATE + ATTEMPT] = attempts[pose]
    attempts[pose] = attempts[pose] + 1
    return True


def nearest_start(counts: Ints, numbers: Floats, first: int, starts: Floats, goal: Floats) -> int:
    """Of the starts of an attempt, the one whose pose is nearest to the target; the first of equals.

    A row of starts is coordinates of the joints, then twelve numbers: the axes of the pose by rows, its place.
    """
    width = counts[JOINTS] + 12
    best = first
    least = math.inf
    for number in range(first, first + counts[CHOICE]):
        pose = shift(starts, number * width + counts[JOINTS])
        alike = 0.0
        away = 0.0
        for i in range(3):
            if counts[FREE] < 0:
                alike += (
                    pose[3 * i] * goal[3 * i] + pose[3 * i + 1] * goal[3 * i + 1] + pose[3 * i + 2] * goal[3 * i + 2]
                )
            else:
                alike += 2.0 * pose[3 * i + counts[FREE]] * goal[3 * i + counts[FREE]]
            away += (pose[9 + i] - goal[9 + i]) ** 2
        cost = numbers[BY_SLIDE] * away - numbers[BY_TURN] * alike
        if cost < least:
            least = cost
            best = number
    return best


def begin(
    counts: Ints, numbers: Floats, state: Ints, lane: int, seeds: Floats, starts: Floats, places: Ints, targets: Floats,
    q: Floats, target: Floats, damping: Floats, best_cost: Floats,
) -> None:  # fmt: skip
    """Set a lane to the start of its attempt."""
    lanes = counts[LANES]
    nq = counts[NQ]
    pose = state[lane * STATE + POSE]
    attempt = state[lane * STATE + ATTEMPT]
    seed = shift(seeds, pose * nq if counts[SEEDS] != 0 else 0)
    for i in range(nq):
        q[i * lanes + lane] = seed[i]
    if attempt > 0:
        chosen = (attempt - 1) * counts[CHOICE]
        if attempt % 2 == 1:
            # Not always: what is near may all be on the wrong side of a limit.
            chosen = nearest_start(counts, numbers, chosen, starts, shift(targets, pose * 12))
        start = shift(starts, chosen * (counts[JOINTS] + 12))
        for k in range(counts[JOINTS]):
            q[places[k] * lanes + lane] = start[k]
    for i in range(12):
        target[i * lanes + lane] = targets[pose * 12 + i]
    damping[lane] = numbers[DAMPING]
    best_cost[lane] = -1.0
    state[lane * STATE + ITERATION] = 0
    state[lane * STATE + AGAIN] = 0
    state[lane * STATE + STALLED] = 0


def keep(
    counts: Ints, state: Ints, lane: int, success: bool, best_q: Floats, best_cost: Floats, won: Ints, chosen: Ints,
    found: Floats, costs: Floats, iterations: Ints, every: Floats, every_success: Ints,
) -> None:  # fmt: skip
    """Keep what an attempt came to, where it is better than what there is."""
    lanes = counts[LANES]
    nq = counts[NQ]
    pose = state[lane * STATE + POSE]
    attempt = state[lane * STATE + ATTEMPT]
    if counts[ALL] != 0:
        row = pose * counts[ATTEMPTS] + attempt
        for i in range(nq):
            every[row * nq + i] = best_q[i * lanes + lane]
        every_success[row] = 1 if success else 0
    better = False
    if success:
        better = attempt < won[pose]
        if better:
            won[pose] = attempt
    elif won[pose] >= counts[ATTEMPTS]:
        # The order of attempts decides between equals, not the order in which they end.
        earlier = best_cost[lane] == costs[pose] and attempt < chosen[pose]
        better = best_cost[lane] < costs[pose] or costs[pose] < 0.0 or earlier
    if better:
        chosen[pose] = attempt
        costs[pose] = best_cost[lane]
        iterations[pose] = state[lane * STATE + ITERATION]
        for i in range(nq):
            found[pose * nq + i] = best_q[i * lanes + lane]


def judge(
    counts: Ints, numbers: Floats, places: Ints, own: Ints, lane: int, q: Floats, damping: Floats, following: Floats,
    errors: Floats, best_q: Floats, best_cost: Floats,
) -> int:  # fmt: skip
    """Take what the kernel says of a lane: `GOES_ON`, or how its attempt ended.

    Args:
        counts: As for `search`, and so are the others.
        numbers: See there.
        places: See there.
        own: The state of the lane.
        lane: Its number.
        q: See `search`; moved on, or taken back where the last step was no good.
        damping: See there.
        following: See there.
        errors: See there.
        best_q: See there.
        best_cost: See there.
    """
    lanes = counts[LANES]
    nq = counts[NQ]
    success = False
    over = False
    cost = errors[lane]
    own[ITERATION] = own[ITERATION] + 1
    good = own[AGAIN] != 0 or best_cost[lane] < 0.0 or cost < best_cost[lane]
    if good:
        if own[AGAIN] == 0:
            little = best_cost[lane] >= 0.0 and cost > best_cost[lane] * (1.0 - numbers[STALL])
            own[STALLED] = own[STALLED] + 1 if little else 0
            if best_cost[lane] >= 0.0:
                damping[lane] = max(damping[lane] * numbers[DOWN], numbers[LEAST])
            best_cost[lane] = cost
            for i in range(nq):
                best_q[i * lanes + lane] = q[i * lanes + lane]
        own[AGAIN] = 0
        success = errors[lanes + lane] <= numbers[TURN] and errors[2 * lanes + lane] <= numbers[SLIDE]
        moves = False
        for k in range(counts[JOINTS]):
            at = places[k] * lanes + lane
            there = following[k * lanes + lane]
            if abs(there - q[at]) > 1e-15:
                moves = True
            q[at] = there
        over = success or not moves or own[STALLED] >= SLOW
    else:
        damping[lane] = damping[lane] * numbers[UP]
        own[AGAIN] = 1
        for i in range(nq):
            q[i * lanes + lane] = best_q[i * lanes + lane]
        over = not damping[lane] < numbers[MOST]
    if success:
        return SUCCEEDED
    return FAILED if over or own[ITERATION] >= counts[ITERATIONS] else GOES_ON


def search(
    step: Step, counts: Ints, numbers: Floats, places: Ints, targets: Floats, seeds: Floats, starts: Floats,
    q: Floats, target: Floats, damping: Floats, following: Floats, errors: Floats, state: Ints, best_q: Floats,
    best_cost: Floats, next_pose: Ints, attempts: Ints, won: Ints, chosen: Ints, found: Floats, costs: Floats,
    iterations: Ints, every: Floats, every_success: Ints,
) -> int:  # fmt: skip
    """Search for all poses; 0 when done, 1 when stopped.

    Args:
        step: The kernel of an iteration.
        counts: See the places.
        numbers: See the places.
        places: Of the joints in q.
        targets: Twelve numbers a pose.
        seeds: Where the first attempts begin: one row of nq, or one a pose.
        starts: Where the others may, as many rows for each as it chooses among: see `nearest_start`.
        q: Coordinates in lanes, as the kernel takes them.
        target: The same for targets.
        damping: The same for λ.
        following: What the kernel says: the coordinates to go to.
        errors: The same: cost, squares of errors.
        state: Of lanes, see the places.
        best_q: Of lanes: where the last step that was good ended.
        best_cost: Of lanes: its cost; negative before there is one.
        next_pose: One number: the next pose that nobody has begun.
        attempts: Of poses: how many were begun; 0.
        won: Of poses: the attempt that succeeded; the number of all before.
        chosen: Of poses: the attempt whose end is kept.
        found: Of poses: coordinates, rows of nq.
        costs: Of poses: the cost there; negative before there is one.
        iterations: Of poses: how many that attempt took.
        every: Of all attempts: coordinates.
        every_success: Of all attempts: whether they succeeded.
    """
    lanes = counts[LANES]
    nq = counts[NQ]
    for lane in range(lanes):
        state[lane * STATE + POSE] = -2
    while True:
        if poll(counts, STOP) != 0:
            return 1
        busy = 0
        for lane in range(lanes):
            own = shift(state, lane * STATE)
            pose = own[POSE]
            if pose == -1:
                continue
            over = pose < 0 or (own[ATTEMPT] > won[pose] and counts[ALL] == 0)
            if not over:
                end = judge(counts, numbers, places, own, lane, q, damping, following, errors, best_q, best_cost)
                over = end != GOES_ON
                if over and best_cost[lane] >= 0.0:
                    keep(
                        counts, state, lane, end == SUCCEEDED, best_q, best_cost, won, chosen, found, costs, iterations,
                        every, every_success,
                    )  # fmt: skip
            if over and take_job(counts, state, lane, next_pose, attempts, won):
                begin(
                    counts, numbers, state, lane, seeds, starts, places, targets, q, target, damping, best_cost,
                )  # fmt: skip
            elif pose == -2:
                # An idle lane computes something harmless.
                for i in range(nq):
                    q[i * lanes + lane] = seeds[i]
                for i in range(12):
                    target[i * lanes + lane] = targets[i]
                damping[lane] = 1.0
            if own[POSE] >= 0:
                busy += 1
        if busy == 0:
            return 0
        step(0, 1, counts[ARGUMENTS])


FUNCTIONS: Final = (last_attempt, take_job, nearest_start, begin, keep, judge, search)
