"""Names for what is computed on the way: every step of a behaviour in small expressions, each made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from sistel.errors import Span
from sistel.markup import Expression
from sistel.markup import expressions as nodes
from sistel.units import PLAIN

Truth = bool | nodes.Name
"""Decided already, or a name that is 1 or 0."""
Value = Expression


class Lets:
    """Names and their expressions, in the order in which they are computed."""

    def __init__(self, prefix: str, span: Span) -> None:
        """Names begin with the prefix and have a bar, which no name of a file has before a number."""
        self.prefix, self.span = prefix, span
        self.made: list[tuple[str, Expression]] = []
        self._known: dict[object, nodes.Name] = {}
        self._opposites: dict[str, nodes.Name] = {}

    def let(self, expression: Expression, key: object = None) -> nodes.Name:
        """A name for an expression; what has the same key is computed once."""
        if isinstance(expression, nodes.Name):
            return expression
        if key is not None and key in self._known:
            return self._known[key]
        name = nodes.Name(f"{self.prefix}|{len(self.made)}", self.span)
        self.made.append((name.name, expression))
        if key is not None:
            self._known[key] = name
        return name

    def number(self, value: float) -> nodes.Number:
        """A plain number."""
        return nodes.Number(float(value), PLAIN, None, repr(float(value)), self.span)

    def truth(self, expression: Expression) -> Truth:
        """A condition that is computed here; a truth that another scheme holds is a comparison with a half."""
        return self.let(expression, ("is", id(expression)))

    def both(self, *given: Truth) -> Truth:
        """That all hold."""
        return self._joined("and", given, False)

    def any(self, given: Iterable[Truth]) -> Truth:
        """That one of them holds."""
        return self._joined("or", given, True)

    def _joined(self, word: Literal["and", "or"], given: Iterable[Truth], decides: bool) -> Truth:
        known: dict[str, nodes.Name] = {}
        for each in given:
            if isinstance(each, bool):
                if each is decides:
                    return decides
            else:
                known[each.name] = each
        if not known:
            return not decides
        if any(each in self._opposites and self._opposites[each].name in known for each in known):
            return decides
        if len(known) == 1:
            return next(iter(known.values()))
        return self.let(nodes.Logic(word, tuple(known.values()), self.span), (word, *sorted(known)))

    def no(self, given: Truth) -> Truth:
        """That it does not hold."""
        if isinstance(given, bool):
            return not given
        if given.name not in self._opposites:
            made = self.let(nodes.Not(given, self.span))
            self._opposites[given.name], self._opposites[made.name] = made, given
        return self._opposites[given.name]

    def equal(self, value: Expression, number: int) -> Truth:
        """Whether a whole number has a value."""
        if isinstance(value, nodes.Number):
            return value.value == number
        key = ("=", value.name, number) if isinstance(value, nodes.Name) else None
        return self.let(nodes.Compare("=", value, self.number(number), self.span), key)

    def select(self, truth: Truth, yes: Value, no: Value) -> Value:
        """One value or the other."""
        if isinstance(truth, bool):
            return yes if truth else no
        if yes is no:
            return yes
        return self.let(nodes.Call("select", (truth, yes, no), self.span, self.span))

    def as_number(self, truth: Truth) -> Value:
        """1 or 0."""
        return self.number(float(truth)) if isinstance(truth, bool) else truth

    def of(self, operator: Literal["+", "-", "*", "/"], left: Value, right: Value) -> Value:
        """Two values joined."""
        return self.let(nodes.Binary(operator, left, right, self.span))

    def call(self, function: str, value: Value) -> Value:
        """A function of a value."""
        return self.let(nodes.Call(function, (value,), self.span, self.span))


def substituted(node: Expression, find: Callable[[str], Expression | None]) -> Expression:
    """An expression with names replaced; itself where there is nothing to replace."""
    match node:
        case nodes.Name():
            return find(node.name) or node
        case nodes.Unary() | nodes.Not():
            operand = substituted(node.operand, find)
            return node if operand is node.operand else replace(node, operand=operand)
        case nodes.Binary() | nodes.Compare():
            left, right = substituted(node.left, find), substituted(node.right, find)
            same = left is node.left and right is node.right
            return node if same else replace(node, left=left, right=right)
        case nodes.Logic():
            operands = tuple(substituted(each, find) for each in node.operands)
            same = all(a is b for a, b in zip(operands, node.operands, strict=True))
            return node if same else replace(node, operands=operands)
        case nodes.Call():
            arguments = tuple(substituted(each, find) for each in node.arguments)
            same = all(a is b for a, b in zip(arguments, node.arguments, strict=True))
            return node if same else replace(node, arguments=arguments)
    return node
