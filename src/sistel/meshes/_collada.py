"""COLLADA (.dae): the triangles of a scene with their colours, in metres, z up.

A few lines of it can ask for more than any computer holds: by entities, which are refused in whatever encoding they
come, and by nodes that stand in many places (`instance_node`), which are counted before any of them is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from sistel.meshes._meshes import Piece, Reading, compact, refuse, too_many
from sistel.meshes._paints import OWN, Paint, paint_of
from sistel.records import mutable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Whole

    Element = ElementTree.Element

_UP = {
    "X_UP": ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    "Y_UP": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "Z_UP": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
DEEPEST = 200
"""Elements in elements, and nodes in nodes."""
MOST_ELEMENTS = 500_000
MOST_PIECES = 20_000
"""Geometries that a scene shows, each as often as it stands somewhere."""
BLOCK = 2**20
"""Numbers are made of so much text at a time: words are much larger than what they say [characters]."""


def read_collada(data: bytes, reading: Reading) -> list[Piece]:
    """The pieces of the scene; UnreadableMeshError where the text is no COLLADA, or asks for too much."""
    root = _tree(data)
    ids = {element.get("id", ""): element for element in root.iter()}
    unit = root.find("asset/unit")
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    top = np.eye(4)
    top[:3, :3] = scale * np.array(_UP.get((root.findtext("asset/up_axis") or "Y_UP").strip(), _UP["Y_UP"]))
    return list(_Scene(root, ids, reading).pieces(top))


# --- XML -------------------------------------------------------------------------------------------------------------


def _tree(data: bytes) -> Element:
    """The elements of an XML text, without their namespaces. What is refused is refused after decoding."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 2**16
    depth = count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST or count > MOST_ELEMENTS:
            refuse("its elements are too many or too deep", "его элементов слишком много, или они слишком глубоко")
        builder.start(tag.rpartition(":")[2], attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition(":")[2])

    def defined(*_: object) -> None:
        refuse("it has definitions, which are not read", "в нём есть определения, а они не читаются")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = defined
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as problem:
        if isinstance(problem, expat.ExpatError):
            refuse("it is no XML", "это не XML")
        raise
    return builder.close()


def _floats(element: Element) -> Array:
    return np.concatenate([np.array(words, dtype=float) for words in _words(element)])


def _ints(element: Element) -> Whole:
    return np.concatenate([np.array(words, dtype=np.int64) for words in _words(element)])


def _words(element: Element) -> Iterator[list[str]]:
    """The words of an element, a block of its text at a time."""
    text = element.text or ""
    start = 0
    while True:
        stop = start + BLOCK
        while stop < len(text) and not text[stop].isspace():
            stop += 1
        yield text[start:stop].split()
        start = stop
        if start >= len(text):
            return


# --- scene -----------------------------------------------------------------------------------------------------------


@mutable
class _Surface:
    """Triangles of one material of a geometry."""

    points: Array
    triangles: NDArray[np.int32]
    material: str


@mutable
class _Weight:
    """What a node brings with it, those that it shows again counted as often as they stand."""

    nodes: int = 1
    pieces: int = 0
    triangles: int = 0
    points: int = 0

    def add(self, other: _Weight) -> None:
        self.nodes += other.nodes
        self.pieces += other.pieces
        self.triangles += other.triangles
        self.points += other.points


@mutable
class _Scene:
    root: Element
    ids: dict[str, Element]
    reading: Reading
    geometries: dict[int, list[_Surface]] = field(default_factory=dict)
    """By the identity of their elements: each is read once, wherever it stands."""

    def pieces(self, top: Array) -> Iterator[Piece]:
        """The geometries of the scene where they are; all of them as they stand where there is no scene."""
        visual = self.root.find("scene/instance_visual_scene")
        scene = self.named(visual, "url") if visual is not None else self.root.find(".//visual_scene")
        if scene is None:
            found = list(self.root.iter("geometry"))
            self.check([self.weight(geometry) for geometry in found])
            for geometry in found:
                yield from self.placed(top, geometry, {})
            return
        stack = [(node, top) for node in reversed(scene.findall("node"))]
        self.check([self.weigh(node) for node, _ in stack])
        while stack:
            node, X = stack.pop()
            X = X @ _pose(node)
            for instance in node.findall("instance_geometry"):
                target = self.named(instance, "url")
                if target is not None:
                    yield from self.placed(X, target, self.paints(instance))
            stack += [(child, X) for child in reversed(self.below(node))]

    def named(self, element: Element, key: str) -> Element | None:
        return self.ids.get(element.get(key, "").lstrip("#"))

    def below(self, node: Element) -> list[Element]:
        """The nodes in a node: its own, then those that it shows again."""
        used = [self.named(use, "url") for use in node.findall("instance_node")]
        return [*node.findall("node"), *(target for target in used if target is not None)]

    def check(self, weights: list[_Weight]) -> None:
        """Refuse what would be too much, before it is made."""
        total = _Weight()
        for weight in weights:
            total.add(weight)
        most = self.reading.most
        if total.triangles > most or total.points > 3 * most:
            too_many(most)
        if max(total.pieces, total.nodes) > MOST_PIECES:
            refuse("its nodes are too many or too deep", "его узлов слишком много, или они слишком глубоко")

    def weigh(self, top: Element) -> _Weight:
        """What a node brings with it: each node is looked at once, so a chain of doublings costs its length."""
        known: dict[int, _Weight] = {}
        open_: set[int] = set()
        stack = [(top, False)]
        while stack:
            node, ready = stack.pop()
            key = id(node)
            if key in known:
                continue
            if not ready:
                if key in open_ or len(open_) > DEEPEST:
                    refuse("its nodes are too many or too deep", "его узлов слишком много, или они слишком глубоко")
                open_.add(key)
                stack.append((node, True))
                stack += [(child, False) for child in self.below(node) if id(child) not in known]
                continue
            open_.discard(key)
            weight = known[key] = _Weight()
            for instance in node.findall("instance_geometry"):
                geometry = self.named(instance, "url")
                if geometry is not None:
                    weight.add(self.weight(geometry))
            for child in self.below(node):
                weight.add(known[id(child)])
        return known[id(top)]

    def weight(self, geometry: Element) -> _Weight:
        surfaces = self.surfaces(geometry)
        triangles = sum(len(surface.triangles) for surface in surfaces)
        points = sum(len(surface.points) for surface in surfaces)
        return _Weight(nodes=0, pieces=len(surfaces), triangles=triangles, points=points)

    def placed(self, X: Array, geometry: Element, paints: dict[str, Paint]) -> Iterator[Piece]:
        for surface in self.surfaces(geometry):
            # A mirror turns surfaces inside out.
            triangles = surface.triangles if np.linalg.det(X[:3, :3]) > 0 else surface.triangles[:, ::-1]
            places = surface.points @ X[:3, :3].T + X[:3, 3]
            yield Piece(points=places, triangles=triangles, paint=paints.get(surface.material, OWN))

    def surfaces(self, geometry: Element) -> list[_Surface]:
        if id(geometry) not in self.geometries:
            mesh = geometry.find("mesh")
            self.geometries[id(geometry)] = [] if mesh is None else list(self.read(mesh))
        return self.geometries[id(geometry)]

    def read(self, mesh: Element) -> Iterator[_Surface]:
        arrays: dict[int, Array] = {}
        for kind in ("triangles", "polylist", "polygons"):
            for surface in mesh.findall(kind):
                inputs = surface.findall("input")
                stride = 1 + max((int(each.get("offset", "0")) for each in inputs), default=0)
                vertex = next((each for each in inputs if each.get("semantic") == "VERTEX"), None)
                source = self.named(vertex, "source") if vertex is not None else None
                if vertex is None or source is None:
                    continue
                position = source.find("input[@semantic='POSITION']")
                holder = self.named(position, "source") if position is not None else source
                numbers = holder.find("float_array") if holder is not None else None
                if numbers is None:
                    continue
                offset = int(vertex.get("offset", "0"))
                parts = [_ints(p).reshape(-1, stride)[:, offset] for p in surface.findall("p")]
                if not parts:
                    continue
                if id(numbers) not in arrays:
                    arrays[id(numbers)] = _floats(numbers).reshape(-1, 3)
                yield _used(arrays[id(numbers)], _triangles(kind, surface, parts), surface.get("material", ""))

    def paints(self, instance: Element) -> dict[str, Paint]:
        """Colours of the materials that an instance binds, by their symbols."""
        found = {}
        for bound in instance.iter("instance_material"):
            material = self.named(bound, "target")
            effect = material.find("instance_effect") if material is not None else None
            shader = self.named(effect, "url") if effect is not None else None
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


def _used(points: Array, triangles: Whole, material: str) -> _Surface:
    """With the points that it uses: surfaces of many materials share one list, and would each bring it along."""
    used, places = compact(triangles, len(points))
    return _Surface(points[used], places, material)


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


def _triangles(kind: str, surface: Element, parts: list[Whole]) -> Whole:
    """Corners of the triangles, shape (m, 3); polygons are cut from their first corner."""
    corners = np.concatenate(parts)
    if kind == "triangles":
        return corners.reshape(-1, 3)
    counts = surface.find("vcount")
    if kind == "polygons":
        sizes = np.array([len(part) for part in parts], dtype=np.int64)
    else:
        sizes = _ints(counts) if counts is not None else np.zeros(0, dtype=np.int64)
    if len(sizes) and (sizes.min() < 0 or sizes.max() > len(corners) or sizes.sum() > len(corners)):
        refuse("its polygons have more corners than it gives", "у его многоугольников вершин больше, чем дано")
    each = np.maximum(sizes - 2, 0)
    first = np.repeat(np.cumsum(sizes) - sizes, each)
    step = np.arange(len(first)) - np.repeat(np.cumsum(each) - each, each)
    return np.asarray(corners[np.stack((first, first + step + 1, first + step + 2), axis=1)])
