"""A behaviour in a scheme without a clock: each of its steps is an event of the automaton, at the very instant.

A passage without an event becomes a transition of its own, whose condition is watched as all conditions are. When it
happens, one step of SCXML is made, in which that passage is taken for possible: a rounding of the instant at which its
condition begins to hold decides nothing. What the step makes possible is asked at the same instant again, with signals
as they are then, until nothing more is to be done: so a behaviour runs to completion. Events that were raised, or that
come from outside, wait in memory; a transition takes the next one where no passage without an event is possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from sistel.markup import Expression
from sistel.markup import expressions as nodes
from sistel.model._control import Move
from sistel.model._scope import FUNCTIONS
from sistel.model.charts._chart import Chart, Go
from sistel.model.charts._lets import Value, substituted
from sistel.model.charts._make import Maker, timed_states
from sistel.units import PLAIN, TIME, Dimension

Stores = list[tuple[str, Dimension, float]]
"""What is remembered: name, dimension, first value [SI]."""


class FlowingMaker:
    """Works out one behaviour of a scheme without a clock."""

    def __init__(self, chart: Chart, asked: Collection[str], parameters: Collection[str]) -> None:
        """Of a chart, names with a point that the file asks for, and full names of parameters."""
        self.chart, self.asked = chart, asked
        self.still = {*parameters, "pi", *(each.name for each in chart.data)}
        """What stands still between events."""
        self.timed = timed_states(chart, asked)
        self.begun, self.stepped = (Maker(chart, "", None, asked) for _ in range(2))
        self.begun.begin_alone()
        self.stepped.step_alone()

    @property
    def stores(self) -> Stores:
        """What it remembers."""
        return [(name, dimension, start) for name, (_, dimension, start) in self.begun.stores.items()]

    # --- expressions -------------------------------------------------------------------------------------------------

    def _number(self, value: float) -> nodes.Number:
        return nodes.Number(float(value), PLAIN, None, repr(float(value)), self.chart.span)

    def _compare(self, left: Expression, operator: str, right: float) -> Expression:
        return nodes.Compare(operator, left, self._number(right), self.chart.span)  # type: ignore[arg-type]

    def _name(self, name: str) -> nodes.Name:
        return nodes.Name(name, self.chart.span)

    def _is(self, value: Expression, number: int) -> tuple[Expression, ...]:
        """That a whole number has a value, by comparisons at which it never stands."""
        return self._compare(value, ">", number - 0.5), self._compare(value, "<", number + 0.5)

    def _active(self, index: int) -> tuple[Expression, ...]:
        """Conditions that together say that a state is active; none for what always is."""
        chart, parent = self.chart, self.chart.states[index].parent
        if index == 0:
            return ()
        if chart.states[parent].key == "parallel":
            return self._active(parent)
        region = self._name(f"state({self.begun.label(parent)})")
        return self._is(region, chart.states[parent].children.index(index) + 1)

    def _all(self, given: tuple[Expression, ...]) -> Expression:
        return given[0] if len(given) == 1 else nodes.Logic("and", given, self.chart.span)

    def _elapsed(self, index: int) -> Expression:
        since = self._name(f"since({self.chart.full(index)})")
        return nodes.Binary("-", self._name("t"), since, self.chart.span)

    def _now(self, expression: Expression) -> Expression:
        """An expression of the file with data as they are; states are signals."""
        data = {each.name: self._name(f"datum({self.chart.name} {each.name})") for each in self.chart.data}
        return substituted(self._decided(expression), data.get)

    def _decided(self, node: Expression) -> Expression:
        """A condition in which comparisons of what stands still are decided by what they say, at equality too.

        Of what moves, a comparison with equality and one without begin to hold at the same instant.
        """
        match node:
            case nodes.Compare() if all(self._stands(part) for part in nodes.walk(node)):
                return self._compare(self._select(node, self._number(1.0)), ">", 0.5)
            case nodes.Not():
                return replace(node, operand=self._decided(node.operand))
            case nodes.Logic():
                return replace(node, operands=tuple(self._decided(each) for each in node.operands))
        return node

    def _stands(self, part: Expression) -> bool:
        if isinstance(part, nodes.Name):
            return part.name in self.still
        plain = (nodes.Number, nodes.Compare, nodes.Binary, nodes.Unary, nodes.Logic, nodes.Not)
        return isinstance(part, plain) or (isinstance(part, nodes.Call) and part.function in FUNCTIONS)

    # --- what it gives -----------------------------------------------------------------------------------------------

    def signals(self) -> Iterator[tuple[str, Expression, Dimension, bool]]:
        """Its signals: name, value, dimension, and whether it is a truth."""
        chart = self.chart
        for index in range(1, len(chart.states)):
            if chart.states[index].key == "history":
                continue
            active = self._all(self._active(index))
            yield chart.full(index), active, PLAIN, True
            if f"{chart.full(index)}.time" in self.asked:
                yield f"{chart.full(index)}.time", self._select(active, self._elapsed(index)), TIME, False
        for each in chart.data:
            yield f"{chart.name}.{each.name}", self._name(f"datum({chart.name} {each.name})"), each.dimension, False
        if all(state.key != "parallel" for state in chart.states):
            number: Value = self._number(0.0)
            for index in chart.leaves():
                number = self._select(self._all(self._active(index)), self._number(index), number)
            yield chart.name, number, PLAIN, False

    def _select(self, truth: Expression, yes: Expression, no: Expression | None = None) -> Expression:
        span = self.chart.span
        return nodes.Call("select", (truth, yes, self._number(0.0) if no is None else no), span, span)

    # --- what happens ------------------------------------------------------------------------------------------------

    def moves(self) -> Iterator[Move]:
        """Its transitions, those first that come first at one instant: inner passages before outer ones."""
        chart = self.chart
        region = self._name(f"state({chart.name})")
        start = self._move(f"{chart.name}: start", self._compare(region, "<", 0.5), self.begun)
        yield start
        numbers = {id(go): number for number, go in enumerate(chart.goes, 1)}
        depth = {index: len(chart.above(index)) for index in range(len(chart.states))}
        named: dict[str, int] = {}
        for go in sorted((go for go in chart.goes if not go.events), key=lambda go: -depth[go.source]):
            move = self._move(self._called(go, named), self._possible(go), self.stepped, go)
            yield replace(move, lets=((self.stepped.forced, self._number(numbers[id(go)])), *move.lets))
        for each in chart.externals:
            before, waiting = (self._name(f"{word}({chart.name} {each.name})") for word in ("before", "waiting"))
            one, none = self._number(1.0), self._number(0.0)
            begins = self._all((each.truth, self._compare(before, "<", 0.5)))
            ends = self._all((nodes.Not(each.truth, chart.span), self._compare(before, ">", 0.5)))
            yield replace(
                start,
                name=f"{chart.name}: {each.name}",
                condition=begins,
                lets=(),
                updates=((before.name, one), (waiting.name, one)),
            )
            yield replace(
                start,
                name=f"{chart.name}: {each.name} ends",
                condition=ends,
                lets=(),
                updates=((before.name, none),),
                quiet=True,
            )
        waits = [self._name(f"waiting({chart.name} {each.name})") for each in chart.externals]
        waits += [self._name(f"events({chart.name})")] if self.stepped.raises else []
        if waits:
            held = tuple(self._compare(each, ">", 0.5) for each in waits)
            holds = held[0] if len(held) == 1 else nodes.Logic("or", held, chart.span)
            move = self._move(f"{chart.name}: event", holds, self.stepped)
            yield replace(move, lets=((self.stepped.forced, self._number(0.0)), *move.lets), quiet=True)

    def _move(self, name: str, condition: Expression, maker: Maker, go: Go | None = None) -> Move:
        updates = tuple(
            (store, value)
            for store, (value, _, _) in maker.stores.items()
            if not (isinstance(value, nodes.Name) and value.name == store)
        )
        span = self.chart.span if go is None else go.span
        return Move(
            name=name,
            chart=self.chart.name,
            condition=condition,
            lets=tuple(maker.lets.made),
            updates=updates,
            span=span,
        )

    def _called(self, go: Go, named: dict[str, int]) -> str:
        """What events call a passage."""
        chart = self.chart
        targets = " + ".join(chart.states[index].name for index in go.targets)
        way = f" → {targets}" if targets else ""
        called = f"{chart.name}: {chart.states[go.source].name}{way}"
        named[called] = named.get(called, 0) + 1
        return called if named[called] == 1 else f"{called} ({named[called]})"

    def _possible(self, go: Go) -> Expression:
        """The condition of a passage without an event."""
        parts = list(self._active(go.source))
        if go.when is not None:
            parts.append(self._now(go.when))
        if go.after is not None:
            parts.append(nodes.Compare(">=", self._elapsed(go.source), self._now(go.after), go.span))
        return self._all(tuple(parts))
