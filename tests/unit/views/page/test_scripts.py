"""The scripts of pages: bundled, confined to their pages, all words in two languages."""

from __future__ import annotations

import base64
import json
import re
import runpy
from pathlib import Path

import numpy as np
from support.javascript import call_module, sources

from sistel.views.assets import asset, asset_text, bytes_of, letters_of
from sistel.views.page._packed import packed
from sistel.views.page._page import PARTS

ROOT = Path(__file__).resolve().parents[4]


def test_nothing_is_imported_or_evaluated() -> None:
    for name, text in sources().items():
        assert not re.search(r"\beval\(|new Function\(|innerHTML|outerHTML|document\.write|insertAdjacentHTML", text), (
            name
        )
        assert "https://" not in text.replace("https://github.com", ""), name
    parts = [f"page.{part}.js" for part in PARTS]
    own = {piece for name in ("page.js", *parts) for piece, _ in json.loads(asset_text(name).split("\n", 1)[0][2:])}
    others = ("lesson.js", "viewer.js", "gripper.js", "gallery.js", "sender.js", "widget.js", "boot.js")
    for name in ("page.js", *parts, *others):
        text = asset_text(name)
        if name.startswith("page."):
            # Pieces of a page import each other, by addresses that it makes itself.
            found = set(re.findall(r"""(?:\bfrom|\bimport\(?)"\./([^"]+)\"""", text))
            assert found <= own
            text = re.sub(
                r"""\bimport\{[^}]*\}from"\./[^"]+"|\}from"\./[^"]+"|\bimport\("\./[^"]+"\)|\bimport"\./[^"]+\"""",
                "",
                text,
            )
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
        assert not re.search(r"\bwindow\.(?!devicePixelRatio)\w", text), name


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
    assert re.fullmatch(r'<script type="text/plain" data-packed="a&quot;b">[^<"\s]+</script>', block)
    assert block == packed('a"b', "</script><!-- \u2028 & я")


def test_pages_unpack_what_python_packs() -> None:
    """What is short, what repeats, what is random, what is long: LZMA itself is tried in all its kinds of steps."""
    random = np.random.default_rng(7)
    noise = random.integers(0, 256, 5000).astype(np.uint8).tobytes()
    words = b" ".join(random.choice([b"a", b"bc", b"sin(q1)", b"\xff\x00", b"}"], 30_000).tolist())
    texts = [b"", b"a", b"aaaaaaaaaaaa", bytes(70_000), noise, words, noise + words + noise, asset("page.js")]
    texts += [random.integers(0, 3 + n, 40 * n).astype(np.uint8).tobytes() for n in range(1, 60)]
    texts += [np.cumsum(random.integers(-2, 3, 9000)).astype("<i8").tobytes()]
    letters = [letters_of(text) for text in texts]
    assert [bytes_of(each) for each in letters] == texts
    found = call_module(
        "page/packed.ts", "return given.map((each) => Buffer.from(unpacked(each)).toString('base64'));", letters
    )
    assert [base64.b64decode(each) for each in found] == texts
    # What does not pack is kept as it is, and costs five letters more.
    assert len(letters[4]) <= 1.25 * (len(noise) + 4) + 1
