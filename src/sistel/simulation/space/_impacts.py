"""Impacts of solids in space: the impulses of all contacts of the bodies concerned, by Newton's or Poisson's rule.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, ROUNDING, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._impacts import DULL, MOST_IMPACTS, note_slow, owner, rest_of
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._equations import follow, follows, forces, law_of, nudge, own_responses, push
from sistel.simulation.space._laws import decide_laws, held
from sistel.simulation.space._places import refresh, speed_of
from sistel.simulation.space._vectors import dot, length

DULL_IN_STACKS: Final = 1e-4
"""Velocity of an impact below which nothing rebounds where more than `STACK` contacts take part [m/s]."""
STACK: Final = 12
BESIDE: Final = 1e-8
"""Gap up to which what is open takes part in an impact of so many contacts [m]."""
SOME_IMPACTS, MORE_IMPACTS = 3, 10
"""Impacts at one instant after which `SWEPT` counts as none, and after which contacts strike one by one."""
SWEPT: Final = 1e-7
"""Part of the largest velocity."""
CHAIN: Final = 5000
ELASTIC: Final = 50
"""Rounds of single impacts at one instant, and those in which they rebound."""


def speeds(world: World) -> float:
    """Velocities of all contacts of the problem, in u; the largest of their terms."""
    most = 0.0
    found = world.more
    for i in range(world.counts[t.ROWS]):
        r = shift(world.rows, s.ROW * i)
        a = world.body_a[i]
        b = world.body_b[i]
        speed_of(world, a, b, shift(r, s.R_A), shift(r, s.R_B), world.rate, found)
        for side in range(3):
            world.u_n[3 * i + side] = dot(shift(r, s.R_N + 3 * side), found)
        one = shift(world.rate, s.RATE * a)
        two = shift(world.rate, s.RATE * b)
        size = length(one) + length(shift(one, 3)) * length(shift(r, s.R_A))
        size += length(two) + (length(shift(two, 3)) * length(shift(r, s.R_B)) if b != 0 else 0.0)
        most = max(most, size)
    return most


def one_phase(world: World) -> bool:
    """Solve one phase of an impact from the velocities in b."""
    world.numbers[t.FLOOR] = 1e-13 * world.numbers[t.FASTEST]
    for i in range(world.counts[t.ROWS]):
        world.way[3 * i + 2] = 0.0
        world.state[i] = held(world, i, world.b_n[3 * i] < 0.0 or world.status[owner(world, i)] >= CLOSED)
    return decide_laws(world)


def gained(world: World, x: Floats) -> float:
    """What impulses add to the energy [J]; w is what follows from them and u."""
    total = 0.0
    for k in range(3 * world.counts[t.ROWS]):
        total += 0.5 * x[k] * (world.u_n[k] + world.w_n[k])
    return total


def copy(world: World, a: Floats, found: Floats) -> None:
    """Copy numbers of all contacts."""
    for k in range(3 * world.counts[t.ROWS]):
        found[k] = a[k]


def dull_of(world: World) -> float:
    """Velocity of an impact of the contacts of the problem below which nothing rebounds [m/s]."""
    return DULL_IN_STACKS if world.counts[s.CROWDED] != 0 else DULL


def rebound(world: World, i: int, law: int) -> float:
    """The coefficient of restitution of a contact, by one of the laws; none of what is dull."""
    back = law_of(world, i, law)
    return back if -world.u_n[3 * i] * back > dull_of(world) else 0.0


def impulses(world: World) -> bool:
    """Impulses of one impact from the velocities in u, in `given`; whether they are found."""
    count = world.counts[t.ROWS]
    returns = False
    for i in range(count):
        world.back[i] = 0.0
        returns = returns or rebound(world, i, t.POISSON) > 0.0
        hop = -world.u_n[3 * i] * max(law_of(world, i, t.NEWTON), law_of(world, i, t.POISSON))
        if DULL < hop <= dull_of(world):
            note_slow(world, hop)
    for k in range(3 * count):
        world.given_n[k] = 0.0
    copy(world, world.u_n, world.b_n)
    if returns:
        if not one_phase(world):
            return False
        copy(world, world.x_n, world.given_n)
        for i in range(count):
            world.back[i] = law_of(world, i, t.POISSON) * max(0.0, world.x_n[3 * i])
            world.given_n[3 * i] = world.given_n[3 * i] + world.back[i]
        follow(world, world.given_n)
        copy(world, world.w_n, world.b_n)
    for i in range(count):
        world.b_n[3 * i] = world.b_n[3 * i] + rebound(world, i, t.NEWTON) * min(0.0, world.u_n[3 * i])
    if not one_phase(world):
        return False
    for k in range(3 * count):
        world.given_n[k] = world.given_n[k] + world.x_n[k]
    for i in range(count):
        world.back[i] = 0.0
    return within_energy(world)


def within_energy(world: World) -> bool:
    """Take back what impulses gain: Newton's rule with friction may; whether that is possible."""
    count = world.counts[t.ROWS]
    copy(world, world.u_n, world.b_n)
    follow(world, world.given_n)
    if gained(world, world.given_n) <= 0.0:
        return True
    after = shift(world.sum_n, 6 * count)
    copy(world, world.w_n, after)
    if not one_phase(world):
        return False
    follow(world, world.x_n)
    low = gained(world, world.x_n)
    if low > 0.0:
        return True
    # Along the way from the impact without a rebound to that with one, the energy is a quadratic.
    a = 0.0
    b = 0.0
    for k in range(3 * count):
        more = world.given_n[k] - world.x_n[k]
        a += 0.5 * more * (after[k] - world.w_n[k])
        b += more * world.w_n[k]
    if a + b + low > 0.0:
        root = math.sqrt(b * b + abs(4.0 * (a * low)))
        part = (root - b) / (2.0 * a if a > 0.0 else 1.0)
        for k in range(3 * count):
            world.given_n[k] = world.x_n[k] + part * (world.given_n[k] - world.x_n[k])
    return True


def take_impulses(world: World) -> None:
    """Let the velocities of all bodies that take part jump, as `given` says."""
    push(world, world.given_n)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(s.RATE):
            world.rate[s.RATE * body + k] = world.rate[s.RATE * body + k] + world.spread[s.SPREAD * body + k]
        refresh(world, body)


def strike_alone(world: World, i: int, least: float, rebounds: bool) -> bool:
    """Let one contact strike as though it were alone, by Newton's rule and Coulomb's; whether it comes nearer at all.

    Along the normal its velocity is stopped or turned around, across it no more than stopped: energy is only lost.
    """
    element = shift(world.elements, t.ELEMENT * owner(world, i))
    x = shift(world.given_n, 3 * i)
    w = shift(world.w_n, 3 * i)
    own = shift(world.kept_t, 3 * i)
    more = world.right
    follows(world, i)
    if w[0] >= -least:
        return False
    back = max(law_of(world, i, t.NEWTON), law_of(world, i, t.POISSON)) if rebounds else 0.0
    back = back if -w[0] * back > dull_of(world) else 0.0
    more[0] = -(1.0 + back) * w[0] / own[0]
    more[1] = 0.0
    more[2] = 0.0
    x[0] = x[0] + more[0]
    nudge(world, i, more)
    if element[t.GRIPS] == 0:
        return True
    follows(world, i)
    most = law_of(world, i, t.FRICTION) * more[0]
    size = math.sqrt(w[1] * w[1] + w[2] * w[2])
    part = 1.0 / own[1]
    if element[t.CLINGS] == 0 and size * part > most:
        part = most / size
    more[0] = 0.0
    more[1] = -part * w[1]
    more[2] = -part * w[2]
    x[1] = x[1] + more[1]
    x[2] = x[2] + more[2]
    nudge(world, i, more)
    return True


def one_by_one(world: World, least: float) -> bool:
    """Impulses of contacts that strike one after another at one instant, in `given`; whether that comes to an end.

    This is what is left where no impulses of all at once keep all laws: every impact of the chain keeps its own.
    """
    count = world.counts[t.ROWS]
    copy(world, world.u_n, world.b_n)
    for k in range(3 * count):
        world.given_n[k] = 0.0
    own_responses(world)
    push(world, world.given_n)
    for turn in range(CHAIN):
        into = False
        for i in range(count):
            into = strike_alone(world, i, least, turn < ELASTIC) or into
        if not into:
            world.counts[s.CHAINS] = world.counts[s.CHAINS] + 1
            return True
    return False


def stop_all(world: World) -> bool:
    """Let all contacts of a heap stop, in `given`, where no other impulses are found; whether that may be.

    That loses energy, whatever they are, and keeps momenta: a run says that there was such.
    """
    count = world.counts[t.ROWS]
    if world.counts[s.CROWDED] == 0:
        return False
    for i in range(count):
        grips = world.elements[t.ELEMENT * owner(world, i) + t.GRIPS] != 0
        world.state[i] = CLOSED + (STICK if grips else FREE)
        world.back[i] = 0.0
    copy(world, world.u_n, world.b_n)
    forces(world)
    copy(world, world.x_n, world.given_n)
    world.counts[t.HELD_ALL] = world.counts[t.HELD_ALL] + 1
    return True


def impact(world: World, rest: float) -> bool:
    """The impact of all contacts of the problem; impulses in `sum`; whether there is one."""
    count = world.counts[t.ROWS]
    for k in range(3 * count):
        world.sum_n[k] = 0.0
        world.sum_n[3 * count + k] = world.u_n[k]
    for turn in range(MOST_IMPACTS + 1):
        into = False
        # What is left of an impact is as small as the slack of its laws.
        least = rest if turn == 0 else max(rest, 10.0 * ROUNDING * world.numbers[t.FASTEST])
        if turn >= SOME_IMPACTS and world.box_pairs[0] > 0:
            least = max(least, SWEPT * world.numbers[t.FASTEST])
        for i in range(count):
            into = into or world.u_n[3 * i] < -least
        if not into:
            loss = 0.0
            for k in range(3 * count):
                loss += world.sum_n[k] * (world.sum_n[3 * count + k] + world.u_n[k])
            world.numbers[t.LOSS] = -0.5 * loss
            return True
        chained = turn >= MORE_IMPACTS and world.box_pairs[0] > 0
        found = not chained and turn < MOST_IMPACTS - 1 and impulses(world)
        last = turn >= MOST_IMPACTS - 1 and world.box_pairs[0] == 0 and world.counts[s.CROWDED] != 0
        found = found or (not last and one_by_one(world, max(least, SWEPT * world.numbers[t.FASTEST])))
        if not found and not stop_all(world):
            return False
        take_impulses(world)
        for k in range(3 * count):
            world.sum_n[k] = world.sum_n[k] + world.given_n[k]
        speeds(world)
    return False


def write_blows(world: World) -> None:
    """Write down the impulses of the impact."""
    for i in range(world.counts[t.ROWS]):
        n = world.counts[t.BLOWS]
        x = shift(world.sum_n, 3 * i)
        if (x[0] == 0.0 and x[1] == 0.0 and x[2] == 0.0) or n >= world.counts[t.BLOW_ROOM]:
            continue
        r = shift(world.rows, s.ROW * i)
        note = shift(world.blows, s.BLOW * n)
        note[0] = float(owner(world, i))
        for side in range(3):
            note[1 + side] = x[0] * r[s.R_N + side] + x[1] * r[s.R_S + side] + x[2] * r[s.R_T + side]
            note[4 + side] = r[s.R_N + side]
            note[7 + side] = r[s.R_X + side]
        world.counts[t.BLOWS] = n + 1


FUNCTIONS: Final = (
    owner,
    rest_of,
    speeds,
    one_phase,
    gained,
    copy,
    note_slow,
    dull_of,
    rebound,
    impulses,
    within_energy,
    take_impulses,
    strike_alone,
    one_by_one,
    stop_all,
    impact,
    write_blows,
)
