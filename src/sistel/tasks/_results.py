"""What solving gives: answers, tables, and how each was checked in a second way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Span, Text
from sistel.records import record
from sistel.units import PLAIN, Dimension

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model

Cell = float | Text
"""A number in SI, of the dimension of its column, or words."""


@record
class Answer:
    """One wanted number."""

    label: Text
    """What it is, as the task says it."""
    value: float
    """[SI]"""
    dimension: Dimension
    remark: Text | None = None
    """When it is so, or in which branch."""


@record
class Head:
    """A column of a table."""

    label: Text
    dimension: Dimension = PLAIN


@record
class Grid:
    """A table of numbers."""

    title: Text
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]


@record
class Curve:
    """A quantity over time."""

    label: Text
    dimension: Dimension
    t: Array
    """[s]"""
    values: Array
    """[SI]"""


@record
class Check:
    """A result that was computed in two ways."""

    what: Text
    error: float
    """The largest difference, as a part of the size of the result, which counts at least as 1 [SI]."""
    bound: float
    """Up to which both ways agree."""

    @property
    def good(self) -> bool:
        """Whether both agree."""
        return self.error <= self.bound


@record
class Solved:
    """The solution of one problem of a task."""

    kind: str
    """Key of the element: kinematics, statics, …"""
    title: Text
    answers: tuple[Answer, ...] = ()
    grids: tuple[Grid, ...] = ()
    curves: tuple[Curve, ...] = ()
    checks: tuple[Check, ...] = ()
    notes: tuple[Text, ...] = ()
    """What a user must know."""
    postures: tuple[tuple[float, ...], ...] = ()
    """Coordinates that are worth a picture [m or rad]."""
    drawn: Model | None = None
    """The model of the pictures, with what the problem adds to it."""
    failed: Text | None = None
    """Why there is no solution."""
    span: Span

    @property
    def good(self) -> bool:
        """Whether it was solved, and every check agrees."""
        return self.failed is None and all(check.good for check in self.checks)


@record
class Result:
    """A task that was solved."""

    name: str
    about: str
    question: str
    """The text for a sheet, its braces not filled."""
    model: str
    """The file of the model."""
    system: str
    """Its name."""
    problems: tuple[Solved, ...]

    @property
    def good(self) -> bool:
        """Whether everything was solved, and every check agrees."""
        return all(problem.good for problem in self.problems)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Of all problems."""
        return tuple(answer for problem in self.problems for answer in problem.answers)


def difference(first: Array, second: Array) -> float:
    """The largest difference of two results, as a part of the size of the first, which counts at least as 1 [SI]."""
    import numpy as np

    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if not a.size:
        return 0.0
    size = max(1.0, float(np.abs(a).max()))
    worst = float(np.abs(a - b).max()) / size
    return worst if np.isfinite(worst) else float("inf")
