"""Functional schemes at work: what a tick computes, what jumps, and what reads the motion that it makes."""

from sistel.control._ticks import asks_dynamics, dynamics_path, reads_dynamics, tick, updated

__all__ = ["asks_dynamics", "dynamics_path", "reads_dynamics", "tick", "updated"]
