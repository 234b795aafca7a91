"""What the tests of structures share: states that meet the constraints, geometry and equations of their own.

`poses` is written from the definitions of the joints and knows nothing of links, shared axes or views; `dense` solves
the equations of motion with multipliers as one matrix, which nobody would compile.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import sistel
from sistel.mechanics import Tree, build_tree, constraint_rows
from sistel.model import Contact, Model, Structure
from sistel.pose import plane_axes

Array = Any

WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Of central differences of the eighth order: the error is step⁸/630 of a ninth derivative."""

MODELS = Path(__file__).resolve().parents[2] / "models"


@cache
def gallery(name: str) -> sistel.System:
    """A system of the gallery, loaded once: it keeps its compiled kernels."""
    return sistel.load(MODELS / f"{name}.xml")


@cache
def parsed(text: str) -> sistel.System:
    """A system from a text, parsed once."""
    return sistel.parse(text)


@cache
def tree_of(model: Model) -> Tree:
    return build_tree(model)


def slope(function: Callable[[float], Any], step: float = 1e-2) -> Array:
    """Derivative at zero."""
    parts = [
        weight * (np.asarray(function(k * step), float) - np.asarray(function(-k * step), float))
        for k, weight in enumerate(WEIGHTS, 1)
    ]
    return sum(parts) / step


def rotation(axis: Any, angle: float) -> Array:
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + 2 * np.sin(angle / 2) ** 2 * K @ K


def turned(q: Any) -> Array:
    """The rotation of a unit quaternion (w, x, y, z)."""
    angle = 2 * np.arctan2(np.linalg.norm(q[1:4]), q[0])
    return np.eye(3) if angle == 0 else rotation(q[1:4], float(angle))


def rigid(R: Any = None, p: Any = (0, 0, 0)) -> Array:
    X = np.eye(4)
    X[:3, :3] = np.eye(3) if R is None else R
    X[:3, 3] = p
    return X


def joint_motion(key: str, planar: bool, axis: Any, axis2: Any, q: Any) -> Array:
    """What a joint does to its body at given coordinates."""
    axis, axis2 = np.asarray(axis, float), np.asarray(axis2, float)
    if key == "fixed":
        return np.eye(4)
    if key == "revolute":
        return rigid(rotation(axis, q[0]))
    if key == "prismatic":
        return rigid(None, axis * q[0])
    if key == "prismatic2":
        return rigid(None, (q[0], q[1], 0))
    if key == "free":
        return rigid(rotation((0, 0, 1), q[2]), (q[0], q[1], 0)) if planar else rigid(turned(q[:4]), q[4:7])
    if key == "spherical":
        return rigid(turned(q))
    if key == "cylindrical":
        return rigid(rotation(axis, q[0]), axis * q[1])
    if key == "universal":
        return rigid(rotation(axis, q[0]) @ rotation(axis2, q[1]))
    assert key == "planar"
    first, second = (np.array(side) for side in plane_axes(tuple(axis)))
    return rigid(rotation(axis, q[2]), first * q[0] + second * q[1])


def poses(model: Model, q: Any) -> list[Array]:
    """Poses of the ground and of all bodies, as 4×4 matrices."""
    found = [np.eye(4)]
    for body in model.bodies:
        joint = body.joint
        own = q[body.first_q : body.first_q + joint.type.nq]
        axis = (0, 0, 1) if model.planar and joint.type.key == "revolute" else joint.axis
        motion = joint_motion(joint.type.key, model.planar, axis, joint.axis2, own)
        found.append(found[body.base] @ rigid(body.R_PB, body.p_PB) @ motion)
    return found


def at(X: Any, p: Any) -> Array:
    """A place of a body in the world."""
    return (X @ np.array([*p, 1.0]))[:3]


def touching(contact: Contact, normal: Any, X: Any) -> Array:
    """Where a contact touches in the world: its point, or the lowest of a round shape, searched for on its circle."""
    if contact.round is None:
        return at(X[contact.body], contact.p_BP)
    shape, R, n = contact.round, X[contact.body][:3, :3], np.asarray(normal, float) / np.linalg.norm(normal)
    centre = at(X[contact.body], contact.p_BP)
    if shape.axis is None:
        return centre - shape.radius * n
    a = R @ shape.axis
    first = np.linalg.svd(a[None])[2][1]
    second = np.cross(a, first)

    def height(angle: float) -> float:
        return np.cos(angle) * (first @ n) + np.sin(angle) * (second @ n)

    angle = min(np.linspace(0, 2 * np.pi, 360), key=height)
    for _ in range(6):  # Newton's steps to where the height is least
        angle += (-np.sin(angle) * (first @ n) + np.cos(angle) * (second @ n)) / height(angle)
    rim = shape.radius - shape.tread
    return centre + rim * (np.cos(angle) * first + np.sin(angle) * second) - shape.tread * n


def random_q(model: Model, rng: Any, size: float = 1.0) -> list[float]:
    q = rng.uniform(-size, size, model.nq)
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            part = slice(body.first_q, body.first_q + 4)
            q[part] = rng.normal(size=4)
            q[part] /= np.linalg.norm(q[part])
    return [float(x) for x in q]


def jacobian(model: Model, structure: Structure, q: Any) -> Array:
    rows = constraint_rows(model, tree_of(model), structure, list(q), [0.0] * model.nv)
    return np.array([row.J for row in rows], float).reshape(len(rows), model.nv)


def allowed(J: Any, v: Any) -> Array:
    """The part of velocities that constraints leave."""
    return v - np.linalg.lstsq(J, J @ v, rcond=1e-10)[0]


def met_states(system: sistel.System, name: str, rng: Any, count: int, away: float = 0.3) -> tuple[Array, Array, Array]:
    """Coordinates that meet the constraints, velocities that keep to them, and driving forces as bodies weigh."""
    from sistel.mechanics import assemble, mass_matrix, moved

    model, structure = system.model, system.structure(name)
    start = list(assemble(model, structure, model.start.q).q)
    places, rates, forces = [], [], []
    while len(places) < count:
        way = rng.uniform(-away, away, model.nv)
        J = jacobian(model, structure, start)
        if len(J):
            way = allowed(J, way)
        found = assemble(model, structure, moved(model, start, way.tolist()))
        if not found.success:
            continue
        v = rng.normal(size=model.nv)
        places.append(found.q)
        J = jacobian(model, structure, found.q)
        rates.append(allowed(J, v) if len(J) else v)
        M = np.array(mass_matrix(tree_of(model), list(found.q)), float)
        forces.append((np.tril(M) + np.tril(M, -1).T) @ rng.normal(size=model.nv))
    return np.array(places), np.array(rates), np.array(forces)


def dense(M: Any, force: Any, J: Any, pushing: Any, demand: Any) -> tuple[Array, Array]:
    """Accelerations and multipliers of M a = force + pushingᵀ λ, J a = demand, as one matrix."""
    n, m = len(M), len(J)
    whole = np.block([[M, -np.asarray(pushing).T], [J, np.zeros((m, m))]])
    found = np.linalg.solve(whole, np.concatenate([force, demand]))
    return found[:n], found[n:]


def second_slope(function: Callable[[float], Any], step: float = 1e-2) -> Array:
    """Second derivative at zero, by central differences of the eighth order."""
    weights = (8 / 5, -1 / 5, 8 / 315, -1 / 560)
    total = -205 / 72 * np.asarray(function(0.0), float)
    for k, weight in enumerate(weights, 1):
        total = total + weight * (np.asarray(function(k * step), float) + np.asarray(function(-k * step), float))
    return total / step**2


def _gauss_table(stages: int) -> tuple[Array, Array, Array]:
    """Collocation at the points of Gauss: nodes, weights and the matrix of integrals, on 0 … 1."""
    nodes, weights = np.polynomial.legendre.leggauss(stages)
    nodes, weights = (nodes + 1) / 2, weights / 2
    A = np.empty((stages, stages))
    for j in range(stages):
        others = np.delete(nodes, j)
        basis = np.poly1d(np.poly(others) / np.prod(nodes[j] - others))
        A[:, j] = np.polyint(basis)(nodes)
    return nodes, weights, A


def integrated(rate: Callable[[Any, Any], Any], y: Any, duration: float, steps: int, stages: int = 8) -> Array:
    """The solution of ẏ = rate(t, y) after a time, by collocation of order twice the stages; `rate` takes batches."""
    nodes, weights, A = _gauss_table(stages)
    h = duration / steps
    y = np.array(y, float)
    slopes = np.tile(rate(np.zeros(stages), np.tile(y, (stages, 1)))[0], (stages, 1))
    for step in range(steps):
        t = (step + nodes) * h
        last = np.inf
        for _ in range(200):
            new = rate(t, y + h * (A @ slopes))
            change = float(np.abs(new - slopes).max())
            slopes = new
            if change == 0 or change >= last:
                break  # nothing but rounding is left
            last = change if change < 1e-10 * (1 + float(np.abs(new).max())) else np.inf
        y = y + h * (weights @ slopes)
    return y
