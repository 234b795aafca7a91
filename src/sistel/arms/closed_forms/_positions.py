"""Three joints that bring a point to a place, in closed form: hinges and slides in any order and arrangement.

E₁E₂E₃p = g. What the first joint leaves as it is (of a hinge the height along its axis and the distance from a point
of it) makes two equations for the other two. They are linear in the cosine and the sine of the second angle; squares
added give the third joint alone: an angle by a quartic in e^{iq}, a slide by a quartic; where axes meet or are
parallel, less (D. L. Pieper, The kinematics of manipulators under computer control, 1968).

Written in the compiled subset of Python. Each function writes rows of three coordinates and says how many; rows may be
NaN, or not lead there.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import (
    AXIS,
    BASIS,
    COSINE,
    GAP,
    HINGE,
    JOINT,
    KIND,
    O1,
    O2,
    PLACING,
    POINT,
    SINE,
    SIZE,
    SLIDE_SLIDE,
    SLIDE_TURN,
    SLIDE_TURN_SLIDE,
    TURN_TURN,
)
from sistel.arms.closed_forms._roots import (
    angle_between,
    arc,
    dot,
    four_angles,
    four_numbers,
    moved,
    multiplied,
    two_angles,
    two_numbers,
)
from sistel.kernels.subset import Floats, Ints, shift

NEAR: Final = 2e-5
"""Angles [rad], and parts of the size of an arm, that are taken for none: files round a right angle to 1.5708. What
that leaves is made up by Newton's steps."""


def line(joint: Floats, p: Floats, origin: Floats, e: Floats, f: Floats, g: Floats) -> None:
    """Parts e, f, g of E p − origin = e + f cos q + g sin q, of a slide of e + q f."""
    axis = shift(joint, AXIS)
    if joint[HINGE] == 0.0:
        for i in range(3):
            e[i] = p[i] - origin[i]
            f[i] = axis[i]
            g[i] = 0.0
        return
    for i in range(3):
        f[i] = p[i] - joint[POINT + i]
    along = dot(axis, f)
    for i in range(3):
        f[i] = f[i] - along * axis[i]
        e[i] = joint[POINT + i] + along * axis[i] - origin[i]
    g[0] = axis[1] * f[2] - axis[2] * f[1]
    g[1] = axis[2] * f[0] - axis[0] * f[2]
    g[2] = axis[0] * f[1] - axis[1] * f[0]


def seen(basis: Floats, v: Floats) -> None:
    """A vector in the axes that are the rows of a matrix, in place."""
    x = dot(basis, v)
    y = dot(shift(basis, 3), v)
    z = dot(shift(basis, 6), v)
    v[0] = x
    v[1] = y
    v[2] = z


def first_angle(numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> None:
    """The first coordinate of a row that has the others: the turn that brings the point to its place."""
    first = shift(numbers, PLACING)
    wanted = shift(room, 3)
    moved(shift(first, 2 * JOINT), q[2], start, room)
    moved(shift(first, JOINT), q[1], room, room)
    for i in range(3):
        room[i] = room[i] - first[POINT + i]
        wanted[i] = goal[i] - first[POINT + i]
    q[0] = angle_between(shift(first, AXIS), room, wanted, numbers[SIZE], seed[0])


def third_angles(
    numbers: Floats,
    e: Floats,
    f: Floats,
    g: Floats,
    height: float,
    rest: float,
    usual: float,
    room: Floats,
    out: Floats,
) -> int:
    """Of three hinges: angles of the third; how many."""
    size = numbers[SIZE]
    d = numbers[GAP]
    if abs(d) <= NEAR * size:
        two_angles(2.0 * dot(e, f), 2.0 * dot(e, g), rest - dot(f, f), size * size, usual, out)
        return 2
    if abs(numbers[SINE]) <= NEAR:
        two_angles(f[2], g[2], numbers[COSINE] * height - e[2], size, usual, out)
        return 2
    quartic = shift(room, 3)
    for i in range(5):
        quartic[i] = 0.0
    room[0] = (rest - dot(f, f)) / (2.0 * d)
    room[1] = -dot(e, f) / d
    room[2] = -dot(e, g) / d
    multiplied(1.0, room, room, quartic)
    room[0] = (height - numbers[COSINE] * e[2]) / numbers[SINE]
    room[1] = -numbers[COSINE] * f[2] / numbers[SINE]
    room[2] = -numbers[COSINE] * g[2] / numbers[SINE]
    multiplied(1.0, room, room, quartic)
    for i in range(2):
        room[0] = e[i]
        room[1] = f[i]
        room[2] = g[i]
        multiplied(-1.0, room, room, quartic)
    four_angles(quartic, shift(room, 8), out)
    return 4


def third_slides(numbers: Floats, e: Floats, a: Floats, height: float, rest: float, room: Floats, out: Floats) -> int:
    """Of two hinges and a slide: coordinates of the slide; how many."""
    d = numbers[GAP]
    sine = numbers[SINE]
    cosine = numbers[COSINE]
    if abs(d) <= NEAR * numbers[SIZE]:
        two_numbers(1.0, dot(e, a), -rest, out)
        return 2
    if abs(sine) <= NEAR:
        out[0] = (cosine * height - e[2]) / a[2]
        return 1
    # A² + B² = ux² + uy² with u = e + x a.
    a0 = rest / (2.0 * d)
    a1 = -dot(e, a) / d
    a2 = -0.5 / d
    b0 = (height - cosine * e[2]) / sine
    b1 = -cosine * a[2] / sine
    room[0] = a0 * a0 + b0 * b0 - e[0] ** 2 - e[1] ** 2
    room[1] = 2.0 * (a0 * a1 + b0 * b1 - e[0] * a[0] - e[1] * a[1])
    room[2] = 2.0 * a0 * a2 + a1 * a1 + b1 * b1 - a[0] ** 2 - a[1] ** 2
    room[3] = 2.0 * a1 * a2
    room[4] = a2 * a2
    four_numbers(room, shift(room, 5), out)
    return 4


def turn_turn(numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> int:
    """Of two hinges and anything."""
    third = shift(numbers, PLACING + 2 * JOINT)
    basis = shift(numbers, BASIS)
    e = shift(room, 0)
    f = shift(room, 3)
    g = shift(room, 6)
    v = shift(room, 9)
    thirds = shift(room, 12)
    pair = shift(room, 16)
    w = shift(room, 18)
    first = shift(room, 21)
    there = shift(room, 24)
    inner = shift(room, 27)
    size = numbers[SIZE]
    d = numbers[GAP]
    meet = abs(d) <= NEAR * size
    parallel = abs(numbers[SINE]) <= NEAR
    for i in range(3):
        w[i] = goal[i] - numbers[O1 + i]
    height = dot(w, shift(numbers, PLACING + AXIS))
    square = dot(w, w)
    seen(basis, w)
    first[0] = 0.0
    first[1] = numbers[SINE]
    first[2] = numbers[COSINE]
    line(third, start, shift(numbers, O2), e, f, g)
    seen(basis, e)
    seen(basis, f)
    seen(basis, g)
    rest = square - dot(e, e) - d * d
    hinge = third[HINGE] != 0.0
    if hinge:
        found = third_angles(numbers, e, f, g, height, rest, seed[2], inner, thirds)
    else:
        found = third_slides(numbers, e, f, height, rest, inner, thirds)
    count = 0
    for i in range(found):
        c = math.cos(thirds[i]) if hinge else thirds[i]
        s = math.sin(thirds[i]) if hinge else 0.0
        for j in range(3):
            v[j] = e[j] + c * f[j] + s * g[j]
        A = (square - dot(v, v) - d * d) / (1.0 if meet else 2.0 * d)
        B = (height - numbers[COSINE] * v[2]) / (1.0 if parallel else numbers[SINE])
        ways = 2
        if meet:
            two_angles(v[1], v[0], B, size, seed[1], pair)
        elif parallel:
            two_angles(v[0], -v[1], A, size, seed[1], pair)
        else:
            x = v[0] * A + v[1] * B
            y = v[0] * B - v[1] * A
            pair[0] = arc(y, x) if math.sqrt(x * x + y * y) > 1e-24 * size**2 else seed[1]
            ways = 1
        for j in range(ways):
            row = shift(q, 3 * count)
            row[1] = pair[j]
            row[2] = thirds[i]
            c = math.cos(pair[j])
            s = math.sin(pair[j])
            there[0] = d + c * v[0] - s * v[1]
            there[1] = s * v[0] + c * v[1]
            there[2] = v[2]
            row[0] = angle_between(first, there, w, size, seed[0])
            count += 1
    return count


def slide_turn(numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> int:
    """Of a hinge, a slide and a hinge."""
    first = shift(numbers, PLACING)
    z = shift(first, AXIS)
    a = shift(first, JOINT + AXIS)
    e = shift(room, 0)
    f = shift(room, 3)
    g = shift(room, 6)
    w = shift(room, 9)
    thirds = shift(room, 12)
    pair = shift(room, 16)
    inner = shift(room, 18)
    for i in range(3):
        w[i] = goal[i] - first[POINT + i]
    height = dot(w, z)
    square = dot(w, w)
    line(shift(first, 2 * JOINT), start, shift(first, POINT), e, f, g)
    rise = dot(z, a)
    count = 0
    if abs(rise) <= NEAR:
        two_angles(dot(f, z), dot(g, z), height - dot(e, z), numbers[SIZE], seed[2], thirds)
        for i in range(2):
            for j in range(3):
                w[j] = e[j] + math.cos(thirds[i]) * f[j] + math.sin(thirds[i]) * g[j]
            two_numbers(1.0, dot(w, a), dot(w, w) - square, pair)
            for j in range(2):
                row = shift(q, 3 * count)
                row[1] = pair[j]
                row[2] = thirds[i]
                first_angle(numbers, start, goal, seed, inner, row)
                count += 1
        return count
    slide = shift(room, 18)
    along = shift(room, 21)
    quartic = shift(room, 24)
    slide[0] = (height - dot(e, z)) / rise
    slide[1] = -dot(f, z) / rise
    slide[2] = -dot(g, z) / rise
    along[0] = dot(e, a)
    along[1] = dot(f, a)
    along[2] = dot(g, a)
    quartic[0] = dot(e, e) + dot(f, f) - square
    quartic[1] = 2.0 * dot(e, f)
    quartic[2] = 2.0 * dot(e, g)
    quartic[3] = 0.0
    quartic[4] = 0.0
    multiplied(2.0, slide, along, quartic)
    multiplied(1.0, slide, slide, quartic)
    inner = shift(room, 29)
    four_angles(quartic, inner, thirds)
    for i in range(4):
        row = shift(q, 3 * i)
        row[1] = slide[0] + slide[1] * math.cos(thirds[i]) + slide[2] * math.sin(thirds[i])
        row[2] = thirds[i]
        first_angle(numbers, start, goal, seed, inner, row)
    return 4


def slide_slide(numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> int:
    """Of a hinge and two slides."""
    first = shift(numbers, PLACING)
    z = shift(first, AXIS)
    w = shift(room, 0)
    A = shift(room, 3)
    B = shift(room, 6)
    pair = shift(room, 9)
    # The one that rises more is told by the height.
    steep = 2 if abs(dot(z, shift(first, JOINT + AXIS))) <= abs(dot(z, shift(first, 2 * JOINT + AXIS))) else 1
    a = shift(first, (3 - steep) * JOINT + AXIS)
    b = shift(first, steep * JOINT + AXIS)
    rise = dot(z, b)
    lift = dot(z, a)
    gap = 0.0
    for i in range(3):
        w[i] = goal[i] - first[POINT + i]
        gap += (goal[i] - start[i]) * z[i]
    for i in range(3):
        A[i] = start[i] - first[POINT + i] + gap / rise * b[i]
        B[i] = a[i] - b[i] * lift / rise
    two_numbers(dot(B, B), dot(A, B), dot(A, A) - dot(w, w), pair)
    for i in range(2):
        row = shift(q, 3 * i)
        row[3 - steep] = pair[i]
        row[steep] = (gap - pair[i] * lift) / rise
        first_angle(numbers, start, goal, seed, shift(room, 11), row)
    return 2


def slide_turn_slide(numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> int:
    """Of a slide, a hinge and a slide."""
    first = shift(numbers, PLACING)
    hinge = shift(first, JOINT)
    a = shift(first, AXIS)
    z = shift(hinge, AXIS)
    b = shift(first, 2 * JOINT + AXIS)
    w = shift(room, 0)
    v = shift(room, 3)
    line_at = shift(room, 6)
    along = shift(room, 9)
    pair = shift(room, 12)
    for i in range(3):
        w[i] = goal[i] - hinge[POINT + i]
        v[i] = start[i] - hinge[POINT + i]
    rise = dot(z, a)
    other = dot(z, b)
    gap = dot(w, z) - dot(v, z)
    steep = abs(other) >= abs(rise)
    for i in range(3):
        line_at[i] = v[i] + gap / other * b[i] if steep else w[i] - gap / rise * a[i]
        along[i] = -b[i] * rise / other if steep else a[i] * other / rise
    slope = dot(line_at, along)
    if steep:
        two_numbers(1.0 - dot(along, along), -dot(w, a) - slope, dot(w, w) - dot(line_at, line_at), pair)
    else:
        two_numbers(dot(along, along) - 1.0, slope - dot(v, b), dot(line_at, line_at) - dot(v, v), pair)
    for i in range(2):
        row = shift(q, 3 * i)
        row[0] = pair[i] if steep else (gap - pair[i] * other) / rise
        row[2] = (gap - pair[i] * rise) / other if steep else pair[i]
        for j in range(3):
            line_at[j] = v[j] + row[2] * b[j]
            along[j] = w[j] - row[0] * a[j]
        row[1] = angle_between(z, line_at, along, numbers[SIZE], seed[1])
    return 2


def places(plan: Ints, numbers: Floats, start: Floats, goal: Floats, seed: Floats, room: Floats, q: Floats) -> int:
    """Coordinates of three joints that bring a point to a place.

    Args:
        plan: Of the arm.
        numbers: Of the arm.
        start: The point that is carried [m].
        goal: Where it shall be [m].
        seed: Coordinates where they may be anything [m or rad].
        room: To work in.
        q: Rows of three, at most 4.
    """
    if plan[KIND] == TURN_TURN:
        return turn_turn(numbers, start, goal, seed, room, q)
    if plan[KIND] == SLIDE_TURN:
        return slide_turn(numbers, start, goal, seed, room, q)
    if plan[KIND] == SLIDE_SLIDE:
        return slide_slide(numbers, start, goal, seed, room, q)
    if plan[KIND] == SLIDE_TURN_SLIDE:
        return slide_turn_slide(numbers, start, goal, seed, room, q)
    for i in range(3):
        q[i] = goal[i] - start[i]
    seen(shift(numbers, BASIS), q)
    return 1


FUNCTIONS: Final = (
    line, seen, first_angle, third_angles, third_slides, turn_turn, slide_turn, slide_slide, slide_turn_slide, places,
)  # fmt: skip
