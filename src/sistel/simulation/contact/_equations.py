"""Compiled equations of a structure whose contacts, stops and dry friction make structures of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sistel.automaton import ContactMode, Statuses, asks_dynamics, split
from sistel.expr import Graph
from sistel.kernels import USER, Native, compile_taylor
from sistel.mechanics import coordinate_rates, expressions
from sistel.once import COMPILING, once_property
from sistel.records import entry
from sistel.simulation._compiled_structure import flow_series
from sistel.simulation._programs import kernel, native

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.expr import Program
    from sistel.kernels import Kernel, Taylor
    from sistel.model import Transition

LONG_FLOW = 2000
"""Lines of a flow, from which a table comes before machine code. Without contacts they are fewer: runs with them are
many and short, and would rather wait a quarter of a second once than take half as long again every time."""
LONG = 1000
"""Lines of what runs at events, from which a table of it is read: there may be many events, but never so many that code
that takes seconds to make would pay."""
LONG_LOOK = 6000
"""The same for what every problem is made of, which runs two or three times an event: machine code of so many lines
takes half a second to make once, and a twentieth of the table's time to run."""


@entry
class Strike:
    """What an element does that strikes alone, or a tick."""

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
    ticks: dict[str, Strike] = field(default_factory=dict)
    """What ticks of clocks do, by their names."""
    steps_taken: int = 0
    """Steps that were taken with its series."""
    stands: list[Statuses] = field(default_factory=list)
    """Statuses of all elements that were met so far."""
    stand_names: list[str] = field(default_factory=list)
    """Names of the structures that they make."""

    @once_property
    def taylor(self) -> Taylor:
        """The flow as series."""
        return flow_series(self.mode.modes.program, self.order, LONG_FLOW)

    def tick(self, transition: Transition) -> Strike:
        """What a tick of a clock does."""
        with COMPILING:
            found = self.ticks.get(transition.name)
            if found is None:
                automaton = self.mode.automaton
                if asks_dynamics(automaton.model, transition):
                    program = self.mode.tick(transition)
                else:
                    program, _ = automaton.edge(transition).map(automaton.mode(self.mode.base))
                found = Strike(program, kernel(program, "tick"), native(program))
                self.ticks[transition.name] = found
            return found

    def optimise(self) -> bool:
        """Compile the flow with all optimisation, if that was left out so far; the same bits in less time."""
        with COMPILING:
            if not self.taylor.quick:
                return False
            self.__dict__["taylor"] = compile_taylor(self.mode.modes.program, order=self.order, cache=USER)
            return True

    @once_property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return kernel(self.mode.modes.initial, "modes", LONG)

    @once_property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return native(self.mode.modes.initial)

    @once_property
    def data(self) -> Kernel:
        """What the problems of the elements are made of, at a state."""
        return kernel(self.mode.data, "contacts", LONG_LOOK)

    @once_property
    def press(self) -> Kernel:
        """What hulls on tracks press with, at a state."""
        return kernel(self.mode.press, "press", LONG_LOOK)

    @once_property
    def native_data(self) -> Native:
        """The same as a native function."""
        return native(self.mode.data, LONG_LOOK)

    @once_property
    def rates(self) -> Program:
        """Rates of coordinates: y → rates."""
        model, graph = self.engine.model, Graph()
        q, v, _ = split(model, list(graph.inputs("y", model.state_size)))
        return graph.program({"rates": expressions(graph, coordinate_rates(model, q, v))})

    @once_property
    def native_rates(self) -> Native:
        """The same as a native function."""
        return native(self.rates, LONG)

    @once_property
    def native_anchored(self) -> Native:
        """What the elements find at a state, as a native function."""
        return native(self.mode.found, LONG)

    @once_property
    def base_anchors(self) -> Program:
        """What the links of the structure find at a state."""
        return self.mode.automaton.mode(self.mode.base).anchors()

    @once_property
    def native_base_anchored(self) -> Native:
        """The same as a native function."""
        return native(self.base_anchors, LONG)

    def strike(self, index: int) -> Strike | None:
        """What an element does that strikes alone, compiled when that first happens; None where it is not so simple."""
        if index not in self.strikes:
            line = self.mode.strike(index)
            if line is None:
                return None
            self.strikes[index] = Strike(line, kernel(line, "strike", LONG), native(line, LONG))
        return self.strikes[index]

    @once_property
    def anchored(self) -> Kernel:
        """What the elements find at a state."""
        return kernel(self.mode.found, "anchors", LONG)

    @once_property
    def base_anchored(self) -> Kernel:
        """What the links of the structure find at a state."""
        return kernel(self.base_anchors, "anchors", LONG)

    @once_property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        # A table, however long it takes: in machine code of it, hops of 1e-15 m beside what holds are not always seen.
        return native(self.mode.projection)
