"""Impacts in machine code: impulses of all that touch, and crowds of impacts.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._algebra import shortest
from sistel.simulation.contact._looking import gather, look, move_on, row_of, solve_motion
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._trials import CLOSED, smooth, solve_cones, solve_plane
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

CROWDED: Final = 1e-9
"""Time that a crowd of impacts may take to be passed over at once [s]."""
CROWDED_IN_SPACE: Final = 1e-7
"""The same in space [s]: hops of 1e-14 m are near the rounding of the places of corners, and steps may not see them."""
AGAIN: Final = 50
"""Impacts at one instant that may follow from each other."""


def phase(scene: Scene, count: int) -> bool:
    """Solve one phase of an impact."""
    if scene.problem.sides == 1:
        return solve_plane(scene.problem, count, scene.prefer, False)
    return solve_cones(scene.problem, count, scene.prefer, False, scene.swept)


def gained(scene: Scene, n: int, p: Floats) -> float:
    """What impulses add to the energy."""
    energy = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += scene.problem.G[i * n + j] * p[j]
        energy += p[i] * (scene.b[i] + 0.5 * total)
    return energy


def impulses(scene: Scene, count: int) -> bool:
    """Impulses of one impact of elements that touch, from velocities `b`, in `given`; whether they are found."""
    problem = scene.problem
    given = scene.given
    n = count * (1 + problem.sides)
    for i in range(n):
        given[i] = 0.0
    laws = shift(scene.laws, s.LAW * scene.touching[0])
    if count == 1 and problem.clings[0] == 0 and smooth(problem, 0):
        # One smooth contact, by either rule.
        back = 1.0 + laws[s.NEWTON] + laws[s.POISSON]
        given[0] = max(0.0, -back * scene.b[0] / problem.G[0])
        return True
    returns = False
    for i in range(n):
        problem.b[i] = scene.b[i]
    for place in range(count):
        problem.pressed[place] = 0.0
        laws = shift(scene.laws, s.LAW * scene.touching[place])
        returns = returns or laws[s.POISSON] != 0.0
    if returns:
        if not phase(scene, count):
            return False
        most = 0.0
        for i in range(n):
            given[i] = problem.x[i]
        for place in range(count):
            scene.pressed[place] = scene.laws[s.LAW * scene.touching[place] + s.POISSON] * problem.x[place]
            given[place] = problem.x[place] + scene.pressed[place]
            most = max(most, scene.pressed[place])
        # What is only rounding has no friction to give in space, and must not press the other way.
        least = 1e-12 * most if problem.sides == 2 else -math.inf
        for place in range(count):
            problem.pressed[place] = scene.pressed[place] if scene.pressed[place] > least else 0.0
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += problem.G[i * n + j] * given[j]
            problem.b[i] = scene.b[i] + total
    for place in range(count):
        problem.b[place] = problem.b[place] + scene.laws[s.LAW * scene.touching[place] + s.NEWTON] * scene.b[place]
    if not phase(scene, count):
        return False
    for i in range(n):
        given[i] = given[i] + problem.x[i]
    return problem.sides == 1 or within_energy(scene, count)


def within_energy(scene: Scene, count: int) -> bool:
    """Take back what impulses in space gain: Newton's rule with friction may; whether that is possible."""
    problem = scene.problem
    given = scene.given
    n = 3 * count
    if gained(scene, n, given) <= 0.0:
        return True
    for i in range(n):
        problem.b[i] = scene.b[i]
    for place in range(count):
        problem.pressed[place] = 0.0
    if not phase(scene, count):
        return False
    still = problem.x
    if gained(scene, n, still) > 0.0:
        return True
    a = 0.0
    b = 0.0
    c = 0.0
    for i in range(n):
        d = given[i] - still[i]
        one = 0.0
        two = 0.0
        for j in range(n):
            one += problem.G[i * n + j] * (given[j] - still[j])
            two += problem.G[i * n + j] * still[j]
        a += 0.5 * d * one
        b += scene.b[i] * d + still[i] * one
        c += scene.b[i] * still[i] + 0.5 * still[i] * two
    if a + b + c > 0.0:
        root = math.sqrt(b * b + abs(4.0 * (a * c)))
        part = (root - b) / (2.0 * a if a > 0.0 else 1.0)
        for i in range(n):
            given[i] = still[i] + part * (given[i] - still[i])
    return True


def impact(scene: Scene, count: int, rest: float) -> bool:
    """Impulses of all elements that touch in `total`, the velocities after in `later`; whether there are such."""
    data = scene.data
    counts = scene.counts
    sides = counts[s.SIDES]
    r = counts[s.ELEMENTS] * (1 + sides)
    nv = counts[s.RATES]
    n = count * (1 + sides)
    for i in range(r):
        scene.total[i] = 0.0
        scene.u[i] = data.u[i]
    gather(scene, data, scene.touching, count)
    for _ in range(AGAIN):
        into = False
        for place in range(count):
            into = into or scene.u[scene.touching[place]] < -rest
        if not into:
            loss = 0.0
            for i in range(r):
                loss += scene.total[i] * (data.u[i] + scene.u[i])
                if scene.total[i] != 0.0:
                    for j in range(nv):
                        at = counts[s.FIRST_RATE] + j
                        scene.later[at] = scene.later[at] + data.P[i * nv + j] * scene.total[i]
            scene.numbers[s.LOSS] = -0.5 * loss
            return True
        for i in range(n):
            scene.b[i] = scene.u[row_of(scene, scene.touching, count, i)]
        if not impulses(scene, count):
            return False
        for i in range(n):
            row = row_of(scene, scene.touching, count, i)
            scene.total[row] = scene.total[row] + scene.given[i]
        for i in range(r):
            total = 0.0
            for j in range(r):
                total += data.G[i * r + j] * scene.total[j]
            scene.u[i] = data.u[i] + total
    return False


def lasts(scene: Scene, i: int) -> float:
    """How long the hops of an element that has just struck go on [s]; infinite where they do not crowd."""
    a = scene.data.a[i]
    if a >= 0.0:
        return math.inf
    speeds = shift(scene.new_speeds, s.SPEEDS * i)
    ratio = math.inf
    if scene.new_strikes[i] == s.SPEEDS:
        worst = 0.0
        for j in range(s.SPEEDS - 1):
            worst = max(worst, speeds[j + 1] / speeds[j])
        if worst < 1.0:
            ratio = speeds[s.SPEEDS - 1] / speeds[s.SPEEDS - 2]
    if ratio == math.inf and scene.counts[s.SIDES] == 2:
        # Corners of one body throw each other up: their hops become shorter, but not one by one.
        ratio = scene.laws[s.LAW * i + s.RESTITUTION]
    return 2.0 * scene.data.u[i] / -a / (1.0 - ratio) if ratio < 1.0 else math.inf


def rows_of_crowd(scene: Scene, closed: int, slow: float) -> int:
    """The rows whose velocities end with a crowd, in `rows`: all normals, and slips no faster than `slow`; how many.

    The directions of the other slips are in `slipping`.
    """
    data = scene.data
    k = scene.counts[s.ELEMENTS]
    sides = scene.counts[s.SIDES]
    n = closed
    for i in range(sides * k):
        scene.slipping[i] = 0.0
    for place in range(closed):
        i = scene.chosen[place]
        scene.rows[place] = i
        scene.next[i] = CLOSED + STICK
    for place in range(closed):
        i = scene.chosen[place]
        own = shift(scene.elements, s.ELEMENT * i)
        square = 0.0
        for side in range(own[s.TANGENTS]):
            square += data.u[k * (1 + side) + i] * data.u[k * (1 + side) + i]
        speed = math.sqrt(square)
        for side in range(own[s.TANGENTS]):
            if speed <= slow or own[s.CLINGS] != 0:
                scene.rows[n] = k * (1 + side) + i
                n += 1
            else:
                scene.slipping[sides * i + side] = data.u[k * (1 + side) + i] / speed
    return n


def drag_of(scene: Scene, i: int) -> float:
    """The coefficient of friction of the slip that an element has."""
    backwards = scene.slipping[scene.counts[s.SIDES] * i] < 0.0
    return scene.laws[s.LAW * i + (s.BACK if backwards else s.FRICTION)]


def push_crowd(scene: Scene, n: int) -> None:
    """Take away the velocities of `rows` in the state `later`, with friction against the slips that go on."""
    counts = scene.counts
    data = scene.data
    problem = scene.problem
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    r = k * (1 + sides)
    nv = counts[s.RATES]
    for j in range(n):
        i = scene.rows[j]
        problem.right[j] = -data.u[i]
        for c in range(n):
            problem.A[c * n + j] = data.G[scene.rows[c] * r + i]
            if i < k:
                for side in range(sides):
                    drag = drag_of(scene, i) * scene.slipping[sides * i + side]
                    problem.A[c * n + j] -= drag * data.G[scene.rows[c] * r + k * (1 + side) + i]
    shortest(problem.A, n, n, problem.right, 1e-12, problem.x, problem.room, problem.order)
    for j in range(n):
        i = scene.rows[j]
        for c in range(nv):
            part = data.P[i * nv + c]
            if i < k:
                for side in range(sides):
                    drag = drag_of(scene, i) * scene.slipping[sides * i + side]
                    part -= drag * data.P[(k * (1 + side) + i) * nv + c]
            scene.later[counts[s.FIRST_RATE] + c] = scene.later[counts[s.FIRST_RATE] + c] + part * problem.x[j]


def crowd(tables: Tables, scene: Scene, count: int, rest: float) -> None:
    """Go to the limit of impacts that crowd together, where that is near: the state `later`, and what is there."""
    data = scene.data
    sides = scene.counts[s.SIDES]
    nv = scene.counts[s.RATES]
    size = tables.counts[t.SIZE]
    most = CROWDED if sides == 1 else CROWDED_IN_SPACE
    left = 0.0
    closed = 0
    slow = 0.0
    for place in range(count):
        i = scene.touching[place]
        ends = lasts(scene, i) if data.u[i] > rest else 0.0
        if ends <= most:  # what hops higher hops on, whatever the others do
            left = max(left, ends)
            scene.chosen[closed] = i
            slow = max(slow, 10.0 * abs(data.u[i]))
            closed += 1
    if left == 0.0 or scene.later[size - 1] + left > tables.numbers[_steps.UNTIL]:
        return
    # The contacts push as if they were closed, less what the velocities of the last hop spare them; slips that are no
    # faster than these end as well.
    push_crowd(scene, rows_of_crowd(scene, closed, slow))
    look(tables, scene, scene.later, False)
    found = solve_motion(scene, data, closed, scene.next)
    for c in range(nv):
        total = data.free[c]
        if found:
            for j in range(closed * (1 + sides)):
                total += data.P[row_of(scene, scene.chosen, closed, j) * nv + c] * scene.problem.x[j]
        scene.first[c] = total
        scene.free[c] = total
    move_on(tables, scene, left)
    look(tables, scene, scene.later, False)


def remember(scene: Scene, i: int, speed: float) -> None:
    """Keep in mind how fast an element strikes."""
    own = shift(scene.new_speeds, s.SPEEDS * i)
    count = scene.new_strikes[i]
    if count == s.SPEEDS:
        for j in range(s.SPEEDS - 1):
            own[j] = own[j + 1]
        count -= 1
    own[count] = speed
    scene.new_strikes[i] = count + 1


FUNCTIONS: Final = (
    phase,
    gained,
    impulses,
    within_energy,
    impact,
    lasts,
    rows_of_crowd,
    drag_of,
    push_crowd,
    crowd,
    remember,
)
