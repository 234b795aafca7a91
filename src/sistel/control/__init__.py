"""Functional schemes at work: what a tick computes, and what jumps; and what differs between two of them."""

from sistel.control._compare import Difference, attribute_word, compare_schemes
from sistel.control._ticks import asks_dynamics, restless, tick, updated

__all__ = ["Difference", "asks_dynamics", "attribute_word", "compare_schemes", "restless", "tick", "updated"]
