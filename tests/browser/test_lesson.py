"""The lesson of an arm in a real browser: what it computes is what the library computes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.arms import Payload
from sistel.arms.travels._payload import with_payload
from sistel.engine import Engine
from sistel.motion import trajectories
from sistel.solve import Options, Solver, anfis, moving_joints, read_task
from sistel.system import System
from sistel.views.lesson import Opening, lesson_page
from sistel.views.lesson._nets import nets_data

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

ARMS = {
    "arm5": "инструмент",
    "puma560": "tool",
    "scara": "инструмент",
    "stanford": "tool",
    "panda_like": "tool",
    "ur5_like": "tool",
}


@cache
def system(models: Path, name: str) -> System:
    return sistel.load(models / f"{name}.xml")


@cache
def page_of(models: Path, name: str) -> str:
    return lesson_page(system(models, name).model, ARMS[name], lang="en")


@contextmanager
def lesson(chromium: Chromium, page: str, **options: Any) -> Iterator[Tab]:
    with chromium.tab(**{"size": (1280, 900), **options}) as tab:
        tab.page.emulate_media(reduced_motion="reduce")  # nothing moves by itself
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        yield tab


def limits_of(arm: System) -> tuple[Array, Array]:
    low = np.array([body.joint.minimum[0] for body in arm.model.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.model.bodies])
    return low, high


def postures(arm: System, rng: np.random.Generator, count: int) -> Array:
    return rng.uniform(*limits_of(arm), size=(count, arm.nq))


def flat(poses: Array) -> Array:
    """Targets as the page takes them: nine numbers of the axes by rows, then the place."""
    return np.concatenate([poses[..., :3, :3].reshape(*poses.shape[:-2], 9), poses[..., :3, 3]], axis=-1)


SOLVE = """([method, task, targets, seed, options]) => targets.map((target) => {
  const { q, success, iterations, attempt, turn, slide, left } = sistel.solve(method, task, target, seed, options);
  return { q: Array.from(q), success, iterations, attempt, turn, slide, left };
})"""


@pytest.mark.parametrize("name", ARMS)
def test_arms_compute_as_the_library_does(
    chromium: Chromium, models_dir: Path, rng: np.random.Generator, name: str
) -> None:
    arm, frame = system(models_dir, name), ARMS[name]
    q = postures(arm, rng, 60)
    v, a = rng.normal(size=(2, 60, arm.nq))
    with lesson(chromium, page_of(models_dir, name)) as tab:
        found = tab.run(
            """([q, v, a]) => q.map((row, i) => {
              const [x, y, z] = [row, v[i], a[i]].map((each) => Float64Array.from(each));
              const { arm } = sistel.lesson;
              const look = arm.look(x);
              const plain = Array.from(arm.forces(x, y, z));
              return [look.pose, look.columns, plain, arm.forces(x, y, z, 2.5), arm.poses(x)].map((each) => Array.from(each));
            })""",
            [q.tolist(), v.tolist(), a.tolist()],
        )
        pose, columns, tau, loaded, poses = (np.array([row[i] for row in found]) for i in range(5))
        expected = flat(arm.pose(q, frame))
        assert np.abs(pose - expected).max() < 1e-12 * np.abs(expected).max()
        J = np.swapaxes(columns.reshape(60, -1, 6), 1, 2)
        assert np.abs(J - arm.jacobian(q, frame)).max() < 1e-12 * np.abs(J).max()
        bodies = np.stack([arm.pose(q, body.name)[:, :3] for body in arm.model.bodies], axis=1)
        assert np.abs(poses.reshape(60, -1, 3, 4)[:, 1:] - bodies).max() < 1e-12
        forces = arm.inverse_dynamics(q, v, a)
        assert np.abs(tau - forces).max() < 1e-12 * np.abs(forces).max()
        # Another way: the load as a part of the body that carries it.
        heavier = Engine.of(with_payload(arm.model, frame, Payload(mass=2.5)))
        forces = heavier.call("inverse_dynamics")(q, v, a)
        assert np.abs(loaded - forces).max() < 1e-12 * np.abs(forces).max()
        _check_searches(tab, arm, frame, postures(arm, rng, 40))


def test_attempts_begin_where_those_of_the_library_do(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "stanford")
    place = arm.model.place_of("tool")
    joints = moving_joints(arm.model, place[0])
    solver = Solver(Engine.of(arm.model), place, joints, read_task("pose", "lm"), True)
    options = Options(
        method="lm", limits=True, turn=1e-8, slide=1e-8, restarts=100, iterations=40, damping=(0.1, 4.0, 0.7), seed=1,
        several=False,
    )  # fmt: skip
    with lesson(chromium, page_of(models_dir, "stanford")) as tab:
        target = flat(arm.pose(np.array(arm.model.start.q, dtype=float), "tool"))
        tab.run(
            "target => sistel.lesson.arm.nearestStart(1, target, { free: -1, turn: 0.5, slide: 0.5 })", target.tolist()
        )
        assert (np.array(tab.run("() => sistel.lesson.arm.starts")) == solver.starts(options)).all()
        drawn = np.array(tab.run("() => sistel.lesson.arm.choices.map((each) => [...each.start, ...each.pose])"))
        expected = solver.choices(options)
        assert (drawn[:, :6] == expected[:, :6]).all() and np.abs(drawn - expected).max() < 1e-12


def _check_searches(tab: Tab, arm: System, frame: str, q: Array) -> None:
    start = np.array(arm.model.start.q, dtype=float)
    targets = arm.pose(q, frame)
    found = tab.run(SOLVE, ["lm", "pose", flat(targets).tolist(), start.tolist(), {}])
    ours = arm.inverse_kinematics(targets, frame, q=start)
    reached = arm.pose(np.array([each["q"] for each in found]), frame)
    assert all(each["success"] for each in found)
    assert np.abs(reached - targets).max() < 1e-7  # of coordinates within 1e-8 rad and 1e-8 m of their target
    assert max(each["turn"] for each in found) <= 1e-8 and max(each["slide"] for each in found) <= 1e-8
    low, high = limits_of(arm)
    for each in found:
        assert (np.array(each["q"]) >= low - 1e-15).all() and (np.array(each["q"]) <= high + 1e-15).all()
    # Machine code may fuse products and sums, which pages cannot: after long ways that may decide otherwise.
    same = [i for i, each in enumerate(found) if each["attempt"] == ours.attempt[i]]
    assert len(same) >= 0.9 * len(found)
    quick = [i for i in same if ours.attempt[i] == 0 and ours.iterations[i] <= 12]
    for i in quick:
        assert abs(found[i]["iterations"] - ours.iterations[i]) <= 1
        assert np.abs(np.array(found[i]["q"]) - ours.q[i]).max() < 1e-6
    # One joint at a time.
    few = targets[:12]
    found = tab.run(SOLVE, ["ccd", "pose", flat(few).tolist(), start.tolist(), {}])
    ours = arm.inverse_kinematics(few, frame, "ccd", q=start)
    for i, each in enumerate(found):
        assert each["success"] == ours.success[i]
        if each["success"]:
            assert each["turn"] <= 1e-2 and each["slide"] <= 1e-3
        if ours.attempt[i] == 0 and ours.iterations[i] < 50:
            assert each["attempt"] == 0 and abs(each["iterations"] - ours.iterations[i]) <= 1
    for task in ("position", "pointing"):
        found = tab.run(SOLVE, ["lm", task, flat(few).tolist(), start.tolist(), {}])
        assert all(each["success"] for each in found)
        reached = arm.pose(np.array([each["q"] for each in found]), frame)
        assert np.abs(reached[:, :3, 3] - few[:, :3, 3]).max() < 2e-8
        if task == "pointing":
            assert np.abs(reached[:, :3, 2] - few[:, :3, 2]).max() < 2e-8


def test_what_is_left_is_what_the_library_leaves(
    chromium: Chromium, models_dir: Path, rng: np.random.Generator
) -> None:
    arm = system(models_dir, "arm5")
    targets = np.repeat(np.eye(4)[None], 8, axis=0)
    targets[:, :3, :3] = np.linalg.qr(rng.normal(size=(8, 3, 3)))[0]
    targets[:, :3, 0] *= np.sign(np.linalg.det(targets[:, :3, :3]))[:, None]
    targets[:, :3, 3] = rng.uniform(-0.4, 0.4, size=(8, 3))
    start = np.array(arm.model.start.q, dtype=float)
    with lesson(chromium, page_of(models_dir, "arm5")) as tab:
        found = tab.run(SOLVE, ["lm", "pose", flat(targets).tolist(), start.tolist(), {}])
        ours = arm.inverse_kinematics(targets, "инструмент", q=start)
        assert not ours.success.any() and not any(each["success"] for each in found)
        left = np.array([each["left"] for each in found])
        # The best of a hundred attempts, each cut where it slowed down: most are the same.
        near = np.abs(left - ours.residual).max(axis=1) < 1e-6
        assert near.mean() >= 0.7
        cost = (left**2).sum(axis=1) / (ours.residual**2).sum(axis=1)
        assert (cost < 1.05).all()


KINDS = ("cubic", "quintic", "septic", "trapezoid", "scurve")


@pytest.mark.parametrize("name", ["arm5", "scara"])
def test_trajectories_are_those_of_the_library(
    chromium: Chromium, models_dir: Path, rng: np.random.Generator, name: str
) -> None:
    arm, frame = system(models_dir, name), ARMS[name]
    start, end = postures(arm, rng, 2)
    turns = np.array([body.joint.type.key == "revolute" for body in arm.model.bodies])
    speeds = np.where(turns, math.radians(60.0), 0.25)
    with lesson(chromium, page_of(models_dir, name)) as tab:
        tab.run(
            """async ([from, to]) => { await sistel.choose("trajectory"); sistel.lesson.putEnd("from", from); sistel.lesson.putEnd("to", to); }""",
            [start.tolist(), end.tolist()],
        )
        for kind in KINDS:
            tab.page.select_option("[data-id=kind]", kind)
            tab.page.fill("[data-id=payload]", "0")
            smooth = kind in ("cubic", "quintic", "septic")
            duration = 3.25 if smooth else 17.0
            tab.page.fill("[data-id=duration]", str(duration))
            tab.page.click("[data-id=trajectory-calculate]")
            rows = tab.run(
                """() => sistel.lesson.motion.rows.map(({ t, even, q, v, a, tau, place }) =>
                  ({ t, even, rest: [q, v, a, tau, place].map((each) => Array.from(each)) }))"""
            )
            if smooth:
                move = trajectories.polynomial_move(start, end, duration, kind=kind)  # type: ignore[arg-type]
            else:
                limits = trajectories.Limits(speeds, 2.0 * speeds, 10.0 * speeds if kind == "scurve" else None)
                move = trajectories.fastest_move(start, end, limits, duration=duration)
            assert sum(row["even"] for row in rows) == 301
            # Where accelerations jump both sides are there.
            assert (len(rows) > 301) == (kind == "trapezoid")
            t = np.array([row["t"] for row in rows])
            # At a jump of the acceleration both sides are shown; the library gives the later one.
            inner = np.array([row["even"] for row in rows]) & ~np.isin(t, move.knots[1:-1])
            inner[0] = inner[-1] = True
            found = [np.array([row["rest"][i] for row in rows])[inner] for i in range(5)]
            expected = move(t[inner])
            for values, wanted in zip(found[:3], expected, strict=True):
                assert np.abs(values - wanted).max() <= 1e-12 * np.abs(wanted).max()
            assert (found[0][0] == start).all() and (found[0][-1] == end).all()
            forces = arm.inverse_dynamics(*expected)
            assert np.abs(found[3] - forces).max() < 1e-12 * np.abs(forces).max()
            assert np.abs(found[4] - arm.pose(expected[0], frame)[:, :3, 3]).max() < 1e-12
        # Limits that allow no such time.
        tab.page.fill("[data-id=duration]", "0.05")
        tab.page.click("[data-id=trajectory-calculate]")
        assert "allow no move shorter than" in tab.page.inner_text("[data-id=panel-trajectory] [role=status]")
        tab.page.fill("[data-id=duration]", "")
        tab.page.click("[data-id=trajectory-calculate]")
        shortest = trajectories.fastest_move(start, end, limits).duration
        assert tab.run("() => sistel.lesson.motion.end") == pytest.approx(shortest, rel=1e-12)


def test_a_given_trajectory_is_shown_as_it_is(chromium: Chromium, models_dir: Path, rng: np.random.Generator) -> None:
    arm = system(models_dir, "puma560")
    places = postures(arm, rng, 4)
    move = trajectories.spline(places, [0.0, 0.5, 1.5, 2.0])
    page = lesson_page(arm.model, "tool", Opening(mode="trajectory", trajectory=move), lang="en")
    with lesson(chromium, page) as tab:
        t = np.linspace(0.0, 2.0, 41)
        found = tab.run("t => t.map((each) => Array.from(sistel.motion.at(each).q))", t.tolist())
        assert np.abs(np.array(found) - move(t)[0]).max() < 1e-12 * np.abs(places).max()
        assert tab.run("() => sistel.panel") == "trajectory"


@cache
def taught(models: Path) -> tuple[anfis.IkNets, anfis.DynamicsNets]:
    """Small networks: whether they are good does not matter here."""
    arm = system(models, "arm5")
    ranges = {"low": np.radians([-60, 30, -90, 30, -60]), "high": np.radians([60, 120, 0, 120, 60])}
    return (
        anfis.train_ik(arm, "инструмент", 300, rules=5, epochs=2, **ranges),
        anfis.train_dynamics(arm, 300, rules=4, inputs=12, epochs=2, **ranges),
    )


def test_networks_answer_as_in_the_library(chromium: Chromium, models_dir: Path, rng: np.random.Generator) -> None:
    arm = system(models_dir, "arm5")
    nets, dynamics = taught(models_dir)
    q = rng.uniform(nets.low, nets.high, size=(30, 5))
    targets = arm.pose(q, "инструмент")
    page = lesson_page(arm.model, opening=Opening(mode="inverse", method="anfis"), networks=[nets, dynamics], lang="en")
    with lesson(chromium, page) as tab:
        for orientation in ("angles", "axes", "none"):
            if orientation != "angles":
                few = {"rules": 4, "epochs": 1, "low": nets.low, "high": nets.high}
                nets = anfis.train_ik(arm, "инструмент", 200, orientation=orientation, **few)  # type: ignore[arg-type]
                tab.run("nets => { sistel.lesson.networks.ik = nets; }", nets_data(arm.model, [nets], None)[0]["ik"])
            found = tab.run(SOLVE, ["anfis", "pose", flat(targets).tolist(), q[0].tolist(), {}])
            expected = np.clip(anfis.as_seed(nets, targets), *limits_of(arm))
            assert np.abs(np.array([each["q"] for each in found]) - expected).max() < 1e-12
            miss = np.linalg.norm((arm.pose(expected, "инструмент") - targets)[:, :3, 3], axis=1)
            assert np.abs([each["slide"] for each in found] - miss).max() < 1e-12
        # Torques of a trajectory, and that both are plotted.
        tab.run(
            "async ([to]) => { await sistel.choose('trajectory'); sistel.lesson.putEnd('to', to); sistel.lesson.travel(); }",
            [q[1].tolist()],
        )
        rows = tab.run(
            "() => sistel.lesson.motion.rows.map(({ q, v, a, nets }) => [q, v, a, nets].map((each) => Array.from(each)))"
        )
        states = np.array(rows)
        forces = dynamics.predict(*(np.ascontiguousarray(states[:, i]) for i in range(3)))
        assert np.abs(states[:, 3] - forces).max() < 1e-12 * np.abs(forces).max()
        groups = tab.run("() => [...document.querySelectorAll('.plots-chart')].map((each) => each.dataset.group)")
        assert groups == ["torques", "torquesNets", "coordinates", "velocities", "accelerations", "toolPlace"]


def test_every_mode_has_its_own_fields_and_keys(chromium: Chromium, models_dir: Path) -> None:
    with lesson(chromium, page_of(models_dir, "scara")) as tab:
        seen = """() => [...document.querySelectorAll('input, select, button')].filter((each) => each.offsetParent && each.closest('.panels')).map((each) => each.dataset.id || each.className || each.name)"""
        fields = {}
        for key, mode in (("1", "forward"), ("2", "inverse"), ("3", "trajectory")):
            tab.page.keyboard.press(key)
            tab.wait(f"sistel.panel === '{mode}'")
            fields[mode] = set(tab.run(seen))
            visible = [
                tab.page.locator(f"[data-id=panel-{each}]").is_visible()
                for each in ("forward", "inverse", "trajectory")
            ]
            assert visible == [mode == each for each in ("forward", "inverse", "trajectory")]
            assert tab.run("() => document.activeElement.dataset.id") == f"tab-{mode}"
        assert {"joint-0", "joint-3", "forward-calculate"} <= fields["forward"]
        assert {"target-x", "target-yaw", "task", "method-lm", "inverse-calculate"} <= fields["inverse"]
        assert {"from-0", "to-3", "kind", "duration", "payload", "trajectory-calculate"} <= fields["trajectory"]
        plain = {"plain"}
        for one, other in (("forward", "inverse"), ("inverse", "trajectory"), ("forward", "trajectory")):
            assert fields[one] & fields[other] <= plain
        # Limits of speeds only where they are followed: of turns and of slides.
        assert not any(name.startswith("limit") for name in fields["trajectory"])
        tab.page.select_option("[data-id=kind]", "scurve")
        assert {
            f"limit-{kind}-{key}" for kind in ("angle", "length") for key in ("velocity", "acceleration", "jerk")
        } <= set(tab.run(seen))
        # Every field has a name for those who do not see it.
        nameless = tab.run(
            "() => [...document.querySelectorAll('input, select, button')].filter((each) => each.offsetParent && !(each.ariaLabel || each.labels?.length || each.textContent.trim() || each.title)).map((each) => each.outerHTML)"
        )
        assert nameless == []


def test_sliders_and_fields_move_the_arm_and_the_pose_follows(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "arm5")
    with lesson(chromium, page_of(models_dir, "arm5")) as tab:
        field = tab.page.locator(".joint input[type=number]")
        for i, degrees in enumerate((20, 60, -35, 50, 15)):
            field.nth(i).fill(str(degrees))
            field.nth(i).press("Enter")
        tab.page.click("[data-id=forward-calculate]")
        wanted = arm.pose(np.radians([20, 60, -35, 50, 15]), "инструмент")

        def read(key: str) -> float:
            text = tab.page.inner_text(f"[data-id=panel-forward] [data-value={key}]")
            return float(text.replace("−", "-"))

        assert [read(key) for key in "xyz"] == pytest.approx((1e3 * wanted[:3, 3]).tolist(), abs=6e-5)
        yaw, pitch = math.atan2(wanted[1, 0], wanted[0, 0]), math.asin(-wanted[2, 0])
        assert read("yaw") == pytest.approx(math.degrees(yaw), abs=6e-5)
        assert read("pitch") == pytest.approx(math.degrees(pitch), abs=6e-5)
        matrix = tab.run(
            "() => [...document.querySelectorAll('[data-matrix=pose] tr')].map((row) => [...row.cells].map((cell) => Number(cell.textContent.replace('−', '-'))))"
        )
        assert np.abs(np.array(matrix) - wanted).max() < 6e-8
        J = arm.jacobian(np.radians([20, 60, -35, 50, 15]), "инструмент")
        assert read("manipulability") == pytest.approx(float(np.prod(np.linalg.svd(J)[1])), rel=1e-5)
        places = float(np.sqrt(np.linalg.det(J[3:] @ J[3:].T)))
        assert read("manipulabilityofPlace") == pytest.approx(places, rel=1e-5)
        # The slider of the first joint turns the place about the vertical.
        slider = tab.page.locator("[data-id=joint-0]")
        slider.focus()
        slider.press("ArrowRight")
        assert tab.run("() => sistel.now.q[0]") > math.radians(20)
        table = tab.run(
            "() => [...document.querySelectorAll('[data-id=dh] tbody tr')].map((row) => [...row.cells].map((cell) => cell.querySelector('input')?.value ?? cell.textContent))"
        )
        assert len(table) == 5 and [row[3] for row in table] == ["0", "246", "163", "0", "0"]


def test_what_cannot_be_reached_is_said(chromium: Chromium, models_dir: Path) -> None:
    with lesson(chromium, page_of(models_dir, "puma560")) as tab:
        tab.run("() => sistel.choose('inverse')")
        before = tab.run("() => Array.from(sistel.now.q)")
        tab.page.click("[data-id=from-forward]")
        tab.page.click("[data-id=inverse-calculate]")
        assert tab.page.inner_text("[data-id=panel-inverse] .lesson-verdict") == "Reached"
        assert tab.run("() => Array.from(sistel.now.q)") == pytest.approx(before, abs=1e-7)
        tab.page.fill("[data-id=target-x]", "2500")
        assert not tab.page.is_visible("[data-id=methods]")  # of another target
        for method in ("lm", "ccd"):
            tab.page.locator(f"label:has([data-id=method-{method}])").click()
            tab.page.click("[data-id=inverse-calculate]")
            assert "Not reached" in tab.page.inner_text("[data-id=panel-inverse] .lesson-verdict")
            assert "remains" in tab.page.inner_text("[data-id=panel-inverse] [role=status]")
        rows = tab.run(
            "() => [...document.querySelectorAll('[data-id=methods] tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        assert [row[0] for row in rows] == ["LM", "CCD"]
        assert all(float(row[3]) > 1000 for row in rows)
        # Without networks there is no button that asks them.
        assert tab.page.locator("[data-id=method-anfis]").count() == 0
        tab.page.fill("[data-id=target-x]", "")
        tab.page.locator("label:has([data-id=method-lm])").click()
        tab.page.click("[data-id=inverse-calculate]")
        assert "every number" in tab.page.inner_text("[data-id=panel-inverse] [role=status]")


def test_a_motion_is_played_and_its_curves_share_the_cursor(
    chromium: Chromium, models_dir: Path, tmp_path: Path
) -> None:
    arm = system(models_dir, "arm5")
    to = np.radians([40, 60, -50, 70, 20])
    page = lesson_page(arm.model, opening=Opening(mode="trajectory", to=to, duration=1.5, payload=0.5), lang="en")
    with lesson(chromium, page) as tab:
        tab.run("() => sistel.seek(0.7)")
        tab.page.wait_for_timeout(150)
        curves = tab.run(
            "() => [...document.querySelectorAll('.plots-chart')].map((each) => [each.dataset.group, each.querySelectorAll('.plots-key').length])"
        )
        assert curves == [["torques", 5], ["coordinates", 5], ["velocities", 5], ["accelerations", 5], ["toolPlace", 3]]
        move = trajectories.polynomial_move(arm.model.start.q, to, 1.5)
        q, v, a = move(0.7)
        heavier = Engine.of(with_payload(arm.model, "инструмент", Payload(mass=0.5)))
        tab.page.locator(".plots-chart[data-group=torques]").scroll_into_view_if_needed()
        tab.page.wait_for_timeout(150)
        shown = tab.run(
            "() => [...document.querySelectorAll('.plots-chart[data-group=torques] .plots-value')].map((each) => each.textContent)"
        )
        forces = heavier.call("inverse_dynamics")(q, v, a)
        # Four digits, on straight lines between 301 samples.
        for text, force in zip(shown, forces, strict=True):
            mantissa, _, power = text.replace("−", "-").partition("·10")
            digits = power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
            assert float(mantissa) * 10.0 ** int(digits or 0) == pytest.approx(force, rel=2e-3, abs=1e-4)
        tab.page.keyboard.press("Home")
        tab.page.locator("body").press("Space")
        tab.wait("sistel.player.playing && sistel.time > 0.05")
        tab.page.locator("body").press("Space")
        assert not tab.run("() => sistel.player.playing")
        # The way of the tool: forward kinematics of the samples.
        path = np.array(tab.run("() => sistel.trails[0]"))
        t = np.linspace(0.0, 1.5, len(path))
        assert len(path) > 200
        assert np.abs(path - arm.pose(move(t)[0], "инструмент")[:, :3, 3]).max() < 1e-12
        with tab.page.expect_download() as download:
            tab.page.click("[data-id=csv]")
        text = Path(download.value.path()).read_text(encoding="utf-8-sig")
        rows = list(csv.reader(io.StringIO(text)))
        assert rows[0][0] == "t [s]" and len(rows) == 302 and len(rows[0]) == 1 + 4 * 5 + 3
        assert float(rows[-1][1]) == pytest.approx(to[0], rel=1e-15)
        # Other modes pose the arm where the motion was left, and it goes on there.
        tab.run("() => { sistel.player.pause(); sistel.seek(0.7); }")
        tab.page.keyboard.press("1")
        tab.wait("sistel.panel === 'forward'")
        assert tab.run("() => [sistel.motion.kind, Array.from(sistel.now.q)]") == ["posed", pytest.approx(q.tolist())]
        assert not tab.page.locator(".controls").is_visible()
        tab.page.keyboard.press("3")
        tab.wait("sistel.panel === 'trajectory' && sistel.motion.kind === 'recorded'")
        assert tab.run("() => sistel.time") == 0.7


def test_a_browser_without_scenes_shows_the_scheme(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "puma560")
    page = lesson_page(arm.model, opening=Opening(mode="trajectory", to=[0.5, 0.5, -2.0, 0.1, 0.2, 0.3]), lang="en")
    with chromium.tab(size=(1280, 900)) as tab:
        tab.page.emulate_media(reduced_motion="reduce")
        tab.page.add_init_script(
            """const real = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
              return kind === "webgl2" ? null : real.call(this, kind, ...rest);
            };"""
        )
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        assert "no WebGL" in tab.page.inner_text(".stage-note")
        # The way of the tool and its three axes, within the window.
        lines = tab.run(
            "() => [...document.querySelectorAll('.scheme polyline')].map((each) => each.getAttribute('points'))"
        )
        assert len(lines) == 4
        left, top, wide, high = tab.run("() => sistel.data.scheme.window")
        for line in lines:
            points = np.array([[float(x) for x in point.split(",")] for point in line.split()])
            assert points.shape[1] == 2
            assert (points > [left, top]).all() and (points < [left + wide, top + high]).all()


def test_names_of_strangers_stay_names(chromium: Chromium) -> None:
    hostile = '<img src=x onerror="window.hacked=1">'
    clean = sistel.parse(
        """<system name="a" class="open chain" space="spatial">
        <body name="b" joint="revolute" axis="z" mass="1" com="100, 0, 0" min="-90" max="90">
          <body name="c" joint="prismatic" axis="x" place="200, 0, 0" mass="1" min="0" max="300">
            <frame name="d" place="50, 0, 0"/></body></body></system>"""
    ).model
    # The language itself would not let these in.
    bodies = tuple(replace(body, name=name) for body, name in zip(clean.bodies, (hostile, "=2+2"), strict=True))
    frames = (replace(clean.frames[0], name="</script><b>\u202etool"),)
    model = replace(clean, name=f"</script>{hostile}", bodies=bodies, frames=frames)
    page = lesson_page(model, opening=Opening(mode="trajectory", to=[0.5, 0.1]), lang="en")
    with lesson(chromium, page) as tab:
        for mode in ("forward", "inverse", "trajectory"):
            tab.run("mode => sistel.choose(mode)", mode)
        tab.run(
            "async () => { await sistel.choose('inverse'); document.querySelector('[data-id=inverse-calculate]').click(); }"
        )
        assert tab.run("() => window.hacked ?? null") is None
        assert tab.run("() => document.querySelectorAll('img, b').length") == 0
        assert hostile in tab.page.inner_text("[data-id=answer]")
        tab.run("() => sistel.choose('trajectory')")
        with tab.page.expect_download() as download:
            tab.page.click("[data-id=csv]")
        head = next(csv.reader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
        assert head[1].startswith("<img") and head[2] == "'=2+2 q [m]"


def test_a_phone_shows_all_of_it(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "puma560")
    page = lesson_page(arm.model, opening=Opening(to=[0.5, 0.5, -2.0, 0.1, 0.2, 0.3]), lang="en")
    with lesson(chromium, page, size=(390, 844), phone=True) as tab:
        for mode, lang in product(("forward", "inverse", "trajectory"), ("en", "ru")):
            tab.run("([mode, lang]) => (sistel.setLang(lang), sistel.choose(mode))", [mode, lang])
            if mode == "inverse":
                tab.run("() => document.querySelector('[data-id=inverse-calculate]').click()")
            wide = tab.run("() => [document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= 390, (mode, wide)
            small = tab.run(
                """() => [...document.querySelectorAll('.panels button, .panels select, .tabs button')].filter((each) => each.offsetParent)
                  .map((each) => [each.dataset.id || each.textContent, each.getBoundingClientRect().height]).filter(([, high]) => high < 38)"""
            )
            assert small == []


def test_languages_and_themes(chromium: Chromium, models_dir: Path) -> None:
    with lesson(chromium, page_of(models_dir, "stanford")) as tab:
        for mode in ("inverse", "trajectory", "forward"):
            tab.run("mode => sistel.choose(mode)", mode)
        tab.run(
            "async () => { await sistel.choose('inverse'); document.querySelector('[data-id=inverse-calculate]').click(); }"
        )
        tab.page.click("[data-id=language]")
        latin = r"/[A-Za-z]{4,}/"
        names = {"Левенберг", "Достигнуто"}
        text = tab.page.inner_text("[data-id=panel-inverse]")
        assert all(name in text for name in names)
        # Nothing is left in English but names of the model and of methods.
        known = [body.name for body in system(models_dir, "stanford").model.bodies]
        rest = tab.run(f"text => text.split(/[^A-Za-z]+/).filter((word) => {latin}.test(word))", text)
        assert set(rest) <= {*known, "ANFIS"}, rest
        tab.page.click("[data-id=theme]")
        assert tab.run("() => document.documentElement.dataset.theme") == "dark"
        dark = tab.run("() => getComputedStyle(document.body).backgroundColor")
        tab.page.click("[data-id=theme]")
        assert tab.run("() => getComputedStyle(document.body).backgroundColor") != dark


def test_the_scene_shows_the_tool_and_its_way(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "arm5")
    to = np.radians([70, 60, -50, 70, 20])
    page = lesson_page(
        arm.model, opening=Opening(mode="trajectory", to=to, q=np.radians([-50, 80, -60, 60, 0])), lang="en"
    )
    assert len(page) < 1_000_000
    with lesson(chromium, page, webgl=True) as tab:
        lines = """() => {
          const found = [];
          const look = (node) => {
            for (const child of node.children ?? []) {
              const geometry = child.geometry;
              if (geometry?.getNodeTypeName() === 'LineSet') found.push([...geometry.coord.point].map((p) => [p.x, p.y, p.z]));
              else look(child);
            }
          };
          look(sistelScene.browser.currentScene.getNamedNode(sistel.data.scene.world));
          return found;
        }"""
        tab.run("() => sistel.seek(1.0)")
        found = tab.run(lines)
        paths = [np.array(each) for each in found]
        way = max(paths, key=len)
        move = trajectories.polynomial_move(np.radians([-50, 80, -60, 60, 0]), to, 2.0)
        t = np.linspace(0.0, 2.0, len(way))
        # Viewers keep single precision.
        assert np.abs(way - arm.pose(move(t)[0], "инструмент")[:, :3, 3]).max() < 1e-6
        pose = arm.pose(move(1.0)[0], "инструмент")
        axes = [each for each in paths if len(each) == 2]
        assert len(axes) == 3
        for column, (first, last) in zip(pose[:3, :3].T, axes, strict=True):
            assert np.abs(first - pose[:3, 3]).max() < 1e-6
            assert np.abs((last - first) / np.linalg.norm(last - first) - column).max() < 1e-5
