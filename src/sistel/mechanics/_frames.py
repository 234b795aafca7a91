"""The axes in which each link's vectors are expressed, and the turns between them.

A link may use its own axes, or share those of the link before: in a run of parallel hinges all vectors can be expressed
in one frame, and the constant vectors of the links are turned by the sum of the angles instead. In a planar system
that frame is the ground, the angles are absolute, and half of the components vanish. Which is cheaper is decided by
counting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sistel.expr import IDENTITY, Matrix, Scalar, Scalars, Vector, cos, sin, turn_z, turn_z_back
from sistel.mechanics._tree import Link, Tree
from sistel.records import mutable


@mutable
class Frame:
    """How the axes E of a link are turned against those of its parent, and the link against E."""

    constant: Matrix | None
    """Constant turn from E of the parent; None for no turn."""
    before: tuple[Scalar, Scalar] | None
    """Cosine and sine of the turn of the parent link against its E, where that has to be passed; None for none."""
    own: tuple[Scalar, Scalar] | None
    """Cosine and sine of the turn about z that makes the axes the link's own; None where it shares axes."""
    matrix: Matrix | None
    """Turn of a joint of three angles."""
    theta: tuple[Scalar, Scalar] | None
    """Cosine and sine of the turn of the link against E; None for no turn."""
    angle: Scalar
    """The same turn as an angle, without whole quarter turns."""
    quarters: int = 0
    """Quarter turns to be added to it."""

    def down(self, v: Scalars) -> Vector:
        """A vector in E of the parent, expressed in E of the link."""
        x: Scalars = v
        if self.before is not None:
            x = turn_z_back(*self.before, x)
        if self.constant is not None:
            x = self.constant.T @ x
        if self.own is not None:
            x = turn_z_back(*self.own, x)
        if self.matrix is not None:
            x = self.matrix.T @ x
        return Vector(*x)

    def up(self, v: Scalars) -> Vector:
        """A vector in E of the link, expressed in E of the parent."""
        x: Scalars = v
        if self.matrix is not None:
            x = self.matrix @ x
        if self.own is not None:
            x = turn_z(*self.own, x)
        if self.constant is not None:
            x = self.constant @ x
        if self.before is not None:
            x = turn_z(*self.before, x)
        return Vector(*x)

    def local(self, v: Scalars) -> Vector:
        """A vector fixed in the link, expressed in E."""
        return Vector(*v) if self.theta is None else turn_z(*self.theta, v)

    def direction(self, v: Scalars) -> tuple[Scalar, Vector] | None:
        """Length and unit direction, in E, of a vector along x or y of a link that is turned against E.

        Where several vectors of a link lie along one line, what is done with the direction is done once for all.
        """
        if self.theta is None or _present(v[2]) or (_present(v[0]) == _present(v[1])):
            return None
        c, s = self.theta
        return (v[0], Vector(c, s, 0.0)) if _present(v[0]) else (v[1], Vector(-s, c, 0.0))

    def local_moments(self, J: Scalars) -> tuple[Scalar, ...]:
        """Second moments (xx, yy, zz, xy, xz, yz) about the link's axes, about those of E."""
        if self.theta is None or not any(_present(entry) for entry in (*J[:2], *J[3:])):
            return tuple(J)
        c, s = self.theta
        xx, yy, zz, xy, xz, yz = J
        # With the mean apart, the rest of the x-y block turns by the double angle.
        mean, half = 0.5 * (xx + yy), 0.5 * (xx - yy)
        if _present(half) or _present(xy):
            c2, s2 = 1.0 - 2.0 * (s * s), 2.0 * (s * c)
            a, b = c2 * half - s2 * xy, s2 * half + c2 * xy
        else:
            a = b = 0.0
        x, y, _ = turn_z(c, s, (xz, yz, 0.0))
        return (mean + a, mean - a, zz, b, x, y)


def _present(x: Scalar) -> bool:
    return not (isinstance(x, (int, float)) and x == 0)


def frames(tree: Tree, q: Scalars, shared: frozenset[int]) -> list[Frame]:
    """The frames of all links; `shared` names the hinges that keep the axes of the link before them."""
    made: list[Frame] = []
    for index, link in enumerate(tree.links):
        parent = made[link.parent] if link.parent >= 0 else None
        made.append(_frame(link, q, parent, index in shared))
    return made


def _frame(link: Link, q: Scalars, parent: Frame | None, share: bool) -> Frame:
    theta = parent.theta if parent is not None else None
    angle, quarters = (parent.angle, parent.quarters) if parent is not None else (0.0, 0)
    constant = None if link.R_PL == IDENTITY else Matrix(*link.R_PL)
    if link.kind == "slide":
        return Frame(None, None, None, None, theta, angle, quarters)
    if link.kind == "turn":
        own_quarters = round(link.angle / (math.pi / 2))
        rest = link.angle - own_quarters * (math.pi / 2)
        if abs(rest) > 1e-14 or own_quarters * (math.pi / 2) != link.angle:
            own_quarters, rest = 0, link.angle
        turn = link.sign * q[link.first_q] + rest
        if constant is None:
            # The axes of the parent link and this one are parallel: angles add up.
            total, all_quarters = angle + turn, quarters + own_quarters
            pair = _cosine_sine(total, all_quarters)
            if share:
                return Frame(None, None, None, None, pair, total, all_quarters)
            return Frame(None, None, pair, None, None, 0.0)
        pair = _cosine_sine(turn, own_quarters)
        if share:
            return Frame(constant, theta, None, None, pair, turn, own_quarters)
        return Frame(constant, theta, pair, None, None, 0.0)
    matrix = quaternion_matrix(q[link.first_q : link.first_q + 4])
    return Frame(constant, theta, None, matrix, None, 0.0)


def _cosine_sine(angle: Scalar, quarters: int) -> tuple[Scalar, Scalar]:
    """Cosine and sine; quarter turns exchange them and change signs, which costs nothing."""
    c, s = cos(angle), sin(angle)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[quarters % 4]


def link_offset(link: Link, above: Frame | None, q: Scalars) -> Vector:
    """The way from the origin of the parent to that of a link, in E of the parent."""

    def local(vector: Scalars) -> Vector:
        return Vector(*vector) if above is None else above.local(vector)

    if link.kind == "slide":
        return local(link.p_PL) + q[link.first_q] * local(link.axis)
    if link.kind == "free":
        return local(link.p_PL) + local(Matrix(*link.R_PL) @ q[link.first_q + 4 : link.first_q + 7])
    return local(link.p_PL)


def quaternion_matrix(q: Scalars) -> Matrix:
    """Rotation of a unit quaternion w, x, y, z."""
    w, x, y, z = q
    x2, y2, z2 = 2.0 * x, 2.0 * y, 2.0 * z
    wx, wy, wz = w * x2, w * y2, w * z2
    xx, xy, xz = x * x2, x * y2, x * z2
    yy, yz, zz = y * y2, y * z2, z * z2
    return Matrix(
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def shareable_runs(tree: Tree) -> list[frozenset[int]]:
    """Maximal runs of hinges with parallel axes, slides between them included; each may share one frame."""
    run_of: dict[int, int] = {}
    runs: dict[int, set[int]] = {}
    for index, link in enumerate(tree.links):
        at = link.parent
        while at >= 0 and tree.links[at].kind == "slide":
            at = tree.links[at].parent
        if link.kind != "turn":
            continue
        if link.R_PL == IDENTITY and at >= 0 and at in run_of:
            run_of[index] = run_of[at]
        else:
            run_of[index] = index
        runs.setdefault(run_of[index], set()).add(index)
    return [frozenset(run) for first, run in runs.items()]


def world_rotation(frame_list: Sequence[Frame], tree: Tree, index: int, cache: dict[int, Matrix]) -> Matrix:
    """R_WE, the axes E of a link in the world, or in those of the link that `cache` begins with."""
    path = []
    at = index
    while at not in cache:
        path.append(at)
        at = tree.links[at].parent
    R: Matrix = cache[at]
    for at in reversed(path):
        columns = [frame_list[at].up(unit) for unit in IDENTITY]
        R = cache[at] = R @ Matrix(*columns).T
    return R
