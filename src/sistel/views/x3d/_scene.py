"""A system or a run as an X3D scene."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel._version import __version__
from sistel.errors import Diagnostic, Language, SistelError, Text, user_language
from sistel.markup import Loss, Losses, write_text
from sistel.model import Body, Model
from sistel.records import record
from sistel.views.x3d._animation import Track, animation, rotations, spring_tracks, spring_turns, tracks
from sistel.views.x3d._floor import floor
from sistel.views.x3d._nodes import Node, name_note, node, string, transform, write
from sistel.views.x3d._plan import USUAL, Plan, make_plan
from sistel.views.x3d._primitives import turn_of
from sistel.views.x3d._prototypes import external, instance, instance_target, prototype_file, prototypes_of
from sistel.views.x3d._springs import coil_node
from sistel.views.x3d._surroundings import surroundings

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Run


HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'
SCHEMA = {
    "xmlns:xsd": "http://www.w3.org/2001/XMLSchema-instance",
    "xsd:noNamespaceSchemaLocation": "https://www.web3d.org/specifications/x3d-4.0.xsd",
}
"""Where the rules of such files are; nothing is fetched from there."""


def draw_scene(
    model: Model,
    run: Run | None = None,
    *,
    q: Sequence[float] | None = None,
    prototypes: bool = False,
    tolerance: float = USUAL,
    lang: Language | None = None,
    losses: Losses | None = None,
) -> str:
    """A system, still or moving, as the text of an X3D 4.0 scene.

    Every body is a Transform that puts it where it is at zero coordinates, and within that another one with the motion
    of its joint, so that a scene, a script or a slider can move a joint by a single field. All sizes are scales of
    unit figures.

    Args:
        model: The system.
        run: Its motion, which the scene then repeats; without, it stands still.
        q: Coordinates at which it stands, shape (nq,); without, those of the file's start, with loops closed.
        prototypes: Whether bodies and system become prototypes with fields for their joints; some viewers know none.
        tolerance: How far a point of a body may be from where it is between keys, over the size of the system; turns
            are then right to 100 degrees times this number.
        lang: Language of titles and of the fields of prototypes; the user's unless told otherwise.
        losses: Where to note what could not be carried over: meshes that cannot be read.

    Raises:
        SistelError: The tolerance is no positive number, the coordinates are not nq finite numbers, or the run has kept
            no steps.
    """
    noted = losses if losses is not None else Losses()
    plan = make_plan(model, run, q, tolerance, lang or user_language(), noted)
    if prototypes:
        declared = prototypes_of(plan, lambda number: figures_of(plan, number))
        bodies = [instance(plan)]
        if plan.springs:
            # They belong to no body, and so to no prototype.
            bodies.append(transform(springs_of(plan), name=plan.names.give("Springs"), rotation=turn_of(plan.R_XW)))
    else:
        declared, bodies = [], [_system(plan)]
    size = plan.figures.size
    moving = [*tracks(model.bodies, plan.motion, size), *spring_tracks(plan.springs, size)]

    def target(track: Track, field: str) -> tuple[str, str]:
        if track.body is None:
            return track.name, f"set_{field}"
        if prototypes:
            return instance_target(plan, track.body, field)
        return plan.joints[track.body.number - 1], f"set_{field}"

    low, high = plan.points.min(axis=0), plan.points.max(axis=0)
    scene = node(
        "Scene",
        children=[
            *surroundings(model, plan.points, plan.scenery, size, plan.lang),
            *declared,
            *([] if plan.has_ground else floor(low, high, plan.height, size).nodes),
            *bodies,
            *animation(moving, plan.times, plan.names, target),
        ],
    )
    return write_scene(model, scene, noted, plan.lang)


@record
class SpringPart:
    """A spring of a scene.

    For ends a and b in the axes of the system, its node is at a, turned from y to b - a, with the scale (radius,
    distance, radius).
    """

    node: str
    first: tuple[int, tuple[float, float, float]]
    """A body by its number, and a point in its frame [m]."""
    second: tuple[int, tuple[float, float, float]]
    radius: float
    """[m]"""


@record
class SceneParts:
    """Names of the nodes of a scene that a page moves."""

    bodies: tuple[str, ...]
    """Transforms with the motions of the joints, by body; those of fixed bodies hold their places."""
    springs: tuple[SpringPart, ...]
    """In the axes of the system, within the outermost Transform."""


def scene_parts(model: Model, *, lang: Language | None = None) -> SceneParts:
    """What moves in a scene of `draw_scene` without prototypes."""
    plan = make_plan(model, None, None, USUAL, lang or user_language(), Losses())
    springs = tuple(
        SpringPart(node=coil.name, first=coil.first, second=coil.second, radius=coil.radius) for coil, _ in plan.springs
    )
    return SceneParts(bodies=plan.joints, springs=springs)


def save_scene(model: Model, path: str | os.PathLike[str], *, lang: Language | None = None) -> tuple[Loss, ...]:
    """Write a system as a scene that stands still to a file; returns what did not carry over.

    Raises:
        SistelError: The file cannot be written.
    """
    losses = Losses()
    write_text(os.fspath(path), draw_scene(model, lang=lang, losses=losses))
    return tuple(losses.items)


def draw_prototype(model: Model, body: str | None = None, *, lang: Language | None = None) -> str:
    """A file with one prototype: of a body, or of the whole system with its bodies inside.

    Viewers take the first prototype of a file, and not all of them find another one by a name in Cyrillic letters.

    Args:
        model: The system.
        body: Name of the body; the system without.
        lang: Language of the fields; the user's unless told otherwise.

    Raises:
        SistelError: There is no such body.
    """
    losses = Losses()
    plan = make_plan(model, None, None, USUAL, lang or user_language(), losses)
    if body is None:
        for spring in model.springs:
            what = Text(
                f'the spring "{spring.name}" follows two bodies, which no prototype can say',
                f"пружина «{spring.name}» следует за двумя телами, чего прототип не выразит",
            )
            losses.dropped(spring.span, what)
    scene = prototype_file(plan, lambda number: figures_of(plan, number), _body(model, body))
    return write_scene(model, scene, losses, plan.lang)


def declare_prototype(model: Model, url: str, body: str | None = None, *, lang: Language | None = None) -> str:
    """The text with which a scene declares a prototype of the file that `draw_prototype` made.

    Args:
        model: The system.
        url: Where the file is, as the scene sees it.
        body: Name of the body; the system without.
        lang: Language of the fields, that of the file.

    Raises:
        SistelError: There is no such body.
    """
    plan = make_plan(model, None, None, USUAL, lang or user_language(), Losses())
    return external(plan, url, _body(model, body))


def _body(model: Model, name: str | None) -> Body | None:
    if name is None:
        return None
    for body in model.bodies:
        if body.name == name:
            return body
    message = Text(f'there is no body "{name}"', f"нет тела «{name}»")
    raise SistelError([Diagnostic("unknown-name", "error", message)])


def write_scene(model: Model, scene: Node, losses: Losses, lang: Language) -> str:
    """A whole file about a scene."""
    meta = [
        node("meta", {"name": "title", "content": string(model.name)}),
        node("meta", {"name": "generator", "content": f"sistel {__version__}"}),
        *(node("meta", {"name": "warning", "content": string(loss.what.say(lang))}) for loss in losses.items[:20]),
    ]
    root = node("X3D", {"profile": "Immersive", "version": "4.0", **SCHEMA}, [node("head", children=meta), scene])
    return HEADER + write(root)


def _system(plan: Plan) -> Node:
    """All bodies, nested as the system is, without recursion: chains may be long."""
    holders: list[list[Node]] = [figures_of(plan, 0)]
    for body in plan.model.bodies:
        shift = plan.motion[body.number - 1]
        children = figures_of(plan, body.number)
        name = plan.joints[body.number - 1]
        about = named(body, name)
        if body.joint.type.nq == 0:
            outer = transform(children, name=name, translation=body.p_PB, rotation=turn_of(body.R_PB))
            outer.children[:0] = about
            children = outer.children
        else:
            joint = transform(
                children, name=name, translation=shift.place[0].tolist(), rotation=rotations(shift)[0].tolist()
            )
            joint.children[:0] = about
            children = joint.children
            outer = transform(
                [*plan.rails(body), joint],
                name=plan.places[body.number - 1],
                translation=body.p_PB,
                rotation=turn_of(body.R_PB),
            )
        holders[body.base].append(outer)
        holders.append(children)
    top = transform([], name=plan.names.give("World"), rotation=turn_of(plan.R_XW))
    top.children = [*holders[0], *springs_of(plan)]
    return top


def springs_of(plan: Plan) -> list[Node]:
    """Springs where they are at first, in the axes of the system."""
    return [coil_node(coil, at, _turn(spring_turns(at)[0])) for coil, at in plan.springs]


def _turn(row: Array) -> tuple[float, float, float, float]:
    x, y, z, angle = row.tolist()
    return (x, y, z, angle)


def named(body: Body, name: str) -> list[Node]:
    """The name of a body as it is written, where a node cannot bear it."""
    return [] if name == body.name else [name_note(body.name)]


def figures_of(plan: Plan, number: int) -> list[Node]:
    """What is drawn in the frame of a body."""
    return [*plan.figures.nodes(number), *plan.patches.get(number, [])]
