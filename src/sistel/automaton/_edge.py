"""An edge of an automaton: one transition, its condition, and what it makes of a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sistel.once import once_property

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton
    from sistel.automaton._conditions import Condition
    from sistel.automaton._mode import Mode
    from sistel.expr import Program
    from sistel.model import Transition


@dataclass(frozen=True, eq=False, repr=False)
class Edge:
    """A transition between modes."""

    automaton: Automaton
    transition: Transition

    @property
    def sources(self) -> tuple[Mode, ...]:
        """The modes that it may leave."""
        names = self.transition.sources
        return tuple(mode for mode in self.automaton.modes if not names or mode.name in names)

    def target(self, source: Mode) -> Mode:
        """The mode that it leads to from another; ticks lead back to where they come from."""
        name = self.transition.target
        return self.automaton.mode(self.automaton.model.structure(name)) if name else source

    @once_property
    def condition(self) -> Condition:
        """Functions whose zeros are watched, and what their signs say."""
        from sistel.automaton._conditions import read_condition

        return read_condition(self.transition.condition)

    @once_property
    def searched(self) -> bool:
        """Whether its impact has to be searched for: then no program gives the state after it."""
        from sistel.automaton._impacts import decides

        return decides(self.automaton, self.transition)

    def map(self, source: Mode) -> tuple[Program, tuple[str, ...]]:
        """Y → the state after it, the loss of energy and impulses; and the links whose impulses these are.

        Raises:
            SistelError: The impact has to be searched for.
        """
        from sistel.automaton._transition_programs import derive_passage

        program, names = derive_passage(
            self.automaton, self.transition, source.structure, self.target(source).structure
        )
        return self.automaton.hoist(program), names

    def __repr__(self) -> str:
        names = ", ".join(self.transition.sources) or "*"
        return f"<Edge {self.transition.name!r}: {names} → {self.transition.target}>"
