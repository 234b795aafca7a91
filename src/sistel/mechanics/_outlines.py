"""Distances of points and round shapes from outlines, with the domains in which they mean something.

Within the ends of a side the distance of a point is a gap, beyond them there is none, and `AWAY` stands for it. At the
ends there are margins, all of them less than a nanometre: a point that slides off has left its side `BEYOND` its end,
and the corner that it has left finds itself `WITHIN` a side of the other shape. It does not strike there before: that
takes `STRIKES`, which is more. So one contact follows the other, and a corner that slides along a side does not strike
what ends there.

A round shape goes around corners: its distance from a chain has a gradient everywhere, and jumps only in curvature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sistel.expr import Scalar, is_number, less, less_equal, logical_and, logical_not, logical_or, select, sqrt
from sistel.model import Chain, Outline, Straight
from sistel.records import entry

AWAY: Final = 1e6
"""Stands for the gap of what has none [m]."""
STRIKES: Final = 4e-10
"""How far within the ends of a side a point strikes it [m]."""
WITHIN: Final = 5e-11
"""How far within the ends of a side a point touches it, where something else has happened [m]."""
BEYOND: Final = 1e-10
"""How far beyond the end of a side a point that slides has left it [m]."""
AHEAD: Final = 1e-9
"""Time ahead that tells on which side of a border a round shape is about to be [s]."""
SLOW: Final = 1e-9
"""Speed below which a point at the very end of a side rests there [m/s]."""

LEANS: Final = 1e-6
"""Sine of an angle between two sides that is none."""


@entry
class Over:
    """How a corner of a shape stands at a side: what tells whether it meets it at its very end.

    Corner meets corner where equal boxes fall on each other. There a side counts that all of the other shape is before,
    and that this reaches over, from that end on, or comes to.
    """

    before: Scalar
    """Whether all of the shape is before the side, as far as its corner tells."""
    begins: Scalar
    """Whether it reaches over the side, or comes to, where the side begins."""
    ends: Scalar
    """The same where it ends."""
    nearer: Scalar
    """Whether the corner comes nearer to it."""


@entry
class Within:
    """The gap of what counts between some ends: along a side, or along and across a face."""

    gap: Scalar
    spans: tuple[tuple[Scalar, Scalar], ...]
    """How far from one end the place is, and how far the ends are apart [m]; none where there are no ends."""
    over: Over | None = None
    """Of a corner of a shape in the plane."""

    def inside(self) -> Scalar | None:
        """Positive while a point that slides has not left, of the order of 1; None where it cannot leave."""
        made: Scalar | None = None
        for along, length in self.spans:
            part = (along + BEYOND) * (length + BEYOND - along) / (length * length)
            made = part if made is None else made * part
        return made

    def striking(self, sharp: bool) -> Scalar:
        """The gap of a point, where it may strike.

        Args:
            sharp: Whether it also rests at the very end of a side.
        """
        if self.over is None:
            return self._where(self.far_within(STRIKES))
        ((along, length),) = self.spans
        margin = -WITHIN if sharp else WITHIN  # of two corners that meet, one strikes
        comes = logical_and(self.over.before, self.over.nearer)
        low, high = (select(logical_and(comes, each), margin, STRIKES) for each in (self.over.begins, self.over.ends))
        return self._where(logical_and(less(low, along), less(along, length - high)))

    def touching(self, approach: Scalar, sharp: bool) -> Scalar:
        """The gap of a point, where it may touch.

        Args:
            approach: Velocity along the normal, negative where it comes nearer [m/s].
            sharp: Whether it also rests at the very end of a side.
        """
        within = self.far_within(WITHIN)
        if sharp and self.spans:
            rests = less(-SLOW, approach)
            if self.over is not None:
                ((along, length),) = self.spans
                over = select(less(2.0 * along, length), self.over.begins, self.over.ends)
                rests = logical_and(self.over.before, logical_or(over, rests))
            within = logical_or(within, logical_and(self.far_within(-WITHIN), rests))
        return self._where(within)

    def there(self) -> Scalar:
        """The gap where it is within the ends, or nearly so."""
        return self._where(self.far_within(-2.0 * BEYOND))

    def far_within(self, margin: float) -> Scalar:
        """Whether the place is that far within all ends."""
        made: Scalar = 1.0
        for along, length in self.spans:
            between = logical_and(less(margin, along), less(along, length - margin))
            made = between if is_number(made) else logical_and(made, between)
        return made

    def _where(self, within: Scalar) -> Scalar:
        return select(within, self.gap, AWAY) if self.spans else self.gap


@entry
class Near:
    """The nearest of an outline, seen from a place.

    Beyond the ends of a side there is none for a point.
    """

    gap: Scalar
    """Distance, `AWAY` where there is none [m]."""
    normal: tuple[Scalar, Scalar]
    bend: Scalar
    """Curvature: how the normal turns with the place [1/m]."""
    along: Scalar
    """How far along its side the place is [m]."""
    length: Scalar
    """Of this side [m]."""

    @property
    def curve(self) -> list[Scalar]:
        """Second derivatives of the distance: xx, yy, zz, xy, xz, yz."""
        (x, y), k = self.normal, self.bend
        return [k * (y * y), k * (x * x), 0.0, 0.0 - k * (x * y), 0.0, 0.0]

    @property
    def within(self) -> Within:
        """Where it counts."""
        return Within(self.gap, ((self.along, self.length),))


def nearest(
    outline: Outline, x: Scalar, y: Scalar, *, goes_around: bool, toward: tuple[Scalar, Scalar] = (0.0, 0.0)
) -> Near:
    """What of an outline is nearest to a place.

    Args:
        outline: The outline.
        x: In its frame [m].
        y: The same.
        goes_around: Whether corners count: for the centre of a round shape.
        toward: A way from the place that decides which side or corner that is, where two are equally near [m].
    """
    found: Near | None = None
    for chain in outline.chains:
        if not chain.sides:
            near = _circle(chain, x, y)
        else:
            near = _around(chain, x, y, toward) if goes_around else _before(chain.sides[0], x, y)
        found = near if found is None else _chosen(less(near.gap, found.gap), near, found)
    assert found is not None
    return found


def over(near: Near, wedge: Sequence[tuple[Scalar, Scalar]], speed: tuple[Scalar, Scalar]) -> Over:
    """How a corner stands at the side that is nearest to it.

    Args:
        near: Of the corner.
        wedge: Directions of the sides that leave the corner, in the frame of the other side: that of the side after it
            first, so that seen along the other side, with what is free above, it is on the left.
        speed: Velocity of the corner in that frame [m/s].
    """
    nx, ny = near.normal
    left, right, moves = ((y * nx - x * ny, x * nx + y * ny) for x, y in (*wedge, speed))
    before = logical_and(less(-LEANS, left[1]), less(-LEANS, right[1]))
    slow = SLOW - LEANS * moves[1]
    begins = logical_or(less(LEANS, right[0]), less(slow, moves[0]))
    ends = logical_or(less(left[0], -LEANS), less(moves[0], 0.0 - slow))
    return Over(before, begins, ends, less(moves[1], -SLOW))


def _chosen(first: Scalar, one: Near, two: Near) -> Near:
    return Near(
        select(first, one.gap, two.gap),
        (select(first, one.normal[0], two.normal[0]), select(first, one.normal[1], two.normal[1])),
        select(first, one.bend, two.bend),
        select(first, one.along, two.along),
        select(first, one.length, two.length),
    )


def _circle(chain: Chain, x: Scalar, y: Scalar) -> Near:
    near = _corner(chain.centre, x, y)
    return Near(near.gap - chain.radius, near.normal, near.bend, 1.0, 2.0)


def _corner(place: tuple[float, float], x: Scalar, y: Scalar) -> Near:
    dx, dy = x - place[0], y - place[1]
    far = sqrt(dx * dx + dy * dy)
    return Near(far, (dx / far, dy / far), 1.0 / far, 1.0, 2.0)


def _side(side: Straight, x: Scalar, y: Scalar) -> Near:
    dx, dy, (ux, uy) = x - side.place[0], y - side.place[1], side.along
    return Near(dx * uy - dy * ux, (uy, -ux), 0.0, dx * ux + dy * uy, side.length)


def _before(side: Straight, x: Scalar, y: Scalar) -> Near:
    """A side seen from a place before it."""
    near = _side(side, x, y)
    there = logical_and(less(-2.0 * BEYOND, near.along), less(near.along, near.length + 2.0 * BEYOND))
    if side.depth < AWAY:
        there = logical_and(there, less(0.0 - side.depth, near.gap))
    for (px, py), (ux, uy) in side.beside:
        behind = less((x - px) * uy - (y - py) * ux, -4.0 * BEYOND)
        there = logical_and(there, logical_or(less(-BEYOND, near.gap), behind))
    return replace(near, gap=select(there, near.gap, AWAY))


def _around(chain: Chain, x: Scalar, y: Scalar, toward: tuple[Scalar, Scalar]) -> Near:
    """The side or the corner of a convex chain that is nearest to a place before it."""
    sides = [_side(side, x, y) for side in chain.sides]
    ahead = [
        near.along + (toward[0] * side.along[0] + toward[1] * side.along[1])
        for near, side in zip(sides, chain.sides, strict=True)
    ]
    begun = [less_equal(0.0, along) for along in ahead]
    ended = [less(near.length, along) for near, along in zip(sides, ahead, strict=True)]
    last = len(sides) - 1
    found = Near(AWAY, sides[0].normal, 0.0, 1.0, 2.0)
    for i, near in enumerate(sides):
        there = logical_and(logical_and(begun[i], logical_not(ended[i])), less(0.0, near.gap))
        found = _chosen(there, near, found)
        if i < last or chain.closed:
            (px, py), (ux, uy), length = (getattr(chain.sides[i], key) for key in ("place", "along", "length"))
            between = logical_and(ended[i], logical_not(begun[(i + 1) % len(sides)]))
            found = _chosen(between, _corner((px + length * ux, py + length * uy), x, y), found)
    if not chain.closed and chain.ends[0]:
        found = _chosen(logical_not(begun[0]), _corner(chain.sides[0].place, x, y), found)
    if not chain.closed and chain.ends[1]:
        (px, py), (ux, uy), length = (getattr(chain.sides[-1], key) for key in ("place", "along", "length"))
        found = _chosen(ended[last], _corner((px + length * ux, py + length * uy), x, y), found)
    return found
