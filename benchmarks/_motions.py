"""Motions that are raced: systems of the gallery, how long they go, and the true answers that errors are taken from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from _bench import ROOT

import sistel

TOLERANCES = (*(10.0**-power for power in range(2, 16)), 2.0**-52)


@dataclass(frozen=True)
class Motion:
    """A motion with a known answer."""

    key: str
    title: str
    title_ru: str
    until: float
    """When a simulation ends [s]."""
    truth: tuple[float, ...]
    """The absolute places at the end, or the time of the last strike."""
    strikes: int = 0
    """How many; without, the answer is the state at the end."""
    model: str = ""
    """File in the gallery, where it is not the key."""
    replaced: tuple[tuple[str, str], ...] = ()
    """Changes to the text of the file."""

    def error(self, found: Sequence[float]) -> float:
        """Of an answer, against the largest number of the truth; none is as bad as can be."""
        if len(found) != len(self.truth):
            return float("inf")
        truth = np.array(self.truth)
        return float(np.abs(np.array(found) - truth).max() / np.abs(truth).max())

    @property
    def file(self) -> str:
        """Name of the file in the gallery."""
        return self.model or self.key

    @cached_property
    def system(self) -> Any:
        text = (ROOT / "models" / f"{self.file}.xml").read_text(encoding="utf-8")
        for old, new in self.replaced:
            assert old in text, f"{self.key}: {old} is not in the file"
            text = text.replace(old, new)
        return sistel.parse(text)

    def answer(self, run: Any) -> list[float]:
        """What a run of sistel says."""
        if self.strikes:
            return [run.events[self.strikes - 1].time] if len(run.events) >= self.strikes else []
        q = run.q[-1]
        return list(np.cumsum(q) if self.key == "chain5" else q)  # a joint measures a body against its base


COMPASS_PERIOD = 0.73446062133643889202
WHEEL_PERIOD = 0.8138721971472062830
POINT_PERIOD = 1.03454981142327932896

MOTIONS = {
    motion.key: motion
    for motion in (
        # Recomputed in 25 and more digits; closed forms for the wheels and the ball.
        Motion(
            "cart_pole",
            "cart-pole, 10 s",
            "тележка с маятником, 10 с",
            10.0,
            (-0.009721799093747344, 2.822491731802588),
        ),
        Motion(
            "chain5",
            "chain of five rods, 10 s",
            "цепь из пяти стержней, 10 с",
            10.0,
            (0.14406950068917566, 0.19794620023305423, 0.2672799779531338, 0.18183953954535472, 0.7687942116382532),
        ),
        Motion(
            "compass_walker",
            "compass walker, 25 steps",
            "шагающий циркуль, 25 шагов",
            25.5 * COMPASS_PERIOD,
            (25 * COMPASS_PERIOD,),
            25,
        ),
        Motion(
            "rimless_wheel",
            "rimless wheel, 25 steps",
            "колесо без обода, 25 шагов",
            25.5 * WHEEL_PERIOD,
            (25 * WHEEL_PERIOD,),
            25,
        ),
        Motion(
            "point_wheel",
            "rimless wheel, all mass in the hub",
            "колесо без обода, вся масса в ступице",
            25.5 * POINT_PERIOD,
            (25 * POINT_PERIOD,),
            25,
            "rimless_wheel",
            (
                ('"0.25 kg*m^2" min="0.001 kg*m^2"', '"1e-9 kg*m^2" min="0 kg*m^2"'),
                ("1.166370980440465207962411 rad/s", "1.09546283964765682837 rad/s"),
            ),
        ),
        Motion("bouncing_ball", "ball, 10 bounces", "мяч, 10 отскоков", 3.6, (3.578892951020438,), 10),
        Motion(
            "written_ball",
            "ball, bounces written as a transition",
            "мяч, отскок записан переходом",
            3.6,
            (3.578892951020438,),
            10,
            "bouncing_ball",
            (
                (
                    'restitution="e"/>',
                    'restitution="e"/><structure name="flies"/><transition from="flies" to="flies" impact="newton" '
                    'restitution="e" when="gap(floor) falls through 0"/>',
                ),
            ),
        ),
    )
}


class Runner(Protocol):
    """One who simulates a motion: sistel or another."""

    version: str
    steady: bool
    """Whether an error is that of many runs, so that no luck is in it."""

    def settings(self, motion: Motion) -> Sequence[Any]:
        """From the quickest to the most exact."""

    def run(self, motion: Motion, setting: Any) -> tuple[float, float]:
        """Processor's time [s] and error."""

    def word(self, setting: Any) -> str:
        """What a setting is called."""


class Sistel:
    """`System.simulate`, warm, with its `Run`."""

    version = sistel.__version__
    steady = False

    def settings(self, motion: Motion) -> Sequence[float]:
        return TOLERANCES

    def run(self, motion: Motion, setting: float) -> tuple[float, float]:
        simulate = motion.system.simulate
        start = time.process_time()
        found = simulate(motion.until, tolerance=setting)
        spent = time.process_time() - start
        return spent, motion.error(motion.answer(found))

    def word(self, setting: float) -> str:
        return f"tolerance {setting:.0e}"


def choose(runner: Runner, motion: Motion, target: float) -> tuple[Any, float] | None:
    """The first setting that meets an error together with the next one, so that no lucky run counts, and its error."""
    before: tuple[Any, float] | None = None
    for setting in runner.settings(motion):
        error = runner.run(motion, setting)[1]
        if error <= target and (runner.steady or before is not None):
            return before or (setting, error)
        before = (setting, error) if error <= target else None
    return before
