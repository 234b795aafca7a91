"""Passages of contacts without the interpreter: what strikes, the impact, what all elements do next, and on.

What `_contacts` decides in Python is decided here for the usual cases, on the same numbers and by the same rules; where
a case is not usual (impacts that follow from each other, hops that no step would see, no solution) nothing is changed,
and Python is asked. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.simulation.contact import (
    _arriving,
    _beginning,
    _choosing,
    _holding,
    _hopping,
    _looking,
    _noting,
    _resuming,
    _slipping,
    _striking,
    _trials,
)
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._algebra import clear
from sistel.simulation.contact._arriving import (
    arrive,
    end_slip,
    find_still,
    find_touching,
    hits,
    hold_still,
    look_back,
    look_forward,
)
from sistel.simulation.contact._hopping import SLOWEST_HOP
from sistel.simulation.contact._looking import largest_size, look
from sistel.simulation.contact._noting import record_moment, write_down
from sistel.simulation.contact._resuming import motion
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._slipping import find_slips, nearly_still
from sistel.simulation.contact._striking import AGAIN, crowd, impact
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import _loop
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._loop import propagate
from sistel.simulation.taylor.tables import Tables

RESTING: Final = 1e-11
"""Part of the terms of velocities now that counts as none."""
SLOW: Final = 1e-13
"""Part of the largest velocity that contacts have had at events that counts as none."""
MOST_AT_ONCE: Final = 100
"""Passages at one instant that count as chattering."""


def keep_in_mind(tables: Tables, scene: Scene, at_once: int, fastest: float) -> None:
    """Keep what the next passage has to know of a passage that is decided."""
    scene.counts[s.AT_ONCE] = at_once
    scene.numbers[s.MOMENT] = scene.start[tables.counts[t.SIZE] - 1]
    scene.numbers[s.FASTEST] = fastest
    for i in range(scene.counts[s.ELEMENTS]):
        scene.strikes[i] = scene.new_strikes[i]
        for j in range(s.SPEEDS):
            scene.speeds[s.SPEEDS * i + j] = scene.new_speeds[s.SPEEDS * i + j]


def decide(tables: Tables, scene: Scene, leaf: int, alone: int) -> bool:
    """What follows where a watched function of an element ends a motion; whether it is decided, else nothing is done.

    Args:
        tables: Those of the loop, at the end of the motion.
        scene: The elements.
        leaf: Of their watched functions, the one that ended it.
        alone: Strikes that the loop has taken by itself since the last passage.
    """
    counts = scene.counts
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    size = tables.counts[t.SIZE]
    before = counts[s.NOW]
    if counts[s.OPEN_WAYS] == 0 or not arrive(tables, scene):
        return False
    end_slip(tables, scene, leaf)
    fastest = look_back(tables, scene, alone)
    rest = max(RESTING * largest_size(scene, scene.data), SLOW * fastest)
    look_forward(scene)
    closed = find_touching(scene, rest, False)
    strikes = False
    for place in range(closed):
        strikes = strikes or hits(scene, scene.touching[place], rest, False)
    scene.numbers[s.LOSS] = 0.0
    clear(scene.total, k * (1 + sides))
    width = size * tables.counts[t.STRIDE] if tables.counts[t.RECORD] != 0 else 0
    table = shift(tables.coefficients, tables.counts[t.STEPS] * width)
    after = react(tables, scene, closed, strikes, rest, table)
    now = scene.start[size - 1]
    turn = 0
    while after >= 0 and strikes_again(tables, scene, fastest):
        # An impact at the same instant follows; where time has passed Python decides.
        turn += 1
        if turn > AGAIN or scene.later[size - 1] != now:
            return False
        look(tables, scene, scene.later, False)
        fastest = max(fastest, largest_size(scene, scene.data))
        rest = max(RESTING * largest_size(scene, scene.data), SLOW * fastest)
        after = strike_again(tables, scene, rest, table)
        strikes = True
        if scene.start[size - 1] != now:
            return False
    if after < 0:
        return False
    at_once = counts[s.AT_ONCE] + 1 if now == scene.numbers[s.MOMENT] else 0
    if at_once > MOST_AT_ONCE:
        return False
    # From here on it is decided.
    keep_in_mind(tables, scene, at_once, fastest)
    same = scene.stands[before * (k + s.STAND) + k] == scene.stands[after * (k + s.STAND) + k]
    if strikes or not same:
        write_down(tables, scene, leaf, before, after, alone)
    if scene.numbers[s.MOMENT_LENGTH] > 0.0:
        record_moment(tables, scene, after)
    begin(tables, scene, after, same)
    return True


def react(tables: Tables, scene: Scene, closed: int, strikes: bool, rest: float, table: Floats) -> int:
    """What follows for elements that touch, the impact of those that strike first; the answer is that of `motion`.

    Args:
        tables: Those of the loop.
        scene: The elements; `touching` are those that touch.
        closed: How many of them.
        strikes: Whether one of them strikes.
        rest: Velocity that counts as none [m/s].
        table: Room for the series of the next motion.
    """
    if strikes:
        if not impact(scene, closed, rest):
            return -1
        look(tables, scene, scene.later, False)
        crowd(tables, scene, closed, rest)
    still = find_still(scene, closed, strikes, rest)
    moves = find_slips(scene, still, scene.statuses, not strikes, rest)
    if scene.counts[s.SIDES] == 2:
        if moves:
            nearly_still(tables, scene, still, rest)
        hold_still(scene, still)
    return motion(tables, scene, still, table)


def strike_again(tables: Tables, scene: Scene, rest: float, table: Floats) -> int:
    """Another impact at the instant of one, from the state `later` and the statuses `next`; see `react`."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    loss = scene.numbers[s.LOSS]
    for i in range(k):
        scene.statuses[i] = scene.next[i]
        scene.ended[i] = 0
    for i in range(r):
        scene.before[i] = scene.total[i]
    closed = find_touching(scene, rest, True)
    after = react(tables, scene, closed, True, rest, table)
    scene.numbers[s.LOSS] += loss
    for i in range(r):
        scene.total[i] = scene.total[i] + scene.before[i]
    return after


def strikes_again(tables: Tables, scene: Scene, fastest: float) -> bool:
    """Whether something open goes through its surface at once."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    given = scene.later[size - 1] > scene.start[size - 1]
    if scene.counts[s.SURFACES] < 2 and not given:
        return False
    touches = given
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        touches = touches or (there and scene.data.gap[i] <= TOUCHING)
    if not touches:
        return False
    look(tables, scene, scene.later, True)
    rest = max(RESTING * largest_size(scene, scene.here), SLOW * fastest)
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        # At one instant only what time that has been passed over has brought to its surface strikes again.
        least = rest if given else max(rest, SLOWEST_HOP)
        if there and scene.here.gap[i] <= TOUCHING and -scene.here.u[i] > least:
            return True
    return False


def begin(tables: Tables, scene: Scene, after: int, same: bool) -> None:
    """Stand at the beginning of a motion with other statuses."""
    counts = scene.counts
    k = counts[s.ELEMENTS]
    counts[s.NOW] = after
    counts[s.DECIDED] = counts[s.DECIDED] + 1
    for i in range(tables.counts[t.SIZE]):
        tables.y[i] = scene.later[i]
    for i in range(counts[s.PARTS]):
        tables.parameters[i] = scene.p[i]
        scene.live[i] = scene.p[i]
    for row in range(counts[s.ROWS]):
        tables.results[counts[s.HELD] + row] = scene.p[row]
    if counts[s.BASE] != 0:
        tables.kernel_at(counts[s.BASE], 0, 1, counts[s.BASE_ARGUMENTS])
    if counts[s.FIND] != 0:
        tables.kernel_at(counts[s.FIND], 0, 1, counts[s.FIND_ARGUMENTS])
    opened = scene.stands[after * (k + s.STAND) + k + 1] != 0
    for leaf in range(counts[s.LEAVES]):
        strike = scene.leaves[s.LEAF * leaf + s.STRIKE]
        tables.exits[(counts[s.WRITTEN] + leaf) * t.EXIT + t.PASSAGE] = strike if opened else 0
    tables.counts[t.ENTERING] = 1
    tables.counts[t.AT_ONCE] = 0
    tables.counts[t.TICKED] = 0
    tables.counts[t.TICK_CODE] = s.tick_code(after)
    tables.counts[t.RETURNED] = 1 if same else 0
    tables.numbers[t.LAST] = 0.0
    tables.numbers[t.LAST_BUT_ONE] = 0.0


def travel(tables: Tables, scene: Scene) -> int:
    """Move on from passage to passage, beginning with one that waits; see `propagate` for the answer."""
    counts = tables.counts
    own = scene.counts
    room = counts[t.EVENT_ROOM]
    waits = own[s.ASKED] != 0
    events = own[s.WAITING] if waits else 0
    answer = o.NEW_PASSAGE
    goes_on = True
    while goes_on:
        steps = counts[t.STEPS]
        counts[t.EVENTS] = own[s.SINCE] if waits else 0
        counts[t.EVENT_ROOM] = room - events
        # Of events before a passage the loop knows nothing, as where it begins.
        part = Tables(
            flow_at=tables.flow_at,
            kernel_at=tables.kernel_at,
            plans=tables.plans,
            exits=tables.exits,
            words=tables.words,
            kinds=tables.kinds,
            directions=tables.directions,
            switches=tables.switches,
            counts=counts,
            numbers=tables.numbers,
            weights=tables.weights,
            y=tables.y,
            parameters=tables.parameters,
            scratch=tables.scratch,
            results=tables.results,
            times=tables.times,
            coefficients=tables.coefficients,
            which=tables.which,
            log=shift(tables.log, events * counts[t.LOG]),
            marks=shift(tables.marks, 2 * events),
            zeros=tables.zeros,
            signs=tables.signs,
            work=tables.work,
        )
        if not waits:
            answer = propagate(part)
        if counts[t.RECORD] != 0:
            for step in range(steps, counts[t.STEPS]):
                tables.which[step] = own[s.NOW]
        own[s.SINCE] = counts[t.EVENTS]
        own[s.WAITING] = events
        own[s.ASKED] = 0
        leaf = counts[t.LEAVING] - own[s.WRITTEN]
        goes_on = False
        if (answer == o.NEW_PASSAGE or answer == o.NO_PASSAGE) and counts[t.OPEN] >= 0 and leaf >= 0:
            row = shift(scene.leaves, s.LEAF * leaf)
            opened = scene.stands[own[s.NOW] * (own[s.ELEMENTS] + s.STAND) + own[s.ELEMENTS] + 1] != 0
            # A strike alone is compiled when it first happens.
            new = opened and row[s.ALONE] != 0 and row[s.STRIKE] == 0
            goes_on = not new and decide(part, scene, leaf, own[s.SINCE])
        waits = False
        events += counts[t.EVENTS]
    counts[t.EVENTS] = events
    counts[t.EVENT_ROOM] = room
    return answer


FUNCTIONS: Final = (
    *_loop.FUNCTIONS,
    *_trials.FUNCTIONS,
    *_looking.FUNCTIONS,
    *_striking.FUNCTIONS,
    *_holding.FUNCTIONS,
    *_slipping.FUNCTIONS,
    *_beginning.FUNCTIONS,
    *_choosing.FUNCTIONS,
    *_hopping.FUNCTIONS,
    *_resuming.FUNCTIONS,
    *_arriving.FUNCTIONS,
    *_noting.FUNCTIONS,
    s.tick_code,
    keep_in_mind,
    react,
    strike_again,
    decide,
    strikes_again,
    begin,
    travel,
)
