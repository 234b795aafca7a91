"""What happens at an instant: passing from one structure to another, and coming back to the constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.automaton._driving import driven_motion, forced_by
from sistel.automaton._equations import jumps
from sistel.automaton._impacts import (
    Loads,
    Strike,
    decides,
    derive_strike,
    has_strike,
    no_program,
    nothing,
    single_impulse,
)
from sistel.automaton._meeting import Distance, beginning, distances, meet
from sistel.automaton._reads import asks_dynamics
from sistel.automaton._state import memory_of, split, with_memory
from sistel.control import tick, updated
from sistel.expr import Expr, Graph, Program, absolute, select
from sistel.mechanics import (
    Quantities,
    Scalar,
    anchors,
    clearly_cheaper,
    constraint_rows,
    energies,
    expressions,
    formula_value,
    impact,
    least_changes,
    link_loads,
    looped_axes,
    nudged,
    reactions,
)
from sistel.model import Model, Structure, Transition

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton


AHEAD = 2.0**-51
"""How far ahead forced motions are looked at where they jump, in parts of the time and of 1 s."""


def derive_passage(
    automaton: Automaton, transition: Transition, source: Structure, target: Structure
) -> tuple[Program, tuple[str, ...]]:
    """Program of a transition: y → the state after it, the loss of kinetic energy, the impulses of the links.

    Where links that begin to hold do not meet, there is no state after it: the loss is not a number then.

    Returns:
        The program, and the names of the links whose impulses it gives, six numbers each.

    Raises:
        SistelError: Its impact has to be searched for: see `DecidedPassage`.
    """
    if decides(automaton, transition):
        no_program(transition)
    graph = Graph()
    y = list(graph.inputs("y", automaton.model.state_size))
    way = Way(automaton, transition, source, target, y)
    if has_strike(transition):
        strike = way.strike()
        v, loads = strike.after(single_impulse(automaton, transition, strike) if strike.contacts else [])
    else:
        v, loads = way.plain()
    outputs, names = way.outputs(graph, v, loads)
    return graph.program(outputs), names


class Way:
    """A transition at a state: what it sets, what strikes, and where it ends."""

    def __init__(
        self,
        automaton: Automaton,
        transition: Transition,
        source: Structure,
        target: Structure,
        y: Sequence[Scalar],
        before: Quantities | None = None,
    ) -> None:
        """Set the coordinates; the state before may be known with what is carried in it."""
        self.automaton, self.transition, self.source, self.target, self.y = automaton, transition, source, target, y
        self.model = with_memory(automaton.model, y)
        self.q, self.v, self.t = split(self.model, y)
        self.before = before or self._before()
        # What drives the structure that is entered reads counters and clocks as they stand there.
        self.memory = self._memory()
        entered = with_memory(automaton.model, [*self.q, *self.v, *self.memory, self.t])
        self.setting = replace(automaton.mode(target).setting, model=entered)
        self.new_q = list(self.q)
        for reset in transition.resets:
            place = _place_of(self.model, reset.rate)
            if reset.value is not None and place is not None:
                self.new_q[place] = formula_value(reset.value, self.before.names, self.before)

    def _before(self) -> Quantities:
        """The state just before it; at a tick also what is carried, where the scheme asks for that."""
        if not asks_dynamics(self.model, self.transition):
            return Quantities(self.model, self.automaton.tree, self.q, self.v, self.t)
        setting = replace(self.automaton.mode(self.source).setting, model=self.model)
        motion, drives = driven_motion(setting, self.q, self.v, self.t, signed=True)
        carried = reactions(setting, self.q, self.v, motion)
        return Quantities(
            self.model,
            self.automaton.tree,
            self.q,
            self.v,
            self.t,
            reactions=carried,
            torques=drives,
            accelerations=motion.a,
        )

    def _memory(self) -> list[Scalar]:
        """What is remembered afterwards."""
        model, transition = self.model, self.transition
        values = memory_of(model, self.y)
        if transition.tick or transition.updates:
            changed = tick(self.before, transition.tick) if transition.tick else updated(self.before, transition)
            return [
                changed.get((each.kind, each.name), value) for each, value in zip(model.memory, values, strict=True)
            ]
        for place, each in enumerate(model.memory):
            if each.kind == "entered":
                values[place] = self.t
            elif each.kind == "entries" and each.name == transition.target:
                values[place] = values[place] + 1.0
            for recount in transition.recounts:
                if each.kind == "counter" and each.name == recount.counter:
                    value = recount.value
                    new = None if value is None else formula_value(value, self.before.names, self.before)
                    values[place] = values[place] + 1.0 if new is None else new
        return values

    def distances(self) -> list[Distance]:
        """How far apart the links are that begin to hold."""
        links = beginning(self.model, self.transition, self.source, self.target)
        return distances(self.model, self.automaton.tree, links, self.new_q, self.t)

    def plain(self) -> tuple[list[Scalar], Loads]:
        """Velocities and impulses where nothing strikes: what the entered structure forbids vanishes."""
        if not self.transition.target:
            return list(self.v), {}  # a scheme changes no velocities
        idle = self.transition.impact == "none" or not (self.target.holds or self.target.changes)
        if idle and not _begins_to_force(self.model, self.transition, self.target):
            return list(self.v), {}
        # Where the coordinates have been set: a wheel set back by a spoke strikes with the spoke that stands then.
        forced = forced_by(self.setting, self.new_q, self.v, self.t)
        found = impact(self.setting, self.new_q, self.v, 0.0, self.t, forced=forced)
        pushes = link_loads(found.rows, found.impulses)
        return list(found.v), {name: [*moment, *force] for name, (moment, force) in pushes.items()}

    def strike(self) -> Strike:
        """What the impact is made of."""
        return derive_strike(self.automaton, self.setting, self.transition, self.before, self.new_q, self.v, self.t)

    def outputs(self, graph: Graph, v: Sequence[Scalar], loads: Loads) -> tuple[dict[str, list[Expr]], tuple[str, ...]]:
        """The state after it, the loss of kinetic energy, the impulses of the links; and their names."""
        after = list(v)
        for reset in self.transition.resets:
            if reset.velocity is not None:
                after[reset.rate] = formula_value(reset.velocity, self.before.names, self.before)
        before_energy = energies(self.model, self.q, self.v)[0]
        after_energy = energies(self.model, self.new_q, after)[0]
        loss = before_energy - after_energy
        fits = meet(self.transition, self.distances())
        if fits != 1.0:
            # The state itself stays as it is: what a transition passes on unchanged shows in it.
            loss = select(fits, loss, nothing(loss))
        made = {
            "y": expressions(graph, [*self.new_q, *after, *self.memory, self.t]),
            "loss": expressions(graph, [loss]),
            "impulses": expressions(graph, [entry for load in loads.values() for entry in load]),
        }
        if not loads:
            del made["impulses"]
        return made, tuple(loads)


def _begins_to_force(model: Model, transition: Transition, target: Structure) -> bool:
    """Whether a motion begins to be forced: what is told its velocity has it from then on."""
    sources = transition.sources or [structure.name for structure in model.structures]
    for motion in model.motions:
        everywhere = not motion.structures
        if motion.kp is not None or everywhere or target.name not in motion.structures:
            continue
        if any(source not in motion.structures for source in sources):
            return True
    return False


def _place_of(model: Model, rate: int) -> int | None:
    for body in model.bodies:
        if body.first_v <= rate < body.first_v + body.joint.type.nv:
            return None if body.joint.type.has_quaternion else body.first_q + rate - body.first_v
    raise AssertionError(rate)


def anchor_sizes(automaton: Automaton, structure: Structure) -> dict[str, int]:
    """How many numbers every anchored link of a structure keeps."""
    model = automaton.model
    found = anchors(model, automaton.tree, structure, list(model.start.q))
    return {name: len(values) for name, values in found.items()}


def anchor_inputs(automaton: Automaton, structure: Structure, graph: Graph) -> dict[str, Sequence[Scalar]]:
    """The block of inputs "p": what every anchored link of a structure has found."""
    sizes = anchor_sizes(automaton, structure)
    p = list(graph.inputs("p", max(1, sum(sizes.values()))))
    found: dict[str, Sequence[Scalar]] = {}
    start = 0
    for name, size in sizes.items():
        found[name] = p[start : start + size]
        start += size
    return found


def derive_anchors(automaton: Automaton, structure: Structure) -> Program:
    """Program of what the anchored links of a structure find: y → p."""
    model = automaton.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    found = anchors(model, automaton.tree, structure, y[: model.nq])
    return graph.program({"p": expressions(graph, [value for values in found.values() for value in values])})


def derive_projection(automaton: Automaton, structure: Structure) -> Program:
    """Program of one step back to the constraints: (y, p) → the corrected state, and how far off it was.

    Positions and velocities are moved as little as the metric of M allows; quaternions get their length back.
    """
    setting = automaton.mode(structure).setting
    axes = looped_axes(setting)
    if axes is None:
        return _projection(automaton, structure, None)
    looped = _projection(automaton, structure, axes)
    if clearly_cheaper(setting.tree, looped):
        return looped
    return min(_projection(automaton, structure, None), looped, key=lambda made: made.count().weighted)


def _projection(automaton: Automaton, structure: Structure, looped: frozenset[int] | None) -> Program:
    """The step by the mass matrix, or by articulated bodies with hinges that share axes."""
    model, tree = automaton.model, automaton.tree
    setting = automaton.mode(structure).setting
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    known = replace(setting, model=with_memory(model, y))
    kept = anchor_inputs(automaton, structure, graph)
    every = constraint_rows(model, tree, structure, q, v, t=t, found=kept, shared=looped or frozenset())
    rows = setting.kept(every)
    forced = forced_by(known, q, v, t)
    if any(jumps(graph, row.drift) for row in forced):
        # A step that ends where a forced velocity jumps ends with the new one, though rounding lay a little before.
        forced = forced_by(known, q, v, t + AHEAD * (1.0 + absolute(t)))
    rows += forced
    for row in rows:
        row.drag = None
    changes = least_changes(tree, q, rows, model.nv, looped)
    shift = changes([-row.value for row in rows])
    slow = changes([-row.speed(v) for row in rows])
    new_q = nudged(model, q, q, shift)
    new_v = [a + b for a, b in zip(v, slow, strict=True)]
    off: Scalar = 0.0
    for row in rows:
        off = off + row.value * row.value
    outputs = {"y": expressions(graph, [*new_q, *new_v, *memory_of(model, y), t]), "off": expressions(graph, [off])}
    return graph.program(outputs)
