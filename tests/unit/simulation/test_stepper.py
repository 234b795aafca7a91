"""Steppers: the motion of `simulate` with a law of Python, to the bit, whatever goes on between two ticks."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel

PENDULUM = """<system>
  <parameter name="m" value="1 kg"/>
  <body name="arm" joint="revolute" mass="m" com="0,500" inertia="0"><motor name="arm"/></body>
</system>"""

# A slider between two walls: where it strikes one, another structure begins, and leads back at once.
WALLS = """<system><gravity value="0"/>
  <body name="p" joint="prismatic" mass="1" com="0,0"><motor name="push"/></body>
  <links><structure name="right"/><structure name="left"/>
    <transition from="right" to="left" when="q(p) rises through 0.2 m"><set of="p" rate="-0.9*v(p)"/></transition>
    <transition from="left" to="right" when="q(p) falls through -0.2 m"><set of="p" rate="-0.9*v(p)"/></transition>
  </links></system>"""

SLED = """<system><gravity value="10 m/s^2"/>
  <body name="b" joint="prismatic2" mass="1" com="0,0"><point name="p"/><motor name="across" of="b.x"/>
    <motor name="up" of="b.y"/></body>
  <links><contact name="c" point="p" surface="y &lt; 0" friction="0.5" restitution="0.3"/></links></system>"""

STIFF = """<system><gravity value="0"/>
  <body name="a" joint="revolute" mass="1" com="0,0" inertia="1e-3" damping="50 N*m*s/rad"><motor name="a"/></body>
  <body name="b" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="b"/></body></system>"""


def push(t: float, v: Any) -> list[float]:
    return [math.copysign(8.0, math.sin(9.0 * t)) + 0.1 * float(v[0])]


def pull(t: float, v: Any) -> list[float]:
    return [7.0 * math.sin(3.0 * t), -13.0 * math.sin(5.0 * t) ** 2 - 0.1 * float(v[1])]


def swing(t: float, v: Any) -> list[float]:
    return [math.sin(7.0 * t) - 0.1 * rate for rate in v]


CASES: dict[str, tuple[str, Callable[[float, Any], list[float]], float, dict[str, Any]]] = {
    "series": (PENDULUM, swing, 0.01, {}),
    "structures": (WALLS, push, 0.03, {}),
    "contacts": (SLED, pull, 0.05, {}),
    "stages": (STIFF, swing, 0.02, {"method": "radau", "tolerance": 1e-8}),
    "stiff after a while": (STIFF, swing, 0.02, {"tolerance": 1e-8}),
}


def asked(law: Callable[[float, Any], list[float]]) -> Callable[[float, Any], list[float]]:
    return lambda t, x: law(t, x.v)


@pytest.mark.parametrize("name", CASES)
def test_steps_are_those_of_runs(name: str) -> None:
    """Every state, structure and event is that of `simulate` with a law that says the same."""
    text, law, period, how = CASES[name]
    system, count = sistel.parse(text), 60
    seen: list[tuple[float, Any, Any, str]] = []

    def shown(t: float, x: Any) -> list[float]:
        seen.append((t, x.q, x.v, x.structure))
        return law(t, x.v)

    # Methods of stages try steps as long as the run is: those near its end would be cut otherwise.
    run = system.simulate((count + 20) * period, control=shown, period=period, **how)
    stepper = system.stepper(period, **how)
    events = []
    for t, q, v, structure in seen[: count + 1]:
        assert (stepper.t, stepper.structure) == (t, structure)
        assert (stepper.q == q).all() and (stepper.v == v).all()
        stepper.step(law(stepper.t, stepper.v))
        events += [(event.time, event.transition, event.after) for event in stepper.events]
    told = [(event.time, event.transition, event.after) for event in run.events if 0.0 < event.time <= stepper.t]
    assert events == told
    if name in ("structures", "contacts"):
        assert len(told) > 3 and len({each[3] for each in seen}) > 1


@pytest.mark.parametrize("name", CASES)
def test_copies_go_on_by_themselves(name: str) -> None:
    text, law, period, how = CASES[name]
    stepper = sistel.parse(text).stepper(period, **how)
    for _ in range(25):
        stepper.step(law(stepper.t, stepper.v))
    other = stepper.copy()
    here = stepper.t, stepper.q, stepper.v, stepper.structure
    for _ in range(10):
        other.step(np.zeros(len(other.names)))
    assert here[0] == stepper.t and (here[1] == stepper.q).all() and (here[2] == stepper.v).all()
    assert not (other.q == stepper.q).all()
    again = stepper.copy()
    for _ in range(20):
        u = law(stepper.t, stepper.v)
        stepper.step(u)
        again.step(u)
        assert (again.t, again.structure) == (stepper.t, stepper.structure)
        assert (again.q == stepper.q).all() and (again.v == stepper.v).all()
        assert [event.time for event in again.events] == [event.time for event in stepper.events]


def test_a_law_in_the_file_is_the_same() -> None:
    """A scheme that is sampled computes the same numbers, but for the rounding of its own arithmetic."""
    scheme = """<scheme name="drive" period="10 ms">
      <block name="u" kind="pd" in="1 rad - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/>
      <output motor="arm" from="u"/></scheme></system>"""
    own = sistel.parse(PENDULUM.replace("</system>", scheme)).simulate(2.0)
    stepper = sistel.parse(PENDULUM).stepper(0.01)
    for _ in range(200):
        stepper.step(20.0 * (1.0 - float(stepper.q[0])) - 0.8 * float(stepper.v[0]))
    assert stepper.t == 2.0
    assert [*stepper.q, *stepper.v] == pytest.approx(own.last[:2], abs=2e-14)


def test_ways_to_say_it() -> None:
    """An array, a list, names, one number; what is left out stays."""
    system = sistel.parse(SLED)
    steppers = [system.stepper(0.05) for _ in range(3)]
    assert steppers[0].names == ("across", "up")
    steppers[0].step(np.array([1.0, -12.0])).step()
    steppers[1].step([1, -12.0]).step({"up": -12.0})
    steppers[2].step({"across": 1.0, "up": -12.0}).step({})
    assert len({(*one.q, *one.v) for one in steppers}) == 1
    assert steppers[0].q[1] < -1e-3
    single = sistel.parse(PENDULUM).stepper(0.05)
    assert (single.step(1.0).q == sistel.parse(PENDULUM).stepper(0.05).step(np.ones(1)).q).all()


@pytest.mark.parametrize(
    ("u", "words"),
    [
        (math.nan, "given nan"),
        (np.array([math.inf]), "given inf"),
        ([1.0, 2.0], "2 numbers for 1"),
        (np.zeros((1, 1, 2)), "2 numbers for 1"),
        ({"arn": 1.0}, 'did you mean "arm"'),
        ({"arm": "1"}, "given '1'"),
        ("a", "given 'a'"),
    ],
)
def test_what_is_no_force_is_refused(u: Any, words: str) -> None:
    """And nothing has happened: the next step is as if nothing had been said."""
    stepper, other = (sistel.parse(PENDULUM).stepper(0.05).step(0.5) for _ in range(2))
    with pytest.raises(sistel.SistelError, match=words) as caught:
        stepper.step(u)
    assert "0.05 s" in str(caught.value)
    assert stepper.t == pytest.approx(0.05, abs=1e-15)
    assert (stepper.step().q == other.step().q).all()
    contacts = sistel.parse(SLED).stepper(0.05)
    with pytest.raises(sistel.SistelError, match="given nan"):
        contacts.step(np.array([0.0, math.nan]))
    assert contacts.step().t == pytest.approx(0.05, abs=1e-15)


def test_starts() -> None:
    """The file's, a given one, another time, other parameters; and back again."""
    system = sistel.parse(PENDULUM)
    stepper = system.stepper(0.1)
    assert stepper.t == 0.0
    stepper.step(1.0)
    first = stepper.q
    stepper.reset(q=[0.5], v=[-1.0], t=0.25)
    between = system.simulate(0.3, q=[0.5], v=[-1.0], t=0.25)
    assert stepper.t == 0.3  # on to the first tick
    assert [*stepper.q, *stepper.v] == pytest.approx([between.q[-1][0], between.v[-1][0]], abs=1e-14)
    heavy = sistel.parse(PENDULUM.replace('"1 kg"', '"3 kg"')).stepper(0.1).step(1.0)
    stepper.reset(parameters={"m": "3 kg"}).step(1.0)
    assert stepper.q == pytest.approx(heavy.q, rel=1e-13)
    twin = stepper.copy()
    system.simulate(0.2, parameters={"m": 7.0})
    assert (stepper.step(1.0).q == twin.step(1.0).q).all()
    assert stepper.q == pytest.approx(heavy.step(1.0).q, rel=1e-13)
    assert stepper["energy"] == pytest.approx(heavy["energy"], rel=1e-12)
    assert (stepper.reset().step(1.0).q == first).all()


def test_what_it_reads() -> None:
    stepper = sistel.parse(PENDULUM).stepper(0.1).step(2.0)
    assert stepper["angle(arm)"] == stepper.q[0] and stepper["rate(arm)"] == stepper.v[0]
    assert (stepper["angle(arm)", "rate(arm)"] == [*stepper.q, *stepper.v]).all()
    assert stepper["2*angle(arm)"] == 2.0 * stepper.q[0] and stepper["t"] == 0.1
    assert stepper.structure and stepper.events == () and stepper.warnings == ()
    assert repr(stepper) == "<Stepper at 0.1 s>"
    with pytest.raises(sistel.SistelError, match='no body or joint "nobody"'):
        stepper["angle(nobody)"]


def test_the_clock_of_the_file() -> None:
    """Without a period, ticks are those of the scheme, whose inputs are what `step` gives."""
    scheme = """<scheme name="drive" period="1/30" offset="5 ms"><input name="goal" value="0.5 rad"/>
      <block name="u" kind="pd" in="goal - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="2 N*m*s/rad"/>
      <output motor="arm" from="u"/></scheme></system>"""
    system = sistel.parse(PENDULUM.replace("</system>", scheme))
    stepper = system.stepper()
    assert stepper.names == ("goal",)
    assert stepper.t == 0.005
    for _ in range(150):
        stepper.step(0.8)
    assert stepper.t == pytest.approx(5.005, abs=1e-15)
    held = 20.0 * (0.8 - float(stepper.q[0]))
    assert held == pytest.approx(9.81 * 0.5 * math.sin(stepper.q[0]), rel=1e-6)
    with pytest.raises(sistel.SistelError, match="the file has no clock"):
        sistel.parse(PENDULUM).stepper()
    with pytest.raises(sistel.SistelError, match="positive time"):
        sistel.parse(PENDULUM).stepper(0.0)


def test_a_motion_that_cannot_go_on() -> None:
    """It says why and where, stands there, and takes no more steps before it is reset."""
    text = """<system><gravity value="0"/><body name="p" joint="prismatic" mass="1" com="0,0"><motor name="push"/>
      <force value="1/(1 - q(p)/(1 m))^2, 0"/></body></system>"""
    stepper = sistel.parse(text).stepper(0.1)
    with pytest.raises(sistel.SistelError) as caught:
        for _ in range(100):
            stepper.step(10.0)
    assert caught.value.diagnostics
    end = stepper.t
    assert 0.1 < end < 1.0 and 0.9 < stepper.q[0] < 1.1
    with pytest.raises(sistel.SistelError, match="reset begins anew"):
        stepper.step(10.0)
    assert stepper.t == end
    assert stepper.reset().step(0.0).t == 0.1


@pytest.mark.slow
def test_an_arm_and_its_thousandth_step(models_dir: Path) -> None:
    """Python looks up after so many steps of series as it does in a run: the bits stay those of the run."""
    system = sistel.load(models_dir / "panda_like.xml")
    rng = np.random.default_rng(5)
    said = rng.uniform(-3.0, 3.0, (1500, len(system.model.motors)))
    numbers = iter(said)
    run = system.simulate(1.5 - 1e-9, control=lambda t, x: next(numbers), period=1e-3, tolerance=1e-12)
    stepper = system.stepper(1e-3, tolerance=1e-12)
    for u in said[:-1]:
        stepper.step(u)
    middle = run(stepper.t)
    assert (stepper.q == middle[0]).all() and (stepper.v == middle[1]).all()
