"""Small glTF files, written for tests from the rules of glTF 2.0; nothing of the reader is used."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any, Literal

Point = tuple[float, float, float]


class Gltf:
    """A file that grows: meshes, materials, nodes."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "tests"},
            "scene": 0,
            "scenes": [{"nodes": []}],
            **{key: [] for key in ("nodes", "meshes", "materials", "accessors", "bufferViews")},
        }

    def numbers(self, rows: list[Any], component: int, kind: str, **more: Any) -> int:
        """An accessor; its number."""
        letter, size = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4), 5120: ("b", 1)}[component]
        flat = [x for row in rows for x in (row if isinstance(row, list | tuple) else [row])]
        self.binary += b"\0" * (-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": size * len(flat)}
        self.binary += struct.pack(f"<{len(flat)}{letter}", *flat)
        self.tree["bufferViews"].append(view)
        accessor = {
            "bufferView": len(self.tree["bufferViews"]) - 1,
            "componentType": component,
            "count": len(rows),
            "type": kind,
            **more,
        }
        self.tree["accessors"].append(accessor)
        return len(self.tree["accessors"]) - 1

    def material(self, *factor: float, **more: Any) -> int:
        self.tree["materials"].append({"pbrMetallicRoughness": {"baseColorFactor": list(factor)}, **more})
        return len(self.tree["materials"]) - 1

    def mesh(
        self,
        points: list[Point],
        triangles: list[tuple[int, int, int]],
        *,
        material: int | None = None,
        normals: list[Point] | None = None,
        component: int = 5123,
    ) -> int:
        attributes = {"POSITION": self.numbers(points, 5126, "VEC3")}
        if normals is not None:
            attributes["NORMAL"] = self.numbers(normals, 5126, "VEC3")
        order = [corner for triangle in triangles for corner in triangle]
        primitive: dict[str, Any] = {"attributes": attributes, "indices": self.numbers(order, component, "SCALAR")}
        if material is not None:
            primitive["material"] = material
        self.tree["meshes"].append({"primitives": [primitive]})
        return len(self.tree["meshes"]) - 1

    def node(self, *, root: bool = True, **fields: Any) -> int:
        self.tree["nodes"].append(fields)
        number = len(self.tree["nodes"]) - 1
        if root:
            self.tree["scenes"][0]["nodes"].append(number)
        return number

    def save(self, path: Path, buffers: Literal["inside", "beside"] = "inside") -> Path:
        """As a .glb or a .gltf by the suffix."""
        tree = {key: value for key, value in self.tree.items() if value != []}
        if path.suffix == ".glb":
            tree["buffers"] = [{"byteLength": len(self.binary)}]
            text = json.dumps(tree).encode()
            text += b" " * (-len(text) % 4)
            binary = bytes(self.binary) + b"\0" * (-len(self.binary) % 4)
            body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942)
            body += binary
            path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)
            return path
        uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(self.binary)).decode()
        if buffers == "beside":
            uri = f"{path.stem}%20data.bin"
            path.with_name(f"{path.stem} data.bin").write_bytes(bytes(self.binary))
        tree["buffers"] = [{"byteLength": len(self.binary), "uri": uri}]
        path.write_text(json.dumps(tree))
        return path


def cuboid(low: Point, high: Point) -> tuple[list[Point], list[tuple[int, int, int]], list[Point]]:
    """Points, triangles and normals of a box: 24 corners, so that every face has its own normals."""
    points: list[Point] = []
    triangles: list[tuple[int, int, int]] = []
    normals: list[Point] = []
    for axis in range(3):
        for side in (0, 1):
            first = len(points)
            u, w = (axis + 1) % 3, (axis + 2) % 3
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                point = [0.0, 0.0, 0.0]
                point[axis], point[u], point[w] = (low, high)[side][axis], (low, high)[a][u], (low, high)[b][w]
                points.append((point[0], point[1], point[2]))
                normal = [0.0, 0.0, 0.0]
                normal[axis] = 1.0 if side else -1.0
                normals.append((normal[0], normal[1], normal[2]))
            order = [(0, 1, 2), (0, 2, 3)] if side else [(0, 2, 1), (0, 3, 2)]
            triangles += [(first + a, first + b, first + c) for a, b, c in order]
    return points, triangles, normals
