"""A page as a widget of notebooks: the same page, with a cursor that Python sees and moves."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sistel.errors import Text, refuse
from sistel.views.assets import asset_text
from sistel.views.page._payload import chosen_language, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.errors import Language
    from sistel.model import Model
    from sistel.plain import JsonObject
    from sistel.simulation import Run

Widget = Any
"""A widget of anywidget: nothing here depends on the package being there."""

LOWEST, TALLEST = 200, 4000
"""Heights that fit into a notebook [px]."""


def page_widget(
    model: Model,
    run: Run | None,
    *,
    lang: Language | None,
    height: int,
    quantities: Sequence[str] = (),
) -> Widget:
    """The page of a system, or of a run of it, as a widget.

    Raises:
        SistelError: The height is none, the page cannot be made, or anywidget is not installed.
    """
    if not LOWEST <= height <= TALLEST:
        refuse(
            "bad-height",
            Text(f"height = {height!r} is not possible", f"высота {height!r} невозможна"),
            expected=Text(f"pixels, {LOWEST} to {TALLEST}", f"точки экрана, от {LOWEST} до {TALLEST}"),
        )
    kind = _widget_class()
    return kind(lang=chosen_language(lang), height=height, **_shown(model, run, lang, quantities))


def _shown(model: Model, run: Run | None, lang: Language | None, quantities: Sequence[str]) -> JsonObject:
    """What a widget tells its views, by name."""
    from sistel.views.page import draw_page

    page = draw_page(model, run, lang=lang, quantities=quantities)
    begin = 0.0 if run is None else run.begin
    return {"page": page, "title": named(model.name), "time": begin, "playing": run is not None}


@cache
def _widget_class() -> type:
    try:
        anywidget, traitlets = import_module("anywidget"), import_module("traitlets")
    except ImportError:
        refuse(
            "no-anywidget",
            Text("widgets need the package anywidget", "для виджетов нужен пакет anywidget"),
            hint=Text("pip install 'sistel[notebook]'", "pip install 'sistel[notebook]'"),
        )

    def finite(widget: object, proposal: JsonObject) -> float:
        value = float(proposal["value"])
        if not math.isfinite(value):
            raise traitlets.TraitError("time must be a finite number of seconds")
        return value

    def show(widget: Any, run: Run, *, quantities: Sequence[str] = ()) -> None:
        """Put another run in its place."""
        for name, value in _shown(run.model, run, widget.lang, quantities).items():
            setattr(widget, name, value)

    shared = {"sync": True}
    members = {
        "__doc__": "A page in a notebook; `time` [s] and `playing` follow it and move it.",
        "__module__": __name__,
        "_esm": asset_text("widget.js"),
        "lang": traitlets.Enum(["en", "ru"]),
        "page": traitlets.Unicode().tag(**shared),
        "title": traitlets.Unicode().tag(**shared),
        "height": traitlets.Int().tag(**shared),
        "time": traitlets.Float().tag(**shared),
        "playing": traitlets.Bool().tag(**shared),
        "show": show,
        "_finite": traitlets.validate("time")(finite),
        "__repr__": lambda self: f"<widget of {self.title!r} at {self.time:g} s>",
    }
    made: type = type("PageWidget", (anywidget.AnyWidget,), members)
    return made
