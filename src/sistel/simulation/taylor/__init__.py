"""Explicit steps of high order: Taylor series in machine code, from event to event."""

from __future__ import annotations

from sistel.simulation.taylor._driver import EVENTS
from sistel.simulation.taylor._turns import FUNCTIONS as TURNS

__all__ = ["EVENTS", "TURNS"]
