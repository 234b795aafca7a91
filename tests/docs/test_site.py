"""The site of the documentation: what is built opens anywhere, and what is wrong in the sources stops the build."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = """
INHERIT: {root}/mkdocs{suffix}.yml
docs_dir: docs{folder}
nav: [index.md, b.md]
hooks: [{root}/tools/docs_hooks.py]
theme: {{custom_dir: {root}/docs/theme}}
"""
SVG = (
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><defs><path id="p"/></defs>'
    '<use href="#p"/><path id="pq" fill="url(#p)"/></svg>'
)


def build(*words: str) -> subprocess.CompletedProcess[str]:
    call = (sys.executable, str(ROOT / "tools" / "docs"), *words)
    return subprocess.run(call, capture_output=True, text=True, check=False)


def pages(site: Path) -> list[Path]:
    return [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small documentation with the settings of ours."""
    for suffix, folder in (("", ""), (".ru", "/ru")):
        settings = SETTINGS.format(root=ROOT, suffix=suffix, folder=folder)
        (tmp_path / f"mkdocs{suffix}.yml").write_text(settings, encoding="utf-8")
    docs = tmp_path / "docs"
    (docs / "ru").mkdir(parents=True)
    (docs / "index.md").write_text(
        "# Home\n\nFirst `word`. Second.\n\n## Part one\n\n[b](b.md#end), [file](../models/m.xml)\n"
    )
    (docs / "b.md").write_text(
        "# Second\n\n## End\n\n![alt](p.svg 'Caption')\n\n![two](p.svg)\n\n```xml file=m.xml broken\n<a/>\n```\n"
    )
    (docs / "p.svg").write_text(SVG)
    (docs / "ru" / "index.md").write_text(
        "# Дом\n\n## Углы и оси\n\n[сюда](#углы-и-оси), [b](b.md), [и туда](../b.md#end)\n"
    )
    (docs / "ru" / "b.md").write_text("# Вторая\n\n![вид](../p.svg)\n\n[файл](../../models/m.xml)\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.xml").write_text("<system/>")
    return tmp_path


def test_a_small_site(source: Path) -> None:
    done = build("--source", str(source))
    assert done.returncode == 0, done.stderr
    home = (source / "site" / "index.html").read_text(encoding="utf-8")
    assert 'href="b.html#end"' in home
    assert 'href="models/m.xml"' in home
    assert (source / "site" / "models" / "m.xml").read_text() == "<system/>"
    assert '<h2 id="part-one">' in home
    assert '<meta name="description" content="First word.">' in home
    assert '<a href="ru/index.html" hreflang="ru"' in home
    russian = (source / "site" / "ru" / "index.html").read_text(encoding="utf-8")
    assert '<html lang="ru"' in russian
    assert '<h2 id="углы-и-оси">' in russian
    assert 'href="../b.html#end"' in russian
    assert '<a href="../index.html" hreflang="en"' in russian
    second = (source / "site" / "ru" / "b.html").read_text(encoding="utf-8")
    assert 'aria-label="вид"' in second
    assert 'href="models/m.xml"' in second

    pictures_have_ids_of_their_own(source)


def pictures_have_ids_of_their_own(source: Path) -> None:
    page = (source / "site" / "b.html").read_text(encoding="utf-8")
    assert "<?xml" not in page
    assert "<figcaption>Caption</figcaption>" in page
    assert 'aria-label="alt"' in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert {"p1-p", "p1-pq", "p2-p", "p2-pq", "end"} <= set(ids)
    assert len([name for name in ids if name.startswith(("p1-", "p2-"))]) == 4
    assert 'href="#p1-p"' in page
    assert 'fill="url(#p2-p)"' in page
    assert "<p><figure" not in page
    assert '<span class="filename">m.xml</span>' in page
    assert re.search(r'<div class="[^"]*\bbroken\b', page)


def test_what_is_wrong_stops_the_build(source: Path) -> None:
    wrong = {
        "[x](nowhere.md)": "contains a link 'nowhere.md', but the target is not found",
        "[x](c.md#nothing)": "does not contain an anchor '#nothing'",
        "[x](#nothing)": "contains a link '#nothing', but there is no such anchor on this page",
        "[x](../models/lost.xml)": "contains a link '../models/lost.xml', but the target is not found",
        "![x](lost.svg)": "contains a link 'lost.svg', but the target is not found",
    }
    (source / "docs" / "index.md").write_text("# T\n\n" + "\n\n".join(wrong) + "\n")
    (source / "docs" / "c.md").write_text("no title\n")
    (source / "docs" / "b.md").unlink()
    done = build("--source", str(source))
    assert done.returncode == 1
    assert [message for message in wrong.values() if message not in done.stderr] == []
    assert "c.md: the page has no title" in done.stderr
    assert "reference to 'b.md' is included in the 'nav' configuration, which is not found" in done.stderr
    assert re.search(r'not included in the "nav" configuration:\s+- c.md', done.stderr)
    assert "Aborted with 8 warnings" in done.stderr + done.stdout


@pytest.mark.parametrize("text", ["[x](nowhere.md)", "[x](b.md#nothing)"])
def test_one_mistake_is_enough(text: str, source: Path) -> None:
    (source / "docs" / "index.md").write_text(f"# T\n\n{text}\n")
    assert build("--source", str(source)).returncode == 1


def test_links_to_the_other_language_are_checked(source: Path) -> None:
    (source / "docs" / "ru" / "index.md").write_text("# Дом\n\n[туда](../lost.md)\n")
    done = build("--source", str(source))
    assert done.returncode == 1
    assert "there is no English page lost.md" in done.stderr


def test_every_page_has_its_twin(docs_site: Path) -> None:
    english = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert english == {path.name for path in (ROOT / "docs" / "ru").glob("*.md")}
    for name in english:
        page = name.removesuffix(".md") + ".html"
        assert f'href="ru/{page}" hreflang="ru"' in (docs_site / page).read_text(encoding="utf-8")
        assert f'href="../{page}" hreflang="en"' in (docs_site / "ru" / page).read_text(encoding="utf-8")


def test_all_links_of_the_site_lead_somewhere(docs_site: Path) -> None:
    """Those that MkDocs does not look at too: of the frame around the text, and from one language to the other."""
    texts = {path: path.read_text(encoding="utf-8") for path in pages(docs_site)}
    anchors = {path: set(map(unescape, re.findall(r'\b(?:id|name)="([^"]+)"', text))) for path, text in texts.items()}
    assert list(lost_links(texts, anchors)) == []


def lost_links(texts: dict[Path, str], anchors: dict[Path, set[str]]) -> Iterator[str]:
    for path, text in texts.items():
        for found in re.findall(r'<(?:a|link|img|script)\b[^>]*?\b(?:href|src)="?([^"\s>]+)', text):
            link = urlsplit(unescape(found))
            if link.scheme or link.netloc:
                continue
            there = (path.parent / unquote(link.path)).resolve() if link.path else path
            anchor = unquote(link.fragment)
            if not there.is_file() or (anchor and there in anchors and anchor not in anchors[there]):
                yield f"{path.name}: {found}"


def test_the_site_needs_nothing_outside_itself(docs_site: Path) -> None:
    for path in pages(docs_site):
        page = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:link|img|script|iframe|source)\b[^>]*?\b(?:src|href)="?([^"\s>]*)', page)
        assert [address for address in loaded if re.match(r"(?:https?:)?//", address)] == []
    for path in docs_site.rglob("*.css"):
        assert re.findall(r"url\([\"']?(?:https?:)?//[^)]*", path.read_text(encoding="utf-8")) == []
