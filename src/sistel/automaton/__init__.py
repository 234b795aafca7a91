"""The hybrid automaton of a system, which all downstream reads: modes, edges, clocks, state; graphs and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton._automaton import STRAIGHT_LINE, Automaton, LiveAutomaton
from sistel.automaton._edge import Edge
from sistel.automaton._mode import Mode
from sistel.automaton._signals import Clock, Parameter, Signal
from sistel.automaton._statuses import FREE, MINUS, PLUS, ROUNDING, STICK, WAYS, Status, Statuses
from sistel.lazy import names_at_home

if TYPE_CHECKING:
    from sistel.automaton._admissible import Cone, shortest
    from sistel.automaton._carried import solved_loads
    from sistel.automaton._conditions import AND, CROSSES, FALLS, HOLDS, NOT, OR, RISES
    from sistel.automaton._contact_data import TOUCHING
    from sistel.automaton._contact_equations import ContactMode
    from sistel.automaton._contact_layout import SLOWEST, STOPS, STRIKES, Layout
    from sistel.automaton._contact_names import (
        GIVEN,
        LIMIT,
        OPEN,
        event_text,
        part_name,
        part_text,
        read_structure_name,
        structure_of,
        structure_text,
    )
    from sistel.automaton._driving import forced_at, forced_by
    from sistel.automaton._elements import CONTACT, GRIP, PATCH, STOP, Element, elements_of, makes_structures
    from sistel.automaton._equations import Exit, ModeEquations, exits_of, has_forced
    from sistel.automaton._impacts import (
        SLIDES,
        Strike,
        decides,
        no_program,
        planar_impulse,
        restitutions,
        stuck_impulse,
        what_would_pass,
        within_energy,
    )
    from sistel.automaton._meeting import Distance, apart, beginning, farthest
    from sistel.automaton._momenta import Momenta, derive_momenta
    from sistel.automaton._reads import asks_dynamics, reads_dynamics, uses_reactions
    from sistel.automaton._state import first_memory, forgotten, split, with_memory
    from sistel.automaton._transition_programs import (
        Way,
        anchor_sizes,
    )

_HOMES = {
    "AND": "sistel.automaton._conditions",
    "CONTACT": "sistel.automaton._elements",
    "CROSSES": "sistel.automaton._conditions",
    "Cone": "sistel.automaton._admissible",
    "ContactMode": "sistel.automaton._contact_equations",
    "Distance": "sistel.automaton._meeting",
    "Element": "sistel.automaton._elements",
    "Exit": "sistel.automaton._equations",
    "FALLS": "sistel.automaton._conditions",
    "GRIP": "sistel.automaton._elements",
    "PATCH": "sistel.automaton._elements",
    "HOLDS": "sistel.automaton._conditions",
    "GIVEN": "sistel.automaton._contact_names",
    "LIMIT": "sistel.automaton._contact_names",
    "Layout": "sistel.automaton._contact_layout",
    "Momenta": "sistel.automaton._momenta",
    "NOT": "sistel.automaton._conditions",
    "OPEN": "sistel.automaton._contact_names",
    "OR": "sistel.automaton._conditions",
    "RISES": "sistel.automaton._conditions",
    "SLIDES": "sistel.automaton._impacts",
    "SLOWEST": "sistel.automaton._contact_layout",
    "STOP": "sistel.automaton._elements",
    "STOPS": "sistel.automaton._contact_layout",
    "STRIKES": "sistel.automaton._contact_layout",
    "ModeEquations": "sistel.automaton._equations",
    "Strike": "sistel.automaton._impacts",
    "TOUCHING": "sistel.automaton._contact_data",
    "Way": "sistel.automaton._transition_programs",
    "anchor_sizes": "sistel.automaton._transition_programs",
    "apart": "sistel.automaton._meeting",
    "asks_dynamics": "sistel.automaton._reads",
    "beginning": "sistel.automaton._meeting",
    "decides": "sistel.automaton._impacts",
    "derive_momenta": "sistel.automaton._momenta",
    "elements_of": "sistel.automaton._elements",
    "event_text": "sistel.automaton._contact_names",
    "exits_of": "sistel.automaton._equations",
    "farthest": "sistel.automaton._meeting",
    "first_memory": "sistel.automaton._state",
    "forced_at": "sistel.automaton._driving",
    "forced_by": "sistel.automaton._driving",
    "forgotten": "sistel.automaton._state",
    "has_forced": "sistel.automaton._equations",
    "makes_structures": "sistel.automaton._elements",
    "no_program": "sistel.automaton._impacts",
    "part_name": "sistel.automaton._contact_names",
    "part_text": "sistel.automaton._contact_names",
    "planar_impulse": "sistel.automaton._impacts",
    "read_structure_name": "sistel.automaton._contact_names",
    "reads_dynamics": "sistel.automaton._reads",
    "uses_reactions": "sistel.automaton._reads",
    "restitutions": "sistel.automaton._impacts",
    "shortest": "sistel.automaton._admissible",
    "solved_loads": "sistel.automaton._carried",
    "split": "sistel.automaton._state",
    "structure_of": "sistel.automaton._contact_names",
    "structure_text": "sistel.automaton._contact_names",
    "stuck_impulse": "sistel.automaton._impacts",
    "what_would_pass": "sistel.automaton._impacts",
    "with_memory": "sistel.automaton._state",
    "within_energy": "sistel.automaton._impacts",
}
"""What is imported when it is asked for: most of it needs mechanics."""

__all__ = [
    "AND",
    "CONTACT",
    "CROSSES",
    "FALLS",
    "FREE",
    "GIVEN",
    "GRIP",
    "HOLDS",
    "LIMIT",
    "MINUS",
    "NOT",
    "OPEN",
    "OR",
    "PATCH",
    "PLUS",
    "RISES",
    "ROUNDING",
    "SLIDES",
    "SLOWEST",
    "STICK",
    "STOP",
    "STOPS",
    "STRAIGHT_LINE",
    "STRIKES",
    "TOUCHING",
    "WAYS",
    "Automaton",
    "Clock",
    "Cone",
    "ContactMode",
    "Distance",
    "Edge",
    "Element",
    "Exit",
    "Layout",
    "LiveAutomaton",
    "Mode",
    "ModeEquations",
    "Momenta",
    "Parameter",
    "Signal",
    "Status",
    "Statuses",
    "Strike",
    "Way",
    "anchor_sizes",
    "apart",
    "asks_dynamics",
    "beginning",
    "decides",
    "derive_momenta",
    "elements_of",
    "event_text",
    "exits_of",
    "farthest",
    "first_memory",
    "forced_at",
    "forced_by",
    "forgotten",
    "has_forced",
    "makes_structures",
    "no_program",
    "part_name",
    "part_text",
    "planar_impulse",
    "read_structure_name",
    "reads_dynamics",
    "restitutions",
    "shortest",
    "solved_loads",
    "split",
    "structure_of",
    "structure_text",
    "stuck_impulse",
    "uses_reactions",
    "what_would_pass",
    "with_memory",
    "within_energy",
]

__getattr__ = names_at_home(__name__, _HOMES)
