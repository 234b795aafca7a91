"""Functional schemes in pages: their drawings, what their wires carry, and the operator's console."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sistel.automaton import GIVEN
from sistel.errors import Language, Text
from sistel.model import seed_name
from sistel.units import ANGLE, LENGTH, Dimension, si_symbol
from sistel.views._page_data import ConsoleDisplay, ConsoleInput, ControlData, ControlSignal, LiveTable
from sistel.views._page_words import Words
from sistel.views.page._said import BOTH, tidy
from sistel.views.page._signals import all_signals, plotted_signals, signal_kind
from sistel.views.wiring import drawn_schemes

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import Run

MOST_RECORDED = 2000
"""Changes of inputs that a page is told."""


def control_of(model: Model, run: Run | None, table: LiveTable) -> tuple[ControlData, dict[Language, str]] | None:
    """What a page is told of schemes, and their drawings by language; None where there are none."""
    schemes = [scheme for scheme in model.schemes if not scheme.asks]
    if not schemes:
        return None
    drawn = {lang: drawn_schemes(model, schemes, lang, inside=True) for lang in BOTH}
    known = {each.name: each for each in all_signals(model)}
    on_wires = drawn[BOTH[0]].signals
    names = list(dict.fromkeys((*on_wires, *known)))
    places = {name: i for i, name in enumerate(names)}
    memory = {name: i for i, (kind, name, _) in enumerate(table["memory"]) if kind in ("signal", "input")}
    flowing = {name: i for i, name in enumerate(table.get("flowing", ()))}
    signals = [
        _signal(name, known[name].dimension, known[name].truth, memory.get(name), flowing.get(name)) for name in names
    ]
    given, record = _record(model, run, places)
    data: ControlData = {
        "drawing": {lang: f"wiring-{lang}" for lang in BOTH},
        "drawn": len(on_wires),
        "signals": signals,
        "plotted": len(plotted_signals(model)),
        "all": len(known),
        "inputs": _inputs(model, places),
        "displays": _displays(model, places),
        "given": given,
        "record": record,
    }
    return data, {lang: picture.svg for lang, picture in drawn.items()}


def _signal(name: str, dimension: Dimension, truth: bool, memory: int | None, flow: int | None) -> ControlSignal:
    kind, title = signal_kind(dimension)
    scale, unit = 1.0, Text(*(si_symbol(dimension, lang).replace("*", "·") for lang in ("en", "ru")))
    if dimension == ANGLE:
        scale, unit = 180.0 / math.pi, Text("°", "°")
    elif dimension == LENGTH:
        scale, unit = 1000.0, Text("mm", "мм")
    elif dimension.plain:
        unit = Text("", "")
    return {
        "name": tidy(name),
        "unit": _words(unit),
        "scale": scale,
        "truth": truth,
        "memory": memory,
        "flow": flow,
        "kind": kind,
        "title": _words(title),
    }


def _words(text: Text) -> Words:
    return {"en": tidy(text.en), "ru": tidy(text.ru)}


def _inputs(model: Model, places: dict[str, int]) -> list[ConsoleInput]:
    made: dict[str, ConsoleInput] = {}
    for scheme in model.schemes:
        for each in () if scheme.asks else scheme.inputs:
            if each.name == seed_name(scheme.name):
                continue  # nobody turns it by hand
            name = each.name.removesuffix(".x").removesuffix(".y") if each.face == "joystick" else each.name
            row = made.setdefault(
                name,
                {
                    "name": tidy(name),
                    "face": each.face or "number",
                    "signals": [],
                    "start": each.start,
                    "min": each.minimum,
                    "max": each.maximum,
                    "positions": list(each.positions),
                },
            )
            row["signals"].append(places[each.name])
    return list(made.values())


def _displays(model: Model, places: dict[str, int]) -> list[ConsoleDisplay]:
    return [
        {
            "name": tidy(each.name),
            "kind": each.kind,
            "signal": places[each.name],
            "min": each.minimum,
            "max": each.maximum,
            "colour": each.colour,
            "digits": each.digits,
        }
        for scheme in model.schemes
        for each in scheme.displays
    ]


def _record(
    model: Model, run: Run | None, places: dict[str, int]
) -> tuple[list[float], list[tuple[float, int, float]]]:
    """Values of all signals that are inputs where a run began (0 for others), and how they changed."""
    given = [0.0] * len(places)
    first = model.nq + model.nv
    for i, each in enumerate(model.memory):
        if each.kind == "input" and each.name in places:
            began = None if run is None or not run.segments else run.segments[0].coefficients[0, first + i, 0]
            given[places[each.name]] = float(each.start if began is None else began)
    record: list[tuple[float, int, float]] = []
    for event in () if run is None else run.events:
        if event.transition.startswith(GIVEN) and len(record) < MOST_RECORDED:
            name, _, value = event.transition.removeprefix(GIVEN).rpartition(" = ")
            record.append((event.time, places[name], float(value)))
    return given, record
