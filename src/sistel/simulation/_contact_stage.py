"""One flow for all that contacts, stops and dry friction may do in a structure of the file.

The constraint rows of all elements are derived once. Which of them hold, which way friction acts and what is watched
are *numbers* of the block "p", so that one compiled flow serves all combinations: a row that is switched off is zero
and has a one on the diagonal of the equations for the multipliers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sistel.expr import Expr, Graph, Modes, Program, absolute, program, split_modes, sqrt
from sistel.kernels import compile_program, compile_taylor, user_cache
from sistel.markup import Number
from sistel.mechanics import (
    Quantities,
    Setting,
    constraint_rows,
    coordinate_rates,
    expression_value,
    mass_matrix,
    reactions,
    solve_constrained,
    structure_dynamics,
)
from sistel.mechanics._constrained import Solution
from sistel.mechanics._derive import expressions
from sistel.mechanics._linear import inner
from sistel.mechanics._rows import Row
from sistel.mechanics._vectors import Scalar, minus, plus, times
from sistel.model import Model, Structure, Transition
from sistel.simulation._complementarity import Status
from sistel.simulation._conditions import FALLS, Condition, Leaf
from sistel.simulation._contact_layout import Layout
from sistel.simulation._elements import (
    GRIP,
    STOP,
    Element,
    ElementRows,
    element_rows,
    elements_of,
    held_values,
    smooth_model,
)
from sistel.simulation._holding import masked_row, solve_holding
from sistel.simulation._machine import Machine, Native, native
from sistel.simulation._maps import anchor_sizes, derive_anchors
from sistel.simulation._memory import memory_of, split, with_memory
from sistel.simulation._stage import Exit, Stage, exits_of, setting_of, uses_reactions
from sistel.units import Dimension

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine
    from sistel.kernels import Kernel, Taylor

    Array = NDArray[np.float64]


@dataclass(eq=False)
class Overlay:
    """A structure of the file, and all that elements may do in it."""

    engine: Engine
    base: Structure
    order: int
    _exits: dict[tuple[Status, ...], tuple[Exit, ...]] = field(default_factory=dict)

    @cached_property
    def layout(self) -> Layout:
        """Its elements."""
        return Layout(elements_of(self.engine.model), self.engine.model.planar)

    @cached_property
    def smooth(self) -> Model:
        """The system without dry friction in its joints, which elements carry."""
        return smooth_model(self.engine.model)

    @cached_property
    def setting(self) -> Setting:
        """What holds and acts without the elements."""
        return replace(setting_of(self.engine, self.base), model=self.smooth)

    @cached_property
    def written(self) -> tuple[Exit, ...]:
        """The transitions of the file that leave the structure."""
        return exits_of(self.engine.model, self.base)

    @cached_property
    def first_leaf(self) -> int:
        """Index of the first watched function of the elements: those of the file come before."""
        return sum(len(each.condition.leaves) for each in self.written)

    def rows(self, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar) -> list[ElementRows]:
        """The rows of all elements."""
        model, tree = self.setting.model, self.engine.tree
        return [element_rows(model, tree, element, q, v, t) for element in self.layout.elements]

    # --- the flow --------------------------------------------------------------------------------------------------

    @cached_property
    def flow(self) -> Program:
        """y, p → dy, g: rates, and the watched functions of the file and of the elements."""
        model, layout = self.engine.model, self.layout
        graph = Graph()
        y = list(graph.inputs("y", model.state_size))
        q, v, t = split(model, y)
        model = with_memory(self.smooth, y)
        p = list(graph.inputs("p", layout.size))
        rows = self.rows(q, v, t)
        masked, forces, slips = self._masked(rows, v, p)
        drives = self.setting.drives

        def act(state: Quantities) -> tuple[list[Scalar], list[Row]]:
            driving, forced = ([0.0] * model.nv, []) if drives is None else drives(state)
            return [plus(a, b) for a, b in zip(driving, forces, strict=True)], [*forced, *masked]

        setting = replace(self.setting, drives=act, model=model)
        torques: dict[int, Scalar] = {}

        def solve(
            M: Sequence[Sequence[Scalar]], force: Sequence[Scalar], held: Sequence[Row], demands: Sequence[Scalar]
        ) -> Solution:
            found, needed = solve_holding(M, force, held, demands, self._holds(p))
            torques.update(needed)
            return found

        motion = structure_dynamics(setting, q, v, [0.0] * model.nv, t, solve)
        loads = self._shared(self._carried(motion.multipliers, torques, p), p)
        leaves: list[Scalar] = []
        if self.written:
            conditions = [each.condition for each in self.written]
            carried = reactions(setting, q, v, motion) if uses_reactions(conditions) else None
            driving = None if drives is None else drives(Quantities(model, self.engine.tree, q, v, t))[0]
            state = Quantities(model, self.engine.tree, q, v, t, reactions=carried, torques=driving)
            for condition in conditions:
                for leaf in condition.leaves:
                    sides = (expression_value(side, state.names, state) for side in (leaf.left, leaf.right))
                    leaves.append(minus(*sides))
        leaves += self._watched(rows, loads, slips, p)
        rates = [*coordinate_rates(model, q, v), *motion.a, *[0.0] * len(model.memory), 1.0]
        outputs: dict[str, list[Expr]] = {"dy": expressions(graph, rates), "g": expressions(graph, leaves)}
        return program(graph, outputs)

    def _masked(
        self, rows: Sequence[ElementRows], v: Sequence[Scalar], p: Sequence[Scalar]
    ) -> tuple[list[Row], list[Scalar], list[list[Scalar]]]:
        """All rows, which p switches on; forces of joints that slide; velocities along all tangents."""
        layout, places = self.layout, self.layout.places
        made: list[Row] = []
        forces: list[Scalar] = [0.0] * len(v)
        slips: list[list[Scalar]] = []
        for i, (element, each) in enumerate(zip(layout.elements, rows, strict=True)):
            slip = [inner(row.J, v) for row in each.tangents]
            slips.append(slip)
            if element.contact is not None:
                assert each.normal is not None
                normal = masked_row(each.normal, p[places["mask", layout.normals[i], 0]])
                if layout.slides(i):
                    pull = p[places["pull", i, 0]]
                    pulls: list[Scalar] = [pull]
                    if element.tangents == 2:
                        square = plus(inner(slip, slip), p[places["rests", i, 0]])
                        against = minus(0.0, pull) / sqrt(square)
                        pulls = [times(against, x) for x in slip]
                    drag: list[Scalar] = [0.0] * len(v)
                    for share, row in zip(pulls, each.tangents, strict=True):
                        drag = [plus(a, times(share, b)) for a, b in zip(drag, row.J, strict=True)]
                    normal.drag = drag
                made.append(normal)
            else:
                if element.kind == GRIP:
                    forces[element.rate] = plus(forces[element.rate], p[places["pull", i, 0]])
                continue
            for at, row in zip(layout.tangents[i], each.tangents, strict=True):
                made.append(masked_row(row, p[places["mask", at, 0]]))
        return made, forces, slips

    def _holds(self, masks: Sequence[Scalar]) -> dict[int, Scalar]:
        """For every velocity that a stop or dry friction may hold: 1 where one does, else 0."""
        found: dict[int, Scalar] = {}
        for i, element in enumerate(self.layout.elements):
            if element.contact is None:
                row = max(self.layout.normals[i], *self.layout.tangents[i], -1)
                found[element.rate] = plus(found.get(element.rate, 0.0), masks[row])
        return found

    def _carried(
        self, multipliers: Sequence[Scalar], torques: Mapping[int, Scalar], p: Sequence[Scalar]
    ) -> list[Scalar]:
        """The multipliers of all rows: those of contacts, and what holds velocities still."""
        layout = self.layout
        contacts = [i for i, element in enumerate(layout.elements) if element.contact is not None]
        count = sum(1 + layout.elements[i].tangents for i in contacts)
        found = iter(multipliers[len(multipliers) - count :])
        made: list[Scalar] = []
        for i, element in enumerate(layout.elements):
            if element.contact is not None:
                made += [next(found) for _ in range(1 + element.tangents)]
                continue
            row = max(layout.normals[i], *layout.tangents[i], -1)
            force = torques[element.rate] if element.kind == GRIP else times(-element.outward, torques[element.rate])
            made.append(times(p[layout.places["mask", row, 0]], force))
        return made

    def _shared(self, multipliers: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """What every row carries, where some of them have left their part to others."""
        count = self.layout.count
        if count < 2:
            return list(multipliers)
        start = self.layout.places["share", 0, 0]
        return [inner(p[start + i * count : start + (i + 1) * count], multipliers) for i in range(count)]

    def _watched(
        self,
        rows: Sequence[ElementRows],
        loads: Sequence[Scalar],
        slips: Sequence[Sequence[Scalar]],
        p: Sequence[Scalar],
    ) -> list[Scalar]:
        """Functions that are positive while the elements keep their statuses."""
        layout, places = self.layout, self.layout.places
        made: list[Scalar] = []
        for leaf, (i, which) in enumerate(layout.leaves):
            element, each = layout.elements[i], rows[i]
            free, moving, held = (p[places["leaf", leaf, part]] for part in range(3))
            if which == "normal":
                assert each.normal is not None
                value, load = each.normal.value, loads[layout.normals[i]]
            elif element.tangents == 2:
                along = [loads[row] for row in layout.tangents[i]]
                most = times(element.friction or 0.0, loads[layout.normals[i]])
                value = inner(slips[i], slips[i])
                load = minus(times(most, most), inner(along, along))
            else:
                low = which == "low"
                value = slips[i][0] if low else 0.0
                load = 0.0
                group = layout.partners[i]
                for j in group or (i,):
                    other = layout.elements[j]
                    bound: Scalar = element.bound
                    if other.kind != GRIP:
                        bound = times(other.friction or 0.0, loads[layout.normals[j]])
                    pull = loads[layout.tangents[j][0]]
                    part = minus(bound, pull) if low else plus(bound, pull)
                    load = plus(load, times(p[places["group", i, j]], part) if len(group) > 1 else part)
            made.append(plus(free, plus(times(moving, value), times(held, load))))
        return made

    @cached_property
    def modes(self) -> Modes:
        """The flow with comparisons frozen."""
        return split_modes(self.flow)

    @cached_property
    def taylor(self) -> Taylor:
        """The flow as machine code."""
        return compile_taylor(self.modes.program, order=self.order, cache=user_cache())

    @cached_property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return compile_program(self.modes.initial, name="modes", cache=user_cache())

    @cached_property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return native(self.modes.initial)

    def exits(self, structure: Structure, statuses: tuple[Status, ...]) -> tuple[Exit, ...]:
        """What may end a structure: the transitions of the file, then what the elements do."""
        if statuses not in self._exits:
            made = list(self.written)
            for leaf, (i, _) in enumerate(self.layout.leaves):
                word = self.layout.word(leaf, statuses)
                made.append(_exit(self.layout.elements[i], word, structure, self.first_leaf + leaf))
            self._exits[statuses] = tuple(made)
        return self._exits[statuses]

    # --- what the complementarity problems are made of -------------------------------------------------------------

    @cached_property
    def data(self) -> Kernel:
        """See `derive_data`."""
        return compile_program(self.derive_data(), name="contacts", cache=user_cache())

    def derive_data(self) -> Program:
        """Program of what the complementarity problems are made of: y → gap, u, size, G, a, P, axes, free.

        With r rows: gap, the distances (of rows of normals, else 0) [m or rad]; u, the velocities (r); size, the sum
        of the sizes of the terms of every velocity (r); G, the response of the velocities to impulses (r × r); a, the
        accelerations without the elements (r); P, the response of v to impulses (r × nv); axes, moment and force of
        a unit multiplier in W (r × 6); free, the accelerations without the elements (nv). All of them under what the
        structure holds.
        """
        model = self.engine.model
        graph = Graph()
        y = list(graph.inputs("y", model.state_size))
        q, v, t = split(model, y)
        model = with_memory(self.smooth, y)
        setting = replace(self.setting, model=model)
        motion = structure_dynamics(setting, q, v, [0.0] * model.nv, t)
        M, held = mass_matrix(self.engine.tree, q), setting.rows(q, v, t)
        for row in held:
            row.drag, row.dragged = None, ()
        if setting.drives is not None:
            held = [*held, *setting.drives(Quantities(model, self.engine.tree, q, v, t))[1]]
        rows = [
            row for each in self.rows(q, v, t) for row in ([] if each.normal is None else [each.normal]) + each.tangents
        ]
        P = [solve_constrained(M, row.J, held, [0.0] * len(held)).x for row in rows]
        sizes = [inner([absolute(x) for x in row.J], [absolute(x) for x in v]) for row in rows]
        axes: list[Scalar] = []
        for row in rows:
            none = (0.0, 0.0, 0.0)
            moment, force = row.shown or (none, row.wrenches[0].force if row.wrenches else none)
            axes += [*moment, *force]
        return program(
            graph,
            {
                "gap": expressions(graph, [row.value for row in rows]),
                "u": expressions(graph, [plus(inner(row.J, v), row.drift) for row in rows]),
                "size": expressions(graph, sizes),
                "G": expressions(graph, [inner(row.J, column) for row in rows for column in P]),
                "a": expressions(graph, [plus(inner(row.J, motion.a), row.bias) for row in rows]),
                "P": expressions(graph, [entry for column in P for entry in column]),
                "axes": expressions(graph, axes),
                "free": expressions(graph, motion.a),
            },
        )

    # --- the way back ----------------------------------------------------------------------------------------------

    @cached_property
    def anchor_count(self) -> int:
        """How many numbers the links of the structure keep of the places they hold."""
        return sum(anchor_sizes(self.engine, self.base).values())

    @cached_property
    def found_count(self) -> int:
        """How many numbers the elements keep of the places they hold."""
        model = self.engine.model
        return sum(len(each.found) for each in self.rows(list(model.start.q), [0.0] * model.nv, model.start_time))

    @cached_property
    def anchored(self) -> Kernel:
        """What the elements find at a state."""
        model = self.engine.model
        graph = Graph()
        y = list(graph.inputs("y", model.state_size))
        q, v, t = split(model, y)
        found = [value for each in self.rows(q, v, t) for value in each.found]
        line = program(graph, {"p": expressions(graph, found)})
        return compile_program(line, name="anchors", cache=user_cache())

    @cached_property
    def base_anchored(self) -> Kernel:
        """What the links of the structure find at a state."""
        return compile_program(derive_anchors(self.engine, self.base), name="anchors", cache=user_cache())

    @cached_property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return native(self.projection_program)

    @cached_property
    def projection_program(self) -> Program:
        """As `derive_projection`: p has masks of the rows, anchors of the structure, anchors of the elements."""
        model, tree, layout = self.engine.model, self.engine.tree, self.layout
        graph = Graph()
        y = list(graph.inputs("y", model.state_size))
        q, v, t = split(model, y)
        each = self.rows(q, v, t)
        found = sum(len(rows.found) for rows in each)
        p = list(graph.inputs("p", max(1, layout.count + self.anchor_count + found)))
        at = layout.count
        kept: dict[str, Sequence[Scalar]] = {}
        for name, size in anchor_sizes(self.engine, self.base).items():
            kept[name] = p[at : at + size]
            at += size
        rows = self.setting.kept(constraint_rows(model, tree, self.base, q, v, t=t, found=kept))
        if self.setting.drives is not None:
            rows = [*rows, *self.setting.drives(Quantities(with_memory(model, y), tree, q, v, t))[1]]
        for row in rows:
            row.drag, row.dragged = None, ()
        mask = 0
        new_q, new_v = list(q), list(v)
        for element, made in zip(layout.elements, each, strict=True):
            anchor = p[at : at + len(made.found)]
            at += len(made.found)
            if element.contact is None:
                # What is held by itself goes straight back to its place.
                if element.place is not None:
                    target = element.bound if element.kind == STOP else anchor[0]
                    away = times(p[mask], minus(target, q[element.place]))
                    new_q[element.place] = plus(new_q[element.place], away)
                new_v[element.rate] = times(minus(1.0, p[mask]), new_v[element.rate])
                mask += 1
                continue
            if made.tangents:
                values = held_values(model, tree, element, made, anchor, q, v, t)
                for row, value in zip(made.tangents, values, strict=True):
                    row.value = value
            for row in ([] if made.normal is None else [made.normal]) + made.tangents:
                rows.append(masked_row(row, p[mask]))
                mask += 1
        rest = [*memory_of(model, y), t]
        return _back(self.engine, graph, (q, new_q), new_v, rest, rows, self._holds(p))


def _back(
    engine: Engine,
    graph: Graph,
    places: tuple[Sequence[Scalar], Sequence[Scalar]],
    v: Sequence[Scalar],
    rest: Sequence[Scalar],
    rows: Sequence[Row],
    holds: Mapping[int, Scalar],
) -> Program:
    """Positions and velocities moved as little as the metric of M allows; quaternions get their length back.

    Args:
        engine: Of the model.
        graph: Where the program is made.
        places: Coordinates that the rows are derived for, and those to begin with.
        v: Velocities to begin with.
        rest: What follows them in the state, and stays as it is.
        rows: To come back to.
        holds: Velocities that stay as they are, see `solve_holding`.
    """
    model = engine.model
    q, start = places
    M = mass_matrix(engine.tree, q)
    still: list[Scalar] = [0.0] * model.nv
    shift = solve_holding(M, still, rows, [minus(0.0, row.value) for row in rows], holds)[0].x
    demands = [minus(0.0, plus(inner(row.J, v), row.drift)) for row in rows]
    slow = solve_holding(M, still, rows, demands, holds)[0].x
    new_q = [plus(a, b) for a, b in zip(start, coordinate_rates(model, q, shift), strict=True)]
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            four = new_q[body.first_q : body.first_q + 4]
            length = sqrt(inner(four, four))
            new_q[body.first_q : body.first_q + 4] = [number / length for number in four]
    new_v = [plus(a, b) for a, b in zip(v, slow, strict=True)]
    off = inner([row.value for row in rows], [row.value for row in rows])
    outputs = {"y": expressions(graph, [*new_q, *new_v, *rest]), "off": expressions(graph, [off])}
    return program(graph, outputs)


@dataclass(eq=False)
class ContactMachine(Machine):
    """The compiled equations of a structure of the file with statuses of its elements."""

    overlay: Overlay | None = None
    statuses: tuple[Status, ...] = ()

    @property
    def own(self) -> Overlay:
        """What it shares with all other statuses."""
        assert self.overlay is not None
        return self.overlay

    @property
    def travels(self) -> bool:
        """Never: what follows its events is decided by a complementarity problem."""
        return False

    @cached_property
    def stage(self) -> Stage:
        """Its equations."""
        exits = self.own.exits(self.structure, self.statuses)
        return Stage(structure=self.structure, exits=exits, flow=self.own.flow)

    @property
    def modes(self) -> Modes:
        """Its equations with comparisons frozen."""
        return self.own.modes

    @property
    def taylor(self) -> Taylor:
        """Its flow as machine code."""
        return self.own.taylor

    @property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return self.own.first_modes

    @property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return self.own.native_modes

    @property
    def corrects(self) -> bool:
        """Whether steps end with a correction: always, what does not hold is not corrected."""
        return True

    @property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return self.own.projection

    @property
    def projection_program(self) -> Program:
        """One step back to the constraints."""
        return self.own.projection_program

    def anchors(self, y: Array) -> Array:
        """Which rows hold, and the places that they hold from now on."""
        assert self.given is not None
        parts = [self.given[: self.own.layout.count]]
        if self.own.anchor_count:
            parts.append(np.atleast_1d(np.asarray(self.own.base_anchored(y))))
        if self.own.found_count:
            parts.append(np.atleast_1d(np.asarray(self.own.anchored(y))))
        return np.concatenate(parts)


def _exit(element: Element, word: str, structure: Structure, first: int) -> Exit:
    nothing = Number(value=0.0, dimension=Dimension(), unit=None, literal="0", span=element.span)
    transition = Transition(
        name=f"{element.label} {word}",
        sources=(structure.name,),
        target="",
        condition=nothing,
        impact=element.impact,
        restitution=element.restitution,
        priority=0.0,
        resets=(),
        span=element.span,
    )
    return Exit(
        transition=transition,
        condition=Condition(leaves=[Leaf(nothing, nothing, FALLS)], word=[0]),
        first_leaf=first,
    )
