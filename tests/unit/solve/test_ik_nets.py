"""Inverse kinematics by networks: their answer as it is, and as the beginning of a search."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.solve import anfis

FRAME = "инструмент"
LOW, HIGH = np.radians([-45, 50, -130, 20, -45]), np.radians([45, 120, -50, 100, 45])


@pytest.fixture(scope="module")
def arm() -> sistel.System:
    return sistel.load(Path(__file__).resolve().parents[3] / "models" / "arm5.xml")


@pytest.fixture(scope="module")
def nets(arm: sistel.System) -> anfis.IkNets:
    return anfis.train_ik(arm, FRAME, 600, rules=20, epochs=3, low=LOW, high=HIGH)


def test_the_answer_is_told_as_it_is(arm: sistel.System, nets: anfis.IkNets, rng: np.random.Generator) -> None:
    q = rng.uniform(LOW, HIGH, (200, 5))
    X = arm.pose(q, FRAME)
    found = arm.inverse_kinematics(X, FRAME, "anfis", networks=nets)
    assert np.array_equal(found.q, anfis.as_seed(nets, X)) and (found.iterations == 0).all()
    # Errors by another way: places and angles of forward kinematics.
    there = arm.pose(found.q, FRAME)
    way = np.linalg.norm(there[:, :3, 3] - X[:, :3, 3], axis=1)
    size = np.sqrt(((there - X)[:, :3, :3] ** 2).sum(axis=(1, 2)))
    turn = 2.0 * np.arcsin(np.clip(size / math.sqrt(8.0), 0.0, 1.0))
    assert np.abs(np.linalg.norm(found.residual[:, 3:], axis=1) - way).max() < 1e-12
    assert np.abs(np.linalg.norm(found.residual[:, :3], axis=1) - turn).max() < 1e-9
    assert np.array_equal(found.success, (way <= 1e-3) & (turn <= 1e-2))
    assert not found.success.all()
    worst = int(np.argmax(way))
    assert f"miss by {1e3 * way[worst]:.3g} mm" in found.reason[worst].en
    assert "сети промахнулись" in found.reason[worst].ru
    wide = arm.inverse_kinematics(X, FRAME, "anfis", networks=nets, tolerance=(4.0, 1.0), several=True)
    assert wide.success.all() and all(reason is None for reason in wide.reason)
    assert all(np.array_equal(each[0], own) for each, own in zip(wide.solutions, wide.q, strict=True))
    one = arm.inverse_kinematics(X[worst], FRAME, "anfis", networks=nets)
    # A matrix times a matrix rounds otherwise than one times a vector.
    assert one.success is False and np.abs(one.q - found.q[worst]).max() < 1e-12


def test_searches_begin_at_the_answer(
    arm: sistel.System, nets: anfis.IkNets, rng: np.random.Generator, tmp_path: Path
) -> None:
    q = rng.uniform(LOW, HIGH, (100, 5))
    X = arm.pose(q, FRAME)
    seeded = arm.inverse_kinematics(X, FRAME, networks=nets, restarts=0)
    same = arm.inverse_kinematics(X, FRAME, q=anfis.as_seed(nets, X), restarts=0)
    assert np.array_equal(seeded.q, same.q) and np.abs(seeded.q - q)[seeded.success].max() < 1e-6
    assert seeded.success.mean() > 0.97
    anfis.save(nets, tmp_path / "nets.json")
    for file in (tmp_path / "nets.json", str(tmp_path / "nets.json")):
        assert np.array_equal(arm.inverse_kinematics(X, FRAME, networks=file, restarts=0).q, seeded.q)
    # The branch that the networks learnt is the nearest of all.
    closed = arm.inverse_kinematics(X, FRAME, "analytic", networks=nets)
    assert closed.success.all() and np.abs(closed.q - q).max() < 1e-6


def test_wrong_networks(
    arm: sistel.System, nets: anfis.IkNets, rng: np.random.Generator, tmp_path: Path, models_dir: Path
) -> None:
    X = arm.pose(rng.uniform(LOW, HIGH), FRAME)

    def refused(en: str, ru: str, system: sistel.System = arm, frame: str = FRAME, **more: object) -> None:
        with pytest.raises(sistel.SistelError) as caught:
            system.inverse_kinematics(X, frame, **more)
        said = caught.value.diagnostics[0].message
        assert en in said.en and ru in said.ru

    refused("needs networks", "нужны networks", method="anfis")
    refused("no other q", "не задают q", networks=nets, q=np.zeros(5))
    refused("no networks of inverse", "не сети обратной", networks=3)
    refused("nothing.json", "nothing.json", networks=tmp_path / "nothing.json")
    (tmp_path / "odd.json").write_text("{}", encoding="utf-8")
    refused("no file of networks", "не файл сетей", networks=tmp_path / "odd.json")
    refused("learnt", "учили", frame=arm.bodies[-1].name, networks=nets)
    puma = sistel.load(models_dir / "puma560.xml")
    refused("another system", "другую систему", puma, "tool", networks=nets)
