"""Functional schemes at work: what a tick computes, and what jumps."""

from sistel.control._ticks import asks_dynamics, tick, updated

__all__ = ["asks_dynamics", "tick", "updated"]
