"""Unit figures made as large as needed by the scale of a Transform, as the prototypes of the papers have them.

Radii and edges of X3D figures cannot change once a scene is there; the scale of a Transform can.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.pose import Rotation, Vector3, axis_angle, norm
from sistel.views.x3d._nodes import Node, node, numbers, rows, transform

if TYPE_CHECKING:
    from sistel.arrays import AnyArray, Array
    from sistel.meshes import Mesh, Paint


Colour = tuple[float, float, float]

ALONG_Z = (1.0, 0.0, 0.0, math.pi / 2)
"""From the y axis of X3D's round figures to the z axis of ours."""


def turn_of(R: Rotation) -> tuple[float, float, float, float]:
    """Axis and angle of a rotation field [rad]."""
    (x, y, z), angle = axis_angle(R)
    return (x, y, z, angle)


CALM = 0.8
"""Part of the colourfulness that a declared colour keeps: lights make colours stronger than paper does."""
DARKEST = 0.26
"""Least grey value: what is black has neither form nor shadow."""
SHINE = {"ambientIntensity": "0.6", "specularColor": "0.22 0.22 0.22", "shininess": "0.35"}
"""Of all materials: what light from nowhere they give back, and a soft highlight."""


def looks(colour: Colour, transparency: float = 0.0, name: str = "") -> Node:
    """An appearance, with a name for its material where a page sets its colour."""
    fields = {"DEF": name, "diffuseColor": numbers(_calm(colour)), **SHINE}
    fields["transparency"] = numbers([transparency]) if transparency else ""
    return node("Appearance", children=[node("Material", fields)])


def _calm(colour: Colour) -> Colour:
    """A colour as it is under lights: a little less colourful, and never black."""
    grey = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    level = max(grey, DARKEST)
    red, green, blue = (round(min(level + CALM * (part - grey), 1.0), 4) for part in colour)
    return red, green, blue


def shape(geometry: Node, appearance: Node, *, cast: bool = True) -> Node:
    """A figure as it is seen; what casts no shadow does not stretch those of others either."""
    return node("Shape", {"castShadow": "" if cast else "false"}, [appearance, geometry])


def box(size: Sequence[float], appearance: Node) -> Node:
    """Edges along x, y, z [m]."""
    return transform([shape(node("Box", {"size": "1 1 1"}), appearance)], scale=solid_scale(size))


def ball(radius: float, appearance: Node, at: Vector3 = (0.0, 0.0, 0.0)) -> Node:
    """A ball at a point [m]."""
    return transform([shape(node("Sphere"), appearance)], translation=at, scale=solid_scale((radius,) * 3))


def cylinder(radius: float, length: float, appearance: Node) -> Node:
    """Along z, its centre at the origin [m]."""
    return transform(
        [shape(node("Cylinder", {"height": "1"}), appearance)],
        rotation=ALONG_Z,
        scale=solid_scale((radius, length, radius)),
    )


def cone(radius: float, length: float, appearance: Node) -> Node:
    """Along z, apex up, the middle of its height at the origin [m]."""
    return transform(
        [shape(node("Cone", {"height": "1"}), appearance)],
        rotation=ALONG_Z,
        scale=solid_scale((radius, length, radius)),
    )


def bar(a: Vector3, b: Vector3, radius: float, appearance: Node) -> Node:
    """A cylinder between two points [m]."""
    way = tuple(q - p for p, q in zip(a, b, strict=True))
    length = norm(way)
    middle = tuple((p + q) / 2 for p, q in zip(a, b, strict=True))
    return transform(
        [shape(node("Cylinder", {"height": "1"}), appearance)],
        translation=middle,
        rotation=turn_from_y((way[0], way[1], way[2])),
        scale=solid_scale((radius, length, radius)),
    )


def turn_from_y(way: Vector3) -> tuple[float, float, float, float]:
    """The shortest turn from y to a direction, about y × way: an axis with an angle [rad]."""
    sine = math.hypot(way[0], way[2])
    axis = (way[2] / sine, 0.0, -way[0] / sine) if sine > 1e-12 * norm(way) else (1.0, 0.0, 0.0)
    return (*axis, math.atan2(sine, way[1]))


def plate(points: Sequence[tuple[float, float]], thickness: float, appearance: Node) -> Node:
    """A closed outline in the plane z = 0, made thick; the outline itself has the size 1 [m]."""
    size = max(max(abs(x), abs(y)) for x, y in points) or 1.0
    section = [(x / size, y / size) for x, y in (*points, points[0])]
    fields = {
        "crossSection": rows(section),
        "spine": "0 -0.5 0, 0 0.5 0",
        "convex": "false",
        "solid": "false",
    }
    # Extrusions go along y with sections in x and z; this turn makes them x and y.
    turned = (1.0, 0.0, 0.0, -math.pi / 2)
    return transform(
        [shape(node("Extrusion", fields), appearance)], rotation=turned, scale=solid_scale((size, thickness, size))
    )


def wire(points: Sequence[Vector3], colour: Colour) -> Node:
    """A thin line through points [m]."""
    size = max((max(abs(x) for x in point) for point in points), default=1.0) or 1.0
    place = node("Coordinate", {"point": rows([x / size for x in point] for point in points)})
    line = node("LineSet", {"vertexCount": str(len(points))}, [place])
    appearance = node("Appearance", children=[node("UnlitMaterial", {"emissiveColor": numbers(colour)})])
    return transform([shape(line, appearance)], scale=(size,) * 3)


def surface(mesh: Mesh, scale: Sequence[float], own: Node) -> Node:
    """A mesh, as large as told; `own` is how it looks where it has no colours itself."""
    if mesh.grid:
        return _on_grid(mesh, scale, own)
    mirrored = math.prod(scale) < 0
    triangles = mesh.triangles[:, ::-1] if mirrored else mesh.triangles
    points, normals = mesh.points, mesh.normals
    # Scales below zero are not for X3D: a mirrored mesh has mirrored points.
    if min(scale) <= 0:
        points = points * list(scale)
        if normals is not None:
            normals = None if 0.0 in scale else normals / list(scale)
        scale = (1.0, 1.0, 1.0)
    if mesh.paint is None or len(mesh.paints) < 2:
        paint = mesh.paints[0] if mesh.paints else None
        return transform([_part(points, normals, triangles, own, paint)], scale=scale)
    parts = []
    for number, paint in enumerate(mesh.paints):
        chosen = triangles[mesh.paint == number]
        if not len(chosen):
            continue
        used = sorted(set(chosen.ravel().tolist()))
        place = dict(zip(used, range(len(used)), strict=True))
        again = chosen.copy()
        again.ravel()[:] = [place[at] for at in chosen.ravel().tolist()]
        parts.append(_part(points[used], None if normals is None else normals[used], again, own, paint))
    return transform(parts, scale=scale)


SMOOTH = 0.7
"""Neighbouring triangles of a simplified mesh that differ by less are one smooth surface [rad]."""


def _on_grid(mesh: Mesh, scale: Sequence[float], own: Node) -> Node:
    """A mesh whose points are whole numbers in the text, which its Transform brings to their places."""
    import numpy as np

    low = mesh.points.min(axis=0)
    # Scales below zero are not for X3D: a mirrored mesh has mirrored numbers.
    signs = np.where(np.asarray(scale) < 0, -1, 1)
    whole = np.round((mesh.points - low) / mesh.grid).astype(np.int64) * signs
    triangles = mesh.triangles[:, ::-1] if signs.prod() < 0 else mesh.triangles
    parts = []
    for number, paint in enumerate(mesh.paints or (None,)):
        chosen = triangles if mesh.paint is None or len(mesh.paints) < 2 else triangles[mesh.paint == number]
        if not len(chosen):
            continue
        used, again = np.unique(chosen, return_inverse=True)
        faces = again.reshape(-1, 3)
        appearance = own if paint is None or paint.colour is None else looks(paint.colour, paint.transparency)
        index = " -1 ".join(["%d %d %d"] * len(faces)) % tuple(faces.ravel().tolist())
        place = ",".join(["%d %d %d"] * len(used)) % tuple(whole[used].ravel().tolist())
        fields = {"coordIndex": f"{index} -1", "creaseAngle": numbers([SMOOTH]), "solid": "false"}
        net = node("IndexedFaceSet", fields, [node("Coordinate", {"point": place})])
        parts.append(shape(net, appearance))
    return transform(
        parts,
        translation=(low * list(scale)).tolist(),
        scale=solid_scale([mesh.grid * abs(part) for part in scale]),
    )


def _part(points: Array, normals: Array | None, triangles: AnyArray, own: Node, paint: Paint | None) -> Node:
    """Triangles of one colour."""
    appearance = own if paint is None or paint.colour is None else looks(paint.colour, paint.transparency)
    fields = {"index": " ".join(map(str, triangles.ravel().tolist())), "solid": "false"}
    inner = []
    if normals is None:
        fields["normalPerVertex"] = "false"
    else:
        inner.append(node("Normal", {"vector": _triples(normals, 4)}))
    # Seven digits are what viewers keep.
    inner.append(node("Coordinate", {"point": _triples(points, 7)}))
    return shape(node("IndexedTriangleSet", fields, inner), appearance)


def _triples(rows: Array, digits: int) -> str:
    """All at once, since there may be a million of them."""
    form = f"%.{digits}g"
    return (", ".join([f"{form} {form} {form}"] * len(rows))) % tuple((rows + 0.0).ravel().tolist())


def solid_scale(scale: Sequence[float]) -> list[float]:
    """A scale without zeros, which no viewer can invert."""
    least = 1e-6 * max(*scale, 1e-9)
    return [max(part, least) for part in scale]
