"""The end of a motion: which elements touch there, which of them strike, and which do not part.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import STICK, TOUCHING
from sistel.kernels.subset import shift
from sistel.mechanics import AWAY
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._looking import largest_size, look, slides
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._slipping import stop
from sistel.simulation.contact._striking import remember
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

DEEP: Final = 1e-6
"""How far beyond its surface a point, or a joint beyond its stop, shows that an impact was missed [m or rad]."""


def look_back(tables: Tables, scene: Scene, alone: int) -> float:
    """The largest velocity that elements have had at events, with those of strikes that were taken since the last."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    fastest = scene.numbers[s.FASTEST]
    response = 0.0
    for i in range(r):
        response = max(response, scene.data.G[i * r + i])
    for event in range(alone):
        note = shift(tables.log, event * tables.counts[t.LOG] + 2)
        square = 0.0
        for i in range(6):
            square += note[i] * note[i]
        fastest = max(fastest, math.sqrt(square) * response)
    return max(fastest, largest_size(scene, scene.data))


def arrive(tables: Tables, scene: Scene) -> bool:
    """Look at the state at the end of a motion; False where something has gone through its surface."""
    k = scene.counts[s.ELEMENTS]
    own = shift(scene.stands, scene.counts[s.NOW] * (k + s.STAND))
    for i in range(k):
        scene.statuses[i] = own[i]
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = tables.y[i]
    look(tables, scene, tables.y, False)
    for i in range(k):
        scene.ended[i] = 0
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.data.gap[i] < -DEEP:
            return False
    return True


def end_slip(tables: Tables, scene: Scene, leaf: int) -> None:
    """End the slip of an element whose watched function has ended a motion, if that was it."""
    whose = scene.leaves[s.LEAF * leaf + s.WHOSE]
    grip = scene.statuses[whose] % CLOSED
    if scene.leaves[s.LEAF * leaf + s.KIND] != 0 and slides(grip):
        if scene.elements[s.ELEMENT * whose + s.TANGENTS] == 2:
            stop(tables, scene, scene.statuses, whose)
        else:
            scene.ended[whose] = 1


def look_forward(scene: Scene) -> None:
    """Begin with the strikes that are kept in mind."""
    for i in range(scene.counts[s.ELEMENTS]):
        scene.new_strikes[i] = scene.strikes[i]
        for j in range(s.SPEEDS):
            scene.new_speeds[s.SPEEDS * i + j] = scene.speeds[s.SPEEDS * i + j]


def find_touching(scene: Scene, rest: float, anew: bool) -> int:
    """Find the elements that touch, in `touching`, and keep in mind how fast they strike; how many touch.

    Args:
        scene: The elements.
        rest: Velocity that counts as none [m/s].
        anew: Whether what holds may strike as well: an impact at the same instant has thrown it down.
    """
    data = scene.data
    closed = 0
    for i in range(scene.counts[s.ELEMENTS]):
        # What touches keeps to it, unless it has slid off.
        touches = data.gap[i] <= TOUCHING or (scene.statuses[i] >= CLOSED and data.gap[i] < 0.5 * AWAY)
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and touches:
            scene.touching[closed] = i
            closed += 1
            if hits(scene, i, rest, anew):
                remember(scene, i, -data.u[i])
    return closed


def hits(scene: Scene, i: int, rest: float, anew: bool) -> bool:
    """Whether an element that touches strikes."""
    return scene.data.u[i] < -rest and (anew or scene.statuses[i] < CLOSED)


def find_still(scene: Scene, closed: int, strikes: bool, rest: float) -> int:
    """Find the elements that touch and do not part, in `still`; how many."""
    still = 0
    for place in range(closed):
        i = scene.touching[place]
        if scene.data.u[i] <= rest or (scene.statuses[i] >= CLOSED and not strikes):
            scene.still[still] = i
            still += 1
    for i in range(scene.counts[s.ELEMENTS]):
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0:
            scene.still[still] = i
            still += 1
    return still


def hold_still(scene: Scene, still: int) -> None:
    """Let closed elements in space stick that do not slip."""
    for place in range(still):
        i = scene.still[place]
        slips = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.statuses[i] >= CLOSED and not slips:
            scene.statuses[i] = CLOSED + STICK


FUNCTIONS: Final = (
    look_back,
    arrive,
    end_slip,
    look_forward,
    find_touching,
    hits,
    find_still,
    hold_still,
)
