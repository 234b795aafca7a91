"""Compiled Taylor coefficients: against recurrences with many digits, closed forms, and motions known to 20 digits."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np
import pytest
from support.structures import gallery, tree_of

import sistel
from sistel import expr
from sistel.expr import Expr, Graph, Program, replay, series, series_step, split_modes
from sistel.kernels import Taylor, compile_taylor
from sistel.kernels.taylor import is_long
from sistel.mechanics import coordinate_rates, derive

if TYPE_CHECKING:
    import numpy as np

WAYS = [
    pytest.param({"unrolled": True}, id="written out"),
    pytest.param({"unrolled": False, "width": 2}, id="looped by 2"),
    pytest.param({"unrolled": False, "width": 4}, id="looped by 4"),
    pytest.param({"unrolled": False, "width": 8}, id="looped by 8"),
    pytest.param({"unrolled": False, "quick": True, "width": 2}, id="table by 2"),
    pytest.param({"unrolled": False, "quick": True, "width": 8}, id="table by 8"),
    pytest.param({"unrolled": False, "rows": True}, id="rows"),
]
"""LLVM splits vectors that are longer than the processor's, so that all widths run everywhere."""

ROUNDING = 2.0**-52


def equation(
    rates: Callable[..., list[Any]], n: int, functions: Callable[..., list[Any]] | None = None, m: int = 0
) -> Program:
    graph = Graph()
    y = graph.inputs("y", n)
    p = graph.inputs("p", m) if m else []
    outputs = {"dy": rates(*y, *p)}
    if functions is not None:
        outputs["g"] = functions(*y, *p)
    return graph.program(outputs)


def precise(line: Program, order: int, y: Any, p: Any = ()) -> tuple[Any, Any]:
    """Coefficients by the recurrences with 40 digits, rounded at the end."""
    with mpmath.workdps(40):
        found = series(
            line,
            order,
            [mpmath.mpf(float(x)) for x in y],
            [mpmath.mpf(float(x)) for x in p],
            number=mpmath.mpf,
            functions=mpmath,
        )
        state, functions = ([[float(x) for x in row] for row in rows] for rows in found)
    return np.array(state).reshape(-1, order + 1), np.array(functions).reshape(-1, order + 1)


def assert_close(found: Any, expected: Any, ulps: float) -> None:
    """Coefficients of one order are compared with the largest among them over a radius of convergence.

    A coefficient in which larger ones cancel is as good as these.
    """
    assert found.shape == expected.shape
    growth = np.max(np.abs(expected) + 1e-300, axis=0)
    # The hull from above: with the radius r, coefficients of order k are about r^-k, but single ones may vanish.
    orders = np.arange(expected.shape[1])
    rate = max((growth[k] / max(1.0, growth[0])) ** (1.0 / k) for k in orders[1:])
    scale = np.maximum(growth, max(1.0, growth[0]) * rate**orders)
    assert np.all(np.abs(found - expected) <= ulps * ROUNDING * scale)


# --- all operations --------------------------------------------------------------------------------------------------


def everything() -> Program:
    """Every operation, on what moves and on what does not."""
    graph = Graph()
    a, b, c, d = graph.inputs("y", 4)
    p, q = graph.inputs("p", 2)
    s, k = expr.sin(a + 0.3 * b), expr.cos(a + 0.3 * b)
    root = expr.sqrt(1.5 + a * a + p * p)
    angle = expr.atan2(b + 0.2, c - q)
    rates = [
        s * k - 0.1 * a * root,
        (b - c * p) / (2.0 + expr.cos(c)) + expr.exp(-0.5 * d * d) / 3.0,
        expr.log(2.0 + a * a) * angle - c / q,
        expr.minimum(a, b) * expr.maximum(c, d) - abs(d) * expr.atan2(1.0, 2.0 + d),
    ]
    moving = expr.select(expr.less(a, b), a * c, expr.sin(d))
    flat = expr.select(expr.logical_or(expr.less_equal(c, d), expr.equal(a, p)), 1.0, expr.floor(3.0 * c))
    functions = [
        moving,
        flat,
        expr.logical_not(expr.logical_and(a, expr.less(p, q))),
        expr.exp(p) * q,
        p / (q + a),
        expr.atan2(d - 3.0, q),
        expr.select(expr.less(p, q), root, -s),
        -a,
        1.0 - a,
        expr.absolute(b * c - d),
    ]
    return graph.program({"dy": rates, "g": functions[:4], "more": functions[4:]})


STATES = [
    ((0.3, -0.8, 1.2, 0.5), (0.7, 1.9)),
    ((-1.1, 0.4, -0.6, -2.3), (-0.4, 0.8)),
    ((2.0, 0.0, 0.1, -0.1), (1.5, 1.4)),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("order", [1, 2, 3, 6, 7, 13, 20])
def test_all_operations(way: dict[str, Any], order: int) -> None:
    if way["unrolled"] and order > 13:
        return  # written out, so much text takes seconds to compile
    line = everything()
    kernel = compile_taylor(line, order, **way)
    assert (kernel.order, kernel.rows, kernel.size, kernel.parameters) == (order, 14, 4, 2)
    for y, p in STATES:
        state, functions = kernel(y, p)
        expected, along = precise(line, order, y, p)
        # Of order 20, each coefficient is made of some thousand rounded operations.
        assert_close(state, expected, 100)
        assert_close(functions, along, 100)


@pytest.mark.parametrize("way", [{"unrolled": True}, {"unrolled": False}, {"quick": True}])
def test_first_orders_alone_and_those_that_follow(way: dict[str, Any]) -> None:
    """The same bits as all at once; of what is held, order 0 alone may be written, and nothing else is read."""
    graph = Graph()
    a, b, held, t = graph.inputs("y", 4)
    pull = expr.sin(a) * held - b * held * t + expr.sqrt(held * held + a * a)
    rates: list[expr.Scalar] = [b, pull / (2.0 + expr.cos(a)), 0.0, 1.0]
    line = graph.program({"dy": rates, "g": [t * held - a, a * b]})
    whole = compile_taylor(line, 13, **way)
    parts = compile_taylor(line, 13, low=6, moving=2, **way)
    y = np.array([0.4, -0.7, 1.3, 0.2])
    state, functions = whole(y)
    assert_close(state, precise(line, 13, y, ())[0], 100)
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)
    table = np.full((parts.rows, parts.stride), np.nan)
    scratch = np.zeros(parts.scratch_size + 8)
    for address, last in ((parts.low_address, 6), (parts.rest_address, 13)):
        signature(address)(y.ctypes.data, None, table.ctypes.data, scratch.ctypes.data)
        assert np.array_equal(table[:2, : last + 1], state[:2, : last + 1])
        assert np.array_equal(table[2:4, 0], y[2:])
        assert np.array_equal(table[4:, : last + 1], functions[:, : last + 1])
    assert (parts.low, whole.low) == (6, 0)


@pytest.mark.parametrize("way", WAYS)
def test_every_single_operation(way: dict[str, Any]) -> None:
    """Each alone, on a series with no zeros, and on sides of all signs."""
    functions: dict[str, Callable[[Expr, Expr], Any]] = {
        "add": lambda a, b: a + b,
        "subtract": lambda a, b: a - b,
        "multiply": lambda a, b: a * b,
        "square": lambda a, b: a * a,
        "divide": lambda a, b: a / b,
        "inverse": lambda a, b: 2.0 / b,
        "negate": lambda a, b: -a,
        "sqrt": lambda a, b: expr.sqrt(a * a + 0.5),
        "sin": lambda a, b: expr.sin(a),
        "cos": lambda a, b: expr.cos(b),
        "exp": lambda a, b: expr.exp(a),
        "log": lambda a, b: expr.log(b * b),
        "atan2": expr.atan2,
        "minimum": expr.minimum,
        "maximum": expr.maximum,
        "absolute": lambda a, b: abs(a),
        "select": lambda a, b: expr.select(expr.less(a, b), a, b),
        "floor": lambda a, b: expr.floor(5.3 * a),
        "constant": lambda a, b: 3.5,
    }
    for name, function in functions.items():
        line = equation(lambda a, b: [0.4 * a + b, 0.3 * b - a], 2, lambda a, b, f=function: [f(a, b)])
        kernel = compile_taylor(line, 12, **way)
        for y in ((1.2, 0.7), (-0.4, 0.9), (0.8, -1.1), (-0.9, -0.6)):
            state, along = kernel(y)
            expected, exact = precise(line, 12, y)
            assert_close(state, expected, 20)
            assert_close(along, exact, 60)
            assert np.isfinite(along).all(), name


@pytest.mark.parametrize("way", WAYS)
def test_degenerate_points(way: dict[str, Any]) -> None:
    """Near the ends of what has a series: the radius is small and coefficients are huge, yet as precise as ever."""
    line = equation(
        lambda a, b: [1.0, b],
        2,
        lambda a, b: [expr.sqrt(a), 1.0 / a, expr.log(a), expr.atan2(a, a * b), a / (a * b)],
    )
    kernel = compile_taylor(line, 10, **way)
    for small in (1e-2, 1e-6, 1e-12):
        y = (small, 0.5)
        _, found = kernel(y)
        _, exact = precise(line, 10, y)
        for row, expected in zip(found, exact, strict=True):
            assert np.all(np.abs(row - expected) <= 100 * ROUNDING * np.abs(exact).max(axis=0))
        # These two have one term in each recurrence, or terms of one size: each coefficient is good by itself.
        assert np.all(np.abs(found[:3] - exact[:3]) <= 60 * ROUNDING * np.abs(exact[:3]))


@pytest.mark.parametrize("way", WAYS)
def test_without_a_series_there_is_no_number(way: dict[str, Any]) -> None:
    line = equation(lambda a: [1.0], 1, lambda a: [expr.sqrt(a), 1.0 / a, expr.log(a), a * a])
    kernel = compile_taylor(line, 5, **way)
    state, found = kernel([0.0])
    assert state.tolist() == [[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]]
    assert not np.isfinite(found[:3, 1:]).any()
    assert found[3].tolist() == [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    _, found = kernel([-1.0])
    assert np.isnan(found[0]).all() and np.isnan(found[2, 0])
    assert np.isfinite(found[1]).all()


@pytest.mark.parametrize("way", WAYS)
def test_an_untaken_side_may_be_without_value(way: dict[str, Any]) -> None:
    line = equation(lambda a: [expr.select(expr.less(a, 0.0), a, expr.sqrt(a))], 1)
    kernel = compile_taylor(line, 8, **way)
    state, _ = kernel([-2.0])
    assert np.allclose(state[0], [-2.0 / math.factorial(k) for k in range(9)], rtol=1e-15)


@pytest.mark.parametrize("way", WAYS)
def test_quadrants_of_an_angle(way: dict[str, Any]) -> None:
    """A point that turns at the rate 1: its angle grows at the rate 1, wherever it is."""
    line = equation(lambda x, y: [-y, x], 2, lambda x, y: [expr.atan2(y, x)])
    kernel = compile_taylor(line, 15, **way)
    for angle in (0.1, 1.5, 1.7, 3.1, -3.1, -1.6, -0.2):
        _, found = kernel([2.0 * math.cos(angle), 2.0 * math.sin(angle)])
        assert found[0, 0] == pytest.approx(angle, abs=1e-15)
        assert found[0, 1] == pytest.approx(1.0, abs=4e-16)
        assert np.all(np.abs(found[0, 2:]) < 1e-15)


# --- closed forms ----------------------------------------------------------------------------------------------------


def tangent() -> list[float]:
    with mpmath.workdps(30):
        return [float(x) for x in mpmath.taylor(mpmath.tan, 0, 20)]


CLOSED: dict[str, tuple[Program, list[float], list[float]]] = {
    "exp": (equation(lambda y: [y], 1), [1.0], [1.0 / math.factorial(k) for k in range(21)]),
    "sin": (
        equation(lambda s, c: [c, -s], 2),
        [0.0, 1.0],
        [(0.0, 1.0, 0.0, -1.0)[k % 4] / math.factorial(k) for k in range(21)],
    ),
    "tan": (equation(lambda y: [1.0 + y * y], 1), [0.0], tangent()),
    "pole": (equation(lambda y: [y * y], 1), [1.0], [1.0] * 21),
    "logistic": (
        equation(lambda y: [y * (1.0 - y)], 1),
        [0.5],
        [0.5, *[x * (-1) ** ((k - 1) // 2) / 2 ** (k + 1) for k, x in enumerate(tangent())][1:]],
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms(name: str, way: dict[str, Any]) -> None:
    line, y, expected = CLOSED[name]
    state, functions = compile_taylor(line, 20, **way)(y)
    assert functions.shape == (0, 21)
    # Coefficients that are zero are sums that cancel: as good as their neighbours.
    near = np.maximum(np.abs(expected), np.roll(np.abs(expected), 1))
    assert np.all(np.abs(state[0] - expected) <= 20 * ROUNDING * near)


def kepler() -> Program:
    def rates(x: Expr, y: Expr, u: Expr, v: Expr) -> list[Any]:
        square = x * x + y * y
        cube = square * expr.sqrt(square)
        return [u, v, -x / cube, -y / cube]

    def functions(x: Expr, y: Expr, u: Expr, v: Expr) -> list[Any]:
        energy = 0.5 * (u * u + v * v) - 1.0 / expr.sqrt(x * x + y * y)
        return [energy, x * v - y * u]

    return equation(rates, 4, functions)


@pytest.mark.parametrize("way", WAYS)
def test_kepler_series_keeps_its_integrals(way: dict[str, Any]) -> None:
    """Energy and angular momentum along the solution are constants: their higher coefficients vanish."""
    kernel = compile_taylor(kepler(), 20, **way)
    y = [1.0, 0.1, -0.05, 1.1]
    state, functions = kernel(y)
    expected, _ = precise(kepler(), 20, y)
    assert_close(state, expected, 20)
    growth = np.abs(state).max(axis=0)
    assert np.all(np.abs(functions[:, 1:]) <= 200 * ROUNDING * np.maximum(growth[1:], 1.0))


# --- integration -----------------------------------------------------------------------------------------------------


def step(kernel: Taylor, y: Any, p: Any, limit: float) -> tuple[Any, float]:
    """How the state changes in one step, which is at most so long, and how long it is."""
    table, _ = kernel(y, p)
    h = min(series_step(table), limit)
    change = table[:, -1]
    for column in table.T[-2:0:-1]:
        change = change * h + column
    return h * change, h


def integrate(kernel: Taylor, y: Any, until: float, p: Any = None) -> tuple[Any, int]:
    """The state at a time, and the number of steps; sums over steps carry what was rounded away (Kahan)."""
    y = np.array(y, dtype=float)
    lost, t, t_lost, steps = np.zeros_like(y), 0.0, 0.0, 0
    while until - t + t_lost > 0.0:
        change, h = step(kernel, y, p, until - t + t_lost)
        change = change - lost
        total = y + change
        lost = (total - y) - change
        y = total
        elapsed = h - t_lost
        later = t + elapsed
        t_lost = (later - t) - elapsed
        t = later
        steps += 1
    return y, steps


def test_kepler_orbits_close() -> None:
    """A hundred orbits of eccentricity 0.6: energy within rounding, the last point at the first."""
    kernel = compile_taylor(kepler(), 20)
    e = 0.6
    y = np.array([1.0 - e, 0.0, 0.0, math.sqrt((1.0 + e) / (1.0 - e))])
    end, steps = integrate(kernel, y, 200 * math.pi)
    before, after = kernel(y)[1][:, 0], kernel(end)[1][:, 0]
    assert 1000 < steps < 5000
    # A random walk of rounding errors; at the pericentre the energy is the difference of numbers four times as large.
    assert np.all(np.abs(after - before) <= 8 * ROUNDING * math.sqrt(steps))
    # An error of the energy moves the point along its orbit, 3π times as far in every turn.
    assert np.max(np.abs(end - y)) < 1e-10


def test_pendulum_keeps_its_energy_and_period() -> None:
    """The IFToMM benchmark A01: a pendulum of 1 m let go from the horizontal, after 300 periods."""
    kernel = compile_taylor(
        equation(lambda q, v: [v, -9.81 * expr.sin(q)], 2, lambda q, v: [0.5 * v * v - 9.81 * expr.cos(q)])
    )
    assert kernel.unrolled
    period = 2.36784194757623744930329503724  # Jacobi's elliptic integral, 4 K(sin 45°) / √9.81
    with mpmath.workdps(30):
        assert period == pytest.approx(float(4 * mpmath.ellipk(0.5) / mpmath.sqrt(mpmath.mpf("9.81"))), rel=1e-15)
    y = [math.pi / 2, 0.0]
    end, steps = integrate(kernel, y, 300 * period)
    before, after = kernel(y)[1][0, 0], kernel(end)[1][0, 0]
    assert abs(after - before) <= 9.81 * ROUNDING * math.sqrt(steps)
    # 710 s, rounded, is known to 1e-13 s, and the phase follows the energy.
    assert np.max(np.abs(end - y)) < 1e-10


@cache
def motion(name: str) -> Program:
    """Equations of motion of a system of the gallery, with its energy along the motion."""
    system = gallery(name)
    tree = tree_of(system.model)
    graph = Graph()
    y = graph.inputs("y", tree.nq + tree.nv)
    q, v = y[: tree.nq], y[tree.nq :]
    (a,) = replay(derive(tree, "forward_dynamics"), q, v, [0.0] * tree.nv)
    return graph.program({"dy": [*coordinate_rates(system.model, q, v), *a]})


PUBLISHED: dict[str, tuple[list[float], Callable[[Any], Any], dict[float, list[float]]]] = {
    # Reference states by a Taylor method with 30 digits, confirmed with 20; absolute angles from the vertical.
    "double_pendulum": (
        [0.5, 0.0, 0.0, 0.0],
        lambda y: [y[0], y[0] + y[1], y[2], y[2] + y[3]],
        {
            1.0: [-0.243430569720214971, -0.523228362638229909, -0.640735589008691067, -1.11096166049007744],
            5.0: [0.261839196881903049, 0.508963215556476760, 0.988790380332280299, 0.572580018050894571],
            10.0: [0.0305165598020452204, 0.0210633535822724227, 0.560602077110434832, 2.06021779948305794],
        },
    ),
    "cart_pole": (
        [0.0, 0.1, 0.0, 0.0],
        lambda y: y,
        {
            1.0: [-0.0305010669018531471, 2.26140741840156088, 0.203503447888291740, 7.02828423828320342],
            5.0: [-0.0142357793290191136, 0.425768246026886305, -0.0671224074833342681, 1.62145358356029994],
            10.0: [-0.00972179909374734357, 2.82249173180258806, 0.337022052964993360, 7.80868430372404848],
        },
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_motions(name: str, way: dict[str, Any]) -> None:
    start, seen, states = PUBLISHED[name]
    kernel = compile_taylor(motion(name), 20, **way)
    for until, expected in states.items():
        end, _ = integrate(kernel, start, until)
        assert np.max(np.abs(np.array(seen(end)) - expected)) <= 1e-12


def test_chain_of_five_rods() -> None:
    """A large program: rods that whip. Reference: Taylor with 25 digits, absolute angles after 1 s."""
    kernel = compile_taylor(motion("chain5"), 20)
    assert not kernel.unrolled
    end, _ = integrate(kernel, [0.8] + [0.0] * 9, 1.0)
    expected = [-0.61291054522971545368, -0.70028870571848119500, -0.79881021069906314276, -0.68848426149387773343]
    expected += [-0.93609663771550724871, 2.4870642864609839003, 0.26030575000079022139, 1.3482749295590583389]
    expected += [1.5356642699220091196, 1.2224236778173671186]
    found = [*np.cumsum(end[:5]), *np.cumsum(end[5:])]
    # The rates are ten times as large on the way.
    assert np.max(np.abs(np.array(found) - expected)) <= 1e-12


def test_modes_as_parameters() -> None:
    """A mass between two stops, held by springs: the switch functions along the solution come with it."""

    def rates(x: Expr, v: Expr) -> list[Any]:
        return [v, -100.0 * expr.maximum(x - 1.0, 0.0) + 100.0 * expr.maximum(-1.0 - x, 0.0)]

    split = split_modes(equation(rates, 2))
    kernel = compile_taylor(split.program, 12)
    state, switches = kernel([0.5, 1.0], [0.0, 0.0] if split.count == 2 else [0.0] * split.count)
    assert split.count == 2
    (modes,) = expr.evaluate(split.initial, [0.5, 1.0])
    state, switches = kernel([0.5, 1.0], modes)
    assert state[0].tolist() == [0.5, 1.0] + [0.0] * 11
    # The right stop is met after 0.5 s: its switch function is linear there.
    meeting = [-row[0] / row[1] for row in switches if row[0] / row[1] < 0]
    assert meeting == [0.5]
    (modes,) = expr.evaluate(split.initial, [1.0 + 1e-9, 1.0])
    state, _ = kernel([1.0, 1.0], modes)
    expected = [1.0 if k == 0 else math.sin(k * math.pi / 2) * 10.0 ** (k - 1) / math.factorial(k) for k in range(13)]
    assert np.allclose(state[0], expected, rtol=1e-14, atol=1e-9)


# --- the kernel itself -----------------------------------------------------------------------------------------------


def test_threads_share_a_kernel() -> None:
    for way in ({"unrolled": True}, {"unrolled": False}):
        kernel = compile_taylor(motion("double_pendulum"), 20, **way)  # type: ignore[arg-type]
        rng = np.random.default_rng(3)
        states = rng.normal(size=(400, 4))
        alone = [kernel(y)[0] for y in states]
        with ThreadPoolExecutor(2) as pool:
            together = [state for state, _ in pool.map(kernel, states)]
        for a, b in zip(alone, together, strict=True):
            assert np.array_equal(a, b)


def test_calls_do_not_depend_on_scratch() -> None:
    """Whatever lies in scratch memory and in the table before a call."""
    import ctypes

    kernel = compile_taylor(everything(), 9, unrolled=False, width=8)
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(kernel.address)
    y, p = (np.array(x) for x in STATES[0])
    state, functions = kernel(y, p)
    table = np.full((kernel.rows + 1, kernel.stride), math.nan)
    scratch = np.full(kernel.scratch_size + 1, math.nan)
    scratch[-1] = 7.0
    function(y.ctypes.data, p.ctypes.data, table.ctypes.data, scratch.ctypes.data)
    assert np.array_equal(table[: kernel.rows, : kernel.order + 1], np.vstack([state, functions]))
    assert scratch[-1] == 7.0 and np.isnan(table[-1]).all()


@pytest.mark.parametrize("way", WAYS)
def test_all_ways_agree(way: dict[str, Any]) -> None:
    line = motion("double_pendulum")
    y = [0.3, -0.9, 1.2, 0.4]
    found, _ = compile_taylor(line, 20, **way)(y)
    expected, _ = precise(line, 20, y)
    assert_close(found, expected, 40)


def test_objects_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    first = compile_taylor(motion("cart_pole"), 20, folder)
    entries = {path.name for path in folder.iterdir()}
    # That of the program, and that of the inner sums, which serves all programs.
    assert len(entries) == 2
    again = compile_taylor(motion("cart_pole"), 20, folder)
    assert {path.name for path in folder.iterdir()} == entries
    assert again.scratch_size == first.scratch_size
    y = [0.1, 0.2, 0.3, 0.4]
    assert np.array_equal(first(y)[0], again(y)[0])
    compile_taylor(motion("double_pendulum"), 20, folder)
    assert len(list(folder.iterdir())) == 3
    compile_taylor(motion("cart_pole"), 19, folder)
    assert len(list(folder.iterdir())) == 5


def test_order_zero_states_without_dynamics() -> None:
    line = equation(
        lambda a, p: [
            p,
        ],
        1,
        m=1,
    )
    state, _ = compile_taylor(line, 4)([2.0], [3.0])
    assert state.tolist() == [[2.0, 3.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("inputs", "outputs", "order", "word"),
    [
        (("q",), "dy", 20, "y"),
        (("y", "q"), "dy", 20, "y"),
        (("y",), "a", 20, "dy"),
        (("y",), "dy", 0, "order"),
        (("y",), "dy", 101, "order"),
    ],
)
def test_wrong_programs_are_refused(inputs: tuple[str, ...], outputs: str, order: int, word: str) -> None:
    graph = Graph()
    first, *_ = [graph.inputs(name, 1)[0] for name in inputs]
    with pytest.raises(sistel.SistelError, match=word):
        compile_taylor(graph.program({outputs: [first]}), order)


def test_wrong_states_are_refused() -> None:
    kernel = compile_taylor(equation(lambda a, p: [p * a], 1, m=1), 5)
    for y, p in (([1.0, 2.0], [1.0]), ([1.0], None), ("x", [1.0]), ([1.0], [[1.0]])):
        with pytest.raises(sistel.SistelError, match="expected 1 numbers"):
            kernel(y, p)
    assert "order 5" in repr(kernel)


@pytest.mark.parametrize("name", ["walker", "biped", "chain5"])
def test_tables_have_the_bits_of_machine_code(name: str, tmp_path: Path) -> None:
    """Of long programs; in short ones machine code rounds order 0 less often."""
    model = gallery(name).model
    line = split_modes(_flow(model)).program
    fast, table = compile_taylor(line, 20), compile_taylor(line, 20, tmp_path, quick=True)
    assert (fast.quick, table.quick) == (False, True)
    # Machine code takes the place of a table in the middle of a run, in the memory that the table had.
    assert table.scratch_size >= fast.scratch_size
    rng = np.random.default_rng(7)
    for _ in range(3):
        y, p = rng.uniform(0.1, 0.9, table.size), rng.uniform(0.0, 1.0, table.parameters)
        found, wanted = table(y, p), fast(y, p)
        if is_long(line):
            assert all(a.tobytes() == b.tobytes() for a, b in zip(found, wanted, strict=True))
        else:
            scale = np.abs(wanted[0]).max(axis=0)
            assert (np.abs(found[0] - wanted[0]) <= 1e-11 * scale).all()  # 20 orders of what order 0 rounded
    again = compile_taylor(line, 20, tmp_path, quick=True)
    assert again.quick and again(y, p)[0].tobytes() == found[0].tobytes()
    # Once there is machine code on disk, it is taken.
    compile_taylor(line, 20, tmp_path)
    assert not compile_taylor(line, 20, tmp_path, quick=True).quick


def _flow(model: Any) -> Program:
    from sistel.automaton import Automaton

    return Automaton(model).modes[0].flow()
