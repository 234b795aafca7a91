"""Flows, programs and functions of the subset as modules for a device: one number at a time, no vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from sistel.kernels._emit import emit
from sistel.kernels.subset._emit import emit as emit_subset
from sistel.kernels.subset._source import read_source
from sistel.kernels.taylor._emit import emit_taylor
from sistel.kernels.taylor._inner import INNER, emit_inner
from sistel.kernels.taylor._looped import INNER_TABLE
from sistel.kernels.taylor._plan import plan_of

if TYPE_CHECKING:
    from sistel.expr import Program

Leaves = dict[str, list[tuple[str, str]]]
"""Of exported functions: the arguments of machine code, with their types."""
UNROLLED: Final = 12000
"""Products of inner sums, of all orders together, up to which orders are written out: loops read all their coefficients
from memory, which is what a device waits for (benchmarks/bench_gpu_ensembles.py)."""
FLOW: Final = "taylor"
PROGRAM: Final = "kernel"


def emit_flow(program: Program, order: int) -> tuple[str, int]:
    """The function `FLOW` for the series of a flow, see `compile_taylor`, and its doubles of scratch memory."""
    plan = plan_of(program)
    unrolled = len(plan.inner) * order * (order - 1) // 2 <= UNROLLED
    text, scratch = emit_taylor(plan, order, width=1, lanes=1, unrolled=unrolled)
    if unrolled:
        return text, scratch
    # The function of the inner sums is known by name here.
    known = {line for line in text.splitlines() if line.startswith("declare ")}
    inner = emit_inner(order, 1).partition("\nattributes #0")[0].splitlines()
    text = text.replace(f"@{INNER_TABLE} = global ptr null", f"@{INNER_TABLE} = internal constant ptr @{INNER}")
    return text + "\n".join(line for line in inner if line not in known) + "\n", scratch


def emit_kernel(program: Program) -> str:
    """The function `PROGRAM` for a program, see `kernels._emit`."""
    return emit(program, 1, PROGRAM, lanes=1)


def emit_loop(functions: Iterable[object], exports: Sequence[str]) -> tuple[str, Leaves]:
    """Functions of the subset, of which those that are exported are called ``subset.`` and their name."""
    sources = [read_source(function) for function in dict.fromkeys(functions)]
    text, signatures = emit_subset(sources, exports, contract=True, checked=False)
    return text, {name: [(leaf, kind.llvm) for leaf, kind in of.leaves] for name, of in signatures.items()}


_READ: Final = re.compile(r"  (%\w+) = load ptr, ptr %local\.(?:\w+\.)*(\w+), align 8")
_PLACE: Final = re.compile(r"  (%\w+) = getelementptr inbounds i64, ptr (%\w+), i64 (\d+)")
_LOAD: Final = re.compile(r"  (%\w+) = load i64, ptr (%\w+)\b.*")


def folded(text: str, table: str, known: Mapping[int, int]) -> str:
    """Functions of the subset in which numbers of a table of whole numbers are constants.

    Args:
        text: As `emit_loop` has made it.
        table: The variable, or the field of a record.
        known: The numbers, by their places.
    """
    lines: list[str] = []
    pointers: set[str] = set()
    places: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("define"):
            pointers, places = set(), {}
        elif (read := _READ.fullmatch(line)) and read[2] == table:
            pointers.add(read[1])
        elif (place := _PLACE.fullmatch(line)) and place[2] in pointers:
            places[place[1]] = int(place[3])
        elif (load := _LOAD.fullmatch(line)) and places.get(load[2], -1) in known:
            line = f"  {load[1]} = add i64 {known[places[load[2]]]}, 0"
        lines.append(line)
    return "\n".join(lines) + "\n"
