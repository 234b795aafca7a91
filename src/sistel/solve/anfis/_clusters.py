"""Where data gather: subtractive clustering (Chiu 1994, doi 10.3233/IFS-1994-2306) and fuzzy c-means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record
from sistel.solve.anfis._checks import as_count, as_positive, as_table
from sistel.solve.anfis._network import blocks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


ACCEPT, REJECT, SQUASH = 0.5, 0.15, 1.25
"""Chiu's: parts of the first potential above which a centre is taken and below which none is, and how much farther than
`radius` a centre puts others off."""
SMALL = 2**18
"""Multiplications of a matrix product that libraries do not share among cores."""


@record
class Clusters:
    """Centres of clusters, and how wide they are."""

    centres: Array
    """Shape (count, columns) [units of the points]."""
    widths: Array
    """Standard deviation of each cluster along each column, shape (count, columns) [units of the points]."""


def box(points: Array) -> tuple[Array, Array]:
    """Least values and ranges of columns; a column that does not vary has the range 1."""
    low = points.min(axis=0)
    span = points.max(axis=0) - low
    # What varies by rounding alone does not vary.
    still = span <= 1e-12 * np.abs(points).max(axis=0)
    return low, np.where(still, 1.0, span)


def subtractive_clusters(points: ArrayLike, *, radius: float = 0.5, count: int | None = None) -> Clusters:
    """Clusters about points that have many others near them, the densest first.

    Args:
        points: Shape (number, columns).
        radius: Range of influence of a centre, of the box that holds all points scaled to 1.
        count: How many centres to take, whatever their density; without it Chiu's thresholds decide.

    Returns:
        Centres, which are some of the points; widths are radius / √8 of the box.
    """
    data = as_table(points, "points")
    reach = as_positive(radius, "radius")
    if count is not None:
        count = as_count(count, "count", most=len(data))
    low, span = box(data)
    unit = (data - low) / span
    potential = np.zeros(len(unit))
    # Squares of distances need no table of (rows, number, columns); and products so small stay on one core, where many
    # of them are quicker than with helpers that wait for each other.
    for rows in blocks(len(unit), min(max(SMALL // unit.size, 1), 256)):
        potential[rows] = np.exp(-4.0 / reach**2 * _squares(unit[rows], unit)).sum(axis=1)
    taken: list[int] = []
    first = float(potential.max())
    while count is None or len(taken) < count:
        best = int(potential.argmax())
        height = float(potential[best])
        if count is None and taken:
            verdict = _verdict(unit[best], unit[taken], height / first, reach)
            if verdict is None:
                break
            if not verdict:
                potential[best] = 0.0
                continue
        taken.append(best)
        squares = ((unit - unit[best]) ** 2).sum(axis=1)
        potential = potential - height * np.exp(-4.0 / (SQUASH * reach) ** 2 * squares)
        # A point is taken once, even where others lie on it.
        potential[best] = -np.inf
    widths = np.broadcast_to(reach * span / np.sqrt(8.0), (len(taken), data.shape[1]))
    return Clusters(centres=data[taken], widths=widths.copy())


def _verdict(point: Array, taken: Array, ratio: float, reach: float) -> bool | None:
    """Whether a point becomes a centre; None where no other will."""
    if ratio > ACCEPT:
        return True
    if ratio < REJECT:
        return None
    nearest = float(np.sqrt(((taken - point) ** 2).sum(axis=1).min()))
    return nearest / reach + ratio >= 1.0


def fuzzy_clusters(
    points: ArrayLike,
    *,
    count: int,
    fuzziness: float = 2.0,
    seed: int = 0,
    rounds: int = 200,
    tolerance: float = 1e-6,
) -> Clusters:
    """Fuzzy c-means: every point belongs to every cluster by u = 1 / Σ (d / d_l)^(2 / (fuzziness - 1)).

    Args:
        points: Shape (number, columns); they are scaled to a box of side 1.
        count: Number of clusters.
        fuzziness: Above 1; near 1 a point belongs to one cluster alone.
        seed: Of the draw of the first centres; equal seeds give equal clusters.
        rounds: Most rounds.
        tolerance: Rounds end when no centre moves farther, of the box.

    Returns:
        Centres, and standard deviations weighted by how much the points belong to them.
    """
    data = as_table(points, "points")
    count = as_count(count, "count", most=len(data))
    power = as_positive(fuzziness, "fuzziness")
    if power <= 1.0:
        refuse("bad-number", Text("fuzziness must be above 1", "нечёткость должна быть больше 1"))
    as_count(rounds, "rounds")
    low, span = box(data)
    unit = (data - low) / span
    centres = _spread(unit, count, np.random.default_rng(as_count(seed, "seed", 0, 2**63)))
    belongs = _belonging(unit, centres, power)
    for _ in range(rounds):
        shares = belongs.sum(axis=0)[:, None]
        # A cluster that nothing belongs to stays where it is.
        moved = np.where(shares > 0.0, belongs.T @ unit / np.maximum(shares, 1e-300), centres)
        still = float(np.abs(moved - centres).max()) < tolerance
        centres, belongs = moved, _belonging(unit, moved, power)
        if still:
            break
    variances = np.stack([belongs[:, i] @ (unit - centres[i]) ** 2 for i in range(count)])
    widths = np.sqrt(variances / np.maximum(belongs.sum(axis=0)[:, None], 1e-300))
    # A cluster of points that are all alike along a column still needs a width.
    return Clusters(centres=low + span * centres, widths=span * np.maximum(widths, 1e-3))


def _spread(unit: Array, count: int, rng: np.random.Generator) -> Array:
    """First centres far from one another: each is drawn by the squared distance from those before."""
    chosen = [int(rng.integers(len(unit)))]
    nearest = _squares(unit[chosen], unit)[0]
    while len(chosen) < count:
        total = float(nearest.sum())
        draw = float(rng.random())
        # Where all that is left lies on centres, the next point does.
        following = int(np.searchsorted(nearest.cumsum(), draw * total)) if total > 0 else len(chosen)
        chosen.append(min(following, len(unit) - 1))
        nearest = np.minimum(nearest, _squares(unit[chosen[-1:]], unit)[0])
    return unit[chosen].copy()


def _belonging(unit: Array, centres: Array, power: float) -> Array:
    """Membership u to the power of the fuzziness, shape (points, clusters)."""
    squares = np.maximum(_squares(unit, centres), 1e-300)
    logarithms = -np.log(squares) / (power - 1.0)
    logarithms -= logarithms.max(axis=1, keepdims=True)
    shares = np.exp(logarithms)
    return np.asarray((shares / shares.sum(axis=1, keepdims=True)) ** power)


def _squares(a: Array, b: Array) -> Array:
    """Squared distances of rows, shape (rows of a, rows of b)."""
    found = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2.0 * (a @ b.T)
    return np.asarray(np.maximum(found, 0.0))
