"""A run as pictures one after another: the moving scheme, posed at every time, with its frame around it.

A picture that moves by itself goes along curves between keys; here every picture is drawn from the state of the run at
its time, so that long and lively runs need no keys, and what is nearer always covers what is further away.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language
from sistel.views.animation._animate import POSTURES, Layout, assembled, layout_of
from sistel.views.animation._clock import Clock, number
from sistel.views.animation._film import TRANSFORMS, Film, Track, element
from sistel.views.animation._frame import HEAD
from sistel.views.animation._places import event_spots
from sistel.views.animation._planar import PlanarActor, flash_tracks
from sistel.views.animation._samples import polyline, times_of
from sistel.views.schemes._figures import Figure, projected, space_poses
from sistel.views.schemes._moving import moving_scheme
from sistel.views.schemes._range import world_places
from sistel.views.schemes._render import Theme
from sistel.views.schemes._scene import zigzag
from sistel.views.text._runs import strikes

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from sistel.arrays import Array
    from sistel.simulation import Run
    from sistel.views.schemes._moving import MovingScheme

AT_ONCE = 256
"""Postures whose places are computed together: a long film takes no more memory than a short one."""
DECIMALS = 4
"""Of lengths in mm."""
DEGREE = 180 / math.pi


class Kept(Film):
    """Keeps the tracks, to be read at a time, instead of writing them."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock, "smil", "sistel-film")
        self.tracks: list[tuple[Element, Track]] = []

    def play(self, target: Element, *tracks: Track) -> None:
        """Remember that properties of an element change."""
        self.tracks += [(target, track) for track in tracks]

    def show(self, t: float) -> None:
        """Give all of them their values at a time of the run [s]."""
        share = self.clock.share(t)
        for target, track in self.tracks:
            value = value_at(track, share)
            if track.kind in TRANSFORMS:
                target.set("transform", f"{track.kind}({value})")
            else:
                target.set(track.kind, value)


def value_at(track: Track, share: float) -> str:
    """The value of a track at a share of the cycle, from 0 to 1; what jumps has the value after the jump."""
    place = max(bisect_right(track.shares, share, key=float) - 1, 0)
    if place + 1 >= len(track.shares):
        return track.values[-1]
    if track.eases == "discrete":
        return track.values[place]
    first, last = float(track.shares[place]), float(track.shares[place + 1])
    part = (share - first) / (last - first)
    if not isinstance(track.eases, str):
        a, b = track.eases[place]
        part = 3 * a * part * (1 - part) ** 2 + 3 * b * part**2 * (1 - part) + part**3
    pairs = zip(track.values[place].split(","), track.values[place + 1].split(","), strict=True)
    return ",".join(number(float(x) + part * (float(y) - float(x)), 6) for x, y in pairs)


class Shots:
    """The pictures of a run at given times, as texts of SVG of one size."""

    def __init__(self, run: Run, times: Array, *, width: int, speed: float, theme: Theme, lang: Language) -> None:
        """Prepare the pictures.

        Args:
            run: The run.
            times: When they are taken [s], shape (n,).
            width: Of the pictures [px].
            speed: How much faster than the run they are shown.
            theme: Light or dark.
            lang: Language of the words.
        """
        self.run, self.times = run, times
        if run.segments:
            seen = np.sort(np.concatenate([times_of(run, POSTURES), times]))
            states = run(np.clip(seen, run.begin, run.end))[0]
        else:
            states = run.last[None, : run.model.nq]
        self.film = Kept(Clock(run.begin, run.end, speed))
        scheme = moving_scheme(run.model, states, labels="none", look="light")
        kind = _PlanarStage if scheme.space is None else _SpatialStage
        self.stage: _PlanarStage | _SpatialStage = kind(run, scheme, self.film, states)
        self.layout = layout_of(scheme.window)
        self.root = assembled(run, self.film, self.stage.parts, self.layout, theme, lang)
        _covered(self.root, self.layout)
        self.size = _sized(self.root, self.layout, width)

    def __len__(self) -> int:
        return len(self.times)

    def __iter__(self) -> Iterator[str]:
        """The pictures in their order."""
        from lxml import etree

        for begin in range(0, len(self.times), AT_ONCE):
            times = self.times[begin : begin + AT_ONCE]
            q = self.run(times)[0] if self.run.segments else self.run.last[None, : self.run.model.nq]
            self.stage.take(np.asarray(q))
            for place, t in enumerate(times.tolist()):
                self.stage.show(place)
                self.film.show(t)
                yield etree.tostring(self.root, encoding="unicode")


def _covered(root: Element, layout: Layout) -> None:
    """Let paper cover what goes beyond the window: cutting it off takes longer than all else of painting."""
    stage = next(part for part in root if part.get("clip-path"))
    del stage.attrib["clip-path"]
    below = HEAD + layout.height
    for top, high in ((0.0, HEAD), (below, 2 * float(root.get("height", "0")) - below)):
        cover = {"class": "paper", "y": number(top, 4), "width": number(layout.width, 4), "height": number(high, 4)}
        stage.addnext(element("rect", cover))


def _sized(root: Element, layout: Layout, width: int) -> tuple[int, int]:
    """Give a picture its size in pixels: even numbers, for films tell colours for four pixels at once."""
    own = float(root.get("height", "0"))
    zoom = width / layout.width
    height = 2 * math.ceil(zoom * own / 2 - 1e-9)
    root.set("viewBox", f"0 0 {number(layout.width, 4)} {number(height / zoom, 4)}")
    root.set("width", str(width))
    root.set("height", str(height))
    return width, height


class _PlanarStage:
    """A planar scheme in any posture of a run."""

    def __init__(self, run: Run, scheme: MovingScheme, film: Kept, states: Array) -> None:
        self.model, self.scheme = run.model, scheme
        actor = PlanarActor(run, scheme, film, states)
        self.groups = actor.groups
        if run.segments and run.end > run.begin:
            actor.flashes()
            actor.marks()
        by_id = {part.get("id"): part for part in actor.root.iter() if part.get("id")}
        self.springs = [by_id[f"пружина_{n}"] for n in range(1, len(scheme.springs) + 1)]
        self.camera = by_id["камера"]
        self.parts = actor.parts()
        self.poses = world_places(run.model, states[:1])

    def take(self, q: Array) -> None:
        """The postures that come next, shape (n, nq)."""
        self.poses = world_places(self.model, q)

    def show(self, place: int) -> None:
        """Put everything where it is in one of them."""
        x, y, angle = (part[:, place].tolist() for part in (self.poses.x, self.poses.y, self.poses.angle))
        for body in self.model.bodies:
            n, base = body.number, body.base
            c, s, dx, dy = math.cos(angle[base]), math.sin(angle[base]), x[n] - x[base], y[n] - y[base]
            shift = f"translate({number(c * dx + s * dy, DECIMALS)},{number(c * dy - s * dx, DECIMALS)})"
            self.groups[n].set("transform", f"{shift} rotate({number(DEGREE * (angle[n] - angle[base]), 6)})")
        for target, spring in zip(self.springs, self.scheme.springs, strict=True):
            a, b = (self._point(body, point, place) for body, point in spring.ends)
            apart = b if math.dist(a, b) > 1e-6 else (a[0] + 1e-6, a[1])
            target.set("d", polyline(np.ravel(zigzag(a, apart, self.scheme.size)), DECIMALS))
        if self.scheme.follow:
            n, (home_x, home_y), along = self.scheme.follows, self.scheme.home, self.scheme.along
            back = (home_x - x[n] if along[0] else 0.0, home_y - y[n] if along[1] else 0.0)
            self.camera.set("transform", f"translate({number(back[0], DECIMALS)},{number(back[1], DECIMALS)})")

    def _point(self, body: int, point: tuple[float, float], place: int) -> tuple[float, float]:
        x, y = self.poses.out(body, [point])
        return float(x[0, place]), float(y[0, place])


class _SpatialStage:
    """A spatial scheme in any posture of a run, the nearest in front."""

    def __init__(self, run: Run, scheme: MovingScheme, film: Kept, states: Array) -> None:
        assert scheme.space is not None
        self.model, self.scheme = run.model, scheme
        by_id = {part.get("id"): part for part in scheme.parts.iter() if part.get("id")}
        self.layer, self.camera = by_id["фигуры"], by_id["камера"]
        self.parts = [child for child in scheme.parts if str(child.tag).endswith("}g")]
        self.shown: list[tuple[Figure, Element, Element]] = [
            (figure, by_id[f"фигура_{place}"], by_id[f"фигура_{place}"])
            for place, figure in enumerate(scheme.space.figures, 1)
        ]
        self._flashes(run, film, scheme.space.size)
        self.take(states[:1])

    def _flashes(self, run: Run, film: Kept, size: float) -> None:
        """Rings at the points at which something happens, when it happens."""
        times: dict[tuple[tuple[int, tuple[float, float, float]], bool], list[float]] = {}
        for event in run.events:
            for spot in event_spots(run, event):
                times.setdefault((spot, strikes(event)), []).append(event.time)
        for (spot, hard), found in times.items():
            style = "flash" if hard else "soft"
            figure = Figure(kind="ball", style=style, width=0.0, points=(spot,), radius=1.6 * size)
            ring = element("path", {"class": style, "stroke-width": number((0.45 if hard else 0.25) * size, 4)})
            group = element("g", {"opacity": "0"})
            group.append(ring)
            self.layer.append(group)
            self.shown.append((figure, ring, group))
            film.play(group, flash_tracks(found, film.clock)[0])

    def take(self, q: Array) -> None:
        """The postures that come next, shape (n, nq)."""
        poses = space_poses(self.model, q)
        self.rows = [figure.corners(poses) for figure, _, _ in self.shown]
        self.depths = np.array([figure.depth(poses) for figure, _, _ in self.shown])
        self.followed = projected(poses.out(self.scheme.follows, (0.0, 0.0, 0.0)))

    def show(self, place: int) -> None:
        """Put everything where it is in one of them."""
        for (figure, target, _), rows in zip(self.shown, self.rows, strict=True):
            target.set("d", figure.path(rows[place].tolist(), DECIMALS))
        for which in np.argsort(self.depths[:, place], kind="stable").tolist():
            self.layer.append(self.shown[which][2])
        if self.scheme.follow:
            x, y = (float(home - now) for home, now in zip(self.scheme.home, self.followed[place], strict=True))
            self.camera.set("transform", f"translate({number(x, DECIMALS)},{number(y, DECIMALS)})")
