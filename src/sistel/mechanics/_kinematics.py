"""Forward kinematics: poses of bodies, points and frames, and their geometric Jacobians."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Scalars, Vector, cross, turn_z
from sistel.mechanics._frames import Frame, frames, link_offset, world_rotation
from sistel.mechanics._tree import Tree, tree_of
from sistel.model import Model
from sistel.pose import Rotation, Vector3


def posture(model: Model, q: Sequence[float]) -> Kinematics:
    """The poses of a model's bodies at coordinates in numbers."""
    return Kinematics(tree_of(model), list(q))


class Kinematics:
    """Poses of all links for one set of coordinates: in W, or as seen from a link that is taken to be at rest."""

    def __init__(
        self,
        tree: Tree,
        q: Scalars,
        shared: frozenset[int] = frozenset(),
        *,
        root: int = -1,
        made: list[Frame] | None = None,
    ) -> None:
        """Derive the frames; nothing is computed for links that nobody asks for.

        Args:
            tree: The links.
            q: Coordinates.
            shared: Hinges that keep the axes of the link before them.
            root: The link from whose axes E everything is seen; -1 for the ground. Only what hangs on it can be asked.
            made: The frames of these coordinates and hinges, where they are known: they are the same from everywhere.
        """
        self.tree = tree
        self.frames: list[Frame] = frames(tree, q, shared) if made is None else made
        self.q = q
        self.root = root
        self._rotations: dict[int, Matrix] = {root: IDENTITY}
        self._origins: dict[int, Vector] = {root: ZERO}
        self._arms: dict[int, Vector] = {}

    def rotation(self, link: int) -> Matrix:
        """R_WE of a link."""
        return world_rotation(self.frames, self.tree, link, self._rotations)

    def origin(self, link: int) -> Vector:
        """p_WE of a link [m]."""
        path = []
        at = link
        while at not in self._origins:
            path.append(at)
            at = self.tree.links[at].parent
        for at in reversed(path):
            self._origins[at] = self._origins[self.tree.links[at].parent] + self.arm(at)
        return self._origins[link]

    def arm(self, link: int) -> Vector:
        """The way from the origin of the link before to that of a link [m]."""
        if link not in self._arms:
            parent = self.tree.links[link].parent
            offset = link_offset(self.tree.links[link], self.frames[parent] if parent >= 0 else None, self.q)
            self._arms[link] = self.rotation(parent) @ offset
        return self._arms[link]

    def reach(self, body: int, p: Vector3) -> Vector:
        """The way from the origin of a body's link to a point fixed in the body [m]."""
        link, R, origin = self.tree.places[body]
        return self.rotation(link) @ self._in_axes(link, Vector(*origin) + Matrix(*R) @ p)

    def place(self, body: int, p: Vector3) -> Vector:
        """p_WP of a point fixed in a body [m]."""
        return self.origin(self.tree.places[body][0]) + self.reach(body, p)

    def axes(self, body: int, R_BF: Rotation) -> Matrix:
        """R_WF of a frame fixed in a body."""
        link, R, _ = self.tree.places[body]
        local = Matrix(*R) @ Matrix(*R_BF)
        if link >= 0:
            local = Matrix(*(self._in_axes(link, column) for column in local.T)).T
        return self.rotation(link) @ local

    def _in_axes(self, link: int, v: Scalars) -> Vector:
        theta = self.frames[link].theta if link >= 0 else None
        return Vector(*v) if theta is None else turn_z(*theta, v)

    def jacobian(self, body: int, p: Vector3) -> list[list[Scalar]]:
        """Six rows of nv: angular velocity of a body, then velocity of one of its points, per unit velocity, in W."""
        J: list[list[Scalar]] = [[0.0] * self.tree.nv for _ in range(6)]
        at = self.tree.places[body][0]
        tip = self.reach(body, p)  # from the origin of the link that is looked at
        while at != self.root:
            link = self.tree.links[at]
            for column, (turn, slide) in self.columns(at):
                velocity = slide if turn is None else cross(turn, tip)
                for row in range(3):
                    J[row][column] = 0.0 if turn is None else turn[row]
                    J[row + 3][column] = velocity[row]
            tip = self.arm(at) + tip
            at = link.parent
        return J

    def columns(self, at: int) -> list[tuple[int, tuple[Vector | None, Vector]]]:
        """What each velocity of a joint does: an angular velocity, or a velocity of the link's origin."""
        link, R = self.tree.links[at], self.rotation(at)
        columns = R.T
        if link.kind == "turn":
            return [(link.first_v, (link.sign * columns[2], ZERO))]
        if link.kind == "slide":
            axis = link.axis if link.parent < 0 else self.frames[link.parent].local(link.axis)
            return [(link.first_v, (None, R @ axis))]
        found: list[tuple[int, tuple[Vector | None, Vector]]] = [
            (link.first_v + i, (column, ZERO)) for i, column in enumerate(columns)
        ]
        if link.kind == "free":
            found += [(link.first_v + 3 + i, (None, column)) for i, column in enumerate(columns)]
        return found
