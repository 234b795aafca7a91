"""Grippers, arms that carry them, robotic cells and what they make: process lists, schedules."""

from sistel.cells._arms import Arm, Reached, arm_of
from sistel.cells._cell import Cell, Part, Robot, Row, Slot, Station
from sistel.cells._dh import DHRow, DHTable, dh_of, dh_xml, read_dh
from sistel.cells._exponentials import Exponentials, exponentials, exponentials_of, exponentials_xml
from sistel.cells._gaits import GAITS, Course, Machine, Walk, machine_of, plan_walk, postures
from sistel.cells._lengths import link_lengths
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
    "DHRow",
    "DHTable",
    "Exponentials",
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
    "dh_of",
    "dh_xml",
    "exponentials",
    "exponentials_of",
    "exponentials_xml",
    "link_lengths",
    "machine_of",
    "plan_cell",
    "plan_walk",
    "postures",
    "read_cell",
    "read_dh",
    "structure_titles",
    "walk_run",
    "walk_xml",
    "world_pose",
]
