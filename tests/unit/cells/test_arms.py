"""Closed inverse kinematics of the four arms, against their forward kinematics."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.cells import Arm, arm_of

MODELS = Path(__file__).parents[3] / "models"
KINDS = ("cartesian", "cylindrical", "spherical", "angular")
EXACT = 1e-14  # some ten products of numbers of size 1


def loaded(kind: str) -> tuple[sistel.System, Arm]:
    system = sistel.load(MODELS / f"mr_{kind}.xml")
    return system, arm_of(system.model, "схват")


def random_postures(system: sistel.System, arm: Arm, count: int) -> Any:
    rng = np.random.default_rng(1)
    q = np.zeros((count, system.nq))
    for body in arm.bodies:
        q[:, body.first_q] = rng.uniform(body.joint.minimum[0], body.joint.maximum[0], count)
    return q


@pytest.mark.parametrize("kind", KINDS)
def test_every_posture_is_found_again(kind: str) -> None:
    """And every other solution puts the gripper into the same pose."""
    system, arm = loaded(kind)
    assert arm.kind == kind
    for q in random_postures(system, arm, 60):
        target = system.pose(q, "схват")
        found = arm.inverse(target, q)
        assert np.abs(found.q - q).max() < 1e-11  # angles of a wrist near its singular posture lose digits
        for each in (found.q, *found.others):
            assert np.abs(system.pose(each, "схват") - target).max() < EXACT
            for body in arm.bodies:
                assert body.joint.minimum[0] <= each[body.first_q] <= body.joint.maximum[0]
        assert len(found.others) >= 1  # the wrist can turn over


@pytest.mark.parametrize("kind", KINDS)
def test_singular_postures(kind: str) -> None:
    """Fingers straight down: yaw and roll do the same; an arm stretched out."""
    system, arm = loaded(kind)
    X = np.eye(4)
    X[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    X[:3, 3] = [0.6, 0.2, 0.4]
    found = arm.inverse(X)
    assert np.abs(system.pose(found.q, "схват") - X).max() < EXACT
    if kind == "angular":
        q = np.zeros(system.nq)
        q[1] = 0.3
        target = system.pose(q, "схват")
        assert np.abs(system.pose(arm.inverse(target, q).q, "схват") - target).max() < EXACT


def test_what_is_out_of_reach_says_by_how_much() -> None:
    X = np.eye(4)
    X[:3, 3] = [1.35, 0.0, 0.7]  # the centre of the wrist at 1.2 m
    with pytest.raises(sistel.SistelError, match=r"рука.*150 mm beyond"):
        loaded("spherical")[1].inverse(X)
    X[:3, 3] = [2.0, 0.0, 0.5]
    with pytest.raises(sistel.SistelError, match=r"from 0\.1 m to 1\.1 m"):
        loaded("angular")[1].inverse(X)
    X[:3, :3] *= 1.1
    with pytest.raises(sistel.SistelError, match="right angles"):
        loaded("angular")[1].inverse(X)


def test_turns_stay_near_the_seed() -> None:
    """A hinge does not jump by a turn where its limits allow not to."""
    system, arm = loaded("cylindrical")
    q = np.zeros(system.nq)
    q[0] = math.radians(179)
    q[1:3] = 0.2
    target = system.pose(q, "схват")
    assert abs(arm.inverse(target, q).q[0] - q[0]) < 1e-12


@pytest.mark.parametrize("model", ["puma560", "scara", "mr_hand"])
def test_other_arms_are_refused_with_words(model: str) -> None:
    system = sistel.load(MODELS / f"{model}.xml")
    name = system.model.frames[0].name
    with pytest.raises(sistel.SistelError, match="no arm of the four kinds"):
        arm_of(system.model, name)
    with pytest.raises(sistel.SistelError, match="no frame"):
        arm_of(system.model, "nothing")


@pytest.mark.parametrize("kind", KINDS)
def test_programs_of_the_files_reach_one_point(kind: str) -> None:
    """Each file has its own way, by the closed solution: fingers down at one and the same place, within all limits."""
    system, arm = loaded(kind)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [0.6, 0.3, 0.3]
    run = system.simulate(6.5)
    assert (
        np.abs(system.pose(run(2.5)[0], "схват") - X).max() < 1e-8
    )  # angles of the table have six digits after the point
    assert np.abs(run(5.0)[0] - run(0.0)[0]).max() < 1e-12 and np.abs(run(6.0)[0] - run(1.0)[0]).max() < 1e-12
    above = system.pose(run(1.5)[0], "схват")
    assert np.abs(above[:3, 3] - [0.6, 0.3, 0.45]).max() < 1e-8
    q = run(np.linspace(0.0, 5.0, 501))[0]
    for body in arm.bodies:
        assert (q[:, body.first_q] >= body.joint.minimum[0]).all() and (
            q[:, body.first_q] <= body.joint.maximum[0]
        ).all()
