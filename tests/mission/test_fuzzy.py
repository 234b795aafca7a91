"""The obstacle course by fuzzy rules: a table of Sugeno, and rules of Mamdani, against the loop of the fourth paper."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.driving import COURSES, EPS1, EPS2, clearance, drive, drive_fuzzily, driven, random_course

STOPPING = 0.02
"""How far it rolls after its tracks have been told to stop [m]."""


@pytest.mark.parametrize("shapes", [False, True], ids=["Sugeno", "Mamdani"])
@pytest.mark.parametrize("name", COURSES)
def test_D18(name: str, shapes: bool) -> None:
    """It reaches the goal without a touch, and its tracks are driven more smoothly than by the printed loop.

    The printed loop drives into what stands in the way on all courses but the free one: its way is short for that.
    Against the loop that looks ahead again, the fuzzy scout is sooner there on every course with an obstacle.
    """
    boxes = COURSES[name]
    run, printed, corrected = (
        drive_fuzzily(60.0, boxes, shapes),
        drive(60.0, boxes, as_printed=True),
        drive(60.0, boxes),
    )
    assert run.quantity("there")[-1] == 1.0
    x, y, turn = run.q[-1][:3]
    assert math.hypot(x - 6.0, y) <= EPS1 + STOPPING and abs(math.sin(turn)) <= EPS2 + 0.01
    assert clearance(run, boxes) > 0.06
    time, _, changed = driven(run, "L", "R", "there")
    other, _, changed_so = driven(printed, "go.L", "go.R", "go.there")
    then = driven(corrected, "go.L", "go.R", "go.there")
    if not boxes:
        assert (time, changed) == (other, pytest.approx(changed_so))
        return
    assert clearance(printed, boxes) < 0.0
    assert changed < changed_so and changed < then[2]
    assert time < then[0]


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [False, True], ids=["Sugeno", "Mamdani"])
def test_D18_on_random_courses(shapes: bool) -> None:
    """The hundred courses of the scout; what becomes of them is printed."""
    rng = np.random.default_rng(7)
    failed, ratios = [], []
    for number in range(100):
        boxes = random_course(rng)
        run = drive_fuzzily(80.0, boxes, shapes, goal=(8.0, 0.0, 0.0))
        if run.quantity("there")[-1] < 0.5 or clearance(run, boxes) <= 0.0:
            failed.append((number, bool(run.quantity("there")[-1] > 0.5), clearance(run, boxes)))
            continue
        then = driven(drive(80.0, boxes, goal=(8.0, 0.0, 0.0)), "go.L", "go.R", "go.there")
        ratios.append([a / b for a, b in zip(driven(run, "L", "R", "there"), then, strict=True)])
    means = np.mean(ratios, axis=0)
    print(f"random courses: {100 - len(failed)} of 100, else (course, there, gap): {failed}")
    print(f"against the scout: time {means[0]:.2f}, way {means[1]:.2f}, changes of speed {means[2]:.2f}")
    assert len(failed) <= 1, failed
    assert means[2] < 0.5
