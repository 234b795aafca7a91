"""Reading expressions: text with places in, tree with places out; and their translation between the two languages.

Weakest first, the operators are ``or``, ``and``, ``not``, comparisons and crossings, ``+ -``, ``* /``, the sign, ``^``.
Powers go from right to left, and ``-x^2`` is ``-(x^2)``. Dimensions are the model's business.
"""

from __future__ import annotations

import re
from typing import cast

from sistel.errors import Diagnostics, Fragment, Language, Source, Text
from sistel.markup.expressions import _syntax as nodes
from sistel.markup.expressions._number_list import is_number_list, read_number, read_numbers
from sistel.markup.expressions._tokens import (
    MAX_CHARACTERS,
    Problem,
    Token,
    dimension_of,
    ends_value,
    spell_unit,
    tokenize,
    unit_edits,
)
from sistel.markup.expressions._words import (
    BARE_WORDS,
    KEYWORD_STARTS,
    Entry,
    Function,
    find_component,
    find_function,
    fold,
    respell,
)
from sistel.units import PLAIN

MAX_NESTING = 100
"""Brackets inside brackets."""
MAX_HEIGHT = 200
"""Nodes above each other in a tree, so that code which walks one may be recursive."""

_VALUE = Text("a number, a name, a function or (", "число, имя, функция или (")


def parse_expression(fragment: Fragment, diagnostics: Diagnostics, *, braces: bool = False) -> nodes.Node | None:
    """Read one expression; problems go to `diagnostics`, and then the result is None.

    With `braces`, names may have expressions in them, as those of repeated elements do: ``link {i - 1}``.
    """
    if (number := read_number(fragment)) is not None:
        return number
    try:
        return _Parser(fragment, braces=braces).one()
    except Problem as problem:
        problem.report(fragment, diagnostics)
        return None


def parse_list(fragment: Fragment, diagnostics: Diagnostics, *, braces: bool = False) -> tuple[nodes.Node, ...] | None:
    """Read expressions separated by ``,`` or ``;``, or plain numbers separated by blanks as URDF and SVG have them.

    In ``0 -500`` the sign belongs to the second number; ``0 - 500`` and ``0-500`` are one difference. `braces` is as in
    `parse_expression`.
    """
    try:
        return read_numbers(fragment) or _Parser(fragment, in_list=True, braces=braces).several()
    except Problem as problem:
        problem.report(fragment, diagnostics)
        return None


def translate_expression(text: str, lang: Language, *, braces: bool = False) -> str:
    """The same expression or list with functions, keywords, units and constants in the words of a language.

    Names, numbers and layout stay. A text that cannot be read comes back as it is.
    """
    pieces, at = [], 0
    for start, end, word in expression_edits(text, lang, braces=braces):
        pieces += [text[at:start], word]
        at = end
    return "".join((*pieces, text[at:]))


def expression_edits(text: str, lang: Language, *, braces: bool = False) -> list[tuple[int, int, str]]:
    """Where `translate_expression` writes another word: start, end and the word, in order."""
    if is_number_list(text):
        return []
    try:
        parser = _Parser(Fragment(text, Source("<text>", text), 0), in_list=True, braces=braces)
        parser.several()
    except Problem:
        return []
    edits = [(start, end, respell(text[start:end], entry, lang)) for start, end, entry in parser.words]
    for token in parser.tokens:
        edits += unit_edits(text, token.unit, lang)
    return sorted(edit for edit in edits if text[edit[0] : edit[1]] != edit[2])


class _Parser:
    """Precedence climbing over the tokens of one text; raises `Problem` at the first mistake."""

    def __init__(self, fragment: Fragment, *, in_list: bool = False, braces: bool = False) -> None:
        text = fragment.text
        if len(text) > MAX_CHARACTERS:
            raise Problem(
                "too-long",
                0,
                len(text),
                Text(
                    f"the expression is longer than {MAX_CHARACTERS} characters",
                    f"выражение длиннее {MAX_CHARACTERS} символов",
                ),
            )
        self.fragment = fragment
        self.in_list = in_list
        self.tokens = tokenize(text, braces=braces)
        self.at = 0
        self.token = self.tokens[0]
        self.end = 0
        """End of the last token that was taken."""
        self.height = 0
        """Height of the node that was made last."""
        self.calls = 0
        self.brackets: list[Token] = []
        self.argument_at = -1
        """Index of the token with which an argument of a quantity begins: there a name is taken as it stands."""
        self.words: list[tuple[int, int, Entry]] = []
        """Words that the two languages spell differently, for the translator."""

    # Whole texts -----------------------------------------------------------------------------------------------------

    def one(self) -> nodes.Node:
        self._refuse_empty()
        node = self.expression(0)
        if self.token.kind != "end":
            raise self.stray()
        return node

    def several(self) -> tuple[nodes.Node, ...]:
        self._refuse_empty()
        nodes = [self.expression(0)]
        while self.token.kind == ",":
            self.advance()
            nodes.append(self.expression(0))
        if self.token.kind != "end":
            raise self.stray()
        return tuple(nodes)

    def _refuse_empty(self) -> None:
        if self.token.kind == "end":
            message = Text("there is no expression here", "здесь нет выражения")
            raise Problem("empty-expression", 0, len(self.fragment.text), message, expected=_VALUE)

    # Grammar ---------------------------------------------------------------------------------------------------------

    def expression(self, level: int) -> nodes.Node:
        """Everything from here that holds together at least as tightly as `level`."""
        start = self.token.start
        self.calls += 1
        if self.calls > MAX_HEIGHT:
            raise self.too_deep(start, self.token.end)
        left = self.operand(level)
        height = self.height
        while True:
            token = self.token
            operator = token.text
            if token.kind == "operator" and operator in nodes.LEVELS and nodes.LEVELS[operator] >= level:
                self.advance()
                # A power takes the powers to its right with it; the others leave their equals to this loop.
                right = self.expression(nodes.POWER if operator == "^" else nodes.LEVELS[operator] + 1)
                left = nodes.Binary(cast(nodes.Arithmetic, operator), left, right, self.fragment.span(start, self.end))
            elif is_comparison(token) and level <= nodes.COMPARE:
                left = self.comparison(left, start)
            elif token.kind == "keyword" and operator in ("and", "or") and nodes.LEVELS[operator] >= level:
                left = self.logic(left, start)
            else:
                break
            height = max(height, self.height) + 1
        if height > MAX_HEIGHT:
            raise self.too_deep(start, self.end)
        self.height = height
        self.calls -= 1
        return left

    def comparison(self, left: nodes.Node, start: int) -> nodes.Node:
        """One comparison or crossing, or a chain of comparisons."""
        first, links, height = start, list[nodes.Node](), 0
        while is_comparison(self.token):
            token = self.token
            crosses = token.keyword is not None and token.keyword.kind == "cross"
            if links and (crosses or isinstance(links[-1], nodes.Crossing)):
                raise Problem(
                    "mixed-comparison",
                    token.start,
                    token.end,
                    Text(
                        "a crossing cannot be part of a chain of comparisons",
                        "прохождение уровня не может быть звеном цепочки сравнений",
                    ),
                    hint=Text('join two conditions with "and"', "соедините два условия словом «и»"),
                )
            self.advance()
            next_first = self.token.start
            right = self.expression(nodes.SUM)
            height = max(height, self.height)
            span = self.fragment.span(first, self.end)
            if crosses:
                links.append(nodes.Crossing(cast(nodes.Direction, token.text), left, right, span))
            else:
                links.append(nodes.Compare(cast(nodes.Comparison, token.text), left, right, span))
            left, first = right, next_first
        self.height = height + (len(links) > 1)
        return links[0] if len(links) == 1 else nodes.Logic("and", tuple(links), self.fragment.span(start, self.end))

    def logic(self, left: nodes.Node, start: int) -> nodes.Node:
        """Conditions joined by the same word, all in one node."""
        operator, operands, height = self.token.text, [left], 0
        while self.token.kind == "keyword" and self.token.text == operator:
            self.advance()
            operands.append(self.expression(nodes.LEVELS[operator] + 1))
            height = max(height, self.height)
        self.height = height
        span = self.fragment.span(start, self.end)
        return nodes.Logic("and" if nodes.LEVELS[operator] == nodes.AND else "or", tuple(operands), span)

    def operand(self, level: int) -> nodes.Node:
        """A value with the signs before it and the members after it."""
        token = self.token
        self.height = 1
        if token.kind == "number":
            return self.number(self.advance())
        if token.kind == "operator" and token.text in "-+":
            self.advance()
            inner = self.expression(nodes.POWER)
            if token.text == "+":
                return inner
            self.height += 1
            return nodes.Unary("-", inner, self.fragment.span(token.start, self.end))
        if token.kind == "keyword" and token.text == "not" and level <= nodes.NOT:
            self.advance()
            inner = self.expression(nodes.NOT)
            self.height += 1
            return nodes.Not(inner, self.fragment.span(token.start, self.end))
        if token.kind == "(":
            self.open_bracket()
            node = self.expression(0)
            self.close_bracket()
        elif token.kind == "name":
            node = self.named()
        elif token.kind == "quoted":
            self.advance()
            node = nodes.Name(token.text, self.fragment.span(token.start, token.end))
        else:
            raise self.missing_value(level)
        while self.token.kind == ".":
            node = self.member(node, token.start)
        return node

    def number(self, token: Token) -> nodes.Number:
        span = self.fragment.span(token.start, token.end)
        if not token.unit:
            return nodes.Number(token.value, PLAIN, None, token.text, span)
        return nodes.Number(token.value, dimension_of(token.unit), spell_unit(token.unit), token.text, span)

    def named(self) -> nodes.Node:
        """A name, or a call of a function."""
        argument = self.at == self.argument_at
        token = self.advance()
        if self.token.kind == "(":
            return self.call(token)
        span = self.fragment.span(token.start, token.end)
        entry = BARE_WORDS.get(token.text)
        if entry is None or self.token.kind == "." or (argument and self.token.kind in (",", ")")):
            return nodes.Name(token.text, span)
        self.words.append((token.start, token.end, entry))
        if isinstance(entry, Function) and entry.key != "t":
            return nodes.Call(entry.key, (), span, span)
        return nodes.Name(entry.key, span)

    def call(self, token: Token) -> nodes.Node:
        """The arguments of a function whose name was taken."""
        function = find_function(token.text)
        last = token.text.rpartition(" ")[2]
        if function is None and last != token.text and find_function(last) is not None:
            # "l sin(x)": a name and a function, not a function of two words.
            raise self.missing_operator(token.end - len(last), token.end)
        if function is not None:
            self.words.append((token.start, token.end, function))
        refers = function is not None and function.kind == "quantity"
        arguments, height = list[nodes.Node](), 0
        self.open_bracket()
        while self.token.kind != ")" or arguments:
            if refers:
                self.argument_at = self.at
            arguments.append(self.expression(0))
            height = max(height, self.height)
            if self.token.kind != ",":
                break
            self.advance()
        self.close_bracket(in_call=True)
        self.height = height + 1
        if function is not None:
            self.check_arity(function, token, len(arguments))
            if function.key == "t":
                return nodes.Name("t", self.fragment.span(token.start, self.end))
        function_span = self.fragment.span(token.start, token.end)
        span = self.fragment.span(token.start, self.end)
        return nodes.Call(function.key if function else token.text, tuple(arguments), function_span, span)

    def member(self, operand: nodes.Node, start: int) -> nodes.Member:
        point = self.advance()
        token = self.token
        if token.kind not in ("name", "quoted"):
            self.refuse_problem()
            raise Problem(
                "missing-name",
                point.start,
                point.end,
                Text("a name is missing after the point", "после точки нет имени"),
                expected=Text("a component such as n or x, or a name", "компонента, например n или x, либо имя"),
            )
        self.advance()
        self.height += 1
        name = token.text
        if (
            token.kind == "name"
            and nodes.dotted_name(operand) is None
            and (component := find_component(name)) is not None
        ):
            self.words.append((token.start, token.end, component))
            name = component.key
        member_span = self.fragment.span(token.start, token.end)
        return nodes.Member(operand, name, member_span, self.fragment.span(start, self.end))

    def check_arity(self, function: Function, token: Token, count: int) -> None:
        least, most = function.arity
        if least <= count and (most is None or count <= most):
            return
        if most is None:
            expected = Text(f"{least} or more", f"{least} или больше")
        else:
            expected = (
                Text(str(least), str(least)) if least == most else Text(f"{least} to {most}", f"от {least} до {most}")
            )
        inner = self.fragment.text[token.end : self.end]
        raise Problem(
            "wrong-argument-count",
            token.start,
            self.end,
            Text(f"{token.text}: the number of arguments is {count}", f"{token.text}: число аргументов — {count}"),
            expected=expected,
            hint=_POINT_HINT if re.search(r"[0-9],[0-9]", inner) else None,
        )

    # Steps -----------------------------------------------------------------------------------------------------------

    def advance(self) -> Token:
        token = self.token
        if token.keyword is not None:
            self.words.append((token.start, token.end, token.keyword))
        self.end = token.end
        self.at += 1
        self.token = self.tokens[self.at]
        return token

    def open_bracket(self) -> None:
        self.brackets.append(self.token)
        if len(self.brackets) > MAX_NESTING:
            raise self.too_deep(self.token.start, self.token.end)
        self.advance()

    def close_bracket(self, *, in_call: bool = False) -> None:
        if self.token.kind == "end":
            raise self.unclosed()
        if self.token.kind != ")":
            raise self.stray(in_call=in_call)
        self.brackets.pop()
        self.advance()

    # Mistakes --------------------------------------------------------------------------------------------------------

    def refuse_problem(self) -> None:
        """Raise what the lexer found wrong here."""
        problem = self.token.problem
        if problem is None:
            return
        if problem.code == "unknown-unit" and problem.hint is not None and self.in_list and not self.brackets:
            problem.hint = _and_commas(problem.hint)
        raise problem

    def shown(self, token: Token) -> str:
        return self.fragment.text[token.start : token.end]

    def too_deep(self, start: int, end: int) -> Problem:
        return Problem(
            "too-deep",
            start,
            end,
            Text("the expression is nested too deeply", "слишком глубокая вложенность выражения"),
            expected=Text(
                f"at most {MAX_NESTING} brackets or {MAX_HEIGHT} operations inside each other",
                f"не больше {MAX_NESTING} скобок или {MAX_HEIGHT} действий друг в друге",
            ),
            hint=Text("give a part of it a name with a parameter", "дайте части выражения имя с помощью параметра"),
        )

    def unclosed(self) -> Problem:
        bracket = self.brackets[-1]
        message = Text("this bracket is not closed", "эта скобка не закрыта")
        return Problem("unclosed-bracket", bracket.start, bracket.end, message, expected=Text(")", ")"))

    def missing_value(self, level: int) -> Problem:
        """What is wrong when a value should begin here and does not."""
        self.refuse_problem()
        token = self.token
        before = self.tokens[self.at - 1] if self.at else None
        if token.kind == "end" and before is not None:
            if before.kind == "(":
                return self.unclosed()
            shown = self.shown(before)
            message = Text(f'a value is missing after "{shown}"', f"после «{shown}» нет значения")
            return Problem("missing-value", before.start, before.end, message, expected=_VALUE)
        shown = self.shown(token)
        message = Text(f'a value is missing before "{shown}"', f"перед «{shown}» нет значения")
        hint = None
        if token.kind == "keyword" and token.text == "not" and level > nodes.NOT:
            message = Text(
                f'"{shown}" cannot stand here without brackets', f"«{shown}» не может стоять здесь без скобок"
            )
            hint = Text(f"write ({shown} …)", f"пишите ({shown} …)")
        elif token.kind == "keyword":
            hint = Text(
                f"\"{shown}\" is a word of the language; as a name write it in quotes: '{shown}'",
                f"«{shown}» — слово языка; как имя пишите его в кавычках: '{shown}'",
            )
        return Problem("missing-value", token.start, token.end, message, expected=_VALUE, hint=hint)

    def stray(self, *, in_call: bool = False) -> Problem:
        """What is wrong with a token that nothing before it can take."""
        self.refuse_problem()
        token = self.token
        if token.kind == ")":
            message = Text("this bracket was never opened", "эта скобка не была открыта")
            return Problem("unexpected-bracket", token.start, token.end, message)
        if token.kind == ",":
            return self.stray_comma(token)
        if token.kind in ("number", "name", "quoted", "("):
            return self.missing_operator(token.start, token.end, in_call=in_call)
        shown = self.shown(token)
        message = Text(f'"{shown}" cannot stand here', f"«{shown}» не может стоять здесь")
        return Problem("unexpected-word", token.start, token.end, message, expected=_OPERATOR)

    def stray_comma(self, token: Token) -> Problem:
        before, after = self.tokens[self.at - 1], self.tokens[self.at + 1]
        joined = before.end == token.start and token.end == after.start
        if token.text == "," and joined and before.kind == after.kind == "number" and not before.unit:
            return Problem(
                "decimal-comma",
                before.start,
                after.end,
                Text("a number is written with a decimal point", "дробная часть числа отделяется точкой"),
                hint=Text(f"write {before.text}.{self.shown(after)}", f"пишите {before.text}.{self.shown(after)}"),
            )
        message = Text("one value is expected here, not a list", "здесь ожидается одно значение, а не список")
        return Problem("unexpected-comma", token.start, token.end, message, expected=_OPERATOR)

    def missing_operator(self, start: int, end: int, *, in_call: bool = False) -> Problem:
        text = self.fragment.text
        shown = text[start:end]
        first = shown.split()[0]
        if second := next((second for second, _ in KEYWORD_STARTS.get(fold(first), ()) if second), ""):
            hint = Text(f'write "{first} {second}"', f"пишите «{first} {second}»")
        else:
            before = next(t for t in reversed(self.tokens) if t.start < start)
            left = text[before.start : min(before.end, start)].strip() if ends_value(before) else ""
            product = f"{'(…)' if left == ')' else left}{' * ' if before.unit else '*'}{self.group_from(start, end)}"
            hint = Text(f"to multiply, write {product}", f"чтобы умножить, пишите {product}")
            if (self.in_list and not self.brackets) or in_call:
                hint = _and_commas(hint)
        message = Text(f'an operator is missing before "{shown}"', f"перед «{shown}» нет знака действия")
        return Problem("missing-operator", start, end, message, expected=_OPERATOR, hint=hint)

    def group_from(self, start: int, end: int) -> str:
        """The text of a value that begins at `start`, with its brackets, cut when long."""
        text, depth = self.fragment.text, 0
        for index in range(start if text[start] == "(" else end, min(len(text), start + 40)):
            depth += {"(": 1, ")": -1}.get(text[index], 0)
            if depth == 0:
                end = index + 1 if text[index] == ")" else end
                break
        return text[start:end] + ("…)" if text[start:end].endswith("(") else "")


_OPERATOR = Text("an operator such as + - * / ^ < > =, and, or", "знак действия, например + - * / ^ < > =, и, или")
_POINT_HINT = Text("numbers are written with a decimal point: 0.5", "дробная часть числа отделяется точкой: 0.5")


def _and_commas(hint: Text) -> Text:
    return Text(
        f"{hint.en}; values of a list are separated by commas", f"{hint.ru}; значения списка разделяют запятыми"
    )


def is_comparison(token: Token) -> bool:
    """Whether a comparison or a crossing stands here."""
    if token.keyword is not None:
        return token.keyword.kind in ("compare", "cross")
    return token.kind == "operator" and token.text in ("<", "<=", ">", ">=", "=", "!=")
