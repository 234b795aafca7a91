"""The network: first-order Sugeno rules with Gaussian memberships (Jang 1993, doi 10.1109/21.256541).

Rule i of m says: if every input x_j is about c_ij, then y is about f_i = p_i · (x, 1). Its weight is the product of
n Gaussians, w_i = Π exp(-(x_j - c_ij)² / (2 σ_ij²)), and the answer is Σ w_i f_i / Σ w_i. A product over a dozen inputs
is soon below the least positive float, so sums of logarithms are used, less the greatest of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record
from sistel.solve.anfis._checks import as_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import AnyArray, Array


BLOCK = 4096
"""Rows that are worked on at once: tables of (rows, m, n) numbers stay within some megabytes."""
LARGEST = 1e100
"""Of the numbers of a network: products of larger ones overflow."""
FARTHEST = 1e140
"""Distances from a centre are cut here [widths], that their squares may be added."""


def node_count(inputs: int, rules: int) -> int:
    """Nodes of a network as the usual tools count them: (2n + 2) m + n + 3 for n inputs and m rules.

    n inputs, m Gaussians for each of them, m rules, m consequents, and three: the sum of weights, the sum of
    weighted consequents, and the output.
    """
    return inputs + rules * inputs + 2 * rules + rules * inputs + 3


@record
class Anfis:
    """One output as a function of n inputs, by m rules. Frozen; `train` makes another one."""

    low: Array
    """Least input of the data, shape (n,) [unit of the input]."""
    span: Array
    """Range of the input, shape (n,) [unit of the input]; inputs are scaled to (x - low) / span."""
    centres: Array
    """c, shape (m, n), of scaled inputs."""
    widths: Array
    """σ, shape (m, n), of scaled inputs."""
    consequents: Array
    """p, shape (m, n + 1), of scaled inputs and of 1 [unit of the output]."""

    def __post_init__(self) -> None:
        for name in ("low", "span", "centres", "widths", "consequents"):
            numbers = as_numbers(getattr(self, name), name).copy()
            numbers.setflags(write=False)
            object.__setattr__(self, name, numbers)
        rules, inputs = self.centres.shape if self.centres.ndim == 2 else (0, 0)
        shapes = (self.low.shape, self.span.shape, self.widths.shape, self.consequents.shape)
        if not rules or not inputs or shapes != ((inputs,), (inputs,), (rules, inputs), (rules, inputs + 1)):
            refuse(
                "bad-network",
                Text("the arrays of the network do not fit together", "массивы сети не подходят друг к другу"),
                expected=Text(
                    "low, span: (n,); centres, widths: (m, n); consequents: (m, n + 1)",
                    "low, span: (n,); centres, widths: (m, n); consequents: (m, n + 1)",
                ),
            )
        if not (self.span > 0).all() or not (self.widths > 0).all():
            refuse("bad-network", Text("spans and widths must be above 0", "размахи и ширины должны быть больше 0"))
        arrays = (self.low, self.span, self.centres, self.widths, self.consequents)
        largest = max(float(np.abs(array).max()) for array in arrays)
        if not largest <= LARGEST or min(self.span.min(), self.widths.min()) < 1.0 / LARGEST:
            refuse(
                "bad-network",
                Text(
                    f"numbers beyond {LARGEST:g}, or spans and widths below {1 / LARGEST:g}, give no answers",
                    f"с числами больше {LARGEST:g} или размахами и ширинами меньше {1 / LARGEST:g} ответа нет",
                ),
            )

    @property
    def inputs(self) -> int:
        """Number of inputs, n."""
        return int(self.centres.shape[1])

    @property
    def rules(self) -> int:
        """Number of rules, m, which is that of the Gaussians of every input too."""
        return int(self.centres.shape[0])

    @property
    def nodes(self) -> int:
        """See `node_count`."""
        return node_count(self.inputs, self.rules)

    def predict(self, x: ArrayLike) -> Array:
        """The output.

        Args:
            x: Inputs, shape (..., n); finite.

        Returns:
            Shape (...). It is finite wherever the linear consequents are, however far from all rules x is.
        """
        points = as_numbers(x, "x")
        if points.ndim == 0 or points.shape[-1] != self.inputs:
            refuse(
                "bad-array",
                Text(f"x has the shape {points.shape}", f"x имеет форму {points.shape}"),
                expected=Text(f"shape (..., {self.inputs})", f"форма (..., {self.inputs})"),
            )
        scaled = self.scaled(points.reshape(-1, self.inputs))
        found = np.empty(len(scaled))
        for rows in blocks(len(scaled)):
            part = scaled[rows]
            found[rows] = (weights(part, self.centres, self.widths) * answers(part, self.consequents)).sum(axis=1)
        return found.reshape(points.shape[:-1])

    def memberships(self, x: ArrayLike) -> Array:
        """Weights of the rules, which add up to 1, shape (..., m)."""
        points = as_numbers(x, "x")
        scaled = self.scaled(points.reshape(-1, self.inputs))
        return weights(scaled, self.centres, self.widths).reshape(*points.shape[:-1], self.rules)

    def scaled(self, x: Array) -> Array:
        """Inputs in units of the data's ranges."""
        return np.asarray((x - self.low) / self.span)


def blocks(count: int, size: int = BLOCK) -> Iterator[slice]:
    """Slices of so many rows, one after another."""
    for begin in range(0, count, size):
        yield slice(begin, min(begin + size, count))


def weights(scaled: Array, centres: Array, widths: Array) -> Array:
    """Weights of the rules over their sum, shape (rows, m)."""
    return normalised(distances(scaled, centres, widths))


def distances(scaled: Array, centres: Array, widths: Array) -> Array:
    """(x - c) / σ, shape (rows, m, n)."""
    with np.errstate(over="ignore"):
        return np.asarray(np.clip((scaled[:, None, :] - centres) / widths, -FARTHEST, FARTHEST))


def normalised(distance: Array) -> Array:
    """Weights over their sum from distances, through logarithms of which the greatest is made 0."""
    logarithms: AnyArray = -0.5 * np.einsum("kij,kij->ki", distance, distance)
    logarithms -= logarithms.max(axis=1, keepdims=True)
    found = np.exp(logarithms)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def answers(scaled: Array, consequents: Array) -> Array:
    """f, what every rule says, shape (rows, m)."""
    return np.asarray(scaled @ consequents[:, :-1].T + consequents[:, -1])
