"""Painting farther solids first, against rays: what is painted last at a point is what is nearest there."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.pose import CODES, Rotation, Vector3, axial_rotation, from_quaternion, norm, rotate, transpose
from sistel.views.orientations import _shapes
from sistel.views.orientations._figure import SCENE, view_from
from sistel.views.orientations._solids import Arrangement, Solid, box, dot, hull_between, line

BODIES = {each.__name__: each for each in (_shapes.gripper, _shapes.top, _shapes.brick, _shapes.aircraft, _shapes.ship)}
rotations = (
    st.tuples(*[st.floats(-1, 1)] * 4)
    .filter(lambda q: norm(q) > 0.1)
    .map(lambda q: from_quaternion(tuple(part / norm(q) for part in q)))
)


def entry(solid: Solid, start: Vector3, way: Vector3) -> float | None:
    """Where a ray enters a convex solid, or None."""
    first, last = -math.inf, math.inf
    for face in solid.faces:
        slope = dot(face.normal, way)
        gap = dot(face.normal, [c - s for c, s in zip(solid.corners[face.corners[0]], start, strict=True)])
        if abs(slope) < 1e-12:
            if gap < 0.0:
                return None
        elif slope < 0.0:
            first = max(first, gap / slope)
        else:
            last = min(last, gap / slope)
    return first if first < last - 1e-6 else None


def check(arrangement: Arrangement, R: Rotation, rng: random.Random) -> int:
    """Compare at some points of the paper; how many of them were covered twice."""
    back = transpose(R)
    toward, right, up = (rotate(back, each) for each in (SCENE.toward, SCENE.right, SCENE.up))
    order = arrangement.order(toward)
    assert sorted(order) == list(range(len(arrangement.solids)))
    twice = 0
    for _ in range(30):
        a, b = rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)
        x, y, z = (a * r + b * u + 5 * t for r, u, t in zip(right, up, toward, strict=True))
        way = (-toward[0], -toward[1], -toward[2])
        hits = {
            place: depth
            for place, solid in enumerate(arrangement.solids)
            if solid.faces and (depth := entry(solid, (x, y, z), way)) is not None
        }
        if hits:
            painted = max(hits, key=order.index)
            assert hits[painted] < min(hits.values()) + 1e-6
            twice += len(hits) > 1
    return twice


@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=15, deadline=None)
@given(R=rotations)
def test_what_is_painted_last_is_nearest(name: str, R: Rotation) -> None:
    check(BODIES[name](), R, random.Random(1))


def test_axial_orientations_hide_parts_rightly() -> None:
    rng = random.Random(2)
    assert sum(check(_shapes.gripper(), axial_rotation(code), rng) for code in CODES) > 40


@settings(max_examples=25, deadline=None)
@given(R=rotations)
def test_lines_are_ordered_too(R: Rotation) -> None:
    """A point of an axis that lies before a solid is painted after it."""
    arrangement = _shapes.gripper()
    toward = rotate(transpose(R), SCENE.toward)
    order = arrangement.order(toward)
    for place, axis in enumerate(arrangement.solids):
        if axis.faces:
            continue
        for part, (other, solid) in product((0.2, 0.5, 0.8), enumerate(arrangement.solids)):
            x, y, z = (p + part * (q - p) for p, q in zip(*axis.corners, strict=True))
            if not solid.faces:
                continue
            behind = entry(solid, (x, y, z), (-toward[0], -toward[1], -toward[2]))
            if behind is not None and behind > 1e-6:
                assert order.index(place) > order.index(other)
            ahead = entry(solid, (x, y, z), toward)
            if ahead is not None and ahead > 1e-6:
                assert order.index(place) < order.index(other)


@pytest.mark.parametrize("name", BODIES)
def test_solids_are_closed_convex_and_their_normals_point_outwards(name: str) -> None:
    for solid in BODIES[name]().solids:
        for face in solid.faces:
            assert norm(face.normal) == pytest.approx(1)
            heights = [dot(face.normal, corner) for corner in solid.corners]
            top = max(heights)
            assert all(heights[i] == pytest.approx(top, abs=1e-12) for i in face.corners)
        if solid.faces:
            edges = sum(len(face.corners) for face in solid.faces) // 2
            assert len(solid.corners) - edges + len(solid.faces) == 2  # Euler
            assert len(solid.edges) == edges


def test_solids_that_cross_are_refused() -> None:
    a, b = box("plate", (0, 1), (0, 1), (0, 1)), box("plate", (0.5, 2), (0.5, 2), (0.5, 2))
    with pytest.raises(ValueError, match="cross"):
        Arrangement.of([a, b])
    with pytest.raises(ValueError, match="cross"):
        Arrangement.of([a, line("axis-x", (-1, 0.5, 0.5), (2, 0.5, 0.5))])


def test_a_plane_along_two_edges_separates_where_no_face_does() -> None:
    """Two wedges whose edges pass each other crosswise."""
    roof = hull_between(
        "plate", [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)],
        [(-1, -0.01, 1), (1, -0.01, 1), (1, 0.01, 1), (-1, 0.01, 1)],
    )  # fmt: skip
    turned = hull_between(
        "plate", [(-0.01, -1, 1.0), (0.01, -1, 1.0), (0.01, 1, 1.0), (-0.01, 1, 1.0)],
        [(-1, -1, 2), (1, -1, 2), (1, 1, 2), (-1, 1, 2)],
    )  # fmt: skip
    arrangement = Arrangement.of([roof, turned])
    assert arrangement.order((0.0, 0.0, 1.0)) == [0, 1]
    assert arrangement.order((0.0, 0.0, -1.0)) == [1, 0]


@pytest.mark.parametrize(("right", "above", "up"), [(0.5, 0.4, "y"), (-0.3, 0.2, "z"), (0, 0, "y")])
def test_views_are_frames_with_their_axis_upright(right: float, above: float, up: str) -> None:
    view = view_from(right, above, up)
    axes = (view.right, view.up, view.toward)
    for a, b in product(range(3), range(3)):
        assert dot(axes[a], axes[b]) == pytest.approx(float(a == b), abs=1e-15)
    upright = tuple(float(letter == up) for letter in "xyz")
    x, y = view.project(upright)  # type: ignore[arg-type]
    assert x == pytest.approx(0, abs=1e-15) and y == pytest.approx(-math.cos(above))


def test_the_scene_shows_all_three_axes() -> None:
    """x goes right, y up, z to the left and down, each long enough to be seen."""
    (ax, ay), (bx, by), (cx, cy) = (SCENE.project(axis) for axis in ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))
    assert ax > 0.8 and by < -0.8 and bx == 0 and cx < -0.4 and cy > 0.3
    assert min(math.hypot(*p) for p in ((ax, ay), (bx, by), (cx, cy))) > 0.5
