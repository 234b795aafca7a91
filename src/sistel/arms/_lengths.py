"""How long the links of an arm have to be for what it is to reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def link_lengths(
    points: ArrayLike,
    *,
    shoulder: ArrayLike = (0.0, 0.0, 0.0),
    ratio: float = 1.0,
    margin: float = 0.0,
) -> tuple[float, float]:
    """The shortest upper arm and forearm that reach all of some points.

    A shoulder and an elbow reach what is between the difference and the sum of their links away. So the sum has to be
    the greatest distance; the wanted ratio is kept as far as the smallest distance allows.

    Args:
        points: What is to be reached, shape (n, 3) or (n, 2) [m].
        shoulder: Where the shoulder is [m].
        ratio: Upper arm to forearm.
        margin: How much longer the arm shall be than needed, in parts.

    Returns:
        Lengths of the upper arm and of the forearm [m].

    Raises:
        SistelError: There is nothing to reach, or the numbers are none.
    """
    given = np.atleast_2d(np.asarray(points, dtype=float))
    start = np.asarray(shoulder, dtype=float)[: given.shape[-1]]
    if given.size == 0 or not np.isfinite(given).all() or not (0.0 < ratio < np.inf) or margin < 0.0:
        message = Text(
            "finite points, a ratio above 0 and a margin of at least 0 are needed",
            "нужны конечные точки, отношение больше 0 и запас не меньше 0",
        )
        refuse("no-points", message)
    distances = np.linalg.norm(given - start, axis=1)
    total = float(distances.max()) * (1.0 + margin)
    nearest = float(distances.min()) / (1.0 + margin)
    difference = total * (ratio - 1.0) / (ratio + 1.0)
    difference = min(max(difference, -nearest), nearest)
    return 0.5 * (total + difference), 0.5 * (total - difference)
