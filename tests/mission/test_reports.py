"""Row A27 of the mission, and reports of row A24: pages on paper, through the command line alone."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.paper import needs_poppler, outside, overlapping, read_lines, read_words

from sistel.cli import main

MODELS = Path(__file__).parents[2] / "models"
WALK = ["run", str(MODELS / "compass_walker.xml"), "--until", "2", "--every", "0.25", "-q", "energy()"]
FONTS = "<fop version='1.0'><renderers><renderer mime='application/pdf'><fonts><auto-detect/></fonts></renderer></renderers></fop>"


def printed(value: str, lang: str, digits: int = 7) -> str:
    """A number of a table of numbers as a report prints it."""
    text = f"{float(value):.{digits}g}"
    found = re.fullmatch(r"(-?[\d.]+)(?:e([-+])0*(\d+))?", text)
    assert found is not None
    mantissa, sign, power = found.groups()
    if power:
        raised = ("-" if sign == "-" else "") + power
        mantissa += "·10" + raised.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    mantissa = "0" if mantissa == "-0" else mantissa
    return mantissa.replace("-", "−").replace(".", "," if lang == "ru" else ".")


def same_values(table: Path, pages: Path, lang: str) -> None:
    """Every row of a table of a run stands in a report, in as many parts as it took."""
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 10
    lines = [line.split() for line in read_lines(pages)]
    for row in rows[1:]:
        numbers = [printed(cell, lang) for i, cell in enumerate(row) if i != 1]
        own = [line for line in lines if line and line[0] == numbers[0] and len(line) > 3]
        assert any(" ".join(line).find(row[1]) > 0 for line in own), row
        # Words of the structure stand between; values follow each other as in the file.
        told = [word for line in own for word in line[1:] if word in numbers]
        assert [number for number in numbers[1:] if number not in told] == [], (row, own)


@needs_poppler
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_A27(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """PDF from the command line: its values are those of the run's table, its pages are numbered, nothing overflows."""
    pytest.importorskip("typst", reason="typst is not installed")
    pdf, table = tmp_path / "walk.pdf", tmp_path / "walk.csv"
    assert main([*WALK, "-o", str(pdf), "-o", str(table), "--json", "--lang", lang]) == 0
    run: dict[str, Any] = json.loads(capsys.readouterr().out)
    same_values(table, pdf, lang)
    words = read_words(pdf)
    assert outside(words) == [] and overlapping(words) == []
    count = words[-1].page
    assert 6 <= count <= 12
    text = " ".join(word.text for word in words)
    page, of = ("страница", "из") if lang == "ru" else ("page", "of")
    for number in range(1, count + 1):
        assert f"{page} {number} {of} {count}" in text
    # Events with their times and losses, the proofs, and a warning of the run.
    assert len(run["events"]) >= 2
    for event in run["events"]:
        assert printed(event["time"], lang, 9) in text and printed(event["energy_loss"], lang, 6) in text
    proofs = "Все проверки сошлись" if lang == "ru" else "proofs hold"
    assert proofs in text and ("Предупреждения" if lang == "ru" else "Warnings") in text
    # What identifies the system, and what it weighs: 10 + 2 × 5 kg.
    assert "compass_walker.xml" in text and ("20 кг" if lang == "ru" else "20 kg") in text
    assert "ЫЫ" not in text and "\N{REPLACEMENT CHARACTER}" not in text


@needs_poppler
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fop") is None, reason="fop is not installed")
def test_A27_fo(tmp_path: Path) -> None:
    """XSL-FO without anything installed beside sistel; Apache FOP makes the same pages of it, and complains of nothing."""
    made, table = tmp_path / "walk.fo", tmp_path / "walk.csv"
    assert main([*WALK, "-o", str(made), "-o", str(table), "--lang", "ru"]) == 0
    assert ElementTree.parse(made).getroot().tag == "{http://www.w3.org/1999/XSL/Format}root"
    fonts, pdf = tmp_path / "fop.xconf", tmp_path / "walk.pdf"
    fonts.write_text(FONTS, encoding="utf-8")
    done = subprocess.run(
        ["fop", "-c", str(fonts), str(made), str(pdf)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    # FOP's strict reading refuses what is no XSL-FO; it tells of lines and tables that are too wide, and missing letters.
    for complaint in ("exceed", "wider than the available", "overflow", "not available in font", "Unknown"):
        assert complaint not in done.stderr, done.stderr
    same_values(table, pdf, "ru")
    words = read_words(pdf)
    assert outside(words) == [] and "#" not in {word.text for word in words}
    assert f"страница {words[-1].page} из {words[-1].page}" in " ".join(word.text for word in words)


@needs_poppler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["reach", "servo"])
def test_A24_report(name: str, tmp_path: Path) -> None:
    """A solved task on paper says what its table says."""
    pytest.importorskip("typst", reason="typst is not installed")
    pdf, table = tmp_path / "answers.pdf", tmp_path / "answers.csv"
    assert main(["solve", str(MODELS / "tasks" / f"{name}.xml"), "-o", str(pdf), "-o", str(table), "--lang", "en"]) == 0
    words = read_words(pdf)
    text = " ".join(word.text for word in words).replace("\N{ZERO WIDTH SPACE}", "")
    answers = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert len(answers) >= 6
    for answer in answers:
        assert answer["wanted"] in text.replace("( ", "("), answer
        assert printed(answer["value"], "en", 8) in text, answer
    assert outside(words) == [] and "✓" in text and "✗" not in text


@needs_poppler
@pytest.mark.slow
def test_B33_sheet_on_paper(tmp_path: Path) -> None:
    """A page for every variant, without its answers; the key on paper says what the key as a table says."""
    pytest.importorskip("typst", reason="typst is not installed")
    sheet, key, table = tmp_path / "sheet.pdf", tmp_path / "key.pdf", tmp_path / "key.csv"
    call = ["solve", str(MODELS / "tasks" / "sheet.xml"), "--variants", "4", "-o", str(sheet), "--lang", "ru"]
    assert main([*call, "--key", str(key), "--key", str(table)]) == 0
    asked, told = read_words(sheet), read_words(key)
    assert outside(asked) == [] and outside(told) == []
    assert asked[-1].page == 4
    handed, known = {word.text for word in asked}, {word.text for word in told}
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 5
    for row in rows[1:]:
        values, answers = row[1:4], [printed(cell, "ru", 8) for cell in row[4:]]
        assert len(answers) == 4 and set(answers) <= known and not set(answers) & handed
        assert {printed(value, "ru", 10) for value in values} <= handed & known


@pytest.mark.slow
def test_same_bytes(tmp_path: Path) -> None:
    """The same run gives the same bytes, in another process with other hashes too."""
    pytest.importorskip("typst", reason="typst is not installed")
    for seed in ("1", "2"):
        call = [sys.executable, "-m", "sistel", "run", str(MODELS / "cart_pole.xml"), "--until", "1"]
        for suffix in (".pdf", ".fo", ".print.html"):
            call += ["-o", str(tmp_path / f"{seed}{suffix}")]
        subprocess.run(call, env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}, check=True, capture_output=True)
    for suffix in (".pdf", ".fo", ".print.html"):
        assert (tmp_path / f"1{suffix}").read_bytes() == (tmp_path / f"2{suffix}").read_bytes()
