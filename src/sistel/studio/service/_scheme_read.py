"""The functional schemes of a text as it stands: elements, what comes into each, and what their expressions name.

Elements are taken as they were recovered from the text, so that a scheme is drawn while something in it is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from sistel.errors import Diagnostics, Fragment, Text, did_you_mean, refuse
from sistel.markup import Expression
from sistel.markup.expressions import Call, Member, Name, children, dotted_name, find_function, parse_list
from sistel.markup.schema import ELEMENT_BY_KEY, AttributeSpec, Condition, Formula, Keyword
from sistel.markup.xml import Attribute, Element
from sistel.model import asked_of
from sistel.records import entry
from sistel.studio.service._read import Reading, attribute_of, attributes_of, spec_of

THINGS = ("signal", "block", "use", "sensor", "input", "behaviour", "output", "lamp", "dial", "indicator", "repeat")
"""What stands in a scheme and is drawn."""
DISPLAYS = ("lamp", "dial", "indicator")
SEVERAL = (
    *("sum", "product", "min", "max", "hypot", "vector", "dot", "cross", "unit", "matrix", "rotate", "index"),
    *("and", "or", "xor", "switch", "state-space", "kalman", "computed-torque", "ik", "waypoints"),
)
"""Kinds of blocks with several inputs."""
WIRED = ("in", "measured", "rate", "when", "set", "reset")
"""Attributes that signals are mostly led to: they are places of a block before they are given."""
MORE = "+"
"""Behind the key of an attribute with several values: a place for one more."""


@entry
class Port:
    """A place where something comes in."""

    id: str
    """The key of its attribute, with the number of the value behind a point; of a variable, its name behind an @."""
    label: str
    attribute: Attribute | None
    """None where nothing is written yet."""
    values: tuple[Expression, ...] = ()
    """What comes in; several where they are not places of their own."""
    element: Element | None = None
    """Whose attribute it is, where that is not the thing itself."""
    fixed: bool = False
    """Whether it cannot be joined here: it is written within states."""

    @property
    def text(self) -> str:
        """What comes in, as it is written."""
        if self.attribute is None:
            return ""
        if "." not in self.id or not self.values:
            return self.attribute.text.strip()
        span = self.values[0].span
        return span.source.text[span.start : span.end]


@entry
class Thing:
    """An element of a scheme."""

    id: str
    element: Element
    key: str
    kind: str
    """The key of its kind; empty where it has none."""
    name: str
    ports: tuple[Port, ...]
    inside: tuple[Element, ...] = ()
    """Of a repetition: what is repeated."""
    names: tuple[str, ...] = field(default=())
    """What it declares."""


def schemes_of(tree: Element | None) -> list[Element]:
    """The schemes of a text, in their order."""
    if tree is None:
        return []
    return [each for each in tree.walk() if _key(each) == "scheme"]


def scheme_ids(schemes: Sequence[Element]) -> list[str]:
    """What calls know each scheme by: its name, with a number where that is not its own."""
    seen: dict[str, int] = {}
    ids = []
    for each in schemes:
        name = name_of(each) or "#"
        seen[name] = seen.get(name, 0) + 1
        ids.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return ids


def scheme_of(read: Reading, wanted: str | None) -> Element | None:
    """A scheme by what it is known by; the first that is no sub-scheme without that, None where there are none.

    Raises:
        SistelError: There is none of that name.
    """
    schemes = schemes_of(read.tree)
    ids = scheme_ids(schemes)
    if wanted is None:
        return next((each for each in schemes if attribute_of(each, "ports") is None), schemes[0] if schemes else None)
    if wanted not in ids:
        refuse(
            "no-scheme",
            Text(f'there is no scheme "{wanted[:60]}"', f"нет схемы «{wanted[:60]}»"),
            hint=did_you_mean(wanted, ids),
        )
    return schemes[ids.index(wanted)]


def things_of(scheme: Element) -> list[Thing]:
    """What stands in a scheme."""
    found: list[Thing] = []
    seen: dict[str, int] = {}
    for element in scheme.children:
        key = _key(element)
        if key not in THINGS:
            continue
        called = f"{key}:{_called(element, key)}"
        seen[called] = seen.get(called, 0) + 1
        whole = called if seen[called] == 1 else f"{called}#{seen[called]}"
        found.append(_thing(whole, element, key))
    return found


def _called(element: Element, key: str) -> str:
    if key == "output":
        motor = attribute_of(element, "motor")
        return "" if motor is None else motor.text.strip()
    return name_of(element)


def _thing(called: str, element: Element, key: str) -> Thing:
    kind = kind_of(element)
    name = name_of(element)
    if key == "repeat":
        inside = tuple(each for each in element.walk() if each is not element and _key(each) in THINGS)
        names = tuple(name_of(each) for each in inside if name_of(each))
        ports = tuple(_repeated(inside))
        return Thing(called, element, key, kind, ", ".join(names), ports, inside, names)
    ports = tuple(_ports(element, key, kind))
    return Thing(called, element, key, kind, name, ports, names=(name,) if name else ())


def _repeated(inside: Sequence[Element]) -> Iterator[Port]:
    """All that repeated elements are given."""
    for number, element in enumerate(inside):
        for port in _ports(element, _key(element), kind_of(element)):
            if port.values:
                yield Port(f"~{number}.{port.id}", "", port.attribute, port.values, element, True)


def _ports(element: Element, key: str, kind: str) -> Iterator[Port]:
    if key == "block":
        yield from _block_ports(element, kind)
    elif key == "use":
        yield from _open_ports(element)
    elif key == "behaviour":
        yield from _chart_ports(element)
    elif key == "signal":
        yield _port(element, "value", "")
    elif key == "output":
        brake = attribute_of(element, "brake")
        if attribute_of(element, "from") is not None or brake is None:
            yield _port(element, "from", "")
        if brake is not None:
            yield _port(element, "brake", "brake")
    elif key in DISPLAYS:
        yield _port(element, "from", "")


def _block_ports(element: Element, kind: str) -> Iterator[Port]:
    from sistel.model.blocks import BLOCKS

    spec = ELEMENT_BY_KEY["block"].by_key
    block = BLOCKS.get(kind)
    needs = () if block is None else block.needs
    takes = () if block is None else block.attributes
    for key, attribute in spec.items():
        if not isinstance(attribute.kind, (Formula, Condition)):
            continue
        given = attribute_of(element, key)
        if given is None and key not in needs and not (key in takes and key in WIRED):
            continue
        port = _port(element, key, key)
        if key != "in" or kind not in SEVERAL:
            yield port
            continue
        for number, value in enumerate(port.values):
            yield Port(f"{key}.{number}", str(number + 1), port.attribute, (value,))
        if port.attribute is None or port.values or not port.attribute.text.strip():
            yield Port(f"{key}.{MORE}", MORE, None)
        else:
            yield port  # what is written there cannot be read
    for child in element.children:
        if _key(child) == "variable" and attribute_of(child, "value") is not None:
            name = name_of(child)
            found = _port(child, "value", name)
            yield Port(f"@{name}", name, found.attribute, found.values, child)


def _open_ports(element: Element) -> Iterator[Port]:
    """What is joined to the ports of a sub-scheme."""
    for spec, attribute in attributes_of(element):
        if spec is None:
            yield Port(attribute.name, attribute.name, attribute, values_of(attribute))


def _chart_ports(element: Element) -> Iterator[Port]:
    """What the states of a behaviour ask, each once."""
    seen: set[str] = set()
    own = {name_of(element), *(name_of(each) for each in element.walk())}
    for each in element.walk():
        for spec, attribute in attributes_of(each):
            if spec is not None and not isinstance(spec.kind, (Formula, Condition)):
                continue
            for value in values_of(attribute):
                for word, node in mentions(value):
                    first = word.partition(".")[0]
                    if word in seen or first in own or word in own:
                        continue
                    seen.add(word)
                    yield Port(f"~{word}", word, attribute, (node,), each, True)


def _port(element: Element, key: str, label: str) -> Port:
    attribute = attribute_of(element, key)
    return Port(key, label, attribute, () if attribute is None else values_of(attribute))


def values_of(attribute: Attribute) -> tuple[Expression, ...]:
    """The expressions in an attribute; none where they cannot be read."""
    return read_values(attribute.value)


def read_values(fragment: Fragment, diagnostics: Diagnostics | None = None) -> tuple[Expression, ...]:
    """The expressions in a stretch of text; none where they cannot be read."""
    found = parse_list(fragment, diagnostics or Diagnostics(), braces="{" in fragment.text)
    return found or ()


def mentions(value: Expression) -> Iterator[tuple[str, Expression]]:
    """Names in an expression, and quantities that it asks of bodies, each with its place; from left to right."""
    if isinstance(value, Name):
        yield value.name, value
    elif isinstance(value, Member):
        full = dotted_name(value)
        if full is not None:
            yield full, value
        else:
            yield quantity_text(value), value
    elif isinstance(value, Call) and asks(value.function):
        yield quantity_text(value), value
    else:
        for each in children(value):
            yield from mentions(each)


def asks(function: str) -> bool:
    """Whether a function is a quantity of the motion."""
    if asked_of(function):
        return True
    found = find_function(function)
    return found is not None and found.kind == "quantity"


def quantity_text(value: Expression) -> str:
    """A quantity as it is written, without blanks that vary."""
    span = value.span
    return re.sub(r"\s+", " ", span.source.text[span.start : span.end].strip())


def name_of(element: Element) -> str:
    """The name of an element; empty without one."""
    found = attribute_of(element, "name")
    return "" if found is None else " ".join(found.text.split())


def kind_of(element: Element) -> str:
    """The key of the kind of an element; of a use, the scheme that it uses."""
    if _key(element) == "use":
        found = attribute_of(element, "scheme")
        return "" if found is None else " ".join(found.text.split())
    found = attribute_of(element, "kind")
    spec = spec_of(element)
    if found is None or spec is None:
        return ""
    words = spec.by_key["kind"].kind
    known = words.by_word.get(found.text.strip().casefold()) if isinstance(words, Keyword) else None
    return found.text.strip() if known is None else known.key


def ports_of(scheme: Element) -> list[str]:
    """The ports of a sub-scheme."""
    found = attribute_of(scheme, "ports")
    return [] if found is None else [each.strip() for each in re.split("[,;]", found.text) if each.strip()]


def attribute_specs(thing: Thing) -> tuple[AttributeSpec, ...]:
    """The attributes that a thing may have: of a block, those of its kind."""
    spec = ELEMENT_BY_KEY[thing.key]
    if thing.key != "block":
        return spec.attributes
    from sistel.model.blocks import BLOCKS

    block = BLOCKS.get(thing.kind)
    takes = {"name", "kind", *(block.attributes if block is not None else spec.by_key)}
    given = {each.key for each, _ in attributes_of(thing.element) if each is not None}
    return tuple(each for each in spec.attributes if each.key in takes or each.key in given)


def _key(element: Element) -> str:
    spec = spec_of(element)
    return "" if spec is None else spec.key
