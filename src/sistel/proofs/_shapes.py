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


def _touching(subject: StructureSubject) -> list[Contact]:
    """Contacts of shapes in space."""
    return [each for each in subject.model.contacts if each.outline is not None and not subject.model.planar]


def _balls(subject: StructureSubject) -> list[Contact]:
    """Those of a ball or a point with whole solids."""
    return [each for each in _touching(subject) if each.outline is not None and _whole(each.outline.solids)]


def _has_balls(subject: StructureSubject) -> bool:
    return bool(_balls(subject))


def _has_shapes(subject: StructureSubject) -> bool:
    return bool(_touching(subject))


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


@claim(
    "shape-gaps",
    _WHAT,
    "gaps | зазоры",
    "nearest places, shape by shape | ближайшие места, фигура за фигурой",
    about=_has_balls,
)
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


@claim(
    "shape-normals",
    _WHAT,
    "J v",
    "differences of gaps | разности зазоров",
    about=_has_shapes,
)
def _normals(subject: StructureSubject) -> Finding:
    """Velocities along normals against differences of gaps: a normal is the gradient of its gap."""
    units, worst = subject.units, 0.0
    for s in subject.many:
        way = subject.rng("normals").uniform(-1.0, 1.0, subject.model.nv)
        way = way / np.abs(way).sum() * units.ways
        places = path(subject.model, subject.q[s], way)
        for contact in _touching(subject):
            samples = np.array([[_gap(subject, contact, q, way)[0]] for q in places])
            if samples.max() < AWAY / 2:
                _, rate = _gap(subject, contact, subject.q[s], way)
                # Where a ball passes from a face to an edge, differences of fewer points tell how far to trust them.
                off = (
                    apart(np.array([rate]), slope(samples), units.length)
                    - float(doubt(samples)[0].max()) / units.length
                )
                worst = max(worst, off)
    return Finding(worst, units.differences, "n ε/h", subject.count)


SHAPES: tuple[Claim[StructureSubject], ...] = (_gaps, _normals)
