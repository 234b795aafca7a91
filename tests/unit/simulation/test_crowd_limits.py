"""What the loop of many bodies does where it finds nothing that keeps all laws, or does not get on."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.automaton import FREE, STICK, elements_of
from sistel.errors import SistelError
from sistel.simulation.plane import Crowd, _impacts, _passages, crowd_of
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._loop import MOST_AT_ONCE
from sistel.simulation.plane._meetings import GLANCE
from tests.laws.test_many_shapes import circles


def gone(system: sistel.System, until: float) -> Crowd:
    """A crowd that has moved until a time, and stops there."""
    model = system.model
    crowd = crowd_of(model, elements_of(model), 20, 2.0**-52)
    assert crowd is not None
    crowd.begin(np.array([*model.start.q, *model.start.v, model.start_time]), until, math.inf, False)
    answer = crowd.code().start(crowd.world)
    while answer in (t.END, t.FULL) and crowd.world.numbers[t.TIME] < until:
        answer = crowd.code().travel(crowd.world)
        crowd.collect()
    assert answer == t.END
    return crowd


def test_where_no_forces_are_found_all_contacts_hold_for_a_moment() -> None:
    """Those that slide without friction, so that none of them does any work; and a run says so."""
    crowd = gone(circles(36, 6, 0.3), 0.3)
    world = crowd.world
    _passages.assemble(world, t.NOTHING, -1, 0)
    count = world.counts[t.ROWS]
    assert count > 20
    for i in range(count):
        _passages.take_rows(world, i)
        world.way[i] = float(i % 2)
    _passages.speeds(world)
    _passages.accelerations(world)
    assert _passages.hold_all(world)
    for i in range(count):
        assert world.state[i] == CLOSED + (FREE if i % 2 else STICK)
        # Nothing moves on along its normal, nor along its tangent where it sticks.
        assert abs(world.w_n[i]) < 1e-9
        assert abs(world.x_t[i] if i % 2 else world.w_t[i]) < 1e-9
    for place in range(world.counts[t.MEMBERS]):
        assert world.calm_until[world.members[place]] == world.numbers[t.TIME] + GLANCE
    (said,) = crowd.notes()
    assert "1 times no forces or impulses were found" in said.en and "1 раз не нашлось сил" in said.ru
    # Where that goes on, it is for longer; where no impulses are found what presses stops, and energy is only lost.
    assert _passages.hold_all(world)
    assert world.calm_until[world.members[0]] == world.numbers[t.TIME] + 2.0 * GLANCE
    _impacts.stop_all(world)
    assert _impacts.gained(world, world.given_n, world.given_t) < 0.0
    pressed = [i for i in range(count) if world.state[i] >= CLOSED]
    assert pressed
    assert max(abs(float(world.w_n[i])) + abs(float(world.w_t[i])) for i in pressed) < 1e-6
    assert min(float(world.w_n[i]) for i in range(count)) > -1e-9
    # Few contacts are followed exactly, or not at all, unless all are of circles, which may be wedged.
    world.counts[t.ROWS] = 20
    assert _passages.hold_all(world)
    whose = _impacts.owner(world, 3)
    world.elements[t.ELEMENT * whose + t.IS_ROUND] = 0
    assert not _passages.hold_all(world)


def test_steps_of_no_length_come_to_an_end() -> None:
    crowd = gone(circles(9, 3, 0.3), 0.01)
    world = crowd.world
    world.numbers[t.UNTIL] = 1.0
    world.counts[t.STALLED] = MOST_AT_ONCE
    world.until[1] = world.numbers[t.TIME]
    answer = crowd.code().travel(world)
    assert answer == t.CHATTERS
    with pytest.raises(SistelError, match="changes without end"):
        crowd.why(answer)
