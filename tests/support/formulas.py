"""Reads formulas back: a small evaluator of the LaTeX and the MathML that are printed, independent of the printers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from xml.etree import ElementTree

_TOKEN = re.compile(r"\s+|\\,|(\\[A-Za-z]+|\d+(?:\.\d+)?|[^\W\d_]|[{}()^_+\-=])")


class Reader:
    """Evaluates one formula; symbols are looked up as they are printed, without blanks."""

    def __init__(self, text: str, values: Mapping[str, float]) -> None:
        self.tokens = [found[1] for found in _TOKEN.finditer(text) if found[1]]
        assert "".join(self.tokens) == re.sub(r"\s+|\\,", "", text), text
        self.values = {re.sub(r"\s+", "", name): value for name, value in values.items()}
        self.at = 0

    def read(self) -> float:
        value = self.sum()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return value

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        assert token and (not expected or token == expected), (expected, self.tokens[self.at :])
        self.at += 1
        return token

    def sum(self) -> float:
        value, sign = 0.0, 1.0
        if self.peek() == "-":
            self.take()
            sign = -1.0
        while True:
            value += sign * self.product()
            if self.peek() not in ("+", "-"):
                return value
            sign = -1.0 if self.take() == "-" else 1.0

    def product(self) -> float:
        value = self.factor()
        while self.peek() not in ("", "+", "-", ")", "}", "="):
            value *= self.factor()
        return value

    def group(self) -> float:
        self.take("{")
        value = self.sum()
        self.take("}")
        return value

    def exponent(self) -> int:
        if self.peek() != "^":
            return 1
        self.take()
        return round(self.group())

    def factor(self) -> float:
        token = self.peek()
        if token in (r"\frac", r"\tfrac"):
            self.take()
            above = self.group()
            return above / self.group()
        if token == r"\sqrt":
            self.take()
            return math.sqrt(self.group())
        if token in (r"\sin", r"\cos"):
            self.take()
            power = self.exponent()
            argument = self.bracket() if self.peek() == "(" else self.multiple()
            return float((math.sin if token == r"\sin" else math.cos)(argument) ** power)
        if token == "(":
            value = self.bracket()
        elif token[0].isdigit():
            value = float(self.take())
            if self.peek() == r"\cdot":
                self.take()
                assert self.take() == "10"
                value *= 10.0 ** self.exponent()
        else:
            value = self.symbol()
        return float(value ** self.exponent())

    def bracket(self) -> float:
        self.take("(")
        value = self.sum()
        self.take(")")
        return value

    def multiple(self) -> float:
        value = 1.0
        while self.peek()[:1].isdigit():
            value *= float(self.take())
        return value * self.symbol()

    def symbol(self) -> float:
        name = self.take()
        if name in (r"\dot", r"\ddot", r"\mathrm", r"\text"):
            name += self.braced()
        if self.peek() == "_":
            name += self.take() + self.braced()
        return self.values[name]

    def braced(self) -> str:
        start = self.at
        depth = 0
        while True:
            token = self.take()
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return "".join(self.tokens[start : self.at])


def as_latex(element: ElementTree.Element) -> str:
    """MathML as the LaTeX that means the same."""
    name = element.tag.rsplit("}", 1)[-1]
    inner = [as_latex(child) for child in element]
    text = (element.text or "").strip()
    if name in ("mi", "mn", "mo", "mtext"):
        if text in ("sin", "cos"):
            return rf"\{text} "
        if name == "mo":
            return {"−": "-", "\u2061": "", "\u2062": " ", "·": r"\cdot "}.get(text, text)
        return text if len(text) == 1 or text[0].isdigit() or text.startswith("−") else rf"\mathrm{{{text}}}"
    if name == "msub":
        return f"{inner[0]}_{{{inner[1]}}}"
    if name == "msup":
        return f"{inner[0]}^{{{inner[1].replace('−', '-')}}}"
    if name == "msubsup":
        return f"{inner[0]}_{{{inner[1]}}}^{{{inner[2]}}}"
    if name == "mover":
        return rf"\{'ddot' if inner[1] == '¨' else 'dot'}{{{inner[0]}}}"
    if name == "mfrac":
        return rf"\frac{{{inner[0]}}}{{{inner[1]}}}"
    if name == "msqrt":
        return rf"\sqrt{{{''.join(inner)}}}"
    assert name in ("mrow", "mstyle", "math", "mspace", "mtable", "mtr", "mtd"), name
    return "".join(inner)
