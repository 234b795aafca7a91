"""Who writes programs for a family of drives, and who emulates them: one row a family."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.drives._canopen import emulate_cia402
from sistel.drives._cia402 import write_cia402
from sistel.drives._dynamixel import emulate_dynamixel, write_dynamixel
from sistel.drives._emulator3 import emulate_faulhaber3
from sistel.drives._faulhaber2 import write_faulhaber2
from sistel.drives._faulhaber3 import write_faulhaber3
from sistel.drives._grbl import write_grbl
from sistel.drives._grbl_machine import emulate_grbl
from sistel.drives._run2 import emulate_faulhaber2
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.drives._emulation import Emulation
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program


@entry
class Backend:
    """What a family of drives needs."""

    write: Callable[[Plan], Program]
    emulate: Callable[[Plan, Program], Emulation]


BACKENDS: dict[str, Backend] = {
    "faulhaber-v2": Backend(write_faulhaber2, emulate_faulhaber2),
    "faulhaber-v3": Backend(write_faulhaber3, emulate_faulhaber3),
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


def emulate(plan: Plan, program: Program) -> Emulation:
    """What emulated drives make of a program."""
    return BACKENDS[plan.family.key].emulate(plan, program)
