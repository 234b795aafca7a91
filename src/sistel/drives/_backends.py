"""Who writes programs for a family of drives, and who emulates them: one row a family."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.drives._canopen import emulate_cia402
from sistel.drives._cia402 import write_cia402
from sistel.drives._dynamixel import emulate_dynamixel, write_dynamixel
from sistel.drives._emulator3 import emulate_faulhaber3, emulated_drives
from sistel.drives._faulhaber2 import write_faulhaber2
from sistel.drives._faulhaber3 import write_faulhaber3
from sistel.drives._grbl import write_grbl
from sistel.drives._grbl_machine import emulate_grbl
from sistel.drives._load import Load
from sistel.drives._run2 import emulate_faulhaber2, emulated_bus
from sistel.drives._serial import SerialLine, TelegramWire, TextWire, Wire
from sistel.errors import Text, refuse
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.drives._emulation import Emulation
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program


@entry
class Backend:
    """What a family of drives needs."""

    write: Callable[[Plan], Program]
    emulate: Callable[[Plan, Program, Load | None], Emulation]
    wire: Callable[[Plan], Wire] | None = None
    """Drives that others may talk to over a serial line."""


BACKENDS: dict[str, Backend] = {
    "faulhaber-v2": Backend(write_faulhaber2, emulate_faulhaber2, lambda plan: TextWire(emulated_bus(plan))),
    "faulhaber-v3": Backend(write_faulhaber3, emulate_faulhaber3, lambda plan: TelegramWire(emulated_drives(plan))),
    "cia402": Backend(write_cia402, emulate_cia402),
    "grbl": Backend(write_grbl, emulate_grbl),
    "dynamixel": Backend(write_dynamixel, emulate_dynamixel),
}


def write_program(plan: Plan) -> Program:
    """The program of a plan.

    Raises:
        SistelError: The drives cannot hold it.
    """
    return BACKENDS[plan.family.key].write(plan)


def emulate(plan: Plan, program: Program, load: Load | None = None) -> Emulation:
    """What emulated drives make of a program.

    Args:
        plan: What they do.
        program: How they are told.
        load: What their shafts carry; without it they follow their set points at once.

    Raises:
        SistelError: Drives of this family do not know where their shafts are.
    """
    return BACKENDS[plan.family.key].emulate(plan, program, load)


def serve(plan: Plan) -> SerialLine:
    """Emulated drives of a plan behind a pseudo-terminal.

    Raises:
        SistelError: Drives of this family have no serial line here.
    """
    wire = BACKENDS[plan.family.key].wire
    if wire is None:
        title = plan.family.title
        refuse(
            "no-serial",
            Text(f"no serial line is emulated for {title.en}", f"последовательная линия {title.ru} не эмулируется"),
            hint=Text("faulhaber-v2 and faulhaber-v3 have one", "она есть у faulhaber-v2 и faulhaber-v3"),
        )
    return SerialLine(wire(plan))
