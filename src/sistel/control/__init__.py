"""Functional schemes at work: what a tick computes, what jumps, what reads the motion that it makes; what differs."""

from sistel.control._compare import Difference, attribute_word, compare_schemes
from sistel.control._ticks import asks_dynamics, dynamics_path, reads_dynamics, restless, tick, updated

__all__ = [
    "Difference",
    "asks_dynamics",
    "attribute_word",
    "compare_schemes",
    "dynamics_path",
    "reads_dynamics",
    "restless",
    "tick",
    "updated",
]
