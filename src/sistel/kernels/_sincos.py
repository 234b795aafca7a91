"""Sine and cosine of one angle as inlined LLVM instructions, both at once, with at most 1.5 ulp of error.

Up to a limit the angle is reduced by k quarter turns after Cody and Waite (1980), with π/2 in three parts and fused
products; then come two polynomials on |r| ≤ π/4, for doubles those of fdlibm's ``k_sin.c`` and ``k_cos.c`` (Sun
Microsystems, 1993). Beyond the limit, and for infinities and NaN, a cold branch asks the C library.

Why the reduction is exact enough: x − k·P1 has no rounding error (it is a multiple of the last place of P1 below 1, or
x itself). Subtracting k·P2 rounds r once. Subtracting k·P3 changes r only where r is tiny, and there the sine is r
itself: hence half an ulp from the reduction and little more than half from the polynomial, or an ulp from the
reduction alone. What is left out is below 2⁻¹⁴⁰, while no double below the limit comes nearer to a multiple of π/2 than
about 2⁻⁶⁰, except 0; the floats have the same room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sistel.kernels._writer import Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What the instructions are made with, for one kind of number."""

    far: float
    """Largest magnitude of an angle that the inlined code reduces itself [rad]."""
    rounder: float
    """Adding this rounds to a whole number, which then stands in the low bits."""
    parts: tuple[float, float, float]
    """π/2, largest part first, all positive: a k of 0 then leaves the sign of a zero alone."""
    sine: tuple[float, ...]
    cosine: tuple[float, ...]


def _parts(first: str, second: str, third: str) -> tuple[float, float, float]:
    return float.fromhex(first), float.fromhex(second), float.fromhex(third)


TWO_OVER_PI: Final = float.fromhex("0x1.45f306dc9c883p-1")
FAR: Final = 1.0e5
SINE: Final = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COSINE: Final = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
NUMBERS: Final = {
    "double": Numbers(
        far=FAR,
        rounder=1.5 * 2.0**52,
        parts=_parts("0x1.921fb54442d18p+0", "0x1.1a62633145c06p-54", "0x1.c1cd129024e08p-107"),
        sine=SINE,
        cosine=COSINE,
    ),
    "float": Numbers(
        far=1.0e4,
        rounder=1.5 * 2.0**23,
        parts=_parts("0x1.921fb4p+0", "0x1.4442d0p-24", "0x1.846988p-48"),
        # Taylor's coefficients: the first one left out is worth 0.04 ulp.
        sine=(-1 / 6, 1 / 120, -1 / 5040, 1 / 362880),
        cosine=(1 / 24, -1 / 720, 1 / 40320, -1 / 3628800),
    ),
}


def _polynomial(w: Writer, powers: tuple[str, ...], coefficients: tuple[float, ...]) -> str:
    """A polynomial by halves (Estrin 1960), whose steps wait for each other less than Horner's.

    Args:
        w: Where instructions go.
        powers: z, z², z⁴.
        coefficients: From the constant one up, at most eight.
    """
    parts = [
        w.fma(w.constant(high), powers[0], w.constant(low))
        for low, high in zip(coefficients[::2], coefficients[1::2], strict=False)
    ]
    if len(coefficients) % 2:
        parts.append(w.constant(coefficients[-1]))
    for power in powers[1:]:
        parts = [
            w.fma(parts[i + 1], power, parts[i]) if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)
        ]
    return parts[0]


def write_sincos(w: Writer, x: str) -> tuple[str, str]:
    """Write the instructions for one angle [rad]; returns the names of its sine and cosine."""
    near_sine, near_cosine = near_sincos(w, x)
    far = w.compare("ugt", w.intrinsic("fabs", x), w.constant(NUMBERS[w.kind].far))
    if w.width > 1:
        mask = w.value(f"bitcast {w.truth} {far} to i{w.width}")
        far = w.value(f"icmp ne i{w.width} {mask}, 0")
    origin, cold, join = w.block, w.name("far"), w.name("near")
    w.line(f"br i1 {far}, label %{cold}, label %{join}, !prof !0")
    w.label(cold)
    pair = w.value(f"call preserve_mostcc {{ {w.number}, {w.number} }} @{far_name(w)}({w.number} {x})")
    far_sine = w.value(f"extractvalue {{ {w.number}, {w.number} }} {pair}, 0")
    far_cosine = w.value(f"extractvalue {{ {w.number}, {w.number} }} {pair}, 1")
    w.line(f"br label %{join}")
    w.label(join)
    sine = w.value(f"phi {w.number} [ {near_sine}, %{origin} ], [ {far_sine}, %{cold} ]")
    cosine = w.value(f"phi {w.number} [ {near_cosine}, %{origin} ], [ {far_cosine}, %{cold} ]")
    return sine, cosine


def near_sincos(w: Writer, x: str) -> tuple[str, str]:
    numbers = NUMBERS[w.kind]
    shifted = w.fma(x, w.constant(TWO_OVER_PI), w.constant(numbers.rounder))
    k = w.subtract(shifted, w.constant(numbers.rounder))
    quarter = w.value(f"bitcast {w.number} {shifted} to {w.integer}")
    first, second, third = (w.constant(-part) for part in numbers.parts)
    r = w.fma(k, second, w.fma(k, first, x))
    whole = w.fma(k, third, r)  # needed only where r is tiny, hence in the last step

    z = w.multiply(r, r)
    square = w.multiply(z, z)
    powers = (z, square, w.multiply(square, square))
    sine = w.fma(w.multiply(z, r), _polynomial(w, powers, numbers.sine), whole)
    sine = w.intrinsic("copysign", sine, whole)  # only a zero can have lost it
    tail = _polynomial(w, powers, numbers.cosine)
    if w.kind == "double":  # one step fewer to wait for
        cosine = w.fma(square, tail, w.fma(z, w.constant(-0.5), w.constant(1.0)))
    else:  # a quarter of an ulp better
        cosine = w.fma(z, w.fma(z, tail, w.constant(-0.5)), w.constant(1.0))

    # Odd quarters exchange the two; the second bit of k, and of k + 1, is the sign of the sine, and of the cosine.
    top = w.size - 1
    odd = w.value(f"shl {w.integer} {quarter}, {w.whole(top)}")
    turned = w.value(f"shl {w.integer} {quarter}, {w.whole(top - 1)}")
    exchange = w.value(f"icmp slt {w.integer} {odd}, {w.whole(0)}")
    return (
        _signed(w, w.select(exchange, cosine, sine), turned),
        _signed(w, w.select(exchange, sine, cosine), w.value(f"xor {w.integer} {turned}, {odd}")),
    )


def _signed(w: Writer, magnitude: str, sign: str) -> str:
    top = w.value(f"and {w.integer} {sign}, {w.whole(-(1 << (w.size - 1)))}")
    raw = w.value(f"bitcast {w.number} {magnitude} to {w.integer}")
    return w.value(f"bitcast {w.integer} {w.value(f'xor {w.integer} {raw}, {top}')} to {w.number}")


def far_name(w: Writer) -> str:
    """What the cold function for numbers of this writer is called."""
    return f"far_{w.kind}_{w.width}"


def far_function(width: int, kind: str = "double") -> tuple[str, set[str]]:
    """The cold function for angles beyond the limit in any lane, and its declarations.

    It keeps the general registers itself, so that its callers need not make room for them.
    """
    w = Writer(width, kind)
    sine, cosine = w.library("sin", "%x"), w.library("cos", "%x")
    if width > 1:
        # Lanes within reach keep the inlined value's accuracy and, with it, equal results for equal angles.
        near_sine, near_cosine = near_sincos(w, "%x")
        far = w.compare("ugt", w.intrinsic("fabs", "%x"), w.constant(NUMBERS[kind].far))
        sine, cosine = w.select(far, sine, near_sine), w.select(far, cosine, near_cosine)
    pair = f"{{ {w.number}, {w.number} }}"
    first = w.value(f"insertvalue {pair} undef, {w.number} {sine}, 0")
    both = w.value(f"insertvalue {pair} {first}, {w.number} {cosine}, 1")
    w.line(f"ret {pair} {both}")
    head = f"define internal preserve_mostcc {pair} @{far_name(w)}({w.number} %x) cold noinline nounwind {{"
    return "\n".join([head, "entry:", *w.lines, "}"]), w.declarations
