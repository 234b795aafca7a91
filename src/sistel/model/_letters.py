"""One build, every parameter a letter: numbers that know their formulas, and what is made of them without another.

While a description is read, each of its parameters is a letter with today's value, so every mass and length of the
model is a number and a formula of letters. From that come the model in plain numbers, the model that follows some
parameters, and the model for other values. What the formulas do not tell is whether the description would have made
the same system of other values: for that the letters are watched (`expr.Watched`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, TypeVar, cast

from sistel.errors import Span, Text
from sistel.expr import LIVE, Expr, Op, Program, Trace, Traced, evaluate, replay
from sistel.kept import cached_property
from sistel.model._elements import Parameter
from sistel.model._model import Model
from sistel.model.joints import JointType
from sistel.units import Dimension

GRAVITY: Final = "<g>"
"""The letter of the acceleration of free fall: no parameter can have this name."""

T = TypeVar("T")
_SIMPLE: Final = (str, int, JointType, Dimension, Text, Span, frozenset, type(None), type)
"""What has no numbers of parameters in it."""


class Letters:
    """The letters that a description has been given so far."""

    def __init__(self, values: Mapping[str, float]) -> None:
        """None yet; `values` are those of parameters that are not the description's."""
        self.values = values
        self.trace = Trace(watched=True)
        self.parameters: list[Parameter] = []
        self.definitions: dict[int, Expr] = {}

    def letter(self, parameter: Parameter) -> float:
        """What stands for a parameter, known by its full name, wherever the description asks for it."""
        value = self.values.get(parameter.name, parameter.value)
        if not math.isfinite(value) or (parameter.name == GRAVITY and float(value) == 0.0):
            return float(value)
        if isinstance(value, Traced):
            self.definitions[len(self.parameters)] = value.node
        self.parameters.append(replace(parameter, value=value))
        return self.trace.symbol(parameter.name, value)


@dataclass(frozen=True, eq=False)
class Lettered:
    """A model whose numbers are formulas of letters.

    Attributes:
        model: The model; its numbers have today's values.
        trace: The letters, in the order of the block "p".
        parameters: What is known of each of them.
        definitions: The formulas of those that others determine, by place.
    """

    model: Model
    trace: Trace
    parameters: tuple[Parameter, ...]
    definitions: Mapping[int, Expr]

    @cached_property
    def _numbers(self) -> tuple[Traced, ...]:
        """All different formulas of the model."""
        found = {value.node: value for _, value in leaves(self.model) if isinstance(value, Traced)}
        return tuple(found.values())

    @cached_property
    def _line(self) -> Program | None:
        """What computes all of them; None where there are none."""
        return self.trace.graph.program({"numbers": [each.node for each in self._numbers]}) if self._numbers else None

    @cached_property
    def _plain(self) -> frozenset[int]:
        """The parts of the model without formulas, known by their places in memory: most of it, and never copied."""
        return without_letters(self.model)

    def values_with(self, changes: Mapping[str, float]) -> list[float]:
        """The values of all letters where some have others; what they determine follows.

        Raises:
            ArithmeticError: A formula has no value there.
            ValueError: The same.
        """
        values: list[float] = []
        for place, parameter in enumerate(self.parameters):
            value = float(parameter.value)
            if parameter.name in changes:
                value = changes[parameter.name]
            elif place in self.definitions and changes:
                line = self.trace.graph.program({"x": [self.definitions[place]]})
                value = evaluate(line, [*values, *self.trace.values[place:]])[0][0]
            values.append(value)
        return values

    def at(self, values: Sequence[float]) -> Model:
        """The model in plain numbers, for other values of all letters, as its formulas tell.

        Raises:
            ArithmeticError: A formula has no value there.
            ValueError: The same.
        """
        return self.put(self.model, self.numbers_at(values))

    def numbers_at(self, values: Sequence[float]) -> dict[Expr, float]:
        """The numbers of the model by their formulas, for other values of all letters.

        Raises:
            ArithmeticError: A formula has no value there.
            ValueError: The same.
        """
        computed = evaluate(self._line, list(values))[0] if self._line is not None else []
        return {number.node: value for number, value in zip(self._numbers, computed, strict=True)}

    def put(self, part: T, numbers: Mapping[Expr, float]) -> T:
        """A part of the model, or all of it, with other numbers in the places of its formulas."""
        return mapped(part, lambda number: numbers[number.node], self._plain)

    def near(self, values: Sequence[float]) -> Model | None:
        """As `at`; None where a comparison that was made while the file was read would come out otherwise."""
        return self.at(values) if self.trace.holds(values) else None

    def copy(self) -> Lettered:
        """The same with letters of a trace of its own, to which others can be added; they compare as formulas do.

        Parameters that decide what the system is are numbers there; one that is another name for a second has its
        letter.
        """
        trace, decided, graph = Trace(), self.trace.decided(), self.trace.graph
        block: list[float] = []
        kept: list[int] = []
        for place, parameter in enumerate(self.parameters):
            node = self.definitions.get(place)
            if place in decided:
                block.append(float(parameter.value))
            elif node is not None and graph.operation[node.index] == Op.INPUT:
                block.append(block[graph.second[node.index]])
            else:
                block.append(trace.symbol(parameter.name, parameter.value))
                kept.append(place)
        defined = [place for place in kept if place in self.definitions]
        definitions = self._replayed([self.definitions[place] for place in defined], block)
        made = {
            kept.index(place): each.node
            for place, each in zip(defined, definitions, strict=True)
            if isinstance(each, Traced)
        }
        return Lettered(self._with(self.model, block), trace, tuple(self.parameters[place] for place in kept), made)

    def following(self, names: Sequence[str]) -> tuple[Model, tuple[float, ...]]:
        """The model whose numbers follow some parameters, in the order of the block `expr.LIVE`, and their values."""
        return self.part_following(self.model, names), self.values_of(names)

    def values_of(self, names: Sequence[str]) -> tuple[float, ...]:
        """Today's values of some parameters."""
        known = {parameter.name: float(parameter.value) for parameter in self.model.parameters}
        return tuple(known[name] for name in names)

    def part_following(self, part: T, names: Sequence[str]) -> T:
        """A part of the model, or all of it, as `following` has it."""
        trace = Trace(LIVE)
        known = {parameter.name: float(parameter.value) for parameter in self.model.parameters}
        live = {name: trace.symbol(name, known[name]) for name in names}
        block: list[float] = []
        for place, parameter in enumerate(self.parameters):
            if parameter.name in live:
                block.append(live[parameter.name])
            elif place in self.definitions:
                rest = [0.0] * (len(self.parameters) - place)
                (value,) = self._replayed([self.definitions[place]], [*block, *rest])
                block.append(value)
            else:
                block.append(float(parameter.value))
        return self._with(part, block)

    def _with(self, part: T, block: Sequence[float]) -> T:
        """A part of the model with other numbers in the places of the letters; its values stay."""
        if part is self.model:
            numbers = self._numbers
        else:
            numbers = tuple({each.node: each for _, each in leaves(part) if isinstance(each, Traced)}.values())
        replayed = self._replayed([number.node for number in numbers], block)
        return self.put(
            part,
            {
                number.node: Traced(float(number), new.node) if isinstance(new, Traced) else float(number)
                for number, new in zip(numbers, replayed, strict=True)
            },
        )

    def _replayed(self, nodes: Sequence[Expr], block: Sequence[float]) -> list[float]:
        if not nodes:
            return []
        (found,) = replay(self.trace.graph.program({"x": nodes}), block)
        return cast(list[float], found)


def in_numbers(lettered: Lettered) -> Model:
    """The model in plain numbers, today's."""
    if not any(parameter.name != GRAVITY for parameter in lettered.parameters):
        # Nothing but the weights of bodies knows of gravity.
        return replace(lettered.model, gravity=mapped(lettered.model.gravity, float))
    return mapped(lettered.model, float)


def mapped(x: T, change: Callable[[Traced], float], plain: frozenset[int] = frozenset()) -> T:
    """The same thing with other numbers in the places of traced ones; what has none of them is not copied.

    Args:
        x: The thing.
        change: What comes in the place of a number.
        plain: Parts that are known to have none, see `without_letters`.
    """
    made: dict[int, object] = {}

    def walk(x: Any) -> Any:
        kind = type(x)
        if kind is float or kind is str or kind is int:
            return x
        if id(x) in plain:
            return x
        names = _parts(cast(Any, kind))
        if names is None:
            return change(x) if isinstance(x, Traced) else x
        if id(x) in made:
            return made[id(x)]
        if names:
            inside = [getattr(x, name) for name in names]
        else:
            inside = list(x.values()) if isinstance(x, Mapping) else x
        changes = {}
        for place, old in enumerate(inside):
            new = walk(old)
            if new is not old:
                changes[place] = new
        if not changes:
            copy = x
        elif names:
            copy = replace(x, **{names[place]: new for place, new in changes.items()})
        else:
            whole = [changes.get(place, old) for place, old in enumerate(inside)]
            copy = dict(zip(x, whole, strict=True)) if isinstance(x, Mapping) else tuple(whole)
        made[id(x)] = copy
        return copy

    return cast(T, walk(x))


def without_letters(x: object) -> frozenset[int]:
    """The parts of a thing that have no traced numbers, known by their places in memory: as long as it is there."""
    found: dict[int, bool] = {}

    def walk(x: Any) -> bool:
        kind = type(x)
        if kind is float or kind is str or kind is int:
            return True
        names = _parts(cast(Any, kind))
        if names is None:
            return not isinstance(x, Traced)
        known = found.get(id(x))
        if known is None:
            inside = [getattr(x, name) for name in names] if names else x.values() if isinstance(x, Mapping) else x
            each_is = [walk(each) for each in inside]
            known = found[id(x)] = all(each_is)
        return known

    walk(x)
    return frozenset(place for place, plain in found.items() if plain)


@cache
def _parts(kind: Any) -> tuple[str, ...] | None:
    """The fields of a class in which there may be numbers; none for tuples and mappings, None for what is whole."""
    if issubclass(kind, _SIMPLE):
        return None
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind) if field.name not in ("span", "diagnostics")) or None
    if kind is tuple or issubclass(kind, Mapping):
        return ()
    assert not issubclass(kind, (tuple, list)), f"a {kind.__name__} cannot be copied with other numbers"
    return None


_SKIPPED: Final = frozenset(("span", "literal", "diagnostics", "about"))


def leaves(x: object, path: str = "") -> list[tuple[str, object]]:
    """All numbers and other simple things in a model, with their places."""
    found: list[tuple[str, object]] = []

    def walk(x: Any, path: str) -> None:
        kind: Any = type(x)
        names = _shown_parts(kind)
        if names is None:
            found.append((path, x))
        elif names:
            found.append((path, kind))
            dot = f"{path}." if path else ""
            for name in names:
                walk(getattr(x, name), dot + name)
        elif isinstance(x, Mapping):
            for key, value in x.items():
                walk(value, f"{path}[{key}]")
        elif isinstance(x, (tuple, list)):
            for index, value in enumerate(x):
                walk(value, f"{path}[{index}]")
        else:
            found.append((path, kind))

    walk(x, path)
    return found


@cache
def _shown_parts(kind: Any) -> tuple[str, ...] | None:
    """The fields of a class whose values `leaves` shows; none for all else that has parts, None for what is whole."""
    if issubclass(kind, (float, *_SIMPLE)):
        return None
    return tuple(field.name for field in fields(kind) if field.name not in _SKIPPED) if is_dataclass(kind) else ()
