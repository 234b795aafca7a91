"""The motion of free bodies whose shapes touch in space, from passage to passage, in machine code for all models.

As in the plane, see `sistel.simulation.plane._loop`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD
from sistel.simulation.plane._loop import (
    FARTHEST,
    FASTEST,
    GLANCE,
    MOST_AT_ONCE,
    SHORTEST,
    SLACK,
    TURNS,
    has_room,
    note_event,
)
from sistel.simulation.plane._passages import add_contact
from sistel.simulation.plane._places import width
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _laws, _passages, _places, _series, _watching, _writing
from sistel.simulation.space import tables as s
from sistel.simulation.space._equations import add_force, factor, list_rows, push, put_matrix, solve_rows
from sistel.simulation.space._flight import fly
from sistel.simulation.space._passages import decide, put_in_order
from sistel.simulation.space._places import find_near, look, refresh, speed_of
from sistel.simulation.space._series import SLOWEST, begin_motion, keep_loads, longest_step, motion, row_rate
from sistel.simulation.space._vectors import dot
from sistel.simulation.space._watching import ENDS, ending, most_force, strike
from sistel.simulation.space._writing import advance, put_turns, record, remember, terms, write_changes
from sistel.simulation.taylor import _roots

NEAR: Final = 3e-13
"""What contacts that hold may be off by before they are brought back [m]."""
SLOW: Final = 1e-12
"""Velocity that they may have then [m/s]."""


def plan(world: World) -> None:
    """The series of all bodies."""
    n = world.counts[t.BODIES]
    for body in range(n):
        fly(world, body)
        world.member[body] = 0
    world.counts[t.ROWS] = 0
    world.counts[s.SLOW_SLIPS] = 0
    for place in range(world.counts[t.CLOSED_COUNT]):
        f = world.touched[world.closed[place]]
        a = world.kinds[t.KINDS * f + t.A]
        b = world.kinds[t.KINDS * f + t.B]
        if (a != 0 and world.asleep[a] == 0) or (b != 0 and world.asleep[b] == 0):
            add_contact(world, f)
            world.member[a] = 1
            world.member[b] = 1
    world.member[0] = 0
    if world.counts[t.ROWS] == 0:
        return
    put_in_order(world)
    for i in range(world.counts[t.ROWS]):
        world.state[i] = world.status[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] % HELD
        world.back[i] = 0.0
    begin_motion(world)
    if settle(world):
        for body in range(1, n):
            if world.member[body] != 0:
                refresh(world, body)
        begin_motion(world)
    motion(world)


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
            list_rows(world)
            put_matrix(world)
            factor(world)
            world.counts[s.SMOOTH] = 0
        n = world.counts[t.UNKNOWNS]
        for r in range(n):
            world.right[r] = -off_by(world, r, turn)
        solve_rows(world, world.right, world.solved)
        for k in range(3 * world.counts[t.ROWS]):
            world.x_n[k] = 0.0
        for r in range(n):
            add_force(world, r, world.solved[r], world.x_n)
        push(world, world.x_n)
        most = 0.0
        for body in range(1, world.counts[t.BODIES]):
            if world.member[body] != 0:
                reach = world.bodies[s.BODY * body + s.REACH]
                for k in range(s.RATE):
                    most = max(most, abs(world.spread[s.SPREAD * body + k]) * (reach if k > 2 else 1.0))
        changed = True
        for body in range(1, world.counts[t.BODIES]):
            if world.member[body] != 0 and most <= (FARTHEST if turn == 0 else FASTEST):
                correct(world, body, turn)
    return changed


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


def start(world: World) -> int:
    """What happens at the beginning of a run; see the answers."""
    for body in range(world.counts[t.BODIES]):
        refresh(world, body)
        fly(world, body)
    find_near(world, 0.0)
    remember(world)
    answer = decide(world, t.NOTHING, -1, 0)
    if answer == t.END:
        note_event(world, t.STRIKES, -1, write_changes(world) + world.counts[t.BLOWS])
    return answer


def first_strike(world: World, h: float, found: float) -> float:
    """The first strike within the step, before a part of it; its feature goes to CULPRIT."""
    for place in range(world.counts[t.NEAR]):
        f = world.near[place]
        e = world.kinds[t.KINDS * f + t.OWNER]
        if world.status[e] >= CLOSED:
            continue
        gap = look(world, f, world.more)
        time = strike(world, f, gap, h, found)
        if time < found and (time > 0.0 or world.muted[e] == 0):
            found = time
            world.counts[t.CULPRIT] = f
    return found


def first_ending(world: World, h: float) -> float:
    """The first end of what closed contacts do: which of them goes to CULPRIT, as 8 times its place and what it is."""
    found = 2.0
    world.numbers[t.SOFT] = 0.0
    if world.counts[t.ROWS] == 0:
        return found
    most = most_force(world, h)
    noise = SLACK * most
    lightest = 0.0
    for body in range(1, world.counts[t.BODIES]):
        if world.member[body] != 0:
            lightest = max(lightest, world.bodies[s.BODY * body + s.LIGHT])
    world.numbers[t.SOFT] = SLACK * 10.0 * most * lightest
    for i in range(world.counts[t.ROWS]):
        for what in range(ENDS):
            time = ending(world, i, what, h, most, noise)
            if time == 0.0 and world.muted[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] != 0:
                continue
            e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
            other = world.counts[t.CULPRIT] // 8 if found <= 1.0 else i
            sooner = e < world.kinds[t.KINDS * world.chosen[other] + t.OWNER]
            # Of what ends at one instant, the first of the file has its name on it.
            if time < found - 1e-14 or (sooner and time <= 1.0 and time < found + 1e-14):
                found = time
                world.counts[t.CULPRIT] = 8 * i + what
    return found


def unmute(world: World) -> None:
    """All elements count again."""
    if world.counts[s.MUTED] > 0:
        for e in range(world.counts[t.ELEMENTS]):
            world.muted[e] = 0
        world.counts[s.MUTED] = 0


def travel(world: World) -> int:
    """Go on until the end, or until Python is asked; see the answers."""
    counts = world.counts
    numbers = world.numbers
    while numbers[t.TIME] < numbers[t.UNTIL]:
        if not has_room(world):
            return t.FULL
        plan(world)
        h = min(longest_step(world), numbers[t.LONGEST], numbers[t.UNTIL] - numbers[t.TIME])
        h = min(h, GLANCE) if counts[s.MUTED] > 0 else h
        if not h > 0.0 or not math.isfinite(h):
            return t.LOST
        find_near(world, h)
        end = first_ending(world, h)
        culprit = counts[t.CULPRIT]
        part = first_strike(world, h, min(end, 1.0 + 1e-15))
        strikes = part < end and part <= 1.0
        part = min(part, end, 1.0)
        whole = part >= 1.0 and not strikes and end > 1.0
        time = part * h
        room = True
        if time > 0.0:
            unmute(world)
            last = terms(world, time)
            for body in range(1, counts[t.BODIES]):
                put_turns(world, body, last)
            room = record(world, time, last)
            keep_loads(world, time)
            advance(world, time, last)
            ended = whole and numbers[t.UNTIL] - numbers[t.TIME] == h
            numbers[t.TIME] = numbers[t.UNTIL] if ended else numbers[t.TIME] + time
        if not whole:
            answer = pass_on(world, strikes, culprit)
            if answer != t.END:
                return answer
        if not room:
            return t.FULL
    return t.END


def still_slips(world: World, i: int) -> bool:
    """Whether a contact whose slip is over in the direction that it had slips in another one."""
    r = shift(world.more, 6)
    look(world, world.chosen[i], r)
    found = world.more
    speed_of(world, world.body_a[i], world.body_b[i], shift(r, s.R_A), shift(r, s.R_B), world.rate, found)
    along = dot(r, found)
    return dot(found, found) - along * along > 4.0 * SLOWEST * SLOWEST


def pass_on(world: World, strikes: bool, culprit: int) -> int:
    """What follows where something has ended the step; see `decide`."""
    counts = world.counts
    numbers = world.numbers
    what = t.STRIKES
    f = counts[t.CULPRIT]
    if not strikes:
        i = culprit // 8
        kind = culprit % 8
        f = world.chosen[i]
        what = t.LETS_GO
        if kind == 1:
            what = t.SLIPS
            begin_slip(world, i)
        elif kind == 3:
            what = t.STOPS
            if still_slips(world, i):
                return t.END
        elif kind > 3:
            what = t.GOES_AROUND if world.features[s.FEATURE * f + s.RADIUS] > 0.0 else t.SLIDES_OFF
    remember(world)
    blows = counts[t.BLOWS]
    whose = world.kinds[t.KINDS * f + t.OWNER]
    counts[t.CULPRIT] = whose
    at_once = numbers[t.TIME] - numbers[t.LAST] <= SHORTEST
    counts[t.AT_ONCE] = counts[t.AT_ONCE] + 1 if at_once else 0
    if counts[t.AT_ONCE] > MOST_AT_ONCE:
        return t.CHATTERS
    numbers[t.LAST] = numbers[t.TIME]
    answer = decide(world, what, whose, f)
    changes = write_changes(world)
    if answer == t.END:
        note_event(world, what, whose, changes + counts[t.BLOWS] - blows)
    if (changes == 0 and counts[t.BLOWS] == blows) or (counts[t.AT_ONCE] > TURNS and counts[t.BLOWS] == blows):
        world.muted[whose] = 1
        counts[s.MUTED] = counts[s.MUTED] + 1
    return answer


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


FUNCTIONS: Final = (
    *_roots.FUNCTIONS,
    *_places.FUNCTIONS,
    *_laws.FUNCTIONS,
    *_series.FUNCTIONS,
    *_watching.FUNCTIONS,
    *_passages.FUNCTIONS,
    *_writing.FUNCTIONS,
    has_room,
    note_event,
    plan,
    off_by,
    settle,
    correct,
    start,
    first_strike,
    first_ending,
    unmute,
    travel,
    still_slips,
    pass_on,
    begin_slip,
)
