"""The races of whole motions: truths, models of the others, their equations, and the tables."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "benchmarks"
OUTCOME: dict[str, Any] = {
    "machine": {"time": "2031-02-03T", "cpu": "C", "cores": 2, "system": "S", "python": "P", "commit": "0123456789ab"},
    "races": [
        {
            "motion": "cart_pole",
            "peer": "mujoco",
            "version": "9",
            "target": 1e-8,
            "seconds": [1e-4, 1.5e-2],
            "ratio": 150.0,
        },
        {
            "motion": "bouncing_ball",
            "peer": "mujoco, one step",
            "version": "9",
            "target": 5e-4,
            "seconds": [1e-3, 4e-3],
            "ratio": 4.0,
        },
        {
            "motion": "cart_pole",
            "peer": "hand",
            "version": "C",
            "target": 1e-9,
            "seconds": [1e-4, 9e-5],
            "ratio": 0.9,
        },
    ],
    "starts": {
        "process": {"sistel run, empty cache": 0.8, "import numba": 0.4},
        "compile": {"cart_pole": {"empty cache": 0.6, "heyoka": 0.1}},
        "call": {"cart_pole": 6e-5},
    },
}


@pytest.fixture(scope="module", autouse=True)
def benchmarks() -> Iterator[None]:
    """Benchmarks import each other by their plain names."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def module(name: str) -> ModuleType:
    return import_module(name)


def motions_of_peers() -> ModuleType:
    """The process of the others, as a module."""
    spec = util.spec_from_file_location("peers_motions", FOLDER / "peers" / "motions.py")
    assert spec is not None
    assert spec.loader is not None
    found = util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize(
    ("key", "bound"),
    [
        # What is left at full precision is the growth of rounding in the motion itself, and in one case the inertia.
        ("cart_pole", 1e-12),
        ("chain5", 1e-11),
        ("compass_walker", 1e-14),
        ("rimless_wheel", 1e-14),
        ("point_wheel", 1e-8),
        ("bouncing_ball", 1e-14),
        ("written_ball", 1e-14),
    ],
)
def test_motions_have_the_answers_that_errors_are_taken_from(key: str, bound: float) -> None:
    motion = module("_motions").MOTIONS[key]
    assert motion.error(motion.answer(motion.system.simulate(motion.until))) < bound
    assert motion.error([]) == math.inf


def test_the_loosest_setting_counts_that_is_not_lucky() -> None:
    motions = module("_motions")

    class Side:
        steady = False

        def settings(self, motion: Any) -> list[int]:
            return [0, 1, 2, 3, 4]

        def run(self, motion: Any, setting: int) -> tuple[float, float]:
            return 1.0, [1e-9, 1e-3, 1e-7, 1e-8, 1e-4][setting]

    side = Side()
    assert motions.choose(side, None, 1e-6) == (2, 1e-7)
    assert motions.choose(side, None, 1e-12) is None
    side.steady = True
    assert motions.choose(side, None, 1e-6) == (0, 1e-9)


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Any:
    native, peers = module("_native"), module("_motion_peers")
    if shutil.which("clang++") is None:
        pytest.skip("no clang")
    folder = tmp_path_factory.mktemp("hand")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "BUILD", folder)
        patch.setattr(native, "ROOT", folder)
        patch.setattr(peers, "OPTIMISED", ("-O0", "-fPIC", "-shared", "-w"))  # compiles in a second
        return peers.Hand()


@pytest.mark.parametrize("key", ["cart_pole", "compass_walker"])
def test_the_integrator_by_hand_finds_the_truth(key: str, hand: Any) -> None:
    motion = module("_motions").MOTIONS[key]
    spent, error = hand.run(motion, 20)
    assert error < 1e-12
    assert spent > 0
    assert hand.run(motion, 8)[1] > 1e-11  # the order matters


@pytest.mark.peer
@pytest.mark.parametrize("key", ["cart_pole", "chain5", "compass_walker", "rimless_wheel", "bouncing_ball"])
def test_mujoco_gets_the_same_systems(key: str, rng: np.random.Generator) -> None:
    """Free bodies, accelerations at states above the ground."""
    import mujoco

    motion = module("_motions").MOTIONS[key]
    model = mujoco.MjModel.from_xml_string(module("_motion_mjcf").document(key))
    data = mujoco.MjData(model)
    system = motion.system
    up = key in ("compass_walker", "rimless_wheel")
    for _ in range(5):
        q, v, tau = rng.normal(size=(3, system.nv))
        if up:
            q[1] = -3.0  # far above the ground
        elif key == "bouncing_ball":
            q[0] = 3.0
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        if up:
            data.qpos[1], data.qvel[1], data.qfrc_applied[1] = -q[1], -v[1], -tau[1]
        mujoco.mj_forward(model, data)
        found = data.qacc.copy()
        if up:
            found[1] = -found[1]
        expected = system._engine.call("forward_dynamics")(q, v, tau)
        # Point masses of the gallery have an inertia of 1e-10 kg·m² in MuJoCo.
        assert np.abs(found - expected).max() < 1e-8 * np.abs(expected).max()


def test_the_strike_by_hand_is_that_of_the_gallery() -> None:
    motion = module("_motions").MOTIONS["compass_walker"]
    run = motion.system.simulate(motion.until)
    event = run.events[0]
    q, v = run(np.nextafter(event.time, 0.0))
    y = np.array([*q[2:], *v[2:]])
    motions_of_peers().compass_strike(y)
    q, v = run(event.time)
    # The leg that stands is the right one now. The state an ulp before the strike is good to 1e-14.
    assert np.abs(y - [q[3], q[2], v[3], v[2]]).max() < 1e-13


@pytest.mark.parametrize(
    ("name", "lang", "line"),
    [
        ("machine", "en", "2031-02-03, C (2 cores), S, P, commit 0123456789."),
        ("races", "en", "| cart-pole, 10 s | 1e-08 | 100 µs | MuJoCo 9 | 15 ms | **150×** |"),
        ("races", "ru", "| мяч, 10 отскоков | 0.0005 | 1 мс | MuJoCo 9, отскок за один шаг | 4 мс | **4.0×** |"),
        ("races", "en", "| cart-pole, 10 s | 1e-09 | 100 µs | by hand | 90 µs | **0.90×** |"),
        ("starts", "en", "| `sistel run models/cart_pole.xml`, empty cache | 800 ms | 2.0× |"),
        ("starts", "ru", "| компиляция того же в heyoka | 100 мс | – |"),
        ("starts", "en", "| warm `simulate` of one step, cart-pole | 60 µs | – |"),
    ],
)
def test_tables(name: str, lang: str, line: str) -> None:
    tables = module("_motion_tables")
    page = f"# Title\n\n<!-- simulation: {name} -->\nold\n<!-- end -->\n\nAfter.\n"
    text = tables.fill(page, OUTCOME, lang)
    assert line in text.splitlines()
    assert "old" not in text
    assert tables.fill(text, OUTCOME, lang) == text


@pytest.mark.parametrize(("lang", "path"), [("en", "docs/benchmarks.md"), ("ru", "docs/ru/benchmarks.md")])
def test_tables_of_the_documentation_are_those_that_were_measured(lang: str, path: str) -> None:
    tables = module("_motion_tables")
    text = (ROOT / path).read_text(encoding="utf-8")
    outcome = json.loads((FOLDER / "simulation.json").read_text("utf-8"))
    assert {name for _, name, _ in tables.BLOCK.findall(text)} == set(tables.TABLES)
    assert tables.fill(text, outcome, lang) == text
