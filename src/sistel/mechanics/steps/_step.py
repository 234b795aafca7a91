"""Recursions over links as steps of one link: what large systems loop over, instead of a straight line of their own.

A *recursion* computes a quantity in sweeps over the links, from the ground outward or from the ends inward. What it
does at one link is a *step*: a formula over any scalar, the same for all links of one kind, whose arguments and results
are named numbers:

- ``c.R`` constants of the link, ``w.gravity`` constants of the system (see `_records`);
- ``q``, ``v``, ``a``, ``tau`` the link's own part of the state, ``rotor`` inertia of motors at its velocities;
- ``self.w`` a number in the record of the link, ``up.w`` the same in the record of its parent;
- ``up+F`` and ``ground+K`` what is added to the record of the parent, or of the ground;
- ``out`` the link's own part of the result; ``columns``, ``freedoms``, ``wrenches``, ``loads``, ``result`` see below.

All vectors are along the axes of the world and about the origin of their own link, so that passing something on to the
parent takes a shift and no turn. Inertia is not lumped: in a chain of thousands the base parameters of the first link
would hold the mass of all, and what matters would be lost in rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Final, Literal

from sistel.expr import ZERO, Expr, Graph, Matrix, Program, Scalar, Scalars, Vector, cos, sin
from sistel.mechanics._frames import quaternion_matrix
from sistel.records import record

Kind = Literal["turn", "slide", "ball", "free", "fixed"]
Values = Mapping[str, Scalars]
Results = dict[str, Scalars]
Step = Callable[[Kind, Values], Results]

KINDS: Final[tuple[Kind, ...]] = ("turn", "slide", "ball", "free", "fixed")
"""Kinds of links, in the order of their numbers in tables."""

COORDINATES: Final[dict[Kind, int]] = {"turn": 1, "slide": 1, "ball": 4, "free": 7, "fixed": 0}
VELOCITIES: Final[dict[Kind, int]] = {"turn": 1, "slide": 1, "ball": 3, "free": 6, "fixed": 0}

CONSTANTS: Final = {"R": 9, "p": 3, "axis": 3, "m": 1, "s": 3, "A": 6}
"""Of a link: axes and origin at zero coordinates in the parent, direction of a slide in the parent, mass [kg], first
moment [kg·m] and inertia xx, yy, zz, xy, xz, yz about the origin [kg·m²], the last two along the link's own axes."""

WORLD: Final = {"gravity": 3, "share": 1, "s": 3, "p": 3, "R": 9}
"""Of the system: gravity [m/s²], one over its mass [1/kg], first moment of what is fixed to the ground [kg·m], origin
[m] and axes of the frame asked for, in its link."""

FIELDS: Final = {
    # Axes R_WL, way from the parent's origin and its rate, direction of a slide, place; velocities and accelerations.
    **dict.fromkeys(("r", "dr", "d", "p", "w", "u", "dw", "a"), 3),
    "R": 9,
    # Force and moment; an articulated or composite body; what the bias of velocities adds to accelerations.
    **dict.fromkeys(("F", "N", "n", "f", "s", "cw", "ca"), 3),
    "A": 6,
    "B": 9,
    "M": 6,
    "m": 1,
    # A joint's answer to a unit acceleration, one over its pivot and the force it is given; sizes of A and M.
    "U": 6,
    "gain": 2,
    "sizes": 2,
    "flag": 1,
    # Sums over all links: kinetic energy, first moment, angular momentum and momentum. The way to a point.
    "K": 1,
    **dict.fromkeys(("sum", "L", "P", "arm"), 3),
}
"""Numbers of the records by name; each recursion has those that its steps mention."""

FREEDOM, WRENCH, COLUMN, LOAD = 9, 6, 6, 6
"""Numbers of a velocity in ``freedoms`` (unit twist, way to the freedom before it), ``wrenches`` and ``columns``, and
of a body in ``loads``."""

SINGULAR: Final = 2.0**-46
"""A pivot below this part of the inertia that it was left over from is rounding dust: the coordinate moves no mass."""


@record
class Sweep:
    """One pass over records."""

    step: Step
    order: Literal["links", "path", "bodies", "ground", "tip", "walk"] = "links"
    """All links; those from the ground to a frame; the last link of every body; the ground or the link of a frame
    alone. A walk is no sweep over links: from every velocity to the ground, filling a row of the mass matrix."""
    inward: bool = False


@record
class Recursion:
    """A quantity as sweeps, one after another."""

    inputs: tuple[str, ...]
    """Names of the blocks of the state: q, v, a, tau."""
    sweeps: tuple[Sweep, ...]
    merge: bool = True
    """Whether bodies that are fixed to others are a part of them."""
    flagged: bool = False
    """Whether the record of the ground counts, in `flag`, the coordinates that move no mass."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Fields that may lie where another one does, which nobody needs any more when they are put there."""
    blank: bool = False
    """Whether the result is zero where no step puts anything."""


def derive_step(step: Step, kind: Kind) -> Program:
    """The straight line of a step at one kind of link; blocks have the names of the numbers."""
    graph = Graph()
    results = step(kind, _Inputs(graph, kind))
    blocks = {name: [x if isinstance(x, Expr) else graph.constant(x) for x in part] for name, part in results.items()}
    return graph.program(blocks)


class _Inputs(Mapping[str, Scalars]):
    """The arguments of a step as inputs of a graph, made when they are first asked for."""

    def __init__(self, graph: Graph, kind: Kind) -> None:
        self._graph, self._kind = graph, kind
        self._made: dict[str, list[Expr]] = {}

    def __getitem__(self, name: str) -> Scalars:
        if name not in self._made:
            self._made[name] = self._graph.inputs(name, size_of(name, self._kind))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def size_of(name: str, kind: Kind) -> int:
    """How many numbers an argument of a step has."""
    if name == "q":
        return COORDINATES[kind]
    if name in ("v", "a", "tau", "rotor"):
        return VELOCITIES[kind]
    if name in ("freedom", "wrench"):
        return FREEDOM if name == "freedom" else WRENCH
    where, _, field = name.partition(".")
    return {"c": CONSTANTS, "w": WORLD, "self": FIELDS, "up": FIELDS}[where][field]


# --- what all recursions begin with -----------------------------------------------------------------------------------


def matrix(x: Scalars) -> Matrix:
    """Nine numbers as a matrix, row by row."""
    return Matrix(x[0:3], x[3:6], x[6:9])


def flat(R: Matrix) -> list[Scalar]:
    """A matrix as nine numbers."""
    return [entry for row in R for entry in row]


def column(R: Matrix, i: int) -> Vector:
    """A column of a matrix."""
    return Vector(R[0][i], R[1][i], R[2][i])


def place(kind: Kind, x: Values) -> tuple[Matrix, Vector, Vector]:
    """Axes of a link, the way to its origin from that of its parent, and the direction of its joint, in the world."""
    R_WP, q = matrix(x["up.R"]), x["q"]
    R = R_WP @ matrix(x["c.R"])
    r = R_WP @ x["c.p"]
    if kind == "turn":
        c, s = cos(q[0]), sin(q[0])
        rows = [(c * a + s * b, c * b - s * a, d) for a, b, d in R]
        return Matrix(*rows), r, column(R, 2)
    if kind == "slide":
        d = R_WP @ x["c.axis"]
        return R, r + q[0] * d, d
    if kind == "free":
        r = r + R @ q[4:7]
    if kind in ("ball", "free"):
        R = R @ quaternion_matrix(q[:4])
    return R, r, ZERO


def direction(kind: Kind, x: Values) -> Vector:
    """The direction of a turn or a slide, from a record in which `place` was kept."""
    return column(matrix(x["self.R"]), 2) if kind == "turn" else Vector(*x["self.d"])


def kept(kind: Kind, R: Matrix, r: Vector, d: Vector) -> Results:
    """What to keep of `place`."""
    results: Results = {"self.R": flat(R), "self.r": r}
    if kind == "slide":
        results["self.d"] = d
    return results


def six(S: Matrix) -> list[Scalar]:
    """The numbers xx, yy, zz, xy, xz, yz of a symmetric matrix."""
    return [S[0][0], S[1][1], S[2][2], S[0][1], S[0][2], S[1][2]]
