"""The outputs of a behaviour: in every state the value that the innermost active one gives."""

from __future__ import annotations

from sistel.errors import Span, Text
from sistel.markup import Expression, OpenAttribute
from sistel.markup import expressions as nodes
from sistel.model._check import Checker, Typed
from sistel.model.charts._chart import Chart
from sistel.model.charts._read import ChartReader, output_name
from sistel.units import PLAIN, dimension_name


class OutputReader:
    """Reads the outputs of one behaviour."""

    def __init__(self, chart: Chart, reader: ChartReader, checker: Checker) -> None:
        self.chart, self.reader, self.checker = chart, reader, checker
        self.given: dict[int, list[tuple[str, Expression]]] = {}
        """What states give, by their numbers."""

    def value(self, name: str) -> Typed | None:
        """The value of an output; None after an error."""
        found: dict[int, Typed] = {}
        fine = True
        for index, written in enumerate(self.reader.tree.states):
            for attribute in written.node.open:
                if output_name(attribute) == name:
                    typed = self._one(attribute)
                    fine = fine and typed is not None
                    if typed is not None:
                        found[index] = typed
                        self.given.setdefault(index, []).append((name, typed.expression))
        if not fine or not self._complete(name, 0, False, found) or not self._single(name, found):
            return None
        truths = {typed.dimension is None for typed in found.values()}
        if len(truths) > 1:
            self.checker.diagnostics.error(
                "mixed-output",
                self.reader.outputs[name].name_span,
                Text(f'"{name}" is a number in one state and a truth in another', f"«{name}» — то число, то условие"),
            )
            return None
        # The expressions have been resolved; what joins them is checked for dimensions alone.
        return self._joined(0, None, found, truths == {True})

    def _one(self, attribute: OpenAttribute) -> Typed | None:
        if len(attribute.values) != 1:
            self.checker.diagnostics.error(
                "wrong-count",
                attribute.span,
                Text(
                    f"{len(attribute.values)} expressions where 1 is needed",
                    f"выражений: {len(attribute.values)}, а нужно: 1",
                ),
            )
            return None
        return self.checker.check(attribute.values[0])

    def _complete(self, name: str, at: int, given: bool, found: dict[int, Typed]) -> bool:
        """Whether an output has a value whatever is active; an error where not."""
        if given or at in found:
            return True
        children = self.chart.states[at].children
        inside = [child for child in children if self._gives(child, found)]
        if self.chart.states[at].key == "parallel" and inside:
            return self._complete(name, inside[0], given, found)
        fine = bool(children)
        for child in children:
            fine = self._complete(name, child, given, found) and fine
        if not children:
            state = self.chart.states[at]
            given_at = self.reader.outputs[name].name_span
            self.checker.diagnostics.error(
                "no-output",
                state.span,
                Text(f'state "{state.name}" gives no "{name}"', f"состояние «{state.name}» не задаёт «{name}»"),
                related=[(given_at, Text("it is given here", "он задан здесь"))],
                hint=Text(
                    f'give it here, or for all states at the behaviour: {name}="…"',
                    f'задайте его здесь или для всех состояний у поведения: {name}="…"',
                ),
            )
        return fine

    def _gives(self, at: int, found: dict[int, Typed]) -> bool:
        return at in found or any(self.chart.inside(each, at) for each in found)

    def _single(self, name: str, found: dict[int, Typed]) -> bool:
        """Whether no two parallel states give an output; an error where they do."""
        for state in self.chart.states:
            if state.key != "parallel":
                continue
            inside = [child for child in state.children if self._gives(child, found)]
            if len(inside) > 1:
                names = [self.chart.states[child].name for child in inside]
                self.checker.diagnostics.error(
                    "two-outputs",
                    self._place(inside[1], found, name),
                    Text(
                        f'"{names[0]}" and "{names[1]}" are active together, and both give "{name}"',
                        f"«{names[0]}» и «{names[1]}» активны вместе, и оба задают «{name}»",
                    ),
                )
                return False
        return True

    def _place(self, at: int, found: dict[int, Typed], name: str) -> Span:
        index = next(each for each in found if each == at or self.chart.inside(each, at))
        given = self.reader.tree.states[index].node.open
        return next(each.name_span for each in given if output_name(each) == name)

    def _joined(self, at: int, around: Typed | None, found: dict[int, Typed], truths: bool) -> Typed | None:
        """The value while a state is active; `around` is what the states around it give."""
        own = found.get(at, around)
        inside = [child for child in self.chart.states[at].children if self._gives(child, found)]
        if not inside:
            return own
        if self.chart.states[at].key == "parallel":
            return self._joined(inside[0], own, found, truths)
        made = own if len(inside) < len(self.chart.states[at].children) else None
        for child in reversed(inside):
            value = self._joined(child, own, found, truths)
            if value is None:
                return None
            made = value if made is None else self._choice(child, value, made, truths)
            if made is None:
                return None
        return made

    def _choice(self, child: int, value: Typed, other: Typed, truths: bool) -> Typed | None:
        span = self.chart.states[child].span
        half = nodes.Number(0.5, PLAIN, None, "0.5", span)
        active = nodes.Compare(">", nodes.Name(self.chart.full(child), span), half, span)
        if truths:
            yes = nodes.Logic("and", (active, value.expression), span)
            no = nodes.Logic("and", (nodes.Not(active, span), other.expression), span)
            return Typed(nodes.Logic("or", (yes, no), span), None, state=True)
        assert value.dimension is not None and other.dimension is not None
        fits = value.zero or other.zero or value.dimension.fits(other.dimension)
        if not fits:
            self.checker.diagnostics.error(
                "wrong-dimension",
                value.expression.span,
                Text(
                    f"this is {dimension_name(value.dimension)}, in another state {dimension_name(other.dimension)}",
                    f"это {dimension_name(value.dimension, 'ru')}, а в другом состоянии — "
                    f"{dimension_name(other.dimension, 'ru')}",
                ),
                related=[(other.expression.span, Text("it is given here", "он задан здесь"))],
            )
            return None
        made = nodes.Call("select", (active, value.expression, other.expression), span, span)
        dimension = other.dimension if value.zero else value.dimension
        return Typed(made, dimension, zero=value.zero and other.zero, state=True)
