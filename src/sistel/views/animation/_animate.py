"""A run as a moving kinematic scheme: one picture in SVG without scripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from sistel.errors import Diagnostic, Language, SistelError, Text, user_language
from sistel.records import entry
from sistel.views._drawing import Drawing
from sistel.views._steps import check_steps
from sistel.views.animation._clock import Clock
from sistel.views.animation._film import Film, Style
from sistel.views.animation._frame import HEAD, Frame, frame_rules
from sistel.views.animation._keys import too_many
from sistel.views.animation._planar import PlanarActor
from sistel.views.animation._samples import times_of
from sistel.views.animation._spatial import SpatialActor
from sistel.views.schemes._moving import moving_scheme
from sistel.views.schemes._render import Labels, Theme
from sistel.views.schemes._style import style_rules

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from sistel.arrays import Array
    from sistel.simulation import Run

SVG = "http://www.w3.org/2000/svg"
ROOM = (640.0, 440.0)
"""Of a scheme [px]."""
NARROWEST = 420.0
"""So wide is the picture at least [px]."""
BOUND = 0.1
"""How far any point of a body may be from where the run has it, at any time [px]."""
POSTURES = 4000
LARGEST = 8_000_000
"""Letters of a picture."""


def animate_run(
    run: Run,
    *,
    style: Style = "smil",
    trails: Sequence[str] = (),
    lang: Language | None = None,
    speed: float = 1.0,
    theme: Theme = "auto",
    labels: Labels = "none",
) -> Drawing:
    """A run as a picture that moves: the kinematic scheme, the time, the structures on a timeline, events as flashes.

    It goes round and round, inside <img> too. Between its keys bodies go along cubic curves; no point of a body is
    further than 0.1 px from its place in the run, at any time.

    Args:
        run: The run.
        style: Whether motion is written as SMIL, which is short, or as keyframes of CSS.
        trails: Names of points, frames or bodies whose way is drawn.
        lang: Language of the words; the user's unless told otherwise.
        speed: How much faster than the run it goes.
        theme: Light, dark, or as the reader's screen is.
        labels: Whether the bodies bear their numbers or names.

    Raises:
        SistelError: A name or the speed is wrong, or the run has kept no steps.
    """
    if not (math.isfinite(speed) and 1e-6 <= speed <= 1e6):
        message = Text(f"speed = {speed:g} is not possible", f"скорость {speed:g} невозможна")
        raise SistelError(
            [Diagnostic("bad-speed", "error", message, expected=Text("such as 1 or 0.1", "например 1 или 0.1"))]
        )
    check_steps(run)
    lang = lang or user_language()
    film = Film(Clock(run.begin, run.end, speed), style, "sistel-film")
    times = times_of(run, POSTURES)
    states = (
        np.concatenate([run.q, run(np.clip(times, run.begin, run.end))[0]])
        if run.segments
        else run.last[None, : run.model.nq]
    )
    actor = _actor(run, states, film, labels)
    layout = layout_of(actor.window)
    actor.perform(BOUND / layout.scale, layout.scale, trails)
    root = assembled(run, film, actor.parts(), layout, theme, lang)
    from lxml import etree

    text = etree.tostring(root, encoding="unicode")
    if len(text) > LARGEST:
        raise too_many()
    return Drawing(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')


@entry
class Layout:
    """Where the scheme stands in the picture."""

    scale: float
    """Pixels of a mm."""
    left: float
    """Of the window, which is as wide as the picture [mm]."""
    top: float
    wide: float
    high: float
    width: float
    """Of the picture [px]."""
    height: float
    """Of the scheme in it [px]."""


def layout_of(window: tuple[float, float, float, float]) -> Layout:
    """The layout of a picture that shows a window: left, top, width and height [mm]."""
    left, top, wide, high = window
    scale = min(ROOM[0] / wide, ROOM[1] / high)
    width = max(wide * scale, NARROWEST)
    return Layout(scale, left - (width / scale - wide) / 2, top, width / scale, high, width, high * scale)


def assembled(run: Run, film: Film, parts: Sequence[Element], layout: Layout, theme: Theme, lang: Language) -> Element:
    """The picture: what stands on the stage, with a frame around it.

    Args:
        run: The run.
        film: What has been set in motion; the frame is added to it.
        parts: What stands on the stage [mm].
        layout: Where the stage is.
        theme: Light, dark, or as the reader's screen is.
        lang: Language of the words.
    """
    frame = Frame(run, film, layout.width, lang)
    root = _root(run, layout.width, HEAD + layout.height + frame.foot, lang)
    scale, left, top = layout.scale, layout.left, layout.top
    # A group and no inner <svg>: that would have a clock of its own.
    stage = _element(
        "g", {"transform": f"matrix({scale:.8g},0,0,{scale:.8g},{-left * scale:.4f},{HEAD - top * scale:.4f})"}
    )
    stage.set("clip-path", "url(#окно)")
    for part in parts:
        stage.append(part)
    for part in (stage, *frame.head(), *frame.bottom(HEAD + layout.height)):
        root.append(part)
    defs = next(root.iter(f"{{{SVG}}}defs"))
    defs.append(_clip("окно", left, top, layout.wide, layout.high))
    sheet = next(root.iter(f"{{{SVG}}}style"))
    sheet.text = "\n" + style_rules(theme, film.scope) + frame_rules(theme, film.scope) + film.sheet()
    return root


def _actor(run: Run, states: Array, film: Film, labels: Labels) -> PlanarActor | SpatialActor:
    scheme = moving_scheme(run.model, states, labels=labels, look="light")
    return (SpatialActor if scheme.space is not None else PlanarActor)(run, scheme, film, states)


def _element(tag: str, attributes: dict[str, str]) -> Element:
    from lxml import etree

    return etree.Element(f"{{{SVG}}}{tag}", attributes, nsmap=cast("dict[str, str]", {None: SVG}))


def _clip(name: str, x: float, y: float, wide: float, high: float) -> Element:
    clip = _element("clipPath", {"id": name})
    clip.append(_element("rect", {"x": f"{x:.4f}", "y": f"{y:.4f}", "width": f"{wide:.4f}", "height": f"{high:.4f}"}))
    return clip


def _root(run: Run, width: float, height: float, lang: Language) -> Element:
    from sistel.views.text._numbers import clean

    root = _element("svg", {"class": "sistel-film", "role": "img", "lang": lang})
    root.set("width", f"{width:.2f}")
    root.set("height", f"{height:.2f}")
    root.set("viewBox", f"0 0 {width:.2f} {height:.2f}")
    title = _element("title", {})
    title.text = clean(run.model.name)
    defs = _element("defs", {})
    defs.append(_element("style", {}))
    paper = _element("rect", {"class": "paper", "width": "100%", "height": "100%"})
    for part in (title, defs, paper):
        root.append(part)
    return root
