"""A behaviour that does not settle is named, whatever its conditions read."""

from __future__ import annotations

import pytest

import sistel

CHART = """
<system name="restless"><body name="ball" joint="prismatic" axis="y" mass="1"><point name="p" place="0, 0"/></body>
  <links><contact name="pad" point="p" surface="y = 0" friction="none"/></links>
  <scheme name="c" period="10 ms">
    <sensor name="F" kind="force" of="pad"/><block name="n" kind="hypot" in="F"/>
    <behaviour name="chart" start="one">
      <state name="one"><go to="two" when="{when}"/></state>
      <state name="two"><go to="one" when="{when}"/></state>
    </behaviour>
  </scheme>
</system>
"""


@pytest.mark.parametrize("when", ["n ge 0 N", "t ge 0 s"], ids=["a force", "the time"])
def test_the_behaviour_is_named(when: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(CHART.format(when=when)).simulate(0.1)
    (problem,) = caught.value.diagnostics
    assert problem.code == "endless" and 'behaviour "chart" does not settle at 0 s: two → one' in problem.message.en
    assert str(caught.value).startswith("<text>:6:5: ")
