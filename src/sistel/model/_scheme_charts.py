"""The behaviours of schemes: names at once, conditions when signals are read, their steps when all is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sistel.errors import Diagnostics
from sistel.markup import Expression, Node, dotted_name, walk_expression
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker, Typed
from sistel.model._control import Clock, Move, Settling, Signal, Store
from sistel.model._names import Names
from sistel.model.charts._chart import Chart
from sistel.model.charts._flowing import FlowingMaker
from sistel.model.charts._make import Made, Maker
from sistel.model.charts._outputs import OutputReader
from sistel.model.charts._read import ChartReader
from sistel.model.charts._settle import check_ends, check_reached
from sistel.records import entry
from sistel.units import PLAIN, TIME, Dimension


@entry
class Finished:
    """What the behaviours of a scheme add to it."""

    signals: dict[str, Signal]
    stores: dict[str, Store]
    charts: tuple[Chart, ...]
    settles: tuple[Settling, ...]
    moves: tuple[Move, ...]


class SchemeCharts:
    """The behaviours of all schemes."""

    def __init__(
        self, names: Names, diagnostics: Diagnostics, comes: Callable[[str], bool], files: Sequence[MountedFile]
    ) -> None:
        self.files = files
        """Those with schemes."""
        self.names, self.diagnostics, self.comes = names, diagnostics, comes
        self.parts: dict[str, str] = {}
        """Signals that a behaviour makes itself, with its name; not its outputs."""
        self._readers: dict[str, tuple[ChartReader, str]] = {}
        """By the name of the behaviour; with that of its scheme."""
        self._outputs: dict[str, OutputReader] = {}
        self._charts: dict[str, Chart] = {}
        """In the order in which they are computed."""

    def __contains__(self, full: str) -> bool:
        return full in self._readers

    def declare(self, part: MountedFile, node: Node, full: str, scheme: str) -> Iterator[str]:
        """Enter the names of a behaviour; those of its outputs."""
        reader = ChartReader(part, node, full, self.names, self.diagnostics, self.comes)
        self._readers[full] = reader, scheme
        for own, span in reader.declared():
            name = f"{full}.{own}"
            if not self.names.declare("signal", name, span):
                continue
            if own in reader.outputs:
                yield name
                continue
            self.parts[name] = full
        for written in reader.tree.states[1:]:
            if written.node.key != "history":
                name = f"{full}.{written.name}.time"
                if name not in self.names.tables["signal"]:
                    self.names.tables["signal"][name] = written.node.span
                    self.parts[name] = full

    def enter(self, full: str) -> None:
        """Enter what the signals of a behaviour are, before its conditions are read.

        In a scheme without a clock states and data are memory: signals on which conditions depend may depend on them.
        """
        if full in self._outputs:
            return
        reader, _ = self._readers[full]
        reader.read_data()
        self._enter_names(reader, full)
        self._outputs[full] = self._output_reader(reader, reader.skeleton())

    def _output_reader(self, reader: ChartReader, chart: Chart) -> OutputReader:
        checker = Checker(reader.part.scope, self.diagnostics, self.names, own=reader.own(True))
        return OutputReader(chart, reader, checker)

    def read(self, full: str, clock: Clock | None) -> None:
        """Read the states and conditions of a behaviour."""
        reader, _ = self._readers[full]
        if clock is None:
            self.enter(full)
        else:
            reader.read_data()
        chart = reader.read(clock is None)
        if chart is None:
            self.names.signals |= dict.fromkeys((*self._mine(full), full))
            return
        self._charts[full] = chart
        check_ends(chart, self.diagnostics)
        check_reached(chart, self.diagnostics)
        if clock is not None:
            self._enter_names(reader, full)
            self._outputs[full] = self._output_reader(reader, chart)

    def _mine(self, full: str) -> list[str]:
        return [name for name, owner in self.parts.items() if owner == full]

    def _enter_names(self, reader: ChartReader, full: str) -> None:
        for name in self._mine(full):
            own = name[len(full) + 1 :]
            datum = reader.data.get(own)
            if datum is not None:
                self.names.signals[name] = datum.dimension, False
            elif own in reader.tree.by_name:
                self.names.signals[name] = PLAIN, True
            else:
                self.names.signals[name] = TIME, False
        self.names.signals[full] = None if reader.parallel else (PLAIN, False)

    def output(self, full: str, name: str, clock: Clock | None) -> Typed | None:
        """The value of an output; None after an error."""
        if clock is None:
            self.enter(full)
        else:
            self.names.signal(full)
        found = self._outputs.get(full)
        return None if found is None else found.value(name[len(full) + 1 :])

    def _asked(self, part: MountedFile) -> set[str]:
        """Names with a point that stand in expressions: of all files, and of the sub-scheme that a file has here."""
        parts = {id(each.scope): each for each in (*self.files, part)}
        return {each.scope.full(name) for each in parts.values() for name in _asked(each.document.root)}

    def finished(self, scheme: str, clock: Clock | None) -> Finished:
        """What the behaviours of a scheme add to it, when all has been read."""
        done = Finished({}, {}, (), (), ())
        charts, settles, moves = list[Chart](), list[Settling](), list[Move]()
        for full, chart in self._charts.items():
            reader, owner = self._readers[full]
            if owner != scheme:
                continue
            asked = self._asked(reader.part)
            if clock is None:
                scope = reader.part.scope
                flowing = FlowingMaker(chart, asked, [scope.parameter(name) for name in scope.parameters])
                _enter_flowing(flowing, scheme, done)
                moves += flowing.moves()
            else:
                made = Maker(chart, scheme, clock, asked).made()
                _enter(made, chart, scheme, done)
                if made.settled:
                    settles.append(Settling(chart=full, settled=made.settled, trail=made.trail))
            given = self._outputs[full].given
            # as they are written, whichever was asked for first
            order = {name: number for number, name in enumerate(chart.outputs)}
            states = (
                replace(state, gives=tuple(sorted(given.get(i, ()), key=lambda each: order[each[0]])))
                for i, state in enumerate(chart.states)
            )
            charts.append(replace(chart, states=tuple(states)))
        return replace(done, charts=tuple(charts), settles=tuple(settles), moves=tuple(moves))


def _enter(made: Made, chart: Chart, scheme: str, done: Finished) -> None:
    """Enter the signals and the memory of a behaviour."""
    hidden = ((name, value, PLAIN, False) for name, value in made.hidden)
    _enter_signals(hidden, chart, scheme, done, inner=True)
    _enter_signals(made.signals, chart, scheme, done)
    _enter_memory(made.stores, chart, scheme, done)


def _enter_flowing(made: FlowingMaker, scheme: str, done: Finished) -> None:
    """Enter the signals and the memory of a behaviour without a clock: its memory stands still between events."""
    chart = made.chart
    _enter_signals(made.signals(), chart, scheme, done)
    still = nodes.Number(0.0, PLAIN, None, "0.0", chart.span)
    _enter_memory([(name, still, dimension, start) for name, dimension, start in made.stores], chart, scheme, done)


def _enter_signals(
    signals: Iterable[tuple[str, Expression, Dimension, bool]],
    chart: Chart,
    scheme: str,
    done: Finished,
    *,
    inner: bool = False,
) -> None:
    for name, value, dimension, truth in signals:
        done.signals[name] = Signal(
            name=name, scheme=scheme, value=value, dimension=dimension, truth=truth, inner=inner, span=chart.span
        )


def _enter_memory(
    stores: Sequence[tuple[str, Expression, Dimension, float]], chart: Chart, scheme: str, done: Finished
) -> None:
    for name, following, dimension, start in stores:
        done.stores[name] = Store(
            name=name,
            scheme=scheme,
            dimension=dimension,
            start=start,
            following=following,
            chart=chart.name,
            span=chart.span,
        )


def _asked(root: Node) -> Iterator[str]:
    """All names with a point in the expressions of a file."""
    for node in root.walk():
        values: list[Expression] = [each for given in node.open for each in given.values]
        for attribute in node.attributes.values():
            items = attribute.value if isinstance(attribute.value, tuple) else (attribute.value,)
            values += [item for item in items if not isinstance(item, str | int | bool)]
        for value in values:
            yield from (name for part in walk_expression(value) if (name := dotted_name(part)) and "." in name)
