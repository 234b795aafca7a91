"""The bodies that pictures of orientations show, as arrangements of convex solids about their pole.

The gripper has its fingers along x and its thumb along y, as the codes say; the axes x, y, z stick out of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from sistel.pose import Vector3
from sistel.views.orientations._solids import Arrangement, Point, Solid, box, hull_between, line

SIDES = 24
"""Corners of a circle."""


def _ring(radius: float, sides: int = SIDES) -> list[Point]:
    turn = 2.0 * math.pi / sides
    return [(radius * math.cos(turn * (k + 0.5)), radius * math.sin(turn * (k + 0.5))) for k in range(sides)]


def _along_x(kind: str, outline: Sequence[Point], start: float, end: float, *, round: bool = False) -> Solid:
    """A prism along x of an outline in y and z."""
    return hull_between(kind, [(start, y, z) for y, z in outline], [(end, y, z) for y, z in outline], round=round)


def _bevelled(y: float, z: float, cut: float) -> list[Point]:
    """A rectangle of half sizes y and z with its corners cut off."""
    quarter = [(y, z - cut), (y - cut, z)]
    ring = [*quarter, *((-a, b) for a, b in quarter[::-1])]
    return [*ring, *((-a, -b) for a, b in ring)]


def _axes(x: float, y: float, z: float, length: float) -> list[Solid]:
    """The three axes, each from where it leaves the body."""
    return [
        line("axis-x", (x, 0.0, 0.0), (length, 0.0, 0.0)),
        line("axis-y", (0.0, y, 0.0), (0.0, length, 0.0)),
        line("axis-z", (0.0, 0.0, z), (0.0, 0.0, length)),
    ]


@cache
def gripper(length: float = 1.0) -> Arrangement:
    """Wrist, palm, two fingers along x, spread along y, and a thumb that sticks out of the palm along y.

    Args:
        length: Of the axes; fingers reach to 0.74.
    """
    parts = [
        _along_x("plate", _ring(0.115), -0.56, -0.2, round=True),
        _along_x("plate", _ring(0.185), -0.2, -0.11, round=True),
        _along_x("plate", _bevelled(0.40, 0.17, 0.05), -0.11, 0.11),
        hull_between("warm", _flat(0.40, 0.085, 0.085), _flat(0.60, 0.07, 0.07)),
        hull_between("warm", _flat(0.60, 0.07, 0.07), _flat(0.70, 0.025, 0.03)),
        *_finger(1.0),
        *_finger(-1.0),
    ]
    return Arrangement.of([*parts, *_axes(0.11, 0.70, 0.17, length)])


def _flat(y: float, x: float, z: float) -> list[Vector3]:
    """A rectangle across y."""
    return [(x, y, z), (-x, y, z), (-x, y, -z), (x, y, -z)]


def _finger(side: float) -> list[Solid]:
    """A straight piece and a tip that bends inwards."""

    def across(x: float, inner: float, outer: float, z: float) -> list[Vector3]:
        return [(x, side * inner, z), (x, side * outer, z), (x, side * outer, -z), (x, side * inner, -z)]

    return [
        hull_between("cold", across(0.11, 0.235, 0.355, 0.12), across(0.50, 0.225, 0.325, 0.11)),
        hull_between("cold", across(0.50, 0.225, 0.325, 0.11), across(0.74, 0.115, 0.195, 0.085)),
    ]


@cache
def top(length: float = 1.0) -> Arrangement:
    """A top that spins about z: cone, disc and stem, and a mark on its rim along x."""

    def level(z: float, radius: float) -> list[Vector3]:
        return [(x, y, z) for x, y in _ring(radius)]

    return Arrangement.of(
        [
            hull_between("plate", level(-0.42, 0.02), level(-0.02, 0.40), round=True),
            hull_between("plate", level(-0.02, 0.50), level(0.10, 0.50), round=True),
            hull_between("plate", level(0.10, 0.16), level(0.20, 0.06), round=True),
            hull_between("plate", level(0.20, 0.045), level(0.52, 0.045), round=True),
            box("warm", (0.505, 0.60), (-0.07, 0.07), (-0.02, 0.10)),
            *_axes(0.60, 0.5, 0.52, length),
        ]
    )


@cache
def brick(length: float = 1.0) -> Arrangement:
    """A flat body that looks different from all sides."""
    return Arrangement.of(
        [
            box("plate", (-0.46, 0.46), (-0.30, 0.30), (-0.10, 0.10)),
            box("cold", (0.46, 0.58), (-0.13, 0.13), (-0.07, 0.07)),
            box("warm", (-0.10, 0.10), (0.30, 0.40), (-0.06, 0.06)),
            *_axes(0.58, 0.40, 0.10, length),
        ]
    )


@cache
def aircraft(length: float = 1.0) -> Arrangement:
    """Nose along x, fin along y, the right wing along z."""

    def plan(points: Sequence[Point], low: float, high: float, kind: str) -> Solid:
        return hull_between(kind, [(x, low, z) for x, z in points], [(x, high, z) for x, z in points])

    body = _ring(0.10)

    def around(x: float, size: float, lift: float = 0.0) -> list[Vector3]:
        return [(x, size * y + lift, size * z) for y, z in body]

    return Arrangement.of(
        [
            hull_between("plate", around(-0.74, 0.3, 0.045), around(-0.30, 1.0), round=True),
            hull_between("plate", around(-0.30, 1.0), around(0.44, 1.0), round=True),
            hull_between("plate", around(0.44, 1.0), around(0.60, 0.70, -0.015), round=True),
            hull_between("plate", around(0.60, 0.70, -0.015), around(0.70, 0.22, -0.03), round=True),
            plan([(0.24, 0.10), (-0.06, 0.10), (-0.22, 0.80), (-0.12, 0.80)], -0.04, -0.005, "cold"),
            plan([(0.24, -0.10), (-0.06, -0.10), (-0.22, -0.80), (-0.12, -0.80)], -0.04, -0.005, "cold"),
            plan([(-0.50, 0.075), (-0.70, 0.04), (-0.76, 0.30), (-0.69, 0.30)], 0.03, 0.05, "cold"),
            plan([(-0.50, -0.075), (-0.70, -0.04), (-0.76, -0.30), (-0.69, -0.30)], 0.03, 0.05, "cold"),
            hull_between(
                "warm",
                [(-0.46, 0.0915, -0.012), (-0.72, 0.0775, -0.012), (-0.80, 0.38, -0.012), (-0.70, 0.38, -0.012)],
                [(-0.46, 0.0915, 0.012), (-0.72, 0.0775, 0.012), (-0.80, 0.38, 0.012), (-0.70, 0.38, 0.012)],
            ),
            line("axis-x", (0.70, 0.0, 0.0), (length, 0.0, 0.0)),
            line("axis-y", (0.0, 0.10, 0.0), (0.0, length, 0.0)),
            line("axis-z", (0.0, 0.0, 0.10), (0.0, 0.0, length)),
        ]
    )


@cache
def ship(length: float = 1.0) -> Arrangement:
    """Bow along x, mast along y, the starboard side along z."""

    def level(y: float, stern: float, mast: float, bow: float, wide: float) -> list[Vector3]:
        return [(stern, y, wide), (mast, y, wide), (bow, y, 0.0), (mast, y, -wide), (stern, y, -wide)]

    return Arrangement.of(
        [
            hull_between("plate", level(-0.20, -0.60, 0.28, 0.54, 0.13), level(0.0, -0.68, 0.32, 0.80, 0.24)),
            box("cold", (-0.48, 0.10), (0.0, 0.14), (-0.14, 0.14)),
            box("cold", (-0.28, 0.02), (0.14, 0.26), (-0.10, 0.10)),
            hull_between(
                "warm",
                [(x - 0.22, 0.26, z) for x, z in _ring(0.055)],
                [(x - 0.25, 0.46, z) for x, z in _ring(0.055)],
                round=True,
            ),
            line("axis-x", (0.80, 0.0, 0.0), (length, 0.0, 0.0)),
            line("axis-y", (0.0, 0.26, 0.0), (0.0, length, 0.0)),
            line("axis-z", (0.0, 0.0, 0.24), (0.0, 0.0, length)),
        ]
    )
