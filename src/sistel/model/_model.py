"""The model: a system of bodies with its structures, as frozen data, in SI, validated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sistel.errors import Diagnostic, Span, Text
from sistel.kept import cached_property
from sistel.markup import Expression
from sistel.model._contact_elements import Blade, Contact, Track
from sistel.model._control import Scheme, Sensor, Signal, SubScheme
from sistel.model._elements import (
    Body,
    Closure,
    Coupling,
    Drive,
    Force,
    Formula,
    Frame,
    Lock,
    Motion,
    Motor,
    Parameter,
    Point,
    Shape,
    Spring,
    Stop,
)
from sistel.model.joints import CoordinateKind, JointType
from sistel.pose import IDENTITY, Rotation, Vector3
from sistel.records import record
from sistel.shown import NotebookShown

if TYPE_CHECKING:
    from sistel.expr import Scalar
    from sistel.model._letters import Lettered
    from sistel.model._recipe import Recipe


@record
class Change:
    """Another type for the joint of a body, at a point of the body."""

    body: int
    type: JointType
    about: str | None
    p_BP: Vector3
    """[m]"""
    span: Span


@record
class Structure(NotebookShown):
    """What holds in one of the system's structures, and what follows from it."""

    name: str
    holds: tuple[str, ...]
    """Names of all closures, contacts, blades, locks and couplings that hold."""
    slides: tuple[str, ...]
    """Names of the contacts among them that slide."""
    changes: tuple[Change, ...]
    structure_class: str
    """СТОВ, СТВ, ДСТОВ or ДСТВ, with П in front for planar systems."""
    loops: int
    """Independent loops of the graph of bodies."""
    dof: int
    """Degrees of freedom by Grübler's formula; redundant constraints make the true number larger."""
    rolling: int = 0
    """How many velocities are held without any place, by what rolls and by blades: so many more freedoms have the
    coordinates."""
    why_not: tuple[Text, ...]
    """Why this structure cannot be simulated, in words of mechanics; empty when it can."""
    span: Span | None


@record
class Reset:
    """A coordinate that gets a new value in a transition."""

    rate: int
    """Index in v of the coordinate."""
    value: Formula | None
    velocity: Formula | None
    span: Span


@record
class Counter:
    """A number that only transitions change."""

    name: str
    start: float
    span: Span


@record
class Recount:
    """A counter that gets a new value in a transition."""

    counter: str
    value: Formula | None
    """None where it grows by one."""
    span: Span


@record
class Impulse:
    """An impulse by a law of the file, which acts in a transition."""

    contact: str | None
    rate: int | None
    """Index in v, of a coordinate instead of a contact."""
    values: tuple[Formula, ...]
    """Along the normal and the tangent of a contact, or on a coordinate [N·s or N·m·s]."""
    span: Span


@record
class Memory:
    """A number of the state besides q, v and t; currents, shears and some stores flow, others wait for transitions."""

    kind: Literal["counter", "entries", "entered", "current", "shear", "input", "store", "signal", "pending", "tick"]
    """A counter; how often a structure was entered; when the present one was [s]; the current of a motor [A]; the
    shear of soft ground under a patch, of 1 where it slides; of schemes: what comes from outside, what a block
    remembers, a signal that is held, one that does not act yet, and the number of ticks."""
    name: str
    """Of the counter, the structure, the motor or the signal."""
    start: float


@record
class Transition(NotebookShown):
    """A passage between structures."""

    name: str
    sources: tuple[str, ...]
    """Names of the structures that it leaves; empty for any."""
    target: str
    condition: Expression
    impact: str
    restitution: float
    priority: float
    resets: tuple[Reset, ...]
    strikes: tuple[str, ...] = ()
    """Names of the contacts that strike."""
    recounts: tuple[Recount, ...] = ()
    impulses: tuple[Impulse, ...] = ()
    keeps_offsets: bool = False
    """Whether couplings that begin to hold keep the offset at which they do."""
    within: tuple[float, ...] = ()
    """How far apart links that begin to hold may be [m, and rad]; empty where they must meet."""
    tick: str = ""
    """The scheme that is computed, where it is a tick of a clock."""
    asks: bool = False
    """Whether a program is asked for the inputs of that scheme."""
    updates: tuple[tuple[str, Expression], ...] = ()
    """What blocks and behaviours of schemes remember afterwards, by its names."""
    lets: tuple[tuple[str, Expression], ...] = ()
    """Names that these are computed with, in their order."""
    chart: str = ""
    """The behaviour that makes a step."""
    quiet: bool = False
    """Whether runs do not list it among their events."""
    span: Span


@record
class Posture:
    """Named coordinates: q and v in full, and which of them the file gave.

    What it did not give follows from the closures, or is zero.
    """

    name: str
    q: tuple[float, ...]
    v: tuple[float, ...]
    given_q: frozenset[int]
    given_v: frozenset[int]
    span: Span | None


@record
class Group:
    """A named group of bodies."""

    name: str
    bodies: tuple[int, ...]
    span: Span


@record
class Picture:
    """How the file wants its scheme to be drawn."""

    frame: tuple[float, float, float, float] | None
    """The window: x, y of the upper left corner, width, height [m]."""
    size: float | None
    """Diameter of a hinge [m]."""
    posture: Posture
    """The coordinates that are drawn."""
    span: Span


@dataclass(frozen=True, kw_only=True, eq=False)
class Model(NotebookShown):
    """A whole system of bodies."""

    name: str
    planar: bool
    about: str
    gravity: Vector3
    """[m/s²]"""
    parameters: tuple[Parameter, ...]
    bodies: tuple[Body, ...]
    """By number: bodies[i] has number i + 1."""
    points: tuple[Point, ...]
    frames: tuple[Frame, ...]
    shapes: tuple[Shape, ...]
    forces: tuple[Force, ...]
    motors: tuple[Motor, ...]
    stops: tuple[Stop, ...]
    springs: tuple[Spring, ...]
    motions: tuple[Motion, ...]
    closures: tuple[Closure, ...]
    contacts: tuple[Contact, ...]
    blades: tuple[Blade, ...] = ()
    tracks: tuple[Track, ...] = ()
    locks: tuple[Lock, ...]
    couplings: tuple[Coupling, ...]
    drives: tuple[Drive, ...] = ()
    structures: tuple[Structure, ...]
    transitions: tuple[Transition, ...]
    start: Posture
    start_structure: str
    start_time: float
    """[s]"""
    postures: tuple[Posture, ...]
    groups: tuple[Group, ...]
    structure_class: str
    """Class of the whole system; ends in ДСТ where the structure changes."""
    declared_class: str | None
    span: Span
    counters: tuple[Counter, ...] = ()
    schemes: tuple[Scheme, ...] = ()
    subschemes: tuple[SubScheme, ...] = ()
    """Schemes with ports, as they are written."""
    ticks: tuple[Transition, ...] = ()
    """What schemes do at instants, in every structure."""
    memory: tuple[Memory, ...] = ()
    """What a state has besides q, v and t: only what the file asks for."""
    assumed: Mapping[tuple[str, tuple[str, ...], str], Scalar] | None = None
    """What forces read of accelerations and reactions, where a loop of them is being solved; else None."""
    remembered: tuple[Scalar, ...] | None = None
    """Values of `memory`, or what stands for them in equations; None for those of the start."""
    picture: Picture | None = None
    """What the file says about its drawing; no part of the system itself."""
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    """Warnings and notes of the reading."""

    @cached_property
    def recipe(self) -> Recipe | None:
        """How it was built; None for one that was made from another."""
        return None

    @cached_property
    def lettered(self) -> Lettered | None:
        """The same with a letter for every parameter; None for one that was not built from a description."""
        return None if self.recipe is None else self.recipe.build().lettered

    @cached_property
    def known(self) -> dict[object, Any]:
        """What others have worked out of it, and need not again: of each question, the answer, which has no model."""
        return {}

    def __getstate__(self) -> dict[str, object]:
        """For other processes: in plain numbers."""
        return {name: value for name, value in self.__dict__.items() if name not in ("lettered", "known")}

    @cached_property
    def nq(self) -> int:
        """How many coordinates."""
        return sum(body.joint.type.nq for body in self.bodies)

    @cached_property
    def nv(self) -> int:
        """How many velocities."""
        return sum(body.joint.type.nv for body in self.bodies)

    @cached_property
    def state_size(self) -> int:
        """How many numbers a state (q, v, memory, t) has."""
        return self.nq + self.nv + len(self.memory) + 1

    def signal(self, name: str) -> Signal:
        """A signal of a scheme."""
        return next(each for scheme in self.schemes for each in scheme.signals if each.name == name)

    def sensor(self, name: str) -> Sensor:
        """A sensor of a scheme."""
        return next(each for scheme in self.schemes for each in scheme.sensors if each.name == name)

    @cached_property
    def memory_names(self) -> tuple[str, ...]:
        """A name for every number of the memory, as tables show it."""
        spelled = {"counter": "counter({})", "entries": "counter({})", "entered": "entered", "current": "current({})"}
        spelled["shear"] = "shear({})"
        spelled |= dict.fromkeys(("input", "store", "signal", "tick"), "{}") | {"pending": "pending({})"}
        return tuple(spelled[each.kind].format(each.name) for each in self.memory)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """СНБТ, the list of base numbers: element i is the base of body i + 1."""
        return tuple(body.base for body in self.bodies)

    @cached_property
    def _adjacent(self) -> Mapping[int, tuple[int, ...]]:
        lists: dict[int, list[int]] = {number: [] for number in range(len(self.bodies) + 1)}
        for body in self.bodies:
            lists[body.base].append(body.number)
        return {number: tuple(numbers) for number, numbers in lists.items()}

    def adjacent(self, body: int | str) -> tuple[int, ...]:
        """Numbers of the bodies whose base is the given one (0 is the ground)."""
        return self._adjacent[self.number(body)]

    @property
    def terminal(self) -> tuple[int, ...]:
        """Numbers of the bodies that are no body's base."""
        return tuple(body.number for body in self.bodies if not self._adjacent[body.number])

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {body.name: body.number for body in self.bodies}

    def number(self, body: int | str) -> int:
        """The number of a body, given its name or number; KeyError when there is none."""
        if isinstance(body, str):
            return self._numbers[body]
        if not 0 <= body <= len(self.bodies):
            raise KeyError(body)
        return body

    def place_of(self, name: str) -> tuple[int, Vector3, Rotation]:
        """Body, place and axes of a body, frame or point; KeyError when there is none."""
        for body in self.bodies:
            if body.name == name:
                return body.number, (0.0, 0.0, 0.0), IDENTITY
        for frame in self.frames:
            if frame.name == name:
                return frame.body, frame.p_BF, frame.R_BF
        for point in self.points:
            if point.name == name:
                return point.body, point.p_BP, IDENTITY
        raise KeyError(name)

    def limits(self, body: Body, index: int) -> tuple[float, float]:
        """Limits of a coordinate itself, where the file gives those of the place of the pole, too [m or rad]."""
        joint = body.joint
        by = body.p_PB[index] if joint.type.limits_place(index) else 0.0
        return joint.minimum[index] - by, joint.maximum[index] - by

    def structure(self, name: str | None = None) -> Structure:
        """A structure by name; the initial one without a name."""
        wanted = self.start_structure if name is None else name
        return next(structure for structure in self.structures if structure.name == wanted)

    @cached_property
    def offset_couplings(self) -> frozenset[str]:
        """Names of the couplings that keep the offset at which they begin to hold: clutches."""
        found: set[str] = set()
        for transition in self.transitions:
            if transition.keeps_offsets:
                sources = transition.sources or tuple(structure.name for structure in self.structures)
                held = self.structure(transition.target).holds
                found |= {name for name in held if any(name not in self.structure(one).holds for one in sources)}
        return frozenset(coupling.name for coupling in self.couplings if coupling.name in found)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """A name for every number of q."""
        return tuple(
            f"{body.name}.{name}" if name else body.name
            for body in self.bodies
            for name, _ in body.joint.type.coordinates
        )

    @cached_property
    def rate_names(self) -> tuple[str, ...]:
        """A name for every number of v."""
        return tuple(
            f"{body.name}.{name}" if name else body.name for body in self.bodies for name, _ in body.joint.type.rates
        )

    @cached_property
    def rate_kinds(self) -> tuple[CoordinateKind, ...]:
        """Whether each number of v is a slide or a turn."""
        return tuple(kind for body in self.bodies for _, kind in body.joint.type.rates)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the content, independent of language, spelling, order of attributes and layout."""
        from sistel.model._fingerprint import fingerprint

        return fingerprint(self)
