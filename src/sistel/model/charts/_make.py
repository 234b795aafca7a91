"""What a behaviour adds to its scheme: names that a tick computes on the way, signals that are held, and memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sistel.markup import Expression
from sistel.markup import expressions as nodes
from sistel.model._control import Clock, tick_name
from sistel.model.charts._chart import Chart
from sistel.model.charts._lets import Lets, Truth, Value
from sistel.model.charts._steps import SOON, Beat, Now, Steps, room
from sistel.records import mutable
from sistel.units import PLAIN, TIME, Dimension


@mutable
class Made:
    """A behaviour, worked out."""

    hidden: list[tuple[str, Expression]]
    """Names that are computed on the way, in their order."""
    signals: list[tuple[str, Expression, Dimension, bool]]
    """Signals: name, value, dimension, and whether it is a truth."""
    stores: list[tuple[str, Expression, Dimension, float]]
    """What is remembered: name, the value after the tick, dimension, the first value [SI]."""
    trail: tuple[tuple[tuple[str, str], ...], ...]
    """For every step: states without states inside, and the names that tell whether they are active."""
    settled: str
    """The name that tells whether nothing more is to be done; empty where that is always so."""


def timed_states(chart: Chart, asked: Collection[str]) -> list[int]:
    """States that remember when they were entered."""
    waits = {go.source for go in chart.goes if go.after is not None}
    named = {i for i in range(1, len(chart.states)) if f"{chart.full(i)}.time" in asked}
    return sorted(waits | named)


class Maker:
    """Works out one behaviour of a scheme."""

    def __init__(self, chart: Chart, scheme: str, clock: Clock | None, asked: Collection[str]) -> None:
        """Of a chart in a scheme; without a clock, states know the time at which they were entered, not the tick."""
        self.chart, self.asked, self.clock = chart, asked, clock
        self.lets = Lets(chart.name, chart.span)
        self.timed = timed_states(chart, asked)
        self.forced = f"forced({chart.name})"
        """What the number of the passage is called that happens whatever rounding says, where nothing ticks."""
        if clock is None:
            one = nodes.Number(1.0, PLAIN, None, "1.0", chart.span)
            beat = Beat(nodes.Name("t", chart.span), one, 0.0, nodes.Name(self.forced, chart.span))
        else:
            period = nodes.Number(clock.period, TIME, "s", repr(clock.period), chart.span)
            beat = Beat(nodes.Name(tick_name(scheme), chart.span), period, SOON)
        self.steps = Steps(chart, self.lets, beat, self.timed, self._own)
        self.stores: dict[str, tuple[Value, Dimension, float]] = {}
        """By names: the value after the tick, dimension, the first value."""

    def _own(self, name: str) -> bool:
        return name.startswith(f"{self.chart.name}.")

    def _stored(self, name: str, dimension: Dimension = PLAIN, start: float = 0.0) -> nodes.Name:
        found = nodes.Name(name, self.chart.span)
        self.stores[name] = found, dimension, start
        return found

    def label(self, index: int) -> str:
        """What a state with states inside is called in what is remembered."""
        return self.chart.full(index) if index else self.chart.name

    def _first(self) -> tuple[Now, Truth]:
        """How a tick finds the behaviour, and whether it starts only now."""
        chart, lets = self.chart, self.lets
        active: dict[int, Truth] = {0: True}
        starts: Truth = False
        for index, state in enumerate(chart.states):
            if chart.compound(index):
                region = self._stored(f"state({self.label(index)})")
                if index == 0:
                    starts = lets.equal(region, 0)
                for number, child in enumerate(state.children, 1):
                    active[child] = lets.equal(region, number)
            elif state.key == "parallel":
                active |= dict.fromkeys(state.children, active[index])
        waiting: dict[str, Truth] = {}
        for each in chart.externals:
            before = self._stored(f"before({chart.name} {each.name})")
            still = self._stored(f"waiting({chart.name} {each.name})")
            if self.clock is None:  # transitions of their own see that it begins to hold
                waiting[each.name] = lets.no(lets.equal(still, 0))
                continue
            holds = lets.truth(each.truth)
            self.stores[before.name] = lets.as_number(holds), PLAIN, 0.0
            begins = lets.both(holds, lets.no(lets.let(nodes.Compare(">", before, lets.number(0.5), chart.span))))
            waiting[each.name] = lets.any((begins, lets.no(lets.equal(still, 0))))
        now = Now(
            active=active,
            data={
                each.name: self._stored(f"datum({chart.name} {each.name})", each.dimension, each.start)
                for each in chart.data
            },
            since={
                index: self._stored(f"since({chart.full(index)})", TIME if self.clock is None else PLAIN)
                for index in self.timed
            },
            remembered=dict(self._histories()),
            waiting=waiting,
        )
        if self.steps.inner:
            now.queue = self._stored(f"events({chart.name})")
            now.place = self._stored(f"place({chart.name})", start=1.0)
        return now, starts

    def _histories(self) -> Iterator[tuple[tuple[int, int], Value]]:
        chart = self.chart
        for history, state in enumerate(chart.states):
            if state.key != "history":
                continue
            homes = [state.parent]
            if state.deep:
                homes += [
                    at for at in range(len(chart.states)) if chart.compound(at) and chart.inside(at, state.parent)
                ]
            for at in homes:
                yield (history, at), self._stored(f"history({chart.full(history)} {self.label(at)})")

    @property
    def raises(self) -> bool:
        """Whether it raises events."""
        return bool(self.steps.inner)

    def begin_alone(self) -> None:
        """Work out how it starts, without any passage."""
        now, _ = self._first()
        self._keep(self.steps.begin(now, True))

    def step_alone(self) -> None:
        """Work out one step."""
        now, _ = self._first()
        self._keep(self.steps.step(now))

    def made(self) -> Made:
        """The behaviour, worked out."""
        chart, lets, steps = self.chart, self.lets, self.steps
        now, starts = self._first()
        now = steps.begin(now, starts)
        trail = []
        for _ in range(room(chart)):
            now = steps.step(now)
            trail.append(tuple(self._leaves(now)))
        settled = lets.no(steps.work(now))
        self._keep(now)
        return Made(
            signals=list(self._signals(now)),
            stores=[(name, *kept) for name, kept in self.stores.items()],
            settled=settled.name if isinstance(settled, nodes.Name) else "",
            hidden=lets.made,
            trail=tuple(trail),
        )

    def _leaves(self, now: Now) -> Iterator[tuple[str, str]]:
        for index in self.chart.leaves():
            truth = now.active[index]
            if isinstance(truth, nodes.Name):
                yield self.chart.states[index].name, truth.name

    def _keep(self, now: Now) -> None:
        """What is remembered of where a tick ends."""
        chart, lets = self.chart, self.lets

        def put(name: str, value: Value) -> None:
            _, dimension, start = self.stores[name]
            self.stores[name] = value, dimension, start

        for index, state in enumerate(chart.states):
            if chart.compound(index):
                number: Value = lets.number(0.0)
                for place, child in enumerate(state.children, 1):
                    number = lets.select(now.active[child], lets.number(place), number)
                put(f"state({self.label(index)})", number)
        for name, value in now.data.items():
            put(f"datum({chart.name} {name})", value)
        for index, value in now.since.items():
            put(f"since({chart.full(index)})", value)
        for (history, at), value in now.remembered.items():
            put(f"history({chart.full(history)} {self.label(at)})", value)
        for name, truth in now.waiting.items():
            put(f"waiting({chart.name} {name})", lets.as_number(truth))
        if now.queue is not None and now.place is not None:
            put(f"events({chart.name})", now.queue)
            put(f"place({chart.name})", now.place)

    def _signals(self, now: Now) -> Iterator[tuple[str, Expression, Dimension, bool]]:
        chart, lets = self.chart, self.lets
        for index in range(1, len(chart.states)):
            if chart.states[index].key != "history":
                yield chart.full(index), lets.as_number(now.active[index]), PLAIN, True
                if f"{chart.full(index)}.time" in self.asked:
                    yield f"{chart.full(index)}.time", self.steps.elapsed(index, now), TIME, False
        for each in chart.data:
            yield f"{chart.name}.{each.name}", now.data[each.name], each.dimension, False
        if all(state.key != "parallel" for state in chart.states):
            number: Value = lets.number(0.0)
            for index in chart.leaves():
                number = lets.select(now.active[index], lets.number(index), number)
            yield chart.name, number, PLAIN, False
