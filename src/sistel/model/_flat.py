"""Whether a surface is flat, its equation linear with coefficients that do not change; or else a height over places."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.markup import Binary, Call, Compare, Expression, Name, Unary
from sistel.model._check import first_part
from sistel.model._contact_elements import Height

_PLACES = ("x", "y", "z")
_BROKEN = frozenset(("abs", "min", "max", "sign", "floor", "ceil", "clamp", "step", "rem", "select"))
"""Functions whose graphs have corners or steps."""


def is_flat(gap: Expression) -> bool:
    """Whether a gap function is linear in x, y and z, by the way it is written, and its plane does not turn."""
    return _linear(gap)


def _asks(node: Expression, names: tuple[str, ...]) -> bool:
    return first_part(node, lambda part: isinstance(part, Name) and part.name in names) is not None


def _linear(node: Expression) -> bool:
    if not _asks(node, _PLACES):
        return True
    match node:
        case Name():
            return True
        case Unary():
            return _linear(node.operand)
        case Binary() if node.operator in ("+", "-"):
            return _linear(node.left) and _linear(node.right)
        case Binary() if node.operator == "*":
            factor, rest = (node.right, node.left) if _asks(node.left, _PLACES) else (node.left, node.right)
            return _linear(rest) and not _asks(factor, (*_PLACES, "t"))
        case Binary() if node.operator == "/":
            return _linear(node.left) and not _asks(node.right, (*_PLACES, "t"))
    return False


def height_of(gap: Expression, planar: bool) -> Height | None:
    """The coordinate for which a surface is solved, by the way it is written; None where it is not, or moves."""
    terms = list(_terms(gap, 1.0))
    if _asks(gap, ("t",)) or first_part(gap, _breaks) is not None:
        return None
    for axis in (1, 0) if planar else (2, 1, 0):
        letter = _PLACES[axis]
        own = [(sign, term) for sign, term in terms if _asks(term, (letter,))]
        if len(own) == 1 and isinstance(own[0][1], Name):
            beside = tuple(each for each in range(2 if planar else 3) if each != axis)
            return Height(axis=axis, sign=own[0][0], beside=beside)
    return None


def _breaks(node: Expression) -> bool:
    """Whether a part of a surface that depends on the place makes it other than smooth."""
    return (
        isinstance(node, (Call, Compare))
        and _asks(node, _PLACES)
        and not (isinstance(node, Call) and node.function not in _BROKEN)
    )


def _terms(node: Expression, sign: float) -> Iterator[tuple[float, Expression]]:
    """The terms of a sum with their signs."""
    match node:
        case Binary() if node.operator in ("+", "-"):
            yield from _terms(node.left, sign)
            yield from _terms(node.right, sign if node.operator == "+" else -sign)
        case Unary():
            yield from _terms(node.operand, -sign)
        case _:
            yield sign, node
