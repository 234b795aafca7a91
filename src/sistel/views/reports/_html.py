"""A report as a page for print: A4, numbered pages, nothing from elsewhere. Any browser prints it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from sistel.formulas.setting import math
from sistel.look import painted
from sistel.views.assets import asset
from sistel.views.page._files import view_text
from sistel.views.page._page import FONT_LICENCE
from sistel.views.reports import _document as document
from sistel.views.reports._formulas import localized
from sistel.views.reports._layout import Part, divided, figure_size, formula_size, has_contents

SIZE = 10.0
"""Of letters [pt]."""
MATH = "sistel STIX Two Math"
"""The family of the font of formulas, which the page carries."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'"
"""Nothing runs, and nothing comes from elsewhere."""
MARKS = {"✓": "good", "✗": "bad"}


def print_page(report: document.Report) -> str:
    """The text of a report."""
    return "\n".join(_parts(report)) + "\n"


def _parts(report: document.Report) -> Iterator[str]:
    lang = report.lang
    page, of = ("страница", "из") if lang == "ru" else ("page", "of")
    style = painted(view_text("reports/print.css"), "light")
    named = {"TITLE": _short(report.title), "KIND": report.kind, "MADE": report.made, "PAGE": page, "OF": of}
    for key, text in named.items():
        style = style.replace(f'"{key}"', _css(text))
    licence = ""
    if _has_formulas(report):
        licence = f"<!-- {FONT_LICENCE} -->"
        # Fonts of formulas differ in width and in what they have: with its own they fit the page everywhere.
        source = b64encode(asset("math.woff2")).decode()
        style += f'@font-face{{font-family:"{MATH}";src:url(data:font/woff2;base64,{source})format("woff2")}}'
    yield f'<!doctype html>\n{licence}<html lang="{lang}"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f"<title>{escape(report.title)}</title><style>{style}</style></head><body><main>"
    yield f'<header><p class="kind">{escape(report.kind)}</p><h1>{escape(report.title)}</h1>'
    if report.about:
        yield f'<p class="about">{escape(report.about)}</p>'
    yield f"{_facts(report.facts)}</header>"
    if has_contents(report):
        yield from _contents(report)
    for i, block in enumerate(report.blocks):
        yield from _block(block, report, f"h{i}")
    yield "</main></body></html>"


def _has_formulas(report: document.Report) -> bool:
    """Whether there are formulas, also in cells."""
    return any(
        isinstance(block, document.Formula)
        or (
            isinstance(block, document.ReportTable)
            and any(isinstance(cell, document.Math) for row in block.rows for cell in row)
        )
        for block in report.blocks
    )


def _short(text: str) -> str:
    return text if len(text) <= 70 else text[:69] + "…"


def _css(text: str) -> str:
    """A text as a string of a style sheet, which ends no element of the page."""
    return '"' + "".join(c if c.isalnum() or c in " .,·-" else f"\\{ord(c):x} " for c in text) + '"'


def _contents(report: document.Report) -> Iterator[str]:
    yield f"<nav><h2>{'Содержание' if report.lang == 'ru' else 'Contents'}</h2>"
    for i, block in enumerate(report.blocks):
        if isinstance(block, document.Heading):
            yield f'<a class="l{block.level}" href="#h{i}">{escape(block.text)}</a>'
    yield "</nav>"


def _facts(pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(word)}</dt><dd><bdi>{escape(value)}</bdi></dd>" for word, value in pairs)
    return f"<dl>{rows}</dl>" if rows else ""


def _block(block: document.Block, report: document.Report, key: str) -> Iterator[str]:
    match block:
        case document.Heading(text=text, level=level, apart=apart):
            page = ' class="apart"' if apart else ""
            yield f'<h{level + 1} id="{key}"{page}>{escape(text)}</h{level + 1}>'
        case document.Paragraph(text=text, tone=tone):
            yield f"<p>{escape(text)}</p>" if tone == "plain" else f'<p class="{tone}">{escape(text)}</p>'
        case document.Facts(pairs=pairs):
            yield _facts(pairs)
        case document.Figure():
            wide, high = figure_size(block)
            # An address that holds it whole keeps its style and its names to itself.
            source = "data:image/svg+xml;base64," + b64encode(block.svg.encode("utf-8", "replace")).decode()
            size = f"width:{wide:.2f}mm;aspect-ratio:{wide:.2f}/{high:.2f}"
            caption = escape(block.caption)
            shown = f'<img alt="{caption}" style="{size}" src="{source}">'
            yield f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"
        case document.Formula():
            yield _formula(block, report)
        case document.ReportTable():
            yield from _table(block, report)


def _formula(formula: document.Formula, report: document.Report) -> str:
    head, lang = localized(formula.head, report.lang), report.lang
    size = formula_size(formula, SIZE)
    if formula.matrix:
        rows = "".join(
            f"<mtr>{''.join(f'<mtd>{localized(each, lang)}</mtd>' for each in row)}</mtr>" for row in formula.matrix
        )
        body = f"{head}<mrow><mo>(</mo><mtable>{rows}</mtable><mo>)</mo></mrow>"
    else:
        first, *rest = (localized(line, lang) for line in formula.lines)
        # A sign at the start of a line is still one between two terms.
        lines = "".join(f'<mtr><mtd class="more"><mrow></mrow>{line}</mtd></mtr>' for line in rest)
        body = f"<mtable><mtr><mtd>{head}{first}</mtd></mtr>{lines}</mtable>" if rest else head + first
    return f'<div class="formula" style="font-size:{size:.2f}pt">{math(body)}</div>'


def _table(table: document.ReportTable, report: document.Report) -> Iterator[str]:
    parts = divided(table)
    for number, part in enumerate(parts, 1):
        again = f" ({number}/{len(parts)})" if len(parts) > 1 else ""
        yield _part(table, part, table.title + again, report)


def _part(table: document.ReportTable, part: Part, title: str, report: document.Report) -> str:
    columns = "".join(f'<col style="width:{width:.2f}mm">' for width in part.widths)
    kinds = [table.columns[i].kind for i in part.columns]
    heads = "".join(
        f'<th class="{kind}">{escape(table.columns[i].title)}</th>' for i, kind in zip(part.columns, kinds, strict=True)
    )
    begin = f'<tr class="tall" style="height:{table.tall:g}mm">' if table.tall else "<tr>"
    rows = "".join(
        begin
        + "".join(
            f'<td class="{kind}">{_cell(row[i], report)}</td>' for i, kind in zip(part.columns, kinds, strict=True)
        )
        + "</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table style="width:{sum(part.widths):.2f}mm;font-size:{part.size:g}pt">'
        f"<caption>{escape(title)}</caption><colgroup>{columns}</colgroup><thead><tr>{heads}</tr></thead>"
        f"<tbody>\n{rows}</tbody></table></div>"
    )


def _cell(cell: document.Cell, report: document.Report) -> str:
    if isinstance(cell, document.Math):
        return math(localized(cell.row, report.lang), display=False)
    if cell in MARKS:
        return f'<span class="{MARKS[cell]}">{cell}</span>'
    return f"<bdi>{escape(cell)}</bdi>"
