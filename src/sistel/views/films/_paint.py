"""Pictures of SVG as pixels, by the library resvg, where it is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from types import ModuleType

_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">'
    '<text x="2" y="20" font-size="20" font-family="DejaVu Sans,Segoe UI,Roboto,system-ui,sans-serif">{}</text></svg>'
)
SANS = ("DejaVu Sans", "Arial", "Helvetica", "Liberation Sans", "Noto Sans", "Roboto", "Segoe UI")
"""Fonts without serifs that systems have, the first that is there is taken."""


def require_paint() -> None:
    """Say what is missing before anything is computed.

    Raises:
        SistelError: The library is not installed.
    """
    _library()


def painted(svg: str) -> bytes:
    """A picture as a PNG file, in the size that it names."""
    return bytes(_library().svg_to_bytes(svg_string=svg, sans_serif_family=font()))


@cache
def font() -> str | None:
    """The font of words; None where no font is installed, and pictures have no words."""
    library = _library()

    def seen(family: str, letter: str) -> bytes:
        text = _LETTER.format(letter).replace("DejaVu Sans,Segoe UI,Roboto,system-ui,sans-serif", family)
        return bytes(library.svg_to_bytes(svg_string=text))

    return next((family for family in SANS if seen(family, "Ж") != seen(family, " ")), None)


def _library() -> ModuleType:
    try:
        return import_module("resvg_py")
    except ImportError:
        refuse(
            "no-film",
            Text("films are painted by resvg, which is not installed", "кадры рисует resvg, а он не установлен"),
            hint=Text(
                "pip install sistel[video]; or keep the run as .svg or .html, which move in browsers",
                "pip install sistel[video]; или сохраните расчёт как .svg или .html: они движутся в браузерах",
            ),
        )
