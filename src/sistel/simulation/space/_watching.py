"""What ends a step in space: gaps that close, forces that turn, slips that stop, ends of faces and edges.

Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import PLUS, STICK, TOUCHING
from sistel.kernels.subset import shift
from sistel.mechanics import BEYOND, STRIKES
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import product
from sistel.simulation.plane._watching import SLACK, begins, falls, restart, scale, seek
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._boxes import fits, put_along, put_crossing
from sistel.simulation.space._equations import law_of
from sistel.simulation.space._places import in_domain, out
from sistel.simulation.space._series import first_power
from sistel.simulation.space._vectors import cross, dot, horner, length
from sistel.simulation.taylor._roots import NONE

ENDS: Final = 8
"""What may end for a contact: its force, its grip, its slip, or that it is between two ends along one of three axes."""
CLEAR: Final = 1e-6
"""How far two edges have to be out of each other for it to be certain on which side of each other they are."""
OVER: Final = 6.0
"""How much more the way out of two edges changes than their bodies turn, at most."""


def within(world: World, f: int, time: float) -> bool:
    """Whether a feature that is at its surface some time after the beginning of the step is within its domain."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    if own[s.BOXED] != 0.0:
        return fits(world, f, time)
    w = width(world)
    order = world.counts[t.ORDER]
    a = kinds[t.A]
    b = kinds[t.B]
    one = shift(world.series, a * s.SERIES * w)
    two = shift(world.series, b * s.SERIES * w)
    at = world.more
    inside = shift(world.more, 3)
    for side in range(3):
        at[side] = horner(shift(one, side * w), world.degree[a], time)
        at[side] = at[side] - horner(shift(two, side * w), world.degree[b], time)
        for place in range(3):
            if own[s.P + place] != 0.0:
                at[side] = at[side] + own[s.P + place] * horner(shift(one, (s.S_R + 3 * side + place) * w), order, time)
    for place in range(3):
        total = 0.0
        for side in range(3):
            total += at[side] * horner(shift(two, (s.S_R + 3 * side + place) * w), 0 if b == 0 else order, time)
        inside[place] = total
    return in_domain(world, f, inside, STRIKES if own[s.RADIUS] == 0.0 else 0.0)


def gap_degree(world: World, f: int) -> int:
    """The degree of the way between a point and what it may touch."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    a = kinds[t.A]
    b = kinds[t.B]
    turns = length(own) > 0.0 and a != 0 and world.asleep[a] == 0
    bends = kinds[t.KIND] != s.CORNER or length(shift(own, s.Q)) > 0.0
    bends = bends and b != 0 and world.asleep[b] == 0
    return world.counts[t.ORDER] if turns or bends else max(world.degree[a], world.degree[b])


def put_way(world: World, f: int, degree: int) -> None:
    """From a place of what may be touched to the point, in `more`, and behind that its axis, along the step."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    turns = length(own) > 0.0
    w = width(world)
    one = shift(world.series, kinds[t.A] * s.SERIES * w)
    two = shift(world.series, kinds[t.B] * s.SERIES * w)
    for side in range(3):
        a = shift(one, (s.S_R + 3 * side) * w)
        b = shift(two, (s.S_R + 3 * side) * w)
        way = shift(world.more, side * w)
        axis = shift(world.more, (3 + side) * w)
        for k in range(degree + 1):
            way[k] = one[side * w + k] - two[side * w + k]
            if turns:
                way[k] = way[k] + a[k] * own[s.P] + a[w + k] * own[s.P + 1] + a[2 * w + k] * own[s.P + 2]
            way[k] = way[k] - b[k] * own[s.Q] - b[w + k] * own[s.Q + 1] - b[2 * w + k] * own[s.Q + 2]
            axis[k] = b[k] * own[s.AXIS] + b[w + k] * own[s.AXIS + 1] + b[2 * w + k] * own[s.AXIS + 2]


def put_gap(world: World, f: int) -> int:
    """The gap of a feature along the step, in `power`; its degree. Of round shapes, what has the same zeros."""
    kind = world.kinds[t.KINDS * f + t.KIND]
    own = shift(world.features, s.FEATURE * f)
    w = width(world)
    degree = gap_degree(world, f)
    put_way(world, f, degree)
    far = own[s.RADIUS] + own[s.OTHER]
    last = degree if kind == s.FACE else min(world.counts[t.ORDER], 2 * degree)
    for row in range(6):
        for k in range(degree + 1, last + 1):
            world.more[row * w + k] = 0.0
    along = shift(world.more, 6 * w)
    for k in range(last + 1):
        total = 0.0
        if kind != s.CORNER:
            for side in range(3):
                total += product(shift(world.more, side * w), shift(world.more, (3 + side) * w), k)
        along[k] = total
    if kind == s.FACE:
        for k in range(last + 1):
            world.power[k] = along[k]
        world.power[0] = world.power[0] - far
        return last
    for k in range(last + 1):
        total = 0.0
        for side in range(3):
            total += product(shift(world.more, side * w), shift(world.more, side * w), k)
        if kind == s.EDGE:
            total -= product(along, along, k)
        world.power[k] = total
    world.power[0] = world.power[0] - far * far
    return last


def reaches(world: World, f: int, gap: float, part: float) -> bool:
    """Whether the gap of a feature may pass zero within a part of the step: nothing goes farther in it than by that."""
    kinds = shift(world.kinds, t.KINDS * f)
    a = kinds[t.A]
    b = kinds[t.B]
    stirred = shift(world.high, 3 * world.counts[t.BODIES])
    moved = part * (stirred[2 * a] + stirred[2 * b])
    if b == 0:
        return abs(gap) <= moved + TOUCHING
    w = width(world)
    far = 0.0
    for side in range(3):
        far += abs(world.series[(a * s.SERIES + side) * w] - world.series[(b * s.SERIES + side) * w])
    far += world.bodies[s.BODY * a + s.REACH]
    turned = part * stirred[2 * b + 1] if kinds[t.KIND] != s.CORNER else 0.0
    if world.features[s.FEATURE * f + s.BOXED] != 0.0:
        turned = 0.0  # no place of either goes farther
    return abs(gap) <= moved + turned * (far + moved) + TOUCHING


def strike(world: World, f: int, gap: float, h: float, limit: float) -> float:
    """When a feature strikes, as a part of the step, before a limit; 2 for never."""
    if not reaches(world, f, gap, min(1.0, limit)):
        return NONE
    if world.kinds[t.KINDS * f + t.KIND] == s.CROSS:
        return strike_edges(world, f, gap, h, limit)
    degree = put_gap(world, f)
    own = shift(world.features, s.FEATURE * f)
    unit = 1.0 if world.kinds[t.KINDS * f + t.KIND] == s.FACE else 2.0 * (own[s.RADIUS] + own[s.OTHER])
    scale(world.power, degree, h)
    return seek(world, f, gap, degree, unit, h, limit)


def strike_edges(world: World, f: int, gap: float, h: float, limit: float) -> float:
    """The same of edges that cross: where they may turn over each other, from both sides."""
    kinds = shift(world.kinds, t.KINDS * f)
    w = width(world)
    stirred = shift(world.high, 3 * world.counts[t.BODIES])
    turned = stirred[2 * kinds[t.A] + 1] + stirred[2 * kinds[t.B] + 1]
    degree = gap_degree(world, f)
    found = NONE
    sign = 1.0
    for turn in range(2):
        put_way(world, f, degree)
        put_crossing(world, f, degree, sign)
        # The way out of both tells on which side of each other they are; it is surely so where that is clear.
        if turn == 0 and outward(world, f) < 0.0:
            sign = -1.0
            for k in range(degree + 1):
                world.power[k] = -world.power[k]
        for side in range(3):
            world.work[side] = world.more[(9 + side) * w]
        unit = max(length(world.work), min(1.0, turned))
        if turn == 1 and abs(gap) <= TOUCHING and abs(outward(world, f)) > CLEAR:
            # What touched leaves the surface here: seen from the other side it looks like a strike, and is none.
            world.power[0] = 0.0
            gap = 1.0
        scale(world.power, degree, h)
        found = min(found, seek(world, f, gap, degree, unit, h, min(limit, found)))
        if abs(outward(world, f)) > OVER * turned:
            break
        sign = -sign
        gap = -gap
    return found


def outward(world: World, f: int) -> float:
    """How far the vector product of two edges that cross shows out of their boxes now, from one to the other."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    found = world.work
    a = shift(world.work, 3)
    b = shift(world.work, 6)
    out(world, kinds[t.A], shift(own, s.OWN_EDGE), a)
    out(world, kinds[t.B], shift(own, s.AXIS), b)
    cross(a, b, found)
    out(world, kinds[t.A], shift(own, s.OWN_OUT), a)
    out(world, kinds[t.B], shift(own, s.OUT), b)
    return dot(found, b) - dot(found, a)


def grip_ends(world: World, i: int, h: float, noise: float) -> float:
    """When a contact that holds slips: where its force leaves the cone (1 + μ²) N² = F²."""
    w = width(world)
    order = world.counts[t.DEGREE]
    made = shift(world.contact_series, i * s.C_SERIES * w)
    friction = law_of(world, i, t.FRICTION)
    pressed = shift(made, s.C_P * w)
    for k in range(order - 1):
        total = (1.0 + friction * friction) * product(pressed, pressed, k)
        for side in range(3):
            total -= product(shift(made, (s.C_F + side) * w), shift(made, (s.C_F + side) * w), k)
        world.power[k] = total
    scale(world.power, order - 2, h)
    return falls(world, order - 2, noise)


def slip_ends(world: World, i: int, h: float) -> float:
    """When a contact that slides stops, along the direction in which it slides now."""
    w = width(world)
    order = world.counts[t.DEGREE]
    made = shift(world.contact_series, i * s.C_SERIES * w)
    for k in range(order):
        total = 0.0
        for side in range(3):
            total += made[(s.C_D + side) * w] * made[(s.C_U + side) * w + k]
        world.power[k] = total
    noise = SLACK * max(world.numbers[t.FASTEST], 1e-3) + world.numbers[t.SOFT] * h
    if made[s.C_S * w] == 0.0:
        # It has just begun, or is about to stop: what its speed is over the time tells.
        first = first_power(world, i)
        if first == 1 and world.power[1] < 0.0:
            return 0.0
        for k in range(order - first):
            world.power[k] = world.power[k + first]
        scale(world.power, order - first - 1, h)
        return falls(world, order - first - 1, noise)
    scale(world.power, order - 1, h)
    return falls(world, order - 1, noise)


def bound_ends(world: World, i: int, axis: int, h: float) -> float:
    """When what touches passes one of the ends along an axis of the solid."""
    f = world.chosen[i]
    own = shift(world.features, s.FEATURE * f)
    if own[s.BOXED] == s.CROSSING:
        return NONE if axis == 2 else edge_ends(world, i, axis, h)
    code = own[s.CODE + axis]
    if code == 2.0:
        return NONE
    w = width(world)
    order = world.counts[t.DEGREE]
    made = shift(world.contact_series, i * s.C_SERIES * w)
    two = shift(world.series, world.body_b[i] * s.SERIES * w)
    u = shift(own, s.AXES + 3 * axis)
    along = shift(world.more, 7 * w)
    for k in range(order + 1):
        along[k] = 0.0
    for side in range(3):
        b = shift(two, (s.S_R + 3 * side) * w)
        turned = world.more
        at = shift(world.more, w)
        for k in range(order + 1):
            turned[k] = b[k] * u[0] + b[w + k] * u[1] + b[2 * w + k] * u[2]
            at[k] = made[(s.C_B + side) * w + k] + own[s.RADIUS] * made[(s.C_N + side) * w + k]
        for k in range(order + 1):
            along[k] = along[k] + product(turned, at, k)
    for side in range(3):
        along[0] = along[0] - u[side] * own[s.MIDDLE + side]
    half = own[s.HALF + axis]
    best = NONE
    for end in range(2):
        sign = 1.0 if end == 0 else -1.0
        if code * sign < 0.0:
            continue
        for k in range(order + 1):
            world.power[k] = along[k] * (sign if code != 0.0 else -sign)
        margin = BEYOND if own[s.RADIUS] == 0.0 else 0.0
        world.power[0] = world.power[0] + (half + margin if code == 0.0 else -half)
        scale(world.power, order, h)
        best = min(best, falls(world, order, 1e-15))
    return best


def edge_ends(world: World, i: int, which: int, h: float) -> float:
    """When edges that cross pass an end of one of them."""
    own = shift(world.features, s.FEATURE * world.chosen[i])
    order = world.counts[t.ORDER]
    half = own[s.OWN_SPAN] if which == 0 else own[s.SPAN]
    along = world.more
    put_along(world, i, which, along)
    best = NONE
    for end in range(2):
        sign = 1.0 if end == 0 else -1.0
        for k in range(order + 1):
            world.power[k] = -sign * along[k]
        world.power[0] = world.power[0] + half + BEYOND
        scale(world.power, order, h)
        best = min(best, falls(world, order, 1e-15))
    return best


def ending(world: World, i: int, what: int, h: float, most: float, noise: float) -> float:
    """When something ends for a closed contact, as a part of the step; 2 for never."""
    grip = world.state[i] % CLOSED
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    if what == 0:
        w = width(world)
        order = world.counts[t.DEGREE]
        own = shift(world.contact_series, (i * s.C_SERIES + s.C_P) * w)
        for k in range(order - 1):
            world.power[k] = own[k]
        scale(world.power, order - 2, h)
        return falls(world, order - 2, noise)
    if what == 1:
        if grip != STICK or world.elements[t.ELEMENT * e + t.CLINGS] != 0:
            return NONE
        return grip_ends(world, i, h, noise * most)
    if what == 3:
        return NONE if grip != PLUS or world.status[e] >= HELD else slip_ends(world, i, h)
    return NONE if what == 2 or what > 6 else bound_ends(world, i, what - 4, h)


FUNCTIONS: Final = (
    scale,
    begins,
    falls,
    restart,
    within,
    gap_degree,
    put_way,
    put_gap,
    reaches,
    strike,
    strike_edges,
    outward,
    seek,
    grip_ends,
    slip_ends,
    bound_ends,
    edge_ends,
    ending,
)
