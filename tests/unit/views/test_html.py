"""The page for notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.structures import gallery

import sistel
from sistel.errors import Language
from sistel.views import show_html

EVIL = "&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)> &amp;lt; &quot;'"


class Reader(HTMLParser):
    """Checks that elements are nested properly, and notes what there is."""

    VOID = frozenset({"br", "hr", "img", "meta", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def evil_system() -> sistel.System:
    """Every name that a file can give is an attack."""
    return sistel.parse(
        f"""<system name="{EVIL}0" about="{EVIL}1">
  <parameter name="p" value="1" about="{EVIL}2"/>
  <body name="&lt;b>1" joint-name="&lt;i>2" mass="1" com="1,0" inertia="1">
    <point name="&lt;u>3" place="0,0"/>
    <motor name="&lt;b>4"/>
  </body>
  <links>
    <contact name="&lt;b>5" point="&lt;u>3" surface="y = 0"/>
    <structure name="&lt;b>6"/><structure name="&lt;b>7" holds="&lt;b>5"/>
    <transition from="&lt;b>6" to="&lt;b>7" when="gap('&lt;b>5') &lt; 0"/>
  </links>
</system>"""
    )


def test_hostile_names_stay_text():
    try:
        system = evil_system()
    except sistel.SistelError:
        # Names may not hold such characters at all; the free texts still may.
        system = sistel.parse(
            f'<system about="{EVIL}1"><parameter name="p" value="1" about="{EVIL}2"/><body name="a" mass="1" com="1,0"/></system>'
        )
    for lang in ("en", "ru"):
        reader = read(show_html(system.model, lang))
        assert not reader.tags & {"script", "u"}
        assert reader.attributes <= {"class", "lang", "open", "alt", "style", "src"}
        assert "<script>alert(1)</script>" in reader.text


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_gallery(models_dir: Path, lang: Language):
    for path in sorted(models_dir.glob("*.xml")):
        system = gallery(path.stem)
        html = show_html(system.model, lang)
        reader = read(html)
        assert system.name in reader.text and system.structure_class in reader.text
        assert "http" not in html.replace(system.name, "")
        assert not reader.tags & {"script", "link", "iframe"}
        sources = re.findall(r'src="([^"]*)"', html)
        assert sources and all(source.startswith("data:image/svg+xml;base64,") for source in sources)


def test_notebooks_get_it(monkeypatch: pytest.MonkeyPatch):
    system = sistel.parse('<system name="s"><body name="a" mass="1" com="1,0"/></system>')
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert "Дерево тел" in system._repr_html_()
    monkeypatch.setenv("LC_ALL", "C")
    assert "Tree of bodies" in system._repr_html_()


def test_large_systems_are_cut():
    rows = "".join(f'<body name="b{i}" base="0" mass="1" com="1,0"/>' for i in range(500))
    html = show_html(sistel.parse(f"<system>{rows}</system>").model, "en")
    assert html.count("<tr>") == 61
    assert html.count("… and 440 more") == 2
