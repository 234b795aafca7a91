"""What a lesson computes by itself: kernels in JavaScript of one frame of an arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sistel.expr import Graph, Program, program
from sistel.mechanics import Kinematics, Scalar, body_motions, derive, expressions
from sistel.solve import derive_look, derive_step, moving_joints, read_task
from sistel.views._page_data import LessonTable
from sistel.views.live._programs import poses_program
from sistel.views.live._source import Source

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.pose import Rotation, Vector3

    Place = tuple[int, Vector3, Rotation]

TASKS = ("pose", "position", "pointing")


@dataclass(frozen=True, slots=True, eq=False)
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
        "poses": source.add(poses_program(engine)),
        "look": source.add(derive_look(engine.tree, *place, joints)),
        "steps": {
            task: source.add(derive_step(engine.tree, *place, joints, read_task(task, "lm"), True)) for task in TASKS
        },
        "forces": source.add(derive(engine.tree, "inverse_dynamics")),
        "load": source.add(load_program(engine, place)),
        "arguments": source.kernels,
    }
    return Kit(source.text, table)


def load_program(engine: Engine, place: Place) -> Program:
    """Program of the forces that a load of 1 kg at the place of a frame asks for: (q, v, a) → nv numbers [N or N·m].

    By virtual work: each is the product of its column of the Jacobian with the acceleration of the load less gravity.
    """
    model, (body, p, _) = engine.model, place
    graph = Graph()
    q, v, a = list(graph.inputs("q", model.nq)), list(graph.inputs("v", model.nv)), list(graph.inputs("a", model.nv))
    at = body_motions(model, q, v, a)[body]
    arm = [_sum([at.R[i][k] * p[k] for k in range(3)]) for i in range(3)]
    spin = _cross(at.w, _cross(at.w, arm))
    sway = _cross(at.dw, arm)
    pull = [at.a[i] + sway[i] + spin[i] - model.gravity[i] for i in range(3)]
    J = Kinematics(engine.tree, q).jacobian(body, p)
    forces = [_sum([J[3 + i][k] * pull[i] for i in range(3)]) for k in range(model.nv)]
    return program(graph, {"load": expressions(graph, forces)})


def _sum(values: list[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for value in values:
        total = total + value
    return total


def _cross(a: Any, b: Any) -> list[Scalar]:
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
