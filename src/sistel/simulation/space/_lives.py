"""How bodies of space live between what happens to them, as in the plane: see `sistel.simulation.plane._lives`.

A run keeps quaternions and places, and spins and velocities in the frames of bodies: their series are made when a body
leaves them, with as few terms as the time needs. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._lives import bound, lived_short, move_on, note_piece
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import product
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._flight import needs_rotation, turn_on
from sistel.simulation.space._vectors import horner

LEAST: Final = 1e-18
"""Part of a quantity that a term of its series may be left out for."""
KEPT: Final = 13
"""Series of a body that a run keeps: quaternion, place, spin, velocity."""


def rate_degree(world: World, body: int) -> int:
    """The degree of the series of the velocity of a body."""
    return max(world.degree[body] - 1, 0)


def spin_degree(world: World, body: int) -> int:
    """The degree of the series of its spin: nothing turns what flies, but its spin may change nevertheless."""
    if world.degree[body] > 2:
        return world.degree[body] - 1
    return world.counts[t.ORDER] if world.degree[body] > 0 and world.bodies[s.BODY * body + s.EVEN] == 0.0 else 0


def turns(world: World, body: int) -> bool:
    """Whether a body turns along the series that it has."""
    w = width(world)
    kept = shift(world.kept, (body * s.SERIES + s.S_W) * w)
    found = False
    for side in range(3):
        for k in range(spin_degree(world, body) + 1):
            found = found or kept[side * w + k] != 0.0
    return found


def show(world: World, body: int) -> None:
    """Let the series of a body, its place and its rates be those of now; but for how spheres are turned."""
    time = world.numbers[t.TIME]
    if body == 0 or world.shown[body] == time:
        return
    w = width(world)
    later = time - world.born[body]
    view = shift(world.series, body * s.SERIES * w)
    kept = shift(world.kept, body * s.SERIES * w)
    for row in range(3):
        own = shift(view, row * w)
        for k in range(world.degree[body] + 1):
            own[k] = kept[row * w + k]
        move_on(own, world.degree[body], later)
        world.place[s.PLACE * body + row] = own[0]
        rate = shift(world.rate, s.RATE * body)
        rate[row] = horner(shift(kept, (s.S_V + row) * w), rate_degree(world, body), later)
        rate[3 + row] = horner(shift(kept, (s.S_W + row) * w), spin_degree(world, body), later)
        view[(s.S_V + row) * w] = rate[row]
        view[(s.S_W + row) * w] = rate[3 + row]
    world.shown[body] = time
    if needs_rotation(world, body) and turns(world, body):
        order = world.counts[t.ORDER]
        for row in range(9):
            own = shift(view, (s.S_R + row) * w)
            for k in range(order + 1):
                own[k] = kept[(s.S_R + row) * w + k]
            move_on(own, order, later)
        face(world, body, order, later)


def face(world: World, body: int, degree: int, later: float) -> None:
    """Let the quaternion of a body be that of some time after its series began."""
    w = width(world)
    q = shift(world.kept, (body * s.SERIES + s.S_Q) * w)
    place = shift(world.place, s.PLACE * body)
    size = 0.0
    for side in range(4):
        place[3 + side] = horner(shift(q, side * w), degree, later)
        size += place[3 + side] * place[3 + side]
    size = 1.0 / math.sqrt(size)
    for side in range(4):
        place[3 + side] = place[3 + side] * size


def keep_series(world: World, body: int) -> None:
    """Let a body go along its series from now on."""
    w = width(world)
    view = shift(world.series, body * s.SERIES * w)
    kept = shift(world.kept, body * s.SERIES * w)
    rotates = needs_rotation(world, body)
    last = world.counts[t.ORDER] + 1
    for row in range(s.SERIES):
        moves = row < s.S_A or s.S_W <= row < s.S_M or (rotates and s.S_R <= row < s.S_L)
        if moves:
            for k in range(last):
                kept[row * w + k] = view[row * w + k]
        elif s.S_R <= row < s.S_L:
            kept[row * w] = view[row * w]
    for side in range(4):
        kept[(s.S_Q + side) * w] = world.place[s.PLACE * body + 3 + side]
    world.born[body] = world.numbers[t.TIME]
    world.shown[body] = world.numbers[t.TIME]
    if rotates:
        put_turns(world, body, world.counts[t.ORDER])


def carry_on(world: World, body: int) -> None:
    """Let a body go on along the same series, from now on."""
    w = width(world)
    later = world.numbers[t.TIME] - world.born[body]
    view = shift(world.series, body * s.SERIES * w)
    kept = shift(world.kept, body * s.SERIES * w)
    for side in range(3):
        speed = shift(view, (s.S_V + side) * w)
        spin = shift(view, (s.S_W + side) * w)
        for k in range(world.counts[t.ORDER] + 1):
            speed[k] = kept[(s.S_V + side) * w + k]
            spin[k] = kept[(s.S_W + side) * w + k]
        move_on(speed, rate_degree(world, body), later)
        move_on(spin, spin_degree(world, body), later)
    keep_series(world, body)


def terms(world: World, body: int, time: float) -> int:
    """How many powers of the time the series that a run keeps of a body need."""
    w = width(world)
    order = world.counts[t.ORDER]
    own = shift(world.kept, body * s.SERIES * w)
    most = min(world.degree[body], 2)
    if not turns(world, body) and world.degree[body] <= 2:
        return most
    angle = 0.0
    power = time
    for k in range(spin_degree(world, body) + 1):
        size = 0.0
        for side in range(3):
            size += abs(own[(s.S_W + side) * w + k])
        angle += size * power
        power *= time
    term = 0.5 * angle * angle
    most = 2
    while most < order and term > LEAST:
        most += 1
        term = term * angle / float(most)
    reach = world.bodies[s.BODY * body + s.REACH]
    power = 1.0
    for k in range(world.degree[body] + 1):
        part = 0.0
        for side in range(3):
            part = max(part, abs(own[(s.S_X + side) * w + k]) / reach)
            if k < world.degree[body]:
                part = max(part, abs(own[(s.S_V + side) * w + k]), abs(own[(s.S_W + side) * w + k]) * max(time, 1e-6))
        if k > most and part * power > LEAST:
            most = k
        power *= time
    return min(most, order)


def put_turns(world: World, body: int, last: int) -> None:
    """Series of the quaternion of a body, along the series that it has, and of its rotation."""
    w = width(world)
    own = shift(world.kept, body * s.SERIES * w)
    spin = shift(own, s.S_W * w)
    q = shift(own, s.S_Q * w)
    for side in range(4):
        for k in range(1, last + 1):
            q[side * w + k] = 0.0
    if not turns(world, body):
        return
    for k in range(last):
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


def put_state(world: World, body: int, last: int, out: Floats) -> None:
    """The series of the coordinates and velocities of a body, as a run has them."""
    w = width(world)
    own = shift(world.kept, body * s.SERIES * w)
    com = shift(world.bodies, s.BODY * body + s.COM)
    off = com[0] != 0.0 or com[1] != 0.0 or com[2] != 0.0
    wide = last + 1
    v = shift(out, s.PLACE * wide)
    for k in range(wide):
        for side in range(4):
            out[side * wide + k] = own[(s.S_Q + side) * w + k]
        for side in range(3):
            r = shift(own, (s.S_R + 3 * side) * w)
            out[(4 + side) * wide + k] = own[side * w + k] if k <= world.degree[body] else 0.0
            if off:
                part = r[k] * com[0] + r[w + k] * com[1] + r[2 * w + k] * com[2]
                out[(4 + side) * wide + k] = out[(4 + side) * wide + k] - part
            spun = 0.0
            gone = 0.0
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


def end_piece(world: World, body: int) -> None:
    """Write down how a body went until now; a sphere is turned as it is now."""
    counts = world.counts
    time = world.numbers[t.TIME] - world.born[body]
    if time <= 0.0:
        return
    last = terms(world, body, time)
    rotates = needs_rotation(world, body)
    turned = turns(world, body)
    if not rotates:
        if turned or counts[t.RECORD] != 0:
            put_turns(world, body, last)
            turn_spheres(world, body, last, turned)
        if turned:
            face(world, body, last, time)
    if counts[t.RECORD] == 0:
        return
    put_state(world, body, last, shift(world.coefficients, counts[t.WRITTEN]))
    note_piece(world, body, last, KEPT)


def turn_spheres(world: World, body: int, last: int, turned: bool) -> None:
    """Series of the rotation of a body whose motion does not depend on that."""
    w = width(world)
    own = shift(world.kept, (body * s.SERIES + s.S_R) * w)
    for row in range(9):
        for k in range(1, last + 1):
            own[row * w + k] = 0.0
    if turned:
        for k in range(last):
            turn_on(world, world.kept, body, k)


def box_body(world: World, body: int, h: float) -> None:
    """The box around a body for some time from now on."""
    w = width(world)
    reach = world.bodies[s.BODY * body + s.REACH]
    for side in range(3):
        own = shift(world.series, (body * s.SERIES + s.S_X + side) * w)
        bound(own, world.degree[body], h, reach, shift(world.low, 3 * body + side), shift(world.high, 3 * body + side))


def box_apart(world: World, a: int, b: int) -> bool:
    """Whether the boxes of two bodies are apart."""
    found = False
    for side in range(3):
        found = found or world.low[3 * b + side] > world.high[3 * a + side]
        found = found or world.low[3 * a + side] > world.high[3 * b + side]
    return found


def stir(world: World, body: int, h: float) -> float:
    """How far all points of a body may go from now on within some time, and how far it may turn: behind the boxes."""
    w = width(world)
    stirred = shift(world.high, 3 * world.counts[t.BODIES])
    stirred[2 * body] = 0.0
    stirred[2 * body + 1] = 0.0
    if body == 0:
        return 0.0
    own = shift(world.series, body * s.SERIES * w)
    moved = 0.0
    turned = 0.0
    for side in range(3):
        power = h
        for k in range(1, world.degree[body] + 1):
            moved += abs(own[side * w + k]) * power
            power *= h
    if world.bodies[s.BODY * body + s.ODD] != 0.0 and turns(world, body):
        for side in range(9):
            power = h
            for k in range(1, world.counts[t.ORDER] + 1):
                turned += abs(own[(s.S_R + side) * w + k]) * power
                power *= h
    stirred[2 * body] = moved + turned * world.bodies[s.BODY * body + s.REACH]
    stirred[2 * body + 1] = turned
    return stirred[2 * body]


FUNCTIONS: Final = (
    move_on,
    lived_short,
    rate_degree,
    spin_degree,
    turns,
    show,
    face,
    keep_series,
    carry_on,
    terms,
    put_turns,
    put_state,
    note_piece,
    end_piece,
    turn_spheres,
    bound,
    box_body,
    box_apart,
    stir,
)
