"""Parameters that nothing uses: most often a name that was changed in one place and not in another."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.errors import Diagnostics, Text, did_you_mean
from sistel.markup import Expression, Name, Node, Pattern, pattern_of, walk_expression
from sistel.model._assembly import MountedFile


def check_parameters(parts: list[MountedFile], diagnostics: Diagnostics) -> None:
    """Warn of parameters that no formula of their file asks for."""
    for part in parts:
        nodes = list(part.written.root.of("parameter"))
        if not nodes:
            continue
        used = {name for node in part.written.root.walk() for name in _names(node)}
        if part.document is not part.written and any(node.text("name") not in used for node in nodes):
            # What a copy asks for may be named by its index.
            used |= {name for node in part.document.root.walk() for name in _names(node)}
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
    for attribute in node.attributes.values():
        value = attribute.value
        for item in value if isinstance(value, tuple) else (value,):
            if not isinstance(item, str | int | bool):
                yield from _in_expression(item)
        for pattern in attribute.patterns:
            yield from _in_pattern(pattern)
    for given in node.open:
        for item in given.values:
            yield from _in_expression(item)


def _in_expression(expression: Expression) -> Iterator[str]:
    for one in walk_expression(expression):
        if isinstance(one, Name):
            yield one.name
            yield from _in_pattern(pattern_of(one, Diagnostics()))


def _in_pattern(pattern: Pattern | None) -> Iterator[str]:
    """Names in the expressions that stand in braces."""
    for piece in pattern.pieces if pattern is not None else ():
        if not isinstance(piece, str):
            yield from (one.name for one in walk_expression(piece) if isinstance(one, Name))
