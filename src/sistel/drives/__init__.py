"""Tables of motion → programs for drives with a known system of commands, and emulated drives that execute them."""

from sistel.drives._backends import emulate, serve, write_program
from sistel.drives._drive import Drive, DriveSet
from sistel.drives._driven import driven_text
from sistel.drives._emulation import Emulation
from sistel.drives._families import FAMILIES, Family
from sistel.drives._load import Load, load_of, motored
from sistel.drives._plan import Axis, Move, Plan, plan_at_rest, plan_drives
from sistel.drives._program import Item, Program, Serial
from sistel.drives._read import parse_drives, read_drives
from sistel.drives._scheme import scheme_text
from sistel.drives._serial import SerialLine
from sistel.drives._strength import refuse_weak

__all__ = [
    "FAMILIES",
    "Axis",
    "Drive",
    "DriveSet",
    "Emulation",
    "Family",
    "Item",
    "Load",
    "Move",
    "Plan",
    "Program",
    "Serial",
    "SerialLine",
    "driven_text",
    "emulate",
    "load_of",
    "motored",
    "parse_drives",
    "plan_at_rest",
    "plan_drives",
    "read_drives",
    "refuse_weak",
    "scheme_text",
    "serve",
    "write_program",
]
