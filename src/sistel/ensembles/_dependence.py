"""Which parameters change nothing but the state to begin with, and how that state follows from them.

Such parameters cost nothing: one set of compiled equations serves all their values. The others need equations of their
own for every value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles._work import Recipe
from sistel.errors import SistelError
from sistel.expr import Program, Trace, Traced, program
from sistel.markup import Name
from sistel.mechanics import expressions
from sistel.model import Model, Parameter
from sistel.records import entry

if TYPE_CHECKING:
    pass


_SHOWN = ("shapes", "postures", "groups")
"""What no motion depends on."""
_APART = frozenset(("start", "parameters", "span", "diagnostics", *_SHOWN))
_STEP = 1e-3
_AGREES = 1e-12
"""Difference between a formula and what building gives, relative: a few roundings."""


@entry
class StartFormulas:
    """The start of the file as a function of parameters."""

    names: tuple[str, ...]
    """Parameters on which nothing but the start depends."""
    line: Program | None
    """Their values → q, v."""


@lru_cache(maxsize=16)
def start_formulas(recipe: Recipe, names: tuple[str, ...]) -> StartFormulas:
    """Those of some parameters that only the start depends on, and the start as a function of them."""
    light = tuple(name for name in names if _only_start(recipe, name))
    found = _formulas(recipe, light) if light else StartFormulas((), None)
    return found if found.line is None or _agrees(recipe, found) else StartFormulas((), None)


def _traced(recipe: Recipe, names: Sequence[str]) -> tuple[Trace, Model]:
    trace, values = Trace(), dict(recipe.values)
    known = {parameter.name: float(parameter.value) for parameter in recipe.build().parameters}
    symbols = {name: trace.symbol(name, known[name]) for name in names}

    def live(parameter: Parameter) -> float:
        return symbols.get(parameter.name, values.get(parameter.name, parameter.value))

    return trace, recipe.build_live(live)


def _only_start(recipe: Recipe, name: str) -> bool:
    try:
        _, model = _traced(recipe, (name,))
    except SistelError:
        return False
    touched = frozenset(p.name for p in model.parameters if isinstance(p.value, Traced))
    found = (getattr(model, field.name) for field in fields(model) if field.name not in _APART)
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


def _formulas(recipe: Recipe, names: tuple[str, ...]) -> StartFormulas:
    trace, model = _traced(recipe, names)
    blocks = {
        key: expressions(trace.graph, [each.node if isinstance(each, Traced) else float(each) for each in values])
        for key, values in (("q", model.start.q), ("v", model.start.v))
    }
    return StartFormulas(names, program(trace.graph, blocks))


def _agrees(recipe: Recipe, found: StartFormulas) -> bool:
    """Whether building with other values gives the same system, with the start that the formulas tell."""
    from sistel.expr import evaluate

    assert found.line is not None
    base = recipe.build()
    known = {p.name: float(p.value) for p in base.parameters}
    moved = {name: known[name] + _STEP * (1 + k / 10) * (abs(known[name]) or 1.0) for k, name in enumerate(found.names)}
    try:
        other = recipe.build(moved)
    except SistelError:
        return False
    same = {name: getattr(base, name) for name in ("start", "parameters", *_SHOWN)}
    if replace(other, **same).fingerprint != base.fingerprint:
        return False
    q, v = (np.array(block) for block in evaluate(found.line, list(moved.values())))
    real_q, real_v = np.array(other.start.q, dtype=float), np.array(other.start.v, dtype=float)
    return bool(
        np.allclose(q, real_q, rtol=_AGREES, atol=_AGREES) and np.allclose(v, real_v, rtol=_AGREES, atol=_AGREES)
    )
