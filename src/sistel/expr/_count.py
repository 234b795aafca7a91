"""Operation counts: what one evaluation costs, the machine left aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sistel.expr._operation import Op
from sistel.shown import NotebookShown


@dataclass(frozen=True, slots=True)
class Count(NotebookShown):
    """Numbers of operations; sign changes are free.

    Attributes:
        multiplications: Multiplications and divisions.
        additions: Additions and subtractions.
        sincos: Sines and cosines; both of one angle count once.
        roots: Square roots.
        other: Everything else: atan2, comparisons, logic, choices, …
        divisions: How many of the multiplications are divisions.
    """

    multiplications: int = 0
    additions: int = 0
    sincos: int = 0
    roots: int = 0
    other: int = 0
    divisions: int = 0

    @classmethod
    def of(cls, operation: Sequence[int], first: Sequence[int]) -> Count:
        """The count of a list of operations with their first operands."""
        found = Counter(operation)
        tally = [found[op] for op in range(len(Op))]
        turns = {int(Op.SIN), int(Op.COS)}  # plain numbers: members of an enumeration take five times as long
        angles = {a for op, a in zip(operation, first, strict=True) if op in turns}
        apart = (Op.CONSTANT, Op.INPUT, Op.NEGATE, Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.SIN, Op.COS, Op.SQRT)
        return cls(
            multiplications=tally[Op.MULTIPLY] + tally[Op.DIVIDE],
            additions=tally[Op.ADD] + tally[Op.SUBTRACT],
            sincos=len(angles),
            roots=tally[Op.SQRT],
            other=sum(n for op, n in enumerate(tally) if op not in apart),
            divisions=tally[Op.DIVIDE],
        )

    @property
    def weighted(self) -> float:
        """One number to compare formulations by, in additions: divisions and roots weigh 8, sincos 20, other 2."""
        return (
            self.multiplications
            + self.additions
            + 7 * self.divisions
            + 20 * self.sincos
            + 8 * self.roots
            + 2 * self.other
        )

    def __add__(self, more: Count) -> Count:
        return Count(
            self.multiplications + more.multiplications,
            self.additions + more.additions,
            self.sincos + more.sincos,
            self.roots + more.roots,
            self.other + more.other,
            self.divisions + more.divisions,
        )

    def __str__(self) -> str:
        parts = [f"{self.multiplications} ×", f"{self.additions} +", f"{self.sincos} sincos"]
        if self.roots:
            parts.append(f"{self.roots} √")
        if self.other:
            parts.append(f"{self.other} other")
        return ", ".join(parts)
