"""The set of places that a frame reaches: a section with its outline, how far it goes, how much room it has."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from sistel import shown
from sistel.arms._capacity import Carrier, masses_held, read_limits
from sistel.arms.workspaces._maps import SectionMap, best_over
from sistel.arms.workspaces._measures import Kind, Task, manipulability, unit_of
from sistel.arms.workspaces._outline import area_of
from sistel.arms.workspaces._plane import Plane, shoulder
from sistel.arms.workspaces._reach import distances, farthest
from sistel.arms.workspaces._section import Nodes
from sistel.arms.workspaces._singular import SingularCurve, section_curves
from sistel.arms.workspaces._volume import box_volume, round_volume, section
from sistel.errors import Language, Text
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms.workspaces._chain import Chain
    from sistel.arrays import Array, Flags

    Progress = Callable[[float], None]

TOLERANCE: Final = 1e-6
"""Of outlines, in sizes of what is reached."""


@record
class Workspace:
    """What a frame reaches within the limits of the joints, in any orientation."""

    name: str
    """Of the system."""
    frame: str
    plane: Plane
    """Of the section."""
    x: Array
    """Points of the grid along the first axis of the plane, shape (columns,) [m]."""
    y: Array
    """Along its second axis, shape (rows,) [m]."""
    inside: Flags
    """Which of them are reached, shape (rows, columns)."""
    q: Array
    """Postures that reach them, shape (rows, columns, nq), not a number elsewhere."""
    boundary: tuple[Array, ...]
    """Closed lines around what is reached, each of shape (k, 2), without its first point again; around it
    anticlockwise, around holes clockwise [m]."""
    tolerance: float
    """How far points of these lines are from where the reached ends, at most [m]. What is thinner than a step of the
    grid may be missed."""
    area: float
    """Of the section [m²]."""
    area_error: float
    """About how much of it the lines miss between their points [m²]."""
    low: Array
    """The box that holds everything that is reached, shape (3,) [m]."""
    high: Array
    centre: Array
    """Where `reach` is counted from: the shoulder, shape (3,) [m]."""
    near: float
    """The least distance of the frame from the centre [m]."""
    reach: float
    """The greatest [m]."""
    volume: float | None
    """[m³]; 0 where the frame stays on a surface; None where it was not asked for."""
    volume_error: float | None
    """About how far it may be from the truth [m³]."""
    _chain: Chain
    _nodes: Nodes

    @property
    def step(self) -> float:
        """Between neighbours of the grid [m]."""
        return self._nodes.step

    def manipulability(
        self, kind: Kind = "yoshikawa", task: Task = "position", *, progress: Progress | None = None
    ) -> SectionMap:
        """The best manipulability at every point of the section, over all postures that reach it.

        Args:
            kind: As for `System.manipulability`.
            task: As there.
            progress: Called now and then with the part that is done.
        """
        chain = self._chain
        manipulability(chain, chain.start[None], kind, task)  # says what is wrong before the work begins
        spare = (int(chain.used.sum()) if task == "position" else chain.n) > chain.rank
        values, q = self._best(lambda rows: manipulability(chain, rows, kind, task), spare, progress)
        label = {
            "yoshikawa": Text("manipulability", "манипулятивность"),
            "smallest": Text("smallest singular value", "наименьшее сингулярное число"),
            "inverse condition": Text("inverse condition number", "обратное число обусловленности"),
        }[kind]
        return SectionMap(
            what="manipulability", label=label, unit=unit_of(kind, task, chain.dimension), values=values, q=q
        )

    def capacity(
        self,
        *,
        forces: object = None,
        centre: tuple[float, float, float] = (0.0, 0.0, 0.0),
        applied: bool = False,
        progress: Progress | None = None,
    ) -> SectionMap:
        """The largest mass that can be held at every point of the section, in the best posture that reaches it.

        Args:
            forces: As for `System.capacity`.
            centre: As there.
            applied: As there.
            progress: Called now and then with the part that is done.
        """
        chain = self._chain
        carrier = Carrier(chain.engine, chain.place, read_limits(chain.model, forces), centre, applied)

        def held(q: Array) -> Array:
            mass, _ = masses_held(carrier, carrier.burden(q))
            return np.where(np.isfinite(mass), mass, np.where(np.isnan(mass), np.nan, 1e300))

        values, q = self._best(held, chain.n > chain.rank, progress)
        values[values >= 1e300] = math.inf
        label = Text("mass that can be held", "масса, которую можно удержать")
        return SectionMap(what="capacity", label=label, unit="kg", values=values, q=q)

    def singularities(self) -> tuple[SingularCurve, ...]:
        """Curves of the section where the frame loses a direction of motion, all joints within their limits."""
        return section_curves(self._chain, self.plane, self._nodes)

    def contains(self, points: ArrayLike) -> Flags:
        """Whether points of the plane are within its boundary, shape (..., 2) [m] to (...)."""
        given = np.asarray(points, dtype=float)
        x, y = given[..., 0], given[..., 1]
        odd = np.zeros(x.shape, dtype=bool)
        for line in self.boundary:
            for (x0, y0), (x1, y1) in zip(line, np.roll(line, -1, axis=0), strict=True):
                if y0 != y1:
                    crosses = (y0 > y) != (y1 > y)
                    odd ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return odd

    def draw(
        self,
        of: SectionMap | None = None,
        *,
        at: ArrayLike | None = None,
        singular: bool = True,
        theme: Literal["auto", "light", "dark"] = "auto",
        lang: Language | None = None,
        title: str | None = None,
    ) -> str:
        """The section as the text of an SVG picture, with the arm over it.

        Args:
            of: What colours mean; without, only what is reached is filled.
            at: The posture in which the arm is drawn, shape (nq,); without, one that reaches far to the right.
            singular: Whether curves of singularities are drawn.
            theme: Light, dark, or as the reader's screen is.
            lang: Language of the words, the user's unless told otherwise.
            title: What is written over it.
        """
        options = {"at": at, "singular": singular, "theme": theme, "lang": lang, "title": title}
        return str(shown.ask("workspace picture", self, of, **options))

    def save(self, path: str | os.PathLike[str], of: SectionMap | None = None, **options: object) -> None:
        """Write the section: .svg, .png, .html, .csv (a row for every point that is reached) or .npz (everything).

        Raises:
            SistelError: The format is not known, or the file cannot be written.
        """
        shown.ask("workspace file", self, os.fspath(path), of, **options)

    def _repr_svg_(self) -> str:
        return self.draw()

    def _best(self, measure: Callable[[Array], Array], spare: bool, progress: Progress | None) -> tuple[Array, Array]:
        tick = progress or _still
        return best_over(self._chain, self.plane, self._nodes, measure, self.tolerance, spare, tick)


def _still(_: float) -> None:
    return None


def workspace(
    chain: Chain, plane: Plane, *, resolution: int, samples: int, volume: bool, progress: Progress | None
) -> Workspace:
    """The set of places that a frame reaches; arguments as those of `System.workspace`."""
    tick = progress or _still
    share = 0.6 if volume else 1.0
    tolerance = TOLERANCE * chain.size
    nodes, lines, missed = section(chain, plane, resolution, samples, tolerance, lambda part: tick(share * part))
    ends, _ = farthest(chain, np.concatenate([np.eye(3), -np.eye(3)]))
    high, low = ends[:3], -ends[3:]
    centre = shoulder(chain)
    near, reach = distances(chain, centre)
    room: tuple[float | None, float | None] = (None, None)
    if volume and chain.rank < 3:
        room = (0.0, 0.0)
    elif volume:
        rest: Progress = lambda part: tick(share + (1.0 - share) * part)  # noqa: E731
        found = round_volume(chain, plane, lines, missed, resolution, tolerance, rest)
        room = found if found is not None else box_volume(chain, low, high, 10.0 * tolerance, rest)
    for array in (nodes.q, nodes.inside, *nodes.axes, *lines):
        array.setflags(write=False)
    return Workspace(
        name=chain.model.name,
        frame=chain.frame,
        plane=plane,
        x=nodes.axes[1],
        y=nodes.axes[0],
        inside=nodes.inside,
        q=nodes.q,
        boundary=tuple(lines),
        tolerance=tolerance,
        area=area_of(lines),
        area_error=missed,
        low=low,
        high=high,
        centre=centre,
        near=near,
        reach=reach,
        volume=room[0],
        volume_error=room[1],
        _chain=chain,
        _nodes=nodes,
    )


def reach_of(chain: Chain) -> tuple[float, float]:
    """The least and the greatest distance of a frame from its shoulder [m]."""
    return distances(chain, shoulder(chain))
