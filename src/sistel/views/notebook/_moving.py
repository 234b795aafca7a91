"""Pictures of systems and runs in notebooks: images that move by themselves, without scripts."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sistel.errors import SistelError, Text
from sistel.views.text._numbers import clean

if TYPE_CHECKING:
    from sistel.errors import Language
    from sistel.model import Model
    from sistel.simulation import Run


class DrawnEnsemble(Protocol):
    """What is asked of an ensemble to draw it; ensembles are above views."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def failed(self) -> Any: ...

    def __len__(self) -> int: ...

    def map(self, *, lang: Language) -> Any: ...

    def run(self, index: int) -> Run: ...


STEPS = 4000
"""Of a run that is drawn moving: notebooks show results by themselves, and nobody waits for that for seconds."""
LARGEST = 1_000_000
"""Letters of a picture: they stay in the notebook's file."""
WIDTH = 640
"""Of a moving picture [px]."""
NARROW = 420
"""Of one that stands still [px]."""


def image(picture: str | bytes, words: str, width: int) -> str:
    """A picture, SVG or PNG, as an image, which neither runs scripts nor shares names with the notebook."""
    kind, content = ("svg+xml", picture.encode()) if isinstance(picture, str) else ("png", picture)
    data = base64.b64encode(content).decode()
    look = f"display:block;width:100%;max-width:{width}px;max-height:{width}px;height:auto;margin:.4em 0"
    return f'<img alt="{escape(clean(words))}" style="{look}" src="data:image/{kind};base64,{data}">'


def scheme_image(model: Model, lang: Language, q: list[float] | None = None) -> str:
    """The kinematic scheme of a system, at its start unless told otherwise; nothing where it cannot be drawn.

    Args:
        model: The system.
        lang: Language of the words that are read aloud.
        q: Coordinates, shape (nq,) [m or rad].
    """
    from sistel.views.schemes import draw_scheme

    try:
        svg = str(draw_scheme(model, q, labels="numbers"))
    except SistelError:  # such as one whose loops do not close: the tables below say so
        return ""
    words = Text(f"kinematic scheme: {model.name}", f"кинематическая схема: {model.name}")
    return image(svg, words.say(lang), NARROW)


def run_image(run: Run, lang: Language) -> str:
    """A run as a moving scheme; where that would take long, as the scheme of its end, with a word why."""
    model = run.model
    nq = model.nq
    if sum(1 for _ in zip(range(STEPS + 1), run.t, strict=False)) <= STEPS:
        from sistel.views.animation import animate_run

        try:
            svg = str(animate_run(run, lang=lang))
        except SistelError as problem:
            return scheme_image(model, lang, run.last[:nq].tolist()) + _note(problem.diagnostics[0].message.say(lang))
        if len(svg) <= LARGEST:
            words = Text(f"the motion of {model.name}", f"движение системы {model.name}")
            return image(svg, words.say(lang), WIDTH)
    long = Text(
        "the end of the run; it is too long to move here: run.widget() plays it",
        "конец расчёта; для движущейся картинки он слишком длинный: run.widget() показывает движение",
    )
    return scheme_image(model, lang, run.last[:nq].tolist()) + _note(long.say(lang))


def ensemble_image(ensemble: DrawnEnsemble, lang: Language) -> str:
    """The map of a grid of two axes, and the motion of the first run that ended well; without records, neither."""
    parts = []
    try:
        if len(ensemble.shape) == 2:
            words = Text("how the runs ended, over the grid", "чем кончились расчёты, по сетке")
            parts.append(image(ensemble.map(lang=lang).png(), words.say(lang), WIDTH))
        good = np.flatnonzero(~np.asarray(ensemble.failed))
        if good.size:
            number = int(good[0])
            parts.append(run_image(ensemble.run(number), lang))
            which = Text(f"run {number} of {len(ensemble)}", f"расчёт {number} из {len(ensemble)}")
            parts.append(_note(which.say(lang)))
    except SistelError as problem:  # such as one that kept no records
        parts.append(_note(problem.diagnostics[0].message.say(lang)))
    return "".join(parts)


def _note(words: str) -> str:
    return f'<p class="dim">{escape(clean(words))}</p>'
