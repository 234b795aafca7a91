"""Claims about shapes that touch in space: their gaps, and the normals along which they push."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import AWAY, contact_rows
from sistel.model import Contact, Solid
from sistel.proofs._claim import Claim, Finding, apart, claim
from sistel.proofs._differences import doubt, path, slope
from sistel.proofs._subject import StructureSubject
from sistel.proofs._virtual import Motions, motions

if TYPE_CHECKING:
    from sistel.arrays import Array

_WHAT = "shapes that touch | касание фигур"
_NEAREST = "nearest places, shape by shape | ближайшие места, фигура за фигурой"


FEW = 24
"""Contacts of boxes that are looked at in one state, of the very many that there are."""


def _touching(subject: StructureSubject) -> list[Contact]:
    """Contacts of shapes in space, but for those of boxes with boxes."""
    return [] if subject.model.planar else [each for each in subject.model.contacts if _alone(each)]


def _alone(contact: Contact) -> bool:
    return contact.outline is not None and not contact.outline.of_boxes


def _boxes(subject: StructureSubject) -> list[Contact]:
    """Contacts of boxes with boxes."""
    return [each for each in subject.model.contacts if each.outline is not None and each.outline.of_boxes]


def _has_boxes(subject: StructureSubject) -> bool:
    return bool(_boxes(subject))


def _balls(subject: StructureSubject) -> list[Contact]:
    """Those of a ball or a point with whole solids."""
    return [each for each in _touching(subject) if each.outline is not None and _whole(each.outline.solids)]


def _has_balls(subject: StructureSubject) -> bool:
    return bool(_balls(subject))


def _has_shapes(subject: StructureSubject) -> bool:
    return bool(_touching(subject) or _boxes(subject))


def _whole(solids: tuple[Solid, ...]) -> bool:
    return bool(solids) and all(solid.face < 0 and not solid.beside for solid in solids)


def _distance(contact: Contact, at: Motions) -> float:
    """Of a ball from the nearest place of all its solids, found on each by itself; inf inside of one [m]."""
    assert contact.outline is not None
    place = at.R[contact.on].T @ (at.place(contact.body, contact.p_BP) - at.p[contact.on])
    found = []
    for solid in contact.outline.solids:
        x = np.array(solid.axes).T @ (place - np.array(solid.centre))
        near, radius = np.clip(x, -np.array(solid.half), solid.half), solid.radius
        if solid.barrel:
            off = float(np.hypot(x[0], x[1]))
            near[:2] = x[:2] * min(1.0, solid.radius / off) if off else 0.0
            radius = 0.0
        far = float(np.linalg.norm(x - near))
        found.append(far - radius if far > 0.0 else np.inf)
    return min(found) - (contact.round.radius if contact.round is not None else 0.0)


def _gap(subject: StructureSubject, contact: Contact, q: Array, way: Array) -> tuple[float, float]:
    """The gap of a contact, and its rate by its row."""
    row, _ = contact_rows(subject.model, subject.tree, contact, q.tolist(), way.tolist(), 0.0)
    return float(row.value), float(np.array(row.J, dtype=float) @ way)  # type: ignore[arg-type]


@claim("shape-gaps", _WHAT, "gaps | зазоры", _NEAREST, about=_has_balls)
def _gaps(subject: StructureSubject) -> Finding:
    """Gaps of balls against the distance of the nearest place of every solid."""
    units, worst = subject.units, 0.0
    still = np.zeros(subject.model.nv)
    for s in subject.many:
        at = motions(subject.model, subject.q[s], still)
        for contact in _balls(subject):
            expected = _distance(contact, at)
            gap, _ = _gap(subject, contact, subject.q[s], still)
            if np.isfinite(expected) and gap < AWAY / 2:
                worst = max(worst, apart(np.array([gap]), np.array([expected]), units.length))
    return Finding(worst, units.rounding, "n ε", subject.count)


@claim("shape-normals", _WHAT, "J v", "differences of gaps | разности зазоров", about=_has_shapes)
def _normals(subject: StructureSubject) -> Finding:
    """Velocities along normals against differences of gaps: a normal is the gradient of its gap."""
    units, worst = subject.units, 0.0
    ways = subject.rng("normals").uniform(-1.0, 1.0, (len(subject.q), subject.model.nv))
    asked = [(s, each) for s in subject.many for each in (*_touching(subject), *_some(subject, s))]
    for s, contact in asked:
        way = ways[s] / np.abs(ways[s]).sum() * units.ways
        samples = np.array([[_gap(subject, contact, q, way)[0]] for q in path(subject.model, subject.q[s], way)])
        long = max(units.length, float(np.abs(samples).max()))
        trust = float(doubt(samples)[0].max()) / long
        # Where the nearest place passes from a face to an edge, the gap has no third derivative: nothing to compare.
        if samples.max() < AWAY / 2 and trust < 10.0 * units.differences:
            _, rate = _gap(subject, contact, subject.q[s], way)
            worst = max(worst, apart(np.array([rate]), slope(samples), long) - trust)
    return Finding(worst, units.differences, "n ε/h", subject.count)


def _some(subject: StructureSubject, s: int) -> list[Contact]:
    """Some contacts of boxes with boxes, others in every state."""
    boxes = _boxes(subject)
    return [boxes[(FEW * s + i) * 7919 % len(boxes)] for i in range(min(FEW, len(boxes)))]


def _lines_apart(contact: Contact, at: Motions) -> float | None:
    """The gap of a corner and a face, or of two edges, from places in W alone; None where edges are parallel [m]."""
    assert contact.outline is not None
    crossing, (one, two) = contact.outline.crossing, (contact.body, contact.on)
    if crossing is None:
        (solid,) = contact.outline.solids
        centre, axes = at.place(two, solid.centre), at.R[two] @ np.array(solid.axes)
        return float(abs(axes[:, solid.face] @ (at.place(one, contact.p_BP) - centre)) - solid.half[solid.face])
    assert crossing.edges is not None
    ends = []
    for body, solid, along, sides in zip(
        (one, two), (crossing.first, crossing.second), crossing.along, crossing.edges, strict=True
    ):
        signs = np.insert(np.array(sides, dtype=float), along, 0.0)
        axes = at.R[body] @ np.array(solid.axes)
        ends.append((at.place(body, solid.centre) + axes @ (signs * np.array(solid.half)), axes[:, along]))
    (p, a), (q, b) = ends
    # The volume of a box along the edges and the way between them, over the area of its base.
    base = np.linalg.norm(np.cross(a, b))
    return float(np.linalg.det(np.array([p - q, a, b])) / base) if base > 1e-3 else None


@claim("box-gaps", _WHAT, "gaps of boxes | зазоры коробок", "volumes and planes | объёмы и плоскости", about=_has_boxes)
def _box_gaps(subject: StructureSubject) -> Finding:
    """Gaps of corners and faces, and of edges that cross, against planes and volumes."""
    units, worst, still = subject.units, 0.0, np.zeros(subject.model.nv)
    for s in subject.many:
        at = motions(subject.model, subject.q[s], still)
        for contact in _some(subject, s):
            expected = _lines_apart(contact, at)
            gap, _ = _gap(subject, contact, subject.q[s], still)
            if expected is not None and gap < AWAY / 2:
                worst = max(worst, apart(np.array([abs(gap)]), np.array([abs(expected)]), units.length))
    return Finding(worst, 100.0 * units.rounding, "n ε", subject.count)


SHAPES: tuple[Claim[StructureSubject], ...] = (_gaps, _normals, _box_gaps)
