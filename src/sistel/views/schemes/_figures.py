"""Figures of a spatial scheme that moves: each is given in the axes of bodies, and drawn for any poses. All in mm.

The projection is that of the static schemes: isometric, x to the lower left, y to the lower right, z up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.model import Model
from sistel.pose import Vector3
from sistel.records import entry, record
from sistel.views._picture_data import SchemeFigure
from sistel.views.schemes._axonometry import COS, LONG, SIN
from sistel.views.schemes._scene import zigzag

if TYPE_CHECKING:
    from sistel.arrays import Array


Kind = Literal["line", "area", "tube", "end", "sleeve", "ball", "spring"]


@entry
class SpacePoses:
    """World poses of the bodies of a spatial system in n postures."""

    poses: Sequence[tuple[Array, Array]]
    """Axes, shape (n, 3, 3), and places of the poles, shape (n, 3) [m], by number, the ground first."""

    def out(self, body: int, p: Vector3) -> Array:
        """A point of a body in the ground's frame, shape (n, 3)."""
        R, origin = self.poses[body]
        return np.asarray(1e3 * origin + R @ np.array(p))

    def direction(self, body: int, a: Vector3) -> Array:
        """A direction of a body in the ground's frame, shape (n, 3)."""
        return np.asarray(self.poses[body][0] @ np.array(a))


def space_poses(model: Model, q: Array) -> SpacePoses:
    """Where the bodies are, for coordinates of shape (n, nq)."""
    from sistel.views.x3d._motion import shifts, world_poses

    poses = world_poses(model, shifts(model, q))
    n = len(q)
    return SpacePoses([(np.broadcast_to(R, (n, 3, 3)), np.broadcast_to(p, (n, 3))) for R, p in poses])


def projected(p: Array) -> Array:
    """Points in space on the paper, y down; the last axis goes from 3 to 2."""
    return np.stack([COS * (p[..., 1] - p[..., 0]), SIN * (p[..., 0] + p[..., 1]) - p[..., 2]], axis=-1)


@record
class Figure:
    """One path of a scheme."""

    kind: Kind
    style: str
    width: float
    """Of the stroke [mm]; 0 for the usual one."""
    points: tuple[tuple[int, Vector3], ...]
    """Numbers of bodies, and points in their axes; one for symbols."""
    axis: Vector3 = (0.0, 0.0, 1.0)
    """Of a symbol, in the axes of its body."""
    radius: float = 0.0
    half: float = 0.0
    """Half the length along the axis."""
    bias: float = 0.0
    """How much nearer than its points it is drawn."""

    def corners(self, poses: SpacePoses) -> Array:
        """The numbers of the path, shape (n, size)."""
        if self.kind in ("line", "area"):
            places = np.stack([projected(poses.out(body, p)) for body, p in self.points], axis=1)
            return np.asarray(places.reshape(len(places), -1))
        if self.kind == "spring":
            a, b = (projected(poses.out(body, p)) for body, p in self.points)
            rows = [zigzag(tuple(s), tuple(e), self.radius) for s, e in zip(a, _apart(a, b), strict=True)]
            return np.array(rows).reshape(len(rows), -1)
        ((body, p),) = self.points
        middle = projected(poses.out(body, p))
        if self.kind == "ball":
            side = np.array([self.radius, 0.0])
            return np.concatenate([middle - side, middle + side], axis=1)
        axis = poses.direction(body, self.axis)
        along = projected(axis)
        length = np.linalg.norm(along, axis=1, keepdims=True)
        across = np.where(
            length > 1e-9, along[:, ::-1] * (-1.0, 1.0) / np.where(length > 1e-9, length, 1.0), (1.0, 0.0)
        )
        a, b = middle - self.half * along, middle + self.half * along
        wide = self.radius * LONG * across
        if self.kind == "sleeve":
            return np.concatenate([a + wide, b + wide, b - wide, a - wide], axis=1)
        toward = axis.sum(axis=1, keepdims=True) / math.sqrt(3.0)
        long = np.full_like(toward, self.radius * LONG)
        turn = np.degrees(np.arctan2(across[:, 1:], across[:, :1]))
        shape = np.concatenate([long, long * np.abs(toward), turn], axis=1)
        if self.kind == "tube":
            return np.concatenate([a + wide, b + wide, shape, b - wide, a - wide], axis=1)
        seen = np.where(toward >= 0.0, b, a)
        return np.concatenate([seen - wide, shape, seen + wide], axis=1)

    def path(self, row: Sequence[float], decimals: int = 3) -> str:
        """The path of such numbers."""
        from sistel.views.schemes._scene import short_number

        n = [short_number(float(x), decimals) for x in row]
        if self.kind == "ball":
            r = short_number(self.radius, decimals)
            return f"M{n[0]},{n[1]}A{r},{r},0,1,0,{n[2]},{n[3]}A{r},{r},0,1,0,{n[0]},{n[1]}z"
        if self.kind == "tube":
            e = ",".join(n[4:7])
            return f"M{n[0]},{n[1]}L{n[2]},{n[3]}A{e},0,0,{n[7]},{n[8]}L{n[9]},{n[10]}A{e},0,0,{n[0]},{n[1]}z"
        if self.kind == "end":
            e = ",".join(n[2:5])
            return f"M{n[0]},{n[1]}A{e},1,0,{n[5]},{n[6]}A{e},1,0,{n[0]},{n[1]}z"
        line = "M" + "L".join(f"{x},{y}" for x, y in zip(n[::2], n[1::2], strict=True))
        return line + "z" if self.kind in ("area", "sleeve") else line

    def depth(self, poses: SpacePoses) -> Array:
        """How near it is, shape (n,)."""
        return np.asarray(sum(poses.out(body, p).sum(axis=1) for body, p in self.points) / len(self.points) + self.bias)

    def facing(self, poses: SpacePoses) -> Array:
        """Positive where the axis comes towards the reader: the other end of a tube is seen elsewhere, shape (n,)."""
        return np.asarray(poses.direction(self.points[0][0], self.axis).sum(axis=1))

    def description(self, identifier: str) -> SchemeFigure:
        """The same as plain JSON."""
        return {
            "id": identifier,
            "kind": self.kind,
            "points": [[body, *p] for body, p in self.points],
            "axis": list(self.axis),
            "radius": self.radius,
            "half": self.half,
            "bias": self.bias,
        }


def _apart(a: Array, b: Array) -> Array:
    """Ends of springs that do not coincide with their beginnings."""
    near = np.linalg.norm(b - a, axis=1, keepdims=True) < 1e-6
    return np.asarray(b + near * np.array([1e-6, 0.0]))
