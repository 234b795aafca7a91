"""Runs that are taken up again: to the bit what one run would have been, wherever they were cut."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run, RunError

MODELS = Path(__file__).parents[3] / "models"
METHODS = {
    "auto": {},
    "runge-kutta": {"method": "runge-kutta", "tolerance": 1e-6},
    "radau": {"method": "radau"},
    "gauss": {"method": "gauss", "step": 0.01},
}

STIFF = """
<system name="pull">
  <body name="a" joint="prismatic" axis="x" mass="1"/>
  <parameter name="c" value="2e5 N*s/m"/>
  <gravity value="0"/>
  <motion of="a" value="0.1 m * sin(3 rad/s * t)" kp="1e6 N/m" kd="c"/>
  <start a="0.05 m"/>
</system>
"""


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


def same(a: Run, b: Run) -> bool:
    """Whether two runs agree to the bit."""
    pairs = [(a.t, b.t), (a.q, b.q), (a.v, b.v), (a.memory, b.memory), (a.last, b.last)]
    pairs += [([event.time for event in a.events], [event.time for event in b.events])]
    pairs += [
        (x, y)
        for one, other in zip(a.events, b.events, strict=False)
        for x, y in zip(one.impulses.values(), other.impulses.values(), strict=True)
    ]
    return (
        len(a.segments) == len(b.segments)
        and a.structure == b.structure
        and all(np.array_equal(x, y) for x, y in pairs)
        and all(
            np.array_equal(x.coefficients, y.coefficients) and np.array_equal(x.times, y.times)
            for x, y in zip(a.segments, b.segments, strict=True)
        )
    )


@pytest.mark.parametrize(
    ("name", "until", "method"),
    [
        ("simplest_walker_basin", 60.0, "auto"),
        ("compass_walker", 6.0, "auto"),
        ("stick_slip", 10.0, "auto"),
        ("hopper", 3.0, "auto"),
        ("geneva", 2.0, "auto"),
        ("breaking_pendulum", 2.0, "auto"),
        ("four_bar", 5.0, "auto"),
        ("stick_slip", 4.0, "runge-kutta"),
        ("compass_walker", 3.0, "runge-kutta"),
        ("four_bar", 2.0, "runge-kutta"),
        ("panda_like", 1.0, "runge-kutta"),
        ("stick_slip", 4.0, "radau"),
        ("compass_walker", 3.0, "radau"),
        ("compass_walker", 3.0, "gauss"),
        ("double_pendulum", 1.0, "gauss"),
    ],
)
def test_wherever_it_was_cut(tmp_path: Path, name: str, until: float, method: str) -> None:
    """At random times and exactly at events, in memory and in a file, by a system that has run before or not."""
    chance = random.Random(name + method)
    how = METHODS[method]
    whole = gallery(name).simulate(until, **how)
    times = [chance.uniform(0.0, until) for _ in range(3)] + [event.time for event in whole.events[1:16:7]]
    for number, time in enumerate(times):
        run = gallery(name).simulate(time, **how)
        run.save(tmp_path / "run.npz")
        assert same(run.resume(until), whole)
        middle = chance.uniform(time, until)
        assert same(run.resume(middle).resume(until), whole)
        if number == 0:  # with equations that are compiled on the way, as they were the first time
            assert same(Run.load(tmp_path / "run.npz").resume(until), whole)
        assert same(Run.load(tmp_path / "run.npz", gallery(name)).resume(until), whole)


def test_a_long_walk_in_three_parts() -> None:
    system = gallery("simplest_walker_basin")
    assert same(system.simulate(50.0).resume(100.0).resume(250.0), system.simulate(250.0))


def test_flights_without_end_do_not_see_the_end() -> None:
    """A thrown body has polynomials for any time; when it lands does not depend on how long one looks."""
    system = gallery("bouncing_ball")
    times = [[event.time for event in system.simulate(until).events] for until in (2.5, 2.6, 3.0)]
    for some in times:
        assert some == times[-1][: len(some)] and len(some) > 3


def test_from_the_middle_and_without_steps() -> None:
    system = gallery("compass_walker")
    whole = system.simulate(6.0)
    for since in (0.0, 1.7, whole.events[3].time, 6.0):
        assert same(whole.resume(6.0, since=since), whole)
        assert same(system.simulate(4.0).resume(6.0, since=min(since, 4.0)), whole)
    assert same(whole.resume(3.0, since=1.0), system.simulate(3.0))
    bare = system.simulate(4.0, keep="events").resume(6.0)
    assert bare.steps == 0 and np.array_equal(bare.last, whole.last)
    assert [event.time for event in bare.events] == [event.time for event in whole.events]
    for since in (-1.0, 7.0, float("nan")):
        with pytest.raises(sistel.SistelError):
            whole.resume(8.0, since=since)


def test_a_structure_that_turned_out_to_be_stiff(tmp_path: Path) -> None:
    system = sistel.parse(STIFF)
    whole = system.simulate(2.0)
    assert any(mark.stiff for mark in whole.book.marks)  # Radau's method has taken over
    for until in (0.01, 0.5, 1.3):
        run = sistel.parse(STIFF).simulate(until)
        run.save(tmp_path / "run.npz")
        assert same(run.resume(2.0), whole)
        assert same(Run.load(tmp_path / "run.npz").resume(2.0), whole)


def test_after_too_little_memory() -> None:
    system = gallery("compass_walker")
    with pytest.raises(RunError) as caught:
        system.simulate(400.0, memory=2e6)
    part = caught.value.run
    assert same(part.resume(part.end + 1.0), system.simulate(part.end + 1.0))
