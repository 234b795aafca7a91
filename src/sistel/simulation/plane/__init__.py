"""Many free bodies whose shapes touch in the plane: one loop in machine code for all of them, contacts are data."""

from sistel.simulation.plane._crowd import DEEP, FEW, Crowd, crowd_of

__all__ = ["DEEP", "FEW", "Crowd", "crowd_of"]
