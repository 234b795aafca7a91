"""Prototypes for X3D scenes: bodies by a code of numbers, the gripper of the line, and lists of its operations.

They are files that any X3D browser with scripts can use, as `ExternProtoDeclare`. What their scripts know of codes is
written from the Python tables of `sistel.pose`.

- `body` (`прототипТела`): the field `code` is the look of a body, as `sistel.pose.read_body` reads it; `colour`,
  `paint` and `scale` may go with time.
- `gripper` (`проСхват`): eight fields. `place`, `orientation` and `position` put it somewhere at once, `move` and
  `turn` lead it to a target in a second, `transitions` through timed poses; several poses in `position` are for
  clicks.
- `operations` (`проОперации`): a timed list in which grippers take and release loads and are changed at a bayonet.
- `arm` (`проМР`): three joints in Cartesian, cylindrical, spherical or angular coordinates, set by themselves or by
  codes of the pose of what it carries.
- `walker` (`проШМ`): a trunk on legs that are instances of `arm`; it walks, or stands with its feet where it is told.
"""

from sistel.views.prototypes._files import draw_scene, gripper_scene, prototype, write_prototypes, write_scenes
from sistel.views.prototypes._names import prototype_fields, prototype_names
from sistel.views.prototypes._operations import Operation, read_operations, write_operations
from sistel.views.prototypes._page import gripper_page
from sistel.views.prototypes._scenes import own_declarations, scene_names, scene_of, whole_scene
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
    "scene_of",
    "static_body",
    "whole_scene",
    "write_operations",
    "write_prototypes",
    "write_scenes",
]
