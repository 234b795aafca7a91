"""Two boxes in space: corners on faces, edges across edges, and where these count.

Boxes that touch without lying in each other have a plane between them, and so has every single contact of them: the
plane of a face that a corner touches, and the plane along two edges that cross. What seems to touch while the boxes
reach through its plane does not: a corner that rests on the very edge of a face, as in a stack of equal boxes, is no
contact with the face beside it. Edges that are parallel touch at their ends, which are corners.

With a and b the directions of two edges and r from the middle of one to that of the other, their nearest places are

    X = A + s a,    s = ((a·b)(r·b) − r·a) / |a × b|²,    gap = r·n,    n = ± a × b / |a × b|

All of these are power series of the time while a contact is closed. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.mechanics import BEYOND, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._places import width
from sistel.simulation.plane._series import product
from sistel.simulation.plane.tables import World
from sistel.simulation.space import tables as s
from sistel.simulation.space._vectors import cross, dot, horner, length

PARALLEL: Final = 1e-6
"""Sine of the angle between edges that count as parallel."""
THROUGH: Final = 1e-8
"""How far boxes that touch may reach through the plane between them, by rounding [m]."""
POSE: Final = 21
"""Numbers of where two boxes are: axes of the one that touches, those of the other, the way from centre to centre."""


def turn_axes(world: World, body: int, time: float, axes: Floats, middle: Floats, found: Floats, way: Floats) -> None:
    """Axes of a box, and where its centre is, some time after the beginning of the step, in W.

    Args:
        world: The tables.
        body: That carries it.
        time: [s]
        axes: In the frame of the body.
        middle: Its centre, from the centre of mass, in that frame [m].
        found: Its axes in W, one after another.
        way: Its centre in W [m].
    """
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    order = 0 if body == 0 or time == 0.0 else world.counts[t.ORDER]
    for side in range(3):
        way[side] = horner(shift(own, side * w), 0 if time == 0.0 else world.degree[body], time)
        for axis in range(3):
            found[3 * axis + side] = 0.0
        for place in range(3):
            r = horner(shift(own, (s.S_R + 3 * side + place) * w), order, time)
            way[side] = way[side] + r * middle[place]
            for axis in range(3):
                found[3 * axis + side] = found[3 * axis + side] + r * axes[3 * axis + place]


def put_pose(world: World, f: int, time: float, pose: Floats) -> None:
    """Where the two boxes of a feature are some time after the beginning of the step, see POSE."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    way = shift(pose, POSE)
    turn_axes(world, kinds[t.A], time, shift(own, s.OWN_AXES), shift(own, s.OWN_MIDDLE), pose, shift(pose, 18))
    turn_axes(world, kinds[t.B], time, shift(own, s.AXES), shift(own, s.MIDDLE), shift(pose, 9), way)
    for side in range(3):
        pose[18 + side] = pose[18 + side] - way[side]


def separation(own: Floats, pose: Floats, n: Floats) -> float:
    """How far the boxes of a feature are apart along a direction from one to the other [m]."""
    total = dot(shift(pose, 18), n)
    for axis in range(3):
        total -= own[s.OWN_HALF + axis] * abs(dot(shift(pose, 3 * axis), n))
        total -= own[s.HALF + axis] * abs(dot(shift(pose, 9 + 3 * axis), n))
    return total


def put_place(p: Floats, middle: Floats, axes: Floats, turned: Floats, found: Floats) -> None:
    """A place of a box, given in the frame of its body, from the centre of the box in W."""
    for side in range(3):
        found[side] = 0.0
    for axis in range(3):
        along = 0.0
        for side in range(3):
            along += axes[3 * axis + side] * (p[side] - middle[side])
        for side in range(3):
            found[side] = found[side] + along * turned[3 * axis + side]


def fits(world: World, f: int, time: float) -> bool:
    """Whether a feature of two boxes that is at its surface counts, some time after the beginning of the step."""
    own = shift(world.features, s.FEATURE * f)
    pose = shift(world.work, 36)
    put_pose(world, f, time, pose)
    at = shift(pose, POSE + 3)
    put_place(own, shift(own, s.OWN_MIDDLE), shift(own, s.OWN_AXES), pose, at)
    for side in range(3):
        at[side] = at[side] + pose[18 + side]
    if own[s.BOXED] == s.CROSSING:
        return edges_fit(own, pose, at)
    return corner_fits(own, pose, at)


def corner_fits(own: Floats, pose: Floats, at: Floats) -> bool:
    """Whether a corner is between the ends of a face, and a plane between the boxes."""
    n = shift(at, 3)
    ends = 0
    for axis in range(3):
        v = shift(pose, 9 + 3 * axis)
        if own[s.CODE + axis] == 2.0:
            sign = 1.0 if dot(shift(own, s.AXES + 3 * axis), shift(own, s.AXIS)) > 0.0 else -1.0
            for side in range(3):
                n[side] = sign * v[side]
            continue
        along = abs(dot(v, at))
        if along > own[s.HALF + axis] + WITHIN:
            return False
        ends += 1 if along > own[s.HALF + axis] - WITHIN else 0
    if own[s.BOXED] == s.PLAIN_CORNER and ends == 2:
        return False
    return separation(own, pose, n) >= -THROUGH


def edges_fit(own: Floats, pose: Floats, at: Floats) -> bool:
    """Whether edges cross between their ends, and a plane between the boxes is along both; `at` is within one."""
    a = shift(at, 3)
    b = shift(at, 6)
    n = shift(at, 9)
    r = shift(at, 12)
    put_edge(own, s.OWN_AXES, s.OWN_EDGE, pose, a)
    put_edge(own, s.AXES, s.AXIS, shift(pose, 9), b)
    put_place(shift(own, s.Q), shift(own, s.MIDDLE), shift(own, s.AXES), shift(pose, 9), r)
    for side in range(3):
        r[side] = at[side] - r[side]
    cross(a, b, n)
    size = length(n)
    if size < PARALLEL:
        return False
    along = (dot(a, b) * dot(r, b) - dot(r, a)) / (size * size)
    other = dot(r, b) + along * dot(a, b)
    if abs(along) > own[s.OWN_SPAN] - WITHIN or abs(other) > own[s.SPAN] - WITHIN:
        return False
    sign = 1.0 if dot(n, shift(pose, 18)) > 0.0 else -1.0
    for side in range(3):
        n[side] = sign * n[side] / size
    return separation(own, pose, n) >= -THROUGH


def put_edge(own: Floats, axes: int, way: int, turned: Floats, found: Floats) -> None:
    """A direction of a box, given in the frame of its body, in W."""
    for side in range(3):
        found[side] = 0.0
    for axis in range(3):
        along = dot(shift(own, axes + 3 * axis), shift(own, way))
        for side in range(3):
            found[side] = found[side] + along * turned[3 * axis + side]


def look_across(at: Floats, found: Floats) -> float:
    """What edges that cross are like now: n and how far along the edge that touches it does, behind it; the gap [m].

    Args:
        at: From the middle of the edge that is touched to that of the other; the direction of that; that of the edge
            which is touched; out of both.
        found: The numbers.
    """
    a = shift(at, 3)
    b = shift(at, 6)
    cross(a, b, found)
    size = length(found)
    along = dot(at, a)
    if size < PARALLEL:
        # Only the distance counts, for they do not touch before they have turned.
        far = 0.0
        for side in range(3):
            part = at[side] - along * a[side]
            far += part * part
            found[side] = 0.0
        found[3] = 0.0
        return math.sqrt(far)
    sign = 1.0 if dot(found, shift(at, 9)) > 0.0 else -1.0
    for side in range(3):
        found[side] = sign * found[side] / size
    found[3] = (dot(a, b) * dot(at, b) - along) / (size * size)
    return dot(at, found)


def put_crossing(world: World, f: int, degree: int, sign: float) -> None:
    """The gap of edges along the step times the sine of their angle, in `power`; `more` has the way between them.

    Args:
        world: The tables.
        f: The feature.
        degree: Of the series.
        sign: Of the normal beside a × b.
    """
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    w = width(world)
    one = shift(world.series, kinds[t.A] * s.SERIES * w)
    for side in range(3):
        a = shift(one, (s.S_R + 3 * side) * w)
        edge = shift(world.more, (6 + side) * w)
        for k in range(degree + 1):
            edge[k] = a[k] * own[s.OWN_EDGE] + a[w + k] * own[s.OWN_EDGE + 1] + a[2 * w + k] * own[s.OWN_EDGE + 2]
    for side in range(3):
        next_one = (side + 1) % 3
        last_one = (side + 2) % 3
        across = shift(world.more, (9 + side) * w)
        for k in range(degree + 1):
            total = product(shift(world.more, (6 + next_one) * w), shift(world.more, (3 + last_one) * w), k)
            total -= product(shift(world.more, (6 + last_one) * w), shift(world.more, (3 + next_one) * w), k)
            across[k] = sign * total
    for k in range(degree + 1):
        total = 0.0
        for side in range(3):
            total += product(shift(world.more, side * w), shift(world.more, (9 + side) * w), k)
        world.power[k] = total


def extend_crossing(world: World, i: int, k: int) -> None:
    """One more coefficient of the normal and the arms of edges that cross: that of the power k."""
    own = shift(world.features, s.FEATURE * world.chosen[i])
    w = width(world)
    one = shift(world.series, world.body_a[i] * s.SERIES * w)
    two = shift(world.series, world.body_b[i] * s.SERIES * w)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    edge = shift(made, s.C_O * w)
    axis = shift(made, s.C_X * w)
    square = shift(made, s.C_SQUARE * w)
    root = shift(made, s.C_ROOT * w)
    along = shift(made, s.C_ALONG * w)
    way = shift(own, s.OWN_EDGE)
    sign = 0.0
    for side in range(3):
        a = shift(one, (s.S_R + 3 * side) * w)
        edge[side * w + k] = a[k] * way[0] + a[w + k] * way[1] + a[2 * w + k] * way[2]
    for side in range(3):
        next_one = (side + 1) % 3
        last_one = (side + 2) % 3
        total = product(shift(edge, next_one * w), shift(axis, last_one * w), k)
        total -= product(shift(edge, last_one * w), shift(axis, next_one * w), k)
        made[(s.C_C + side) * w + k] = total
        if k == 0:
            a = shift(one, (s.S_R + 3 * side) * w)
            b = shift(two, (s.S_R + 3 * side) * w)
            for place in range(3):
                sign += total * (b[place * w] * own[s.OUT + place] - a[place * w] * own[s.OWN_OUT + place])
    if k == 0:
        root[w - 1] = 1.0 if sign > 0.0 else -1.0
    square[k] = 0.0
    made[s.C_COSINE * w + k] = 0.0
    made[s.C_OTHER * w + k] = 0.0
    near = 0.0
    for side in range(3):
        c = shift(made, (s.C_C + side) * w)
        r = shift(made, (s.C_E + side) * w)
        square[k] = square[k] + product(c, c, k)
        made[s.C_COSINE * w + k] = made[s.C_COSINE * w + k] + product(shift(edge, side * w), shift(axis, side * w), k)
        made[s.C_OTHER * w + k] = made[s.C_OTHER * w + k] + product(r, shift(axis, side * w), k)
        near += product(r, shift(edge, side * w), k)
    total = product(shift(made, s.C_COSINE * w), shift(made, s.C_OTHER * w), k) - near
    for j in range(1, k + 1):
        total -= square[j] * along[k - j]
    along[k] = total / square[0]
    put_root(square, root, k)
    for side in range(3):
        normal = product(shift(made, (s.C_C + side) * w), root, k)
        made[(s.C_N + side) * w + k] = root[w - 1] * normal
        part = product(along, shift(edge, side * w), k)
        made[(s.C_A + side) * w + k] = made[(s.C_A + side) * w + k] + part
        made[(s.C_B + side) * w + k] = made[(s.C_B + side) * w + k] + part


def put_root(square: Floats, root: Floats, k: int) -> None:
    """The coefficient of the power k of one over the root of a series."""
    if k == 0:
        root[0] = 1.0 / math.sqrt(square[0])
        return
    total = 0.0
    for j in range(1, k + 1):
        total += (0.5 * float(j) - float(k)) * square[j] * root[k - j]
    root[k] = total / (float(k) * square[0])


def put_along(world: World, i: int, which: int, found: Floats) -> None:
    """How far from the middle of an edge of a closed contact the other one touches it, along the step [m].

    Args:
        world: The tables.
        i: The contact.
        which: 0 for the edge that touches, 1 for the other.
        found: The series.
    """
    w = width(world)
    made = shift(world.contact_series, i * s.C_SERIES * w)
    along = shift(made, s.C_ALONG * w)
    for k in range(world.counts[t.ORDER] + 1):
        found[k] = along[k]
        if which == 1:
            found[k] = made[s.C_OTHER * w + k] + product(along, shift(made, s.C_COSINE * w), k)


def crossed_over(world: World, f: int) -> bool:
    """Whether edges that touch do so beyond their ends, as others that have just slid off."""
    own = shift(world.features, s.FEATURE * f)
    pose = shift(world.work, 36)
    put_pose(world, f, 0.0, pose)
    at = shift(pose, POSE + 3)
    a = shift(at, 3)
    b = shift(at, 6)
    n = shift(at, 9)
    put_edge(own, s.OWN_AXES, s.OWN_EDGE, pose, a)
    put_edge(own, s.AXES, s.AXIS, shift(pose, 9), b)
    put_place(own, shift(own, s.OWN_MIDDLE), shift(own, s.OWN_AXES), pose, at)
    put_place(shift(own, s.Q), shift(own, s.MIDDLE), shift(own, s.AXES), shift(pose, 9), n)
    for side in range(3):
        at[side] = at[side] + pose[18 + side] - n[side]
    cross(a, b, n)
    size = dot(n, n)
    along = (dot(a, b) * dot(at, b) - dot(at, a)) / size
    other = dot(at, b) + along * dot(a, b)
    return abs(along) > own[s.OWN_SPAN] + 0.99 * BEYOND or abs(other) > own[s.SPAN] + 0.99 * BEYOND


def depth_along(own: Floats, pose: Floats, n: Floats, least: float) -> float:
    """The least of a depth and how far the boxes of a feature reach through each other along a direction [m]."""
    size = length(n)
    if size < PARALLEL:
        return least
    sign = (1.0 if dot(n, shift(pose, 18)) > 0.0 else -1.0) / size
    for side in range(3):
        n[side] = sign * n[side]
    return min(least, -separation(own, pose, n))


def depth_of(world: World, f: int) -> float:
    """How far the two boxes of a feature lie in each other; negative where they are apart [m]."""
    own = shift(world.features, s.FEATURE * f)
    pose = shift(world.work, 36)
    n = shift(pose, POSE + 3)
    put_pose(world, f, 0.0, pose)
    least = math.inf
    for axis in range(6):
        for side in range(3):
            n[side] = pose[3 * axis + side]
        least = depth_along(own, pose, n, least)
    for first in range(3):
        for second in range(3):
            cross(shift(pose, 3 * first), shift(pose, 9 + 3 * second), n)
            least = depth_along(own, pose, n, least)
    return least


FUNCTIONS: Final = (
    turn_axes,
    put_pose,
    separation,
    put_place,
    fits,
    corner_fits,
    edges_fit,
    put_edge,
    look_across,
    put_crossing,
    extend_crossing,
    put_root,
    put_along,
    crossed_over,
    depth_along,
    depth_of,
)
