"""Model → the same model with traced numbers: masses and lengths that know which parameters they come from.

Nothing is taken on trust. The model is built once more with slightly other parameters, and every number of its bodies
must be what the traced formula gives for them; a parameter that fails this (its dependence got lost in some function
that knows plain numbers only) stays a number, and the equations say so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from sistel.errors import SistelError
from sistel.expr import Expr, Op, Trace, Traced, evaluate, program
from sistel.model import GRAVITY, Live, Model, Parameter

Rebuild = Callable[[Live], Model]
"""Builds the model again, asking what stands for each parameter."""

_STEP = 1e-3
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class TracedModel:
    """A model whose numbers remember parameters.

    Attributes:
        model: The model.
        trace: The parameters, in the order of the block "p".
        parameters: What is known of each of them.
        definitions: The formulas of those that are given by others, by place.
        folded: Names of the parameters that stay numbers.
    """

    model: Model
    trace: Trace
    parameters: tuple[Parameter, ...]
    definitions: Mapping[int, Expr]
    folded: tuple[str, ...]


def trace_model(rebuild: Rebuild) -> TracedModel:
    """Build a model with traced parameters, and make sure that the traces are right."""
    traced = _traced(rebuild, _untraceable(rebuild))
    names = range(len(traced.parameters))
    if _agrees(rebuild, traced, names):
        return traced
    lost = frozenset(traced.parameters[i].name for i in names if not _agrees(rebuild, traced, (i,)))
    lost |= frozenset(traced.folded)
    traced = _traced(rebuild, lost)
    if not _agrees(rebuild, traced, range(len(traced.parameters))):
        traced = _traced(rebuild, frozenset(parameter.name for parameter in traced.parameters) | lost)
    return traced


def _untraceable(rebuild: Rebuild) -> frozenset[str]:
    """Parameters that the description cannot be read with, unless they are plain numbers."""
    try:
        _traced(rebuild, frozenset())
    except SistelError:
        names: list[str] = []

        def live(parameter: Parameter) -> float:
            names.append(parameter.name)
            return float(parameter.value)

        rebuild(live)
        lost = frozenset(name for name in names if not _readable(rebuild, frozenset(names) - {name}))
        return lost if _readable(rebuild, lost) else frozenset(names)
    return frozenset()


def _readable(rebuild: Rebuild, folded: frozenset[str]) -> bool:
    try:
        _traced(rebuild, folded)
    except SistelError:
        return False
    return True


def _traced(rebuild: Rebuild, folded: frozenset[str]) -> TracedModel:
    trace = Trace()
    parameters: list[Parameter] = []
    definitions: dict[int, Expr] = {}

    def live(parameter: Parameter) -> float:
        value = parameter.value
        if parameter.name in folded or (parameter.name == GRAVITY and value == 0):
            return float(value)
        if isinstance(value, Traced):
            node = value.node
            if node.graph.operation[node.index] == Op.INPUT:
                return value  # another name for a parameter that has one
            definitions[len(parameters)] = node
        parameters.append(parameter)
        return trace.symbol(parameter.name, value)

    model = rebuild(live)
    return TracedModel(model, trace, tuple(parameters), definitions, tuple(sorted(folded)))


def perturbed(rebuild: Rebuild, traced: TracedModel, moved: Collection[int]) -> tuple[Model, list[float]] | None:
    """The model with slightly other values of some parameters, and the values of all; None if it allows none."""
    places = {parameter.name: place for place, parameter in enumerate(traced.parameters)}
    for direction in (1.0, -1.0):
        values = list(traced.trace.values)

        def live(parameter: Parameter, values: list[float] = values, direction: float = direction) -> float:
            place = places.get(parameter.name)
            value = float(parameter.value)
            if place is None:
                return value
            if place in moved and place not in traced.definitions:
                # Steps differ, or a change in one parameter could hide that in another.
                value += direction * _STEP * (1 + place % 7 / 10) * (abs(value) or 1.0)
            values[place] = value
            return value

        try:
            return rebuild(live), values
        except SistelError:
            continue
    return None


def _agrees(rebuild: Rebuild, traced: TracedModel, moved: Collection[int]) -> bool:
    """Whether the formulas give what building with other values of some parameters gives."""
    other = perturbed(rebuild, traced, moved)
    return other is not None and _same(traced, *other)


def _same(traced: TracedModel, other: Model, values: list[float]) -> bool:
    ours, theirs = list(_numbers(traced.model)), list(_numbers(other))
    if len(ours) != len(theirs):
        return False
    nodes = [number.node for number in ours if isinstance(number, Traced)]
    line = program(traced.trace.graph, {"numbers": nodes})
    found = iter(evaluate(line, values)[0])
    scale = max((abs(number) for number in theirs), default=1.0)
    for number, expected in zip(ours, theirs, strict=True):
        mine = next(found) if isinstance(number, Traced) else number
        if not abs(mine - expected) <= _TOLERANCE * max(abs(expected), 1e-3 * min(scale, 1.0)):
            return False
    return True


def _numbers(model: Model) -> Iterator[float]:
    """All numbers from which equations of the tree are made."""
    yield from model.gravity
    for body in model.bodies:
        joint = body.joint
        yield body.mass
        for vector in (body.p_PB, body.p_BoBcm_B, body.I_BBcm_B, *body.R_PB, joint.axis, joint.axis2):
            yield from vector
        for numbers in (joint.stiffness, joint.rest, joint.damping, joint.friction):
            yield from numbers
    for spring in model.springs:
        yield from (spring.stiffness, spring.damping, spring.length, *spring.first.p_BS, *spring.second.p_BS)
