"""What controls a system: schemes of signals and blocks, their clocks, and what they command.

A scheme without a clock flows with the motion: its signals are formulas of the state, and what its blocks remember has
rates. A scheme with a clock computes at its ticks alone, and its signals are held until the next.
"""

from __future__ import annotations

from typing import Literal

from sistel.errors import Span
from sistel.expr import Routine
from sistel.markup import Expression
from sistel.model._elements import Formula
from sistel.model.charts._chart import Chart
from sistel.pose import Vector3
from sistel.records import record
from sistel.units import Dimension


def tick_name(scheme: str) -> str:
    """What the number of ticks of a scheme is called: no name of a file has brackets."""
    return f"tick({scheme})"


def seed_name(scheme: str) -> str:
    """What the seed of the noise in a scheme is called."""
    return f"seed({scheme})"


@record
class Clock:
    """Ticks at (first + k · step) / parts seconds, k = 0, 1, 2 …: whole numbers, so that nothing adds up."""

    first: int
    step: int
    parts: int
    """Of a second."""
    latency: int = 0
    """How much later than a tick its results act, in the same parts."""

    @property
    def period(self) -> float:
        """Time between two ticks [s]."""
        return self.step / self.parts

    def time(self, tick: int) -> float:
        """When a tick is [s]: correctly rounded."""
        return (self.first + tick * self.step) / self.parts


@record
class Signal:
    """A named value of a scheme."""

    name: str
    scheme: str
    value: Expression
    """Of the state, the time, parameters, other signals and what blocks remember, in SI; a truth is 1 or 0."""
    dimension: Dimension
    truth: bool
    """Whether it is a condition."""
    inner: bool = False
    """Whether it belongs to the law of a block: it is computed on the way to others at a tick, and not held."""
    span: Span


@record
class Jump:
    """An instant at which what a block remembers takes another value."""

    condition: Expression
    value: Expression


@record
class Store:
    """A number that a block remembers."""

    name: str
    scheme: str
    dimension: Dimension
    start: float
    """[SI]"""
    following: Expression
    """Its value after a tick; in a scheme without a clock, its rate."""
    jumps: tuple[Jump, ...] = ()
    """Of a scheme without a clock."""
    chart: str = ""
    """The behaviour that remembers it; empty for a block."""
    span: Span


@record
class Input:
    """A number that comes from outside: from a console or from a program."""

    name: str
    scheme: str
    dimension: Dimension
    start: float
    """[SI]"""
    minimum: float | None = None
    maximum: float | None = None
    face: str = ""
    """What an operator touches: the key of its kind; empty for a plain number."""
    positions: tuple[float, ...] = ()
    """Of a rotary switch."""
    span: Span

    @property
    def truth(self) -> bool:
        """Whether it is a condition, 1 or 0."""
        return self.face in ("button", "latching", "toggle")

    def takes(self, value: float) -> bool:
        """Whether an operator can give it a value."""
        if self.truth or self.positions:
            return value in (self.positions or (0.0, 1.0))
        low, high = self.minimum, self.maximum
        return (low is None or low <= value) and (high is None or value <= high)


@record
class Display:
    """How a signal is shown on the operator's console."""

    name: str
    """Of the signal."""
    kind: str
    """lamp, dial or indicator"""
    minimum: float | None = None
    """Where the scale begins [SI]."""
    maximum: float | None = None
    colour: str | None = None
    digits: int | None = None
    """Behind the point."""
    span: Span


@record
class DrawnAt:
    """Where a block is drawn."""

    name: str
    """Of a block, or of a motor."""
    column: int
    row: float


def brake_name(motor: str) -> str:
    """What the brake of a motor is called."""
    return f"brake({motor})"


@record
class Command:
    """What a scheme asks of a motor."""

    motor: str
    kind: Literal["force", "voltage", "current", "speed", "position", "brake"]
    value: Formula
    """[N or N·m, V, A, m/s or rad/s, m or rad]; of a brake a condition, or the part of its force."""
    span: Span
    condition: bool = False
    """Whether the value is a condition: that a brake is on."""

    @property
    def label(self) -> str:
        """The motor, or its brake."""
        return brake_name(self.motor) if self.kind == "brake" else self.motor


@record
class Rays:
    """The rays of a sensor, fixed in a body, and what they may meet."""

    routine: Routine
    """Distances from the poses of the sensor's body and of those with shapes: see `_rays`."""
    body: int
    ways: tuple[tuple[Vector3, Vector3], ...]
    """Origin and direction of each, in the frame of the body [m]."""
    bodies: tuple[int, ...]
    """Those with shapes."""


@record
class Sensor:
    """What a scheme measures, before anything is added to it."""

    name: str
    scheme: str
    kind: str
    of: str
    """The place, coordinate, joint or link; empty where it has rays alone."""
    carrier: str = ""
    """What it is said to sit on, where `of` is a point of that."""
    rays: tuple[str, ...]
    """Frames along whose x rays go."""
    against: tuple[str, ...]
    """Shapes that rays see; none for all that are not on the same body."""
    angles: tuple[float, float]
    """Of the first and the last ray of a lidar [rad]."""
    form: str
    """How an orientation is given."""
    field: tuple[float, float, float]
    """The magnetic field in W."""
    count: int
    """Of the numbers that it gives."""
    reach: float = 1e9
    """How far rays are drawn that meet nothing [m]."""
    meets: Rays | None = None
    """Of a sensor with rays, once shapes are known."""
    span: Span


@record
class Item:
    """A signal, block or input as the file has it, for pictures and for writing it back."""

    key: str
    """Of the element."""
    name: str
    kind: str
    """Of a block; else empty."""
    given: tuple[tuple[str, tuple[Expression, ...]], ...]
    """Attributes, by their keys."""
    words: tuple[tuple[str, str], ...] = ()
    """Attributes that are texts."""
    inside: tuple[Item, ...] = ()
    """What stands inside a block."""
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes that name things; of a use, ports to which names are joined."""
    flags: tuple[tuple[str, bool], ...] = ()
    """Attributes that are yes or no."""
    outputs: tuple[tuple[str, tuple[Expression, ...]], ...] = ()
    """Of a behaviour or a state, by their names."""
    span: Span


@record
class SubScheme:
    """A scheme with ports as the file has it, for writing it back: those that use it have its signals as their own."""

    name: str
    ports: tuple[str, ...]
    items: tuple[Item, ...]
    span: Span


@record
class Settling:
    """How a tick knows whether a behaviour is done with it."""

    chart: str
    """The behaviour."""
    settled: str
    """The inner signal that tells it."""
    trail: tuple[tuple[tuple[str, str], ...], ...]
    """For every step of the tick: states that may be active after it, and the inner signals that tell whether they
    are."""


@record
class Move:
    """An instant at which a behaviour of a scheme without a clock goes on by one step."""

    name: str
    """As events call it."""
    chart: str
    condition: Expression
    lets: tuple[tuple[str, Expression], ...]
    """Names that are computed on the way, in their order."""
    updates: tuple[tuple[str, Expression], ...]
    """What is remembered afterwards, by its names."""
    quiet: bool = False
    """Whether it is no event for people: a condition that ceases to hold."""
    span: Span


@record
class Scheme:
    """A functional scheme."""

    name: str
    clock: Clock | None
    """None where it flows with the motion."""
    signals: tuple[Signal, ...]
    """In the order in which they are computed."""
    stores: tuple[Store, ...]
    inputs: tuple[Input, ...]
    commands: tuple[Command, ...]
    items: tuple[Item, ...]
    """Its signals, blocks and inputs as they are written."""
    vectors: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of vectors, and those of their components."""
    displays: tuple[Display, ...] = ()
    places: tuple[DrawnAt, ...] = ()
    """Where blocks are drawn, of those whose places the file gives."""
    sensors: tuple[Sensor, ...] = ()
    seed: float = 0.0
    """Of the noise of its sensors."""
    asks: bool = False
    """Whether a program gives its inputs at every tick."""
    behaviours: tuple[Chart, ...] = ()
    settles: tuple[Settling, ...] = ()
    """Behaviours that may need a tick again."""
    moves: tuple[Move, ...] = ()
    """What behaviours do at instants of their own, in a scheme without a clock."""

    @property
    def held(self) -> tuple[Signal, ...]:
        """The signals that have names in the file."""
        return tuple(each for each in self.signals if not each.inner)

    @property
    def own_behaviours(self) -> tuple[Chart, ...]:
        """Those that are written in it; those of sub-schemes that it uses are not."""
        uses = tuple(f"{item.name}." for item in self.items if item.key == "use")
        return tuple(chart for chart in self.behaviours if not chart.name.startswith(uses))

    @property
    def named(self) -> tuple[Signal | Input, ...]:
        """What comes from outside, then the signals that have names in the file."""
        return (*self.inputs, *self.held)

    @property
    def dimensions(self) -> dict[str, Dimension]:
        """Of signals, of what comes from outside and of what blocks remember, by names."""
        made = {each.name: each.dimension for each in self.signals}
        made |= {each.name: each.dimension for each in self.inputs}
        return made | {each.name: each.dimension for each in self.stores}

    span: Span
