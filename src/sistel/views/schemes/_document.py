"""The canonical document with its drawing: what a stylesheet needs besides the description itself."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sistel.markup import Expression, Node, make_node, si
from sistel.model import Model, Picture, Posture, to_document
from sistel.units import ANGLE, LENGTH, unit_of
from sistel.views.schemes._dimension_places import place_dimensions
from sistel.views.schemes._dimensions import Dimension
from sistel.views.schemes._ground import ground
from sistel.views.schemes._labels import Label, place_labels
from sistel.views.schemes._measures import planar_measures
from sistel.views.schemes._posture import Point, drawn_coordinates, places
from sistel.views.schemes._scene import Scene, flat, links, sides, springs, symbols

Box = tuple[float, float, float, float]
FAR = 0.3
"""How much of the ground is shown beside the bodies, in sizes of all of them."""
AROUND = 4.0
"""The same of a world with obstacles."""
HINGE = 0.025
"""Diameter of a hinge as a part of the longer side of the picture."""
SMALLEST = 0.1
"""A system that is smaller has no size at all: drawings are written in whole micrometres [mm]."""
FINEST = 1e-3
"""The smallest hinge that has a size when it is written [mm]."""
LONELY = 100.0
"""Size of the picture of a point at the origin [mm]."""


def drawn_document(model: Model, at: Sequence[float] | None = None, *, dimensions: bool = True) -> Node:
    """The root of the canonical document of a planar system, its drawing filled in.

    Args:
        model: A planar system.
        at: Coordinates to draw, shape (nq,) [m or rad]; by default those of the file's drawing, or of the start.
        dimensions: Whether dimension lines are there too, for a stylesheet that shows them.
    """
    q = drawn_coordinates(model, at)
    poses = places(model, q)
    picture = model.picture
    scene = Scene(model, poses)
    scene.shapes()
    links(scene)
    box = bodies_box(scene)
    asked = None if picture is None or picture.size is None else max(1e3 * picture.size, FINEST)
    whole = union([box, *grounds(scene, box)])
    across = max(whole[2] - whole[0], whole[3] - whole[1])
    if across < SMALLEST:
        # A point: as large as its distance from the origin lets it look.
        across = max(math.hypot(box[0], box[1]), LONELY)
    scene.size = asked or three_digits(HINGE * across)
    ground(scene, box, whole)
    symbols(scene)
    springs(scene)
    window = None if picture is None else picture.frame
    labels, captions = place_labels(scene, names=False), place_labels(scene, names=True)
    found = _window(scene, box, [label.box for label in (*labels.values(), *captions.values())])
    if window is not None:
        given = (1e3 * window[0], 1e3 * window[1], 1e3 * (window[0] + window[2]), 1e3 * (window[1] + window[3]))
        # Another posture than the file's may need more room.
        found = given if at is None else union([given, found])
    root = filled_document(scene, q, found, labels, captions)
    if dimensions:
        measures, drawing = planar_measures(scene), root.children[-1]
        for word, texts in (("numbers", labels), ("names", captions)):
            placed = place_dimensions(scene, measures, texts.values())
            if placed:
                drawing.children.append(_dimensions(model, word, found, placed))
    return root


def _dimensions(model: Model, labels: str, frame: Box, placed: Sequence[Dimension]) -> Node:
    """Dimension lines that go with the numbers, or with the names, of the bodies, and the window that shows them."""
    size, span = placed[0].size, model.span
    bounds = [dimension.bounds() for dimension in placed]
    # From the window as it is written, so that a text that is read back gives the same.
    x, y = round(frame[0], 3), round(frame[1], 3)
    written = (x, y, x + round(frame[2] - frame[0], 3), y + round(frame[3] - frame[1], 3))
    left, top, right, bottom = union(
        [written, *((box[0] - size, box[1] - size, box[2] + size, box[3] + size) for box in bounds)]
    )
    numbers = tuple(number for x in (left, top, right - left, bottom - top) for number in _mm(x, model))
    node = make_node("dimensions", span, labels=labels, frame=numbers)
    for dimension in placed:
        place = dimension.place
        node.children.append(
            make_node(
                "dimension",
                span,
                kind=dimension.kind if dimension.kind != "length" else None,
                place=_point((place.x, place.y), model) if math.hypot(place.x, place.y) > 5e-4 else None,
                turn=_degrees(math.degrees(place.angle), model) if abs(place.angle) > 1e-6 else None,
                length=_mm(dimension.length, model),
                offset=_mm(dimension.offset, model) if dimension.offset else None,
                rise=_mm(dimension.rise, model) if abs(dimension.rise) > 5e-4 else None,
                side=dimension.side if dimension.side != "middle" else None,
            )
        )
    return node


def filled_document(
    scene: Scene, q: Sequence[float], frame: Box, labels: Mapping[int, Label], captions: Mapping[int, Label]
) -> Node:
    """The canonical document of a system, its drawing filled in as told.

    Args:
        scene: What is drawn.
        q: Coordinates that are drawn, shape (nq,) [m or rad].
        frame: Left, top, right and bottom of the window [mm].
        labels: Places of the numbers of the bodies.
        captions: Places of their names.
    """
    model = scene.model
    posture = Posture(
        name="drawing",
        q=tuple(q),
        v=(0.0,) * model.nv,
        given_q=frozenset(range(model.nq)),
        given_v=frozenset(),
        span=model.span,
    )
    shown = Picture(frame=None, size=None, posture=posture, span=model.span)
    root = to_document(replace(model, picture=shown))
    node = root.children[-1]
    left, top, right, bottom = frame
    span = model.span
    numbers = tuple(number for x in (left, top, right - left, bottom - top) for number in _mm(x, model))
    node.attributes |= make_node("drawing", span, frame=numbers, size=_mm(scene.size, model)).attributes
    for body in model.bodies:
        own = scene.poses[body.base].seen(scene.poses[body.number])
        turns = any(kind == "turn" for _, kind in body.joint.type.rates) or abs(own.angle) > 1e-12
        label, caption = labels.get(body.number), captions.get(body.number)
        node.children.append(
            make_node(
                "pose",
                span,
                of=(body.name,),
                place=_point((own.x, own.y), model),
                turn=_degrees(math.degrees(own.angle), model) if turns else None,
                com=_point(flat(body.p_BoBcm_B), model) if body.mass else None,
                label=_point(label.at, model) if label else None,
                side=label.side if label and label.side != "middle" else None,
                caption=_point(caption.at, model) if caption else None,
                caption_side=caption.side if caption and caption.side != "middle" else None,
            )
        )
    names = ["0", *(body.name for body in model.bodies)]
    node.children += [make_node("line", span, of=(names[line.body],), kind=line.kind, d=line.d) for line in scene.lines]
    for mark in scene.marks:
        at_pole = math.hypot(*mark.at) < 5e-4
        node.children.append(
            make_node(
                "mark",
                span,
                of=(names[mark.body],),
                kind=mark.kind,
                at=None if at_pole else _point(mark.at, model),
                turn=_degrees(mark.turn, model) if abs(mark.turn) > 5e-5 else None,
            )
        )
    return root


def bodies_box(scene: Scene) -> Box:
    """Left, top, right and bottom of all bodies, the ground left out [mm]."""
    points = [point for number, lines in scene.polylines.items() if number for line in lines for point in line]
    points += [(pose.x, pose.y) for pose in scene.poses[1:]]
    points += [scene.poses[side.body].out(flat(side.p_BS)) for side in sides(scene.model)]
    points += [scene.poses[point.body].out(flat(point.p_BP)) for point in scene.model.points if point.body]
    return _box(points)


def _window(scene: Scene, bodies: Box, labels: Iterable[Box]) -> Box:
    """The window: all of the bodies, and of the ground what lies near them [mm]."""
    size = scene.size
    boxes = [bodies, *grounds(scene, bodies)]
    for mark in scene.marks:
        x, y = scene.poses[mark.body].out(mark.at)
        reach = 2.0 * size
        boxes.append((x - reach, y - reach, x + reach, y + reach))
    left, top, right, bottom = union([*boxes, *labels])
    # A picture is no strip: the shorter side is at least a good half of the longer one.
    least = 0.55 * max(right - left, bottom - top)
    wide, high = max(0.0, least - (right - left)) / 2, max(0.0, least - (bottom - top)) / 2
    return (left - size - wide, top - size - high, right + size + wide, bottom + size + high)


def grounds(scene: Scene, bodies: Box) -> list[Box]:
    """Boxes of the ground near the bodies; of a ground that is far away, the nearest part of it [mm]."""
    across = max(bodies[2] - bodies[0], bodies[3] - bodies[1])
    found = [_box(line) for line in scene.polylines.get(0, [])]
    # Where bodies meet obstacles, these are what the picture is about.
    wide = AROUND if any(shape.obstacle for shape in scene.model.shapes) else FAR
    for reach in (wide, 1.0, 3.0, 10.0):
        far, aside = reach * across, wide * across
        near = (bodies[0] - far, bodies[1] - far, bodies[2] + far, bodies[3] + far)
        side = (bodies[0] - aside, bodies[1] - aside, bodies[2] + aside, bodies[3] + aside)
        met = [
            box for box in found if box[0] <= near[2] and near[0] <= box[2] and box[1] <= near[3] and near[1] <= box[3]
        ]
        if met:
            return [_cut(box, side) for box in met]
    return []


def _cut(box: Box, side: Box) -> Box:
    """What is shown of a ground: along the bodies as far as `side`, towards it as far as it needs."""
    x = (max(box[0], side[0]), min(box[2], side[2]))
    y = (max(box[1], side[1]), min(box[3], side[3]))
    if x[0] > x[1]:
        nearest = box[0] if box[0] > side[2] else box[2]
        x = (nearest, nearest)
    if y[0] > y[1]:
        nearest = box[1] if box[1] > side[3] else box[3]
        y = (nearest, nearest)
    return (x[0], y[0], x[1], y[1])


def _box(points: Sequence[Point]) -> Box:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (min(xs), min(ys), max(xs), max(ys))


def union(boxes: Sequence[Box]) -> Box:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def three_digits(x: float) -> float:
    return float(f"{x:.3g}")


def _mm(x: float, model: Model) -> tuple[Expression, ...]:
    """A length of so few digits that it is written without a unit."""
    unit = unit_of("mm")
    assert unit is not None
    return si(unit.to_si(round(x, 3) + 0.0), LENGTH, model.span)


def _point(p: Point, model: Model) -> tuple[Expression, ...]:
    return (*_mm(p[0], model), *_mm(p[1], model))


def _degrees(x: float, model: Model) -> tuple[Expression, ...]:
    unit = unit_of("deg")
    assert unit is not None
    return si(unit.to_si(round(x, 4) + 0.0), ANGLE, model.span)
