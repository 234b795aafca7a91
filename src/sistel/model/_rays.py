"""Rays in the plane and in space: how far it is to what a ray meets first. In the compiled subset of Python.

Shapes of one body are leaves of a tree of boxes along its axes. Nodes stand in the order in which the tree is walked,
and each knows where to go on when its box is missed: a walk is one loop, without a stack. A ray sees surfaces from both
sides. What is met beyond `FAR` is not met.

Data: how many rays there are, where their table begins, how many bodies with shapes, where the table of these begins.
A ray is its origin and its direction in the body of the sensor; a body, its first node and the one after the last.
Given are the pose of the sensor's body, then those of the bodies with shapes: the place, then in the plane cosine and
sine, in space the rows of the matrix.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arrays import Floats

FAR: Final = 1e9
"""What rays give that meet nothing [m]."""
HEAD: Final = 4
FLAT_NODE: Final = 7
"""Numbers of a node in the plane: lower and upper corner, where to go on, kind or -1, place of the shape."""
NODE: Final = 9
"""The same in space."""
BOX, BALL, SEGMENT, CYLINDER, CAPSULE, TRIANGLE = range(6)
TINY: Final = 1e-290
HUGE: Final = 1e290


def inverse(way: float) -> float:
    """1 / way; a number that no length outgrows where there is no way: what is beside then is behind or far ahead."""
    return 1.0 / way if abs(way) > TINY else HUGE


def nearer(low: float, high: float, origin: float, way: float) -> float:
    """Where a ray comes between two planes, `way` being the inverse of its direction across them."""
    return min((low - origin) * way, (high - origin) * way)


def farther(low: float, high: float, origin: float, way: float) -> float:
    """Where it leaves the space between them."""
    return max((low - origin) * way, (high - origin) * way)


def first_of(near: float, far: float) -> float:
    """The first of two distances that is not behind."""
    if near >= 0.0:
        return near
    return far if far >= 0.0 else FAR


# --- the plane -------------------------------------------------------------------------------------------------------


def flat_box(data: Floats, at: int, ox: float, oy: float, dx: float, dy: float) -> float:
    """A turned box: centre, cosine, sine, half sizes."""
    c = data[at + 2]
    s = data[at + 3]
    x = ox - data[at]
    y = oy - data[at + 1]
    u = c * x + s * y
    v = c * y - s * x
    du = c * dx + s * dy
    dv = c * dy - s * dx
    a = data[at + 4]
    b = data[at + 5]
    du = inverse(du)
    dv = inverse(dv)
    near = max(nearer(-a, a, u, du), nearer(-b, b, v, dv))
    far = min(farther(-a, a, u, du), farther(-b, b, v, dv))
    return first_of(near, far) if near <= far else FAR


def flat_ball(data: Floats, at: int, ox: float, oy: float, dx: float, dy: float) -> float:
    """A circle: centre, radius."""
    x = data[at] - ox
    y = data[at + 1] - oy
    along = x * dx + y * dy
    aside = x * dy - y * dx
    rest = data[at + 2] * data[at + 2] - aside * aside
    if rest < 0.0:
        return FAR
    half = math.sqrt(rest)
    return first_of(along - half, along + half)


def segment(data: Floats, at: int, ox: float, oy: float, dx: float, dy: float) -> float:
    """A straight side: its two ends."""
    ex = data[at + 2] - data[at]
    ey = data[at + 3] - data[at + 1]
    x = data[at] - ox
    y = data[at + 1] - oy
    across = dx * ey - dy * ex
    if across == 0.0:
        return FAR
    part = (x * dy - y * dx) / across
    distance = (x * ey - y * ex) / across
    if part < 0.0 or part > 1.0 or distance < 0.0:
        return FAR
    return distance


def flat_walk(data: Floats, first: int, last: int, ox: float, oy: float, dx: float, dy: float, best: float) -> float:
    """The least distance to the shapes of one body, or what was known before."""
    found = best
    i = first
    ix = inverse(dx)
    iy = inverse(dy)
    while i < last:
        low = max(nearer(data[i], data[i + 2], ox, ix), nearer(data[i + 1], data[i + 3], oy, iy))
        high = min(farther(data[i], data[i + 2], ox, ix), farther(data[i + 1], data[i + 3], oy, iy))
        if low > high or high < 0.0 or low > found:
            i = int(data[i + 4])
        else:
            kind = data[i + 5]
            if kind >= 0.0:
                at = int(data[i + 6])
                if kind == BOX:
                    found = min(found, flat_box(data, at, ox, oy, dx, dy))
                elif kind == BALL:
                    found = min(found, flat_ball(data, at, ox, oy, dx, dy))
                else:
                    found = min(found, segment(data, at, ox, oy, dx, dy))
            i += FLAT_NODE
    return found


def flat_rays(data: Floats, given: Floats, made: Floats) -> None:
    """Distances along all rays in the plane."""
    c = given[2]
    s = given[3]
    bodies = int(data[3])
    for ray in range(int(data[0])):
        at = int(data[1]) + 4 * ray
        ox = given[0] + c * data[at] - s * data[at + 1]
        oy = given[1] + s * data[at] + c * data[at + 1]
        dx = c * data[at + 2] - s * data[at + 3]
        dy = s * data[at + 2] + c * data[at + 3]
        best = FAR
        for body in range(int(data[2])):
            pose = 4 * (body + 1)
            e = given[pose + 2]
            f = given[pose + 3]
            x = ox - given[pose]
            y = oy - given[pose + 1]
            first = int(data[bodies + 2 * body])
            last = int(data[bodies + 2 * body + 1])
            best = flat_walk(data, first, last, e * x + f * y, e * y - f * x, e * dx + f * dy, e * dy - f * dx, best)
        made[ray] = best


# --- space -----------------------------------------------------------------------------------------------------------


def along(data: Floats, at: int, x: float, y: float, z: float) -> float:
    """The product of a vector with one in the data."""
    return data[at] * x + data[at + 1] * y + data[at + 2] * z


def box(a: float, b: float, c: float, u: float, v: float, w: float, du: float, dv: float, dw: float) -> float:
    """A box along its axes, by half sizes."""
    x = inverse(du)
    y = inverse(dv)
    z = inverse(dw)
    near = max(nearer(-a, a, u, x), nearer(-b, b, v, y), nearer(-c, c, w, z))
    far = min(farther(-a, a, u, x), farther(-b, b, v, y), farther(-c, c, w, z))
    return first_of(near, far) if near <= far else FAR


def ball(x: float, y: float, z: float, dx: float, dy: float, dz: float, r: float) -> float:
    """A sphere whose centre is at x, y, z from the origin of the ray."""
    way = x * dx + y * dy + z * dz
    # The distance of the centre from the ray, by the part across: a difference of squares would lose digits.
    ax = x - way * dx
    ay = y - way * dy
    az = z - way * dz
    rest = r * r - (ax * ax + ay * ay + az * az)
    if rest < 0.0:
        return FAR
    half = math.sqrt(rest)
    return first_of(way - half, way + half)


def wall(u: float, v: float, w: float, du: float, dv: float, dw: float, r: float, h: float) -> float:
    """The side of a cylinder along z, without its ends."""
    a = du * du + dv * dv
    if a < TINY:
        return FAR
    way = -(u * du + v * dv) / a
    x = u + way * du
    y = v + way * dv
    rest = r * r - (x * x + y * y)
    if rest < 0.0:
        return FAR
    half = math.sqrt(rest / a)
    near = way - half
    if near >= 0.0 and abs(w + near * dw) <= h:
        return near
    far = way + half
    if far >= 0.0 and abs(w + far * dw) <= h:
        return far
    return FAR


def lid(u: float, v: float, w: float, du: float, dv: float, dw: float, r: float, h: float) -> float:
    """A disc across z at the height h."""
    if abs(dw) < TINY:
        return FAR
    t = (h - w) / dw
    x = u + t * du
    y = v + t * dv
    return t if t >= 0.0 and x * x + y * y <= r * r else FAR


def turned(data: Floats, kind: int, at: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> float:
    """A shape with axes of its own: its centre, the columns of its axes, sizes."""
    x = ox - data[at]
    y = oy - data[at + 1]
    z = oz - data[at + 2]
    u = along(data, at + 3, x, y, z)
    v = along(data, at + 6, x, y, z)
    w = along(data, at + 9, x, y, z)
    du = along(data, at + 3, dx, dy, dz)
    dv = along(data, at + 6, dx, dy, dz)
    dw = along(data, at + 9, dx, dy, dz)
    a = data[at + 12]
    b = data[at + 13]
    if kind == BOX:
        return box(a, b, data[at + 14], u, v, w, du, dv, dw)
    side = wall(u, v, w, du, dv, dw, a, b)
    if kind == CYLINDER:
        return min(side, lid(u, v, w, du, dv, dw, a, b), lid(u, v, w, du, dv, dw, a, -b))
    # The ends of a capsule: of their spheres, what lies beyond the cylinder.
    best = side
    for end in range(2):
        sign = 1.0 if end == 0 else -1.0
        h = sign * b
        near = ball(-u, -v, h - w, du, dv, dw, a)
        if near < FAR:
            # The other crossing is as far behind the foot of the perpendicular.
            far = 2.0 * (-u * du - v * dv + (h - w) * dw) - near
            if near < best and sign * (w + near * dw) >= b:
                best = near
            if 0.0 <= far < best and sign * (w + far * dw) >= b:
                best = far
    return best


def triangle(data: Floats, at: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> float:
    """A triangle: a corner and two edges (Möller, Trumbore 1997)."""
    ex = data[at + 3]
    ey = data[at + 4]
    ez = data[at + 5]
    fx = data[at + 6]
    fy = data[at + 7]
    fz = data[at + 8]
    px = dy * fz - dz * fy
    py = dz * fx - dx * fz
    pz = dx * fy - dy * fx
    volume = ex * px + ey * py + ez * pz
    if volume == 0.0:
        return FAR
    x = ox - data[at]
    y = oy - data[at + 1]
    z = oz - data[at + 2]
    u = (x * px + y * py + z * pz) / volume
    if u < 0.0 or u > 1.0:
        return FAR
    qx = y * ez - z * ey
    qy = z * ex - x * ez
    qz = x * ey - y * ex
    v = (dx * qx + dy * qy + dz * qz) / volume
    if v < 0.0 or u + v > 1.0:
        return FAR
    t = (fx * qx + fy * qy + fz * qz) / volume
    return t if t >= 0.0 else FAR


def walk(
    data: Floats, first: int, last: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, best: float
) -> float:
    """The least distance to the shapes of one body, or what was known before."""
    found = best
    i = first
    ix = inverse(dx)
    iy = inverse(dy)
    iz = inverse(dz)
    while i < last:
        low = max(nearer(data[i], data[i + 3], ox, ix), nearer(data[i + 1], data[i + 4], oy, iy))
        low = max(low, nearer(data[i + 2], data[i + 5], oz, iz))
        high = min(farther(data[i], data[i + 3], ox, ix), farther(data[i + 1], data[i + 4], oy, iy))
        high = min(high, farther(data[i + 2], data[i + 5], oz, iz))
        if low > high or high < 0.0 or low > found:
            i = int(data[i + 6])
        else:
            kind = int(data[i + 7])
            if kind >= 0:
                at = int(data[i + 8])
                if kind == BALL:
                    x = data[at] - ox
                    y = data[at + 1] - oy
                    found = min(found, ball(x, y, data[at + 2] - oz, dx, dy, dz, data[at + 3]))
                elif kind == TRIANGLE:
                    found = min(found, triangle(data, at, ox, oy, oz, dx, dy, dz))
                else:
                    found = min(found, turned(data, kind, at, ox, oy, oz, dx, dy, dz))
            i += NODE
    return found


def rays(data: Floats, given: Floats, made: Floats) -> None:
    """Distances along all rays in space."""
    bodies = int(data[3])
    for ray in range(int(data[0])):
        at = int(data[1]) + 6 * ray
        ox = given[0] + along(given, 3, data[at], data[at + 1], data[at + 2])
        oy = given[1] + along(given, 6, data[at], data[at + 1], data[at + 2])
        oz = given[2] + along(given, 9, data[at], data[at + 1], data[at + 2])
        dx = along(given, 3, data[at + 3], data[at + 4], data[at + 5])
        dy = along(given, 6, data[at + 3], data[at + 4], data[at + 5])
        dz = along(given, 9, data[at + 3], data[at + 4], data[at + 5])
        best = FAR
        for body in range(int(data[2])):
            pose = 12 * (body + 1)
            x = ox - given[pose]
            y = oy - given[pose + 1]
            z = oz - given[pose + 2]
            best = walk(
                data,
                int(data[bodies + 2 * body]),
                int(data[bodies + 2 * body + 1]),
                given[pose + 3] * x + given[pose + 6] * y + given[pose + 9] * z,
                given[pose + 4] * x + given[pose + 7] * y + given[pose + 10] * z,
                given[pose + 5] * x + given[pose + 8] * y + given[pose + 11] * z,
                given[pose + 3] * dx + given[pose + 6] * dy + given[pose + 9] * dz,
                given[pose + 4] * dx + given[pose + 7] * dy + given[pose + 10] * dz,
                given[pose + 5] * dx + given[pose + 8] * dy + given[pose + 11] * dz,
                best,
            )
        made[ray] = best


FLAT_RAYS: Final = (flat_rays, flat_walk, flat_box, flat_ball, segment, inverse, nearer, farther, first_of)
RAYS: Final = (rays, walk, turned, triangle, box, ball, wall, lid, along, inverse, nearer, farther, first_of)
