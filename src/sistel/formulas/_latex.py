"""LaTeX: a document with amsmath, or the formulas alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from sistel.errors import Language
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula
from sistel.formulas._sections import Relation, Section, sections
from sistel.formulas._symbols import GREEK, Symbol, printable
from sistel.formulas._typeset import BREAK, INNER, Typesetter, broken, shown

WIDTH: Final = 104
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
    "−": r"\(-\)",
    "…": r"\dots{}",
    "ᵀ": r"\(^{\mathsf{T}}\)",
    "𝐌": r"\(\mathbf{M}\)",
    "𝐉": r"\(\mathbf{J}\)",
    "𝐃": r"\(\mathbf{D}\)",
    "q̇": r"\(\dot{q}\)",
    "q̈": r"\(\ddot{q}\)",
}
_BOLD = {"𝐌": r"\mathbf{M}", "𝐉": r"\mathbf{J}", "𝐃": r"\mathbf{D}"}


def to_latex(equations: Equations, *, document: bool, lang: Language) -> str:
    """The text of a document, or of the formulas alone."""
    made, labels = sections(equations)
    setter = LatexSetter({**equations.symbols, **labels})
    body = "\n".join(_section(section, setter, lang) for section in made)
    if not document:
        return body
    title = escaped(printable(equations.model.name))
    table = _table(equations, setter, lang)
    text = "\n".join([title, table, *(escaped(note.say(lang)) for note in equations.notes), body])
    lines = [
        r"\documentclass{article}",
        r"\usepackage[utf8]{inputenc}",
        *_languages(text, lang),
        r"\usepackage{amsmath}",
        r"\usepackage[margin=25mm]{geometry}",
        r"\allowdisplaybreaks",
        r"\usepackage{longtable}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
        rf"\begin{{center}}\LARGE\bfseries {title}\end{{center}}",
        _general(equations),
        table,
        *(f"{escaped(note.say(lang))}\n" for note in equations.notes),
        body,
        r"\end{document}",
        "",
    ]
    return "\n".join(lines)


def _languages(text: str, lang: Language) -> list[str]:
    """Fonts and hyphenation for Cyrillic letters where there are any: small installations of TeX lack them."""
    if text.isascii():
        return []
    return [
        r"\usepackage[T2A]{fontenc}",
        rf"\usepackage[{'english,russian' if lang == 'ru' else 'russian,english'}]{{babel}}",
    ]


def _general(equations: Equations) -> str:
    """The equations in matrix form."""
    applied = "" if all(formula == ZERO for formula in equations.applied) else " + Q"
    held = r" + \mathbf{J}^{\mathsf{T}}\lambda" if equations.constraints else ""
    motion = rf"\mathbf{{M}}(q)\,\ddot{{q}} + C(q, \dot{{q}}) + G(q) = \tau{applied}{held}"
    if not equations.constraints:
        return rf"\[{motion}\]"
    more = r"\mathbf{J}\,\ddot{q} + \gamma = 0, \quad \gamma = \dot{\mathbf{J}}\,\dot{q}"
    return "\n".join([r"\begin{gather*}", motion + r" \\", more, r"\end{gather*}"])


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
    if text in _BOLD:
        return _BOLD[text]
    if (len(text) == 1 and text.isascii() and text.isalpha()) or (text.isascii() and text.isdigit()):
        return text
    if re.fullmatch(r"\d+[xyz]", text):
        return text
    if text.isascii() and text.isalnum():
        return rf"\mathrm{{{text}}}"
    return rf"\text{{{escaped(text)}}}"


def escaped(text: str) -> str:
    """A text outside of mathematics, in Latin and Cyrillic letters; what fonts may lack becomes a question mark."""
    return "".join(_ESCAPES.get(piece) or "".join(map(_escape, piece)) for piece in re.split("(q[̇̈])", text))


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
    lines += [_matrix(relation, setter) for relation in section.relations if relation.matrix]
    waiting: list[str] = []
    # Equations of one section begin at one place: all at their signs of equality, or all at the left.
    whole = any(
        len(setter.row(relation.left)) > len(setter.row(relation.right))
        for relation in section.relations
        if relation.right is not None
    )
    for index, relation in enumerate(section.relations):
        if index in section.heads:
            lines += _aligned(waiting)
            waiting = []
            lines.append(rf"\subsection*{{{escaped(section.heads[index].say(lang))}}}")
        if not relation.matrix:
            waiting.append(_relation(relation, setter, whole))
    lines += _aligned(waiting)
    return "\n".join(lines) + "\n"


def _aligned(rows: Sequence[str]) -> list[str]:
    return [r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"] if rows else []


def _relation(relation: Relation, setter: LatexSetter, whole: bool) -> str:
    assert relation.right is not None
    left, right = setter.row(relation.left), setter.row(relation.right)
    if relation.zero:
        right += ["=", "0"]
    if whole:
        tokens = [*left, BREAK, "=", *right]
        lines = broken(tokens, _width, WIDTH)
        # Behind the sign of a column a minus would be set as one between two terms.
        first = setter.join(["{-}", *lines[0][1:]] if lines[0][0] == setter.minus else lines[0])
        rows = [f"&{first}", *(rf"&\quad {setter.join(line)}" for line in lines[1:])]
        return " \\\\\n".join(rows)
    lines = broken(right, _width, WIDTH)
    first = f"{setter.join(left)} &= {setter.join(lines[0])}"
    return " \\\\\n".join([first, *(rf"&\quad {setter.join(line)}" for line in lines[1:])])


def _matrix(relation: Relation, setter: LatexSetter) -> str:
    rows = [[setter.row(entry) for entry in row] for row in relation.matrix]
    widths = [max(sum(map(_width, row[i])) + 4 for row in rows) for i in range(len(rows[0]))]
    left = setter.join(setter.row(relation.left))
    if sum(widths) > WIDTH:
        return _entries(left, relation.matrix, setter)
    body = " \\\\\n".join(" & ".join(map(setter.join, row)) for row in rows)
    head = "" if len(widths) <= 10 else f"\\setcounter{{MaxMatrixCols}}{{{len(widths)}}}\n"
    return f"{head}\\[\\renewcommand{{\\arraystretch}}{{1.25}}{left} = \\begin{{pmatrix}}\n{body}\n\\end{{pmatrix}}\\]"


def _entries(left: str, matrix: Sequence[Sequence[Formula]], setter: LatexSetter) -> str:
    """A matrix that is wider than the page, entry by entry; what is not written is 0."""
    comma = "," if max(len(matrix), len(matrix[0])) > 9 else ""
    symmetric = len(matrix) == len(matrix[0]) and all(
        matrix[i][j] == matrix[j][i] for i in range(len(matrix)) for j in range(i)
    )
    made = []
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            if entry == ZERO or (symmetric and j < i):
                continue
            name = f"{left}_{{{i + 1}{comma}{j + 1}}}"
            name += f" = {left}_{{{j + 1}{comma}{i + 1}}}" if symmetric and i != j else ""
            lines = broken(setter.row(entry), _width, WIDTH)
            made.append(f"{name} &= {setter.join(lines[0])}")
            made += [rf"&\quad {setter.join(line)}" for line in lines[1:]]
    return "\n".join(_aligned(made))


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
    changing = (*(symbol for key, symbol in equations.symbols.items() if key.block == "q"), *equations.held())
    rows += [(symbol, symbol.about.say(lang), symbol.unit.say(lang)) for symbol in changing]
    lines = [rf"\({setter.symbol(symbol)}\) & {escaped(about)} & {escaped(value)} \\" for symbol, about, value in rows]
    return "\n".join([r"\begin{longtable}[l]{@{}lp{0.62\textwidth}l@{}}", *lines, r"\end{longtable}", ""])
