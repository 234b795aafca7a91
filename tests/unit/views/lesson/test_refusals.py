"""What a lesson refuses, and how small it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.model import Model
from sistel.motion.trajectories import polynomial_move
from sistel.solve import anfis
from sistel.views.lesson import Opening, lesson_page


@pytest.fixture(scope="module")
def arm(models_dir: Path) -> sistel.System:
    return sistel.load(models_dir / "arm5.xml")


def refused(model: Model, frame: str | None = None, *, networks: Any = (), **named: Any) -> str:
    with pytest.raises(sistel.SistelError) as problem:
        lesson_page(model, frame, Opening(**named), networks=networks)
    (diagnostic,) = problem.value.diagnostics
    assert diagnostic.message.en and diagnostic.message.ru
    return f"{diagnostic.code}: {diagnostic.message.en}"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"frame": "nowhere"}, "no-frame"),
        ({"mode": "backward"}, "mode is one of forward, inverse, trajectory"),
        ({"task": "all"}, "task is one of"),
        ({"method": "newton"}, "method is one of"),
        ({"kind": "linear"}, "kind is one of"),
        ({"q": [0.0, 1.0]}, "q is 5 finite numbers"),
        ({"q": [0.0, 1.0, 0.0, 0.0, float("nan")]}, "q is 5 finite numbers"),
        ({"to": "there"}, "to is 5 finite numbers"),
        ({"duration": 0.0}, "duration is a positive number"),
        ({"duration": True}, "duration is a positive number"),
        ({"payload": -1.0}, "payload is a mass"),
        ({"target": np.zeros((4, 4))}, "no-displacement"),
        ({"target": [[1.0, 2.0]]}, "4×4"),
        ({"target": np.eye(4)[None]}, "one 4×4 matrix"),
        ({"trajectory": polynomial_move([0.0], [1.0], 1.0)}, "the trajectory has 1 coordinates, the system 5"),
        ({"networks": [3]}, "networks are IkNets or DynamicsNets"),
    ],
)
def test_values_that_do_not_fit(arm: sistel.System, named: dict[str, Any], said: str) -> None:
    assert said in refused(arm.model, **named)


def test_systems_that_are_no_arms(models_dir: Path) -> None:
    assert "it has links beside its joints" in refused(sistel.load(models_dir / "four_bar.xml").model)
    assert "free bodies" in refused(sistel.load(models_dir / "quadruped.xml").model)


def test_networks_of_other_arms(arm: sistel.System, models_dir: Path) -> None:
    nets = anfis.train_ik(arm, "инструмент", 40, rules=2, epochs=1)
    assert "another system" in refused(sistel.load(models_dir / "puma560.xml").model, networks=nets)
    assert 'for the frame "инструмент"' in refused(arm.model, "кисть", networks=nets)


def test_pages_are_small_and_whole(arm: sistel.System, tmp_path: Path) -> None:
    page = arm.lesson(tmp_path / "arm.html", lang="ru")
    assert (tmp_path / "arm.html").read_text(encoding="utf-8") == page
    assert len(page) < 700_000
    assert "default-src 'none'" in page and "unsafe-eval" not in page


def test_planar_arms_and_bodies_as_tools(models_dir: Path) -> None:
    system = sistel.load(models_dir / "double_pendulum.xml")
    page = lesson_page(system.model, system.model.bodies[-1].name, lang="en")
    assert len(page) < 400_000  # no scene in space
