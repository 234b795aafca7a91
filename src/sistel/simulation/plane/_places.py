"""Where shapes of the plane are: gaps of features, and their domains.

A *feature* is a point or a circle against a side, or against a corner or a circle of another body. A point touches a
side within its ends; a circle touches a side there, too, and goes around corners. Margins are those of
`mechanics._outlines`. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.mechanics import BEYOND, LEANS, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane.tables import World

AHEAD: Final = 1e-9
"""Time ahead that tells on which side of a border a circle is about to be [s]."""
SLOW: Final = 1e-9
"""Speed below which a point at the very end of a side rests there [m/s]."""


def width(world: World) -> int:
    """Numbers from one series to the next."""
    return world.counts[t.ORDER] + 3


def refresh(world: World, body: int) -> None:
    """Begin the series of a body with its place and rates now."""
    own = shift(world.series, body * t.SERIES * width(world))
    w = width(world)
    own[t.S_X * w] = world.place[3 * body]
    own[t.S_Y * w] = world.place[3 * body + 1]
    own[t.S_TURN * w] = world.place[3 * body + 2]
    own[t.S_COS * w] = math.cos(world.place[3 * body + 2])
    own[t.S_SIN * w] = math.sin(world.place[3 * body + 2])
    own[t.S_VX * w] = world.rate[3 * body]
    own[t.S_VY * w] = world.rate[3 * body + 1]
    own[t.S_SPIN * w] = world.rate[3 * body + 2]


def look(world: World, f: int, into: Floats) -> float:
    """What the rows of a feature are made of now, see R_NX and the others; its gap [m]."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    a = kinds[t.A]
    b = kinds[t.B]
    w = width(world)
    one = shift(world.series, a * t.SERIES * w)
    two = shift(world.series, b * t.SERIES * w)
    arm_x = one[t.S_COS * w] * own[t.PX] - one[t.S_SIN * w] * own[t.PY]
    arm_y = one[t.S_SIN * w] * own[t.PX] + one[t.S_COS * w] * own[t.PY]
    away_x = one[t.S_X * w] + arm_x - two[t.S_X * w]
    away_y = one[t.S_Y * w] + arm_y - two[t.S_Y * w]
    gap = 0.0
    nx = 0.0
    ny = 0.0
    if kinds[t.KIND] == t.SIDE:
        nx = two[t.S_COS * w] * own[t.NX] - two[t.S_SIN * w] * own[t.NY]
        ny = two[t.S_SIN * w] * own[t.NX] + two[t.S_COS * w] * own[t.NY]
        across = nx * away_x + ny * away_y
        gap = across - own[t.OFF] - own[t.RADIUS]
        into[t.R_BN] = away_x * ny - away_y * nx
        into[t.R_BT] = across - own[t.RADIUS]
    else:
        other_x = two[t.S_COS * w] * own[t.QX] - two[t.S_SIN * w] * own[t.QY]
        other_y = two[t.S_SIN * w] * own[t.QX] + two[t.S_COS * w] * own[t.QY]
        dx = away_x - other_x
        dy = away_y - other_y
        far = math.sqrt(dx * dx + dy * dy)
        nx = dx / far
        ny = dy / far
        gap = far - own[t.RADIUS] - own[t.OTHER]
        into[t.R_BN] = other_x * ny - other_y * nx
        into[t.R_BT] = other_x * nx + other_y * ny + own[t.OTHER]
    into[t.R_NX] = nx
    into[t.R_NY] = ny
    into[t.R_AN] = arm_x * ny - arm_y * nx
    into[t.R_AT] = arm_x * nx + arm_y * ny - own[t.RADIUS]
    into[t.R_X] = one[t.S_X * w] + arm_x - own[t.RADIUS] * nx
    into[t.R_Y] = one[t.S_Y * w] + arm_y - own[t.RADIUS] * ny
    return gap


def speed_n(world: World, r: Floats, a: int, b: int, v: Floats) -> float:
    """Velocity along the normal of a row, for velocities of all bodies [m/s]."""
    flat = r[t.R_NX] * (v[3 * a] - v[3 * b]) + r[t.R_NY] * (v[3 * a + 1] - v[3 * b + 1])
    return flat + r[t.R_AN] * v[3 * a + 2] - r[t.R_BN] * v[3 * b + 2]


def speed_t(world: World, r: Floats, a: int, b: int, v: Floats) -> float:
    """The same along its tangent."""
    flat = r[t.R_NX] * (v[3 * a + 1] - v[3 * b + 1]) - r[t.R_NY] * (v[3 * a] - v[3 * b])
    return flat + r[t.R_AT] * v[3 * a + 2] - r[t.R_BT] * v[3 * b + 2]


def closing_speed(world: World, f: int) -> float:
    """Velocity along the normal of a feature that `look` has put behind the first numbers of `more` [m/s]."""
    kinds = shift(world.kinds, t.KINDS * f)
    return speed_n(world, shift(world.more, 6), kinds[t.A], kinds[t.B], world.rate)


def seen(world: World, f: int, ahead: float, out: Floats) -> None:
    """The point of a feature, now or some time ahead, in the frame of the other body, from its centre of mass."""
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    w = width(world)
    one = shift(world.series, kinds[t.A] * t.SERIES * w)
    two = shift(world.series, kinds[t.B] * t.SERIES * w)
    c = one[t.S_COS * w]
    s = one[t.S_SIN * w]
    right = c * own[t.PX] - s * own[t.PY]
    down = s * own[t.PX] + c * own[t.PY]
    x = one[t.S_X * w] + right - two[t.S_X * w]
    y = one[t.S_Y * w] + down - two[t.S_Y * w]
    if ahead != 0.0:
        vx = one[t.S_VX * w] - one[t.S_SPIN * w] * down - two[t.S_VX * w] + two[t.S_SPIN * w] * y
        vy = one[t.S_VY * w] + one[t.S_SPIN * w] * right - two[t.S_VY * w] - two[t.S_SPIN * w] * x
        x += ahead * vx
        y += ahead * vy
    out[0] = two[t.S_COS * w] * x + two[t.S_SIN * w] * y
    out[1] = two[t.S_COS * w] * y - two[t.S_SIN * w] * x


def along_side(world: World, f: int, ahead: float) -> float:
    """How far along its side the point of a feature is, now or some time ahead [m]."""
    own = shift(world.features, t.FEATURE * f)
    place = shift(world.work, 8)
    seen(world, f, ahead, place)
    return own[t.NX] * place[1] - own[t.NY] * place[0] - own[t.ALONG]


def around(world: World, f: int, ahead: float) -> bool:
    """Whether the centre of a circle is before a corner, and not before the sides that meet there."""
    own = shift(world.features, t.FEATURE * f)
    place = shift(world.work, 8)
    seen(world, f, ahead, place)
    x = place[0] - own[t.QX]
    y = place[1] - own[t.QY]
    begins = own[t.BEGUN_X] != 0.0 or own[t.BEGUN_Y] != 0.0
    ends = own[t.ENDED_X] != 0.0 or own[t.ENDED_Y] != 0.0
    if begins and own[t.BEGUN_X] * x + own[t.BEGUN_Y] * y <= 0.0:
        return False
    return not (ends and own[t.ENDED_X] * x + own[t.ENDED_Y] * y >= 0.0)


def reaches_over(own: Floats, turn: Floats, last: bool, approach: float) -> bool:
    """Whether a corner at the very end of a side meets the corner there, see `mechanics.Over`.

    Args:
        own: The row of the feature.
        turn: Cosine and sine of the turn of the corner's body against the other one; velocity of the corner in the
            frame of that [m/s].
        last: Whether it is at the end of the side, not at its beginning.
        approach: Velocity along the normal of what strikes, else what tells whether it rests there [m/s].
    """
    sign = -1.0 if last else 1.0
    over = approach > -SLOW
    for k in range(2):
        x = turn[0] * own[t.FROM_X + 2 * k] - turn[1] * own[t.FROM_Y + 2 * k]
        y = turn[1] * own[t.FROM_X + 2 * k] + turn[0] * own[t.FROM_Y + 2 * k]
        if x * own[t.NX] + y * own[t.NY] <= -LEANS:
            return False
        over = over or sign * (y * own[t.NX] - x * own[t.NY]) > LEANS
    along = sign * (turn[3] * own[t.NX] - turn[2] * own[t.NY])
    nearer = turn[2] * own[t.NX] + turn[3] * own[t.NY]
    return over or (nearer < -SLOW and along > SLOW - LEANS * nearer)


def turn_between(one: Floats, two: Floats, own: Floats, out: Floats) -> None:
    """What `reaches_over` needs of two bodies: place, cosine and sine of the angle, velocity and spin of each."""
    arm_x = one[2] * own[t.PX] - one[3] * own[t.PY]
    arm_y = one[3] * own[t.PX] + one[2] * own[t.PY]
    away_x = one[0] + arm_x - two[0]
    away_y = one[1] + arm_y - two[1]
    vx = one[4] - one[6] * arm_y - two[4] + two[6] * away_y
    vy = one[5] + one[6] * arm_x - two[5] - two[6] * away_x
    out[0] = one[2] * two[2] + one[3] * two[3]
    out[1] = one[3] * two[2] - one[2] * two[3]
    out[2] = two[2] * vx + two[3] * vy
    out[3] = two[2] * vy - two[3] * vx


def put_body(world: World, body: int, out: Floats) -> None:
    """What `turn_between` takes of a body, as it is now."""
    w = width(world)
    own = shift(world.series, body * t.SERIES * w)
    out[0] = own[t.S_X * w]
    out[1] = own[t.S_Y * w]
    out[2] = own[t.S_COS * w]
    out[3] = own[t.S_SIN * w]
    out[4] = own[t.S_VX * w]
    out[5] = own[t.S_VY * w]
    out[6] = own[t.S_SPIN * w]


def is_corner(own: Floats) -> bool:
    """Whether the point of a feature is a corner of a shape."""
    return own[t.FROM_X] != 0.0 or own[t.FROM_Y] != 0.0


def there(world: World, f: int, approach: float, margin: float, ahead: float) -> bool:
    """Whether a feature that is at its surface touches it: whether it is within its domain.

    Args:
        world: The tables.
        f: The feature.
        approach: Velocity along the normal [m/s].
        margin: How far within the ends of a side a point has to be [m].
        ahead: For circles: how far ahead to look [s].
    """
    kinds = shift(world.kinds, t.KINDS * f)
    own = shift(world.features, t.FEATURE * f)
    if kinds[t.KIND] == t.ROUND:
        return around(world, f, ahead)
    if own[t.RADIUS] > 0.0:
        s = along_side(world, f, ahead)
        return 0.0 <= s <= own[t.LENGTH]
    s = along_side(world, f, 0.0)
    if margin < s < own[t.LENGTH] - margin:
        return True
    if own[t.SHARP] == 0.0 or not -WITHIN < s < own[t.LENGTH] + WITHIN:
        return False
    if not is_corner(own):
        return approach > -SLOW
    one = shift(world.work, 16)
    two = shift(world.work, 24)
    turn = shift(world.work, 32)
    put_body(world, kinds[t.A], one)
    put_body(world, kinds[t.B], two)
    turn_between(one, two, own, turn)
    return reaches_over(own, turn, 2.0 * s > own[t.LENGTH], approach)


def slid_off(world: World, f: int) -> bool:
    """Whether a point is beyond the ends of the side that it touches, as another one that has just slid off."""
    own = shift(world.features, t.FEATURE * f)
    if own[t.RADIUS] > 0.0 or world.kinds[t.KINDS * f + t.KIND] == t.ROUND:
        return False
    s = along_side(world, f, 0.0)
    return s < -0.99 * BEYOND or s > own[t.LENGTH] + 0.99 * BEYOND


def add_near(world: World, f: int) -> None:
    """Look at a feature in this step."""
    world.near[world.counts[t.NEAR]] = f
    world.counts[t.NEAR] = world.counts[t.NEAR] + 1


def meet_ground(world: World, a: int) -> None:
    """Find the features of the ground that a body may touch."""
    at = world.on_ground[a]
    if at == 0:
        return
    low_x = world.low[2 * a]
    low_y = world.low[2 * a + 1]
    high_x = world.high[2 * a]
    high_y = world.high[2 * a + 1]
    count = world.lists[at]
    for block in range((count + t.BLOCK - 1) // t.BLOCK):
        fence = shift(world.fences, world.fenced[a] + 4 * block)
        if fence[0] > high_x or fence[2] < low_x or fence[1] > high_y or fence[3] < low_y:
            continue
        for place in range(t.BLOCK * block, min(t.BLOCK * block + t.BLOCK, count)):
            f = world.lists[at + 1 + place]
            own = shift(world.features, t.FEATURE * f)
            if own[t.LOW_X] <= high_x and own[t.HIGH_X] >= low_x and own[t.LOW_Y] <= high_y and own[t.HIGH_Y] >= low_y:
                add_near(world, f)


def meet_more(world: World, body: int, other: int, far: float) -> None:
    """Look at more features of two bodies, 0 for the ground, which are no farther apart than that: there are none."""


def deepest_more(world: World, least: float) -> int:
    """The first of more features that lie in each other by more than that, -1 for none."""
    return -1


def key_of(world: World, f: int) -> float:
    """What contacts are put in order by: where the bodies are that they join, along the axis of the order."""
    a = world.kinds[t.KINDS * f + t.A]
    b = world.kinds[t.KINDS * f + t.B]
    axis = world.counts[t.AXIS]
    if b == 0:
        return world.place[3 * a + axis]
    return 0.5 * (world.place[3 * a + axis] + world.place[3 * b + axis])


def thickness(world: World, f: int) -> float:
    """How far behind a side something has come through it; farther on it is beyond [m]."""
    side = world.kinds[t.KINDS * f + t.KIND] == t.SIDE
    return world.features[t.FEATURE * f + t.DEPTH] if side else math.inf


FUNCTIONS: Final = (
    width,
    refresh,
    look,
    speed_n,
    speed_t,
    closing_speed,
    seen,
    along_side,
    around,
    reaches_over,
    turn_between,
    put_body,
    is_corner,
    there,
    slid_off,
    add_near,
    meet_ground,
    meet_more,
    deepest_more,
    key_of,
    thickness,
)
