"""What a run did that its file does not hold it back from: limits and surfaces passed, contacts that pull or grip.

Limits of a joint bound what it should do; only stops act. A structure of the file says which contacts hold; the others
are passed, and those that hold are kept even where a real one would let go. Nothing of it stops a run, and all of it is
told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import LIMIT, makes_structures
from sistel.errors import Span, Text
from sistel.markup import Call, Name
from sistel.model import MEETING, Contact, Model, Structure
from sistel.records import record
from sistel.simulation._programs import kernel
from sistel.simulation.implicit._kernels import LONG
from sistel.simulation.run._crossings import Crossing, crossings
from sistel.simulation.run._segments import Event, Segment
from sistel.simulation.run._warnings import Warnings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.expr import Program
    from sistel.simulation.run._run import Run


PASSED = 1e-9
"""How far beyond a limit a coordinate counts as beyond it [m or rad]."""
MOST_EVENTS = 10_000
"""Events of limits that a run tells; all are counted."""
WEAK = 1e-7
"""Part of the largest force of a contact that counts as none: what the tolerance of a run leaves."""


@record
class Limit:
    """A limit of a coordinate at which no stop acts."""

    name: str
    """Of the coordinate."""
    place: int
    """Its index in q."""
    outward: float
    """1 of an upper limit, -1 of a lower one."""
    bound: float
    """The coordinate there [m or rad]."""
    turns: bool
    span: Span

    def texts(self) -> tuple[Text, Text]:
        """What to say, and a hint."""
        en, ru = ("upper", "верхний") if self.outward > 0 else ("lower", "нижний")
        size = f"{math.degrees(self.bound):.6g} deg" if self.turns else f"{1e3 * self.bound:.6g} mm"
        own = f"{math.degrees(self.bound):.6g}°" if self.turns else f"{1e3 * self.bound:.6g} мм"
        return (
            Text(
                f'"{self.name}" passes its {en} limit, {size}, where no stop acts',
                f"«{self.name}» проходит свой {ru} предел, {own}, где нет упора",
            ),
            Text(
                "limits bound, stops act: a <stop/> in the body makes the limit hold",
                "пределы ограничивают, действуют упоры: <упор/> в теле сделает предел преградой",
            ),
        )


def limits_of(model: Model) -> list[Limit]:
    """All limits of coordinates at which no stop acts."""
    made: list[Limit] = []
    for body in model.bodies:
        joint = body.joint
        if joint.type.has_quaternion:
            continue
        stops = [stop for stop in model.stops if stop.body == body.number]
        for i in range(joint.type.nv):
            kind = joint.type.rates[i][1]
            shift = body.p_PB[i] if joint.type.limits_place(i) else 0.0
            for bound, outward, acts in (
                (joint.minimum[i], -1.0, any(stop.at_min for stop in stops)),
                (joint.maximum[i], 1.0, any(stop.at_max for stop in stops)),
            ):
                if math.isfinite(bound) and not acts:
                    made.append(
                        Limit(
                            name=model.rate_names[body.first_v + i],
                            place=body.first_q + i,
                            outward=outward,
                            bound=bound - shift,
                            turns=kind == "turn",
                            span=body.span,
                        )
                    )
    return made


def passed_limits(run: Run, noted: Warnings) -> list[Event]:
    """Events at which coordinates of a run pass limits where no stop acts, with a warning for each limit."""
    limits = limits_of(run.model)
    segments = run.segments if limits else ()
    if not segments:
        return []
    places = [limit.place for limit in limits]
    outward = np.array([limit.outward for limit in limits])
    bounds = np.array([limit.bound for limit in limits])

    def margins(states: Array) -> Array:
        return outward * (bounds - states[:, places])

    def suspect(coefficients: Array, lengths: Array) -> NDArray[np.bool_]:
        own = coefficients[:, places]
        powers = lengths[:, np.newaxis] ** np.arange(1, own.shape[2])
        reach = np.einsum("nck,nk->nc", np.abs(own[:, :, 1:]), powers)
        return np.asarray((outward * (bounds - own[:, :, 0]) - reach < -PASSED).any(axis=1))

    events: list[Event] = []
    for found in crossings(segments, lambda _: True, margins, PASSED, suspect):
        limit, name = limits[found.item], segments[found.stay].structure
        message, hint = limit.texts()
        noted.add("passed-limit", found.time, message, limit.span, hint=hint)
        if len(events) < MOST_EVENTS:
            events.append(
                Event(
                    time=found.time,
                    transition=LIMIT + limit.name,
                    before=name,
                    after=name,
                    energy_loss=0.0,
                    impulses={},
                )
            )
    return events


def note_contacts(run: Run, noted: Warnings) -> None:
    """Warn of contacts that structures of the file let pass, that pull, or that stick beyond their friction."""
    model = run.model
    # A given motion knows nothing of what its contacts carry.
    if not model.contacts or makes_structures(model) or run.programmed:
        return
    engine, segments = run.engine, run.segments
    entered = {segment.structure for segment in segments}
    for structure in model.structures:
        stays = [name for name in entered if name == structure.name or name.startswith(f"{structure.name}: ")]
        if stays:
            _note_passed(engine, structure, stays, segments, noted)
            _note_held(engine, structure, stays, segments, noted)


def _note_passed(
    engine: Engine, structure: Structure, stays: Sequence[str], segments: Sequence[Segment], noted: Warnings
) -> None:
    model = engine.model
    contacts = [contact for contact in model.contacts if contact.name not in structure.holds]
    if not contacts:
        return
    what = "simulation", "gaps", structure.name
    mode = engine.automaton.mode(structure)
    line, _ = engine.recalled(*what) or engine.keep((mode.gaps(contacts), ()), *what)
    for found in _looked_at(line, model.state_size, stays, segments, MEETING[0]):
        contact = contacts[found.item]
        en, ru = ("point", "точка") if contact.round is None else ("shape", "фигура")
        noted.add(
            "passed-contact",
            found.time,
            Text(
                f'{en} "{contact.point}" passes the surface of contact "{contact.name}", which structure '
                f'"{structure.name}" does not hold (down to {-1e3 * found.least:.3g} mm)',
                f"{ru} «{contact.point}» проходит поверхность контакта «{contact.name}», который структура "
                f"«{structure.name}» не держит (до глубины {-1e3 * found.least:.3g} мм)",
            ),
            contact.span,
            hint=Text(
                f'a transition from "{structure.name}" when gap({contact.name}) falls through 0 would catch it',
                f"его поймает переход из «{structure.name}» по условию: зазор({contact.name}) падает через 0",
            ),
            same=f"{contact.name}\0{structure.name}",
        )


def _note_held(
    engine: Engine, structure: Structure, stays: Sequence[str], segments: Sequence[Segment], noted: Warnings
) -> None:
    model = engine.model
    contacts = [contact for contact in model.contacts if contact.name in structure.holds]
    if not contacts:
        return
    sticking = [contact for contact in contacts if contact.friction and contact.name not in structure.slides]
    asked = [_of("normal", contact) for contact in contacts] + [_of("margin", contact) for contact in sticking]
    what = "simulation", model.memory_names, "carried", structure.name
    mode = engine.automaton.mode(structure)
    line, _ = engine.recalled(*what) or engine.keep((mode.quantities(asked), ()), *what)
    every = [*((contact, True) for contact in contacts), *((contact, False) for contact in sticking)]
    for found in _looked_at(line, model.state_size, stays, segments, WEAK, relative=True):
        contact, normal = every[found.item]
        noted.add(
            "contact-pulls" if normal else "contact-grips",
            found.time,
            _pulls(contact, structure) if normal else _grips(contact, structure),
            contact.span,
            hint=Text(
                f'a transition from "{structure.name}" when {"normal" if normal else "margin"}({contact.name}) '
                f"falls through 0 would let it {'go' if normal else 'slide'}",
                f"{'отпустит' if normal else 'позволит скользить'} переход из «{structure.name}» по условию: "
                f"{'нормаль' if normal else 'запас'}({contact.name}) падает через 0",
            ),
        )


def _of(quantity: str, contact: Contact) -> Call:
    """A quantity of a contact, whatever signs its name has."""
    return Call(quantity, (Name(contact.name, contact.span),), contact.span, contact.span)


def _pulls(contact: Contact, structure: Structure) -> Text:
    return Text(
        f'contact "{contact.name}" pulls in structure "{structure.name}": its normal force is below zero',
        f"контакт «{contact.name}» в структуре «{structure.name}» тянет: его нормальная реакция меньше нуля",
    )


def _grips(contact: Contact, structure: Structure) -> Text:
    return Text(
        f'contact "{contact.name}" sticks in structure "{structure.name}" although its force lies outside the friction '
        f"cone of {contact.friction:g}",
        f"контакт «{contact.name}» в структуре «{structure.name}» не скользит, хотя его сила вне конуса трения "
        f"{contact.friction:g}",
    )


def _looked_at(
    line: Program,
    size: int,
    stays: Sequence[str],
    segments: Sequence[Segment],
    slack: float,
    relative: bool = False,
) -> list[Crossing]:
    """Where the values of a program fall below zero in some stays."""
    compiled = kernel(line, "margins", LONG)
    names = frozenset(stays)

    def margins(states: Array) -> Array:
        return np.asarray(compiled(states[:, :size])).reshape(len(states), -1)

    if relative:
        some = [segment for segment in segments if segment.structure in names]
        chosen = some[:: max(1, len(some) // 100)]
        seen = np.concatenate([segment.coefficients[:: max(1, len(segment.times) // 100), :, 0] for segment in chosen])
        finite = np.abs(margins(seen))
        slack *= float(finite[np.isfinite(finite)].max(initial=0.0))
    return crossings(segments, names.__contains__, margins, slack)
