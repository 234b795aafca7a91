"""Cyclic coordinate descent (L.-C. T. Wang and C. C. Chen, 1991): one joint at a time, from the tip to the base.

A joint that turns about the unit axis a through a point O takes the angle that brings the tool nearest to the target.
With P_c and P_d from O to the tool and to its target, and u_c, u_d the axes of both, the angle φ maximises
k₁(1 − cos φ) + k₂ cos φ + k₃ sin φ, where

    k₁ = w_p (P_d·a)(P_c·a) + w_o Σ (u_d·a)(u_c·a),   k₂ = w_p P_d·P_c + w_o Σ u_d·u_c,
    k₃ = a·(w_p P_c×P_d + w_o Σ u_c×u_d),

so that φ = atan2(k₃, k₂ − k₁). A joint that slides along a goes (P_d − P_c)·a. Joints before the one that moves do not
feel it: one look at the arm serves a whole sweep. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sistel.expr import Graph, Program
from sistel.kernels.subset import Floats, Function, Ints, poll, shift
from sistel.mechanics import Kinematics, expressions

if TYPE_CHECKING:
    from sistel.mechanics import Tree
    from sistel.pose import Rotation, Vector3
    from sistel.solve.ik._step import Joints

Look = Function[[int, int, int], None]
"""The kernel that looks at the arm: first and last row, address of its table of arguments."""

COUNT, NQ, JOINTS, ATTEMPTS, SWEEPS, SEEDS, ALL, STOP, ARGUMENTS, WIDTH = range(10)
"""Places of whole numbers, as of the other search; sweeps instead of iterations."""
TURN, SLIDE, SCALE, ENOUGH, NUMBERS = range(5)
"""Places of numbers: tolerances [rad and m], how much a metre weighs against a radian [1/m], the part of its error that
a number of sweeps has to take away; how many there are."""
PATIENCE: Final = 25
"""Sweeps between two looks at whether the error becomes smaller."""
PATIENT: Final = 0.995
"""The part of its error that an attempt near its end has to take away in that time."""


def derive_look(tree: Tree, body: int, p: Vector3, R: Rotation, joints: Joints) -> Program:
    """The program of the pose of the frame (its axes by rows, then its place), and of its Jacobian, joint by joint."""
    graph = Graph()
    kinematics = Kinematics(tree, list(graph.inputs("q", tree.nq)))
    axes, place, J = kinematics.axes(body, R), kinematics.place(body, p), kinematics.jacobian(body, p)
    pose = [*(entry for row in axes for entry in row), *place]
    columns = [J[i][rate] for rate in joints.rates for i in range(6)]
    return graph.program({"pose": expressions(graph, pose), "columns": expressions(graph, columns)})


def turn_vector(a: Floats, c: float, s: float, v: Floats) -> None:
    """Turn a vector about a unit axis, in its own place."""
    along = (1.0 - c) * (a[0] * v[0] + a[1] * v[1] + a[2] * v[2])
    x = c * v[0] + s * (a[1] * v[2] - a[2] * v[1]) + along * a[0]
    y = c * v[1] + s * (a[2] * v[0] - a[0] * v[2]) + along * a[1]
    z = c * v[2] + s * (a[0] * v[1] - a[1] * v[0]) + along * a[2]
    v[0] = x
    v[1] = y
    v[2] = z


def angle_between(tool: Floats, target: Floats, turns: Floats) -> float:
    """How far the axes of the tool that count are from those of the target [rad]; axes lie one after the other."""
    worst = 0.0
    for j in range(3):
        if turns[j] > 0.0:
            u = shift(tool, 3 * j)
            w = shift(target, 3 * j)
            x = u[1] * w[2] - u[2] * w[1]
            y = u[2] * w[0] - u[0] * w[2]
            z = u[0] * w[1] - u[1] * w[0]
            angle = math.atan2(math.sqrt(x * x + y * y + z * z), u[0] * w[0] + u[1] * w[1] + u[2] * w[2])
            worst = max(worst, angle)
    return worst


def best_turn(
    a: Floats, tool: Floats, target: Floats, column: Floats, turns: Floats, place: float, scale: float
) -> float:
    """The angle by which a joint brings the tool nearest to its target [rad]."""
    k1 = 0.0
    k2 = 0.0
    k3 = 0.0
    if place > 0.0:
        # The nearest point of the axis is as far as the velocity of the tool says: P = v × a.
        cx = column[4] * a[2] - column[5] * a[1]
        cy = column[5] * a[0] - column[3] * a[2]
        cz = column[3] * a[1] - column[4] * a[0]
        dx = cx + target[9] - tool[9]
        dy = cy + target[10] - tool[10]
        dz = cz + target[11] - tool[11]
        near = math.sqrt(cx * cx + cy * cy + cz * cz)
        far = math.sqrt(dx * dx + dy * dy + dz * dz)
        share = min(near, far) / max(near, far) if max(near, far) > 0.0 else 1.0
        # Lengths are measured by the size of the arm, so that places and orientations weigh alike.
        weight = place * (1.0 + share) * scale * scale
        k1 = weight * (dx * a[0] + dy * a[1] + dz * a[2]) * (cx * a[0] + cy * a[1] + cz * a[2])
        k2 = weight * (dx * cx + dy * cy + dz * cz)
        k3 = weight * (a[0] * (cy * dz - cz * dy) + a[1] * (cz * dx - cx * dz) + a[2] * (cx * dy - cy * dx))
    for j in range(3):
        if turns[j] > 0.0:
            u = shift(tool, 3 * j)
            w = shift(target, 3 * j)
            along = u[0] * a[0] + u[1] * a[1] + u[2] * a[2]
            k1 += turns[j] * along * (w[0] * a[0] + w[1] * a[1] + w[2] * a[2])
            k2 += turns[j] * (u[0] * w[0] + u[1] * w[1] + u[2] * w[2])
            k3 += turns[j] * (
                a[0] * (u[1] * w[2] - u[2] * w[1])
                + a[1] * (u[2] * w[0] - u[0] * w[2])
                + a[2] * (u[0] * w[1] - u[1] * w[0])
            )
    return math.atan2(k3, k2 - k1)


def sweep(
    counts: Ints,
    scale: float,
    places: Ints,
    bounds: Floats,
    q: Floats,
    tool: Floats,
    columns: Floats,
    target: Floats,
    turns: Floats,
    place: float,
) -> None:
    """Move all joints once, from the tip to the base; the tool goes with them."""
    joints = counts[JOINTS]
    for k in range(joints - 1, -1, -1):
        # The joint stays where it is while others after it move, but the tool does not: its velocity is taken anew.
        column = shift(columns, 6 * k)
        at = places[k]
        turning = column[0] ** 2 + column[1] ** 2 + column[2] ** 2 > 0.25
        if turning:
            move = best_turn(column, tool, target, column, turns, place, scale)
            there = q[at] + move
            if there > bounds[2 * k + 1] and there - 2.0 * math.pi >= bounds[2 * k]:
                there -= 2.0 * math.pi
            if there < bounds[2 * k] and there + 2.0 * math.pi <= bounds[2 * k + 1]:
                there += 2.0 * math.pi
        else:
            a = shift(column, 3)
            move = (
                ((target[9] - tool[9]) * a[0] + (target[10] - tool[10]) * a[1] + (target[11] - tool[11]) * a[2])
                if place > 0.0
                else 0.0
            )
            there = q[at] + move
        there = min(max(there, bounds[2 * k]), bounds[2 * k + 1])
        move = there - q[at]
        q[at] = there
        if turning:
            c = math.cos(move)
            s = math.sin(move)
            # From the axis to the tool, before and after.
            x = column[4] * column[2] - column[5] * column[1]
            y = column[5] * column[0] - column[3] * column[2]
            z = column[3] * column[1] - column[4] * column[0]
            for j in range(3):
                turn_vector(column, c, s, shift(tool, 3 * j))
            for i in range(k):
                # Columns of the joints before: the tool is elsewhere now, and so is its velocity.
                other = shift(columns, 6 * i)
                px = (c - 1.0) * x + s * (column[1] * z - column[2] * y)
                py = (c - 1.0) * y + s * (column[2] * x - column[0] * z)
                pz = (c - 1.0) * z + s * (column[0] * y - column[1] * x)
                other[3] = other[3] + other[1] * pz - other[2] * py
                other[4] = other[4] + other[2] * px - other[0] * pz
                other[5] = other[5] + other[0] * py - other[1] * px
            tool[9] = tool[9] + (c - 1.0) * x + s * (column[1] * z - column[2] * y)
            tool[10] = tool[10] + (c - 1.0) * y + s * (column[2] * x - column[0] * z)
            tool[11] = tool[11] + (c - 1.0) * z + s * (column[0] * y - column[1] * x)
        else:
            for i in range(k):
                other = shift(columns, 6 * i)
                other[3] = other[3] + move * (other[1] * column[5] - other[2] * column[4])
                other[4] = other[4] + move * (other[2] * column[3] - other[0] * column[5])
                other[5] = other[5] + move * (other[0] * column[4] - other[1] * column[3])
            for i in range(3):
                tool[9 + i] = tool[9 + i] + move * column[3 + i]


def place_tool(pose: Floats, tool: Floats) -> None:
    """The pose that the kernel says, axes one after the other."""
    for j in range(3):
        for i in range(3):
            tool[3 * j + i] = pose[3 * i + j]
        tool[9 + j] = pose[9 + j]


def distance(tool: Floats, target: Floats) -> float:
    """How far the tool is from its target [m]."""
    x = target[9] - tool[9]
    y = target[10] - tool[10]
    z = target[11] - tool[11]
    return math.sqrt(x * x + y * y + z * z)


def keep_end(
    counts: Ints, item: int, attempt: int, success: bool, error: float, done: int, q: Floats, won: Ints, found: Floats,
    costs: Floats, iterations: Ints, every: Floats, every_success: Ints,
) -> None:  # fmt: skip
    """Keep what an attempt came to, where it is better than what there is."""
    nq = counts[NQ]
    if counts[ALL] != 0:
        row = item * counts[ATTEMPTS] + attempt
        for i in range(nq):
            every[row * nq + i] = q[i]
        every_success[row] = 1 if success else 0
    better = costs[item] < 0.0 or error < costs[item]
    if won[item] < counts[ATTEMPTS]:
        better = False
    elif success:
        won[item] = attempt
        better = True
    if better:
        costs[item] = error
        iterations[item] = done
        for i in range(nq):
            found[item * nq + i] = q[i]


def descend(
    look: Look, counts: Ints, numbers: Floats, places: Ints, bounds: Floats, weights: Floats, targets: Floats,
    seeds: Floats, starts: Floats, q: Floats, pose: Floats, columns: Floats, tool: Floats, won: Ints, found: Floats,
    costs: Floats, iterations: Ints, every: Floats, every_success: Ints,
) -> int:  # fmt: skip
    """Search for all poses; 0 when done, 1 when stopped.

    Args:
        look: The kernel that looks at the arm.
        counts: See the places.
        numbers: See the places.
        places: Of the joints in q, from the base to the tip.
        bounds: Lower and upper limit of every joint.
        weights: Of the three axes of the tool, then of its place.
        targets: Twelve numbers a pose: its axes one after the other, then its place.
        seeds: Where the first attempts begin: one row of nq, or one a pose.
        starts: Where the others do: rows of the joints.
        q: Room, as the kernel takes it.
        pose: What the kernel says: axes by rows, place.
        columns: The same: the Jacobian by joints.
        tool: Room for twelve numbers.
        won: Of poses: the attempt that succeeded.
        found: Of poses: coordinates, rows of nq.
        costs: Of poses: the error there; negative before there is one.
        iterations: Of poses: how many sweeps that attempt took.
        every: Of all attempts: coordinates.
        every_success: Of all attempts: whether they succeeded.
    """
    nq = counts[NQ]
    joints = counts[JOINTS]
    for item in range(counts[COUNT]):
        target = shift(targets, 12 * item)
        seed = shift(seeds, item * nq if counts[SEEDS] != 0 else 0)
        for attempt in range(counts[ATTEMPTS]):
            if poll(counts, STOP) != 0:
                return 1
            for i in range(nq):
                q[i] = seed[i]
            if attempt > 0:
                for k in range(joints):
                    q[places[k]] = starts[(attempt - 1) * joints + k]
            # Which share of places and orientations leads on depends on the arm and the target.
            gain = numbers[SCALE] * (4.0 if attempt % 3 == 0 else 8.0 if attempt % 3 == 1 else 2.0)
            success = False
            before = -1.0
            error = 0.0
            done = 0
            for number in range(counts[SWEEPS] + 1):
                look(0, 1, counts[ARGUMENTS])
                place_tool(pose, tool)
                turn = angle_between(tool, target, weights)
                slide = distance(tool, target) if weights[3] > 0.0 else 0.0
                error = turn + slide * numbers[SCALE]
                done = number
                success = turn <= numbers[TURN] and slide <= numbers[SLIDE]
                if success:
                    break
                if number % PATIENCE == 0:
                    # Near its end an attempt is worth waiting for.
                    near = turn <= 10.0 * numbers[TURN] and slide <= 10.0 * numbers[SLIDE]
                    if before >= 0.0 and error > before * (PATIENT if near else numbers[ENOUGH]):
                        break
                    before = error
                if number < counts[SWEEPS]:
                    sweep(counts, gain, places, bounds, q, tool, columns, target, weights, weights[3])
            keep_end(
                counts, item, attempt, success, error, done, q, won, found, costs, iterations, every, every_success,
            )  # fmt: skip
            if success and counts[ALL] == 0:
                break
    return 0


FUNCTIONS: Final = (turn_vector, angle_between, best_turn, sweep, place_tool, distance, keep_end, descend)
