"""Where things happen and what is followed: points of bodies by the names of the file. All in mm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, SistelError, Text, one_of
from sistel.model import Model, Structure
from sistel.views._touched import touched

if TYPE_CHECKING:
    from sistel.simulation import Event, Run

Spot = tuple[int, tuple[float, float, float]]
"""Number of a body and a point in its axes [mm]."""


def _mm(p: tuple[float, float, float]) -> tuple[float, float, float]:
    return (1e3 * p[0], 1e3 * p[1], 1e3 * p[2])


def named_spot(model: Model, name: str) -> Spot:
    """A point, a frame, or the pole of a body, by name.

    Raises:
        SistelError: There is none.
    """
    for point in model.points:
        if point.name == name:
            return (point.body, _mm(point.p_BP))
    for frame in model.frames:
        if frame.name == name:
            return (frame.body, _mm(frame.p_BF))
    for body in model.bodies:
        if body.name == name:
            return (body.number, (0.0, 0.0, 0.0))
    names = [
        *(point.name for point in model.points),
        *(frame.name for frame in model.frames),
        *(body.name for body in model.bodies),
    ]
    message = Text(
        f'there is no point, frame or body "{name}"', f"нет ни точки, ни системы координат, ни тела «{name}»"
    )
    raise SistelError([Diagnostic("no-point", "error", message, expected=one_of(names))])


def event_spots(run: Run, event: Event) -> list[Spot]:
    """Where an event happens: at the links that strike, else at those that begin or cease to hold."""
    struck = [name for name, impulse in event.impulses.items() if any(abs(float(x)) > 1e-12 for x in impulse)]
    named = struck or _changed(run.model, event)
    found: list[Spot] = []
    for name in named:
        for spot in _spots(run, name, event):
            if spot not in found:
                found.append(spot)
    return found


def _changed(model: Model, event: Event) -> list[str]:
    """Names of what changes its state at an event."""
    from sistel.automaton import elements_of, part_name, read_structure_name

    try:
        (before, old), (after, new) = read_structure_name(model, event.before), read_structure_name(model, event.after)
    except KeyError:
        return []
    names = [name for name in (*before.holds, *after.holds) if (name in before.holds) != (name in after.holds)]
    for element, a, b in zip(elements_of(model), old, new, strict=True):
        if part_name(element, a, model.planar) != part_name(element, b, model.planar):
            names.append(element.name)
    return list(dict.fromkeys(names))


def _spots(run: Run, name: str, event: Event) -> Iterator[Spot]:
    model = run.model
    for contact in model.contacts:
        if contact.name == name:
            yield (contact.body, _mm(touched(run, contact, event.time)))
            return
    for closure in model.closures:
        if closure.name == name:
            side = closure.first if closure.first.body else closure.second
            yield (side.body, _mm(side.p_BS))
            return
    for lock in model.locks:
        if lock.name == name:
            if lock.first or lock.second:
                yield ((lock.second or lock.first or 0), (0.0, 0.0, 0.0))
                return
            yield from ((_owner(model, rate), (0.0, 0.0, 0.0)) for rate in lock.rates[:1])
            return
    for coupling in model.couplings:
        if coupling.name == name:
            yield from (
                (body.number, (0.0, 0.0, 0.0))
                for body in model.bodies
                if body.first_q <= coupling.driven < body.first_q + body.joint.type.nq
            )
            return
    for change in (*_structure(model, event.after).changes, *_structure(model, event.before).changes):
        if model.bodies[change.body - 1].name == name and change.about is not None:
            yield from ((point.body, _mm(point.p_BP)) for point in model.points if point.name == change.about)
            return
    # A stop or the friction of a joint is named after its velocity; a body after itself.
    for place, rate in enumerate(model.rate_names):
        if name == rate or name.startswith(f"{rate} at "):
            yield (_owner(model, place), (0.0, 0.0, 0.0))
            return
    yield from ((body.number, (0.0, 0.0, 0.0)) for body in model.bodies if body.name == name)


def _owner(model: Model, rate: int) -> int:
    return next(body.number for body in model.bodies if body.first_v <= rate < body.first_v + body.joint.type.nv)


def _structure(model: Model, name: str) -> Structure:
    known = [s for s in model.structures if name == s.name or name.startswith(f"{s.name}: ")]
    return max(known, key=lambda s: len(s.name)) if known else model.structure()
