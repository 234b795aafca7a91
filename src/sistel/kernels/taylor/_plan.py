"""What there is to compute: which lines of a program move along the solution, and the sums of products they need.

The coefficient of order k of a product is a_0 b_k + a_k b_0 and, between, the inner sum a_1 b_(k-1) + … + a_(k-1) b_1,
which needs lower orders alone. All recurrences have this form: what is new at order k enters linearly, with factors
that are the same at every order, and everything else is in inner sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sistel.expr import ARITY, Op
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.expr import Program

FLAT: Final = frozenset({Op.CONSTANT, Op.LESS, Op.LESS_EQUAL, Op.EQUAL, Op.AND, Op.OR, Op.NOT, Op.FLOOR})
"""Operations whose value does not move along the solution."""


class Inner(NamedTuple):
    """An inner sum of two series; in a weighted one the coefficient j of the first counts j times."""

    first: int
    second: int
    weighted: bool

    @property
    def square(self) -> bool:
        """Whether half of the products are equal to the other half."""
        return self.first == self.second and not self.weighted


@entry
class Plan:
    """A program as series. A series is a line, or an auxiliary one with a number past those of the lines."""

    program: Program
    size: int
    """Components of the state."""
    state: int
    """Number of the input block of the state."""
    held: frozenset[int]
    """Components of the state that stay as they are."""
    moving: tuple[bool, ...]
    """Of every line: whether it depends on the state smoothly, so that it has coefficients beyond order 0."""
    parameters: int
    carried: tuple[int, ...]
    """Lines whose coefficients beyond order 0 are needed, in order."""
    last: frozenset[int]
    """Those of them that are needed at the highest order too: of functions along the solution, not of rates."""
    pairs: dict[int, tuple[int, int]]
    """Series of the sine and cosine, by the line of the angle."""
    norms: dict[int, int]
    """Series of x² + y², by the line of atan2(y, x)."""
    inner: tuple[Inner, ...]
    """All inner sums, each once."""
    place: dict[Inner, int]
    """Where an inner sum stands in that list."""

    @property
    def rates(self) -> tuple[int, ...]:
        """Lines of the right-hand side."""
        return self.program.results[: self.size]

    @property
    def functions(self) -> tuple[int, ...]:
        """Lines of the functions along the solution."""
        return self.program.results[self.size :]


def operands(program: Program, line: int) -> tuple[int, ...]:
    """The lines that a line needs."""
    both = (program.first[line], program.second[line], program.third[line])
    return both[: ARITY[program.operation[line]]]


def plan_of(program: Program) -> Plan:
    """Look through a program with inputs "y" and perhaps "p", whose first output block is the rate of "y"."""
    names = [name for name, _ in program.inputs]
    state = names.index("y")
    size = program.inputs[state][1]
    held = _held(program, size)
    moving = _moving(program, state, held)
    # Rates are needed up to the order before the last.
    functions = _needed(program, moving, program.results[size:])
    carried = sorted(functions | _needed(program, moving, program.results))
    pairs: dict[int, tuple[int, int]] = {}
    norms: dict[int, int] = {}
    place: dict[Inner, int] = {}
    fresh = len(program)
    at = {(program.operation[i], program.first[i]): i for i in carried if program.operation[i] in (Op.SIN, Op.COS)}
    for i in carried:
        op = program.operation[i]
        if op in (Op.SIN, Op.COS) and program.first[i] not in pairs:
            found = [at.get((each, program.first[i]), fresh) for each in (Op.SIN, Op.COS)]
            fresh += fresh in found
            pairs[program.first[i]] = (found[0], found[1])
        if op == Op.ATAN2:
            norms[i] = fresh
            fresh += 1
        for each in _inner(program, moving, i, pairs, norms):
            place.setdefault(each, len(place))
    return Plan(
        program=program,
        size=size,
        parameters=dict(program.inputs).get("p", 0),
        state=state,
        held=held,
        moving=tuple(moving),
        carried=tuple(carried),
        last=frozenset(functions),
        pairs=pairs,
        norms=norms,
        inner=tuple(place),
        place=place,
    )


def _held(program: Program, size: int) -> frozenset[int]:
    """Components of the state whose rate is nothing: what is held between ticks is constant along the solution."""
    rates = enumerate(program.results[:size])
    return frozenset(i for i, line in rates if program.operation[line] == Op.CONSTANT and program.number[line] == 0.0)


def _moving(program: Program, state: int, held: frozenset[int]) -> list[bool]:
    moving: list[bool] = []
    for i, op in enumerate(program.operation):
        if op == Op.INPUT:
            moving.append(program.first[i] == state and program.second[i] not in held)
        else:
            below = operands(program, i)
            smooth = below[1:] if op == Op.SELECT else below
            moving.append(op not in FLAT and any(moving[j] for j in smooth))
    return moving


def _needed(program: Program, moving: list[bool], results: tuple[int, ...]) -> set[int]:
    """Moving lines that some lines depend on smoothly."""
    needed: set[int] = set()
    stack = [i for i in results if moving[i]]
    while stack:
        i = stack.pop()
        if i not in needed:
            needed.add(i)
            below = operands(program, i)
            stack.extend(j for j in (below[1:] if program.operation[i] == Op.SELECT else below) if moving[j])
    return needed


def _inner(
    program: Program, moving: list[bool], i: int, pairs: dict[int, tuple[int, int]], norms: dict[int, int]
) -> list[Inner]:
    """The inner sums that the recurrence of a line needs."""
    a, b = program.first[i], program.second[i]
    match program.operation[i]:
        case Op.MULTIPLY if moving[a] and moving[b]:
            return [Inner(a, b, False)]
        case Op.DIVIDE if moving[b]:
            return [Inner(b, i, False)]
        case Op.SQRT:
            return [Inner(i, i, False)]
        case Op.SIN | Op.COS:
            sine, cosine = pairs[a]
            return [Inner(a, cosine, True), Inner(a, sine, True)]
        case Op.EXP:
            return [Inner(a, i, True)]
        case Op.LOG:
            return [Inner(i, a, True)]
        case Op.ATAN2:
            found = [Inner(x, x, False) for x in (a, b) if moving[x]] + [Inner(i, norms[i], True)]
            return found + ([Inner(a, b, True), Inner(b, a, True)] if moving[a] and moving[b] else [])
        case _:
            return []
