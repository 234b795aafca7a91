"""Where passages lead: which state stays around them, and what is entered, with histories as they stand.

This is the procedure of SCXML 1.0 (appendix D: getTransitionDomain, addDescendantStatesToEnter,
addAncestorStatesToEnter), worked out before anything runs: what is left to a tick are the conditions on histories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from sistel.markup import Expression
from sistel.model.charts._chart import Chart, Go
from sistel.model.charts._lets import Lets, Truth
from sistel.records import entry


@entry
class Route:
    """One way in which a passage may go."""

    go: Go
    condition: Truth
    """On histories."""
    domain: int | None
    """The state that stays around it; what is active inside is left. None where no state changes."""


Remembered = Mapping[tuple[int, int], Expression]
"""By a history and a state around others: the number of the one inside that was active, from 1 on; 0 for none."""


class Router:
    """The routes of a chart at one step."""

    def __init__(self, chart: Chart, lets: Lets, remembered: Remembered) -> None:
        self.chart, self.lets, self.remembered = chart, lets, remembered
        self.entered: dict[int, Truth] = {}

    # --- histories ---------------------------------------------------------------------------------------------------

    def visited(self, history: int) -> Truth:
        """Whether the state around a history has been left before."""
        home = self.chart.states[history].parent
        return self.lets.no(self.lets.equal(self.remembered[history, home], 0))

    def stored(self, history: int) -> Iterator[tuple[int, Truth]]:
        """The states inside that a history leads to, with the conditions for that."""
        chart, lets = self.chart, self.lets
        home = chart.states[history].parent

        def below(at: int, given: Truth) -> Iterator[tuple[int, Truth]]:
            state = chart.states[at]
            for number, child in enumerate(state.children, 1):
                holds = given
                if state.key != "parallel":
                    holds = lets.both(given, lets.equal(self.remembered[history, at], number))
                yield child, holds
                if chart.states[history].deep:
                    yield from below(child, holds)

        yield from below(home, self.visited(history))

    # --- what is entered ---------------------------------------------------------------------------------------------

    def begin(self) -> Mapping[int, Truth]:
        """What is entered at first."""
        self.entered = {}
        self._targets(self.chart.root.start, 0, True)
        return self.entered

    def routes(self, go: Go) -> Iterator[Route]:
        """All ways of a passage: one, unless it leads to a history."""
        chart = self.chart
        if not go.targets:
            yield Route(go, True, None)
            return
        histories = [each for each in go.targets if chart.states[each].key == "history"]
        for seen in _choices(len(histories)):
            condition: Truth = True
            plain: list[int] = [each for each in go.targets if each not in histories]
            old: list[int] = []
            for history, visited in zip(histories, seen, strict=True):
                was = self.visited(history)
                condition = self.lets.both(condition, was if visited else self.lets.no(was))
                if visited:
                    old.append(history)
                else:
                    plain += chart.states[history].start
            for narrowed, domain in self._domains(go, plain, old):
                yield Route(go, self.lets.both(condition, narrowed), domain)

    def entries(self, route: Route) -> Mapping[int, Truth]:
        """What a passage enters, and on which condition; histories are those after what it leaves."""
        self.entered = {}
        if route.domain is None:
            return self.entered
        self._targets(route.go.targets, route.domain, True)
        return {at: given for at, given in self.entered.items() if self.chart.inside(at, route.domain)}

    def _domains(self, go: Go, plain: Sequence[int], old: Sequence[int]) -> Iterator[tuple[Truth, int]]:
        """The states that may stay around a passage; more than one where a deep history around its source decides."""
        chart = self.chart
        around = chart.above(go.source)
        candidates = [at for at in around if chart.compound(at)]
        if go.internal and chart.compound(go.source):
            candidates.insert(0, go.source)
        rest: Truth = True
        for at in candidates:
            if not all(chart.inside(each, at) for each in plain):
                continue
            fits = self.lets.both(*(self._all_inside(each, at) for each in old))
            yield self.lets.both(rest, fits), at
            if fits is True:
                return
            rest = self.lets.both(rest, self.lets.no(fits))

    def _all_inside(self, history: int, at: int) -> Truth:
        """Whether all that a history leads to is inside a state."""
        chart = self.chart
        if chart.inside(history, at):
            return True
        home = chart.states[history].parent
        if not chart.states[history].deep or not chart.inside(at, home):
            return False
        path = [at, *chart.above(at)]
        path = path[: path.index(home) + 1]
        holds: Truth = True
        for inner, outer in pairwise(path):
            if chart.states[outer].key == "parallel":
                return False
            number = chart.states[outer].children.index(inner) + 1
            holds = self.lets.both(holds, self.lets.equal(self.remembered[history, outer], number))
        return holds

    def _add(self, at: int, given: Truth) -> None:
        self.entered[at] = self.lets.any((self.entered.get(at, False), given))

    def _targets(self, targets: Sequence[int], around: int, given: Truth) -> None:
        for each in targets:
            self._down(each, given)
        for each in targets:
            if self.chart.states[each].key == "history":
                # What a history leads to is inside the state that it belongs to.
                self._add_above(self.chart.states[each].parent, around, given)
            else:
                self._up(each, around, given)

    def _add_above(self, home: int, around: int, given: Truth) -> None:
        if home != around and not self.chart.inside(around, home):
            self._add(home, given)
            self._others(home, given)
            self._up(home, around, given)

    def _down(self, at: int, given: Truth) -> None:
        """Enter a state and what is active in it at first."""
        chart, state = self.chart, self.chart.states[at]
        if state.key == "history":
            visited = self.visited(at)
            for child, holds in self.stored(at):
                holds = self.lets.both(given, holds)
                self._add(child, holds)
                if not state.deep:
                    self._down(child, holds)
            first = self.lets.both(given, self.lets.no(visited))
            if first is not False:
                self._targets(state.start, state.parent, first)
            return
        self._add(at, given)
        if state.key == "parallel":
            self._others(at, given)
        elif chart.compound(at):
            self._targets(state.start, at, given)

    def _up(self, at: int, around: int, given: Truth) -> None:
        """Enter the states around one, up to the one that stays."""
        for each in self.chart.above(at):
            if each == around:
                return
            self._add(each, given)
            self._others(each, given)

    def _others(self, at: int, given: Truth) -> None:
        """Enter the other states of a parallel one."""
        if self.chart.states[at].key != "parallel":
            return
        for child in self.chart.states[at].children:
            covered = (holds for each, holds in self.entered.items() if self.chart.inside(each, child))
            missing = self.lets.both(given, self.lets.no(self.lets.any(covered)))
            if missing is not False:
                self._down(child, missing)


def _choices(count: int) -> Iterator[tuple[bool, ...]]:
    """All answers to so many questions."""
    if not count:
        yield ()
        return
    for rest in _choices(count - 1):
        yield (*rest, False)
        yield (*rest, True)
