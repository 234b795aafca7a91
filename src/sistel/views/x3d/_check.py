"""What a schema cannot see in a scene: routes that lead nowhere, fields of other types, keys without values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from sistel.errors import Diagnostics, Source, Span, Text, word_hint
from sistel.markup.xml import Attribute, Element, Limits, read_xml
from sistel.views.x3d._fields import ACCESS, COMMON, STATEMENTS, Field, node_fields, numbers_of

DEEP = Limits(depth=20_000)
"""Chains of bodies are nested in scenes, several elements for each."""
Interface = Mapping[str, Field] | None
"""The fields of a prototype; None where nothing is known of them."""

_SCOPES = ("ProtoDeclare", "ExternProtoDeclare")
_INTERPOLATORS = ("PositionInterpolator", "OrientationInterpolator")
_WORD = re.compile(r"[^\s,]+")
_WHOLE = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+)")


def check_scene(text: str) -> list[str]:
    """What is wrong with the names, routes, prototypes and keys of a scene; nothing where all is right.

    Args:
        text: A whole X3D file.
    """
    diagnostics = Diagnostics()
    root = read_xml(Source("<x3d>", text), diagnostics, limits=DEEP)
    if not diagnostics.failed and (root is None or root.name != "X3D" or _child(root, "Scene") is None):
        return ["no X3D scene"]
    if not diagnostics.failed and root is not None:
        check_tree(root, diagnostics)
    return [each.message.en for each in diagnostics.sorted()]


def check_tree(root: Element, diagnostics: Diagnostics, supplied: Mapping[str, Interface] | None = None) -> None:
    """Warn of what a viewer cannot make sense of in a scene, each at its place.

    Args:
        root: The element X3D, which has a Scene.
        diagnostics: Where warnings go.
        supplied: Prototypes that are there without a declaration.
    """
    scene = _child(root, "Scene")
    assert scene is not None
    for each in root.children:
        if each is not scene and each.name != "head":
            message = Text(
                f"{each.label} stands beside <Scene>: it is not shown",
                f"{each.label} стоит рядом с <Scene>, а не внутри: не показывается",
            )
            diagnostics.warning("outside-scene", each.span, message)
    _Scope(scene, {}, {}, diagnostics, supplied or {}).check()


def _child(element: Element, name: str) -> Element | None:
    return next((each for each in element.children if each.name == name), None)


def _own(holder: Element) -> Iterator[Element]:
    """Elements in order, those within declarations left out; no recursion, for chains of bodies are long."""
    stack = list(reversed(holder.children))
    while stack:
        element = stack.pop()
        yield element
        if element.name not in _SCOPES:
            stack.extend(reversed(element.children))


class _Scope:
    """A scene or the body of a prototype: names of nodes are known in it alone, prototypes also within."""

    def __init__(
        self,
        holder: Element,
        known: Mapping[str, Interface],
        interface: Mapping[str, Field],
        told: Diagnostics,
        supplied: Mapping[str, Interface],
    ) -> None:
        self.holder = holder
        self.known = dict(known)
        self.interface = interface
        self.told = told
        self.supplied = supplied
        self.nodes: dict[str, Element] = {}

    def check(self) -> None:
        """All elements: first what is declared, then what refers to it."""
        for element in _own(self.holder):
            if element.name in _SCOPES:
                self._declare(element)
            else:
                self._name(element)
        checks = {"ROUTE": self._route, "ProtoInstance": self._instance}
        for element in _own(self.holder):
            if element.name in _SCOPES:
                continue
            special = checks.get(element.name)
            if special is not None:
                special(element)
            elif element.name in node_fields():
                self._node(element)
            elif element.name not in STATEMENTS:
                message = Text(
                    f"X3D has no node <{element.name}>: it is not shown",
                    f"в X3D нет узла <{element.name}>: он не показан",
                )
                self.told.warning(
                    "unknown-node", element.name_span, message, hint=word_hint(element.name, [*node_fields()])
                )
            for statement in element.children:
                if statement.name == "IS":
                    for connect in statement.children:
                        self._connect(element, connect)

    # --- names and declarations --------------------------------------------------------------------------------------

    def _name(self, element: Element) -> None:
        defined, used = (element.attributes.get(key) for key in ("DEF", "USE"))
        if defined is not None:
            if defined.text in self.nodes:
                self._warn(
                    "two-nodes", defined, f'two nodes are "{defined.text}"', f"два узла называются «{defined.text}»"
                )
            self.nodes[defined.text] = element
        if used is not None and used.text not in self.nodes:
            self._warn(
                "no-node",
                used,
                f'USE of "{used.text}", which is not defined before',
                f"USE узла «{used.text}», который выше не определён (DEF)",
                self.nodes,
            )

    def _declare(self, element: Element) -> None:
        name = _text(element, "name")
        if name in self.known:
            self._warn(
                "two-prototypes",
                _place(element, "name"),
                f'two prototypes are "{name}"',
                f"два прототипа называются «{name}»",
            )
        external = element.name == "ExternProtoDeclare"
        holder = element if external else _child(element, "ProtoInterface")
        rows = [] if holder is None else [each for each in holder.children if each.name == "field"]
        fields: dict[str, Field] = {}
        for row in rows:
            own, kind = _text(row, "name"), _text(row, "type")
            if own in fields:
                self._warn(
                    "two-fields",
                    _place(row, "name"),
                    f'prototype "{name}" has two fields "{own}"',
                    f"у прототипа «{name}» два поля «{own}»",
                )
            self._value(row.attributes.get("value"), kind)
            access = _text(row, "accessType")
            if access not in ACCESS:
                self.told.warning(
                    "bad-access",
                    _span(row, "accessType"),
                    Text(f'field "{own}" has no access "{access}"', f"у поля «{own}» нет доступа «{access}»"),
                    expected=Text(", ".join(ACCESS), ", ".join(ACCESS)),
                )
            fields[own] = (kind, ACCESS.get(access, "both"))
        if not external:
            body = _child(element, "ProtoBody")
            if body is None:
                self._warn(
                    "no-body", element, f'prototype "{name}" has no body', f"у прототипа «{name}» нет тела (ProtoBody)"
                )
            else:
                _Scope(body, self.known, fields, self.told, self.supplied).check()
        # An external prototype may say its fields in its file alone.
        self.known[name] = None if external and not rows else fields

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _fields_of(self, element: Element) -> Interface:
        if element.name == "ProtoInstance":
            return {**self.supplied, **self.known}.get(_text(element, "name"))
        fields = node_fields().get(element.name, {})
        rows = [each for each in element.children if each.name == "field"]
        if not rows:
            return fields
        own = {_text(row, "name"): (_text(row, "type"), ACCESS.get(_text(row, "accessType"), "")) for row in rows}
        return {**fields, **own}

    def _node(self, element: Element) -> None:
        fields = node_fields()[element.name]
        for name, attribute in element.attributes.items():
            if name in fields:
                self._value(attribute, fields[name][0])
            elif name not in COMMON and ":" not in name and not name.startswith("xmlns"):
                message = Text(f"<{element.name}> has no field {name}", f"у узла <{element.name}> нет поля {name}")
                self.told.warning("unknown-field", attribute.name_span, message, hint=word_hint(name, [*fields]))
        for row in element.children:
            if row.name == "field":
                self._value(row.attributes.get("value"), _text(row, "type"))
        if element.name in _INTERPOLATORS and "USE" not in element.attributes:
            self._keys(element)

    def _instance(self, element: Element) -> None:
        name = _text(element, "name")
        if name not in self.known and name not in self.supplied:
            if "USE" in element.attributes and not name:
                return
            self._warn(
                "no-prototype",
                _place(element, "name"),
                f'there is no prototype "{name}"',
                f"нет прототипа «{name}»",
                [*self.known, *self.supplied],
            )
            return
        fields = self._fields_of(element)
        if fields is None:
            return
        for value in element.children:
            if value.name != "fieldValue":
                continue
            own = _text(value, "name")
            if own not in fields:
                self._warn(
                    "unknown-field",
                    _place(value, "name"),
                    f'prototype "{name}" has no field "{own}"',
                    f"у прототипа «{name}» нет поля «{own}»",
                    fields,
                )
            else:
                self._value(value.attributes.get("value"), fields[own][0])

    def _connect(self, element: Element, connect: Element) -> None:
        inner, outer = _text(connect, "nodeField"), _text(connect, "protoField")
        fields = self._fields_of(element)
        if outer not in self.interface:
            self._warn(
                "unknown-field",
                _place(connect, "protoField"),
                f'the prototype has no field "{outer}"',
                f"у прототипа нет поля «{outer}»",
                self.interface,
            )
        elif fields is None:
            return
        elif inner not in fields:
            self._warn(
                "unknown-field",
                _place(connect, "nodeField"),
                f'{element.name} has no field "{inner}"',
                f"у {element.name} нет поля «{inner}»",
                fields,
            )
        elif fields[inner][0] != self.interface[outer][0]:
            (a, b) = self.interface[outer][0], fields[inner][0]
            self._warn(
                "other-type", connect, f'"{outer}" is {a}, and "{inner}" {b}', f"«{outer}» — {a}, а «{inner}» — {b}"
            )

    # --- routes ------------------------------------------------------------------------------------------------------

    def _route(self, route: Element) -> None:
        source, target = (self._end(route, end) for end in ("from", "to"))
        if source is not None and target is not None and source != target:
            ends = ".".join((_text(route, "toNode"), _text(route, "toField")))
            self._warn(
                "other-type",
                route,
                f'a route brings {source} to "{ends}", which is {target}',
                f"ROUTE ведёт {source} в «{ends}», а там {target}",
            )

    def _end(self, route: Element, end: str) -> str | None:
        """Type of the field at one end of a route; None where there is none, or nothing is known of it."""
        name, field = _text(route, f"{end}Node"), _text(route, f"{end}Field")
        if name not in self.nodes:
            self._warn(
                "no-node",
                _place(route, f"{end}Node"),
                f'a route goes {end} "{name}", which is no node',
                f"ROUTE ведёт {'из' if end == 'from' else 'в'} «{name}», такого узла нет",
                self.nodes,
            )
            return None
        node = self.nodes[name]
        fields = self._fields_of(node)
        if fields is None or (node.name not in node_fields() and node.name != "ProtoInstance"):
            return None
        plain = field.removeprefix("set_") if end == "to" else field.removesuffix("_changed")
        kind, access = fields.get(field) or fields.get(plain) or ("", "")
        if not kind:
            self._warn(
                "unknown-field",
                _place(route, f"{end}Field"),
                f'"{name}" ({node.name}) has no field "{field}"',
                f"у «{name}» ({node.name}) нет поля «{field}»",
                fields,
            )
            return None
        if access not in ("both", "in" if end == "to" else "out"):
            way = Text("from" if end == "from" else "to", "из" if end == "from" else "в")
            self._warn(
                "bad-access",
                _place(route, f"{end}Field"),
                f'"{name}.{field}" cannot be the {way.en} of a route',
                f"{way.ru} «{name}.{field}» ROUTE вести не может",
            )
        return kind

    # --- values ------------------------------------------------------------------------------------------------------

    def _value(self, attribute: Attribute | None, kind: str) -> None:
        """Whether a value is of its type."""
        counted = numbers_of(kind)
        if attribute is None or counted is None:
            return
        size, several = counted
        words = list(_WORD.finditer(attribute.text))
        bad = next((each for each in words if not _fits(each[0], kind)), None)
        if bad is not None:
            message = Text(f'"{bad[0][:40]}" is no {_said(kind).en}', f"«{bad[0][:40]}» — не {_said(kind).ru}")
            self.told.warning(
                "bad-value", attribute.value.span(*bad.span()), message, expected=_form(kind, size, several)
            )
        elif (len(words) % size) if several else len(words) != size:
            message = Text(f"{kind} of {len(words)} numbers", f"{kind} из {len(words)} чисел")
            self.told.warning("bad-value", attribute.value.span(), message, expected=_form(kind, size, several))

    def _keys(self, element: Element) -> None:
        name = _text(element, "DEF")
        try:
            keys, values = (
                [float(word) for word in _WORD.findall(_text(element, each))] for each in ("key", "keyValue")
            )
        except ValueError:
            return  # told where it stands
        size = 3 if element.name == "PositionInterpolator" else 4
        if len(values) != size * len(keys):
            self._warn(
                "bad-keys",
                _place(element, "keyValue"),
                f'"{name}" has {len(keys)} keys, and {len(values)} numbers for them',
                f"у «{name}» ключей {len(keys)}, а чисел для них {len(values)}",
            )
        if any(b < a for a, b in pairwise(keys)) or not keys or keys[0] < 0 or keys[-1] > 1:
            self._warn(
                "bad-keys",
                _place(element, "key"),
                f'the keys of "{name}" do not go from 0 to 1',
                f"ключи «{name}» не идут от 0 до 1",
            )

    def _warn(
        self, code: str, place: Element | Attribute, en: str, ru: str, known: Sequence[str] | Mapping[str, object] = ()
    ) -> None:
        span = place.span if isinstance(place, Element) else place.value.span()
        said = place.text if isinstance(place, Attribute) else ""
        self.told.warning(code, span, Text(en, ru), hint=word_hint(said, [*known]) if said else None)


def _text(element: Element, name: str) -> str:
    attribute = element.attributes.get(name)
    return "" if attribute is None else attribute.text


def _place(element: Element, name: str) -> Element | Attribute:
    return element.attributes.get(name) or element


def _span(element: Element, name: str) -> Span:
    place = _place(element, name)
    return place.span if isinstance(place, Element) else place.value.span()


def _fits(word: str, kind: str) -> bool:
    if kind.endswith("Bool"):
        return word.lower() in ("true", "false")
    if kind.endswith("Int32"):
        return _WHOLE.fullmatch(word) is not None
    try:
        return math.isfinite(float(word)) and "_" not in word
    except ValueError:
        return False


def _said(kind: str) -> Text:
    if kind.endswith("Bool"):
        return Text("truth value", "логическое значение")
    return Text("whole number", "целое число") if kind.endswith("Int32") else Text("number", "число")


def _form(kind: str, size: int, several: bool) -> Text:
    """What a value of a type looks like."""
    if kind.endswith("Bool"):
        return Text("true or false", "true или false")
    if several:
        return Text(f"{kind}: numbers, {size} for each", f"{kind}: числа, по {size} на каждое значение")
    return Text(f"{kind}: numbers, {size} of them", f"{kind}: чисел {size}")
