"""Many free bodies whose shapes touch in space: one loop in machine code for all of them, as in the plane."""

from sistel.simulation.space._crowd import FEW_IN_SPACE, SpatialCrowd, crowd_in_space

__all__ = ["FEW_IN_SPACE", "SpatialCrowd", "crowd_in_space"]
