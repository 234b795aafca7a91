"""The parameters that a page may change while it moves, and how far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.engine import LiveEngine
from sistel.errors import SistelError, Text
from sistel.expr import Traced
from sistel.model import live_model
from sistel.simulation import why_not_live
from sistel.units import si_symbol
from sistel.views._page_data import LiveParameter
from sistel.views.live._structures import said

if TYPE_CHECKING:
    from sistel.model import Model, Parameter

_DOWN, _UP = 0.75, 1.0
"""How far a slider goes below and above a value, in parts of it, where the file gives no limits."""


def live_engine(model: Model, followed: bool) -> tuple[LiveEngine | None, dict[str, Text]]:
    """The engine whose parameters a page can change, and why others cannot be.

    Args:
        model: In plain numbers.
        followed: Whether parameters may be changed; they cannot where the model does not know them.
    """
    names = [parameter.name for parameter in model.parameters]
    if not names:
        return None, {}
    if not followed:
        reason = Text(
            "the page was made without the description of the system", "страница сделана без описания системы"
        )
        return None, dict.fromkeys(names, reason)
    try:
        found = live_model(model)
    except SistelError as problem:
        return None, dict.fromkeys(names, problem.diagnostics[0].message)
    refused = dict(found.refused)
    formula = Text("it follows from others", "он вычисляется из других")
    refused |= {name: formula for name in names if name not in found.names and name not in refused}
    if not found.names:
        return None, refused
    begins = (found.model.start_time, *(each.start for each in found.model.memory))
    if any(isinstance(number, Traced) for number in begins):
        reason = Text("it decides when the motion begins", "от него зависит начало движения")
        return None, refused | dict.fromkeys(found.names, reason)
    engine = LiveEngine(replace(found, refused={}))
    fault = why_not_live(engine)
    if fault is not None:
        return None, refused | dict.fromkeys(found.names, fault)
    return engine, refused


def parameter_rows(model: Model, engine: LiveEngine | None, refused: Mapping[str, Text]) -> list[LiveParameter]:
    """All parameters: their values, units and limits, and which of them a page can change."""
    names = [] if engine is None else list(engine.live.names)
    rows: list[LiveParameter] = []
    for parameter in model.parameters:
        live = parameter.name in names
        low, high = _range(parameter)
        rows.append(
            {
                "name": parameter.name,
                "value": float(parameter.value),
                "unit": {"en": _unit(parameter, "en"), "ru": _unit(parameter, "ru")},
                "about": parameter.about,
                "live": live,
                "place": names.index(parameter.name) if live else None,
                "min": low,
                "max": high,
                "refused": None if live or parameter.name not in refused else said(refused[parameter.name]),
            }
        )
    return rows


def _unit(parameter: Parameter, lang: str) -> str:
    return "" if parameter.dimension.plain else si_symbol(parameter.dimension, lang)


def _range(parameter: Parameter) -> tuple[float, float]:
    value = float(parameter.value)
    size = abs(value) or 1.0
    down, up = (_DOWN, _UP) if value > 0.0 else (_UP, _DOWN) if value < 0.0 else (1.0, 1.0)
    low = value - down * size if parameter.minimum is None else float(parameter.minimum)
    high = value + up * size if parameter.maximum is None else float(parameter.maximum)
    return min(low, value), max(high, value)
