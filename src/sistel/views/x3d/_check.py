"""What a schema cannot see in a scene: routes that lead nowhere, fields of other types, keys without values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

Element = ElementTree.Element
Field = tuple[str, str]
"""Type and access: in, out, both, or fixed."""

_CHILDREN = {"children": ("MFNode", "both")}
_TRANSFORM: dict[str, Field] = {
    **_CHILDREN,
    "translation": ("SFVec3f", "both"),
    "rotation": ("SFRotation", "both"),
    "scale": ("SFVec3f", "both"),
}
_INTERPOLATOR: dict[str, Field] = {"set_fraction": ("SFFloat", "in"), "key": ("MFFloat", "both")}


def _follower(kind: str) -> dict[str, Field]:
    """Of what goes towards a destination by itself."""
    inputs = dict.fromkeys(("set_destination", "set_value"), (kind, "in"))
    return {**inputs, "value_changed": (kind, "out"), "isActive": ("SFBool", "out")}


FIELDS: dict[str, dict[str, Field]] = {
    "Transform": _TRANSFORM,
    "Group": _CHILDREN,
    "TimeSensor": {
        "fraction_changed": ("SFFloat", "out"),
        "time": ("SFTime", "out"),
        "cycleInterval": ("SFTime", "both"),
        "loop": ("SFBool", "both"),
    },
    "PositionInterpolator": {
        **_INTERPOLATOR,
        "keyValue": ("MFVec3f", "both"),
        "value_changed": ("SFVec3f", "out"),
    },
    "OrientationInterpolator": {
        **_INTERPOLATOR,
        "keyValue": ("MFRotation", "both"),
        "value_changed": ("SFRotation", "out"),
    },
    "TouchSensor": {"touchTime": ("SFTime", "out"), "enabled": ("SFBool", "both")},
    "KeySensor": {
        "enabled": ("SFBool", "both"),
        "keyPress": ("SFString", "out"),
        "actionKeyPress": ("SFInt32", "out"),
        "shiftKey": ("SFBool", "out"),
    },
    **{f"Position{kind}": _follower("SFVec3f") for kind in ("Chaser", "Damper")},
    **{f"Orientation{kind}": _follower("SFRotation") for kind in ("Chaser", "Damper")},
}
"""Fields of the nodes that routes and prototypes of our scenes touch."""
SIZES = {"SFVec3f": 3, "SFRotation": 4, "PositionInterpolator": 3, "OrientationInterpolator": 4}
ACCESS = {"inputOutput": "both", "inputOnly": "in", "outputOnly": "out", "initializeOnly": "fixed"}
_SCOPES = ("Scene", "ProtoBody")
_OUTSIDE = ("ProtoDeclare", "ExternProtoDeclare")


def check_scene(text: str) -> list[str]:
    """What is wrong with the names, routes, prototypes and keys of a scene; nothing where all is right.

    Args:
        text: A whole X3D file.
    """
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        return [f"no XML: {problem}"]
    scene = root.find("Scene")
    if root.tag != "X3D" or scene is None:
        return ["no X3D scene"]
    return list(_scope(scene, {}, {}))


def _scope(holder: Element, known: dict[str, dict[str, Field]], interface: dict[str, Field]) -> Iterator[str]:
    """Check a scene or the body of a prototype: names of nodes are known in it alone, prototypes also within."""
    known = dict(known)
    nodes: dict[str, Element] = {}
    for element in _own(holder):
        if element.tag in _OUTSIDE:
            yield from _declared(element, known)
            continue
        name = element.get("DEF")
        if name is not None:
            if name in nodes:
                yield f'two nodes are "{name}"'
            nodes[name] = element
        if element.get("USE") is not None and element.get("USE") not in nodes:
            yield f'USE of "{element.get("USE")}", which is not defined before'
    for element in _own(holder):
        if element.tag == "ROUTE":
            yield from _route(element, nodes, known)
        elif element.tag == "ProtoInstance":
            yield from _instance(element, known)
        elif element.tag in ("PositionInterpolator", "OrientationInterpolator"):
            yield from _keys(element)
        for connect in element.findall("IS/connect"):
            yield from _connect(element, connect, known, interface)


def _own(holder: Element) -> Iterator[Element]:
    """Elements in order, those within declarations left out; no recursion, for chains of bodies are long."""
    stack = list(reversed(holder))
    while stack:
        element = stack.pop()
        yield element
        if element.tag not in _OUTSIDE:
            stack.extend(reversed(element))


def _declared(element: Element, known: dict[str, dict[str, Field]]) -> Iterator[str]:
    name = element.get("name", "")
    if name in known:
        yield f'two prototypes are "{name}"'
    external = element.tag == "ExternProtoDeclare"
    fields: dict[str, Field] = {}
    for field in element.findall("field" if external else "ProtoInterface/field"):
        own, kind = field.get("name", ""), field.get("type", "")
        if own in fields:
            yield f'prototype "{name}" has two fields "{own}"'
        size, value = SIZES.get(kind), field.get("value")
        if size is not None and value is not None and len(value.split()) != size:
            yield f'field "{own}" of "{name}" is no {kind}: {value}'
        fields[own] = (kind, ACCESS.get(field.get("accessType", ""), ""))
    if not external:
        body = element.find("ProtoBody")
        if body is None:
            yield f'prototype "{name}" has no body'
        else:
            yield from _scope(body, known, fields)
    known[name] = fields


def _fields_of(element: Element, known: dict[str, dict[str, Field]]) -> dict[str, Field] | None:
    if element.tag == "ProtoInstance":
        return known.get(element.get("name", ""))
    if element.tag == "Script":
        own = element.findall("field")
        rows = [(each.get("name", ""), each.get("type", ""), each.get("accessType", "")) for each in own]
        return {name: (kind, ACCESS.get(access, "")) for name, kind, access in rows}
    return FIELDS.get(element.tag)


def _end(
    route: Element, end: str, nodes: dict[str, Element], known: dict[str, dict[str, Field]]
) -> tuple[str | None, str]:
    """Type of the field at one end of a route, or what is wrong there."""
    name, field = route.get(f"{end}Node", ""), route.get(f"{end}Field", "")
    if name not in nodes:
        return None, f'a route goes {end} "{name}", which is no node'
    fields = _fields_of(nodes[name], known) or {}
    plain = field.removeprefix("set_") if end == "to" else field.removesuffix("_changed")
    kind, access = fields.get(field) or fields.get(plain) or ("", "")
    if not kind:
        return None, f'"{name}" ({nodes[name].tag}) has no field "{field}"'
    if access not in ("both", "in" if end == "to" else "out"):
        return None, f'"{name}.{field}" cannot be the {end} of a route'
    return kind, ""


def _route(route: Element, nodes: dict[str, Element], known: dict[str, dict[str, Field]]) -> Iterator[str]:
    (source, wrong), (target, bad) = (_end(route, end, nodes, known) for end in ("from", "to"))
    yield from (text for text in (wrong, bad) if text)
    if source is not None and target is not None and source != target:
        ends = ".".join((route.get("toNode", ""), route.get("toField", "")))
        yield f'a route brings {source} to "{ends}", which is {target}'


def _instance(element: Element, known: dict[str, dict[str, Field]]) -> Iterator[str]:
    name = element.get("name", "")
    if name not in known:
        yield f'there is no prototype "{name}"'
        return
    for value in element.findall("fieldValue"):
        if value.get("name") not in known[name]:
            yield f'prototype "{name}" has no field "{value.get("name")}"'


def _connect(
    element: Element, connect: Element, known: dict[str, dict[str, Field]], interface: dict[str, Field]
) -> Iterator[str]:
    inner, outer = connect.get("nodeField", ""), connect.get("protoField", "")
    fields = _fields_of(element, known) or {}
    if outer not in interface:
        yield f'the prototype has no field "{outer}"'
    elif inner not in fields:
        yield f'{element.tag} has no field "{inner}"'
    elif fields[inner][0] != interface[outer][0]:
        yield f'"{outer}" is {interface[outer][0]}, and "{inner}" {fields[inner][0]}'


def _keys(element: Element) -> Iterator[str]:
    name = element.get("DEF", "")
    try:
        keys = [float(word) for word in element.get("key", "").replace(",", " ").split()]
        values = [float(word) for word in element.get("keyValue", "").replace(",", " ").split()]
    except ValueError:
        yield f'"{name}" has keys that are no numbers'
        return
    if len(values) != SIZES[element.tag] * len(keys):
        yield f'"{name}" has {len(keys)} keys, and {len(values)} numbers for them'
    if any(b < a for a, b in pairwise(keys)) or not keys or keys[0] < 0 or keys[-1] > 1:
        yield f'the keys of "{name}" do not go from 0 to 1'
