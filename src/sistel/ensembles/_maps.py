"""Which structures, sequences and numbers of events occur over a grid: what a picture of it shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.ensembles import _categories as kinds
from sistel.ensembles._categories import Key, Scale, Sorted
from sistel.ensembles._work import Axis
from sistel.errors import Language, Text, one_of, refuse, user_language
from sistel.files import drafted, reason_of
from sistel.model import Model
from sistel.records import entry
from sistel.units import ANGLE, LENGTH, TIME, Dimension, si_symbol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Indices
    from sistel.ensembles._ensemble import Ensemble


WAYS = ("ends", "structure", "sequence", "outcome", "events", "time")
SUFFIXES = (".png", ".svg", ".npz")


@entry
class MapAxis:
    """One side of a map."""

    name: str
    unit: str
    """Its symbol; empty for plain numbers."""
    values: Array

    @property
    def label(self) -> str:
        """Name and unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


@entry
class StructureMap:
    """A picture of a grid of runs, as data.

    Attributes:
        x: What runs along the horizontal axis.
        y: What runs along the vertical axis, upward.
        cells: Number of the colour of every run, shape (len(y), len(x)); row 0 is the bottom one.
        colours: Red, green, blue, shape (n, 3).
        keys: What colours mean.
        scale: What a row of colours means, where they are numbers.
        title: Over the picture.
        lang: Language of its words.
    """

    x: MapAxis
    y: MapAxis
    cells: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    keys: tuple[Key, ...]
    scale: Scale | None
    title: str
    lang: Language

    def svg(self) -> str:
        """The text of an SVG picture; the runs are a PNG in it."""
        from sistel.ensembles._draw import svg_of

        return svg_of(self)

    def png(self) -> bytes:
        """The bytes of a PNG picture: a run is at least a pixel."""
        from sistel.ensembles._draw import png_of

        return png_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file: .png, .svg, or .npz (cells, colours and axes); replaced whole or not at all.

        Raises:
            SistelError: The suffix means nothing, or the file cannot be written.
        """
        target = Path(path)
        if target.suffix not in SUFFIXES:
            refuse(
                "no-file",
                Text(f'"{target.suffix}" is no format of maps', f"«{target.suffix}» — не формат карт"),
                expected=one_of(SUFFIXES),
            )
        try:
            with drafted(target) as draft:
                if target.suffix == ".png":
                    draft.write_bytes(self.png())
                elif target.suffix == ".svg":
                    draft.write_text(self.svg(), encoding="utf-8")
                else:
                    self._archive(draft)
        except OSError as problem:
            said = reason_of(problem)
            refuse("no-file", Text(f"{target}: {said.en}", f"{target}: {said.ru}"))

    def _archive(self, path: Path) -> None:
        labels = [key.label for key in self.keys for _ in key.colours]
        numbers = [number for key in self.keys for number in key.colours]
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                cells=self.cells,
                colours=self.colours,
                x=self.x.values,
                y=self.y.values,
                names=np.array([self.x.label, self.y.label, self.title]),
                labels=np.array(labels),
                numbers=np.array(numbers, dtype=np.int64),
            )

    def _repr_png_(self) -> bytes:
        return self.png()


def make_map(
    ensemble: Ensemble,
    what: str | Array,
    *,
    x: str | None,
    y: str | None,
    title: str | None,
    label: str | None,
    lang: Literal["en", "ru"] | None,
) -> StructureMap:
    """See `Ensemble.map`."""
    language: Language = lang or user_language()
    work = ensemble.work
    long = [axis for axis in work.axes if len(axis.values) > 1] if work.grid else []
    if len(long) != 2:
        refuse("no-grid", Text("a map shows a grid of two axes", "карта показывает сетку из двух осей"))
    names = [axis.name for axis in long]
    across = x or next(name for name in reversed(names) if name != y)
    up = y or next(name for name in names if name != across)
    if {across, up} != set(names):
        refuse(
            "unknown-name", Text("x and y are the axes of the grid", "x и y — оси сетки"), expected=one_of(tuple(names))
        )
    sorted_runs = _sorted(ensemble, what, label, language)
    cells = sorted_runs.cells.reshape([size for size in work.shape if size > 1])
    if names.index(up) == 1:
        cells = cells.T
    by_name = {axis.name: axis for axis in long}
    model = work.blueprint.model
    ends = [_ordered(_axis(model, by_name[name], language)) for name in (across, up)]
    cells = cells[np.ix_(ends[1][1], ends[0][1])]
    return StructureMap(
        x=ends[0][0],
        y=ends[1][0],
        cells=np.ascontiguousarray(cells),
        colours=sorted_runs.colours,
        keys=sorted_runs.keys,
        scale=sorted_runs.scale,
        title=model.name if title is None else title,
        lang=language,
    )


def _sorted(ensemble: Ensemble, what: str | Array, label: str | None, lang: Language) -> Sorted:
    part = ensemble.whole
    if not isinstance(what, str):
        values = np.asarray(what, dtype=float).ravel()
        if len(values) != len(part):
            refuse("bad-shape", Text(f"one number a run: {len(part)}", f"по числу на запуск: {len(part)}"))
        return kinds.by_number(values, label or "", lang)
    if what not in WAYS:
        refuse("unknown-map", Text(f'there is no map of "{what}"', f"нет карты «{what}»"), expected=one_of(WAYS))
    if what == "time":
        words = Text(f"end of the run, {si_symbol(TIME)}", f"конец запуска, {si_symbol(TIME, 'ru')}")
        return kinds.by_number(part.state[:, -1], label or words.say(lang), lang)
    if what == "events":
        return kinds.by_number(part.events.astype(float), label or Text("events", "события").say(lang), lang)
    if what == "sequence":
        return kinds.by_sequence(part, ensemble.work.options.structure, lang)
    if what == "ends":
        return kinds.by_end(part, ensemble.work.options.most_events, lang)
    return kinds.by_structure(part, lang) if what == "structure" else kinds.by_outcome(part, lang)


def _axis(model: Model, axis: Axis, lang: Language) -> MapAxis:
    dimension: Dimension | None = TIME
    if axis.kind == "p":
        dimension = next(p.dimension for p in model.parameters if p.name == axis.name)
    elif axis.kind in ("q", "v"):
        dimension = _dimension(model, axis)
    if dimension is None:
        return MapAxis(axis.name, "", axis.values)
    symbol = "" if dimension == Dimension() else si_symbol(dimension, lang)
    return MapAxis(axis.name, symbol.replace("*", "·").replace("^2", "²").replace("^3", "³"), axis.values)


def _dimension(model: Model, axis: Axis) -> Dimension | None:
    joints = [body.joint.type for body in model.bodies]
    rows = [kind for joint in joints for _, kind in (joint.coordinates if axis.kind == "q" else joint.rates)]
    base = {"turn": ANGLE, "slide": LENGTH}.get(rows[axis.place])
    return base if base is None or axis.kind == "q" else base.over(TIME)


def _ordered(axis: MapAxis) -> tuple[MapAxis, Indices]:
    """An axis with growing values, and the places that they had."""
    order = np.argsort(axis.values, kind="stable")
    return MapAxis(axis.name, axis.unit, axis.values[order]), order
