"""Pages: what they hold in both languages, and that a real browser shows the formulas."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sistel
from sistel.formulas._mathml import NAMESPACE

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

MEASURE = """<script>
const shown = [...document.querySelectorAll("math")].filter(m => !m.closest("[data-in=ru]"));
const boxes = shown.map(m => {
  const r = m.getBoundingClientRect(); return [r.width, r.height, m.querySelectorAll("mtable").length]; });
const cells = [...document.querySelectorAll("#mass mtd")].map(m => {
  const r = m.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; });
document.title = JSON.stringify({boxes, cells});
</script>"""


def browse(page: str, folder: Path) -> dict[str, list[list[float]]]:
    """The boxes of all formulas, as a browser lays them out."""
    file = folder / "page.html"
    # The page itself lets no script run.
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    file.write_text(free.replace("</body>", MEASURE + "</body>"), encoding="utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command += [f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    found = re.search(r"<title>(\{.*?\})</title>", done.stdout)
    assert found, done.stdout[:500]
    measured: dict[str, list[list[float]]] = json.loads(found[1])
    return measured


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_browser_shows_the_mass_matrix(models_dir: Path, tmp_path: Path) -> None:
    equations = sistel.load(models_dir / "cart_pole.xml").equations()
    measured = browse(equations.to_html(lang="en"), tmp_path)
    assert len(measured["boxes"]) > 20
    assert all(width > 4 and height > 4 for width, height, _ in measured["boxes"])
    first, second, third, fourth = measured["cells"]
    # Two rows of two: a browser without MathML would put all entries on one line.
    assert first[1] == pytest.approx(second[1], abs=12) and third[1] == pytest.approx(fourth[1], abs=12)
    assert third[1] > first[1] + 10 and second[0] > first[0] + 10 and fourth[0] > third[0] + 10


@pytest.mark.parametrize("name", ["cart_pole", "chain5", "spinning_top", "slider_crank"])
def test_a_page_needs_nothing_else(name: str, models_dir: Path) -> None:
    page = sistel.load(models_dir / f"{name}.xml").equations().to_html(lang="ru")
    assert page.startswith("<!doctype html>")
    addresses = set(re.findall(r"https?://[^\"'\s<]+", page))
    assert addresses == {NAMESPACE}
    assert "<script" not in page and "src=" not in page and "@import" not in page
    assert page.count('data-in="en"') == page.count('data-in="ru"') > 10
    assert 'id="in-ru" checked' in page
    for heading in ("Уравнения движения", "Equations of motion", "Матрица масс", "Реакции сочленений", "Энергии"):
        assert heading in page


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_mathml_is_core(models_dir: Path, lang: str) -> None:
    text = sistel.load(models_dir / "double_pendulum.xml").equations().to_mathml(lang="ru" if lang == "ru" else "en")
    root = ElementTree.fromstring(text)
    names = {element.tag.rsplit("}", 1)[-1] for element in root.iter() if element.tag.startswith("{" + NAMESPACE)}
    core = {"math", "mi", "mn", "mo", "mrow", "mspace", "msub", "msup", "msubsup", "mover", "mfrac", "msqrt", "mstyle"}
    assert names <= core | {"mtable", "mtr", "mtd"}
    for name, count in (("mfrac", 2), ("mover", 2), ("msub", 2), ("msup", 2), ("msubsup", 3)):
        for element in root.iter(f"{{{NAMESPACE}}}{name}"):
            assert len(element) == count, ElementTree.tostring(element)
    assert ("Mass matrix" in text) == (lang == "en")


def test_long_equations_are_broken_into_lines(models_dir: Path) -> None:
    text = sistel.load(models_dir / "compass_walker.xml").equations().to_latex()
    body = text[text.index(r"\begin{align*}") :]
    widths = [
        len(re.sub(r"\\[a-zA-Z]+|[{}\\&]", "", line))
        for line in body.splitlines()
        if line.startswith("&") or "&=" in line
    ]
    assert max(widths) < 130


def test_notes_say_what_is_left_out(models_dir: Path) -> None:
    system = sistel.load(models_dir / "walker.xml")
    assert [note.en for note in system.equations().notes] == ["The tree of bodies only, without: contacts 2."]
    equations = system.equations("на правой")
    assert [note.en for note in equations.notes] == ["Do not hold in this structure: contacts 1."]
    assert "Не держат в этой структуре: контакты 1." in equations.to_html(lang="ru")
    assert not system.equations("на двух").notes


def test_counts_are_those_of_the_cheapest_program(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "pendulum.xml").equations()
    count = equations.count()
    assert (count.multiplications, count.additions, count.sincos) == (1, 1, 1)
    assert equations.count("mass_matrix").multiplications == 0
