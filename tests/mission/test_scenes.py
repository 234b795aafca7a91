"""Row A22 of the mission, through the public face: systems and runs as X3D."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.browser import Chromium
from support.x3d import schema_problems
from support.x_ite import x_ite

import sistel
from sistel.views.x3d import check_scene, draw_scene

RUNS = {
    "compass_walker": 2.0,
    "double_pendulum": 2.0,
    "rimless_wheel": 1.0,
    "bouncing_ball": 2.0,
    "cart_pole": 2.0,
    "woodpecker": 0.5,
}
"""Models and how long they run [s]."""


def test_A22_is_valid(models_dir: Path, tmp_path: Path, shared_dir: Path) -> None:
    """`system.save` and `run.save` write X3D 4.0 by the official schema, and no route leads nowhere."""
    problems = schema_problems(shared_dir)
    for name, until in RUNS.items():
        system = sistel.load(models_dir / f"{name}.xml")
        assert system.save(tmp_path / "still.x3d") == ()
        system.simulate(until).save(tmp_path / "moving.x3d")
        for file in ("still.x3d", "moving.x3d"):
            text = (tmp_path / file).read_text(encoding="utf-8")
            assert problems(text) == [], (name, file)
            assert check_scene(text) == [], (name, file)
        assert "<ROUTE" in text


def test_A22_opens_in_X_ITE(models_dir: Path, chromium: Chromium) -> None:
    """The scenes load with a clean console, and the joints there are where the run has them, with prototypes too."""
    system = sistel.load(models_dir / "double_pendulum.xml")
    run = system.simulate(2.0)
    names = [body.name for body in system.bodies]
    with x_ite(chromium) as viewer:
        for prototypes in (False, True):
            text = draw_scene(run.model, run, prototypes=prototypes, lang="en")
            assert viewer.open(text) > 5
            pictures = set()
            instance = "System_" + system.name.replace(" ", "_") + "_1"
            fields = [(instance, f"{name}_joint_turn") if prototypes else (name, "rotation") for name in names]
            for fraction in (0.0, 0.2, 0.5, 0.83, 1.0):
                found = viewer.at(fraction, fields)
                q = run(fraction * run.end)[0]
                for (x, y, z, angle), expected in zip(found, q, strict=True):
                    assert math.hypot(x, y) < 1e-6  # about z, either way
                    turn = math.remainder(math.copysign(1.0, z) * angle - expected, 2 * math.pi)
                    assert abs(turn) < math.radians(0.1)
                pictures.add(viewer.picture())
            assert len(pictures) == 5  # it is seen to move
            assert viewer.complaints() == []
        for name in ("walker", "puma560", "stewart", "paper_listing2"):
            viewer.open(draw_scene(sistel.load(models_dir / f"{name}.xml").model, lang="ru"))
            assert viewer.complaints() == [], name


@pytest.mark.parametrize("name", ["walker", "puma560"])
def test_A22_from_the_command_line(name: str, models_dir: Path, tmp_path: Path) -> None:
    from sistel.cli import main

    target = tmp_path / f"{name}.x3d"
    assert main(["run", str(models_dir / f"{name}.xml"), "--until", "0.05", "-o", str(target)]) == 0
    assert check_scene(target.read_text(encoding="utf-8")) == []
