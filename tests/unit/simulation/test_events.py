"""Events against closed forms: which are found, when, and in which order.

A body under a constant force of -2 N, 1 kg, thrown with 2 m/s: x = 2 t - t², its highest point is 1 m at 1 s, exactly.
"""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from pathlib import Path

import pytest

import sistel
from sistel.simulation import RunError

MODELS = Path(__file__).resolve().parents[3] / "models"


def thrown(links: str, start: str = '<start a.rate="2 m/s"/>') -> sistel.System:
    return sistel.parse(
        '<system name="thrown" class="planar open chain"><gravity value="0"/>'
        '<body name="a" joint="prismatic" axis="x" mass="1"><force value="-2 N, 0"/></body>'
        f"<links>{links}</links>{start}</system>"
    )


def times(links: str, until: float = 3.0) -> list[float]:
    return [event.time for event in thrown(links).simulate(until).events]


def watch(condition: str) -> str:
    return f'<structure name="u"/><transition from="u" to="u" when="{condition}"/>'


# --- zeros that are hard to see --------------------------------------------------------------------------------------


def test_grazing_is_no_crossing() -> None:
    for level in ("1", "1.00000000000001", "1.000001"):
        assert times(watch(f"x(a) crosses {level} m")) == []
        assert times(watch(f"x(a) &gt; {level} m")) == []


@pytest.mark.parametrize("depth", [1e-2, 1e-6, 1e-10, 1e-13])
def test_two_zeros_in_one_step(depth: float) -> None:
    """The parabola is one step; above the level it stays for 2 √depth."""
    level = 1.0 - depth
    found = times(watch(f"x(a) crosses {level!r} m"))
    away = math.sqrt(1.0 - level)
    # Where the parabola is flat, rounding of x moves the zero by 1e-16 / (2 √depth).
    near = 1e-15 + 2e-16 / away
    assert found == pytest.approx([1.0 - away, 1.0 + away], abs=near)
    assert times(watch(f"x(a) rises through {level!r} m")) == found[:1]
    assert times(watch(f"x(a) falls through {level!r} m")) == pytest.approx([1.0 + away], abs=near)


def test_the_end_of_the_run_belongs_to_it() -> None:
    """At 1.5 s x falls through 0.75 m."""
    assert times(watch("x(a) falls through 0.75 m"), 1.5) == [1.5]
    assert times(watch("x(a) falls through 0.75 m"), 1.5 - 1e-12) == []


def test_a_zero_at_the_restart_counts_once() -> None:
    """Thrown again at 0 whenever it comes back, with 0.5 of the speed: hops of 2, 1, 1/2 … s."""
    links = '<structure name="u"/><transition from="u" to="u" when="x(a) falls through 0">{}</transition>'
    found = times(links.format('<set of="a" rate="-0.5*v(a)"/>'), 3.99)
    assert found == pytest.approx([4.0 - 2.0 ** (1 - n) for n in range(len(found))], abs=1e-14)
    assert len(found) == 8


def test_a_zero_at_the_start_is_none() -> None:
    """x is 0 at the start and rises: nothing passes there, and the fall through 0 comes at 2 s."""
    assert times(watch("x(a) crosses 0 m")) == [2.0]


# --- conditions that hold already -------------------------------------------------------------------------------------


def test_conditions_that_hold_on_entry() -> None:
    """Through w and z at once, for their conditions hold already; the last needs the motion."""
    run = thrown(
        '<structure name="u"/><structure name="w"/><structure name="z"/><structure name="end"/>'
        '<transition from="u" to="w" when="x(a) &gt; 0.75 m"/>'
        '<transition from="w" to="z" when="x(a) &gt; 0.5 m"/>'
        '<transition from="z" to="end" when="v(a) &lt; 0"/>'
    ).simulate(3.0)
    assert [event.after for event in run.events] == ["w", "z", "end"]
    assert [event.time for event in run.events] == pytest.approx([0.5, 0.5, 1.0], abs=1e-15)
    assert run.events[0].time == run.events[1].time


def test_a_crossing_does_not_hold_on_entry() -> None:
    """x = 0.75 m at 0.5 s, rising: the transition that waits for a rise through 0.5 m has come too late."""
    run = thrown(
        '<structure name="u"/><structure name="w"/><structure name="z"/>'
        '<transition from="u" to="w" when="x(a) &gt; 0.75 m"/>'
        '<transition from="w" to="z" when="x(a) rises through 0.5 m"/>'
    ).simulate(3.0)
    assert [event.after for event in run.events] == ["w"]


def test_conditions_that_hold_at_the_very_start() -> None:
    run = thrown(
        '<structure name="u"/><structure name="w"/><transition from="u" to="w" when="x(a) &lt; 0.5 m"/>'
    ).simulate(1.0)
    assert [(event.time, event.after) for event in run.events] == [(0.0, "w")]


# --- several at one instant -------------------------------------------------------------------------------------------

BOTH = (
    '<structure name="u"/><structure name="first"/><structure name="second"/>'
    '<transition from="u" to="{}" when="x(a) &gt; 0.75 m"{}/><transition from="u" to="{}" when="v(a) &lt; 1 m/s"{}/>'
)


@pytest.mark.parametrize(
    ("names", "priorities"),
    [
        (("first", "second"), ("", "")),  # the order of the file
        (("second", "first"), ("", ' priority="1"')),
        (("first", "second"), (' priority="2"', ' priority="1"')),
    ],
)
def test_of_two_at_one_instant_the_more_urgent_happens(names: tuple[str, str], priorities: tuple[str, str]) -> None:
    """At 0.5 s x is 0.75 m and v is 1 m/s."""
    run = thrown(BOTH.format(names[0], priorities[0], names[1], priorities[1])).simulate(1.0)
    assert [event.after for event in run.events] == ["first"]
    assert run.events[0].time == pytest.approx(0.5, abs=1e-15)


def test_impacts_that_follow_from_each_other() -> None:
    """Five at one instant, each of which takes half the speed."""
    names = [f"s{i}" for i in range(6)]
    links = "".join(f'<structure name="{name}"/>' for name in names)
    for i in range(5):
        condition = "x(a) rises through 0.75 m" if i == 0 else "x(a) &gt; 0.5 m"
        links += f'<transition from="s{i}" to="s{i + 1}" when="{condition}"><set of="a" rate="v(a)/2"/></transition>'
    run = thrown(links, '<start structure="s0" a.rate="2 m/s"/>').simulate(0.6)
    assert [event.time for event in run.events] == [run.events[0].time] * 5
    assert run.events[0].time == pytest.approx(0.5, abs=1e-15)
    assert run(run.events[0].time)[1] == pytest.approx([1 / 32], rel=1e-14)
    losses = [(1 - 1 / 4) / 2 / 4**i for i in range(5)]  # of ½ m v²
    assert [event.energy_loss for event in run.events] == pytest.approx(losses, rel=1e-13)


def test_crowded_events_are_reported_and_nothing_goes_through_the_floor() -> None:
    """A ball written as a transition: its hops end at √(2h/g) (1 + e)/(1 − e), where the next has no time left."""
    e = 0.8
    ball = sistel.parse(
        '<system name="ball" class="planar open chain"><body name="a" joint="prismatic" axis="-y" mass="1"/><links>'
        '<structure name="flies"/><transition from="flies" to="flies" when="q(a) falls through 0">'
        f'<set of="a" rate="-{e}*v(a)"/></transition></links><start a="1 m"/></system>'
    )
    with pytest.raises(RunError, match="without end at") as caught:
        ball.simulate(5.0)
    run = caught.value.run
    assert run.end == pytest.approx(math.sqrt(2 / 9.81) * (1 + e) / (1 - e), abs=1e-13)
    assert run.q.min() > -1e-15 and len(run.events) > 100
    assert caught.value.diagnostics[0].span is not None


# --- determinism ------------------------------------------------------------------------------------------------------

PRINT = """
import hashlib, sys, sistel
run = sistel.load(sys.argv[1]).simulate(float(sys.argv[2]))
print(hashlib.sha256(run.t.tobytes() + run.q.tobytes() + run.v.tobytes()).hexdigest())
"""


@pytest.mark.parametrize(("name", "until"), [("compass_walker", 4.0), ("woodpecker", 0.3), ("four_bar", 2.0)])
def test_the_same_bits_always(name: str, until: float) -> None:
    """Twice, after runs of other systems and with other tolerances, and in another process."""

    def bits(system: sistel.System) -> str:
        run = system.simulate(until)
        return hashlib.sha256(run.t.tobytes() + run.q.tobytes() + run.v.tobytes()).hexdigest()

    system = sistel.load(MODELS / f"{name}.xml")
    first = bits(system)
    system.simulate(0.7 * until)
    system.simulate(until, tolerance=1e-6)
    sistel.load(MODELS / "double_pendulum.xml").simulate(1.0)
    assert bits(system) == first
    assert bits(sistel.load(MODELS / f"{name}.xml")) == first
    path = str(MODELS / f"{name}.xml")
    done = subprocess.run([sys.executable, "-c", PRINT, path, str(until)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == first
