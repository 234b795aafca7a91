"""Scenes in space: systems and runs as X3D 4.0, for viewers, for pages, and as prototypes for other scenes.

The axes of a system are turned to those of X3D, y up, in one place: the outermost Transform.
"""

from sistel.views.x3d._check import check_scene
from sistel.views.x3d._examine import examine_meshes
from sistel.views.x3d._scene import (
    SceneParts,
    SpringPart,
    declare_prototype,
    draw_prototype,
    draw_scene,
    save_scene,
    scene_parts,
)

__all__ = [
    "SceneParts",
    "SpringPart",
    "check_scene",
    "declare_prototype",
    "draw_prototype",
    "draw_scene",
    "examine_meshes",
    "save_scene",
    "scene_parts",
]
