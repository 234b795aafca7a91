"""What passages look at: the numbers of a state, the problem that some elements pose there, and its solution.

Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK, WAYS
from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._scene import Data, Scene
from sistel.simulation.contact._trials import (
    CLOSED,
    Problem,
    follow,
    smooth,
    solve_cones,
    solve_plane,
    try_cones,
    try_plane,
)
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

WAYS_FROM: Final = min(WAYS)
WAYS_TO: Final = max(WAYS)
"""What slides lies between them."""


def look(tables: Tables, scene: Scene, y: Floats, here: bool) -> None:
    """What the problems at a state are made of."""
    counts = scene.counts
    for i in range(tables.counts[t.SIZE]):
        scene.y[i] = y[i]
    if counts[s.CHOOSE] != 0:
        last = tables.counts[t.SIZE] - 1
        scene.y[last] = y[last] + s.SOON * abs(y[last])
    tables.kernel_at(counts[s.LOOK], 0, 1, counts[s.HERE_ARGUMENTS] if here else counts[s.LOOK_ARGUMENTS])


def largest_size(scene: Scene, data: Data) -> float:
    """The largest sum of the terms of a velocity."""
    most = 0.0
    for i in range(scene.counts[s.ELEMENTS] * (1 + scene.counts[s.SIDES])):
        most = max(most, data.size[i])
    return most


def row_of(scene: Scene, chosen: Ints, count: int, place: int) -> int:
    """The row of a place in a problem: normals first, then all first tangents, then all second ones."""
    return scene.counts[s.ELEMENTS] * (place // count) + chosen[place % count]


def gather(scene: Scene, data: Data, chosen: Ints, count: int) -> None:
    """Make a problem of some elements: responses, and what the elements are."""
    problem = scene.problem
    n = count * (1 + problem.sides)
    r = scene.counts[s.ELEMENTS] * (1 + problem.sides)
    for i in range(n):
        row = shift(data.G, row_of(scene, chosen, count, i) * r)
        own = shift(problem.G, i * n)
        for j in range(n):
            own[j] = row[row_of(scene, chosen, count, j)]
    for place in range(count):
        i = chosen[place]
        problem.friction[place] = scene.laws[s.LAW * i + s.FRICTION]
        problem.back[place] = scene.laws[s.LAW * i + s.BACK]
        problem.clings[place] = scene.elements[s.ELEMENT * i + s.CLINGS]
        problem.bare[place] = 1 if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 else 0
        problem.pressed[place] = 0.0
        for side in range(problem.sides):
            problem.ways[problem.sides * place + side] = 0.0


def move_on(tables: Tables, scene: Scene, h: float) -> None:
    """Bring the state `later` a short time on, with accelerations that go straight from `first` to `free`."""
    counts = scene.counts
    nq = counts[s.FIRST_RATE]
    size = tables.counts[t.SIZE]
    for i in range(size):
        scene.y[i] = scene.later[i]
    for j in range(counts[s.RATES]):
        scene.y[nq + j] = scene.later[nq + j] + h * (scene.first[j] / 3.0 + scene.free[j] / 6.0)
        scene.later[nq + j] = scene.later[nq + j] + 0.5 * h * (scene.first[j] + scene.free[j])
    tables.kernel_at(counts[s.MOVE], 0, 1, counts[s.MOVE_ARGUMENTS])
    for i in range(nq):
        scene.y[i] = scene.later[i] + 0.5 * h * scene.rates[i]
    tables.kernel_at(counts[s.MOVE], 0, 1, counts[s.MOVE_ARGUMENTS])
    for i in range(nq):
        scene.later[i] = scene.later[i] + h * scene.rates[i]
    scene.later[size - 1] = scene.later[size - 1] + h


def gather_motion(scene: Scene, data: Data, count: int) -> None:
    """Make a problem of the accelerations of the chosen elements."""
    problem = scene.problem
    gather(scene, data, scene.chosen, count)
    for i in range(count * (1 + problem.sides)):
        problem.b[i] = data.a[row_of(scene, scene.chosen, count, i)]
    for place in range(count):
        problem.pressed[place] = data.bound[scene.chosen[place]]


def prefer_statuses(scene: Scene, count: int, prefer: Ints) -> None:
    """Give the problem of the chosen elements the statuses that are preferred, and the slips that there are."""
    problem = scene.problem
    sides = problem.sides
    for place in range(count):
        i = scene.chosen[place]
        status = prefer[i]
        scene.prefer[place] = status - MINUS + PLUS if sides == 2 and status % CLOSED == MINUS else status
        for side in range(sides):
            problem.ways[sides * place + side] = scene.slipping[sides * i + side]


def status_at_rest(problem: Problem, place: int) -> int:
    """The status of what rests on its surface without pushing: it counts as closed."""
    sides = problem.sides
    status = FREE if smooth(problem, place) and problem.clings[place] == 0 else STICK
    if status == STICK and problem.clings[place] == 0:
        way = problem.ways[sides * place]
        if way != 0.0 or (sides == 2 and problem.ways[sides * place + 1] != 0.0):
            status = PLUS if sides == 2 or way > 0.0 else MINUS
    return CLOSED + status


def close_resting(scene: Scene, count: int) -> bool:
    """Close what rests on its surface without pushing; whether there is such. All statuses before are kept."""
    problem = scene.problem
    rests = False
    for place in range(count):
        scene.kept_statuses[place] = problem.statuses[place]
        quiet = problem.statuses[place] == FREE and problem.bare[place] == 0
        if quiet and abs(problem.w[place]) <= ROUNDING * problem.size[place]:
            rests = True
            problem.statuses[place] = status_at_rest(problem, place)
    return rests


def try_closed(scene: Scene, count: int) -> None:
    """Take the solution with what rests closed, where there is one; else the one before, with its statuses."""
    problem = scene.problem
    sides = problem.sides
    n = count * (1 + sides)
    for i in range(n):
        scene.kept_x[i] = problem.x[i]
    for i in range(sides * count):
        scene.kept_ways[i] = problem.found[i]
    if sides == 1:
        if try_plane(problem, count):
            return
    elif try_cones(problem, count, False, False):
        return
    for i in range(n):
        problem.x[i] = scene.kept_x[i]
    for i in range(sides * count):
        problem.found[i] = scene.kept_ways[i]
    for place in range(count):
        problem.statuses[place] = scene.kept_statuses[place]
    follow(problem, n)


def solve_motion(scene: Scene, data: Data, count: int, prefer: Ints) -> bool:
    """Forces, statuses and directions of slips of the chosen elements, of all of which some statuses are preferred."""
    problem = scene.problem
    gather_motion(scene, data, count)
    prefer_statuses(scene, count, prefer)
    if problem.sides == 1:
        if not solve_plane(problem, count, scene.prefer, True):
            return False
    elif not solve_cones(problem, count, scene.prefer, True, scene.swept):
        return False
    follow(problem, count * (1 + problem.sides))
    if close_resting(scene, count):
        try_closed(scene, count)
    return True


def hangs(problem: Problem, count: int) -> bool:
    """Whether something in the plane rests on its surface without pushing, though it is not closed."""
    if problem.sides != 1:
        return False
    for place in range(count):
        quiet = problem.statuses[place] == FREE and problem.bare[place] == 0
        if quiet and abs(problem.w[place]) <= ROUNDING * problem.size[place]:
            return True
    return False


def slides(grip: int) -> bool:
    """Whether something slides."""
    return WAYS_FROM <= grip <= WAYS_TO


def go_ahead(tables: Tables, scene: Scene, table: Floats) -> None:
    """Series of the motion from the state `later` on with the block p."""
    if scene.counts[s.CHOOSE] != 0:
        for i in range(tables.counts[t.SIZE]):
            scene.y[i] = scene.later[i]
        tables.kernel_at(scene.counts[s.CHOOSE], 0, 1, scene.counts[s.CHOOSE_ARGUMENTS])
    tables.flow_at(tables.plans[t.FLOW], scene.later, scene.p, table, tables.scratch)
    tables.counts[t.KNOWN] = t.FORESEEN if scene.counts[s.CHOOSE] == 0 else 1


FUNCTIONS: Final = (
    look,
    largest_size,
    row_of,
    gather,
    move_on,
    gather_motion,
    prefer_statuses,
    status_at_rest,
    close_resting,
    try_closed,
    solve_motion,
    hangs,
    go_ahead,
    slides,
)
