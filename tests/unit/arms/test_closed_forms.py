"""Closed forms as machine code: every class of arm by forward kinematics, one target as many, and its small equations."""

from __future__ import annotations

import math
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.arms.closed_forms import _newton, _roots
from sistel.arms.closed_forms._layout import ROWS, STOP
from sistel.arms.closed_forms._solution import Found, Workplace, code
from sistel.kernels.subset import compile_functions, reference
from sistel.solve import Options

GALLERY = (
    ("puma560", "tool", "pose"),
    ("stanford", "tool", "pose"),
    ("stanford", "wrist centre", "position"),
    ("ur5_like", "tool", "pose"),
    ("scara", "инструмент", "pose"),
    ("scara", "инструмент", "pointing"),
    ("arm5", "инструмент", "pose"),
    ("arm5", "инструмент", "pointing"),
)
"""All arms of the gallery that have a closed form, with the tasks that they have it for."""


def bounds(arm: sistel.System) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    return low, np.array([body.joint.maximum[0] for body in arm.bodies])


def postures(arm: sistel.System, rng: np.random.Generator, count: int, sort: str) -> np.ndarray:
    """Within the limits: anywhere; some joints at quarters of a turn, where axes fall together; some at their limits."""
    low, high = bounds(arm)
    low, high = np.maximum(low, -math.pi), np.minimum(high, math.pi)
    q = rng.uniform(low, high, (count, arm.nq))
    chosen = rng.uniform(size=q.shape) < 0.4
    if sort == "singular":
        q = np.where(chosen, np.clip(np.round(rng.uniform(-2.0, 2.0, q.shape)) * math.pi / 2.0, low, high), q)
    if sort == "limits":
        q = np.where(chosen, np.where(rng.uniform(size=q.shape) < 0.5, low, high), q)
    return q


def away(arm: sistel.System, q: np.ndarray, X: np.ndarray, frame: str, task: str) -> np.ndarray:
    """The worst entry of poses that the task asks for."""
    columns = {"pose": slice(0, 4), "pointing": slice(2, 4), "position": slice(3, 4)}[task]
    return np.abs(arm.pose(q, frame) - X)[..., columns].max(axis=(-2, -1))


@pytest.mark.parametrize("sort", ["anywhere", "singular", "limits"])
@pytest.mark.parametrize(("name", "frame", "task"), GALLERY)
def test_every_class_of_arm(
    models_dir: Path, rng: np.random.Generator, name: str, frame: str, task: Any, sort: str
) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    q, seeds = postures(arm, rng, 200, sort), postures(arm, rng, 200, "anywhere")
    X = arm.pose(q, frame)
    low, high = bounds(arm)
    found = arm.inverse_kinematics(X, frame, "analytic", task=task, q=seeds, several=True)
    assert found.success.all()
    worst = 1e-11 if sort == "anywhere" else 1e-8  # the search's tolerance, which knows families of postures
    assert (away(arm, found.q, X, frame, task) < worst).all()
    for each, x, seed, first in zip(found.solutions, X, seeds, found.q, strict=True):
        assert len(each) and np.array_equal(each[0], first)
        assert (away(arm, each, np.broadcast_to(x, (len(each), 4, 4)), frame, task) < 2e-8).all()
        assert (each >= low).all() and (each <= high).all()
        distance = np.abs(each - seed).sum(axis=1)
        assert (np.diff(distance) >= 0.0).all()  # nearest first
    if task == "pose" and sort == "anywhere":
        own = arm.inverse_kinematics(X, frame, "analytic", q=q)
        assert np.abs(own.q - q).max() < 1e-8


@pytest.mark.parametrize(("name", "frame", "task"), GALLERY)
def test_one_target_is_answered_as_many(
    models_dir: Path, rng: np.random.Generator, name: str, frame: str, task: Any
) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    X = arm.pose(np.concatenate([postures(arm, rng, 30, "anywhere"), postures(arm, rng, 10, "singular")]), frame)
    together = arm.inverse_kinematics(X, frame, "analytic", task=task, several=True)
    nearest = arm.inverse_kinematics(X, frame, "analytic", task=task)
    for i, x in enumerate(X):
        one = arm.inverse_kinematics(x, frame, "analytic", task=task, several=True)
        assert one.success is True and one.reason is None and one.iterations == together.iterations[i]
        assert np.array_equal(one.solutions, together.solutions[i]) and np.array_equal(one.q, together.q[i])
        assert np.array_equal(one.residual, together.residual[i]) and np.array_equal(one.nearest, together.nearest[i])
        alone = arm.inverse_kinematics(x, frame, "analytic", task=task)
        assert alone.solutions is None and alone.attempt == 0 and np.array_equal(alone.q, nearest.q[i])
        one.solutions[:] = 0.0  # the caller's own
    assert isinstance(arm.__dict__["inverse_kinematics"], BuiltinFunctionType)


def test_what_is_unusual_is_said_as_before(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(postures(arm, rng, 40, "anywhere"), "tool")
    far = X[0].copy()
    far[0, 3] = 9.0

    def ask(target: Any, **more: Any) -> Any:
        return arm.inverse_kinematics(target, "tool", "analytic", restarts=3, **more)

    first = ask(far)
    for x in X:
        assert ask(x).success is True
    assert isinstance(arm.__dict__["inverse_kinematics"], BuiltinFunctionType)
    again, among = ask(far), ask(np.stack([X[0], far]))
    assert again.success is False and again.reason.en == first.reason.en == among.reason[1].en
    assert "no solution, with or without limits" in again.reason.en and "решений нет" in again.reason.ru
    assert np.array_equal(again.q, first.q) and np.array_equal(again.nearest, among.nearest[1])
    for bad, word in ((np.full((4, 4), np.nan), "not finite"), (2.0 * np.eye(4), "right angles|0 0 0 1")):
        with pytest.raises(sistel.SistelError, match=word):
            ask(bad)
    # A target that is a pose to nine digits is made exact first, as one of many is.
    rough = X[3].copy()
    rough[:3, :3] += 1e-10
    assert np.array_equal(ask(rough).q, ask(rough[None]).q[0])


def test_many_threads_and_none_find_the_same(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "ur5_like.xml")
    X = arm.pose(postures(arm, rng, 5000, "anywhere"), "tool")
    seeds = postures(arm, rng, 5000, "anywhere")
    one, more = (arm.inverse_kinematics(X, "tool", "analytic", q=seeds, several=True, threads=n) for n in (1, 3))
    assert np.array_equal(one.q, more.q) and np.array_equal(one.residual, more.residual)
    assert all(np.array_equal(a, b) for a, b in zip(one.solutions, more.solutions, strict=True))


def test_a_batch_that_is_told_to_stop(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = np.ascontiguousarray(arm.pose(postures(arm, rng, 10, "anywhere"), "tool"))
    arm.inverse_kinematics(X, "tool", "analytic")
    (solver,), (form,) = arm._kept.solvers.values(), arm._kept.closed_forms.values()
    options = Options(
        method="analytic", limits=True, turn=1e-8, slide=1e-8, restarts=0, iterations=1, damping=(0.1, 4.0, 0.7),
        seed=1, several=False,
    )  # fmt: skip
    place = Workplace(solver, form, options)
    found = Found(
        counts=np.zeros(10, dtype=np.int64), q=np.empty((10, 6)), pose=np.empty((10, 4, 4)), left=np.empty((10, 6)),
        several=np.empty((0, 6)),
    )  # fmt: skip
    job = place.job(X, np.zeros((1, 6)), found)
    assert place.plan[ROWS] == 10 and job.counts is place.plan and job.stop == STOP
    place.plan[STOP] = 1
    assert job.call() == 1 and not found.counts.any()
    place.plan[STOP] = 0
    assert job.call() == 0 and (found.counts == 1).all()


@pytest.fixture(scope="module")
def functions() -> Any:
    exports = ["arc", "polynomial_roots", "four_numbers", "four_angles", "two_numbers", "least_step"]
    return compile_functions(
        [*_roots.FUNCTIONS, _newton.longest_column, _newton.take_away, _newton.least_step], exports=exports
    )


def test_angles_of_places(functions: Any, rng: np.random.Generator) -> None:
    places = rng.normal(size=(2000, 2)) * 10.0 ** rng.uniform(-4.0, 4.0, (2000, 2))
    axes = [(0.0, 1.0), (0.0, -1.0), (-0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (0.0, 0.0)]
    for y, x in [*places.tolist(), *axes]:
        known = math.atan2(y, x)
        assert abs(functions.arc(y, x) - known) <= 4.0 * math.ulp(known)
        assert functions.arc(y, x) == reference(_roots.arc)(y, x)
    assert math.isnan(functions.arc(math.nan, 1.0)) and math.isnan(functions.arc(1.0, math.nan))


@pytest.mark.parametrize("degree", [4, 8])
def test_roots_of_polynomials(functions: Any, rng: np.random.Generator, degree: int) -> None:
    for row in range(200):
        known = rng.normal(size=degree) + 1j * rng.normal(size=degree)
        if row % 2:
            known /= np.abs(known)
        if row % 5 == 0:
            known[1] = known[0]  # a double root is known to half of the digits
        p = np.poly(known)[::-1] * np.exp(1j * row)
        w = np.zeros(2 * degree)
        functions.polynomial_roots(degree, np.stack([p.real, p.imag], axis=1).ravel(), 1.0, w)
        found = list(w[::2] + 1j * w[1::2])
        for each in known:
            nearest = min(found, key=lambda z, each=each: abs(z - each))
            found.remove(nearest)
            assert abs(nearest - each) < (3e-6 if row % 5 == 0 else 1e-8)


def test_real_roots(functions: Any, rng: np.random.Generator) -> None:
    for scale in (1e-3, 1.0, 1e3):
        for _ in range(50):
            known = np.sort(scale * rng.uniform(-1.0, 1.0, 4))
            p, out = np.poly(known)[::-1] * rng.normal(), np.zeros(4)
            functions.four_numbers(np.ascontiguousarray(p), np.zeros(40), out)
            assert np.abs(np.sort(out) - known).max() < 1e-4 * scale
            assert (
                np.abs(np.polyval(p[::-1], out)).max() < 1e-12 * np.abs(p[::-1] * scale ** np.arange(4, -1, -1)).max()
            )
        pair = np.zeros(2)
        functions.two_numbers(0.0, 0.5, -scale, pair)
        assert pair.tolist() == [scale, scale]


def test_angles_of_quartics(functions: Any, rng: np.random.Generator) -> None:
    def value(f: np.ndarray, x: np.ndarray) -> np.ndarray:
        return f[0] + f[1] * np.cos(x) + f[2] * np.sin(x) + f[3] * np.cos(2.0 * x) + f[4] * np.sin(2.0 * x)

    around = np.linspace(-math.pi, math.pi, 20001)
    for row in range(100):
        f, out = rng.normal(size=5), np.zeros(4)
        if row % 4 == 0:
            f[3:] = 0.0  # two angles only
        functions.four_angles(f.copy(), np.zeros(40), out)
        real = out[np.isfinite(out)]
        good = real[np.abs(value(f, real)) < 1e-9]
        crossings = np.flatnonzero(np.diff(np.sign(value(f, around))))
        by = np.abs((good[None] - around[crossings, None] + math.pi) % math.tau - math.pi)
        assert len(good) >= len(crossings) and (by.min(axis=1, initial=9.0) < 1e-3).all()


def test_shortest_steps(functions: Any, rng: np.random.Generator) -> None:
    for row in range(300):
        rows, count = int(rng.integers(1, 7)), int(rng.integers(1, 7))
        rank = int(rng.integers(1, min(rows, count) + 1)) if row % 2 else min(rows, count)
        A = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, count))
        if row % 3 == 0 and count > 1:
            A[:, 0] = 0.0  # a joint that is held
        if np.linalg.cond(A[:, np.abs(A).max(axis=0) > 0.0]) > 1e6 and rank == min(rows, count):
            continue
        b, step = rng.normal(size=rows), np.zeros(count)
        largest = functions.least_step(rows, count, A.ravel().copy(), b.copy(), np.zeros(36), step)
        known = np.linalg.pinv(A, rcond=1e-9) @ b
        assert np.abs(step - known).max() < 1e-8 * (1.0 + np.abs(known).max()) and largest == np.abs(step).max()


def test_one_code_for_all_arms() -> None:
    assert code() is code()
