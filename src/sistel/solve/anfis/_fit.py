"""The two halves of an epoch: consequents by least squares, and the slope of the error over the premises."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.solve.anfis._network import Anfis, answers, blocks, distances, normalised, weights

if TYPE_CHECKING:
    from sistel.arrays import Array


RIDGE = 1e-9
"""How much squares of consequents count, per pair of data. Inputs are of order 1: data with something to say about a
rule outweigh this, and a rule that no data touch stays near 0 instead of anywhere."""

SAFE = 1e-10
"""Ridge from which on normal equations, of a condition up to some 1e11, are refined to full precision."""


def fit_consequents(network: Anfis, x: Array, y: Array, *, ridge: float = RIDGE) -> Anfis:
    """The consequents with the least squared error, the premises as they are.

    Args:
        network: Premises.
        x: Inputs, shape (count, n).
        y: Outputs, shape (count,) [unit of the output].
        ridge: Weight of the squares of consequents, per pair; above 0 where data may be fewer than consequents.
    """
    # The second time mends what the squared condition of the first has cost.
    return improve_consequents(improve_consequents(network, x, y, ridge), x, y, ridge)


def improve_consequents(network: Anfis, x: Array, y: Array, ridge: float) -> Anfis:
    """As `fit_consequents`, where the consequents are near already: an epoch changes them little."""
    solve = _by_products if ridge >= SAFE else _by_reflections
    found = solve(network, network.scaled(x), y, ridge * len(y))
    return replace(network, consequents=found.reshape(network.rules, network.inputs + 1))


def _columns(network: Anfis, part: Array) -> Array:
    """What the consequents are multiplied by, shape (rows, m (n + 1))."""
    share = weights(part, network.centres, network.widths)
    extended = np.column_stack([part, np.ones(len(part))])
    return np.asarray((share[:, :, None] * extended[:, None, :]).reshape(len(part), -1))


def _by_products(network: Anfis, scaled: Array, y: Array, ridge: float) -> Array:
    """Normal equations, summed block by block, for the change of the consequents; quick.

    Their condition is that of the problem squared, which the ridge bounds, and only the change suffers from it.
    """
    known = network.consequents.reshape(-1)
    products, right = ridge * np.eye(len(known)), -ridge * known
    for rows in blocks(len(y)):
        columns = _columns(network, scaled[rows])
        products += columns.T @ columns
        right += columns.T @ (y[rows] - columns @ known)
    return np.asarray(known + np.linalg.solve(products, right))


def _by_reflections(network: Anfis, scaled: Array, y: Array, ridge: float) -> Array:
    """Orthogonal reflections, block by block, with outputs as the last column; slower, and safe without a ridge."""
    size = network.rules * (network.inputs + 1)
    triangle = np.zeros((size, size + 1))
    triangle[:, :size] = np.sqrt(ridge) * np.eye(size)
    for rows in blocks(len(y), max(4 * size, 512)):
        block = np.column_stack([_columns(network, scaled[rows]), y[rows]])
        triangle = np.asarray(np.linalg.qr(np.vstack([triangle, block]), mode="r"))[:size]
    return _solve(triangle[:, :size], triangle[:, size])


def _solve(triangle: Array, right: Array) -> Array:
    """Solve an upper triangular system; without a ridge it may be singular."""
    sizes = np.abs(np.diagonal(triangle))
    if sizes.min() > 1e-13 * sizes.max():
        return np.asarray(np.linalg.solve(triangle, right))
    return np.asarray(np.linalg.lstsq(triangle, right, rcond=1e-13)[0])


def premise_gradient(network: Anfis, x: Array, y: Array) -> tuple[float, Array, Array]:
    """Half the sum of squared errors, and its derivatives by centres and widths.

    With e the error, w̄ the normalised weight and f the answer of a rule, ∂E/∂c = Σ e w̄ (f - y) (x - c) / σ², and
    ∂E/∂σ = Σ e w̄ (f - y) (x - c)² / σ³, where y is the answer of the network.

    Returns:
        E, and two arrays of shape (m, n) of scaled inputs [square of the unit of the output].
    """
    scaled = network.scaled(x)
    total = 0.0
    by_centre, by_width = np.zeros(network.centres.shape), np.zeros(network.centres.shape)
    for rows in blocks(len(y)):
        part = scaled[rows]
        distance = distances(part, network.centres, network.widths)
        share = normalised(distance)
        says = answers(part, network.consequents)
        found = (share * says).sum(axis=1)
        error = found - y[rows]
        total += 0.5 * float(error @ error)
        pull = error[:, None] * share * (says - found[:, None])
        by_centre += np.einsum("ki,kij->ij", pull, distance)
        by_width += np.einsum("ki,kij,kij->ij", pull, distance, distance, optimize=False)
    return total, by_centre / network.widths, by_width / network.widths
