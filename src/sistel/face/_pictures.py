"""A system as pictures: its scheme, the graph of its structures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from sistel.face._system import System
    from sistel.views import Drawing


def structure_graph(self: System, lang: Literal["en", "ru"] | None = None) -> Drawing:
    """The graph of structures and transitions as the text of an SVG picture, which notebooks show as such.

    Args:
        lang: Language of its words, conditions included; the user's unless told otherwise.
    """
    from sistel.views import draw_structures

    return draw_structures(self._model, lang)


def scheme(
    self: System,
    at: str | Mapping[str, float] | Sequence[float] | None = None,
    *,
    labels: Literal["numbers", "names", "none"] = "numbers",
    arrows: bool = False,
    centres: bool = False,
    dimensions: bool = False,
    theme: Literal["auto", "light", "dark"] = "auto",
    medium: Literal["screen", "print"] = "screen",
) -> Drawing:
    """The kinematic scheme as the text of an SVG picture, which notebooks show as such.

    Args:
        at: What is drawn: the name of a posture, "start", "zero", or coordinates, all of them, shape (nq,), or some
            by name [m or rad]. Loops are closed. Without it, those of the file's drawing, or of the start.
        labels: Whether the bodies bear their numbers or names.
        arrows: Whether arrows show where coordinates grow.
        centres: Whether the centres of mass are shown.
        dimensions: Whether lengths of links, distances of supports and radii are shown [mm].
        theme: Light, dark, or as the reader's screen is.
        medium: For a screen, or for paper: sizes in millimetres.

    Raises:
        SistelError: There is no such posture, or the coordinates are of a wrong number.
    """
    from sistel.views.schemes import coordinates_at, draw_scheme

    q = None if at is None else coordinates_at(self._model, at)
    return draw_scheme(
        self._model,
        q,
        labels=labels,
        arrows=arrows,
        centres=centres,
        dimensions=dimensions,
        theme=theme,
        medium=medium,
    )


def wiring(
    self: System,
    scheme: str | None = None,
    *,
    lang: Literal["en", "ru"] | None = None,
    theme: Literal["auto", "light", "dark"] = "auto",
) -> Drawing:
    """The functional schemes as the text of an SVG picture: blocks by the flow of data, and the wires between them.

    Args:
        scheme: The name of one; all of them, one below the other, unless told otherwise.
        lang: Language of the words; the user's unless told otherwise.
        theme: Light, dark, or as the reader's screen is.

    Raises:
        SistelError: The file has no functional scheme, or none of that name.
    """
    from sistel.views.wiring import draw_wiring

    return draw_wiring(self._model, scheme, lang=lang, theme=theme)


def widget(self: System, *, lang: Literal["en", "ru"] | None = None, height: int = 560) -> Any:
    """The page of the system as a widget of a notebook (Jupyter, VS Code, marimo): posed, moved by itself, explained.

    It needs the extra "notebook". Its `time` [s] and `playing` follow the page and move it; `show(run)` plays a run.

    Args:
        lang: Language of the words; the user's unless told otherwise.
        height: Of the page [px].

    Raises:
        SistelError: The package anywidget is not installed.
    """
    from sistel.views.notebook import page_widget

    return page_widget(self._model, None, lang=lang, height=height)
