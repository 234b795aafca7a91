"""A table of motion and drives → whole numbers that drives understand, and what was lost by rounding.

A row is reached by a trapezoid: with a third of the time for each ramp its peak speed is that of the cubic polynomial
of the model, and it differs from it by 1/64 of the way at most. Speed and acceleration are rounded so that a drive
arrives in time or earlier; a pause fills what is left, as far as the family can count it, and the rest goes to the next
row. So nothing adds up along the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.drives._families import Family
from sistel.drives._profile import move_time
from sistel.drives._words import HOMINGS
from sistel.errors import Diagnostics, Span, Text, did_you_mean, one_of
from sistel.records import record
from sistel.units import ANGLE, LENGTH, unit_of

if TYPE_CHECKING:
    from sistel.drives._drive import Drive, DriveSet
    from sistel.motion.trajectories import MotionTable

MOST_ROWS = 20_000
GENTLE = 0.25
"""Of the greatest speed and acceleration, on the way to the first row."""
TRIES = 16
"""Accelerations that are looked at for a row."""
PAUSED = 0.2
"""What a millisecond of pause costs against one that no pause can fill."""
TIE, TIED = 2e-3, 3.0
"""So near to a tick [ms] rounding would say which one an arrival belongs to; what that costs."""
TICK = 1e-3
"""[s]"""


@record
class Move:
    """What one drive does for one row."""

    row: int
    """Of the table, from 1; the way to the first row belongs to it."""
    asked: float
    """Position of the joint [m or rad]."""
    made: float
    """The nearest that the counter can hold [m or rad]."""
    target: int
    """[increments]"""
    way: int
    """[increments]"""
    start: int
    """On the clock of the program [ms]."""
    speed: int
    """[units of the family]; 0 where it stands."""
    acceleration: int
    """[units of the family]; 0 where it stands."""
    exact_speed: float
    """What would be asked for without rounding [units of the family]."""
    exact_acceleration: float
    """[units of the family]"""
    time: float
    """Of the move, in closed form [s]."""
    arrival: int
    """On the clock of the program [ms]."""
    deadline: float
    """When the table wants it there, on the clock of the program [ms]."""
    pause: int
    """After the arrival [ms]."""
    span: Span | None

    @property
    def shift(self) -> float:
        """How much later than in the table it arrives [ms]; 0 where it stands."""
        return self.arrival - self.deadline if self.way else 0.0

    @property
    def error(self) -> float:
        """By rounding of the position [m or rad]."""
        return self.made - self.asked


@record
class Axis:
    """One drive and its moves."""

    drive: Drive
    column: int
    """Of the table."""
    resolution: int
    """[increments per turn of the motor]"""
    scale: float
    """Increments for a unit of the coordinate [1/m or 1/rad], with its sign."""
    speed_unit: float
    """Increments per second in one unit of speed."""
    acceleration_unit: float
    """Increments per second² in one unit of acceleration."""
    moves: tuple[Move, ...]

    def increments(self, position: float) -> int:
        """The nearest count of a position [m or rad]."""
        return round((position - self.drive.home) * self.scale)

    def changes(self) -> Iterator[tuple[Move, bool, bool]]:
        """Moves, and whether speed and acceleration are to be told anew: those that stay are not."""
        speed = acceleration = 0
        for move in self.moves:
            if move.way:
                yield move, move.speed != speed, move.acceleration != acceleration
                speed, acceleration = move.speed, move.acceleration
            else:
                yield move, False, False

    def position(self, increments: float) -> float:
        """The position of the joint [m or rad] at a count."""
        return self.drive.home + increments / self.scale


@record
class Plan:
    """What drives of a family are told to follow a table."""

    family: Family
    table: MotionTable
    axes: tuple[Axis, ...]
    lead: int
    """Time of the way to the first row [ms]."""
    notes: tuple[Text, ...]
    """What a user must know, once each."""

    @property
    def end(self) -> int:
        """When the last drive has arrived [ms]."""
        return max(axis.moves[-1].arrival for axis in self.axes)


Places = Sequence[Sequence[Span]]
"""Of the cells of a table: of the first row, then of every time."""


def plan_drives(table: MotionTable, drives: DriveSet, family: Family, places: Places | None = None) -> Plan:
    """What drives are told to follow a table.

    Args:
        table: The motion.
        drives: Of its columns.
        family: Of the drives.
        places: Of the cells, for messages.

    Raises:
        SistelError: A drive is missing or too weak, a row is out of reach: all of that, with its places.
    """
    diagnostics = Diagnostics()
    _check_table(table, drives, family, places, diagnostics)
    diagnostics.raise_if_failed()
    used = [(column, drive) for column, name in enumerate(table.names) if (drive := drives.of(name)) is not None]
    times = _clock(table, places, diagnostics)
    diagnostics.raise_if_failed()
    axes = [_axis(drive, column, family) for column, drive in used]
    lead = _lead(axes, table, family)
    made = [_moves(axis, table, family, times, lead, places, diagnostics) for axis in axes]
    diagnostics.raise_if_failed()
    idle = [drive.joint for drive in drives.drives if drive.joint not in table.names]
    notes = []
    begin = float(table.times[0])
    if begin > 0.0 and not lead:
        message = Text(
            f"the table begins at {begin:g} s, and the program at once with its first row",
            f"таблица начинается в {begin:g} с, а программа — сразу с её первой строки",
        )
        notes.append(message)
    if idle:
        names = ", ".join(idle)
        notes.append(Text(f"not in the table, stand still: {names}", f"нет в таблице, стоят: {names}"))
    if lead:
        message = Text(
            f"the program first goes to the first row, for {lead} ms; the table begins then",
            f"сначала программа за {lead} мс приходит в первую строку, затем начинается таблица",
        )
        notes.append(message)
    return Plan(family=family, table=table, axes=tuple(made), lead=lead, notes=tuple(notes))


def plan_at_rest(drives: DriveSet, family: Family) -> Plan:
    """What drives are told to stay where their counters are 0.

    Raises:
        SistelError: A node is beyond those of the family, or there are more drives than it moves.
    """
    from sistel.motion.trajectories import motion_table

    home = [drive.home for drive in drives.drives]
    names = [drive.joint for drive in drives.drives]
    units = ["m" if drive.slides else "rad" for drive in drives.drives]
    return plan_drives(motion_table([0.0, 1.0], [home, home], names=names, units=units), drives, family)


def _place(places: Places | None, row: int, column: int) -> Span | None:
    """Of a cell; rows are counted from 1, the first line of the table is 0, the first column is the time."""
    return None if places is None else places[row][column]


def _check_table(
    table: MotionTable, drives: DriveSet, family: Family, places: Places | None, diagnostics: Diagnostics
) -> None:
    if len(table.times) > MOST_ROWS:
        message = Text(f"more than {MOST_ROWS} rows", f"больше {MOST_ROWS} строк")
        diagnostics.error("too-many-rows", _place(places, MOST_ROWS + 1, 0), message)
    if len(table.times) < 2:
        message = Text("a motion needs two rows", "движению нужны хотя бы две строки")
        diagnostics.error("wrong-shape", _place(places, 1, 0), message)
    if table.times[0] < 0.0:
        message = Text("a drive cannot begin before the time 0", "привод не может начать раньше времени 0")
        diagnostics.error("wrong-time", _place(places, 1, 0), message)
    used = 0
    asked = []
    for column, (name, word) in enumerate(zip(table.names, table.units, strict=True)):
        drive, span = drives.of(name), _place(places, 0, column + 1)
        if drive is None:
            known = [each.joint for each in drives.drives]
            message = Text(f'no drive moves "{name}"', f"сочленение «{name}» никто не приводит")
            diagnostics.error("no-drive", span, message, expected=one_of(known), hint=did_you_mean(name, known))
            continue
        used += 1
        asked.append(drive)
        unit = unit_of(word) if word else None
        if unit is None or unit.dimension != (LENGTH if drive.slides else ANGLE):
            message = Text(f'wrong unit "{word}" of "{name}"', f"неверная единица «{word}» у «{name}»")
            expected = Text("mm, m", "мм, м") if drive.slides else Text("deg, rad", "град, рад")
            diagnostics.error("wrong-unit", span, message, expected=expected)
        if drive.node > family.most_node:
            title, most = family.title.en, family.most_node
            message = Text(f"{title} has nodes up to {most}", f"у {title} узлы до {most}")
            diagnostics.error("wrong-node", drive.place("node"), message)
    _check_homing(asked, family, diagnostics)
    if used > family.axes:
        title, most = family.title.en, family.axes
        message = Text(
            f"{title} moves {most} axes at most, not {used}", f"{title} ведёт не больше {most} осей, а не {used}"
        )
        diagnostics.error("too-many-axes", _place(places, 0, family.axes + 1), message)


def _check_homing(drives: Sequence[Drive], family: Family, diagnostics: Diagnostics) -> None:
    """Whether zeros can be found as the file asks; families that leave it to the user say so with the program."""
    if not family.homings:
        return
    title = family.title
    for drive in drives:
        if drive.homing != "none" and drive.homing not in family.homings:
            known = [word for key in family.homings for word in HOMINGS[key]]
            shown = HOMINGS[drive.homing]
            diagnostics.error(
                "wrong-homing",
                drive.place("homing"),
                Text(
                    f'{title.en} does not find zeros by "{shown[0]}"', f"{title.ru} не находит нули так: «{shown[-1]}»"
                ),
                expected=one_of(known),
            )
    seeking = [drive for drive in drives if drive.homing == "switch"]
    left = [drive for drive in drives if drive.homing != "switch"]
    if family.together and seeking and left:
        diagnostics.error(
            "wrong-homing",
            left[0].place("homing"),
            Text(
                f"{title.en} looks for all switches at once, and this drive has none",
                f"{title.ru} ищет все датчики сразу, а у этого привода его нет",
            ),
            expected=Text('homing="switch" for all of them, or for none', 'привязка="датчик" у всех или ни у одного'),
            related=[(seeking[0].place("homing"), Text("this one has a switch", "у этого датчик есть"))],
        )


def _clock(table: MotionTable, places: Places | None, diagnostics: Diagnostics) -> list[tuple[float, int]]:
    """Times of the rows after the first one, exact and to the tick [ms]."""
    first = float(table.times[0])
    made = [(1e3 * (float(t) - first), round(1e3 * (float(t) - first))) for t in table.times]
    for row in range(1, len(made)):
        if made[row][1] <= made[row - 1][1]:
            message = Text("two rows within one millisecond", "две строки в пределах одной миллисекунды")
            diagnostics.error("too-quick", _place(places, row + 1, 0), message)
    return made


def _axis(drive: Drive, column: int, family: Family) -> Axis:
    resolution = drive.resolution or family.resolution
    speed, acceleration = family.units(resolution)
    return Axis(
        drive=drive,
        column=column,
        resolution=resolution,
        scale=drive.turns * resolution,
        speed_unit=speed * resolution,
        acceleration_unit=acceleration * resolution,
        moves=(),
    )


def _limits(axis: Axis, family: Family) -> tuple[int, int]:
    """The greatest speed and acceleration that a drive may be told [units of the family]."""
    drive, per_turn = axis.drive, axis.resolution / (2.0 * math.pi)
    # A limit that was written in the very unit of the family is not to lose its last unit to rounding.
    speed = math.floor(drive.speed * per_turn / axis.speed_unit * (1.0 + 1e-12))
    acceleration = math.floor(drive.acceleration * per_turn / axis.acceleration_unit * (1.0 + 1e-12))
    return min(speed, family.most_speed), min(acceleration, family.most_acceleration)


def _lead(axes: Sequence[Axis], table: MotionTable, family: Family) -> int:
    """Time in which all drives come to the first row without haste [ms]."""
    worst = 0.0
    for axis in axes:
        way = abs(axis.increments(float(table.values[0, axis.column])))
        speed, acceleration = (max(1, math.floor(GENTLE * limit)) for limit in _limits(axis, family))
        if way:
            worst = max(worst, move_time(way, speed * axis.speed_unit, acceleration * axis.acceleration_unit))
    return 10 * math.ceil(100.0 * worst)


def _moves(
    axis: Axis,
    table: MotionTable,
    family: Family,
    times: Sequence[tuple[float, int]],
    lead: int,
    places: Places | None,
    diagnostics: Diagnostics,
) -> Axis:
    now: int | None = 0
    clock = 0
    most = _limits(axis, family)
    moves: list[Move] = []
    for row, (exact, tick) in enumerate(times):
        asked = float(table.values[row, axis.column])
        span = _place(places, row + 1, axis.column + 1)
        if _out_of_range(axis, family, asked, span, diagnostics):
            now, clock = None, lead + tick  # nobody knows how far the next row is then
            continue
        target = axis.increments(asked)
        if now is None:
            now, clock = target, lead + tick
            continue
        way, time = target - now, TICK * (lead + tick - clock)
        chosen = (0, 0) if way == 0 else (timed if family.timed else choose)(abs(way), time, axis, family, most)
        if chosen is None:
            _too_weak(axis, family, most, row, way, time, span, diagnostics)
            now, clock = target, lead + tick
            continue
        speed, acceleration = chosen
        takes = 0.0
        if way:
            takes = (
                TICK * speed
                if family.timed
                else move_time(way, speed * axis.speed_unit, acceleration * axis.acceleration_unit)
            )
        arrival = clock + ticks(takes)
        left = lead + tick - arrival
        last = row == len(times) - 1
        pause = 0 if last else left - left % family.pause
        exact_speed, exact_acceleration = _exact(abs(way), time, axis, family)
        moves.append(
            Move(
                row=row + 1,
                asked=asked,
                made=axis.position(target),
                target=target,
                way=way,
                start=clock,
                speed=speed,
                acceleration=acceleration,
                exact_speed=exact_speed,
                exact_acceleration=exact_acceleration,
                time=takes,
                arrival=arrival,
                deadline=lead + exact,
                pause=pause,
                span=span,
            )
        )
        now, clock = target, arrival + pause
    return replace(axis, moves=tuple(moves))


def ticks(time: float) -> int:
    """The first tick at which something that takes a time is over [ms]."""
    return math.ceil(time / TICK - 1e-6)


def choose(way: float, time: float, axis: Axis, family: Family, most: tuple[int, int]) -> tuple[int, int] | None:
    """Speed and acceleration in whole units, with which a way is gone in a time or less; None where nothing does it.

    Near the accelerations of the ideal trapezoid that one is taken which leaves least to the pauses that the family can
    count.
    """
    if time <= 0.0 or most[0] < 1 or most[1] < 1:
        return None
    least = 4.0 * way / time**2  # a triangle without limit of speed
    top = most[0] * axis.speed_unit
    if way / top >= time:
        return None
    least = max(least, top / (time - way / top)) if top * time < 2.0 * way else least
    ideal = max(4.5 * way / time**2, least)
    first = max(1, math.ceil(ideal / axis.acceleration_unit * (1.0 - 1e-12)))
    if first > most[1]:
        first = max(1, math.ceil(least / axis.acceleration_unit * (1.0 - 1e-12)))
        if first > most[1]:
            return None
    best = math.inf
    found: tuple[int, int] | None = None
    quantum = family.pause
    for acceleration in range(first, min(first + TRIES, most[1] + 1)):
        a = acceleration * axis.acceleration_unit
        root = math.sqrt(max(a * a * time * time - 4.0 * a * way, 0.0))
        # The smaller root of v²/a − T·v + way = 0, in the form that loses no digits.
        needed = 2.0 * a * way / (a * time + root)
        speed = max(1, math.ceil(needed / axis.speed_unit * (1.0 - 1e-12)))
        if speed > most[0]:
            continue
        takes = move_time(way, speed * axis.speed_unit, a)
        left = round(time / TICK) - ticks(takes)
        if left < 0:
            continue
        # What no pause can fill is carried to the next row; a long pause means a move quicker than it need be.
        cost = left % quantum + PAUSED * left
        if abs(takes / TICK - round(takes / TICK)) < TIE:
            cost += TIED
        if cost < best:
            best, found = cost, (speed, acceleration)
    return found


def _exact(way: float, time: float, axis: Axis, family: Family) -> tuple[float, float]:
    """What would be told without rounding: speed and acceleration of the trapezoid, or its times [ms]."""
    if way == 0.0 or time <= 0.0:
        return 0.0, 0.0
    if family.timed:
        return time / TICK, time / TICK / 3.0
    return 1.5 * way / time / axis.speed_unit, 4.5 * way / time**2 / axis.acceleration_unit


def timed(way: float, time: float, axis: Axis, family: Family, most: tuple[int, int]) -> tuple[int, int] | None:
    """Time of a move and of its ramps in whole milliseconds; None where the drive is too weak for it."""
    whole = min(round(time / TICK), family.most_pause)
    ramp = max(1, round(whole / 3.0))
    if whole < 2:
        return None
    if family.ramps and min(most) >= 1:
        # A drive that is too slow for ramps of a third has shorter ones, a weak one has longer ones.
        half, needed = 0.5 * whole, way / (most[1] * axis.acceleration_unit * TICK * TICK)
        longest = whole - math.ceil(way / (TICK * most[0] * axis.speed_unit))
        shortest = math.ceil(half - math.sqrt(max(0.0, half * half - needed)))
        ramp = max(1, min(max(ramp, shortest), longest, whole // 2))
    speed = way / (TICK * (whole - ramp))
    if speed > most[0] * axis.speed_unit or speed > most[1] * axis.acceleration_unit * TICK * ramp:
        return None
    return whole, ramp


def _out_of_range(axis: Axis, family: Family, asked: float, span: Span | None, diagnostics: Diagnostics) -> bool:
    drive = axis.drive
    slack = 0.5 / abs(axis.scale)
    shown, unit = (1e3, "mm") if drive.slides else (180.0 / math.pi, "°")
    russian = "мм" if drive.slides else "°"
    if not drive.minimum - slack <= asked <= drive.maximum + slack:
        low, high = shown * drive.minimum, shown * drive.maximum
        diagnostics.error(
            "out-of-range",
            span,
            Text(
                f'"{drive.joint}" cannot be at {shown * asked:.6g} {unit}',
                f"«{drive.joint}» не может быть в {shown * asked:.6g} {russian}",
            ),
            expected=Text(f"{low:.6g} … {high:.6g} {unit}", f"{low:.6g} … {high:.6g} {russian}"),
            related=[(drive.span, Text("its limits", "его пределы"))],
        )
        return True
    if abs((asked - drive.home) * axis.scale) > family.most_position:
        most = family.most_position
        diagnostics.error(
            "out-of-range",
            span,
            Text(f"the counter of the drive ends at {most}", f"счётчик привода кончается на {most}"),
        )
        return True
    return False


def _too_weak(
    axis: Axis,
    family: Family,
    most: tuple[int, int],
    row: int,
    way: int,
    time: float,
    span: Span | None,
    diagnostics: Diagnostics,
) -> None:
    drive = axis.drive
    if min(most) < 1:
        message = Text(
            f'"{drive.joint}": its greatest speed or acceleration is below one unit of the drive',
            f"«{drive.joint}»: наибольшая скорость или ускорение меньше единицы привода",
        )
        diagnostics.error("too-weak", drive.span, message)
        return
    speed, acceleration = most[0] * axis.speed_unit, most[1] * axis.acceleration_unit
    if family.timed and not family.ramps:  # polynomials have ramps of a third
        needs = max(1.5 * abs(way) / speed, math.sqrt(4.5 * abs(way) / acceleration))
    else:
        needs = move_time(way, speed, acceleration)
    diagnostics.error(
        "too-weak",
        span,
        Text(
            f'row {row + 1}: the drive of "{drive.joint}" needs {needs:.4g} s, and has {time:.4g} s',
            f"строка {row + 1}: приводу «{drive.joint}» нужно {needs:.4g} с, а есть {time:.4g} с",
        ),
        hint=Text(
            "a later time, a shorter way, or greater limits of speed and acceleration",
            "время позже, путь короче или пределы скорости и ускорения больше",
        ),
        related=[(drive.span, Text("its limits", "его пределы"))],
    )
