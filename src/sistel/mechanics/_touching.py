"""Round shapes on surfaces: where they touch, and how that place moves on both bodies.

With C the centre of the shape, n the unit normal of the surface and a the axis of a wheel, the shape is nearest at

    P = C − r n                                          (a sphere, a circle)
    P = C − (r − t) (n − (n·a) a) / |n − (n·a) a| − t n    (a rim with a tread of radius t)

As the shape rolls, P moves on it: the rows here are of the velocity of the material that is at P now, and their biases
contain the rate of the arm from C to P. The gap changes with the same velocity, for P moves along both surfaces.
"""

from __future__ import annotations

from typing import Final

from sistel.errors import Text, refuse
from sistel.expr import ZERO, Matrix, Scalar, Scalars, Vector, cross, dot, is_zero, sqrt, symmetric
from sistel.mechanics._rows import Row, Spot, Wrench, in_world, row_sum
from sistel.model import Contact, Round
from sistel.records import entry

FLAT: Final = 1e-9
"""Sine of the angle between the axis of a wheel and the normal at which it lies flat."""


@entry
class Arm:
    """The way from the centre of a round shape to where it touches, in any axes."""

    way: Vector
    """[m]"""
    depth: Scalar
    """How far the shape reaches beyond its centre, against the normal [m]."""
    across: Vector | None = None
    """Of a rim: the normal less its part along the axis."""
    tilt: Scalar = 1.0
    """Of a rim: the length of that, the sine of the angle between the axis and the normal."""


def arm_of(contact: Contact, axes: Matrix, n: Vector) -> Arm:
    """Where the round shape of a contact is nearest to its surface.

    Args:
        contact: The contact.
        axes: Of its body.
        n: Unit normal of the surface, in the same axes as these.
    """
    shape = contact.round
    assert shape is not None
    if shape.axis is None:
        return Arm(-shape.radius * n, shape.radius)
    a = axes @ shape.axis
    along = dot(n, a)
    across = n - along * a
    tilt = sqrt(1.0 - along * along)
    refuse_flat(contact, tilt)
    rim = shape.radius - shape.tread
    way = (-rim / tilt) * across
    if is_zero(shape.tread):
        return Arm(way, rim * tilt, across, tilt)
    return Arm(way - shape.tread * n, rim * tilt + shape.tread, across, tilt)


def refuse_flat(contact: Contact, tilt: Scalar) -> None:
    """Refuse a wheel that lies flat, where that is a number."""
    if isinstance(tilt, (int, float)) and not tilt > FLAT:
        message = Text(
            f'the wheel of contact "{contact.name}" lies flat on its surface: no place of it touches first',
            f"колесо контакта «{contact.name}» лежит плашмя на поверхности: у него нет нижней точки",
        )
        refuse("wheel-lies", message, span=contact.span)


class Touch:
    """A round shape near a surface: the place where it touches or would, with its rows."""

    def __init__(self, contact: Contact, carrier: Spot, other: Spot, n: Vector, curve: Scalars = ()) -> None:
        """Find the place.

        Args:
            contact: Of a round shape.
            carrier: Origin of the body of the surface.
            other: Centre of the shape, on its body.
            n: Unit normal of the surface, in the axes of the view.
            curve: How the normal turns with the centre, in the frame of the surface: xx, yy, zz, xy, xz, yz; of a
                wheel over curved ground see `profile_values`.
        """
        shape = contact.round
        assert shape is not None
        self.carrier, self.other, self.n = carrier, other, n
        self.arm = arm_of(contact, other.axes, n)
        self.reach = other.place - carrier.place + self.arm.way
        """From the origin of the surface's body to the place."""
        swing = cross(carrier.spin, n)
        self.bend: Vector | None = None
        """Rate of the normal in the frame of the surface, as the shape goes along what is curved."""
        if any(not is_zero(x) for x in curve):
            along = other.velocity - carrier.velocity - cross(carrier.spin, other.place - carrier.place)
            if contact.height is not None and shape.axis is not None:
                self.bend = self._bent(contact, along, curve)
            else:
                self.bend = carrier.axes @ (symmetric(curve) @ (carrier.axes.T @ along))
            swing = swing + self.bend
        self._goes(self._rate(shape, swing))

    def _bent(self, contact: Contact, along: Vector, curve: Scalars) -> Vector:
        """Rate of the normal under a wheel, in the frame of curved ground: its centre moves, and its axis turns."""
        shape, height, axes = contact.round, contact.height, self.carrier.axes
        assert shape is not None and height is not None and shape.axis is not None and self.arm.across is not None
        a, n, tilt = self.other.axes @ shape.axis, self.n, self.arm.tilt
        turned = cross(self.other.spin - self.carrier.spin, a)
        drawn = -dot(n, turned) * a - dot(n, a) * turned
        unit = (1.0 / tilt) * self.arm.across
        moved = along + (-(shape.radius - shape.tread) / tilt) * (drawn - dot(unit, drawn) * unit)
        local = axes.T @ moved
        size = len(height.beside)
        rows = [curve[size * k : size * k + size] for k in range(3)]
        found: list[Scalar] = []
        for row in rows:
            total: Scalar = 0.0
            for part, axis in zip(row, height.beside, strict=True):
                total = total + part * local[axis]
            found.append(total)
        return axes @ found

    def _goes(self, rate: Vector) -> None:
        """Find how the material moves where the arm ends.

        Args:
            rate: Of the arm [m/s].
        """
        carrier, other = self.carrier, self.other
        self.rate = rate
        """Of the arm [m/s]."""
        w, own, way = carrier.spin, other.spin, self.arm.way
        relative = other.velocity - carrier.velocity
        self.slip = relative + cross(own, way) - cross(w, self.reach)
        """Velocity of the shape's material at the place against that of the surface."""
        gain = other.acceleration - carrier.acceleration
        gain = gain + cross(other.spin_rate, way) - cross(carrier.spin_rate, self.reach)
        self.gain = gain + cross(own, self.rate) - cross(w, relative + self.rate)
        """Its rate, with all velocities kept."""

    def _rate(self, shape: Round, swing: Vector) -> Vector:
        across, tilt = self.arm.across, self.arm.tilt
        if shape.axis is None or across is None:
            return -shape.radius * swing
        a = self.other.axes @ shape.axis
        turned = cross(self.other.spin, a)
        along = dot(self.n, a)
        drawn = swing - (dot(swing, a) + dot(self.n, turned)) * a - along * turned
        unit = (1.0 / tilt) * across
        rim = shape.radius - shape.tread
        made = (-rim / tilt) * (drawn - dot(unit, drawn) * unit)
        return made if is_zero(shape.tread) else made - shape.tread * swing

    def row(self, d: Vector) -> tuple[list[Scalar], Scalar]:
        """Row and bias of the velocity of the material at the place along d.

        The normal goes with the place; other directions are fixed in the body of the surface, which is exact for those
        along which the material rests.
        """
        J = row_sum(self.other.moving(d), self.other.turning(cross(self.arm.way, d)))
        J = row_sum(J, self.carrier.moving(d), -1.0)
        J = row_sum(J, self.carrier.turning(cross(self.reach, d)), -1.0)
        bias = dot(d, self.gain) + dot(cross(self.carrier.spin, d), self.slip)
        if self.bend is not None and d is self.n:
            bias = bias + dot(self.bend, self.slip)
        return J, bias

    def pushes(self, world: Matrix | None, d: Vector) -> tuple[Wrench, ...]:
        """What a unit force along d does at the place: on the shape's body, then back on the surface's."""
        on_other = Wrench(self.other.body, self.other.p, in_world(world, cross(self.arm.way, d)), in_world(world, d))
        on_carrier = Wrench(
            self.carrier.body, self.carrier.p, in_world(world, -cross(self.reach, d)), in_world(world, -d)
        )
        return on_other, on_carrier

    def made(self, link: str, part: str, d: Vector, value: Scalar, world: Matrix | None) -> Row:
        """The row along d; its load is shown at the place, where it has no moment."""
        J, bias = self.row(d)
        return Row(link, part, J, bias, value, self.pushes(world, d), shown=(ZERO, in_world(world, d)))
