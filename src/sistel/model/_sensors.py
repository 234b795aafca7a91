"""Sensors of schemes: what each kind measures, what it takes, and what becomes of a reading before it is a signal.

The truth is a `Reading` that mechanics computes from the state. It is scaled and mixed with the other components; then
there come, in this order: bias, drift and noise, limits, steps, and delay. Noise and the steps of a drift come from
generators that count, keyed by the seed, the sensor and the tick: see `random`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.expr import decide
from sistel.markup import Expression, Node
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._check import constant
from sistel.model._control import Clock, Sensor, seed_name, tick_name
from sistel.model._named_ports import thing_names
from sistel.model._names import Names
from sistel.model._scope import Scope
from sistel.model.blocks import Law, Memory
from sistel.model.random import noise
from sistel.records import entry
from sistel.units import (
    ACCELERATION,
    ANGLE,
    ANGULAR_SPEED,
    FORCE,
    LENGTH,
    MOMENT,
    PLAIN,
    SPEED,
    TIME,
    Dimension,
    dimension_name,
)

PLACED = ("body", "frame", "point")
LOADED = ("contact", "closure", "lock", "joint", "body", "blade")
SPACE = ("x", "y", "z")
AXES = tuple(f"{a}{b}" for a in SPACE for b in SPACE)
FORMS: Mapping[str, tuple[str, ...]] = {
    "angles": ("roll", "pitch", "heading"),
    "quaternion": ("w", "x", "y", "z"),
    "axes": AXES,
}
MOST_RAYS = 1000
MOST_DELAYED = 1000
"""Ticks by which a reading may be late."""
CLOSED = 1e-6
"""Gap at which a contact counts as closed where the file does not say [m]."""


@entry
class Sense:
    """A kind of sensor."""

    of: tuple[str, ...]
    """What it is of; nothing where it has rays."""
    dimension: Dimension | None
    """None where it is that of the coordinate."""
    flat: tuple[str, ...] = ()
    """Components in the plane; none for a number."""
    spatial: tuple[str, ...] = ()
    clocked: bool = False
    """Whether it works at ticks alone."""
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


COMMON = ("scale", "misalignment", "bias", "drift", "noise", "relative", "limit", "step", "delay")
SEVERAL = ("scale", "misalignment", "bias")
"""Those that may have a value for each component."""
TICKING = ("drift", "noise", "relative", "delay")
"""Those that need ticks."""
SENSES: Mapping[str, Sense] = {
    "position": Sense(PLACED, LENGTH, SPACE, SPACE, takes=("point",)),
    "velocity": Sense(PLACED, SPEED, SPACE, SPACE, takes=("point",)),
    "orientation": Sense(PLACED, ANGLE, takes=("point", "as")),
    "joint": Sense(("coordinate",), None),
    "rate": Sense(("coordinate",), None),
    "gyroscope": Sense(PLACED, ANGULAR_SPEED, (), SPACE, takes=("point",)),
    "accelerometer": Sense(PLACED, ACCELERATION, SPACE, SPACE, takes=("point",)),
    "magnetometer": Sense(PLACED, PLAIN, SPACE, SPACE, takes=("point", "field")),
    "compass": Sense(PLACED, ANGLE, takes=("point", "field")),
    "force": Sense(LOADED, FORCE, SPACE, SPACE),
    "torque": Sense(LOADED, MOMENT, (), SPACE),
    "touch": Sense(("contact",), LENGTH, takes=("limit",)),
    "rangefinder": Sense((), LENGTH, clocked=True, needs=("rays", "range"), takes=("near", "against", "of")),
    "lidar": Sense(
        PLACED, LENGTH, clocked=True, needs=("range", "count"), takes=("near", "against", "angles", "point")
    ),
}


def sensor_parts(node: Node, planar: bool, scope: Scope) -> tuple[str, ...]:
    """Names of the components of what a sensor gives; none where that is a number. From words alone."""
    kind = node.text("kind")
    sense = None if kind is None else SENSES.get(kind)
    if sense is None:
        return ()
    if kind == "orientation":
        return () if planar else FORMS[node.text("as") or "angles"]
    if kind == "rangefinder":
        return tuple(str(i + 1) for i, _ in enumerate(thing_names(node.names("rays"), scope)))
    if kind == "lidar":
        count = node.attributes.get("count")
        value = count.value[0] if count is not None and isinstance(count.value, tuple) and count.value else None
        if isinstance(value, nodes.Number) and value.value == int(value.value) and 1 <= value.value <= MOST_RAYS:
            return tuple(str(i + 1) for i in range(int(value.value)))
        return ("1",)
    return sense.flat if planar else sense.spatial


@entry
class SensorLaw:
    """What a sensor is, and how its signals are computed."""

    sensor: Sensor
    law: Law
    values: dict[str, list[Expression]]
    noisy: bool


class SensorReader:
    """Reads one sensor."""

    def __init__(
        self, node: Node, part: MountedFile, names: Names, scheme: str, clock: Clock | None, diagnostics: Diagnostics
    ) -> None:
        """Of a scheme with its clock."""
        self.node, self.part, self.names, self.scheme, self.clock = node, part, names, scheme, clock
        self.diagnostics = diagnostics
        self.planar = part.values.planar
        self.fine = True
        inside = part.scope.home is not None
        self.scope = Scope("") if inside else part.scope
        """Where things are looked for: in a sub-scheme, by their full names."""
        self.word = node.attributes["kind"].span.text if "kind" in node.attributes else ""

    def _wrong(
        self, code: str, key: str, message: Text, expected: Text | None = None, hint: Text | None = None
    ) -> None:
        self.fine = False
        span = self.node.at(key) if key in self.node.attributes else self.node.span
        self.diagnostics.error(code, span, message, expected=expected, hint=hint)

    def read(self, name: str, values: Mapping[str, list[Expression]]) -> SensorLaw | None:
        """The sensor; None, with what is wrong said, where it is none.

        Args:
            name: In full.
            values: The expressions of its attributes.
        """
        kind = self.node.text("kind")
        if kind is None:
            return None
        sense = SENSES[kind]
        self._attributes(sense)
        of, dimension = self._of(sense)
        rays, against = self._names("rays", "frame"), self._names("against", "shape")
        parts = sensor_parts(self.node, self.planar, self.part.scope)
        sensor = Sensor(
            name=name,
            scheme=self.scheme,
            kind=kind,
            of=of,
            carrier=self._carrier(sense),
            rays=rays,
            against=against,
            angles=self._angles(kind, len(parts)),
            form=self.node.text("as") or "angles",
            field=self._field(),
            count=max(1, len(parts)),
            reach=self._reach(values),
            span=self.node.span,
        )
        if kind == "orientation" and not self.planar and sensor.form != "angles":
            dimension = PLAIN
        if kind == "rangefinder" and not rays and "rays" in self.node.attributes:
            self._wrong("wrong-count", "rays", Text("there are no rays", "лучей нет"), Text("frames", "реперы"))
        if kind == "orientation" and self.planar and "as" in self.node.attributes:
            self._wrong(
                "unknown-attribute",
                "as",
                Text("in the plane an orientation is an angle", "на плоскости ориентация — это угол"),
            )
        self._signs(values)
        late = self._late(values)
        if not self.fine:
            return None
        counts = {key: len(given) for key, given in values.items()}
        law = _law(kind, parts, counts, late, 0.0 if self.clock is None else self.clock.period)
        random = any(key in values for key in ("drift", "noise", "relative"))
        return SensorLaw(sensor, law, self._table(sensor, parts, values, dimension), random)

    def _attributes(self, sense: Sense) -> None:
        node = self.node
        common = ("noise", "delay") if self.node.text("kind") == "touch" else COMMON
        allowed = ("name", "kind", *(("of",) if sense.of else ()), *sense.needs, *sense.takes, *common)
        for key in (*(("of",) if sense.of else ()), *sense.needs):
            if key not in node.attributes and not (key == "of" and "point" in node.attributes):
                spec = node.spec.by_key[key]
                self._wrong(
                    "missing-attribute",
                    "",
                    Text(f'a sensor "{self.word}" needs "{spec.en[0]}"', f"датчику «{self.word}» нужно «{spec.ru[0]}»"),
                    spec.doc,
                )
        for key, attribute in node.attributes.items():
            if key not in allowed:
                self.fine = False
                known = [node.spec.by_key[one].written("en") for one in allowed]
                written = attribute.name_span.text
                self.diagnostics.error(
                    "unknown-attribute",
                    attribute.name_span,
                    Text(f'a sensor "{self.word}" has no "{written}"', f"у датчика «{self.word}» нет «{written}»"),
                    expected=one_of(known, 20),
                    hint=word_hint(written, known),
                )
        wants = [key for key in TICKING if key in node.attributes]
        if self.clock is None and (sense.clocked or wants):
            self._wrong(
                "wrong-block",
                "kind" if sense.clocked else wants[0],
                Text(
                    f'a sensor "{self.word}" like this works from tick to tick',
                    f"такой датчик «{self.word}» работает от такта к такту",
                ),
                Text("a scheme with a period", "схема с периодом"),
            )

    def _of(self, sense: Sense) -> tuple[str, Dimension]:
        """The full name of what the sensor is of, and the dimension of what it measures."""
        node, scope = self.node, self.scope
        key = "point" if "point" in node.attributes and "point" in sense.takes else "of"
        given = self._words(key)
        dimension = PLAIN if sense.dimension is None else sense.dimension
        if given and "of" in sense.takes:
            body = self.names.refer(("body",), given[0], scope, node.at("of"))
            self.fine = self.fine and body is not None
            return "" if body is None else body[1], dimension
        if not given or not sense.of:
            return "", dimension
        if sense.of == ("coordinate",):
            found = self.names.coordinate(given[0], scope, node.at("of"))
            if found is None:
                self.fine = False
                return "", dimension
            turn = found.kinds[:1] == ("turn",)
            rate = self.node.text("kind") == "rate"
            if len(found.kinds) != 1:
                self._wrong(
                    "wrong-count",
                    "of",
                    Text(
                        f'the joint of "{given[0]}" has {len(found.kinds)} coordinates',
                        f"координат у сочленения «{given[0]}»: {len(found.kinds)}",
                    ),
                    Text("one of them, such as body.x", "одна из них, например тело.x"),
                )
            return found.name, (ANGULAR_SPEED if rate else ANGLE) if turn else (SPEED if rate else LENGTH)
        wanted = ("point", "frame") if key == "point" else sense.of
        found_name = self.names.refer(wanted, given[0], scope, node.at(key))
        if found_name is None:
            self.fine = False
            return "", dimension
        return found_name[1], dimension

    def _carrier(self, sense: Sense) -> str:
        """The body that is named beside a point."""
        given = self._words("of")
        if "point" not in self.node.attributes or "point" not in sense.takes or not given:
            return ""
        found = self.names.refer(PLACED, given[0], self.scope, self.node.at("of"))
        self.fine = self.fine and found is not None
        return "" if found is None else found[1]

    def _words(self, key: str) -> tuple[str, ...]:
        """What an attribute names; in a sub-scheme, in full."""
        words = self.node.names(key)
        return tuple(thing_names(words, self.part.scope)) if self.part.scope.home is not None else words

    def _names(self, key: str, kind: str) -> tuple[str, ...]:
        found = [self.names.refer((kind,), each, self.scope, self.node.at(key)) for each in self._words(key)]
        if None in found:
            self.fine = False
        return tuple(each[1] for each in found if each is not None)

    def _angles(self, kind: str, count: int) -> tuple[float, float]:
        given = self.part.values.numbers(self.node, "angles") if "angles" in self.node.attributes else None
        if kind == "lidar":
            attribute = self.node.attributes.get("count")
            written = self.part.values.one(self.node, "count") if attribute is not None else 1.0
            if float(decide(written)) != count:
                self._wrong(
                    "wrong-count",
                    "count",
                    Text("this is no number of rays", "это не число лучей"),
                    Text(f"a whole number from 1 to {MOST_RAYS}", f"целое число от 1 до {MOST_RAYS}"),
                )
        if given is None:
            return (-3.141592653589793, 3.141592653589793)
        if len(given) != 2:
            self._wrong(
                "wrong-count",
                "angles",
                Text(f"{len(given)} angles where 2 are needed", f"углов: {len(given)}, а нужно: 2"),
                Text("the first and the last one", "первый и последний"),
            )
            return (0.0, 0.0)
        return (float(decide(given[0])), float(decide(given[1])))

    def _reach(self, values: Mapping[str, list[Expression]]) -> float:
        """How far rays are drawn; 10 m where that depends on the state."""
        given = values.get("range")
        found = constant(given[0], self.part.scope, Diagnostics()) if given else None
        return 10.0 if found is None else float(decide(found[0]))

    def _field(self) -> tuple[float, float, float]:
        given = self.part.values.numbers(self.node, "field") if "field" in self.node.attributes else None
        if given is None:
            return (1.0, 0.0, 0.0)
        least = 2 if self.planar else 3
        if len(given) != least or not any(float(each) for each in given):
            self._wrong(
                "wrong-count",
                "field",
                Text("this is no field", "это не поле"),
                Text(f"{least} numbers, not all of them 0", f"чисел: {least}, не все 0"),
            )
            return (1.0, 0.0, 0.0)
        return (given[0], given[1], given[2] if len(given) > 2 else 0.0)

    def _signs(self, values: Mapping[str, list[Expression]]) -> None:
        """See that what must be positive is, as far as that is known now."""
        for key, zero in (
            ("noise", True),
            ("drift", True),
            ("relative", True),
            ("step", False),
            ("range", False),
            ("near", True),
            ("limit", True),
        ):
            for value in values.get(key, ()):
                found = constant(value, self.part.scope, Diagnostics())
                if found is None or float(found[0]) > 0.0 or (zero and float(found[0]) == 0.0):
                    continue
                spec = self.node.spec.by_key[key]
                self._wrong(
                    "not-positive",
                    key,
                    Text(
                        f'"{spec.en[0]}" is {float(found[0]):g} in SI units',
                        f"«{spec.ru[0]}» в единицах СИ: {float(found[0]):g}",
                    ),
                    Text("0 or more", "0 или больше") if zero else Text("a positive number", "положительное число"),
                )
        ends = [constant(values[key][0], self.part.scope, Diagnostics()) for key in ("near", "range") if key in values]
        known = [float(found[0]) for found in ends if found is not None]
        if "near" in values and len(known) == 2 and known[0] >= known[1]:
            self._wrong(
                "out-of-range",
                "near",
                Text("rays would see nothing at all", "лучи не видели бы ничего"),
                Text("less than the range", "меньше дальности"),
            )
        count = max(1, len(sensor_parts(self.node, self.planar, self.part.scope)))
        for key in SEVERAL:
            many, whole = len(values.get(key, ())), key == "misalignment"
            if many in (0, count * count) if whole else many in (0, 1, count):
                continue
            self._wrong(
                "wrong-count",
                key,
                Text(f"{many} values for {count} components", f"значений: {many}, а составляющих: {count}"),
                Text(f"{count} rows of {count}", f"строк: {count}, чисел в каждой: {count}")
                if whole
                else Text("one value, or one for each", "одно значение или по одному на каждую"),
            )

    def _late(self, values: Mapping[str, list[Expression]]) -> int:
        """By how many ticks readings are late."""
        given = values.get("delay")
        if not given or self.clock is None:
            return 0
        found = constant(given[0], self.part.scope, self.diagnostics)
        if found is None:
            self.fine = False
            return 0
        value, dimension, _ = found
        ticks = float(decide(value))
        if dimension == TIME:
            exact = Fraction(ticks).limit_denominator(10**9) * self.clock.parts / self.clock.step
            ticks = float(exact) if exact.denominator == 1 else -1.0
        elif not dimension.plain:
            self._wrong(
                "wrong-dimension",
                "delay",
                Text(f"this is {dimension_name(dimension)}", f"это {dimension_name(dimension, 'ru')}"),
                Text("a time or a number of ticks", "время или число тактов"),
            )
            return 0
        if ticks != int(ticks) or not 0 <= ticks <= MOST_DELAYED:
            self._wrong(
                "wrong-count",
                "delay",
                Text("this is no whole number of ticks", "это не целое число тактов"),
                Text(f"periods, from 0 to {MOST_DELAYED}", f"периодов: от 0 до {MOST_DELAYED}"),
            )
            return 0
        return int(ticks)

    def _table(
        self, sensor: Sensor, parts: tuple[str, ...], values: Mapping[str, list[Expression]], dimension: Dimension
    ) -> dict[str, list[Expression]]:
        """What stands in the law: the expressions of the file, the truth, and noise."""
        span, count = self.node.span, max(1, len(parts))
        made = {key: list(given) for key, given in values.items() if key not in ("delay", "count", "angles", "field")}
        made["truth"] = [nodes.Reading(sensor.name, i, dimension, span) for i in range(count)]
        given = (nodes.Name(seed_name(self.scheme), span), nodes.Name(tick_name(self.scheme), span))
        if "noise" in values or "relative" in values:
            generator = noise(sensor.name, count)
            made["chance"] = [nodes.Computed(generator, i, given, PLAIN, span) for i in range(count)]
        if "drift" in values:
            generator = noise(f"drift of {sensor.name}", count)
            made["shake"] = [nodes.Computed(generator, i, given, PLAIN, span) for i in range(count)]
        if sensor.kind == "touch" and "limit" not in values:
            made["limit"] = [nodes.Number(CLOSED, LENGTH, "m", repr(CLOSED), span)]
        return made


def _law(kind: str, parts: tuple[str, ...], counts: Mapping[str, int], late: int, period: float) -> Law:
    """The law of a sensor, component by component."""
    stores: dict[str, Memory] = {}
    count = max(1, len(parts))
    made = []
    for i in range(count):
        truth = _one("truth", i, count)
        value = _reading(kind, i, count, counts)
        if "drift" in counts:
            gain = f"drift * {math.sqrt(period)!r} * {_one('shake', i, count)}"
            stores[f"walk{i}"] = Memory(like=truth, following=f"walk{i} + {gain}")
        if late:
            for k in range(1, late + 1):
                before = f"late{i}_{k - 1}" if k > 1 else value
                stores[f"late{i}_{k}"] = Memory(like=truth, following=before)
            # Before there is an old one, the reading of now.
            value = f"select(ticks > {late - 0.5}, late{i}_{late}, {value})"
        made.append(f"{value} <= limit" if kind == "touch" else value)
    if parts:
        return Law("", stores, dict(zip(parts, made, strict=True)))
    return Law(made[0], stores)


def _one(key: str, i: int, count: int) -> str:
    """What a law calls one of several values; the only one has no number."""
    return f"{key}_{i}" if count > 1 else key


def _scaled(i: int, count: int, counts: Mapping[str, int]) -> str:
    """A component as it is scaled."""
    truth = _one("truth", i, count)
    return f"{_one('scale', i, counts['scale'])} * {truth}" if "scale" in counts else truth


def _reading(kind: str, i: int, count: int, counts: Mapping[str, int]) -> str:
    truth = _one("truth", i, count)
    value = _scaled(i, count, counts)
    if "misalignment" in counts:
        cells = [(_one("misalignment", i * count + j, count * count), _scaled(j, count, counts)) for j in range(count)]
        value += "".join(f" + ({cell}) * ({scaled})" for cell, scaled in cells)
    if "bias" in counts:
        value += f" + ({_one('bias', i, counts['bias'])})"
    if "drift" in counts:
        value += f" + walk{i}"
    widths = [
        f"({key})" if key == "noise" else f"({key}) * abs({truth})" for key in ("noise", "relative") if key in counts
    ]
    if widths:
        value += f" + ({' + '.join(widths)}) * {_one('chance', i, count)}"
    if kind in ("rangefinder", "lidar"):
        least = "near" if "near" in counts else "0"
        value = f"select({truth} < range, clamp({value}, {least}, range), range)"
    elif "limit" in counts and kind != "touch":
        value = f"clamp({value}, -limit, limit)"
    return f"step * floor(({value}) / step + 0.5)" if "step" in counts else value
