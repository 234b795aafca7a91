"""A program for few rows at a time, as a table first and as machine code when it turns out to be used: the same bits.

Machine code of a long program takes seconds to make. A run that needs it now and then is over before; one that needs it
all the time would take several times as long with a table. Both round every operation on its own, so that nobody sees
which of them has computed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.kernels import _machine
from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._emit import VERSION, emit
from sistel.kernels._llvm import FUNCTION
from sistel.kernels._table import TableRunner
from sistel.once import COMPILING

if TYPE_CHECKING:
    from sistel.expr import Program

WIDTH: Final = 4
"""Rows at a time. With twice as many a row takes a tenth less, and a single one a third more."""
WORTH: Final = 500_000_000
"""Lines that a table has computed, from which machine code is made: a third of a second of the table, a sixth of what
compiling takes."""
LONG: Final = 8000
"""Lines from which the code generator makes no effort: registers for 11 000 lines take it 13 s, and without that effort
0.4 s, for code that takes twice as long and still a twentieth of the table."""
WORTH_AT_ONCE: Final = 50_000_000
"""As `WORTH`, for such code."""


class ExactRows:
    """A program whose rows are computed by a table, or by machine code where that is there."""

    def __init__(self, program: Program, cache: Path | None) -> None:
        self.program, self._cache = program, cache
        self.width = 1
        """Rows that are computed at a time: as many more than asked for as it takes."""
        self.computed = 0
        """Lines so far."""
        code = self._stored()
        if code is not None:
            self._take(code)
        else:
            self.native = TableRunner(program, cache=cache).native
            """The function of rows."""

    @property
    def _key(self) -> str:
        return _machine.entry_name(("exact rows", self.program.fingerprint(), VERSION, WIDTH))

    @property
    def _long(self) -> bool:
        return len(self.program) >= LONG

    def _stored(self) -> bytes | None:
        return None if self._cache is None else read_entry(self._cache, self._key)

    def _take(self, code: bytes) -> None:
        self.native, self.width = _machine.Code(code).function(FUNCTION), WIDTH

    def count(self, rows: int) -> None:
        """Count rows that were computed; machine code is made where it pays."""
        self.computed += rows * len(self.program)
        if self.width == 1 and self.computed >= (WORTH_AT_ONCE if self._long else WORTH):
            self.compile()

    def compile(self) -> None:
        """Make machine code of it."""
        with COMPILING:
            if self.width > 1:
                return
            text = emit(self.program, WIDTH, FUNCTION, exact=True)
            code = _machine.assemble(text, 0) if self._long else _machine.assemble(text)
            if self._cache is not None:
                write_entry(self._cache, self._key, code)
            self._take(code)
