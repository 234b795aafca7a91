"""Equations of surfaces as gaps, positive on the free side; and ground that is drawn and has a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sistel.errors import Diagnostics, Text
from sistel.markup import Binary, Call, Compare, Expression, Member, Name, Node, Number, Unary
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Draft
from sistel.model._check import Checker, Typed, first_part
from sistel.model._elements import Formula
from sistel.model._flat import height_of
from sistel.model._formulas import si_number
from sistel.model._names import Names
from sistel.model._scope import FUNCTIONS as MATHEMATICS
from sistel.model._scope import evaluate
from sistel.pose import IDENTITY, Vector3, compose, norm, rotate, transpose
from sistel.records import mutable
from sistel.units import LENGTH, dimension_name, unit_of

SHOWN = 1.0
"""How far to either side ground is drawn where the file does not say [m]."""


@mutable
class SurfaceReader:
    """What reading a surface needs to know."""

    names: Names
    planar: bool
    gravity: Vector3
    diagnostics: Diagnostics

    def gap(self, surface: object, part: MountedFile, owner: Draft | None) -> Formula | None:
        """The gap function of a surface as it is written, positive on the free side."""
        if not isinstance(surface, Compare):
            return None
        axes = dict.fromkeys(("x", "y") if self.planar else ("x", "y", "z"), LENGTH)
        checker = Checker(part.scope, self.diagnostics, self.names, axes)
        left, right = checker.number(surface.left), checker.number(surface.right)
        if left is None or right is None:
            return None
        asked = first_part(surface, is_quantity)
        if asked is not None:
            message = Text(
                "a surface does not depend on the motion of bodies", "поверхность не зависит от движения тел"
            )
            expected = Text("x, y, the time t and parameters", "x, y, время t и параметры")
            self.diagnostics.error("bad-surface", asked.span, message, expected=expected)
            return None
        if not left.state and not right.state:
            message = Text(
                "the surface depends on none of its coordinates", "поверхность не зависит ни от одной координаты"
            )
            expected = Text("an equation in x and y, such as y = 0", "уравнение с x и y, например y = 0")
            self.diagnostics.error("bad-surface", surface.span, message, expected=expected)
            return None
        left, right = _in_millimetres(left), _in_millimetres(right)
        assert left.dimension is not None and right.dimension is not None
        if not (left.zero or right.zero or left.dimension.fits(right.dimension)):
            self.diagnostics.error(
                "wrong-dimension",
                surface.span,
                Text(
                    f"the left side is {dimension_name(left.dimension)}, the right {dimension_name(right.dimension)}",
                    f"слева {dimension_name(left.dimension, 'ru')}, справа {dimension_name(right.dimension, 'ru')}",
                ),
                hint=Text(
                    "write units beside the numbers: y = 0.1*x + 50 mm", "напишите единицы у чисел: y = 0.1*x + 50 мм"
                ),
            )
            return None
        rise, fall = _minus(left.expression, right.expression), _minus(right.expression, left.expression)
        dimension = right.dimension if left.zero else left.dimension
        if surface.operator in ("<", "<="):
            return Formula(expression=fall, dimension=dimension)
        if surface.operator in (">", ">="):
            return Formula(expression=rise, dimension=dimension)
        down = self._down(rise, part, owner)
        if down is None:
            self.diagnostics.error(
                "no-free-side",
                surface.span,
                Text(
                    "gravity does not tell which side of this surface is free",
                    "тяжесть не говорит, с какой стороны поверхности свободно",
                ),
                hint=Text(
                    "write an inequality that holds on the free side, such as x >= 0",
                    "напишите неравенство, верное со свободной стороны, например x >= 0",
                ),
            )
            return None
        return Formula(expression=fall if down > 0 else rise, dimension=dimension)

    def _down(self, rise: Expression, part: MountedFile, owner: Draft | None) -> float | None:
        """How `rise` changes along gravity, at the origin; None when it does not, or gravity is absent."""
        weight = (float(self.gravity[0]), float(self.gravity[1]), float(self.gravity[2]))
        if norm(weight) == 0:
            return None
        # The surface of a moving body is judged in the posture of zero coordinates.
        turn = IDENTITY
        at = owner
        while at is not None:
            turn = compose(at.R_PB, turn)
            at = at.base
        g_S = rotate(transpose(turn), self.gravity)
        length = norm(weight)
        step = 1e-6  # [m]: surfaces are smooth on this scale, and only the sign matters
        ends = []
        for sign in (1, -1):
            place = {letter: sign * step * component / length for letter, component in zip("xyz", g_S, strict=True)}
            place["t"] = 0.0  # a surface that moves is judged at its start
            ends.append(evaluate(rise, part.scope, Diagnostics(), place))
        if ends[0] is None or ends[1] is None:
            return None
        slope = (ends[0] - ends[1]) / (2 * step)
        return slope if abs(float(slope)) > 1e-9 else None

    def profile(self, node: Node, part: MountedFile) -> tuple[Formula | None, tuple[float, ...]]:
        """The gap over ground of the world, None after an error, and what of the ground is drawn [m]."""
        gap, count = self.gap(node.get("surface"), part, None), 2 if self.planar else 4
        shown = part.values.numbers(node, "shown")
        if shown is None:
            shown = (-SHOWN, SHOWN) * (count // 2)
        if len(shown) != count or not all(float(a) < float(b) for a, b in zip(shown[::2], shown[1::2], strict=False)):
            self.diagnostics.error(
                "wrong-count" if len(shown) != count else "out-of-range",
                node.at("shown"),
                Text("this is no stretch of ground to be drawn", "это не участок земли, который можно нарисовать"),
                expected=Text("from and to along x", "от и до вдоль x")
                if self.planar
                else Text("from and to along x, then along y", "от и до вдоль x, затем вдоль y"),
            )
            return None, ()
        if part.R_PG != IDENTITY:
            self.diagnostics.error(
                "bad-surface",
                node.span,
                Text(
                    "an equation of ground is in axes that go with those of the real ground: its file is included "
                    "without a turn",
                    "уравнение земли записано в осях, параллельных осям настоящей земли: файл с ней включается без "
                    "поворота",
                ),
                related=[(part.base_span, Text("it is included here", "он включён здесь"))],
            )
            return None, ()
        height = None if gap is None else height_of(gap.expression, self.planar)
        if gap is not None and height is None:
            self.diagnostics.error(
                "curved-surface",
                node.at("surface"),
                Text(
                    "ground is a smooth height that does not move: this is none",
                    "профиль — это гладкая неподвижная высота: здесь не так",
                ),
                expected=Text("an equation such as y = f(x)", "уравнение, например y = f(x)")
                if self.planar
                else Text("an equation such as z = f(x, y)", "уравнение, например z = f(x, y)"),
            )
            return None, ()
        # A letter that is zero today is a place all the same.
        if gap is None or height is None or all(type(p) is float and p == 0.0 for p in part.p_PG):
            return gap, shown
        aside = {letter: si_number(p, LENGTH, node.span) for letter, p in zip("xyz", part.p_PG, strict=True)}
        ends = tuple(end + part.p_PG[height.beside[index // 2]] for index, end in enumerate(shown))
        return replace(gap, expression=_shifted(gap.expression, aside)), ends


def _shifted(node: Expression, aside: Mapping[str, Number]) -> Expression:
    """The same smooth surface elsewhere: x - p in the place of x, and so on."""
    match node:
        case Name() if node.name in aside:
            return Binary(operator="-", left=node, right=aside[node.name], span=node.span)
        case Unary():
            return replace(node, operand=_shifted(node.operand, aside))
        case Binary():
            return replace(node, left=_shifted(node.left, aside), right=_shifted(node.right, aside))
        case Call():
            return replace(node, arguments=tuple(_shifted(argument, aside) for argument in node.arguments))
    return node  # a number, a parameter, or a condition of parameters


def is_quantity(node: Expression) -> bool:
    """Whether a node asks for something that only a motion knows."""
    return isinstance(node, Member) or (isinstance(node, Call) and node.function not in MATHEMATICS)


def _in_millimetres(typed: Typed) -> Typed:
    """One side of a surface that is a plain number is in mm, as lengths in XML are."""
    if typed.state or typed.zero or typed.dimension is None or not typed.dimension.plain:
        return typed
    millimetre = unit_of("mm")
    assert millimetre is not None
    if isinstance(typed.expression, Number):
        number = typed.expression
        return Typed(replace(number, value=millimetre.to_si(number.value), dimension=LENGTH, unit="mm"), LENGTH)
    factor = Number(value=millimetre.to_si(1.0), dimension=LENGTH, unit="mm", literal="1", span=typed.expression.span)
    product = Binary(operator="*", left=typed.expression, right=factor, span=typed.expression.span)
    return Typed(product, LENGTH)


def _minus(left: Expression, right: Expression) -> Expression:
    if isinstance(right, Number) and right.value == 0:
        return left
    if isinstance(left, Number) and left.value == 0:
        return Unary(operator="-", operand=right, span=right.span)
    return Binary(operator="-", left=left, right=right, span=left.span)
