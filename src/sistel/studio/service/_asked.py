"""What is asked in the console: its parts, and how a value is told."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from sistel.errors import Diagnostics, Language, SistelError, Source, Span, Text
from sistel.model import Model, Typed, read_value
from sistel.units import ANGLE, TIME, si_symbol

_AT: Final = re.compile(r"^(?P<asked>.*\S)\s+(?:at|при)\s+(?P<time>\S.*)$", re.IGNORECASE | re.DOTALL)


def parts(line: str) -> tuple[str, str | None]:
    """What is asked, and when: ``angle(knee) at 1.5 s``."""
    found = _AT.match(line.strip())
    return (line.strip(), None) if found is None else (found["asked"], found["time"])


def instant(model: Model, when: str) -> float:
    """An instant as a line names it [s]."""
    diagnostics = Diagnostics()
    known = {each.name: each for each in model.parameters}
    found = read_value("<console>", when, TIME, known, diagnostics)
    diagnostics.raise_if_failed()
    assert found is not None
    return found


def span_of(line: str, part: str) -> Span:
    start = max(0, line.rfind(part))
    return Span(Source("<console>", line), start, start + len(part))


def told_value(value: float, typed: Typed, t: float) -> dict[str, object]:
    """A value with its unit, and its time."""
    if typed.dimension is None:
        words = Text("yes", "да") if value > 0.5 else Text("no", "нет")
        return {"text": {"en": words.en, "ru": words.ru}, "value": value, "t": t}
    told: dict[str, str] = {}
    languages: tuple[Language, ...] = ("en", "ru")
    for each in languages:
        plain = typed.dimension.plain
        unit = "" if plain else " " + si_symbol(typed.dimension, each).replace("*", "·")
        more = ""
        if typed.dimension == ANGLE and math.isfinite(value):
            more = f" = {math.degrees(value):.12g}°"
        told[each] = f"{value:.15g}{unit}{more}"
    return {"text": told, "value": value if math.isfinite(value) else None, "t": t}


@contextmanager
def placed(line: str, part: str) -> Iterator[None]:
    """What is wrong in a part of a line has its place in the line."""
    try:
        yield
    except SistelError as problem:
        whole = span_of(line, part)
        found = []
        for each in problem.diagnostics:
            own = each.span
            moved = own
            if own is not None and own.source.text == part:
                moved = Span(whole.source, whole.start + own.start, whole.start + own.end)
            found.append(replace(each, span=moved))
        raise SistelError(found) from None
