"""Contacts that are left as they are for a while, where what they do changes back and forth and moves nothing.

In the plane and in space alike, see `_members`. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import FREE, PLUS, STICK
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._islands import most_force, move_island
from sistel.simulation.plane._meetings import GLANCE, LONGEST_CALM, SOON
from sistel.simulation.plane._members import show_island
from sistel.simulation.plane._places import width
from sistel.simulation.plane._watching import ending
from sistel.simulation.plane.tables import World

CROWD: Final = 12
"""Contacts up to which all changes of what they do are followed."""
FUSSES, FEW_FUSSES = 12, 4
"""Changes without an impact within `GLANCE` after which contacts are left as they are, at first and then."""
IN_THE_PLANE: Final = 10
"""How many times as many these are there: slips have no directions that turn."""
PULLS: Final = 1e-9
"""Part of the largest force up to which what slides counts as pulling."""
TAMED: Final = 3
"""How often what pulls while it slides is let go of by itself; then all that slides is."""
WILD: Final = 100.0
"""How many times the weight of all members a force may be as long as contacts are left as they are."""


def is_calm(world: World) -> bool:
    """Whether contacts of the members hold what they hold for a while."""
    return world.counts[t.ROWS] > 0 and world.calm_until[world.members[0]] > world.numbers[t.TIME]


def stay(world: World, f: int, whose: int) -> bool:
    """Let a contact whose slip is over hold, where contacts are left as they are; whether they are."""
    a = world.kinds[t.KINDS * f + t.A]
    show_island(world, a if a != 0 else world.kinds[t.KINDS * f + t.B])
    if not is_calm(world):
        return False
    world.status[whose] = CLOSED + STICK
    return True


def quieten(world: World) -> None:
    """Leave contacts of the members as they are for a while, if they change back and forth without an impact.

    Forces of many contacts that share what they carry are not determined, and what one of them does depends on them:
    such changes crowd together and move nothing. What holds goes on to do so, and does no work; what slides may stop.
    """
    now = world.numbers[t.TIME]
    many = 0
    longest = 0.0
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        if now - world.fuss_since[body] > GLANCE:
            world.fuss_since[body] = now
            world.fusses[body] = 0
        world.fusses[body] = world.fusses[body] + 1
        many = max(many, world.fusses[body])
        if now - world.calm_until[body] < SOON:
            longest = max(longest, world.calm_for[body])
    most = (FUSSES if longest == 0.0 else FEW_FUSSES) * (IN_THE_PLANE if world.counts[t.AXES] == 2 else 1)
    if world.counts[t.CLOSED_COUNT] <= CROWD or many <= most:
        return
    longest = min(max(GLANCE, 2.0 * longest), LONGEST_CALM)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        world.calm_for[body] = longest
        world.calm_until[body] = now + longest
        world.fusses[body] = 0
    if world.counts[t.QUIETED] == 0:
        world.numbers[t.FIRST_CALM] = now
    world.counts[t.QUIETED] = world.counts[t.QUIETED] + 1
    world.numbers[t.LONGEST_CALM] = max(world.numbers[t.LONGEST_CALM], longest)


def pressure(world: World, i: int) -> float:
    """The force along the normal of a contact of the problem, where its series begins [N]."""
    row = i * world.counts[t.CONTACT_ROW] + world.counts[t.FORCE_ROW] + (3 if world.counts[t.AXES] == 3 else 0)
    return world.contact_series[row * width(world)]


def weight(world: World) -> float:
    """What the members weigh [N]."""
    total = 0.0
    for place in range(world.counts[t.MEMBERS]):
        total += 1.0 / world.bodies[world.counts[t.BODY_ROW] * world.members[place] + t.LIGHT]
    pulled = 0.0
    first = t.GX if world.counts[t.AXES] == 2 else t.NUMBERS
    for side in range(world.counts[t.AXES]):
        pulled += abs(world.numbers[first + side])
    return total * pulled


def tame(world: World) -> None:
    """Let what slides do so without friction, where contacts that are left as they are would be driven by it.

    A contact that is left as it is may come to pull; where it slides its friction would push along, and the equations
    may have no solution that is near. Without friction what holds does no work, and there is always one.
    """
    if not is_calm(world):
        return
    for turn in range(TAMED + 1):
        most = most_force(world, 0.0)
        wild = not most <= WILD * weight(world)
        found = False
        for i in range(world.counts[t.ROWS]):
            slides = world.state[i] % CLOSED >= PLUS
            if slides and (wild or turn == TAMED - 1 or pressure(world, i) < PULLS * most):
                world.state[i] = CLOSED + FREE
                found = True
        if not found:
            return
        move_island(world)


def calm_until(world: World, h: float) -> float:
    """How long contacts may be left as they are: until one that slides would begin to pull [s]."""
    most = most_force(world, h)
    found = 1.0
    for i in range(world.counts[t.ROWS]):
        if world.state[i] % CLOSED >= PLUS:
            time = ending(world, i, 0, h, most, PULLS * most)
            if 0.0 < time < found:
                found = time
    return found * h


FUNCTIONS: Final = (is_calm, stay, quieten, pressure, weight, tame, calm_until)
