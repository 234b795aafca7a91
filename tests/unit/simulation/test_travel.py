"""Comparisons in equations, exactness by quantity, and what runs keep: motion in compiled code alone."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run, RunError, _course

MODELS = Path(__file__).resolve().parents[3] / "models"

RUBBING = (
    '<system name="rubbing"><gravity value="0 m/s^2"/><body name="a" joint="prismatic" axis="x" mass="1" '
    'stiffness="4 N/m"><force value="-0.1 N*sign(v(a)), 0"/></body><start a="{}"/></system>'
)


def test_comparisons_need_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half swings of a block on a spring, each 2 f / k shorter than the last: the modes change in machine code."""
    monkeypatch.setattr(_course, "ImplicitDriver", None)
    found = sistel.parse(RUBBING.format("-1 m")).simulate(8.5 * math.pi)
    for half in range(1, 17):
        place = (-1.0) ** (half + 1) * (1.0 - half * 2 * 0.1 / 4)
        assert found(half * math.pi / 2)[0] == pytest.approx([place], abs=1e-13)


def test_a_staircase() -> None:
    """The force is constant from one whole metre to the next: times and velocities there follow from square roots."""
    system = sistel.parse(
        '<system name="stairs"><gravity value="0 m/s^2"/><body name="a" joint="prismatic" axis="x" mass="1">'
        '<force value="1 N*(2*floor(x(a)/(1 m)) - 1), 0"/></body><start a="0.5 m" a.rate="3 m/s"/></system>'
    )
    t, v = 0.0, 3.0
    found = system.simulate(1.5)
    for step in range(5):
        force, way = 2.0 * step - 1.0, 0.5 if step == 0 else 1.0
        after = math.sqrt(v * v + 2 * force * way)
        t, v = t + (after - v) / force, after
        q, speed = found(t)
        assert [*q, *speed] == pytest.approx([step + 1.0, v], rel=1e-14)
    # Down the stairs again, from beyond.
    back = system.simulate(t, q=found(t)[0], v=-found(t)[1])
    assert [*back.q[-1], *back.v[-1]] == pytest.approx([0.5, -3.0], rel=1e-13)


@pytest.mark.parametrize("method", ["taylor", "radau"])
@pytest.mark.parametrize(("start", "time"), [("-0.06 m", math.pi / 2), ("0.01 m", 0.0)])
def test_borders_that_nothing_leads_away_from(method: str, start: str, time: float) -> None:
    """Dry friction stronger than the spring: on both sides of v = 0 the block is driven back."""
    with pytest.raises(RunError, match="border of a comparison") as caught:
        sistel.parse(RUBBING.format(start)).simulate(20.0, method=method)  # type: ignore[arg-type]
    assert caught.value.diagnostics[0].code == "sliding"
    assert caught.value.run.end == pytest.approx(time, abs=1e-12)
    assert caught.value.run.q[-1] == pytest.approx([0.01], abs=1e-12)


def test_what_stays_zero_passes_nothing() -> None:
    found = sistel.parse(RUBBING.format("0 m")).simulate(20.0)
    assert found.steps == 1 and not found.q.any() and not found.v.any()


def test_conditions_that_jump_with_a_comparison() -> None:
    """The sign of a velocity has no zero that a polynomial could have: it jumps, and the condition with it."""
    system = sistel.parse(
        '<system name="turns"><gravity value="0 m/s^2"/><body name="a" joint="prismatic" axis="x" mass="1" '
        'stiffness="4 N/m"/><links><lock name="l" of="a" holds="no"/><structure name="free"/>'
        '<structure name="held" holds="l"/>'
        '<transition from="free" to="held" when="sign(v(a)) falls through 0.5 and x(a) &gt; 0"/></links>'
        '<start a="-1 m" a.rate="0.1 m/s"/></system>'
    )
    (event,) = system.simulate(5.0).events
    assert event.time == pytest.approx((math.pi - math.atan(0.05)) / 2, abs=1e-13)


def test_zeros_that_change_nothing_do_not_end_steps() -> None:
    system = sistel.parse(
        '<system name="thrown"><body name="a" joint="prismatic" axis="y" mass="1"/>'
        '<links><lock name="l" of="a" holds="no"/><structure name="free"/><structure name="held" holds="l"/>'
        '<transition from="free" to="held" when="y(a) &gt; 1 m and v(a) &lt; -5 m/s"/></links>'
        '<start a="0 m" a.rate="-6 m/s"/></system>'
    )
    found = system.simulate(5.0)
    assert (found.steps, len(found.events)) == (1, 0)
    assert found.q[-1] == pytest.approx([-30.0 + 9.81 * 12.5], rel=1e-15)


# --- exactness -------------------------------------------------------------------------------------------------------

SCALES = (
    '<system name="scales"><gravity value="0 m/s^2"/>'
    '<body name="large" joint="prismatic" axis="x" mass="1" stiffness="1 N/m"/>'
    '<body name="small" joint="prismatic" axis="x" mass="1" stiffness="1e4 N/m"/>'
    '<start large="1000 m" small="1e-9 m"/></system>'
)


@pytest.mark.parametrize("method", ["taylor", "radau"])
def test_every_quantity_has_its_own_exactness(method: str) -> None:
    """A slow swing of a kilometre and a quick one of a nanometre, against their cosines."""
    system = sistel.parse(SCALES)

    def error(run: Run) -> tuple[float, float]:
        t = np.linspace(0.0, 2.0, 101)
        q = run(t)[0]
        return float(np.abs(q[:, 0] / 1e3 - np.cos(t)).max()), float(np.abs(q[:, 1] / 1e-9 - np.cos(100 * t)).max())

    plain = system.simulate(2.0, method=method, tolerance=1e-6)  # type: ignore[arg-type]
    assert error(plain)[0] < 1e-5 and error(plain)[1] > 1e-2  # a nanometre is nothing to an error of a micrometre
    own = {"*": 1e-6, "small": (1e-6, 1e-15), "small.rate": (1e-6, 1e-13)}
    exact = system.simulate(2.0, method=method, tolerance=own)  # type: ignore[arg-type]
    assert max(error(exact)) < 1e-3  # some hundred steps, each with its part
    assert exact.steps > 2 * plain.steps
    loose = system.simulate(2.0, method=method, tolerance={**own, "small": (1e-6, 1.0), "small.rate": (1e-6, 1.0)})  # type: ignore[arg-type]
    assert loose.steps <= plain.steps


def test_exactness_is_kept_with_the_run(tmp_path: Path) -> None:
    system = sistel.parse(SCALES)
    own = {"q": 1e-8, "v": (1e-8, 1e-6), "small": (1e-6, 1e-15)}
    run = system.simulate(1.0, tolerance=own, method="radau")
    assert run.tolerance == {"q": [1e-8, 1e-8], "v": [1e-8, 1e-6], "small": [1e-6, 1e-15]}
    run.save(tmp_path / "run.npz")
    whole = system.simulate(2.0, tolerance=own, method="radau")
    for again in (Run.load(tmp_path / "run.npz", system), Run.load(tmp_path / "run.npz")):
        assert again.tolerance == run.tolerance and again.method == ("radau", None)
        assert np.array_equal(again.resume(1.5).q, run.resume(1.5).q)
    assert system.simulation(own) is system.simulation(dict(reversed(own.items())))
    assert whole.q[-1, 0] == pytest.approx(1e3 * math.cos(2.0), rel=1e-6)


@pytest.mark.parametrize(
    ("tolerance", "words"),
    [
        ({"smal": 1e-6}, "smal"),
        ({"small": -1e-6}, "0 < x"),
        ({"small": (1e-6, 0.0)}, "0 < x"),
        ({"small": (1e-6,)}, "pair"),
        ({"small": "little"}, "pair"),
        (math.nan, "tolerance"),
        (2.0, "tolerance"),
    ],
)
def test_wrong_exactness(tolerance: object, words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(SCALES).simulate(1.0, tolerance=tolerance)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"method": "taylor"}, {"method": "radau"}, {"method": "gauss", "step": 0.01}])
def test_going_on_keeps_the_method(options: dict[str, object]) -> None:
    system = sistel.load(MODELS / "double_pendulum.xml")
    whole = system.simulate(0.8, tolerance=1e-8, **options)  # type: ignore[arg-type]
    first = system.simulate(0.4, tolerance=1e-8, **options)  # type: ignore[arg-type]
    for run in (first.resume(0.8), system.simulate(0.8, resume=first)):
        assert run.method == whole.method == (options["method"], options.get("step"))
        assert run.steps == pytest.approx(whole.steps, abs=3)
        assert run.q[-1] == pytest.approx(whole.q[-1], abs=1e-6)  # Radau's first step after a pause is another


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_events_alone() -> None:
    system = sistel.load(MODELS / "geneva.xml")
    whole, events = system.simulate(7.0), system.simulate(7.0, keep="events")
    assert events.steps == 0 and np.array_equal(events.last, whole.last)
    assert [(event.time, event.after) for event in events.events] == [
        (event.time, event.after) for event in whole.events
    ]
    assert events.final_structure == whole.final_structure
    assert [event.time for event in events.resume(8.5).events] == pytest.approx(
        [event.time for event in system.simulate(8.5).events], abs=1e-12
    )


def test_stiffness_is_seen_without_steps() -> None:
    """A hard damper: thousands of short steps, unless the stiff method takes over."""
    system = sistel.parse(
        '<system name="damped"><gravity value="0 m/s^2"/><body name="a" joint="prismatic" axis="x" mass="1" '
        'stiffness="1e4 N/m" damping="1e4 N*s/m"/><start a="1 m"/></system>'
    )
    whole, events = system.simulate(20.0), system.simulate(20.0, keep="events")
    assert np.array_equal(whole.last, events.last) and whole.steps < 5000
    quick = -5e3 - math.sqrt(25e6 - 1e4)
    slow = 1e4 / quick
    assert whole.q[-1] == pytest.approx([quick / (quick - slow) * math.exp(slow * 20.0)], abs=1e-13)


def test_runs_that_are_too_long_end_with_a_word() -> None:
    """A quarter turn every two seconds, without end."""
    system = sistel.load(MODELS / "geneva.xml")
    with pytest.raises(RunError, match=r"more than 2 MiB.* steps and .* events") as caught:
        system.simulate(1e5, memory=2.0**21)
    run = caught.value.run
    assert caught.value.diagnostics[0].code == "too-long"
    assert run.steps > 1000 and 0 < run.end < 1e5
    assert [event.time for event in run.events[:4]] == pytest.approx([0.25, 0.75, 2.25, 2.75], abs=1e-12)
    short = system.simulate(run.end)
    assert np.array_equal(short.t[:-1], run.t[: len(short.t) - 1])


def test_events_are_a_sequence() -> None:
    found = sistel.load(MODELS / "compass_walker.xml").simulate(4.0).events
    assert len(found) == 5 == len(list(found))
    assert found[-1].time == found[4].time == list(found)[4].time
    assert [event.time for event in found[1:3]] == [found[1].time, found[2].time]
    with pytest.raises(IndexError):
        found[5]
