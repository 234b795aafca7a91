"""What stands inside a block, as items: for pictures and for writing it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sistel.markup import Expression, Node
from sistel.model._control import Item
from sistel.model._scope import Scope

Put = Callable[[Expression], Expression | None]
"""An expression with the names that things have in the whole system; None where it is wrong, which has been told."""


_THINGS = ("of", "base", "motors")
"""Attributes of blocks that name things."""


def item_words(node: Node, scope: Scope) -> tuple[tuple[str, str], ...]:
    """Attributes of a block or a sensor that are texts, or words of the language."""
    if node.key not in ("block", "sensor"):
        return ()
    made = []
    for key, attribute in node.attributes.items():
        if key in ("name", "kind") or not isinstance(attribute.value, str):
            continue
        value = attribute.value
        if node.key == "block" and key in _THINGS:
            value = ", ".join(scope.full(" ".join(word.split())) for word in value.split(","))
        made.append((key, value))
    return tuple(made)


def inside(node: Node, put: Put) -> Iterator[Item]:
    """The elements inside a block; their names are its own."""
    for child in node.children:
        given, words = [], []
        for key, attribute in child.attributes.items():
            if isinstance(attribute.value, tuple):
                found = [put(each) for each in attribute.value if not isinstance(each, str)]
                given.append((key, tuple(each for each in found if each is not None)))
            elif isinstance(attribute.value, str) and key != "name":
                words.append((key, attribute.value))
        yield Item(
            key=child.key,
            name=child.text("name") or "",
            kind="",
            given=tuple(given),
            words=tuple(words),
            inside=tuple(inside(child, put)),
            span=child.span,
        )


def whole_item(node: Node, put: Put) -> Item:
    """A behaviour, or something in it, with all that stands inside."""
    given, words, names, flags = [], [], [], []
    for key, attribute in node.attributes.items():
        value = attribute.value
        if key == "name":
            continue
        if isinstance(value, bool):
            flags.append((key, value))
        elif isinstance(value, str):
            words.append((key, value))
        elif isinstance(value, tuple) and all(isinstance(each, str) for each in value):
            names.append((key, node.names(key)))
        elif isinstance(value, tuple):
            found = [put(each) for each in value if not isinstance(each, str)]
            given.append((key, tuple(each for each in found if each is not None)))
    outputs = [
        (each.name + ".rate" * each.rate, tuple(made for value in each.values if (made := put(value)) is not None))
        for each in node.open
    ]
    return Item(
        key=node.key,
        name=node.text("name") or "" if "name" in node.attributes else "",
        kind="",
        given=tuple(given),
        words=tuple(words),
        names=tuple(names),
        flags=tuple(flags),
        outputs=tuple(outputs),
        inside=tuple(whole_item(child, put) for child in node.children),
        span=node.span,
    )
