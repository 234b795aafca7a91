"""Values over a section as colours."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.records import entry
from sistel.views.charts.palette import MISSING, ramp, table
from sistel.views.charts.png import png

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array


COLOURS: Final = 240
FINER: Final = 4
"""Pixels between two points of the grid."""
USUAL: Final = 0.97
"""Part of the values that the scale shows in full, where the rest are far beyond."""


@entry
class Scale:
    """From values to colours."""

    low: float
    high: float
    beyond: bool
    """Whether some values are above it."""

    def index(self, values: Array) -> NDArray[np.uint8]:
        """Numbers of colours; of what is no number, the one after the last."""
        span = self.high - self.low or 1.0
        part = np.clip((np.nan_to_num(values, posinf=self.high) - self.low) / span, 0.0, 1.0)
        return np.where(np.isnan(values), COLOURS, np.rint(part * (COLOURS - 1))).astype(np.uint8)


def scale_of(values: Array) -> Scale:
    """A scale for values: from 0 where they begin near it; a few that are far above are not shown in full."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Scale(0.0, 1.0, False)
    low, high, usual = float(finite.min()), float(finite.max()), float(np.quantile(finite, USUAL))
    if 0.0 <= low < 0.35 * usual:
        low = 0.0
    beyond = high > 1.25 * usual > 0.0 or bool(np.isposinf(values).any())
    top = usual if beyond else high
    if top - low < 1e-9 * max(abs(top), 1e-300):
        low, top = low - 0.05 * abs(low) - 1e-12, top + 0.05 * abs(top) + 1e-12
        beyond = False
    return Scale(low, top, beyond)


def picture(values: Array, scale: Scale) -> str:
    """The values as an image, the top row first, as an address that holds it whole.

    What lies outside takes the colour of what is next to it, so that an outline can cut it anywhere.
    """
    grown = _grown(values)
    rows, columns = grown.shape
    y, x = (np.clip((np.arange(n * FINER) + 0.5) / FINER - 0.5, 0.0, n - 1.0) for n in (rows, columns))
    i, j = (np.minimum(np.floor(at).astype(int), n - 2) for at, n in ((y, rows), (x, columns)))
    a, b = (y - i)[:, None], (x - j)[None, :]
    low, high = grown[i], grown[i + 1]
    smooth = (1 - a) * ((1 - b) * low[:, j] + b * low[:, j + 1]) + a * ((1 - b) * high[:, j] + b * high[:, j + 1])
    data = png(np.flipud(scale.index(smooth)), colours())
    return "data:image/png;base64," + base64.b64encode(data).decode()


def colours() -> NDArray[np.uint8]:
    """The colours of the scale, then that of points without a value."""
    return table([*ramp(COLOURS), MISSING])


def _grown(values: Array) -> Array:
    made = np.where(np.isposinf(values), np.nanmax(np.where(np.isfinite(values), values, np.nan), initial=0.0), values)
    for _ in range(4):
        empty = np.isnan(made)
        if not empty.any():
            break
        total, count = np.zeros(made.shape), np.zeros(made.shape)
        padded = np.pad(made, 1, constant_values=math.nan)
        for di in (0, 1, 2):
            for dj in (0, 1, 2):
                part = padded[di : di + made.shape[0], dj : dj + made.shape[1]]
                good = np.isfinite(part)
                total[good] += part[good]
                count[good] += 1
        fill = empty & (count > 0)
        made = np.where(fill, total / np.maximum(count, 1), made)
    return made
