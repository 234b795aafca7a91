"""The tables of the Taylor loop: the meaning of every place in them, and why the loop ends.

Every structure is a row of a table of integers: addresses of its native functions, and where its conditions and its
comparisons are. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Function, Ints
from sistel.records import record
from sistel.simulation.taylor import steps as _steps

FlowAt = Function[[int, Floats, Floats, Floats, Floats], None]
"""Calls the flow at an address."""
KernelAt = Function[[int, int, int, int], None]
"""Calls the kernel at an address with rows begin to end and the address of its table of arguments."""

# A row of the table of structures.
FLOW: Final = 0
WATCHED: Final = 1
"""Functions of conditions, then those of comparisons."""
CORRECT: Final = 2
CORRECT_ARGUMENTS: Final = 3
CORRECTED: Final = 4
"""Where in the room of results the corrected state is."""
ANCHOR: Final = 5
ANCHOR_ARGUMENTS: Final = 6
FIRST_EXIT: Final = 7
EXITS: Final = 8
FIRST_LEAF: Final = 9
PARAMETERS: Final = 10
"""Where its block p begins: parameters, then modes."""
CHOOSE: Final = 11
"""The kernel that puts modes there."""
CHOOSE_ARGUMENTS: Final = 12
FIRST_SWITCH: Final = 13
SWITCHES: Final = 14
LOW: Final = 15
"""The flow of the first orders alone, which short times between ticks need; 0 for none."""
REST: Final = 16
"""The flow that goes on after it."""
LOW_ORDER: Final = 17
CLOCKS: Final = 18
"""Whether nothing but clocks is watched, and nothing has to be corrected or chosen."""
RATES: Final = 19
"""The kernel of the rates of what moves, where steps from tick to tick are taken by stages, see `_stages`; else 0."""
RATES_ARGUMENTS: Final = 20
RATES_ROOM: Final = 21
"""Where in the room of results the stages are."""
PLAN: Final = 22

# A row of the table of exits.
WORD: Final = 0
WORD_LENGTH: Final = 1
PASSAGE: Final = 2
PASSAGE_ARGUMENTS: Final = 3
RESULT: Final = 4
"""Where in the room of results the state after it is; its loss and its impulses follow."""
IMPULSES: Final = 5
TARGET: Final = 6
LEAF_SHIFT: Final = 7
"""Its first leaf among those of its structure."""
TICK: Final = 8
"""Whether it is a tick of a clock, which moves nothing."""
ASKS: Final = 9
"""Whether a program says at this tick what motors and inputs do."""
CLOCK: Final = 10
"""Of a tick: where in the state its number stands; then CLOCK_FIRST, CLOCK_STEP, CLOCK_PARTS: it is at
(first + number · step) / parts seconds."""
CLOCK_FIRST: Final = 11
CLOCK_STEP: Final = 12
CLOCK_PARTS: Final = 13
EXIT: Final = 14

# A row of the table of comparisons: the place of its mode in the block p, and its kind.
LESS, EQUAL, NOT_ZERO, FLOOR, FLOOR_ABOVE = range(5)
"""The mode holds where the function is below zero, zero, or not zero; a rounded number lies between two."""
SWITCH: Final = 2

# Places in the table of counts.
SIZE: Final = 0
ORDER: Final = 1
STRIDE: Final = 2
ROOM: Final = 3
EVENT_ROOM: Final = 4
STEPS: Final = 5
EVENTS: Final = 6
STRUCTURE: Final = 7
ENTERING: Final = 8
STOP: Final = 9
LOG: Final = 10
"""Numbers of one event in the log: time, loss, impulses."""
AT_ONCE: Final = 11
MOST_LEAVES: Final = 12
"""Watched functions of the structure that has most."""
LEAVING: Final = 13
"""The exit that is being taken."""
RECORD: Final = 14
"""Whether steps are kept; without, only their number is counted."""
PLACES: Final = 15
"""Coordinates: the first numbers of a state."""
RETURNED: Final = 16
"""Whether a transition has just led from the structure that the loop begins in back to it, at this very time."""
OPEN: Final = 17
"""The exit whose condition holds, -1 for none."""
KNOWN: Final = 18
"""Whether the coefficients of the flow at the state are computed already: 1, or FORESEEN where a structure begins."""
PATIENCE: Final = 19
"""Steps in a structure without a passage after which the loop ends, so that another method may go on; 0 for never."""
STAYED: Final = 20
"""Steps since the structure was entered."""
TICKED: Final = 21
"""Whether the structure is entered again after a tick: what jumps over zero with it passes zero."""
TICK_CODE: Final = 22
"""What is added to the mark of a tick: with contacts, their statuses."""
MOVING: Final = 23
"""Numbers of a state that change within a step: the first ones; the others, but for the time, are held."""
ROWS: Final = 24
"""Rows of the table of a step that are kept: all of the state, or those that move."""
HELD: Final = 25
"""Where what is held is written, a row a step, where it is kept apart from the table; else 0."""
ANSWERED: Final = 26
"""Not 0 where the loop begins with an exit, LEAVING: OPENED, or TOLD where a program was asked what to do there."""
SHORT: Final = 27
"""Whether the series at the state are good until the next tick alone, see `_expansion`."""
COUNTS: Final = 28

# Places in the table of numbers, after those of `steps`.
LAST: Final = _steps.NUMBERS
"""Length of the last step, as the series alone would have it."""
LAST_BUT_ONE: Final = _steps.NUMBERS + 1
LENGTH: Final = _steps.NUMBERS + 2
"""Length of the next step, as far as what happens on it allows [s]."""
TICK_AWAY: Final = _steps.NUMBERS + 3
"""Where the series are SHORT, the time until that tick [s]."""
LOW_RADIUS: Final = _steps.NUMBERS + 4
"""As RADIUS, for the first orders alone."""
SHORT_ERROR: Final = _steps.NUMBERS + 5
"""The error that a step from tick to tick may have, in the measure of every component."""
NUMBERS: Final = _steps.NUMBERS + 6

OPENED, TOLD = 1, 2
"""What ANSWERED may be."""
MOST_AT_ONCE: Final = 100
NEAR: Final = 1.0e-12
"""Size of a watched function that counts as zero after an event."""

FORESEEN: Final = 2
"""What KNOWN is where a passage has computed the flow of the structure that it leads to."""
GO_ON: Final = -1
"""No reason to end. Seen in the loop only."""


@record
class Tables:
    """What the loop reads and writes."""

    flow_at: FlowAt
    kernel_at: KernelAt
    plans: Ints
    """The table of structures."""
    exits: Ints
    """The table of their exits."""
    words: Ints
    """Conditions in postfix."""
    kinds: Ints
    """Of all leaves."""
    directions: Ints
    """In which direction the zeros of leaves count."""
    switches: Ints
    """The table of comparisons."""
    counts: Ints
    numbers: Floats
    weights: Floats
    """Of the components in the measure of errors, see `step_length`."""
    y: Floats
    """The state; in and out."""
    parameters: Floats
    """The blocks p of all structures: parameters, then modes; in and out."""
    scratch: Floats
    """Room for flows."""
    results: Floats
    """What kernels write."""
    times: Floats
    """Beginning and length of every step."""
    coefficients: Floats
    """Of the state, for every step: rows of STRIDE numbers, and room for one whole table after them."""
    which: Ints
    """The structure of every step."""
    log: Floats
    """Of events: time, loss of energy, impulses."""
    marks: Ints
    """Of events: the exit, and how many steps came before."""
    zeros: Ints
    """Leaves that start at zero; in and out."""
    signs: Ints
    """Room for three numbers a leaf: truths, instants, a stack."""
    work: Floats
    """Room for the search of zeros, see `first_zero`."""


@record
class Stay:
    """The structure in which the motion is, and its parts of the tables."""

    plan: Ints
    """Its row of the table of structures."""
    size: int
    """Numbers of a state."""
    order: int
    """Of the Taylor series."""
    stride: int
    """Numbers from one row of coefficients to the next."""
    watched: int
    """Functions that are watched: those of conditions, then those of comparisons."""
    leaves: int
    """Functions of conditions."""
    modes: int
    """Comparisons."""
    p: Floats
    """Its parameters, then its modes."""
    switches: Ints
    """Its comparisons."""
    truths: Ints
    """Of every watched function: whether it is positive."""
    instants: Ints
    """Of every watched function: 1 where it passes zero upward at this instant, -1 downward."""
    stack: Ints
    """Room for the evaluation of conditions."""
