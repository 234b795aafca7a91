"""From data to rules: how many, where, and how wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.solve.anfis._checks import as_numbers, as_table, one_of
from sistel.solve.anfis._clusters import box, fuzzy_clusters, subtractive_clusters
from sistel.solve.anfis._fit import RIDGE, fit_consequents
from sistel.solve.anfis._network import Anfis

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


Clustering = Literal["subtractive", "fcm"]
"""How data are gathered into rules."""
DEFAULT_RULES = 10
"""Rules that fuzzy c-means makes unless told otherwise."""


def as_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Inputs and outputs, one row and one number per pair."""
    inputs = as_table(x, "x")
    outputs = as_numbers(y, "y").reshape(-1)
    if len(inputs) != len(outputs):
        refuse(
            "bad-array",
            Text(f"{len(inputs)} inputs, but {len(outputs)} outputs", f"входов {len(inputs)}, выходов {len(outputs)}"),
        )
    return inputs, outputs


def build_network(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rules: int | None = None,
    clustering: Clustering = "subtractive",
    radius: float = 0.5,
    seed: int = 0,
    ridge: float = RIDGE,
) -> Anfis:
    """A network from data: one rule per cluster of inputs with outputs, consequents by least squares.

    Args:
        x: Inputs, shape (count, n).
        y: Outputs, shape (count,).
        rules: How many; by default as many as subtractive clustering finds, or 10 with fuzzy c-means.
        clustering: "subtractive" or "fcm".
        radius: Of subtractive clustering, of the box of the data; it sets the widths too.
        seed: Of fuzzy c-means.
        ridge: See `fit_consequents`.
    """
    one_of(clustering, "clustering", ("subtractive", "fcm"))
    inputs, outputs = as_pairs(x, y)
    together = np.column_stack([inputs, outputs])
    if clustering == "fcm":
        found = fuzzy_clusters(together, count=DEFAULT_RULES if rules is None else rules, seed=seed)
    else:
        found = subtractive_clusters(together, radius=radius, count=rules)
    low, span = box(inputs)
    count = inputs.shape[1]
    network = Anfis(
        low=low,
        span=span,
        centres=(found.centres[:, :count] - low) / span,
        widths=found.widths[:, :count] / span,
        consequents=np.zeros((len(found.centres), count + 1)),
    )
    return fit_consequents(network, inputs, outputs, ridge=ridge)
