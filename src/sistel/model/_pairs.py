"""Pairs of shapes that may touch, in the plane as the contacts of points and round shapes that come of them.

Of two polygons, corners of each may touch sides of the other. A circle touches sides and goes around corners. Chains of
sides of which no two can be touched at once share a contact, so that a corner needs two on stairs of any length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.markup import Node
from sistel.model._contact_elements import Height, Outline, Pair, Round
from sistel.model._elements import Shape, Vector2
from sistel.model._flat import height_of, is_flat
from sistel.model._outlines import CONVEX, TOUCHING, Figure, figure, outlines, wedge_of
from sistel.model._rolling import Spot, corners_alone, round_spot
from sistel.model._solids import CORNERED, Candidate, candidates_in_space, corner_spots, fits_in_space
from sistel.pose import Vector3
from sistel.records import entry

WORLDS: Final = ("world", "мир")
"""What `to` says for all obstacles."""
MOST: Final = 200
"""Contacts that may come of one pair in the plane: the impulses of all of them are in one table."""
MOST_IN_SPACE: Final = 48
"""The same in space, where each has three rows."""


@entry
class Touching:
    """A pair and its contacts."""

    pair: Pair
    candidates: tuple[Candidate, ...]


def read_pair(
    node: Node,
    pair: Pair,
    first: Shape | Spot,
    others: Sequence[Shape],
    gravity: Vector3 | None,
    diagnostics: Diagnostics,
) -> Touching | None:
    """All contacts of a pair; None, with what is wrong said, where there can be none.

    Args:
        node: The contact in the file.
        pair: What it names.
        first: The shape or the point that touches.
        others: What it may touch, all on one body.
        gravity: In the plane [m/s²]; None in space.
        diagnostics: Where to say what is wrong.
    """
    if not _apart(node, first, others, diagnostics):
        return None
    grounds, others = [each for each in others if each.surface is not None], [e for e in others if e.surface is None]
    made: list[Candidate] | None = []
    if others:
        made = _plane(node, first, others, gravity, diagnostics) if gravity is not None else None
        if gravity is None and fits_in_space(node, first, others, diagnostics):
            made = candidates_in_space(first, others, diagnostics)
    over = _over(node, first, grounds, gravity is not None, bool(others), diagnostics)
    if made is None or over is None:
        return None
    if made and over:
        made = [replace(each, suffix=each.suffix or "1") for each in made]
    made += over
    many = sum(each.outline is None or not each.outline.of_boxes for each in made)
    most = MOST_IN_SPACE if gravity is None else MOST
    if many > most:
        diagnostics.error(
            "many-contacts",
            node.span,
            Text(
                f"{many} contacts come of this pair, and more than {most} would be slow",
                f"из этой пары получается контактов: {many}, а больше {most} считались бы слишком долго",
            ),
            hint=Text(
                "name single obstacles, give shapes fewer corners, or join obstacles to one polyline",
                "назовите отдельные препятствия, уменьшите число углов или объедините препятствия в одну ломаную",
            ),
        )
        return None
    return Touching(pair, tuple(made))


def _over(
    node: Node, first: Shape | Spot, grounds: Sequence[Shape], planar: bool, more: bool, diagnostics: Diagnostics
) -> list[Candidate] | None:
    """The contacts of a point, a round shape or corners with curved ground; `more` where others come of the pair."""
    spots = [("", first)] if isinstance(first, Spot) else []
    if isinstance(first, Shape) and grounds:
        found = _spots_over(node, first, grounds, planar, diagnostics)
        if found is None:
            return None
        spots = found
    made = []
    for i, ground in enumerate(grounds, 1):
        named = ground.name or f"profile {i}" if more or len(grounds) > 1 else ""
        for letter, spot in spots:
            suffix = " ".join(part for part in (letter, named) if part)
            made.append(Candidate(suffix, spot.name, spot.body, spot.place, 0, None, spot.round, ground))
    return made


def _spots_over(
    node: Node, shape: Shape, grounds: Sequence[Shape], planar: bool, diagnostics: Diagnostics
) -> list[tuple[str, Spot]] | None:
    """What of a shape touches curved ground, with letters; None, with what is wrong said, for nothing."""
    if shape.kind in ("circle", "sphere", "wheel"):
        spot = round_spot(node, shape, planar, diagnostics)
        return None if spot is None else [("", spot)]
    if not planar and shape.kind in CORNERED:
        spots = corner_spots(node, shape, diagnostics)
    elif planar and shape.kind in CONVEX:
        spots = flat_corners(shape, diagnostics)
    else:
        diagnostics.error(
            "wrong-shape",
            node.at("of"),
            Text("a shape of this kind does not touch a profile", "фигура такого вида профиля не касается"),
            expected=Text("a point, a circle, a polygon or a box", "точка, круг, многоугольник или коробка")
            if planar
            else Text(
                "a point, a sphere, a wheel, a box, a capsule or a cylinder",
                "точка, шар, колесо, коробка, капсула или цилиндр",
            ),
            related=[(grounds[0].span, Text("the profile is here", "профиль здесь"))],
        )
        return None
    curved = [each for each in grounds if each.surface is not None and not is_flat(each.surface.expression)]
    if spots and spots[0][1].round is None and curved:
        corners_alone(node, node.at("to"), diagnostics)
    return spots or None


def flat_corners(shape: Shape, diagnostics: Diagnostics) -> list[tuple[str, Spot]]:
    """The corners of a polygon or a box of the plane with their letters; none, with what is wrong said, of no shape."""
    own = figure(shape, (0.0, 1.0), diagnostics)
    if own is None:
        return []
    numbered = zip(own.numbers, own.corners, strict=True)
    return [(_letter(number), Spot(shape.name, shape.body, _flat(corner))) for number, corner in numbered]


def over_ground(candidate: Candidate, planar: bool) -> Height | None:
    """How the ground under something round is solved for its height; None where it is flat, and of points."""
    if candidate.ground is None or candidate.ground.surface is None or candidate.round is None:
        return None
    gap = candidate.ground.surface.expression
    return None if is_flat(gap) else height_of(gap, planar)


def _plane(
    node: Node, first: Shape | Spot, others: Sequence[Shape], gravity: Vector3, diagnostics: Diagnostics
) -> list[Candidate] | None:
    """All contacts of a pair in the plane."""
    if not _fits(node, first, others, diagnostics):
        return None
    down = (gravity[0], gravity[1])
    own = figure(first, down, diagnostics) if isinstance(first, Shape) else None
    targets = [figure(shape, down, diagnostics) for shape in others]
    known = [each for each in targets if each is not None]
    if len(known) < len(targets) or (isinstance(first, Shape) and own is None):
        return None
    return list(_candidates(first, own, known))


def _apart(node: Node, first: Shape | Spot, others: Sequence[Shape], diagnostics: Diagnostics) -> bool:
    """Say what a pair of shapes does not have, and whether it is on one body; whether there is nothing of the kind."""
    fits = True
    for key in ("surface", "on", "rolls"):
        if key in node.attributes:
            fits = False
            diagnostics.error(
                "contradiction",
                node.at(key),
                Text("a contact of two shapes has no such attribute", "у контакта двух фигур такого атрибута нет"),
                hint=Text(
                    "keep to, or surface with what belongs to it", "оставьте к или поверхность и что к ней относится"
                ),
            )
    for shape in others:
        if shape.body == first.body:
            fits = False
            diagnostics.error(
                "same-body",
                node.at("to"),
                Text("both shapes are on one body", "обе фигуры на одном теле"),
            )
    return fits


def _fits(node: Node, first: Shape | Spot, others: Sequence[Shape], diagnostics: Diagnostics) -> bool:
    """Say what kinds of shapes do not touch each other; whether there is nothing of the kind."""
    fits = True
    if isinstance(first, Shape) and first.kind not in (*CONVEX, "circle"):
        fits = False
        message = Text("a shape of this kind does not touch others", "фигура такого вида других не касается")
        expected = Text("a circle, a polygon or a box", "круг, многоугольник или коробка")
        diagnostics.error("wrong-shape", node.at("of"), message, expected=expected)
    for shape in others:
        if shape.kind not in TOUCHING:
            fits = False
            message = Text("nothing touches a shape of this kind", "фигуры такого вида ничто не касается")
            expected = Text("a circle, a polygon, a box or a polyline", "круг, многоугольник, коробка или ломаная")
            diagnostics.error("wrong-shape", node.at("to"), message, expected=expected)
    return fits


def _candidates(first: Shape | Spot, own: Figure | None, targets: Sequence[Figure]) -> Iterator[Candidate]:
    on, name, body = targets[0].shape.body, first.name, first.body
    if own is None:
        assert isinstance(first, Spot)
        place = first.place
        found = outlines(targets)
        for i, outline in enumerate(found):
            yield Candidate(_number(i, len(found)), name, body, place, on, outline)
        return
    if not own.corners:
        (disk,) = own.chains
        found = outlines(targets, float(disk.radius))
        for i, outline in enumerate(found):
            yield Candidate(
                _number(i, len(found)), name, body, _flat(disk.centre), on, outline, Round(radius=disk.radius)
            )
        return
    groups = outlines(targets)
    for number, corner in zip(own.numbers, own.corners, strict=True):
        for strokes, each in enumerate(groups):
            outline = replace(each, wedge=wedge_of(own, corner))
            yield Candidate(_letter(number) + _strokes(strokes), name, body, _flat(corner), on, outline)
    sides = [replace(outline, sharp=False) for outline in outlines([own])]
    for target in targets:
        label = f"{target.shape.name} " if len(targets) > 1 and target.shape.name else ""
        if target.shape.kind == "circle":  # a polyline may have no corners that point outwards, too
            (disk,) = target.chains
            suffix = label.strip() or "0"
            itself = Outline(chains=own.chains)
            own_round = Round(radius=disk.radius)
            yield Candidate(suffix, target.shape.name, on, _flat(disk.centre), body, itself, own_round)
        for number, corner in zip(target.numbers, target.corners, strict=True):
            for strokes, each in enumerate(sides):
                outline = replace(each, wedge=wedge_of(target, corner))
                suffix = f"{label}{number}{_strokes(strokes)}"
                yield Candidate(suffix, target.shape.name, on, _flat(corner), body, outline)


def _flat(p: Vector2) -> Vector3:
    return (p[0], p[1], 0.0)


def _letter(number: int) -> str:
    return ascii_uppercase[number - 1] if number <= len(ascii_uppercase) else f"A{number}"


def _strokes(count: int) -> str:
    """What tells the contacts of one corner apart: nothing, a stroke, two strokes."""
    return "′" * count


def _number(count: int, all_of_them: int) -> str:
    """What tells the contacts of a point or a circle apart: nothing where there is one."""
    return str(count + 1) if all_of_them > 1 else ""
