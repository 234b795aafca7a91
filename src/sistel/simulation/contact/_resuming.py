"""The motion after a passage: what elements do from its state on, tried until nothing decides otherwise.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import SLOWEST, TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._choosing import choose, next_statuses, start_slips, take_stand
from sistel.simulation.contact._holding import settle_rows
from sistel.simulation.contact._hopping import end_hops, unseen_hops
from sistel.simulation.contact._looking import go_ahead, look
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._slipping import fades
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

AHEAD: Final = 1e-3
"""Part of the radius of convergence at which undecided cases are looked at."""
ATTEMPTS: Final = 4


def undecided(tables: Tables, scene: Scene, table: Floats) -> bool:
    """Whether the motion would end as soon as it begins; then `y` is the state that it comes to a moment later."""
    counts = tables.counts
    size = counts[t.SIZE]
    order = counts[t.ORDER]
    stride = counts[t.STRIDE]
    worst = 0.0
    for i in range(size - 1):
        worst = max(worst, abs(table[i * stride + order]) / max(abs(table[i * stride]), 1.0))
    radius = min(1.0, math.pow(max(worst, 1e-300), -1.0 / float(order))) if worst > 0.0 else 1.0
    h = AHEAD * radius
    first = size + scene.counts[s.FIRST_WATCHED]
    found = False
    for leaf in range(scene.counts[s.LEAVES]):
        row = shift(table, (first + leaf) * stride)
        change = 0.0
        for back in range(order):
            change = (change + row[order - back]) * h
        if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
            found = True
    if found:
        for i in range(size):
            row = shift(table, i * stride)
            total = row[order]
            for back in range(order):
                total = total * h + row[order - 1 - back]
            scene.y[i] = total
    return found


def give_way(tables: Tables, scene: Scene, table: Floats) -> None:
    """Watch what is open and touches in space a little lower, see `Motions._give_way`."""
    lower = 0.0
    k = scene.counts[s.ELEMENTS]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    for i in range(k):
        if scene.next[i] >= CLOSED:
            lower = max(lower, abs(scene.data.gap[i]))
    lower = min(3e-13, 2.0 * lower)
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        gap = scene.data.gap[i]
        if own[s.KIND] == 0 and scene.next[i] < CLOSED and gap <= TOUCHING and max(lower, -gap) > 1e-16:
            more = max(scene.p[own[s.PLACE]] + lower, -gap)
            if scene.p[own[s.PLACE]] == 0.0:
                # The series of a watched function that is computed already begins with this number, and nothing else.
                table[(first + leaf) * tables.counts[t.STRIDE]] += more
            else:
                tables.counts[t.KNOWN] = 0
            scene.p[own[s.PLACE]] = more


def same_numbers(scene: Scene) -> bool:
    """Whether the block p is what it was at the last look."""
    same = True
    for i in range(scene.counts[s.PARTS]):
        same = same and scene.p[i] == scene.last[i]
    return same


def slides_on(tables: Tables, scene: Scene, began: bool, table: Floats) -> bool:
    """Whether all slips in space have directions, and a first moment of them can be written down; see `give_way`."""
    if began:
        look(tables, scene, scene.later, True)
        if fades(scene, scene.here, SLOWEST):
            return False
    elif fades(scene, scene.data, 2.0 * SLOWEST):
        return False
    give_way(tables, scene, table)
    # A moment is written down as a step of its own.
    room = tables.counts[t.STEPS] < tables.counts[t.ROOM]
    return room or not scene.numbers[s.MOMENT_LENGTH] > 0.0


def motion(tables: Tables, scene: Scene, count: int, table: Floats) -> int:
    """What elements that touch and do not part do from the state `later` on; which statuses that are, -1 for Python.

    The flow from there on is in the table where KNOWN says so. What would hop unseen is brought to rest, and does not
    part either; what is let go again and again goes on.
    """
    rounds = scene.counts[s.ELEMENTS]
    for turn in range(rounds):
        stand = try_motion(tables, scene, count, table)
        if stand < 0:
            return -1
        began = scene.counts[s.BEGAN] != 0
        hops = unseen_hops(tables, scene, table)
        if hops == 0 or (hops > 0 and turn + 1 == rounds):
            return stand if scene.counts[s.SIDES] == 1 or slides_on(tables, scene, began, table) else -1
        if hops < 0 or began or (scene.counts[s.SIDES] == 2 and fades(scene, scene.data, 2.0 * SLOWEST)):
            return -1
        count = end_hops(tables, scene, count)
    return -1


def try_motion(tables: Tables, scene: Scene, count: int, table: Floats) -> int:
    """The same, whether or not hops can be followed then; whether slips begin goes to BEGAN."""
    counts = scene.counts
    size = tables.counts[t.SIZE]
    chosen = choose(scene, count)
    for i in range(size):
        scene.start[i] = scene.later[i]
    tables.counts[t.KNOWN] = 0
    stand = -1
    began = False
    gone = 0.0
    for attempt in range(ATTEMPTS):
        before = began
        scene.numbers[s.MOMENT_LENGTH] = 0.0
        begins = next_statuses(scene, chosen, attempt)
        if begins < 0.0:
            return -1
        began = begins > 0.0
        if began:
            start_slips(tables, scene, chosen, attempt, gone, begins)
        stand = take_stand(scene)
        if stand < 0:
            return -1
        if attempt > 0 and not began and not before and same_numbers(scene):
            break  # what was looked at decides nothing else, and so would the next look
        if not began:
            for i in range(size):
                scene.later[i] = scene.start[i]
        if scene.numbers[s.MOMENT_LENGTH] == 0.0:
            settle_rows(scene)
        if attempt + 1 == ATTEMPTS or chosen == 0:
            tables.counts[t.KNOWN] = 0
            break
        go_ahead(tables, scene, table)
        if not undecided(tables, scene, table):
            break
        gone = scene.y[size - 1] - scene.start[size - 1]
        tables.kernel_at(counts[s.LOOK], 0, 1, counts[s.HERE_ARGUMENTS])
        for i in range(counts[s.PARTS]):
            scene.last[i] = scene.p[i]
    counts[s.BEGAN] = 1 if began else 0
    return stand


FUNCTIONS: Final = (
    undecided,
    give_way,
    same_numbers,
    slides_on,
    motion,
    try_motion,
)
