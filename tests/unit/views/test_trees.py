"""Stylesheets and trees where lxml is not installed: letter for letter what libxslt and lxml make."""

from __future__ import annotations

import math

import pytest
from lxml import etree

import sistel
from sistel.views.schemes import _render
from sistel.views.trees import Stylesheet, _plain
from sistel.views.trees._paths import expression, formatted, string, written
from sistel.views.trees._sheets import Sheet, Stopped
from tests.support.thorough import cases

ASKED = (
    {"labels": "numbers"},
    {
        "labels": "names",
        "arrows": "yes",
        "centres": "yes",
        "dimensions": "yes",
        "theme": "dark",
        "medium": "print",
    },
)
PLANAR = (
    *("walker", "four_bar", "andrews_squeezer", "cam", "conveyor", "crate_on_stairs", "geneva", "woodpecker"),
    *("peaucellier", "hopper", "pendulum_wave", "biped", "rope"),
)


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return Sheet(_render.stylesheet())


@pytest.mark.parametrize("name", PLANAR[: cases(5, len(PLANAR))])
def test_schemes_are_those_of_libxslt(name: str, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, dict[str, str]]] = []
    known = Stylesheet(_render.stylesheet())
    monkeypatch.setattr(_render, "transform", lambda text, given: seen.append((text, given)) or known.run(text, given))
    sistel.load(f"models/{name}.xml").scheme(dimensions=True)
    ((text, _),) = seen
    for given in ASKED:
        assert sheet.run(text, given) == known.run(text, given)


def test_a_damaged_drawing_is_refused_by_both(sheet: Sheet) -> None:
    text = '<system><body name="a" joint="revolute" place="x, 1"/></system>'
    with pytest.raises(Stopped, match="pair of numbers"):
        sheet.run(text, {})
    with pytest.raises(etree.XSLTApplyError):
        Stylesheet(_render.stylesheet()).run(text, {})


DOCUMENT = "<a x='1'><b n='2'>t<c/>u</b><b n='10'/><д n='-0.5'>в</д></a>"


@pytest.mark.parametrize(
    "asked",
    [
        *("1 + 2 * 3 - 4 div 8", "7 mod 3", "-5 mod 3", "1 div 0", "0 div 0", "2 > 1 and 1 >= 2 or 'a' = 'a'"),
        *("count(//b)", "string(//b)", "//b[2]/@n", "//b[@n = 10]/@n", "//b[last()]/@n", "sum(//b/@n)", "/*/д"),
        *("//b/@n = 10", "//b/@n != 10", "//b/@n < 3", "concat('a', 1 div 3, true())", "name(//@x)", "/a/*[3]"),
        *(
            "substring('12345', 1.5, 2.6)",
            "substring('12345', 0, 3)",
            "substring('12345', 2)",
            "translate('bar','abc','AB')",
        ),
        *("normalize-space('  a  b ')", "string-length('дом')", "floor(-2.5)", "round(-2.5)", "ceiling(2.1)"),
        *("boolean(//none)", "boolean(//b)", "not('')", "number('1e3')", "number(' -2.50 ')", "number('x')"),
        *("1 div 3", "1000000 * 1000000", "0.1 + 0.2", "123456789.123456789", "0.000001", "-0.5", "1e0 * 3"),
        *(
            "starts-with('abc', 'ab')",
            "contains('abc', 'd')",
            "substring-before('a,b', ',')",
            "substring-after('a,b', ',')",
        ),
        *("count(//b | //b[1])", "//c/parent::b/@n", "count(//д/preceding-sibling::*[@n])", "//b[self::b][1]/@n"),
    ],
)
def test_expressions_are_those_of_libxml(asked: str) -> None:
    sheet = (
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        "<xsl:output method='xml' encoding='UTF-8'/>"
        f"<xsl:template match='/'><o><xsl:value-of select=\"{asked.replace('<', '&lt;')}\"/></o></xsl:template>"
        "</xsl:stylesheet>"
    )
    if asked == "1e0 * 3":  # libxml reads exponents, which the language does not have
        with pytest.raises(NotImplementedError):
            expression(asked)
        return
    assert Sheet(sheet).run(DOCUMENT, {}) == Stylesheet(sheet).run(DOCUMENT, {})


@pytest.mark.parametrize("pattern", ["0.####", "0.###", "0.#", "00.00", "0"])
@pytest.mark.parametrize("x", [0.0, 1.0, -1.26, 0.00014, -0.00014, 1234.56789, 99.99996, 0.7, -12.346, 1e9])
def test_formatted_numbers(x: float, pattern: str) -> None:
    sheet = (
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        f"<xsl:template match='/'><o><xsl:value-of select=\"format-number({x:.10f}, '{pattern}')\"/></o></xsl:template>"
        "</xsl:stylesheet>"
    )
    said = Stylesheet(sheet).run("<a/>", {})
    assert f"<o>{formatted(x, pattern)}</o>" in said


def test_trees_are_those_of_lxml() -> None:
    text = '<s:a xmlns:s="u" xmlns="v" s:k="&lt;&quot;&#10;" l="é"><b>1 &amp; 2<c/>tail</b><s:d xml:lang="ru">дом</s:d></s:a>'
    own, other = _plain.fromstring(text), etree.fromstring(text)
    assert _plain.tostring(own) == etree.tostring(other, encoding="unicode")
    for tree in (own, other):
        first = next(iter(tree.iter("{v}c")))
        tree.append(first)
        tree.insert(0, tree[1])
    assert [each.tag for each in own.iter()] == [each.tag for each in other.iter()]
    assert "".join(own.itertext()).replace("tail", "") == "".join(other.itertext()).replace("tail", "")
    for wrong in ("<a>", "<a/><b/>", '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', ""):
        with pytest.raises(_plain.XMLSyntaxError):
            _plain.fromstring(wrong)


def test_what_a_stylesheet_may_not_use_says_so() -> None:
    for asked in ("document('x')", "ancestor::a", "a ! b", "(1"):
        with pytest.raises(NotImplementedError):
            expression(asked)


def test_numbers_are_written_as_libxml_does() -> None:
    assert [written(x) for x in (3.0, -0.25, 1e-7, 1e10, math.nan)] == ["3", "-0.25", "1e-07", "1e+10", "NaN"]
    assert string(True) == "true"
