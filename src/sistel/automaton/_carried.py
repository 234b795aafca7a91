"""What is carried in structures that contacts make: forces that keep the laws of contact and give the motion.

Which of its rows follow from others depends on the posture, and of several ways to share a load one is taken that keeps
every law: so equations are evaluated row by row, and solved state by state. What is asked follows from the solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.automaton._admissible import Cone, Pushes, carried
from sistel.automaton._driving import driven_by, forced_by
from sistel.automaton._feedback import settled
from sistel.automaton._outputs import remembering, with_forced
from sistel.automaton._state import split, with_memory
from sistel.expr import ZERO, Expr, Graph, Program, dot, is_zero
from sistel.mechanics import (
    DirectedStructure,
    Drives,
    Motion,
    Quantities,
    Row,
    Scalar,
    expression_value,
    expressions,
    pushed,
    reactions,
)
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton._mode import Mode
    from sistel.markup import Expression
    from sistel.mechanics import Setting


PUSHES: Final = frozenset({"normal", "tangent", "rolls", *"xyz"})
"""Rows of contacts that are forces: what resists rolling and spin is a moment, and holds like another link."""


def is_shared(mode: Mode) -> bool:
    """Whether contacts hold in a structure that they have made, without tracks: then this is what is asked."""
    structure, model = mode.structure, mode.automaton.model
    own = {contact.name for contact in model.contacts}
    return (
        isinstance(structure, DirectedStructure) and not model.tracks and any(each in own for each in structure.holds)
    )


@record
class Table:
    """How the numbers of a program stand for the equations of a structure."""

    nv: int
    mass: tuple[tuple[int, int], ...]
    """Places of the entries of the mass matrix that are not zero."""
    rows: tuple[tuple[int, int], ...]
    """The same of J."""
    rubbed: tuple[tuple[int, int], ...]
    """The same of J with the friction of what slides."""
    count: int
    """How many rows there are."""
    groups: tuple[tuple[tuple[int, ...], float | None], ...]
    """Rows of every contact, and its coefficient where it holds; None where nothing bounds it."""
    others: tuple[int, ...]
    """Rows of all else that holds."""

    def equations(self, found: Sequence[Array]) -> tuple[Pushes, list[Cone], list[Array]]:
        """The equations at one state, and of every contact what its rows give along its normal and its tangents."""
        mass, force, rows, rubbed, demands, sides = found
        M, J, P = np.zeros((self.nv, self.nv)), np.zeros((self.count, self.nv)), np.zeros((self.count, self.nv))
        for matrix, places, numbers in ((M, self.mass, mass), (J, self.rows, rows), (P, self.rubbed, rubbed)):
            if places:
                where = np.array(places)
                matrix[where[:, 0], where[:, 1]] = numbers
        M = np.tril(M) + np.tril(M, -1).T
        at = 0
        cones: list[Cone] = []
        turns: list[Array] = []
        own: list[list[Array]] = [[], [], []]
        first = 0
        for group, friction in self.groups:
            here, size = list(group), len(group)
            normal = sides[at : at + 3]
            pushes = sides[at + 3 : at + 3 + 3 * size].reshape(size, 3).T
            at += 3 + 3 * size
            axes = _axes(normal, pushes)
            turn = np.linalg.inv((axes @ pushes).T)
            for each, matrix in zip(own, (J, P, demands[:, np.newaxis]), strict=True):
                each.append(turn @ matrix[here])
            turns.append(np.asarray(turn.T))
            cones.append(Cone(first=first, tangents=size - 1, friction=friction))
            first += size
        J_own, P_own, d_own = (np.concatenate(each) for each in own)
        rest = list(self.others)
        made = Pushes(
            M=M, force=force, J=J_own, P=P_own, demands=d_own[:, 0], K=J[rest], Q=P[rest], asked=demands[rest]
        )
        return made, cones, turns

    def multipliers(self, x: Array, z: Array, turns: Sequence[Array]) -> Array:
        """Those of all rows."""
        made, first = np.zeros(self.count), 0
        for (group, _), turn in zip(self.groups, turns, strict=True):
            made[list(group)] = turn @ x[first : first + len(group)]
            first += len(group)
        made[list(self.others)] = z
        return made


def _axes(normal: Array, pushes: Array) -> Array:
    """The normal, and directions at right angles to it in the span of what rows push along."""
    made = [normal]
    for push in pushes.T[np.argsort(np.abs(normal @ pushes))][: pushes.shape[1] - 1]:
        side = push - sum((each @ push) * each for each in made)
        made.append(side / np.sqrt(side @ side))
    return np.array(made)


def _rows(setting: Setting, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar) -> list[Row]:
    """All rows of contacts, what other links need, and forced motions."""
    names = {contact.name for contact in setting.model.contacts}
    every = setting.all_rows(q, v, t)
    kept = [row for i, row in enumerate(every) if row.link in names or i not in setting.redundant]
    return [*kept, *forced_by(setting, q, v, t)]


def _setting(mode: Mode) -> Setting:
    """What holds and acts; without a word on which constraints follow from others, where only contacts hold.

    To know it takes postures in which all of them hold, and among a hundred contacts these are looked for in vain for
    minutes. Rows of contacts are all kept here, so that nothing depends on it.
    """
    structure, own = mode.structure, {contact.name for contact in mode.automaton.model.contacts}
    assert isinstance(structure, DirectedStructure)
    others = structure.changes or structure.still or structure.meshes or structure.turning or structure.grips
    alone = own.issuperset(structure.holds) and not others and not mode.automaton.feeds_back
    return mode.whole if alone else mode.setting


def equations(mode: Mode) -> tuple[Program, Table]:
    """What decides on a motion: y → masses, forces, rows, demands, directions of contacts; and where all that is."""
    automaton = mode.automaton
    graph = Graph()
    y = list(graph.inputs("y", automaton.model.state_size))
    q, v, t = split(automaton.model, y)
    setting = settled(replace(_setting(mode), model=with_memory(automaton.model, y)), q, v, t)
    drives = driven_by(setting, q, v, t)
    state, _, M, force = pushed(setting, q, v, [0.0] * setting.tree.nv if drives is None else drives, t)
    rows = _rows(setting, q, v, t)
    of_link: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        if row.part in PUSHES:
            of_link.setdefault(row.link, []).append(i)
    groups, sides = list[tuple[tuple[int, ...], float | None]](), list[Scalar]()
    for contact in setting.model.contacts:
        here = of_link.get(contact.name, [])
        if contact.rolls or not here:
            continue
        groups.append((tuple(here), contact.friction if len(here) > 1 else None))
        normal = state.contact_state(contact)[2]
        sides += [*normal]
        for i in here:
            row = rows[i]
            # A single row pushes along the normal, whatever friction does.
            sides += [*(normal if len(here) == 1 else row.wrenches[0].force if row.shown is None else row.shown[1])]
    own = {i for group, _ in groups for i in group}
    nv = setting.tree.nv
    pulled = [row.J if row.drag is None else [a + b for a, b in zip(row.J, row.drag, strict=True)] for row in rows]
    table = Table(
        nv=nv,
        mass=tuple((i, j) for i in range(nv) for j in range(i + 1) if not is_zero(M[i][j])),
        rows=_places([row.J for row in rows]),
        rubbed=_places(pulled),
        count=len(rows),
        groups=tuple(groups),
        others=tuple(i for i in range(len(rows)) if i not in own),
    )
    outputs: dict[str, list[Expr]] = {
        "mass": expressions(graph, [M[i][j] for i, j in table.mass]),
        "force": expressions(graph, force),
        "rows": expressions(graph, [rows[i].J[j] for i, j in table.rows]),
        "rubbed": expressions(graph, [pulled[i][j] for i, j in table.rubbed]),
        "demands": expressions(graph, [-row.bias for row in rows]),
        "sides": expressions(graph, sides),
    }
    return graph.program(outputs), table


def _places(rows: Sequence[Sequence[Scalar]]) -> tuple[tuple[int, int], ...]:
    return tuple((i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if not is_zero(x))


def solved_loads(table: Table, found: Sequence[Array], a: Array | None) -> tuple[Array, Array, bool]:
    """Multipliers of all rows, accelerations, and whether all laws are kept.

    Args:
        table: What the numbers stand for.
        found: What the program of `equations` gave for one state.
        a: Accelerations of the motion, where they are known.
    """
    given, cones, turns = table.equations(found)
    x, z, made, lawful = carried(cones, given, a)
    return table.multipliers(x, z, turns), made, lawful


def _known(mode: Mode, graph: Graph, table: Table, asked: Sequence[Expression]) -> tuple[Quantities, Motion]:
    """The state with what is carried in it: inputs y, multipliers, accelerations."""
    automaton = mode.automaton
    model = remembering(automaton, asked)
    y = list(graph.inputs("y", model.state_size))
    multipliers: list[Scalar] = [*graph.inputs("m", table.count)]
    a: list[Scalar] = [*graph.inputs("a", table.nv)]
    q, v, t = split(model, y)
    model = with_memory(model, y)
    setting = settled(replace(_setting(mode), model=model), q, v, t)
    drives: Drives | None = driven_by(setting, q, v, t)
    _, acting, _, _ = pushed(setting, q, v, [0.0] * table.nv if drives is None else drives, t)
    motion = Motion(a, _rows(setting, q, v, t), multipliers, 1.0, acting)
    drives = with_forced(drives, setting, motion, q, v, t)
    loads = reactions(setting, q, v, motion)
    return Quantities(model, automaton.tree, q, v, t, reactions=loads, torques=drives, accelerations=a), motion


def values(mode: Mode, table: Table, asked: Sequence[Expression]) -> Program:
    """Expressions of the language: y, m (multipliers), a (accelerations) → their values."""
    graph = Graph()
    state, _ = _known(mode, graph, table, asked)
    return graph.program({"values": expressions(graph, [expression_value(each, state.names, state) for each in asked])})


def loads(mode: Mode, table: Table) -> tuple[Program, tuple[str, ...]]:
    """As `loads` of `_outputs`: y, m, a → driving forces, loads of joints and links, normal forces; their names."""
    graph = Graph()
    state, _ = _known(mode, graph, table, ())
    known: Any = state.reactions
    drives = [0.0] * table.nv if state.torques is None else list(state.torques)
    held = frozenset(mode.structure.holds)
    normals = [
        dot(known.get(contact.name, (ZERO, ZERO))[1], state.contact_state(contact)[2]) if contact.name in held else 0.0
        for contact in mode.automaton.model.contacts
    ]
    entries: list[Scalar] = [entry for moment, force in known.values() for entry in (*moment, *force)]
    return graph.program(
        {"drives": expressions(graph, drives), "loads": expressions(graph, [*entries, *normals])}
    ), tuple(known)
