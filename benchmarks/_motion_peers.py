"""Those who race sistel over whole motions: MuJoCo, an integrator written by hand, and engines in other processes."""

from __future__ import annotations

import ctypes
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from _motion_mujoco import MuJoCo
from _motions import MOTIONS, TOLERANCES, Motion
from _native import OPTIMISED, SOURCES, Missing, build, clang, load

NEAR = tuple(1.0 + 0.01 * number for number in range(8))
"""Step sizes over which MuJoCo's error is taken: single runs are lucky."""
FINER = 1.5
"""From one step size to the next."""
COARSEST = {"compass_walker": 1.5e-4, "rimless_wheel": 2e-4, "bouncing_ball": 1.2e-6}
"""Steps from which on it is tried [s]; longer ones, down from 1 ms, are far from the errors of the races."""
CONTACTS = {"compass_walker": ("ratio 10", "ratio 100"), "rimless_wheel": ("ratio 100", "damper")}
"""What MuJoCo's contacts may be: of ratios 1, 2, 4, 10, 20, 40, 100 and a damper alone, those that came out best."""
RESTITUTION = 0.8
DAMPING = 0.07435509709764059
"""Damping ratio of a spring that returns `RESTITUTION` of the speed, where it cannot pull."""


class MuJoCoRunner:
    """MuJoCo's steps in C, tuned; a setting is the step and what its contacts are."""

    steady = True

    def __init__(self, kind: str = "soft") -> None:
        self.kind = kind
        self._found: dict[str, MuJoCo] = {}
        self.version = self._engine(MOTIONS["cart_pole"]).version

    def _engine(self, motion: Motion) -> MuJoCo:
        if motion.file not in self._found:
            self._found[motion.file] = MuJoCo(motion.file, *_start(motion))
        return self._found[motion.file]

    def settings(self, motion: Motion) -> Sequence[tuple[float, str]]:
        if not motion.strikes:
            return [(0.004 / 1.1**number, "RK4") for number in range(40)]
        ball = "one step" if self.kind == "one step" else "spring"
        names = CONTACTS.get(motion.file, (ball,))
        first = COARSEST[motion.file] if self.kind == "soft" else 0.002
        return [(first / FINER**number, name) for number in range(20) for name in names]

    def run(self, motion: Motion, setting: tuple[float, str]) -> tuple[float, float]:
        """The mean time and the root of the mean square error of runs with nearby steps."""
        runs = [self.once(motion, (setting[0] * factor, setting[1])) for factor in NEAR]
        seconds, errors = zip(*runs, strict=True)
        return float(np.mean(seconds)), float(np.sqrt(np.mean(np.square(errors))))

    def once(self, motion: Motion, setting: tuple[float, str]) -> tuple[float, float]:
        dt, name = setting
        engine = self._engine(motion)
        if not motion.strikes:
            count = round(motion.until / dt)
            spent, end = engine.steps(motion.until / count, count)
            places = end[: len(end) // 2]
            return spent, motion.error(np.cumsum(places) if motion.file == "chain5" else places)
        feet, ahead = {"compass_walker": (2, 0.1), "rimless_wheel": (8, 0.0), "bouncing_ball": (1, 0.0)}[motion.file]
        spent, times = engine.strikes(dt, _reference(name, dt), feet, ahead, 1.1 * motion.until, motion.strikes)
        return spent, motion.error([times[-1]])

    def word(self, setting: tuple[float, str]) -> str:
        return f"dt {setting[0]:.2g} s, {setting[1]}"


def _start(motion: Motion) -> tuple[list[float], list[float]]:
    """The initial state of the gallery's file, in MuJoCo's coordinates: its z is up."""
    start = motion.system.model.start
    q, v = list(start.q), list(start.v)
    if motion.file in ("compass_walker", "rimless_wheel"):
        q[1], v[1] = -q[1], -v[1]
    return q, v


def _reference(name: str, dt: float) -> tuple[float, float]:
    """MuJoCo's `solref`: a time constant and a ratio of damping, or stiffness and damping with minus signs."""
    word, _, number = name.partition(" ")
    if word == "ratio":
        return 2 * dt, float(number)
    if word == "spring":
        # A stiff spring takes little time, but few steps, so that what it returns depends on the moment of the touch:
        # the one grows as the step over the angle of the oscillation in it, the other as the angle.
        angle = math.sqrt(180 * dt)
        return dt / (angle * DAMPING), DAMPING
    if word == "damper":
        return -1e-9, -1 / dt
    return -1e-9, -(1 + RESTITUTION) / dt  # one step: the speed turns around in the step after the touch


class Hand:
    """Integrators written by hand in C++ (peers/hand_motion.cpp); a setting is the order."""

    version = "C++, clang -O3"
    steady = False
    ROOM = 4096

    def __init__(self) -> None:
        self.library = load(build(clang("clang++"), SOURCES / "hand_motion.cpp", (*OPTIMISED, "-std=c++17")))
        pointer, whole, number = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self.library.hand_motion.argtypes = (whole, whole, pointer, number, whole, pointer, pointer, pointer, whole)
        self.library.hand_motion.restype = whole
        self.times, self.begin, self.kept = np.zeros(64), np.zeros(2 * self.ROOM), np.zeros(self.ROOM * 4 * 21)

    def settings(self, motion: Motion) -> Sequence[int]:
        return range(4, 21)

    def run(self, motion: Motion, setting: int) -> tuple[float, float]:
        start = motion.system.model.start
        which = ("cart_pole", "compass_walker").index(motion.key)
        y = np.array([*start.q, *start.v] if which == 0 else [*start.q[2:], *start.v[2:]])
        begin = time.process_time()
        steps = self.library.hand_motion(
            which,
            setting,
            y.ctypes.data,
            motion.until,
            motion.strikes,
            self.times.ctypes.data,
            self.begin.ctypes.data,
            self.kept.ctypes.data,
            self.ROOM,
        )
        spent = time.process_time() - begin
        assert 0 < steps < self.ROOM
        return spent, motion.error([self.times[motion.strikes - 1]] if motion.strikes else y[:2])

    def word(self, setting: int) -> str:
        return f"order {setting}"


class Worker:
    """heyoka or Drake in a process of its own (peers/motions.py); a setting is the accuracy asked."""

    steady = False

    def __init__(self, engine: str, python: str | None = None, dense: bool = False) -> None:
        """Start it; with `dense` its runs keep what gives the state at any time, as those of sistel do."""
        self.dense = dense
        command = [python or sys.executable, str(Path(SOURCES, "motions.py")), engine]
        self.engine = engine
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hello = json.loads(self._line())
        if "missing" in hello:
            self.close()
            raise Missing(f"{engine} is missing (pip install {engine}): {hello['missing']}")
        self.version: str = hello["version"]

    def settings(self, motion: Motion) -> Sequence[float]:
        return [tolerance / part for tolerance in TOLERANCES for part in (1, 2, 5)][:-2]

    def run(self, motion: Motion, setting: float) -> tuple[float, float]:
        system = "rimless_wheel" if motion.key == "point_wheel" else motion.key
        answer = self.ask({"system": system, "accuracy": setting, "dense": self.dense})
        found = answer["result"]
        if self.engine == "drake":
            found = _strike_of(motion, found)
        elif motion.strikes:
            found = found[motion.strikes - 1 : motion.strikes]
        else:
            found = found[:2]
        return answer["seconds"], motion.error(found)

    def word(self, setting: float) -> str:
        return f"accuracy {setting:.0e}"

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self._line()))

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def _line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            self.close()
            raise Missing(f"{self.engine} stopped with status {self.process.returncode}")
        return line


@cache
def _end(motion: Motion) -> tuple[float, float]:
    """Where the hip or the hub is along the slope half a step after the last strike [m], and its speed [m/s]."""
    run = motion.system.simulate(motion.until)
    assert motion.error(motion.answer(run)) < 1e-8  # the hub of the wheel has an inertia of 1e-9 kg·m²
    return float(run.q[-1, 0]), float(run.v[-1, 0])


def _strike_of(motion: Motion, found: Sequence[float]) -> list[float]:
    """Drake tells states, not times: a walker that is ahead of the true one by so much has struck so much earlier."""
    place, speed = _end(motion)
    slope = 0.0525 if motion.key == "compass_walker" else 0.08
    reached = found[0] + math.sin(found[1] - slope)
    return [motion.truth[0] - (reached - place) / speed]
