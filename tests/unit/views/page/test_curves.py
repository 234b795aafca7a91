"""Curves of runs in a page: true to the run between all their times, few bytes, nothing left out."""

from __future__ import annotations

import base64
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.javascript import call_module

import sistel
from sistel.simulation import Run
from sistel.views.page._curve_points import between, choose, farthest, look, scaled_curves
from sistel.views.page._curves import LEVELS, NEAR, curves_of
from sistel.views.page._packed import packed

MODELS = Path(__file__).resolve().parents[4] / "models"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node")

FORCED = """<system name="forced arm">
  <gravity value="9.81"/>
  <parameter name="w" value="2 rad/s"/>
  <body name="upper" joint="revolute" mass="2 kg" com="0, 300" inertia="0.05">
    <motion value="0.7 rad*sin(w*t)"/>
    <body name="lower" joint="revolute" place="0, 600" mass="1 kg" com="0, 200" inertia="0.02" damping="0.1">
      <motor/>
      <motion value="0.4 rad*cos(1.5*w*t)" kp="30" kd="4"/>
    </body>
  </body>
  <start lower="0.3 rad" upper.rate="1.4 rad/s"/>
</system>"""


@cache
def run_of(name: str, until: float) -> Run:
    system = sistel.parse(FORCED) if name == "forced" else sistel.load(MODELS / f"{name}.xml")
    return system.simulate(until)


@cache
def made(name: str, until: float) -> tuple[dict[str, Any], bytes]:
    return curves_of(run_of(name, until))


def ask(code: str, given: Any) -> Any:
    """What a script answers, run by node."""
    return call_module("page/curves.ts", code, given)


def drawn(name: str, until: float, times: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """What the page draws at some times, by group and name of the curve, as the browser computes it."""
    data, block = made(name, until)
    answers = ask(
        """
        const charts = plotsDecode(given.data, Uint8Array.from(Buffer.from(given.block, "base64")));
        return charts.map(({ t, y }) => y.map((values) => given.times.map((time) => plotsValue(t, values, time))));
        """,
        {"data": data, "block": base64.b64encode(block).decode(), "times": times.tolist()},
    )
    return {
        (chart["group"], curve["name"] if isinstance(curve["name"], str) else curve["name"]["en"]): np.array(
            values, dtype=float
        )
        for chart, found in zip(data["charts"], answers, strict=True)
        for curve, values in zip(chart["curves"], found, strict=True)
    }


def compare(found: np.ndarray, expected: np.ndarray, span: float) -> None:
    """Nothing is farther than 0.3 % of the range; half of that is the drawing, the rest between the times looked at."""
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= 0.003 * span


def times_of(run: Run, count: int = 3000) -> np.ndarray:
    return np.sort(np.random.default_rng(5).uniform(run.begin, run.end, count))


@needs_node
@pytest.mark.parametrize(("name", "until"), [("compass_walker", 4.0), ("double_pendulum", 6.0), ("forced", 4.0)])
def test_what_is_drawn_is_the_run(name: str, until: float) -> None:
    run = run_of(name, until)
    times = times_of(run)
    q, v = run(times)
    found = drawn(name, until, times)
    model = run.model
    for i, key in enumerate(model.coordinate_names):
        compare(found["coordinates", key], q[:, i], np.ptp(q[:, i]))
    for i, key in enumerate(model.rate_names):
        compare(found["velocities", key], v[:, i], np.ptp(v[:, i]))
    kinetic, potential = run.energies(times)
    compare(found["energy", "kinetic"], kinetic, np.ptp(kinetic))
    # It counts from its lowest value, which may lie between the steps as well as between these times.
    lowest = min(run.energies()[1].min(), potential.min())
    compare(found["energy", "potential"], potential - lowest, np.ptp(potential))


@needs_node
def test_places_and_loads_are_those_of_the_run() -> None:
    run = run_of("compass_walker", 4.0)
    times = times_of(run)
    found = drawn("compass_walker", 4.0, times)
    system = sistel.load(MODELS / "compass_walker.xml")
    q = run(times)[0]
    for point in ("left foot", "right foot"):
        poses = system.pose(q, point)
        for k, axis in enumerate("xy"):
            compare(found["places", f"{point} {axis}"], poses[:, k, 3], np.ptp(poses[:, k, 3]))
    loads = run.reactions(times)
    assert set(loads) == {"hip", "left_leg", "right_leg", "L", "R"}
    for name, load in loads.items():
        size = np.linalg.norm(load[:, 3:], axis=1)
        if size.max() > 1e-6:
            compare(found["reactions", name], size, np.ptp(size))
    for name in ("L", "R"):
        press = run.quantity(f"normal({name})", times)
        compare(found["normals", name], press, np.ptp(press))
    # Hinges without friction and motors carry no moment, and have no curve.
    assert not any(group in ("moments", "torques", "powers") for group, _ in found)


@needs_node
def test_accelerations_and_driving_forces_obey_the_equations() -> None:
    run = run_of("forced", 4.0)
    system = sistel.parse(FORCED)
    times = times_of(run)
    q, v = run(times)
    found = drawn("forced", 4.0, times)
    # The upper arm is told where to be, so its acceleration is known; that of the lower follows from its force.
    upper = -0.7 * 4.0 * np.sin(2.0 * times)
    compare(found["accelerations", "upper"], upper, np.ptp(upper))
    follow = 30.0 * (0.4 * np.cos(3.0 * times) - q[:, 1]) + 4.0 * (-1.2 * np.sin(3.0 * times) - v[:, 1])
    compare(found["torques", "lower"], follow, np.ptp(follow))
    a = np.stack([found["accelerations", "upper"], found["accelerations", "lower"]], axis=1)
    force = system.inverse_dynamics(q, v, a) - system.applied_forces(q, v)
    # Errors of both accelerations go through the mass matrix.
    assert np.abs(force[:, 0] - found["torques", "upper"]).max() < 0.01 * np.ptp(force[:, 0])
    assert np.abs(force[:, 1] - follow).max() < 0.01 * np.ptp(force[:, 1])
    power = follow * v[:, 1]
    compare(found["powers", "lower"], power, np.ptp(power))


def test_an_arm_has_twenty_joint_curves_and_three_of_its_tool() -> None:
    data, _ = made("arm5", 1.0)
    names = {}
    for chart in data["charts"]:
        names.setdefault(chart["group"], []).extend(curve["name"] for curve in chart["curves"])
    joints = ["колонна", "плечо", "предплечье", "запястье", "кисть"]
    for group in ("torques", "coordinates", "velocities", "accelerations"):
        assert sorted(names[group]) == sorted(joints)
    assert names["places"] == ["инструмент x", "инструмент y", "инструмент z"]
    kinds = {chart["group"]: (chart["kind"], chart["per"]) for chart in data["charts"]}
    assert kinds["torques"] == ("moment", 0) and kinds["coordinates"] == ("angle", 0)
    assert kinds["velocities"] == ("angle", 1) and kinds["accelerations"] == ("angle", 2)


def test_both_sides_of_an_event_are_kept() -> None:
    run = run_of("compass_walker", 4.0)
    data, block = made("compass_walker", 4.0)
    events = [event.time for event in run.events]
    assert len(events) > 3
    first = 0
    times = np.frombuffer(block, dtype=np.uint8)
    count = sum(chart["count"] for chart in data["charts"])
    whole = times[: 4 * count].reshape(4, count).T.copy().view("<u4").ravel()
    for chart in data["charts"]:
        own = run.begin + np.cumsum(whole[first : first + chart["count"]].astype(np.uint64)) / (2**32 - 1) * (
            run.end - run.begin
        )
        first += chart["count"]
        assert own[0] == run.begin and own[-1] == pytest.approx(run.end, abs=1e-8)
        if chart["group"] in ("velocities", "normals"):
            for event in events:
                # To a part of 2³² of the run.
                assert np.count_nonzero(np.abs(own - event) < 1e-8) == 2


@pytest.mark.parametrize(
    ("name", "until"), [("arm5", 1.0), ("compass_walker", 4.0), ("hopper", 3.0), ("slider_crank", 3.0)]
)
def test_curves_take_little_room(name: str, until: float) -> None:
    data, block = made(name, until)
    assert len(packed("curves", block)) < 60_000
    json.dumps(data, allow_nan=False)
    numbers = sum(chart["count"] * len(chart["curves"]) for chart in data["charts"])
    assert len(block) == 2 * numbers + 4 * sum(chart["count"] for chart in data["charts"])
    assert all(chart["error"] <= NEAR * 1.01 for chart in data["charts"])
    assert all(len(chart["curves"]) <= 8 for chart in data["charts"])


def test_a_crowded_run_keeps_its_bounds() -> None:
    run = run_of("woodpecker", 6.0)
    assert len(run.events) > 200
    points = look(run)
    assert len(points.t) < 12_000 and (np.diff(points.t) >= 0.0).all()
    data, block = made("woodpecker", 6.0)
    assert len(packed("curves", block)) < 60_000
    # Where not every swing can be told, every curve that varies is still drawn from its beginning to its end.
    assert all(chart["count"] > 100 and chart["error"] < 1.0 for chart in data["charts"] if chart["error"] > 0.003)


def test_expressions_come_first() -> None:
    run = run_of("compass_walker", 4.0)
    data, _ = curves_of(run, quantities=["x(left foot) - x(right foot)", "gap(R)"])
    assert [chart["title"] for chart in data["charts"][:2]] == ["x(left foot) - x(right foot)", "gap(R)"]
    value = run.quantity("gap(R)", times_of(run))
    (curve,) = data["charts"][1]["curves"]
    assert curve["low"] <= value.min() + 1e-6 and curve["high"] >= value.max() - 1e-3 * np.ptp(value)
    with pytest.raises(sistel.SistelError):
        curves_of(run, quantities=["x(nobody)"])


def test_a_run_without_steps_has_curves() -> None:
    run = run_of("double_pendulum", 6.0)
    still = Run(run.model, [], [], run.last, None)
    data, block = curves_of(still)
    assert all(chart["count"] == 1 for chart in data["charts"])
    assert len(block) == sum(4 + 2 * len(chart["curves"]) for chart in data["charts"])


# --- points ----------------------------------------------------------------------------------------------------------


def test_cubics_pass_parabolas_and_points() -> None:
    t = np.array([0.0, 0.3, 1.0, 1.4, 1.4, 2.0, 3.5])
    y = np.stack([np.where(np.arange(7) < 4, 2 * t**2 - t + 1, 5 - t**2), t], axis=1)
    times = np.linspace(0.0, 3.5, 200)[1:]
    place = np.minimum(np.searchsorted(t, times, side="right") - 1, len(t) - 2)
    found = between(t, y, place, times)
    # A parabola through points of either side of the jump is met everywhere.
    expected = np.where(times < 1.4, 2 * times**2 - times + 1, 5 - times**2)
    assert np.abs(found[:, 0] - expected).max() < 1e-13
    assert np.abs(found[:, 1] - times).max() < 1e-14
    two = between(np.array([0.0, 2.0]), np.array([[1.0], [5.0]]), np.zeros(3, dtype=np.intp), np.array([0.0, 0.5, 2.0]))
    assert two.ravel().tolist() == [1.0, 2.0, 5.0]


@settings(max_examples=40)
@given(st.integers(3, 400), st.integers(0, 3), st.integers(0, 10_000), st.integers(3, 60))
def test_points_that_are_chosen_are_enough(count: int, jumps: int, seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0.0, 3.0, count))
    for place in rng.integers(0, count - 1, jumps):
        t[place + 1] = t[place]
    t = np.maximum.accumulate(t)
    y = np.stack([np.sin(5 * t + seed), rng.normal(size=count).cumsum()], axis=1)
    scaled = scaled_curves(y, np.ptp(y, axis=0))
    kept = choose(t, scaled, 0.01, most)
    assert kept[0] == 0 and kept[-1] == count - 1 and (np.diff(kept) > 0).all()
    assert len(kept) <= max(most, 4)
    assert farthest(t, scaled, kept) <= 0.01 or len(kept) >= most - 1


def test_dust_is_no_curve() -> None:
    # A biped in free fall: nothing turns, nothing is carried, everything falls.
    data, _ = made("planar_biped", 1.0)
    assert all(chart["count"] <= 4 and chart["error"] < 1e-3 for chart in data["charts"])
    assert not any(chart["group"] in ("reactions", "moments") for chart in data["charts"])
    turning = [
        curve
        for chart in data["charts"]
        if chart["group"] == "velocities" and chart["kind"] == "angle"
        for curve in chart["curves"]
    ]
    assert turning and all(curve["low"] == curve["high"] == 0.0 for curve in turning)


def test_what_has_no_value_is_a_gap() -> None:
    from sistel.views.page._curves import _codes

    y = np.array([[0.0], [1.0], [np.nan], [0.5]])
    codes = np.cumsum(_codes(y, np.array([0.0]), np.array([1.0])).astype(int)) & 0xFFFF
    assert codes.tolist() == [0, LEVELS, 65535, round(LEVELS / 2)]


# --- the page's own part ---------------------------------------------------------------------------------------------


@needs_node
def test_values_are_found_between_points() -> None:
    answers = ask(
        """
        const t = [0, 1, 1, 2, 3];
        const y = [0, 10, 20, null, 4];
        return [-0.1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.1].map((time) => plotsValue(t, y, time));
        """,
        None,
    )
    # At a jump the value after it; none beside a gap, before the beginning and after the end.
    assert answers == [None, 0, 5, 20, None, None, None, 4, None]


@needs_node
def test_units_follow_the_kind() -> None:
    answers = ask(
        """
        const unit = (kind, per, milli, degrees) => { const { factor, word } = plotsUnit({ kind, per, milli }, degrees); return [factor, word.en, word.ru]; };
        return [unit("angle", 0, false, true), unit("angle", 2, false, false), unit("length", 1, true, true), unit("number", 0, false, true),
                unit("moment", 0, false, true), unit("number", 1, false, true)];
        """,
        None,
    )
    assert answers == [
        [180 / np.pi, "°", "°"],
        [1, "rad/s²", "рад/с²"],
        [1000, "mm/s", "мм/с"],
        [1, "", ""],
        [1, "N·m", "Н·м"],
        [1, "1/s", "1/с"],
    ]


@needs_node
def test_axes_show_round_numbers_and_no_dust() -> None:
    answers = ask(
        """
        return [plotsTicks([-0.1, 0, 0.1]), plotsTicks([0, 200000, 400000]), plotsTicks([0, 0.00002]), plotsTicks([-20, -10, 0]),
                plotsRange(1, 1 + 1e-12), plotsRange(0, 0), plotsRange(-1, 1), plotsRange(NaN, NaN)];
        """,
        None,
    )
    assert answers[:4] == [["−0.1", "0", "0.1"], ["0", "2·10⁵", "4·10⁵"], ["0", "2·10⁻⁵"], ["−20", "−10", "0"]]
    assert answers[4][0] == pytest.approx(0.99) and answers[4][1] == pytest.approx(1.01)
    assert answers[5] == [-1, 1] and answers[7] == [0, 1]
    assert answers[6][0] < -1.1 and answers[6][1] > 1.1


@needs_node
def test_a_motion_that_grows_takes_bounded_room() -> None:
    answers = ask(
        """
        const growth = new PlotsGrowth(1, 100);
        for (let i = 0; i < 5000; i++) { growth.add(i, [Math.sin(i / 300)]); if (i % 1000 === 500) growth.add(i, [9]); }
        growth.add(3, [7]);
        const rising = growth.t.every((t, i) => i === 0 || t >= growth.t[i - 1]);
        const first = growth.t[0];
        return [growth.t.length, growth.y[0].length, rising, first, growth.t.at(-1), growth.y[0].at(-1)];
        """,
        None,
    )
    assert answers[0] == answers[1] <= 100 and answers[2] is True
    assert answers[3] == 0 and answers[4] == 4999 and answers[5] == pytest.approx(np.sin(4999 / 300))


@needs_node
def test_live_charts_are_parted_as_those_of_the_run() -> None:
    recorded = {
        "charts": [
            {"group": "coordinates", "milli": True, "curves": [{"of": 1}]},
            {"group": "places", "curves": [{"of": 0}]},
        ]
    }
    curves = [{"group": "coordinates", "kind": "length"}] * 2 + [{"group": "velocities", "kind": "length"}] * 9
    answers = ask(
        "return plotsParts(given.recorded, given.curves, { coordinates: 0, velocities: 2 }).map(({ part, milli }) => [part, milli]);",
        {"recorded": recorded, "curves": curves},
    )
    assert answers == [[[1], True], [[0], False], [[2, 3, 4, 5, 6, 7], False], [[8, 9, 10], False]]
