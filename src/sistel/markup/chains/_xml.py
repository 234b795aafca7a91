"""Tables of Denavit and Hartenberg as XML: a root `dh` with rows, whose attributes are the columns of the CSV."""

from __future__ import annotations

from sistel.errors import Diagnostics, Fragment, Text, one_of, word_hint
from sistel.markup._document import Document
from sistel.markup._losses import Losses
from sistel.markup.chains._document import table_document
from sistel.markup.chains._rows import SETTINGS, Reading, key_of
from sistel.markup.xml._element import Element

ROOTS = ("dh", "таблицаДХ")
_ROWS = ("row", "строка")


def table_from_tree(tree: Element, diagnostics: Diagnostics) -> tuple[Document | None, Losses]:
    """The document of a root element `dh`."""
    reading = Reading(diagnostics)
    for attribute in tree.attributes.values():
        word = "system" if attribute.name.casefold() in ("name", "имя") else attribute.name
        key = key_of(word, SETTINGS)
        if key is None:
            known = ["name", *(words[0] for words in SETTINGS.values() if words[0] != "system")]
            diagnostics.error(
                "unknown-attribute",
                attribute.name_span,
                Text(f'a table has no attribute "{attribute.name}"', f"у таблицы нет атрибута «{attribute.name}»"),
                expected=one_of(known),
                hint=word_hint(attribute.name, known),
            )
            continue
        value = attribute.value.strip()
        reading.set(key, _parts(value) if key in ("base", "tool") else [value], value.span())
    for element in tree.children:
        if element.name.casefold() not in _ROWS:
            diagnostics.error(
                "unknown-element",
                element.name_span,
                Text(f'a table has no element "{element.name}"', f"в таблице нет элемента «{element.name}»"),
                expected=Text(_ROWS[0], _ROWS[1]),
            )
            continue
        cells = {}
        for attribute in element.attributes.values():
            column = reading.column(Fragment(attribute.name, attribute.source, attribute.name_start))
            value = attribute.value.strip()
            if column is not None and value.text:
                cells[column] = value
        reading.row(cells, element.span)
    table = reading.table(None, tree.name_span)
    return (None, Losses()) if table is None else table_document(table, tree.source, diagnostics)


def _parts(value: Fragment) -> list[Fragment]:
    """The numbers of a list with commas."""
    made, start = [], 0
    for part in value.text.split(","):
        made.append(value.part(start, start + len(part)).strip())
        start += len(part) + 1
    return made
