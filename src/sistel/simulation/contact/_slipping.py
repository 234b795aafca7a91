"""Slips in machine code: which there are, and where those in space end.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, PLUS, SLOWEST, STICK
from sistel.kernels.subset import Ints, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._holding import stop_rows
from sistel.simulation.contact._looking import look, move_on, row_of, slides, solve_motion
from sistel.simulation.contact._scene import Data, Scene
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

START: Final = 1e-8
"""Time that a slip in space is given to find its direction [s]: what it neglects is of second order in it."""


def find_slips(scene: Scene, count: int, statuses: Ints, held: bool, rest: float) -> bool:
    """Directions of the slips of elements that touch and do not part; whether there are any.

    Args:
        scene: The elements; `still` are those that touch, `ended` says which have just stopped.
        count: How many of them.
        statuses: What they did until now.
        held: Whether those that held still do.
        rest: Velocity that counts as none [m/s].
    """
    data = scene.data
    k = scene.counts[s.ELEMENTS]
    sides = scene.counts[s.SIDES]
    for i in range(sides * k):
        scene.slipping[i] = 0.0
    for i in range(k):
        scene.speed[i] = -1.0
    slips = False
    for place in range(count):
        i = scene.still[place]
        own = shift(scene.elements, s.ELEMENT * i)
        status = statuses[i]
        one = data.u[k + i]
        two = data.u[2 * k + i] if sides == 2 else 0.0
        speed = math.sqrt(one * one + two * two) if sides == 2 else abs(one)
        # In space a slip without a speed worth the name has no direction either.
        least = max(rest, SLOWEST) if own[s.TANGENTS] == 2 else rest
        sticks = (status >= CLOSED or own[s.NORMAL] < 0) and held and status % CLOSED == STICK
        if speed > least and not sticks and scene.ended[i] == 0:
            scene.slipping[sides * i] = one / speed
            if sides == 2:
                scene.slipping[sides * i + 1] = two / speed
            scene.speed[i] = speed
            slips = True
    if sides == 1 or not slips:
        return slips
    # What holds its point, and with it those of the same body, lets none of them slip on.
    for i in range(k):
        scene.slow[i] = 0
    for place in range(count):
        i = scene.still[place]
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.speed[i] < 0.0:
            scene.slow[i] = 1
    with_them(scene, scene.still, count)
    slips = False
    for i in range(k):
        if scene.speed[i] >= 0.0 and scene.slow[i] != 0:
            scene.slipping[2 * i] = 0.0
            scene.slipping[2 * i + 1] = 0.0
        slips = slips or scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
    return slips


def with_them(scene: Scene, chosen: Ints, count: int) -> None:
    """Add to `slow` those slips that end with them: a body that three of its points hold has none at the fourth."""
    data = scene.data
    problem = scene.problem
    k = scene.counts[s.ELEMENTS]
    r = 3 * k
    most = 1e3 * SLOWEST
    slowest = math.inf
    some = False
    for i in range(k):
        some = some or scene.slow[i] != 0
        if scene.speed[i] >= 0.0:
            slowest = min(slowest, scene.speed[i])
    if not some or slowest > most:
        return
    n = 0
    for place in range(count):
        if scene.elements[s.ELEMENT * chosen[place] + s.NORMAL] >= 0:
            scene.rows[n] = chosen[place]
            n += 1
    for i in range(k):
        if scene.slow[i] != 0:
            scene.rows[n] = k + i
            scene.rows[n + 1] = 2 * k + i
            n += 2
    stop_rows(scene, scene.rows, n, 1e-10)
    for i in range(k):
        if scene.slow[i] == 0 and 0.0 <= scene.speed[i] <= most:
            one = data.u[k + i]
            two = data.u[2 * k + i]
            for j in range(n):
                one += data.G[(k + i) * r + scene.rows[j]] * problem.x[j]
                two += data.G[(2 * k + i) * r + scene.rows[j]] * problem.x[j]
            if math.sqrt(one * one + two * two) <= 0.1 * scene.speed[i]:
                scene.slow[i] = 1


def slips_now(scene: Scene, statuses: Ints) -> int:
    """Choose what is closed, with the directions and speeds of its slips in space; how many are chosen."""
    data = scene.data
    k = scene.counts[s.ELEMENTS]
    chosen = 0
    for i in range(k):
        scene.ended[i] = 0
        scene.speed[i] = -1.0
        scene.wish[i] = statuses[i]
        scene.slipping[2 * i] = 0.0
        scene.slipping[2 * i + 1] = 0.0
        grip = statuses[i] % CLOSED
        if statuses[i] >= CLOSED or scene.elements[s.ELEMENT * i + s.NORMAL] < 0:
            scene.chosen[chosen] = i
            chosen += 1
            one = data.u[k + i]
            two = data.u[2 * k + i]
            speed = math.sqrt(one * one + two * two)
            if slides(grip) and speed > 0.0:
                scene.slipping[2 * i] = one / speed
                scene.slipping[2 * i + 1] = two / speed
                if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2:
                    scene.speed[i] = speed
    return chosen


def stick_together(scene: Scene, statuses: Ints, chosen: int) -> bool:
    """Whether the chosen elements can move on with all slips in `slow` at rest."""
    for i in range(scene.counts[s.ELEMENTS]):
        scene.wish[i] = statuses[i]
        if scene.slow[i] != 0:
            scene.wish[i] = (CLOSED if statuses[i] >= CLOSED else 0) + STICK
            scene.slipping[2 * i] = 0.0
            scene.slipping[2 * i + 1] = 0.0
    found = solve_motion(scene, scene.data, chosen, scene.wish)
    for place in range(chosen):
        if scene.slow[scene.chosen[place]] != 0 and scene.problem.statuses[place] != CLOSED + STICK:
            found = False
    return found


def stop_with(scene: Scene, statuses: Ints, chosen: int, index: int) -> None:
    """Find the slips that stop with one, in `slow`."""
    k = scene.counts[s.ELEMENTS]
    # Of those that are nearly as slow, as few as possible are taken that can stick together.
    more = SLOWEST
    found = False
    tried = -1
    while not found and more <= 1.5e3 * SLOWEST:
        slow = 0
        for i in range(k):
            here = scene.speed[i] >= 0.0 and (i == index or scene.speed[i] <= more)
            scene.slow[i] = 1 if here else 0
            slow += scene.slow[i]
        if slow != tried:
            tried = slow
            found = stick_together(scene, statuses, chosen)
        more = more * 10.0
    for i in range(k):
        if not found:
            scene.slow[i] = 1 if i == index else 0
    for place in range(chosen):
        i = scene.chosen[place]
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.speed[i] < 0.0:
            scene.slow[i] = 1
    with_them(scene, scene.chosen, chosen)


def time_to_stop(scene: Scene) -> float:
    """Time in which the slips in `slow` come nearest to rest with the forces `x` [s]; they are `ended`."""
    data = scene.data
    k = scene.counts[s.ELEMENTS]
    r = 3 * k
    square = 0.0
    along = 0.0
    for i in range(k):
        scene.ended[i] = 1 if scene.speed[i] >= 0.0 and scene.slow[i] != 0 else 0
        if scene.ended[i] != 0:
            for side in range(2):
                row = k * (1 + side) + i
                w = data.a[row]
                for j in range(r):
                    w += data.G[row * r + j] * scene.x[j]
                square += w * w
                along += data.u[row] * w
    return -along / square if square > 0.0 else 0.0


def stop(tables: Tables, scene: Scene, statuses: Ints, index: int) -> None:
    """Follow a slip in space to its end, where it is about to stop: `ended` are all that stop with it.

    The state `later`, and what is there, is that at the end.
    """
    data = scene.data
    r = 3 * scene.counts[s.ELEMENTS]
    nv = scene.counts[s.RATES]
    chosen = slips_now(scene, statuses)
    if scene.speed[index] > 2.0 * SLOWEST:
        return  # only its direction is another one
    scene.ended[index] = 1
    if not solve_motion(scene, data, chosen, scene.wish):
        return
    for i in range(r):
        scene.x[i] = 0.0
    for j in range(3 * chosen):
        scene.x[row_of(scene, scene.chosen, chosen, j)] = scene.problem.x[j]
    stop_with(scene, statuses, chosen, index)
    left = time_to_stop(scene)
    end = scene.later[tables.counts[t.SIZE] - 1] + left
    if not 0.0 < left < 1e3 * START or end > tables.numbers[_steps.UNTIL]:
        return
    for c in range(nv):
        total = data.free[c]
        for j in range(r):
            total += data.P[j * nv + c] * scene.x[j]
        scene.first[c] = total
        scene.free[c] = total
    move_on(tables, scene, left)
    look(tables, scene, scene.later, False)


def nearly_still(tables: Tables, scene: Scene, count: int, rest: float) -> None:
    """Follow slips in space that are about to stop to their end, and find what slips then."""
    k = scene.counts[s.ELEMENTS]
    slowest = -1
    least = 2.0 * SLOWEST
    for place in range(count):
        i = scene.still[place]
        one = scene.data.u[k + i]
        two = scene.data.u[2 * k + i]
        speed = math.sqrt(one * one + two * two)
        slow = scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and speed > 1e-3 * SLOWEST
        if slow and (speed < least or (speed == least and slowest < 0)):
            least = speed
            slowest = i
    if slowest < 0:
        return
    for i in range(k):
        scene.now[i] = scene.statuses[i]
    for place in range(count):
        i = scene.still[place]
        tangents = scene.elements[s.ELEMENT * i + s.TANGENTS]
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0:
            one = scene.data.u[k + i]
            two = scene.data.u[2 * k + i]
            speed = math.sqrt(one * one + two * two)
            moves = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
            moves = moves or (tangents == 2 and 1e-3 * SLOWEST < speed <= 1e3 * SLOWEST)
            scene.now[i] = CLOSED + (PLUS if moves else STICK if tangents > 0 else FREE)
    stop(tables, scene, scene.now, slowest)
    find_slips(scene, count, scene.now, True, rest)


def fades(scene: Scene, data: Data, least: float) -> bool:
    """Whether something would slide in space so slowly that it has no direction any more."""
    k = scene.counts[s.ELEMENTS]
    for i in range(k):
        if scene.next[i] == CLOSED + PLUS and scene.elements[s.ELEMENT * i + s.TANGENTS] == 2:
            one = data.u[k + i]
            two = data.u[2 * k + i]
            if math.sqrt(one * one + two * two) <= least:
                return True
    return False


def set_ways(scene: Scene) -> None:
    """Directions of slips in space, which the block p has as well."""
    for i in range(scene.counts[s.ELEMENTS]):
        at = scene.elements[s.ELEMENT * i + s.WAY]
        if at >= 0:
            scene.p[at] = scene.ways[2 * i]
            scene.p[at + 1] = scene.ways[2 * i + 1]


FUNCTIONS: Final = (
    find_slips,
    with_them,
    slips_now,
    stick_together,
    stop_with,
    time_to_stop,
    stop,
    nearly_still,
    fades,
    set_ways,
)
