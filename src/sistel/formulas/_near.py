"""The model near by: with slightly other values of its parameters, on which formulas are checked."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.model import Lettered, Model, Parameter

_STEP = 1e-3


def perturbed(lettered: Lettered, kept: Sequence[Parameter]) -> tuple[Model, list[float]] | None:
    """The model with slightly other values of its parameters, and the values of those that are kept as letters.

    None where the description allows no others.
    """
    names = {parameter.name for parameter in kept}
    places = [
        place
        for place, parameter in enumerate(lettered.parameters)
        if place not in lettered.definitions and parameter.name in names
    ]
    for direction in (1.0, -1.0):
        changes = {}
        for place in places:
            parameter = lettered.parameters[place]
            value = float(parameter.value)
            # Steps differ, or a change in one parameter could hide that in another.
            changes[parameter.name] = value + direction * _STEP * (1 + place % 7 / 10) * (abs(value) or 1.0)
        try:
            values = lettered.values_with(changes)
            model = lettered.near(values)
            if model is not None:
                every = zip(lettered.parameters, values, strict=True)
                return model, [value for parameter, value in every if parameter.name in names]
        except (ArithmeticError, ValueError):
            continue
    return None
