"""The 60 rotations of a regular icosahedron, with codes of their own.

The icosahedron stands in the axes of the scene as usual: its twelve corners are the cyclic permutations of
(0, ±φ, ±1), φ the golden ratio. It keeps the half turns about x, y and z, and the third turns about the diagonals; so
twelve of its rotations are axial orientations too.

The code of a rotation is two numbers: the corner, 1 to 12, to which corner 1 comes, and the neighbour of that corner,
1 to 5 counterclockwise, to which the first neighbour of corner 1 comes. Written together: 100 · corner + neighbour, so
101 is the unit and 1205 the last. Entries of all matrices are 0, ±1, ±1/2, ±φ/2, ±1/(2φ): they are kept exactly, as
whole numbers a + b√5 over 4.
"""

from __future__ import annotations

import math
from functools import cache

from sistel.errors import Text, refuse
from sistel.pose._group import Group
from sistel.pose._rotation import Rotation

Surd = tuple[int, int]
"""a + b√5, over 4."""
_Matrix = tuple[tuple[Surd, Surd, Surd], tuple[Surd, Surd, Surd], tuple[Surd, Surd, Surd]]

_ROOT = math.sqrt(5.0)
_ONE: Surd = (4, 0)
_NONE: Surd = (0, 0)
_HALF: Surd = (2, 0)
_WIDE: Surd = (1, 1)  # φ/2
_THIN: Surd = (-1, 1)  # 1/(2φ)


def _minus(a: Surd) -> Surd:
    return (-a[0], -a[1])


def _product(a: _Matrix, b: _Matrix) -> _Matrix:
    def entry(i: int, j: int) -> Surd:
        whole = root = 0
        for k in range(3):
            (p, q), (r, s) = a[i][k], b[k][j]
            whole, root = whole + p * r + 5 * q * s, root + p * s + q * r
        assert whole % 4 == 0 and root % 4 == 0
        return (whole // 4, root // 4)

    rows = [(entry(i, 0), entry(i, 1), entry(i, 2)) for i in range(3)]
    return (rows[0], rows[1], rows[2])


_UNIT: _Matrix = ((_ONE, _NONE, _NONE), (_NONE, _ONE, _NONE), (_NONE, _NONE, _ONE))
_THIRD: _Matrix = ((_NONE, _NONE, _ONE), (_ONE, _NONE, _NONE), (_NONE, _ONE, _NONE))
"""A third of a turn about (1, 1, 1)."""
_FIFTH: _Matrix = (
    (_HALF, _minus(_WIDE), _THIN),
    (_WIDE, _THIN, _minus(_HALF)),
    (_THIN, _HALF, _WIDE),
)
"""A fifth of a turn about the corner (1, 0, φ)."""


@cache
def _exact() -> dict[int, _Matrix]:
    """All rotations by their codes."""
    found = {_UNIT}
    ahead = [_UNIT]
    while ahead:
        new = {_product(a, b) for a in ahead for b in (_THIRD, _FIFTH)} - found
        found |= new
        ahead = list(new)
    corners = _corners()
    neighbours = {corner: _ring(corner, corners) for corner in corners}
    first = corners[0]
    second = neighbours[first][0]
    coded = {}
    for matrix in found:
        corner, beside = _moved(matrix, first), _moved(matrix, second)
        coded[100 * (1 + corners.index(corner)) + 1 + neighbours[corner].index(beside)] = matrix
    assert len(coded) == 60
    return dict(sorted(coded.items()))


Corner = tuple[Surd, Surd, Surd]


def _corners() -> list[Corner]:
    """The twelve corners, in the order in which the code counts them: corner 1 is (1, 0, φ)."""
    made: list[Corner] = []
    for wide in (_WIDE, _minus(_WIDE)):
        for short in (_HALF, _minus(_HALF)):
            made += [(short, _NONE, wide), (wide, short, _NONE), (_NONE, wide, short)]
    return made


def _moved(matrix: _Matrix, corner: Corner) -> Corner:
    columns: _Matrix = ((corner[0], _NONE, _NONE), (corner[1], _NONE, _NONE), (corner[2], _NONE, _NONE))
    moved = _product(matrix, columns)
    return (moved[0][0], moved[1][0], moved[2][0])


def _ring(corner: Corner, corners: list[Corner]) -> list[Corner]:
    """The five neighbours of a corner, counterclockwise seen from outside, from the first in the list on."""
    near = [each for each in corners if 0 < math.dist(_floats(each), _floats(corner)) < 1.2]
    axis = _floats(corner)
    start = _floats(near[0])

    def angle(other: Corner) -> float:
        p = _floats(other)
        flat = [b - a * _dot(axis, p) / _dot(axis, axis) for a, b in zip(axis, p, strict=True)]
        zero = [b - a * _dot(axis, start) / _dot(axis, axis) for a, b in zip(axis, start, strict=True)]
        across = [axis[(i + 1) % 3] * zero[(i + 2) % 3] - axis[(i + 2) % 3] * zero[(i + 1) % 3] for i in range(3)]
        turned = math.atan2(_dot(across, flat), math.sqrt(_dot(axis, axis)) * _dot(zero, flat))
        return round(turned % (2 * math.pi), 6) % round(2 * math.pi, 6)

    return sorted(near, key=angle)


def _floats(corner: Corner) -> list[float]:
    return [(a + b * _ROOT) / 4 for a, b in corner]


def _dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def icosahedral_codes() -> tuple[int, ...]:
    """All 60 codes, in growing order."""
    return tuple(_exact())


@cache
def icosahedral_group() -> Group[int]:
    """The group of the 60 codes; the product as for axial codes: the second turn about the turned axes."""
    exact = _exact()
    names = {matrix: code for code, matrix in exact.items()}
    return Group.of(tuple(exact), names[_UNIT], lambda a, b: names[_product(exact[a], exact[b])])


def icosahedral_rotation(code: int) -> Rotation:
    """The rotation of a code.

    Raises:
        SistelError: There is no such code.
    """
    exact = _exact()
    if code not in exact:
        refuse(
            "no-code",
            Text(f"{code} is no code of a rotation of the icosahedron", f"{code} — не код поворота икосаэдра"),
            expected=Text(
                "100 · corner (1 to 12) + neighbour (1 to 5)", "100 · вершина (1–12) + соседняя вершина (1–5)"
            ),
        )
    rows = [[(a + b * _ROOT) / 4 for a, b in row] for row in exact[code]]
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    return (a, b, c)
