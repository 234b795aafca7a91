"""Triangles of meshes for rays: files of STL, both kinds, without NumPy."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

from sistel.errors import Diagnostics, Text
from sistel.expr import decide
from sistel.markup import AccessError, find_mesh
from sistel.model._elements import Shape
from sistel.pose import Vector3, rotate

Triangle = tuple[Vector3, Vector3, Vector3]

MOST = 20_000
"""Triangles of one mesh that rays may meet."""
LARGEST = 64 * MOST
"""Length of a file with so many, in the text form, about [bytes]; four times that is read."""


def triangles(shape: Shape, diagnostics: Diagnostics) -> list[Triangle]:
    """The triangles of a mesh in the frame of its body [m]; none, with a warning, where rays cannot see it."""
    try:
        path = find_mesh(shape.path, shape.span.source)
        if not path.lower().endswith(".stl"):
            raise AccessError("mesh-format", Text("rays see meshes of .stl alone", "лучи видят только сетки .stl"))
        if os.path.getsize(path) > 4 * LARGEST:
            raise _too_many()
        with open(path, "rb") as file:
            found = list(_stl(file.read()))
    except AccessError as problem:
        diagnostics.warning(
            "unseen-mesh",
            shape.span,
            Text(f'rays do not see the mesh "{shape.path}"', f"лучи не видят сетку «{shape.path}»"),
            expected=problem.reason,
            hint=Text("put boxes in its place", "поставьте на её место коробки"),
        )
        return []
    scale = [decide(size) for size in shape.sizes] or [1.0]
    scale = scale * 3 if len(scale) == 1 else scale
    return [_placed(shape, triangle, scale) for triangle in found]


def _placed(shape: Shape, triangle: Triangle, scale: list[float]) -> Triangle:
    a, b, c = (_corner(shape, p, scale) for p in triangle)
    return a, b, c


def _corner(shape: Shape, p: Vector3, scale: list[float]) -> Vector3:
    x, y, z = rotate(shape.R_BS, (p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]))
    at = shape.p_BS
    return decide(at[0]) + float(x), decide(at[1]) + float(y), decide(at[2]) + float(z)


def _stl(data: bytes) -> Iterator[Triangle]:
    """Of a file that is text or not: the length of the other kind tells its number of triangles."""
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        if count > MOST:
            raise _too_many()
        for i in range(count):
            n = struct.unpack_from("<9f", data, 84 + 50 * i + 12)
            yield (n[0], n[1], n[2]), (n[3], n[4], n[5]), (n[6], n[7], n[8])
        return
    corners: list[Vector3] = []
    words = data.decode("ascii", errors="replace").split()
    places = [i for i, word in enumerate(words) if word.lower() == "vertex"]
    if len(places) > 3 * MOST:
        raise _too_many()
    try:
        corners = [(float(words[i + 1]), float(words[i + 2]), float(words[i + 3])) for i in places]
    except (IndexError, ValueError):
        raise _damaged() from None
    if not corners or len(corners) % 3:
        raise _damaged()
    for i in range(0, len(corners), 3):
        yield corners[i], corners[i + 1], corners[i + 2]


def _too_many() -> AccessError:
    return AccessError("large-mesh", Text(f"at most {MOST} triangles", f"не больше {MOST} треугольников"))


def _damaged() -> AccessError:
    return AccessError("bad-mesh", Text("a whole file of STL", "целый файл STL"))
