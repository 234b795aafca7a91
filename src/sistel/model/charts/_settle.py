"""What can be said of a behaviour before it runs: loops that never end, and states that nothing leads to."""

from __future__ import annotations

from sistel.errors import Diagnostics, Text
from sistel.model.charts._chart import Chart, Go


def check_ends(chart: Chart, diagnostics: Diagnostics) -> None:
    """Refuse passages without conditions that follow each other in a circle: a tick would never end."""
    if any(state.key in ("parallel", "history") for state in chart.states):
        return  # what follows is not one state; a run says where it does not settle
    after: dict[int, tuple[Go, int]] = {}
    for leaf in chart.leaves():
        go = _certain(chart, leaf)
        if go is not None and go.targets:
            after[leaf] = go, _begins(chart, go.targets[0])
    for first in after:
        path, at = [first], after[first][1]
        while at in after and at not in path:
            path.append(at)
            at = after[at][1]
        if at == first:
            shown = " → ".join(chart.states[each].name for each in (*path, first))
            diagnostics.error(
                "endless",
                after[first][0].span,
                Text(f"these states follow each other without end: {shown}", f"состояния сменяются без конца: {shown}"),
                expected=Text(
                    "a condition, an event or a time: when=, event=, after=",
                    "условие, событие или время: когда=, событие=, через=",
                ),
            )
            return


def _certain(chart: Chart, leaf: int) -> Go | None:
    """The passage that is always taken from a state, if there is one."""
    for at in (leaf, *chart.above(leaf)):
        for go in chart.states[at].goes:
            if go.events:
                continue
            return go if go.when is None and go.after is None else None
    return None


def _begins(chart: Chart, at: int) -> int:
    """The state without states inside that is active when a state is entered."""
    while chart.states[at].children:
        at = chart.states[at].start[0]
    return at


def check_reached(chart: Chart, diagnostics: Diagnostics) -> None:
    """Warn of states that nothing leads to."""
    reached: set[int] = set()
    waiting = list(chart.root.start)
    while waiting:
        at = waiting.pop()
        if at in reached:
            continue
        reached.add(at)
        state = chart.states[at]
        waiting += state.start
        waiting += [each for each in chart.above(at) if each]
        if state.key == "parallel":
            waiting += state.children
        if state.key != "history":
            waiting += [target for go in state.goes for target in go.targets]
    for index, state in enumerate(chart.states):
        if index and index not in reached and state.key != "history":
            diagnostics.warning(
                "unreachable-state",
                state.span,
                Text(f'nothing leads to state "{state.name}"', f"ничто не ведёт в состояние «{state.name}»"),
            )
