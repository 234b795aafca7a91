"""Bytes of a file → the tables in it: what it is, its content tells, not its name."""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Source, Span, Text, refuse
from sistel.markup.tables._grid import MOST_BYTES, Grid, no_table
from sistel.markup.tables._html import read_html
from sistel.markup.tables._ods import read_ods
from sistel.markup.tables._separated import SIGNS, read_separated
from sistel.markup.tables._xlsx import WORKBOOK, read_xlsx
from sistel.markup.tables._zipped import Book
from sistel.records import entry

_OLD = b"\xd0\xcf\x11\xe0"
"""How old spreadsheets begin, and new ones with a password."""

_SAYS_1251 = re.compile(r"charset\s*=\s*[\"']?(?:windows-|cp)1251", re.IGNORECASE)
"""A page that tells its encoding."""


@entry
class Tables:
    """What a file holds."""

    source: Source
    """Of the whole file; sheets have their own."""
    grids: tuple[Grid, ...]
    """All its tables; of a text, as each of the signs between cells would have it."""
    one: bool
    """Whether they are readings of one and the same table."""


def read_tables(data: bytes | str, path: str, diagnostics: Diagnostics) -> Tables:
    """The tables of a file.

    Args:
        data: Its content, HTML, CSV, ODS or XLSX.
        path: How messages call it.
        diagnostics: Takes what is guessed.

    Raises:
        SistelError: It is too large, damaged, or none of these.
    """
    source = Source(path, data.removeprefix("\ufeff") if isinstance(data, str) else "")
    if len(data) > MOST_BYTES:
        most = MOST_BYTES // 2**20
        message = Text(f"the file is larger than {most} MiB", f"файл больше {most} МиБ")
        refuse("too-long", message, span=Span(source, 0, 0))
    if isinstance(data, bytes):
        if data.startswith(_OLD):
            no_table(
                source,
                Text(
                    "this is a spreadsheet of the old format, or one with a password",
                    "это таблица старого формата или с паролем",
                ),
                Text("save it as .xlsx or .ods, without a password", "сохраните её как .xlsx или .ods, без пароля"),
            )
        if data.startswith(b"PK"):
            book = Book(data, source)
            grids = read_ods(book) if "content.xml" in book else read_xlsx(book) if WORKBOOK in book else None
            if grids is None:
                no_table(source, Text("this archive is no spreadsheet", "этот архив — не таблица"))
            return Tables(source, tuple(grids), False)
        source.text = _decoded(data, source, diagnostics)
    if source.text.lstrip().startswith("<"):
        return Tables(source, tuple(read_html(source)), False)
    return Tables(source, tuple(read_separated(source, sign) for sign in SIGNS if sign in source.text), True)


def _decoded(data: bytes, source: Source, diagnostics: Diagnostics) -> str:
    """The text of a file; spreadsheets of Russian systems still write some of them in windows-1251."""
    coding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(coding)
    except UnicodeDecodeError:
        try:
            text = data.decode("cp1251")
        except UnicodeDecodeError:
            text = "\0"
        known = not any(ord(letter) < 32 and letter not in "\t\r\n\f" for letter in text[:4096])
        if not known or coding == "utf-16":
            message = Text("this is no text in UTF-8", "это не текст в кодировке UTF-8")
            refuse(
                "unreadable", message, span=Span(source, 0, 0), hint=Text("save it as UTF-8", "сохраните его в UTF-8")
            )
        if _SAYS_1251.search(text, 0, 4096) is None:
            diagnostics.warning(
                "guessed-encoding",
                Span(source, 0, 0),
                Text("this is not UTF-8; it is read as windows-1251", "это не UTF-8; файл прочитан как windows-1251"),
                hint=Text("save it as UTF-8", "сохраните его в UTF-8"),
            )
    return text.removeprefix("\ufeff")
