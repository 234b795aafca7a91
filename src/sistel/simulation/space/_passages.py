"""What follows where a step in space ends: the impact of what strikes, and what all contacts concerned do next.

As in the plane, see `sistel.simulation.plane._passages`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, PLUS, ROUNDING, STICK, TOUCHING
from sistel.kernels.subset import shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD
from sistel.simulation.plane._impacts import MOST_IMPACTS, note_slow, owner, rest_of
from sistel.simulation.plane._members import (
    add_contact,
    assemble,
    keep_rates,
    lie_down,
    list_closed,
    open_members,
    put_in_order,
    take_rates_back,
)
from sistel.simulation.plane._passages import SLOW_SLIP, STILL, rest_a_moment
from sistel.simulation.plane._series import first_turns
from sistel.simulation.plane._watching import SLOW
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _impacts
from sistel.simulation.space import tables as s
from sistel.simulation.space._equations import follow, forces
from sistel.simulation.space._impacts import (
    BESIDE,
    STACK,
    copy,
    dull_of,
    gained,
    impact,
    speeds,
    take_impulses,
    write_blows,
)
from sistel.simulation.space._laws import decide_laws, held, slips
from sistel.simulation.space._places import look
from sistel.simulation.space._series import SLOWEST, approach, extend, take_rows, velocity
from sistel.simulation.space._vectors import dot, length

FAINT: Final = 1e-9
"""Slips that stop are slower than this but for what is left out [m/s]."""
JAM: Final = 4
"""Contacts up to which a motion that no forces make possible ends the run."""
MOST_CALMED: Final = 20.0 * SLOWEST
"""How much velocities may change where what is left of slips is taken from contacts that hold [m/s]."""


def parts(world: World, i: int, rest: float) -> bool:
    """Whether a contact parts. One that does so too slowly to count does it with the others of its two bodies."""
    u = world.u_n[3 * i]
    dull = dull_of(world)
    if world.box_pairs[0] == 0:
        return u > max(rest, dull)
    if u <= max(rest, 2.0 * SLOW * world.numbers[t.FASTEST]):
        return False  # it would seem to strike at once
    found = u > dull
    for j in range(world.counts[t.ROWS]):
        same = world.body_a[i] == world.body_a[j] and world.body_b[i] == world.body_b[j]
        swapped = world.body_a[i] == world.body_b[j] and world.body_b[i] == world.body_a[j]
        found = found or (world.u_n[3 * j] > dull and (same or swapped))
    return found


def is_beside(world: World, i: int) -> bool:
    """Whether a contact of the problem does not touch: it is so near that it takes part in impacts alone."""
    if world.status[owner(world, i)] >= CLOSED:
        return False
    return look(world, world.chosen[i], shift(world.more, 6)) > TOUCHING


def move_row(world: World, i: int, place: int) -> None:
    """Give a contact of the problem another place in it."""
    world.chosen[place] = world.chosen[i]
    world.body_a[place] = world.body_a[i]
    world.body_b[place] = world.body_b[i]


def touch_alone(world: World, whose: int) -> None:
    """Let only what touches take part in the problem, and what strikes."""
    kept = 0
    for i in range(world.counts[t.ROWS]):
        if owner(world, i) == whose or not is_beside(world, i):
            move_row(world, i, kept)
            kept += 1
    world.counts[t.ROWS] = kept


def keep_still(world: World, rest: float) -> None:
    """Keep the contacts of the problem that do not part."""
    kept = 0
    for i in range(world.counts[t.ROWS]):
        world.wrong[i] = 1 if is_beside(world, i) or parts(world, i, rest) else 0
    for i in range(world.counts[t.ROWS]):
        if world.wrong[i] == 0:
            move_row(world, i, kept)
            kept += 1
    world.counts[t.ROWS] = kept


def accelerate(world: World, i: int) -> None:
    """Let a contact of the problem begin with its acceleration, as long as it carries nothing."""
    w = world.counts[t.ORDER] + 3
    take_rows(world, i)
    extend(world, i, 1)
    velocity(world, i, 0)
    velocity(world, i, 1)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    r = shift(world.rows, s.ROW * i)
    for side in range(3):
        world.more[side] = made[(s.C_U + side) * w]
        world.more[3 + side] = made[(s.C_U + side) * w + 1]
    for side in range(3):
        world.u_n[3 * i + side] = dot(shift(r, s.R_N + 3 * side), world.more)
        world.b_n[3 * i + side] = dot(shift(r, s.R_N + 3 * side), shift(world.more, 3))
    world.b_n[3 * i] = approach(world, i, 1)
    world.back[i] = 0.0


def slip_of(world: World, i: int) -> float:
    """The speed of the slip of a contact [m/s]."""
    one = world.u_n[3 * i + 1]
    two = world.u_n[3 * i + 2]
    return math.sqrt(one * one + two * two)


def find_ways(world: World, what: int, whose: int, rest: float, struck: bool) -> None:
    """Which contacts slide, and how: see that of the plane; one that begins to slip does so along its heading."""
    slow = max(SLOWEST, dull_of(world))
    for i in range(world.counts[t.ROWS]):
        e = owner(world, i)
        way = shift(world.way, 3 * i)
        sticks = world.status[e] >= CLOSED and world.status[e] % CLOSED == STICK and not struck
        stops = e == whose and what == t.STOPS
        speed = slip_of(world, i)
        for side in range(3):
            way[side] = 0.0
        if speed > max(rest, slow) and not sticks and not stops:
            way[0] = world.u_n[3 * i + 1] / speed
            way[1] = world.u_n[3 * i + 2] / speed
            way[2] = 1.0
        world.state[i] = held(world, i, True)
        if e == whose and what == t.SLIPS and world.state[i] == CLOSED + STICK:
            r = shift(world.rows, s.ROW * i)
            heading = shift(world.heading, 3 * e)
            world.state[i] = slips(world, i, CLOSED, dot(shift(r, s.R_S), heading), dot(shift(r, s.R_T), heading))


def settle_statuses(world: World, rest: float, whose: int) -> bool:
    """Take the statuses that were found, as in the plane; whether all bodies that take part rest."""
    for i in range(world.counts[t.ROWS]):
        if world.state[i] >= CLOSED:
            e = owner(world, i)
            grip = world.state[i] % CLOSED
            slides = grip >= PLUS
            world.status[e] = CLOSED + (PLUS if slides else grip)
            world.touched[e] = world.chosen[i]
            r = shift(world.rows, s.ROW * i)
            way = shift(world.way, 3 * i)
            x = shift(world.x_n, 3 * i)
            for side in range(3):
                world.heading[3 * e + side] = way[0] * r[s.R_S + side] + way[1] * r[s.R_T + side]
                pushed = x[0] * r[s.R_N + side] + x[1] * r[s.R_S + side] + x[2] * r[s.R_T + side]
                world.loads[3 * e + side] = pushed
            # Where one begins to slip, those that are about to may do so with it.
            begins = whose >= 0 if world.box_pairs[0] > 0 else e == whose
            still = slip_of(world, i) <= max(rest, SLOWEST) and not begins
            faster = way[0] * world.w_n[3 * i + 1] + way[1] * world.w_n[3 * i + 2]
            if slides and still and abs(faster) <= ROUNDING * world.size[i] + world.numbers[t.FLOOR]:
                # What is left of a slip that has stopped is taken away where the contact sticks.
                stood = slip_of(world, i) <= max(rest, SLOW_SLIP * world.numbers[t.FASTEST])
                world.status[e] = CLOSED + (PLUS + HELD if stood else STICK)
    slow = STILL * length(shift(world.numbers, s.GRAVITY))
    rests = True
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        reach = world.bodies[s.BODY * body + s.REACH]
        own = shift(world.spread, s.SPREAD * body)
        for side in range(3):
            rests = rests and abs(own[side] + world.numbers[s.GRAVITY + side]) <= slow
            rests = rests and abs(own[3 + side]) * reach <= slow
            rests = rests and abs(world.rate[s.RATE * body + side]) <= 1e-12
            rests = rests and abs(world.rate[s.RATE * body + 3 + side]) * reach <= 1e-12
    return rests


def solve_motion(world: World, what: int, whose: int, rest: float, struck: bool) -> bool:
    """Statuses of contacts that do not part, from accelerations; whether there are such."""
    first_turns(world)
    for i in range(world.counts[t.ROWS]):
        accelerate(world, i)
    world.numbers[t.FLOOR] = 1e-12 * length(shift(world.numbers, s.GRAVITY))
    find_ways(world, what, whose, rest, struck)
    if decide_laws(world):
        return True
    # What begins to slip may be held by others.
    find_ways(world, t.NOTHING, -1, rest, struck)
    return decide_laws(world) or hold_all(world)


def hold_all(world: World) -> bool:
    """Let all contacts hold for a moment where no forces are found that keep all laws; whether that may be.

    What slides goes on without friction meanwhile: so no contact does any work. A run says that there was such. Spheres
    between others and walls may jam: with friction where they slide, no bounded forces hold what sticks.
    """
    if world.counts[s.CROWDED] == 0 and world.counts[t.ROWS] <= JAM:
        return False
    for i in range(world.counts[t.ROWS]):
        grip = held(world, i, True)
        world.state[i] = CLOSED + (FREE if grip % CLOSED == PLUS else grip % CLOSED)
        world.back[i] = 0.0
    forces(world)
    rest_a_moment(world)
    return True


def bring_back(world: World, f: int, rest: float) -> bool:
    """Whether an element that lets go would go through its surface: then it takes part again, and all is well."""
    i = world.counts[t.ROWS]
    add_contact(world, f)
    accelerate(world, i)
    world.state[i] = 0
    for side in range(3):
        world.x_n[3 * i + side] = 0.0
    follow(world, world.x_n)
    if world.w_n[3 * i] >= -(ROUNDING * world.size[i] + world.numbers[t.FLOOR]):
        world.counts[t.ROWS] = i
        return True
    put_in_order(world)
    return solve_motion(world, t.NOTHING, -1, rest, False)


def calm(world: World, rest: float) -> bool:
    """Take from contacts that stay the velocities that are too small for a hop or a slip; whether there were such.

    Nothing rubs meanwhile: so the energy that is lost is that of what is taken, and none is gained. Others may not be
    driven into their surfaces by that: then they stay as well.
    """
    count = world.counts[t.ROWS]
    needed = False
    for i in range(count):
        if world.state[i] >= CLOSED:
            creeps = world.state[i] % CLOSED == STICK and slip_of(world, i) > rest
            needed = needed or creeps or abs(world.u_n[3 * i]) > rest
        world.best[i] = world.state[i]
        world.back[i] = 0.0
    if not needed:
        return False
    for i in range(count):
        if world.state[i] >= CLOSED:
            sticks = world.state[i] % CLOSED == STICK
            world.state[i] = CLOSED + (STICK if sticks else FREE)
            if sticks and slip_of(world, i) > FAINT:
                note_slow(world, slip_of(world, i))
    for k in range(3 * count):
        world.sum_n[k] = 0.0
    for _ in range(MOST_IMPACTS):
        copy(world, world.u_n, world.b_n)
        forces(world)
        copy(world, world.x_n, world.given_n)
        for k in range(3 * count):
            world.sum_n[k] = world.sum_n[k] + world.x_n[k]
        world.numbers[t.LOSS] = world.numbers[t.LOSS] - gained(world, world.x_n)
        take_impulses(world)
        speeds(world)
        into = False
        for i in range(count):
            if world.state[i] < CLOSED and world.u_n[3 * i] < -rest:
                world.state[i] = CLOSED + FREE
                into = True
        if not into:
            break
    for i in range(count):
        world.state[i] = world.best[i]
    return True


def changed_by(world: World) -> float:
    """How much the velocities of bodies have changed since they were kept [m/s]."""
    most = 0.0
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        reach = world.bodies[s.BODY * body + s.REACH]
        for k in range(s.RATE):
            change = abs(world.rate[s.RATE * body + k] - world.kept_rate[s.RATE * body + k])
            most = max(most, change * (reach if k > 2 else 1.0))
    return most


def go_on(world: World, rest: float, struck: bool) -> bool:
    """Let contacts that stay do so; whether all laws are kept then."""
    dull = dull_of(world)
    keep_rates(world)
    loss = world.numbers[t.LOSS]
    if not calm(world, rest):
        return True
    if changed_by(world) > max(MOST_CALMED, 20.0 * dull):
        take_rates_back(world)
        world.numbers[t.LOSS] = loss
        return True
    write_blows(world)
    first_turns(world)
    for i in range(world.counts[t.ROWS]):
        accelerate(world, i)
    return decide_laws(world) or hold_all(world)


def decide(world: World, what: int, whose: int, f: int, way: float) -> int:
    """What follows where a step ends, as in the plane; END, or why there is nothing.

    The directions in which slips begin are headings here, so `way` tells nothing.
    """
    if what == t.LETS_GO and world.box_pairs[0] > 0:
        world.gone[whose] = world.numbers[t.TIME]
    world.counts[t.LETTING] = 1 if what == t.LETS_GO or what == t.SLIDES_OFF else 0
    strikes = what == t.STRIKES and world.status[whose] < CLOSED
    world.numbers[t.NEARLY] = BESIDE if strikes else TOUCHING
    assemble(world, what, whose, f)
    world.numbers[t.NEARLY] = TOUCHING
    world.counts[s.CROWDED] = 1 if world.counts[t.ROWS] > STACK else 0
    if strikes and world.counts[s.CROWDED] == 0:
        touch_alone(world, whose)
    if world.counts[t.ROWS] >= world.counts[t.MOST]:
        return t.TOO_MANY
    for i in range(world.counts[t.ROWS]):
        take_rows(world, i)
    size = speeds(world)
    world.numbers[t.FASTEST] = max(world.numbers[t.FASTEST], size)
    rest = rest_of(world, size)
    struck = False
    for i in range(world.counts[t.ROWS]):
        struck = struck or (world.u_n[3 * i] < -rest and world.status[owner(world, i)] < CLOSED)
    world.numbers[t.LOSS] = 0.0
    world.counts[t.STRUCK] = 1 if struck else 0
    if struck:
        if not impact(world, rest):
            return t.NO_IMPACT
        write_blows(world)
        rest = rest_of(world, speeds(world))
    keep_still(world, rest)
    if not solve_motion(world, what, whose, rest, struck):
        return t.NO_SOLUTION
    if what == t.LETS_GO and not struck and not bring_back(world, f, rest):
        return t.NO_SOLUTION
    if not go_on(world, rest, struck):
        return t.NO_SOLUTION
    open_members(world)
    lie_down(world, settle_statuses(world, rest, whose if what == t.SLIPS else -1))
    list_closed(world)
    return t.END


FUNCTIONS: Final = (
    *_impacts.FUNCTIONS,
    parts,
    is_beside,
    move_row,
    touch_alone,
    keep_still,
    accelerate,
    slip_of,
    find_ways,
    settle_statuses,
    solve_motion,
    rest_a_moment,
    hold_all,
    bring_back,
    calm,
    changed_by,
    go_on,
    decide,
)
