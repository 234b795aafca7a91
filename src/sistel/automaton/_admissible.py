"""What contacts carry where statics leaves a choice: the shortest forces among all that keep the laws of contact.

Contacts push and do not pull, and friction of what sticks stays within Coulomb's cone: x lies in a product K of cones.
Of all x in K that give one motion the shortest is the projection to K of what springs under rigid feet would carry,

    x = P_K(U s),    B x = c,

U spans what rigid motions press the springs by, B x = c says what motion there is. P_K is known in closed form and
piecewise smooth, so Newton's method finds s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RANK: Final = 1e-9
"""Part of the largest singular value that counts as none."""
EDGE: Final = 1e-10
"""Part of the largest force by which a cone may be passed: statuses are decided to as much."""
KEPT: Final = 1e-11
"""Part of the largest force to which forces give their motion."""
EXACT: Final = 1e-15
"""The same where rounding is all that is left."""
TURNS: Final = 100
"""Newton's steps at most."""


@record
class Cone:
    """What one contact may carry: the part along the normal first, then those along its tangents."""

    first: int
    """Place of the normal among all components."""
    tangents: int
    """How many tangents hold."""
    friction: float | None
    """Coefficient for them; None where they hold whatever presses."""


def projected(cones: Sequence[Cone], x: Array) -> tuple[Array, Array]:
    """The nearest point that keeps the laws, and its derivative."""
    made, slope = x.copy(), np.eye(len(x))
    for cone in cones:
        i = cone.first
        own = slice(i, i + 1 + cone.tangents)
        if not cone.tangents or cone.friction is None:
            if x[i] < 0.0:
                made[i], slope[i, i] = 0.0, 0.0
            continue
        mu, along = cone.friction, x[i + 1 : own.stop]
        size = float(np.sqrt(along @ along))
        if size <= mu * x[i]:
            continue
        slope[own, own] = 0.0
        normal = (x[i] + mu * size) / (1.0 + mu * mu)
        if normal <= 0.0:
            made[own] = 0.0
            continue
        way = along / size
        made[own] = np.concatenate([[normal], mu * normal * way])
        gain = np.concatenate([[1.0], mu * way]) / (1.0 + mu * mu)
        slope[i, own] = gain
        slope[i + 1 : own.stop, own] = mu * np.outer(way, gain)
        slope[i + 1 : own.stop, i + 1 : own.stop] += mu * normal / size * (np.eye(len(way)) - np.outer(way, way))
    return made, slope


def shortest(cones: Sequence[Cone], U: Array, B: Array, c: Array) -> Array | None:
    """The x = P_K(U s) with B x = c; None where none is found: no forces within the cones give this motion.

    Args:
        cones: K; components that are in none of them are free.
        U: Columns that are orthonormal.
        B: Rows that are orthonormal.
        c: What B x has to be.
    """
    size = max(float(np.abs(c).max(initial=0.0)), 1e-300)
    s = np.linalg.lstsq(B @ U, c, rcond=RANK)[0]
    x = U @ s
    if float(np.abs(projected(cones, x)[0] - x).max(initial=0.0)) <= EDGE * size:
        return np.asarray(x)
    x, slope = projected(cones, x)
    lack = c - B @ x
    for _ in range(TURNS):
        left = float(np.abs(lack).max(initial=0.0))
        if left <= EXACT * size:
            break
        matrix = B @ slope @ U
        # Where cones leave no way to change what is wrong, a little of a change as without them leads there.
        matrix = matrix + min(1e-3, left / size) * (B @ U)
        step = np.linalg.lstsq(matrix, lack, rcond=1e-14)[0]
        part = 1.0
        while True:
            tried, tried_slope = projected(cones, U @ (s + part * step))
            tried_lack = c - B @ tried
            if float(np.sqrt(tried_lack @ tried_lack)) < (1.0 - 1e-4 * part) * float(np.sqrt(lack @ lack)):
                break
            part *= 0.5
            if part < 1e-6 or left <= KEPT * size:
                return np.asarray(x) if left <= KEPT * size else None
        s, x, slope, lack = s + part * step, tried, tried_slope, tried_lack
    return np.asarray(x) if float(np.abs(lack).max(initial=0.0)) <= KEPT * size else None


@record
class Pushes:
    """Equations of a motion under contacts in numbers: M a = force + Pᵀ x + Qᵀ z with J a = demands."""

    M: Array
    force: Array
    J: Array
    """Of contacts, in the axes of their normals and tangents."""
    P: Array
    """The same with the friction of what slides."""
    demands: Array
    K: Array
    """Of what else holds."""
    Q: Array
    asked: Array


def carried(cones: Sequence[Cone], given: Pushes, a: Array | None) -> tuple[Array, Array, Array, bool]:
    """What contacts and other links carry, the accelerations, and whether all laws are kept.

    Args:
        cones: What every contact may carry.
        given: The equations.
        a: Accelerations of the motion, where they are known: where laws allow several, these decide.
    """
    free, by_x, by_z = (
        np.asarray(np.linalg.solve(given.M, right), dtype=np.float64) for right in (given.force, given.P.T, given.Q.T)
    )
    among = np.linalg.pinv(given.K @ by_z, rcond=RANK * RANK) if len(given.K) else np.zeros((0, 0))

    def others(a: Array) -> Array:
        return np.asarray(among @ (given.asked - given.K @ a))

    start: Array = free + by_z @ others(free)
    own = by_x - by_z @ (among @ (given.K @ by_x))
    E, wanted = given.J @ own, given.demands - given.J @ start
    left_free = _null(given.Q)
    U = _range(given.J @ left_free)
    x0 = np.linalg.lstsq(E, wanted, rcond=RANK * RANK)[0]
    # Without friction of what slides, equations say of x what its products with U are.
    B = U.T if np.array_equal(given.J, given.P) else _range(E.T).T
    found = shortest(cones, U, B, B @ x0)
    lawful = found is not None
    if found is None:
        pushing = [Cone(first=each.first, tangents=each.tangents, friction=None) for each in cones]
        found = shortest(pushing, U, B, B @ x0)
    x = np.asarray(x0, dtype=np.float64) if found is None else found
    made = start + own @ x
    if a is not None and float(np.abs(made - a).max(initial=0.0)) > 1e-7 * float(
        max(np.abs(a).max(), np.abs(free).max(), 1e-300)
    ):
        known = _known(cones, given, a, left_free)
        if known is not None:
            x, made, lawful = known, a, True
    return x, others(np.asarray(free + by_x @ x)), made, lawful


def _known(cones: Sequence[Cone], given: Pushes, a: Array, left_free: Array) -> Array | None:
    """The shortest forces that give known accelerations."""
    push, wanted = left_free.T @ given.P.T, left_free.T @ (given.M @ a - given.force)
    x0 = np.linalg.lstsq(push, wanted, rcond=RANK)[0]
    if float(np.abs(push @ x0 - wanted).max(initial=0.0)) > 1e-6 * float(np.abs(wanted).max(initial=1e-300)):
        return None
    U = _range(push.T)
    return shortest(cones, U, U.T, U.T @ x0)


def _range(A: Array) -> Array:
    """An orthonormal basis of the columns."""
    left, sizes, _ = np.linalg.svd(A, full_matrices=False)
    return np.asarray(left[:, sizes > RANK * sizes.max(initial=0.0)])


def _null(A: Array) -> Array:
    """An orthonormal basis of what rows take to zero."""
    if not len(A):
        return np.eye(A.shape[1])
    _, sizes, right = np.linalg.svd(A)
    return np.asarray(right[int((sizes > RANK * sizes.max(initial=0.0)).sum()) :].T)
