"""A report as XSL-FO 1.1, with pictures inside: Apache FOP and other formatters make pages of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from sistel.look import colour
from sistel.views.reports import _document as document
from sistel.views.reports._formulas import BOLD, fo_math
from sistel.views.reports._layout import Part, divided, figure_size, formula_size, has_contents, text_width

SIZE: Final = 10.0
"""Of letters [pt]."""
FONTS: Final = (
    "Libertinus Serif, Liberation Serif, DejaVu Serif Condensed, Times New Roman, DejaVu Serif, DejaVu Sans, serif"
)
"""Those first that are no wider than the layout takes them to be."""
NARROW: Final = 0.96
"""Of letters in tables: the fonts of formatters are a little wider than that of Typst."""
MARKS: Final = "DejaVu Sans, Segoe UI Symbol, Apple Symbols, sans-serif"
MONO: Final = "DejaVu Sans Mono, Liberation Mono, monospace"
SANS: Final = '"DejaVu Sans","Liberation Sans",sans-serif'
INK, DIM, EDGE, LINE, ACCENT = map(colour, ("ink", "dim", "edge", "line", "accent"))
TINTS: Final = {"good": colour("good"), "bad": colour("bad"), "note": colour("warn")}
LAST: Final = "last-page"
_POWER = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*[⁻⁰⁴⁵⁶⁷⁸⁹][⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")
_TAG = re.compile("<[^>]*>")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
_FAMILY = re.compile(r"font-family:[^;}]*")


def fo_text(report: document.Report) -> str:
    """The text of a report."""
    return "\n".join(_parts(report)) + "\n"


def _parts(report: document.Report) -> Iterator[str]:
    lang = report.lang
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format" xml:lang="{lang}" language="{lang}" '
        f'font-family="{FONTS}" font-size="{SIZE:g}pt" color="{INK}" line-height="1.35" '
        'font-selection-strategy="character-by-character">'
    )
    yield from _masters()
    heads = [(f"h{i}", block) for i, block in enumerate(report.blocks) if isinstance(block, document.Heading)]
    yield from _bookmarks(heads)
    yield '<fo:page-sequence master-reference="pages">'
    yield (
        f'<fo:static-content flow-name="head"><fo:block font-size="8.5pt" color="{DIM}" text-align-last="justify" '
        f'border-bottom="0.5pt solid {LINE}" padding-bottom="1.5mm">{_plain(_short(report.title))}'
        f'<fo:leader leader-pattern="space"/>{_plain(report.kind)}</fo:block></fo:static-content>'
    )
    page, of = ("страница", "из") if lang == "ru" else ("page", "of")
    for name in ("foot-first", "foot"):
        yield (
            f'<fo:static-content flow-name="{name}"><fo:block font-size="8.5pt" color="{DIM}" '
            f'text-align-last="justify">{_plain(report.made)}<fo:leader leader-pattern="space"/>{page} '
            f'<fo:page-number/> {of} <fo:page-number-citation ref-id="{LAST}"/></fo:block></fo:static-content>'
        )
    yield '<fo:flow flow-name="xsl-region-body">'
    yield from _title(report)
    if has_contents(report):
        yield from _contents(heads, report)
    for i, block in enumerate(report.blocks):
        leads = isinstance(block, document.Paragraph) and i + 1 < len(report.blocks)
        leads = leads and isinstance(report.blocks[i + 1], document.Formula | document.ReportTable)
        yield from _block(block, report, f"h{i}", leads)
    yield f'<fo:block id="{LAST}"/></fo:flow></fo:page-sequence></fo:root>'


def _masters() -> Iterator[str]:
    size = 'page-width="210mm" page-height="297mm" margin-left="20mm" margin-right="20mm"'
    body = '<fo:region-body margin-top="25mm" margin-bottom="25mm"/>'
    foot = 'extent="17mm" display-align="before"/>'
    yield "<fo:layout-master-set>"
    yield (
        f'<fo:simple-page-master master-name="first" {size}>{body}'
        f'<fo:region-after region-name="foot-first" {foot}</fo:simple-page-master>'
    )
    yield (
        f'<fo:simple-page-master master-name="rest" {size}>{body}'
        '<fo:region-before region-name="head" extent="19mm" display-align="after"/>'
        f'<fo:region-after region-name="foot" {foot}</fo:simple-page-master>'
    )
    yield (
        '<fo:page-sequence-master master-name="pages"><fo:repeatable-page-master-alternatives>'
        '<fo:conditional-page-master-reference master-reference="first" page-position="first"/>'
        '<fo:conditional-page-master-reference master-reference="rest" page-position="any"/>'
        "</fo:repeatable-page-master-alternatives></fo:page-sequence-master></fo:layout-master-set>"
    )


def _bookmarks(heads: Iterable[tuple[str, document.Heading]]) -> Iterator[str]:
    """Headings as a formatter shows them beside the pages."""
    made: list[str] = []
    for key, head in heads:
        if made and head.level == 1:
            made.append("</fo:bookmark>")
        title = f"<fo:bookmark-title>{_plain(head.text)}</fo:bookmark-title>"
        made.append(f'<fo:bookmark internal-destination="{key}">{title}')
        if head.level == 2:
            made.append("</fo:bookmark>")
    if made:
        yield f"<fo:bookmark-tree>{''.join(made)}</fo:bookmark></fo:bookmark-tree>"


def _title(report: document.Report) -> Iterator[str]:
    yield f'<fo:block font-size="9.5pt" color="{ACCENT}" font-weight="bold">{_plain(report.kind)}</fo:block>'
    yield (
        f'<fo:block font-size="21pt" font-weight="bold" line-height="1.15" space-before="1mm" space-after="2.5mm">'
        f"{_plain(report.title)}</fo:block>"
    )
    if report.about:
        yield f'<fo:block font-style="italic" space-after="2.5mm">{_plain(report.about)}</fo:block>'
    yield from _facts(report.facts)
    yield f'<fo:block border-bottom="0.7pt solid {EDGE}" space-after="4mm" font-size="2pt">&#160;</fo:block>'


def _contents(heads: Iterable[tuple[str, document.Heading]], report: document.Report) -> Iterator[str]:
    name = "Содержание" if report.lang == "ru" else "Contents"
    yield f'<fo:block font-size="12pt" font-weight="bold" space-after="2mm">{name}</fo:block>'
    for key, head in heads:
        indent = f"{5 * (head.level - 1)}mm"
        yield (
            f'<fo:block text-align-last="justify" start-indent="{indent}"><fo:basic-link internal-destination="{key}">'
            f'{_plain(head.text)}<fo:leader leader-pattern="dots"/><fo:page-number-citation ref-id="{key}"/>'
            "</fo:basic-link></fo:block>"
        )
    yield f'<fo:block border-bottom="0.7pt solid {EDGE}" space-after="4mm" font-size="4pt">&#160;</fo:block>'


def _facts(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    rows = "".join(
        f'<fo:table-row><fo:table-cell><fo:block color="{DIM}">{_plain(word)}</fo:block></fo:table-cell>'
        f"<fo:table-cell><fo:block>{_plain(value)}</fo:block></fo:table-cell></fo:table-row>"
        for word, value in pairs
    )
    if rows:
        yield (
            f'<fo:table table-layout="fixed" width="{document.WIDTH:g}mm"><fo:table-column column-width="48mm"/>'
            f'<fo:table-column column-width="{document.WIDTH - 48:g}mm"/>'
            f"<fo:table-body>{rows}</fo:table-body></fo:table>"
        )


def _block(block: document.Block, report: document.Report, key: str, leads: bool) -> Iterator[str]:
    match block:
        case document.Heading(text=text, level=level, apart=apart):
            page = ' break-before="page"' if apart else ""
            size, above = ("14pt", "8mm") if level == 1 else ("11.5pt", "6mm")
            yield (
                f'<fo:block id="{key}" font-size="{size}" font-weight="bold" space-before="{above}" space-after="3mm" '
                f'keep-with-next.within-page="always"{page}>{_plain(text)}</fo:block>'
            )
        case document.Paragraph(text=text, tone=tone):
            yield _paragraph(text, tone, leads)
        case document.Facts(pairs=pairs):
            yield from _facts(pairs)
        case document.Figure():
            yield _figure(block)
        case document.Formula():
            yield from _formula(block, report)
        case document.ReportTable():
            yield from _table(block, report)


def _paragraph(text: str, tone: str, leads: bool) -> str:
    keep = ' keep-with-next.within-page="always"' if leads else ""
    space = f'space-before="1.5mm" space-after="1.5mm"{keep}'
    if tone in TINTS:
        tint = TINTS[tone]
        return (
            f'<fo:block {space} start-indent="3mm" border-left="2pt solid {tint}" padding-left="2mm" color="{tint}">'
            f"{_plain(text)}</fo:block>"
        )
    look = f'font-size="9pt" color="{DIM}" ' if tone == "dim" else ""
    return f'<fo:block {look}{space} text-align="justify" hyphenate="true">{_plain(text)}</fo:block>'


def _figure(figure: document.Figure) -> str:
    wide, high = figure_size(figure)
    # Fonts of screens have other names than those of formatters; readers of screens are told what a figure is above it.
    svg = _FAMILY.sub(f"font-family:{SANS}", figure.svg)
    return (
        '<fo:block text-align="center" space-before="4mm" space-after="4mm" keep-together.within-page="always">'
        f'<fo:block line-height="1"><fo:instream-foreign-object width="{wide:.2f}mm" height="{high:.2f}mm" '
        f'content-width="scale-to-fit" content-height="scale-to-fit">{svg}</fo:instream-foreign-object></fo:block>'
        f'<fo:block font-size="9pt" color="{DIM}" space-before="1.5mm">{_plain(figure.caption)}</fo:block></fo:block>'
    )


def _formula(formula: document.Formula, report: document.Report) -> Iterator[str]:
    lang = report.lang
    head = fo_math(formula.head, lang) if formula.head else ""
    if formula.matrix:
        yield from _matrix(formula, head, report)
        return
    for index, line in enumerate(formula.lines):
        indent = "5mm" if index == 0 else "12mm"
        keep = ' keep-with-next.within-page="always"' if index + 1 < len(formula.lines) else ""
        yield (
            f'<fo:block start-indent="{indent}" text-align="start" space-before="{1.5 if index == 0 else 0:g}mm"{keep}>'
            f"{'' if index else head}{fo_math(line, lang)}</fo:block>"
        )


def _matrix(formula: document.Formula, head: str, report: document.Report) -> Iterator[str]:
    """A matrix as a table between two lines."""
    size = formula_size(formula, SIZE)
    yield f'<fo:block start-indent="5mm" space-before="1.5mm" keep-with-next.within-page="always">{head}</fo:block>'
    # Columns share the width as their longest cells need it.
    lists = list(zip(*formula.matrix, strict=True))
    needed = [max(text_width(_TAG.sub("", each), size) for each in column) for column in lists]
    shares = [(document.WIDTH - 20.0) * (need + 4.0) / (sum(needed) + 4.0 * len(needed)) for need in needed]
    columns = "".join(f'<fo:table-column column-width="{share:.2f}mm"/>' for share in shares)
    rows = []
    for row in formula.matrix:
        cells = "".join(
            f'<fo:table-cell padding="0.8mm" start-indent="0mm"><fo:block text-align="center">'
            f"{fo_math(each, report.lang)}</fo:block></fo:table-cell>"
            for each in row
        )
        rows.append(f"<fo:table-row>{cells}</fo:table-row>")
    edge = f'border-left="0.8pt solid {INK}" border-right="0.8pt solid {INK}"'
    yield (
        f'<fo:table table-layout="fixed" width="{document.WIDTH - 20:g}mm" margin-left="10mm" '
        f'font-size="{size:.2f}pt" {edge} keep-together.within-page="always">{columns}'
        f'<fo:table-body start-indent="0mm">{"".join(rows)}</fo:table-body>'
        "</fo:table>"
    )


def _table(table: document.ReportTable, report: document.Report) -> Iterator[str]:
    parts = divided(table)
    for number, part in enumerate(parts, 1):
        again = f" ({number}/{len(parts)})" if len(parts) > 1 else ""
        yield (
            f'<fo:block font-size="9pt" color="{DIM}" space-before="4mm" space-after="1.5mm" '
            f'keep-with-next.within-page="always">{_plain(table.title + again)}</fo:block>'
        )
        yield _part(table, part, report)


def _part(table: document.ReportTable, part: Part, report: document.Report) -> str:
    columns = "".join(f'<fo:table-column column-width="{width:.2f}mm"/>' for width in part.widths)
    aligned = ["end" if table.columns[i].kind == "numbers" else "start" for i in part.columns]
    heads = "".join(
        f'<fo:table-cell padding="1mm 1.3mm" border-bottom="0.8pt solid {EDGE}"><fo:block color="{DIM}" '
        f'text-align="{align}">{_plain(table.columns[i].title)}</fo:block></fo:table-cell>'
        for i, align in zip(part.columns, aligned, strict=True)
    )
    rows = []
    tall, low = (f' height="{table.tall:g}mm"', ' display-align="after"') if table.tall else ("", "")
    for row in table.rows:
        cells = "".join(
            f'<fo:table-cell padding="0.9mm 1.3mm" border-bottom="0.4pt solid {LINE}"{low}>'
            f'<fo:block text-align="{align}"'
            f"{_code(table.columns[i].kind)}>{_cell(row[i], report)}</fo:block></fo:table-cell>"
            for i, align in zip(part.columns, aligned, strict=True)
        )
        rows.append(f"<fo:table-row{tall}>{cells}</fo:table-row>")
    return (
        f'<fo:table table-layout="fixed" width="{sum(part.widths):.2f}mm" font-size="{NARROW * part.size:.2f}pt" '
        f'line-height="1.2" space-after="5mm">{columns}<fo:table-header><fo:table-row>{heads}</fo:table-row>'
        f"</fo:table-header><fo:table-body>{''.join(rows)}</fo:table-body></fo:table>"
    )


def _code(kind: str) -> str:
    return f' font-family="{MONO}" font-size="82%"' if kind == "code" else ""


def _cell(cell: document.Cell, report: document.Report) -> str:
    if isinstance(cell, document.Math):
        return fo_math(cell.row, report.lang)
    tint = {"✓": TINTS["good"], "✗": TINTS["bad"]}.get(cell)
    return _plain(cell) if tint is None else f'<fo:inline color="{tint}">{_plain(cell)}</fo:inline>'


def _plain(text: str) -> str:
    """A text. Letters of mathematics, which usual fonts lack, become bold ones; marks are of a font that has them."""
    made = escape(text)
    for letter, bold in BOLD.items():
        made = made.replace(letter, f'<fo:inline font-weight="bold">{bold}</fo:inline>')
    made = _POWER.sub(_raised, made)
    for mark in "✓✗":
        made = made.replace(mark, f'<fo:inline font-family="{MARKS}">{mark}</fo:inline>')
    return made


def _raised(found: re.Match[str]) -> str:
    """A power as raised letters of the font itself: few fonts have those signs."""
    return f'<fo:inline baseline-shift="super" font-size="70%">{found[0].translate(_LOWERED)}</fo:inline>'


def _short(text: str) -> str:
    return text if len(text) <= 70 else text[:69] + "…"
