"""Vectors in schemes: blocks with several outputs, each a signal of its own, `NAME.part`.

How many outputs a block has may follow from the vectors that it is given: that is worked out first, from names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sistel.errors import Diagnostics, Text
from sistel.markup import Expression, Node, dotted_name, walk_expression
from sistel.markup import expressions as nodes
from sistel.model._names import Names
from sistel.model._scope import Scope
from sistel.model.blocks import BLOCKS, LISTED, Given
from sistel.records import entry


@entry
class Written:
    """A block where it is written."""

    node: Node
    scope: Scope
    clocked: bool
    joined: tuple[Expression, ...] = ()
    """What is joined, where it is no block but a port."""


def vector_named(value: Expression, names: Names, scope: Scope) -> str | None:
    """The vector that an expression names and does nothing else with; None where there is none."""
    name = dotted_name(value)
    if name is None:
        return None
    full = scope.full(name)
    return full if full in names.vectors else None


def expanded(values: Iterable[Expression], names: Names, scope: Scope) -> tuple[Expression, ...]:
    """A list of expressions, with all components of a vector where its name stands by itself."""
    made: list[Expression] = []
    for value in values:
        vector = vector_named(value, names, scope)
        if vector is None:
            made.append(value)
        else:
            prefix = len(scope.prefix)
            made += [nodes.Name(each[prefix:], value.span) for each in names.vectors[vector]]
    return tuple(made)


def named_within(node: Node, scope: Scope) -> Iterator[str]:
    """Full names of what the expressions of an element name, and of those inside it."""
    values = [attribute.value for attribute in node.attributes.values() if isinstance(attribute.value, tuple)]
    for given in (*values, *(item.values for item in node.open)):
        for value in given:
            if isinstance(value, str):
                continue
            within: set[int] = set()
            for each in walk_expression(value):
                name = None if id(each) in within else dotted_name(each)
                if isinstance(each, nodes.Member):
                    within.add(id(each.operand))
                if name is not None:
                    yield scope.full(name)
    for child in node.children:
        yield from named_within(child, scope)


def part_words(node: Node) -> tuple[str, ...]:
    """The names that a file gives the components of a vector."""
    text = node.text("parts")
    return () if text is None else tuple(" ".join(word.split()) for word in text.split(","))


Outputs = Callable[[Node, Scope], tuple[str, ...]]
"""Names of the outputs of a block that follow from what stands inside it, or from what it names."""


class Shapes:
    """The outputs of all blocks: worked out once, those that others need first."""

    def __init__(self, blocks: Mapping[str, Written], names: Names, diagnostics: Diagnostics, outputs: Outputs) -> None:
        """Of all blocks, by their full names; `outputs` are those that do not follow from attributes."""
        self._outputs = outputs
        self._blocks, self._names, self._diagnostics = blocks, names, diagnostics
        self._made: dict[str, tuple[str, ...]] = {}
        self._open: list[str] = []
        for name in blocks:
            self.parts(name)

    def parts(self, name: str) -> tuple[str, ...]:
        """Names of the outputs of a block within it; none where its output has its own name."""
        if name in self._made:
            return self._made[name]
        written = self._blocks.get(name)
        if written is not None and written.joined:
            return self._port(name, written)
        kind = None if written is None else written.node.text("kind")
        block = None if kind is None else BLOCKS.get(kind)
        if written is None or block is None or block.parts is None:
            return ()
        if name in self._open:
            self._refuse([*self._open[self._open.index(name) :], name], written.node)
            self._made[name] = ()
            return ()
        self._open.append(name)
        found = block.parts(self.given(written))
        self._open.pop()
        if name not in self._made:
            self._made[name] = found
            enter_vector(self._names, name, found)
        return self._made[name]

    def _port(self, name: str, written: Written) -> tuple[str, ...]:
        """A port is a vector where one is joined to it, or several numbers are."""
        for value in written.joined:
            named = dotted_name(value)
            if named is not None:
                self._needed(written.scope.full(named))
        only = vector_named(written.joined[0], self._names, written.scope) if len(written.joined) == 1 else None
        count = len(expanded(written.joined, self._names, written.scope))
        if only is not None:
            found = tuple(each[len(only) + 1 :] for each in self._names.vectors[only])
        else:
            found = tuple(str(i + 1) for i in range(count)) if count > 1 else ()
        self._made[name] = found
        enter_vector(self._names, name, found)
        return found

    def given(self, written: Written) -> Given:
        """How a block is used, as far as names tell."""
        kind = written.node.text("kind")
        lists = () if kind is None else BLOCKS[kind].lists
        counts: dict[str, int] = {}
        shapes: dict[str, tuple[str, ...]] = {}
        for key, attribute in written.node.attributes.items():
            if not isinstance(attribute.value, tuple):
                continue
            values = [each for each in attribute.value if not isinstance(each, str)]
            if key in LISTED or key in lists:
                for value in values:
                    named = dotted_name(value)
                    if named is not None:
                        self._needed(written.scope.full(named))
                vector = vector_named(values[0], self._names, written.scope) if len(values) == 1 else None
                if vector is not None:
                    shapes[key] = tuple(each[len(vector) + 1 :] for each in self._names.vectors[vector])
                counts[key] = len(expanded(values, self._names, written.scope))
            else:
                counts[key] = len(values)
        words, inside = part_words(written.node), self._outputs(written.node, written.scope)
        shapes |= {"parts": words} if words else {}
        shapes |= {"inside": inside} if inside else {}
        return Given(counts, written.clocked, shapes)

    def _needed(self, name: str) -> None:
        """Work out the block that a name belongs to, be it a vector within one."""
        block = name
        while block and block not in self._blocks:
            block = block.rpartition(".")[0]
        # A component of a block that waits for this one is a number, whatever the size of that block.
        if block and (block == name or block not in self._open):
            self.parts(block)

    def _refuse(self, path: Sequence[str], node: Node) -> None:
        said = Text("the sizes of these vectors need each other", "размеры этих векторов нужны друг другу")
        hint = Text("name the components that are meant", "назовите нужные составляющие")
        note_loop(path, node, said, hint, self._diagnostics)


def note_loop(path: Sequence[str], node: Node, said: Text, hint: Text, diagnostics: Diagnostics) -> None:
    """Say that what is named needs itself, and by which way."""
    shown = " → ".join(path)
    message = Text(f"{said.en}: {shown}", f"{said.ru}: {shown}")
    diagnostics.error("algebraic-loop", node.at("name"), message, hint=hint)


def enter_vector(names: Names, name: str, parts: Sequence[str]) -> None:
    """Enter a vector, and those within it: `NAME.place` where there is `NAME.place.x`."""
    if not parts:
        return
    names.vectors[name] = tuple(f"{name}.{part}" for part in parts)
    groups: dict[str, list[str]] = {}
    for part in parts:
        group = part.rpartition(".")[0]
        while group:
            groups.setdefault(group, []).append(f"{name}.{part}")
            group = group.rpartition(".")[0]
    for group, members in groups.items():
        names.vectors[f"{name}.{group}"] = tuple(members)
