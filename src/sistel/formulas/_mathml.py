"""MathML Core, which browsers show without scripts and fonts of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar, Final

from sistel.errors import Language
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Function, Num, Power
from sistel.formulas._numbers import as_fraction
from sistel.formulas._sections import Relation, Section, sections
from sistel.formulas._symbols import Symbol
from sistel.formulas._typeset import BREAK, INNER, Typesetter, broken, shown
from sistel.records import entry, record

WIDTH: Final = 74
"""Characters of a line, roughly."""

NAMESPACE: Final = "http://www.w3.org/1998/Math/MathML"


class MathmlSetter(Typesetter):
    """Formulas as elements of MathML."""

    plus, minus = "<mo>+</mo>", "<mo>−</mo>"
    opened, closed = '<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>'
    space = '<mspace width="0.2em"></mspace>'
    times, applied = "<mo>\u2062</mo>", "<mo>\u2061</mo>"

    between: ClassVar[Mapping[str, str]] = {
        "less": "<mo>&lt;</mo>",
        "less_equal": "<mo>≤</mo>",
        "equal": "<mo>=</mo>",
        "and": "<mo>∧</mo>",
        "or": "<mo>∨</mo>",
    }

    def gap(self, formula: Formula) -> bool:
        wave = isinstance(formula, Function) or (isinstance(formula, Power) and isinstance(formula.base, Function))
        return wave or (isinstance(formula, Num) and as_fraction(formula.value) is not None)

    def wordy(self, token: str) -> bool:
        return re.search(r"<mi>[^<]{2,}</mi>", token) is not None and "sin" not in token and "cos" not in token

    def digits(self, text: str) -> str:
        return "<mo>,</mo>" if text == "," else f"<mn>{text}</mn>"

    def scientific(self, text: str, exponent: int) -> str:
        sign = "−" if exponent < 0 else ""
        power = f"<msup><mn>10</mn><mn>{sign}{abs(exponent)}</mn></msup>"
        return power if text == "1" else f"<mrow><mn>{text}</mn><mo>·</mo>{power}</mrow>"

    def symbol(self, symbol: Symbol) -> str:
        base = _letter(symbol.base)
        if symbol.dots:
            dots = "¨" if symbol.dots == 2 else "˙"
            base = f'<mover accent="true">{base}<mo>{dots}</mo></mover>'
        if not symbol.subscript:
            return base
        pieces = "<mo>,</mo>".join(_letter(piece) for piece in symbol.subscript)
        return f"<msub>{base}<mrow>{pieces}</mrow></msub>"

    def fraction(self, above: str, below: str, small: bool) -> str:
        style = ' displaystyle="false"' if small else ""
        made = f"<mfrac>{_one(above)}{_one(below)}</mfrac>"
        return f"<mstyle{style}>{made}</mstyle>" if small else made

    def power(self, base: str, exponent: int) -> str:
        # A letter with a subscript has both at its right side, one above the other.
        if base.startswith("<msub>") and base.endswith("</msub>") and base.count("<msub>") == 1:
            return f"<msubsup>{base[6:-7]}<mn>{exponent}</mn></msubsup>"
        return f"<msup>{_one(base)}<mn>{exponent}</mn></msup>"

    def called(self, name: str) -> str:
        return f"<mi>{'ln' if name == 'log' else name.replace('_', ' ')}</mi>"

    def root(self, inner: str) -> str:
        return f"<msqrt>{inner}</msqrt>"

    def join(self, tokens: Sequence[str]) -> str:
        kept = shown(tokens)
        return kept[0] if len(kept) == 1 else f"<mrow>{''.join(kept)}</mrow>"


def _one(element: str) -> str:
    """An element for a place that takes exactly one."""
    return (
        element if element.startswith("<mrow>") or len(re.findall(r"<m", element)) == 1 else f"<mrow>{element}</mrow>"
    )


def _letter(text: str) -> str:
    if text.isdigit():
        return f"<mn>{text}</mn>"
    mixed = re.fullmatch(r"(\d+)([a-z])", text)
    if mixed:
        return f"<mn>{mixed[1]}</mn><mi>{mixed[2]}</mi>"
    return f"<mi>{escape(text)}</mi>"


def math(body: str, display: bool = True) -> str:
    """A formula of its own."""
    return f'<math xmlns="{NAMESPACE}"{" display=" + chr(34) + "block" + chr(34) if display else ""}>{body}</math>'


@record
class RelationRows:
    """A relation for a layout of its own: rows of MathML, none of them longer than a line."""

    head: str
    """What stands before the sign of equality, with it; empty where all of it is in the lines."""
    lines: tuple[str, ...] = ()
    matrix: tuple[tuple[str, ...], ...] = ()
    """Entries of a matrix, which stands instead of the lines."""


def set_sections(equations: Equations) -> tuple[list[Section], MathmlSetter]:
    """The sections of a text, and what sets their formulas."""
    made, labels = sections(equations)
    return made, MathmlSetter({**equations.symbols, **labels})


def relation_rows(relation: Relation, setter: MathmlSetter, width: int = WIDTH) -> RelationRows:
    """A relation in lines of about so many characters; what cannot be broken may be longer."""
    made = _rows(relation, setter, width)
    return RelationRows(head=made.head, lines=tuple("".join(shown(line)) for line in made.lines), matrix=made.matrix)


@entry
class _Rows:
    head: str
    lines: list[list[str]]
    matrix: tuple[tuple[str, ...], ...] = ()


def _rows(relation: Relation, setter: MathmlSetter, width: int) -> _Rows:
    left = setter.row(relation.left)
    head = f"{setter.join(left)}<mo>=</mo>"
    if relation.matrix:
        return _Rows(head, [], tuple(tuple(setter.join(setter.row(each)) for each in row) for row in relation.matrix))
    assert relation.right is not None
    right = setter.row(relation.right)
    if relation.zero:
        right += ["<mo>=</mo>", "<mn>0</mn>"]
    if len(left) > len(right):
        return _Rows("", broken([*left, BREAK, "<mo>=</mo>", *right], _width, width))
    return _Rows(head, broken(right, _width, width))


def relation_math(relation: Relation, setter: MathmlSetter, width: int = WIDTH) -> str:
    """A relation, in several lines where it is longer than so many characters."""
    made = _rows(relation, setter, width)
    if made.matrix:
        rows = "".join(f"<mtr>{''.join(f'<mtd>{each}</mtd>' for each in row)}</mtr>" for row in made.matrix)
        return math(f"{made.head}<mrow><mo>(</mo><mtable>{rows}</mtable><mo>)</mo></mrow>")
    return math(_lines(made.lines, made.head))


def _lines(lines: Sequence[Sequence[str]], head: str) -> str:
    """Lines one below the other, aligned on the left."""
    if len(lines) == 1:
        return head + "".join(shown(lines[0]))
    cell = '<mtd style="text-align:left;padding-left:{indent}">'
    made = []
    for index, line in enumerate(lines):
        start = f"<mtr><mtd>{'' if index else head}</mtd>" if head else "<mtr>"
        indent = "0" if index == 0 else "1.5em"
        # A sign at the start of a line is still one between two terms.
        body = "".join(shown(line))
        if index and body.startswith((MathmlSetter.plus, MathmlSetter.minus)):
            body = "<mrow></mrow>" + body
        made.append(f"{start}{cell.format(indent=indent)}{body}</mtd></mtr>")
    return f'<mtable displaystyle="true">{"".join(made)}</mtable>'


def _width(token: str) -> int:
    """Characters of a token as it is shown."""
    if token in (BREAK, INNER):
        return 0
    if "<mfrac>" in token and "mstyle" in token:
        return 1
    return len(re.sub(r"<[^>]*>|[\u2061\u2062]", "", token))


def to_mathml(equations: Equations, *, lang: Language) -> str:
    """A fragment of HTML: headings, sentences and formulas."""
    made, setter = set_sections(equations)
    pieces = []
    for section in made:
        pieces.append(f"<h2>{escape(section.title.say(lang))}</h2>")
        if section.about.en:
            pieces.append(f"<p>{escape(section.about.say(lang))}</p>")
        for index, relation in enumerate(section.relations):
            if index in section.heads:
                pieces.append(f"<h3>{escape(section.heads[index].say(lang))}</h3>")
            pieces.append(relation_math(relation, setter))
    notes = [f"<p>{escape(note.say(lang))}</p>" for note in equations.notes]
    return "\n".join(['<section class="sistel-equations">', *pieces, *notes, "</section>", ""])


_MOTION = (
    '<mi>𝐌</mi><mo stretchy="false">(</mo><mi>q</mi><mo stretchy="false">)</mo><mspace width="0.2em"></mspace>'
    '<mover accent="true"><mi>q</mi><mo>¨</mo></mover><mo>+</mo>'
    '<mi>C</mi><mo stretchy="false">(</mo><mi>q</mi><mo>,</mo><mover accent="true"><mi>q</mi><mo>˙</mo></mover>'
    '<mo stretchy="false">)</mo><mo>+</mo><mi>G</mi><mo stretchy="false">(</mo><mi>q</mi><mo stretchy="false">)</mo>'
    "<mo>=</mo><mi>τ</mi>"
)
_FORCES = '<mo>+</mo><msup><mi>𝐉</mi><mi>T</mi></msup><mspace width="0.15em"></mspace><mi>λ</mi>'
_ACCELERATIONS = (
    '<mi>𝐉</mi><mspace width="0.2em"></mspace><mover accent="true"><mi>q</mi><mo>¨</mo></mover>'
    '<mo>+</mo><mi>γ</mi><mo>=</mo><mn>0</mn><mo>,</mo><mspace width="1em"></mspace><mi>γ</mi><mo>=</mo>'
    '<mover accent="true"><mi>𝐉</mi><mo>˙</mo></mover>'
    '<mspace width="0.2em"></mspace><mover accent="true"><mi>q</mi><mo>˙</mo></mover>'
)


def general_rows(equations: Equations) -> list[str]:
    """The equations of all systems, in matrices: of the motion, and of the accelerations where something holds."""
    applied = any(formula != ZERO for formula in equations.applied)
    held = bool(equations.constraints)
    motion = _MOTION + ("<mo>+</mo><mi>Q</mi>" if applied else "") + (_FORCES if held else "")
    return [motion, _ACCELERATIONS] if held else [motion]
