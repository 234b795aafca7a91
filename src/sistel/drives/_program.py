"""What a family of drives is given: texts by suffix, and what is sent before and after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.records import record

if TYPE_CHECKING:
    from sistel.drives._plan import Plan


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
    warnings: tuple[Text, ...] = ()
    """What a user must know, once each."""


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
