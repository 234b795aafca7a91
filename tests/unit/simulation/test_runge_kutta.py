"""The explicit method of order 8: its table, its order, events, and when it is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.expr import Graph, sin, sqrt
from sistel.mechanics._derive import expressions
from sistel.simulation import Run
from sistel.simulation._outcome import Outcome
from sistel.simulation.explicit import _tableau as t
from sistel.simulation.implicit import _collocation as c
from sistel.simulation.implicit._kernels import ImplicitFlow, ImplicitSteps
from sistel.simulation.taylor import steps as a

MODELS = Path(__file__).resolve().parents[3] / "models"
LONG = 8
"""Links of a chain whose equations are long enough for the explicit method."""

Flow = Callable[..., Sequence[Any]]


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


def chain_text(links: int, joint: str = "") -> str:
    """URDF of a chain whose axes are z and y in turn."""
    parts = [
        f'<link name="b{i}"><inertial><origin xyz="0.05 0 0"/><mass value="1"/>'
        '<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>'
        f'<joint name="j{i}" type="continuous"><parent link="b{i - 1}"/><child link="b{i}"/>'
        f'<origin xyz="{0.1 if i > 1 else 0.0} 0 0"/><axis xyz="{"0 0 1" if i % 2 else "0 1 0"}"/>{joint}</joint>'
        for i in range(1, links + 1)
    ]
    return f'<robot name="chain"><link name="b0"/>{"".join(parts)}</robot>'


@cache
def chain(links: int, joint: str = "") -> sistel.System:
    return sistel.parse(chain_text(links, joint), "chain.urdf")


def bent(system: sistel.System) -> dict[str, Any]:
    """A state to begin with, in which nothing is symmetric."""
    return {"q": np.random.default_rng(1).uniform(-0.5, 0.5, system.nq), "v": np.zeros(system.nv)}


def flow_of(size: int, rates: Flow, *watched: Flow) -> ImplicitFlow:
    """A flow by hand; the time comes last among the arguments."""
    graph = Graph()
    y = list(graph.inputs("y", size + 1))
    outputs = {"dy": expressions(graph, [*rates(*y), 1.0])}
    if watched:
        outputs["g"] = expressions(graph, [number for each in watched for number in each(*y)])
    return ImplicitFlow(graph.program(outputs))


def steps_of(flow: ImplicitFlow, start: Sequence[float], until: float, **rest: Any) -> ImplicitSteps:
    return ImplicitSteps(
        flow,
        "runge-kutta",
        t.dormand_prince(),
        np.array([*start, 0.0]),
        np.zeros(0),
        until=until,
        room=5000,
        directions=np.zeros(flow.watched + 1, dtype=np.int64),
        **rest,
    )


def same(one: Run, other: Run) -> bool:
    """Whether two runs agree to the bit."""
    pairs = [(one.t, other.t), (one.q, other.q), (one.v, other.v), (one.last, other.last)]
    return all(np.array_equal(x, y) for x, y in pairs)


# The table.


def test_the_conditions_of_the_method() -> None:
    """Row sums, and the conditions of quadrature and of single branches up to order 8."""
    table, s = t.dormand_prince().table, t.STAGES
    nodes, b, A = table[:s], table[s : 2 * s], table[2 * s : 2 * s + s * s].reshape(s, s)
    assert A.sum(axis=1) == pytest.approx(nodes, rel=1e-14)
    for k in range(1, 9):
        assert b @ nodes ** (k - 1) == pytest.approx(1 / k, rel=1e-14)
    for k in range(2, 8):
        # b A cᵏ⁻¹ = 1 / (k (k + 1)), and one branch more.
        assert b @ A @ nodes ** (k - 1) == pytest.approx(1 / (k * (k + 1)), rel=1e-13)
        if k < 7:
            assert b @ A @ A @ nodes ** (k - 1) == pytest.approx(1 / (k * (k + 1) * (k + 2)), rel=1e-12)
    assert abs(b @ nodes**8 - 1 / 9) > 1e-6  # the order is 8, and no more


@pytest.mark.parametrize(("place", "order"), [(0, 5), (1, 3)])
def test_the_conditions_of_the_estimates(place: int, order: int) -> None:
    table, s = t.dormand_prince().table, t.STAGES
    row = table[c.method_end(s, t.DEGREE) :].reshape(-1, s)[place]
    for k in range(order):
        assert row @ table[:s] ** k == pytest.approx(0.0, abs=1e-15)
    assert abs(row @ table[:s] ** order) > 1e-5


def test_the_dense_output_meets_both_ends() -> None:
    """Values and slopes; within, quadrature up to order 7 at any place."""
    powers, (begin, end) = t.power_weights(), np.eye(t.STAGES)[[0, 12]]
    nodes, b = np.array(t.NODES), t.dormand_prince().table[t.STAGES : 2 * t.STAGES]
    assert powers[0] == pytest.approx(begin, abs=1e-12)
    assert powers.sum(axis=0) == pytest.approx(b, abs=1e-11)
    assert np.arange(1, 8) @ powers == pytest.approx(end, abs=1e-10)
    for x in (0.2, 0.5, 0.9):
        weights = x ** np.arange(1, 8) @ powers
        for k in range(1, 8):
            assert weights @ nodes ** (k - 1) == pytest.approx(x**k / k, abs=1e-12)


# The order.


def errors_of(h: float) -> tuple[float, float]:
    """At the end, and the largest between steps: x' = v, v' = -x / |x|³ on a circle of radius 1."""

    def rates(x: Any, y: Any, v: Any, w: Any, _: Any) -> tuple[Any, ...]:
        square = x * x + y * y
        cube = square * sqrt(square)
        return v, w, -x / cube, -y / cube

    steps = steps_of(flow_of(4, rates), (1.0, 0.0, 0.0, 1.0), 4.0, tolerance=1e9, longest=h, step=h)
    assert steps.advance() == Outcome.END
    times, coefficients = steps.taken()
    worst = 0.0
    for (begin, length), rows in zip(times, coefficients, strict=True):
        for part in (0.15, 0.5, 0.85):
            x, y = (rows[:2] * (part * length) ** np.arange(rows.shape[1])).sum(axis=1)
            now = begin + part * length
            worst = max(worst, abs(x - math.cos(now)), abs(y - math.sin(now)))
    return math.hypot(steps.y[0] - math.cos(4.0), steps.y[1] - math.sin(4.0)), worst


def test_the_order() -> None:
    """Halving the step divides the error at the end by 2⁸, and that of the dense output by 2⁷ at least."""
    (end, between), (finer_end, finer_between) = errors_of(0.4), errors_of(0.2)
    assert 7.5 < math.log2(end / finer_end) < 9.5
    assert 6.7 < math.log2(between / finer_between) < 9.5


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_errors_follow_the_tolerance(tolerance: float) -> None:
    """At the end and anywhere between steps, for a motion that is not chaotic."""
    system = gallery("double_pendulum")
    exact, found = system.simulate(3.0), system.simulate(3.0, tolerance=tolerance, method="runge-kutta")
    times = np.linspace(0.0, 3.0, 1001)
    error = np.abs(found(times)[0] - exact(times)[0]).max()
    assert 1e-3 * tolerance < error < tolerance


def test_energy() -> None:
    system = chain(LONG)
    run = system.simulate(1.0, tolerance=1e-9, method="runge-kutta", **bent(system))
    kinetic, potential = run.energies()
    assert np.ptp(kinetic + potential) < 1e-8 * kinetic.max()
    assert len(run.t) > 20


def test_what_has_no_rates() -> None:
    flow = flow_of(1, lambda x, _: (1.0 / (1.0 - x),))  # x = 1 - √(1 - 2t) ends at t = 1/2
    steps = steps_of(flow, (0.0,), 1.0, tolerance=1e-8)
    assert steps.advance() in (Outcome.SMALL, Outcome.LOST)
    assert steps.y[-1] == pytest.approx(0.5, abs=1e-6)
    nowhere = steps_of(flow, (1.0,), 1.0, tolerance=1e-8)
    assert nowhere.advance() == Outcome.LOST


# Events.


def test_an_event_is_found_to_the_last_digit() -> None:
    """The instant has a closed form: the motion up to it is exact, whatever the tolerance."""
    flow = flow_of(2, lambda x, v, _: (v, -9.81), lambda x, v, t: (x,))
    steps = steps_of(flow, (1.0, 0.0), 2.0, tolerance=1e-4)
    assert steps.advance() == Outcome.EVENT
    assert steps.y[-1] == pytest.approx(math.sqrt(2 / 9.81), rel=1e-15)
    assert steps.counts[a.LEAF] == 0 and steps.counts[a.WAY] == -1


def test_watched_functions_that_bend_more_than_the_motion() -> None:
    flow = flow_of(1, lambda x, _: (1.0,), lambda x, t: (sin(30.0 * x),))
    steps = steps_of(flow, (0.0,), 1.0, tolerance=1e-6)
    found = []
    while steps.advance() == Outcome.EVENT:
        found.append(float(steps.y[-1]))
    assert found == pytest.approx([k * math.pi / 30 for k in range(1, 10)], abs=1e-14)


def test_events_of_a_walker() -> None:
    """Six strikes of the heel at 1e-6: as exact as the motion, and the foot is on the ground to the last digits."""
    system = gallery("compass_walker")
    exact = system.simulate(5.0, tolerance=1e-12, method="taylor")
    rough = system.simulate(5.0, tolerance=1e-6, method="runge-kutta")
    assert len(exact.events) == len(rough.events) >= 6
    for one, other in zip(exact.events, rough.events, strict=True):
        assert (one.transition, one.after) == (other.transition, other.after)
        assert other.time == pytest.approx(one.time, abs=1e-5)
        assert other.energy_loss == pytest.approx(one.energy_loss, rel=1e-4)
    assert [event.time for event in rough.events] != [event.time for event in exact.events]


def test_bounces() -> None:
    """Between bounces the motion is a parabola, which is exact: so are the instants."""
    system = gallery("bouncing_ball")
    exact, rough = system.simulate(2.0), system.simulate(2.0, tolerance=1e-6, method="runge-kutta")
    times = [event.time for event in exact.events]
    assert [event.time for event in rough.events] == pytest.approx(times, abs=1e-12)
    assert len(times) > 2


def test_a_loop_stays_closed() -> None:
    """After every step the state goes back to the constraints, and so it is at the end of a rough run."""
    system = gallery("four_bar")
    run = system.simulate(2.0, tolerance=1e-4, method="runge-kutta")
    structure = system.structure(None)
    made = system.simulation(1e-4, "runge-kutta").compiled(structure.name)
    assert made.corrected(run.last, made.anchors(run.last))[1] < 1e-9


# What else a run can do.


@pytest.mark.parametrize("name", ["compass_walker", "stick_slip", "four_bar"])
def test_runs_go_on_and_are_kept(name: str, tmp_path: Path) -> None:
    system, how = gallery(name), {"method": "runge-kutta", "tolerance": 1e-6}
    whole = system.simulate(2.0, **how)
    part = system.simulate(0.77, **how)
    assert part.method == ("runge-kutta", None)
    assert same(part.resume(2.0), whole)
    part.save(tmp_path / "part.npz")
    assert same(Run.load(tmp_path / "part.npz").resume(2.0), whole)


def test_parameters_are_followed() -> None:
    system, values = gallery("cart_pole"), {"l": 0.8}
    run = system.simulate(1.0, parameters=values, method="runge-kutta", tolerance=1e-8)
    other = system.with_parameters(values).simulate(1.0, method="runge-kutta", tolerance=1e-8)
    assert run.q[-1] == pytest.approx(other.q[-1], abs=1e-10)


def test_tolerances_by_name() -> None:
    system = gallery("cart_pole")
    exact = system.simulate(3.0)
    own = system.simulate(3.0, tolerance={"*": 1e-9, "cart": (1e-3, 1e-3)}, method="runge-kutta")
    all_alike = system.simulate(3.0, tolerance=1e-9, method="runge-kutta")
    assert len(own.t) <= len(all_alike.t)
    assert own.q[-1] == pytest.approx(exact.q[-1], abs=1e-2)


# When it is chosen.


def test_loose_runs_of_long_equations_take_it() -> None:
    system = chain(LONG)
    start = bent(system)
    for tolerance in (1e-3, 1e-6, 1e-9):
        auto = system.simulate(0.5, tolerance=tolerance, **start)
        assert auto.method == ("auto", None)
        assert same(auto, system.simulate(0.5, tolerance=tolerance, method="runge-kutta", **start))
        assert same(auto, sistel.parse(chain_text(LONG), "chain.urdf").simulate(0.5, tolerance=tolerance, **start))
    for tolerance in (1e-10, 2.0**-52):
        auto = system.simulate(0.5, tolerance=tolerance, **start)
        assert same(auto, system.simulate(0.5, tolerance=tolerance, method="taylor", **start))


@pytest.mark.parametrize("name", ["cart_pole", "compass_walker", "bricard", "bouncing_ball"])
def test_short_equations_loops_and_contacts_do_not(name: str) -> None:
    system = gallery(name)
    assert same(system.simulate(1.0, tolerance=1e-6), system.simulate(1.0, tolerance=1e-6, method="taylor"))


def test_a_stiff_chain_is_left_to_the_implicit_method() -> None:
    """Stiff joints: steps of the explicit method are ruled by what dies away, until Radau's takes over."""
    system = chain(LONG, '<dynamics damping="300"/>')
    start = bent(system)
    run = system.simulate(2.0, tolerance=1e-6, **start)
    assert any(mark.stiff for mark in run.book.marks)
    explicit = system.simulate(0.05, tolerance=1e-6, method="runge-kutta", **start)
    per_second = len(explicit.t) / 0.05
    assert len(run.t) < 0.2 * 2.0 * per_second
    implicit = system.simulate(2.0, tolerance=1e-8, method="radau", **start)
    assert run.q[-1] == pytest.approx(implicit.q[-1], abs=1e-4)


def rods(first: int, beyond: int) -> str:
    """Bodies of a planar chain."""
    return "".join(
        f'<body name="rod{i}" base="rod{i - 1}" joint="revolute" place="0, 0.1 m" mass="0.1" com="0, 0.05 m" '
        'inertia="1e-4"/>'
        for i in range(first, beyond)
    )


def breaking_chain() -> sistel.System:
    """Ten rods on a pin that breaks."""
    return sistel.parse(
        f"""<system name="breaking chain">
          <body name="rod1" joint="free" mass="0.1" com="0, 0.05 m" inertia="1e-4"/>{rods(2, 11)}
          <links>
            <closure name="pin" joint="revolute" body="rod1" to="0" holds="no"/>
            <structure name="swings" holds="pin"/>
            <structure name="flies"/>
            <transition from="swings" to="flies" when="force(pin) rises through 12 N"/>
          </links>
          <start structure="swings" rod1="0, 0, 60" rod2="10" rod5="-20"/>
        </system>"""
    )


def test_systems_with_links_that_hold_do_not() -> None:
    """Though one of their structures is a long tree: they pass between structures in the loop of series."""
    system = breaking_chain()
    flies = system.simulation(1e-6, "taylor").compiled("flies")
    assert flies.is_long_tree
    run = system.simulate(1.0, tolerance=1e-6)
    assert [event.after for event in run.events] == ["flies"]
    assert same(run, system.simulate(1.0, tolerance=1e-6, method="taylor"))


TWO_TREES = """<system name="chain with a motor">
  <body name="rod1" joint="revolute" mass="0.1" com="0, 0.05 m" inertia="1e-4"/>{rods}
  <links>
    <structure name="begins"/>
    <structure name="goes on"/>
    <transition from="begins" to="goes on" when="q(rod1) falls through 20 deg"/>
    <transition from="goes on" to="begins" when="q(rod1) rises through 25 deg"/>
  </links>
  <start structure="begins" rod1="60" rod2="10" rod5="-20"/>
</system>"""


def test_transitions_between_trees() -> None:
    """The first run, which compiles on its way, and later ones have the same bits, and the events are those of series."""
    text = TWO_TREES.format(rods=rods(2, 11))
    system = sistel.parse(text)
    first, second = (system.simulate(1.5, tolerance=1e-7) for _ in range(2))
    assert same(first, second) and same(first, sistel.parse(text).simulate(1.5, tolerance=1e-7))
    assert same(first, system.simulate(1.5, tolerance=1e-7, method="runge-kutta"))
    assert same(first, system.simulate(0.7, tolerance=1e-7).resume(1.5))
    exact = system.simulate(1.5, tolerance=1e-12)
    assert [event.after for event in first.events] == [event.after for event in exact.events]
    assert len(exact.events) > 1
    for one, other in zip(first.events, exact.events, strict=True):
        assert one.time == pytest.approx(other.time, abs=1e-5)


def test_auto_runs_go_on() -> None:
    system = chain(LONG)
    start, how = bent(system), {"tolerance": 1e-6}
    whole = system.simulate(1.0, **how, **start)
    assert same(system.simulate(0.4, **how, **start).resume(1.0), whole)


def test_ensembles_keep_to_series() -> None:
    """What machine code does by itself, and what a run of it that is asked for once more does, are one thing."""
    system = chain(LONG)
    made = system.ensemble(0.3, initial={"b1": [0.1, 0.2]}, tolerance=1e-6)
    assert np.array_equal(made.run(1).last, made.state[1])


# Series at loose tolerances.


def test_series_with_few_coefficients() -> None:
    """From rest in a symmetric posture only some coefficients are there, and the last two of a short series are not."""
    system = chain(4)
    start = {"q": np.zeros(4), "v": np.zeros(4)}
    exact = system.simulate(0.5, **start)
    for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        rough = system.simulate(0.5, tolerance=tolerance, method="taylor", **start)
        assert rough.q[-1] == pytest.approx(exact.q[-1], abs=10 * tolerance)
