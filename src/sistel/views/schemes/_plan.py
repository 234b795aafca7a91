"""A floor plan: the world from above, the way of points over it, and where the bodies stood."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from sistel.look import COORDINATES, SANS, painted
from sistel.mechanics import Kinematics, posture
from sistel.views._drawing import Drawing
from sistel.views.schemes._posture import plain
from sistel.views.schemes._scene import hull

if TYPE_CHECKING:
    from sistel.errors import Language
    from sistel.model import Model, Shape
    from sistel.simulation import Run

    Point = tuple[float, float]

WIDTH: Final = 900.0
"""Of the picture [px]."""
MARGIN: Final = 24.0
"""[px]"""
CORNERS: Final = 32
"""Of what is drawn for a circle."""
WAY: Final = 1500
"""Places on a way that are drawn."""
_STYLE: Final = (
    f"svg{{background:var(--paper);font:12px {SANS}}}"
    "text{fill:var(--ink);text-anchor:middle}"
    ".thing{stroke:var(--ink);stroke-width:1;fill-opacity:.75}.body{fill:var(--accent);fill-opacity:.12;"
    "stroke:var(--accent);stroke-width:1}.first{stroke-dasharray:4 3}.way{fill:none;stroke-width:2}"
    ".rule{stroke:var(--ink);stroke-width:2}"
) + "".join(f".w{i}{{stroke:var(--{name})}}" for i, name in enumerate(COORDINATES))


def floor_plan(run: Run, points: Sequence[str], lang: Language) -> Drawing:
    """What happened on the floor, as the text of an SVG picture.

    Obstacles of the world bear their names. Bodies are drawn where they began, dashed, and where they ended.

    Args:
        run: A run of a spatial system, with its steps.
        points: Points, frames or bodies whose ways are drawn.
        lang: Language of the words.
    """
    model = run.model
    world = sorted((shape for shape in model.shapes if shape.obstacle), key=_height)
    things = [(shape, _outline(shape, None)) for shape in world]
    times = np.linspace(run.begin, run.end, WAY)
    ways = {
        name: list(zip(run.quantity(f"x({name})", times), run.quantity(f"y({name})", times), strict=True))
        for name in points
    }
    ends = (("first", run.begin), ("last", run.end))
    stood = [(kind, list(_bodies(model, run(time)[0].tolist()))) for kind, time in ends]
    drawn = [outline for _, outline in things] + list(ways.values()) + [each for _, group in stood for each in group]
    paper = _Paper([corner for outline in drawn for corner in outline])
    lines = [_thing(shape, outline, paper) for shape, outline in things if len(outline) > 2]
    lines += [_closed(outline, paper, f"body {kind}") for kind, group in stood for outline in group]
    for number, (name, way) in enumerate(ways.items()):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(paper.at, way))
        lines.append(
            f'<polyline class="way w{number % len(COORDINATES)}" points="{path}">'
            f"<title>{escape(name)}</title></polyline>"
        )
    lines += [_label(shape, outline, paper) for shape, outline in things if shape.name and _small(outline, paper)]
    title = f"{'План' if lang == 'ru' else 'Floor plan'}: {model.name}"
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {paper.width:.0f} {paper.height:.0f}" role="img" '
        f"lang={quoteattr(lang)}>\n<title>{escape(title)}</title>\n"
        f"<style>{painted(_STYLE)}</style>\n"
        + "\n".join([*lines, paper.rule("м" if lang == "ru" else "m")])
        + "\n</svg>\n"
    )


class _Paper:
    """Where places of the floor are on the picture."""

    def __init__(self, places: Sequence[Point]) -> None:
        """Room for all of them."""
        x, y = [place[0] for place in places], [place[1] for place in places]
        self.left, self.top = min(x), max(y)
        self.scale = (WIDTH - 2 * MARGIN) / max(max(x) - self.left, 1e-9)
        """[px/m]"""
        self.width = WIDTH
        self.height = (self.top - min(y)) * self.scale + 3 * MARGIN

    def at(self, place: Point) -> Point:
        """Its place on the picture [px]."""
        return MARGIN + (place[0] - self.left) * self.scale, MARGIN + (self.top - place[1]) * self.scale

    def rule(self, unit: str) -> str:
        """How long a metre is."""
        y = self.height - MARGIN / 2
        return (
            f'<path class="rule" d="M{MARGIN} {y - 4:.1f}v4h{self.scale:.1f}v-4"/>'
            f'<text x="{MARGIN + self.scale / 2:.1f}" y="{y - 3:.1f}">1 {unit}</text>'
        )


def _height(shape: Shape) -> float:
    return float(shape.p_BS[2])


def _outline(shape: Shape, kinematics: Kinematics | None) -> list[Point]:
    """What a shape covers, seen from above [m]; empty for what has no simple form."""
    found = []
    for corner in _corners(shape):
        place = [
            p + sum(r * c for r, c in zip(row, corner, strict=True))
            for p, row in zip(shape.p_BS, shape.R_BS, strict=True)
        ]
        x, y, _ = place if kinematics is None else kinematics.place(shape.body, (place[0], place[1], place[2]))
        found.append((plain(x), plain(y)))
    return hull(found) if found else []


def _corners(shape: Shape) -> Iterable[tuple[float, float, float]]:
    """Points of a shape whose hull it is, in its frame [m]; the hull of a round one is a little smaller."""
    match shape.kind:
        case "box":
            halves = [size / 2 for size in shape.sizes]
            return [(a * halves[0], b * halves[1], c * halves[2]) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        case "cylinder" | "capsule":
            radius, length = shape.sizes[:2]
            return [(x, y, z) for z in (-length / 2, length / 2) for x, y in _circle(radius)]
        case "sphere":
            return [(x, y, 0.0) for x, y in _circle(shape.sizes[0])]
    return []


def _circle(radius: float) -> list[Point]:
    return [
        (radius * math.cos(2 * math.pi * k / CORNERS), radius * math.sin(2 * math.pi * k / CORNERS))
        for k in range(CORNERS)
    ]


def _bodies(model: Model, q: Sequence[float]) -> Iterable[list[Point]]:
    kinematics = posture(model, [float(each) for each in q])
    for shape in model.shapes:
        if not shape.obstacle and shape.body and len(outline := _outline(shape, kinematics)) > 2:
            yield outline


def _closed(outline: Sequence[Point], paper: _Paper, kind: str) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(paper.at, outline))
    return f'<polygon class="{kind}" points="{corners}"/>'


def _thing(shape: Shape, outline: Sequence[Point], paper: _Paper) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(paper.at, outline))
    colour = f" style={quoteattr(f'fill:{shape.colour}')}" if shape.colour else ""
    return f'<polygon class="thing"{colour} points="{corners}"><title>{escape(shape.name)}</title></polygon>'


def _small(outline: Sequence[Point], paper: _Paper) -> bool:
    """Whether a name may stand at its middle: not on the floor itself, nor on a wall."""
    spans = [max(place[i] for place in outline) - min(place[i] for place in outline) for i in (0, 1)]
    return max(spans) * paper.scale < WIDTH / 2


def _label(shape: Shape, outline: Sequence[Point], paper: _Paper) -> str:
    x, y = paper.at(
        (sum(place[0] for place in outline) / len(outline), sum(place[1] for place in outline) / len(outline))
    )
    return f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(shape.name)}</text>'
