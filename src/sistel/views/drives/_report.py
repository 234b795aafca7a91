"""A plan of drives and an emulated run as tables for terminals, with commas, and as plain data."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text
from sistel.files import guarded
from sistel.views.text._numbers import clean, short, unit
from sistel.views.text._tables import LIMIT, Column, Table

if TYPE_CHECKING:
    from sistel.drives import Axis, Emulation, Move, Plan

SPEED_WORDS = {
    "faulhaber-v2": ("rpm", "об/мин"),
    "faulhaber-v3": ("rpm", "об/мин"),
    "grbl": ("ms", "мс"),
    "dynamixel": ("ms", "мс"),
}
ACCELERATION_WORDS = {
    "faulhaber-v2": ("rev/s²", "об/с²"),
    "faulhaber-v3": ("rev/s²", "об/с²"),
    "grbl": ("ms", "мс"),
    "dynamixel": ("ms", "мс"),
}
TITLES = (
    "row", "node", "joint", "asked", "counts", "rounding", "speed", "exact", "acceleration", "exact", "arrival, ms",
    "shift, ms",
)  # fmt: skip
TITLES_RU = (
    "строка", "узел", "сочленение", "задано", "отсчёты", "округление", "скорость", "точная", "ускорение", "точное",
    "приход, мс", "сдвиг, мс",
)  # fmt: skip


def _scale(axis: Axis, lang: Language) -> tuple[float, str]:
    return (1e3, unit("mm", lang)) if axis.drive.slides else (180.0 / math.pi, "°")


def _units(plan: Plan, lang: Language) -> tuple[str, str]:
    ru = lang == "ru"
    counts = ("отсч./с", "отсч./с²") if ru else ("counts/s", "counts/s²")
    speed = SPEED_WORDS.get(plan.family.key)
    acceleration = ACCELERATION_WORDS.get(plan.family.key)
    return (speed[ru] if speed else counts[0]), (acceleration[ru] if acceleration else counts[1])


def _ordered(plan: Plan) -> list[tuple[Axis, Move]]:
    """Moves of all drives, row by row."""
    return sorted(
        ((axis, move) for axis in plan.axes for move in axis.moves), key=lambda pair: (pair[1].row, pair[0].column)
    )


def plan_tables(plan: Plan, lang: Language) -> list[Table]:
    """What every drive is told for every row, and what rounding has done to it."""
    ru = lang == "ru"
    speed, acceleration = _units(plan, lang)
    titles = list(TITLES_RU if ru else TITLES)
    told = (titles[6], titles[8])
    if plan.family.timed:
        told = ("время", "разгон") if ru else ("time", "ramp")
    titles[6:10] = [f"{told[0]}, {speed}", f"{told[1]}, {acceleration}"]
    rows = []
    pairs = _ordered(plan)
    for axis, move in pairs[:LIMIT]:
        factor, word = _scale(axis, lang)
        rows.append(
            (
                str(move.row),
                str(axis.drive.node),
                clean(axis.drive.joint),
                f"{short(factor * move.asked, 8)}{'' if word == '°' else ' '}{word}",
                str(move.target),
                _rounding(factor * move.error, factor * move.asked),
                _rounded(move.speed, move.exact_speed),
                _rounded(move.acceleration, move.exact_acceleration),
                str(move.arrival),
                f"{round(move.shift, 3) + 0.0:+g}",
            )
        )
    columns = tuple(
        Column(title=title, align="left" if i == 2 else "right", keep=True) for i, title in enumerate(titles)
    )
    title = "Что задано приводам" if ru else "What drives are told"
    return [Table(title=title, columns=columns, rows=tuple(rows), total=len(pairs))]


def _rounding(error: float, asked: float) -> str:
    """What is smaller than the digits of the numbers themselves is nothing."""
    return "0" if abs(error) <= 1e-14 * (1.0 + abs(asked)) * 4.0 else f"{error:+.2g}"


def _rounded(whole: int, exact: float) -> str:
    """What is told, and in brackets what would be told without rounding."""
    return "–" if not whole else f"{whole} ({short(exact, 6)})"


def plan_heading(plan: Plan, lang: Language) -> str:
    """What a plan comes to, in a line."""
    rows, drives = len(plan.table.times), len(plan.axes)
    # Less than a nanosecond is what rounding has left of times.
    shifts = [round(move.shift, 6) for axis in plan.axes for move in axis.moves]
    late, early = max(shifts), min(shifts)
    heading = Text(
        f"{plan.family.title.en}: {_many(drives, 'drive')}, {_many(rows, 'row')}, {1e-3 * plan.end:.3f} s; "
        f"at most {max(0.0, -early):.3g} ms early and {max(0.0, late):.3g} ms late",
        f"{plan.family.title.ru}: приводов {drives}, строк {rows}, {1e-3 * plan.end:.3f} с; "
        f"приход раньше на {max(0.0, -early):.3g} мс, позже на {max(0.0, late):.3g} мс самое большее",
    )
    return heading.say(lang)


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def plan_csv(plan: Plan, lang: Language) -> str:
    """The same table with commas, in full [degrees or mm, ms]."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ru = lang == "ru"
    titles = TITLES_RU if ru else TITLES
    writer.writerow([*titles, "пауза, мс" if ru else "pause, ms"])
    for axis, move in _ordered(plan):
        factor, _ = _scale(axis, lang)
        writer.writerow(
            [
                move.row,
                axis.drive.node,
                guarded(axis.drive.joint),
                repr(factor * move.asked),
                move.target,
                repr(factor * move.error),
                move.speed,
                repr(move.exact_speed),
                move.acceleration,
                repr(move.exact_acceleration),
                move.arrival,
                repr(move.shift),
                move.pause,
            ]
        )
    return out.getvalue()


def plan_data(plan: Plan, lang: Language) -> dict[str, object]:
    """A plan for programs [SI; ms where a name says so]."""
    return {
        "family": plan.family.key,
        "lead_ms": plan.lead,
        "end_ms": plan.end,
        "notes": [note.say(lang) for note in plan.notes],
        "drives": [
            {
                "joint": axis.drive.joint,
                "node": axis.drive.node,
                "counts_per_unit": axis.scale,
                "rows": [
                    {
                        "row": move.row,
                        "asked": move.asked,
                        "made": move.made,
                        "counts": move.target,
                        "speed": move.speed,
                        "exact_speed": move.exact_speed,
                        "acceleration": move.acceleration,
                        "exact_acceleration": move.exact_acceleration,
                        "start_ms": move.start,
                        "arrival_ms": move.arrival,
                        "shift_ms": move.shift,
                        "pause_ms": move.pause,
                    }
                    for move in axis.moves
                ],
            }
            for axis in plan.axes
        ],
    }


def tracking_table(emulated: Emulation, lang: Language) -> Table:
    """How far emulated drives are from the table: on the way, at its rows, and at the end."""
    ru = lang == "ru"
    titles = (
        ("сочленение", "на пути", "среднее кв.", "в строках", "сдвиг прихода, мс")
        if ru
        else ("joint", "on the way", "rms", "at the rows", "arrival shift, ms")
    )
    rows = []
    for axis, data in zip(emulated.plan.axes, _tracking(emulated), strict=True):
        factor, word = _scale(axis, lang)
        shift = data["arrival_shift_ms"]
        rows.append(
            (
                clean(axis.drive.joint),
                *(f"{factor * float(data[key]):.3g} {word}" for key in ("worst", "rms", "at_rows")),
                f"{shift:g}",
            )
        )
    columns = tuple(Column(title=title, align="right" if i else "left", keep=True) for i, title in enumerate(titles))
    title = "Отклонение от таблицы" if ru else "Distance from the table"
    return Table(title=title, columns=columns, rows=tuple(rows), total=len(rows))


def _tracking(emulated: Emulation) -> list[dict[str, float]]:
    plan, errors = emulated.plan, emulated.errors
    made = []
    for i, axis in enumerate(plan.axes):
        # At a row: where the drive is when it should be there; drives that are early wait, or have gone on by a little.
        rows = [min(round(move.deadline) - plan.lead, len(errors) - 1) for move in axis.moves]
        asked = {move.target: move for move in axis.moves}
        said = [move for move in axis.moves if move.way]
        found = emulated.arrivals[i]
        shift = max((abs(time - move.arrival) for (time, _), move in zip(found, said, strict=False)), default=0)
        made.append(
            {
                "worst": float(np.abs(errors[:, i]).max(initial=0.0)),
                "rms": float(np.sqrt(np.mean(errors[:, i] ** 2))) if len(errors) else 0.0,
                "at_rows": max(
                    (abs(float(emulated.positions[plan.lead + row, i]) - move.asked))
                    for row, move in zip(rows, axis.moves, strict=True)
                ),
                "arrival_shift_ms": float(shift),
                "rows_reached": float(len([1 for _, target in found if target in asked])),
            }
        )
    return made


def tracking_data(emulated: Emulation, lang: Language) -> dict[str, object]:
    """The same for programs [SI]."""
    return {
        "problems": [problem.say(lang) for problem in emulated.problems],
        "drives": [
            {
                "joint": axis.drive.joint,
                **data,
                "arrivals": [{"time_ms": time, "counts": counts} for time, counts in found],
            }
            for axis, data, found in zip(emulated.plan.axes, _tracking(emulated), emulated.arrivals, strict=True)
        ],
    }
