"""The distance of two shapes that may touch: the least of the gaps of their contacts, beyond the ends of sides, too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.expr import Scalar, Vector, less, logical_or, maximum, minimum, select, sqrt
from sistel.mechanics._outlines import AWAY
from sistel.mechanics._solids import nearest_solid
from sistel.model import Contact, Outline, Straight

if TYPE_CHECKING:
    from sistel.mechanics._quantities import Quantities


def pair_gap(state: Quantities, name: str) -> Scalar:
    """Distance of the two sides of a pair of shapes, 0 where they touch [m]."""
    least: Scalar = AWAY
    for contact in state.model.contacts:
        if contact.pair is not None and contact.pair.name == name:
            least = minimum(least, state.gap(contact.name))
            least = minimum(least, _from_ends(state, contact))
    return least


def _from_ends(state: Quantities, contact: Contact) -> Scalar:
    """Distance of the corner of a contact from sides beyond whose ends it is, where its gap has no meaning."""
    outline = contact.outline
    if outline is None or outline.crossing is not None or contact.round is not None:
        return AWAY
    _, place = state.from_surface(contact)
    if outline.solids:
        faced = [replace(solid, face=-1) for solid in outline.solids if solid.face >= 0]
        return nearest_solid(Outline(solids=tuple(faced)), place, Vector(0.0, 0.0, 0.0)).gap if faced else AWAY
    least: Scalar = AWAY
    for chain in outline.chains:
        for side in chain.sides:
            least = minimum(least, _from_side(side, place[0], place[1]))
    return least


def _from_side(side: Straight, x: Scalar, y: Scalar) -> Scalar:
    """Distance of a place that is before a side, or beyond its ends."""
    dx, dy, (ux, uy) = x - side.place[0], y - side.place[1], side.along
    along, off = dx * ux + dy * uy, dx * uy - dy * ux
    beyond = along - minimum(maximum(along, 0.0), side.length)
    there = logical_or(less(0.0, off), logical_or(less(along, 0.0), less(side.length, along)))
    return select(there, sqrt(select(there, off * off + beyond * beyond, 1.0)), AWAY)
