"""Expressions in the paths of shapes: lengths in braces."""

from __future__ import annotations

import pytest

import sistel
from sistel.errors import Diagnostics, SistelError
from sistel.markup import translate
from sistel.model import live_model
from sistel.system import System

FILE = """<system name="a bar" class="planar open chain">
  <parameter name="L" value="0.5 m"/>
  <parameter name="n" value="2"/>
  {more}<body name="bar" joint="revolute" mass="1" com="0, L/2" inertia="0.1"><shape d="{d}"/></body>
</system>"""


def bar(d: str, more: str = "") -> System:
    return sistel.parse(FILE.format(d=d, more=more))


def test_lengths_are_millimetres_of_the_path() -> None:
    (shape,) = bar("m0,0v{L}h{n*L/100}a{L},{L/2},0,0,1{L}{-L}l{1 cm},{0.1 + 5}z").model.shapes
    assert shape.d == "m0,0v500h10a500,250,0,0,1 500 -500l10,5.1z"
    assert shape.gaps == pytest.approx((0.5, 0.01, 0.5, 0.25, 0.5, -0.5, 0.01, 0.0051))


def test_numbers_that_touch_stay_apart() -> None:
    (shape,) = bar("m0{L}l1{L}2{L}.5{n*L}").model.shapes
    assert shape.d == "m0 500l1 500 2 500 .5 1000"


def test_the_canonical_text_has_numbers_and_says_the_same() -> None:
    system = bar("m0,0v{L}")
    text = system.to_xml(lang="en")
    assert 'd="m0,0v500"' in text
    assert sistel.parse(text).fingerprint == system.fingerprint
    assert bar("m0,0v{2*L}").fingerprint != system.fingerprint


def test_words_inside_are_translated() -> None:
    system = bar("m0,0v{L*sqrt(0.25)}h{cos(60 deg)*L}")
    russian = translate(system.source, "ru", Diagnostics())
    assert 'd="m0,0v{L*корень(0.25)}h{cos(60 град)*L}"' in russian
    assert sistel.parse(russian).fingerprint == system.fingerprint


def test_copies_fill_in_their_index() -> None:
    text = """<system name="rods" class="planar open chain">
      <parameter name="L" value="100 mm"/>
      <repeat count="3"><body name="rod {i}" joint="revolute" mass="1"><shape d="m0,0v{i*L}"/></body></repeat>
    </system>"""
    assert [shape.d for shape in sistel.parse(text).model.shapes] == ["m0,0v100", "m0,0v200", "m0,0v300"]


def test_lengths_of_paths_follow_parameters() -> None:
    live = live_model(bar("m0,0v{L}").model)
    assert live.names == ("L", "n")
    assert live.at((0.8, 2.0)).shapes[0].d == "m0,0v800"


@pytest.mark.parametrize(
    ("d", "code"),
    [
        ("m0,0v{M}", "unknown-name"),
        ("m0,0v{L", "bad-path"),
        ("{L},0", "bad-path"),
        ("m0,0z{L}", "bad-path"),
        ("m0,0v{}", None),
        ("m0,0v{L +}", None),
        ("m0,0a5,5,{L},0,1,3,4", "bad-path"),
        ("m0,0a5,5,0,{n},1,3,4", "bad-path"),
        ("m0,0v{L^2}", "wrong-dimension"),
        ("m0,0h{L}{L}v{L}l{L}", "bad-path"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(d: str, code: str | None) -> None:
    with pytest.raises(SistelError) as caught:
        bar(d)
    told = caught.value.diagnostics[0]
    assert code is None or told.code == code
    assert told.span is not None and told.span.source.text[: told.span.start].count("\n") == 3
