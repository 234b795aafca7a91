"""Spreadsheets are archives of XML: unpacked in bounds, read as a stream, without any entity of their own."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from sistel.errors import Source, Text
from sistel.markup.tables._grid import MOST_BYTES, no_table

DEEPEST = 64
"""Elements inside each other."""
_PIECE = 2**16
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError, OSError)
"""What damaged archives raise."""

Step = tuple[str, str, dict[str, str]]
"""("begin", element, attributes), ("end", element, {}) or ("text", letters, {}); names without their prefixes."""


class Book:
    """The parts of a spreadsheet."""

    def __init__(self, data: bytes, source: Source) -> None:
        """Look at what an archive holds; nothing is unpacked yet."""
        self.source = source
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(data))
            self.parts = {each.filename: each for each in self.archive.infolist()}
        except _BROKEN:
            self._damaged()
        self.left = MOST_BYTES

    def __contains__(self, part: str) -> bool:
        return part in self.parts

    def read(self, part: str) -> bytes:
        """The bytes of a small part."""
        return b"".join(self._unpacked(part))

    def _unpacked(self, part: str) -> Iterator[bytes]:
        found = self.parts.get(part)
        if found is None:
            self._damaged()
        if found.flag_bits & 1:
            no_table(
                self.source,
                Text("the spreadsheet is locked with a password", "таблица закрыта паролем"),
                Text("save it without one", "сохраните её без пароля"),
            )
        if found.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self._damaged()
        try:
            with self.archive.open(found) as stream:
                while True:
                    piece = stream.read(_PIECE)
                    if not piece:
                        return
                    self.left -= len(piece)
                    if self.left < 0:
                        self._too_large()
                    yield piece
        except _BROKEN:
            self._damaged()

    def steps(self, part: str) -> Iterator[Step]:
        """The elements and texts of a part of XML, one after another."""
        parser = expat.ParserCreate()
        waiting: list[Step] = []
        depth = 0

        def begin(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                self._damaged()
            waiting.append(("begin", _plain(name), {_plain(key): value for key, value in attributes.items()}))

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            waiting.append(("end", _plain(name), {}))

        def refuse_types(*_: object) -> None:
            no_table(
                self.source,
                Text("a spreadsheet declares no types of its own", "таблица не объявляет собственных типов"),
            )

        parser.buffer_text = True
        parser.StartElementHandler = begin
        parser.EndElementHandler = end
        parser.CharacterDataHandler = lambda text: waiting.append(("text", text, {}))
        # Entities are declared there alone: bombs of them do not come to be.
        parser.StartDoctypeDeclHandler = refuse_types
        try:
            for piece in self._unpacked(part):
                parser.Parse(piece, False)
                yield from waiting
                waiting.clear()
            parser.Parse(b"", True)
            yield from waiting
        except expat.ExpatError:
            self._damaged()

    def _damaged(self) -> NoReturn:
        no_table(self.source, Text("the spreadsheet is damaged", "файл таблицы повреждён"))

    def _too_large(self) -> NoReturn:
        most = MOST_BYTES // 2**20
        no_table(
            self.source,
            Text(f"unpacked, it takes more than {most} MiB", f"после распаковки больше {most} МиБ"),
        )


def _plain(name: str) -> str:
    return name.rpartition(":")[2]
