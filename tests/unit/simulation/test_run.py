"""What a run gives: states at any time, reactions, energies, quantities, files, and its continuation."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run, RunError, load_run

MODELS = Path(__file__).resolve().parents[3] / "models"


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def run(name: str, until: float) -> Run:
    return gallery(name).simulate(until)


def same(a: Run, b: Run) -> bool:
    """Whether two runs agree to the bit."""
    return (
        np.array_equal(a.t, b.t)
        and np.array_equal(a.q, b.q)
        and np.array_equal(a.v, b.v)
        and a.structure == b.structure
        and [event.time for event in a.events] == [event.time for event in b.events]
        and all(
            np.array_equal(x.coefficients, y.coefficients) and np.array_equal(x.times, y.times)
            for x, y in zip(a.segments, b.segments, strict=True)
        )
    )


# --- states ----------------------------------------------------------------------------------------------------------


def test_many_times_give_what_one_by_one_gives() -> None:
    found = run("compass_walker", 4.0)
    times = np.random.default_rng(3).uniform(0.0, 4.0, size=(7, 1000))
    q, v = found(times)
    assert q.shape == (7, 1000, 4) and v.shape == (7, 1000, 4)
    for place in [(0, 0), (3, 500), (6, 999)]:
        begins = [
            (segment.times[i, 0], segment, i)
            for segment in found.segments
            for i in range(len(segment.times))
            if segment.times[i, 0] <= times[place]
        ]
        begin, segment, i = max(begins, key=lambda item: item[0])
        value = sum(
            coefficient * (times[place] - begin) ** k for k, coefficient in enumerate(segment.coefficients[i].T)
        )
        assert np.concatenate([q[place], v[place]]) == pytest.approx(value[:-1], rel=1e-13, abs=1e-13)


def test_an_event_shows_both_sides() -> None:
    found = run("compass_walker", 4.0)
    strike = found.events[0]
    first = int(np.searchsorted(found.t, strike.time))
    assert found.t[first] == found.t[first + 1] == strike.time
    assert (found.structure[first], found.structure[first + 1]) == (strike.before, strike.after)
    assert np.array_equal(found(strike.time)[1], found.v[first + 1])
    assert not np.allclose(found.v[first], found.v[first + 1])
    assert found.structure_at(strike.time) == strike.after
    assert found.structure_at([strike.time - 1e-9, 4.0]).tolist() == [strike.before, found.final_structure]
    assert (found.begin, found.end, found.steps) == (0.0, 4.0, len(found.t) - len(found.events) - 1)


def test_an_event_at_the_very_end_is_not_lost() -> None:
    system = sistel.parse(
        '<system><body name="a" joint="prismatic" axis="x" mass="1"/><gravity value="0"/>'
        '<links><lock name="l" of="a" holds="no"/><structure name="free"/><structure name="held" holds="l"/>'
        '<transition from="free" to="held" when="x(a) &gt; 1 m" impact="plastic"/></links><start a.rate="1 m/s"/></system>'
    )
    found = system.simulate(1.0).resume(1.5)
    assert [event.time for event in found.events] == pytest.approx([1.0], rel=1e-15)
    assert found.final_structure == found.structure[-1] == "held"
    assert found.quantity("v(a)", [0.5, 1.2, 1.5]) == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)
    assert found.resume(2.0).q[-1] == pytest.approx([1.0], rel=1e-15)


# --- what follows from states ----------------------------------------------------------------------------------------


def test_quantities_are_those_of_the_system() -> None:
    system, found = gallery("compass_walker"), run("compass_walker", 4.0)
    t = np.linspace(0.0, 4.0, 41)
    q, v = found(t)
    assert found.quantity("x(left foot)", t) == pytest.approx(system.pose(q, "left foot")[:, 0, 3], abs=1e-14)
    kinetic, potential = system.energies(q, v)
    assert found.quantity("energy", t) == pytest.approx(kinetic + potential, rel=1e-14)
    assert np.array_equal(found.energies(t)[0], kinetic) and np.array_equal(found.energies(t)[1], potential)
    assert found.quantity("2*t + 1 s", [[0.5], [1.5]]).tolist() == [[2.0], [4.0]]
    assert found.quantity("rate(left_leg)").tolist() == found.v[:, 2].tolist()
    assert set(found.quantity("vx(hip) > 0.8 m/s", t)) == {0.0, 1.0}


def test_contacts_push_what_the_momentum_says() -> None:
    """Force of the ground and weight together change the momentum: reactions against a difference of momenta."""
    system, found = gallery("compass_walker"), run("compass_walker", 4.0)
    t = np.array([0.2, 0.5, 0.9, 1.3, 3.5])
    loads = found.reactions(t)
    step = 1e-5
    force = (system.momentum(*found(t + step)) - system.momentum(*found(t - step)))[:, 3:] / (2 * step)
    weight = sum(body.mass for body in system.bodies) * np.array(system.model.gravity)
    assert loads["L"][:, 3:] + loads["R"][:, 3:] == pytest.approx(force - weight, abs=1e-6)  # the step's square
    on_left = found.structure_at(t) == "on the left"
    assert not loads["R"][on_left].any() and not loads["L"][~on_left].any()
    normals = found.quantity("reaction(L).n", t) + found.quantity("normal(R)", t)
    assert normals == pytest.approx(-(loads["L"] + loads["R"])[:, 4], rel=1e-13)  # y points down


DRIVEN = """
<system name="driven">
  <body name="rod" joint="revolute" mass="2" com="0, 500" inertia="0.1"><motor name="M" limit="{limit} N*m"/></body>
  <motion of="rod" value="0.3 rad * sin(2 rad/s * t)"{gains}/>
</system>
"""


def test_driving_forces_are_in_the_joints() -> None:
    system = sistel.parse(DRIVEN.format(limit=1000, gains=' kp="100 N*m/rad" kd="5 N*m*s/rad"'))
    found = system.simulate(1.0, v=[0.6])
    t = np.linspace(0.1, 0.9, 9)
    q, v = found(t)
    torque = 100 * (0.3 * np.sin(2 * t) - q[:, 0]) + 5 * (0.6 * np.cos(2 * t) - v[:, 0])
    assert found.quantity("torque(M)", t) == pytest.approx(torque, abs=1e-12)
    assert found.reactions(t)["rod"][:, 2] == pytest.approx(torque, abs=1e-11)


def test_a_forced_coordinate_is_where_its_motion_has_it() -> None:
    """It begins with the velocity of its motion, and its joint carries what inverse dynamics says."""
    system = sistel.parse(DRIVEN.format(limit=1000, gains=""))
    found = system.simulate(3.0)
    t = np.linspace(0.0, 3.0, 31)
    q, v = found(t)
    wanted = 0.3 * np.sin(2 * t)
    assert q[:, 0] == pytest.approx(wanted, abs=1e-13) and v[:, 0] == pytest.approx(0.6 * np.cos(2 * t), abs=1e-13)
    torque = system.inverse_dynamics(q, v, -4 * wanted[:, np.newaxis])[:, 0]
    assert found.reactions(t)["rod"][:, 2] == pytest.approx(torque, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x(handd)", "handd"),
        ("1 +", "missing"),
        ("x(hip) + 1 kg", "mass"),
        ("gap(L) falls through 0", "instant"),
    ],
)
def test_wrong_expressions_are_shown(text: str, words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        run("compass_walker", 4.0).quantity(text)


# --- files -----------------------------------------------------------------------------------------------------------


def test_archives_read_back_exactly(tmp_path: Path) -> None:
    system = gallery("compass_walker")
    found = system.simulate(2.0, tolerance=1e-9, longest=0.05)
    found.save(tmp_path / "walk.npz")
    for again in (load_run(tmp_path / "walk.npz", system), Run.load(tmp_path / "walk.npz")):
        assert same(found, again)
        assert (again.tolerance, again.longest, again.stopped) == (1e-9, 0.05, None)
        assert again.model.fingerprint == system.fingerprint
        assert again.events[0].energy_loss == found.events[0].energy_loss
        assert np.array_equal(again.events[0].impulses["R"], found.events[0].impulses["R"])
        assert same(again.resume(3.0), system.simulate(3.0, tolerance=1e-9, longest=0.05))


def test_files_that_are_no_runs(tmp_path: Path) -> None:
    run("compass_walker", 4.0).save(tmp_path / "walk.npz")
    with pytest.raises(sistel.SistelError, match="other numbers"):
        load_run(tmp_path / "walk.npz", gallery("double_pendulum"))
    with pytest.raises(sistel.SistelError, match="No such file"):
        Run.load(tmp_path / "nothing.npz")
    whole = (tmp_path / "walk.npz").read_bytes()
    np.savez(tmp_path / "array.npz", a=np.zeros(3))
    for name, data in (("empty", b""), ("text", b"t,x\n"), ("cut", whole[: len(whole) // 2])):
        (tmp_path / f"{name}.npz").write_bytes(data)
    (tmp_path / "one.npz").write_bytes(whole.replace(b"coefficients_0", b"coefficients_x"))
    np.save(tmp_path / "plain.npz.npy", np.zeros(3))
    (tmp_path / "plain.npz.npy").rename(tmp_path / "plain.npz")
    for name in ("array", "empty", "text", "cut", "one", "plain"):
        with pytest.raises(sistel.SistelError, match="does not hold a run"):
            Run.load(tmp_path / f"{name}.npz")


def _rewritten(source: Path, target: Path, meta: dict[str, object], **arrays: object) -> Path:
    """The archive of a run with something else in it."""
    with np.load(source) as archive:
        kept = {key: archive[key] for key in archive.files}
    kept["meta"] = np.array(json.dumps(json.loads(str(kept["meta"])) | meta))
    np.savez(target, **(kept | arrays))
    return target


def test_archives_that_do_not_fit_their_system(tmp_path: Path) -> None:
    run("compass_walker", 4.0).save(tmp_path / "walk.npz")
    with np.load(tmp_path / "walk.npz") as archive:
        meta = json.loads(str(archive["meta"]))
        times, coefficients = archive["times_0"], archive["coefficients_0"]
    assert (meta["format"], meta["sistel"], meta["tolerance"]) == (1, sistel.__version__, 2.0**-52)
    assert meta["fingerprint"] == gallery("compass_walker").fingerprint
    cases: list[tuple[dict[str, object], dict[str, object]]] = [
        ({}, {"coefficients_0": coefficients[:, :-1]}),
        ({}, {"coefficients_0": coefficients[:-1]}),
        ({}, {"times_0": times[:, :1]}),
        ({}, {"last": np.zeros(3)}),
        ({}, {"last": np.array(["a"] * 9)}),
        ({"structures": ["nowhere"] * len(meta["structures"])}, {}),
        ({"events": [{"time": 1.0}]}, {}),
        ({"xml": "<system"}, {}),
        ({"tolerance": "small"}, {}),
    ]
    for number, (changed, arrays) in enumerate(cases):
        with pytest.raises(sistel.SistelError):
            Run.load(_rewritten(tmp_path / "walk.npz", tmp_path / f"{number}.npz", changed, **arrays))
    newer = _rewritten(tmp_path / "walk.npz", tmp_path / "newer.npz", {"format": 2})
    with pytest.raises(sistel.SistelError, match="newer"):
        Run.load(newer)


# --- going on --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "until"), [("compass_walker", 3.0), ("four_bar", 2.0), ("cart_pole", 3.0)])
@pytest.mark.parametrize("part", [0.1, 0.6])
def test_a_resumed_run_is_one_long_run(name: str, until: float, part: float) -> None:
    system = gallery(name)
    short = system.simulate(part * until)
    assert same(short.resume(until), run(name, until))
    assert same(system.simulate(until, resume=short), run(name, until))


def test_an_interrupted_run_keeps_what_it_has() -> None:
    system, calls = gallery("cart_pole"), 0

    def stop(now: float, structure: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt

    found = system.simulate(1e6, progress=stop)
    assert found.stopped is not None and f"{found.end:g} s" in found.stopped.en and 1.0 < found.end < 1e6
    assert found.steps > 100 and found.t[-1] == found.end
    whole = system.simulate(found.end + 1.0)
    assert found(found.end)[0] == pytest.approx(whole(found.end)[0], rel=1e-12)
    assert same(found.resume(found.end + 1.0), whole)


CHASE = """\
<system name="chase"><body name="a" joint="prismatic" axis="x" mass="1"/><gravity value="0"/>
  <links><lock name="l" of="a" holds="no"/>
    <structure name="free"/><structure name="held" holds="l"/><structure name="loose"/>
    <transition from="free" to="held" when="x(a) &gt; 1 m"/>
    <transition from="held" to="loose" when="x(a) &gt; 0.5 m"/>
    <transition from="loose" to="held" when="x(a) &gt; 0.5 m"/>
  </links><start a.rate="2 m/s"/></system>
"""


def test_a_failure_keeps_what_is_valid() -> None:
    system = sistel.parse(CHASE)
    for simulate in (system.simulate, system.simulate(0.25).resume):
        with pytest.raises(RunError, match=r"without end at 0\.5 s") as caught:
            simulate(3.0)
        kept = caught.value.run
        assert kept.end == pytest.approx(0.5, rel=1e-15) and "0.5 s" in kept.stopped.en
        assert kept(0.4)[0] == pytest.approx([0.8], rel=1e-15)


def test_resuming_needs_a_later_time_and_the_same_system() -> None:
    found = run("cart_pole", 3.0)
    with pytest.raises(sistel.SistelError, match="3 s already"):
        found.resume(1.0)
    with pytest.raises(sistel.SistelError, match="another system"):
        gallery("double_pendulum").simulate(5.0, resume=found)


def test_notebooks_show_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    found = run("compass_walker", 4.0)
    page = found._repr_html_()
    # a row of titles for each of the four tables, two structures, the events, four coordinates, the warnings
    assert page.count("<tr>") == 4 + 2 + len(found.events) + 4 + len(found.warnings)
    assert "on the left → on the right" in page and "energy loss" in page and "<script" not in page


# --- other parameters ------------------------------------------------------------------------------------------------

CHAIN = """
<system name="two">
  <parameter name="l" value="{l}" min="100 mm" max="2*r"/>
  <parameter name="r" value="1 m"/>
  <parameter name="m" value="l/r * 3 kg"/>
  <body name="a" joint="revolute" mass="m" com="0, l/2" inertia="m*l^2/12">
    <body name="b" joint="revolute" place="0, l" mass="1" com="0, 200" inertia="0.1"/>
  </body>
</system>
"""


@pytest.mark.parametrize("value", [0.8, "0.8", "800 mm", "800мм", "r*0.8"])
def test_other_parameters_are_another_file(value: float | str) -> None:
    system = sistel.parse(CHAIN.format(l="500 mm"))
    changed, written = system.with_parameters(l=value), sistel.parse(CHAIN.format(l="800 mm"))
    assert changed.fingerprint == written.fingerprint != system.fingerprint
    assert system.with_parameters().fingerprint == system.fingerprint
    q, v = np.array([0.3, -0.2]), np.array([1.0, 2.0])
    assert np.array_equal(changed.bias_forces(q, v), written.bias_forces(q, v))
    assert changed.equations().to_maxima() == written.equations().to_maxima()
    # A second change keeps the first.
    twice = {parameter.name: parameter.value for parameter in changed.with_parameters({"r": 2}).model.parameters}
    assert twice == {"l": 0.8, "r": 2.0, "m": 0.8 / 2.0 * 3.0}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"L": 1.0}, 'mean "l"'),
        ({"l": 3.0}, "beyond the limits"),
        ({"l": 0.01}, "beyond the limits"),
        ({"l": "2 kg"}, "a mass"),
        ({"l": "2 mmm"}, "unknown unit"),
        ({"l": float("nan")}, "finite"),
        ({"r": 0.0}, "division by zero"),
        ({"m": -1.0}, "mass"),
        ({"l": "x(a)"}, "x"),
    ],
)
def test_bad_parameters_are_refused(values: dict[str, float | str], words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(CHAIN.format(l="500 mm")).with_parameters(values)


def test_numbers_stay_with_renumbered_bodies() -> None:
    text = (
        CHAIN.format(l="500 mm").replace('name="b"', 'name="b" number="1"').replace('name="a"', 'name="a" number="2"')
    )
    system = sistel.parse(text, renumber=True)
    assert [body.name for body in system.with_parameters(l=0.7).bodies] == ["a", "b"]
