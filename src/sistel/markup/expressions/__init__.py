"""Expressions in attributes: words in both languages, units, a parser, a printer and a translator."""

from sistel.markup.expressions._parser import parse_expression, parse_list, translate_expression
from sistel.markup.expressions._syntax import (
    Binary,
    Call,
    Compare,
    Crossing,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Number,
    Unary,
    children,
    dotted_name,
    print_expression,
    walk,
)

__all__ = [
    "Binary",
    "Call",
    "Compare",
    "Crossing",
    "Logic",
    "Member",
    "Name",
    "Node",
    "Not",
    "Number",
    "Unary",
    "children",
    "dotted_name",
    "parse_expression",
    "parse_list",
    "print_expression",
    "translate_expression",
    "walk",
]
