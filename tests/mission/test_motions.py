"""Rows A23 and A32 of the mission; each test is named after its row."""

from __future__ import annotations

import io
import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import main

TABLE = """<html><body><h1>Программное движение</h1>
<table>
<tr><th>время, с</th><th>голень, град</th></tr>
<tr><td>0</td><td>0</td></tr>
<tr><td>0,5</td><td>30</td></tr>
<tr><td>1</td><td>0</td></tr>
</table></body></html>"""

MODEL = '<системаТел><тело имя="голень" КП="ВКП" масса="1" инерция="0.1">{}</тело></системаТел>'


def spreadsheet(kind: str, peak: str) -> bytes:
    """The same table as people keep it: text with semicolons, or a sheet, made by hand."""
    rows = [["0", "0"], ["0.5", peak], ["1", "0"]]
    heads = ["время, с", "голень, град"]
    if kind == ".html":
        return TABLE.replace("<td>30<", f"<td>{peak}<").encode()
    if kind == ".csv":
        return "\r\n".join(";".join(row).replace(".", ",") for row in (heads, *rows)).encode("utf-8-sig")
    if kind == ".ods":
        cells = ["".join(f"<t:table-cell o:value-type='string'><x:p>{head}</x:p></t:table-cell>" for head in heads)]
        cells += ["".join(f"<t:table-cell o:value-type='float' o:value='{x}'/>" for x in row) for row in rows]
        lines = "".join(f"<t:table-row>{row}</t:table-row>" for row in cells)
        spaces = " ".join(
            f'xmlns:{letter}="urn:oasis:names:tc:opendocument:xmlns:{word}:1.0"'
            for letter, word in (("o", "office"), ("t", "table"), ("x", "text"))
        )
        parts = {
            "content.xml": f"<o:document-content {spaces}><t:table t:name='1'>{lines}</t:table></o:document-content>"
        }
    else:
        cells = ["".join(f"<c t='s'><v>{i}</v></c>" for i in range(2))]
        cells += ["".join(f"<c><v>{x}</v></c>" for x in row) for row in rows]
        lines = "".join(f"<row>{row}</row>" for row in cells)
        parts = {
            "xl/workbook.xml": "<workbook xmlns:r='r'><sheets><sheet name='Ход' r:id='r1'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels": "<R><Relationship Id='r1' Target='worksheets/sheet1.xml'/></R>",
            "xl/sharedStrings.xml": "<sst>" + "".join(f"<si><t>{head}</t></si>" for head in heads) + "</sst>",
            "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{lines}</sheetData></worksheet>",
        }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return made.getvalue()


def peak_of(capsys: pytest.CaptureFixture[str], *call: object) -> float:
    """The largest angle of the joint in a run from the command line [deg]."""
    capsys.readouterr()
    assert main(["run", *map(str, call), "-q", "angle(голень)", "--json"]) == 0
    return math.degrees(json.loads(capsys.readouterr().out)["quantities"]["angle(голень)"]["most"])


@pytest.mark.parametrize("kind", [".html", ".csv", ".ods", ".xlsx"])
def test_A23(kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Change 30 to 45 in a cell: the peak joint angle becomes 45°, exactly that of the cell."""
    table, model, named = tmp_path / f"move{kind}", tmp_path / "leg.xml", tmp_path / "named.xml"
    model.write_text(MODEL.format(""), encoding="utf-8")
    named.write_text(MODEL.format(f'<движение файл="move{kind}"/>'), encoding="utf-8")
    for peak in (30.0, 45.0):
        table.write_bytes(spreadsheet(kind, f"{peak:g}"))
        for call in ([model, "--table", table], [named, "--until", "1"]):
            # The motion rests at its rows, and a run has a step at each of them.
            assert peak_of(capsys, *call) == pytest.approx(peak, abs=1e-12)
    # What a run writes is such a table again, with the cell in it.
    again = tmp_path / f"again.table{kind}"
    assert main(["run", str(named), "--until", "1", "-o", str(again)]) == 0
    assert peak_of(capsys, model, "--table", again) == pytest.approx(45.0, abs=1e-12)
    # A wrong cell is told with its place.
    table.write_bytes(spreadsheet(kind, "4x" if kind in (".html", ".csv") else "1e999"))
    place = {".html": "move.html:5:21", ".csv": "move.csv:3:5", ".ods": "move.ods:1!B3", ".xlsx": "move.xlsx:Ход!B3"}[
        kind
    ]
    for call in ([model, "--table", table], [named]):
        assert main(["run", *map(str, call)]) == 1
        assert place in capsys.readouterr().err


def test_A32() -> None:
    """Two poses in, table out; end velocities 0."""
    from sistel.motion.trajectories import Limits, motion_between, read_table

    first, last = [0.0, math.radians(90.0)], [math.radians(60.0), math.radians(-15.0)]
    for ways in ({"duration": 1.5}, {"kind": "fastest", "limits": Limits(2.0, 8.0, 80.0)}):
        table = motion_between(first, last, every=0.01, names=["shoulder", "elbow"], units="deg", **ways)
        page = table.html(lang="en")
        assert "shoulder [deg]" in page and read_table(page).values.tolist() == table.values.tolist()
        assert table.values[0].tolist() == first and table.values[-1].tolist() == last
        # A model that the table moves begins and ends at rest, in the two poses.
        element = table.motion(interpolation="spline")
        text = (
            '<system><body name="shoulder" joint="revolute" mass="1" inertia="0.1">'
            f'<body name="elbow" joint="revolute" mass="1" inertia="0.1" place="300, 0"/></body>{element}</system>'
        )
        end = float(table.times[-1])
        run = sistel.parse(text).simulate(q=first, until=end)
        q, v = run([0.0, end / 2, end])
        assert np.abs(q[[0, 2]] - [first, last]).max() < 1e-6
        assert np.abs(v[[0, 2]]).max() < 1e-5 and np.abs(v[1]).max() > 0.5
        # The table itself: its first and last steps are those of a motion that starts from rest.
        steps = np.abs(np.diff(table.values, axis=0)).max(axis=1)
        assert steps[0] < 0.01 * steps.max() and steps[-1] < 0.01 * steps.max()
