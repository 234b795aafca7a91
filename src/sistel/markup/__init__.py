"""Texts that describe systems, read into documents that keep the place of every word."""

from sistel.markup._document import Attribute, Document, Node, OpenAttribute, make_node, si
from sistel.markup._files import (
    include,
    read_any,
    read_from_tree,
    read_plain,
    read_source,
    read_tree,
    read_xsystel,
    resolve_mesh,
    write_any,
    write_bytes,
    write_text,
)
from sistel.markup._losses import Loss, Losses
from sistel.markup._reader import LONGEST_NAME, read_document
from sistel.markup._translate import translate
from sistel.markup._writer import write_document
from sistel.markup.expressions import (
    Binary,
    Call,
    Compare,
    Crossing,
    Logic,
    Member,
    Name,
    Not,
    Number,
    Unary,
    dotted_name,
    parse_expression,
    parse_list,
    print_expression,
    translate_expression,
)
from sistel.markup.expressions import Node as Expression
from sistel.markup.expressions import walk as walk_expression
from sistel.markup.schema import MEASURES, CoordinateNumbers, Formula, Measure, Numbers, Size
from sistel.markup.schema import VERSION as SCHEMA_VERSION

__all__ = [
    "LONGEST_NAME",
    "MEASURES",
    "SCHEMA_VERSION",
    "Attribute",
    "Binary",
    "Call",
    "Compare",
    "CoordinateNumbers",
    "Crossing",
    "Document",
    "Expression",
    "Formula",
    "Logic",
    "Loss",
    "Losses",
    "Measure",
    "Member",
    "Name",
    "Node",
    "Not",
    "Number",
    "Numbers",
    "OpenAttribute",
    "Size",
    "Unary",
    "dotted_name",
    "include",
    "make_node",
    "parse_expression",
    "parse_list",
    "print_expression",
    "read_any",
    "read_document",
    "read_from_tree",
    "read_plain",
    "read_source",
    "read_tree",
    "read_xsystel",
    "resolve_mesh",
    "si",
    "translate",
    "translate_expression",
    "walk_expression",
    "write_any",
    "write_bytes",
    "write_document",
    "write_text",
]
