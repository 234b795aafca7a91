"""Bodies of space by themselves, as power series of the time: how they turn, and how they fly.

A body is moved by momenta: its spin follows from the moment of momentum and from how the body is turned. Written in the
compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import begin_fall, begin_still, first_turns, grow, product, put_rates
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s


def crossed(one: Floats, two: Floats, w: int, side: int, k: int) -> float:
    """A coefficient of a part of the vector product of two series of vectors."""
    next_one = (side + 1) % 3
    last_one = (side + 2) % 3
    total = product(shift(one, next_one * w), shift(two, last_one * w), k)
    return total - product(shift(one, last_one * w), shift(two, next_one * w), k)


def turn_on(world: World, series: Floats, body: int, k: int) -> None:
    """One more coefficient of the rotation of a body: that of the power k + 1."""
    w = width(world)
    own = shift(series, body * s.SERIES * w)
    spin = shift(own, s.S_W * w)
    for row in range(3):
        next_one = (row + 1) % 3
        last_one = (row + 2) % 3
        for column in range(3):
            total = product(shift(spin, next_one * w), shift(own, (s.S_R + 3 * last_one + column) * w), k)
            total -= product(shift(spin, last_one * w), shift(own, (s.S_R + 3 * next_one + column) * w), k)
            own[(s.S_R + 3 * row + column) * w + k + 1] = total / float(k + 1)


def spin_on(world: World, body: int, k: int) -> None:
    """The coefficient of the power k of the spin, from moments of momentum and rotations up to that power."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    row = shift(world.bodies, s.BODY * body)
    if row[s.EVEN] != 0.0:
        for side in range(3):
            own[(s.S_W + side) * w + k] = row[s.TURN] * own[(s.S_L + side) * w + k]
        return
    for side in range(3):
        own[(s.S_M + side) * w + k] = 0.0
    for place in range(3):
        inside = 0.0
        for side in range(3):
            inside += product(shift(own, (s.S_R + 3 * side + place) * w), shift(own, (s.S_L + side) * w), k)
        for side in range(3):
            own[(s.S_M + side) * w + k] = own[(s.S_M + side) * w + k] + row[s.INVERSE + 3 * side + place] * inside
    for side in range(3):
        total = 0.0
        for place in range(3):
            total += product(shift(own, (s.S_R + 3 * side + place) * w), shift(own, (s.S_M + place) * w), k)
        own[(s.S_W + side) * w + k] = total


def needs_rotation(world: World, body: int) -> bool:
    """Whether the motion of a body depends on how it is turned."""
    row = shift(world.bodies, s.BODY * body)
    return row[s.ODD] != 0.0 or row[s.EVEN] == 0.0


def spins(world: World, body: int) -> bool:
    """Whether a body turns now."""
    rate = shift(world.rate, s.RATE * body)
    return rate[3] != 0.0 or rate[4] != 0.0 or rate[5] != 0.0


def fly(world: World, body: int) -> None:
    """The series of a body that nothing touches, or that rests."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    moves = begin_still(world, body, own, s.SERIES)
    for side in range(3):
        pulled = world.numbers[s.GRAVITY + side] if moves else 0.0
        own[(s.S_A + side) * w] = pulled
        own[(s.S_T + side) * w] = 0.0
        if moves:
            begin_fall(own, side, s.S_V + side, w, pulled)
            own[side * w + 2] = 0.5 * pulled
    if moves and needs_rotation(world, body) and spins(world, body):
        for k in range(world.counts[t.ORDER] + 1):
            turn_on(world, world.series, body, k)
            spin_on(world, body, k + 1)


def first_turn(world: World, body: int) -> None:
    """Series of a body to the first power, with the acceleration of gravity."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    for side in range(3):
        begin_fall(own, side, s.S_V + side, w, world.numbers[s.GRAVITY + side])
        own[(s.S_L + side) * w + 1] = 0.0
    turn_on(world, world.series, body, 0)
    spin_on(world, body, 1)


def put_rate(world: World, body: int, k: int) -> None:
    """Velocities and spins of a body of the power k + 1, from accelerations and torques."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    grow(own, s.S_V, s.S_A, w, k)
    grow(own, s.S_L, s.S_T, w, k)
    spin_on(world, body, k + 1)


FUNCTIONS: Final = (
    product,
    crossed,
    turn_on,
    spin_on,
    needs_rotation,
    spins,
    begin_still,
    begin_fall,
    fly,
    first_turn,
    first_turns,
    grow,
    put_rate,
    put_rates,
)
