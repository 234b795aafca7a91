"""One flow for all that contacts, stops and dry friction may do in a structure of the file.

The constraint rows of all elements are derived once. Which of them hold, which way friction acts and what is watched
are *numbers* of the block "p", so that one compiled flow serves all combinations: a row that is switched off is zero
and has a one on the diagonal of the equations for the multipliers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sistel.automaton._conditions import FALLS, Condition, Leaf
from sistel.automaton._contact_layout import RELEASES, SLIPS, STOPS, STRIKES, Layout
from sistel.automaton._driving import driven_by, forced_by
from sistel.automaton._elements import GRIP, PATCH, Element, ElementRows, element_rows, elements_of, smooth_model
from sistel.automaton._equations import Exit, ModeEquations, exits_of
from sistel.automaton._hands import Hands
from sistel.automaton._masks import masked_row, seated_row, solve_holding
from sistel.automaton._reads import asks_dynamics, uses_reactions
from sistel.automaton._state import split, with_memory
from sistel.automaton._statuses import Statuses
from sistel.automaton._transition_programs import Way, anchor_sizes
from sistel.expr import LIVE, Expr, Graph, Modes, Program, split_modes, sqrt
from sistel.markup import Number
from sistel.mechanics import (
    Drives,
    Motion,
    Quantities,
    Row,
    Scalar,
    Setting,
    Solution,
    Stand,
    applied_forces,
    bed_of,
    clutch_limit,
    coordinate_rates,
    expression_value,
    expressions,
    inner,
    reactions,
    structure_dynamics,
    unit_pull,
)
from sistel.model import Model, Structure, Transition
from sistel.motion import current_rates
from sistel.once import once_property
from sistel.records import entry
from sistel.units import Dimension

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton


FEW = 20
"""Elements up to which every row has an unknown of its own, which machine code that decides passages relies on."""


@entry
class _Moved:
    """The motion of a structure with elements, and what gave it."""

    setting: Setting
    driving: Drives | None
    motion: Motion
    torques: Mapping[int, Scalar]
    """Of velocities that stops and dry friction hold."""
    rows: list[ElementRows]
    slips: list[list[Scalar]]
    bounds: list[Scalar]
    seated: list[Scalar]
    """The multipliers of what sits in the seats."""


@dataclass(frozen=True, eq=False)
class ContactMode:
    """A structure of the file, and all that contacts, stops and dry friction may do in it."""

    automaton: Automaton
    base: Structure
    seated: bool = False
    """Whether rows take seats where they are many, see `Layout`."""
    _stages: dict[Statuses, ModeEquations] = field(default_factory=dict)

    @once_property
    def layout(self) -> Layout:
        """Its elements."""
        model = self.automaton.model
        layout = Layout(elements_of(model), model.planar)
        seats = min(model.nv, layout.count - len(layout.alone))
        many = len(layout.elements) > FEW and layout.count - len(layout.alone) > 2 * seats
        return replace(layout, seats=seats) if self.seated and many and not layout.hulls and not self.reads else layout

    @once_property
    def smooth(self) -> Model:
        """The system without dry friction in its joints, which elements carry."""
        return smooth_model(self.automaton.model)

    @once_property
    def setting(self) -> Setting:
        """What holds and acts without the elements."""
        return replace(self.automaton.mode(self.base).setting, model=self.smooth)

    @once_property
    def written(self) -> tuple[Exit, ...]:
        """The transitions of the file that leave the structure."""
        return exits_of(self.automaton.model, self.base)

    @once_property
    def first_leaf(self) -> int:
        """Index of the first watched function of the elements: those of the file come before."""
        return sum(len(each.condition.leaves) for each in self.written)

    @once_property
    def reads(self) -> bool:
        """Whether conditions or ticks read what contacts carry, in each of its rows."""
        model = self.automaton.model
        return uses_reactions(model, [each.condition for each in self.written]) or any(
            asks_dynamics(model, each) for each in model.ticks
        )

    def rows(self, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar, ahead: bool = False) -> list[ElementRows]:
        """The rows of all elements, see `element_rows`."""
        model, tree = self.setting.model, self.automaton.tree
        return [element_rows(model, tree, element, q, v, t, ahead) for element in self.layout.elements]

    def bounds(self, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar, model: Model) -> list[Scalar]:
        """What bounds friction beside normal forces, of every element [N or N·m]."""
        state: Quantities | None = None
        made: list[Scalar] = []
        for element in self.layout.elements:
            bound: Scalar = element.bound if element.kind == GRIP else 0.0
            if element.drive is not None and element.drive.limit is not None:
                state = state or Quantities(model, self.automaton.tree, q, v, t)
                bound = bound + clutch_limit(element.drive, state)
            made.append(bound)
        return made

    # --- the flow --------------------------------------------------------------------------------------------------

    @once_property
    def flow(self) -> Program:
        """y, p → dy, g: rates, and the watched functions of the file and of the elements."""
        return self.flow_under(pushed=False)

    def flow_under(self, *, pushed: bool) -> Program:
        """The flow; with `pushed`, forces of hands act too, by the blocks of `Hands`."""
        graph = Graph()
        y = list(graph.inputs("y", self.automaton.model.state_size))
        p = list(graph.inputs("p", self.layout.size))
        hands = Hands.of(graph, self.automaton.model) if pushed else None
        moved = self._moved(y, p, hands)
        setting, driving, motion = moved.setting, moved.driving, moved.motion
        model, (q, v, t) = setting.model, split(self.automaton.model, y)
        loads = self._shared(moved, p)
        leaves: list[Scalar] = []
        if self.written:
            conditions = [each.condition for each in self.written]
            asked = uses_reactions(model, conditions)
            carried, moving = (
                (
                    reactions(setting, q, v, self._told(moved, loads, p), None if hands is None else hands.wrenches),
                    motion.a,
                )
                if asked
                else (None, None)
            )
            state = Quantities(
                model, self.automaton.tree, q, v, t, reactions=carried, torques=driving, accelerations=moving
            )
            for condition in conditions:
                for leaf in condition.leaves:
                    left, right = (expression_value(side, state.names, state) for side in (leaf.left, leaf.right))
                    leaves.append(left - right)
        leaves += self._watched(moved.rows, loads, moved.slips, p, moved.bounds)
        rates = [
            *coordinate_rates(model, q, v),
            *motion.a,
            *current_rates(Quantities(model, self.automaton.tree, q, v, t), driving),
            1.0,
        ]
        outputs: dict[str, list[Expr]] = {"dy": expressions(graph, rates), "g": expressions(graph, leaves)}
        return graph.program(outputs)

    def tick(self, transition: Transition) -> Program:
        """What a tick does that reads accelerations or forces: y, and p as "live" → the state after it.

        What elements do now is in the equations that it reads them from.
        """
        graph = Graph()
        y = list(graph.inputs("y", self.automaton.model.state_size))
        p = list(graph.inputs(LIVE, self.layout.size))
        moved = self._moved(y, p)
        q, v, t = split(self.automaton.model, y)
        loads = self._shared(moved, p)
        before = Quantities(
            moved.setting.model,
            self.automaton.tree,
            q,
            v,
            t,
            reactions=reactions(moved.setting, q, v, self._told(moved, loads, p)),
            torques=moved.driving,
            accelerations=moved.motion.a,
        )
        way = Way(self.automaton, transition, self.base, self.base, y, before)
        return graph.program(way.outputs(graph, *way.plain())[0])

    def _moved(self, y: Sequence[Scalar], p: Sequence[Scalar], hands: Hands | None = None) -> _Moved:
        """The motion at a state in which elements do what p says."""
        q, v, t = split(self.automaton.model, y)
        model = with_memory(self.smooth, y)
        rows = self.rows(q, v, t)
        bounds = self.bounds(q, v, t, model)
        masked, forces, slips = self._masked(rows, v, p, bounds)
        setting = replace(self.setting, model=model)
        driving = driven_by(setting, q, v, t)
        if driving is not None:
            forces = [a + b for a, b in zip(driving, forces, strict=True)]
        if hands is not None:
            forces = hands.beside(forces)
        torques: dict[int, Scalar] = {}

        def solve(
            M: Sequence[Sequence[Scalar]], force: Sequence[Scalar], held: Sequence[Row], demands: Sequence[Scalar]
        ) -> Solution:
            found, needed = solve_holding(M, force, held, demands, self.holds(p))
            torques.update(needed)
            return found

        stands = self._stands(Quantities(model, self.automaton.tree, q, v, t), slips, p)
        held = [*forced_by(setting, q, v, t), *masked]
        motion = structure_dynamics(setting, q, v, forces, t, solve, held, stands=stands)
        first = len(motion.multipliers) - self.layout.seats
        seated = motion.multipliers[first:]
        if seated:
            motion = replace(motion, multipliers=[*motion.multipliers[:first], *self._by_rows(seated, p)])
        return _Moved(setting, driving, motion, torques, rows, slips, bounds, seated)

    def _masked(
        self, rows: Sequence[ElementRows], v: Sequence[Scalar], p: Sequence[Scalar], bounds: Sequence[Scalar]
    ) -> tuple[list[Row], list[Scalar], list[list[Scalar]]]:
        """All rows, which p switches on; forces of joints and clutches that slide; velocities along all tangents."""
        layout, places = self.layout, self.layout.places
        made: list[Row] = []
        forces: list[Scalar] = [0.0] * len(v)
        slips = [[row.speed(v) for row in each.tangents] for each in rows]
        drags = [self._drag(i, each, slips[i], p) for i, each in enumerate(rows)]
        self._resisted(drags)
        sitting: dict[int, Row] = {}
        for i, (element, each) in enumerate(zip(layout.elements, rows, strict=True)):
            if element.single:
                if element.kind == GRIP:
                    forces[element.rate] = forces[element.rate] + p[places["pull", i, 0]]
                continue
            if layout.seats:
                own = each.tangents if each.normal is None else [each.normal, *each.tangents]
                first = layout.tangents[i] if each.normal is None else (layout.normals[i], *layout.tangents[i])
                sitting.update(zip(first, own, strict=True))
            elif each.normal is not None and element.track is None:
                normal = masked_row(each.normal, p[places["mask", layout.normals[i], 0]])
                normal.drag = self._dragged(i, drags, p)
                made.append(normal)
            if each.normal is None and not element.host and element.track is None:
                pull = p[places["pull", i, 0]] * bounds[i]
                forces = [force + pull * x for force, x in zip(forces, each.tangents[0].J, strict=True)]
            if not layout.seats:
                made += [
                    masked_row(row, p[places["mask", at, 0]])
                    for at, row in zip(layout.tangents[i], each.tangents, strict=True)
                ]
        for seat in range(layout.seats):
            taken = [p[places["seat", seat, row]] for row in sitting]
            made.append(seated_row([*sitting.values()], taken, self._rubbed(seat, drags, p)))
        return made, forces, slips

    def _rubbed(self, seat: int, drags: Sequence[list[Scalar] | None], p: Sequence[Scalar]) -> list[Scalar] | None:
        """Generalized friction for a unit multiplier of what sits in a seat."""
        total: list[Scalar] | None = None
        for i, drag in enumerate(drags):
            if drag is not None:
                part = [p[self.layout.places["rubs", seat, i]] * x for x in drag]
                total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        return total

    def _by_rows(self, seated: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """The multipliers of all rows but those of single elements, from those of the seats."""
        places, alone = self.layout.places, self.layout.alone
        return [
            inner([p[places["seat", seat, row]] for seat in range(len(seated))], seated)
            for row in range(self.layout.count)
            if row not in alone
        ]

    def _resisted(self, drags: list[list[Scalar] | None]) -> None:
        """Add the moments that resist rolling and spin to what goes with the normal forces that bound them."""
        for i, element in enumerate(self.layout.elements):
            if element.host:
                drag, known = drags[i] or [], drags[i + element.host]
                drags[i + element.host] = drag if known is None else [a + b for a, b in zip(known, drag, strict=True)]

    def _dragged(self, i: int, drags: Sequence[list[Scalar] | None], p: Sequence[Scalar]) -> list[Scalar] | None:
        """Generalized friction for a unit multiplier of a normal row: that of all that it carries a part for."""
        layout, places = self.layout, self.layout.places
        (group,) = (group for group in layout.rigid if i in group)
        if len(group) == 1:
            return drags[i]
        total: list[Scalar] | None = None
        for j in group:
            drag = drags[j]
            if drag is not None:
                part = [p[places["share", layout.normals[j], layout.normals[i]]] * x for x in drag]
                total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        return total

    def _drag(self, i: int, rows: ElementRows, slip: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar] | None:
        """Generalized friction of an element for a unit normal force; None where it never has any."""
        layout = self.layout
        element = layout.elements[i]
        if element.single or (element.kind == GRIP and not element.host) or not layout.slides(i):
            return None
        pulls = self._pulls(i, slip, p)
        drag: list[Scalar] = [0.0] * len(rows.tangents[0].J)
        for share, row in zip(pulls, rows.tangents, strict=True):
            drag = [a + share * b for a, b in zip(drag, row.J, strict=True)]
        return drag

    def _pulls(self, i: int, slip: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """Friction of an element along its tangents for a unit normal force."""
        pull, places = p[self.layout.places["pull", i, 0]], self.layout.places
        if self.layout.elements[i].tangents != 2:
            return [pull]
        against = -pull / sqrt(inner(slip, slip) + p[places["rests", i, 0]])
        return [against * x for x in slip]

    def holds(self, masks: Sequence[Scalar]) -> dict[int, Scalar]:
        """For every velocity that a stop or dry friction may hold: 1 where one does, else 0."""
        found: dict[int, Scalar] = {}
        for i, element in enumerate(self.layout.elements):
            if element.single:
                row = max(self.layout.normals[i], *self.layout.tangents[i], -1)
                found[element.rate] = found.get(element.rate, 0.0) + masks[row]
        return found

    def _stands(self, state: Quantities, slips: Sequence[Sequence[Scalar]], p: Sequence[Scalar]) -> list[Stand]:
        """The ground under tracks, with the friction that statuses give their patches."""
        layout, places = self.layout, self.layout.places
        if not layout.hulls:
            return []
        rubbing = replace(state.model, tracks=self.automaton.model.tracks)
        known = Quantities(rubbing, state.tree, state.q, state.v, state.t)
        outer = applied_forces(state, tracks=False).outer
        made = []
        for tracks in layout.hulls:
            pulls: dict[str, tuple[Scalar, Scalar]] = {}
            shares: dict[str, list[Scalar]] = {}
            for i, element in enumerate(layout.elements):
                if element.track is None or element.track not in tracks:
                    continue
                pressed = p[places["bed", i, 3]]
                shares[element.name] = [pressed * p[places["bed", i, part]] for part in range(3)]
                if element.track.shear:
                    pulls[element.name] = unit_pull(known, element.track, element.index)
                else:
                    ahead, aside = self._pulls(i, slips[i], p)
                    pulls[element.name] = ahead, aside
            made.append(Stand(bed_of(known, tracks[0].body, outer), pulls, shares))
        return made

    def _carried(self, motion: Motion, torques: Mapping[int, Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """The multipliers of all rows: those of contacts, what patches carry, and what holds velocities still."""
        layout, multipliers = self.layout, motion.multipliers
        whole = {stand.bed.hull: loads for stand, loads in motion.stands}
        several = [element for element in layout.elements if not element.single]
        count = sum((element.kind not in (GRIP, PATCH)) + element.tangents for element in several)
        found = iter(multipliers[len(multipliers) - count :])
        made: list[Scalar] = []
        for i, element in enumerate(layout.elements):
            if not element.single:
                if element.track is not None:
                    made.append(inner([p[layout.places["bed", i, k]] for k in range(3)], whole[element.track.body]))
                made += [next(found) for _ in range((element.kind not in (GRIP, PATCH)) + element.tangents)]
                continue
            row = max(layout.normals[i], *layout.tangents[i], -1)
            force = torques[element.rate] if element.kind == GRIP else -element.outward * torques[element.rate]
            made.append(p[layout.places["mask", row, 0]] * force)
        return made

    def _shared(self, moved: _Moved, p: Sequence[Scalar]) -> list[Scalar]:
        """What every row carries, where some of them have left their part to others."""
        multipliers = self._carried(moved.motion, moved.torques, p)
        count, places, alone = self.layout.count, self.layout.places, self.layout.alone
        if moved.seated:
            return [
                inner([p[places["load", i, seat]] for seat in range(len(moved.seated))], moved.seated)
                + inner([p[places["share", i, row]] for row in alone], [multipliers[row] for row in alone])
                for i in range(count)
            ]
        if count < 2:
            return multipliers
        start = places["share", 0, 0]
        return [inner(p[start + i * count : start + (i + 1) * count], multipliers) for i in range(count)]

    def _told(self, moved: _Moved, loads: Sequence[Scalar], p: Sequence[Scalar]) -> Motion:
        """The motion with what every contact carries, friction of what slides too, and not the independent rows alone.

        Args:
            moved: The motion.
            loads: Of all rows, see `_shared`.
            p: What elements do.
        """
        layout, made = self.layout, list(moved.motion.multipliers)
        several = [i for i, element in enumerate(layout.elements) if not element.single]
        at = len(made) - sum(
            (layout.elements[i].kind not in (GRIP, PATCH)) + layout.elements[i].tangents for i in several
        )
        for i in several:
            element = layout.elements[i]
            if element.kind not in (GRIP, PATCH):
                made[at] = loads[layout.normals[i]]
                at += 1
            rubs = layout.slides(i) and not element.track and (element.kind != GRIP or element.host)
            pulls = self._pulls(i, moved.slips[i], p) if rubs else [0.0] * element.tangents
            pressed = loads[layout.normals[i + element.host]] if rubs else 0.0
            for row, pull in zip(layout.tangents[i], pulls, strict=True):
                made[at] = loads[row] + pull * pressed
                at += 1
        return replace(moved.motion, multipliers=made)

    def _watched(
        self,
        rows: Sequence[ElementRows],
        loads: Sequence[Scalar],
        slips: Sequence[Sequence[Scalar]],
        p: Sequence[Scalar],
        bounds: Sequence[Scalar],
    ) -> list[Scalar]:
        """Functions that are positive while the elements keep their statuses."""
        layout, places = self.layout, self.layout.places
        made: list[Scalar] = []
        for leaf, (i, which) in enumerate(layout.leaves):
            element, each = layout.elements[i], rows[i]
            free, moving, held = (p[places["leaf", leaf, part]] for part in range(3))
            if which == "normal":
                assert each.normal is not None
                value, load, inside = each.striking, loads[layout.normals[i]], each.inside
                if element.track is not None:
                    value = -load
                # Where a point slides off what it touches, this ends like a force.
                load = load if inside is None else load * inside
            elif element.tangents == 2:
                along = [loads[row] for row in layout.tangents[i]]
                most = (element.friction or 0.0) * loads[layout.normals[i + element.host]]
                # Along the direction that the slip had first: simple zeros where it ends, and where it has turned away.
                value = inner(slips[i], [p[places["way", i, side]] for side in range(2)])
                load = most * most - inner(along, along)
            else:
                low = which == "low"
                value = slips[i][0] if low else 0.0
                load = 0.0
                group = layout.partners[i]
                for j in group or (i,):
                    other = layout.elements[j]
                    bound = bounds[j]
                    if other.host:
                        bound = (other.friction or 0.0) * loads[layout.normals[j + other.host]]
                    elif other.kind != GRIP:
                        # What pulls forwards keeps from slipping backwards.
                        bound = other.grasp(-1.0 if low else 1.0) * loads[layout.normals[j]]
                    pull = loads[layout.tangents[j][0]]
                    part = bound - pull if low else bound + pull
                    load = load + (p[places["group", i, j]] * part if len(group) > 1 else part)
            made.append(free + (moving * value + held * load))
        return made

    def equations(self, structure: Structure, statuses: Statuses) -> ModeEquations:
        """The equations for statuses; what may end them is the transitions of the file, then what the elements do."""
        found = self._stages.get(statuses)
        if found is None:
            exits = list(self.written)
            for leaf, (i, _) in enumerate(self.layout.leaves):
                word = self.layout.word(leaf, statuses)
                exits.append(_exit(self.layout.elements[i], word, structure, self.first_leaf + leaf))
            found = self._stages[statuses] = ModeEquations(structure=structure, exits=tuple(exits), flow=self.flow)
        return found

    @once_property
    def _normals(self) -> dict[str, int]:
        words = (STRIKES, RELEASES)
        numbered = enumerate(self.layout.elements)
        return {f"{element.label} {word}": i for i, element in numbered if element.kind != GRIP for word in words}

    def index_of(self, transition: Transition) -> int | None:
        """The element that an exit is about, where it is about its normal; None for transitions of the file."""
        return None if transition.target else self._normals.get(transition.name)

    @once_property
    def anchor_count(self) -> int:
        """How many numbers the links of the structure keep of the places they hold."""
        return sum(anchor_sizes(self.automaton, self.base).values())

    @once_property
    def found_count(self) -> int:
        """How many numbers the elements keep of the places they hold."""
        model = self.automaton.model
        return sum(len(each.found) for each in self.rows(list(model.start.q), [0.0] * model.nv, model.start_time))

    @once_property
    def modes(self) -> Modes:
        """The flow with comparisons frozen."""
        return split_modes(self.flow)

    def modes_under(self, *, pushed: bool) -> Modes:
        """The same of `flow_under`."""
        return split_modes(self.flow_under(pushed=True)) if pushed else self.modes

    @once_property
    def data(self) -> Program:
        """What their problems are made of, see `derive_data`."""
        return self.data_under(pushed=False)

    def data_under(self, *, pushed: bool) -> Program:
        """The same; with `pushed`, forces of hands act too, by the blocks of `Hands`."""
        from sistel.automaton._contact_data import derive_data

        return derive_data(self, pushed=pushed)

    @once_property
    def moves_by_rows(self) -> bool:
        """Whether the rows of the elements are all there is to solve for, see `derive_motion`."""
        from sistel.automaton._contact_motion import moves_by_rows

        return moves_by_rows(self)

    def motion_by_rows(self, *, pushed: bool) -> Modes:
        """What its elements move by, row by row, see `derive_motion`; with comparisons frozen."""
        from sistel.automaton._contact_motion import derive_motion

        return split_modes(derive_motion(self, pushed=pushed))

    @once_property
    def held(self) -> Program:
        """How far what sticks has moved, see `derive_held`."""
        from sistel.automaton._contact_projection import derive_held

        return derive_held(self)

    @once_property
    def press(self) -> Program:
        """What hulls on tracks press with, see `derive_press`."""
        from sistel.automaton._contact_data import derive_press

        return derive_press(self)

    def strike(self, index: int) -> Program | None:
        """What an element does that strikes alone; None where it is not so simple."""
        from sistel.automaton._contact_data import derive_strike

        return derive_strike(self, index) if self.strikes_alone(index) else None

    def strikes_alone(self, index: int) -> bool:
        """Whether a strike of an element alone has a closed form."""
        from sistel.automaton._contact_data import can_strike

        return can_strike(self, index)

    @once_property
    def found(self) -> Program:
        """What the elements find at a state."""
        from sistel.automaton._contact_projection import derive_found

        return derive_found(self)

    @once_property
    def projection(self) -> Program:
        """One step back to the constraints."""
        from sistel.automaton._contact_projection import derive_back

        return derive_back(self)


def _exit(element: Element, word: str, structure: Structure, first: int) -> Exit:
    nothing = Number(value=0.0, dimension=Dimension(), unit=None, literal="0", span=element.span)
    word = {SLIPS: "begins", STOPS: "stops"}.get(word, word) if element.host else word
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
