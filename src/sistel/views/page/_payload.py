"""What a page knows of its system, as plain JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sistel.errors import Language, SistelError, Text
from sistel.markup import Losses
from sistel.model import ONLY, Body, Model
from sistel.model.joints import CoordinateKind
from sistel.views._page_data import Coordinate, Description, Place, RunData, RunEvent, State, StructureRow, Warned
from sistel.views._page_words import Sort, Words
from sistel.views._touched import touched
from sistel.views.page._entered import entered_states
from sistel.views.page._motion import key_motion, run_data
from sistel.views.page._packed import packed, packed_asset
from sistel.views.page._pushes import pushes_of
from sistel.views.text._numbers import clean
from sistel.views.text._runs import passage_text, push_of, strikes, structure_text

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Event, Run, RunWarning


MOST_EVENTS = 2000
"""Events that a page holds; of more, the strongest of every moment."""
MOST_WARNINGS = 100
"""Warnings that a page holds; more than some are the same thing in many joints."""
LONGEST_NAME = 200
"""Letters of a name in a page; longer ones are cut."""
KINDS: dict[CoordinateKind, Sort] = {"turn": "angle", "slide": "length", "quaternion": "number"}


@dataclass(slots=True)
class Blocks:
    """The packed blocks of a page, being put together."""

    blocks: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    """Texts that the page runs besides its own modules."""

    def pack(self, name: str, text: str | bytes) -> str:
        """Add a block; returns its name."""
        self.blocks.append(packed(name, text))
        return name

    def pack_asset(self, name: str, file: str) -> str:
        """Add a block with what was gathered for pages; returns its name."""
        self.blocks.append(packed_asset(name, file))
        return name


def named(text: str) -> str:
    """A name of strangers: without characters that turn the direction of writing, and not endless."""
    tidy = clean(text)
    return tidy if len(tidy) <= LONGEST_NAME else tidy[: LONGEST_NAME - 1] + "…"


def said(text: Text) -> Words:
    """A text in both languages."""
    return {"en": named(text.en), "ru": named(text.ru)}


def describe(model: Model, size: float) -> Description:
    """What does not move: bodies, coordinates, structures, places.

    Args:
        model: The system.
        size: Of the system [m].
    """
    structure = model.structure()
    return {
        "name": named(model.name),
        "summary": _summary(model),
        "planar": model.planar,
        "size": size,
        "bodies": [{"number": body.number, "name": named(body.name), "base": body.base} for body in model.bodies],
        "coordinates": [row for body in model.bodies for row in _coordinates(model, body)],
        "rates": [
            {"name": named(name), "kind": KINDS[kind]}
            for name, kind in zip(model.rate_names, model.rate_kinds, strict=True)
        ],
        "spins": [
            {"q": body.first_q, "v": body.first_v, "free": body.joint.type.nq > 4}
            for body in model.bodies
            if body.joint.type.has_quaternion
        ],
        "partners": [
            -1 if body.joint.type.has_quaternion else body.first_v + i
            for body in model.bodies
            for i in range(body.joint.type.nq)
        ],
        "loops": bool(structure.holds or structure.changes),
        "places": places(model),
        "trails": _tool(model),
        "contacts": {contact.name: {"body": contact.body, "p": list(contact.p_BP)} for contact in model.contacts},
    }


def _summary(model: Model) -> Words:
    bodies, count = len(model.bodies), len(model.structures)
    kind_en, kind_ru = ("planar", "плоская") if model.planar else ("spatial", "пространственная")
    places = "coordinate" if model.nq == 1 else "coordinates"
    en = f"{kind_en} · {bodies} {'body' if bodies == 1 else 'bodies'} · {model.nq} {places}"
    ru = f"{kind_ru} · тел: {bodies} · координат: {model.nq}"
    if count > 1:
        en, ru = f"{en} · {count} structures", f"{ru} · структур: {count}"
    return {"en": en, "ru": ru}


def _coordinates(model: Model, body: Body) -> list[Coordinate]:
    kind = body.joint.type
    names = model.coordinate_names[body.first_q : body.first_q + kind.nq]
    rows: list[Coordinate] = []
    for i, (name, (_, sort)) in enumerate(zip(names, kind.coordinates, strict=True)):
        low, high = -math.inf, math.inf
        if not kind.has_quaternion and i < len(body.joint.minimum):
            low, high = model.limits(body, i)
        if sort == "quaternion":
            low, high = -1.0, 1.0
        rows.append(
            {"name": named(name), "kind": KINDS[sort], "body": body.number, "min": finite(low), "max": finite(high)}
        )
    return rows


def places(model: Model) -> list[Place]:
    """Poles of the bodies, named points and frames."""
    found: list[Place] = [
        {"name": named(body.name), "kind": "body", "body": body.number, "p": [0.0, 0.0, 0.0]} for body in model.bodies
    ]
    found += [
        {"name": named(point.name), "kind": "point", "body": point.body, "p": list(point.p_BP)}
        for point in model.points
        if point.body
    ]
    found += [
        {
            "name": named(frame.name),
            "kind": "frame",
            "body": frame.body,
            "p": list(frame.p_BF),
            "R": [x for row in frame.R_BF for x in row],
        }
        for frame in model.frames
        if frame.body
    ]
    return found


def _tool(model: Model) -> list[int]:
    """Whose trail is drawn unasked: the tool of a spatial arm."""
    chain = len(model.terminal) == 1 and len(model.bodies) > 2
    if model.planar or not chain or any(body.joint.type.key == "free" for body in model.bodies):
        return []
    all_places = places(model)
    last = model.terminal[0]
    tools = [i for i, place in enumerate(all_places) if place["body"] == last]
    return tools[-1:]


def structures_of(model: Model, names: Sequence[str] = ()) -> tuple[list[StructureRow], dict[str, int]]:
    """Structures of the file, then those that contacts made in a run; and the number of each by name."""
    classes = {structure.name: structure.structure_class for structure in model.structures}
    all_names = dict.fromkeys((*classes, *names))
    rows: list[StructureRow] = [
        {
            "name": named(name),
            "key": name,
            "said": _structure(structure_text(model, name)),
            "class": classes.get(name, ""),
        }
        for name in all_names
    ]
    return rows, {name: number for number, name in enumerate(all_names)}


def _structure(text: Text) -> Words:
    """A structure as people call it: the only one of a system needs no name."""

    def plain(words: str) -> str:
        return "" if words == ONLY else words.removeprefix(f"{ONLY}: ")

    both = said(text)
    return {"en": plain(both["en"]), "ru": plain(both["ru"])}


def start_of(model: Model, at: Sequence[float] | None = None) -> State:
    """The state that the file gives, made to fit the constraints where that can be done; or coordinates, at rest."""
    from sistel.simulation import start_state
    from sistel.views.schemes._posture import drawn_coordinates

    structure = model.structure()
    names = [known.name for known in model.structures]
    q, v, t = list(model.start.q), list(model.start.v), float(model.start_time)
    try:
        state = [float(x) for x in start_state(model, structure)]
        q, v = state[: model.nq], state[model.nq : model.nq + model.nv]
    except (SistelError, ValueError, ArithmeticError):
        # What cannot move can still be looked at.
        q = list(drawn_coordinates(model))
    if at is not None:
        q, v = list(at), [0.0] * model.nv
    return {
        "q": [float(x) for x in q],
        "v": [float(x) for x in v],
        "t": t,
        "structure": names.index(structure.name),
    }


def add_run(
    page: Blocks, run: Run, number: dict[str, int], size: float, reach: tuple[float, ...], partners: list[int]
) -> RunData:
    """Put a run into the page: keys of its motion, its stays, its events."""
    keys = key_motion(run, size, reach)
    stored, columns = keys.to_bytes(size, partners)
    return {
        **run_data(run, keys, number, page.pack("run", stored), columns),
        "eventsInAll": len(run.events),
        "events": [_event(run, event, number) for event in chosen_events(run) if event.time <= keys.end],
        "warnings": [_warning(warning) for warning in run.warnings[:MOST_WARNINGS]],
        "pushes": pushes_of(run, size),
        "entered": entered_states(run, keys.end),
    }


def _warning(warning: RunWarning) -> Warned:
    return {
        "time": warning.time,
        "said": {"en": clean(warning.message.en), "ru": clean(warning.message.ru)},
        "hint": None if warning.hint is None else {"en": clean(warning.hint.en), "ru": clean(warning.hint.ru)},
        "place": named(warning.place),
        "count": warning.count,
    }


def chosen_events(run: Run) -> list[Event]:
    """All events; of very many, the strongest of every moment."""
    if len(run.events) <= MOST_EVENTS:
        return list(run.events)
    span = (run.end - run.begin) or 1.0
    strongest: dict[int, Event] = {}
    for event in run.events:
        moment = int(MOST_EVENTS * (event.time - run.begin) / span)
        known = strongest.get(moment)
        if known is None or push_of(event)[1] > push_of(known)[1]:
            strongest[moment] = event
    return [strongest[moment] for moment in sorted(strongest)][:MOST_EVENTS]


def _event(run: Run, event: Event, number: dict[str, int]) -> RunEvent:
    row: RunEvent = {
        "time": event.time,
        "before": number[event.before],
        "after": number[event.after],
        "said": "" if (text := passage_text(run, event)) is None else said(text),
        "loss": None,
        "impulse": None,
    }
    if strikes(event):
        name, push = push_of(event)
        row["loss"], row["impulse"] = finite(event.energy_loss), {"name": named(name), "size": finite(push)}
        where = next((contact for contact in run.model.contacts if contact.name == name), None)
        if where is not None:
            row["where"] = {"body": where.body, "p": list(touched(run, where, event.time))}
    return row


def measures(model: Model, states: Array) -> tuple[float, tuple[float, ...]]:
    """Size of the system [m], and how far from its pole the points of every body are, the ground first [m].

    Args:
        model: The system.
        states: Coordinates at some times, the start first, shape (n, nq).
    """
    from sistel.views.x3d._figures import Figures
    from sistel.views.x3d._plan import _size

    figures = Figures(model, Losses())
    size = _size(figures, model, states)
    reach = tuple(max((math.hypot(*point) for point in points), default=0.0) for points in figures.extents)
    return float(size), (0.0, *reach[1:])


def finite(x: float) -> float | None:
    """A number that JSON can hold."""
    value = float(x)
    return value if math.isfinite(value) else None


def to_json(data: object) -> str:
    """Compact JSON; what is no number is null."""
    return json.dumps(_tame(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _tame(value: object) -> object:
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, dict):
        return {str(key): _tame(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_tame(each) for each in value]
    return value


def chosen_language(lang: Language | None) -> Language:
    """The language asked for, or the user's."""
    from sistel.errors import user_language

    return lang or user_language()
