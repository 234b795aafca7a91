"""Why a simulation cannot go on, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from sistel.automaton import apart, asks_dynamics, farthest, split, what_would_pass, with_memory
from sistel.control import restless
from sistel.errors import Text, refuse
from sistel.mechanics import Quantities
from sistel.simulation._diagnosis import stopped as stopped_by
from sistel.simulation._outcome import Outcome
from sistel.simulation._plain import distances_at, plain_transition

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.errors import Span
    from sistel.model import Transition
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation.run._segments import Event


def fail(code: str, message: Text, span: Span | None = None, expected: Text | None = None) -> NoReturn:
    """Raise an error of one message."""
    refuse(code, message, span=span, expected=expected)


def refuse_apart(compiled: CompiledStructure, transition: Transition, y: Array) -> None:
    """Say that links begin to hold while apart, where that is why a transition leads to no state."""
    own = plain_transition(compiled.engine, transition)
    worst = farthest(own, distances_at(compiled.engine, transition, compiled.structure, y.tolist()))
    if worst is not None:
        message, span, expected, hint = apart(own, worst, float(y[-1]))
        related = [(worst.link.span, Text("it is declared here", "она описана здесь"))]
        refuse("apart", message, span=span, expected=expected, hint=hint, related=related)


def fail_outcome(
    compiled: CompiledStructure, outcome: Outcome, y: Array, first: Array, transition: Transition | None = None
) -> NoReturn:
    """Say why there is no way on.

    Args:
        compiled: The structure.
        outcome: Why the steps ended.
        y: The state there.
        first: The state in which the run began.
        transition: The last one that was to be taken, for outcomes that have to do with transitions.
    """
    name, reason = compiled.structure.name, outcome.text
    span = compiled.structure.span
    expected = outcome.expected
    said = Text(
        f'{reason.en} at {y[-1]:.9g} s, structure "{name}"',
        f"{reason.ru} в момент {y[-1]:.9g} с, структура «{name}»",
    )
    if outcome in (Outcome.LOST, Outcome.SMALL):
        said, span = stopped_by(compiled, y, first, reason)
    elif outcome in (Outcome.CHATTERS, Outcome.NO_PASSAGE):
        assert transition is not None
        span = transition.span
        if outcome is Outcome.CHATTERS:
            refuse_restless(compiled, transition, y)
        if outcome is Outcome.NO_PASSAGE:
            refuse_apart(compiled, transition, y)
            expected = what_would_pass(compiled.engine.model, transition)
    fail(outcome.code, said, span, expected)


def refuse_restless(compiled: CompiledStructure, transition: Transition, y: Array) -> None:
    """Say which behaviour does not settle, where that is why a tick comes again and again."""
    model, automaton, given = compiled.engine.model, compiled.engine.automaton, y.tolist()
    if transition.chart:
        refuse_endless(compiled, transition, transition.chart, transition.name.removeprefix(f"{transition.chart}: "), y)
    if not transition.tick:
        return
    if asks_dynamics(model, transition):
        state = compiled.mode.singular_state(given)
    else:
        state = Quantities(with_memory(model, given), automaton.tree, *split(model, given))
    found = restless(state, transition.tick)
    if found is None:
        return
    chart, passed = found
    refuse_endless(compiled, transition, chart, " → ".join((*passed, "…")), y)


def refuse_endless(compiled: CompiledStructure, transition: Transition, chart: str, shown: str, y: Array) -> NoReturn:
    """Say that a behaviour does not settle."""
    schemes = compiled.engine.model.schemes
    span = next(each.span for scheme in schemes for each in scheme.behaviours if each.name == chart)
    fail(
        "endless",
        Text(
            f'behaviour "{chart}" does not settle at {y[-1]:.9g} s: {shown}',
            f"поведение «{chart}» не успокаивается в момент {y[-1]:.9g} с: {shown}",
        ),
        transition.span if transition.chart else span,
        Text("conditions that do not all hold at one instant", "условия, которые не выполнены все сразу"),
    )


def too_long(memory: float, steps: int, events: int, time: float, name: str) -> NoReturn:
    """Say that a run takes more memory than it may [bytes]."""
    most = memory / 2**20
    fail(
        "too-long",
        Text(
            f"the run takes more than {most:.4g} MiB: {steps} steps and {events} events until {time:.9g} s, "
            f'now in structure "{name}"',
            f"расчёт занимает больше {most:.4g} МиБ: {steps} шагов и {events} событий к моменту {time:.9g} "
            f"с, сейчас структура «{name}»",
        ),
        None,
        Text(
            'keep="events" for a run without its steps, more memory=, or a shorter time',
            'keep="events" — расчёт без шагов, больше memory= или меньшее время',
        ),
    )


def without_end(compiled: CompiledStructure, event: Event, fired: Exit, y: Array) -> NoReturn:
    """Say that transitions follow each other at one instant."""
    refuse_restless(compiled, fired.transition, y)
    fail(
        "chattering",
        Text(
            f'transitions follow each other without end at {event.time:g} s, now in structure "{event.after}"',
            f"переходы сменяют друг друга без конца в момент {event.time:g} с, сейчас структура «{event.after}»",
        ),
        fired.transition.span,
    )


def no_state_after(compiled: CompiledStructure, fired: Exit, y: Array) -> NoReturn:
    """Say that a transition leads to no state."""
    time = float(y[-1])
    refuse_apart(compiled, fired.transition, y)
    fail(
        "no-passage",
        Text(
            f'the passage to structure "{fired.transition.target}" has no solution at {time:g} s',
            f"переход в структуру «{fired.transition.target}» не имеет решения в момент {time:g} с",
        ),
        fired.transition.span,
        what_would_pass(compiled.engine.model, fired.transition),
    )
