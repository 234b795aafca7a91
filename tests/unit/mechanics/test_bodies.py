"""Two independent ways to the same forces: over links with base parameters, and body by body in world axes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from support.structures import gallery

import sistel
from sistel.mechanics import body_motions, build_tree, energies, inverse_dynamics, joint_loads, mass_matrix

GALLERY = sorted((Path(__file__).resolve().parents[3] / "models").glob("*.xml"))


def state(model: sistel.Model, rng: np.random.Generator) -> tuple[list[float], list[float], list[float]]:
    q = rng.normal(size=model.nq)
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            part = slice(body.first_q, body.first_q + 4)
            q[part] /= np.linalg.norm(q[part])
    return list(q), list(rng.normal(size=model.nv)), list(rng.normal(size=model.nv))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_joint_loads_hold_the_driving_forces(path: Path, rng: np.random.Generator) -> None:
    model = gallery(path.stem).model
    q, v, a = state(model, rng)
    tree = build_tree(model)
    tau = np.array(inverse_dynamics(tree, q, v, a), float)
    tau -= np.array(tree.rotors) * np.array(a)  # what spins up the rotors does not pass through the joints
    loads = joint_loads(model, q, v, a)
    motions = body_motions(model, q, v, a)
    size = max(1.0, *(abs(x) for load in loads for x in (*load.force, *load.moment)))
    for body in model.bodies:
        R = np.array(motions[body.number].R, float)
        moment, force = np.array(loads[body.number].moment, float), np.array(loads[body.number].force, float)
        if body.joint.type.key == "revolute":
            assert tau[body.first_v] == pytest.approx(float(R @ body.joint.axis @ moment), abs=1e-13 * size)
        elif body.joint.type.key == "prismatic":
            assert tau[body.first_v] == pytest.approx(float(R @ body.joint.axis @ force), abs=1e-13 * size)
        elif body.joint.type.has_quaternion:
            assert tau[body.first_v : body.first_v + 3] == pytest.approx(R.T @ moment, abs=1e-13 * size)


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_kinetic_energy_is_the_quadratic_form_of_the_mass_matrix(path: Path, rng: np.random.Generator) -> None:
    model = gallery(path.stem).model
    q, v, _ = state(model, rng)
    kinetic, _ = energies(model, q, v)
    M = np.array(mass_matrix(build_tree(model), q), float)
    assert kinetic == pytest.approx(0.5 * np.array(v) @ M @ np.array(v), rel=1e-12)


def test_reaction_of_a_hanging_pendulum() -> None:
    """Swinging through the lowest point at ω, the pin carries m (g + ω² c), up: against y, which points down."""
    system = sistel.parse('<system><body name="bob" joint="revolute" mass="2" com="0,500" inertia="0.1"/></system>')
    load = joint_loads(system.model, [0.0], [3.0], [0.0])[1]
    assert load.force == pytest.approx((0.0, -2 * (9.81 + 9 * 0.5), 0.0))
    assert load.moment == pytest.approx((0.0, 0.0, 0.0))
    side = joint_loads(system.model, [math.pi / 2], [0.0], [0.0])[1]
    assert side.force == pytest.approx((0.0, -2 * 9.81, 0.0))
    assert side.moment[2] == pytest.approx(2 * 9.81 * 0.5)


@pytest.mark.parametrize("name", ["puma560", "double_pendulum", "quadruped", "spinning_top", "cart_pole"])
def test_the_face_agrees_with_the_derivation(name: str, models_dir: Path, rng: np.random.Generator) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    model = system.model
    q, v, _ = state(model, rng)
    tau = rng.normal(size=model.nv)
    structure = next((s.name for s in model.structures if not s.holds and not s.changes), None)
    if structure is None:
        # Nothing in this file stands free of the ground.
        with pytest.raises(sistel.SistelError, match="open trees"):
            system.reactions(q, v, tau)
        return
    a = system.forward_dynamics(q, v, tau, structure=structure)
    loads = joint_loads(model, q, v, list(a))
    found = system.reactions(q, v, tau, structure=structure)
    for body in model.bodies:
        expected = np.array([*loads[body.number].moment, *loads[body.number].force], float)
        size = max(1.0, float(np.abs(expected).max()))
        assert found[body.joint.name] == pytest.approx(expected, abs=1e-11 * size)
    kinetic, potential = system.energies(q, v)
    assert (float(kinetic), float(potential)) == pytest.approx(energies(model, q, v), rel=1e-12)
    total = sum(body.mass for body in model.bodies)
    heights = -total * float(np.dot(model.gravity, system.centre_of_mass(q)))
    assert float(potential) == pytest.approx(heights, rel=1e-12)
