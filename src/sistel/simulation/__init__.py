"""Simulation: exact motion within a structure, events between structures."""

from sistel.simulation._cycle import Cycle, find_cycle
from sistel.simulation._files import load_run
from sistel.simulation._follow import follow_cycles
from sistel.simulation._run import Event, Run, RunError, Segment
from sistel.simulation._simulate import Simulation
from sistel.simulation._start import initial_state

__all__ = [
    "Cycle",
    "Event",
    "Run",
    "RunError",
    "Segment",
    "Simulation",
    "find_cycle",
    "follow_cycles",
    "initial_state",
    "load_run",
]
