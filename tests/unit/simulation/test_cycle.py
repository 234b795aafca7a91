"""Limit cycles against published digits, closed forms and differences of motions."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Cycle, follow_cycles, initial_state
from sistel.simulation.cycle._mirror import mirror_map
from sistel.simulation.cycle._section import Passages

MODELS = Path(__file__).resolve().parents[3] / "models"
LEGS = {"left_leg": "right_leg"}

# A spoke that turns about its foot; the hub is a point at its end. The strike multiplies the rate by cos(2 a).
SPOKE = """
<system name="wheel of point mass" class="planar open chain">
  <parameter name="slope" value="0.08 rad"/>
  <parameter name="a" value="22.5 deg"/>
  <gravity value="9.81 m/s^2" along="sin(slope), cos(slope)"/>
  <body name="spoke" joint="revolute" mass="1" com="0, -1 m"/>
  <links>
    <structure name="rolls"/>
    <transition from="rolls" to="rolls" when="angle(spoke) rises through a">
      <set of="spoke" value="angle(spoke) - 2*a" rate="rate(spoke)*cos(2*a)"/>
    </transition>
  </links>
  <start spoke="-a" spoke.rate="1.3 rad/s"/>
</system>"""

# A mass on a spring with dry friction, kicked whenever it passes the middle upward.
RELAY = """
<system name="relay" class="planar open chain">
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1" stiffness="4 N/m">
    <force value="0.1 N*if(v(a) &lt; 0, 1, -1), 0"/>
  </body>
  <links>
    <structure name="swings"/>
    <transition from="swings" to="swings" when="x(a) rises through 0"><set of="a" rate="0.8*v(a) + 0.3 m/s"/></transition>
  </links>
  <start a="-400 mm"/>
</system>"""


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def step() -> Cycle:
    return gallery("compass_walker").cycle(mirror=LEGS)


def test_the_rimless_wheel() -> None:
    """Hub inertia 0.25, eight spokes, slope 0.08 (McGeer 1990): closed forms, here with 25 digits."""
    found = gallery("rimless_wheel").cycle()
    assert found.success and found.stable
    assert found.period == pytest.approx(0.8138721971472062830325845, rel=1e-14)
    assert found.v[2] == pytest.approx(1.166370980440465207962411, rel=1e-14)
    assert found.multipliers == pytest.approx([0.5862741699796952078082702], rel=1e-12)
    assert list(found.shift) == ["wheel.x"]
    assert found.shift["wheel.x"] == pytest.approx(2 * math.sin(math.radians(22.5)), rel=1e-14)
    assert [event.time for event in found.events] == [found.period]


def test_a_wheel_of_point_mass() -> None:
    """McGeer 1990; closed forms with 30 digits. The start is far from the cycle."""
    found = sistel.parse(SPOKE).cycle()
    assert found.success and found.iterations > 2
    assert found.v == pytest.approx([1.09546283964765682836861133544], rel=1e-14)
    assert found.period == pytest.approx(1.03454981142327932895669283115, rel=1e-14)
    assert found.multipliers == pytest.approx([0.5], rel=1e-13)


def test_a_step_of_the_compass_walker() -> None:
    """Goswami, Thuilot and Espiau 1996, slope 0.0525, recomputed with 19 digits."""
    found = step()
    assert found.success and found.stable
    assert found.period == pytest.approx(0.73446062133643889202, rel=1e-13)
    assert found.q[2:] == pytest.approx([0.27127461798032137111, -0.27127461798032137111], rel=1e-13)
    assert found.v[2:] == pytest.approx([0.37613459353077487117, 1.0928668105800975611], rel=1e-12)
    pair = -0.2022161001481958 + 0.5434149713531469j
    assert found.multipliers == pytest.approx([pair, pair.conjugate(), 0.1313867071906404], abs=1e-11)
    assert found.shift["hip.x"] == pytest.approx(0.53591931879380164760, rel=1e-13)
    assert (found.transition, found.structure) == ("on the left → on the right", "on the right")
    assert found.state == pytest.approx([*found.q, *found.v])


def test_two_steps_are_a_cycle_without_a_mirror() -> None:
    system = gallery("compass_walker")
    two = system.cycle("on the right → on the left", q=step().q, v=step().v * 1.01, structure="on the right")
    assert two.success and two.structure == "on the left" and len(two.events) == 2
    assert two.period == pytest.approx(2 * step().period, rel=1e-13)
    # Those of one step, squared.
    squares = sorted(step().multipliers ** 2, key=lambda x: (abs(x), x.imag))
    assert sorted(two.multipliers, key=lambda x: (abs(x), x.imag)) == pytest.approx(squares, abs=1e-11)
    # What the slope gives, the strikes take.
    fall = two.shift["hip.x"] * math.sin(0.0525) * 9.81 * 20.0
    assert sum(event.energy_loss for event in two.events) == pytest.approx(fall, rel=1e-12)


def test_a_start_beside_the_cycle_leads_to_it() -> None:
    found = gallery("compass_walker").cycle(mirror=LEGS, v=np.array(gallery("compass_walker").model.start.v) * 1.03)
    assert found.success and found.iterations > 3
    assert found.period == pytest.approx(step().period, rel=1e-13)
    assert found.multipliers == pytest.approx(step().multipliers, abs=1e-11)


@cache
def light_walker(feet: float) -> Cycle:
    found = gallery("simplest_walker").with_parameters(beta=feet).cycle(mirror=LEGS)
    assert found.success
    return found


def test_the_simplest_walker() -> None:
    """The long gait at slope 0.009 (Garcia et al. 1998, recomputed with 19 digits), in the limit of massless feet.

    Feet of 1e-12, as in the gallery, give it at once (`models/test_published_problems.py`); here it comes from two heavier
    ones, and what is left is the square of these.
    """
    heavy, light = light_walker(2e-6), light_walker(1e-6)
    angle = 2 * light.q[2] - heavy.q[2]
    assert angle == pytest.approx(0.20031090054424708936, abs=5e-10)
    assert 2 * light.period - heavy.period == pytest.approx(3.8824637528513741376, abs=1e-9)
    # The third multiplier is that of feet whose speed every strike sets anew: none.
    limit = 2 * light.multipliers - heavy.multipliers
    pair = -0.1900998410658881 + 0.5575987766820683j
    assert limit == pytest.approx([pair, pair.conjugate()], abs=1e-8)


def test_the_first_doubling_of_the_period() -> None:
    """Goswami, Thuilot and Espiau read 4.37 degrees off their diagram."""
    slopes = [0.0525, 0.0645, 0.076, 0.077]
    found = follow_cycles(gallery("compass_walker"), "slope", slopes, mirror=LEGS)
    assert all(cycle.success for cycle in found) and len(found) == 4
    last, before = found[-1], found[-2]
    assert before.stable and not last.stable
    assert last.multipliers[0].real < -1.0 and last.multipliers[0].imag == 0.0
    assert "leave" in last.reason.en and "уводят" in last.reason.ru
    part = (1.0 - abs(before.multipliers[0])) / (abs(last.multipliers[0]) - abs(before.multipliers[0]))
    assert math.degrees(slopes[-2] + part * (slopes[-1] - slopes[-2])) == pytest.approx(4.37, abs=0.03)


def test_friction_that_changes_sides_within_a_structure() -> None:
    """The rates jump where the velocity passes zero; energy gives the map in closed form."""

    def swing(u: float) -> tuple[float, float]:
        """Speed after half a swing, and its derivative: 4 A² + 2 f A = u² there, w² = 4 A² - 2 f A back."""
        f = 0.1
        root = math.sqrt(f * f + 4 * u * u)
        A, slope = (-f + root) / 4, u / root
        w = math.sqrt(4 * A * A - 2 * f * A)
        return w, (4 * A - f) / w * slope

    found = sistel.parse(RELAY).cycle()
    assert found.success
    (u,) = found.v
    w, first = swing(u)
    back, second = swing(w)
    assert 0.8 * back + 0.3 == pytest.approx(u, rel=1e-13)
    assert found.multipliers == pytest.approx([0.8 * first * second], rel=1e-11)


def test_events_that_follow_at_once() -> None:
    """The strike in two transitions, with no motion between them."""
    text = SPOKE.replace('<structure name="rolls"/>', '<structure name="rolls"/><structure name="struck"/>')
    text = text.replace('to="rolls"', 'to="struck"').replace(' value="angle(spoke) - 2*a"', "")
    second = '<transition from="struck" to="rolls" when="angle(spoke) &gt; 0">'
    second += '<set of="spoke" value="angle(spoke) - 2*a"/></transition></links>'
    system = sistel.parse(text.replace("</links>", second))
    for section, times in ((None, [0.0, 1.0]), ("struck → rolls", [1.0, 1.0])):
        found = system.cycle(section)
        assert found.success
        assert found.period == pytest.approx(1.03454981142327932895669283115, rel=1e-14)
        assert found.multipliers == pytest.approx([0.5], rel=1e-13)
        assert [event.time / found.period for event in found.events] == times


# A crank that drives a piston against a gas; a brake on its shaft.
ENGINE = """
<system name="engine" class="planar closed chain">
  <gravity value="0 m/s^2"/>
  <body name="crank" joint="revolute" mass="1.5" com="20, 0" inertia="0.004" damping="0.05 N*m*s">
    <moment value="1.5 N*m"/>
    <body name="rod" joint="revolute" place="100, 0" mass="0.6" com="120, 0" inertia="0.006"/>
  </body>
  <body name="piston" joint="prismatic" axis="x" mass="0.8">
    <force value="-40 N*exp((q(piston) - 0.4 m)/(50 mm)), 0"/>
  </body>
  <links>
    <closure name="pin" joint="revolute" body="rod" at="300, 0" to="piston"/>
    <structure name="runs" holds="pin"/>
    <transition from="runs" to="runs" when="sin(angle(crank)) rises through 0"/>
  </links>
  <start crank="0" rod="0" piston="400 mm" crank.rate="30 rad/s"/>
</system>"""


def test_an_engine_turns_round() -> None:
    """One degree of freedom in a loop: p = M θ' has the rate of change -c/M by p, which gives the multiplier."""
    system = sistel.parse(ENGINE)
    found = system.cycle()
    assert found.success, found
    assert found.shift == pytest.approx({"crank": math.tau, "rod": -math.tau}, rel=1e-14)  # the rod turns in the crank
    assert len(found.multipliers) == 1
    run = system.simulate(found.period, q=found.q, v=found.v)
    q, v = run(np.arange(400) * found.period / 400)  # a periodic function: sums converge faster than any power
    inertia = 2 * system.energies(q, v)[0] / v[:, 0] ** 2
    assert found.multipliers[0] == pytest.approx(math.exp(-0.05 * found.period * (1 / inertia).mean()), rel=1e-9)


def test_derivatives_of_the_map_are_those_of_its_differences() -> None:
    system = gallery("compass_walker")
    passages = Passages(system.simulation(), None, mirror_map(system.model, LEGS), 10.0)
    start = initial_state(system._engine, system.structure(), None, None, None)
    found = passages.first(start, system.structure().name)
    assert found is not None
    section, lap = found
    size = 1e-5
    rng = np.random.default_rng(3)
    for _ in range(3):
        direction = lap.tangent @ rng.normal(size=lap.tangent.shape[1])
        move = size * lap.frame @ direction
        ends = [passages.lap(section, lap.begin + sign * move, lap.time) for sign in (1.0, -1.0)]
        assert ends[0] is not None and ends[1] is not None
        difference = lap.frame.T @ (ends[0].image - ends[1].image) / (2 * size)
        # The next term of the differences is of the order of the square of their size.
        assert lap.reduced @ direction == pytest.approx(difference, abs=1e-6)


def test_nothing_that_repeats() -> None:
    found = gallery("geneva").cycle(until=0.5)
    assert not found.success and not found.stable and math.isnan(found.period) and found.events == ()
    assert "0.5 s" in found.reason.en and "0.5 с" in found.reason.ru


def test_swings_that_only_grow_have_no_cycle() -> None:
    """Friction takes 0.2 m/s a period or less, the kick gives 0.3."""
    found = sistel.parse(RELAY.replace("0.8*v(a)", "v(a)")).cycle()
    assert not found.success and not found.stable and found.residual > 0.01
    assert found.reason.en and found.reason.ru


TIMED = RELAY.replace("0.8*v(a) + 0.3 m/s", "0.8*v(a) + 0.3 m/s*(2 + sin(t*1 rad/s))")


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (SPOKE, {"section": "rols"}, "no transition"),
        (SPOKE, {"mirror": {"spoke": "left"}}, 'no body "left"'),
        (SPOKE, {"until": 0.0}, "positive"),
        (SPOKE, {"tolerance": math.nan}, "positive"),
        (TIMED, {}, "contain the time"),
        ('<system><body name="a" joint="revolute" mass="1" com="1 m, 0"/></system>', {}, "no transitions"),
    ],
)
def test_bad_calls(text: str, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(text).cycle(**arguments)  # type: ignore[arg-type]


def test_mirrors() -> None:
    system = gallery("compass_walker")
    M = mirror_map(system.model, {"left_leg": "-right_leg", "hip": "-hip"})
    assert np.array_equal(M @ M, np.eye(9))
    assert (M @ np.arange(1.0, 10.0)).tolist() == [-1, -2, -4, -3, -5, -6, -8, -7, 9]
    with pytest.raises(sistel.SistelError, match="different joints"):
        mirror_map(system.model, {"left_leg": "hip"})
    with pytest.raises(sistel.SistelError, match="twice"):
        mirror_map(system.model, {"left_leg": "right_leg", "right_leg": "left_leg"})
    spatial = sistel.parse('<system space="spatial"><body name="a" joint="free" mass="1" inertia="1,1,1"/></system>')
    with pytest.raises(sistel.SistelError, match="minus"):
        mirror_map(spatial.model, {"a": "-a"})
    # A mirror that is none finds no image of the first event.
    assert not system.cycle(mirror={"left_leg": "-left_leg"}, until=2.0).success
