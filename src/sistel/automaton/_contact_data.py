"""What passages of contacts, stops and dry friction are made of, and the simplest of them as one kernel.

A contact or a stop that strikes while no other one touches needs no search: by Newton's rule its impulse has a closed
form. As a kernel it is taken without a word of Python, and hops follow each other in machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sistel.automaton._driving import driven_motion, forced_by
from sistel.automaton._elements import GRIP, PATCH, Element, ElementRows
from sistel.automaton._hands import Hands
from sistel.automaton._state import memory_of, split, with_memory
from sistel.expr import Graph, Program, absolute, less, less_equal, logical_and, maximum, select
from sistel.mechanics import (
    Drives,
    Factor,
    Quantities,
    Row,
    RowDeriver,
    Scalar,
    applied_forces,
    bed_of,
    expressions,
    inner,
    is_zero,
    mass_matrix,
    solve_constrained,
    unit_pull,
)

if TYPE_CHECKING:
    from sistel.automaton._contact_equations import ContactMode

TOUCHING: Final = 1e-11
"""Gap that counts as closed [m]: events are located much closer, and rounding of places is some 1e-16 of the size."""
MOST_ALONE: Final = 8
"""Elements of systems in which contacts of shapes have kernels for strikes."""
SHORTEST: Final = 1e-7
"""Hop that a kernel may begin [s]: shorter ones may crowd together, which takes a look at those before."""
SLOWEST: Final = 1e-6
"""Part of the terms of velocities that a kernel takes for a strike."""


@dataclass(slots=True, eq=False)
class State:
    """What is known of a state: the rows of the elements, and what else the problems need."""

    graph: Graph
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    rest: list[Scalar]
    """What follows them."""
    each: list[ElementRows]
    bounds: list[Scalar]
    """See `ContactMode.bounds`."""
    held: list[Row]
    """What the structure holds."""
    M: Sequence[Sequence[Scalar]]
    a: Sequence[Scalar]
    """Accelerations without the elements."""
    pushed: list[Scalar]
    """What holds then, one multiplier for each of the rows that the structure holds."""
    known: Quantities
    """With the tracks of the file."""
    driving: Drives | None
    """What motors do."""
    factor: Factor | None = None
    """Of M, where the structure holds nothing."""

    def response(self, row: Row) -> list[Scalar]:
        """Of v to an impulse of a row."""
        return self.answer(row.J)[0]

    def answer(self, J: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """Of v to a generalized impulse, and of what the structure holds."""
        if not self.held:
            # The same operations; the mass matrix is factorised once for all rows.
            self.factor = self.factor or Factor(self.M)
            return self.factor.solve(J), []
        found = solve_constrained(self.M, J, self.held, [0.0] * len(self.held))
        return list(found.x), found.multipliers

    def speed(self, row: Row) -> Scalar:
        """Along a row."""
        return row.speed(self.v)

    def size(self, row: Row) -> Scalar:
        """Sum of the sizes of the terms of the velocity along a row."""
        return inner([absolute(x) for x in row.J], [absolute(x) for x in self.v])

    def acceleration(self, row: Row) -> Scalar:
        """Along a row, without the elements."""
        return inner(row.J, self.a) + row.bias


def state_of(mode: ContactMode, *, pushed_by_hands: bool = False, ahead: bool = True) -> State:
    """What is known of a state; `ahead` as of `element_rows`."""
    model = mode.automaton.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    rest = [*memory_of(model, y), t]
    model = with_memory(mode.smooth, y)
    setting = replace(mode.setting, model=model)
    hands = Hands.of(graph, mode.automaton.model) if pushed_by_hands else None
    motion, driving = driven_motion(setting, q, v, t, hands=hands)
    held = setting.rows(q, v, t)
    for row in held:
        row.drag, row.dragged = None, ()
    held += forced_by(setting, q, v, t)
    # Rows that follow from others push nothing here.
    pushed = [x for i, x in enumerate(motion.multipliers) if i not in setting.redundant]
    rubbing = replace(model, tracks=mode.automaton.model.tracks)
    known = Quantities(rubbing, mode.automaton.tree, q, v, t)
    each, bounds, M = mode.rows(q, v, t, ahead=ahead), mode.bounds(q, v, t, model), mass_matrix(mode.automaton.tree, q)
    return State(graph, q, v, rest, each, bounds, held, M, motion.a, pushed, known, driving)


def derive_data(mode: ContactMode, *, pushed: bool = False) -> Program:
    """Program of what the complementarity problems are made of: y → gap, u, size, G, a, P, axes, free, bound.

    With k elements there are r = 2 k rows in the plane and 3 k in space: normals first, then all first tangents, then
    all second ones; what an element does not have is zero. gap, the distances (k) [m or rad]; u, the velocities (r);
    size, the sum of the sizes of the terms of every velocity (r); G, the response of the velocities to impulses
    (r × r); a, the accelerations without the elements (r); P, the response of v to impulses (r × nv); axes, moment and
    force of a unit multiplier in W (r × 6); free, the accelerations without the elements (nv); bound, what bounds
    friction beside normal forces (k). All of them under what the structure holds; with `pushed`, forces of hands act
    too, by the blocks of `Hands`.
    """
    state = state_of(mode, pushed_by_hands=pushed)
    rows = _rows(mode, state)
    P = [answer for answer, _ in _answers(mode, state, rows)]
    there = [row is not None for row in rows]
    G = [
        inner(row.J, column) if row is not None and exists else 0.0
        for row in rows
        for column, exists in zip(P, there, strict=True)
    ]
    for i, element in enumerate(mode.layout.elements):
        if element.track is not None:
            G[i * len(rows) + i] = 1.0  # what presses a patch is known: its normal answers to itself alone
    blocks = {
        "gap": [each.gap(state.v) for each in state.each],
        "u": [0.0 if row is None else state.speed(row) for row in rows],
        "size": [0.0 if row is None else state.size(row) for row in rows],
        "G": G,
        "a": [0.0 if row is None else state.acceleration(row) for row in rows],
        "P": [entry for column in P for entry in column],
        "axes": [number for row in rows for number in _axes(row)],
        "free": state.a,
        "bound": state.bounds,
    }
    return state.graph.program({name: expressions(state.graph, block) for name, block in blocks.items()})


def _rows(mode: ContactMode, state: State) -> list[Row | None]:
    """Normals of all elements, then their first tangents, then their second ones; None where one has none."""
    rows: list[Row | None] = [each.normal for each in state.each]
    for side in range(1 if mode.automaton.model.planar else 2):
        rows += [each.tangents[side] if side < len(each.tangents) else None for each in state.each]
    return rows


def _answers(mode: ContactMode, state: State, rows: Sequence[Row | None]) -> list[tuple[list[Scalar], list[Scalar]]]:
    """What all rows move, and what the structure holds against them. The normal of a patch is its friction alone."""
    nothing: list[Scalar] = [0.0] * len(state.v)
    pulls = {i: _rubbed(state, element) for i, element in enumerate(mode.layout.elements) if element.track is not None}
    return [(nothing, []) if row is None else state.answer(pulls.get(i, row.J)) for i, row in enumerate(rows)]


def _rubbed(state: State, element: Element) -> list[Scalar]:
    """Generalized friction of a patch on soft ground for a unit load; nothing of others, which tangents carry."""
    target: list[Scalar] = [0.0] * len(state.v)
    track = element.track
    if track is None or not track.shear:
        return target
    known = state.known
    deriver = RowDeriver(known.model, known.tree, state.q, state.v, known.t, frozenset(), None, None)
    for pull, row in zip(unit_pull(known, track, element.index), deriver.patch(track, element.index), strict=True):
        target = [a + pull * b for a, b in zip(target, row.J, strict=True)]
    return target


def derive_press(mode: ContactMode) -> Program:
    """Program of what hulls on tracks press with: y → press, lever; three numbers for each hull.

    press, the whole loads with their moments without the elements; lever, their response to forces of the rows of
    `derive_data`.
    """
    state = state_of(mode)
    rows = _rows(mode, state)
    answers = _answers(mode, state, rows)
    press: list[Scalar] = []
    lever: list[Scalar] = []
    outer = applied_forces(state.known, tracks=False).outer
    for tracks in mode.layout.hulls:
        bed = bed_of(state.known, tracks[0].body, outer)
        held = [bed.felt_row(row) for row in state.held]
        own = [[0.0] * 3 if row is None else bed.felt_row(row) for row in rows]
        for k in range(3):
            carried = [felt[k] for felt in held]
            press.append(bed.c[k] + inner(bed.C[k], state.a) - inner(carried, state.pushed))
            for felt, (moved, needed) in zip(own, answers, strict=True):
                lever.append(inner(bed.C[k], moved) - felt[k] - (inner(carried, needed) if needed else 0.0))
    return state.graph.program({"press": expressions(state.graph, press), "lever": expressions(state.graph, lever)})


def _axes(row: Row | None) -> list[Scalar]:
    """Moment and force of a unit multiplier."""
    none = (0.0, 0.0, 0.0)
    if row is None:
        return [0.0] * 6
    moment, force = row.shown or (none, row.wrenches[0].force if row.wrenches else none)
    return [*moment, *force]


def can_strike(mode: ContactMode, index: int) -> bool:
    """Whether a strike of an element alone has a closed form: Newton's rule, and friction in the plane if any."""
    elements = mode.layout.elements
    element = elements[index]
    if any(each.kind in (GRIP, PATCH) for each in elements) or not element.restitution:
        return False
    if element.contact is not None and element.contact.outline is not None and len(elements) > MOST_ALONE:
        return False  # each of the many corners would have a kernel of its own
    if not element.tangents:
        return element.impact in ("newton", "coulomb", "poisson")
    return element.tangents == 1 and element.impact in ("newton", "coulomb")


def derive_strike(mode: ContactMode, index: int) -> Program:
    """Program of an element that strikes alone and leaves: y → y, loss, impulses.

    Numbers are not finite where it is not so simple: others touch, hops are so short that they may crowd together, or
    friction is so strong that there are several solutions.
    """
    state = state_of(mode)
    element, own = mode.layout.elements[index], state.each[index]
    assert own.normal is not None
    rows = [own.normal, *own.tangents]
    P = [state.response(row) for row in rows]
    u = [state.speed(row) for row in rows]
    G = [[inner(row.J, column) for column in P] for row in rows]
    back = (1.0 + element.restitution) * u[0]
    impulses, simple = [-back / G[0][0]], less(0.0, G[0][0])
    if own.tangents:
        impulses, simple = _with_friction(G, [back, u[1]], element)
    size: Scalar = 0.0
    for each in state.each:
        for row in ([] if each.normal is None else [each.normal]) + each.tangents:
            size = maximum(size, state.size(row))
    for other, each in enumerate(state.each):
        if other != index and each.normal is not None:
            simple = logical_and(simple, less(TOUCHING, each.gap(state.v)))
    approach = -u[0]
    simple = logical_and(simple, less(SLOWEST * size, element.restitution * approach))
    leaves = 2.0 * element.restitution * approach
    simple = logical_and(simple, less(SHORTEST * absolute(state.acceleration(own.normal)), leaves))
    good = 1.0 / select(simple, 1.0, 0.0)  # infinite where it is not so simple
    change: list[Scalar] = [0.0] * len(state.v)
    loss: Scalar = 0.0
    load: list[Scalar] = [0.0] * 6
    for i, (row, impulse) in enumerate(zip(rows, impulses, strict=True)):
        change = [total + impulse * x for total, x in zip(change, P[i], strict=True)]
        after = u[i] + inner(G[i], impulses)
        loss = loss - 0.5 * (impulse * (u[i] + after))
        load = [total + impulse * x for total, x in zip(load, _axes(row), strict=True)]
    v = [good * (x + more) for x, more in zip(state.v, change, strict=True)]
    blocks = {"y": [*state.q, *v, *state.rest], "loss": [loss], "impulses": load}
    return state.graph.program({name: expressions(state.graph, block) for name, block in blocks.items()})


def _with_friction(G: Sequence[Sequence[Scalar]], b: Sequence[Scalar], element: Element) -> tuple[list[Scalar], Scalar]:
    """Impulses along a normal and a tangent that take w = G x + b along the normal to 0, and whether they are such."""
    if is_zero(G[1][1]):
        # A point that nothing lets slide, as on a guide: no impulse is needed to hold it.
        return [-b[0] / G[0][0], 0.0], less(0.0, G[0][0])
    whole = G[0][0] * G[1][1] - G[0][1] * G[1][0]
    stuck = [
        (G[0][1] * b[1] - G[1][1] * b[0]) / whole,
        (G[1][0] * b[0] - G[0][0] * b[1]) / whole,
    ]
    held = logical_and(less(0.0, whole), less(0.0, stuck[0]))
    if element.friction is None:
        return stuck, held
    if element.back is None:
        held = logical_and(held, less_equal(absolute(stuck[1]), element.friction * stuck[0]))
    else:
        held = logical_and(held, less_equal(stuck[1], element.back * stuck[0]))
        held = logical_and(held, less_equal(-stuck[1], element.friction * stuck[0]))
    found, simple = stuck, held
    for way in (1.0, -1.0):
        pull = -way * element.pull(way)
        stiff = G[0][0] + pull * G[0][1]
        normal = -b[0] / stiff
        tangent = pull * normal
        slip = b[1] + (G[1][0] * normal + G[1][1] * tangent)
        slides = logical_and(less(0.0, stiff), less_equal(0.0, way * slip))
        # What holds goes first; of two slips none is without the other being impossible.
        found = [select(simple, first, then) for first, then in zip(found, (normal, tangent), strict=True)]
        simple = select(simple, 1.0, slides)
    return found, simple
