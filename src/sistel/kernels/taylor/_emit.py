"""The function ``void taylor(double *y, double *p, double *table, double *scratch)`` as LLVM assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sistel.kernels._sincos import far_function
from sistel.kernels._writer import Writer
from sistel.kernels.taylor._looped import Looped
from sistel.kernels.taylor._start import Start
from sistel.kernels.taylor._unrolled import write_unrolled
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.expr import Program
    from sistel.kernels.taylor._plan import Plan

VERSION: Final = 3
"""Part of the cache's key: raise it with every change of the emitted text."""
FUNCTION: Final = "taylor"
UNROLLED: Final = 1700
"""Products of inner sums and coefficients, of all orders together, up to which orders are written out."""
LONG: Final = 600
"""Lines of a program from which the code generator takes longer than most runs of the code do."""
LARGE: Final = 5000
"""Lines from which rows of series take about as long to compute as machine code, which is never worth while then."""
WIDE: Final = 40
"""Inner sums from which vectors are as long as the processor has them: fewer would leave lanes without work."""


@entry
class Table:
    """Rows of coefficients."""

    writer: Writer
    stride: int
    """Doubles from one row to the next."""

    def put(self, row: int, column: int, value: str) -> None:
        """Store a coefficient."""
        w = self.writer
        at = w.value(f"getelementptr double, ptr %table, i64 {row * self.stride + column}")
        w.line(f"store double {value}, ptr {at}, align 8")


def stride_of(order: int) -> int:
    """Doubles of a row of the table: its coefficients, and one column to spare."""
    return order + 2


def is_unrolled(plan: Plan, order: int) -> bool:
    """Whether orders are written out rather than looped over."""
    return len(plan.inner) * order * (order - 1) // 2 + len(plan.carried) * order <= UNROLLED


def is_long(program: Program) -> bool:
    """Whether a table comes first, and machine code when it turns out to be worth while."""
    return len(program) >= LONG


def is_large(program: Program) -> bool:
    """Whether rows of series are the best there is, for however many steps."""
    return len(program) >= LARGE


def emit_taylor(plan: Plan, order: int, *, width: int, lanes: int, unrolled: bool) -> tuple[str, int]:
    """The module, and the doubles of scratch memory that the function needs.

    Args:
        plan: What to compute.
        order: The highest order.
        width: Doubles in a vector of inner sums.
        lanes: Doubles in a vector of angles.
        unrolled: Whether orders are written out.
    """
    w = Writer(1)
    table = Table(w, stride_of(order))
    looped = None if unrolled else Looped(w, plan, table, order, width)

    def keep(start: Start, series: int) -> None:
        if looped is not None:
            looped.keep(start, series)
        for row in functions.get(series, ()):
            table.put(row, 0, start.value[series])

    functions: dict[int, list[int]] = {}
    for row, line in enumerate(plan.functions, plan.size):
        functions.setdefault(line, []).append(row)
    # Order 0 is a small part of all orders: contraction gains nothing there but in the shortest programs.
    start = Start(w, plan, lanes, keep, exact=is_long(plan.program))
    start.write()
    for row in range(plan.size):
        at = w.value(f"getelementptr double, ptr %y, i64 {row}")
        table.put(row, 0, w.value(f"load double, ptr {at}, align 8"))
    if looped is None:
        write_unrolled(w, plan, start, table, order)
    else:
        looped.write(start)
    steps, scratch = ("", 0) if looped is None else (looped.steps, looped.scratch)
    arguments = ", ".join(f"ptr noalias %{name}" for name in ("y", "p", "table", "scratch"))
    parts = [f"define void @{FUNCTION}({arguments}) #0 {{", "entry:", *w.lines, "  ret void", "}", steps]
    declarations = set(w.declarations)
    for each in sorted(start.widths):
        far, more = far_function(each)
        parts.append(far)
        declarations |= more
    attributes = 'nounwind "no-trapping-math"="true"'
    parts += sorted(declarations)
    parts += [f"attributes #0 = {{ {attributes} }}", '!0 = !{!"branch_weights", i32 1, i32 100000}']
    return "\n".join(parts) + "\n", scratch
