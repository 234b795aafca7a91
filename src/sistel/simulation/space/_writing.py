"""Steps of bodies in space as a run keeps them, and where bodies are at their ends.

A run keeps quaternions and places, and spins and velocities in the frames of bodies. Their series have as few terms as
the length of a step needs. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._loop import shown
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import product
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._flight import needs_rotation, spins, turn_on
from sistel.simulation.space._places import refresh
from sistel.simulation.space._vectors import horner, length

LEAST: Final = 1e-18
"""Part of a quantity that a term of its series may be left out for."""


def turns(world: World, body: int) -> bool:
    """Whether a body turns within the step."""
    return world.asleep[body] == 0 and (world.degree[body] > 2 or spins(world, body))


def terms(world: World, time: float) -> int:
    """How many powers of the time a step needs."""
    w = width(world)
    order = world.counts[t.ORDER]
    most = 2
    for body in range(1, world.counts[t.BODIES]):
        if not turns(world, body):
            continue
        angle = length(shift(world.rate, s.RATE * body + 3)) * time
        needed = 2
        term = 0.5 * angle * angle
        while needed < order and term > LEAST:
            needed += 1
            term = term * angle / float(needed)
        most = max(most, needed)
        if world.degree[body] > 2:
            own = shift(world.series, body * s.SERIES * w)
            reach = world.bodies[s.BODY * body + s.REACH]
            power = 1.0
            for k in range(order + 1):
                part = 0.0
                for side in range(3):
                    part = max(part, abs(own[(s.S_X + side) * w + k]) / reach, abs(own[(s.S_V + side) * w + k]))
                    part = max(part, abs(own[(s.S_W + side) * w + k]) * max(time, 1e-6), abs(angle))
                    part = abs(own[(s.S_X + side) * w + k]) / reach if k >= order - 1 else part
                if k > most and part * power > LEAST:
                    most = k
                power *= time
    return min(most, order)


def put_turns(world: World, body: int, last: int) -> None:
    """Series of the quaternion of a body, and of its rotation."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    spin = shift(own, s.S_W * w)
    q = shift(own, s.S_Q * w)
    for side in range(4):
        q[side * w] = world.place[s.PLACE * body + 3 + side]
        for k in range(1, last + 1):
            q[side * w + k] = 0.0
    if not turns(world, body):
        return
    rotates = needs_rotation(world, body)
    for k in range(last):
        if not rotates:
            turn_on(world, body, k)
        half = 0.5 / float(k + 1)
        total = 0.0
        for side in range(3):
            total -= product(shift(spin, side * w), shift(q, (1 + side) * w), k)
        q[k + 1] = half * total
        for side in range(3):
            next_one = (side + 1) % 3
            last_one = (side + 2) % 3
            total = product(shift(spin, side * w), q, k)
            total += product(shift(spin, next_one * w), shift(q, (1 + last_one) * w), k)
            total -= product(shift(spin, last_one * w), shift(q, (1 + next_one) * w), k)
            q[(1 + side) * w + k + 1] = half * total


def put_state(world: World, body: int, last: int, q: Floats, v: Floats) -> None:
    """The series of the coordinates and velocities of a body, as a run has them."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    com = shift(world.bodies, s.BODY * body + s.COM)
    off = com[0] != 0.0 or com[1] != 0.0 or com[2] != 0.0
    wide = last + 1
    moves = world.asleep[body] == 0
    for k in range(wide):
        for side in range(4):
            q[side * wide + k] = own[(s.S_Q + side) * w + k]
        for side in range(3):
            r = shift(own, (s.S_R + 3 * side) * w)
            q[(4 + side) * wide + k] = own[side * w + k]
            if off:
                part = r[k] * com[0] + r[w + k] * com[1] + r[2 * w + k] * com[2]
                q[(4 + side) * wide + k] = own[side * w + k] - part
            spun = 0.0
            gone = 0.0
            if moves:
                for place in range(3):
                    column = shift(own, (s.S_R + 3 * place + side) * w)
                    spun += product(column, shift(own, (s.S_W + place) * w), k)
                    gone += product(column, shift(own, (s.S_V + place) * w), k)
            v[side * wide + k] = spun
            v[(3 + side) * wide + k] = gone
        if off:
            for side in range(3):
                next_one = (side + 1) % 3
                last_one = (side + 2) % 3
                part = v[next_one * wide + k] * com[last_one] - v[last_one * wide + k] * com[next_one]
                v[(3 + side) * wide + k] = v[(3 + side) * wide + k] - part


def record(world: World, time: float, last: int) -> bool:
    """Write a step down, with that many powers; whether there is room for another one."""
    counts = world.counts
    step = counts[t.STEPS]
    n = counts[t.BODIES]
    counts[t.ALL_STEPS] = counts[t.ALL_STEPS] + 1
    if counts[t.RECORD] == 0:
        return True
    wide = last + 1
    out = shift(world.coefficients, counts[t.WRITTEN])
    for body in range(1, n):
        q = shift(out, s.PLACE * (body - 1) * wide)
        v = shift(out, (s.PLACE * (n - 1) + s.RATE * (body - 1)) * wide)
        put_state(world, body, last, q, v)
    rows = (s.PLACE + s.RATE) * (n - 1)
    clock = shift(out, rows * wide)
    for k in range(wide):
        clock[k] = 0.0
    clock[0] = world.numbers[t.TIME]
    clock[1] = 1.0
    world.times[2 * step] = world.numbers[t.TIME]
    world.times[2 * step + 1] = time
    world.orders[step] = last
    counts[t.STEPS] = step + 1
    counts[t.WRITTEN] = counts[t.WRITTEN] + (rows + 1) * wide
    most = (rows + 1) * (counts[t.ORDER] + 1)
    return step + 1 < counts[t.STEP_ROOM] and counts[t.WRITTEN] + most <= counts[t.WRITE_ROOM]


def advance(world: World, time: float, last: int) -> None:
    """Go on along the series."""
    w = width(world)
    order = world.counts[t.ORDER]
    for body in range(1, world.counts[t.BODIES]):
        if world.asleep[body] != 0:
            continue
        own = shift(world.series, body * s.SERIES * w)
        place = shift(world.place, s.PLACE * body)
        rate = shift(world.rate, s.RATE * body)
        turned = turns(world, body)
        held = world.degree[body] > 2
        for side in range(3):
            place[side] = horner(shift(own, side * w), order if held else 2, time)
            rate[side] = horner(shift(own, (s.S_V + side) * w), order - 1 if held else 1, time)
            rate[3 + side] = horner(shift(own, (s.S_W + side) * w), order - 1 if held else order, time)
        if turned:
            size = 0.0
            for side in range(4):
                place[3 + side] = horner(shift(own, (s.S_Q + side) * w), last, time)
                size += place[3 + side] * place[3 + side]
            size = 1.0 / math.sqrt(size)
            for side in range(4):
                place[3 + side] = place[3 + side] * size
        refresh(world, body)


def remember(world: World) -> None:
    """Keep the statuses before a passage."""
    world.counts[s.BEFORE] = world.counts[t.CLOSED_COUNT]
    for place in range(world.counts[t.CLOSED_COUNT]):
        e = world.closed[place]
        world.first[place] = e
        world.before[e] = world.status[e]


def write_change(world: World, e: int) -> None:
    """Write down what an element does, if that is something else than before."""
    if shown(world.before[e]) != shown(world.status[e]):
        n = world.counts[t.CHANGES]
        world.changes[2 * n] = e
        world.changes[2 * n + 1] = shown(world.status[e])
        world.counts[t.CHANGES] = n + 1


def write_changes(world: World) -> int:
    """Write down all changes of statuses; how many there are."""
    first = world.counts[t.CHANGES]
    for place in range(world.counts[s.BEFORE]):
        write_change(world, world.first[place])
    for place in range(world.counts[t.CLOSED_COUNT]):
        if world.before[world.closed[place]] < CLOSED:
            write_change(world, world.closed[place])
    for place in range(world.counts[s.BEFORE]):
        world.before[world.first[place]] = 0
    return world.counts[t.CHANGES] - first


FUNCTIONS: Final = (
    shown,
    turns,
    terms,
    put_turns,
    put_state,
    record,
    advance,
    remember,
    write_change,
    write_changes,
)
