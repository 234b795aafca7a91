"""Small equations of closed forms, for many arms at once: a cos x + b sin x = k, quadratics, quartics of both kinds.

None of them fails: where an equation has no root, the nearest to one is given, and who verifies will see.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array


TINY = 1e-12
"""Parts of the size of an equation that are nothing."""
CIRCLE = 0.02
"""How far a root may be from the unit circle to be that of an angle: double roots part by the root of rounding."""


def dot(a: Array, b: Array) -> Array:
    """Products along the last axis."""
    return np.asarray((a * b).sum(axis=-1))


def cross(a: Array, b: Array) -> Array:
    """Vector products along the last axis; NumPy's own takes several times as long for many."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack(np.broadcast_arrays(y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def turned(axis: Array, angle: Array, v: Array) -> Array:
    """Vectors turned about a unit axis."""
    along = dot(v, axis)[..., None] * axis
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return np.asarray(along + c * (v - along) + s * cross(axis, v))


def turns(axis: Array, angle: Array) -> Array:
    """Matrices of turns about a unit axis, shape (..., 3, 3)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    c, s = np.cos(angle)[..., None, None], np.sin(angle)[..., None, None]
    return np.asarray(c * np.eye(3) + s * K + (1.0 - c) * np.outer(axis, axis))


def angle_between(axis: Array, v: Array, w: Array, size: float, usual: Array) -> Array:
    """The turn about a unit axis that brings v to w; the usual one where either lies along the axis."""
    across = dot(v, w) - dot(v, axis) * dot(w, axis)
    found = np.arctan2(dot(cross(v, w), axis), across)
    least = np.minimum(_across(axis, v), _across(axis, w))
    return np.asarray(np.where(least > TINY * size, found, usual))


def _across(axis: Array, v: Array) -> Array:
    part = v - dot(v, axis)[..., None] * axis
    return np.asarray(np.sqrt(dot(part, part)))


def angle_of(axis: Array, R: Array) -> Array:
    """The turn about a unit axis that is nearest to a rotation."""
    sine = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    along = np.einsum("i,...ij,j->...", axis, R, axis)
    cosine = np.trace(R, axis1=-2, axis2=-1) - along
    return np.asarray(np.arctan2(sine[0] * axis[0] + sine[1] * axis[1] + sine[2] * axis[2], cosine))


def two_angles(a: Array, b: Array, k: Array, size: float, usual: Array) -> Array:
    """Both roots of a cos x + b sin x = k, shape (..., 2); the usual angle where a and b are nothing."""
    a, b, k = np.broadcast_arrays(a, b, k)
    reach = np.hypot(a, b)
    free = reach <= TINY * size
    ratio = np.clip(k / np.where(free, 1.0, reach), -1.0, 1.0)
    middle, side = np.arctan2(b, a), np.arccos(ratio)
    usual = np.broadcast_to(usual, free.shape)
    return np.stack([np.where(free, usual, middle + side), np.where(free, usual, middle - side)], axis=-1)


def two_numbers(a: Array, b: Array, c: Array) -> Array:
    """Both roots of a x² + 2 b x + c = 0, shape (..., 2); where a is nothing, the one root twice."""
    a, b, c = np.broadcast_arrays(a, b, c)
    straight = np.abs(a) <= TINY
    safe = np.where(straight, 1.0, a)
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    # The sum of like signs loses nothing; the other root is c/a divided by it.
    large = -(b + np.where(b < 0.0, -root, root))
    some = np.where(large == 0.0, 1.0, large)
    line = -c / np.where(b == 0.0, 1.0, 2.0 * b)
    first = np.where(straight, line, large / safe)
    return np.stack([first, np.where(straight, line, np.where(large == 0.0, first, c / some))], axis=-1)


def multiplied(x: Array, y: Array) -> Array:
    """The product of two x0 + x1 cos + x2 sin as coefficients of 1, cos, sin, cos 2, sin 2; along the last axis."""
    x0, x1, x2 = x[..., 0], x[..., 1], x[..., 2]
    y0, y1, y2 = y[..., 0], y[..., 1], y[..., 2]
    return np.stack(
        [
            x0 * y0 + 0.5 * (x1 * y1 + x2 * y2),
            x0 * y1 + x1 * y0,
            x0 * y2 + x2 * y0,
            0.5 * (x1 * y1 - x2 * y2),
            0.5 * (x1 * y2 + x2 * y1),
        ],
        axis=-1,
    )


def four_angles(f: Array) -> Array:
    """Roots of f0 + f1 cos + f2 sin + f3 cos 2 + f4 sin 2, shape (rows, 4), NaN for those that are not real.

    With w = e^{ix} it is a quartic without the infinity at a half turn that tangents of halves have; its roots are
    the eigenvalues of the companion matrix.
    """
    size = np.abs(f).max(axis=-1)
    scaled = f / np.where(size > 0.0, size, 1.0)[:, None]
    high = 0.5 * (scaled[:, 3] - 1j * scaled[:, 4])
    low = 0.5 * (scaled[:, 1] - 1j * scaled[:, 2])
    short = np.abs(high) <= TINY
    lead = np.where(short, 1.0, high)
    C = np.zeros((len(f), 4, 4), dtype=complex)
    C[:, 1, 0] = C[:, 2, 1] = C[:, 3, 2] = 1.0
    for place, part in enumerate((np.conj(high), np.conj(low), scaled[:, 0] + 0j, low)):
        C[:, place, 3] = -part / lead
    w = np.linalg.eigvals(C)
    x = np.where(np.abs(np.log(np.maximum(np.abs(w), 1e-300))) < CIRCLE, np.angle(w), np.nan)
    for _ in range(2):
        x = _nearer(scaled[:, None, :], x)
    if short.any():
        nothing = np.full(int(short.sum()), np.nan)
        pair = two_angles(scaled[short, 1], scaled[short, 2], -scaled[short, 0], 1.0, nothing)
        x[short] = np.concatenate([pair, np.full_like(pair, np.nan)], axis=-1)
    return np.asarray(x)


SAMPLES = 16
"""Places where a series of four harmonics is looked at; nine would do."""


def series_angles(values: Array) -> Array:
    """Roots of a series of four harmonics by its values at `SAMPLES` places around, shape (rows, 8); NaN for others."""
    size = np.abs(values).max(axis=-1, keepdims=True)
    c = np.fft.fft(values / np.where(size > 0.0, size, 1.0), axis=-1) / SAMPLES
    series = np.concatenate([c[:, -4:], c[:, :5]], axis=-1)  # of w⁻⁴ … w⁴
    lead = np.where(np.abs(series[:, 8:]) > TINY, series[:, 8:], TINY)
    C = np.zeros((len(values), 8, 8), dtype=complex)
    C[:, np.arange(1, 8), np.arange(7)] = 1.0
    C[:, :, 7] = -series[:, :8] / lead
    w = np.linalg.eigvals(C)
    return np.where(np.abs(np.log(np.maximum(np.abs(w), 1e-300))) < CIRCLE, np.angle(w), np.nan)


def _nearer(f: Array, x: Array) -> Array:
    """One step of Newton's that does not go far."""
    c, s, cc, ss = np.cos(x), np.sin(x), np.cos(2.0 * x), np.sin(2.0 * x)
    value = f[..., 0] + f[..., 1] * c + f[..., 2] * s + f[..., 3] * cc + f[..., 4] * ss
    slope = f[..., 2] * c - f[..., 1] * s + 2.0 * (f[..., 4] * cc - f[..., 3] * ss)
    step = value / np.where(np.abs(slope) < 1e-9, np.inf, slope)
    return np.asarray(x - np.clip(step, -0.02, 0.02))


def four_numbers(p: Array) -> Array:
    """Real roots of p0 + p1 x + … + p4 x⁴ with p4 that is not 0, shape (rows, 4), NaN for others."""
    C = np.zeros((len(p), 4, 4))
    C[:, 1, 0] = C[:, 2, 1] = C[:, 3, 2] = 1.0
    C[:, :, 3] = -p[:, :4] / p[:, 4:]
    roots = np.linalg.eigvals(C)
    scale = np.maximum(np.abs(roots).max(axis=1, keepdims=True), 1e-300)
    x = np.where(np.abs(roots.imag) < 1e-5 * scale, roots.real, math.nan)
    powers = [p[:, k, None] for k in range(5)]
    for _ in range(2):
        value = powers[0] + x * (powers[1] + x * (powers[2] + x * (powers[3] + x * powers[4])))
        slope = powers[1] + x * (2.0 * powers[2] + x * (3.0 * powers[3] + x * 4.0 * powers[4]))
        step = value / np.where(np.abs(slope) < 1e-9 * scale**3 * np.abs(powers[4]), np.inf, slope)
        x = x - np.clip(step, -1e-3 * scale, 1e-3 * scale)
    return np.asarray(x)
