"""Operation counts are deterministic, so they are gates: equations may become cheaper, never dearer.

The bounds are those that a prototype of this generator reached (Panda, planar biped, ANYmal, G1), and the published
counts of Khalil and Kleinfinger's method for base parameters (PUMA 301 × and 240 +, Stanford 262 × and 211 +).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sistel
from sistel.mechanics import build_tree, derive, variants

FINGERS = ("panda_finger_joint1", "panda_finger_joint2")


def count(system: sistel.System, quantity: str) -> tuple[int, int]:
    found = derive(build_tree(system.model), quantity).count()
    return found.multiplications, found.additions


@pytest.mark.parametrize(
    ("name", "bound"),
    [("puma560", (171, 140)), ("stanford", (128, 103)), ("planar_biped", (116, 95)), ("pendulum", (1, 1))],
)
def test_inverse_dynamics_of_the_gallery(name: str, bound: tuple[int, int], models_dir: Path) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    # Published counts are of the bodies alone: a rotor is one × and one + more for each motor.
    bodies = replace(build_tree(system.model), rotors=(0.0,) * system.nv)
    best = min(variants(bodies, "inverse_dynamics"), key=lambda variant: variant.cost)
    found = best.program.count()
    assert found.multiplications <= bound[0] and found.additions <= bound[1], str(found)


@pytest.mark.peer
@pytest.mark.parametrize(
    ("file", "options", "bound"),
    [
        ("panda_description/urdf/panda.urdf", {"lock": FINGERS}, (304, 291)),
        ("ur_description/urdf/ur5_robot.urdf", {}, (153, 111)),
        ("anymal_b_simple_description/robots/anymal.urdf", {"base": "free"}, (725, 701)),
        ("g1_description/urdf/g1_29dof_rev_1_0.urdf", {"base": "free"}, (1938, 1783)),
    ],
)
def test_inverse_dynamics_of_published_robots(
    file: str, options: dict[str, object], bound: tuple[int, int], robots_dir: Path
) -> None:
    multiplications, additions = count(sistel.load(robots_dir / file, **options), "inverse_dynamics")  # type: ignore[arg-type]
    assert multiplications <= bound[0] and additions <= bound[1], (multiplications, additions)


def test_planar_systems_get_planar_equations() -> None:
    """A pendulum: (J + m c²) a + m g c sin q, as in a textbook, costs two products and one sum."""
    system = sistel.parse('<system><body joint="revolute" mass="2" com="0,300" inertia="0.01"/></system>')
    found = derive(build_tree(system.model), "inverse_dynamics").count()
    assert (found.multiplications, found.additions, found.sincos) == (2, 1, 1)
