"""A section as an SVG picture: what is reached, colours of a measure, curves of singularities, the arm."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, TypedDict

import numpy as np

from sistel.errors import Language, Text, refuse, user_language
from sistel.views import Drawing
from sistel.views.charts.chart import MINUS, Frame, axis, colour_bar, sheet, text
from sistel.views.text._numbers import clean, short
from sistel.views.workspace._arm import draw_arm, poles_of, usual_posture
from sistel.views.workspace._heat import COLOURS, Scale, colours, picture, scale_of
from sistel.views.workspace._style import style

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms import SectionMap, SingularCurve, Workspace
    from sistel.arrays import Array

    Theme = Literal["auto", "light", "dark"]

WIDE, HIGH = 720.0, 600.0
"""Room for the section, at most [px]."""
LEFT, TOP, RIGHT, FOOT = 70.0, 76.0, 26.0, 58.0
BAR: Final = 112.0
"""Room for the scale of colours [px]."""
KINDS: Final = 4
"""Kinds of singularities that are named under the picture."""
STOPS: Final = 25
"""Colours of the scale between which its colours are mixed."""
LINE: Final = 19.0


class Looks(TypedDict, total=False):
    """What a picture shows beside the section; see `Workspace.draw`."""

    at: ArrayLike | None
    singular: bool | Sequence[SingularCurve]
    theme: Theme | Literal["page"]
    lang: Language | None
    title: str | None


def draw_workspace(
    workspace: Workspace,
    of: SectionMap | None = None,
    *,
    at: ArrayLike | None = None,
    singular: bool | Sequence[SingularCurve] = True,
    theme: Theme | Literal["page"] = "auto",
    lang: Language | None = None,
    title: str | None = None,
) -> Drawing:
    """The section as the text of an SVG picture; arguments as those of `Workspace.draw`."""
    return Drawing(_Picture(workspace, of, at, singular, theme, lang or user_language(), title).svg())


class _Picture:
    def __init__(
        self,
        workspace: Workspace,
        of: SectionMap | None,
        at: ArrayLike | None,
        singular: bool | Sequence[SingularCurve],
        theme: Theme | Literal["page"],
        lang: Language,
        title: str | None,
    ) -> None:
        self.workspace, self.of, self.theme, self.lang, self.title = workspace, of, theme, lang, title
        self.down = workspace._chain.model.planar
        q = workspace.q if of is None else of.q
        self.at = usual_posture(workspace, q) if at is None else _posture(at, workspace._chain.model.nq)
        if isinstance(singular, bool):
            self.curves: tuple[SingularCurve, ...] = workspace.singularities() if singular else ()
        else:
            self.curves = tuple(singular)
        lines = [*workspace.boundary, *(curve.points for curve in self.curves), np.zeros((1, 2))]
        # The arm itself belongs to the picture, with its base.
        lines.append(np.array([workspace.plane.into(pole) for pole, _ in poles_of(workspace, self.at)]))
        points = np.concatenate(lines)
        low, high = points.min(axis=0), points.max(axis=0)
        edge = 0.05 * float((high - low).max()) + 1e-9
        low, high = low - edge, high + edge
        self.scale: float = min(WIDE / (high[0] - low[0]), HIGH / (high[1] - low[1]))
        self.low, self.high = low, high
        self.width, self.height = ((high - low) * self.scale).tolist()
        self.colours: Scale | None = None if of is None else scale_of(of.values)

    def say(self, text: Text) -> str:
        return text.say(self.lang)

    def px(self, point: Array) -> tuple[float, float]:
        return LEFT + float(point[0] - self.low[0]) * self.scale, self.level(float(point[1]))

    def level(self, y: float) -> float:
        """Height on the paper; of planar systems y grows downward, as in their schemes."""
        return TOP + float((y - self.low[1] if self.down else self.high[1] - y) * self.scale)

    def svg(self) -> str:
        legend = self.legend()
        wide = LEFT + self.width + RIGHT + (BAR if self.of is not None else 0.0)
        wide = max(wide, 420.0, *(LEFT + 52.0 + 6.9 * len(word) for _, word in legend))
        high = TOP + self.height + FOOT + LINE * len(legend) + 8.0
        name = clean(self.title or f"{self.workspace.name}: {self.what()}")
        # Letters of the title are about 0.6 of its size wide.
        size = max(12.0, min(19.0, (wide - LEFT - 10.0) / (0.61 * max(1, len(name)))))
        parts = [
            text("name", LEFT, 34, name, f' style="font-size:{size:.1f}px"'),
            text("dim", LEFT, 56, self.subtitle()),
            *self.grid(),
            *self.region(),
            *self.singular(),
            '<g class="arm">',
            *draw_arm(self.workspace, self.at, self.px),
            "</g>",
            *self.bar(),
            *legend_at(legend, TOP + self.height + FOOT),
        ]
        return sheet(
            parts,
            kind="sistel-space",
            width=wide,
            height=high,
            name=name,
            style=style(self.theme),
            lang=self.lang,
        )

    def what(self) -> str:
        if self.of is None:
            return self.say(Text("workspace", "рабочая зона"))
        return self.say(self.of.label)

    def subtitle(self) -> str:
        plane, frame = self.workspace.plane, clean(self.workspace.frame)
        labels = plane.labels
        if labels == ("s", "t"):
            n = ", ".join(short(x, 3) for x in plane.normal)
            where = Text(f"section across ({n})", f"сечение поперёк ({n})")
        else:
            third = next(letter for letter in "xyz" if letter not in labels)
            value = short(round(1e3 * float(plane.point["xyz".index(third)]), 3), 5)
            where = Text(
                f"section {labels[0]}{labels[1]}, {third} = {value} mm",
                f"сечение {labels[0]}{labels[1]}, {third} = {value} мм",
            )
        best = Text("", "")
        if self.of is not None:
            best = Text("; the best posture of each point", "; лучшая поза каждой точки")
        return self.say(Text(f"{frame}; {where.en}{best.en}", f"{frame}; {where.ru}{best.ru}"))

    def grid(self) -> list[str]:
        """Axes in millimetres, with their names."""
        count = [max(3, int(size / 90.0)) for size in (self.width, self.height)]
        x, y = (axis(1e3 * self.low[i], 1e3 * self.high[i], count[i], widen=False) for i in (0, 1))
        frame = Frame(left=LEFT, top=TOP, width=self.width, height=self.height, x=x, y=y, down=self.down)
        mm, labels = self.say(Text("mm", "мм")), self.workspace.plane.labels
        middle, centre = LEFT + self.width / 2, TOP + self.height / 2
        return [
            *frame.grid(),
            *frame.numbers_below(),
            *frame.numbers_beside(),
            text("label middle", middle, TOP + self.height + 38, f"{labels[0]}, {mm}"),
            text("label middle", 20, centre, f"{labels[1]}, {mm}", f' transform="rotate(-90 20 {centre:.1f})"'),
        ]

    def path(self) -> str:
        lines = (
            "L".join("{:.2f} {:.2f}".format(*self.px(point)) for point in line) for line in self.workspace.boundary
        )
        return "".join(f"M{line}Z" for line in lines)

    def region(self) -> list[str]:
        d = self.path()
        # Pictures of one page, such as a notebook, must not cut each other.
        name = f"sistel-reached-{zlib.crc32(d.encode()):08x}"
        if self.of is None or self.colours is None:
            return [f'<path class="reached" fill-rule="evenodd" d="{d}"/>']
        space = self.workspace
        x, y = space.x, space.y
        image = picture(self.of.values[::-1] if self.down else self.of.values, self.colours)
        half = 0.5 * space.step
        left, top = self.px(np.array([x[0] - half, y[0] - half if self.down else y[-1] + half]))
        wide, high = (len(x) * space.step * self.scale, len(y) * space.step * self.scale)
        return [
            f'<clipPath id="{name}"><path clip-rule="evenodd" d="{d}"/></clipPath>',
            f'<image clip-path="url(#{name})" x="{left:.2f}" y="{top:.2f}" width="{wide:.2f}" '
            f'height="{high:.2f}" preserveAspectRatio="none" href="{image}"/>',
            f'<path class="outline" fill="none" d="{d}"/>',
        ]

    def kinds(self) -> list[str]:
        """Words of the kinds of curves, the longest first."""
        length: dict[str, int] = {}
        for curve in self.curves:
            word = self.say(curve.words)
            length[word] = length.get(word, 0) + len(curve.points)
        return sorted(length, key=lambda word: -length[word])

    def singular(self) -> list[str]:
        kinds = self.kinds()
        parts = []
        over = "" if self.of is None else " over"
        for curve in self.curves:
            number = min(kinds.index(self.say(curve.words)), KINDS)
            points = _joined(curve.points, 2.5 * self.workspace.step)
            d = "M" + "L".join("{:.1f} {:.1f}".format(*self.px(point)) for point in points)
            if over:
                parts.append(f'<path class="case" d="{d}"/>')
            parts.append(f'<path class="singular k{number}{over}" d="{d}"/>')
        return parts

    def bar(self) -> list[str]:
        if self.of is None or self.colours is None:
            return []
        x, top, high = LEFT + self.width + 24.0, TOP + 26.0, self.height - 26.0
        unit = {"kg": Text("kg", "кг"), "m": Text("m", "м"), "m²": Text("m²", "м²"), "m³": Text("m³", "м³")}
        word = self.say(unit[self.of.unit]) if self.of.unit in unit else ""
        scale = self.colours
        chosen = colours()[np.linspace(0, COLOURS - 1, STOPS).astype(int)]
        table = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in chosen]
        parts = colour_bar(x, top, high, low=scale.low, high=scale.high, colours=table, label=word)
        if scale.beyond:
            parts.append(text("tick", x + 27, top - 12, f"≥ {short(scale.high, 3)}"))
        return parts

    def legend(self) -> list[tuple[str, str]]:
        """Classes of lines and what they mean, then the numbers."""
        space = self.workspace
        over = "" if self.of is None else " over"
        kinds = self.kinds()
        rows = []
        for number, word in enumerate(kinds[:KINDS]):
            said = Text(f"singular: {word}", f"особое: {word}")
            rows.append((f"singular k{number}{over}", self.say(said).replace("= -", f"= {MINUS}")))
        if len(kinds) > KINDS:
            rest = len(kinds) - KINDS
            rows.append(
                (
                    f"singular k{KINDS}{over}",
                    self.say(Text(f"singular: {rest} kinds more", f"особое: ещё видов: {rest}")),
                )
            )
        numbers = [
            Text(
                f"reach {1e3 * space.near:.4g} … {1e3 * space.reach:.4g} mm",
                f"досягаемость {1e3 * space.near:.4g} … {1e3 * space.reach:.4g} мм",
            ),
            Text(f"section {space.area:.4g} m²", f"сечение {space.area:.4g} м²"),
        ]
        if space.volume:
            digits = _digits(space.volume_error or 0.0)
            numbers.append(Text(f"volume {space.volume:.{digits}f} m³", f"объём {space.volume:.{digits}f} м³"))
        rows.append(("", " · ".join(self.say(text) for text in numbers)))
        return rows


def _posture(at: ArrayLike, count: int) -> Array:
    """Coordinates that were given for the arm.

    Raises:
        SistelError: They are not as many numbers as there are coordinates.
    """
    try:
        made = np.array(at, dtype=float)
    except (TypeError, ValueError):
        made = np.zeros(0)
    if made.shape != (count,) or not np.isfinite(made).all():
        message = Text(f"at is a posture of {count} numbers [m or rad]", f"at — поза из {count} чисел [м или рад]")
        refuse("bad-posture", message)
    return made


def _digits(error: float) -> int:
    """Decimals that the error leaves."""
    if error <= 0.0:
        return 4
    return max(0, min(6, -math.floor(math.log10(error))))


def _joined(points: Array, gap: float) -> Array:
    """A line that comes back to where it began, closed."""
    if len(points) > 8 and float(np.linalg.norm(points[0] - points[-1])) < gap:
        return np.concatenate([points, points[:1]])
    return points


def legend_at(rows: list[tuple[str, str]], top: float) -> list[str]:
    """The lines of a legend."""
    parts = []
    for k, (kind, word) in enumerate(rows):
        y = top + LINE * k + 6.0
        if kind:
            parts.append(f'<path class="{"case" if "over" in kind else "none"}" d="M{LEFT} {y - 4:.1f}h34"/>')
            parts.append(f'<path class="{kind}" d="M{LEFT} {y - 4:.1f}h34"/>')
        parts.append(text("dim", LEFT + (44 if kind else 0), y, clean(word)))
    return parts
