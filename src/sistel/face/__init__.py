"""The face of a system, one theme a file: what it is, its dynamics, its structures, its motions."""

from sistel.face._held import rests_on_idle_motors
from sistel.face._refusals import refuse, unknown
from sistel.face._system import System

__all__ = ["System", "refuse", "rests_on_idle_motors", "unknown"]
