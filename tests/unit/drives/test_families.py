"""FAULHABER V3.0, CiA 402, GRBL and DYNAMIXEL: vectors, answers, faults."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import sistel
from sistel.drives import FAMILIES, Plan, Program, emulate, plan_drives, read_drives, write_program
from sistel.drives import _objects402 as objects
from sistel.drives._axis402 import Axis402, ObjectError
from sistel.drives._basic import HALTED, IDLE, Script
from sistel.drives._dynamixel import Servo, emulate_dynamixel
from sistel.drives._emulator3 import emulate_faulhaber3, emulated_drives
from sistel.drives._grbl_machine import Grbl
from sistel.drives._packet import HEAD, Packet, decode
from sistel.drives._telegram3 import Decoder, control_word, read_object, write_object
from sistel.motion.trajectories import load_table

DRIVES = Path(__file__).resolve().parents[3] / "models" / "drives"


@cache
def made(family: str) -> tuple[Plan, Program]:
    model = sistel.load(DRIVES / "arm.xml").model
    plan = plan_drives(load_table(DRIVES / "move.html"), read_drives(DRIVES / "drives.xml", model), FAMILIES[family])
    return plan, write_program(plan)


# --- FAULHABER V3.0 --------------------------------------------------------------------------------------------------


def test_telegrams_of_the_published_check_sums() -> None:
    vectors = (
        (read_object(1, 0x6041, 0), "53 07 01 01 41 60 00 73 45"),
        (control_word(1, 0x000F), "53 06 01 04 0F 00 59 45"),
        (write_object(1, 0x607A, 0, (10000).to_bytes(4, "little")), "53 0B 01 02 7A 60 00 10 27 00 00 25 45"),
    )
    for telegram, text in vectors:
        assert telegram.encode() == bytes.fromhex(text)
        assert Decoder().feed(bytes.fromhex(text)) == [telegram]


def test_damaged_telegrams_get_no_answer() -> None:
    plan, _ = made("faulhaber-v3")
    (drive, _) = emulated_drives(plan)
    good = read_object(1, 0x6041, 0).encode()
    for i in range(len(good)):
        damaged = bytearray(good)
        damaged[i] ^= 0x10
        assert drive.receive(bytes(damaged)) == b""
        drive.decoder.buffer.clear()
    assert drive.receive(b"\x53\x00noise" + good[:4]) == b"" and len(drive.receive(good[4:])) == 11
    assert drive.receive(read_object(7, 0x6041, 0).encode()) == b""


@pytest.mark.parametrize(
    ("index", "sub", "data", "code"),
    [
        (0x5555, 0, b"\x00", objects.NO_OBJECT),
        (0x607D, 9, b"\x00" * 4, objects.NO_SUBINDEX),
        (0x6041, 0, b"\x00" * 2, objects.READ_ONLY),
        (0x607A, 0, b"\x00" * 5, objects.TOO_LONG),
        (0x607A, 0, b"\x00" * 3, objects.TOO_SHORT),
        (0x6060, 0, b"\x0b", objects.TOO_LARGE),
        (0x6060, 0, b"\xfb", objects.TOO_SMALL),
        (0x6081, 0, b"\x00" * 4, objects.TOO_SMALL),
        (0x3001, 1, b"\x02", objects.WRONG_STATE),
        (0x3001, 4, b"\x02", objects.READ_ONLY),
        (0x3001, 2, b"\x09", objects.TOO_LARGE),
    ],
)
def test_objects_are_refused_with_their_codes(index: int, sub: int, data: bytes, code: int) -> None:
    (drive, _) = emulated_drives(made("faulhaber-v3")[0])
    (answer,) = Decoder().feed(drive.receive(write_object(1, index, sub, data).encode()))
    assert answer.command == 3 and int.from_bytes(answer.data[3:], "little") == code


def test_telegrams_of_the_file_move_the_drives_as_scripts_do() -> None:
    plan, program = made("faulhaber-v3")
    drives = emulated_drives(plan)
    sent: dict[int, list[bytes]] = {}
    for line in program.files[".hex"].splitlines():
        time, _, rest = line.strip().partition(" ")
        sent.setdefault(int(time), []).append(bytes.fromhex(rest.partition(";")[0]))
    for clock in range(plan.end + 1):
        for data in sent.get(clock, ()):
            answers = [drive.receive(data) for drive in drives]
            assert sum(map(bool, answers)) == 1
        for drive in drives:
            drive.tick()
    scripts = emulate(plan, program)
    assert [tuple(drive.axis.arrivals) for drive in drives] == list(scripts.arrivals)


def test_a_script_that_fails_is_told() -> None:
    plan, program = made("faulhaber-v3")
    drives = emulated_drives(plan)
    drives[1].axis.blocked = True
    found = emulate_faulhaber3(plan, program, drives=drives)
    assert any("drive 2 has not ended" in problem.en for problem in found.problems)
    assert drives[1].axis.state == "fault" and drives[1].axis.error == objects.FOLLOWING_ERROR


@pytest.mark.parametrize(
    ("text", "error", "values"),
    [
        ("a = 2 + 3 * (4 - 1)\nb = -7 / 2\nc = $10 & 24 | 1\nEND", 0, {"a": 11, "b": -3, "c": 17}),
        ("a = 2147483647 + 1\nEND", 0, {"a": -2147483648}),
        ("IF 1 > 2 THEN\na = 5\nEND IF\nb = 6", 0, {"b": 6}),
        ("a = 1 / 0", 11, {}),
        ("a = 1 +", 3, {}),
        ("FOO", 3, {}),
        ("GOSUB Nowhere", 16, {}),
        ("RETURN", 16, {}),
        ("SETOBJ $1234.$00 = 1", 17, {}),
        (":A\nGOSUB A", 16, {}),
    ],
)
def test_basic(text: str, error: int, values: dict[str, int]) -> None:
    def missing(index: int, sub: int, value: int = 0) -> int:
        raise LookupError(index)

    script = Script(text.splitlines(), missing, missing)  # type: ignore[arg-type]
    script.start()
    for _ in range(5):
        script.tick()
    assert (script.error, script.state) == (error, HALTED if error else IDLE)
    assert script.variables == values


# --- CiA 402 ---------------------------------------------------------------------------------------------------------


def test_the_state_machine() -> None:
    axis = Axis402()
    axis.write(0x6040, 0, 0x0F)  # nobody jumps over a state
    assert axis.state == "switch on disabled"
    for word, state in ((6, "ready to switch on"), (7, "switched on"), (15, "operation enabled")):
        axis.write(0x6040, 0, word)
        assert axis.state == state
    axis.write(0x6060, 0, 1)
    axis.write(0x607A, 0, 100_000)
    axis.write(0x6081, 0, 10_000)
    axis.write(0x6040, 0, 0x1F)
    assert axis.moving and axis.status & objects.ACKNOWLEDGED and not axis.status & objects.REACHED
    with pytest.raises(ObjectError):
        axis.write(0x6060, 0, 6)  # not while it moves
    for _ in range(500):
        axis.tick()
    axis.write(0x6040, 0, 0x02)  # quick stop
    for _ in range(2000):
        axis.tick()
    assert axis.state == "quick stop active" and axis.point.velocity == 0.0 and 0 < axis.actual < 100_000
    axis.write(0x6040, 0, 0)
    assert axis.state == "switch on disabled"
    axis.fail(objects.TOO_HOT)
    axis.tick()
    axis.write(0x6040, 0, 0x0F)
    assert axis.state == "fault"
    axis.write(0x6040, 0, 0x80)
    assert axis.state == "switch on disabled" and axis.error == 0


def test_a_target_beyond_the_limits_is_cut_and_told() -> None:
    axis = Axis402()
    for index, sub, value in (
        (0x607D, 1, -50), (0x607D, 2, 50), (0x6060, 0, 1), (0x607A, 0, 80),
        (0x6040, 0, 6), (0x6040, 0, 7), (0x6040, 0, 15), (0x6040, 0, 0x1F),
    ):  # fmt: skip
        axis.write(index, sub, value)
    for _ in range(1000):
        axis.tick()
    assert axis.actual == 50 and axis.status & objects.LIMITED


def test_the_script_is_json_and_a_table() -> None:
    plan, program = made("cia402")
    data = json.loads(program.files[".json"])
    rows = program.files[".csv"].splitlines()
    assert len(rows) == len(data["steps"]) + 1
    targets = [step["value"] for step in data["steps"] if step["object"] == "0x607A.00" and step["node"] == 2]
    assert targets == [move.target for move in plan.axes[1].moves if move.way]
    times = [step["time_ms"] for step in data["steps"]]
    assert times == sorted(times)


@pytest.mark.slow
def test_the_master_of_the_library_leads_the_drives_and_faults_end_in_rest() -> None:
    pytest.importorskip("canopen")
    from sistel.drives._canopen import Line, lead, quiet
    from sistel.drives._cia402 import steps_of

    plan, _ = made("cia402")

    def cut(line: Line) -> None:
        line.cut |= line.clock == 900

    def hold(line: Line) -> None:
        line.axes[0].blocked |= line.clock == 700

    def heat(line: Line) -> None:
        if line.clock == 700:
            line.axes[1].temperature = 120

    def off(line: Line) -> None:
        if line.clock == 700:
            line.axes[1].write(0x6040, 0, 0)  # somebody else switches it off

    def other(line: Line) -> None:
        if line.clock == 700:
            line.axes[1].values[0x6060, 0] = 3  # somebody else gives it a speed mode

    def quick(line: Line) -> None:
        if line.clock == 700:
            line.axes[0].write(0x6040, 0, 0x02)

    def narrow(line: Line) -> None:
        line.axes[0].values[0x607D, 1] = -50_000

    cases = (
        ({}, ()),
        ({"loss": 0.02, "seed": 3}, ()),
        ({"on_tick": cut}, ("the master gives up: no answer", "all drives stand")),
        ({"on_tick": hold}, ("drive 1 has stopped: following error", "all drives stand")),
        ({"on_tick": heat}, ("drive 2 has stopped: too hot", "all drives stand")),
        ({"on_tick": off}, ("drive 2 has stopped: somebody has switched it off", "all drives stand")),
        ({"on_tick": quick}, ("drive 1 has stopped: somebody has stopped it", "all drives stand")),
        ({"on_tick": other}, ("drive 2 has stopped: somebody has given it the mode 3", "all drives stand")),
        ({"on_tick": narrow}, ("drive 1 was sent beyond its limits", "all drives stand")),
        ({"loss": 0.9}, ("the master gives up", "all drives stand")),
    )
    for how, said in cases:
        with quiet(), Line(plan, **how) as line:  # type: ignore[arg-type]
            found = lead(line, steps_of(plan))
            assert len(found.problems) == len(said), (how, found.problems)
            for problem, words in zip(found.problems, said, strict=True):
                assert problem.en.startswith(words) and problem.en != problem.ru
            assert all(axis.point.velocity == 0.0 and not axis.moving for axis in line.axes)
        if not said:
            for axis, arrivals in zip(plan.axes, found.arrivals, strict=True):
                assert arrivals == tuple((move.arrival, move.target) for move in axis.moves if move.way)


# --- GRBL ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("G1 X1 F100", "ok"), ("; remark", "ok"), ("(remark) G90", "ok"), ("G93", "ok"), ("", "ok"), ("$H", "error:5"),
        ("$100=250", "ok"), ("$999=1", "error:3"), ("$FOO", "error:3"), ("G2 X1", "error:20"), ("M7", "error:20"),
        ("X1..5", "error:1"), ("G1 X", "error:2"), ("5", "error:1"), ("G1 X5", "error:22"), ("G4", "error:36"),
        ("Q5", "error:20"), ("G1" + " " * 90, "error:11"),
    ],
)  # fmt: skip
def test_grbl_answers(line: str, answer: str) -> None:
    assert Grbl().send(line) == answer


def test_grbl_wants_a_time_in_every_line_of_g93() -> None:
    machine = Grbl()
    assert [machine.send(line) for line in ("G93", "G1 X1 F60", "X2")] == ["ok", "ok", "error:22"]


def test_grbl_takes_the_time_of_its_ramps() -> None:
    """One line from rest to rest: a trapezoid in closed form."""
    machine = Grbl()
    for line in ("$100=1000", "$110=6000", "$120=50", "G1 X100 F600"):
        machine.send(line)
    assert machine.plan() == pytest.approx(100.0 / 10.0 + 10.0 / 50.0, rel=1e-12)
    corner = Grbl()
    for line in ("$110=6000", "$111=6000", "$120=50", "$121=50", "G1 X10 F600", "Y10", "X20"):
        corner.send(line)
    straight = Grbl()
    for line in ("$110=6000", "$120=50", "G1 X10 F600", "X20", "X30"):
        straight.send(line)
    # It slows down in corners alone.
    assert (
        straight.plan() == pytest.approx(30.0 / 10.0 + 10.0 / 50.0, rel=1e-9) and corner.plan() > straight.plan() + 0.1
    )


# --- DYNAMIXEL -------------------------------------------------------------------------------------------------------


def test_packets() -> None:
    ping = Packet(1, 1, b"")
    assert ping.encode() == bytes.fromhex("FFFFFD00 01 0300 01 194E")
    stuffed = Packet(3, 3, b"\x74\x00" + HEAD + b"\x05")
    assert HEAD + b"\xfd" in stuffed.encode() and decode(b"noise" + stuffed.encode() + ping.encode()) == [stuffed, ping]
    damaged = bytearray(ping.encode())
    damaged[4] ^= 1
    assert decode(bytes(damaged)) == []


def test_servos_refuse_what_they_cannot_do() -> None:
    servo = Servo(node=1)

    def ask(instruction: int, data: bytes) -> int:
        (answer,) = decode(servo.receive(Packet(1, instruction, data)))
        return answer.data[0]

    assert ask(1, b"") == 0 and ask(9, b"") == 2
    assert ask(3, b"\x74\x00" + (2_000_000).to_bytes(4, "little")) == 4  # beyond its turns
    assert ask(3, b"\x40\x00\x01") == 0 and ask(3, b"\x0b\x00\x03") == 7  # its mode, while the torque is on
    assert ask(3, b"\x84\x00\x00\x00\x00\x00") == 7 and ask(3, b"\x74\x00\x01") == 5 and ask(2, b"\x01\x00") == 5
    assert servo.receive(Packet(2, 1, b"")) == b""


def test_a_servo_that_is_held_is_told() -> None:
    plan, program = made("dynamixel")
    servos = [Servo(node=axis.drive.node) for axis in plan.axes]
    servos[0].blocked = True
    found = emulate_dynamixel(plan, program, servos=servos)
    assert [problem.en for problem in found.problems] == ["drive 1 has reached 1 of 3 targets"]
