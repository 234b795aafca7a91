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
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostic, Diagnostics, Language, SistelError, Source, Text, user_language
from sistel.look import header, style_sheet
from sistel.markup import Losses, allowed_folders
from sistel.views._payloads import ViewerData
from sistel.views.assets import asset_text
from sistel.views.page._files import view_text
from sistel.views.page._packed import packed, packed_asset
from sistel.views.viewer._components import FAMILIES, components_of, families_of
from sistel.views.viewer._embedding import Embedding, own_fields
from sistel.views.viewer._scene_text import SceneText, read_scene_text
from sistel.views.x3d import STATEMENTS, check_tree

if TYPE_CHECKING:
    from lxml import etree

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
_NODE = re.compile(r'registerNodeType\("(\w+)"')


def view_scene(
    text: str | Source,
    *,
    viewer: Viewer = "x_ite",
    title: str | None = None,
    lang: Language | None = None,
    base: str | os.PathLike[str] | None = None,
    losses: Losses | None = None,
    allow: Sequence[str | os.PathLike[str]] = (),
    told: Diagnostics | None = None,
    back: str = "",
) -> str:
    """A page that shows a scene: one file, which opens without a server and without the network.

    Args:
        text: A whole X3D file, a page of HTML with a scene in it, or a piece of a scene as papers print them; with the
            name of its file, which problems bear then.
        viewer: X_ITE knows nearly all of X3D, scripts and prototypes too; X3DOM is smaller and knows less.
        title: Of the page; that of the scene unless told otherwise.
        lang: In which the page speaks first; the user's unless told otherwise.
        base: The folder of the scene. Pictures and scenes in it and below, which the scene names, come into the page.
        losses: Where to note the files that do not, and whatever else is not as the scene says.
        allow: Other folders from which files may come into the page.
        back: Address of the gallery that the page belongs to.
        told: Where to warn of what viewers make no sense of: unknown nodes and fields, routes that lead nowhere.

    Raises:
        SistelError: The text is no X3D scene, there is no such viewer, or the scene needs what pages do not carry.
    """
    if viewer not in CREDITS:
        _refuse(
            "unknown-word",
            Text(f'there is no viewer "{viewer}"', f"нет просмотрщика «{viewer}»"),
            Text("x_ite or x3dom", "x_ite или x3dom"),
        )
    noted = losses if losses is not None else Losses()
    scene = read_scene_text(text if isinstance(text, Source) else Source("<x3d>", text))
    if told is not None:
        _warn(scene, told)
    for span, what in scene.left:
        noted.dropped(span, what)
    root, shown = scene.root, scene.text
    files = Embedding(Path(base) if base is not None else None, noted, allowed_folders(allow))
    if files.fill(root, where=scene.span):
        from lxml import etree

        shown = etree.tostring(root, encoding="unicode")
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
        _tell_unknown(roots, scene, noted)
    data: ViewerData = {
        "viewer": viewer,
        "title": title,
        "lang": lang,
        "parts": parts,
        "fonts": fonts,
        "blocks": sorted(blocks),
        "fit": not any(str(element.tag).endswith("Viewpoint") for each in roots for element in each.iter("*")),
    }
    script = asset_text("viewer.js")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return _TEMPLATE.format(
        lang=lang,
        credits=CREDITS[viewer],
        rules=RULES.format(scripts=" ".join([f"'sha256-{digest}'", *allowed])),
        title=escape(_plain(title)),
        style=style_sheet(view_text("viewer/viewer.css")),
        header=header(escape(_plain(title)), "X3D", back=back),
        blocks="\n".join([packed("scene", shown), *(packed_asset(name, file) for name, file in blocks.items())]),
        # Inside a script element nothing may look like its end, or like a comment.
        data=json.dumps(data).replace("<", "\\u003c"),
        script=script,
    )


def _warn(scene: SceneText, told: Diagnostics) -> None:
    """Warn of what viewers make no sense of."""
    found = Diagnostics()
    check_tree(scene.tree, found, own_fields())
    for each in found.sorted():
        told.add(scene.told(each))


def _tell_unknown(roots: Sequence[etree._Element], scene: SceneText, losses: Losses) -> None:
    """Say which nodes X3DOM does not have."""
    known = {tag.lower() for tag in (*_NODE.findall(asset_text("x3dom.js")), *STATEMENTS)}
    nodes = [element for root in roots for each in root.iterfind("Scene") for element in each.iterdescendants("*")]
    found: dict[str, list[etree._Element]] = {}
    for element in nodes:
        if str(element.tag).lower() not in known:
            found.setdefault(str(element.tag), []).append(element)
    for tag, elements in found.items():
        times = f" × {len(elements)}" if len(elements) > 1 else ""
        what = Text(
            f"{tag}{times}: X3DOM does not have it; --viewer x_ite has",
            f"{tag}{times}: в X3DOM этого нет; --viewer x_ite умеет",
        )
        losses.dropped(scene.span(elements[0]), what)


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
{header}<main></main>
{blocks}
<script type="application/json" data-payload>{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
