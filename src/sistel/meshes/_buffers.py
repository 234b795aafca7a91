"""The numbers of a glTF file: buffers inside and beside it, views, accessors."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from sistel.markup import AccessError
from sistel.meshes._meshes import FREE, LARGEST, Reading, refuse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray, AnyType, Array
    from sistel.plain import Json, JsonObject


_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
MOST = 20_000_000
"""Elements of one accessor."""


class Buffers:
    """What the accessors of a file give; every buffer is read once."""

    def __init__(self, tree: JsonObject, inside: bytes | None, reading: Reading) -> None:
        """Nothing is read yet.

        Args:
            tree: The JSON of the file.
            inside: The binary chunk of a .glb.
            reading: Where the file lies, and what it may ask for.
        """
        self._tree, self._inside, self._reading = tree, inside, reading
        self._size = len(inside or b"")
        self._read: dict[int, bytes] = {}

    def count(self, accessor: Json) -> int:
        """How many elements an accessor says that it has."""
        return _whole(self.item("accessors", accessor).get("count"), MOST)

    def numbers(self, accessor: Json, kind: str, rows: NDArray[np.integer]) -> Array:
        """Some rows of an accessor as floats, normalized where it says so, shape (n, size)."""
        item = self.item("accessors", accessor)
        raw = self._array(item, kind)[rows]
        found = raw.astype(float)
        if item.get("normalized") and raw.dtype.kind in "iu":
            found = np.maximum(found / np.iinfo(raw.dtype).max, -1.0)
        return np.asarray(found)

    def whole(self, accessor: Json) -> NDArray[np.integer]:
        """An accessor of indices, shape (n,)."""
        item = self.item("accessors", accessor)
        if item.get("componentType") not in (5121, 5123, 5125):
            refuse("its indices are no whole numbers", "его индексы — не целые числа")
        return self._array(item, "SCALAR").ravel()

    def _array(self, item: JsonObject, kind: str) -> AnyArray:
        if item.get("type") != kind or item.get("componentType") not in _TYPES:
            refuse(f"an accessor is no {kind}", f"аксессор — не {kind}")
        count, size = _whole(item.get("count"), MOST), _SIZES[kind]
        dtype = np.dtype(_TYPES[item["componentType"]])
        if "bufferView" in item:
            found = self._strided(item["bufferView"], item.get("byteOffset", 0), dtype, count, size)
        else:
            if count > 3 * FREE:
                refuse("it has too many points that are nowhere", "в нём слишком много точек, которых нигде нет")
            found = np.zeros((count, size), dtype=dtype)
        sparse = item.get("sparse")
        if sparse is not None:
            found = self._replaced(found, sparse, dtype, size)
        return found

    def _replaced(self, found: AnyArray, sparse: JsonObject, dtype: AnyType, size: int) -> AnyArray:
        """Some rows of an accessor are given apart."""
        count = _whole(sparse["count"], MOST)
        places, rows = sparse["indices"], sparse["values"]
        if places.get("componentType") not in (5121, 5123, 5125):
            refuse("its indices are no whole numbers", "его индексы — не целые числа")
        kind = np.dtype(_TYPES[places["componentType"]])
        at = self._strided(places["bufferView"], places.get("byteOffset", 0), kind, count, 1).ravel().astype(np.int64)
        if count and at.max() >= len(found):
            refuse("a sparse accessor reaches beyond itself", "разреженный аксессор выходит за свои пределы")
        found = found.copy()
        found[at] = self._strided(rows["bufferView"], rows.get("byteOffset", 0), dtype, count, size)
        return found

    def _strided(self, view: Json, offset: Json, dtype: AnyType, count: int, size: int) -> AnyArray:
        """Rows of a view, which may have other things between them."""
        item = self.item("bufferViews", view)
        data = self._buffer(item.get("buffer"))
        begin = _whole(item.get("byteOffset", 0), LARGEST)
        length = _whole(item.get("byteLength"), LARGEST)
        offset = _whole(offset, LARGEST)
        row = dtype.itemsize * size
        stride = _whole(item.get("byteStride", row), 252 if "byteStride" in item else row) or row
        if begin + length > len(data) or stride < row or (count and offset + stride * (count - 1) + row > length):
            refuse("a view reaches beyond its buffer", "представление выходит за пределы буфера")
        if not count:
            return np.zeros((0, size), dtype=dtype)
        return np.ndarray((count, size), dtype, data, begin + offset, (stride, dtype.itemsize))

    def _buffer(self, number: Json) -> bytes:
        item = self.item("buffers", number)
        if number not in self._read:
            self._read[number] = self._bytes(item, number)
            self._size += len(self._read[number])
            if self._size > LARGEST:
                refuse("its buffers are larger than 256 MB", "его буферы больше 256 МБ")
        data = self._read[number]
        if len(data) < _whole(item.get("byteLength"), LARGEST):
            refuse(f"buffer {number} is shorter than it says", f"буфер {number} короче, чем сказано")
        return data

    def _bytes(self, item: JsonObject, number: int) -> bytes:
        uri = item.get("uri")
        if uri is None:
            if number != 0 or self._inside is None:
                refuse(f"buffer {number} is nowhere", f"буфера {number} нигде нет")
            return self._inside
        if str(uri).startswith("data:"):
            head, _, body = str(uri).partition(",")
            if not head.endswith(";base64"):
                refuse(f"buffer {number} is not in base64", f"буфер {number} записан не в base64")
            try:
                return base64.b64decode(body, validate=True)
            except (binascii.Error, ValueError):
                refuse(f"buffer {number} is broken", f"буфер {number} испорчен")
        return self._beside(unquote(str(uri)), number)

    def _beside(self, name: str, number: int) -> bytes:
        """A file in the same folder or below; a description must not read others."""
        try:
            data = self._reading.beside(name, LARGEST)
        except AccessError as problem:
            if problem.code == "file-outside" or "://" in name:
                refuse(f"buffer {number} is not beside the file", f"буфер {number} лежит не рядом с файлом")
            refuse(f"buffer {number}: {problem.reason.en}", f"буфер {number}: {problem.reason.ru}")
        if len(data) > LARGEST:
            refuse(f"buffer {number} is larger than 256 MB", f"буфер {number} больше 256 МБ")
        return data

    def item(self, key: str, number: Json) -> JsonObject:
        """One of the things that the file numbers, such as an accessor, a mesh or a node."""
        items = self._tree.get(key, [])
        if type(number) is not int or not 0 <= number < len(items) or not isinstance(items[number], dict):
            refuse(f"{key}[{number!r:.20}] does not exist", f"нет {key}[{number!r:.20}]")
        found: JsonObject = items[number]
        return found


def _whole(value: Json, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        refuse(f"{value!r:.20} is no number of things", f"{value!r:.20} — не количество")
    return int(value)
