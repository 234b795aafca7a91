"""The tables of passages in machine code: the meaning of every place in them. See `_passage`."""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Ints
from sistel.records import record
from sistel.simulation.contact._trials import Problem

# Places in the table of counts.
ELEMENTS: Final = 0
SIDES: Final = 1
"""Tangents of an element: 1 in the plane, 2 in space."""
RATES: Final = 2
"""Numbers of a velocity."""
FIRST_RATE: Final = 3
"""Where they begin in the state."""
ROWS: Final = 4
"""Of the layout."""
WRITTEN: Final = 5
"""Exits of the file, which come before those of the elements."""
LEAVES: Final = 6
SURFACES: Final = 7
"""Elements that can strike."""
PARTS: Final = 8
"""Numbers of the block p before the modes."""
SHARE: Final = 9
"""Where in it the shares are, -1 for none."""
LOOK: Final = 10
"""The kernel of what problems are made of."""
LOOK_ARGUMENTS: Final = 11
HERE_ARGUMENTS: Final = 12
FIND: Final = 13
"""The kernel of what elements find at a state; 0 for none."""
FIND_ARGUMENTS: Final = 14
BASE: Final = 15
"""The kernel of what the links of the structure find; 0 for none."""
BASE_ARGUMENTS: Final = 16
CHOOSE: Final = 17
"""The kernel of modes; 0 for none."""
CHOOSE_ARGUMENTS: Final = 18
HELD: Final = 19
"""Where in the results what holds is."""
KNOWN: Final = 20
"""Statuses of all elements that are known: rows of the table of stands."""
NOW: Final = 21
"""Which of them there is now; -1 where it is none of them."""
TOLD: Final = 22
"""Whether the run has been told that loads are shared."""
AT_ONCE: Final = 23
"""Passages at one instant."""
SINCE: Final = 24
"""Events that machine code has taken by itself since the last passage; out."""
OPEN_WAYS: Final = 25
"""Whether passages may be taken here at all."""
DECIDED: Final = 26
"""Passages that were taken here; out."""
FIRST_WATCHED: Final = 27
"""The first of the elements' watched functions: those of the exits of the file come before."""
ASKED: Final = 28
"""Whether a passage leads to statuses that are not known: `next` has them, and the passage waits. In and out."""
WAITING: Final = 29
"""Events before those that SINCE counts, where a passage waits."""
MOVE: Final = 30
"""The kernel of rates of coordinates."""
MOVE_ARGUMENTS: Final = 31
BEGAN: Final = 32
"""Whether slips in space begin with the motion that was decided last."""
READS: Final = 33
"""Whether ticks or conditions read contact forces: then Python shares them among rows that follow from others."""
COUNTS: Final = 34

# Places in the table of numbers.
FASTEST: Final = 0
"""The largest velocity that elements have had at events [m/s]."""
MOMENT: Final = 1
"""Of the last passage [s]."""
LOSS: Final = 2
"""Of energy in an impact [J]."""
MOMENT_LENGTH: Final = 3
"""Of the first moment of slips in space, 0 where there is none [s]."""
NUMBERS: Final = 4

# A row of the table of elements.
NORMAL: Final = 0
"""Row of its normal in the layout, -1 for none."""
TANGENT: Final = 1
"""Row of its first tangent."""
TANGENTS: Final = 2
CLINGS: Final = 3
"""Whether it cannot slide."""
PUSHES: Final = 4
"""Whether it is a contact, neither a stop nor a grip."""
WAY: Final = 5
"""Where in the block p the direction of its slip is, -1 where it has none."""
ELEMENT: Final = 6

# A row of the table of laws.
FRICTION: Final = 0
NEWTON: Final = 1
POISSON: Final = 2
BACK: Final = 3
"""Friction of slips the other way."""
RESTITUTION: Final = 4
LAW: Final = 5

# A row of the table of leaves.
WHOSE: Final = 0
KIND: Final = 1
"""0 of a normal, 1 and 2 of a tangent."""
PLACE: Final = 2
"""In the block p."""
STRIKE: Final = 3
"""Address of the kernel of its strike alone, 0 where that is not compiled."""
ALONE: Final = 4
"""Whether it has one."""
LEAF: Final = 5

# A row of the table of stands, after the statuses of all elements.
STAND: Final = 2
"""The number of its name, and whether all elements are open."""

SPEEDS: Final = 4
"""Strikes of an element that are kept in mind."""

MASK: Final = 24
"""Bits of an event's mark that say which elements have impulses; then those of the statuses after it, of those before
it, and its leaf."""
NAMES: Final = 12
"""Bits of statuses."""
TICKS: Final = 61
"""The bit of a mark that tells a tick."""
TICK_EXITS: Final = 16
"""Bits of the exit of a tick; the number of statuses comes above them."""

SOON: Final = 2e-15
"""Part of the time by which a look is later than its instant where equations compare it: what follows is to be seen."""


@record
class Data:
    """What the problems at one state are made of; see `derive_data`."""

    gap: Floats
    u: Floats
    size: Floats
    G: Floats
    a: Floats
    P: Floats
    axes: Floats
    free: Floats
    bound: Floats


@record
class Scene:
    """The elements of a structure of the file, and room to decide what they do."""

    counts: Ints
    numbers: Floats
    elements: Ints
    laws: Floats
    leaves: Ints
    places: Ints
    """Of every row of the layout: its place among the normals and tangents of all elements."""
    groups: Ints
    """Elements in the order of those that may follow from each other: the element, and the number of its group."""
    stands: Ints
    """Statuses of all elements that are known, a row each."""
    numbers_of: Floats
    """The block p of each of them, where all rows count."""
    speeds: Floats
    """Of every element: velocities of its last strikes, SPEEDS numbers each."""
    strikes: Ints
    """Of every element: how many of them there are."""
    data: Data
    here: Data
    """The same at another state."""
    problem: Problem
    y: Floats
    """A state to look at."""
    p: Floats
    """A block p, modes included."""
    last: Floats
    """The block p at the last look."""
    live: Floats
    """What kernels of modes read of it."""
    later: Floats
    """The state after a passage."""
    start: Floats
    """The state after an impact."""
    total: Floats
    """Impulses of all rows."""
    before: Floats
    """Those of impacts before, at the same instant."""
    u: Floats
    """Velocities of all rows."""
    x: Floats
    """Forces of all rows."""
    given: Floats
    """Impulses of the elements that take part."""
    b: Floats
    """Their velocities."""
    pressed: Floats
    """Impulses that an expansion gives back."""
    free: Floats
    """Accelerations."""
    first: Floats
    """Accelerations at the beginning."""
    rates: Floats
    """Of coordinates."""
    all_w: Floats
    """Accelerations of all rows."""
    own_x: Floats
    """Forces of all rows, kept while others are looked at."""
    moved: Floats
    """A state."""
    gauss: Floats
    """Gauss's nodes, integrals from 0 to every node, weights, Legendre's coefficients, powers; see `_onsets`."""
    states: Floats
    rates_at: Floats
    """At the nodes: states, and their rates."""
    theta: Floats
    slips_at: Floats
    turns_at: Floats
    """At the nodes: angles of slips, their accelerations, and what turns of every slip make of them."""
    forces_at: Floats
    gaps_at: Floats
    matrix: Floats
    off: Floats
    step: Floats
    """Of Newton's method."""
    series: Floats
    """The first moment of slips as powers of the time."""
    sliding: Ints
    """Places of those that slide among those that take part."""
    rows: Ints
    """Rows of some elements."""
    kept_x: Floats
    kept_ways: Floats
    kept_statuses: Ints
    """A solution that may be better than the next one."""
    swept: Floats
    """Room for sweeps."""
    slipping: Floats
    """Directions of slips that there are, SIDES numbers an element."""
    ways: Floats
    """Directions of slips from now on."""
    statuses: Ints
    """What elements did."""
    next: Ints
    """What they do next."""
    prefer: Ints
    touching: Ints
    """Elements that touch."""
    struck: Ints
    """Of every element: whether it strikes."""
    still: Ints
    """Elements that touch and do not part."""
    chosen: Ints
    """Those of them that have something to decide."""
    speed: Floats
    """Of every element: how fast it slips, -1 where it does not."""
    slow: Ints
    """Of every element: whether its slip ends."""
    ended: Ints
    """Of every element: whether its slip has just ended."""
    wish: Ints
    now: Ints
    """Statuses of all elements."""
    new_speeds: Floats
    new_strikes: Ints
    share: Floats
    change: Floats
    product: Floats
    """Room for matrices of all rows."""
    wanted: Floats
    """What every row of the layout carries."""
    kept: Ints
    """Rows that hold."""
    some: Ints
    """Rows of a group."""
    fewer: Ints
    """Those of them that the others follow from."""


def tick_code(now: int) -> int:
    """What is added to the exit of a tick with some statuses. Written in the compiled subset of Python."""
    return 2305843009213693952 + now * 65536
