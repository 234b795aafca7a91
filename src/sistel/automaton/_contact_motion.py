"""What contacts, stops and dry friction move by, row by row: for those who solve for what holds in numbers.

The flow of `ContactMode` solves for all rows at once, in one program; where there are many contacts of which few ever
hold, it is as long as the cube of their number. Here are the rows themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton._contact_data import state_of
from sistel.automaton._reads import uses_reactions
from sistel.expr import Program
from sistel.mechanics import Quantities, Row, Scalar, coordinate_rates, expression_value, expressions
from sistel.motion import current_rates

if TYPE_CHECKING:
    from sistel.automaton._contact_equations import ContactMode


def moves_by_rows(mode: ContactMode) -> bool:
    """Whether the rows of the elements are all there is to solve for: no conditions read forces."""
    return not mode.layout.hulls and not uses_reactions(mode.automaton.model, [each.condition for each in mode.written])


def derive_motion(mode: ContactMode, *, pushed: bool = False) -> Program:
    """Program of what moves: y → dq, dm, free, J, P, bias, u, value, striking, inside, bound, g.

    dq, rates of the coordinates (nq); dm, of what is remembered; free, accelerations without the elements (nv); J, all
    rows of the layout (r × nv); P, the response of v to an impulse of each (r × nv); bias, what their accelerations
    have beside J · a (r); u, their velocities (r); value, the gaps of normals (r, 0 of tangents); striking, the gaps
    whose ends are strikes (k); inside, positive until what touches slides off (k); bound, what bounds friction beside
    normal forces (k); g, the watched functions of the file.
    """
    state = state_of(mode, pushed_by_hands=pushed, ahead=False)
    layout, model = mode.layout, mode.automaton.model
    rows: list[Row] = []
    values: list[Scalar] = []
    for each in state.each:
        normal = [] if each.normal is None else [each.normal]
        rows += [*normal, *each.tangents]
        values += [*(row.value for row in normal), *(0.0 for _ in each.tangents)]
    tree = mode.automaton.tree
    known = Quantities(state.known.model, tree, state.q, state.v, state.known.t, torques=state.driving)
    leaves: list[Scalar] = []
    for each_exit in mode.written:
        for leaf in each_exit.condition.leaves:
            left, right = (expression_value(side, known.names, known) for side in (leaf.left, leaf.right))
            leaves.append(left - right)
    blocks: dict[str, list[Scalar]] = {
        "dq": list(coordinate_rates(model, state.q, state.v)),
        "dm": current_rates(known, state.driving),
        "free": list(state.a),
        "J": [x for row in rows for x in row.J],
        "P": [x for row in rows for x in state.response(row)],
        "bias": [row.bias for row in rows],
        "u": [state.speed(row) for row in rows],
        "value": values,
        "striking": [0.0 if each.normal is None else each.striking for each in state.each],
        "inside": [1.0 if each.normal is None or each.inside is None else each.inside for each in state.each],
        "bound": state.bounds,
        "g": leaves,
    }
    assert len(rows) == layout.count
    return state.graph.program({name: expressions(state.graph, block) for name, block in blocks.items() if block})
