"""What elements do next: the solution of their problem, and the statuses that it gives them.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, SLOWEST, STICK
from sistel.kernels.subset import shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._beginning import begin_slips, give_time, slips_anew
from sistel.simulation.contact._holding import hold
from sistel.simulation.contact._looking import hangs, look, slides, solve_motion
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._slipping import set_ways
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables


def decide_statuses(scene: Scene, count: int) -> float:
    """What elements do next, from the solution of their problem.

    Where slips in space begin: in which time they are so fast that they count; else 0 [s].
    """
    begins = 0.0
    problem = scene.problem
    counts = scene.counts
    sides = problem.sides
    for place in range(count):
        i = scene.chosen[place]
        status = problem.statuses[place]
        grip = status % CLOSED
        moves = False
        slips = False
        for side in range(sides):
            j = count * (1 + side) + place
            moves = moves or abs(problem.w[j]) > ROUNDING * problem.size[j]
            slips = slips or scene.slipping[sides * i + side] != 0.0
            scene.x[counts[s.ELEMENTS] * (1 + side) + i] = problem.x[j]
        scene.x[i] = problem.x[place]
        bare = problem.bare[place] != 0
        if sides == 2:
            for side in range(2):
                scene.ways[2 * i + side] = problem.found[2 * place + side]
            alone = scene.elements[s.ELEMENT * i + s.TANGENTS] == 1
            if alone and grip == PLUS and problem.found[2 * place] < 0.0:
                status = status - PLUS + MINUS
        # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
        if slides(grip) and not slips and not moves and (status >= CLOSED or bare):
            status = (CLOSED if status >= CLOSED else 0) + STICK
        scene.next[i] = status
        if sides == 2 and slips_anew(scene, i):
            one = problem.w[count + place]
            two = problem.w[2 * count + place]
            begins = max(begins, 10.0 * SLOWEST / max(math.sqrt(one * one + two * two), 1e-300))
    return begins


def start_slips(tables: Tables, scene: Scene, count: int, attempt: int, gone: float, begins: float) -> None:
    """Let slips in space begin: `later` is the state after their first moment, or about, MOMENT_LENGTH its length.

    Args:
        tables: Those of the loop.
        scene: The elements.
        count: Those that take part.
        attempt: 0 where the problem was that of the state itself.
        gone: Time to where it was instead [s].
        begins: Time in which slips are so fast that they count [s].
    """
    k = scene.counts[s.ELEMENTS]
    r = 3 * k
    for i in range(r):
        scene.own_x[i] = scene.x[i]
        total = scene.data.a[i] if attempt == 0 else scene.here.a[i]
        for j in range(r):
            total += (scene.data.G[i * r + j] if attempt == 0 else scene.here.G[i * r + j]) * scene.x[j]
        scene.all_w[i] = total
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = scene.start[i]
    give_time(tables, scene, count, gone, begins)
    look(tables, scene, scene.later, True)
    for place in range(count):
        i = scene.chosen[place]
        if slips_anew(scene, i):
            # What has not come off the ground by then is held: others slip first.
            faster = set_slip(scene, i)
            scene.next[i] = CLOSED + (PLUS if faster else STICK)
    for i in range(tables.counts[t.SIZE]):
        scene.moved[i] = scene.later[i]
    length = begin_slips(tables, scene, count)
    scene.numbers[s.MOMENT_LENGTH] = length
    if length > 0.0:
        look(tables, scene, scene.later, True)
        for place in range(count):
            if scene.next[scene.chosen[place]] == CLOSED + PLUS:
                set_slip(scene, scene.chosen[place])
    else:
        for i in range(tables.counts[t.SIZE]):
            scene.later[i] = scene.moved[i]
    for i in range(r):
        scene.x[i] = scene.own_x[i]


def set_slip(scene: Scene, i: int) -> bool:
    """The direction of a slip in space at `here`; whether it has one."""
    k = scene.counts[s.ELEMENTS]
    one = scene.here.u[k + i]
    two = scene.here.u[2 * k + i]
    speed = math.sqrt(one * one + two * two)
    scene.ways[2 * i] = one / speed if speed > SLOWEST else 0.0
    scene.ways[2 * i + 1] = two / speed if speed > SLOWEST else 0.0
    return speed > SLOWEST


def stand_of(scene: Scene) -> int:
    """The number of the statuses `next` among those that are known; -1 where they are not."""
    k = scene.counts[s.ELEMENTS]
    for stand in range(scene.counts[s.KNOWN]):
        own = shift(scene.stands, stand * (k + s.STAND))
        same = True
        for i in range(k):
            if own[i] != scene.next[i]:
                same = False
                break
        if same:
            return stand
    return -1


def choose(scene: Scene, count: int) -> int:
    """Choose those of the elements that do not part which have something to decide; how many."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    chosen = 0
    for i in range(k):
        scene.next[i] = FREE
        scene.struck[i] = 0
    for place in range(count):
        i = scene.still[place]
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 and scene.data.G[(k + i) * r + k + i] <= 0.0:
            scene.struck[i] = 1  # what the structure holds anyway has nothing to decide
        else:
            scene.chosen[chosen] = i
            chosen += 1
    return chosen


def next_statuses(scene: Scene, chosen: int, attempt: int) -> float:
    """Decide what elements do next, from the state itself at the first attempt, else from `here`.

    -1 where there is no solution; else see `decide_statuses` for the answer.
    """
    k = scene.counts[s.ELEMENTS]
    sides = scene.counts[s.SIDES]
    for i in range(k):
        scene.next[i] = STICK if scene.struck[i] != 0 else FREE
    for i in range(k * (1 + sides)):
        scene.x[i] = 0.0
    for i in range(sides * k):
        scene.ways[i] = scene.slipping[i]
    if chosen == 0:
        return 0.0
    if attempt == 0:
        if not solve_motion(scene, scene.data, chosen, scene.statuses):
            return -1.0
    elif not solve_motion(scene, scene.here, chosen, scene.statuses):
        return -1.0
    if hangs(scene.problem, chosen):
        return -1.0  # what shares the load with what is for Python to say
    return decide_statuses(scene, chosen)


def take_stand(scene: Scene) -> int:
    """Fill the block p for the statuses `next`; which statuses these are, -1 for Python."""
    stand = stand_of(scene)
    if stand < 0:
        scene.counts[s.ASKED] = 1
        return -1
    if not hold(scene, stand):
        return -1
    if scene.counts[s.SIDES] == 2:
        set_ways(scene)
    return stand


FUNCTIONS: Final = (
    decide_statuses,
    start_slips,
    set_slip,
    stand_of,
    choose,
    next_statuses,
    take_stand,
)
