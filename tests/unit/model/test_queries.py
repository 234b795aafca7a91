"""What is asked of a model after it was built: values of parameters, their limits, expressions of quantities."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import sistel
from sistel.errors import SistelError
from sistel.model import check_limits, parameter_values, read_quantity

FILE = """<system name="arm" space="planar">
  <parameter name="l" value="300 mm" min="100 mm" max="500 mm"/>
  <parameter name="g2" value="l * 2"/>
  <parameter name="k" value="3"/>
  <body name="arm" joint="revolute" joint-name="shoulder" mass="k" com="l/2, 0" inertia="0.01">
    <motor name="M" limit="5 N*m"/>
    <point name="tip" place="g2, 0"/>
  </body>
  <links><contact name="floor" point="tip" surface="y = -1 m" friction="0.5"/></links>
</system>"""
MODEL = sistel.parse(FILE).model


def codes(problem: SistelError) -> list[str]:
    return [each.code for each in problem.diagnostics]


def test_values_are_in_si_or_carry_units() -> None:
    assert parameter_values(MODEL, {"l": 0.25, "k": "4"}) == {"l": 0.25, "k": 4.0}
    assert parameter_values(MODEL, {"l": "25 cm"}) == {"l": 0.25}
    assert parameter_values(MODEL, {"k": "2 * 3 + 1"}) == {"k": 7.0}


def test_values_may_speak_of_other_parameters() -> None:
    assert parameter_values(MODEL, {"l": "g2 / 3"}) == {"l": pytest.approx(0.2, rel=1e-15)}


def test_all_that_is_wrong_with_values_is_said_at_once() -> None:
    with pytest.raises(SistelError) as caught:
        parameter_values(MODEL, {"ll": 1.0, "l": "2 s", "k": math.inf, "g2": "1 +"})
    assert set(codes(caught.value)) >= {"unknown-name", "wrong-dimension", "not-finite"}
    assert len(caught.value.diagnostics) == 4
    assert 'there is no parameter "ll"' in str(caught.value)


@pytest.mark.parametrize("given", [math.nan, -math.inf, "1e400", None, [1.0]])
def test_what_is_no_finite_number_is_refused(given: object) -> None:
    with pytest.raises(SistelError):
        parameter_values(MODEL, {"k": given})  # type: ignore[dict-item]


def test_a_file_without_parameters_says_so() -> None:
    bare = sistel.parse('<system><body joint="revolute" mass="1" com="0, 1"/></system>').model
    with pytest.raises(SistelError, match="declares no parameters"):
        parameter_values(bare, {"k": 1.0})


def test_limits_of_the_file_bound_those_that_were_chosen() -> None:
    check_limits(MODEL, ["l", "k"])
    long = sistel.parse(FILE.replace('value="300 mm"', 'value="700 mm"').replace('max="500 mm"', 'max="900 mm"')).model
    check_limits(long, ["l"])
    parameters = tuple(replace(each, value=0.7) if each.name == "l" else each for each in MODEL.parameters)
    beyond = replace(MODEL, parameters=parameters)
    check_limits(beyond, ["k"])
    with pytest.raises(SistelError, match=r"0\.7 m is beyond the limits") as caught:
        check_limits(beyond, ["l"])
    assert codes(caught.value) == ["beyond-limits"]
    assert "0.1 to 0.5 m" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["x(tip)", "angle(shoulder)", "rate(arm)", "torque(M)", "gap(floor)", "t + l / (1 m/s)", "energy()"]
)
def test_quantities_of_every_kind_of_thing(text: str) -> None:
    assert read_quantity(MODEL, text).expression is not None


@pytest.mark.parametrize(("text", "said"), [("x(tipp)", "tip"), ("gap(arm)", "floor"), ("1 m + 1 s", ""), ("x(", "")])
def test_what_is_no_quantity_is_refused(text: str, said: str) -> None:
    with pytest.raises(SistelError) as caught:
        read_quantity(MODEL, text)
    assert said in str(caught.value)
