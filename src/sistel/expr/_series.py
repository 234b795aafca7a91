"""Taylor series along the solution of y' = f(y, p): the recurrences as they are written in books, over any numbers.

A program is run over series instead of numbers (Moore 1966; Jorba and Zou 2005, "A software package for the numerical
integration of ODEs by means of high-order Taylor methods"): coefficient k of every line follows from the coefficients
up to k of its operands, and coefficient k + 1 of the state is that of its rate over k + 1. Here this is done plainly,
one coefficient at a time, with floats, fractions or numbers of any precision; `sistel.kernels.compile_taylor` does the
same in machine code.

Comparisons, logic and floor depend on coefficient 0 alone; a `select` takes the series of the side that is chosen
there, and so do minimum, maximum and the absolute value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from sistel.expr._operation import Op
from sistel.expr._program import Program

Number = Any
"""A float, a fraction or a number of any precision: whatever has arithmetic."""
Home = Any
"""A module with sin, cos, sqrt … of such numbers, as `math` and mpmath have them."""
Series = list[Number]
"""Coefficients from order 0, of one kind of number."""


def series_order(tolerance: float = 2.0**-52) -> int:
    """The order at which a step of given relative accuracy costs least (Jorba and Zou): 20 for doubles."""
    if not 0.0 < tolerance < 1.0:
        raise ValueError(f"a tolerance lies between 0 and 1, not {tolerance!r}")
    return max(2, math.ceil(1.0 - math.log(tolerance) / 2))


def series_step(rows: Sequence[Sequence[float]], tolerance: float = 2.0**-52, last: int | None = None) -> float:
    """The length of a step, from the last coefficients of the state (Jorba and Zou 2005, section 3.2).

    They take the last two. That is not enough where a symmetry makes coefficients vanish: of a pendulum at rest in the
    horizontal every fourth is left, and neither of the last two shows how long a step may be.

    Args:
        rows: Coefficients of every component of the state, from order 0, at least to order 2.
        tolerance: Relative to the largest component, absolute where that is below 1.
        last: How many coefficients count; None takes a quarter of them, and 2 at least.

    Returns:
        The step; infinite where all of these vanish, NaN where one is not finite.
    """
    order = len(rows[0]) - 1
    if order < 2:
        raise ValueError("a step is chosen from two coefficients beyond order 0: the order is 2 at least")
    counting = range(order + 1 - min(order, last or max(2, order // 4)), order + 1)
    if not all(math.isfinite(row[k]) for row in rows for k in (0, *counting)):
        return math.nan
    scale = max(1.0, max(abs(row[0]) for row in rows))
    radius = math.inf
    for k in counting:
        size = max(abs(row[k]) for row in rows)
        if size > 0.0:
            radius = min(radius, math.exp((math.log(scale) - math.log(size)) / k))
    # A step of radius / e² costs least; where the order is too low for the tolerance, a shorter one meets it.
    part = min(-2.0, math.log(tolerance) / (order - 1))
    return radius * math.exp(part - 0.7 / (order - 1))


def series_value(row: Sequence[float], h: float, *, compensated: bool = False) -> float:
    """The sum of row[k] h^k, by Horner's rule.

    Args:
        row: Coefficients from order 0.
        h: Where.
        compensated: Carry the rounding errors along (Graillat, Langlois and Louvet 2005): as if computed with twice as
            many digits and rounded once.
    """
    total = 0.0
    if not compensated:
        for coefficient in reversed(row):
            total = total * h + coefficient
        return total
    lost = 0.0
    for coefficient in reversed(row):
        product, first = _exact_product(total, h)
        total, second = _exact_sum(product, coefficient)
        lost = lost * h + (first + second)
    return total + lost


def _exact_sum(a: float, b: float) -> tuple[float, float]:
    """The sum and its rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _exact_product(a: float, b: float) -> tuple[float, float]:
    """The product and its rounding error (Dekker, Veltkamp)."""
    product = a * b
    (x, u), (y, v) = _halves(a), _halves(b)
    return product, ((x * y - product) + x * v + u * y) + u * v


def _halves(a: float) -> tuple[float, float]:
    shifted = 134217729.0 * a
    high = shifted - (shifted - a)
    return high, a - high


def series(
    program: Program,
    order: int,
    y: Sequence[Number],
    p: Sequence[Number] = (),
    *,
    number: Callable[[float], Number] = float,
    functions: Home = math,
) -> tuple[list[Series], list[Series]]:
    """Coefficients 0 … order of the solution through a point, and of functions along it.

    Args:
        program: Inputs "y" and perhaps "p"; outputs "dy" and then, in any blocks, functions.
        order: The highest order.
        y: The state.
        p: Parameters, constant along the solution.
        number: Makes a constant of the program a number of the kind to compute with: float, Fraction, mpmath.mpf.
        functions: Where sin, cos, exp, log, sqrt, atan2 and floor of such numbers are: math, or mpmath.
    """
    names = [name for name, _ in program.inputs]
    blocks = {"y": y, "p": p}
    n = len(y)
    zero = number(0.0)
    state: list[Series] = [[value] for value in y]
    lines: list[Series] = [[] for _ in range(len(program))]
    partner: dict[int, Series] = {}  # of a sine its cosine, of a cosine its sine
    functional = _Functions(functions, number)
    for k in range(order + 1):
        for i, op in enumerate(program.operation):
            a, b, c = program.first[i], program.second[i], program.third[i]
            if op == Op.CONSTANT:
                value = number(program.number[i]) if k == 0 else zero
            elif op == Op.INPUT:
                if names[a] == "y":
                    value = state[b][k]
                else:
                    value = blocks[names[a]][b] if k == 0 else zero
            elif op in (Op.SIN, Op.COS):
                value = _turn(functional, op, k, lines[a], lines[i], partner.setdefault(i, []))
            else:
                operands = [lines[j] for j in (a, b, c) if j >= 0]
                value = _RULES[op](functional, k, lines[i], *operands)
            lines[i].append(value)
        if k < order:
            for component, line in zip(state, program.results[:n], strict=True):
                component.append(lines[line][k] / number(float(k + 1)))
    return state, [list(lines[line]) for line in program.results[n:]]


class _Functions:
    """Functions of one kind of numbers."""

    def __init__(self, home: Home, number: Callable[[float], Number]) -> None:
        self.home = home
        self.number = number

    def truth(self, value: bool) -> Number:
        return self.number(1.0 if value else 0.0)


Rule = Callable[..., Number]


def _turn(f: _Functions, op: int, k: int, u: Series, z: Series, other: Series) -> Number:
    """Sine and cosine together: s' = u' c, c' = -u' s."""
    sign = 1 if op == Op.SIN else -1
    if k == 0:
        other.append(f.home.cos(u[0]) if op == Op.SIN else f.home.sin(u[0]))
        return f.home.sin(u[0]) if op == Op.SIN else f.home.cos(u[0])
    value = sign * sum(j * u[j] * other[k - j] for j in range(1, k + 1)) / k
    other.append(-sign * sum(j * u[j] * z[k - j] for j in range(1, k + 1)) / k)
    return value


def _quotient(f: _Functions, k: int, z: Series, a: Series, b: Series) -> Number:
    return (a[k] - sum(b[j] * z[k - j] for j in range(1, k + 1))) / b[0]


def _root(f: _Functions, k: int, z: Series, a: Series) -> Number:
    if k == 0:
        return f.home.sqrt(a[0])
    return (a[k] - sum(z[j] * z[k - j] for j in range(1, k))) / (2 * z[0])


def _exponential(f: _Functions, k: int, z: Series, a: Series) -> Number:
    return f.home.exp(a[0]) if k == 0 else sum(j * a[j] * z[k - j] for j in range(1, k + 1)) / k


def _logarithm(f: _Functions, k: int, z: Series, a: Series) -> Number:
    if k == 0:
        return f.home.log(a[0])
    return (a[k] - sum(j * z[j] * a[k - j] for j in range(1, k)) / k) / a[0]


def _angle(f: _Functions, k: int, z: Series, y: Series, x: Series) -> Number:
    """θ' (x² + y²) = x y' - y x'."""
    if k == 0:
        return f.home.atan2(y[0], x[0])
    norm = [sum(x[j] * x[m - j] + y[j] * y[m - j] for j in range(m + 1)) for m in range(k)]
    turned = sum(j * (y[j] * x[k - j] - x[j] * y[k - j]) for j in range(1, k + 1))
    return (turned - sum(j * z[j] * norm[k - j] for j in range(1, k))) / (k * norm[0])


def _flat(rule: Rule) -> Rule:
    """A value that is the same along the whole series."""
    return lambda f, k, z, *operands: rule(f, *(x[0] for x in operands)) if k == 0 else f.number(0.0)


_RULES: Final[dict[int, Rule]] = {
    Op.ADD: lambda f, k, z, a, b: a[k] + b[k],
    Op.SUBTRACT: lambda f, k, z, a, b: a[k] - b[k],
    Op.NEGATE: lambda f, k, z, a: -a[k],
    Op.MULTIPLY: lambda f, k, z, a, b: sum(a[j] * b[k - j] for j in range(k + 1)),
    Op.DIVIDE: _quotient,
    Op.SQRT: _root,
    Op.EXP: _exponential,
    Op.LOG: _logarithm,
    Op.ATAN2: _angle,
    Op.MINIMUM: lambda f, k, z, a, b: b[k] if b[0] < a[0] else a[k],
    Op.MAXIMUM: lambda f, k, z, a, b: b[k] if b[0] > a[0] else a[k],
    Op.ABSOLUTE: lambda f, k, z, a: -a[k] if a[0] < 0 else a[k],
    Op.SELECT: lambda f, k, z, a, b, c: b[k] if a[0] else c[k],
    Op.LESS: _flat(lambda f, a, b: f.truth(a < b)),
    Op.LESS_EQUAL: _flat(lambda f, a, b: f.truth(a <= b)),
    Op.EQUAL: _flat(lambda f, a, b: f.truth(a == b)),
    Op.AND: _flat(lambda f, a, b: f.truth(bool(a and b))),
    Op.OR: _flat(lambda f, a, b: f.truth(bool(a or b))),
    Op.NOT: _flat(lambda f, a: f.truth(not a)),
    Op.FLOOR: _flat(lambda f, a: f.number(float(f.home.floor(a)))),
}
"""Coefficient k of an operation, from those below it and those of its operands."""
