"""An emulated FAULHABER V3.0 drive: telegrams in, telegrams out, scripts, the state machine of CiA 402."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from sistel.drives import _objects402 as objects
from sistel.drives import _telegram3 as telegrams
from sistel.drives._axis402 import LONGEST_HOMING, Axis402, ObjectError, not_homed, powered_on, reason_of
from sistel.drives._basic import IDLE, SIZE, Script
from sistel.drives._emulation import AFTER, Emulation, check_length, emulation
from sistel.drives._faulhaber3 import CONTROL, LOAD, RUN
from sistel.drives._load import AFTER_LOAD, Load
from sistel.drives._telegram3 import Decoder, Telegram, control_word, read_object, write_object
from sistel.errors import Text
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program

SLOTS = 8
SCRIPT_OBJECTS = {1: 1, 2: 1, 4: 1, 9: 1}
"""Sizes of the sub-objects of 0x3001 [bytes]."""


@mutable
class Faulhaber3:
    """One drive on a serial line."""

    node: int
    axis: Axis402
    decoder: Decoder = field(default_factory=Decoder)
    slots: dict[int, list[str]] = field(default_factory=dict)
    slot: int = 1
    script: Script | None = None
    writes: int = 0
    """How often the flash memory was written."""

    def store(self, slot: int, text: str) -> None:
        """Put a script into a slot.

        Raises:
            ValueError: There is no such slot, or the script is too long.
        """
        if not 1 <= slot <= SLOTS or len(text) > SIZE:
            raise ValueError(slot)
        self.slots[slot] = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        self.writes += 1

    def receive(self, data: bytes) -> bytes:
        """Bytes from the line; the bytes of the answers."""
        answers = [self._answer(each) for each in self.decoder.feed(data) if each.node == self.node]
        return b"".join(answer.encode() for answer in answers if answer is not None)

    def _answer(self, asked: Telegram) -> Telegram | None:
        self.axis.heard()
        if asked.command == telegrams.CONTROL and len(asked.data) == 2:
            self.axis.write(0x6040, 0, int.from_bytes(asked.data, "little"))
            return Telegram(self.node, telegrams.CONTROL, b"\x00")
        if asked.command not in (telegrams.READ, telegrams.WRITE) or len(asked.data) < 3:
            return None
        index, sub, data = int.from_bytes(asked.data[:2], "little"), asked.data[2], asked.data[3:]
        try:
            if asked.command == telegrams.READ:
                return Telegram(self.node, telegrams.READ, asked.data[:3] + self._read(index, sub))
            self._write(index, sub, data)
        except ObjectError as problem:
            return Telegram(self.node, telegrams.FAILED, asked.data[:3] + problem.code.to_bytes(4, "little"))
        return Telegram(self.node, telegrams.WRITE, asked.data[:3])

    def _read(self, index: int, sub: int) -> bytes:
        if index == CONTROL:
            values = {
                1: 0,
                2: self.slot,
                4: IDLE if self.script is None else self.script.state,
                9: 0 if self.script is None else self.script.error,
            }
            if sub not in values:
                raise ObjectError(objects.NO_SUBINDEX)
            return bytes([values[sub]])
        value = self.axis.read(index, sub)
        return objects.OBJECTS[index, sub].encode(value)

    def _write(self, index: int, sub: int, data: bytes) -> None:
        if index == CONTROL:
            self._control(sub, data)
            return
        word = objects.OBJECTS.get((index, sub))
        if word is not None and len(data) != word.size:
            raise ObjectError(objects.TOO_LONG if len(data) > word.size else objects.TOO_SHORT)
        self.axis.write(index, sub, 0 if word is None else word.decode(data))

    def _control(self, sub: int, data: bytes) -> None:
        if sub not in SCRIPT_OBJECTS:
            raise ObjectError(objects.NO_SUBINDEX)
        if len(data) != 1:
            raise ObjectError(objects.TOO_LONG if len(data) > 1 else objects.TOO_SHORT)
        value = data[0]
        if sub == 2:
            if not 1 <= value <= SLOTS:
                raise ObjectError(objects.TOO_LARGE if value else objects.TOO_SMALL)
            self.slot = value
        elif sub != 1:
            raise ObjectError(objects.READ_ONLY)
        elif value == LOAD and self.slot in self.slots:
            self.script = Script(self.slots[self.slot], self._get, self._set)
        elif value == RUN and self.script is not None:
            self.script.start()
        elif value == 5 and self.script is not None:
            self.script.state = IDLE
        else:
            raise ObjectError(objects.WRONG_STATE)

    def _get(self, index: int, sub: int) -> int:
        try:
            return self.axis.read(index, sub)
        except ObjectError as problem:
            raise LookupError(problem.code) from None

    def _set(self, index: int, sub: int, value: int) -> None:
        try:
            self.axis.write(index, sub, value)
        except ObjectError as problem:
            raise LookupError(problem.code) from None

    def tick(self) -> None:
        """One millisecond: the script, then the drive."""
        if self.script is not None:
            self.script.tick()
        self.axis.tick()


def emulated_drives(plan: Plan) -> list[Faulhaber3]:
    """Drives of a plan after power-on."""
    return [Faulhaber3(axis.drive.node, powered_on(axis)) for axis in plan.axes]


def emulate_faulhaber3(
    plan: Plan, program: Program, load: Load | None = None, *, drives: list[Faulhaber3] | None = None
) -> Emulation:
    """Put the scripts into emulated drives, start them by telegrams, and watch until they end."""
    check_length(plan)
    line = emulated_drives(plan) if drives is None else drives
    problems: list[Text] = []
    if not _home(line, program, problems):
        return emulation(plan, [[drive.axis.actual for drive in line]] * (plan.end + 1), [()] * len(line), problems)
    for drive in line:
        drive.store(1, program.each[".bas"][drive.node])
        for sub, value in ((2, 1), (1, LOAD), (1, RUN)):
            _ask(drive, write_object(drive.node, CONTROL, sub, bytes([value])), problems)
    axes = [drive.axis for drive in line]
    if load is not None:
        load.attach(axes)
    counts = [[axis.actual for axis in axes]]
    for _ in range(plan.end + (AFTER if load is None else AFTER_LOAD)):
        if load is not None:
            load.move(axes)
        for drive in line:
            drive.tick()
        counts.append([axis.actual for axis in axes])
    for drive in line:
        state = _ask(drive, read_object(drive.node, CONTROL, 4), problems)
        error = _ask(drive, read_object(drive.node, CONTROL, 9), problems)
        if state != IDLE or drive.axis.error:
            problems.append(
                Text(
                    f"drive {drive.node} has not ended its script: state {state}, error {error}, "
                    f"fault {drive.axis.error:04X}",
                    f"привод {drive.node} не закончил скрипт: состояние {state}, ошибка {error}, "
                    f"отказ {drive.axis.error:04X}",
                )
            )
    return emulation(plan, counts, [drive.axis.arrivals for drive in line], problems)


def _home(line: list[Faulhaber3], program: Program, problems: list[Text]) -> bool:
    """Send what is sent before the program, and wait until counters are right; where they are not, stop all drives."""
    asked = {int(text.split("; ")[0].split()[3], 16) for text in program.setup}
    for text in program.setup:
        data = bytes.fromhex(text.split(maxsplit=1)[1].partition(";")[0])
        for telegram in Decoder().feed(data):
            for drive in line:
                if drive.node == telegram.node:
                    _ask(drive, telegram, problems)
    for _ in range(LONGEST_HOMING):
        if not any(drive.axis.seeking for drive in line):
            break
        for drive in line:
            drive.tick()
    missed = [drive for drive in line if drive.node in asked and not drive.axis.homed]
    for drive in line:
        drive.axis.time = 0
        if missed:
            _ask(drive, control_word(drive.node, 0x02), problems)
    for _ in range(LONGEST_HOMING if missed else 0):
        if all(drive.axis.point.velocity == 0.0 for drive in line):
            break
        for drive in line:
            drive.tick()
    faults = [drive for drive in missed if drive.axis.error]
    for drive in faults:
        reason = reason_of(drive.axis.error)
        problems.append(
            Text(
                f"drive {drive.node} has stopped before its zero: {reason.en}",
                f"привод {drive.node} остановился, не найдя нуля: {reason.ru}",
            )
        )
    lost = [drive.node for drive in missed if drive not in faults]
    if lost:
        problems.append(not_homed(lost))
    return not missed


def _ask(drive: Faulhaber3, telegram: Telegram, problems: list[Text]) -> int:
    """Send a telegram; the value of the answer, if it has one."""
    answers = Decoder().feed(drive.receive(telegram.encode()))
    if len(answers) != 1 or answers[0].command == telegrams.FAILED:
        said = answers[0].data.hex() if answers else "–"
        shown = telegram.encode().hex(" ")
        problems.append(Text(f"{shown}: the drive refuses, {said}", f"{shown}: привод отказал, {said}"))
        return -1
    return int.from_bytes(answers[0].data[3:], "little")
