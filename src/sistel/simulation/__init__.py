"""Simulation: exact motion within a structure, events between structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.simulation._run import Event, Run, RunError, Segment
from sistel.simulation._simulate import Simulation
from sistel.simulation._start import check_call, initial_state

if TYPE_CHECKING:
    from sistel.simulation._contact_names import event_text, structure_text
    from sistel.simulation._cycle import Cycle, find_cycle
    from sistel.simulation._files import load_run
    from sistel.simulation._follow import follow_cycles

_HOMES = {
    "Cycle": "sistel.simulation._cycle",
    "event_text": "sistel.simulation._contact_names",
    "find_cycle": "sistel.simulation._cycle",
    "follow_cycles": "sistel.simulation._follow",
    "load_run": "sistel.simulation._files",
    "structure_text": "sistel.simulation._contact_names",
}
"""What a run does not need: imported when it is asked for."""

__all__ = [
    "Cycle",
    "Event",
    "Run",
    "RunError",
    "Segment",
    "Simulation",
    "check_call",
    "event_text",
    "find_cycle",
    "follow_cycles",
    "initial_state",
    "load_run",
    "structure_text",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        found: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found  # the next time it is there without asking
        return found
    raise AttributeError(f"module 'sistel.simulation' has no attribute {name!r}")
