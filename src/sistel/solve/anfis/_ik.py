"""Inverse kinematics by networks: one per joint, from the pose of the tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record
from sistel.solve.anfis._arms import RADIUS, Arm, Ends, Lesson, Order, Progress, joint_ranges, teach
from sistel.solve.anfis._checks import as_count, one_of
from sistel.solve.anfis._errors import Errors
from sistel.solve.anfis._poses import (
    NAMES,
    Orientation,
    angles_of,
    as_poses,
    inputs_of,
    middle_of,
    place_errors,
    turn_errors,
)
from sistel.solve.anfis._reports import IkReport
from sistel.solve.anfis._solver import compare

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.solve.anfis._network import Anfis
    from sistel.solve.anfis._structure import Clustering


COMPARED = 100
"""Targets that a solver answers too, for the report."""


@record
class IkNets:
    """Networks that answer where the joints are when the tool is there."""

    networks: tuple[Anfis, ...]
    """One per coordinate."""
    joints: tuple[str, ...]
    """Names of the coordinates."""
    frame: str
    orientation: Orientation
    uses: tuple[int, ...]
    """Which of the inputs vary, and so are used."""
    middle: Array
    """Mean angles of the data, shape (3,) [rad]: jumps by a turn are put opposite to them."""
    low: Array
    """Learnt ranges of the coordinates, shape (nq,) [m or rad]."""
    high: Array
    """Shape (nq,) [m or rad]."""
    fingerprint: str
    """Of the system that they were trained for."""
    report: IkReport

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs of every network [m, rad]."""
        return tuple(NAMES[self.orientation][index] for index in self.uses)

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of every network, see `node_count`."""
        return tuple(network.nodes for network in self.networks)

    def predict(self, target: ArrayLike) -> Array:
        """Coordinates for targets; they need not reach them, see `report`.

        Args:
            target: Poses of the frame in the world, shape (..., 4, 4) [m]; points, shape (..., 3), where the
                orientation does not matter.

        Returns:
            Shape (..., nq) [m or rad].
        """
        poses = as_poses(target, self.orientation)
        x = inputs_of(poses, self.orientation, self.middle)[..., list(self.uses)]
        return np.stack([network.predict(x) for network in self.networks], axis=-1)


def as_seed(nets: IkNets, target: ArrayLike) -> Array:
    """Coordinates from which a solver of inverse kinematics may start: predictions, within the learnt ranges.

    Args:
        nets: Networks of the arm.
        target: As for `IkNets.predict`.

    Returns:
        Shape (..., nq) [m or rad].
    """
    return np.asarray(np.clip(nets.predict(target), nets.low, nets.high))


def train_ik(
    system: Arm,
    frame: str,
    samples: int = 3000,
    *,
    orientation: Orientation = "angles",
    rules: int | Sequence[int] = 25,
    clustering: Clustering = "subtractive",
    radius: float = RADIUS,
    epochs: int = 30,
    step: float = 0.1,
    low: Ends = None,
    high: Ends = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> IkNets:
    """Teach networks the inverse kinematics of an arm from postures drawn within its limits.

    Where several postures reach one pose, a network can but average them: narrow the ranges to one of them.

    Args:
        system: An open chain of turns and slides.
        frame: Body, frame or point of the tool.
        samples: Postures to learn from; a third as many more check the learning, and as many again test it.
        orientation: By three angles (roll, pitch, yaw), by two axes, or not at all.
        rules: Of every network, or of each.
        clustering: "subtractive" or "fcm".
        radius: Of subtractive clustering, of the box of the data.
        epochs: Most epochs of every network.
        step: First step of the premises, see `train`.
        low: Least coordinates, shape (nq,) [m or rad]; or by name; by default the limits of the
            joints, -π for turns without one.
        high: Greatest coordinates, as `low`.
        seed: Of the draw; equal seeds give equal networks.
        progress: Told the joint and its epoch; an answer of False ends all learning.
    """
    one_of(orientation, "orientation", tuple(NAMES))
    model = system.model
    begin, end = joint_ranges(model, low, high)
    count = as_count(samples, "samples", least=10)
    order = Order(
        rules=rules, clustering=clustering, radius=radius, epochs=epochs, step=step, seed=seed, progress=progress
    )
    rng = np.random.default_rng(as_count(seed, "seed", 0, 2**63))
    third = max(count // 3, 4)
    q = rng.uniform(begin, end, size=(count + 2 * third, model.nq))
    poses = np.asarray(system.pose(q, frame))
    middle = middle_of(angles_of(poses[:count, :3, :3]))
    x = inputs_of(poses, orientation, middle)
    # A planar arm has no third coordinate to learn from.
    varying = np.ptp(x[:count], axis=0) > 1e-9 * max(float(np.abs(x[:count]).max()), 1e-300)
    uses = tuple(int(index) for index in np.flatnonzero(varying))
    x = x[:, list(uses)]
    learn, check, test = slice(count), slice(count, count + third), slice(count + third, None)
    lessons = [
        Lesson(name=name, x=x[learn], y=q[learn, i], checks=(x[check], q[check, i]))
        for i, name in enumerate(model.coordinate_names)
    ]
    networks, cut = teach(lessons, order)
    found = np.stack([network.predict(x[test]) for network in networks], axis=-1)
    reached = np.asarray(system.pose(np.clip(found, begin, end), frame))
    errors, seeding = compare(system, frame, orientation, poses[test][:COMPARED], np.clip(found, begin, end)[:COMPARED])
    report = IkReport(
        joints=tuple(model.coordinate_names),
        errors=tuple(Errors.of(column) for column in (found - q[test]).T),
        spreads=tuple(float(value) for value in q[test].std(axis=0)),
        place=Errors.of(place_errors(reached, poses[test])),
        turn=None if orientation == "none" else Errors.of(turn_errors(reached, poses[test])),
        solver=errors,
        seeding=seeding,
        samples=count,
        cut=cut,
    )
    return IkNets(
        networks=networks,
        fingerprint=model.fingerprint,
        joints=tuple(model.coordinate_names),
        frame=frame,
        orientation=orientation,
        uses=uses,
        middle=middle,
        low=begin,
        high=end,
        report=report,
    )
