"""What follows where a step in space ends: the impact of what strikes, and what all contacts concerned do next.

As in the plane, see `sistel.simulation.plane._passages`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import PLUS, ROUNDING, STICK, TOUCHING
from sistel.kernels.subset import shift
from sistel.mechanics import AWAY, BEYOND, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD
from sistel.simulation.plane._impacts import DULL, owner, rest_of
from sistel.simulation.plane._passages import (
    SLOW_SLIP,
    STILL,
    add_contact,
    mark,
    member_of,
    open_members,
    taken,
)
from sistel.simulation.plane._places import AHEAD
from sistel.simulation.plane._watching import DEEPEST
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _impacts
from sistel.simulation.space import tables as s
from sistel.simulation.space._boxes import crossed_over
from sistel.simulation.space._equations import follow
from sistel.simulation.space._flight import first_turns
from sistel.simulation.space._impacts import impact, speeds, write_blows
from sistel.simulation.space._laws import decide_laws, held, slips
from sistel.simulation.space._places import centre, in_domain, into, look, refresh, speed_of, there
from sistel.simulation.space._series import SLOWEST, approach, extend, take_rows, velocity
from sistel.simulation.space._vectors import dot, length


def gather(world: World, without: int) -> None:
    """All features that touch, but for those of one element, as contacts of a problem."""
    world.counts[t.ROWS] = 0
    for place in range(world.counts[t.CLOSED_COUNT]):
        e = world.closed[place]
        if e != without and not (without >= 0 and slid_off(world, world.touched[e])):
            add_contact(world, world.touched[e])
    r = shift(world.more, 6)
    found = world.more
    for place in range(world.counts[t.NEAR]):
        f = world.near[place]
        e = world.kinds[t.KINDS * f + t.OWNER]
        if e == without or world.status[e] >= CLOSED:
            continue
        gap = look(world, f, r)
        if gap > TOUCHING or gap < -DEEPEST:
            continue
        a = world.kinds[t.KINDS * f + t.A]
        b = world.kinds[t.KINDS * f + t.B]
        speed_of(world, a, b, shift(r, s.R_A), shift(r, s.R_B), world.rate, found)
        if there(world, f, dot(r, found), WITHIN, AHEAD) and not taken(world, e):
            add_contact(world, f)


def slid_off(world: World, f: int) -> bool:
    """Whether a point is beyond the ends of the face that it touches, as another one that has just slid off."""
    own = shift(world.features, s.FEATURE * f)
    if own[s.RADIUS] > 0.0:
        return False
    if own[s.BOXED] == s.CROSSING:
        return crossed_over(world, f)
    at = shift(world.more, 6)
    found = world.more
    centre(world, f, at)
    into(world, world.kinds[t.KINDS * f + t.B], at, found)
    return not in_domain(world, f, found, -0.99 * BEYOND)


def concern(world: World) -> None:
    """Keep those contacts that touch what takes part, and what these touch, in the order along the first axis."""
    count = world.counts[t.ROWS]
    changed = True
    while changed:
        changed = False
        for i in range(count):
            if world.member[world.body_a[i]] != 0 or world.member[world.body_b[i]] != 0:
                one = mark(world, world.body_a[i])
                two = mark(world, world.body_b[i])
                changed = changed or one or two
    kept = 0
    for i in range(count):
        if world.member[world.body_a[i]] != 0 or world.member[world.body_b[i]] != 0:
            world.chosen[kept] = world.chosen[i]
            kept += 1
    world.counts[t.ROWS] = kept
    put_in_order(world)


def key_of(world: World, f: int) -> float:
    """What contacts are put in order by: where the bodies are that they join, along the first axis."""
    a = world.kinds[t.KINDS * f + t.A]
    b = world.kinds[t.KINDS * f + t.B]
    one = world.place[s.PLACE * (a if a != 0 else b)]
    return 0.5 * (one + world.place[s.PLACE * (b if b != 0 else a)])


def put_in_order(world: World) -> None:
    """Put contacts in order, so that those which share bodies are near each other."""
    count = world.counts[t.ROWS]
    for i in range(1, count):
        f = world.chosen[i]
        key = key_of(world, f)
        j = i - 1
        while j >= 0 and key_of(world, world.chosen[j]) > key:
            world.chosen[j + 1] = world.chosen[j]
            j -= 1
        world.chosen[j + 1] = f
    for i in range(count):
        world.body_a[i] = world.kinds[t.KINDS * world.chosen[i] + t.A]
        world.body_b[i] = world.kinds[t.KINDS * world.chosen[i] + t.B]


def parts(world: World, i: int, rest: float) -> bool:
    """Whether a contact parts. One that does so too slowly to count does it with the others of its two bodies."""
    u = world.u_n[3 * i]
    if u <= rest:
        return False
    found = u > DULL
    for j in range(world.counts[t.ROWS]):
        same = world.body_a[i] == world.body_a[j] and world.body_b[i] == world.body_b[j]
        swapped = world.body_a[i] == world.body_b[j] and world.body_b[i] == world.body_a[j]
        found = found or (world.u_n[3 * j] > DULL and (same or swapped))
    return found


def keep_still(world: World, rest: float) -> None:
    """Keep the contacts of the problem that do not part."""
    kept = 0
    for i in range(world.counts[t.ROWS]):
        world.wrong[i] = 1 if parts(world, i, rest) else 0
    for i in range(world.counts[t.ROWS]):
        if world.wrong[i] == 0:
            world.chosen[kept] = world.chosen[i]
            world.body_a[kept] = world.body_a[i]
            world.body_b[kept] = world.body_b[i]
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
    """Which contacts slide, and how; where the search for statuses begins.

    Args:
        world: The tables.
        what: Ended the step.
        whose: Element that it was.
        rest: Velocity that counts as none [m/s].
        struck: Whether there was an impact.
    """
    for i in range(world.counts[t.ROWS]):
        e = owner(world, i)
        way = shift(world.way, 3 * i)
        sticks = world.status[e] >= CLOSED and world.status[e] % CLOSED == STICK and not struck
        stops = e == whose and what == t.STOPS
        speed = slip_of(world, i)
        for side in range(3):
            way[side] = 0.0
        if speed > max(rest, SLOWEST) and not sticks and not stops:
            way[0] = world.u_n[3 * i + 1] / speed
            way[1] = world.u_n[3 * i + 2] / speed
            way[2] = 1.0
        world.state[i] = held(world, i, True)
        if e == whose and what == t.SLIPS and world.state[i] == CLOSED + STICK:
            r = shift(world.rows, s.ROW * i)
            heading = shift(world.heading, 3 * e)
            world.state[i] = slips(world, i, CLOSED, dot(shift(r, s.R_S), heading), dot(shift(r, s.R_T), heading))


def settle_statuses(world: World, rest: float, whose: int) -> bool:
    """Take the statuses that were found; whether all bodies that take part rest.

    Args:
        world: The tables.
        rest: Velocity that counts as none [m/s].
        whose: The element that begins to slip, -1 for none.
    """
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
            still = slip_of(world, i) <= max(rest, SLOWEST) and whose < 0
            faster = way[0] * world.w_n[3 * i + 1] + way[1] * world.w_n[3 * i + 2]
            if slides and still and abs(faster) <= ROUNDING * world.size[i] + world.numbers[t.FLOOR]:
                # What is left of a slip that has stopped is taken away where the contact sticks.
                stood = slip_of(world, i) <= max(rest, SLOW_SLIP * world.numbers[t.FASTEST])
                world.status[e] = CLOSED + (PLUS + HELD if stood else STICK)
    slow = STILL * length(shift(world.numbers, s.GRAVITY))
    rests = True
    for body in range(1, world.counts[t.BODIES]):
        if world.member[body] != 0:
            reach = world.bodies[s.BODY * body + s.REACH]
            own = shift(world.spread, s.SPREAD * body)
            for side in range(3):
                rests = rests and abs(own[side] + world.numbers[s.GRAVITY + side]) <= slow
                rests = rests and abs(own[3 + side]) * reach <= slow
                rests = rests and abs(world.rate[s.RATE * body + side]) <= 1e-12
                rests = rests and abs(world.rate[s.RATE * body + 3 + side]) * reach <= 1e-12
    return rests


def lie_down(world: World, rests: bool) -> None:
    """Let the bodies that take part rest, or move."""
    for body in range(1, world.counts[t.BODIES]):
        if world.member[body] != 0:
            world.asleep[body] = 1 if rests else 0
            if rests:
                for k in range(s.RATE):
                    world.rate[s.RATE * body + k] = 0.0
                refresh(world, body)


def list_closed(world: World) -> None:
    """List the elements that are closed: those of the problem, and of bodies that do not take part."""
    n = 0
    for place in range(world.counts[t.CLOSED_COUNT]):
        e = world.closed[place]
        if world.status[e] >= CLOSED:
            f = world.touched[e]
            if world.member[world.kinds[t.KINDS * f + t.A]] == 0 and world.member[world.kinds[t.KINDS * f + t.B]] == 0:
                world.closed[n] = e
                n += 1
    for i in range(world.counts[t.ROWS]):
        if world.state[i] >= CLOSED:
            world.closed[n] = owner(world, i)
            n += 1
    world.counts[t.CLOSED_COUNT] = n


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
    return decide_laws(world)


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


def decide(world: World, what: int, whose: int, f: int) -> int:
    """What follows where a step ends; END, or why there is nothing.

    Args:
        world: The tables.
        what: Ended it.
        whose: Element that it was; -1 at the beginning of a run.
        f: Its feature.
    """
    lets_go = what == t.LETS_GO or what == t.SLIDES_OFF
    member_of(world, whose)
    if what == t.GOES_AROUND:
        go_around(world, whose)
    if what == t.STRIKES and world.status[whose] < CLOSED:
        gather(world, whose)
        add_contact(world, f)
    else:
        gather(world, whose if lets_go else -1)
    concern(world)
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
    open_members(world)
    lie_down(world, settle_statuses(world, rest, whose if what == t.SLIPS else -1))
    list_closed(world)
    return t.END


def go_around(world: World, e: int) -> None:
    """Let a round shape touch the face, edge or corner that it is about to touch."""
    element = shift(world.elements, t.ELEMENT * e)
    best = AWAY
    chosen = world.touched[e]
    for f in range(element[t.FIRST], element[t.FIRST] + element[t.COUNT]):
        gap = look(world, f, world.more)
        if abs(gap) < best and abs(gap) < 1e-9 and f != world.touched[e] and there(world, f, 0.0, 0.0, AHEAD):
            best = abs(gap)
            chosen = f
    world.touched[e] = chosen


FUNCTIONS: Final = (
    *_impacts.FUNCTIONS,
    add_contact,
    taken,
    mark,
    member_of,
    open_members,
    gather,
    slid_off,
    concern,
    key_of,
    put_in_order,
    parts,
    keep_still,
    accelerate,
    slip_of,
    find_ways,
    settle_statuses,
    lie_down,
    list_closed,
    solve_motion,
    bring_back,
    decide,
    go_around,
)
