"""Runs over the one of a page: what they are called, what of them can be shown, and their motions and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, refuse
from sistel.views._page_data import ComparedRun, Curves, LiveParameter
from sistel.views._steps import check_steps
from sistel.views.page._motion import key_motion, run_data, sampled, structures_in
from sistel.views.page._payload import Blocks, describe, measures, named, structures_of

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import Run

MOST: Final = 3
"""Runs over the one of the page: more patterns of dashes cannot be told apart."""
LONGEST: Final = 60
"""Letters of a name."""


def named_runs(
    run: Run, others: Sequence[Run] | Mapping[str, Run], called: str = ""
) -> tuple[str, list[tuple[str, Run]]]:
    """What the run of a page is called, and each of those beside it: by what differs, else by their systems.

    Raises:
        SistelError: There are too many, or one has kept no steps.
    """
    given = list(others.items()) if isinstance(others, Mapping) else [("", each) for each in others]
    if len(given) > MOST:
        refuse(
            "too-many-runs",
            Text(
                f"{len(given)} runs cannot be told apart over that of the page",
                f"{len(given)} расчётов поверх расчёта страницы не различить",
            ),
            expected=Text(f"at most {MOST}", f"не более {MOST}"),
        )
    for _, each in given:
        check_steps(each)
    runs = [run, *(each for _, each in given)]
    alike = len({each.model.name for each in runs}) == 1
    varied = [
        name
        for name, values in _parameters(runs).items()
        if alike and len(values) == len(runs) and len(set(values)) > 1
    ]
    names: list[str] = []
    for each, own in zip(runs, [called, *(name for name, _ in given)], strict=True):
        values = {parameter.name: parameter.value for parameter in each.model.parameters}
        made = own or ", ".join(f"{name} {values[name]:.6g}" for name in varied[:4]) or each.model.name or "run"
        made = named(made)[:LONGEST]
        number, free = 1, made
        while free in names:
            number += 1
            free = f"{made} ({number})"
        names.append(free)
    return names[0], list(zip(names[1:], runs[1:], strict=True))


def _parameters(runs: Sequence[Run]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in runs:
        for parameter in run.model.parameters:
            found.setdefault(parameter.name, []).append(parameter.value)
    return found


def add_compared(
    page: Blocks,
    model: Model,
    live: Sequence[LiveParameter],
    runs: Sequence[tuple[str, Run]],
    quantities: Sequence[str],
) -> list[ComparedRun]:
    """Put runs into the page of another one.

    Args:
        page: Its blocks.
        model: The system of the page.
        live: Its parameters that the page can change.
        runs: Names and runs.
        quantities: Expressions that are plotted too, of runs whose systems know them.
    """
    return [_added(page, model, live, run, name, quantities, i) for i, (name, run) in enumerate(runs, 1)]


def _added(
    page: Blocks,
    model: Model,
    live: Sequence[LiveParameter],
    run: Run,
    name: str,
    quantities: Sequence[str],
    place: int,
) -> ComparedRun:
    size, reach = measures(run.model, sampled(run))
    about = describe(run.model, size)
    structures, number = structures_of(run.model, structures_in(run))
    keys = key_motion(run, size, reach)
    stored, columns = keys.to_bytes(size, about["partners"])
    curves, values = _curves(run, quantities)
    curves["id"] = page.pack(f"curves-{place}", values)
    return {
        "name": name,
        "run": run_data(run, keys, number, page.pack(f"run-{place}", stored), columns),
        "curves": curves,
        "structures": structures,
        "events": len(run.events),
        "coordinates": about["coordinates"],
        "rates": about["rates"],
        "spins": about["spins"],
        "partners": about["partners"],
        "values": values_that_differ(model, run.model, live),
    }


def _curves(run: Run, quantities: Sequence[str]) -> tuple[Curves, bytes]:
    from sistel.views.page._curves import STATES, curves_of

    if quantities:
        with suppress(SistelError):  # another system need not know them: the page says which curves have no namesake
            return curves_of(run, quantities=quantities, told=STATES)
    return curves_of(run, told=STATES)


def values_that_differ(model: Model, other: Model, live: Sequence[LiveParameter]) -> dict[str, float] | None:
    """Live parameters by which two systems differ [SI]; None where they differ in something else."""
    own = {parameter.name: parameter.value for parameter in model.parameters}
    differing = {
        parameter.name: parameter.value for parameter in other.parameters if own.get(parameter.name) != parameter.value
    }
    if not differing:
        return {} if model.fingerprint == other.fingerprint else None
    movable = {row["name"] for row in live if row["live"]}
    recipe = other.recipe
    if recipe is None or not differing.keys() <= own.keys() & movable:
        return None
    with suppress(SistelError):  # values that the other system cannot have
        again = replace(recipe, values=()).build({**dict(recipe.values), **{name: own[name] for name in differing}})
        if again.fingerprint == model.fingerprint:
            return differing
    return None
