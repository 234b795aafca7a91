"""Hops that no step would see: elements that touch, and would strike again at once, come to rest.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import SLOWEST, TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._holding import stop_rows
from sistel.simulation.contact._looking import go_ahead, look
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

SLOWEST_HOP: Final = 1e-7
"""Velocity from which on a hop is surely seen [m/s]."""
LOWEST_HOP: Final = 1e-22
"""Height of a hop, four times over, that is not seen [m]: see `NOWHERE` of the steps."""


def find_hops(tables: Tables, scene: Scene, table: Floats) -> int:
    """Find elements that touch and would strike again before that could be seen, in `slow`; how many.

    -1 where one is inside its surface.
    """
    stride = tables.counts[t.STRIDE]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    hops = 0
    for i in range(scene.counts[s.ELEMENTS]):
        scene.slow[i] = 0
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        if own[s.KIND] == 0 and touches_slowly(scene, i):
            row = shift(table, (first + leaf) * stride)
            if row[0] < -t.NEAR:
                return -1
            if row[0] <= t.NEAR:
                falls = row[1] < -t.NEAR
                if row[2] < 0.0:
                    falls = falls or row[1] <= t.NEAR or row[1] * row[1] <= LOWEST_HOP * -row[2]
                if falls and row[1] >= -SLOWEST_HOP:
                    scene.slow[i] = 1
                    hops += 1
    return hops


def end_hops(tables: Tables, scene: Scene, count: int) -> int:
    """Bring elements that hop unseen to rest on their surfaces, beside what holds, in the state `later`.

    They are among those that do not part then; how many these are.
    """
    counts = scene.counts
    data = scene.data
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    nv = counts[s.RATES]
    n = 0
    for row in range(counts[s.ROWS]):
        if scene.p[row] != 0.0:
            scene.rows[n] = scene.places[row]
            n += 1
    for i in range(k):
        if scene.slow[i] != 0:
            scene.rows[n] = i
            n += 1
    stop_rows(scene, scene.rows, n, 1e-12)
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = scene.start[i]
    for j in range(n):
        for c in range(nv):
            at = counts[s.FIRST_RATE] + c
            scene.later[at] = scene.later[at] + data.P[scene.rows[j] * nv + c] * scene.problem.x[j]
    look(tables, scene, scene.later, False)
    for i in range(k):
        if scene.slow[i] == 0:
            continue
        one = data.u[k + i]
        two = data.u[2 * k + i] if sides == 2 else 0.0
        speed = math.sqrt(one * one + two * two)
        if speed > SLOWEST:
            scene.slipping[sides * i] = one / speed
            if sides == 2:
                scene.slipping[sides * i + 1] = two / speed
        known = False
        for place in range(count):
            known = known or scene.still[place] == i
        if not known:
            scene.still[count] = i
            count += 1
    return count


def touches_slowly(scene: Scene, i: int) -> bool:
    """Whether an element is open, touches, and does not surely leave."""
    if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 or scene.next[i] >= CLOSED or scene.data.gap[i] > TOUCHING:
        return False
    return scene.data.gap[i] < -t.NEAR or scene.data.u[i] <= SLOWEST_HOP


def unseen_hops(tables: Tables, scene: Scene, table: Floats) -> int:
    """See `find_hops`; the series of the motion are computed only where something touches slowly."""
    near = False
    for i in range(scene.counts[s.ELEMENTS]):
        near = near or touches_slowly(scene, i)
    if not near:
        return 0
    if tables.counts[t.KNOWN] == 0:
        go_ahead(tables, scene, table)
    return find_hops(tables, scene, table)


FUNCTIONS: Final = (
    touches_slowly,
    unseen_hops,
    find_hops,
    end_hops,
)
