"""Files that a scene names, put into the scene itself: a page that is one file can fetch none beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote
from xml.parsers import expat

from lxml import etree

from sistel.errors import Text
from sistel.markup import AccessError, Losses, read_named

Element = etree._Element

KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".x3d": "model/x3d+xml",
}
"""What can be embedded, by the ends of names."""
SCENES = ("Inline", "ExternProtoDeclare")
DEEPEST = 5
"""How many scenes may stand within each other."""
LARGEST = 32 * 2**20
"""All files together [B]."""

_STRINGS = re.compile(r'"((?:[^"\\]|\\.)*)"')
_INSIDE = ("data:", "javascript:", "ecmascript:", "#")


class Embedding:
    """The files of a scene, as they are put into it."""

    def __init__(self, base: Path | None, losses: Losses, allow: Sequence[str] = ()) -> None:
        """Nothing outside the folders `base` and `allow` is read; without a base, nothing at all.

        Losses tell what stays outside.
        """
        self._base = base.resolve() if base is not None else None
        self._roots = () if base is None else (str(base), *allow)
        self._losses = losses
        self._room = LARGEST
        self._why: Text | None = None
        """Why the last file was not read."""
        self.scenes: list[Element] = []
        """The roots of the scenes that came in."""

    def fill(self, root: Element, within: tuple[Path, ...] = ()) -> bool:
        """Put the files that a scene names into it; whether there were any.

        Args:
            root: Of the scene, which is changed.
            within: The files in which it stands, its own the last.
        """
        changed = False
        for element in root.iter("*"):
            url = element.get("url", "")
            places = _STRINGS.findall(url) or [url]
            if element.tag == "Script" or all(not place or place.startswith(_INSIDE) for place in places):
                continue
            self._why = None
            held = (self._held(place, str(element.tag), within) for place in places)
            found = next(filter(None, held), None)
            if found is None:
                name, why = places[0][:200], self._why
                what = Text(f"{element.tag} {name}: not in the page", f"{element.tag} {name}: на страницу не попало")
                if why is not None:
                    what = Text(f"{what.en}: {why.en}", f"{what.ru}: {why.ru}")
                self._losses.dropped(None, what)
                continue
            element.set("url", f'"{found}"')
            changed = True
        return changed

    def _held(self, place: str, tag: str, within: tuple[Path, ...]) -> str | None:
        """A file as an address that holds it; None where there is no such file, or it may not be read."""
        name, _, part = unquote(place).partition("#")
        kind = KINDS.get(Path(name).suffix.lower())
        if self._base is None or kind is None or (tag in SCENES) != (kind == KINDS[".x3d"]):
            return None
        try:
            path = ((within[-1].parent if within else self._base) / name).resolve()
            data = read_named(path, self._room, self._roots)
            if len(data) > self._room:
                return None
            self._room -= len(data)
            if tag in SCENES:
                # Nothing may stand within itself.
                if path in within or len(within) >= DEEPEST:
                    return None
                inner = read_scene(data)
                self.scenes.append(inner)
                if self.fill(inner, (*within, path)):
                    data = etree.tostring(inner, encoding="utf-8", xml_declaration=True)
        except AccessError as problem:
            hint = problem.hint
            self._why = problem.reason
            if hint is not None:
                self._why = Text(f"{problem.reason.en}; {hint.en}", f"{problem.reason.ru}; {hint.ru}")
            return None
        except (OSError, ValueError, etree.XMLSyntaxError):
            return None
        return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" + (f"#{part}" if part else "")


def _refuse_entities(data: bytes) -> None:
    """Look for entities in the text as a reader of XML sees it: in another encoding their bytes are others."""
    parser = expat.ParserCreate()

    def declared(*_: object) -> None:
        raise ValueError("entities")

    parser.EntityDeclHandler = declared
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        # The reader that follows knows more encodings, in which something could hide.
        raise ValueError(str(problem)) from None


def read_scene(data: str | bytes) -> Element:
    """The root of an XML text. Scripts keep their form, which viewers know them by.

    Raises:
        ValueError: It is no XML, or has entities, which serve nothing in scenes but to make them huge.
        XMLSyntaxError: It is no XML.
    """
    if isinstance(data, str):
        # The letters are known already, whatever the text says of itself.
        data = re.sub(r"^\s*<\?xml[^>]*\?>", "", data.removeprefix("\ufeff")).encode("utf-8")
    _refuse_entities(data)
    parser = etree.XMLParser(strip_cdata=False, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    return etree.fromstring(data, parser)
