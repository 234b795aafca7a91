"""Arms by their closed forms: three joints that place a point and a wrist about it; or three parallel axes.

All take M = E₁E₂…Eₙ, the motion from the pose at zero to the one wanted (axes by rows, then the place), and write all
branches, rows of n coordinates; those that do not exist are NaN or lead elsewhere. Written in the compiled subset of
Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import (
    ACROSS,
    APART,
    AXIS,
    BACKWARDS,
    BEND,
    BENT,
    CENTRE,
    COUNT,
    ELBOW,
    ENDS,
    FORM,
    FREE,
    HAND,
    HEIGHT,
    HINGE,
    HOME,
    JOINT,
    JOINTS,
    LEAN,
    LOWER,
    POINT,
    SIDE,
    SIZE,
    SWAPPED,
    TILT,
    UPPER,
    WRIST,
)
from sistel.arms.closed_forms._positions import places, seen
from sistel.arms.closed_forms._roots import (
    SAMPLES,
    TINY,
    across_square,
    angle_between,
    arc,
    dot,
    moved,
    series_angles,
    triple,
    turned,
    two_about,
    two_angles,
)
from sistel.kernels.subset import Floats, Ints, shift


def ahead(R: Floats, v: Floats, out: Floats) -> None:
    """A matrix times a vector."""
    out[0] = dot(R, v)
    out[1] = dot(shift(R, 3), v)
    out[2] = dot(shift(R, 6), v)


def back(R: Floats, v: Floats, out: Floats) -> None:
    """A vector times a matrix."""
    for i in range(3):
        out[i] = v[0] * R[i] + v[1] * R[3 + i] + v[2] * R[6 + i]


def turned_back(axis: Floats, angle: float, R: Floats, out: Floats) -> None:
    """A matrix whose columns are turned about a unit axis by minus an angle; it may be in the same place."""
    c = math.cos(angle)
    s = math.sin(angle)
    x = axis[0]
    y = axis[1]
    z = axis[2]
    for j in range(3):
        u = R[j]
        v = R[3 + j]
        w = R[6 + j]
        along = (1.0 - c) * (x * u + y * v + z * w)
        out[j] = along * x + c * u - s * (y * w - z * v)
        out[3 + j] = along * y + c * v - s * (z * u - x * w)
        out[6 + j] = along * z + c * w - s * (x * v - y * u)


def angle_of(axis: Floats, R: Floats) -> float:
    """The turn about a unit axis that is nearest to a rotation."""
    along = 0.0
    for i in range(3):
        along += axis[i] * dot(shift(R, 3 * i), axis)
    sine = (R[7] - R[5]) * axis[0] + (R[2] - R[6]) * axis[1] + (R[3] - R[1]) * axis[2]
    return arc(sine, R[0] + R[4] + R[8] - along)


def wrist(plan: Ints, numbers: Floats, M: Floats, seed: Floats, room: Floats, out: Floats) -> int:
    """Three joints, then up to three hinges whose axes meet; how many rows."""
    count = plan[COUNT]
    goal = shift(room, 0)
    three = shift(room, 3)
    begin = shift(room, 15)
    inner = shift(room, 18)
    centre = shift(numbers, CENTRE)
    swapped = plan[SWAPPED] != 0
    ahead(M, centre, goal)
    for i in range(3):
        goal[i] = goal[i] + M[9 + i]
        begin[i] = seed[2 - i if swapped else i]
    if swapped:
        found = places(plan, numbers, goal, centre, begin, inner, three)
    else:
        found = places(plan, numbers, centre, goal, begin, inner, three)
    rows = 0
    for i in range(found):
        row = shift(out, rows * count)
        for j in range(3):
            row[j] = three[3 * i + (2 - j if swapped else j)]
        if math.isfinite(row[0] + row[1] + row[2]):
            rows += wrist_angles(plan, numbers, M, seed, inner, row)
    return rows


def wrist_angles(plan: Ints, numbers: Floats, M: Floats, seed: Floats, room: Floats, row: Floats) -> int:
    """The hinges of a wrist behind three joints that are known; of three hinges there is a second row."""
    if plan[ENDS] == 0:
        return 1
    if plan[ENDS] == 3:
        return wrist_ways(plan, numbers, M, seed, room, row)
    R = shift(room, 0)
    along = shift(room, 9)
    for i in range(9):
        R[i] = M[i]
    for k in range(3):
        joint = shift(numbers, JOINTS + k * JOINT)
        if joint[HINGE] != 0.0:
            turned_back(shift(joint, AXIS), row[k], R, R)
    a = shift(numbers, JOINTS + 3 * JOINT + AXIS)
    if plan[ENDS] == 1:
        row[3] = angle_of(a, R)
        return 1
    b = shift(numbers, JOINTS + 4 * JOINT + AXIS)
    ahead(R, b, along)
    row[3] = angle_between(a, b, along, 1.0, seed[3])
    turned_back(a, row[3], R, R)
    row[4] = angle_of(b, R)
    return 1


def wrist_ways(plan: Ints, numbers: Floats, M: Floats, seed: Floats, room: Floats, row: Floats) -> int:
    """Both ways of a wrist of three hinges: by where the last axis and a direction across it have to be.

    All is seen in axes of which the first one of the wrist is z.
    """
    count = plan[COUNT]
    basis = shift(numbers, HAND)
    bent = shift(numbers, BENT)
    along = shift(room, 0)
    there = shift(room, 3)
    side = shift(room, 6)
    pair = shift(room, 9)
    ahead(M, shift(numbers, JOINTS + 5 * JOINT + AXIS), along)
    ahead(M, shift(numbers, ACROSS), there)
    for k in range(3):
        joint = shift(numbers, JOINTS + k * JOINT)
        if joint[HINGE] != 0.0:
            cosine = math.cos(row[k])
            sine = -math.sin(row[k])
            turned(shift(joint, AXIS), cosine, sine, along, along)
            turned(shift(joint, AXIS), cosine, sine, there, there)
    seen(basis, along)
    seen(basis, there)
    two_about(numbers[BEND], numbers[BEND + 1], along[2] + numbers[BEND + 2], 1.0, 0.0, pair)
    for j in range(2):
        other = shift(row, j * count)
        for i in range(3):
            other[i] = row[i]
        cosine = math.cos(pair[j])
        sine = math.sin(pair[j])
        x = bent[0] + cosine * bent[3] + sine * bent[6]
        y = bent[1] + cosine * bent[4] + sine * bent[7]
        other[3] = seed[3]
        if min(x * x + y * y, along[0] ** 2 + along[1] ** 2) > TINY**2:
            other[3] = arc(x * along[1] - y * along[0], x * along[0] + y * along[1])
        other[4] = pair[j]
        x = bent[9] + cosine * bent[12] + sine * bent[15]
        y = bent[10] + cosine * bent[13] + sine * bent[16]
        side[2] = bent[11] + cosine * bent[14] + sine * bent[17]
        cosine = math.cos(other[3])
        sine = math.sin(other[3])
        side[0] = cosine * x - sine * y
        side[1] = sine * x + cosine * y
        other[5] = arc(triple(along, side, there), dot(side, there))
    return 2


def parallel(plan: Ints, numbers: Floats, M: Floats, seed: Floats, room: Floats, out: Floats) -> int:
    """A hinge, three hinges with parallel axes, then one hinge or two; how many rows."""
    count = plan[COUNT]
    n = shift(numbers, JOINTS + JOINT + AXIS)
    five = shift(numbers, JOINTS + 4 * JOINT + AXIS)
    six = shift(numbers, JOINTS + 5 * JOINT + AXIS)
    rest = shift(room, 0)
    v = shift(room, 12)
    pair = shift(room, 15)
    firsts = shift(room, 17)
    sixths = shift(room, 25)
    inner = shift(room, 33)
    apart = plan[APART] != 0
    if apart:
        first_and_sixth(numbers, M, inner, firsts, sixths)
    else:
        first_angles(plan, numbers, M, seed, inner, firsts)
    rows = 0
    for i in range(8 if apart else 2):
        if not math.isfinite(firsts[i]):
            continue
        behind(numbers, M, firsts[i], rest)
        row = shift(out, rows * count)
        row[0] = firsts[i]
        if count == 5 or apart:
            back(rest, n, v)
            if apart:
                row[5] = sixths[i]
                turned(six, math.cos(sixths[i]), math.sin(sixths[i]), v, v)
            row[4] = angle_between(five, v, n, 1.0, seed[4])
            elbow(plan, numbers, rest, seed, inner, row)
            rows += 2
            continue
        ahead(rest, six, v)
        two_about(numbers[BEND], numbers[BEND + 1], dot(v, n) + numbers[BEND + 2], 1.0, 0.0, pair)
        wanted = shift(inner, 0)
        for j in range(2):
            row = shift(out, rows * count)
            row[0] = firsts[i]
            row[4] = pair[j]
            turned(five, math.cos(pair[j]), -math.sin(pair[j]), n, wanted)
            back(rest, n, v)
            row[5] = angle_between(six, v, wanted, 1.0, seed[5])
            elbow(plan, numbers, rest, seed, inner, row)
            rows += 2
    return rows


def behind(numbers: Floats, M: Floats, q: float, out: Floats) -> None:
    """The motion without that of the first joint."""
    first = shift(numbers, JOINTS)
    turned_back(shift(first, AXIS), q, M, out)
    p = shift(out, 9)
    for i in range(3):
        p[i] = M[9 + i] - first[POINT + i]
    turned(shift(first, AXIS), math.cos(q), -math.sin(q), p, p)
    for i in range(3):
        p[i] = p[i] + first[POINT + i]


def elbow(plan: Ints, numbers: Floats, rest: Floats, seed: Floats, room: Floats, row: Floats) -> None:
    """The parallel hinges of a row that has the others, both ways; rest is the motion behind the first joint."""
    count = plan[COUNT]
    base = shift(numbers, JOINTS + JOINT)
    n = shift(base, AXIS)
    last = shift(base, 2 * JOINT)
    u = shift(room, 0)
    there = shift(room, 3)
    point = shift(room, 6)
    pair = shift(room, 9)
    # Where a point of the fourth axis has to be: what is behind it is undone.
    for i in range(3):
        u[i] = numbers[ACROSS + i]
        point[i] = last[POINT + i]
    for k in range(4, count):
        joint = shift(numbers, JOINTS + k * JOINT)
        axis = shift(joint, AXIS)
        c = math.cos(row[k])
        s = -math.sin(row[k])
        turned(axis, c, s, u, u)
        for i in range(3):
            point[i] = point[i] - joint[POINT + i]
        turned(axis, c, s, point, point)
        for i in range(3):
            point[i] = point[i] + joint[POINT + i]
    ahead(rest, u, there)
    side = shift(numbers, ACROSS)
    total = arc(triple(n, side, there), dot(side, there))
    ahead(rest, point, there)
    for i in range(3):
        there[i] = there[i] + rest[9 + i] - base[POINT + i]
    along = dot(there, n)
    for i in range(3):
        there[i] = there[i] - along * n[i]
    size = numbers[SIZE]
    k_elbow = dot(there, there) + numbers[ELBOW + 2]
    two_about(numbers[ELBOW], numbers[ELBOW + 1], k_elbow, size * size, seed[2], pair)
    for j in range(2):
        other = shift(row, j * count)
        other[0] = row[0]
        for k in range(4, count):
            other[k] = row[k]
        c = math.cos(pair[j])
        s = math.sin(pair[j])
        for i in range(3):
            u[i] = numbers[UPPER + i] + c * numbers[LOWER + i] + s * numbers[SIDE + i]
        other[1] = angle_between(n, u, there, size, seed[1])
        other[2] = pair[j]
        left = total - other[1] - dot(shift(base, JOINT + AXIS), n) * pair[j]
        other[3] = left * dot(shift(last, AXIS), n)


def level(numbers: Floats, y: Floats, height: float, out: Floats) -> None:
    """Parts a, b, k of a cos q + b sin q = k: what is y now has that height along the parallel axes before."""
    z = shift(numbers, JOINTS + AXIS)
    n = shift(numbers, JOINTS + JOINT + AXIS)
    along = dot(y, z)
    out[0] = dot(y, n) - along * numbers[LEAN]
    out[1] = triple(n, y, z)
    out[2] = height - numbers[LEAN] * along


def first_angles(plan: Ints, numbers: Floats, M: Floats, seed: Floats, room: Floats, out: Floats) -> None:
    """Both angles of the first joint: those that bring the centre to its height along the parallel axes."""
    first = shift(numbers, JOINTS)
    y = shift(room, 0)
    parts = shift(room, 3)
    size = numbers[SIZE]
    usual = seed[0]
    if plan[COUNT] == 5:
        # Five joints: where the centre is on the first axis, the direction of the fifth decides.
        ahead(M, shift(numbers, JOINTS + 4 * JOINT + AXIS), y)
        level(numbers, y, numbers[TILT], parts)
        two_angles(parts[0], parts[1], parts[2], 1.0, usual, out)
        usual = out[0]
    ahead(M, shift(numbers, CENTRE), y)
    for i in range(3):
        y[i] = y[i] + M[9 + i] - first[POINT + i]
    if plan[COUNT] == 5 and across_square(shift(first, AXIS), y) <= (1e-9 * size) ** 2:
        return
    level(numbers, y, numbers[HEIGHT], parts)
    two_angles(parts[0], parts[1], parts[2], size, usual, out)


def eliminated(numbers: Floats, M: Floats, q: float, room: Floats, out: Floats) -> None:
    """Parts x, y, z by the sixth angle: z (cos, sin) of the first angle is (x, y)."""
    first = shift(numbers, JOINTS)
    five = shift(numbers, JOINTS + 4 * JOINT)
    six = shift(numbers, JOINTS + 5 * JOINT)
    y = shift(room, 0)
    v = shift(room, 3)
    turn = shift(room, 6)
    way = shift(room, 9)
    turned(shift(six, AXIS), math.cos(q), -math.sin(q), shift(five, AXIS), v)
    ahead(M, v, y)
    level(numbers, y, numbers[TILT], turn)
    moved(six, -q, shift(five, POINT), v)
    ahead(M, v, y)
    for i in range(3):
        y[i] = (y[i] + M[9 + i] - first[POINT + i]) / numbers[SIZE]
    level(numbers, y, numbers[HEIGHT] / numbers[SIZE], way)
    out[0] = turn[2] * way[1] - way[2] * turn[1]
    out[1] = turn[0] * way[2] - way[0] * turn[2]
    out[2] = turn[0] * way[1] - way[0] * turn[1]


def first_and_sixth(numbers: Floats, M: Floats, room: Floats, firsts: Floats, sixths: Floats) -> None:
    """The first and the sixth angle where the fifth and sixth axes do not meet, eight of each.

    What the fifth joint leaves, its axis and a point of it, keeps its direction and its height along the parallel
    axes: two equations that are linear in the cosine and sine of the first angle, and of the sixth. The first is
    eliminated, and a series of four harmonics is left for the sixth.
    """
    parts = shift(room, 0)
    values = shift(room, 3)
    inner = shift(room, 3 + SAMPLES)
    for i in range(SAMPLES):
        eliminated(numbers, M, float(i) * (2.0 * math.pi / SAMPLES), inner, parts)
        values[i] = parts[0] * parts[0] + parts[1] * parts[1] - parts[2] * parts[2]
    series_angles(values, inner, sixths)
    for i in range(8):
        firsts[i] = math.nan
        if math.isfinite(sixths[i]):
            eliminated(numbers, M, sixths[i], inner, parts)
            side = 1.0 if parts[2] > 0.0 else -1.0 if parts[2] < 0.0 else 0.0
            firsts[i] = arc(parts[1] * side, parts[0] * side)


def branches(plan: Ints, numbers: Floats, target: Floats, seed: Floats, room: Floats, out: Floats) -> int:
    """All candidates for a target, to be verified by who asks; how many.

    Args:
        plan: Of the arm.
        numbers: Of the arm.
        target: Axes by rows, then the place [m].
        seed: Coordinates of the joints where they may be anywhere [m or rad].
        room: To work in, `FORM_ROOM` numbers.
        out: Rows of a coordinate for each joint, `MOST` at most.
    """
    count = plan[COUNT]
    home = shift(numbers, HOME)
    M = shift(room, 0)
    begin = shift(room, 12)
    inner = shift(room, 18)
    for i in range(3):
        row = shift(target, 3 * i)
        back(home, row, shift(M, 3 * i))
        M[9 + i] = dot(row, shift(home, 9)) + target[9 + i]
    backwards = plan[BACKWARDS] != 0
    if backwards:
        # (E₁…Eₙ)⁻¹ = Eₙ⁻¹…E₁⁻¹, all axes at zero: the arm in the other order.
        back(M, shift(M, 9), inner)
        for i in range(3):
            M[9 + i] = -inner[i]
            for j in range(i):
                t = M[3 * i + j]
                M[3 * i + j] = M[3 * j + i]
                M[3 * j + i] = t
    for k in range(count):
        begin[k] = seed[count - 1 - k if backwards else k]
    if plan[FORM] == WRIST:
        rows = wrist(plan, numbers, M, begin, inner, out)
    else:
        rows = parallel(plan, numbers, M, begin, inner, out)
    for i in range(rows):
        row = shift(out, i * count)
        if backwards:
            for k in range(count // 2):
                t = row[k]
                row[k] = row[count - 1 - k]
                row[count - 1 - k] = t
        for k in range(count - plan[FREE], count):
            row[k] = seed[k]
    return rows


FUNCTIONS: Final = (
    ahead, back, turned_back, angle_of, wrist, wrist_angles, wrist_ways, parallel, behind, elbow, level, first_angles,
    eliminated, first_and_sixth, branches,
)  # fmt: skip
