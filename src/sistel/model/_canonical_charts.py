"""Behaviours in the canonical document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sistel.markup import Expression, Node, OpenAttribute, make_node
from sistel.model._formulas import si_number
from sistel.model.charts import Action, Chart, Go

Written = Callable[[Expression], Expression]


def chart_node(chart: Chart, written: Written) -> Node:
    """A behaviour; `written` puts an expression as a file has it."""
    made: list[Node] = []
    for index, state in enumerate(chart.states):
        values: dict[str, object] = {"name": state.name if index else chart.name}
        if state.key == "history":
            values |= {"deep": True if state.deep else None, "to": _names(chart, state.start)}
        elif chart.compound(index):
            values["start"] = _names(chart, state.start)
        node = make_node(state.key, state.span, **values)  # type: ignore[arg-type]
        node.open += [
            OpenAttribute(name, False, (written(value),), state.span, state.span) for name, value in state.gives
        ]
        if index == 0:
            node.children += [
                make_node(
                    "data", datum.span, name=datum.name, start=(si_number(datum.start, datum.dimension, datum.span),)
                )
                for datum in chart.data
            ]
        for key, actions in (("enter", state.entry), ("exit", state.exit)):
            if actions:
                node.children.append(make_node(key, state.span, *_actions(actions, written)))
        node.children += [_go(chart, go, written) for go in state.goes]
        if index:
            made[state.parent].children.append(node)
        made.append(node)
    return made[0]


def _names(chart: Chart, indices: Iterable[int]) -> tuple[str, ...]:
    return tuple(chart.states[index].name for index in indices)


def _go(chart: Chart, go: Go, written: Written) -> Node:
    return make_node(
        "go",
        go.span,
        *_actions(go.actions, written),
        to=_names(chart, go.targets) or None,
        when=None if go.when is None else (written(go.when),),
        event=go.events or None,
        after=None if go.after is None else (written(go.after),),
        internal=True if go.internal else None,
    )


def _actions(actions: Iterable[Action], written: Written) -> Iterator[Node]:
    for action in actions:
        when = None if action.when is None else (written(action.when),)
        if action.key == "raise":
            yield make_node("raise", action.span, event=action.name, when=when)
        else:
            assert action.value is not None
            yield make_node("assign", action.span, data=(action.name,), value=(written(action.value),), when=when)
