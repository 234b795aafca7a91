"""FAULHABER V2.5: sequence programs in ASCII, ``[node]COMMAND[argument]`` a line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sistel.drives import _faulhaber2_words as words
from sistel.drives._program import (
    BEGIN,
    HOME,
    LONGEST_HOMING,
    PREPARE,
    STORE,
    Item,
    Program,
    Serial,
    flash_warning,
    text_items,
)
from sistel.errors import Diagnostics, Text

if TYPE_CHECKING:
    from sistel.drives._plan import Axis, Plan

PROGRAM_COMMANDS = ("EN", "SP", "AC", "DEC", "LA", "NP", "M", "DELAY")
"""All that a written program uses: names of others differ between editions of the manual."""


def write_faulhaber2(plan: Plan) -> Program:
    """The sequence programs of a plan, one for each drive.

    Raises:
        SistelError: A program does not fit into the memory of its drive.
    """
    diagnostics = Diagnostics()
    lines: list[str] = []
    memory = plan.family.memory
    assert memory is not None
    for axis in plan.axes:
        body = list(sequence(axis, plan))
        size = sum(len(line) + 1 for line in body)
        if size > memory:
            diagnostics.error(
                "too-long",
                axis.drive.span,
                Text(
                    f'the program of "{axis.drive.joint}" has {size} bytes, and the drive holds {memory}',
                    f"в программе «{axis.drive.joint}» {size} байт, а в привод помещается {memory}",
                ),
                hint=Text("a table with fewer rows", "таблица с меньшим числом строк"),
            )
        most = words.REGISTERS["ENCRES"].most
        if axis.resolution > most:
            message = Text(f"ENCRES ends at {most}", f"ENCRES кончается на {most}")
            diagnostics.error("wrong-value", axis.drive.place("resolution"), message)
        node = axis.drive.node
        lines += [f"{node}{command}" for command in ("PROGSEQ", *body, "END")]
    diagnostics.raise_if_failed()
    setup, warnings = _setup(plan)
    return Program(
        plan=plan,
        files={".setup.txt": _text(setup), ".txt": _text(lines)},
        setup=tuple(setup),
        lines=tuple(lines),
        start=("ENPROG",),
        serial=Serial(
            baud=9600,
            frame="line",
            good="OK",
            stages=(
                (PREPARE, text_items([line for line in setup if not _homes(line)], "\r")),
                *(((HOME, _homing(plan, setup)),) if any(map(_homes, setup)) else ()),
                (STORE, text_items(lines, "\r")),
                (BEGIN, text_items(["ENPROG"], "\r", lambda _: False)),
            ),
            stop=text_items(["DIPROG", "DI"], "\r", lambda _: False),
        ),
        warnings=(flash_warning(plan), *warnings),
    )


def _homes(line: str) -> bool:
    """Whether a line of the settings moves its drive to a switch."""
    return line.endswith(("GOHOSEQ", "EN"))


def _homing(plan: Plan, setup: list[str]) -> tuple[Item, ...]:
    """The way to the switches; bit 0 of OST is set until they are found."""
    seeking = [axis.drive.node for axis in plan.axes if axis.drive.homing == "switch"]
    asked = (
        Item(data=f"{node}OST\r".encode("ascii"), until=(1, 0), patience=LONGEST_HOMING, shown=f"{node}OST")
        for node in seeking
    )
    return (*text_items(filter(_homes, setup), "\r"), *asked)


def _text(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def sequence(axis: Axis, plan: Plan) -> Iterator[str]:
    """Commands of the program of one drive; registers that stay are not written again."""
    family = plan.family
    yield "EN"
    for move, speed, acceleration in axis.changes():
        if speed:
            yield f"SP{move.speed}"
        if acceleration:
            yield f"AC{move.acceleration}"
            yield f"DEC{move.acceleration}"
        if move.way:
            yield f"LA{move.target}"
            yield "NP"
            yield "M"
        for part in family.pauses(move.pause):
            yield f"DELAY{part // family.pause}"


def _setup(plan: Plan) -> tuple[list[str], list[Text]]:
    """What a drive must know before: limits and the zero of its counter."""
    lines: list[str] = []
    warnings: list[Text] = []
    for axis in plan.axes:
        drive = axis.drive
        told = ["ANSW2"]  # every command is confirmed
        if drive.resolution is not None:
            told.append(f"ENCRES{axis.resolution}")
        ends = sorted(axis.increments(each) for each in (drive.minimum, drive.maximum) if math.isfinite(each))
        limits = [f"LL{end}" for end in ends if end]
        if len({end > 0 for end in ends if end}) < len(limits):
            warnings.append(
                Text(
                    f'both limits of "{drive.joint}" are on one side of its zero; the drive can keep only one of them',
                    f"оба предела «{drive.joint}» по одну сторону от нуля; привод может хранить только один из них",
                )
            )
            limits = [f"LL{max(ends, key=abs)}"]
        told += [*limits, "APL1"] if limits else ["APL0"]
        if math.isfinite(drive.current):
            told.append(f"LPC{min(12000, math.floor(1e3 * drive.current * (1.0 + 1e-12)))}")
        if drive.homing == "here":
            told.append("HO0")
        elif drive.homing == "switch":
            rpm = round(drive.homing_speed * 60.0 / (2.0 * math.pi)) or (1 if drive.homing_speed > 0.0 else -1)
            told += ["SHA1", "SHL1", f"HOSP{rpm}", "EN", "GOHOSEQ"]
        lines += [f"{drive.node}{command}" for command in told]
    return lines, warnings
