"""Which parameters change nothing but the state to begin with, and how that state follows from them.

Such parameters cost nothing: one set of compiled equations serves all their values. The others need equations of their
own for every value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache

from sistel.ensembles._work import Blueprint
from sistel.expr import LIVE, Graph, Program, Traced
from sistel.markup import Name
from sistel.mechanics import expressions
from sistel.model import Model, live_model
from sistel.records import entry

_SHOWN = ("shapes", "postures", "groups")
"""What no motion depends on."""
_APART = frozenset(("start", "parameters", "span", "diagnostics", *_SHOWN))


@entry
class StartFormulas:
    """The start of the file as a function of parameters."""

    names: tuple[str, ...]
    """Parameters on which nothing but the start depends."""
    line: Program | None
    """Their values → q, v."""


@lru_cache(maxsize=16)
def start_formulas(blueprint: Blueprint, names: tuple[str, ...]) -> StartFormulas:
    """Those of some parameters that only the start depends on, and the start as a function of them."""
    light = tuple(name for name in names if _only_start(blueprint.model, name))
    live = live_model(blueprint.model, light) if light else None
    return StartFormulas((), None) if live is None or live.refused else _formulas(live.model, light)


def _only_start(model: Model, name: str) -> bool:
    live = live_model(model, (name,))
    if live.refused:
        return False
    touched = frozenset(p.name for p in live.model.parameters if isinstance(p.value, Traced))
    found = (getattr(live.model, field.name) for field in fields(model) if field.name not in _APART)
    return not any(_depends(value, touched) for value in found)


def _depends(value: object, touched: frozenset[str]) -> bool:
    """Whether something contains a traced number, or asks for a parameter that is one."""
    if isinstance(value, Traced):
        return True
    if isinstance(value, Name) and value.name in touched:
        return True
    return any(_depends(each, touched) for each in _inside(value))


def _inside(value: object) -> Iterator[object]:
    if is_dataclass(value) and not isinstance(value, type):
        yield from (getattr(value, field.name) for field in fields(value) if field.name != "span")
    elif isinstance(value, (tuple, list, frozenset)):
        yield from value
    elif isinstance(value, Mapping):
        yield from value.values()


def _formulas(model: Model, names: tuple[str, ...]) -> StartFormulas:
    numbers = (*model.start.q, *model.start.v)
    graph = next((number.node.graph for number in numbers if isinstance(number, Traced)), None)
    if graph is None:
        graph = Graph()
        graph.inputs(LIVE, len(names))
    blocks = {
        key: expressions(graph, [each.node if isinstance(each, Traced) else float(each) for each in values])
        for key, values in (("q", model.start.q), ("v", model.start.v))
    }
    return StartFormulas(names, graph.program(blocks))
