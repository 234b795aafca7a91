"""Lemke's method for the laws of contacts: it finds statuses where exchanges by guess do not.

Of a contact that may stick, the unknowns are its normal force, its tangential force in both directions, and its slip;
of others the normal force. What is given is shifted by a little, so that no two ratios are equal: the statuses that are
found are tried without that. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import MINUS, PLUS, STICK
from sistel.kernels.subset import shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, IDLE, joined, response
from sistel.simulation.plane.tables import World

SHIFT: Final = 1e-9
"""Part of the largest of the given numbers by which all are shifted, so that no two ratios are equal."""
LITTLE: Final = 1e-12
"""A smaller shift, tried where statuses that were found so break the laws for the numbers before the shift."""
CLINGS: Final = 1e4
"""Coefficient of friction of what cannot slide."""


def parts_of(world: World, i: int) -> int:
    """How many unknowns a contact has."""
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    may_stick = world.elements[t.ELEMENT * e + t.GRIPS] != 0 and world.way[i] == 0.0
    return 4 if may_stick else 1


def friction_of(world: World, i: int) -> float:
    """The coefficient of friction of a contact."""
    e = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
    clings = world.elements[t.ELEMENT * e + t.CLINGS] != 0
    return CLINGS if clings else world.laws[t.LAW * e + t.FRICTION]


def sliding(world: World, j: int) -> float:
    """Tangential force of a contact that slides in a known direction, as a part of its normal force."""
    if world.way[j] == 0.0:
        return 0.0
    return -friction_of(world, j) if world.way[j] > 0.0 else friction_of(world, j)


def put_couple(world: World, i: int, row: int, j: int, column: int, n: int) -> None:
    """What the unknowns of one contact do to the rows of another."""
    tableau = world.tableau
    wide = n + 1
    parts = parts_of(world, i)
    others = parts_of(world, j)
    slide = sliding(world, j)
    tableau[row * wide + column] = response(world, i, 0, j, 0, slide)
    if parts == 4:
        part = response(world, i, 1, j, 0, slide)
        tableau[(row + 1) * wide + column] = part
        tableau[(row + 2) * wide + column] = -part
    if others == 4:
        part = response(world, i, 0, j, 1, 0.0)
        tableau[row * wide + column + 1] = part
        tableau[row * wide + column + 2] = -part
        if parts == 4:
            part = response(world, i, 1, j, 1, 0.0)
            tableau[(row + 1) * wide + column + 1] = part
            tableau[(row + 1) * wide + column + 2] = -part
            tableau[(row + 2) * wide + column + 1] = -part
            tableau[(row + 2) * wide + column + 2] = part


def put_tableau(world: World, part: float) -> int:
    """Write the table of Lemke's method, a row for each contact law; the number of rows. See `lemke` for `part`."""
    count = world.counts[t.ROWS]
    n = 0
    for i in range(count):
        world.first[i] = n
        n += parts_of(world, i)
    wide = n + 1
    tableau = world.tableau
    for k in range(n * wide):
        tableau[k] = 0.0
    size = 0.0
    for i in range(count):
        row = world.first[i]
        for j in range(count):
            if joined(world, i, j):
                put_couple(world, i, row, j, world.first[j], n)
        world.given[row] = world.b_n[i]
        size = max(size, abs(world.b_n[i]), abs(world.b_t[i]))
        if parts_of(world, i) == 4:
            friction = friction_of(world, i)
            world.given[row + 1] = world.b_t[i]
            world.given[row + 2] = -world.b_t[i]
            world.given[row + 3] = friction * world.back[i]
            tableau[(row + 1) * wide + row + 3] = 1.0
            tableau[(row + 2) * wide + row + 3] = 1.0
            tableau[(row + 3) * wide + row] = friction
            tableau[(row + 3) * wide + row + 1] = -1.0
            tableau[(row + 3) * wide + row + 2] = -1.0
    lot = 7
    for r in range(n):
        lot = (lot * 1103515245 + 12345) % 2147483648
        scale = size
        if parts_row(world, r, count):
            scale = 0.01 * size / max(tableau[r * wide + r], 1.0)
        world.given[r] = world.given[r] + part * scale * (0.5 + float(lot) / 2147483648.0)
        tableau[r * wide + n] = 1.0
        world.basic[r] = r
        world.basic[n + r] = n + r
    world.basic[2 * n] = 2 * n
    return n


def parts_row(world: World, r: int, count: int) -> bool:
    """Whether a row is the bound of friction of a contact."""
    found = False
    for i in range(count):
        found = found or (parts_of(world, i) == 4 and world.first[i] + 3 == r)
    return found


def pivot(world: World, n: int, r: int, c: int) -> None:
    """Exchange what is basic in a row with what is not in a column."""
    wide = n + 1
    own = shift(world.tableau, r * wide)
    a = 1.0 / own[c]
    for j in range(wide):
        own[j] = -own[j] * a
    own[c] = a
    world.given[r] = -world.given[r] * a
    for i in range(n):
        if i == r:
            continue
        other = shift(world.tableau, i * wide)
        part = other[c]
        if part == 0.0:
            continue
        other[c] = 0.0
        for j in range(wide):
            other[j] = other[j] + part * own[j]
        world.given[i] = world.given[i] + part * world.given[r]
    kept = world.basic[r]
    world.basic[r] = world.basic[n + c]
    world.basic[n + c] = kept


def lemke(world: World, part: float) -> bool:
    """Find statuses by Lemke's method and write them to `state`; whether there are any.

    Args:
        world: The tables.
        part: By how much the given numbers are shifted, in parts of the largest.
    """
    n = put_tableau(world, part)
    wide = n + 1
    row = 0
    for r in range(n):
        if world.given[r] < world.given[row]:
            row = r
    if world.given[row] >= 0.0:
        read_statuses(world, n)
        return True
    column = n
    for _ in range(50 + 10 * n):
        leaving = world.basic[row]
        pivot(world, n, row, column)
        if leaving == 2 * n:
            read_statuses(world, n)
            return True
        wanted = leaving + n if leaving < n else leaving - n
        column = -1
        for c in range(wide):
            if world.basic[n + c] == wanted:
                column = c
        row = -1
        best = 0.0
        for r in range(n):
            a = world.tableau[r * wide + column]
            if a < -1e-11:
                ratio = world.given[r] / -a
                if row < 0 or ratio < best or (ratio <= best * (1.0 + 1e-12) and world.basic[r] == 2 * n):
                    best = ratio
                    row = r
        if row < 0:
            return False
    return False


def value_of(world: World, n: int, which: int) -> float:
    """A force of the solution; 0 where it is not basic."""
    for r in range(n):
        if world.basic[r] == n + which:
            return world.given[r]
    return 0.0


def is_basic(world: World, n: int, which: int) -> bool:
    """Whether an unknown is basic."""
    found = False
    for r in range(n):
        found = found or world.basic[r] == which
    return found


def read_statuses(world: World, n: int) -> None:
    """What contacts do in the solution."""
    for i in range(world.counts[t.ROWS]):
        at = world.first[i]
        pushes = is_basic(world, n, n + at)
        status = CLOSED if pushes else 0
        if pushes or world.back[i] > 0.0:
            if parts_of(world, i) == 4:
                slips = is_basic(world, n, n + at + 3)
                along = value_of(world, n, at + 1) - value_of(world, n, at + 2)
                idle = not is_basic(world, n, n + at + 1) and not is_basic(world, n, n + at + 2)
                if slips:
                    status += MINUS if along > 0.0 else PLUS
                else:
                    status += STICK + IDLE if idle and pushes else STICK
            elif world.way[i] != 0.0:
                status += PLUS if world.way[i] > 0.0 else MINUS
        world.state[i] = status


FUNCTIONS: Final = (
    parts_of,
    friction_of,
    sliding,
    put_couple,
    put_tableau,
    parts_row,
    pivot,
    lemke,
    value_of,
    is_basic,
    read_statuses,
)
