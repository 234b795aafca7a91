"""Cycles from starts beside them: where a long motion settles, the search finds the same; derivatives by differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Cycle

MODELS = Path(__file__).resolve().parents[3] / "models"

# A ball thrown up again by a paddle whenever it comes down; above some gain it does so high and low by turns.
LOGISTIC = """
<system name="logistic" class="planar open chain">
  <parameter name="r" value="3.2"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1"><force value="-1 N, 0"/></body>
  <links>
    <structure name="flies"/>
    <transition name="hit" from="flies" to="flies" when="x(a) falls through 0">
      <set of="a" rate="r*(-v(a))*(1 - (-v(a))/(1 m/s))"/>
    </transition>
  </links>
  <start a="0 m" a.rate="0.3 m/s"/>
</system>"""


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


def settled(system: sistel.System, q: np.ndarray, v: np.ndarray, structure: str, until: float) -> float | None:
    """The period of what a plain long run ends with; None where it does not repeat."""
    run = system.simulate(until, q=q, v=v, structure=structure)
    if len(run.events) < 6 or run.events[-1].time < 0.8 * until:
        return None
    last = run.events[-1]
    alike = [event for event in run.events if (event.transition, event.after) == (last.transition, last.after)]
    here, before = (np.concatenate(run(event.time)) for event in (alike[-1], alike[-2]))
    # The first coordinate is the place along the slope.
    return alike[-1].time - alike[-2].time if np.abs(here - before)[1:].max() < 1e-7 else None


@pytest.mark.parametrize(
    ("name", "part", "until", "count"),
    [("simplest_walker", 0.01, 250.0, 8), ("compass_walker", 0.03, 40.0, 10), ("rimless_wheel", 0.15, 40.0, 8)],
)
def test_where_a_motion_settles_the_search_finds_its_cycle(name: str, part: float, until: float, count: int) -> None:
    system = gallery(name)
    begin = system.simulate(0.0)
    q0, v0, structure = begin.q[-1], begin.v[-1], begin.structure[-1]
    rng = np.random.default_rng(11)
    seen = 0
    for _ in range(count):
        beside = system.simulate(
            0.0,
            q=q0 * (1 + part * rng.uniform(-1, 1, len(q0))),
            v=v0 * (1 + part * rng.uniform(-1, 1, len(v0))),
            structure=structure,
        )
        q, v = beside.q[-1], beside.v[-1]
        period = settled(system, q, v, structure, until)
        if period is None:
            continue
        seen += 1
        found = system.cycle(q=q, v=v, structure=structure)
        assert found.success and found.stable, found.reason
        assert found.period == pytest.approx(period, rel=1e-7)
    assert seen >= 3


def test_a_motion_that_comes_back_every_second_time() -> None:
    """The logistic map: beyond r = 3 its fixed point repels, and the two values of its cycle are known."""
    r = 3.2
    found = sistel.parse(LOGISTIC).cycle()
    assert found.success and found.stable and found.rounds == 2 and len(found.events) == 2
    root = math.sqrt((r + 1) * (r - 3))
    values = [(r + 1 + sign * root) / (2 * r) for sign in (1, -1)]
    assert min(abs(found.v[0] - value) for value in values) < 1e-13
    # Under a force of 1 N a flight takes twice its speed at the beginning.
    assert found.period == pytest.approx(2 * sum(values), rel=1e-12)
    assert [event.time for event in found.events] == pytest.approx([2 * found.v[0], found.period], rel=1e-12)
    assert found.multipliers == pytest.approx([4 + 2 * r - r * r], abs=1e-11)
    # Right beside the fixed point that repels, that one is meant.
    fixed = sistel.parse(LOGISTIC).cycle(v=[1 - 1 / r + 1e-3])
    assert fixed.success and not fixed.stable and fixed.rounds == 1
    assert fixed.v == pytest.approx([1 - 1 / r], rel=1e-12) and fixed.multipliers == pytest.approx([2 - r], rel=1e-11)


def test_a_chaotic_motion_has_no_cycle_that_it_settles_in() -> None:
    """At r = 3.9 all cycles repel; the fixed point is what Newton's method finds."""
    found = sistel.parse(LOGISTIC).with_parameters(r=3.9).cycle(until=20.0)
    assert found.success and not found.stable
    assert found.v == pytest.approx([1 - 1 / 3.9], rel=1e-11)


def returned(system: sistel.System, cycle: Cycle, state: Sequence[float] | np.ndarray) -> np.ndarray:
    """The state after as many events as a cycle has, by a plain run."""
    nq = system.model.nq
    run = system.simulate(1.5 * cycle.period, q=state[:nq], v=state[nq:], structure=cycle.structure)
    event = run.events[len(cycle.events) - 1]
    return np.concatenate(run(event.time))


@pytest.mark.parametrize(
    ("name", "coordinates"),
    [
        # Angles of the legs and their rates, and what follows from them with the foot that stands at the origin.
        ("compass_walker", 3),
        ("simplest_walker", 3),
        ("rimless_wheel", 1),
    ],
)
def test_multipliers_are_those_of_differences_of_the_map(name: str, coordinates: int) -> None:
    """Independent of all derivatives: plain runs from states beside the cycle, differences of fourth order."""
    system = gallery(name)
    cycle = system.cycle()
    assert cycle.success

    def whole(x: np.ndarray) -> np.ndarray:
        """The state of the section with these numbers."""
        if name == "rimless_wheel":
            q = cycle.q.copy()
            w = float(x[0])
            angle = q[2]
            return np.array([*q, math.cos(angle) * w, math.sin(angle) * w, w])
        half, stands, swings = (float(one) for one in x)
        ahead = cycle.structure == "on the right"
        # The standing foot is ahead, at a negative angle; the hip is above it.
        place = [-math.sin(half), -math.cos(half)]
        speed = [math.cos(half) * stands, -math.sin(half) * stands]
        angles = [half, -half] if ahead else [-half, half]
        rates = [swings, stands] if ahead else [stands, swings]
        return np.array([*place, *angles, *speed, *rates])

    def reduced(y: np.ndarray) -> np.ndarray:
        if name == "rimless_wheel":
            return y[5:6]
        ahead = cycle.structure == "on the right"
        return np.array([y[2] if ahead else y[3], y[7] if ahead else y[6], y[6] if ahead else y[7]])

    x = reduced(cycle.state)
    assert reduced(returned(system, cycle, whole(x))) == pytest.approx(x, abs=1e-9)
    h = 4e-5
    D = np.zeros((coordinates, coordinates))
    for i in range(coordinates):
        parts = []
        for step in (-2, -1, 1, 2):
            beside = x.copy()
            beside[i] += step * h
            parts.append(reduced(returned(system, cycle, whole(beside))))
        D[:, i] = (parts[0] - 8 * parts[1] + 8 * parts[2] - parts[3]) / (12 * h)
    wanted = np.linalg.eigvals(D)
    wanted = wanted[np.argsort(-np.abs(wanted))][: len(cycle.multipliers)]
    # As coefficients of a polynomial: the order of a pair does not matter.
    assert np.poly(cycle.multipliers) == pytest.approx(np.poly(wanted), abs=1e-7)


def test_contacts_that_make_their_structures_are_named() -> None:
    with pytest.raises(sistel.SistelError, match='contact "beak" makes its structures by itself') as caught:
        gallery("woodpecker").cycle()
    (problem,) = caught.value.diagnostics
    assert problem.span is not None and problem.span.source.path is not None and problem.hint is not None
    line = (MODELS / "woodpecker.xml").read_text().splitlines()[problem.span.line - 1]
    assert '<contact name="beak"' in line and "<structure>" in problem.hint.en and "<structure>" in problem.hint.ru


def test_an_interruption_is_one_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    from sistel.simulation import _course

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_course.Course, "_propagate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        gallery("rimless_wheel").cycle()
