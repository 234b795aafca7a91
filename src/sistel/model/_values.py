"""Reads the numbers of a node: expressions evaluated, units applied, dimensions and sizes checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from sistel.errors import Diagnostics, Span, Text
from sistel.expr import Traced, cos, decide, less, maximum, select, sin, sqrt, with_value
from sistel.markup import MEASURES, CoordinateNumbers, Expression, Measure, Node, Number, Numbers, Size, Unary
from sistel.model._check import constant
from sistel.model._scope import Scope
from sistel.model.joints import CoordinateKind
from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    compose,
    determinant,
    from_axis_angle,
    from_quaternion,
    from_roll_pitch_yaw,
    norm,
    quaternion,
    transpose,
)
from sistel.units import PLAIN, Dimension, dimension_name, spell_unit, unit_of

_BROADCAST: frozenset[Measure] = frozenset(("stiffness", "damping", "force", "rate"))
"""Measures for which one number may stand for all coordinates of a joint."""

MOST_POINTS: Final = 1000
"""Corners that one polyline or polygon may have."""
_SIZES: dict[Size, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "one": ((1,), (1,)),
    "place": ((2,), (3,)),
    "direction": ((2,), (3,)),
    "turn": ((1,), (3, 4, 9)),
    "inertia": ((1,), (1, 3, 6)),
    "size3": ((2, 3), (3,)),
    "quaternion": ((), (4,)),
    "points": (tuple(range(4, 2 * MOST_POINTS + 1, 2)), ()),
    "any": (tuple(range(1, 17)),) * 2,
}
"""How many numbers an attribute may hold, in the plane and in space."""

DECIMAL_POINT = Text("the decimal sign is a point: 0.5", "дробная часть отделяется точкой: 0.5")

HUGE = 1e15
"""No mechanism has numbers beyond this; they would only lose all digits later."""


TINY = 1e-60
"""No mechanism has numbers below this but 0: what is computed from them would be lost in rounding or be no number."""


class Values:
    """Reads the numbers of one file's nodes."""

    def __init__(self, scope: Scope, diagnostics: Diagnostics, planar: bool) -> None:
        self.scope = scope
        self.diagnostics = diagnostics
        self.planar = planar

    def expression(self, node: Expression, dimension: Dimension, unit: str) -> float | None:
        """One number in SI: a plain one is in `unit`, any other must have the dimension."""
        if type(node) is Number and node.unit is None and node.dimension.plain:
            value = unit_of(unit).to_si(node.value) if unit else node.value  # type: ignore[union-attr]
            return self._finite(value, node.span)
        if type(node) is Unary and type(node.operand) is Number:
            value = self.expression(node.operand, dimension, unit)
            return None if value is None else -value
        found = constant(node, self.scope, self.diagnostics)
        if found is None:
            return None
        value, given, plain = found
        if plain and not (isinstance(node, Number) and node.unit is not None):
            return self._finite(unit_of(unit).to_si(value) if unit else value, node.span)  # type: ignore[union-attr]
        if not given.fits(dimension):
            self.diagnostics.error(
                "wrong-dimension",
                node.span,
                Text(f"this is {dimension_name(given)}", f"это {dimension_name(given, 'ru')}"),
                expected=Text(dimension_name(dimension), dimension_name(dimension, "ru")),
                hint=_unit_hint(unit),
            )
            return None
        return self._finite(value, node.span)

    def _finite(self, value: float, span: Span) -> float | None:
        size = abs(float(value))
        if TINY <= size <= HUGE:
            return value
        if size < TINY:
            if size > 0.0:
                self._too_small(span)
                return 0.0 * decide(value)
            return value
        self.diagnostics.error(
            "not-finite",
            span,
            Text(f"{value:g} is too large to be meant", f"{value:g} — слишком большое число"),
            expected=Text(f"a size up to {HUGE:g} in SI units", f"величина до {HUGE:g} в единицах СИ"),
        )
        return None

    def _too_small(self, span: Span) -> None:
        self.diagnostics.warning(
            "too-small",
            span,
            Text("this number is too small to be meant, and is taken for 0", "число слишком мало и принято за 0"),
            expected=Text(f"0, or a size from {TINY:g} in SI units", f"0 или величина от {TINY:g} в единицах СИ"),
        )

    def numbers(self, node: Node, key: str) -> tuple[float, ...] | None:
        """All numbers of an attribute in SI; None when it is absent or wrong."""
        attribute = node.attributes.get(key)
        if attribute is None:
            return None
        kind = attribute.spec.kind
        assert isinstance(kind, Numbers)
        values = [self.expression(item, kind.dimension, kind.unit) for item in _expressions(attribute.value)]
        known = tuple(value for value in values if value is not None)
        if len(known) < len(values):
            return None
        if len(known) not in self._sizes(kind):
            self._wrong_count(node, key, len(known), self._sizes(kind))
            return None
        return known

    def one(self, node: Node, key: str, default: float = 0.0) -> float:
        """One number, or the default."""
        numbers = self.numbers(node, key)
        return default if numbers is None else numbers[0]

    def optional(self, node: Node, key: str) -> float | None:
        """One number, or None."""
        numbers = self.numbers(node, key)
        return None if numbers is None else numbers[0]

    def positive(self, node: Node, key: str, default: float = 0.0) -> float:
        """One number that may not be negative."""
        value = self.one(node, key, default)
        if float(value) < 0:
            self.negative(node, key, value)
            return default
        return value

    def fraction(self, node: Node, key: str, default: float = 0.0) -> float:
        """One number from 0 to 1."""
        value = self.one(node, key, default)
        if 0 <= float(value) <= 1:
            return value
        self.diagnostics.error(
            "out-of-range",
            node.at(key),
            Text(f"{value:g} is not between 0 and 1", f"{value:g} не лежит между 0 и 1"),
            expected=Text("a number from 0 to 1", "число от 0 до 1"),
        )
        return default

    def negative(self, node: Node, key: str, value: float) -> None:
        """Say that a number must not be negative."""
        word = node.attributes[key].name_span.text
        self.diagnostics.error(
            "negative",
            node.at(key),
            Text(f'"{word}" is negative ({value:g})', f"«{word}» отрицательно ({value:g})"),
            expected=Text("zero or a positive number", "ноль или положительное число"),
        )

    def place(self, node: Node, key: str = "place") -> Vector3:
        """A place [m]; the origin when it is absent."""
        numbers = self.numbers(node, key)
        if numbers is None:
            return (0.0, 0.0, 0.0)
        return (numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 0.0)

    def turn(self, node: Node, key: str = "turn") -> Rotation:
        """An orientation from `turn` or `quaternion`."""
        attribute = node.attributes.get(key)
        if key == "turn" and "quaternion" in node.attributes:
            return from_quaternion(self.quaternion(node))
        if attribute is None:
            return IDENTITY
        items = _expressions(attribute.value)
        kind = attribute.spec.kind
        assert isinstance(kind, Numbers)
        sizes = self._sizes(kind)
        if len(items) not in sizes:
            self._wrong_count(node, key, len(items), sizes)
            return IDENTITY
        if len(items) == 9:
            return self._matrix(node, key, items)
        axis: tuple[float, ...] = (0.0, 0.0, 1.0)
        if len(items) == 4:
            found = [self.expression(item, kind.dimension, "") for item in items[:3]]
            if any(value is None for value in found):
                return IDENTITY
            axis = tuple(value for value in found if value is not None)
            if norm([float(x) for x in axis]) == 0:
                self._zero_vector(node, key)
                return IDENTITY
            items = items[3:]
        angles = [self.expression(item, kind.dimension, kind.unit) for item in items]
        if any(angle is None for angle in angles):
            return IDENTITY
        known = [angle for angle in angles if angle is not None]
        plain_axis, plain = [float(number) for number in axis], [float(number) for number in known]
        turn = from_roll_pitch_yaw(*plain) if len(known) == 3 else from_axis_angle(plain_axis, plain[0])
        if any(isinstance(number, Traced) for number in (*axis, *known)):
            return _with_values(turn, _formula_of_turn(axis, known))
        return turn

    def _matrix(self, node: Node, key: str, items: Sequence[Expression]) -> Rotation:
        """A rotation given by its matrix, row by row: the exact form, which programs write."""
        found = [self.expression(item, PLAIN, "") for item in items]
        if any(value is None for value in found):
            return IDENTITY
        # Nine numbers of which one follows a parameter are a rotation for one value only.
        a, b, c, d, e, f, g, h, i = (decide(value) for value in found if value is not None)
        matrix: Rotation = ((a, b, c), (d, e, f), (g, h, i))
        square = compose(transpose(matrix), matrix)
        error = max(abs(square[row][column] - (row == column)) for row in range(3) for column in range(3))
        if error > 1e-9 or determinant(matrix) < 0:
            self.diagnostics.error(
                "no-rotation",
                node.at(key),
                Text("these nine numbers are not the matrix of a rotation", "эти девять чисел — не матрица поворота"),
                expected=Text("orthonormal rows, determinant +1", "ортонормированные строки, определитель +1"),
            )
            return IDENTITY
        return matrix

    def quaternion(self, node: Node) -> tuple[float, float, float, float]:
        """The unit quaternion of an orientation given by `quaternion` or `turn`."""
        if "quaternion" not in node.attributes:
            return _quaternion(self.turn(node))
        if "turn" in node.attributes:
            self.diagnostics.error(
                "two-orientations",
                node.at("quaternion"),
                Text(
                    "the orientation is given twice, as a turn and as a quaternion",
                    "ориентация задана дважды: поворотом и кватернионом",
                ),
            )
        numbers = self.numbers(node, "quaternion")
        if numbers is None:
            return (1.0, 0.0, 0.0, 0.0)
        length = _length(numbers)
        if float(length) == 0:
            self._zero_vector(node, "quaternion")
            return (1.0, 0.0, 0.0, 0.0)
        w, x, y, z = _unit(numbers, length)
        return (w, x, y, z)

    def _zero_vector(self, node: Node, key: str) -> None:
        self.diagnostics.error(
            "zero-vector",
            node.at(key),
            Text("a vector of length zero has no direction", "вектор нулевой длины не имеет направления"),
        )

    def axis(self, node: Node, key: str, default: Vector3) -> Vector3:
        """A unit vector; in the plane the third component must be absent or, for a letter, zero."""
        attribute = node.attributes.get(key)
        if attribute is None:
            return default
        items = _expressions(attribute.value)
        letter = isinstance(items[0], Number) and items[0].literal == "axis"
        size = 3 if letter or not self.planar else 2
        if len(items) != size:
            self._wrong_count(node, key, len(items), (size,))
            return default
        values = []
        for item in items:
            found = constant(item, self.scope, self.diagnostics)
            if found is None:
                return default
            values.append(found[0])
        length = _length(values)
        if float(length) == 0 or not math.isfinite(length):
            self._zero_vector(node, key)
            return default
        if self.planar and len(values) == 3 and float(values[2]):
            self.diagnostics.error(
                "wrong-axis",
                attribute.span,
                Text(
                    "in the plane a slide goes along x, y or a direction between them",
                    "на плоскости скольжение идёт вдоль x, y или направления между ними",
                ),
                expected=Text("x, y, -x, -y or two numbers", "x, y, -x, -y или два числа"),
            )
            return default
        x, y, z = _unit((*values, 0.0)[:3], length)
        return (x, y, z)

    def direction(self, node: Node, key: str, default: Vector3) -> Vector3:
        """A unit vector from plain numbers."""
        numbers = self.numbers(node, key)
        if numbers is None:
            return default
        length = _length(numbers)
        if float(length) == 0:
            self._zero_vector(node, key)
            return default
        x, y, z = (*numbers, 0.0)[:3]
        return (x / length, y / length, z / length)

    def per_coordinate(
        self, node: Node, key: str, kinds: Sequence[CoordinateKind], default: float
    ) -> tuple[float, ...]:
        """Numbers that belong to coordinates of the given kinds; the default for each when absent or wrong."""
        attribute = node.attributes.get(key)
        absent = (default,) * len(kinds)
        if attribute is None:
            return absent
        kind = attribute.spec.kind
        assert isinstance(kind, CoordinateNumbers)
        values = self.coordinates(_expressions(attribute.value), kind.measure, kinds, attribute.span)
        return absent if values is None else values

    def coordinates(
        self, items: Sequence[Expression], measure: Measure, kinds: Sequence[CoordinateKind], span: Span
    ) -> tuple[float, ...] | None:
        """Numbers for coordinates of the given kinds, in SI; None after an error."""
        if len(items) == 1 and measure in _BROADCAST and len(kinds) > 1:
            items = list(items) * len(kinds)
        if len(items) != len(kinds):
            self._wrong_coordinates(span, len(items), kinds)
            return None
        known: list[float] = []
        wrong: list[Expression] = []
        for item, kind in zip(items, kinds, strict=True):
            dimension, unit = MEASURES[measure][1 if kind == "turn" else 0]
            # What is wrong with each is told, and once where one stands for all.
            value = None if item in wrong else self.expression(item, dimension, unit)
            if value is None:
                wrong.append(item)
            else:
                known.append(value)
        return None if wrong else tuple(known)

    def _wrong_coordinates(self, span: Span, given: int, kinds: Sequence[CoordinateKind]) -> None:
        self.diagnostics.error(
            "wrong-count",
            span,
            Text(
                f"numbers given: {given}; coordinates: {len(kinds)}",
                f"дано чисел: {given}; координат: {len(kinds)}",
            ),
            expected=Text(
                ", ".join("mm" if kind == "slide" else "deg" for kind in kinds) or "nothing: the joint is fixed",
                ", ".join("мм" if kind == "slide" else "град" for kind in kinds) or "ничего: сочленение жёсткое",
            ),
        )

    def _sizes(self, kind: Numbers) -> tuple[int, ...]:
        return _SIZES[kind.size][0 if self.planar else 1]

    def _wrong_count(self, node: Node, key: str, given: int, sizes: tuple[int, ...]) -> None:
        attribute = node.attributes[key]
        hint = None
        if self.planar and given in (3, 4, 6) and 3 not in sizes:
            hint = Text(
                'is the system spatial? Then write <system space="spatial">',
                'система пространственная? Тогда напишите <системаТел вид="пространственная">',
            )
        elif given == 2 and sizes == (1,):
            hint = DECIMAL_POINT
        wanted = ", ".join(map(str, sizes[:8])) or "0"
        many = (
            Text(
                f"two of each point, {sizes[0] // 2} to {sizes[-1] // 2} points",
                f"по два на точку, точек от {sizes[0] // 2} до {sizes[-1] // 2}",
            )
            if len(sizes) > 20
            else None
        )
        self.diagnostics.error(
            "wrong-count",
            attribute.span,
            Text(
                f'"{attribute.name_span.text}" holds {given} numbers', f"в «{attribute.name_span.text}» чисел: {given}"
            ),
            expected=many or Text(f"{wanted} numbers".replace(", ", " or "), f"чисел: {wanted.replace(', ', ' или ')}"),
            hint=hint,
        )


def _expressions(value: object) -> tuple[Expression, ...]:
    assert isinstance(value, tuple)
    return value


def _unit_hint(unit: str) -> Text | None:
    return Text(f"a plain number is in {unit}", f"просто число — в {spell_unit(unit, 'ru')}") if unit else None


def _length(vector: Sequence[float]) -> float:
    """As `norm`; of traced numbers, a traced one."""
    return sqrt(sum(component * component for component in vector))


def _quaternion(R: Rotation) -> tuple[float, float, float, float]:
    """As `quaternion`; of traced numbers, traced ones: which component is the largest is a part of the formula."""
    first, second, third = R
    values = quaternion((_floats(first), _floats(second), _floats(third)))
    if not any(isinstance(entry, Traced) for row in R for entry in row):
        return values
    trace = R[0][0] + R[1][1] + R[2][2]
    x, y, z = R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]
    xy, xz, yz = R[0][1] + R[1][0], R[0][2] + R[2][0], R[1][2] + R[2][1]
    chosen, largest = (1.0 + trace, x, y, z), trace
    for entry, other in (
        (R[0][0], (x, 1.0 + 2.0 * R[0][0] - trace, xy, xz)),
        (R[1][1], (y, xy, 1.0 + 2.0 * R[1][1] - trace, yz)),
        (R[2][2], (z, xz, yz, 1.0 + 2.0 * R[2][2] - trace)),
    ):
        larger = less(largest, entry)
        a, b, c, d = (select(larger, new, old) for new, old in zip(other, chosen, strict=True))
        chosen, largest = (a, b, c, d), maximum(largest, entry)
    length = _length(chosen) * select(less(chosen[0], 0.0), -1.0, 1.0)
    a, b, c, d = (with_value(value, component / length) for value, component in zip(values, chosen, strict=True))
    return (a, b, c, d)


def _floats(vector: Vector3) -> Vector3:
    x, y, z = vector
    return (float(x), float(y), float(z))


def _with_values(R: Rotation, formulas: Rotation) -> Rotation:
    """The matrix of plain numbers, with the formulas of another way to compute it."""
    (a, b, c), (d, e, f), (g, h, i) = (
        [with_value(value, formula) for value, formula in zip(row, other, strict=True)]
        for row, other in zip(R, formulas, strict=True)
    )
    return ((a, b, c), (d, e, f), (g, h, i))


def _unit(numbers: Sequence[float], length: float) -> list[float]:
    """Numbers divided by their length, unless that is 1 to the last digits: dividing would only add dust."""
    made = [number / length for number in numbers]
    return [with_value(x, y) for x, y in zip(numbers, made, strict=True)] if abs(float(length) - 1) < 1e-15 else made


def _formula_of_turn(axis: Sequence[float], angles: Sequence[float]) -> Rotation:
    """The rotation of an axis and an angle, or of roll, pitch and yaw, as a formula of the numbers' parameters."""
    if len(angles) == 3:
        roll, pitch, yaw = (
            _formula_of_turn(unit, (angle,))
            for unit, angle in zip(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), angles, strict=True)
        )
        return compose(yaw, compose(pitch, roll))
    length = _length(axis)
    x, y, z = (component / length for component in axis)
    c, s = cos(angles[0]), sin(angles[0])
    d = 1.0 - c
    return (
        (c + x * x * d, x * y * d - z * s, x * z * d + y * s),
        (y * x * d + z * s, c + y * y * d, y * z * d - x * s),
        (z * x * d - y * s, z * y * d + x * s, c + z * z * d),
    )
