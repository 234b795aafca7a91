"""A functional scheme as a graph: things with what goes in and out, wires with units, and where the file puts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from sistel.errors import Diagnostics, Language, SistelError
from sistel.markup import Expression, read_named_source
from sistel.markup.expressions import Binary, Unary
from sistel.markup.schema import Keyword
from sistel.markup.xml import Element
from sistel.model import Model, read_quantity
from sistel.records import entry, mutable
from sistel.studio.service._read import Reading, attribute_of, built, end_of, reading, spec_of
from sistel.studio.service._scheme_read import (
    Port,
    Thing,
    mentions,
    name_of,
    ports_of,
    scheme_ids,
    scheme_of,
    schemes_of,
    things_of,
)
from sistel.studio.service._told import utf16
from sistel.units import Dimension, si_symbol

MOST_OUTS = 12
"""Signals of one thing that are told without being asked for."""
OUTSIDE = "outside:"
"""Begins the names of what comes from outside of a scheme."""


@entry
class Known:
    """What the model knows of signals."""

    units: dict[str, str]
    """Of signals by their full names; empty for plain numbers and truths."""
    names: dict[str, list[str]]
    """Signals by the first word of their names."""
    truths: frozenset[str]
    uses: dict[str, str]
    """A use of each sub-scheme, by the name of the latter."""
    model: Model | None
    lang: Language

    def unit(self, text: str) -> str | None:
        """The unit of a quantity of the motion."""
        if self.model is None:
            return None
        try:
            found = read_quantity(self.model, text).dimension
        except SistelError:
            return None
        return None if found is None else _symbol(found, self.lang)


def known_of(model: Model | None, lang: Language) -> Known:
    """What a model knows of the signals of its schemes."""
    units: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    truths: set[str] = set()
    uses: dict[str, str] = {}
    for scheme in () if model is None else model.schemes:
        for each in scheme.named:
            units[each.name] = "" if each.truth else _symbol(each.dimension, lang)
            names.setdefault(each.name.partition(".")[0], []).append(each.name)
            truths |= {each.name} if each.truth else set()
        for item in scheme.items:
            if item.key == "use":
                uses.setdefault(item.kind, item.name)
    return Known(units, names, frozenset(truths), uses, model, lang)


def _symbol(dimension: Dimension, lang: Language) -> str:
    return "" if dimension.plain else si_symbol(dimension, lang).replace("*", "·")


def graph(path: str, text: str, wanted: str | None, use: str | None, sound: str | None, lang: Language) -> object:
    """A scheme: `{schemes, id, nodes, wires}`.

    Args:
        path: Of the file.
        text: As it stands.
        wanted: The scheme; the first without.
        use: The full name of the use whose signals are meant, where it is a sub-scheme.
        sound: The last text of the file without errors, which knows the units while this one has some.
        lang: Of units.
    """
    read = reading(path, text)
    model = built(path, text).model
    if model is None and sound is not None and sound != text:
        model = built(path, sound).model
    known = known_of(model, lang)
    schemes = schemes_of(read.tree)
    ids = scheme_ids(schemes)
    scheme = scheme_of(read, wanted)
    told = [_scheme(text, each, which) for each, which in zip(schemes, ids, strict=True)]
    if scheme is None:
        return {"schemes": told, "id": None, "nodes": [], "wires": [], "prefix": ""}
    prefix = ""
    if ports_of(scheme):
        found = use or known.uses.get(name_of(scheme))
        prefix = f"{found}." if found else ""
    weaver = _Weaver(read, scheme, known, prefix, ids)
    return {
        "schemes": told,
        "id": ids[next(i for i, each in enumerate(schemes) if each is scheme)],
        "prefix": prefix,
        **weaver.told(),
    }


def _scheme(text: str, scheme: Element, which: str) -> dict[str, object]:
    period = attribute_of(scheme, "period")
    return {
        "id": which,
        "name": name_of(scheme),
        "period": None if period is None else period.text.strip(),
        "ports": ports_of(scheme),
        "from": utf16(text, scheme.start),
        "to": utf16(text, end_of(scheme)),
    }


@mutable
class _Out:
    node: str
    id: str


class _Weaver:
    def __init__(self, read: Reading, scheme: Element, known: Known, prefix: str, ids: list[str]) -> None:
        self.read, self.scheme, self.known, self.prefix, self.ids = read, scheme, known, prefix, ids
        self.text = read.source.text
        self.things = things_of(scheme)
        self.ports = ports_of(scheme)
        self.owners = {name: each for each in self.things for name in each.names}
        self.patterns = [
            (re.compile(re.sub(r"\\\{[^}]*\\\}", r"\\d+", re.escape(name))), each)
            for each in self.things
            if each.key == "repeat"
            for name in each.names
        ]
        self.outside: dict[str, list[str]] = {}
        """Outputs of what comes from outside, by the name of its node."""
        self.used: dict[str, list[str]] = {}
        """Outputs of things that wires begin at."""
        self.wires: list[dict[str, object]] = []
        self.places = places_of(scheme)

    def told(self) -> dict[str, object]:
        for thing in self.things:
            for port in thing.ports:
                for value in port.values:
                    self._join(thing, port, value)
        for name in self.ports:
            if not self.outside.setdefault(OUTSIDE + name, []):
                self.outside[OUTSIDE + name].append(name)
        nodes = [self._node(each) for each in self.things]
        nodes += [self._outside(called, outs) for called, outs in self.outside.items()]
        return {"nodes": nodes, "wires": self.wires}

    def _join(self, thing: Thing, port: Port, value: Expression) -> None:
        """The wires to what an expression names."""
        seen: dict[str, bool] = {}
        for word, negative in _signed(value, False):
            seen.setdefault(word, negative)
        for word, negative in seen.items():
            source = self._source(word, value)
            if source is None or (source.node == thing.id and source.id == thing.name and port.fixed):
                continue
            shown = port.id if not port.fixed or thing.key != "repeat" else "~"
            unit = self._unit(source)
            self.wires.append(
                {
                    "id": f"{source.id}→{thing.id}.{port.id}",
                    "source": source.node,
                    "out": source.id,
                    "target": thing.id,
                    "in": shown,
                    "unit": unit,
                    "negative": negative,
                    "formula": not _alone(value, word),
                }
            )

    def _source(self, word: str, value: Expression) -> _Out | None:
        """Where a name or a quantity comes from; None for parameters and what is not known."""
        for head in _heads(word):
            owner = self.owners.get(head)
            if owner is not None:
                outs = self.used.setdefault(owner.id, [])
                if word not in outs:
                    outs.append(word)
                return _Out(owner.id, word)
        for pattern, owner in self.patterns:
            if pattern.fullmatch(word):
                outs = self.used.setdefault(owner.id, [])
                if word not in outs:
                    outs.append(word)
                return _Out(owner.id, word)
        quantity = "(" in word or word in ("t", "т")
        port = next((each for each in _heads(word) if each in self.ports), None)
        if not quantity and port is None and word not in self.known.units and not self._elsewhere(word):
            return None
        called = OUTSIDE + (port or word)
        outs = self.outside.setdefault(called, [])
        if word not in outs:
            outs.append(word)
        return _Out(called, word)

    def _elsewhere(self, word: str) -> bool:
        """Whether it is a signal of another scheme of this text."""
        heads = set(_heads(word))
        return any(
            heads & set(thing.names)
            for scheme in schemes_of(self.read.tree)
            if scheme is not self.scheme and not ports_of(scheme)
            for thing in things_of(scheme)
        )

    def _unit(self, out: _Out) -> str | None:
        full = self.prefix + out.id
        if full in self.known.units:
            return self.known.units[full]
        if out.id in self.known.units:
            return self.known.units[out.id]
        return self.known.unit(out.id) if out.node.startswith(OUTSIDE) else None

    def _out(self, node: str, name: str, owner: str) -> dict[str, object]:
        label = name.removeprefix(f"{owner}.") if owner else name
        full = self.prefix + name
        signal: str | None = full if full in self.known.units else name
        if full not in self.known.units and not node.startswith(OUTSIDE) and self.known.model is not None:
            signal = None  # a vector as a whole has no one number
        return {
            "id": name,
            "label": label,
            "unit": self._unit(_Out(node, name)),
            "signal": signal,
            "truth": full in self.known.truths,
        }

    def _outs(self, thing: Thing) -> list[str]:
        used = self.used.get(thing.id, [])
        if thing.key in ("lamp", "dial", "indicator", "output") or not thing.names:
            return used
        if thing.key == "repeat":
            return used
        name = thing.name
        own = [
            each.removeprefix(self.prefix) for each in self.known.names.get((self.prefix + name).partition(".")[0], [])
        ]
        own = [each for each in own if each == name or each.startswith(f"{name}.")]
        if not own:
            own = [f"{name}.x", f"{name}.y"] if thing.kind == "joystick" else [] if thing.key == "use" else [name]
        shown = [each for each in own if each == name or each in used] if used else []
        shown += [each for each in own if each not in shown][: max(0, MOST_OUTS - len(shown))]
        return [*shown, *(each for each in used if each not in shown)]

    def _node(self, thing: Thing) -> dict[str, object]:
        element = thing.element
        return {
            "id": thing.id,
            "name": thing.name,
            "kind": thing.key,
            "sort": thing.kind or None,
            "title": title_of(thing),
            "ins": [
                {"id": each.id, "label": each.label, "value": each.text, "fixed": each.fixed}
                for each in _shown(thing.ports)
            ],
            "outs": [self._out(thing.id, each, thing.name) for each in self._outs(thing)],
            "from": utf16(self.text, element.start),
            "to": utf16(self.text, end_of(element)),
            "at": self.places.get(_placed(thing)),
            "opens": self._opens(thing),
        }

    def _opens(self, thing: Thing) -> dict[str, object] | None:
        """What stands behind a thing: the sub-scheme of a use, the states of a behaviour."""
        if thing.key == "behaviour":
            return {"behaviour": thing.name}
        if thing.key != "use":
            return None
        use = self.prefix + thing.name
        if thing.kind in self.ids:
            return {"scheme": thing.kind, "use": use}
        for file, text in included(self.read):
            if thing.kind in scheme_ids(schemes_of(reading(file, text).tree)):
                return {"scheme": thing.kind, "use": use, "file": file}
        return None

    def _outside(self, called: str, outs: list[str]) -> dict[str, object]:
        name = called.removeprefix(OUTSIDE)
        return {
            "id": called,
            "name": name,
            "kind": "port" if name in self.ports else "outside",
            "sort": None,
            "title": None,
            "ins": [],
            "outs": [self._out(called, each, name if len(outs) > 1 else "") for each in outs],
            "from": 0,
            "to": 0,
            "at": None,
            "opens": None,
        }


def _shown(ports: Iterable[Port]) -> Iterator[Port]:
    """Ports as they are drawn: what repeated elements are given comes in at one place."""
    repeated = False
    for port in ports:
        if port.fixed and port.id[1:2].isdigit() and "." in port.id:
            if not repeated:
                yield Port("~", "", None, (), None, True)
            repeated = True
        else:
            yield port


def _alone(value: Expression, word: str) -> bool:
    """Whether an expression is nothing but a name or a quantity, perhaps with another sign."""
    if isinstance(value, Unary):
        value = value.operand
    return next((found for found, node in mentions(value) if node is value), None) == word


def _signed(value: Expression, negative: bool) -> Iterator[tuple[str, bool]]:
    """What an expression names, and whether it is taken with the other sign."""
    if isinstance(value, Binary) and value.operator in "+-":
        yield from _signed(value.left, negative)
        yield from _signed(value.right, negative != (value.operator == "-"))
    elif isinstance(value, Unary):
        yield from _signed(value.operand, not negative)
    else:
        yield from ((word, negative) for word, _ in mentions(value))


def _heads(word: str) -> Iterator[str]:
    """A name, and what stands before each of its points."""
    yield word
    if "(" in word:
        return
    while "." in word:
        word = word.rpartition(".")[0]
        yield word


def title_of(thing: Thing) -> dict[str, str] | None:
    """What a thing is, in both languages."""
    spec = spec_of(thing.element)
    assert spec is not None
    if thing.key == "use":
        return {"en": thing.kind, "ru": thing.kind}
    own = spec.by_key.get("kind")
    if thing.kind and own is not None and isinstance(own.kind, Keyword):
        choice = next((each for each in own.kind.choices if each.key == thing.kind), None)
        if choice is not None:
            return {"en": choice.written("en"), "ru": choice.written("ru")}
    if thing.key == "output":
        motor = attribute_of(thing.element, "motor")
        name = "" if motor is None else motor.text.strip()
        return {"en": f"motor {name}".strip(), "ru": f"двигатель {name}".strip()}
    if thing.key == "repeat":
        count = attribute_of(thing.element, "count")
        times = "" if count is None else f" × {count.text.strip()}"
        return {"en": spec.written("en") + times, "ru": spec.written("ru") + times}
    return {"en": spec.written("en"), "ru": spec.written("ru")}


def places_of(scheme: Element) -> dict[str, list[float]]:
    """Columns and rows that the file gives, by what they are of."""
    found: dict[str, list[float]] = {}
    for each in drawn_places(scheme):
        of, at = attribute_of(each, "of"), attribute_of(each, "at")
        numbers = [] if at is None else re.findall(r"-?\d+(?:\.\d+)?", at.text)
        if of is not None and len(numbers) == 2:
            found.setdefault(" ".join(of.text.split()), [float(each) for each in numbers])
    return found


def drawn_places(scheme: Element) -> list[Element]:
    """The places in the drawing of a scheme."""
    return [
        place
        for drawing in scheme.children
        if (spec := spec_of(drawing)) is not None and spec.key == "drawing"
        for place in drawing.children
        if (own := spec_of(place)) is not None and own.key == "place"
    ]


def _placed(thing: Thing) -> str:
    return placed_name(thing) or "\0"


def placed_name(thing: Thing) -> str | None:
    """What a place calls a thing; None for what has none in a file."""
    if thing.key == "output":
        motor = attribute_of(thing.element, "motor")
        return None if motor is None else motor.text.strip()
    if thing.key in ("use", "repeat"):
        return thing.name if thing.key == "use" else None
    return thing.name or None


def included(read: Reading) -> Iterator[tuple[str, str]]:
    """Files that a text includes, as paths of the folder, and their texts; those that can be read."""
    if read.tree is None:
        return
    for element in read.tree.walk():
        spec = spec_of(element)
        if spec is None or spec.key != "include":
            continue
        file = attribute_of(element, "file")
        if file is None:
            continue
        source = read_named_source(file.text.strip(), file.value.span(), Diagnostics())
        if source is not None:
            yield str(PurePosixPath(read.source.path).parent / file.text.strip()), source.text
