"""Motions whose rows stand in a file: they are read as if the rows stood in the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sistel.errors import Diagnostics, Span, Text, did_you_mean, one_of
from sistel.markup import Attribute, Document, Node

MotionLoader = Callable[[str, str | None, Span], Document | None]
"""Reads a table of motion of a file, and of a sheet in it; reports its own problems and returns None after one."""

_OWN = ("file", "sheet", "columns", "of")


def with_rows(node: Node, owner: str | None, loader: MotionLoader, diagnostics: Diagnostics) -> Node | None:
    """A motion with the rows of its file; itself where it names none; None after an error.

    Args:
        node: The motion.
        owner: Name of the body that it stands in, as the file calls it.
        loader: Reads the file.
        diagnostics: Takes what is wrong.
    """
    path = node.text("file")
    if path is None:
        if "file" in node.failed:
            return None
        idle = next((key for key in ("sheet", "columns") if key in node.attributes), None)
        if idle is not None:
            said = Text("this goes with a file", "это бывает только с файлом")
            diagnostics.error("no-table", node.at(idle), said, expected=Text("file", "файл"))
            return None
        return node
    own = next(iter(node.of("row")), None)
    if own is not None or "value" in node.attributes:
        diagnostics.error(
            "two-sources",
            own.span if own is not None else node.at("value"),
            Text("the rows come from a file", "строки берутся из файла"),
            expected=Text("either file= or rows or value=", "либо файл=, либо строки, либо значение="),
        )
        return None
    document = loader(path, node.text("sheet"), node.at("file"))
    inner = None if document is None else next(iter(document.root.of("motion")), None)
    if inner is None:
        return None
    chosen = _columns(node, inner, owner, diagnostics)
    if chosen is None:
        return None
    made = replace(node, attributes={k: v for k, v in node.attributes.items() if k not in _OWN}, children=[])
    of = inner.attributes["of"]
    if "columns" not in node.attributes:
        names = inner.names("of")
        parts = tuple(of.parts[place] for place in chosen)
        made.attributes["of"] = replace(of, value=tuple(names[place] for place in chosen), parts=parts)
    elif "of" in node.attributes:
        made.attributes["of"] = node.attributes["of"]
    for row in inner.of("row"):
        attribute = row.attributes["values"]
        assert isinstance(attribute.value, tuple)
        values = tuple(attribute.value[place] for place in chosen)
        made.children.append(replace(row, attributes={**row.attributes, "values": _with(attribute, values)}))
    return made


def _with(attribute: Attribute, values: tuple[object, ...]) -> Attribute:
    return replace(attribute, value=values)  # type: ignore[arg-type]


def _columns(node: Node, inner: Node, owner: str | None, diagnostics: Diagnostics) -> list[int] | None:
    """Which columns of a table are asked for, in which order."""
    known = inner.names("of")
    if not known:
        said = Text("the table has a time and nothing that moves", "в таблице есть время, но нет того, что движется")
        diagnostics.error("no-column", inner.span, said)
        return None
    given = node.text("columns")
    if given is not None:
        wanted = [name.strip() for name in given.split(",")]
        if "of" not in node.attributes and owner is None:
            diagnostics.error(
                "missing-attribute",
                node.at("columns"),
                Text("the motion does not say what moves", "движение не говорит, что движется"),
                expected=Text("of", "чего"),
            )
            return None
    elif "of" in node.attributes:
        wanted = list(node.names("of"))
    elif owner is not None:
        wanted = [owner]
    else:
        return list(range(len(known)))
    chosen: list[int] = []
    missing = [name for name in wanted if not _named(name, known, chosen)]
    if missing:
        diagnostics.error(
            "no-column",
            node.at("columns" if given is not None else "of"),
            Text(
                f'the table has no column "{missing[0]}"',
                f"в таблице нет столбца «{missing[0]}»",
            ),
            expected=one_of(known),
            hint=did_you_mean(missing[0], known)
            or Text(
                "columns= names the columns of the table, where they are not called as coordinates are",
                "столбцы= называет столбцы таблицы, если они названы не как координаты",
            ),
            related=[(inner.span, Text("the table is here", "таблица здесь"))],
        )
        return None
    return chosen


def _named(name: str, known: tuple[str, ...], chosen: list[int]) -> bool:
    """Whether a table has a column of a name, or some of the coordinates of a joint of that name; they are chosen."""
    found = [place for place, each in enumerate(known) if each == name]
    found = found or [place for place, each in enumerate(known) if each.startswith(name + ".")]
    chosen += found
    return bool(found)
