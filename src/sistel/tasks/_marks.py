"""Answers of students, marked: right within a tolerance, or what seems to have gone wrong."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Literal

from sistel.errors import Diagnostics, Fragment, Source, Text, one_of, refuse, word_hint
from sistel.files import unguarded
from sistel.markup import Number, Unary, parse_expression
from sistel.records import record
from sistel.tasks._measured import Places
from sistel.tasks._numbers import PEOPLE, told, unit_word
from sistel.tasks._results import Answer
from sistel.tasks._sheets import Sheet
from sistel.units import PLAIN, Dimension, dimension_name, unit_of

MOST_ROWS = 20_000
Verdict = Literal["right", "wrong", "missing"]
HEADS = {"variant": ("variant", "вариант"), "student": ("student", "студент", "name", "имя")}
_COMMA = re.compile(r"(?<=\d),(?=\d)")


@record
class Marked:
    """One answer of a student."""

    label: Text
    given: str
    expected: Text
    verdict: Verdict
    comment: Text


@record
class Mark:
    """All answers of a student."""

    student: str
    variant: int
    answers: tuple[Marked, ...]

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(answer.verdict == "right" for answer in self.answers)


def mark_answers(sheet: Sheet, text: str, path: str, within: float) -> tuple[Mark, ...]:
    """Mark a CSV table: a column with the variant, perhaps one with the student, and a column for every answer.

    Answers are headed as the key heads them, or by their numbers: 1, 2, …

    Args:
        sheet: The variants, as they were handed out.
        text: The table.
        path: What the table is called in messages.
        within: The largest relative error of a right answer.

    Raises:
        SistelError: The table is wrong: all places.
    """
    source = Source(path, text)
    diagnostics = Diagnostics()
    sign = _delimiter(text)
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=sign))
    if not rows or len(rows) > MOST_ROWS:
        refuse("no-table", Text(f"{path}: no table of answers", f"{path}: нет таблицы ответов"))
    places = Places(source, sign)
    columns = _columns(rows[0], sheet, places, diagnostics)
    if "variant" not in columns:
        diagnostics.raise_if_failed()
    made = []
    for number, row in enumerate(rows[1:], 1):
        if not any(cell.strip() for cell in row):
            continue
        if any(cell.strip() for cell in row[len(rows[0]) :]):
            message = Text("no name stands above this cell", "над этой ячейкой нет имени")
            diagnostics.error("wrong-shape", places.of(number, len(rows[0])), message)
        cells = {key: unguarded(row[place]).strip() if place < len(row) else "" for key, place in columns.items()}
        word = str(cells.get("variant", ""))
        if not word.isdecimal() or not 1 <= int(word) <= len(sheet.variants):
            diagnostics.error(
                "no-variant",
                places.of(number, columns["variant"]),
                Text(f'there is no variant "{word}"', f"нет варианта «{word}»"),
                expected=Text(f"1 to {len(sheet.variants)}", f"от 1 до {len(sheet.variants)}"),
            )
            continue
        variant = sheet.variants[int(word) - 1]
        answers = tuple(
            mark_one(answer, str(cells.get(place, "")), within) for place, answer in enumerate(variant.result.answers)
        )
        made.append(Mark(student=str(cells.get("student", "")), variant=variant.number, answers=answers))
    diagnostics.raise_if_failed()
    return tuple(made)


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max((";", "\t", ","), key=first.count)


def _columns(head: list[str], sheet: Sheet, places: Places, diagnostics: Diagnostics) -> dict[str | int, int]:
    """Where the variant, the student and the answers stand."""
    answers = sheet.variants[0].result.answers
    found: dict[str | int, int] = {}
    known = [*HEADS["variant"], *HEADS["student"], *(answer.label.en for answer in answers)]
    for place, cell in enumerate(head):
        name = unguarded(cell).strip().removeprefix("\ufeff")
        bare = re.sub(r"\s*\[[^\]]*\]$", "", name)
        key: str | int | None = next((key for key, words in HEADS.items() if name.casefold() in words), None)
        if key is None and name.isdecimal() and 1 <= int(name) <= len(answers):
            key = int(name) - 1
        if key is None:
            key = next((i for i, each in enumerate(answers) if bare in heading(each)), None)
        if key is None:
            diagnostics.error(
                "unknown-column",
                places.of(0, place),
                Text(f'no answer is called "{name}"', f"нет ответа «{name}»"),
                expected=one_of(known),
                hint=word_hint(bare, known),
            )
        elif key in found:
            diagnostics.error(
                "same-name", places.of(0, place), Text(f'"{name}" is there twice', f"«{name}» встречается дважды")
            )
        else:
            found[key] = place
    if "variant" not in found:
        diagnostics.error(
            "missing-column",
            places.of(0, 0),
            Text("there is no column with the variant", "нет столбца с вариантом"),
            expected=Text("variant", "вариант"),
        )
    return found


def heading(answer: Answer) -> Text:
    """What the column of an answer is called: its name, with the branch where there are several."""
    if answer.remark is not None and answer.remark.en.startswith("branch"):
        return Text(f"{answer.label.en} ({answer.remark.en})", f"{answer.label.ru} ({answer.remark.ru})")
    return answer.label


def mark_one(answer: Answer, given: str, within: float) -> Marked:
    """One answer of a student, with a kind word where it is wrong."""
    expected = told(answer.value, answer.dimension, 5)
    verdict: Verdict = "wrong"
    if not given:
        verdict, comment = "missing", Text("no answer yet", "ответа пока нет")
    else:
        found = _quantity(given)
        if found is None:
            comment = Text("this is no number with a unit", "это не число с единицей")
        else:
            verdict, comment = _compared(answer, *found, within)
    return Marked(label=answer.label, given=given, expected=expected, verdict=verdict, comment=comment)


def _quantity(given: str) -> tuple[float, Dimension, bool] | None:
    """Value [SI, or as it stands], dimension, and whether there is a unit."""
    text = _COMMA.sub(".", given.replace("−", "-").replace("·", "*").replace("²", "^2").replace("°", " deg"))
    diagnostics = Diagnostics()
    expression = parse_expression(Fragment(text, Source("<answer>", text), 0), diagnostics)
    sign = 1.0
    while isinstance(expression, Unary):
        sign, expression = -sign, expression.operand
    if not isinstance(expression, Number) or not math.isfinite(expression.value):
        return None
    return sign * expression.value, expression.dimension, expression.unit is not None


def _compared(
    answer: Answer, value: float, dimension: Dimension, has_unit: bool, within: float
) -> tuple[Verdict, Text]:
    remark = Text("", "")
    if not has_unit and answer.dimension != PLAIN:
        key = PEOPLE.get(answer.dimension)
        unit = unit_of(key) if key else None
        value = unit.to_si(value) if unit is not None else value
        en, ru = (unit_word(answer.dimension, lang) for lang in ("en", "ru"))
        remark = Text(f"no unit, taken as {en}; please write it", f"без единицы, принято {ru}; пишите единицу")
    elif has_unit and not dimension.fits(answer.dimension):
        return "wrong", Text(
            f"the unit is of {dimension_name(dimension)}; wanted is {dimension_name(answer.dimension)}",
            f"единица — {dimension_name(dimension, 'ru')}; нужна {dimension_name(answer.dimension, 'ru')}",
        )
    if _near(value, answer.value, within):
        return "right", remark
    hint = _slip(value, answer.value, within)
    if hint is None:
        off = abs(value - answer.value) / max(abs(answer.value), 1e-300)
        hint = (
            Text(f"off by {100 * off:.3g} %", f"расходится на {100 * off:.3g} %")
            if off < 10
            else Text("far from it", "далеко от верного")
        )
    joined = [each for each in (hint, remark) if each.en]
    return "wrong", Text("; ".join(each.en for each in joined), "; ".join(each.ru for each in joined))


def _near(value: float, wanted: float, within: float) -> bool:
    return abs(value - wanted) <= within * abs(wanted) + (1e-9 if wanted == 0.0 else 0.0)


def _slip(value: float, wanted: float, within: float) -> Text | None:
    """What commonly goes wrong: a sign, a prefix of a unit, degrees and radians."""
    turn = math.pi / 180
    slips = (
        (-1.0, Text("the sign is the other one", "знак другой")),
        (1000.0, Text("1000 times too much: m and mm, N and kN?", "в 1000 раз больше: м и мм, Н и кН?")),
        (1e-3, Text("1000 times too little: m and mm, N and kN?", "в 1000 раз меньше: м и мм, Н и кН?")),
        (100.0, Text("100 times too much: m and cm, %?", "в 100 раз больше: м и см, %?")),
        (0.01, Text("100 times too little: m and cm, %?", "в 100 раз меньше: м и см, %?")),
        (10.0, Text("10 times too much: a slip of the point?", "в 10 раз больше: запятая не там?")),
        (0.1, Text("10 times too little: a slip of the point?", "в 10 раз меньше: запятая не там?")),
        (turn, Text("radians where degrees are meant?", "радианы вместо градусов?")),
        (1 / turn, Text("degrees where radians are meant?", "градусы вместо радиан?")),
        (2.0, Text("twice too much", "вдвое больше")),
        (0.5, Text("half of it", "вдвое меньше")),
        (9.81, Text("9.81 times too much: mass and weight?", "в 9,81 раза больше: масса и вес?")),
        (1 / 9.81, Text("9.81 times too little: mass and weight?", "в 9,81 раза меньше: масса и вес?")),
    )
    found = [(abs(value / (factor * wanted) - 1.0), hint) for factor, hint in slips if wanted]
    near = [each for each in found if each[0] <= within]
    return min(near, key=lambda each: each[0])[1] if near else None
