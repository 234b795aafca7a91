"""Series along a solution: closed forms in exact fractions, derivatives of the graph, and the rules of single functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from sistel import expr
from sistel.expr import (
    Expr,
    Graph,
    Program,
    derivative,
    evaluate,
    series,
    series_order,
    series_step,
    series_value,
    split_modes,
)


def equation(rates: Callable[..., list[Any]], n: int, functions: Callable[..., list[Any]] | None = None) -> Program:
    """y' = rates(*y), with functions along it."""
    graph = Graph()
    y = graph.inputs("y", n)
    outputs = {"dy": rates(*y)}
    if functions is not None:
        outputs["g"] = functions(*y)
    return graph.program(outputs)


def exactly(line: Program, order: int, *y: Fraction | int) -> list[list[Fraction]]:
    return series(line, order, [Fraction(x) for x in y], number=Fraction)[0]


TANGENT = [0, 1, 0, Fraction(1, 3), 0, Fraction(2, 15), 0, Fraction(17, 315), 0, Fraction(62, 2835)]
"""The series of the tangent: Abramowitz and Stegun 4.3.67."""


def test_exponential_is_exact() -> None:
    (y,) = exactly(equation(lambda y: [y], 1), 25, 3)
    assert y == [Fraction(3, math.factorial(k)) for k in range(26)]


def test_tangent_is_exact() -> None:
    (y,) = exactly(equation(lambda y: [1.0 + y * y], 1), 9, 0)
    assert y == TANGENT


def test_geometric_series_is_exact() -> None:
    (y,) = exactly(equation(lambda y: [y * y], 1), 30, 1)
    assert y == [1] * 31


def test_quotient_gives_the_binomial_series() -> None:
    # y' = 1/y from 1 is √(1 + 2t).
    (y,) = exactly(equation(lambda y: [1.0 / y], 1), 20, 1)
    binomial = [Fraction(1)]
    for k in range(20):
        binomial.append(binomial[-1] * (Fraction(1, 2) - k) / (k + 1) * 2)
    assert y == binomial


def test_logistic_is_that_of_the_hyperbolic_tangent() -> None:
    # From 1/2: y = (1 + tanh(t/2)) / 2, and tanh has the coefficients of tan with signs.
    (y,) = exactly(equation(lambda y: [y * (1.0 - y)], 1), 9, Fraction(1, 2))
    signs = [Fraction(x) * (-1) ** ((k - 1) // 2) for k, x in enumerate(TANGENT)]
    assert y == [Fraction(1, 2), *[x / 2 / 2**k for k, x in enumerate(signs)][1:]]


def test_functions_along_a_solution() -> None:
    # Along y = e^t: y² = e^(2t), and the rate of a function is one order behind it.
    line = equation(lambda y: [y], 1, lambda y: [y * y, 1.0 / y])
    _, (square, inverse) = series(line, 12, [Fraction(1)], number=Fraction)
    assert square == [Fraction(2**k, math.factorial(k)) for k in range(13)]
    assert inverse == [Fraction((-1) ** k, math.factorial(k)) for k in range(13)]


SINGLE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], tuple[float, ...]]] = {
    "sin": (expr.sin, mpmath.sin, (0.0, 0.7, -2.5)),
    "cos": (expr.cos, mpmath.cos, (0.0, 0.7, -2.5)),
    "exp": (expr.exp, mpmath.exp, (0.0, 1.3, -4.0)),
    "log": (expr.log, mpmath.log, (0.2, 1.0, 7.0)),
    "sqrt": (expr.sqrt, mpmath.sqrt, (1e-3, 1.0, 9.5)),
    "quotient": (lambda t: 1.0 / (t * t + 0.01), lambda t: 1 / (t * t + mpmath.mpf(0.01)), (0.0, 0.3, -1.0)),
    "angle": (
        lambda t: expr.atan2(expr.sin(2.0 * t), 0.5 + t * t),
        lambda t: mpmath.atan2(mpmath.sin(2 * t), 0.5 + t * t),
        (0.0, 0.4, -1.2),
    ),
    "angle of y": (lambda t: expr.atan2(t, -2.0), lambda t: mpmath.atan(t / -2) + mpmath.pi, (0.5, 3.0)),
    "angle of x": (lambda t: expr.atan2(1.5, t), lambda t: mpmath.acot(t / 1.5), (0.5, 2.0)),
}
"""Functions of time: as expressions, with many digits, and where."""


@pytest.mark.parametrize("name", SINGLE)
def test_functions_of_time(name: str) -> None:
    """Along y' = 1 a function has its own Taylor series, which mpmath finds by differences with many digits."""
    build, exact, places = SINGLE[name]
    line = equation(lambda t: [1.0], 1, lambda t: [build(t)])
    for place in places:
        with mpmath.workdps(60):
            expected = mpmath.taylor(exact, mpmath.mpf(place), 12)
        with mpmath.workdps(30):
            _, (found,) = series(line, 12, [mpmath.mpf(place)], number=mpmath.mpf, functions=mpmath)
            for a, b in zip(found, expected, strict=True):
                assert abs(a - b) <= mpmath.mpf(10) ** -20 * max(1, abs(b))


def test_repeated_derivatives_of_the_graph() -> None:
    """The derivative along the field, taken k times and over k!, is the coefficient k."""
    graph = Graph()
    y = graph.inputs("y", 3)
    a, b, c = y
    field: list[Any] = [
        expr.sin(b) * c - 0.3 * a,
        expr.exp(-0.2 * a * a) / (1.5 + expr.cos(c)),
        expr.atan2(a + 2.0, b) + expr.sqrt(2.0 + a * b) * expr.log(3.0 + c * c),
    ]
    line = graph.program({"dy": field})
    point = [0.4, -0.7, 1.1]
    found, _ = series(line, 6, point)
    current: list[Any] = list(y)
    for k in range(1, 6):
        rates = field if k == 1 else derivative(graph, current, dict(zip(y, field, strict=True)))
        current = rates
        (values,) = evaluate(graph.program({"x": rates}), point)
        for i in range(3):
            # Repeated differentiation loses a digit or so on the way.
            assert found[i][k] == pytest.approx(values[i] / math.factorial(k), rel=1e-12)


def test_choices_follow_coefficient_zero() -> None:
    def functions(t: Expr) -> list[Any]:
        square = t * t
        return [
            expr.minimum(t, square),
            expr.maximum(t, square),
            abs(t),
            expr.select(expr.less(t, 0.0), expr.sin(t), square),
            expr.floor(4.0 * t),
            expr.less(t, 1.0),
        ]

    line = equation(lambda t: [1.0], 1, functions)
    _, found = series(line, 3, [-0.5])
    sine = [math.sin(-0.5), math.cos(-0.5), -math.sin(-0.5) / 2, -math.cos(-0.5) / 6]
    assert found[0] == [-0.5, 1.0, 0.0, 0.0]
    assert found[1] == [0.25, -1.0, 1.0, 0.0]
    assert found[2] == [0.5, -1.0, 0.0, 0.0]
    assert found[3] == pytest.approx(sine, abs=1e-16)
    assert found[4] == [-2.0, 0.0, 0.0, 0.0]
    assert found[5] == [1.0, 0.0, 0.0, 0.0]


# --- steps and values ------------------------------------------------------------------------------------------------


def test_order_for_doubles() -> None:
    assert series_order() == 20
    assert series_order(1e-8) == math.ceil(1 + 4 * math.log(10))
    with pytest.raises(ValueError, match="tolerance"):
        series_order(0.0)


def test_step_of_a_known_radius() -> None:
    # 1/(2 - t) has the radius 2: its coefficients are 2^-(k + 1), and they are measured by 1.
    row = [2.0 ** -(k + 1) for k in range(21)]
    safety = math.exp(-2.0 - 0.7 / 19)
    assert series_step([row], last=2) == pytest.approx(2.0 * 2 ** (1 / 20) * safety, rel=1e-14)
    assert series_step([row]) == series_step([row], last=5) == series_step([row], last=2)
    assert series_step([row], 1e-30) == pytest.approx(2.0 * 2 ** (1 / 20) * math.exp((math.log(1e-30) - 0.7) / 19))
    assert series_step([[1.0, 2.0, 0.0, 0.0]]) == math.inf
    assert math.isnan(series_step([[1.0, 2.0, math.nan]]))
    with pytest.raises(ValueError, match="order"):
        series_step([[1.0, 2.0]])


def test_step_where_a_symmetry_hides_the_last_coefficients() -> None:
    # A pendulum at rest in the horizontal: of both series only every fourth coefficient is there.
    line = equation(lambda q, v: [v, -9.81 * expr.sin(q)], 2)
    state, _ = series(line, 20, [math.pi / 2, 0.0])
    nearby, _ = series(line, 20, [math.pi / 2 + 0.1, 0.3])
    assert series_step(state, last=2) > 4 * series_step(nearby)
    assert series_step(state) == pytest.approx(series_step(nearby), rel=0.2)


def test_horner_and_compensated_horner() -> None:
    # (x - 1)^9 near 1 has no correct digit by Horner; compensated, the error is that of twice as many digits.
    row = [float(math.comb(9, k) * (-1) ** (9 - k)) for k in range(10)]
    x = 1.01
    exact = float(sum(Fraction(c) * Fraction(x) ** k for k, c in enumerate(row)))
    assert abs(series_value(row, x) - exact) > 1e-3 * abs(exact)
    condition = sum(abs(c) * x**k for k, c in enumerate(row))
    assert abs(series_value(row, x, compensated=True) - exact) <= 2**-52 * abs(exact) + 400 * 2**-104 * condition
    assert series_value([3.0], 5.0) == 3.0


# --- modes -----------------------------------------------------------------------------------------------------------


def rough() -> Program:
    """Everything that compares, with parameters."""
    graph = Graph()
    a, b, c = graph.inputs("y", 3)
    p, q = graph.inputs("p", 2)
    outputs = [
        expr.minimum(a, b * c) + expr.maximum(b, p * c),
        expr.select(expr.logical_and(expr.less(a, b), expr.logical_not(expr.less_equal(c, p))), abs(a - c), a * b),
        expr.floor(3.0 * c) * a + expr.select(expr.equal(b, q), 1.0, b) + expr.select(expr.less(p, q), c, a),
    ]
    truth = expr.select(a * expr.floor(b), 2.0 * c, expr.logical_or(b - 0.25, expr.less(a, c)))
    return graph.program({"dy": outputs, "g": [truth, expr.absolute(expr.less(a, b))]})


POINTS = [
    ([0.3, -0.2, 0.9], [0.5, -0.2]),
    ([-1.3, 0.25, -0.4], [0.1, 0.7]),
    ([2.0, 2.0, -3.1], [-3.1, 0.0]),
    ([0.0, 0.5, 0.5], [1.0, 0.5]),
]


@pytest.mark.parametrize(("y", "p"), POINTS)
def test_frozen_modes_give_the_same_values(y: list[float], p: list[float]) -> None:
    whole = rough()
    split = split_modes(whole)
    (modes,) = evaluate(split.initial, y, p)
    assert len(modes) == split.count > 8
    *found, switches = evaluate(split.program, y, [*p, *modes])
    assert found == evaluate(whole, y, p)
    # Modes are what their switch functions say.
    for switch, value in zip(split.switches, switches, strict=True):
        mode = modes[switch.mode]
        expected = {
            "less": float(value < 0.0),
            "less_equal": float(value <= 0.0),
            "equal": float(value == 0.0),
            "not_zero": float(value != 0.0),
        }
        if switch.kind == "floor":
            assert value >= 0.0 and mode == math.floor(mode)
        elif switch.kind == "floor_above":
            assert value < 0.0
        else:
            assert mode == expected[switch.kind]


def test_frozen_modes_have_the_same_series_inside_a_mode() -> None:
    whole = rough()
    split = split_modes(whole)
    for y, p in POINTS[:2]:
        (modes,) = evaluate(split.initial, y, p)
        state, functions = series(split.program, 8, y, [*p, *modes])
        expected, plain = series(whole, 8, y, p)
        assert state == expected
        assert functions[: len(plain)] == plain


def test_frozen_programs_compare_nothing_that_moves() -> None:
    split = split_modes(rough())
    assert split.program.inputs == (("y", 3), ("p", 2 + split.count))
    assert split.program.outputs == (("dy", 3), ("g", 2), ("switches", len(split.switches)))
    line = split.program
    moving: list[bool] = []
    for op, a, b, c in zip(line.operation, line.first, line.second, line.third, strict=True):
        if op == expr.Op.INPUT:
            moving.append(a == 0)
            continue
        below = [moving[x] for x in (a, b, c) if x >= 0]
        moving.append(any(below))
        if op in (expr.Op.LESS, expr.Op.LESS_EQUAL, expr.Op.EQUAL, expr.Op.AND, expr.Op.OR, expr.Op.NOT):
            assert not any(below)
        if op in (expr.Op.MINIMUM, expr.Op.MAXIMUM, expr.Op.ABSOLUTE, expr.Op.FLOOR):
            assert not any(below)
        assert op != expr.Op.SELECT or not below[0]


def test_frozen_modes_outlive_their_side() -> None:
    # |y| frozen on the negative side goes on as -y: that is what makes a step smooth.
    split = split_modes(equation(lambda y: [abs(y)], 1))
    assert split.program.inputs == (("y", 1), ("p", 1))
    assert evaluate(split.program, [0.5], [1.0]) == [[-0.5], [0.5]]
    assert evaluate(split.program, [0.5], [0.0]) == [[0.5], [0.5]]


def test_smooth_programs_have_no_modes() -> None:
    whole = equation(lambda y: [expr.sin(y)], 1)
    split = split_modes(whole)
    assert split.count == 0 and split.switches == ()
    assert evaluate(split.program, [0.3], [])[0] == evaluate(whole, [0.3])[0]


def test_equal_comparisons_share_a_mode() -> None:
    split = split_modes(
        equation(lambda a, b: [expr.select(expr.less(a, b), a, b), expr.select(expr.less(a, b), 1.0, a)], 2)
    )
    assert split.count == 1
