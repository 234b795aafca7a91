"""glTF 2.0 (.glb and .gltf): the triangles of its scene with normals and base colours, in metres, z up.

The rules are those of the glTF 2.0 specification (ISO/IEC 12113:2022). What a file may ask for is bounded, and nothing
outside its own folder is read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.meshes._buffers import Buffers
from sistel.meshes._meshes import Piece, Reading, compact, refuse, too_many
from sistel.meshes._paints import OWN, Paint, from_linear, paint_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.plain import Json, JsonObject

    Numbers = NDArray[np.int32]

MAGIC, JSON, BIN = b"glTF", 0x4E4F534A, 0x004E4942
UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From y up, which glTF has, to z up."""
HARMLESS = (
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "EXT_texture_",
    "KHR_xmp",
    "MSFT_texture_dds",
)
"""Extensions without which the shape of a scene is the same, by the beginnings of their names."""
MOST_PIECES = 20_000
LONGEST = 64 * 2**20
"""Of the JSON [bytes]."""
MOST_LISTS = 400_000
"""Lists and objects of the JSON, each of which takes much more memory than text."""
_STRIP, _FAN, _TRIANGLES = 5, 6, 4


def read_gltf(data: bytes, reading: Reading) -> list[Piece]:
    """The pieces of the scene that a file shows.

    Args:
        data: The file.
        reading: Where it lies, as its buffers may lie beside it; and what it may ask for.

    Raises:
        UnreadableMeshError: The file is broken, too large, or needs what is not known here.
    """
    text, inside = _parts(data)
    if len(text) > LONGEST:
        refuse("its JSON is larger than 64 MB", "его JSON больше 64 МБ")
    if text.count("[") + text.count("{") > MOST_LISTS or text.count(",") > 10 * MOST_LISTS:
        refuse("its JSON has too many parts", "в его JSON слишком много частей")
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        refuse("its JSON is broken", "его JSON испорчен")
    if not isinstance(tree, dict) or not str(tree.get("asset", {}).get("version", "")).startswith("2."):
        refuse("it is no glTF 2.0", "это не glTF 2.0")
    for name in tree.get("extensionsRequired", []):
        if not str(name).startswith(HARMLESS):
            shown = str(name)[:60]
            refuse(f"it needs the extension {shown}", f"ему нужно расширение {shown}")
    return list(_Scene(tree, Buffers(tree, inside, reading), reading).pieces())


def _parts(data: bytes) -> tuple[str, bytes | None]:
    """The JSON and the binary chunk of a file, which a .gltf does not have."""
    if data[:4] != MAGIC:
        return data.decode("utf-8-sig"), None
    if len(data) < 20 or struct.unpack("<I", data[4:8])[0] != 2:
        refuse("it is no glTF 2.0", "это не glTF 2.0")
    total = min(struct.unpack("<I", data[8:12])[0], len(data))
    text: str | None = None
    binary: bytes | None = None
    at = 12
    while at + 8 <= total:
        size, kind = struct.unpack("<II", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + size]
        if len(chunk) != size:
            refuse("it ends before its time", "он обрывается")
        if kind == JSON and text is None:
            text = chunk.decode("utf-8")
        elif kind == BIN and binary is None:
            binary = chunk
        at += 8 + size
    if text is None:
        refuse("it is no glTF 2.0", "это не glTF 2.0")
    return text, binary


class _Scene:
    def __init__(self, tree: JsonObject, buffers: Buffers, reading: Reading) -> None:
        self.tree, self.buffers, self.notes = tree, buffers, reading.notes
        self.most = reading.most
        self.count = self.number = 0

    def pieces(self) -> Iterator[Piece]:
        for X, number in self.placed():
            mesh = self.buffers.item("meshes", number)
            for primitive in mesh["primitives"]:
                piece = self.primitive(primitive, X)
                if piece is not None:
                    yield piece
        if any("baseColorTexture" in each.get("pbrMetallicRoughness", {}) for each in self.tree.get("materials", [])):
            self.notes.append(Text("its textures are not shown", "текстуры не показаны"))
        if self.tree.get("animations") or self.tree.get("skins"):
            self.notes.append(Text("its own motions are not shown", "собственные движения не показаны"))

    def placed(self) -> Iterator[tuple[Array, int]]:
        """The meshes of the scene, with where they are; no recursion, and every node once, as the rules demand."""
        nodes = self.tree.get("nodes", [])
        if self.tree.get("scenes"):
            roots = self.buffers.item("scenes", self.tree.get("scene", 0)).get("nodes", [])
        else:
            held = {child for node in nodes for child in node.get("children", [])}
            roots = [number for number in range(len(nodes)) if number not in held]
        if not nodes:
            yield from ((np.eye(4), number) for number in range(len(self.tree.get("meshes", []))))
        seen: set[int] = set()
        top = np.eye(4)
        top[:3, :3] = UP
        stack = [(number, top) for number in reversed(roots)]
        while stack:
            number, X_above = stack.pop()
            node = self.buffers.item("nodes", number)
            if number in seen:
                refuse(f"its node {number} is in two places", f"его узел {number} стоит в двух местах")
            seen.add(number)
            X = X_above @ _pose(node)
            if "mesh" in node:
                yield X, node["mesh"]
            stack += [(child, X) for child in reversed(node.get("children", []))]

    def primitive(self, primitive: JsonObject, X: Array) -> Piece | None:
        mode = primitive.get("mode", _TRIANGLES)
        attributes = primitive["attributes"]
        if mode not in (_TRIANGLES, _STRIP, _FAN) or "POSITION" not in attributes:
            return None  # points and lines
        count = self.buffers.count(attributes["POSITION"])
        if "indices" in primitive:
            order = self.buffers.whole(primitive["indices"])
        else:
            order = np.arange(min(count, 3 * self.most + 3))
        self.count += len(order) if mode != _TRIANGLES else len(order) // 3
        self.number += 1
        # Nodes may place one mesh many times: every place is counted, so the sum is bounded.
        if self.count > self.most or self.number > MOST_PIECES:
            too_many(self.most)
        # Only the points that are used: an accessor may be long, and shared by many.
        used, order = compact(order, count)
        triangles = _triangles(order, mode)
        places = self.buffers.numbers(attributes["POSITION"], "VEC3", used)
        R = X[:3, :3]
        normals = None
        if "NORMAL" in attributes and abs(np.linalg.det(R)) > 1e-30:
            if self.buffers.count(attributes["NORMAL"]) != count:
                refuse("it has points without normals", "в нём есть точки без нормалей")
            normals = self.buffers.numbers(attributes["NORMAL"], "VEC3", used) @ np.linalg.inv(R)
        if np.linalg.det(R) < 0.0:
            triangles = triangles[:, ::-1]  # a mirror turns surfaces inside out
        paint = self.paint(primitive["material"]) if "material" in primitive else OWN
        return Piece(points=places @ R.T + X[:3, 3], triangles=triangles, normals=normals, paint=paint)

    def paint(self, number: Json) -> Paint:
        material = self.buffers.item("materials", number)
        base = material.get("pbrMetallicRoughness", {}).get("baseColorFactor", (1.0, 1.0, 1.0, 1.0))
        red, green, blue, alpha = (float(part) for part in base)
        opacity = alpha if material.get("alphaMode", "OPAQUE") == "BLEND" else 1.0
        return paint_of([from_linear(part) for part in (red, green, blue)], opacity)


def _triangles(order: Numbers, mode: int) -> Numbers:
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    if len(order) < 3:
        return np.zeros((0, 3), dtype=np.int32)
    if mode == _FAN:
        return np.stack([np.full(len(order) - 2, order[0], dtype=np.int32), order[1:-1], order[2:]], axis=1)
    strip = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
    strip[1::2] = strip[1::2, [1, 0, 2]]
    return strip


def _pose(node: JsonObject) -> Array:
    """Of a node in its parent: a matrix by columns, or place, turn (x, y, z, w) and scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    X = np.eye(4)
    x, y, z, w = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), dtype=float)
    size = x * x + y * y + z * z + w * w
    if not size > 0.0:
        refuse("a node of it is turned by nothing", "у его узла нет ориентации")
    s = 2.0 / size
    R = np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )
    X[:3, :3] = R * np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    X[:3, 3] = np.array(node.get("translation", (0.0, 0.0, 0.0)), dtype=float)
    return X
