"""Surfaces from files: STL, OBJ and COLLADA as points and triangles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGEST = 256 * 2**20
"""Of a file [bytes]; larger ones are left out of scenes."""
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mesh:
    """A surface of triangles."""

    points: Array
    """Shape (n, 3), in the unit of the file."""
    triangles: NDArray[np.int64]
    """Numbers of points, shape (m, 3)."""


def read_mesh(path: Path) -> Mesh | None:
    """The surface that a file holds; None where it cannot be read, is empty, or has another format."""
    from sistel.views.x3d._collada import read_collada

    readers = {".stl": _read_stl, ".obj": _read_obj, ".dae": read_collada}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        return None
    try:
        if path.stat().st_size > LARGEST:
            return None
        points, triangles = reader(path.read_bytes())
    except (OSError, ValueError, LookupError, OverflowError, ArithmeticError):
        return None
    sound = len(triangles) and len(points) and np.isfinite(points).all()
    if not sound or triangles.min() < 0 or triangles.max() >= len(points):
        return None
    return _slim(points, triangles)


def _slim(points: Array, triangles: NDArray[np.int64]) -> Mesh:
    """Equal points once, unused ones never, and no triangles without area."""
    unique, places = np.unique(points[triangles.ravel()], axis=0, return_inverse=True)
    corners = places.reshape(-1, 3)
    real = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    return Mesh(points=unique, triangles=corners[real])


def _read_stl(data: bytes) -> tuple[Array, NDArray[np.int64]]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) >= 84 + 50 * count and not (data[:5] == b"solid" and b"facet" in data[:2000]):
        corners = np.frombuffer(data, dtype=_RECORD, count=count, offset=84)["corners"]
        points = corners.reshape(-1, 3).astype(float)
    else:
        words = data.split()
        places = [i for i, word in enumerate(words) if word == b"vertex"]
        points = np.array([[float(x) for x in words[i + 1 : i + 4]] for i in places], dtype=float).reshape(-1, 3)
    points = points[: len(points) // 3 * 3]
    return points, np.arange(len(points)).reshape(-1, 3)


def _read_obj(data: bytes) -> tuple[Array, NDArray[np.int64]]:
    points: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in data.decode("utf-8", errors="replace").replace("\\\n", " ").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            points.append([float(word) for word in words[1:4]])
        elif words[0] == "f":
            numbers = [int(word.partition("/")[0]) for word in words[1:]]
            corners = [number - 1 if number > 0 else len(points) + number for number in numbers]
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    return np.array(points, dtype=float).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3)
