"""What differs between two schemes, and what does not count."""

from __future__ import annotations

import pytest

import sistel
from sistel.control import compare_schemes

BASE = """<system><parameter name="k" value="20 N*m/rad"/>
  <body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" period="10 ms">
    <input name="task" kind="slider" value="0 rad" min="-1 rad" max="1 rad"/>
    <input name="on" kind="toggle" value="1"/>
    <signal name="error" value="task - angle(arm)"/>
    <block name="u" kind="pd" in="error" kp="k" kd="1 N*m*s/rad"/>
    <lamp name="near" from="abs(error) lt 1 deg and on" colour="green"/>
    <output motor="arm" from="u"/>
  </scheme></system>"""


def differences(text: str, other: str) -> list[tuple[str, str, str, str]]:
    found = compare_schemes(sistel.parse(text).model, sistel.parse(other).model)
    return [(each.way, each.part, each.name, each.attribute) for each in found]


def test_order_places_units_and_language_do_not_count() -> None:
    lines = BASE.split("\n")
    turned = "\n".join([*lines[:3], *reversed(lines[3:8]), *lines[8:]])
    placed = BASE.replace("</scheme>", '<drawing><place of="u" at="3, 1"/></drawing></scheme>')
    units = BASE.replace("10 ms", "0.01 s").replace('"-1 rad"', '"-1000/1000 rad"').replace("1 deg", "1.0 deg")
    assert differences(BASE, turned) == []
    assert differences(BASE, placed) == []
    assert differences(BASE, units) == []
    for lang in ("en", "ru"):
        written = str(sistel.parse(BASE).to_xml(lang))  # type: ignore[arg-type]
        assert differences(BASE, written) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('period="10 ms"', 'period="5 ms"', ("changed", "clock", "drive", "period")),
        ('kind="pd" in="error"', 'kind="pd" in="-error"', ("changed", "wire", "u", "in")),
        ('kd="1 N*m*s/rad"', 'kd="2 N*m*s/rad"', ("changed", "parameter", "u", "kd")),
        ('kd="1 N*m*s/rad"', 'kd="1 N*m*s/rad" limit="5 N*m"', ("added", "parameter", "u", "limit")),
        ("<signal", '<signal name="spare" value="1"/><signal', ("added", "signal", "spare", "")),
        ('value="20 N*m/rad"', 'value="21 N*m/rad"', ("changed", "parameter", "k", "")),
        ('max="1 rad"', 'max="2 rad"', ("changed", "input", "task", "maximum")),
        ('kind="toggle"', 'kind="latching"', ("changed", "input", "on", "kind")),
        ('from="u"', 'from="2*u"', ("changed", "output", "arm", "from")),
        ('colour="green"', 'colour="red"', ("changed", "item", "near", "colour")),
        ('name="drive"', 'name="servo"', ("changed", "scheme", "servo", "name")),
    ],
)
def test_every_change_is_told(old: str, new: str, expected: tuple[str, ...]) -> None:
    other = BASE.replace(old, new, 1)
    assert other != BASE
    assert differences(BASE, other) == [expected]
    back = differences(other, BASE)
    if expected[0] == "added":
        assert back == [("removed", *expected[1:])]
    else:
        assert len(back) == 1


def test_schemes_come_and_go() -> None:
    other = BASE.replace("</system>", '<scheme name="more"><signal name="w" value="rate(arm)"/></scheme></system>')
    assert differences(BASE, other) == [("added", "scheme", "more", "")]
    assert differences(other, BASE) == [("removed", "scheme", "more", "")]
