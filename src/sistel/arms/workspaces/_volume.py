"""How much room there is in the set of places that a frame reaches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.arms.workspaces._outline import moment_of, outline
from sistel.arms.workspaces._plane import Plane, first_axis
from sistel.arms.workspaces._reach import farthest
from sistel.arms.workspaces._section import Nodes, cut, into_plane, mark, settle
from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arms.workspaces._section import Tick
    from sistel.arrays import Array


MARGIN: Final = 2.37
"""Steps of the grid beyond what is reached. No whole number: nodes must not lie on outlines, which are often round."""
STILL: Final = 1e-13
"""Steps of the grid that are no more than rounding [m]."""
ROUNDS: Final = 56
"""Nodes along the longest side of the box, for volumes that are not round."""
RADII: Final = 120
"""Nodes across, for sections of volumes that are round."""
CARE: Final = 20
"""Attempts after the first, for volumes: a node that is missed there is far below the error."""
SAMPLES: Final = 120_000


def grid(plane: Plane, chain: Chain, resolution: int) -> Nodes:
    """An empty grid over everything in a plane that the frame could reach."""
    far, _ = farthest(chain, np.array([plane.right, plane.up, -plane.right, -plane.up]))
    own = np.array([plane.point @ plane.right, plane.point @ plane.up])
    high, low = far[:2] - own, -far[2:] - own
    step = float((high - low).max()) / resolution
    if step <= STILL:
        refuse(
            "no-workspace",
            Text(
                "there is no map: the frame does not move along the plane",
                "карты нет: репер не движется вдоль плоскости",
            ),
        )
    axes = tuple(np.arange(low[k] - MARGIN * step, high[k] + MARGIN * step, step) for k in (1, 0))
    shape = (len(axes[0]), len(axes[1]))
    return Nodes(
        axes=axes,
        places=lambda points: plane.out(points[..., ::-1]),
        inside=np.zeros(shape, dtype=bool),
        q=np.full((*shape, chain.model.nq), np.nan),
    )


def section(
    chain: Chain, plane: Plane, resolution: int, samples: int, tolerance: float, tick: Tick
) -> tuple[Nodes, list[Array], float]:
    """A grid of what is reached in a plane, its outline, and how much area that misses [m²]."""
    nodes = grid(plane, chain, resolution)
    q, points = into_plane(chain, plane, chain.spread(samples, edge=0.02))
    tick(0.2)
    mark(nodes, q, points[:, ::-1], np.full(nodes.inside.shape, math.inf))
    settle(chain, nodes, tolerance, tick)
    lines, missed = outline(chain, nodes, tolerance, tick)
    return nodes, lines, missed


def round_volume(
    chain: Chain, plane: Plane, lines: list[Array], missed: float, resolution: int, tolerance: float, tick: Tick
) -> tuple[float, float] | None:
    """Volume and its error where the first joint turns all around, from a section along its axis [m³].

    Args:
        chain: The frame.
        plane: A section that is there already, used if it goes along the axis.
        lines: Its outline.
        missed: Its area that is missed [m²].
        resolution: Of a section that has to be made.
        tolerance: Of the outline [m].
        tick: Called now and then with the part that is done.
    """
    axis = first_axis(chain)
    if axis is None or not chain.whole[0]:
        return None
    point, along = axis
    if abs(plane.normal @ along) > 1e-9 or abs(plane.normal @ (point - plane.point)) > 1e-9 * chain.size:
        across = np.cross(along, [0.0, 1.0, 0.0] if abs(along[1]) < 0.9 else [1.0, 0.0, 0.0])
        across /= np.linalg.norm(across)
        plane = Plane(point=point, right=-across, up=along, labels=("r", "z"))
        nodes, lines, missed = section(chain, plane, min(resolution, RADII), SAMPLES, tolerance, tick)
        del nodes
    right = np.cross(along, plane.normal)
    seen = [np.stack([(plane.out(line) - point) @ right, (plane.out(line) - point) @ along], axis=1) for line in lines]
    # Where the axes of the plane are swapped, so is the side that lines go round.
    sign = 1.0 if np.cross(right, along) @ plane.normal > 0.0 else -1.0
    far = max((float(np.abs(line[:, 0]).max()) for line in seen), default=0.0)
    return sign * math.pi * moment_of(seen, 0.0), math.pi * far * missed


def box_volume(chain: Chain, low: Array, high: Array, tolerance: float, tick: Tick) -> tuple[float, float]:
    """Volume and its error by lines across the box, cut where they leave the reached [m³].

    The error is the spread of the four answers of every second line each way.
    """
    step = float((high - low).max()) / ROUNDS
    axes = tuple(np.arange(low[k] - MARGIN * step, high[k] + MARGIN * step, step) for k in range(3))
    shape = tuple(len(axis) for axis in axes)
    nodes = Nodes(
        axes=axes,
        places=lambda points: points,
        inside=np.zeros(shape, dtype=bool),
        q=np.full((*shape, chain.model.nq), np.nan),
    )
    q = chain.spread(2 * SAMPLES, edge=0.02)
    mark(nodes, q, chain.at(q), np.full(shape, math.inf))
    tick(0.2)
    settle(chain, nodes, tolerance, tick, CARE)
    inside = nodes.inside
    edges = np.argwhere(inside[:, :, :-1] != inside[:, :, 1:])
    above = edges + np.array([0, 0, 1])
    leaving = inside[tuple(edges.T)]
    begins, ends = np.where(leaving[:, None], edges, above), np.where(leaving[:, None], above, edges)
    points, _ = cut(
        chain,
        nodes.points(begins),
        nodes.points(ends),
        nodes.q[tuple(begins.T)],
        nodes.places,
        max(tolerance, 1e-3 * step),
        CARE,
    )
    lengths = np.zeros(shape[:2])
    np.add.at(lengths, (edges[:, 0], edges[:, 1]), np.where(leaving, points[:, 2], -points[:, 2]))
    parts = [4.0 * step * step * float(lengths[i::2, j::2].sum()) for i in (0, 1) for j in (0, 1)]
    tick(1.0)
    return step * step * float(lengths.sum()), float(np.ptp(parts)) / 2.0 + 4.0 * step * step * tolerance * len(edges)
