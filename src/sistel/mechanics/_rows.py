"""One scalar constraint: what it demands of the velocities, and what it does to bodies for a unit multiplier.

Every constraint is between a *carrier*, whose axes its directions are fixed in, and another body. With d the way from a
point C of the carrier to a point P of the other, and n a direction of the carrier,

    n · d = const          (a place)
    n · (w_P − w_C) = 0    (a turn)

Rows are exact where the constraints hold; off them they are a Newton step's worth away, which is how they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Scalars, Vector, cross, dot
from sistel.mechanics._frames import Frame
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._linear import inner
from sistel.mechanics._rates import Rates
from sistel.mechanics._tree import Tree
from sistel.pose import Rotation, Vector3
from sistel.records import mutable


@mutable
class Wrench:
    """What acts on a body for a unit multiplier, in W, about the point of the constraint on that body."""

    body: int
    p: Vector3
    """The point, in the body [m]."""
    moment: Vector
    force: Vector


@mutable
class Row:
    """J · a + bias = 0, and J · v + drift = 0."""

    link: str
    """Name of the closure, contact, lock or coupling."""
    part: str
    """Which of its equations: x, y, z, normal, turn x …"""
    J: list[Scalar]
    """nv numbers."""
    bias: Scalar
    """J̇ · v [m/s² or rad/s²]."""
    value: Scalar
    """How far the constraint is from being met [m or rad]."""
    wrenches: tuple[Wrench, ...] = ()
    """On the body that reactions are reported for first, then on the other; none for locked coordinates."""
    shown: tuple[Vector, Vector] | None = None
    """What is told of it instead of its first wrench: moment and force in W. Of a locked or coupled coordinate those
    along its joint, which carries them already; of a round shape those where it touches."""
    drift: Scalar = 0.0
    """Rate with time alone, of a surface that moves by itself [m/s]."""
    rate: int | None = None
    """The velocity that is locked, or driven by another."""
    drag: list[Scalar] | None = None
    """Generalized force of sliding friction for a unit multiplier."""
    dragged: tuple[Wrench, ...] = field(default=())
    """The same on the bodies."""
    idle: Scalar = 0.0
    """1 for a row that is switched off: its J is zero then, and so is its multiplier."""
    holds_place: bool = True
    """Whether it is the rate of its value; otherwise it holds a velocity alone, as of what rolls."""
    weight: float = 0.0
    """Mass that it pulls with where bodies are too light for it: see `_light`."""

    def speed(self, v: Scalars) -> Scalar:
        """J · v + drift."""
        return inner(self.J, v) + self.drift


class View:
    """Kinematics as seen from the last link that two bodies have in common, which cannot matter to what joins them."""

    def __init__(
        self,
        tree: Tree,
        q: Scalars,
        v: Scalars,
        shared: frozenset[int],
        bodies: Sequence[int],
        made: list[Frame] | None = None,
    ) -> None:
        """Take the link nearest to the bodies that carries them all; the frames may be known."""
        self.root = common_link(tree, bodies)
        self.kinematics = Kinematics(tree, q, shared, root=self.root, made=made)
        self.rates = Rates(self.kinematics, v)

    def jacobian(self, body: int, p: Vector3) -> list[list[Scalar]]:
        """Six rows of a point of a body."""
        return self.kinematics.jacobian(body, p)


class FreeView(View):
    """Kinematics in the axes of a free body, which moves: what it carries is seen without turning it to the ground."""

    def __init__(
        self, tree: Tree, q: Scalars, v: Scalars, shared: frozenset[int], free: int, made: list[Frame] | None = None
    ) -> None:
        """Take the link of the free body; the frames may be known."""
        self.root = free
        self.first = tree.links[free].first_v
        self.kinematics = Kinematics(tree, q, shared, root=free, made=made)
        w, u = _three(v, self.first), _three(v, self.first + 3)
        self.rates = Rates(self.kinematics, v, root=(w, u, ZERO, cross(w, u)))

    def jacobian(self, body: int, p: Vector3) -> list[list[Scalar]]:
        """As of the kinematics, with the columns of the free body itself."""
        J = self.kinematics.jacobian(body, p)
        tip = self.kinematics.place(body, p)
        for i, axis in enumerate(IDENTITY):
            turned = cross(axis, tip)
            for row in range(3):
                J[row][self.first + i] = axis[row]
                J[row + 3][self.first + i] = turned[row]
                J[row + 3][self.first + 3 + i] = axis[row]
        return J


def _three(v: Scalars, first: int) -> Vector:
    return Vector(*v[first : first + 3])


def free_link(tree: Tree, body: int) -> int | None:
    """The link of the free body that carries a body in space, if one does."""
    at = tree.places[body][0]
    while at >= 0 and tree.links[at].parent >= 0:
        at = tree.links[at].parent
    return at if at >= 0 and tree.links[at].kind == "free" else None


def common_link(tree: Tree, bodies: Sequence[int]) -> int:
    """The last link on the ways from the ground to all given bodies; -1 when it is the ground."""
    ways = []
    for body in bodies:
        way, at = [], tree.places[body][0]
        while at >= 0:
            way.append(at)
            at = tree.links[at].parent
        ways.append(way[::-1])
    last = -1
    for step in zip(*ways, strict=False):
        if len(set(step)) > 1:
            break
        last = step[0]
    return last


_STILL = (0.0,) * 6
"""What a velocity does to a place that it does not move."""


class Spot:
    """A place with axes on a body, and its motion."""

    def __init__(self, view: View, body: int, p: Vector3, R: Rotation) -> None:
        """Only what is asked for is computed."""
        self.view, self.body, self.p, self.R = view, body, p, R
        self.place = view.kinematics.place(body, p)
        self.spin, self.spin_rate = view.rates.spin(body), view.rates.spin_rate(body)
        self.velocity, self.acceleration = view.rates.velocity(body, p), view.rates.acceleration(body, p)
        self._jacobian: list[list[Scalar]] | None = None
        self._columns: list[int] = []
        """The velocities that move it."""

    @property
    def axes(self) -> Matrix:
        """Axes as columns."""
        return self.view.kinematics.axes(self.body, self.R)

    def column(self, index: int) -> Vector:
        """One of the axes."""
        return self.axes.T[index]

    @property
    def jacobian(self) -> list[list[Scalar]]:
        """Of the angular velocity, then of the velocity."""
        if self._jacobian is None:
            self._jacobian = self.view.jacobian(self.body, self.p)
            self._columns = [i for i, column in enumerate(zip(*self._jacobian, strict=True)) if column != _STILL]
        return self._jacobian

    def turning(self, n: Scalars) -> list[Scalar]:
        """N · angular velocity, as a row."""
        return self._along(n, 0)

    def moving(self, n: Scalars) -> list[Scalar]:
        """N · velocity, as a row."""
        return self._along(n, 3)

    def _along(self, n: Scalars, first: int) -> list[Scalar]:
        rows = self.jacobian[first : first + 3]
        made: list[Scalar] = [0.0] * len(rows[0])
        for i in self._columns:
            made[i] = dot(n, (rows[0][i], rows[1][i], rows[2][i]))
        return made


def row_sum(a: Scalars, b: Scalars, sign: float = 1.0) -> list[Scalar]:
    """A + b, or a - b."""
    return [x + y if sign > 0 else x - y for x, y in zip(a, b, strict=True)]


def place_row(carrier: Spot, other: Spot, n: Vector, *, meets: bool = False) -> tuple[list[Scalar], Scalar]:
    """Row and bias of n · (P − C) = const, n fixed in the carrier; with `meets` C and P are at one place."""
    J = row_sum(other.moving(n), carrier.moving(n), -1.0)
    relative = other.velocity - carrier.velocity
    bias = dot(n, other.acceleration - carrier.acceleration)
    if meets:
        return J, bias  # the relative velocity is zero as well
    w, d = carrier.spin, other.place - carrier.place
    J = row_sum(J, carrier.turning(cross(n, d)))
    swing = cross(w, n)
    bias = bias + 2.0 * dot(swing, relative)
    return J, bias + dot(cross(carrier.spin_rate, n) + cross(w, swing), d)


def turn_row(carrier: Spot, other: Spot, n: Vector) -> tuple[list[Scalar], Scalar]:
    """Row and bias of n · (angular velocity of the other − that of the carrier), n fixed in the carrier."""
    J = row_sum(other.turning(n), carrier.turning(n), -1.0)
    bias = dot(n, other.spin_rate - carrier.spin_rate)
    return J, bias + dot(cross(carrier.spin, n), other.spin - carrier.spin)


def pushes(to_world: Matrix | None, carrier: Spot, other: Spot, n: Vector, first_is_other: bool) -> tuple[Wrench, ...]:
    """The wrenches of a place row: n on the other at P, and back on the carrier at the same place."""
    d = other.place - carrier.place
    on_other = Wrench(other.body, other.p, ZERO, in_world(to_world, n))
    on_carrier = Wrench(
        carrier.body,
        carrier.p,
        in_world(to_world, -cross(d, n)),
        in_world(to_world, -n),
    )
    return (on_other, on_carrier) if first_is_other else (on_carrier, on_other)


def twists(to_world: Matrix | None, carrier: Spot, other: Spot, n: Vector, first_is_other: bool) -> tuple[Wrench, ...]:
    """The wrenches of a turn row."""
    on_other = Wrench(other.body, other.p, in_world(to_world, n), ZERO)
    on_carrier = Wrench(carrier.body, carrier.p, in_world(to_world, -n), ZERO)
    return (on_other, on_carrier) if first_is_other else (on_carrier, on_other)


def in_world(R: Matrix | None, n: Scalars) -> Vector:
    """A vector of a view, in W."""
    return Vector(*n) if R is None else R @ n
