"""Signals of schemes in pages: which are plotted, and in what."""

from __future__ import annotations

from typing import Final, Literal

from sistel.errors import Text
from sistel.markup import Name, walk_expression
from sistel.model import Input, Model, Signal
from sistel.units import ANGLE, FORCE, LENGTH, MOMENT, Dimension, si_symbol

SignalKind = Literal["angle", "length", "number", "force", "moment"]
MOST: Final = 40
"""Signals of schemes that are plotted: a page of hundreds would be slow, and nobody would find anything."""
_KINDS: Final[dict[Dimension, SignalKind]] = {ANGLE: "angle", LENGTH: "length", FORCE: "force", MOMENT: "moment"}


def all_signals(model: Model) -> list[Signal | Input]:
    """What comes from outside, then all signals, in the order of the file."""
    found = [each for scheme in model.schemes if not scheme.asks for each in scheme.named]
    return sorted(found, key=lambda each: not isinstance(each, Input))


def plotted_signals(model: Model) -> list[Signal | Input]:
    """Those that pages plot: of very many, inputs first, then what displays show, what motors get, and the rest."""
    known = all_signals(model)
    if len(known) <= MOST:
        return known
    shown = [each.name for scheme in model.schemes for each in scheme.displays]
    asked = [
        node.name
        for scheme in model.schemes
        for command in scheme.commands
        for node in walk_expression(command.value.expression)
        if isinstance(node, Name)
    ]
    first = {name: place for place, name in enumerate(dict.fromkeys((*shown, *asked)))}
    ranks = {each.name: -1 if isinstance(each, Input) else first.get(each.name, len(first)) for each in known}
    chosen = {each.name for each in sorted(known, key=lambda each: ranks[each.name])[:MOST]}
    return [each for each in known if each.name in chosen]


def signal_kind(dimension: Dimension) -> tuple[SignalKind, Text]:
    """The axis of a chart of signals, and its title, with the unit where the axis has none of its own."""
    kind = _KINDS.get(dimension, "number")
    units = [si_symbol(dimension, lang).replace("*", "·") for lang in ("en", "ru") if not dimension.plain]
    en, ru = units if units and kind == "number" else ("", "")
    return kind, Text(f"Signals, {en}" if en else "Signals", f"Сигналы, {ru}" if ru else "Сигналы")
