"""Words of files of drives: one row for every element and attribute, in both languages, with its kind and meaning.

The reader and its messages follow from here. A row is the key with its spellings, the kind of value in parentheses, a
mark where it is required; then what it means, and after = what holds when it is absent.
"""

from __future__ import annotations

from typing import Literal

from sistel.described import entries
from sistel.errors import Text
from sistel.records import record

ValueKind = Literal[
    "text", "name", "coordinate", "whole", "number", "position", "rate", "acceleration", "current", "constant", "lead",
    "direction", "homing", "axis", "count", "inertia", "frequency",
]  # fmt: skip


@record
class AttributeWord:
    """One attribute of a file of drives."""

    key: str
    en: tuple[str, ...]
    ru: tuple[str, ...]
    kind: ValueKind
    required: bool
    doc: Text
    default: Text | None


def _rows(table: str) -> dict[str, AttributeWord]:
    made = {}
    for typed, texts in entries(table):
        words = typed.removesuffix(" !")
        spellings, _, kind = words.removesuffix(")").partition(" (")
        english, _, russian = spellings.partition(" | ")
        usual = texts[2].removeprefix("= ").split(" | ") if len(texts) > 2 else None
        key = english.split()[0]
        made[key] = AttributeWord(
            key=key,
            en=tuple(english.split()),
            ru=tuple(russian.split()),
            kind=_kind(kind),
            required=typed != words,
            doc=Text(*texts[:2]),
            default=Text(usual[0], usual[-1]) if usual else None,
        )
    return made


def _kind(word: str) -> ValueKind:
    return KINDS[word]


KINDS: dict[str, ValueKind] = {
    "text": "text",
    "name": "name",
    "coordinate": "coordinate",
    "whole": "whole",
    "number": "number",
    "position": "position",
    "rate": "rate",
    "acceleration": "acceleration",
    "current": "current",
    "constant": "constant",
    "lead": "lead",
    "direction": "direction",
    "homing": "homing",
    "axis": "axis",
    "inertia": "inertia",
    "frequency": "frequency",
    "count": "count",
}

ROOT = ("drives", "приводы")
ROOT_WORDS = _rows(
    """
    name | имя (text)
        What the set of drives is called.
        Как называется набор приводов.
    """
)

DRIVE = ("drive", "привод")
DRIVE_WORDS = _rows(
    """
    joint | сочленение КП (coordinate) !
        The coordinate that the drive moves.
        Координата, которую двигает привод.
    node | узел (whole) !
        Number of the drive on its bus: 1 to 255, or as the bus allows.
        Номер привода на шине: от 1 до 255 или сколько позволяет шина.
    ratio | передача (number)
        Turns of the motor for one turn of the joint, or of the screw.
        Оборотов двигателя на оборот сочленения или винта.
        = 1
    lead | шаг (lead)
        Way of a sliding joint for one turn behind the gear, in mm; needed where the coordinate is a slide.
        Путь поступательного сочленения за оборот после передачи, мм; нужен, если координата поступательная.
    resolution | разрешение (whole)
        Increments for one turn of the motor.
        Инкрементов на оборот двигателя.
        = that of the family: 3000 for linear Hall sensors | у семейства: 3000 у линейных датчиков Холла
    direction | направление (direction)
        Whether the motor turns with the joint or against it.
        Вращается ли двигатель вместе с сочленением или навстречу.
        = forward | вперёд
    speed | скорость (rate) !
        Greatest speed of the motor; a plain number is in rpm.
        Наибольшая скорость двигателя; просто число — в об/мин.
    acceleration | ускорение (acceleration) !
        Greatest acceleration of the motor; a plain number is in rev/s².
        Наибольшее ускорение двигателя; просто число — в об/с².
    min | min мин (position)
        Least position of the joint, in mm or degrees; that of the model holds too.
        Наименьшее положение сочленения, мм или градусы; предел модели тоже действует.
        = that of the model | как в модели
    max | max макс (position)
        Greatest position of the joint, in mm or degrees; that of the model holds too.
        Наибольшее положение сочленения, мм или градусы; предел модели тоже действует.
        = that of the model | как в модели
    current | ток (current)
        Greatest current of the motor; a plain number is in A.
        Наибольший ток двигателя; просто число — в амперах.
        = not limited | не ограничен
    constant | постоянная (constant)
        Moment of the motor for one ampere [N·m/A]; with a current, forces along the table are checked.
        Момент двигателя на один ампер [Н·м/А]; вместе с током проверяются силы на пути таблицы.
        = not known | неизвестна
    efficiency | КПД (number)
        Of the gear, above 0 and at most 1.
        КПД передачи, больше 0 и не больше 1.
        = 1
    home | ноль (position)
        Position of the joint where the counter of the drive is 0, in mm or degrees.
        Положение сочленения, при котором счётчик привода равен 0, мм или градусы.
        = 0
    homing | привязка (homing)
        How the counter becomes right before the program: here, at a switch, at the index pulse of the encoder.
        Как счётчик становится верным перед программой: здесь, по датчику, по индексу энкодера.
        = none | нет
    homing-speed | скорость-привязки (rate)
        Speed of the motor while it looks for its switch; the sign is the direction, a plain number is in rpm.
        Скорость двигателя при поиске датчика; знак — направление, просто число — в об/мин.
        = a twentieth of the greatest, backwards | двадцатая часть наибольшей, назад
    encoder-zero | ноль-датчика (count)
        What an absolute encoder says at the home position, in increments: DYNAMIXEL gets it as its homing offset.
        Что показывает абсолютный датчик в нулевом положении, инкрементов: DYNAMIXEL получает это как смещение нуля.
        = not known | неизвестно
    axis | ось (axis)
        Letter of the axis for G-code.
        Буква оси для G-кода.
        = X, Y, Z in the order of the file | X, Y, Z по порядку в файле
    rotor | ротор (inertia)
        Moment of inertia of the rotor [kg·m²], for drives under load.
        Момент инерции ротора [кг·м²], для приводов под нагрузкой.
        = 0
    bandwidth | полоса (frequency)
        Of the position loop, for drives under load; a plain number is in Hz.
        Полоса контура положения, для приводов под нагрузкой; просто число — в герцах.
        = 15
    """
)

DIRECTIONS: dict[str, tuple[str, ...]] = {
    "forward": ("forward", "вперёд", "вперед", "+", "1"),
    "reverse": ("reverse", "назад", "-", "-1"),
}
HOMINGS: dict[str, tuple[str, ...]] = {
    "none": ("none", "нет"),
    "here": ("here", "здесь"),
    "switch": ("switch", "датчик"),
    "index": ("index", "индекс"),
}
AXES: dict[str, tuple[str, ...]] = {"X": ("X",), "Y": ("Y",), "Z": ("Z",)}


def word_of(name: str, table: dict[str, AttributeWord]) -> AttributeWord | None:
    """The row of a spelling, whatever its case."""
    folded = name.casefold()
    return next((row for row in table.values() if folded in (w.casefold() for w in (*row.en, *row.ru))), None)


def choice_of(word: str, table: dict[str, tuple[str, ...]]) -> str | None:
    """The key of a choice."""
    folded = word.strip().casefold()
    return next((key for key, words in table.items() if folded in (w.casefold() for w in words)), None)
