"""Ways of a tool in space, solved for the joints without jumps between branches.

The first posture comes from inverse kinematics. From there on each is found from the one before: where joints are just
enough, by Newton's method from what the rates foresee; where there are more, by integrating the least rates that do
what is asked. What comes out are polynomials of the fifth degree, exact at their ends with two derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.arms._limits import joint_limits
from sistel.arms.travels._task import Tool, rates, settle, speed
from sistel.errors import SistelError, Text, refuse
from sistel.motion.trajectories import PoseTrajectory, Trajectory, hermite

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model


FIRST = 32
"""Stretches of a way at least, each a polynomial of the fifth degree."""
DOUBLED = 6
"""Times they are halved where polynomials are not near enough."""
NEAR = 1e-10
"""How far the polynomials may be from the postures between them [m or rad]."""
ROUGH = 1e-6
"""The same, where they cannot come nearer."""
MET = 1e-9
"""How far the tool may be from its way [rad and m]."""
UNMET = 1e-6
"""Part of the speed asked for that joints may fail to give."""
FAR = 0.25
"""A step of the joints beyond what was foreseen that is a jump to other postures [m or rad]."""
PRESENT = 1e-6
"""How far the arm may be from the beginning of its way to be there already [m or rad]."""
BRANCHES = 8
"""Postures from which a way is tried."""
COLUMNS = 8
"""Of an extrapolation."""
AGREED = 1e-12
"""Difference of two extrapolations, over the size of the joints, that is small enough."""
FARTHEST = 1e3
"""Of a joint from where it was: beyond, something runs off [m or rad]."""
HALVED = 16
"""Times a step towards a singular posture is halved."""


def along_way(tool: Tool, way: PoseTrajectory, start: Array) -> Trajectory:
    """Postures along a way of the tool, as polynomials of the fifth degree that touch them twice."""
    names = tool.arm.model.coordinate_names
    times = np.unique(way.profile.knots)
    branches = _beginnings(tool, way(times[:1])[0], start)
    if len(times) == 1:
        origins = np.full((1, len(names)), times[0])
        return Trajectory(
            knots=np.repeat(times, 2), origins=origins, coefficients=branches[0][None, None], names=tuple(names)
        )
    grid = _divided(times, max(1, -(-FIRST // (len(times) - 1))))
    kept: tuple[Array, Array] | None = None
    problem: SistelError | None = None
    for begin in branches:
        try:
            made = _flow(tool, way, begin, grid) if tool.spare else _march(tool, way, begin, grid)
        except SistelError as stopped:
            problem = problem or stopped
            continue
        kept = kept or made
        if not _leaves(tool.arm.model, made[1]):
            kept = made
            break
    if kept is None:
        assert problem is not None
        raise problem
    grid, q = kept
    for _ in range(DOUBLED + 1):
        motion = _polynomials(tool, way, grid, q)
        middle = 0.5 * (grid[1:] + grid[:-1])
        guessed = motion(middle)[0]
        between, left = settle(tool, guessed, way(middle)[0])
        apart = np.abs(between - guessed).max(axis=1)
        if apart.max() <= NEAR and left.max() <= MET:
            return motion
        order = np.argsort(np.concatenate([grid, middle]), kind="stable")
        grid, q = np.concatenate([grid, middle])[order], np.concatenate([q, between])[order]
    if apart.max() > ROUGH or left.max() > MET:
        t = float(middle[int(np.maximum(apart, left).argmax())])
        refuse(
            "no-way",
            Text(
                f"at t = {t:.6g} s the way is so near to a singular posture that the joints would turn at once",
                f"при t = {t:.6g} с путь так близок к особому положению, что сочленения повернулись бы мгновенно",
            ),
        )
    return motion


def _beginnings(tool: Tool, target: Array, start: Array) -> list[Array]:
    """Postures in which the tool is where its way begins: the present one where it is, else the nearest first."""
    q, left = settle(tool, start[None], target)
    if left[0] <= MET and np.abs(q[0] - start).max() <= PRESENT:
        return [q[0]]
    found = tool.arm.inverse_kinematics(target[0], tool.frame, q=start, task=tool.task, several=True)
    if not found.success:
        said = found.reason
        refuse(
            "no-way",
            Text(f"the tool cannot begin its way: {said.en}", f"инструмент не может начать путь: {said.ru}"),
        )
    return list(found.solutions[:BRANCHES])


def _polynomials(tool: Tool, way: PoseTrajectory, grid: Array, q: Array) -> Trajectory:
    """Polynomials through postures; where the acceleration of the way jumps, each side has its own."""
    knots = np.unique(way.profile.knots)
    parts = []
    for low, high in pairwise(knots.tolist()):
        own = np.flatnonzero((grid >= low) & (grid <= high))
        asked = way(np.where(grid[own] == high, np.nextafter(high, low), grid[own]))
        v, a, rest = rates(tool, q[own], asked)
        _check_rates(grid[own], asked[1], rest)
        parts.append(hermite(grid[own], np.stack([q[own], v, a], axis=1)))
    return Trajectory(
        knots=np.concatenate([parts[0][0][:1], *(part[0][1:] for part in parts)]),
        origins=np.concatenate([part[1] for part in parts]),
        coefficients=np.concatenate([part[2] for part in parts]),
        names=tuple(tool.arm.model.coordinate_names),
    )


def _divided(times: Array, parts: int) -> Array:
    """Times with as many equal stretches between neighbours."""
    inner = np.arange(parts) / parts
    return np.append((times[:-1, None] + np.diff(times)[:, None] * inner).ravel(), times[-1])


def _march(tool: Tool, way: PoseTrajectory, begin: Array, grid: Array) -> tuple[Array, Array]:
    """Postures at times, each found from the one before, so that no other branch is met."""
    q, left = settle(tool, begin[None], way(grid[:1])[0])
    made, at = [q[0]], [float(grid[0])]
    goals = grid[1:].tolist()[::-1]
    halved = 0
    while goals:
        t = goals[-1]
        asked = way(np.array(at[-1:]))
        v, a, _ = rates(tool, made[-1][None], asked)
        h = t - at[-1]
        target = way(np.array([t]))[0]
        foreseen = made[-1] + h * v + 0.5 * h * h * a
        found, left = settle(tool, foreseen, target)
        if left[0] > MET or np.abs(found - foreseen).max() > FAR:
            if halved < HALVED:
                goals.append(0.5 * (at[-1] + t))
                halved += 1
                continue
            # Near the last posture that could be reached, everything is within a tolerance: the next whole step tells.
            later = float(grid[min(int(np.searchsorted(grid, at[-1], side="right")), len(grid) - 1)])
            _stuck(tool, made[-1], way(np.array([later]))[0][0], t)
        made.append(found[0])
        at.append(t)
        goals.pop()
        halved = max(0, halved - 1)
    return np.array(at), np.array(made)


def _flow(tool: Tool, way: PoseTrajectory, begin: Array, grid: Array) -> tuple[Array, Array]:
    """Postures of an arm with joints to spare: the least rates that do what is asked, integrated."""
    made = [settle(tool, begin[None], way(grid[:1])[0])[0][0]]
    for low, high in pairwise(grid.tolist()):
        last = float(np.nextafter(high, low))
        # What is asked at all times of an extrapolation at once; from inside the stretch: what follows may jump.
        stages = np.unique(np.concatenate([midpoints(low, high, k) for k in range(1, COLUMNS + 1)]))
        asked = way(np.minimum(stages, last))
        place = {t: i for i, t in enumerate(stages.tolist())}

        def slope(
            t: float,
            q: Array,
            last: float = last,
            asked: tuple[Array, Array, Array] = asked,
            place: dict[float, int] = place,
        ) -> Array:
            i = place.get(t)
            now = way(np.array([min(t, last)])) if i is None else tuple(part[i : i + 1] for part in asked)
            return speed(tool, q, now)

        target = way(np.array([high]))[0]
        ahead = integrate(slope, low, high, made[-1])
        if ahead is None:
            _stuck(tool, made[-1], target[0], high)
        settled, left = settle(tool, ahead[None], target)
        if left[0] > MET:
            _stuck(tool, made[-1], target[0], high)
        made.append(settled[0])
    return grid, np.array(made)


def midpoints(low: float, high: float, k: int) -> Array:
    """Times of Gragg's midpoints, 2 k stretches, both ends included [s]."""
    made = low + (high - low) / (2 * k) * np.arange(2 * k + 1)
    made[-1] = high
    return np.asarray(made)


def integrate(
    slope: Callable[[float, Array], Array], low: float, high: float, q: Array, depth: int = 0
) -> Array | None:
    """What q becomes with a slope, by Gragg's midpoints and Bulirsch and Stoer's extrapolation; None where it runs off.

    Args:
        slope: Of the time and of q.
        low: From when [s].
        high: Until when [s].
        q: At the beginning.
        depth: How often the stretch was halved.
    """
    rows: list[list[Array]] = []
    for k in range(1, COLUMNS + 1):
        h = (high - low) / (2 * k)
        before, now = q, q + h * slope(low, q)
        for t in midpoints(low, high, k)[1:-1].tolist():
            if not np.abs(now - q).max() < FARTHEST:
                return None
            before, now = now, before + 2.0 * h * slope(t, now)
        row = [0.5 * (before + now + h * slope(high, now))]
        for j, older in enumerate(rows[-1] if rows else []):
            # The error is in even powers of the step: those of counts 2k and 2(k - 1 - j) are compared.
            row.append(row[j] + (row[j] - older) / ((k / (k - 1 - j)) ** 2 - 1.0))
        if not np.abs(row[-1] - q).max() < FARTHEST:
            return None
        if rows and np.abs(row[-1] - rows[-1][-1]).max() < AGREED * max(1.0, float(np.abs(q).max())):
            return row[-1]
        rows.append(row)
    if depth == HALVED // 2:
        return None
    middle = 0.5 * (low + high)
    half = integrate(slope, low, middle, q, depth + 1)
    return None if half is None else integrate(slope, middle, high, half, depth + 1)


def _stuck(tool: Tool, q: Array, target: Array, t: float) -> NoReturn:
    """Say why the tool cannot go on."""
    found = tool.arm.inverse_kinematics(target, tool.frame, q=q, task=tool.task, limits=False)
    if found.success:
        reason = Text(
            "only from other postures: the way passes a singular one",
            "только из других положений: путь проходит через особое",
        )
    else:
        reason = found.reason
    refuse(
        "no-way",
        Text(
            f"the tool cannot follow its way at t = {t:.6g} s: {reason.en}",
            f"инструмент не может следовать пути при t = {t:.6g} с: {reason.ru}",
        ),
    )


def _check_rates(t: Array, twist: Array, rest: Array) -> None:
    """Say where the joints cannot give the speed that is asked for."""
    wrong = rest > UNMET * (np.linalg.norm(twist, axis=1) + 1e-3)
    if wrong.any():
        at = float(t[int(np.argmax(wrong))])
        refuse(
            "no-way",
            Text(
                f"in a singular posture at t = {at:.6g} s no speed of the joints moves the tool as asked",
                f"в особом положении при t = {at:.6g} с никакие скорости сочленений не ведут инструмент как задано",
            ),
        )


def _leaves(model: Model, q: Array) -> bool:
    low, high = joint_limits(model)
    return bool(((q < low - 1e-9) | (q > high + 1e-9)).any())
