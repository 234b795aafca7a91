"""Three joints that bring a point to a place, in closed form: hinges and slides in any order and arrangement.

E₁E₂E₃p = g. What the first joint leaves as it is (of a hinge the height along its axis and the distance from a point
of it) makes two equations for the other two. They are linear in the cosine and the sine of the second angle; squares
added give the third joint alone: an angle by a quartic in e^{iq}, a slide by a quartic; where axes meet or are
parallel, less (D. L. Pieper, The kinematics of manipulators under computer control, 1968).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.arms.closed_forms._roots import (
    angle_between,
    cross,
    dot,
    four_angles,
    four_numbers,
    multiplied,
    turned,
    two_angles,
    two_numbers,
)
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


NEAR = 2e-5
"""Angles [rad], and parts of the size of an arm, that are taken for none: files round a right angle to 1.5708. What
that leaves is made up by Newton's steps."""


@record
class Joint:
    """A joint at zero."""

    hinge: bool
    point: Array
    """Of its axis, shape (3,) [m]."""
    axis: Array
    """Its unit direction, shape (3,)."""

    def moved(self, q: Array, p: Array) -> Array:
        """Points after the joint, shape (..., 3)."""
        return self.point + turned(self.axis, q, p - self.point) if self.hinge else p + q[..., None] * self.axis

    def backwards(self) -> Joint:
        """The joint that undoes this one."""
        return Joint(hinge=self.hinge, point=self.point, axis=-self.axis)


def places(joints: tuple[Joint, Joint, Joint], start: Array, goal: Array, seed: Array, size: float) -> Array:
    """Coordinates of three joints that bring points to places.

    Args:
        joints: From the base on.
        start: Points that are carried, shape (rows, 3) [m].
        goal: Where they shall be, shape (rows, 3) [m].
        seed: Coordinates where they may be anything, shape (rows, 3) [m or rad].
        size: Of the arm [m].

    Returns:
        Shape (rows, at most 4, 3); rows that do not exist are NaN, or do not lead there.
    """
    kinds = "".join("R" if joint.hinge else "P" for joint in joints)
    if kinds in ("PRR", "PPR"):
        back = tuple(joint.backwards() for joint in reversed(joints))
        return places((back[0], back[1], back[2]), goal, start, seed[:, ::-1], size)[..., ::-1]
    if kinds == "PPP":
        A = np.column_stack([joint.axis for joint in joints])
        return np.asarray(np.linalg.solve(A, (goal - start).T).T[:, None, :])
    if kinds == "PRP":
        return _slide_turn_slide(joints, start, goal, seed, size)
    second, third = {"RRR": _turn_turn, "RRP": _turn_turn, "RPR": _slide_turn, "RPP": _slide_slide}[kinds](
        joints, start, goal, seed, size
    )
    count = second.shape[1]
    there = joints[1].moved(second, joints[2].moved(third, np.repeat(start[:, None], count, axis=1)))
    first, o = joints[0], joints[0].point
    angle = angle_between(first.axis, there - o, (goal - o)[:, None], size, seed[:, :1])
    return np.stack([angle, second, third], axis=-1)


Three = tuple[Joint, Joint, Joint]
"""From the base on."""


def _each(pairs: Array, single: Array) -> tuple[Array, Array]:
    """Two of the second to each of the third: shapes (rows, n, 2) and (rows, n) made (rows, 2n) both."""
    rows, count = single.shape
    return pairs.reshape(rows, 2 * count), np.repeat(single, 2, axis=1)


def _line(joint: Joint, p: Array, origin: Array) -> tuple[Array, Array, Array]:
    """Parts e, f, g of E p − origin = e + f cos q + g sin q."""
    along = dot(p - joint.point, joint.axis)[..., None] * joint.axis
    f = p - joint.point - along
    return joint.point + along - origin, f, cross(joint.axis, f)


def axes_basis(first: Joint, second: Joint, size: float) -> tuple[Array, Array, Array, float, float, float]:
    """Points of two axes that are nearest, the basis at the second, the distance, sine and cosine between them.

    The rows of the basis are x along the common normal, y, and z along the second axis.
    """
    z1, z2 = first.axis, second.axis
    normal: Array = np.cross(z1, z2)
    sine = float(np.linalg.norm(normal))
    between = second.point - first.point
    if sine > NEAR:
        x = normal / sine
        distance = float(between @ x)
        o1 = first.point + z1 * float(np.cross(between, z2) @ normal) / sine**2
        o2 = second.point + z2 * float(np.cross(between, z1) @ normal) / sine**2
    else:
        o1, o2 = first.point + z1 * float(z1 @ between), second.point
        gap = o2 - o1
        distance = float(np.linalg.norm(gap))
        x = gap / distance if distance > NEAR * size else np.linalg.svd(z2[None])[2][1]
        x = x - z2 * float(x @ z2)
        x = x / np.linalg.norm(x)
        distance = float(gap @ x)
    y: Array = np.cross(z2, x)
    return o1, o2, np.stack([x, y, z2]), distance, float(z1 @ y), float(z1 @ z2)


def _turn_turn(joints: Three, start: Array, goal: Array, seed: Array, size: float) -> tuple[Array, Array]:
    """Of two hinges and anything: the second and the third, shapes (rows, 4 or 2)."""
    o1, o2, basis, d, sine, cosine = axes_basis(joints[0], joints[1], size)
    w = goal - o1
    height, square = dot(w, joints[0].axis), dot(w, w)
    third = joints[2]
    meet, parallel = abs(d) <= NEAR * size, abs(sine) <= NEAR
    usual = seed[:, 2]
    if third.hinge:
        e, f, g = (part @ basis.T for part in _line(third, start, o2))
        rest = square - dot(e, e) - dot(f, f) - d * d
        if meet:
            q3 = two_angles(2.0 * dot(e, f), 2.0 * dot(e, g), rest, size * size, usual)
        elif parallel:
            q3 = two_angles(f[:, 2], g[:, 2], cosine * height - e[:, 2], size, usual)
        else:
            A = np.stack([rest, -2.0 * dot(e, f), -2.0 * dot(e, g)], axis=-1) / (2.0 * d)
            uz = np.stack([e[:, 2], f[:, 2], g[:, 2]], axis=-1)
            B = (np.stack([height, 0.0 * height, 0.0 * height], axis=-1) - cosine * uz) / sine
            u = [np.stack([e[:, i], f[:, i], g[:, i]], axis=-1) for i in range(2)]
            quartic = multiplied(A, A) + multiplied(B, B) - multiplied(u[0], u[0]) - multiplied(u[1], u[1])
            q3 = four_angles(quartic)
        c, s = np.cos(q3)[..., None], np.sin(q3)[..., None]
        v = e[:, None] + c * f[:, None] + s * g[:, None]
    else:
        e, a = (start - o2) @ basis.T, basis @ third.axis
        rest = square - dot(e, e) - d * d
        if meet:
            q3 = two_numbers(np.ones(len(e)), e @ a, -rest)
        elif parallel:
            q3 = ((cosine * height - e[:, 2]) / a[2])[:, None]
        else:
            q3 = four_numbers(_slide_quartic(e, a, rest, height, d, sine, cosine))
        v = e[:, None] + q3[..., None] * a
    A = (square[:, None] - dot(v, v) - d * d) / (2.0 * d if not meet else 1.0)
    B = (height[:, None] - cosine * v[..., 2]) / (sine if not parallel else 1.0)
    x, y = v[..., 0], v[..., 1]
    other = np.broadcast_to(seed[:, 1:2], q3.shape)
    if meet:
        return _each(two_angles(y, x, B, size, other), q3)
    if parallel:
        return _each(two_angles(x, -y, A, size, other), q3)
    c, s = x * A + y * B, x * B - y * A
    return np.where(np.hypot(c, s) > 1e-24 * size**2, np.arctan2(s, c), other), q3


def _slide_quartic(e: Array, a: Array, rest: Array, height: Array, d: float, sine: float, cosine: float) -> Array:
    """Coefficients of A² + B² = ux² + uy² with u = e + x a."""
    count = len(e)
    A = np.stack([rest, -2.0 * (e @ a), np.full(count, -1.0)], axis=-1) / (2.0 * d)
    B = np.stack([height - cosine * e[:, 2], np.full(count, -cosine * a[2])], axis=-1) / sine
    p = np.zeros((count, 5))
    for i in range(3):
        for j in range(3):
            p[:, i + j] += A[:, i] * A[:, j]
    for i in range(2):
        for j in range(2):
            p[:, i + j] += B[:, i] * B[:, j]
    for k in range(2):
        p[:, 0] -= e[:, k] ** 2
        p[:, 1] -= 2.0 * e[:, k] * a[k]
        p[:, 2] -= a[k] ** 2
    return p


def _slide_turn(joints: Three, start: Array, goal: Array, seed: Array, size: float) -> tuple[Array, Array]:
    """Of a hinge, a slide and a hinge: the second and the third."""
    o, z, a = joints[0].point, joints[0].axis, joints[1].axis
    w = goal - o
    height, square = w @ z, dot(w, w)
    e, f, g = _line(joints[2], start, o)
    rise = float(z @ a)
    if abs(rise) <= NEAR:
        q3 = two_angles(f @ z, g @ z, height - e @ z, size, seed[:, 2])
        v = e[:, None] + np.cos(q3)[..., None] * f[:, None] + np.sin(q3)[..., None] * g[:, None]
        return _each(two_numbers(np.ones_like(q3), v @ a, dot(v, v) - square[:, None]), q3)
    vz = np.stack([e @ z, f @ z, g @ z], axis=-1)
    va = np.stack([e @ a, f @ a, g @ a], axis=-1)
    slide = (np.stack([height, 0.0 * height, 0.0 * height], axis=-1) - vz) / rise
    F = 2.0 * multiplied(slide, va) + multiplied(slide, slide)
    F[:, 0] += dot(e, e) + dot(f, f) - square
    F[:, 1] += 2.0 * dot(e, f)
    F[:, 2] += 2.0 * dot(e, g)
    q3 = four_angles(F)
    return slide[:, :1] + slide[:, 1:2] * np.cos(q3) + slide[:, 2:] * np.sin(q3), q3


def _slide_slide(joints: Three, start: Array, goal: Array, seed: Array, size: float) -> tuple[Array, Array]:
    """Of a hinge and two slides: the second and the third."""
    o, z = joints[0].point, joints[0].axis
    a, b = joints[1].axis, joints[2].axis
    swap = abs(float(z @ a)) > abs(float(z @ b))
    if swap:
        a, b = b, a
    w, v = goal - o, start - o
    rise = float(z @ b)
    A = v + ((w - v) @ z / rise)[:, None] * b
    B = a - b * float(z @ a) / rise
    one = two_numbers(np.full(len(v), float(B @ B)), A @ B, dot(A, A) - dot(w, w))
    two = (((w - v) @ z)[:, None] - one * float(z @ a)) / rise
    return (two, one) if swap else (one, two)


def _slide_turn_slide(joints: Three, start: Array, goal: Array, seed: Array, size: float) -> Array:
    """Of a slide, a hinge and a slide: all three, shape (rows, 2, 3)."""
    a, b, z, o = joints[0].axis, joints[2].axis, joints[1].axis, joints[1].point
    w, v = goal - o, start - o
    rise, other, gap = float(z @ a), float(z @ b), (w - v) @ z
    if abs(other) >= abs(rise):
        V, V1 = v + (gap / other)[:, None] * b, -b * rise / other
        q1 = two_numbers(np.full(len(w), 1.0 - float(V1 @ V1)), -(w @ a) - V @ V1, dot(w, w) - dot(V, V))
        q3 = (gap[:, None] - q1 * rise) / other
    else:
        W, W1 = w - (gap / rise)[:, None] * a, a * other / rise
        q3 = two_numbers(np.full(len(w), float(W1 @ W1) - 1.0), W @ W1 - v @ b, dot(W, W) - dot(v, v))
        q1 = (gap[:, None] - q3 * other) / rise
    carried, wanted = v[:, None] + q3[..., None] * b, w[:, None] - q1[..., None] * a
    q2 = angle_between(z, carried, wanted, size, seed[:, 1:2])
    return np.stack([q1, q2, q3], axis=-1)
