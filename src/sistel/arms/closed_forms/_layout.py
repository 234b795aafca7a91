"""Where the numbers of an arm are kept that machine code goes by."""

from __future__ import annotations

from typing import Final

LANES: Final = 8
"""Branches whose poses are computed at a time."""
MOST: Final = 16
"""Branches at most: of three parallel axes before two that do not meet."""

HINGE, POINT, AXIS, JOINT = 0, 1, 4, 7
"""Of a joint at zero: whether it is a hinge, a point of its axis, its unit direction; how many numbers that is."""

WRIST, PARALLEL = range(2)
"""Forms: three joints that place a point and hinges about it; three parallel axes."""
TURN_TURN, SLIDE_TURN, SLIDE_SLIDE, SLIDE_TURN_SLIDE, SLIDES = range(5)
"""Kinds of three joints that place a point: two hinges and anything, RPR, RPP, PRP, PPP."""

FORM, COUNT, ENDS, KIND, SWAPPED, BACKWARDS, FREE, APART = range(8)
"""Whole numbers: the form, joints, how many of them are a wrist, the kind of the first three, whether these are taken
from the third to the first, whether all are taken from the tool, how many of the last stay where they are, whether the
fifth and the sixth axis do not meet."""
NQ, FREE_AXIS, TURNING, ARGUMENTS, STOP, SEVERAL, ROWS, SEEDS, PLACES = range(8, 17)
"""Then: coordinates of the system, the axis about which the frame may turn (-1 for none), whether any turn is asked
for, the address of the arguments of the pose, a flag that stops, whether all solutions are kept, targets, whether each
has a seed of its own, the joints in q."""
TURNS, ASKED, PLAN = PLACES + 6, PLACES + 12, PLACES + 18
"""Whether joints are angles, which of six components are asked for; how many whole numbers there are."""

SIZE, HOME, CENTRE, JOINTS, CHAIN = 0, 1, 13, 16, 58
"""Numbers: the size of the arm [m], the inverse of the pose at zero (axes by rows, then the place), where the last axes
meet [m], joints as the form takes them, joints from the base on."""
PLACING, O1, O2, BASIS, GAP, SINE, COSINE = 100, 121, 124, 127, 136, 137, 138
"""Of joints that place a point: themselves; of two hinges the points that are nearest, the axes there by rows (of three
slides the inverse of their directions), the distance, sine and cosine of the angle between them."""
ACROSS, BEND = 139, 142
"""A direction across the last axis of a wrist, or across the parallel ones; the reach, the middle and what is added to
k of reach · cos (x - middle) = k for the second angle of a wrist, or for the fifth of an arm with parallel axes."""
UPPER, LOWER, SIDE, ELBOW, HEIGHT, TILT, LEAN = 145, 148, 151, 154, 157, 158, 159
"""Of three parallel axes: what is between the first two and between the last two, across them, and the latter turned by
a right angle; the same three numbers for the angle between; the height of the centre along them, of the direction of
the fifth axis, of that of the first."""
HAND, BENT = 160, 169
"""Of a wrist of three hinges: axes by rows, of which the first axis of the wrist is the last; parts e, f, g of
e + f cos + g sin, in these axes, that the last axis and the direction across it are when the second hinge turns."""
BOUNDS, TOLERANCES, NUMBERS = 187, 199, 201
"""Lower and upper limits; tolerances [rad and m]; how many numbers there are."""

FORM_ROOM: Final = 160
"""Numbers that the forms work in."""
TARGET, SEED, EVERY, LEFT, JACOBIAN, STEP, AWAY, BEST, WORK = 0, 12, 18, 114, 162, 198, 204, 220, 242
"""Places in the room: the target, the seed, candidates, what is left of each lane, the Jacobian, a step, how far
candidates are from the seed, the pose of the nearest one and what is left there, room for the rest."""
ROOM: Final = WORK + FORM_ROOM
"""Numbers of the room."""
KINDS, ORDER, HOLD, CALM, MARKS = 0, 16, 32, 38, 46
"""Places of marks: what candidates are, their order, which joints are held (none but while one candidate is judged),
whether each lane is within the limits as it came; how many there are."""
FREE_TO_MOVE, HELD = range(2)
"""Of a joint: whether it stands at a limit."""
