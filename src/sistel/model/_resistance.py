"""Whether a body at the end of a branch has inertia against every turn that its joint allows it."""

from __future__ import annotations

from sistel.model._elements import Body
from sistel.model._parts import inertia_problem

LEAST = 1e-13
"""Of the greatest moment of inertia: a moment below this part of it is lost in the rounding of the others."""


def resists_turning(body: Body, planar: bool) -> bool:
    """Whether no turn that the joint of a body without others on it allows leaves all its mass in place.

    A thin rod on a ball joint can spin about itself: such a motion has no equation. Joints whose turns have two axes
    are not looked at: what they need depends on the posture.
    """
    if not planar and inertia_problem(body.I_BBcm_B) is not None:
        return True  # no body is like that, which has been told: there is nothing to conclude from it
    mass, (x, y, z) = float(body.mass), map(float, body.p_BoBcm_B)
    xx, yy, zz, xy, xz, yz = map(float, body.I_BBcm_B)
    kind = body.joint.type.key
    # About the joint; where the body slides besides, that moves its mass, and what counts is about its mass centre.
    if kind in ("revolute", "cylindrical", "spherical"):
        xx, yy, zz = xx + mass * (y * y + z * z), yy + mass * (x * x + z * z), zz + mass * (x * x + y * y)
        xy, xz, yz = xy - mass * x * y, xz - mass * x * z, yz - mass * y * z
    if planar:
        return zz > LEAST * mass * (x * x + y * y)
    greatest = max(xx, yy, zz, mass * (x * x + y * y + z * z))
    if kind in ("spherical", "free"):
        return _positive([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], LEAST * greatest)
    if kind in ("revolute", "cylindrical", "planar"):
        a, b, c = map(float, body.joint.axis)
        about = a * a * xx + b * b * yy + c * c * zz + 2 * (a * b * xy + a * c * xz + b * c * yz)
        return about > LEAST * greatest
    return True


def _positive(M: list[list[float]], least: float) -> bool:
    """Whether a symmetric matrix is positive definite: all pivots, the greatest first, are above the least."""
    rows = [0, 1, 2]
    while rows:
        k = max(rows, key=lambda i: M[i][i])
        pivot = M[k][k]
        if not pivot > least:
            return False
        rows.remove(k)
        for i in rows:
            for j in rows:
                M[i][j] -= M[i][k] * M[k][j] / pivot
    return True
