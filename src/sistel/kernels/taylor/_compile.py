"""Compiling a program into a kernel of Taylor coefficients, and calling it from Python."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels import _machine
from sistel.kernels._cache import has_entry
from sistel.kernels.taylor._emit import FUNCTION, LOW, REST, VERSION, WIDE, emit_taylor, is_unrolled, stride_of
from sistel.kernels.taylor._inner import INNER, inner_code
from sistel.kernels.taylor._looped import INNER_TABLE
from sistel.kernels.taylor._plan import Plan, plan_of
from sistel.kernels.taylor._rows import SeriesRows
from sistel.kernels.taylor._table import SeriesTable, series_table
from sistel.kernels.taylor._table_emit import VERSION as TABLE_VERSION

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sistel.arrays import AnyArray
    from sistel.expr import Program

HIGHEST: Final = 100
"""The highest order: beyond it one step gains nothing for doubles."""

_HEAD: Final = struct.Struct("<QQQ")
"""Before the object in an entry of the cache: doubles of scratch memory, whether unrolled, doubles in a vector."""

_SIGNATURE = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)


@final
class Taylor:
    """A compiled kernel. Calls keep no state and may come from any number of threads at once.

    Attributes:
        address: Of ``void taylor(double *y, double *p, double *table, double *scratch)``, good while this object
            lives. `p` and `scratch` are not touched where their sizes are 0. The four may not overlap.
        order: The highest order P.
        size: Components of the state, n.
        parameters: Numbers in the block "p".
        rows: Rows of the table: n for the state, then one for each function along the solution.
        stride: Doubles from one row to the next: P + 2. What a call leaves past the P + 1 coefficients of a row has no
            meaning.
        scratch_size: Doubles of memory that a call overwrites and that two calls at once may not share. Best aligned to
            64 bytes, and filled with zeros before the first call: lanes without work keep what they find, and tiny
            numbers there are slow.
        unrolled: Whether orders are written out rather than looped over.
        quick: Whether a table is read instead of machine code made for the program, which takes less time for the same
            bits.
        low: The order of a second function for the first orders alone, and a third that goes on after it; 0 for none.
        low_address: Of the second function, with the same arguments.
        rest_address: Of the third.
    """

    __slots__ = (
        "_code",
        "_function",
        "address",
        "low",
        "low_address",
        "order",
        "parameters",
        "program",
        "quick",
        "rest_address",
        "rows",
        "scratch_size",
        "size",
        "stride",
        "unrolled",
    )

    def __init__(
        self,
        program: Program,
        order: int,
        code: object,
        address: int,
        scratch_size: int,
        *,
        unrolled: bool,
        quick: bool = False,
        low: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.low, self.low_address, self.rest_address = low
        self.program = program
        self.order = order
        self.size = dict(program.inputs)["y"]
        self.parameters = dict(program.inputs).get("p", 0)
        self.rows = len(program.results)
        self.stride = stride_of(order)
        self.scratch_size = scratch_size
        self.unrolled = unrolled
        self.quick = quick
        self._code = code
        self.address = address
        self._function = _SIGNATURE(self.address)

    @property
    def native(self) -> _machine.Native:
        """The function, for those who call it from machine code."""
        return _machine.Native(self, self.address)

    def __call__(self, y: ArrayLike, p: ArrayLike | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients at a state: y(t + h) is the sum of table[:, k] h^k.

        Args:
            y: The state, shape (n,).
            p: Parameters, shape (m,); None where there are none.

        Returns:
            Coefficients of the state, shape (n, P + 1), and of the functions along the solution, shape (e, P + 1).

        Raises:
            SistelError: An array does not fit.
        """
        state = _vector("y", y, self.size)
        parameters = _vector("p", () if p is None else p, self.parameters)
        table = np.zeros((self.rows, self.stride))
        scratch = np.zeros(self.scratch_size + 8)
        aligned = scratch.ctypes.data + -scratch.ctypes.data % 64
        self._function(state.ctypes.data, parameters.ctypes.data, table.ctypes.data, aligned)
        return table[: self.size, : self.order + 1].copy(), table[self.size :, : self.order + 1].copy()

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}[{size}]" for name, size in self.program.inputs)
        return f"<Taylor({inputs}), order {self.order}, {self.rows} rows>"


def compile_taylor(
    program: Program,
    order: int = 20,
    cache: Path | None = None,
    *,
    unrolled: bool | None = None,
    width: int | None = None,
    quick: bool = False,
    rows: bool = False,
    low: int | None = None,
    moving: int | None = None,
) -> Taylor:
    """Machine code that computes the Taylor coefficients of the solution of y' = f(y, p).

    Args:
        program: Inputs "y" and perhaps "p" (constant along the solution); outputs "dy", the rate of "y", and perhaps
            other blocks: functions whose coefficients along the solution are wanted too, such as conditions of events.
        order: The highest order P; see `sistel.expr.series_order`.
        cache: A directory for compiled objects (see `USER`), or None to compile afresh.
        unrolled: Whether orders are written out rather than looped over; None decides by size.
        width: Doubles in a vector: 2, 4 or 8; None takes what suits the processor.
        quick: Whether to read a table instead, unless the cache has the machine code: for long programs (`is_long`),
            where it is there at once, takes about twice as long to compute, and gives the same bits.
        rows: Whether to read rows of series instead, see `_rows`: for the largest programs (`is_large`), where that is
            there at once for every order, takes no longer to compute, and gives other last digits.
        low: A lower order, for which there is to be a function of its own; rows have none.
        moving: Components that may have a rate: the first ones; of all others, the time apart, the table may lack the
            zeros behind order 0.

    Raises:
        SistelError: The program is not the right-hand side of an equation, or there is no such order.
    """
    check(program, order)
    if rows:
        large = SeriesRows(program, order, cache)
        return Taylor(program, order, large, large.address, large.scratch_size, unrolled=False)
    here = _machine.host()

    def vectors(plan: Plan) -> int:
        return width or (here.width if len(plan.inner) >= WIDE else here.lanes)

    def make() -> bytes:
        plan = plan_of(program)
        written_out = is_unrolled(plan, order) if unrolled is None else unrolled
        text, scratch = emit_taylor(
            plan, order, width=vectors(plan), lanes=here.lanes, unrolled=written_out, low=low, moving=moving
        )
        return _HEAD.pack(scratch, written_out, vectors(plan)) + _machine.assemble(text)

    def lay_out() -> bytes:
        plan = plan_of(program)
        return series_table(plan, vectors(plan))

    fingerprint = program.fingerprint()
    parts = "taylor", fingerprint, VERSION, order, unrolled, width, *(() if low is None else (low, moving))
    if quick and (cache is None or not has_entry(cache, _machine.entry_name(parts))):
        entry = _machine.kept(cache, ("taylor table of", fingerprint, TABLE_VERSION, width), lay_out)
        table = SeriesTable(entry, order, cache)
        first = None if low is None else SeriesTable(entry, low, cache, stride_of(order))
        own = (0, 0, 0) if low is None or first is None else (low, first.address, table.address)
        code = table, first
        return Taylor(program, order, code, table.address, table.scratch_size, unrolled=False, quick=True, low=own)
    entry = _machine.kept(cache, parts, make)
    scratch_size, written_out, lanes = _HEAD.unpack_from(entry)
    codes = [_machine.Code(entry[_HEAD.size :])]
    if not written_out:
        codes.append(inner_code(order, lanes, cache))
        ctypes.c_uint64.from_address(codes[0].variable(INNER_TABLE)).value = codes[1].address(INNER)
    more = (0, 0, 0) if low is None else (low, codes[0].address(LOW), codes[0].address(REST))
    address = codes[0].address(FUNCTION)
    return Taylor(program, order, codes, address, scratch_size, unrolled=bool(written_out), low=more)


def check(program: Program, order: int) -> None:
    """Refuse what is not the right-hand side of an equation."""
    sizes = dict(program.inputs)
    others = [name for name in sizes if name not in ("y", "p")]
    if "y" not in sizes or others:
        names = ", ".join(sizes) or "—"
        refuse(
            "not-an-equation",
            Text(
                f'a right-hand side has the inputs "y" and perhaps "p", not {names}',
                f"у правой части входы «y» и, возможно, «p», а не {names}",
            ),
        )
    if not program.outputs or program.outputs[0] != ("dy", sizes["y"]):
        found = f"{program.outputs[0][0]}[{program.outputs[0][1]}]" if program.outputs else "—"
        refuse(
            "not-an-equation",
            Text(
                f"the first output of a right-hand side is dy[{sizes['y']}], not {found}",
                f"первый выход правой части — dy[{sizes['y']}], а не {found}",
            ),
        )
    if not 1 <= order <= HIGHEST:
        refuse(
            "bad-order",
            Text(
                f"the order of a series is a number from 1 to {HIGHEST}, not {order}",
                f"порядок ряда — число от 1 до {HIGHEST}, а не {order}",
            ),
        )


def _vector(name: str, given: ArrayLike, size: int) -> AnyArray:
    try:
        array = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        array = None
    if array is None or array.shape != (size,):
        got = "—" if array is None else str(array.shape)
        refuse(
            "bad-shape",
            Text(f"{name}: expected {size} numbers, got {got}", f"{name}: ожидалось чисел: {size}, получено: {got}"),
        )
    return array
