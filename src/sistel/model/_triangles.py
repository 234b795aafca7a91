"""Triangles of meshes for rays, of all formats that are read."""

from __future__ import annotations

from pathlib import Path

from sistel.errors import Diagnostics, Text
from sistel.expr import decide
from sistel.markup import AccessError, find_mesh, mesh_roots
from sistel.model._elements import Shape
from sistel.pose import Vector3, rotate

Triangle = tuple[Vector3, Vector3, Vector3]

MOST = 20_000
"""Triangles of one mesh that rays may meet."""


def triangles(shape: Shape, diagnostics: Diagnostics) -> list[Triangle]:
    """The triangles of a mesh in the frame of its body [m]; none, with a warning, where rays cannot see it."""
    # Reading a description needs no numerics, unless rays meet what is in such a file.
    from sistel.meshes import UnreadableMeshError, read_mesh

    source = shape.span.source
    try:
        mesh = read_mesh(Path(find_mesh(shape.path, source)), mesh_roots(source), MOST)
    except (AccessError, UnreadableMeshError) as problem:
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
    points = [_placed(shape, (float(x), float(y), float(z)), scale) for x, y, z in mesh.points.tolist()]
    return [(points[a], points[b], points[c]) for a, b, c in mesh.triangles.tolist()]


def _placed(shape: Shape, p: Vector3, scale: list[float]) -> Vector3:
    x, y, z = rotate(shape.R_BS, (p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]))
    at = shape.p_BS
    return decide(at[0]) + float(x), decide(at[1]) + float(y), decide(at[2]) + float(z)
