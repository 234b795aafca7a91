"""Ports of sub-schemes that carry names of things: what a sensor inside sits on, or what its rays are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sistel.errors import Diagnostics, Text
from sistel.markup import Expression, Node, dotted_name
from sistel.model._scope import Scope

THINGS = frozenset(("of", "point", "rays", "against"))
"""Attributes of sensors that name things."""

Find = Callable[[str], Node | None]
"""The definition that a use inside another one means."""


class NamedPorts:
    """Those ports of sub-schemes that their sensors, or sensors further inside, take for names of things."""

    def __init__(self) -> None:
        self._known: dict[int, frozenset[str]] = {}

    def of(self, definition: Node, find: Find) -> frozenset[str]:
        """The ports of one, worked out once; `find` gives what the uses inside it mean."""
        if id(definition) in self._known:
            return self._known[id(definition)]
        self._known[id(definition)] = frozenset()  # one that would be inside itself is refused elsewhere
        ports = {" ".join(word.split()) for word in (definition.text("ports") or "").split(",")}
        found: set[str] = set()
        for sensor in definition.of("sensor"):
            for key in THINGS & sensor.attributes.keys():
                # of a joint with several coordinates, one is meant by `port.x`
                found |= {word.partition(".")[0] for word in sensor.names(key)}
        for use in definition.of("use"):
            inner = find(" ".join((use.text("scheme") or "").split()))
            passed = frozenset[str]() if inner is None else self.of(inner, find)
            for item in use.open:
                if item.name in passed:
                    found |= {name for value in item.values if (name := dotted_name(value)) is not None}
        self._known[id(definition)] = frozenset(found & ports)
        return self._known[id(definition)]


def thing_names(words: Iterable[str], scope: Scope) -> Iterator[str]:
    """Full names of things that a sub-scheme calls by words: its ports, or things of its file."""
    for word in words:
        first, dot, rest = word.partition(".")
        if word in scope.things:
            yield from scope.things[word]
        elif dot and first in scope.things:
            yield from (f"{name}.{rest}" for name in scope.things[first])
        else:
            yield scope.parameter(word)


def joined_things(
    values: Iterable[Expression], scope: Scope, port: str, diagnostics: Diagnostics
) -> tuple[str, ...] | None:
    """The full names of the things that a use joins to a port; None, with an error, where there is no name."""
    words = []
    for value in values:
        name = dotted_name(value)
        if name is None:
            diagnostics.error(
                "bad-port",
                value.span,
                Text(
                    f'a sensor inside takes the port "{port}" for the name of a thing',
                    f"датчик внутри считает порт «{port}» именем",
                ),
                expected=Text(
                    "the name of a body, frame, point, joint or shape", "имя тела, репера, точки, сочленения или фигуры"
                ),
            )
            return None
        words.append(name)
    return tuple(thing_names(words, scope))
