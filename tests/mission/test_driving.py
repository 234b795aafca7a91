"""Driving to a place in the way of the fourth paper: turn, go, turn; and round what stands in the way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.driving import COURSES, EPS1, EPS2, clearance, outcome, random_course, scout

STOPPING = 0.01
"""How far the scout rolls after its tracks have been told to stop [m]: a tick of 20 ms at 0.5 m/s."""


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ((0.0, 0.0, 40.0), (3.0, 0.0, 0.0)),
        ((0.0, 0.0, 180.0), (3.0, 0.0, 0.0)),  # it looks the opposite way at first
        ((0.0, 0.0, 0.0), (2.0, 1.5, 0.0)),
        ((1.0, -1.0, -120.0), (-1.0, 1.0, 90.0)),
        ((0.0, 0.0, 0.0), (2.0, 0.0, 180.0)),  # and here in the end
    ],
)
def test_D4(start: tuple[float, float, float], goal: tuple[float, float, float]) -> None:
    run = scout([], start=start, goal=goal).simulate(40.0)
    assert outcome(run) == "there"
    x, y, turn = run.q[-1][:3]
    assert math.hypot(x - goal[0], y - goal[1]) <= EPS1 + STOPPING
    off = turn - math.radians(goal[2])
    assert math.cos(off) > 0.0
    assert abs(math.sin(off)) <= EPS2
    # Three stages, one after the other: to the goal, and there to the direction.
    stages = [run.quantity(f"go.{name}") > 0.5 for name in ("drive", "arrive")]
    last, first = np.flatnonzero(stages[0])[-1], np.flatnonzero(stages[1])[0]
    assert last < first


@pytest.mark.parametrize("name", COURSES)
def test_D5(name: str) -> None:
    boxes = COURSES[name]
    run = scout(boxes).simulate(60.0)
    assert outcome(run) == "there"
    assert clearance(run, boxes) > 0.03


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4, 5])
def test_D5_with_other_rangefinders(count: int) -> None:
    for boxes in COURSES.values():
        run = scout(boxes, count).simulate(60.0)
        assert outcome(run) == "there"
        assert clearance(run, boxes) > 0.03


@pytest.mark.slow
def test_D5_on_random_courses() -> None:
    """A hundred courses of convex obstacles, two to five rangefinders a side: the goal without a touch on 99 at least."""
    rng = np.random.default_rng(7)
    good = 0
    for number in range(100):
        boxes = random_course(rng)
        run = scout(boxes, 2 + number % 4, goal=(8.0, 0.0, 0.0)).simulate(80.0)
        good += outcome(run) == "there" and clearance(run, boxes) > 0.0
    assert good >= 99


@pytest.mark.slow
def test_E5_the_loop_as_it_was_printed_drives_into_what_it_follows() -> None:
    """With three rangefinders a side, the free course is one of two at most that it passes."""
    passed = []
    for name, boxes in COURSES.items():
        run = scout(boxes, as_printed=True).simulate(60.0)
        if outcome(run) == "there" and clearance(run, boxes) > 0.0:
            passed.append(name)
    assert "free" in passed
    assert len(passed) <= 2


def test_one_rangefinder_a_side_cannot_see_corners() -> None:
    """Why one is too few: a wall that ends beside the only ray ahead is hit by the corner of the hull."""
    run = scout(COURSES["thin wall"], 1).simulate(60.0)
    assert clearance(run, COURSES["thin wall"]) < 0.0
