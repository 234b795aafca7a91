"""The picture of a text with handles, what the text becomes when one is dragged, and the way of a point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse
from sistel.markup.xml import Element
from sistel.mechanics import assemble
from sistel.model import Model
from sistel.pose import Vector3
from sistel.records import entry
from sistel.studio.service import _params
from sistel.studio.service._calls import Method
from sistel.studio.service._dragging import Drag, Searched, along_axis
from sistel.studio.service._edits import Edit, applied, told_edits
from sistel.studio.service._grips import Finder, Grip, Group, grouped
from sistel.studio.service._limit_grips import limit_grips
from sistel.studio.service._parameters import tried, written
from sistel.studio.service._read import end_of, given, model_of, reading
from sistel.studio.service._slots import Lacking
from sistel.studio.service._stances import Stance, farthest, given_edit, stance_grips, stance_of
from sistel.studio.service._told import utf16
from sistel.views.schemes import PlacedScheme, place_scheme

if TYPE_CHECKING:
    from sistel.plain import JsonObject

SCREEN: Final = 800.0
"""How many pixels wide a picture is of which nothing is said."""
STILL: Final = 1e-9
"""What goes no farther stays [mm]."""
AXES: Final = ("x", "y", "z")


@entry
class Seen:
    """A picture, and what can be taken hold of in it."""

    model: Model
    scheme: PlacedScheme
    root: Element
    stance: Stance
    groups: tuple[Group, ...]
    turning: tuple[tuple[Grip, tuple[int, ...]], ...]


def seen(path: str, text: str, values: Mapping[str, float]) -> Seen:
    """The picture of a text.

    Raises:
        SistelError: The text makes no model, or none that can be drawn.
    """
    return _seen(path, text, tuple(sorted(values.items())))


@lru_cache(maxsize=4)
def _seen(path: str, text: str, values: tuple[tuple[str, float], ...]) -> Seen:
    model = model_of(path, text, dict(values))
    read = reading(path, text)
    assert read.document is not None and read.tree is not None
    scheme = place_scheme(model, labels="names")
    if read.document.source.text != text:
        return Seen(model, scheme, read.tree, Stance(None, {}), (), ())  # another format: it is read, not written
    elements = {each.start: each for each in read.tree.walk()}
    grips = Finder(model, read.document, elements, read.lang).find()
    reach = 0.05e-3 * max(scheme.window[2:])
    turning = stance_grips(model, read.document, grips, reach)
    if model.planar:
        far = {body.number: farthest(model, body, grips, reach) for body in model.bodies}
        grips += limit_grips(model, read.document, far)
    stance = stance_of(model, read.document)
    return Seen(model, scheme, read.tree, stance, tuple(grouped(model, grips)), tuple(turning))


def scheme(params: Mapping[str, object]) -> object:
    """The picture of a text: `{svg, unit, window, handles, bodies, note}`."""
    path, text = given(params)
    return _told(path, text, tried(path, text, params))


def _told(path: str, text: str, values: Mapping[str, float]) -> JsonObject:
    found = seen(path, text, values)
    note = None if _closed(found) else Text("the loops cannot be closed", "контуры не замыкаются")
    return {
        "svg": found.scheme.svg,
        "unit": "mm",
        "window": list(found.scheme.window),
        "handles": _handles(text, found),
        "bodies": _bodies(text, found),
        "note": None if note is None else {"en": note.en, "ru": note.ru},
    }


def _closed(found: Seen) -> bool:
    """Whether the links hold in the posture that is drawn."""
    model = found.model
    structure = model.structure()
    if not (structure.holds or structure.changes):
        return True
    return assemble(model, structure, found.scheme.places.q).success


def _handles(text: str, found: Seen) -> list[JsonObject]:
    made: list[JsonObject] = []
    for group in found.groups:
        grip = group.first
        handle = _handle(text, found, grip)
        if found.model.planar:
            made.append(handle | _line(found, grip))
            continue
        if len(grip.slots if not isinstance(grip.slots, Lacking) else AXES) != 3:
            continue
        made.append(handle | {"fixed": True})
        for axis in range(3):
            way = found.scheme.places.along(grip.body, _unit(axis))
            if math.hypot(*way) > 1e-3:
                own = along_axis(grip, axis)
                made.append(_handle(text, found, own) | {"along": list(way), "of": grip.id, "axis": AXES[axis]})
    made += [_handle(text, found, grip) for grip, _ in found.turning]
    return made


def _unit(axis: int) -> Vector3:
    return (float(axis == 0), float(axis == 1), float(axis == 2))


def _line(found: Seen, grip: Grip) -> JsonObject:
    """The direction in which a handle goes that is kept on a line by the zero beside its formula."""
    slots = grip.slots
    if isinstance(slots, Lacking) or len(slots) != 2 or grip.kind in ("pole", "closure"):
        return {}
    for axis in range(2):
        other = slots[1 - axis]
        if slots[axis].literal is None and other.literal is not None and other.literal.value == 0.0:
            return {"along": list(found.scheme.places.along(grip.body, _unit(axis)))}
    return {}


def _handle(text: str, found: Seen, grip: Grip) -> JsonObject:
    return {
        "id": grip.id,
        "kind": grip.kind,
        "at": list(found.scheme.places.point(grip.body, grip.where(found.model))),
        "body": grip.owner,
        "minor": grip.minor,
        "label": {"en": grip.label.en, "ru": grip.label.ru},
        "from": utf16(text, grip.start),
        "to": utf16(text, grip.end),
    }


def _bodies(text: str, found: Seen) -> list[JsonObject]:
    """The bodies that this text writes, with their stretches of it."""
    ends = {element.start: end_of(element) for element in found.root.walk()}
    return [
        {
            "number": body.number,
            "name": body.name,
            "from": utf16(text, body.span.start),
            "to": utf16(text, ends[body.span.start]),
        }
        for body in found.model.bodies
        if body.span.source.text == text and body.span.start in ends
    ]


def move(params: Mapping[str, object]) -> object:
    """What dragging a handle changes: `{edits, at, notes, svg, window, handles, bodies}`.

    Of `handle`, the place `to` in the picture; `grain` is what of the picture a pixel is [mm], 0 for no rounding, and
    `fine` rounds ten times less.

    Raises:
        SistelError: It cannot go there.
    """
    path, text = given(params)
    values = tried(path, text, params)
    found = seen(path, text, values)
    to = _params.numbers(params, "to")
    if len(to) != 2:
        refuse("bad-parameter", Text("a place has two numbers", "у места два числа"))
    grain = _params.number(params, "grain", max(found.scheme.window[2:]) / SCREEN)
    grain *= 0.1 if _params.flag(params, "fine") else 1.0
    name = _params.text(params, "handle", most=1000)
    drag = _drag(path, text, found, values, name)
    edits = _edits(path, text, found, drag, (to[0], to[1]), grain)
    after = applied(text, edits)
    told = _told(path, after, values)
    at = next((each["at"] for each in told["handles"] if each["id"] == name), None)
    before = found.scheme.places.point(drag.grip.body, drag.grip.where(found.model))
    asked = math.dist(to, before) > max(grain, STILL)
    if asked and at is not None and math.dist(at, before) < STILL and not drag.notes:
        refuse(
            "stays",
            Text("something else says where this is", "где это находится, решает другое"),
            hint=Text("a link or a motion holds it there", "его держит связь или движение"),
        )
    if told["note"] is not None and _closed(found):
        refuse(
            "not-closed",
            Text("the loops cannot be closed with this", "с этим контуры не замыкаются"),
            hint=Text("the last picture that can be is shown", "показана последняя возможная картинка"),
        )
    notes = [{"en": each.en, "ru": each.ru} for each in dict.fromkeys(drag.notes)]
    return {"edits": told_edits(text, edits), "at": at, "notes": notes, **told}


def _drag(path: str, text: str, found: Seen, values: Mapping[str, float], name: str) -> Drag:
    plain, _, letter = name.partition("/")
    turns = next(((grip, which) for grip, which in found.turning if grip.id == name), None)
    group = next((each for each in found.groups if each.first.id == plain), None)
    if turns is not None:
        group = Group((turns[0],))
    if group is None or (letter and letter not in AXES):
        refuse("no-handle", Text(f'there is no handle "{name[:60]}"', f"нет ручки «{name[:60]}»"))
    if not found.model.planar and turns is None and not letter:
        refuse("no-handle", Text("in space a handle goes along an axis", "в пространстве ручку тянут вдоль оси"))
    return Drag(
        group,
        found.model,
        found.scheme.places,
        written(path, text),
        values,
        found.stance.slots,
        turns[1] if turns is not None else (),
        AXES.index(letter) if letter else None,
        last=_searched(path, text, tuple(sorted(values.items())), name),
    )


@lru_cache(maxsize=1)
def _searched(path: str, text: str, values: tuple[tuple[str, float], ...], name: str) -> Searched:
    """Where the searches of one drag leave what they have found for the next."""
    return Searched()


def _edits(path: str, text: str, found: Seen, drag: Drag, to: tuple[float, float], grain: float) -> list[Edit]:
    solved = drag.solve(to, grain)
    edits = drag.edits(solved, to, grain)
    read = reading(path, text)
    assert read.document is not None
    for (kind, key), value in solved.items():
        if kind == "coordinate" and int(key) not in found.stance.slots:
            edit = given_edit(found.model, read.document, found.root, found.stance, int(key), value, 0.0, read.lang)
            if edit is None:
                said = found.model.coordinate_names[int(key)]
                refuse(
                    "no-attribute",
                    Text(f'"{said}" cannot be the name of an attribute', f"«{said}» не может быть именем атрибута"),
                    hint=Text("write <coordinate of=…/> in start", "напишите <координата чего=…/> в начале"),
                )
            edits.append(edit)
    return _once(edits)


def _once(edits: list[Edit]) -> list[Edit]:
    """Each place changes once; several new attributes of one element stand one behind the other."""
    made: dict[tuple[int, int], Edit] = {}
    for edit in edits:
        if edit.start == edit.end and not edit.insert:
            continue
        key = (edit.start, edit.end)
        if key in made and edit.start == edit.end:
            made[key] = Edit(edit.start, edit.end, made[key].insert + edit.insert)
        else:
            made.setdefault(key, edit)
    return list(made.values())


def trace(params: Mapping[str, object]) -> object:
    """The way of a point while one coordinate goes all round: `{points, closed, drive}`.

    Of a `handle`, or of the place `local` [m] on the `body`.
    """
    from sistel.studio.service._tracing import way

    path, text = given(params)
    found = seen(path, text, tried(path, text, params))
    name = _params.text(params, "handle", "").partition("/")[0]
    grips = [*(group.first for group in found.groups), *(grip for grip, _ in found.turning)]
    grip = next((each for each in grips if each.id == name), None)
    if grip is None:
        return {"points": [], "closed": False, "drive": None}
    body = grip.owner if grip.kind in ("turn", "slide", "free") else grip.body
    return way(found.model, found.scheme.places, body, grip.where(found.model))


METHODS: Final[Mapping[str, Method]] = {"picture.scheme": scheme, "picture.move": move, "picture.trace": trace}
