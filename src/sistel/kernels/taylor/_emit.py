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

VERSION: Final = 4
"""Part of the cache's key: raise it with every change of the emitted text."""
FUNCTION: Final = "taylor"
LOW: Final = "taylor_low"
"""The function of the first orders alone."""
REST: Final = "taylor_rest"
"""The function that goes on after `LOW`, on the same table and scratch memory."""
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
    held: frozenset[int] = frozenset()
    """Rows of which order 0 alone is stored."""

    def put(self, row: int, column: int, value: str) -> None:
        """Store a coefficient."""
        if column and row in self.held:
            return
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


_ARGUMENTS: Final = ", ".join(f"ptr noalias %{name}" for name in ("y", "p", "table", "scratch"))


class _Body:
    """The instructions of one function of series in the making."""

    def __init__(self, plan: Plan, table: Table, lanes: int, looped: Looped | None) -> None:
        self.plan, self.table, self.looped = plan, table, looped
        self.w = w = table.writer
        self.functions: dict[int, list[int]] = {}
        for row, line in enumerate(plan.functions, plan.size):
            self.functions.setdefault(line, []).append(row)
        # Order 0 is a small part of all orders: contraction gains nothing there but in the shortest programs.
        self.start = Start(w, plan, lanes, self._keep, exact=is_long(plan.program))

    def begin(self) -> Start:
        """Write order 0."""
        w = self.w
        self.start.write()
        for row in range(self.plan.size):
            at = w.value(f"getelementptr double, ptr %y, i64 {row}")
            self.table.put(row, 0, w.value(f"load double, ptr {at}, align 8"))
        return self.start

    def _keep(self, start: Start, series: int) -> None:
        if self.looped is not None:
            self.looped.keep(start, series)
        for row in self.functions.get(series, ()):
            self.table.put(row, 0, start.value[series])

    def text(self, name: str) -> list[str]:
        """The function."""
        return _function(name, self.w.lines)


def _function(name: str, lines: list[str]) -> list[str]:
    return [f"define void @{name}({_ARGUMENTS}) #0 {{", "entry:", *lines, "  ret void", "}"]


def emit_taylor(
    plan: Plan, order: int, *, width: int, lanes: int, unrolled: bool, low: int | None = None, moving: int | None = None
) -> tuple[str, int]:
    """The module, and the doubles of scratch memory that the function needs.

    Args:
        plan: What to compute.
        order: The highest order.
        width: Doubles in a vector of inner sums.
        lanes: Doubles in a vector of angles.
        unrolled: Whether orders are written out.
        low: The highest order of a function `LOW` of the first orders alone, after which `REST` goes on.
        moving: Components that may have a rate: the first ones. Those behind them have none but for the last, the
            time, and no zeros are written for them.
    """
    w = Writer(1)
    stride = stride_of(order)
    held = frozenset(() if moving is None else range(moving, plan.size - 1)) & plan.held
    looped = None if unrolled else Looped(w, plan, Table(w, stride, held), order, width)
    body = _Body(plan, Table(w, stride, held), lanes, looped)
    start = body.begin()
    bodies, parts = [body], list[str]()
    if looped is None:
        write_unrolled(w, plan, start, body.table, order)
        parts += body.text(FUNCTION)
        if low is not None:
            first = _Body(plan, Table(Writer(1), stride, held), lanes, None)
            write_unrolled(first.w, plan, first.begin(), first.table, low)
            bodies.append(first)
            # Written out, orders have nothing in memory to go on with.
            parts += first.text(LOW) + _function(REST, [_call(FUNCTION)])
    elif low is None:
        looped.write(start)
        parts += body.text(FUNCTION)
    else:
        looped.write(start, low)
        parts += body.text(LOW)
        rest = Writer(1)
        looped.write_rest(rest, low + 1)
        w.declarations |= rest.declarations
        parts += _function(REST, rest.lines) + _function(FUNCTION, [_call(LOW), _call(REST)])
    steps, scratch = ("", 0) if looped is None else (looped.steps, looped.scratch)
    parts.append(steps)
    declarations = set().union(*(each.w.declarations for each in bodies))
    for each in sorted(set().union(*(each.start.widths for each in bodies))):
        far, more = far_function(each)
        parts.append(far)
        declarations |= more
    attributes = 'nounwind "no-trapping-math"="true"'
    parts += sorted(declarations)
    parts += [f"attributes #0 = {{ {attributes} }}", '!0 = !{!"branch_weights", i32 1, i32 100000}']
    return "\n".join(parts) + "\n", scratch


def _call(name: str) -> str:
    return f"  call void @{name}({', '.join(f'ptr %{each}' for each in ('y', 'p', 'table', 'scratch'))})"
