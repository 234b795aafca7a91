"""Pairs of shapes that may touch in space, as the contacts that come of them.

A sphere touches all of a shape with one contact. A capsule touches with the spheres at its ends and, between them, as
an edge with a radius; the corners and edges of a box touch it then, too. Of two boxes corners of each touch faces of
the other, and edges touch edges: very many contacts, of which few are closed at any time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.markup import Node
from sistel.model._contact_elements import Crossing, Outline, Round, Solid
from sistel.model._elements import Shape
from sistel.model._outlines import CLOSE, no_size
from sistel.model._rolling import Spot
from sistel.pose import Vector3, rotate
from sistel.records import entry

SIGNS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""Of the two directions across an edge of a box."""
SOLIDS: Final = ("sphere", "box", "capsule", "cylinder")
"""Kinds of shapes that touch others in space."""
_REFUSED: Final = frozenset(("cylinder", other) for other in ("capsule", "box", "cylinder", "point"))
"""What touches along curves."""
_EXPECTED: Final = Text(
    "a sphere with a sphere, box, capsule or cylinder; a capsule with a capsule or box; a box with a box; a point with "
    "a sphere, box or capsule; a box with a flat surface",
    "шар с шаром, коробкой, капсулой или цилиндром; капсула с капсулой или коробкой; коробка с коробкой; точка с "
    "шаром, коробкой или капсулой; коробка с плоской поверхностью",
)


BOX_CONTACTS: Final = 192
"""Contacts that come of two boxes: 16 corners, each with three pairs of faces, and 12 edges with 12 edges."""


@entry
class Candidate:
    """One contact of a pair."""

    suffix: str
    """What its name has behind that of the pair: a letter for a corner or end of the first shape, a number for one of
    the other, strokes where one corner needs several contacts; numbers where a point or a circle does; of edges the
    axes that they are along. Of two boxes: the corner and the axis across the face, the corners that edges are
    between."""
    point: str
    """Whose corner, end or centre it is."""
    body: int
    place: Vector3
    on: int
    outline: Outline | None
    round: Round | None = None
    ground: Shape | None = None
    """The profile that it touches, instead of an outline."""


def solid_of(shape: Shape, diagnostics: Diagnostics) -> Solid | None:
    """What a shape is for those that touch it; None, with what is wrong said, where it has no size."""
    sizes, kind = shape.sizes, shape.kind
    needed = 3 if kind == "box" else 1 if kind == "sphere" else 2
    if len(sizes) < needed or any(float(size) < 0.0 for size in sizes):
        return None  # that has been said
    if not all(float(size) > 0.0 for size in sizes[:needed]):
        no_size(shape, diagnostics)
        return None
    if kind == "box":
        return Solid(centre=shape.p_BS, axes=shape.R_BS, half=(sizes[0] / 2, sizes[1] / 2, sizes[2] / 2))
    half = (0.0, 0.0, 0.0 if kind == "sphere" else sizes[1] / 2)
    return Solid(centre=shape.p_BS, axes=shape.R_BS, half=half, radius=sizes[0], barrel=kind == "cylinder")


def corners_of_box(solid: Solid) -> list[Vector3]:
    """The corners of a box in the frame of its body [m]."""
    return [
        out_of(solid, tuple(s * h for s, h in zip(signs, solid.half, strict=True)))
        for signs in product((-1, 1), repeat=3)
    ]


def ends_of(solid: Solid) -> list[Vector3]:
    """The centres of the ends of a capsule or cylinder in the frame of its body [m]."""
    return [out_of(solid, (0.0, 0.0, side * solid.half[2])) for side in (-1, 1)]


CORNERED: Final = ("box", "capsule", "cylinder")
"""Kinds of shapes that touch a surface with several contacts."""


def corner_spots(node: Node, shape: Shape, diagnostics: Diagnostics) -> list[tuple[str, Spot]]:
    """The corners of a box, the ends of a capsule or the rims of a cylinder, with their letters."""
    solid = solid_of(shape, diagnostics)
    if solid is None:
        return []
    if shape.kind == "box":
        spots = [Spot(shape.name, shape.body, corner) for corner in corners_of_box(solid)]
    else:
        x, y, z = (row[2] for row in solid.axes)
        rim = Round(radius=solid.radius, axis=(x, y, z) if solid.barrel else None)
        spots = [Spot(shape.name, shape.body, end, rim) for end in ends_of(solid)]
    if node.text("rolls") == "ideal" and shape.kind == "box":
        return [("A", spots[0])]  # which is refused
    return [(_corner(i, True), spot) for i, spot in enumerate(spots)]


def out_of(solid: Solid, p: Sequence[float]) -> Vector3:
    """A place of a solid in the frame of its body."""
    x, y, z = rotate(solid.axes, (p[0], p[1], p[2]))
    return (solid.centre[0] + x, solid.centre[1] + y, solid.centre[2] + z)


def fits_in_space(node: Node, first: Shape | Spot, others: Sequence[Shape], diagnostics: Diagnostics) -> bool:
    """Say what kinds of shapes do not touch each other in space; whether there is nothing of the kind."""
    kind = first.kind if isinstance(first, Shape) else "point"
    if kind not in (*SOLIDS, "point"):
        message = Text("a shape of this kind does not touch others", "фигура такого вида других не касается")
        diagnostics.error("wrong-shape", node.at("of"), message, expected=_EXPECTED)
        return False
    fits = True
    for shape in others:
        if shape.kind not in SOLIDS:
            message = Text("nothing touches a shape of this kind", "фигуры такого вида ничто не касается")
        elif {(kind, shape.kind), (shape.kind, kind)} & _REFUSED:
            message = Text(
                f"a {kind} and a {shape.kind} do not touch each other" + (f' ("{shape.name}")' if shape.name else ""),
                f"{_RUSSIAN[kind]} и {_RUSSIAN[shape.kind]} друг друга не касаются"
                + (f" («{shape.name}»)" if shape.name else ""),
            )
        else:
            continue
        fits = False
        diagnostics.error("wrong-shape", node.at("to"), message, expected=_EXPECTED)
    return fits


_RUSSIAN: Final = {"point": "точка", "sphere": "шар", "box": "коробка", "capsule": "капсула", "cylinder": "цилиндр"}


@entry
class _Side:
    """A shape of a pair, with what it is for the other."""

    name: str
    body: int
    kind: str
    solid: Solid
    label: str = ""
    """What tells its contacts from those of other obstacles."""


def candidates_in_space(
    first: Shape | Spot, others: Sequence[Shape], diagnostics: Diagnostics
) -> list[Candidate] | None:
    """All contacts of a pair in space; None where a shape has no size, which is said."""
    solids = [solid_of(shape, diagnostics) for shape in others]
    known = [each for each in solids if each is not None]
    if isinstance(first, Shape):
        own = solid_of(first, diagnostics)
        if own is None:
            return None
        one = _Side(first.name, first.body, first.kind, own)
    else:
        point = Solid(
            centre=first.place, axes=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), half=(0.0, 0.0, 0.0)
        )
        one = _Side(first.name, first.body, "point", point)
    if len(known) < len(solids):
        return None
    targets = [
        _Side(shape.name, shape.body, shape.kind, each, f"{shape.name or i} " if len(others) > 1 else "")
        for i, (shape, each) in enumerate(zip(others, known, strict=True), 1)
    ]
    return list(_candidates(one, targets))


def _candidates(one: _Side, targets: Sequence[_Side]) -> Iterator[Candidate]:
    on = targets[0].body
    if one.kind == "sphere" or one.kind == "point":
        yield from _ball(one, on, targets)
        return
    for target in targets:
        if target.kind == "sphere":
            # The ball is what touches.
            outline = Outline(solids=(one.solid,))
            round_ = Round(radius=target.solid.radius)
            yield Candidate(target.label.strip(), target.name, on, target.solid.centre, one.body, outline, round_)
        elif one.kind == "box" and target.kind == "box":
            yield from _two_boxes(one, target)
        else:
            yield from _capsule(one, target) if one.kind == "capsule" else _capsule(target, one, swapped=True)


def _ball(one: _Side, on: int, targets: Sequence[_Side]) -> Iterator[Candidate]:
    """A sphere or a point and all that it may touch, in as few contacts as can be touched at once."""
    round_ = Round(radius=one.solid.radius) if one.kind == "sphere" else None
    pieces: list[Solid] = []
    for target in targets:
        faces = one.kind == "point" and target.kind == "box"
        pieces += [replace(target.solid, face=i) for i in range(3)] if faces else [target.solid]
    groups = _groups(pieces, float(one.solid.radius))
    for i, group in enumerate(groups):
        suffix = str(i + 1) if len(groups) > 1 else ""
        yield Candidate(suffix, one.name, one.body, one.solid.centre, on, Outline(solids=tuple(group)), round_)


def _capsule(one: _Side, target: _Side, swapped: bool = False) -> Iterator[Candidate]:
    """A capsule and a capsule or a box; with `swapped` the capsule is the one that is named last."""
    mine, its = "AB", "12"
    if swapped:
        mine, its = its, mine
    label = one.label or target.label
    round_ = Round(radius=one.solid.radius)
    for name, end in zip(mine, ends_of(one.solid), strict=True):
        outline = Outline(solids=(target.solid,))
        yield Candidate(label + name, one.name, one.body, end, target.body, outline, round_)
    beside = Outline(solids=(replace(one.solid, beside=True),), sharp=False)
    if target.kind == "capsule":
        round_ = Round(radius=target.solid.radius)
        for name, end in zip(its, ends_of(target.solid), strict=True):
            yield Candidate(label + name, target.name, target.body, end, one.body, beside, round_)
    else:
        for i, corner in enumerate(corners_of_box(target.solid)):
            yield Candidate(label + _corner(i, swapped), target.name, target.body, corner, one.body, beside)
    yield from _crossings(one, target, label)


def _two_boxes(one: _Side, target: _Side) -> Iterator[Candidate]:
    """Two boxes: corners of each with faces of the other, and edges with edges."""
    for first, second, letters in ((one, target, True), (target, one, False)):
        for i, corner in enumerate(corners_of_box(first.solid)):
            for face in range(3):
                outline = Outline(solids=(replace(second.solid, face=face),), sharp=letters, corner_of=first.solid)
                suffix = target.label + _corner(i, letters) + "xyz"[face]
                yield Candidate(suffix, first.name, first.body, corner, second.body, outline)
    for i, j in product(range(3), repeat=2):
        for a, b in product(SIGNS, repeat=2):
            crossing = Crossing(first=one.solid, second=target.solid, along=(i, j), edges=(a, b))
            suffix = f"{target.label}{_edge_name(i, a, True)}×{_edge_name(j, b, False)}"
            outline = Outline(sharp=False, crossing=crossing)
            yield Candidate(suffix, one.name, one.body, one.solid.centre, target.body, outline)


def _edge_name(along: int, sides: Sequence[int], letters: bool) -> str:
    """The corners that an edge of a box is between."""
    weights = [4, 2, 1]
    others = [weight for axis, weight in enumerate(weights) if axis != along]
    first = sum(weight for weight, side in zip(others, sides, strict=True) if side > 0)
    return _corner(first, letters) + _corner(first + weights[along], letters)


def _corner(number: int, letters: bool) -> str:
    return "ABCDEFGH"[number] if letters else str(number + 1)


def _crossings(one: _Side, target: _Side, label: str) -> Iterator[Candidate]:
    """Edges of one shape that may lie across edges of the other."""
    axes = [[i for i in range(3) if float(each.solid.half[i]) > 0.0] for each in (one, target)]
    sides = [(-1, 1) if each.kind == "box" else (0,) for each in (one, target)]
    for i, j in product(*axes):
        for a, b in product(*sides):
            marks = "".join("" if not side else "+" if side > 0 else "−" for side in (a, b))
            crossing = Crossing(first=one.solid, second=target.solid, along=(i, j), sides=(a, b))
            suffix = f"{label}{'xyz'[i]}×{'xyz'[j]}{marks}"
            outline = Outline(sharp=False, crossing=crossing)
            yield Candidate(suffix, one.name, one.body, one.solid.centre, target.body, outline)


def _groups(solids: Sequence[Solid], radius: float) -> list[list[Solid]]:
    """Solids of one body in a few groups that have none which may be touched at once."""
    groups: list[list[Solid]] = []
    reach = CLOSE + 2.0 * radius * (1.0 + CLOSE)
    boxes = {id(solid): _bounds(solid) for solid in solids}
    for solid in solids:
        for group in groups:
            if all(
                (solid.face < 0) == (other.face < 0) and _apart(boxes[id(solid)], boxes[id(other)]) > reach
                for other in group
            ):
                group.append(solid)
                break
        else:
            groups.append([solid])
    return groups


Bounds = tuple[Vector3, Vector3]


def _bounds(solid: Solid) -> Bounds:
    """Middle and half lengths of the box along the axes of the body that contains a solid [m]."""
    half = [float(x) for x in solid.half]
    if solid.barrel:
        half[0] = half[1] = float(solid.radius)
    more = 0.0 if solid.barrel else float(solid.radius)
    x, y, z = (sum(abs(float(r)) * h for r, h in zip(row, half, strict=True)) + more for row in solid.axes)
    a, b, c = map(float, solid.centre)
    return (a, b, c), (x, y, z)


def _apart(one: Bounds, two: Bounds) -> float:
    """Least distance of two boxes along the same axes [m]."""
    (p, h), (q, k) = one, two
    return math.hypot(*(max(0.0, abs(a - b) - x - y) for a, b, x, y in zip(p, q, h, k, strict=True)))
