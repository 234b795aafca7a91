"""Calls about signals: along runs that are kept, at an instant, and in the console."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse
from sistel.studio.server._run_calls import asked_of, kept_place, model_of, values_of
from sistel.studio.service import language, number, text, whole

if TYPE_CHECKING:
    from sistel.studio.server._desk import Desk, Here

MOST_NAMES: Final = 400
"""Signals of one call."""
MOST: Final = 20_000
"""Instants of one call."""


async def curves(desk: Desk, params: Mapping[str, object]) -> object:
    """Signals of a run between two instants, as finely as a window shows them."""
    asked = {
        "run": await _run(desk, params),
        "names": _names(params),
        "from": None if params.get("from") is None else number(params, "from"),
        "to": None if params.get("to") is None else number(params, "to"),
        "most": min(max(whole(params, "most", 1200), 2), MOST),
        "lang": language(params),
    }
    return await asked_of(desk.signals, "curves", asked)


async def values(desk: Desk, params: Mapping[str, object]) -> object:
    """Signals of a run at an instant: `{name: value}`."""
    asked = {"run": await _run(desk, params), "names": _names(params), "t": number(params, "t")}
    return await asked_of(desk.signals, "values", asked)


async def response(desk: Desk, params: Mapping[str, object]) -> object:
    """How a signal of a run answers to a step: overshoot, peak, settling."""
    target: float | str | None = None
    if isinstance(params.get("target"), str):
        target = text(params, "target", most=1000)
    elif params.get("target") is not None:
        target = number(params, "target")
    asked = {
        "run": await _run(desk, params),
        "name": text(params, "signal", most=1000),
        "target": target,
        "t": None if params.get("t") is None else number(params, "t"),
        "band": number(params, "band", 0.02),
    }
    return await asked_of(desk.signals, "response", asked)


async def console(desk: Desk, params: Mapping[str, object]) -> object:
    """The value of an expression, along a run or where the model of a text starts: `{text, value, t}`."""
    asked: dict[str, object] = {
        "line": text(params, "line", most=10_000),
        "t": None if params.get("t") is None else number(params, "t"),
        "run": None,
    }
    if params.get("run") is not None:
        asked["run"] = await _run(desk, {**params, "id": params["run"]})
    else:
        asked["path"], asked["text"] = model_of(desk, params)
        asked["changed"], asked["tried"] = values_of(params)
    return await asked_of(desk.signals, "ask", asked)


async def _run(desk: Desk, params: Mapping[str, object]) -> dict[str, object]:
    entry = await asyncio.to_thread(desk.runs.entry, text(params, "id"))
    return kept_place(desk, entry)


def _names(params: Mapping[str, object]) -> list[str]:
    found = params.get("names")
    if not isinstance(found, list) or len(found) > MOST_NAMES:
        refuse(
            "bad-parameter",
            Text(
                f'"names" is a list of at most {MOST_NAMES} signals',
                f"«names» — список, не более {MOST_NAMES} сигналов",
            ),
        )
    return [text({"names": each}, "names", most=1000) for each in found]


METHODS: Final[Mapping[str, Here]] = {
    "runs.curves": curves,
    "runs.values": values,
    "runs.response": response,
    "console.run": console,
}
