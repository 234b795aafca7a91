"""An arm in a section, drawn as it is seen across the plane."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.pose import IDENTITY

if TYPE_CHECKING:
    from sistel.arms import Workspace
    from sistel.arrays import Array
    from sistel.model import Body

    Point = tuple[float, float]

JOINT: Final = 8.0
"""Radius of a joint [px]."""
TRIES: Final = 60


def usual_posture(workspace: Workspace, q: Array) -> Array:
    """A posture that reaches well to the right, elbows up: the plainest view of an arm.

    Args:
        workspace: The section.
        q: Postures of its points, shape (rows, columns, nq).
    """
    inside = np.argwhere(np.isfinite(q[..., 0]))
    if not len(inside):
        return workspace._chain.start
    points = np.stack([workspace.x[inside[:, 1]], workspace.y[inside[:, 0]]], axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    wanted = low + np.array([0.8, 0.55]) * (high - low)
    row, column = inside[int(np.argmin(((points - wanted) ** 2).sum(axis=1)))]
    chain, plane = workspace._chain, workspace.plane
    place = plane.out(np.array([[workspace.x[column], workspace.y[row]]]))
    tried, good = chain.solve(
        np.repeat(place, TRIES, axis=0), chain.spread(TRIES, seed=21), tolerance=workspace.tolerance
    )
    found = np.concatenate([q[row, column][None], tried[good]])
    scores = []
    for each in found:
        poles = np.array([pole for pole, _ in poles_of(workspace, each)])
        across = (poles - plane.point) @ plane.normal
        height = (-1.0 if chain.model.planar else 1.0) * plane.into(poles)[:, 1].mean()
        scores.append(float(height - 0.5 * np.abs(across).mean() - 0.02 * _bends(poles)))
    return np.asarray(found[int(np.argmax(scores))])


def _bends(poles: Array) -> float:
    """How much a chain of points winds, in lengths of it."""
    return float(np.abs(np.diff(poles, 2, axis=0)).sum())


def _chain(workspace: Workspace) -> list[Body]:
    model, number = workspace._chain.model, workspace._chain.place[0]
    found: list[Body] = []
    while number:
        found.insert(0, model.bodies[number - 1])
        number = found[0].base
    return found


def poles_of(workspace: Workspace, q: Array) -> list[tuple[Array, Array]]:
    """Poles and axes of the bodies that carry the frame, then the frame, in the world."""
    chain = workspace._chain
    found = []
    for body in _chain(workspace):
        X = np.asarray(chain.engine.frame_call("pose", body.number, (0.0, 0.0, 0.0), IDENTITY)(q)).reshape(4, 4)
        found.append((X[:3, 3], X[:3, :3] @ np.array(body.joint.axis, dtype=float)))
    X = np.asarray(chain.engine.frame_call("pose", *chain.place)(q)).reshape(4, 4)
    return [*found, (X[:3, 3], X[:3, 2])]


def draw_arm(workspace: Workspace, q: Array, to_px: Callable[[Array], Point]) -> list[str]:
    """Elements of the arm: links, joints as they are seen, the frame."""
    bodies, poles = _chain(workspace), poles_of(workspace, q)
    plane = workspace.plane
    points = [to_px(plane.into(pole)) for pole, _ in poles]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    base = to_px(plane.into(np.zeros(3)))
    parts = []
    if abs(base[0] - points[0][0]) + abs(base[1] - points[0][1]) > 2.0:
        path = f"M{base[0]:.1f} {base[1]:.1f}L" + path[1:]
    parts += [f'<path class="halo" d="{path}"/>', f'<path class="link" d="{path}"/>']
    parts.append(_ground(*base))
    for body, (_, axis), (x, y) in zip(bodies, poles, points, strict=False):
        if not body.joint.type.coordinates:
            continue
        sign = 1.0 if workspace._chain.model.planar else -1.0
        seen = np.array([axis @ plane.right, sign * (axis @ plane.up)])
        turns = body.joint.type.coordinates[0][1] == "turn"
        angle = float(np.degrees(np.arctan2(seen[1], seen[0])))
        if turns and np.linalg.norm(seen) < 0.6:
            parts.append(f'<circle class="joint" cx="{x:.1f}" cy="{y:.1f}" r="{JOINT}"/>')
            parts.append(f'<circle class="pin" cx="{x:.1f}" cy="{y:.1f}" r="2.2"/>')
        else:
            w, h = (1.5 * JOINT, 0.85 * JOINT) if turns else (1.6 * JOINT, 0.7 * JOINT)
            parts.append(
                f'<g transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})"><rect class="joint" x="{-w:.1f}" '
                f'y="{-h:.1f}" width="{2 * w:.1f}" height="{2 * h:.1f}" rx="{3.0 if turns else 0.8}"/>'
                f'<path class="axis" d="M{-w - (4 if turns else -3):.1f} 0H{w + (4 if turns else -3):.1f}"/></g>'
            )
    x, y = points[-1]
    parts.append(f'<circle class="tip" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>')
    return parts


def _ground(x: float, y: float) -> str:
    hatch = "".join(f"M{x + d:.1f} {y + 2:.1f}l-6 8" for d in (-12, -4, 4, 12, 20))
    return f'<path class="earth" d="M{x - 18:.1f} {y + 2:.1f}h36{hatch}"/>'
