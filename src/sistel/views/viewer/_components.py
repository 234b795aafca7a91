"""What a scene needs of X_ITE beyond its core: components and fonts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, SistelError, Text
from sistel.views.assets import asset_text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from sistel.plain import JsonObject


FAMILIES = {"SERIF": "DroidSerif-Regular.ttf", "SANS": "Ubuntu-R.ttf", "TYPEWRITER": "UbuntuMono-R.ttf"}
"""The families that every X3D browser has, and what X_ITE writes them with."""


def components_of(roots: Sequence[Element]) -> list[str]:
    """The components of X_ITE that have nodes of some scenes, each after those that it needs itself.

    Args:
        roots: Of the X3D files.

    Raises:
        SistelError: Pages do not carry one of them.
    """
    table: JsonObject = json.loads(asset_text("x_ite.json"))
    tags = {str(element.tag) for root in roots for element in root.iter("*")}
    found: list[str] = []
    for name, about in table.items():
        if used := sorted(tags.intersection(about["nodes"])):
            _add(name, used[0], table, found)
    return found


def _add(name: str, node: str, table: JsonObject, found: list[str]) -> None:
    if name in found:
        return
    if not table[name]["carried"]:
        message = Text(
            f"the scene has a node {node}, of the component {name}, which pages do not carry",
            f"в сцене есть узел {node} компонента {name}, которого на страницах нет",
        )
        hint = Text("open the file itself in an X3D browser", "откройте сам файл в браузере X3D")
        raise SistelError([Diagnostic("unknown-node", "error", message, hint=hint)])
    for other in table[name]["needs"]:
        _add(other, node, table, found)
    found.append(name)


def families_of(roots: Sequence[Element]) -> list[str]:
    """The families of letters that the texts of some scenes are written with; none where there is no text."""
    texts = [text for root in roots for text in root.iter("Text")]
    if not texts:
        return []
    styles = [style for root in roots for tag in ("FontStyle", "ScreenFontStyle") for style in root.iter(tag)]
    said = [style.get("family", "") for style in styles]
    used = {family for family in FAMILIES if any(family in _words(each) for each in said)}
    # Serif is what there is without a word, and instead of a family that is unknown.
    plain = any(text.find("FontStyle") is None for text in texts)
    if plain or not used or any(not set(_words(each)) & FAMILIES.keys() for each in said):
        used.add("SERIF")
    return [family for family in FAMILIES if family in used]


def _words(family: str) -> Iterable[str]:
    """The names in a field of several strings."""
    return family.replace('"', " ").replace(",", " ").upper().split()
