"""Arrays in .npz files: with a checksum, and read without trusting what a file says of its size."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from sistel.files import open_regular

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.plain import Json, JsonObject

META: Final = "meta"
"""Name of what a file says of itself, as a text of JSON."""
CHECKSUM: Final = "checksum"
BROKEN: Final = (
    *(ValueError, TypeError, AttributeError, LookupError, EOFError, OverflowError, MemoryError),
    *(NotImplementedError, RuntimeError, StopIteration, zipfile.BadZipFile, zlib.error),
)
"""What reading something else than an archive may raise: any file can have any suffix."""
_KINDS: Final = "biufU"
"""Numbers and texts; never objects, which could be anything."""


class TooLarge(ValueError):
    """The arrays of a file take more memory than was agreed to."""


def write_archive(file: BinaryIO, meta: JsonObject, arrays: Mapping[str, AnyArray], *, compressed: bool) -> None:
    """Write arrays, what is to be said of them, and the checksum of all."""
    text = json.dumps(meta, ensure_ascii=False)
    whole: dict[str, AnyArray] = {META: np.array(text), **{name: np.asarray(array) for name, array in arrays.items()}}
    whole[CHECKSUM] = np.array(checksum(whole))
    save: Callable[..., None] = np.savez_compressed if compressed else np.savez
    save(file, **whole)


def read_archive(path: str | os.PathLike[str], most: float) -> tuple[Json, dict[str, AnyArray], bool | None]:
    """What a file says of itself, its arrays, and whether they have the checksum that was written; None without one.

    Args:
        path: The file.
        most: What the arrays may take [bytes]; asked before anything is unpacked.

    Raises:
        OSError: There is no such file, or it is a pipe, a device or the like.
        TooLarge: The arrays take more.
    """
    with open_regular(path) as file:
        try:
            arrays = _arrays(file, most)
        except OSError as problem:
            if problem.errno == errno.EINVAL:
                # A directory that leads before the beginning of the file: no fault of the disk.
                raise ValueError("no archive of arrays") from None
            raise
    written = arrays.pop(CHECKSUM, None)
    whole = None if written is None else str(written) == checksum(arrays)
    return json.loads(str(arrays.pop(META))), arrays, whole


def _arrays(file: BinaryIO, most: float) -> dict[str, AnyArray]:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > most:
            raise TooLarge
        names = [member.filename.removesuffix(".npy") for member in members]
        if len(set(names)) != len(names) or META not in names:
            raise ValueError("no archive of arrays")
        return {name: _array(archive, member) for name, member in zip(names, members, strict=True)}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> AnyArray:
    """One array, whose head must tell the size that the directory of the file tells."""
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
        if read is None:
            raise ValueError("an array of another format")
        shape, fortran, kind = read(stream)
        if kind.kind not in _KINDS or kind.hasobject:
            raise ValueError("no array of numbers or texts")
        data = stream.read()
    # Read to its end: only then is the sum of the file itself compared.
    if len(data) != math.prod(shape) * kind.itemsize:
        raise ValueError("an array of another size than it says")
    return np.ndarray(shape, kind, bytearray(data), order="F" if fortran else "C") if data else np.zeros(shape, kind)


def checksum(arrays: Mapping[str, AnyArray]) -> str:
    """Of names, kinds, shapes and numbers."""
    digest = hashlib.sha256()
    for part in _parts(arrays):
        digest.update(part)
    return digest.hexdigest()


def _parts(arrays: Mapping[str, AnyArray]) -> Iterator[bytes | memoryview]:
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        yield repr((name, array.dtype.str, arrays[name].shape)).encode()
        yield array.tobytes() if array.dtype.kind == "U" else array.reshape(-1).view(np.uint8).data
