"""Any X3D file as one page that needs nothing beside it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Literal

from lxml import etree

from sistel.errors import Diagnostic, Language, SistelError, Source, Span, Text, user_language
from sistel.markup import Losses, allowed_folders
from sistel.views._payloads import ViewerData
from sistel.views.assets import asset_text
from sistel.views.page._files import view_text
from sistel.views.page._packed import packed, packed_asset
from sistel.views.viewer._components import FAMILIES, components_of, families_of
from sistel.views.viewer._embedding import Embedding, read_scene

Viewer = Literal["x_ite", "x3dom"]

CREDITS = {
    "x_ite": "X_ITE (MIT licence); letters of Droid Serif (Apache 2.0) and Ubuntu (Ubuntu font licence)",
    "x3dom": "X3DOM (MIT licence)",
}
RULES = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; font-src data: blob:; "
    "media-src data: blob:; connect-src data: blob:"
)
"""What a page may run and fetch: what it has inside, and nothing else."""


def view_scene(
    text: str,
    *,
    viewer: Viewer = "x_ite",
    title: str | None = None,
    lang: Language | None = None,
    base: str | os.PathLike[str] | None = None,
    losses: Losses | None = None,
    allow: Sequence[str | os.PathLike[str]] = (),
) -> str:
    """A page that shows a scene: one file, which opens without a server and without the network.

    Args:
        text: A whole X3D file.
        viewer: X_ITE knows nearly all of X3D, scripts and prototypes too; X3DOM is smaller and knows less.
        title: Of the page; that of the scene unless told otherwise.
        lang: In which the page speaks first; the user's unless told otherwise.
        base: The folder of the scene. Pictures and scenes in it and below, which the scene names, come into the page.
        losses: Where to note the files that do not.
        allow: Other folders from which files may come into the page.

    Raises:
        SistelError: The text is no X3D scene, there is no such viewer, or the scene needs what pages do not carry.
    """
    if viewer not in CREDITS:
        _refuse(
            "unknown-word",
            Text(f'there is no viewer "{viewer}"', f"нет просмотрщика «{viewer}»"),
            Text("x_ite or x3dom", "x_ite или x3dom"),
        )
    root = _scene(text)
    noted = losses if losses is not None else Losses()
    files = Embedding(Path(base) if base is not None else None, noted, allowed_folders(allow))
    if files.fill(root):
        text = etree.tostring(root, encoding="unicode")
    roots = [root, *files.scenes]
    lang = lang or user_language()
    title = title or _title(root) or "X3D"
    blocks: dict[str, str] = {}
    parts: list[str] = []
    fonts: list[str] = []
    allowed = ["blob:"]
    if viewer == "x_ite":
        parts, fonts = components_of(roots), families_of(roots)
        blocks |= {"module": "x_ite.mjs", "style": "x_ite.css"}
        blocks |= {f"part-{name}": f"x_ite.{name}.js" for name in parts}
        blocks |= {f"font-{name}": FAMILIES[name] for name in fonts}
        nodes = [element for each in roots for element in each.iter("*")]
        if any(element.get("containerField") == "normalTexture" for element in nodes):
            blocks["tangents"] = "x_ite.tangents.wasm"
            allowed.append("'wasm-unsafe-eval'")
        if any(element.tag == "Script" for element in nodes):
            allowed.append("'unsafe-eval'")
    else:
        blocks |= {"module": "x3dom.js", "style": "x3dom.css"}
    data: ViewerData = {
        "viewer": viewer,
        "title": title,
        "lang": lang,
        "parts": parts,
        "fonts": fonts,
        "blocks": sorted(blocks),
    }
    script = asset_text("viewer.js")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return _TEMPLATE.format(
        lang=lang,
        credits=CREDITS[viewer],
        rules=RULES.format(scripts=" ".join([f"'sha256-{digest}'", *allowed])),
        title=escape(_plain(title)),
        style=view_text("viewer/viewer.css"),
        blocks="\n".join([packed("scene", text), *(packed_asset(name, file) for name, file in blocks.items())]),
        # Inside a script element nothing may look like its end, or like a comment.
        data=json.dumps(data).replace("<", "\\u003c"),
        script=script,
    )


def _scene(text: str) -> etree._Element:
    """The root of an X3D file."""
    root, en, ru, at = None, "", "", 0
    try:
        root = read_scene(text)
    except (etree.XMLSyntaxError, ValueError) as problem:
        # Parsers speak English only.
        en, ru, at = f": {problem}", ": здесь это не XML", _place(str(problem), text)
    if root is None or root.tag != "X3D" or root.find("Scene") is None:
        span = Span(Source("<x3d>", text), at, min(at + 1, len(text)))
        message = Text(f"this is no X3D scene{en}", f"это не сцена X3D{ru}")
        raise SistelError([Diagnostic("no-scene", "error", message, span)])
    return root


def _place(said: str, text: str) -> int:
    """The character that a parser means; the first where it names none."""
    found = re.search(r"line (\d+), column (\d+)", said)
    lines = text.split("\n")
    if found is None or not 1 <= int(found[1]) <= len(lines):
        return 0
    row = int(found[1]) - 1
    column = min(max(int(found[2]) - 1, 0), len(lines[row]))
    return min(sum(len(line) + 1 for line in lines[:row]) + column, max(len(text) - 1, 0))


def _title(root: etree._Element) -> str:
    info = root.find(".//WorldInfo[@title]")
    if info is not None:
        return str(info.get("title", ""))
    meta = root.find("head/meta[@name='title']")
    return str(meta.get("content", "")) if meta is not None else ""


def _plain(text: str) -> str:
    """A text without characters that HTML does not take."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def _refuse(code: str, message: Text, expected: Text | None = None) -> None:
    raise SistelError([Diagnostic(code, "error", message, expected=expected)])


_TEMPLATE = """<!doctype html>
<html lang="{lang}">
<!-- Made by sistel. This page carries {credits}. -->
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body data-sistel="viewer">
<header><h1></h1><nav></nav></header>
<main></main>
{blocks}
<script type="application/json" data-payload>{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
