"""Formulations of the equations of motion: however a tree is prepared, the equations are the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.robots import gallery_files
from support.structures import gallery

import sistel
from sistel.mechanics import Factor, Inertia, Kinematics, Tree, build_tree, inverse_dynamics, mass_matrix
from sistel.mechanics._frames import shareable_runs

if TYPE_CHECKING:
    import numpy as np

TOLERANCE = 1e-13
"""Normwise: the norm of the difference over the norm of the whole."""


def states(system: sistel.System, rng: np.random.Generator) -> tuple[list[float], list[float], list[float]]:
    """Random coordinates, velocities and accelerations."""
    q = rng.uniform(-np.pi, np.pi, system.nq)
    for body in system.bodies:
        if body.joint.type.has_quaternion:
            at = slice(body.first_q, body.first_q + 4)
            q[at] /= np.linalg.norm(q[at])
    v, a = rng.normal(size=(2, system.nv))
    return q.tolist(), v.tolist(), a.tolist()


def same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    return bool(np.linalg.norm(one - other) <= TOLERANCE * np.linalg.norm(other))


def sharings(tree: Tree, rng: np.random.Generator) -> Iterator[frozenset[int]]:
    """Ways to share axes: none, each run, each without its end, all runs, and hinges at random."""
    runs = shareable_runs(tree)
    yield frozenset()
    yield from runs
    yield from (run - {max(run)} for run in runs if len(run) > 1)
    yield frozenset().union(*runs)
    hinges = [index for index, link in enumerate(tree.links) if link.kind == "turn"]
    for _ in range(3):
        yield frozenset(index for index in hinges if rng.random() < 0.5)


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_all_formulations_agree(path: Path, rng: np.random.Generator) -> None:
    system = gallery(path.stem)
    whole, lumped = build_tree(system.model, lump=False), build_tree(system.model)
    q, v, a = states(system, rng)
    tau, M = inverse_dynamics(whole, q, v, a), mass_matrix(whole, q)
    names = system.bodies[-1].number, (0.1, -0.2, 0.3 * (not system.planar))
    J = Kinematics(whole, q).jacobian(*names)
    for tree in (whole, lumped):
        for shared in sharings(tree, rng):
            assert same(inverse_dynamics(tree, q, v, a, shared=shared), tau), shared
            assert same(mass_matrix(tree, q, shared=shared), M), shared
            assert same(Kinematics(tree, q, shared).jacobian(*names), J), shared


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_without_weight_only_motion_takes_force(path: Path, rng: np.random.Generator) -> None:
    system = gallery(path.stem)
    tree = build_tree(system.model)
    q, v, a = states(system, rng)
    still = [0.0] * system.nv
    assert not np.any(inverse_dynamics(tree, q, still, still, gravity=False))
    weight = np.array(inverse_dynamics(tree, q, still, still))
    moving = np.array(inverse_dynamics(tree, q, v, a, gravity=False))
    assert same(weight + moving, inverse_dynamics(tree, q, v, a))


def whole_system(tree: Tree, q: Sequence[float]) -> Inertia:
    """Mass, first and second moments of all links together, about the origin of the world, in its axes."""
    kinematics = Kinematics(tree, list(q))
    total = Inertia()
    for index, link in enumerate(tree.links):
        total.add(link.inertia.moved(kinematics.rotation(index), kinematics.origin(index)))  # type: ignore[arg-type]
    return total


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_lumping_keeps_what_the_whole_system_weighs(path: Path, rng: np.random.Generator) -> None:
    """Except what it hands to the ground: all that a root hinge carries along its axis, all turns of a root slide."""
    system = gallery(path.stem)
    whole, lumped = build_tree(system.model, lump=False), build_tree(system.model)
    moving = [body for body in system.bodies if whole.places[body.number][0] >= 0]
    assert sum(link.inertia.m for link in whole.links) == pytest.approx(sum(body.mass for body in moving), rel=1e-14)
    roots = {link.kind for link in whole.links if link.parent < 0}
    for _ in range(3):
        q, _, _ = states(system, rng)
        one, other = whole_system(lumped, q), whole_system(whole, q)
        size = sum(abs(x) for x in other.J) + other.m * max(math.hypot(*lumped.links[0].p_PL), 1.0) ** 2
        if "turn" not in roots:
            assert one.m == pytest.approx(other.m, rel=1e-14)
            assert one.s == pytest.approx(other.s, abs=TOLERANCE * size)
        if roots <= {"ball", "free"}:
            assert list(one.J) == pytest.approx(list(other.J), abs=TOLERANCE * size)


def test_a_hinge_keeps_seven_parameters_and_a_slide_four(models_dir: Path) -> None:
    for name in ("stanford", "scara", "puma560", "two_legs"):
        for link in build_tree(sistel.load(models_dir / f"{name}.xml").model).links:
            xx, yy, zz, *_ = link.inertia.J
            if link.kind == "turn" and not link.children:
                assert (link.inertia.m, link.inertia.s[1], link.inertia.s[2], zz) == (0, 0, 0, 0)
            elif link.kind == "slide" and not link.children:
                assert (xx, yy, zz) == (0, 0, 0)


def test_solve_keeps_zeros_and_finds_the_solution(rng: np.random.Generator) -> None:
    """Two branches on a common body: the columns of one have zeros in the rows of the other."""
    bases = [-1, 0, 1, 0, 3]
    L = np.eye(5)
    for i, base in enumerate(bases):
        while base >= 0:
            L[i, base] = rng.normal()
            base = bases[base]
    M = L.T @ np.diag(rng.uniform(1, 2, 5)) @ L
    x = rng.normal(size=5)
    rows = M.tolist()
    assert rows[4][1] == rows[4][2] == rows[3][1] == 0
    assert np.allclose(Factor(rows).solve((M @ x).tolist()), x, rtol=1e-12, atol=1e-12)
    assert rows[4][1] == rows[4][2] == rows[3][1] == 0


# ---------------------------------------------------------------------------------------------------------------------
# The equations of Lagrange, derived by SymPy from energies written by hand. x right, y down, angles clockwise.

Energies = Callable[[Any, Any, Any], tuple[Any, Any]]


def _pendulum(sympy: Any, q: Any, t: Any) -> tuple[Any, Any]:
    return _point(sympy, 1, -sympy.sin(q[0]), sympy.cos(q[0]), t)


def _double_pendulum(sympy: Any, q: Any, t: Any) -> tuple[Any, Any]:
    s, c, absolute = sympy.sin, sympy.cos, q[0] + q[1]
    upper = _point(sympy, 1, -s(q[0]), c(q[0]), t)
    lower = _point(sympy, 1, -s(q[0]) - s(absolute), c(q[0]) + c(absolute), t)
    return upper[0] + lower[0], upper[1] + lower[1]


def _on_a_cart(length: str, down: int) -> Energies:
    """A uniform rod of 0.1 kg on a cart of 1 kg; at zero the rod points down or up."""

    def energies(sympy: Any, q: Any, t: Any) -> tuple[Any, Any]:
        m, l = sympy.Rational(1, 10), sympy.Rational(length)  # noqa: E741
        x, angle = q
        com = x - down * l / 2 * sympy.sin(angle), down * l / 2 * sympy.cos(angle)
        kinetic, potential = _point(sympy, m, *com, t)
        return kinetic + x.diff(t) ** 2 / 2 + m * l**2 / 12 * angle.diff(t) ** 2 / 2, potential

    return energies


def _point(sympy: Any, mass: Any, x: Any, y: Any, t: Any) -> tuple[Any, Any]:
    g = sympy.Rational(981, 100)
    return mass * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2, -mass * g * y


def _lagrange(energies: Energies, count: int) -> Callable[..., Any]:
    import sympy

    t = sympy.Symbol("t")
    q = [sympy.Function(f"q{i}")(t) for i in range(count)]
    rates = [x.diff(t) for x in q]
    kinetic, potential = energies(sympy, q, t)
    L = kinetic - potential
    tau = [L.diff(rate).diff(t) - L.diff(x) for x, rate in zip(q, rates, strict=True)]
    flat = [[sympy.Symbol(f"{name}{i}") for i in range(count)] for name in ("x", "v", "a")]
    steps = [(x.diff(t, 2), a) for x, a in zip(q, flat[2], strict=True)]
    steps += list(zip(rates, flat[1], strict=True)) + list(zip(q, flat[0], strict=True))
    return sympy.lambdify([*flat[0], *flat[1], *flat[2]], [entry.subs(steps) for entry in tau], "numpy")  # type: ignore[no-any-return]


@pytest.mark.peer
@pytest.mark.parametrize(
    ("name", "energies"),
    [
        ("pendulum", _pendulum),
        ("double_pendulum", _double_pendulum),
        ("cart_pole", _on_a_cart("1", -1)),
        ("cart_pendulum", _on_a_cart("1/2", 1)),
    ],
    ids=["pendulum", "double_pendulum", "cart_pole", "cart_pendulum"],
)
def test_equations_of_lagrange(name: str, energies: Energies, models_dir: Path, rng: np.random.Generator) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    expected = _lagrange(energies, system.nv)
    q = rng.uniform(-np.pi, np.pi, (50, system.nq))
    v, a = 3 * rng.normal(size=(2, 50, system.nv))
    tau = system.inverse_dynamics(q, v, a)
    for i in range(50):
        theirs = np.array(expected(*q[i], *v[i], *a[i]), float)
        assert np.linalg.norm(tau[i] - theirs) <= 1e-12 * np.linalg.norm(theirs)
