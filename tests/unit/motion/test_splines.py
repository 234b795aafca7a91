"""Splines through via points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.motion.trajectories import Limits, spline


def all_at_once(times, places, kind: str, ends: str, v, a):
    """Coefficients of all pieces from one linear system of all conditions; local times from the left ends."""
    size = {"cubic": 4, "quintic": 6}[kind]
    m = len(times) - 1
    rows, right = [], []

    def row(piece: int, tau: float, order: int):
        made = np.zeros(m * size)
        for power in range(order, size):
            factor = np.prod(np.arange(power - order + 1, power + 1), dtype=float)
            made[piece * size + power] = factor * tau ** (power - order)
        return made

    for i in range(m):
        h = times[i + 1] - times[i]
        rows += [row(i, 0.0, 0), row(i, h, 0)]
        right += [places[i], places[i + 1]]
        if i:
            before = times[i] - times[i - 1]
            for order in range(1, size - 1):
                rows.append(row(i - 1, before, order) - row(i, 0.0, order))
                right.append(0 * places[0])
    h = times[-1] - times[-2]
    fixed = [(2, 0 * v)] if ends == "natural" else [(1, v)] if kind == "cubic" else [(1, v), (2, a)]
    for order, values in fixed:
        rows += [row(0, 0.0, order), row(m - 1, h, order)]
        right += [values[0], values[1]]
    return np.linalg.solve(np.array(rows), np.array(right)).reshape(m, size, -1)


@pytest.mark.parametrize(("kind", "ends"), [("cubic", "clamped"), ("cubic", "natural"), ("quintic", "clamped")])
@settings(max_examples=40)
@given(
    steps=st.lists(st.floats(0.3, 3.0), min_size=1, max_size=7),
    seed=st.integers(0, 10**6),
)
def test_splines_agree_with_all_conditions_solved_at_once(kind: str, ends: str, steps: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    times = np.concatenate([[0.5], 0.5 + np.cumsum(steps)])
    places = rng.uniform(-2.0, 2.0, (len(times), 2))
    v, a = rng.uniform(-1.0, 1.0, (2, 2, 2))
    more = {} if ends == "natural" else {"velocities": v} if kind == "cubic" else {"velocities": v, "accelerations": a}
    motion = spline(places, times, kind=kind, ends=ends, **more)
    expected = all_at_once(times, places, kind, ends, v, a)
    t = np.linspace(times[0], times[-1], 101)[:-1]
    piece = np.searchsorted(times, t, side="right") - 1
    tau = (t - times[piece])[:, None]
    found = (*motion(t), motion.jerk(t))
    for order in range(4):
        value = 0.0
        for power in range(order, expected.shape[1]):
            factor = np.prod(np.arange(power - order + 1, power + 1), dtype=float)
            value = value + factor * expected[piece, power] * tau ** (power - order)
        # The system of all conditions has a condition number of up to 1e8 or so.
        assert np.abs(found[order] - value).max() < 1e-8 * (1.0 + np.abs(value).max())
    # Through every point to the bit, and the ends as given.
    q, rate, gain = motion(times)
    assert (q == places).all()
    if ends == "clamped":
        assert (rate[[0, -1]] == v).all()
    else:
        assert np.abs(gain[[0, -1]]).max() < 1e-12 * (1.0 + np.abs(gain).max())
    if kind == "quintic":
        assert (gain[[0, -1]] == a).all()


@pytest.mark.parametrize("kind", ["cubic", "quintic"])
@pytest.mark.parametrize("limits", [Limits([1.0, 2.0], 3.0, 20.0), Limits(9.0, 1.0), Limits(5.0, 50.0, 2.0)])
def test_times_are_chosen_within_limits(kind: str, limits: Limits, rng) -> None:
    places = np.cumsum(rng.uniform(0.1, 1.0, (8, 2)) * rng.choice([-1.0, 1.0], (8, 2)), axis=0)
    motion = spline(places, kind=kind, limits=limits, t0=2.0)
    report = motion.limits_report()
    assert report.kept and motion.t0 == 2.0
    t = np.linspace(motion.t0, motion.t1, 5001)
    _, v, a = motion(t)
    velocity, acceleration, _, jerk = limits.over(2)
    above = 1.0 + 1e-11  # rounding
    assert (np.abs(v) <= velocity * above).all() and (np.abs(a) <= acceleration * above).all()
    assert (np.abs(motion.jerk(t)) <= jerk * above).all()
    used = (report.velocity.peak / velocity, report.acceleration.peak / acceleration, report.jerk.peak / jerk)
    assert np.max(used) == pytest.approx(1.0, abs=1e-10)
    assert (motion(motion.t1)[0] == places[-1]).all() and not motion(motion.t1)[1].any()


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: spline([0.0, 1.0]), "no-duration"),
        (lambda: spline([0.0], [0.0]), "wrong-shape"),
        (lambda: spline([0.0, 1.0], [0.0, 0.0]), "wrong-time"),
        (lambda: spline([0.0, 1.0, 2.0], [0.0, 2.0, 1.0]), "wrong-time"),
        (lambda: spline([0.0, 1.0, 2.0], [0.0, 1.0]), "wrong-shape"),
        (lambda: spline([0.0, np.inf], [0.0, 1.0]), "bad-numbers"),
        (lambda: spline([[[0.0]], [[1.0]]], [0.0, 1.0]), "wrong-shape"),
        (lambda: spline([0.0, 1.0], [0.0, 1.0], kind="septic"), "unknown-word"),
        (lambda: spline([0.0, 1.0], [0.0, 1.0], ends="loose"), "unknown-word"),
        (lambda: spline([0.0, 1.0], [0.0, 1.0], kind="quintic", ends="natural"), "too-many-conditions"),
        (lambda: spline([0.0, 1.0], [0.0, 1.0], accelerations=(0.0, 0.0)), "too-many-conditions"),
        (lambda: spline([0.0, 1.0, 1.0], limits=Limits(1.0, 1.0)), "wrong-time"),
        (lambda: spline([0.0, 1.0], limits=Limits(1.0, 1.0), velocities=(1.0, 0.0)), "no-duration"),
    ],
)
def test_wrong_calls_are_told_in_both_languages(call, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code and diagnostic.message.en != diagnostic.message.ru
