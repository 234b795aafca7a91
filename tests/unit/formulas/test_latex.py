"""The LaTeX compiles, and nothing sticks out of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Literal

import pytest

import sistel

PDFLATEX = shutil.which("pdflatex")


def has_cyrillic() -> bool:
    """Whether this TeX knows Cyrillic letters; small installations do not."""
    finder = shutil.which("kpsewhich")
    if finder is None:
        return False
    files = ("t2aenc.def", "russianb.ldf")
    return all(subprocess.run([finder, file], capture_output=True).returncode == 0 for file in files)


def compiled(text: str, folder: Path) -> str:
    (folder / "equations.tex").write_text(text, encoding="utf-8")
    command = [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "equations.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    output = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, output[-2000:]
    return output


def overfull(output: str) -> list[float]:
    return [float(width) for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", output)]


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["four_bar", "cart_pole", "bricard", "compass_walker"])
def test_english_needs_a_small_tex_only(name: str, models_dir: Path, tmp_path: Path) -> None:
    text = sistel.load(models_dir / f"{name}.xml").equations().to_latex(lang="en")
    assert "T2A" not in text and text.isascii()
    assert not overfull(compiled(text, tmp_path))
    assert (tmp_path / "equations.pdf").stat().st_size > 20_000


@pytest.mark.skipif(PDFLATEX is None or not has_cyrillic(), reason="no pdflatex that knows Cyrillic letters")
@pytest.mark.parametrize(("name", "structure"), [("slider_crank", None), ("walker", "на левой")])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_russian_compiles(
    name: str, structure: str | None, lang: Literal["en", "ru"], models_dir: Path, tmp_path: Path
) -> None:
    text = sistel.load(models_dir / f"{name}.xml").equations(structure).to_latex(lang=lang)
    assert ("T2A" in text) == (lang == "ru" or name == "walker")
    assert not overfull(compiled(text, tmp_path))
