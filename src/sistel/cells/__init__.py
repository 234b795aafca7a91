"""Grippers, arms that carry them, robotic cells and what they make: process lists, schedules."""

from sistel.cells._arms import Arm, Reached, arm_of
from sistel.cells._cell import Cell, Part, Robot, Row, Slot, Station
from sistel.cells._gaits import GAITS, Course, Machine, Walk, machine_of, plan_walk, postures
from sistel.cells._plan import Bar, Carried, Clash, Move, Plan, Ride, plan_cell, world_pose
from sistel.cells._read import read_cell
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
    "Machine",
    "Move",
    "Part",
    "Plan",
    "Reached",
    "Ride",
    "Robot",
    "Row",
    "Slot",
    "Station",
    "Walk",
    "arm_of",
    "cell_xml",
    "machine_of",
    "plan_cell",
    "plan_walk",
    "postures",
    "read_cell",
    "structure_titles",
    "walk_run",
    "walk_xml",
    "world_pose",
]
