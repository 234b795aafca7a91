"""Pages of the proof sheet."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest

from sistel.errors import Diagnostic, Language, Text
from sistel.proofs._sheet import Proof, ProofSheet, Section
from sistel.views import ReadingRow, proofs_html, proofs_text, reading_text
from sistel.views._proofs import number
from sistel.views.text._paper import width_of

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def proof(error: float, **more: object) -> Proof:
    ways = (Text("one way", "один способ"), Text("another, quite long, way <b>", "другой, довольно длинный, способ"))
    given: dict[str, object] = {"tolerance": 1e-14, "rule": "n ε", "states": 6} | more
    return Proof(key="k", what=Text("momentum", "количество движения"), ways=ways, error=error, **given)  # type: ignore[arg-type]


def sheet(*proofs: Proof) -> ProofSheet:
    remark = Text("a remark of some length that does not fit into forty columns", "замечание, которое не помещается")
    sections = (
        Section(key="tree", structure=None, title=Text("Tree", "Дерево"), proofs=proofs),
        Section(key="structure", structure="s", title=Text("Structure “s”", "Структура «s»"), proofs=(), remarks=(remark,)),
    )  # fmt: skip
    return ProofSheet(name="a & b\x1b[2J", fingerprint="0123456789abcdef" * 4, seed=5, sections=sections)


GOOD = sheet(proof(3e-16), proof(0.5, least=True), proof(0.0, skipped=Text("no mass", "нет массы")))
BAD = sheet(proof(3e-16), proof(2e-3, note=Text("a note", "заметка")), proof(math.nan))


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("width", [40, 60, 88, 120])
@pytest.mark.parametrize("given", [GOOD, BAD], ids=["good", "bad"])
def test_no_line_is_wider_than_the_terminal(given: ProofSheet, width: int, lang: Language) -> None:
    plain = proofs_text(given, lang, width=width)
    assert max(map(width_of, plain.split("\n"))) <= width
    assert ANSI.sub("", proofs_text(given, lang, width=width, colour=True)) == plain


def test_what_the_terminal_says() -> None:
    page = proofs_text(GOOD, "en", width=100)
    assert "✓ momentum" in page and "3.0e-16 ≤ 1.0e-14" in page and "0.5 > 1.0e-14" in page
    assert "· momentum" in page and "no mass" in page
    assert "✓ all 2 proofs hold, 1 skipped\nmodel 0123456789abcdef · random states of seed 5" in page
    page = proofs_text(BAD, "ru", width=100)
    assert (
        "✗ количество движения" in page and "0.002 > 1.0e-14" in page.replace("2.0e-3", "0.002") and "заметка" in page
    )
    assert "✗ не сошлось 2 из 3" in page


def test_numbers_are_short() -> None:
    assert [number(x) for x in (0.0, 1.0, 0.054, 3.14159e-16, 2e-3, 1e5, math.inf, math.nan)] == [
        "0", "1", "0.054", "3.1e-16", "2.0e-3", "1.0e+5", "—", "—",
    ]  # fmt: skip


class Reader(HTMLParser):
    """Checks that elements close in order, and keeps the text."""

    VOID = ("meta", "input", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data


def read(page: str) -> str:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert "<script" not in page and "http" not in page.replace("http-equiv", "") and "\x1b" not in page
    return reader.said


ROWS = (ReadingRow(state="fails", name=Text("words", "слова"), what=Text("2 < 3", "2 < 3")),)
WRONG = (Diagnostic("no", "error", Text("no <body>", "нет <тела>")),)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_page_is_well_formed_and_speaks_both_languages(lang: Language) -> None:
    for given in (GOOD, BAD):
        said = read(proofs_html(given, lang, reading=ROWS))
        assert "another, quite long, way <b>" in said and "другой, довольно длинный, способ" in said
        assert "a & b" in said and "2 < 3" in said
    assert f'id="in-{lang}" checked' in proofs_html(GOOD, lang)


def test_the_page_of_a_wrong_file() -> None:
    said = read(proofs_html(None, "en", name="x.xml", reading=ROWS, diagnostics=WRONG))
    assert "errors in the file: 1" in said and "no <body>" in said and "нет <тела>" in said and "x.xml" in said


def test_reading_rows() -> None:
    assert reading_text(ROWS, "en") == "✗ words  2 < 3\n"
    assert reading_text(ROWS, "en", colour=True) == "\x1b[31m✗\x1b[0m words  2 < 3\n"
