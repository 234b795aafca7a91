"""Files that a scene names, put into the scene itself: a page that is one file can fetch none beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote
from xml.parsers import expat

from sistel.errors import Span, Text
from sistel.markup import AccessError, Losses, read_named

if TYPE_CHECKING:
    from lxml.etree import _Element as Node

    Where = Callable[[Node], Span | None]
    """Where an element stands in what the user wrote."""

KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".x3d": "model/x3d+xml",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
}
"""What can be embedded, by the ends of names."""
SCENES = ("Inline", "ExternProtoDeclare")
TAKEN = {**dict.fromkeys(SCENES, KINDS[".x3d"]), "Script": KINDS[".js"]}
"""The kind that some nodes take; others take pictures."""
DEEPEST = 5
"""How many scenes may stand within each other."""
LARGEST = 32 * 2**20
"""All files together [B]."""

_STRINGS = re.compile(r'"((?:[^"\\]|\\.)*)"')
_INSIDE = ("data:", "javascript:", "ecmascript:", "#")


def kinds_of(tag: str) -> tuple[str, ...]:
    """The kinds of files that an element can name."""
    special = tuple(TAKEN.values())
    return (TAKEN[tag],) if tag in TAKEN else tuple(kind for kind in KINDS.values() if kind not in special)


class _NotCarriedError(Exception):
    """A file that does not come into the page, and why."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.en)
        self.why = why


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
        self.scenes: list[Node] = []
        """The roots of the scenes that came in."""

    def fill(self, root: Node, within: tuple[Path, ...] = (), where: Where = lambda _: None) -> bool:
        """Put the files that a scene names into it; whether there were any.

        Args:
            root: Of the scene, which is changed.
            within: The files in which it stands, its own the last.
            where: The places of its elements, for what is told.
        """
        changed = False
        supply = Supply(root, self._losses, where)
        for element in list(root.iter("*")):
            url = element.get("url", "")
            places = _STRINGS.findall(url) or [url]
            if all(not place or place.startswith(_INSIDE) for place in places):
                continue
            found, why = self._first(places, element, within)
            if found is not None:
                element.set("url", f'"{found}"')
                changed = True
            elif supply.instead(element, why):
                changed = True
            else:
                self._losses.dropped(where(element), _not_there(element, places[0], why))
        return supply.rest() or changed

    def _first(self, places: Sequence[str], element: Node, within: tuple[Path, ...]) -> tuple[str | None, Text | None]:
        """The first of some places that can be had; or why the last one cannot."""
        why = None
        for place in places:
            try:
                return self._held(place, element, within), None
            except _NotCarriedError as problem:
                why = problem.why
        return None, why

    def _held(self, place: str, element: Node, within: tuple[Path, ...]) -> str:
        """A file as an address that holds it."""
        from lxml import etree

        name, _, part = unquote(place).partition("#")
        tag = str(element.tag)
        if self._base is None or re.match(r"[a-z][a-z0-9+.-]+:", name, re.IGNORECASE):
            raise _NotCarriedError(Text("pages fetch nothing", "страницы ничего не загружают"))
        kind, taken = KINDS.get(Path(name).suffix.lower()), kinds_of(tag)
        if kind is None or kind not in taken:
            ends = ", ".join(end for end, each in KINDS.items() if each in taken)
            raise _NotCarriedError(Text(f"expected a file {ends}", f"ожидался файл {ends}"))
        try:
            path = ((within[-1].parent if within else self._base) / name).resolve()
            data = read_named(path, self._room, self._roots)
            if len(data) > self._room:
                raise _NotCarriedError(Text("too much for a page", "для страницы это слишком много"))
            self._room -= len(data)
            if tag == "Script":
                return f"data:{kind}," + quote(data.decode("utf-8-sig"))
            if tag in SCENES:
                data, part = self._scene(data, path, element, part, within)
        except AccessError as problem:
            if problem.code == "no-file":
                raise _NotCarriedError(Text("there is no such file", "такого файла нет")) from None
            raise _NotCarriedError(_joined(problem.reason, problem.hint)) from None
        except (OSError, ValueError, etree.XMLSyntaxError) as problem:
            said = Text(f"it cannot be read: {problem}", "прочитать его не удалось")
            raise _NotCarriedError(said) from None
        return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" + (f"#{part}" if part else "")

    def _scene(self, data: bytes, path: Path, element: Node, part: str, within: tuple[Path, ...]) -> tuple[bytes, str]:
        """A scene or a prototype of another file, with what it names inside, and the name of the prototype there."""
        from lxml import etree

        if path in within or len(within) >= DEEPEST:
            raise _NotCarriedError(Text("it stands within itself", "он вложен сам в себя"))
        inner = read_scene(data)
        self.scenes.append(inner)
        changed = self.fill(inner, (*within, path))
        if element.tag == "ExternProtoDeclare":
            part, renamed = _declare_fields(element, inner, part)
            changed = changed or renamed
        if changed:
            data = etree.tostring(inner, encoding="utf-8", xml_declaration=True)
        return data, part


class Supply:
    """Prototypes of this package for a scene whose own files of them are not there."""

    def __init__(self, root: Node, losses: Losses, where: Where) -> None:
        """For one scene, which is changed; losses tell of every prototype that is supplied."""
        self._root = root
        self._losses = losses
        self._where = where
        self._supplied = False
        self._declared = {
            element.get("name", "") for tag in ("ProtoDeclare", "ExternProtoDeclare") for element in root.iter(tag)
        }

    def instead(self, element: Node, why: Text | None) -> bool:
        """In the place of a prototype of another file, if it has that interface."""
        name = element.get("name", "")
        fields = {str(field.get("name")) for field in element.findall("field")}
        if element.tag != "ExternProtoDeclare" or not fields <= own_fields().get(name, {}).keys():
            return False
        if name not in own_fields():
            return False
        what = _not_there(element, element.get("url", "").strip('"'), why)
        return self._supply(name, element, what)

    def rest(self) -> bool:
        """What instances name and nothing declares; and interfaces without a body, as papers print them."""
        changed = False
        for element in list(self._root.iter("ProtoDeclare")):
            name, body = element.get("name", ""), element.find("ProtoBody")
            empty = body is None or not any(isinstance(each.tag, str) for each in body)
            fields = {str(field.get("name")) for field in element.findall("ProtoInterface/field")}
            if empty and name in own_fields() and fields <= own_fields()[name].keys():
                what = Text(f"ProtoDeclare {name} has no body", f"у ProtoDeclare {name} нет тела")
                changed |= self._supply(name, element, what)
        for element in list(self._root.iter("ProtoInstance")):
            name = element.get("name", "")
            if name in own_fields() and name not in self._declared:
                what = Text(f"nothing declares {name}", f"{name} нигде не объявлен")
                changed |= self._supply(name, element, what)
        if self._supplied:
            self._in_order()
        return changed

    def _in_order(self) -> None:
        """Put declarations first in their scene, each behind those that it uses: viewers read them once, from above."""
        scene = self._root.find("Scene")
        assert scene is not None
        found = [each for each in scene if each.tag in ("ProtoDeclare", "ExternProtoDeclare")]
        names = {each.get("name", ""): each for each in reversed(found)}
        done: dict[Node, None] = {}

        def put(element: Node, above: tuple[Node, ...]) -> None:
            if element in done or element in above:
                return
            for used in element.iter("ProtoInstance"):
                if used.get("name", "") in names:
                    put(names[used.get("name", "")], (*above, element))
            done[element] = None

        for each in found:
            put(each, ())
        for place, element in enumerate(done):
            scene.insert(place, element)

    def _supply(self, name: str, element: Node, what: Text) -> bool:
        from sistel.views.prototypes import own_declarations

        scene = self._root.find("Scene")
        if scene is None:
            return False
        span = self._where(element)
        parent = element.getparent()
        if element.tag != "ProtoInstance" and parent is not None:
            self._declared.discard(name)
            parent.remove(element)
        self._supplied = True
        made = own_declarations(name, self._declared) or {}
        for place, text in enumerate(made.values()):
            scene.insert(place, read_scene(f"<X3D>{text}</X3D>")[0])
        instead = Text(
            f"{what.en}; the prototype of that name that sistel has is in the page instead",
            f"{what.ru}; вместо него на странице прототип с этим именем из sistel",
        )
        self._losses.changed(span, instead)
        return True


@cache
def own_fields() -> dict[str, dict[str, tuple[str, str]]]:
    """The interfaces of the prototypes of this package by name: types, and access."""
    from sistel.views.prototypes import prototype_fields

    return prototype_fields()


def _declare_fields(element: Node, inner: Node, part: str) -> tuple[str, bool]:
    """Repeat the fields of a prototype where it is declared: viewers ignore values of others.

    Returns:
        The name of the prototype in its file, and whether that had to be changed: viewers do not find other letters
        than Latin ones at the end of an address.
    """
    known = inner.findall(".//ProtoDeclare")
    declared = next((each for each in known if not part or each.get("name") == part), None)
    if declared is None:
        what = Text(f"there is no prototype {part} in it", f"в нём нет прототипа {part}")
        raise _NotCarriedError(what)
    from lxml import etree

    there = {field.get("name") for field in element.findall("field")}
    for field in declared.findall("ProtoInterface/field"):
        if field.get("name") not in there:
            words = {key: field.get(key, "") for key in ("accessType", "type", "name")}
            etree.SubElement(element, "field", words)
    if part.isascii():
        return part, False
    name = "prototype"
    while any(each.get("name") == name for each in known):
        name += "_"
    for each in inner.iter("ProtoDeclare", "ProtoInstance"):
        if each.get("name") == part:
            each.set("name", name)
    return name, True


def _not_there(element: Node, place: str, why: Text | None) -> Text:
    tag, name = element.tag, place[:200]
    what = Text(f"{tag} {name}: not in the page", f"{tag} {name}: на страницу не попало")
    return what if why is None else Text(f"{what.en}: {why.en}", f"{what.ru}: {why.ru}")


def _joined(reason: Text, hint: Text | None) -> Text:
    return reason if hint is None else Text(f"{reason.en}; {hint.en}", f"{reason.ru}; {hint.ru}")


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


def read_scene(data: str | bytes) -> Node:
    """The root of an XML text. Scripts keep their form, which viewers know them by.

    Raises:
        ValueError: It is no XML, or has entities, which serve nothing in scenes but to make them huge.
        XMLSyntaxError: It is no XML.
    """
    from lxml import etree

    if isinstance(data, str):
        # The letters are known already, whatever the text says of itself.
        data = re.sub(r"^\s*<\?xml[^>]*\?>", "", data.removeprefix("\ufeff")).encode("utf-8")
    _refuse_entities(data)
    parser = etree.XMLParser(strip_cdata=False, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    return etree.fromstring(data, parser)
