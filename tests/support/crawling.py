"""Every link of a site of files, followed: what a plain web server would not find, and what is asked of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("link", "href")}
"""What a page fetches by itself."""
FOLLOWED = {*LOADED, ("a", "href"), ("form", "action"), ("img", "data-moving"), ("use", "href"), ("image", "href")}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value is None:
                continue
            if (tag, name) in FOLLOWED or name == "data-studio-at":
                self.links.append((value, (tag, name) in LOADED))
            if name in ("id", "name"):
                self.anchors.add(value)
            if name == "style":
                self.links += [(found, True) for found in addresses(value)]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.links += [(found, True) for found in addresses(data)]


def addresses(style: str) -> list[str]:
    """What a style sheet fetches."""
    return re.findall(r"url\(\s*[\"']?([^\"')]+)", style) + re.findall(r"@import\s+[\"']([^\"']+)", style)


def crawled(site: Path) -> tuple[set[Path], list[str]]:
    """The files that are reached from the index, and what is wrong with links on the way."""
    pages: dict[Path, _Page] = {}
    wrong: list[str] = []
    waiting, seen = [site / "index.html"], {site / "index.html"}
    while waiting:
        path = waiting.pop()
        for link, loaded in _links(path, pages):
            parts = urlsplit(link)
            if parts.scheme == "data" or link.startswith(("blob:", "mailto:", "about:", "javascript:void(0)")):
                continue
            if parts.scheme or parts.netloc:
                if loaded or parts.scheme != "https":
                    wrong.append(f"{path.relative_to(site)} asks {link} of another host")
                continue
            if link.startswith("/"):
                wrong.append(f"{path.relative_to(site)}: {link} holds only at the top of a server")
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = there / "index.html" if there.is_dir() else there
            if not there.is_relative_to(site) or not there.is_file():
                wrong.append(f"{path.relative_to(site)}: {link} leads nowhere")
                continue
            anchor = unquote(parts.fragment)
            if anchor and there.suffix == ".html" and anchor not in _read(there, pages).anchors:
                wrong.append(f"{path.relative_to(site)}: {link} has no such place")
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen, wrong


def _links(path: Path, pages: dict[Path, _Page]) -> Iterator[tuple[str, bool]]:
    if path.suffix in (".html", ".svg"):
        yield from _read(path, pages).links
    elif path.suffix == ".css":
        yield from ((found, True) for found in addresses(path.read_text(encoding="utf-8")))


def _read(path: Path, pages: dict[Path, _Page]) -> _Page:
    if path not in pages:
        page = pages[path] = _Page()
        page.feed(path.read_text(encoding="utf-8"))
    return pages[path]
