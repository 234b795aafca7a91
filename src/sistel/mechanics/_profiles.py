"""Round shapes on curved ground: where they would touch if they came down, found as a root.

The ground is a height f over one or two coordinates u; with g = ± f, positive towards the free side, and
w = √(1 + |∇g|²), its unit normal has the components −∇g/w along u and ± 1/w along the height. A ball of radius r that
touches above u has its centre above

    c(u) = u − r ∇g/w,    c′ = 1 − r S,    S = (1 + ∇g ∇gᵀ)⁻¹ ∇∇g / w

Where the ground curves nowhere towards the ball with less than its radius, c′ has a positive determinant, and every
place of the centre belongs to one u: Newton's iterations find it. They are written out, so that series and machine code
go through them as through any formula. Where c′ or the root fails there are no numbers, which ends a run.

The gap is measured along the normal of that place. On the ground, all derivatives are those of the distance.

A wheel with the axis a, whose tread has the radius t, touches with its rim: with n(u) the normal above u,

    c(u) = u + e + t n,    e = (r − t) (n − (n·a) a) / |n − (n·a) a|,

of which the components along u count. The normal turns with its centre c and with its axis: u̇ is c′⁻¹ of the velocity
of the centre less the rate of e that the turn of a alone makes, and ṅ = ∇n u̇.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Final

from sistel.errors import Text, refuse
from sistel.expr import Graph, Program, Scalar, Scalars, Vector, dot, gradient, replay, sqrt
from sistel.mechanics._formula import expression_value, live_parameters, stand_ins
from sistel.mechanics._touching import refuse_flat
from sistel.model import Contact, Height, Model
from sistel.records import entry

STEPS: Final = 10
"""Newton's iterations: five or six find the root where a radius is half that of the ground; series want some more."""
FOUND: Final = 1e-9
"""What may be left of the equation for a root [m]."""


@entry
class Ground:
    """The ground above or below a place."""

    rise: Scalar
    """The height g towards the free side [m]."""
    slope: tuple[Scalar, ...]
    w: Scalar
    curve: tuple[tuple[Scalar, ...], ...]
    """Second derivatives."""

    @property
    def shape(self) -> list[list[Scalar]]:
        """S: how the normal turns."""
        h, count = self.slope, range(len(self.slope))
        square = self.w * self.w
        made: list[list[Scalar]] = []
        for i in count:
            drawn = [sum((h[k] * self.curve[k][j] for k in count), 0.0) for j in count]
            made.append([(self.curve[i][j] - h[i] * drawn[j] / square) / self.w for j in count])
        return made


def height_program(model: Model, contact: Contact) -> Program:
    """The height of the ground of a contact towards the free side, with its first and second derivatives.

    Inputs: the coordinates beside the height, and the live parameters.
    """
    assert contact.height is not None
    graph = Graph()
    beside = list(graph.inputs("beside", len(contact.height.beside)))
    names = stand_ins(graph, model) | {"xyz"[i]: u for i, u in zip(contact.height.beside, beside, strict=True)}
    names |= {"xyz"[contact.height.axis]: 0.0, "t": 0.0}

    def never(function: str, targets: tuple[str, ...], component: str) -> Scalar:
        raise AssertionError(f"a surface that asks for {function}: the model refuses those")

    rise = 0.0 - expression_value(contact.gap.expression, names, never)
    slopes = gradient(graph, rise, beside)
    second = [gradient(graph, slope, beside) for slope in slopes]
    return graph.program(
        {"rise": [rise], "slope": slopes, "curve": [each for row in second for each in row]},
    )


def _ground(program: Program, u: Sequence[Scalar], parameters: Sequence[Scalar]) -> Ground:
    (rise,), slope, curve = replay(program, u, parameters)
    square: Scalar = 1.0
    for each in slope:
        square = square + each * each
    size = len(slope)
    rows = tuple(tuple(curve[size * i : size * i + size]) for i in range(size))
    return Ground(rise, tuple(slope), sqrt(square), rows)


def profile_values(model: Model, contact: Contact, place: Scalars, axis: Vector | None = None) -> list[list[Scalar]]:
    """The outputs of `gap_program` for the centre of a round shape over curved ground: as those of a distance.

    Of a wheel, the second derivatives are another matrix: ∇n c′⁻¹, row by row.
    """
    height, shape = contact.height, contact.round
    assert height is not None and shape is not None
    if shape.axis is not None:
        assert axis is not None
        return _wheel_values(model, contact, place, axis)
    program, r = height_program(model, contact), shape.radius
    centre = [place[i] for i in height.beside]
    count = range(len(centre))

    def ground(u: Sequence[Scalar]) -> Ground:
        return _ground(program, u, live_parameters(model))

    at = ground(centre)
    u: list[Scalar] = [centre[i] + r * at.slope[i] / at.w for i in count]
    for _ in range(STEPS):
        at = ground(u)
        off = [u[i] - r * at.slope[i] / at.w - centre[i] for i in count]
        step = _solved(_offset(at, r), [[each] for each in off])
        u = [u[i] - step[i][0] for i in count]
    at = ground(u)
    normal: list[Scalar] = [0.0, 0.0, 0.0]
    for i, each in enumerate(height.beside):
        normal[each] = 0.0 - at.slope[i] / at.w
    normal[height.axis] = height.sign / at.w
    gap = (
        (height.sign * place[height.axis] - at.rise) / at.w + r * (1.0 - 1.0 / (at.w * at.w)) + _lost(at, u, centre, r)
    )
    return [[gap], normal, _curve(at, r, normal, height.beside), [0.0], [0.0, 0.0, 0.0], [0.0]]


def _wheel_values(model: Model, contact: Contact, place: Scalars, a: Vector) -> list[list[Scalar]]:
    """The same of a wheel, whose rim is nearest where its axis lets it be."""
    height, shape = contact.height, contact.round
    assert height is not None and shape is not None
    program, rim, beside = height_program(model, contact), shape.radius - shape.tread, height.beside
    centre, count = [place[i] for i in beside], range(len(beside))

    def reached(at: Ground) -> tuple[Vector, list[Vector], list[Scalar], list[list[Scalar]]]:
        """The normal and its derivatives, where the rim reaches beside its centre, and c′."""
        n, bent = _normals(at, height)
        along = dot(n, a)
        tilt = sqrt(1.0 - along * along)
        refuse_flat(contact, tilt)
        unit = (1.0 / tilt) * (n - along * a)
        way = -rim * unit - shape.tread * n
        turns = []
        for each in bent:
            drawn = each - dot(each, a) * a
            turns.append((-rim / tilt) * (drawn - dot(unit, drawn) * unit) - shape.tread * each)
        offset = [[(1.0 if i == j else 0.0) - turns[j][beside[i]] for j in count] for i in count]
        return n, bent, [way[axis] for axis in beside], offset

    at = _ground(program, centre, live_parameters(model))
    _, _, way, offset = reached(at)
    u: list[Scalar] = [centre[i] + way[i] for i in count]
    for _ in range(STEPS):
        at = _ground(program, u, live_parameters(model))
        _, _, way, offset = reached(at)
        step = _solved(offset, [[u[i] - centre[i] - way[i]] for i in count])
        u = [u[i] - step[i][0] for i in count]
    at = _ground(program, u, live_parameters(model))
    n, bent, way, offset = reached(at)
    square: Scalar = FOUND * FOUND
    for i in count:
        off = u[i] - centre[i] - way[i]
        square = square - off * off
    root = sqrt(square)
    gap = n[height.axis] * (place[height.axis] - height.sign * at.rise) + (root * root - square)
    for i in count:
        gap = gap + n[beside[i]] * (centre[i] - u[i])
    turned = _solved([list(row) for row in zip(*offset, strict=True)], [list(each) for each in bent])
    curve = [turned[j][k] for k in range(3) for j in count]
    return [[gap], list(n), curve, [0.0], [0.0, 0.0, 0.0], [0.0]]


def _normals(at: Ground, height: Height) -> tuple[Vector, list[Vector]]:
    """The unit normal of ground, and its derivatives along every coordinate beside the height."""
    cube = at.w * at.w * at.w
    normal: list[Scalar] = [0.0, 0.0, 0.0]
    for i, axis in enumerate(height.beside):
        normal[axis] = 0.0 - at.slope[i] / at.w
    normal[height.axis] = height.sign / at.w
    made = []
    for j in range(len(height.beside)):
        drawn: Scalar = 0.0
        for k, slope in enumerate(at.slope):
            drawn = drawn + slope * at.curve[k][j]
        each: list[Scalar] = [0.0, 0.0, 0.0]
        for i, axis in enumerate(height.beside):
            each[axis] = at.slope[i] * drawn / cube - at.curve[i][j] / at.w
        each[height.axis] = 0.0 - height.sign * drawn / cube
        made.append(Vector(*each))
    return Vector(*normal), made


def ground_normal(model: Model, contact: Contact, beside: Sequence[float]) -> list[Scalar]:
    """The unit normal of curved ground above a place, in its own frame."""
    assert contact.height is not None
    return list(_normals(_ground(height_program(model, contact), beside, live_parameters(model)), contact.height)[0])


def _offset(at: Ground, r: float) -> list[list[Scalar]]:
    """1 − r S."""
    return [[(1.0 if i == j else 0.0) - r * x for j, x in enumerate(row)] for i, row in enumerate(at.shape)]


def _solved(A: list[list[Scalar]], B: list[list[Scalar]]) -> list[list[Scalar]]:
    """A⁻¹ B for one row or two; no number where A has no positive determinant."""
    det = A[0][0] if len(A) == 1 else A[0][0] * A[1][1] - A[0][1] * A[1][0]
    root = sqrt(det)
    if len(A) == 1:
        return [[x / root / root for x in B[0]]]
    (a, b), (c, d) = A
    return [
        [(d * x - b * y) / root / root for x, y in zip(*B, strict=True)],
        [(a * y - c * x) / root / root for x, y in zip(*B, strict=True)],
    ]


def _lost(at: Ground, u: Sequence[Scalar], centre: Sequence[Scalar], r: float) -> Scalar:
    """Nothing where the root is found, and no number where it is not."""
    square: Scalar = FOUND * FOUND
    for i, each in enumerate(at.slope):
        off = u[i] - r * each / at.w - centre[i]
        square = square - off * off
    root = sqrt(square)
    return root * root - square


def _curve(at: Ground, r: float, normal: Scalars, beside: Sequence[int]) -> list[Scalar]:
    """Second derivatives of the distance: −∇∇g/w (1 − r S)⁻¹ of motions along the ground."""
    count = range(len(at.slope))
    # (1 − r S)ᵀ X = ∇∇g/w, both sides of which are symmetric in the end.
    bent = _solved(
        [list(row) for row in zip(*_offset(at, r), strict=True)], [[x / at.w for x in row] for row in at.curve]
    )
    along = [[(1.0 if axis == k else 0.0) - normal[axis] * normal[k] for k in range(3)] for axis in beside]
    made: list[Scalar] = []
    for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        total: Scalar = 0.0
        for i in count:
            for j in count:
                total = total - along[i][a] * bent[i][j] * along[j][b]
        made.append(total)
    return made


@entry
class Narrow:
    """A place where ground curves too much for a round shape."""

    place: tuple[float, ...]
    """The coordinates beside the height [m]."""
    radius: float
    """Of the ground there [m]."""


SAMPLES: Final = (0, 401, 41)
"""Places at which the curvature is looked at, along one coordinate or along each of two."""


def narrow_place(model: Model, contact: Contact, stretch: Sequence[tuple[float, float]]) -> Narrow | None:
    """Where ground curves the most towards the round shape of a contact, if that is too much for it.

    Args:
        model: In plain numbers.
        contact: The contact.
        stretch: From where to where to look, along every coordinate beside the height [m].
    """
    assert contact.round is not None
    program, worst, found = height_program(model, contact), 1.0 / float(contact.round.radius), None
    count = SAMPLES[len(stretch)]
    lines = [[low + (high - low) * i / (count - 1) for i in range(count)] for low, high in stretch]
    for place in product(*lines):
        try:
            at = _ground(program, place, [])
        except (ArithmeticError, ValueError):
            continue  # no ground is there
        S = [[float(x) for x in row] for row in at.shape]  # type: ignore[arg-type]
        most = S[0][0]
        if len(S) == 2:
            half, det = (S[0][0] + S[1][1]) / 2, S[0][0] * S[1][1] - S[0][1] * S[1][0]
            # A wheel fits into a groove that it goes along.
            most = half + math.sqrt(max(half * half - det, 0.0)) * (1.0 if contact.round.axis is None else -1.0)
        if most >= worst:
            worst, found = most, Narrow(place, 1.0 / most)
    return found


def narrow_words(contact: Contact, narrow: Narrow) -> Text:
    """What is said of a shape for which ground is too narrow."""
    assert contact.height is not None and contact.round is not None
    letters = ["xyz"[axis] for axis in contact.height.beside]
    at = ", ".join(f"{letter} = {x:.4g}" for letter, x in zip(letters, narrow.place, strict=True))
    own = float(contact.round.radius)
    return Text(
        f'the shape of contact "{contact.name}" does not fit into its ground: that has a radius of curvature of '
        f"{narrow.radius:.4g} m at {at} m, the shape {own:.4g} m",
        f"фигура контакта «{contact.name}» не помещается в поверхность: радиус кривизны той {narrow.radius:.4g} м при "
        f"{at} м, а фигуры {own:.4g} м",
    )


def around(contact: Contact, centre: Scalars) -> list[tuple[float, float]]:
    """The stretch of ground that a shape may touch."""
    assert contact.height is not None and contact.round is not None
    reach = 1.5 * float(contact.round.radius)
    middle = [float(centre[axis]) for axis in contact.height.beside]  # type: ignore[arg-type]
    return [(x - reach, x + reach) for x in middle]


def refuse_narrow(model: Model, contact: Contact, centre: Scalars) -> None:
    """Refuse a shape that does not fit into the ground near its centre, in the frame of that [m]."""
    if contact.height is None or not all(isinstance(x, (int, float)) for x in centre):
        return
    narrow = narrow_place(model, contact, around(contact, centre))
    if narrow is not None:
        refuse("narrow-ground", narrow_words(contact, narrow), span=contact.span)
