"""Tables of motion in files: HTML, CSV, ODS and XLSX, read and written."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from sistel.errors import Diagnostics, Language, Span, Text, refuse
from sistel.files import open_regular, reason_of
from sistel.markup import write_bytes
from sistel.markup.tables import MOST_BYTES, WRITERS, MotionRows, Sheet, find_motion, read_tables
from sistel.motion.trajectories._table import MotionTable, motion_table, spell, unit_named

Places = tuple[tuple[Span, ...], ...]
"""Of the cells of a table: those of the first row, then of every time; the time is first."""


def read_table(text: str | bytes, *, path: str = "<table>", sheet: str | None = None) -> MotionTable:
    """The first table of motion of a document: HTML, CSV, ODS or XLSX. One of its columns is the time.

    A head such as ``hip [deg]``, ``hip, deg`` or ``hip (deg)`` names a coordinate and its unit, radians without one; a
    row of units below the names says the same. A cell may have a unit of its own (``0.5 rad``). Numbers have a point
    or a comma. A value of cells that are joined downwards holds in each of their rows.

    Args:
        text: The document, or its bytes.
        path: How messages call it.
        sheet: The name of a sheet; of a table in HTML its caption or id.

    Raises:
        SistelError: There is no such table, or cells are wrong: the messages tell line and column, or sheet and cell.
    """
    return locate_table(text, path=path, sheet=sheet)[0]


def locate_table(text: str | bytes, *, path: str = "<table>", sheet: str | None = None) -> tuple[MotionTable, Places]:
    """The same table, and the places of its cells in the document: those of the first row, then of every time.

    Raises:
        SistelError: See `read_table`.
    """
    diagnostics = Diagnostics()
    rows = find_motion(read_tables(text, path, diagnostics), diagnostics, sheet)
    diagnostics.raise_if_failed()
    assert rows is not None
    made = motion_table(
        rows.times,
        rows.values,
        names=[column.name for column in rows.columns],
        units=[column.word for column in rows.columns],
        remarks=diagnostics.sorted(),
    )
    return made, rows.places


def load_table(file: str | os.PathLike[str], *, sheet: str | None = None) -> MotionTable:
    """The first table of motion of a file, or that of a sheet; see `read_table`.

    Raises:
        SistelError: The file cannot be read, or its table is wrong.
    """
    return open_table(file, sheet=sheet)[0]


def open_table(file: str | os.PathLike[str], *, sheet: str | None = None) -> tuple[MotionTable, Places]:
    """As `locate_table`, from a file.

    Raises:
        SistelError: See `load_table`.
    """
    return locate_table(_bytes_of(file), path=os.fspath(file), sheet=sheet)


def open_rows(file: str | os.PathLike[str], diagnostics: Diagnostics, sheet: str | None = None) -> MotionRows | None:
    """The rows of a table of motion with their places; None after an error."""
    return find_motion(read_tables(_bytes_of(file), os.fspath(file), diagnostics), diagnostics, sheet)


def _bytes_of(file: str | os.PathLike[str]) -> bytes:
    try:
        with open_regular(file) as opened:
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        said = reason_of(error)
        refuse("unreadable", Text(f"{file} cannot be read: {said.en}", f"{file} не читается: {said.ru}"))


def sheet_of(table: MotionTable, lang: Language, caption: str | None) -> Sheet:
    """A table of motion as it is written, each column in its unit; every number as short as it reads back the same."""
    ru = lang == "ru"
    units = [unit_named(word) for word in table.units]
    heads = ["время [с]" if ru else "time [s]"]
    for name, unit in zip(table.names, units, strict=True):
        heads.append(f"{name} [{(unit.ru if ru else unit.en)[0]}]")
    rows = [
        [_short(repr(time)), *(_short(spell(value, unit)) for value, unit in zip(row, units, strict=True))]
        for time, row in zip(table.times.tolist(), table.values.tolist(), strict=True)
    ]
    name = "движение" if ru else "motion"
    return Sheet(heads=heads, rows=rows, name=name, caption=caption, lang=lang)


def save_table(table: MotionTable, file: str | os.PathLike[str], lang: Language, caption: str | None) -> None:
    """Write a table of motion to a file, by its suffix; it is replaced whole or not at all.

    Raises:
        SistelError: The suffix means nothing, or the file cannot be written.
    """
    kind = PurePath(file).suffix.casefold()
    write_bytes(str(Path(file)), table_bytes(table, kind, lang, caption))


def table_bytes(table: MotionTable, kind: str, lang: Language, caption: str | None) -> bytes:
    """The bytes of a file, by its suffix.

    Raises:
        SistelError: The suffix means nothing.
    """
    if kind not in WRITERS:
        listed = ", ".join(WRITERS)
        message = Text(f'"{kind}" is no format of a table of motion', f"«{kind}» — не формат таблицы движения")
        refuse("unknown-format", message, expected=Text(listed, listed))
    return WRITERS[kind](sheet_of(table, lang, caption))


def _short(number: str) -> str:
    return number.removesuffix(".0")
