"""Forward dynamics by articulated bodies (Featherstone): the cost grows with the number of links, not with its cube.

What hangs on a joint answers accelerations of its origin by a wrench

    n = A α + B a + n₀,    f = Bᵀ α + M a + f₀,

with everything beyond already moving freely. From the ends to the root each joint's own freedom is taken out of these;
from the root to the ends the accelerations follow. Vectors are in the axes E of each link, as in `inverse_dynamics`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Scalars, Vector, cross, cross_matrix, dot, is_zero, outer
from sistel.mechanics._frames import Frame, frames, link_offset
from sistel.mechanics._linear import Factor, inverse_of
from sistel.mechanics._tree import Link, Tree
from sistel.records import mutable

Twist = tuple[Vector, Vector]
"""An angular and a linear vector."""


@mutable
class Body:
    """An articulated body: inertia and bias wrench about the origin of its link, in E."""

    A: Matrix
    B: Matrix
    M: Matrix
    n: Vector
    f: Vector


@mutable
class Joint:
    """What the way back needs to know of a joint."""

    directions: list[Twist]
    wrenches: list[Twist]
    """Answer of the articulated body to a unit acceleration of each freedom."""
    D: list[list[Scalar]]
    rest: list[Scalar]
    """Driving forces less what the bias takes."""


def bodies_under_way(
    tree: Tree, q: Scalars, v: Scalars, shared: frozenset[int]
) -> tuple[list[Frame], list[Frame | None], list[Vector], list[Twist], list[Body]]:
    """Of every link: its frame, that of its parent, its offset, its drift, and its body before anything hangs on it."""
    made = frames(tree, q, shared)
    above = [made[link.parent] if link.parent >= 0 else None for link in tree.links]
    offsets = [link_offset(link, frame, q) for link, frame in zip(tree.links, above, strict=True)]
    spins: list[Vector] = []
    drifts: list[Twist] = []
    bodies: list[Body] = []
    for index, link in enumerate(tree.links):
        before = spins[link.parent] if link.parent >= 0 else ZERO
        spin, drift = drift_of(link, made[index], above[index], before, offsets[index], v)
        spins.append(spin)
        drifts.append(drift)
        bodies.append(rigid(link, made[index], spin))
    return made, above, offsets, drifts, bodies


def articulated_dynamics(
    tree: Tree, q: Scalars, v: Scalars, tau: Scalars, *, shared: frozenset[int] = frozenset()
) -> list[Scalar]:
    """Accelerations that generalized forces give; arguments and result as of `forward_dynamics`."""
    made, above, offsets, drifts, bodies = bodies_under_way(tree, q, v, shared)
    joints: list[Joint | None] = [None] * len(tree.links)
    for index in range(len(tree.links) - 1, -1, -1):
        link = tree.links[index]
        joints[index] = joint = meet(link, above[index], bodies[index], tau, tree.rotors)
        if link.parent >= 0:
            pass_on(bodies[link.parent], bodies[index], joint, drifts[index], made[index], offsets[index])
    ground: Twist = (ZERO, -Vector(*tree.gravity))
    reached: list[Twist] = []
    a: list[Scalar] = [0.0] * tree.nv
    for index, link in enumerate(tree.links):
        met = joints[index]
        assert met is not None
        before = reached[link.parent] if link.parent >= 0 else ground
        arrived = arrive(before, offsets[index], made[index], drifts[index])
        asked = [r - pair(w, arrived) for r, w in zip(met.rest, met.wrenches, strict=True)]
        gains = Factor(met.D).solve(asked)
        for number, (gain, direction) in enumerate(zip(gains, met.directions, strict=True)):
            a[link.first_v + number] = gain
            arrived = (arrived[0] + gain * direction[0], arrived[1] + gain * direction[1])
        reached.append(arrived)
    return a


def arrive(before: Twist, offset: Vector, frame: Frame, drift: Twist) -> Twist:
    """The acceleration that a link has from the one before it, its own freedoms at rest."""
    angular, linear = before
    linear = linear + cross(angular, offset)
    return frame.down(angular) + drift[0], frame.down(linear) + drift[1]


def pair(wrench: Twist, twist: Twist) -> Scalar:
    return dot(wrench[0], twist[0]) + dot(wrench[1], twist[1])


def _directions(link: Link, above: Frame | None) -> list[Twist]:
    """The freedoms of a joint, in E of its link."""
    if link.kind == "turn":
        return [(Vector(0.0, 0.0, link.sign), ZERO)]
    if link.kind == "slide":
        return [(ZERO, Vector(*link.axis) if above is None else above.local(link.axis))]
    turns: list[Twist] = [(unit, ZERO) for unit in IDENTITY]
    return turns + ([(ZERO, unit) for unit in IDENTITY] if link.kind == "free" else [])


def drift_of(
    link: Link, frame: Frame, above: Frame | None, before: Vector, offset: Vector, v: Scalars
) -> tuple[Vector, Twist]:
    """Angular velocity of a link, and the part of its acceleration that comes from velocities alone, in E."""
    centripetal = cross(before, cross(before, offset))
    if link.kind == "slide":
        axis = Vector(*link.axis) if above is None else above.local(link.axis)
        return before, (ZERO, centripetal + 2.0 * cross(before, v[link.first_v] * axis))
    w = frame.down(before)
    linear = frame.down(centripetal)
    if link.kind == "turn":
        rate = link.sign * v[link.first_v]
        return Vector(w[0], w[1], w[2] + rate), (Vector(w[1] * rate, -(w[0] * rate), 0.0), linear)
    spin = v[link.first_v : link.first_v + 3]
    if link.kind == "free":
        speed = v[link.first_v + 3 : link.first_v + 6]
        coriolis, turning = 2.0 * cross(w, speed), cross(spin, speed)
        linear = linear + coriolis + turning
    return w + spin, (cross(w, spin), linear)


def rigid(link: Link, frame: Frame, w: Vector) -> Body:
    """A link alone."""
    m, s = link.inertia.m, frame.local(link.inertia.s)
    xx, yy, zz, xy, xz, yz = frame.local_moments(link.inertia.J)
    A = Matrix(
        (yy + zz, -xy, -xz),
        (-xy, xx + zz, -yz),
        (-xz, -yz, xx + yy),
    )
    return Body(
        A,
        cross_matrix(s),
        Matrix((m, 0.0, 0.0), (0.0, m, 0.0), (0.0, 0.0, m)),
        cross(w, A @ w),
        cross(w, cross(w, s)),
    )


def meet(link: Link, above: Frame | None, body: Body, tau: Scalars, rotors: Sequence[float]) -> Joint:
    """How the articulated body answers along the freedoms of its joint."""
    directions = _directions(link, above)
    wrenches: list[Twist] = []
    for turn, slide in directions:
        n = body.A @ turn + body.B @ slide
        f = body.B.T @ turn + body.M @ slide
        wrenches.append((n, f))
    D = [[pair(wrench, direction) for wrench in wrenches] for direction in directions]
    for number in range(len(D)):
        D[number][number] = D[number][number] + rotors[link.first_v + number]
    rest = [
        tau[link.first_v + number] - pair((body.n, body.f), direction) for number, direction in enumerate(directions)
    ]
    return Joint(directions, wrenches, D, rest)


def pass_on(parent: Body, body: Body, joint: Joint, drift: Twist, frame: Frame, p: Vector) -> None:
    """Add to the parent what remains of a body when its joint moves freely."""
    A, B, M, n, f = _freed(body, joint)
    turning, moving = drift
    n_turning, n_moving = A @ turning, B @ moving
    n = n + n_turning + n_moving
    f_turning, f_moving = B.T @ turning, M @ moving
    f = f + f_turning + f_moving
    A, B, M = _turned(A, frame), _turned(B, frame), _turned(M, frame)
    n, f = frame.up(n), frame.up(f)
    # About the parent's origin: a = a_P − p × α, and the force gains the arm p.
    P = cross_matrix(p)
    B_moved = B + P @ M
    # Bᵀ − M P is the transpose of B + P M, since M is symmetric and P skew.
    A_moved = A - B @ P + P @ B_moved.T
    parent.A = parent.A + A_moved
    parent.B = parent.B + B_moved
    parent.M = parent.M + M
    arm = cross(p, f)
    parent.n = parent.n + n + arm
    parent.f = parent.f + f


def _freed(body: Body, joint: Joint) -> tuple[Matrix, Matrix, Matrix, Vector, Vector]:
    """The answer of a body whose joint gives way: I − U D⁻¹ Uᵀ, and the bias with the driving forces passed on."""
    A, B, M, n, f = body.A, body.B, body.M, body.n, body.f
    size = len(joint.wrenches)
    if size == 1:
        wrench = joint.wrenches[0]
        inverse = inverse_of(joint.D[0][0])
        w = (inverse * wrench[0], inverse * wrench[1])
        pairs = [(w, wrench)]
        shares = [joint.rest[0]]
        outs = [w]
    else:
        factor = Factor(joint.D)
        columns = [factor.solve([1.0 if i == k else 0.0 for i in range(size)]) for k in range(size)]
        outs = []
        for k in range(size):
            moment, force = ZERO, ZERO
            for i in range(size):
                moment = moment + columns[k][i] * joint.wrenches[i][0]
                force = force + columns[k][i] * joint.wrenches[i][1]
            outs.append((moment, force))
        pairs = list(zip(outs, joint.wrenches, strict=True))
        shares = joint.rest
    for w, wrench in pairs:
        A = A - outer(w[0], wrench[0])
        B = B - outer(w[0], wrench[1])
        M = M - outer(w[1], wrench[1])
    for w, share in zip(outs, shares, strict=True):
        n, f = n + share * w[0], f + share * w[1]
    return A, B, M, n, f


def _turned(matrix: Matrix, frame: Frame) -> Matrix:
    """R X Rᵀ: a matrix of E of the link in E of the parent."""
    if all(is_zero(entry) for row in matrix for entry in row):
        return matrix
    rows = Matrix(*(frame.up(row) for row in matrix))
    return Matrix(*(frame.up(column) for column in rows.T)).T
