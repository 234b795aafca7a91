"""Formulas as MathML, part by part: for pages that put them into a layout of their own."""

from sistel.formulas._formula import ZERO, Sym
from sistel.formulas._mathml import (
    NAMESPACE,
    MathmlSetter,
    RelationRows,
    general_rows,
    math,
    relation_math,
    relation_rows,
    set_sections,
)
from sistel.formulas._sections import Relation, Section, sections
from sistel.formulas._symbols import Symbol

__all__ = [
    "NAMESPACE",
    "ZERO",
    "MathmlSetter",
    "Relation",
    "RelationRows",
    "Section",
    "Sym",
    "Symbol",
    "general_rows",
    "math",
    "relation_math",
    "relation_rows",
    "sections",
    "set_sections",
]
