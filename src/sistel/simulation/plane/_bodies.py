"""From a model of free bodies whose shapes touch in the plane to the tables of `_loop`."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import CONTACT, Element, makes_structures
from sistel.model import Chain, Contact, Model, Straight, flies_free, only_contacts
from sistel.records import entry
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._laws import MOST_PIVOTS

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.kernels.subset import Floats

STEP_ROOM: Final = 20000
WRITE_ROOM: Final = 4_000_000
EVENT_ROOM: Final = 10000
PIECE_ROOM: Final = 100_000

Feature = tuple[int, list[float]]
"""Its kind, and its numbers."""


def suits(model: Model, elements: Sequence[Element]) -> bool:
    """Whether a system is one of free bodies in the plane that nothing but gravity and touching shapes acts on."""
    if not model.planar or not nothing_else_acts(model, elements):
        return False
    return all(element.contact is not None and element.contact.outline is not None for element in elements) and all(
        _is_free(model, number) for number in range(len(model.bodies))
    )


def sides_of(elements: Sequence[Element]) -> int:
    """How many sides and circles contacts look at."""
    outlines = [e.contact.outline for e in elements if e.contact is not None and e.contact.outline is not None]
    return sum(max(1, len(chain.sides)) for outline in outlines for chain in outline.chains)


def nothing_else_acts(model: Model, elements: Sequence[Element]) -> bool:
    """Whether all that acts on the bodies of a system are gravity and contacts which may strike and part."""
    if not makes_structures(model) or not elements or not only_contacts(model):
        return False
    for element in elements:
        contact = element.contact
        if element.kind != CONTACT or contact is None or contact.rolls:
            return False
        if element.impact == "none" or contact.belt is not None:
            return False
    return True


def _is_free(model: Model, number: int) -> bool:
    body = model.bodies[number]
    return body.joint.type.nq == 3 and float(body.I_BBcm_B[2]) > 0.0 and flies_free(body)


def world_of(model: Model, elements: Sequence[Element], order: int, tolerance: float) -> t.World:
    """The tables of a model."""
    n, count = len(model.bodies) + 1, len(elements)
    centres = [(0.0, 0.0), *((b.p_BoBcm_B[0], b.p_BoBcm_B[1]) for b in model.bodies)]
    kinds: list[tuple[int, int, int, int]] = []
    numbers: list[list[float]] = []
    laws, table = np.zeros((count, t.LAW)), np.zeros((count, t.ELEMENT), dtype=np.int64)
    for e, element in enumerate(elements):
        contact = element.contact
        assert contact is not None
        first = len(kinds)
        for kind, values in _features(contact, centres):
            kinds.append((kind, e, contact.body, contact.on))
            numbers.append(values)
        table[e], laws[e] = element_rows(element, first, len(kinds) - first)
    features = np.array(numbers)
    bodies = np.zeros((n, t.BODY))
    for body in model.bodies:
        bodies[body.number] = 1 / body.mass, 1 / float(body.I_BBcm_B[2]), 1e-6, *centres[body.number], 0.0
    for (kind, _, a, b), f in zip(kinds, features, strict=True):
        reach = math.hypot(f[t.PX], f[t.PY]) + f[t.RADIUS]
        bodies[a, t.REACH] = max(bodies[a, t.REACH], reach)
        bodies[a, t.ODD] = max(bodies[a, t.ODD], float(f[t.PX] != 0.0 or f[t.PY] != 0.0))
        if kind == t.SIDE:
            ends = (f[t.ALONG], f[t.ALONG] + f[t.LENGTH])
            bodies[b, t.REACH] = max(bodies[b, t.REACH], *(math.hypot(f[t.OFF], s) for s in ends))
            bodies[b, t.ODD] = 1.0
        else:
            reach = math.hypot(f[t.QX], f[t.QY]) + f[t.OTHER]
            bodies[b, t.REACH] = max(bodies[b, t.REACH], reach)
            bodies[b, t.ODD] = max(bodies[b, t.ODD], float(reach > f[t.OTHER]))
    given = Given(bodies, features, np.array(kinds), table, laws, *lists_of(kinds, n))
    world = made(given, _PLANE, order, tolerance, min(count, 4 * n + 40))
    _real(world.numbers)[[t.GX, t.GY]] = model.gravity[:2]
    return world


def element_rows(element: Element, first: int, count: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The rows of an element in the tables of elements and of laws; `count` features of it begin with the first."""
    contact = element.contact
    assert contact is not None
    laws = (
        element.friction or 0.0,
        element.restitution if element.impact in ("newton", "coulomb") else 0.0,
        element.restitution if element.impact == "poisson" else 0.0,
    )
    return (first, count, element.friction is None, element.tangents > 0, contact.round is not None), laws


def lists_of(
    kinds: Sequence[tuple[int, int, int, int]], n: int, without: Container[int] = ()
) -> tuple[Whole, Whole, Whole]:
    """Elements by the bodies that they join, and features with the ground by body; some features are left out."""
    of_pair: dict[tuple[int, int], dict[int, None]] = {}
    of_ground: dict[int, list[int]] = {}
    for f, (_, e, a, b) in enumerate(kinds):
        if f in without:
            if a and b:
                of_pair.setdefault((a, b) if a > b else (b, a), {})
            continue
        if a and b:
            of_pair.setdefault((a, b) if a > b else (b, a), {})[e] = None
        else:
            of_ground.setdefault(a or b, []).append(f)
    pairs, on_ground, lists = np.zeros((n, n), dtype=np.int64), np.zeros(n, dtype=np.int64), [0]
    for (a, b), own in of_pair.items():
        pairs[a, b] = pairs[b, a] = len(lists)
        lists += [len(own), *own]
    for body, features in of_ground.items():
        on_ground[body] = len(lists)
        lists += [len(features), *features]
    return pairs, np.array(lists, dtype=np.int64), on_ground


def _features(contact: Contact, centres: Sequence[tuple[float, float]]) -> Iterator[Feature]:
    """The features of a contact: what its point or circle may touch of the other shape."""
    assert contact.outline is not None
    own, other = centres[contact.body], centres[contact.on]
    radius = 0.0 if contact.round is None else float(contact.round.radius)
    values = [0.0] * t.FEATURE
    values[t.PX], values[t.PY] = float(contact.p_BP[0]) - own[0], float(contact.p_BP[1]) - own[1]
    values[t.RADIUS], values[t.SHARP] = radius, float(contact.outline.sharp)
    if contact.outline.wedge:
        (values[t.FROM_X], values[t.FROM_Y]), (values[t.TO_X], values[t.TO_Y]) = contact.outline.wedge
    flip = contact.body == 0  # then the ground has the point, and boxes are around that
    for chain in contact.outline.chains:
        for kind, found, ends in _parts(chain, radius, other):
            made = list(values)
            for place, value in found.items():
                made[place] = value
            corners = [(values[t.PX], values[t.PY])] if flip else ends
            made[t.LOW_X], made[t.LOW_Y] = (min(p[i] for p in corners) - radius * flip for i in range(2))
            made[t.HIGH_X], made[t.HIGH_Y] = (max(p[i] for p in corners) + radius * flip for i in range(2))
            yield kind, made


def _parts(
    chain: Chain, radius: float, centre: tuple[float, float]
) -> Iterator[tuple[int, dict[int, float], list[tuple[float, float]]]]:
    if not chain.sides:
        x, y, r = chain.centre[0] - centre[0], chain.centre[1] - centre[1], float(chain.radius)
        yield t.ROUND, {t.QX: x, t.QY: y, t.OTHER: r}, [(x - r, y - r), (x + r, y + r)]
        return
    for side in chain.sides:
        (x, y), (ux, uy), length = side.place, side.along, float(side.length)
        x, y = float(x) - centre[0], float(y) - centre[1]
        found = {
            t.NX: float(uy),
            t.NY: -float(ux),
            t.OFF: float(uy * x - ux * y),
            t.ALONG: float(ux * x + uy * y),
            t.LENGTH: length,
            t.DEPTH: float(side.depth),
        }
        yield t.SIDE, found, [(x, y), (x + length * float(ux), y + length * float(uy))]
    if not radius:
        return
    joints: list[tuple[Straight | None, Straight | None]] = list(pairwise(chain.sides))
    if chain.closed:
        joints.append((chain.sides[-1], chain.sides[0]))
    else:
        joints += [(None, chain.sides[0])] * chain.ends[0] + [(chain.sides[-1], None)] * chain.ends[1]
    for before, after in joints:
        if after is not None:
            x, y = after.place
        else:
            assert before is not None
            x = before.place[0] + before.length * before.along[0]
            y = before.place[1] + before.length * before.along[1]
        x, y = float(x) - centre[0], float(y) - centre[1]
        found = {t.QX: x, t.QY: y}
        if before is not None:
            found |= {t.BEGUN_X: float(before.along[0]), t.BEGUN_Y: float(before.along[1])}
        if after is not None:
            found |= {t.ENDED_X: float(after.along[0]), t.ENDED_Y: float(after.along[1])}
        yield t.ROUND, found, [(x, y)]


@entry
class Given:
    """What a model says, as tables."""

    bodies: Array
    features: Array
    kinds: Whole
    elements: Whole
    laws: Array
    pairs: Whole
    lists: Whole
    on_ground: Whole
    box_pairs: Sequence[tuple[int, int]] = ()
    """In space: the first feature of every pair of boxes, and how many it has."""


@entry
class Sizes:
    """Numbers that tables have for every body, contact and so on."""

    place: int
    rate: int
    box: int
    spread: int
    series: int
    contact_series: int
    force: int
    """The first series of the force of a contact."""
    forces: int
    """How many these are."""
    row: int
    sides: int
    """Directions of a contact in one table."""
    unknowns: int
    """Rows of equations of a contact."""
    kept: int
    """Series of a body that a run keeps."""
    body: int
    blow: int
    counts: int
    numbers: int
    tableau: int = 0
    """Numbers of every row of the equations; 0 where there is room for Lemke's method."""


_PLANE: Final = Sizes(3, 3, 2, 6, t.SERIES, t.C_SERIES, t.C_LN, 2, t.ROW, 1, 2, 3, t.BODY, t.BLOW, t.COUNTS, t.NUMBERS)


def _real(table: Floats) -> Array:
    return np.asarray(table)


def fences_of(given: Given) -> tuple[list[float], list[int]]:
    """Boxes around features with the ground, see `World.fences`, and where those of every body begin."""
    fences: list[float] = []
    begins: list[int] = []
    for at in given.on_ground.tolist():
        begins.append(len(fences))
        own = given.lists[at + 1 : at + 1 + int(given.lists[at])] if at else ()
        for first in range(0, len(own), t.BLOCK):
            rows = given.features[own[first : first + t.BLOCK]]
            fences += [*rows[:, t.LOW_X : t.HIGH_X].min(axis=0), *rows[:, t.HIGH_X : t.HIGH_Y + 1].max(axis=0)]
    return fences, begins


def made(given: Given, sizes: Sizes, order: int, tolerance: float, most: int) -> t.World:
    """The tables, with room for that many contacts in one problem: a body is held by few of all that it may have."""
    n, count, w = len(given.bodies), len(given.elements), order + 3
    pivots = min(most, MOST_PIVOTS)
    sides, rows = sizes.sides, sizes.unknowns * most
    flat, space = sizes.tableau == 0, sizes.tableau != 0

    def whole(size: int) -> Whole:
        return np.zeros(max(1, size), dtype=np.int64)

    counts, numbers = whole(sizes.counts), np.zeros(sizes.numbers)
    fences, fenced = fences_of(given) if flat else ([], [])
    counts[[t.BODIES, t.ELEMENTS, t.FEATURES, t.ORDER, t.MOST]] = n, count, len(given.features), order, most
    width = 2 * sizes.kept * n * (order + 1)
    rooms = (STEP_ROOM, max(WRITE_ROOM, 4 * width), EVENT_ROOM, 4 * EVENT_ROOM + 2 * count, 8 * EVENT_ROOM + 2 * count)
    counts[[t.STEP_ROOM, t.WRITE_ROOM, t.EVENT_ROOM, t.CHANGE_ROOM, t.BLOW_ROOM]] = rooms
    counts[[t.PIECE_ROOM, t.BODY_ROW, t.ALL_WIDTH]] = PIECE_ROOM + 4 * n, sizes.body, width
    counts[[t.AXES, t.PLACES]] = sizes.box, sizes.place
    counts[[t.RATE_ROW, t.CONTACT_ROW]] = sizes.rate, sizes.contact_series
    counts[[t.FORCE_ROW, t.FORCE_ROWS]] = sizes.force, sizes.forces
    counts[t.SHORT] = min(t.LOW, order) if flat else order
    numbers[t.TOLERANCE], numbers[t.LAST] = max(tolerance, 2.0**-52), -1.0
    real = np.zeros
    return t.World(
        counts=counts,
        numbers=numbers,
        bodies=given.bodies.ravel(),
        features=given.features.ravel(),
        kinds=given.kinds.astype(np.int64).ravel(),
        elements=given.elements.ravel(),
        laws=given.laws.ravel(),
        pairs=given.pairs.ravel(),
        lists=given.lists,
        on_ground=given.on_ground,
        fences=np.array([*fences, 0.0]),
        fenced=np.array([*fenced, 0], dtype=np.int64),
        place=real(sizes.place * n),
        rate=real(sizes.rate * n),
        kept_rate=real(sizes.rate * n),
        status=whole(count),
        touched=whole(count),
        closed=whole(count),
        earlier=whole(count),
        chain=whole(n),
        chained=whole(2 * count),
        asleep=whole(n),
        series=real(n * sizes.series * w),
        degree=whole(n),
        kept=real(n * sizes.series * w),
        shown=real(n),
        born=real(n),
        until=real(n),
        next_at=real(n),
        next_of=whole(n),
        end_at=real(n),
        end_of=whole(n),
        soft=real(n),
        fresh=whole(n),
        renewed=whole(n),
        contact_series=real(most * sizes.contact_series * w),
        near=whole(len(given.features)),
        low=real(sizes.box * n),
        high=real((sizes.box + 2) * n),
        member=whole(n),
        members=whole(n),
        chosen=whole(most + count),
        rows=real(most * sizes.row),
        body_a=whole(most + count),
        body_b=whole(most + count),
        state=whole(most),
        best=whole(most),
        wrong=whole(most),
        way=real(sides * most),
        b_n=real(sides * most),
        b_t=real(most),
        x_n=real(sides * most),
        x_t=real(most),
        w_n=real(sides * most),
        w_t=real(most),
        size=real(most),
        u_n=real(sides * most),
        u_t=real(most),
        given_n=real(sides * most),
        given_t=real(most),
        sum_n=real(3 * sides * most),
        sum_t=real(3 * most),
        kept_n=real(sides * most),
        kept_t=real(sides * most),
        back=real(most),
        spread=real(sizes.spread * n),
        matrix=real(rows * rows),
        columns=real(4 * rows if flat else 1),
        tableau=real((4 * pivots) * (4 * pivots + 1) if flat else sizes.tableau * rows),
        given=real(2 * rows),
        basic=whole(8 * most + 2),
        first=whole(most if flat else count),
        reach=whole(rows),
        begin=whole(rows),
        head=whole(n),
        link=whole(2 * rows),
        which=whole(2 * rows),
        dropped=whole(rows),
        leader=whole(most),
        right=real(rows),
        solved=real(rows),
        power=real(w),
        more=real(12 * w + 16),
        work=real(60 * (order + 6)),
        times=real(2 * STEP_ROOM),
        pieces=whole(t.PIECE * int(counts[t.PIECE_ROOM])),
        spans=real(2 * int(counts[t.PIECE_ROOM])),
        coefficients=real(int(counts[t.WRITE_ROOM])),
        log=real(t.LOG * EVENT_ROOM),
        changes=whole(2 * int(counts[t.CHANGE_ROOM])),
        blows=real(sizes.blow * int(counts[t.BLOW_ROOM])),
        muted=real(count),
        turned=real(count),
        fusses=whole(n),
        fuss_since=real(n),
        calm_until=real(n),
        calm_for=real(n),
        gone=real(count),
        before=whole(count),
        triangle=real(rows * rows if space else 1),
        carried=real(rows if space else 1),
        heading=real(3 * count if space else 1),
        loads=real((3 if space else 2) * count),
        box_pairs=np.array([len(given.box_pairs), *(x for each in given.box_pairs for x in each)], dtype=np.int64),
    )
