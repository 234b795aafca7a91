"""What a lesson lets take by hand: the target, the postures that reach it, the table of Denavit and Hartenberg."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.arms.tables import DHTable, dh_of
from sistel.system import System
from sistel.views.lesson import lesson_page

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@cache
def system(models: Path, name: str) -> System:
    return sistel.load(models / f"{name}.xml")


@cache
def page_of(models: Path, name: str, frame: str) -> str:
    return lesson_page(system(models, name).model, frame, lang="en")


@contextmanager
def lesson(chromium: Chromium, models: Path, name: str, frame: str = "tool", **options: Any) -> Iterator[Tab]:
    with chromium.tab(**{"size": (1280, 900), "still": True, **options}) as tab:
        tab.page.emulate_media(reduced_motion="reduce")
        tab.open(page_of(models, name, frame))
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
        yield tab


def flat(poses: Array) -> Array:
    return np.concatenate([poses[..., :3, :3].reshape(*poses.shape[:-2], 9), poses[..., :3, 3]], axis=-1)


def inner(arm: System, rng: np.random.Generator, count: int) -> Array:
    """Postures well within the limits."""
    low = np.array([body.joint.minimum[0] for body in arm.model.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.model.bodies])
    return rng.uniform(low + 0.15 * (high - low), high - 0.15 * (high - low), size=(count, arm.nq))


@pytest.mark.parametrize(
    ("name", "frame"), [("puma560", "tool"), ("ur5_like", "tool"), ("stanford", "tool"), ("scara", "инструмент")]
)
def test_the_list_has_the_branches_of_the_closed_form(
    chromium: Chromium, models_dir: Path, rng: np.random.Generator, name: str, frame: str
) -> None:
    arm = system(models_dir, name)
    low = np.array([body.joint.minimum[0] for body in arm.model.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.model.bodies])
    turns = np.array([body.joint.type.key == "revolute" for body in arm.model.bodies])
    with lesson(chromium, models_dir, name, frame) as tab:
        tab.run("() => sistel.choose('inverse')")
        counts = []
        for q in inner(arm, rng, 6):
            target = arm.pose(q, frame)
            tab.run("([pose, q]) => { sistel.pose(q, -1); sistel.lesson.takeTarget(pose); sistel.lesson.inverse(); }", [flat(target).tolist(), q.tolist()])  # fmt: skip
            found = np.array(tab.run("() => sistel.lesson.branches.map(({ q }) => [...q])"))
            closed = arm.inverse_kinematics(target, frame, "analytic", q=q, several=True)
            ours = np.array(
                [each for each in closed.solutions if (each >= low - 1e-9).all() and (each <= high + 1e-9).all()]
            )
            apart = np.abs(found[:, None] - ours[None])
            apart = np.where(turns, np.abs(apart - 2 * np.pi * np.round(apart / (2 * np.pi))), apart).max(axis=2)
            assert len(found) == len(ours), (q, len(found), len(ours))
            assert (apart.min(axis=0) < 1e-6).all() and (apart.min(axis=1) < 1e-6).all()
            assert np.abs(arm.pose(found, frame) - target).max() < 1e-9
            counts.append(len(found))
        buttons = tab.page.locator("[data-branch]")
        assert buttons.count() == counts[-1] and max(counts) > 1
        buttons.last.click()
        assert tab.run("() => [...sistel.q]") == pytest.approx(found[-1].tolist(), abs=1e-15)
        assert buttons.last.get_attribute("aria-pressed") == "true"


def test_methods_are_compared_from_one_start(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "puma560")
    start = [0.2, 0.7, -0.3, 0.4, 0.5, 0.1]
    goal = [0.5, 0.9, -0.6, 0.2, 0.8, -0.3]
    target = flat(arm.pose(np.array(goal), "tool")).tolist()
    with lesson(chromium, models_dir, "puma560") as tab:
        tab.run("() => sistel.choose('inverse')")
        assert tab.page.locator("[data-id=method-anfis]").count() == 0  # nobody has trained networks
        tab.run("([pose, q]) => { sistel.pose(q, -1); sistel.lesson.takeTarget(pose); }", [target, start])
        tab.page.click("[data-id=inverse-compare]")
        for method in ("lm", "ccd"):
            alone = tab.run("([m, t, q]) => sistel.solve(m, 'pose', t, q).iterations", [method, target, start])
            assert tab.page.locator(f"[data-method={method}] td").first.inner_text() == str(alone)


def test_the_target_is_dragged_in_space(chromium: Chromium, models_dir: Path) -> None:
    arm = system(models_dir, "puma560")
    q = [0.3, 0.9, -0.4, 0.6, 0.7, 0.2]
    with lesson(chromium, models_dir, "puma560", webgl=True) as tab:
        tab.run("q => { sistel.pose(q, -1); }", q)
        tab.run(
            "async () => { await sistel.choose('inverse'); sistel.lesson.takeTarget(sistel.lesson.arm.look(sistel.q).pose); }"
        )
        seen = "() => sistel.picture.eye.seen(sistel.lesson.target.slice(9))"
        x, y, depth = tab.run(seen)
        begin = tab.run("() => [...sistel.lesson.target]")
        assert begin[9:] == pytest.approx(arm.pose(q, "tool")[:3, 3].tolist(), abs=1e-12)
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        tab.page.mouse.move(x - 40, y + 30, steps=3)
        tab.page.mouse.up()
        # It is where the pointer is, as far away as before; it did not turn, and the arm reaches it.
        assert tab.run(seen) == pytest.approx([x - 40, y + 30, depth], abs=1e-3)
        end = tab.run("() => [...sistel.lesson.target]")
        assert end[:9] == pytest.approx(begin[:9], abs=1e-12)
        assert np.linalg.norm(np.subtract(end[9:], begin[9:])) > 0.02
        reached = arm.pose(tab.run("() => [...sistel.q]"), "tool")
        assert flat(reached) == pytest.approx(end, abs=1e-7)
        # The tip of an axis turns it.
        tip = "axis => sistel.picture.eye.seen([0, 1, 2].map((i) => sistel.lesson.target[9 + i] + 0.16 * sistel.data.size * sistel.lesson.target[3 * i + axis]))"
        x, y, _ = tab.run(tip, 0)
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        tab.page.mouse.move(x + 25, y + 10, steps=3)
        tab.page.mouse.up()
        turned = np.array(tab.run("() => [...sistel.lesson.target]"))
        R = turned[:9].reshape(3, 3)
        assert pytest.approx(np.eye(3), abs=1e-12) == R @ R.T and np.linalg.det(R) > 0
        assert turned[9:] == pytest.approx(end[9:], abs=1e-15)
        assert np.abs(turned[:9] - end[:9]).max() > 0.02
        x2, y2, _ = tab.run(tip, 0)
        # Only its direction follows: the tip lies on the way from the origin to the pointer.
        ox, oy, _ = tab.run(seen)
        a, b = np.array([x2 - ox, y2 - oy]), np.array([x + 25 - ox, y + 10 - oy])
        assert abs(a[0] * b[1] - a[1] * b[0]) < 0.06 * np.linalg.norm(a) * np.linalg.norm(b)


def test_the_table_is_stepped_through(chromium: Chromium, models_dir: Path) -> None:
    """Every move by itself, against products of elementary transformations."""
    arm = system(models_dir, "puma560")
    q = np.array([0.3, 0.9, -0.4, 0.6, 0.7, 0.2])
    table = dh_of(arm.model, "tool")

    def turn(axis: int, angle: float) -> Array:
        X = np.eye(4)
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        X[i, i] = X[j, j] = np.cos(angle)
        X[j, i] = np.sin(angle)
        X[i, j] = -X[j, i]
        return X

    def shift(axis: int, way: float) -> Array:
        X = np.eye(4)
        X[axis, 3] = way
        return X

    X = np.array(table.base)
    expected = [X]
    for row, value in zip(table.rows, q, strict=True):
        for move in (turn(2, row.theta + value), shift(2, row.d), shift(0, row.a), turn(0, row.alpha)):
            X = X @ move
            expected.append(X)
    with lesson(chromium, models_dir, "puma560") as tab:
        tab.run("q => sistel.pose(q, -1)", q.tolist())
        assert "Step through the table" in tab.page.locator(".lesson-move").inner_text()
        texts = []
        for k in range(1, 25):
            tab.page.click("[data-id=dh-on]")
            assert tab.run("() => sistel.lesson.steps.at") == k
            moving = np.array(tab.run("() => [...sistel.lesson.steps.frames(sistel.lesson.steps.at).moving]"))
            assert moving == pytest.approx(expected[k][:3].ravel(), abs=1e-12)
            texts.append(tab.page.locator(".lesson-move").inner_text())
        assert texts[1] == "Row 1, d: go 671.83 mm along z0" and texts[6] == "Row 2, a: go 431.8 mm along the new x"
        assert tab.page.locator("[data-id=dh-on]").is_disabled()
        assert (expected[-1] @ np.array(table.tool))[:3] == pytest.approx(arm.pose(q, "tool")[:3], abs=1e-12)
        paths = tab.run("() => sistel.marks().paths.length")
        tab.page.click("[data-id=dh-back]")
        assert tab.run("() => sistel.lesson.steps.at") == 23
        tab.page.click("[data-id=dh-end]")
        assert tab.run("() => sistel.marks().paths.length") == 3 < paths  # the axes of the tool alone


def test_another_table_is_another_arm(chromium: Chromium, models_dir: Path, rng: np.random.Generator) -> None:
    """Its kinematics, its answers and its forces are those of a system made of that table."""
    arm = system(models_dir, "puma560")
    table = dh_of(arm.model, "tool")
    with lesson(chromium, models_dir, "puma560") as tab:
        postures, v, a = inner(arm, rng, 8), *rng.normal(size=(2, 8, 6))
        look = """([q, v, a]) => q.map((row, i) => { const [x, y, z] = [row, v[i], a[i]].map((each) => Float64Array.from(each));
          const { pose, columns } = sistel.lesson.arm.look(x);
          return [[...pose], [...columns], [...sistel.lesson.arm.forces(x, y, z, 1.5)], [...sistel.lesson.arm.poses(x)]]; })"""
        given = [postures.tolist(), v.tolist(), a.tolist()]
        before = tab.run(look, given)

        def fill(name: str, value: str) -> None:
            field = tab.page.locator(f"[data-dh={name}]")
            field.fill(value)
            field.press("Enter")

        # The same numbers, but a limit: the page's own arithmetic gives what the kernels gave, forces included.
        fill("high-5", "120")
        again = tab.run(look, given)
        for own, kernel in zip(again, before, strict=True):
            for mine, theirs in zip(own, kernel, strict=True):
                assert mine == pytest.approx(theirs, abs=1e-12 * max(1.0, np.abs(theirs).max()))
        fill("a-1", "550")
        fill("alpha-3", "75")
        fill("theta-2", "12.5")
        fill("d-3", "380.25")
        rows = [*table.rows]
        change = {1: {"a": 0.55}, 3: {"alpha": np.radians(75.0), "d": 0.38025}, 2: {"theta": np.radians(12.5)}}
        found = tab.run(look, given)
        for q, (pose, columns, _, _) in zip(postures, found, strict=True):
            X, frames = np.array(table.base), []
            for k, (row, value) in enumerate(zip(rows, q, strict=True)):
                n = {key: getattr(row, key) for key in ("theta", "d", "a", "alpha")} | change.get(k, {})
                frames.append(X)
                c, s = np.cos(n["theta"] + value), np.sin(n["theta"] + value)
                ca, sa = np.cos(n["alpha"]), np.sin(n["alpha"])
                X = X @ np.array([[c, -s * ca, s * sa, n["a"] * c], [s, c * ca, -c * sa, n["a"] * s], [0, sa, ca, n["d"]], [0, 0, 0, 1]])  # fmt: skip
            X = X @ np.array(table.tool)
            assert pose == pytest.approx(flat(X).tolist(), abs=1e-12)
            J = np.array([[*F[:3, 2], *np.cross(F[:3, 2], X[:3, 3] - F[:3, 3])] for F in frames])
            assert columns == pytest.approx(J.ravel().tolist(), abs=1e-12)
        # Inverse kinematics of the new arm.
        q = postures[0]
        tab.run("q => sistel.choose('inverse').then(() => { sistel.pose(q, -1); })", q.tolist())
        tab.run(
            "pose => { sistel.lesson.takeTarget(pose); sistel.pose(sistel.data.start.q, -1); sistel.lesson.inverse(); }",
            found[0][0],
        )
        assert tab.run("() => [sistel.lesson.solution.success, [...sistel.lesson.arm.look(Float64Array.from(sistel.lesson.solution.q)).pose]]") == [True, pytest.approx(found[0][0], abs=1e-7)]  # fmt: skip
        # Limits that cross are refused; the file's table comes back to the last bit.
        tab.run("() => sistel.choose('forward')")
        fill("low-0", "170")
        assert "the lower limit cannot be above" in tab.page.locator(".lesson-dh .warn").inner_text()
        tab.page.click("[data-id=dh-reset]")
        assert tab.run(look, given) == before


def test_the_python_arm_of_another_table_agrees(chromium: Chromium, models_dir: Path) -> None:
    """The library reads the changed table by itself, and has the tool where the page has it."""
    text = "system,two\nframe,tool\nname,joint,theta,d,a,alpha,min,max\none,R,0,100,{a},90,-150,150\ntwo,R,10,0,250,0,-120,120\nthree,P,0,0,30,0,0,300\n"
    first, second = (sistel.parse(text.format(a=a), "arm.csv") for a in (40, 95))
    q = [0.4, -0.7, 0.12]
    with chromium.tab(size=(1280, 900), still=True) as tab:
        tab.open(lesson_page(first.model, "tool", lang="en"))
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
        table: DHTable = dh_of(first.model, "tool")
        assert [round(1e3 * row.a) for row in table.rows] == [40, 250, 30]
        field = tab.page.locator("[data-dh=a-0]")
        field.fill("95")
        field.press("Enter")
        pose = tab.run("q => [...sistel.lesson.arm.look(Float64Array.from(q)).pose]", q)
        assert pose == pytest.approx(flat(second.pose(np.array(q), "tool")).tolist(), abs=1e-12)
