"""Implicit methods against closed forms, published digits, and each other: stiff flows, events, energy over long runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.automaton._momenta import derive_momenta
from sistel.expr import Graph, cos, exp, sin
from sistel.kernels.subset import compile_functions, reference
from sistel.mechanics._derive import expressions
from sistel.simulation import initial_state
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._outcome import Outcome
from sistel.simulation.implicit import _collocation as c
from sistel.simulation.implicit import _linear as _linear_subset
from sistel.simulation.implicit._kernels import ImplicitFlow, ImplicitSteps
from sistel.simulation.implicit._scheme import Scheme, fastest_decay, looks_stiff
from sistel.simulation.implicit._tableaus import gauss, radau, radau_for
from sistel.simulation.taylor import _roots
from sistel.simulation.taylor import steps as a

MODELS = Path(__file__).resolve().parents[3] / "models"

Flow = Callable[..., Sequence[Any]]


def flow_of(size: int, rates: Flow, *watched: Flow) -> ImplicitFlow:
    """A flow by hand; the time comes last among the arguments."""
    graph = Graph()
    y = list(graph.inputs("y", size + 1))
    outputs = {"dy": expressions(graph, [*rates(*y), 1.0])}
    if watched:
        outputs["g"] = expressions(graph, [number for each in watched for number in each(*y)])
    return ImplicitFlow(graph.program(outputs))


def steps_of(flow: ImplicitFlow, start: Sequence[float], until: float, **rest: Any) -> ImplicitSteps:
    y = np.array([*start, 0.0])
    return ImplicitSteps(
        flow,
        rest.pop("kind", "radau"),
        rest.pop("method", None) or radau_for(rest.get("tolerance", 1e-12)),
        y,
        rest.pop("p", np.zeros(0)),
        until=until,
        room=rest.pop("room", 2000),
        directions=np.array([*rest.pop("directions", [0] * flow.watched), 0], dtype=np.int64),
        **rest,
    )


def end_of(flow: ImplicitFlow, start: Sequence[float], until: float, **rest: Any) -> np.ndarray[Any, Any]:
    steps = steps_of(flow, start, until, **rest)
    answer = Outcome.STEPS_FULL
    while answer == Outcome.STEPS_FULL:
        answer = steps.advance()
    assert answer == Outcome.END
    assert steps.y[-1] == until
    return steps.y[:-1]


@cache
def compiled(name: str) -> tuple[CompiledStructure, np.ndarray[Any, Any]]:
    engine = sistel.load(MODELS / f"{name}.xml")._engine
    made = CompiledStructure(engine, engine.model.structures[0], 20)
    return made, initial_state(engine, made.structure, None, None, None)


@cache
def roots() -> Any:
    return compile_functions(list(_roots.FUNCTIONS), exports=["first_root"])


# Tables of methods.


@pytest.mark.parametrize("stages", [3, 5, 7])
def test_the_conditions_of_radau(stages: int) -> None:
    table, s = radau(stages).table, stages
    nodes, b, A = table[:s], table[s : 2 * s], table[2 * s : 2 * s + s * s].reshape(s, s)
    assert nodes[-1] == 1.0
    assert b == pytest.approx(A[-1], rel=1e-15)  # the last stage is the end of the step
    for k in range(1, 2 * s):
        assert b @ nodes ** (k - 1) == pytest.approx(1 / k, rel=1e-14)
    for k in range(1, s + 1):
        assert A @ nodes ** (k - 1) == pytest.approx(nodes**k / k, rel=1e-14, abs=1e-15)
    # Ehle: the polynomial of the denominator of the Padé approximation has the inverse eigenvalues of A as its zeros.
    own = table[c.method_end(s, radau(s).degree) :]
    values = [own[0], *(own[1 + 2 * i] + sign * 1j * own[2 + 2 * i] for i in range(s // 2) for sign in (1, -1))]
    m = 2 * s - 1
    pade = [Fraction((-1) ** k * math.comb(s, k) * math.factorial(m - k), math.factorial(m)) for k in range(s, -1, -1)]
    assert np.sort_complex(np.array(values)) == pytest.approx(
        np.sort_complex(np.roots([float(x) for x in pade])), rel=1e-11
    )


def test_the_nodes_of_radau_of_order_five() -> None:
    root = math.sqrt(6)
    assert radau(3).table[:3] == pytest.approx([(4 - root) / 10, (4 + root) / 10, 1.0], rel=1e-15)


@pytest.mark.parametrize("stages", range(1, 8))
def test_gauss_is_symplectic_and_symmetric(stages: int) -> None:
    s, table = stages, gauss(stages).table
    nodes, b, A = table[:s], table[s : 2 * s], table[2 * s : 2 * s + s * s].reshape(s, s)
    product = b[:, None] * A
    assert np.abs(product + product.T - np.outer(b, b)).max() < 2e-17 * s
    assert np.abs(A + A[::-1, ::-1] - b).max() < 1e-15
    found, weights = np.polynomial.legendre.leggauss(s)
    assert nodes == pytest.approx((1 + found) / 2, rel=1e-14)
    assert b == pytest.approx(weights / 2, rel=1e-13)


# Linear equations.


def test_elimination_with_exchanges(rng: np.random.Generator) -> None:
    code = compile_functions(
        list(_linear_subset.FUNCTIONS), exports=["factor", "solve", "factor_complex", "solve_complex"]
    )
    for n in (1, 2, 5, 12):
        matrix = rng.normal(size=(n, n))
        matrix[0, 0] = 0.0 if n > 1 else 1.0  # needs an exchange
        right = rng.normal(size=n)
        factors, found, pivots = matrix.ravel().copy(), right.copy(), np.zeros(n, dtype=np.int64)
        assert code.factor(factors, n, pivots) == 0
        code.solve(factors, n, pivots, found)
        expected = np.linalg.solve(matrix, right)
        bound = 1e-14 * np.linalg.cond(matrix) * np.abs(expected).max()
        assert found == pytest.approx(expected, abs=bound)
        slow, slow_pivots, slow_found = matrix.ravel().copy(), np.zeros(n, dtype=np.int64), right.copy()
        reference(_linear_subset.factor)(slow, n, slow_pivots)
        reference(_linear_subset.solve)(slow, n, slow_pivots, slow_found)
        assert np.array_equal(slow_found, found)
        other, other_right = rng.normal(size=(n, n)), rng.normal(size=n)
        other[0, 0] = 0.0
        re, im = matrix.ravel().copy(), other.ravel().copy()
        x, y = right.copy(), other_right.copy()
        assert code.factor_complex(re, im, n, pivots) == 0
        code.solve_complex(re, im, n, pivots, x, y)
        whole = matrix + 1j * other
        expected = np.linalg.solve(whole, right + 1j * other_right)
        bound = 1e-14 * np.linalg.cond(whole) * np.abs(expected).max()
        assert np.abs(x + 1j * y - expected).max() < bound
    assert code.factor(np.zeros(4), 2, np.zeros(2, dtype=np.int64)) == _linear_subset.SINGULAR
    assert code.factor_complex(np.zeros(4), np.zeros(4), 2, np.zeros(2, dtype=np.int64)) == _linear_subset.SINGULAR


# Stiff flows.


@pytest.mark.parametrize(("tolerance", "error"), [(1e-4, 1e-4), (1e-7, 1e-8), (1e-13, 1e-13)])
def test_van_der_pol(tolerance: float, error: float) -> None:
    """μ = 1000 at t = 2000; digits of the Test Set for IVP Solvers (Mazzia, Magherini), which has 16 of them."""
    flow = flow_of(2, lambda x, v, _: (v, 1000.0 * (1 - x * x) * v - x))
    found = end_of(flow, (2.0, 0.0), 2000.0, tolerance=tolerance, floor=1e-3)
    assert found == pytest.approx([0.1706167732170483e1, -0.8928097010247975e-3], rel=error)


def test_robertson() -> None:
    """The end state at 1e11 s; digits of the Test Set for IVP Solvers."""
    flow = flow_of(3, lambda x, y, z, _: (-0.04 * x + 1e4 * y * z, 0.04 * x - 1e4 * y * z - 3e7 * y * y, 3e7 * y * y))
    digits = [0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050]
    found = end_of(flow, (1.0, 0.0, 0.0), 1e11, tolerance=1e-12, floor=1e-14)
    assert found == pytest.approx(digits, rel=1e-12)  # 1e-12 of the tolerance; the published ones are good to 1e-14


def test_a_linear_stiff_system() -> None:
    """Prothero and Robinson: the slow solution cos t under a decay of 10⁶ per second, and a fast start."""
    flow = flow_of(2, lambda x, z, t: (-1e6 * (x - cos(t)) - sin(t), -0.5 * z))
    steps = steps_of(flow, (1.5, 1.0), 10.0)
    assert steps.advance() == Outcome.END
    assert steps.y[:2] == pytest.approx([math.cos(10.0), math.exp(-5.0)], rel=2e-13)
    assert steps.counts[a.STEPS] < 300  # an explicit method needs millions


@pytest.mark.parametrize("stages", [3, 5, 7])
def test_the_order_of_radau(stages: int) -> None:
    """Half the step, 2^(2s - 1) times less error. The flow is linear: one iteration finds the stages."""
    flow = flow_of(2, lambda x, v, _: (v, -x))
    errors = []
    # A tolerance that never speaks, and the longest step is the step. Errors have to stay above rounding.
    for h in (0.5, 0.25) if stages == 3 else (2.0, 1.0):
        found = end_of(flow, (1.0, 0.0), 4.0, tolerance=1e9, method=radau(stages), longest=h, step=h)
        errors.append(np.abs(found - [math.cos(4.0), -math.sin(4.0)]).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2 * stages - 1, abs=0.6)


def test_the_flyball_governor() -> None:
    """IFToMM A05, recomputed with 16 digits: angle of the shaft, place of the slider, at 10 s."""
    made, start = compiled("flyball_governor")
    scheme = Scheme("radau")
    modes = np.array(made.first_modes(start))
    steps = scheme.steps(made, start.copy(), modes, until=10.0, room=2000)
    assert steps.advance() == Outcome.END
    assert steps.y[1] == pytest.approx(0.619622917061365659, abs=1e-13)
    assert steps.y[0] == pytest.approx(55.9354099091023788, abs=1e-12)
    assert steps.counts[a.STEPS] < 700
    # Between the steps it is as good: the state at 5 s from the polynomial that is written down.
    times, coefficients = steps.taken()
    i = int(np.searchsorted(times[:, 0], 5.0)) - 1
    state = (coefficients[i] * (5.0 - times[i, 0]) ** np.arange(coefficients.shape[2])).sum(axis=1)
    assert state[[0, 1]] == pytest.approx([27.9425319910429575, 0.535563103721643484], abs=1e-11)
    assert looks_stiff(made, steps.y, modes, 7e-4)  # the mean step of the Taylor method
    matrix = _jacobian(scheme.flow(made), steps.y, modes)
    assert fastest_decay(made, steps.y, modes) == pytest.approx(-np.linalg.eigvals(matrix).real.min(), rel=1e-6)
    pendulum, beginning = compiled("double_pendulum")
    assert not looks_stiff(pendulum, beginning, np.zeros(0), 0.05)


def _jacobian(flow: ImplicitFlow, y: np.ndarray[Any, Any], p: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The derivatives that the iteration has."""
    steps = ImplicitSteps(
        flow, "radau", radau(3), y.copy(), p, until=y[-1] + 1e-9, room=1, directions=np.zeros(3, dtype=np.int64)
    )
    steps.advance()
    return steps.matrix.reshape(flow.size, flow.size)


def test_the_squeezer_stays_closed() -> None:
    """Andrews' mechanism at 0.03 s, recomputed with 28 digits; projected after every step."""
    made, start = compiled("andrews_squeezer")
    y, anchors, corrected, off = start.copy(), made.anchors(start), np.zeros(len(start)), np.zeros(1)
    arguments = np.zeros(8, dtype=np.int64)
    arguments[0::2] = [block.ctypes.data for block in (y, anchors, corrected, off)]
    correct = (made.projection, arguments, corrected)
    steps = Scheme("radau").steps(made, y, np.array(made.first_modes(start)), until=0.03, room=2000, correct=correct)
    assert steps.advance() == Outcome.END
    by_name = dict(zip(made.engine.model.coordinate_names, y, strict=False))
    digits = {
        "K1": 15.8107711951537070971,
        "K2": -15.7563710584118394697,
        "K3": 0.0408222401196458049,
        "K4": -0.534730116342079593770,
        "K5": 0.524409965879954069372,
        "K7": 1.04808074104193787307,
    }
    assert by_name.keys() >= digits.keys()
    for name, value in digits.items():
        assert by_name[name] == pytest.approx(value, abs=2e-11), name


# Events.


def test_an_event_is_found_to_the_last_digit() -> None:
    """A falling point reaches the ground, and a stiff one passes a level; both instants have closed forms."""
    flow = flow_of(2, lambda x, v, _: (v, -9.81), lambda x, v, t: (x,))
    steps = steps_of(flow, (1.0, 0.0), 2.0)
    assert steps.advance() == Outcome.EVENT
    assert steps.y[-1] == pytest.approx(math.sqrt(2 / 9.81), rel=4e-16)
    assert steps.counts[a.LEAF] == 0 and steps.counts[a.WAY] == -1
    assert abs(steps.y[0]) < 4e-16
    assert list(steps.zeros) == [1, 0]
    # On it goes, from a zero that does not count a second time.
    assert steps.advance() == Outcome.END
    flow = flow_of(1, lambda x, t: (-1e4 * (x - cos(t)) - sin(t),), lambda x, t: (x - 0.25, x * x - 0.01))
    for rest in ({}, {"kind": "gauss", "method": gauss(6), "step": 2e-5, "room": 100_000}):
        steps = steps_of(flow, (1.0,), 2.0, **rest)
        assert steps.advance() == Outcome.EVENT
        assert steps.counts[a.LEAF] == 0
        assert steps.y[-1] == pytest.approx(math.acos(0.25), abs=1e-12)
        assert steps.advance() == Outcome.EVENT
        assert steps.counts[a.LEAF] == 1
        assert steps.y[-1] == pytest.approx(math.acos(0.1), abs=1e-12)


@pytest.mark.parametrize("place", [0.5, 0.25, 0.375, 0.75])
@pytest.mark.parametrize("other", [0.5, 0.51, 0.26, 0.7501])
def test_a_zero_between_two_halves(place: float, other: float) -> None:
    """Intervals are halved: a zero at the very border of two halves is in neither, and must not be lost."""
    code = roots()
    power, work = np.array([place * other, -place - other, 1.0]), np.zeros(60 * 8)
    low, high = sorted((place, other))
    crosses = low < high
    assert code.first_root(power, 2, -1, work) == (pytest.approx(low, rel=1e-12) if crosses else _roots.NONE)
    assert code.first_root(power, 2, 1, work) == (pytest.approx(high, rel=1e-12) if crosses else _roots.NONE)
    assert code.first_root(power, 2, 0, work) == (pytest.approx(low, rel=1e-12) if crosses else _roots.NONE)


@pytest.mark.parametrize("kind", ["radau", "gauss"])
def test_directions_and_two_zeros_in_one_step(kind: str) -> None:
    watched = [lambda x, v, t: (x - 0.9, (t - 0.5) * (t - 0.51))]
    flow = flow_of(2, lambda x, v, _: (v, -x), *watched)
    common: dict[str, Any] = {"kind": kind, "method": gauss(5) if kind == "gauss" else radau(5), "step": 0.2}
    for directions, expected in (([1, 1], 0.51), ([1, -1], 0.5), ([-1, 2], math.asin(0.9))):
        # 2 is no direction: the parabola never counts. A quarter turn of the circle is sin t: up, then down.
        steps = steps_of(flow, (0.0, 1.0), 3.0, directions=directions, **common)
        assert steps.advance() == Outcome.EVENT
        wanted = math.pi - expected if directions[0] == -1 else expected
        assert steps.y[-1] == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("kind", ["radau", "gauss"])
def test_watched_functions_that_bend_more_than_the_motion(kind: str) -> None:
    """A straight flight is one step; the ground below it is no polynomial: every crossing is found all the same."""
    flow = flow_of(
        1, lambda x, _: (1.0,), lambda x, t: (sin(30.0 * x), 1.0 / (1.0 + 400.0 * (x - 0.7) * (x - 0.7)) - 0.5)
    )
    common: dict[str, Any] = {"kind": kind, "method": gauss(3) if kind == "gauss" else None, "step": 1.0}
    steps = steps_of(flow, (0.0,), 1.0, **common)
    found = []
    while steps.advance() == Outcome.EVENT:
        found.append((float(steps.y[-1]), int(steps.counts[a.LEAF]), int(steps.counts[a.WAY])))
    waves = [(k * math.pi / 30, 0, 1 if k % 2 == 0 else -1) for k in range(1, 10)]
    expected = sorted([*waves, (0.65, 1, 1), (0.75, 1, -1)])
    assert [each[1:] for each in found] == [each[1:] for each in expected]
    assert [each[0] for each in found] == pytest.approx([each[0] for each in expected], abs=1e-14)


def test_polynomials_of_watched_functions_are_written_down() -> None:
    flow = flow_of(2, lambda x, v, _: (v, -x), lambda x, v, t: (x * v - 0.3, exp(x)))
    steps = steps_of(flow, (0.0, 1.0), 3.0, method=radau(7))
    assert steps.advance() == Outcome.EVENT
    (start, h), row = steps.taken()[0][-1], steps.table.reshape(-1, steps.order + 1)
    for s in (0.0, 0.3 * h, h):
        t, powers = start + s, s ** np.arange(steps.order + 1)
        x, v = math.sin(t), math.cos(t)
        assert row @ powers == pytest.approx([x, v, t, x * v - 0.3, math.exp(x)], abs=1e-11)


# Long runs.


@pytest.mark.parametrize(("stages", "bound"), [(2, 2e-4), (3, 5e-7), (6, 5e-13)])
def test_energy_of_a_pendulum_over_many_steps(stages: int, bound: float) -> None:
    """10⁵ steps of 0.1 s: the error of the energy swings, and is no larger at the end than at the beginning."""
    flow = flow_of(2, lambda x, v, _: (v, -9.81 * sin(x)))
    steps = steps_of(flow, (1.5, 0.0), 1e4, kind="gauss", method=gauss(stages), step=0.1, room=10_000)
    first = -9.81 * math.cos(1.5)
    worst, count, answer = [], 0, Outcome.STEPS_FULL
    while answer == Outcome.STEPS_FULL:
        answer = steps.advance()
        x, v = steps.taken()[1][:, :2, 0].T
        worst.append(float(np.abs(0.5 * v * v - 9.81 * np.cos(x) - first).max()))
        count += len(x)
    assert answer == Outcome.END and abs(count - 100_000) <= 1
    assert max(worst) < bound
    # What drifts is rounding: some 1e-17 a step.
    assert worst[-1] < worst[0] * (1 + 1e-4) + 2e-13


def test_momenta_of_a_double_pendulum() -> None:
    """The same motion, in velocities and in momenta, against the Taylor method; and the symplectic form is kept."""
    made, start = compiled("double_pendulum")
    nq = made.engine.model.nq
    system = sistel.load(MODELS / "double_pendulum.xml")
    run = system.simulate(5.0)
    scheme = Scheme("gauss", step=0.02, stages=6)
    assert scheme.flow(made).momenta is not None
    steps = scheme.steps(made, start.copy(), np.zeros(0), until=5.0, room=1000)
    assert steps.advance() == Outcome.END
    assert steps.y[:-1] == pytest.approx([*run.q[-1], *run.v[-1]], abs=2e-14)
    times, coefficients = steps.taken()
    assert np.abs(coefficients[1:, :, 0] - _ends(times, coefficients)[:-1]).max() < 1e-14
    q, v = run(2.505)
    i = int(np.searchsorted(times[:, 0], 2.505)) - 1
    state = (coefficients[i] * (2.505 - times[i, 0]) ** np.arange(coefficients.shape[2])).sum(axis=1)
    assert state[:-1] == pytest.approx([*q, *v], abs=1e-12)

    # A long step, two stages: rough, and yet the derivatives of the map keep areas in (q, M v).
    momenta = derive_momenta(made.engine, made.modes.program)
    assert momenta is not None
    flow = ImplicitFlow(momenta.whole)
    x = np.array([0.5, -0.3, 0.2, 0.4])

    def image(point: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return end_of(flow, point.tolist(), 0.1, kind="gauss", method=gauss(2), step=0.1)

    h = 1e-3
    columns = [
        (8 * (image(x + e) - image(x - e)) - (image(x + 2 * e) - image(x - 2 * e))) / (12 * h) for e in h * np.eye(4)
    ]
    D = np.array(columns).T
    J = np.block([[np.zeros((nq, nq)), np.eye(nq)], [-np.eye(nq), np.zeros((nq, nq))]])
    assert np.abs(D.T @ J @ D - J).max() < 1e-11  # differences of fourth order: h⁴ and rounding / h


def _ends(times: np.ndarray[Any, Any], coefficients: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    powers = times[:, 1:2] ** np.arange(coefficients.shape[2])
    return np.asarray(np.einsum("sik,sk->si", coefficients, powers))


# What cannot go on.


def test_steps_that_are_too_long_for_the_iteration() -> None:
    for rates in (lambda x, _: (-1e3 * x,), lambda x, _: (-1e3 * x * x * x,)):  # one diverges, one overflows
        flow = flow_of(1, rates)
        assert steps_of(flow, (1.0,), 1.0, kind="gauss", method=gauss(2), step=0.5).advance() == Outcome.LONG
    flow = flow_of(1, lambda x, _: (1.0 / x,))
    assert steps_of(flow, (0.0,), 1.0, kind="gauss", method=gauss(2), step=0.5).advance() == Outcome.LOST


def test_motions_that_end() -> None:
    """x' = x² has no value at t = 1; one divided by nothing is no rate at all."""
    flow = flow_of(1, lambda x, _: (x * x,))
    steps = steps_of(flow, (1.0,), 2.0, room=20_000)
    assert steps.advance() in (Outcome.SMALL, Outcome.LOST)
    assert steps.y[-1] == pytest.approx(1.0, abs=1e-9)
    flow = flow_of(1, lambda x, _: (1.0 / x,))
    assert steps_of(flow, (0.0,), 1.0).advance() == Outcome.LOST


def test_no_room_and_a_wish_to_stop() -> None:
    flow = flow_of(1, lambda x, t: (cos(t),))
    steps = steps_of(flow, (0.0,), 10.0, room=3)
    assert steps.advance() == Outcome.STEPS_FULL
    assert steps.counts[a.STEPS] == 3
    steps.counts[a.STOP] = 1
    assert steps.advance() == Outcome.STOPPED
    steps.counts[a.STOP] = 0
    while (answer := steps.advance()) == Outcome.STEPS_FULL:
        pass
    assert answer == Outcome.END
    assert steps.y[0] == pytest.approx(math.sin(10.0), abs=1e-12)


def test_parameters() -> None:
    """Numbers that stay as they are reach the flow and its derivatives."""
    graph = Graph()
    x, _ = graph.inputs("y", 2)
    k, mode = graph.inputs("p", 2)
    whole = graph.program({"dy": expressions(graph, [-k * mode * x, 1.0])})
    found = end_of(ImplicitFlow(whole), (1.0,), 1.0, p=np.array([2.0, 1.5]))
    assert found == pytest.approx([math.exp(-3.0)], rel=1e-12)
