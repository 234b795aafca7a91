"""Passages of contacts without the interpreter: what strikes, the impact, what all elements do next, and on.

What `_contacts` decides in Python is decided here for the usual cases, on the same numbers and by the same rules; where
a case is not usual (a set of statuses that was not met before, crowds of impacts, the beginning and the end of slips in
space, no solution) nothing is changed, and Python is asked. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, SLOWEST, STICK, TOUCHING, WAYS
from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact import _trials
from sistel.simulation.contact._algebra import shortest
from sistel.simulation.contact._scene import Data, Scene
from sistel.simulation.contact._trials import (
    CLOSED,
    follow,
    solve_cones,
    solve_plane,
    try_cones,
    try_plane,
)
from sistel.simulation.taylor import _loop
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._loop import propagate
from sistel.simulation.taylor.tables import Tables

RESTING: Final = 1e-11
"""Part of the terms of velocities now that counts as none."""
SLOW: Final = 1e-13
"""Part of the largest velocity that contacts have had at events that counts as none."""
DEEP: Final = 1e-6
"""How far beyond its surface a point, or a joint beyond its stop, shows that an impact was missed [m or rad]."""
CROWDED: Final = 1e-9
"""Time that a crowd of impacts may take to be passed over at once [s]."""
CROWDED_IN_SPACE: Final = 1e-7
"""The same in space [s]: hops of 1e-14 m are near the rounding of the places of corners, and steps may not see them."""
AGAIN: Final = 50
"""Impacts at one instant that may follow from each other."""
DEPENDENT: Final = 1e-10
"""Part of a row of G that others leave of it, below which it follows from them."""
AHEAD: Final = 1e-3
"""Part of the radius of convergence at which undecided cases are looked at."""
SLOWEST_HOP: Final = 1e-7
"""Velocity from which on a hop is surely seen [m/s]."""
LOWEST_HOP: Final = 1e-22
"""Height of a hop, four times over, that is not seen [m]: see `NOWHERE` of the steps."""
MOST_AT_ONCE: Final = 100
"""Passages at one instant that count as chattering."""
START: Final = 1e-8
"""Time that a slip in space is given to find its direction [s]: what it neglects is of second order in it."""
WAYS_FROM: Final = min(WAYS)
WAYS_TO: Final = max(WAYS)
"""What slides lies between them."""
ATTEMPTS: Final = 4
"""Looks ahead, and one more."""


def look(tables: Tables, scene: Scene, y: Floats, here: bool) -> None:
    """What the problems at a state are made of."""
    counts = scene.counts
    for i in range(tables.counts[t.SIZE]):
        scene.y[i] = y[i]
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
        problem.clings[place] = scene.elements[s.ELEMENT * i + s.CLINGS]
        problem.bare[place] = 1 if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 else 0
        problem.pressed[place] = 0.0
        for side in range(problem.sides):
            problem.ways[problem.sides * place + side] = 0.0


# --- impacts ---------------------------------------------------------------------------------------------------------


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
    if count == 1 and problem.clings[0] == 0 and problem.friction[0] == 0.0:
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


def crowd(tables: Tables, scene: Scene, count: int, rest: float) -> None:
    """Go to the limit of impacts that crowd together, where that is near: the state `later`, and what is there."""
    counts = scene.counts
    data = scene.data
    problem = scene.problem
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    r = k * (1 + sides)
    nv = counts[s.RATES]
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
    for j in range(n):
        i = scene.rows[j]
        problem.right[j] = -data.u[i]
        for c in range(n):
            problem.A[c * n + j] = data.G[scene.rows[c] * r + i]
            if i < k:
                for side in range(sides):
                    drag = scene.laws[s.LAW * i + s.FRICTION] * scene.slipping[sides * i + side]
                    problem.A[c * n + j] -= drag * data.G[scene.rows[c] * r + k * (1 + side) + i]
    shortest(problem.A, n, n, problem.right, 1e-12, problem.x, problem.room, problem.order)
    for j in range(n):
        i = scene.rows[j]
        for c in range(nv):
            part = data.P[i * nv + c]
            if i < k:
                for side in range(sides):
                    drag = scene.laws[s.LAW * i + s.FRICTION] * scene.slipping[sides * i + side]
                    part -= drag * data.P[(k * (1 + side) + i) * nv + c]
            scene.later[counts[s.FIRST_RATE] + c] = scene.later[counts[s.FIRST_RATE] + c] + part * problem.x[j]
    look(tables, scene, scene.later, False)
    found = solve_motion(scene, data, closed, scene.next)
    for c in range(nv):
        total = data.free[c]
        if found:
            for j in range(closed * (1 + sides)):
                total += data.P[row_of(scene, scene.chosen, closed, j) * nv + c] * problem.x[j]
        scene.free[c] = total
    move_on(tables, scene, left)
    look(tables, scene, scene.later, False)


def move_on(tables: Tables, scene: Scene, h: float) -> None:
    """Bring the state `later` a short time on, with accelerations `free` that stay."""
    counts = scene.counts
    nq = counts[s.FIRST_RATE]
    size = tables.counts[t.SIZE]
    for i in range(size):
        scene.y[i] = scene.later[i]
    for j in range(counts[s.RATES]):
        scene.y[nq + j] = scene.later[nq + j] + h * (scene.free[j] / 3.0 + scene.free[j] / 6.0)
        scene.later[nq + j] = scene.later[nq + j] + 0.5 * h * (scene.free[j] + scene.free[j])
    tables.kernel_at(counts[s.MOVE], 0, 1, counts[s.MOVE_ARGUMENTS])
    for i in range(nq):
        scene.y[i] = scene.later[i] + 0.5 * h * scene.rates[i]
    tables.kernel_at(counts[s.MOVE], 0, 1, counts[s.MOVE_ARGUMENTS])
    for i in range(nq):
        scene.later[i] = scene.later[i] + h * scene.rates[i]
    scene.later[size - 1] = scene.later[size - 1] + h


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


# --- what holds ------------------------------------------------------------------------------------------------------


def reduced(scene: Scene, rows: Ints, count: int) -> int:
    """Of rows, those that the others follow from, in `fewer`; how many. What all carry goes to these, and to `share`.

    -1 where no room is left for that.
    """
    data = scene.data
    counts = scene.counts
    r = counts[s.ELEMENTS] * (1 + counts[s.SIDES])
    nv = counts[s.RATES]
    every = counts[s.ROWS]
    made = scene.product
    kept = 0
    for i in range(count):
        scene.fewer[i] = rows[i]
    if count < 2:
        return count
    for i in range(count):
        row = shift(data.G, scene.places[rows[i]] * r)
        part = shift(made, kept * every)
        left = row[scene.places[rows[i]]]
        whole = left
        for n in range(kept):
            other = shift(made, n * every)
            total = row[scene.places[scene.fewer[n]]]
            for j in range(n):
                total -= other[j] * part[j]
            part[n] = total / other[n]
            left -= part[n] * part[n]
        if left > DEPENDENT * whole:
            part[kept] = math.sqrt(left)
            scene.fewer[kept] = rows[i]
            kept += 1
    if kept == count:
        return count
    # What the others carry, in proportion to what normals carry.
    if kept > nv:
        return -1
    problem = scene.problem
    for j in range(nv):
        total = 0.0
        for i in range(count):
            total += data.P[scene.places[rows[i]] * nv + j] * scene.wanted[rows[i]]
        problem.right[j] = total
        for i in range(kept):
            problem.A[j * kept + i] = data.P[scene.places[scene.fewer[i]] * nv + j]
    shortest(problem.A, nv, kept, problem.right, 1e-11, problem.x, problem.room, problem.order)
    lack = problem.size
    for i in range(every):
        lack[i] = 0.0
        for j in range(every):
            scene.change[i * every + j] = 1.0 if i == j else 0.0
    for i in range(count):
        lack[rows[i]] = scene.wanted[rows[i]]
        for j in range(every):
            scene.change[rows[i] * every + j] = 0.0
    square = 0.0
    normals = False
    for i in range(kept):
        own = scene.fewer[i]
        lack[own] = lack[own] - problem.x[i]
        scene.change[own * every + own] = 1.0
        if is_normal(scene, own) and problem.x[i] != 0.0:
            normals = True
    for i in range(kept):
        if not normals or is_normal(scene, scene.fewer[i]):
            square += problem.x[i] * problem.x[i]
    if square > 0.0:
        for i in range(kept):
            if not normals or is_normal(scene, scene.fewer[i]):
                for j in range(every):
                    at = j * every + scene.fewer[i]
                    scene.change[at] = scene.change[at] + lack[j] * problem.x[i] / square
    for i in range(every):
        for j in range(every):
            total = 0.0
            for n in range(every):
                total += scene.share[i * every + n] * scene.change[n * every + j]
            made[i * every + j] = total
    for i in range(every * every):
        scene.share[i] = made[i]
    for i in range(count):
        scene.wanted[rows[i]] = 0.0
    for i in range(kept):
        scene.wanted[scene.fewer[i]] = problem.x[i]
    return kept


def is_normal(scene: Scene, row: int) -> bool:
    """Whether a row of the layout is a normal."""
    return scene.places[row] < scene.counts[s.ELEMENTS]


def hold(scene: Scene, stand: int) -> bool:
    """Fill the block p for the statuses `next` with forces `x`; whether that can be done here."""
    counts = scene.counts
    every = counts[s.ROWS]
    elements = scene.elements
    parts = counts[s.PARTS]
    template = shift(scene.numbers_of, stand * parts)
    for i in range(parts):
        scene.p[i] = template[i]
    for row in range(every):
        scene.wanted[row] = scene.x[scene.places[row]]
    for i in range(every):
        for j in range(every):
            scene.share[i * every + j] = 1.0 if i == j else 0.0
    held = 0
    some = 0
    less = False
    for place in range(counts[s.ELEMENTS]):
        i = scene.groups[2 * place]
        own = shift(elements, s.ELEMENT * i)
        status = scene.next[i]
        if status >= CLOSED and own[s.NORMAL] >= 0:
            scene.some[some] = own[s.NORMAL]
            some += 1
        if status % CLOSED == STICK and (status >= CLOSED or own[s.NORMAL] < 0):
            for side in range(own[s.TANGENTS]):
                scene.some[some] = own[s.TANGENT] + side
                some += 1
        last = place + 1 == counts[s.ELEMENTS] or scene.groups[2 * place + 3] != scene.groups[2 * place + 1]
        if last and some > 0:
            left = reduced(scene, scene.some, some)
            if left < 0:
                return False
            less = less or left < some
            for j in range(left):
                scene.kept[held + j] = scene.fewer[j]
            held += left
            some = 0
    left = reduced(scene, scene.kept, held)
    if left < 0:
        return False
    less = less or left < held
    if not less:
        return True
    for row in range(every):
        scene.p[row] = 0.0
    for j in range(left):
        scene.p[scene.fewer[j]] = 1.0
    if counts[s.SHARE] >= 0:
        for i in range(every * every):
            scene.p[counts[s.SHARE] + i] = scene.share[i]
    for leaf in range(counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        if own[s.KIND] == 0 and scene.next[i] >= CLOSED:
            row = elements[s.ELEMENT * i + s.NORMAL]
            carries = scene.p[row] != 0.0
            for j in range(every):
                carries = carries or scene.share[row * every + j] != 0.0
            scene.p[own[s.PLACE]] = 0.0 if carries else 1.0
            scene.p[own[s.PLACE] + 2] = 1.0 if carries else 0.0
            # More of one body push than it takes to hold it: the run is told once, by Python.
            if scene.p[row] == 0.0 and elements[s.ELEMENT * i + s.PUSHES] != 0 and counts[s.TOLD] == 0:
                return False
    return True


def settle_rows(scene: Scene) -> None:
    """Take away the velocities of the rows that hold, to rounding."""
    data = scene.data
    counts = scene.counts
    problem = scene.problem
    r = counts[s.ELEMENTS] * (1 + counts[s.SIDES])
    nv = counts[s.RATES]
    n = 0
    moves = False
    for row in range(counts[s.ROWS]):
        if scene.p[row] != 0.0:
            scene.kept[n] = scene.places[row]
            moves = moves or data.u[scene.places[row]] != 0.0
            n += 1
    if n == 0 or not moves:
        return
    for i in range(n):
        problem.right[i] = -data.u[scene.kept[i]]
        for j in range(n):
            problem.A[i * n + j] = data.G[scene.kept[i] * r + scene.kept[j]]
    shortest(problem.A, n, n, problem.right, 1e-14, problem.x, problem.room, problem.order)
    for j in range(nv):
        total = 0.0
        for i in range(n):
            total += data.P[scene.kept[i] * nv + j] * problem.x[i]
        scene.later[counts[s.FIRST_RATE] + j] = scene.later[counts[s.FIRST_RATE] + j] + total


# --- what elements do next -------------------------------------------------------------------------------------------


def solve_motion(scene: Scene, data: Data, count: int, prefer: Ints) -> bool:
    """Forces, statuses and directions of slips of the chosen elements, of all of which some statuses are preferred."""
    problem = scene.problem
    sides = problem.sides
    n = count * (1 + sides)
    gather(scene, data, scene.chosen, count)
    for i in range(n):
        problem.b[i] = data.a[row_of(scene, scene.chosen, count, i)]
    for place in range(count):
        i = scene.chosen[place]
        problem.pressed[place] = scene.laws[s.LAW * i + s.PRESSED]
        status = prefer[i]
        scene.prefer[place] = status - MINUS + PLUS if sides == 2 and status % CLOSED == MINUS else status
        for side in range(sides):
            problem.ways[sides * place + side] = scene.slipping[sides * i + side]
    if sides == 1:
        if not solve_plane(problem, count, scene.prefer, True):
            return False
    elif not solve_cones(problem, count, scene.prefer, True, scene.swept):
        return False
    follow(problem, n)
    rests = False
    for place in range(count):
        scene.kept_statuses[place] = problem.statuses[place]
        quiet = problem.statuses[place] == FREE and problem.bare[place] == 0
        if quiet and abs(problem.w[place]) <= ROUNDING * problem.size[place]:
            # What rests on its surface without pushing counts as closed.
            rests = True
            status = FREE if problem.friction[place] == 0.0 and problem.clings[place] == 0 else STICK
            if status == STICK and problem.clings[place] == 0:
                way = problem.ways[sides * place]
                if way != 0.0 or (sides == 2 and problem.ways[sides * place + 1] != 0.0):
                    status = PLUS if sides == 2 or way > 0.0 else MINUS
            problem.statuses[place] = CLOSED + status
    if not rests:
        return True
    for i in range(n):
        scene.kept_x[i] = problem.x[i]
    for i in range(sides * count):
        scene.kept_ways[i] = problem.found[i]
    if sides == 1:
        if try_plane(problem, count):
            return True
    elif try_cones(problem, count, False, False):
        return True
    for i in range(n):
        problem.x[i] = scene.kept_x[i]
    for i in range(sides * count):
        problem.found[i] = scene.kept_ways[i]
    for place in range(count):
        problem.statuses[place] = scene.kept_statuses[place]
    follow(problem, n)
    return True


def decide_statuses(scene: Scene, count: int) -> bool:
    """What elements do next, from the solution of their problem; not where a slip in space begins."""
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
            if bare and grip == PLUS and problem.found[2 * place] < 0.0:
                status = MINUS
        # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
        if slides(grip) and not slips and not moves and (status >= CLOSED or bare):
            status = (CLOSED if status >= CLOSED else 0) + STICK
        scene.next[i] = status
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and status == CLOSED + PLUS and not slips:
            return False
    return True


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


def undecided(tables: Tables, scene: Scene, table: Floats) -> bool:
    """Whether the motion would end as soon as it begins; then `y` is the state that it comes to a moment later."""
    counts = tables.counts
    size = counts[t.SIZE]
    order = counts[t.ORDER]
    stride = counts[t.STRIDE]
    worst = 0.0
    for i in range(size - 1):
        worst = max(worst, abs(table[i * stride + order]) / max(abs(table[i * stride]), 1.0))
    radius = min(1.0, math.pow(max(worst, 1e-300), -1.0 / float(order))) if worst > 0.0 else 1.0
    h = AHEAD * radius
    first = size + scene.counts[s.FIRST_WATCHED]
    found = False
    for leaf in range(scene.counts[s.LEAVES]):
        row = shift(table, (first + leaf) * stride)
        change = 0.0
        for back in range(order):
            change = (change + row[order - back]) * h
        if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
            found = True
    if found:
        for i in range(size):
            row = shift(table, i * stride)
            total = row[order]
            for back in range(order):
                total = total * h + row[order - 1 - back]
            scene.y[i] = total
    return found


def hides(tables: Tables, scene: Scene, table: Floats) -> bool:
    """Whether something open that touches is inside its surface, or would strike again before that could be seen."""
    stride = tables.counts[t.STRIDE]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        if own[s.KIND] == 0 and touches_slowly(scene, i):
            row = shift(table, (first + leaf) * stride)
            if row[0] < -t.NEAR:
                return True
            if row[0] <= t.NEAR:
                falls = row[1] < -t.NEAR
                if row[2] < 0.0:
                    falls = falls or row[1] <= t.NEAR or row[1] * row[1] <= LOWEST_HOP * -row[2]
                if falls and row[1] >= -SLOWEST_HOP:
                    return True
    return False


def touches_slowly(scene: Scene, i: int) -> bool:
    """Whether an element is open, touches, and does not surely leave."""
    if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 or scene.next[i] >= CLOSED or scene.data.gap[i] > TOUCHING:
        return False
    return scene.data.gap[i] < -t.NEAR or scene.data.u[i] <= SLOWEST_HOP


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
    for i in range(n):
        problem.right[i] = -data.u[scene.rows[i]]
        for j in range(n):
            problem.A[i * n + j] = data.G[scene.rows[i] * r + scene.rows[j]]
    shortest(problem.A, n, n, problem.right, 1e-10, problem.x, problem.room, problem.order)
    for i in range(k):
        if scene.slow[i] == 0 and 0.0 <= scene.speed[i] <= most:
            one = data.u[k + i]
            two = data.u[2 * k + i]
            for j in range(n):
                one += data.G[(k + i) * r + scene.rows[j]] * problem.x[j]
                two += data.G[(2 * k + i) * r + scene.rows[j]] * problem.x[j]
            if math.sqrt(one * one + two * two) <= 0.1 * scene.speed[i]:
                scene.slow[i] = 1


def stop(tables: Tables, scene: Scene, statuses: Ints, index: int) -> None:
    """Follow a slip in space to its end, where it is about to stop: `ended` are all that stop with it.

    The state `later`, and what is there, is that at the end.
    """
    data = scene.data
    problem = scene.problem
    counts = scene.counts
    k = counts[s.ELEMENTS]
    r = 3 * k
    nv = counts[s.RATES]
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
    if scene.speed[index] > 2.0 * SLOWEST:
        return  # only its direction is another one
    scene.ended[index] = 1
    if not solve_motion(scene, data, chosen, scene.wish):
        return
    for i in range(r):
        scene.x[i] = 0.0
    for j in range(3 * chosen):
        scene.x[row_of(scene, scene.chosen, chosen, j)] = problem.x[j]
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
            for i in range(k):
                scene.wish[i] = statuses[i]
                if scene.slow[i] != 0:
                    scene.wish[i] = (CLOSED if statuses[i] >= CLOSED else 0) + STICK
                    scene.slipping[2 * i] = 0.0
                    scene.slipping[2 * i + 1] = 0.0
            found = solve_motion(scene, data, chosen, scene.wish)
            for place in range(chosen):
                if scene.slow[scene.chosen[place]] != 0 and problem.statuses[place] != CLOSED + STICK:
                    found = False
        more = more * 10.0
    for i in range(k):
        if not found:
            scene.slow[i] = 1 if i == index else 0
    for place in range(chosen):
        i = scene.chosen[place]
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.speed[i] < 0.0:
            scene.slow[i] = 1
    with_them(scene, scene.chosen, chosen)
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
    left = -along / square if square > 0.0 else 0.0
    end = scene.later[tables.counts[t.SIZE] - 1] + left
    if not 0.0 < left < 1e3 * START or end > tables.numbers[_steps.UNTIL]:
        return
    for c in range(nv):
        total = data.free[c]
        for j in range(r):
            total += data.P[j * nv + c] * scene.x[j]
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


def give_way(tables: Tables, scene: Scene, table: Floats) -> None:
    """Watch what is open and touches in space a little lower, see `Motions._give_way`."""
    lower = 0.0
    k = scene.counts[s.ELEMENTS]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    for i in range(k):
        if scene.next[i] >= CLOSED:
            lower = max(lower, abs(scene.data.gap[i]))
    lower = min(3e-13, 2.0 * lower)
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        gap = scene.data.gap[i]
        if own[s.KIND] == 0 and scene.next[i] < CLOSED and gap <= TOUCHING and max(lower, -gap) > 1e-16:
            more = max(scene.p[own[s.PLACE]] + lower, -gap)
            if scene.p[own[s.PLACE]] == 0.0:
                # The series of a watched function that is computed already begins with this number, and nothing else.
                table[(first + leaf) * tables.counts[t.STRIDE]] += more
            else:
                tables.counts[t.KNOWN] = 0
            scene.p[own[s.PLACE]] = more


def same_numbers(scene: Scene) -> bool:
    """Whether the block p is what it was at the last look."""
    same = True
    for i in range(scene.counts[s.PARTS]):
        same = same and scene.p[i] == scene.last[i]
    return same


def slides(grip: int) -> bool:
    """Whether something slides."""
    return WAYS_FROM <= grip <= WAYS_TO


def motion(tables: Tables, scene: Scene, count: int, table: Floats) -> int:
    """What elements that touch and do not part do from the state `later` on; which statuses that are, -1 for Python.

    The flow from there on is in the table where KNOWN says so.
    """
    counts = scene.counts
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    r = k * (1 + sides)
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
    for i in range(tables.counts[t.SIZE]):
        scene.start[i] = scene.later[i]
    tables.counts[t.KNOWN] = 0
    stand = -1
    for attempt in range(ATTEMPTS):
        for i in range(k):
            scene.next[i] = STICK if scene.struck[i] != 0 else FREE
        for i in range(r):
            scene.x[i] = 0.0
        for i in range(sides * k):
            scene.ways[i] = scene.slipping[i]
        if chosen > 0:
            if attempt == 0:
                if not solve_motion(scene, scene.data, chosen, scene.statuses):
                    return -1
            elif not solve_motion(scene, scene.here, chosen, scene.statuses):
                return -1
            if not decide_statuses(scene, chosen):
                return -1
        stand = stand_of(scene)
        if stand < 0:
            counts[s.ASKED] = 1
            return -1
        if not hold(scene, stand):
            return -1
        if sides == 2:
            set_ways(scene)
        if attempt > 0 and same_numbers(scene):
            break  # what was looked at decides nothing else, and so would the next look
        for i in range(tables.counts[t.SIZE]):
            scene.later[i] = scene.start[i]
        settle_rows(scene)
        if attempt + 1 == ATTEMPTS or chosen == 0:
            tables.counts[t.KNOWN] = 0
            break
        go_ahead(tables, scene, table)
        if not undecided(tables, scene, table):
            break
        tables.kernel_at(counts[s.LOOK], 0, 1, counts[s.HERE_ARGUMENTS])
        for i in range(counts[s.PARTS]):
            scene.last[i] = scene.p[i]
    near = False
    for i in range(k):
        near = near or touches_slowly(scene, i)
    if near:
        if tables.counts[t.KNOWN] == 0:
            go_ahead(tables, scene, table)
        if hides(tables, scene, table):
            return -1
    if sides == 2:
        if fades(scene):
            return -1
        give_way(tables, scene, table)
    return stand


def fades(scene: Scene) -> bool:
    """Whether something would slide in space so slowly that it has no direction any more."""
    k = scene.counts[s.ELEMENTS]
    for i in range(k):
        if scene.next[i] == CLOSED + PLUS and scene.elements[s.ELEMENT * i + s.TANGENTS] == 2:
            one = scene.data.u[k + i]
            two = scene.data.u[2 * k + i]
            if math.sqrt(one * one + two * two) <= 2.0 * SLOWEST:
                return True
    return False


def set_ways(scene: Scene) -> None:
    """Directions of slips in space, which the block p has as well."""
    for i in range(scene.counts[s.ELEMENTS]):
        at = scene.elements[s.ELEMENT * i + s.WAY]
        if at >= 0:
            scene.p[at] = scene.ways[2 * i]
            scene.p[at + 1] = scene.ways[2 * i + 1]


def go_ahead(tables: Tables, scene: Scene, table: Floats) -> None:
    """Series of the motion from the state `later` on with the block p."""
    if scene.counts[s.CHOOSE] != 0:
        for i in range(tables.counts[t.SIZE]):
            scene.y[i] = scene.later[i]
        tables.kernel_at(scene.counts[s.CHOOSE], 0, 1, scene.counts[s.CHOOSE_ARGUMENTS])
    tables.flow_at(tables.plans[t.FLOW], scene.later, scene.p, table, tables.scratch)
    tables.counts[t.KNOWN] = t.FORESEEN if scene.counts[s.CHOOSE] == 0 else 1


# --- one passage -----------------------------------------------------------------------------------------------------


def look_back(tables: Tables, scene: Scene, alone: int) -> float:
    """The largest velocity that elements have had at events, with those of strikes that were taken since the last."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    fastest = scene.numbers[s.FASTEST]
    response = 0.0
    for i in range(r):
        response = max(response, scene.data.G[i * r + i])
    for event in range(alone):
        note = shift(tables.log, event * tables.counts[t.LOG] + 2)
        square = 0.0
        for i in range(6):
            square += note[i] * note[i]
        fastest = max(fastest, math.sqrt(square) * response)
    return max(fastest, largest_size(scene, scene.data))


def decide(tables: Tables, scene: Scene, leaf: int, alone: int) -> bool:
    """What follows where a watched function of an element ends a motion; whether it is decided, else nothing is done.

    Args:
        tables: Those of the loop, at the end of the motion.
        scene: The elements.
        leaf: Of their watched functions, the one that ended it.
        alone: Strikes that the loop has taken by itself since the last passage.
    """
    counts = scene.counts
    data = scene.data
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    size = tables.counts[t.SIZE]
    before = counts[s.NOW]
    if counts[s.OPEN_WAYS] == 0:
        return False
    own = shift(scene.stands, before * (k + s.STAND))
    for i in range(k):
        scene.statuses[i] = own[i]
    for i in range(size):
        scene.later[i] = tables.y[i]
    look(tables, scene, tables.y, False)
    for i in range(k):
        scene.ended[i] = 0
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and data.gap[i] < -DEEP:
            return False  # it has gone through
    whose = scene.leaves[s.LEAF * leaf + s.WHOSE]
    grip = scene.statuses[whose] % CLOSED
    if scene.leaves[s.LEAF * leaf + s.KIND] != 0 and slides(grip):
        if scene.elements[s.ELEMENT * whose + s.TANGENTS] == 2:
            stop(tables, scene, scene.statuses, whose)
        else:
            scene.ended[whose] = 1
    fastest = look_back(tables, scene, alone)
    rest = max(RESTING * largest_size(scene, data), SLOW * fastest)
    closed = 0
    strikes = False
    for i in range(k):
        scene.new_strikes[i] = scene.strikes[i]
        for j in range(s.SPEEDS):
            scene.new_speeds[s.SPEEDS * i + j] = scene.speeds[s.SPEEDS * i + j]
        touches = scene.statuses[i] >= CLOSED or data.gap[i] <= TOUCHING
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and touches:
            scene.touching[closed] = i
            closed += 1
            if data.u[i] < -rest and scene.statuses[i] < CLOSED:
                strikes = True
                remember(scene, i, -data.u[i])
    scene.numbers[s.LOSS] = 0.0
    for i in range(k * (1 + sides)):
        scene.total[i] = 0.0
    if strikes:
        if not impact(scene, closed, rest):
            return False
        look(tables, scene, scene.later, False)
        crowd(tables, scene, closed, rest)
    still = 0
    for place in range(closed):
        i = scene.touching[place]
        if data.u[i] <= rest or (scene.statuses[i] >= CLOSED and not strikes):
            scene.still[still] = i
            still += 1
    for i in range(k):
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0:
            scene.still[still] = i
            still += 1
    moves = find_slips(scene, still, scene.statuses, not strikes, rest)
    if sides == 2:
        if moves:
            nearly_still(tables, scene, still, rest)
        for place in range(still):
            i = scene.still[place]
            slips = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
            if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.statuses[i] >= CLOSED and not slips:
                scene.statuses[i] = CLOSED + STICK
    width = size * tables.counts[t.STRIDE] if tables.counts[t.RECORD] != 0 else 0
    after = motion(tables, scene, still, shift(tables.coefficients, tables.counts[t.STEPS] * width))
    if after < 0 or strikes_again(tables, scene, fastest):
        return False
    at_once = counts[s.AT_ONCE] + 1 if scene.later[size - 1] == scene.numbers[s.MOMENT] else 0
    if at_once > MOST_AT_ONCE:
        return False
    # From here on it is decided.
    counts[s.AT_ONCE] = at_once
    scene.numbers[s.MOMENT] = scene.later[size - 1]
    scene.numbers[s.FASTEST] = fastest
    for i in range(k):
        scene.strikes[i] = scene.new_strikes[i]
        for j in range(s.SPEEDS):
            scene.speeds[s.SPEEDS * i + j] = scene.new_speeds[s.SPEEDS * i + j]
    same = own[k] == scene.stands[after * (k + s.STAND) + k]
    if strikes or not same:
        write_down(tables, scene, leaf, before, after, alone)
    begin(tables, scene, after, same)
    return True


def strikes_again(tables: Tables, scene: Scene, fastest: float) -> bool:
    """Whether something open goes through its surface at once."""
    k = scene.counts[s.ELEMENTS]
    if scene.counts[s.SURFACES] < 2:
        return False
    touches = False
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        touches = touches or (there and scene.data.gap[i] <= TOUCHING)
    if not touches:
        return False
    look(tables, scene, scene.later, True)
    rest = max(RESTING * largest_size(scene, scene.here), SLOW * fastest)
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        if there and scene.here.gap[i] <= TOUCHING and -scene.here.u[i] > max(rest, SLOWEST_HOP):
            return True
    return False


def write_down(tables: Tables, scene: Scene, leaf: int, before: int, after: int, event: int) -> None:
    """Write an event down: its time, its loss of energy, the impulses of the elements that have some."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    note = shift(tables.log, event * tables.counts[t.LOG])
    note[0] = scene.later[size - 1]
    note[1] = scene.numbers[s.LOSS]
    mask = 0
    bit = 1
    at = 2
    for i in range(k):
        some = False
        for part in range(1 + scene.counts[s.SIDES]):
            some = some or scene.total[k * part + i] != 0.0
        if some:
            for j in range(6):
                total = 0.0
                for part in range(1 + scene.counts[s.SIDES]):
                    row = k * part + i
                    total += scene.total[row] * scene.data.axes[6 * row + j]
                note[at + j] = total
            at += 6
            mask += bit
        bit = bit * 2
    code = leaf + 1
    for _ in range(s.NAMES):
        code = code * 2
    code += before
    for _ in range(s.NAMES):
        code = code * 2
    code += after
    for _ in range(s.MASK):
        code = code * 2
    tables.marks[2 * event] = code + mask
    tables.marks[2 * event + 1] = tables.counts[t.STEPS]
    tables.counts[t.EVENTS] = event + 1


def begin(tables: Tables, scene: Scene, after: int, same: bool) -> None:
    """Stand at the beginning of a motion with other statuses."""
    counts = scene.counts
    k = counts[s.ELEMENTS]
    counts[s.NOW] = after
    counts[s.DECIDED] = counts[s.DECIDED] + 1
    for i in range(tables.counts[t.SIZE]):
        tables.y[i] = scene.later[i]
    for i in range(counts[s.PARTS]):
        tables.parameters[i] = scene.p[i]
        scene.live[i] = scene.p[i]
    for row in range(counts[s.ROWS]):
        tables.results[counts[s.HELD] + row] = scene.p[row]
    if counts[s.BASE] != 0:
        tables.kernel_at(counts[s.BASE], 0, 1, counts[s.BASE_ARGUMENTS])
    if counts[s.FIND] != 0:
        tables.kernel_at(counts[s.FIND], 0, 1, counts[s.FIND_ARGUMENTS])
    opened = scene.stands[after * (k + s.STAND) + k + 1] != 0
    for leaf in range(counts[s.LEAVES]):
        strike = scene.leaves[s.LEAF * leaf + s.STRIKE]
        tables.exits[(counts[s.WRITTEN] + leaf) * t.EXIT + t.PASSAGE] = strike if opened else 0
    tables.counts[t.ENTERING] = 1
    tables.counts[t.AT_ONCE] = 0
    tables.counts[t.RETURNED] = 1 if same else 0
    tables.numbers[t.LAST] = 0.0
    tables.numbers[t.LAST_BUT_ONE] = 0.0


def travel(tables: Tables, scene: Scene) -> int:
    """Move on from passage to passage, beginning with one that waits; see `propagate` for the answer."""
    counts = tables.counts
    own = scene.counts
    room = counts[t.EVENT_ROOM]
    waits = own[s.ASKED] != 0
    events = own[s.WAITING] if waits else 0
    answer = t.NEW_PASSAGE
    goes_on = True
    while goes_on:
        steps = counts[t.STEPS]
        counts[t.EVENTS] = own[s.SINCE] if waits else 0
        counts[t.EVENT_ROOM] = room - events
        # Of events before a passage the loop knows nothing, as where it begins.
        part = Tables(
            flow_at=tables.flow_at,
            kernel_at=tables.kernel_at,
            plans=tables.plans,
            exits=tables.exits,
            words=tables.words,
            kinds=tables.kinds,
            directions=tables.directions,
            switches=tables.switches,
            counts=counts,
            numbers=tables.numbers,
            weights=tables.weights,
            y=tables.y,
            parameters=tables.parameters,
            scratch=tables.scratch,
            results=tables.results,
            times=tables.times,
            coefficients=tables.coefficients,
            which=tables.which,
            log=shift(tables.log, events * counts[t.LOG]),
            marks=shift(tables.marks, 2 * events),
            zeros=tables.zeros,
            signs=tables.signs,
            work=tables.work,
        )
        if not waits:
            answer = propagate(part)
        if counts[t.RECORD] != 0:
            for step in range(steps, counts[t.STEPS]):
                tables.which[step] = own[s.NOW]
        own[s.SINCE] = counts[t.EVENTS]
        own[s.WAITING] = events
        own[s.ASKED] = 0
        leaf = counts[t.LEAVING] - own[s.WRITTEN]
        goes_on = False
        if (answer == t.NEW_PASSAGE or answer == t.NO_PASSAGE) and counts[t.OPEN] >= 0 and leaf >= 0:
            row = shift(scene.leaves, s.LEAF * leaf)
            opened = scene.stands[own[s.NOW] * (own[s.ELEMENTS] + s.STAND) + own[s.ELEMENTS] + 1] != 0
            # A strike alone is compiled when it first happens.
            new = opened and row[s.ALONE] != 0 and row[s.STRIKE] == 0
            goes_on = not new and decide(part, scene, leaf, own[s.SINCE])
        waits = False
        events += counts[t.EVENTS]
    counts[t.EVENTS] = events
    counts[t.EVENT_ROOM] = room
    return answer


FUNCTIONS: Final = (
    *_loop.FUNCTIONS,
    *_trials.FUNCTIONS,
    look,
    largest_size,
    row_of,
    gather,
    phase,
    gained,
    impulses,
    within_energy,
    impact,
    lasts,
    crowd,
    move_on,
    remember,
    reduced,
    is_normal,
    hold,
    settle_rows,
    solve_motion,
    decide_statuses,
    stand_of,
    undecided,
    hides,
    touches_slowly,
    find_slips,
    with_them,
    stop,
    nearly_still,
    give_way,
    same_numbers,
    slides,
    motion,
    fades,
    set_ways,
    go_ahead,
    look_back,
    decide,
    strikes_again,
    write_down,
    begin,
    travel,
)
