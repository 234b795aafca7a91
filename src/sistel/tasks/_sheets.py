"""Task sheets: variants of a task with other values of its parameters, each solved and checked."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable

from sistel.errors import Diagnostics, SistelError, Text, one_of, refuse, word_hint
from sistel.records import record
from sistel.tasks._numbers import digits, told
from sistel.tasks._read import Task
from sistel.tasks._results import Result, Solved
from sistel.tasks._solve import solve_task
from sistel.tasks._varied import Vary
from sistel.units import spell_unit, unit_of

MOST_VARIANTS = 10_000
MOST_REFUSED = 200
"""Draws in succession without a solution, after which there is no use in going on."""
_BRACES = re.compile(r"\{([^{}]*)\}")


@record
class Variant:
    """One variant of a task sheet."""

    number: int
    values: dict[str, float]
    """Of the parameters that are varied [SI]."""
    question: Text
    result: Result
    task: Task


@record
class Sheet:
    """Variants of a task."""

    name: str
    varied: tuple[Vary, ...]
    variants: tuple[Variant, ...]
    refused: int
    """Drawn, and left out: the task has no solution with such values."""
    seed: int


def make_sheet(task: Task, count: int, seed: int, progress: Callable[[int], None] | None = None) -> Sheet:
    """So many different variants of a task; the same seed gives the same ones, the first of them whatever the count.

    Raises:
        SistelError: The task varies nothing, or not enough; its question names no parameter; a check fails.
    """
    total = math.prod(vary.count for vary in task.varied) if task.varied else 1
    if count > total:
        refuse(
            "too-few-variants",
            Text(
                f"there are only {total} different variants" if task.varied else "the task varies no parameter",
                f"разных вариантов всего {total}" if task.varied else "задача не варьирует ни одного параметра",
            ),
            span=task.document.root.span,
            hint=Text(
                'vary more: <vary parameter="…" from="…" to="…" step="…"/>',
                "варьируйте больше: <варьировать параметр=«…» от=«…» до=«…» шаг=«…»/>",
            ),
        )
    check_question(task)
    variants: list[Variant] = []
    seen: set[int] = set()
    draw = refused = barren = 0
    while len(variants) < count and len(seen) < total:
        place = _drawn(seed, draw) % total
        draw += 1
        if place in seen:
            continue
        seen.add(place)
        found = _variant(task, place, len(variants) + 1)
        if found is None:
            refused, barren = refused + 1, barren + 1
            if barren > MOST_REFUSED:
                break
            continue
        barren = 0
        variants.append(found)
        if progress is not None:
            progress(len(variants))
    if len(variants) < count:
        refuse(
            "too-few-variants",
            Text(
                f"only {len(variants)} variants have a solution; {refused} have none",
                f"решение есть только у вариантов: {len(variants)}; нет у {refused}",
            ),
            span=task.document.root.span,
        )
    return Sheet(name=task.name, varied=task.varied, variants=tuple(variants), refused=refused, seed=seed)


def _drawn(seed: int, draw: int) -> int:
    """A number that depends on the seed and on how often was drawn, on every machine and in every version alike."""
    return int.from_bytes(hashlib.sha256(f"sistel sheet {seed} {draw}".encode()).digest()[:16], "big")


def _variant(task: Task, place: int, number: int) -> Variant | None:
    """A variant, or None where it has no solution."""
    values: dict[str, float] = {}
    for vary in task.varied:
        place, digit = divmod(place, vary.count)
        values[vary.name] = vary.value(digit)
    try:
        changed = task.with_parameters(values)
        result = solve_task(changed)
    except SistelError:
        if number == 1 and not task.varied:
            raise
        return None
    if any(problem.failed is not None for problem in result.problems):
        return None
    for problem in result.problems:
        _must_hold(problem, values)
    return Variant(number=number, values=values, question=filled(changed, values), result=result, task=changed)


def _must_hold(problem: Solved, values: dict[str, float]) -> None:
    """No sheet is handed out whose answers are not sure."""
    for check in problem.checks:
        if not check.good:
            listed = ", ".join(f"{name} = {value:g}" for name, value in values.items())
            refuse(
                "check-failed",
                Text(
                    f"with {listed}, two ways differ: {check.what.en}: {check.error:.1e} > {check.bound:.0e}",
                    f"при {listed} два способа расходятся: {check.what.ru}: {check.error:.1e} > {check.bound:.0e}",
                ),
                span=problem.span,
            )


# --- the text of the question ----------------------------------------------------------------------------------------


def check_question(task: Task) -> None:
    """Refuse braces that name no parameter."""
    known = [parameter.name for parameter in task.system.model.parameters]
    diagnostics = Diagnostics()
    for found in _BRACES.finditer(task.question):
        name = found.group(1).strip()
        if name not in known:
            diagnostics.error(
                "unknown-name",
                task.document.root.at("question"),
                Text(f'the model has no parameter "{name}"', f"в модели нет параметра «{name}»"),
                expected=one_of(known) if known else None,
                hint=word_hint(name, known),
            )
    diagnostics.raise_if_failed()


def filled(task: Task, values: dict[str, float]) -> Text:
    """The question with the values of its parameters, in the units that the task writes them in."""
    units = {vary.name: vary.unit for vary in task.varied}
    parameters = {parameter.name: parameter for parameter in task.system.model.parameters}

    def said(name: str) -> Text:
        parameter = parameters[name]
        value = values.get(name, float(parameter.value))
        unit = unit_of(units[name]) if units.get(name) else None
        if unit is None:
            return told(value, parameter.dimension, 10)
        number = digits(unit.from_si(value), 10)
        return Text(f"{number} {spell_unit(unit.key, 'en')}", f"{number} {spell_unit(unit.key, 'ru')}")

    return Text(
        _BRACES.sub(lambda found: said(found.group(1).strip()).en, task.question),
        _BRACES.sub(lambda found: said(found.group(1).strip()).ru, task.question),
    )
