"""Pinocchio's C++ library as an engine of the races."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from _coordinates import Coordinates, pinocchio_coordinates
from _engine import Engine
from _robots import Pair, States, dump


class Pinocchio(Engine):
    """One robot in the loops of peers/pinocchio_race.cpp."""

    tasks: ClassVar = {
        "RNEA": [["rnea"]],
        "CRBA": [["crba local", "crba world"]],
        "FD": [["aba local", "aba world", "crba local + cholesky", "crba world + cholesky"]],
        "FK+J": [
            # Forward kinematics of all bodies, and the Jacobian of the tool from those of all joints …
            ["joint jacobians, local", "joint jacobians, world", "joint jacobians, aligned"],
            # … or nothing but the tool's, from the joints that carry it.
            ["frame jacobian, world", "frame jacobian, aligned"],
        ],
    }
    solving = frozenset(tasks["FD"][0])
    tolerance = 1e-13

    def __init__(self, pair: Pair, library: Any) -> None:
        super().__init__(pair, library, dump(pair))

    def convert(self, states: States) -> Coordinates:
        return pinocchio_coordinates(self.pair, states)

    def align(self, task: str, R: Any, p: Any, J: Any) -> Any:
        if task.endswith("local"):
            return np.concatenate([R @ J[:, :3], R @ J[:, 3:]], axis=1)
        if task.endswith("world"):
            # The velocity of the frame's origin is that at the origin of the world, and ω × p.
            return np.concatenate([J[:, :3] + np.cross(J[:, 3:], p[:, :, None], axis=1), J[:, 3:]], axis=1)
        return J
