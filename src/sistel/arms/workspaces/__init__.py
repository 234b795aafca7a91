"""What a frame reaches: sections, outlines, volumes, measures over them, and where directions are lost."""

from sistel.arms.workspaces._chain import Chain
from sistel.arms.workspaces._maps import SectionMap
from sistel.arms.workspaces._measures import manipulability
from sistel.arms.workspaces._plane import Plane, read_plane
from sistel.arms.workspaces._rank import Singularity, singularities
from sistel.arms.workspaces._singular import SingularCurve
from sistel.arms.workspaces._workspace import Workspace, reach_of, workspace

__all__ = [
    "Chain",
    "Plane",
    "SectionMap",
    "SingularCurve",
    "Singularity",
    "Workspace",
    "manipulability",
    "reach_of",
    "read_plane",
    "singularities",
    "workspace",
]
