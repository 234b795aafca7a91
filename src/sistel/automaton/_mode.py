"""A mode of an automaton: one structure, its equations, what it watches and what brings it back to its constraints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sistel.once import once_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.automaton._automaton import Automaton
    from sistel.automaton._carried import Table
    from sistel.automaton._equations import Exit
    from sistel.expr import Program
    from sistel.markup import Expression
    from sistel.mechanics import Mobility, Quantities, Setting, Variant
    from sistel.model import Contact, Structure


@dataclass(frozen=True, eq=False, repr=False)
class Mode:
    """The equations of one structure. Everything is derived when it is first asked for."""

    automaton: Automaton
    structure: Structure
    applied: bool = True
    """Whether what the file lets act beside weight acts."""

    @property
    def name(self) -> str:
        """Of the structure."""
        return self.structure.name

    @property
    def is_tree(self) -> bool:
        """Whether nothing holds beside the joints of the tree."""
        from sistel.mechanics import DirectedStructure

        sticks = isinstance(self.structure, DirectedStructure) and self.structure.grips
        return not (self.structure.holds or self.structure.changes or sticks)

    # --- what equations are derived for ------------------------------------------------------------------------------

    @once_property
    def whole(self) -> Setting:
        """What holds and acts, with all constraints."""
        from sistel.mechanics import Setting

        automaton = self.automaton
        return Setting(model=automaton.model, tree=automaton.tree, structure=self.structure, applied=self.applied)

    @once_property
    def setting(self) -> Setting:
        """The same, constraints that say nothing new left out."""
        if self.is_tree:
            return self.whole
        from sistel.mechanics import row_weights

        found = replace(self.whole, redundant=frozenset(self.mobility.redundant))
        fixed = self.automaton.fixed
        if fixed is None:
            return replace(found, weights=row_weights(found))
        numbers = fixed.mode(self._plain, self.applied).setting
        return replace(found, numbers=numbers, weights=numbers.weights)

    @once_property
    def mobility(self) -> Mobility:
        """Rank of the constraints at the start of the file."""
        from sistel.mechanics import mobility

        return mobility((self.automaton.fixed or self.automaton).model, self._plain)

    @property
    def _plain(self) -> Structure:
        """The structure in plain numbers."""
        model = (self.automaton.fixed or self.automaton).model
        return next((one for one in model.structures if one.name == self.name), self.structure)

    @once_property
    def timed(self) -> bool:
        """Whether the equations contain the time."""
        from sistel.mechanics import depends_on_time

        return depends_on_time(self.automaton.model, self.structure, self.applied)

    # --- graphs of given states --------------------------------------------------------------------------------------

    @once_property
    def variant(self) -> Variant:
        """The formulation of the motion with the fewest operations; its program gives accelerations."""
        from sistel.mechanics import derive_structure

        return derive_structure(self.setting)

    def reactions(self) -> tuple[Program, tuple[str, ...]]:
        """What joints and links carry, and their names."""
        from sistel.mechanics import derive_structure_reactions

        return derive_structure_reactions(self.setting)

    def impact(self) -> tuple[Program, tuple[str, ...]]:
        """Velocities after all that holds begins to hold at once, impulses, and the names of the links."""
        from sistel.mechanics import derive_impact

        return derive_impact(self.setting)

    def constraints(self) -> Program:
        """Values, Jacobian, biases and drifts of all constraints."""
        from sistel.mechanics import derive_constraints

        return derive_constraints(self.whole)

    def posture_constraints(self) -> tuple[Program, tuple[int, ...]]:
        """(y, p) → values, Jacobian and drifts of all constraints, then of forced motions; the velocities of those."""
        from sistel.automaton._outputs import posture_constraints

        return posture_constraints(self.automaton, self.structure)

    def loads(self, pushed: bool = False) -> tuple[Program, tuple[str, ...]]:
        """Y → driving forces, loads of joints and links, normal forces, a margin; the names of the loads."""
        from sistel.automaton._outputs import loads

        return loads(self.automaton, self.structure, pushed)

    @property
    def is_shared(self) -> bool:
        """Whether what contacts carry is found in numbers, state by state: see `_carried`."""
        from sistel.automaton._carried import is_shared

        return is_shared(self)

    @once_property
    def posed(self) -> tuple[Program, Table]:
        """What decides on its motion, row by row, and what its numbers stand for: see `_carried`."""
        from sistel.automaton._carried import equations

        return equations(self)

    def shared_values(self, asked: Sequence[Expression]) -> Program:
        """Y, m (multipliers of all rows), a (accelerations) → values of expressions of the language."""
        from sistel.automaton._carried import values

        return values(self, self.posed[1], asked)

    def shared_loads(self) -> tuple[Program, tuple[str, ...]]:
        """Y, m, a → driving forces, loads of joints and links, normal forces; the names of the loads."""
        from sistel.automaton._carried import loads

        return loads(self, self.posed[1])

    def gaps(self, contacts: Sequence[Contact]) -> Program:
        """Y → gaps of some contacts."""
        from sistel.automaton._outputs import gaps

        return gaps(self.automaton, contacts)

    def quantities(self, asked: Sequence[Expression], margin: bool = False) -> Program:
        """Y → values of expressions of the language, and with `margin` that of loads, where some are asked for.

        The block y has what they remember and a run does not.
        """
        from sistel.automaton._outputs import quantities

        return quantities(self.automaton, self.structure, asked, margin)

    def singular_state(self, y: Sequence[float], asked: Sequence[Expression] = ()) -> Quantities:
        """What is carried in a state whose posture makes constraints depend on each other."""
        from sistel.automaton._outputs import singular_state

        return singular_state(self.automaton, self.structure, y, asked)

    # --- graphs of motions -------------------------------------------------------------------------------------------

    @once_property
    def exits(self) -> tuple[Exit, ...]:
        """The edges that may leave it, the most urgent first, with their conditions."""
        from sistel.automaton._equations import exits_of

        return exits_of(self.automaton.model, self.structure)

    def flow(self, pushed: bool = False) -> Program:
        """Y → dy, g: rates of the state, and the functions that the conditions of the exits watch.

        With `pushed`, forces of hands act too: see `Hands`.
        """
        from sistel.automaton._equations import derive_equations

        return derive_equations(self.automaton, self.structure, pushed).flow

    def projection(self) -> Program:
        """One step back to the constraints: y, p → a state nearer to them."""
        from sistel.automaton._transition_programs import derive_projection

        return self.automaton.hoist(derive_projection(self.automaton, self.structure))

    def anchors(self) -> Program:
        """What links that hold a place find there."""
        from sistel.automaton._transition_programs import derive_anchors

        return self.automaton.hoist(derive_anchors(self.automaton, self.structure))

    @once_property
    def anchor_count(self) -> int:
        """How many numbers its links keep of the places they hold."""
        from sistel.automaton._transition_programs import anchor_sizes

        return sum(anchor_sizes(self.automaton, self.structure).values())

    @once_property
    def forced(self) -> bool:
        """Whether a motion is forced in it."""
        from sistel.automaton._equations import has_forced

        return has_forced(self.automaton.model, self.structure)

    @once_property
    def corrects(self) -> bool:
        """Whether steps end with a correction: of constraints, or of the length of quaternions."""
        turns = any(body.joint.type.has_quaternion for body in self.automaton.model.bodies)
        return not self.is_tree or self.forced or turns

    def __repr__(self) -> str:
        return f"<Mode {self.name!r} of {self.automaton.model.name!r}>"
