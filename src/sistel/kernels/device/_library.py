"""What the C library gives on processors, as LLVM assembly for devices: exp, log, and angles far from zero.

Errors are below 1.5 ulp. ``exp`` takes out a power of two (Cody and Waite 1980) and sums Taylor's series of the rest,
|r| ≤ ln 2 / 2; ``log`` takes out a power of two and sums the series of 2 artanh(s), s = (m − 1)/(m + 1), |s| ≤ 0.172.
An angle beyond the reach of the usual reduction goes the same way with the same three parts of π/2, which is good up to
`REACH`: its quarter turns are whole numbers below 2³⁰, so that the first product is still exact. Beyond that there is
no number: the run is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from sistel.kernels._sincos import near_sincos
from sistel.kernels._writer import Writer

FAR: Final = "library.far"
REACH: Final = 1.0e9
"""Largest angle of which devices take the sine [rad]."""
_LN2: Final = (float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33"))
"""The logarithm of 2: a part that many whole numbers multiply exactly, and the rest."""
_ROUNDER: Final = 1.5 * 2.0**52


def library_text() -> str:
    """The module."""
    declarations: set[str] = set()
    parts = [_function("double @library.exp", _exp, declarations), _function("double @library.log", _log, declarations)]
    parts.append(_function(f"{{ double, double }} @{FAR}", _far, declarations))
    parts += sorted(declarations)
    parts.append('!0 = !{!"branch_weights", i32 1, i32 100000}')
    return "\n".join(parts) + "\n"


def _function(head: str, body: Callable[[Writer], str], declarations: set[str]) -> str:
    w = Writer(1)
    result = body(w)
    declarations |= w.declarations
    kind = head.partition(" @")[0]
    return "\n".join([f"define {head}(double %x) nounwind {{", "entry:", *w.lines, f"  ret {kind} {result}", "}"])


def _exp(w: Writer) -> str:
    limited = w.intrinsic("minnum", w.intrinsic("maxnum", "%x", w.constant(-800.0)), w.constant(800.0))
    shifted = w.fma(limited, w.constant(1.0 / math.log(2.0)), w.constant(_ROUNDER))
    k = w.subtract(shifted, w.constant(_ROUNDER))
    r = w.fma(k, w.constant(-_LN2[0]), limited)
    r = w.fma(k, w.constant(-_LN2[1]), r)
    total = w.constant(1.0 / math.factorial(13))
    for n in range(12, -1, -1):
        total = w.fma(total, r, w.constant(1.0 / math.factorial(n)))
    # In two halves: the power may be subnormal, or beyond all numbers.
    whole = w.value(f"fptosi double {k} to i64")
    half = w.value(f"ashr i64 {whole}, 1")
    rest = w.value(f"sub i64 {whole}, {half}")
    for part in (half, rest):
        raw = w.value(f"shl i64 {w.value(f'add i64 {part}, 1023')}, 52")
        total = w.multiply(total, w.value(f"bitcast i64 {raw} to double"))
    return w.select(w.compare("uno", "%x", "%x"), "%x", total)


def _log(w: Writer) -> str:
    tiny = w.compare("olt", "%x", w.constant(2.0**-1022))
    x = w.select(tiny, w.multiply("%x", w.constant(2.0**54)), "%x")
    raw = w.value(f"bitcast double {x} to i64")
    # From √½ to √2, so that logarithms near zero have no power of two to lose digits to.
    root = 0x3FE6A09E667F3BCD
    from_root = w.value(f"sub i64 {raw}, {root}")
    power = w.value(f"ashr i64 {from_root}, 52")
    mantissa = w.value(f"sub i64 {raw}, {w.value(f'shl i64 {power}, 52')}")
    m = w.value(f"bitcast i64 {mantissa} to double")
    k = w.add(w.value(f"sitofp i64 {power} to double"), w.select(tiny, w.constant(-54.0), w.constant(0.0)))
    f = w.subtract(m, w.constant(1.0))
    s = w.divide(f, w.add(m, w.constant(1.0)))
    z = w.multiply(s, s)
    total = w.constant(2.0 / 23.0)
    for n in range(21, 1, -2):
        total = w.fma(total, z, w.constant(2.0 / n))
    # log(1 + f) = f − s (f − z·total): 2 s = f − s f, and the large part stays exact.
    inner = w.subtract(f, w.multiply(z, total))
    small = w.fma(k, w.constant(_LN2[1]), w.negate(w.multiply(s, inner)))
    near = w.fma(k, w.constant(_LN2[0]), w.add(f, small))
    positive = w.select(w.compare("oeq", "%x", w.constant(math.inf)), "%x", near)
    negative = w.select(w.compare("oeq", "%x", w.constant(0.0)), w.constant(-math.inf), w.constant(math.nan))
    return w.select(w.compare("ogt", "%x", w.constant(0.0)), positive, negative)


def _far(w: Writer) -> str:
    near = w.compare("ole", w.intrinsic("fabs", "%x"), w.constant(REACH))
    nowhere = w.constant(math.nan)
    sine, cosine = (w.select(near, each, nowhere) for each in near_sincos(w, "%x"))
    first = w.value(f"insertvalue {{ double, double }} undef, double {sine}, 0")
    return w.value(f"insertvalue {{ double, double }} {first}, double {cosine}, 1")
