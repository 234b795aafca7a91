"""Parameters that nothing uses: most often a name that was changed in one place and not in another."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.errors import Diagnostics, Text, did_you_mean
from sistel.markup import Expression, Name, Node, walk_expression
from sistel.model._assembly import MountedFile
from sistel.model._repeat import names_in_braces


def check_parameters(parts: list[MountedFile], diagnostics: Diagnostics) -> None:
    """Warn of parameters that no formula of their file asks for."""
    for part in parts:
        nodes = list(part.written.root.of("parameter"))
        if not nodes:
            continue
        used = {name for node in part.written.root.walk() for name in _names(node)}
        for node in nodes:
            name = node.text("name")
            if name is not None and name not in used:
                diagnostics.warning(
                    "unused-parameter",
                    node.at("name"),
                    Text(f'nothing uses parameter "{name}"', f"параметр «{name}» нигде не используется"),
                    hint=did_you_mean(name, used),
                )


def _names(node: Node) -> Iterator[str]:
    """All names in the expressions of an element."""
    yield from names_in_braces(node)
    for attribute in node.attributes.values():
        value = attribute.value
        for item in value if isinstance(value, tuple) else (value,):
            if not isinstance(item, str | int | bool):
                yield from _in_expression(item)
    for given in node.open:
        for item in given.values:
            yield from _in_expression(item)


def _in_expression(expression: Expression) -> Iterator[str]:
    return (one.name for one in walk_expression(expression) if isinstance(one, Name))
