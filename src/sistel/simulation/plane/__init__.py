"""Many free bodies whose shapes touch in the plane: one loop in machine code for all of them, contacts are data."""

from sistel.simulation.plane._crowd import DEEP, FEW, MANY_SIDES, Crowd, crowd_of, is_many

__all__ = ["DEEP", "FEW", "MANY_SIDES", "Crowd", "crowd_of", "is_many"]
