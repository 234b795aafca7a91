"""Surfaces from files: STL, OBJ, COLLADA and glTF as points and triangles with their colours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Text
from sistel.views.x3d._paints import OWN, Paint, library

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]

LARGEST = 256 * 2**20
"""Of a file [bytes]; larger ones are left out of scenes."""
MOST = 4_000_000
"""Triangles of one file."""
FARTHEST = 1e15
"""Coordinates of points: beyond this viewers, which count in single precision, lose everything [m]."""
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class UnreadableMeshError(ValueError):
    """A file that holds no surface that could be shown."""

    def __init__(self, reason: Text) -> None:
        """With the reason in words."""
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mesh:
    """A surface of triangles."""

    points: Array
    """Shape (n, 3) [m, or the unit of a file that has none]."""
    triangles: Numbers
    """Numbers of points, shape (m, 3)."""
    normals: Array | None = None
    """At the points, shape (n, 3), where the file has them."""
    paint: Numbers | None = None
    """Number of the paint of every triangle, shape (m,); without, all have the colour of their body."""
    paints: tuple[Paint, ...] = ()
    notes: tuple[Text, ...] = ()
    """What the file has besides, and is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Piece:
    """A part of a file as its reader found it: triangles of one paint."""

    points: Array
    triangles: Numbers
    normals: Array | None = None
    paint: Paint = OWN


def read_mesh(path: Path) -> Mesh:
    """The surface that a file holds, by its suffix.

    Raises:
        UnreadableMeshError: It cannot be read, is empty, is too large, or has another format.
    """
    suffix = path.suffix.lower()
    if suffix not in (".stl", ".obj", ".dae", ".glb", ".gltf"):
        refuse(f'"{suffix}" is no format of meshes that is read', f"сетки «{suffix}» не читаются")
    notes: list[Text] = []
    try:
        # What overflows is found by its result.
        with np.errstate(all="ignore"):
            return _joined(_pieces(path, suffix, notes), notes)
    except UnreadableMeshError:
        raise
    except OSError as problem:
        reason = problem.strerror or str(problem)
        refuse(reason, reason)
    except (ValueError, LookupError, ArithmeticError, TypeError, AttributeError, RecursionError, MemoryError):
        refuse("its contents are broken", "его содержимое испорчено")


def _pieces(path: Path, suffix: str, notes: list[Text]) -> list[Piece]:
    from sistel.views.x3d._collada import read_collada
    from sistel.views.x3d._gltf import read_gltf

    if path.stat().st_size > LARGEST:
        refuse("the file is larger than 256 MB", "файл больше 256 МБ")
    data = path.read_bytes()
    if suffix == ".stl":
        return [_read_stl(data)]
    if suffix == ".obj":
        return _read_obj(data, path.parent)
    return read_collada(data) if suffix == ".dae" else read_gltf(data, path.parent, notes)


def refuse(en: str, ru: str) -> NoReturn:
    """Say why a file cannot be shown.

    Raises:
        UnreadableMeshError: Always.
    """
    raise UnreadableMeshError(Text(en, ru))


def _joined(pieces: list[Piece], notes: list[Text]) -> Mesh:
    """All pieces as one surface: equal points once, unused ones never, and no triangles without area."""
    pieces = [piece for piece in pieces if len(piece.triangles)]
    if not pieces:
        refuse("there are no triangles in it", "в нём нет треугольников")
    if sum(len(piece.triangles) for piece in pieces) > MOST:
        refuse(f"there are more than {MOST} triangles in it", f"в нём больше {MOST} треугольников")
    for piece in pieces:
        if piece.triangles.min() < 0 or piece.triangles.max() >= len(piece.points):
            refuse("a triangle has a corner that does not exist", "у треугольника есть вершина, которой нет")
        if not np.isfinite(piece.points).all() or np.abs(piece.points).max(initial=0.0) > FARTHEST:
            refuse("a point of it has no place", "у его точки нет места")
    smooth = all(piece.normals is not None for piece in pieces)
    rows = []
    for piece in pieces:
        columns = [piece.points]
        if smooth and piece.normals is not None:
            columns.append(_unit(piece.normals))
        rows.append(np.hstack(columns)[piece.triangles.ravel()])
    # Adding zero makes -0 and 0 one number.
    unique, places = np.unique(np.concatenate(rows) + 0.0, axis=0, return_inverse=True)
    corners = places.reshape(-1, 3)
    paints = tuple(dict.fromkeys(piece.paint for piece in pieces))
    number = np.repeat([paints.index(piece.paint) for piece in pieces], [len(piece.triangles) for piece in pieces])
    real = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    if not real.any():
        refuse("none of its triangles has an area", "все его треугольники вырождены")
    return Mesh(
        points=unique[:, :3],
        triangles=corners[real],
        normals=unique[:, 3:] if smooth else None,
        paint=number[real].astype(np.int64),
        paints=paints,
        notes=tuple(notes),
    )


def _unit(normals: Array) -> Array:
    """Of length 1; those that have none look up."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    sound = np.isfinite(length) & (length > 1e-12)
    return np.asarray(np.where(sound, normals / np.where(sound, length, 1.0), (0.0, 0.0, 1.0)))


def _read_stl(data: bytes) -> Piece:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) >= 84 + 50 * count and not (data[:5] == b"solid" and b"facet" in data[:2000]):
        corners = np.frombuffer(data, dtype=_RECORD, count=count, offset=84)["corners"]
        points = corners.reshape(-1, 3).astype(float)
    else:
        words = data.split()
        places = [i for i, word in enumerate(words) if word == b"vertex"]
        points = np.array([[float(x) for x in words[i + 1 : i + 4]] for i in places], dtype=float).reshape(-1, 3)
    points = points[: len(points) // 3 * 3]
    return Piece(points=points, triangles=np.arange(len(points)).reshape(-1, 3))


def _read_obj(data: bytes, folder: Path) -> list[Piece]:
    points: list[list[float]] = []
    triangles: dict[Paint, list[tuple[int, int, int]]] = {}
    paints: dict[str, Paint] = {}
    paint = OWN
    for line in data.decode("utf-8", errors="replace").replace("\\\n", " ").splitlines():
        words = line.split(maxsplit=1)
        if len(words) < 2:
            continue
        key, rest = words
        if key == "v":
            points.append([float(word) for word in rest.split()[:3]])
        elif key == "f":
            numbers = [int(word.partition("/")[0]) for word in rest.split()]
            corners = [number - 1 if number > 0 else len(points) + number for number in numbers]
            triangles.setdefault(paint, []).extend((corners[0], b, c) for b, c in pairwise(corners[1:]))
        elif key == "mtllib":
            paints |= library(folder, rest.strip())
        elif key == "usemtl":
            paint = paints.get(rest.strip(), OWN)
    places = np.array(points, dtype=float).reshape(-1, 3)
    if not all(map(math.isfinite, places.ravel().tolist())):
        refuse("a point of it has no place", "у его точки нет места")
    return [
        Piece(points=places, triangles=np.array(faces, dtype=np.int64).reshape(-1, 3), paint=paint)
        for paint, faces in triangles.items()
    ]
