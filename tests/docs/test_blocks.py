"""Documentation that runs: every block of every page does what the page says (see `support.blocks`)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.blocks import BlockError, PageRunner, read_blocks
from support.commands import serving

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [p for p in (ROOT / "README.md", ROOT / "README.ru.md") if p.exists()]
SLOW = (
    "arms",
    "equations",
    "errors",
    "formats",
    "grippers",
    "lesson",
    "pages",
    "simulation",
    "tutorial",
    "way_to_a_motor",
    "README",
)
"""Pages that take more than two seconds; `tools/quick` runs those that were changed all the same."""


def _case(page: Path) -> object:
    marks = [pytest.mark.slow] if page.name.split(".")[0] in SLOW else []
    return pytest.param(page, marks=marks, id=page.relative_to(ROOT).as_posix())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where calls of `sistel` go."""
    with serving(tmp_path_factory.mktemp("calls")) as found:
        yield found


@pytest.mark.parametrize("page", [_case(page) for page in PAGES])
def test_page_does_what_it_says(page: Path, models_dir: Path, tmp_path: Path, address: Path) -> None:
    shutil.copytree(models_dir, tmp_path / "models")
    lang = "ru" if page.parent.name == "ru" or page.name.endswith(".ru.md") else "en"
    runner = PageRunner(page, tmp_path, lang, address)
    problems = []
    for block in read_blocks(page.read_text(encoding="utf-8")):
        try:
            runner.run(block)
        except BlockError as error:
            problems.append(f"{page.relative_to(ROOT).as_posix()}:{error.line}: {error}")
    if problems:
        pytest.fail("\n\n".join(problems), pytrace=False)
