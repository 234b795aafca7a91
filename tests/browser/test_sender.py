"""The page that sends a program to drives: a fake port in the browser, emulated drives behind it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.drives import FAMILIES, parse_drives, plan_drives, write_program
from sistel.drives._emulator2 import Bus2
from sistel.drives._emulator3 import emulated_drives
from sistel.drives._grbl_machine import Grbl, emulated_machine
from sistel.drives._run2 import emulated_bus
from sistel.drives._serial import TelegramWire, TextWire
from sistel.drives._telegram3 import read_object
from sistel.errors import Source
from sistel.motion.trajectories import load_table
from sistel.views.drives import draw_sender

DRIVES = Path(__file__).resolve().parents[2] / "models" / "drives"

PORT = """
(() => {
  let give = null;
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const port = {
    async open(options) {
      window.opened = options;
      port.readable = new ReadableStream({ start: (controller) => (give = controller) });
      port.writable = new WritableStream({
        async write(bytes) {
          const answer = await window.drives(hex(bytes));
          // Answers come in two pieces, as real ones may.
          const all = Uint8Array.from(answer.match(/../g) ?? [], (pair) => parseInt(pair, 16));
          if (all.length) (give.enqueue(all.slice(0, 1)), give.enqueue(all.slice(1)));
        },
      });
    },
    async close() {},
  };
  Object.defineProperty(navigator, "serial", { configurable: true, value: { requestPort: async () => port } });
})();
"""


def made(family: str, homing: str = "here") -> tuple[object, object]:
    system = sistel.load(DRIVES / "arm.xml")
    text = (DRIVES / "drives.xml").read_text(encoding="utf-8").replace('"here"', f'"{homing}"')
    drives = parse_drives(Source("drives.xml", text), system.model)
    plan = plan_drives(load_table(DRIVES / "move.html"), drives, FAMILIES[family])
    return plan, write_program(plan)


@contextmanager
def page(chromium: Chromium, program: object, receive: object, lang: str = "en") -> Iterator[Tab]:
    with chromium.tab(size=(900, 700)) as tab:
        tab.page.add_init_script(PORT)
        tab.page.expose_function("drives", lambda text: receive(bytes.fromhex(text)).hex())  # type: ignore[operator]
        tab.open(draw_sender(program, "arm", lang))  # type: ignore[arg-type]
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        yield tab


def click(tab: Tab, selector: str, then: str) -> None:
    tab.page.click(selector)
    tab.wait(f"document.querySelector('[data-status]').dataset.is === '{then}'")


def test_a_sequence_goes_to_the_drives_stage_by_stage(chromium: Chromium) -> None:
    plan, program = made("faulhaber-v2")
    bus: Bus2 = emulated_bus(plan)  # type: ignore[arg-type]
    wire = TextWire(bus)
    with page(chromium, program, wire.receive) as tab:
        assert tab.page.is_disabled("[data-stage='0']") and not tab.page.is_disabled("[data-connect]")
        click(tab, "[data-connect]", "connected")
        assert tab.run("() => window.opened") == {"baudRate": 9600}
        assert tab.page.is_disabled("[data-stage='1']")  # one after the other
        click(tab, "[data-stage='0']", "done")
        click(tab, "[data-stage='1']", "done")
        assert [drive.writes for drive in bus.drives] == [1, 1]
        click(tab, "[data-stage='2']", "done")
    for axis, drive in zip(plan.axes, bus.drives, strict=True):  # type: ignore[attr-defined]
        drive.time = 0
        for _ in range(plan.end + 5):  # type: ignore[attr-defined]
            drive.tick()
        wanted = [(move.arrival, move.target) for move in axis.moves if move.way]
        assert [target for _, target in drive.arrivals] == [target for _, target in wanted]


def test_a_refusal_ends_it_and_stop_stops(chromium: Chromium) -> None:
    plan, program = made("faulhaber-v2")
    bus: Bus2 = emulated_bus(plan)  # type: ignore[arg-type]
    wire = TextWire(bus)
    said: list[bytes] = []

    def receive(data: bytes) -> bytes:
        said.append(data)
        return b"Unknown command\r\n" if data.startswith(b"2LA") else wire.receive(data)

    with page(chromium, program, receive, "ru") as tab:
        click(tab, "[data-connect]", "connected")
        click(tab, "[data-stage='0']", "done")
        click(tab, "[data-stage='1']", "refused")
        assert said[-1].startswith(b"2LA")  # nothing more was sent
        assert "отказал" in tab.page.inner_text("[data-status]")
        assert tab.page.is_disabled("[data-stage='2']")
        tab.page.click("[data-stop]")
        tab.wait("document.querySelector('[data-log]').lastElementChild.textContent === 'DI'")
        assert said[-2:] == [b"DIPROG\r", b"DI\r"]


def test_a_silent_drive_is_told(chromium: Chromium) -> None:
    _, program = made("faulhaber-v2")
    with page(chromium, program, lambda data: b"") as tab:
        click(tab, "[data-connect]", "connected")
        click(tab, "[data-stage='0']", "silent")
        assert tab.page.is_disabled("[data-stage='1']")


@pytest.mark.parametrize("family", ["faulhaber-v2", "faulhaber-v3", "grbl"])
def test_telegrams_and_lines_of_code_go_too(family: str, chromium: Chromium) -> None:
    plan, program = made(family, 'switch" homing-speed="-5')
    if family == "grbl":
        machine: Grbl = emulated_machine(plan)  # type: ignore[arg-type]

        def receive(data: bytes) -> bytes:
            line = data.decode().strip()
            time.sleep(1.3 if line == "$H" else 0.0)  # switches are far: longer than any other answer may take
            return (machine.send(line) + "\r\n").encode()
    else:
        drives = emulated_drives(plan)  # type: ignore[arg-type]
        bus = emulated_bus(plan)  # type: ignore[arg-type]
        wire = TextWire(bus) if family == "faulhaber-v2" else TelegramWire(drives)
        asked = []

        def receive(data: bytes) -> bytes:
            asked.append(data)
            return wire.receive(data) + b"".join(wire.tick() for _ in range(20))  # time goes on meanwhile

    with page(chromium, program, receive) as tab:
        click(tab, "[data-connect]", "connected")
        for stage in range(len(program.serial.stages)):  # type: ignore[attr-defined]
            click(tab, f"[data-stage='{stage}']", "done")
        tab.page.click("[data-id=language]")
        assert "подтверждено" in tab.page.inner_text("[data-status]")
    if family == "grbl":
        assert machine.ended and machine.blocks and not machine.alarm and machine.shift.any()
    elif family == "faulhaber-v2":
        assert all(drive.running and drive.fired for drive in bus.drives)
        assert asked.count(b"1OST\r") > 1  # the page has waited for the switch
    else:
        assert asked.count(read_object(1, 0x6041, 0).encode()) > 1
        assert all(drive.axis.values[0x607A, 0] == 0 and drive.axis.homed for drive in drives)


def test_a_browser_without_ports_is_told(chromium: Chromium) -> None:
    _, program = made("faulhaber-v2")
    with chromium.tab() as tab:
        tab.page.add_init_script("Object.defineProperty(navigator, 'serial', { value: undefined })")
        tab.open(draw_sender(program, "arm </script><b>", "en"))  # type: ignore[arg-type]
        assert "cannot talk to serial ports" in tab.page.inner_text("[data-status]")
        assert tab.page.is_disabled("[data-connect]")
        assert "</script>" in tab.page.inner_text("h1")
