"""Tables in files: what people write in each format, cells that are wrong, and files that mean harm."""

from __future__ import annotations

import io
import math
import time
import zipfile

import pytest

from sistel.errors import CellSpan, Diagnostics, SistelError
from sistel.markup.tables import MotionRows, find_motion, read_tables

BOOK = '<workbook xmlns:r="r"><sheets>{}</sheets></workbook>'
STYLES = (
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/><numFmt numFmtId="171" formatCode="0.0&quot; mm&quot;"/>'
    '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="171"/>'
    "</cellXfs></styleSheet>"
)


def archive(parts: dict[str, str | bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return made.getvalue()


def xlsx(rows: str, more: str = "", words: str = "", styles: str = STYLES, head: str = "") -> bytes:
    relations = '<Relationships><Relationship Id="a" Target="worksheets/one.xml"/></Relationships>'
    return archive(
        {
            "xl/workbook.xml": BOOK.format('<sheet name="Ход" r:id="a"/>'),
            "xl/_rels/workbook.xml.rels": relations,
            "xl/sharedStrings.xml": f"<sst>{words}</sst>",
            "xl/styles.xml": styles,
            "xl/worksheets/one.xml": f"{head}<worksheet><sheetData>{rows}</sheetData>{more}</worksheet>",
        }
    )


def ods(rows: str, name: str = "Ход") -> bytes:
    return archive(
        {
            "content.xml": f'<o:c xmlns:o="o" xmlns:t="t" xmlns:x="x"><t:table t:name="{name}">{rows}</t:table></o:c>',
        }
    )


def text_cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


HEAD = f"<row>{text_cell('time [s]')}{text_cell('hip [deg]')}</row>"


def read(data: bytes | str, sheet: str | None = None) -> tuple[MotionRows | None, Diagnostics]:
    diagnostics = Diagnostics()
    return find_motion(read_tables(data, "file", diagnostics), diagnostics, sheet), diagnostics


def wrong(data: bytes | str, sheet: str | None = None) -> list[str]:
    """What is said of a table, and where."""
    try:
        found, diagnostics = read(data, sheet)
        assert found is None
        told = diagnostics.sorted()
    except SistelError as problem:
        told = problem.diagnostics
    assert told and all(each.message.en != each.message.ru and each.render("ru") for each in told)
    return [f"{each.code} {each.span}" for each in told]


def same(found: MotionRows | None) -> None:
    """The motion of every format below."""
    assert found is not None and [column.name for column in found.columns] == ["hip", "slide"]
    assert found.times == (0.0, 0.5, 1.0)
    assert found.values == ((0.0, 0.01), (math.pi * 45.5 / 180, 0.01), (0.0, -0.02))


@pytest.mark.parametrize(
    "text",
    [
        "time [s],hip [deg],slide [mm]\n0,0,10\n0.5,45.5,10\n1,0,-20\n",
        "\ufeffвремя [с];hip [град];slide [мм]\r\n0;0;10\r\n0,5;45,5;10\r\n1;0;−20\r\n",
        "sep=;\nTable 1;;;\n;;;\nhip, deg;t, ms;slide, mm;note\n0;0;10;begin\n45,5;500;10;\n\n0;1000;-20;end",
        "t\thip\tslide\ns\tdeg\tcm\n0\t0\t1\n0,5\t45.5\t10 mm\n1\t0\t-2",
        '"time, s","hip, deg","slide, mm"\n0,0,10\n"0,5","45,5",10\n1,0,-20\n',
        "№;Время;hip;slide\n;[с];[град];[мм]\n1;0;0;10\n2;0,5;45,5;10\n3;1;0;-20\n4;;;",
        "<table><caption>x</caption><tr><th rowspan=2>no.<th>t<th>hip<th>slide<tr><td>s<td>deg<td>mm"
        "<tr><td>1<td>0<td>0<td rowspan=2>10<tr><td>2<td>0,5<td>45.5<tr><td>3<td>1<td>0<td>-20</table>",
    ],
)
def test_texts_of_people(text: str) -> None:
    same(read(text)[0])
    same(read(text.removeprefix("\ufeff").encode("utf-16"))[0])


def test_sheets_of_people() -> None:
    words = "<si><t>time [s]</t></si><si><r><t>hip </t></r><r><t>[deg]</t></r><rPh><t>x</t></rPh></si><si><t>slide, mm</t></si>"
    rows = (
        '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c><c r="E2" t="s"><v>2</v></c></row>'
        '<row r="7"><c r="B7"><v>0</v></c><c r="D7"><v>0</v></c><c r="E7" s="4"><v>10</v></c></row>'
        '<row r="8"><c r="B8"><f>B7+0.5</f><v>5E-1</v></c><c r="D8"><v>45.5</v></c></row>'
        '<row r="9"><c r="B9"><v>1</v></c><c r="D9"><v>0</v></c><c r="E9"><v>-20</v></c></row>'
    )
    found, _ = read(xlsx(rows, '<mergeCells><mergeCell ref="E7:E8"/></mergeCells>', words))
    same(found)
    assert found is not None and found.sheet == "Ход"
    assert str(found.places[2][1]) == "file:Ход!D8" and str(found.places[2][2]) == "file:Ход!E7"

    def row(*cells: str, times: int = 1) -> str:
        return f'<t:table-row t:number-rows-repeated="{times}">{"".join(cells)}</t:table-row>'

    def number(value: str, more: str = "") -> str:
        note = "<o:annotation><x:p>99</x:p></o:annotation>"
        return f'<t:table-cell o:value-type="float" o:value="{value}" {more}>{note}<x:p>{value} !</x:p></t:table-cell>'

    def word(text: str) -> str:
        return f'<t:table-cell o:value-type="string"><x:p>{text}</x:p></t:table-cell>'

    empty = '<t:table-cell t:number-columns-repeated="16000"/>'
    rows = row(empty, times=1000) + row(word("Время, с"), word("hip [deg]"), word("slide<x:s/>[mm]"), empty)
    rows += row(number("0"), number("0"), number("10", 't:number-rows-spanned="2"'))
    rows += row(number("0.5"), number("45.5"), "<t:covered-table-cell/>")
    found, _ = read(ods(rows + row(number("1"), number("0"), number("-20")) + row(empty, times=1047000)))
    same(found)
    assert found is not None and str(found.places[2][1]) == "file:Ход!B1003"


def test_all_wrong_cells_are_told_at_once() -> None:
    rows = (
        '<row r="4"><c r="A4"><v>0</v></c><c r="B4" s="1"><v>45413</v></c></row>'
        '<row r="5"><c r="A5"><v>1</v></c><c r="B5" s="2"><v>0.3</v></c></row>'
        '<row r="6"><c r="A6" s="3"><v>2</v></c><c r="B6" t="b"><v>1</v></c><c r="AA6"><v>1</v></c></row>'
        '<row r="7"><c r="A7"><v>3</v></c><c r="B7" t="e"><v>#DIV/0!</v></c></row>'
        '<row r="8"><c r="A8"><v>4</v></c></row>'
        '<row r="9"><c r="A9"><v>4</v></c><c r="B9"><f>B8*2</f></c></row>'
        '<row r="10"><c r="A10"><v>5</v></c><c r="B10" t="s"><v>77</v></c></row>'
    )
    told = wrong(xlsx(HEAD + rows))
    assert told == [
        *(f"bad-numbers file:Ход!{cell}" for cell in ("B4", "B5", "A6", "B6")),
        "wrong-shape file:Ход!AA6",
        "bad-numbers file:Ход!B7",
        "empty-cell file:Ход!B8",
        "wrong-time file:Ход!A9",
        *(f"bad-numbers file:Ход!{cell}" for cell in ("B9", "B10")),
    ]
    span = CellSpan(read(xlsx(HEAD + "<row><c><v>1</v></c><c><v>1</v></c></row>"))[0].source, 0, 1, "a'b c", 7, 703)  # type: ignore[union-attr]
    assert (str(span), span.line, span.column) == ("file:'a''b c'!AAA7", 7, 703)
    text = "time;hip [deg];x [m]\n0;1,2,3;4\n0,5;30;\n0,4;5 кг;1;9\n"
    assert wrong(text) == [
        "bad-numbers file:2:3",
        "empty-cell file:3:7",
        "wrong-time file:4:1",
        "bad-numbers file:4:5",
        "wrong-shape file:4:12",
    ]


def test_one_of_several_sheets_is_chosen_and_that_is_said() -> None:
    pages = "".join(f'<table id="{name}"><tr><td>t<td>a [m]<tr><td>0<td>{i}</table>' for i, name in enumerate("xy"))
    found, diagnostics = read(pages)
    assert found is not None and found.values == ((0.0,),)
    assert [each.code for each in diagnostics] == ["many-tables"]
    found, diagnostics = read(pages, "y")
    assert found is not None and found.values == ((1.0,),) and not len(diagnostics)
    assert wrong(pages, "z") == ["no-table file:1:1"]


def bomb(size: int) -> bytes:
    return xlsx(HEAD + "<row><c><v>1</v></c>" + "<c/>" * (size // 4) + "</row>")


ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]>"
)


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04" + b"\0" * 100,
        xlsx(HEAD)[:-40],
        xlsx(HEAD + "<row><c>")[: len(xlsx(HEAD)) // 2],
        archive({"a.txt": "x"}),
        archive({"content.xml": "<a><b></a>"}),
        archive({"content.xml": "<a>" * 100_000}),
        archive({"content.xml": b"\xff\xfe\x00"}),
        archive({"content.xml": "<a/>"}, zipfile.ZIP_LZMA),
        xlsx(HEAD, head=ENTITIES),
        xlsx(HEAD, head='<!DOCTYPE x SYSTEM "file:///etc/passwd">'),
        bomb(70 * 2**20),
        ods('<t:table-row t:number-rows-repeated="1000000"><t:table-cell t:number-columns-repeated="16000"><x:p>1</x:p></t:table-cell></t:table-row>'),
        ods('<t:table-row><t:table-cell t:number-columns-repeated="99999999"><x:p>1</x:p></t:table-cell></t:table-row>'),
        xlsx(HEAD + '<row r="99999999"><c><v>1</v></c></row>'),
        xlsx(HEAD + '<row><c r="ZZZ1"><v>1</v></c></row>'),
        xlsx(
            HEAD + "<row><c><v>1</v></c></row>" * 2000,
            "<mergeCells>" + '<mergeCell ref="A1:A1048576"/>' * 5000 + "</mergeCells>",
        ),
        b"\xd0\xcf\x11\xe0 old",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"\xff\xfe\x00",
        b"",
        b"x" * (64 * 2**20 + 1),
        "<table>" * 50_000,
        "<table><tr><td rowspan=99999999 colspan=99999999>t<td>a<tr><td>0<td>1" * 300,
        ('"' * 99_999 + ";") * 20,
    ],
)  # fmt: skip
def test_hostile_files_are_refused_in_bounds(data: bytes | str) -> None:
    begin = time.process_time()
    assert wrong(data)
    assert time.process_time() - begin < 8.0
