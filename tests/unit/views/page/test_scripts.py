"""The scripts of pages: bundled, confined to their pages, all words in two languages."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from support.javascript import call_module, sources

from sistel.views.assets import asset_text
from sistel.views.page._packed import packed

ROOT = Path(__file__).resolve().parents[4]


def test_nothing_is_imported_or_evaluated() -> None:
    for name, text in sources().items():
        assert not re.search(r"\beval\(|new Function\(|innerHTML|outerHTML|document\.write|insertAdjacentHTML", text), (
            name
        )
        assert "https://" not in text.replace("https://github.com", ""), name
    for name in ("page.js", "lesson.js", "viewer.js", "gripper.js", "gallery.js", "sender.js", "widget.js", "boot.js"):
        text = asset_text(name)
        # What a page imports is in the page: addresses that it makes itself.
        assert not re.search(
            r"""(?<!["'])\bimport\s*(?:["'{*]|\(["'`]|\w+\s+from\b)|\}\s*from\s*["']|\brequire\(""", text
        ), name
        assert not re.search(r"\beval\(|new Function\(|document\.write\b|insertAdjacentHTML", text), name


def test_scripts_are_of_these_sources() -> None:
    """Whoever changes web/src builds anew: `npm --prefix web run build`, or `make setup`."""
    tool = runpy.run_path(str(ROOT / "tools" / "assets"))
    assert asset_text(tool["DIGEST"]).strip() == tool["digest"](), (
        "the scripts of pages are old: npm --prefix web run build"
    )


def test_pages_leave_nothing_behind() -> None:
    """Several pages can stand in one document: there are no fixed ids, and nothing is found by what the document has."""
    for name, text in sources().items():
        assert "getElementById" not in text, name
        assert not re.search(r"\bid: [\"`']", text), name
        assert not re.search(r"\bwindow\.(?!devicePixelRatio)", text), name


def test_every_word_is_there_in_both_languages() -> None:
    table = call_module("page/words.ts", "return WORDS;", None)
    assert len(table) > 80
    for key, said in table.items():
        assert set(said) == {"en", "ru"}, key
        assert said["en"] and said["ru"], key
        assert re.findall(r"\{\w+\}", said["en"]) == re.findall(r"\{\w+\}", said["ru"]), key
        assert not re.search("[а-яё]", said["en"]), key
    asked = set()
    own = {name: text for name, text in sources().items() if name.startswith(("page/", "live/", "scheme/"))}
    for name, text in own.items():
        if name.startswith("page/"):
            asked |= set(re.findall(r'wordOf\(\w+, "(\w+)"', text))
            asked |= set(re.findall(r'wordNode\(page, \w+, "(\w+)"', text))
    assert asked - set(table) == set()
    # A word that nothing says is a mistake as well; kinds of places and layers of scenes come with the data.
    everything = "\n".join(text for name, text in own.items() if name != "page/words.ts")
    assert {key for key in table if f'"{key}"' not in everything and f"{key}:" not in everything} <= {
        "frame",
        "contacts",
    }


def test_packed_blocks() -> None:
    block = packed('a"b', "</script><!-- \u2028 & я")
    assert re.fullmatch(r'<script type="text/plain" data-packed="a&quot;b">[^<"\\s]+</script>', block)
    assert block == packed('a"b', "</script><!-- \u2028 & я")
