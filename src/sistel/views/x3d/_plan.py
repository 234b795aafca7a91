"""Everything a scene needs to know before it is written: sizes, places, motion, names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text, refuse
from sistel.markup import Losses
from sistel.model import Body, Model
from sistel.pose import Rotation
from sistel.records import record
from sistel.views._steps import check_steps
from sistel.views.x3d._axes import up_frame
from sistel.views.x3d._figures import Figures
from sistel.views.x3d._following import Following
from sistel.views.x3d._keys import Bound, key_states
from sistel.views.x3d._motion import Shift, joint_shift, shifts, world_poses
from sistel.views.x3d._nodes import Names, Node
from sistel.views.x3d._springs import Coil, Stretch, coils, stretch
from sistel.views.x3d._surroundings import flat_surface, patch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arrays import Array
    from sistel.simulation import Run


TURN = math.radians(0.1)
"""By how much a body may be turned away between keys, at the usual tolerance [rad]."""
USUAL = 1e-3
"""By how much it may be away, over the size of the system."""
LOOKS = 120
"""States at which the extent of a motion is looked at."""


@record
class Plan:
    """A scene before it is written."""

    model: Model
    lang: Language
    names: Names
    joints: tuple[str, ...]
    """Names of the nodes that move, by body."""
    places: tuple[str, ...]
    """Names of the nodes that hold them."""
    figures: Figures
    R_XW: Rotation
    """From the axes of the system to those of X3D."""
    times: Array
    """Of the keys [s]."""
    motion: list[Shift]
    """Of every joint at the keys; there is at least one."""
    patches: dict[int, list[Node]]
    """Flat surfaces, by the body they are on."""
    height: float
    """Of the floor, in the axes of X3D [m]."""
    springs: tuple[tuple[Coil, Stretch], ...]
    """With where they are at the keys."""
    points: Array
    """What must be seen, in the axes of X3D, shape (n, 3) [m]."""
    scenery: Array | None
    """What encloses the meshes around the bodies, in the axes of X3D, shape (n, 3) [m]; None where there are none."""

    @property
    def has_ground(self) -> bool:
        """Whether the meshes around the bodies reach under all of them, as a hall or a landscape does."""
        if self.scenery is None:
            return False
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        least, most = self.scenery.min(axis=0), self.scenery.max(axis=0)
        return bool((least[[0, 2]] <= low[[0, 2]]).all() and (most[[0, 2]] >= high[[0, 2]]).all())

    def rails(self, body: Body) -> list[Node]:
        """What holds a body where it is joined: a fork, or what a slide goes along."""
        if body.joint.type.key != "prismatic":
            return self.figures.mount(body)
        way = self.motion[body.number - 1].place @ np.array(body.joint.axis)
        low, high = float(way.min()), float(way.max())
        least, most = body.joint.minimum[0], body.joint.maximum[0]
        room = 5 * self.figures.size
        return self.figures.rail(
            body,
            max(least, low - room) if least > -math.inf else low,
            min(most, high + room) if most < math.inf else high,
        )


def make_plan(
    model: Model,
    run: Run | None,
    q: Sequence[float] | None,
    tolerance: float,
    lang: Language,
    losses: Losses,
    traced: Model | None = None,
) -> Plan:
    """Measure the system, choose the keys, and give the names; of a traced model, note what follows parameters.

    Raises:
        SistelError: The tolerance, the coordinates or the run cannot be drawn.
    """
    if not 0.0 < tolerance < math.inf:
        refuse(
            "bad-tolerance",
            Text(f"tolerance = {tolerance!r} is not more than 0", f"tolerance = {tolerance!r} не больше 0"),
        )
    if run is not None:
        check_steps(run)
    figures = Figures(model, losses)
    start = _state(model, q) if run is None else run.q[:1]
    figures.size = size = _size(figures, model, start if run is None else run.q)
    names = Names()
    joints = tuple(names.give(body.name) for body in model.bodies)
    springs = coils(model, names, size, figures.layer, world_poses(model, shifts(model, start)))
    times, states = np.zeros(1), start
    if run is not None:
        reach = tuple(max((math.hypot(*point) for point in points), default=0.0) for points in figures.extents)
        ends = tuple((coil.first, coil.second) for coil in springs)
        bound = Bound(place=tolerance * size, turn=TURN * tolerance / USUAL, reach=reach, springs=ends)
        times, states = key_states(run, bound)
    R_XW = up_frame(model)
    X = np.array(R_XW)
    word = "_место" if lang == "ru" else "_place"
    places = tuple(names.give(joint, suffix=word) for joint in joints)
    if traced is not None:
        figures.following = Following(model, traced, names)
    figures.called = {each.name: names.give(each.name) for each in model.shapes if each.obstacle and each.name}
    looked = states[:: max(1, len(states) // LOOKS)]
    points = _swept(figures, model, looked) @ X.T
    if np.linalg.norm(points.max(axis=0) - points.min(axis=0)) < 0.2 * size and not _obstacles(model):
        # Bodies without lengths, all in one place: what is drawn of them is larger.
        points = np.concatenate([points - 0.15 * size, points + 0.15 * size])
    poses = world_poses(model, shifts(model, states))
    patches, level = _surfaces(model, figures, states[:1], X, float(points[:, 1].min()))
    if level is not None:
        figures.lay(X, level)
    ground = np.array(figures.extents[0]).reshape(-1, 3) @ X.T
    if not model.planar:
        figures.machine.name = names.give
        ground = np.concatenate([ground, np.array(figures.machine.feet()).reshape(-1, 3) @ X.T])
    lowest = float(points[:, 1].min())
    low, high = points.min(axis=0), points.max(axis=0)
    # A long ground must not make the bodies small; obstacles are what the picture is about.
    for some, far in (
        (figures.standing(X) @ X.T, math.inf if _obstacles(model) else 0.25 * size),
        (ground, 0.1 * size),
    ):
        points = np.concatenate([points, np.clip(some, low - far, high + far)])
    scenery = ground if figures.scenery() else None
    height = _floor_height(model, level, lowest, ground, size)
    return Plan(
        model=model,
        lang=lang,
        figures=figures,
        R_XW=R_XW,
        names=names,
        joints=joints,
        places=places,
        times=times,
        motion=[joint_shift(body, states, model.planar) for body in model.bodies],
        patches=patches,
        height=height,
        springs=tuple((coil, stretch(coil.first, coil.second, poses)) for coil in springs),
        points=np.concatenate([points, _seen_floor(points, height)]),
        scenery=scenery,
    )


def _state(model: Model, q: Sequence[float] | None) -> Array:
    """The coordinates to draw, shape (1, nq)."""
    if q is not None:
        given = np.array(q, dtype=float)
        if given.shape != (model.nq,) or not np.isfinite(given).all():
            refuse(
                "bad-state", Text(f"{model.nq} finite coordinates are needed", f"нужно конечных координат: {model.nq}")
            )
        return given.reshape(1, -1)
    structure, start = model.structure(), model.start
    if structure.holds:
        from sistel.mechanics import assemble

        simple = [body for body in model.bodies if not body.joint.type.has_quaternion]
        pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
        fixed = frozenset(rate for place, rate in pairs if place in start.given_q)
        found = assemble(model, structure, start.q, fixed=fixed)
        if found.success:
            return np.array(found.q, dtype=float).reshape(1, -1)
    return np.array(start.q, dtype=float).reshape(1, -1)


def _seen_floor(points: Array, height: float) -> Array:
    """The middle of the floor under the bodies, so that it is seen too."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return np.array([[middle[0], height, middle[2]]])


def _size(figures: Figures, model: Model, states: Array) -> float:
    """The diagonal of the box about the bodies at the start; of their motion where that is a point [m].

    Obstacles in space are a part of it.
    """
    ground = figures.standing(np.array(up_frame(model))) if _obstacles(model) else np.zeros((0, 3))
    for some in (states[:1], states[:: max(1, len(states) // LOOKS)]):
        points = np.concatenate([_swept(figures, model, some), ground])
        size = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
        if 1e-9 < size < math.inf:
            return size
    return 1.0


def _obstacles(model: Model) -> bool:
    return not model.planar and any(shape.obstacle for shape in model.shapes)


def _swept(figures: Figures, model: Model, states: Array) -> Array:
    """Points that enclose the bodies in some states, in the axes of the system, shape (n, 3) [m]."""
    poses = world_poses(model, shifts(model, states))
    found = [np.zeros((1, 3))] if not model.bodies else []
    for points, (R, p) in list(zip(figures.extents, poses, strict=True))[1:]:
        found.append((p[:, None, :] + np.einsum("nij,kj->nki", R, np.array(points))).reshape(-1, 3))
    return np.concatenate(found)


def _surfaces(
    model: Model, figures: Figures, start: Array, X: Array, lowest: float
) -> tuple[dict[int, list[Node]], float | None]:
    """Flat surfaces of contacts that are not the floor, and how high that is in the axes of X3D, if one is it [m]."""
    poses = world_poses(model, shifts(model, start))
    patches: dict[int, list[Node]] = {}
    floor: float | None = None
    seen: set[tuple[object, ...]] = set()
    for contact in model.contacts:
        plane = flat_surface(model, contact)
        if plane is None:
            continue
        # What a body hangs below is a stop, not a floor.
        level = plane.body == 0 and (X @ plane.normal)[1] > 1 - 1e-9 and lowest > plane.offset - 0.1 * figures.size
        if level and floor in (None, plane.offset):
            floor = plane.offset
            continue
        key = (plane.body, *np.round(plane.normal, 9).tolist(), round(plane.offset, 9))
        if key in seen:
            continue
        seen.add(key)
        (R_WB, p_WB), (R_WS, p_WS) = poses[contact.body], poses[plane.body]
        p_WP = p_WB[0] + R_WB[0] @ np.array(contact.p_BP)
        near = R_WS[0].T @ (p_WP - p_WS[0])
        depth = abs(figures.layer(len(model.bodies)))
        patches.setdefault(plane.body, []).append(patch(plane, near, figures.size, model.planar, depth))
    return patches, floor


def _floor_height(model: Model, level: float | None, lowest: float, ground: Array, size: float) -> float:
    """How high the floor is in the axes of X3D [m].

    Args:
        model: The system.
        level: Of the surface that contacts have as their floor [m].
        lowest: Of what moves [m].
        ground: Points that enclose what stands on the ground, shape (n, 3) [m].
        size: Of the system [m].
    """
    if level is not None:
        return level
    base = float(ground[:, 1].min(initial=math.inf))
    if not model.planar and base <= lowest + 0.06 * size:
        # What belongs to the ground stands on the floor.
        return base
    lowest = min(lowest, base)
    at_zero = not model.planar and abs(lowest) < 0.06 * size
    return 0.0 if at_zero else lowest - 0.05 * size
