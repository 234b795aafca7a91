"""What a behaviour does at a tick: steps of SCXML 1.0, one after the other, until nothing more is to be done.

Every step is worked out in names (`Lets`): what is enabled, left and entered, what data and events come of it. A tick
has room for a few steps. Where they do not suffice, the tick is repeated at the same instant from where it stopped, and
nothing else of the scheme goes on before the behaviour has settled; a run refuses one that never settles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sistel.markup import Expression
from sistel.markup import expressions as nodes
from sistel.model.charts._chart import Action, Chart, Go
from sistel.model.charts._lets import Lets, Truth, Value, substituted
from sistel.model.charts._routes import Route, Router
from sistel.records import entry, mutable

EXACT = 2.0**52
"""Up to which whole numbers are exact, with room to spare."""
SOON = 1e-6
"""Part of a period by which `after` may come early, so that rounding does not delay it by a tick."""


@entry
class Beat:
    """How a behaviour knows the time."""

    count: Value
    """Number of the tick; where nothing ticks, the time."""
    period: Value
    """Between two of them [s]."""
    soon: float
    """By how much of a period `after` may come early."""
    forced: nodes.Name | None = None
    """Number of the passage, from 1, whose condition counts as held; None where none does."""


@mutable
class Now:
    """A behaviour in the course of a tick."""

    active: dict[int, Truth]
    data: dict[str, Value]
    since: dict[int, Value]
    """Number of the tick at which a state was entered, of those that are asked for it."""
    remembered: dict[tuple[int, int], Value]
    waiting: dict[str, Truth]
    """Events from outside that are still to come."""
    queue: Value | None = None
    """Numbers of the events that were raised, as digits of one number, the next one last; None where there are none."""
    place: Value | None = None
    """What a digit of the queue is worth before which there is none."""


class Steps:
    """Makes the steps of a chart."""

    def __init__(self, chart: Chart, lets: Lets, beat: Beat, timed: Iterable[int], own: Callable[[str], bool]) -> None:
        """Of a chart.

        Args:
            chart: The behaviour.
            lets: Takes the names.
            beat: How it knows the time.
            timed: States that are asked for how long they have been active.
            own: Whether a name stands for something of this behaviour.
        """
        self.chart, self.lets, self.beat = chart, lets, beat
        self.ticks, self.period = beat.count, beat.period
        self.timed, self.own = tuple(timed), own
        self.inner = self._raised()
        self.base = 1 << len(self.inner).bit_length()
        """Of the digits of the queue: a power of two, so that it is exact."""

    def _raised(self) -> dict[str, int]:
        """Numbers of the events that the chart raises and listens to."""
        chart = self.chart
        heard = {word for go in chart.goes for word in go.events}
        known: dict[str, int] = {}
        for state in chart.states:
            actions = (*state.entry, *state.exit, *(action for go in state.goes for action in go.actions))
            for action in actions:
                if action.key == "raise":
                    known.setdefault(action.name, 0)
        for index, state in enumerate(chart.states):
            if index and any(chart.states[child].key == "final" for child in state.children):
                known.setdefault(f"done.{state.name}", 0)
            if state.key == "parallel":
                known.setdefault(f"done.{state.name}", 0)
        found = [name for name in known if any(chart.matching(word, name) for word in heard)]
        return {name: number for number, name in enumerate(found, 1)}

    # --- expressions of the file -------------------------------------------------------------------------------------

    def value(self, expression: Expression, now: Now, active: dict[int, Truth] | None = None) -> Value:
        """An expression, with states and data as they are now."""
        chosen = now.active if active is None else active

        def find(name: str) -> Expression | None:
            if name in now.data:
                return now.data[name]
            if not self.own(name):
                return None
            own = name[len(self.chart.name) + 1 :]
            for index, state in enumerate(self.chart.states):
                if index and state.name == own:
                    return self.lets.as_number(chosen[index])
                if index and own == f"{state.name}.time":
                    return self.elapsed(index, now)
            return None

        made = substituted(expression, find)
        return made if made is expression else self.lets.let(made)

    def truth(self, expression: Expression | None, now: Now, active: dict[int, Truth] | None = None) -> Truth:
        """A condition, with states and data as they are now."""
        if expression is None:
            return True
        made = self.value(expression, now, active)
        return self.lets.let(made, ("is", id(expression)) if made is expression else None)

    def elapsed(self, index: int, now: Now) -> Value:
        """For how long a state has been active [s]."""
        lets = self.lets
        ticks = lets.let(nodes.Binary("-", self.ticks, now.since[index], lets.span))
        long = lets.let(nodes.Binary("*", ticks, self.period, lets.span))
        return lets.select(now.active[index], long, lets.number(0.0))

    def _late(self, go: Go, now: Now) -> Truth:
        """Whether a state has been active for long enough."""
        if go.after is None:
            return True
        lets = self.lets
        ticks = nodes.Binary("-", self.ticks, now.since[go.source], lets.span)
        soon = nodes.Binary("+", ticks, lets.number(self.beat.soon), lets.span) if self.beat.soon else ticks
        wanted = nodes.Binary("/", self.value(go.after, now), self.period, lets.span)
        return lets.let(nodes.Compare(">=", soon, wanted, lets.span))

    # --- one step ----------------------------------------------------------------------------------------------------

    def begin(self, now: Now, starts: Truth) -> Now:
        """Enter what is active at first, where the behaviour starts."""
        made = Router(self.chart, self.lets, now.remembered).begin()
        entered = {at: self.lets.both(starts, given) for at, given in made.items()}
        return self._enter(now, dict(now.active), entered)

    def step(self, now: Now) -> Now:
        """One step."""
        lets, chart = self.lets, self.chart
        free = {id(go): self._free(number, go, now) for number, go in enumerate(chart.goes, 1)}
        still = lets.any(free[id(go)] for go in chart.goes if not go.events)
        happens, now = self._next_event(now, lets.no(still))
        raw = {
            id(go): lets.both(free[id(go)], lets.any(self._heard(go, happens))) if go.events else free[id(go)]
            for go in chart.goes
        }
        routes = self._kept(raw, now)
        left: dict[int, Truth] = {}
        for index in range(1, len(chart.states)):
            if chart.states[index].key == "history":
                continue
            leaves = [
                holds for route, holds in routes if route.domain is not None and chart.inside(index, route.domain)
            ]
            left[index] = lets.both(now.active[index], lets.any(leaves))
        self._remember(now, left)
        router = Router(chart, lets, now.remembered)
        entered: dict[int, Truth] = {}
        for route, holds in routes:
            for index, given in router.entries(route).items():
                entered[index] = lets.any((entered.get(index, False), lets.both(holds, given)))
        active = self._leave(now, left)
        before = dict(now.active)
        for go, holds in self._in_order(routes, raw, before):
            for action in go.actions:
                self._do(action, holds, now, active)
        return self._enter(now, active, entered)

    def _free(self, number: int, go: Go, now: Now) -> Truth:
        """Whether a passage is possible, whatever event it waits for."""
        lets, forced = self.lets, self.beat.forced
        if forced is not None and not go.events:
            chosen = lets.equal(forced, number)
            if go.when is not None and any(isinstance(part, nodes.Crossing) for part in nodes.walk(go.when)):
                return chosen  # an instant, which its own transition knows
            return lets.any((chosen, lets.both(now.active[go.source], self.truth(go.when, now), self._late(go, now))))
        return lets.both(now.active[go.source], self.truth(go.when, now), self._late(go, now))

    def work(self, now: Now) -> Truth:
        """Whether another step is needed."""
        lets = self.lets
        free = [
            lets.both(now.active[go.source], self.truth(go.when, now), self._late(go, now))
            for go in self.chart.goes
            if not go.events
        ]
        raised = [] if now.queue is None else [lets.no(lets.equal(now.queue, 0)), self._full(now)]
        return lets.any((*free, *raised, *now.waiting.values()))

    def _next_event(self, now: Now, wanted: Truth) -> tuple[dict[str, Truth], Now]:
        """The event of a step: raised ones come first, then those from outside."""
        lets = self.lets
        happens: dict[str, Truth] = {}
        if now.queue is not None and now.place is not None:
            none = lets.equal(now.queue, 0)
            base = lets.number(self.base)
            rest = lets.call("floor", lets.of("/", now.queue, base))
            head = lets.of("-", now.queue, lets.of("*", rest, base))
            for name, number in self.inner.items():
                happens[name] = lets.both(wanted, lets.equal(head, number))
            taken = lets.both(wanted, lets.no(none))
            now.queue = lets.select(taken, rest, now.queue)
            shrinks = lets.both(taken, lets.no(self._full(now)))
            now.place = lets.select(shrinks, lets.of("/", now.place, base), now.place)
            wanted = lets.both(wanted, none)
        for name, waits in now.waiting.items():
            comes = lets.both(wanted, waits)
            happens[name] = lets.any((happens.get(name, False), comes))
            now.waiting[name] = lets.both(waits, lets.no(comes))
            wanted = lets.both(wanted, lets.no(waits))
        return happens, now

    def _full(self, now: Now) -> Truth:
        """Whether another digit of the queue would not be exact."""
        assert isinstance(now.place, nodes.Name)
        limit = self.lets.number(EXACT / self.base)
        return self.lets.let(nodes.Compare(">", now.place, limit, self.lets.span), ("full", now.place.name))

    def _heard(self, go: Go, happens: dict[str, Truth]) -> list[Truth]:
        return [given for name, given in happens.items() if any(self.chart.matching(word, name) for word in go.events)]

    def _in_order(
        self, routes: list[tuple[Route, Truth]], raw: dict[int, Truth], active: dict[int, Truth]
    ) -> list[tuple[Go, Truth]]:
        """Passages that do something, in the order of the innermost states that have chosen them.

        Parts of a parallel state choose one after the other, and the first that finds a passage of a state around them
        decides when it is done.
        """
        lets, chart = self.lets, self.chart
        taken: dict[int, tuple[Go, Truth]] = {}
        for route, holds in routes:
            if route.go.actions:
                _, known = taken.get(id(route.go), (route.go, False))
                taken[id(route.go)] = route.go, lets.any((known, holds))
        made: list[tuple[int, Go, Truth]] = []
        for go, holds in taken.values():
            inside = [leaf for leaf in chart.leaves() if go.source in (leaf, *chart.above(leaf))]
            if not any(chart.states[at].key == "parallel" for at in (go.source, *self._below(go.source))):
                made.append((inside[0], go, holds))
                continue
            earlier: Truth = False
            for leaf in inside:
                path = [leaf, *chart.above(leaf)]
                lower = [each for at in path[: path.index(go.source)] for each in chart.states[at].goes]
                through = lets.both(active[leaf], lets.no(lets.any(raw[id(each)] for each in lower)))
                made.append((leaf, go, lets.both(holds, through, lets.no(earlier))))
                earlier = lets.any((earlier, through))
        return [(go, holds) for _, go, holds in sorted(made, key=lambda item: item[0])]

    def _below(self, at: int) -> list[int]:
        return [each for each in range(len(self.chart.states)) if self.chart.inside(each, at)]

    def _kept(self, raw: dict[int, Truth], now: Now) -> list[tuple[Route, Truth]]:
        """What is taken: the inner before the outer, the earlier before the later, none against another."""
        lets, chart = self.lets, self.chart
        routes: list[tuple[Route, Truth]] = []
        router = Router(chart, lets, now.remembered)

        def visit(at: int) -> Truth:
            """Whether something active inside has found no passage yet; passages of inner states come first."""
            state = chart.states[at]
            waits = lets.any([visit(child) for child in state.children]) if state.children else now.active[at]
            for go in state.goes:
                chosen = lets.both(waits, raw[id(go)])
                for route in router.routes(go):
                    holds = lets.both(chosen, route.condition)
                    beaten = [kept for other, kept in routes if self._against(other, route)]
                    routes.append((route, lets.both(holds, lets.no(lets.any(beaten)))))
                waits = lets.both(waits, lets.no(raw[id(go)]))
            return waits

        visit(0)
        return [(route, holds) for route, holds in routes if holds is not False]

    def _against(self, first: Route, second: Route) -> bool:
        """Whether two passages that may be taken at once leave a state in common."""
        if first.domain is None or second.domain is None or first.go is second.go:
            return False
        chart, (one, two) = self.chart, (first.go.source, second.go.source)
        nested = first.domain == second.domain or chart.inside(first.domain, second.domain)
        if not nested and not chart.inside(second.domain, first.domain):
            return False
        # Only different parts of a parallel state choose for themselves.
        path_one, path_two = (one, *chart.above(one)), (two, *chart.above(two))
        meeting = next(at for at in path_one if at in path_two)
        if chart.states[meeting].key == "parallel" and meeting not in (one, two):
            return True
        lower, upper = (one, two) if chart.inside(one, two) else (two, one)
        between = chart.above(lower)
        if upper not in between:
            return False
        inner = between[: between.index(upper) + 1]
        return any(chart.states[at].key == "parallel" for at in inner)

    def _remember(self, now: Now, left: dict[int, Truth]) -> None:
        """Keep what was active in states that are left, for their histories."""
        chart, lets = self.chart, self.lets
        for (history, at), old in now.remembered.items():
            home = chart.states[history].parent
            state = chart.states[at]
            number: Value = lets.number(0.0)
            if state.key == "parallel":
                number = lets.number(1.0)
            else:
                for place, child in enumerate(state.children, 1):
                    number = lets.select(now.active[child], lets.number(place), number)
            now.remembered[history, at] = lets.select(left[home], number, old)

    def _leave(self, now: Now, left: dict[int, Truth]) -> dict[int, Truth]:
        """Leave states, the inner and later ones first, with what they do then; what stays active."""
        active = dict(now.active)
        for index in sorted(left, reverse=True):
            for action in self.chart.states[index].exit:
                self._do(action, left[index], now, active)
            active[index] = self.lets.both(active[index], self.lets.no(left[index]))
        return active

    def _enter(self, now: Now, active: dict[int, Truth], entered: dict[int, Truth]) -> Now:
        """Enter states, the outer and earlier ones first, with what they do then."""
        lets, chart = self.lets, self.chart
        for index in sorted(entered):
            given = entered[index]
            active[index] = lets.any((active[index], given))
            if index in now.since:
                now.since[index] = lets.select(given, self.ticks, now.since[index])
            state = chart.states[index]
            for action in state.entry:
                self._do(action, given, now, active)
            if state.key == "final" and state.parent > 0:
                self._raise(f"done.{chart.states[state.parent].name}", given, now)
                over = chart.states[state.parent].parent
                if chart.states[over].key == "parallel":
                    self._raise(f"done.{chart.states[over].name}", lets.both(given, self._over(over, active)), now)
        now.active = active
        return now

    def _over(self, at: int, active: dict[int, Truth]) -> Truth:
        """Whether a state has come to its end."""
        state = self.chart.states[at]
        if state.key == "parallel":
            return self.lets.both(*(self._over(child, active) for child in state.children))
        return self.lets.any(active[child] for child in state.children if self.chart.states[child].key == "final")

    def _do(self, action: Action, given: Truth, now: Now, active: dict[int, Truth]) -> None:
        """Do something where a condition holds."""
        given = self.lets.both(given, self.truth(action.when, now, active))
        if given is False:
            return
        if action.key == "raise":
            self._raise(action.name, given, now)
            return
        assert action.value is not None
        value = self.value(action.value, now, active)
        now.data[action.name] = self.lets.select(given, value, now.data[action.name])

    def _raise(self, name: str, given: Truth, now: Now) -> None:
        """Put an event at the end of the queue; one that is full takes no more and never settles, as the run says."""
        lets = self.lets
        if name not in self.inner or given is False or now.queue is None or now.place is None:
            return
        given = lets.both(given, lets.no(self._full(now)))
        digit = lets.of("*", now.place, lets.number(self.inner[name]))
        now.queue = lets.select(given, lets.of("+", now.queue, digit), now.queue)
        now.place = lets.select(given, lets.of("*", now.place, lets.number(self.base)), now.place)


def room(chart: Chart) -> int:
    """How many steps a tick makes."""
    raises = any(each.key == "final" or each.entry or each.exit for each in chart.states)
    return 2 + raises + bool(chart.externals)
