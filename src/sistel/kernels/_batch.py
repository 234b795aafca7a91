"""The function for batches: `width` rows at a time, one in every lane of a vector.

Rows are read and written in panels, `width` rows high and half as many columns wide, which are turned in registers:
half a vector is what two rows can be put together from while they are loaded. Blocks of rows that lie in lanes already
(shape (blocks, columns, width)) need none of this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sistel.expr import Op
from sistel.kernels._packer import find_packs
from sistel.kernels._sums import sums_of
from sistel.kernels._values import Values
from sistel.kernels._writer import Writer

if TYPE_CHECKING:
    from sistel.expr import Program
    from sistel.kernels._sums import Sums


def write_batch(
    program: Program, name: str, kind: str, width: int, lanes: int, blocked: bool, exact: bool = False
) -> tuple[str, Writer, set[int]]:
    """The text of the function, its writer, and the widths in which it takes sines."""
    sums = sums_of(program, exact) if exact else find_packs(sums_of(program), lanes).plain
    return (_Blocks if blocked else _Rows)(sums, name, kind, width).text()


class _Batch(ABC):
    """What both layouts share: the loop and the lines."""

    step: int
    """How far the counter goes at a time."""

    def __init__(self, sums: Sums, name: str, kind: str, width: int) -> None:
        self.sums = sums
        self.width = width
        self.name = name
        self.w = Writer(width, kind)
        self.values = Values(self.w, self.sums, self._fetch)
        self.targets: dict[int, list[tuple[int, int, int]]] = {}
        """Where each line goes: output block, column, sign."""
        place = 0
        for block, (_, size) in enumerate(self.sums.outputs):
            for column in range(size):
                target = (block, column, self.sums.signs[place])
                self.targets.setdefault(self.sums.results[place], []).append(target)
                place += 1

    def text(self) -> tuple[str, Writer, set[int]]:
        w, sums = self.w, self.sums
        blocks = [*(f"in{i}" for i in range(len(sums.inputs))), *(f"out{i}" for i in range(len(sums.outputs)))]
        for i, block in enumerate(blocks):
            for part, kind, offset in (("base", "ptr", 2 * i), ("stride", "i64", 2 * i + 1)):
                w.line(f"%{block}.{part}.at = getelementptr i64, ptr %arguments, i64 {offset}")
                w.line(f"%{block}.{part} = load {kind}, ptr %{block}.{part}.at, align 8")
        w.line(f"%last = sub i64 %end, {self.step}")
        w.line("br label %head")
        w.label("head")
        # The value of %i on the way back is known by name only: the body ends in a block of its own.
        w.line("%i = phi i64 [ %begin, %entry ], [ %next, %tail ]")
        w.line("%more = icmp sle i64 %i, %last")
        w.line("br i1 %more, label %body, label %done")
        w.label("body")
        for block in blocks:
            for lane in range(self.step):
                w.line(f"%{block}.row{lane} = add i64 %i, {lane}")
                w.line(f"%{block}.shift{lane} = mul i64 %{block}.row{lane}, %{block}.stride")
                w.line(f"%{block}.at{lane} = getelementptr i8, ptr %{block}.base, i64 %{block}.shift{lane}")
        for index, line in enumerate(sums.lines):
            if line.op != Op.INPUT:
                self.values.write(index)
            for block_, column, sign in self.targets.get(index, ()):
                number = self.values.number(index)
                self._store(block_, column, number if sign > 0 else w.negate(number))
        w.line("br label %tail")
        w.label("tail")
        w.line(f"%next = add i64 %i, {self.step}")
        w.line("br label %head")
        w.label("done")
        w.line("ret void")
        head = f"define void @{self.name}(i64 %begin, i64 %end, ptr noalias nocapture readonly %arguments) #0 {{"
        return "\n".join([head, "entry:", *w.lines, "}"]), w, {self.width} if self.values.angles else set()

    def _fetch(self, index: int) -> str | None:
        line = self.sums.lines[index]
        return self._load(*line.operands) if line.op == Op.INPUT else None

    @abstractmethod
    def _load(self, block: int, column: int) -> str:
        """One number of every state of a block of inputs."""

    @abstractmethod
    def _store(self, block: int, column: int, number: str) -> None:
        """Put one number of every state into a block of outputs."""


class _Blocks(_Batch):
    """Blocks of states: a column is a vector in memory."""

    step = 1

    def _at(self, block: str, column: int) -> str:
        return self.w.value(f"getelementptr {self.w.number}, ptr %{block}.at0, i64 {column}")

    def _load(self, block: int, column: int) -> str:
        return self.w.value(f"load {self.w.number}, ptr {self._at(f'in{block}', column)}, align {self.w.bytes}")

    def _store(self, block: int, column: int, number: str) -> None:
        self.w.line(f"store {self.w.number} {number}, ptr {self._at(f'out{block}', column)}, align {self.w.bytes}")


class _Rows(_Batch):
    """Rows of states, turned in registers."""

    def __init__(self, sums: Sums, name: str, kind: str, width: int) -> None:
        self.step = width
        self.half = width // 2
        """Columns of a panel."""
        super().__init__(sums, name, kind, width)
        self.constant = {
            (block, column): self.sums.lines[line].number * sign
            for line, targets in self.targets.items()
            for block, column, sign in targets
            if self.sums.lines[line].op == Op.CONSTANT
        }
        self.panels: dict[tuple[int, int], list[str]] = {}
        self.waiting: dict[tuple[int, int], dict[int, str]] = {}

    def _at(self, block: str, lane: int, column: int) -> str:
        return self.w.value(f"getelementptr {self.w.kind}, ptr %{block}.at{lane}, i64 {column}")

    def _starts(self, size: int, column: int) -> set[int]:
        """First columns of the panels that a column belongs to; the last panel of a block overlaps its neighbour."""
        starts = {column // self.half * self.half, size - self.half}
        return {start for start in starts if start <= column < start + self.half <= size}

    def _load(self, block: int, column: int) -> str:
        w, name, size = self.w, f"in{block}", self.sums.inputs[block][1]
        if size < self.half or self.half < 2:
            single = [
                w.value(f"load {w.kind}, ptr {self._at(name, i, column)}, align {w.bytes}") for i in range(self.width)
            ]
            return w.gather(single)
        start = min(self._starts(size, column))
        if (block, start) not in self.panels:
            half = w.of_width(self.half)
            rows = [
                w.value(f"load {half.number}, ptr {self._at(name, lane, start)}, align {w.bytes}")
                for lane in range(self.width)
            ]
            self.panels[block, start] = panel_columns(w, rows)
        return self.panels[block, start][column - start]

    def _store(self, block: int, column: int, number: str) -> None:
        w, name, size = self.w, f"out{block}", self.sums.outputs[block][1]
        if size < self.half or self.half < 2:
            for lane, single in enumerate(w.split(number)):
                w.line(f"store {w.kind} {single}, ptr {self._at(name, lane, column)}, align {w.bytes}")
            return
        half = w.of_width(self.half)
        for start in self._starts(size, column):
            columns = self.waiting.setdefault((block, start), {})
            columns[column] = number
            if len(columns) == self.half:
                known = [self.constant.get((block, start + j)) for j in range(self.half)]
                if None in known:
                    rows = panel_rows(w, [columns[start + j] for j in range(self.half)])
                else:
                    rows = [half.constants([number or 0.0 for number in known])] * self.width
                for lane, row in enumerate(rows):
                    w.line(f"store {half.number} {row}, ptr {self._at(name, lane, start)}, align {w.bytes}")


def panel_columns(w: Writer, rows: list[str]) -> list[str]:
    """Columns of a panel of `width` rows with half as many numbers each."""
    half, count = w.of_width(w.width // 2), w.width // 2
    if w.width == 8:
        # Together in this order, the last exchange is one of quarters, which needs no table of lanes.
        a, b, c, d = (half.shuffle(rows[i], rows[i + 2], range(8)) for i in (0, 1, 4, 5))
        low, high = (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15)
        pairs = [(w.shuffle(a, b, mask), w.shuffle(c, d, mask)) for mask in (low, high)]
        first, second = (0, 1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15)
        return [w.shuffle(*pair, mask) for mask in (first, second) for pair in pairs]
    whole = [half.shuffle(rows[i], rows[i + count], range(w.width)) for i in range(count)]
    return _turn_halves(w, whole)


def panel_rows(w: Writer, columns: list[str]) -> list[str]:
    """Rows of a panel, half vectors, from its columns: the other way round."""
    count = w.width // 2
    whole = _turn_halves(w, columns)
    return [
        w.shuffle(whole[i % count], "undef", range(i // count * count, (i // count + 1) * count))
        for i in range(w.width)
    ]


def _turn_halves(w: Writer, vectors: list[str]) -> list[str]:
    """Transpose the square of the lower and that of the upper halves of vectors, by exchanging ever larger parts."""
    block, width, count, step = list(vectors), w.width, w.width // 2, 1
    while step < count:
        low = [j if not j & step else width + j - step for j in range(width)]
        high = [j + step if not j & step else width + j for j in range(width)]
        for i in range(count):
            if not i & step:
                a, b = block[i], block[i + step]
                block[i], block[i + step] = w.shuffle(a, b, low), w.shuffle(a, b, high)
        step *= 2
    return block
