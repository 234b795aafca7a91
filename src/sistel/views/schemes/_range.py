"""Where a moving system goes: its postures, the window over all of them, the body that a camera follows. All in mm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Model
from sistel.records import entry
from sistel.views.schemes._posture import Place, Point, drawn_coordinates
from sistel.views.schemes._scene import Scene, flat, hull, sides

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


FAR, AWAY = 2.5, 12.0
"""How much longer than the system its way must be for a camera to follow it: along the ground, and away from it."""
MOST_STATES = 4000
"""Postures that are looked at; of more, so many evenly chosen ones."""
TRIED = 48
"""Postures that stand for all where none are given."""


@entry
class Poses:
    """World poses of the bodies of a planar system in n postures."""

    x: Array
    """Shape (bodies + 1, n) [mm]."""
    y: Array
    angle: Array
    """[rad]"""

    def at(self, number: int) -> list[Place]:
        """The poses of one posture."""
        columns = zip(self.x[:, number], self.y[:, number], self.angle[:, number], strict=True)
        return [Place(float(x), float(y), float(angle)) for x, y, angle in columns]

    def out(self, body: int, points: Sequence[Point]) -> tuple[Array, Array]:
        """Points of a body in the ground's frame: x and y, shape (points, n)."""
        px, py = np.array(points).reshape(-1, 2).T[:, :, None]
        c, s = np.cos(self.angle[body]), np.sin(self.angle[body])
        return self.x[body] + c * px - s * py, self.y[body] + s * px + c * py


def world_places(model: Model, q: Array) -> Poses:
    """Where the bodies are, for coordinates of shape (n, nq)."""
    from sistel.views.x3d._motion import shifts, world_poses

    found = world_poses(model, shifts(model, q))
    n = len(q)
    x, y, angle = (np.zeros((len(found), n)) for _ in range(3))
    for number, (R, p) in enumerate(found[1:], 1):
        x[number], y[number] = 1e3 * p[:, 0], 1e3 * p[:, 1]
        angle[number] = np.arctan2(R[:, 1, 0], R[:, 0, 0])
    return Poses(x, y, angle)


def postures(model: Model, states: ArrayLike | None) -> Array:
    """Coordinates to look at, shape (n, nq), the first of them drawn; without any, those that joints can reach."""
    if states is None:
        return _reachable(model)
    given = np.asarray(states, dtype=float)
    # Where nothing moves there are no coordinates, and still some states.
    given = given.reshape(-1 if model.nq else max(len(given), 1), model.nq)
    if len(given) > MOST_STATES:
        given = given[np.unique(np.linspace(0, len(given) - 1, MOST_STATES).round().astype(int))]
    return given


def _reachable(model: Model) -> Array:
    """The posture of the file, and others within the limits of joints; loops stay closed.

    Angles without limits go all the way round; lengths without limits stay as they are, for nothing says how far.
    """
    first = np.array(drawn_coordinates(model, None))
    low, high = first.copy(), first.copy()
    for body in model.bodies:
        for k, (_, kind) in enumerate(body.joint.type.coordinates):
            place = body.first_q + k
            least, most = (*body.joint.minimum, *[-math.inf] * 9)[k], (*body.joint.maximum, *[math.inf] * 9)[k]
            turns = kind == "turn" and body.joint.type.key == "revolute"
            if turns and not most - least <= 2 * math.pi:
                least, most = first[place] - math.pi, first[place] + math.pi
            if body.base and body.joint.type.key == "prismatic" and math.isfinite(most - least):
                turns = True
            if turns:
                low[place], high[place] = least, most
    moving = np.flatnonzero(high > low)
    structure = model.structure()
    if not moving.size:
        return first[None]
    if structure.holds or structure.changes:
        return np.array([first, *_closed(model, first, low, high)])
    shares = (np.arange(1, TRIED + 1)[:, None] * np.sqrt(_primes(len(moving)))) % 1.0
    made = np.tile(first, (TRIED + 1, 1))
    made[1:, moving] = low[moving] + shares * (high - low)[moving]
    return made


CLOSED = 8
"""Postures of a system with loops that are tried each way."""


def _closed(model: Model, first: Array, low: Array, high: Array) -> list[Array]:
    """Postures of a system with loops: one joint on the ground turned, the others following."""
    from sistel.mechanics import assemble

    found: list[Array] = []
    roots = [body for body in model.bodies if body.base == 0 and high[body.first_q] > low[body.first_q]]
    for body in roots[:1]:
        place = body.first_q
        for end in (high[place], low[place]):
            q = first.copy()
            for value in np.linspace(first[place], end, CLOSED + 1)[1:]:
                q[place] = value
                answer = assemble(model, model.structure(), q.tolist(), fixed=frozenset([body.first_v]))
                # A joint that cannot go on is let go, which says nothing more.
                if not answer.success or abs(answer.q[place] - value) > 1e-6:
                    break
                q = np.array(answer.q)
                found.append(q.copy())
    return found


def _primes(count: int) -> Array:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % other for other in found):
            found.append(number)
        number += 1
    return np.array(found, dtype=float)


def clouds(scene: Scene) -> dict[int, list[Point]]:
    """Corners of what is drawn of every body, in its own axes; the ground is left out."""
    made: dict[int, list[Point]] = {}
    for body in scene.model.bodies:
        pose = scene.poses[body.number]
        points = [(0.0, 0.0), *(pose.into(p) for line in scene.polylines.get(body.number, []) for p in line)]
        points += [flat(side.p_BS) for side in sides(scene.model) if side.body == body.number]
        points += [flat(point.p_BP) for point in scene.model.points if point.body == body.number]
        made[body.number] = hull(points)
    return made


@entry
class Range:
    """What a picture must show of a moving system."""

    box: tuple[float, float, float, float]
    """Left, top, right and bottom of the bodies in all postures."""
    near: tuple[float, float, float, float]
    """The same as the camera sees it: where the body that it follows is at its place of the first posture."""
    follows: int
    """Number of the body that the camera follows; 0 where it stands."""
    along: tuple[bool, bool]
    """Whether the camera goes along x, and along y."""


def landscape(scene: Scene) -> Point:
    """Width and height of the lines of the ground that have bends, and of all of them where there are obstacles."""
    obstacles = any(shape.obstacle for shape in scene.model.shapes)
    lines = [
        line
        for line in scene.polylines.get(0, [])
        if len(line) > 3 and (obstacles or math.dist(line[0], line[-1]) > 1e-6)
    ]
    if not lines:
        return (0.0, 0.0)
    xs, ys = ([p[axis] for line in lines for p in line] for axis in (0, 1))
    return (max(xs) - min(xs), max(ys) - min(ys))


def _fixed_points(model: Model) -> list[Point]:
    """Points of the ground on which springs and links end."""
    return [flat(side.p_BS) for side in sides(model) if side.body == 0]


def _limits(model: Model) -> tuple[float, float]:
    """How much longer than the system its way along x and y must be for a camera to follow it."""
    from sistel.views.schemes._ground import surface

    found = [line for contact in model.contacts if contact.on == 0 for line in [surface(contact, model)] if line]
    return (
        AWAY if any(abs(line[0]) > 0.5 for line in found) else FAR,
        AWAY if any(abs(line[1]) > 0.5 for line in found) else FAR,
    )


def find_range(
    model: Model, poses: Poses, corners: Mapping[int, Sequence[Point]], known: bool, land: Point = (0.0, 0.0)
) -> Range:
    """The window over all postures, or over one of them at a time where the system goes far away.

    Args:
        model: The system.
        poses: Of all postures.
        corners: What must be seen, in the axes of the bodies.
        known: Whether these are all postures of a motion; otherwise what is free may go anywhere.
        land: Width and height of ground that is more than a line, and so worth seeing as a whole.
    """
    low = np.full((2, poses.x.shape[1]), math.inf)
    high = -low
    for number, points in corners.items():
        for axis, values in enumerate(poses.out(number, points)):
            low[axis], high[axis] = np.minimum(low[axis], values.min(0)), np.maximum(high[axis], values.max(0))
    for point in _fixed_points(model):
        for axis in (0, 1):
            low[axis], high[axis] = np.minimum(low[axis], point[axis]), np.maximum(high[axis], point[axis])
    roots = {body.joint.type.key for body in model.bodies if body.base == 0}
    anywhere = not known and roots <= {"free", "prismatic2"} and not _fixed_points(model)
    whole = (float(low[0].min()), float(low[1].min()), float(high[0].max()), float(high[1].max()))
    limits = _limits(model)
    best = Range(whole, whole, 0, (False, False))
    for body in model.bodies:
        if body.base or body.joint.type.key in ("revolute", "fixed"):
            continue
        sides_of: list[tuple[bool, float, float]] = []
        for axis, way in enumerate((poses.x[body.number], poses.y[body.number])):
            moved = way - way[0]
            near = float((low[axis] - moved).min()), float((high[axis] - moved).max())
            goes = whole[axis + 2] - whole[axis] > limits[axis] * max(near[1] - near[0], land[axis], 1e-3)
            if axis == 0 and anywhere and not land[0]:
                goes = True
            sides_of.append((goes, *near) if goes else (False, whole[axis], whole[axis + 2]))
        (gx, left, right), (gy, top, bottom) = sides_of
        if (gx or gy) and (not best.follows or _area(left, top, right, bottom) < _area(*best.near)):
            best = Range(whole, (left, top, right, bottom), body.number, (gx, gy))
    return best


def _area(left: float, top: float, right: float, bottom: float) -> float:
    return (right - left) * (bottom - top)
