"""Task sheets: variants that stay the same, their keys, and marks of answers."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from support.paper import needs_poppler, read_words

import sistel
from sistel.cli import main
from sistel.errors import SistelError, Text
from sistel.tasks import Answer, Sheet, heading, make_sheet, mark_answers, read_task
from sistel.tasks._marks import mark_one
from sistel.units import ANGLE, LENGTH, MOMENT, PLAIN
from sistel.views.reports import report_bytes, sheet_report
from sistel.views.reports._document import ReportTable
from sistel.views.tasks import key_csv, marks_page, sheet_page

SHEET = Path(__file__).parents[3] / "models" / "tasks" / "sheet.xml"


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    """Twelve variants of the arm."""
    return make_sheet(read_task(SHEET, sistel.load), 12, seed=1)


def test_variants_differ_and_stay_the_same(sheet: Sheet) -> None:
    drawn = [tuple(variant.values.items()) for variant in sheet.variants]
    assert len(set(drawn)) == 12
    fewer = make_sheet(read_task(SHEET, sistel.load), 3, seed=1)
    assert [tuple(variant.values.items()) for variant in fewer.variants] == drawn[:3]
    other = make_sheet(read_task(SHEET, sistel.load), 3, seed=2)
    assert [tuple(variant.values.items()) for variant in other.variants] != drawn[:3]
    for name, low, high, step in (("l1", 0.3, 0.8, 0.05), ("l2", 0.2, 0.5, 0.05), ("m1", 2.0, 5.0, 0.5)):
        for variant in sheet.variants:
            value = variant.values[name]
            assert low <= value <= high
            assert math.remainder(value - low, step) == pytest.approx(0.0, abs=1e-12)


def test_key_is_right(sheet: Sheet) -> None:
    """Every answer of the key by its closed form."""
    rows = list(csv.DictReader(io.StringIO(key_csv(sheet, "en"))))
    assert len(rows) == 12
    g, m2, M = 9.81, 2.0, 1.5
    a, b = math.radians(30), math.radians(75)
    for row in rows:
        l1, l2, m1 = float(row["l1 [mm]"]) / 1e3, float(row["l2 [mm]"]) / 1e3, float(row["m1 [kg]"])
        assert float(row["x(hand) [mm]"]) == pytest.approx(1e3 * (l1 * math.cos(a) + l2 * math.cos(b)), rel=1e-13)
        elbow = -(m2 / 2 + M) * g * l2 * math.cos(b)
        assert float(row["torque(elbow) [N·m]"]) == pytest.approx(elbow, rel=1e-12)
        shoulder = elbow - (m1 / 2 + m2 + M) * g * l1 * math.cos(a)
        assert float(row["torque(shoulder) [N·m]"]) == pytest.approx(shoulder, rel=1e-12)


def test_pages_keep_the_answers_apart(sheet: Sheet) -> None:
    page, key = sheet_page(sheet, "en"), sheet_page(sheet, "ru", key=True)
    first = sheet.variants[0]
    assert f"{1e3 * first.values['l1']:g} mm" in page and page.count("Variant ") == 12
    for answer in first.result.answers:
        shown = f"{answer.value:.6g}"
        assert answer.dimension == LENGTH or (shown in key and shown not in page)
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org", "").replace("http-equiv", "")


@needs_poppler
def test_answers_have_room_for_handwriting(tmp_path: Path) -> None:
    """At least 9 mm for each on paper, whatever writes it."""
    few = make_sheet(read_task(SHEET, sistel.load), 1, seed=1)
    made = sheet_report(few, "en")
    table = made.blocks[-1]
    assert isinstance(table, ReportTable) and len(table.rows) == 4 and 9.0 <= table.tall <= 12.0
    assert report_bytes(made, ".fo").decode().count(f'<fo:table-row height="{table.tall:g}mm">') == 4
    assert report_bytes(made, ".print.html").decode().count(f'style="height:{table.tall:g}mm"') == 4
    assert all(getattr(block, "tall", 0.0) == 0.0 for block in sheet_report(few, "en", key=True).blocks)
    pytest.importorskip("typst", reason="typst is not installed")
    path = tmp_path / "sheet.pdf"
    path.write_bytes(report_bytes(made, ".pdf"))
    places = {word.text: word.bottom for word in read_words(path)}
    rows = [places[heading(answer).say("en")] for answer in few.variants[0].result.answers]
    assert np.diff(rows) == pytest.approx(table.tall, abs=0.05)


@pytest.mark.parametrize(
    ("answer", "given", "verdict", "comment"),
    [
        ((0.35, LENGTH), "350 mm", "right", ""),
        ((0.35, LENGTH), "0,35 м", "right", ""),
        ((0.35, LENGTH), "35.3 cm", "right", ""),
        ((0.35, LENGTH), "350", "right", "no unit"),
        ((0.35, LENGTH), "0.35", "wrong", "1000 times too little"),
        ((0.35, LENGTH), "350 m", "wrong", "1000 times too much"),
        ((0.35, LENGTH), "-350 mm", "wrong", "sign"),
        ((0.35, LENGTH), "350 kg", "wrong", "unit is of a mass"),
        ((0.35, LENGTH), "", "missing", "no answer"),
        ((0.35, LENGTH), "about a foot", "wrong", "no number"),
        ((0.35, LENGTH), "__import__('os')", "wrong", "no number"),
        ((0.35, LENGTH), "400 mm", "wrong", "off by 14.3 %"),
        ((-12.0, MOMENT), "-12 N·m", "right", ""),
        ((-12.0, MOMENT), "−12.1 Н*м", "right", ""),
        ((math.radians(40), ANGLE), "40°", "right", ""),
        ((math.radians(40), ANGLE), "0.698 rad", "right", ""),
        ((math.radians(40), ANGLE), "0.698", "wrong", "radians"),
        ((9.81, MOMENT), "1 N*m", "wrong", "mass and weight"),
        ((0.5, PLAIN), "0.5", "right", ""),
        ((0.5, PLAIN), "50 %", "right", ""),
        ((0.0, MOMENT), "0 N*m", "right", ""),
        ((0.0, MOMENT), "1e999 N*m", "wrong", ""),
    ],
)
def test_marks(answer: tuple[float, object], given: str, verdict: str, comment: str) -> None:
    wanted = Answer(label=Text("a", "a"), value=answer[0], dimension=answer[1])  # type: ignore[arg-type]
    marked = mark_one(wanted, given, within=0.02)
    assert marked.verdict == verdict
    assert comment in marked.comment.en
    assert bool(marked.comment.ru) == bool(marked.comment.en)


def test_tables_of_answers(sheet: Sheet) -> None:
    key = list(csv.reader(io.StringIO(key_csv(sheet, "en"))))
    # The key itself, handed in, is all right.
    table = "student,variant," + ",".join(key[0][4:]) + "\n"
    table += "".join(f"s{row[0]},{row[0]},{','.join(row[4:])}\n" for row in key[1:])
    marks = mark_answers(sheet, table, "answers.csv", within=1e-9)
    assert [(mark.right, len(mark.answers)) for mark in marks] == [(4, 4)] * 12
    assert "4/4" in marks_page(sheet, marks, "en")
    # Columns by number, another separator, Russian heads, cells left out.
    marks = mark_answers(sheet, "вариант;1;2\n3;1 мм\n", "answers.csv", within=0.02)
    assert [answer.verdict for answer in marks[0].answers] == ["wrong", "missing", "missing", "missing"]
    with pytest.raises(SistelError) as caught:
        mark_answers(sheet, "variant,x(hnad)\n99,1\n", "answers.csv", within=0.02)
    # All of it at once, each at its cell.
    assert [str(each.span) for each in caught.value.diagnostics] == ["answers.csv:1:9", "answers.csv:2:1"]
    with pytest.raises(SistelError) as caught:
        mark_answers(sheet, "variant,1\n99,1\n", "answers.csv", within=0.02)
    assert [str(each.span) for each in caught.value.diagnostics] == ["answers.csv:2:1"]
    with pytest.raises(SistelError) as caught:
        mark_answers(sheet, "variant;1;1\n1;2;3;4\n", "answers.csv", within=0.02)
    told = [(each.code, str(each.span)) for each in caught.value.diagnostics]
    assert told == [("same-name", "answers.csv:1:11"), ("wrong-shape", "answers.csv:2:7")]


def test_too_many_variants(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text((SHEET.parent / "arm.xml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "task.xml"
    inside = (
        '<vary parameter="l1" from="300 mm" to="400 mm" step="50 mm"/><kinematics posture="picked" report="x(hand)"/>'
    )
    path.write_text(f'<task model="arm.xml">{inside}</task>', encoding="utf-8")
    task = read_task(path, sistel.load)
    assert [v.values["l1"] for v in sorted(make_sheet(task, 3, 1).variants, key=lambda v: v.values["l1"])] == [
        0.3,
        0.35,
        0.4,
    ]
    with pytest.raises(SistelError, match="only 3 different variants"):
        make_sheet(task, 4, 1)
    path.write_text(f'<task model="arm.xml" question="{{l7}} long">{inside}</task>', encoding="utf-8")
    with pytest.raises(SistelError, match='no parameter "l7"'):
        make_sheet(read_task(path, sistel.load), 1, 1)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, page, marks = tmp_path / "key.csv", tmp_path / "sheet.html", tmp_path / "marks.csv"
    sheet = ["solve", str(SHEET), "--variants", "2", "--lang", "en"]
    assert main([*sheet, "--key", str(key), "-o", str(page)]) == 0
    assert key.read_text(encoding="utf-8").count("\n") == 3 and "Variant 2" in page.read_text(encoding="utf-8")
    answers = tmp_path / "answers.csv"
    answers.write_text("student,variant,1\n=cmd,1,670.92 mm\n", encoding="utf-8")
    assert main([*sheet, "--mark", str(answers), "-o", str(marks)]) == 0
    assert marks.read_text(encoding="utf-8").splitlines()[1].startswith("'=cmd,1,x(hand),670.92 mm,670.92 mm,right")
    capsys.readouterr()
    assert main([*sheet, "--mark", str(answers), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["marks"][0]["right"] == 1
    for wrong in (
        ["--variants", "x"],
        ["--seed", "3"],
        ["--variants", "2", "--within", "200"],
        ["--variants", "2", "--key", "k.png"],
        ["--variants", "2", "--mark", str(answers), "-o", "marks.pdf"],
    ):
        assert main(["solve", str(SHEET), *wrong, "--lang", "en"]) == 2
        assert capsys.readouterr().err
