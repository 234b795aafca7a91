"""What bodies strike next: looked for when they begin new series, and again when what they would strike does so.

In the plane and in space alike, see `_members`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import shift
from sistel.mechanics import WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._lives import box_apart, box_body, show, stir
from sistel.simulation.plane._members import meet
from sistel.simulation.plane._places import deepest_more, look, meet_ground, meet_more, there, thickness
from sistel.simulation.plane._watching import strike
from sistel.simulation.plane.tables import World

GLANCE: Final = 1e-5
"""Longest step while something is left as it is though its laws leave it either way [s]."""
LONGEST_CALM: Final = 1e-4
SOON: Final = 2e-5
"""For how long contacts are left as they are at most, and how soon after that it is longer than before [s]."""
RENEWED: Final = 2
"""Of a body that has begun new series."""


def renew_boxes(world: World) -> None:
    """The boxes of the bodies that have begun new series, and that they strike nothing yet."""
    for place in range(world.counts[t.RENEWED]):
        body = world.renewed[place]
        box_body(world, body, world.until[body] - world.numbers[t.TIME] if world.degree[body] > 0 else 0.0)
        world.next_at[body] = math.inf


def find_stale(world: World) -> None:
    """Add the bodies that would have struck those which have begun new series."""
    for body in range(1, world.counts[t.BODIES]):
        if world.fresh[body] == 0 and math.isfinite(world.next_at[body]):
            kinds = shift(world.kinds, t.KINDS * world.next_of[body])
            if world.fresh[kinds[t.A]] == RENEWED or world.fresh[kinds[t.B]] == RENEWED:
                world.fresh[body] = 1
                world.next_at[body] = math.inf
                world.renewed[world.counts[t.RENEWED]] = body
                world.counts[t.RENEWED] = world.counts[t.RENEWED] + 1


def look_ahead(world: World) -> None:
    """What the bodies in the list strike next."""
    n = world.counts[t.BODIES]
    renew_boxes(world)
    find_stale(world)
    for place in range(world.counts[t.RENEWED]):
        body = world.renewed[place]
        world.counts[t.NEAR] = 0
        show(world, body)
        if world.asleep[body] == 0:
            meet_ground(world, body)
            meet_more(world, body, 0, reach_of(world, body, 0))
            look_at_pair(world, body, 0)
        for other in range(1, n):
            at = world.pairs[body * n + other]
            if at == 0 or world.fresh[other] < 0 or box_apart(world, body, other):
                continue
            if world.asleep[body] != 0 and world.asleep[other] != 0:
                continue
            show(world, other)
            world.counts[t.NEAR] = 0
            meet(world, at)
            meet_more(world, body, other, reach_of(world, body, other))
            look_at_pair(world, body, other)
        world.fresh[body] = -1
    for place in range(world.counts[t.RENEWED]):
        world.fresh[world.renewed[place]] = 0
    world.counts[t.RENEWED] = 0


def reach_of(world: World, body: int, other: int) -> float:
    """How far points of two bodies may go beside each other as long as their series are good [m]."""
    now = world.numbers[t.TIME]
    h = world.until[body] - now
    if other != 0:
        h = min(h, world.until[other] - now)
    if not h > 0.0 or not math.isfinite(h):
        h = 0.0
    return stir(world, body, h) + stir(world, other, h)


def look_at_pair(world: World, body: int, other: int) -> None:
    """When the first of the features that are near strikes: of a body and another one, 0 for the ground."""
    now = world.numbers[t.TIME]
    h = world.until[body] - now
    latest = world.next_at[body]
    if other != 0:
        h = min(h, world.until[other] - now)
        # Whatever one of them strikes before, both are looked at again then.
        latest = min(latest, world.next_at[other])
    if world.counts[t.NEAR] == 0 or not h > 0.0 or not math.isfinite(h):
        return
    world.numbers[t.SOFT] = max(world.soft[body], world.soft[other])
    for place in range(world.counts[t.NEAR]):
        f = world.near[place]
        e = world.kinds[t.KINDS * f + t.OWNER]
        if world.status[e] >= CLOSED:
            continue
        if world.gone[e] == now:
            world.until[body] = min(world.until[body], now + GLANCE)
        gap = look(world, f, shift(world.more, 6))
        part = strike(world, f, gap, h, min((latest - now) / h, 1.0 + 1e-15))
        if part > 1.0:
            continue
        if part == 0.0 and world.muted[e] == now:
            world.until[body] = min(world.until[body], now + GLANCE)
            continue
        time = now + part * h
        if time < world.next_at[body]:
            world.next_at[body] = time
            world.next_of[body] = f
        if other != 0 and time < world.next_at[other]:
            world.next_at[other] = time
            world.next_of[other] = f
        latest = min(latest, time)


def went_through(world: World, least: float) -> int:
    """The feature of two shapes that lie in each other by more than that, -1 for none; its gap goes to `more`."""
    n = world.counts[t.BODIES]
    worst = deepest_more(world, least)
    deepest = world.more[0] if worst >= 0 else -least
    for body in range(1, n):
        world.counts[t.NEAR] = 0
        meet_ground(world, body)
        for other in range(1, body):
            at = world.pairs[body * n + other]
            if at != 0 and not box_apart(world, body, other):
                meet(world, at)
        for place in range(world.counts[t.NEAR]):
            f = world.near[place]
            gap = look(world, f, shift(world.more, 6))
            if gap < deepest and -gap < thickness(world, f) and there(world, f, -1.0, WITHIN, 0.0):
                deepest = gap
                worst = f
    world.more[0] = deepest
    return worst


FUNCTIONS: Final = (renew_boxes, find_stale, look_ahead, reach_of, look_at_pair, went_through)
