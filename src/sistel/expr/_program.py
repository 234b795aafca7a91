"""Programs: the live part of a graph, as a straight line of operations."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sistel.expr._count import Count
from sistel.expr._graph import Graph, Scalar, index_in
from sistel.expr._operation import ARITY, Op
from sistel.expr._routine import Routine, routine
from sistel.expr._rows import ADD, CONSTANT, DIVIDE, INPUT, MULTIPLY, NEGATE, SUBTRACT

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A straight line: the operations that the outputs need, operands before users, in the order they were made.

    Attributes:
        inputs: Name and size of every block of inputs, in the order they are passed.
        outputs: Name and size of every block of outputs.
        operation: The `Op` of every line.
        first: First operand of every line: the number of a line; the number of a block for an input; -1 when unused.
        second: Second operand; the place in the block for an input.
        third: Third operand.
        number: The value of a constant, 0.0 on other lines.
        results: The line of every output scalar, blocks one after the other.
    """

    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    operation: tuple[int, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    third: tuple[int, ...]
    number: tuple[float, ...]
    results: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.operation)

    def lines(self) -> Iterator[tuple[int, int, int, int, float]]:
        """Every line: its operation, three operands and its number."""
        return zip(self.operation, self.first, self.second, self.third, self.number, strict=True)

    def output_blocks(self, values: Sequence[T]) -> list[list[T]]:
        """The outputs, block by block, of the values of all lines."""
        results = iter(self.results)
        return [[values[next(results)] for _ in range(size)] for _, size in self.outputs]

    def count(self) -> Count:
        """How many operations one evaluation takes."""
        return Count.of(self.operation, self.first)

    def routines(self) -> tuple[Routine, ...]:
        """All routines that it calls, each once, by their keys."""
        calls = (i for i, op in enumerate(self.operation) if op == Op.CALL)
        return tuple(routine(key) for key in sorted({self.number[self.second[i]] for i in calls}))

    def fingerprint(self) -> str:
        """A digest of the content: equal for equal programs, on every machine."""
        digest = hashlib.sha256(b"sistel program 1\n")
        for blocks in (self.inputs, self.outputs):
            digest.update(repr(blocks).encode() + b"\n")
        n = len(self.operation)
        digest.update(struct.pack("<2q", n, len(self.results)))
        for column in (self.operation, self.first, self.second, self.third, self.results):
            digest.update(struct.pack(f"<{len(column)}q", *column))
        digest.update(struct.pack(f"<{n}d", *self.number))
        return digest.hexdigest()

    def __repr__(self) -> str:
        def blocks(pairs: tuple[tuple[str, int], ...]) -> str:
            return ", ".join(f"{name}[{size}]" for name, size in pairs)

        return f"<Program({blocks(self.inputs)}) -> ({blocks(self.outputs)}): {self.count()}>"


def program(graph: Graph, outputs: Mapping[str, Sequence[Scalar]]) -> Program:
    """See `Graph.program`."""
    results = [index_in(graph, x) for block in outputs.values() for x in block]
    uses = _uses(graph, results)
    turned = _absorb_signs(graph, uses)
    lines = _Lines(graph)
    lines.take(uses, turned)
    return Program(
        inputs=tuple(graph.blocks),
        outputs=tuple((name, len(block)) for name, block in outputs.items()),
        operation=tuple(lines.operation),
        first=tuple(lines.first),
        second=tuple(lines.second),
        third=tuple(lines.third),
        number=tuple(lines.number),
        results=tuple(lines.line[i] for i in results),
    )


def _uses(graph: Graph, results: Sequence[int]) -> list[int]:
    """How many live nodes and outputs use each node; 0 for dead ones."""
    uses = [0] * len(graph)
    for i in results:
        uses[i] += 1
    operation, first, second, third = graph.operation, graph.first, graph.second, graph.third
    for i in range(len(uses) - 1, -1, -1):
        if uses[i]:
            arity = ARITY[operation[i]]
            if arity:
                uses[first[i]] += 1
                if arity > 1:
                    uses[second[i]] += 1
                    if arity > 2:
                        uses[third[i]] += 1
    return uses


def _absorb_signs(graph: Graph, uses: list[int]) -> dict[int, int]:
    """Sign changes that their operand can take over, with that operand, which is struck off the uses."""
    operation, first = graph.operation, graph.first
    turned: dict[int, int] = {}
    for i, used in enumerate(uses):
        if used and operation[i] == NEGATE:
            inner = first[i]
            if uses[inner] == 1 and operation[inner] in (ADD, SUBTRACT, MULTIPLY, DIVIDE):
                constant = _constant_of(graph, inner)
                if constant >= 0:
                    uses[constant] -= 1
                elif operation[inner] != SUBTRACT:
                    continue
                uses[inner] = 0
                turned[i] = inner
    return turned


def _constant_of(graph: Graph, i: int) -> int:
    a, b = graph.first[i], graph.second[i]
    return a if graph.operation[a] == CONSTANT else b if graph.operation[b] == CONSTANT else -1


class _Lines:
    """The lines of a program in the making."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operation: list[int] = []
        self.first: list[int] = []
        self.second: list[int] = []
        self.third: list[int] = []
        self.number: list[float] = []
        self.line = [-1] * (len(graph) + 1)
        """Of every node, where it has one; one entry more, so that operand -1 has line -1."""
        self.constants: dict[float, int] = {}

    def take(self, uses: Sequence[int], turned: Mapping[int, int]) -> None:
        """All nodes that are used, and those that are minus others."""
        # Written out: programs of large systems have a million lines.
        graph, line = self.graph, self.line
        given, first, second, third = graph.operation, graph.first, graph.second, graph.third
        operation, a, b, c, number = self.operation, self.first, self.second, self.third, self.number
        for i, used in enumerate(uses):
            if i in turned:
                self.turn(i, turned[i])
            elif used:
                op = given[i]
                if op == CONSTANT:
                    line[i] = self.constant(graph.number[i])
                    continue
                line[i] = len(operation)
                operation.append(op)
                number.append(0.0)
                if op == INPUT:
                    a.append(first[i])
                    b.append(second[i])
                    c.append(-1)
                else:
                    a.append(line[first[i]])
                    b.append(line[second[i]])
                    c.append(line[third[i]])

    def turn(self, i: int, inner: int) -> None:
        """The node `i`, which is minus the node `inner`."""
        graph, line = self.graph, self.line
        op, a, b = graph.operation[inner], graph.first[inner], graph.second[inner]
        if op == SUBTRACT:
            line[i] = self.append(SUBTRACT, line[b], line[a])
        elif graph.operation[a] == CONSTANT:
            line[i] = self.append(SUBTRACT if op == ADD else op, self.constant(-graph.number[a]), line[b])
        else:
            line[i] = self.append(op, line[a], self.constant(-graph.number[b]))

    def constant(self, number: float) -> int:
        if number not in self.constants:
            self.constants[number] = self.append(CONSTANT, -1, -1, -1, number)
        return self.constants[number]

    def append(self, op: int, a: int, b: int, c: int = -1, number: float = 0.0) -> int:
        self.operation.append(op)
        self.first.append(a)
        self.second.append(b)
        self.third.append(c)
        self.number.append(number)
        return len(self.operation) - 1
