"""The same content, whatever says it: canonical files, both languages, other spellings and layouts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.robots import gallery_files, gallery_sampled
from support.structures import gallery

import sistel
from sistel.errors import Diagnostics, Language
from sistel.markup import translate
from sistel.markup._writer import quantity
from sistel.units import UNITS, unit_of

LANGUAGES: tuple[Language, ...] = ("en", "ru")


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_canonical_form_reads_back_as_the_same_model(path: Path) -> None:
    system = gallery(path.stem)
    for lang in LANGUAGES:
        text = system.to_xml(lang)
        again = sistel.parse(text, str(path))
        assert again.fingerprint == system.fingerprint
        assert again.to_xml(lang) == text, "writing what was read changes nothing more"


@pytest.mark.parametrize("path", gallery_sampled())
def test_translation_changes_words_only(path: Path) -> None:
    system = gallery(path.stem)
    texts = {lang: translate(system.source, lang, Diagnostics()) for lang in LANGUAGES}
    there = {lang: sistel.parse(text, str(path)) for lang, text in texts.items()}
    for lang, text in texts.items():
        assert there[lang].fingerprint == system.fingerprint
        assert translate(there[lang].source, lang, Diagnostics()) == text
        assert re.findall(r"<!--.*?-->", text, re.S) == re.findall(r"<!--.*?-->", system.source.text, re.S)
        assert text.count("\n") == system.source.text.count("\n")
        back = translate(there["en" if lang == "ru" else "ru"].source, lang, Diagnostics())
        assert back == text or sistel.parse(back, str(path)).fingerprint == system.fingerprint


def test_translation_keeps_the_lines_inside_a_value() -> None:
    text = """<system class="planar open chain">
  <body joint="revolute" place="0 500" mass="2 kg" inertia="0.01 kg*m^2" com="10 cm,
      sin(30 deg)*
      5&#32;mm"/>
</system>
"""
    russian = translate(sistel.parse(text).source, "ru", Diagnostics())
    assert russian.splitlines()[1].split()[-2:] == ['ЦМ="10', "см,"], "the word alone is another"
    assert russian.splitlines()[2:4] == ["      sin(30 град)*", '      5&#32;мм"/>']
    assert sistel.parse(russian).fingerprint == sistel.parse(text).fingerprint
    assert translate(sistel.parse(russian).source, "en", Diagnostics()).splitlines()[1:4] == text.splitlines()[1:4]


def test_spelling_order_and_layout_do_not_matter() -> None:
    one = '<СистемаТел><Тело КП="1" КПТ="0, 500" масса="2" ЦМ="0,100" инерция="0.01"/></СистемаТел>'
    two = """<?xml version="1.0"?>
    <!-- another layout -->
    <system about="the same" class="planar open chain"><body inertia="0.01 kg*m^2" mass='2000 g' com="0 , 10 см"
      place="0 500" joint="hinge" ></body></system>"""
    assert sistel.parse(one).fingerprint == sistel.parse(two).fingerprint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('mass="2"', 'mass="2.0000000000000004"'),
        ('joint="revolute"', 'joint="prismatic"'),
        ('place="0,500"', 'place="0,500.0000000001"'),
        ('name="a"', 'name="b"'),
        ("gap(c) &lt; 0", "gap(c) &lt;= 0"),
        ("y = 0", "y = 1"),
        ('holds="c"', ""),
    ],
)
def test_content_matters(old: str, new: str) -> None:
    text = (
        '<system><body name="a" joint="revolute" place="0,500" mass="2" com="0,1" inertia="1"><point name="p"/></body>'
        '<links><contact name="c" point="p" surface="y = 0"/><structure name="s" holds="c"/><structure name="w"/>'
        '<transition from="w" to="s" when="gap(c) &lt; 0"/></links></system>'
    )
    assert old in text
    assert sistel.parse(text).fingerprint != sistel.parse(text.replace(old, new)).fingerprint


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12), st.sampled_from(UNITS))
def test_numbers_are_written_so_that_they_read_back_to_the_bit(value: float, unit: object) -> None:
    from sistel.units import Unit

    assert isinstance(unit, Unit)
    text = quantity(value, unit, "SI")
    number, _, si = text.partition(" ")
    assert (float(number) if si else unit.to_si(float(number))) == value


def test_units_of_compounds() -> None:
    unit = unit_of("Н*м*с/рад")
    assert unit is not None and unit.to_si(3.0) == 3.0
    assert unit_of("кг*см²").to_si(1.0) == 1e-4  # type: ignore[union-attr]
    assert unit_of("1/с") is not None
    assert unit_of("м/мин^2") is not None
    assert unit_of("локоть") is None
    assert unit_of("м^x") is None


def test_bodies_in_another_order_than_their_numbers() -> None:
    rod = 'joint="revolute" mass="1" com="0,1" inertia="1"'
    text = (
        f'<system><body number="2" {rod}><point name="p"/><frame name="f"/><shape d="m0,0h1"/><motor/></body>'
        f'<body number="1" {rod}><point name="r"/><frame name="g"/><shape d="m0,0h2"/><motor/></body></system>'
    )
    system = sistel.parse(text)
    assert [point.name for point in system.model.points] == ["r", "p"]
    assert sistel.parse(system.to_xml()).fingerprint == system.fingerprint


def test_gravity_along_any_direction_is_the_same_vector_again() -> None:
    """To the last digit: dividing by a length and multiplying by it again need not give the same number."""
    for slope in range(1, 90):
        text = f'<system><gravity along="sin({slope} deg), cos({slope} deg)"/><body joint="revolute" mass="1" com="0,1"/></system>'
        system = sistel.parse(text)
        assert sistel.parse(system.to_xml()).fingerprint == system.fingerprint, slope
    for text in ('value="1e15" along="3, 4"', 'value="1e-200" along="3, 4"', 'value="0"'):
        system = sistel.parse(f'<system><gravity {text}/><body joint="revolute" mass="1" com="0,1"/></system>')
        assert sistel.parse(system.to_xml()).fingerprint == system.fingerprint, text


def test_conditions_of_schemes_stand_by_themselves_everywhere() -> None:
    system = sistel.parse("""<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/>
      <motion value="select(on, 1 rad, 0 rad)" kp="5" kd="1"/><moment value="select(not on, 1 N*m, 0 N*m)"/></body>
      <links><structure name="a"/><structure name="b"/><transition from="a" to="b" when="on and t gt 2 s"/>
      <transition from="b" to="a" when="not on"/></links>
      <scheme name="s" period="10 ms"><input name="on" kind="button"/></scheme></system>""")
    text = system.to_xml("en")
    assert "0.5" not in text
    assert sistel.parse(text).fingerprint == system.fingerprint


def test_where_a_behaviour_stands_among_its_items_does_not_matter() -> None:
    chart = """<behaviour name="go" start="a" p="1" q="2" r="3"><state name="a" r="4"><go to="b" when="far"/></state>
      <state name="b" q="5"/></behaviour>"""
    items = """<signal name="far" value="t gt 1 s"/><signal name="two" value="go.r + go.q"/><signal name="one" value="go.p"/>"""
    made = {
        sistel.parse(
            f'<system><body mass="1" joint="revolute"/><scheme name="s" period="10 ms">{text}</scheme></system>'
        ).model.fingerprint
        for text in (chart + items, items + chart)
    }
    assert len(made) == 1
