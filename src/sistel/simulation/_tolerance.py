"""How exact a motion is to be: one number for all, or a pair for every quantity."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.errors import Text, did_you_mean, refuse
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model


Given = float | Mapping[str, float | Sequence[float]]
"""A relative error; or by the names of quantities, each with one number or a pair: relative, absolute."""

FINEST: Final = 2.0**-52
"""That of the numbers themselves."""
OTHERS: Final = "*"
"""Stands for all quantities that are not named."""


@entry
class Tolerance:
    """How exact every component of a state is to be."""

    given: Given
    """As it was asked for, in plain numbers."""
    finest: float
    """The smallest relative error: it decides the order of series."""
    weights: Array | None
    """Of every component but the time: what its size and 1 count, in parts of `finest`, shape (n, 2).

    An error is measured against max(relative · |y|, absolute) / finest. None where all of them are 1.
    """

    @property
    def key(self) -> object:
        """Equal for equal tolerances."""
        if isinstance(self.given, float):
            return self.given
        return tuple(sorted((name, tuple(_pair(value))) for name, value in self.given.items()))


def read_tolerance(model: Model, given: Given) -> Tolerance:
    """What was asked for, checked.

    Args:
        model: The system.
        given: A number; or a mapping from names to a number or a pair (relative, absolute). A name is that of a
            coordinate ("hip.x"), of a velocity ("hip.x.rate"), of a body (all its coordinates and velocities), "q", "v"
            or "*" for what is not named otherwise; the more a name says, the more it counts. One number counts as both,
            for a size of 1 in SI; what is not given is as exact as numbers are.

    Raises:
        SistelError: A name means nothing, or a number is none.
    """
    if not isinstance(given, Mapping):
        number = _positive("tolerance", given, 1.0)
        return Tolerance(number, number, None)
    pairs = {name: _pair(value) for name, value in given.items()}
    for name, (relative, absolute) in pairs.items():
        _positive(name, relative, 1.0)
        _positive(name, absolute, math.inf)
    components = list(_components(model))
    known = {word for words in components for word in words}
    for name in pairs:
        if name not in known:
            guess = did_you_mean(name, sorted(known))
            _refuse(
                Text(
                    f'tolerance: no coordinate, velocity or body is called "{name}"',
                    f"tolerance: нет координаты, скорости или тела «{name}»",
                ),
                guess,
            )
    chosen = [next((pairs[word] for word in words if word in pairs), (FINEST, FINEST)) for words in components]
    finest = max(FINEST, min(relative for relative, _ in chosen))
    plain = {name: list(pair) for name, pair in pairs.items()}
    return Tolerance(plain, finest, np.array(chosen) / finest)


def _components(model: Model) -> Iterator[tuple[str, ...]]:
    """The names of every component of a state but the time, the most exact first."""
    for kind in ("q", "v"):
        for body in model.bodies:
            for name, _ in body.joint.type.coordinates if kind == "q" else body.joint.type.rates:
                own = f"{body.name}.{name}" if name else body.name
                yield (own, body.name, kind, OTHERS) if kind == "q" else (f"{own}.rate", body.name, kind, OTHERS)


def _pair(value: float | Sequence[float]) -> tuple[float, float]:
    try:
        numbers = [float(x) for x in value] if isinstance(value, Sequence) else [float(value)] * 2
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 2:
        _refuse(
            Text(
                f"tolerance: {value!r} is neither a number nor a pair (relative, absolute)",
                f"tolerance: {value!r} — не число и не пара (относительная, абсолютная)",
            )
        )
    return numbers[0], numbers[1]


def _positive(name: str, value: float, below: float) -> float:
    number = float(value)
    if not 0.0 < number < below:
        bound = "" if below == math.inf else f" < {below:g}"
        _refuse(
            Text(
                f"{name}: a tolerance is a number x with 0 < x{bound}, not {number:g}",
                f"{name}: точность — число x, 0 < x{bound}, а не {number:g}",
            )
        )
    return number


def _refuse(message: Text, expected: Text | None = None) -> NoReturn:
    refuse("bad-tolerance", message, expected=expected)
