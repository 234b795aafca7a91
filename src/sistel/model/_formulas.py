"""Reads formulas: expressions of time, parameters and state, with their dimension checked against the attribute."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import MEASURES, Expression, Measure, Node, Number
from sistel.markup import Formula as FormulaKind
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker
from sistel.model._elements import Formula
from sistel.model._names import Names
from sistel.model.joints import CoordinateKind
from sistel.units import Dimension, dimension_name, si_symbol, spell_unit, unit_of


def formulas(
    node: Node,
    key: str,
    part: MountedFile,
    names: Names,
    diagnostics: Diagnostics,
    size: int,
    kinds: Sequence[CoordinateKind] = (),
) -> tuple[Formula, ...] | None:
    """The formulas of an attribute; `kinds` say what each belongs to where the attribute measures coordinates."""
    attribute = node.attributes.get(key)
    if attribute is None:
        return None
    kind = attribute.spec.kind
    assert isinstance(kind, FormulaKind) and isinstance(attribute.value, tuple)
    if len(attribute.value) != size:
        diagnostics.error(
            "wrong-count",
            attribute.span,
            Text(
                f"{len(attribute.value)} expressions where {size} are needed",
                f"выражений: {len(attribute.value)}, а нужно: {size}",
            ),
        )
        return None
    made = []
    for index, expression in enumerate(attribute.value):
        assert not isinstance(expression, str)
        if kind.measure is not None:
            dimension, unit = measure_unit(kind.measure, kinds[index])
        else:
            assert kind.dimension is not None
            dimension, unit = kind.dimension, kind.unit
        formula = one_formula(expression, dimension, unit, part, names, diagnostics)
        if formula is None:
            return None
        made.append(formula)
    return tuple(made)


def measure_unit(measure: Measure, kind: CoordinateKind) -> tuple[Dimension, str]:
    """Dimension and unit of a measure of a coordinate."""
    return MEASURES[measure][1 if kind == "turn" else 0]


def one_formula(
    expression: Expression, dimension: Dimension, unit: str, part: MountedFile, names: Names, diagnostics: Diagnostics
) -> Formula | None:
    """A formula of the given dimension; one that is a plain number is in `unit`."""
    typed = Checker(part.scope, diagnostics, names).number(expression)
    if typed is None or typed.dimension is None:
        return None
    if not typed.state:
        value = part.values.expression(expression, dimension, unit)
        return (
            None
            if value is None
            else Formula(expression=si_number(value, dimension, expression.span), dimension=dimension)
        )
    if typed.dimension.plain and not typed.zero:
        found = unit_of(unit) if unit else None
        scale = 1.0 if found is None else found.to_si(1.0)
        return Formula(expression=typed.expression, dimension=dimension, scale=scale)
    if not typed.zero and not typed.dimension.fits(dimension):
        diagnostics.error(
            "wrong-dimension",
            expression.span,
            Text(f"this is {dimension_name(typed.dimension)}", f"это {dimension_name(typed.dimension, 'ru')}"),
            expected=Text(
                f"{dimension_name(dimension)}, or a plain number in {unit}",
                f"{dimension_name(dimension, 'ru')} или просто число в {spell_unit(unit, 'ru')}",
            ),
        )
        return None
    return Formula(expression=typed.expression, dimension=dimension)


def si_number(value: float, dimension: Dimension, span: Span) -> Number:
    """A constant as an expression, with its SI unit."""
    unit = None if dimension.plain else si_symbol(dimension)
    return Number(value=value, dimension=dimension, unit=unit, literal=repr(value), span=span)
