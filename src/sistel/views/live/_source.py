"""Kernels of a page: one script that registers all of them, and what their arguments are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels import to_js
from sistel.views._page_data import KernelBlocks

if TYPE_CHECKING:
    from sistel.expr import Program

REGISTER = "sistelKernels"
"""The function that the script calls with its kernels: a property of the global object while the script runs."""


class Source:
    """Collects kernels; equal programs are printed once."""

    def __init__(self) -> None:
        """There are none yet."""
        self.texts: list[str] = []
        self.kernels: list[KernelBlocks] = []
        self._known: dict[str, int] = {}

    def add(self, program: Program) -> int | None:
        """The number of a program's kernel; None for one that computes nothing."""
        if not program.outputs:
            return None
        key = program.fingerprint()
        if key not in self._known:
            number = self._known[key] = len(self.kernels)
            self.texts.append(to_js(program, f"k{number}", module=False, compact=True))
            self.kernels.append(
                {
                    "inputs": [(name, size) for name, size in program.inputs],
                    "outputs": [(name, size) for name, size in program.outputs],
                }
            )
        return self._known[key]

    @property
    def text(self) -> str:
        """The script."""
        names = ",".join(f"k{number}" for number in range(len(self.kernels)))
        return "".join(
            ['(function(register){"use strict";\n', *self.texts, f"register([{names}]);\n}})({REGISTER});\n"]
        )
