"""The vocabulary by which phrases are read, for readers in other languages: scripts of scenes."""

from sistel.pose._phrases import AWAY, IDLE, LONGEST, MISTYPED, TOWARDS, WORDS

__all__ = ["AWAY", "IDLE", "LONGEST", "MISTYPED", "TOWARDS", "WORDS"]
