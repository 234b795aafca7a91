"""An emulated GRBL: lines in, ``ok`` or ``error:n`` out, and a planner that joins lines within accelerations."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sistel.drives._axis402 import SWITCH
from sistel.drives._emulation import AFTER, Emulation, check_length, emulation
from sistel.drives._grbl import factor
from sistel.errors import Text, refuse
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.drives._load import Load
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program

WORD = re.compile(r"([A-Z])([+-]?[0-9]*\.?[0-9]*)")
LETTER, NUMBER, SETTING, UNSUPPORTED, FEED, UNUSED = 1, 2, 3, 20, 22, 36
NO_HOMING, LOCKED = 5, 9
"""Homing is not enabled; nothing moves after an alarm [K]."""
LOST = "ALARM:9"
"""What is said where a switch was not found within one and a half of the way [K]."""
LONG = 11
LONGEST = 80
"""Characters of a line."""
CORNER = 0.01
"""Junction deviation [mm]."""
SLOWEST = 1e-4
"""[mm/s]"""
STEP_WORDS = {100: 250.0, 101: 250.0, 102: 250.0}
HOMING = {22: 0.0, 23: 0.0, 24: 25.0, 25: 500.0, 27: 1.0, 130: 200.0, 131: 200.0, 132: 200.0}
SETTINGS = {
    **STEP_WORDS,
    **HOMING,
    110: 500.0,
    111: 500.0,
    112: 500.0,
    120: 10.0,
    121: 10.0,
    122: 10.0,
    3: 0.0,
    11: CORNER,
}
"""Values after power-on [steps/mm, mm/min, mm/s², mm]."""


@mutable
class Block:
    """A line of motion, or a pause."""

    line: int
    start: Array
    end: Array
    nominal: float
    """Speed that the line asks for [mm/s]."""
    acceleration: float
    pause: float = -1.0
    """Of a pause [s]; below 0 for a motion. One of 0 brings the machine to rest."""
    entry: float = 0.0
    """Speed at its start [mm/s]."""
    exit: float = 0.0
    begin: float = 0.0
    """When it begins [s]."""

    @property
    def stands(self) -> bool:
        """Whether it is a pause."""
        return self.pause >= 0.0

    @property
    def length(self) -> float:
        """Of its way [mm]."""
        return float(np.linalg.norm(self.end - self.start))

    def peak(self) -> float:
        """The greatest speed that it reaches [mm/s]."""
        reach = math.sqrt(self.acceleration * self.length + 0.5 * (self.entry**2 + self.exit**2))
        return max(self.entry, self.exit, min(self.nominal, reach))

    def time(self) -> float:
        """How long it takes [s]."""
        if self.stands:
            return self.pause
        top, a = self.peak(), self.acceleration
        ramps = (2.0 * top * top - self.entry**2 - self.exit**2) / (2.0 * a)
        return (2.0 * top - self.entry - self.exit) / a + max(0.0, self.length - ramps) / top

    def way(self, t: float) -> float:
        """How far it is after a time [mm]."""
        top, a = self.peak(), self.acceleration
        up = (top - self.entry) / a
        if t <= up:
            return t * (self.entry + 0.5 * a * t)
        left = self.time() - t
        if left <= (top - self.exit) / a:
            return self.length - left * (self.exit + 0.5 * a * left)
        return up * 0.5 * (self.entry + top) + (t - up) * top


@mutable
class Grbl:
    """A machine of three axes."""

    settings: dict[int, float] = field(default_factory=lambda: dict(SETTINGS))
    place: Array = field(default_factory=lambda: np.zeros(3))
    inverse: bool = False
    """G93: the feed is the inverse of a time."""
    absolute: bool = True
    inches: bool = False
    feed: float = 0.0
    motion: int = 0
    blocks: list[Block] = field(default_factory=list)
    lines: int = 0
    ended: bool = False
    zero: Array = field(default_factory=lambda: np.zeros(3))
    """Where the zero of the program is, seen by the machine [mm]."""
    shift: Array = field(default_factory=lambda: np.zeros(3))
    """Where the machine's own zero really is [mm]: nobody knows that before the switches are found."""
    switches: dict[tuple[int, int], float] = field(default_factory=dict)
    """Where the switches really are [mm], by the numbers of their axes and by their sides."""
    alarm: bool = False

    def send(self, line: str) -> str:
        """Give it a line; what it answers."""
        self.lines += 1
        text = re.sub(r"\([^)]*\)|;.*", "", line)
        plain = re.sub(r"\s+", "", text).upper()
        if len(line) > LONGEST:
            return f"error:{LONG}"
        if not plain:
            return "ok"
        if plain == "$H":
            return self._home()
        error = self._setting(plain) if plain.startswith("$") else self._code(plain)
        return f"error:{error}" if error else "ok"

    def _home(self) -> str:
        """Look for the switches of all axes; the machine then stands a little off them."""
        if not self.settings[22]:
            return f"error:{NO_HOMING}"
        pull, backwards = self.settings[27], int(self.settings[23])
        for i in sorted({axis for axis, _ in self.switches} or range(3)):
            side = -1 if backwards >> i & 1 else 1
            place, travel = self.switches.get((i, side)), self.settings[130 + i]
            if place is None or abs(place - self.place[i] - self.shift[i]) > 1.5 * travel:
                self.alarm = True
                return LOST
            machine = -travel + pull if side < 0 else -pull
            self.shift[i] = place - side * pull - machine
            self.place = self.place.copy()
            self.place[i] = machine
        self.zero = np.zeros(3)
        self.alarm = False
        return "ok"

    def _setting(self, plain: str) -> int:
        found = re.fullmatch(r"\$([0-9]{1,3})=([0-9]*\.?[0-9]+)", plain)
        if plain == "$X":
            self.alarm = False
        if found is None:
            return 0 if plain in ("$X", "$$") else SETTING
        number = int(found[1])
        if number not in self.settings:
            return SETTING
        self.settings[number] = float(found[2])
        return 0

    def _code(self, plain: str) -> int:
        words = WORD.findall(plain)
        if "".join(letter + number for letter, number in words) != plain:
            return LETTER
        if self.alarm:
            return LOCKED
        values: dict[str, float] = {}
        pause = renamed = False
        moves = False
        for letter, number in words:
            try:
                value = float(number)
            except ValueError:
                return NUMBER
            if letter == "G":
                if not self._mode(value):
                    return UNSUPPORTED
                pause |= value == 4.0
                renamed |= value == 92.0
            elif letter == "M":
                if value not in (2.0, 30.0):
                    return UNSUPPORTED
                self.ended = True
            elif letter in "XYZFP":
                values[letter] = value
                moves |= letter in "XYZ"
            elif letter != "N":
                return UNSUPPORTED
        if pause:
            return self._pause(values)
        if renamed:
            return self._rename(values)
        return self._move(values) if moves else 0

    def _rename(self, values: dict[str, float]) -> int:
        """G92: here is that place."""
        self.zero = self.zero.copy()
        for i, letter in enumerate("XYZ"):
            if letter in values:
                self.zero[i] = self.place[i] - (25.4 if self.inches else 1.0) * values[letter]
        return 0

    def _mode(self, value: float) -> bool:
        if value in (0.0, 1.0):
            self.motion = int(value)
        elif value in (93.0, 94.0):
            self.inverse = value == 93.0
        elif value in (90.0, 91.0):
            self.absolute = value == 90.0
        elif value in (20.0, 21.0):
            self.inches = value == 20.0
        else:
            return value in (4.0, 92.0)
        return True

    def _pause(self, values: dict[str, float]) -> int:
        if "P" not in values or values["P"] < 0.0:
            return UNUSED
        self.blocks.append(Block(self.lines, self.place, self.place, 1.0, 1.0, pause=values["P"]))
        return 0

    def _move(self, values: dict[str, float]) -> int:
        scale = 25.4 if self.inches else 1.0
        end = self.place.copy()
        for i, letter in enumerate("XYZ"):
            if letter in values:
                end[i] = scale * values[letter] + float(self.zero[i] if self.absolute else self.place[i])
        if self.motion == 1 and (values.get("F", 0.0) <= 0.0 if self.inverse else values.get("F", self.feed) <= 0.0):
            return FEED
        if not self.inverse:
            self.feed = values.get("F", self.feed)
        steps = np.array([self.settings[100 + i] for i in range(3)])
        # The machine stands on whole steps; what is left of a line goes to the next one.
        target = np.round(end * steps) / steps
        way = target - self.place
        length = float(np.linalg.norm(way))
        if length > 0.0:
            self._queue(target, way, length, values)
        return 0

    def _queue(self, target: Array, way: Array, length: float, values: dict[str, float]) -> None:
        moving = np.abs(way) > 0.0
        share = np.abs(way[moving]) / length
        top = np.array([self.settings[110 + i] / 60.0 for i in range(3)])[moving]
        ramps = np.array([self.settings[120 + i] for i in range(3)])[moving]
        fastest = float((top / share).min())
        if self.motion == 0:
            asked = fastest
        elif self.inverse:
            asked = length * values["F"] / 60.0
        else:
            asked = self.feed * (25.4 if self.inches else 1.0) / 60.0
        nominal = max(SLOWEST, min(asked, fastest))
        self.blocks.append(Block(self.lines, self.place, target, nominal, float((ramps / share).min())))
        self.place = target

    def plan(self) -> float:
        """Join the blocks within accelerations; the time of all [s].

        Corners are passed as in GRBL: at the speed of the circle that stays within the junction deviation. All blocks
        are looked at together, where the machine looks at the next sixteen.
        """
        corners = [0.0] * (len(self.blocks) + 1)
        for i in range(1, len(self.blocks)):
            corners[i] = self._corner(self.blocks[i - 1], self.blocks[i])
        for i in range(len(self.blocks) - 1, -1, -1):
            block = self.blocks[i]
            if block.stands:
                corners[i] = corners[i + 1] = 0.0
            corners[i] = min(corners[i], math.sqrt(corners[i + 1] ** 2 + 2.0 * block.acceleration * block.length))
        clock = 0.0
        for i, block in enumerate(self.blocks):
            block.begin, block.entry = clock, corners[i]
            reach = math.sqrt(corners[i] ** 2 + 2.0 * block.acceleration * block.length)
            corners[i + 1] = min(corners[i + 1], reach)
            block.exit = corners[i + 1]
            clock += block.time()
        return clock

    def _corner(self, before: Block, after: Block) -> float:
        if before.stands or after.stands:
            return 0.0
        top = min(before.nominal, after.nominal)
        cosine = -float(np.dot(before.end - before.start, after.end - after.start)) / (before.length * after.length)
        if cosine < -0.999999:
            return top
        if cosine > 0.999999:
            return 0.0
        half = math.sqrt(0.5 * (1.0 - cosine))  # of the angle between them
        acceleration = min(before.acceleration, after.acceleration)
        return min(top, math.sqrt(acceleration * self.settings[11] * half / (1.0 - half)))

    def positions(self, times: Sequence[float]) -> Array:
        """Where it is at growing times [s], in whole steps, shape (n, 3) [mm]."""
        made = np.empty((len(times), 3))
        at, steps = 0, np.array([self.settings[100 + i] for i in range(3)])
        for k, t in enumerate(times):
            while at < len(self.blocks) and t >= self.blocks[at].begin + self.blocks[at].time():
                at += 1
            if at >= len(self.blocks):
                made[k] = self.place
                continue
            block = self.blocks[at]
            share = 0.0 if block.stands else block.way(t - block.begin) / block.length
            made[k] = np.round((block.start + (block.end - block.start) * share) * steps) / steps
        return made


def emulate_grbl(plan: Plan, program: Program, load: Load | None = None, *, machine: Grbl | None = None) -> Emulation:
    """Send the settings and the lines of a program to an emulated machine, and watch it.

    Raises:
        SistelError: It has a load.
    """
    check_length(plan)
    if load is not None:
        refuse(
            "no-position-loop",
            Text(
                "GRBL counts the steps that it sends and never learns where the shafts are: a load is not emulated",
                "GRBL считает посланные шаги и не знает, где валы: нагрузка не эмулируется",
            ),
            hint=Text("without --load shafts follow at once", "без --load валы следуют сразу"),
        )
    machine = emulated_machine(plan) if machine is None else machine
    problems: list[Text] = []
    _tell(machine, program.setup, problems)
    # What the settings have asked for is over before the program begins.
    machine.blocks.clear()
    if machine.alarm:
        problems.append(
            Text(
                "a switch was not found: the machine is locked, the program does not begin",
                "датчик не найден: станок заблокирован, программа не начинается",
            )
        )
        nothing = [[0.0] * len(plan.axes)] * (plan.end + 1)
        return emulation(plan, nothing, [()] * len(plan.axes), problems)
    _tell(machine, program.lines, problems)
    takes = machine.plan()
    end = max(plan.end, math.ceil(1e3 * takes - 1e-6)) + AFTER
    places = machine.positions([1e-3 * k for k in range(end + 1)])
    columns = ["XYZ".index(axis.drive.axis) for axis in plan.axes]
    scale = np.array(
        [machine.settings[100 + column] * axis.drive.sign for column, axis in zip(columns, plan.axes, strict=True)]
    )
    counts = np.round((places - machine.zero)[:, columns] * scale)
    return emulation(plan, counts.tolist(), _arrivals(counts, plan, machine), problems)


def emulated_machine(plan: Plan) -> Grbl:
    """The machine of a plan after power-on; its switches are a little to both sides of its start."""
    machine = Grbl()
    for axis in plan.axes:
        if axis.drive.homing == "switch":
            number, per = "XYZ".index(axis.drive.axis), abs(axis.scale) / factor(axis)
            for side in (-1, 1):
                machine.switches[number, side] = side * SWITCH * axis.resolution / per
    return machine


def _tell(machine: Grbl, lines: Sequence[str], problems: list[Text]) -> None:
    """Give a machine lines; after an alarm it gets no more."""
    for line in lines:
        said = machine.send(line)
        if said != "ok":
            problems.append(Text(f"{line}: the machine says {said}", f"{line}: станок отвечает {said}"))
        if machine.alarm:
            break


def _arrivals(counts: Array, plan: Plan, machine: Grbl) -> list[list[tuple[int, int]]]:
    """When every drive first rests at its targets, in their order [ms, increments]."""
    made = []
    # The last step is half a step before the end of the way.
    rests = np.array([math.ceil(1e3 * block.begin - 1e-6) for block in machine.blocks if block.stands])
    for i, axis in enumerate(plan.axes):
        found: list[tuple[int, int]] = []
        at = 0
        for move in axis.moves:
            if not move.way:
                continue
            # A step before its target is the target where it comes no nearer: decimals of G-code are rounded too.
            left = -math.copysign(1.0, move.way) * (counts[at:, i] - move.target)
            near = np.nonzero(left <= 1.0)[0]
            if not len(near):
                break
            gone = np.nonzero(left[near[0] :] > 1.0)[0]
            there = left[near[0] : near[0] + gone[0] if len(gone) else None]
            reached = np.nonzero(there <= 0.0)[0]
            at += int(near[0]) + (int(reached[0]) if len(reached) else 0)
            rest = rests[rests >= at]
            found.append((int(rest[0]) if len(rest) else at, move.target))
        made.append(found)
    return made
