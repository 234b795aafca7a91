"""What schemes add to the state of a system and to its transitions: ticks, and jumps of what blocks remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sistel.errors import Span
from sistel.markup import Expression
from sistel.markup import expressions as nodes
from sistel.model._control import Clock, Scheme, tick_name
from sistel.model._model import Memory, Transition
from sistel.units import PLAIN, TIME

RELEASE = "release"
"""Before the name of a scheme: the tick at which its results begin to act."""
LAST = -1e9
"""Priority of ticks: what happens to the bodies at the same instant comes before."""


def scheme_memory(schemes: Sequence[Scheme]) -> Iterator[Memory]:
    """What states remember for schemes: what flows comes first, all else stands still between ticks."""
    for scheme in sorted(schemes, key=lambda one: one.clock is not None):
        yield from (Memory(kind="store", name=each.name, start=each.start) for each in scheme.stores)
    for scheme in schemes:
        yield from (Memory(kind="input", name=each.name, start=each.start) for each in scheme.inputs)
        if scheme.clock is None:
            continue
        yield from (Memory(kind="signal", name=each.name, start=0.0) for each in scheme.held)
        if scheme.clock.latency:
            yield from (Memory(kind="pending", name=each.name, start=0.0) for each in scheme.held)
            yield Memory(kind="tick", name=tick_name(f"{RELEASE} {scheme.name}"), start=0.0)
        yield Memory(kind="tick", name=tick_name(scheme.name), start=0.0)


def scheme_transitions(schemes: Sequence[Scheme]) -> Iterator[Transition]:
    """Ticks, the quicker clocks first, and jumps; they leave every structure and lead back to it."""
    for scheme in schemes:
        for store in scheme.stores:
            for number, jump in enumerate(store.jumps):
                yield _transition(
                    f"jump({store.name} {number})", jump.condition, ((store.name, jump.value),), "", 0.0, store.span
                )
        for move in scheme.moves:
            made = _transition(move.name, move.condition, move.updates, "", 0.0, move.span)
            yield replace(made, lets=move.lets, chart=move.chart, quiet=move.quiet)
    clocked = [(scheme, scheme.clock) for scheme in schemes if scheme.clock is not None]
    for scheme, clock in sorted(clocked, key=lambda pair: pair[1].period):
        if clock.latency:
            name = f"{RELEASE} {scheme.name}"
            condition = _due(name, clock, clock.latency, scheme.span)
            yield _transition(tick_name(name), condition, (), name, LAST, scheme.span)
        condition = _due(scheme.name, clock, 0, scheme.span)
        tick = _transition(tick_name(scheme.name), condition, (), scheme.name, LAST, scheme.span)
        yield replace(tick, asks=True) if scheme.asks else tick


def _due(name: str, clock: Clock, later: int, span: Span) -> Expression:
    """The condition of the next tick: t ≥ (first + k · step) / parts, k the ticks that there were."""

    def number(value: int) -> Expression:
        return nodes.Number(float(value), PLAIN, None, str(value), span)

    count = nodes.Name(tick_name(name), span)
    whole = nodes.Binary("*", count, number(clock.step), span)
    at = nodes.Binary("+", number(clock.first + later), whole, span) if clock.first + later else whole
    second = nodes.Number(float(clock.parts), TIME.power(-1), "1/s", str(clock.parts), span)
    return nodes.Compare(">=", nodes.Name("t", span), nodes.Binary("/", at, second, span), span)


def _transition(
    name: str,
    condition: Expression,
    updates: tuple[tuple[str, Expression], ...],
    tick: str,
    priority: float,
    span: Span,
) -> Transition:
    return Transition(
        name=name,
        sources=(),
        target="",
        condition=condition,
        impact="none",
        restitution=0.0,
        priority=priority,
        resets=(),
        updates=updates,
        tick=tick,
        span=span,
    )
