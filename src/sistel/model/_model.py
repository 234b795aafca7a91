"""The model: a system of bodies as frozen data, in SI, validated.

Planar systems use the same fields as spatial ones: the plane is z = 0, x points right, y points down and z into the
page, so the frame is right-handed and a positive turn about z is clockwise as seen.

Notation: `p_PB` runs from the origin of P to the origin of B, expressed in P; `R_PB` has the axes of B in P as columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sistel.errors import Diagnostic, Span, Text
from sistel.markup import Expression
from sistel.model.joints import CoordinateKind, JointType
from sistel.pose import IDENTITY, Rotation, Vector3
from sistel.units import Dimension

Inertia = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz [kg·m²]."""

GROUND = 0
"""Number of the fixed body of reference."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Formula:
    """A resolved expression of time, parameters and state; its value times `scale` is in SI."""

    expression: Expression
    dimension: Dimension
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameter:
    """A named number."""

    name: str
    value: float
    """[SI]"""
    dimension: Dimension
    minimum: float | None = None
    maximum: float | None = None
    about: str = ""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """A named point fixed in a body."""

    name: str
    body: int
    p_BP: Vector3
    """[m]"""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """A named frame fixed in a body."""

    name: str
    body: int
    p_BF: Vector3
    """[m]"""
    R_BF: Rotation
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """How a body looks."""

    kind: Literal["shape", "box", "cylinder", "sphere", "cone", "capsule", "mesh"]
    body: int
    p_BS: Vector3
    """[m]"""
    R_BS: Rotation
    sizes: tuple[float, ...] = ()
    """box: x, y, z; round ones: radius, length; sphere: radius; mesh: scale factors. [m, or pure for a mesh]"""
    path: str = ""
    """SVG path data in mm, or the file of a mesh."""
    colour: str | None = None
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Force:
    """An applied force or moment."""

    kind: Literal["force", "moment"]
    name: str
    body: int
    p_BP: Vector3
    """Place of application [m]."""
    components: tuple[Formula, ...]
    """[N or N·m]"""
    in_body: bool
    """Whether the components are along the axes of the body rather than of the ground."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motor:
    """A motor at a coordinate of a body's joint."""

    name: str
    body: int
    coordinate: int
    """Index among the velocities of the joint."""
    ratio: float
    limit: float
    """Greatest force or moment at the joint [N or N·m]."""
    speed: float
    """Greatest speed at the joint [m/s or rad/s]."""
    inertia: float
    """Of the rotor [kg·m²]."""
    efficiency: float
    voltage: float | None
    """[V]"""
    resistance: float | None
    """[Ω]"""
    inductance: float
    """[H]"""
    constant: float | None
    """[N·m/A]"""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stop:
    """A mechanical stop at a limit of a joint."""

    body: int
    at_min: bool
    at_max: bool
    stiffness: tuple[float, ...] | None
    """None for a rigid stop [N/m or N·m/rad]."""
    damping: tuple[float, ...]
    """[N·s/m or N·m·s/rad]"""
    restitution: float
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joint:
    """The joint of a body with its base: numbers per coordinate, in the order of the joint type."""

    name: str
    type: JointType
    axis: Vector3
    """Unit vector in the body frame."""
    axis2: Vector3
    minimum: tuple[float, ...]
    """[m or rad], -inf where there is no limit. For a planar free joint and ПКП2 the slides' limits are of the place of
    the pole in the base (p_PB plus the coordinate), as in the papers; for all others of the coordinate."""
    maximum: tuple[float, ...]
    """[m or rad], inf where there is no limit; as `minimum`."""
    speed: tuple[float, ...]
    """[m/s or rad/s], inf where there is no limit."""
    stiffness: tuple[float, ...]
    """[N/m or N·m/rad]"""
    rest: tuple[float, ...]
    """[m or rad]"""
    damping: tuple[float, ...]
    """[N·s/m or N·m·s/rad]"""
    friction: tuple[float, ...]
    """[N or N·m]"""

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body:
    """A body and the joint that connects it to its base."""

    number: int
    """From 1; the base has a smaller one."""
    name: str
    base: int
    """Number of the base, 0 for the ground."""
    joint: Joint
    p_PB: Vector3
    """Pole of the body in the frame of the base, at zero coordinates [m]."""
    R_PB: Rotation
    mass: float
    """[kg]"""
    p_BoBcm_B: Vector3
    """Centre of mass from the pole, in the body frame [m]."""
    I_BBcm_B: Inertia
    """About the centre of mass, in the body axes [kg·m²]."""
    first_q: int
    """Index of its first coordinate in q."""
    first_v: int
    """Index of its first velocity in v."""
    span: Span

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One end of a link: a place, with axes, on a body."""

    body: int
    p_BS: Vector3
    """[m]"""
    R_BS: Rotation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Closure:
    """A cut joint between two bodies."""

    name: str
    type: JointType
    first: Side
    second: Side
    axis: Vector3
    """Unit vector in the frame of the first side."""
    axis2: Vector3
    """Unit vector in the frame of the second side."""
    always: bool
    found: bool = False
    """Whether sistel cut this joint itself."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contact:
    """A point that may rest on a surface."""

    name: str
    point: str
    body: int
    p_BP: Vector3
    """[m]"""
    on: int
    """Body whose frame the surface is in."""
    gap: Formula
    """Positive on the free side; zero on the surface; a function of x, y, z in the frame of `on`."""
    friction: float | None
    """Coefficient; None where the point sticks."""
    impact: str
    restitution: float
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lock:
    """Holds velocity coordinates of joints still, or one body to another."""

    name: str
    rates: tuple[int, ...]
    """Indices in v that are held."""
    first: int | None
    second: int | None
    """Numbers of the bodies that are held together."""
    always: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coupling:
    """q[driven] = Σ ratio[k] · q[driver]^(k+1) + offset; one ratio for a plain gear."""

    name: str
    driven: int
    """Index in q."""
    driver: int
    """Index in q."""
    ratio: tuple[float, ...]
    offset: float
    """[m or rad]"""
    always: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spring:
    """A spring with a damper between two points."""

    name: str
    first: Side
    second: Side
    stiffness: float
    """[N/m]"""
    damping: float
    """[N·s/m]"""
    length: float
    """Slack length [m]."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motion:
    """A programmed motion of some coordinates."""

    name: str
    rates: tuple[int, ...]
    """Indices in v of the coordinates that move."""
    formulas: tuple[Formula, ...]
    """One per coordinate, or none when there is a table."""
    times: tuple[float, ...]
    """[s]"""
    rows: tuple[tuple[float, ...], ...]
    """[m or rad]"""
    interpolation: str
    repeat: bool
    kp: tuple[float, ...] | None
    """[N/m or N·m/rad]; None where the motion is forced."""
    kd: tuple[float, ...] | None
    """[N·s/m or N·m·s/rad]"""
    structures: tuple[str, ...]
    """Names; empty for all."""
    since_entry: bool = False
    """Whether the times of the rows count from the entry into the structure."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Change:
    """Another type for the joint of a body, at a point of the body."""

    body: int
    type: JointType
    about: str | None
    p_BP: Vector3
    """[m]"""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Structure:
    """What holds in one of the system's structures, and what follows from it."""

    name: str
    holds: tuple[str, ...]
    """Names of all closures, contacts, locks and couplings that hold."""
    slides: tuple[str, ...]
    """Names of the contacts among them that slide."""
    changes: tuple[Change, ...]
    structure_class: str
    """СТОВ, СТВ, ДСТОВ or ДСТВ, with П in front for planar systems."""
    loops: int
    """Independent loops of the graph of bodies."""
    dof: int
    """Degrees of freedom by Grübler's formula; redundant constraints make the true number larger."""
    why_not: tuple[Text, ...]
    """Why this structure cannot be simulated, in words of mechanics; empty when it can."""
    span: Span | None

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reset:
    """A coordinate that gets a new value in a transition."""

    rate: int
    """Index in v of the coordinate."""
    value: Formula | None
    velocity: Formula | None
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counter:
    """A number that only transitions change."""

    name: str
    start: float
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recount:
    """A counter that gets a new value in a transition."""

    counter: str
    value: Formula | None
    """None where it grows by one."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Impulse:
    """An impulse by a law of the file, which acts in a transition."""

    contact: str | None
    rate: int | None
    """Index in v, of a coordinate instead of a contact."""
    values: tuple[Formula, ...]
    """Along the normal and the tangent of a contact, or on a coordinate [N·s or N·m·s]."""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Memory:
    """A number of the state that is constant between transitions."""

    kind: Literal["counter", "entries", "entered"]
    """A counter; how often a structure was entered; when the present one was [s]."""
    name: str
    """Of the counter or the structure."""
    start: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transition:
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
    span: Span

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Posture:
    """Named coordinates: q and v in full, and which of them the file gave."""

    name: str
    q: tuple[float, ...]
    v: tuple[float, ...]
    given_q: frozenset[int]
    given_v: frozenset[int]
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """A named group of bodies."""

    name: str
    bodies: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
class Model:
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
    locks: tuple[Lock, ...]
    couplings: tuple[Coupling, ...]
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
    memory: tuple[Memory, ...] = ()
    """What a state has besides q, v and t: only what the file asks for."""
    remembered: tuple[float, ...] | None = None
    """Values of `memory`, or what stands for them in equations; None for those of the start."""
    picture: Picture | None = None
    """What the file says about its drawing; no part of the system itself."""
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    """Warnings and notes of the reading."""

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

    @cached_property
    def memory_names(self) -> tuple[str, ...]:
        """A name for every number of the memory, as tables show it."""
        spelled = {"counter": "counter({})", "entries": "counter({})", "entered": "entered"}
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

    def structure(self, name: str | None = None) -> Structure:
        """A structure by name; the initial one without a name."""
        wanted = self.start_structure if name is None else name
        return next(structure for structure in self.structures if structure.name == wanted)

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

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))
