"""What follows from the states of a run: expressions of the language, and what joints and links carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from sistel.automaton import forgotten, reads_dynamics, solved_loads
from sistel.engine import SINGULAR
from sistel.errors import Text, refuse
from sistel.markup import Compare, Crossing, Expression, Name, walk_expression
from sistel.mechanics import expression_value
from sistel.model import Model, Structure, read_quantity
from sistel.simulation._programs import kernel
from sistel.simulation.implicit._kernels import LONG

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.automaton import Mode
    from sistel.engine import Engine
    from sistel.simulation.run._run import Run


def read_expression(engine: Engine, text: str) -> Expression:
    """An expression that can be followed along a run.

    Raises:
        SistelError: It is none of this system, or speaks of instants.
    """
    expression = read_quantity(engine.model, text).expression
    for node in walk_expression(expression):
        if isinstance(node, Crossing):
            _refuse(node, Text("a passage through zero is an instant: no values", "прохождение через ноль — это миг"))
    return expression


def remembered(model: Model, expression: Expression) -> int | None:
    """Which number of a state an expression is, where it is a signal that a tick computed and the state holds."""
    truth = isinstance(expression, Compare) and expression.operator == ">" and isinstance(expression.left, Name)
    name = expression.left if isinstance(expression, Compare) and truth else expression
    if not isinstance(name, Name):
        return None
    for i, each in enumerate(model.memory):
        if each.name == name.name and each.kind == "signal":
            held = next(one for scheme in model.schemes for one in scheme.signals if one.name == name.name)
            # A condition that is asked for is compared with one half; any other comparison is computed.
            own = not truth or (held.truth and expression.span == name.span)
            return model.nq + model.nv + i if own else None
    return None


def recalled(run: Run, expression: Expression, states: Array, places: NDArray[np.intp]) -> Array:
    """States with what an expression asks for and they do not remember, from the events before them.

    Args:
        run: The run that they are of.
        expression: What is asked.
        states: Shape (..., size).
        places: Their segments, as `Run.states` gives them.
    """
    more = forgotten(run.model, expression)
    if not more:
        return states
    begins = np.array([*(segment.begin for segment in run.segments), run.end])
    times = np.array([event.time for event in run.passages])
    # The last stay begins after all events, those at the very end too.
    passed = np.searchsorted(times, begins, side="right")
    first = (
        run.segments[0].structure if run.segments else run.passages[0].before if run.passages else run.final_structure
    )
    if run.passages and run.passages[0].time <= run.begin:
        first = run.passages[0].before
    columns = []
    for each in more:
        if each.kind == "entered":
            values = np.array([run.begin, *times])
        elif each.kind == "entries":
            entered = [event.after == each.name for event in run.passages]
            values = np.cumsum([float(first == each.name), *entered])
        else:
            values = np.full(len(times) + 1, each.start)
        columns.append(values[passed][places])
    return np.concatenate([states[..., :-1], np.stack(columns, axis=-1), states[..., -1:]], axis=-1)


def along(
    engine: Engine, structure: Structure, expression: Expression, states: Array, rates: Array | None = None
) -> Array:
    """Values of an expression for states (q, v, memory, t) in a structure, shape (n, size) to (n,).

    Where they do not remember what the expression asks for, they are those that `recalled` has made.

    Args:
        engine: Of the system.
        structure: Where the states are.
        expression: What is asked.
        states: Shape (n, size).
        rates: Accelerations of the motion, shape (n, nv): they decide where laws of contact allow several motions.
    """
    mode = engine.automaton.mode(structure)
    if mode.is_shared and reads_dynamics(engine.model, [expression]):
        size = engine.model.state_size - 1
        m, a = _solved(mode, np.concatenate([states[:, :size], states[:, -1:]], axis=1), rates)
        found: Any = kernel(mode.shared_values([expression]), "quantity")(states, m, a)
        return np.asarray(found).reshape(len(states))
    line = mode.quantities([expression], margin=not mode.is_tree)
    found = kernel(line, "quantity", LONG)(states)
    if len(line.outputs) == 1:
        return np.asarray(found).reshape(len(states))
    values = np.array(found[0]).reshape(len(states))
    for i in _singular(states, found[1]):
        state = mode.singular_state(states[i].tolist(), [expression])
        values[i] = expression_value(expression, state.names, state)
    return values


def _singular(states: Array, margin: Array) -> list[int]:
    """States in which constraints depend on each other."""
    whole = np.isfinite(states).all(axis=1)
    return [int(i) for i in np.flatnonzero(whole & ~(margin.reshape(len(states)) > SINGULAR))]


def _solved(mode: Mode, states: Array, rates: Array | None) -> tuple[Array, Array]:
    """Of a structure that contacts have made: multipliers of all rows, and accelerations."""
    line, table = mode.posed
    found: Any = kernel(line, "posed")(states)
    multipliers, a = np.full((len(states), table.count), np.nan), np.full((len(states), table.nv), np.nan)
    whole = np.isfinite(states).all(axis=1)
    for i in np.flatnonzero(whole):
        known = None if rates is None or not np.isfinite(rates[i]).all() else rates[i]
        multipliers[i], a[i], _ = solved_loads(table, [each[i] for each in found], known)
    return multipliers, a


def loads_at(
    engine: Engine, structure: Structure, states: Array, rates: Array | None = None
) -> tuple[Array, Array, tuple[str, ...]]:
    """Of a structure that contacts have made: driving forces, what is carried and normal forces, names of loads."""
    mode = engine.automaton.mode(structure)
    m, a = _solved(mode, states, rates)
    line, names = mode.shared_loads()
    drives, found = kernel(line, "loads")(states, m, a)
    return np.array(drives), np.array(found), names


def carried(engine: Engine, structure: Structure, states: Array, rates: Array | None = None) -> dict[str, Array]:
    """What every joint and link carries for states (q, v, t) in a structure, each of shape (n, 6); see `along`."""
    model = engine.model
    if engine.automaton.mode(structure).is_shared:
        _, told, names = loads_at(engine, structure, states, rates)
        return {name: told[:, 6 * i : 6 * i + 6] for i, name in enumerate(names)}
    if model.memory or any(not motion.structures or structure.name in motion.structures for motion in model.motions):
        mode = engine.automaton.mode(structure)
        line, names = mode.loads()
        _, found, margin = kernel(line, "loads", LONG)(states)
        loads = np.array(found)
        for row in _singular(states, margin) if not mode.is_tree else ():
            reactions = mode.singular_state(states[row].tolist()).reactions or {}
            loads[row, : 6 * len(names)] = [x for name in names for vector in reactions[name] for x in vector]
        return {name: loads[:, 6 * i : 6 * i + 6] for i, name in enumerate(names)}
    q, v, t = states[:, : model.nq], states[:, model.nq : model.nq + model.nv], states[:, -1]
    return engine.structure(structure, True).reactions(q, v, np.zeros(model.nv), t)


def _refuse(node: Expression, message: Text) -> NoReturn:
    refuse("no-quantity", message, span=node.span)
