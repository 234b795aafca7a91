"""GRBL 1.1: G-code in which every line has its time (G93); degrees go as millimetres.

Every row becomes short pieces of the cubic polynomial that the model makes of it. GRBL joins lines within its
accelerations: at the start of a faster line it speeds up, before a slower one it slows down. The speed of every piece
is told so that it takes its time together with that ramp, and a pause of nothing brings the machine to rest at every
row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.drives._program import HOME, LONGEST_HOMING, MOVE, PREPARE, Item, Program, Serial, left_to_user, text_items
from sistel.errors import Diagnostics, Text, refuse

if TYPE_CHECKING:
    from sistel.drives._plan import Axis, Move, Plan

PIECE = 0.02
"""About the time of a line [s]."""
DIGITS = 8
"""Of a number, before and after its point: GRBL reads no more [K]."""
MOST_LINES = 200_000
SHORTEST = 1e-3
"""Time that a row is asked to take where none is left [s]."""
LATE = 2.0
"""What is told: more than ticks of the table and of the clock make [ms]."""
PULL_OFF = 1.0
"""How far the machine goes back from its switches: $27, 1 mm after power-on [mm] [K]."""
SLOWLY, SLOWEST_SEEK = 0.1, 1.0
"""Of the speed to the switches, the second time; the least one [mm/min]."""
QUICKEST = 30_000.0
"""Steps that GRBL gives on the controllers it was written for [1/s] [K]."""
LONGEST_LINE = 80
"""GRBL reads no longer lines [characters]."""


def factor(axis: Axis) -> float:
    """Millimetres of G-code for a unit of the coordinate: lengths in mm, angles in degrees."""
    return 1e3 if axis.drive.slides else 180.0 / math.pi


def write_grbl(plan: Plan) -> Program:
    """The G-code of a plan, which says when rows are really reached: machines make whole steps."""
    _check_steps(plan)
    setup = _settings(plan)
    zeros = list(_zeros(plan))
    whole = [*setup, *zeros]
    timer = _Timer(plan, whole)
    lines = ["G21", "G90", "G93", *_moves(plan, timer), "G94", "M2"]
    if len(lines) > MOST_LINES:
        refuse("too-long", Text(f"more than {MOST_LINES} lines of G-code", f"больше {MOST_LINES} строк G-кода"))
    plan = timer.timed(plan)
    return Program(
        plan=plan,
        files={
            ".setup.txt": "".join(line + "\n" for line in whole),
            ".nc": "".join(line + "\n" for line in lines),
            ".gcode": "".join(line + "\n" for line in lines),
        },
        setup=tuple(whole),
        lines=tuple(lines),
        serial=Serial(
            baud=115200,
            frame="line",
            good="ok",
            stages=(
                (PREPARE, text_items(setup, "\n")),
                *(((HOME, _homing_items(zeros)),) if zeros else ()),
                (MOVE, text_items(lines, "\n")),
            ),
            stop=(Item(data=b"\x18", answer=False, shown="Ctrl-X"),),
        ),
        warnings=(
            Text(
                "times hold with the accelerations of .setup.txt: GRBL with others needs another time",
                "времена верны при ускорениях из .setup.txt: с другими GRBL пойдёт иначе",
            ),
            *_late(plan),
            *_quick(plan),
            *_left(plan),
            *left_to_user(plan, "current", "limits"),
        ),
    )


def _settings(plan: Plan) -> list[str]:
    """Steps, greatest speeds and accelerations of the axes, and which of them go backwards."""
    setup: list[str] = []
    for axis in plan.axes:
        drive, number = axis.drive, "XYZ".index(axis.drive.axis)
        per = abs(axis.scale) / factor(axis)
        turn = axis.resolution / (2.0 * math.pi) / per
        setup += [
            f"$10{number}={per:.6f}",
            f"$11{number}={60.0 * drive.speed * turn:.3f}",
            f"$12{number}={drive.acceleration * turn:.3f}",
        ]
    mask = sum(1 << "XYZ".index(axis.drive.axis) for axis in plan.axes if axis.drive.sign < 0)
    return [*setup, f"$3={mask}"]


def _late(plan: Plan) -> Iterator[Text]:
    """Rows that whole steps and their ramps make late."""
    late, row = max((move.shift, move.row) for axis in plan.axes for move in axis.moves)
    if late > LATE:
        yield Text(
            f"whole steps and their ramps make row {row} late by {late:.3g} ms: finer steps, more acceleration or more "
            "time are needed",
            f"из-за целых шагов и их разгонов строка {row} опаздывает на {late:.3g} мс: нужны шаги мельче, ускорение "
            "больше или больше времени",
        )


class _Timer:
    """How long rows take in a machine that makes whole steps and joins lines within its accelerations."""

    def __init__(self, plan: Plan, setup: Sequence[str]) -> None:
        """A machine that is ready to move."""
        from sistel.drives._grbl_machine import emulated_machine

        self.machine = emulated_machine(plan)
        for line in (*setup, "G21", "G90", "G93"):
            self.machine.send(line)
        self.machine.blocks.clear()
        self.clock = 0.0
        """When the last row is over [s]."""
        self.rows: dict[int, tuple[float, float, float]] = {}
        """When they begin and arrive, and their pause after that [s]."""

    def take(self, row: int, lines: Sequence[str], until: float) -> float:
        """Go to a row; the pause that is left after it [s]."""
        for line in lines:
            self.machine.send(line)
        begin, arrival = self.clock, self.clock + self.machine.plan()
        self.machine.blocks.clear()
        # In whole milliseconds, downwards: a pause is not to make a row late.
        pause = max(0.0, 1e-3 * math.floor(1e3 * (until - arrival) + 1e-6))
        self.clock = arrival + pause
        self.rows[row] = begin, arrival, pause
        return pause

    def timed(self, plan: Plan) -> Plan:
        """The plan with these times."""
        return replace(plan, axes=tuple(replace(axis, moves=tuple(map(self._move, axis.moves))) for axis in plan.axes))

    def _move(self, move: Move) -> Move:
        if move.row - 1 not in self.rows:
            return move
        begin, arrival, pause = self.rows[move.row - 1]
        return replace(
            move,
            start=math.ceil(1e3 * begin - 1e-6),
            time=arrival - begin,
            arrival=math.ceil(1e3 * arrival - 1e-6),
            pause=round(1e3 * pause),
        )


def _check_steps(plan: Plan) -> None:
    """Refuse steps that the decimals of places cannot tell apart."""
    diagnostics = Diagnostics()
    for axis in plan.axes:
        step = factor(axis) / abs(axis.scale)
        if step < 10.0 ** -_decimals(plan):
            joint = axis.drive.joint
            message = Text(
                f'steps of "{joint}" are {step:.2g} mm, finer than numbers of {DIGITS} digits tell',
                f"шаги «{joint}» — {step:.2g} мм, мельче, чем передают числа из {DIGITS} цифр",
            )
            hint = Text("a smaller resolution or gear", "разрешение или передачу меньше")
            diagnostics.error("too-fine", axis.drive.place("resolution"), message, hint=hint)
    diagnostics.raise_if_failed()


def _decimals(plan: Plan) -> int:
    """Of places, so many as their digits leave."""
    farthest = max(factor(axis) * abs(move.made - axis.drive.home) for axis in plan.axes for move in axis.moves)
    return max(0, DIGITS - len(str(int(farthest))))


def _quick(plan: Plan) -> Iterator[Text]:
    """Steps that come quicker than a small controller gives them."""
    for axis in plan.axes:
        # The peak of the cubic polynomial.
        paces = [1.5e3 * abs(move.way) / (move.deadline - move.start) for move in axis.moves if move.way]
        most = max(paces, default=0.0)
        if most > QUICKEST:
            yield Text(
                f'"{axis.drive.joint}" takes {1e-3 * most:.3g} thousand steps a second; GRBL on an Arduino gives 30',
                f"«{axis.drive.joint}»: {1e-3 * most:.3g} тысяч шагов в секунду; GRBL на Arduino даёт 30",
            )


def _zeros(plan: Plan) -> Iterator[str]:
    """How the machine finds its zero: at the switches of all axes ($H), or where it stands."""
    seeking = [axis for axis in plan.axes if axis.drive.homing == "switch"]
    here = {axis.drive.axis: 0.0 for axis in plan.axes if axis.drive.homing == "here"}
    if seeking:
        backwards = {axis.drive.axis: axis.drive.homing_speed * axis.drive.sign < 0.0 for axis in seeking}
        seek = min(60.0 * abs(axis.drive.homing_speed / axis.drive.turns) * factor(axis) for axis in seeking) / math.tau
        yield f"$23={sum(1 << 'XYZ'.index(letter) for letter, back in backwards.items() if back)}"
        yield f"$24={max(SLOWEST_SEEK, SLOWLY * seek):.3f}"
        yield f"$25={max(SLOWEST_SEEK, seek):.3f}"
        yield f"$27={PULL_OFF:.3f}"
        for axis in seeking:
            way = (axis.drive.maximum - axis.drive.minimum) * factor(axis)
            if math.isfinite(way):
                yield f"$13{'XYZ'.index(axis.drive.axis)}={way:.3f}"
        yield "$22=1"
        yield "$H"
        # The machine stands a little off its switches, whose places are the zeros.
        here = {letter: PULL_OFF if back else -PULL_OFF for letter, back in backwards.items()}
    if here:
        yield "G21"
        yield "G90"
        yield "G92 " + " ".join(f"{letter}{place:.3f}" for letter, place in here.items())
    if seeking:
        yield "G0 " + " ".join(f"{letter}0" for letter in here)


def _homing_items(zeros: list[str]) -> tuple[Item, ...]:
    """Lines that are sent; the machine answers to $H when all switches are found."""
    return tuple(
        replace(item, patience=LONGEST_HOMING) if item.shown == "$H" else item for item in text_items(zeros, "\n")
    )


def _left(plan: Plan) -> tuple[Text, ...]:
    """What the file does not say about the zero of the machine."""
    if all(axis.drive.homing != "none" for axis in plan.axes):
        return ()
    return (
        Text(
            "the zero of the machine is where the joints are at the home positions of the drives",
            "ноль станка — там, где сочленения в нулевых положениях приводов",
        ),
    )


def _moves(plan: Plan, timer: _Timer) -> Iterator[str]:
    now = {axis.drive.axis: 0.0 for axis in plan.axes}
    decimals = _decimals(plan)
    accelerations = {axis.drive.axis: _acceleration(axis) for axis in plan.axes}
    for row in range(len(plan.table.times)):
        together = [axis.moves[row] for axis in plan.axes]
        ends = {
            axis.drive.axis: factor(axis) * (move.made - axis.drive.home)
            for axis, move in zip(plan.axes, together, strict=True)
        }
        until = 1e-3 * (plan.lead + round(1e3 * float(plan.table.times[row] - plan.table.times[0])))
        changed = {letter: end for letter, end in ends.items() if end != now[letter]}
        # What a row takes longer is taken from the next one, and what is left of it is a pause.
        time = until - timer.clock
        if not changed and time < 1e-3 * (1.0 - 1e-6):
            continue
        lines = list(_pieces(now, changed, max(time, SHORTEST), accelerations, decimals)) if changed else []
        pause = timer.take(row, lines, until)
        yield from lines
        yield f"G4 P{pause:.3f}" if pause else "G4 P0"
        now.update(ends)


def _acceleration(axis: Axis) -> float:
    """Of the axis, as GRBL is told [mm/s²]."""
    return axis.drive.acceleration * axis.resolution / (2.0 * math.pi) / abs(axis.scale) * factor(axis)


def _pieces(
    now: Mapping[str, float],
    ends: Mapping[str, float],
    time: float,
    accelerations: Mapping[str, float],
    decimals: int,
) -> Iterator[str]:
    """Lines from rest to rest."""
    way = math.sqrt(sum((end - now[letter]) ** 2 for letter, end in ends.items()))
    ramp = min(accelerations[letter] * way / abs(end - now[letter]) for letter, end in ends.items())
    count = max(2, 2 * round(time / PIECE / 2.0))
    speeds = _speeds(way, time, ramp, count)
    while not speeds and count > 2:
        count = max(2, 2 * (count // 4))  # longer pieces are joined by gentler ramps
        speeds = _speeds(way, time, ramp, count)
    if not speeds:
        # As strong as the limits allow: the plan has found that a trapezoid does it, but for rounding.
        speeds = [2.0 * way / time] * 2
        count = 2
    shares = [u * u * (3.0 - 2.0 * u) for u in (piece / count for piece in range(count + 1))]
    for piece in range(1, count + 1):
        length = way * (shares[piece] - shares[piece - 1])
        words = " ".join(
            f"{letter}{now[letter] + (end - now[letter]) * shares[piece]:.{decimals}f}" for letter, end in ends.items()
        )
        yield f"G1 {words} F{60.0 * speeds[piece - 1] / length:.6g}"


def _speeds(way: float, time: float, ramp: float, count: int) -> list[float]:
    """Of the pieces of a cubic polynomial [mm/s], with the ramp at the slower end; nothing where ramps are too weak.

    A piece of the length L that is entered with the speed e, speeds up to x and goes on with it takes the time h where
    x²/2 − (e + a·h)·x + a·L + e²/2 = 0. The second half of the way is the first one backwards.
    """
    made: list[float] = []
    entry, h = 0.0, time / count
    for piece in range(1, count // 2 + 1):
        u, before = piece / count, (piece - 1) / count
        length = way * (u * u * (3.0 - 2.0 * u) - before * before * (3.0 - 2.0 * before))
        half = entry + ramp * h
        inside = half * half - 2.0 * ramp * length - entry * entry
        if inside < 0.0:
            return []
        entry = half - math.sqrt(inside)
        made.append(entry)
    return [*made, *reversed(made)]
