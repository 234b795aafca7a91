"""Whether what an archive holds can be a run: kinds, shapes and numbers, before anything is computed from them.

A checksum tells that a file is as it was written, not who wrote it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.plain import Json
    from sistel.simulation.run._bookmark import Book

ROUNDING = 1e-9
"""Of times, in parts of them and of 1 s."""


def check_arrays(size: int, last: AnyArray, parts: Sequence[tuple[AnyArray, AnyArray]], book: Book) -> None:
    """Refuse arrays that are no motion of a state of this size.

    Raises:
        ValueError: They are none.
    """
    sound = bool(last.shape == (size,) and last.dtype == float and np.isfinite(last).all())
    for times, coefficients in parts:
        count = len(times)
        sound = sound and count > 0 and times.shape == (count, 2) and coefficients.shape[:2] == (count, size)
        sound = sound and coefficients.ndim == 3 and coefficients.shape[2] > 1
        sound = sound and times.dtype == coefficients.dtype == float
        sound = sound and bool(np.isfinite(times).all() and np.isfinite(coefficients).all())
        sound = sound and bool((times[:, 1] >= 0.0).all()) and _follows(times[1:, 0], times[:-1])
    if sound and parts:
        # Steps follow each other, and the last one ends where the run does.
        begins = np.array([times[0, 0] for times, _ in parts[1:]] + [last[-1]])
        sound = _follows(begins, np.array([times[-1] for times, _ in parts]))
    for mark in book.marks:
        sound = sound and mark.y.shape == (size,) and mark.y.dtype == float and bool(np.isfinite(mark.y).all())
    if not sound:
        raise ValueError("the arrays do not fit the system")


def _tolerance(value: object) -> bool:
    """One number, or numbers or pairs of them by name."""
    if not isinstance(value, dict):
        return _number(value)
    return all(_number(each) or (isinstance(each, list) and all(map(_number, each))) for each in value.values())


def check_words(meta: Json) -> None:
    """Refuse words and numbers of another kind than those of a run.

    Raises:
        ValueError: They are of another kind.
    """
    sound = meta["longest"] is None or (_number(meta["longest"]) and meta["longest"] > 0.0)
    sound = sound and _tolerance(meta["tolerance"])
    name, step = meta.get("method", ("auto", None))
    sound = sound and isinstance(name, str) and (step is None or _number(step))
    sound = sound and (meta["stopped"] is None or all(isinstance(text, str) for text in meta["stopped"]))
    for event in meta["events"]:
        sound = sound and all(isinstance(event[key], str) for key in ("transition", "before", "after"))
        sound = sound and _number(event["time"]) and _number(event["energy_loss"])
        for impulse in event["impulses"].values():
            sound = sound and isinstance(impulse, list) and all(map(_number, impulse))
    if not sound:
        raise ValueError("the words do not fit a run")


def _follows(begins: AnyArray, before: AnyArray) -> bool:
    """Whether steps begin where those before them, rows of begin and length, end; but for rounding."""
    ends = before[:, 0] + before[:, 1]
    return bool((np.abs(begins - ends) <= ROUNDING * (1.0 + np.abs(ends))).all())


def _number(value: object) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) < 1e300 and math.isfinite(value)
