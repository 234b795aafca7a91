"""What JSON documents of several commands say alike."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sistel.simulation import Event


def finite(value: float) -> float | None:
    """A number that JSON knows; None for what is infinite or none at all."""
    return float(value) if math.isfinite(value) else None


def event_data(event: Event) -> dict[str, object]:
    """An event: when, by which transition, between which structures, and what it takes [s, J]."""
    return {
        "time": event.time,
        "transition": event.transition,
        "before": event.before,
        "after": event.after,
        "energy_loss": event.energy_loss,
    }
