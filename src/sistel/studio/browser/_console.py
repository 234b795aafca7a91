"""The console without a server: expressions where a model starts, or at a state of a run that a page has computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.studio.service import instant, numbers, parts, placed, span_of, table, text, told_value, tried_values

if TYPE_CHECKING:
    from sistel.model import Model, Structure

Params = Mapping[str, object]


def time_of(params: Params) -> object:
    """The instant that a line names: `{time}` [s], null where it names none."""
    _, when = parts(text(params, "line", most=10_000))
    return {"time": None if when is None else instant(_model(params), when)}


def asked(params: Params) -> object:
    """The value of an expression: `{text, value, t}`.

    Raises:
        SistelError: It is wrong, or the structure is one whose loads are not known without a server.
    """
    from sistel.automaton import reads_dynamics
    from sistel.engine import Engine
    from sistel.expr import evaluate
    from sistel.model import read_quantity

    line = text(params, "line", most=10_000)
    question, when = parts(line)
    model = _model(params)
    with placed(line, question):
        typed = read_quantity(model, question)
    state = table(params, "state")
    if state:
        structure, y = _structure(model, text(state, "structure")), [float(each) for each in numbers(state, "y")]
    else:
        if when is not None:
            refuse(
                "no-run",
                Text("there is no run yet: a time asks for one", "расчёта ещё нет, а время спрашивает о нём"),
                span=span_of(line, when),
                hint=Text("run the model first", "сначала сделайте расчёт"),
            )
        structure = model.structure(model.start_structure)
        y = _start(model, structure)
    if len(y) != model.state_size:
        refuse("other-model", Text("this run is of another model", "этот расчёт — другой модели"))
    engine = Engine.of(model)
    mode = engine.automaton.mode(structure)
    if mode.is_shared and reads_dynamics(model, [typed.expression]):
        refuse(
            "needs-server",
            Text(
                "loads where contacts share them are computed by the studio on your own machine",
                "нагрузки там, где их делят контакты, вычисляет студия на вашей машине",
            ),
        )
    value = evaluate(mode.quantities([typed.expression]), y)[0][0]
    return told_value(value if math.isfinite(value) else math.nan, typed, y[-1])


def numbers_of(values: Mapping[str, object]) -> dict[str, float]:
    """Those of a table that are numbers."""
    return {name: float(value) for name, value in values.items() if isinstance(value, (int, float))}


def _model(params: Params) -> Model:
    from sistel.system import parse

    path, source = text(params, "path"), text(params, "text")
    system = parse(source, path)
    tried = numbers_of(table(params, "tried"))
    return (system.with_parameters(tried_values(path, source, tried)) if tried else system).model


def _structure(model: Model, key: str) -> Structure:
    """The structure that a page tells: what contacts do there follows its name."""
    for each in model.structures:
        if key == each.name or key.startswith(f"{each.name}: "):
            return each
    return model.structure(model.start_structure)


def _start(model: Model, structure: Structure) -> list[float]:
    from sistel.engine import Engine
    from sistel.simulation import initial_state

    return [float(each) for each in initial_state(Engine.of(model), structure, None, None, None)]
