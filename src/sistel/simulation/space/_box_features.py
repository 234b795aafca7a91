"""Features of two boxes for the tables: corners that touch faces, edges that cross edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import Element
from sistel.model import BOX_CONTACTS, Crossing, Outline, Solid
from sistel.simulation.space import tables as s

if TYPE_CHECKING:
    from sistel.arrays import Array


def box_pairs(elements: Sequence[Element], owners: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of boxes: the first feature of each, and how many it has.

    Args:
        elements: All; those of a pair stand side by side.
        owners: Of every feature, its element.
    """
    boxed = [f for f, e in enumerate(owners) if _of_boxes(elements[e])]
    groups: list[list[int]] = []
    seen = -1
    known: set[int] = set()
    for f in boxed:
        if owners[f] != seen:
            seen = owners[f]
            if len(known) % BOX_CONTACTS == 0:
                groups.append([])
            known.add(seen)
        groups[-1].append(f)
    assert len(known) % BOX_CONTACTS == 0
    assert all(group[-1] - group[0] == len(group) - 1 for group in groups)
    return [(group[0], len(group)) for group in groups]


def _of_boxes(element: Element) -> bool:
    contact = element.contact
    return contact is not None and contact.outline is not None and contact.outline.of_boxes


def corner(row: Array, outline: Outline, centre: Array) -> Array:
    """What a feature of a corner and a face knows of the box that the corner is of."""
    own = outline.corner_of
    assert own is not None
    row[s.BOXED] = s.SHARP_CORNER if outline.sharp else s.PLAIN_CORNER
    _put_own(row, own, centre)
    return row


def _put_own(row: Array, own: Solid, centre: Array) -> None:
    axes = np.array([[float(x) for x in each] for each in own.axes]).T
    row[s.OWN_MIDDLE : s.OWN_MIDDLE + 3] = np.array([float(x) for x in own.centre]) - centre
    row[s.OWN_AXES : s.OWN_AXES + 9] = axes.ravel()
    row[s.OWN_HALF : s.OWN_HALF + 3] = [float(x) for x in own.half]


def edges(row: Array, crossing: Crossing, centre: Array, other: Array) -> Array:
    """The feature of two edges.

    Args:
        row: To be filled.
        crossing: The edges.
        centre: The centre of mass of the body that touches, in its frame [m].
        other: The same of what is touched [m].
    """
    made = row.copy()
    assert crossing.edges is not None
    _put_own(made, crossing.first, centre)
    place, way, span, out = _edge(crossing.first, crossing.along[0], crossing.edges[0], centre)
    made[s.P : s.P + 3], made[s.OWN_EDGE : s.OWN_EDGE + 3] = place, way
    made[s.OWN_SPAN], made[s.OWN_OUT : s.OWN_OUT + 3] = span, out
    place, way, span, out = _edge(crossing.second, crossing.along[1], crossing.edges[1], other)
    made[s.Q : s.Q + 3], made[s.AXIS : s.AXIS + 3] = place, way
    made[s.SPAN], made[s.OUT : s.OUT + 3] = span, out
    solid = crossing.second
    made[s.MIDDLE : s.MIDDLE + 3] = np.array([float(x) for x in solid.centre]) - other
    made[s.AXES : s.AXES + 9] = np.array([[float(x) for x in each] for each in solid.axes]).T.ravel()
    made[s.HALF : s.HALF + 3] = [float(x) for x in solid.half]
    made[s.CODE : s.CODE + 3] = 2.0
    made[s.BOXED] = s.CROSSING
    return made


def _edge(solid: Solid, along: int, sides: Sequence[int], centre: Array) -> tuple[Array, Array, float, Array]:
    """The middle of an edge from the centre of mass, its direction, half of its length, and the way out of the box."""
    axes = np.array([[float(x) for x in each] for each in solid.axes]).T
    half = [float(x) for x in solid.half]
    place = np.array([float(x) for x in solid.centre]) - centre
    out = np.zeros(3)
    for axis, side in zip((each for each in range(3) if each != along), sides, strict=True):
        place = place + side * half[axis] * axes[axis]
        out = out + side * axes[axis]
    return place, axes[along], half[along], out
