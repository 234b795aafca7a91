"""Sine and cosine of one angle as CUDA C, both at once, with less than 1.5 ulp of error.

CUDA's own ``sincos`` puts two polynomials with selected coefficients and a branch for huge angles at every call. Here
a quarter turn exchanges the results of two fixed polynomials, and a huge angle only raises a flag: then the whole state
is computed once more by a function out of line, with CUDA's own. So the usual path has no branch at all.

Up to `far` the angle is reduced by k quarter turns after Cody and Waite (1980), with π/2 cut into three numbers and
fused products. The first step is exact: its result is a multiple of the last bit of the first part and below 1, so it
fits. The polynomials for float64 are those of fdlibm (Sun Microsystems, 1993); those for float32 are minimax ones on
|r| ≤ π/4, found by Lawson's weighted least squares and rounded (errors of 3.6e-9 for the sine, relative, and 1e-10 for
the cosine before rounding). The sine of −0 is +0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sistel.kernels._c_text import literal
from sistel.kernels._sincos import COSINE, FAR, SINE, TWO_OVER_PI

if TYPE_CHECKING:
    from sistel.kernels._c_text import Precision


class _Numbers(NamedTuple):
    far: float
    """Largest magnitude of an angle that is reduced here [rad]."""
    two_over_pi: float
    rounder: float
    """Adding this rounds to a whole number, which then stands in the low bits."""
    parts: tuple[float, float, float]
    """π/2."""
    sine: tuple[float, ...]
    """Of z³ᐟ², z⁵ᐟ², …, where z = r²."""
    cosine: tuple[float, ...]
    """Of z, z², …"""


_NUMBERS: dict[Precision, _Numbers] = {
    "float64": _Numbers(
        FAR,
        TWO_OVER_PI,
        1.5 * 2.0**52,
        (1.5707963267948966, 6.123233995736765e-17, 1.0828566739219139e-32),
        SINE,
        (-0.5, *COSINE),
    ),
    "float32": _Numbers(
        65536.0,
        0.63661975,
        1.5 * 2.0**23,
        (1.5707963, 7.5497894e-08, 5.3903025e-15),
        (-0.16666655, 0.008332178, -0.00019517241),
        (-0.5, 0.041666646, -0.0013887367, 2.4438383e-05),
    ),
}

_TEXT = """\
struct sistel_pair
{{
    {real} sine, cosine;
}};

template <bool huge> static __device__ __forceinline__ sistel_pair sistel_sincos({real} angle, bool &far)
{{
    sistel_pair pair;
    if (huge) {{
        sincos{f}(angle, &pair.sine, &pair.cosine);
        return pair;
    }}
    far |= fabs{f}(angle) > {far};
    const {real} shifted = fma{f}(angle, {two_over_pi}, {rounder});
    const int quarter = {low}(shifted);
    const {real} k = shifted - {rounder};
    {real} r = fma{f}(k, -{parts[0]}, angle);
    r = fma{f}(k, -{parts[1]}, r);
    r = fma{f}(k, -{parts[2]}, r);
    const {real} z = r * r;
    const {real} sine = fma{f}(r * z, {sine}, r);
    const {real} cosine = fma{f}(z, {cosine}, {one});
    const {real} first = (quarter & 1) ? cosine : sine;
    const {real} second = (quarter & 1) ? sine : cosine;
    pair.sine = (quarter & 2) ? -first : first;
    pair.cosine = ((quarter + 1) & 2) ? -second : second;
    return pair;
}}
"""


def sincos_source(dtype: Precision) -> str:
    """The function that a printed program calls."""
    single = dtype == "float32"
    numbers, f = _NUMBERS[dtype], "f" if single else ""

    def horner(coefficients: tuple[float, ...]) -> str:
        text = literal(coefficients[-1], dtype)
        for coefficient in reversed(coefficients[:-1]):
            text = f"fma{f}(z, {text}, {literal(coefficient, dtype)})"
        return text

    return _TEXT.format(
        f=f,
        real="float" if single else "double",
        low="__float_as_int" if single else "__double2loint",
        far=literal(numbers.far, dtype),
        two_over_pi=literal(numbers.two_over_pi, dtype),
        rounder=literal(numbers.rounder, dtype),
        parts=[literal(part, dtype) for part in numbers.parts],
        one=literal(1.0, dtype),
        sine=horner(numbers.sine),
        cosine=horner(numbers.cosine),
    )
