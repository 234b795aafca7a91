"""How a quantity of a run answers to a step: overshoot, peak, settling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.arrays import Array

SAMPLES = 4001
"""Moments of a run that are looked at first."""
AROUND = 21
"""Moments that are looked at around a place that is searched for; and how often they come closer."""
ROUNDS = 9


@dataclass(frozen=True, slots=True)
class StepResponse:
    """The answer of a quantity to a step of its task.

    Attributes:
        start: Where it begins, in the unit of the quantity.
        target: Where it should go.
        overshoot: How far it goes beyond, as a part of the step; 0 where it does not.
        peak: When it is farthest beyond, after the beginning [s]; not a number where it never is.
        settling: After which time it stays near the target [s]; infinite where it does not within the run.
        band: How near that is, as a part of the step.
        error: What is left at the end.
    """

    start: float
    target: float
    overshoot: float
    peak: float
    settling: float
    band: float
    error: float

    def __str__(self) -> str:
        """In a line."""
        return (
            f"overshoot {100 * self.overshoot:.3g} % at {self.peak:.4g} s, settles within {100 * self.band:g} % in "
            f"{self.settling:.4g} s, error {self.error:.3g}"
        )


def step_response(
    value: Callable[[Array], Array], begin: float, end: float, target: float, band: float
) -> StepResponse:
    """The answer of a function of the time to a step.

    Args:
        value: Of times [s].
        begin: When the step is [s].
        end: When to stop looking [s].
        target: Where it should go.
        band: What counts as near, as a part of the step.
    """
    times = np.linspace(begin, end, SAMPLES)
    found = value(times)
    step = target - float(found[0])
    if step == 0.0 or not band > 0.0:
        refuse(
            "no-step",
            Text("there is no step: the quantity begins at its target", "скачка нет: величина начинается со своей цели")
            if step == 0.0
            else Text("the band has to be positive", "полоса должна быть положительной"),
        )

    def beyond(t: Array) -> Array:
        return (value(t) - target) / step

    part = (found - target) / step
    place = int(np.argmax(part))
    peak, most = float(times[place]), float(part[place])
    width = float(times[1] - times[0])
    for _ in range(ROUNDS):
        near = np.clip(np.linspace(peak - width, peak + width, AROUND), begin, end)
        there = beyond(near)
        place = int(np.argmax(there))
        peak, most, width = float(near[place]), float(there[place]), width / (AROUND // 4)
    off = np.flatnonzero(np.abs(part) > band)
    settling = 0.0
    if off.size and off[-1] == SAMPLES - 1:
        settling = np.inf
    elif off.size:
        low, high = float(times[off[-1]]), float(times[off[-1] + 1])
        for _ in range(ROUNDS):
            near = np.linspace(low, high, AROUND)
            last = int(np.flatnonzero(np.abs(beyond(near)) > band)[-1]) if (np.abs(beyond(near)) > band).any() else 0
            low, high = float(near[last]), float(near[min(last + 1, AROUND - 1)])
        settling = low - begin
    return StepResponse(
        start=float(found[0]),
        target=target,
        overshoot=max(most, 0.0),
        peak=peak - begin if most > 0.0 else float("nan"),
        settling=settling,
        band=band,
        error=target - float(found[-1]),
    )
