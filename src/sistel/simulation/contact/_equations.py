"""Compiled equations of a structure whose contacts, stops and dry friction make structures of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sistel.automaton import ContactMode
from sistel.kernels import Native, compile_program, compile_taylor, user_cache
from sistel.once import once_property
from sistel.records import entry
from sistel.simulation._compiled_structure import native

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.expr import Program
    from sistel.kernels import Kernel, Taylor


@entry
class Strike:
    """What an element does that strikes alone."""

    program: Program
    kernel: Kernel
    native: Native


@dataclass(eq=False)
class Overlay:
    """A structure of the file with all that its elements may do, compiled once for all their statuses."""

    engine: Engine
    mode: ContactMode
    order: int
    strikes: dict[int, Strike] = field(default_factory=dict)
    """Of elements that have struck alone."""

    @once_property
    def taylor(self) -> Taylor:
        """The flow as machine code."""
        return compile_taylor(self.mode.modes.program, order=self.order, cache=user_cache())

    @once_property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return compile_program(self.mode.modes.initial, name="modes", cache=user_cache())

    @once_property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return native(self.mode.modes.initial)

    @once_property
    def data(self) -> Kernel:
        """What the problems of the elements are made of, at a state."""
        return compile_program(self.mode.data, name="contacts", cache=user_cache())

    def strike(self, index: int) -> Strike | None:
        """What an element does that strikes alone, compiled when that first happens; None where it is not so simple."""
        if index not in self.strikes:
            line = self.mode.strike(index)
            if line is None:
                return None
            self.strikes[index] = Strike(line, compile_program(line, name="strike", cache=user_cache()), native(line))
        return self.strikes[index]

    @once_property
    def anchored(self) -> Kernel:
        """What the elements find at a state."""
        return compile_program(self.mode.found, name="anchors", cache=user_cache())

    @once_property
    def base_anchored(self) -> Kernel:
        """What the links of the structure find at a state."""
        anchors = self.mode.automaton.mode(self.mode.base).anchors()
        return compile_program(anchors, name="anchors", cache=user_cache())

    @once_property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return native(self.mode.projection)
