"""Simulation: exact motion within a structure, events between structures."""

from sistel.simulation._run import Event, Run, Segment
from sistel.simulation._simulate import Simulation
from sistel.simulation._start import initial_state

__all__ = ["Event", "Run", "Segment", "Simulation", "initial_state"]
