"""Sub-schemes: a scheme with ports is a block of one's own, and may be used several times.

Its names begin with that of the use, so that each use has signals and memories of its own. It knows its ports, its own
signals and the parameters of its file. Sensors in it name things of its file, or ports to which such names are joined;
it knows nothing else of the system.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.markup import Expression, Node
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._control import Item, SubScheme
from sistel.model._inside import inside, item_words, whole_item
from sistel.model._named_ports import THINGS, NamedPorts, joined_things
from sistel.model._scope import Scope
from sistel.records import entry

_PORT = re.compile(r"[^\W\d]\w*")
_OWN = ("signal", "block", "sensor", "behaviour", "use")
"""What may stand in a sub-scheme."""
MOST_USES = 1_000
"""Of sub-schemes in a system, those within others counted each time."""


@entry
class Definition:
    """A scheme with ports, as it is written."""

    name: str
    """In full."""
    part: MountedFile
    node: Node
    ports: tuple[str, ...]


def read_definition(part: MountedFile, node: Node, name: str, diagnostics: Diagnostics) -> Definition:
    """A sub-scheme; what does not belong into one is refused."""
    ports = tuple(" ".join(word.split()) for word in (node.text("ports") or "").split(","))
    taken = {word.casefold() for spec in USE_WORDS for word in spec}
    for port in ports:
        if not _PORT.fullmatch(port) or port.casefold() in taken or ports.count(port) > 1:
            diagnostics.error(
                "bad-port",
                node.at("ports"),
                Text(f'"{port}" is no name for a port', f"«{port}» — не имя порта"),
                expected=Text(
                    "different words of letters and digits, but not name or scheme",
                    "разные слова из букв и цифр, кроме «имя» и «схема»",
                ),
            )
            break
    for key in ("period", "offset", "latency"):
        if key in node.attributes:
            diagnostics.error(
                "bad-port",
                node.at(key),
                Text(
                    "a sub-scheme has the clock of the scheme that uses it",
                    "у подсхемы часы той схемы, что её применяет",
                ),
                hint=Text("give the period there", "период задаётся там"),
            )
    for child in node.children:
        if child.key not in _OWN:
            diagnostics.error(
                "bad-port",
                child.span,
                Text("a sub-scheme is joined by its ports alone", "подсхема соединяется только портами"),
                expected=Text(
                    "signals, blocks, sensors, behaviours and uses",
                    "сигналы, блоки, датчики, поведения и применения",
                ),
            )
    return Definition(name, part, node, ports)


USE_WORDS = (("name", "имя"), ("scheme", "схема"))
"""Attributes of a use, which no port can be called."""


def used_part(definition: Definition, use: str, things: Mapping[str, tuple[str, ...]]) -> MountedFile:
    """The file of a sub-scheme as one of its uses sees it: names begin with that of the use."""
    home = definition.part.scope
    scope = Scope(f"{use}.", home.parameters, home=home.parameter(""), things=things)
    return replace(definition.part, scope=scope)


def joined_ports(
    use: Node, definition: Definition, diagnostics: Diagnostics
) -> dict[str, tuple[Expression, ...]] | None:
    """What a use joins to the ports; None, with errors, where ports are missing or unknown."""
    given = {item.name: item for item in use.open}
    fine = True
    for port in definition.ports:
        if port not in given:
            fine = False
            diagnostics.error(
                "missing-attribute",
                use.span,
                Text(f'nothing is joined to the port "{port}"', f"к порту «{port}» ничего не присоединено"),
                related=[(definition.node.at("ports"), Text("the ports are here", "порты здесь"))],
                hint=Text(f'{port}="…"', f'{port}="…"'),
            )
    for name, item in given.items():
        if name not in definition.ports or item.rate:
            fine = False
            diagnostics.error(
                "unknown-attribute",
                item.name_span,
                Text(
                    f'the scheme "{definition.name}" has no port "{item.name_span.text}"',
                    f"у схемы «{definition.name}» нет порта «{item.name_span.text}»",
                ),
                expected=one_of(list(definition.ports)),
                hint=word_hint(name, list(definition.ports)),
            )
    return {port: given[port].values for port in definition.ports} if fine else None


def use_things(
    scope: Scope,
    definition: Definition,
    joined: Mapping[str, tuple[Expression, ...]],
    definitions: Mapping[str, Definition],
    named: NamedPorts,
    diagnostics: Diagnostics,
) -> dict[str, tuple[str, ...]] | None:
    """What a use joins to ports that carry names of things; None after an error.

    Args:
        scope: Where the use stands.
        definition: What it uses.
        joined: What is joined to the ports.
        definitions: All sub-schemes, by their full names.
        named: Which ports carry names.
        diagnostics: Takes what is wrong.
    """

    def find(wanted: str) -> Node | None:
        found = definitions.get(definition.part.scope.full(wanted))
        return None if found is None else found.node

    made: dict[str, tuple[str, ...]] = {}
    carrying = named.of(definition.node, find)
    for port in (each for each in definition.ports if each in carrying):
        found = joined_things(joined[port], scope, port, diagnostics)
        if found is None:
            return None
        made[port] = found
    return made


@contextmanager
def told_of_use(use: Node | None, definition: Node, diagnostics: Diagnostics) -> Iterator[None]:
    """What is found wrong inside a sub-scheme names the use for which it is."""
    before = len(diagnostics.items)
    yield
    if use is None:
        return
    name = use.text("name") or ""
    note = use.span, Text(f'it is used here, as "{name}"', f"применяется здесь как «{name}»")
    for i, found in enumerate(diagnostics.items[before:], before):
        inside = (
            found.span is not None
            and found.span.source is definition.span.source
            and any(_within(found.span.start, child) for child in definition.children)
        )
        if inside and not any(text.en.startswith("it is used here") for _, text in found.related):
            diagnostics.items[i] = replace(found, related=(*found.related, note))


def _within(start: int, node: Node) -> bool:
    starts = [node.span.start, *(attribute.name_span.start for attribute in node.attributes.values())]
    ends = [node.span.end, *(attribute.span.end for attribute in node.attributes.values())]
    ends += [item.span.end for item in node.open]
    return min(starts) <= start <= max(ends) or any(_within(start, child) for child in node.children)


def written_definition(definition: Definition) -> SubScheme:
    """A sub-scheme as the whole system has it: parameters, and things that are no ports, by their full names."""
    items = [_written(node, definition) for node in definition.node.children if node.key in _OWN]
    return SubScheme(name=definition.name, ports=definition.ports, items=tuple(items), span=definition.node.span)


def _written(node: Node, definition: Definition) -> Item:
    """Something inside a sub-scheme."""
    scope = definition.part.scope
    if node.key == "behaviour":
        return whole_item(node, lambda value: _full(value, scope))
    given = [
        (key, tuple(_full(each, scope) for each in attribute.value if not isinstance(each, str)))
        for key, attribute in node.attributes.items()
        if key not in ("name", "kind", "scheme", *THINGS) and isinstance(attribute.value, tuple)
    ]
    given += [(item.name, tuple(_full(each, scope) for each in item.values)) for item in node.open]
    kind = "" if node.key == "signal" else node.text("scheme" if node.key == "use" else "kind") or ""
    names = []
    for key in node.attributes.keys() & THINGS if node.key == "sensor" else ():
        words = [(word, word.partition(".")[0] in definition.ports) for word in node.names(key)]
        names.append((key, tuple(word if own else scope.full(word) for word, own in words)))
    return Item(
        key=node.key,
        name=node.text("name") or "",
        kind=scope.full(kind) if node.key == "use" else kind,
        given=tuple(given),
        names=tuple(sorted(names)),
        words=item_words(node, scope),
        inside=tuple(inside(node, lambda value: _full(value, scope))),
        span=node.span,
    )


def _full(node: Expression, scope: Scope) -> Expression:
    """An expression with the full names of parameters."""
    if isinstance(node, nodes.Name) and node.name in scope.parameters:
        return replace(node, name=scope.parameter(node.name))
    return nodes.with_operands(node, lambda inner: _full(inner, scope))


def refuse_circle(path: Sequence[str], use: Node, diagnostics: Diagnostics) -> None:
    """Say that a sub-scheme is used within itself."""
    shown = " → ".join(path)
    diagnostics.error(
        "bad-port",
        use.at("scheme"),
        Text(f"this sub-scheme would be inside itself: {shown}", f"эта подсхема была бы внутри себя: {shown}"),
    )


def refuse_many(use: Node, diagnostics: Diagnostics) -> None:
    """Say that there are more uses than a system may have."""
    diagnostics.error(
        "too-many-uses",
        use.at("name"),
        Text(f"sub-schemes are used more than {MOST_USES} times", f"подсхемы применены больше {MOST_USES} раз"),
    )


def refuse_unknown(
    wanted: str, scope: Scope, definitions: Mapping[str, Definition], use: Node, diagnostics: Diagnostics
) -> None:
    """Say that there is no such sub-scheme."""
    known = [name.removeprefix(scope.prefix) for name in definitions if name.startswith(scope.prefix)]
    diagnostics.error(
        "unknown-name",
        use.at("scheme"),
        Text(f'there is no scheme with ports "{wanted}"', f"нет схемы с портами «{wanted}»"),
        expected=one_of(known) if known else None,
        hint=word_hint(wanted, known)
        or Text('declare it: <scheme name="…" ports="…">', 'объявите её: <схема имя="…" порты="…">'),
    )


def tell_unused(definitions: Mapping[str, Definition], used: Collection[str], diagnostics: Diagnostics) -> None:
    """Say which sub-schemes nothing uses: their laws were not read."""
    for name, definition in definitions.items():
        if name not in used:
            diagnostics.warning(
                "unused-scheme",
                definition.node.at("name"),
                Text(
                    "nothing uses this sub-scheme: it was not checked", "подсхему никто не применяет: она не проверена"
                ),
                hint=Text(f'<use name="…" scheme="{name}" …/>', f'<применить имя="…" схема="{name}" …/>'),
            )
