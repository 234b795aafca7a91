"""The motion of free bodies whose shapes touch, from passage to passage, in machine code for all models.

Bodies go along series of their own until something happens to them: those that closed contacts join have theirs
together, an island at a time; others fly on parabolas, and those that rest are left alone. In the plane and in space
alike, see `_members`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import shift
from sistel.simulation.plane import (
    _calm,
    _islands,
    _laws,
    _lives,
    _meetings,
    _members,
    _passages,
    _places,
    _series,
    _watching,
)
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._calm import CROWD, calm_until, is_calm, quieten, stay, tame
from sistel.simulation.plane._equations import HEAP, HELD
from sistel.simulation.plane._islands import most_force, move_island, note_ending, prefer, what_ends
from sistel.simulation.plane._lives import box_body, carry_on, end_piece, keep_series, lived_short, show
from sistel.simulation.plane._meetings import GLANCE, RENEWED, look_ahead
from sistel.simulation.plane._members import island_of, member_of, put_in_order, remember, show_island, write_changes
from sistel.simulation.plane._passages import decide
from sistel.simulation.plane._places import refresh
from sistel.simulation.plane._series import fly, longest_step
from sistel.simulation.plane._watching import ending
from sistel.simulation.plane.tables import World
from sistel.simulation.taylor import _roots

SLACK: Final = 2e-10
"""Part of the largest force that counts as none where a step begins."""
TURNS, MOST_AT_ONCE = 30, 2000
"""Passages at one instant after which what changes back and forth is left as it is for a step, and most of them."""
MANY_TURNS: Final = 200
"""The same where impulses go back and forth."""
NARROW: Final = 16.0
"""Steps of long series as parts of which steps of short ones are long enough."""
LONGEST: Final = 1e3
"""Step of what does not move and is not asleep [s]."""
SHORTEST: Final = 1e-13
"""Step that counts as none [s]."""
ENDS, STRIKES, TIRES = 0, 1, 2
"""Why a body comes next: something ends for its contacts, it strikes, its series are no longer good."""
LAST_SLIP: Final = 2
"""Up to which number ends are of forces: of one that pushes, or holds."""
KINDS: Final = 8
"""What may end for a contact: more than there is."""


def plan(world: World, body: int) -> bool:
    """Series of the island of a body from now on, how long they are good, and what ends for its contacts; whether."""
    now = world.numbers[t.TIME]
    island_of(world, body)
    short = False
    for place in range(world.counts[t.MEMBERS]):
        one = world.members[place]
        short = short or lived_short(world, one, NARROW)
        refresh(world, one)
        fly(world, one)
    h = math.inf
    end = 2.0
    world.numbers[t.SOFT] = 0.0
    if world.asleep[body] == 0:
        world.counts[t.DEGREE] = world.counts[t.SHORT] if short else world.counts[t.ORDER]
        if world.counts[t.ROWS] > 0:
            put_in_order(world)
            for i in range(world.counts[t.ROWS]):
                world.state[i] = world.status[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] % HELD
                world.back[i] = 0.0
            move_island(world)
            tame(world)
        h = min(longest_step(world), world.numbers[t.LONGEST])
        if is_calm(world):
            h = calm_until(world, min(h, max(world.calm_until[body] - now, GLANCE)))
        for i in range(world.counts[t.ROWS]):
            h = min(h, GLANCE) if world.muted[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] == now else h
        if math.isinf(h):
            h = LONGEST  # nothing moves it
        if not h > 0.0:
            return False
        end = first_ending(world, h)
    for place in range(world.counts[t.MEMBERS]):
        one = world.members[place]
        keep_series(world, one)
        # Boxes have many features: what they strike is looked for no farther than something ends.
        world.until[one] = now + (min(end, 1.0) if world.box_pairs[0] > 0 else 1.0) * h
        world.end_at[one] = math.inf
        world.soft[one] = world.numbers[t.SOFT]
        world.fresh[one] = RENEWED
    if end <= 1.0:
        world.end_at[body] = now + end * h
        world.end_of[body] = KINDS * world.chosen[world.counts[t.CULPRIT] // KINDS] + world.counts[t.CULPRIT] % KINDS
    return True


def first_ending(world: World, h: float) -> float:
    """The first end of what closed contacts do: which of them goes to CULPRIT, as 8 times its place and what it is."""
    found = 2.0
    if world.counts[t.ROWS] == 0:
        return found
    holds = is_calm(world)
    most = most_force(world, h)
    noise = SLACK * most
    lightest = 0.0
    for place in range(world.counts[t.MEMBERS]):
        lightest = max(lightest, world.bodies[world.counts[t.BODY_ROW] * world.members[place] + t.LIGHT])
    world.numbers[t.SOFT] = SLACK * 10.0 * most * lightest
    for i in range(world.counts[t.ROWS]):
        e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
        for what in range(KINDS):
            if holds and what <= LAST_SLIP:
                continue
            time = ending(world, i, what, h, most, noise)
            if time == 0.0 and world.muted[e] == world.numbers[t.TIME]:
                continue
            other = world.counts[t.CULPRIT] // KINDS if found <= 1.0 else i
            sooner = e < world.kinds[t.KINDS * world.chosen[other] + t.OWNER]
            # Of what ends at one instant, the first of the file has its name on it.
            if time < found - 1e-14 or (sooner and time <= 1.0 and time < found + 1e-14):
                found = time
                world.counts[t.CULPRIT] = KINDS * i + what
    if found <= 1.0:
        note_ending(world, world.counts[t.CULPRIT] // KINDS, world.counts[t.CULPRIT] % KINDS)
    return found


def renew(world: World) -> bool:
    """New series of the members from now on, and what they and others strike next; whether there are such."""
    count = world.counts[t.MEMBERS]
    for place in range(count):
        body = world.members[place]
        end_piece(world, body)
        world.renewed[place] = body
        world.fresh[body] = 0
    world.counts[t.RENEWED] = count
    for place in range(count):
        if world.fresh[world.renewed[place]] == 0 and not plan(world, world.renewed[place]):
            return False
    look_ahead(world)
    return True


def step_to(world: World, time: float) -> None:
    """Let it be later, and write down that a step ends there."""
    counts = world.counts
    before = world.numbers[t.TIME]
    if time <= before:
        return
    counts[t.ALL_STEPS] = counts[t.ALL_STEPS] + 1
    if counts[t.RECORD] != 0:
        world.times[2 * counts[t.STEPS]] = before
        world.times[2 * counts[t.STEPS] + 1] = time - before
        counts[t.STEPS] = counts[t.STEPS] + 1
    world.numbers[t.TIME] = time


def pause(world: World) -> None:
    """Let all bodies be where they are now, and write down how they went."""
    for body in range(1, world.counts[t.BODIES]):
        show(world, body)
        end_piece(world, body)
        carry_on(world, body)


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
    counts[t.EVENTS] = counts[t.EVENTS] + 1


def has_room(world: World) -> bool:
    """Whether there is room for one more event and one more step, whatever happens in it."""
    counts = world.counts
    events = counts[t.EVENTS] + 1 < counts[t.EVENT_ROOM] and counts[t.STEPS] + 2 < counts[t.STEP_ROOM]
    changes = counts[t.CHANGES] + counts[t.ELEMENTS] < counts[t.CHANGE_ROOM]
    blows = counts[t.BLOWS] + counts[t.ELEMENTS] < counts[t.BLOW_ROOM]
    pieces = counts[t.PIECES] + 2 * counts[t.BODIES] < counts[t.PIECE_ROOM]
    return events and changes and blows and pieces and counts[t.WRITTEN] + counts[t.ALL_WIDTH] < counts[t.WRITE_ROOM]


def start(world: World) -> int:
    """What happens at the beginning of a run; see the answers."""
    for body in range(world.counts[t.BODIES]):
        refresh(world, body)
        fly(world, body)
        keep_series(world, body)
        box_body(world, body, 0.0)
        world.chain[body] = -1
    remember(world)
    answer = decide(world, t.NOTHING, -1, 0, 0.0)
    if answer != t.END:
        return answer
    note_event(world, t.STRIKES, -1, write_changes(world) + world.counts[t.BLOWS])
    member_of(world, -1)
    return t.END if renew(world) else t.LOST


def next_passage(world: World) -> int:
    """Which body comes next, 4 times, and why; -1 for none before the end. Its time goes to NEXT."""
    found = -1
    best = math.inf
    for body in range(1, world.counts[t.BODIES]):
        if world.end_at[body] < best or (world.end_at[body] == best and found % 4 != ENDS):
            best = world.end_at[body]
            found = 4 * body + ENDS
        if world.next_at[body] < best:
            best = world.next_at[body]
            found = 4 * body + STRIKES
        if world.until[body] < best:
            best = world.until[body]
            found = 4 * body + TIRES
    world.numbers[t.NEXT] = max(best, world.numbers[t.TIME])
    late = best > world.numbers[t.UNTIL] or (found % 4 == TIRES and best >= world.numbers[t.UNTIL])
    return -1 if found < 0 or late else found


def travel(world: World) -> int:
    """Go on until the end, or until Python is asked; see the answers."""
    while True:
        if not has_room(world):
            pause(world)
            return t.FULL
        found = next_passage(world)
        if found < 0:
            break
        stands = world.numbers[t.NEXT] <= world.numbers[t.TIME]
        step_to(world, world.numbers[t.NEXT])
        body = found // 4
        if found % 4 == TIRES:
            world.counts[t.STALLED] = world.counts[t.STALLED] + 1 if stands else 0
            if world.counts[t.STALLED] > MOST_AT_ONCE:
                pause(world)
                return t.CHATTERS
            show_island(world, body)
        else:
            strikes = found % 4 == STRIKES
            answer = pass_on(world, strikes, KINDS * world.next_of[body] if strikes else world.end_of[body])
            if answer != t.END:
                pause(world)
                return answer
        if not renew(world):
            pause(world)
            return t.LOST
    step_to(world, world.numbers[t.UNTIL])
    pause(world)
    return t.END


def pass_on(world: World, strikes: bool, culprit: int) -> int:
    """What follows where something has ended the step; see `decide`."""
    counts = world.counts
    numbers = world.numbers
    f = culprit // KINDS
    kind = culprit % KINDS
    show(world, world.kinds[t.KINDS * f + t.A])
    show(world, world.kinds[t.KINDS * f + t.B])
    whose = world.kinds[t.KINDS * f + t.OWNER]
    what = t.STRIKES if strikes else what_ends(world, f, kind)
    if what == t.NOTHING:
        a = world.kinds[t.KINDS * f + t.A]
        show_island(world, a if a != 0 else world.kinds[t.KINDS * f + t.B])
        return t.END
    remember(world)
    blows = counts[t.BLOWS]
    counts[t.CULPRIT] = whose
    if what == t.STOPS and stay(world, f, whose):
        note_event(world, what, whose, write_changes(world))
        return t.END
    at_once = numbers[t.TIME] - numbers[t.LAST] <= SHORTEST
    counts[t.AT_ONCE] = counts[t.AT_ONCE] + 1 if at_once else 0
    if counts[t.AT_ONCE] > MOST_AT_ONCE:
        return t.CHATTERS
    numbers[t.LAST] = numbers[t.TIME]
    way = prefer(world, what, whose, kind)
    answer = decide(world, what, whose, f, way)
    if answer != t.END:
        return answer
    changes = write_changes(world)
    note_event(world, what, whose, changes + counts[t.BLOWS] - blows)
    quiet = counts[t.STRUCK] == 0
    # Heaps of circles and of spheres do as boxes in space; corners in the plane do not, and follow every change.
    flat = counts[t.AXES] == 2
    circles = not flat or world.elements[t.ELEMENT * whose + t.IS_ROUND] != 0
    fussy = world.box_pairs[0] > 0 or (circles and counts[t.CLOSED_COUNT] > (HEAP if flat else CROWD))
    shared = fussy and counts[t.CLOSED_COUNT] > CROWD
    again = quiet and shared and world.turned[whose] == numbers[t.TIME]
    if quiet:
        world.turned[whose] = numbers[t.TIME]
    idle = quiet and (changes == 0 or again or counts[t.AT_ONCE] > TURNS)
    if idle or counts[t.AT_ONCE] > MANY_TURNS:
        world.muted[whose] = numbers[t.TIME]
    if quiet and fussy:
        quieten(world)
    return answer


GENERAL: Final = (
    *_members.FUNCTIONS,
    *_meetings.FUNCTIONS,
    *_calm.FUNCTIONS,
    plan,
    first_ending,
    renew,
    step_to,
    pause,
    note_event,
    has_room,
    start,
    next_passage,
    travel,
    pass_on,
)
"""What the plane and space have in common."""
FUNCTIONS: Final = (
    *_roots.FUNCTIONS,
    *_places.FUNCTIONS,
    *_lives.FUNCTIONS,
    *_laws.FUNCTIONS,
    *_series.FUNCTIONS,
    *_watching.FUNCTIONS,
    *_islands.FUNCTIONS,
    *_passages.FUNCTIONS,
    *GENERAL,
)
