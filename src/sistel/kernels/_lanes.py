"""Limb lanes: lines that do the same with different numbers, side by side in one vector.

The legs of a walking machine, or its two arms, are computed by the same operations; only inputs, constants and signs
differ. Such lines have the same *shape*: the operation and the shapes of its operands, with constants, places of inputs
and signs left out.

A mirrored limb differs in signs. Every pack therefore has its own sign in every lane, chosen so that most operations
need no correction; what remains is corrected by changing signs of an operand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from sistel.expr import Op
from sistel.kernels._sums import SUM, Line, Sums, Term
from sistel.records import entry

Tuple = tuple[int, ...]

Node = tuple[int, int]
"""A pack, and -1; or -1, and a line."""

PACKED: Final = frozenset({SUM, Op.MULTIPLY, Op.DIVIDE, Op.SQRT, Op.SIN, Op.COS})
"""Operations that are computed in lanes."""


@entry
class Pack:
    """Lines of one shape that are computed together."""

    lines: Tuple
    signs: Tuple
    """The vector holds the value of each line times this."""


@entry
class Packed:
    """Lines and packs of them.

    A line stands either alone among the steps or in one of the packs.
    """

    sums: Sums
    packs: tuple[Pack, ...]
    steps: tuple[Node, ...]
    """What to compute, in order."""
    plain: Sums
    """The same lines in the order of the program: what they compute, they compute to the last bit alike."""

    def work(self) -> int:
        """Operations; those of a pack count once."""
        firsts = (self.packs[pack].lines[0] if pack >= 0 else line for pack, line in self.steps)
        return sum(max(1, len(self.sums.lines[x].terms)) for x in firsts)


def columns_of(lines: Sequence[Line]) -> list[Tuple]:
    """The operands of lines of one shape, one a lane."""
    if lines[0].op != SUM:
        return [tuple(column) for column in zip(*(line.operands for line in lines), strict=True)]
    return [
        column
        for terms in zip(*(line.terms for line in lines), strict=True)
        for column in (tuple(t.a for t in terms), tuple(t.b for t in terms))
        if column[0] >= 0
    ]


def shapes_of(lines: Sequence[Line]) -> list[int]:
    """A number for every line, equal for lines of the same shape."""
    known: dict[tuple[object, ...], int] = {}
    shapes: list[int] = []
    for line in lines:
        if line.op == Op.INPUT:
            key: tuple[object, ...] = (line.op, line.operands[0])
        elif line.op == SUM:
            key = (SUM, *sorted(term_shape(term, shapes) for term in line.terms))
        elif line.op == Op.MULTIPLY:
            key = (line.op, *sorted(shapes[x] for x in line.operands))
        else:
            key = (line.op, *(shapes[x] for x in line.operands))
        shapes.append(known.setdefault(key, len(known)))
    return shapes


def term_shape(term: Term, shapes: Sequence[int]) -> tuple[int, int]:
    a, b = shapes[term.a], shapes[term.b] if term.b >= 0 else -1
    return (a, b) if a >= b else (b, a)


def signs_of(sums: Sums, packs: list[Tuple], order: list[int]) -> list[Tuple]:
    """The signs of every pack that leave the fewest corrections; the first lane keeps its sign."""
    signs: dict[Tuple, Tuple] = {}
    for index in order:
        lines = [sums.lines[x] for x in packs[index]]
        plain = (1,) * len(lines)
        if lines[0].op == SUM:
            votes = Counter(
                pattern
                for terms in zip(*(line.terms for line in lines), strict=True)
                if (pattern := term_pattern(sums, signs, terms)) is not None
            )
            found = max(votes, key=lambda pattern: (votes[pattern], pattern)) if votes else plain
        elif lines[0].op in (Op.MULTIPLY, Op.DIVIDE):
            a, b = (signs.get(tuple(line.operands[k] for line in lines), plain) for k in (0, 1))
            found = tuple(x * y for x, y in zip(a, b, strict=True))
        elif lines[0].op == Op.SIN:
            found = signs.get(tuple(line.operands[0] for line in lines), plain)
        else:
            found = plain
        signs[packs[index]] = tuple(x * found[0] for x in found)
    return [signs[pack] for pack in packs]


def term_pattern(sums: Sums, signs: dict[Tuple, Tuple], terms: Sequence[Term]) -> Tuple | None:
    """The signs of a term in the lanes of a sum, relative to the first; None where constants take any signs."""
    plain = (1,) * len(terms)
    columns = [tuple(t.a for t in terms), *([tuple(t.b for t in terms)] if terms[0].b >= 0 else [])]
    if any(all(sums.lines[x].op == Op.CONSTANT for x in column) for column in columns):
        return None
    pattern = [t.sign for t in terms]
    for column in columns:
        pattern = [x * y for x, y in zip(pattern, signs.get(column, plain), strict=True)]
    return tuple(x * pattern[0] for x in pattern)
