"""LaTeX: a document with amsmath, or the formulas alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from sistel.errors import Language
from sistel.formulas._equations import Equations
from sistel.formulas._sections import Relation, Section, sections
from sistel.formulas._symbols import GREEK, Symbol, printable
from sistel.formulas._typeset import BREAK, INNER, Typesetter, broken, shown

WIDTH: Final = 60
"""Characters of a line, roughly."""

_LETTERS = {letter: rf"\{name}" for name, letter in GREEK.items()} | {
    "υ": r"\upsilon",
    "φ": r"\varphi",
    "ε": r"\varepsilon",
    "ϕ": r"\phi",
}
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "·": r"\(\cdot\)",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "⁴": r"\textsuperscript{4}",
    "τ": r"\(\tau\)",
    "Π": r"\(\Pi\)",
    "𝐌": r"\(\mathbf{M}\)",
    "q̈": r"\(\ddot{q}\)",
}


def to_latex(equations: Equations, *, document: bool, lang: Language) -> str:
    """The text of a document, or of the formulas alone."""
    made, labels = sections(equations)
    setter = LatexSetter({**equations.symbols, **labels})
    body = "\n".join(_section(section, setter, lang) for section in made)
    if not document:
        return body
    title = escaped(printable(equations.model.name))
    lines = [
        r"\documentclass{article}",
        r"\usepackage[T2A]{fontenc}",
        r"\usepackage[utf8]{inputenc}",
        rf"\usepackage[{'english,russian' if lang == 'ru' else 'russian,english'}]{{babel}}",
        r"\usepackage{amsmath}",
        r"\usepackage[margin=25mm]{geometry}",
        r"\allowdisplaybreaks",
        rf"\title{{{title}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        _table(equations, setter, lang),
        *(f"{escaped(note.say(lang))}\n" for note in equations.notes),
        body,
        r"\end{document}",
        "",
    ]
    return "\n".join(lines)


class LatexSetter(Typesetter):
    """Formulas in the mathematical mode of LaTeX."""

    plus, minus, opened, closed, space, times, applied = "+", "-", "(", ")", r"\,", "", ""

    between: ClassVar[Mapping[str, str]] = {
        "less": "<",
        "less_equal": r"\le",
        "equal": "=",
        "and": r"\wedge",
        "or": r"\vee",
    }

    def wordy(self, token: str) -> bool:
        return token.startswith((r"\mathrm", r"\text"))

    def digits(self, text: str) -> str:
        return text

    def scientific(self, text: str, exponent: int) -> str:
        return rf"{text}\cdot 10^{{{exponent}}}"

    def symbol(self, symbol: Symbol) -> str:
        base = _letter(symbol.base)
        if symbol.dots:
            base = rf"\{'dd' if symbol.dots == 2 else 'd'}ot{{{base}}}"
        if not symbol.subscript:
            return base
        return f"{base}_{{{','.join(_letter(piece) for piece in symbol.subscript)}}}"

    def fraction(self, above: str, below: str, small: bool) -> str:
        return rf"\{'t' if small else ''}frac{{{above}}}{{{below}}}"

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{{{exponent}}}"

    def called(self, name: str) -> str:
        if name in ("sin", "cos", "exp", "min", "max"):
            return rf"\{name}"
        return r"\ln" if name == "log" else rf"\operatorname{{{name.replace('_', ' ')}}}"

    def root(self, inner: str) -> str:
        return rf"\sqrt{{{inner}}}"

    def join(self, tokens: Sequence[str]) -> str:
        text = " ".join(shown(tokens))
        return text.replace("( ", "(").replace(" )", ")")


def _letter(text: str) -> str:
    """A letter, a number, or a word set upright."""
    if text in _LETTERS:
        return _LETTERS[text]
    if text == "𝐌":
        return r"\mathbf{M}"
    if (len(text) == 1 and text.isascii() and text.isalpha()) or (text.isascii() and text.isdigit()):
        return text
    if re.fullmatch(r"\d+[xyz]", text):
        return text
    if text.isascii() and text.isalnum():
        return rf"\mathrm{{{text}}}"
    return rf"\text{{{escaped(text)}}}"


def escaped(text: str) -> str:
    """A text outside of mathematics, in Latin and Cyrillic letters; what fonts may lack becomes a question mark."""
    return "".join(_ESCAPES["q̈"] if piece == "q̈" else "".join(map(_escape, piece)) for piece in re.split("(q̈)", text))


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character in _LETTERS:
        return rf"\({_LETTERS[character]}\)"
    known = character.isascii() or "А" <= character <= "я" or character in "ёЁ—–«»№"
    return character if known else "?"


def _section(section: Section, setter: LatexSetter, lang: Language) -> str:
    lines = [rf"\section*{{{escaped(section.title.say(lang))}}}"]
    if section.about.en:
        lines.append(escaped(section.about.say(lang)))
    plain = [relation for relation in section.relations if not relation.matrix]
    lines += [_matrix(relation, setter) for relation in section.relations if relation.matrix]
    if plain:
        rows = [_relation(relation, setter) for relation in plain]
        lines += [r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"]
    return "\n".join(lines) + "\n"


def _relation(relation: Relation, setter: LatexSetter) -> str:
    assert relation.right is not None
    left, right = setter.row(relation.left), setter.row(relation.right)
    if len(left) > len(right):
        tokens = [*left, BREAK, "=", *right]
        lines = broken(tokens, _width, WIDTH)
        rows = [f"&{setter.join(lines[0])}", *(rf"&\quad {setter.join(line)}" for line in lines[1:])]
        return " \\\\\n".join(rows)
    lines = broken(right, _width, WIDTH)
    first = f"{setter.join(left)} &= {setter.join(lines[0])}"
    return " \\\\\n".join([first, *(rf"&\quad {setter.join(line)}" for line in lines[1:])])


def _matrix(relation: Relation, setter: LatexSetter) -> str:
    rows = " \\\\\n".join(" & ".join(setter.join(setter.row(entry)) for entry in row) for row in relation.matrix)
    left = setter.join(setter.row(relation.left))
    head = "" if len(relation.matrix) <= 10 else f"\\setcounter{{MaxMatrixCols}}{{{len(relation.matrix)}}}\n"
    return f"{head}\\[{left} = \\begin{{pmatrix}}\n{rows}\n\\end{{pmatrix}}\\]"


def _width(token: str) -> int:
    """Characters of a token as it is printed."""
    if token in (BREAK, INNER, r"\,", ""):
        return 0
    return len(re.sub(r"\\[a-z]*frac|\\d?dot|\\mathrm|\\text|\\operatorname|[\\{}_^,]", "", token)) + 1


def _table(equations: Equations, setter: LatexSetter, lang: Language) -> str:
    used = equations.used()
    rows = []
    for symbol in used:
        value = f"{symbol.value:.6g}" if symbol.value is not None else ""
        rows.append((symbol, symbol.about.say(lang), f"{value} {symbol.unit.say(lang)}".strip()))
    for key, symbol in equations.symbols.items():
        if key.block == "q":
            rows.append((symbol, symbol.about.say(lang), symbol.unit.say(lang)))
    lines = [rf"\({setter.symbol(symbol)}\) & {escaped(about)} & {escaped(value)} \\" for symbol, about, value in rows]
    return "\n".join([r"\begin{tabular}{lll}", *lines, r"\end{tabular}", ""])
