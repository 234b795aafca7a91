"""How far a frame goes: extremes of its place, to the last digits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arrays import Array


STEPS: Final = 60
SEEDS: Final = 24
"""Postures, the best of many, from which an extreme is looked for."""
SAMPLES: Final = 20_000


def farthest(chain: Chain, directions: Array) -> tuple[Array, Array]:
    """How far the frame goes along directions.

    Args:
        chain: The frame.
        directions: Shape (m, 3), of length 1.

    Returns:
        Greatest u · p, shape (m,) [m], and the postures, shape (m, nq).
    """
    q = chain.spread(SAMPLES, edge=0.1)
    heights = chain.at(q) @ directions.T
    picked = np.argpartition(-heights, SEEDS, axis=0)[:SEEDS]
    starts = q[picked.T.ravel()]
    u = np.repeat(directions, SEEDS, axis=0)
    ends = climb(chain, starts, u, None)
    found = np.einsum("rk,rk->r", chain.at(ends), u).reshape(len(directions), SEEDS)
    best = np.argmax(found, axis=1)
    return found.max(axis=1), ends.reshape(len(directions), SEEDS, -1)[np.arange(len(directions)), best]


def distances(chain: Chain, centre: Array) -> tuple[float, float]:
    """The least and the greatest distance of the frame from a point [m]."""
    q = chain.spread(SAMPLES, edge=0.1)
    far = np.linalg.norm(chain.at(q) - centre, axis=1)
    order = np.argsort(far)
    starts = np.concatenate([q[order[:SEEDS]], q[order[-SEEDS:]]])
    signs = np.repeat([-1.0, 1.0], SEEDS)
    ends = climb(chain, starts, signs, centre)
    found = np.linalg.norm(chain.at(ends) - centre, axis=1)
    least = float(found.min())
    return (0.0 if least < 1e-9 * chain.size else least), float(found.max())


def climb(chain: Chain, q: Array, along: Array, centre: Array | None) -> Array:
    """Postures from which no small motion within the limits leads higher: Newton's steps, damped, all rows at once.

    Args:
        chain: The frame.
        q: Where to begin, shape (rows, nq).
        along: Directions, shape (rows, 3); or, with a centre, whether half the square of the distance from it shall
            grow (1) or shrink (-1), shape (rows,).
        centre: Shape (3,) [m].
    """
    q = q.copy()
    n, rows = chain.n, np.arange(len(q))
    damping = np.full(len(q), 1e-3)
    height = _height(chain.at(q), along, centre)
    for _ in range(STEPS):
        found = chain.columns(q)
        u = along if centre is None else along[:, None] * (found.p - centre)
        slope = np.einsum("rk,rkj->rj", u, found.v)
        bend = -chain.curvature(found, u)
        if centre is not None:
            bend -= along[:, None, None] * np.einsum("rki,rkj->rij", found.v, found.v)
        x = q[:, chain.places]
        held = ~chain.whole & (((x <= chain.low) & (slope < 0.0)) | ((x >= chain.high) & (slope > 0.0)))
        slope[held] = 0.0
        bend[held] = 0.0
        bend.transpose(0, 2, 1)[held] = 0.0
        # Downhill curvature is mirrored, so that every step leads up.
        values, axes = np.linalg.eigh(bend)
        scale = np.abs(values).max(axis=1, keepdims=True) + 1e-12 * chain.size
        parts = np.einsum("rij,ri->rj", axes, slope) / (np.abs(values) + damping[:, None] * scale + 1e-13 * scale)
        step = np.clip(np.einsum("rij,rj->ri", axes, parts), -0.5, 0.5)
        tried = q.copy()
        tried[:, chain.places] = np.where(chain.whole, x + step, np.clip(x + step, chain.low, chain.high))
        better = _height(chain.at(tried), along, centre)
        good = better >= height
        q[good], height[good] = tried[good], better[good]
        damping = np.where(good, damping * 0.2, np.minimum(damping * 8.0, 1e6))
        if not (np.abs(step[rows[good]]).max(initial=0.0) > 1e-12) and good.any():
            break
    assert q.shape[1] >= n
    return q


def _height(p: Array, along: Array, centre: Array | None) -> Array:
    if centre is None:
        return np.asarray(np.einsum("rk,rk->r", p, along))
    return np.asarray(0.5 * along * ((p - centre) ** 2).sum(axis=1))
