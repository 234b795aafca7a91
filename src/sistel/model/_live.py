"""Live parameters: the same model with numbers that follow them, checked against models built with other values.

Nothing is taken on trust. The model is built again with other values of the parameters, some near and some far, and
every number in it must be what the followed formula gives; everything else in it must stay as it is. A parameter that
fails this (it decides what the system consists of, or its way to some number goes through something that knows plain
numbers only) is refused, with the place where it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, NoReturn

from sistel.errors import SistelError, Span, Text, refuse
from sistel.expr import LIVE, Program, Trace, Traced, evaluate, program
from sistel.kept import cached_property
from sistel.model._elements import Parameter
from sistel.model._model import Model
from sistel.model._scope import Live
from sistel.model.joints import JointType
from sistel.units import Dimension

Rebuild = Callable[[Live], Model]
"""Builds the model again, asking what stands for each parameter."""

_STEPS: Final = (1e-3, -1e-3, 0.3, -0.2)
"""By which part of themselves parameters are changed in the check."""
_TOLERANCE: Final = 1e-9
_WHOLE: Final = (JointType, Dimension, Text, Span, str, frozenset)
"""What is compared as it is."""
_SKIPPED: Final = frozenset(("span", "literal", "diagnostics", "about"))


@dataclass(frozen=True, eq=False)
class LiveModel:
    """A model whose numbers follow parameters.

    Attributes:
        model: The model; its numbers have today's values and know their formulas.
        names: The parameters that are followed, in the order of the block of inputs `expr.LIVE`.
        values: Their values today [SI].
        refused: Why other parameters that were asked for cannot be followed.
        rebuild: Builds the model again.
    """

    model: Model
    names: tuple[str, ...]
    values: tuple[float, ...]
    refused: Mapping[str, Text]
    rebuild: Rebuild

    @cached_property
    def _numbers(self) -> tuple[dict[Traced, int], Program | None]:
        """All different numbers that follow parameters, and what computes them."""
        found: dict[Traced, int] = {}
        for _, value in _leaves(self.model):
            if isinstance(value, Traced):
                found.setdefault(value, len(found))
        if not found:
            return found, None
        return found, program(next(iter(found)).node.graph, {"numbers": [number.node for number in found]})

    @cached_property
    def sizes(self) -> Program | None:
        """What computes the masses and moments of inertia that follow parameters; no system has them below zero."""
        found = [
            number
            for body in self.model.bodies
            for number in (body.mass, *body.I_BBcm_B[:3])
            if isinstance(number, Traced)
        ]
        return program(found[0].node.graph, {"sizes": [number.node for number in found]}) if found else None

    def numbers(self, values: Sequence[float]) -> dict[Traced, float]:
        """What the numbers of the model are for other values of the parameters."""
        places, line = self._numbers
        if line is None:
            return {}
        try:
            computed = evaluate(line, list(values))[0]
        except (ArithmeticError, ValueError):
            self.refuse(values)
        return dict(zip(places, computed, strict=True))

    def at(self, values: Sequence[float]) -> Model:
        """The model in plain numbers for other values of the parameters, built with them.

        Raises:
            SistelError: The file makes no sense with them, or the system is another one: friction vanishes.
        """
        given = dict(zip(self.names, values, strict=True))
        made = self.rebuild(lambda parameter: given.get(parameter.name, parameter.value))
        for own, other in zip(self.model.contacts, made.contacts, strict=True):
            if isinstance(own.friction, Traced) and other.friction == 0.0:
                self.refuse(values)  # such a contact never sticks
        return made

    def refuse(self, values: Sequence[float]) -> NoReturn:
        """Say that the equations do not hold for some values."""
        shown = ", ".join(f"{name} = {value:g}" for name, value in zip(self.names, values, strict=True))
        refuse(
            "no-live",
            Text(f"the equations do not hold for {shown}", f"уравнения не годятся для {shown}"),
            span=self.model.span,
        )


def live_model(rebuild: Rebuild, names: Sequence[str] | None = None) -> LiveModel:
    """Build a model whose numbers follow parameters.

    Args:
        rebuild: Builds it.
        names: The parameters to follow; by default all that the file gives as plain numbers and that can be followed.
    """
    declared = _declared(rebuild)
    chosen = tuple(name for name, free in declared.items() if free) if names is None else tuple(names)
    refused: dict[str, Text] = {}
    reason = _fault(rebuild, chosen)
    if reason is not None:
        for name in chosen:
            alone = _fault(rebuild, (name,))
            if alone is not None:
                refused[name] = alone
        chosen = tuple(name for name in chosen if name not in refused)
        together = _fault(rebuild, chosen)
        if together is not None:
            refused |= dict.fromkeys(chosen, together)
            chosen = ()
    model, values = _followed(rebuild, chosen)
    return LiveModel(model, chosen, values, refused, rebuild)


def _declared(rebuild: Rebuild) -> dict[str, bool]:
    """The names of all parameters, and whether each is a plain number in the file rather than a formula of others."""
    found: dict[str, bool] = {}
    trace = Trace()

    def live(parameter: Parameter) -> float:
        found[parameter.name] = not isinstance(parameter.value, Traced)
        return trace.symbol(parameter.name, parameter.value) if found[parameter.name] else float(parameter.value)

    try:
        rebuild(live)
    except SistelError:
        for name in found:
            found[name] = True  # what cannot be read so is judged one by one
    return {name: free for name, free in found.items() if not name.startswith("<")}


def _followed(rebuild: Rebuild, names: Sequence[str]) -> tuple[Model, tuple[float, ...]]:
    """The model with traced parameters, in the given order, and their values."""
    trace = Trace(LIVE)
    symbols: dict[str, Traced] = {}
    values = _values(rebuild, names)
    for name, value in zip(names, values, strict=True):
        symbols[name] = trace.symbol(name, value)
    return rebuild(lambda parameter: symbols.get(parameter.name, parameter.value)), values


def _values(rebuild: Rebuild, names: Sequence[str]) -> tuple[float, ...]:
    found: dict[str, float] = {}

    def live(parameter: Parameter) -> float:
        found[parameter.name] = float(parameter.value)
        return parameter.value

    rebuild(live)
    return tuple(found[name] for name in names)


def _fault(rebuild: Rebuild, names: Sequence[str]) -> Text | None:
    """Why some parameters cannot be followed together; None where they can."""
    if not names:
        return None
    try:
        model, values = _followed(rebuild, names)
    except SistelError as problem:
        text = problem.diagnostics[0].message
        return Text(f"the file cannot be read with it: {text.en}", f"файл с ним не читается: {text.ru}")
    turning = _turning_axis(model)
    if turning is not None:
        return turning
    live = LiveModel(model, tuple(names), values, {}, rebuild)
    checked = False
    for step in _STEPS:
        other = [
            value + step * (1 + place % 7 / 10) * (abs(value) or 1.0) for place, value in enumerate(values)
        ]  # steps differ, or a change in one could hide that in another
        given = dict(zip(names, other, strict=True))
        try:
            built = rebuild(lambda parameter, given=given: given.get(parameter.name, parameter.value))  # type: ignore[misc]
        except SistelError:
            continue  # the file makes no sense with these values
        checked = True
        different = _difference(live, other, built)
        if different is not None:
            return different
    if not checked:
        return Text("the file can be read with its own value only", "файл читается только с его значением")
    return None


def _turning_axis(model: Model) -> Text | None:
    """Axes of hinges decide the form of the equations: they do not follow."""
    for body in model.bodies:
        joint = body.joint
        if joint.type.key != "prismatic" and any(isinstance(x, Traced) for x in (*joint.axis, *joint.axis2)):
            name = joint.name
            return Text(f'the axis of joint "{name}" turns with it', f"ось сочленения «{name}» поворачивается с ним")
    for closure in model.closures:
        if any(isinstance(x, Traced) for x in (*closure.axis, *closure.axis2)):
            name = closure.name
            return Text(f'the axis of closure "{name}" turns with it', f"ось замыкания «{name}» поворачивается с ним")
    return None


def _difference(live: LiveModel, values: Sequence[float], built: Model) -> Text | None:
    """Where the followed formulas and a model built with other values differ."""
    try:
        found = live.numbers(values)
    except SistelError as problem:
        return problem.diagnostics[0].message
    ours, theirs = list(_leaves(live.model)), list(_leaves(built))
    scale = min(max((abs(x) for _, x in theirs if type(x) is float and abs(x) < 1e300), default=1.0), 1.0)
    for (path, mine), (other, expected) in zip(ours, theirs, strict=False):
        if isinstance(mine, float) and isinstance(expected, float) and path == other:
            number = found[mine] if isinstance(mine, Traced) else mine
            if number == expected or abs(number - expected) <= _TOLERANCE * max(abs(expected), 1e-3 * scale):
                continue
            return Text(f"a number cannot follow it: {path}", f"число не может следовать за ним: {path}")
        if path != other or mine != expected:
            return Text(f"it decides what the system is: {path}", f"от него зависит устройство системы: {path}")
    if len(ours) != len(theirs):
        return Text("it decides what the system consists of", "от него зависит, из чего состоит система")
    return None


def _leaves(x: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """All numbers and other simple things in a model, with their places."""
    if x is None or isinstance(x, (float, int, *_WHOLE)):
        yield path, x
    elif is_dataclass(x) and not isinstance(x, type):
        yield path, type(x)
        for field in fields(x):
            if field.name not in _SKIPPED:
                yield from _leaves(getattr(x, field.name), f"{path}.{field.name}" if path else field.name)
    elif isinstance(x, Mapping):
        for key, value in x.items():
            yield from _leaves(value, f"{path}[{key}]")
    elif isinstance(x, (tuple, list)):
        for index, value in enumerate(x):
            yield from _leaves(value, f"{path}[{index}]")
    else:
        yield path, type(x)
