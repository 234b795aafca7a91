"""Builds the documentation: docs/*.md (English) and docs/ru/*.md (Russian) become site/*.html.

The order of pages is in docs/nav.toml, the look in docs/theme/. The pages need nothing but themselves: no scripts, no
fonts, no address outside the folder, so they open from a disk as well as from a server. A link to a page, a heading or
a file that does not exist fails the build.
"""

from __future__ import annotations

import argparse
import html
import importlib
import os
import posixpath
import re
import shutil
import string
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {"en": "English", "ru": "Русский"}
WORDS = {
    "en": {"toc": "On this page", "next": "Next", "previous": "Previous", "menu": "Menu", "skip": "Skip to the text"},
    "ru": {"toc": "На странице", "next": "Далее", "previous": "Назад", "menu": "Меню", "skip": "К тексту"},
}
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


class BuildError(Exception):
    """The sources of the documentation contradict themselves; the message lists every place."""


@dataclass(slots=True)
class Page:
    """One page in one language, from its Markdown to the parts that the template puts together."""

    name: str
    lang: str
    text: str
    path: Path
    """Where the Markdown is, or would be if the page were not generated."""
    title: str = ""
    body: str = ""
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    """Level, anchor and plain text of the headings below the title."""
    anchors: set[str] = field(default_factory=set)
    links: list[tuple[str, str]] = field(default_factory=list)
    """Links to other pages as (address of the page, anchor), checked when all pages are known."""

    @property
    def address(self) -> str:
        """Where the page lies in the site."""
        return address(self.name, self.lang)


@dataclass(frozen=True, slots=True)
class Section:
    """A group of pages in the sidebar."""

    title: Mapping[str, str]
    pages: tuple[str, ...]


def address(name: str, lang: str) -> str:
    """Where a page lies in the site."""
    return f"{name}.html" if lang == "en" else f"{lang}/{name}.html"


class Builder:
    """Reads the sources once, renders the pages, writes the site."""

    def __init__(self, source: Path, target: Path) -> None:
        self.source = source
        self.target = target
        self.problems: list[str] = []
        self.files: dict[str, Path] = {}
        """Files that pages link to, by their address in the site."""
        self.pictures = 0
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.markdown.add_render_rule("fence", render_fence)
        self.markdown.add_render_rule("table_open", lambda *_: '<div class="table"><table>\n')
        self.markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
        nav = tomllib.loads((source / "nav.toml").read_text(encoding="utf-8"))
        self.site_title: str = nav["title"]
        self.tagline: Mapping[str, str] = nav["tagline"]
        self.sections = tuple(Section(section["title"], tuple(section["pages"])) for section in nav["section"])
        self.generated: Mapping[str, str] = nav.get("generated", {})
        self.pages: dict[tuple[str, str], Page] = {}

    def build(self) -> int:
        """Writes the site and returns the number of pages."""
        for page in self.read():
            self.pages[page.name, page.lang] = page
        self.check_nav()
        for page in self.pages.values():
            self.render(page)
        self.check_links()
        if self.problems:
            raise BuildError("\n".join(self.problems))
        shutil.rmtree(self.target, ignore_errors=True)
        template = string.Template((self.source / "theme" / "page.html").read_text(encoding="utf-8"))
        for page in self.pages.values():
            path = self.target / page.address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(template.substitute(self.parts(page)), encoding="utf-8")
        shutil.copyfile(self.source / "theme" / "style.css", self.target / "style.css")
        for place, path in self.files.items():
            (self.target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.target / place)
        return len(self.pages)

    # reading ---------------------------------------------------------------------------------------------------------

    def read(self) -> Iterator[Page]:
        """The pages written by people, then those that the program writes about itself."""
        for lang in LANGUAGES:
            folder = self.source if lang == "en" else self.source / lang
            for path in sorted(folder.glob("*.md")):
                yield Page(path.stem, lang, path.read_text(encoding="utf-8"), path)
            for name, target in self.generated.items():
                yield Page(name, lang, generate(target, lang), folder / f"{name}.md")

    def check_nav(self) -> None:
        listed = [name for section in self.sections for name in section.pages]
        written = {name for name, _ in self.pages}
        self.problems += [f"nav.toml: there is no page {name}.md" for name in listed if (name, "en") not in self.pages]
        self.problems += [f"nav.toml: the page {name}.md is not listed" for name in sorted(written - set(listed))]
        self.problems += [f"nav.toml: the page {n} is listed twice" for n in sorted(set(listed)) if listed.count(n) > 1]

    # rendering -------------------------------------------------------------------------------------------------------

    def render(self, page: Page) -> None:
        """Markdown to HTML, with anchors on headings, addresses of the site in links, and pictures in the text."""
        tokens = self.markdown.parse(page.text)
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                self.anchor(page, token, tokens[index + 1])
            elif token.type == "inline":
                self.resolve(page, token)
                if self.is_picture(tokens, index):
                    tokens[index - 1].hidden = tokens[index + 1].hidden = True
        if not page.title:
            self.problems.append(f"{self.place(page)}: the page has no title (a line that starts with `# `)")
        page.body = self.markdown.renderer.render(tokens, self.markdown.options, {})

    def anchor(self, page: Page, heading: Token, inline: Token) -> None:
        level = int(heading.tag[1])
        text = "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))
        base = slug(text)
        name = base
        count = 1
        while name in page.anchors:
            name = f"{base}-{count}"
            count += 1
        page.anchors.add(name)
        if level == 1:
            page.title = page.title or text
            return
        heading.attrSet("id", name)
        page.headings.append((level, name, text))
        link = Token("html_inline", "", 0, content=f'<a class="anchor" href="#{name}" aria-label="#">#</a>')
        inline.children = [*(inline.children or []), link]

    def resolve(self, page: Page, inline: Token) -> None:
        line = inline.map[0] + 1 if inline.map else 1
        for child in inline.children or ():
            if child.type == "link_open":
                child.attrSet("href", self.link(page, str(child.attrGet("href")), line))
            elif child.type == "image":
                self.image(page, child, line)

    def link(self, page: Page, href: str, line: int) -> str:
        """The address in the site of what a Markdown link means: a page, or a file of the repository, copied along."""
        if EXTERNAL.match(href):
            return href
        target, _, anchor = href.partition("#")
        anchor = unquote(anchor)
        if not target:
            page.links.append((page.address, anchor))
            return f"#{anchor}"
        path = Path(os.path.normpath(page.path.parent / unquote(target)))
        if path.suffix == ".md" and path.is_relative_to(self.source):
            lang = "en" if path.parent == self.source else path.parent.name
            there = address(path.stem, lang)
            page.links.append((there, anchor))
            return self.relative(page, there) + (f"#{anchor}" if anchor else "")
        return self.file(page, path, target, line)

    def file(self, page: Page, path: Path, target: str, line: int) -> str:
        base = self.source if path.is_relative_to(self.source) else self.source.parent
        if not path.is_file() or not path.is_relative_to(base):
            self.problems.append(f"{self.place(page)}:{line}: there is no {target}")
            return target
        there = path.relative_to(base).as_posix()
        self.files[there] = path
        return self.relative(page, there)

    def image(self, page: Page, token: Token, line: int) -> None:
        """SVG goes into the page, so that it takes part in the page's colours; other pictures are copied along."""
        source = str(token.attrGet("src"))
        if EXTERNAL.match(source):
            self.problems.append(f"{self.place(page)}:{line}: the picture {source} is outside the site")
            return
        path = Path(os.path.normpath(page.path.parent / unquote(source)))
        if path.suffix != ".svg" or not path.is_file():
            token.attrSet("src", self.file(page, path, source, line))
            return
        self.pictures += 1
        alt = "".join(child.content for child in token.children or ())
        picture = inline_svg(path.read_text(encoding="utf-8"), alt, prefix=f"p{self.pictures}-")
        token.type = "html_inline"
        caption = token.attrGet("title")
        caption = f"<figcaption>{escapeHtml(str(caption))}</figcaption>" if caption else ""
        token.content = f'<figure class="picture">{picture}{caption}</figure>'

    @staticmethod
    def is_picture(tokens: Sequence[Token], index: int) -> bool:
        """Whether a paragraph is one picture: a figure must not stand inside a paragraph."""
        children = tokens[index].children or []
        alone = len(children) == 1 and children[0].content.startswith('<figure class="picture">')
        return alone and tokens[index - 1].type == "paragraph_open"

    def check_links(self) -> None:
        known = {page.address: page for page in self.pages.values()}
        for page in self.pages.values():
            for there, anchor in page.links:
                if there not in known:
                    self.problems.append(f"{self.place(page)}: there is no page {there}")
                elif anchor and anchor not in known[there].anchors:
                    self.problems.append(f"{self.place(page)}: there is no heading #{anchor} in {there}")

    # the template ----------------------------------------------------------------------------------------------------

    def parts(self, page: Page) -> dict[str, str]:
        words = WORDS[page.lang]
        home = self.page("index", page.lang)
        title = self.site_title if page.name == "index" else f"{page.title} · {self.site_title}"
        toc = "".join(
            f'<li class="level-{level}"><a href="#{anchor}">{escapeHtml(text)}</a></li>'
            for level, anchor, text in page.headings
            if level <= 3
        )
        toc = f'<nav class="toc" aria-label="{words["toc"]}"><p>{words["toc"]}</p><ul>{toc}</ul></nav>' if toc else ""
        return {
            "lang": page.lang,
            "title": escapeHtml(title),
            "site": escapeHtml(self.site_title),
            "tagline": escapeHtml(self.tagline[page.lang]),
            "description": escapeHtml(first_sentence(page.text) or self.tagline[page.lang]),
            "style": self.relative(page, "style.css"),
            "home": self.relative(page, home.address),
            "alternates": "".join(
                f'<link rel="alternate" hreflang="{lang}" href="{self.relative(page, twin.address)}">'
                for lang in LANGUAGES
                if (twin := self.pages.get((page.name, lang))) is not None
            ),
            "languages": self.language_switch(page),
            "sidebar": self.sidebar(page),
            "body": page.body,
            "toc": toc,
            "neighbours": self.neighbours(page),
            **{f"word_{key}": value for key, value in words.items()},
        }

    def page(self, name: str, lang: str) -> Page:
        """A page in a language, or in English where nobody has translated it yet."""
        return self.pages.get((name, lang)) or self.pages[name, "en"]

    def language_switch(self, page: Page) -> str:
        items = []
        for lang, name in LANGUAGES.items():
            twin = self.pages.get((page.name, lang))
            if lang == page.lang:
                items.append(f'<span aria-current="true" lang="{lang}">{name}</span>')
            elif twin is not None:
                href = self.relative(page, twin.address)
                items.append(f'<a href="{href}" lang="{lang}" hreflang="{lang}" rel="alternate">{name}</a>')
        return "".join(items) if len(items) > 1 else ""

    def sidebar(self, page: Page) -> str:
        parts = []
        for section in self.sections:
            parts.append(f"<h2>{escapeHtml(section.title[page.lang])}</h2><ul>")
            for name in section.pages:
                there = self.page(name, page.lang)
                current = ' aria-current="page"' if name == page.name else ""
                foreign = f' lang="{there.lang}" hreflang="{there.lang}"' if there.lang != page.lang else ""
                href = self.relative(page, there.address)
                parts.append(f'<li><a href="{href}"{current}{foreign}>{escapeHtml(there.title)}</a></li>')
            parts.append("</ul>")
        return "".join(parts)

    def neighbours(self, page: Page) -> str:
        order = [name for section in self.sections for name in section.pages]
        index = order.index(page.name)
        parts = []
        for key, position in (("previous", index - 1), ("next", index + 1)):
            if 0 <= position < len(order):
                there = self.page(order[position], page.lang)
                parts.append(
                    f'<a class="{key}" rel="{"prev" if key == "previous" else key}" '
                    f'href="{self.relative(page, there.address)}">'
                    f"<small>{WORDS[page.lang][key]}</small>{escapeHtml(there.title)}</a>"
                )
        return f'<nav class="neighbours">{"".join(parts)}</nav>' if parts else ""

    @staticmethod
    def relative(page: Page, there: str) -> str:
        return posixpath.relpath(there, posixpath.dirname(page.address) or ".")

    def place(self, page: Page) -> str:
        return page.path.relative_to(self.source.parent).as_posix()


def generate(target: str, lang: str) -> str:
    """The text of a page that a function writes; its module is installed or lies beside this file."""
    beside = str(Path(__file__).resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)
    module, function = target.split(":")
    text = getattr(importlib.import_module(module), function)(lang)
    assert isinstance(text, str)
    return text


def slug(text: str) -> str:
    """The anchor of a heading, as code hosts make it: `Units & angles` becomes `units--angles`."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-") or "section"


def first_sentence(text: str) -> str:
    """The beginning of the first paragraph, for search engines and previews."""
    for block in re.split(r"\n\s*\n", text):
        if block.strip() and block.lstrip()[0].isalpha():
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(block.split()))
            return re.sub(r"[*_`]", "", re.split(r"(?<=[.!?])\s", plain)[0])
    return ""


def inline_svg(text: str, alt: str, prefix: str) -> str:
    """A picture ready to stand in a page: no prologue, a name for those who cannot see it, ids of its own."""
    text = text[re.search(r"<svg\b", text).start() :].rstrip()  # type: ignore[union-attr]
    for name in sorted(set(re.findall(r'\bid="([^"]+)"', text)), key=len, reverse=True):
        quoted = re.escape(name)
        text = re.sub(rf'\bid="{quoted}"', f'id="{prefix}{name}"', text)
        text = re.sub(rf'(href="|url\(["\']?)#{quoted}(?=["\')])', rf"\g<1>#{prefix}{name}", text)
        text = re.sub(rf'(\b(?:begin|end)="[^"]*?)\b{quoted}(?=\.(?:begin|end|click)\b)', rf"\g<1>{prefix}{name}", text)
    label = f' aria-label="{html.escape(alt)}"' if alt else ' aria-hidden="true"'
    return re.sub(r"<svg\b", f'<svg role="img"{label}', text, count=1)


def render_fence(renderer: object, tokens: Sequence[Token], index: int, options: object, env: object) -> str:
    """A block of code. The words after the language are for the tests; two of them also show: file= and broken."""
    words = tokens[index].info.split()
    language = words[0] if words else "text"
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    code = highlight(tokens[index].content, lexer, HtmlFormatter(nowrap=True))
    name = next((word.removeprefix("file=") for word in words if word.startswith("file=")), "")
    caption = f"<figcaption>{escapeHtml(name)}</figcaption>" if name else ""
    classes = f"code {escapeHtml(language)}" + (" broken" if "broken" in words else "")
    return f'<figure class="{classes}">{caption}<pre tabindex="0"><code>{code}</code></pre></figure>\n'


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds the site; 0 when done, 1 when the sources are wrong."""
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("--source", type=Path, default=ROOT / "docs", help="folder of the Markdown pages")
    parser.add_argument("--target", type=Path, default=ROOT / "site", help="folder to write")
    options = parser.parse_args(arguments)
    try:
        count = Builder(options.source.resolve(), options.target.resolve()).build()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.target / 'index.html'}: {count} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
