"""Rows of tables of Denavit and Hartenberg: their words, their units, and what they may say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeVar

from sistel.errors import Diagnostics, Fragment, Span, Text, one_of, word_hint
from sistel.pose import IDENTITY, Rotation, Vector3, from_roll_pitch_yaw
from sistel.records import mutable, record

Convention = Literal["standard", "modified"]
Joint = Literal["revolute", "prismatic"]
Placed = tuple[Vector3, Rotation]
"""A place [m] and a turn."""
HERE: Placed = ((0.0, 0.0, 0.0), IDENTITY)
MOST = 200
"""Joints of a table."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "joint": ("joint", "type", "тип", "сочленение"),
    "theta": ("theta", "θ", "тета", "угол"),
    "d": ("d", "д"),
    "a": ("a", "а", "a-1", "а-1"),
    "alpha": ("alpha", "α", "альфа", "alpha-1", "α-1", "альфа-1"),
    "min": ("min", "мин"),
    "max": ("max", "макс"),
    "name": ("name", "имя"),
    "mass": ("mass", "масса"),
    **{key: (key,) for key in ("cx", "cy", "cz", "ixx", "iyy", "izz", "ixy", "ixz", "iyz")},
}
"""What columns, and attributes of rows, are called."""
BEFORE = ("a-1", "а-1", "alpha-1", "α-1", "альфа-1")
"""Words that say that a and α belong to the link before the joint: the modified convention."""
SETTINGS: dict[str, tuple[str, ...]] = {
    "convention": ("convention", "соглашение"),
    "system": ("system", "система"),
    "frame": ("frame", "репер"),
    "base": ("base", "основание"),
    "tool": ("tool", "инструмент"),
}
"""Lines before the rows, and attributes of the root."""
CONVENTIONS: dict[Convention, tuple[str, ...]] = {
    "standard": ("standard", "стандартное", "стандартная"),
    "modified": ("modified", "модифицированное", "модифицированная"),
}
KINDS: dict[Joint, tuple[str, ...]] = {
    "revolute": ("r", "revolute", "в", "вращение", "вкп"),
    "prismatic": ("p", "prismatic", "п", "ход", "пкп1"),
}
Unit = Literal["deg", "mm", "SI"]
ANGLES: dict[str, Unit] = {"deg": "deg", "°": "deg", "град": "deg", "rad": "SI", "рад": "SI"}
LENGTHS: dict[str, Unit] = {"mm": "mm", "мм": "mm", "m": "SI", "м": "SI"}
_Key = TypeVar("_Key", bound=str)
_ANGLES = ("theta", "alpha")
_PLACES = ("d", "a", "cx", "cy", "cz")


@record
class Row:
    """One joint and the link behind it, in SI."""

    kind: Joint
    theta: float
    """[rad]"""
    d: float
    """[m]"""
    a: float
    """[m]"""
    alpha: float
    """[rad]"""
    low: float
    """[m or rad]"""
    high: float
    name: str
    mass: float | None
    """[kg]"""
    com: Vector3
    """In the frame of the row [m]."""
    inertia: tuple[float, float, float, float, float, float]
    """xx, yy, zz, xy, xz, yz about the centre of mass, along the axes of the row's frame [kg·m²]."""
    span: Span | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)
    """Places of single numbers."""

    def at(self, *keys: str) -> Span | None:
        """Where the first of some numbers stands that is given; the row where none is."""
        return next((self.spans[key] for key in keys if key in self.spans), self.span)


@record
class Table:
    """An arm."""

    rows: tuple[Row, ...]
    convention: Convention
    base: Placed = HERE
    """From the ground to the frame before the first row."""
    tool: Placed = HERE
    """From the frame of the last row to the tool."""
    frame: str = "tool"
    """Name of the frame at the tool."""
    name: str = ""
    """Of the system."""


@mutable
class Reading:
    """What is known of a table while it is read."""

    diagnostics: Diagnostics
    convention: Convention | None = None
    base: Placed = HERE
    tool: Placed = HERE
    frame: str = "tool"
    name: str = ""
    units: dict[str, Unit] = field(default_factory=dict)
    """Of columns that name theirs."""
    rows: list[Row] = field(default_factory=list)

    def table(self, convention: Convention | None, whole: Span) -> Table | None:
        """What was read, unless it is wrong; `convention` overrules the file, which is at `whole`."""
        if not self.rows and not self.diagnostics.failed:
            self.diagnostics.error("no-table", whole, Text("the table has no rows", "в таблице нет строк"))
        if len(self.rows) > MOST:
            self.diagnostics.error(
                "too-many-rows", whole, Text(f"more than {MOST} joints", f"больше {MOST} сочленений")
            )
        if self.diagnostics.failed:
            return None
        return Table(
            rows=tuple(self.rows),
            convention=convention or self.convention or "standard",
            base=self.base,
            tool=self.tool,
            frame=self.frame,
            name=self.name,
        )

    # --- before the rows ---------------------------------------------------------------------------------------------

    def set(self, key: str, values: Sequence[Fragment], span: Span) -> None:
        """A line before the rows: one of `SETTINGS`, and its values."""
        if key in ("base", "tool"):
            placed = self._placed(values, span)
            if placed is not None and key == "base":
                self.base = placed
            elif placed is not None:
                self.tool = placed
            return
        if len(values) != 1:
            message = Text(f'"{key}" has one value', f"у «{SETTINGS[key][-1]}» одно значение")
            self.diagnostics.error("wrong-count", span, message)
        elif key == "convention":
            self.agree(key_of(values[0].text, CONVENTIONS), values[0])
        elif key == "frame":
            self.frame = values[0].text
        else:
            self.name = values[0].text

    def agree(self, convention: Convention | None, said: Fragment) -> None:
        """Take a convention; a file names one of the two, and not both."""
        if convention is None:
            message = Text(f'"{said.text[:40]}" is no convention', f"«{said.text[:40]}» — не соглашение")
            self._unknown("unknown-word", said, message, said.text, CONVENTIONS.values())
        elif self.convention not in (None, convention):
            message = Text(
                f"this is {convention}, the table is {self.convention} by what it says before",
                f"это «{CONVENTIONS[convention][1]}», а выше сказано «{CONVENTIONS[self.convention or 'standard'][1]}»",
            )
            self.diagnostics.error("two-conventions", said.span(), message)
        else:
            self.convention = convention

    def _unknown(self, code: str, at: Fragment, message: Text, word: str, words: Iterable[tuple[str, ...]]) -> None:
        """Say what could have stood instead of a word."""
        known = [each[0] for each in words]
        self.diagnostics.error(code, at.span(), message, expected=one_of(known), hint=word_hint(word, known))

    def _placed(self, values: Sequence[Fragment], span: Span) -> Placed | None:
        numbers = [self.number(each) for each in values]
        if len(numbers) not in (3, 6):
            self.diagnostics.error(
                "wrong-count",
                span,
                Text(
                    f"a pose has 3 or 6 numbers, not {len(numbers)}", f"у положения 3 или 6 чисел, а не {len(numbers)}"
                ),
                expected=Text(
                    "x, y, z [mm], roll, pitch, yaw [deg]", "x, y, z [мм], углы вокруг x, y, z неподвижных осей [°]"
                ),
            )
            return None
        if None in numbers:
            return None
        x, y, z, roll, pitch, yaw = (*(each or 0.0 for each in numbers), 0.0, 0.0, 0.0)[:6]
        turn = from_roll_pitch_yaw(math.radians(roll), math.radians(pitch), math.radians(yaw))
        return (to_si(x, "mm"), to_si(y, "mm"), to_si(z, "mm")), turn

    # --- columns and rows --------------------------------------------------------------------------------------------

    def column(self, word: Fragment) -> str | None:
        """Which column a word of the first line, or an attribute of a row, means."""
        text, unit = word.text, ""
        if text.endswith(("]", ")")) and len(text) > 2:
            text, _, unit = text[:-1].replace("(", "[").partition("[")
        text, unit = text.strip().casefold(), unit.strip()
        key = key_of(text, COLUMNS)
        if key is None:
            message = Text(f'there is no column "{word.text[:40]}"', f"нет столбца «{word.text[:40]}»")
            self._unknown("unknown-column", word, message, text, COLUMNS.values())
            return None
        if unit:
            known_units = ANGLES if key in _ANGLES else LENGTHS if key in _PLACES else {}
            if unit not in known_units:
                self.diagnostics.error(
                    "unknown-unit",
                    word.span(),
                    Text(f'"{key}" is not in "{unit[:20]}"', f"«{key}» — не в «{unit[:20]}»"),
                    expected=one_of(list(known_units)) if known_units else None,
                )
            self.units[key] = known_units.get(unit, "SI")
        if text in BEFORE:
            self.agree("modified", word)
        return key

    def needed(self, columns: Sequence[str | None], span: Span) -> None:
        """Complain of columns that are not there, or twice."""
        for key in ("theta", "d", "a", "alpha"):
            if key not in columns:
                message = Text(f'the column "{key}" is missing', f"не хватает столбца «{COLUMNS[key][0]}»")
                self.diagnostics.error("missing-column", span, message)
        for key in {key for key in columns if key is not None and columns.count(key) > 1}:
            message = Text(f'the column "{key}" is there twice', f"столбец «{COLUMNS[key][0]}» стоит дважды")
            self.diagnostics.error("two-columns", span, message)

    def number(self, cell: Fragment) -> float | None:
        """A finite number."""
        try:
            value = float(cell.text.rstrip("°").replace("−", "-"))
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        shown = cell.text[:40]
        self.diagnostics.error("no-number", cell.span(), Text(f'"{shown}" is no number', f"«{shown}» — не число"))
        return None

    def row(self, cells: Mapping[str, Fragment], span: Span) -> None:
        """A joint, from its numbers by their columns; those that are not there are 0."""
        before = len(self.diagnostics)
        kind: Joint | None = "revolute"
        if "joint" in cells:
            said = cells["joint"]
            kind = key_of(said.text.casefold(), KINDS)
            if kind is None:
                self.diagnostics.error(
                    "unknown-word",
                    said.span(),
                    Text(f'"{said.text[:40]}" is no kind of joint', f"«{said.text[:40]}» — не вид сочленения"),
                    expected=Text("R or P", "В или П"),
                )
        numbers = {key: self.number(cell) for key, cell in cells.items() if key not in ("joint", "name")}
        if len(self.diagnostics) > before or kind is None:
            return

        def given(key: str, unit: Unit = "SI") -> float:
            return to_si(numbers.get(key) or 0.0, self.units.get(key, unit))

        own: Unit = "deg" if kind == "revolute" else "mm"
        low, high = (given(key, own) if key in numbers else end for key, end in (("min", -math.inf), ("max", math.inf)))
        if low > high:
            self.diagnostics.error("wrong-limits", cells["min"].span(), Text("min is above max", "min больше max"))
            return
        self.rows.append(
            Row(
                kind=kind,
                theta=given("theta", "deg"),
                d=given("d", "mm"),
                a=given("a", "mm"),
                alpha=given("alpha", "deg"),
                low=low,
                high=high,
                name=cells["name"].text if "name" in cells else "",
                mass=numbers.get("mass"),
                com=(given("cx", "mm"), given("cy", "mm"), given("cz", "mm")),
                inertia=(given("ixx"), given("iyy"), given("izz"), given("ixy"), given("ixz"), given("iyz")),
                span=span,
                spans={key: cell.span() for key, cell in cells.items()},
            )
        )


def to_si(value: float, unit: Unit) -> float:
    """A number in SI: divided, not multiplied by 0.001, so that 700 mm are 0.7 m to the last digit."""
    return value / 1000.0 if unit == "mm" else math.radians(value) if unit == "deg" else value


def from_si(value: float, unit: Unit) -> float:
    """The other way round."""
    return value * 1000.0 if unit == "mm" else math.degrees(value) if unit == "deg" else value


def key_of(word: str, table: Mapping[_Key, Sequence[str]]) -> _Key | None:
    """What a word of either language stands for."""
    word = word.casefold()
    return next((key for key, words in table.items() if word in words), None)
