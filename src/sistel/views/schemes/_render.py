"""Canonical text → SVG, by the stylesheet that ships with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from sistel.errors import Diagnostic, SistelError, Text
from sistel.markup import Node, write_document
from sistel.model import Model
from sistel.views._drawing import Drawing
from sistel.views.schemes._document import drawn_document
from sistel.views.trees import Stylesheet

Labels = Literal["numbers", "names", "none"]
Theme = Literal["auto", "light", "dark"]
Medium = Literal["screen", "print"]


def stylesheet() -> str:
    """The text of the XSLT 1.0 stylesheet: canonical XsysTel of a planar system to SVG."""
    return files("sistel.views.schemes").joinpath("scheme.xsl").read_text(encoding="utf-8")


def draw_scheme(
    model: Model,
    at: Sequence[float] | None = None,
    *,
    labels: Labels = "numbers",
    arrows: bool = False,
    centres: bool = False,
    dimensions: bool = False,
    theme: Theme = "auto",
    medium: Medium = "screen",
) -> Drawing:
    """The kinematic scheme of a system as an SVG picture.

    Args:
        model: The system.
        at: Coordinates to draw, shape (nq,) [m or rad]; by default those of the file's drawing, or of the start.
        labels: Whether the bodies bear their numbers or names.
        arrows: Whether arrows show where coordinates grow.
        centres: Whether the centres of mass are shown.
        dimensions: Whether lengths of links, distances of supports and radii are shown [mm].
        theme: Light, dark, or as the reader's screen is.
        medium: For a screen, or for paper: sizes in millimetres.
    """
    if not model.planar:
        from sistel.views.schemes._axonometry import draw_axonometry

        return draw_axonometry(
            model, at, labels=labels, centres=centres, dimensions=dimensions, theme=theme, medium=medium
        )
    chosen = {
        "labels": labels,
        "arrows": "yes" if arrows else "no",
        "centres": "yes" if centres else "no",
        "dimensions": "yes" if dimensions else "no",
        "theme": theme,
        "medium": medium,
    }
    return Drawing(render(drawn_document(model, at, dimensions=dimensions), chosen))


def render(document: Node, parameters: dict[str, str]) -> str:
    """What the stylesheet makes of a canonical document."""
    return transform(write_document(document), parameters)


@cache
def _ready() -> Stylesheet:
    return Stylesheet(stylesheet())


def transform(text: str, parameters: dict[str, str]) -> str:
    """Run the stylesheet on canonical text."""
    try:
        return _ready().run(text, parameters)
    except RecursionError:
        # Bodies stand in their bases, and neither stylesheets nor viewers nest without end.
        message = Text("the chain of bodies is too long to be drawn", "цепь тел слишком длинна, чтобы её нарисовать")
        expected = Text("up to about 2900 bodies one on the other", "примерно до 2900 тел одно на другом")
        raise SistelError([Diagnostic("too-deep", "error", message, expected=expected)]) from None
