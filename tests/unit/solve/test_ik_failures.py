"""What every method of inverse kinematics answers where there is no answer, in both languages."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.solve import Solution, anfis

METHODS = ("lm", "ccd", "analytic", "anfis")
FRAME = "инструмент"
LOW, HIGH = np.radians([-45, 50, -130, 20, -45]), np.radians([45, 120, -50, 100, 45])


@pytest.fixture(scope="module")
def arm() -> sistel.System:
    return sistel.load(Path(__file__).resolve().parents[3] / "models" / "arm5.xml")


@pytest.fixture(scope="module")
def nets(arm: sistel.System) -> anfis.IkNets:
    return anfis.train_ik(arm, FRAME, 100, rules=5, epochs=1, low=LOW, high=HIGH)


def ask(arm: sistel.System, nets: anfis.IkNets, method: str, target: object, **more: object) -> Solution:
    if method == "anfis":
        more["networks"] = nets
    if method == "ccd":
        more["iterations"] = 100
    return arm.inverse_kinematics(target, FRAME, method, restarts=4, **more)


@pytest.mark.parametrize("method", METHODS)
def test_targets_that_are_none(arm: sistel.System, nets: anfis.IkNets, method: str) -> None:
    X = arm.pose([0.3, 1.2, -1.0, 0.9, 0.2], FRAME)

    def refused(target: object, en: str, ru: str) -> None:
        with pytest.raises(sistel.SistelError) as caught:
            ask(arm, nets, method, target)
        said = caught.value.diagnostics[0].message
        assert en in said.en and ru in said.ru, said

    for value in (math.nan, math.inf, -math.inf):
        for place in ((0, 0), (1, 3), (3, 3)):
            bad = X.copy()
            bad[place] = value
            refused(bad, "not finite", "не конечны")
    bad = np.stack([X, X, X])
    bad[2, 1, 1] = math.nan
    refused(bad, "(2,)", "(2,)")
    bad = X.copy()
    bad[0, 0] += 0.01
    refused(bad, "right angles", "прямы")
    bad = X.copy()
    bad[:3, 2] *= -1.0
    refused(bad, "left-handed", "левые")
    many = np.stack([X, X, X, bad])
    refused(many, "number 3", "номер 3")
    bad = X.copy()
    bad[3] = [0, 0, 0, 2]
    refused(bad, "0 0 0 1", "0 0 0 1")
    refused(np.eye(3), "4×4", "4×4")
    refused(None, "4×4", "4×4")
    for kind, said in ((complex, "complex128"), (str, "text"), (object, "object")):
        refused(X.astype(kind), f"real numbers, got {said}", f"вещественные числа, получено {said}")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("task", ["pose", "position", "pointing"])
def test_out_of_reach(arm: sistel.System, nets: anfis.IkNets, method: str, task: str) -> None:
    if method == "analytic" and task == "position":
        with pytest.raises(sistel.SistelError, match="more joints than the place alone needs"):
            ask(arm, nets, method, np.eye(4), task=task)
        return
    target = arm.pose([0.3, 1.2, -1.0, 0.9, 0.2], FRAME)
    target[:3, 3] *= 4.0
    found = ask(arm, nets, method, target, task=task)
    assert found.success is False and np.isfinite(found.q).all()
    assert "not reached" in found.reason.en and "не достигнуто" in found.reason.ru
    # What is told is what is so.
    there = arm.pose(found.q, FRAME)
    assert np.array_equal(found.nearest, there)
    way = target[:3, :3].T @ (target[:3, 3] - there[:3, 3])
    assert np.abs(found.residual[3:] - way).max() < 1e-12
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    assert (found.q >= low).all() and (found.q <= high).all()


@pytest.mark.parametrize("method", METHODS)
def test_beyond_the_limits(arm: sistel.System, nets: anfis.IkNets, method: str) -> None:
    # The shoulder goes from 0 to 180°; this is below the floor.
    q = np.array([0.3, -1.0, 0.4, 0.3, 0.2])
    X = arm.pose(q, FRAME)
    free = arm.inverse_kinematics(X, FRAME, "analytic", limits=False, several=True)
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    assert len(free.solutions) == 4 and not ((free.solutions >= low) & (free.solutions <= high)).all(axis=1).any()
    found = ask(arm, nets, method, X)
    assert found.success is False and (found.q >= low).all() and (found.q <= high).all()
    assert "not reached" in found.reason.en and "не достигнуто" in found.reason.ru
    if method == "analytic":
        assert "beyond the limits of joints: 4" in found.reason.en and "решений 4" in found.reason.ru


@pytest.mark.parametrize("method", ["lm", "analytic"])
def test_singular_targets_are_reached(arm: sistel.System, nets: anfis.IkNets, method: str) -> None:
    for q in ((0.3, 1.0, 0.0, 0.4, 0.9), (0.3, math.pi / 2.0, 0.0, 0.4, 0.9), (0.3, 1.2, -2.0, 0.4, 0.0)):
        X = arm.pose(np.array(q), FRAME)
        found = arm.inverse_kinematics(X, FRAME, method, q=np.array(q) * 0.97)
        assert found.success and np.isfinite(found.q).all() and np.abs(arm.pose(found.q, FRAME) - X).max() < 3e-8


@pytest.mark.parametrize("method", METHODS)
def test_five_joints_cannot_do_six_components(arm: sistel.System, nets: anfis.IkNets, method: str) -> None:
    X = arm.pose([0.3, 1.2, -1.0, 0.9, 0.2], FRAME)
    X[:3, :3] = X[:3, :3] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    X[0, 3] += 0.05
    found = ask(arm, nets, method, X)
    assert found.success is False
    if method != "anfis":  # which says how far it is off, and to go on from there
        assert "6 components" in found.reason.en and "6 составляющих" in found.reason.ru
    else:
        assert "miss by" in found.reason.en and "промахнулись" in found.reason.ru


@pytest.mark.parametrize("method", METHODS)
def test_far_targets_in_a_batch(arm: sistel.System, nets: anfis.IkNets, method: str) -> None:
    X = np.tile(arm.pose([0.3, 1.2, -1.0, 0.9, 0.2], FRAME), (4, 1, 1))
    X[1, 0, 3], X[2, 0, 3], X[3, 0, 3] = 1e3, 1e100, 1e300
    found = ask(arm, nets, method, X, several=True)
    assert not found.success[1:].any() and np.isfinite(found.q).all()
    assert all(reason is not None for reason in found.reason[1:]) and all(len(s) == 0 for s in found.solutions[1:])
