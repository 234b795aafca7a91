"""The motion of free bodies in space with closed contacts as power series of the time, one order after another.

The force of a contact that slides is against its slip, whose direction turns: its coefficient of a power follows from
velocities of that power, which are known before the accelerations. So all orders have the same equations for what
contacts carry, as in the plane. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import MINUS, PLUS, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import BRISK, FORCES, GENTLE, exact_until, grow, product, put_rates
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _flight
from sistel.simulation.space import tables as s
from sistel.simulation.space._boxes import extend_crossing
from sistel.simulation.space._equations import factor, law_of, list_rows, put_matrix, solve_rows
from sistel.simulation.space._flight import crossed, needs_rotation, turn_on
from sistel.simulation.space._vectors import cross, dot, horner, length, tangents

SLOWEST: Final = 1e-6
"""Speed of a slip that is about to stop, or has just begun [m/s]: what is neglected is of second order in it."""
FINE: Final = 1e-14
"""Error of velocities that forces of a short step may have [m/s]."""
STIFF: Final = 1e3
"""Softness, beside its own, of a row across a slip that has no force to turn it."""
GRADUAL: Final = 1e-8
"""Part of the acceleration of gravity with which a slip begins that counts as none."""
COARSE: Final = 1e-10
"""Most of the relative error of forces then."""


def extend(world: World, i: int, k: int) -> None:
    """One more coefficient of the normal and the arms of a contact: that of the power k."""
    f = world.chosen[i]
    own = shift(world.features, s.FEATURE * f)
    kind = world.kinds[t.KINDS * f + t.KIND]
    w = width(world)
    one = shift(world.series, world.body_a[i] * s.SERIES * w)
    two = shift(world.series, world.body_b[i] * s.SERIES * w)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    for side in range(3):
        a = shift(one, (s.S_R + 3 * side) * w)
        b = shift(two, (s.S_R + 3 * side) * w)
        arm = a[k] * own[s.P] + a[w + k] * own[s.P + 1] + a[2 * w + k] * own[s.P + 2]
        away = one[side * w + k] + arm - two[side * w + k]
        axis = b[k] * own[s.AXIS] + b[w + k] * own[s.AXIS + 1] + b[2 * w + k] * own[s.AXIS + 2]
        made[(s.C_A + side) * w + k] = arm
        made[(s.C_B + side) * w + k] = away
        made[(s.C_X + side) * w + k] = axis
        there = b[k] * own[s.Q] + b[w + k] * own[s.Q + 1] + b[2 * w + k] * own[s.Q + 2]
        made[(s.C_E + side) * w + k] = away - there
        made[(s.C_N + side) * w + k] = axis if kind == s.FACE else away - there
    if kind == s.CROSS:
        extend_crossing(world, i, k)
        return
    if kind == s.EDGE:
        along = 0.0
        for side in range(3):
            along += product(shift(made, (s.C_E + side) * w), shift(made, (s.C_X + side) * w), k)
        made[s.C_K * w + k] = along
        for side in range(3):
            part = product(shift(made, s.C_K * w), shift(made, (s.C_X + side) * w), k)
            made[(s.C_N + side) * w + k] = made[(s.C_E + side) * w + k] - part
    if kind != s.FACE:
        # The length of what is closed does not change.
        if k == 0:
            total = 0.0
            for side in range(3):
                total += made[(s.C_N + side) * w] * made[(s.C_N + side) * w]
            made[s.C_S * w + w - 1] = math.sqrt(total)
        for side in range(3):
            made[(s.C_N + side) * w + k] = made[(s.C_N + side) * w + k] / made[s.C_S * w + w - 1]
    for side in range(3):
        back = own[s.RADIUS] * made[(s.C_N + side) * w + k]
        made[(s.C_A + side) * w + k] = made[(s.C_A + side) * w + k] - back
        made[(s.C_B + side) * w + k] = made[(s.C_B + side) * w + k] - back


def velocity(world: World, i: int, k: int) -> None:
    """The coefficient of the power k of the velocity of a contact."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    one = shift(world.series, world.body_a[i] * s.SERIES * w)
    two = shift(world.series, world.body_b[i] * s.SERIES * w)
    for side in range(3):
        total = one[(s.S_V + side) * w + k] - two[(s.S_V + side) * w + k]
        if world.body_a[i] != 0:
            total += crossed(shift(one, s.S_W * w), shift(made, s.C_A * w), w, side, k)
        if world.body_b[i] != 0:
            total -= crossed(shift(two, s.S_W * w), shift(made, s.C_B * w), w, side, k)
        made[(s.C_U + side) * w + k] = total


def approach(world: World, i: int, k: int) -> float:
    """The coefficient of the power k of the velocity along the normal."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    total = 0.0
    for side in range(3):
        total += product(shift(made, (s.C_N + side) * w), shift(made, (s.C_U + side) * w), k)
    return total


def direction(world: World, i: int, k: int) -> None:
    """The coefficient of the power k of the direction of a slip.

    A slip that begins has u = t û, and its direction is that of û: its coefficient follows from velocities of the next
    power, which the force of this one decides. Its parts along the first direction and the normal are known before.
    """
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    speed = shift(made, s.C_S * w)
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    square = 0.0
    for side in range(3):
        square += product(shift(made, (s.C_U + side) * w), shift(made, (s.C_U + side) * w), k)
    if k == 0:
        speed[0] = math.sqrt(square)
        if speed[0] > 2.0 * SLOWEST and world.status[e] >= HELD and world.box_pairs[0] > 0:
            world.status[e] = world.status[e] - HELD  # it moves after all
        if speed[0] <= SLOWEST or world.status[e] >= HELD:
            world.counts[s.SLOW_SLIPS] = world.counts[s.SLOW_SLIPS] + (1 if world.status[e] < HELD else 0)
            speed[0] = 0.0
            for side in range(3):
                made[(s.C_D + side) * w] = world.heading[3 * e + side]
            return
        for side in range(3):
            made[(s.C_D + side) * w] = made[(s.C_U + side) * w] / speed[0]
            world.heading[3 * e + side] = made[(s.C_D + side) * w]
        return
    if speed[0] == 0.0:
        foresee(world, i, k)
        return
    for j in range(1, k):
        square -= speed[j] * speed[k - j]
    speed[k] = square / (2.0 * speed[0])
    for side in range(3):
        d = shift(made, (s.C_D + side) * w)
        total = made[(s.C_U + side) * w + k]
        for j in range(k):
            total -= d[j] * speed[k - j]
        d[k] = total / speed[0]


def foresee(world: World, i: int, k: int) -> None:
    """What is known of the direction of a slip that begins before forces of that power are."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    along = 0.0
    down = 0.0
    for side in range(3):
        d = shift(made, (s.C_D + side) * w)
        d[k] = 0.0
        along -= 0.5 * product(d, d, k)
        down -= product(d, shift(made, (s.C_N + side) * w), k)
    for side in range(3):
        d = shift(made, (s.C_D + side) * w)
        d[k] = along * d[0] + down * made[(s.C_N + side) * w]


def begins_to_slip(world: World, i: int) -> bool:
    """Whether the slip of a contact begins in this step."""
    made = shift(world.contact_series, i * s.C_SERIES * width(world))
    held = world.status[world.kinds[t.KINDS * world.chosen[i] + t.OWNER]] >= HELD
    return world.state[i] % CLOSED == PLUS and not held and made[s.C_S * width(world)] == 0.0


def across(world: World, i: int, found: Floats) -> None:
    """The tangent across the direction in which a contact begins to slip."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    r = shift(world.rows, s.ROW * i)
    for side in range(3):
        found[3 + side] = made[(s.C_D + side) * w]
    cross(r, shift(found, 3), found)


def lag(world: World, i: int, k: int) -> float:
    """How far the coefficient of the power k of a velocity is from along its direction, as far as that is known."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    speed = shift(made, s.C_H * w)
    first = first_power(world, i)
    p = world.more
    across(world, i, p)
    total = 0.0
    for side in range(3):
        d = shift(made, (s.C_D + side) * w)
        part = made[(s.C_U + side) * w + k]
        for j in range(1, k - 1):
            if k - first - j >= 0:
                part -= d[j] * speed[k - first - j]
        total += p[side] * part
    return total


def first_power(world: World, i: int) -> int:
    """The power of the time with which a slip begins.

    It is 1 where forces change all of a sudden, 2 where a force that held has grown to what friction can hold.
    """
    w = width(world)
    u = shift(world.contact_series, (i * s.C_SERIES + s.C_U) * w + 1)
    size = math.sqrt(u[0] * u[0] + u[w] * u[w] + u[2 * w] * u[2 * w])
    return 1 if size > GRADUAL * length(shift(world.numbers, s.GRAVITY)) else 2


def turn_slip(world: World, i: int, k: int, force: float) -> None:
    """Take what the forces of the power k say of a slip that begins: its direction, and its speed over its power."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    speed = shift(made, s.C_H * w)
    p = world.more
    velocity(world, i, k + 1)
    pulled = law_of(world, i, t.FRICTION) * made[s.C_P * w]
    if k > 0 and pulled > 0.0:
        across(world, i, p)
        for side in range(3):
            d = shift(made, (s.C_D + side) * w)
            d[k] = d[k] - force / pulled * p[side]
    first = first_power(world, i)
    last = k + 1 - first
    if last < 0:
        return
    square = 0.0
    for side in range(3):
        u = shift(made, (s.C_U + side) * w + first)
        square += product(u, u, last)
    if last == 0:
        speed[0] = math.sqrt(square)
        return
    for j in range(1, last):
        square -= speed[j] * speed[last - j]
    speed[last] = square / (2.0 * speed[0]) if speed[0] > 0.0 else 0.0


def take_rows(world: World, i: int) -> None:
    """Begin the series of a contact, and with them its rows now."""
    w = width(world)
    extend(world, i, 0)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    one = shift(world.series, world.body_a[i] * s.SERIES * w)
    r = shift(world.rows, s.ROW * i)
    for side in range(3):
        r[s.R_N + side] = made[(s.C_N + side) * w]
        r[s.R_A + side] = made[(s.C_A + side) * w]
        r[s.R_B + side] = made[(s.C_B + side) * w]
        r[s.R_X + side] = one[side * w] + r[s.R_A + side]
    tangents(r, shift(r, s.R_S), shift(r, s.R_T))


def add_load(world: World, i: int, k: int, body: int, end: int, now: bool) -> None:
    """Add the force of the power k of a contact to one of its bodies.

    Args:
        world: The tables.
        i: The contact.
        k: The power.
        body: The body.
        end: 0 where it is what touches.
        now: Whether only the force in `solved` is added, else all of it and of those before.
    """
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    own = shift(world.series, body * s.SERIES * w)
    sign = 1.0 if end == 0 else -1.0
    light = sign * world.bodies[s.BODY * body + s.LIGHT]
    arm = shift(made, (s.C_A if end == 0 else s.C_B) * w)
    more = world.more
    for side in range(3):
        next_one = (side + 1) % 3
        last_one = (side + 2) % 3
        push = more[side] if now else made[(s.C_F + side) * w + k]
        bend = arm[next_one * w] * more[last_one] - arm[last_one * w] * more[next_one]
        if not now:
            bend = crossed(arm, shift(made, s.C_F * w), w, side, k)
        own[(s.S_A + side) * w + k] = own[(s.S_A + side) * w + k] + light * push
        own[(s.S_T + side) * w + k] = own[(s.S_T + side) * w + k] + sign * bend


def load(world: World, i: int, k: int, now: bool) -> None:
    """The same of both bodies."""
    if world.body_a[i] != 0:
        add_load(world, i, k, world.body_a[i], 0, now)
    if world.body_b[i] != 0:
        add_load(world, i, k, world.body_b[i], 1, now)


def known_force(world: World, i: int, k: int) -> None:
    """What is known of the force of the power k before the equations are solved."""
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    pressed = shift(made, s.C_P * w)
    pressed[k] = 0.0
    grip = world.state[i] % CLOSED
    friction = law_of(world, i, t.FRICTION) if grip >= PLUS else 0.0
    for side in range(3):
        n = shift(made, (s.C_N + side) * w)
        total = 0.0
        if grip != STICK:
            total = product(pressed, n, k)
            if friction != 0.0:
                total -= friction * product(pressed, shift(made, (s.C_D + side) * w), k)
        made[(s.C_F + side) * w + k] = total


def take_solved(world: World, k: int) -> None:
    """Add the forces of the power k that were solved for."""
    w = width(world)
    r = 0
    n = world.counts[t.UNKNOWNS]
    more = world.more
    while r < n:
        i = world.which[2 * r]
        made = shift(world.contact_series, i * s.C_SERIES * w)
        for side in range(3):
            more[side] = 0.0
        turned = 0.0
        while r < n and world.which[2 * r] == i:
            q = shift(world.tableau, s.EQUATION * r)
            for side in range(3):
                more[side] = more[side] + world.solved[r] * q[s.ROW_FORCE + side]
            turned = world.solved[r]
            if world.which[2 * r + 1] == 0 and world.state[i] % CLOSED != STICK:
                made[s.C_P * w + k] = world.solved[r]
            r += 1
        for side in range(3):
            made[(s.C_F + side) * w + k] = made[(s.C_F + side) * w + k] + more[side]
        load(world, i, k, True)
        world.carried[i] = turned
        if world.state[i] % CLOSED == STICK:
            total = 0.0
            for side in range(3):
                total += product(shift(made, (s.C_F + side) * w), shift(made, (s.C_N + side) * w), k)
            made[s.C_P * w + k] = total


def begin_motion(world: World) -> None:
    """Equations of the step; the statuses are in `state`."""
    world.counts[s.SLOW_SLIPS] = 0
    for i in range(world.counts[t.ROWS]):
        take_rows(world, i)
        velocity(world, i, 0)
        if world.state[i] % CLOSED == PLUS:
            direction(world, i, 0)
            w = width(world)
            r = shift(world.rows, s.ROW * i)
            made = shift(world.contact_series, i * s.C_SERIES * w)
            for side in range(3):
                world.more[side] = made[(s.C_D + side) * w]
            world.way[3 * i] = dot(shift(r, s.R_S), world.more)
            world.way[3 * i + 1] = dot(shift(r, s.R_T), world.more)
    list_rows(world)
    put_matrix(world)
    factor(world)


def add_turns(world: World, k: int) -> None:
    """Equations of the power k, from the second one on: slips that begin may turn, the less the higher the power."""
    if k == 1:
        for i in range(world.counts[t.ROWS]):
            if begins_to_slip(world, i):
                world.state[i] = world.state[i] - PLUS + MINUS
        list_rows(world)
        for r in range(world.counts[t.UNKNOWNS]):
            world.tableau[s.EQUATION * r + s.ROW_SOFT] = 0.0
        put_matrix(world)
    w = width(world)
    n = world.counts[t.UNKNOWNS]
    for r in range(n):
        i = world.which[2 * r]
        if world.which[2 * r + 1] != 0 and world.state[i] % CLOSED == MINUS:
            q = shift(world.tableau, s.EQUATION * r)
            made = shift(world.contact_series, i * s.C_SERIES * w)
            world.matrix[r * n + r] = world.matrix[r * n + r] - q[s.ROW_SOFT]
            pulled = law_of(world, i, t.FRICTION) * made[s.C_P * w]
            q[s.ROW_SOFT] = STIFF * world.matrix[r * n + r]
            if first_power(world, i) == 2:
                q[s.ROW_SOFT] = 0.0
            elif pulled > 0.0:
                q[s.ROW_SOFT] = min(q[s.ROW_SOFT], float(k + 1) * made[s.C_H * w] / pulled)
            world.matrix[r * n + r] = world.matrix[r * n + r] + q[s.ROW_SOFT]
    factor(world)


def move_members(world: World, k: int) -> None:
    """The next coefficients of places and turns of the members, from their velocities; forces begin with weight."""
    w = width(world)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        own = shift(world.series, body * s.SERIES * w)
        grow(own, s.S_X, s.S_V, w, k)
        for side in range(3):
            own[(s.S_A + side) * w + k] = world.numbers[s.GRAVITY + side] if k == 0 else 0.0
            own[(s.S_T + side) * w + k] = 0.0
        if needs_rotation(world, body):
            turn_on(world, world.series, body, k)


def push_members(world: World, k: int) -> None:
    """What contacts are known to do in the power k, before the equations tell the rest."""
    for i in range(world.counts[t.ROWS]):
        extend(world, i, k + 1)
        if k > 0:
            velocity(world, i, k)
            if world.state[i] % CLOSED == PLUS or world.state[i] % CLOSED == MINUS:
                direction(world, i, k)
        known_force(world, i, k)
        if k > 0:
            load(world, i, k, False)


def loaded(world: World, r: int) -> float:
    """What a row of the equations carried before."""
    i = world.which[2 * r]
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    q = shift(world.tableau, s.EQUATION * r)
    if world.which[2 * r + 1] != 0:
        return 0.0  # nothing braces itself
    return dot(shift(world.loads, 3 * e), shift(q, s.ROW_WAY))


def solve_near(world: World, k: int) -> None:
    """Solve the equations of the power k; where contacts share what they carry, first near what they carried before."""
    n = world.counts[t.UNKNOWNS]
    near = k == 0 and world.counts[s.SHARED] != 0 and world.box_pairs[0] > 0
    if near:
        for r in range(n):
            own = shift(world.matrix, r * n)
            for c in range(world.begin[r], world.reach[r] + 1):
                world.right[r] = world.right[r] - own[c] * loaded(world, c)
    solve_rows(world, world.right, world.solved)
    if near:
        for r in range(n):
            world.solved[r] = world.solved[r] + loaded(world, r)


def keep_loads(world: World, time: float) -> None:
    """Remember what contacts carry at the end of the step."""
    w = width(world)
    for i in range(world.counts[t.ROWS]):
        e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
        for side in range(3):
            row = shift(world.contact_series, (i * s.C_SERIES + s.C_F + side) * w)
            world.loads[3 * e + side] = horner(row, world.counts[t.ORDER] - 2, time)


def motion(world: World) -> None:
    """Series of all bodies that closed contacts hold, from the equations of the step; the bodies are members."""
    order = world.counts[t.DEGREE]
    count = world.counts[t.ROWS]
    w = width(world)
    for k in range(order - 1):
        move_members(world, k)
        push_members(world, k)
        put_rates(world, k)
        if k > 0 and world.counts[s.SLOW_SLIPS] > 0:
            add_turns(world, k)
        for r in range(world.counts[t.UNKNOWNS]):
            i = world.which[2 * r]
            if r == 0 or world.which[2 * (r - 1)] != i:
                velocity(world, i, k + 1)
            world.right[r] = -float(k + 1) * row_rate(world, r, k + 1)
        solve_near(world, k)
        take_solved(world, k)
        put_rates(world, k)
        for i in range(count):
            if world.counts[s.SLOW_SLIPS] > 0 and (world.state[i] % CLOSED == MINUS or begins_to_slip(world, i)):
                turn_slip(world, i, k, world.carried[i])
    for i in range(count):
        if world.state[i] % CLOSED == MINUS:
            world.state[i] = world.state[i] - MINUS + PLUS
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        own = shift(world.series, body * s.SERIES * w)
        grow(own, s.S_X, s.S_V, w, order - 1)
        if needs_rotation(world, body):
            turn_on(world, world.series, body, order - 1)
        world.degree[body] = order
    for i in range(count):
        extend(world, i, order)
        velocity(world, i, order - 1)


def row_rate(world: World, r: int, k: int) -> float:
    """The coefficient of the power k of what a row of the equations keeps at zero."""
    i = world.which[2 * r]
    if world.which[2 * r + 1] == 0 and world.state[i] % CLOSED != STICK:
        return approach(world, i, k)
    w = width(world)
    if world.state[i] % CLOSED == MINUS:
        return lag(world, i, k)
    q = shift(world.tableau, s.EQUATION * r)
    u = shift(world.contact_series, (i * s.C_SERIES + s.C_U) * w)
    return q[s.ROW_WAY] * u[k] + q[s.ROW_WAY + 1] * u[w + k] + q[s.ROW_WAY + 2] * u[2 * w + k]


def longest_step(world: World) -> float:
    """How long a step may be: the last coefficients of series tell, and angles [s]."""
    order = world.counts[t.DEGREE]
    w = width(world)
    h = math.inf
    pulled = length(shift(world.numbers, s.GRAVITY))
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        if world.asleep[body] != 0:
            continue
        rate = shift(world.rate, s.RATE * body)
        spin = length(shift(rate, 3))
        reach = world.bodies[s.BODY * body + s.REACH]
        if spin > 0.0 and (needs_rotation(world, body) or world.counts[t.RECORD] != 0):
            h = min(h, (BRISK if order > t.LOW or not needs_rotation(world, body) else GENTLE) / spin)
        speed = length(rate)
        # Boxes around the way of a body are not to be much larger than the body.
        if speed > 0.0 or pulled > 0.0:
            h = min(h, 8.0 * reach / (speed + math.sqrt(pulled * reach)))
        turns = needs_rotation(world, body) and spin > 0.0
        for side in range(12):
            if world.degree[body] <= 2 and (side < 3 or not turns):
                continue
            own = shift(world.series, (body * s.SERIES + (s.S_X + side if side < 3 else s.S_R + side - 3)) * w)
            scale = world.numbers[t.TOLERANCE] * (reach if side < 3 else 1.0)
            for back in range(3):
                last = abs(own[order - back])
                if last > 0.0:
                    h = min(h, 0.8 * math.pow(scale / last, 1.0 / float(order - back)))
    return min(h, longest_of_forces(world))


def longest_of_forces(world: World) -> float:
    """How long a step may be for the series of forces to be exact: these may have poles where motions do not.

    A slip that is about to stop has such a pole there, and steps become shorter and shorter: in a short time forces
    need not be as exact for velocities to be.
    """
    w = width(world)
    most = 0.0
    lightest = 0.0
    for i in range(world.counts[t.ROWS]):
        most = max(most, abs(world.contact_series[(i * s.C_SERIES + s.C_P) * w]))
        lightest = max(lightest, world.bodies[s.BODY * world.body_a[i] + s.LIGHT])
        lightest = max(lightest, world.bodies[s.BODY * world.body_b[i] + s.LIGHT])
    if most == 0.0:
        return math.inf
    h = exact_until(world, FORCES * most, 4)
    loose = min(COARSE, FINE / (most * lightest * h))
    return exact_until(world, loose * most, 4) if loose > FORCES else h


FUNCTIONS: Final = (
    *_flight.FUNCTIONS,
    extend,
    velocity,
    approach,
    direction,
    foresee,
    begins_to_slip,
    across,
    lag,
    first_power,
    turn_slip,
    take_rows,
    add_load,
    load,
    known_force,
    take_solved,
    begin_motion,
    add_turns,
    move_members,
    push_members,
    loaded,
    solve_near,
    keep_loads,
    motion,
    row_rate,
    longest_step,
    longest_of_forces,
    exact_until,
)
