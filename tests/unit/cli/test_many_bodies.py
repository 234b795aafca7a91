"""Large descriptions: what is shown and drawn of them costs time in proportion to their size."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from support.thorough import cases

import sistel
from sistel.errors import SistelError

SHAPES = {"star": lambda i: 0, "chain": lambda i: i - 1, "tree": lambda i: i // 2}
"""The base of every body."""
COUNT = cases(8_000, 20_000)
"""Bodies; as many as may be where `SISTEL_THOROUGH=1` asks for them."""
SECONDS = 15.0 * COUNT / 20_000
"""For so many bodies, on a slow and shared machine; a third of it on one that is free."""


def write(path: Path, kind: str, count: int) -> Path:
    rows = []
    for i in range(1, count + 1):
        base = SHAPES[kind](i)
        place = "10,0" if base else f"{i},0"
        rows.append(
            f'<body name="b{i}" base="{f"b{base}" if base else 0}" place="{place}" joint="revolute" mass="1" com="0,10"/>'
        )
    path.write_text("<system>\n" + "\n".join(rows) + "\n</system>\n")
    return path


def seconds(*words: str) -> float:
    """Processor time of a call of the command line [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "sistel", *words], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr[-500:]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHAPES)
def test_thousands_of_bodies_are_shown_in_seconds(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / "many.xml", kind, COUNT)
    assert seconds("show", str(path)) < SECONDS
    assert seconds("check", str(path), "--reading") < SECONDS


@pytest.mark.slow
def test_drawing_grows_with_the_number_of_bodies(tmp_path: Path) -> None:
    """Four times the bodies, not sixteen times the work: labels of many bodies are not compared with each other."""
    few, many = (
        seconds("draw", str(write(tmp_path / "many.xml", "star", count)), "-o", str(tmp_path / "a.svg"))
        for count in (500, 2000)
    )
    assert many < 6 * few


def test_a_chain_that_is_too_long_to_draw_is_refused(tmp_path: Path) -> None:
    system = sistel.load(write(tmp_path / "many.xml", "chain", 3200))
    with pytest.raises(SistelError, match="too long to be drawn"):
        system.scheme()
