"""Schemes that are ready to be moved: a group a body, and apart from them what depends on several bodies."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.model import Model
from sistel.records import record
from sistel.views._picture_data import Scheme, SpatialScheme
from sistel.views.schemes._document import (
    FINEST,
    HINGE,
    LONELY,
    SMALLEST,
    filled_document,
    grounds,
    three_digits,
    union,
)
from sistel.views.schemes._figures import projected
from sistel.views.schemes._following import MovingPiece, followed_point
from sistel.views.schemes._ground import Journey, ground
from sistel.views.schemes._labels import FONT
from sistel.views.schemes._moving_labels import MovingLabel, moving_labels
from sistel.views.schemes._moving_space import SpaceScheme
from sistel.views.schemes._pieces import SVG, MovingMark, MovingSpring, Pieces, decimal, prefix_ids
from sistel.views.schemes._posture import Place, Point
from sistel.views.schemes._range import Poses, Range, clouds, find_range, landscape, postures, world_places
from sistel.views.schemes._render import Labels, render
from sistel.views.schemes._scene import COIL, COILS, STRAIGHT, Scene, flat, links, symbols
from sistel.views.schemes._style import Look, style_rules
from sistel.views.trees import new_element, read_tree, tree_text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from numpy.typing import ArrayLike

ENDLESS = 40.0
"""How far the ground goes on where a camera follows a system whose way is not known, in windows."""


@record
class MovingScheme:
    """A scheme ready to be moved."""

    svg: str
    """The element <svg>, without a head; its size is that of what it stands in."""
    window: tuple[float, float, float, float]
    """Left, top, width and height [mm]; relative to the camera where it follows."""
    size: float
    """Diameter of a hinge [mm]."""
    follows: int
    """Number of the body that the camera follows; 0 where it stands."""
    along: tuple[bool, bool]
    """Whether the camera goes along x, and along y."""
    home: Point
    """Where the pole of that body stands in the window [mm]."""
    springs: tuple[MovingSpring, ...]
    labels: tuple[MovingLabel, ...]
    marks: tuple[MovingMark, ...]
    bodies: tuple[tuple[int, int], ...]
    """Number and base of every body, in the order of the model."""
    prefix: str
    parts: Element = field(repr=False)
    """The same as an element of lxml."""
    pieces: tuple[MovingPiece, ...] = ()
    """What of the elements follows parameters."""
    space: SpaceScheme | None = field(default=None, repr=False)
    """Of a spatial system: its figures."""

    @property
    def follow(self) -> bool:
        """Whether the camera follows a body."""
        return self.follows > 0

    @property
    def description(self) -> Scheme:
        """What `moveScheme` of web/src/scheme needs, as plain JSON."""
        if self.space is not None:
            return self._in_space(self.space)
        return {
            "kind": "planar",
            "prefix": self.prefix,
            "size": self.size,
            "window": list(self.window),
            "follow": {"body": self.follows, "x": self.along[0], "y": self.along[1], "home": list(self.home)}
            if self.follow
            else None,
            "bodies": [{"number": number, "base": base} for number, base in self.bodies],
            "springs": [
                {
                    "id": spring.id,
                    "ends": [[body, *point] for body, point in spring.ends],
                    "coils": COILS,
                    "half": COIL * self.size,
                    "straight": STRAIGHT * self.size,
                }
                for spring in self.springs
            ],
            "labels": [
                {
                    "id": f"{self.prefix}надпись_{label.body}",
                    "body": label.body,
                    "at": list(label.at),
                    "shift": list(label.shift),
                }
                for label in self.labels
            ],
            "marks": [{"id": mark.id, "structures": list(mark.structures)} for mark in self.marks],
            "pieces": [
                {"id": piece.id, "attribute": piece.attribute, "parts": list(piece.parts)} for piece in self.pieces
            ],
        }

    def _in_space(self, space: SpaceScheme) -> SpatialScheme:
        return {
            "kind": "spatial",
            "prefix": self.prefix,
            "size": self.size,
            "window": list(self.window),
            "follow": {"body": self.follows, "x": True, "y": True, "home": list(self.home)} if self.follow else None,
            "figures": [f.description(f"{self.prefix}фигура_{n}") for n, f in enumerate(space.figures, 1)],
            "labels": [
                {"id": f"{self.prefix}надпись_{body}", "body": body, "at": list(at), "shift": list(shift)}
                for body, _, at, shift in space.labels
            ],
        }


def moving_scheme(
    model: Model,
    states: ArrayLike | None = None,
    *,
    prefix: str = "",
    labels: Labels = "numbers",
    look: Look = "page",
    traced: Model | None = None,
) -> MovingScheme:
    """The scheme of a system, prepared for motion; spatial ones in isometric projection.

    Args:
        model: The system.
        states: Coordinates of the postures that the window must cover, shape (n, nq) [m or rad]; the first is drawn.
            Without, the posture of the file is drawn, and the window covers what the joints can reach.
        prefix: Put before every id, so that several schemes can stand in one page; letters, digits, - and _.
        labels: Whether the bodies bear their numbers or names.
        look: Colours: by the custom properties of a page, or of its own.
        traced: The same model; its numbers know their formulas, and so do those of the description that follow them.

    Raises:
        SistelError: The prefix cannot stand in an id.
    """
    if not re.fullmatch(r"[\w-]*", prefix):
        message = Text(f'"{prefix}" cannot begin an id', f"с «{prefix}» не может начинаться id")
        refuse("bad-prefix", message)
    if not model.planar:
        return _spatial(SpaceScheme(model, states, labels, traced), prefix, look)
    q = postures(model, states)
    poses = world_places(model, q)
    scene = _drawn(model, poses.at(0))
    seen = find_range(model, poses, clouds(scene), known=states is not None, land=landscape(scene))
    picture = model.picture
    asked = None if picture is None or picture.size is None else max(1e3 * picture.size, FINEST)
    scene.size = asked or three_digits(HINGE * _across(scene, seen))
    journey = _journey(model, poses, seen, scene.size, known=states is not None)
    ground(scene, seen.box, seen.box, journey)
    holding = {closure.name for closure in model.closures}
    closures = symbols(scene, holding)
    followed = None if traced is None else _drawn(traced, scene.poses)
    springs = _springs(traced or model, prefix)
    some = [poses.at(int(i)) for i in _spread(len(q))]
    placed = moving_labels(scene, some, labels == "names") if labels != "none" else []
    left, top, right, bottom = _window(scene, poses, seen, placed)
    root = _root(filled_text(scene, q[0], (left, top, right, bottom)))
    made = Pieces(root, scene, prefix)
    made.restyle(look)
    if followed is None:
        made.strips(journey.strips)
    else:
        followed.size = scene.size
        way = replace(journey, strips=[])
        ground(followed, seen.box, seen.box, way)
        symbols(followed, holding)
        made.follow(followed)
        made.strips(journey.strips, way.strips)
        placed = [_beside(label, scene, followed) for label in placed]
    marks = made.marks(closures)
    made.raise_springs(springs)
    made.write_labels(placed)
    made.camera()
    made.rename()
    return MovingScheme(
        svg=tree_text(root),
        window=(left, top, right - left, bottom - top),
        size=scene.size,
        follows=seen.follows,
        along=seen.along,
        home=(scene.poses[seen.follows].x, scene.poses[seen.follows].y),
        springs=springs,
        labels=tuple(placed),
        marks=marks,
        bodies=tuple((body.number, body.base) for body in model.bodies),
        prefix=prefix,
        parts=root,
        pieces=tuple(made.followed),
    )


def _drawn(model: Model, poses: list[Place]) -> Scene:
    scene = Scene(model, poses)
    scene.shapes()
    links(scene)
    return scene


def _beside(label: MovingLabel, scene: Scene, followed: Scene) -> MovingLabel:
    """A label that stays beside what it stands at."""
    pose = scene.poses[label.body]
    lines = [
        [[pose.into(p) for p in line] for line in each.polylines.get(label.body, [])] for each in (scene, followed)
    ]
    return replace(label, at=followed_point(label.at, *lines))


def _spatial(space: SpaceScheme, prefix: str, look: Look) -> MovingScheme:
    left, top, right, bottom = space.window
    scope = f"{prefix}sistel-moving"

    def element(tag: str, attributes: dict[str, str]) -> Element:
        return new_element(f"{{{SVG}}}{tag}", attributes)

    box = [decimal(x) for x in (left, top, right - left, bottom - top)]
    root = new_element(f"{{{SVG}}}svg", {"class": scope, "role": "img", "viewBox": " ".join(box)}, {None: SVG})
    title, defs, style = element("title", {}), element("defs", {}), element("style", {})
    title.text, style.text = space.model.name, "\n" + style_rules(look, scope)
    defs.append(style)
    paper = element("rect", dict(zip(("class", "x", "y", "width", "height"), ("paper", *box), strict=True)))
    width = decimal(0.12 * space.size)
    camera, still = element("g", {"id": "камера"}), element("g", {"stroke-width": width})
    shapes = element("g", {"id": "фигуры", "stroke-width": width})
    for _, _, part in space.parts(element):
        shapes.append(part)
    font = FONT * space.size
    layer = element("g", {"id": "надписи", "font-size": decimal(font), "stroke-width": decimal(0.16 * font)})
    for body, text, at, shift in space.labels:
        u, w = (float(x) for x in projected(space.poses.out(body, at)[0]))
        label = element("text", {"id": f"надпись_{body}"})
        label.set("transform", f"translate({decimal(u + shift[0])},{decimal(w + shift[1])})")
        label.text = text
        layer.append(label)
    for part in space.triad(element, (left + 4 * space.size, bottom - 3.2 * space.size)):
        still.append(part)
    for part in (element("g", {"id": "следы"}), shapes, layer):
        camera.append(part)
    for part in (title, defs, paper, camera, still):
        root.append(part)
    prefix_ids(root, prefix)
    u, w = (float(x) for x in projected(space.poses.out(space.follows, (0.0, 0.0, 0.0))[0]))
    return MovingScheme(
        svg=tree_text(root),
        window=(left, top, right - left, bottom - top),
        size=space.size,
        follows=space.follows,
        along=(space.follows > 0, space.follows > 0),
        home=(u, w),
        springs=(),
        labels=(),
        marks=(),
        bodies=tuple((body.number, body.base) for body in space.model.bodies),
        prefix=prefix,
        parts=root,
        space=space,
    )


def filled_text(scene: Scene, q: Sequence[float], frame: tuple[float, float, float, float]) -> str:
    """The scheme of a scene as SVG, without labels."""
    return render(filled_document(scene, [float(x) for x in q], frame, {}, {}), {"labels": "none"})


def _root(text: str) -> Element:
    root = read_tree(text)
    for element in root.iter():
        # Line breaks between elements are of no use to anything that moves them.
        element.tail = None
        if element.text is not None and not element.text.strip():
            element.text = None
    return root


def _spread(count: int) -> list[int]:
    return sorted({round(i * (count - 1) / 4) for i in range(5)})


def _across(scene: Scene, seen: Range) -> float:
    """The longer side of what is shown."""
    near = union([seen.near, *(_near_ground(scene, seen))])
    across = max(near[2] - near[0], near[3] - near[1])
    return across if across >= SMALLEST else max(math.hypot(near[0], near[1]), LONELY)


def _near_ground(scene: Scene, seen: Range) -> list[tuple[float, float, float, float]]:
    """Boxes of the ground near the bodies, no wider than the window along which the camera goes."""
    made = []
    for left, top, right, bottom in grounds(scene, seen.box):
        if seen.along[0]:
            left, right = seen.near[0], seen.near[2]
        if seen.along[1]:
            top, bottom = seen.near[1], seen.near[3]
        made.append((left, top, right, bottom))
    return made


def _journey(model: Model, poses: Poses, seen: Range, size: float, *, known: bool) -> Journey:
    roots = [body.number for body in model.bodies if body.base == 0]
    ways = {n: list(zip(poses.x[n].tolist(), poses.y[n].tolist(), strict=True)) for n in roots}
    wide = max(seen.near[2] - seen.near[0], seen.near[3] - seen.near[1])
    beyond = wide * (1.0 if known else ENDLESS) if seen.follows else 2 * size
    return Journey(ways=ways, beyond=beyond, far=wide if seen.follows else 0.0)


def _springs(model: Model, prefix: str) -> tuple[MovingSpring, ...]:
    return tuple(
        MovingSpring(
            id=f"{prefix}пружина_{number}",
            ends=((spring.first.body, flat(spring.first.p_BS)), (spring.second.body, flat(spring.second.p_BS))),
        )
        for number, spring in enumerate(model.springs, 1)
    )


def _window(
    scene: Scene, poses: Poses, seen: Range, labels: Sequence[MovingLabel]
) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the window: bodies, symbols, labels, and the ground near them [mm]."""
    import numpy as np

    size, boxes = scene.size, [seen.near, *_near_ground(scene, seen)]
    shift_x = poses.x[seen.follows] - poses.x[seen.follows][0] if seen.along[0] else 0.0
    shift_y = poses.y[seen.follows] - poses.y[seen.follows][0] if seen.along[1] else 0.0
    covered: list[tuple[int, Point, tuple[float, float, float, float]]] = [
        (mark.body, mark.at, (-2 * size, -2 * size, 2 * size, 2 * size)) for mark in scene.marks
    ]
    covered += [(label.body, label.at, label.box) for label in labels]
    for body, at, (left, top, right, bottom) in covered:
        if body == 0 and seen.follows:
            continue
        x, y = poses.out(body, [at])
        x, y = x - shift_x, y - shift_y
        boxes.append(
            (float(np.min(x)) + left, float(np.min(y)) + top, float(np.max(x)) + right, float(np.max(y)) + bottom)
        )
    left, top, right, bottom = union(boxes)
    least = 0.55 * max(right - left, bottom - top)
    wide, high = max(0.0, least - (right - left)) / 2, max(0.0, least - (bottom - top)) / 2
    return (left - size - wide, top - size - high, right + size + wide, bottom + size + high)
