"""The hybrid automaton of a system: modes, edges, clocks, and the state that they share.

What a file describes is a *hybrid automaton*: in each of its modes (a structure) the state flows by equations of its
own, on the condition of an edge (a transition) it is mapped into another mode. The automaton is a value, made once of a
model; its graphs are derived when somebody first asks for them. Whoever simulates, compiles, prints or draws equations
of motion reads them here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sistel import shown
from sistel.automaton._edge import Edge
from sistel.automaton._mode import Mode
from sistel.automaton._signals import Clock, Parameter, Signal
from sistel.expr import LIVE, Prologue
from sistel.once import COMPILING, once_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.automaton._contact_equations import ContactMode
    from sistel.expr import Expr, Program
    from sistel.mechanics import Tree
    from sistel.model import Contact, LiveModel, Model, Structure, Transition
    from sistel.pose import Rotation, Vector3

STATE: Final = ("q", "v", "a")
"""Blocks of inputs in the order in which calls give them."""
STRAIGHT_LINE: Final = 60
"""Velocities up to which equations become straight-line machine code; beyond, its length and compile time explode."""


@dataclass(frozen=True, eq=False, repr=False)
class Automaton:
    """What a system is to all that reads its equations."""

    model: Model
    fixed: Automaton | None = None
    """Of a model whose parameters are live: the same in plain numbers, on which choices are made."""
    _modes: dict[tuple[str, bool], Mode] = field(default_factory=dict)
    _contact_modes: dict[tuple[str, bool], ContactMode] = field(default_factory=dict)

    # --- what there is -----------------------------------------------------------------------------------------------

    @once_property
    def state(self) -> tuple[Signal, ...]:
        """The numbers of a state in their order: coordinates, velocities, what is remembered, the time."""
        from sistel.automaton._signals import state_of

        return state_of(self.model)

    @property
    def inputs(self) -> tuple[Signal, ...]:
        """What comes from outside: the inputs of schemes."""
        from sistel.automaton._signals import inputs_of

        return inputs_of(self.model)

    @once_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the file, and whether equations follow them."""
        from sistel.automaton._signals import parameters_of

        return parameters_of(self.model)

    @once_property
    def outputs(self) -> tuple[Signal, ...]:
        """What follows from a state: energies, and what motors, joints and links carry."""
        from sistel.automaton._signals import outputs_of

        return outputs_of(self.model)

    @once_property
    def modes(self) -> tuple[Mode, ...]:
        """A mode for every structure of the file, in its order."""
        return tuple(self.mode(structure) for structure in self.model.structures)

    @once_property
    def edges(self) -> tuple[Edge, ...]:
        """An edge for every transition of the file, in its order."""
        return tuple(Edge(self, transition) for transition in self.model.transitions)

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """What ticks at instants of its own: the schemes that have a period, the quickest first."""
        from sistel.automaton._signals import clocks_of

        return clocks_of(self.model)

    @property
    def start(self) -> Mode:
        """The mode that a motion begins in."""
        return self.mode(self.model.structure())

    def structure(self, name: str) -> Structure:
        """A structure of the file, or one that contacts have made, by its name."""
        for structure in self.model.structures:
            if structure.name == name:
                return structure
        from sistel.automaton._contact_names import read_structure_name, structure_of

        return structure_of(self.model, *read_structure_name(self.model, name))

    def mode(self, structure: Structure, applied: bool = True) -> Mode:
        """The mode of a structure, with or without what the file lets act beside weight."""
        # Of threads that come here at once, all go on with the mode of the first.
        key = structure.name, applied
        return self._modes.get(key) or self._modes.setdefault(key, Mode(self, structure, applied))

    def edge(self, transition: Transition) -> Edge:
        """The edge of a transition."""
        return next((edge for edge in self.edges if edge.transition is transition), Edge(self, transition))

    def contact_mode(self, structure: Structure, *, seated: bool = False) -> ContactMode:
        """The equations of a structure with all that contacts, stops and dry friction may do in it.

        With `seated`, rows take seats where they are many: fewer equations, see `Layout`.
        """
        from sistel.automaton._contact_equations import ContactMode

        key = structure.name, seated
        return self._contact_modes.get(key) or self._contact_modes.setdefault(key, ContactMode(self, structure, seated))

    # --- graphs of the tree of bodies --------------------------------------------------------------------------------

    @once_property
    def tree(self) -> Tree:
        """The links of the bodies: the same for all who ask of this model, for searches are remembered by it."""
        from sistel.mechanics import tree_of

        return tree_of(self.model)

    @property
    def feeds_back(self) -> bool:
        """Whether what acts reads accelerations or what is carried."""
        from sistel.automaton._feedback import feeds_back

        return feeds_back(self.model)

    @property
    def large(self) -> bool:
        """Whether the system is too large for straight-line code."""
        return self.model.nv > STRAIGHT_LINE

    def hoist(self, program: Program, block: str = LIVE) -> Program:
        """A derived program without what live parameters alone determine, which it reads as a block of inputs."""
        return program

    def quantity(self, name: str) -> Program:
        """What computes a quantity of the tree of bodies from q, v and what goes with them."""
        from sistel import mechanics

        own = {
            "elastic": mechanics.derive_elastic,
            "energies": mechanics.derive_energies,
            "momentum": mechanics.derive_momentum,
        }
        if name == "applied_forces":
            mode = self.mode(self.model.structure())
            return mechanics.derive_applied(mode.setting if mechanics.rubbing(self.model) else mode.whole)
        return own[name](self.model, self.tree) if name in own else mechanics.derive(self.tree, name)

    def frame_quantity(self, name: str, body: int, p: Vector3, R: Rotation) -> Program:
        """What computes the pose, the Jacobian or its rate of a frame fixed in a body."""
        from sistel import mechanics

        if name == "jacobian_rate":
            return mechanics.derive_jacobian_rate(self.tree, body, p)
        return mechanics.derive_frame(self.tree, name, body, p, R)

    def together(self, parts: Sequence[Program]) -> Program:
        """Several derived programs as one: what they share is computed once."""
        from sistel.expr import Graph, replay
        from sistel.mechanics import expressions

        graph = Graph()
        outputs: dict[str, list[Expr]] = {}
        sizes = {name: size for part in parts for name, size in part.inputs}
        blocks: dict[str, list[Expr]] = {name: graph.inputs(name, sizes[name]) for name in STATE if name in sizes}
        for number, part in enumerate(parts):
            found = replay(part, *(blocks[name] for name, _ in part.inputs))
            outputs[f"part{number}"] = expressions(graph, [entry for block in found for entry in block])
        return graph.program(outputs)

    # --- graphs of what is shown -------------------------------------------------------------------------------------

    def poses(self) -> Program:
        """Poses of all bodies in the world, by number: q → rows of 3×4 matrices, the ground left out."""
        from sistel.automaton._outputs import poses

        return poses(self)

    def twists(self) -> Program:
        """How every velocity moves what hangs on it: q → its turn, and what it gives the origin of W."""
        from sistel.automaton._outputs import twists

        return twists(self)

    def rays(self) -> Program:
        """Both ends of all rays of sensors in the world: q → six numbers for each [m]."""
        from sistel.automaton._outputs import rays

        return rays(self)

    def places(self, points: Sequence[tuple[int, Vector3]], axes: str = "xyz") -> Program:
        """Places in the world of points of bodies: q → for each point its components along some axes [m]."""
        from sistel.automaton._outputs import places

        return places(self, points, axes)

    def touching(self, contacts: Sequence[Contact]) -> Program:
        """Where contacts touch, or would, in the world: y → three numbers for each [m]."""
        from sistel.automaton._outputs import touching

        return touching(self, contacts)

    def energies(self) -> Program:
        """(q, v) → kinetic and potential energy with that of springs [J], and the centre of mass [m]."""
        from sistel.mechanics import derive_energies

        return derive_energies(self.model, self.tree, springs=True)

    def forces_of_load(self, body: int, p: Vector3) -> Program:
        """The forces that a load of 1 kg at a point of a body asks for: (q, v, a) → nv numbers [N or N·m]."""
        from sistel.automaton._outputs import forces_of_load

        return forces_of_load(self, body, p)

    def __str__(self) -> str:
        return str(shown.ask("automaton", self))

    def __repr__(self) -> str:
        return f"<Automaton of {self.model.name!r}: {len(self.model.structures)} modes, {len(self.edges)} edges>"


@dataclass(frozen=True, eq=False, repr=False)
class LiveAutomaton(Automaton):
    """As `Automaton`, of a model whose numbers follow live parameters.

    What it derives has one more block of inputs: `expr.LIVE`, the values of the parameters.
    """

    prologue: Prologue = field(default_factory=lambda: Prologue(LIVE, 0))
    """What parameters alone determine, computed once for all programs."""

    @classmethod
    def of(cls, live: LiveModel) -> LiveAutomaton:
        """Of a model with live parameters; choices are made on what it is in numbers today."""
        return cls(live.model, Automaton(live.plain), prologue=Prologue(LIVE, len(live.names)))

    @property
    def block_size(self) -> int:
        """How many numbers parameters alone determine, by now."""
        return len(self.prologue)

    def line(self) -> Program:
        """What computes them from the parameters; it grows with every program that is derived."""
        return self.prologue.program()

    def hoist(self, program: Program, block: str = LIVE) -> Program:
        """As of an automaton; what is taken out is computed once for all programs of this one."""
        with COMPILING:
            return self.prologue.split(program, block)
