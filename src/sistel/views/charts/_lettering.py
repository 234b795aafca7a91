"""How much room words take, without any font at hand."""

from __future__ import annotations


def cut(words: str, most: int) -> str:
    """Words of so many letters at most, with … where something is missing."""
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def width_of(words: str, size: float, bold: bool = False) -> float:
    """About how wide words are, rather too wide: fonts differ, and nothing here can measure them [px]."""
    em = sum(
        0.34 if letter in " .,:;!'|()[]/ijltfr" else 0.92 if letter in "mwMWшщжюыфмШЩЖЮЫФМ—@→" else
        0.72 if letter.isupper() else 0.60
        for letter in words
    )  # fmt: skip
    return em * size * (1.12 if bold else 1.04)
