"""The one table of XsysTel, and what is made of it: XSD, reference page, completions."""

from sistel.markup.schema._choices import (
    BLOCK_KINDS,
    CLASSES,
    FRICTIONS,
    IMPACTS,
    INPUT_KINDS,
    JOINTS,
    SENSOR_KINDS,
)
from sistel.markup.schema._kinds import (
    MEASURES,
    THINGS,
    AttributeSpec,
    CoordinateNumbers,
    ElementSpec,
    FilePath,
    Formula,
    Keyword,
    Measure,
    NewName,
    Numbers,
    Reference,
    Size,
)
from sistel.markup.schema._rows import ShapeKind
from sistel.markup.schema._system import SYSTEM
from sistel.markup.schema._table import ELEMENT_BY_KEY, ELEMENT_BY_WORD, ELEMENTS, VERSION

__all__ = [
    "BLOCK_KINDS",
    "CLASSES",
    "ELEMENTS",
    "ELEMENT_BY_KEY",
    "ELEMENT_BY_WORD",
    "FRICTIONS",
    "IMPACTS",
    "INPUT_KINDS",
    "JOINTS",
    "MEASURES",
    "SENSOR_KINDS",
    "SYSTEM",
    "THINGS",
    "VERSION",
    "AttributeSpec",
    "CoordinateNumbers",
    "ElementSpec",
    "FilePath",
    "Formula",
    "Keyword",
    "Measure",
    "NewName",
    "Numbers",
    "Reference",
    "ShapeKind",
    "Size",
]
