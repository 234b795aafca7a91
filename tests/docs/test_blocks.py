"""Documentation that runs: every block of every page does what the page says (see `support.blocks`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.blocks import BlockError, PageRunner, read_blocks

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [p for p in (ROOT / "README.md", ROOT / "README.ru.md") if p.exists()]
SLOW = ("arms", "equations", "errors", "formats", "grippers", "lesson", "pages", "simulation", "tutorial", "README")
"""Pages that take more than two seconds; `tools/quick` runs those that were changed all the same."""


def _case(page: Path) -> object:
    marks = [pytest.mark.slow] if page.name.split(".")[0] in SLOW else []
    return pytest.param(page, marks=marks, id=page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("page", [_case(page) for page in PAGES])
def test_page_does_what_it_says(page: Path, models_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(models_dir, tmp_path / "models")
    lang = "ru" if page.parent.name == "ru" or page.name.endswith(".ru.md") else "en"
    runner = PageRunner(page, tmp_path, lang)
    problems = []
    for block in read_blocks(page.read_text(encoding="utf-8")):
        try:
            runner.run(block)
        except BlockError as error:
            problems.append(f"{page.relative_to(ROOT).as_posix()}:{error.line}: {error}")
    if problems:
        pytest.fail("\n\n".join(problems), pytrace=False)
