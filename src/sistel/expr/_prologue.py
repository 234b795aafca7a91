"""Programs with parameters, cut in two: what parameters alone determine is computed once for a set of their values."""

from __future__ import annotations

from collections.abc import Collection

from sistel.expr._graph import Expr, Graph
from sistel.expr._operation import ARITY
from sistel.expr._program import Program
from sistel.expr._program import program as program_of
from sistel.expr._rows import CALL, CONSTANT, INPUT, LIST

_WHOLE = frozenset((LIST, CALL))
"""Operations that stay in the main program: a list is no number that a vector could hold."""


def split_prologue(program: Program, names: Collection[str], *, hoisted: str = "hoisted") -> tuple[Program, Program]:
    """Take what depends on some blocks of inputs alone out of a program.

    Args:
        program: What to compute.
        names: The blocks of inputs that seldom change: parameters.
        hoisted: The name of the block that the two programs share.

    Returns:
        The prologue, from the named blocks to the block of hoisted values, and the main program, from the other blocks
        and the hoisted values, in this order, to the outputs of the whole. Together they do the same operations.
    """
    seldom = [name in names for name, _ in program.inputs]
    constant, early, late = range(3)
    stage: list[int] = []
    for op, a, b, c in zip(program.operation, program.first, program.second, program.third, strict=True):
        if op == CONSTANT:
            stage.append(constant)
        elif op == INPUT:
            stage.append(early if seldom[a] else late)
        elif op in _WHOLE:
            stage.append(late)
        else:
            stage.append(max(max(stage[line] for line in (a, b, c)[: ARITY[op]]), early))
    passed: dict[int, int] = {}
    for i, op in enumerate(program.operation):
        if stage[i] == late and op != INPUT:
            for line in (program.first[i], program.second[i], program.third[i])[: ARITY[op]]:
                if stage[line] == early:
                    passed.setdefault(line, len(passed))
    for line in program.results:
        if stage[line] == early:
            passed.setdefault(line, len(passed))
    blocks = list(enumerate(program.inputs))
    first = _Part(program, {i: place for place, (i, _) in enumerate(x for x in blocks if seldom[x[0]])})
    rest = _Part(program, {i: place for place, (i, _) in enumerate(x for x in blocks if not seldom[x[0]])})
    for line, place in passed.items():
        rest.line[line] = rest.append(INPUT, len(rest.blocks), place)
    for line in range(len(program)):
        if stage[line] == early:
            first.copy(line)
        elif stage[line] == late:
            rest.copy(line)
    after = tuple(block for i, block in blocks if not seldom[i])
    return (
        first.program(tuple(block for i, block in blocks if seldom[i]), ((hoisted, len(passed)),), tuple(passed)),
        rest.program((*after, (hoisted, len(passed))), program.outputs, program.results),
    )


class _Part:
    """Some lines of a program, numbered anew."""

    def __init__(self, whole: Program, blocks: dict[int, int]) -> None:
        self.whole = whole
        self.blocks = blocks
        self.rows: list[tuple[int, int, int, int, float]] = []
        self.line: dict[int, int] = {-1: -1}

    def append(self, op: int, a: int = -1, b: int = -1, c: int = -1, number: float = 0.0) -> int:
        self.rows.append((op, a, b, c, number))
        return len(self.rows) - 1

    def copy(self, i: int) -> None:
        whole = self.whole
        op, a, b, c = whole.operation[i], whole.first[i], whole.second[i], whole.third[i]
        if op == INPUT:
            self.line[i] = self.append(op, self.blocks[a], b)
        else:
            self.line[i] = self.append(op, self.at(a), self.at(b), self.at(c))

    def at(self, i: int) -> int:
        """The new number of a line; a constant is copied when it is first needed."""
        if i not in self.line:
            assert self.whole.operation[i] == CONSTANT
            self.line[i] = self.append(CONSTANT, number=self.whole.number[i])
        return self.line[i]

    def program(
        self, inputs: tuple[tuple[str, int], ...], outputs: tuple[tuple[str, int], ...], results: tuple[int, ...]
    ) -> Program:
        lines = tuple(self.at(i) for i in results)
        columns = list(zip(*self.rows, strict=True)) or [(), (), (), (), ()]
        operation, first, second, third, number = columns
        return Program(inputs, outputs, operation, first, second, third, number, lines)


class Prologue:
    """What parameters alone determine in any number of programs: one vector that all of them read, computed once.

    Programs may come one after another. The vector only grows, and equal values are in it once, so a program that was
    split before goes on reading its own first numbers of it.
    """

    def __init__(self, name: str, size: int) -> None:
        """Nothing is taken out yet.

        Args:
            name: The block of inputs that seldom change: parameters.
            size: How many there are.
        """
        self.name = name
        self.graph = Graph()
        self.graph.inputs(name, size)
        self._places: dict[int, int] = {}
        """The place of every value in the vector, by its row."""

    def __len__(self) -> int:
        return len(self._places)

    def split(self, program: Program, block: str) -> Program:
        """A program that reads the vector, as its last block of inputs, in place of the parameters.

        Args:
            program: What to compute.
            block: The name of the vector among the inputs.

        Returns:
            The rest of the program; the program itself where it has no such parameters.
        """
        if all(name != self.name for name, _ in program.inputs):
            return program
        own = next(i for i, (name, _) in enumerate(program.inputs) if name == self.name)
        rows: dict[int, int] = {-1: -1}
        """For every line that depends on parameters alone, or on nothing: its row here."""
        early: set[int] = set()
        for i, op in enumerate(program.operation):
            a, b, c = program.first[i], program.second[i], program.third[i]
            if op == CONSTANT:
                rows[i] = self.graph.value(program.number[i])
            elif op == INPUT:
                if a == own:
                    rows[i] = self.graph.row(INPUT, 0, b)
                    early.add(i)
            elif op not in _WHOLE and all(line in rows for line in (a, b, c)[: ARITY[op]]):
                rows[i] = self.graph.rebuild(
                    op, a if a < 0 else rows[a], b if b < 0 else rows[b], -1 if c < 0 else rows[c]
                )
                early.add(i)
        passed: dict[int, int] = {}
        used = [
            line
            for i, op in enumerate(program.operation)
            if i not in rows and op != INPUT
            for line in (program.first[i], program.second[i], program.third[i])[: ARITY[op]]
        ]
        for line in (*used, *program.results):
            if line in early and line not in passed:
                passed[line] = self._places.setdefault(rows[line], len(self._places))
        kept = [(i, given) for i, given in enumerate(program.inputs) if i != own]
        rest = _Part(program, {i: place for place, (i, _) in enumerate(kept)})
        for line, place in passed.items():
            rest.line[line] = rest.append(INPUT, len(kept), place)
        for i, op in enumerate(program.operation):
            if i not in rows and (op != INPUT or program.first[i] != own):
                rest.copy(i)
        inputs = (*(given for _, given in kept), (block, len(self._places)))
        return rest.program(inputs, program.outputs, program.results)

    def program(self) -> Program:
        """From the parameters to the vector as it is now, the block "hoisted"."""
        return program_of(self.graph, {"hoisted": [Expr(self.graph, row) for row in self._places]})
