"""What people ask of a model after it was built: other values of its parameters, and expressions of its quantities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from sistel.errors import Diagnostics, Fragment, Source, Span, Text, did_you_mean, one_of
from sistel.markup import Expression, parse_expression
from sistel.model._check import Checker, Typed, constant
from sistel.model._elements import Parameter
from sistel.model._model import Model
from sistel.model._names import Names, Slot
from sistel.model._scope import Scope
from sistel.model._values import Values
from sistel.units import Dimension, dimension_name, si_symbol


def parameter_values(model: Model, values: Mapping[str, float | str]) -> dict[str, float]:
    """Values of parameters by their full names [SI]: numbers are in SI, texts may carry units and other parameters.

    Raises:
        SistelError: With everything that is wrong: unknown names, no numbers, other dimensions.
    """
    diagnostics = Diagnostics()
    known = {parameter.name: parameter for parameter in model.parameters}
    found: dict[str, float] = {}
    for name, given in values.items():
        parameter = known.get(name)
        if parameter is None:
            diagnostics.error(
                "unknown-name",
                None,
                Text(f'there is no parameter "{name}"', f"нет параметра «{name}»"),
                expected=one_of(list(known))
                if known
                else Text("the file declares no parameters", "в файле нет параметров"),
                hint=did_you_mean(name, known),
            )
            continue
        if isinstance(given, str):
            value = read_value(name, given, parameter.dimension, known, diagnostics)
        else:
            value = _number(name, given, diagnostics)
        if value is not None:
            found[name] = value
    diagnostics.raise_if_failed()
    return found


def check_limits(model: Model, names: Iterable[str]) -> None:
    """Refuse parameters that are outside the limits that the file gives them."""
    diagnostics = Diagnostics()
    chosen = set(names)
    for parameter in model.parameters:
        low = -math.inf if parameter.minimum is None else parameter.minimum
        high = math.inf if parameter.maximum is None else parameter.maximum
        if parameter.name in chosen and not low <= parameter.value <= high:
            en, ru = (_unit(parameter.dimension, lang) for lang in ("en", "ru"))
            diagnostics.error(
                "beyond-limits",
                parameter.span,
                Text(
                    f'{parameter.value:g}{en} is beyond the limits of parameter "{parameter.name}"',
                    f"{parameter.value:g}{ru} — вне пределов параметра «{parameter.name}»",
                ),
                expected=Text(f"{low:g} to {high:g}{en}", f"от {low:g} до {high:g}{ru}"),
            )
    diagnostics.raise_if_failed()


def read_value(
    name: str, text: str, dimension: Dimension, known: Mapping[str, Parameter], diagnostics: Diagnostics
) -> float | None:
    """A number that somebody wrote, in SI unless it has a unit; `name` stands for its file in messages."""
    scope = Scope("", dict(known))
    expression = _expression(name, text, diagnostics)
    found = None if expression is None else constant(expression, scope, diagnostics)
    if found is None or expression is None:
        return None
    value, given, plain = found
    if not plain and not given.fits(dimension):
        en, ru = (_unit(dimension, lang) for lang in ("en", "ru"))
        diagnostics.error(
            "wrong-dimension",
            expression.span,
            Text(f"this is {dimension_name(given)}", f"это {dimension_name(given, 'ru')}"),
            expected=Text(dimension_name(dimension), dimension_name(dimension, "ru")),
            hint=Text(f"a number without a unit is in{en}", f"число без единицы — в{ru}") if en else None,
        )
        return None
    return _number(name, value, diagnostics, expression.span)


def read_quantity(model: Model, text: str) -> Typed:
    """An expression of the time, the parameters and the quantities of a system, checked.

    Raises:
        SistelError: It is none.
    """
    diagnostics = Diagnostics()
    expression = _expression("<expression>", text, diagnostics)
    typed = None
    if expression is not None:
        typed = checker_of(model, diagnostics).check(expression)
    diagnostics.raise_if_failed()
    assert typed is not None
    return typed


def checker_of(model: Model, diagnostics: Diagnostics) -> Checker:
    """What checks expressions that others ask of a model: its parameters and its things have their names."""
    return Checker(_scope(model), diagnostics, _names(model, diagnostics))


def values_of(model: Model, diagnostics: Diagnostics) -> Values:
    """What reads the numbers of nodes that others write about a model; they may use its parameters."""
    return Values(_scope(model), diagnostics, model.planar)


def _scope(model: Model) -> Scope:
    return Scope("", {parameter.name: parameter for parameter in model.parameters})


def _names(model: Model, diagnostics: Diagnostics) -> Names:
    """The names that the things of a model have."""
    names = Names(diagnostics)
    for body in model.bodies:
        names.tables["body"][body.name] = body.span
        names.slots[body.name] = Slot(body.name, body.joint.type, body.first_q, body.first_v)
        if body.joint.name != body.name:
            names.tables["joint"][body.joint.name] = body.span
            names.joint_bodies[body.joint.name] = body.name
    for kind, things in (
        ("point", model.points),
        ("frame", model.frames),
        ("closure", model.closures),
        ("contact", model.contacts),
        ("blade", model.blades),
        ("lock", model.locks),
        ("coupling", model.couplings),
        ("drive", model.drives),
        ("spring", model.springs),
        ("motor", model.motors),
        ("structure", model.structures),
        ("counter", model.counters),
    ):
        for thing in things:
            names.tables[kind][thing.name] = thing.span or model.span
    names.tables["shape"] |= {shape.name: shape.span for shape in model.shapes if shape.name}
    for contact in model.contacts:
        if contact.pair is not None and contact.pair.name not in names.tables["contact"]:
            names.tables["pair"][contact.pair.name] = contact.span
    for track in model.tracks:
        names.tables["track"][track.name] = track.span
        for index in range(0 if track.widening else len(track.patches)):
            names.tables["patch"][track.patch_name(index)] = track.span
    for scheme in model.schemes:
        names.tables["scheme"][scheme.name] = scheme.span
        for signal in scheme.held:
            names.tables["signal"][signal.name] = signal.span
            names.signals[signal.name] = signal.dimension, signal.truth
        for given in scheme.inputs:
            names.tables["signal"][given.name] = given.span
            names.signals[given.name] = given.dimension, given.truth
        names.vectors |= dict(scheme.vectors)
    for motor in model.motors:
        names.motor_kinds[motor.name] = model.bodies[motor.body - 1].joint.type.rates[motor.coordinate][1]
    for drive in model.drives:
        place = drive.coupling.driven
        (body,) = (each for each in model.bodies if 0 <= place - each.first_q < each.joint.type.nq)
        names.motor_kinds[drive.name] = body.joint.type.rates[place - body.first_q][1]
    return names


def _expression(name: str, text: str, diagnostics: Diagnostics) -> Expression | None:
    return parse_expression(Fragment(text, Source(name, text), 0), diagnostics)


def _number(name: str, value: float, diagnostics: Diagnostics, span: Span | None = None) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    diagnostics.error(
        "not-finite",
        span,
        Text(f'the value of "{name}" is not a finite number', f"значение «{name}» — не конечное число"),
    )
    return None


def _unit(dimension: Dimension, lang: str) -> str:
    return "" if dimension.plain else f" {si_symbol(dimension, lang)}"
