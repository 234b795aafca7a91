"""Intervals between keys that become one as long as a bound holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags, Indices

    Intervals = tuple[Array, Array, Indices]
    """Beginnings and ends [s], and the stays that they are parts of, in order."""


def join(
    begin: Array, end: Array, stay: Indices, fixed: Flags, excess: Callable[[Array, Array, Indices], Array]
) -> Intervals:
    """Neighbours become one, two at a time.

    From below, so that a short motion between long rests is never overlooked: what bends does not join. What could not
    be joined once is not tried again.

    Args:
        begin: Where intervals begin [s].
        end: Where they end [s].
        stay: The stays that they are parts of.
        fixed: Whether the end of an interval must stay a key; that of the last one of a stay must.
        excess: The worst error of intervals over what is allowed.
    """
    while not fixed.all():
        tried = np.flatnonzero(~fixed)
        # No two neighbours at once.
        tried = tried[np.append(True, np.diff(tried) > 1) | (tried % 2 == 0)]
        tried = tried[np.append(True, np.diff(tried) > 1)]
        fits = excess(begin[tried], end[tried + 1], stay[tried]) <= 1.0
        fixed[tried[~fits]] = True
        end[tried[fits]] = end[tried[fits] + 1]
        fixed[tried[fits]] = fixed[tried[fits] + 1]
        kept = np.ones(len(begin), dtype=bool)
        kept[tried[fits] + 1] = False
        begin, end, stay, fixed = begin[kept], end[kept], stay[kept], fixed[kept]
    return begin, end, stay
