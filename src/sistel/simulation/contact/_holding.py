"""What holds in machine code: rows that say something new, and what each of them carries.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import STICK
from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._algebra import clear, shortest
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._trials import CLOSED

DEPENDENT: Final = 1e-10
"""Part of a row of G that others leave of it, below which it follows from them."""


def independent(scene: Scene, rows: Ints, count: int) -> int:
    """Of rows, those that the others follow from, in `fewer`; how many."""
    r = scene.counts[s.ELEMENTS] * (1 + scene.counts[s.SIDES])
    every = scene.counts[s.ROWS]
    made = scene.product
    kept = 0
    for i in range(count):
        row = shift(scene.data.G, scene.places[rows[i]] * r)
        part = shift(made, kept * every)
        left = row[scene.places[rows[i]]]
        whole = left
        for n in range(kept):
            other = shift(made, n * every)
            total = row[scene.places[scene.fewer[n]]]
            for j in range(n):
                total -= other[j] * part[j]
            part[n] = total / other[n]
            left -= part[n] * part[n]
        if left > DEPENDENT * whole:
            part[kept] = math.sqrt(left)
            scene.fewer[kept] = rows[i]
            kept += 1
    return kept


def carry_all(scene: Scene, rows: Ints, count: int, kept: int) -> None:
    """What the rows `fewer` carry where they alone carry what some rows do, in `problem.x`."""
    data = scene.data
    problem = scene.problem
    nv = scene.counts[s.RATES]
    for j in range(nv):
        total = 0.0
        for i in range(count):
            total += data.P[scene.places[rows[i]] * nv + j] * scene.wanted[rows[i]]
        problem.right[j] = total
        for i in range(kept):
            problem.A[j * kept + i] = data.P[scene.places[scene.fewer[i]] * nv + j]
    shortest(problem.A, nv, kept, problem.right, 1e-11, problem.x, problem.room, problem.order)


def let_be_unit(matrix: Floats, n: int) -> None:
    """Let a square matrix be the unit matrix."""
    for i in range(n):
        for j in range(n):
            matrix[i * n + j] = 1.0 if i == j else 0.0


def share_out(scene: Scene, rows: Ints, count: int, kept: int) -> None:
    """What every row carries of what the rows `fewer` do, in `change`: in proportion to what normals carry."""
    problem = scene.problem
    every = scene.counts[s.ROWS]
    lack = problem.size
    clear(lack, every)
    let_be_unit(scene.change, every)
    for i in range(count):
        lack[rows[i]] = scene.wanted[rows[i]]
        clear(shift(scene.change, rows[i] * every), every)
    square = 0.0
    normals = False
    for i in range(kept):
        own = scene.fewer[i]
        lack[own] = lack[own] - problem.x[i]
        scene.change[own * every + own] = 1.0
        if is_normal(scene, own) and problem.x[i] != 0.0:
            normals = True
    for i in range(kept):
        if not normals or is_normal(scene, scene.fewer[i]):
            square += problem.x[i] * problem.x[i]
    if square > 0.0:
        for i in range(kept):
            if not normals or is_normal(scene, scene.fewer[i]):
                for j in range(every):
                    at = j * every + scene.fewer[i]
                    scene.change[at] = scene.change[at] + lack[j] * problem.x[i] / square


def change_share(scene: Scene) -> None:
    """Apply `change` to `share`."""
    every = scene.counts[s.ROWS]
    made = scene.product
    for i in range(every):
        for j in range(every):
            total = 0.0
            for n in range(every):
                total += scene.share[i * every + n] * scene.change[n * every + j]
            made[i * every + j] = total
    for i in range(every * every):
        scene.share[i] = made[i]


def reduced(scene: Scene, rows: Ints, count: int) -> int:
    """Of rows, those that the others follow from, in `fewer`; how many. What all carry goes to these, and to `share`.

    -1 where no room is left for that, or where a normal follows from others: least norms are for Python.
    """
    for i in range(count):
        scene.fewer[i] = rows[i]
    if count < 2:
        return count
    kept = independent(scene, rows, count)
    if kept == count:
        return count
    if kept > scene.counts[s.RATES] or scene.counts[s.READS] != 0:
        return -1
    place = 0
    for i in range(count):
        if place < kept and scene.fewer[place] == rows[i]:
            place += 1
        elif is_normal(scene, rows[i]):
            return -1
    carry_all(scene, rows, count, kept)
    share_out(scene, rows, count, kept)
    change_share(scene)
    for i in range(count):
        scene.wanted[rows[i]] = 0.0
    for i in range(kept):
        scene.wanted[scene.fewer[i]] = scene.problem.x[i]
    return kept


def is_normal(scene: Scene, row: int) -> bool:
    """Whether a row of the layout is a normal."""
    return scene.places[row] < scene.counts[s.ELEMENTS]


def begin_block(scene: Scene, stand: int) -> None:
    """Fill the block p as if all rows counted: every row carries its own force."""
    every = scene.counts[s.ROWS]
    parts = scene.counts[s.PARTS]
    template = shift(scene.numbers_of, stand * parts)
    for i in range(parts):
        scene.p[i] = template[i]
    for row in range(every):
        scene.wanted[row] = scene.x[scene.places[row]]
    let_be_unit(scene.share, every)


def add_rows(scene: Scene, i: int, count: int) -> int:
    """Add the rows of an element that hold to `some`; how many there are then."""
    own = shift(scene.elements, s.ELEMENT * i)
    status = scene.next[i]
    some = count
    if status >= CLOSED and own[s.NORMAL] >= 0:
        scene.some[some] = own[s.NORMAL]
        some += 1
    if status % CLOSED == STICK and (status >= CLOSED or own[s.NORMAL] < 0):
        for side in range(own[s.TANGENTS]):
            scene.some[some] = own[s.TANGENT] + side
            some += 1
    return some


def watch_carriers(scene: Scene) -> bool:
    """Watch the forces of the closed elements that carry something; False where Python has to tell the run more."""
    counts = scene.counts
    every = counts[s.ROWS]
    elements = scene.elements
    for leaf in range(counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        if own[s.KIND] == 0 and scene.next[i] >= CLOSED:
            row = elements[s.ELEMENT * i + s.NORMAL]
            carries = scene.p[row] != 0.0
            for j in range(every):
                carries = carries or scene.share[row * every + j] != 0.0
            scene.p[own[s.PLACE]] = 0.0 if carries else 1.0
            scene.p[own[s.PLACE] + 2] = 1.0 if carries else 0.0
            # More of one body push than it takes to hold it: the run is told once, by Python.
            if scene.p[row] == 0.0 and elements[s.ELEMENT * i + s.PUSHES] != 0 and counts[s.TOLD] == 0:
                return False
    return True


def hold(scene: Scene, stand: int) -> bool:
    """Fill the block p for the statuses `next` with forces `x`; whether that can be done here."""
    counts = scene.counts
    every = counts[s.ROWS]
    begin_block(scene, stand)
    held = 0
    some = 0
    less = False
    for place in range(counts[s.ELEMENTS]):
        some = add_rows(scene, scene.groups[2 * place], some)
        last = place + 1 == counts[s.ELEMENTS] or scene.groups[2 * place + 3] != scene.groups[2 * place + 1]
        if last and some > 0:
            left = reduced(scene, scene.some, some)
            if left < 0:
                return False
            less = less or left < some
            for j in range(left):
                scene.kept[held + j] = scene.fewer[j]
            held += left
            some = 0
    left = reduced(scene, scene.kept, held)
    if left < 0:
        return False
    less = less or left < held
    if not less:
        return True
    clear(scene.p, every)
    for j in range(left):
        scene.p[scene.fewer[j]] = 1.0
    if counts[s.SHARE] >= 0:
        for i in range(every * every):
            scene.p[counts[s.SHARE] + i] = scene.share[i]
    return watch_carriers(scene)


def stop_rows(scene: Scene, rows: Ints, n: int, least: float) -> None:
    """The smallest impulses that take away the velocities of some rows, in `problem.x`; see `shortest` for `least`."""
    data = scene.data
    problem = scene.problem
    r = scene.counts[s.ELEMENTS] * (1 + scene.counts[s.SIDES])
    for i in range(n):
        problem.right[i] = -data.u[rows[i]]
        for j in range(n):
            problem.A[i * n + j] = data.G[rows[i] * r + rows[j]]
    shortest(problem.A, n, n, problem.right, least, problem.x, problem.room, problem.order)


def settle_rows(scene: Scene) -> None:
    """Take away the velocities of the rows that hold, to rounding."""
    data = scene.data
    counts = scene.counts
    problem = scene.problem
    nv = counts[s.RATES]
    n = 0
    moves = False
    for row in range(counts[s.ROWS]):
        if scene.p[row] != 0.0:
            scene.kept[n] = scene.places[row]
            moves = moves or data.u[scene.places[row]] != 0.0
            n += 1
    if n == 0 or not moves:
        return
    stop_rows(scene, scene.kept, n, 1e-14)
    for j in range(nv):
        total = 0.0
        for i in range(n):
            total += data.P[scene.kept[i] * nv + j] * problem.x[i]
        scene.later[counts[s.FIRST_RATE] + j] = scene.later[counts[s.FIRST_RATE] + j] + total


FUNCTIONS: Final = (
    independent,
    carry_all,
    let_be_unit,
    share_out,
    change_share,
    reduced,
    is_normal,
    begin_block,
    add_rows,
    watch_carriers,
    hold,
    stop_rows,
    settle_rows,
)
