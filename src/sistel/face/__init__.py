"""The face of a system, one theme a file: what it is, its dynamics, its structures, its motions."""

from sistel.face._motions import Motions
from sistel.face._refusals import refuse, unknown

__all__ = ["Motions", "refuse", "unknown"]
