"""What a system consists of: bodies with their joints, links between them, forces, motions; frozen data, in SI.

Planar systems use the same fields as spatial ones: the plane is z = 0, x points right, y points down and z into the
page, so the frame is right-handed and a positive turn about z is clockwise as seen.

Notation: `p_PB` runs from the origin of P to the origin of B, expressed in P; `R_PB` has the axes of B in P as columns.
"""

from __future__ import annotations

from typing import Literal

from sistel.errors import Span
from sistel.markup import Expression
from sistel.markup.schema import ShapeKind
from sistel.model.joints import JointType
from sistel.pose import Rotation, Vector3
from sistel.records import record
from sistel.shown import NotebookShown
from sistel.units import Dimension

Vector2 = tuple[float, float]

Inertia = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz [kg·m²]."""

GROUND = 0
"""Number of the fixed body of reference."""


@record
class Formula:
    """A resolved expression of time, parameters and state; its value times `scale` is in SI."""

    expression: Expression
    dimension: Dimension
    scale: float = 1.0


@record
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


@record
class Point:
    """A named point fixed in a body."""

    name: str
    body: int
    p_BP: Vector3
    """[m]"""
    span: Span


@record
class Frame:
    """A named frame fixed in a body."""

    name: str
    body: int
    p_BF: Vector3
    """[m]"""
    R_BF: Rotation
    span: Span


@record
class Shape:
    """How a body looks, and what of it may touch."""

    name: str = ""
    """By which contacts refer to it; empty where it has none."""
    kind: ShapeKind | Literal["profile"]
    body: int
    p_BS: Vector3
    """[m]"""
    R_BS: Rotation
    """Round ones lie along its z; so does the axis of a wheel."""
    sizes: tuple[float, ...] = ()
    """box: x, y, z; round ones: radius, length; sphere, circle: radius; wheel: radius, radius of the tread; mesh: scale
    factors. [m, or pure for a mesh]"""
    path: str = ""
    """SVG path data in mm, with {} in the places of `gaps`; or the file of a mesh."""
    gaps: tuple[float, ...] = ()
    """Lengths of the path that expressions give [m]."""
    corners: tuple[Vector2, ...] = ()
    """Of a polygon or a polyline, in its own frame [m]."""
    surface: Formula | None = None
    """Of a profile: its gap, a height over the other coordinates."""
    shown: tuple[float, ...] = ()
    """Of a profile: from where to where it is drawn, along every coordinate beside its height [m]."""
    free: Literal["", "left", "right"] = ""
    """Which side of a polyline is free, seen along it; empty where that is the side away from gravity."""
    obstacle: bool = False
    """Whether it is one of the world, which `to="world"` means."""
    colour: str | None = None
    span: Span

    @property
    def d(self) -> str:
        """The path data in mm, numbers in the places of its gaps."""
        if not self.gaps:
            return self.path
        pieces = self.path.split("{}")
        numbers = [f"{1e3 * float(gap) + 0.0:.6f}".rstrip("0").rstrip(".") for gap in self.gaps]
        filled = (piece + ("0" if number == "-0" else number) for piece, number in zip(pieces, numbers, strict=False))
        return "".join(filled) + pieces[-1]


@record
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


@record
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
    current: float | None = None
    """Greatest current [A]."""
    kp: float | None = None
    """Gain on the error of a commanded position [N/m or N·m/rad]."""
    kd: float | None = None
    """Gain on the error of a commanded speed [N·s/m or N·m·s/rad]."""
    brake: float | None = None
    """Greatest force or moment of the brake at the joint [N or N·m]."""

    @property
    def electric(self) -> bool:
        """Whether its winding is known."""
        return self.resistance is not None and self.constant is not None


@record
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


@record
class Joint(NotebookShown):
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

    @property
    def has_potential(self) -> bool:
        """Whether its springs have a potential: those of a ball are along the axes of a body that turns."""
        if not self.type.has_quaternion or not any(self.stiffness[:3]):
            return True
        return len({float(k) for k in self.stiffness[:3]}) == 1 and not any(self.rest[:3])


@record
class Body(NotebookShown):
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


@record
class Side:
    """One end of a link: a place, with axes, on a body."""

    body: int
    p_BS: Vector3
    """[m]"""
    R_BS: Rotation


@record
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


@record
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


@record
class Coupling:
    """q[driven] = Σ ratio[k] · q[driver]^(k+1) + offset; one ratio for a plain gear.

    Of a differential, whose only ratio is that to the mean of two drivers, x is (q[driver] + q[second]) / 2.
    """

    name: str
    driven: int
    """Index in q."""
    driver: int
    """Index in q."""
    ratio: tuple[float, ...]
    offset: float
    """[m or rad]"""
    always: bool
    second: int | None = None
    """Index in q of the other driver of a differential."""
    span: Span


@record
class Drive:
    """A coupling that gives way: a clutch that slips, a gear with play, with losses, or with teeth that bend.

    A brake is a clutch of a coordinate with nothing that moves: its driver is itself, with a ratio of 0.
    """

    name: str
    coupling: Coupling
    """What it would hold if it gave no way; with play, the middle of it."""
    limit: Formula | None = None
    """Of a clutch: the greatest force or moment on the driven coordinate [N or N·m]."""
    backlash: float = 0.0
    """How far the driven coordinate can go from one flank to the other [m or rad]."""
    stiffness: float | None = None
    """Of the teeth, at the driven coordinate; None where they are rigid [N/m or N·m/rad]."""
    damping: float = 0.0
    """The same [N·s/m or N·m·s/rad]."""
    restitution: float = 0.0
    """Of rigid flanks."""
    efficiency: float = 1.0
    """Where the driver drives."""
    backward: float = 1.0
    """Efficiency where the driven coordinate drives; 0 for a gear that locks itself."""
    span: Span

    @property
    def brakes(self) -> bool:
        """Whether it is the brake of a motor."""
        return self.coupling.driver == self.coupling.driven

    @property
    def rigid(self) -> bool:
        """Whether its teeth are rigid flanks."""
        return self.limit is None and self.stiffness is None

    @property
    def tight(self) -> bool:
        """Whether nothing gives way in its places: it has losses alone."""
        return self.rigid and self.backlash == 0.0

    @property
    def loses(self) -> bool:
        """Whether its flanks rub."""
        return self.rigid and (self.efficiency != 1.0 or self.backward != 1.0)


@record
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


@record
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
