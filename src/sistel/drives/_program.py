"""What a family of drives is given: texts by suffix, and what is sent before and after them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from sistel.errors import Language, Text
from sistel.records import record

if TYPE_CHECKING:
    from sistel.drives._plan import Plan


LANGUAGES: tuple[Language, Language] = ("en", "ru")


@record
class Item:
    """Something that is sent over a serial line."""

    data: bytes
    answer: bool = True
    """Whether the drive answers."""
    time: int | None = None
    """When, after the start of its stage [ms]; at once after the answer before it where nothing is said."""
    patience: int = 1000
    """How long its answer may take, or what is awaited [ms]."""
    until: tuple[int, int] | None = None
    """A mask, and what the number that is answered has to be under it: it is asked again until then."""
    shown: str = ""
    """For people; the text itself for drives that read text."""


@record
class Serial:
    """How a program goes over a serial line, stage by stage."""

    baud: int
    frame: Literal["line", "telegram", "packet"]
    """What an answer is: a line, a FAULHABER telegram, a DYNAMIXEL packet."""
    good: str
    """The line that says that all is well."""
    stages: tuple[tuple[Text, tuple[Item, ...]], ...]
    """What each is called, and what it sends; every one waits for a click."""
    stop: tuple[Item, ...]
    """What stops all drives at once."""


def text_items(lines: Iterable[str], end: str, answered: Callable[[str], bool] = lambda _: True) -> tuple[Item, ...]:
    """Lines of text as they are sent."""
    return tuple(Item(data=(line + end).encode("ascii"), answer=answered(line), shown=line) for line in lines)


LONGEST_HOMING = 60_000
"""How long drives may look for their switches [ms]."""
PREPARE, HOME, ENABLE, STORE, BEGIN, MOVE = (
    Text("Prepare the drives", "Подготовить приводы"),
    Text("Find their zeros", "Найти нули"),
    Text("Switch them on", "Включить"),
    Text("Store the program", "Записать программу"),
    Text("Start it", "Пустить"),
    Text("Move", "Двигать"),
)
"""Stages."""


@record
class Program:
    """A program for the drives of a plan."""

    plan: Plan
    files: Mapping[str, str]
    """Texts, by the suffix of their file."""
    each: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """Texts that every drive has for itself, by the suffix of their files and by node."""
    setup: tuple[str, ...] = ()
    """Lines that are sent before the program, and stored nowhere."""
    lines: tuple[str, ...] = ()
    """Lines of the program."""
    start: tuple[str, ...] = ()
    """Lines that start it."""
    serial: Serial | None = None
    """How a page sends it; None where a page cannot reach the drives."""
    warnings: tuple[Text, ...] = ()
    """What a user must know, once each."""


_LEFT = {
    "homing": Text("homing", "привязку"),
    "current": Text("limits of current", "пределы тока"),
    "limits": Text("limits of position", "пределы положения"),
}


def left_to_user(plan: Plan, *keys: str) -> tuple[Text, ...]:
    """One sentence about what the file of drives asks for and a program of this family does not set."""
    drives = [axis.drive for axis in plan.axes]
    asked = {
        "homing": any(drive.homing != "none" for drive in drives),
        "current": any(math.isfinite(drive.current) for drive in drives),
        "limits": any(math.isfinite(drive.minimum) or math.isfinite(drive.maximum) for drive in drives),
    }
    left = [_LEFT[key] for key in keys if asked[key]]
    if not left:
        return ()
    english, russian = (", ".join(text.say(lang) for text in left) for lang in LANGUAGES)
    return (
        Text(
            f"this program does not set {english}: do it in the settings of the drives; counters are 0 at home",
            f"программа не задаёт {russian}: сделайте это в настройках приводов; в нулевых положениях счётчики равны 0",
        ),
    )


def flash_warning(plan: Plan) -> Text:
    """That every transfer of a program wears the memory of the drive."""
    writes = f"{plan.family.writes:,}"
    russian = writes.replace(",", " ")
    return Text(
        f"every transfer of this program writes the flash memory of the drives, which lasts {writes} writes; "
        "try it on the emulated drive first",
        f"каждая передача программы — запись во флеш-память приводов, а её хватает на {russian} записей; "
        "сначала проверьте программу на эмуляторе",
    )
