"""The nodes of X3D with their fields: types, and which way values go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

Field = tuple[str, str]
"""Type and access: in, out, both, or fixed."""

ACCESS = {"inputOutput": "both", "inputOnly": "in", "outputOnly": "out", "initializeOnly": "fixed"}
_SIGNS = {"<": "in", ">": "out", "=": "fixed"}
STATEMENTS = frozenset(
    (
        *("X3D", "head", "component", "unit", "meta", "Scene", "ROUTE", "IMPORT", "EXPORT", "IS", "connect"),
        *("ProtoDeclare", "ProtoInterface", "ProtoBody", "ProtoInstance", "ExternProtoDeclare", "field", "fieldValue"),
    )
)
"""Elements that are no nodes."""
COMMON = frozenset(("DEF", "USE", "IS", "containerField", "class", "id", "style"))
"""Attributes that every node may have."""
STATEMENT_WORDS = (
    *("profile", "version", "name", "type", "accessType", "value", "appinfo", "documentation", "url", "content"),
    *("fromNode", "fromField", "toNode", "toField", "nodeField", "protoField", "level", "category"),
    *("inlineDEF", "importedDEF", "AS", "localDEF", "conversionFactor"),
)
"""Attributes of statements."""
_SIZES = {
    "Vec2": 2,
    "Vec3": 3,
    "Vec4": 4,
    "Rotation": 4,
    "Color": 3,
    "ColorRGBA": 4,
    "Float": 1,
    "Double": 1,
    "Time": 1,
}
_MATRICES = {"Matrix3": 9, "Matrix4": 16}


@cache
def node_fields() -> Mapping[str, Mapping[str, Field]]:
    """The fields of every node: of X3D 4.0, and of what X_ITE adds."""
    table: dict[str, Mapping[str, Field]] = {}
    for line in files("sistel.views.x3d").joinpath("nodes.txt").read_text(encoding="utf-8").splitlines():
        name, *words = line.split()
        rows: dict[str, Field] = {}
        for word in words:
            field, _, kind = word.partition(":")
            sign = _SIGNS.get(field[0])
            rows[field if sign is None else field[1:]] = (kind, sign or "both")
        table[name] = rows
    return table


@cache
def spellings() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Names of elements and of attributes by their small letters: HTML does not tell letters from capitals."""
    fields = [field for fields in node_fields().values() for field in fields]
    elements, attributes = (*node_fields(), *STATEMENTS), (*fields, *COMMON, *STATEMENT_WORDS)
    return {word.lower(): word for word in elements}, {word.lower(): word for word in attributes}


def numbers_of(kind: str) -> tuple[int, bool] | None:
    """How many numbers a value of a type has, and whether it may have several times as many; None: no numbers."""
    several, plain = kind.startswith("MF"), kind[2:]
    if plain in ("Int32", "Bool"):
        return 1, several
    plain = plain if plain in _SIZES else plain.removesuffix("f").removesuffix("d")
    size = {**_SIZES, **_MATRICES}.get(plain)
    return None if size is None else (size, several)
