"""Reads a behaviour: its states, and every expression in it, checked like any other of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.markup import Expression, Node, OpenAttribute
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker, Typed, constant
from sistel.model._names import Names
from sistel.model.charts._chart import Action, Chart, Datum, External, Go, State
from sistel.model.charts._written import Targets, Tree, raised_names, written_tree
from sistel.units import PLAIN, TIME, Dimension, dimension_name

MOST_STATES, MOST_GOES = 120, 240
"""Of a behaviour: each passage meets each state at each step of a tick."""

Own = Mapping[str, tuple[str, Dimension | None]]


class ChartReader:
    """Reads one behaviour."""

    def __init__(
        self,
        part: MountedFile,
        node: Node,
        name: str,
        names: Names,
        diagnostics: Diagnostics,
        comes: Callable[[str], bool],
    ) -> None:
        """Know the names of its states, data and outputs.

        Args:
            part: Its file.
            node: The element.
            name: Of the behaviour, in full.
            names: Of the system.
            diagnostics: Takes what is wrong.
            comes: Whether a name means a number from outside: a button is 1 while it is pressed.
        """
        self.comes = comes
        self.part, self.node, self.name, self.names, self.diagnostics = part, node, name, names, diagnostics
        self.tree: Tree = written_tree(node)
        self.targets = Targets(self.tree, diagnostics)
        self.flowing = False
        self.data: dict[str, Datum] = {}
        self.outputs: dict[str, OpenAttribute] = {}
        for written in self.tree.states:
            for given in written.node.open:
                self.outputs.setdefault(output_name(given), given)

    def declared(self) -> Iterator[tuple[str, Span]]:
        """The names of the signals that it makes, without its own, and where they are given."""
        for written in self.tree.states[1:]:
            if written.node.key != "history":
                yield written.name, written.node.at("name")
        for child in self.node.of("data"):
            own = child.text("name")
            if own is not None:
                yield own, child.at("name")
        for output, given in self.outputs.items():
            yield output, given.name_span

    @property
    def parallel(self) -> bool:
        """Whether several states without states inside may be active."""
        return any(written.node.key == "parallel" for written in self.tree.states)

    # --- data --------------------------------------------------------------------------------------------------------

    def read_data(self) -> None:
        """Read what it remembers; dimensions are those of first values."""
        for node in self.node.of("data"):
            own = node.text("name")
            if own is None:
                continue
            found: tuple[float, Dimension, bool] | None = None
            attribute = node.attributes.get("start")
            if attribute is None:
                found = None if "start" in node.failed else (0.0, PLAIN, True)
            elif isinstance(attribute.value, tuple) and not isinstance(attribute.value[0], str):
                found = constant(attribute.value[0], self.part.scope, self.diagnostics)
            if found is None:
                continue
            if self.part.scope.parameters.get(own) is not None or self._taken(own):
                self._same_name(own, node.at("name"))
                continue
            self.data.setdefault(own, Datum(name=own, start=found[0], dimension=found[1], span=node.span))

    def _taken(self, own: str) -> bool:
        return self.names.find(("signal",), own, self.part.scope) is not None

    def _same_name(self, own: str, span: Span) -> None:
        self.diagnostics.error(
            "same-name",
            span,
            Text(
                f'the name "{own}" is taken by a signal or a parameter',
                f"имя «{own}» уже занято сигналом или параметром",
            ),
            hint=Text("give each its own name", "дайте каждому своё имя"),
        )

    # --- the whole ---------------------------------------------------------------------------------------------------

    def own(self, settled: bool) -> Own:
        """What its expressions call by names of its own; `settled` for outputs, which follow the steps of a tick."""
        made: dict[str, tuple[str, Dimension | None]] = {}
        short = self.name[len(self.part.scope.prefix) :]
        for written in self.tree.states[1:]:
            if written.node.key != "history":
                made[f"{short}.{written.name}"] = f"{self.name}.{written.name}", None
                made[f"{short}.{written.name}.time"] = f"{self.name}.{written.name}.time", TIME
        for datum in self.data.values():
            full = f"{self.name}.{datum.name}" if settled else datum.name
            made[datum.name] = made[f"{short}.{datum.name}"] = full, datum.dimension
        return made

    def skeleton(self) -> Chart:
        """The behaviour as far as its states go: no conditions, nothing that is done."""
        states = [
            State(
                key=written.node.key,  # type: ignore[arg-type]
                name=written.name,
                parent=written.parent,
                children=tuple(written.children),
                histories=tuple(written.histories),
                start=(),
                deep=False,
                gives=(),
                entry=(),
                exit=(),
                goes=(),
                span=written.node.span,
            )
            for written in self.tree.states
        ]
        return Chart(
            name=self.name,
            states=tuple(states),
            data=tuple(self.data.values()),
            externals=(),
            outputs=tuple(self.outputs),
            span=self.node.span,
        )

    def read(self, flowing: bool) -> Chart | None:
        """The behaviour without its outputs; None after an error.

        Args:
            flowing: Whether its scheme has no clock: then passages may wait for a quantity to pass a value.
        """
        self.flowing = flowing
        before = self._errors()
        checker = Checker(self.part.scope, self.diagnostics, self.names, own=self.own(False))
        if "file" in self.tree.states[0].node.failed:
            return None  # that has been told
        if len(self.tree.states) < 2:
            self.diagnostics.error(
                "no-states",
                self.node.span,
                Text("a behaviour without states", "поведение без состояний"),
                expected=Text('<state name="…">', '<состояние имя="…">'),
            )
        externals: dict[str, External] = {}
        goes = sum(node.key == "go" for node in self.node.walk())
        if len(self.tree.states) > MOST_STATES or goes > MOST_GOES:
            self.diagnostics.error(
                "too-large",
                self.node.span,
                Text(
                    f"a behaviour of {len(self.tree.states) - 1} states and {goes} passages",
                    f"поведение из {len(self.tree.states) - 1} состояний и {goes} переходов",
                ),
                expected=Text(f"at most {MOST_STATES} and {MOST_GOES}", f"не больше {MOST_STATES} и {MOST_GOES}"),
            )
            return None
        states = [self._state(index, checker, externals) for index in range(len(self.tree.states))]
        if self._errors() > before:
            return None
        return Chart(
            name=self.name,
            states=tuple(states),
            data=tuple(self.data.values()),
            externals=tuple(externals.values()),
            outputs=tuple(self.outputs),
            span=self.node.span,
        )

    def _errors(self) -> int:
        return sum(each.severity == "error" for each in self.diagnostics)

    def _state(self, index: int, checker: Checker, externals: dict[str, External]) -> State:
        written = self.tree.states[index]
        node = written.node
        start = self.targets.history(index) if node.key == "history" else self.targets.start(index)
        if node.key == "parallel" and not written.children:
            self.diagnostics.error(
                "no-states",
                node.span,
                Text("a parallel state without states inside", "параллельное состояние без состояний внутри"),
            )
        return State(
            key=node.key,  # type: ignore[arg-type]
            name=written.name,
            parent=written.parent,
            children=tuple(written.children),
            histories=tuple(written.histories),
            start=start or (),
            deep=node.key == "history" and node.get("deep") is True,
            gives=(),
            entry=tuple(self._actions(node, "enter", checker)),
            exit=tuple(self._actions(node, "exit", checker)),
            goes=tuple(self._go(index, child, checker, externals) for child in node.of("go")),
            span=node.span,
        )

    def _go(self, source: int, node: Node, checker: Checker, externals: dict[str, External]) -> Go:
        for word in node.names("event"):
            self._event(word, node, externals)
        if not node.attributes.keys() - {"internal"} and not node.failed and not node.children:
            self.diagnostics.warning(
                "does-nothing",
                node.span,
                Text("this leads nowhere and does nothing", "это никуда не ведёт и ничего не делает"),
            )
        return Go(
            source=source,
            targets=self.targets.named(node, "to") or (),
            events=node.names("event"),
            when=self._truth(node, "when", checker),
            after=self._after(node, checker),
            internal=node.get("internal") is True,
            actions=tuple(action for child in node.children for action in self._action(child, checker)),
            span=node.span,
        )

    def _after(self, node: Node, checker: Checker) -> Expression | None:
        typed = self._typed(node, "after", checker.number)
        if typed is None or typed.dimension is None:
            return None
        if typed.dimension != TIME and not typed.zero:
            self._wrong(node.at("after"), typed.dimension, TIME)
        return typed.expression

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, word: str, node: Node, externals: dict[str, External]) -> None:
        """Know an event: a truth, or what the behaviour raises; an error for what never happens."""
        short = word.removesuffix(".*")
        found = self.names.find(("signal",), short, self.part.scope)
        if found is not None and short not in externals:
            typed = self.names.signal(found[1])
            if typed is None:
                return
            if not typed[1] and not self.comes(found[1]):
                self.diagnostics.error(
                    "not-a-condition",
                    node.at("event"),
                    Text(f'signal "{word}" is a number', f"сигнал «{word}» — число"),
                    expected=Text("a truth, such as d < 1 m", "условие, например d < 1 м"),
                )
                return
            half = nodes.Number(0.5, PLAIN, None, "0.5", node.span)
            truth = nodes.Compare(">", nodes.Name(found[1], node.span), half, node.span)
            externals[short] = External(name=short, truth=truth)
        raised = list(dict.fromkeys(raised_names(self.tree)))
        if found is not None or short == "*" or any(each == short or each.startswith(f"{short}.") for each in raised):
            return
        known = [*raised, *(name for name, kind in self.names.signals.items() if kind is not None and kind[1])]
        self.diagnostics.error(
            "unknown-event",
            node.at("event"),
            Text(f'nothing makes an event "{word}"', f"ничто не вызывает события «{word}»"),
            expected=one_of(known)
            if known
            else Text("the name of a truth, or of <raise>", "имя условия или из <вызвать>"),
            hint=word_hint(word, known),
        )

    # --- actions -----------------------------------------------------------------------------------------------------

    def _actions(self, node: Node, key: str, checker: Checker) -> Iterator[Action]:
        for group in node.of(key):
            for child in group.children:
                yield from self._action(child, checker)

    def _action(self, node: Node, checker: Checker) -> Iterator[Action]:
        when = self._truth(node, "when", checker)
        if node.key == "raise":
            name = node.text("event")
            if name is not None:
                yield Action(key="raise", name=name, when=when, span=node.span)
            return
        given = node.names("data")
        if not given:
            return
        datum = self.data.get(given[0])
        if datum is None:
            known = list(self.data)
            self.diagnostics.error(
                "unknown-name",
                node.at("data"),
                Text(f'the behaviour has no datum "{given[0]}"', f"у поведения нет данного «{given[0]}»"),
                expected=one_of(known) if known else None,
                hint=word_hint(given[0], known)
                or Text(f'declare it: <data name="{given[0]}"/>', f'объявите его: <данное имя="{given[0]}"/>'),
            )
            return
        typed = self._typed(node, "value", checker.number)
        if typed is None or typed.dimension is None:
            return
        if not typed.zero and not typed.dimension.fits(datum.dimension):
            self._wrong(node.at("value"), typed.dimension, datum.dimension)
            return
        yield Action(key="assign", name=datum.name, value=typed.expression, when=when, span=node.span)

    # --- expressions -------------------------------------------------------------------------------------------------

    def _typed(self, node: Node, key: str, check: Callable[[Expression], Typed | None]) -> Typed | None:
        attribute = node.attributes.get(key)
        if attribute is None:
            return None
        assert isinstance(attribute.value, tuple)
        found = [each for each in attribute.value if not isinstance(each, str)]
        if len(found) != 1:
            self.diagnostics.error(
                "wrong-count",
                attribute.span,
                Text(f"{len(found)} expressions where 1 is needed", f"выражений: {len(found)}, а нужно: 1"),
            )
            return None
        return check(found[0])

    def _truth(self, node: Node, key: str, checker: Checker) -> Expression | None:
        typed = self._typed(node, key, checker.truth)
        if typed is None:
            return None
        watched = self.flowing and node.key == "go" and "event" not in node.attributes
        for part in nodes.walk(typed.expression):
            if isinstance(part, nodes.Crossing) and not watched:
                self.diagnostics.error(
                    "no-clock",
                    part.span,
                    Text("at an event this is no instant of its own", "у события это не свой отдельный миг")
                    if self.flowing
                    else Text("between ticks nothing is watched", "между тактами ничего не отслеживается"),
                    expected=Text(
                        "a comparison; event= for a truth that begins to hold", "сравнение; событие= для начала условия"
                    ),
                )
        return typed.expression

    def _wrong(self, span: Span, found: Dimension, wanted: Dimension) -> None:
        self.diagnostics.error(
            "wrong-dimension",
            span,
            Text(f"this is {dimension_name(found)}", f"это {dimension_name(found, 'ru')}"),
            expected=Text(dimension_name(wanted), dimension_name(wanted, "ru")),
        )


def output_name(given: OpenAttribute) -> str:
    """The name of an output, whatever its ending means elsewhere."""
    return f"{given.name}.rate" if given.rate else given.name
