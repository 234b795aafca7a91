"""Series of a large program as rows of a table that one function reads, whatever the program and the order.

Nothing is compiled for a program, and nothing depends on the highest order but the memory: a table is there within
milliseconds. Sums of products become single rows, every series is kept once, and rows of one shape come in runs. For
programs of many thousands of lines this takes no longer than machine code of their own would, which reads more memory.
The products of series are added up in another order than there: the last digits differ.

The scratch memory, counted in doubles: factors of order 0, values of order 0 of all series, and results at order 0; the
coefficients of four orders, each with its negative; the first four coefficients of every series behind four zeros; the
sums of four orders; and all coefficients, series by series.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.expr import Op
from sistel.kernels import _machine
from sistel.kernels._schedule import in_order, in_runs
from sistel.kernels._table import Table, lay_out_lines
from sistel.kernels._table_emit import TABLE
from sistel.kernels.subset import compile_functions
from sistel.kernels.taylor import _rows_build as b
from sistel.kernels.taylor._emit import FUNCTION, stride_of
from sistel.kernels.taylor._rows_emit import RUN, UNROLLED, VERSION, WORDS, emit_rows
from sistel.once import once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray
    from sistel.expr import Program
    from sistel.kernels.subset import CompiledFunction

    Whole = NDArray[np.int64]

_SLOTS: Final = {b.QUOTIENT: 2, b.ROOT: 1, b.TURN: 1, b.GROWTH: 1, b.CHOICE: 2, b.TIMES: 1, b.OVER: 1}
"""How many references of a row are slots; those behind them are factors."""
_SUMS: Final = {b.QUOTIENT: 1, b.ROOT: 1, b.TURN: 2, b.GROWTH: 1}
"""How many sums of products a row keeps."""
_ROOM: Final = 8
"""Lines, slots and rows that one line of a program may need; the same for references, twice."""


@once
def _object(cache: Path | None) -> bytes:
    return _machine.kept(cache, ("taylor rows", VERSION), lambda: _machine.assemble(emit_rows()))


@once
def _builder(cache: Path | None) -> CompiledFunction:
    return compile_functions(b.FUNCTIONS, exports=["draft_rows"], cache=cache, quick=True).draft_rows


class SeriesRows:
    """Rows of series, loaded; see `Taylor` for what their function does.

    Attributes:
        address: Of the function, good while this object lives.
        scratch_size: Doubles of memory that a call overwrites.
    """

    def __init__(self, program: Program, order: int, cache: Path | None) -> None:
        made = lay_out_rows(program, cache)
        sizes = dict(program.inputs)
        size, functions = sizes["y"], len(program.results) - sizes["y"]
        slots = len(made["origin"])
        start = len(made["start"][-1])
        highest = order if functions else order - 1
        span = -(-(highest + 1) // 4) * 4
        counts = {
            "size.count": size,
            "functions.count": functions,
            "stride.count": stride_of(order),
            "highest.count": highest,
            "factors.count": len(made["factors"]),
            "slots.count": slots,
            "buffer.count": -(-2 * slots // 8) * 8,
            "kept.count": made["sums"],
            "span.count": span,
            "runs.count": len(made["runs"]) // len(RUN),
            "inputs.count": len(made["inputs"]) // 2,
        }
        # Each part begins on a border of cache lines, wherever the memory itself begins.
        total = -(-start // 8) * 8
        for name, length in (
            ("new", 4 * counts["buffer.count"]),
            ("lines", 8 * slots),
            ("sums", 4 * made["sums"]),
            ("history", span * slots),
        ):
            counts[f"{name}.count"] = total
            total += -(-length // 8) * 8
        total += 8
        self.scratch_size = total
        self._made = made
        self._start = Table(made["start"], [size, sizes.get("p", 0)], [start], cache)
        self._code = _machine.Code(_object(cache))
        known = {**counts, "start": self._start.address}
        words = [known[word] if word in known else made[word].ctypes.data for word in WORDS]
        (ctypes.c_uint64 * len(WORDS)).from_address(self._code.variable(TABLE))[:] = words
        self.address = self._code.address(FUNCTION)


def lay_out_rows(program: Program, cache: Path | None) -> dict[str, Any]:
    """The table of a program; see `WORDS`. Slots are numbered in the order in which they are computed."""
    state = [name for name, _ in program.inputs].index("y")
    arrays = _draft(program, state, cache)
    counts = arrays["counts"]
    rows, slots, inputs = (int(counts[at]) for at in (b.ROWS, b.SLOTS, b.INPUTS))
    kind, products, terms, target = (
        column[:rows] for column in (arrays["kind"], arrays["products"], arrays["terms"], arrays["target"])
    )
    begin = arrays["begin"][: rows + 1]
    references = arrays["references"][: begin[-1]]
    is_slot, slot = _slots(kind, products, begin, references)
    owner = np.full(slots, -1, np.int64)
    owner[target] = np.arange(rows)
    turns = kind == b.TURN
    owner[target[turns] + 1] = np.flatnonzero(turns)
    # A shape is a kind, a number of products and a number of terms, in this order; as one number it is sorted sooner.
    wide, high = int(products.max(initial=0)) + 1, int(terms.max(initial=0)) + 1
    shape, which = np.unique((kind * wide + products) * high + terms, return_inverse=True)
    shapes = np.stack([shape // (wide * high), shape // high % wide, shape % high])
    order, runs = in_runs(which.ravel(), begin, np.where(is_slot, owner[slot], -1), shapes.shape[1])
    del which, owner
    # The slot of zeros comes first, then the state, then what the rows give.
    final = np.zeros(slots, np.int64)
    places = arrays["inputs"][: 2 * inputs].reshape(inputs, 2)
    final[places[:, 0]] = 1 + np.arange(inputs)
    ends = 1 + inputs + np.cumsum(1 + turns[order])
    final[target[order]] = first = ends - 1 - turns[order]
    final[target[turns] + 1] = final[target[turns]] + 1
    in_sum = np.repeat(kind == b.SUM, np.diff(begin))
    renamed = np.where(is_slot, np.where(in_sum, 2 * final[slot] + references % 2, final[slot]), references)
    # There are millions of references in a large program: what has served is let go.
    del in_sum, is_slot, slot
    renamed = renamed.astype(np.int32)[in_order(begin, order)]
    del references, arrays["references"]
    sums = np.array([_SUMS.get(each, 0) for each in range(8)])[kind] + ((kind == b.SUM) & (products > 0))
    before = np.cumsum(sums[order]) - sums[order]
    lengths = np.diff(begin)[order]
    heads = np.cumsum(runs[:, 1]) - runs[:, 1]
    record = np.zeros((len(runs), len(RUN)), np.int64)
    kinds, many, few = shapes[:, runs[:, 0]]
    record[:, 0] = np.where(kinds == b.SUM, np.minimum(many, UNROLLED + 1), UNROLLED + 1 + kinds)
    record[:, 1:4] = np.stack([runs[:, 1], many, few], axis=1)
    record[:, 4:7] = np.stack([first[heads], 4 * before[heads], (np.cumsum(lengths) - lengths)[heads]], axis=1)
    origin = np.zeros(slots, np.int64)
    origin[final] = arrays["origin"][:slots]
    results = np.array(program.results, np.int64)
    factors = arrays["factors"][: counts[b.FACTORS]]
    return {
        "runs": record.ravel(),
        "references": renamed,
        "inputs": np.stack([final[places[:, 0]], places[:, 1]], axis=1).astype(np.int32).ravel(),
        "results": np.where(arrays["moving"][results] > 0, final[arrays["slot"][results]], 0).astype(np.int32),
        "origin": origin,
        "factors": factors,
        "sums": int(sums.sum()),
        "start": _start(program, state, arrays, np.concatenate([factors, origin, results])),
    }


def _draft(program: Program, state: int, cache: Path | None) -> dict[str, AnyArray]:
    """The rows as they are found, with room for more behind every array; without what only served to find them."""
    lines = len(program)
    room = _ROOM * (lines + 8)
    arrays: dict[str, AnyArray] = {}
    for name in b.Draft.__dataclass_fields__:
        arrays[name] = np.zeros(2 * room if name in ("references", "waiting") else room, np.int64)
    columns = ("operation", program.operation), ("first", program.first), ("second", program.second)
    for name, column in (*columns, ("third", program.third)):
        arrays[name][:lines] = column
    arrays["number"] = np.zeros(room)
    arrays["number"][:lines] = program.number
    arrays["results"] = np.array([*program.results, 0], np.int64)
    arrays["counts"] = np.zeros(b.COUNTS, np.int64)
    for name in ("slot", "value", "inverse", "sine", "cosine", "turn", "times"):
        arrays[name][:lines] = -1  # the room behind is not touched, and takes no memory, until lines are put there
    _builder(cache)(b.Draft(**arrays), lines, len(program.results), state)
    for name in ("uses", "value", "inverse", "sine", "cosine", "turn", "times", "stack", "waiting"):
        del arrays[name]
    return arrays


def _slots(kind: Whole, products: Whole, begin: Whole, references: Whole) -> tuple[AnyArray, Whole]:
    """Which references are slots, and which slots."""
    lengths = np.diff(begin)
    each = np.repeat(kind, lengths)
    place = np.arange(len(references)) - np.repeat(begin[:-1], lengths)
    leading = np.array([_SLOTS.get(kind, 0) for kind in range(8)])[each]
    in_sum = each == b.SUM
    is_slot = np.where(in_sum, (place < 2 * np.repeat(products, lengths)) | (place % 2 == 0), place < leading)
    del each, place, leading
    return is_slot, np.where(is_slot, np.where(in_sum, references // 2, references), 0)


def _start(program: Program, state: int, draft: dict[str, AnyArray], results: Whole) -> tuple[AnyArray, ...]:
    """Order 0 as a table: the state and the parameters to the factors, the series and the results."""
    lines = int(draft["counts"][b.LINES])
    columns = ("operation", "first", "second", "third", "number")
    operation, first, second, third, number = (draft[name][:lines] for name in columns)
    first = np.where(operation == Op.INPUT, first != state, first)
    sizes = dict(program.inputs)
    return lay_out_lines(operation, first, second, third, number, [sizes["y"], sizes.get("p", 0)], results)
