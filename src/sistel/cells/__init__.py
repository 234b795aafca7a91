"""Grippers, arms that carry them, robotic cells and what they make: process lists, schedules."""

from sistel.cells._arms import Arm, Reached, arm_of

__all__ = ["Arm", "Reached", "arm_of"]
