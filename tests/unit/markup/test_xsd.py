"""The XSD that editors use: it takes what the reader takes, and refuses misspelt words."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

import sistel
from sistel.markup.schema._choices import ALL
from sistel.markup.schema._kinds import Keyword
from sistel.markup.schema._table import ELEMENTS
from sistel.markup.schema.generate import schema_xsd

XS = "{http://www.w3.org/2001/XMLSchema}"
MODELS = sorted((Path(__file__).resolve().parents[3] / "models").glob("*.xml"))

ENGLISH = """
<system name="walker" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
        xsi:noNamespaceSchemaLocation="xsystel.xsd">
  <parameter name="l" value="500 mm"/>
  <body name="trunk" joint="free" mass="10" inertia="0.4">
    <body name="leg" joint="revolute" mass="5" com="0, l/2"><point name="foot" place="0, l"/></body>
  </body>
  <links>
    <contact name="L" point="foot" surface="y = 0" friction="0.8"/>
    <closure name="pin" body="leg" at="0, l" holds="no"/>
    <structure name="flight"/>
    <structure name="stance" holds="L"/>
    <transition from="flight" to="stance" when="gap(L) falls through 0" impact="plastic"/>
  </links>
  <start trunk.y="-1000" leg="10 deg" leg.rate="5"/>
</system>
"""
RUSSIAN = """
<СистемаТел имя="шагающий" класс="ПДСТ" версия="1">
  <Тело номер="1" имя="корпус" КП="3" КПТ="0, -1000" min="0, -3000, -90" max="5000, 0, 90" масса="10" инерция="0.4">
    <тело номер="2" КП="ВКП" кпт="0,0" масса="5" цм="0, 250"><точка имя="стопа" место="0, 500" цвет="Красный"/></тело>
  </Тело>
  <связи>
    <контакт имя="Л" точка="стопа" поверхность="y = 0" трение="сцепление" удар="пластический"/>
    <разрыв имя="палец" тело="2" место="0, 500" держит="Нет"/>
    <структура имя="полёт" класс="пдстов"/>
    <структура имя="опора" держит="Л"/>
    <переход из="полёт" в="опора" когда="зазор(Л) падает через 0"/>
  </связи>
  <начало корпус.угол="5 град"/>
</СистемаТел>
"""


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.fromstring(schema_xsd().encode()))


def errors(schema: etree.XMLSchema, text: str | bytes) -> list[str]:
    tree = etree.fromstring(text.strip() if isinstance(text, bytes) else text.strip().encode())
    schema.validate(tree)
    return [f"{error.line}: {error.message}" for error in schema.error_log]


@pytest.mark.parametrize("text", [ENGLISH, RUSSIAN], ids=["en", "ru"])
def test_systems_are_valid(text: str, schema: etree.XMLSchema) -> None:
    sistel.parse(text)
    assert errors(schema, text) == []


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_gallery_is_valid(path: Path, schema: etree.XMLSchema) -> None:
    assert errors(schema, path.read_bytes()) == []


@pytest.mark.parametrize("element", ELEMENTS, ids=lambda element: element.key)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_examples_are_valid(element: object, lang: str, schema: etree.XMLSchema) -> None:
    assert errors(schema, getattr(element.example, lang)) == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_canonical_text_is_valid(lang: str, schema: etree.XMLSchema) -> None:
    assert errors(schema, sistel.parse(ENGLISH).to_xml(lang).encode()) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("<body name", "<bodi name", "bodi"),  # reported also for the closing tag by the parser, so both change
        ("<point name", "<pont name", "pont"),
        ("<links>", "<link>", "link"),
        ('mass="5"', 'maass="5"', "maass"),
        ('holds="no"', 'hold="no"', "hold"),
        ('holds="no"', 'holds="nope"', "nope"),
        ('joint="revolute"', 'joint="revolut"', "revolut"),
        ('impact="plastic"', 'impact="plastik"', "plastik"),
        ('name="leg"', 'name="leg (left)"', "leg (left)"),
        ('value="500 mm"', 'value=""', "value"),
        ("<structure name=", "<point name=", "point"),
        ("<parameter ", "words <parameter ", "element-only"),
    ],
)
def test_misspelt_words_are_refused(right: str, wrong: str, complaint: str, schema: etree.XMLSchema) -> None:
    text = ENGLISH.replace(right, wrong)
    assert text != ENGLISH
    for tag in ("body", "link"):
        if wrong.startswith(f"<{tag[:3]}") and right.startswith(f"<{tag}"):
            text = text.replace(f"</{right.strip('<>').split()[0]}>", f"</{wrong.strip('<>').split()[0]}>")
    found = errors(schema, text)
    assert found
    assert any(complaint in line for line in found)
    with pytest.raises(sistel.SistelError):
        sistel.parse(text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("<точка ", "<точки "),
        ('масса="5"', 'маса="5"'),
        ('КП="ВКП"', 'КП="ВКР"'),
        ('КП="3"', 'КП="4"'),
        ('класс="ПДСТ"', 'класс="ПДСТЯ"'),
        ('держит="Нет"', 'держит="неа"'),
        ('номер="1"', 'номер="первый"'),
        ('цвет="Красный"', 'цвет="крастный"'),
        ('КП="ВКП"', 'KП="ВКП"'),  # the first letter is Latin
    ],
)
def test_misspelt_russian_words_are_refused(right: str, wrong: str, schema: etree.XMLSchema) -> None:
    text = RUSSIAN.replace(right, wrong)
    assert text != RUSSIAN
    assert errors(schema, text)
    with pytest.raises(sistel.SistelError):
        sistel.parse(text)


def test_every_word_is_declared() -> None:
    tree = etree.fromstring(schema_xsd().encode())
    declared = {element.get("name") for element in tree.findall(f"{XS}element")}
    for element in ELEMENTS:
        assert {*element.en, *element.ru} <= declared
        kind = tree.find(f"{XS}complexType[@name='{element.key}-type']")
        assert kind is not None
        attributes = {attribute.get("name") for attribute in kind.findall(f"{XS}attribute")}
        assert {word for attribute in element.attributes for word in (*attribute.en, *attribute.ru)} <= attributes
        assert (kind.find(f"{XS}anyAttribute[@namespace='##any']") is not None) is bool(element.open)
    assert {"Тело", "тело", "Body", "body", "СистемаТел", "системаТел", "system"} <= declared
    words = {item.get("value") for item in tree.iter(f"{XS}enumeration")}
    for keyword in (kind for kind in ALL if isinstance(kind, Keyword)):
        assert {w for choice in keyword.choices for w in (*choice.en, *choice.ru, *choice.both)} <= words


def test_remarks_are_in_both_languages() -> None:
    tree = etree.fromstring(schema_xsd().encode())
    for annotation in tree.iter(f"{XS}annotation"):
        languages = [d.get("{http://www.w3.org/XML/1998/namespace}lang") for d in annotation]
        assert languages == ["en", "ru"]
        assert all(d.text for d in annotation)
    for attribute in tree.iter(f"{XS}attribute"):
        assert attribute.find(f"{XS}annotation") is not None
