"""Many runs: each is what a single run is, wherever and in whatever order it is done."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.ensembles import Ensemble, Part, Piece, Summary, do_piece, join
from sistel.ensembles import _batch_loop as m
from sistel.ensembles._part import COLUMNS

MODELS = Path(__file__).resolve().parents[3] / "models"
FALLS = ("fell forward", "fell backward")
GRID = {"theta": np.linspace(0.05, 0.3, 12), "excess": np.linspace(-0.01, 0.03, 11)}


def walker() -> sistel.System:
    return sistel.load(MODELS / "simplest_walker_basin.xml")


def basin(system: sistel.System, **options: object) -> Ensemble:
    return system.ensemble(200.0, parameters=GRID, grid=True, events=6, stop=FALLS, chunk=32, **options)  # type: ignore[arg-type]


def same(first: Ensemble | Part, second: Ensemble | Part) -> bool:
    """To the bit."""
    return all(np.asarray(getattr(first, c)).tobytes() == np.asarray(getattr(second, c)).tobytes() for c in COLUMNS)


@pytest.fixture(scope="module")
def system() -> sistel.System:
    return walker()


@pytest.fixture(scope="module")
def whole(system: sistel.System) -> Ensemble:
    return basin(system, threads=1)


def test_runs_are_those_that_simulate_makes(system: sistel.System, whole: Ensemble) -> None:
    assert whole.shape == (12, 11) and len(whole) == 132 and whole.stopped is None
    chosen = [0, 40, int(np.argmax(whole.events)), int(np.flatnonzero(whole.events == 2)[0]), 131]
    for i in chosen:
        again = whole.run(i)
        assert len(again.events) == whole.events[i] and again.final_structure == whole.final_structure[i]
        # The state to the bit: machine code went the same way, with its steps kept or not.
        np.testing.assert_array_equal(again.last, whole.state[i])
        assert [event.time for event in again.events][:8] == whole.times[i][: len(again.events)].tolist()
        assert whole.loss[i] == pytest.approx(sum(event.energy_loss for event in again.events), rel=1e-14)
        theta, excess = whole.values("theta")[i], whole.values("excess")[i]
        alone = system.with_parameters(theta=theta, excess=excess).simulate(float(again.end) + 1e-3)
        assert [e.after for e in alone.events][: len(again.events)] == [p.after for p in whole.sequence_of(i)]
        # Sines and cosines of the start are the compiled ones here, and strikes multiply a rounding by some thousands.
        np.testing.assert_allclose(
            [e.time for e in alone.events][: len(again.events)], whole.times[i][: whole.events[i]], rtol=1e-9
        )


@pytest.mark.slow
def test_threads_and_processes_change_no_bit(system: sistel.System, whole: Ensemble) -> None:
    assert same(whole, basin(system, threads=3))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(whole, basin(system, executor=pool))


def test_a_chunk_is_a_function_of_its_bytes(whole: Ensemble) -> None:
    pieces = [pickle.loads(pickle.dumps(whole.work.piece(i))) for i in range(whole.work.chunks)]
    assert all(isinstance(piece, Piece) for piece in pieces)
    parts = [do_piece(piece) for piece in reversed(pieces)][::-1]
    assert same(whole, join(parts))
    assert same(join([join(parts[:2]), join(parts[2:])]), join([parts[0], join(parts[1:])]))
    sums = [Summary.of(part) for part in parts]
    total = sum(sums[::-1], Summary())
    assert (total.runs, total.outcomes, total.events, total.structures) == (
        whole.summary.runs,
        whole.summary.outcomes,
        whole.summary.events,
        whole.summary.structures,
    )


def test_parts_with_other_tables_join() -> None:
    system = sistel.load(MODELS / "bouncing_ball.xml")
    # The lowest one has come to rest by then, the highest has not met the floor.
    found = system.ensemble(1.0, initial={"ball": [9.0, 2.0, 0.02]}, chunk=1, threads=1)
    assert [len(part.structures) for _, part in found.parts()] != [len(found.structures)] * 3
    for i, (_, part) in enumerate(found.parts()):
        names = [part.passages[k].after for k in part.sequence[0] if k >= 0]
        assert [p.after for p in found.sequence_of(i)] == names
        assert part.structures[part.structure[0]] == found.final_structure[i]


def test_contacts_without_structures(system: sistel.System) -> None:
    """Against the closed form of a bouncing ball."""
    ball = sistel.load(MODELS / "bouncing_ball.xml")
    heights = np.array([0.3, 1.0, 1.7])
    found = ball.ensemble(1.5, initial={"ball": heights})
    g, e = 9.81, 0.8
    for i, h in enumerate(heights):
        first = np.sqrt(2 * h / g)
        bounces = first * (1 + 2 * np.cumsum([0.0, *(e ** np.arange(1, 40))]))
        expected = bounces[bounces < 1.5][:8]
        np.testing.assert_allclose(found.times[i][: len(expected)], expected, rtol=1e-13)


def test_parameters_that_need_their_own_equations() -> None:
    system = sistel.load(MODELS / "compass_walker.xml")
    slopes = np.array([0.05, 0.055, 0.05])
    found = system.ensemble(2.0, parameters={"slope": slopes}, chunk=2)
    for i, slope in enumerate(slopes):
        alone = system.with_parameters(slope=slope).simulate(2.0)
        # Values are inputs of the equations here and folded into them there: some roundings apart.
        np.testing.assert_allclose(found.state[i], alone.last, rtol=1e-12, atol=1e-13)
        assert found.events[i] == len(alone.events) > 0
    assert found.pattern[0] == found.pattern[1] != 0


def test_values_that_go_together_and_constraints() -> None:
    """A four-bar closes for every crank, as closely as a single assembly, and keeps the angle that was given."""
    system = sistel.load(MODELS / "four_bar.xml")
    name = system.model.coordinate_names[0]
    angles = system.model.start.q[0] + np.linspace(-0.2, 0.2, 5)
    found = system.ensemble(0.0, initial={name: angles, f"{name}.rate": 1.0})
    np.testing.assert_array_equal(found.state[:, 0], angles)
    np.testing.assert_array_equal(found.state[:, system.nq], np.ones(5))
    for state in found.state:
        q, v = state[: system.nq], state[system.nq : system.nq + system.nv]
        assert np.abs(system.constraint_errors(q)).max() < 1e-13
        J = system.constraint_jacobian(q)
        assert np.abs(J @ v).max() < 1e-12


def test_failures_belong_to_their_run(system: sistel.System) -> None:
    found = system.ensemble(50.0, parameters={"theta": [0.15, np.nan, 0.15]}, events=3, stop=FALLS)
    assert found.outcome.tolist() == [m.EVENTS, m.NO_START, m.EVENTS] and found.failed.tolist() == [False, True, False]
    assert found.messages[0][0] == 1 and "finite" in found.messages[0][1] and "конечны" in found.messages[0][2]
    assert np.isnan(found.state[1]).all() and found.summary.failed == 1
    steps = system.ensemble(50.0, parameters={"theta": [0.15]}, steps=5)
    assert steps.outcome.tolist() == [m.STEPS]


CHATTER = """
<system name="chatter">
  <body name="b" joint="prismatic" axis="x" mass="1"/>
  <links>
    <structure name="A"/><structure name="B"/>
    <transition from="A" to="B" when="q(b) &gt; 0"/>
    <transition from="B" to="A" when="q(b) &gt; 0"/>
  </links>
  <start b.rate="1"/>
</system>
"""


def test_chattering_ends_one_run() -> None:
    found = sistel.parse(CHATTER).ensemble(1.0, initial={"b": [-0.5, -3.0], "b.rate": 1.0}, kept=2)
    assert found.outcome.tolist() == [m.CHATTERS, m.TIME]
    assert found.times[0].tolist() == [0.5, 0.5] and found.events[1] == 0


def test_ends() -> None:
    system = sistel.load(MODELS / "compass_walker.xml")
    by_events = system.ensemble(100.0, events=3)
    assert by_events.outcome.tolist() == [m.EVENTS] and by_events.events.tolist() == [3]
    run = system.simulate(float(by_events.t[0]) + 0.1)
    assert by_events.times[0, :3].tolist() == [event.time for event in run.events][:3]
    back = system.ensemble(100.0, stop=system.model.start_structure)
    assert back.outcome.tolist() == [m.STRUCTURE] and back.events.tolist() == [2]


def test_reductions_need_no_records(system: sistel.System, whole: Ensemble) -> None:
    seen: list[tuple[int, int]] = []

    def last(part: Part, values: object) -> np.ndarray:
        assert isinstance(values, dict) and len(values["theta"]) == len(part)
        return np.array([part.events.sum(), (part.t if hasattr(part, "t") else part.state[:, -1]).max()])

    found = basin(
        system,
        records=False,
        reduce=last,
        merge=lambda a, b: np.array([a[0] + b[0], max(a[1], b[1])]),
        threads=2,
        progress=lambda done, of: seen.append((done, of)),
    )
    assert found.reduced.tolist() == [whole.events.sum(), whole.t.max()]
    assert seen[-1] == (132, 132) and [done for done, _ in seen] == sorted(done for done, _ in seen)
    with pytest.raises(sistel.SistelError, match="records=False"):
        _ = found.events


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from test_ensemble import basin, walker
done = 0
def progress(now, of):
    print(now, flush=True)
    if now >= of // 2:
        os.kill(os.getpid(), signal.SIGKILL)
basin(walker(), keep=sys.argv[1], threads=2, progress=progress)
"""


def test_killed_at_half_and_resumed(system: sistel.System, whole: Ensemble, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    words = [sys.executable, "-c", KILLED, str(folder), str(Path(__file__).parent)]
    killed = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    left = sorted(path.name for path in folder.glob("part-*.npz"))
    assert 2 <= len(left) < whole.work.chunks
    times = {name: os.stat(folder / name).st_mtime_ns for name in left}
    (folder / ".part-000004.npz.1.draft").write_bytes(b"half a file")
    assert same(whole, basin(system, keep=folder, threads=1))
    assert all(os.stat(folder / name).st_mtime_ns == stamp for name, stamp in times.items())  # nothing done twice
    damaged = folder / left[0]
    damaged.write_bytes(damaged.read_bytes()[:-100])
    assert same(whole, basin(system, keep=folder, threads=1))


def test_interrupting_keeps_what_is_finished(system: sistel.System, whole: Ensemble, tmp_path: Path) -> None:
    def progress(done: int, of: int) -> None:
        raise KeyboardInterrupt

    part = basin(system, keep=tmp_path, threads=2, progress=progress)
    assert part.stopped is not None and "interrupted" in part.stopped.en and "прервано" in part.stopped.ru
    assert len(list(tmp_path.glob("part-*.npz"))) >= 1
    assert same(whole, basin(system, keep=tmp_path))
    # In memory: the rows that were not done say so.
    alone = basin(system, threads=1, progress=progress)
    assert (alone.outcome == m.NOT_RUN).any() and alone.stopped is not None


def test_interrupting_in_the_middle_of_a_run() -> None:
    """Machine code comes back between two steps: nobody waits for a run of an hour."""
    import threading

    main = threading.main_thread().ident
    assert main is not None
    system = sistel.load(MODELS / "double_pendulum.xml")
    timer = threading.Timer(1.0, lambda: signal.pthread_kill(main, signal.SIGINT))
    begin = time.monotonic()
    timer.daemon = True
    timer.start()
    found = system.ensemble(1e9, initial={system.model.coordinate_names[0]: np.linspace(1.0, 2.0, 2)}, steps=10**9)
    assert found.stopped is not None and time.monotonic() - begin < 60.0


def test_a_folder_of_another_ensemble(system: sistel.System, tmp_path: Path) -> None:
    basin(system, keep=tmp_path)
    with pytest.raises(sistel.SistelError, match="another ensemble; what differs: tolerance"):
        basin(system, keep=tmp_path, tolerance=1e-9)
    with pytest.raises(sistel.SistelError, match="what differs: fingerprint"):
        basin(system.with_parameters(slope=0.005), keep=tmp_path)
    (tmp_path / "ensemble.json").write_text("[]")
    with pytest.raises(sistel.SistelError, match="no description"):
        basin(system, keep=tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(sistel.SistelError):
        basin(system, keep=tmp_path / "file")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"parameters": {"thetta": [0.1]}}, 'there is no parameter "thetta".*did you mean "theta"'),
        ({"initial": {"left_log": [0.1]}}, 'no coordinate or velocity "left_log".*did you mean "left_leg"'),
        ({"parameters": {"theta": [0.1, 9.0]}}, "outside the limits"),
        ({"initial": {"left_leg": [0.1, 0.2], "right_leg": [0.1, 0.2, 0.3]}}, "different lengths"),
        ({"initial": {"q": [[0.1, 0.2]]}}, "shape"),
        ({"initial": {"left_leg": ["a"]}}, "not an array of numbers"),
        ({"initial": {"left_leg": []}}, "empty"),
        ({"initial": {"q": np.zeros((2, 4)), "left_leg": [0.0, 0.0]}}, "given twice"),
        ({"stop": "fallen"}, 'there is no structure "fallen"'),
        ({"events": 0}, "whole number"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"method": "euler"}, "method"),
        ({"chunk": 0}, "chunks"),
    ],
)
def test_wrong_calls(system: sistel.System, options: dict[str, object], words: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        system.ensemble(1.0, **options)  # type: ignore[arg-type]
    import re

    assert re.search(words, "\n".join(d.render("en") for d in caught.value.diagnostics), re.DOTALL)
    assert re.search("[а-я]", "\n".join(d.render("ru") for d in caught.value.diagnostics))


def test_saved_columns(whole: Ensemble, tmp_path: Path) -> None:
    whole.save(tmp_path / "runs.npz")
    with np.load(tmp_path / "runs.npz") as archive:
        for name in COLUMNS:
            np.testing.assert_array_equal(archive[name], getattr(whole, name))
        np.testing.assert_array_equal(archive["given_0"], GRID["theta"])
        assert '"tolerance"' in str(archive["meta"])
    with pytest.raises(sistel.SistelError, match=r"\.npz"):
        whole.save(tmp_path / "runs.csv")


@pytest.mark.parametrize(("name", "parameter"), [("rolling_disk", "r"), ("bicycle", "speed")])
def test_what_rolls_begins_as_a_single_run_does(name: str, parameter: str) -> None:
    """Velocities that the file gives stay, the others follow, in space too."""
    system = sistel.load(MODELS / f"{name}.xml")
    q = system.simulate(0.5)(0.5)[0]
    value = next(float(each.value) for each in system.model.parameters if each.name == parameter)
    place = system.model.coordinate_names[4]
    for given in ({"initial": {place: np.zeros(2)}}, {"parameters": {parameter: np.full(2, value)}}):
        found = system.ensemble(0.5, **given)
        assert not found.failed.any()
        assert found.state[1, : system.nq] == pytest.approx(q, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    ("name", "until", "parameter", "values"),
    [
        ("backlash", 0.6, "люфт", (0.07, 0.1)),
        ("differential", 0.5, "i", (3.0, 4.0)),
        ("conveyor", 2.0, "T", (1.2, 1.5)),
        ("crawler", 0.3, "mu", (0.8, 0.9)),
        ("crate_on_stairs", 0.4, "l", (0.19, 0.2)),
        ("marble_run", 0.4, "r", (0.024, 0.025)),
        ("balls_in_a_box", 0.2, "отскок", (0.5, 0.6)),
        ("tracked_vehicle", 0.1, "c", (0.3, 0.35)),
    ],
)
def test_gears_belts_tracks_and_shapes_run_as_alone(
    name: str, until: float, parameter: str, values: tuple[float, float]
) -> None:
    """Play, clutches, belts, tracks and shapes of other sizes: no bit differs from single runs."""
    system = sistel.load(MODELS / f"{name}.xml")
    found = system.ensemble(until, parameters={parameter: np.array(values)})
    for i, value in enumerate(values):
        alone = system.with_parameters(**{parameter: value}).simulate(until)
        np.testing.assert_array_equal(found.state[i], alone.last)
        np.testing.assert_array_equal(found.run(i).last, alone.last)
        assert found.events[i] == len(alone.events) and not found.failed[i]
