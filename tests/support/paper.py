"""What stands on the pages of a PDF, and where, as poppler reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

MISSING = shutil.which("pdftotext") is None
needs_poppler = pytest.mark.skipif(MISSING, reason="poppler-utils is not installed")
MM = 72.0 / 25.4
"""[pt]"""
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">')
_WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)</word>')


@dataclass(frozen=True)
class Word:
    """A word on a page, its box from the upper left corner [mm]."""

    page: int
    left: float
    top: float
    right: float
    bottom: float
    text: str


def read_words(path: Path) -> list[Word]:
    """All words of a PDF; pages are A4."""
    told = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True).stdout
    made, page = [], 0
    for line in told.splitlines():
        if found := _PAGE.search(line):
            page += 1
            assert (round(float(found[1]) / MM), round(float(found[2]) / MM)) == (210, 297)
        elif found := _WORD.search(line):
            box = [float(number) / MM for number in found.groups()[:4]]
            made.append(Word(page, *box, unescape(found[5])))
    return made


def read_lines(path: Path) -> list[str]:
    """The text of a PDF as lines, rows of tables being one line each."""
    call = ["pdftotext", "-layout", str(path), "-"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()


def outside(words: list[Word], within: float = 0.3) -> list[Word]:
    """Words that stick out of what is printed: 20 mm from the sides, 10 mm from above and below."""
    return [
        word
        for word in words
        if word.left < 20 - within or word.right > 190 + within or word.top < 10 or word.bottom > 287
    ]


def overlapping(words: list[Word]) -> list[tuple[Word, Word]]:
    """Pairs of words that cover each other by more than a hair [mm]; those of pictures and formulas are small."""
    found = []
    for i, one in enumerate(words):
        for two in words[i + 1 : i + 40]:
            if two.page != one.page:
                break
            wide = min(one.right, two.right) - max(one.left, two.left)
            high = min(one.bottom, two.bottom) - max(one.top, two.top)
            if wide > 0.8 and high > 1.6:
                found.append((one, two))
    return found
