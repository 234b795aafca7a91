"""A node as a short line of text, for people who debug; formulas for readers are made elsewhere."""

from __future__ import annotations

from typing import Final

from sistel.expr._operation import ARITY, Op
from sistel.expr._rows import Rows

_SIGNS: Final = {
    Op.ADD: (" + ", 1),
    Op.SUBTRACT: (" - ", 1),
    Op.MULTIPLY: ("*", 2),
    Op.DIVIDE: ("/", 2),
    Op.LESS: (" < ", 0),
    Op.LESS_EQUAL: (" <= ", 0),
    Op.EQUAL: (" == ", 0),
}
_ATOM: Final = 4


def formula(rows: Rows, index: int, limit: int = 24) -> str:
    """The formula of a node; what lies beyond `limit` nodes shows as its number, `%17`."""
    shown = [index]
    for i in shown:  # grows while it is walked: the nearest nodes come first
        if len(shown) >= limit:
            break
        for j in operands(rows, i):
            if j not in shown:
                shown.append(j)
    text: dict[int, tuple[str, int]] = {}  # what it looks like, how tightly it binds
    for i in sorted(shown):
        text[i] = _line(rows, i, [text.get(j, (f"%{j}", _ATOM)) for j in operands(rows, i)])
    return text[index][0]


def operands(rows: Rows, index: int) -> tuple[int, ...]:
    """The operands of a node, as row numbers."""
    return (rows.first[index], rows.second[index], rows.third[index])[: ARITY[rows.operation[index]]]


def _line(rows: Rows, index: int, parts: list[tuple[str, int]]) -> tuple[str, int]:
    op = Op(rows.operation[index])
    if op == Op.CONSTANT:
        number = rows.number[index]
        return f"{number:g}" if float(f"{number:g}") == number else repr(number), _ATOM if number >= 0 else 1
    if op == Op.INPUT:
        return f"{rows.blocks[rows.first[index]][0]}[{rows.second[index]}]", _ATOM
    if op == Op.NEGATE:
        return f"-{_bracket(parts[0], 2)}", 1
    if op in _SIGNS:
        sign, level = _SIGNS[op]
        right = level + (op not in (Op.ADD, Op.MULTIPLY))
        return f"{_bracket(parts[0], level)}{sign}{_bracket(parts[1], max(right, 1))}", level
    return f"{op.name.lower()}({', '.join(part for part, _ in parts)})", _ATOM


def _bracket(part: tuple[str, int], level: int) -> str:
    text, binds = part
    return text if binds >= level else f"({text})"
