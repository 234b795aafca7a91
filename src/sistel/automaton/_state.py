"""The parts of a state: coordinates, velocities, what is remembered between transitions, and the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sistel.markup import Call, Expression, Name, walk_expression
from sistel.mechanics import Scalar
from sistel.model import RELEASE, Memory, Model, tick_name


def split(model: Model, y: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar], Scalar]:
    """Coordinates, velocities and time of a state (q, v, memory, t)."""
    return list(y[: model.nq]), list(y[model.nq : model.nq + model.nv]), y[-1]


def memory_of(model: Model, y: Sequence[Scalar]) -> list[Scalar]:
    """What a state remembers."""
    return list(y[model.nq + model.nv : -1])


def with_memory(model: Model, y: Sequence[Scalar]) -> Model:
    """The model as formulas see it in a state: counters and clocks as they stand there."""
    if not model.memory:
        return model
    # What stands for a number in equations is written where the number would be.
    return replace(model, remembered=tuple(memory_of(model, y)))


def first_memory(model: Model, structure: str, t: float) -> list[float]:
    """What is remembered where a motion begins: counters of the file, the structure entered just now.

    Ticks that would have been before are counted: the first one to come is not earlier than the beginning.
    """
    ticks = _ticks_before(model, t)
    begins = {
        "entries": lambda each: float(each.name == structure),
        "entered": lambda each: t,
        "tick": lambda each: ticks[each.name],
    }
    return [begins[each.kind](each) if each.kind in begins else each.start for each in model.memory]


def _ticks_before(model: Model, t: float) -> dict[str, float]:
    """By names of clocks, the number of ticks that are earlier than a time."""
    found: dict[str, float] = {}
    for scheme in model.schemes:
        if scheme.clock is None:
            continue
        clock = scheme.clock
        count = max(0, int((t * clock.parts - clock.first) / clock.step) - 1)
        while clock.time(count) < t:
            count += 1
        # What a tick before would have computed does not begin to act either.
        found |= dict.fromkeys((tick_name(scheme.name), tick_name(f"{RELEASE} {scheme.name}")), float(count))
    return found


def forgotten(model: Model, expression: Expression) -> tuple[Memory, ...]:
    """What an expression asks for that states of a model do not remember, because nothing in the file asks for it."""
    known = {(each.kind, each.name) for each in model.memory}
    counters = {counter.name: counter.start for counter in model.counters}
    found: dict[tuple[str, str], Memory] = {}
    for node in walk_expression(expression):
        if not isinstance(node, Call) or node.function not in ("counter", "elapsed"):
            continue
        target = node.arguments[0] if node.arguments else None
        name = target.name if isinstance(target, Name) else ""
        if node.function == "elapsed":
            made = Memory(kind="entered", name="", start=model.start_time)
        elif name in counters:
            made = Memory(kind="counter", name=name, start=counters[name])
        else:
            made = Memory(kind="entries", name=name, start=float(name == model.start_structure))
        if (made.kind, made.name) not in known:
            found[made.kind, made.name] = made
    return tuple(found.values())
