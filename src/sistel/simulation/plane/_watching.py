"""What ends a step: gaps that close, forces that turn, slips that stop, ends of sides. Exact zeros of polynomials.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import PLUS, STICK, TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.mechanics import BEYOND, STRIKES, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._members import DEEPEST
from sistel.simulation.plane._places import AHEAD, is_corner, reaches_over, turn_between, width
from sistel.simulation.plane._series import product, rate
from sistel.simulation.plane.tables import World
from sistel.simulation.taylor._roots import FALLING, NONE, first_root

SLACK: Final = 2e-11
"""Part of the terms of a watched function that counts as none where a step begins."""
SLOW: Final = 1e-9
"""Part of the largest velocity of contacts with which what touches may seem to come nearer."""
TINY: Final = 1e-19
"""Part of the way between two bodies that a term of its series may be left out for."""
SEARCHES: Final = 6
"""Zeros of a gap beyond the ends of a side that are passed over in one step."""


def scale(power: Floats, degree: int, h: float) -> None:
    """Let a polynomial have a step for its unit of time."""
    factor = 1.0
    for k in range(degree + 1):
        power[k] = power[k] * factor
        factor *= h


def begins(power: Floats, degree: int, noise: float) -> int:
    """What a watched function does at once: 1 where it is positive, -1 where it is about to be negative, 0 if neither.

    What is nothing at the beginning is made zero: the first coefficient that is more decides.
    """
    for k in range(degree + 1):
        if power[k] > noise:
            return 1
        if power[k] < -noise:
            return -1
        power[k] = 0.0
    return 0


def falls(world: World, degree: int, noise: float) -> float:
    """The first time at which the polynomial in `power` falls below zero, as a part of the step; 2 for none.

    Args:
        world: The tables.
        degree: Of the polynomial.
        noise: What counts as nothing at the beginning.
    """
    power = world.power
    start = begins(power, degree, noise)
    if start < 0:
        return 0.0
    if start == 0:
        return NONE
    first = 0
    while power[first] == 0.0:
        first += 1
    if first == degree:
        return NONE
    return first_root(shift(power, first), degree - first, FALLING, world.work)


def move(world: World, body: int, time: float, out: Floats) -> None:
    """Where a body is some time after the beginning of the step, and how fast it moves; see `turn_between`."""
    w = width(world)
    own = shift(world.series, body * t.SERIES * w)
    for side in range(3):
        total = 0.0
        speed = 0.0
        degree = world.degree[body]
        for back in range(degree + 1):
            speed = speed * time + total
            total = total * time + own[side * w + degree - back]
        out[side] = total
        out[4 + side] = speed
    turn = out[2]
    out[2] = math.cos(turn)
    out[3] = math.sin(turn)


def within(world: World, f: int, time: float) -> bool:
    """Whether a feature that is at its surface some time after the beginning of the step is within its domain."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    one = world.more
    two = shift(world.more, 7)
    move(world, kinds[t.A], time, one)
    move(world, kinds[t.B], time, two)
    x = one[0] + one[2] * own[t.PX] - one[3] * own[t.PY] - two[0]
    y = one[1] + one[3] * own[t.PX] + one[2] * own[t.PY] - two[1]
    # In the frame of the other body.
    px = two[2] * x + two[3] * y
    py = two[2] * y - two[3] * x
    if kinds[t.KIND] == t.ROUND:
        px -= own[t.QX]
        py -= own[t.QY]
        before = own[t.BEGUN_X] * px + own[t.BEGUN_Y] * py
        after = own[t.ENDED_X] * px + own[t.ENDED_Y] * py
        none = own[t.BEGUN_X] == 0.0 and own[t.BEGUN_Y] == 0.0
        last = own[t.ENDED_X] == 0.0 and own[t.ENDED_Y] == 0.0
        return (none or before >= 0.0) and (last or after <= 0.0)
    s = own[t.NX] * py - own[t.NY] * px - own[t.ALONG]
    if own[t.RADIUS] > 0.0:
        return 0.0 <= s <= own[t.LENGTH]
    if STRIKES < s < own[t.LENGTH] - STRIKES:
        return True
    margin = -WITHIN if own[t.SHARP] != 0.0 else WITHIN
    if not is_corner(own) or not margin < s < own[t.LENGTH] - margin:
        return False
    # Corner meets corner.
    turn = shift(world.more, 14)
    turn_between(one, two, own, turn)
    return reaches_over(own, turn, 2.0 * s > own[t.LENGTH], -1.0)


def gap_degree(world: World, f: int) -> int:
    """The degree of the way between a point and what it may touch."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    a = kinds[t.A]
    b = kinds[t.B]
    turns = (own[t.PX] != 0.0 or own[t.PY] != 0.0) and world.degree[a] > 0
    bends = kinds[t.KIND] == t.SIDE or own[t.QX] != 0.0 or own[t.QY] != 0.0
    bends = bends and world.degree[b] > 0
    return world.counts[t.ORDER] if turns or bends else max(world.degree[a], world.degree[b])


def put_way(world: World, f: int, h: float) -> int:
    """From what may be touched to the point along the step, in `more`, the step for its unit of time; its degree."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    turns = own[t.PX] != 0.0 or own[t.PY] != 0.0
    w = width(world)
    one = shift(world.series, kinds[t.A] * t.SERIES * w)
    two = shift(world.series, kinds[t.B] * t.SERIES * w)
    away_x = world.more
    away_y = shift(world.more, w)
    factor = 1.0
    least = 0.0
    last = 0
    for k in range(gap_degree(world, f) + 1):
        x = one[t.S_X * w + k] - two[t.S_X * w + k]
        y = one[t.S_Y * w + k] - two[t.S_Y * w + k]
        if turns:
            x += one[t.S_COS * w + k] * own[t.PX] - one[t.S_SIN * w + k] * own[t.PY]
            y += one[t.S_SIN * w + k] * own[t.PX] + one[t.S_COS * w + k] * own[t.PY]
        if kinds[t.KIND] == t.ROUND:
            x -= two[t.S_COS * w + k] * own[t.QX] - two[t.S_SIN * w + k] * own[t.QY]
            y -= two[t.S_SIN * w + k] * own[t.QX] + two[t.S_COS * w + k] * own[t.QY]
        away_x[k] = x * factor
        away_y[k] = y * factor
        factor *= h
        if k == 0:
            least = TINY * (abs(x) + abs(y))
        if abs(away_x[k]) + abs(away_y[k]) > least:
            last = k
    return last


def put_gap(world: World, f: int, h: float) -> int:
    """The gap of a feature along a step, in `power`; its degree. Of round shapes, what has the same zeros."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    w = width(world)
    order = world.counts[t.ORDER]
    b = kinds[t.B]
    two = shift(world.series, b * t.SERIES * w)
    away_x = world.more
    away_y = shift(world.more, w)
    degree = put_way(world, f, h)
    turned_x = shift(world.more, 2 * w)
    turned_y = shift(world.more, 3 * w)
    bends = world.degree[b] > 0
    last = degree
    if kinds[t.KIND] == t.ROUND:
        last = min(order, 2 * degree)
    elif bends:
        last = order
    for k in range(degree + 1, last + 1):
        away_x[k] = 0.0
        away_y[k] = 0.0
    if kinds[t.KIND] == t.ROUND:
        for k in range(last + 1):
            world.power[k] = product(away_x, away_x, k) + product(away_y, away_y, k)
        far = own[t.RADIUS] + own[t.OTHER]
        world.power[0] = world.power[0] - far * far
        return last
    factor = 1.0
    for k in range((order if bends else 0) + 1):
        turned_x[k] = factor * (two[t.S_COS * w + k] * own[t.NX] - two[t.S_SIN * w + k] * own[t.NY])
        turned_y[k] = factor * (two[t.S_SIN * w + k] * own[t.NX] + two[t.S_COS * w + k] * own[t.NY])
        factor *= h
    for k in range(last + 1):
        if bends:
            world.power[k] = product(turned_x, away_x, k) + product(turned_y, away_y, k)
        else:
            world.power[k] = turned_x[0] * away_x[k] + turned_y[0] * away_y[k]
    world.power[0] = world.power[0] - own[t.OFF] - own[t.RADIUS]
    return last


def restart(power: Floats, degree: int, s: float) -> None:
    """Let a polynomial begin at a place of the step, with the rest of the step for its unit."""
    for first in range(degree):
        for k in range(degree - 1, first - 1, -1):
            power[k] = power[k] + s * power[k + 1]
    scale(power, degree, 1.0 - s)


def reaches(world: World, f: int, gap: float, part: float) -> bool:
    """Whether the gap of a feature may pass zero within a part of the step: nothing goes farther in it than by that."""
    kinds = shift(world.kinds, t.KINDS * f)
    a = kinds[t.A]
    b = kinds[t.B]
    stirred = shift(world.high, 2 * world.counts[t.BODIES])
    moved = part * (stirred[2 * a] + stirred[2 * b])
    turned = part * stirred[2 * b + 1]
    w = width(world)
    dx = world.series[a * t.SERIES * w] - world.series[b * t.SERIES * w]
    dy = world.series[a * t.SERIES * w + w] - world.series[b * t.SERIES * w + w]
    if b == 0:
        return abs(gap) <= moved + TOUCHING
    far = math.sqrt(dx * dx + dy * dy) + world.bodies[t.BODY * a + t.REACH]
    return abs(gap) <= moved + turned * (far + moved) + TOUCHING


def strike(world: World, f: int, gap: float, h: float, limit: float) -> float:
    """When a feature strikes, as a part of the step, before a limit; 2 for never."""
    if not reaches(world, f, gap, min(1.0, limit)):
        return NONE
    return seek(world, f, gap, put_gap(world, f, h), 1.0, h, limit)


def seek(world: World, f: int, gap: float, degree: int, unit: float, h: float, limit: float) -> float:
    """The first time at which what is in `power` falls to zero within the domain of a feature, as a part of the step.

    Args:
        world: The tables.
        f: The feature.
        gap: Of it now [m].
        degree: Of what is in `power`.
        unit: What this is for a gap of a metre.
        h: The length of the step [s].
        limit: What is later does not count.
    """
    noise = (SLOW * world.numbers[t.FASTEST] + world.numbers[t.SOFT] * h) * h * unit
    if -DEEPEST < gap <= TOUCHING:
        world.power[0] = 0.0
        start = begins(world.power, degree, noise)
        if start <= 0:
            return NONE if start == 0 or not within(world, f, AHEAD) else 0.0
    first = 0
    while first < degree and world.power[first] == 0.0:
        first += 1
    begin = 0.0
    power = shift(world.power, first)
    degree -= first
    for _ in range(SEARCHES if degree > 0 else 0):
        found = first_root(power, degree, FALLING, world.work)
        time = begin + found * (1.0 - begin)
        if found > 1.0 or time >= limit:
            return NONE
        if within(world, f, time * h):
            return time
        if found >= 1.0:
            return NONE
        restart(power, degree, found)
        power[0] = min(power[0], 0.0)
        begin = time
    return NONE


def put_contact(world: World, i: int, which: int) -> None:
    """One of the series of a contact, in `power`, but for its last coefficients."""
    w = width(world)
    own = shift(world.contact_series, (i * t.C_SERIES + which) * w)
    for k in range(world.counts[t.DEGREE] - 1):
        world.power[k] = own[k]


def grip_ends(world: World, i: int, h: float, noise: float, positive: bool) -> float:
    """When a contact that holds slips, in one direction or the other, with all for which it holds."""
    w = width(world)
    order = world.counts[t.DEGREE]
    held = shift(world.contact_series, (i * t.C_SERIES + t.C_LT) * w)
    for k in range(order - 1):
        world.power[k] = -held[k] if positive else held[k]
    for j in range(world.counts[t.ROWS]):
        if world.leader[j] == i and world.state[j] % CLOSED == STICK:
            whose = world.kinds[t.KINDS * world.chosen[j] + t.OWNER]
            friction = world.laws[t.LAW * whose + t.FRICTION]
            own = shift(world.contact_series, (j * t.C_SERIES + t.C_LN) * w)
            for k in range(order - 1):
                world.power[k] = world.power[k] + friction * own[k]
    scale(world.power, order - 2, h)
    return falls(world, order - 2, noise)


def slip_ends(world: World, i: int, h: float) -> float:
    """When a contact that slides stops."""
    order = world.counts[t.DEGREE]
    ahead = 1.0 if world.state[i] % CLOSED == PLUS else -1.0
    for k in range(order):
        world.power[k] = ahead * rate(world, i, k, 1)
    scale(world.power, order - 1, h)
    return falls(world, order - 1, SLACK * max(world.numbers[t.FASTEST], 1e-3) + world.numbers[t.SOFT] * h)


def side_ends(world: World, i: int, h: float, high: bool) -> float:
    """When what touches a side leaves it at one of its ends."""
    f = world.chosen[i]
    own = shift(world.features, t.FEATURE * f)
    w = width(world)
    order = world.counts[t.DEGREE]
    made = shift(world.contact_series, i * t.C_SERIES * w)
    sign = -1.0 if high else 1.0
    if world.kinds[t.KINDS * f + t.KIND] == t.SIDE:
        # Along the side: t = (-n.y, n.x), and so is the direction of the side.
        for k in range(order + 1):
            world.power[k] = sign * (-made[t.C_BN * w + k])
        margin = BEYOND if own[t.RADIUS] == 0.0 else 0.0
        world.power[0] = world.power[0] + (own[t.ALONG] + own[t.LENGTH] if high else -own[t.ALONG]) + margin
        scale(world.power, order, h)
        return falls(world, order, 1e-15)
    x = own[t.ENDED_X] if high else own[t.BEGUN_X]
    y = own[t.ENDED_Y] if high else own[t.BEGUN_Y]
    if x == 0.0 and y == 0.0:
        return NONE
    two = shift(world.series, world.body_b[i] * t.SERIES * w)
    turned_x = world.more
    turned_y = shift(world.more, w)
    for k in range(order + 1):
        turned_x[k] = two[t.S_COS * w + k] * x - two[t.S_SIN * w + k] * y
        turned_y[k] = two[t.S_SIN * w + k] * x + two[t.S_COS * w + k] * y
    nx = shift(made, t.C_NX * w)
    ny = shift(made, t.C_NY * w)
    for k in range(order + 1):
        world.power[k] = sign * (product(turned_x, nx, k) + product(turned_y, ny, k))
    scale(world.power, order, h)
    return falls(world, order, 1e-13)


def ending(world: World, i: int, what: int, h: float, most: float, noise: float) -> float:
    """When something ends for a closed contact, as a part of the step; 2 for never."""
    if what > 5:
        return NONE
    order = world.counts[t.DEGREE]
    grip = world.state[i] % CLOSED
    element = shift(world.elements, t.ELEMENT * world.kinds[t.KINDS * world.chosen[i] + t.OWNER])
    if what == 0:
        put_contact(world, i, t.C_LN)
        scale(world.power, order - 2, h)
        return falls(world, order - 2, noise)
    if what == 1 or what == 2:
        if grip != STICK or element[t.CLINGS] != 0 or world.leader[i] != i:
            return NONE
        return grip_ends(world, i, h, noise, what == 1)
    if what == 3:
        return NONE if grip < PLUS else slip_ends(world, i, h)
    return side_ends(world, i, h, what == 5)


FUNCTIONS: Final = (
    scale,
    begins,
    falls,
    move,
    within,
    gap_degree,
    put_way,
    put_gap,
    restart,
    reaches,
    strike,
    seek,
    put_contact,
    grip_ends,
    slip_ends,
    side_ends,
    ending,
)
