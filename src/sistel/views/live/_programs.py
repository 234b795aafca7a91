"""What pages compute that simulations do not: poses, energies, constraints; and parts of programs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from sistel.automaton import anchor_sizes, split, with_memory
from sistel.expr import Expr, Graph, Op, Program, program
from sistel.mechanics import Kinematics, Quantities, Row, Scalar, constraint_rows, derive_energies, expressions
from sistel.motion import forced_rows

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.model import Structure
    from sistel.pose import Rotation

_IDENTITY: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def poses_program(engine: Engine) -> Program:
    """Program of the poses of all bodies in the world, by number: q → rows of 3×4 matrices, the ground left out."""
    graph = Graph()
    q = list(graph.inputs("q", engine.model.nq))
    kinematics = Kinematics(engine.tree, q)
    entries: list[Scalar] = []
    for body in engine.model.bodies:
        place = kinematics.place(body.number, (0.0, 0.0, 0.0))
        axes = kinematics.axes(body.number, _IDENTITY)
        entries += [entry for i in range(3) for entry in (*axes[i], place[i])]
    return program(graph, {"poses": expressions(graph, entries)})


def energies_program(engine: Engine) -> Program:
    """Program of the energies: (q, v) → kinetic and potential energy [J], and the centre of mass [m]."""
    return derive_energies(engine.model, engine.tree, springs=True)


def constraints_program(engine: Engine, structure: Structure) -> tuple[Program, tuple[int, ...]]:
    """Program of the constraints of a structure, then of its forced motions: (y, p) → values, Jacobian, drifts.

    Redundant constraints are among them. The block p is what anchored links have found, as for projections.

    Returns:
        The program, and the velocities that motions force, one for each of the last rows.
    """
    model = engine.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    sizes = anchor_sizes(engine.automaton, structure)
    p = list(graph.inputs("p", max(1, sum(sizes.values()))))
    kept: dict[str, Sequence[Scalar]] = {}
    start = 0
    for name, size in sizes.items():
        kept[name] = p[start : start + size]
        start += size
    rows = list[Row](constraint_rows(model, engine.tree, structure, q, v, t=t, found=kept))
    forced = forced_rows(Quantities(with_memory(model, y), engine.tree, q, v, t), structure)
    rows += forced
    outputs: dict[str, list[Expr]] = {
        "value": expressions(graph, [row.value for row in rows]),
        "J": expressions(graph, [entry for row in rows for entry in row.J]),
        "drift": expressions(graph, [row.drift for row in rows]),
    }
    return program(graph, outputs if rows else {}), tuple(row.rate or 0 for row in forced)


def only(whole: Program, names: Collection[str]) -> Program:
    """The lines of a program that some of its outputs need."""
    results: list[int] = []
    outputs: list[tuple[str, int]] = []
    start = 0
    for name, size in whole.outputs:
        if name in names:
            outputs.append((name, size))
            results += whole.results[start : start + size]
        start += size
    needed = set(results)
    for i in range(len(whole) - 1, -1, -1):
        if i in needed and whole.operation[i] not in (Op.CONSTANT, Op.INPUT):
            needed |= {x for x in (whole.first[i], whole.second[i], whole.third[i]) if x >= 0}
    places = {old: new for new, old in enumerate(sorted(needed))}
    places[-1] = -1

    def moved(i: int, operand: int) -> int:
        return operand if whole.operation[i] in (Op.CONSTANT, Op.INPUT) else places[operand]

    kept = sorted(needed)
    return Program(
        inputs=whole.inputs,
        outputs=tuple(outputs),
        operation=tuple(whole.operation[i] for i in kept),
        first=tuple(moved(i, whole.first[i]) for i in kept),
        second=tuple(moved(i, whole.second[i]) for i in kept),
        third=tuple(moved(i, whole.third[i]) for i in kept),
        number=tuple(whole.number[i] for i in kept),
        results=tuple(places[i] for i in results),
    )
