"""Who reads what: the places of a file whose formulas contain the time, a counter, or a body's place in space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sistel.errors import Span, Text
from sistel.markup import Call, Expression, Name, walk_expression

if TYPE_CHECKING:
    from sistel.model import Model

Place = tuple[Span, Text]
"""A place of a file, and a few words on what stands there."""


def formulas(model: Model) -> Iterator[tuple[Expression, Text]]:
    """All formulas that act while a system moves, conditions first, each with a few words on what it belongs to."""
    for transition in model.transitions:
        yield (
            transition.condition,
            Text(f'the condition of transition "{transition.name}"', f"условие перехода «{transition.name}»"),
        )
    for transition in model.transitions:
        what = Text(f'what transition "{transition.name}" sets', f"то, что задаёт переход «{transition.name}»")
        for reset in transition.resets:
            for formula in (reset.value, reset.velocity):
                if formula is not None:
                    yield formula.expression, what
        for recount in transition.recounts:
            if recount.value is not None:
                yield recount.value.expression, what
        for impulse in transition.impulses:
            for formula in impulse.values:
                yield formula.expression, what
    for force in model.forces:
        what = Text(f'the {force.kind} "{force.name}"', f"{_FORCES[force.kind]} «{force.name}»")
        if not force.name:
            what = Text(f"a {force.kind}", _FORCES[force.kind])
        for formula in force.components:
            yield formula.expression, what
    for motion in model.motions:
        what = Text("a given motion", "заданное движение")
        for formula in motion.formulas:
            yield formula.expression, what


_FORCES = {"force": "сила", "moment": "момент"}


def reader(model: Model, reads: Callable[[Expression], bool]) -> Place | None:
    """The first formula of a file with an operand that is asked for: where that operand stands, and whose it is."""
    for root, what in formulas(model):
        for node in walk_expression(root):
            if reads(node):
                return node.span, what
    return None


def reads_time(model: Model) -> Place | None:
    """Where the time enters the equations; None where that is not written as a formula."""
    found = reader(model, lambda node: isinstance(node, Name) and node.name == "t")
    if found is None:
        timed = next((motion for motion in model.motions if motion.rows and not motion.since_entry), None)
        found = None if timed is None else (timed.span, Text("a table of times", "таблица по времени"))
    return found


def reads_count(model: Model, name: str) -> Place | None:
    """Where a counter, or the entries into a structure, are asked for."""

    def reads(node: Expression) -> bool:
        if not (isinstance(node, Call) and node.function == "counter" and node.arguments):
            return False
        target = node.arguments[0]
        return isinstance(target, Name) and target.name == name

    return reader(model, reads)
