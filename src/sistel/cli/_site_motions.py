"""The motion of an arm of a site that nothing drives: through its postures, or every joint to and fro, and back."""

from __future__ import annotations

from itertools import pairwise
from math import radians
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.system import System

SWING = {"turn": radians(40.0), "slide": 0.1}
"""How far a joint without near limits goes to each side [rad, m]."""
SPEED = {"turn": radians(60.0), "slide": 0.15}
"""At which joints pass the middle between two postures, unless their own limit is lower [rad/s, m/s]."""
ROOM = 0.6
"""Which part of the way to its limit a joint goes."""
SHARE = 0.8
"""Which part of its own limit of speed a joint uses."""
PEAK = 1.5
"""The greatest speed of a cubic from rest to rest, by its mean."""


def exercised(system: System) -> tuple[System, float]:
    """An arm of hinges and slides that goes from its start through a few postures and back, and how long it takes [s].

    The postures are those of its file; where these leave a joint alone, all joints go to one side and to the other
    before. The arm rests at each of them.
    """
    import numpy as np

    from sistel.motion.trajectories import MotionTable

    model = system.model
    joints = [body.joint for body in model.bodies if body.joint.type.nv]
    kinds = ["turn" if joint.type.rates[0][1] == "turn" else "slide" for joint in joints]
    speeds = [min(SPEED[kind], SHARE * joint.speed[0]) for kind, joint in zip(kinds, joints, strict=True)]
    stations = _stations(model, kinds)
    times = [model.start_time]
    for one, other in pairwise(stations):
        ways = zip(one, other, speeds, strict=True)
        times.append(times[-1] + PEAK * max(abs(there - here) / speed for here, there, speed in ways))
    table = MotionTable(
        times=np.array(times),
        values=np.array(stations),
        names=tuple(model.coordinate_names),
        units=tuple("rad" if kind == "turn" else "m" for kind in kinds),
    )
    return system.with_motion(table), times[-1] - times[0]


def _stations(model: Model, kinds: list[str]) -> list[tuple[float, ...]]:
    """Where the arm rests, from its start to its start."""
    start = model.start.q
    named = [posture.q for posture in model.postures]
    alone = any(len(set(values)) == 1 for values in zip(start, *named, strict=True))
    ways = [start, *(_sides(model, kinds) if alone else ()), *named]
    others = [here for before, here in pairwise(ways) if here != before]
    while others and others[-1] == start:
        others.pop()
    return [start, *others, start]


def _sides(model: Model, kinds: list[str]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two postures with every joint to one side of the start and to the other, well within limits."""
    up: list[float] = []
    down: list[float] = []
    moving = [body for body in model.bodies if body.joint.type.nv]
    for body, here, kind in zip(moving, model.start.q, kinds, strict=True):
        low, high = model.limits(body, 0)
        up.append(here + min(SWING[kind], ROOM * max(high - here, 0.0)))
        down.append(here - min(SWING[kind], ROOM * max(here - low, 0.0)))
    return tuple(up), tuple(down)
