"""Motion under constraints by articulated bodies: loops that stay among neighbours cost as much as their bodies.

As in `_articulated`, what hangs on a joint answers accelerations of its origin by a wrench; here multipliers of open
loops push as well, I a + p + Σ P λ, and every constraint is known as a sum over what has been taken out so far,

    e − Pᵀ a + Σ L λ = demand.

From the ends to the root each joint's freedom is taken out. At the link that carries a whole loop the multipliers of
the loop go too, L being regular there whenever its rows are independent; so the equations fail in no other posture than
the mechanism does. Loops that the ground carries are solved last, those with the fewest neighbours first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sistel.expr import ZERO, Scalar, Scalars, Vector, absolute, cross, is_zero, minimum, outer
from sistel.mechanics._articulated import Body, Joint, Twist, arrive, bodies_under_way, meet, pair, pass_on
from sistel.mechanics._constrained import Solution, solve_constrained
from sistel.mechanics._frames import Frame
from sistel.mechanics._linear import Factor, inner, inverse_of
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._rows import Row
from sistel.mechanics._tree import Tree
from sistel.records import mutable


@mutable
class _Closed:
    """A multiplier that has been taken out: λ = inverse (rest + Pᵀ a − Σ coupled λ)."""

    row: int
    inverse: Scalar
    rest: Scalar
    P: Twist
    coupled: dict[int, Scalar]


@mutable
class _Freedom:
    """What the way back needs to know of a joint."""

    joint: Joint
    factor: Factor
    pushes: dict[int, list[Scalar]]
    """What a unit of each multiplier does along its freedoms."""


class _Loops:
    """The constraints, as far as joints have been taken out: e − Pᵀ a + Σ L λ = demand."""

    def __init__(self, demands: Scalars) -> None:
        self.rest: dict[int, Scalar] = dict(enumerate(demands))
        """Demand less e, of the rows that are open."""
        self.L: dict[int, dict[int, Scalar]] = {row: {} for row in self.rest}
        self.margin: Scalar = 1.0

    def add(self, i: int, j: int, value: Scalar) -> None:
        """To both halves of L, which share their expressions."""
        if not is_zero(value):
            total = self.L[i].get(j, 0.0) + value
            self.L[i][j] = total
            self.L[j][i] = total

    def close(self, rows: Iterable[int], pushes: dict[int, Twist]) -> list[_Closed]:
        """Take out the multipliers of some rows, those with the fewest neighbours first."""
        left = set(rows)
        whole = {row: self.L[row].get(row, 0.0) for row in left}
        made = []
        while left:
            row = min(left, key=lambda each: (len(self.L[each]), each))
            left.remove(row)
            made.append(self._take_out(row, whole[row], pushes))
        return made

    def _take_out(self, row: int, whole: Scalar, pushes: dict[int, Twist]) -> _Closed:
        coupled = self.L.pop(row)
        pivot = coupled.pop(row, 0.0)
        if pivot is not whole:
            # What is left of a diagonal entry is the part of its row that the rows before it do not say.
            part = absolute(pivot / whole)
            self.margin = part if self.margin == 1.0 else minimum(self.margin, part)
        inverse, rest, P = inverse_of(pivot), self.rest.pop(row), pushes.pop(row, (ZERO, ZERO))
        factors = {other: value * inverse for other, value in coupled.items()}
        others = sorted(coupled)
        for place, i in enumerate(others):
            del self.L[i][row]
            self.rest[i] = self.rest[i] - factors[i] * rest
            angular, linear = pushes.get(i, (ZERO, ZERO))
            pushes[i] = angular - factors[i] * P[0], linear - factors[i] * P[1]
            for j in others[: place + 1]:
                self.add(i, j, -(factors[i] * coupled[j]))
        return _Closed(row, inverse, rest, P, coupled)


def least_changes(
    tree: Tree, q: Scalars, rows: Sequence[Row], nv: int, shared: frozenset[int] | None
) -> Callable[[Scalars], list[Scalar]]:
    """What finds the least changes of velocities, in the metric of M, that meet demands: J x = demand.

    Args:
        tree: The links.
        q: Coordinates.
        rows: Independent constraints without friction.
        nv: How many velocities there are.
        shared: Hinges that share axes, where bodies are articulated; None for the mass matrix.
    """
    still: list[Scalar] = [0.0] * nv
    M = mass_matrix(tree, q) if shared is None else []

    def changes(demands: Scalars) -> list[Scalar]:
        if shared is None:
            return solve_constrained(M, still, rows, demands).x
        return solve_looped(tree, q, still, still, rows, demands, shared=shared, gravity=False).x

    return changes


def solve_looped(
    tree: Tree,
    q: Scalars,
    v: Scalars,
    force: Scalars,
    rows: Sequence[Row],
    demands: Scalars,
    *,
    shared: frozenset[int] = frozenset(),
    gravity: bool = True,
) -> Solution:
    """Accelerations under driving forces and constraints, J a = demand; the multipliers of the rows.

    Args:
        tree: The links.
        q: Coordinates.
        v: Velocities; zeros where M x = force + Jᵀ λ alone is to be solved.
        force: Driving forces, without weight and what velocities cause.
        rows: Independent constraints without friction.
        demands: What J a has to be, one per row.
        shared: Hinges that share the axes of the link before them.
        gravity: Whether weight acts.
    """
    made, above, offsets, drifts, bodies = bodies_under_way(tree, q, v, shared)
    entries, closing = _places(tree, rows)
    loops = _Loops(demands)
    ground: Twist = (ZERO, -Vector(*tree.gravity) if gravity else ZERO)
    pushes: list[dict[int, Twist]] = [{} for _ in tree.links]
    """P of every link, by row."""
    on_ground: dict[int, Twist] = {}
    closed: dict[int, list[_Closed]] = {}
    freedoms: list[_Freedom | None] = [None] * len(tree.links)
    for index in range(len(tree.links) - 1, -1, -1):
        link, body, own = tree.links[index], bodies[index], pushes[index]
        if closing[index]:
            closed[index] = loops.close(closing[index], own)
            for each in closed[index]:
                _stiffen(body, each)
        joint = meet(link, above[index], body, force, tree.rotors)
        freedoms[index] = _let_go(joint, own, entries[index], loops)
        arrival = drifts[index]
        if link.parent >= 0:
            pass_on(bodies[link.parent], body, joint, arrival, made[index], offsets[index])
            _carry(pushes[link.parent], own, arrival, made[index], offsets[index], loops)
        else:
            linear = made[index].down(ground[1])
            _carry({}, own, (arrival[0], arrival[1] + linear), made[index], offsets[index], loops)
    closed[-1] = loops.close(closing[-1], on_ground)
    multipliers: list[Scalar] = [0.0] * len(rows)
    a: list[Scalar] = [0.0] * tree.nv
    _find_multipliers(closed[-1], (ZERO, ZERO), multipliers)
    reached: list[Twist] = []
    for index, link in enumerate(tree.links):
        met = freedoms[index]
        assert met is not None
        before = reached[link.parent] if link.parent >= 0 else ground
        arrived = arrive(before, offsets[index], made[index], drifts[index])
        asked = [r - pair(w, arrived) for r, w in zip(met.joint.rest, met.joint.wrenches, strict=True)]
        for row, shares in met.pushes.items():
            asked = [x + share * multipliers[row] for x, share in zip(asked, shares, strict=True)]
        for number, gain in enumerate(met.factor.solve(asked)):
            a[link.first_v + number] = gain
            direction = met.joint.directions[number]
            arrived = (arrived[0] + gain * direction[0], arrived[1] + gain * direction[1])
        reached.append(arrived)
        if index in closed:
            _find_multipliers(closed[index], arrived, multipliers)
    return Solution(a, multipliers, loops.margin)


def _places(tree: Tree, rows: Sequence[Row]) -> tuple[list[dict[int, list[Scalar]]], dict[int, list[int]]]:
    """What the freedoms of every link do to the rows; the rows whose loop a link carries, those of the ground at -1."""
    sizes = [{"ball": 3, "free": 6}.get(link.kind, 1) for link in tree.links]
    owners = [0] * tree.nv
    for index, link in enumerate(tree.links):
        owners[link.first_v : link.first_v + sizes[index]] = [index] * sizes[index]
    depths: list[int] = []
    for link in tree.links:
        depths.append(depths[link.parent] + 1 if link.parent >= 0 else 0)
    entries: list[dict[int, list[Scalar]]] = [{} for _ in tree.links]
    closing: dict[int, list[int]] = {index: [] for index in range(-1, len(tree.links))}
    for number, row in enumerate(rows):
        tops: set[int] = set()
        for column, value in enumerate(row.J):
            if not is_zero(value):
                index = owners[column]
                link = tree.links[index]
                shares = entries[index].setdefault(number, [0.0] * sizes[index])
                shares[column - link.first_v] = value
                tops.add(link.parent)
        while len(tops) > 1:
            deepest = max(tops, key=lambda index: depths[index] if index >= 0 else -1)
            tops.remove(deepest)
            tops.add(tree.links[deepest].parent)
        closing[min(tops, default=-1)].append(number)
    return entries, closing


def _stiffen(body: Body, closed: _Closed) -> None:
    """What a closed loop adds to the link that carries it: I + P L⁻¹ Pᵀ, and the bias."""
    n, f = closed.P
    scaled = closed.inverse * n, closed.inverse * f
    body.A = body.A + outer(scaled[0], n)
    body.B = body.B + outer(scaled[0], f)
    body.M = body.M + outer(scaled[1], f)
    body.n = body.n + closed.rest * scaled[0]
    body.f = body.f + closed.rest * scaled[1]


def _let_go(joint: Joint, pushes: dict[int, Twist], entries: dict[int, list[Scalar]], loops: _Loops) -> _Freedom:
    """Take out the freedoms of a joint: the pushes of the link become those with the joint moving freely."""
    factor = Factor(joint.D)
    still = [0.0] * len(joint.directions)
    moved: dict[int, list[Scalar]] = {}
    for row in sorted({*pushes, *entries}):
        shares: list[Scalar] = list(entries.get(row, still))
        if row in pushes:
            shares = [share - pair(pushes[row], way) for share, way in zip(shares, joint.directions, strict=True)]
        if not all(is_zero(share) for share in shares):
            moved[row] = shares
    answers = {row: factor.solve(shares) for row, shares in moved.items()}
    for row, answer in answers.items():
        n, f = pushes.get(row, (ZERO, ZERO))
        for gain, wrench in zip(answer, joint.wrenches, strict=True):
            n, f = n + gain * wrench[0], f + gain * wrench[1]
        pushes[row] = n, f
        loops.rest[row] = loops.rest[row] - inner(answer, joint.rest)
        for other, shares in moved.items():
            if other <= row:
                loops.add(row, other, inner(answer, shares))
    return _Freedom(joint, factor, moved)


def _carry(
    onto: dict[int, Twist], pushes: dict[int, Twist], arrival: Twist, frame: Frame, p: Vector, loops: _Loops
) -> None:
    """Hand the pushes of a link to the one that carries it, and take out what is known of its acceleration."""
    for row, push in pushes.items():
        loops.rest[row] = loops.rest[row] + pair(push, arrival)
        n, f = frame.up(push[0]), frame.up(push[1])
        before = onto.get(row, (ZERO, ZERO))
        onto[row] = before[0] + n + cross(p, f), before[1] + f


def _find_multipliers(closed: Sequence[_Closed], a: Twist, multipliers: list[Scalar]) -> None:
    """The multipliers of loops whose link moves so."""
    for each in reversed(closed):
        asked = each.rest + pair(each.P, a)
        for other, value in each.coupled.items():
            asked = asked - value * multipliers[other]
        multipliers[each.row] = each.inverse * asked
