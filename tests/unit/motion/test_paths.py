"""Ways in space: lines, arcs, screws, staged poses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.motion.trajectories import (
    Limits,
    along,
    arc_path,
    fastest_move,
    line_path,
    motion_between,
    polynomial_move,
    screw_path,
    staged_waypoints,
    waypoints,
)
from sistel.pose import Pose, Screw, angle_between, apart, from_screw, homogeneous, to_screw

seeds = st.integers(0, 10**6)


def some_pose(rng):
    q = rng.normal(size=4)
    return homogeneous(q / np.linalg.norm(q), rng.uniform(-2.0, 2.0, 3))


def profile(start, end):
    return polynomial_move(start, end, 2.0, t0=1.0)


@settings(max_examples=40)
@given(seed=seeds)
def test_lines_stay_straight_and_turn_evenly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X0, X1 = some_pose(rng), some_pose(rng)
    path = line_path(X0, X1)
    s = np.linspace(0.0, 1.0, 201)
    X = path.pose(s)
    assert (X[0] == X0).all() and (X[-1] == X1).all()
    q, p = apart(X)
    way = X1[:3, 3] - X0[:3, 3]
    unit = way / np.linalg.norm(way)
    off = p - X0[:3, 3]
    assert np.abs(off - np.outer(off @ unit, unit)).max() < 1e-12
    # Slerp: the same angle for the same part of the way, and the shortest.
    turned = angle_between(q[1:], q[:-1])
    total = angle_between(q[0], q[-1])
    assert np.abs(turned - total / 200).max() < 1e-12 and path.turning == pytest.approx(total, abs=1e-12)


@settings(max_examples=40)
@given(seed=seeds)
def test_arcs_go_through_three_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X0, X1, middle = some_pose(rng), some_pose(rng), rng.uniform(-2.0, 2.0, 3)
    path = arc_path(X0, middle, X1)
    X = path.pose(np.linspace(0.0, 1.0, 400))
    assert (X[0] == X0).all() and (X[-1] == X1).all()
    p = X[:, :3, 3]
    # Equal chords, all points at one distance from the centre and in the plane of the three.
    centre = X0[:3, 3] - path.arm
    radius = np.linalg.norm(path.arm)
    slack = 1e-12 * max(1.0, radius) ** 2  # near a line the centre is far and badly known
    assert np.abs(np.linalg.norm(p - centre, axis=1) - radius).max() < slack
    normal = np.cross(middle - X0[:3, 3], X1[:3, 3] - X0[:3, 3])
    assert np.abs((p - X0[:3, 3]) @ normal).max() / np.linalg.norm(normal) < slack
    chords = np.linalg.norm(np.diff(p, axis=0), axis=1)
    assert np.abs(chords - chords.mean()).max() < slack
    # The middle point is on it, where the sum of arcs says.
    near = np.linalg.norm(p - middle, axis=1).min()
    assert near < path.length / 400


@settings(max_examples=40)
@given(seed=seeds)
def test_screws_are_the_displacement_in_parts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X0, X1 = some_pose(rng), some_pose(rng)
    path = screw_path(X0, X1)
    s = np.linspace(0.0, 1.0, 21)
    X = path.pose(s)
    assert (X[0] == X0).all() and (X[-1] == X1).all()
    whole = to_screw(X1 @ np.linalg.inv(X0))
    shape = (len(s), 3)
    parts = Screw(
        axis=np.broadcast_to(whole.axis, shape),
        point=np.broadcast_to(whole.point, shape),
        angle=s * whole.angle,
        distance=s * whole.distance,
    )
    # The line of a small turn is far away: its place is known to the rounding over the angle.
    assert np.abs(from_screw(parts) @ X0 - X).max() < 1e-13 * (1.0 + 10.0 / float(whole.angle))


@pytest.mark.parametrize("which", ["line", "arc", "screw"])
def test_twists_and_rates_are_derivatives(which: str, rng) -> None:
    X0, X1 = some_pose(rng), some_pose(rng)
    path = {"line": line_path, "screw": screw_path}[which](X0, X1) if which != "arc" else arc_path(X0, [0.3, 2, 1], X1)
    motion = along(path, profile)
    t, h = np.linspace(1.1, 2.9, 19), 1e-5
    X, twist, rate = motion(t)
    ahead, behind = motion(t + h), motion(t - h)
    # Central differences: errors of h² and of rounding / h.
    assert np.abs((ahead[0][:, :3, 3] - behind[0][:, :3, 3]) / (2 * h) - twist[:, 3:]).max() < 1e-7
    slope = (ahead[0][:, :3, :3] - behind[0][:, :3, :3]) / (2 * h) @ X[:, :3, :3].transpose(0, 2, 1)
    spin = np.stack([slope[:, 2, 1], slope[:, 0, 2], slope[:, 1, 0]], axis=1)
    assert np.abs(spin - twist[:, :3]).max() < 1e-7
    assert np.abs((ahead[1] - behind[1]) / (2 * h) - rate).max() < 1e-7
    assert np.abs((ahead[2] - behind[2]) / (2 * h) - motion.jerk(t)).max() < 1e-6
    assert not motion(motion.t0)[1].any() and not motion(motion.t1)[1].any()
    assert (motion(0.0)[0] == X0).all() and (motion(99.0)[0] == X1).all()


@pytest.mark.parametrize("which", ["line", "arc", "screw"])
@pytest.mark.parametrize("jerk", [None, 4.0, 0.3])
def test_limits_of_the_pole_and_of_the_turning_are_kept(which: str, jerk: float | None, rng) -> None:
    for _ in range(5):
        X0, X1 = some_pose(rng), some_pose(rng)
        if which == "arc":
            path = arc_path(X0, rng.uniform(-2, 2, 3), X1)
        else:
            path = {"line": line_path, "screw": screw_path}[which](X0, X1)
        motion = along(path, limits=Limits(0.7, 1.1, jerk), turn_limits=Limits(0.9, 1.5, jerk))
        t = np.linspace(motion.t0, motion.t1, 3001)
        _, twist, rate = motion(t)
        above = 1.0 + 1e-11  # rounding
        for values, turning, moving in ((twist, 0.9, 0.7), (rate, 1.5, 1.1), (motion.jerk(t), jerk, jerk)):
            if turning is not None:
                assert np.linalg.norm(values[:, :3], axis=1).max() <= turning * above
                assert np.linalg.norm(values[:, 3:], axis=1).max() <= moving * above
        used = [np.linalg.norm(values[:, k : k + 3], axis=1).max() for values in (twist, rate) for k in (0, 3)]
        # A straight way uses one of its limits in full.
        if which == "line" and jerk is None:
            assert max(np.array(used) / [0.9, 0.7, 1.5, 1.1]) == pytest.approx(1.0, abs=1e-9)


def test_a_line_at_limits_is_as_fast_as_its_length() -> None:
    X0, X1 = np.eye(4), homogeneous([1.0, 0, 0, 0], [0.0, 3.0, 4.0])
    limits = Limits(1.0, 2.0, 8.0)
    motion = along(line_path(X0, X1), limits=limits)
    assert motion.t1 == pytest.approx(fastest_move(0.0, 5.0, limits).duration, rel=1e-14)
    # A body that stays takes no time.
    assert along(line_path(X0, X0), limits=limits).t1 == 0.0


@pytest.mark.parametrize("stages", [None, (1, 5), (3, 4)])
def test_staged_poses_turn_about_one_axis_at_a_time(stages, rng) -> None:
    X0, X1 = some_pose(rng), some_pose(rng)
    distance = np.linalg.norm(X1[:3, 3] - X0[:3, 3])
    step = distance / 9.5
    X = staged_waypoints(X0, X1, step, stages=stages)
    assert X.shape == (10, 4, 4) and (X[-1] == X1).all()
    p = np.concatenate([X0[None], X])[:, :3, 3]
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1)
    assert np.abs(lengths[:-1] - step).max() < 1e-12 and lengths[-1] == pytest.approx(step / 2, abs=1e-12)
    way = (X1 - X0)[:3, 3] / distance
    assert np.abs(np.cross(p - p[0], way)).max() < 1e-12
    first, second = stages or (3, 7)
    axes = X0[:3, :3]
    R = np.concatenate([X0[None], X])[:, :3, :3]
    for k in range(10):
        by = R[k + 1] @ R[k].T  # in W, from one pose to the next
        axis = 0 if k < first else 1 if k < second else 2
        # A turn about the axis of the frame of the beginning leaves that axis where it is.
        assert np.abs(by @ axes[:, axis] - axes[:, axis]).max() < 1e-12
    # Within a stage all turns are the same.
    by = R[1:] @ R[:-1].transpose(0, 2, 1)
    for begin, end in ((0, first), (first, second), (second, 10)):
        assert np.abs(by[begin:end] - by[begin]).max() < 1e-12


def test_staged_poses_of_a_short_way_and_at_the_singular_angle() -> None:
    X0 = np.eye(4)
    half = 0.5**0.5
    X1 = homogeneous([half, 0.0, half, 0.0], [0.01, 0.0, 0.0])  # a quarter turn about y
    X = staged_waypoints(X0, X1, 1.0)
    assert len(X) == 3 and (X[-1] == X1).all() and (X[:, 0, 3] == 0.01).all()
    assert np.abs(X[:, :3, :3] @ X[:, :3, :3].transpose(0, 2, 1) - np.eye(3)).max() < 1e-15
    # The pose before the goal is already turned about x and y.
    assert np.abs(X[1] - X[2]).max() < 1e-15
    assert len(staged_waypoints(X0, X0, 0.1)) == 3


def test_tables_of_two_poses() -> None:
    half = 0.5**0.5
    X0, X1 = np.eye(4), homogeneous([half, 0.0, 0.0, half], [0.2, 0.0, 0.1])
    for start in (X0, Pose(place=np.zeros(3), quaternion=np.array([1.0, 0, 0, 0]))):
        table = motion_between(start, X1, duration=2.0, every=0.01)
        assert table.names == ("x", "y", "z", "qw", "qx", "qy", "qz") and len(table.times) == 201
        assert np.abs(table.values[-1] - [0.2, 0.0, 0.1, half, 0.0, 0.0, half]).max() < 1e-15
        assert np.abs(np.linalg.norm(table.values[:, 3:], axis=1) - 1.0).max() < 1e-15
        assert np.abs(np.diff(table.values, axis=0)).max() < 0.02
    for way in ("line", "screw"):
        fast = motion_between(X0, X1, limits=Limits(1.0, 1.0, 10.0), every=0.01, kind="fastest", way=way)
        assert fast.values[-1, :3] == pytest.approx([0.2, 0.0, 0.1], abs=1e-15)
    turn = homogeneous([half, 0.0, 0.0, half], [0.0, 0.0, 0.0])
    only = motion_between(X0, turn, limits=Limits(1.0, 1.0), every=0.01, kind="cubic")
    assert not only.values[:, :3].any() and only.times[-1] == pytest.approx((6.0 * np.pi / 2) ** 0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: line_path(np.eye(3), np.eye(4)), "wrong-shape"),
        (lambda: line_path(np.eye(4), np.full((4, 4), np.nan)), "bad-numbers"),
        (lambda: line_path(np.eye(4), "there"), "bad-numbers"),
        (lambda: screw_path(np.eye(4), np.ones((4, 4))), "no-displacement"),
        (lambda: arc_path(np.eye(4), [0.0, 0, 0], homogeneous([1.0, 0, 0, 0], [1, 0, 0])), "no-arc"),
        (lambda: arc_path(np.eye(4), [0.5, 0, 0], homogeneous([1.0, 0, 0, 0], [1, 0, 0])), "no-arc"),
        (lambda: arc_path(np.eye(4), [0.5, 0], homogeneous([1.0, 0, 0, 0], [1, 0, 0])), "wrong-shape"),
        (lambda: along(line_path(np.eye(4), np.eye(4))), "no-duration"),
        (
            lambda: along(
                line_path(np.eye(4), homogeneous([1.0, 0, 0, 0], [1, 0, 0])), turn_limits=Limits(1.0, 1.0)
            ),
            "no-duration",
        ),
        (lambda: along(line_path(np.eye(4), np.eye(4)), polynomial_move(0.0, 2.0, 1.0)), "bad-profile"),
        (lambda: along(line_path(np.eye(4), np.eye(4)), polynomial_move([0, 0], [1, 1], 1.0)), "wrong-shape"),
        (lambda: waypoints(line_path(np.eye(4), np.eye(4)), 1), "wrong-shape"),
        (lambda: staged_waypoints(np.eye(4), np.eye(4), 0.0), "not-positive"),
        (lambda: staged_waypoints(np.eye(4), np.eye(4), np.nan), "bad-numbers"),
        (lambda: staged_waypoints(np.eye(4), np.eye(4), 1.0, stages=(2, 2)), "bad-stages"),
        (lambda: staged_waypoints(np.eye(4), np.eye(4), 1.0, stages=(1, 2, 3)), "wrong-shape"),
        (lambda: motion_between([0.0], [1.0], every=0.1), "no-duration"),
        (lambda: motion_between([0.0], [1.0], every=0.1, kind="fastest"), "no-duration"),
        (lambda: motion_between([0.0], [1.0], every=0.1, duration=1.0, way="somehow"), "unknown-word"),
        (lambda: motion_between(np.eye(4), [1.0], every=0.1, duration=1.0), "wrong-shape"),
        (lambda: motion_between([1.0], Pose(place=np.zeros(3), quaternion=np.eye(4)[0]), every=0.1, duration=1.0), "wrong-shape"),
    ],
)  # fmt: skip
def test_wrong_calls_are_told_in_both_languages(call, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code and diagnostic.message.en != diagnostic.message.ru
