"""What users give, checked once at the door: shapes, finite numbers, times that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, one_of, refuse, word_hint

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


def locked(values: Array) -> Array:
    """The same numbers, that nobody can change any more."""
    own = np.array(values, dtype=float)
    own.setflags(write=False)
    return own


def numbers(values: ArrayLike, what: Text) -> Array:
    """An array of numbers, finite or not."""
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        refuse("bad-numbers", Text(f"{what.en}: these are no numbers", f"{what.ru}: это не числа"))


def finite(values: ArrayLike, what: Text) -> Array:
    """An array of finite numbers."""
    found = numbers(values, what)
    if not np.isfinite(found).all():
        message = Text(
            f"{what.en}: a number is infinite or no number", f"{what.ru}: есть бесконечность или не число (NaN)"
        )
        refuse("bad-numbers", message)
    return found


def vector(values: ArrayLike, what: Text, size: int | None = None) -> Array:
    """Finite numbers in a row; one number alone is a row of one, or as many as asked for."""
    found = finite(values, what)
    if found.ndim == 0:
        found = np.full(1 if size is None else size, float(found))
    if found.ndim != 1 or found.size == 0 or (size is not None and found.size != size):
        given = " × ".join(str(n) for n in found.shape)
        wanted = Text("some numbers in a row", "несколько чисел подряд")
        if size is not None:
            wanted = Text(f"{size} numbers", f"чисел: {size}")
        refuse("wrong-shape", Text(f"{what.en}: wrong shape {given}", f"{what.ru}: размер {given}"), expected=wanted)
    return found


def number(value: float, what: Text, *, positive: bool = False) -> float:
    """One finite number."""
    found = finite(value, what)
    if found.ndim != 0:
        refuse("wrong-shape", Text(f"{what.en}: one number is expected", f"{what.ru}: ожидается одно число"))
    if positive and not found > 0.0:
        refuse(
            "not-positive",
            Text(f"{what.en} must be above 0, not {found:g}", f"{what.ru}: нужно больше 0, а не {found:g}"),
        )
    return float(found)


def growing(values: ArrayLike, what: Text, *, least: int = 2) -> Array:
    """Times that grow."""
    times = vector(values, what)
    if times.size < least:
        message = Text(f"{what.en}: at least {least} are needed", f"{what.ru}: нужно хотя бы {least}")
        refuse("wrong-shape", message)
    steps = np.diff(times)
    if not (steps > 0.0).all():
        i = int(np.argmin(steps > 0.0))
        message = Text(
            f"{what.en} do not grow: {times[i + 1]:g} s comes after {times[i]:g} s",
            f"{what.ru} не возрастают: {times[i + 1]:g} с после {times[i]:g} с",
        )
        refuse("wrong-time", message)
    return times


def points(values: ArrayLike, what: Text, least: int = 1) -> Array:
    """Rows of coordinates, shape (m, n); a flat list is one coordinate at m places."""
    found = finite(values, what)
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2 or found.shape[0] < least or found.shape[1] < 1:
        given = " × ".join(str(n) for n in found.shape)
        wanted = Text(f"at least {least} rows of coordinates", f"строки координат, хотя бы {least}")
        refuse("wrong-shape", Text(f"{what.en}: wrong shape {given}", f"{what.ru}: размер {given}"), expected=wanted)
    return found


def names_of(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Names of the coordinates, q1, q2, … unless given."""
    if names is None:
        return tuple(f"q{i + 1}" for i in range(count))
    made = tuple(str(name) for name in ([names] if isinstance(names, str) else names))
    if len(made) != count or len(set(made)) != count or not all(name.strip() for name in made):
        message = Text(f"{count} different names are needed", f"нужно разных имён: {count}")
        refuse("wrong-names", message)
    return made


def choice(value: object, words: Sequence[str], what: Text) -> None:
    """One word out of some."""
    if value not in words:
        refuse(
            "unknown-word",
            Text(f'{what.en}: there is no "{value}"', f"{what.ru}: нет «{value}»"),
            expected=one_of(list(words)),
            hint=word_hint(str(value), words),
        )
