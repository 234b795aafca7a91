"""Faults that people met: every file is right, or refused with a sentence. Where the folder of them is not there, skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.commands import sistel_program

import sistel
from sistel.simulation import RunError

ROOT = Path(__file__).resolve().parents[2]


def path(shared_dir: Path, name: str) -> Path:
    return shared_dir / "repro" / name


def script(shared_dir: Path, name: str, tmp_path: Path) -> str:
    """What a script prints, in a process and with a cache of its own."""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT / "src")}
    (tmp_path / "models").symlink_to(ROOT / "models")
    done = subprocess.run(
        [sys.executable, str(path(shared_dir, name))],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize("name", ["01_threads_first_simulate.py", "02_ensemble_threads.py"])
def test_first_calls_of_threads_survive(shared_dir: Path, name: str, tmp_path: Path) -> None:
    assert script(shared_dir, name, tmp_path).startswith("survived")


def test_a_swapped_chunk_is_noticed(shared_dir: Path, tmp_path: Path) -> None:
    assert script(shared_dir, "04_swapped_part.py", tmp_path).startswith("same: True")


def test_two_limits_at_once(shared_dir: Path, tmp_path: Path) -> None:
    assert script(shared_dir, "05_two_limits_at_once.py", tmp_path).count("events") == 2


@pytest.mark.parametrize(
    "name", ["defect_coupling_teleport", "defect_closure_teleport", "defect_contact_in_air", "disk_slip_roll"]
)
def test_links_apart_are_refused(shared_dir: Path, name: str) -> None:
    with pytest.raises(RunError) as caught:
        sistel.load(path(shared_dir, f"{name}.xml")).simulate(2.0)
    assert caught.value.diagnostics[0].code == "apart"


def test_strikes_into_sliding_agree(shared_dir: Path) -> None:
    names = ("chain3_floor", "chain3_floor_structures", "chain3_floor_structures_plastic")
    first, *others = (sistel.load(path(shared_dir, f"{name}.xml")).simulate(1.0).last[:6] for name in names)
    for other in others:
        assert other == pytest.approx(first, abs=4e-12)


def test_the_motor_runs_up_to_its_no_load_speed(shared_dir: Path) -> None:
    run = sistel.load(path(shared_dir, "dc_motor.xml")).simulate(2.0)
    assert run.v.max() == pytest.approx(12.0 / 0.05, rel=1e-6) and run.v.max() <= 240.0 * (1 + 1e-9)


def test_a_spring_has_its_energy(shared_dir: Path) -> None:
    run = sistel.load(path(shared_dir, "defect_energy_spring.xml")).simulate(5.0)
    assert run.quantity("energy()") == pytest.approx(0.5 * 100 * 0.1**2, rel=1e-12)


def test_light_blocks_keep_their_digits(shared_dir: Path) -> None:
    system = sistel.load(path(shared_dir, "geneva6_flywheel.xml"))
    times = []
    for mass in (1e-9, 1e-12, 1e-15):
        run = system.with_parameters({"mb": mass}).simulate(1.0)
        times.append(np.array([event.time for event in run.passages]))
    assert len(times[0]) > 2
    for other in times[1:]:
        # a block of 1e-9 kg moves 1e-8 of what the wheel of 1e-3 kg·m² does, at most
        assert other == pytest.approx(times[0], abs=1e-8)
    assert times[2] == pytest.approx(times[1], abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["box_mu04_e02", "box_mu04_plastic", "box_mu04_poisson", "box_mu0_e05"])
def test_some_drops_of_a_box(shared_dir: Path, law: str) -> None:
    """Four of the thirty; ten are run by tests of contacts in space, all with `SISTEL_THOROUGH=1` and by `benchmarks/bench_drops.py`."""
    drops = json.loads(path(shared_dir, "box_drops.json").read_text())["drops"]
    system = sistel.load(path(shared_dir, f"{law}.xml"))
    for drop in drops[:4]:
        run = system.simulate(1.5, q=drop["q"], v=drop["v"])
        assert run.end == 1.5 and np.isfinite(run.last).all()
        gaps = [run.quantity(f"gap(c{i})", np.linspace(0.0, 1.5, 301)) for i in range(1, 9)]
        assert np.min(gaps) > -1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["bombrobot.urdf", "tg_mass_1_0_1e-320.xml", "tg_mass_1_1e-200_0.xml", "tg_json_bigint.json"]
)
def test_hostile_files_end_with_a_word(shared_dir: Path, name: str, tmp_path: Path) -> None:
    for command in (["check"], ["run", "--until", "0.1"], ["draw", "-o", str(tmp_path / "x.x3d")]):
        done = subprocess.run(
            [sistel_program(), command[0], str(path(shared_dir, name)), *command[1:]],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode in (0, 1), (command, done.returncode, done.stderr[-500:])
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["nodes.dae", "ent16.dae"])
def test_hostile_meshes_are_told(shared_dir: Path, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(path(shared_dir, name).read_bytes())
    robot = tmp_path / "robot.xml"
    robot.write_text(
        f'<system name="m" space="spatial"><body name="b" joint="revolute" mass="1" inertia="1, 1, 1"><mesh file="{name}"/></body></system>',
        encoding="utf-8",
    )
    done = subprocess.run(
        [sistel_program(), "draw", str(robot), "-o", str(tmp_path / "x.x3d")],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    assert name in done.stderr
