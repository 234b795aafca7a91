"""What is made of the schema table for people and editors: the reference page, the examples, the completions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import sistel
from sistel.errors import Diagnostics, Language, Source
from sistel.markup import read_document, read_tree, translate, write_document
from sistel.markup.expressions._words import FUNCTIONS
from sistel.markup.schema._choices import ALL
from sistel.markup.schema._kinds import ElementSpec, Friction, Keyword
from sistel.markup.schema._reference import KEYWORD_LISTS
from sistel.markup.schema._table import ELEMENT_BY_KEY, ELEMENT_BY_WORD, ELEMENTS
from sistel.markup.schema.generate import schema_completions, schema_reference
from sistel.units import UNITS

LANGUAGES: tuple[Language, ...] = ("en", "ru")

# Each example in the smallest system that it makes sense in, by the key of its element; `@` marks the place.
IN_SCHEME = (
    "<system><parameter name='U1' value='6 V'/><body name='arm' joint='revolute'/><scheme name='s' period='10 ms'>"
    "<signal name='u' value='U1'/><signal name='near' value='angle(arm) gt 1 rad'/>#</scheme></system>"
)
"""A scheme with something instead of #."""

THREE = "".join(f"<term name='{i}' points='{i}, {i + 1}, {i + 2}'/>" for i in range(3))
AHEAD = "".join(
    f"<variable name='{name}' value='1'><term name='{term}' points='0, 1, 2'/></variable>"
    for name, term in (("ahead", "near"), ("left", "far"))
)
FUZZY = (
    "<system><body name='arm' joint='revolute'/><scheme name='drive' period='10 ms'><signal name='d front' value='1 m'/>"
    "<block name='f' kind='sugeno'>#<variable name='u'><term name='on' value='1'/></variable></block></scheme></system>"
)
HOMES: dict[str, str] = {
    "system": "@",
    "parameter": "<system>@<body joint='revolute' place='l,0'/></system>",
    "gravity": "<system>@<body joint='revolute'/></system>",
    "body": "<system>@</system>",
    "world": "<system>@<body joint='revolute'/></system>",
    **dict.fromkeys(
        ("point", "frame", "shape", "box", "polygon", "polyline", "cylinder", "sphere", "circle"),
        "<system><body joint='free'>@</body></system>",
    ),
    **dict.fromkeys(("cone", "capsule", "mesh", "force", "moment"), "<system><body joint='free'>@</body></system>"),
    "profile": "<system><world>@</world><body joint='free'/></system>",
    "wheel": "<system space='spatial'><body joint='free'>@</body></system>",
    "spring": "<system><body name='rod' joint='revolute'/>@</system>",
    "motor": "<system><body joint='revolute'>@</body></system>",
    "stop": "<system><body joint='revolute' min='-90' max='90'>@</body></system>",
    "motion": "<system><body name='hip' joint='revolute'><body name='knee' joint='revolute'/></body>@</system>",
    "row": "<system><body name='hip' joint='revolute'><body name='knee' joint='revolute'/></body>"
    "<motion of='hip, knee'><row time='0' values='0, 0'/>@</motion></system>",
    "drawing": "<system><body name='rod' joint='revolute'/>@</system>",
    **dict.fromkeys(
        ("pose", "line", "mark", "dimensions"),
        "<system><body name='rod' joint='revolute'/><drawing>@</drawing></system>",
    ),
    "dimension": "<system><body joint='revolute'/><drawing><dimensions frame='0, 0, 9, 9'>@</dimensions></drawing>"
    "</system>",
    "start": "<system><body name='crank' joint='revolute'/>@</system>",
    "coordinate": "<system><body name='left leg' joint='revolute'/><start>@</start></system>",
    "posture": "<system><body name='shoulder' joint='revolute'><body name='elbow' joint='revolute'/></body>@</system>",
    "group": "<system><body name='shoulder' joint='revolute'><body name='elbow' joint='revolute'>"
    "<body name='wrist' joint='revolute'/></body></body>@</system>",
    "include": "<system><body name='trunk' joint='free'/>@</system>",
    "repeat": "<system>@</system>",
    "links": "<system><body name='crank' joint='revolute'><body name='coupler' joint='revolute' place='200,0'/></body>"
    "<body name='rocker' joint='revolute' place='400,0'/>@</system>",
    "joint": "<system><body name='crank' joint='revolute'/><body name='coupler'/><links>@</links></system>",
    "closure": "<system><body name='coupler' joint='free'/><body name='rocker' joint='revolute'/>"
    "<links>@</links></system>",
    "contact": "<system><body name='leg' joint='free'><point name='left foot'/></body><links>@</links></system>",
    "lock": "<system><body name='load' joint='free'/><body name='hand' joint='revolute'/>"
    "<links>@<structure name='carries' holds='grip'/></links></system>",
    "track": "<system space='spatial'><body name='hull' joint='planar'><body name='left sprocket' joint='revolute' axis='y'/>"
    "</body>@<track name='right' of='hull' rear='-300, -250, 0' front='300, -250, 0' drive='left sprocket' radius='90' "
    "friction='0.6'/></system>",
    "blade": "<system><body name='sleigh' joint='free'><point name='heel'/></body><links>@</links></system>",
    "coupling": "<system><body name='left finger' joint='prismatic'/><body name='right finger' joint='prismatic'/>"
    "<links>@</links></system>",
    "gear": "<system><body name='motor' joint='revolute'/><body name='wheel' joint='revolute'/><links>@</links></system>",
    "clutch": "<system><body name='shaft' joint='revolute'/><body name='engine' joint='revolute'/>"
    "<links>@</links></system>",
    "differential": "<system><body name='shaft' joint='revolute'/><body name='left wheel' joint='revolute'/>"
    "<body name='right wheel' joint='revolute'/><links>@</links></system>",
    **dict.fromkeys(
        ("signal", "block", "input", "lamp", "dial", "indicator"),
        "<system><body name='arm' joint='revolute'/><scheme name='drive' period='10 ms'>@</scheme></system>",
    ),
    "sensor": "<system><body name='arm' joint='revolute'><frame name='front 1'/><frame name='front 2'/></body>"
    "<scheme name='drive' period='10 ms'>@</scheme></system>",
    "scheme": "<system><body name='arm' joint='revolute'/>@</system>",
    "variable": FUZZY.replace("#", "@<rule when='ahead is near' then='u is on'/>"),
    "term": FUZZY.replace("#", "<variable name='e' value='1 m'>@</variable><rule when='e is near' then='u is on'/>"),
    "rule": FUZZY.replace("#", AHEAD + "@").replace("'u'", "'turn'").replace("'on'", "'left'"),
    "rules": FUZZY.replace(
        "#", "".join(f"<variable name='{name}' value='1'>{THREE}</variable>" for name in ("error", "rate")) + "@"
    )
    .replace("'u'", "'force'")
    .replace(
        "<term name='on' value='1'/>", "".join(f"<term name='{w}' value='1'/>" for w in ("left", "none", "right"))
    ),
    "use": "<system><body name='shoulder' joint='revolute'/><scheme name='axis' ports='target, angle, speed'>"
    "<signal name='e' value='target - angle + speed*1 s'/></scheme><scheme name='drive'>@</scheme></system>",
    "behaviour": IN_SCHEME.replace("#", "@"),
    "state": IN_SCHEME.replace(
        "#",
        "<behaviour name='b' start='turn' L='U1' R='U1'><state name='turn'>"
        "<go to='ahead' after='1 s'/></state>@</behaviour>",
    ),
    "parallel": IN_SCHEME.replace("#", "<behaviour name='b' start='both'>@</behaviour>"),
    "final": IN_SCHEME.replace(
        "#", "<behaviour name='b' start='a'><state name='a'><go to='arrived' after='1 s'/></state>@</behaviour>"
    ),
    "history": IN_SCHEME.replace(
        "#",
        "<behaviour name='b' start='a'><state name='a'><go to='last' after='1 s'/></state>"
        "<state name='c' start='turn'><state name='turn'/>@</state></behaviour>",
    ),
    "go": IN_SCHEME.replace(
        "#", "<behaviour name='b' start='a'><state name='a'>@</state><state name='turn'/></behaviour>"
    ),
    **dict.fromkeys(
        ("enter", "exit"),
        IN_SCHEME.replace("#", "<behaviour name='b' start='a'><data name='n'/><state name='a'>@</state></behaviour>"),
    ),
    **dict.fromkeys(
        ("assign", "raise"),
        IN_SCHEME.replace(
            "#", "<behaviour name='b' start='a'><data name='n'/><state name='a'><enter>@</enter></state></behaviour>"
        ),
    ),
    "data": IN_SCHEME.replace("#", "<behaviour name='b' start='a'>@<state name='a'/></behaviour>"),
    "place": "<system><body name='arm' joint='revolute'/><scheme name='drive'><signal name='u' value='1'/>"
    "<drawing>@</drawing></scheme></system>",
    "output": "<system><body name='arm' joint='revolute'><motor name='arm'/></body><scheme name='drive'>"
    "<signal name='u' value='1 N*m'/>@</scheme></system>",
    "structure": "<system><body name='leg' joint='free'><point name='foot'/></body>"
    "<links><contact name='L' point='foot' surface='y = 0'/>@</links></system>",
    "change": "<system><body name='trunk' joint='free'><point name='heel'/></body>"
    "<links><structure name='on the heel'>@</structure></links></system>",
    "transition": "<system><body name='leg' joint='free'><point name='foot'/></body>"
    "<links><contact name='L' point='foot' surface='y = 0'/><structure name='flight'/>"
    "<structure name='stance' holds='L'/>@</links></system>",
    "set": "<system><body name='wheel' joint='revolute'/><links><structure name='rolls'/>"
    "<transition from='rolls' to='rolls' when='angle(wheel) rises through 45 deg'>@</transition></links></system>",
    "counter": "<system><body name='leg' joint='revolute'/><links>@</links></system>",
    "impulse": "<system><parameter name='e' value='0.5'/><parameter name='m' value='1 kg'/><body name='ball' "
    "joint='prismatic2'><point name='bottom'/></body><links><contact name='floor' point='bottom' surface='y = 0'/>"
    "<structure name='flight'/><transition from='flight' to='flight' when='gap(floor) falls through 0'>@</transition>"
    "</links></system>",
}

# The names that the Russian examples give, and those of the English ones.
NAMES = {
    "маятник": "pendulum",
    "стержень": "rod",
    "пятка": "heel",
    "инструмент": "tool",
    "бедро": "hip",
    "колено": "knee",
    "пол": "floor",
    "шаги": "steps",
    "кривошип": "crank",
    "левая нога": "left leg",
    "дом": "home",
    "плечо": "shoulder",
    "локоть": "elbow",
    "рука": "arm",
    "кисть": "wrist",
    "шатун": "coupler",
    "коромысло": "rocker",
    "стопа_л": "left foot",
    "Л": "L",
    "хват": "grip",
    "груз": "load",
    "пальцы": "fingers",
    "пара": "mesh",
    "муфта": "clutch",
    "мост": "axle",
    "двигатель": "engine",
    "мотор": "motor",
    "вал": "shaft",
    "левое колесо": "left wheel",
    "правое колесо": "right wheel",
    "правый палец": "right finger",
    "левый палец": "left finger",
    "на левой": "on the left",
    "корпус": "trunk",
    "полёт": "flight",
    "опора": "stance",
    "колесо": "wheel",
    "левая ": "left ",
    "нога.xml": "leg.xml",
    "звено {i}": "link {i}",
    "мяч": "ball",
    "шина": "tyre",
    "обод": "rim",
    "лезвие": "runner",
    "бока": "sides",
    "лестница": "stairs",
    "холм": "hill",
    "ступень": "step",
    "ход": "go",
    "поворот": "turn",
    "стоп": "stop",
    "вперёд": "ahead",
    "близко": "near",
    "оба": "both",
    "лампа": "lamp",
    "приехал": "arrived",
    "прежнее": "last",
    "ушёл": "left",
    "полно": "full",
}
PARTICULAR = {
    "scheme": {"привод": "drive"},
    "parallel": {"привод": "drive"},
    "task": {"досягаемость": "reach"},
    **{key: {"рука": "hand"} for key in ("kinematics", "statics")},
    "synthesis": {"рука": "hand", "груз": "payload"},
    "signal": {"ошибка": "error"},
    "input": {"задание": "task"},
    "lamp": {"готово": "ready"},
    "dial": {"скорость": "speed"},
    "sensor": {"спереди": "front", "спереди 1": "front 1", "спереди 2": "front 2"},
    "track": {"левая": "left", "trunk": "hull", "левая звёздочка": "left sprocket"},
    "lock": {"кисть": "hand"},
    "mesh": {"кисть.stl": "hand.stl"},
}


WITHIN = {
    "variable": {"впереди": "ahead", "близко": "near", "d перед": "d front"},
    "term": {"близко": "near"},
    "rule": {
        "впереди": "ahead",
        "близко": "near",
        "слева": "left",
        "далеко": "far",
        "поворот": "turn",
        "влево": "left",
    },
    "rules": {
        "ошибка": "error",
        "скорость": "rate",
        "сила": "force",
        "влево": "left",
        "вправо": "right",
        "ноль": "none",
    },
    "use": {
        "сустав 1": "joint 1",
        '"ось"': '"axis"',
        " цель=": " target=",
        " угол=": " angle=",
        " скорость=": " speed=",
    },
}
"""Names that stand within texts, or are those of attributes."""


def english_names(text: str, key: str) -> str:
    """The Russian example with the names of the English one; its words stay."""
    for name, other in WITHIN.get(key, {}).items():
        text = text.replace(name, other)
    for name, other in (NAMES | PARTICULAR.get(key, {})).items():
        text = re.sub(rf'(?<=["(]){name}(?=["),])|(?<=, ){name}(?=["),])|(?<= ){name}(?=[.=])', other, text)
    return text


TASKS = ("task", "vary", "kinematics", "statics", "dynamics", "control", "identification", "synthesis", "motors")
"""Elements of files about models."""


def written_task(element: ElementSpec, example: str) -> str:
    """The example in a task of its own, written in English words."""
    root = "motors" if element.key == "motors" else "task"
    text = example if element.key == root else f"<task model='arm.xml'>{example}</task>"
    source, diagnostics = Source("example.xml", text), Diagnostics()
    tree = read_tree(source, diagnostics)
    assert tree is not None
    document = read_document(tree, source, diagnostics, root)
    diagnostics.raise_if_failed()
    assert document is not None
    return write_document(document.root, "en")


@pytest.mark.parametrize("key", TASKS)
def test_examples_of_tasks_mean_the_same_in_both_languages(key: str) -> None:
    element = ELEMENT_BY_KEY[key]
    russian = written_task(element, english_names(element.example.ru, key))
    assert written_task(element, element.example.en) == russian


def load(element: ElementSpec, example: str, folder: Path) -> sistel.System:
    (folder / "leg.xml").write_text("<system><body name='leg' joint='revolute'/></system>", encoding="utf-8")
    return sistel.parse(HOMES[element.key].replace("@", example), str(folder / "example.xml"))


@pytest.mark.parametrize("element", [e for e in ELEMENTS if e.key not in TASKS], ids=lambda element: element.key)
def test_examples_mean_the_same_in_both_languages(element: ElementSpec, tmp_path: Path) -> None:
    english = load(element, element.example.en, tmp_path)
    russian = load(element, english_names(element.example.ru, element.key), tmp_path)
    # That no body has a mass is only a note; and files that examples name are not there.
    told = [
        d for d in (*english.diagnostics, *russian.diagnostics) if d.severity != "note" and d.code != "no-mesh-file"
    ]
    assert [str(d) for d in told] == []
    assert english.fingerprint == russian.fingerprint


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("element", ELEMENTS, ids=lambda element: element.key)
def test_examples_are_in_one_language(element: ElementSpec, lang: Language) -> None:
    example = element.example.say(lang)
    assert translate(Source("example", example), lang, Diagnostics()) == example


@pytest.mark.parametrize("element", ELEMENTS, ids=lambda element: element.key)
def test_examples_show_the_element(element: ElementSpec) -> None:
    for lang in LANGUAGES:
        words = re.findall(r"<([^\s/>]+)", element.example.say(lang))
        assert ELEMENT_BY_WORD[words[0].casefold()] is element


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_has_every_word(lang: Language) -> None:
    page = schema_reference(lang)
    for element in ELEMENTS:
        title = f"### {element.written(lang)} · {element.written('en' if lang == 'ru' else 'ru')}\n"
        assert page.count(title) == 1
        section = page.split(title)[1].split("\n### ")[0]
        assert element.doc.say(lang) in section
        for attribute in element.attributes:
            assert attribute.doc.say(lang) in section
            for word in (*attribute.en, *attribute.ru):
                assert f"`{word}`" in section
    for word in (w for keyword in ALL for choice in keyword.choices for w in (*choice.en, *choice.ru, *choice.both)):
        assert f"`{word}`" in page
    for entry in (*FUNCTIONS, *UNITS):
        assert all(f"`{word}`" in page for word in (*entry.en, *entry.ru))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_links_lead_somewhere(lang: Language) -> None:
    page = schema_reference(lang)
    headings = re.findall(r"^#+ (.*)$", page, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors
    assert len(anchors) == len(headings)


def test_page_has_every_list_of_words() -> None:
    assert {id(keyword) for _, keyword in KEYWORD_LISTS} == {id(keyword) for keyword in ALL}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_shows_examples_as_they_are(lang: Language) -> None:
    """Laying an example out in lines changes nothing but blanks."""

    def squeeze(text: str) -> str:
        return re.sub(r"\s+", " ", re.sub(r">\s+<", "><", text)).strip()

    blocks = re.findall(r"```xml fragment\n(.*?)```", schema_reference(lang), flags=re.DOTALL)
    assert len(blocks) == len(ELEMENTS)
    shown = {squeeze(block) for block in blocks}
    other: Language = "en" if lang == "ru" else "ru"
    assert shown == {squeeze(element.example.say(lang) + element.example.say(other)) for element in ELEMENTS}
    assert max(len(line) for block in blocks for line in block.splitlines()) <= 84


def test_completions_are_plain_data() -> None:
    data = schema_completions()
    assert json.loads(json.dumps(data)) == data


def test_completions_know_the_table() -> None:
    elements = schema_completions()["elements"]
    assert isinstance(elements, dict)
    assert list(elements) == [element.key for element in ELEMENTS]
    for key, data in elements.items():
        spec = ELEMENT_BY_KEY[key]
        assert list(data["attributes"]) == [attribute.key for attribute in spec.attributes]
        for attribute in spec.attributes:
            choices = data["attributes"][attribute.key].get("choices", [])
            kind = attribute.kind.words if isinstance(attribute.kind, Friction) else attribute.kind
            if isinstance(kind, Keyword):
                assert [choice["key"] for choice in choices] == [choice.key for choice in kind.choices]
    body = elements["body"]["attributes"]
    assert body["place"]["unit"] == {"en": "mm", "ru": "мм"}
    assert body["min"]["unit"] == {"en": "mm or deg", "ru": "мм или град"}
    assert elements["start"]["open"] is True
    assert "links" in elements["closure"]["parents"]
