"""Programmed motions: formulas and tables as functions of time, and the forces that follow them."""

from sistel.motion._follow import current_rates, forced_rows, motion_forces
from sistel.motion._motors import fed
from sistel.motion._reference import Reference, pieces_of, reference

__all__ = ["Reference", "current_rates", "fed", "forced_rows", "motion_forces", "pieces_of", "reference"]
