"""Contacts without written structures: they strike, stick, slide and let go as the laws say, in the files and beside."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.automaton import ContactMode
from sistel.simulation import Run

MODELS = Path(__file__).resolve().parents[3] / "models"
G = 9.81


@cache
def run(name: str, until: float, *changes: tuple[str, str]) -> tuple[sistel.System, Run]:
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    system = sistel.parse(text)
    return system, system.simulate(until)


def story(found: Run) -> list[tuple[str, str]]:
    return [(event.transition, event.after) for event in found.events]


def test_a_bouncing_ball_comes_to_rest() -> None:
    _, found = run("bouncing_ball", 5.0)
    e, first = 0.8, math.sqrt(2 / G)
    times = [event.time for event in found.events]
    assert times[0] == pytest.approx(0.4515236409857309, abs=1e-15)
    assert times[9] == pytest.approx(3.5788929510204383, abs=1e-14)
    assert times[-1] == pytest.approx(4.0637127688715781, abs=5e-14)
    # t(n) = t1 (1 + 2 e (1 − e^(n−1)) / (1 − e)); all but the last, which is the limit
    wanted = [first * (1 + 2 * e * (1 - e ** (n - 1)) / (1 - e)) for n in range(1, len(times))]
    assert np.abs(np.array(times[:-1]) - wanted).max() < 5e-14
    assert found.events[-1].after == "floor slides"
    assert {event.after for event in found.events[:-1]} == {"floor open"}
    assert found.q.min() > -1e-13  # never through the floor
    assert found.q[-1] == pytest.approx([0.0], abs=1e-16) and found.v[-1] == pytest.approx([0.0], abs=1e-16)
    # The first impact: m (1 + e) u upward (y points down), and (1 − e²) of the energy m g h.
    assert found.events[0].impulses["floor"][3:] == pytest.approx([0, -1.8 * G * first, 0], rel=1e-14)
    assert found.events[0].energy_loss == pytest.approx((1 - e**2) * G, rel=1e-14)


def test_a_ball_that_skids() -> None:
    """Friction takes mu (1 + e) u of the slip in every impact, and mu g of it after the last one."""
    mu, e, slip = 0.1, 0.5, 3.0
    for rule in ("newton", "poisson"):
        system = sistel.parse(
            '<system name="ball" class="planar open chain"><body name="b" joint="prismatic2" mass="2"><point name="p"/>'
            f'</body><links><contact name="floor" point="p" surface="y = 0" friction="{mu}" impact="{rule}" '
            f'restitution="{e}"/></links><start b="0, -1 m" b.rate="{slip} m/s, 0"/></system>'
        )
        found = system.simulate(5.0)
        first = math.sqrt(2 / G)
        crowd = first * (1 + 2 * e / (1 - e))
        left = slip - mu * (1 + e) * G * first / (1 - e)
        ends = [event for event in found.events if event.after != "floor open"]
        assert [event.after for event in ends] == ["floor slides +", "floor sticks"]
        assert ends[0].time == pytest.approx(crowd, abs=1e-12)
        assert ends[1].time == pytest.approx(crowd + left / (mu * G), abs=1e-9)  # CROWDED slows it down a little
        index = int(np.searchsorted(found.t, found.events[0].time)) + 1
        assert found.v[index] == pytest.approx([slip - mu * (1 + e) * G * first, -e * G * first], rel=1e-13)
        assert np.abs(found.v[-1]).max() < 1e-15


def test_a_block_leaves_the_ramp() -> None:
    _, found = run("block_ramp", 3.0)
    # It lands further up, where the ramp is nearly flat; a step of the parabola is longer than the series of the gap.
    assert story(found) == [
        ("ramp lets go", "ramp open"),
        ("ramp strikes", "ramp slides +"),
        ("ramp stops sliding", "ramp sticks"),
    ]
    h, w, mu = 1.0, 0.5, 0.2

    def rates(x: float, square: float) -> float:
        """d(v²)/dx along the ramp, by work and energy."""
        slope = h * w / math.pi / (w**2 + x**2)
        bend = -2 * h * w * x / math.pi / (w**2 + x**2) ** 2
        length = math.sqrt(1 + slope**2)
        normal = G / length + square * bend / length**3
        return -2 * (G * slope / length + mu * normal) * length

    x, square, steps = -2.0, 6.5**2, 4000
    end = found(found.events[0].time)[0][0]
    step = (end - x) / steps
    for _ in range(steps):
        a = rates(x, square)
        b = rates(x + step / 2, square + step / 2 * a)
        c = rates(x + step / 2, square + step / 2 * b)
        d = rates(x + step, square + step * c)
        x, square = x + step, square + step * (a + 2 * b + 2 * c + d) / 6
    _, v = found(found.events[0].time)
    assert v @ v == pytest.approx(square, rel=1e-11)
    slope = h * w / math.pi / (w**2 + end**2)
    bend = -2 * h * w * end / math.pi / (w**2 + end**2) ** 2
    # The normal force ends: weight across the ramp is just what the bend takes.
    assert G + square * bend / (1 + slope**2) == pytest.approx(0.0, abs=1e-9)
    assert found.events[0].time == pytest.approx(0.417, abs=1e-3)


def test_a_slow_block_comes_back() -> None:
    _, found = run("block_ramp", 3.0, ('value="6.5 m/s"', 'value="4 m/s"'))
    assert story(found) == [("ramp stops sliding", "ramp slides -"), ("ramp stops sliding", "ramp sticks")]
    places = [found(event.time)[0][0] for event in found.events]
    slopes = [0.5 / math.pi / (0.25 + x**2) for x in places]
    assert slopes[0] > 0.2 > slopes[1]
    assert np.abs(found.v[-1]).max() < 1e-15
    _, rough = run(
        "block_ramp", 2.0, ('value="6.5 m/s"', 'value="3 m/s"'), ('name="mu" value="0.2"', 'name="mu" value="0.7"')
    )
    assert story(rough) == [("ramp stops sliding", "ramp sticks")]


def test_friction_is_used_up() -> None:
    """A force that grows as 3 t N moves a block of 2 kg when it reaches mu m g; then m a = 3 t − mu m g."""
    system = sistel.parse(
        '<system name="pull" class="planar open chain"><body name="b" joint="prismatic2" mass="2"><point name="p"/>'
        '<force value="3 N/s*t, 0"/></body>'
        '<links><contact name="floor" point="p" surface="y = 0" friction="0.25"/></links></system>'
    )
    found = system.simulate(3.0)
    start = 0.25 * 2 * G / 3
    assert story(found) == [("floor slips", "floor slides +")]
    assert found.events[0].time == pytest.approx(start, rel=1e-14)
    late = 3.0 - start
    assert found.q[-1] == pytest.approx([1.5 * late**3 / 6, 0.0], rel=1e-12, abs=1e-15)


def test_painleve() -> None:
    with pytest.raises(sistel.SistelError, match="Painlevé") as caught:
        run("painleve_rod", 0.1)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None and "ground" in diagnostic.message.ru
    # The rod starts at tan(theta) = 2, where the paradox begins at mu = 4/3.
    with pytest.raises(sistel.SistelError, match="Painlevé"):
        run("painleve_rod", 1e-4, ('value="1.4"', 'value="1.33334"'))
    _, found = run("painleve_rod", 1e-6, ('value="1.4"', 'value="1.33333"'))
    assert found.structure[0] == "ground slides -"
    # Angles of the paradox for mu = 1.4: tan² − 3 mu tan + 4 = 0.
    system = sistel.load(MODELS / "painleve_rod.xml")
    for edge, inward in ((0.970155415988279, 1.0), (1.22089039678943891, -1.0)):
        for inside in (True, False):
            angle = math.pi / 2 - edge - (inward if inside else -inward) * 1e-6
            state = {"q": [0.0, -0.5 * math.cos(angle), angle], "v": [-2.0, 0.0, 0.0]}
            if inside:
                with pytest.raises(sistel.SistelError, match="Painlevé"):
                    system.simulate(1e-7, **state)
            else:
                assert system.simulate(1e-9, **state).structure[0] == "ground slides -"


def test_the_woodpecker_pecks_its_way_down() -> None:
    system, found = run("woodpecker", 0.45)
    words = [event.transition for event in found.events]
    assert words[:6] == [
        "below slips",
        "below lets go",
        "above strikes",
        "beak strikes",
        "below strikes",
        "below stops sliding",
    ]
    assert found.structure[0] == "beak open, below sticks, above open"
    assert words.count("beak strikes") >= 2
    assert all(event.energy_loss >= -1e-18 for event in found.events)
    # Nothing enters the pole, and the toy goes down.
    t = np.linspace(0, 0.45, 2000)
    q, v = found(t)
    for point in ("beak", "lower edge", "upper edge"):
        assert system.pose(q, point)[:, 0, 3].max() <= -0.0025 + 1e-12
    assert q[-1, 0] < -0.05
    energy = sum(np.array(system.energies(q, v)))
    assert np.diff(energy).max() < 1e-15


BOX = (
    '<system name="box" class="planar open chain"><body name="b" joint="free" mass="2" inertia="0.1">'
    '<point name="l" place="-0.5 m, 0.25 m"/><point name="r" place="0.5 m, 0.25 m"/></body><links>'
    '<contact name="L" point="l" surface="y = 0" friction="{0}" impact="{1}" restitution="{2}"/>'
    '<contact name="R" point="r" surface="y = 0" friction="{0}" impact="{1}" restitution="{2}"/>'
    '</links><start b="0, -1 m, {3} rad"/></system>'
)


@pytest.mark.parametrize("rule", ["plastic", "newton", "poisson"])
def test_a_box_clatters_to_rest(rule: str) -> None:
    system = sistel.parse(BOX.format(0.3, rule, 0.0 if rule == "plastic" else 0.5, 0.2))
    found = system.simulate(2.0)
    assert found.events[-1].after == "L sticks, R sticks"
    assert found.q[-1][1:] == pytest.approx([-0.25, 0.0], abs=1e-11)  # TOUCHING
    energies = [sum(np.array(system.energies(q, v))) for q, v in zip(found.q, found.v, strict=True)]
    assert all(b - a < 1e-12 for a, b in pairwise(energies))


def test_two_corners_strike_at_once() -> None:
    for friction, after in (
        ("none", "L slides, R slides"),
        ("0.3", "L sticks, R sticks"),
        ("stick", "L sticks, R sticks"),
    ):
        found = sistel.parse(BOX.format(friction, "plastic", 0, 0)).simulate(1.0)
        assert [event.after for event in found.events] == [after]
        impulses = found.events[0].impulses
        assert impulses["L"][4] == pytest.approx(impulses["R"][4], rel=1e-12)
        assert impulses["L"][4] + impulses["R"][4] == pytest.approx(-2 * math.sqrt(2 * G * 0.75), rel=1e-13)


def test_what_cannot_be_is_refused() -> None:
    system = sistel.load(MODELS / "bouncing_ball.xml")
    with pytest.raises(sistel.SistelError, match="inside"):
        system.simulate(1.0, q=[-0.1])


def test_a_ball_in_space() -> None:
    system = sistel.parse(
        '<system name="ball" space="spatial"><body name="b" joint="free" mass="1" inertia="1, 1, 1"><point name="p"/>'
        '</body><links><contact name="floor" point="p" surface="z = 0" friction="none" impact="newton" '
        'restitution="0.5"/></links><start b.z="1 m"/></system>'
    )
    found = system.simulate(2.0)
    assert found.events[-1].time == pytest.approx(3 * math.sqrt(2 / G), abs=1e-13)
    assert found.events[-1].after == "floor slides"


def test_runs_repeat_to_the_bit() -> None:
    system = sistel.load(MODELS / "woodpecker.xml")
    a, b = system.simulate(0.1), system.simulate(0.1)
    assert np.array_equal(a.q, b.q) and story(a) == story(b)


def test_a_row_of_three_balls() -> None:
    """Struck at one end, the other two go on together: one problem for both contacts, no wave that passes through.

    Newton's rule asks of every contact at least e times its own approach; that of the second pair was 0. So with e = 1
    the velocities are -1/3, 2/3, 2/3: momentum and energy stay, and so it is with Poisson's rule.
    """
    for rule in ("newton", "poisson"):
        for e in (1.0, 0.5, 0.0):
            system = sistel.parse(
                '<system name="row" class="planar open chain"><body name="a" joint="prismatic" axis="x" mass="1">'
                '<point name="pa"/></body><body name="b" joint="prismatic" axis="x" mass="1"><point name="pb"/></body>'
                '<body name="c" joint="prismatic" axis="x" mass="1"/><links>'
                f'<contact name="ab" point="pa" on="b" surface="x &lt;= 0" friction="none" impact="{rule}" '
                f'restitution="{e}"/><contact name="bc" point="pb" on="c" surface="x &lt;= 0" friction="none" '
                f'impact="{rule}" restitution="{e}"/></links><start a="-1 m" a.rate="1 m/s"/></system>'
            )
            found = system.simulate(3.0)
            first = (1 - 2 * e) / 3
            assert found.v[-1] == pytest.approx([first, (1 - first) / 2, (1 - first) / 2], abs=1e-15)
            assert [event.time for event in found.events] == [1.0]
            assert found.events[0].energy_loss == pytest.approx((1 - e**2) / 3, abs=1e-15)


def test_a_block_rocks_to_rest() -> None:
    """Housner's block: every strike leaves 1 − 2 m b² / I of the turn, I about a corner and b half the width."""
    half, high, mass, inertia, tilt = 0.25, 0.5, 2.0, 0.54, 0.1
    system = sistel.parse(
        f'<system name="box" class="planar open chain"><body name="b" joint="free" mass="{mass}" inertia="{inertia}">'
        f'<point name="l" place="-{half} m, {high} m"/><point name="r" place="{half} m, {high} m"/></body><links>'
        '<contact name="L" point="l" surface="y = 0" friction="1"/>'
        '<contact name="R" point="r" surface="y = 0" friction="1"/></links></system>'
    )
    c, s = math.cos(tilt), math.sin(tilt)
    found = system.simulate(3.0, q=[half - (half * c - high * s), -(half * s + high * c), tilt])
    about = inertia + mass * (half**2 + high**2)
    for event in found.events[:10]:
        before, after = (found.v[i][2] for i in np.flatnonzero(found.t == event.time))
        assert after / before == pytest.approx(1 - 2 * mass * half**2 / about, rel=1e-9)
    assert found.events[-1].after == "L sticks, R sticks"
    assert found.q[-1] == pytest.approx([0.0, -high, 0.0], abs=1e-9) and np.abs(found.v[-1]).max() < 1e-15
    energies = [sum(np.array(system.energies(q, v))) for q, v in zip(found.q, found.v, strict=True)]
    assert all(b - a < 1e-12 for a, b in pairwise(energies))


ROUGH = (
    '<system name="hopping box" class="planar open chain"><body name="b" joint="free" mass="2" inertia="0.05">'
    '<point name="p1" place="0.3 m, 0.1 m"/><point name="p2" place="-0.3 m, 0.1 m"/></body><links>'
    '<contact name="right" point="p1" surface="y = 0" friction="{0}" impact="newton" restitution="0.6"/>'
    '<contact name="left" point="p2" surface="y = 0" friction="{0}" impact="newton" restitution="0.7"/>'
    '</links><start b.y="-0.6 m" b.angle="0.1 rad"/></system>'
)


@pytest.mark.parametrize("friction", ["none", "0.15", "2"])
def test_strikes_in_machine_code_are_those_of_the_search(friction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corner that strikes alone has a closed form; the search over statuses finds the same."""
    text = ROUGH.format(friction)
    quick = sistel.parse(text).simulate(0.7, v=[0.5, 0.0, 1.0])
    assert any(event.before == event.after == "right open, left open" for event in quick.events)
    monkeypatch.setattr(ContactMode, "strike", lambda mode, index: None)
    slow = sistel.parse(text).simulate(0.7, v=[0.5, 0.0, 1.0])
    assert [event.transition for event in quick.events] == [event.transition for event in slow.events]
    for one, other in zip(quick.events, slow.events, strict=True):
        assert one.time == pytest.approx(other.time, rel=1e-12)
        assert one.energy_loss == pytest.approx(other.energy_loss, abs=1e-12)
        assert one.impulses.keys() == other.impulses.keys()
        for name, load in one.impulses.items():
            assert load == pytest.approx(other.impulses[name], abs=1e-12)
    assert quick.q[-1] == pytest.approx(slow.q[-1], abs=1e-11)


def test_a_ball_comes_to_rest_on_another() -> None:
    """Hops on a body that itself lies on the ground: in free fall the two would not come nearer."""
    system = sistel.parse(
        '<system name="s"><body name="a" joint="prismatic" axis="y" mass="3"><point name="pa" place="0, 50"/></body>'
        '<body name="b" joint="prismatic" axis="y" mass="1"><point name="pb" place="0, 50"/></body><links>'
        '<contact name="ground" point="pa" surface="y = 0" friction="none" restitution="0.5"/>'
        '<contact name="balls" point="pb" on="a" surface="y = -50 mm" friction="none" restitution="0.5"/></links>'
        '<start a="-600" b="-900"/></system>'
    )
    found = system.simulate(2.0)
    assert found.last == pytest.approx([-0.05, -0.15, 0.0, 0.0, 2.0], abs=1e-15)
    # The hops of the last crowd halve: the limit is as far behind each of them as it lasts.
    times = [event.time for event in found.events if event.transition == "balls strikes"][1:]
    assert times[-1] == pytest.approx(2 * times[1] - times[0], abs=1e-9)


@pytest.mark.parametrize("friction", ["", 'friction="0.3"', 'friction="stick"', 'friction="none"'])
def test_a_point_on_a_guide_needs_no_friction(friction: str) -> None:
    """It cannot slide, whatever the friction: bounces are those of the height that is left."""
    run = sistel.parse(
        '<system name="drop"><body name="ball" joint="prismatic" axis="y" mass="1"><point name="low" place="0,50"/>'
        f'</body><links><contact name="floor" point="low" surface="y = 500" {friction} impact="newton"'
        ' restitution="0.7"/></links></system>'
    ).simulate(1.2)
    first = (2 * 0.45 / 9.81) ** 0.5
    expected = [first, first * (1 + 2 * 0.7), first * (1 + 2 * 0.7 + 2 * 0.49)]
    assert [event.time for event in run.events[:3]] == pytest.approx(expected, abs=1e-12)
