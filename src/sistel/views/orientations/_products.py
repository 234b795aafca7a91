"""Tables of products: of all 24 codes, of the groups Gx, Gy, Gz, of cyclic subgroups H(ij)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from sistel.errors import Language, Text, refuse, user_language
from sistel.look import Theme, still_page
from sistel.pose import CODES, axial_group, class_of_axis, euler_parameters, say_code
from sistel.views._drawing import Drawing
from sistel.views.orientations._paint import GROUND, GROUNDS, document, text

SIDE = 33.0
"""Of a cell [px]."""
EDGE, TITLE, FOOT = 18.0, 34.0, 54.0

_KINDS = (
    Text("no turn", "тождественный"),
    Text("half turn about an axis", "пол-оборота вокруг оси"),
    Text("quarter turn about an axis", "четверть оборота вокруг оси"),
    Text("half turn about an edge line", "пол-оборота вокруг прямой через рёбра куба"),
    Text("third of a turn about a diagonal", "треть оборота вокруг диагонали"),
)
"""Classes of conjugate elements, in the order of their numbers."""


HEADING = Text("Products of axial orientations", "Произведения осевых ориентаций")


def kind_of(code: int) -> int:
    """The number of the class of an axial code: which turn of a cube it is."""
    *axis, angle = euler_parameters(code)
    directions = sum(1 for c in axis if c)
    if angle == 0:
        return 0
    if directions == 1:
        return 1 if angle == 180 else 2
    return 3 if directions == 2 else 4


def say_kind(code: int, lang: Language) -> str:
    """What sort of turn a code is."""
    return _KINDS[kind_of(code)].say(lang)


def group_members(name: str) -> tuple[int, ...]:
    """The codes of a group by its name, in the order in which its table has them.

    Args:
        name: Gx, Gy or Gz, or a cyclic subgroup such as H(15).

    Raises:
        SistelError: There is no such group.
    """
    plain = name.strip()
    if re.fullmatch(r"[GgГг][xyzхуXYZХУ]", plain):
        return class_of_axis({"х": "x", "у": "y"}.get(plain[1].lower(), plain[1].lower()))
    cyclic = re.fullmatch(r"[HhНн]\(?\s*(\d{1,3})\s*\)?", plain, re.ASCII)
    if not cyclic or int(cyclic.group(1)) not in CODES:
        shown = name if len(name) <= 40 else f"{name[:40]}…"
        refuse(
            "no-group",
            Text(f'there is no group "{shown}"', f"нет группы «{shown}»"),
            expected=Text("Gx, Gy, Gz, or H(ij) with a code ij: H(15)", "Gx, Gy, Gz или H(ij) с кодом ij: H(15)"),
        )
    return axial_group().powers(int(cyclic.group(1)))


def products(members: Sequence[int] = CODES) -> tuple[tuple[int, ...], ...]:
    """The table of products: rows for the first factor, columns for the second."""
    group = axial_group()
    return tuple(tuple(group.multiply(a, b) for b in members) for a in members)


def products_text(members: Sequence[int] = CODES) -> str:
    """The table of products for a terminal."""
    head = "  * │ " + " ".join(f"{code:2d}" for code in members)
    rule = "────┼─" + "───" * len(members)
    rows = [
        f" {first:2d} │ " + " ".join(f"{code:2d}" for code in row)
        for first, row in zip(members, products(members), strict=True)
    ]
    return "\n".join((head, rule.rstrip("─") + "─" * (3 * len(members)), *rows)) + "\n"


def products_html(members: Sequence[int] = CODES, lang: Language | None = None, *, title: str = "") -> str:
    """The table of products for a page: plain HTML, each product with what it is in words."""
    lang = lang or user_language()
    head = "".join(f'<th scope="col">{code}</th>' for code in members)
    rows = "".join(
        f'<tr><th scope="row">{first}</th>'
        + "".join(
            f'<td class="class{kind_of(code)}" title="{escape(say_code(code, lang))}">{code}</td>' for code in row
        )
        + "</tr>\n"
        for first, row in zip(members, products(members), strict=True)
    )
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return (
        f'<table class="sistel-products" lang="{lang}">{caption}<thead><tr><th>*</th>{head}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table>\n"
    )


def products_page(members: Sequence[int], lang: Language, *, title: str = "") -> str:
    """The table as a page of its own."""
    heading = escape(title or HEADING.say(lang))
    style = (
        ".sistel-products{width:auto;font-size:var(--t2)}.sistel-products caption{display:none}"
        ".sistel-products th,.sistel-products td{padding:4px 7px;text-align:center;border:1px solid var(--line)}"
        ".sistel-products thead th,.sistel-products tbody th{background:var(--plate);font-weight:600}"
        ".sheet{max-width:none}"
    ) + "".join(
        f".class{kind}{{background:color-mix(in srgb,var(--paper),var(--{token}) {GROUND:.0%})}}"
        for kind, token in enumerate(GROUNDS)
    )
    table = products_html(members, lang, title=title)
    return still_page(heading, style, lang, ['<div class="scroll">', table, "</div>"])


def draw_products(
    members: Sequence[int] = CODES, lang: Language | None = None, *, title: str = "", theme: Theme = "auto"
) -> Drawing:
    """The table of products as an SVG picture; its cells are tinted by what sort of turn the product is.

    Args:
        members: Codes that form a group, in the order in which they are to stand.
        lang: Language of the words; the user's unless told otherwise.
        title: What is written above; nothing special where it is empty.
        theme: Light, dark, or as the reader's screen.
    """
    lang = lang or user_language()
    title = title or HEADING.say(lang)
    table = products(members)
    kinds = sorted({kind_of(code) for row in table for code in row})
    note = Text(
        "Row first, then column about the axes that have turned along.",
        "Сначала строка, затем столбец — вокруг уже повернувшихся осей.",
    ).say(lang)
    few = len(members) < 12
    side = SIDE * (len(members) + 1)
    wide = 2 * EDGE + max(side, 440.0 if few else side)
    legend = 20.0 * (len(kinds) if few else (len(kinds) + 2) // 3)
    high = EDGE + TITLE + side + FOOT + legend - 14
    top = EDGE + TITLE
    parts = [text(title, EDGE, EDGE + 14, "title")]
    for i, code in enumerate(("*", *members)):
        parts.append(_cell("head", EDGE + i * SIDE, top, str(code), "dim"))
        if i:
            parts.append(_cell("head", EDGE, top + i * SIDE, str(code), "dim"))
    for i, row in enumerate(table):
        for j, code in enumerate(row):
            told = f"{members[i]} * {members[j]} = {code}: {say_code(code, lang)}"
            x, y = EDGE + (j + 1) * SIDE, top + (i + 1) * SIDE
            parts.append(_cell(f"cell class{kind_of(code)}", x, y, str(code), "", told))
    y = top + side + 22
    parts.append(text(note, EDGE, y, "dim"))
    for place, kind in enumerate(kinds):
        column, line = (0, place) if few else (place % 3, place // 3)
        x, below = EDGE + column * (side / 3), y + 12 + 20 * line
        parts.append(f'<rect class="cell class{kind}" x="{x:.1f}" y="{below:.1f}" width="14" height="14"/>')
        parts.append(text(_KINDS[kind].say(lang), x + 21, below + 11.5))
    return document(title, (wide, high), parts, lang=lang, theme=theme)


def _cell(style: str, x: float, y: float, words: str, classes: str, told: str = "") -> str:
    title = f"<title>{escape(told)}</title>" if told else ""
    shown = text(words, x + SIDE / 2, y + SIDE / 2 + 4.3, f"mono middle {classes}".rstrip())
    return f'<g>{title}<rect class="{style}" x="{x:g}" y="{y:g}" width="{SIDE:g}" height="{SIDE:g}"/>{shown}</g>'
