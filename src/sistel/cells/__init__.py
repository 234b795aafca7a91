"""Grippers, arms that carry them, robotic cells and what they make: process lists, schedules."""

from sistel.cells._arms import Arm, Reached, arm_of
from sistel.cells._cell import Cell, Part, Robot, Row, Slot, Station
from sistel.cells._drive import Drive, Orders, drive_for, orders
from sistel.cells._gait_report import Walked, watch_walk
from sistel.cells._gaits import GAITS, Course, Walk, plan_walk, postures
from sistel.cells._legs import Leg, Machine, machine_of
from sistel.cells._plan import Bar, Carried, Clash, Move, Plan, Ride, plan_cell, world_pose
from sistel.cells._read import parse_cell, read_cell
from sistel.cells._system import cell_xml
from sistel.cells._walk_system import structure_titles, walk_run, walk_xml

__all__ = [
    "GAITS",
    "Arm",
    "Bar",
    "Carried",
    "Cell",
    "Clash",
    "Course",
    "Drive",
    "Leg",
    "Machine",
    "Move",
    "Orders",
    "Part",
    "Plan",
    "Reached",
    "Ride",
    "Robot",
    "Row",
    "Slot",
    "Station",
    "Walk",
    "Walked",
    "arm_of",
    "cell_xml",
    "drive_for",
    "machine_of",
    "orders",
    "parse_cell",
    "plan_cell",
    "plan_walk",
    "postures",
    "read_cell",
    "structure_titles",
    "walk_run",
    "walk_xml",
    "watch_walk",
    "world_pose",
]
