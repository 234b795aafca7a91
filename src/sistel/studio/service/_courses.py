"""What inputs of schemes are given during a run, as people write it: a value, or `0.5 s: 1; 0.8 s: 0`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.errors import SistelError, Source, Span, Text, refuse
from sistel.records import record

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import InputCourse


@record
class Given:
    """What a window gives the inputs of a run."""

    lines: Mapping[str, str]
    """By the names of inputs."""
    path: str = ""
    """Of a table of the folder with columns time, input, value; empty without."""
    text: str = ""
    """What stands in it."""

    def courses(self) -> dict[str, InputCourse]:
        """The course of each input, as `System.simulate` takes it.

        Raises:
            SistelError: A line cannot be read, or an input is given twice.
        """
        made: dict[str, InputCourse] = {}
        if self.path:
            from sistel.simulation import read_record

            made.update(read_record(Source(self.path, self.text)))
        for name, line in self.lines.items():
            if not line.strip():
                continue
            if name in made:
                refuse(
                    "bad-input",
                    Text(
                        f'input "{name}" is given here and in {self.path}',
                        f"ввод «{name}» задан и здесь, и в {self.path}",
                    ),
                )
            made[name] = course(name, line)
        return made


def course(name: str, line: str) -> InputCourse:
    """What one line says of an input: a value, or times with values, divided by semicolons.

    Raises:
        SistelError: A part of it has no time, or no value.
    """
    parts = [each for each in re.finditer(r"[^;\n]+", line) if each[0].strip()]
    if len(parts) == 1 and ":" not in line:
        return line.strip()
    made: list[tuple[float | str, float | str]] = []
    for each in parts:
        when, colon, what = each[0].partition(":")
        if not (colon and when.strip() and what.strip()):
            refuse(
                "bad-input",
                Text(f'input "{name}": here belong a time and a value', f"ввод «{name}»: здесь нужны время и значение"),
                span=Span(Source(f"<{name}>", line), each.start(), each.end()),
                expected=Text("0.5 s: 1; 0.8 s: 0", "0.5 с: 1; 0.8 с: 0"),
            )
        made.append((when.strip(), what.strip()))
    return made


def wrong(model: Model, lines: Mapping[str, str]) -> dict[str, SistelError]:
    """What is wrong with what inputs are given, by their names."""
    from sistel.simulation import read_inputs

    found: dict[str, SistelError] = {}
    for name, line in lines.items():
        try:
            read_inputs(model, Given(lines={name: line}).courses())
        except SistelError as problem:
            found[name] = problem
    return found
