"""Curves of a solved problem: a panel for every dimension, in the colours of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.look import COORDINATES
from sistel.tasks import in_unit, unit_word
from sistel.units import TIME, Dimension
from sistel.views._switched import both
from sistel.views.charts.chart import Frame, axis, curve

if TYPE_CHECKING:
    from sistel.tasks import Curve

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 880.0, 202.0, 64.0, 12.0, 10.0, 38.0
HUES = len(COORDINATES)


def draw_curves(curves: Sequence[Curve]) -> str:
    """All curves; empty where there are none."""
    groups: dict[Dimension, list[Curve]] = {}
    for each in curves:
        if np.isfinite(each.values).any():
            groups.setdefault(each.dimension, []).append(each)
    return "".join(_panel(dimension, group) for dimension, group in groups.items())


def _panel(dimension: Dimension, curves: Sequence[Curve]) -> str:
    factor = in_unit(1.0, dimension)
    values = [factor * each.values for each in curves]
    whole = np.concatenate(values)
    whole = whole[np.isfinite(whole)]
    times = curves[0].t
    frame = Frame(
        left=LEFT,
        top=TOP,
        width=WIDTH - LEFT - RIGHT,
        height=HEIGHT - TOP - BOTTOM,
        x=axis(float(times[0]), float(times[-1]), 9, widen=False),
        y=axis(float(whole.min()), float(whole.max()), 5),
    )
    x = LEFT + (times - frame.x.low) / (frame.x.high - frame.x.low) * frame.width
    x_unit = "".join(
        f'<text class="end" data-in="{lang}" x="{WIDTH - RIGHT:.0f}" y="{HEIGHT - 4:.0f}">'
        f"t, {unit_word(TIME, lang)}</text>"
        for lang in ("en", "ru")
    )
    parts = [*frame.grid(), x_unit, *frame.numbers_beside(), *frame.numbers_below()]
    for i, scaled in enumerate(values):
        y = TOP + frame.height - (scaled - frame.y.low) / (frame.y.high - frame.y.low) * frame.height
        fine = np.isfinite(y)
        parts.append(f'<path class="line" style="stroke:var(--c{i % HUES})" d="{curve(x[fine], y[fine])}"/>')
    legend = []
    for i, each in enumerate(curves):
        en, ru = (unit_word(dimension, lang) for lang in ("en", "ru"))
        label = Text(f"{each.label.en}{', ' + en if en else ''}", f"{each.label.ru}{', ' + ru if ru else ''}")
        legend.append(f'<span><i class="k" style="background:var(--c{i % HUES})"></i>{both(label)}</span>')
    return (
        f'<div class="legend">{"".join(legend)}</div>'
        f'<svg class="curves" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img">{"".join(parts)}</svg>\n'
    )
