"""The tables of free bodies whose shapes touch in the plane: the meaning of every place in them. See `_loop`."""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Ints
from sistel.records import record

# Places in the table of counts.
BODIES: Final = 0
"""Bodies, the ground among them: it is number 0."""
ELEMENTS: Final = 1
FEATURES: Final = 2
ORDER: Final = 3
"""Of series."""
STEPS: Final = 4
"""Steps that are written down; out."""
STEP_ROOM: Final = 5
WRITTEN: Final = 6
"""Numbers of their coefficients; out."""
WRITE_ROOM: Final = 7
EVENTS: Final = 8
"""Events that are written down; out."""
EVENT_ROOM: Final = 9
CHANGES: Final = 10
"""Changes of statuses that are written down; out."""
CHANGE_ROOM: Final = 11
BLOWS: Final = 12
"""Impulses of elements that are written down; out."""
BLOW_ROOM: Final = 13
RECORD: Final = 14
"""Whether steps are written down."""
NEAR: Final = 15
"""Features that may be touched within the step."""
ROWS: Final = 16
"""Contacts in the problem that is at hand."""
UNKNOWNS: Final = 17
"""Rows of its equations."""
AT_ONCE: Final = 18
"""Passages at one instant."""
CULPRIT: Final = 19
"""Element that a failure is about; out."""
ALL_STEPS: Final = 20
"""Steps that were taken; out."""
COMMANDS: Final = 21
"""Rounds that problems have taken, for measurements; out."""
CLOSED_COUNT: Final = 22
"""Elements that are closed."""
MOST: Final = 23
"""Contacts for which there is room in one problem."""
DEGREE: Final = 24
"""Of the series of the step at hand."""
MEMBERS: Final = 25
"""Bodies in the list of members."""
PIECES: Final = 26
"""Pieces of motion that are written down; out."""
PIECE_ROOM: Final = 27
BEFORE: Final = 28
"""Elements that were closed before the passage at hand."""
RENEWED: Final = 29
"""Bodies that begin new series now, and those whose next strike is looked for again."""
DULL_COUNT: Final = 30
"""Contacts of heaps whose hops or slips were too slow to be followed; out."""
BODY_ROW: Final = 31
"""Numbers of a body in the table of bodies: the plane and space have others."""
ALL_WIDTH: Final = 32
"""Numbers that pieces of motion of all bodies take, twice."""
SHORT: Final = 33
"""Degree of series where much happens: slips in space that turn need long ones."""
LETTING: Final = 34
"""In space: whether something lets go: others that have done so at this instant do not come back for it."""
RATE_ROW: Final = 35
"""Rates of a body."""
CONTACT_ROW: Final = 36
"""Series of a contact."""
FORCE_ROW: Final = 37
"""The first series of its force, from the first one of the contact."""
FORCE_ROWS: Final = 38
"""How many these are."""
AXIS: Final = 39
"""The axis along which contacts are put in order: that along which the bodies concerned are farthest apart."""
AXES: Final = 40
"""Of the plane or of space."""
PLACES: Final = 41
"""Numbers of the place of a body."""
QUIETED: Final = 42
"""How often contacts were left as they are for a while; out."""
STRUCK: Final = 43
"""Whether there was an impact in the passage at hand."""
LOOSE: Final = 44
"""How often forces or impulses kept their laws only within the shift of the numbers; out."""
STALLED: Final = 45
"""Steps of no length, one after another."""
HELD_ALL: Final = 46
"""How often all contacts held for a moment, because no forces were found that keep all laws; out."""
CARRIES: Final = 47
"""Whether the problem at hand asks for forces, which are nearly those of the passage before, not for impulses."""
NEARBY: Final = 48
"""Whether forces near those that sweeps came to are asked for, of all that keep the statuses."""
WEDGED: Final = 49
"""How often impulses with rebounds kept no laws, and those without did; out."""
COUNTS: Final = 50
LOW: Final = 8
"""Degree of short series in the plane."""

# Places in the table of numbers.
TIME: Final = 0
UNTIL: Final = 1
LONGEST: Final = 2
GX: Final = 3
GY: Final = 4
TOLERANCE: Final = 5
LOSS: Final = 6
"""Of energy in the impact at hand [J]."""
STEP: Final = 7
"""Length of the step at hand [s]."""
LAST: Final = 8
"""Time of the last passage [s]."""
FASTEST: Final = 9
"""The largest velocity that contacts have had at events [m/s]."""
FLOOR: Final = 10
"""Velocity or acceleration that counts as none in the problem at hand."""
SOFT: Final = 11
"""Acceleration that the slack of laws may leave [m/s²]."""
DULL: Final = 12
"""Velocity below which slips are left out in the problem at hand [m/s]."""
DULLEST: Final = 13
"""The fastest of the hops that were not followed [m/s]; out."""
FIRST_DULL: Final = 14
"""When the first of them was [s]; out."""
NEXT: Final = 15
"""Time of the passage that comes next [s]."""
NEARLY: Final = 16
"""Gap up to which what is open takes part in the passage at hand [m]."""
LONGEST_CALM: Final = 17
"""The longest time for which contacts were left as they are [s]; out."""
FIRST_CALM: Final = 18
"""When that was first [s]; out."""
LOOSEST: Final = 19
"""The most by which they missed them, as a part of the largest velocity or acceleration; out."""
LONGEST_HOLD: Final = 20
"""The longest time for which all held because no forces keep all laws [s]; out."""
NUMBERS: Final = 21

# A row of the table of bodies.
LIGHT: Final = 0
"""Inverse of the mass [1/kg]."""
TURN: Final = 1
"""Inverse of the moment of inertia [1/(kg·m²)]."""
REACH: Final = 2
"""Radius around the centre of mass that holds all shapes [m]."""
COM_X: Final = 3
COM_Y: Final = 4
"""Centre of mass in the frame of the body [m]."""
ODD: Final = 5
"""1 where turning moves something: a shape is not a circle around the centre of mass."""
BODY: Final = 6

# A row of the table of features, floats.
PX: Final = 0
PY: Final = 1
"""The point, or the centre of a circle, from the centre of mass of its body [m]."""
RADIUS: Final = 2
NX: Final = 3
NY: Final = 4
"""Of a side: its normal."""
OFF: Final = 5
"""Of a side: its place along the normal, from the centre of mass [m]."""
ALONG: Final = 6
"""Of a side: where it begins along itself [m]."""
LENGTH: Final = 7
SHARP: Final = 8
"""Whether a point rests at the very end of a side, too."""
QX: Final = 9
QY: Final = 10
"""Of a corner or a circle: its place from the centre of mass [m]."""
OTHER: Final = 11
"""Radius of a circle, 0 of a corner [m]."""
BEGUN_X: Final = 12
BEGUN_Y: Final = 13
"""Of a corner: the side before it ends here, in this direction; zeros where there is none."""
ENDED_X: Final = 14
ENDED_Y: Final = 15
"""Of a corner: the side after it begins here, in this direction; zeros where there is none."""
DEPTH: Final = 16
"""Of a side: how far behind it nothing is free [m]."""
LOW_X: Final = 17
LOW_Y: Final = 18
HIGH_X: Final = 19
HIGH_Y: Final = 20
"""On the ground: the box around it [m]."""
FROM_X: Final = 21
FROM_Y: Final = 22
TO_X: Final = 23
TO_Y: Final = 24
"""Of a corner that touches: the directions of the two sides that leave it, see `Outline.wedge`; zeros of a point."""
FEATURE: Final = 25

BLOCK: Final = 16
"""Features with the ground that have one more box around them all."""

# A row of the table of features, whole numbers.
KIND: Final = 0
OWNER: Final = 1
A: Final = 2
B: Final = 3
KINDS: Final = 4
SIDE: Final = 0
ROUND: Final = 1

# A row of the table of elements.
FIRST: Final = 0
COUNT: Final = 1
CLINGS: Final = 2
"""Whether it cannot slide."""
GRIPS: Final = 3
"""Whether it has friction."""
IS_ROUND: Final = 4
"""Whether it is a circle that touches."""
ELEMENT: Final = 5

# A row of the table of laws.
FRICTION: Final = 0
NEWTON: Final = 1
POISSON: Final = 2
LAW: Final = 3

# Rows of the series of a body.
S_X: Final = 0
S_Y: Final = 1
S_TURN: Final = 2
S_COS: Final = 3
S_SIN: Final = 4
S_VX: Final = 5
S_VY: Final = 6
S_SPIN: Final = 7
S_AX: Final = 8
S_AY: Final = 9
S_ASPIN: Final = 10
SERIES: Final = 11

# Rows of the series of a contact.
C_NX: Final = 0
C_NY: Final = 1
C_AX: Final = 2
C_AY: Final = 3
C_BX: Final = 4
C_BY: Final = 5
C_AN: Final = 6
C_AT: Final = 7
C_BN: Final = 8
C_BT: Final = 9
C_LN: Final = 10
C_LT: Final = 11
C_UN: Final = 12
C_UT: Final = 13
C_SERIES: Final = 14

# A row of a contact in a problem.
R_NX: Final = 0
R_NY: Final = 1
R_AN: Final = 2
R_AT: Final = 3
R_BN: Final = 4
R_BT: Final = 5
R_X: Final = 6
R_Y: Final = 7
"""Where it touches [m]."""
ROW: Final = 8

# What ends a step.
NOTHING: Final = 0
STRIKES: Final = 1
LETS_GO: Final = 2
SLIPS: Final = 3
STOPS: Final = 4
SLIDES_OFF: Final = 5
GOES_AROUND: Final = 6

# A row of the table of pieces.
P_BODY: Final = 0
P_DEGREE: Final = 1
P_AT: Final = 2
PIECE: Final = 3

# A row of the log of events, and of blows.
LOG: Final = 8
"""Time, loss; what ended the step and whose it was, changes and blows before it, steps before it, numbers before it."""
BLOW: Final = 7
"""Element, normal and tangential impulse, normal, place."""

# Answers of the loop: the time is up; there is no room for more, and it goes on; no forces, or no impulses, keep all
# laws; what contacts do changes without end; there is no finite step; more touch at once than there is room for.
END, FULL, NO_SOLUTION, NO_IMPACT, CHATTERS, LOST, TOO_MANY = range(7)


@record
class World:
    """Bodies, shapes and what they do, and room to decide."""

    counts: Ints
    numbers: Floats
    bodies: Floats
    features: Floats
    kinds: Ints
    elements: Ints
    laws: Floats
    pairs: Ints
    """By two bodies: where in `lists` their elements are, 0 for none."""
    lists: Ints
    """How many elements, then these."""
    on_ground: Ints
    """Of every body: where in `lists` its features with the ground are, 0 for none."""
    fences: Floats
    """In the plane: boxes around every `BLOCK` of these features, one after another."""
    fenced: Ints
    """Of every body: where in `fences` those of its features with the ground begin."""
    place: Floats
    """Of every body: centre of mass and angle."""
    rate: Floats
    kept_rate: Floats
    """Rates after the impact at hand."""
    status: Ints
    """Of every element: 0 where it is open, else CLOSED and what it does along its tangent."""
    touched: Ints
    """Of every element that is closed: its feature."""
    closed: Ints
    """Elements that are closed."""
    earlier: Ints
    """Those that were closed before the passage at hand."""
    chain: Ints
    """Of every body: the first of its closed elements, as twice their place and 1 of a second body; -1 for none."""
    chained: Ints
    """Of these: the next."""
    asleep: Ints
    """Of every body: whether it rests."""
    series: Floats
    """Of every body: its motion from the time `shown` on."""
    degree: Ints
    """Of every body: of its series."""
    kept: Floats
    """Its motion from the time `born` on: it goes on along that until something happens to it."""
    shown: Floats
    born: Floats
    until: Floats
    """How long these series are good [s]."""
    next_at: Floats
    """When it strikes something next [s]."""
    next_of: Ints
    """The feature that does."""
    end_at: Floats
    """When something ends for a closed contact of its island [s]; infinite but for one body of an island."""
    end_of: Ints
    """The feature of that, 8 times, and what it is."""
    soft: Floats
    """Acceleration that the slack of laws may leave [m/s²]."""
    fresh: Ints
    """Whether it begins new series now, 2, or its next strike is looked for again, 1."""
    renewed: Ints
    """Bodies of which either is true."""
    contact_series: Floats
    near: Ints
    """Features that may be touched within the step."""
    low: Floats
    high: Floats
    """Of every body: the box that holds it during the step."""
    member: Ints
    """Of every body: whether the problem at hand moves it; 2 where all that it touches is known."""
    members: Ints
    """Bodies that it moves."""
    chosen: Ints
    """Contacts of the problem at hand: their features."""
    rows: Floats
    body_a: Ints
    body_b: Ints
    state: Ints
    """What they do, as tried."""
    best: Ints
    wrong: Ints
    way: Floats
    """Directions of slips that are known, else 0."""
    b_n: Floats
    b_t: Floats
    x_n: Floats
    x_t: Floats
    w_n: Floats
    w_t: Floats
    size: Floats
    """Sizes of the terms of w."""
    u_n: Floats
    u_t: Floats
    given_n: Floats
    given_t: Floats
    sum_n: Floats
    sum_t: Floats
    kept_n: Floats
    kept_t: Floats
    """What sweeps over all contacts came to."""
    back: Floats
    """Normal impulse that an expansion gives back."""
    spread: Floats
    """Of every body: what forces do to it."""
    matrix: Floats
    columns: Floats
    """In the plane: what forces of its columns are to their bodies."""
    tableau: Floats
    given: Floats
    basic: Ints
    first: Ints
    """Of Lemke's method."""
    reach: Ints
    """Of every row of the matrix: its last number that is not zero."""
    begin: Ints
    """Of every row: its first."""
    head: Ints
    link: Ints
    """Of every body: the first of its rows, twice, and 1 where it is the second body of that; of these: the next."""
    which: Ints
    """Of every row: its contact, twice, and 1 of a tangent."""
    dropped: Ints
    """Of every row: whether it follows from others."""
    leader: Ints
    """Of every contact: that which holds along the tangent for it; itself, or -1."""
    right: Floats
    solved: Floats
    power: Floats
    """Room for a polynomial."""
    more: Floats
    work: Floats
    """Room for its zeros."""
    times: Floats
    pieces: Ints
    """Of every piece of motion that is written down: its body, its degree, where its coefficients begin."""
    spans: Floats
    """Its beginning and its end [s]."""
    coefficients: Floats
    log: Floats
    changes: Ints
    blows: Floats
    muted: Floats
    """Of every element: when what it would do at once is none of it: its laws leave it either way [s]."""
    turned: Floats
    """Of every element: when it last changed what it does without an impact [s]."""
    fusses: Ints
    """Of every body: how often what its contacts do has changed without an impact since `fuss_since`."""
    fuss_since: Floats
    """[s]"""
    calm_until: Floats
    """Of every body: until when its contacts hold what they hold, see `quieten` [s]."""
    calm_for: Floats
    """How long that is [s]."""
    gone: Floats
    """In space: of every element, when it let go of a box [s]: at that instant it does not come back for another."""
    before: Ints
    """Statuses before the passage at hand."""
    triangle: Floats
    """In space: the matrix, made triangular."""
    carried: Floats
    """In space: the forces of the rows of the matrix."""
    heading: Floats
    """In space: of every element, the direction in which it begins to slip."""
    box_pairs: Ints
    """In space: how many pairs of boxes there are; of each, its first feature, and how many it has."""
    loads: Floats
    """Of every element that is closed, the force that it carries: in space in W, in the plane along its normal and its
    tangent."""
