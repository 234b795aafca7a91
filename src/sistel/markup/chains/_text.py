"""Tables of Denavit and Hartenberg as CSV.

The first line names the columns, in either language; lengths in mm and angles in degrees, unless a column says another
unit (`theta [rad]`). Lines before it may name the convention, the system, the frame at the tool, and the poses of the
base and the tool (mm and degrees); lines that begin with # are comments, but `# modified` names the convention.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from sistel.errors import Diagnostics, Fragment, Source, Span, Text
from sistel.files import guarded, unguarded
from sistel.markup._document import Document
from sistel.markup._losses import Losses
from sistel.markup.chains._document import table_document
from sistel.markup.chains._rows import (
    COLUMNS,
    CONVENTIONS,
    HERE,
    SETTINGS,
    Convention,
    Placed,
    Reading,
    Row,
    Table,
    Unit,
    from_si,
    key_of,
    to_si,
)
from sistel.pose import roll_pitch_yaw

_BLANK = " \t\ufeff"


def is_table(text: str) -> bool:
    """Whether a text that is no XML is such a table: its first line with columns has θ or α among them."""
    source = Source("", text)
    for _, cells in _lines(source):
        words = [cell.text.casefold().partition("[")[0].partition("(")[0].strip() for cell in cells]
        if words[0].startswith("#") or key_of(words[0], SETTINGS) is not None:
            continue
        return any(word in COLUMNS["theta"] or word in COLUMNS["alpha"] for word in words)
    return False


def read_table(source: Source, diagnostics: Diagnostics) -> tuple[Document | None, Losses]:
    """The document of a table in CSV."""
    table = table_of(source, diagnostics)
    if table is None:
        return None, Losses()
    return table_document(table, source, diagnostics)


def table_of(source: Source, diagnostics: Diagnostics, convention: Convention | None = None) -> Table | None:
    """The rows of a table in CSV; None where it is wrong. A convention that is given overrules that of the text."""
    reading = Reading(diagnostics)
    columns: list[str | None] = []
    for span, cells in _lines(source):
        first = cells[0].text
        if first.startswith("#"):
            said = cells[0].part(1, len(first)).strip()
            if len(cells) == 1 and key_of(said.text, CONVENTIONS) is not None:
                reading.agree(key_of(said.text, CONVENTIONS), said)
        elif columns:
            given, before = zip(columns, cells, strict=False), len(diagnostics)
            reading.row({key: cell for key, cell in given if key is not None and cell.text}, span)
            if len(diagnostics) == before:
                _check_length(columns, cells, span, diagnostics)
        elif (key := key_of(first, SETTINGS)) is not None:
            reading.set(key, [cell for cell in cells[1:] if cell.text], span)
        else:
            columns = [reading.column(cell) if cell.text else None for cell in cells]
            reading.needed(columns, span)
    return reading.table(convention, Span(source, 0, min(1, len(source.text))))


def _check_length(columns: list[str | None], cells: list[Fragment], span: Span, diagnostics: Diagnostics) -> None:
    """Complain of a row that ends before a column that is needed, or goes on beyond the last: a comma within a number.

    Cells that are there and empty are 0.
    """
    beyond = [cell for cell in cells[len(columns) :] if cell.text]
    ended = [key for key in columns[len(cells) :] if key in ("theta", "d", "a", "alpha")]
    counts = Text(
        f"the row has {len(cells)} cells, and there are {len(columns)} columns",
        f"в строке ячеек {len(cells)}, а столбцов {len(columns)}",
    )
    if beyond:
        diagnostics.error("wrong-row", beyond[0].span(), counts)
    elif ended:
        diagnostics.error("wrong-row", span, counts)


def _lines(source: Source) -> Iterator[tuple[Span, list[Fragment]]]:
    """Lines that are not empty, as cells without blanks and quotation marks around them."""
    start, text = 0, source.text
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        if body.strip(_BLANK + ",;"):
            yield Span(source, start, start + len(body)), _cells(source, start, body)
        start += len(line)


def _cells(source: Source, start: int, line: str) -> list[Fragment]:
    """Cells between commas, semicolons or tabs; whatever comes first in the line, outside of quotation marks."""
    delimiter, quoted, begin = "", False, 0
    made = []
    for place, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in ",;\t" and (not delimiter or letter == delimiter):
            delimiter = letter
            made.append((begin, place))
            begin = place + 1
    made.append((begin, len(line)))
    return [_bare(Fragment(line[first:last], source, start + first)) for first, last in made]


def _bare(cell: Fragment) -> Fragment:
    left = len(cell.text) - len(cell.text.lstrip(_BLANK))
    cell = cell.part(left, max(left, len(cell.text.rstrip(_BLANK))))
    quoted = len(cell.text) > 1 and cell.text[0] == cell.text[-1] == '"'
    bare = cell.part(1, len(cell.text) - 1).strip() if quoted else cell
    return bare if unguarded(bare.text) == bare.text else bare.part(1, len(bare.text))


# --- writing ---------------------------------------------------------------------------------------------------------


def write_table(table: Table) -> str:
    """A table as CSV, every number with the digits that give it back."""
    lines: list[list[str]] = [["system", _quoted(table.name)]] if table.name else []
    lines.append(["convention", table.convention])
    for key, placed in (("base", table.base), ("tool", table.tool)):
        if placed != HERE:
            lines.append([key, *_pose(placed)])
    lines.append(["frame", _quoted(table.frame)])
    rows = [_numbers(row) for row in table.rows]
    used = _used(rows)
    lines += [used, *([row[key] for key in used] for row in rows)]
    return "\n".join(map(",".join, lines)) + "\n"


def _used(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The columns in which something stands, and those that every table has; names come first."""
    used = [key for key in COLUMNS if key in ("joint", "theta", "d", "a", "alpha") or any(row[key] for row in rows)]
    return sorted(used, key=lambda key: key != "name")


def _numbers(row: Row) -> dict[str, str]:
    """What stands in the columns; nothing where a number may be left out."""
    turns = row.kind == "revolute"
    limits = {
        key: (_degrees(value) if turns else _millimetres(value)) if math.isfinite(value) else ""
        for key, value in (("min", row.low), ("max", row.high))
    }
    heavy = row.mass is not None
    moments = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), row.inertia, strict=True)
    return {
        "joint": "R" if turns else "P",
        "theta": _degrees(row.theta),
        "d": _millimetres(row.d),
        "a": _millimetres(row.a),
        "alpha": _degrees(row.alpha),
        **limits,
        "name": _quoted(row.name),
        "mass": _shown(row.mass, "SI") if row.mass is not None else "",
        **{
            key: _millimetres(value) if heavy and value else ""
            for key, value in zip(("cx", "cy", "cz"), row.com, strict=True)
        },
        **{key: _shown(value, "SI") if heavy and value else "" for key, value in moments},
    }


def _quoted(text: str) -> str:
    plain = guarded(" ".join(text.replace('"', "'").split()))
    return f'"{plain}"' if any(each in plain for each in ",;\t") or plain.startswith("#") else plain


def _pose(placed: Placed) -> list[str]:
    place, turn = placed
    angles = roll_pitch_yaw(turn)
    return [*map(_millimetres, place), *(map(_degrees, angles) if any(angles) else ())]


def _millimetres(value: float) -> str:
    return _shown(value, "mm")


def _degrees(value: float) -> str:
    return _shown(value, "deg")


def _shown(value: float, unit: Unit) -> str:
    """The shortest decimals that are read as the same number, or the nearest there are."""
    best = 0.0
    for digits in range(1, 18):
        best = float(f"{from_si(value, unit) + 0.0:.{digits}g}")
        if to_si(best, unit) == value:
            break
    return repr(best).removesuffix(".0")


def columns_shown(table: Table) -> tuple[Sequence[str], list[list[str]]]:
    """The columns that a table uses, and their texts row by row, for people: nine digits are enough."""
    rows = [_numbers(row) for row in table.rows]
    used = _used(rows)
    short = [[_short(row[key]) if key not in ("joint", "name") else row[key] for key in used] for row in rows]
    return used, short


def _short(text: str) -> str:
    return f"{float(text):.9g}" if text else ""
