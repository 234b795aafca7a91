"""A drive with a position profile: a set point on trapezoids of speed, a counter, and a loop between them.

At every tick a drive compares its counter, a whole number of increments, with its set point; the loop gives a force
within its limit. Then the set point goes on towards the goal, within the greatest speed and the acceleration. Corners
of the trapezoid lie between ticks, where they belong: positions at ticks are those of the closed form.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from sistel.arrays import Floats
from sistel.errors import Text
from sistel.expr import Routine
from sistel.model.blocks._law import Block, Given, Law, Memory

ROUNDED: Final = 4e-15
"""What rounding of positions may leave of a way, as a share of the position."""
CORNERS: Final = 12
"""Most corners of a profile within a tick: it may have to stop, turn, speed up, go on and stop again."""


def trapezoid(data: Floats, given: Floats, made: Floats) -> None:
    """Lead a set point towards its goal for a time; the profile is planned anew from where it is.

    Args:
        data: The time [s].
        given: Position, velocity, the greatest position since it last stood, goal, greatest speed, acceleration,
            deceleration; lengths in any unit [1/s, 1/s²].
        made: Position, velocity, the greatest position; what is left of the time after it has arrived [s].
    """
    time = data[0]
    p = given[0]
    v = given[1]
    target = given[3]
    speed = given[4]
    up = given[5]
    down = given[6]
    farthest = abs(p) if v == 0.0 else max(given[2], abs(p))
    near = ROUNDED * max(1.0, abs(target), farthest)
    there = False
    for _ in range(CORNERS):
        if time <= 0.0 or there or speed <= 0.0 or up <= 0.0 or down <= 0.0:
            break
        x = target - p
        s = 1.0 if x > 0.0 or (x == 0.0 and v > 0.0) else -1.0
        u = s * v
        way = s * x
        there = way <= near and u * u <= 2.0 * down * near
        if not there:
            brake = u * u / (2.0 * down)
            a = 0.0
            t = 0.0
            end = u
            if u < 0.0 or brake >= way - near:  # away from the goal, or so fast that braking is due
                a = -math.copysign(down, u)
                t = abs(u) / down
                end = 0.0
            elif u > speed * (1.0 + 1e-12):
                a = -down
                t = (u - speed) / down
                end = speed
            elif u < speed * (1.0 - 1e-12):
                peak = min(speed, math.sqrt((2.0 * up * down * way + down * u * u) / (up + down)))
                a = up
                t = (peak - u) / up
                end = peak
                if t <= 1e-15:
                    a = -down
                    t = u / down
                    end = 0.0
            else:
                t = (way - brake) / u
            if t >= time:
                p += s * time * (u + 0.5 * a * time)
                v = s * (u + a * time)
                time = 0.0
            else:
                p += s * t * (u + 0.5 * a * t)
                v = s * end
                time -= t
    if there or (abs(target - p) <= near and v * v <= 2.0 * down * near):
        p = target
        v = 0.0
    made[0] = p
    made[1] = v
    made[2] = farthest
    made[3] = time if p == target and v == 0.0 else 0.0


@cache
def profile_routine(period: float) -> Routine:
    """A routine that leads set points for a period [s]."""
    return Routine("trapezoid", (trapezoid,), 7, 4, [period])


def _law(given: Given) -> Law:
    """Everything inside is in increments; what comes out has the units of the file."""
    goal = "in"
    if "low" in given:
        goal = f"max({goal}, low)"
    if "high" in given:
        goal = f"min({goal}, high)"
    down = "deceleration" if "deceleration" in given else "acceleration"
    # Ratios of quantities of one kind are plain numbers, whatever their unit; sums and bounds refuse others.
    inner = {
        "goal": f"floor(({goal}) / (step) + 0.5)",
        "count": "floor((measured) / (step) + 0.5)",
        "from_p": "select(ticks > 0.5, p, count)",
        "from_v": "select(ticks > 0.5, v, 0)",
        "from_far": "select(ticks > 0.5, far, 0)",
        "top": "max((speed) / (step) * 1 s, 0.000001)",
        "up": "max((acceleration) / (step) * 1 s * 1 s, 0.000001)",
        "down": f"max(({down}) / (step) * 1 s * 1 s, 0.000001)",
    }
    inner["late"] = "(from_p - count) * (step)"
    stores = {
        "p": Memory(like="", following="made_0"),
        "v": Memory(like="", following="made_1"),
        "far": Memory(like="", following="made_2"),
    }
    shaft = "(rate)"
    if "rate" not in given:
        shaft = "select(ticks > 0.5, (count - last) * (step) / period, 0 * (step) / period)"
        stores["last"] = Memory(like="", following="count")
    inner["slower"] = f"from_v * (step) / 1 s - {shaft}"
    force = "(kp) * late + (kd) * slower"
    if "ki" in given:
        first = "select(ticks > 0.5, sum, start)" if "start" in given else "sum"
        inner["following"] = f"{first} + (ki) * late * period"
        force += " + following"
        # At its limit the integral waits.
        waits = f"select(abs({force}) <= limit, following, {first})" if "limit" in given else "following"
        stores["sum"] = Memory(like="(kp) * (step)", following=waits)
    elif "start" in given:
        force += " + start"
    there = "abs(from_p - goal) + abs(from_v) < 0.000001"
    parts = {
        "force": f"clamp({force}, -(limit), limit)" if "limit" in given else force,
        "position": "from_p * (step)",
        "rate": "from_v * (step) / 1 s",
        "counter": "count * (step)",
        "error": "late",
        "reached": f"{there} and abs(late) <= (band)" if "band" in given else there,
    }
    asked = ("from_p", "from_v", "from_far", "goal", "top", "up", "down")
    return Law("", stores, parts, inner, {"made": (profile_routine(given.period), asked)})


def _wrong(given: Given) -> tuple[str, Text] | None:
    if given.numbers["step"][0] > 0.0:
        return None
    return "step", Text("a positive increment: 360 deg/4096", "положительный инкремент: 360 град/4096")


PARTS: Final = ("force", "position", "rate", "counter", "error", "reached")

BLOCKS = (
    Block(
        key="drive",
        needs=("in", "measured", "step", "speed", "acceleration", "kp", "kd"),
        takes=("deceleration", "ki", "rate", "start", "limit", "low", "high", "band"),
        law=_law,
        parts=lambda given: PARTS,
        constants=("step",),
        wrong=_wrong,
        clocked=True,
    ),
)
