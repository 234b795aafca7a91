"""Fuzzy blocks: variables with terms, and rules in words, as laws.

Sugeno: a rule holds as much as the product of its conditions, and the output is the mean of the values of terms, with
these as weights. Mamdani: the least of the conditions; the terms of the output are cut at what their rules give, and
the output is the centroid of the greatest of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.expr import decide
from sistel.markup import Expression, Node
from sistel.markup import expressions as nodes
from sistel.model._check import constant
from sistel.model._scope import Scope
from sistel.model.blocks import Law, all_of, centroid_of, joined
from sistel.records import entry, mutable
from sistel.units import Dimension

FUZZY = ("sugeno", "mamdani")
"""Kinds of blocks that have variables and rules inside."""
MOST_RULES = 2000

_WORDS = {
    **dict.fromkeys(("and", "и"), "and"),
    **dict.fromkeys(("or", "или"), "or"),
    **dict.fromkeys(("not", "не"), "not"),
    **dict.fromkeys(("is", "это", "есть"), "is"),
    "(": "(",
    ")": ")",
}
_TOKEN = re.compile(r"[()]|[^\s()]+")


@entry
class _Term:
    """A term: what its attributes are called in the law, and their numbers."""

    name: str
    keys: tuple[str, ...]
    numbers: tuple[float, ...]
    shape: str
    """points, gauss or value"""
    span: Span


@mutable
class _Variable:
    """A variable of the block; those without a value are outputs."""

    name: str
    key: str
    terms: dict[str, _Term]
    input: bool
    dimension: Dimension | None = None


class _Wrong(Exception):
    """A rule that cannot be read; it has been reported."""


def output_names(node: Node) -> tuple[str, ...]:
    """The outputs of a fuzzy block, its variables without values; none where its only one has the block's name."""
    names = tuple(each.text("name") or "" for each in node.of("variable") if "value" not in each.attributes)
    return names if len(names) > 1 else ()


class FuzzyReader:
    """Reads the inside of a fuzzy block."""

    def __init__(self, node: Node, name: str, scope: Scope, diagnostics: Diagnostics) -> None:
        """Of a block with its full name."""
        self.node, self.name, self.scope, self.diagnostics = node, name, scope, diagnostics
        self.mamdani = node.text("kind") == "mamdani"
        self.values: dict[str, list[Expression]] = {}
        self.inner: dict[str, str] = {}
        self.variables: dict[str, _Variable] = {}
        self.fine = True

    def read(self) -> tuple[Law, Mapping[str, Sequence[Expression]]] | None:
        """The law, and the expressions that it names; None after errors."""
        for number, child in enumerate(self.node.of("variable")):
            self._variable(child, f"v{number}")
        outputs = [each for each in self.variables.values() if not each.input]
        if not outputs or not list(self.node.of("rule", "rules")):
            self._error(
                "missing-element",
                self.node.span,
                Text("a fuzzy block needs an output and rules", "нечёткому блоку нужны выход и правила"),
                expected=Text(
                    'a <variable> without a value, and <rule when="…" then="…"/>',
                    '<переменная> без значения и <правило если="…" то="…"/>',
                ),
            )
        if not self.fine:
            return None
        weights: dict[tuple[str, str], list[str]] = {}
        for child in self.node.children:
            if child.key == "rule":
                self._rule(child, weights)
            elif child.key == "rules":
                self._table(child, weights)
        if not self.fine:
            return None
        made = {each.name: self._output(each, weights) for each in outputs}
        if len(made) == 1:
            return Law(next(iter(made.values())), inner=self.inner), self.values
        return Law("", parts=made, inner=self.inner), self.values

    # --- variables ---------------------------------------------------------------------------------------------------

    def _variable(self, node: Node, key: str) -> None:
        name = node.text("name")
        if name is None:
            self.fine = False
            return
        attribute = node.attributes.get("value")
        made = _Variable(name, key, {}, attribute is not None)
        if attribute is not None:
            assert isinstance(attribute.value, tuple)
            self.values[key] = [each for each in attribute.value if not isinstance(each, str)]
        for number, child in enumerate(node.of("term")):
            self._term(made, child, f"{key}_{number}")
        if name in self.variables or not made.terms:
            self._error(
                "same-name" if name in self.variables else "missing-element",
                node.at("name"),
                Text(f'the variable "{name}" is there already', f"переменная «{name}» уже есть")
                if name in self.variables
                else Text(f'the variable "{name}" has no terms', f"у переменной «{name}» нет термов"),
            )
            return
        self.variables[name] = made
        if made.input:
            for number, term in enumerate(made.terms.values()):
                self.inner[f"m{key}_{number}"] = self._degree(made, term)

    def _term(self, variable: _Variable, node: Node, key: str) -> None:
        name = node.text("name")
        if name is None:
            self.fine = False
            return
        if name in variable.terms:
            self._error("same-name", node.at("name"), Text(f'"{name}" is there already', f"«{name}» уже есть"))
            return
        wanted: tuple[str, ...] = ("value",) if not (variable.input or self.mamdani) else ("points",)
        if variable.input and "points" not in node.attributes:
            wanted = ("centre", "width")
        if any(each not in node.attributes for each in wanted) or any(
            each in node.attributes for each in ("value", "points", "centre", "width") if each not in wanted
        ):
            expected = {
                ("value",): Text('value="…", the value of the output', 'значение="…", значение выхода'),
                ("points",): Text('points="…", three or four', 'точки="…", три или четыре'),
                ("centre", "width"): Text(
                    'points="…", or centre="…" and width="…"', 'точки="…" или центр="…" и ширина="…"'
                ),
            }[wanted]
            self._error(
                "missing-attribute",
                node.span,
                Text(f'the term "{name}" has no shape that fits here', f"у терма «{name}» нет подходящей здесь формы"),
                expected=expected,
            )
            return
        given = [each for one in wanted for each in _expressions(node, one)]
        keys = tuple(f"{key}_p{i}" for i in range(len(given)))
        self.values |= {own: [value] for own, value in zip(keys, given, strict=True)}
        numbers: list[float] = []
        if wanted != ("value",):
            for value in given:
                found = constant(value, self.scope, self.diagnostics)
                if found is None:
                    self.fine = False
                    return
                numbers.append(float(decide(found[0])))
                variable.dimension = found[1]
        if not self._ordered(node, wanted, numbers):
            return
        shape = "gauss" if wanted == ("centre", "width") else wanted[0]
        variable.terms[name] = _Term(name, keys, tuple(numbers), shape, node.span)

    def _ordered(self, node: Node, wanted: tuple[str, ...], numbers: Sequence[float]) -> bool:
        """Whether the numbers of a term make a shape."""
        if wanted == ("points",):
            fine = len(numbers) in (3, 4) and list(numbers) == sorted(numbers) and numbers[0] < numbers[-1]
            expected = Text("three or four points that rise", "три или четыре точки по возрастанию")
        else:
            fine = wanted == ("value",) or (len(numbers) == 2 and numbers[1] > 0.0)
            expected = Text("one centre, and a positive width", "один центр и положительная ширина")
        if not fine:
            message = Text("these numbers make no shape", "эти числа не образуют формы")
            self._error("wrong-count", node.at(wanted[0]), message, expected=expected)
        return fine

    def _degree(self, variable: _Variable, term: _Term) -> str:
        """How much a variable is what a term says; a doubled end point is a shoulder, which goes on beyond."""
        x, keys, numbers = f"({variable.key})", term.keys, term.numbers
        if term.shape == "gauss":
            return f"exp(-(({x} - {keys[0]}) / {keys[1]})^2 / 2)"
        sides = []
        if numbers[1] > numbers[0]:
            sides.append(f"({x} - {keys[0]}) / ({keys[1]} - {keys[0]})")
        if numbers[-1] > numbers[-2]:
            sides.append(f"({keys[-1]} - {x}) / ({keys[-1]} - {keys[-2]})")
        return f"clamp({all_of('min', sides)}, 0, 1)"

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, node: Node, weights: dict[tuple[str, str], list[str]]) -> None:
        try:
            degree = _Condition(self, node.text("when") or "", node.at("when")).read()
            result = _Condition(self, node.text("then") or "", node.at("then")).result()
        except _Wrong:
            return
        if "weight" in node.attributes:
            key = f"w{len(self.inner)}"
            self.values[key] = _expressions(node, "weight")
            degree = f"{key} * ({degree})"
        self._enter(degree, result, weights)

    def _enter(self, degree: str, result: tuple[str, str], weights: dict[tuple[str, str], list[str]]) -> None:
        key = f"r{len(self.inner)}"
        self.inner[key] = degree
        weights.setdefault(result, []).append(key)

    def _table(self, node: Node, weights: dict[tuple[str, str], list[str]]) -> None:
        """All pairs of terms of two variables, or terms of one, row by row."""
        of = [" ".join(word.split()) for word in (node.text("of") or "").split(",")]
        then = " ".join((node.text("for") or "").split())
        try:
            inputs = [self.variable(word, True, node.at("of")) for word in of]
            output = self.variable(then, False, node.at("for"))
        except _Wrong:
            return
        cells = [" ".join(word.split()) for word in re.split(r"[,;]", node.text("terms") or "")]
        count = 1
        for each in inputs:
            count *= len(each.terms)
        if len(cells) != count or len(inputs) > 2:
            self._error(
                "wrong-count",
                node.at("terms"),
                Text(f"{len(cells)} terms where {count} are needed", f"термов {len(cells)}, а нужно {count}"),
                expected=Text("one for every pair of terms, row by row", "по одному на пару термов, по строкам"),
            )
            return
        pairs = [
            (i, j) for i in range(len(inputs[0].terms)) for j in range(len(inputs[1].terms) if len(inputs) == 2 else 1)
        ]
        for (i, j), cell in zip(pairs, cells, strict=True):
            if cell not in output.terms:
                self._unknown(cell, list(output.terms), node.at("terms"))
                return
            degrees = [f"m{inputs[0].key}_{i}", *(f"m{each.key}_{j}" for each in inputs[1:])]
            self._enter(self.both(degrees), (output.name, cell), weights)

    def both(self, degrees: Sequence[str]) -> str:
        """Several conditions at once."""
        return all_of("min", degrees) if self.mamdani else joined("*", degrees)

    def variable(self, name: str, given: bool, span: Span) -> _Variable:
        """A variable that is an input, or an output."""
        known = [each.name for each in self.variables.values() if each.input is given]
        if name not in known:
            self._unknown(name, known, span)
            raise _Wrong
        return self.variables[name]

    def _unknown(self, name: str, known: list[str], span: Span) -> None:
        self._error(
            "unknown-name",
            span,
            Text(f'there is no "{name}" here', f"здесь нет «{name}»"),
            expected=one_of(known) if known else None,
            hint=word_hint(name, known),
        )

    # --- outputs -----------------------------------------------------------------------------------------------------

    def _output(self, variable: _Variable, weights: Mapping[tuple[str, str], Sequence[str]]) -> str:
        degrees = {name: weights.get((variable.name, name), ()) for name in variable.terms}
        if not self.mamdani:
            sums = {name: joined("+", keys) for name, keys in degrees.items() if keys}
            total, mean = f"t{variable.key}", f"n{variable.key}"
            self.inner[total] = joined("+", [f"({each})" for each in sums.values()] or ["0"])
            values = [f"({each}) * ({variable.terms[name].keys[0]})" for name, each in sums.items()]
            self.inner[mean] = joined("+", values or ["0"])
            return f"select({total} > 0, {mean} / {total}, 0)"
        heights = []
        for number, keys in enumerate(degrees.values()):
            own = f"h{variable.key}_{number}"
            self.inner[own] = f"clamp({all_of('max', keys)}, 0, 1)" if keys else "0"
            heights.append(nodes.Name(f"{self.name}.{own}", self.node.span))
        shapes = [term.numbers if len(term.numbers) == 4 else _four(term.numbers) for term in variable.terms.values()]
        assert variable.dimension is not None
        routine = centroid_of(shapes, 0.0)
        key = f"c{variable.key}"
        self.values[key] = [nodes.Computed(routine, 0, tuple(heights), variable.dimension, self.node.span)]
        return key

    def _error(
        self, code: str, span: Span, message: Text, *, expected: Text | None = None, hint: Text | None = None
    ) -> None:
        self.fine = False
        self.diagnostics.error(code, span, message, expected=expected, hint=hint)

    def refuse(self, span: Span, expected: Text) -> None:
        """Say that a rule cannot be read."""
        self._error("bad-rule", span, Text("this rule cannot be read", "это правило не читается"), expected=expected)
        raise _Wrong


def _four(numbers: Sequence[float]) -> tuple[float, float, float, float]:
    a, b, c = numbers
    return a, b, b, c


def _expressions(node: Node, key: str) -> list[Expression]:
    attribute = node.attributes[key]
    assert isinstance(attribute.value, tuple)
    return [each for each in attribute.value if not isinstance(each, str)]


class _Condition:
    """Reads `near is low and not (left is far or …)`, in words of either language."""

    def __init__(self, reader: FuzzyReader, text: str, span: Span) -> None:
        self.reader, self.span = reader, span
        self.tokens: list[tuple[str, str]] = []
        for found in _TOKEN.finditer(text):
            word = found.group()
            key = _WORDS.get(word.casefold(), "")
            if not key and self.tokens and not self.tokens[-1][0]:
                self.tokens[-1] = "", f"{self.tokens[-1][1]} {word}"  # names of several words
            else:
                self.tokens.append((key, word))
        self.at = 0

    def read(self) -> str:
        """How much it holds."""
        made = self._any()
        if self.at != len(self.tokens):
            self._refuse()
        return made

    def result(self) -> tuple[str, str]:
        """An output and its term."""
        if [key for key, _ in self.tokens] != ["", "is", ""]:
            self.reader.refuse(
                self.span, Text("an output and its term: turn is left", "выход и его терм: поворот это влево")
            )
        variable = self.reader.variable(self.tokens[0][1], False, self.span)
        if self.tokens[2][1] not in variable.terms:
            self.reader._unknown(self.tokens[2][1], list(variable.terms), self.span)
            raise _Wrong
        return variable.name, self.tokens[2][1]

    def _refuse(self) -> None:
        self.reader.refuse(
            self.span,
            Text("near is low and not left is far", "впереди это близко и не слева это далеко"),
        )

    def _take(self, key: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at][0] == key
        self.at += found
        return found

    def _any(self) -> str:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return all_of("max", parts)

    def _all(self) -> str:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return self.reader.both(parts) if len(parts) > 1 else parts[0]

    def _one(self) -> str:
        if self._take("not"):
            return f"(1 - ({self._one()}))"
        if self._take("("):
            inner = self._any()
            if not self._take(")"):
                self._refuse()
            return f"({inner})"
        name = self._name()
        if not self._take("is"):
            self._refuse()
        negated = self._take("not")
        variable = self.reader.variable(name, True, self.span)
        term = self._name()
        if term not in variable.terms:
            self.reader._unknown(term, list(variable.terms), self.span)
            raise _Wrong
        degree = f"m{variable.key}_{list(variable.terms).index(term)}"
        return f"(1 - {degree})" if negated else degree

    def _name(self) -> str:
        if self.at >= len(self.tokens) or self.tokens[self.at][0]:
            self._refuse()
        self.at += 1
        return self.tokens[self.at - 1][1]


def refuse_inside(node: Node, diagnostics: Diagnostics) -> None:
    """Say that a block of another kind has nothing inside."""
    word = node.attributes["kind"].span.text
    diagnostics.error(
        "misplaced-element",
        node.children[0].span,
        Text(f'a block "{word}" has nothing inside', f"внутри блока «{word}» ничего нет"),
        expected=Text("a block sugeno or mamdani", "блок Сугено или Мамдани"),
    )
