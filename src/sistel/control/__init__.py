"""Functional schemes at work: what a tick computes, what jumps; what differs between two schemes."""

from sistel.control._compare import Difference, attribute_word, compare_schemes
from sistel.control._ticks import restless, tick, updated

__all__ = [
    "Difference",
    "attribute_word",
    "compare_schemes",
    "restless",
    "tick",
    "updated",
]
