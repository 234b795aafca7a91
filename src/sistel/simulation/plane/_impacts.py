"""Impacts of all contacts of a problem: impulses by the laws of Newton, Poisson and Coulomb, within the energy.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, ROUNDING, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HEAP, follow, forces, is_heap, push
from sistel.simulation.plane._laws import CROWDED, decide_laws, held, sweep
from sistel.simulation.plane._places import refresh, speed_n, speed_t
from sistel.simulation.plane.tables import World

RESTING: Final = 1e-11
"""Part of the terms of velocities that counts as none."""
DULL: Final = 1e-7
"""Velocity of an impact below which nothing rebounds [m/s]."""
DULL_IN_HEAPS, DULL_IN_CROWDS = 1e-5, 1e-3
"""The same where more than `HEAP` contacts take part, and more than `CROWDED` of circles [m/s]."""
MOST_IMPACTS: Final = 50
"""Impacts at one instant that may follow from each other."""
ROUNDS: Final = 100
"""Sweeps that tell which contacts push each other where no impulses keep all laws."""


def speeds(world: World) -> float:
    """Velocities of all contacts of the problem, in u; the largest of their terms."""
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        r = shift(world.rows, t.ROW * i)
        a = world.body_a[i]
        b = world.body_b[i]
        world.u_n[i] = speed_n(world, r, a, b, world.rate)
        world.u_t[i] = speed_t(world, r, a, b, world.rate)
        size = abs(world.rate[3 * a]) + abs(world.rate[3 * b]) + abs(world.rate[3 * a + 1]) + abs(world.rate[3 * b + 1])
        size += max(abs(r[t.R_AN]), abs(r[t.R_AT])) * abs(world.rate[3 * a + 2])
        size += max(abs(r[t.R_BN]), abs(r[t.R_BT])) * abs(world.rate[3 * b + 2])
        most = max(most, size)
    return most


def rest_of(world: World, size: float) -> float:
    """Velocity that counts as none [m/s]."""
    return max(RESTING * size, 1e-13 * world.numbers[t.FASTEST])


def one_phase(world: World) -> bool:
    """Solve one phase of an impact from the velocities in b."""
    world.numbers[t.FLOOR] = 1e-13 * world.numbers[t.FASTEST]
    world.counts[t.CARRIES] = 0
    for i in range(world.counts[t.ROWS]):
        world.way[i] = 0.0
        world.state[i] = held(world, i, world.b_n[i] < 0.0 or world.status[owner(world, i)] >= CLOSED)
    return decide_laws(world)


def owner(world: World, i: int) -> int:
    """The element of a contact of the problem."""
    return world.kinds[t.KINDS * world.chosen[i] + t.OWNER]


def gained(world: World, x_n: Floats, x_t: Floats) -> float:
    """What impulses add to the energy [J]; w is what follows from them and u."""
    total = 0.0
    for i in range(world.counts[t.ROWS]):
        total += 0.5 * (x_n[i] * (world.u_n[i] + world.w_n[i]) + x_t[i] * (world.u_t[i] + world.w_t[i]))
    return total


def put_speeds(world: World) -> None:
    """Let the problem begin with the velocities."""
    for i in range(world.counts[t.ROWS]):
        world.b_n[i] = world.u_n[i]
        world.b_t[i] = world.u_t[i]


def rebound(world: World, i: int, law: int) -> float:
    """The coefficient of restitution of a contact, by one of the laws; none of what is dull."""
    back = world.laws[t.LAW * owner(world, i) + law]
    hop = -world.u_n[i] * back
    return back if hop > DULL and hop > dull_of(world) else 0.0


def dull_of(world: World) -> float:
    """Velocity of an impact of the contacts of the problem below which nothing rebounds [m/s]."""
    if world.counts[t.ROWS] > CROWDED and is_heap(world):
        return DULL_IN_CROWDS
    return DULL if world.counts[t.ROWS] <= HEAP else DULL_IN_HEAPS


def note_slow(world: World, speed: float) -> None:
    """Note that something was too slow to be followed: a run says so."""
    if world.counts[t.DULL_COUNT] == 0:
        world.numbers[t.FIRST_DULL] = world.numbers[t.TIME]
        world.numbers[t.DULLEST] = 0.0
    world.counts[t.DULL_COUNT] = world.counts[t.DULL_COUNT] + 1
    world.numbers[t.DULLEST] = max(world.numbers[t.DULLEST], speed)


def note_dull(world: World, i: int) -> None:
    """Note a contact of a heap that would hop and does not."""
    laws = shift(world.laws, t.LAW * owner(world, i))
    hop = -world.u_n[i] * max(laws[t.NEWTON], laws[t.POISSON])
    if hop > DULL and hop <= dull_of(world):
        note_slow(world, hop)


def impulses(world: World) -> bool:
    """Impulses of one impact from the velocities in u, in `given`; whether they are found."""
    count = world.counts[t.ROWS]
    returns = False
    for i in range(count):
        world.back[i] = 0.0
        world.given_n[i] = 0.0
        world.given_t[i] = 0.0
        returns = returns or rebound(world, i, t.POISSON) > 0.0
        note_dull(world, i)
    put_speeds(world)
    found = not returns or one_phase(world)
    if returns and found:
        for i in range(count):
            world.back[i] = world.laws[t.LAW * owner(world, i) + t.POISSON] * world.x_n[i]
            world.given_n[i] = world.x_n[i] + world.back[i]
            world.given_t[i] = world.x_t[i]
        follow(world, world.given_n, world.given_t)
        for i in range(count):
            world.b_n[i] = world.w_n[i]
            world.b_t[i] = world.w_t[i]
    for i in range(count):
        world.b_n[i] = world.b_n[i] + rebound(world, i, t.NEWTON) * min(0.0, world.u_n[i])
    found = found and one_phase(world)
    if not found and not without_rebound(world):
        return False
    for i in range(count):
        world.given_n[i] = world.given_n[i] + world.x_n[i]
        world.given_t[i] = world.given_t[i] + world.x_t[i]
        world.back[i] = 0.0
    return within_energy(world)


def without_rebound(world: World) -> bool:
    """Whether impulses after which nothing rebounds keep all laws, where no others do.

    What is wedged between others that do not give way, as a row of circles that just fills a box, cannot leave with a
    part of the velocity with which it came: all its contacts would have to open at once.
    """
    count = world.counts[t.ROWS]
    for i in range(count):
        world.given_n[i] = 0.0
        world.given_t[i] = 0.0
        world.back[i] = 0.0
    put_speeds(world)
    if not one_phase(world):
        return False
    world.counts[t.WEDGED] = world.counts[t.WEDGED] + 1
    return True


def within_energy(world: World) -> bool:
    """Take back what impulses gain: Newton's rule with friction may; whether that is possible."""
    count = world.counts[t.ROWS]
    put_speeds(world)
    follow(world, world.given_n, world.given_t)
    if gained(world, world.given_n, world.given_t) <= 0.0:
        return True
    for i in range(count):
        world.size[i] = world.w_n[i]
        world.right[i] = world.w_t[i]
    for i in range(count):
        world.sum_n[2 * count + i] = world.w_n[i]
        world.sum_t[2 * count + i] = world.w_t[i]
    if not one_phase(world):
        return False
    put_speeds(world)
    follow(world, world.x_n, world.x_t)
    low = gained(world, world.x_n, world.x_t)
    if low > 0.0:
        return True
    # Along the way from the impact without a rebound to that with one, the energy is a quadratic.
    a = 0.0
    b = 0.0
    for i in range(count):
        dn = world.given_n[i] - world.x_n[i]
        dt = world.given_t[i] - world.x_t[i]
        a += 0.5 * dn * (world.sum_n[2 * count + i] - world.w_n[i])
        a += 0.5 * dt * (world.sum_t[2 * count + i] - world.w_t[i])
        b += dn * world.w_n[i] + dt * world.w_t[i]
    if a + b + low > 0.0:
        root = math.sqrt(b * b + abs(4.0 * (a * low)))
        part = (root - b) / (2.0 * a if a > 0.0 else 1.0)
        for i in range(count):
            world.given_n[i] = world.x_n[i] + part * (world.given_n[i] - world.x_n[i])
            world.given_t[i] = world.x_t[i] + part * (world.given_t[i] - world.x_t[i])
    return True


def take_impulses(world: World) -> None:
    """Let the velocities of all bodies that take part jump, as `given` says."""
    push(world, world.given_n, world.given_t)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(3):
            world.rate[3 * body + k] = world.rate[3 * body + k] + world.spread[6 * body + k]
        refresh(world, body)


def stop_all(world: World) -> None:
    """Let all contacts that push each other stop, in `given`, where no other impulses are found: a run says so.

    Bodies that are wedged, as a row of circles that just fills a box, may press each other so hard that nothing slides
    any more: which forces do so is not determined, what they do is. It loses energy, whatever they are, and keeps
    momenta.
    """
    count = world.counts[t.ROWS]
    for i in range(count):
        world.kept_n[i] = 0.0
        world.kept_t[i] = 0.0
        world.back[i] = 0.0
        world.way[i] = 0.0
    put_speeds(world)
    sweep(world, ROUNDS)
    for i in range(count):
        grips = world.elements[t.ELEMENT * owner(world, i) + t.GRIPS] != 0
        world.state[i] = CLOSED + (STICK if grips else FREE) if world.state[i] >= CLOSED else FREE
    into = True
    for _ in range(count + 1):
        if not into:
            break
        into = False
        forces(world)
        for i in range(count):
            if world.state[i] < CLOSED and world.w_n[i] < -10.0 * ROUNDING * world.numbers[t.FASTEST]:
                grips = world.elements[t.ELEMENT * owner(world, i) + t.GRIPS] != 0
                world.state[i] = CLOSED + (STICK if grips else FREE)
                into = True
    for i in range(count):
        world.given_n[i] = world.x_n[i]
        world.given_t[i] = world.x_t[i]
    world.counts[t.HELD_ALL] = world.counts[t.HELD_ALL] + 1


def impact(world: World, rest: float) -> bool:
    """The impact of all contacts of the problem; impulses in `sum`; whether there is one."""
    count = world.counts[t.ROWS]
    for i in range(count):
        world.sum_n[i] = 0.0
        world.sum_t[i] = 0.0
        world.sum_n[count + i] = world.u_n[i]
        world.sum_t[count + i] = world.u_t[i]
    stopped = False
    for turn in range(MOST_IMPACTS):
        into = False
        # What is left of an impact is as small as the slack of its laws.
        least = rest if turn == 0 else max(rest, 10.0 * ROUNDING * world.numbers[t.FASTEST])
        for i in range(count):
            into = into or world.u_n[i] < -least
        if stopped or not into:
            loss = 0.0
            for i in range(count):
                loss += world.sum_n[i] * (world.sum_n[count + i] + world.u_n[i])
                loss += world.sum_t[i] * (world.sum_t[count + i] + world.u_t[i])
            world.numbers[t.LOSS] = -0.5 * loss
            return True
        stopped = turn == MOST_IMPACTS - 2 or not impulses(world)
        if stopped:
            stop_all(world)
        take_impulses(world)
        for i in range(count):
            world.sum_n[i] = world.sum_n[i] + world.given_n[i]
            world.sum_t[i] = world.sum_t[i] + world.given_t[i]
        speeds(world)
    return False


FUNCTIONS: Final = (
    speeds,
    rest_of,
    one_phase,
    owner,
    gained,
    put_speeds,
    rebound,
    dull_of,
    note_slow,
    note_dull,
    impulses,
    without_rebound,
    within_energy,
    take_impulses,
    stop_all,
    impact,
)
