"""Bodies of the plane that closed contacts join: their motion from a passage on, and what ends it.

Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import MINUS, PLUS
from sistel.kernels.subset import shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, is_heap, pull, push, solve_rows
from sistel.simulation.plane._members import refresh_members
from sistel.simulation.plane._places import look, width
from sistel.simulation.plane._series import motion, rate
from sistel.simulation.plane.tables import World

FARTHEST: Final = 1e-9
"""What contacts that hold may be brought back by [m or rad]."""
FASTEST: Final = 1e-5
"""How much of their velocities may be taken from them then [m/s or rad/s]."""
AGAIN: Final = 4
"""Passages at one instant from which on velocities are left nearly as they are."""


def move_island(world: World) -> None:
    """Series of the members, which closed contacts hold; the statuses are in `state`."""
    motion(world)
    if settle(world):
        motion(world)
    keep_shares(world)


def keep_shares(world: World) -> None:
    """Keep what contacts of a heap carry now: those that statics does not determine go on so."""
    w = width(world)
    for i in range(world.counts[t.ROWS] if is_heap(world) else 0):
        made = shift(world.contact_series, i * t.C_SERIES * w)
        e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
        world.loads[2 * e] = made[t.C_LN * w]
        world.loads[2 * e + 1] = made[t.C_LT * w]


def settle(world: World) -> bool:
    """Bring contacts that hold back to their surfaces, and their velocities to none: less than rounding; whether."""
    count = world.counts[t.ROWS]
    n = world.counts[t.UNKNOWNS]
    changed = False
    for turn in range(2):
        worst = 0.0
        for r in range(n):
            i = world.which[2 * r]
            off = 0.0
            if turn == 0:
                off = look(world, world.chosen[i], world.more) if world.which[2 * r + 1] == 0 else 0.0
            else:
                off = rate(world, i, 0, world.which[2 * r + 1])
            world.right[r] = -off
            worst = max(worst, abs(off))
        if worst < 1e-13:
            continue
        solve_rows(world, world.right, world.solved)
        for i in range(count):
            world.x_n[i] = 0.0
            world.x_t[i] = 0.0
        for r in range(n):
            if world.which[2 * r + 1] == 0:
                i = world.which[2 * r]
                world.x_n[i] = world.solved[r]
                world.x_t[i] = world.x_t[i] + pull(world, i) * world.solved[r]
            else:
                world.x_t[world.which[2 * r]] = world.x_t[world.which[2 * r]] + world.solved[r]
        push(world, world.x_n, world.x_t)
        changed = correct(world, turn) or changed
    if changed:
        refresh_members(world)
    return changed


def most_off(world: World, turn: int) -> float:
    """How much places, or rates, may be corrected by; little where that would only strike the same thing again."""
    if turn == 0:
        return FARTHEST
    return FASTEST if world.counts[t.AT_ONCE] < AGAIN else FARTHEST


def correct(world: World, turn: int) -> bool:
    """Correct places of the members, or their rates, by what `spread` says; whether that is little enough."""
    most = 0.0
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(3):
            most = max(most, abs(world.spread[6 * body + k]))
    if most > most_off(world, turn):
        return False
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(3):
            if turn == 0:
                world.place[3 * body + k] = world.place[3 * body + k] + world.spread[6 * body + k]
            else:
                world.rate[3 * body + k] = world.rate[3 * body + k] + world.spread[6 * body + k]
    return True


def most_force(world: World, h: float) -> float:
    """The largest force of all contacts within the step, or more; of contacts in space as well."""
    w = width(world)
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        first = i * world.counts[t.CONTACT_ROW] + world.counts[t.FORCE_ROW]
        for which in range(world.counts[t.FORCE_ROWS]):
            own = shift(world.contact_series, (first + which) * w)
            total = 0.0
            power = 1.0
            for k in range(world.counts[t.DEGREE] - 1):
                total += abs(own[k]) * power
                power *= h
            most = max(most, total)
    return most


def note_ending(world: World, i: int, what: int) -> None:
    """Take from the series of a contact what is needed when something ends for it: nothing."""


def what_ends(world: World, f: int, kind: int) -> int:
    """What it is that ends for a closed contact, by its number among the ends."""
    if kind == 0:
        return t.LETS_GO
    if kind == 3:
        return t.STOPS
    if kind < 3:
        return t.SLIPS
    return t.GOES_AROUND if world.features[t.FEATURE * f + t.RADIUS] > 0.0 else t.SLIDES_OFF


def prefer(world: World, what: int, whose: int, kind: int) -> float:
    """Let the search for statuses begin with what a contact is about to do; the direction of its slip, else 0."""
    if what != t.SLIPS:
        return 0.0
    world.status[whose] = CLOSED + (MINUS if kind == 1 else PLUS)
    return -1.0 if kind == 1 else 1.0


FUNCTIONS: Final = (move_island, keep_shares, settle, most_off, correct, most_force, note_ending, what_ends, prefer)
