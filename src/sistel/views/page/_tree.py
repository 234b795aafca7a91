"""The system itself for a page: the tree of bodies, structures and transitions, parameters, facts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from sistel.errors import Language, Text
from sistel.units import ANGLE, LENGTH, spell_unit, unit_of
from sistel.views._model_data import ParameterShown, Table, TreeBody, TreeData, TreeStructure, TreeTransition
from sistel.views._page_words import Said
from sistel.views.graph._svg import draw_structures
from sistel.views.page._said import BOTH, said, spoken
from sistel.views.text import _tables
from sistel.views.text._numbers import limits, quantity, short, symbol, unit, vector
from sistel.views.text._rows import BodyRow, ParameterRow, Summary
from sistel.views.text._summary import summarize

if TYPE_CHECKING:
    from sistel.model import Model, Parameter

BLOCK: Final = "model"
"""Id of the block in the page."""
MOST_BODIES: Final = 600
"""Bodies that are listed."""
MOST_ROWS: Final = 200
"""Rows of a table."""
MOST_STRUCTURES: Final = 24
"""Structures that are drawn as a graph."""


def tree_of(model: Model) -> tuple[TreeData, str]:
    """What a page tells of the system itself, in both languages.

    Returns:
        What the payload says of it, and the text of the block "model": the graph of structures as SVG, by language.
    """
    summaries: dict[Language, Summary] = {lang: summarize(model, lang) for lang in BOTH}
    en, ru = summaries["en"], summaries["ru"]

    def both(write: Callable[[Summary, Language], str]) -> Said:
        return said(Text(write(en, "en"), write(ru, "ru")))

    facts = zip(_tables.facts(en, "en"), _tables.facts(ru, "ru"), strict=True)
    data: TreeData = {
        "id": BLOCK,
        "about": en.about,
        "class": en.structure_class,
        "classSaid": both(lambda summary, _: summary.class_words),
        "facts": [
            {"word": said(Text(a[0].removesuffix(" ="), b[0].removesuffix(" ="))), "value": said(Text(a[1], b[1]))}
            for a, b in facts
        ],
        "others": both(_tables.others),
        "ground": both(lambda _, lang: _tables.ground(lang)),
        "bases": _tables.base_list(en, MOST_BODIES),
        "bodies": [_body(*rows) for rows in zip(en.bodies[:MOST_BODIES], ru.bodies, strict=False)],
        "hidden": max(0, len(en.bodies) - MOST_BODIES),
        "declared": en.declared,
        "structures": _structures(en, ru),
        "transitions": _transitions(en, ru),
        "tables": {lang: _tables_of(summary, lang) for lang, summary in summaries.items()},
        "graph": False,
    }
    graphs: dict[str, str] = {}
    if en.declared and (len(en.structures) > 1 or en.transitions) and len(en.structures) <= MOST_STRUCTURES:
        graphs = {lang: _graph(draw_structures(model, lang), lang) for lang in BOTH}
        data["graph"] = True
    return data, json.dumps(graphs, ensure_ascii=False)


def parameters_of(model: Model) -> list[ParameterShown]:
    """The parameters of a system: values in SI, and how people read and write them."""
    rows = zip(summarize(model, "en").parameters, summarize(model, "ru").parameters, strict=True)
    written = {parameter.name: parameter for parameter in model.parameters}
    made: list[ParameterShown] = []
    for en, ru in rows:
        scale, word = _written(written.get(en.name)) or _scale(en)
        made.append(
            {
                "name": en.name,
                "value": en.value if math.isfinite(en.value) else None,
                "unit": said(Text(_symbol(en, "en"), _symbol(ru, "ru"))),
                "shown": spoken(partial(quantity, en.value, en.dimension)),
                "range": said(Text(_tables._range(en, "en"), _tables._range(ru, "ru"))),
                "about": en.about,
                "min": en.minimum,
                "max": en.maximum,
                "scale": scale,
                "shownUnit": said(word) if word is not None else said(Text(_symbol(en, "en"), _symbol(ru, "ru"))),
            }
        )
    return made


_VALUE: Final = re.compile(
    r"""\b(?:value|значение)\s*=\s*(["'])\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*([^"'\d\s][^"']*?)\s*\1"""
)
_UNIT: Final = re.compile(r"""\b(?:unit|единица)\s*=\s*(["'])\s*([^"']+?)\s*\1""")


def _written(row: Parameter | None) -> tuple[float, Text] | None:
    """Factor and word of the unit that its author wrote, where the value is a number with a unit."""
    found = None if row is None else _VALUE.search(row.span.text) or _UNIT.search(row.span.text)
    own = unit_of(found[2]) if found else None
    if row is None or found is None or own is None or own.dimension != row.dimension:
        return None
    return own.from_si(1.0), Text(*(spell_unit(found[2], lang) for lang in ("en", "ru")))


def _scale(row: ParameterRow) -> tuple[float, Text | None]:
    """Factor and word of the unit that people expect."""
    if row.dimension == LENGTH:
        return 1000.0, Text(unit("mm", "en"), unit("mm", "ru"))
    if row.dimension == ANGLE:
        return 180.0 / math.pi, Text("°", "°")
    return 1.0, None


def _symbol(row: ParameterRow, lang: Language) -> str:
    return "" if row.dimension.plain else symbol(row.dimension, lang)


def _body(en: BodyRow, ru: BodyRow) -> TreeBody:
    """A body: its joint, and what is known of it, in a few words each."""

    def details(row: BodyRow, lang: Language) -> list[tuple[str, str]]:
        def say(english: str, russian: str) -> str:
            return russian if lang == "ru" else english

        mm, kg = unit("mm", lang), unit("kg", lang)
        found = [(say("place", "место"), f"{vector(row.place)} {mm}")]
        if any(row.turn):
            degrees = ", ".join(short(round(math.degrees(angle), 5), 6) for angle in row.turn)
            found.append((say("turn", "поворот"), f"{degrees}°"))
        for each in row.coordinates:
            span = limits(each.minimum, each.maximum, each.kind, lang)
            if span:
                found.append((each.name or say("limits", "пределы"), span))
        if row.mass:
            found.append((say("mass", "масса"), f"{short(row.mass)} {kg}"))
            if any(row.com):
                found.append((say("centre of mass", "центр масс"), f"{vector(row.com)} {mm}"))
        if any(row.inertia):
            square = f"{kg}·{unit('m', lang)}²"
            found.append((say("inertia", "инерция"), f"{', '.join(short(i, 4) for i in row.inertia)} {square}"))
        return found

    pairs = zip(details(en, "en"), details(ru, "ru"), strict=True)
    return {
        "number": en.number,
        "name": en.name,
        "base": en.base,
        "joint": spoken(lambda lang: _tables.joint_words(en.joint, en.axis, lang)),
        "jointName": "" if en.joint_name == en.name else en.joint_name,
        "mass": spoken(lambda lang: f"{short(en.mass, 4)} {unit('kg', lang)}") if en.mass else "",
        "details": [{"word": said(Text(a[0], b[0])), "value": said(Text(a[1], b[1]))} for a, b in pairs],
    }


def _structures(en: Summary, ru: Summary) -> list[TreeStructure]:
    return [
        {
            "name": a.name,
            "initial": a.initial,
            "class": a.structure_class,
            "dof": a.dof,
            "holds": list(a.holds),
            "changes": said(
                Text(
                    "; ".join(_tables.change_words(change, "en") for change in a.changes),
                    "; ".join(_tables.change_words(change, "ru") for change in b.changes),
                )
            ),
            "whyNot": said(Text("; ".join(a.why_not), "; ".join(b.why_not))),
        }
        for a, b in zip(en.structures[:MOST_ROWS], ru.structures, strict=False)
    ]


def _transitions(en: Summary, ru: Summary) -> list[TreeTransition]:
    made: list[TreeTransition] = []
    for a, b in zip(en.transitions[:MOST_ROWS], ru.transitions, strict=False):
        impact: Said = ""
        if a.impact != "none":
            impact = spoken(partial(_tables.impact_words, a.impact, a.restitution))
        made.append(
            {
                "name": a.name,
                "sources": list(a.sources),
                "target": a.target,
                "condition": said(Text(a.condition, b.condition)),
                "impact": impact,
                "resets": said(Text("; ".join(a.resets), "; ".join(b.resets))),
            }
        )
    return made


def _tables_of(summary: Summary, lang: Language) -> list[Table]:
    """Tables of links, motors and the start."""
    tables = (
        _tables.link_table(summary, summary.links, lang, MOST_ROWS),
        _tables.motor_table(summary.motors, lang, MOST_ROWS),
        _tables.start_table(summary, lang, MOST_ROWS),
    )
    return [
        {
            "title": table.title,
            "columns": [
                {"title": column.title, "right": column.align == "right", "keep": column.keep}
                for column in table.columns
            ],
            "rows": [list(row) for row in table.rows],
            "total": table.total,
        }
        for table in tables
        if table.rows
    ]


def _graph(drawing: str, lang: Language) -> str:
    """A picture for the inside of a page: its marks have names of their own, its colours are those of the page."""
    plain = re.sub(r"<style>.*?</style>", "", str(drawing), flags=re.DOTALL)
    return plain.replace('id="sistel-', f'id="model-{lang}-').replace("url(#sistel-", f"url(#model-{lang}-")
