"""What pages carry inside."""

from __future__ import annotations

import io
import re

import pytest

from sistel import SistelError
from sistel.views.assets import asset, asset_text


def test_a_file_that_is_not_there_is_told_with_what_to_do() -> None:
    with pytest.raises(SistelError) as caught:
        asset("jquery.js")
    (found,) = caught.value.diagnostics
    assert found.code == "missing-asset"
    assert "jquery.js" in found.message.en and "jquery.js" in found.message.ru
    assert found.hint is not None and "make setup" in found.hint.en and "make setup" in found.hint.ru


@pytest.mark.parametrize("name", ["x_ite.mjs", "x_ite.css", "uplot.css", "x3dom.css"])
def test_nothing_lies_beside(name: str) -> None:
    """No file of a package is named that the page does not have."""
    text = asset_text(name)
    assert re.findall(r"url\((?!\"data:|'data:|data:)[^)]*\)", text) == [] or name == "x_ite.mjs"
    assert "import.meta" not in text
    assert "x_ite.css" not in text


def test_the_font_of_formulas_has_what_formulas_need() -> None:
    from fontTools import ttLib as fonts

    data = asset("math.woff2")
    assert len(data) < 50_000
    font = fonts.TTFont(io.BytesIO(data))
    letters = font.getBestCmap()
    for text in ("0123456789+−=<>()[]{}|·×/,", "xyzφωαβΩλ", "𝑞𝜑𝐌𝒒", "ОСос", "∑∫√∂≤≥≠⋮⋯→", "˙¨^¯"):
        assert [letter for letter in text if ord(letter) not in letters] == []
    variants = font["MATH"].table.MathVariants
    growing = dict(zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True))
    for letter in "()[]{}|√":
        made = growing[letters[ord(letter)]]
        assert len(made.MathGlyphVariantRecord) > 1 or letter == "|"
        assert made.GlyphAssembly is not None  # grows without end


def test_those_who_made_it_are_named() -> None:
    text = asset_text("LICENSES.txt")
    for name in ("uPlot", "X_ITE", "X3DOM", "STIX Two Math", "Droid Serif", "Ubuntu"):
        assert re.search(rf"^{name}.*\(.*\)", text, re.MULTILINE), name
    assert "Permission is hereby granted" in text and "SIL OPEN FONT LICENSE" in text
