"""Expressions of XPath 1.0, turned into functions: what stylesheets of pictures ask of a document."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sistel.views.trees._plain import Element


class Attribute(NamedTuple):
    """An attribute as a node."""

    owner: Element
    name: str
    value: str


class Root(NamedTuple):
    """What the first element stands in."""

    top: Element


class Fragment(str):
    """The text of what a variable was filled with: a node for conditions, so that it always holds."""

    __slots__ = ()


Node = Element | Attribute | Root
Value = bool | float | str | list[Node]


class Run(Protocol):
    """A document that a stylesheet works on."""

    root: Root
    order: dict[int, int]
    """Places of elements in the document, by their identity."""
    globals: dict[str, Value]

    def keyed(self, name: str, value: str) -> list[Node]:
        """The nodes whose key has a value."""
        ...


@dataclass(slots=True)
class Context:
    """Where an expression is evaluated."""

    node: Node
    position: int
    size: int
    variables: dict[str, Value]
    sheet: Run


Expression = Callable[[Context], Value]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d*)?|\.\d+)|(?P<text>\"[^\"]*\"|'[^']*')|(?P<name>[^\W\d][\w.-]*)"
    r"|(?P<sign>::|\.\.|//|!=|<=|>=|[()\[\].@,/|+=<>*$-]))"
)
_NUMBER = re.compile(r"\s*-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*")


# Values ---------------------------------------------------------------------------------------------------------------


def string(value: Value) -> str:
    """A value as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return text_of(value[0]) if value else ""
    return written(value)


def text_of(node: Node) -> str:
    """What a node says."""
    if isinstance(node, Attribute):
        return node.value
    return "".join((node.top if isinstance(node, Root) else node).itertext())


def written(x: float) -> str:
    """A number as libxml2 writes it."""
    if x != x:
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == int(x) and abs(x) < 2**31:
        return str(int(x))
    size = abs(x)
    if size > 1e9 or size < 1e-5:
        mantissa, _, power = f"{x:.14e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(power):+03d}"
    place = int(math.log10(size))
    return f"{x:.{15 - place - (1 if place > 0 else 0)}f}".rstrip("0").rstrip(".")


def number(value: Value) -> float:
    """A value as a number."""
    if isinstance(value, (bool, float, int)):
        return float(value)
    text = string(value)
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def boolean(value: Value) -> bool:
    """Whether a value holds."""
    if isinstance(value, Fragment):
        return True
    if isinstance(value, float):
        return value != 0.0 and value == value
    return bool(value)


def _equal(a: Value, b: Value, same: bool) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        texts = {text_of(node) for node in b}
        return any((text_of(node) in texts) == same for node in a)
    if isinstance(b, list):
        a, b = b, a
    if isinstance(a, list):
        if isinstance(b, bool):
            return (bool(a) == b) == same
        if isinstance(b, float):
            return any((number(text_of(node)) == b) == same for node in a)
        return any((text_of(node) == b) == same for node in a)
    if isinstance(a, bool) or isinstance(b, bool):
        return (boolean(a) == boolean(b)) == same
    if isinstance(a, float) or isinstance(b, float):
        return (number(a) == number(b)) == same
    return (str(a) == str(b)) == same


def _ordered(how: Callable[[float, float], bool], a: Value, b: Value) -> bool:
    first = [number(text_of(node)) for node in a] if isinstance(a, list) else [number(a)]
    second = [number(text_of(node)) for node in b] if isinstance(b, list) else [number(b)]
    return any(how(x, y) for x in first for y in second)


def formatted(x: float, pattern: str) -> str:
    """`format-number`: to the nearest, halves away from zero, where libxslt goes either way."""
    if x != x:
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    whole, _, fraction = pattern.partition(".")
    if set(whole) != {"0"} or set(fraction) - set("#0"):
        raise NotImplementedError(f"format-number with {pattern!r}")
    scale = 10 ** len(fraction)
    size = math.floor(abs(x) * scale + 0.5)
    left, right = divmod(size, scale)
    digits = str(right).zfill(len(fraction)) if fraction else ""
    needed = fraction.count("0")
    while len(digits) > needed and digits.endswith("0"):
        digits = digits[:-1]
    return ("-" if x < 0 else "") + str(left).zfill(len(whole)) + ("." + digits if digits else "")


# Functions ------------------------------------------------------------------------------------------------------------


def _substring(text: str, start: float, length: float = math.inf) -> str:
    first = _half_up(start)
    last = first + _half_up(length)
    return "".join(letter for place, letter in enumerate(text, 1) if first <= place < last)


def _half_up(x: float) -> float:
    return x if math.isinf(x) or x != x else float(math.floor(x + 0.5))


def _translated(text: str, old: str, new: str) -> str:
    table: dict[int, str | None] = {}
    for place, letter in enumerate(old):
        table.setdefault(ord(letter), new[place] if place < len(new) else None)
    return text.translate(table)


def _nodes(value: Value) -> list[Node]:
    if not isinstance(value, list):
        raise NotImplementedError("nodes are expected here")
    return value


def _name(node: Node) -> str:
    return node.name if isinstance(node, Attribute) else "" if isinstance(node, Root) else node.tag


_OF_TEXTS: dict[str, Callable[..., Value]] = {
    "concat": lambda *texts: "".join(texts),
    "starts-with": str.startswith,
    "contains": lambda text, part: part in text,
    "substring-before": lambda text, part: text.partition(part)[0] if part in text else "",
    "substring-after": lambda text, part: text.partition(part)[2],
    "translate": _translated,
}
_OF_NUMBERS: dict[str, Callable[[float], float]] = {
    "floor": lambda x: float(math.floor(x)) if math.isfinite(x) else x,
    "ceiling": lambda x: float(math.ceil(x)) if math.isfinite(x) else x,
    "round": _half_up,
}
_OF_HERE: dict[str, Callable[[str], Value]] = {
    "string-length": lambda text: float(len(text)),
    "normalize-space": lambda text: " ".join(text.split()),
    "string": lambda text: text,
    "number": number,
}
"""Of a text; of the node where they stand without one."""
_OF_VALUES: dict[str, Callable[[Value], Value]] = {
    "boolean": boolean,
    "not": lambda value: not boolean(value),
    "count": lambda value: float(len(_nodes(value))),
    "sum": lambda value: math.fsum(number(text_of(node)) for node in _nodes(value)),
}


def _function(name: str, given: Sequence[Expression]) -> Expression:
    if name in _OF_TEXTS:
        texts = _OF_TEXTS[name]
        return lambda c: texts(*[string(each(c)) for each in given])
    if name in _OF_NUMBERS:
        of_number, (one,) = _OF_NUMBERS[name], given
        return lambda c: of_number(number(one(c)))
    if name in _OF_HERE:
        of_here = _OF_HERE[name]
        if not given:
            return lambda c: of_here(text_of(c.node))
        one = given[0]
        return (lambda c: number(one(c))) if name == "number" else (lambda c: of_here(string(one(c))))
    if name in _OF_VALUES:
        of_value, (one,) = _OF_VALUES[name], given
        return lambda c: of_value(one(c))
    if name in ("true", "false"):
        return lambda c: name == "true"
    if name in ("position", "last"):
        return (lambda c: float(c.position)) if name == "position" else (lambda c: float(c.size))
    if name in ("name", "local-name"):
        return (lambda c: next(map(_name, _nodes(given[0](c))), "")) if given else (lambda c: _name(c.node))
    if name == "substring":
        return lambda c: _substring(string(given[0](c)), *[number(each(c)) for each in given[1:]])
    if name == "format-number":
        return lambda c: formatted(number(given[0](c)), string(given[1](c)))
    if name == "key":
        return lambda c: c.sheet.keyed(string(given[0](c)), string(given[1](c)))
    raise NotImplementedError(f"XPath function {name}()")


# Reading --------------------------------------------------------------------------------------------------------------


class _Reader:
    """Descends through an expression."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NotImplementedError(f"XPath {text!r}")
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind]))
            at = found.end()
        self.at, self.text = 0, text

    @property
    def next(self) -> str:
        """The next sign or name; empty at the end, and where a text stands."""
        if self.at >= len(self.tokens):
            return ""
        kind, word = self.tokens[self.at]
        return word if kind != "text" else "'"

    def ahead(self, step: int) -> str:
        """One further on."""
        return self.tokens[self.at + step][1] if self.at + step < len(self.tokens) else ""

    def take(self, *words: str) -> str:
        """The next one, where it is one of some; else nothing."""
        if self.next in words:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def need(self, word: str) -> None:
        """The next one has to be this."""
        if not self.take(word):
            raise NotImplementedError(f"XPath {self.text!r}: {word} expected")

    def whole(self) -> Expression:
        """All of it."""
        made = self.either()
        if self.at < len(self.tokens):
            raise NotImplementedError(f"XPath {self.text!r}")
        return made

    def either(self) -> Expression:
        parts = [self.both()]
        while self.take("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda c: any(boolean(each(c)) for each in parts)

    def both(self) -> Expression:
        parts = [self.equal()]
        while self.take("and"):
            parts.append(self.equal())
        return parts[0] if len(parts) == 1 else lambda c: all(boolean(each(c)) for each in parts)

    def equal(self) -> Expression:
        left = self.ordered()
        while word := self.take("=", "!="):
            left = _compared(left, self.ordered(), word == "=")
        return left

    def ordered(self) -> Expression:
        left = self.added()
        while word := self.take("<", ">", "<=", ">="):
            left = _measured(left, self.added(), word)
        return left

    def added(self) -> Expression:
        left = self.multiplied()
        while word := self.take("+", "-"):
            left = _computed(left, self.multiplied(), word)
        return left

    def multiplied(self) -> Expression:
        left = self.signed()
        while word := self.take("*", "div", "mod"):
            left = _computed(left, self.signed(), word)
        return left

    def signed(self) -> Expression:
        if self.take("-"):
            inner = self.signed()
            return lambda c: -number(inner(c))
        return self.union()

    def union(self) -> Expression:
        parts = [self.path()]
        while self.take("|"):
            parts.append(self.path())
        return parts[0] if len(parts) == 1 else _union(parts)

    def path(self) -> Expression:
        first: Expression
        kind = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
        word = self.next
        if kind == "number":
            self.at += 1
            value = float(word)
            return lambda c: value
        if kind == "text":
            self.at += 1
            text = self.tokens[self.at - 1][1][1:-1]
            return lambda c: text
        if word == "$":
            name = self.ahead(1)
            self.at += 2
            first = _variable(name)
        elif word == "(":
            self.at += 1
            first = self.either()
            self.need(")")
        elif kind == "name" and self.ahead(1) == "(" and word not in ("node", "text"):
            first = self.called()
        else:
            return self.steps()
        if self.next == "[":
            first = _filtered(first, self.predicates())
        if self.next in ("/", "//"):
            deep = self.take("/", "//") == "//"
            return _walked(first, self.relative(deep))
        return first

    def called(self) -> Expression:
        name = self.next
        self.at += 2
        given: list[Expression] = []
        while not self.take(")"):
            given.append(self.either())
            self.take(",")
        return _function(name, given)

    def steps(self) -> Expression:
        """A path from here, or from the root."""
        if word := self.take("/", "//"):
            start: Expression = lambda c: [c.sheet.root]  # noqa: E731
            if word == "/" and not (
                self.next in ("*", "@", ".", "..") or (self.tokens[self.at :][:1][:1] and self._named())
            ):
                return start
            return _walked(start, self.relative(word == "//"))
        return _walked(lambda c: [c.node], self.relative(False))

    def _named(self) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][0] == "name"

    def relative(self, deep: bool) -> list[_Step]:
        made: list[_Step] = []
        if deep:
            made.append(_Step("descendant-or-self", None, []))
        while True:
            made.append(self.step())
            word = self.take("/", "//")
            if not word:
                return made
            if word == "//":
                made.append(_Step("descendant-or-self", None, []))

    def step(self) -> _Step:
        if self.take("."):
            return _Step("self", None, [])
        if self.take(".."):
            return _Step("parent", None, [])
        axis = "attribute" if self.take("@") else "child"
        if self.ahead(1) == "::":
            axis = self.next
            self.at += 2
        name = self.next
        if not (name == "*" or self._named()) or axis not in _AXES:
            raise NotImplementedError(f"XPath {self.text!r}")
        self.at += 1
        return _Step(axis, name, self.predicates())

    def predicates(self) -> list[Expression]:
        made: list[Expression] = []
        while self.take("["):
            made.append(self.either())
            self.need("]")
        return made


class _Step(NamedTuple):
    axis: str
    name: str | None
    """None for any node, * for any element or attribute."""
    predicates: list[Expression]


def _attributes(node: Node) -> Iterable[Node]:
    return [Attribute(node, name, value) for name, value in node.attrib.items()] if isinstance(node, Element) else ()


def _parent(node: Node) -> Iterable[Node]:
    if isinstance(node, Attribute):
        return [node.owner]
    found = node.getparent() if isinstance(node, Element) else None
    return () if found is None else [found]


def _before(node: Node) -> Iterable[Node]:
    parent = node.getparent() if isinstance(node, Element) else None
    return () if parent is None or not isinstance(node, Element) else reversed(list(parent)[: parent.index(node)])


_AXES: dict[str, Callable[[Node], Iterable[Node]]] = {
    "child": lambda node: [node.top] if isinstance(node, Root) else node if isinstance(node, Element) else (),
    "attribute": _attributes,
    "self": lambda node: [node],
    "parent": _parent,
    "descendant-or-self": lambda node: (
        [node, *node.top.iter()] if isinstance(node, Root) else node.iter() if isinstance(node, Element) else [node]
    ),
    "preceding-sibling": _before,
}


def _walked(start: Expression, steps: Sequence[_Step]) -> Expression:
    def found(c: Context) -> Value:
        nodes = start(c)
        assert isinstance(nodes, list)
        for step in steps:
            axis, name = _AXES[step.axis], step.name
            made: list[Node] = []
            for node in nodes:
                some: list[Node] = [
                    each
                    for each in axis(node)
                    if name is None or (not isinstance(each, Root) and name in ("*", _name(each)))
                ]
                made += _kept(some, step.predicates, c) if step.predicates else some
            nodes = made if len(nodes) < 2 and step.axis != "preceding-sibling" else in_order(made, c.sheet.order)
        return nodes

    return found


def _kept(nodes: list[Node], predicates: Sequence[Expression], c: Context) -> list[Node]:
    for predicate in predicates:
        size, made = len(nodes), []
        for place, node in enumerate(nodes, 1):
            value = predicate(Context(node, place, size, c.variables, c.sheet))
            if value == place if isinstance(value, float) else boolean(value):
                made.append(node)
        nodes = made
    return nodes


def _filtered(first: Expression, predicates: Sequence[Expression]) -> Expression:
    return lambda c: _kept(_nodes(first(c)), predicates, c)


def in_order(nodes: Iterable[Node], order: dict[int, int]) -> list[Node]:
    """Nodes as they stand in the document, each once."""
    found: dict[tuple[int, int], Node] = {}
    for node in nodes:
        if isinstance(node, Attribute):
            found[order[id(node.owner)], 1 + list(node.owner.attrib).index(node.name)] = node
        else:
            found[-1 if isinstance(node, Root) else order[id(node)], 0] = node
    return [found[place] for place in sorted(found)]


def _union(parts: Sequence[Expression]) -> Expression:
    def found(c: Context) -> Value:
        full = [nodes for each in parts if (nodes := _nodes(each(c)))]
        if len(full) < 2:
            return full[0] if full else []
        return in_order([node for each in full for node in each], c.sheet.order)

    return found


def _variable(name: str) -> Expression:
    def found(c: Context) -> Value:
        value = c.variables.get(name)
        return c.sheet.globals[name] if value is None else value

    return found


def _compared(a: Expression, b: Expression, same: bool) -> Expression:
    return lambda c: _equal(a(c), b(c), same)


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda x, y: x < y,
    ">": lambda x, y: x > y,
    "<=": lambda x, y: x <= y,
    ">=": lambda x, y: x >= y,
}


def _measured(a: Expression, b: Expression, word: str) -> Expression:
    how = _ORDERS[word]
    return lambda c: _ordered(how, a(c), b(c))


def _divided(x: float, y: float) -> float:
    if y:
        return x / y
    return math.nan if x == 0.0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


_SUMS: dict[str, Callable[[float, float], float]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "div": _divided,
    "mod": lambda x, y: math.fmod(x, y) if y else math.nan,
}


def _computed(a: Expression, b: Expression, word: str) -> Expression:
    how = _SUMS[word]
    return lambda c: how(number(a(c)), number(b(c)))


def expression(text: str) -> Expression:
    """An expression as a function.

    Raises:
        NotImplementedError: It uses what stylesheets of pictures do not.
    """
    return _Reader(text).whole()
