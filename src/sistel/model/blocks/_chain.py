"""Inverse kinematics of a chain of joints at a tick, from where it stands: in the compiled subset of Python.

Cyclic coordinate descent (Wang and Chen, 1991) turns one joint after the other, from the tip to the base, by the angle
that brings the tool nearest to its target: with P_c and P_d from the joint to the tool and to the target, u_c and u_d
their axes, a the axis of the joint,

    k₁ = w (P_d·a)(P_c·a) + Σ (u_d·a)(u_c·a),   k₂ = w P_d·P_c + Σ u_d·u_c,   k₃ = a·(w P_c×P_d + Σ u_c×u_d),

and the angle is atan2(k₃, k₂ − k₁). Levenberg and Marquardt's method moves all joints at once, Δq = (JᵀJ + λ)⁻¹ Jᵀ e.
Lengths count by the reach of the chain, so that places and orientations weigh alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from sistel.arrays import Floats, shift

COUNT: Final = 0
TURNED: Final = 1
"""Whether an orientation is asked for."""
METHOD: Final = 2
"""0 for descent, 1 for Levenberg and Marquardt."""
MOST: Final = 3
"""Iterations at most."""
PLACE: Final = 4
TURN: Final = 5
"""Tolerances [m and 1]."""
SCALE: Final = 6
"""Of lengths [1/m]."""
TOOL: Final = 7
"""Place and axes of the tool on the last body: twelve numbers."""
HEAD: Final = 19
PATIENCE: Final = 20
"""Sweeps after which descent weighs places otherwise."""
JOINT: Final = 18
"""Numbers of a joint: 0 or 1 for a slide, its place, its axes by rows, its axis, its limits."""
POSE: Final = 12
"""Numbers of a pose: its place, then its axes by rows."""


def joined_pose(a: Floats, p: Floats, out: Floats) -> None:
    """The pose that a pose has in another one."""
    for i in range(3):
        row = shift(a, 3 + 3 * i)
        out[i] = a[i] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2]
        for j in range(3):
            out[3 + 3 * i + j] = row[0] * p[3 + j] + row[1] * p[6 + j] + row[2] * p[9 + j]


def turned_pose(pose: Floats, o: Floats, a: Floats, angle: float) -> None:
    """Turn a pose about an axis through a point, in its own place."""
    c = math.cos(angle)
    s = math.sin(angle)
    for column in range(4):
        # The place from the point, then the three axes.
        x = pose[0] - o[0] if column == 0 else pose[2 + column]
        y = pose[1] - o[1] if column == 0 else pose[5 + column]
        z = pose[2] - o[2] if column == 0 else pose[8 + column]
        along = (1.0 - c) * (a[0] * x + a[1] * y + a[2] * z)
        nx = c * x + s * (a[1] * z - a[2] * y) + along * a[0]
        ny = c * y + s * (a[2] * x - a[0] * z) + along * a[1]
        nz = c * z + s * (a[0] * y - a[1] * x) + along * a[2]
        if column == 0:
            pose[0] = o[0] + nx
            pose[1] = o[1] + ny
            pose[2] = o[2] + nz
        else:
            pose[2 + column] = nx
            pose[5 + column] = ny
            pose[8 + column] = nz


def forward(data: Floats, q: Floats, room: Floats, tool: Floats) -> None:
    """Points and axes of all joints in the base, six numbers each, in `room`; and the pose of the tool."""
    count = int(data[COUNT])
    pose = shift(room, 6 * count)
    other = shift(room, 6 * count + POSE)
    for i in range(POSE):
        pose[i] = 1.0 if i == 3 or i == 7 or i == 11 else 0.0
    for k in range(count):
        joint = shift(data, HEAD + JOINT * k)
        joined_pose(pose, shift(joint, 1), other)
        axis = shift(joint, 13)
        here = shift(room, 6 * k)
        for i in range(3):
            row = shift(other, 3 + 3 * i)
            here[i] = other[i]
            here[3 + i] = row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2]
        if joint[0] == 0.0:
            turned_pose(other, here, shift(here, 3), q[k])
        else:
            for i in range(3):
                other[i] = other[i] + q[k] * here[3 + i]
        for i in range(POSE):
            pose[i] = other[i]
    joined_pose(pose, shift(data, TOOL), tool)


def miss(tool: Floats, target: Floats) -> float:
    """Distance of two poses [m]."""
    x = target[0] - tool[0]
    y = target[1] - tool[1]
    z = target[2] - tool[2]
    return math.sqrt(x * x + y * y + z * z)


def askew(tool: Floats, target: Floats) -> float:
    """The difference of two orientations: the norm of that of their matrices over √2, a small angle."""
    total = 0.0
    for i in range(3, POSE):
        apart = target[i] - tool[i]
        total += apart * apart
    return math.sqrt(0.5 * total)


def best_turn(o: Floats, a: Floats, tool: Floats, target: Floats, place: float, turned: bool) -> float:
    """The angle by which a joint brings the tool nearest to its target."""
    cx = tool[0] - o[0]
    cy = tool[1] - o[1]
    cz = tool[2] - o[2]
    dx = target[0] - o[0]
    dy = target[1] - o[1]
    dz = target[2] - o[2]
    near = math.sqrt(cx * cx + cy * cy + cz * cz)
    far = math.sqrt(dx * dx + dy * dy + dz * dz)
    share = min(near, far) / max(near, far) if max(near, far) > 0.0 else 1.0
    weight = place * (1.0 + share)
    k1 = weight * (dx * a[0] + dy * a[1] + dz * a[2]) * (cx * a[0] + cy * a[1] + cz * a[2])
    k2 = weight * (dx * cx + dy * cy + dz * cz)
    k3 = weight * (a[0] * (cy * dz - cz * dy) + a[1] * (cz * dx - cx * dz) + a[2] * (cx * dy - cy * dx))
    if turned:
        for j in range(3):
            ux = tool[3 + j]
            uy = tool[6 + j]
            uz = tool[9 + j]
            wx = target[3 + j]
            wy = target[6 + j]
            wz = target[9 + j]
            k1 += (ux * a[0] + uy * a[1] + uz * a[2]) * (wx * a[0] + wy * a[1] + wz * a[2])
            k2 += ux * wx + uy * wy + uz * wz
            k3 += a[0] * (uy * wz - uz * wy) + a[1] * (uz * wx - ux * wz) + a[2] * (ux * wy - uy * wx)
    return math.atan2(k3, k2 - k1)


def within(value: float, low: float, high: float, turns: bool) -> float:
    """A coordinate within its limits; a turn may come to the same from the other side."""
    if turns and value > high and value - 2.0 * math.pi >= low:
        value -= 2.0 * math.pi
    if turns and value < low and value + 2.0 * math.pi <= high:
        value += 2.0 * math.pi
    return min(max(value, low), high)


def sweep(data: Floats, q: Floats, room: Floats, tool: Floats, target: Floats, gain: float) -> None:
    """Move all joints once, from the tip to the base; those before the one that moves do not feel it."""
    place = gain * gain * data[SCALE] * data[SCALE]
    for k in range(int(data[COUNT]) - 1, -1, -1):
        joint = shift(data, HEAD + JOINT * k)
        o = shift(room, 6 * k)
        a = shift(o, 3)
        before = q[k]
        turns = joint[0] == 0.0
        if turns:
            q[k] = within(
                before + best_turn(o, a, tool, target, place, data[TURNED] != 0.0), joint[16], joint[17], True
            )
            turned_pose(tool, o, a, q[k] - before)
        else:
            way = (target[0] - tool[0]) * a[0] + (target[1] - tool[1]) * a[1] + (target[2] - tool[2]) * a[2]
            q[k] = within(before + way, joint[16], joint[17], False)
            for i in range(3):
                tool[i] = tool[i] + (q[k] - before) * a[i]


def residual(data: Floats, tool: Floats, target: Floats, e: Floats) -> float:
    """What is left to the target, six numbers, and their square."""
    scale = data[SCALE]
    total = 0.0
    for i in range(3):
        e[i] = scale * (target[i] - tool[i])
        e[3 + i] = 0.0
    if data[TURNED] != 0.0:
        for j in range(3):
            u = shift(tool, 3 + j)
            w = shift(target, 3 + j)
            e[3] = e[3] + 0.5 * (u[3] * w[6] - u[6] * w[3])
            e[4] = e[4] + 0.5 * (u[6] * w[0] - u[0] * w[6])
            e[5] = e[5] + 0.5 * (u[0] * w[3] - u[3] * w[0])
    for i in range(6):
        total += e[i] * e[i]
    return total


def eliminate(m: Floats, n: int) -> None:
    """Solve n equations in place: rows of n numbers and the right side, positive definite."""
    width = n + 1
    for i in range(n):
        pivot = 1.0 / m[i * width + i]
        for k in range(i + 1, n):
            factor = m[k * width + i] * pivot
            for j in range(i, width):
                m[k * width + j] = m[k * width + j] - factor * m[i * width + j]
    for i in range(n - 1, -1, -1):
        total = m[i * width + n]
        for j in range(i + 1, n):
            total -= m[i * width + j] * m[j * width + n]
        m[i * width + n] = total / m[i * width + i]


def column(data: Floats, room: Floats, tool: Floats, k: int, i: int) -> float:
    """An entry of the Jacobian: component i of what joint k does to the tool."""
    o = shift(room, 6 * k)
    a = shift(o, 3)
    slides = data[HEAD + JOINT * k] != 0.0
    if i >= 3:
        return a[i - 3] if not slides and data[TURNED] != 0.0 else 0.0
    if slides:
        return data[SCALE] * a[i]
    j = (i + 1) % 3
    k2 = (i + 2) % 3
    return data[SCALE] * (a[j] * (tool[k2] - o[k2]) - a[k2] * (tool[j] - o[j]))


def marquardt(
    data: Floats,
    q: Floats,
    room: Floats,
    tool: Floats,
    target: Floats,
    e: Floats,
    m: Floats,
    tried: Floats,
    damping: float,
) -> float:
    """One step of all joints; the damping of the next one."""
    n = int(data[COUNT])
    width = n + 1
    cost = residual(data, tool, target, e)
    for r in range(n):
        for c in range(n):
            total = 0.0
            for i in range(6):
                total += column(data, room, tool, r, i) * column(data, room, tool, c, i)
            m[r * width + c] = total + (damping if r == c else 0.0)
        total = 0.0
        for i in range(6):
            total += column(data, room, tool, r, i) * e[i]
        m[r * width + n] = total
    eliminate(m, n)
    for k in range(n):
        joint = shift(data, HEAD + JOINT * k)
        tried[k] = within(q[k] + m[k * width + n], joint[16], joint[17], joint[0] == 0.0)
    forward(data, tried, room, tool)
    if residual(data, tool, target, e) < cost:
        for k in range(n):
            q[k] = tried[k]
        return max(damping * 0.1, 1e-12)
    forward(data, q, room, tool)
    return min(damping * 10.0, 1e6)


def target_pose(data: Floats, given: Floats, target: Floats) -> None:
    """The pose that is asked for: a place and, where it counts, a quaternion w, x, y, z of any length."""
    for i in range(3):
        target[i] = given[i]
    for i in range(3, POSE):
        target[i] = 1.0 if i == 3 or i == 7 or i == 11 else 0.0
    if data[TURNED] != 0.0:
        w = given[3]
        x = given[4]
        y = given[5]
        z = given[6]
        size = w * w + x * x + y * y + z * z
        two = 2.0 / size if size > 0.0 else 0.0
        target[3] = 1.0 - two * (y * y + z * z)
        target[4] = two * (x * y - w * z)
        target[5] = two * (x * z + w * y)
        target[6] = two * (x * y + w * z)
        target[7] = 1.0 - two * (x * x + z * z)
        target[8] = two * (y * z - w * x)
        target[9] = two * (x * z - w * y)
        target[10] = two * (y * z + w * x)
        target[11] = 1.0 - two * (x * x + y * y)


def reach_for(data: Floats, given: Floats, made: Floats) -> None:
    """Coordinates of a chain that bring its tool to a target, as near as they can from where it stands.

    Args:
        data: The chain, see the places above.
        given: Its coordinates now, then the target: a place, and a quaternion where it is turned.
        made: The coordinates; how far it is left, and how askew; the iterations; then room.
    """
    n = int(data[COUNT])
    q = made
    tool = shift(made, n + 3)
    target = shift(made, n + 3 + POSE)
    e = shift(made, n + 3 + 2 * POSE)
    room = shift(made, n + 9 + 2 * POSE)
    m = shift(made, 7 * n + 9 + 4 * POSE)
    tried = shift(made, 7 * n + 9 + 4 * POSE + n * (n + 1))
    for k in range(n):
        joint = shift(data, HEAD + JOINT * k)
        q[k] = min(max(given[k], joint[16]), joint[17])
    target_pose(data, shift(given, n), target)
    forward(data, q, room, tool)
    damping = 1e-3
    done = 0
    for number in range(int(data[MOST])):
        if miss(tool, target) <= data[PLACE] and (data[TURNED] == 0.0 or askew(tool, target) <= data[TURN]):
            break
        if data[METHOD] == 0.0:
            # Which share of places and orientations leads on depends on the arm and the target.
            turn = number // PATIENCE % 3
            sweep(data, q, room, tool, target, 4.0 if turn == 0 else 8.0 if turn == 1 else 2.0)
            forward(data, q, room, tool)
        else:
            damping = marquardt(data, q, room, tool, target, e, m, tried, damping)
        done = number + 1
    made[n] = miss(tool, target)
    made[n + 1] = askew(tool, target) if data[TURNED] != 0.0 else 0.0
    made[n + 2] = float(done)


REACH: Final = (
    reach_for, target_pose, marquardt, column, eliminate, residual, sweep, within, best_turn, askew, miss, forward,
    turned_pose, joined_pose,
)  # fmt: skip


def room_of(count: int) -> int:
    """How many numbers `reach_for` makes, its room included."""
    return 8 * count + 9 + 4 * POSE + count * (count + 1)


IDENTITY_POSE: Final = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def joined_poses(a: Sequence[float], p: Sequence[float]) -> tuple[float, ...]:
    """As `joined_pose`, of plain numbers: twelve each."""
    place = (a[i] + sum(a[3 + 3 * i + j] * p[j] for j in range(3)) for i in range(3))
    axes = (sum(a[3 + 3 * i + k] * p[3 + 3 * k + j] for k in range(3)) for i in range(3) for j in range(3))
    return (*place, *axes)
