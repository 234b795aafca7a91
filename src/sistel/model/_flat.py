"""Whether a surface is flat: its equation is linear in x, y and z, with coefficients that do not change with time."""

from __future__ import annotations

from sistel.markup import Binary, Expression, Name, Unary, walk_expression

_PLACES = ("x", "y", "z")


def is_flat(gap: Expression) -> bool:
    """Whether a gap function is linear in x, y and z, by the way it is written, and its plane does not turn."""
    return _linear(gap)


def _asks(node: Expression, names: tuple[str, ...]) -> bool:
    return any(isinstance(part, Name) and part.name in names for part in walk_expression(node))


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
