"""Grippers, arms that carry them, robotic cells and what they make: process lists, schedules."""

from sistel.cells._arms import Arm, Reached, arm_of
from sistel.cells._cell import Cell, Part, Robot, Row, Slot, Station
from sistel.cells._plan import Bar, Carried, Clash, Move, Plan, Ride, plan_cell, world_pose
from sistel.cells._read import read_cell
from sistel.cells._system import cell_xml

__all__ = [
    "Arm",
    "Bar",
    "Carried",
    "Cell",
    "Clash",
    "Move",
    "Part",
    "Plan",
    "Reached",
    "Ride",
    "Robot",
    "Row",
    "Slot",
    "Station",
    "arm_of",
    "cell_xml",
    "plan_cell",
    "read_cell",
    "world_pose",
]
