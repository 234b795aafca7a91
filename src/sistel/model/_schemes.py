"""Reads functional schemes: names first, then the law of every block, checked like any expression of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sistel.errors import Diagnostics, Span, Text
from sistel.expr import decide
from sistel.markup import Expression, Node
from sistel.model._assembly import MountedFile
from sistel.model._block_values import attribute_values, block_values, whole_ticks, with_numbers
from sistel.model._check import Checker, Typed, constant
from sistel.model._clocks import read_clock
from sistel.model._commands import read_commands
from sistel.model._console import NAMED, input_names, read_display, read_input, read_places
from sistel.model._control import (
    Clock,
    Display,
    Input,
    Jump,
    Scheme,
    Sensor,
    Signal,
    Store,
    SubScheme,
    seed_name,
    tick_name,
)
from sistel.model._elements import Motor
from sistel.model._fuzzy import refuse_inside
from sistel.model._laws import WrittenLaw, computed_values, written_law
from sistel.model._named_ports import NamedPorts
from sistel.model._names import Names
from sistel.model._order import in_order, signals_in_order
from sistel.model._reaching import Places
from sistel.model._scheme_charts import SchemeCharts
from sistel.model._scheme_items import scheme_items
from sistel.model._sensors import COMMON, SEVERAL, SensorReader, sensor_parts
from sistel.model._special_laws import special_law, special_outputs
from sistel.model._uses import (
    MOST_USES,
    Definition,
    joined_ports,
    read_definition,
    refuse_circle,
    refuse_many,
    refuse_unknown,
    tell_unused,
    told_of_use,
    use_things,
    used_part,
    written_definition,
)
from sistel.model._vectors import Shapes, Written, enter_vector, expanded, named_within, note_loop
from sistel.model.blocks import BLOCKS, Law
from sistel.records import entry, mutable
from sistel.units import PLAIN, TIME, Dimension, dimension_name

DEEP = 40
"""Signals that may wait for each other to be read."""
OTHER_COUNT = Text("the block takes another number of values here", "здесь у блока другое число значений")


SENSED = frozenset(("range", "near", *COMMON))
"""Attributes of sensors that are expressions."""


@entry
class _Place:
    """Where a signal is written."""

    part: MountedFile
    scheme: Node
    node: Node
    name: str
    """In full."""
    block: str
    """Full name of the block that it is a component of; its own name where there are none."""
    owner: str
    """Full name of the scheme that it belongs to."""
    use: Node | None = None
    """The use of a sub-scheme that it belongs to."""
    joined: tuple[Expression, ...] = ()
    """What is joined, where it is a port."""


@entry
class _Read:
    """A block whose attributes have been read: its expressions, and what checks them."""

    texts: WrittenLaw
    checker: Checker


@mutable
class _Made:
    """What has been read of a scheme."""

    signals: dict[str, Signal]
    stores: dict[str, Store]
    inputs: list[Input]
    displays: list[Display]
    sensors: list[Sensor]
    seed: float = 0.0


class SchemeReader:
    """The schemes of a system: what they are called at once, and what they do when the rest is known."""

    def __init__(
        self, given: Sequence[tuple[MountedFile, Node]], names: Names, bodies: Places, diagnostics: Diagnostics
    ) -> None:
        """Enter all names of the schemes that are given, each with its file."""
        self._bodies = bodies
        self.names, self.diagnostics = names, diagnostics
        self._places: dict[str, _Place] = {}
        self._schemes: list[tuple[MountedFile, Node, str]] = []
        self._made: dict[str, _Made] = {}
        self._clocks: dict[str, Clock | None] = {}
        self._waiting: list[tuple[_Place, Checker, WrittenLaw, str, float]] = []
        """What blocks remember, whose next values are read last."""
        self.commanded: dict[str, Span] = {}
        """Motors that a scheme commands, rightly or wrongly, and where."""
        self._charts = SchemeCharts(names, diagnostics, self._comes, [part for part, _ in given])
        self._open: list[str] = []
        """Signals whose law is being read."""
        self._blocks: dict[str, _Read | None] = {}
        """Blocks that have been read; None where that failed."""
        self._reading: set[str] = set()
        """Blocks whose reading has not come to its end."""
        self._definitions: dict[str, Definition] = {}
        """Schemes with ports, by their full names."""
        self._used: set[str] = set()
        """Those of them that are used."""
        self._named = NamedPorts()
        self._things: dict[int, dict[str, tuple[str, ...]]] = {}
        """Full names of things that uses join to ports, by the identity of the use."""
        self._uses: dict[str, tuple[str, ...]] = {}
        """Signals of the uses of sub-schemes."""
        for part, node in given:
            if "ports" in node.attributes:
                self._define(part, node)
        for part, node in given:
            if "ports" not in node.attributes:
                self._declare(part, node)
        self._shapes = self._components()
        if self._schemes:
            names.typing = self._read

    def _define(self, part: MountedFile, scheme: Node) -> None:
        own = scheme.text("name")
        if own is not None and self.names.declare("scheme", part.scope.full(own), scheme.at("name")):
            full = part.scope.full(own)
            self._definitions[full] = read_definition(part, scheme, full, self.diagnostics)

    def _declare(self, part: MountedFile, scheme: Node) -> None:
        own = scheme.text("name")
        if own is None or not self.names.declare("scheme", part.scope.full(own), scheme.at("name")):
            return
        full = part.scope.full(own)
        self._schemes.append((part, scheme, full))
        self._made[full] = _Made({}, {}, [], [], [], self._seed(part, scheme))
        self._clocks[full] = read_clock(part, scheme, self.diagnostics)
        self._declare_all(part, scheme, full, None, ())

    def _declare_all(
        self, part: MountedFile, scheme: Node, owner: str, use: Node | None, path: tuple[str, ...]
    ) -> None:
        """Enter the names of a scheme, or of a sub-scheme that it uses."""
        for node in scheme.of(*NAMED, "behaviour"):
            own_name = node.text("name")
            for name in () if own_name is None else input_names(node, own_name):
                self._declare_signal(part, scheme, node, name, owner, use)
        for node in scheme.of("use"):
            self._declare_use(part, node, owner, path)

    def _declare_use(self, part: MountedFile, use: Node, owner: str, path: tuple[str, ...]) -> None:
        """Enter the names that a use of a sub-scheme has."""
        own, wanted = use.text("name"), use.text("scheme")
        if own is None or wanted is None:
            return
        home = self._definitions[path[-1]].part.scope if path else part.scope
        definition = self._definitions.get(home.full(" ".join(wanted.split())))
        if definition is None:
            refuse_unknown(wanted, home, self._definitions, use, self.diagnostics)
            return
        if definition.name in path:
            refuse_circle([*path[path.index(definition.name) :], definition.name], use, self.diagnostics)
            return
        if len(self._uses) >= MOST_USES:
            refuse_many(use, self.diagnostics)
            return
        full = part.scope.full(own)
        joined = joined_ports(use, definition, self.diagnostics)
        self._used.add(definition.name)
        if joined is None or not self.names.declare("signal", full, use.at("name")):
            return
        things = use_things(part.scope, definition, joined, self._definitions, self._named, self.diagnostics)
        if things is None:
            return
        self._things[id(use)] = things
        inner = used_part(definition, full, things)
        for port, values in joined.items():
            if port in things:
                continue
            name = inner.scope.full(port)
            if self.names.declare("signal", name, use.at("name")):
                self._places[name] = _Place(part, use, use, name, name, owner, joined=values)
        before = len(self._places)
        self._declare_all(inner, definition.node, owner, use, (*path, definition.name))
        self._uses[full] = tuple(self._places)[before:]

    def _declare_signal(
        self, part: MountedFile, scheme: Node, node: Node, name: str, owner: str, use: Node | None
    ) -> None:
        if name in part.scope.parameters:
            self.diagnostics.error(
                "same-name",
                node.at("name"),
                Text(f'the name "{name}" is taken by a parameter', f"имя «{name}» уже занято: параметр"),
                related=[(part.scope.parameters[name].span, Text("it was given here", "оно дано здесь"))],
                hint=Text("give each its own name", "дайте каждому своё имя"),
            )
        elif self.names.declare("signal", part.scope.full(name), node.at("name")):
            full = part.scope.full(name)
            self._places[full] = place = _Place(part, scheme, node, full, full, owner, use)
            if node.key == "behaviour":
                for output in self._charts.declare(part, node, full, owner):
                    self._places[output] = replace(place, name=output, block=output)

    def _components(self) -> Shapes:
        """Enter the components of all vectors."""
        places = dict(self._places)
        for name, place in places.items():
            if place.node.key == "sensor":
                parts = sensor_parts(place.node, place.part.values.planar, place.part.scope)
                enter_vector(self.names, name, parts)
                self._place_parts(place, parts)
        blocks = {
            name: Written(place.node, place.part.scope, self._clocks[place.owner] is not None, place.joined)
            for name, place in places.items()
            if place.node.key == "block" or place.joined
        }
        shapes = Shapes(
            blocks, self.names, self.diagnostics, partial(special_outputs, names=self.names, places=self._bodies)
        )
        for name, signals in self._uses.items():
            components = (each for signal in signals for each in self.names.vectors.get(signal, (signal,)))
            self.names.vectors[name] = tuple(components)
        for name in blocks:
            self._place_parts(places[name], shapes.parts(name))
        return shapes

    def _place_parts(self, place: _Place, parts: Sequence[str]) -> None:
        """Enter the components of a vector in its place."""
        if parts:
            del self._places[place.name]
        for own in dict.fromkeys(parts):
            full = f"{place.name}.{own}"
            if self.names.declare("signal", full, place.node.at("name")):
                self._places[full] = replace(place, name=full)

    def _seed(self, part: MountedFile, scheme: Node) -> float:
        """Of the noise of a scheme: a whole number of 32 bits."""
        value = float(decide(part.values.one(scheme, "seed"))) if "seed" in scheme.attributes else 0.0
        if value != int(value) or not 0 <= value < 2**32:
            self.diagnostics.error(
                "out-of-range",
                scheme.at("seed"),
                Text(f"{value:g} is no seed", f"{value:g} — не зерно"),
                expected=Text("a whole number from 0 to 4294967295", "целое число от 0 до 4294967295"),
            )
        return value

    # --- laws --------------------------------------------------------------------------------------------------------

    def _read(self, name: str) -> None:
        """Read the law of a signal, so that its dimension is known; those that it needs are read before."""
        if self._open or self._charts.parts.get(name, name) in self.names.signals:
            self._read_one(name)
            return
        # Long chains are read from their beginnings on: Python's own stack is not that high.
        order = list(in_order([name], self._needed))
        for each in order if len(order) > DEEP else [name]:
            self._read_one(each)

    def _needed(self, name: str) -> Iterator[str]:
        """Signals whose names stand in what makes a signal."""
        place = self._places.get(name)
        for named in () if place is None else named_within(place.node, place.part.scope):
            for each in self.names.vectors.get(named, (named,)):
                if each in self._places and each not in self.names.signals:
                    yield each

    def _read_one(self, name: str) -> None:
        name = self._charts.parts.get(name, name)
        place = self._places.get(name)
        if place is None or name in self.names.signals:
            return
        if name in self._open:
            path = [*self._open[self._open.index(name) :], name]
            self.names.signals[name] = None
            self._refuse_loop(path, place.node)
            return
        self._open.append(name)
        try:
            read = {
                "signal": self._signal,
                "block": self._block,
                "sensor": self._block,
                "input": self._input,
                "use": self._port,
                "behaviour": self._behaviour,
            }
            with told_of_use(place.use, place.scheme, self.diagnostics):
                read.get(place.node.key, self._display)(place)
        finally:
            self._open.pop()
        self.names.signals.setdefault(name, None)

    def _refuse_loop(self, path: Sequence[str], node: Node) -> None:
        """Say that signals need each other at one instant, or that nothing tells what they are."""
        said = Text("these signals need each other at one instant", "эти сигналы нужны друг другу сразу")
        hint = Text(
            'a delay or an integrator with its start breaks the loop: kind="delay" start="0 rad"',
            'петлю разрывает задержка или интегратор с началом: вид="задержка" начало="0 рад"',
        )
        note_loop(path, node, said, hint, self.diagnostics)

    def _signal(self, place: _Place) -> None:
        (value,) = attribute_values(
            place.node.attributes.get("value"), 1, self.names, place.part.scope, self.diagnostics
        ) or (None,)
        typed = None if value is None else self._checker(place).check(value)
        if typed is not None:
            self._enter(place, place.name, typed)

    def _port(self, place: _Place) -> None:
        """What is joined to a port has a name inside the sub-scheme."""
        values = expanded(place.joined, self.names, place.part.scope)
        components = self.names.vectors.get(place.block, (place.name,))
        typed = self._checker(place).check(values[components.index(place.name)])
        if typed is not None:
            self._enter(place, place.name, typed)

    def _behaviour(self, place: _Place) -> None:
        """Read a behaviour, or one of its outputs."""
        full = place.part.scope.full(place.node.text("name") or "")
        if place.name == full and self._clocks[place.owner] is None:
            self._charts.enter(full)  # its conditions are read last
            return
        if place.name == full:
            self._charts.read(full, self._clocks[place.owner])
            return
        typed = self._charts.output(full, place.name, self._clocks[place.owner])
        if typed is not None:
            self._enter(place, place.name, typed)

    def _comes(self, name: str) -> bool:
        """Whether a name means a number from outside."""
        place = self._places.get(name)
        return place is not None and place.node.key == "input"

    def _input(self, place: _Place) -> None:
        owner, own = place.owner, place.part.scope.full(place.node.text("name") or "")
        found = read_input(place.node, place.part, own, owner, self.diagnostics)
        self._made[owner].inputs.extend(found)
        for each in found:
            self.names.signals[each.name] = each.dimension, each.truth
        for name in input_names(place.node, own):  # what is wrong has been told
            self.names.signals.setdefault(name, None)

    def _display(self, place: _Place) -> None:
        (value,) = attribute_values(
            place.node.attributes.get("from"), 1, self.names, place.part.scope, self.diagnostics
        ) or (None,)
        typed = None if value is None else self._checker(place).check(value)
        if typed is None:
            return
        self._enter(place, place.name, typed)
        found = read_display(place.node, place.part, place.name, typed.dimension, self.diagnostics)
        if found is not None:
            self._made[place.owner].displays.append(found)

    def _block(self, place: _Place) -> None:
        """Enter one output of a block; only what this one needs has to be known for it."""
        if place.block in self._reading:
            inner = next(name for name in self._open if self._places[name].block == place.block)
            self._refuse_loop(self._open[self._open.index(inner) :], place.node)
            return
        if place.block not in self._blocks:
            self._reading.add(place.block)
            sensor = place.node.key == "sensor"
            self._blocks[place.block] = self._read_sensor(place) if sensor else self._read_block(place)
            self._reading.remove(place.block)
        read = self._blocks[place.block]
        if read is None:
            return
        expression = read.texts.out if place.name == place.block else read.texts.parts[place.name]
        typed = read.checker.check(expression)
        if typed is not None:
            self._enter(place, place.name, typed)

    def _read_block(self, place: _Place) -> _Read | None:
        """Read the attributes of a block; None, with an error, where they do not fit its kind."""
        node = place.node
        kind = node.text("kind")
        block = None if kind is None else BLOCKS[kind]
        if block is None:
            return None
        clock, scope = self._clocks[place.owner], place.part.scope
        written = Written(node, scope, clock is not None)
        values = block_values(block, written, self.names, self.diagnostics)
        if values is None:
            return None
        given = self._shapes.given(written)
        if "ticks" in values:
            ticks = whole_ticks(values.pop("ticks")[0], scope, self.diagnostics)
            if ticks is None:
                return None
            given = replace(given, counts={**given.counts, "ticks": ticks})
        known = with_numbers(block, given, values, clock, scope, self.diagnostics)
        if known is None:
            return None
        wrong = block.wrong(known)
        if wrong is not None:
            self.diagnostics.error("wrong-count", node.at(wrong[0]), OTHER_COUNT, expected=wrong[1])
            return None
        special = special_law(block, written, place.block, values, self.names, self._bodies, self.diagnostics)
        if special is not None:
            return None if special.law is None else self._carry_out(place, special.law, special.values)
        if node.children:
            refuse_inside(node, self.diagnostics)
            return None
        return self._carry_out(place, block.law(known), values)

    def _read_sensor(self, place: _Place) -> _Read | None:
        """Read the attributes of a sensor; None, with an error, where they do not fit its kind."""
        owner, node = place.owner, place.node
        values: dict[str, list[Expression]] = {}
        for key, attribute in node.attributes.items():
            if key in SENSED:
                found = attribute_values(
                    attribute, None if key in SEVERAL else 1, self.names, place.part.scope, self.diagnostics
                )
                if found is None:
                    return None
                values[key] = list(found)
        reader = SensorReader(node, place.part, self.names, owner, self._clocks[owner], self.diagnostics)
        read = reader.read(place.block, values)
        if read is None:
            return None
        made = self._made[owner]
        made.sensors.append(read.sensor)
        if read.noisy and not any(each.name == seed_name(owner) for each in made.inputs):
            made.inputs.append(
                Input(
                    name=seed_name(owner),
                    scheme=owner,
                    dimension=PLAIN,
                    start=made.seed,
                    minimum=0.0,
                    maximum=2.0**32 - 1.0,
                    span=node.span,
                )
            )
        return self._carry_out(place, read.law, read.values)

    def _carry_out(self, place: _Place, law: Law, values: Mapping[str, Sequence[Expression]]) -> _Read | None:
        """Enter what a block remembers, and find its expressions."""
        owner, node, part, clock = place.owner, place.node, place.part, self._clocks[place.owner]
        stores = {f"{place.block}.{own}": memory for own, memory in law.stores.items()}
        variables: dict[str, Dimension] = {tick_name(owner): PLAIN, seed_name(owner): PLAIN}
        values = {**values, **computed_values(law, place.block, node.span)}
        texts = written_law(law, values, place.block, owner, clock, node.span)
        if texts is None:
            self.diagnostics.error("wrong-count", node.at("in"), OTHER_COUNT)
            return None
        checker = self._checker(place, variables)
        starts: dict[str, float] = {}
        for name, memory in stores.items():
            found = constant(texts.starts[name], part.scope, self.diagnostics)
            if found is None:
                return None
            starts[name], dimension = found[0], found[1]
            if memory.like and dimension.plain and float(found[0]) == 0.0:
                if "start" in node.attributes:
                    # In a loop nothing else may tell what it is: the start that is written does.
                    self.names.signals[place.name] = dimension, False
                like = checker.number(texts.likes[name])
                self.names.signals.pop(place.name, None)
                if like is None or like.dimension is None:
                    return None
                dimension = like.dimension
            variables[name] = dimension
        for name, expression in texts.inner.items():
            typed = checker.number(expression)
            if typed is None or typed.dimension is None:
                return None
            variables[name] = typed.dimension
            self._enter(place, name, typed, inner=True)
        # What is remembered next may need signals that need this one.
        for name in stores:
            self._waiting.append((place, checker, texts, name, starts[name]))
        return _Read(texts, checker)

    def _enter(self, place: _Place, name: str, typed: Typed, *, inner: bool = False) -> None:
        """Enter a signal."""
        owner = place.owner
        dimension = PLAIN if typed.dimension is None else typed.dimension
        if not inner:
            self.names.signals[name] = dimension, typed.dimension is None
        self._made[owner].signals[name] = Signal(
            name=name,
            scheme=owner,
            value=typed.expression,
            dimension=dimension,
            truth=typed.dimension is None,
            inner=inner,
            span=place.node.span,
        )

    def _store(self, place: _Place, checker: Checker, texts: WrittenLaw, name: str, start: float) -> None:
        """Enter what a block remembers, and how that goes on."""
        following = checker.number(texts.followings[name])
        dimension = checker.variables[name]
        if following is None or following.dimension is None:
            return
        wanted = dimension if self._clocks[place.owner] is not None else dimension.over(TIME)
        if not (following.zero or following.dimension.fits(wanted)):
            self.diagnostics.error(
                "wrong-dimension",
                place.node.at("in"),
                Text(
                    f"the block remembers {dimension_name(dimension)} and would go on with another dimension",
                    f"блок помнит величину ({dimension_name(dimension, 'ru')}), а продолжение другой размерности",
                ),
                hint=Text("give start= its unit", "укажите единицу в начало="),
            )
            return
        jumps = []
        for condition, value in texts.jumps[name]:
            holds, new = checker.truth(condition), checker.number(value)
            if holds is None or new is None:
                return
            jumps.append(Jump(condition=holds.expression, value=new.expression))
        self._made[place.owner].stores[name] = Store(
            name=name,
            scheme=place.owner,
            dimension=dimension,
            start=start,
            following=following.expression,
            jumps=tuple(jumps),
            span=place.node.span,
        )

    # --- all of them -------------------------------------------------------------------------------------------------

    def schemes(self, motors: Sequence[Motor]) -> tuple[Scheme, ...]:
        """All schemes, when the names of the system are known."""
        for name in self._places:
            self._read(name)
        for name, place in self._places.items():
            if name in self._charts and self._clocks[place.owner] is None:
                with told_of_use(place.use, place.scheme, self.diagnostics):
                    self._charts.read(name, None)
        for waiting in self._waiting:
            with told_of_use(waiting[0].use, waiting[0].scheme, self.diagnostics):
                self._store(*waiting)
        made = []
        for part, node, name in self._schemes:
            of = self._made[name]
            commands = read_commands(node, part, self.names, motors, self.commanded, self.diagnostics)
            items = tuple(scheme_items(part, node, self.names, self._things))
            named = [item.name for item in items]
            charts = self._charts.finished(name, self._clocks[name])
            of.signals = charts.signals | of.signals
            of.stores |= charts.stores
            drawn = [*named, *(part.scope.full(each.text("name") or "") for each in node.of("behaviour"))]
            made.append(
                Scheme(
                    name=name,
                    clock=self._clocks[name],
                    signals=signals_in_order(self._made[name].signals, charts.signals, named),
                    stores=tuple(of.stores.values()),
                    inputs=tuple(of.inputs),
                    commands=commands,
                    items=items,
                    displays=tuple(of.displays),
                    places=tuple(read_places(node, part, drawn, [each.label for each in commands], self.diagnostics)),
                    vectors=self._vectors(name),
                    sensors=tuple(of.sensors),
                    seed=of.seed,
                    behaviours=charts.charts,
                    settles=charts.settles,
                    moves=charts.moves,
                    span=node.span,
                )
            )
        return tuple(made)

    def subschemes(self) -> tuple[SubScheme, ...]:
        """Schemes with ports as they are written; those that nothing uses are told."""
        tell_unused(self._definitions, self._used, self.diagnostics)
        return tuple(written_definition(each) for each in self._definitions.values())

    def _vectors(self, scheme: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The vectors of a scheme."""
        signals = self._made[scheme].signals
        return tuple((name, parts) for name, parts in self.names.vectors.items() if parts and parts[0] in signals)

    # --- parts -------------------------------------------------------------------------------------------------------

    def _checker(self, place: _Place, variables: dict[str, Dimension] | None = None) -> Checker:
        return Checker(place.part.scope, self.diagnostics, self.names, variables)
