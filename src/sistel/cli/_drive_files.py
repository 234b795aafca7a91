"""Files of `sistel drive`: programs, reports, and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.cli._console import Console

if TYPE_CHECKING:
    from sistel.drives import Emulation, Program
    from sistel.system import System


def text_of(kind: str, system: System, program: Program, emulated: Emulation | None, console: Console) -> str:
    """The text of a file of a kind."""
    if kind in program.files:
        return program.files[kind]
    if kind == ".report.csv":
        from sistel.views.drives import plan_csv

        return plan_csv(program.plan, console.lang)
    if kind == ".table.html":
        assert emulated is not None
        return emulated.table().html(lang=console.lang)
    raise NotImplementedError(kind)
