"""Expressions in attributes: words in both languages, units, a parser, a printer and a translator."""

from sistel.markup.expressions._parser import parse_expression, parse_list, translate_expression
from sistel.markup.expressions._syntax import (
    Binary,
    Call,
    Compare,
    Computed,
    Crossing,
    Effort,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Number,
    Reading,
    Unary,
    children,
    dotted_name,
    print_expression,
    walk,
)
from sistel.markup.expressions._words import is_report

__all__ = [
    "Binary",
    "Call",
    "Compare",
    "Computed",
    "Crossing",
    "Effort",
    "Logic",
    "Member",
    "Name",
    "Node",
    "Not",
    "Number",
    "Reading",
    "Unary",
    "children",
    "dotted_name",
    "is_report",
    "parse_expression",
    "parse_list",
    "print_expression",
    "translate_expression",
    "walk",
]
