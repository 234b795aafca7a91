"""A planar scheme that moves: nested groups turned and shifted by tracks, springs, labels, trails, flashes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.views.animation._clock import number
from sistel.views.animation._film import Film, Track, element, of_keys
from sistel.views.animation._frame import discrete, stays_of
from sistel.views.animation._keys import Key, fit
from sistel.views.animation._moves import DEGREE, Move, fitted, moves_of
from sistel.views.animation._pieces import along
from sistel.views.animation._places import event_spots, named_spot
from sistel.views.animation._samples import EACH, Dense, dense_of, polyline, sampled, thinned, times_of
from sistel.views.schemes._labels import FONT
from sistel.views.schemes._moving import MovingScheme
from sistel.views.schemes._posture import Point
from sistel.views.schemes._range import clouds, world_places
from sistel.views.schemes._scene import Scene, links, zigzag

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from sistel.arrays import Array
    from sistel.simulation import Run
    from sistel.views.animation._clock import Clock
    from sistel.views.animation._film import Property


SVG = "http://www.w3.org/2000/svg"
UPRIGHT = 0.5
"""How far labels may lean [degrees]."""
FLASH = 0.4
"""How long a flash is seen [s]."""
FLASHES = 400
"""Of one point; more are left out."""


class PlanarActor:
    """The scheme of a planar system, set in motion."""

    def __init__(self, run: Run, scheme: MovingScheme, film: Film, states: Array) -> None:
        self.run, self.scheme, self.film, self.clock = run, scheme, film, film.clock
        self.model, self.root = run.model, scheme.parts
        self.groups = {
            int(group.get("id", "").removeprefix("тело_")): group
            for group in self.root.iter(f"{{{SVG}}}g")
            if group.get("id", "").startswith("тело_")
        }
        self.first = states[0]

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what must be seen [mm]."""
        return self.scheme.window

    def parts(self) -> list[Element]:
        """What stands on the stage."""
        kept = []
        for child in self.root:
            if child.tag == f"{{{SVG}}}defs":
                for style in child.findall(f"{{{SVG}}}style"):
                    child.remove(style)
            elif child.tag != f"{{{SVG}}}g":
                continue
            kept.append(child)
        return kept

    def perform(self, bound: float, scale: float, trails: Sequence[str]) -> None:
        """Put everything in motion.

        Args:
            bound: How far any point may be off [mm].
            scale: Pixels of a mm.
            trails: Names of points whose way is drawn.
        """
        spots = [named_spot(self.model, name) for name in trails]
        if not self.run.segments or self.run.end <= self.run.begin:
            return
        scene = Scene(self.model, world_places(self.model, self.first[None]).at(0))
        scene.shapes()
        links(scene)
        made = fitted(self.run, clouds(scene), self.clock, bound)
        self._labels()
        self.flashes()
        for number_, point in spots:
            self._trail(number_, (point[0], point[1]), bound, scale)
        self._bodies(made)
        self._springs(bound)
        self.marks()
        self._camera(made)

    # --- bodies -------------------------------------------------------------------------------------------------------

    def _bodies(self, made: Mapping[Move, tuple[list[Key], int]]) -> None:
        for body in self.model.bodies:
            group = self.groups[body.number]
            moves = moves_of(body)
            x, y = 1e3 * body.p_PB[0], 1e3 * body.p_PB[1]
            turn = DEGREE * math.atan2(body.R_PB[1][0], body.R_PB[0][0])
            still = [f"translate({number(x, 4)},{number(y, 4)})"] if abs(x) > 5e-5 or abs(y) > 5e-5 else []
            still += [f"rotate({number(turn, 6)})"] if abs(turn) > 1e-9 else []
            group.attrib.pop("transform")
            if not moves:
                if still:
                    group.set("transform", " ".join(still))
                continue
            inner = group
            # From the inside out: the group itself does the last move.
            for place, move in enumerate(reversed(moves)):
                if place:
                    inner = self._around(inner)
                self._move(inner, move, made.get(move))
            if still:
                self._around(inner).set("transform", " ".join(still))

    @staticmethod
    def _around(inner: Element) -> Element:
        """A new group in the place of another one, which it contains."""
        outer = element("g")
        parent = inner.getparent()
        assert parent is not None
        parent.replace(inner, outer)
        outer.append(inner)
        return outer

    def _move(self, group: Element, move: Move, found: tuple[list[Key], int] | None) -> None:
        value = move.gain * float(self.first[move.place])
        if move.vector is None:
            if found or abs(value) > 1e-9:
                group.set("transform", f"rotate({number(value, 6)})")
        elif found or abs(value) > 1e-9:
            x, y = move.vector[0] * value, move.vector[1] * value
            group.set("transform", f"translate({number(x, 5)},{number(y, 5)})")
        if found:
            kind: Property = "rotate" if move.vector is None else "translate"
            self.film.play(group, of_keys(found[0], kind, self.clock, found[1], move.vector or (0.0, 0.0)))

    def _camera(self, made: Mapping[Move, tuple[list[Key], int]]) -> None:
        """The same keys as those of the body that it follows, backwards: so this body stands exactly."""
        if not self.scheme.follow:
            return
        camera = next(group for group in self.root.iter(f"{{{SVG}}}g") if group.get("id") == "камера")
        body = self.model.bodies[self.scheme.follows - 1]
        c, s = body.R_PB[0][0], body.R_PB[1][0]
        inner = camera
        for move in moves_of(body):
            if move.vector is None or move not in made:
                continue
            keys, decimals = made[move]
            vx, vy = c * move.vector[0] - s * move.vector[1], s * move.vector[0] + c * move.vector[1]
            back = (-vx if self.scheme.along[0] else 0.0, -vy if self.scheme.along[1] else 0.0)
            if not any(back):
                continue
            home = move.gain * float(self.first[move.place])
            if inner is not camera or inner.get("transform"):
                inner = self._around(inner)
            self.film.play(inner, of_keys(keys, "translate", self.clock, decimals, back))
            inner = self._around(inner)
            inner.set("transform", f"translate({number(-back[0] * home, 5)},{number(-back[1] * home, 5)})")

    # --- what depends on several bodies -------------------------------------------------------------------------------

    def _springs(self, bound: float) -> None:
        size = self.scheme.size
        decimals = max(0, math.ceil(-math.log10(0.2 * bound)))
        dense = dense_of(self.run, self.clock) if self.scheme.springs else Dense((), np.zeros((0, 0)))
        for place, spring in enumerate(self.scheme.springs, 1):
            target = next(each for each in self.root.iter(f"{{{SVG}}}path") if each.get("id") == f"пружина_{place}")

            poses = world_places(self.model, dense.q)
            (ax, ay), (bx, by) = (poses.out(body, [point]) for body, point in spring.ends)
            rows = [
                zigzag((x1, y1), (x2, y2), size)
                if math.hypot(x2 - x1, y2 - y1) > 1e-6
                else zigzag((x1, y1), (x1 + 1e-6, y1), size)
                for x1, y1, x2, y2 in zip(ax[0], ay[0], bx[0], by[0], strict=True)
            ]
            numbers = np.array(rows).reshape(len(rows), -1)
            track = sampled(dense, self.clock, numbers, EACH * bound, lambda row: polyline(row, decimals), "d")
            if track is not None:
                self.film.play(target, track)

    def marks(self) -> None:
        """Symbols of links that hold are seen while they do."""
        stays = stays_of(self.run)
        for mark in self.scheme.marks:
            target = next(each for each in self.root.iter(f"{{{SVG}}}path") if each.get("id") == mark.id)

            def holds(name: str, structures: tuple[str, ...] = mark.structures) -> bool:
                return any(name == each or name.startswith(f"{each}: ") for each in structures)

            target.set("visibility", "visible" if holds(stays[0].name) else "hidden")
            if len({holds(stay.name) for stay in stays}) > 1:
                self.film.play(target, discrete(stays, holds, self.clock))

    # --- what stands on bodies ----------------------------------------------------------------------------------------

    def _labels(self) -> None:
        layer = next((group for group in self.root.iter(f"{{{SVG}}}g") if group.get("id") == "надписи"), None)
        if layer is None:
            return
        above = layer.getparent()
        assert above is not None
        above.remove(layer)
        font = FONT * self.scheme.size
        for label in self.scheme.labels:
            gains: dict[int, float] = {}
            constant, number_ = 0.0, label.body
            while number_:
                body = self.model.bodies[number_ - 1]
                constant -= DEGREE * math.atan2(body.R_PB[1][0], body.R_PB[0][0])
                for move in moves_of(body):
                    if move.vector is None:
                        gains[move.place] = gains.get(move.place, 0.0) - move.gain
                number_ = body.base
            look = {"x": number(label.shift[0], 3), "y": number(label.shift[1], 3), "text-anchor": label.side}
            look |= {"font-size": number(font, 3), "stroke-width": number(0.16 * font, 3)}
            text = element("text", look, label.text)
            turned = element("g", {"id": f"надпись_{label.body}"})
            turned.append(text)
            placed = element("g", {"transform": f"translate({number(label.at[0], 3)},{number(label.at[1], 3)})"})
            placed.append(turned)
            self.groups[label.body].append(placed)
            pieces = along(self.run, gains, constant, 0.01 * UPRIGHT)
            keys = fit(pieces, self.clock, UPRIGHT, 1)
            turned.set("transform", f"rotate({number(keys[0].value, 1)})")
            if len({key.value for key in keys}) > 1:
                self.film.play(turned, of_keys(keys, "rotate", self.clock, 1, (0.0, 0.0)))

    def flashes(self) -> None:
        """Rings at the points at which something happens, when it happens."""
        from sistel.views.text._runs import strikes

        times: dict[tuple[int, Point, bool], list[float]] = {}
        for event in self.run.events:
            hard = strikes(event)
            for body, point in event_spots(self.run, event):
                times.setdefault((body, (point[0], point[1]), hard), []).append(event.time)
        for (body, (x, y), hard), found in times.items():
            track = flash_tracks(found, self.clock)
            size = self.scheme.size
            place = f"translate({number(x, 3)},{number(y, 3)})"
            ring = element("circle", {"class": "flash" if hard else "soft", "r": number(1.6 * size, 4), "opacity": "0"})
            ring.set("stroke-width", number((0.45 if hard else 0.25) * size, 4))
            outer = element("g", {"transform": place})
            outer.append(ring)
            self.groups[body].append(outer)
            self.film.play(ring, *track)

    def _trail(self, body: int, point: Point, bound: float, scale: float) -> None:
        """The way of a point: all of it faintly, what is past over it, and the point itself."""
        layer = next(group for group in self.root.iter(f"{{{SVG}}}g") if group.get("id") == "следы")
        dense = times_of(self.run, 20000)
        poses = world_places(self.model, self.run(np.clip(dense, self.run.begin, self.run.end))[0])
        x, y = poses.out(body, [point])
        way = np.stack([x[0], y[0]], axis=1)
        for part in trail_parts(way, dense, bound, scale, self.film):
            layer.append(part)
        dot = element("circle", {"class": "dot", "cx": number(point[0], 3), "cy": number(point[1], 3)})
        dot.set("r", number(4 / scale, 4))
        dot.set("stroke-width", number(1 / scale, 4))
        self.groups[body].append(dot)


def flash_tracks(times: Sequence[float], clock: Clock) -> tuple[Track, Track]:
    """Opacity and size of a ring that is seen for a moment at each of some times."""
    shares, seen, grown = ["0"], ["0"], ["1"]
    long = FLASH / clock.cycle
    kept: list[float] = []
    for share in sorted(clock.share(t) for t in times):
        # What follows at once is seen as one flash.
        if (not kept or share - kept[-1] > 0.1 * long) and len(kept) < FLASHES:
            kept.append(share)
    for share, following in zip(kept, [*kept[1:], 1.0], strict=True):
        fades = min(share + long, following)
        part = (fades - share) / long
        shares += [number(share, 6), number(share, 6), number(fades, 6)]
        seen += ["0", ".9", number(0.9 * (1 - part), 2)]
        grown += ["1", ".5", number(0.5 + part, 2)]
    if shares[-1] != "1":
        shares, seen, grown = [*shares, "1"], [*seen, "0"], [*grown, "1"]
    else:
        seen[-1] = "0"
    return (
        Track(kind="opacity", shares=tuple(shares), values=tuple(seen), eases="linear"),
        Track(kind="scale", shares=tuple(shares), values=tuple(grown), eases="linear"),
    )


def trail_parts(way: Array, times: Array, bound: float, scale: float, film: Film) -> list[Element]:
    """The way of a point: all of it faintly, and over it what is past.

    Args:
        way: Places, shape (n, 2) [mm].
        times: [s], shape (n,).
        bound: How far it may be off [mm].
        scale: Pixels of a mm.
        film: Where motion is written.
    """
    decimals = max(0, math.ceil(-math.log10(0.2 * bound)))
    d = polyline(way[thinned(way, 2 * bound)].ravel(), decimals)
    wide = number(1.6 / scale, 4)
    made = [element("path", {"class": "trail", "d": d, "stroke-width": wide})]
    past = element("path", {"class": "drawn", "d": d, "stroke-width": wide, "pathLength": "1"})
    past.set("stroke-dasharray", "1")
    past.set("stroke-dashoffset", "1")
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    total = float(length[-1])
    if total > bound:
        curve = np.stack([(times - times[0]) / (times[-1] - times[0]), length / total], axis=1)
        kept = thinned(curve, max(1.5 * bound / total, 5e-4))
        shares = [number(film.clock.share(float(times[i])), 5) for i in kept]
        values = [number(1 - float(length[i]) / total, 4) for i in kept]
        shares[0] = "0"
        if shares[-1] != "1":
            shares, values = [*shares, "1"], [*values, values[-1]]
        track = Track(kind="stroke-dashoffset", shares=tuple(shares), values=tuple(values), eases="linear")
        film.play(past, track)
        made.append(past)
    return made
