"""Contacts that do nothing for a while: steps by stages go on there at loose tolerances, and the motion is the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.expr import Graph
from sistel.kernels import _exact
from sistel.simulation import _simulate
from sistel.simulation.implicit import _collocation as c
from sistel.simulation.implicit import _kernels
from sistel.simulation.implicit._kernels import ImplicitFlow, ImplicitSteps
from sistel.simulation.implicit._tableaus import radau_for


def _table(law: str = "plastic") -> str:
    """A heavy trunk on four legs that stiff motors hold, each with a foot."""
    rows, contacts = '<body name="trunk" joint="free" mass="6" inertia="0.04,0.09,0.12"/>', ""
    for i in range(4):
        turn = 45 + 90 * i
        x, y = 250 * math.cos(math.radians(turn)), 180 * math.sin(math.radians(turn))
        rows += (
            f'<body name="l{i}" base="trunk" joint="revolute" axis="y" place="{x:.3f},{y:.3f},0" turn="0,0,{turn}" '
            f'mass="0.3" com="0,0,-100" inertia="0.001,0.001,0.0001"><point name="p{i}" place="0,0,-200"/></body>'
            f'<motion of="l{i}" value="-20 deg" kp="80" kd="4"/>'
        )
        contacts += f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.4" impact="{law}"/>'
    return f'<system name="table" space="spatial">{rows}<links>{contacts}</links><start trunk.z="1 m"/></system>'


def _fall(turned: float) -> tuple[Any, Any]:
    """Level, so that all feet strike at once, or about no axis of symmetry, so that no two do."""
    turn = np.array([1.0, turned, 0.6 * turned, 0.0])
    return np.array([*turn / np.linalg.norm(turn), 0, 0, 0.25, *[-0.35] * 4]), np.zeros(10)


@pytest.fixture(scope="module")
def system() -> sistel.System:
    return sistel.parse(_table())


def _steps(run: sistel.Run) -> int:
    return sum(len(segment.times) for segment in run.segments)


@pytest.mark.parametrize("turned", [0.0, 0.02])
@pytest.mark.parametrize(("tolerance", "error"), [(1e-4, 1e-4), (1e-8, 1e-8)])
def test_the_motion_is_that_of_series(system: sistel.System, turned: float, tolerance: float, error: float) -> None:
    q, v = _fall(turned)
    exact = system.simulate(1.5, q=q, v=v, tolerance=1e-14, method="taylor")
    run = system.simulate(1.5, q=q, v=v, tolerance=tolerance)
    assert len(exact.events) > 0
    assert [event.transition for event in run.events] == [event.transition for event in exact.events]
    for one, other in zip(run.events, exact.events, strict=True):
        assert one.time == pytest.approx(other.time, abs=error)
        assert one.after == other.after
    for time in np.linspace(0.0, 1.5, 40):
        for found, wanted in zip(run(time), exact(time), strict=True):
            assert np.abs(found - wanted).max() <= 10 * error
    for leg in range(4):  # what stands does not creep
        assert abs(float(system.pose(run.q[-1], f"l{leg}")[2] @ [0.0, 0.0, -0.2, 1.0])) < 1e-9


def test_what_stands_takes_few_steps(system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    q, v = _fall(0.0)
    few = _steps(system.simulate(4.0, q=q, v=v, tolerance=1e-5))
    monkeypatch.setattr(_simulate, "PATIENCE", 0)
    many = _steps(system.simulate(4.0, q=q, v=v, tolerance=1e-5))
    assert few < 0.5 * many


def test_fine_tolerances_go_by_series_alone(system: sistel.System) -> None:
    q, v = _fall(0.0)
    run = system.simulate(1.0, q=q, v=v)
    series = system.simulate(1.0, q=q, v=v, method="taylor")
    assert np.array_equal(run.last, series.last)


def test_machine_code_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    q, v = _fall(0.02)
    slow = sistel.parse(_table())
    first = slow.simulate(1.5, q=q, v=v, tolerance=1e-6)
    monkeypatch.setattr(_exact, "WORTH", 1)
    quick = sistel.parse(_table())
    runs = [quick.simulate(1.5, q=q, v=v, tolerance=1e-6) for _ in range(3)]
    assert all(np.array_equal(first.last, run.last) for run in runs)
    assert [event.time for event in first.events] == [event.time for event in runs[-1].events]


def test_differences_in_the_place_of_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stiff pendulum with a damper, whose derivatives are known: both ways take the same steps to the same end."""
    graph = Graph()
    angle, rate, _ = graph.inputs("y", 3)
    flow = graph.program({"dy": [rate, -5.0 * angle * angle * angle - 1000.0 * rate - 7.0, 1.0 + 0.0 * angle]})
    found = []
    for long in (10**9, 0):
        monkeypatch.setattr(_kernels, "LONG_FLOW", long)
        y = np.array([0.3, 1.0, 0.0])
        steps = ImplicitSteps(
            ImplicitFlow(flow),
            "radau",
            radau_for(1e-8),
            y,
            np.zeros(0),
            until=2.0,
            room=500,
            directions=np.zeros(1, dtype=np.int64),
            tolerance=1e-8,
        )
        steps.advance()
        assert bool(steps.counts[c.DIFFERENCES]) == (long == 0)
        found.append((y.copy(), int(steps.counts[c.REFUSED]), len(steps.taken()[0])))
    assert np.abs(found[0][0] - found[1][0]).max() < 1e-9
    assert found[0][1:] == found[1][1:]
