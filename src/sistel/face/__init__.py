"""The face of a system, one theme a file: what it is, its dynamics, its structures, its motions."""

from sistel.face._lesson import Lessons
from sistel.face._motions import Motions
from sistel.face._refusals import refuse, unknown
from sistel.face._travel import Travels

__all__ = ["Lessons", "Motions", "Travels", "refuse", "unknown"]
