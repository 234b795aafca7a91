"""What pages are told of equations, of the tree and of tables, as types: see `_page_data`."""

from __future__ import annotations

from typing import TypedDict

from sistel.errors import Language
from sistel.views._page_words import Said, Words


class Cost(TypedDict):
    """What one evaluation of a quantity takes."""

    name: Said
    sign: str
    count: Said


class EquationsData(TypedDict):
    """Equations: where they are not shown, `note` says how to get them."""

    id: str
    shown: bool
    counts: list[Cost]
    note: Said | None
    others: Said | None


class EquationSymbol(TypedDict):
    """A symbol: its formula by number, what it is."""

    sign: int
    about: Said
    value: str
    unit: Said


class EquationSection(TypedDict):
    """A part of the equations: formulas by number, with headings before some of them."""

    key: str
    title: Said
    about: Said
    heads: dict[str, Said]
    rows: list[int]


class EquationStructure(TypedDict):
    """The equations of a structure."""

    name: Said
    dof: int
    holds: list[str]
    heroes: list[int]
    notes: list[Said]
    symbols: list[EquationSymbol]
    sections: list[EquationSection]


class EquationsBlock(TypedDict):
    """The block of equations: every formula once, as MathML."""

    structures: list[EquationStructure]
    formulas: list[str]


class Fact(TypedDict):
    """A word and a value."""

    word: Said
    value: Said


class TreeBody(TypedDict):
    """A body in the tree, and what is known of it."""

    number: int
    name: str
    base: int
    joint: Said
    jointName: str
    mass: Said
    details: list[Fact]


TreeStructure = TypedDict(
    "TreeStructure",
    {
        "name": str,
        "initial": bool,
        "class": str,
        "dof": int,
        "holds": list[str],
        "changes": Said,
        "whyNot": Said,
    },
)


class TreeTransition(TypedDict):
    """A transition in words."""

    name: str
    sources: list[str]
    target: str
    condition: Said
    impact: Said
    resets: Said


class TableColumn(TypedDict):
    """A column of a table: aligned to the right, or kept in one line."""

    title: str
    right: bool
    keep: bool


class Table(TypedDict):
    """A table, of which the first rows are here."""

    title: str
    columns: list[TableColumn]
    rows: list[list[str]]
    total: int


TreeData = TypedDict(
    "TreeData",
    {
        "id": str,
        "about": str,
        "class": str,
        "classSaid": Said,
        "facts": list[Fact],
        "others": Said,
        "ground": Said,
        "bases": str,
        "bodies": list[TreeBody],
        "hidden": int,
        "declared": bool,
        "structures": list[TreeStructure],
        "transitions": list[TreeTransition],
        "tables": dict[Language, list[Table]],
        "graph": bool,
    },
)


class ParameterShown(TypedDict):
    """A parameter as people read it; `scale` makes what is shown of SI."""

    name: str
    value: float | None
    unit: Said
    shown: Said
    range: Said
    about: str
    min: float | None
    max: float | None
    scale: float
    shownUnit: Said


class ParameterRow(ParameterShown):
    """The same, with what the live motion knows of it: between which values a slider goes."""

    live: bool
    low: float | None
    high: float | None
    refused: Words | None
