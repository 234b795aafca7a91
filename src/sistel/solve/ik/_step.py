"""One iteration of inverse kinematics as a straight line: pose, error, Jacobian, damped normal equations, step.

The scheme is Levenberg's and Marquardt's: with e the error from the current pose to the target and J the geometric
Jacobian, the step is (JᵀWJ + λI)⁻¹ JᵀWe, with a plus sign, because e = target − current. Where the task has no more
rows than the arm has joints, the same step is JᵀS⁻¹e with S = JJᵀ + λI over the rows, which is smaller. What is given
is λ in parts of the cost ½eᵀWe: it vanishes with the error, and the last steps are Newton's.

The error of an orientation turned from the target by θ about the unit axis u is u sin θ, whose square is what the cost
1 − cos θ loses along the axis; beyond a right angle it is 2u sin(θ/2), which does not shrink towards the half turn. No
arcs are taken: they cost more than all of the rest.

A joint that stands at a limit and is pushed against it does not take part in the step, and no step leaves the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sistel.expr import (
    Expr,
    Graph,
    Program,
    Scalar,
    Scalars,
    less,
    less_equal,
    logical_and,
    logical_or,
    maximum,
    minimum,
    select,
    sqrt,
)
from sistel.mechanics import Kinematics, expressions

if TYPE_CHECKING:
    from sistel.mechanics import Tree
    from sistel.pose import Rotation, Vector3

LEAST = 1e-12
"""What is added to the damping: rounding could make the equations indefinite without it."""
HALF_TURN = 1e-9
"""What 1 + cos θ is taken for where it is less: no direction can be told there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is asked of a frame."""

    weights: tuple[float, float, float, float, float, float]
    """Of errors about the axes x, y, z of the target, then along them."""

    @property
    def free_axis(self) -> int | None:
        """The axis about which the frame may turn, where that is one axis; turns about the others weigh alike."""
        turns = self.weights[:3]
        free = [i for i in range(3) if turns[i] == 0.0]
        others = {weight for weight in turns if weight != 0.0}
        return free[0] if len(free) == 1 and len(others) == 1 else None

    @property
    def rows(self) -> int:
        """How many components have to be met."""
        return sum(weight != 0.0 for weight in self.weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joints:
    """The coordinates that inverse kinematics moves."""

    places: tuple[int, ...]
    """In q."""
    rates: tuple[int, ...]
    """In v."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    names: tuple[str, ...]
    turns: tuple[bool, ...]
    """Whether it is an angle."""


def derive_step(tree: Tree, body: int, p: Vector3, R: Rotation, joints: Joints, task: Task, limits: bool) -> Program:
    """The program of an iteration.

    Inputs are `q`, the `target` (nine numbers of its axes by rows, then its place) and the `damping` λ. Outputs are the
    coordinates `next` of the joints, and `errors`: the cost, and squares of the errors of orientation and place.
    """
    graph = Graph()
    q = list(graph.inputs("q", tree.nq))
    target = list(graph.inputs("target", 12))
    damping = graph.inputs("damping", 1)[0]
    kinematics = Kinematics(tree, q)
    axes, place = kinematics.axes(body, R), kinematics.place(body, p)
    whole = kinematics.jacobian(body, p)
    J = [[row[rate] for rate in joints.rates] for row in whole]
    rows, errors = _rows(axes, place, target, J, task)
    e = [error for error, _ in rows]
    A = [row for _, row in rows]
    free: list[Scalar] = [1.0] * len(joints.places)
    if limits:
        free = [_free(q[joints.places[k]], _dot([row[k] for row in A], e), joints, k) for k in range(len(free))]
    moves = _step(A, e, free, damping * errors[0] + LEAST)
    following: list[Scalar] = []
    for k, move in enumerate(moves):
        value: Scalar = q[joints.places[k]] + move
        if limits and joints.high[k] < float("inf"):
            value = minimum(value, joints.high[k])
        if limits and joints.low[k] > float("-inf"):
            value = maximum(value, joints.low[k])
        following.append(value)
    return graph.program({"next": expressions(graph, following), "errors": expressions(graph, errors)})


def _rows(
    axes: Sequence[Scalars], place: Scalars, target: Sequence[Expr], J: list[list[Scalar]], task: Task
) -> tuple[list[tuple[Scalar, list[Scalar]]], list[Scalar]]:
    """Weighted rows of the task, each its error and its Jacobian; and the cost with both squares of errors."""
    T = [[target[3 * i + j] for j in range(3)] for i in range(3)]
    way: list[Scalar] = [target[9 + i] - place[i] for i in range(3)]
    turns, slides = task.weights[:3], task.weights[3:]
    rows: list[tuple[Scalar, list[Scalar]]] = []
    cost_turn: Scalar = 0.0
    square_turn: Scalar = 0.0
    if any(turns):
        axis = task.free_axis
        used = range(3) if axis is None else (axis,)
        sine = [_sum([_cross(axes, T, j, i) for j in used]) for i in range(3)]
        cosine: Scalar = _sum([axes[i][j] * T[i][j] for j in used for i in range(3)])
        if axis is None:
            sine, cosine = [0.5 * x for x in sine], 0.5 * (cosine - 1.0)
        upper = 1.0 + cosine
        beyond = less(cosine, 0.0)
        stretch = select(beyond, sqrt(2.0 / maximum(upper, HALF_TURN)), 1.0)
        e = [x * stretch for x in sine]
        squares = _dot(sine, sine)
        # 1 − cos θ without losing its digits where θ is small.
        versine = select(beyond, 1.0 - cosine, squares / maximum(upper, 1.0))
        square_turn = 2.0 * versine
        if len(set(turns)) == 1:
            cost_turn = turns[0] * versine
            rows += _weighted(e, J[:3], turns)
        else:
            inside = [_dot([T[i][j] for i in range(3)], e) for j in range(3)]
            turned = [
                [_dot([T[i][j] for i in range(3)], [J[i][k] for i in range(3)]) for k in range(len(J[0]))]
                for j in range(3)
            ]
            rows += _weighted(inside, turned, turns)
            if axis is not None:
                cost_turn = max(turns) * versine
            else:
                cost_turn = 0.5 * _sum([w * x * x for w, x in zip(turns, inside, strict=True) if w])
                square_turn = _sum([x * x for w, x in zip(turns, inside, strict=True) if w])
    cost_slide: Scalar = 0.0
    square_slide: Scalar = 0.0
    if any(slides):
        lines = J[3:]
        if len(set(slides)) > 1:
            way = [_dot([T[i][j] for i in range(3)], way) for j in range(3)]
            lines = [
                [_dot([T[i][j] for i in range(3)], [J[3 + i][k] for i in range(3)]) for k in range(len(J[0]))]
                for j in range(3)
            ]
        rows += _weighted(way, lines, slides)
        square_slide = _sum([x * x for w, x in zip(slides, way, strict=True) if w])
        cost_slide = 0.5 * _sum([w * x * x for w, x in zip(slides, way, strict=True) if w])
    return rows, [cost_turn + cost_slide, square_turn, square_slide]


def _weighted(e: Scalars, J: Sequence[Scalars], weights: Sequence[float]) -> list[tuple[Scalar, list[Scalar]]]:
    made = []
    for error, row, weight in zip(e, J, weights, strict=True):
        if weight:
            root = weight**0.5
            made.append((error * root, [entry * root for entry in row]))
    return made


def _free(q: Expr, push: Scalar, joints: Joints, k: int) -> Scalar:
    """1 where a joint may follow what pushes it, 0 where its limit holds it."""
    held: Scalar | None = None
    if joints.low[k] > float("-inf"):
        held = logical_and(less_equal(q, joints.low[k]), less(push, 0.0))
    if joints.high[k] < float("inf"):
        above = logical_and(less_equal(joints.high[k], q), less(0.0, push))
        held = above if held is None else logical_or(held, above)
    return 1.0 if held is None else select(held, 0.0, 1.0)


def _step(A: list[list[Scalar]], e: list[Scalar], free: list[Scalar], damping: Scalar) -> list[Scalar]:
    """The damped step of the joints that are free."""
    rows, columns = len(A), len(A[0])
    held = [[entry * f for entry, f in zip(row, free, strict=True)] for row in A]
    if rows <= columns:
        S = [[_dot(held[i], held[j]) + (damping if i == j else 0.0) for j in range(i + 1)] for i in range(rows)]
        y = _solve(S, e)
        return [_dot([row[k] for row in held], y) for k in range(columns)]
    turned = [[row[k] for row in held] for k in range(columns)]
    H = [[_dot(turned[i], turned[j]) + (damping if i == j else 0.0) for j in range(i + 1)] for i in range(columns)]
    return _solve(H, [_dot(column, e) for column in turned])


def _solve(S: list[list[Scalar]], b: Scalars) -> list[Scalar]:
    """S⁻¹b for a positive S of which the lower triangle is given: S = LDLᵀ, without roots."""
    n = len(b)
    L: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    inverse: list[Scalar] = []
    for j in range(n):
        column = [S[i][j] for i in range(j, n)]
        for k in range(j):
            # L[j][k] D[k] is kept above the diagonal.
            column = [x - L[j + i][k] * L[k][j] for i, x in enumerate(column)]
        inverse.append(1.0 / column[0])
        for i in range(j + 1, n):
            L[j][i] = column[i - j]
            L[i][j] = column[i - j] * inverse[j]
    y: list[Scalar] = []
    for i in range(n):
        y.append(_sum([b[i], *(-(L[i][k] * y[k]) for k in range(i))]))
    x = [a * d for a, d in zip(y, inverse, strict=True)]
    for i in range(n - 1, -1, -1):
        x[i] = _sum([x[i], *(-(L[k][i] * x[k]) for k in range(i + 1, n))])
    return x


def _cross(axes: Sequence[Scalars], T: Sequence[Scalars], j: int, i: int) -> Scalar:
    """Entry i of the product of axis j of the frame with that of the target."""
    a, b = (i + 1) % 3, (i + 2) % 3
    return axes[a][j] * T[b][j] - axes[b][j] * T[a][j]


def _dot(a: Scalars, b: Scalars) -> Scalar:
    return _sum([x * y for x, y in zip(a, b, strict=True)])


def _sum(values: Scalars) -> Scalar:
    total: Scalar = values[0]
    for value in values[1:]:
        total = total + value
    return total
