"""Which contacts push, hold and slide in space, with the circular cone of Coulomb's friction.

Statuses are exchanged where a law is broken, and directions of slips that begin are turned, all at once, from what
sweeps over the contacts come to. PLUS is a slip in a known direction, MINUS one whose direction is looked for. Written
in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._laws import exchange, whose_of
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _equations
from sistel.simulation.space import tables as s
from sistel.simulation.space._equations import follow, follows, law_of, nudge, own_responses

SWEEPS: Final = 40
"""Rounds over all contacts, each of which is given what its laws ask for, at first."""
TURNS: Final = 9
FEW_TURNS: Final = 5
"""How often these are doubled; the same where many contacts take part."""
WHOLE: Final = 4
GENTLY: Final = 0.4
"""From which turn on contacts are given only a part of that: what goes around in circles comes to an end so."""
SETTLED: Final = 100.0
"""How many times that what counts as none may be what sweeps still change of velocities where they are a solution."""
CLOSE: Final = 1e-9
"""Part of the terms of velocities, or accelerations, by which what follows from sweeps may be off the laws."""
BARELY: Final = 1e-8
"""Part of the force of friction that one without a slip may be over its bound."""
AT_LAST: Final = 1e-7
"""The same after all turns: what is between sticking and slipping is come to ever more slowly."""
NOT_FAR: Final = 1e-2
"""The same where many contacts take part: a run says how much it was."""
FEW_ROUNDS: Final = 12
FEWER_ROUNDS: Final = 20
ROUNDS: Final = 30
"""Exchanges of statuses: at first, after every turn, and the same of boxes."""
ENOUGH: Final = 2
"""How often sweeps are doubled before that is enough: no statuses keep the laws to rounding."""
TURNED: Final = 1e-7
"""Part of a force of friction that may be across the slip that it is against."""


def held(world: World, i: int, pushes: bool) -> int:
    """What a contact does that pushes or not, as long as nothing else is known of it."""
    element = shift(world.elements, t.ELEMENT * whose_of(world, i))
    base = CLOSED if pushes else 0
    if (not pushes and world.back[i] <= 0.0) or element[t.GRIPS] == 0:
        return base + FREE
    return base + (PLUS if world.way[3 * i + 2] != 0.0 else STICK)


def slips(world: World, i: int, base: int, one: float, two: float) -> int:
    """Let a contact slip, its direction begin with this one; its status."""
    size = math.sqrt(one * one + two * two)
    if world.way[3 * i + 2] == 0.0 and size > 0.0:
        world.way[3 * i] = one / size
        world.way[3 * i + 1] = two / size
    return base + (PLUS if world.way[3 * i + 2] != 0.0 else MINUS if size > 0.0 else STICK)


def find_wrong(world: World, most: float) -> int:
    """Which contacts break their laws, and what they should do instead, in `wrong`; how many there are."""
    found = 0
    world.counts[s.STILL] = 0
    for i in range(world.counts[t.ROWS]):
        world.wrong[i] = -1
        light = world.bodies[s.BODY * world.body_a[i] + s.LIGHT] + world.bodies[s.BODY * world.body_b[i] + s.LIGHT]
        slack = ROUNDING * most + world.numbers[t.FLOOR] / light
        least = ROUNDING * world.size[i] + world.numbers[t.FLOOR]
        if world.state[i] >= CLOSED:
            if world.x_n[3 * i] < -slack:
                world.wrong[i] = held(world, i, False)
        elif world.w_n[3 * i] < -least:
            world.wrong[i] = held(world, i, True)
            if world.wrong[i] % CLOSED == STICK and law_of(world, i, t.FRICTION) > 0.0:
                # What closes while it slides would jam if it stuck.
                world.wrong[i] = slips(world, i, CLOSED, world.w_n[3 * i + 1], world.w_n[3 * i + 2])
        if world.wrong[i] < 0:
            look_along(world, i, slack, least)
        if world.wrong[i] >= 0:
            found += 1
    return found


def look_along(world: World, i: int, slack: float, least: float) -> None:
    """Whether a contact breaks the law of friction."""
    state = world.state[i]
    grip = state % CLOSED
    x = shift(world.x_n, 3 * i)
    w = shift(world.w_n, 3 * i)
    way = shift(world.way, 3 * i)
    clings = world.elements[t.ELEMENT * whose_of(world, i) + t.CLINGS] != 0
    if grip == STICK and not clings:
        bound = law_of(world, i, t.FRICTION) * (x[0] + world.back[i])
        if math.sqrt(x[1] * x[1] + x[2] * x[2]) > bound + slack:
            world.wrong[i] = slips(world, i, state - STICK, -x[1], -x[2])
    elif grip == MINUS:
        across = way[0] * x[2] - way[1] * x[1]
        pulled = math.sqrt(x[1] * x[1] + x[2] * x[2])
        bound = law_of(world, i, t.FRICTION) * (x[0] + world.back[i])
        still = abs(w[1]) <= least and abs(w[2]) <= least and pulled <= (1.0 + BARELY) * bound + slack
        still = still and world.box_pairs[0] > 0
        world.counts[s.STILL] = world.counts[s.STILL] + (1 if still else 0)
        if way[0] * w[1] + way[1] * w[2] < -least:
            world.wrong[i] = state - MINUS + STICK
        elif abs(across) > TURNED * pulled + 0.01 * slack and not still:
            # A force across turns the direction; one that would turn it around means that it is another one. What is
            # about to slip, and does not yet, has none.
            world.wrong[i] = slips(world, i, state - MINUS, -x[1], -x[2])


def take_group(world: World, i: int) -> None:
    """Let a contact do what it should; no other one does the same for that."""
    world.state[i] = world.wrong[i]


def sweep(world: World, turn: int) -> float:
    """Give every contact in turn what its laws ask for, beside what the others carry; what velocities still change by.

    Args:
        world: The tables.
        turn: How often that was done; each goes on where the one before ended, and takes twice as many rounds.
    """
    count = world.counts[t.ROWS]
    for k in range(3 * count):
        world.x_n[k] = 0.0 if turn == 0 else world.kept_n[k]
    follow(world, world.x_n)
    rounds = SWEEPS
    for _ in range(turn):
        rounds = 2 * rounds
    left = math.inf
    part = 1.0 if turn < WHOLE else GENTLY
    for _ in range(rounds):
        left = 0.0
        for i in range(count):
            left = max(left, sweep_one(world, i, part))
        if left < world.numbers[t.FLOOR]:
            break
    for k in range(3 * count):
        world.kept_n[k] = world.x_n[k]
    take_swept(world)
    return left


def take_kept(world: World) -> None:
    """Go back to the forces that sweeps came to, and their statuses."""
    for k in range(3 * world.counts[t.ROWS]):
        world.x_n[k] = world.kept_n[k]
    take_swept(world)
    follow(world, world.x_n)


def take_swept(world: World) -> None:
    """Statuses that the forces of sweeps speak for."""
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        most = max(most, world.x_n[3 * i])
    for i in range(world.counts[t.ROWS]):
        x = shift(world.x_n, 3 * i)
        world.state[i] = held(world, i, x[0] > 1e-9 * most)
        friction = law_of(world, i, t.FRICTION)
        bound = (1.0 - 1e-9) * friction * (x[0] + world.back[i])
        if world.state[i] % CLOSED == STICK and friction > 0.0 and math.sqrt(x[1] * x[1] + x[2] * x[2]) > bound:
            world.state[i] = slips(world, i, world.state[i] - STICK, -x[1], -x[2])


def hold_within(world: World, i: int, bound: float, across: Floats) -> None:
    """Shorten a force across the normal to its bound; against a slip in a known direction it is the bound itself."""
    size = math.sqrt(across[0] * across[0] + across[1] * across[1])
    part = bound / size if size > bound else 1.0
    for side in range(2):
        across[side] = across[side] * part
        if world.way[3 * i + 2] != 0.0:
            across[side] = -bound * world.way[3 * i + side]


def sweep_one(world: World, i: int, share: float) -> float:
    """Give one contact what its laws ask for; how much that changes its velocity, or acceleration."""
    element = shift(world.elements, t.ELEMENT * whose_of(world, i))
    x = shift(world.x_n, 3 * i)
    w = shift(world.w_n, 3 * i)
    own = shift(world.kept_t, 3 * i)
    more = world.more
    for side in range(3):
        more[side] = 0.0
    follows(world, i)
    normal = x[0] + share * (max(0.0, x[0] - w[0] / own[0]) - x[0])
    more[0] = normal - x[0]
    change = abs(more[0]) * own[0]
    x[0] = normal
    nudge(world, i, more)
    if element[t.GRIPS] == 0:
        return change
    follows(world, i)
    one = x[1] - w[1] / own[1]
    two = x[2] - w[2] / own[1]
    if element[t.CLINGS] != 0:
        one = one if normal > 0.0 else 0.0
        two = two if normal > 0.0 else 0.0
    else:
        more[0] = one
        more[1] = two
        hold_within(world, i, law_of(world, i, t.FRICTION) * (normal + world.back[i]), more)
        one = more[0]
        two = more[1]
    one = x[1] + share * (one - x[1])
    two = x[2] + share * (two - x[2])
    more[0] = 0.0
    more[1] = one - x[1]
    more[2] = two - x[2]
    x[1] = one
    x[2] = two
    nudge(world, i, more)
    return max(change, abs(more[1]) * own[1], abs(more[2]) * own[1])


def astray(world: World) -> float:
    """How far what follows from the forces of sweeps is off the laws, in parts of the terms of what contacts measure.

    Where bodies touch with many places at once, forces may wander without end: rounding makes rows contradict each
    other a little, and what moves is the same for all of these forces.
    """
    for k in range(3 * world.counts[t.ROWS]):
        world.x_n[k] = world.kept_n[k]
    follow(world, world.x_n)
    worst = 0.0
    for i in range(world.counts[t.ROWS]):
        element = shift(world.elements, t.ELEMENT * whose_of(world, i))
        x = shift(world.x_n, 3 * i)
        w = shift(world.w_n, 3 * i)
        own = shift(world.kept_t, 3 * i)
        off = abs(x[0] - max(0.0, x[0] - w[0] / own[0])) * own[0]
        if element[t.GRIPS] != 0 and element[t.CLINGS] == 0:
            found = world.more
            found[0] = x[1] - w[1] / own[1]
            found[1] = x[2] - w[2] / own[1]
            hold_within(world, i, law_of(world, i, t.FRICTION) * (x[0] + world.back[i]), found)
            off = max(off, abs(found[0] - x[1]) * own[1], abs(found[1] - x[2]) * own[1])
        elif element[t.GRIPS] != 0 and x[0] > 0.0:
            off = max(off, abs(w[1]), abs(w[2]))
        worst = max(worst, off / (world.size[i] + world.numbers[t.FLOOR]))
    return worst


def begin_again(world: World) -> None:
    """Begin without forces, from the statuses that were given."""
    for i in range(world.counts[t.ROWS]):
        world.state[i] = world.best[i]
    for k in range(3 * world.counts[t.ROWS]):
        world.x_n[k] = 0.0
        world.w_n[k] = world.b_n[k]


def decide_laws(world: World) -> bool:
    """Statuses that keep all laws, from those that `state` begins with; whether they are found."""
    count = world.counts[t.ROWS]
    own_responses(world)
    for i in range(count):
        world.best[i] = world.state[i]
    begin_again(world)
    world.counts[t.NEARBY] = 0
    # Contacts that share what they carry may brace themselves against each other as much as friction lets them: sweeps
    # find forces that do no more than is needed.
    braced = exchange(world, FEW_ROUNDS)
    if braced and world.counts[s.STILL] == 0:
        return True
    boxes = world.box_pairs[0] > 0
    left = math.inf
    crowded = world.counts[s.CROWDED] != 0
    for turn in range(ENOUGH if braced else FEW_TURNS if crowded else TURNS):
        left = sweep(world, turn)
        # Where contacts share what they carry, forces near those of the sweeps push everywhere; where slips are about
        # to begin, others may be found sooner.
        world.counts[t.NEARBY] = 1
        found = boxes and exchange(world, FEW_ROUNDS)
        world.counts[t.NEARBY] = 0
        if found:
            return True
        if boxes:
            take_kept(world)
        if not braced and exchange(world, ROUNDS if boxes else FEWER_ROUNDS):
            return True
        settled = left <= SETTLED * world.numbers[t.FLOOR]
        if settled or (boxes and turn >= ENOUGH and astray(world) <= CLOSE):
            break
    if braced:
        begin_again(world)
        return exchange(world, FEW_ROUNDS)
    if left > SETTLED * world.numbers[t.FLOOR]:
        off = astray(world) if boxes else 1.0
        if off > NOT_FAR:
            return False
        if off > AT_LAST:
            world.counts[s.ROUGH] = world.counts[s.ROUGH] + 1
            world.numbers[s.ROUGHEST] = max(world.numbers[s.ROUGHEST], off)
    # On the border of several statuses none of them keeps the laws to rounding; the forces of the sweeps do.
    take_kept(world)
    return True


FUNCTIONS: Final = (
    *_equations.FUNCTIONS,
    whose_of,
    held,
    slips,
    find_wrong,
    look_along,
    exchange,
    take_group,
    sweep,
    take_kept,
    take_swept,
    hold_within,
    sweep_one,
    astray,
    begin_again,
    decide_laws,
)
