"""The motion of free bodies whose shapes touch in the plane, from passage to passage, in machine code for all models.

Steps are series of all bodies at once; bodies that nothing touches fly on parabolas, those that rest are left alone.
Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import MINUS, PLUS, STICK
from sistel.kernels.subset import shift
from sistel.simulation.plane import _laws, _passages, _places, _series, _watching
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD, IDLE, pull, push, solve_rows
from sistel.simulation.plane._passages import add_contact, decide, put_in_order
from sistel.simulation.plane._places import find_near, look, refresh, width
from sistel.simulation.plane._series import fly, longest_step, motion, rate
from sistel.simulation.plane._watching import ending, most_force, stir, strike
from sistel.simulation.plane.tables import World
from sistel.simulation.taylor import _roots

SLACK: Final = 2e-10
"""Part of the largest force that counts as none where a step begins."""
FARTHEST: Final = 1e-9
"""What contacts that hold may be brought back by [m or rad]."""
FASTEST: Final = 1e-5
"""How much of their velocities may be taken from them then [m/s or rad/s]."""
GLANCE: Final = 1e-5
"""Longest step while something is left as it is though its laws leave it either way [s]."""
TURNS, MOST_AT_ONCE = 30, 2000
"""Passages at one instant after which what changes back and forth is left as it is for a step, and most of them."""
NARROW: Final = 16.0
"""Steps of long series as parts of which steps of short ones are long enough."""
SHORTEST: Final = 1e-13
"""Step that counts as none [s]."""


def plan(world: World) -> None:
    """The series of all bodies."""
    n = world.counts[t.BODIES]
    for body in range(n):
        refresh(world, body)
        fly(world, body)
        world.member[body] = 0
    world.counts[t.ROWS] = 0
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
    motion(world)
    if settle(world):
        for body in range(1, n):
            if world.member[body] != 0:
                refresh(world, body)
        motion(world)


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
        most = 0.0
        for body in range(1, world.counts[t.BODIES]):
            if world.member[body] != 0:
                for k in range(3):
                    most = max(most, abs(world.spread[6 * body + k]))
        if most > (FARTHEST if turn == 0 else FASTEST):
            continue
        changed = True
        for body in range(1, world.counts[t.BODIES]):
            if world.member[body] != 0:
                for k in range(3):
                    if turn == 0:
                        world.place[3 * body + k] = world.place[3 * body + k] + world.spread[6 * body + k]
                    else:
                        world.rate[3 * body + k] = world.rate[3 * body + k] + world.spread[6 * body + k]
    return changed


def advance(world: World, time: float) -> None:
    """Go on along the series."""
    w = width(world)
    for body in range(1, world.counts[t.BODIES]):
        if world.asleep[body] != 0:
            continue
        own = shift(world.series, body * t.SERIES * w)
        degree = world.degree[body]
        for side in range(3):
            total = 0.0
            for back in range(degree + 1):
                total = total * time + own[side * w + degree - back]
            speed = 0.0
            for back in range(degree):
                speed = speed * time + float(degree - back) * own[side * w + degree - back]
            world.place[3 * body + side] = total
            world.rate[3 * body + side] = speed
        refresh(world, body)


def record(world: World, time: float) -> bool:
    """Write a step down; whether there is room for another one."""
    counts = world.counts
    step = counts[t.STEPS]
    w = width(world)
    n = counts[t.BODIES]
    counts[t.ALL_STEPS] = counts[t.ALL_STEPS] + 1
    if counts[t.RECORD] == 0:
        return True
    order = 2
    for body in range(1, n):
        own = shift(world.bodies, t.BODY * body)
        turns = (own[t.COM_X] != 0.0 or own[t.COM_Y] != 0.0) and world.asleep[body] == 0
        if world.degree[body] > 2 or turns:
            order = counts[t.DEGREE]
    size = (6 * (n - 1) + 1) * (order + 1)
    out = shift(world.coefficients, counts[t.WRITTEN])
    for body in range(1, n):
        series = shift(world.series, body * t.SERIES * w)
        own = shift(world.bodies, t.BODY * body)
        for side in range(3):
            q = shift(out, (3 * (body - 1) + side) * (order + 1))
            v = shift(out, (3 * (n - 1) + 3 * (body - 1) + side) * (order + 1))
            for k in range(order + 1):
                q[k] = series[side * w + k]
                if side == 0:
                    q[k] = q[k] - series[t.S_COS * w + k] * own[t.COM_X] + series[t.S_SIN * w + k] * own[t.COM_Y]
                if side == 1:
                    q[k] = q[k] - series[t.S_SIN * w + k] * own[t.COM_X] - series[t.S_COS * w + k] * own[t.COM_Y]
            for k in range(order):
                v[k] = float(k + 1) * q[k + 1]
            v[order] = 0.0
    last = shift(out, 6 * (n - 1) * (order + 1))
    for k in range(order + 1):
        last[k] = 0.0
    last[0] = world.numbers[t.TIME]
    last[1] = 1.0
    world.times[2 * step] = world.numbers[t.TIME]
    world.times[2 * step + 1] = time
    world.orders[step] = order
    counts[t.STEPS] = step + 1
    counts[t.WRITTEN] = counts[t.WRITTEN] + size
    most = (6 * (n - 1) + 1) * (counts[t.ORDER] + 1)
    return step + 1 < counts[t.STEP_ROOM] and counts[t.WRITTEN] + most <= counts[t.WRITE_ROOM]


def remember(world: World) -> None:
    """Keep the statuses before a passage."""
    for e in range(world.counts[t.ELEMENTS]):
        world.before[e] = world.status[e]


def shown(status: int) -> int:
    """A status as a run shows it."""
    return CLOSED + STICK if status >= HELD else status % IDLE


def write_event(world: World, what: int, whose: int, blows: int) -> None:
    """Write an event down, if something has changed; else nothing has happened."""
    counts = world.counts
    changes = counts[t.CHANGES]
    for e in range(counts[t.ELEMENTS]):
        if shown(world.before[e]) != shown(world.status[e]):
            n = counts[t.CHANGES]
            world.changes[2 * n] = e
            world.changes[2 * n + 1] = shown(world.status[e])
            counts[t.CHANGES] = n + 1
    note_event(world, what, whose, counts[t.CHANGES] - changes + counts[t.BLOWS] - blows)


def note_event(world: World, what: int, whose: int, news: int) -> None:
    """Write an event down, unless there is nothing new."""
    counts = world.counts
    if news == 0:
        return
    note = shift(world.log, t.LOG * counts[t.EVENTS])
    note[0] = world.numbers[t.TIME]
    note[1] = world.numbers[t.LOSS]
    note[2] = float(what)
    note[3] = float(whose)
    note[4] = float(counts[t.CHANGES])
    note[5] = float(counts[t.BLOWS])
    note[6] = float(counts[t.STEPS])
    note[7] = float(counts[t.ALL_STEPS])
    counts[t.EVENTS] = counts[t.EVENTS] + 1


def has_room(world: World) -> bool:
    """Whether there is room for one more event, whatever happens in it."""
    counts = world.counts
    events = counts[t.EVENTS] + 1 < counts[t.EVENT_ROOM]
    changes = counts[t.CHANGES] + counts[t.ELEMENTS] < counts[t.CHANGE_ROOM]
    return events and changes and counts[t.BLOWS] + counts[t.ELEMENTS] < counts[t.BLOW_ROOM]


def start(world: World) -> int:
    """What happens at the beginning of a run; see the answers."""
    for body in range(world.counts[t.BODIES]):
        refresh(world, body)
        fly(world, body)
    find_near(world, 0.0)
    remember(world)
    answer = decide(world, t.NOTHING, -1, 0, 0.0)
    if answer == t.END:
        write_event(world, t.STRIKES, -1, 0)
    return answer


def first_strike(world: World, h: float, found: float) -> float:
    """The first strike within the step, before a part of it; its feature goes to CULPRIT."""
    stir(world, h)
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
            lightest = max(lightest, world.bodies[t.BODY * body + t.LIGHT])
    world.numbers[t.SOFT] = SLACK * 10.0 * most * lightest
    for i in range(world.counts[t.ROWS]):
        for what in range(6):
            time = ending(world, i, what, h, noise)
            if time == 0.0 and world.muted[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] != 0:
                continue
            other = world.counts[t.CULPRIT] // 8 if found <= 1.0 else i
            sooner = (
                world.kinds[t.KINDS * world.chosen[i] + t.OWNER] < world.kinds[t.KINDS * world.chosen[other] + t.OWNER]
            )
            # Of what ends at one instant, the first of the file has its name on it.
            if time < found - 1e-14 or (sooner and time <= 1.0 and time < found + 1e-14):
                found = time
                world.counts[t.CULPRIT] = 8 * i + what
    return found


def travel(world: World) -> int:
    """Go on until the end, or until Python is asked; see the answers."""
    counts = world.counts
    numbers = world.numbers
    while numbers[t.TIME] < numbers[t.UNTIL]:
        if not has_room(world):
            return t.FULL
        plan(world)
        h = min(longest_step(world), numbers[t.LONGEST], numbers[t.UNTIL] - numbers[t.TIME])
        for e in range(counts[t.ELEMENTS]):
            h = min(h, GLANCE) if world.muted[e] != 0 else h
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
            for e in range(counts[t.ELEMENTS]):
                world.muted[e] = 0
            room = record(world, time)
            advance(world, time)
            if whole and numbers[t.UNTIL] - numbers[t.TIME] == h:
                numbers[t.TIME] = numbers[t.UNTIL]
            else:
                numbers[t.TIME] = numbers[t.TIME] + time
        # Where events follow each other closely, short series are enough.
        if whole:
            counts[t.DEGREE] = counts[t.ORDER]
        elif counts[t.DEGREE] == counts[t.ORDER] and time * NARROW < h:
            counts[t.DEGREE] = min(t.LOW, counts[t.ORDER])
        if not whole:
            answer = pass_on(world, strikes, culprit)
            if answer != t.END:
                return answer
        if not room:
            return t.FULL
    return t.END


def pass_on(world: World, strikes: bool, culprit: int) -> int:
    """What follows where something has ended the step; see `decide`."""
    counts = world.counts
    numbers = world.numbers
    remember(world)
    blows = counts[t.BLOWS]
    what = t.STRIKES
    way = 0.0
    f = counts[t.CULPRIT]
    if not strikes:
        i = culprit // 8
        kind = culprit % 8
        f = world.chosen[i]
        round_one = world.features[t.FEATURE * f + t.RADIUS] > 0.0
        if kind == 0:
            what = t.LETS_GO
        elif kind == 1 or kind == 2:
            what = t.SLIPS
            way = -1.0 if kind == 1 else 1.0
        elif kind == 3:
            what = t.STOPS
        else:
            what = t.GOES_AROUND if round_one else t.SLIDES_OFF
    whose = world.kinds[t.KINDS * f + t.OWNER]
    counts[t.CULPRIT] = whose
    if numbers[t.TIME] - numbers[t.LAST] > SHORTEST:
        counts[t.AT_ONCE] = 0
    else:
        counts[t.AT_ONCE] = counts[t.AT_ONCE] + 1
    if counts[t.AT_ONCE] > MOST_AT_ONCE:
        return t.CHATTERS
    numbers[t.LAST] = numbers[t.TIME]
    if not strikes:
        prefer(world, what, whose, way)
    events = counts[t.EVENTS]
    answer = decide(world, what, whose, f, way)
    if answer == t.END:
        write_event(world, what, whose, blows)
    if counts[t.EVENTS] == events or (counts[t.AT_ONCE] > TURNS and counts[t.BLOWS] == blows):
        world.muted[whose] = 1
    return answer


def prefer(world: World, what: int, whose: int, way: float) -> None:
    """Let the search for statuses begin with what a contact is about to do."""
    if what == t.SLIPS:
        world.status[whose] = CLOSED + (PLUS if way > 0.0 else MINUS)


FUNCTIONS: Final = (
    *_roots.FUNCTIONS,
    *_places.FUNCTIONS,
    *_laws.FUNCTIONS,
    *_series.FUNCTIONS,
    *_watching.FUNCTIONS,
    *_passages.FUNCTIONS,
    plan,
    settle,
    advance,
    record,
    remember,
    shown,
    write_event,
    note_event,
    has_room,
    start,
    first_strike,
    first_ending,
    travel,
    pass_on,
    prefer,
)
