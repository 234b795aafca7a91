"""From a model of free bodies whose shapes touch in space to the tables of `_loop`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import Element
from sistel.mechanics import gap_values
from sistel.model import Body, Contact, Model, Outline, Solid, flies_free, is_flat
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._bodies import Given, Sizes, element_rows, lists_of, made, nothing_else_acts
from sistel.simulation.space import tables as s
from sistel.simulation.space._box_features import box_pairs, corner, edges

if TYPE_CHECKING:
    from sistel.arrays import Array

EQUAL: Final = 1e-12
"""Part by which moments of inertia that are equal may differ."""
_SPACE: Final = Sizes(
    place=s.PLACE,
    rate=s.RATE,
    box=3,
    spread=s.SPREAD,
    series=s.SERIES,
    contact_series=s.C_SERIES,
    force=s.C_F,
    forces=3,
    row=s.ROW,
    sides=3,
    unknowns=3,
    kept=s.PLACE + s.RATE,
    body=s.BODY,
    blow=s.BLOW,
    counts=s.COUNTS,
    numbers=s.NUMBERS,
    tableau=s.EQUATION,
)
ROOM: Final = 400
"""Contacts for which there is room in one problem, beside some for every body."""


def suits(model: Model, elements: Sequence[Element]) -> bool:
    """Whether a system is one of free bodies in space that nothing but gravity and touching solids acts on."""
    if model.planar or not nothing_else_acts(model, elements):
        return False
    contacts = [element.contact for element in elements]
    return all(contact is not None and _is_known(model, contact) for contact in contacts) and all(
        body.joint.type.nq == s.PLACE and flies_free(body) and _turns(body) for body in model.bodies
    )


def _turns(body: Body) -> bool:
    return bool(np.linalg.eigvalsh(_inertia(body))[0] > 0.0)


def _inertia(body: Body) -> Array:
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)


def _is_known(model: Model, contact: Contact) -> bool:
    """Whether a contact is one of spheres and points with faces, edges and corners."""
    if contact.round is not None and (contact.round.axis is not None or contact.round.tread):
        return False
    outline = contact.outline
    if outline is not None and outline.of_boxes:
        return True
    if outline is None:
        return contact.on == 0 and is_flat(contact.gap.expression) and _plane(model, contact) is not None
    if outline.crossing is not None or not outline.solids:
        return False
    point = contact.round is None
    # Points touch faces; what is beside an edge and no end of it is for edges.
    return not any(each.barrel or each.beside or point != (each.face >= 0) for each in outline.solids)


def _plane(model: Model, contact: Contact) -> tuple[Array, float] | None:
    """Normal and place of a flat surface; None where it moves."""
    (gap,), slope, curve, *moves = gap_values(model, contact, (0.0, 0.0, 0.0), 0.0)
    if any(float(x) for part in (curve, *moves) for x in part):  # type: ignore[arg-type]
        return None
    n = np.array([float(x) for x in slope])  # type: ignore[arg-type]
    size = float(np.linalg.norm(n))
    return (n / size, -float(gap) / size) if size > 0.0 else None  # type: ignore[arg-type]


def world_of(model: Model, elements: Sequence[Element], order: int, tolerance: float) -> t.World:
    """The tables of a model."""
    n, count = len(model.bodies) + 1, len(elements)
    centres = [np.zeros(3), *(np.array(body.p_BoBcm_B, dtype=float) for body in model.bodies)]
    kinds: list[tuple[int, int, int, int]] = []
    numbers: list[Array] = []
    laws, table = np.zeros((count, t.LAW)), np.zeros((count, t.ELEMENT), dtype=np.int64)
    for e, element in enumerate(elements):
        contact = element.contact
        assert contact is not None
        first = len(kinds)
        for kind, row in _features(model, contact, centres):
            kinds.append((kind, e, contact.body, contact.on))
            numbers.append(row)
        table[e], laws[e] = element_rows(element, first, len(kinds) - first)
    features = np.array(numbers)
    boxes = box_pairs(elements, [each[1] for each in kinds])
    boxed = {f for first, many in boxes for f in range(first, first + many)}
    bodies = np.zeros((n, s.BODY))
    bodies[0, s.EVEN] = 1.0
    for body in model.bodies:
        bodies[body.number] = _body(body, centres[body.number])
    for (_, _, a, b), f in zip(kinds, features, strict=True):
        far = float(np.linalg.norm(f[s.P : s.P + 3]))
        bodies[a, s.REACH] = max(bodies[a, s.REACH], far + f[s.RADIUS])
        bodies[a, s.ODD] = max(bodies[a, s.ODD], float(far > 0.0))
        if b:
            far = float(np.linalg.norm(f[s.MIDDLE : s.MIDDLE + 3])) + float(np.linalg.norm(f[s.HALF : s.HALF + 3]))
            bodies[b, s.REACH] = max(bodies[b, s.REACH], far + f[s.OTHER])
            bodies[b, s.ODD] = max(bodies[b, s.ODD], float(far > 0.0))
    given = Given(bodies, features, np.array(kinds), table, laws, *lists_of(kinds, n, boxed), boxes)
    world = made(given, _SPACE, order, tolerance, min(count, 6 * n + ROOM) + 1)
    np.asarray(world.numbers)[s.GRAVITY : s.GRAVITY + 3] = model.gravity
    return world


def _body(body: Body, centre: Array) -> Array:
    row = np.zeros(s.BODY)
    inertia = _inertia(body)
    mean = float(np.trace(inertia)) / 3
    row[s.LIGHT], row[s.REACH], row[s.COM : s.COM + 3] = 1 / body.mass, 1e-6, centre
    row[s.EVEN] = float(np.abs(inertia - mean * np.eye(3)).max() <= EQUAL * mean)
    row[s.TURN] = 1 / mean
    row[s.INVERSE : s.INVERSE + 9] = np.linalg.inv(inertia).ravel()
    row[s.INERTIA : s.INERTIA + 9] = inertia.ravel()
    return row


def _features(model: Model, contact: Contact, centres: Sequence[Array]) -> Iterator[tuple[int, Array]]:
    """The features of a contact: what its point or sphere may touch of the other shape."""
    row = np.zeros(s.FEATURE)
    radius = 0.0 if contact.round is None else float(contact.round.radius)
    row[s.P : s.P + 3] = np.array(contact.p_BP, dtype=float) - centres[contact.body]
    row[s.RADIUS] = radius
    if contact.outline is not None and contact.outline.of_boxes:
        yield from _of_boxes(contact.outline, row, [centres[each] for each in (contact.body, contact.on)])
        return
    solids: tuple[Solid, ...] = () if contact.outline is None else contact.outline.solids
    if contact.outline is None:
        found = _plane(model, contact)
        assert found is not None
        normal, place = found
        row[s.AXIS : s.AXIS + 3], row[s.Q : s.Q + 3] = normal, place * normal
        row[s.CODE : s.CODE + 3] = 2.0
        row[s.LOW : s.LOW + 3], row[s.HIGH : s.HIGH + 3] = -math.inf, math.inf
        axis = int(np.abs(normal).argmax())
        if abs(normal[axis]) == 1.0:
            row[s.LOW + axis] = row[s.HIGH + axis] = place * normal[axis]
        yield s.FACE, row
    for solid in solids:
        for code in _codes(solid):
            yield _feature(row.copy(), solid, code, centres[contact.on])


def _of_boxes(outline: Outline, row: Array, centres: Sequence[Array]) -> Iterator[tuple[int, Array]]:
    """The features of a corner of a box that touches another box, or of two edges."""
    crossing = outline.crossing
    if crossing is not None:
        yield s.CROSS, edges(row, crossing, *centres)
        return
    for solid in outline.solids:
        for code in _codes(solid):
            kind, made = _feature(row.copy(), solid, code, centres[1])
            yield kind, corner(made, outline, centres[0])


def _codes(solid: Solid) -> Iterator[tuple[float, ...]]:
    """Faces, edges and corners of a solid, see CODE."""
    half = [float(x) for x in solid.half]
    if solid.face >= 0:
        for side in (1.0, -1.0):
            yield tuple(side if axis == solid.face else 0.0 for axis in range(3))
        return
    for code in product(*((0.0, 1.0, -1.0) if x > 0.0 else (2.0,) for x in half)):
        if any(code):
            yield code


def _feature(row: Array, solid: Solid, code: Sequence[float], centre: Array) -> tuple[int, Array]:
    axes = np.array([[float(x) for x in each] for each in solid.axes]).T
    half = np.array([float(x) for x in solid.half])
    middle = np.array([float(x) for x in solid.centre]) - centre
    signs = np.array([0.0 if each == 2.0 else each for each in code])
    row[s.MIDDLE : s.MIDDLE + 3], row[s.AXES : s.AXES + 9], row[s.HALF : s.HALF + 3] = middle, axes.ravel(), half
    row[s.OTHER], row[s.CODE : s.CODE + 3] = float(solid.radius), code
    place = middle + axes.T @ (signs * half)
    row[s.Q : s.Q + 3] = place
    between = [axis for axis in range(3) if code[axis] == 0.0]
    reach = sum((half[axis] * np.abs(axes[axis]) for axis in between), np.full(3, row[s.OTHER]))
    row[s.LOW : s.LOW + 3], row[s.HIGH : s.HIGH + 3] = place - reach, place + reach
    if len(between) == 2:
        (axis,) = (axis for axis in range(3) if code[axis] != 0.0)
        row[s.AXIS : s.AXIS + 3] = code[axis] * axes[axis]
        row[s.CODE + axis] = 2.0  # it is before its face, or has come through it
        return s.FACE, row
    if len(between) == 1:
        row[s.AXIS : s.AXIS + 3] = axes[between[0]]
        return s.EDGE, row
    return s.CORNER, row
