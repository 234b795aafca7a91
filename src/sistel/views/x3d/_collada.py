"""COLLADA (.dae): the triangles of a scene with their colours, in metres, z up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from sistel.views.x3d._meshes import Piece, refuse
from sistel.views.x3d._paints import OWN, Paint, paint_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Faces = tuple[Array, NDArray[np.int64], str]
    Element = ElementTree.Element

_UP = {
    "X_UP": ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    "Y_UP": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "Z_UP": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
DEEPEST = 200
"""Nodes in nodes."""
MOST_NODES = 100_000
"""Of a scene, with those that are used again: a few lines can else ask for more than any computer holds."""


def read_collada(data: bytes) -> list[Piece]:
    """The pieces of the scene; UnreadableMeshError where the text is no COLLADA."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        refuse("it has definitions, which are not read", "в нём есть определения, а они не читаются")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        refuse("it is no XML", "это не XML")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    ids = {element.get("id", ""): element for element in root.iter()}
    unit = root.find("asset/unit")
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    top = np.eye(4)
    top[:3, :3] = scale * np.array(_UP.get((root.findtext("asset/up_axis") or "Y_UP").strip(), _UP["Y_UP"]))
    found: list[Piece] = []
    for X, geometry, paints in _placed(root, ids, top):
        mesh = geometry.find("mesh")
        for places, faces, material in _surfaces(mesh, ids) if mesh is not None else ():
            # A mirror turns surfaces inside out.
            triangles = faces if np.linalg.det(X[:3, :3]) > 0 else faces[:, ::-1]
            paint = paints.get(material, OWN)
            found.append(Piece(points=places @ X[:3, :3].T + X[:3, 3], triangles=triangles, paint=paint))
    return found


def _placed(root: Element, ids: dict[str, Element], top: Array) -> Iterator[tuple[Array, Element, dict[str, Paint]]]:
    """The geometries of the scene, with where they are; all of them as they stand where there is no scene."""
    visual = root.find("scene/instance_visual_scene")
    scene = ids.get(visual.get("url", "").lstrip("#")) if visual is not None else root.find(".//visual_scene")
    if scene is None:
        yield from ((top, geometry, {}) for geometry in root.iter("geometry"))
        return
    stack = [(node, top, 0) for node in scene.findall("node")]
    count = 0
    while stack:
        node, X, depth = stack.pop()
        count += 1
        if count > MOST_NODES or depth > DEEPEST:
            refuse("its nodes are too many or too deep", "его узлов слишком много, или они слишком глубоко")
        X = X @ _pose(node)
        for instance in node.findall("instance_geometry"):
            geometry = ids.get(instance.get("url", "").lstrip("#"))
            if geometry is not None:
                yield X, geometry, _paints(instance, ids)
        stack += [(child, X, depth + 1) for child in node.findall("node")]
        for use in node.findall("instance_node"):
            target = ids.get(use.get("url", "").lstrip("#"))
            stack += [(target, X, depth + 1)] if target is not None else []


def _paints(instance: Element, ids: dict[str, Element]) -> dict[str, Paint]:
    """Colours of the materials that an instance binds, by their symbols."""
    found = {}
    for bound in instance.iter("instance_material"):
        material = ids.get(bound.get("target", "").lstrip("#"))
        effect = material.find("instance_effect") if material is not None else None
        shader = ids.get(effect.get("url", "").lstrip("#")) if effect is not None else None
        colour = shader.find(".//diffuse/color") if shader is not None else None
        if shader is None or colour is None:
            continue
        parts = _floats(colour).tolist()
        if len(parts) >= 3:
            share = shader.find(".//transparency/float")
            opaque = float(share.text or "1") if share is not None else 1.0
            # Files that mean it the other way round are common; nobody exports what cannot be seen.
            found[bound.get("symbol", "")] = paint_of(parts, opaque if opaque > 0.0 else 1.0)
    return found


def _pose(node: Element) -> Array:
    X = np.eye(4)
    for child in node:
        if child.tag not in ("matrix", "translate", "rotate", "scale"):
            continue
        numbers = _floats(child)
        step = np.eye(4)
        if child.tag == "matrix":
            step = numbers.reshape(4, 4)
        elif child.tag == "translate":
            step[:3, 3] = numbers[:3]
        elif child.tag == "scale":
            step[[0, 1, 2], [0, 1, 2]] = numbers[:3]
        else:
            axis = numbers[:3] / (np.linalg.norm(numbers[:3]) or 1.0)
            c, s = math.cos(math.radians(numbers[3])), math.sin(math.radians(numbers[3]))
            skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
            step[:3, :3] = c * np.eye(3) + s * skew + (1 - c) * np.outer(axis, axis)
        X = X @ step
    return X


def _surfaces(mesh: Element, ids: dict[str, Element]) -> Iterator[Faces]:
    for kind in ("triangles", "polylist", "polygons"):
        for surface in mesh.findall(kind):
            inputs = surface.findall("input")
            stride = 1 + max((int(each.get("offset", "0")) for each in inputs), default=0)
            vertex = next((each for each in inputs if each.get("semantic") == "VERTEX"), None)
            source = ids.get(vertex.get("source", "").lstrip("#")) if vertex is not None else None
            if vertex is None or source is None:
                continue
            position = source.find("input[@semantic='POSITION']")
            array = ids.get(position.get("source", "").lstrip("#")) if position is not None else source
            numbers = array.find("float_array") if array is not None else None
            if numbers is None:
                continue
            offset = int(vertex.get("offset", "0"))
            parts = [_ints(p).reshape(-1, stride)[:, offset] for p in surface.findall("p")]
            if not parts:
                continue
            yield _floats(numbers).reshape(-1, 3), _triangles(kind, surface, parts), surface.get("material", "")


def _triangles(kind: str, surface: Element, parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    if kind == "triangles":
        return np.concatenate(parts).reshape(-1, 3)
    if kind == "polylist":
        counts = surface.find("vcount")
        sizes = _ints(counts) if counts is not None else np.zeros(0, dtype=np.int64)
        parts = np.split(np.concatenate(parts), np.cumsum(sizes)[:-1])
    found = [(corners[0], b, c) for corners in parts for b, c in pairwise(corners[1:])]
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _floats(element: Element) -> Array:
    return np.array((element.text or "").split(), dtype=float)


def _ints(element: Element) -> NDArray[np.int64]:
    return np.array((element.text or "").split(), dtype=np.int64)
