"""A handle goes somewhere: which numbers of the text have to change for it, and to what."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace

from sistel.errors import SistelError, Text, refuse
from sistel.model import Model
from sistel.pose import Vector3
from sistel.records import entry, mutable
from sistel.studio.service._edits import Edit
from sistel.studio.service._grips import Grip, Group
from sistel.studio.service._parameters import Written, written_over
from sistel.studio.service._slots import Lacking, Slot
from sistel.studio.service._stances import body_of, limits_of
from sistel.views.schemes import Places, placed

ROUNDS = 14
"""Steps of the search for parameters; most need three."""
ENOUGH = 1e-9
"""What is nearer to where it should be than this is there [mm]."""
KEPT = 16
"""How many places with other values are remembered."""
SMALL = 1e-6
"""By which part of it a value is changed to see what it does."""
CHANGE_ONE = Text(
    "change one of them among the parameters, or write a number here",
    "измените один из них среди параметров или напишите здесь число",
)

Spot = tuple[float, float]


@entry
class Unknown:
    """A number that may change."""

    kind: str
    """parameter, coordinate, or part: of the place of the handle itself."""
    key: str
    """Name of the parameter; place in q, or among the parts, as a text."""
    value: float
    """As it is [SI]."""
    low: float = -math.inf
    high: float = math.inf
    unit: float = 1.0
    """What one of the unit is that it is written in [SI]."""


@entry
class Moved:
    """Where a handle is with some values."""

    model: Model
    places: Places
    at: Spot
    """In the picture [mm]."""


@mutable
class Searched:
    """What the searches of one drag know."""

    found: dict[tuple[str, str], tuple[float, Spot]] = field(default_factory=dict)
    """Values, and what they do."""
    seen: dict[tuple[tuple[tuple[str, str], float], ...], Moved] = field(default_factory=dict)
    """Places with the values that were tried last."""


@mutable
class Drag:
    """A group of grips that is dragged."""

    group: Group
    model: Model
    places: Places
    written: Mapping[str, Written]
    tried: Mapping[str, float]
    """Values of parameters that are tried and not written [SI]."""
    stance: Mapping[int, Slot]
    """Coordinates that the text gives as numbers."""
    turns: tuple[int, ...] = ()
    """Coordinates that the handle changes, where it is one that turns or shifts a body."""
    axis: int | None = None
    """Along which axis of its body it goes, in space."""
    notes: list[Text] = field(default_factory=list)
    last: Searched = field(default_factory=Searched)
    """What the last search of the same drag has found."""

    @property
    def grip(self) -> Grip:
        """The one that is held."""
        return self.group.first

    def place(self, values: Mapping[tuple[str, str], float]) -> Moved:
        """Where the handle is with some values."""
        asked = tuple(sorted(values.items()))
        seen = self.last.seen
        made = seen.get(asked)
        if made is None:
            made = self._placed(values)
            for old in tuple(seen)[: max(0, len(seen) - KEPT + 1)]:
                seen.pop(old, None)  # another call of the same drag may have done it
            seen[asked] = made
        return made

    def _placed(self, values: Mapping[tuple[str, str], float]) -> Moved:
        changed = {key: value for (kind, key), value in values.items() if kind == "parameter"}
        put = {int(key): value for (kind, key), value in values.items() if kind == "coordinate"}
        model, places = self.model, self.places
        if changed:
            model = self._with(changed)
        if changed or put:
            places = placed(model, put=put)
        local = list(self.grip.where(model))
        parts = {int(key): value for (kind, key), value in values.items() if kind == "part"}
        for part, value in parts.items():
            local[part] = value
        return Moved(model, places, places.point(self.grip.body, (local[0], local[1], local[2])))

    def _with(self, changed: Mapping[str, float]) -> Model:
        """The model with other values of parameters: by its formulas, and built anew where these do not tell it."""
        lettered = self.model.lettered
        if lettered is not None and changed.keys() <= {each.name for each in lettered.parameters}:
            with suppress(ArithmeticError, ValueError):
                near = lettered.near(lettered.values_with(changed))
                if near is not None:
                    return near
        assert self.model.recipe is not None
        return self.model.recipe.build({**self.tried, **changed})

    def unknowns(self) -> list[Unknown]:
        """What may change, so that the handle moves.

        Raises:
            SistelError: Nothing may.
        """
        if self.turns:
            return self._turning()
        slots = self.grip.slots
        if isinstance(slots, Lacking):
            return []
        names: list[str] = []
        formulas = 0
        for grip in self.group.grips:
            if grip.kind != self.grip.kind:
                continue  # what is drawn there follows
            for number, slot in enumerate(() if isinstance(grip.slots, Lacking) else grip.slots):
                if slot.literal is None and (self.axis is None or number == self.axis):
                    formulas += 1
                    names += [name for name in slot.parameters if name not in names]
        if not names:
            return []
        unknown = [each for each in (self._parameter(name) for name in names) if each is not None]
        parts = [self._part(number, slots) for number in self._free(slots)]
        if not unknown or len(names) > max(formulas, 1) or len(unknown) > 2:
            if parts:
                self.notes.append(_given_by(names))
                return parts
            refuse(
                "given-by-formula",
                _given_by(names),
                hint=CHANGE_ONE,
            )
        return [*unknown, *parts, *(self._base(unknown) if not parts else [])]

    def _free(self, slots: Sequence[Slot]) -> list[int]:
        """Parts of the place that are numbers and may change; zeros beside a formula keep a line straight."""
        formula = any(slot.literal is None for slot in slots)
        if len(slots) < 2 or (self.axis is not None and slots[self.axis].literal is None):
            return []
        return [
            number
            for number, slot in enumerate(slots)
            if slot.literal is not None
            and (self.axis is None or number == self.axis)
            and not (formula and slot.literal.value == 0.0)
        ]

    def _part(self, number: int, slots: Sequence[Slot]) -> Unknown:
        value = float(self.grip.where(self.model)[number])
        return Unknown("part", str(number), value, unit=slots[number].scale)

    def _parameter(self, name: str) -> Unknown | None:
        each = self.written.get(name)
        if each is None or each.literal is None:
            return None
        if name in self.tried:
            refuse(
                "tried-elsewhere",
                Text(
                    f'another value of "{name}" is being tried',
                    f"для «{name}» пробуется другое значение",
                ),
                hint=Text("write it into the file, or put it back", "запишите его в файл или верните"),
            )
        own = each.parameter
        low = -math.inf if own.minimum is None else float(own.minimum)
        high = math.inf if own.maximum is None else float(own.maximum)
        return Unknown("parameter", name, float(own.value), low, high, each.scale)

    def _base(self, unknown: Sequence[Unknown]) -> list[Unknown]:
        """The turn of the body below, where that and one length say where a pole is."""
        if len(unknown) != 1 or self.grip.kind != "pole" or self.grip.body == 0 or not self.model.planar:
            return []
        base = self.model.bodies[self.grip.body - 1]
        if base.joint.type.key != "revolute":
            return []
        return [self._coordinate(base.first_q)] if self._numbered(base.first_q) else []

    def _numbered(self, i: int) -> bool:
        slot = self.stance.get(i)
        return slot is not None and slot.literal is not None

    def _coordinate(self, i: int) -> Unknown:
        low, high = limits_of(self.model, i)
        slot = self.stance.get(i)
        unit = slot.scale if slot is not None else math.radians(1.0)
        return Unknown("coordinate", str(i), float(self.places.q[i]), low, high, unit)

    def _turning(self) -> list[Unknown]:
        own = [i for i in self.turns if i not in self.stance or self._numbered(i)]
        holds = self.model.structure().holds
        if own and (not holds or all(i in self.stance for i in own) or not self.stance):
            return [self._coordinate(i) for i in own]
        given = [i for i in self.stance if self._numbered(i)] if holds else []
        if given:
            return [self._coordinate(i) for i in given]
        names = list(dict.fromkeys(name for i in self.turns if i in self.stance for name in self.stance[i].parameters))
        known = [each for each in (self._parameter(name) for name in names) if each is not None]
        if len(known) != 1 or len(names) != 1:
            refuse("given-by-formula", _given_by(names), hint=CHANGE_ONE)
        return known

    def solve(self, to: Spot, grain: float) -> dict[tuple[str, str], float]:
        """Values that bring the handle where it should be, or as near as it comes.

        Args:
            to: Where, in the picture [mm].
            grain: To what places are rounded [mm]; 0 for not at all.
        """
        unknown = self.unknowns()
        if not unknown:
            return {}
        values = {(each.kind, each.key): each.value for each in unknown}
        self._begin(unknown, values, to)
        search = _Search(self, unknown, values, to, max(0.02 * grain, ENOUGH))
        before = self.last.found
        if grain and before and before.keys() == values.keys():
            # The pointer has not gone far since it was looked last: what was found then is nearly right now.
            search.values = {key: before[key][0] for key in values}
            search.J = [list(before[each.kind, each.key][1]) for each in unknown]
        search.run()
        self.last.found = {
            (each.kind, each.key): (search.values[each.kind, each.key], (row[0], row[1]))
            for each, row in zip(unknown, search.J, strict=True)
        }
        self.notes += search.notes
        return _rounded(unknown, search, grain)

    def _begin(self, unknown: Sequence[Unknown], values: dict[tuple[str, str], float], to: Spot) -> None:
        """A turn begins at the angle at which the pointer is seen from the pole: searches dislike half circles."""
        for each in unknown:
            if each.kind != "coordinate" or not self.model.planar:
                continue
            body = body_of(self.model, int(each.key))
            if body.joint.type.key not in ("revolute", "free") or self.grip.body not in _carried(
                self.model, body.number
            ):
                continue
            if body.joint.type.key == "free" and each.key != str(body.first_q + 2):
                continue
            pole, now = self.places.point(body.number, (0.0, 0.0, 0.0)), self.place({}).at
            before = math.atan2(now[1] - pole[1], now[0] - pole[0])
            after = math.atan2(to[1] - pole[1], to[0] - pole[0])
            turn = math.remainder(after - before, 2.0 * math.pi)
            values[each.kind, each.key] = min(max(each.value + turn, each.low), each.high)

    def edits(self, values: Mapping[tuple[str, str], float], to: Spot, grain: float) -> list[Edit]:
        """The changes of the text that give those values, and bring everything else of the group along.

        Args:
            values: Of what was searched for.
            to: Where the handle should be, in the picture [mm].
            grain: To what places are rounded [mm].
        """
        made: list[Edit] = []
        for (kind, key), value in values.items():
            if kind == "parameter":
                each = self.written[key]
                made.append(written_over(each, float(f"{each.of_si(value):.15g}")))
            elif kind == "coordinate" and int(key) in self.stance:
                made.append(self.stance[int(key)].edit(value, 0.0))
        if self.turns:
            return made
        places = self.place(values).places if values else self.places
        for grip in self.group.grips:
            made += self._of(grip, values, places, to, grain)
        return made

    def _of(
        self, grip: Grip, values: Mapping[tuple[str, str], float], places: Places, to: Spot, grain: float
    ) -> list[Edit]:
        """The numbers of a grip for a place in the picture."""
        model = self.place(values).model if values else self.model
        now = grip.where(model)
        asked = grip.asked(model, _local(model, grip, places, to, self.axis))
        slots = grip.slots
        if isinstance(slots, Lacking):
            return [slots.edit([float(each) for each in asked], _step(grain, slots.scale))]
        formula = any(slot.literal is None for slot in slots)
        made: list[Edit] = []
        for number, (slot, there, here) in enumerate(zip(slots, asked, grip.asked(model, now), strict=True)):
            if slot.literal is None or (self.axis is not None and number != self.axis):
                continue
            if formula and slot.literal.value == 0.0:
                continue
            # By how much, and not where to: numbers of a path may count from the point before.
            value = (slot.value or 0.0) + float(there) - float(here)
            edit = slot.edit(value, _step(grain, slot.scale))
            made.append(edit)
            back = grip.counter[number] if grip.counter else ()
            forth = float(edit.insert) * slot.scale - (slot.value or 0.0) if edit.insert.strip() else 0.0
            made += [other.edit((other.value or 0.0) - forth, 0.0) for other in back if forth]
        return made


def _local(model: Model, grip: Grip, places: Places, to: Spot, axis: int | None) -> Vector3:
    """The place on a body that is seen at a place of the picture [m]."""
    now = grip.where(model)
    at = places.point(grip.body, now)
    dx, dy = to[0] - at[0], to[1] - at[1]
    local = [float(each) for each in now]
    if axis is not None:
        unit: list[float] = [0.0, 0.0, 0.0]
        unit[axis] = 1.0
        ax, ay = places.along(grip.body, (unit[0], unit[1], unit[2]))
        local[axis] += (dx * ax + dy * ay) / max(ax * ax + ay * ay, 1e-12)
    else:
        (xx, xy), (yx, yy) = places.along(grip.body, (1.0, 0.0, 0.0)), places.along(grip.body, (0.0, 1.0, 0.0))
        det = xx * yy - xy * yx
        local[0] += (dx * yy - dy * yx) / det
        local[1] += (dy * xx - dx * xy) / det
    return (local[0], local[1], local[2])


@mutable
class _Search:
    """Newton's method with secants, by the least change: few numbers, each look at the picture costs a model."""

    drag: Drag
    unknown: Sequence[Unknown]
    values: dict[tuple[str, str], float]
    to: Spot
    enough: float
    """Steps that bring the handle no farther than this end the search [mm]."""
    notes: list[Text] = field(default_factory=list)
    J: list[list[float]] = field(default_factory=list)
    """What the handle does [mm] when a value changes by one of SI: a row a value."""

    def off(self, values: Mapping[tuple[str, str], float]) -> Spot:
        at = self.drag.place(values).at
        return (self.to[0] - at[0], self.to[1] - at[1])

    def run(self) -> None:
        """Search."""
        try:
            off = self.off(self.values)
        except SistelError:
            self.values = {(each.kind, each.key): each.value for each in self.unknown}
            off = self.off(self.values)
        if not self.J:
            self._slopes(off)
        for _ in range(ROUNDS):
            if math.hypot(*off) < self.enough:
                return
            better = self._step(off)
            if better is None:
                return
            off = better

    def _slopes(self, off: Spot) -> None:
        self.J = []
        for each in self.unknown:
            key = (each.kind, each.key)
            h = SMALL * max(abs(self.values[key]), 1e-2)
            if self.values[key] + h > each.high:
                h = -h
            try:
                there = self.off({**self.values, key: self.values[key] + h})
                self.J.append([(off[0] - there[0]) / h, (off[1] - there[1]) / h])
            except SistelError:
                self.J.append([0.0, 0.0])

    def _step(self, off: Spot) -> Spot | None:
        """One step; None where none goes nearer."""
        change = self._least(off)
        ahead = [sum(row[k] * by for row, by in zip(self.J, change, strict=True)) for k in range(2)]
        if math.hypot(*ahead) < self.enough:
            return None
        size = 1.0
        for _ in range(3):
            tried = dict(self.values)
            for each, by in zip(self.unknown, change, strict=True):
                key = (each.kind, each.key)
                tried[key] = min(max(tried[key] + size * by, each.low), each.high)
            try:
                there = self.off(tried)
            except SistelError:
                size /= 5.0
                continue
            if math.hypot(*there) < 0.999 * math.hypot(*off):
                done = [tried[each.kind, each.key] - self.values[each.kind, each.key] for each in self.unknown]
                self._learn(done, off, there)
                self.values = tried
                return there
            size /= 5.0
        return None

    def _learn(self, done: Sequence[float], off: Spot, there: Spot) -> None:
        """The slopes that explain what was seen, as near to the known ones as can be (Broyden)."""
        weights = [math.hypot(*row) ** 2 for row in self.J]
        norm = sum(w * d * d for w, d in zip(weights, done, strict=True))
        if norm <= 0.0:
            return
        for k in range(2):
            miss = (off[k] - there[k]) - sum(row[k] * d for row, d in zip(self.J, done, strict=True))
            for row, w, d in zip(self.J, weights, done, strict=True):
                row[k] += miss * w * d / norm

    def _least(self, off: Spot) -> list[float]:
        """The smallest change, all values counted by what they do, that brings the handle there, or nearest."""
        size = [math.hypot(*row) for row in self.J]
        rows = [[x / s if s > 0.0 else 0.0 for x in row] for row, s in zip(self.J, size, strict=True)]
        a = sum(row[0] * row[0] for row in rows)
        b = sum(row[0] * row[1] for row in rows)
        c = sum(row[1] * row[1] for row in rows)
        mean, spread = (a + c) / 2.0, math.hypot((a - c) / 2.0, b)
        angle = 0.5 * math.atan2(2.0 * b, a - c)
        made = [0.0] * len(rows)
        for value, (x, y) in (
            (mean + spread, (math.cos(angle), math.sin(angle))),
            (mean - spread, (-math.sin(angle), math.cos(angle))),
        ):
            if value > 1e-6:
                part = (off[0] * x + off[1] * y) / value
                for number, row in enumerate(rows):
                    made[number] += part * (row[0] * x + row[1] * y)
        return [each / s if s > 0.0 else 0.0 for each, s in zip(made, size, strict=True)]


def _rounded(unknown: Sequence[Unknown], search: _Search, grain: float) -> dict[tuple[str, str], float]:
    """Values of few digits: as coarse as the picture cannot tell apart."""
    made: dict[tuple[str, str], float] = {}
    for each, row in zip(unknown, search.J, strict=True):
        key = (each.kind, each.key)
        value, effect = search.values[key], math.hypot(*row)
        if effect == 0.0:
            continue
        step = _step(grain, each.unit * effect / 1e3) if grain else 0.0
        if value <= each.low or value >= each.high:
            search.drag.notes.append(_at_limit(search.drag, each))
        elif step:
            value = round(value / each.unit / step) * step * each.unit
            value = min(max(value, each.low), each.high)
        made[key] = value
    return made


def _step(grain: float, scale: float) -> float:
    """To what numbers of a unit are rounded, a power of ten.

    Args:
        grain: What of the picture is one place [mm].
        scale: How far a thing goes when its number grows by one [m].
    """
    if grain <= 0.0:
        return 0.0
    return float(10.0 ** math.floor(math.log10(grain / (1e3 * scale)) + 1e-9))


def _carried(model: Model, body: int) -> frozenset[int]:
    """A body and all that it carries."""
    found = {body}
    for each in model.bodies:
        if each.base in found:
            found.add(each.number)
    return frozenset(found)


def _at_limit(drag: Drag, each: Unknown) -> Text:
    name = each.key if each.kind == "parameter" else drag.model.coordinate_names[int(each.key)]
    return Text(f"{name} is at its limit", f"{name} — на своём пределе")


def _given_by(names: Sequence[str]) -> Text:
    said = ", ".join(dict.fromkeys(names)) or "…"
    return Text(f"this place is given by a formula of {said}", f"это место задано формулой от {said}")


def along_axis(grip: Grip, axis: int) -> Grip:
    """The grip as it is called when it goes along one of its axes."""
    return replace(grip, id=f"{grip.id}/{'xyz'[axis]}")
