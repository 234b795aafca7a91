"""The motion of free bodies with closed contacts as power series of the time, one order after another.

All orders have the same equations for what contacts carry, with other right sides: they are made triangular once a
step. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, find_leaders, is_heap, pull, put_equations, solve_rows
from sistel.simulation.plane._places import width
from sistel.simulation.plane.tables import World

BRISK: Final = 1.0
"""Angle by which a body may turn in a step, so that the series of its sine is exact [rad]."""
GENTLE: Final = 0.06
"""The same for short series [rad]."""
FORCES: Final = 1e-13
"""Relative error of forces that a step may have at its end."""


def product(one: Floats, two: Floats, k: int) -> float:
    """A coefficient of the product of two series."""
    total = 0.0
    for j in range(k + 1):
        total += one[j] * two[k - j]
    return total


def rest_of_product(one: Floats, two: Floats, k: int) -> float:
    """The same without what the first coefficient of the first one does."""
    total = 0.0
    for j in range(1, k + 1):
        total += one[j] * two[k - j]
    return total


def turn_on(world: World, body: int, k: int) -> None:
    """One more coefficient of the cosine and the sine of the angle of a body."""
    w = width(world)
    own = shift(world.series, body * t.SERIES * w)
    c = shift(own, t.S_COS * w)
    s = shift(own, t.S_SIN * w)
    spin = shift(own, t.S_SPIN * w)
    c[k + 1] = -product(s, spin, k) / float(k + 1)
    s[k + 1] = product(c, spin, k) / float(k + 1)


def grow(own: Floats, row: int, rate: int, w: int, k: int) -> None:
    """The coefficients of the power k + 1 of three rows of series, from those of the power k of their rates."""
    for side in range(3):
        own[(row + side) * w + k + 1] = own[(rate + side) * w + k] / float(k + 1)


def begin_still(world: World, body: int, own: Floats, rows: int) -> bool:
    """Let a body stay where it is; whether it moves nevertheless: the ground does not, nor what rests."""
    w = width(world)
    for row in range(rows):
        for k in range(1, world.counts[t.ORDER] + 2):
            own[row * w + k] = 0.0
    moves = body != 0 and world.asleep[body] == 0
    world.degree[body] = 2 if moves else 0
    return moves


def begin_fall(own: Floats, side: int, rate: int, w: int, pulled: float) -> None:
    """The first power of a coordinate and of its velocity under a constant acceleration [m/s²]."""
    own[side * w + 1] = own[rate * w]
    own[rate * w + 1] = pulled


def fly(world: World, body: int) -> None:
    """The series of a body that nothing touches, or that rests."""
    w = width(world)
    own = shift(world.series, body * t.SERIES * w)
    for row in range(t.S_AX, t.S_ASPIN + 1):
        own[row * w] = 0.0
    if not begin_still(world, body, own, t.SERIES):
        return
    for side in range(2):
        pulled = world.numbers[t.GX + side]
        begin_fall(own, side, t.S_VX + side, w, pulled)
        own[side * w + 2] = 0.5 * pulled
        own[(t.S_AX + side) * w] = pulled
    own[t.S_TURN * w + 1] = own[t.S_SPIN * w]
    if world.bodies[t.BODY * body + t.ODD] != 0.0 and own[t.S_SPIN * w] != 0.0:
        for k in range(world.counts[t.ORDER] + 1):
            turn_on(world, body, k)


def extend(world: World, i: int, k: int) -> None:
    """One more coefficient of all that the rows of a contact are made of: that of the power k."""
    f = world.chosen[i]
    own = shift(world.features, t.FEATURE * f)
    w = width(world)
    one = shift(world.series, world.body_a[i] * t.SERIES * w)
    two = shift(world.series, world.body_b[i] * t.SERIES * w)
    made = shift(world.contact_series, i * t.C_SERIES * w)
    ax = one[t.S_COS * w + k] * own[t.PX] - one[t.S_SIN * w + k] * own[t.PY]
    ay = one[t.S_SIN * w + k] * own[t.PX] + one[t.S_COS * w + k] * own[t.PY]
    bx = 0.0
    by = 0.0
    if world.kinds[t.KINDS * f + t.KIND] == t.SIDE:
        made[t.C_NX * w + k] = two[t.S_COS * w + k] * own[t.NX] - two[t.S_SIN * w + k] * own[t.NY]
        made[t.C_NY * w + k] = two[t.S_SIN * w + k] * own[t.NX] + two[t.S_COS * w + k] * own[t.NY]
        bx = one[t.S_X * w + k] + ax - two[t.S_X * w + k]
        by = one[t.S_Y * w + k] + ay - two[t.S_Y * w + k]
    else:
        bx = two[t.S_COS * w + k] * own[t.QX] - two[t.S_SIN * w + k] * own[t.QY]
        by = two[t.S_SIN * w + k] * own[t.QX] + two[t.S_COS * w + k] * own[t.QY]
        dx = one[t.S_X * w + k] + ax - two[t.S_X * w + k] - bx
        dy = one[t.S_Y * w + k] + ay - two[t.S_Y * w + k] - by
        if k == 0:
            made[t.C_UN * w] = math.sqrt(dx * dx + dy * dy)
        # The length of what is closed does not change.
        made[t.C_NX * w + k] = dx / made[t.C_UN * w]
        made[t.C_NY * w + k] = dy / made[t.C_UN * w]
    made[t.C_AX * w + k] = ax
    made[t.C_AY * w + k] = ay
    made[t.C_BX * w + k] = bx
    made[t.C_BY * w + k] = by
    nx = shift(made, t.C_NX * w)
    ny = shift(made, t.C_NY * w)
    arm_x = shift(made, t.C_AX * w)
    arm_y = shift(made, t.C_AY * w)
    made[t.C_AN * w + k] = product(arm_x, ny, k) - product(arm_y, nx, k)
    made[t.C_AT * w + k] = product(arm_x, nx, k) + product(arm_y, ny, k)
    arm_x = shift(made, t.C_BX * w)
    arm_y = shift(made, t.C_BY * w)
    made[t.C_BN * w + k] = product(arm_x, ny, k) - product(arm_y, nx, k)
    made[t.C_BT * w + k] = product(arm_x, nx, k) + product(arm_y, ny, k)
    if k == 0:
        made[t.C_AT * w] = made[t.C_AT * w] - own[t.RADIUS]
        side = world.kinds[t.KINDS * f + t.KIND] == t.SIDE
        made[t.C_BT * w] = made[t.C_BT * w] + (-own[t.RADIUS] if side else own[t.OTHER])


def rate(world: World, i: int, k: int, side: int) -> float:
    """A coefficient of the velocity of a contact along its normal, or with `side` 1 along its tangent."""
    w = width(world)
    made = shift(world.contact_series, i * t.C_SERIES * w)
    one = shift(world.series, world.body_a[i] * t.SERIES * w)
    two = shift(world.series, world.body_b[i] * t.SERIES * w)
    turn = shift(made, (t.C_AN + side) * w)
    spin = shift(made, (t.C_BN + side) * w)
    total = 0.0
    for j in range(k + 1):
        p = k - j
        dx = one[t.S_VX * w + p] - two[t.S_VX * w + p]
        dy = one[t.S_VY * w + p] - two[t.S_VY * w + p]
        nx = made[t.C_NX * w + j]
        ny = made[t.C_NY * w + j]
        total += nx * dx + ny * dy if side == 0 else nx * dy - ny * dx
        total += turn[j] * one[t.S_SPIN * w + p] - spin[j] * two[t.S_SPIN * w + p]
    return total


def take_rows(world: World, i: int) -> None:
    """Begin the series of a contact, and with them its rows now."""
    w = width(world)
    extend(world, i, 0)
    made = shift(world.contact_series, i * t.C_SERIES * w)
    r = shift(world.rows, t.ROW * i)
    r[t.R_NX] = made[t.C_NX * w]
    r[t.R_NY] = made[t.C_NY * w]
    r[t.R_AN] = made[t.C_AN * w]
    r[t.R_AT] = made[t.C_AT * w]
    r[t.R_BN] = made[t.C_BN * w]
    r[t.R_BT] = made[t.C_BT * w]
    own = shift(world.features, t.FEATURE * world.chosen[i])
    one = shift(world.series, world.body_a[i] * t.SERIES * w)
    r[t.R_X] = one[t.S_X * w] + made[t.C_AX * w] - own[t.RADIUS] * r[t.R_NX]
    r[t.R_Y] = one[t.S_Y * w] + made[t.C_AY * w] - own[t.RADIUS] * r[t.R_NY]


def first_turn(world: World, body: int) -> None:
    """Series of a body to the first power, with the acceleration of gravity."""
    w = width(world)
    own = shift(world.series, body * t.SERIES * w)
    begin_fall(own, t.S_X, t.S_VX, w, world.numbers[t.GX])
    begin_fall(own, t.S_Y, t.S_VY, w, world.numbers[t.GY])
    begin_fall(own, t.S_TURN, t.S_SPIN, w, 0.0)
    turn_on(world, body, 0)


def first_turns(world: World) -> None:
    """The same of all bodies of a problem."""
    for place in range(world.counts[t.MEMBERS]):
        first_turn(world, world.members[place])


def push_order(world: World, k: int, now: bool) -> None:
    """What contacts do to accelerations of the power k.

    Args:
        world: The tables.
        k: The power.
        now: Whether by their forces of this power, else by all those before.
    """
    w = width(world)
    for i in range(world.counts[t.ROWS]):
        made = shift(world.contact_series, i * t.C_SERIES * w)
        ln = shift(made, t.C_LN * w)
        lt = shift(made, t.C_LT * w)
        nx = shift(made, t.C_NX * w)
        ny = shift(made, t.C_NY * w)
        fx = 0.0
        fy = 0.0
        if now:
            fx = nx[0] * ln[k] - ny[0] * lt[k]
            fy = ny[0] * ln[k] + nx[0] * lt[k]
        else:
            fx = rest_of_product(nx, ln, k) - rest_of_product(ny, lt, k)
            fy = rest_of_product(ny, ln, k) + rest_of_product(nx, lt, k)
        for end in range(2):
            body = world.body_a[i] if end == 0 else world.body_b[i]
            if body == 0:
                continue
            sign = 1.0 if end == 0 else -1.0
            turn = shift(made, (t.C_AN if end == 0 else t.C_BN) * w)
            spin = shift(made, (t.C_AT if end == 0 else t.C_BT) * w)
            moment = 0.0
            if now:
                moment = turn[0] * ln[k] + spin[0] * lt[k]
            else:
                moment = rest_of_product(turn, ln, k) + rest_of_product(spin, lt, k)
            own = shift(world.series, body * t.SERIES * w)
            light = sign * world.bodies[t.BODY * body + t.LIGHT]
            own[t.S_AX * w + k] = own[t.S_AX * w + k] + light * fx
            own[t.S_AY * w + k] = own[t.S_AY * w + k] + light * fy
            bends = sign * world.bodies[t.BODY * body + t.TURN]
            own[t.S_ASPIN * w + k] = own[t.S_ASPIN * w + k] + bends * moment


def put_rate(world: World, body: int, k: int) -> None:
    """Velocities of a body of the power k + 1, from accelerations."""
    w = width(world)
    grow(shift(world.series, body * t.SERIES * w), t.S_VX, t.S_AX, w, k)


def put_rates(world: World, k: int) -> None:
    """The same of all bodies of a problem."""
    for place in range(world.counts[t.MEMBERS]):
        put_rate(world, world.members[place], k)


def put_shares(world: World) -> bool:
    """Let contacts of a heap whose rows follow from others push as they did at the last passage; whether some do.

    Statics does not say how such contacts share what they carry: these keep what was found, so that no contact seems
    to pull where forces are known with which none does.
    """
    found = is_heap(world) and write_shares(world)
    if found:
        push_order(world, 0, True)
    return found


def write_shares(world: World) -> bool:
    """Write what they push with to their series; whether there are such."""
    w = width(world)
    found = False
    for r in range(world.counts[t.UNKNOWNS]):
        i = world.which[2 * r]
        side = world.which[2 * r + 1]
        load = world.loads[2 * world.kinds[t.KINDS * world.chosen[i] + t.OWNER] + side]
        if world.dropped[r] != 0 and load != 0.0:
            made = shift(world.contact_series, i * t.C_SERIES * w)
            made[(t.C_LT if side == 1 else t.C_LN) * w] = load
            if side == 0 and world.state[i] % CLOSED != STICK:
                made[t.C_LT * w] = pull(world, i) * load
            found = True
    return found


def take_shares(world: World) -> None:
    """Let them do so beside what the others carry then, which was solved for."""
    w = width(world)
    write_shares(world)
    for place in range(world.counts[t.MEMBERS]):
        own = shift(world.series, world.members[place] * t.SERIES * w)
        own[t.S_AX * w] = world.numbers[t.GX]
        own[t.S_AY * w] = world.numbers[t.GY]
        own[t.S_ASPIN * w] = 0.0


def motion(world: World) -> None:
    """Series of all bodies that closed contacts hold; the statuses are in `state`, the bodies are members."""
    order = world.counts[t.DEGREE]
    count = world.counts[t.ROWS]
    w = width(world)
    for i in range(count):
        take_rows(world, i)
    n = put_equations(world)
    find_leaders(world)
    for k in range(order - 1):
        for place in range(world.counts[t.MEMBERS]):
            body = world.members[place]
            own = shift(world.series, body * t.SERIES * w)
            grow(own, t.S_X, t.S_VX, w, k)
            for row in range(t.S_AX, t.S_ASPIN + 1):
                own[row * w + k] = 0.0
            if k == 0:
                own[t.S_AX * w] = world.numbers[t.GX]
                own[t.S_AY * w] = world.numbers[t.GY]
            turn_on(world, body, k)
        for i in range(count):
            extend(world, i, k + 1)
            made = shift(world.contact_series, i * t.C_SERIES * w)
            made[t.C_LN * w + k] = 0.0
            made[t.C_LT * w + k] = 0.0
        if k > 0:
            push_order(world, k, False)
        shared = k == 0 and put_shares(world)
        put_rates(world, k)
        for r in range(n):
            i = world.which[2 * r]
            world.right[r] = -float(k + 1) * rate(world, i, k + 1, world.which[2 * r + 1])
        solve_rows(world, world.right, world.solved)
        for r in range(n):
            i = world.which[2 * r]
            made = shift(world.contact_series, i * t.C_SERIES * w)
            if world.which[2 * r + 1] == 1:
                made[t.C_LT * w + k] = world.solved[r]
            else:
                made[t.C_LN * w + k] = world.solved[r]
                if world.state[i] % CLOSED != STICK:
                    made[t.C_LT * w + k] = pull(world, i) * world.solved[r]
        if shared:
            take_shares(world)
        push_order(world, k, True)
        put_rates(world, k)
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        own = shift(world.series, body * t.SERIES * w)
        grow(own, t.S_X, t.S_VX, w, order - 1)
        turn_on(world, body, order - 1)
        world.degree[body] = order
    for i in range(count):
        extend(world, i, order)


def longest_step(world: World) -> float:
    """How long a step may be: the last coefficients of series tell, and angles [s]."""
    order = world.counts[t.DEGREE]
    w = width(world)
    h = math.inf
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        if world.asleep[body] != 0:
            continue
        own = shift(world.series, body * t.SERIES * w)
        spin = abs(own[t.S_SPIN * w])
        reach = world.bodies[t.BODY * body + t.REACH]
        if world.bodies[t.BODY * body + t.ODD] != 0.0 and spin > 0.0:
            h = min(h, (BRISK if order > t.LOW else GENTLE) / spin)
        speed = math.sqrt(own[t.S_VX * w] * own[t.S_VX * w] + own[t.S_VY * w] * own[t.S_VY * w])
        pulled = math.sqrt(world.numbers[t.GX] * world.numbers[t.GX] + world.numbers[t.GY] * world.numbers[t.GY])
        # Boxes around the way of a body are not to be much larger than the body.
        if speed > 0.0 or pulled > 0.0:
            h = min(h, 8.0 * reach / (speed + math.sqrt(pulled * reach)))
        if world.degree[body] > 2:
            for side in range(3):
                scale = world.numbers[t.TOLERANCE] * (reach if side < 2 else 1.0)
                for back in range(3):
                    last = abs(own[side * w + order - back])
                    if last > 0.0:
                        h = min(h, 0.8 * math.pow(scale / last, 1.0 / float(order - back)))
    return min(h, longest_of_forces(world))


def longest_of_forces(world: World) -> float:
    """How long a step may be for the series of forces to be exact: these may have poles where motions do not."""
    w = width(world)
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        own = shift(world.contact_series, (i * t.C_SERIES + t.C_LN) * w)
        most = max(most, abs(own[0]), abs(own[w]))
    return exact_until(world, FORCES * most, 2) if most > 0.0 else math.inf


def exact_until(world: World, error: float, rows: int) -> float:
    """How long a step may be for forces, and what follows them in the table, to have no larger error [s]."""
    order = world.counts[t.DEGREE]
    w = width(world)
    h = math.inf
    for i in range(world.counts[t.ROWS]):
        first = i * world.counts[t.CONTACT_ROW] + world.counts[t.FORCE_ROW]
        for row in range(first, first + rows):
            own = shift(world.contact_series, row * w)
            for back in range(2, 5):
                last = abs(own[order - back])
                if last > 0.0:
                    h = min(h, 0.8 * math.pow(error / last, 1.0 / float(order - back)))
    return h


FUNCTIONS: Final = (
    product,
    rest_of_product,
    turn_on,
    grow,
    begin_still,
    begin_fall,
    fly,
    extend,
    rate,
    take_rows,
    first_turn,
    first_turns,
    push_order,
    put_rate,
    put_rates,
    put_shares,
    write_shares,
    take_shares,
    motion,
    longest_step,
    longest_of_forces,
    exact_until,
)
