"""Pages of tasks in a browser: silent, in both languages, with the values of the tables and of the data beside them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from support.browser import Chromium

from sistel.cli import main
from sistel.units import unit_of

TASKS = Path(__file__).resolve().parents[2] / "models" / "tasks"
SHOWN = """() => [...document.querySelectorAll(".answer")].map((each) =>
  [each.querySelector(".of").innerText, each.querySelector(".value").innerText].map((text) => text.replace(/\\s+/g, " ").trim()))"""


def number(text: str) -> tuple[float, str]:
    """The number and the unit of a value on a page."""
    digits = text.replace("\N{MINUS SIGN}", "-")
    end = next((i for i, letter in enumerate(digits) if letter not in "0123456789.-+e"), len(digits))
    return float(digits[:end]), digits[end:].strip()


@pytest.mark.parametrize("task", ["reach.xml", "hold.xml", "move.xml"])
def test_a_page_shows_what_the_tables_say(chromium: Chromium, task: str, tmp_path: Path) -> None:
    for lang, other in (("en", "ru"), ("ru", "en")):
        page, table, data = (tmp_path / f"{lang}.{kind}" for kind in ("html", "csv", "json"))
        outputs = [word for target in (page, table, data) for word in ("-o", str(target))]
        assert main(["solve", str(TASKS / task), *outputs, "--lang", lang]) == 0
        rows = list(csv.reader(table.read_text(encoding="utf-8-sig").splitlines()))[1:]
        answers = [each for problem in json.loads(data.read_text())["problems"] for each in problem["answers"]]
        assert len(rows) == len(answers) > 0
        with chromium.tab(size=(420, 800)) as tab:
            tab.open(page)
            shown = tab.run(SHOWN)
            assert tab.run("() => document.documentElement.lang") == lang
            # Nothing is cut off on a narrow screen.
            assert tab.run("() => document.documentElement.scrollWidth <= innerWidth")
            tab.run(f"() => document.querySelector('label[for=in-{other}]').click()")
            assert len(tab.run(SHOWN)) == len(shown)
            said = tab.run("() => document.querySelector('header').innerText")
            assert {"en": "Task", "ru": "Задача"}[other] in said
            tab.check()
        shown = [each for each in shown if each[1]]
        for (wanted, value), row, answer in zip(shown, rows, answers, strict=True):
            found, unit = number(value)
            assert wanted == row[1] == answer["wanted"] and unit == row[3]
            # Six digits on the page, all of them in the table; the data are in SI.
            assert found == pytest.approx(float(row[2]), rel=2e-5, abs=1e-9)
            used = unit_of(unit.replace("·", "*")) if unit else None
            inside = float(row[2]) if used is None else used.to_si(float(row[2]))
            assert inside == pytest.approx(answer["value"], rel=1e-12, abs=1e-15)


def test_cells_of_a_table_of_motion_are_changed_and_saved(chromium: Chromium, tmp_path: Path) -> None:
    """Row A23 in a browser: 30 becomes 45 in a cell of the page, and the saved page moves the joint to 45°."""
    from sistel.motion.trajectories import load_table, motion_table, read_table

    file = tmp_path / "move.table.html"
    motion_table([0, 0.5, 1], [0.0, 0.5235987755982988, 0.0], names=["голень"], units="deg").save(file, lang="ru")
    with chromium.tab() as tab:
        tab.open(file)
        tab.run(
            """() => {
            const cell = [...document.querySelectorAll("td")].find((each) => each.textContent === "30");
            cell.textContent = "4x";
            cell.dispatchEvent(new Event("input"));
            window.wrong = cell.className;
            cell.textContent = "45";
            cell.dispatchEvent(new Event("input"));
            window.right = cell.className;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "#"; };
            document.querySelector("button").click(); }"""
        )
        tab.wait("window.saved")
        assert tab.run("() => [window.wrong, window.right]") == ["wrong", ""]
        saved = tab.run("() => window.saved")
        tab.check()
    assert load_table(file).values[1, 0] == 0.5235987755982988
    assert read_table(saved).values[:, 0].tolist() == [0.0, 0.7853981633974483, 0.0]
