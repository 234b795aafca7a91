"""Velocities and accelerations of links and points, and the rates of Jacobians, on top of forward kinematics."""

from __future__ import annotations

from sistel.expr import ZERO, Scalar, Scalars, Vector, cross
from sistel.mechanics._kinematics import Kinematics
from sistel.pose import Vector3


class Rates:
    """Motion of all links for given velocities, in the axes of the kinematics.

    Accelerations are those at zero acceleration of every coordinate, J̇ v, unless accelerations are given.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        v: Scalars,
        a: Scalars | None = None,
        *,
        root: tuple[Vector, Vector, Vector, Vector] = (ZERO, ZERO, ZERO, ZERO),
    ) -> None:
        """Nothing is computed for links that nobody asks for.

        Args:
            kinematics: Places of the links.
            v: Velocities.
            a: Accelerations.
            root: How the link moves from which the kinematics is seen, in its own axes: as `motion` gives it.
        """
        self.kinematics = kinematics
        self.v = v
        self.a = a
        self._motions: dict[int, tuple[Vector, Vector, Vector, Vector]] = {kinematics.root: root}

    def motion(self, link: int) -> tuple[Vector, Vector, Vector, Vector]:
        """Angular velocity, velocity of the origin, angular acceleration and acceleration of the origin of a link."""
        path = []
        at = link
        while at not in self._motions:
            path.append(at)
            at = self.kinematics.tree.links[at].parent
        for at in reversed(path):
            self._motions[at] = self._follow(at)
        return self._motions[link]

    def _follow(self, at: int) -> tuple[Vector, Vector, Vector, Vector]:
        link = self.kinematics.tree.links[at]
        w, u, dw, du = self._motions[link.parent]
        r = self.kinematics.arm(at)
        swing = cross(w, r)
        speed, tangential, centripetal = u + swing, cross(dw, r), cross(w, swing)
        gain = du + tangential + centripetal
        spin, own, spun, owned = ZERO, ZERO, ZERO, ZERO
        for column, (turn, slide) in self.kinematics.columns(at):
            if turn is not None:
                spin = spin + self.v[column] * turn
                spun = spun if self.a is None else spun + self.a[column] * turn
            else:
                own = own + self.v[column] * slide
                owned = owned if self.a is None else owned + self.a[column] * slide
        total = w + spin
        # The axes of a free body's velocity turn with the body, those of a slide with what carries it.
        carried = total if link.kind == "free" else w
        speed, turned = speed + own, cross(w, spin)
        spin_rate = dw + spun + turned
        # Half of the Coriolis acceleration comes from what carries, half from the axes.
        first, second = cross(w, own), cross(carried, own)
        return total, speed, spin_rate, gain + owned + first + second

    def spin(self, body: int) -> Vector:
        """Angular velocity of a body [rad/s]."""
        return self.motion(self.kinematics.tree.places[body][0])[0]

    def spin_rate(self, body: int) -> Vector:
        """Angular acceleration of a body [rad/s²]."""
        return self.motion(self.kinematics.tree.places[body][0])[2]

    def velocity(self, body: int, p: Vector3) -> Vector:
        """Velocity of a point fixed in a body [m/s]."""
        link = self.kinematics.tree.places[body][0]
        w, u, _, _ = self.motion(link)
        return u + cross(w, self.kinematics.reach(body, p))

    def acceleration(self, body: int, p: Vector3) -> Vector:
        """Acceleration of a point fixed in a body [m/s²]."""
        link = self.kinematics.tree.places[body][0]
        w, _, dw, du = self.motion(link)
        r = self.kinematics.reach(body, p)
        tangential, centripetal = cross(dw, r), cross(w, cross(w, r))
        return du + tangential + centripetal

    def jacobian_rate(self, body: int, p: Vector3) -> list[list[Scalar]]:
        """The derivative with time of `Kinematics.jacobian`: six rows of nv."""
        kinematics = self.kinematics
        J: list[list[Scalar]] = [[0.0] * kinematics.tree.nv for _ in range(6)]
        tip, speed = kinematics.reach(body, p), self.velocity(body, p)
        at = kinematics.tree.places[body][0]
        while at != kinematics.root:
            link = kinematics.tree.links[at]
            w_P = self.motion(link.parent)[0]
            w, u, _, _ = self.motion(at)
            # Directions of a hinge and a slide are fixed in what carries them, those of a ball in the ball itself.
            carrier = w if link.kind in ("ball", "free") else w_P
            for column, (turn, slide) in kinematics.columns(at):
                if turn is None:
                    rate, direction = cross(carrier, slide), ZERO
                else:
                    direction = cross(carrier, turn)
                    rate = cross(direction, tip) + cross(turn, speed - u)
                for row in range(3):
                    J[row][column] = direction[row]
                    J[row + 3][column] = rate[row]
            tip = kinematics.arm(at) + tip
            at = link.parent
        return J
