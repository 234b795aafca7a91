"""Smooth passages between timed poses."""

from __future__ import annotations

import numpy as np
import pytest

from sistel.errors import SistelError
from sistel.pose import PROFILES, REST, TimedPose, angle_between, part_of_way, pass_through, read_transitions, turn

CODE = [1.0, 0, 5, 0.2, 0, 0, 13, 2.5, 0, 5, 0.2, 0.3, 0, 64, 4.0, 1, 0, 0.5, 90, 0.1, 1, 1, 1, 240]


@pytest.mark.parametrize("profile", PROFILES)
def test_poses_are_reached_exactly_and_at_rest(profile: str) -> None:
    poses = read_transitions(CODE)
    times = [each.time for each in poses]
    place, q = pass_through(poses, times, profile=profile)  # type: ignore[arg-type]
    for i, each in enumerate(poses):
        assert place[i].tolist() == each.pose.place.tolist()
        assert angle_between(q[i], each.pose.quaternion) < 1e-15
    h = 1e-6
    for time in (0.0, *times):
        ahead, turned = pass_through(poses, [time, time + h, time - h], profile=profile)  # type: ignore[arg-type]
        # At rest: what moves within h is of second order.
        assert np.abs(ahead - ahead[0]).max() < 20 * h**2 and angle_between(turned, turned[0]).max() < 100 * h**2


@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_meet_their_end_conditions(profile: str) -> None:
    (s0, s1), (v0, v1), (a0, a1) = part_of_way([0.0, 1.0], profile)  # type: ignore[arg-type]
    assert (s0, s1, v0, v1) == (0, 1, 0, 0)
    assert (profile == "cubic") == (a0 != 0) and (profile == "quintic") == (a1 == 0)
    tau = np.linspace(0, 1, 1001)
    s, v, a = part_of_way(tau, profile)  # type: ignore[arg-type]
    assert (v >= 0).all() and np.abs(np.gradient(s, tau)[1:-1] - v[1:-1]).max() < 1e-4
    assert np.abs(np.gradient(v, tau)[1:-1] - a[1:-1]).max() < 1e-3


def test_it_turns_the_shortest_way_about_one_axis() -> None:
    poses = read_transitions([2.0, 0, 3, 0, 0, 0, 0.5, -0.5, -0.5, 0.5])
    _, q = pass_through(poses, np.linspace(0, 2, 50))
    axis = np.array([-1.0, -1.0, 1.0])
    assert np.abs(turn(q, axis) - axis).max() < 1e-14
    total = angle_between(q[1:], q[:-1]).sum()
    assert total == pytest.approx(2 * np.pi / 3, rel=1e-12)


def test_before_and_after_it_rests() -> None:
    poses = read_transitions(CODE)
    place, q = pass_through(poses, [[-1.0, 0.0], [4.0, 99.0]])
    assert (place[0] == 0).all() and (place[1, 0] == place[1, 1]).all() and (q[0] == [1, 0, 0, 0]).all()
    assert pass_through([], [1.0, 2.0])[0].tolist() == [[0, 0, 0]] * 2
    with pytest.raises(SistelError, match="do not grow"):
        pass_through([TimedPose(time=2.0, pose=REST), TimedPose(time=1.0, pose=REST)], 1.0)
