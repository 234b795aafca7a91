"""Vectors, and the small equations of closed forms: a cos x + b sin x = k, quadratics, quartics of both kinds.

Written in the compiled subset of Python. None of them fails: where an equation has no root, the nearest to one is
given, and who verifies will see.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import AXIS, HINGE, POINT
from sistel.kernels.subset import Floats, shift

TINY: Final = 1e-12
"""Parts of the size of an equation that are nothing."""
CIRCLE: Final = 0.02
"""How far a root may be from the unit circle to be that of an angle: double roots part by the root of rounding."""
ROUNDING: Final = 4e-16
"""Values of a polynomial in parts of the sum of its terms that are nothing."""
ITERATIONS: Final = 80
"""Of the search for all roots of a polynomial, at most: a few are enough but for multiple roots."""


NEAR_ARC, MIDDLE_ARC, EIGHTH = 0.198912367379658, 0.6681786379192989, 0.41421356237309503
"""Tangents of 1, 3 and 2 sixteenths of a half turn."""


def arc(y: float, x: float) -> float:
    """The angle of a place, as `math.atan2` tells it but for the last digit, in half of the time.

    From the nearest of 0, π/8 and π/4 on by a polynomial through Chebyshev's points; other places are mirrored.
    """
    beside = abs(x)
    above = abs(y)
    large = beside if beside > above else above
    small = above if beside > above else beside
    if large == 0.0:
        return 0.0
    near = small <= NEAR_ARC * large
    middle = small <= MIDDLE_ARC * large
    tangent = 0.0 if near else EIGHTH if middle else 1.0
    angle = 0.0 if near else math.pi / 8.0 if middle else math.pi / 4.0
    z = (small - tangent * large) / (large + tangent * small)
    s = z * z
    t = s * s
    even = -0.33333333333333237 + t * (-0.14285714188882248 + t * (-0.09089837897611817 - t * 0.05909856510777361))
    odd = 0.19999999999760987 + t * (0.11111096372908383 + t * 0.07652130865763637)
    angle += z + z * s * (even + s * odd)
    if above > beside:
        angle = math.pi / 2.0 - angle
    if x < 0.0:
        angle = math.pi - angle
    return math.copysign(angle, y)


def dot(a: Floats, b: Floats) -> float:
    """The product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def triple(a: Floats, b: Floats, c: Floats) -> float:
    """The product a · (b × c)."""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def turned(axis: Floats, c: float, s: float, v: Floats, out: Floats) -> None:
    """A vector turned about a unit axis by an angle of this cosine and sine; it may be in the same place."""
    x = v[0]
    y = v[1]
    z = v[2]
    along = (1.0 - c) * (axis[0] * x + axis[1] * y + axis[2] * z)
    out[0] = along * axis[0] + c * x + s * (axis[1] * z - axis[2] * y)
    out[1] = along * axis[1] + c * y + s * (axis[2] * x - axis[0] * z)
    out[2] = along * axis[2] + c * z + s * (axis[0] * y - axis[1] * x)


def moved(joint: Floats, q: float, p: Floats, out: Floats) -> None:
    """A point after a joint; it may be in the same place."""
    axis = shift(joint, AXIS)
    if joint[HINGE] == 0.0:
        for i in range(3):
            out[i] = p[i] + q * axis[i]
    else:
        for i in range(3):
            out[i] = p[i] - joint[POINT + i]
        turned(axis, math.cos(q), math.sin(q), out, out)
        for i in range(3):
            out[i] = out[i] + joint[POINT + i]


def across_square(axis: Floats, v: Floats) -> float:
    """The square of what a vector has across a unit axis."""
    along = dot(axis, v)
    x = v[0] - along * axis[0]
    y = v[1] - along * axis[1]
    z = v[2] - along * axis[2]
    return x * x + y * y + z * z


def angle_between(axis: Floats, v: Floats, w: Floats, size: float, usual: float) -> float:
    """The turn about a unit axis that brings v to w; the usual one where either lies along the axis."""
    sine = triple(axis, v, w)
    cosine = dot(v, w) - dot(v, axis) * dot(w, axis)
    least = (TINY * size) ** 2
    # Their square is that of the product of both parts across: mostly it says that neither is nothing.
    clear = sine * sine + cosine * cosine > least * max(dot(v, v), dot(w, w))
    if clear or min(across_square(axis, v), across_square(axis, w)) > least:
        return arc(sine, cosine)
    return usual


def two_angles(a: float, b: float, k: float, size: float, usual: float, out: Floats) -> None:
    """Both roots of a cos x + b sin x = k; the usual angle where a and b are nothing."""
    two_about(math.sqrt(a * a + b * b), arc(b, a), k, size, usual, out)


def two_about(reach: float, middle: float, k: float, size: float, usual: float, out: Floats) -> None:
    """Both roots of reach · cos (x - middle) = k; the usual angle where the reach is nothing."""
    if reach <= TINY * size:
        out[0] = usual
        out[1] = usual
        return
    side = math.acos(min(max(k / reach, -1.0), 1.0))
    out[0] = middle + side
    out[1] = middle - side


def two_numbers(a: float, b: float, c: float, out: Floats) -> None:
    """Both roots of a x² + 2 b x + c = 0; where a is nothing, the one root twice."""
    if abs(a) <= TINY:
        out[0] = -c / (1.0 if b == 0.0 else 2.0 * b)
        out[1] = out[0]
        return
    root = math.sqrt(max(b * b - a * c, 0.0))
    # The sum of like signs loses nothing; the other root is c/a divided by it.
    large = -(b - root) if b < 0.0 else -(b + root)
    out[0] = large / a
    out[1] = out[0] if large == 0.0 else c / large


def polynomial_roots(degree: int, p: Floats, radius: float, w: Floats) -> None:
    """All roots of Σ pₖwᵏ, complex numbers side by side, by Aberth's and Ehrlich's iteration from a circle."""
    for i in range(degree):
        angle = (float(i) + 0.3) * (2.0 * math.pi / float(degree))
        w[2 * i] = radius * math.cos(angle)
        w[2 * i + 1] = radius * math.sin(angle)
    for _ in range(ITERATIONS):
        moves = False
        for i in range(degree):
            x = w[2 * i]
            y = w[2 * i + 1]
            away = math.sqrt(x * x + y * y)
            value = p[2 * degree]
            value_i = p[2 * degree + 1]
            slope = 0.0
            slope_i = 0.0
            terms = abs(value) + abs(value_i)
            for k in range(degree - 1, -1, -1):
                t = slope * x - slope_i * y + value
                slope_i = slope * y + slope_i * x + value_i
                slope = t
                t = value * x - value_i * y + p[2 * k]
                value_i = value * y + value_i * x + p[2 * k + 1]
                value = t
                terms = terms * away + abs(p[2 * k]) + abs(p[2 * k + 1])
            if value * value + value_i * value_i <= (ROUNDING * terms) ** 2:
                continue
            # p′/p − Σ 1/(wᵢ − wⱼ) is one over the step.
            square = value * value + value_i * value_i
            inverse = (slope * value + slope_i * value_i) / square
            inverse_i = (slope_i * value - slope * value_i) / square
            for j in range(degree):
                if j != i:
                    dx = x - w[2 * j]
                    dy = y - w[2 * j + 1]
                    length = dx * dx + dy * dy
                    if length > 0.0:
                        inverse -= dx / length
                        inverse_i += dy / length
            square = inverse * inverse + inverse_i * inverse_i
            if square > 0.0:
                w[2 * i] = x - inverse / square
                w[2 * i + 1] = y + inverse_i / square
                if 1e-32 * square * away * away < 1.0:
                    moves = True
        if not moves:
            return


def circle_angle(w: Floats) -> float:
    """The angle of a complex number on the unit circle; NaN of any other."""
    square = w[0] * w[0] + w[1] * w[1]
    if not abs(0.5 * math.log(max(square, 1e-300))) < CIRCLE:
        return math.nan
    return arc(w[1], w[0])


def multiplied(weight: float, x: Floats, y: Floats, out: Floats) -> None:
    """Add a product of two x₀ + x₁ cos + x₂ sin to coefficients of 1, cos, sin, cos 2, sin 2."""
    out[0] = out[0] + weight * (x[0] * y[0] + 0.5 * (x[1] * y[1] + x[2] * y[2]))
    out[1] = out[1] + weight * (x[0] * y[1] + x[1] * y[0])
    out[2] = out[2] + weight * (x[0] * y[2] + x[2] * y[0])
    out[3] = out[3] + weight * 0.5 * (x[1] * y[1] - x[2] * y[2])
    out[4] = out[4] + weight * 0.5 * (x[1] * y[2] + x[2] * y[1])


def four_angles(f: Floats, room: Floats, out: Floats) -> None:
    """Roots of f₀ + f₁ cos + f₂ sin + f₃ cos 2 + f₄ sin 2, NaN for those that are not real; f is scaled.

    With w = e^{ix} it is a quartic without the infinity at a half turn that tangents of halves have.
    """
    size = 0.0
    for i in range(5):
        size = max(size, abs(f[i]))
    if size > 0.0:
        for i in range(5):
            f[i] = f[i] / size
    if 0.5 * math.sqrt(f[3] * f[3] + f[4] * f[4]) <= TINY:
        two_angles(f[1], f[2], -f[0], 1.0, math.nan, out)
        out[2] = math.nan
        out[3] = math.nan
        return
    for k in range(2):
        for part in range(2):
            sign = 0.5 if part == 0 else -0.5
            room[8 - 2 * k + part] = sign * f[3 - 2 * k + part]
            room[2 * k + part] = 0.5 * f[3 - 2 * k + part]
    room[4] = f[0]
    room[5] = 0.0
    w = shift(room, 10)
    polynomial_roots(4, room, 1.0, w)
    for i in range(4):
        x = circle_angle(shift(w, 2 * i))
        for _ in range(2):
            c = math.cos(x)
            s = math.sin(x)
            cc = c * c - s * s
            ss = 2.0 * s * c
            value = f[0] + f[1] * c + f[2] * s + f[3] * cc + f[4] * ss
            slope = f[2] * c - f[1] * s + 2.0 * (f[4] * cc - f[3] * ss)
            if abs(slope) >= 1e-9:
                x -= min(max(value / slope, -0.02), 0.02)
        out[i] = x


SAMPLES: Final = 16
"""Places where a series of four harmonics is looked at; nine would do."""


def series_angles(values: Floats, room: Floats, out: Floats) -> None:
    """Eight roots of a series of four harmonics by its values at `SAMPLES` places around; NaN for others."""
    size = 0.0
    for i in range(SAMPLES):
        size = max(size, abs(values[i]))
    size = size if size > 0.0 else 1.0
    for k in range(5):
        re = 0.0
        im = 0.0
        for i in range(SAMPLES):
            angle = float(i * k % SAMPLES) * (2.0 * math.pi / SAMPLES)
            re += values[i] * math.cos(angle)
            im -= values[i] * math.sin(angle)
        # Of w⁻⁴ … w⁴.
        room[8 + 2 * k] = re / (size * SAMPLES)
        room[9 + 2 * k] = im / (size * SAMPLES)
        room[8 - 2 * k] = re / (size * SAMPLES)
        room[9 - 2 * k] = -im / (size * SAMPLES) if k > 0 else 0.0
    if not math.sqrt(room[16] * room[16] + room[17] * room[17]) > TINY:
        room[16] = TINY
        room[17] = 0.0
    w = shift(room, 18)
    polynomial_roots(8, room, 1.0, w)
    for i in range(8):
        out[i] = circle_angle(shift(w, 2 * i))


def four_numbers(p: Floats, room: Floats, out: Floats) -> None:
    """Real roots of p₀ + p₁x + … + p₄x⁴ with p₄ that is not 0, NaN for others."""
    radius = 1e-300
    for k in range(5):
        room[2 * k] = p[k] / p[4]
        room[2 * k + 1] = 0.0
        if k < 4:
            radius = max(radius, math.pow(abs(room[2 * k]), 1.0 / float(4 - k)))
    w = shift(room, 10)
    polynomial_roots(4, room, radius, w)
    scale = 1e-300
    for i in range(4):
        scale = max(scale, math.sqrt(w[2 * i] ** 2 + w[2 * i + 1] ** 2))
    for i in range(4):
        x = w[2 * i] if abs(w[2 * i + 1]) < 1e-5 * scale else math.nan
        for _ in range(2):
            value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])))
            slope = p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]))
            if abs(slope) >= 1e-9 * scale**3 * abs(p[4]):
                x -= min(max(value / slope, -1e-3 * scale), 1e-3 * scale)
        out[i] = x


FUNCTIONS: Final = (
    arc, dot, triple, turned, moved, across_square, angle_between, two_angles, two_about, two_numbers, polynomial_roots,
    circle_angle, multiplied, four_angles, series_angles, four_numbers,
)  # fmt: skip
