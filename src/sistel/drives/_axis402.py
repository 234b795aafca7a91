"""The state machine of CiA 402 with profile positions: what drives of all makers that keep to it have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from sistel.drives import _objects402 as objects
from sistel.drives._program import LONGEST_HOMING as LONGEST_HOMING
from sistel.drives._shaft import Shaft
from sistel.errors import Text
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.drives._plan import Axis

TICK = 1e-3
SWITCH = 0.02
"""Where the switches of an emulated drive are, to both sides of its start [turns of the motor]."""
INDEX = 0.3
"""Where the index of an emulated drive is, seen from its start [turns of the motor]."""


def not_homed(nodes: Iterable[int]) -> Text:
    """That drives have not found their zeros, and stand."""
    names = ", ".join(str(node) for node in nodes)
    return Text(
        f"no switch was found within a minute by drive {names}: all drives are stopped, the program does not begin",
        f"за минуту датчик не найден, привод {names}: все приводы остановлены, программа не начинается",
    )


STATES = {
    "switch on disabled": 0x0040,
    "ready to switch on": 0x0021,
    "switched on": 0x0023,
    "operation enabled": 0x0027,
    "quick stop active": 0x0007,
    "fault reaction active": 0x000F,
    "fault": 0x0008,
}
"""Bits of the statusword."""
REASONS = {
    objects.FOLLOWING_ERROR: Text("following error", "ошибка следования"),
    objects.TOO_HOT: Text("too hot", "перегрев"),
    objects.LINK_LOST: Text("the master is silent", "ведущий молчит"),
    # [K] Codes of the profile for communication, which drives of all makers share.
    0x2310: Text("too much current", "слишком большой ток"),
    0x3210: Text("too much voltage", "слишком высокое напряжение"),
    0x3220: Text("too little voltage", "слишком низкое напряжение"),
    0x7305: Text("the encoder fails", "отказ энкодера"),
    0x8400: Text("the speed differs", "отклонение скорости"),
}
"""What error codes (0x603F) mean."""


def reason_of(error: int, state: int = 0) -> Text:
    """Why a drive is not on.

    Args:
        error: Its error code.
        state: Its statusword; it tells where there is no error.
    """
    if error:
        return REASONS.get(error, Text(f"error {error:04X}", f"ошибка {error:04X}"))
    if state & 0x6F == STATES["quick stop active"]:
        return Text("somebody has stopped it", "его остановили")
    return Text("somebody has switched it off", "его выключили")


SIDES = {objects.BACKWARD: -1, objects.FORWARD: 1, objects.INDEX_BACKWARD: -1, objects.INDEX_FORWARD: 1}
"""Which way a method of homing goes."""
BY_INDEX = (objects.INDEX_BACKWARD, objects.INDEX_FORWARD)


class ObjectError(Exception):
    """An object that cannot be read or written; `code` is that of the abort."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"{code:08x}")


@mutable
class Axis402(Shaft):
    """One drive. Time passes in `tick` alone."""

    speed_unit: float = 1.0
    """Increments per second in one unit of speed."""
    acceleration_unit: float = 1.0
    """Increments per second² in one unit of acceleration."""
    values: dict[tuple[int, int], int] = field(default_factory=lambda: {k: w.usual for k, w in objects.OBJECTS.items()})
    state: str = "switch on disabled"
    target: int = 0
    moving: bool = False
    reached: bool = True
    acknowledged: bool = False
    limited: bool = False
    homed: bool = False
    seeking: int = 0
    """Which way it looks for its switch; 0 where it does not."""
    switches: dict[int, float] = field(default_factory=dict)
    """Where the switches are [increments], by their sides, -1 and 1."""
    turn: int = 0
    """Increments between two index pulses; 0 for an encoder without them."""
    index: float = 0.0
    """Where one of them is [increments]."""
    lost: bool = False
    """Whether the zero was not found: a homing error."""
    error: int = 0
    temperature: int = 30
    following: int = 0
    """For how long the shaft is too far from its set point [ms]."""
    silent: int = 0
    """Since the last word of the master [ms]."""
    patience: int = 0
    """How long the master may be silent while the drive is on [ms]; 0 for ever."""

    # --- objects -----------------------------------------------------------------------------------------------------

    def read(self, index: int, sub: int) -> int:
        """The value of an object.

        Raises:
            ObjectError: There is none.
        """
        _find(index, sub)
        live = {
            (0x1001, 0): int(self.error != 0),
            (0x603F, 0): self.error,
            (0x6041, 0): self.status,
            (0x6061, 0): self.values[0x6060, 0],
            (0x6062, 0): round(self.point.position),
            (0x6064, 0): round(self.actual),
            (0x606C, 0): round(self.shaft_speed / self.speed_unit),
        }
        return live.get((index, sub), self.values[index, sub])

    def write(self, index: int, sub: int, value: int) -> None:
        """Give an object a value.

        Raises:
            ObjectError: There is none, it cannot be written, or not that value, or not now.
        """
        word = _find(index, sub)
        if word.access == objects.RO:
            raise ObjectError(objects.READ_ONLY)
        if word.least is not None and value < word.least:
            raise ObjectError(objects.TOO_SMALL)
        if word.most is not None and value > word.most:
            raise ObjectError(objects.TOO_LARGE)
        if index in (0x6081, 0x6083, 0x6084, 0x6085) and value < 1:
            raise ObjectError(objects.TOO_SMALL)
        if index == 0x6060 and (self.moving or self.seeking):
            raise ObjectError(objects.WRONG_STATE)
        before = self.values[index, sub]
        self.values[index, sub] = value
        if index == 0x6040:
            self._control(value, before)

    @property
    def status(self) -> int:
        """The statusword."""
        bits = STATES[self.state] | 0x0210
        bits |= objects.REACHED if self.reached else 0
        bits |= objects.LIMITED if self.limited else 0
        said = self.homed if self._mode == objects.HOMING else self.acknowledged
        bits |= objects.ACKNOWLEDGED if said else 0
        wrong = self.lost if self._mode == objects.HOMING else self.error == objects.FOLLOWING_ERROR
        bits |= objects.FOLLOWING if wrong else 0
        return bits

    @property
    def shaft_speed(self) -> float:
        """Of the shaft itself [increments/s]."""
        if self.blocked:
            return 0.0
        return self.speed if self.loose else self.point.velocity

    @property
    def powered(self) -> bool:
        """Whether the motor holds the shaft."""
        return self.state in ("operation enabled", "quick stop active", "fault reaction active")

    @property
    def _mode(self) -> int:
        return self.values[0x6060, 0]

    def _control(self, word: int, before: int) -> None:
        if self.state in ("fault", "fault reaction active"):
            if word & 0x80 and not before & 0x80 and self.state == "fault":
                self.error, self.state = 0, "switch on disabled"
            return
        if not word & 0x02:
            self._off("switch on disabled")
        elif not word & 0x04:
            self.state = "quick stop active" if self.state == "operation enabled" else "switch on disabled"
        else:
            self._switch(word & 0x0F)
        if self.state == "operation enabled":
            self._start(word, before)
        self.acknowledged = bool(word & 0x10) and self.state == "operation enabled"

    def _switch(self, word: int) -> None:
        """Shutdown, switch on, enable: a step is left out only upwards from ready to enabled."""
        if word & 0x07 == 0x06:
            if self.state != "quick stop active":
                self._off("ready to switch on")
        elif word == 0x07:
            if self.state in ("ready to switch on", "switched on", "operation enabled"):
                self._off("switched on")
        elif word == 0x0F and self.state in ("ready to switch on", "switched on", "quick stop active"):
            self.state = "operation enabled"
            self.point.position, self.point.velocity = self.actual, 0.0
            self.target, self.moving = round(self.actual), False

    def _off(self, state: str) -> None:
        self.state, self.moving, self.seeking = state, False, 0
        self.point.velocity = 0.0

    def _start(self, word: int, before: int) -> None:
        if not (word & 0x10 and not before & 0x10):
            return
        if self._mode == objects.HOMING:
            method = self.values[0x6098, 0]
            self.homed = False
            self.lost = method not in (objects.HERE, objects.HERE_BEFORE, *SIDES) or (
                method in BY_INDEX and not self.turn
            )
            if self.lost:
                return
            if method in SIDES:
                self.seeking, self.reached = SIDES[method], False
            else:
                self._zero()
            return
        if self._mode != objects.PROFILE_POSITION or (self.moving and not word & 0x20):
            return
        target = self.values[0x607A, 0] + (self.target if word & 0x40 else 0)
        low, high = self.values[0x607D, 1], self.values[0x607D, 2]
        self.limited = not low <= target <= high
        self.target = max(low, min(high, target))
        self.moving, self.reached = True, False

    def _zero(self) -> None:
        """The counter gets the value of the zero."""
        offset = self.values[0x607C, 0]
        shift = offset - self.actual
        self.switches = {side: place + shift for side, place in self.switches.items()}
        self.index += shift
        self.actual = self.point.position = float(offset)
        self.point.velocity = 0.0
        self.target, self.homed, self.reached, self.seeking = offset, True, True, 0

    # --- time --------------------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """The master has said something."""
        self.silent = 0

    def fail(self, error: int) -> None:
        """Brake, then stand in a fault."""
        if self.state not in ("fault", "fault reaction active"):
            self.error = error
            self.state = "fault reaction active"

    def tick(self) -> None:
        """One millisecond."""
        self.time += 1
        self.silent += 1
        if self.state == "operation enabled":
            if self.patience and self.silent > self.patience:
                self.fail(objects.LINK_LOST)
            elif self.temperature >= 100:
                self.fail(objects.TOO_HOT)
        if self.state in ("fault reaction active", "quick stop active"):
            self.point.stop(self.values[0x6085, 0] * self.acceleration_unit, TICK)
            self.moving, self.seeking = False, 0
            if self.point.velocity == 0.0 and self.state == "fault reaction active":
                self.state = "fault"
        elif self.seeking:
            self._seek()
        elif self.moving:
            self.point.advance(
                self.target,
                self.values[0x6081, 0] * self.speed_unit,
                self.values[0x6083, 0] * self.acceleration_unit,
                self.values[0x6084, 0] * self.acceleration_unit,
                TICK,
            )
        self.follow()
        self._watch()

    def _seek(self) -> None:
        """Go on towards the switch or the index; there the counter is put right."""
        by_index = self.values[0x6098, 0] in BY_INDEX
        before = self.actual
        wanted = self.seeking * self.values[0x6099, 2 if by_index else 1] * self.speed_unit
        step = self.values[0x609A, 0] * self.acceleration_unit * TICK
        v = self.point.velocity
        new = wanted if abs(wanted - v) <= step else v + math.copysign(step, wanted - v)
        self.point.position += 0.5 * (v + new) * TICK
        self.point.velocity = new
        place = self._pulse(before) if by_index else self.switches.get(self.seeking)
        if place is not None and self.seeking * (self.place - place) >= 0.0:
            self.actual = place
            self._zero()

    def _pulse(self, before: float) -> float:
        """Where the next index is, seen from a position."""
        turns = (before - self.index) / self.turn
        return self.index + self.turn * (math.floor(turns) + 1 if self.seeking > 0 else math.ceil(turns) - 1)

    def _watch(self) -> None:
        late = abs(self.point.position - self.actual) > self.values[0x6065, 0]
        self.following = self.following + 1 if late else 0
        if self.following > self.values[0x6066, 0] and self.state == "operation enabled":
            self.fail(objects.FOLLOWING_ERROR)
        there = self.point.position == self.target and self.point.velocity == 0.0
        if self.moving and there and abs(self.actual - self.target) <= self.values[0x6067, 0]:
            self.moving, self.reached = False, True
            self.arrivals.append((self.time, self.target))


def powered_on(axis: Axis, patience: int = 0) -> Axis402:
    """The drive of an axis after power-on; its switches are a little behind its start, and the shaft stands still."""
    made = Axis402(speed_unit=axis.speed_unit, acceleration_unit=axis.acceleration_unit, patience=patience)
    made.turn, made.index = axis.resolution, INDEX * axis.resolution
    if axis.drive.homing == "switch":
        made.switches = {side: side * SWITCH * axis.resolution for side in (-1, 1)}
    return made


def _find(index: int, sub: int) -> objects.ObjectWord:
    found = objects.OBJECTS.get((index, sub))
    if found is None:
        known = any(each == index for each, _ in objects.OBJECTS)
        raise ObjectError(objects.NO_SUBINDEX if known else objects.NO_OBJECT)
    return found
