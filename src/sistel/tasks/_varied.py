"""Parameters that differ from variant to variant."""

from __future__ import annotations

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.markup import Expression, Node
from sistel.model import Model, Parameter, values_of
from sistel.records import record
from sistel.units import Dimension, si_symbol

MOST = 100_000
"""Values that one parameter may take."""


@record
class Vary:
    """A parameter with the values that it may take."""

    name: str
    dimension: Dimension
    unit: str
    """Key of the unit that the task writes it in; empty for SI and for plain numbers."""
    low: float
    """[SI]"""
    step: float
    count: int

    def value(self, place: int) -> float:
        """One of its values [SI]; told by their decimal digits, so that 0.3 and two steps of 0.1 are 0.5."""
        return float(f"{self.low + place * self.step:.12g}")


def read_varied(root: Node, model: Model, diagnostics: Diagnostics) -> tuple[Vary, ...]:
    """The parameters that a task varies."""
    known = {parameter.name: parameter for parameter in model.parameters}
    found: dict[str, Vary] = {}
    for node in root.of("vary"):
        names = node.names("parameter")
        if not names:
            continue
        parameter = known.get(names[0])
        if parameter is None:
            diagnostics.error(
                "unknown-name",
                node.at("parameter"),
                Text(f'the model has no parameter "{names[0]}"', f"в модели нет параметра «{names[0]}»"),
                expected=one_of(list(known)) if known else None,
                hint=word_hint(names[0], list(known)),
            )
            continue
        if names[0] in found:
            diagnostics.error("same-name", node.at("parameter"), Text("it is varied already", "он уже варьируется"))
        made = _vary(node, parameter, model, diagnostics)
        if made is not None:
            found[names[0]] = made
    return tuple(found.values())


def _vary(node: Node, parameter: Parameter, model: Model, diagnostics: Diagnostics) -> Vary | None:
    numbers = [_number(node, key, parameter, model, diagnostics) for key in ("from", "to", "step")]
    if any(number is None for number in numbers):
        return None
    low, high, step = (float(number) for number in numbers if number is not None)
    if not step > 0.0 or high < low:
        diagnostics.error(
            "out-of-range",
            node.at("step") if not step > 0.0 else node.at("to"),
            Text("this leaves no values", "так не остаётся значений"),
            expected=Text("from ≤ to, step > 0", "от ≤ до, шаг > 0"),
        )
        return None
    count = int((high - low) / step * (1 + 1e-12) + 1e-9) + 1
    if count > MOST:
        diagnostics.error(
            "too-many", node.at("step"), Text(f"{count} values are too many", f"{count} значений — слишком много")
        )
        return None
    unit = _unit(node)
    return Vary(name=parameter.name, dimension=parameter.dimension, unit=unit, low=low, step=step, count=count)


def _number(node: Node, key: str, parameter: Parameter, model: Model, diagnostics: Diagnostics) -> float | None:
    value = node.get(key)
    if not isinstance(value, tuple) or len(value) != 1:
        if isinstance(value, tuple):
            diagnostics.error("wrong-count", node.at(key), Text("one number is needed", "нужно одно число"))
        return None
    given = value[0]
    assert not isinstance(given, str)
    return _in_dimension(given, parameter, model, diagnostics)


def _in_dimension(given: Expression, parameter: Parameter, model: Model, diagnostics: Diagnostics) -> float | None:
    if not parameter.dimension.plain:
        from sistel.markup import Number

        if isinstance(given, Number) and given.unit is None and given.value:
            symbol = si_symbol(parameter.dimension)
            diagnostics.error(
                "no-unit",
                given.span,
                Text("the unit is missing", "нет единицы"),
                expected=Text(f"for example {given.literal} {symbol}", f"например {given.literal} {symbol}"),
            )
            return None
    return values_of(model, diagnostics).expression(given, parameter.dimension, "")


def _unit(node: Node) -> str:
    """The unit that is written behind the first number that has one."""
    from sistel.markup import Number

    for key in ("from", "to", "step"):
        value = node.get(key)
        if isinstance(value, tuple) and value and isinstance(value[0], Number) and value[0].unit:
            return value[0].unit
    return ""
