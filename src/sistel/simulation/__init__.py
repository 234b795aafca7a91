"""Simulation: exact motion within a structure, events between structures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.simulation._simulate import Simulation
from sistel.simulation._start import check_call, initial_state, note_moved_start, start_state
from sistel.simulation.run._response import StepResponse, step_response
from sistel.simulation.run._run import Event, Run, RunError, Segment
from sistel.simulation.run._warnings import RunWarning, Warnings

if TYPE_CHECKING:
    from sistel.automaton import event_text, structure_text
    from sistel.simulation._asked_law import AskedLaw, Reading
    from sistel.simulation._baseline import CheckedSimulation
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation._diagnosis import why_no_dynamics
    from sistel.simulation._input_record import Record, read_record
    from sistel.simulation._inputs import Change, InputCourse, input_places, read_inputs
    from sistel.simulation._live import Tuned, live_simulation, still_fits, why_not_live
    from sistel.simulation._simulate import simulation_of
    from sistel.simulation._start import fitting_velocities
    from sistel.simulation._stepper import Beginning, Stepper
    from sistel.simulation._tolerance import read_tolerance
    from sistel.simulation.contact._overlaps import note_overlaps
    from sistel.simulation.cycle._continuation import follow_cycles
    from sistel.simulation.cycle._cycle import Cycle, find_cycle
    from sistel.simulation.implicit._scheme import Scheme, looks_stiff
    from sistel.simulation.run._archives import BROKEN, read_archive, write_archive
    from sistel.simulation.run._columns import run_columns
    from sistel.simulation.run._expressions import along, loads_at, read_expression, recalled
    from sistel.simulation.run._files import load_run
    from sistel.simulation.run._linearize import driving, plan_of
    from sistel.simulation.run._segments import joined, values
    from sistel.simulation.taylor._driver import TaylorDriver

_HOMES = {
    "AskedLaw": "sistel.simulation._asked_law",
    "Change": "sistel.simulation._inputs",
    "InputCourse": "sistel.simulation._inputs",
    "read_inputs": "sistel.simulation._inputs",
    "input_places": "sistel.simulation._inputs",
    "Record": "sistel.simulation._input_record",
    "read_record": "sistel.simulation._input_record",
    "Beginning": "sistel.simulation._stepper",
    "Stepper": "sistel.simulation._stepper",
    "Reading": "sistel.simulation._asked_law",
    "event_text": "sistel.automaton",
    "structure_text": "sistel.automaton",
    "BROKEN": "sistel.simulation.run._archives",
    "CheckedSimulation": "sistel.simulation._baseline",
    "Cycle": "sistel.simulation.cycle._cycle",
    "Scheme": "sistel.simulation.implicit._scheme",
    "CompiledStructure": "sistel.simulation._compiled_structure",
    "TaylorDriver": "sistel.simulation.taylor._driver",
    "Tuned": "sistel.simulation._live",
    "along": "sistel.simulation.run._expressions",
    "driving": "sistel.simulation.run._linearize",
    "find_cycle": "sistel.simulation.cycle._cycle",
    "fitting_velocities": "sistel.simulation._start",
    "follow_cycles": "sistel.simulation.cycle._continuation",
    "joined": "sistel.simulation.run._segments",
    "live_simulation": "sistel.simulation._live",
    "load_run": "sistel.simulation.run._files",
    "looks_stiff": "sistel.simulation.implicit._scheme",
    "note_overlaps": "sistel.simulation.contact._overlaps",
    "plan_of": "sistel.simulation.run._linearize",
    "read_archive": "sistel.simulation.run._archives",
    "loads_at": "sistel.simulation.run._expressions",
    "read_expression": "sistel.simulation.run._expressions",
    "read_tolerance": "sistel.simulation._tolerance",
    "recalled": "sistel.simulation.run._expressions",
    "run_columns": "sistel.simulation.run._columns",
    "simulation_of": "sistel.simulation._simulate",
    "still_fits": "sistel.simulation._live",
    "why_no_dynamics": "sistel.simulation._diagnosis",
    "values": "sistel.simulation.run._segments",
    "why_not_live": "sistel.simulation._live",
    "write_archive": "sistel.simulation.run._archives",
}
"""What a run does not need: imported when it is asked for."""

__all__ = [
    "BROKEN",
    "AskedLaw",
    "Beginning",
    "Change",
    "CheckedSimulation",
    "CompiledStructure",
    "Cycle",
    "Event",
    "InputCourse",
    "Reading",
    "Record",
    "Run",
    "RunError",
    "RunWarning",
    "Scheme",
    "Segment",
    "Simulation",
    "StepResponse",
    "Stepper",
    "TaylorDriver",
    "Tuned",
    "Warnings",
    "along",
    "check_call",
    "driving",
    "event_text",
    "find_cycle",
    "fitting_velocities",
    "follow_cycles",
    "initial_state",
    "input_places",
    "joined",
    "live_simulation",
    "load_run",
    "loads_at",
    "looks_stiff",
    "note_moved_start",
    "note_overlaps",
    "plan_of",
    "read_archive",
    "read_expression",
    "read_inputs",
    "read_record",
    "read_tolerance",
    "recalled",
    "run_columns",
    "simulation_of",
    "start_state",
    "step_response",
    "still_fits",
    "structure_text",
    "values",
    "why_no_dynamics",
    "why_not_live",
    "write_archive",
]

__getattr__ = names_at_home(__name__, _HOMES)
