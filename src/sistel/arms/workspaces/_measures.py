"""How well a frame moves from a posture: measures of the singular values of its Jacobian."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, NoReturn

import numpy as np

from sistel.arms.workspaces._chain import directions
from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arrays import Array


Kind = Literal["yoshikawa", "inverse condition", "smallest"]
Task = Literal["position", "turning", "pose"]
KINDS: Final = ("yoshikawa", "inverse condition", "smallest")
TASKS: Final = ("position", "turning", "pose")
CHUNK: Final = 1 << 12
"""Postures measured at a time: their minors stay in the caches."""
SPREAD: Final = 256
"""Postures from which it is told in which directions a frame moves at all."""


def manipulability(chain: Chain, q: Array, kind: str, task: str) -> Array:
    """A measure of the Jacobian of postures.

    Rows are those of the task, within the space in which the frame moves at all (a planar arm is measured in its
    plane); columns, the coordinates of the chain. There are as many singular values as the lesser of both.

    Args:
        chain: The frame.
        q: Shape (rows, nq).
        kind: "yoshikawa", the product of the singular values; "smallest"; or "inverse condition", the smallest in
            parts of the greatest.
        task: "position" [m], "turning" [rad], or "pose", turns and then places.

    Returns:
        Shape (rows,).

    Raises:
        SistelError: There is no such measure or task, or nothing moves so.
    """
    if kind not in KINDS or task not in TASKS:
        _refuse(
            Text(
                f"kind is one of {', '.join(KINDS)}; task, of {', '.join(TASKS)}",
                f"kind — {', '.join(KINDS)}; task — {', '.join(TASKS)}",
            )
        )
    found = chain.columns(q)
    rows = {"position": found.v, "turning": found.w, "pose": None}[task]
    J = np.concatenate([found.w, found.v], axis=1) if rows is None else rows
    if task not in chain.known:
        drawn = chain.columns(chain.spread(SPREAD, seed=5))
        every = {"position": drawn.v, "turning": drawn.w, "pose": np.concatenate([drawn.w, drawn.v], axis=1)}[task]
        axes, rank = directions(every)
        if not rank:
            _refuse(Text("the frame does not move so", "репер так не движется"))
        chain.known[task] = axes[:rank]
    reduced = chain.known[task] @ J
    d, n = reduced.shape[1:]
    if kind == "yoshikawa" and 2 <= d <= 3 and n >= d:
        return _by_minors(reduced)
    if kind == "yoshikawa" and d == n:
        return np.asarray(np.abs(np.linalg.det(reduced)))
    values = np.linalg.svd(reduced, compute_uv=False)
    if kind == "yoshikawa":
        return np.asarray(values.prod(axis=1))
    if kind == "smallest":
        return np.asarray(values[:, -1])
    return np.asarray(values[:, -1] / np.maximum(values[:, 0], 1e-300))


def _by_minors(J: Array) -> Array:
    """√det JJᵀ of matrices with two or three rows: all terms of Cauchy and Binet are squares, so nothing cancels."""
    d, n = J.shape[1:]
    moving = np.flatnonzero(np.abs(J).max(axis=(0, 1), initial=0.0) > 0.0)
    sets = np.array(list(combinations(moving.tolist() if len(moving) >= d else range(n), d))).T
    found = np.empty(len(J))
    for begin in range(0, len(J), CHUNK):
        part = J[begin : begin + CHUNK]
        a, b = part[:, :, sets[0]], part[:, :, sets[1]]
        if d == 2:
            minors = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        else:
            c = part[:, :, sets[2]]
            minors = (
                a[:, 0] * (b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1])
                + a[:, 1] * (b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2])
                + a[:, 2] * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])
            )
        found[begin : begin + CHUNK] = np.sqrt((minors * minors).sum(axis=1))
    return found


def unit_of(kind: str, task: str, dimension: int) -> str:
    """The unit of a measure of places: m, m² or m³; none of others."""
    if kind == "inverse condition" or task != "position":
        return ""
    power = 1 if kind == "smallest" else dimension
    return {1: "m", 2: "m²", 3: "m³"}[power]


def _refuse(reason: Text) -> NoReturn:
    refuse(
        "bad-call", Text(f"there is no such manipulability: {reason.en}", f"такой манипулятивности нет: {reason.ru}")
    )
