"""The site generator: what it makes opens anywhere, and what is wrong in the sources stops it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAV = """
title = "t"
tagline = { en = "e", ru = "r" }
[[section]]
title = { en = "S", ru = "Р" }
pages = ["index", "b"]
"""
SVG = (
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><defs><path id="p"/></defs>'
    '<use href="#p"/><path id="pq" fill="url(#p)"/></svg>'
)


@pytest.fixture(scope="module")
def docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tools_docs", ROOT / "tools" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "ru").mkdir(parents=True)
    (folder / "theme").mkdir()
    for name in ("page.html", "style.css"):
        (folder / "theme" / name).write_text((ROOT / "docs" / "theme" / name).read_text(encoding="utf-8"))
    (folder / "nav.toml").write_text(NAV)
    (folder / "index.md").write_text("# Home\n\n## Part one\n\n[b](b.md#end), [file](../models/m.xml)\n")
    (folder / "b.md").write_text("# Second\n\n## End\n\n## End\n\n![alt](p.svg 'Caption')\n\n![two](p.svg)\n")
    (folder / "p.svg").write_text(SVG)
    (folder / "ru" / "index.md").write_text("# Дом\n\n## Углы и оси\n\n[сюда](#углы-и-оси), [b](../b.md)\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.xml").write_text("<system/>")
    return folder


def test_pages_link_to_each_other(docs: ModuleType, source: Path, tmp_path: Path) -> None:
    assert docs.main(["--source", str(source), "--target", str(tmp_path / "site")]) == 0
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert 'href="b.html#end"' in home
    assert 'href="models/m.xml"' in home
    assert (tmp_path / "site" / "models" / "m.xml").exists()
    assert '<h2 id="part-one">' in home
    assert 'href="ru/index.html" lang="ru"' in home
    russian = (tmp_path / "site" / "ru" / "index.html").read_text(encoding="utf-8")
    assert '<html lang="ru">' in russian
    assert '<h2 id="углы-и-оси">' in russian
    assert 'href="../b.html" lang="en"' in russian  # not translated yet
    assert 'href="../style.css"' in russian


def test_pictures_stand_in_the_page_with_ids_of_their_own(docs: ModuleType, source: Path, tmp_path: Path) -> None:
    docs.main(["--source", str(source), "--target", str(tmp_path / "site")])
    page = (tmp_path / "site" / "b.html").read_text(encoding="utf-8")
    assert "<?xml" not in page
    assert "<figcaption>Caption</figcaption>" in page
    assert 'aria-label="alt"' in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {"p1-p", "p1-pq", "p2-p", "p2-pq", "end", "end-1"} <= set(ids)
    assert 'href="#p1-p"' in page
    assert 'fill="url(#p2-p)"' in page
    assert "<p><figure" not in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# T\n\n[x](nowhere.md)\n", "there is no page nowhere.html"),
        ("# T\n\n[x](b.md#nothing)\n", "there is no heading #nothing in b.html"),
        ("# T\n\n[x](lost.xml)\n", "docs/index.md:3: there is no lost.xml"),
        ("# T\n\n![x](https://example.org/p.png)\n", "outside the site"),
        ("no title\n", "the page has no title"),
    ],
)
def test_what_is_wrong_stops_the_build(
    text: str, message: str, docs: ModuleType, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "index.md").write_text(text)
    assert docs.main(["--source", str(source), "--target", str(tmp_path / "site")]) == 1
    assert message in capsys.readouterr().err


def test_every_page_is_listed(
    docs: ModuleType, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "c.md").write_text("# C\n")
    (source / "b.md").unlink()
    assert docs.main(["--source", str(source), "--target", str(tmp_path / "site")]) == 1
    errors = capsys.readouterr().err
    assert "there is no page b.md" in errors
    assert "the page c.md is not listed" in errors


def test_the_site_needs_nothing_outside_itself(docs: ModuleType, tmp_path: Path) -> None:
    assert docs.main(["--target", str(tmp_path)]) == 0
    for path in tmp_path.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:link|img|script|iframe|source)\b[^>]*?\b(?:src|href)="([^"]*)"', page)
        assert [a for a in loaded if re.match(r"(?:https?:)?//", a)] == []
        assert "<script" not in page
    assert "url(" not in (tmp_path / "style.css").read_text(encoding="utf-8")
