"""Smooth passages between timed poses, from rest to rest: the pole goes straight, the body turns the shortest way.

The part of the way is a polynomial of the part of the time. All three of them have the four end conditions of rest;
what is left free makes the acceleration begin at zero (quartic) or begin and end at zero (quintic).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.pose._codes import Pose, TimedPose
from sistel.pose._quaternions import conjugate, multiply, normalised
from sistel.pose._turns import from_rotation_vector, to_rotation_vector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


Profile = Literal["cubic", "quartic", "quintic"]

PROFILES: dict[Profile, tuple[int, ...]] = {
    "cubic": (0, 3, -2),
    "quartic": (0, 0, 4, -3),
    "quintic": (0, 0, 10, -15, 6),
}
"""Coefficients of the powers of the part of the time, from 1 on."""

REST = Pose(place=np.zeros(3), quaternion=np.array([1.0, 0.0, 0.0, 0.0]))
"""In the centre of the scene, fingers right, thumb up."""


def part_of_way(part: ArrayLike, profile: Profile = "cubic") -> tuple[Array, Array, Array]:
    """Part of the way, and its first and second derivatives by the part of the time, from 0 to 1."""
    tau = np.asarray(part, dtype=float)
    powers = PROFILES[profile]
    values = [np.zeros_like(tau) for _ in range(3)]
    for k in range(len(powers), 0, -1):
        a = powers[k - 1]
        values[0] = values[0] + a * tau**k
        values[1] = values[1] + a * k * tau ** (k - 1)
        if k > 1:
            values[2] = values[2] + a * k * (k - 1) * tau ** (k - 2)
    return values[0], values[1], values[2]


def pass_through(
    transitions: Sequence[TimedPose],
    t: ArrayLike,
    *,
    profile: Profile = "cubic",
    start: Pose = REST,
) -> tuple[Array, Array]:
    """Where a gripper is at some times on its way through timed poses, each reached exactly and left from rest.

    Args:
        transitions: The poses and when they are reached; a first one at time 0 is where it begins.
        t: Times since the beginning [s], any shape; before it and after the end the gripper rests.
        profile: How the way depends on the time.
        start: Where it is at time 0, unless the first pose says so.

    Returns:
        Places of the pole, shape (..., 3) [m], and unit quaternions, shape (..., 4).

    Raises:
        SistelError: The times do not grow.
    """
    known = list(transitions)
    if not known or known[0].time > 0.0:
        known.insert(0, TimedPose(time=0.0, pose=start))
    times = np.array([each.time for each in known])
    if not (np.diff(times) > 0.0).all():
        message = Text("the times of the poses do not grow", "времена положений не возрастают")
        refuse("wrong-time", message)
    places = np.array([each.pose.place for each in known])
    turns = np.array([each.pose.quaternion for each in known])
    asked = np.asarray(t, dtype=float)
    first = np.clip(np.searchsorted(times, asked, side="right") - 1, 0, max(0, len(known) - 2))
    if len(known) == 1:
        return np.broadcast_to(places[0], (*asked.shape, 3)).copy(), np.broadcast_to(turns[0], (*asked.shape, 4)).copy()
    length = times[first + 1] - times[first]
    way = part_of_way(np.clip((asked - times[first]) / length, 0.0, 1.0), profile)[0][..., None]
    place = places[first] + way * (places[first + 1] - places[first])
    vectors = to_rotation_vector(normalised(multiply(conjugate(turns[:-1]), turns[1:])))
    turned = multiply(turns[first], from_rotation_vector(way * vectors[first]))
    # To the bit what was asked for where it was asked for.
    at_end = way[..., 0] == 1.0
    place[at_end], turned[at_end] = places[first + 1][at_end], turns[first + 1][at_end]
    return place, normalised(turned)
