"""The tree of links: frames with many zeros, base inertial parameters, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.mechanics import build_tree


def test_fixed_bodies_are_a_part_of_what_carries_them() -> None:
    system = sistel.parse(
        '<system space="spatial"><body name="pedestal" place="0,0,100"><body name="arm" joint="revolute" mass="2" com="0,300,0" inertia="1">'
        '<body name="tool" place="0,500,0" mass="1" inertia="1"/></body></body></system>'
    )
    tree = build_tree(system.model, lump=False)
    (link,) = tree.links
    assert link.inertia.m == 3.0
    assert link.inertia.s == pytest.approx((2 * 0.3 + 1 * 0.5, 0, 0)), "the first moment of an end lies along x"
    assert [place[0] for place in tree.places] == [-1, -1, 0, 0]


def test_base_parameters_of_hinges_and_slides(models_dir: Path) -> None:
    for name in ("puma560", "stanford", "scara", "planar_biped", "hexapod"):
        for link in build_tree(sistel.load(models_dir / f"{name}.xml").model).links:
            if link.kind == "turn":
                assert (link.inertia.m, link.inertia.s[2], link.inertia.J[2]) == (0, 0, 0)
            elif link.kind == "slide":
                assert link.inertia.J == (0,) * 6


def test_frames_of_a_denavit_hartenberg_arm_have_few_numbers(models_dir: Path) -> None:
    tree = build_tree(sistel.load(models_dir / "puma560.xml").model)
    for link in tree.links[1:]:
        assert all(entry in (-1.0, 0.0, 1.0) for row in link.R_PL for entry in row)
        assert sum(component != 0 for component in link.p_PL) <= 2
        assert link.angle in (0.0,) or abs(link.angle) > 1e-3


def test_lumping_keeps_the_total_mass_of_a_floating_tree(models_dir: Path) -> None:
    model = sistel.load(models_dir / "quadruped.xml").model
    total = sum(body.mass for body in model.bodies)
    root = build_tree(model).links[0]
    assert root.kind == "free"
    # Hinges hand all their mass on, so that all of it arrives at the trunk.
    assert root.inertia.m == pytest.approx(total, rel=1e-15)


def test_antiparallel_axes_are_turned_round() -> None:
    system = sistel.parse(
        '<system space="spatial"><body name="a" joint="revolute" axis="z" mass="1" com="1,0,0"><body name="b" joint="revolute" '
        'axis="-z" place="300,0,0" mass="1" com="1,0,0"/></body></system>'
    )
    first, second = build_tree(system.model).links
    assert (first.sign, second.sign) == (1.0, -1.0)
    assert second.R_PL == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
