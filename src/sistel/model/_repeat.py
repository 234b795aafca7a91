"""Carries out repetitions: each copy of what stands inside a `<repeat>` becomes elements of its own.

The copies keep the places of the text that they are copies of, and know which copy they are (`errors.CopySpan`), so
that messages point into the file. Everything after this stage sees a file that is written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from sistel.errors import CopySpan, Diagnostics, Fragment, Source, Span, Text
from sistel.expr import decide
from sistel.markup import (
    DEFAULT_INDEX,
    LONGEST_NAME,
    Attribute,
    Document,
    Expression,
    Name,
    Node,
    Number,
    OpenAttribute,
    Pattern,
    check_meshes,
    dotted_name,
    has_braces,
    parse_expression,
    pattern_of,
    walk_expression,
)
from sistel.markup import expressions as nodes
from sistel.markup.schema import NewName, Reference
from sistel.model._check import QUANTITIES, constant
from sistel.model._scope import Scope
from sistel.records import entry, mutable
from sistel.units import PLAIN, dimension_name

Copy = tuple[tuple[str, int], ...]
"""Names and values of the indices, the outermost first."""

MOST_ELEMENTS = 100_000
MOST_PIECES = 2_000_000
"""No more than may be read from a file: a copy costs nearly as much as one that is written out."""
LARGEST_INDEX = 10**9
DEEPEST = 10
"""Repetitions inside each other."""
_LETTERS_PER_PIECE = 16
_EVERY: Copy = ()
"""The copy of which an expression speaks that is the same in all of them."""
_COORDINATES = ("x", "y", "z")
"""What the equations of surfaces call the coordinates of a point."""


@mutable
class Allowance:
    """How much all repetitions of a system may still make."""

    elements: int = MOST_ELEMENTS
    pieces: int = MOST_PIECES
    """Attributes, and parts of expressions and texts."""


@entry
class _Plan:
    """What is done with an attribute in each copy."""

    value: object
    """As the attribute holds it, where no index is in it."""
    varies: bool


class _TooMuch(Exception):
    """The allowance is used up; that has been said."""


def carried_out(document: Document, scope: Scope, diagnostics: Diagnostics, allowance: Allowance) -> Document:
    """The document with copies in the places of its repetitions; itself where it has none.

    Args:
        document: As it is written.
        scope: Its parameters, evaluated.
        diagnostics: Takes what is wrong.
        allowance: Of all files of the system.

    Raises:
        SistelError: A repetition makes no sense, or makes too much: what would be said of the rest would mislead.
    """
    above = _with_repeats(document.root)
    if not above:
        return document
    repeater = _Repeater(scope, diagnostics, allowance)
    root = None
    with suppress(_TooMuch):
        root = repeater.expanded(document.root, above)
    if root is None or repeater.failed:
        diagnostics.raise_if_failed()
    assert root is not None
    made = replace(document, root=root)
    check_meshes(made, diagnostics, repeated=True)
    return made


def _with_repeats(root: Node) -> set[int]:
    """Identities of the elements that have repetitions somewhere inside."""
    parents: dict[int, Node] = {}
    found: set[int] = set()
    for node in root.walk():
        for child in node.children:
            parents[id(child)] = node
        if node.key == "repeat":
            above: Node | None = parents.get(id(node))
            while above is not None and id(above) not in found:
                found.add(id(above))
                above = parents.get(id(above))
    return found


class _Repeater:
    def __init__(self, scope: Scope, diagnostics: Diagnostics, allowance: Allowance) -> None:
        self.scope = scope
        self.diagnostics = diagnostics
        self.allowance = allowance
        self.failed = False
        self.plans: dict[int, _Plan] = {}
        self.costs: dict[int, int] = {}
        """What copies cost, by the identity of the element [pieces]."""
        self.patterns: dict[int, Pattern | None] = {}
        """Of names in expressions, by the identity of the name."""

    def expanded(self, node: Node, above: set[int]) -> Node:
        """An element outside all repetitions, with copies in the places of those inside it."""
        root = replace(node, children=[])
        waiting = [(node, root)]
        while waiting:
            node, made = waiting.pop()
            for child in node.children:
                if child.key == "repeat":
                    self._check(child, node, {})
                    self._foresee(child)
                    self._repeat(child, {}, _EVERY, made.children)
                elif id(child) in above:
                    made.children.append(replace(child, children=[]))
                    waiting.append((child, made.children[-1]))
                else:
                    made.children.append(child)
        return root

    # One repetition --------------------------------------------------------------------------------------------------

    def _check(self, node: Node, home: Node, outer: Mapping[str, Span]) -> None:
        """Look once at a repetition and at those inside, for what no index changes."""
        index = node.text("index") or DEFAULT_INDEX
        span = node.at("index")
        taken = {*outer, *self.scope.parameters}
        free = next((word for word in ("i", "j", "k", "n", "number") if word not in taken), "…")
        other = Text(f'call this one otherwise: index="{free}"', f'назовите этот иначе: индекс="{free}"')
        if index in outer:
            self._error(
                "same-name",
                span,
                Text(
                    f'an outer repetition has the index "{index}"', f"индекс «{index}» уже есть у внешнего повторения"
                ),
                hint=other,
                related=((outer[index], Text("the outer one is here", "внешнее здесь")),),
            )
        elif index in self.scope.parameters:
            self._error(
                "same-name",
                span,
                Text(f'there is a parameter "{index}" already', f"уже есть параметр «{index}»"),
                hint=other,
                related=((self.scope.parameters[index].span, Text("it is here", "он здесь")),),
            )
        elif index in _COORDINATES or not _is_name(index):
            self._error(
                "reserved-name",
                span,
                Text(f'"{index}" cannot be the name of an index', f"«{index}» не может быть именем индекса"),
                expected=Text("a word of your own, such as i", "своё слово, например i"),
            )
        bodies = sum(child.key == "body" for child in node.children)
        if node.get("nested") is True and (home.key not in ("system", "body") or bodies != 1):
            self._error(
                "cannot-nest",
                node.at("nested"),
                Text(
                    f"copies stand inside each other by their one body; bodies directly inside: {bodies}",
                    f"копии стоят друг в друге своим единственным телом; тел непосредственно внутри: {bodies}",
                ),
                hint=Text('otherwise name the base: base="link {i - 1}"', 'иначе назовите базу: база="звено {i - 1}"'),
            )
        known = {**outer, index: span}
        if len(known) > DEEPEST:
            self._error(
                "too-deep",
                node.span,
                Text(f"more than {DEEPEST} repetitions in each other", f"больше {DEEPEST} повторений друг в друге"),
            )
            return
        stack = [(child, node if child.key != "repeat" else home) for child in reversed(node.children)]
        while stack:
            inner, its_home = stack.pop()
            if inner.key == "repeat":
                self._check(inner, its_home, known)
            else:
                stack.extend((child, inner) for child in reversed(inner.children))

    def _error(
        self,
        code: str,
        span: Span,
        message: Text,
        *,
        expected: Text | None = None,
        hint: Text | None = None,
        related: tuple[tuple[Span, Text], ...] = (),
    ) -> None:
        self.failed = True
        self.diagnostics.error(code, span, message, expected=expected, hint=hint, related=related)

    def _repeat(self, node: Node, env: Mapping[str, int], copy: Copy, made: list[Node]) -> None:
        """Add all copies of what a repetition holds to `made`; where they nest, each to the body of the one before."""
        self._pay(node, 0, 1)
        count, first = self._number(node, "count", env, copy), self._number(node, "from", env, copy)
        if self.failed or count is None or first is None:
            self.failed = True
            return
        if count < 0:
            self._error(
                "negative",
                _marked(node.at("count"), copy) if copy else node.at("count"),
                Text(f"there cannot be {count} copies", f"копий не может быть {count}"),
                expected=Text("zero or more", "ноль или больше"),
            )
            return
        if count > self.allowance.elements:
            self._too_much(node)
        index, nested = node.text("index") or DEFAULT_INDEX, node.get("nested") is True
        for number in range(first, first + count):
            here, label = {**env, index: number}, (*copy, (index, number))
            self._pay(node, 0, 1)
            inside = made
            for child in node.children:
                if child.key == "repeat":
                    self._repeat(child, here, label, made)
                    continue
                made.append(self._copied(child, here, label, node))
                if nested and child.key == "body":
                    inside = made[-1].children
            made = inside

    def _foresee(self, node: Node) -> None:
        """Refuse a repetition that is too large before anything of it is made, where its numbers tell."""
        elements, pieces = (0, 0) if self.failed else self._least(node)
        if elements > self.allowance.elements or pieces > self.allowance.pieces:
            self._pay(node, elements, pieces)

    def _least(self, node: Node) -> tuple[int, int]:
        """How many elements and pieces a repetition makes, without inner ones whose number follows an index."""
        attribute = node.attributes.get("count")
        numbers = attribute.value if attribute is not None and isinstance(attribute.value, tuple) else ()
        if len(numbers) != 1 or isinstance(numbers[0], str):
            return 0, 0
        found = constant(numbers[0], self.scope, Diagnostics())
        count = 0 if found is None else int(min(max(decide(found[0]), 0.0), 1e18))
        elements, pieces, stack = 0, 1, list(node.children)
        while stack and count:
            child = stack.pop()
            more = self._least(child) if child.key == "repeat" else (1, self._cost(child))
            elements, pieces = elements + more[0], pieces + more[1]
            stack.extend(child.children if child.key != "repeat" else ())
        return count * elements, count * pieces

    def _cost(self, node: Node) -> int:
        """What a copy of an element costs, without those inside [pieces]."""
        cost = self.costs.get(id(node))
        if cost is None:
            values = [attribute.value for attribute in node.attributes.values()]
            cost = 1 + sum(map(_size, values)) + sum(1 + _size(item.values) for item in node.open)
            self.costs[id(node)] = cost
        return cost

    def _number(self, node: Node, key: str, env: Mapping[str, int], copy: Copy) -> int | None:
        """The whole number of an attribute of a repetition."""
        attribute = node.attributes.get(key)
        if attribute is None:
            return 1 if key == "from" else None
        assert isinstance(attribute.value, tuple)
        if len(attribute.value) != 1:
            said = Text("one number is needed here", "здесь нужно одно число")
            self._error("wrong-count", _marked(attribute.span, copy) if copy else attribute.span, said)
            return None
        expression = attribute.value[0]
        assert not isinstance(expression, str)
        return self._whole(expression, env, copy)

    def _whole(self, expression: Expression, env: Mapping[str, int], copy: Copy) -> int | None:
        """The value of an expression that is a whole number: what the system consists of depends on it."""
        if isinstance(expression, Name) and expression.name in env:
            return env[expression.name]
        if copy:
            expression = self._in_copy(expression, env, copy)
        found = constant(expression, self.scope, self.diagnostics)
        if found is None:
            self.failed = True
            return None
        value, dimension, _ = found
        number = decide(value)
        if not dimension.plain:
            self._error(
                "wrong-dimension",
                expression.span,
                Text(f"this is {dimension_name(dimension)}", f"это {dimension_name(dimension, 'ru')}"),
                expected=Text("a whole number", "целое число"),
            )
            return None
        whole = round(number)
        if abs(number - whole) > 1e-9 * max(1.0, abs(number)):
            said = Text(f"{number:g} is not a whole number", f"{number:g} — не целое число")
            expected = Text("a whole number such as 20", "целое число, например 20")
            hint = Text("floor(x) rounds down, ceil(x) up", "округление_вниз(x) и округление_вверх(x) дают целое")
            self._error("not-whole", expression.span, said, expected=expected, hint=hint)
            return None
        if abs(whole) > LARGEST_INDEX:
            self._error(
                "out-of-range",
                expression.span,
                Text(f"{number:g} is too large here", f"{number:g} — слишком большое число"),
                expected=Text(f"at most {LARGEST_INDEX:,}", f"не больше {LARGEST_INDEX:,}".replace(",", " ")),
            )
            return None
        return whole

    def _pay(self, node: Node, elements: int, pieces: int) -> None:
        self.allowance.elements -= elements
        self.allowance.pieces -= pieces
        if self.allowance.elements < 0 or self.allowance.pieces < 0:
            self._too_much(node)

    def _too_much(self, node: Node) -> None:
        if self.allowance.pieces < 0:
            message = Text(
                f"the copies have more than {MOST_PIECES:,} attributes and parts of expressions",
                f"в копиях больше {MOST_PIECES:,} атрибутов и частей выражений".replace(",", " "),
            )
        else:
            message = Text(
                f"repetitions make more than {MOST_ELEMENTS:,} elements",
                f"повторения делают больше {MOST_ELEMENTS:,} элементов".replace(",", " "),
            )
        self.diagnostics.error("too-many-copies", node.at("count"), message)
        raise _TooMuch

    # One copy --------------------------------------------------------------------------------------------------------

    def _copied(self, node: Node, env: Mapping[str, int], copy: Copy, repeat: Node) -> Node:
        """An element and what stands in it, in one copy."""
        made = self._alone(node, env, copy, repeat)
        waiting = [(node, made)]
        while waiting:
            outer, its_copy = waiting.pop()
            for child in outer.children:
                if child.key == "repeat":
                    self._repeat(child, env, copy, its_copy.children)
                else:
                    its_copy.children.append(self._alone(child, env, copy, repeat))
                    waiting.append((child, its_copy.children[-1]))
        return made

    def _alone(self, node: Node, env: Mapping[str, int], copy: Copy, repeat: Node) -> Node:
        """A copy of an element, without what stands in it."""
        span = node.span
        made = Node(node.spec, CopySpan(span.source, span.start, span.end, copy), failed=node.failed)
        self._pay(repeat, 1, self._cost(node))
        for key, attribute in node.attributes.items():
            plan = self.plans.get(id(attribute)) or self._plan(attribute, env)
            value = self._value(attribute, env, copy) if plan.varies else plan.value
            if value is None:
                made.failed = made.failed | {key}
                continue
            span = attribute.span
            parts = attribute.parts
            made.attributes[key] = Attribute(
                attribute.spec,
                value,  # type: ignore[arg-type]
                CopySpan(span.source, span.start, span.end, copy),
                attribute.name_span,
                tuple(CopySpan(part.source, part.start, part.end, copy) for part in parts) if parts else parts,
                attribute.patterns,
            )
        for item in node.open:
            values = tuple(self._in_copy(value, env, copy) for value in item.values)
            made.open.append(OpenAttribute(item.name, item.rate, values, _marked(item.span, copy), item.name_span))
        return made

    def _plan(self, attribute: Attribute, env: Mapping[str, int]) -> _Plan:
        """What to do with an attribute in each copy; found once for all of them."""
        value = attribute.value
        items = value if isinstance(value, tuple) else () if isinstance(value, (str, int)) else (value,)
        varies = bool(attribute.patterns)
        for item in items:
            for one in walk_expression(item) if not isinstance(item, str) else ():
                varies |= isinstance(one, Name) and (one.name in env or has_braces(one.name))
                varies |= isinstance(one, nodes.Member) and has_braces(one.member)
        same: object = value
        if not varies and isinstance(value, tuple):
            same = tuple(item if isinstance(item, str) else self._in_copy(item, {}, _EVERY) for item in value)
        elif not varies and not isinstance(value, (str, int)):
            same = self._in_copy(value, {}, _EVERY)  # type: ignore[arg-type]
        plan = self.plans[id(attribute)] = _Plan(same, varies)
        return plan

    def _value(self, attribute: Attribute, env: Mapping[str, int], copy: Copy) -> object | None:
        """What an attribute holds in one copy; None after an error."""
        value, patterns = attribute.value, attribute.patterns
        if patterns and isinstance(value, tuple):
            names = [
                str(name) if pattern is None else self._filled(pattern, attribute, env, copy)
                for name, pattern in zip(value, patterns, strict=True)
            ]
            return tuple(names) if all(name is not None for name in names) else None
        if patterns:
            assert patterns[0] is not None
            return self._filled(patterns[0], attribute, env, copy)
        if isinstance(value, tuple):
            return tuple(item if isinstance(item, str) else self._in_copy(item, env, copy) for item in value)
        assert not isinstance(value, (str, int))
        return self._in_copy(value, env, copy)

    def _filled(self, pattern: Pattern, attribute: Attribute, env: Mapping[str, int], copy: Copy) -> str | None:
        """A name or a text with numbers in the places of its expressions."""
        made = self._text(pattern, env, copy)
        if made is None or not isinstance(attribute.spec.kind, (NewName, Reference)):
            return made
        made = " ".join(made.split())
        if len(made) > LONGEST_NAME:
            self._error(
                "bad-name",
                _marked(attribute.span, copy),
                Text(f"a name of {len(made)} characters", f"имя из {len(made)} символов"),
                expected=Text(f"1 to {LONGEST_NAME} characters", f"от 1 до {LONGEST_NAME} символов"),
            )
            return None
        return made

    def _text(self, pattern: Pattern, env: Mapping[str, int], copy: Copy) -> str | None:
        pieces = []
        for piece in pattern.pieces:
            if isinstance(piece, str):
                pieces.append(piece)
                continue
            number = self._whole(piece, env, copy)
            if number is None:
                self.failed = True
                return None
            pieces.append(str(number))
        return "".join(pieces)

    # Expressions -----------------------------------------------------------------------------------------------------

    def _in_copy(self, node: Expression, env: Mapping[str, int], copy: Copy) -> Expression:
        """An expression in which the indices are numbers, and all places are those of the copy.

        The parser bounds the height of expressions.
        """
        span = _marked(node.span, copy)
        match node:
            case Number():
                return Number(node.value, node.dimension, node.unit, node.literal, span)
            case Name():
                return _number(env[node.name], span) if node.name in env else self._name(node, env, copy)
            case nodes.Call():
                things = node.function in QUANTITIES
                arguments = tuple(
                    self._name(argument, env, copy)
                    if things and isinstance(argument, Name)
                    else self._in_copy(argument, env, copy)
                    for argument in node.arguments
                )
                return nodes.Call(node.function, arguments, _marked(node.function_span, copy), span)
            case nodes.Member():
                inside = (
                    self._dotted(node.operand, env, copy)
                    if dotted_name(node) is not None
                    else self._in_copy(node.operand, env, copy)
                )
                return nodes.Member(inside, self._member(node, env, copy), _marked(node.member_span, copy), span)
            case nodes.Unary():
                return nodes.Unary(node.operator, self._in_copy(node.operand, env, copy), span)
            case nodes.Not():
                return nodes.Not(self._in_copy(node.operand, env, copy), span)
            case nodes.Binary():
                left, right = self._in_copy(node.left, env, copy), self._in_copy(node.right, env, copy)
                return nodes.Binary(node.operator, left, right, span)
            case nodes.Compare():
                left, right = self._in_copy(node.left, env, copy), self._in_copy(node.right, env, copy)
                return nodes.Compare(node.operator, left, right, span)
            case nodes.Crossing():
                left, right = self._in_copy(node.left, env, copy), self._in_copy(node.level, env, copy)
                return nodes.Crossing(node.direction, left, right, span)
            case nodes.Logic():
                return nodes.Logic(
                    node.operator, tuple(self._in_copy(operand, env, copy) for operand in node.operands), span
                )
        raise AssertionError(f"no file writes this: {type(node).__name__}")

    def _dotted(self, node: Expression, env: Mapping[str, int], copy: Copy) -> Expression:
        """What stands before a point: the beginning of a name, never the index."""
        if isinstance(node, nodes.Member):
            operand, member = self._dotted(node.operand, env, copy), self._member(node, env, copy)
            return nodes.Member(operand, member, _marked(node.member_span, copy), _marked(node.span, copy))
        assert isinstance(node, Name)
        return self._name(node, env, copy)

    def _name(self, node: Name, env: Mapping[str, int], copy: Copy) -> Name:
        """A name of a thing, with numbers in the places of what its braces hold."""
        return Name(self._without_braces(node, node, env, copy), _marked(node.span, copy))

    def _member(self, node: nodes.Member, env: Mapping[str, int], copy: Copy) -> str:
        """What stands behind a point, with numbers in the places of what its braces hold: ``chart.state {i}``."""
        return self._without_braces(node, Name(node.member, node.member_span), env, copy)

    def _without_braces(self, node: Expression, name: Name, env: Mapping[str, int], copy: Copy) -> str:
        """A name in an expression with numbers in the places of what its braces hold."""
        if id(node) not in self.patterns:
            self.patterns[id(node)] = pattern_of(name, self.diagnostics)
            self.failed |= self.patterns[id(node)] is None and has_braces(name.name)
        pattern = self.patterns[id(node)]
        text = None if pattern is None else self._text(pattern, env, copy)
        return name.name if text is None else " ".join(text.split())


def _size(value: object) -> int:
    """What a copy of a value costs [pieces]."""
    if isinstance(value, tuple):
        return 1 + sum(map(_size, value))
    if isinstance(value, str):
        return 1 + len(value) // _LETTERS_PER_PIECE
    if isinstance(value, int):
        return 1
    return len(list(walk_expression(value)))  # type: ignore[arg-type]


def _marked(span: Span, copy: Copy) -> Span:
    return CopySpan(span.source, span.start, span.end, copy)


def _number(value: int, span: Span) -> Expression:
    number = Number(float(abs(value)), PLAIN, None, str(abs(value)), span)
    return nodes.Unary("-", number, span) if value < 0 else number


def _is_name(word: str) -> bool:
    """Whether expressions read a word as a name."""
    found = parse_expression(Fragment(word, Source("<index>", word), 0), Diagnostics())
    return isinstance(found, Name) and found.name == word and found.name not in ("pi", "t")
