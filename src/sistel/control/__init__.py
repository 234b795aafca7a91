"""Functional schemes at work: what a tick computes, and what jumps."""

from sistel.control._ticks import tick, updated

__all__ = ["tick", "updated"]
