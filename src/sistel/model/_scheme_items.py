"""What a scheme consists of, as the file has it: for pictures and for writing it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from sistel.errors import Diagnostics
from sistel.markup import Expression, Node
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker
from sistel.model._console import NAMED
from sistel.model._control import Item
from sistel.model._inside import inside, item_words
from sistel.model._named_ports import THINGS
from sistel.model._names import Names
from sistel.model._vectors import vector_named

Joined = Mapping[int, Mapping[str, tuple[str, ...]]]
"""Things that are joined to ports, by the identity of the use."""


def scheme_items(part: MountedFile, scheme: Node, names: Names, things: Joined) -> Iterator[Item]:
    """What a scheme consists of, with the names that things have in the whole system."""
    # What is wrong has been told where the laws were read.
    checker = Checker(part.scope, Diagnostics(), names)
    for node in scheme.of(*NAMED):
        given, named = [], []
        for key, attribute in node.attributes.items():
            if key in ("name", "kind") or not isinstance(attribute.value, tuple):
                continue
            if key in THINGS:
                named.append((key, tuple(part.scope.full(each) for each in node.names(key))))
                continue
            given.append((key, tuple(_written(attribute.value, names, checker))))
        name = part.scope.full(node.text("name") or "")
        kind = node.text("kind") if node.key in ("block", "sensor", "input") else ""
        yield Item(
            key=node.key,
            name=name,
            kind=kind or "",
            given=tuple(given),
            words=item_words(node, part.scope),
            names=tuple(named),
            inside=tuple(inside(node, partial(_full, checker))) if node.key == "block" else (),
            span=node.span,
        )
    for node in scheme.of("use"):
        joins = things.get(id(node), {})
        open_ = [item for item in node.open if item.name not in joins]
        joined = tuple((item.name, tuple(_written(item.values, names, checker))) for item in open_)
        kind = part.scope.full(" ".join((node.text("scheme") or "").split()))
        name = part.scope.full(node.text("name") or "")
        yield Item(key="use", name=name, kind=kind, given=joined, names=tuple(joins.items()), span=node.span)


def _written(values: Sequence[Expression | str], names: Names, checker: Checker) -> Iterator[Expression]:
    """Expressions with full names; a vector that stands by itself keeps its name."""
    for value in values:
        if isinstance(value, str):
            continue
        vector = vector_named(value, names, checker.scope)
        full = _full(checker, value) if vector is None else nodes.Name(vector, value.span)
        if full is not None:
            yield full


def _full(checker: Checker, value: Expression) -> Expression | None:
    """An expression with full names."""
    typed = checker.check(value)
    return None if typed is None else typed.expression
