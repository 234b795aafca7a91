"""Tables of Denavit and Hartenberg of models: any chain of hinges and slides has one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms.tables._dh import DHRow, DHTable, turned
from sistel.errors import Text, refuse
from sistel.markup.chains import Unit, from_si, to_si
from sistel.pose import exact_angle

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.markup.chains import Convention
    from sistel.model import Body, Model


NEAR = 1e-9
"""Lengths and sines that count as none [m or 1]."""
DUST = 1e-15
"""Lengths and parts of angles that are roundings of nothing [m or rad]."""


def dh_of(model: Model, frame: str, convention: Convention = "standard") -> DHTable:
    """The table of the chain of joints that carries a frame, with the masses of its links.

    Bodies that are fixed to a link belong to it; branches that move do not, and are left out.

    Args:
        model: The system.
        frame: Name of a frame, or of a body.
        convention: Which of the two.

    Raises:
        SistelError: There is no such frame, or its chain has other joints.
    """
    chosen, chain = chain_to(model, frame)
    if any(body.joint.type.key not in ("revolute", "prismatic", "fixed") for body in chain):
        refuse("no-chain", Text("a table has hinges and slides only", "в таблице только шарниры и ходы"))
    axes, hand = axes_at_zero(chosen, chain)
    if not axes:
        refuse("no-chain", Text(f'nothing moves "{frame}"', f"«{frame}» ничто не движет"))
    table = _folded(_table(_frames(axes, hand), axes, hand, convention))
    rows = _weighed(model, table, [body for _, _, body in axes])
    return replace(table, rows=rows, frame=frame, name=model.name)


# --- geometry --------------------------------------------------------------------------------------------------------


def _frames(axes: Sequence[tuple[Array, Array, Body]], hand: Array) -> list[Array]:
    """Frames 0 … n − 1 with z along the joints and x along the common normal of each axis and the next."""
    made: list[Array] = []
    for i, (point, z, _) in enumerate(axes):
        if i + 1 < len(axes):
            origin, x = _normal(point, z, *axes[i + 1][:2], made[-1] if made else None)
        else:
            # The last one: x towards the tool, at the foot of its perpendicular.
            foot = point + z * float(z @ (hand[:3, 3] - point))
            across = hand[:3, 3] - foot
            origin, x = foot, across if np.linalg.norm(across) > NEAR else _any(z, made[-1] if made else None)
        x = x / np.linalg.norm(x)
        # A short normal is known to a few digits only; at a right angle to the axis it has to be all the same.
        x = x - z * float(z @ x)
        x = x / np.linalg.norm(x)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = np.column_stack([x, np.cross(z, x), z]), origin
        made.append(X)
    return made


def _normal(p: Array, z: Array, p2: Array, z2: Array, before: Array | None) -> tuple[Array, Array]:
    """Where the common normal of two lines leaves the first, and its direction."""
    n: Array = np.cross(z, z2)
    size = float(np.linalg.norm(n))
    if size > NEAR:
        # The point of the first line that is nearest to the second.
        along = float(np.cross(p2 - p, z2) @ n) / size**2
        origin = p + along * z
        towards = float((p2 - p) @ n)
        if abs(towards) <= NEAR:
            # Axes that meet: of the two directions that along the x before.
            towards = float(n @ (np.eye(3)[0] if before is None else before[:3, 0]))
        return origin, n if towards >= -NEAR else -n
    gap = (p2 - p) - z * float(z @ (p2 - p))
    origin = p if before is None else p + z * float(z @ (before[:3, 3] - p))
    return origin, gap if np.linalg.norm(gap) > NEAR else _any(z, before)


def _any(z: Array, before: Array | None) -> Array:
    """Some direction across z: x of the frame before, if it will do."""
    for candidate in ([] if before is None else [before[:3, 0]]) + [np.eye(3)[0], np.eye(3)[1]]:
        across = candidate - z * float(z @ candidate)
        if np.linalg.norm(across) > 0.1:
            return np.asarray(across)
    raise AssertionError("three directions cannot all be along z")


def _table(
    frames: Sequence[Array], axes: Sequence[tuple[Array, Array, Body]], hand: Array, convention: Convention
) -> DHTable:
    # Between two frames: along x of the first to the next axis, then along that axis: a, α, then θ, d.
    parts = [_between(first, second) for first, second in pairwise(frames)]
    nothing = (0.0, 0.0, 0.0, 0.0)
    before = [nothing, *parts]
    behind = [*parts, nothing] if convention == "standard" else before
    rows = [
        _found(body, own[0], own[1], link[2], link[3])
        for (_, _, body), own, link in zip(axes, before, behind, strict=True)
    ]
    tool = np.linalg.inv(frames[-1]) @ hand
    return DHTable(rows=tuple(rows), convention=convention, base=frames[0], tool=tool)


def _folded(table: DHTable) -> DHTable:
    """The same arm, with the first and the last row saying what of the base and the tool a row can say.

    In the standard convention the last row has its a and α free, in the modified one the first.
    """
    first, last = table.rows[0], table.rows[-1]
    rows = list(table.rows)
    standard = table.convention == "standard"
    before = _spin(table.base) if standard else _tilted_spin(table.base)
    base, tool = table.base, table.tool
    if before is not None:
        theta, d, a, alpha = before
        rows[0] = first = replace(
            first, theta=first.theta + theta, d=first.d + d, a=first.a + a, alpha=first.alpha + alpha
        )
        base = np.eye(4)
        last = rows[-1]
    after = _spin_tilted(table.tool) if standard else _spin(table.tool)
    if after is not None:
        theta, d, a, alpha = after
        rows[-1] = replace(last, theta=last.theta + theta, d=last.d + d, a=last.a + a, alpha=last.alpha + alpha)
        tool = np.eye(4)
    return replace(table, rows=tuple(map(_clean, rows)), base=_without_dust(base), tool=_without_dust(tool))


Four = tuple[float, float, float, float]
"""θ, d, a, α."""


def _spin(X: Array) -> Four | None:
    """A pose as Rz(θ) Tz(d), if it is one."""
    found = _spin_tilted(X)
    return found if found is not None and max(abs(found[2]), abs(found[3])) < DUST else None


def _spin_tilted(X: Array) -> Four | None:
    """A pose as Rz(θ) Tz(d) Tx(a) Rx(α), if it is one."""
    theta = math.atan2(float(X[1, 0]), float(X[0, 0]))
    rest = np.linalg.inv(turned(2, theta, (0.0, 0.0, float(X[2, 3])))) @ X
    alpha, a = math.atan2(float(rest[2, 1]), float(rest[1, 1])), float(rest[0, 3])
    left = np.abs(turned(0, alpha, (a, 0.0, 0.0)) - rest).max()
    return (theta, float(X[2, 3]), a, alpha) if left < DUST else None


def _tilted_spin(X: Array) -> Four | None:
    """A pose as Rx(α) Tx(a) Rz(θ) Tz(d), if it is one."""
    found = _spin_tilted(np.asarray(np.linalg.inv(X), dtype=float))
    return None if found is None else (-found[0], -found[1], -found[2], -found[3])


def _clean(row: DHRow) -> DHRow:
    """Without the dust of roundings, and with angles between half turns."""

    def length(value: float) -> float:
        return _decimal(value, "mm")

    def angle(value: float) -> float:
        # One way round: a half turn is the positive one.
        value = _decimal(exact_angle(math.remainder(value, math.tau), 2 * DUST), "deg")
        return math.pi if value == -math.pi else value

    return replace(row, theta=angle(row.theta), d=length(row.d), a=length(row.a), alpha=angle(row.alpha))


def _decimal(value: float, unit: Unit) -> float:
    """The short number of units, 71 rather than 70.99999999999999, that is this one but for its last digits."""
    short = to_si(round(from_si(value, unit), 10) + 0.0, unit)
    return short if abs(short - value) <= 4e-16 * abs(value) + 0.5 * DUST else value


def _tidy(value: float) -> float:
    """The same of a number of any size."""
    short = float(f"{value:.12g}")
    return short if abs(short - value) <= 4e-16 * abs(value) else value


def _without_dust(X: Array) -> Array:
    return np.where(np.abs(X) < DUST, 0.0, X)


# --- masses ----------------------------------------------------------------------------------------------------------


def _weighed(model: Model, table: DHTable, bodies: Sequence[Body]) -> tuple[DHRow, ...]:
    """The rows with the masses of their links, in their frames."""
    poses = _at_zero(model)
    links: dict[int, list[Body]] = {body.number: [] for body in bodies}
    for body in model.bodies:
        owner = body
        while owner.joint.type.key == "fixed" and owner.base:
            owner = model.bodies[owner.base - 1]
        if owner.number in links:
            links[owner.number].append(body)
    made, X = [], table.base
    for row, body in zip(table.rows, bodies, strict=True):
        X = X @ row.matrix(0.0, table.convention)
        made.append(_heavy(row, [(part, np.linalg.inv(X) @ poses[part.number]) for part in links[body.number]]))
    return tuple(made)


def _heavy(row: DHRow, parts: Sequence[tuple[Body, Array]]) -> DHRow:
    """A row with the mass of some bodies, given their poses in its frame."""
    mass = sum(body.mass for body, _ in parts)
    if not any(any((body.mass, *body.I_BBcm_B)) for body, _ in parts):
        return row
    places = [X[:3, :3] @ np.array(body.p_BoBcm_B) + X[:3, 3] for body, X in parts]
    com = np.zeros(3)
    for (body, _), place in zip(parts, places, strict=True):
        com += body.mass * place / (mass or 1.0)
    inertia = np.zeros((3, 3))
    for (body, X), place in zip(parts, places, strict=True):
        off = place - com
        ixx, iyy, izz, ixy, ixz, iyz = body.I_BBcm_B
        inertia += X[:3, :3] @ np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]) @ X[:3, :3].T
        inertia += body.mass * (off @ off * np.eye(3) - np.outer(off, off))
    inertia[np.abs(inertia) < 1e-15 * np.abs(inertia).max()] = 0.0
    x, y, z = (_decimal(float(part), "mm") for part in com)
    xx, yy, zz, xy, xz, yz = (_tidy(float(inertia[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return replace(row, mass=float(mass), com=(x, y, z), inertia=(xx, yy, zz), products=(xy, xz, yz))


def _at_zero(model: Model) -> dict[int, Array]:
    """Poses of all bodies with all coordinates zero, by their numbers."""
    made: dict[int, Array] = {0: np.eye(4)}
    for body in model.bodies:
        chain = []
        number = body.number
        while number not in made:
            chain.append(model.bodies[number - 1])
            number = chain[-1].base
        for each in reversed(chain):
            step = np.eye(4)
            step[:3, :3], step[:3, 3] = each.R_PB, each.p_PB
            made[each.number] = made[each.base] @ step
    return made


# --- rows ------------------------------------------------------------------------------------------------------------


def _found(body: Body, theta: float, d: float, a: float, alpha: float) -> DHRow:
    kind = cast("Literal['revolute', 'prismatic']", body.joint.type.key)
    return DHRow(
        kind=kind,
        theta=theta,
        d=d,
        a=a,
        alpha=alpha,
        low=body.joint.minimum[0],
        high=body.joint.maximum[0],
        name=body.name,
    )


def _between(A: Array, B: Array) -> tuple[float, float, float, float]:
    """θ, d, a, α from one frame to the next: x of the first is along the common normal."""
    X = np.linalg.inv(A) @ B
    a = float(X[0, 3])
    alpha = math.atan2(-float(X[1, 2]), float(X[2, 2]))
    # What turns x of the first to x of the second, about the second's z.
    tilt = turned(0, alpha, (a, 0.0, 0.0))
    rest = np.linalg.inv(tilt) @ X
    theta, d = math.atan2(float(rest[1, 0]), float(rest[0, 0])), float(rest[2, 3])
    return theta, d, a, alpha
