"""Reports as pages for print: Chromium prints them, and what is on paper stays on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.browser import Chromium
from support.paper import needs_poppler, outside, read_words

from sistel.cli import main


@needs_poppler
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_report_is_printed(chromium: Chromium, models_dir: Path, tmp_path: Path, lang: str) -> None:
    """A4 pages with their numbers, nothing beyond their edges; on a phone nothing is wider than the screen."""
    page, pdf = tmp_path / "walk.print.html", tmp_path / "walk.pdf"
    call = ["run", str(models_dir / "compass_walker.xml"), "--until", "2", "-o", str(page), "--lang", lang]
    assert main(call) == 0
    with chromium.tab(size=(390, 800)) as tab:
        tab.open(page)
        assert tab.run("() => document.documentElement.scrollWidth") <= 390
        assert tab.run("() => [...document.images].every((each) => each.complete && each.naturalWidth > 0)")
        assert tab.run("() => document.querySelectorAll('math').length") > 10
        tab.page.pdf(path=str(pdf), prefer_css_page_size=True)
    words = read_words(pdf)
    assert outside(words) == []
    count = words[-1].page
    text = " ".join(word.text for word in words)
    named, of = ("страница", "из") if lang == "ru" else ("page", "of")
    for number in range(1, count + 1):
        assert f"{named} {number} {of} {count}" in text
    # Heads of tables are repeated where these go on.
    assert len([word for word in words if word.text == ("Расхождение" if lang == "ru" else "Difference")]) >= 4
