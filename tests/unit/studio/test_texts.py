"""Calls about a text: what may be written, what words mean, where names stand, layout, language."""

import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sistel.errors import Diagnostics, Source
from sistel.markup import read_any, write_document
from sistel.studio.service import reply

MODELS = Path(__file__).resolve().parents[3] / "models"
GALLERY = sorted(path for path in MODELS.rglob("*.xml") if path.is_file())
LEG = (
    '<system name="leg"><parameter name="l" value="400 mm" about="of the thigh"/>\n'
    '  <body name="thigh" joint="revolute" mass="2" com="0, l/2" inertia="0.1">\n'
    '    <point name="knee" place="0, l"/>\n'
    "  </body>\n"
    '  <links><contact name="rest" point="knee" surface="y = 900"/></links>\n'
    "</system>\n"
)


def ask(method: str, text: str, **more: object) -> Any:
    answer = reply(method, {"path": "a.xml", "text": text, **more})
    assert "done" in answer, answer
    return answer["done"]


def offered(marked: str) -> dict[str, Any]:
    """What is offered where the text has a bar, by what is shown."""
    at = marked.index("|")
    done = ask("text.complete", marked[:at] + marked[at + 1 :], at=at)
    return {each["label"]: each for each in done["items"]}


def changed(text: str, edits: list[dict[str, Any]]) -> str:
    for each in sorted(edits, key=lambda one: -one["from"]):
        text = text[: each["from"]] + each["insert"] + text[each["to"] :]
    return text


def meant(text: str, path: str = "a.xml") -> str:
    """What a text says, without its layout."""
    document, _ = read_any(Source(path, text), Diagnostics())
    assert document is not None
    return write_document(document.root, document.lang)


def test_elements_that_may_stand_at_a_place_are_offered_with_what_they_need() -> None:
    inside = offered('<system><body name="a">|</body></system>')
    assert "point" in inside and "links" not in inside
    assert inside["point"]["snippet"] == '<point name="${1}"/>'
    russian = offered("<системаТел><связи><кон|</связи></системаТел>")
    assert "контакт" in russian and "contact" not in russian and "Тело" not in russian
    assert set(offered("|")) == {"system", "task"}


@pytest.mark.parametrize(
    ("marked", "has", "lacks"),
    [
        ('<system><body name="a" |/></system>', {"joint", "mass"}, {"name", "масса"}),
        ('<системаТел><тело имя="a" |/></системаТел>', {"КП", "масса"}, {"имя", "joint"}),
        ('<system><body joint="|', {"revolute", "free"}, {"ВКП"}),
        ('<системаТел><тело КП="|"/></системаТел>', {"ВКП", "СКП"}, {"revolute"}),
        ('<system><body mass="2 |"/></system>', {"kg", "g"}, {"sin"}),
        (LEG.replace("0, l/2", "0, |l/2"), {"l", "sin", "pi"}, {"angle", "thigh"}),
        (LEG.replace('point="knee"', 'point="|"'), {"knee"}, {"thigh", "rest"}),
        (LEG.replace("</links>", '<structure name="s" holds="|"/></links>'), {"rest"}, {"knee"}),
        (LEG.replace("</links>", '<transition when="gap(|) = 0"/></links>'), {"rest"}, {"knee", "l"}),
        (LEG.replace("</links>", '<transition when="|"/></links>'), {"l", "gap", "rises through"}, {"knee"}),
        (LEG.replace("</system>", "<start |/></system>"), {"thigh", "thigh.rate", "structure"}, {"knee"}),
        (LEG.replace('surface="y = 900"', 'surface="|"'), {"x", "y", "l"}, {"gap"}),
        ('<system><body><shape d="m0,0v{|}"/></body></system>', {"sin"}, {"gap"}),
        ('<system><body name="a"></|', {"body", "system"}, {"point"}),
        ("<system><!-- |", set(), {"body"}),
    ],
)
def test_what_may_be_written_is_offered_and_nothing_else(marked: str, has: set[str], lacks: set[str]) -> None:
    found = set(offered(marked))
    assert has <= found and not lacks & found


def test_the_first_line_of_a_new_file_has_the_language_of_the_window() -> None:
    done = ask("text.complete", "<", at=1, lang="ru")
    assert {each["label"] for each in done["items"]} == {"системаТел", "задача"}


def test_a_broken_text_still_offers_names_and_has_an_outline() -> None:
    broken = LEG.replace("</body>", "").replace('surface="y = 900"/>', 'surface="y = 9&00" of="')
    at = broken.index('point="knee"') + len('point="')
    assert "knee" in {each["label"] for each in ask("text.complete", broken, at=at)["items"]}
    outline = ask("text.outline", broken)
    words = str(outline["items"])
    assert not outline["whole"] and all(name in words for name in ("thigh", "knee", "rest"))


def test_words_are_explained_in_both_languages_with_units_values_and_places() -> None:
    found = ask("text.hover", LEG, at=LEG.index("com="))
    assert found["title"] == {"en": "com", "ru": "ЦМ"} and {"en": "mm", "ru": "мм"} in [
        e["value"] for e in found["facts"]
    ]
    name = ask("text.hover", LEG, at=LEG.index("l/2"))
    assert name["about"]["en"] == "of the thigh" and name["declared"]["from"] == LEG.index('l" value')
    assert name["facts"][0]["value"] == {"en": "0.4 m", "ru": "0.4 м"}
    value = ask("text.hover", LEG, at=LEG.index("/2") + 1)
    assert value["facts"][0]["value"]["en"] == "200 mm"
    joint = ask("text.hover", LEG, at=LEG.index("revolute"))
    assert joint["title"]["ru"] == "ВКП"
    assert ask("text.hover", LEG, at=LEG.index("\n")) is None


def test_a_name_leads_to_its_declaration_and_to_all_its_places() -> None:
    at = LEG.index('point="knee"') + 8
    found = ask("text.definition", LEG, at=at)
    assert LEG[found["from"] : found["to"]] == "knee" and found["from"] == LEG.index("knee")
    places = ask("text.references", LEG, at=at)["places"]
    assert [LEG[each["from"] : each["to"]] for each in places] == ["knee", "knee"]
    assert ask("text.definition", LEG, at=0) is None


def test_a_name_is_changed_everywhere_or_the_reason_is_told() -> None:
    at = LEG.index('name="l"') + 6
    after = changed(LEG, ask("text.rename", LEG, at=at, name="length of it")["edits"])
    assert 'com="0, length of it/2"' in after and 'place="0, length of it"' in after
    assert not ask("text.check", after)["diagnostics"]
    other = LEG.index('name="knee"') + 7
    taken = reply("text.rename", {"path": "a", "text": LEG, "at": other, "name": "thigh"})["failed"]
    assert taken["code"] == "name-taken" and taken["message"]["en"] != taken["message"]["ru"]  # type: ignore[index]
    begun = LEG.replace("</system>", '<start thigh="3 deg"/></system>')
    words = reply("text.rename", {"text": begun, "at": begun.index('"thigh"') + 1, "name": "left thigh"})["failed"]
    assert words["code"] == "no-blanks" and words["diagnostics"][0]["related"]  # type: ignore[index]
    for name, code in (("t", "name-in-the-way"), ("a,b", "bad-name"), (" ", "bad-name")):
        assert reply("text.rename", {"text": LEG, "at": at, "name": name})["failed"]["code"] == code  # type: ignore[index]


@pytest.mark.parametrize("path", GALLERY[::4], ids=lambda path: path.stem)
def test_names_of_the_gallery_are_changed_without_harm(path: Path) -> None:
    """Some names each: the file says the same with another name."""
    text = path.read_text(encoding="utf-8")
    if "<task" in text or "<задача" in text:
        pytest.skip("a task names things of its model")
    declared = [found.start(1) for found in re.finditer(r'\s(?:name|имя)="([^"]+)"', text)]
    before = [each["code"] for each in ask("text.check", text, path=str(path))["diagnostics"]]
    for at in declared[:: max(1, len(declared) // 4)]:
        place = ask("text.rename", text, at=at, path=str(path))
        if place is None:
            continue
        if "{" in place["name"] or place["kind"] in ("index", "variable", "term"):
            continue
        answer = reply("text.rename", {"path": str(path), "text": text, "at": at, "name": "renamed_thing"})
        if "failed" in answer:  # signals of sub-schemes are asked for by the names of their uses
            assert place["kind"] == "signal" and ("ports=" in text or "порты=" in text), answer
            continue
        after = changed(text, answer["done"]["edits"])  # type: ignore[index]
        assert [each["code"] for each in ask("text.check", after, path=str(path))["diagnostics"]] == before, place


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_files_of_the_gallery_are_laid_out_anew_and_translated(path: Path) -> None:
    """Blanks are put elsewhere at random; layout brings them back, and remarks and values stay."""
    text = path.read_text(encoding="utf-8")
    dice = random.Random(path.name)

    def damaged(found: re.Match[str]) -> str:
        return found.group() if dice.random() < 0.5 else found.group(1) + " " * dice.randrange(6) + "<"

    ragged = re.sub(r"(\n)[ \t]*<(?!!|\?)", damaged, text)
    once = changed(ragged, ask("text.format", ragged)["edits"])
    assert changed(once, ask("text.format", once)["edits"]) == once
    assert re.findall(r"(?s)<!--.*?-->", once) or "<!--" not in text
    assert "".join(once.split()) == "".join(text.split())
    if read_any(Source(str(path), text), Diagnostics())[0] is not None:
        assert meant(once, str(path)) == meant(text, str(path))
        there = changed(text, ask("text.translate", text)["edits"])
        assert meant(there, str(path)).count("<") == meant(text, str(path)).count("<")
    outline = ask("text.outline", text, path=str(path))
    assert outline["items"][0]["to"] <= len(text)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        (LEG.replace("revolute", "revolutee"), LEG),
        (LEG.replace("<point", "<pointt"), LEG),
        (LEG.replace('mass="2"', 'masss="2"'), LEG),
        (LEG.replace('point="knee"', 'point="kne"'), LEG),
        (LEG.replace("0, l/2", "0, ll/2"), None),
        (LEG.replace('name="rest" ', ""), None),
        (LEG.replace("joint=", "jоint="), LEG),
        (LEG.replace('name="knee"', 'name="thigh"').replace('point="knee"', 'point="thigh"'), None),
    ],
)
def test_mistakes_come_with_changes_that_mend_them(text: str, repaired: str | None) -> None:
    found = ask("text.check", text)["diagnostics"]
    mends = [fix for each in found for fix in each["fixes"]]
    if repaired is None:
        worse = sum(each["severity"] == "error" for each in found)
        assert all(
            sum(e["severity"] == "error" for e in ask("text.check", changed(text, fix["edits"]))["diagnostics"]) < worse
            for fix in mends
        )
        return
    assert repaired in [changed(text, fix["edits"]) for fix in mends]
    assert all(fix["title"]["en"] and fix["title"]["ru"] for fix in mends)


HOSTILE = (
    "",
    "<",
    "</>",
    "<system",
    '<system name="',
    "not xml at all",
    "{}",
    "<a>" * 400,
    '<system><body name="\x00"/></system>',
    "<system>" + "<body/>" * 3000 + "</system>",
    '<system name="🦾"><body name="🦿" joint="revolute"/></system>',
    '<system><parameter name="a" value="' + "(" * 500 + '"/></system>',
    "<!--",
    "<![CDATA[",
    '<?xml version="1.0"?>',
    '<!DOCTYPE a [<!ENTITY b "c">]><system>&b;</system>',
)


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_texts_are_answered(number: int) -> None:
    text = HOSTILE[number]
    for at in sorted({0, 1, len(text) // 2, len(text)}):
        for name in ("check", "complete", "hover", "definition", "references", "outline"):
            ask(f"text.{name}", text, at=at)
        for name in ("format", "translate", "rename"):
            answer = reply(f"text.{name}", {"path": "a", "text": text, "at": at, "name": "new"})
            assert ("failed" in answer) != ("done" in answer)


def test_damaged_files_are_answered_quickly() -> None:
    dice = random.Random(7)
    walker = (MODELS / "walker.xml").read_text(encoding="utf-8")
    for _ in range(20):
        at = dice.randrange(len(walker))
        text = walker[:at] + dice.choice(["<", '"', ">", "&", "", "</", "/>"]) + walker[at + dice.randrange(30) :]
        begin = time.process_time()
        done = ask("text.complete", text, at=at)
        assert isinstance(done["items"], list)
        ask("text.check", text)
        ask("text.outline", text)
        assert time.process_time() - begin < 3.0


def test_texts_are_answered_without_numerics() -> None:
    """The same functions run in a browser, where there is no NumPy."""
    code = (
        "import sys\n"
        "for name in ('numpy', 'lxml', 'llvmlite', 'scipy'): sys.modules[name] = None\n"
        "from sistel.studio.service import reply\n"
        "text = sys.stdin.read()\n"
        "for name in ('check', 'complete', 'hover', 'outline', 'format', 'translate', 'references', 'definition'):\n"
        "    assert 'done' in reply('text.' + name, {'path': 'a', 'text': text, 'at': 40}), name\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=LEG, text=True, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_every_first_element_of_the_language_is_known(models_dir: Path) -> None:
    """What others include, motors to choose from, drives and cells are no broken systems, and are checked as they are."""
    kinds = {
        "tasks/motors.xml": "motors",
        "tasks/reach.xml": "task",
        "drives/drives.xml": "drives",
        "drives/приводы.xml": "drives",
        "mf4/hangar.xml": "part",
        "tasks/pd.xml": "part",
        "pendulum.xml": "system",
    }
    for name, kind in kinds.items():
        text = (models_dir / name).read_text(encoding="utf-8")
        found: Any = reply("text.check", {"path": str(models_dir / name), "text": text})["done"]
        assert found["kind"] == kind, name
        assert not [each for each in found["diagnostics"] if each["severity"] == "error"], name
    motors = '<приводы><привод имя="A" предел="4 {}" скорость="90 град/с"/></приводы>'
    for unit, errors in (("Н*м", 0), ("кг", 1)):
        found = reply("text.check", {"path": "m.xml", "text": motors.format(unit)})["done"]
        assert (found["kind"], len(found["diagnostics"])) == ("motors", errors)
    part = '<system name="p"><world><box name="b" size="1, 1, 1"/><bix/></world></system>'
    found = reply("text.check", {"path": "p.xml", "text": part})["done"]
    assert [each["code"] for each in found["diagnostics"] if each["severity"] == "error"] == ["unknown-element"]
    # A system that nobody has begun with is still told what it lacks.
    found = reply("text.check", {"path": "s.xml", "text": '<system name="s"/>'})["done"]
    assert found["kind"] == "system" and found["diagnostics"][0]["code"] == "no-bodies"


@pytest.mark.slow
def test_a_cell_is_checked_with_the_arms_that_it_names(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models_dir)
    text = (models_dir / "cells" / "flexible.xml").read_text(encoding="utf-8")

    def wrong(text: str) -> list[Any]:
        found = reply("text.check", {"path": "cells/flexible.xml", "text": text})["done"]
        assert found["kind"] == "cell"
        return [(each["code"], each["line"]) for each in found["diagnostics"]]

    assert wrong(text) == []
    assert ("no-file", 6) in wrong(text.replace("mr_angular.xml", "mr_angle.xml", 1))
