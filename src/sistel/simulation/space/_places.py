"""Where shapes of space are: gaps of features, and their domains.

A *feature* is a sphere, or a point, against a face, an edge or a corner of a solid; a sphere is all corner, a capsule
an edge between two corners. What a round shape touches depends on where its centre is: before a face, beside an edge,
beyond a corner. A point touches faces alone. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.mechanics import BEYOND, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._places import add_near, width
from sistel.simulation.plane.tables import World
from sistel.simulation.space import _boxes, _vectors
from sistel.simulation.space import tables as s
from sistel.simulation.space._boxes import crossed_over, depth_of, fits, look_across
from sistel.simulation.space._vectors import cross, dot, length, times

ROOM: Final = 24
"""Numbers that `look` and others need in `work`."""


def refresh(world: World, body: int) -> None:
    """Begin the series of a body with its place and rates now."""
    w = width(world)
    own = shift(world.series, body * s.SERIES * w)
    place = shift(world.place, s.PLACE * body)
    rate = shift(world.rate, s.RATE * body)
    for side in range(3):
        own[(s.S_X + side) * w] = place[side]
        own[(s.S_V + side) * w] = rate[side]
        own[(s.S_W + side) * w] = rate[3 + side]
    a = place[3]
    x = place[4]
    y = place[5]
    z = place[6]
    own[s.S_R * w] = 1.0 - 2.0 * (y * y + z * z)
    own[(s.S_R + 1) * w] = 2.0 * (x * y - a * z)
    own[(s.S_R + 2) * w] = 2.0 * (x * z + a * y)
    own[(s.S_R + 3) * w] = 2.0 * (x * y + a * z)
    own[(s.S_R + 4) * w] = 1.0 - 2.0 * (x * x + z * z)
    own[(s.S_R + 5) * w] = 2.0 * (y * z - a * x)
    own[(s.S_R + 6) * w] = 2.0 * (x * z - a * y)
    own[(s.S_R + 7) * w] = 2.0 * (y * z + a * x)
    own[(s.S_R + 8) * w] = 1.0 - 2.0 * (x * x + y * y)
    row = shift(world.bodies, s.BODY * body)
    if row[s.EVEN] != 0.0:
        turn = row[s.TURN]
        for side in range(3):
            own[(s.S_L + side) * w] = rate[3 + side] / turn if turn > 0.0 else 0.0
            own[(s.S_M + side) * w] = 0.0
        return
    inside = world.work
    turned = shift(world.work, 3)
    into(world, body, shift(rate, 3), inside)
    for side in range(3):
        own[(s.S_M + side) * w] = inside[side]
    times(shift(row, s.INERTIA), inside, turned)
    out(world, body, turned, inside)
    for side in range(3):
        own[(s.S_L + side) * w] = inside[side]


def out(world: World, body: int, a: Floats, found: Floats) -> None:
    """A vector of the frame of a body, in W."""
    w = width(world)
    r = shift(world.series, (body * s.SERIES + s.S_R) * w)
    for side in range(3):
        found[side] = r[3 * side * w] * a[0] + r[(3 * side + 1) * w] * a[1] + r[(3 * side + 2) * w] * a[2]


def into(world: World, body: int, a: Floats, found: Floats) -> None:
    """A vector of W in the frame of a body."""
    w = width(world)
    r = shift(world.series, (body * s.SERIES + s.S_R) * w)
    for side in range(3):
        found[side] = r[side * w] * a[0] + r[(3 + side) * w] * a[1] + r[(6 + side) * w] * a[2]


def yields(world: World, body: int, torque: Floats, found: Floats) -> None:
    """How a body begins to spin under a torque; `found` is another place."""
    row = shift(world.bodies, s.BODY * body)
    if row[s.EVEN] != 0.0:
        for side in range(3):
            found[side] = row[s.TURN] * torque[side]
        return
    inside = shift(world.work, 12)
    into(world, body, torque, found)
    times(shift(row, s.INVERSE), found, inside)
    out(world, body, inside, found)


def centre(world: World, f: int, found: Floats) -> None:
    """The point of a feature from the centre of mass of the other body, in W; behind it, its arm on its own body."""
    kinds = shift(world.kinds, t.KINDS * f)
    out(world, kinds[t.A], shift(world.features, s.FEATURE * f), shift(found, 3))
    w = width(world)
    one = shift(world.series, kinds[t.A] * s.SERIES * w)
    two = shift(world.series, kinds[t.B] * s.SERIES * w)
    for side in range(3):
        found[side] = one[side * w] + found[3 + side] - two[side * w]


def look(world: World, f: int, found: Floats) -> float:
    """What the rows of a feature are made of now, see R_N, R_A, R_B and R_X; its gap [m]."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    w = width(world)
    at = world.work
    arm = shift(world.work, 3)
    turned = shift(world.work, 6)
    n = found
    centre(world, f, at)
    gap = 0.0
    if kinds[t.KIND] == s.FACE:
        out(world, kinds[t.B], shift(own, s.AXIS), n)
        out(world, kinds[t.B], shift(own, s.Q), turned)
        gap = dot(n, at) - dot(n, turned) - own[s.RADIUS] - own[s.OTHER]
    elif kinds[t.KIND] == s.CROSS:
        gap = look_at_edges(world, f, found)
    else:
        out(world, kinds[t.B], shift(own, s.Q), turned)
        for side in range(3):
            n[side] = at[side] - turned[side]
        if kinds[t.KIND] == s.EDGE:
            out(world, kinds[t.B], shift(own, s.AXIS), turned)
            along = dot(n, turned)
            for side in range(3):
                n[side] = n[side] - along * turned[side]
        far = length(n)
        gap = far - own[s.RADIUS] - own[s.OTHER]
        for side in range(3):
            n[side] = n[side] / far
    one = shift(world.series, kinds[t.A] * s.SERIES * w)
    for side in range(3):
        found[s.R_A + side] = arm[side] - own[s.RADIUS] * n[side]
        found[s.R_B + side] = at[side] - own[s.RADIUS] * n[side]
        found[s.R_X + side] = one[side * w] + found[s.R_A + side]
    return gap


def look_at_edges(world: World, f: int, n: Floats) -> float:
    """The normal of edges that cross, and their gap [m]; the place and the arm in `work` go to where they touch."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    way = shift(world.work, 24)
    found = shift(world.work, 36)
    out(world, kinds[t.A], shift(own, s.OWN_EDGE), shift(way, 3))
    out(world, kinds[t.B], shift(own, s.AXIS), shift(way, 6))
    out(world, kinds[t.A], shift(own, s.OWN_OUT), way)
    out(world, kinds[t.B], shift(own, s.OUT), found)
    for side in range(3):
        way[9 + side] = found[side] - way[side]
    out(world, kinds[t.B], shift(own, s.Q), found)
    for side in range(3):
        way[side] = world.work[side] - found[side]
    gap = look_across(way, found)
    for side in range(3):
        n[side] = found[side]
        world.work[side] = world.work[side] + found[3] * way[3 + side]
        world.work[3 + side] = world.work[3 + side] + found[3] * way[3 + side]
    return gap


def speed_of(world: World, a: int, b: int, arm_a: Floats, arm_b: Floats, v: Floats, found: Floats) -> None:
    """Velocity of one place beside another, for velocities and spins of all bodies as in `rate`."""
    one = shift(v, s.RATE * a)
    two = shift(v, s.RATE * b)
    turned = shift(world.work, 18)
    cross(shift(one, 3), arm_a, found)
    cross(shift(two, 3), arm_b, turned)
    for side in range(3):
        found[side] = one[side] - two[side] + found[side] - turned[side]


def in_domain(world: World, f: int, at: Floats, margin: float) -> bool:
    """Whether a place, in the frame of the other body and from its centre of mass, is where a feature counts."""
    own = shift(world.features, s.FEATURE * f)
    for axis in range(s.BOUNDS):
        code = own[s.CODE + axis]
        if code == 2.0:
            continue
        u = shift(own, s.AXES + 3 * axis)
        along = 0.0
        for side in range(3):
            along += u[side] * (at[side] - own[s.MIDDLE + side])
        half = own[s.HALF + axis]
        if code == 0.0:
            if abs(along) > half - margin:
                return False
        elif code * along < half:
            return False
    return True


def there(world: World, f: int, approach: float, margin: float, ahead: float) -> bool:
    """Whether a feature that is at its surface is within its domain, and touches it: arguments as in the plane."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, s.FEATURE * f)
    if own[s.BOXED] != 0.0:
        return fits(world, f, 0.0)
    at = shift(world.work, 6)
    found = shift(world.work, 12)
    centre(world, f, at)
    if own[s.RADIUS] > 0.0 and ahead != 0.0:
        speed_of(world, kinds[t.A], kinds[t.B], shift(at, 3), at, world.rate, found)
        for side in range(3):
            at[side] = at[side] + ahead * found[side]
    into(world, kinds[t.B], at, found)
    if own[s.RADIUS] > 0.0:
        return in_domain(world, f, found, 0.0)
    return in_domain(world, f, found, margin) or (approach > -1e-9 and in_domain(world, f, found, -WITHIN))


def closing_speed(world: World, f: int) -> float:
    """Velocity along the normal of a feature that `look` has put behind the first numbers of `more` [m/s]."""
    a = world.kinds[t.KINDS * f + t.A]
    b = world.kinds[t.KINDS * f + t.B]
    r = shift(world.more, 6)
    speed_of(world, a, b, shift(r, s.R_A), shift(r, s.R_B), world.rate, world.more)
    return dot(r, world.more)


def slid_off(world: World, f: int) -> bool:
    """Whether a point is beyond the ends of the face that it touches, as another one that has just slid off."""
    own = shift(world.features, s.FEATURE * f)
    if own[s.RADIUS] > 0.0:
        return False
    if own[s.BOXED] == s.CROSSING:
        return crossed_over(world, f)
    at = shift(world.more, 6)
    found = world.more
    centre(world, f, at)
    into(world, world.kinds[t.KINDS * f + t.B], at, found)
    return not in_domain(world, f, found, -0.99 * BEYOND)


def meet_more(world: World, body: int, other: int, far: float) -> None:
    """Look at the features of boxes of two bodies, 0 for the ground, which no plane keeps apart by more than that."""
    for pair in range(world.box_pairs[0]):
        first = world.box_pairs[1 + 2 * pair]
        a = world.kinds[t.KINDS * first + t.A]
        b = world.kinds[t.KINDS * first + t.B]
        same = (a == body and b == other) or (a == other and b == body)
        if same and -depth_of(world, first) <= far + TOUCHING:
            for f in range(first, first + world.box_pairs[2 + 2 * pair]):
                add_near(world, f)


def deepest_more(world: World, least: float) -> int:
    """The first feature of two boxes that lie in each other by more than that, -1 for none; its gap goes to `more`."""
    worst = -1
    deepest = -least
    for pair in range(world.box_pairs[0]):
        f = world.box_pairs[1 + 2 * pair]
        gap = -depth_of(world, f)
        if gap < deepest:
            deepest = gap
            worst = f
    world.more[0] = deepest
    return worst


def meet_ground(world: World, a: int) -> None:
    """Find the features of the ground that a body may touch."""
    at = world.on_ground[a]
    if at == 0:
        return
    low = shift(world.low, 3 * a)
    high = shift(world.high, 3 * a)
    for place in range(world.lists[at]):
        f = world.lists[at + 1 + place]
        own = shift(world.features, s.FEATURE * f)
        if (
            own[s.LOW] <= high[0]
            and own[s.HIGH] >= low[0]
            and own[s.LOW + 1] <= high[1]
            and own[s.HIGH + 1] >= low[1]
            and own[s.LOW + 2] <= high[2]
            and own[s.HIGH + 2] >= low[2]
        ):
            add_near(world, f)


def key_of(world: World, f: int) -> float:
    """What contacts are put in order by: where the bodies are that they join, along the axis of the order."""
    a = world.kinds[t.KINDS * f + t.A]
    b = world.kinds[t.KINDS * f + t.B]
    axis = world.counts[t.AXIS]
    one = world.place[s.PLACE * (a if a != 0 else b) + axis]
    return 0.5 * (one + world.place[s.PLACE * (b if b != 0 else a) + axis])


def thickness(world: World, f: int) -> float:
    """How far behind a face, an edge or a corner something has come through it; farther on it is beyond [m]."""
    own = shift(world.features, s.FEATURE * f)
    if own[s.BOXED] != 0.0:
        return 0.0  # pairs of boxes are looked at as wholes
    found = 0.0
    for axis in range(3):
        found += own[s.HALF + axis] * abs(dot(shift(own, s.AXES + 3 * axis), shift(own, s.AXIS)))
    return found if found > 0.0 and world.kinds[t.KINDS * f + t.KIND] == s.FACE else math.inf


FUNCTIONS: Final = (
    *_vectors.FUNCTIONS,
    *_boxes.FUNCTIONS,
    width,
    add_near,
    refresh,
    out,
    into,
    yields,
    centre,
    look,
    look_at_edges,
    speed_of,
    in_domain,
    there,
    closing_speed,
    slid_off,
    meet_more,
    deepest_more,
    meet_ground,
    key_of,
    thickness,
)
