"""Words that people guess: numbers of bodies where names are asked for, and names of single coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError

TEXT = """<system>
  <body name="upper" joint="revolute" mass="1" com="0,100"/>
  <body name="lower" base="upper" place="0,200" joint="prismatic" axis="1,0" mass="1" com="0,100"/>
  <start {start}/>
</system>"""


def loaded(start: str = "") -> sistel.System:
    return sistel.parse(TEXT.format(start=start))


@pytest.mark.parametrize("number", [2, np.int64(2), np.uint8(2), "2"])
def test_bodies_by_number(number: str | int) -> None:
    system, q = loaded(), [0.3, 0.05]
    assert np.array_equal(system.pose(q, number), system.pose(q, "lower"))
    assert np.array_equal(system.jacobian(q, number), system.jacobian(q, "lower"))
    assert np.array_equal(system.jacobian_rate(q, q, number), system.jacobian_rate(q, q, "lower"))
    assert system.body(number).name == "lower"


@pytest.mark.parametrize("number", [0, 3, -1, True, 2.0, None, "²", "9" * 5000])
def test_what_is_no_number_of_a_body(number: str) -> None:
    with pytest.raises(SistelError, match="there is no body"):
        loaded().pose([0.3, 0.05], number)


@pytest.mark.parametrize("start", ['upper.angle="10" lower.slide="5"', 'upper.угол="10" lower.ход="5"'])
def test_the_only_coordinate_by_what_it_is(start: str) -> None:
    assert loaded(start).model.start.q == loaded('upper="10" lower="5"').model.start.q
    rates = start.replace("=", ".rate=")
    assert loaded(rates).model.start.v == loaded('upper.rate="10" lower.rate="5"').model.start.v


@pytest.mark.parametrize("word", ["velocity", "speed"])
def test_other_words_of_velocities_are_told_the_right_one(word: str) -> None:
    with pytest.raises(SistelError) as caught:
        loaded(f'upper.{word}="10"')
    (problem,) = caught.value.diagnostics
    assert problem.hint is not None and "upper.rate" in problem.hint.en and "upper.скорость" in problem.hint.ru


def test_an_angle_is_not_a_slide() -> None:
    with pytest.raises(SistelError, match="no coordinate"):
        loaded('upper.slide="10"')
