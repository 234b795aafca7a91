"""A spatial scheme that moves: paths of figures in isometric projection, labels, trails, flashes, the camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.views.animation._clock import number
from sistel.views.animation._film import Film, Track, element, of_keys
from sistel.views.animation._keys import fit
from sistel.views.animation._pieces import along
from sistel.views.animation._places import event_spots, named_spot
from sistel.views.animation._planar import flash_tracks, trail_parts
from sistel.views.animation._samples import EACH, Dense, dense_of, sampled, times_of
from sistel.views.schemes._axonometry import COS, SIN
from sistel.views.schemes._figures import Figure, projected, space_poses
from sistel.views.schemes._moving import MovingScheme

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from sistel.arrays import Array
    from sistel.pose import Vector3
    from sistel.simulation import Run


SVG = "http://www.w3.org/2000/svg"
SYMBOLS, LABELS = 3.0, 5.0
"""How much further than bodies symbols of joints and labels may be off."""


class SpatialActor:
    """The scheme of a spatial system, set in motion."""

    def __init__(self, run: Run, scheme: MovingScheme, film: Film, states: Array) -> None:
        assert scheme.space is not None
        self.run, self.scheme, self.space, self.film, self.clock = run, scheme, scheme.space, film, film.clock
        self.model, self.root, self.first = run.model, scheme.parts, states[0]
        self.dense = Dense((), np.zeros((0, 0)))
        self.poses = self.space.poses
        self.by_id = {part.get("id"): part for part in self.root.iter() if part.get("id")}

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what must be seen [mm]."""
        return self.scheme.window

    def parts(self) -> list[Element]:
        """What stands on the stage."""
        return [child for child in self.root if child.tag == f"{{{SVG}}}g"]

    def perform(self, bound: float, scale: float, trails: Sequence[str]) -> None:
        """Put everything in motion; arguments as those of `PlanarActor.perform`."""
        spots = [named_spot(self.model, name) for name in trails]
        if not self.run.segments or self.run.end <= self.run.begin:
            return
        decimals = max(0, math.ceil(-math.log10(0.2 * bound)))
        self.dense = dense_of(self.run, self.clock)
        self.poses = space_poses(self.model, self.dense.q)
        for place, figure in enumerate(self.space.figures, 1):
            if any(body for body, _ in figure.points):
                self._shape(self.by_id[f"фигура_{place}"], figure, bound, decimals)
        for body, _, at, shift in self.space.labels:
            self._label(self.by_id[f"надпись_{body}"], body, at, shift, LABELS * bound)
        self._flashes(bound, decimals)
        for body, point in spots:
            dense = times_of(self.run, 20000)
            poses = space_poses(self.model, self.run(np.clip(dense, self.run.begin, self.run.end))[0])
            way = projected(poses.out(body, point))
            for part in trail_parts(way, dense, bound, scale, self.film):
                self.by_id["следы"].append(part)
            dot = element("path", {"class": "dot", "stroke-width": number(1 / scale, 4)})
            spot = Figure(kind="ball", style="dot", width=0.0, points=((body, point),), radius=4 / scale)
            dot.set("d", spot.path(spot.corners(space_poses(self.model, self.first[None]))[0], decimals))
            self._shape(dot, spot, bound, decimals)
            self.by_id["фигуры"].append(dot)
        self._camera(bound)

    def _shape(self, target: Element, figure: Figure, bound: float, decimals: int) -> None:
        rows = figure.corners(self.poses)
        cuts = None
        if figure.kind == "end":
            # The other end of a tube comes into view.
            facing = figure.facing(self.poses) >= 0.0
            cuts = facing[1:] != facing[:-1]
        if figure.kind in ("tube", "end"):
            # Half a turn changes nothing in an ellipse.
            place = 6 if figure.kind == "tube" else 4
            rows[:, place] = np.unwrap(rows[:, place], period=180.0)
        own = (1.0 if figure.kind in ("line", "area", "ball") else SYMBOLS) * EACH * bound
        track = sampled(self.dense, self.clock, rows, own, lambda row: figure.path(row.tolist(), decimals), "d", cuts)
        if track is not None:
            self.film.play(target, track)

    def _label(self, target: Element, body: int, at: Vector3, shift: tuple[float, float], bound: float) -> None:
        rows = projected(self.poses.out(body, at)) + np.array(shift)
        track = sampled(
            self.dense, self.clock, rows, bound, lambda row: f"{number(row[0], 2)},{number(row[1], 2)}", "translate"
        )
        if track is not None:
            self.film.play(target, track)

    def _flashes(self, bound: float, decimals: int) -> None:
        from sistel.views.text._runs import strikes

        times: dict[tuple[Any, bool], list[float]] = {}
        for event in self.run.events:
            for spot in event_spots(self.run, event):
                times.setdefault((spot, strikes(event)), []).append(event.time)
        size = self.space.size
        for (spot, hard), found in times.items():
            figure = Figure(
                kind="ball", style="flash" if hard else "soft", width=0.0, points=(spot,), radius=1.6 * size
            )
            ring = element("path", {"class": figure.style, "stroke-width": number((0.45 if hard else 0.25) * size, 4)})
            ring.set("d", figure.path(figure.corners(space_poses(self.model, self.first[None]))[0], decimals))
            group = element("g", {"opacity": "0"})
            group.append(ring)
            self.by_id["фигуры"].append(group)
            self._shape(ring, figure, bound, decimals)
            opacity: Track = flash_tracks(found, self.clock)[0]
            self.film.play(group, opacity)

    def _camera(self, bound: float) -> None:
        """Where the pole of the body that it follows goes on the paper, backwards."""
        if not self.scheme.follow:
            return
        body = self.model.bodies[self.scheme.follows - 1]
        R, key, first = body.R_PB, body.joint.type.key, body.first_q
        ways: dict[int, tuple[float, float, float]] = {}
        if key == "free":
            ways = {first + 4 + k: (R[0][k], R[1][k], R[2][k]) for k in range(3)}
        elif key == "prismatic":
            a = body.joint.axis
            x, y, z = (sum(R[i][k] * a[k] for k in range(3)) for i in range(3))
            ways = {first: (x, y, z)}
        else:
            from sistel.pose import plane_axes

            for k, a in enumerate(plane_axes(body.joint.axis)):
                x, y, z = (sum(R[i][j] * a[j] for j in range(3)) for i in range(3))
                ways[first + k] = (x, y, z)
        inner = self.by_id["камера"]
        for vector, gains in (
            ((-1.0, 0.0), {place: 1e3 * COS * (w[1] - w[0]) for place, w in ways.items()}),
            ((0.0, -1.0), {place: 1e3 * (SIN * (w[0] + w[1]) - w[2]) for place, w in ways.items()}),
        ):
            home = sum(gain * float(self.first[place]) for place, gain in gains.items())
            decimals = max(0, math.ceil(-math.log10(0.3 * bound)))
            keys = fit(along(self.run, gains, -home, 0.02 * bound), self.clock, bound, decimals)
            if len({key.value for key in keys}) < 2:
                continue
            outer = element("g")
            above = inner.getparent()
            assert above is not None
            above.replace(inner, outer)
            outer.append(inner)
            self.film.play(outer, of_keys(keys, "translate", self.clock, decimals, vector))
            inner = outer
