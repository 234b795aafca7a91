"""Courses for the scout of the gallery: other obstacles, other rangefinders, the loop as it was printed; and whether it
touches anything, by another geometry than that of its rays."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import sistel

if TYPE_CHECKING:
    from sistel.arrays import Array

SCOUT = Path(__file__).parents[2] / "models" / "scout.xml"
FUZZY = SCOUT.with_name("fuzzy_scout.xml")
LENGTH, WIDTH = 0.6, 0.4
NEAR, CLOSE, EPS1, EPS2 = 0.25, 0.5, 0.05, 0.03

Box = tuple[float, float, float, float, float]
"""Centre, sizes [m] and turn [degrees]."""

COURSES: dict[str, list[Box]] = {
    "free": [],
    "box centred": [(3.0, 0.0, 0.8, 0.8, 0.0)],
    "box to the left": [(3.0, -0.35, 0.8, 0.8, 0.0)],
    "box to the right": [(3.0, 0.35, 0.8, 0.8, 0.0)],
    "thin wall": [(3.0, 0.0, 0.1, 1.5, 0.0)],
    "two boxes": [(2.0, 0.0, 0.8, 0.8, 0.0), (4.2, 0.5, 0.8, 0.8, 0.0)],
    "wall of 3 m": [(3.0, 0.0, 0.1, 3.0, 0.0)],
}


def printed(text: str) -> str:
    """The loop as the paper has it: on the way round an obstacle nothing looks ahead."""
    text = text.replace("d left le close and d front gt near", "d left le close")
    text = re.sub(r'(<state name="follow">\s*)<go to="round"[^>]*/>', r"\1", text)
    return re.sub(r'<go to="seek" after="[^"]*"/>', "", text)


SLOTS = 3
"""How many boxes a course has at most."""

AWAY: Box = (1000.0, 0.0, 0.01, 0.01, 0.0)
"""A box out of sight, for those that a course does not have."""

BOX_FIELDS = ("x", "y", "length", "width", "turn")


@cache
def any_scout(count: int, as_printed: bool) -> sistel.System:
    """The scout with all of its course in parameters, so that one compiled model drives on every course.

    Args:
        count: Rangefinders on each side.
        as_printed: Whether it follows the loop of the paper.
    """
    text = SCOUT.read_text(encoding="utf-8")
    text = printed(text) if as_printed else text
    text = re.sub(r'\s*<frame name="(left|front|right) \d"[^>]*/>', "", text)
    along = [0.0] if count == 1 else np.linspace(-300, 300, count).tolist()
    across = [0.0] if count == 1 else np.linspace(-230, 230, count).tolist()
    frames = "".join(
        f'<frame name="left {i}" place="{x},-200" turn="-90"/><frame name="right {i}" place="{x},200" turn="90"/>'
        f'<frame name="front {i}" place="300,{y}"/>'
        for i, (x, y) in enumerate(zip(along, across, strict=True), 1)
    )
    text = text.replace("<force in=", f"{frames}<force in=")
    for side in ("left", "front", "right"):
        rays = ", ".join(f"{side} {i}" for i in range(1, count + 1))
        text = re.sub(rf'(<sensor name="{side}" [^>]*rays=")[^"]*', rf"\g<1>{rays}", text)
    return on_any_course(text)


def on_any_course(text: str) -> sistel.System:
    """A scout with its obstacles and its start in parameters."""
    names = [f"{field}{i}" for i in range(SLOTS) for field in BOX_FIELDS] + ["start x", "start y", "start turn"]
    given = "".join(f'<parameter name="{name}" value="1 {"rad" if "turn" in name else "m"}"/>' for name in names)
    shapes = "".join(
        f'<box name="o{i}" place="x{i}, y{i}" size="length{i}, width{i}" turn="turn{i}"/>' for i in range(SLOTS)
    )
    text = re.sub(r"<world>.*?</world>", f"{given}<world>{shapes}</world>", text, flags=re.DOTALL)
    return sistel.parse(re.sub(r'<start scout="[^"]*"/>', '<start scout="start x, start y, start turn"/>', text))


@cache
def any_fuzzy_scout() -> sistel.System:
    """The fuzzy scout with all of its course in parameters."""
    return on_any_course(FUZZY.read_text(encoding="utf-8"))


def drive(
    until: float,
    boxes: list[Box],
    count: int = 3,
    *,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    goal: tuple[float, float, float] = (6.0, 0.0, 0.0),
    as_printed: bool = False,
) -> sistel.Run:
    """A run of the scout on a course.

    Args:
        until: When it ends [s].
        boxes: Obstacles.
        count: Rangefinders on each side.
        start: Place [m] and turn [degrees].
        goal: Place [m] and turn [degrees].
        as_printed: Whether it follows the loop of the paper.
    """
    return any_scout(count, as_printed).simulate(until, parameters=_given(boxes, start, goal))


def _given(boxes: list[Box], start: tuple[float, float, float], goal: tuple[float, float, float]) -> dict[str, float]:
    """The parameters of a course."""
    given: dict[str, float] = {}
    for i, box in enumerate([*boxes, *[AWAY] * (SLOTS - len(boxes))]):
        given |= {f"{field}{i}": value for field, value in zip(BOX_FIELDS, box, strict=True)}
        given[f"turn{i}"] = math.radians(box[-1])
    for name, (x, y, turn) in {"start": start, "goal": goal}.items():
        given |= {f"{name} x": x, f"{name} y": y, f"{name} turn": math.radians(turn)}
    return given


def drive_fuzzily(
    until: float,
    boxes: list[Box],
    shapes: bool,
    *,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    goal: tuple[float, float, float] = (6.0, 0.0, 0.0),
) -> sistel.Run:
    """A run of the fuzzy scout on a course, by the table of Sugeno or by the shapes of Mamdani."""
    given = {**_given(boxes, start, goal), "shapes": float(shapes)}
    return any_fuzzy_scout().simulate(until, parameters=given)


def driven(run: sistel.Run, left: str, right: str, there: str) -> tuple[float, float, float]:
    """Until the goal is reached: the time [s], the length of the way [m], and how much the speeds of both tracks were
    changed on it [m/s]: the less, the smoother."""
    held = run.quantity(there) > 0.5
    end = int(np.argmax(held)) if held.any() else len(held) - 1
    steps = np.diff(run.q[: end + 1, :2], axis=0)
    changed = sum(float(np.abs(np.diff(run.quantity(track)[: end + 1])).sum()) for track in (left, right))
    return float(run.t[end]), float(np.hypot(steps[:, 0], steps[:, 1]).sum()), changed


def corners(x: Array, y: Array, a: float, b: float, turn: Array) -> Array:
    """Corners of rectangles [m], shape (count, 4, 2)."""
    u = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    v = np.stack([-np.sin(turn), np.cos(turn)], axis=-1)
    centre = np.stack([x, y], axis=-1)
    return np.stack([centre + i * a / 2 * u + j * b / 2 * v for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))], axis=1)


def clearance(run: sistel.Run, boxes: list[Box]) -> float:
    """The least gap between the hull and the obstacles at the rows of a run [m]; negative where they overlap.

    It is the greatest gap along a normal of a side of either, which is never more than the distance.
    """
    least = math.inf
    hull = corners(run.q[:, 0], run.q[:, 1], LENGTH, WIDTH, run.q[:, 2])
    for x, y, a, b, tilt in boxes:
        box = corners(np.array([x]), np.array([y]), a, b, np.radians([tilt]))
        gaps = []
        for one in (hull, box):
            for i in range(2):
                side = one[:, i + 1] - one[:, i]
                normal = np.stack([side[:, 1], -side[:, 0]], axis=-1) / np.hypot(side[:, 0], side[:, 1])[:, None]
                first, second = (np.sum(each * normal[:, None], axis=-1) for each in (hull, box))
                gaps += [second.min(axis=1) - first.max(axis=1), first.min(axis=1) - second.max(axis=1)]
        least = min(least, float(np.max(gaps, axis=0).min()))
    return least


def outcome(run: sistel.Run) -> str:
    """The name of the state in which the behaviour ends."""
    (chart,) = (each for scheme in run.model.schemes for each in scheme.behaviours)
    return chart.states[round(float(run.quantity("go", run.end)))].name


TRIES = 100
"""After how many places in vain a random course is begun anew: boxes that stand badly leave no room for the next."""


def random_course(rng: np.random.Generator) -> list[Box]:
    """One to three boxes, far enough from each other, the start and the goal for the scout to pass between."""
    wanted = int(rng.integers(1, 4))
    while True:
        boxes: list[Box] = []
        for _ in range(TRIES):
            a, b = rng.uniform(0.2, 1.4, 2).tolist()
            made = (*rng.uniform((1.6, -1.2), (6.4, 1.2)).tolist(), a, b, float(rng.uniform(-90, 90)))
            if has_room(made, boxes):
                boxes.append(made)
            if len(boxes) == wanted:
                return boxes


def has_room(made: Box, others: list[Box]) -> bool:
    """Whether the scout passes between a box and all others, its start and its goal."""
    ends = ((0.0, 0.0), (8.0, 0.0))
    reach = math.hypot(made[2], made[3]) / 2
    return all(math.dist(made[:2], end) - reach > 1.1 for end in ends) and all(
        math.dist(made[:2], other[:2]) - reach - math.hypot(other[2], other[3]) / 2 > 1.4 for other in others
    )
