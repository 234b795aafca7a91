"""The scene of a system for a page that moves it: the text, and what the page must know to set its joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text, user_language
from sistel.expr import Traced
from sistel.markup import Losses
from sistel.model import Model
from sistel.records import record
from sistel.views._picture_data import SceneTable
from sistel.views.viewer._layers import Layers, add_layers
from sistel.views.x3d._floor import Floor, floor
from sistel.views.x3d._following import FollowedNode
from sistel.views.x3d._nodes import node, transform
from sistel.views.x3d._plan import Plan, make_plan
from sistel.views.x3d._scene import _system, write_scene
from sistel.views.x3d._surroundings import surroundings

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Run


VIEWS = (
    Text("Whole", "Целиком"),
    Text("Front", "Спереди"),
    Text("Right", "Справа"),
    Text("Above", "Сверху"),
    Text("Around", "Вокруг"),
)
"""The viewpoints of a scene, in its order; the last where something stands around the bodies."""
MOST_SHOWN = 120_000
"""Triangles of the meshes of a page; those with more are made simpler, which the page says."""
FAR = 2.5
"""Times the size of a system: where its way is longer, the camera goes along."""
LAG = 6.0
"""Part of the size of a system that it may be ahead of a camera that goes along."""
SWEEP = 0.02
"""How finely a run is looked at for what must be seen, over the size of the system."""


@record
class PageScene:
    """A scene that stands, and what moves it."""

    text: str
    """A whole X3D file."""
    table: SceneTable
    """For `mountScene` of the page, plain data:

    - `transforms`: the name of every body's node; `bases`: the number of its base;
    - `places`: where its joint is in the frame of the base, 3×4 by rows [m]; null where the node never moves;
    - `springs`: node, ends as bodies with points in their frames [m], and radius [m];
    - `world`, `camera`: the nodes of the ground and of the viewpoints; `views`: what those are called;
    - `axes`: those of X3D from those of the system, by rows;
    - `floor`: how far the lines of the floor are apart, 0 without one [m];
    - `follow`: the body that the camera goes along with, and how far that goes before it does [m].
    """


def scene_for_page(
    model: Model,
    run: Run | None = None,
    *,
    q: Sequence[float] | None = None,
    points: Sequence[Sequence[float]] = (),
    lang: Language | None = None,
    losses: Losses | None = None,
    traced: Model | None = None,
) -> PageScene:
    """A scene whose joints a page sets itself, frame by frame.

    Args:
        model: The system.
        run: A motion that has to fit into the view; the scene does not repeat it by itself.
        q: Coordinates at which it stands, shape (nq,); without, those of the file's start, with loops closed.
        points: Other places of the world that have to fit into the view, each shape (3,) [m].
        lang: Language of the titles within; the user's unless told otherwise.
        losses: Where to note what could not be carried over: meshes that cannot be read.
        traced: The same system; its numbers know their formulas, and so do those of the table that follow them.

    Raises:
        SistelError: The coordinates are not nq finite numbers, or the run has kept no steps.
    """
    noted = losses if losses is not None else Losses()
    lang = lang or user_language()
    still = make_plan(model, None, run.q[0].tolist() if run is not None else q, 1.0, lang, noted, traced)
    wide = near = still.points
    size = still.figures.size
    if run is not None:
        moved = make_plan(model, run, None, SWEEP, lang, Losses()).points
        wide = np.concatenate([still.points, moved])
        if _extent(wide) <= FAR * max(size, _extent(near)):
            near = wide
        else:
            # The camera goes along the ground alone: it sees as high and as low as anything gets.
            middle = (near.min(axis=0) + near.max(axis=0)) / 2
            ends = [[middle[0], height, middle[2]] for height in (moved[:, 1].min(), moved[:, 1].max())]
            near = np.concatenate([near, ends])
    if len(points):
        near = wide = np.concatenate([wide, np.asarray(points) @ np.array(still.R_XW).T])
    around = surroundings(model, near, still.scenery, size, lang)
    views = [each for each in around if each.tag == "Viewpoint"]
    camera = still.names.give("Camera")
    lighter = still.figures.lighten(MOST_SHOWN)
    if lighter is not None:
        noted.changed(None, lighter)
    system = _system(still)
    layers = add_layers(still, system)
    low, high = wide.min(axis=0), wide.max(axis=0)
    ground = Floor(nodes=[], step=0.0) if still.has_ground else floor(low, high, still.height, size)
    scene = node(
        "Scene",
        children=[
            *(each for each in around if each.tag != "Viewpoint"),
            transform(views, name=camera),
            *layers.nodes,
            *ground.nodes,
            system,
        ],
    )
    # A live motion may leave a view that a recorded one stays in.
    room = _extent(near) if near is wide else _extent(still.points) / LAG
    table = _table(still, system.fields["DEF"], camera, room, VIEWS[: len(views)], ground.step, layers)
    table["notes"] = [] if lighter is None else [{"en": lighter.en, "ru": lighter.ru}]
    return PageScene(text=write_scene(model, scene, noted, lang), table=table)


def _extent(points: Array) -> float:
    """The longest edge of the box about points [m]."""
    return float(np.ptp(points, axis=0).max())


def _table(
    plan: Plan, world: str, camera: str, room: float, views: Sequence[Text], step: float, layers: Layers
) -> SceneTable:
    following = plan.figures.following
    traced = plan.model if following is None else following.traced
    bodies = plan.model.bodies
    places: list[list[float] | None] = []
    nodes = [] if following is None else [each.description for each in following.nodes]
    for body, name in zip(traced.bodies, plan.places, strict=True):
        place = [x for row, p in zip(body.R_PB, body.p_PB, strict=True) for x in (*row, p)]
        follows = any(isinstance(x, Traced) for x in place)
        if body.joint.type.nq == 0:
            # Its node is in its base; it moves there only where its place follows parameters.
            places.append([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0] if follows else None)
            continue
        places.append(place)
        if follows:
            axes = tuple(x for row in body.R_PB for x in row)
            nodes.append(FollowedNode(node=name, at=body.p_PB, axes=axes).description)
    goes = next((body.number for body in bodies if body.base == 0 and body.joint.type.nq > 0), 0)
    return {
        "transforms": list(plan.joints),
        "bases": [body.base for body in bodies],
        "places": places,
        "world": world,
        "camera": camera,
        "axes": [float(x) for row in plan.R_XW for x in row],
        "springs": [
            {
                "node": coil.name,
                "ends": [(side.body, list(side.p_BS)) for side in (spring.first, spring.second)],
                "radius": coil.radius,
            }
            for (coil, _), spring in zip(plan.springs, traced.springs, strict=True)
        ],
        "nodes": nodes,
        "follow": {"body": goes, "room": room},
        "floor": step,
        "corners": [[], *([list(point) for point in points] for points in plan.figures.extents[1:])],
        "rings": plan.figures.machine.rings,
        "layers": layers.switches,
        "paints": layers.paints,
        "notes": [],
        "views": [{"en": words.en, "ru": words.ru} for words in views],
    }
