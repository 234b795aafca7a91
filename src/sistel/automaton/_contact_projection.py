"""The way back: states brought to the places that contacts, stops and dry friction hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.automaton._driving import forced_by
from sistel.automaton._elements import STOP, held_values
from sistel.automaton._masks import masked_row, seated_row, solve_holding
from sistel.automaton._state import memory_of, split, with_memory
from sistel.automaton._transition_programs import anchor_sizes
from sistel.expr import Graph, Program
from sistel.mechanics import (
    Row,
    Scalar,
    constraint_rows,
    expressions,
    inner,
    mass_matrix,
    nudged,
)

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton
    from sistel.automaton._contact_equations import ContactMode


def derive_found(mode: ContactMode) -> Program:
    """Program of what the elements find at a state: y → p."""
    model = mode.automaton.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    found = [value for each in mode.rows(q, v, t) for value in each.found]
    return graph.program({"p": expressions(graph, found)})


def derive_held(mode: ContactMode) -> Program:
    """Program of how far what sticks has moved from the places that it holds: y, p (what elements found) → held.

    A number for every row; those of normals are zero.
    """
    model, tree, graph = mode.automaton.model, mode.automaton.tree, Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    each = mode.rows(q, v, t)
    p = list(graph.inputs("p", max(1, mode.found_count)))
    held: list[Scalar] = []
    at = 0
    for element, made in zip(mode.layout.elements, each, strict=True):
        values: list[Scalar] = [0.0] * len(made.tangents)
        if made.tangents and made.found:
            values = held_values(model, tree, element, made, p[at : at + len(made.found)], q, v, t)
        at += len(made.found)
        held += [*([] if made.normal is None else [0.0]), *values]
    return graph.program({"held": expressions(graph, held)})


def derive_back(mode: ContactMode) -> Program:
    """As `derive_projection`: p says which rows hold, then has anchors of the structure, anchors of the elements."""
    automaton = mode.automaton
    model, tree, layout = automaton.model, automaton.tree, mode.layout
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    each = mode.rows(q, v, t)
    found = sum(len(rows.found) for rows in each)
    p = list(graph.inputs("p", max(1, layout.holding + mode.anchor_count + found)))
    at = layout.holding
    kept: dict[str, Sequence[Scalar]] = {}
    for name, size in anchor_sizes(automaton, mode.base).items():
        kept[name] = p[at : at + size]
        at += size
    rows = mode.setting.kept(constraint_rows(model, tree, mode.base, q, v, t=t, found=kept))
    rows += forced_by(replace(mode.setting, model=with_memory(model, y)), q, v, t)
    for row in rows:
        row.drag, row.dragged = None, ()
    mask, sitting = 0, dict[int, Row]()
    new_q, new_v = list(q), list(v)
    for element, made in zip(layout.elements, each, strict=True):
        anchor = p[at : at + len(made.found)]
        at += len(made.found)
        if element.single:
            # What is held by itself goes straight back to its place.
            if element.place is not None:
                target = element.bound if element.kind == STOP else anchor[0]
                away = p[mask] * (target - q[element.place])
                new_q[element.place] = new_q[element.place] + away
            new_v[element.rate] = (1.0 - p[mask]) * new_v[element.rate]
            mask += 1
            continue
        if made.tangents and (element.contact is not None or element.drive is not None):
            values = held_values(model, tree, element, made, anchor, q, v, t)
            for row, value in zip(made.tangents, values, strict=True):
                row.value = value
        for row in ([] if made.normal is None else [made.normal]) + made.tangents:
            if row is not made.normal or element.contact is not None:
                if layout.seats:
                    sitting[mask] = row
                else:
                    rows.append(masked_row(row, p[mask]))
            mask += 1
    for seat in range(layout.seats):
        rows.append(seated_row([*sitting.values()], [p[layout.places["seat", seat, row]] for row in sitting]))
    rest = [*memory_of(model, y), t]
    return _back(automaton, graph, (q, new_q), new_v, rest, rows, mode.holds(p))


def _back(
    automaton: Automaton,
    graph: Graph,
    places: tuple[Sequence[Scalar], Sequence[Scalar]],
    v: Sequence[Scalar],
    rest: Sequence[Scalar],
    rows: Sequence[Row],
    holds: Mapping[int, Scalar],
) -> Program:
    """Positions and velocities moved as little as the metric of M allows; quaternions get their length back.

    Args:
        automaton: Of the model.
        graph: Where the program is made.
        places: Coordinates that the rows are derived for, and those to begin with.
        v: Velocities to begin with.
        rest: What follows them in the state, and stays as it is.
        rows: To come back to.
        holds: Velocities that stay as they are, see `solve_holding`.
    """
    model = automaton.model
    q, start = places
    M = mass_matrix(automaton.tree, q)
    still: list[Scalar] = [0.0] * model.nv
    shift = solve_holding(M, still, rows, [-row.value for row in rows], holds)[0].x
    demands = [-row.speed(v) for row in rows]
    slow = solve_holding(M, still, rows, demands, holds)[0].x
    new_q = nudged(model, start, q, shift)
    new_v = [a + b for a, b in zip(v, slow, strict=True)]
    off = inner([row.value for row in rows], [row.value for row in rows])
    outputs = {"y": expressions(graph, [*new_q, *new_v, *rest]), "off": expressions(graph, [off])}
    return graph.program(outputs)
