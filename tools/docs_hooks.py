"""What the pages of docs/ need from MkDocs beyond its settings (see mkdocs.yml).

Pages are read in the source tree too, so they say things in the way of code hosts: links that leave docs/, blocks whose
words after the language are for the tests, pictures by their files. Here each becomes what the site needs.
"""

from __future__ import annotations

import html
import logging
import os
import posixpath
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

LANGUAGES = {"en": "English", "ru": "Русский"}
TWIN = re.compile(r"\[([^\]]+)\]\(\.\./(\w+)\.md(#[^)]*)?\)")
LINK = re.compile(r"(?<=\]\()\.\./[^)\s#]+")
FENCE = re.compile(r"^( *```+)(\w+) +(\S.*)$", re.MULTILINE)
SESSION = re.compile(r"^( *```+)python$(?=\n *>>> )", re.MULTILINE)
IMAGE = re.compile(r'<img alt="([^"]*)" src="([^"]*\.svg)"(?: title="([^"]*)")? ?/>')

log = logging.getLogger("mkdocs.hooks.sistel")


def on_page_markdown(markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Words of blocks and links out of the folder, in the way of this site."""
    page.meta.setdefault("description", first_sentence(markdown))
    markdown = SESSION.sub(r"\1pycon", markdown)
    markdown = FENCE.sub(lambda found: f"{found[1]}{fence_header(found[2], found[3].split())}", markdown)
    if config.theme["language"] != "en":
        markdown = TWIN.sub(lambda found: english(found, config), markdown)
    return LINK.sub(lambda found: bring(found[0], page, config, files), markdown)


def on_page_content(text: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """SVG pictures go into the page, so that they take part in its colours."""
    if "<h1" not in text:
        log.warning("%s: the page has no title (a line that starts with `# `)", page.file.src_uri)
    count = 0

    def inline(found: re.Match[str]) -> str:
        nonlocal count
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.dest_uri), unquote(found[2])))
        picture = next((file for file in files if file.dest_uri == place), None)
        if picture is None:
            return found[0]
        count += 1
        drawing = inline_svg(picture.content_string, html.unescape(found[1]), prefix=f"p{count}-")
        caption = f"<figcaption>{found[3]}</figcaption>" if found[3] else ""
        return f'<figure class="picture">{drawing}{caption}</figure>'

    text = IMAGE.sub(inline, text)
    # A figure must not stand inside a paragraph.
    return re.sub(r'<p>(<figure class="picture">.*?</figure>)</p>', r"\1", text, flags=re.DOTALL)


def on_page_context(context: dict[str, Any], /, *, page: Page, config: MkDocsConfig, nav: object) -> dict[str, Any]:
    """The switch of languages leads to the twin of the page."""
    here = config.theme["language"]
    to = {"en": {"en": "", "ru": "ru/"}, "ru": {"en": "../", "ru": ""}}[here]
    config.extra["alternate"] = [
        {"name": name, "link": to[lang] + page.url, "lang": lang} for lang, name in LANGUAGES.items()
    ]
    return context


def fence_header(language: str, words: list[str]) -> str:
    """The words of a block that show: `file=` as its title, `broken` as a mark; the others are for the tests."""
    name = next((word.removeprefix("file=") for word in words if word.startswith("file=")), "")
    return "{." + language + (" .broken" if "broken" in words else "") + (f' title="{name}"' if name else "") + "}"


def english(found: re.Match[str], config: MkDocsConfig) -> str:
    """A link to an English page, which belongs to another build: MkDocs is not asked about it."""
    if not Path(config.docs_dir, "..", f"{found[2]}.md").is_file():
        log.warning("there is no English page %s.md", found[2])
    return f'<a href="../{found[2]}.html{found[3] or ""}">{found[1]}</a>'


def bring(href: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The address in the site of a file outside the folder of pages, which comes along; others are left as they are."""
    folder = Path(config.docs_dir)
    root = Path(config.config_file_path).resolve().parent
    path = Path(os.path.normpath(Path(str(page.file.abs_src_path)).parent / unquote(href)))
    if path.is_relative_to(folder) or not path.is_relative_to(root) or not path.is_file():
        return href
    base = root / "docs" if path.is_relative_to(root / "docs") else root
    there = path.relative_to(base).as_posix()
    if files.get_file_from_path(there) is None:
        files.append(File.generated(config, there, abs_src_path=str(path)))
    return posixpath.relpath(there, posixpath.dirname(page.file.src_uri) or ".")


def first_sentence(text: str) -> str:
    """The beginning of the first paragraph, for search engines and previews."""
    for block in re.split(r"\n\s*\n", text):
        if block.strip() and block.lstrip()[0].isalpha():
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(block.split()))
            return re.sub(r"[*_`]", "", re.split(r"(?<=[.!?])\s", plain)[0])
    return ""


def inline_svg(text: str, alt: str, prefix: str) -> str:
    """A picture ready to stand in a page: no prologue, a name for those who cannot see it, ids of its own."""
    text = text[text.index("<svg") :].rstrip()
    for name in sorted(set(re.findall(r'\bid="([^"]+)"', text)), key=len, reverse=True):
        quoted = re.escape(name)
        text = re.sub(rf'\bid="{quoted}"', f'id="{prefix}{name}"', text)
        text = re.sub(rf'(href="|url\(["\']?)#{quoted}(?=["\')])', rf"\g<1>#{prefix}{name}", text)
        text = re.sub(rf'(\b(?:begin|end)="[^"]*?)\b{quoted}(?=\.(?:begin|end|click)\b)', rf"\g<1>{prefix}{name}", text)
    label = f' aria-label="{html.escape(alt)}"' if alt else ' aria-hidden="true"'
    return re.sub(r"<svg\b", f'<svg role="img"{label}', text, count=1)
