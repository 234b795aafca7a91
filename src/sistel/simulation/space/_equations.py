"""Equations for what contacts carry in space: rows of normals, of tangents that hold, and across slips that begin.

A slip that begins has a direction that is not known. With the direction d that is tried, the force of the contact is
s (n − μ d) + y p, where p is across d: a force y across it turns the direction by −y/(μ s), and the velocity or
acceleration σ along it then has the part −σ y/(μ s) along p. So p has a row of its own, which is soft by σ/(μ s), and
y tells how d is to be turned.

Where rows follow from others, all are made soft by a little, and what is left of them is solved for again: contacts
share what they carry then, and the motion does not depend on it. Of all forces that do the same, those are taken that
are nearest to what is known: to those of sweeps, which push everywhere, or of the step before. Written in the compiled
subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import MINUS, PLUS, STICK
from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, joined, put_equations
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._places import yields
from sistel.simulation.space._vectors import cross, dot

DEPENDENT: Final = 1e-9
"""Part of a row that is left where it follows from others."""
SOFT: Final = 1e-7
"""Part of the numbers on the diagonal, the largest of the same two bodies, by which rows are made soft then."""
LOOSEST: Final = 100.0
"""How many times as soft contacts that carry little may be than that which carries most."""
AGAIN: Final = 4
"""How often what is left is solved for then; else once."""
HARD: Final = 1e9
"""Softness, beside that of the contact itself, of a row without a force that could turn its slip."""


def law_of(world: World, i: int, which: int) -> float:
    """A number of the laws of a contact."""
    return world.laws[t.LAW * world.kinds[t.KINDS * world.chosen[i] + t.OWNER] + which]


def add_row(world: World, i: int, tangent: int, one: float, two: float, pull: float) -> None:
    """Add a row of the equations.

    Args:
        world: The tables.
        i: The contact.
        tangent: 0 of a normal, with the friction of its force; 1 of a tangent.
        one: The direction along the tangents, of the row or of that friction.
        two: The same along the second tangent.
        pull: The part of the force of a normal that is against that direction.
    """
    n = world.counts[t.UNKNOWNS]
    world.which[2 * n] = i
    world.which[2 * n + 1] = tangent
    world.counts[t.UNKNOWNS] = n + 1
    r = shift(world.rows, s.ROW * i)
    q = shift(world.tableau, s.EQUATION * n)
    for side in range(3):
        across = one * r[s.R_S + side] + two * r[s.R_T + side]
        q[s.ROW_WAY + side] = r[s.R_N + side] if tangent == 0 else across
        q[s.ROW_FORCE + side] = r[s.R_N + side] - pull * across if tangent == 0 else across
    q[s.ROW_SOFT] = 0.0
    turned = world.work
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        arm = shift(r, s.R_A + 3 * end)
        cross(arm, shift(q, s.ROW_WAY), shift(q, s.ROW_A + 3 * end))
        cross(arm, shift(q, s.ROW_FORCE), turned)
        yields(world, body, turned, shift(q, s.ROW_SPIN_A + 3 * end))


def list_rows(world: World) -> None:
    """The rows of the equations for the statuses."""
    world.counts[t.UNKNOWNS] = 0
    for i in range(world.counts[t.ROWS]):
        grip = world.state[i] % CLOSED
        pushes = world.state[i] >= CLOSED
        way = shift(world.way, 3 * i)
        friction = law_of(world, i, t.FRICTION)
        if pushes:
            slides = grip >= PLUS and world.counts[s.SMOOTH] == 0
            add_row(world, i, 0, way[0], way[1], friction if slides else 0.0)
        if grip == STICK:
            add_row(world, i, 1, 1.0, 0.0, 0.0)
            add_row(world, i, 1, 0.0, 1.0, 0.0)
        if grip == MINUS:
            add_row(world, i, 1, -way[1], way[0], 0.0)
            last = shift(world.tableau, s.EQUATION * (world.counts[t.UNKNOWNS] - 1))
            slip = max(0.0, world.w_n[3 * i + 1] * way[0] + world.w_n[3 * i + 2] * way[1])
            force = friction * (max(0.0, world.x_n[3 * i]) + world.back[i])
            own = world.kept_t[3 * i + 1]
            last[s.ROW_SOFT] = min(slip / force, HARD * own) if force > 0.0 else HARD * own


def response(world: World, r: int, c: int) -> float:
    """How fast a row moves for the force of another one."""
    one = shift(world.tableau, s.EQUATION * r)
    two = shift(world.tableau, s.EQUATION * c)
    i = world.which[2 * r]
    j = world.which[2 * c]
    along = dot(shift(one, s.ROW_WAY), shift(two, s.ROW_FORCE))
    total = 0.0
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        for ahead in range(2):
            if body != 0 and body == (world.body_a[j] if ahead == 0 else world.body_b[j]):
                part = world.bodies[s.BODY * body + s.LIGHT] * along
                part += dot(shift(one, s.ROW_A + 3 * end), shift(two, s.ROW_SPIN_A + 3 * ahead))
                total += part if end == ahead else -part
    return total


def put_matrix(world: World) -> None:
    """The matrix of the equations, twice: it is made triangular in one place."""
    n = world.counts[t.UNKNOWNS]
    for r in range(n):
        own = shift(world.matrix, r * n)
        first = n
        last = 0
        for c in range(n):
            own[c] = 0.0
            if joined(world, world.which[2 * r], world.which[2 * c]):
                own[c] = response(world, r, c)
                first = min(first, c)
                last = c
        own[r] = own[r] + world.tableau[s.EQUATION * r + s.ROW_SOFT]
        world.begin[r] = first
        world.reach[r] = last


def triangular(world: World, soft: float) -> bool:
    """Make the matrix triangular; whether no row follows from others."""
    n = world.counts[t.UNKNOWNS]
    made = world.triangle
    for r in range(n):
        world.dropped[r] = world.reach[r]
    free = True
    for r in range(n):
        own = shift(made, r * n)
        kept = shift(world.matrix, r * n)
        for c in range(world.begin[r], world.reach[r] + 1):
            own[c] = kept[c]
        own[r] = own[r] + soft * (world.b_t[world.which[2 * r]] if world.box_pairs[0] > 0 else kept[r])
        last = world.reach[r]
        for k in range(world.begin[r], r):
            if own[k] == 0.0:
                continue
            other = shift(made, k * n)
            part = own[k] / other[k]
            own[k] = part
            end = world.dropped[k]
            for c in range(last + 1, end + 1):
                own[c] = 0.0
            last = max(last, end)
            for c in range(k + 1, end + 1):
                own[c] = own[c] - part * other[c]
        world.dropped[r] = last
        if abs(own[r]) <= DEPENDENT * abs(kept[r]):
            free = False
            own[r] = 1.0 if kept[r] == 0.0 else SOFT * kept[r]
            if soft == 0.0:
                return False
    return free


def factor(world: World) -> None:
    """Make the matrix triangular; soft, where rows follow from others."""
    world.counts[s.SHARED] = 0
    if not triangular(world, 0.0):
        world.counts[s.SHARED] = 1
        soften(world)
        triangular(world, SOFT)


def soften(world: World) -> None:
    """How soft contacts are, in `b_t`: all between the same two bodies, and in all directions, so that none braces."""
    n = world.counts[t.UNKNOWNS]
    count = world.counts[t.ROWS]
    for i in range(count):
        world.b_t[i] = 0.0
    for r in range(n):
        i = world.which[2 * r]
        world.b_t[i] = max(world.b_t[i], abs(world.matrix[r * n + r]))
    for i in range(count):
        for j in range(i):
            same = world.body_a[i] == world.body_a[j] and world.body_b[i] == world.body_b[j]
            swapped = world.body_a[i] == world.body_b[j] and world.body_b[i] == world.body_a[j]
            if same or swapped:
                most = max(world.b_t[i], world.b_t[j])
                world.b_t[i] = most
                world.b_t[j] = most
    if world.counts[s.WEIGHED] == 0:
        return
    most = 0.0
    for i in range(count):
        most = max(most, pressed_before(world, i))
    for i in range(count):
        world.b_t[i] = world.b_t[i] * min(LOOSEST, most / max(pressed_before(world, i), 1e-300))


def pressed_before(world: World, i: int) -> float:
    """The force that a contact pushed with before."""
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    return dot(shift(world.loads, 3 * e), shift(world.rows, s.ROW * i))


def back_and_forth(world: World, b: Floats, x: Floats) -> None:
    """Solve the triangular equations."""
    n = world.counts[t.UNKNOWNS]
    made = world.triangle
    for r in range(n):
        own = shift(made, r * n)
        total = b[r]
        for c in range(world.begin[r], r):
            total -= own[c] * x[c]
        x[r] = total
    for back in range(n):
        r = n - 1 - back
        own = shift(made, r * n)
        total = x[r]
        for c in range(r + 1, world.dropped[r] + 1):
            total -= own[c] * x[c]
        x[r] = total / own[r]


def solve_rows(world: World, b: Floats, x: Floats) -> None:
    """Forces of all rows for what they are to be moved by."""
    n = world.counts[t.UNKNOWNS]
    back_and_forth(world, b, x)
    left = world.given
    more = shift(world.given, n)
    for _ in range(AGAIN if world.counts[s.SHARED] != 0 else 1):
        for r in range(n):
            own = shift(world.matrix, r * n)
            total = b[r]
            for c in range(world.begin[r], world.reach[r] + 1):
                total -= own[c] * x[c]
            left[r] = total
        back_and_forth(world, left, more)
        for r in range(n):
            x[r] = x[r] + more[r]


def nudge(world: World, i: int, force: Floats) -> None:
    """Add what a force of one contact, along its normal and tangents, does to its bodies."""
    r = shift(world.rows, s.ROW * i)
    pushed = world.work
    turned = shift(world.work, 3)
    spun = shift(world.work, 6)
    for side in range(3):
        pushed[side] = force[0] * r[s.R_N + side] + force[1] * r[s.R_S + side] + force[2] * r[s.R_T + side]
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        if body == 0:
            continue
        sign = 1.0 if end == 0 else -1.0
        light = sign * world.bodies[s.BODY * body + s.LIGHT]
        cross(shift(r, s.R_A + 3 * end), pushed, turned)
        yields(world, body, turned, spun)
        own = shift(world.spread, s.SPREAD * body)
        most = 0.0
        bent = 0.0
        for side in range(3):
            own[side] = own[side] + light * pushed[side]
            own[3 + side] = own[3 + side] + sign * spun[side]
            most += abs(light * pushed[side])
            bent += abs(spun[side])
        own[6] = own[6] + most
        own[7] = own[7] + bent


def push(world: World, x: Floats) -> None:
    """What forces of all contacts do to bodies, in `spread`."""
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        for k in range(s.SPREAD):
            world.spread[s.SPREAD * body + k] = 0.0
    for i in range(world.counts[t.ROWS]):
        if x[3 * i] != 0.0 or x[3 * i + 1] != 0.0 or x[3 * i + 2] != 0.0:
            nudge(world, i, shift(x, 3 * i))


def follows(world: World, i: int) -> float:
    """What a contact measures, in w, after what `spread` says; the size of its terms."""
    r = shift(world.rows, s.ROW * i)
    total = world.work
    turned = shift(world.work, 3)
    size = 0.0
    for side in range(3):
        total[side] = 0.0
        size += abs(world.b_n[3 * i + side])
    for end in range(2):
        body = world.body_a[i] if end == 0 else world.body_b[i]
        if body == 0:
            continue
        sign = 1.0 if end == 0 else -1.0
        own = shift(world.spread, s.SPREAD * body)
        arm = shift(r, s.R_A + 3 * end)
        cross(shift(own, 3), arm, turned)
        for side in range(3):
            total[side] = total[side] + sign * (own[side] + turned[side])
        size += own[6] + own[7] * max(abs(arm[0]), abs(arm[1]), abs(arm[2]))
    for side in range(3):
        world.w_n[3 * i + side] = world.b_n[3 * i + side] + dot(shift(r, s.R_N + 3 * side), total)
    return size


def follow(world: World, x: Floats) -> float:
    """What follows from forces, in w, and in `size` the sizes of its terms; the largest force."""
    push(world, x)
    most = 0.0
    for i in range(world.counts[t.ROWS]):
        world.size[i] = follows(world, i)
        for side in range(3):
            most = max(most, abs(x[3 * i + side]))
    return most


def own_responses(world: World) -> None:
    """What every contact of the problem answers with by itself: along its normal, and across it."""
    turned = world.work
    spun = shift(world.work, 3)
    for i in range(world.counts[t.ROWS]):
        r = shift(world.rows, s.ROW * i)
        own = shift(world.kept_t, 3 * i)
        for side in range(3):
            own[side] = 0.0
        for end in range(2):
            body = world.body_a[i] if end == 0 else world.body_b[i]
            if body == 0:
                continue
            light = world.bodies[s.BODY * body + s.LIGHT]
            arm = shift(r, s.R_A + 3 * end)
            for side in range(3):
                cross(arm, shift(r, s.R_N + 3 * side), turned)
                yields(world, body, turned, spun)
                part = light + dot(turned, spun)
                own[side] = own[side] + part
        own[1] = max(own[1], own[2])


def forces(world: World) -> float:
    """Forces of all contacts for their statuses, and what follows from them; the largest force."""
    n = put_equations(world)
    for i in range(world.counts[t.ROWS]):
        x = shift(world.x_n, 3 * i)
        x[0] = 0.0
        grip = world.state[i] % CLOSED
        slides = grip >= PLUS
        given = -law_of(world, i, t.FRICTION) * world.back[i] if slides else 0.0
        x[1] = given * world.way[3 * i]
        x[2] = given * world.way[3 * i + 1]
    for r in range(n):
        world.carried[r] = 0.0
        if world.counts[t.NEARBY] != 0:
            world.carried[r] = swept(world, r)
            add_force(world, r, world.carried[r], world.x_n)
    most = follow(world, world.x_n)
    for _ in range(2):
        for r in range(n):
            world.right[r] = -moved(world, r) - world.tableau[s.EQUATION * r + s.ROW_SOFT] * world.carried[r]
        solve_rows(world, world.right, world.solved)
        for r in range(n):
            world.carried[r] = world.carried[r] + world.solved[r]
            add_force(world, r, world.solved[r], world.x_n)
        most = follow(world, world.x_n)
    return most


def swept(world: World, r: int) -> float:
    """What a row carries of the forces that sweeps came to."""
    q = shift(world.tableau, s.EQUATION * r)
    i = world.which[2 * r]
    own = shift(world.rows, s.ROW * i)
    kept = shift(world.kept_n, 3 * i)
    if world.which[2 * r + 1] == 0:
        return kept[0]
    way = shift(q, s.ROW_WAY)
    return kept[1] * dot(shift(own, s.R_S), way) + kept[2] * dot(shift(own, s.R_T), way)


def moved(world: World, r: int) -> float:
    """What a row measures, of what its contact does."""
    q = shift(world.tableau, s.EQUATION * r)
    i = world.which[2 * r]
    own = shift(world.rows, s.ROW * i)
    total = 0.0
    for side in range(3):
        total += world.w_n[3 * i + side] * dot(shift(own, s.R_N + 3 * side), shift(q, s.ROW_WAY))
    return total


def add_force(world: World, r: int, force: float, x: Floats) -> None:
    """Add a force of a row to those of its contact."""
    q = shift(world.tableau, s.EQUATION * r)
    i = world.which[2 * r]
    own = shift(world.rows, s.ROW * i)
    for side in range(3):
        x[3 * i + side] = x[3 * i + side] + force * dot(shift(own, s.R_N + 3 * side), shift(q, s.ROW_FORCE))


FUNCTIONS: Final = (
    joined,
    law_of,
    add_row,
    list_rows,
    response,
    put_matrix,
    triangular,
    factor,
    soften,
    pressed_before,
    back_and_forth,
    solve_rows,
    nudge,
    push,
    follows,
    follow,
    own_responses,
    put_equations,
    forces,
    swept,
    moved,
    add_force,
)
