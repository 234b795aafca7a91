"""What a structure holds → graphs: positions, Jacobian, biases and loads of its links, with the multipliers as inputs.

Links that hold whatever place they find (feet that stick, locks, changed joints) compare with numbers that they found
when they began to hold. These are inputs too, called anchors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sistel.errors import SistelError
from sistel.expr import (
    ZERO,
    Expr,
    Graph,
    Scalar,
    Scalars,
    Traced,
    Vector,
    atan2,
    cos,
    derivative,
    evaluate,
    sin,
)
from sistel.mechanics import Row, Tree, anchors, build_tree, constraint_rows, coordinate_rates, link_loads
from sistel.model import Model, Structure
from sistel.pose import Vector3
from sistel.records import entry

Nodes = list[Expr]
Push = tuple[int, Vector3, Vector, Vector]
Other = tuple[Model, list[float]]
"""A model with slightly other values of the parameters, and these values."""

_ALIKE = 1e-9
"""Largest difference, of the size of the numbers, between two ways of computing the same."""


@entry
class Anchor:
    """A number that a link found when it began to hold.

    Attributes:
        link: Name of the link.
        part: x, y, z, "angle" or "r12", the index of a locked velocity, or "offset" of a coupling.
        now: What the link would find at the present coordinates.
    """

    link: str
    part: str | int
    now: Expr


@entry
class HeldRow:
    """One scalar constraint as nodes: J · a + bias = 0, J · v + drift = 0, value = 0."""

    row: Row
    J: Nodes
    bias: Expr
    value: Expr | None
    """None where the link has no equation between positions."""
    drift: Expr
    drag: Nodes | None
    redundant: bool
    exact: bool = False
    """Whether the value's derivatives are what J and bias say everywhere, and not only where it is zero."""


@entry
class Holding:
    """Everything that a structure holds."""

    rows: list[HeldRow]
    loads: dict[str, Nodes]
    """Moment and force of every link, on the body that they are reported for, in W, six each."""
    pushes: list[Push]
    """What the links do to bodies."""
    anchors: list[Anchor]

    def nodes(self) -> Nodes:
        """All results."""
        found: Nodes = []
        for held in self.rows:
            found += [*held.J, held.bias, held.drift, *(held.drag or ())]
            found += [] if held.value is None else [held.value]
        found += [node for load in self.loads.values() for node in load]
        return found + [anchor.now for anchor in self.anchors]


@entry
class Links:
    """The links of one structure, and which of them can keep the parameters as letters.

    Attributes:
        names: Names of the links, and of the changed joints, in the order of the rows.
        redundant: Indices of the rows that follow from the others.
        rows: Link and part of every row.
        anchored: For every anchored link, the parts of what it finds.
        numeric: Names of the links that are written with numbers.
    """

    names: tuple[str, ...]
    redundant: frozenset[int]
    rows: tuple[tuple[str, str], ...]
    anchored: Mapping[str, tuple[str | int, ...]]
    numeric: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def anchor_count(self) -> int:
        """How many anchors there are."""
        return sum(map(len, self.anchored.values()))


def _one(model: Model, structure: Structure, name: str) -> Structure:
    """The structure with one of its links alone."""
    changes = tuple(change for change in structure.changes if model.bodies[change.body - 1].joint.name == name)
    holds = () if changes else (name,)
    return replace(structure, holds=holds, changes=changes, slides=tuple(set(structure.slides) & set(holds)))


def _geometry(model: Model) -> Tree:
    """The links of a model with axes that lie as the description has them: inertia would turn some of them."""
    still = (0.0, 0.0, 0.0)
    bodies = tuple(replace(body, p_BoBcm_B=still, I_BBcm_B=(*still, *still)) for body in model.bodies)
    return build_tree(replace(model, bodies=bodies), lump=False)


def link_names(model: Model, structure: Structure) -> tuple[str, ...]:
    """Names of everything that a structure holds."""
    changed = (model.bodies[change.body - 1].joint.name for change in structure.changes)
    return (*structure.holds, *changed)


def find_links(model: Model, structure: Structure, rows: Sequence[tuple[str, str]], redundant: Sequence[int]) -> Links:
    """What there is to derive."""
    tree = _geometry(model)
    q, _, _ = generic_state(model)
    held = {lock.name: tuple(lock.rates) for lock in model.locks if lock.first is None}
    for change in structure.changes:
        body = model.bodies[change.body - 1]
        if change.type.key == "fixed" and change.about is None:
            held[body.joint.name] = tuple(range(body.first_v, body.first_v + body.joint.type.nv))
    # Joints that let their body turn do not care how it was turned; a hinge in space does, across its axis.
    loose = {"spherical", "universal"} | ({"revolute"} if model.planar else set())
    turning = {model.bodies[x.body - 1].joint.name for x in structure.changes if x.type.key in loose}
    anchored: dict[str, tuple[str | int, ...]] = {}
    axes = "xy" if model.planar else "xyz"
    for name, found in anchors(model, tree, structure, q).items():
        if name in held:
            anchored[name] = held[name]
        elif name in model.offset_couplings:
            anchored[name] = ("offset",)
        elif len(found) == 3 or name in turning:
            anchored[name] = tuple(axes)
        else:
            turned = ("angle",) if model.planar else tuple(f"r{i}{j}" for i in "123" for j in "123")
            anchored[name] = (*axes, *turned)
    return Links(link_names(model, structure), frozenset(redundant), tuple(rows), anchored)


def _anchor_values(found: Scalars, planar: bool, parts: Sequence[str | int]) -> list[Scalar]:
    """What a link compares with, in the order of mechanics, from its anchors."""
    if not isinstance(parts[0], str) or parts[0] == "offset":
        return list(found)
    places = [*found[:2], 0.0] if planar else list(found[:3])
    if "angle" in parts:
        c, s = cos(found[2]), sin(found[2])
        return [*places, c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]
    turned: Scalars = found[3:] if len(parts) > 3 else (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return [*places, *turned]  # a contact looks at the first three alone


def _present(now: Scalars, parts: Sequence[str | int]) -> list[Scalar]:
    """The anchors that a link would find."""
    if "angle" in parts:
        return [now[0], now[1], atan2(now[6], now[3])]
    return list(now[: len(parts)])


def link_rows(
    model: Model,
    tree: Tree,
    structure: Structure,
    links: Links,
    name: str,
    state: tuple[Scalars, Scalars, Scalar],
    found: Scalars,
) -> tuple[list[Row], list[Scalar]]:
    """The rows of one link, and what its anchors would be at present."""
    q, v, t = state
    alone = _one(model, structure, name)
    parts = links.anchored.get(name, ())
    known = {name: _anchor_values(found, model.planar, parts)} if parts else None
    rows = constraint_rows(model, tree, alone, q, v, t=t, found=known)
    return rows, _present(anchors(model, tree, alone, q)[name], parts) if parts else []


def derive_holding(
    graph: Graph,
    traced: Model,
    model: Model,
    structure: str,
    links: Links,
    state: tuple[Sequence[Expr], Sequence[Expr], Sequence[Expr], Expr],
) -> Holding:
    """All rows of a structure; inputs for multipliers and anchors are added to the graph.

    Args:
        graph: The graph of everything.
        traced: The model whose numbers know their parameters.
        model: The model in numbers, for those links that cannot keep letters.
        structure: Its name.
        links: What there is.
        state: q, v and a, and the time.
    """
    q, v, a, t = state
    multipliers = graph.inputs("lambda", links.count)
    found = iter(graph.inputs("h", links.anchor_count) if links.anchor_count else ())
    rows: list[Row] = []
    noted: list[Anchor] = []
    trees = {id(each): _geometry(each) for each in (traced, model)}
    for name in links.names:
        source = model if name in links.numeric else traced
        mine = [next(found) for _ in links.anchored.get(name, ())]
        made, now = link_rows(
            source, trees[id(source)], source.structure(structure), links, name, ([*q], [*v], t), mine
        )
        rows += [_met(source, row) for row in made]
        parts = links.anchored.get(name, ())
        noted += [Anchor(name, part, node_of(graph, x)) for part, x in zip(parts, now, strict=True)]
    forces: list[Scalar] = [0.0 if i in links.redundant else x for i, x in enumerate(multipliers)]
    loads = {
        name: [node_of(graph, x) for x in (*moment, *force)]
        for name, (moment, force) in link_loads(rows, forces).items()
    }
    pushes = [
        (wrench.body, wrench.p, x * wrench.moment, x * wrench.force)
        for row, x in zip(rows, forces, strict=True)
        if isinstance(x, Expr)
        for wrench in (*row.wrenches, *row.dragged)
    ]
    held = [_held(graph, row, i in links.redundant) for i, row in enumerate(rows)]
    rates = dict(zip(q, coordinate_rates(model, [*q], [*v]), strict=True))
    return Holding(_exact(graph, model, held, rates, (v, a, t)), loads, pushes, noted)


def _met(model: Model, row: Row) -> Row:
    """A row whose two points are one place: no arm between them, as its Jacobian has it too."""
    if row.part in ("x", "y", "z") and any(closure.name == row.link for closure in model.closures):
        row.wrenches = tuple(replace(wrench, moment=ZERO) for wrench in row.wrenches)
    return row


def node_of(graph: Graph, value: Scalar) -> Expr:
    """A number or a node as a node."""
    return value if isinstance(value, Expr) else graph.constant(value)


def _held(graph: Graph, row: Row, redundant: bool) -> HeldRow:
    value = None if isinstance(row.value, (int, float)) and row.value == 0 else node_of(graph, row.value)
    return HeldRow(
        row,
        [node_of(graph, x) for x in row.J],
        node_of(graph, row.bias),
        value,
        node_of(graph, row.drift),
        None if row.drag is None else [node_of(graph, x) for x in row.drag],
        redundant,
    )


def _exact(
    graph: Graph,
    model: Model,
    rows: Sequence[HeldRow],
    rates: Mapping[Expr, Scalar],
    state: tuple[Sequence[Expr], Sequence[Expr], Expr],
) -> list[HeldRow]:
    """Rows that know whether their derivatives hold everywhere: looked at in a posture that meets nothing."""
    v, a, t = state
    present = [held.value if held.value is not None else graph.constant(0.0) for held in rows]
    speeds = [_along(held.J, v) + held.drift for held in rows]
    gains = [_along(held.J, a) + held.bias for held in rows]
    first = derivative(graph, present, {**rates, t: 1.0})
    second = derivative(graph, speeds, {**rates, **dict(zip(v, a, strict=True)), t: 1.0})
    line = graph.program({"found": [*speeds, *gains], "derived": [*first, *second]})
    blocks = generic_blocks(model, line.inputs)
    try:
        found, derived = evaluate(line, *blocks)
    except (ArithmeticError, ValueError):
        return list(rows)
    n = len(rows)

    def near(i: int) -> bool:
        return abs(found[i] - derived[i]) <= _ALIKE * max(1.0, abs(found[i]))

    return [replace(held, exact=held.value is not None and near(i) and near(n + i)) for i, held in enumerate(rows)]


def _along(row: Sequence[Expr], by: Sequence[Expr]) -> Scalar:
    total: Scalar = row[0] * by[0]
    for x, y in zip(row[1:], by[1:], strict=True):
        total = total + x * y
    return total


def generic_state(model: Model) -> tuple[list[float], list[float], list[float]]:
    """Coordinates, velocities and accelerations in no special posture."""
    q = [math.sin(1.0 + i) for i in range(model.nq)]
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            q[body.first_q : body.first_q + 4] = [0.5, -0.5, 0.5, 0.5]
    return q, [math.cos(2.0 + i) for i in range(model.nv)], [math.sin(3.0 + 2 * i) for i in range(model.nv)]


def generic_blocks(
    model: Model, inputs: Sequence[tuple[str, int]], values: Sequence[float] | None = None
) -> list[Sequence[float]]:
    """Numbers for all blocks of a program: a state in no special posture."""
    q, v, a = generic_state(model)
    known: dict[str, Sequence[float]] = {"q": q, "v": v, "a": a, "t": [0.3]}
    if values is not None:
        known["p"] = values
    return [known.get(name) or [math.cos(1.0 + i) for i in range(count)] for name, count in inputs]


def keep_letters(links: Links, traced: Model, other: Other | None, structure: str) -> Links:
    """The links whose rows hold for other values of the parameters keep letters, the others are written in numbers."""
    lost = {name for name in links.names if other is None or not _agrees(links, traced, other, structure, name)}
    return replace(links, numeric=frozenset(lost))


def _agrees(links: Links, traced: Model, other: Other, structure: str, name: str) -> bool:
    model, values = other
    graph = Graph()
    q, v = list(graph.inputs("q", model.nq)), list(graph.inputs("v", model.nv))
    graph.inputs("p", len(values))
    t = graph.inputs("t", 1)[0]
    mine = graph.inputs("h", len(links.anchored.get(name, ())))  # the last of the blocks
    try:
        rows, now = link_rows(traced, _geometry(traced), traced.structure(structure), links, name, (q, v, t), mine)
        nodes = [node_of(graph, x) for x in _numbers(rows, now)]
        line = graph.program({"rows": nodes})
        blocks = generic_blocks(model, line.inputs, values)
        (found,) = evaluate(line, *blocks)
        state = (list(blocks[0]), list(blocks[1]), 0.3)
        plain, there = link_rows(model, _geometry(model), model.structure(structure), links, name, state, blocks[-1])
    except (SistelError, ArithmeticError, LookupError, ValueError, TypeError):
        return False
    expected = [float(x) for x in _numbers(plain, there) if isinstance(x, (int, float))]
    scale = max(map(abs, expected), default=0.0) or 1.0
    return len(found) == len(expected) and all(
        abs(x - y) <= _ALIKE * scale for x, y in zip(found, expected, strict=True)
    )


def _numbers(rows: Sequence[Row], now: Scalars) -> list[Scalar]:
    found: list[Scalar] = [*now]
    for row in rows:
        found += [*row.J, row.bias, row.value, row.drift, *(row.drag or ())]
        for wrench in (*row.wrenches, *row.dragged):
            found += [*wrench.moment, *wrench.force]
    return found


def at_values(model: Model, number: Callable[[float], float]) -> Model:
    """The same model with every number of its bodies replaced."""

    def three(vector: Vector3) -> Vector3:
        return (number(vector[0]), number(vector[1]), number(vector[2]))

    bodies = tuple(
        replace(
            body,
            mass=number(body.mass),
            p_PB=three(body.p_PB),
            p_BoBcm_B=three(body.p_BoBcm_B),
        )
        for body in model.bodies
    )
    return replace(model, bodies=bodies)


def evaluated(traced: Model, graph: Graph, values: Sequence[float], plain: Model) -> Model:
    """A plain model whose bodies are where the traced ones would be for other values of the parameters."""
    found: dict[int, float] = {}

    def number(x: float) -> float:
        if not isinstance(x, Traced):
            return x
        if x.node.index not in found:
            found[x.node.index] = evaluate(graph.program({"x": [x.node]}), values)[0][0]
        return found[x.node.index]

    return replace(plain, bodies=at_values(traced, number).bodies)
