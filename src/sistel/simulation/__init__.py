"""Simulation: exact motion within a structure, events between structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.simulation._run import Event, Run, RunError, Segment
from sistel.simulation._simulate import Simulation
from sistel.simulation._start import check_call, initial_state, note_moved_start
from sistel.simulation._warnings import RunWarning, Warnings

if TYPE_CHECKING:
    from sistel.simulation._archives import BROKEN, read_archive, write_archive
    from sistel.simulation._contact_names import event_text, structure_text
    from sistel.simulation._cycle import Cycle, find_cycle
    from sistel.simulation._derived import along, read_expression, recalled, structure_named
    from sistel.simulation._files import load_run
    from sistel.simulation._fixed import CheckedSimulation
    from sistel.simulation._follow import follow_cycles
    from sistel.simulation._journey import Journey
    from sistel.simulation._live import Tuned, live_simulation, still_fits, why_not_live
    from sistel.simulation._memory import first_memory
    from sistel.simulation._pieces import joined, values
    from sistel.simulation._scheme import Scheme, looks_stiff
    from sistel.simulation._simulate import simulation_of
    from sistel.simulation._stage import exits_of, has_forced
    from sistel.simulation._start import fitting_velocities
    from sistel.simulation._tolerance import read_tolerance

_HOMES = {
    "BROKEN": "sistel.simulation._archives",
    "CheckedSimulation": "sistel.simulation._fixed",
    "Cycle": "sistel.simulation._cycle",
    "Journey": "sistel.simulation._journey",
    "Scheme": "sistel.simulation._scheme",
    "Tuned": "sistel.simulation._live",
    "along": "sistel.simulation._derived",
    "event_text": "sistel.simulation._contact_names",
    "exits_of": "sistel.simulation._stage",
    "find_cycle": "sistel.simulation._cycle",
    "first_memory": "sistel.simulation._memory",
    "fitting_velocities": "sistel.simulation._start",
    "follow_cycles": "sistel.simulation._follow",
    "has_forced": "sistel.simulation._stage",
    "joined": "sistel.simulation._pieces",
    "live_simulation": "sistel.simulation._live",
    "load_run": "sistel.simulation._files",
    "looks_stiff": "sistel.simulation._scheme",
    "read_archive": "sistel.simulation._archives",
    "read_expression": "sistel.simulation._derived",
    "read_tolerance": "sistel.simulation._tolerance",
    "recalled": "sistel.simulation._derived",
    "simulation_of": "sistel.simulation._simulate",
    "still_fits": "sistel.simulation._live",
    "structure_named": "sistel.simulation._derived",
    "structure_text": "sistel.simulation._contact_names",
    "values": "sistel.simulation._pieces",
    "why_not_live": "sistel.simulation._live",
    "write_archive": "sistel.simulation._archives",
}
"""What a run does not need: imported when it is asked for."""

__all__ = [
    "BROKEN",
    "CheckedSimulation",
    "Cycle",
    "Event",
    "Journey",
    "Run",
    "RunError",
    "RunWarning",
    "Scheme",
    "Segment",
    "Simulation",
    "Tuned",
    "Warnings",
    "along",
    "check_call",
    "event_text",
    "exits_of",
    "find_cycle",
    "first_memory",
    "fitting_velocities",
    "follow_cycles",
    "has_forced",
    "initial_state",
    "joined",
    "live_simulation",
    "load_run",
    "looks_stiff",
    "note_moved_start",
    "read_archive",
    "read_expression",
    "read_tolerance",
    "recalled",
    "simulation_of",
    "still_fits",
    "structure_named",
    "structure_text",
    "values",
    "why_not_live",
    "write_archive",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        found: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found  # the next time it is there without asking
        return found
    raise AttributeError(f"module 'sistel.simulation' has no attribute {name!r}")
