"""What follows where a step ends: the impact of what strikes, and what all contacts of the bodies concerned do next.

Only bodies that touch each other, directly or through others, take part. Impacts slower than `DULL` have no rebound,
and what parts as slowly stays: the hops that are left out are lower than 1e-15 m. Impacts in heaps crowd together in
all contacts at once (Zeno), so there `DULL_IN_HEAPS` takes its place: hops lower than the gap that counts as closed are
none. Where such small velocities change what bodies do all the same, all are followed. Written in the compiled subset
of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK
from sistel.kernels.subset import shift
from sistel.simulation.plane import _impacts
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HEAP, HELD, all_round, follow, forces
from sistel.simulation.plane._impacts import (
    DULL,
    MOST_IMPACTS,
    dull_of,
    gained,
    impact,
    owner,
    put_speeds,
    rest_of,
    speeds,
    take_impulses,
)
from sistel.simulation.plane._laws import decide_laws, held
from sistel.simulation.plane._meetings import GLANCE, LONGEST_CALM, SOON
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
from sistel.simulation.plane._series import extend, first_turns, rate, take_rows
from sistel.simulation.plane.tables import World

LEAST_HARM: Final = 20.0
"""How many times that what bodies do may change where what is slower is left out."""
STILL: Final = 1e-9
"""Part of the acceleration of gravity that counts as none where bodies come to rest."""
SEEN: Final = 1e-6
"""Velocity with which something parts that may seem to fall again at the same instant [m/s]."""
SLOW_SLIP: Final = 1e-10
"""Part of the largest velocity of contacts that counts as no slip: bodies that are held twice stop in all places."""


def keep_still(world: World, rest: float, whose: int) -> None:
    """Keep the contacts of the problem that do not part; that of an element that seems to strike parts no slower."""
    kept = 0
    for i in range(world.counts[t.ROWS]):
        if world.u_n[i] <= (max(rest, SEEN) if owner(world, i) == whose else rest):
            world.chosen[kept] = world.chosen[i]
            world.body_a[kept] = world.body_a[i]
            world.body_b[kept] = world.body_b[i]
            world.u_n[kept] = world.u_n[i]
            world.u_t[kept] = world.u_t[i]
            kept += 1
    world.counts[t.ROWS] = kept


def accelerations(world: World) -> None:
    """Let the problem begin with accelerations: of contacts that carry nothing."""
    world.counts[t.CARRIES] = 1
    first_turns(world)
    for i in range(world.counts[t.ROWS]):
        take_rows(world, i)
        extend(world, i, 1)
        world.b_n[i] = rate(world, i, 1, 0)
        world.b_t[i] = rate(world, i, 1, 1)
        world.back[i] = 0.0


def find_ways(world: World, what: int, whose: int, rest: float, struck: bool, way: float) -> None:
    """Which contacts slide, and how; where the search for statuses begins.

    Args:
        world: The tables.
        what: Ended the step.
        whose: Element that it was.
        rest: Velocity that counts as none [m/s].
        struck: Whether there was an impact.
        way: The direction in which it begins to slip, where it does.
    """
    for i in range(world.counts[t.ROWS]):
        e = owner(world, i)
        grip = world.status[e] % CLOSED
        sticks = world.status[e] >= CLOSED and grip == STICK and not struck
        world.way[i] = 0.0
        if (
            abs(world.u_t[i]) > max(rest, SLOW_SLIP * world.numbers[t.FASTEST], world.numbers[t.DULL])
            and not sticks
            and not (e == whose and what == t.STOPS and not struck)
        ):
            world.way[i] = 1.0 if world.u_t[i] > 0.0 else -1.0
        if e == whose and what == t.SLIPS and not struck:
            world.way[i] = way
        world.state[i] = held(world, i, True)
        stops = e == whose and what == t.STOPS
        if world.status[e] >= CLOSED and world.way[i] == 0.0 and grip != FREE and not stops:
            world.state[i] = world.status[e] % HELD


def settle_statuses(world: World, rest: float, slips: int) -> bool:
    """Take the statuses that were found; whether all bodies that take part rest.

    Args:
        world: The tables.
        rest: Velocity that counts as none [m/s].
        slips: The element that begins to slip, -1 for none.
    """
    least = world.numbers[t.FLOOR]
    for i in range(world.counts[t.ROWS]):
        if world.state[i] >= CLOSED:
            e = owner(world, i)
            world.loads[2 * e] = world.x_n[i]
            world.loads[2 * e + 1] = world.x_t[i]
            world.status[e] = world.state[i]
            still = abs(world.u_t[i]) <= max(rest, SLOW_SLIP * world.numbers[t.FASTEST])
            still = still and world.state[i] % CLOSED >= PLUS and e != slips
            if still and abs(world.w_t[i]) <= ROUNDING * world.size[i] + least:
                world.status[e] = world.state[i] + HELD
            world.touched[e] = world.chosen[i]
    pulled = abs(world.numbers[t.GX]) + abs(world.numbers[t.GY])
    rests = True
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        reach = world.bodies[t.BODY * body + t.REACH]
        own = shift(world.spread, 6 * body)
        ax = own[0] + world.numbers[t.GX]
        ay = own[1] + world.numbers[t.GY]
        slow = STILL * pulled
        rests = rests and abs(ax) <= slow and abs(ay) <= slow and abs(own[2]) * reach <= slow
        for k in range(3):
            rests = rests and abs(world.rate[3 * body + k]) * (reach if k == 2 else 1.0) <= 1e-12
    return rests


def solve_motion(world: World, what: int, whose: int, rest: float, struck: bool, way: float) -> bool:
    """Statuses of contacts that do not part, from accelerations; whether there are such."""
    accelerations(world)
    world.numbers[t.FLOOR] = 1e-12 * (abs(world.numbers[t.GX]) + abs(world.numbers[t.GY]))
    find_ways(world, what, whose, rest, struck, way)
    if decide_laws(world):
        return True
    # What begins to slip may be held by others.
    find_ways(world, t.NOTHING, -1, rest, struck, 0.0)
    return decide_laws(world) or hold_all(world)


def rest_a_moment(world: World) -> None:
    """Let the contacts of the members hold what they hold for a moment: a run says that there was such.

    Where they had to do so just before, it is twice as long: what jams does so for a while.
    """
    now = world.numbers[t.TIME]
    longest = 0.0
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        if now - world.calm_until[body] < SOON:
            longest = max(longest, world.calm_for[body])
    longest = min(max(GLANCE, 2.0 * longest), LONGEST_CALM)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        world.calm_for[body] = longest
        world.calm_until[body] = now + longest
    world.counts[t.HELD_ALL] = world.counts[t.HELD_ALL] + 1
    world.numbers[t.LONGEST_HOLD] = max(world.numbers[t.LONGEST_HOLD], longest)


def hold_all(world: World) -> bool:
    """Let all contacts hold for a moment where no forces are found that keep all laws; whether that may be.

    It may in heaps, and where all contacts are of circles. What slides goes on without friction meanwhile: so no
    contact does any work.
    """
    if world.counts[t.ROWS] <= HEAP and not all_round(world):
        return False
    for i in range(world.counts[t.ROWS]):
        grip = held(world, i, True) % CLOSED
        world.state[i] = CLOSED + (FREE if grip >= PLUS else grip)
        world.back[i] = 0.0
    forces(world)
    rest_a_moment(world)
    return True


def bring_back(world: World, f: int, what: int, rest: float, struck: bool) -> bool:
    """Whether an element that lets go would go through its surface: then it takes part again, and all is well."""
    i = world.counts[t.ROWS]
    add_contact(world, f)
    take_rows(world, i)
    world.state[i] = 0
    extend(world, i, 1)
    world.b_n[i] = rate(world, i, 1, 0)
    world.b_t[i] = rate(world, i, 1, 1)
    world.back[i] = 0.0
    world.x_n[i] = 0.0
    world.x_t[i] = 0.0
    follow(world, world.x_n, world.x_t)
    falls = world.w_n[i] < -(ROUNDING * world.size[i] + world.numbers[t.FLOOR])
    if not falls:
        world.counts[t.ROWS] = i
        return True
    put_in_order(world)
    for j in range(world.counts[t.ROWS]):
        take_rows(world, j)
    speeds(world)
    return solve_motion(world, t.NOTHING, -1, rest, struck, 0.0)


def creeps(world: World, i: int) -> bool:
    """Whether a contact that sticks, or that begins to slide, has a slip that it should not have."""
    grip = world.state[i] % CLOSED
    if world.elements[t.ELEMENT * owner(world, i) + t.GRIPS] == 0 or world.way[i] != 0.0:
        return False
    return grip == STICK or (grip == PLUS and world.u_t[i] < 0.0) or (grip == MINUS and world.u_t[i] > 0.0)


def calm(world: World, rest: float) -> bool:
    """Take from contacts that stay the velocities that are too small for a hop or a slip; whether there were such.

    Nothing rubs meanwhile: so the energy that is lost is that of what is taken, and none is gained. Others may not be
    driven into their surfaces by that: then they stay as well.
    """
    count = world.counts[t.ROWS]
    least = max(rest, 10.0 * ROUNDING * world.numbers[t.FASTEST])
    needed = False
    for i in range(count):
        if world.state[i] >= CLOSED:
            needed = needed or abs(world.u_n[i]) > rest or (creeps(world, i) and abs(world.u_t[i]) > rest)
    if not needed:
        return False
    for i in range(count):
        world.sum_n[i] = 0.0
        world.sum_t[i] = 0.0
    for _ in range(MOST_IMPACTS):
        for i in range(count):
            world.best[i] = world.state[i]
            world.back[i] = 0.0
            if world.state[i] >= CLOSED:
                world.state[i] = CLOSED + (STICK if creeps(world, i) else FREE)
        put_speeds(world)
        forces(world)
        for i in range(count):
            world.given_n[i] = world.x_n[i]
            world.given_t[i] = world.x_t[i]
            world.sum_n[i] = world.sum_n[i] + world.x_n[i]
            world.sum_t[i] = world.sum_t[i] + world.x_t[i]
            world.state[i] = world.best[i]
        world.numbers[t.LOSS] = world.numbers[t.LOSS] - gained(world, world.x_n, world.x_t)
        take_impulses(world)
        speeds(world)
        into = False
        for i in range(count):
            if world.state[i] < CLOSED and world.u_n[i] < -least:
                world.state[i] = held(world, i, True)
                into = True
        if not into:
            break
    return True


def decide(world: World, what: int, whose: int, f: int, way: float) -> int:
    """What follows where a step ends; END, or why there is nothing.

    Args:
        world: The tables.
        what: Ended it.
        whose: Element that it was; -1 at the beginning of a run.
        f: Its feature.
        way: The direction in which it begins to slip, where it does.
    """
    assemble(world, what, whose, f)
    if world.counts[t.ROWS] > world.counts[t.MOST]:
        return t.TOO_MANY
    for i in range(world.counts[t.ROWS]):
        take_rows(world, i)
    size = speeds(world)
    world.numbers[t.FASTEST] = max(world.numbers[t.FASTEST], size)
    rest = rest_of(world, size)
    world.numbers[t.LOSS] = 0.0
    struck = False
    if strikes(world, rest, 0):
        keep_rates(world)
        if not impact(world, rest):
            return t.NO_IMPACT
        struck = strikes(world, rest, world.counts[t.ROWS])
        if struck:
            write_blows(world)
        else:
            world.numbers[t.LOSS] = 0.0
            take_rates_back(world)
    world.counts[t.STRUCK] = 1 if struck else 0
    keep_rates(world)
    dull = dull_of(world)
    while not goes_on(world, what, whose, f, way, struck, dull):
        if dull == 0.0:
            return t.NO_SOLUTION
        # What is small is not always harmless: then slower hops and slips are followed, at last all.
        dull = DULL if dull > DULL else 0.0
        take_rates_back(world)
        assemble(world, what, whose, f)
        for i in range(world.counts[t.ROWS]):
            take_rows(world, i)
    open_members(world)
    rests = settle_statuses(world, rest_of(world, speeds(world)), whose if what == t.SLIPS else -1)
    lie_down(world, rests)
    list_closed(world)
    return t.END


def strikes(world: World, rest: float, after: int) -> bool:
    """Whether something that is open strikes; less than the slack of their laws is left as it is by impacts.

    Args:
        world: The tables.
        rest: Velocity that counts as none [m/s].
        after: Whether it has struck: then how many contacts there are, else 0. What is left as it was has not.
    """
    found = False
    for i in range(world.counts[t.ROWS]):
        speed = world.sum_n[after + i] if after > 0 else world.u_n[i]
        into = speed < -(rest + ROUNDING * (abs(speed) + abs(world.u_t[i]))) and world.status[owner(world, i)] < CLOSED
        found = found or (into and (after == 0 or world.u_n[i] > 0.5 * speed))
    return found


def goes_on(world: World, what: int, whose: int, f: int, way: float, struck: bool, dull: float) -> bool:
    """How contacts go on after all impacts; whether they do, without harm where slow hops and slips are left out.

    Args:
        world: The tables.
        what: Ended the step.
        whose: Element that it was; -1 at the beginning of a run.
        f: Its feature.
        way: The direction in which it begins to slip, where it does.
        struck: Whether there was an impact.
        dull: Velocity below which hops, and slips after impacts, are left out [m/s].
    """
    rest = rest_of(world, speeds(world))
    world.numbers[t.DULL] = dull if struck else 0.0
    seems = what == t.STRIKES and not struck and dull > 0.0
    keep_still(world, max(rest, dull), whose if seems else -1)
    if not solve_motion(world, what, whose, rest, struck, way):
        return False
    if what == t.LETS_GO and not struck and not bring_back(world, f, what, rest, struck):
        return False
    loss = world.numbers[t.LOSS]
    if dull == 0.0 or not calm(world, rest):
        return True
    if harms(world, loss, dull):
        world.numbers[t.LOSS] = loss
        return False
    write_blows(world)
    accelerations(world)
    return decide_laws(world) or hold_all(world)


def changed_by(world: World) -> float:
    """How much the velocities of bodies have changed since they were kept [m/s]."""
    most = 0.0
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(3):
            reach = world.bodies[t.BODY * body + t.REACH] if k == 2 else 1.0
            most = max(most, abs(world.rate[3 * body + k] - world.kept_rate[3 * body + k]) * reach)
    return most


def harms(world: World, loss: float, dull: float) -> bool:
    """Whether what was taken from slow contacts has changed what bodies do: long chains of them may multiply it.

    Args:
        world: The tables.
        loss: Of energy before that [J].
        dull: Velocity below which contacts are slow [m/s].
    """
    most = LEAST_HARM * dull
    weight = 0.0
    for place in range(world.counts[t.MEMBERS]):
        weight += 1.0 / world.bodies[t.BODY * world.members[place] + t.LIGHT]
    harm = changed_by(world) > most
    lost = world.numbers[t.LOSS] - loss
    return harm or lost > weight * most * most or lost < -weight * LEAST_HARM * DULL * LEAST_HARM * DULL


def write_blows(world: World) -> None:
    """Write down the impulses of the impact."""
    for i in range(world.counts[t.ROWS]):
        n = world.counts[t.BLOWS]
        if (world.sum_n[i] == 0.0 and world.sum_t[i] == 0.0) or n >= world.counts[t.BLOW_ROOM]:
            continue
        r = shift(world.rows, t.ROW * i)
        note = shift(world.blows, t.BLOW * n)
        note[0] = float(owner(world, i))
        note[1] = world.sum_n[i]
        note[2] = world.sum_t[i]
        note[3] = r[t.R_NX]
        note[4] = r[t.R_NY]
        note[5] = r[t.R_X]
        note[6] = r[t.R_Y]
        world.counts[t.BLOWS] = n + 1


FUNCTIONS: Final = (
    *_impacts.FUNCTIONS,
    keep_still,
    accelerations,
    find_ways,
    settle_statuses,
    solve_motion,
    rest_a_moment,
    hold_all,
    bring_back,
    creeps,
    calm,
    strikes,
    goes_on,
    changed_by,
    harms,
    decide,
    write_blows,
)
