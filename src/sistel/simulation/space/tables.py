"""What differs in the tables of free bodies whose shapes touch in space from those of the plane, which they are.

Of every body `place` has the centre of mass and a quaternion, `rate` its velocity and its spin, both in W. Of every
contact `b_n`, `x_n`, `w_n`, `u_n`, `given_n` and `kept_n` have three numbers: along the normal and along two tangents;
`way` has a direction along the tangents and whether it is known. `kept_t` has what a contact answers with by itself,
and `tableau` the rows of the equations, see ROW_WAY; `b_t` how soft contacts are where some rows follow from others.
`heading` has of every element the direction in which its slip
begins.
"""

from __future__ import annotations

from typing import Final

from sistel.simulation.plane import tables as t

# Places in the table of counts, behind those of the plane.
SLOW_SLIPS: Final = t.COUNTS
"""Slips of the step that are too slow to have a direction of their own."""
SHARED: Final = t.COUNTS + 1
"""Whether contacts share what they carry: some rows of the equations follow from others."""
SMOOTH: Final = t.COUNTS + 2
"""Whether the equations leave the friction of slips out."""
STILL: Final = t.COUNTS + 3
"""Contacts that are about to slip, and do not."""
CROWDED: Final = t.COUNTS + 4
"""Whether so many contacts take part in the passage at hand that slow hops are left out."""
WEIGHED: Final = t.COUNTS + 5
"""Whether contacts that share what they carry do so in proportion to what they carried before."""
CHAINS: Final = t.COUNTS + 6
"""Impacts of contacts one after another, at one instant; out."""
ROUGH: Final = t.COUNTS + 7
"""How often forces, or impulses, were found less exactly than rounding; out."""
COUNTS: Final = t.COUNTS + 8

# Places in the table of numbers: gravity has three parts, the last one is behind all others.
GRAVITY: Final = t.NUMBERS
ROUGHEST: Final = t.NUMBERS + 3
"""Part by which these were off their laws, at most; out."""
NUMBERS: Final = t.NUMBERS + 4

# What there is of every body.
PLACE: Final = 7
RATE: Final = 6
SPREAD: Final = 8
"""Velocity and spin, and the sizes of their terms."""

# A row of the table of bodies.
LIGHT: Final = 0
"""Inverse of the mass [1/kg]."""
REACH: Final = 1
"""Radius around the centre of mass that holds all shapes [m]."""
COM: Final = 2
"""Centre of mass in the frame of the body [m]."""
ODD: Final = 5
"""1 where turning moves something: a shape is not a sphere around the centre of mass."""
EVEN: Final = 6
"""1 where all moments of inertia are equal."""
TURN: Final = 7
"""Inverse of that moment [1/(kg·m²)]."""
INVERSE: Final = 8
"""Inverse of the inertia tensor in the frame of the body."""
INERTIA: Final = 17
BODY: Final = 26

# A row of the table of features, floats: the first places are those of what touches, then what is touched.
P: Final = 0
"""The point, or the centre of a sphere, from the centre of mass of its body [m]."""
RADIUS: Final = 3
Q: Final = 4
"""A place of the face, edge or corner, from the centre of mass of its body [m]."""
OTHER: Final = 7
"""Radius around it [m]."""
AXIS: Final = 8
"""Of a face: its normal. Of an edge: its direction."""
MIDDLE: Final = 11
"""Centre of the solid, from the centre of mass of its body [m]."""
AXES: Final = 14
"""Axes of the solid, one after another."""
HALF: Final = 23
"""Half lengths of the solid [m]."""
CODE: Final = 26
"""By axis: 0 where what touches is between the ends, 1 or -1 where it is beyond one, 2 where that is all one."""
LOW: Final = 29
HIGH: Final = 32
"""On the ground: the box around it [m]."""
BOXED: Final = 35
"""What of two boxes it is: SHARP_CORNER, PLAIN_CORNER or CROSSING; 0 of other shapes."""
OWN_MIDDLE: Final = 36
"""Of the box that touches: its centre, from the centre of mass of its body [m]."""
OWN_AXES: Final = 39
OWN_HALF: Final = 48
"""Axes and half lengths of the box that touches."""
OWN_EDGE: Final = 51
"""Direction of the edge that touches."""
OWN_SPAN: Final = 54
"""Half of its length [m]."""
SPAN: Final = 55
"""Half of the length of the edge that is touched [m]."""
OWN_OUT: Final = 56
OUT: Final = 59
"""Out of the boxes at these edges: the sums of the normals of the faces that meet there."""
FEATURE: Final = 62

SHARP_CORNER: Final = 1.0
"""A corner that touches a face up to its ends."""
PLAIN_CORNER: Final = 2.0
"""The same of the other box: where two corners meet, that of the first box touches."""
CROSSING: Final = 3.0
"""Two edges."""

FACE: Final = 0
EDGE: Final = 1
CORNER: Final = 2
"""Of a sphere: its centre."""
CROSS: Final = 3
"""An edge across an edge."""
BOUNDS: Final = 3
"""Axes of a solid, each of which may have two ends."""

# Rows of the series of a body.
S_X: Final = 0
S_V: Final = 3
S_A: Final = 6
S_R: Final = 9
"""The rotation, row by row."""
S_L: Final = 18
"""Moment of momentum."""
S_T: Final = 21
"""Torque."""
S_W: Final = 24
"""Spin."""
S_M: Final = 27
"""The same in the frame of the body."""
S_Q: Final = 30
"""The quaternion."""
SERIES: Final = 34

# Rows of the series of a contact.
C_N: Final = 0
C_A: Final = 3
C_B: Final = 6
"""Arms of the force: from the centres of mass to where it acts."""
C_U: Final = 9
"""Velocity of what touches, there, beside what is touched."""
C_D: Final = 12
"""Direction of the slip."""
C_F: Final = 15
"""Force."""
C_P: Final = 18
"""Its part along the normal."""
C_E: Final = 19
"""Of an edge: from a place of it to the centre of what touches."""
C_X: Final = 22
"""Its direction."""
C_K: Final = 25
"""How far along it that is."""
C_S: Final = 26
"""Speed of the slip."""
C_H: Final = 27
"""Of a slip that begins: its speed over the time."""
C_O: Final = 28
"""Of edges that cross: the direction of the edge that touches."""
C_C: Final = 31
"""Its vector product with the other one."""
C_SQUARE: Final = 34
"""The square of that."""
C_ROOT: Final = 35
"""One over its root."""
C_COSINE: Final = 36
"""The inner product of the directions."""
C_OTHER: Final = 37
"""How far the middle of one edge is along the other one from its middle."""
C_ALONG: Final = 38
"""How far from its middle the edge that touches does so."""
C_SERIES: Final = 39

# A row of a contact in a problem.
R_N: Final = 0
R_S: Final = 3
R_T: Final = 6
"""Normal and two tangents."""
R_A: Final = 9
R_B: Final = 12
"""Arms."""
R_X: Final = 15
"""Where it touches [m]."""
ROW: Final = 18

# A row of the equations.
ROW_WAY: Final = 0
"""Its direction."""
ROW_A: Final = 3
ROW_B: Final = 6
"""The arms across it."""
ROW_FORCE: Final = 9
"""Direction of its force."""
ROW_SPIN_A: Final = 12
ROW_SPIN_B: Final = 15
"""What this does to spins."""
ROW_SOFT: Final = 18
"""What its own force moves beside that."""
EQUATION: Final = 19

BLOW: Final = 10
"""A row of the log of blows: element, impulse in W, normal, place."""
