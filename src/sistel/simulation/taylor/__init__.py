"""Explicit steps of high order: Taylor series in machine code, from event to event."""

from __future__ import annotations

from sistel.simulation.taylor._driver import EVENTS

__all__ = ["EVENTS"]
