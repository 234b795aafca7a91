"""The fuzzy scout against scikit-fuzzy, which has shapes on a grid: what both make of the readings along a course."""

from __future__ import annotations

import numpy as np
import pytest
from support.driving import COURSES, any_fuzzy_scout, drive_fuzzily

skfuzzy = pytest.importorskip("skfuzzy", reason="scikit-fuzzy is not installed")

pytestmark = pytest.mark.peer

GRID = np.linspace(-1.5, 1.5, 12_001)
"""Corners of all output terms are among them."""
TERMS = {"hard left": -1.0, "left": -0.5, "straight": 0.0, "right": 0.5, "hard right": 1.0}
TABLE = [
    ["hard left", "hard left", "right"],
    ["hard left", "left", "right"],
    ["left", "straight", "right"],
    ["left", "right", "hard right"],
    ["left", "hard right", "hard right"],
]


def degrees(x: float, points: list[list[float]]) -> list[float]:
    """How much a value is each of several trapezoids; those at the ends go on beyond."""
    reach = np.array([min(each[0] for each in points), max(each[-1] for each in points)])
    x = float(np.clip(x, *reach))
    return [float(skfuzzy.trapmf(np.array([x]), each)[0]) for each in points]


def rules(bearing: float, pressed: float, ahead: float, room: float) -> list[tuple[list[float], str]]:
    """What each rule asks, and its term."""
    bends = np.radians([-60, -50, -20, 0, 20, 50, 60])
    goal = degrees(
        bearing,
        [
            [bends[0], bends[0], *bends[1:3]],
            *([*bends[[i, i + 1]], *bends[[i + 1, i + 2]]] for i in (1, 2, 3)),
            [*bends[4:6], bends[6], bends[6]],
        ],
    )
    beside = degrees(pressed, [[-1, -1, -1, 0], [-1, 0, 0, 1], [0, 1, 1, 1]])
    near, clear = degrees(ahead, [[0.3, 0.3, 0.4, 1.0], [0.4, 1.0, 3.0, 3.0]])
    left, right = degrees(room, [[-0.2, -0.2, -0.1, -0.05], [-0.1, -0.05, 1.0, 1.0]])
    made = [
        ([clear, a, b], term) for a, row in zip(goal, TABLE, strict=True) for b, term in zip(beside, row, strict=True)
    ]
    return [*made, ([near, left], "hard left"), ([near, right], "hard right")]


def mamdani(given: list[tuple[list[float], str]]) -> float:
    """The least of what a rule asks cuts its term; the centroid of the greatest of these."""
    whole = np.zeros_like(GRID)
    for asked, term in given:
        centre = TERMS[term]
        shape = skfuzzy.trimf(GRID, [centre - 0.5, centre, centre + 0.5])
        whole = np.fmax(whole, np.fmin(min(asked), shape))
    return float(skfuzzy.defuzz(GRID, whole, "centroid"))


def sugeno(given: list[tuple[list[float], str]]) -> float:
    """The weighted mean of numbers, first of the table and then of what it says and the other two."""
    *table, left, right = given
    weights = [asked[1] * asked[2] for asked, _ in table]
    steer = sum(w * TERMS[term] for w, (_, term) in zip(weights, table, strict=True)) / sum(weights)
    clear = table[0][0][0]
    parts = [(clear, steer), (left[0][0] * left[0][1], -1.0), (right[0][0] * right[0][1], 1.0)]
    return sum(w * value for w, value in parts) / sum(w for w, _ in parts)


def test_the_rules_of_the_fuzzy_scout() -> None:
    run = drive_fuzzily(25.0, COURSES["two boxes"], True)
    times = np.arange(0.01, 16.0, 0.2)
    names = ("bearing", "pressed", "d front", "d right", "d left", "mamdani", "sugeno")
    rows = np.stack([run.quantity(name, times) for name in names], axis=1)
    assert np.ptp(rows[:, 5]) > 1.0, "both ways"
    for bearing, pressed, front, right, left, shapes, table in rows.tolist():
        given = rules(bearing, pressed, front, right - left)
        assert sugeno(given) == pytest.approx(table, abs=1e-13)
        # the grid has corners of terms, not those where they are cut
        assert mamdani(given) == pytest.approx(shapes, abs=2e-7)
    assert any_fuzzy_scout().model.name == "fuzzy scout"
