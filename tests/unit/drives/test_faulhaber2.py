"""The emulated FAULHABER V2.5 drive: answers, programs, switches, faults, and a pseudo-terminal."""

from __future__ import annotations

import os
import sys
import time

import pytest

from sistel.drives._emulator2 import Bus2, Faulhaber2
from sistel.drives._serial import SerialLine, TextWire


def ready(**more: int) -> Faulhaber2:
    drive = Faulhaber2(node=1)
    for name, value in more.items():
        assert drive.command(f"{name}{value}") == ("" if name == "ANSW" else "OK")
    return drive


def pass_time(drive: Faulhaber2, count: int) -> None:
    for _ in range(count):
        drive.tick()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("EN", "OK"), ("en", "OK"), (" e n ", "OK"), ("SP 100", "OK"), ("SP", "Invalid parameter"),
        ("SP-1", "Invalid parameter"), ("SP32768", "Invalid parameter"), ("SP1.5", "Invalid parameter"),
        ("AC30000", "OK"), ("AC30001", "Invalid parameter"), ("FOO", "Unknown command"), ("12", "Unknown command"),
        ("LA1800000000", "OK"), ("LA1800000001", "Invalid parameter"), ("M1", "Invalid parameter"),
        ("DELAY5", "Command not available"), ("JMP1", "Command not available"), ("END", "Command not available"),
        ("BAUD9600", "OK"), ("BAUD9601", "Invalid parameter"), ("POS", "0"), ("TEM", "30"), ("GST", "0000111"),
        ("GFS", "0000"), ("OST", "65536"), ("SWS", "0"), ("GCL", "12000"), ("GRC", "0"), ("GN", "0"), ("GV", "0"),
        ("MEM", "3328"), ("GPROGSEQ", "end:0"), ("SAVE", "EEPROM writing done"), ("GOHOSEQ", "Command not available"),
        ("", ""),
    ],
)  # fmt: skip
def test_answers(line: str, answer: str) -> None:
    assert Faulhaber2(node=1).command(line) == answer


def test_answer_modes() -> None:
    drive = ready(ANSW=1)
    assert drive.command("EN") == "" and drive.command("POS") == "0" and drive.command("FOO") == "Unknown command"
    drive.command("LA30")
    drive.command("NP")
    drive.command("M")
    pass_time(drive, 200)
    assert drive.sent == ["p"]
    silent = ready(ANSW=0)
    for line in ("EN", "LA30", "NP", "M"):
        silent.command(line)
    pass_time(silent, 200)
    assert silent.sent == [] and silent.actual == 30


def test_nothing_moves_without_power_and_limits_refuse() -> None:
    drive = ready(LA=1000)
    drive.command("M")
    pass_time(drive, 100)
    assert drive.actual == 0
    for line in ("LL500", "LL-200", "APL1"):
        assert drive.command(line) == "OK"
    assert drive.command("LA501") == "Invalid parameter" and drive.command("LA500") == "OK"
    assert drive.command("LA-201") == "Invalid parameter"


def test_speed_changes_act_on_the_running_move() -> None:
    drive = ready(SP=600, AC=100, DEC=100, LA=60000)
    for line in ("EN", "M"):
        drive.command(line)
    pass_time(drive, 1000)
    assert drive.command("GN") == "600"
    drive.command("SP300")
    pass_time(drive, 500)
    assert drive.command("GN") == "300" and not int(drive.command("OST")) >> 16 & 1
    drive.command("LR-500")  # from the last target
    assert drive.loaded == 59500
    drive.command("V-120")
    pass_time(drive, 500)
    assert drive.command("GN") == "-120"


def test_a_program_waits_for_its_notification_and_for_its_delays() -> None:
    drive = Faulhaber2(node=1)
    lines = ["PROGSEQ", "EN", "SP600", "AC100", "DEC100", "LA3000", "NP", "M", "DELAY20", "LA0", "NP", "M", "END"]
    assert all(drive.command(line) == "OK" for line in lines) and drive.writes == 1
    assert drive.command("GPROGSEQ1").split("\r")[:2] == ["PC--en", "sp600"]
    assert drive.command("GPROGSEQ").split("\r")[-1] == f"end:{sum(len(line) + 1 for line in lines[1:-1])}"
    drive.command("ENPROG")
    drive.tick()
    assert int(drive.command("OST")) & 0b1110 == 0b1010  # it runs, and a notification holds it
    # One turn at ten a second, with ramps of a tenth: 0.2 s.
    pass_time(drive, 199)
    assert drive.arrivals == [(200, 3000)]
    pass_time(drive, 5)
    assert int(drive.command("OST")) & 0b1110 == 0b0110  # a delay holds it
    assert drive.command("POS") == "3000"  # others may ask meanwhile
    pass_time(drive, 400)
    assert drive.arrivals == [(200, 3000), (600, 0)] and not drive.running


def test_labels_jumps_calls_and_timeouts() -> None:
    drive = Faulhaber2(node=1)
    program = ["PROGSEQ", "EN", "A1", "CALL7", "JMP1", "A7", "LA100", "TIMEOUT3", "NP5000", "M", "RET", "END"]
    assert all(drive.command(line) == "OK" for line in program)
    drive.command("ENPROG")
    pass_time(drive, 60)
    # Nobody passes 5000: after 30 ms the program goes on, and says so.
    assert drive.sent[:1] == ["o"] and drive.running
    drive.command("DIPROG")
    assert not drive.running
    endless = Faulhaber2(node=1)
    for line in ("PROGSEQ", "A1", "JMP1", "END", "ENPROG"):
        endless.command(line)
    pass_time(endless, 3)
    assert endless.time == 3  # a loop of jumps does not stop the clock
    bad = Faulhaber2(node=1)
    for line in ("PROGSEQ", "JMP9", "END", "ENPROG"):
        bad.command(line)
    bad.tick()
    assert bad.sent == ["Invalid parameter"] and not bad.running


def test_flash_wears_out_and_memory_ends() -> None:
    drive = Faulhaber2(node=1, writes=9_999)
    assert drive.command("SAVE") == "EEPROM writing done" and drive.command("SAVE") == "Flash defect"
    long = Faulhaber2(node=1)
    long.command("PROGSEQ")
    answers = [long.command("LA1000000000") for _ in range(600)]
    assert answers[0] == "OK" and answers[-1] == "Command not available"
    assert long.command("SP1e3") in ("Invalid parameter", "Unknown command")


def test_homing_finds_its_switch() -> None:
    drive = ready(SHA=1, SHL=1, SHN=1, HOSP=-300)
    drive.switches[0] = -500.0
    drive.command("EN")
    drive.command("GOHOSEQ")
    assert int(drive.command("OST")) & 1
    pass_time(drive, 200)
    assert abs(drive.actual) < 1e-9 and drive.mode != "homing" and drive.sent == ["h"]
    assert drive.command("SWS") == "1" and int(drive.command("OST")) >> 8 & 1
    # Inside a hard-blocked switch only motion out of it is allowed; bit 0 of HD is the direction that is blocked.
    blocked = ready(HB=1, HD=0, LA=-800)
    blocked.switches[0] = 10.0
    for line in ("EN", "M"):
        blocked.command(line)
    pass_time(blocked, 300)
    assert blocked.actual > -5.0
    for line in ("LA700", "M"):
        blocked.command(line)
    pass_time(blocked, 300)
    assert blocked.actual == 700.0


def test_a_held_shaft_and_heat_are_told() -> None:
    drive = ready(NE=1, LA=30000, SP=600)
    for line in ("EN", "NP", "M"):
        drive.command(line)
    drive.blocked = True
    pass_time(drive, 400)
    assert "r" in drive.sent and int(drive.command("OST")) >> 5 & 1 and drive.command("POS") == "0"
    hot = ready(LA=30000, NE=1)
    for line in ("EN", "M"):
        hot.command(line)
    pass_time(hot, 20)
    hot.temperature = 105
    pass_time(hot, 2)
    where = hot.actual
    pass_time(hot, 50)
    assert hot.actual == where and not hot.enabled
    assert hot.command("EN") == "Overtemperature – drive disabled" and hot.command("GFS")[0] == "1"


def test_a_bus_hears_nodes_and_everybody() -> None:
    bus = Bus2([Faulhaber2(node=1), Faulhaber2(node=20)])
    assert bus.command("20EN") == "OK" and [drive.enabled for drive in bus.drives] == [False, True]
    assert bus.command("EN") == "" and all(drive.enabled for drive in bus.drives)
    assert bus.command("3POS") == ""
    assert bus.command("9" * 5000 + "POS") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_pseudo_terminal_in_real_time() -> None:
    drive = Faulhaber2(node=1)
    with SerialLine(TextWire(Bus2([drive]))) as line:
        port = os.open(line.path, os.O_RDWR | os.O_NOCTTY)

        def ask(text: bytes) -> bytes:
            os.write(port, text)
            found, last = b"", time.monotonic() + 10.0
            while not found.endswith(b"\r\n") and time.monotonic() < last:
                found += os.read(port, 100)
            return found

        try:
            assert ask(b"1POS\r") == b"0\r\n"
            assert ask(b"\x111EN\r") == b"OK\r\n"
            for text in (b"1SP6000\r", b"1AC1000\r", b"1DEC1000\r", b"1LA300\r", b"1NP\r"):
                assert ask(text) == b"OK\r\n"
            answer = ask(b"1M\r")
            while b"p" not in answer:
                answer += os.read(port, 100)
            assert answer.replace(b"\r\n", b"") in (b"OKp",)
            assert ask(b"1POS\r") == b"300\r\n"
        finally:
            os.close(port)
