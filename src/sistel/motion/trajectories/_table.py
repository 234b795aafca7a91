"""Tables of motion: a row for every time, a column for every coordinate; as text for people and for models."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import quoteattr

import numpy as np

from sistel.errors import Diagnostic, Language, Text, refuse, user_language
from sistel.markup.tables import SHORT, exactly, is_long
from sistel.motion.trajectories._checks import choice, growing, locked, names_of, points
from sistel.motion.trajectories._hermite import hermite
from sistel.motion.trajectories._splines import cubic_slopes
from sistel.motion.trajectories._trajectory import Trajectory
from sistel.records import record
from sistel.units import ANGLE, LENGTH, PLAIN, Unit, si_symbol, unit_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


Interpolation = Literal["linear", "cubic", "quintic", "spline", "parabolic"]
INTERPOLATIONS = {
    "linear": "линейная",
    "cubic": "кубическая",
    "quintic": "пятой степени",
    "spline": "сплайн",
    "parabolic": "параболическая",
}
"""How rows are joined: the words that models know."""


@record
class MotionTable:
    """A programmed motion as rows of time and coordinates."""

    times: Array
    """Growing, shape (m,) [s]."""
    values: Array
    """Coordinates, shape (m, n) [m or rad]."""
    names: tuple[str, ...]
    """Of the coordinates."""
    units: tuple[str, ...]
    """In which each column is written; the values themselves are SI."""
    remarks: tuple[Diagnostic, ...] = ()
    """What reading it has guessed."""

    def trajectory(self, interpolation: Interpolation = "cubic") -> Trajectory:
        """The motion that a model makes of these rows.

        Args:
            interpolation: ``linear``; ``cubic`` and ``quintic`` come to rest at every row; ``spline`` passes the rows
                smoothly and rests at both ends; ``parabolic`` has a constant acceleration from row to row, and
                begins at rest.
        """
        check_interpolation(interpolation)
        states = self.values[:, None]
        count = {"linear": 1, "cubic": 2, "quintic": 3, "spline": 2, "parabolic": 2}[interpolation]
        if len(self.times) == 1:
            origins = np.full((1, len(self.names)), self.times[0])
            return Trajectory(knots=np.repeat(self.times, 2), origins=origins, coefficients=states, names=self.names)
        states = np.concatenate([states, *([np.zeros_like(states)] * (count - 1))], axis=1)
        if interpolation == "spline":
            rest = np.zeros((2, len(self.names)))
            states[:, 1] = cubic_slopes(np.diff(self.times), self.values, rest, natural=False)
        if interpolation == "parabolic":
            for i, (h, way) in enumerate(zip(np.diff(self.times), np.diff(self.values, axis=0), strict=True)):
                states[i + 1, 1] = 2.0 * way / h - states[i, 1]
        knots, origins, coefficients = hermite(self.times, states)
        return Trajectory(knots=knots, origins=origins, coefficients=coefficients, names=self.names)

    def html(self, *, lang: Language | None = None, caption: str | None = None) -> str:
        """The table in HTML, as `read_table` reads it: no number changes on the way."""
        from sistel.markup.tables import fragment
        from sistel.motion.trajectories._files import sheet_of

        return fragment(sheet_of(self, lang or user_language(), caption))

    def encoded(self, kind: str, *, lang: Language | None = None, caption: str | None = None) -> bytes:
        """The bytes of a file of a kind: ".html", ".csv", ".ods" or ".xlsx"; see `save`."""
        from sistel.motion.trajectories._files import table_bytes

        return table_bytes(self, kind, lang or user_language(), caption)

    def save(self, file: str | os.PathLike[str], *, lang: Language | None = None, caption: str | None = None) -> None:
        """Write the table to a file that `load_table` reads: .html, .csv, .ods or .xlsx; no number changes on the way.

        Every column is in its unit. In Russian, .csv has decimal commas and semicolons, as spreadsheets expect there.

        Raises:
            SistelError: The suffix means nothing, or the file cannot be written.
        """
        from sistel.motion.trajectories._files import save_table

        save_table(self, file, lang or user_language(), caption)

    def motion(
        self,
        *,
        name: str | None = None,
        interpolation: Interpolation = "cubic",
        lang: Language = "en",
        gains: tuple[str, str] | None = None,
    ) -> str:
        """An element of a model with these rows, no number changed.

        Args:
            name: Of the motion.
            interpolation: How the rows are joined.
            lang: In which words.
            gains: ``kp`` and ``kd`` of motors that follow it, as a model writes them; without them it is forced.

        Raises:
            SistelError: The table has one row only, or units that are no lengths and angles.
        """
        check_interpolation(interpolation)
        if len(self.times) < 2:
            refuse("wrong-shape", Text("a motion needs two rows", "движению нужны хотя бы две строки"))
        units = [unit_named(unit) for unit in self.units]
        for column, unit in zip(self.names, units, strict=True):
            if unit.dimension not in (LENGTH, ANGLE):
                message = Text(
                    f'column "{column}" is no length and no angle', f"столбец «{column}» — не длина и не угол"
                )
                refuse("wrong-unit", message)
        ru = lang == "ru"
        motion, of, row, time, values, how = (
            ("движение", "чего", "строка", "время", "значения", "интерполяция") if ru
            else ("motion", "of", "row", "time", "values", "interpolation")
        )  # fmt: skip
        head = f"<{motion}"
        if name is not None:
            head += f" {'имя' if ru else 'name'}={quoteattr(name)}"
        head += f" {of}={quoteattr(', '.join(self.names))}"
        head += f' {how}="{INTERPOLATIONS[interpolation] if ru else interpolation}"'
        if gains is not None:
            head += f" kp={quoteattr(gains[0])} kd={quoteattr(gains[1])}"
        lines = [head + ">"]
        for t, numbers in zip(self.times.tolist(), self.values.tolist(), strict=True):
            cells = []
            for number, unit in zip(numbers, units, strict=True):
                text, own = in_model(number, unit)
                cells.append(f"{text} {own.ru[0] if ru else own.en[0]}")
            lines.append(f'  <{row} {time}="{t!r}" {values}="{", ".join(cells)}"/>')
        return "\n".join([*lines, f"</{motion}>"])


def motion_table(
    times: ArrayLike,
    values: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    units: Mapping[str, str] | Sequence[str] | str = "rad",
    remarks: Sequence[Diagnostic] = (),
) -> MotionTable:
    """A table of motion from arrays.

    Args:
        times: Growing, shape (m,) [s].
        values: Coordinates, shape (m, n) or (m,) [m or rad].
        names: Of the coordinates.
        units: In which columns are written: one for all, one for each, or by name (those left out are radians).
        remarks: What reading it has guessed.

    Raises:
        SistelError: The call is wrong.
    """
    knots = growing(times, Text("times", "времена"), least=1)
    rows = points(values, Text("values", "значения"))
    if len(rows) != len(knots):
        message = Text(f"{len(knots)} times of {len(rows)} rows", f"времён {len(knots)}, а строк {len(rows)}")
        refuse("wrong-shape", message)
    named = names_of(names, rows.shape[1])
    if isinstance(units, str):
        spelt = (units,) * len(named)
    elif isinstance(units, Mapping):
        for word in units:
            choice(word, named, Text("column", "столбец"))
        spelt = tuple(units.get(name, "rad") for name in named)
    else:
        spelt = tuple(units)
    if len(spelt) != len(named):
        refuse("wrong-shape", Text(f"{len(named)} units are needed", f"нужно единиц: {len(named)}"))
    for word in spelt:
        unit_named(word)
    return MotionTable(times=locked(knots), values=locked(rows), names=named, units=spelt, remarks=tuple(remarks))


def check_interpolation(word: str) -> None:
    """Refuse a way to join rows that there is not."""
    choice(word, list(INTERPOLATIONS), Text("interpolation", "интерполяция"))


def unit_named(word: str) -> Unit:
    """The unit of a column; none is a plain number."""
    unit = Unit("", ("",), ("",), PLAIN) if not word.strip() else unit_of(word)
    if unit is None:
        message = Text(f'there is no unit "{word}"', f"нет единицы «{word}»")
        refuse("unknown-unit", message, hint=Text("mm, m, deg, rad …", "мм, м, град, рад …"))
    return unit


def spell(value: float, unit: Unit) -> str:
    """The shortest decimal that reads back, in a unit, as the very same SI number."""
    short = _spelt(value, unit)
    if short is not None:
        return short
    # No number of this unit is converted to it; a decimal with more digits is, as those are converted exactly.
    near = Fraction(value) * Fraction(unit.denominator) / Fraction(unit.numerator)
    for digits in range(SHORT + 1, 40):
        with localcontext(prec=digits):
            text = str(Decimal(near.numerator) / Decimal(near.denominator))
        if is_long(text) and exactly(text, unit) == value:
            return text
    raise AssertionError("decimals are dense")


def in_model(value: float, unit: Unit) -> tuple[str, Unit]:
    """A number as a model says it, where all decimals are converted alike: in SI, if it must be."""
    text = _spelt(value, unit)
    if text is not None:
        return text, unit
    plain = unit_of(si_symbol(unit.dimension))
    assert plain is not None
    return repr(value), plain


def _spelt(value: float, unit: Unit) -> str | None:
    """The shortest decimal of a number of this unit; None where there is none."""
    if unit.numerator == unit.denominator:
        return repr(value)
    near = unit.from_si(value)
    for digits in (15, 16, 17):
        text = f"{near:.{digits}g}"
        if unit.to_si(float(text)) == value:
            return repr(float(text))
    for other in (np.nextafter(near, np.inf), np.nextafter(near, -np.inf)):
        if unit.to_si(float(other)) == value:
            return repr(float(other))
    return None
