"""Loops through accelerations and reactions: what forces depend on that depends on the forces.

Forward dynamics is affine in forces. Where a scheme that flows, or a force, reads accelerations or what is carried,
each of these numbers is an unknown z, and the motion under the forces that it makes gives Z(z) for it. Where Z is
affine, z = Z(z) is linear: Z(0) and the columns Z(e) − Z(0) give it, and it is solved once and for all, in the
equations themselves. Any other loop is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.automaton._reads import dynamics_path
from sistel.automaton._state import first_memory, split, with_memory
from sistel.errors import Text, refuse
from sistel.expr import Graph, Op, absolute, forward_derivative, is_zero, less, select
from sistel.mechanics import Quantities, reactions, structure_dynamics
from sistel.model import Model
from sistel.motion import current_rates, forced_rows, motion_forces

if TYPE_CHECKING:
    from sistel.expr import Scalar, Scalars
    from sistel.markup import Expression
    from sistel.mechanics import Setting

Key = tuple[str, tuple[str, ...], str]
"""A quantity: its function, of what it is asked, and which component."""

SINGULAR = 1e-12
"""The least pivot of a loop that can be solved, where 1 stands for no feedback."""


class _Asked(dict[Key, "Scalar"]):
    """Notes which quantities are asked for; they count as 0."""

    def __missing__(self, key: Key) -> float:
        self[key] = 0.0
        return 0.0


def settled(setting: Setting, q: Scalars, v: Scalars, t: Scalar) -> Setting:
    """The setting with the values of what its forces read of their own results; itself where they read nothing."""
    model = setting.model
    if model.assumed is not None or not feeds_back(model):
        return setting
    asked = _Asked()
    _results(setting, asked, (), q, v, t)
    keys = tuple(asked)
    if not keys:
        return setting
    _check(setting, keys)
    matrix, zero = _linear(setting, keys, q, v, t)
    return _with(setting, dict(zip(keys, _solved(matrix, zero), strict=True)))


def feeds_back(model: Model) -> bool:
    """Whether what acts reads accelerations or what is carried."""
    return bool(dynamics_path(model, _acting(model)))


def _acting(model: Model) -> list[Expression]:
    """What acts or flows: forces, limits of clutches, commands of motors, rates of what blocks remember."""
    roots = [component.expression for force in model.forces for component in force.components]
    roots += [drive.limit.expression for drive in model.drives if drive.limit is not None]
    for scheme in model.schemes:
        roots += [command.value.expression for command in scheme.commands]
        roots += [store.following for store in scheme.stores if scheme.clock is None]
    return roots


def _with(setting: Setting, assumed: Mapping[Key, Scalar]) -> Setting:
    return replace(setting, model=replace(setting.model, assumed=assumed))


def _results(
    setting: Setting, assumed: Mapping[Key, Scalar], keys: Sequence[Key], q: Scalars, v: Scalars, t: Scalar
) -> list[Scalar]:
    """What quantities are in the motion under what is assumed of them."""
    given = _with(setting, assumed)
    before = Quantities(given.model, given.tree, q, v, t, shared=given.shared)
    drives = motion_forces(before, given.structure)
    tau: Scalars = [0.0] * given.tree.nv if drives is None else drives
    motion = structure_dynamics(given, q, v, tau, t, forced=forced_rows(before, given.structure))
    if not keys:
        current_rates(before, drives)  # rates of what blocks remember may ask for more
        return []
    known = replace(setting, model=replace(setting.model, assumed=None))
    carried = reactions(given, q, v, motion)
    state = Quantities(
        known.model, known.tree, q, v, t, reactions=carried, torques=drives, accelerations=motion.a, shared=given.shared
    )
    return [state(*key) for key in keys]


def _linear(
    setting: Setting, keys: Sequence[Key], q: Scalars, v: Scalars, t: Scalar
) -> tuple[list[list[Scalar]], list[Scalar]]:
    """Matrix and right side of the equations of a loop."""
    zero = _results(setting, dict.fromkeys(keys, 0.0), keys, q, v, t)
    columns = []
    for one in keys:
        moved = _results(setting, {key: float(key == one) for key in keys}, keys, q, v, t)
        columns.append([a - b for a, b in zip(moved, zero, strict=True)])
    size = range(len(keys))
    return [[float(i == j) - columns[j][i] for j in size] for i in size], zero


def _solved(matrix: Sequence[Sequence[Scalar]], right: Sequence[Scalar]) -> list[Scalar]:
    """A linear system, by elimination; of the rows that are left the one with the largest pivot goes first."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        for k in range(i + 1, size):
            if is_zero(rows[k][i]):
                continue
            swap = less(absolute(rows[i][i]), absolute(rows[k][i]))
            upper, lower = rows[i], rows[k]
            rows[i] = [select(swap, b, a) for a, b in zip(upper, lower, strict=True)]
            rows[k] = [select(swap, a, b) for a, b in zip(upper, lower, strict=True)]
        for k in range(i + 1, size):
            if not is_zero(rows[k][i]):
                factor = rows[k][i] / rows[i][i]
                rows[k] = [b - factor * a for a, b in zip(rows[i], rows[k], strict=True)]
    found: list[Scalar] = [0.0] * size
    for i in reversed(range(size)):
        rest = rows[i][size]
        for j in range(i + 1, size):
            rest = rest - rows[i][j] * found[j]
        found[i] = rest / rows[i][i]
    return found


def _check(setting: Setting, keys: Sequence[Key]) -> None:
    """Refuse a loop that is not affine, and one that has no solution where the motion begins."""
    model, graph = setting.model, Graph()
    y = list(graph.inputs("y", model.state_size))
    z = list(graph.inputs("z", len(keys)))
    q, v, t = split(model, y)
    free = replace(setting, model=with_memory(model, y))
    results = _results(free, dict(zip(keys, z, strict=True)), keys, q, v, t)
    slopes = [entry for row in forward_derivative(graph, results, z) for entry in row]
    line = graph.program({"slopes": slopes})
    if any(
        op == Op.INPUT and line.inputs[first][0] == "z" for op, first in zip(line.operation, line.first, strict=True)
    ):
        _refuse(
            setting,
            Text("and not as a linear equation does", "и не так, как в линейном уравнении"),
        )
    start = [*model.start.q, *model.start.v, *first_memory(model, model.start_structure, model.start_time)]
    y0 = [float(number) for number in (*start, model.start_time)]
    q0, v0, t0 = split(model, y0)
    matrix, _ = _linear(replace(setting, model=with_memory(model, y0)), keys, q0, v0, t0)
    numbers = [[entry if isinstance(entry, (int, float)) else 1.0 for entry in row] for row in matrix]
    if _least_pivot(numbers) < SINGULAR:
        _refuse(setting, Text("and no force solves that", "и никакая сила этого не решает"))


def _least_pivot(matrix: list[list[float]]) -> float:
    least, size = 1.0, len(matrix)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        least = min(least, abs(matrix[i][i]))
        if not matrix[i][i]:
            return 0.0
        for k in range(i + 1, size):
            factor = matrix[k][i] / matrix[i][i]
            matrix[k] = [b - factor * a for a, b in zip(matrix[i], matrix[k], strict=True)]
    return least


def _refuse(setting: Setting, why: Text) -> None:
    model = setting.model
    first = next(root for root in _acting(model) if dynamics_path(model, [root]))
    path = " → ".join(reversed(dynamics_path(model, [first])))
    refuse(
        "algebraic-loop",
        Text(
            f"a force depends on what depends on it, {why.en}: {path} → force",
            f"сила зависит от того, что зависит от неё, {why.ru}: {path} → сила",
        ),
        hint=Text(
            "give the scheme a period, or put a lag in between",
            "дайте схеме период или вставьте инерцию",
        ),
        span=first.span,
    )
