"""The races: states converted exactly, wrong results stop a race, and the tables are those that were measured."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "benchmarks"
SECONDS = {"best": 6e-7, "other": 9e-7, "single": 1e-7, "rows": 2e-8}
OUTCOME: dict[str, Any] = {
    "machine": {
        "time": "2031-02-03T04:05:06",
        "cpu": "C",
        "cores": 2,
        "system": "S",
        "python": "P",
        "commit": "0123456789ab+",
    },
    "pinocchio": {
        "engine": "Pinocchio 9",
        "robots": {"panda": {"RNEA": {"seconds": SECONDS, "best": ["best"]}}},
    },
    "calls": {
        "versions": {"sistel": "1", "pinocchio": "9"},
        "robots": {"panda": {"seconds": {"sistel": {"RNEA": 2e-7, "RNEA, out=": 1e-7}, "pinocchio": {"RNEA": 1e-6}}}},
    },
    "compile": {
        "numpy": 0.1,
        "robots": {"panda": {"cold": {"load": 0.3, "first": 0.4}, "warm": {"load": 0.3, "first": 0.02}}},
    },
    "chains": {
        "engine": None,
        "chains": [{"bodies": 100, "first": 0.5, "seconds": {"sistel": 1e-5, "aba local": 3e-5, "aba world": 2e-5}}],
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


def robot_pair(key: str, order: Any, q_order: Any = None) -> Any:
    robots = module("_robots")
    return robots.Pair(robots.RACE[key], None, None, None, order, q_order)


# --- coordinates -------------------------------------------------------------------------------------------------


def free_states(rng: np.random.Generator, count: int = 5) -> Any:
    q = rng.normal(size=(count, 9))
    q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
    return module("_robots").States(q, *rng.normal(size=(3, count, 8)))


def product(p: Any, q: Any) -> Any:
    """Of quaternions."""
    w, u = p[:, :1] * q[:, :1] - (p[:, 1:] * q[:, 1:]).sum(1, keepdims=True), np.cross(p[:, 1:], q[:, 1:])
    return np.concatenate([w, p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + u], axis=1)


def test_rotations_turn_as_quaternions_do(rng: np.random.Generator) -> None:
    q, x = free_states(rng).q[:, :4], rng.normal(size=(5, 3))
    pure = np.concatenate([np.zeros((5, 1)), x], axis=1)
    turned = product(product(q, pure), q * [1, -1, -1, -1])[:, 1:]
    R = module("_coordinates").rotations(q)
    assert np.abs(np.einsum("nij,nj->ni", R, x) - turned).max() < 1e-15 * 10


@pytest.mark.parametrize("engine", ["pinocchio", "mujoco"])
@pytest.mark.parametrize("base", ["planar", "free"])
def test_accelerations_are_derivatives_of_velocities(base: str, engine: str, rng: np.random.Generator) -> None:
    """Along v and a for a short time, forwards and back: their velocities change by their accelerations."""
    convert = getattr(module("_coordinates"), f"{engine}_coordinates")
    States = module("_robots").States
    if base == "planar":
        pair, states = robot_pair("biped", np.arange(5)), States(*rng.normal(size=(4, 6, 5)))
    else:
        order = np.array([3, 4, 5, 0, 1, 2, 7, 6])
        pair, states = robot_pair("anymal", order, np.array([4, 5, 6, 1, 2, 3, 0, 8, 7])), free_states(rng)
    found = convert(pair, states)
    h = 1e-5

    def moved(t: float) -> Any:
        v = states.v + t * states.a
        if base == "planar":
            return States(states.q + t * states.v, v, states.a, states.tau)
        q, spin = states.q.copy(), np.concatenate([np.ones((5, 1)), t / 2 * states.v[:, :3]], axis=1)
        q[:, :4] = product(q[:, :4], spin / np.linalg.norm(spin, axis=1, keepdims=True))
        return States(q, v, states.a, states.tau)

    slope = (convert(pair, moved(h)).v - convert(pair, moved(-h)).v) / (2 * h)
    assert np.abs(slope - found.a).max() < 1e-8  # of the differences: h² and rounding over h
    # What comes back is what went out, and power is the same on both sides.
    assert np.abs(found.accelerations(found.a) - states.a).max() < 1e-14
    assert np.abs(found.forces(found.tau) - states.tau).max() < 1e-14
    assert np.abs((found.tau * found.v).sum(1) - (states.tau * states.v).sum(1)).max() < 1e-13
    diagonal = np.diag(np.arange(1.0, 1 + states.v.shape[1]))
    theirs = np.einsum("nij,jk,nlk->nil", found.T, diagonal, found.T)
    assert np.abs(found.matrices(theirs) - diagonal).max() < 1e-13


def test_places_and_rates_of_a_planar_system(rng: np.random.Generator) -> None:
    """Its left leg lies beside the plane for a spatial engine."""
    states = module("_robots").States(*rng.normal(size=(4, 3, 5)))
    found = module("_coordinates").pinocchio_coordinates(robot_pair("biped", np.arange(5)), states)
    R, J = np.broadcast_to(np.eye(3), (3, 3, 3)), rng.normal(size=(3, 6, 5))
    pose, jacobian = found.frames(R, np.tile([1.0, 2.0, -0.1], (3, 1)), J)
    assert np.array_equal(pose[:, :, 3], np.broadcast_to([1.0, 2.0, 0.0], (3, 3)))
    theirs = np.einsum("nij,nj->ni", J, found.v)
    assert np.abs(np.einsum("nij,nj->ni", jacobian, states.v) - theirs[:, [3, 4, 5, 0, 1, 2]]).max() < 1e-14


# --- races -------------------------------------------------------------------------------------------------------


class Peer:
    """An engine that finds the forces of sistel, or forces that are a little wrong."""

    tasks: ClassVar = {"RNEA": [["right"]]}
    tolerance = 1e-13

    def __init__(self, pair: Any, factor: float) -> None:
        self.pair, self.factor = pair, factor

    def take(self, states: Any) -> None:
        self.states = states

    def turn(self, task: str) -> Any:
        return lambda passes: 1e-6

    def results(self, task: str, quantity: str) -> list[Any]:
        s = self.states
        return [self.factor * self.pair.system.inverse_dynamics(s.q, s.v, s.a)]


@pytest.mark.parametrize(("factor", "stops"), [(1.0, False), (1.0 + 1e-12, True)])
def test_wrong_results_stop_a_race(factor: float, stops: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native, robots = module("_native"), module("_robots")
    if not any(shutil.which(name) for name in ("clang", "cc", "gcc")):
        pytest.skip("no C compiler")
    monkeypatch.setattr(native, "BUILD", tmp_path)
    monkeypatch.setattr(native, "ROOT", tmp_path)
    robot = robots.RACE["biped"]
    pair = robots.Pair(robot, robot.load(), None, None, np.arange(9), None)
    race = module("_race").race
    if stops:
        with pytest.raises(AssertionError, match=r"RNEA: single and right differ by 1\.0e-12"):
            race(pair, Peer(pair, factor), native.kernel_loop(), ["RNEA"], rounds=2)
        return
    row = race(pair, Peer(pair, factor), native.kernel_loop(), ["RNEA"], rounds=2)["RNEA"]
    assert row["best"] == ["right"]
    assert row["error"] <= 1e-15
    assert {"right", "single", "rows"} <= set(row["seconds"])
    assert min(row["seconds"].values()) > 0


def test_the_least_of_all_rounds_counts_and_noise_makes_more_rounds() -> None:
    measure = module("_race").measure_turns
    times = {"steady": [2.0], "noisy": [9.0] * 9 + [3.0]}  # two calls before the first round, then the last one
    turns: dict[str, list[str]] = {name: [] for name in times}

    def turn(name: str) -> Any:
        def run(passes: int) -> float:
            turns[name].append(name)
            return times[name][min(len(turns[name]), len(times[name])) - 1]

        return run

    assert measure({name: turn(name) for name in times}, rounds=8, least=0.0) == {"steady": 2.0, "noisy": 3.0}
    assert len(turns["steady"]) == 2 + 8 + 2  # two rounds more, which found nothing better


def test_what_does_not_compile_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native = module("_native")
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    monkeypatch.setattr(native, "BUILD", tmp_path / "build")
    monkeypatch.setattr(native, "ROOT", tmp_path)
    source = tmp_path / "broken.c"
    source.write_text("int main(void) { return nothing; }\n")
    with pytest.raises(native.Missing, match=r"broken\.c does not compile here: .*nothing"):
        native.build(compiler, source, ())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(native.Missing, match="apt install clang"):
        native.clang("clang++")


@pytest.mark.peer
def test_engines_called_from_python_agree(tmp_path: Path, robots_dir: Path) -> None:
    """The process that times an engine finds what sistel finds here, in its own coordinates."""
    pytest.importorskip("pinocchio")
    robots, calls = module("_robots"), module("_calls")
    pair = robots.pair(robots.RACE["anymal"])
    states = pair.states(3)
    tau, M = pair.system.inverse_dynamics(states.q, states.v, states.a), pair.system.mass_matrix(states.q)
    for engine in ("pinocchio", "mujoco"):
        pytest.importorskip(engine)
        (tmp_path / engine).mkdir()
        worker = calls.Worker(engine, pair, states, tmp_path / engine)
        try:
            found = worker.results()
            assert np.abs(found["RNEA"][0] - tau).max() < 1e-13 * np.abs(tau).max()
            assert np.abs(found["CRBA"][0].reshape(M.shape) - M).max() < 1e-13 * np.abs(M).max()
            assert 0 < worker.seconds("RNEA", 2) < 1
        finally:
            worker.close()


@pytest.mark.peer
def test_an_engine_that_is_missing_is_said(tmp_path: Path, robots_dir: Path) -> None:
    pytest.importorskip("pinocchio")
    robots, calls = module("_robots"), module("_calls")
    pair = robots.pair(robots.RACE["panda"])
    # Whatever is installed, here the import fails.
    (tmp_path / "pydrake").mkdir()
    (tmp_path / "pydrake" / "__init__.py").write_text("raise ImportError('none here')\n")
    (tmp_path / "folder").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        with pytest.raises(module("_native").Missing, match=r"Drake is missing \(pip install drake\): none here"):
            calls.Worker("drake", pair, pair.states(1), tmp_path / "folder")


# --- tables ------------------------------------------------------------------------------------------------------


def page(name: str) -> str:
    return f"# Title\n\n<!-- races: {name} -->\nold\n<!-- end -->\n\nAfter.\n"


@pytest.mark.parametrize(
    ("name", "lang", "line"),
    [
        ("machine", "en", "2031-02-03, C (2 cores), S, P, commit 0123456789+."),
        ("machine", "ru", "2031-02-03, C (2 ядра), S, P, коммит 0123456789+."),
        ("pinocchio", "en", "| Panda, 7 DoF | RNEA | 600 ns | 100 ns, **6.0×** | 20 ns, **30×** |"),
        ("pinocchio", "ru", "| Panda, 7 степеней | RNEA | 600 нс | 100 нс, **6.0×** | 20 нс, **30×** |"),
        ("calls", "en", "| Panda, 7 DoF | RNEA | 200 ns | 100 ns | 1 µs, 5.0× |"),
        ("compile", "en", "|  | filled | 20 ms | 0.2× | 300 ms |"),
        ("compile", "ru", "| Panda, 7 степеней | пуст | 400 мс | 4.0× | 300 мс |"),
        ("chains", "en", "| 100 | 100 ns | 200 ns | 500 ms |"),
        ("mujoco", "en", "not measured here"),
        ("mujoco", "ru", "здесь не измерено"),
    ],
)
def test_tables(name: str, lang: str, line: str) -> None:
    text = module("_tables").fill(page(name), OUTCOME, lang)
    assert line in text.splitlines()
    assert "old" not in text
    assert text.startswith("# Title\n\n<!-- races: ")
    assert text.endswith("<!-- end -->\n\nAfter.\n")
    assert module("_tables").fill(text, OUTCOME, lang) == text


@pytest.mark.parametrize(("lang", "path"), [("en", "docs/benchmarks.md"), ("ru", "docs/ru/benchmarks.md")])
def test_tables_of_the_documentation_are_those_that_were_measured(lang: str, path: str) -> None:
    text, outcome = (ROOT / path).read_text(encoding="utf-8"), json.loads((FOLDER / "races.json").read_text("utf-8"))
    fill = module("_tables").fill
    assert {name for _, name, _ in module("_tables").BLOCK.findall(text)} == set(module("_tables").TABLES)
    assert fill(text, outcome, lang) == text


def test_numbers_are_kept_to_four_digits() -> None:
    assert module("races").rounded({"a": [1.23456789e-7, 3, "x"]}) == {"a": [1.235e-07, 3, "x"]}
