"""The index of a site: cards that say what is true, words that are found, texts that stay texts."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import sistel
from sistel.errors import Text
from sistel.views.gallery import Card, card_of, draw_index
from sistel.views.gallery._card import plain, slugs
from sistel.views.gallery._index import _russian

MODELS = Path(__file__).resolve().parents[3] / "models"
EVIL = "</script><script>alert(1)</script>\"' ]]> --> \u202e"


def card(name: str) -> Card:
    model = sistel.load(MODELS / f"{name}.xml").model
    return card_of(model, name, f"{name}.xml", "A sentence", page=True, moving=False, run=True)


class Page(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = tag

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.text += data

    def all(self, tag: str, style: str = "") -> list[dict[str, str]]:
        return [found for name, found in self.elements if name == tag and style in found.get("class", "")]


def test_a_card_says_what_the_system_is() -> None:
    bird = card("woodpecker")
    model = sistel.load(MODELS / "woodpecker.xml").model
    assert (bird.name, bird.planar, bird.bodies) == (model.name, True, len(model.bodies))
    assert bird.structure_class == model.structure().structure_class
    assert set(bird.dof) == {structure.dof for structure in model.structures}
    arm = card("puma560")
    assert not arm.planar and arm.dof == (6,) and arm.structures == 1


def test_what_people_search_for_is_in_the_words() -> None:
    arm, walker = card("puma560"), card("walker")
    for text in ("puma", "СТОВ", "spatial", "пространственная", "open chain", "открытой"):
        assert all(word in arm.words for word in plain(text).split()), text
    for text in ("шагающий", "Шагающий аппарат", "walker", "planar", "плоская", "структуры", "бедро_л"):
        assert all(word in walker.words for word in plain(text).split()), text
    assert "spatial" not in walker.words.split()
    assert plain("Ёлка_А  ёлка") == "елка а"


def test_the_index() -> None:
    cards = [card(name) for name in ("woodpecker", "puma560", "walker", "double_pendulum")]
    cards[3] = replace(cards[3], page=False, moving=True)
    text = draw_index(cards, "ru")
    page = Page(text)
    assert page.elements[0] == ("html", {"lang": "ru", "data-lang": "ru"})
    found = page.all("li", "card")
    assert [each["data-of"] for each in found] == [each.structure_class for each in cards]
    assert [each["data-kinds"].split() for each in found][1] == ["spatial", "run"]
    assert [each["href"] for each in page.all("a")] == [
        f"models/{name}.html" for name in ("woodpecker", "puma560", "walker")
    ]
    assert page.all("img")[0]["src"] == "thumbs/woodpecker.svg"
    assert [each.get("data-moving") for each in page.all("img")][3] == "thumbs/double_pendulum.moving.svg"
    # Both languages are there, and everything that the page needs.
    assert "Галерея систем тел" in page.text and "Gallery of systems of bodies" in page.text
    assert not page.all("link", "stylesheet")
    assert not re.search(r"https?://", text.replace("http-equiv", ""))
    # Only the script of the page may run.
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = (each["content"] for each in page.all("meta") if each.get("http-equiv"))
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy


def test_filters_are_for_what_differs() -> None:
    def kinds(cards: list[Card]) -> list[str]:
        return [each["data-kind"] for each in Page(draw_index(cards, "en")).all("button", "chip")]

    planar = [card(name) for name in ("woodpecker", "double_pendulum")]
    # The bird hits and slides by contacts; neither is controlled, both are planar and move.
    assert [each.contacts for each in planar] == [True, False]
    assert kinds(planar) == ["structures", "contacts"]
    # What all or none of them have is no filter.
    assert kinds([planar[0], replace(planar[0], contacts=False)]) == ["contacts"]
    assert kinds([planar[1], replace(planar[1], control=True)]) == ["control"]
    assert kinds([planar[0], planar[0]]) == []
    one = Page(draw_index(planar[:1], "en"))
    assert one.all("button", "chip") == [] and one.all("select") == []
    assert len(Page(draw_index([], "en")).all("li")) == 0


def test_hostile_texts_stay_texts() -> None:
    evil = replace(
        card("woodpecker"),
        name=EVIL,
        about=EVIL,
        source=EVIL,
        structure_class=EVIL,
        class_words=Text(EVIL, EVIL),
        words=EVIL,
        slug='a"b<c> d',
    )
    text = draw_index([evil, card("walker")], "en", title=Text(EVIL, EVIL))
    page = Page(text)
    assert len(page.all("script")) == 1
    assert [tag for tag, _ in page.elements].count("li") == 2
    assert unquote(page.all("a")[0]["href"]) == 'models/a"b<c> d.html'
    assert page.all("li", "card")[0]["data-words"] == EVIL
    assert "<script>alert" not in text


def test_names_of_files() -> None:
    given = [
        "sub/walker.xml",
        "walker.urdf",
        "Walker.xml",
        "../a b<c>.xml",
        "шаг.xml",
        "...",
        "x" * 300 + ".xml",
        "a.b.xml",
    ]
    found = slugs(given)
    assert found[:3] == ["sub-walker", "walker", "Walker-2"]
    assert found[3] == "a-b-c" and found[4] == "шаг"
    assert len({each.casefold() for each in found}) == len(given)
    assert all(len(each) <= 64 and re.fullmatch(r"[\w-]+", each) for each in found)


def test_words_after_numbers() -> None:
    forms = [_russian(n, "тело", "тела", "тел") for n in (1, 2, 5, 11, 12, 21, 22, 25, 111)]
    assert forms == ["тело", "тела", "тел", "тел", "тел", "тело", "тела", "тел", "тел"]
