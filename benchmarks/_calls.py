"""Engines called from Python, each in a process of its own (peers/calls.py), so that any may live in an environment of
its own; rounds go from one process to the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _bench import ROOT
from _coordinates import Coordinates, mujoco_coordinates, pinocchio_coordinates
from _mujoco import mjcf
from _native import Missing
from _robots import Pair, States, placement

WORKER = Path(__file__).resolve().parent / "peers" / "calls.py"
INSTALL = {"pinocchio": "pin", "mujoco": "mujoco", "drake": "drake", "rtb": "roboticstoolbox-python"}
TITLES = {
    "sistel": "sistel",
    "pinocchio": "Pinocchio",
    "mujoco": "MuJoCo",
    "drake": "Drake",
    "rtb": "Robotics Toolbox",
}
FIXED_ONLY = ("drake", "rtb")
"""Engines that race with arms only: their free bases would need coordinates of their own."""


class Worker:
    """One engine in its process, with one robot."""

    def __init__(self, engine: str, pair: Pair, states: States, folder: Path, python: str | None = None) -> None:
        self.engine = engine
        self.pair = pair
        self.folder = folder
        self.states = coordinates(engine, pair, states)
        self._write()
        command = [python or sys.executable, str(WORKER), engine, str(folder)]
        # Another environment reads sistel from this checkout; the cache of kernels is the user's own in any case.
        environment = os.environ if python is None else {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        hello = json.loads(self._line())
        if "missing" in hello:
            self.close()
            raise Missing(
                f"{TITLES[engine]} is missing (pip install {INSTALL.get(engine, engine)}): {hello['missing']}"
            )
        self.version: str = hello["version"]
        self.cases: list[str] = hello["cases"]

    def seconds(self, case: str, calls: int) -> float:
        """Of one call, over so many calls."""
        return float(self._ask("time", case, str(calls)))

    def results(self) -> dict[str, list[Any]]:
        """For every case, rows of the blocks that sistel gives, in its coordinates."""
        self._ask("results")
        nv, s = self.pair.system.nv, self.states
        found: dict[str, list[Any]] = {}
        with np.load(self.folder / "results.npz") as rows:
            for case in self.cases:
                out, quantity = rows[case], case.split(",")[0]
                if quantity == "RNEA":
                    found[case] = [s.forces(out)]
                elif quantity == "FD":
                    found[case] = [s.accelerations(out)]
                elif quantity == "CRBA":
                    M = out.reshape(-1, nv, nv)
                    if self.engine == "pinocchio":  # the lower triangle is left empty
                        M = np.triu(M) + np.swapaxes(np.triu(M, 1), 1, 2)
                    found[case] = [s.matrices(M).reshape(len(out), -1)]
                else:
                    J = out[:, 12:].reshape(-1, 6, nv)
                    if self.engine in ("sistel", "drake"):  # angular first
                        J = J[:, [3, 4, 5, 0, 1, 2]]
                    pose, J = s.frames(out[:, :9].reshape(-1, 3, 3), out[:, 9:12], J)
                    found[case] = [pose.reshape(len(out), -1), J.reshape(len(out), -1)]
        return found

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def _ask(self, *words: str) -> str:
        assert self.process.stdin
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            self.close()
            raise Missing(f"{TITLES[self.engine]} stopped with status {self.process.returncode}")
        return line

    def _write(self) -> None:
        robot = self.pair.robot
        data: dict[str, Any] = {
            "base": robot.base,
            "tool": robot.frame,
            "root": self.pair.system.bodies[0].name,
            "urdf": robot.urdf(self.folder).name,
            "mjcf": "robot.xml",
        }
        if robot.base == "fixed":
            data |= _links(self.pair)
        (self.folder / "robot.xml").write_text(mjcf(self.pair), encoding="utf-8")
        (self.folder / "robot.json").write_text(json.dumps(data), encoding="utf-8")
        s = self.states
        np.savez(self.folder / "states.npz", q=s.q, v=s.v, a=s.a, tau=s.tau)


def coordinates(engine: str, pair: Pair, states: States) -> Coordinates:
    """States as an engine has them."""
    if engine == "mujoco":
        return mujoco_coordinates(pair, states)
    if engine == "pinocchio" or engine in FIXED_ONLY:  # arms have the same coordinates everywhere
        return pinocchio_coordinates(pair, states)
    nv = pair.system.nv
    T = np.broadcast_to(np.eye(nv), (len(states.q), nv, nv))
    return Coordinates(states.q, states.v, states.a, states.tau, T, np.zeros_like(states.v), np.zeros(3))


def _links(pair: Pair) -> Mapping[str, Any]:
    """An arm as modified Denavit–Hartenberg links, where it is one, and as a chain of placements."""
    links, placements = [], []
    for number in range(1, pair.model.njoints):
        R, p = (np.array(part) for part in placement(pair.model.jointPlacements[number]))
        R, inertia = R.reshape(3, 3), pair.model.inertias[number]
        alpha = float(np.arctan2(R[2, 1], R[1, 1]))
        d = float(-p[1] * np.sin(alpha) + p[2] * np.cos(alpha))
        links.append(
            {
                "a": float(p[0]),
                "d": d,
                "alpha": alpha,
                "m": inertia.mass,
                "r": inertia.lever.tolist(),
                "I": inertia.inertia.tolist(),
            }
        )
        placements.append(_matrix(R, p))
    R, p = (np.array(part) for part in placement(pair.tool[1]))
    return {"links": links, "placements": placements, "tool_placement": _matrix(R.reshape(3, 3), p)}


def _matrix(R: Any, p: Any) -> list[list[float]]:
    return [[*R[i].tolist(), float(p[i])] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]]
