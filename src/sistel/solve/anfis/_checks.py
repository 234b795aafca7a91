"""What is asked of arguments, and the words for those that cannot be used."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsFloat

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels import as_reals

if TYPE_CHECKING:
    from sistel.arrays import Array


def as_numbers(values: object, name: str) -> Array:
    """Finite numbers of any shape."""
    numbers = as_reals(name, values)
    if not np.isfinite(numbers).all():
        refuse("bad-array", Text(f"{name}: not all numbers are finite", f"{name}: не все числа конечны"))
    return numbers


def as_table(values: object, name: str, columns: int | None = None) -> Array:
    """Rows of finite numbers, shape (count, columns), at least one row."""
    numbers = as_numbers(values, name)
    if numbers.ndim == 1:
        numbers = numbers[:, None]
    if numbers.ndim != 2 or not numbers.size or (columns is not None and numbers.shape[1] != columns):
        shape = f"(count, {'columns' if columns is None else columns})"
        refuse(
            "bad-array",
            Text(f"{name} has the shape {numbers.shape}", f"{name} имеет форму {numbers.shape}"),
            expected=Text(f"shape {shape}, at least one row", f"форма {shape}, хотя бы одна строка"),
        )
    return numbers


def as_count(value: object, name: str, least: int = 1, most: int = 1_000_000) -> int:
    """A whole number within limits."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not least <= value <= most:
        refuse(
            "bad-number",
            Text(f"{name} = {value!r} cannot be used", f"{name} = {value!r}: так нельзя"),
            expected=Text(f"a whole number from {least} to {most}", f"целое число от {least} до {most}"),
        )
    return int(value)


def as_positive(value: object, name: str, *, zero: bool = False) -> float:
    """A finite number above zero, or not below it."""
    good = isinstance(value, int | float | np.floating | np.integer) and not isinstance(value, bool)
    number = float(value) if isinstance(value, SupportsFloat) and good else math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        least = Text("not below 0", "не меньше 0") if zero else Text("above 0", "больше 0")
        refuse(
            "bad-number",
            Text(f"{name} = {value!r} cannot be used", f"{name} = {value!r}: так нельзя"),
            expected=Text(f"a finite number {least.en}", f"конечное число {least.ru}"),
        )
    return number


def one_of(value: object, name: str, known: tuple[str, ...]) -> None:
    """Refuse a word that is not among the known ones."""
    if value not in known:
        refuse(
            "bad-word",
            Text(f"{name} = {value!r} is unknown", f"{name} = {value!r}: неизвестно"),
            expected=Text(" or ".join(f'"{word}"' for word in known), " или ".join(f"«{word}»" for word in known)),
        )
