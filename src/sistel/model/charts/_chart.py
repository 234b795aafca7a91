"""What a behaviour is: states in the order of the file, what leads from one to another, and what is done on the way."""

from __future__ import annotations

from typing import Literal

from sistel.errors import Span
from sistel.markup import Expression
from sistel.records import record
from sistel.units import Dimension

StateKind = Literal["behaviour", "state", "parallel", "final", "history"]


@record
class Action:
    """What is done: a datum gets a value, or an event is raised."""

    key: Literal["assign", "raise"]
    name: str
    """Of the datum or the event."""
    value: Expression | None = None
    when: Expression | None = None
    span: Span


@record
class Go:
    """A passage; see `<go>`."""

    source: int
    targets: tuple[int, ...]
    """Empty where no state changes."""
    events: tuple[str, ...]
    """Empty where none is needed."""
    when: Expression | None
    after: Expression | None
    """[s]"""
    internal: bool
    actions: tuple[Action, ...]
    span: Span


@record
class State:
    """A state, a history, or the behaviour itself, which is the state around all others."""

    key: StateKind
    name: str
    """Without that of the behaviour; empty for the behaviour itself."""
    parent: int
    """-1 for the behaviour."""
    children: tuple[int, ...]
    """States inside, histories apart."""
    histories: tuple[int, ...]
    start: tuple[int, ...]
    """Of a state with states inside; of a history, where it leads the first time."""
    deep: bool
    gives: tuple[tuple[str, Expression], ...]
    """Outputs, by their names."""
    entry: tuple[Action, ...]
    exit: tuple[Action, ...]
    goes: tuple[Go, ...]
    span: Span


@record
class Datum:
    """A number that a behaviour remembers."""

    name: str
    start: float
    """[SI]"""
    dimension: Dimension
    span: Span


@record
class External:
    """An event from outside: a truth that begins to hold."""

    name: str
    """As `event` says it."""
    truth: Expression


@record
class Chart:
    """A behaviour."""

    name: str
    """In full."""
    states: tuple[State, ...]
    """In the order of the file; the first is the behaviour itself."""
    data: tuple[Datum, ...]
    externals: tuple[External, ...]
    outputs: tuple[str, ...]
    span: Span

    @property
    def goes(self) -> tuple[Go, ...]:
        """All passages, in the order of the file."""
        return tuple(go for state in self.states for go in state.goes)

    @property
    def root(self) -> State:
        """The behaviour itself."""
        return self.states[0]

    def full(self, index: int) -> str:
        """What the truth of a state is called."""
        return f"{self.name}.{self.states[index].name}"

    def above(self, index: int) -> tuple[int, ...]:
        """The states around a state, the nearest first."""
        made, at = [], self.states[index].parent
        while at >= 0:
            made.append(at)
            at = self.states[at].parent
        return tuple(made)

    def inside(self, index: int, other: int) -> bool:
        """Whether a state lies within another one."""
        return other in self.above(index)

    def compound(self, index: int) -> bool:
        """Whether it has states inside of which one is active."""
        return self.states[index].key in ("behaviour", "state") and bool(self.states[index].children)

    def leaves(self) -> tuple[int, ...]:
        """States without states inside."""
        return tuple(i for i, state in enumerate(self.states) if not state.children and state.key != "history")

    def matching(self, descriptor: str, event: str) -> bool:
        """Whether a name in `event` means an event: itself, or what begins with it and a point; * means any."""
        short = descriptor.removesuffix(".*")
        return short == "*" or event == short or event.startswith(f"{short}.")
