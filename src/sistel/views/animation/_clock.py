"""The clock of an animation: times of a run as shares of its cycle, as they are written."""

from __future__ import annotations

import math

from sistel.records import entry

HOLD = 0.6
"""How long the last posture stands before everything begins anew [s]."""
GRID = 5e-4
"""Times between which keys need not be told apart [s]."""
EXACT = 9
"""Decimals of the times of events."""


@entry
class Clock:
    """One cycle of an animation."""

    begin: float
    """Time of the run at its beginning [s]."""
    end: float
    speed: float
    """How much faster than the run it goes."""

    @property
    def cycle(self) -> float:
        """How long it lasts [s]."""
        return float(f"{(self.end - self.begin) / self.speed + HOLD:.6f}")

    @property
    def decimals(self) -> int:
        """Of shares that need not be exact."""
        return max(4, math.ceil(math.log10(self.cycle * self.speed / GRID)))

    def share(self, t: float) -> float:
        """Of the cycle at a time of the run."""
        return min(max((t - self.begin) / self.speed / self.cycle, 0.0), 1.0)

    def time(self, share: float) -> float:
        """Of the run at a share of the cycle [s]."""
        return self.begin + share * self.cycle * self.speed

    def rounded(self, t: float, decimals: int | None = None) -> float:
        """The time that is meant when a time is written with few decimals [s]."""
        return self.time(round(self.share(t), self.decimals if decimals is None else decimals))


def number(x: float, decimals: int) -> str:
    """A number as short as it can be written."""
    text = f"{x:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", "", "-"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
