"""Bodies of space that closed contacts join: their motion from a passage on, and what ends it.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import put_equations
from sistel.simulation.plane._islands import most_force, most_off
from sistel.simulation.plane._members import refresh_members
from sistel.simulation.plane._places import width
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._equations import add_force, follow, moved, solve_rows
from sistel.simulation.space._places import look, speed_of
from sistel.simulation.space._series import SLOWEST, begin_motion, keep_loads, motion, row_rate
from sistel.simulation.space._vectors import dot

NEAR: Final = 3e-13
"""What contacts that hold may be off by before they are brought back [m]."""
SLOW: Final = 1e-12
"""Velocity that they may have then [m/s]."""


def move_island(world: World) -> None:
    """Series of the members, which closed contacts hold; the statuses are in `state`."""
    world.counts[s.WEIGHED] = 1 if world.box_pairs[0] > 0 else 0
    begin_motion(world)
    if settle(world):
        begin_motion(world)
    motion(world)
    world.counts[s.WEIGHED] = 0
    keep_loads(world, 0.0)


def off_by(world: World, r: int, turn: int) -> float:
    """How far what a row of the equations keeps at zero is from that: its gap, or its velocity."""
    i = world.which[2 * r]
    if turn != 0:
        return row_rate(world, r, 0)
    if world.which[2 * r + 1] != 0:
        return 0.0
    return look(world, world.chosen[i], shift(world.more, 6))


def settle(world: World) -> bool:
    """Bring contacts that hold back to their surfaces, and their velocities to none: less than rounding; whether.

    Friction of slips is left out: impulses that only stop something take energy away, whatever else there is.
    """
    changed = False
    for turn in range(2):
        worst = 0.0
        for r in range(world.counts[t.UNKNOWNS]):
            worst = max(worst, abs(off_by(world, r, turn)))
        if worst < (NEAR if turn == 0 else SLOW):
            continue
        if not changed:
            world.counts[s.SMOOTH] = 1
            put_equations(world)
            world.counts[s.SMOOTH] = 0
        n = world.counts[t.UNKNOWNS]
        for r in range(n):
            world.right[r] = -off_by(world, r, turn)
        solve_rows(world, world.right, world.solved)
        for k in range(3 * world.counts[t.ROWS]):
            world.x_n[k] = 0.0
        for r in range(n):
            add_force(world, r, world.solved[r], world.x_n)
        for i in range(world.counts[t.ROWS]):
            put_off(world, i, turn)
        follow(world, world.x_n)
        left = 0.0
        for r in range(n):
            left = max(left, abs(moved(world, r)))
        most = 0.0
        for place in range(world.counts[t.MEMBERS]):
            body = world.members[place]
            reach = world.bodies[s.BODY * body + s.REACH]
            for k in range(s.RATE):
                most = max(most, abs(world.spread[s.SPREAD * body + k]) * (reach if k > 2 else 1.0))
        changed = True
        # Where equations nearly follow from others, what is solved may be worse than what there was.
        if most <= most_off(world, turn) and left < 0.5 * worst:
            for place in range(world.counts[t.MEMBERS]):
                correct(world, world.members[place], turn)
    if changed:
        refresh_members(world)
    return changed


def put_off(world: World, i: int, turn: int) -> None:
    """What a contact measures now, in `b_n`: its gap, or its velocity."""
    r = shift(world.rows, s.ROW * i)
    found = world.more
    if turn == 0:
        world.b_n[3 * i] = look(world, world.chosen[i], shift(world.more, 6))
        world.b_n[3 * i + 1] = 0.0
        world.b_n[3 * i + 2] = 0.0
        return
    speed_of(world, world.body_a[i], world.body_b[i], shift(r, s.R_A), shift(r, s.R_B), world.rate, found)
    for side in range(3):
        world.b_n[3 * i + side] = dot(shift(r, s.R_N + 3 * side), found)


def correct(world: World, body: int, turn: int) -> None:
    """Correct the place of a body, or its rates, by what `spread` says."""
    own = shift(world.spread, s.SPREAD * body)
    rate = shift(world.rate, s.RATE * body)
    place = shift(world.place, s.PLACE * body)
    if turn != 0:
        for k in range(s.RATE):
            rate[k] = rate[k] + own[k]
        return
    for side in range(3):
        place[side] = place[side] + own[side]
    # The turn is so small that its square is nothing.
    a = place[3]
    b = place[4]
    c = place[5]
    d = place[6]
    place[3] = a - 0.5 * (own[3] * b + own[4] * c + own[5] * d)
    place[4] = b + 0.5 * (own[3] * a + own[4] * d - own[5] * c)
    place[5] = c + 0.5 * (own[4] * a + own[5] * b - own[3] * d)
    place[6] = d + 0.5 * (own[5] * a + own[3] * c - own[4] * b)


def begin_slip(world: World, i: int) -> None:
    """A contact that holds begins to slip: against the force that would hold it."""
    w = width(world)
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    made = shift(world.contact_series, i * s.C_SERIES * w)
    for side in range(3):
        pushed = made[s.C_P * w] * made[(s.C_N + side) * w]
        world.heading[3 * e + side] = pushed - made[(s.C_F + side) * w]
    size = math.sqrt(dot(shift(world.heading, 3 * e), shift(world.heading, 3 * e)))
    for side in range(3):
        world.heading[3 * e + side] = world.heading[3 * e + side] / size if size > 0.0 else 0.0


def note_ending(world: World, i: int, what: int) -> None:
    """Take from the series of a contact what is needed when something ends for it: the direction of its slip."""
    if what == 1:
        begin_slip(world, i)


def still_slips(world: World, f: int) -> bool:
    """Whether a contact whose slip is over in the direction that it had slips in another one."""
    r = shift(world.more, 6)
    look(world, f, r)
    found = world.more
    speed_of(
        world,
        world.kinds[t.KINDS * f + t.A],
        world.kinds[t.KINDS * f + t.B],
        shift(r, s.R_A),
        shift(r, s.R_B),
        world.rate,
        found,
    )
    along = dot(r, found)
    return dot(found, found) - along * along > 4.0 * SLOWEST * SLOWEST


def what_ends(world: World, f: int, kind: int) -> int:
    """What it is that ends for a closed contact, by its number among the ends."""
    if kind == 0:
        return t.LETS_GO
    if kind == 1:
        return t.SLIPS
    if kind == 3:
        return t.NOTHING if still_slips(world, f) else t.STOPS
    return t.GOES_AROUND if world.features[s.FEATURE * f + s.RADIUS] > 0.0 else t.SLIDES_OFF


def prefer(world: World, what: int, whose: int, kind: int) -> float:
    """Let the search for statuses begin with what a contact is about to do: its heading tells."""
    return 0.0


FUNCTIONS: Final = (
    move_island,
    off_by,
    settle,
    put_off,
    most_off,
    correct,
    most_force,
    begin_slip,
    note_ending,
    still_slips,
    what_ends,
    prefer,
)
