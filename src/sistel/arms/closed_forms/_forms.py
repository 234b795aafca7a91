"""Closed forms as the numbers that machine code goes by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms.closed_forms._layout import (
    ACROSS,
    APART,
    BASIS,
    BEND,
    BENT,
    CENTRE,
    COSINE,
    COUNT,
    ELBOW,
    ENDS,
    FORM,
    GAP,
    HAND,
    HEIGHT,
    JOINTS,
    KIND,
    LEAN,
    LOWER,
    NUMBERS,
    O1,
    O2,
    PARALLEL,
    PLACING,
    PLAN,
    SIDE,
    SINE,
    SIZE,
    SLIDE_SLIDE,
    SLIDE_TURN,
    SLIDE_TURN_SLIDE,
    SLIDES,
    SWAPPED,
    TILT,
    TURN_TURN,
    UPPER,
    WRIST,
)
from sistel.arms.closed_forms._positions import NEAR
from sistel.pose import from_axis_angle
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole

KINDS = {
    "RRR": TURN_TURN,
    "RRP": TURN_TURN,
    "RPR": SLIDE_TURN,
    "RPP": SLIDE_SLIDE,
    "PRP": SLIDE_TURN_SLIDE,
    "PPP": SLIDES,
}
"""Three joints that place a point; those that are not here are taken from the third to the first."""


@record
class Joint:
    """A joint at zero."""

    hinge: bool
    point: Array
    """Of its axis, shape (3,) [m]."""
    axis: Array
    """Its unit direction, shape (3,)."""

    def turn(self, q: float) -> Array:
        """The rotation that it makes, shape (3, 3)."""
        x, y, z = self.axis.tolist()
        return np.array(from_axis_angle((x, y, z), q)) if self.hinge else np.eye(3)

    def moved(self, q: float, p: Array) -> Array:
        """A point after the joint, shape (3,)."""
        return self.point + self.turn(q) @ (p - self.point) if self.hinge else p + q * self.axis

    def backwards(self) -> Joint:
        """The joint that undoes this one."""
        return Joint(hinge=self.hinge, point=self.point, axis=-self.axis)


@record
class Wrist:
    """Three joints, then up to three hinges whose axes meet."""

    joints: tuple[Joint, ...]
    centre: Array
    """Where they meet, at zero, shape (3,) [m]."""
    size: float
    """Of the arm [m]."""
    branches = 8

    def packed(self, count: int) -> tuple[Whole, Array]:
        """Whole numbers and numbers of an arm of so many joints; what is behind the form stays where it is."""
        plan, numbers = _begun(self.joints, self.size, count)
        plan[[FORM, ENDS]] = WRIST, len(self.joints) - 3
        put(numbers, CENTRE, self.centre)
        placing = self.joints[:3]
        if _kind(placing) not in KINDS:
            placing = tuple(joint.backwards() for joint in reversed(placing))
            plan[SWAPPED] = 1
        plan[KIND] = KINDS[_kind(placing)]
        put(numbers, PLACING, *map(numbers_of, placing))
        if plan[KIND] == TURN_TURN:
            o1, o2, basis, numbers[GAP], numbers[SINE], numbers[COSINE] = axes_basis(placing[0], placing[1], self.size)
            put(numbers, O1, o1)
            put(numbers, O2, o2)
            put(numbers, BASIS, basis)
        elif plan[KIND] == SLIDES:
            put(numbers, BASIS, np.linalg.inv(np.column_stack([joint.axis for joint in placing])))
        if len(self.joints) == 6:
            a, b, c = (joint.axis for joint in self.joints[3:])
            level, side, x = float(b @ c), across(c), across(a)
            hand = np.stack([x, np.cross(a, x), a])
            put(numbers, ACROSS, side)
            put(numbers, HAND, hand)
            put(numbers, BENT, *(hand @ part for v in (c, side) for part in ((b @ v) * b, _flat(v, b), np.cross(b, v))))
            numbers[BEND : BEND + 3] = *_polar(a @ (c - level * b), a @ np.cross(b, c)), -float(a @ b) * level
        return plan, numbers


@record
class Parallel:
    """A hinge, three hinges with parallel axes, then one hinge or two."""

    joints: tuple[Joint, ...]
    centre: Array | None
    """A point of the fifth axis, and of the sixth, shape (3,) [m]; None where they do not meet."""
    size: float
    """Of the arm [m]."""

    @property
    def branches(self) -> int:
        """How many there are at most."""
        return 8 if self.centre is not None else 16

    def packed(self, count: int) -> tuple[Whole, Array]:
        """Whole numbers and numbers of an arm of so many joints."""
        plan, numbers = _begun(self.joints, self.size, count)
        first, base, elbow, last, five = self.joints[:5]
        n = base.axis
        centre = five.point if self.centre is None else self.centre
        plan[[FORM, APART]] = PARALLEL, self.centre is None
        put(numbers, CENTRE, centre)
        put(numbers, ACROSS, across(n))
        if len(self.joints) == 6:
            six = self.joints[5].axis
            level = float(five.axis @ six)
            bend = n @ (six - level * five.axis), n @ np.cross(five.axis, six)
            numbers[BEND : BEND + 3] = *_polar(*bend), -level * float(n @ five.axis)
        e, f = _flat(elbow.point - base.point, n), _flat(last.point - elbow.point, n)
        g: Array = np.cross(elbow.axis, f)
        put(numbers, UPPER, e)
        put(numbers, LOWER, f)
        put(numbers, SIDE, g)
        numbers[ELBOW : ELBOW + 3] = *_polar(2.0 * (e @ f), 2.0 * (e @ g)), -(e @ e + f @ f)
        numbers[[HEIGHT, TILT, LEAN]] = n @ (centre - first.point), n @ five.axis, n @ first.axis
        return plan, numbers


def put(numbers: Array, place: int, *arrays: Array) -> None:
    """Write arrays one after the other."""
    flat = np.concatenate([np.ravel(each) for each in arrays])
    numbers[place : place + len(flat)] = flat


def numbers_of(joint: Joint) -> Array:
    """A joint as `_layout` has it."""
    return np.concatenate([[float(joint.hinge)], joint.point, joint.axis])


def _begun(joints: Sequence[Joint], size: float, count: int) -> tuple[Whole, Array]:
    plan, numbers = np.zeros(PLAN, dtype=np.int64), np.zeros(NUMBERS)
    plan[COUNT], numbers[SIZE] = count, size
    put(numbers, JOINTS, *map(numbers_of, joints))
    return plan, numbers


def _kind(joints: Sequence[Joint]) -> str:
    return "".join("R" if joint.hinge else "P" for joint in joints)


def across(axis: Array) -> Array:
    """A direction across a unit axis."""
    return np.asarray(np.linalg.svd(axis[None])[2][1])


def _polar(a: Array, b: Array) -> tuple[float, float]:
    """The reach and the middle of a cos x + b sin x, of two numbers."""
    return math.hypot(a, b), math.atan2(b, a)


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
        x = gap / distance if distance > NEAR * size else across(z2)
        x = x - z2 * float(x @ z2)
        x = x / np.linalg.norm(x)
        distance = float(gap @ x)
    y: Array = np.cross(z2, x)
    return o1, o2, np.stack([x, y, z2]), distance, float(z1 @ y), float(z1 @ z2)


def _flat(v: Array, n: Array) -> Array:
    return np.asarray(v - float(v @ n) * n)
