"""STL, binary and as text, and OBJ with its materials: word by word, so that memory stays near the size of the file."""

from __future__ import annotations

import io
import re
from array import array
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.markup import AccessError
from sistel.meshes._meshes import Piece, Reading, refuse, too_many
from sistel.meshes._paints import LARGEST, OWN, Paint, library

if TYPE_CHECKING:
    from sistel.arrays import Array


_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEAD = 84
_VERTEX = re.compile(rb"(?<!\S)vertex\s++(\S++)\s++(\S++)\s++(\S++)")
_WORD = re.compile(rb"\S++")
_LONGEST_NUMBER = 100
"""Of a word [characters]."""


def read_stl(data: bytes, reading: Reading) -> Piece:
    """The triangles of an STL file, which has no colours that all programs understand alike."""
    count = int.from_bytes(data[80:_HEAD], "little") if len(data) >= _HEAD else -1
    fits = count >= 0 and len(data) >= _HEAD + _RECORD.itemsize * count
    if fits and not (data[:5] == b"solid" and b"facet" in data[:2000]):
        if count > reading.most:
            too_many(reading.most)
        corners = np.frombuffer(data, dtype=_RECORD, count=count, offset=_HEAD)["corners"]
        points = corners.reshape(-1, 3).astype(float)
    else:
        points = _vertices(data, reading)
    points = points[: len(points) // 3 * 3]
    return Piece(points=points, triangles=np.arange(len(points), dtype=np.int32).reshape(-1, 3))


def _vertices(data: bytes, reading: Reading) -> Array:
    found = array("d")
    for match in _VERTEX.finditer(data):
        found.extend(_number(word) for word in match.groups())
        if len(found) > 9 * reading.most:
            too_many(reading.most)
    return np.frombuffer(found, dtype=float).reshape(-1, 3) if found else np.zeros((0, 3))


def _number(word: bytes) -> float:
    if len(word) > _LONGEST_NUMBER:
        raise ValueError("a number of too many digits")
    return float(word)


class _Obj:
    """What was read of an OBJ file so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.points = array("d")
        self.faces: dict[Paint, array[int]] = {}
        self.paints: dict[str, Paint] = {}
        self.read: set[str] = set()
        self.paint = OWN
        self.count = 0

    def line(self, line: bytes) -> None:
        words = line.split(None, 4)
        if len(words) < 2:
            return
        key = words[0]
        if key == b"v":
            x, y, z = words[1:4]
            self.points.extend((_number(x), _number(y), _number(z)))
        elif key == b"f":
            self.face(line)
        elif key == b"usemtl":
            self.paint = self.paints.get(_name(line), OWN)
        elif key == b"mtllib":
            self.library(_name(line))

    def face(self, line: bytes) -> None:
        """A polygon, as triangles from its first corner."""
        found = self.faces.setdefault(self.paint, array("i"))
        first = last = -1
        known = len(self.points) // 3
        for i, match in enumerate(_WORD.finditer(line)):
            if i == 0:
                continue
            word = match[0].partition(b"/")[0]
            if len(word) > _LONGEST_NUMBER:
                raise ValueError("a number of too many digits")
            number = int(word)
            corner = number - 1 if number > 0 else known + number
            if corner < 0:
                refuse("a triangle has a corner that does not exist", "у треугольника есть вершина, которой нет")
            if i == 1:
                first = corner
            elif i > 2:
                found.extend((first, last, corner))
                self.count += 1
                if self.count > self.reading.most:
                    too_many(self.reading.most)
            last = corner

    def library(self, name: str) -> None:
        """A file of materials beside it; without it, the faces have the colour of the body."""
        if name in self.read or len(self.read) >= 16:
            return
        self.read.add(name)
        try:
            data = self.reading.beside(name, LARGEST)
        except AccessError as problem:
            shown = name[:100]
            what = Text(f'its colours in "{shown}": {problem.reason.en}', f"его цвета в «{shown}»: {problem.reason.ru}")
            self.reading.notes.append(what)
            return
        self.paints |= library(data[:LARGEST].decode("utf-8", errors="replace"))

    def pieces(self) -> list[Piece]:
        points = np.frombuffer(self.points, dtype=float).reshape(-1, 3) if self.points else np.zeros((0, 3))
        return [
            Piece(points=points, triangles=np.frombuffer(faces, dtype=np.int32).reshape(-1, 3), paint=paint)
            for paint, faces in self.faces.items()
            if faces
        ]


def read_obj(data: bytes, reading: Reading) -> list[Piece]:
    """The faces of an OBJ file, one piece a colour."""
    if b"\\" in data:
        data = re.sub(rb"\\\r?\n", b" ", data)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    found = _Obj(reading)
    for line in io.BytesIO(data):
        found.line(line)
    return found.pieces()


def _name(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").split(maxsplit=1)[1].strip()
