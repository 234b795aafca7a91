"""What pages integrate is what simulations do: the same states, the same events at the same times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.live import Drive, job

import sistel
from sistel.simulation import RunError

# How long each moves [s], and how many events it passes.
MODELS = {
    "cart_pole": (1.0, 0),
    "double_pendulum": (1.0, 0),
    "four_bar": (1.0, 0),
    "universal_shaft": (0.5, 0),
    "free_body": (1.0, 0),
    "spinning_top": (0.3, 0),
    "slider_crank": (1.0, 0),
    "five_bar": (0.4, 0),
    "four_bar_iftomm": (2.6, 0),  # through two postures in which its links depend on each other
    "breaking_pendulum": (1.0, 1),
    "rimless_wheel": (2.0, 2),
    "compass_walker": (2.0, 2),
    "simplest_walker": (5.0, 1),
    "cam": (2.0, 4),
    "geneva": (2.0, 2),
    "stick_slip": (1.0, 3),
    "hopper": (0.8, 3),
    "gripper_load": (2.2, 2),
    "vending_pusher": (2.0, 3),
    "walker": (0.4, 1),
    "rolling_disk": (1.0, 0),
    "bicycle": (0.5, 0),
    "balanced_cart": (2.5, 0),
    "servo_arm": (0.3, 0),
    "lidar_rover": (3.0, 0),
}
SAMPLES = 12


@pytest.fixture(scope="module")
def runs(models_dir: Path) -> dict[str, tuple[sistel.System, Any]]:
    found = {}
    for name, (length, _) in MODELS.items():
        system = sistel.load(models_dir / f"{name}.xml")
        found[name] = system, system.simulate(system.model.start_time + length)
    return found


@pytest.fixture(scope="module")
def moved(runs: dict[str, tuple[sistel.System, Any]], drive: Drive) -> dict[str, list[Any]]:
    """All of them, in one process of node."""
    jobs = []
    for system, run in runs.values():
        times = np.linspace(run.begin, run.end, SAMPLES + 1)[1:].tolist()
        jobs.append(job(system, [["start", {}], ["advance", times], ["events"], ["stopped"]]))
    return dict(zip(runs, drive(jobs), strict=True))


def error(rows: Sequence[Any], run: Any) -> float:
    """The largest difference of a number of the state, relative where it is above 1."""
    q, v = run([row["t"] for row in rows])
    own = np.array([[*row["q"], *row["v"]] for row in rows])
    exact = np.hstack([q, v])
    return float((np.abs(own - exact) / np.maximum(1.0, np.abs(exact))).max())


@pytest.mark.parametrize("name", MODELS)
def test_pages_move_as_simulations_do(
    name: str, runs: dict[str, tuple[sistel.System, Any]], moved: dict[str, list[Any]]
) -> None:
    (system, run), (refusal, rows, events, stopped) = runs[name], moved[name]
    assert refusal is None and stopped is None
    assert [row["t"] for row in rows] == np.linspace(run.begin, run.end, SAMPLES + 1)[1:].tolist()
    # Steps are good to 1e-11, and errors grow with the motion. Where it is continued over a singular posture, states
    # some steps apart tell how it goes on.
    assert error(rows, run) < (1e-8 if name == "four_bar_iftomm" else 5e-9)
    names = [structure.name for structure in system.structures]
    assert [names[row["structure"]] for row in rows] == list(run.structure_at([row["t"] for row in rows]))
    assert len(events) == len(run.events) == MODELS[name][1]
    for own, event in zip(events, run.events, strict=True):
        assert own["time"] == pytest.approx(event.time, abs=2e-11)
        assert (own["transition"], names[own["before"]], names[own["after"]]) == (
            event.transition,
            event.before,
            event.after,
        )
        assert own["loss"] == pytest.approx(event.energy_loss, abs=1e-8)
        assert own["impulses"].keys() == event.impulses.keys()
        for link, impulse in event.impulses.items():
            assert own["impulses"][link] == pytest.approx(impulse, abs=1e-8)


# Other states to begin with, and other values of parameters that a page may change [SI].
CHANGED: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "cart_pole": ({"q": [0.2, 0.7], "v": [0.5, -1.0]}, {"l": 0.9}),
    "four_bar": ({}, {"a": 0.11}),
    "free_body": ({"v": [0.3, 2.0, -1.0, 0.5, 0.0, 1.0]}, {"m": 3.0}),
    "compass_walker": ({}, {"slope": 0.06, "m": 6.0}),
    "stick_slip": ({"v": [0.05, 0.1]}, {}),
    "hopper": ({}, {"h": 0.2, "k": 3000.0}),
    "breaking_pendulum": ({}, {}),
}


def test_other_beginnings_and_other_parameters(models_dir: Path, drive: Drive) -> None:
    jobs, expected = [], []
    for name, (state, parameters) in CHANGED.items():
        system = sistel.load(models_dir / f"{name}.xml")
        known = {row.name: row.value for row in system.model.parameters}
        assert parameters.keys() <= known.keys(), known
        run = system.simulate(0.8, parameters=parameters or None, **state)
        times = np.linspace(0.0, 0.8, 6)[1:].tolist()
        jobs.append(job(system, [["start", state | {"parameters": parameters}], ["advance", times], ["events"]]))
        expected.append(run)
    for (refusal, rows, events), run, name in zip(drive(jobs), expected, CHANGED, strict=True):
        assert refusal is None, name
        assert error(rows, run) < 1e-9, name
        assert [event["time"] for event in events] == pytest.approx([e.time for e in run.events], abs=1e-10), name


def test_parameters_may_change_on_the_way(models_dir: Path, drive: Drive) -> None:
    """A motion goes on with other values from the state in which it is."""
    system = sistel.load(models_dir / "double_pendulum.xml")
    name = next(row.name for row in system.model.parameters)
    value = 1.3 * next(row.value for row in system.model.parameters)
    ((_, _, wrong, rows, refused, state),) = drive(
        [
            job(
                system,
                [
                    ["start", {}],
                    ["advance", [0.5]],
                    ["setParameters", {name: value}],
                    ["advance", [1.0]],
                    ["setParameters", {name: "no number"}],
                    ["state"],
                ],
            )
        ]
    )
    assert wrong is None
    first = system.simulate(0.5)
    q, v = first(0.5)
    then = system.simulate(1.0, q=q, v=v, t=0.5, parameters={name: value})
    assert error(rows, then) < 1e-9
    assert refused is not None and "годятся" in refused["ru"]
    assert state == rows[-1]  # what cannot be leaves the motion as it was


def test_a_page_is_given_time_in_small_parts(models_dir: Path, drive: Drive) -> None:
    """A call without time takes at most a step, and what comes of many is what comes of one."""
    system = sistel.load(models_dir / "compass_walker.xml")
    ((_, crawled, events), (_, whole, all_events)) = drive(
        [
            job(system, [["start", {}], ["crawl", 1.0], ["events"]]),
            job(system, [["start", {}], ["advance", [1.0]], ["events"]]),
        ]
    )
    assert crawled["calls"] > 10 and crawled["t"] == 1.0
    assert (crawled["q"], crawled["v"]) == (whole[0]["q"], whole[0]["v"])
    assert events == all_events


def test_a_bad_start_is_refused(models_dir: Path, drive: Drive) -> None:
    system = sistel.load(models_dir / "four_bar.xml")
    ((begun, moved, wrong, after),) = drive(
        [
            job(
                system,
                [
                    ["start", {"parameters": {"a": 50.0}}],
                    ["advance", [1.0]],
                    ["start", {"parameters": {"a": -1.0, "никто": 1.0}}],
                    ["advance", [1.0]],
                ],
            )
        ]
    )
    assert "cannot be closed" in begun["en"] and "не замыкаются" in begun["ru"]
    assert moved[0]["t"] == 0.0  # what has not begun does not move
    assert wrong is not None and after[0]["t"] == 0.0


BALL = (
    '<system name="ball" class="planar open chain"><body name="a" joint="prismatic" axis="-y" mass="1"/><links>'
    '<structure name="flies"/><transition from="flies" to="flies" when="q(a) falls through 0">'
    '<set of="a" rate="-0.8*v(a)"/></transition></links><start a="1 m"/></system>'
)
UNDECIDED = (
    '<system name="indecision"><body name="a" joint="prismatic" axis="x" mass="1"/>'
    '<links><lock name="l" of="a" holds="no"/><structure name="one"/><structure name="two" holds="l"/>'
    '<transition from="one" to="two" when="x(a) &gt; -1 mm"/>'
    '<transition from="two" to="one" when="x(a) &lt; 1 mm"/></links></system>'
)
RUBBED = (
    '<system name="rubbed"><body name="a" joint="prismatic" axis="x" mass="1">'
    '<force value="-sign(v(a)) * 1 N, 0"/></body><start a.rate="1 m/s"/></system>'
)
TANGENT = (
    '<system name="tangent" class="planar open chain"><body name="a" joint="prismatic" axis="-y" mass="1"/><links>'
    '<structure name="up"/><structure name="over"/><transition from="up" to="over" when="q(a) rises through {level}"/>'
    '</links><start a.rate="3 m/s"/></system>'
)


def test_events_without_end_stop_with_words(drive: Drive) -> None:
    ball, undecided = sistel.parse(BALL), sistel.parse(UNDECIDED)
    dead, counted = sistel.parse(BALL.replace("-0.8*v(a)", "0*v(a)")), sistel.parse(BALL.replace("-0.8*v(a)", "v(a)"))
    ((_, rows, events, stopped), (_, _, _, chased), (_, lies, _, rests), (_, through, passed, _)) = drive(
        [
            job(ball, [["start", {}], ["advance", [0.5, 5.0]], ["events"], ["stopped"]]),
            job(undecided, [["start", {}], ["advance", [1.0]], ["events"], ["stopped"]]),
            job(dead, [["start", {}], ["advance", [1.0]], ["events"], ["stopped"]]),
            job(counted, [["start", {}], ["advance", [1.0]], ["events"], ["stopped"]]),
        ]
    )
    # What does not come off its floor must not go through it; what is let through passes it once.
    assert "without end" in rests["en"] and lies[0]["t"] == pytest.approx(math.sqrt(2 / 9.81), abs=1e-12)
    assert lies[0]["q"] == pytest.approx([0.0], abs=1e-12)
    assert len(passed) == 1 and through[0]["t"] == 1.0 and through[0]["q"][0] < -1.0
    with pytest.raises(RunError) as caught:
        ball.simulate(5.0)
    run = caught.value.run
    # The hops end at √(2h/g) (1 + e)/(1 − e); a page stops where they take less than 1e-7 of the time.
    end = math.sqrt(2 / 9.81) * 1.8 / 0.2
    assert end - 1e-5 < rows[-1]["t"] < end
    assert [event["time"] for event in events] == pytest.approx([e.time for e in run.events[: len(events)]], abs=1e-12)
    assert len(events) > 50
    assert "without end at 4.06" in stopped["en"] and "без конца" in stopped["ru"]
    assert "without end at 0 s" in chased["en"]


def test_a_border_that_holds_the_motion_stops_with_words(drive: Drive) -> None:
    ((_, rows, stopped),) = drive([job(sistel.parse(RUBBED), [["start", {}], ["advance", [0.5, 2.0]], ["stopped"]])])
    assert rows[0]["v"] == pytest.approx([0.5], abs=1e-12)
    assert rows[1]["t"] == pytest.approx(1.0, abs=1e-12) and rows[1]["v"] == pytest.approx([0.0], abs=1e-12)
    assert "border of a comparison" in stopped["en"] and "границе сравнения" in stopped["ru"]


@pytest.mark.parametrize(("below", "fires"), [(1e-9, True), (1e-6, True), (-1e-9, False)])
def test_a_level_that_is_hardly_reached(drive: Drive, below: float, fires: bool) -> None:
    """A throw of height v²/2g passes a level just below its top, twice within a moment, and none above."""
    level = 9.0 / (2 * 9.81) - below
    system = sistel.parse(TANGENT.format(level=f"{level!r} m"))
    ((_, _, events),) = drive([job(system, [["start", {}], ["advance", [0.6]], ["events"]])])
    assert len(events) == int(fires)
    if fires:
        # The rate there is √(2 g · below): rounding of the height is so much of the time.
        assert events[0]["time"] == pytest.approx((3.0 - math.sqrt(2 * 9.81 * below)) / 9.81, abs=1e-10)


def test_an_impact_that_needs_a_search_ends_the_motion(drive: Drive) -> None:
    """Until there the page moves; then it says what it does not do."""
    system = sistel.parse(
        '<system name="plate" class="planar changing tree"><body name="b" joint="free" mass="1" inertia="0.1">'
        '<point name="l" place="-500, 0"/><point name="r" place="500, 0"/></body><links>'
        '<contact name="L" point="l" surface="y = 0" friction="none"/>'
        '<contact name="R" point="r" surface="y = 0" friction="none"/>'
        '<structure name="falls"/><transition from="falls" to="falls" when="gap(L) falls through 0" impact="newton" '
        'restitution="0.5" strikes="L, R"/></links><start b="0, -1 m, 0"/></system>'
    )
    ((refusal, rows, stopped),) = drive([job(system, [["start", {}], ["advance", [0.2, 1.0]], ["stopped"]])])
    assert refusal is None and rows[0]["t"] == 0.2
    assert rows[1]["t"] == pytest.approx(math.sqrt(2 / 9.81), abs=1e-12)
    assert "found by a search" in stopped["en"] and "поиском" in stopped["ru"]


def test_pages_have_the_current_of_a_motor(drive: Drive) -> None:
    """A winding with an inductance and a greatest current: the current is a part of the state of a page too."""
    system = sistel.parse(
        """<system name="rotor"><gravity value="0"/><body name="r" joint="revolute" mass="1" inertia="2e-4">
        <motor name="m" voltage="24 V" current="6 A" resistance="1.2 Ohm" inductance="3 mH" constant="0.05 V*s/rad"/>
        <moment value="-0.02 N*m"/><motion value="1e6 rad*t/1 s" kp="1e3" kd="1e2"/></body></system>"""
    )
    run = system.simulate(0.5)
    times = np.linspace(0.0, 0.5, 21)[1:]
    ((refusal, rows, _, stopped),) = drive(
        [job(system, [["start", {}], ["advance", times.tolist()], ["events"], ["stopped"]])]
    )
    assert refusal is None and stopped is None
    assert error(rows, run) < 5e-9
