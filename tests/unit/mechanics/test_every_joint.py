"""Every joint of the table is known wherever joints are told apart: what a new one lacks is named here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support.structures import parsed, poses, random_q, tree_of

import sistel
from sistel.mechanics import Kinematics, body_motions
from sistel.model.joints import PLANAR, SPATIAL, JointType, constraints, joint_types
from sistel.views.x3d._motion import shifts, world_poses

ALL = [(planar, joint) for planar in (True, False) for joint in joint_types(planar)]
FREEDOMS = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}
"""Of the joints of MJCF."""


def system(planar: bool, joint: str) -> sistel.System:
    """A body on the joint, which carries another one; neither stands nor lies along the axes of the ground."""
    kind = joint_types(planar)[joint]
    numbers = ("40,-70", "20", "0.6,0.8") if planar else ("40,-70,90", "20,-30,50", "0.48,0.6,0.64")
    axis = f' axis="{numbers[2]}"' if kind.uses_axis else ""
    axis += ' axis2="0.6,-0.8,0"' if kind.uses_axis2 else ""
    body = f'joint="{joint}" place="{numbers[0]}" turn="{numbers[1]}"{axis}'
    inertia = "0.02" if planar else "0.02,0.03,0.04"
    return parsed(
        f'<system name="joint" space="{"planar" if planar else "spatial"}">'
        f'<body name="a" {body} mass="1" inertia="{inertia}"/>'
        f'<body name="b" base="a" joint="revolute" place="{numbers[0]}" mass="2" inertia="{inertia}"/></system>'
    )


@pytest.mark.parametrize("kind", [*PLANAR.values(), *SPATIAL.values()], ids=lambda kind: kind.key)
def test_motions_are_those_of_the_velocities(kind: JointType):
    counts = {"turn": ("turn",), "slide": ("slide",), "ball": ("turn",) * 3, "free": ("turn",) * 3 + ("slide",) * 3}
    assert [one for motion, _ in kind.motions for one in counts[motion]] == [sort for _, sort in kind.rates]


@pytest.mark.parametrize(("planar", "joint"), ALL)
def test_every_kinematics_places_bodies_alike(planar: bool, joint: str):
    # `poses` has the definitions of the joints: a new one is defined there too.
    model = system(planar, joint).model
    q = random_q(model, np.random.default_rng(1))
    links, still = Kinematics(tree_of(model), q), [0.0] * model.nv
    bodies = body_motions(model, q, still, still)
    scene = world_poses(model, shifts(model, np.array([q])))
    for number, X in enumerate(poses(model, q)):
        R, p = scene[number]
        for place, axes in (
            (links.place(number, (0.0, 0.0, 0.0)), links.axes(number, np.eye(3).tolist())),
            (bodies[number].p, bodies[number].R),
            (p[0], R[0]),
        ):
            assert np.array(place, float) == pytest.approx(X[:3, 3], abs=1e-14)
            assert np.array([list(row) for row in axes], float) == pytest.approx(X[:3, :3], abs=1e-14)


@pytest.mark.parametrize(("planar", "joint"), [each for each in ALL if each[1] not in ("free", "prismatic2")])
def test_closures_hold_what_the_joint_forbids(planar: bool, joint: str):
    kind, zero = joint_types(planar)[joint], "0,0" if planar else "0,0,0"
    axes = (' axis="x"' if kind.uses_axis else "") + (' axis2="y"' if kind.uses_axis2 else "")
    inertia = "1" if planar else "1,1,1"
    made = parsed(
        f'<system name="loop" space="{"planar" if planar else "spatial"}">'
        f'<body name="a" joint="free" mass="1" inertia="{inertia}"/>'
        f'<links><closure name="c" joint="{joint}" body="a" at="{zero}" to="0" at-to="{zero}"{axes}/></links></system>'
    )
    J = made.constraint_jacobian(made.model.start.q)
    assert J.shape == (constraints(kind, planar), made.model.nv)
    assert np.linalg.matrix_rank(J) == len(J)


@pytest.mark.parametrize(("planar", "joint"), ALL)
def test_exporters_carry_every_freedom_or_say_what_is_lost(planar: bool, joint: str, tmp_path: Path):
    made = system(planar, joint)
    lost = made.save(tmp_path / "joint.mjcf")
    text = (tmp_path / "joint.mjcf").read_text(encoding="utf-8")
    freedoms = sum(FREEDOMS[word] for word in re.findall(r'<joint [^>]*type="(\w+)"', text)) + 6 * (
        "<freejoint" in text
    )
    assert freedoms == made.model.nv or any(joint in loss.what.en for loss in lost)
    lost = made.save(tmp_path / "joint.urdf")
    text = (tmp_path / "joint.urdf").read_text(encoding="utf-8")
    moving = len(re.findall(r'<joint [^>]*type="(?:continuous|revolute|prismatic)"', text))
    floating = 6 * text.count('type="floating"')
    assert moving + floating == made.model.nv or any(joint in loss.what.en for loss in lost)


@pytest.mark.parametrize("joint", [joint for joint in SPATIAL if joint not in ("free", "fixed")])
def test_schemes_show_every_joint_of_space(joint: str, tmp_path: Path):
    welded, made = system(False, "fixed"), system(False, joint)
    for each, name in ((welded, "welded.svg"), (made, "made.svg")):
        each.simulate(0.01).save(tmp_path / name)
    moving = [(tmp_path / name).read_text(encoding="utf-8") for name in ("welded.svg", "made.svg")]
    assert moving[1].count("class=") > moving[0].count("class=")
    assert str(made.scheme()).count("class=") > str(welded.scheme()).count("class=")
