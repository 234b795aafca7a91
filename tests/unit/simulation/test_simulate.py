"""Simulations against closed forms and published digits."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run

MODELS = Path(__file__).resolve().parents[3] / "models"


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def run(name: str, until: float) -> Run:
    return gallery(name).simulate(until)


def test_free_fall_is_exact() -> None:
    system = sistel.parse('<system><body name="ball" joint="prismatic" axis="y" mass="1"/></system>')
    found = system.simulate(2.0, v=[1.0])
    assert found.q[-1] == pytest.approx([2.0 + 9.81 * 2.0], rel=1e-15)
    assert len(found.t) == 2  # a parabola is one step


def test_the_cart_pole_after_ten_seconds() -> None:
    """Recomputed with 30 digits: x, theta, their rates (cart 1 kg, pole 0.1 kg and 1 m, from 0.1 rad at rest)."""
    found = run("cart_pole", 10.0)
    digits = [-0.00972179909374734356, 2.82249173180258805915, 0.33702205296499335952, 7.80868430372404848241]
    assert [*found.q[-1], *found.v[-1]] == pytest.approx(digits, rel=1e-11)


def test_energy_is_kept() -> None:
    system, found = gallery("chain5"), run("chain5", 5.0)
    energy = sum(np.array(system.energies(found.q, found.v)))
    kinetic = system.energies(found.q, found.v)[0].max()
    assert np.abs(energy - energy[0]).max() < 1e-13 * kinetic * len(found.t)


def test_a_four_bar_stays_closed() -> None:
    system, found = gallery("four_bar"), run("four_bar", 5.0)
    assert np.abs(system.constraint_errors(found.q)).max() < 1e-14
    energy = sum(np.array(system.energies(found.q, found.v)))
    assert np.abs(energy - energy[0]).max() < 1e-12


def test_the_steps_of_the_compass_walker() -> None:
    """The limit cycle of Goswami's walker on a slope of 0.0525: one step every 0.73446062133643889202 s."""
    period = 0.73446062133643889202
    found = run("compass_walker", 25.5 * period)
    assert len(found.events) == 25
    times = np.array([event.time for event in found.events])
    assert np.abs(times - period * np.arange(1, 26)).max() < 1e-12
    assert [event.after for event in found.events[:3]] == ["on the right", "on the left", "on the right"]
    # What a strike takes, the slope has given: m g per step of the cycle.
    assert all(event.energy_loss > 0 for event in found.events)
    assert {name for event in found.events for name in event.impulses} == {"L", "R"}


def test_the_walker_reaches_the_ground() -> None:
    system = gallery("walker")
    height = next(p.value for p in system.model.parameters if p.name == "h")
    found = system.simulate(0.2)
    first = found.events[0]
    assert first.time == pytest.approx(math.sqrt(2 * height / 9.81), abs=1e-10)
    assert (first.before, first.after) == ("полёт", "на левой")
    # Momentum changes by the impulse of the foot, and by nothing else.
    index = int(np.searchsorted(found.t, first.time))
    before, after = (system.momentum(found.q[i], found.v[i]) for i in (index, index + 1))
    (impulse,) = first.impulses.values()
    assert after[3:] - before[3:] == pytest.approx(impulse[3:], abs=1e-11)


def test_any_time_can_be_asked() -> None:
    found = run("cart_pole", 10.0)
    q, v = found([[0.0, 5.0], [10.0, 2.5]])
    assert q.shape == (2, 2, 2) and v.shape == (2, 2, 2)
    # Published with 30 digits at 5 s.
    assert q[0, 1] == pytest.approx([-0.0142357793290191135734, 0.4257682460268863049], rel=1e-11)
    step = 1e-5
    ahead, behind = found(2.5 + step)[0], found(2.5 - step)[0]
    assert (ahead - behind) / (2 * step) == pytest.approx(v[1, 1], rel=1e-8)  # the step's square
    with pytest.raises(sistel.SistelError, match="10 s"):
        found(10.1)


def test_looser_steps_take_fewer_coefficients() -> None:
    system = gallery("double_pendulum")
    fine, rough = system.simulate(3.0), system.simulate(3.0, tolerance=1e-6)
    assert rough.segments[0].coefficients.shape[2] < fine.segments[0].coefficients.shape[2] / 2
    assert np.abs(rough.q[-1] - fine.q[-1]).max() < 1e-4


def test_runs_repeat_to_the_bit() -> None:
    system = gallery("compass_walker")
    a, b = system.simulate(3.0), system.simulate(3.0)
    assert np.array_equal(a.q, b.q) and np.array_equal(a.t, b.t)


def test_files(tmp_path: Path) -> None:
    found = run("compass_walker", 3.0)
    found.save(tmp_path / "walk.csv")
    lines = (tmp_path / "walk.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("t,structure,hip.x,hip.y,left_leg,right_leg,hip.x'")
    assert len(lines) == len(found.t) + 1
    assert float(lines[5].split(",")[0]) == found.t[4]
    found.save(tmp_path / "walk.npz")
    with np.load(tmp_path / "walk.npz") as kept:
        assert np.array_equal(kept["q"], found.q)
        meta = json.loads(str(kept["meta"]))
    assert meta["fingerprint"] == found.model.fingerprint
    assert len(meta["events"]) == len(found.events)
    with pytest.raises(sistel.SistelError, match=r"\.xls"):
        found.save(tmp_path / "walk.xls")
    with pytest.raises(sistel.SistelError):
        found.save(tmp_path / "no folder" / "walk.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["walk.csv", "walk.npz"]


def test_conditions_that_chase_each_other_are_reported() -> None:
    system = sistel.parse(
        '<system name="indecision"><body name="a" joint="prismatic" axis="x" mass="1"/>'
        '<links><lock name="l" of="a" holds="no"/><structure name="one"/><structure name="two" holds="l"/>'
        '<transition from="one" to="two" when="x(a) &gt; -1 mm"/>'
        '<transition from="two" to="one" when="x(a) &lt; 1 mm"/></links></system>'
    )
    with pytest.raises(sistel.SistelError, match="without end at 0 s") as caught:
        system.simulate(1.0)
    assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize(
    ("arguments", "word"), [({"q": [0.0]}, "q"), ({"v": [0.0]}, "v"), ({"tolerance": 0.0}, "tolerance")]
)
def test_bad_calls(arguments: dict[str, object], word: str) -> None:
    with pytest.raises(sistel.SistelError, match=word):
        gallery("double_pendulum").simulate(1.0, **arguments)  # type: ignore[arg-type]


def test_through_singular_postures() -> None:
    """IFToMM's benchmark A02: coupled four-bars pass ten flat postures, in which a constraint more than enough holds.

    B0 after 10 s: (0.328458111540815379, 0.944518538178600962), from its closed form; y points down here.
    """
    system, found = gallery("four_bar_iftomm"), run("four_bar_iftomm", 10.0)
    place = system.pose(found.q[-1], "B0")[:2, 3]
    assert place == pytest.approx([0.328458111540815379, -0.944518538178600962], abs=1e-10)
    energy = sum(np.array(system.energies(found.q, found.v)))
    assert np.abs(energy - energy[0]).max() < 1e-10
    assert np.abs(system.constraint_errors(found.q)).max() < 1e-10


def test_published_mechanisms() -> None:
    """Andrews' squeezer at 0.03 s and Bricard's mechanism at 10 s, recomputed with 20 digits and more."""
    squeezer, end = gallery("andrews_squeezer"), run("andrews_squeezer", 0.03).q[-1]
    names = squeezer.model.coordinate_names
    expected = {"K1": 15.8107711951537071, "K2": -15.7563710584118395, "K3": 0.0408222401196458}
    for name, value in expected.items():
        assert end[names.index(name)] == pytest.approx(value, rel=1e-11)
    bricard = gallery("bricard")
    place = bricard.pose(run("bricard", 10.0).q[-1], "P3")[:3, 3]
    assert place == pytest.approx([0.99999996380634941, -1.0002690126961633, 0.99973095111992131], abs=1e-10)


def test_the_flyball_governor() -> None:
    """IFToMM's benchmark A05, stiff springs and dampers: the slider after 10 s, recomputed with 16 digits."""
    governor = gallery("flyball_governor")
    end = run("flyball_governor", 10.0).q[-1]
    assert end[governor.model.coordinate_names.index("slider")] == pytest.approx(0.619622917061365659, abs=1e-10)


def test_signs_ask_twice_and_are_answered_once() -> None:
    """A block on a spring against dry friction f: every half swing ends 2 f / k nearer to the middle."""
    text = (
        '<system name="rubbing"><gravity value="0 m/s^2"/><body name="a" joint="prismatic" axis="x" mass="1" '
        'stiffness="4 N/m"><force value="-0.1 N*sign(v(a)), 0"/></body><start a="-1 m"/></system>'
    )
    found = sistel.parse(text).simulate(1.5 * math.pi)
    assert found.q[-1] == pytest.approx([1 - 3 * 2 * 0.1 / 4], abs=1e-13)


def test_a_block_on_a_belt_sticks_and_slips() -> None:
    """The spring grows with the belt until it has the strength of friction at rest: μ₀ m g = k u t."""
    found = run("stick_slip", 2.0)
    assert found.events[0].time == pytest.approx(0.4 * 9.81 / (100 * 0.2), abs=1e-13)
    assert [event.after for event in found.events[:4]] == ["slips", "sticks", "slips", "sticks"]


@pytest.mark.parametrize(("name", "until", "times"), [("geneva", 3.0, [0.25, 0.75, 2.25, 2.75]), ("cam", 1.0, [])])
def test_forced_motions_go_on_as_they_were_told(name: str, until: float, times: list[float]) -> None:
    system, found = gallery(name), run(name, until)
    driver = {"geneva": ("driver", 0.0), "cam": ("cam", 0.0)}[name][0]
    index = system.body(driver).first_q
    rate = (found.q[-1, index] - found.q[0, index]) / until
    assert found.q[:, index] == pytest.approx(found.q[0, index] + rate * found.t, abs=1e-12)
    if times:
        assert [event.time for event in found.events] == pytest.approx(times, abs=1e-12)
