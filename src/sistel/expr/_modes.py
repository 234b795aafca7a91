"""Programs whose comparisons are decided from outside: smooth between the moments at which a comparison changes.

An integrator of high order wants a smooth right-hand side. Here every comparison becomes a *mode*, an input that says
which side holds, and what is compared goes out as a *switch function*, whose zero is where the mode may change. A
driver freezes the modes during a step, looks for zeros of the switch functions, and asks for the modes anew there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from sistel.expr import _functions as f
from sistel.expr._graph import Expr, Graph, Scalar, index_in
from sistel.expr._operation import Op
from sistel.expr._program import Program
from sistel.expr._replay import _APPLY
from sistel.records import record

SWITCHES: Final = "switches"
MODES: Final = "modes"

Kind = Literal["less", "less_equal", "equal", "not_zero", "floor", "floor_above"]
"""The mode holds where the switch function is below zero, not above it, zero, or not zero; a floor lies between two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A switch function."""

    mode: int
    """The mode that it decides: a place among the modes."""
    kind: Kind


@record
class Modes:
    """A program with frozen modes, and where they come from.

    Attributes:
        program: The block "p" of its inputs is that of the whole with the modes after it; the block "switches" follows
            the outputs of the whole.
        initial: From the inputs of the whole to the block "modes": the comparisons as they hold at a point.
        first: Where in "p" the modes begin.
        count: How many they are.
        switches: One for every number of the block "switches".
    """

    program: Program
    initial: Program
    first: int
    count: int
    switches: tuple[Switch, ...]


def split_modes(whole: Program, *, block: str = "p") -> Modes:
    """Take comparisons out of a program.

    A comparison is LESS, LESS_EQUAL or EQUAL; MINIMUM, MAXIMUM and ABSOLUTE, which are choices; FLOOR, whose mode is
    its value and which has two switch functions, one for either neighbour; and a number used as a truth value.
    What depends on the block of parameters alone does not change along a solution and stays as it is.

    Args:
        whole: The program.
        block: The block of inputs that do not change along a solution; made where there is none.
    """
    return _Splitter(whole, block).split()


class _Splitter:
    def __init__(self, whole: Program, block: str) -> None:
        self.whole = whole
        self.block = block
        self.sizes = dict(whole.inputs)
        self.first = self.sizes.get(block, 0)
        count = sum(_comparisons(whole))
        self.graph = Graph()
        self.inputs = {
            name: self.graph.inputs(name, size + (count if name == block else 0)) for name, size in whole.inputs
        }
        if block not in self.inputs:
            self.inputs[block] = self.graph.inputs(block, count)
        self.values: list[Scalar] = []
        self.frozen = _frozen(whole, block)
        self.known: dict[tuple[object, ...], int] = {}
        self.switches: list[Switch] = []
        self.functions: list[Scalar] = []
        # The whole as it is, for what the modes are at a point.
        self.plain = Graph()
        self.plain_inputs = [self.plain.inputs(name, size) for name, size in whole.inputs]
        self.plain_values: list[Scalar] = []
        """Of the lines that decide a comparison; 0 for others."""
        self.deciding = _deciding(whole, self.frozen)
        self.initial: list[Expr] = []

    def split(self) -> Modes:
        whole, deciding, values, plain = self.whole, self.deciding, self.values, self.plain_values
        for i, (op, a, b, c, number) in enumerate(whole.lines()):
            if op == Op.CONSTANT:
                self._append(number, number)
            elif op == Op.INPUT:
                self._append(self.inputs[whole.inputs[a][0]][b], self.plain_inputs[a][b])
            elif op in _MODES:
                self._line(op, [x for x in (a, b, c) if x >= 0], deciding[i])
            else:  # arithmetic, of one number or of two
                apply = _APPLY[op]
                if b < 0:
                    self._append(apply(values[a]), apply(plain[a]) if deciding[i] else 0.0)
                else:
                    self._append(apply(values[a], values[b]), apply(plain[a], plain[b]) if deciding[i] else 0.0)
        results = iter(whole.results)
        outputs = {name: [self.values[next(results)] for _ in range(size)] for name, size in whole.outputs}
        smooth = self.graph.program({**outputs, SWITCHES: self.functions})
        # Equal comparisons share a mode: the block may have become smaller than was foreseen.
        inputs = tuple(
            (name, self.first + len(self.initial) if name == self.block else size) for name, size in smooth.inputs
        )
        return Modes(
            program=replace(smooth, inputs=inputs),
            initial=self.plain.program({MODES: self.initial}),
            first=self.first,
            count=len(self.initial),
            switches=tuple(self.switches),
        )

    def _append(self, value: Scalar, plain: Scalar) -> None:
        self.values.append(value)
        self.plain_values.append(plain)

    def _line(self, op: int, operands: list[int], decides: bool) -> None:
        values, plains = [self.values[x] for x in operands], [self.plain_values[x] for x in operands]
        plain: Scalar = _APPLY[op](*plains) if decides else 0.0
        if all(self.frozen[x] for x in operands):
            self._append(_APPLY[op](*values), plain)
            return
        match op:
            case Op.LESS | Op.LESS_EQUAL | Op.EQUAL:
                kind: Kind = "less" if op == Op.LESS else "less_equal" if op == Op.LESS_EQUAL else "equal"
                self._append(self._mode(kind, values[0] - values[1], plain), plain)
            case Op.MINIMUM | Op.MAXIMUM:
                a, b = (1, 0) if op == Op.MINIMUM else (0, 1)
                mode = self._mode("less", values[a] - values[b], f.less(plains[a], plains[b]))
                self._append(f.select(mode, values[1], values[0]), plain)
            case Op.ABSOLUTE:
                mode = self._mode("less", values[0], f.less(plains[0], 0.0))
                self._append(f.select(mode, -values[0], values[0]), plain)
            case Op.FLOOR:
                self._append(self._floor(values[0], plain), plain)
            case Op.SELECT | Op.AND | Op.OR | Op.NOT:
                for place, x in enumerate(_truths(op, operands)):
                    if not self.frozen[x]:
                        values[place] = self._mode(
                            "not_zero", values[place], f.logical_not(f.equal(plains[place], 0.0))
                        )
                self._append(_APPLY[op](*values), plain)

    def _mode(self, kind: Kind, function: Scalar, truth: Scalar) -> Expr:
        key = kind, index_in(self.graph, function)
        if key not in self.known:
            self.known[key] = self._new(truth)
            self._switch(self.known[key], kind, function)
        return self.inputs[self.block][self.first + self.known[key]]

    def _floor(self, value: Scalar, floor: Scalar) -> Expr:
        key = "floor", index_in(self.graph, value)
        if key not in self.known:
            self.known[key] = mode = self._new(floor)
            below = self.inputs[self.block][self.first + mode]
            self._switch(mode, "floor", value - below)
            self._switch(mode, "floor_above", value - below - 1.0)
        return self.inputs[self.block][self.first + self.known[key]]

    def _new(self, initial: Scalar) -> int:
        self.initial.append(Expr(self.plain, index_in(self.plain, initial)))
        return len(self.initial) - 1

    def _switch(self, mode: int, kind: Kind, function: Scalar) -> None:
        self.switches.append(Switch(mode=mode, kind=kind))
        self.functions.append(function)


_SEVERAL: Final[dict[int, int]] = {int(Op.AND): 2, int(Op.OR): 2, int(Op.NOT): 1, int(Op.SELECT): 1}
_SINGLE: Final[tuple[Op, ...]] = (
    Op.LESS,
    Op.LESS_EQUAL,
    Op.EQUAL,
    Op.MINIMUM,
    Op.MAXIMUM,
    Op.ABSOLUTE,
    Op.FLOOR,
)
_MODES: Final[dict[int, int]] = _SEVERAL | dict.fromkeys(map(int, _SINGLE), 1)
"""At most so many modes does an operation have."""


def _comparisons(whole: Program) -> list[int]:
    """At most so many modes, line by line."""
    return [_MODES.get(op, 0) for op in whole.operation]


def _truths(op: int, operands: Sequence[int]) -> Sequence[int]:
    """The operands of logic that are used as truth values."""
    return operands[:1] if op == Op.SELECT else operands


def _frozen(whole: Program, block: str) -> list[bool]:
    """Whether a line depends on parameters and modes alone."""
    found: list[bool] = []
    seldom = [name == block for name, _ in whole.inputs]
    choices = {int(Op.MINIMUM), int(Op.MAXIMUM), int(Op.ABSOLUTE)}
    for op, a, b, c, _ in whole.lines():
        if op == Op.CONSTANT:
            found.append(True)
        elif op == Op.INPUT:
            found.append(seldom[a])
        elif op == Op.SELECT:
            found.append(found[b] and found[c])
        elif op in _MODES and op not in choices:
            found.append(True)
        else:
            found.append(found[a] and (b < 0 or found[b]))
    return found


def _deciding(whole: Program, frozen: Sequence[bool]) -> list[bool]:
    """Whether a line makes a mode, or such a line follows from it."""
    found = [False] * len(whole)
    for i in range(len(found) - 1, -1, -1):
        op = whole.operation[i]
        if op <= Op.INPUT:
            continue
        operands = [x for x in (whole.first[i], whole.second[i], whole.third[i]) if x >= 0]
        if op in _MODES and not found[i]:
            logic = op in _SEVERAL
            found[i] = not all(frozen[x] for x in (_truths(op, operands) if logic else operands))
        if found[i]:
            for x in operands:
                found[x] = True
    return found
