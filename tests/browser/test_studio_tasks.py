"""Equations, tasks, forms, reports and programs of drives in the window of a studio, with a real server behind it."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.studio_page import StudioPage, studio_page

import sistel
from sistel.drives import FAMILIES, plan_drives, read_drives, write_program
from sistel.motion.trajectories import load_table

MODELS = Path(__file__).resolve().parents[2] / "models"
OVERLAPS = """() => {
  const seen = [...document.querySelectorAll('.formula')].filter((each) => each.checkVisibility());
  const rows = seen.map((each) => each.getBoundingClientRect());
  return rows.slice(1).filter((row, at) => row.top < rows[at].bottom - 0.5).length; }"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioPage]:
    """A teacher's folder: tasks about an arm, an arm with drives, a walker; saved texts have all that is needed."""
    folder = tmp_path_factory.mktemp("class")
    shutil.copytree(MODELS / "tasks", folder, dirs_exist_ok=True)
    shutil.copytree(MODELS / "drives", folder / "drives")
    shutil.copy(MODELS / "walker.xml", folder)
    with studio_page(folder) as found:
        yield found


def show(window: StudioPage, path: str, view: str | None = None) -> Any:
    """Open a file of the folder, and a view of it; everything before is closed."""
    page = window.page
    page.set_viewport_size({"width": 1440, "height": 900})
    if not page.query_selector(f'[data-file="{path}"]'):
        window.wait("document.querySelector('[data-path], [data-act=new]')")
        if page.query_selector(f'[data-part=welcome] [data-path="{path}"]'):
            page.click(f'[data-part=welcome] [data-path="{path}"]')
        else:
            page.click("[data-act=new]")
            page.click(f'dialog [data-path="{path}"]')
    else:
        page.click(f'[role=tab][data-file="{path}"]')
    window.wait(f"document.querySelector('[role=tab][data-file=\"{path}\"][aria-selected=true]')")
    if view is not None:
        page.click(f"[data-view={view}]")
    return page


def shown(window: StudioPage) -> dict[str, str]:
    """The answers of the task that is shown, by what was wanted."""
    return dict(
        window.page.evaluate(
            "() => [...document.querySelectorAll('[data-answer]')].map((row) => "
            "[row.dataset.answer, [...row.cells].slice(1, 3).map((cell) => cell.textContent.trim()).join(' ')])"
        )
    )


def test_equations_are_formulas_of_the_structure_that_is_chosen(window: StudioPage) -> None:
    page = show(window, "arm.xml", "equations")
    window.wait("document.querySelector('[data-section=mass] math mtable')")
    assert page.evaluate(OVERLAPS) == 0
    page.click("[data-show=mass]")
    assert page.evaluate(
        "() => [...document.querySelectorAll('[data-section]')].map((each) => each.dataset.section)"
    ) == [
        "mass",
        "symbols",
    ]
    page.click("[data-take=latex]")
    window.wait("document.querySelector('[data-part=taken] textarea')")
    arm = sistel.load(window.folder / "arm.xml")
    assert page.input_value("[data-part=taken] textarea") == arm.equations().to_latex()
    show(window, "walker.xml", "equations")
    window.wait("document.querySelector('[data-field=structure]')")
    page.select_option("[data-field=structure]", "на двух")
    window.wait("document.querySelector('[data-show=links]')")
    page.click("[data-show=links]")
    window.wait("document.querySelectorAll('[data-section=constraints] math').length > 3")
    assert page.evaluate(OVERLAPS) == 0


def test_a_form_is_filled_in_and_answered(window: StudioPage) -> None:
    """Links of 400 and 300 mm, the first level and the second straight down: the hand is at (400, 300)."""
    page = show(window, "reach.xml")
    page.wait_for_selector('[data-number="0.joints"]')
    page.fill('[data-number="0.joints"]', "0, 90")
    page.keyboard.press("Tab")
    window.wait("document.querySelector('.cm-content').textContent.includes('joints=\"0, 90\"')")
    page.click(".columns [data-act=solve], header [data-act=solve]")
    window.wait("document.querySelector('[data-good=true]')")
    answers = shown(window)
    assert answers["x(hand)"] == "400 mm" and answers["y(hand)"] == "300 mm"
    assert answers["distance(hand)"] == "500 mm"
    assert page.evaluate("() => document.querySelectorAll('.checks li').length") > 2
    page.fill("[data-tried=l1]", "500")
    page.keyboard.press("Tab")
    page.click("[data-act=keep-answers]")
    window.wait("document.querySelector('[data-file=\"reach_answers.csv\"]')")
    assert shown(window)["x(hand)"] == "500 mm"
    folder: Path = window.folder
    rows = list(csv.DictReader(io.StringIO((folder / "reach_answers.csv").read_text(encoding="utf-8"))))
    assert float(rows[0]["value"]) == pytest.approx(500.0, rel=1e-12)
    assert 'joints="30, 45"' in (folder / "reach.xml").read_text(encoding="utf-8")  # nothing was saved unasked


def test_a_teachers_folder_gets_five_variants_and_marks(window: StudioPage) -> None:
    folder: Path = window.folder
    page = show(window, "sheet.xml")
    page.wait_for_selector("[data-act=sheet]")
    page.fill("[data-field=variants]", "5")
    page.fill("[data-field=into]", "group1")
    page.click("[data-act=sheet]")
    window.wait("document.querySelector('[data-file=\"group1/sheet_key.csv\"]')")
    assert page.evaluate("() => document.querySelectorAll('[data-part=sheet] tbody tr').length") == 5
    text = (folder / "group1" / "sheet_key.csv").read_text(encoding="utf-8")
    key = list(csv.reader(io.StringIO(text)))
    assert len(key) == 6 and (folder / "group1" / "sheet_sheet.html").stat().st_size > 10_000
    column = next(at for at, head in enumerate(key[0]) if head.startswith("x(hand)"))
    right = float(key[2][column])  # of the second variant
    answers = f"student,variant,x(hand),y(hand)\nAnna,2,{right:.4g} mm,{-float(key[2][column + 1]):.4g} mm\n"
    (folder / "group1" / "answers.csv").write_text(answers, encoding="utf-8")
    page.focus("[data-field=answers]")
    window.wait("document.querySelector('[data-field=answers] option[value=\"group1/answers.csv\"]')")
    page.select_option("[data-field=answers]", "group1/answers.csv")
    page.click("[data-act=mark]")
    window.wait("document.querySelector('[data-file=\"group1/answers_marks.csv\"]')")
    marks = list(csv.DictReader(io.StringIO((folder / "group1" / "answers_marks.csv").read_text(encoding="utf-8"))))
    verdicts = {each["wanted"]: (each["verdict"], each["comment"]) for each in marks}
    assert verdicts["x(hand)"][0] == "right"
    assert verdicts["y(hand)"] == ("wrong", "the sign is the other one")


def test_what_takes_long_tells_how_far_it_is_and_stops(window: StudioPage) -> None:
    page = show(window, "sheet.xml")
    page.wait_for_selector("[data-act=sheet]")
    page.fill("[data-field=variants]", "500")
    page.click("[data-act=sheet]")
    window.wait("/\\d+ %/.test(document.querySelector('[data-part=work]')?.textContent ?? '')")
    page.click("[data-act=stop-work]")
    window.wait("!document.querySelector('[data-part=work]')")
    with window.server.window() as own:
        end = 50
        while own.call("jobs.list") and end:
            page.wait_for_timeout(100)
            end -= 1
        assert end, "the work goes on"
    page.fill("[data-field=variants]", "5")


def test_a_report_is_written_into_the_folder_and_opened(window: StudioPage) -> None:
    folder: Path = window.folder
    page = show(window, "arm.xml", "tasks")
    page.click("[data-part-of=report]")
    page.select_option("[data-field=report-format]", ".print.html")
    page.click("[data-act=report]")
    window.wait("document.querySelector('[data-file=\"arm_report.print.html\"]')")
    frame = page.wait_for_selector("[data-part=report] iframe").content_frame()
    frame.wait_for_selector("h1")
    assert frame.inner_text("h1") == "two-link arm"
    if find_spec("typst") is not None:
        page.select_option("[data-field=report-format]", ".pdf")
        with page.expect_popup() as opened:
            page.click("[data-act=report]")
        opened.value.close()
        assert (folder / "arm_report.pdf").read_bytes().startswith(b"%PDF-")


def test_a_program_of_drives_is_that_of_the_library(window: StudioPage) -> None:
    folder: Path = window.folder / "drives"
    page = show(window, "drives/arm.xml", "tasks")
    page.click("[data-part-of=drive]")
    window.wait("document.querySelector('[data-field=drives] option')")
    page.select_option("[data-field=drives]", "drives/drives.xml")
    page.select_option("[data-field=source]", "table:drives/move.html")
    page.click("[data-act=drive]")
    window.wait("document.querySelector('[data-part=verdict].good')")
    arm = sistel.load(folder / "arm.xml")
    drives = read_drives(folder / "drives.xml", arm.model)
    plan = plan_drives(load_table(folder / "move.html"), drives, FAMILIES["faulhaber-v2"])
    with page.expect_download() as taken:
        page.click("[data-program='arm.txt'] button")
    assert Path(taken.value.path()).read_text(encoding="utf-8") == write_program(plan).files[".txt"]
    page.click("[data-act=sender]")
    frame = page.wait_for_selector("[data-part=drive] iframe").content_frame()
    frame.wait_for_selector("button:visible")
    assert re.search("serial|port", frame.inner_text("body"), re.IGNORECASE)


def test_the_lesson_of_an_arm_opens_in_the_window(window: StudioPage) -> None:
    page = show(window, "arm.xml", "tasks")
    page.click("[data-part-of=lesson]")
    page.click("[data-act=lesson]")
    frame = page.wait_for_selector("[data-part=lesson] iframe", timeout=60_000).content_frame()
    frame.wait_for_selector("[data-sistel][data-ready=yes]", timeout=60_000)


def test_a_task_is_begun_from_a_template_in_russian(window: StudioPage) -> None:
    folder: Path = window.folder
    page = show(window, "arm.xml", "tasks")
    page.click("[data-id=language]")
    page.click("[data-act=new-task]")
    page.click("[data-new=kinematics]")
    window.wait("document.querySelector('[data-number=\"0.joints\"]')")
    assert "<задача" in (folder / "arm_кинематика.xml").read_text(encoding="utf-8")
    page.click(".columns [data-act=solve], header [data-act=solve]")
    window.wait("document.querySelector('[data-good=true]')")
    assert shown(window)["x(hand)"] == "700 мм"
    page.click("[data-id=language]")
