"""Sine and cosine of one angle as inlined LLVM instructions, both at once, with less than 1 ulp of error.

Up to `FAR` the angle is reduced by k quarter turns after Cody and Waite (1980), with π/2 in three doubles and fused
products; then come the two polynomials of fdlibm's ``k_sin.c`` and ``k_cos.c`` (Sun Microsystems, 1993), valid on
|r| ≤ π/4. Beyond `FAR`, and for infinities and NaN, a cold branch asks the C library.

Why the reduction is exact enough: r0 = x − k·P1 has no rounding error (it is a multiple of 2⁻⁵² below 1, or x itself);
w + w_low = k·P2 exactly; r0 is a multiple of ulp(w), so Dekker's fast sum gives r0 − w without loss although r0 may be
the smaller one. What is left out is below 2⁻¹⁴⁰, while no double below `FAR` comes nearer to a multiple of π/2
than about 2⁻⁶⁰, except 0.
"""

from __future__ import annotations

from sistel.kernels._writer import Writer

FAR = 1.0e5
"""Largest magnitude of an angle that the inlined code reduces itself [rad]."""

TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
P1 = float.fromhex("0x1.921fb54442d18p+0")
P2 = float.fromhex("0x1.1a62633145c07p-54")
P3 = float.fromhex("-0x1.f1976b7ed8fbcp-110")
ROUNDER = 1.5 * 2.0**52
"""Adding this rounds to a whole number, which then stands in the low bits."""

SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


def _polynomial(w: Writer, z: str, coefficients: tuple[float, ...]) -> str:
    value = w.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = w.fma(value, z, w.constant(coefficient))
    return value


def write_sincos(w: Writer, x: str) -> tuple[str, str]:
    """Write the instructions for one angle [rad]; returns the names of its sine and cosine."""
    near_sine, near_cosine = _near(w, x)
    far = w.compare("ugt", w.intrinsic("fabs", x), w.constant(FAR))
    if w.width > 1:
        mask = w.value(f"bitcast {w.truth} {far} to i{w.width}")
        far = w.value(f"icmp ne i{w.width} {mask}, 0")
    origin, cold, join = w.block, w.name("far"), w.name("near")
    w.line(f"br i1 {far}, label %{cold}, label %{join}, !prof !0")
    w.label(cold)
    pair = w.value(f"call {{ {w.number}, {w.number} }} @far_{w.width}({w.number} {x})")
    far_sine = w.value(f"extractvalue {{ {w.number}, {w.number} }} {pair}, 0")
    far_cosine = w.value(f"extractvalue {{ {w.number}, {w.number} }} {pair}, 1")
    w.line(f"br label %{join}")
    w.label(join)
    sine = w.value(f"phi {w.number} [ {near_sine}, %{origin} ], [ {far_sine}, %{cold} ]")
    cosine = w.value(f"phi {w.number} [ {near_cosine}, %{origin} ], [ {far_cosine}, %{cold} ]")
    return sine, cosine


def _near(w: Writer, x: str) -> tuple[str, str]:
    shifted = w.fma(x, w.constant(TWO_OVER_PI), w.constant(ROUNDER))
    k = w.subtract_exact(shifted, w.constant(ROUNDER))
    quarter = w.value(f"bitcast {w.number} {shifted} to {w.integer}")

    r0 = w.fma(k, w.constant(-P1), x)
    product = w.multiply_exact(k, w.constant(P2))
    product_low = w.fma(k, w.constant(P2), w.negate(product))
    r = w.subtract_exact(r0, product)
    # The reduced angle is r − low. Subtracting a +0 at the end, rather than adding, keeps the sign of sin(−0).
    lost = w.subtract_exact(product, w.subtract_exact(r0, r))
    low = w.add_exact(lost, w.fma(k, w.constant(P3), product_low))

    z = w.multiply_exact(r, r)
    cube = w.negate(w.multiply_exact(z, r))
    sine = w.subtract_exact(r, w.fma(cube, _polynomial(w, z, SINE), low))

    half = w.multiply_exact(z, w.constant(0.5))
    head = w.subtract_exact(w.constant(1.0), half)
    tail = w.subtract_exact(w.subtract_exact(w.constant(1.0), head), half)
    square = w.multiply_exact(z, z)
    cosine = w.add_exact(head, w.fma(square, _polynomial(w, z, COSINE), w.fma(r, low, tail)))

    # Odd quarters exchange the two; the second bit of k, and of k + 1, is the sign of the sine, and of the cosine.
    parity = w.value(f"shl {w.integer} {quarter}, {w.whole(63)}")
    odd = w.value(f"icmp slt {w.integer} {parity}, {w.whole(0)}")
    following = w.value(f"add {w.integer} {quarter}, {w.whole(1)}")
    return (
        _signed(w, w.select(odd, cosine, sine), quarter),
        _signed(w, w.select(odd, sine, cosine), following),
    )


def _signed(w: Writer, magnitude: str, quarter: str) -> str:
    second = w.value(f"and {w.integer} {quarter}, {w.whole(2)}")
    sign = w.value(f"shl {w.integer} {second}, {w.whole(62)}")
    raw = w.value(f"bitcast {w.number} {magnitude} to {w.integer}")
    turned = w.value(f"xor {w.integer} {raw}, {sign}")
    return w.value(f"bitcast {w.integer} {turned} to {w.number}")


def far_function(width: int) -> tuple[str, set[str]]:
    """The cold function for angles beyond `FAR` in any lane, and its declarations."""
    w = Writer(width)
    sine, cosine = w.library("sin", "%x"), w.library("cos", "%x")
    if width > 1:
        # Lanes within reach keep the inlined value's accuracy and, with it, equal results for equal angles.
        near_sine, near_cosine = _near(w, "%x")
        far = w.compare("ugt", w.intrinsic("fabs", "%x"), w.constant(FAR))
        sine, cosine = w.select(far, sine, near_sine), w.select(far, cosine, near_cosine)
    pair = f"{{ {w.number}, {w.number} }}"
    first = w.value(f"insertvalue {pair} undef, {w.number} {sine}, 0")
    both = w.value(f"insertvalue {pair} {first}, {w.number} {cosine}, 1")
    w.line(f"ret {pair} {both}")
    head = f"define internal {pair} @far_{width}({w.number} %x) cold noinline nounwind {{"
    return "\n".join([head, "entry:", *w.lines, "}"]), w.declarations
