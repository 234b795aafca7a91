"""Prototypes for X3D scenes: bodies by a code of numbers, the gripper of the line, and lists of its operations.

They are files that any X3D browser with scripts can use, as `ExternProtoDeclare`. What their scripts know of codes is
written from the Python tables of `sistel.pose`.

- `body` (`прототипТела`): the field `code` is the look of a body, as `sistel.pose.read_body` reads it.
- `gripper` (`проСхват`): eight fields. `place`, `orientation` and `position` put it somewhere at once, `move` and
  `turn` lead it to a target in a second, `transitions` through timed poses; several poses in `position` are for
  clicks.
- `operations` (`проОперации`): a timed list in which grippers take and release loads and are changed at a bayonet.
"""

from sistel.views.prototypes._files import draw_scene, gripper_scene, prototype, write_prototypes, write_scenes
from sistel.views.prototypes._names import prototype_fields, prototype_names
from sistel.views.prototypes._operations import Operation, read_operations, write_operations
from sistel.views.prototypes._page import gripper_page
from sistel.views.prototypes._scenes import own_declarations, scene_names, whole_scene
from sistel.views.prototypes._static import static_body

__all__ = [
    "Operation",
    "draw_scene",
    "gripper_page",
    "gripper_scene",
    "own_declarations",
    "prototype",
    "prototype_fields",
    "prototype_names",
    "read_operations",
    "scene_names",
    "static_body",
    "whole_scene",
    "write_operations",
    "write_prototypes",
    "write_scenes",
]
