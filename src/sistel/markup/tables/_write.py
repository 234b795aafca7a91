"""Tables of numbers as files: HTML, CSV, ODS and XLSX, each as small as its readers allow."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from sistel.errors import Language
from sistel.files import cell
from sistel.look import header, style_sheet
from sistel.records import record

_STAMP = (1980, 1, 1, 0, 0, 0)
"""Of the parts of archives: the same table makes the same bytes."""
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:"
_OOXML = "http://schemas.openxmlformats.org/"

_STYLE = """
.sheet { max-width: max-content; }
table { margin: 12px 0; display: block; overflow: auto; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { position: sticky; top: 0; border-bottom: 2px solid var(--line); background: var(--paper); color: var(--dim); }
td:focus { outline: 2px solid var(--accent); outline-offset: -2px; }
td.wrong { color: var(--bad); background: var(--bad-bg); }
"""
_SCRIPT = r"""
"use strict";
const cells = [...document.querySelectorAll("td")];
const unit = "°|deg|rad|rev|mm|cm|m|s|ms|град|рад|об|мм|см|м|с|мс";
const number = new RegExp("^[-+\\u2212]?(\\d+[.,]?\\d*|[.,]\\d+)(e[-+]?\\d+)?\\s*(" + unit + ")?$", "i");
for (const cell of cells) {
  cell.contentEditable = "plaintext-only";
  if (cell.contentEditable !== "plaintext-only") cell.contentEditable = "true";
  cell.addEventListener("input", () => cell.classList.toggle("wrong", !number.test(cell.textContent.trim())));
  cell.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    cell.parentElement.nextElementSibling?.children[cell.cellIndex]?.focus();
  });
}
document.querySelector("button").addEventListener("click", () => {
  const page = document.documentElement.cloneNode(true);
  for (const cell of page.querySelectorAll("td")) {
    cell.textContent = cell.textContent.trim();
    for (const name of ["contenteditable", "class"]) cell.removeAttribute(name);
  }
  const link = document.createElement("a"), text = "<!DOCTYPE html>\n" + page.outerHTML + "\n";
  link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  link.download = decodeURIComponent(location.pathname.split("/").pop() || "motion.table.html");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
"""


@record
class Sheet:
    """What is written."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Numbers as texts with decimal points."""
    name: str
    caption: str | None
    lang: Language


def fragment(sheet: Sheet) -> str:
    """A table to be put into a page."""
    lines = ['<table class="motion">']
    if sheet.caption is not None:
        lines.append(f"<caption>{escape(sheet.caption)}</caption>")
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in sheet.heads)
    lines += [f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
    lines += ["<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in sheet.rows]
    return "\n".join([*lines, "</tbody>", "</table>"]) + "\n"


def write_html(sheet: Sheet) -> bytes:
    """A page with the table, whose cells can be changed in a browser, and saved."""
    ru = sheet.lang == "ru"
    title = escape(sheet.caption or ("Движение" if ru else "Motion"))
    save, hint = (
        ("Сохранить", "Ячейки можно менять; Enter — ячейка ниже.")
        if ru
        else ("Save", "Cells can be changed; Enter goes to the one below.")
    )
    button = f'<button type="button" class="plain strong">{save}</button>'
    bare = fragment(replace(sheet, caption=None))
    return (
        f'<!DOCTYPE html>\n<html lang="{sheet.lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f'<meta name="color-scheme" content="light dark">\n<style>{style_sheet(_STYLE, roots=(":root",))}</style>\n'
        f"</head>\n<body>\n{header(title, hint, button)}"
        f'<main class="sheet">\n{bare}</main>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n'
    ).encode()


def write_csv(sheet: Sheet) -> bytes:
    """Cells as spreadsheets of the language want them: in Russian with decimal commas and semicolons."""
    sign, point = (";", ",") if sheet.lang == "ru" else (",", ".")
    lines = [sign.join(_quoted(head, sign) for head in sheet.heads)]
    lines += [sign.join(text.replace(".", point) for text in row) for row in sheet.rows]
    # The mark makes spreadsheet programs see that it is UTF-8.
    return ("\ufeff" + "\r\n".join(lines) + "\r\n").encode()


def _quoted(text: str, sign: str) -> str:
    made = cell(text)
    return f'"{made}"' if sign in made and not made.startswith('"') else made


def write_ods(sheet: Sheet) -> bytes:
    """A sheet of OpenDocument."""
    heads = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{escape(head)}</text:p></table:table-cell>'
        for head in sheet.heads
    )
    rows = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="float" office:value="{text}"><text:p>{text}</text:p>'
            "</table:table-cell>"
            for text in row
        )
        + "</table:table-row>"
        for row in sheet.rows
    )
    spaces = " ".join(f'xmlns:{key}="{_TABLE}{key}:1.0"' for key in ("office", "table", "text"))
    content = (
        f'{_XML}<office:document-content {spaces} office:version="1.3"><office:body><office:spreadsheet>'
        f'<table:table table:name="{escape(sheet.name)}"><table:table-column table:number-columns-repeated="'
        f'{len(sheet.heads)}"/><table:table-row>{heads}</table:table-row>{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'{_XML}<manifest:manifest xmlns:manifest="{_TABLE}manifest:1.0" manifest:version="1.3">'
        f'<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    # The kind comes first and is not packed, so that it can be seen from outside (part 2, section 3.3).
    return _archive({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}, plain=("mimetype",))


def write_xlsx(sheet: Sheet) -> bytes:
    """A sheet of Office Open XML."""
    heads = "".join(f'<c t="inlineStr"><is><t>{escape(head)}</t></is></c>' for head in sheet.heads)
    rows = "".join("<row>" + "".join(f"<c><v>{text}</v></c>" for text in row) + "</row>" for row in sheet.rows)
    main, office = f"{_OOXML}spreadsheetml/2006/main", f"{_OOXML}officeDocument/2006/relationships"
    package, kinds = f"{_OOXML}package/2006", "application/vnd.openxmlformats-officedocument.spreadsheetml."

    def relation(number: str, kind: str, target: str) -> str:
        link = f'<Relationship Id="{number}" Type="{office}/{kind}" Target="{target}"/>'
        return f'{_XML}<Relationships xmlns="{package}/relationships">{link}</Relationships>'

    return _archive(
        {
            "[Content_Types].xml": (
                f'{_XML}<Types xmlns="{package}/content-types">'
                '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}sheet.main+xml"/>'
                f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}worksheet+xml"/></Types>'
            ),
            "_rels/.rels": relation("rId1", "officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": (
                f'{_XML}<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                f'<sheet name="{escape(sheet.name)}" sheetId="1" r:id="rId1"/></sheets></workbook>'
            ),
            "xl/_rels/workbook.xml.rels": relation("rId1", "worksheet", "worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": (
                f'{_XML}<worksheet xmlns="{main}"><sheetData><row>{heads}</row>{rows}</sheetData></worksheet>'
            ),
        }
    )


def _archive(parts: dict[str, str], plain: Sequence[str] = ()) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, _STAMP)
            info.compress_type = zipfile.ZIP_STORED if name in plain else zipfile.ZIP_DEFLATED
            archive.writestr(info, text.encode())
    return made.getvalue()


WRITERS: Final[dict[str, Callable[[Sheet], bytes]]] = {
    ".html": write_html,
    ".csv": write_csv,
    ".ods": write_ods,
    ".xlsx": write_xlsx,
}
