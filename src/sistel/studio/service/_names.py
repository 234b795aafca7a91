"""Who is called what in a text, and where each name stands: declarations, references, words of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from sistel.errors import Span
from sistel.markup import Document, Expression, Node, dotted_name
from sistel.markup.expressions import Call, Member, Name, children
from sistel.markup.schema import ELEMENT_BY_KEY, Condition, NewName, Reference
from sistel.markup.schema import Formula as FormulaKind
from sistel.model import asked_of
from sistel.records import entry
from sistel.studio.service._read import built, reading

KIND_OF: dict[str, str] = {
    **{key: key for key in ("body", "point", "frame", "closure", "contact", "blade", "lock", "coupling", "structure")},
    **{
        key: key for key in ("counter", "motor", "parameter", "posture", "spring", "track", "scheme", "motion", "group")
    },
    **dict.fromkeys(("box", "polygon", "polyline", "profile", "cylinder", "sphere", "circle", "wheel"), "shape"),
    **dict.fromkeys(("capsule", "mesh"), "shape"),
    **dict.fromkeys(("gear", "clutch", "differential"), "drive"),
    **dict.fromkeys(("signal", "block", "sensor", "input", "behaviour", "use", "lamp", "dial", "indicator"), "signal"),
    **dict.fromkeys(("state", "parallel", "final", "history"), "state"),
    "data": "datum",
    "raise": "event",
    "joint": "joint",
    "transition": "transition",
    "force": "force",
    "moment": "moment",
    "variable": "variable",
    "term": "term",
    "repeat": "index",
}
"""What the elements declare, by their keys."""

SPACES: dict[str, str] = {
    **dict.fromkeys(("body", "point", "frame", "shape"), "geometry"),
    **dict.fromkeys(("closure", "contact", "blade", "track", "lock", "coupling", "drive"), "links"),
}
"""Things in one space have different names."""

STANDS_FOR: dict[str, tuple[str, ...]] = {"coordinate": ("body", "joint"), "pair": ("contact",), "patch": ("track",)}
"""By whose names things are called that have none of their own."""

VALUES = ("index", "parameter", "signal", "datum")
"""What a name in an expression may be, where no quantity is asked of it."""


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """Its name."""


@entry
class Declared:
    """A thing with a name."""

    kind: str
    name: str
    span: Span
    """Of the name; of the start tag where the name is only its number."""
    node: Node
    home: int = -1
    """Where the sub-scheme or the rules begin that alone know the name; -1 where the whole file does."""
    numbered: bool = False


@entry
class Mention:
    """A place where a name is used."""

    kinds: tuple[str, ...]
    name: str
    span: Span
    expression: bool
    """Whether it stands in an expression, so that it may need quotes."""
    homes: tuple[int, ...] = ()
    """The sub-schemes around it."""


@entry
class Bindings:
    """All names of a text."""

    declared: tuple[Declared, ...]
    mentions: tuple[Mention, ...]

    def at(self, offset: int) -> tuple[Declared, Span] | None:
        """What is named at a place, and the stretch of the name there."""
        for thing in self.declared:
            if not thing.numbered and thing.span.start <= offset <= thing.span.end:
                return thing, thing.span
        for mention in self.mentions:
            if mention.span.start <= offset <= mention.span.end:
                found = self.meant(mention)
                if found is not None:
                    return found, mention.span
        return None

    def meant(self, mention: Mention) -> Declared | None:
        """The thing that a name means, the nearest where several schemes have one."""
        wanted = [each for kind in mention.kinds for each in STANDS_FOR.get(kind, (kind,))]
        fitting = [
            thing
            for thing in self.declared
            if thing.name == mention.name and thing.kind in wanted and (thing.home < 0 or thing.home in mention.homes)
        ]
        if not fitting:
            return None
        return max(fitting, key=lambda thing: (thing.home, -wanted.index(thing.kind)))

    def of(self, thing: Declared) -> list[Mention]:
        """Where a thing is named."""
        return [each for each in self.mentions if each.name == thing.name and self.meant(each) is thing]

    def of_kinds(self, kinds: Sequence[str], homes: Sequence[int] = ()) -> list[Declared]:
        """Things that a reference of some kinds may name."""
        wanted = [each for kind in kinds for each in STANDS_FOR.get(kind, (kind,))]
        return [thing for thing in self.declared if thing.kind in wanted and (thing.home < 0 or thing.home in homes)]


def bindings(path: str, text: str) -> Bindings:
    """All names of a text, as far as it can be read."""
    return _bindings(path, text)


@lru_cache(maxsize=4)
def _bindings(path: str, text: str) -> Bindings:
    document = reading(path, text).document
    if document is None or document.source.text != text:
        return Bindings((), ())
    found = _Names(document)
    return Bindings(tuple(found.declared), tuple(found.mentions))


class _Names:
    def __init__(self, document: Document) -> None:
        self.declared: list[Declared] = []
        self.mentions: list[Mention] = []
        self.bodies = 0
        stack: list[tuple[Node, tuple[int, ...]]] = [(document.root, ())]
        while stack:
            node, homes = stack.pop()
            local = node.key == "scheme" and "ports" in node.attributes
            inside = (*homes, node.span.start) if local or node.key in ("rules", "repeat") else homes
            self._declare(node, homes, inside)
            self._mention(node, inside)
            for child in reversed(node.children):
                if node.key == "include" and child.key == "parameter":
                    self._mention(child, inside)  # it gives a value to a parameter of the other file
                else:
                    stack.append((child, inside))

    def _declare(self, node: Node, homes: tuple[int, ...], inside: tuple[int, ...]) -> None:
        home = homes[-1] if homes else -1
        if node.key == "body":
            self.bodies += 1
            number = node.get("number")
            called = str(number if isinstance(number, int) else self.bodies)
            if "name" not in node.attributes:
                self.declared.append(Declared("body", called, node.span, node, -1, True))
        for key, attribute in node.attributes.items():
            if not isinstance(attribute.spec.kind, NewName) or not isinstance(attribute.value, str):
                continue
            kind = "joint" if key == "joint-name" else KIND_OF.get(node.key, node.key)
            where = inside[-1] if key == "index" and inside else home
            if kind not in ("signal", "variable", "term", "index"):
                where = -1
            self.declared.append(Declared(kind, attribute.value, _trimmed(attribute.span), node, where))

    def _mention(self, node: Node, homes: tuple[int, ...]) -> None:
        for attribute in node.attributes.values():
            kind = attribute.spec.kind
            if isinstance(kind, Reference):
                for name, span in zip(node.names(attribute.spec.key), attribute.parts, strict=True):
                    self._word(kind.to, name, span, False, homes)
            else:
                given = attribute.value
                items = given if isinstance(given, tuple) else (given,)
                asked = isinstance(kind, (Condition, FormulaKind))
                for item in items:
                    if not isinstance(item, (str, int)):
                        self._expression(item, homes, asked)
        if node.key == "place" and (of := node.attributes.get("of")) is not None and isinstance(of.value, str):
            # What is drawn there: a thing of the scheme, or a motor.
            self._word(("signal", "motor"), " ".join(of.value.split()), _trimmed(of.span), False, homes)
        for extra in node.open:
            owner = _without_ending(extra.name_span)
            if node.spec.open == "coordinates":
                self._word(("coordinate",), owner.text, owner, False, homes)
            for value in extra.values:
                self._expression(value, homes, True)

    def _word(self, kinds: tuple[str, ...], name: str, span: Span, expression: bool, homes: tuple[int, ...]) -> None:
        """A name, or the name of a body with one of its coordinates behind a point."""
        self.mentions.append(Mention(kinds, name, span, expression, homes))
        owner, point, _ = name.rpartition(".")
        if point and "coordinate" in kinds and span.text.startswith(owner):
            short = Span(span.source, span.start, span.start + len(owner))
            self.mentions.append(Mention(kinds, owner, short, expression, homes))

    def _expression(self, expression: Expression, homes: tuple[int, ...], asked: bool) -> None:
        stack: list[tuple[Expression, tuple[str, ...]]] = [(expression, VALUES)]
        while stack:
            item, kinds = stack.pop()
            if isinstance(item, Call):
                targets = asked_of(item.function) if asked else ()
                for place, argument in enumerate(item.arguments):
                    stack.append((argument, targets[min(place, len(targets) - 1)] if targets else VALUES))
            elif isinstance(item, Name):
                self.mentions.append(Mention(kinds, item.name, item.span, True, homes))
            elif isinstance(item, Member):
                full = dotted_name(item)
                if full is not None:
                    self.mentions.append(Mention(kinds, full, item.span, True, homes))
                stack.append((item.operand, kinds))
            else:
                stack += [(each, kinds if kinds is VALUES else VALUES) for each in children(item)]


def _trimmed(span: Span) -> Span:
    text = span.text
    left = len(text) - len(text.lstrip())
    return Span(span.source, span.start + left, max(span.start + left, span.start + len(text.rstrip())))


def _without_ending(span: Span) -> Span:
    """The name of a coordinate without the word for its rate."""
    for ending in (".rate", ".скорость"):
        if span.text.casefold().endswith(ending):
            return Span(span.source, span.start, span.end - len(ending))
    return span


def foreign_names(path: str, text: str, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Kinds and names of the things that a model has from elsewhere: from other files and from repetitions."""
    model = built(path, text).model
    if model is None:
        return
    known = {(thing.kind, thing.name) for thing in bindings(path, text).declared}
    tables: dict[str, Sequence[Named]] = {
        "body": model.bodies,
        "point": model.points,
        "frame": model.frames,
        "shape": model.shapes,
        "closure": model.closures,
        "contact": model.contacts,
        "lock": model.locks,
        "coupling": model.couplings,
        "motor": model.motors,
        "structure": model.structures,
        "counter": model.counters,
        "parameter": model.parameters,
        "spring": model.springs,
        "blade": model.blades,
        "signal": [each for scheme in model.schemes for each in scheme.held],
    }
    wanted = [each for kind in kinds for each in STANDS_FOR.get(kind, (kind,))]
    for kind in dict.fromkeys(wanted):
        for thing in tables.get(kind, ()):
            if thing.name and (kind, thing.name) not in known:
                yield kind, thing.name


assert set(KIND_OF) <= set(ELEMENT_BY_KEY)
