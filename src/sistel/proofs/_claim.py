"""Claims: what a line of the sheet says before anything is computed, and what computing brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sistel.errors import SistelError, Text
from sistel.proofs._sheet import Proof
from sistel.records import entry, record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

S = TypeVar("S")

DIVISION = Text(
    "cannot be computed: something that should not be zero is",
    "не вычисляется: равно нулю то, что не должно",
)


@entry
class Finding:
    """What comparing two ways brought."""

    error: float
    tolerance: float
    rule: str
    states: int
    least: bool = False
    ways: tuple[Text, Text] | None = None
    """In place of those of the claim, where they depend on the system."""
    note: Text | None = None


class Farthest:
    """Of several comparisons, each with its own bound: the one that comes nearest to its bound, or beyond."""

    def __init__(self) -> None:
        self.error, self.bound = 0.0, 0.0

    def take(self, error: float, bound: float) -> None:
        """Look at one of them; numbers that are none are infinitely far apart."""
        error = error if np.isfinite(error) and np.isfinite(bound) else np.inf
        if not self.bound or not error * self.bound <= self.error * bound:
            self.error, self.bound = error, bound


@entry
class Skip:
    """There is nothing to compare."""

    reason: Text


@record
class Claim(Generic[S]):
    """A line of the sheet. To prove more, write a function of the subject, decorate it with `claim` and list it."""

    key: str
    what: Text
    ways: tuple[Text, Text]
    find: Callable[[S], Finding | Skip | None]
    """None where the claim says nothing about the system, so that it needs no line."""

    def prove(self, subject: S) -> Proof | None:
        """Compare; what cannot be computed does not hold."""
        try:
            with np.errstate(all="ignore"):  # numbers that are none fail by themselves
                found = self.find(subject)
        except SistelError as problem:
            found = Finding(float("nan"), 0.0, "", 0, note=problem.diagnostics[0].message)
        except (ArithmeticError, np.linalg.LinAlgError):
            found = Finding(float("nan"), 0.0, "", 0, note=DIVISION)
        if found is None:
            return None
        if isinstance(found, Skip):
            return Proof(key=self.key, what=self.what, ways=self.ways, skipped=found.reason)
        return self._proof(found)

    def _proof(self, found: Finding) -> Proof:
        return Proof(
            key=self.key,
            what=self.what,
            ways=found.ways or self.ways,
            error=found.error,
            tolerance=found.tolerance,
            rule=found.rule,
            least=found.least,
            states=found.states,
            note=found.note,
        )


def claim(
    key: str,
    what: Text | str,
    one_way: Text | str,
    other_way: Text | str,
    *,
    about: Callable[[S], bool] | None = None,
    unless: Sequence[Callable[[S], Skip | None]] = (),
) -> Callable[[Callable[[S], Finding | Skip | None]], Claim[S]]:
    """Makes the function that compares two ways the line of the sheet that says so.

    Texts are written ``"momentum | количество движения"``, once where both languages say it alike.

    Args:
        key: Of the line.
        what: What is computed in two ways.
        one_way: The first.
        other_way: The second.
        about: Whether it says anything about a subject, so that it has a line at all.
        unless: What may keep the claim from being looked at, in this order.
    """

    def named(find: Callable[[S], Finding | Skip | None]) -> Claim[S]:
        def looked_at(subject: S) -> Finding | Skip | None:
            if about is not None and not about(subject):
                return None
            skips = (why(subject) for why in unless)
            return next((skip for skip in skips if skip is not None), None) or find(subject)

        return Claim(key=key, what=_text(what), ways=(_text(one_way), _text(other_way)), find=looked_at)

    return named


def _text(said: Text | str) -> Text:
    if isinstance(said, Text):
        return said
    en, _, ru = said.partition(" | ")
    return Text(en, ru or en)


def apart(first: ArrayLike, second: ArrayLike, units: ArrayLike) -> float:
    """Largest difference of two arrays in natural units, relative to the largest number where that exceeds one unit.

    Numbers that are not finite are infinitely far apart.
    """
    one, other = np.asarray(first, dtype=float) / units, np.asarray(second, dtype=float) / units
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return float("inf")
    size = max(1.0, float(np.abs(one).max(initial=0.0)), float(np.abs(other).max(initial=0.0)))
    return float(np.abs(one - other).max(initial=0.0)) / size
