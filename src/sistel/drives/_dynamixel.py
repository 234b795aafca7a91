"""DYNAMIXEL 2.0: profiles told by their times, one packet for all servos that start together; and emulated servos."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from sistel.drives._emulation import AFTER, Emulation, check_length, emulation
from sistel.drives._load import AFTER_LOAD, TICK, Load
from sistel.drives._packet import ALL, PING, READ, STATUS, SYNC_WRITE, WRITE, Packet, decode
from sistel.drives._profile import SetPoint
from sistel.drives._program import MOVE, PREPARE, Item, Program, Serial, left_to_user
from sistel.drives._shaft import Shaft
from sistel.errors import Text
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.drives._plan import Move, Plan

# Addresses of the X series [K]: address and size.
OPERATING_MODE, DRIVE_MODE, TORQUE, OFFSET = (11, 1), (10, 1), (64, 1), (20, 4)
RAMP, TIME, GOAL, PRESENT, MOVING = (108, 4), (112, 4), (116, 4), (132, 4), (122, 1)
SIZES = dict((OPERATING_MODE, DRIVE_MODE, TORQUE, OFFSET, RAMP, TIME, GOAL, PRESENT, MOVING))
LOCKED = (OPERATING_MODE[0], DRIVE_MODE[0], OFFSET[0])
"""Cannot be written while the torque is on."""
READ_ONLY = (PRESENT[0], MOVING[0])
EXTENDED, BY_TIME = 4, 4
"""Operating mode with many turns; bit 2 of the drive mode."""
INSTRUCTION, RANGE, LENGTH, ACCESS = 2, 4, 5, 7
"""Errors of a status packet [K]."""
WINDOW = 20.0
"""How near a loaded shaft must come to its goal [increments]; [K] the register "moving threshold" is about this."""
MOST_OFFSET = 1_044_479
"""Of the homing offset, both ways [increments] [K]."""
MODEL = 1060
TURNS = 1_048_575
MOST = {GOAL[0]: TURNS, OFFSET[0]: MOST_OFFSET}
"""Registers with a sign: how far from 0 they may be."""


def _write(node: int, place: tuple[int, int], value: int) -> Packet:
    data = place[0].to_bytes(2, "little") + value.to_bytes(place[1], "little", signed=value < 0)
    return Packet(node, WRITE, data)


def packets_of(plan: Plan) -> Iterator[tuple[int, Packet, str]]:
    """Times, packets and what they mean: settings first, then a packet for every time at which somebody starts."""
    for axis in plan.axes:
        node = axis.drive.node
        zero = axis.drive.encoder_zero
        for place, value, meaning in (
            (TORQUE, 0, "torque off"),
            *(() if zero is None else ((OFFSET, -zero, "homing offset"),)),
            (OPERATING_MODE, EXTENDED, "extended position"),
            (DRIVE_MODE, BY_TIME, "profiles by time"),
            (TORQUE, 1, "torque on"),
        ):
            yield 0, _write(node, place, value), meaning
    starts: dict[int, list[tuple[int, Move]]] = defaultdict(list)
    for axis in plan.axes:
        for move in axis.moves:
            if move.way:
                starts[move.start].append((axis.drive.node, move))
    for time in sorted(starts):
        data = RAMP[0].to_bytes(2, "little") + (12).to_bytes(2, "little")
        for node, move in starts[time]:
            numbers = (move.acceleration, move.speed, move.target)
            data += bytes([node]) + b"".join(n.to_bytes(4, "little", signed=True) for n in numbers)
        rows = ", ".join(str(row) for row in sorted({move.row for _, move in starts[time]}))
        yield time, Packet(ALL, SYNC_WRITE, data), f"row {rows}"


def write_dynamixel(plan: Plan) -> Program:
    """The packets of a plan, each with its time."""
    told = [f"{time:>8} {packet.encode().hex(' ').upper()} ; {meaning}" for time, packet, meaning in packets_of(plan)]
    sent = [
        Item(
            data=packet.encode(),
            answer=packet.node != ALL,
            time=time if packet.node == ALL else None,
            shown=meaning,
        )
        for time, packet, meaning in packets_of(plan)
    ]
    return Program(
        plan=plan,
        files={".hex": "".join(line + "\n" for line in told)},
        lines=tuple(told),
        warnings=left_to_user(plan, "homing", "current", "limits"),
        serial=Serial(
            baud=57600,  # [K] the factory setting
            frame="packet",
            good="",
            stages=(
                (PREPARE, tuple(item for item in sent if item.time is None)),
                (MOVE, tuple(item for item in sent if item.time is not None)),
            ),
            stop=tuple(
                Item(data=_write(axis.drive.node, TORQUE, 0).encode(), answer=False, shown="torque off")
                for axis in plan.axes
            ),
        ),
    )


@mutable
class Servo(Shaft):
    """An emulated servo."""

    node: int = 0
    registers: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SIZES, 0))
    start: float = 0.0
    """Where the move began [increments]."""
    passed: int = 0
    """Time of the move [ms]."""
    moving: bool = False

    def receive(self, packet: Packet) -> bytes:
        """Do what a packet says; the answer."""
        if packet.node not in (self.node, ALL):
            return b""
        if packet.instruction == SYNC_WRITE:
            self._sync(packet.data)
            return b""
        answers = {PING: self._ping, READ: self._read, WRITE: self._written}
        doing = answers.get(packet.instruction)
        error, data = (INSTRUCTION, b"") if doing is None else doing(packet.data)
        return b"" if packet.node == ALL else Packet(self.node, STATUS, bytes([error]) + data).encode()

    def _ping(self, _: bytes) -> tuple[int, bytes]:
        return 0, MODEL.to_bytes(2, "little") + b"\x2d"

    def _read(self, data: bytes) -> tuple[int, bytes]:
        if len(data) != 4:
            return LENGTH, b""
        address, size = int.from_bytes(data[:2], "little"), int.from_bytes(data[2:], "little")
        if SIZES.get(address) != size:
            return ACCESS, b""
        value = {PRESENT[0]: round(self.actual), MOVING[0]: int(self.moving)}.get(address, self.registers[address])
        return 0, value.to_bytes(size, "little", signed=value < 0)

    def _written(self, data: bytes) -> tuple[int, bytes]:
        address, values = int.from_bytes(data[:2], "little"), data[2:]
        return self._put(address, values), b""

    def _put(self, address: int, values: bytes) -> int:
        """Write registers from an address on; the error, or 0."""
        while values:
            size = SIZES.get(address)
            if size is None or address in READ_ONLY or (address in LOCKED and self.registers[TORQUE[0]]):
                return ACCESS
            if len(values) < size:
                return LENGTH
            value = int.from_bytes(values[:size], "little", signed=address in MOST)
            if abs(value) > MOST.get(address, abs(value)):
                return RANGE
            if address == OFFSET[0]:
                self._move_zero(value - self.registers[address])
            self.registers[address] = value
            if address == GOAL[0] and self.registers[TORQUE[0]]:
                self.start, self.passed, self.moving = self.point.position, 0, True
            address, values = address + size, values[size:]
        return 0

    def _move_zero(self, by: int) -> None:
        """Another homing offset: the same shaft, other numbers."""
        self.actual += by
        self.point.position += by

    def _sync(self, data: bytes) -> None:
        address, size = int.from_bytes(data[:2], "little"), int.from_bytes(data[2:4], "little")
        for at in range(4, len(data), size + 1):
            if data[at] == self.node:
                self._put(address, data[at + 1 : at + 1 + size])

    def tick(self) -> None:
        """One millisecond."""
        self.time += 1
        if not (self.moving and self.registers[TORQUE[0]]):
            return
        self.passed += 1
        goal, whole = self.registers[GOAL[0]], self.registers[TIME[0]]
        before = self.point.position
        self.point.position = self.start + (goal - self.start) * _part(self.passed, self.registers[RAMP[0]], whole)
        self.point.velocity = (self.point.position - before) / TICK if self.passed < whole else 0.0
        self.follow()
        near = WINDOW if self.loose else 0.0
        if self.passed >= whole and abs(self.actual - goal) <= near:
            self.moving = False
            self.arrivals.append((self.time, goal))

    @property
    def powered(self) -> bool:
        """Whether the motor holds the shaft."""
        return bool(self.registers[TORQUE[0]])


def _part(passed: int, ramp: int, whole: int) -> float:
    """Which part of its way a trapezoid has gone, given its times."""
    if passed >= whole:
        return 1.0
    ramp = min(ramp, whole // 2)
    top = 1.0 / (whole - ramp)
    if passed < ramp:
        return 0.5 * top * passed * passed / ramp
    if passed <= whole - ramp:
        return top * (passed - 0.5 * ramp)
    left = whole - passed
    return 1.0 - 0.5 * top * left * left / ramp


def emulated_servos(plan: Plan) -> list[Servo]:
    """The servos of a plan at their home positions, after power-on: absolute encoders say where that is."""
    made = []
    for axis in plan.axes:
        zero = float(axis.drive.encoder_zero or 0)
        made.append(Servo(node=axis.drive.node, point=SetPoint(position=zero), actual=zero))
    return made


def emulate_dynamixel(
    plan: Plan, program: Program, load: Load | None = None, *, servos: list[Servo] | None = None
) -> Emulation:
    """Send the packets of a program to emulated servos, each at its time."""
    check_length(plan)
    line = emulated_servos(plan) if servos is None else servos
    problems: list[Text] = []
    sent: dict[int, list[Packet]] = defaultdict(list)
    for text in program.lines:
        time, _, rest = text.strip().partition(" ")
        for packet in decode(bytes.fromhex(rest.partition(";")[0])):
            if packet.node != ALL:  # a setting
                for servo in line:
                    _judge(servo, servo.receive(packet), problems)
            else:
                sent[int(time)].append(packet)
    if load is not None:
        load.attach(line)
    counts = [[servo.actual for servo in line]]
    for clock in range(plan.end + (AFTER if load is None else AFTER_LOAD)):
        for packet in sent.get(clock, ()):
            for servo in line:
                _judge(servo, servo.receive(packet), problems)
        if load is not None:
            load.move(line)
        for servo in line:
            servo.tick()
        counts.append([servo.actual for servo in line])
    problems += [
        Text(f"servo {servo.node} has not arrived", f"сервопривод {servo.node} не пришёл")
        for servo in line
        if servo.moving
    ]
    return emulation(plan, counts, [servo.arrivals for servo in line], problems)


def _judge(servo: Servo, answer: bytes, problems: list[Text]) -> None:
    for packet in decode(answer):
        if packet.data[0]:
            number = packet.data[0]
            problems.append(
                Text(f"servo {servo.node} answers error {number}", f"сервопривод {servo.node}: ошибка {number}")
            )
