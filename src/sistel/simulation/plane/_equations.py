"""Equations for what contacts carry: sparse, in the order along the row of bodies, without exchanges of rows.

A row that follows from rows before it is dropped and carries nothing: the motion does not depend on it. Written in the
compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane.tables import World

CLOSED: Final = 4
"""A status as a number: this where a contact pushes, and what it does along its tangent."""
IDLE: Final = 8
"""This more where a contact that sticks has nothing to hold along its tangent: others do that."""
HELD: Final = 16
"""This more where a contact at the edge of its cone does not move: others hold it, and it is said to stick."""
HEAP: Final = 20
"""Contacts beyond which slow impacts do not rebound; circles make a heap then, see `is_heap`."""
DEPENDENT: Final = 1e-9
"""Part of a row that is left where it follows from others."""
NEARLY_DEPENDENT: Final = 1e-6
"""The same in heaps of circles: what nearly follows would ask for forces without bounds, and change nothing."""
COLUMN: Final = 4
"""Numbers of a column of the matrix: a force, and its moments on both bodies."""
PARALLEL: Final = 1e-9
"""Sine of the angle between normals that are one."""


def is_heap(world: World) -> bool:
    """Whether the problem is of many contacts of circles: chains of corners multiply what is small, and are no heap."""
    return world.counts[t.ROWS] > HEAP and all_round(world)


def all_round(world: World) -> bool:
    """Whether all contacts of the problem are of circles."""
    found = True
    for i in range(world.counts[t.ROWS]):
        e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
        found = found and world.elements[t.ELEMENT * e + t.IS_ROUND] != 0
    return found


def pull(world: World, i: int) -> float:
    """Tangential force of a contact that slides, as a part of its normal force."""
    grip = world.state[i] % CLOSED
    friction = world.laws[t.LAW * world.kinds[t.KINDS * world.chosen[i] + t.OWNER] + t.FRICTION]
    if grip == PLUS:
        return -friction
    return friction if grip == MINUS else 0.0


def list_rows(world: World) -> None:
    """The rows of the equations for the statuses: normals of what is closed, tangents of what sticks."""
    n = 0
    for i in range(world.counts[t.ROWS]):
        if world.state[i] >= CLOSED:
            world.which[2 * n] = i
            world.which[2 * n + 1] = 0
            n += 1
        if world.state[i] % CLOSED == STICK and world.state[i] < IDLE:
            world.which[2 * n] = i
            world.which[2 * n + 1] = 1
            n += 1
    world.counts[t.UNKNOWNS] = n


def response(world: World, i: int, side: int, j: int, other: int, slide: float) -> float:
    """How fast a row moves for a force of contact j, along its normal with its friction, or along its tangent."""
    total = 0.0
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        if body == 0:
            continue
        for ahead in range(2):
            if body != (world.body_a[j] if ahead == 0 else world.body_b[j]):
                continue
            r = shift(world.rows, t.ROW * i)
            c = shift(world.rows, t.ROW * j)
            fx = c[t.R_NX]
            fy = c[t.R_NY]
            turn = c[t.R_AN] if ahead == 0 else c[t.R_BN]
            spin = c[t.R_AT] if ahead == 0 else c[t.R_BT]
            if other == 1:
                kept = fx
                fx = -fy
                fy = kept
                turn = spin
            elif slide != 0.0:
                kept = fx
                fx = fx - slide * fy
                fy = fy + slide * kept
                turn = turn + slide * spin
            light = world.bodies[t.BODY * body + t.LIGHT]
            bends = world.bodies[t.BODY * body + t.TURN]
            part = 0.0
            if side == 0:
                part = light * (r[t.R_NX] * fx + r[t.R_NY] * fy) + bends * turn * (r[t.R_AN] if end == 0 else r[t.R_BN])
            else:
                part = light * (r[t.R_NX] * fy - r[t.R_NY] * fx) + bends * turn * (r[t.R_AT] if end == 0 else r[t.R_BT])
            total += part if end == ahead else -part
    return total


def joined(world: World, i: int, j: int) -> bool:
    """Whether two contacts share a body that moves."""
    a = world.body_a[i]
    b = world.body_b[i]
    one = a != 0 and (a == world.body_a[j] or a == world.body_b[j])
    return one or (b != 0 and (b == world.body_a[j] or b == world.body_b[j]))


def list_links(world: World) -> None:
    """The rows of every body, as chains."""
    world.head[0] = -1
    for place in range(world.counts[t.MEMBERS]):
        world.head[world.members[place]] = -1
    for r in range(world.counts[t.UNKNOWNS]):
        for end in range(2):
            body = world.body_a[world.which[2 * r]] if end == 0 else world.body_b[world.which[2 * r]]
            world.link[2 * r + end] = world.head[body]
            world.head[body] = 2 * r + end


def put_columns(world: World) -> None:
    """What a force of every row of the equations is to its bodies: along x and y, and its moments on both."""
    for c in range(world.counts[t.UNKNOWNS]):
        j = world.which[2 * c]
        r = shift(world.rows, t.ROW * j)
        own = shift(world.columns, COLUMN * c)
        if world.which[2 * c + 1] == 1:
            own[0] = -r[t.R_NY]
            own[1] = r[t.R_NX]
            own[2] = r[t.R_AT]
            own[3] = r[t.R_BT]
            continue
        slide = pull(world, j)
        own[0] = r[t.R_NX]
        own[1] = r[t.R_NY]
        own[2] = r[t.R_AN]
        own[3] = r[t.R_BN]
        if slide != 0.0:
            own[0] = r[t.R_NX] - slide * r[t.R_NY]
            own[1] = r[t.R_NY] + slide * r[t.R_NX]
            own[2] = r[t.R_AN] + slide * r[t.R_AT]
            own[3] = r[t.R_BN] + slide * r[t.R_BT]


def reply(world: World, r: int, c: int) -> float:
    """How fast a row of the equations moves for a force of another one: `response`, where columns are known."""
    i = world.which[2 * r]
    j = world.which[2 * c]
    row = shift(world.rows, t.ROW * i)
    own = shift(world.columns, COLUMN * c)
    flat = 0.0
    if world.which[2 * r + 1] == 0:
        flat = row[t.R_NX] * own[0] + row[t.R_NY] * own[1]
    else:
        flat = row[t.R_NX] * own[1] - row[t.R_NY] * own[0]
    total = 0.0
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        if body == 0:
            continue
        arm = row[(t.R_AN if end == 0 else t.R_BN) + world.which[2 * r + 1]]
        for ahead in range(2):
            if body == (world.body_a[j] if ahead == 0 else world.body_b[j]):
                light = world.bodies[t.BODY * body + t.LIGHT]
                part = light * flat + world.bodies[t.BODY * body + t.TURN] * own[2 + ahead] * arm
                total += part if end == ahead else -part
    return total


def put_matrix(world: World) -> None:
    """The matrix of the equations: of every row, what is not zero and what may become so."""
    n = world.counts[t.UNKNOWNS]
    list_links(world)
    put_columns(world)
    farthest = 0
    for r in range(n):
        i = world.which[2 * r]
        own = shift(world.matrix, r * n)
        first = r
        last = r
        for end in range(2):
            body = world.body_a[i] if end == 0 else world.body_b[i]
            place = world.head[body] if body != 0 else -1
            while place >= 0:
                first = min(first, place // 2)
                last = max(last, place // 2)
                place = world.link[place]
        farthest = max(farthest, last)
        for c in range(first, farthest + 1):
            own[c] = 0.0
        for end in range(2):
            body = world.body_a[i] if end == 0 else world.body_b[i]
            place = world.head[body] if body != 0 else -1
            while place >= 0:
                if own[place // 2] == 0.0:
                    own[place // 2] = reply(world, r, place // 2)
                place = world.link[place]
        world.begin[r] = first
        world.reach[r] = last


def factor(world: World) -> None:
    """Make the matrix triangular, and find the rows that follow from others."""
    n = world.counts[t.UNKNOWNS]
    least = NEARLY_DEPENDENT if is_heap(world) else DEPENDENT
    for r in range(n):
        own = shift(world.matrix, r * n)
        whole = own[r]
        last = max(world.reach[r], r)
        for k in range(world.begin[r], r):
            if own[k] == 0.0 or world.dropped[k] != 0:
                continue
            other = shift(world.matrix, k * n)
            part = own[k] / other[k]
            own[k] = part
            end = world.reach[k]
            for c in range(k + 1, end + 1):
                own[c] = own[c] - part * other[c]
            last = max(last, end)
        world.reach[r] = last
        world.dropped[r] = 1 if abs(own[r]) <= least * abs(whole) else 0


def solve_rows(world: World, right: Floats, x: Floats) -> None:
    """Solve the equations that `factor` has made triangular."""
    n = world.counts[t.UNKNOWNS]
    for r in range(n):
        own = shift(world.matrix, r * n)
        total = right[r]
        for k in range(world.begin[r], r):
            if world.dropped[k] == 0:
                total -= own[k] * x[k]
        x[r] = total if world.dropped[r] == 0 else 0.0
    for back in range(n):
        r = n - 1 - back
        if world.dropped[r] == 0:
            own = shift(world.matrix, r * n)
            total = x[r]
            for c in range(r + 1, world.reach[r] + 1):
                total -= own[c] * x[c]
            x[r] = total / own[r]


def find_leaders(world: World) -> None:
    """Which contacts hold along the tangent for others of the same two bodies, whose rows follow from theirs."""
    count = world.counts[t.ROWS]
    n = world.counts[t.UNKNOWNS]
    for i in range(count):
        world.leader[i] = i
    for r in range(n):
        if world.which[2 * r + 1] == 0 or world.dropped[r] == 0:
            continue
        i = world.which[2 * r]
        world.leader[i] = -1
        for q in range(n):
            j = world.which[2 * q]
            same = world.body_a[i] == world.body_a[j] and world.body_b[i] == world.body_b[j]
            other = world.body_a[i] == world.body_b[j] and world.body_b[i] == world.body_a[j]
            if world.which[2 * q + 1] == 1 and world.dropped[q] == 0 and (same or other):
                one = shift(world.rows, t.ROW * i)
                two = shift(world.rows, t.ROW * j)
                if abs(one[t.R_NX] * two[t.R_NY] - one[t.R_NY] * two[t.R_NX]) < PARALLEL:
                    world.leader[i] = j
                    break


def push(world: World, x_n: Floats, x_t: Floats) -> None:
    """What forces of all contacts do to bodies, in `spread`: three numbers of each, and the sizes of their terms."""
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(6):
            world.spread[6 * body + k] = 0.0
    for i in range(world.counts[t.ROWS]):
        if x_n[i] != 0.0 or x_t[i] != 0.0:
            nudge(world, i, x_n[i], x_t[i])


def nudge(world: World, i: int, normal: float, tangent: float) -> None:
    """Add what forces of one contact do to its bodies."""
    r = shift(world.rows, t.ROW * i)
    fx = r[t.R_NX] * normal - r[t.R_NY] * tangent
    fy = r[t.R_NY] * normal + r[t.R_NX] * tangent
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        if body != 0:
            own = shift(world.spread, 6 * body)
            arms = shift(r, t.R_AN if end == 0 else t.R_BN)
            light = world.bodies[t.BODY * body + t.LIGHT] * (1.0 if end == 0 else -1.0)
            bends = world.bodies[t.BODY * body + t.TURN] * (1.0 if end == 0 else -1.0)
            bent = bends * (arms[0] * normal + arms[1] * tangent)
            own[0] = own[0] + light * fx
            own[1] = own[1] + light * fy
            own[2] = own[2] + bent
            own[3] = own[3] + abs(light * fx)
            own[4] = own[4] + abs(light * fy)
            own[5] = own[5] + abs(bent)


def follows(world: World, i: int, side: int) -> float:
    """What a contact measures along its normal, or with `side` 1 along its tangent, after what `spread` says."""
    r = shift(world.rows, t.ROW * i)
    total = world.b_n[i] if side == 0 else world.b_t[i]
    one = shift(world.spread, 6 * world.body_a[i])
    two = shift(world.spread, 6 * world.body_b[i])
    if world.body_a[i] != 0:
        along = r[t.R_NX] * one[0] + r[t.R_NY] * one[1] if side == 0 else r[t.R_NX] * one[1] - r[t.R_NY] * one[0]
        total += along + r[t.R_AN + side] * one[2]
    if world.body_b[i] != 0:
        along = r[t.R_NX] * two[0] + r[t.R_NY] * two[1] if side == 0 else r[t.R_NX] * two[1] - r[t.R_NY] * two[0]
        total -= along + r[t.R_BN + side] * two[2]
    return total


def follow(world: World, x_n: Floats, x_t: Floats) -> float:
    """What follows from forces, in w, and in `size` the sizes of its terms; the largest force."""
    push(world, x_n, x_t)
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        r = shift(world.rows, t.ROW * i)
        size = abs(world.b_n[i]) + abs(world.b_t[i])
        for end in range(2):
            body = world.body_a[i] if end == 0 else world.body_b[i]
            if body != 0:
                own = shift(world.spread, 6 * body)
                arms = shift(r, t.R_AN if end == 0 else t.R_BN)
                size += own[3] + own[4] + max(abs(arms[0]), abs(arms[1])) * own[5]
        world.w_n[i] = follows(world, i, 0)
        world.w_t[i] = follows(world, i, 1)
        world.size[i] = size
        most = max(most, abs(x_n[i]), abs(x_t[i]))
    return most


def put_equations(world: World) -> int:
    """The equations for what contacts carry with their statuses, made triangular; how many they are."""
    list_rows(world)
    put_matrix(world)
    factor(world)
    return world.counts[t.UNKNOWNS]


def begin_forces(world: World) -> None:
    """The forces with which the search for those of the statuses begins: rows that follow from others keep theirs."""
    nearby = world.counts[t.NEARBY] != 0
    for i in range(world.counts[t.ROWS]):
        world.x_n[i] = 0.0
        world.x_t[i] = pull(world, i) * world.back[i]
        if nearby and world.state[i] >= CLOSED:
            world.x_n[i] = world.kept_n[i]
            holds = world.state[i] % CLOSED == STICK and world.state[i] < IDLE
            world.x_t[i] = world.kept_t[i] if holds else world.x_t[i] + pull(world, i) * world.kept_n[i]


def forces(world: World) -> float:
    """Forces of all contacts for their statuses, and what follows from them; the largest force."""
    n = put_equations(world)
    find_leaders(world)
    begin_forces(world)
    most = follow(world, world.x_n, world.x_t)
    for _ in range(2):
        for r in range(n):
            i = world.which[2 * r]
            world.right[r] = -(world.w_n[i] if world.which[2 * r + 1] == 0 else world.w_t[i])
        solve_rows(world, world.right, world.solved)
        for r in range(n):
            i = world.which[2 * r]
            if world.which[2 * r + 1] == 1:
                world.x_t[i] = world.x_t[i] + world.solved[r]
            else:
                world.x_n[i] = world.x_n[i] + world.solved[r]
                world.x_t[i] = world.x_t[i] + pull(world, i) * world.solved[r]
        most = follow(world, world.x_n, world.x_t)
    return most


FUNCTIONS: Final = (
    is_heap,
    all_round,
    pull,
    list_rows,
    response,
    joined,
    list_links,
    put_columns,
    reply,
    put_matrix,
    factor,
    solve_rows,
    find_leaders,
    push,
    nudge,
    follows,
    follow,
    put_equations,
    begin_forces,
    forces,
)

__all__ = ["CLOSED", "FREE", "FUNCTIONS"]
