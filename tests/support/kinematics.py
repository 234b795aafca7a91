"""An independent reading of a document's geometry, to compare readers and writers of formats with.

Written from the definitions of the joints, in NumPy, and sharing nothing with the package but the document itself.
Every number is expected in SI, as readers of other formats and `to_document` give them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sistel.markup._document import Document, Node

Matrix = np.ndarray

COUNTS = {"fixed": 0, "revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 4}
"""Coordinates of a joint; `planar` and `free` depend on the space of the system."""


@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """Of one body, about its centre of mass, in the axes of the frame that it is expressed in."""

    mass: float
    com: Matrix
    tensor: Matrix


def numbers(node: Node, key: str) -> list[float] | None:
    value = node.get(key)
    if value is None:
        return None
    assert isinstance(value, tuple)
    return [item.value for item in value]


def is_planar(document: Document) -> bool:
    return document.root.text("space") != "spatial"


def count(document: Document, body: Node) -> int:
    joint = body.text("joint") or "fixed"
    if joint == "free":
        return 3 if is_planar(document) else 7
    return {"prismatic2": 2, "planar": 3}.get(joint, COUNTS.get(joint, 0))


def zero(document: Document, body: Node) -> list[float]:
    """Coordinates at which a joint does not move its body."""
    values = [0.0] * count(document, body)
    if len(values) in (4, 7):
        values[0] = 1.0
    return values


def rotation(axis: Sequence[float], angle: float) -> Matrix:
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + 2 * np.sin(angle / 2) ** 2 * K @ K


def quaternion_matrix(q: Sequence[float]) -> Matrix:
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def transform(R: Matrix | None = None, p: Sequence[float] = (0, 0, 0)) -> Matrix:
    X = np.eye(4)
    X[:3, :3] = np.eye(3) if R is None else R
    X[:3, 3] = [*p, *[0.0] * (3 - len(p))]
    return X


def pose_of(node: Node, place: str = "place", turn: str = "turn") -> Matrix:
    angles = numbers(node, turn)
    R = np.eye(3)
    if "quaternion" in node.attributes:
        R = quaternion_matrix(numbers(node, "quaternion") or [])
    elif angles is not None and len(angles) == 1:
        R = rotation((0, 0, 1), angles[0])
    elif angles is not None and len(angles) == 4:
        R = rotation(angles[:3], angles[3])
    elif angles is not None and len(angles) == 9:
        R = np.reshape(angles, (3, 3))
    elif angles is not None:
        R = rotation((0, 0, 1), angles[2]) @ rotation((0, 1, 0), angles[1]) @ rotation((1, 0, 0), angles[0])
    return transform(R, numbers(node, place) or (0, 0, 0))


def axis_of(node: Node, key: str, default: Sequence[float]) -> Matrix:
    axis = numbers(node, key) or list(default)
    axis += [0.0] * (3 - len(axis))
    return np.asarray(axis) / np.linalg.norm(axis)


def joint_transform(document: Document, body: Node, q: Sequence[float]) -> Matrix:
    """Motion of the body against its place at zero coordinates."""
    joint = body.text("joint") or "fixed"
    planar = is_planar(document)
    if joint == "revolute":
        return transform(rotation((0, 0, 1) if planar else axis_of(body, "axis", (0, 0, 1)), q[0]))
    if joint == "prismatic":
        return transform(None, axis_of(body, "axis", (1, 0, 0)) * q[0])
    if joint == "prismatic2":
        return transform(None, q)
    if joint == "free" and planar:
        return transform(None, q[:2]) @ transform(rotation((0, 0, 1), q[2]))
    if joint == "free":
        return transform(quaternion_matrix(q[:4]), q[4:])
    if joint == "spherical":
        return transform(quaternion_matrix(q))
    if joint == "cylindrical":
        axis = axis_of(body, "axis", (0, 0, 1))
        return transform(rotation(axis, q[0]), axis * q[1])
    if joint == "universal":
        first, second = axis_of(body, "axis", (0, 0, 1)), axis_of(body, "axis2", (1, 0, 0))
        return transform(rotation(first, q[0]) @ rotation(second, q[1]))
    if joint == "planar":
        axis = axis_of(body, "axis", (0, 0, 1))
        assert abs(axis[2]) == 1, "only planes normal to z are compared"
        return transform(None, (q[0], q[1], 0)) @ transform(rotation(axis, q[2]))
    assert joint == "fixed"
    return transform()


def poses(document: Document, q: Mapping[str, Sequence[float]]) -> dict[str, Matrix]:
    """World poses of all bodies, frames and points, by name; `q` holds the coordinates of each body's joint."""
    found: dict[str, Matrix] = {}
    stack = [(document.root, np.eye(4))]
    while stack:
        node, X_WN = stack.pop()
        for child in node.children:
            name = child.text("name") if "name" in child.attributes else None
            if child.key == "body":
                assert name is not None
                coordinates = q.get(name, zero(document, child))
                X_WB = X_WN @ pose_of(child) @ joint_transform(document, child, coordinates)
                found[name] = X_WB
                stack.append((child, X_WB))
            elif child.key in ("frame", "point") and name is not None:
                found[name] = X_WN @ pose_of(child)
    return found


def bodies(document: Document) -> dict[str, Node]:
    return {node.text("name") or "": node for node in document.root.walk() if node.key == "body"}


def inertia_of(body: Node) -> Inertia:
    mass = (numbers(body, "mass") or [0.0])[0]
    com = np.array(([*(numbers(body, "com") or ()), 0.0, 0.0, 0.0])[:3])
    given = numbers(body, "inertia") or [0.0]
    if len(given) == 1:
        tensor = np.diag(given * 3)
    elif len(given) == 3:
        tensor = np.diag(given)
    else:
        xx, yy, zz, xy, xz, yz = given
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertia(mass, com, tensor)


def random_coordinates(document: Document, rng: np.random.Generator) -> dict[str, list[float]]:
    """Coordinates for every joint, far from zero; couplings are obeyed."""
    q: dict[str, list[float]] = {}
    for name, body in bodies(document).items():
        joint = body.text("joint") or "fixed"
        values = list(rng.uniform(-np.pi, np.pi, count(document, body)))
        if joint in ("spherical", "free") and len(values) in (4, 7):
            values[:4] = list(np.asarray(values[:4]) / np.linalg.norm(values[:4]))
        if values:
            q[name] = values
    return q


def assert_same_pose(ours: Matrix, theirs: Matrix, what: str, tolerance: float = 1e-13) -> float:
    """Poses agree normwise: rotations absolutely, places relative to the distance from the origin (at least 1 m)."""
    turn = float(np.abs(ours[:3, :3] - theirs[:3, :3]).max())
    place = float(np.linalg.norm(ours[:3, 3] - theirs[:3, 3]) / max(1.0, float(np.linalg.norm(theirs[:3, 3]))))
    assert max(turn, place) <= tolerance, f"{what}: rotation differs by {turn:.1e}, place by {place:.1e}"
    return max(turn, place)
