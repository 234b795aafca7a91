"""Which contacts push, hold and slide: statuses are exchanged where a law is broken, all at once, then by lot.

The problem is the same for forces and accelerations and for impulses and velocities: a contact pushes or parts, holds
within its cone of friction or slides against it. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK
from sistel.kernels.subset import shift
from sistel.simulation.plane import _equations, _pivots
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, IDLE, follow, follows, forces, is_heap, joined, nudge, response
from sistel.simulation.plane._pivots import LITTLE, SHIFT, lemke
from sistel.simulation.plane.tables import World

PATIENCE: Final = 10
"""Exchanges of all at once that may not make it better."""
WORST: Final = 25
"""Exchanges of what is worst among neighbours, at first."""
FEW_WORSE: Final = 2
"""Of these, how many in a heap may leave as much wrong as there was: sweeps cost a tenth of an exchange there."""
SWEEPS: Final = 100
"""Rounds over all contacts, each of which is given what its laws ask for, at first."""
FIRST_SWEEPS, MORE_SWEEPS, FEW = 60, 5, 10
"""Rounds of the first sweeps in a heap, how often they are doubled, and exchanges after each."""
SETTLED: Final = 1e-13
"""Part of the largest velocity or acceleration by which sweeps that have settled still change any."""
CROWDED: Final = 60
"""Contacts of circles beyond which slow hops are left out, and searches end sooner."""
MOST_PIVOTS: Final = 300
"""Contacts up to which Lemke's method has room."""
LOOSE, LOOSE_IN_HEAPS = 1.1e-7, 1.1e-5
NEAREST: Final = 1e-12
"""Which part of the largest velocity or acceleration may count as zero then: the most, that where sweeps have led to
the statuses of a heap, and what is tried first."""
TURNS: Final = 6
"""How often these are doubled."""


def held(world: World, i: int, pushes: bool) -> int:
    """What a contact does that pushes or not, as long as nothing else is known of it."""
    element = shift(world.elements, t.ELEMENT * world.kinds[t.KINDS * world.chosen[i] + t.OWNER])
    base = CLOSED if pushes else 0
    if not pushes and world.back[i] <= 0.0:
        return FREE
    if element[t.CLINGS] != 0:
        return base + STICK
    if element[t.GRIPS] == 0:
        return base + FREE
    if world.way[i] != 0.0:
        return base + (PLUS if world.way[i] > 0.0 else MINUS)
    return base + STICK


def whose_of(world: World, i: int) -> int:
    """The element of a contact of the problem."""
    return world.kinds[t.KINDS * world.chosen[i] + t.OWNER]


def find_wrong(world: World, most: float) -> int:
    """Which contacts break their laws, and what they should do instead, in `wrong`; how many there are."""
    count = world.counts[t.ROWS]
    least = world.numbers[t.FLOOR]
    for i in range(count):
        world.right[i] = 0.0
    for i in range(count):
        # What a contact may hold for those that follow it.
        whose = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
        if world.state[i] % CLOSED == STICK and world.leader[i] >= 0:
            bound = world.laws[t.LAW * whose + t.FRICTION] * (world.x_n[i] + world.back[i])
            world.right[world.leader[i]] = world.right[world.leader[i]] + bound
    found = 0
    for i in range(count):
        state = world.state[i]
        grip = state % CLOSED
        world.wrong[i] = -1
        light = world.bodies[t.BODY * world.body_a[i] + t.LIGHT] + world.bodies[t.BODY * world.body_b[i] + t.LIGHT]
        slack = ROUNDING * most + least / light
        if state >= CLOSED:
            if world.x_n[i] < -slack:
                world.wrong[i] = held(world, i, False)
        elif world.w_n[i] < -(ROUNDING * world.size[i] + least):
            world.wrong[i] = held(world, i, True)
            if world.wrong[i] % CLOSED == STICK and world.laws[t.LAW * whose_of(world, i) + t.FRICTION] > 0.0:
                # What closes while it slides would jam if it stuck.
                world.wrong[i] = CLOSED + (PLUS if world.w_t[i] > 0.0 else MINUS)
        if world.wrong[i] < 0:
            element = shift(world.elements, t.ELEMENT * world.kinds[t.KINDS * world.chosen[i] + t.OWNER])
            if state >= IDLE:
                if abs(world.w_t[i]) > ROUNDING * world.size[i] + least:
                    world.wrong[i] = state - IDLE
            elif grip == STICK and element[t.CLINGS] == 0 and world.leader[i] == i:
                if abs(world.x_t[i]) > world.right[i] + slack:
                    world.wrong[i] = state - STICK + (MINUS if world.x_t[i] > 0.0 else PLUS)
            elif grip >= PLUS and world.way[i] == 0.0:
                ahead = world.w_t[i] if grip == PLUS else -world.w_t[i]
                if ahead < -(ROUNDING * world.size[i] + least):
                    world.wrong[i] = state - grip + STICK
        if world.wrong[i] >= 0:
            found += 1
    return found


def breach(world: World, i: int) -> float:
    """How far a contact is from what its laws ask for, as an acceleration or velocity."""
    light = world.bodies[t.BODY * world.body_a[i] + t.LIGHT] + world.bodies[t.BODY * world.body_b[i] + t.LIGHT]
    state = world.state[i]
    if state < CLOSED:
        return -world.w_n[i]
    if world.wrong[i] < CLOSED:
        return -world.x_n[i] * light
    if state % CLOSED == STICK and state < IDLE:
        return (abs(world.x_t[i]) - world.right[i]) * light
    return abs(world.w_t[i])


def exchange_worst(world: World, limit: int) -> bool:
    """Exchange statuses of contacts that break their laws more than their neighbours do, until all are kept; whether.

    From statuses that are nearly right that takes as many rounds as there are changes along a chain of bodies.
    """
    count = world.counts[t.ROWS]
    heap = is_heap(world)
    fewest = count + 1
    patience = FEW_WORSE
    for _ in range(limit):
        world.counts[t.COMMANDS] = world.counts[t.COMMANDS] + 1
        found = find_wrong(world, forces(world))
        if found == 0:
            return True
        patience = FEW_WORSE if found < fewest else patience - 1
        fewest = min(fewest, found)
        if heap and patience < 0:
            return False
        for i in range(count):
            world.given[i] = breach(world, i) if world.wrong[i] >= 0 else 0.0
        for i in range(count):
            worst = world.wrong[i] >= 0
            for j in range(count):
                if not worst:
                    break
                if world.wrong[j] >= 0 and world.given[j] > world.given[i] and joined(world, i, j):
                    worst = False
            world.given[count + i] = 1.0 if worst else 0.0
        for i in range(count):
            if world.given[count + i] > 0.0:
                take_group(world, i)
    return False


def exchange(world: World, limit: int) -> bool:
    """Exchange statuses until all laws are kept; whether they are. The slips of boxes in space turn meanwhile."""
    count = world.counts[t.ROWS]
    fewest = count + 1
    patience = PATIENCE
    lot = 1 + count
    for _ in range(limit):
        world.counts[t.COMMANDS] = world.counts[t.COMMANDS] + 1
        found = find_wrong(world, forces(world))
        if found == 0:
            return True
        patience = PATIENCE if found < fewest else max(patience - 1, -1)
        fewest = min(fewest, found)
        for i in range(count):
            # All at once, unless that leads nowhere: then some of them, by lot, so that nothing goes around in circles.
            lot = (lot * 1103515245 + 12345) % 2147483648
            turns = world.wrong[i] == world.state[i] and world.box_pairs[0] > 0
            if world.wrong[i] >= 0 and (turns or patience >= 0 or lot > 1073741824):
                take_group(world, i)
    return False


def take_group(world: World, i: int) -> None:
    """Let a contact do what it should; those for which it holds do the same along their tangents."""
    slips = world.state[i] % CLOSED == STICK and world.wrong[i] >= CLOSED and world.wrong[i] % CLOSED != STICK
    world.state[i] = world.wrong[i]
    if not slips:
        return
    one = shift(world.rows, t.ROW * i)
    for j in range(world.counts[t.ROWS]):
        if j != i and world.leader[j] == i and world.state[j] % CLOSED == STICK:
            two = shift(world.rows, t.ROW * j)
            # The tangent of a corner of the other body points the other way, and so does its force on this one.
            turned = world.body_a[i] != world.body_a[j]
            same = one[t.R_NX] * two[t.R_NX] + one[t.R_NY] * two[t.R_NY] > 0.0
            grip = world.wrong[i] % CLOSED
            if turned == same:
                grip = PLUS if grip == MINUS else MINUS
            world.state[j] = world.state[j] % IDLE - STICK + grip


def begin_sweeps(world: World) -> None:
    """Let sweeps begin with what contacts carried last; with nothing where impulses are asked for."""
    for i in range(world.counts[t.ROWS]):
        e = whose_of(world, i)
        carries = world.counts[t.CARRIES] != 0 and world.status[e] >= CLOSED
        world.kept_n[i] = world.loads[2 * e] if carries else 0.0
        world.kept_t[i] = world.loads[2 * e + 1] if carries else 0.0


def sweep(world: World, rounds: int) -> float:
    """Look for likely statuses: every contact in turn is given what its laws ask for, beside what the others carry.

    What the last round changed is the answer, as an acceleration or a velocity.

    Args:
        world: The tables; sweeps go on where those before ended.
        rounds: How often.
    """
    count = world.counts[t.ROWS]
    for i in range(count):
        world.x_n[i] = world.kept_n[i]
        world.x_t[i] = world.kept_t[i]
    follow(world, world.x_n, world.x_t)
    left = 0.0
    for _ in range(rounds):
        left = 0.0
        for i in range(count):
            left = max(left, sweep_one(world, i))
    most = 0.0
    for i in range(count):
        world.kept_n[i] = world.x_n[i]
        world.kept_t[i] = world.x_t[i]
        most = max(most, world.x_n[i])
    for i in range(count):
        pushes = world.x_n[i] > 1e-9 * most
        world.state[i] = held(world, i, pushes)
        friction = world.laws[t.LAW * world.kinds[t.KINDS * world.chosen[i] + t.OWNER] + t.FRICTION]
        bound = friction * (world.x_n[i] + world.back[i])
        if world.state[i] % CLOSED == STICK and friction > 0.0 and abs(world.x_t[i]) > (1.0 - 1e-9) * bound:
            world.state[i] = world.state[i] - STICK + (MINUS if world.x_t[i] > 0.0 else PLUS)
    return left


def sweep_one(world: World, i: int) -> float:
    """Give one contact what its laws ask for; how much that changes its acceleration or velocity."""
    whose = whose_of(world, i)
    element = shift(world.elements, t.ELEMENT * whose)
    friction = world.laws[t.LAW * whose + t.FRICTION]
    light = response(world, i, 0, i, 0, 0.0)
    x = max(0.0, world.x_n[i] - follows(world, i, 0) / light)
    y = 0.0
    if element[t.GRIPS] != 0:
        bound = friction * (x + world.back[i])
        y = world.x_t[i] - follows(world, i, 1) / response(world, i, 1, i, 1, 0.0)
        if element[t.CLINGS] != 0:
            y = y if x > 0.0 else 0.0
        elif world.way[i] != 0.0:
            y = -bound if world.way[i] > 0.0 else bound
        else:
            y = min(bound, max(-bound, y))
    change = (abs(x - world.x_n[i]) + abs(y - world.x_t[i])) * light
    nudge(world, i, x - world.x_n[i], y - world.x_t[i])
    world.x_n[i] = x
    world.x_t[i] = y
    return change


def pivots_keep(world: World, part: float) -> bool:
    """Whether the statuses that Lemke's method finds keep all laws for the numbers as they were before the shift."""
    if not lemke(world, part):
        return False
    return exchange(world, 3)


def pivots_once(world: World) -> bool:
    """The same in a crowd, or statuses of Lemke's method that keep them nearly: what else there is takes far longer.

    Where that fails, all that presses holds for a moment or stops, and a run says so.
    """
    if world.counts[t.ROWS] > MOST_PIVOTS or not lemke(world, SHIFT):
        return False
    for i in range(world.counts[t.ROWS]):
        world.best[i] = world.state[i]
    if exchange(world, 3):
        return True
    for i in range(world.counts[t.ROWS]):
        world.state[i] = world.best[i]
    return nearly(world, LOOSE_IN_HEAPS)


def nearly(world: World, loosest: float) -> bool:
    """Whether statuses keep all laws within a part of the numbers; a run says by how much they miss them."""
    size = 0.0
    for i in range(world.counts[t.ROWS]):
        size = max(size, abs(world.b_n[i]), abs(world.b_t[i]))
    most = forces(world)
    kept = world.numbers[t.FLOOR]
    part = NEAREST
    found = 1
    while found > 0 and part <= loosest:
        world.numbers[t.FLOOR] = max(kept, part * size)
        found = find_wrong(world, most)
        if found > 0:
            part = 10.0 * part
    world.numbers[t.FLOOR] = kept
    if found > 0:
        return False
    world.counts[t.LOOSE] = world.counts[t.LOOSE] + 1
    world.numbers[t.LOOSEST] = max(world.numbers[t.LOOSEST], part)
    return True


def sweep_first(world: World) -> bool:
    """Whether sweeps lead a heap to statuses that keep all laws: sooner than Lemke's method does.

    Of the forces that keep these statuses, those near the sweeps' are taken: where statics does not say how contacts
    share what they carry, others may pull though none need.
    """
    begin_sweeps(world)
    size = 0.0
    for i in range(world.counts[t.ROWS]):
        size = max(size, abs(world.b_n[i]), abs(world.b_t[i]))
    rounds = FIRST_SWEEPS
    found = False
    for turn in range(MORE_SWEEPS):
        left = sweep(world, rounds)
        settled = left <= SETTLED * size or turn == MORE_SWEEPS - 1
        world.counts[t.NEARBY] = 1
        found = exchange_worst(world, FEW)
        if not found and settled:
            sweep(world, 1)
            found = nearly(world, LOOSE_IN_HEAPS)
        world.counts[t.NEARBY] = 0
        if found or settled:
            break
        rounds = 2 * rounds
    return found


def decide_laws(world: World) -> bool:
    """Statuses that keep all laws, from those that `state` begins with; whether they are found."""
    count = world.counts[t.ROWS]
    if exchange_worst(world, WORST):
        return True
    if is_heap(world) and sweep_first(world):
        return True
    if exchange(world, 20):
        return True
    if count > CROWDED and is_heap(world):
        return pivots_once(world)
    if count <= MOST_PIVOTS and (pivots_keep(world, SHIFT) or pivots_keep(world, LITTLE)):
        return True
    if count <= MOST_PIVOTS and lemke(world, LITTLE) and nearly(world, LOOSE):
        return True
    if count <= MOST_PIVOTS and lemke(world, SHIFT) and nearly(world, LOOSE):
        return True
    for i in range(count):
        world.kept_n[i] = 0.0
        world.kept_t[i] = 0.0
    rounds = SWEEPS
    for _ in range(TURNS):
        sweep(world, rounds)
        if exchange(world, 60 + 2 * count):
            return True
        rounds = 2 * rounds
    return False


FUNCTIONS: Final = (
    *_equations.FUNCTIONS,
    *_pivots.FUNCTIONS,
    held,
    whose_of,
    find_wrong,
    breach,
    exchange_worst,
    exchange,
    take_group,
    begin_sweeps,
    sweep,
    sweep_one,
    pivots_keep,
    pivots_once,
    nearly,
    sweep_first,
    decide_laws,
)
