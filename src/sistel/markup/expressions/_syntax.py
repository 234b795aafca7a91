"""The tree of an expression: what the parser makes, the model reads, and the printer writes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from sistel.errors import Language, Span
from sistel.expr import Routine
from sistel.markup.expressions._tokens import NUMBER, read_unit, spell_unit, tokenize
from sistel.markup.expressions._words import BARE_WORDS, FUNCTION_BY_KEY, KEYWORDS, find_component, spelling
from sistel.records import entry
from sistel.units import Dimension, si_symbol

Arithmetic = Literal["+", "-", "*", "/", "^"]
Comparison = Literal["<", "<=", ">", ">=", "=", "!="]
Direction = Literal["rises", "falls", "crosses"]


@entry
class Number:
    """A number that was written, ``9.81 m/s^2``; signs are not part of it."""

    value: float
    """In SI when a unit was written; else as it stands, and its attribute says what it means."""
    dimension: Dimension
    unit: str | None
    """The unit in its canonical English form, such as ``N*m`` or ``m/s^2``; None when none was written."""
    literal: str
    """The digits as written, without the unit."""
    span: Span


@entry
class Name:
    """A parameter, a thing of the system, ``pi``, or the time (always ``t``); blanks between words are single."""

    name: str
    span: Span


@entry
class Call:
    """A function or a quantity of something."""

    function: str
    """The key of a known function, else the word as written."""
    arguments: tuple[Node, ...]
    function_span: Span
    span: Span


@entry
class Member:
    """What follows a point: a component (``reaction(L).n``), or the rest of a name with a prefix (``arm.hand``)."""

    operand: Node
    member: str
    """After a call the key of a known component; else the word as written."""
    member_span: Span
    span: Span


@entry
class Unary:
    """A change of sign."""

    operator: Literal["-"]
    operand: Node
    span: Span


@entry
class Binary:
    """Arithmetic on two values."""

    operator: Arithmetic
    left: Node
    right: Node
    span: Span


@entry
class Compare:
    """A comparison of two values; a chain such as ``0 < x < 1`` is a `Logic` of several that share their operands."""

    operator: Comparison
    left: Node
    right: Node
    span: Span


@entry
class Crossing:
    """The instant at which a value passes a level."""

    direction: Direction
    left: Node
    level: Node
    span: Span


@entry
class Logic:
    """Conditions that hold all together, or at least one of them."""

    operator: Literal["and", "or"]
    operands: tuple[Node, ...]
    span: Span


@entry
class Not:
    """A condition that does not hold."""

    operand: Node
    span: Span


@entry
class Reading:
    """What a sensor measures before anything is added to it; laws of sensors have it, and no file can write it."""

    sensor: str
    place: int
    """Which of its numbers."""
    dimension: Dimension
    span: Span


@entry
class Computed:
    """One of the numbers that a routine makes; laws of sensors and blocks have it, and no file can write it."""

    routine: Routine
    place: int
    arguments: tuple[Node, ...]
    """As many as the routine takes."""
    dimension: Dimension
    span: Span


@entry
class Effort:
    """The force that a velocity needs so that velocities change as they are told; laws of blocks alone have it."""

    rate: int
    """Which velocity."""
    arguments: tuple[Node, ...]
    """Accelerations of some velocities; the others have none."""
    dimension: Dimension
    still: bool
    """Whether the system counts as at rest: what is left is weight and springs."""
    rates: tuple[int, ...]
    """The velocities whose accelerations are given."""
    span: Span


Node = Number | Name | Call | Member | Unary | Binary | Compare | Crossing | Logic | Not | Reading | Computed | Effort


def children(node: Node) -> tuple[Node, ...]:
    """The operands of a node, in the order in which they are written."""
    match node:
        case Call() | Computed() | Effort():
            return node.arguments
        case Member() | Unary() | Not():
            return (node.operand,)
        case Binary() | Compare():
            return (node.left, node.right)
        case Crossing():
            return (node.left, node.level)
        case Logic():
            return node.operands
        case _:
            return ()


def with_operands(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same node with every operand changed."""
    match node:
        case Call() | Computed() | Effort():
            return replace(node, arguments=tuple(change(each) for each in node.arguments))
        case Member() | Unary() | Not():
            return replace(node, operand=change(node.operand))
        case Binary() | Compare():
            return replace(node, left=change(node.left), right=change(node.right))
        case Crossing():
            return replace(node, left=change(node.left), level=change(node.level))
        case Logic():
            return replace(node, operands=tuple(change(each) for each in node.operands))
        case _:
            return node


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in the order in which it is written; operands of a chain come twice."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def dotted_name(node: Node) -> str | None:
    """The name that a node spells, prefixes included (``arm.hand``); None if it is no name."""
    members = []
    while isinstance(node, Member):
        members.append(node.member)
        node = node.operand
    return ".".join((node.name, *reversed(members))) if isinstance(node, Name) else None


# How tightly each kind of node holds together, for the printer and the parser alike.
OR, AND, NOT, COMPARE, SUM, PRODUCT, MINUS, POWER, ATOM = range(1, 10)
LEVELS: dict[str, int] = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER, "and": AND, "or": OR}


def print_expression(node: Node, lang: Language = "en") -> str:
    """The expression as text, with no bracket that is not needed; reading it gives the same tree."""
    return _print(node, lang)[0]


def _print(node: Node, lang: Language) -> tuple[str, int]:
    """The text of a node and how tightly it holds together."""
    match node:
        case Number():
            return _print_number(node, lang)
        case Name():
            return _print_name(node, lang), ATOM
        case Call():
            function = FUNCTION_BY_KEY.get(node.function)
            refers = function is not None and function.kind == "quantity"
            arguments = (
                _quote(argument.name) if refers and isinstance(argument, Name) else _print(argument, lang)[0]
                for argument in node.arguments
            )
            return f"{spelling(function, lang) if function else node.function}({', '.join(arguments)})", ATOM
        case Reading():
            return f"{_quote(node.sensor)}[{node.place + 1}]", ATOM
        case Effort():
            inner = ", ".join(_print(argument, lang)[0] for argument in node.arguments)
            return f"effort({inner})[{node.rate + 1}]", ATOM
        case Computed():
            inner = ", ".join(_print(argument, lang)[0] for argument in node.arguments)
            return f"{node.routine.name}({inner})[{node.place + 1}]", ATOM
        case Member():
            return _print_member(node, lang), ATOM
        case Unary():
            return f"-{_within(node.operand, MINUS, lang)}", MINUS
        case Binary():
            return _print_binary(node, lang), LEVELS[node.operator]
        case Compare():
            return f"{_within(node.left, SUM, lang)} {node.operator} {_within(node.right, SUM, lang)}", COMPARE
        case Crossing():
            word = _keyword(node.direction, lang)
            return f"{_within(node.left, SUM, lang)} {word} {_within(node.level, SUM, lang)}", COMPARE
        case Logic():
            level = LEVELS[node.operator]
            word = _keyword(node.operator, lang)
            return f" {word} ".join(_within(operand, level + 1, lang) for operand in node.operands), level
        case Not():
            return f"{_keyword('not', lang)} {_within(node.operand, NOT, lang)}", NOT


def _within(node: Node, level: int, lang: Language) -> str:
    text, own = _print(node, lang)
    return f"({text})" if own < level else text


def _print_binary(node: Binary, lang: Language) -> str:
    level = LEVELS[node.operator]
    if node.operator == "^":
        return f"{_within(node.left, ATOM, lang)}^{_within(node.right, MINUS, lang)}"
    left, right = _within(node.left, level, lang), _within(node.right, level + 1, lang)
    # Without blanks "2 m*m" would be square metres.
    apart = level == SUM or (not left.endswith(")") and _ends_in_unit(node.left))
    return f"{left} {node.operator} {right}" if apart else f"{left}{node.operator}{right}"


def _ends_in_unit(node: Node) -> bool:
    while isinstance(node, Unary | Binary):
        node = node.operand if isinstance(node, Unary) else node.right
    return isinstance(node, Number) and node.unit is not None


def _print_number(node: Number, lang: Language) -> tuple[str, int]:
    literal, unit = node.literal, node.unit
    if not NUMBER.fullmatch(literal):
        # A number that no text stands behind, made by a program: its value is in SI.
        literal, unit = repr(node.value), None if unit is None else si_symbol(node.dimension)
    level = MINUS if literal.startswith("-") else ATOM if unit is None else POWER
    return literal if unit is None else f"{literal} {spell_unit(read_unit(unit, 0), lang)}", level


def _print_name(node: Name, lang: Language) -> str:
    entry = BARE_WORDS.get(node.name)
    if entry is None:
        return _quote(node.name)
    return spelling(entry, lang) if entry.key == node.name and node.name in ("pi", "t") else f"'{node.name}'"


def _print_member(node: Member, lang: Language) -> str:
    operand = node.operand
    member = _quote(node.member)
    if dotted_name(operand) is None:
        component = find_component(node.member)
        if component is not None and component.key != node.member:
            member = f"'{node.member}'"
    if isinstance(operand, Name):
        return f"{_quote(operand.name)}.{member}"
    text = _print(operand, lang)[0]
    return f"{text}.{member}" if isinstance(operand, Call | Member) else f"({text}).{member}"


def _quote(name: str) -> str:
    """A name as it has to be written: in quotes, unless it reads as itself."""
    tokens = tokenize(name)
    if len(tokens) == 2 and tokens[0].kind == "name" and tokens[0].text == name:
        return name
    return "'" + name.replace("'", "''") + "'"


def _keyword(key: str, lang: Language) -> str:
    return spelling(next(keyword for keyword in KEYWORDS if keyword.key == key), lang)
