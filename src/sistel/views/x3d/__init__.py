"""Scenes in space: systems and runs as X3D 4.0, for viewers, for pages, and as prototypes for other scenes.

The axes of a system are turned to those of X3D, y up, in one place: the outermost Transform.
"""

from sistel.views.x3d._check import DEEP, Interface, check_scene, check_tree
from sistel.views.x3d._examine import examine_meshes
from sistel.views.x3d._fields import STATEMENTS, Field, node_fields, spellings
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
    "DEEP",
    "STATEMENTS",
    "Field",
    "Interface",
    "SceneParts",
    "SpringPart",
    "check_scene",
    "check_tree",
    "declare_prototype",
    "draw_prototype",
    "draw_scene",
    "examine_meshes",
    "node_fields",
    "save_scene",
    "scene_parts",
    "spellings",
]
