"""Derived programs kept on disk: deriving takes longer than everything that follows it.

An entry belongs to a description of what was derived (whatever determines the result: the model, the quantity) and to
the very source files that derived it, so that another version of them never meets an old program.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._sources import deriving

if TYPE_CHECKING:
    from sistel.expr import Program

Derived = tuple["Program", tuple[str, ...]]
"""A program, and names that go with its outputs."""


def recall_program(directory: Path | None, what: Sequence[str]) -> Derived | None:
    """A program that was derived before; None where it is not known.

    Args:
        directory: The cache (see `USER`), or None for no cache.
        what: Everything that the program depends on.
    """
    stored = None if directory is None else read_entry(directory, _key(what))
    return None if stored is None else _unpack(stored)


def keep_program(directory: Path | None, what: Sequence[str], made: Derived) -> Derived:
    """Keep a program that was derived for `recall_program`, and give it back."""
    if directory is not None:
        write_entry(directory, _key(what), _pack(*made))
    return made


def _key(what: Sequence[str]) -> str:
    return hashlib.sha256(repr(("program", deriving(), *what)).encode()).hexdigest()


def _pack(program: Program, names: tuple[str, ...]) -> bytes:
    head = json.dumps(
        {
            "inputs": program.inputs,
            "outputs": program.outputs,
            "names": names,
            "lines": len(program.operation),
            "results": len(program.results),
        }
    ).encode()
    columns = (program.operation, program.first, program.second, program.third, program.results)
    numbers = b"".join(array("i", column).tobytes() for column in columns)
    return len(head).to_bytes(8, "little") + head + numbers + array("d", program.number).tobytes()


def _unpack(data: bytes) -> Derived | None:
    """The program of an entry; None where it is not whole."""
    from sistel.expr import Program

    end = 8 + int.from_bytes(data[:8], "little")
    try:
        head = json.loads(data[8:end])
        lines, results = int(head["lines"]), int(head["results"])
        sizes = (lines, lines, lines, lines, results)
        whole = array("i")
        whole.frombytes(data[end : end + 4 * sum(sizes)])
        number = array("d")
        number.frombytes(data[end + 4 * sum(sizes) :])
        columns, start = [], 0
        for size in sizes:
            columns.append(tuple(whole[start : start + size]))
            start += size
        if len(whole) != sum(sizes) or len(number) != lines:
            return None
        made = Program(
            inputs=tuple((str(name), int(size)) for name, size in head["inputs"]),
            outputs=tuple((str(name), int(size)) for name, size in head["outputs"]),
            operation=columns[0],
            first=columns[1],
            second=columns[2],
            third=columns[3],
            number=tuple(number),
            results=columns[4],
        )
        return made, tuple(str(name) for name in head["names"])
    except (KeyError, TypeError, ValueError):
        return None
