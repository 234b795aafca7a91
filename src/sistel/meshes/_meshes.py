"""Surfaces from files: STL, OBJ, COLLADA and glTF as points and triangles with their colours.

This is the one way in for meshes. Their files come from strangers: they are read through the door of `sistel.markup`
(`find_mesh`, `read_named`), and what a file may ask for is bounded by its own size (`most_triangles`).

Why these readers are our own, and not trimesh. Measured with trimesh 5.2, and with pycollada 0.9, which it needs for
COLLADA; one processor core, a surface of 1 million triangles (0.3 million for STL as text), ours / trimesh:

=================  ===============  ==================================
file               seconds          peak memory, in sizes of the file
=================  ===============  ==================================
STL, 50 MB         1.2 / 2.6        7 / 11
STL, text, 45 MB   1.8 / 1.8        2.4 / 7.6
OBJ, 37 MB         4.0 / 2.3        3.7 / 7.7
COLLADA, 34 MB     1.2 / 3.3        5 / 17
glTF, 18 MB        0.4 / 0.5        7 / 12
=================  ===============  ==================================

An import of it takes 45 MB more than numpy alone. With it, nodes of COLLADA that double 25 times do not end (ours:
refused in milliseconds), entities are expanded, and a named pipe in the place of the materials of an OBJ file holds up
the reader for ever. Every guard would have to be written around it, in the places where these readers have theirs; what
it could save is the rest, about 300 lines. Formats that only it reads (PLY, OFF, 3MF) occur in no robot that we know
of.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

import numpy as np

from sistel.errors import Text
from sistel.markup import MESH_SUFFIXES, AccessError, find_mesh, mesh_roots, read_named
from sistel.meshes._paints import OWN, Paint
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.errors import Span

    Numbers = NDArray[np.int32]

LARGEST = 256 * 2**20
"""Of a file [bytes]; larger ones are left out of scenes."""
MOST = 4_000_000
"""Triangles of one file, and of all that one scene shows."""
MOST_SECONDS = 60.0
"""In which the meshes of one scene are read: those that come later are left out [s]."""
FREE = 200_000
"""Triangles that a file of any size may have: a small one may show the same part many times."""
LEAST_BYTES = 4
"""Of a triangle beyond those: faces of many corners in short words need no more."""
MOST_PAINTS = 1000
"""Colours of one file; what else it has is shown in the colour of its body."""
FARTHEST = 1e15
"""Coordinates of points: beyond this viewers, which count in single precision, lose everything [m]."""


class UnreadableMeshError(ValueError):
    """A file that holds no surface that could be shown."""

    def __init__(self, reason: Text) -> None:
        """With the reason in words."""
        super().__init__(reason.en)
        self.reason = reason


@record
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
    grid: float = 0.0
    """Step of the grid on which all points are, from the least one; 0 where they are anywhere."""


@record
class Piece:
    """A part of a file as its reader found it: triangles of one paint."""

    points: Array
    triangles: NDArray[np.integer]
    normals: Array | None = None
    paint: Paint = OWN


@record
class Reading:
    """What readers of one file share."""

    folder: Path
    """Where the file lies; what it names lies there or below, or in `roots`."""
    roots: tuple[str, ...]
    most: int
    """Triangles that it may have."""
    notes: list[Text]

    def beside(self, name: str, most: int) -> bytes:
        """A file that the mesh names, at most `most` bytes and one more.

        Raises:
            AccessError: It is not there, or not to be read.
        """
        if "://" in name or "\0" in name:
            raise AccessError("no-file", Text("this is no name of a file", "это не имя файла"))
        return read_named(self.folder / name, most, (str(self.folder), *self.roots))


def most_triangles(size: int, most: int = MOST) -> int:
    """How many triangles a file of a size may have [bytes]: a few lines can ask for more than a computer holds."""
    return min(most, max(FREE, size // LEAST_BYTES))


def read_mesh(path: Path, roots: Sequence[str] | None = None, most: int = MOST) -> Mesh:
    """The surface that a file holds, by its suffix.

    Args:
        path: The file.
        roots: Folders in which it must lie, and what it names itself; by default only its own.
        most: Triangles that it may have.

    Raises:
        UnreadableMeshError: It cannot be read, is empty, is too large, or has another format.
    """
    suffix = path.suffix.lower()
    if suffix not in MESH_SUFFIXES:
        refuse(f'"{suffix}" is no format of meshes that is read', f"сетки «{suffix}» не читаются")
    inside = (str(path.parent),) if roots is None else tuple(roots)
    notes: list[Text] = []
    try:
        # What overflows is found by its result.
        with np.errstate(all="ignore"):
            return _joined(_pieces(path, suffix, inside, most, notes), notes)
    except UnreadableMeshError:
        raise
    except AccessError as problem:
        raise UnreadableMeshError(problem.reason) from None
    except (ValueError, LookupError, ArithmeticError, TypeError, AttributeError, RecursionError, MemoryError):
        refuse("its contents are broken", "его содержимое испорчено")


class MeshShape(Protocol):
    """A shape whose surface is in a file."""

    @property
    def path(self) -> str:
        """The file, as the description names it."""

    @property
    def span(self) -> Span:
        """Where it names it."""


class MeshReader:
    """Reads the meshes of one model, as many as fit into a scene and into the time of a person who waits."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._room, self._seconds = MOST, MOST_SECONDS

    def read(self, shape: MeshShape) -> Mesh:
        """The surface of a shape.

        Raises:
            AccessError: The file is not there, or not to be read.
            UnreadableMeshError: It holds nothing to show, or the others have taken too long.
        """
        if self._seconds <= 0.0:
            refuse(
                f"reading the meshes before it took {MOST_SECONDS:g} s",
                f"чтение предыдущих сеток заняло {MOST_SECONDS:g} с",
            )
        source = shape.span.source
        begin = time.monotonic()
        try:
            mesh = read_mesh(Path(find_mesh(shape.path, source)), mesh_roots(source), self._room)
        finally:
            self._seconds -= time.monotonic() - begin
        self._room -= len(mesh.triangles)
        return mesh


def _pieces(path: Path, suffix: str, roots: tuple[str, ...], most: int, notes: list[Text]) -> list[Piece]:
    from sistel.meshes._collada import read_collada
    from sistel.meshes._gltf import read_gltf
    from sistel.meshes._stl_obj import read_obj, read_stl

    data = read_named(path, LARGEST, roots)
    if len(data) > LARGEST:
        refuse("the file is larger than 256 MB", "файл больше 256 МБ")
    reading = Reading(folder=path.parent, roots=roots, most=most_triangles(len(data), most), notes=notes)
    if suffix == ".stl":
        return [read_stl(data, reading)]
    if suffix == ".obj":
        return read_obj(data, reading)
    return read_collada(data, reading) if suffix == ".dae" else read_gltf(data, reading)


def refuse(en: str, ru: str) -> NoReturn:
    """Say why a file cannot be shown.

    Raises:
        UnreadableMeshError: Always.
    """
    raise UnreadableMeshError(Text(en, ru))


def too_many(most: int) -> NoReturn:
    """Refuse a file that has more triangles than one of its size may have.

    Raises:
        UnreadableMeshError: Always.
    """
    refuse(f"there are more than {most} triangles in it", f"в нём больше {most} треугольников")


def compact(corners: NDArray[np.integer], count: int) -> tuple[NDArray[np.integer], Numbers]:
    """The points that triangles use, in rising order, and the corners as numbers of those.

    Args:
        corners: Numbers of points, of any shape.
        count: How many points there are.

    Raises:
        UnreadableMeshError: A corner is none of them.
    """
    if corners.size and (corners.min() < 0 or corners.max() >= count):
        refuse("a triangle has a corner that does not exist", "у треугольника есть вершина, которой нет")
    if count > 3 * corners.size:
        # Many pieces may share one long list of points: none of them may cost its length.
        used, places = np.unique(corners, return_inverse=True)
        return used, places.reshape(corners.shape).astype(np.int32)
    mark = np.zeros(count, dtype=bool)
    mark[corners] = True
    return np.flatnonzero(mark), (np.cumsum(mark, dtype=np.int32) - np.int32(1))[corners]


def _joined(pieces: list[Piece], notes: list[Text]) -> Mesh:
    """All pieces as one surface: equal points once, unused ones never, and no triangles without area."""
    pieces = [piece for piece in pieces if len(piece.triangles)]
    if not pieces:
        refuse("there are no triangles in it", "в нём нет треугольников")
    smooth = all(piece.normals is not None for piece in pieces)
    paints = _paints(pieces, notes)
    rows: list[Array] = []
    corners: list[Numbers] = []
    count = 0
    for piece in pieces:
        used, places = compact(piece.triangles, len(piece.points))
        points = piece.points[used]
        if not np.isfinite(points).all() or np.abs(points).max(initial=0.0) > FARTHEST:
            refuse("a point of it has no place", "у его точки нет места")
        normals = piece.normals
        rows.append(points if not smooth or normals is None else np.hstack((points, _unit(normals[used]))))
        corners.append(places + np.int32(count))
        count += len(used)
    numbers = [paints.get(piece.paint, 0) for piece in pieces]
    number = np.repeat(np.array(numbers, dtype=np.int32), [len(each) for each in corners])
    unique, inverse = _unique(np.concatenate(rows) if len(rows) > 1 else rows[0])
    triangles = inverse[np.concatenate(corners) if len(corners) > 1 else corners[0]]
    a, b, c = triangles.T
    real = (a != b) & (b != c) & (c != a)
    if not real.any():
        refuse("none of its triangles has an area", "все его треугольники вырождены")
    return Mesh(
        points=unique[:, :3],
        triangles=triangles[real],
        normals=unique[:, 3:] if smooth else None,
        paint=number[real],
        paints=tuple(paints),
        notes=tuple(notes),
    )


def _paints(pieces: list[Piece], notes: list[Text]) -> dict[Paint, int]:
    """The colours of a file with their numbers; what has one that is left out gets the first."""
    found = list(dict.fromkeys(piece.paint for piece in pieces))
    if len(found) > MOST_PAINTS:
        found = [OWN, *(paint for paint in found[: MOST_PAINTS - 1] if paint != OWN)]
        what = Text(
            f"it has more than {MOST_PAINTS} colours, the rest have that of the body",
            f"в нём больше {MOST_PAINTS} цветов, остальное — цвета тела",
        )
        notes.append(what)
    return {paint: i for i, paint in enumerate(found)}


def _unique(rows: Array) -> tuple[Array, Numbers]:
    """Rows without those that are equal, in rising order, and the number of each; less memory than `numpy.unique`."""
    rows += 0.0  # -0 and 0 are one number
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = False
    for column in rows.T:
        new[1:] |= column[1:] != column[:-1]
    inverse = np.empty(len(rows), dtype=np.int32)
    inverse[order] = np.cumsum(new, dtype=np.int32) - np.int32(1)
    return rows[new], inverse


def _unit(normals: Array) -> Array:
    """Of length 1; those that have none look up."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    sound = np.isfinite(length) & (length > 1e-12)
    return np.asarray(np.where(sound, normals / np.where(sound, length, 1.0), (0.0, 0.0, 1.0)))
