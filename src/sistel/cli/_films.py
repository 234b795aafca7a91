"""What `sistel run` is told of films."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TypedDict

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._described import options
from sistel.cli._values import read_positive
from sistel.errors import SistelError, Text

FILMS = (".mp4", ".webm", ".gif")
"""Suffixes of films."""

OPTIONS = options(
    """
    --rate NUMBER | ЧИСЛО
        of a film: pictures a second, 25 by default
        фильма: кадров в секунду, по умолчанию 25
    --speed NUMBER | ЧИСЛО
        of a film: how much faster than the run it goes; 1 by default, and less for what is over within a second
        фильма: во сколько раз он быстрее движения; по умолчанию 1, а для того, что короче секунды, меньше
    --width PIXELS | ТОЧКИ
        of a film, an even number, 800 by default
        ширина фильма, чётное число, по умолчанию 800
    """
)


class FilmLook(TypedDict, total=False):
    """What is said of a film."""

    rate: float
    speed: float
    width: int


def asked_film(call: Call, outputs: Sequence[str]) -> FilmLook:
    """What the options say, checked before anything is computed."""
    from sistel.units import PLAIN

    films = [output for output in outputs if is_film(output)]
    look: FilmLook = {}
    given = [key for key in ("rate", "speed", "width") if call.given(key)]
    if given and not films:
        wrong_call(
            "bad-call",
            Text(f"--{given[0]} goes with a film", f"--{given[0]} — для фильма"),
            expected=Text("-o FILE.mp4, .webm or .gif", "-o ФАЙЛ.mp4, .webm или .gif"),
        )
    if "rate" in given:
        look["rate"] = read_positive(call, "rate", PLAIN, 25.0)
    if "speed" in given:
        look["speed"] = read_positive(call, "speed", PLAIN, 1.0)
    if "width" in given:
        width = read_positive(call, "width", PLAIN, 800.0)
        if width != int(width):
            wrong_call(
                "bad-number",
                Text("--width is a whole number of pixels", "--width — целое число точек"),
            )
        look["width"] = int(width)
    if films:
        from sistel.views.films import check_look, require_film

        try:
            for film in films:
                suffix = PurePath(film).suffix
                require_film(suffix)
                check_look(suffix, **look)
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
    return look


def is_film(output: str) -> bool:
    """Whether a file is a film by its name."""
    return PurePath(output).suffix in FILMS
