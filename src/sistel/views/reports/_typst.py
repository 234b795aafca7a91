"""A report in the language of Typst, and as PDF by its compiler, where that is installed.

Texts of the user stand in strings alone, so that nothing in them is read as markup. Fonts are those that Typst brings,
which have Cyrillic letters and Greek ones; other scripts are taken from what is installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sistel.errors import Text, refuse
from sistel.look import colour
from sistel.views.reports import _document as document
from sistel.views.reports._formulas import string, typst_math
from sistel.views.reports._layout import Part, divided, figure_size, formula_size, has_contents

SIZE: Final = 10.0
"""Of letters [pt]."""
TALL: Final = 100.0
"""Figures that are taller go to the foot of the page, or of the next one: text goes on above them [mm]."""

_TINTS: Final = ("ink", "dim", "edge", "line", "accent", "good", "bad", "warn")
INSET = 1.25
"""Above and below the words of a cell [mm]."""
_STYLE = (
    "".join(f'#let {"line-colour" if name == "line" else name} = rgb("{colour(name)}")\n' for name in _TINTS)
    + """\
#set text(font: ("Libertinus Serif",), size: 10pt, fill: ink, number-width: "tabular")
#set text(lang: LANG, hyphenate: true, overhang: false)
#set par(justify: true, leading: 0.62em, spacing: 0.9em)
#show raw: set text(font: ("DejaVu Sans Mono",))
#set heading(outlined: true)
#show heading.where(level: 1): it => block(above: 1.9em, below: 0.9em, sticky: true,
  text(size: 14pt, weight: "bold", hyphenate: false, it.body))
#show heading.where(level: 2): it => block(above: 1.6em, below: 0.8em, sticky: true,
  text(size: 11.5pt, weight: "bold", hyphenate: false, it.body))
#set math.mat(row-gap: 0.45em, column-gap: 1em)
#set table.cell(breakable: false)
#let caption(words) = block(above: 1.3em, below: 0.6em, sticky: true, width: 100%,
  par(justify: false, text(size: 9pt, fill: dim, words)))
#let note(tint, words) = block(above: 0.8em, below: 0.8em, inset: (left: 8pt, y: 2pt), stroke: (left: 2pt + tint),
  par(justify: false, text(fill: tint, words)))
"""
)


def pdf(report: document.Report) -> bytes:
    """The pages of a report.

    Raises:
        SistelError: Typst is not installed.
    """
    require_typst()
    import typst

    # No date and no folder: the same report gives the same bytes.
    made = typst.compile(typst_text(report).encode(), timestamp=0)
    assert isinstance(made, bytes)
    return made


def require_typst() -> None:
    """Say how to get Typst where it is missing.

    Raises:
        SistelError: It is.
    """
    try:
        import typst  # noqa: F401
    except ImportError:
        refuse(
            "no-typst",
            Text("reports as PDF are set by Typst, which is not installed", "отчёты PDF верстает Typst, а его нет"),
            expected=Text(
                "pip install 'sistel[reports]': one package of 35 MB, without programs beside it",
                "pip install 'sistel[reports]': один пакет на 35 МБ, других программ не нужно",
            ),
            hint=Text(
                "a report .fo is always written, and Apache FOP makes a PDF of it; a report .print.html is printed by "
                "any browser",
                "отчёт .fo записывается всегда, PDF из него делает Apache FOP; отчёт .print.html печатает любой "
                "браузер",
            ),
        )


def typst_text(report: document.Report) -> str:
    """The source of a report."""
    return "\n".join(_parts(report))


def _parts(report: document.Report) -> Iterator[str]:
    title = string(report.title)
    page, of = ("страница", "из") if report.lang == "ru" else ("page", "of")
    yield f"#set document(title: {title}, date: none)"
    yield _STYLE.replace("LANG", string(report.lang))
    yield (
        '#set page(paper: "a4", margin: (x: 20mm, top: 25mm, bottom: 25mm), header-ascent: 8mm, footer-descent: 8mm,\n'
        "  header: context if counter(page).get().first() > 1 {\n"
        "    set text(size: 8.5pt, fill: dim, hyphenate: false)\n"
        f"    grid(columns: (1fr, auto), column-gutter: 8mm, {_short(report.title)}, {string(report.kind)})\n"
        "    v(-2mm)\n    line(length: 100%, stroke: 0.5pt + line-colour)\n  },\n"
        "  footer: context {\n    set text(size: 8.5pt, fill: dim)\n"
        f"    grid(columns: (1fr, auto), {string(report.made)}, [{page} #counter(page).display() {of} "
        "#counter(page).final().first()])\n  })"
    )
    yield f'#text(size: 9.5pt, fill: accent, weight: "semibold", tracking: 0.04em, {string(report.kind)})'
    yield (
        f"#block(above: 0.8em, below: 1.1em, par(justify: false, leading: 0.4em, "
        f'text(size: 21pt, weight: "bold", hyphenate: false, {title})))'
    )
    if report.about:
        yield f'#block(below: 0.8em, text(style: "italic", {string(report.about)}))'
    yield "#v(0.6mm)"
    yield _facts(report.facts)
    yield "#v(1mm)\n#line(length: 100%, stroke: 0.7pt + edge)"
    if has_contents(report):
        name = string("Содержание" if report.lang == "ru" else "Contents")
        yield (
            f'#outline(title: text(size: 12pt, weight: "bold", {name}), indent: 1.2em, depth: 2)\n'
            "#v(2mm)\n#line(length: 100%, stroke: 0.7pt + edge)"
        )
    low, before = False, None
    for block, following in zip(report.blocks, (*report.blocks[1:], None), strict=True):
        if isinstance(block, document.Figure):
            # Figures keep their order: what comes right after one at the foot of a page goes there too.
            low = _tall(block) or (low and isinstance(before, document.Figure))
            yield _figure(block, low)
        else:
            leads = isinstance(block, document.Paragraph) and isinstance(
                following, document.Formula | document.ReportTable
            )
            # A sentence about a formula or a table does not stay behind on the page before.
            yield from (f"#block(sticky: true, {part[1:]})" if leads else part for part in _block(block, report))
        before = block


def _short(text: str) -> str:
    return string(text if len(text) <= 70 else text[:69] + "…")


def _facts(pairs: Iterable[tuple[str, str]]) -> str:
    rows = ", ".join(f"text(fill: dim, {string(word)}), {string(value)}" for word, value in pairs)
    return f"#grid(columns: (auto, 1fr), column-gutter: 6mm, row-gutter: 2mm, {rows})" if rows else ""


def _block(block: document.Block, report: document.Report) -> Iterator[str]:
    match block:
        case document.Heading(text=text, level=level, apart=apart):
            if apart:
                yield "#place.flush()\n#pagebreak(weak: true)"
            yield f"#heading(level: {level}, {string(text)})"
        case document.Paragraph(text=text, tone=tone):
            yield _paragraph(string(text), tone)
        case document.Facts(pairs=pairs):
            yield f"#block({_facts(pairs)[1:]})"
        case document.Formula():
            yield _formula(block, report)
        case document.ReportTable():
            yield from _table(block, report)


def _paragraph(text: str, tone: str) -> str:
    if tone == "plain":
        return f"#par({text})"
    if tone == "dim":
        return f"#par(text(size: 9pt, fill: dim, {text}))"
    tint = {"good": "good", "bad": "bad", "note": "warn"}[tone]
    return f"#note({tint}, {text})"


def _tall(figure: document.Figure) -> bool:
    return figure_size(figure)[1] > TALL


def _figure(figure: document.Figure, low: bool) -> str:
    wide, high = figure_size(figure)
    body = (
        "block(breakable: false, above: 1.4em, below: 1.4em, width: 100%, align(center, {\n"
        f'  image(bytes({string(figure.svg)}), format: "svg", width: {wide:.2f}mm, height: {high:.2f}mm, '
        f"alt: {string(figure.caption)})\n"
        f"  par(justify: false, text(size: 9pt, fill: dim, {string(figure.caption)}))\n}}))"
    )
    return f"#place(bottom, float: true, clearance: 1.4em, {body})" if low else f"#place.flush()\n#{body}"


def _formula(formula: document.Formula, report: document.Report) -> str:
    lang = report.lang
    size = formula_size(formula, SIZE)
    if formula.matrix:
        rows = "; ".join(", ".join(typst_math(each, lang) for each in row) for row in formula.matrix)
        lines = [f"{typst_math(formula.head, lang)} mat({rows})"]
    else:
        head = typst_math(formula.head, lang) if formula.head else ""
        first, *rest = (typst_math(line, lang) for line in formula.lines)
        # The empty group makes a sign at the start of a line one between two terms.
        lines = [f"{head} & {first}", *(f'& quad "" {line}' for line in rest)]
    body = " \\\n".join(lines)
    inner = f"$display({body})$" if len(lines) == 1 else f"align(left, $ {body} $)"
    return f"#block(above: 0.9em, below: 0.9em, inset: (left: 5mm), text(size: {size:.2f}pt, {inner}))"


def _table(table: document.ReportTable, report: document.Report) -> Iterator[str]:
    parts = divided(table)
    for number, part in enumerate(parts, 1):
        again = ""
        if len(parts) > 1:
            again = f" ({number}/{len(parts)})"
        yield f"#caption({string(table.title + again)})"
        yield _part(table, part, report)


def _part(table: document.ReportTable, part: Part, report: document.Report) -> str:
    widths = ", ".join(f"{width:.2f}mm" for width in part.widths)
    kinds = [table.columns[i].kind for i in part.columns]
    low = " + bottom" if table.tall else ""
    align = ", ".join(("right" if kind == "numbers" else "left") + low for kind in kinds)
    heads = ", ".join(f"text(fill: dim, {string(table.columns[i].title)})" for i in part.columns)
    strut = f"box(width: 0pt, height: {table.tall - 2.0 * INSET:.2f}mm)" if table.tall else ""
    rows = ",\n".join(_row(row, table, part, strut, report) for row in table.rows)
    return (
        f"#block(above: 0.5em, below: 1.5em, {{\n"
        f"set text(size: {part.size:.1f}pt)\nset par(justify: false, leading: 0.45em)\n"
        f"table(columns: ({widths},), align: ({align},), inset: (x: 1.4mm, y: {INSET}mm), "
        "stroke: (x, y) => if y == 0 { (bottom: 0.8pt + edge) } else { (bottom: 0.4pt + line-colour) },\n"
        f"table.header({heads}),\n{rows})\n}})"
    )


def _row(
    row: Sequence[document.Cell], table: document.ReportTable, part: Part, strut: str, report: document.Report
) -> str:
    """Cells; the first holds up a row that is to be taller than its words."""
    first, *others = (_cell(row[i], table.columns[i].kind, report) for i in part.columns)
    return ", ".join([f"{{ {strut}; {first} }}" if strut else first, *others])


def _cell(cell: document.Cell, kind: str, report: document.Report) -> str:
    if isinstance(cell, document.Math):
        return f"${typst_math(cell.row, report.lang)}$"
    if kind == "code":
        return f'text(font: ("DejaVu Sans Mono",), size: 0.82em, hyphenate: false, {string(cell)})'
    return {"✓": 'text(fill: good, "✓")', "✗": 'text(fill: bad, "✗")'}.get(cell, string(cell))
