"""The run inside a page: what its scripts make of the keys is where the run has the bodies."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.javascript import module_text

import sistel
from sistel.simulation import Event, Run, RunError, Segment
from sistel.system import System
from sistel.views.page import _motion
from sistel.views.page._motion import Keys, key_motion, run_data
from sistel.views.page._payload import chosen_events, describe, measures

NODE = shutil.which("node")
SCRIPT = """
import fs from "node:fs";
const { run, data, times } = JSON.parse(fs.readFileSync("asked.json", "utf-8"));
const motion = new RecordedMotion(run, new Uint8Array(fs.readFileSync("keys.bin")), motionLayout(data));
const rows = times.map(([t, before]) => {
  const { q, v, structure } = motion.at(t, before);
  return [...q, ...v, structure];
});
fs.writeFileSync("found.json", JSON.stringify(rows));
"""


def shown(system: System, run: Run, times: list[tuple[float, bool]], folder: Path) -> tuple[np.ndarray, Keys, float]:
    """States (q, v, structure) that the page's own scripts find, the keys, and the size of the system."""
    size, reach = measures(system.model, run.q[:1])
    keys = key_motion(run, size, reach)
    number = {structure.name: i for i, structure in enumerate(system.model.structures)}
    number |= {name: number.get(name, len(number)) for name, _, _ in keys.stays}
    about = describe(system.model, size)
    stored, columns = keys.to_bytes(size, about["partners"])
    data = run_data(run, keys, number, "run", columns) | {"events": []}
    asked = {"run": data, "data": about, "times": times}
    (folder / "keys.bin").write_bytes(stored)
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    (folder / "main.mjs").write_text(module_text("page/motion.ts") + SCRIPT, encoding="utf-8")
    subprocess.run([NODE or "node", "main.mjs"], cwd=folder, check=True, timeout=60)
    return np.array(json.loads((folder / "found.json").read_text())), keys, size


def before(run: Run, t: float) -> np.ndarray:
    """Coordinates at the end of the stay that an event ends."""
    stay = next(segment for segment in run.segments if abs(segment.end - t) < 1e-12)
    return _motion._at(stay, np.array([stay.end]))[0][0]


@pytest.mark.skipif(NODE is None, reason="no node")
@pytest.mark.parametrize(
    ("name", "until"),
    [("compass_walker", 6.0), ("rimless_wheel", 4.0), ("spinning_top", 0.5), ("four_bar", 2.0), ("free_body", 2.0)],
)
def test_bodies_are_where_the_run_has_them(name: str, until: float, models_dir: Path, tmp_path: Path) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    run = system.simulate(until)
    times = [(float(t), False) for t in np.linspace(run.begin, run.end, 1001)]
    events = [event.time for event in run.events]
    times += [(t, False) for t in events] + [(t, True) for t in events]
    found, keys, size = shown(system, run, times, tmp_path)
    plain = np.array([t for t, _ in times])
    q, v = (each.copy() for each in run(plain))
    for row, (t, earlier) in enumerate(times):
        if earlier:
            state = before(run, t)
            q[row], v[row] = state[: system.nq], state[system.nq : system.nq + system.nv]
    for body in system.model.bodies:
        pose, own = system.pose(q, body.name), system.pose(found[:, : system.nq], body.name)
        away = np.linalg.norm(pose[:, :3, 3] - own[:, :3, 3], axis=1).max()
        assert away < 1e-4 * size, body.name
        assert np.abs(pose[:, :3, :3] - own[:, :3, :3]).max() < 1e-3
    fastest = np.abs(v).max(axis=0) + 1e-9
    assert (np.abs(found[:, system.nq : -1] - v) < 3e-3 * fastest).all()
    assert len(keys.times) < 0.5 * len(times) or name == "spinning_top"


@pytest.mark.skipif(NODE is None, reason="no node")
def test_a_system_far_away_keeps_its_digits(tmp_path: Path) -> None:
    system = sistel.parse(
        '<system name="train"><gravity value="0"/><body name="wagon" joint="prismatic" axis="x" mass="1"/>'
        '<start wagon="1e9" wagon.rate="1000"/></system>'
    )
    run = system.simulate(10.0)
    found, keys, _ = shown(system, run, [(5.0, False)], tmp_path)
    assert len(keys.times) == 2
    # A million metres, and the micrometres of a step: a single would know centimetres.
    assert found[0, 0] == pytest.approx(1e6 + 5.0, abs=1e-5)


def test_a_run_that_goes_nowhere(models_dir: Path) -> None:
    system = sistel.load(models_dir / "pendulum.xml")
    run = system.simulate(system.model.start_time)
    keys = key_motion(run, 1.0, (0.0, 1.0))
    assert keys.counts == (2,)
    assert np.array_equal(keys.q[0], run.last[: system.nq])


def test_more_stays_than_a_page_can_hold(models_dir: Path) -> None:
    system = sistel.load(models_dir / "pendulum.xml")
    model, count, length = system.model, 20_000, 1e-3
    whole = system.simulate(1.0)
    segments, events = [], []
    for i in range(count):
        times = np.array([[i * length, length]])
        coefficients = np.zeros((1, model.state_size, 2))
        coefficients[0, -1] = (i * length, 1.0)
        coefficients[0, 0] = (1e-3 * i, 1.0)
        coefficients[0, 1] = (1.0, 0.0)
        segments.append(Segment(structure=whole.final_structure, times=times, coefficients=coefficients))
        impulses = {"floor": np.array([0.0, 0.0, 0.0, 0.0, float(i % 7), 0.0])}
        events.append(
            Event(time=(i + 1) * length, transition="", before="only", after="only", energy_loss=0.0, impulses=impulses)
        )
    last = np.zeros(model.state_size)
    last[-1] = count * length
    run = Run(model, segments, events[:-1], last, None)
    keys = key_motion(run, 1.0, (0.0, 1.0))
    assert len(keys.counts) <= _motion.MOST_STAYS
    assert keys.joined == count - len(keys.counts)
    assert keys.stays[0][1] == 0.0 and keys.stays[-1][2] == pytest.approx(count * length)
    assert all(abs(a[2] - b[1]) < 1e-9 for a, b in zip(keys.stays, keys.stays[1:], strict=False))
    chosen = chosen_events(run)
    assert len(chosen) <= 2000
    # The strongest of every moment, in order.
    assert [event.impulses["floor"][4] for event in chosen] == [6.0] * len(chosen)
    assert [event.time for event in chosen] == sorted(event.time for event in chosen)


def test_what_could_not_go_on_is_shown_as_far_as_it_went() -> None:
    system = sistel.parse(
        '<system name="stuck"><body name="a" joint="prismatic" axis="y" mass="1"/>'
        '<links><structure name="one"/><structure name="two"/><transition from="one" to="two" when="q(a) &gt; 100 mm"/>'
        '<transition from="two" to="one" when="q(a) &gt; 50 mm"/></links></system>'
    )
    with pytest.raises(RunError) as stopped:
        system.simulate(1.0)
    run = stopped.value.run
    keys = key_motion(run, 1.0, (0.0, 1.0))
    assert keys.times[-1] <= run.end
    assert np.isfinite(keys.q).all()


def test_a_motion_from_rest_to_rest_needs_few_keys(models_dir: Path, tmp_path: Path) -> None:
    """A table leads from row to row in one step each, at rest at both ends: its speeds are those between."""
    table = tmp_path / "move.csv"
    table.write_text(
        "time [s],плечо [deg],предплечье [deg],пиноль [mm],фланец [deg]\n0,0,0,50,0\n2,30,20,150,90\n5,0,0,50,0\n"
    )
    run = sistel.load(models_dir / "scara.xml").with_motion(table).simulate(5.0)
    keys = key_motion(run, 1.0, (0.0, 0.5, 0.5, 0.5, 0.5))
    assert keys.end == run.end == 5.0
    assert len(keys.times) < 100


def test_a_run_that_needs_more_room_than_there_is(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = sistel.load(models_dir / "compass_walker.xml")
    run = system.simulate(4.0)
    whole = key_motion(run, 1.0, (0.0, 1.0, 1.0, 1.0))
    assert whole.end == run.end
    monkeypatch.setattr(_motion, "ROOM", 30 * (8 + 4 * (system.nq + 2 * system.nv)))
    cut = key_motion(run, 1.0, (0.0, 1.0, 1.0, 1.0))
    assert 0.5 < cut.end < 3.9
    assert cut.times[-1] == cut.end == cut.stays[-1][2]
    assert sum(cut.counts) == len(cut.times) < 40
    assert np.array_equal(cut.times[:10], whole.times[:10])
