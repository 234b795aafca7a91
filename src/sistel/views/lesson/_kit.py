"""What a lesson computes by itself: kernels in JavaScript of one frame of an arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.records import entry
from sistel.solve import derive_look, derive_step, moving_joints, read_task
from sistel.views._lesson_data import LessonTable
from sistel.views.live._source import Source

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.pose import Rotation, Vector3

    Place = tuple[int, Vector3, Rotation]

TASKS = ("pose", "position", "pointing")


@entry
class Kit:
    """Kernels and their table."""

    source: str
    """A script; see `makeKernels` of the page."""
    table: LessonTable
    """Numbers of the kernels by what they compute, and their arguments."""


def lesson_kit(engine: Engine, place: Place) -> Kit:
    """The kernels of a frame: poses of all bodies, its pose and Jacobian, steps of a search, forces, those of a load.

    Args:
        engine: Of the arm.
        place: Body, place and axes of the frame.
    """
    source = Source()
    joints = moving_joints(engine.model, place[0])
    table: LessonTable = {
        "poses": source.add(engine.automaton.poses()),
        "look": source.add(derive_look(engine.tree, *place, joints)),
        "steps": {
            task: source.add(derive_step(engine.tree, *place, joints, read_task(task, "lm"), True)) for task in TASKS
        },
        "forces": source.add(engine.automaton.quantity("inverse_dynamics")),
        "load": source.add(engine.automaton.forces_of_load(*place[:2])),
        "arguments": source.kernels,
    }
    return Kit(source.text, table)
