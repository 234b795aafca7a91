"""Normal form → the formula that a textbook would print: factors taken out, masses added up, products of sines.

Several ways of grouping are tried, and the shortest is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sistel.expr import Op
from sistel.formulas._formula import ZERO, Formula, Function, Power, Sum, Sym, product, size, total, with_factor
from sistel.formulas._poly import ONE, Angle, Former, Key, Mono, Poly, TooLarge, Wave, canonical, combined

Waves = tuple[Wave, ...]
Inner = tuple[tuple[Mono, Fraction], ...]
"""A sum of monomials of one kind, the first coefficient being 1."""

_UNIT = Fraction(1)
_TRIVIAL: Inner = (((), _UNIT),)
_MOST_WAVES = 60
"""Terms among which products of waves are looked for, pair by pair."""
MOST_TERMS = 150
"""Terms of a form that can be written readably."""
FUNCTIONS: dict[int, str] = {
    Op.SQRT: "sqrt",
    Op.SIN: "sin",
    Op.COS: "cos",
    Op.ATAN2: "atan2",
    Op.MINIMUM: "min",
    Op.MAXIMUM: "max",
    Op.ABSOLUTE: "abs",
    Op.EXP: "exp",
    Op.LOG: "log",
    Op.FLOOR: "floor",
    Op.LESS: "less",
    Op.LESS_EQUAL: "less_equal",
    Op.EQUAL: "equal",
    Op.AND: "and",
    Op.OR: "or",
    Op.NOT: "not",
    Op.SELECT: "select",
    Op.SUBTRACT: "sign",
}


@dataclass(frozen=True, slots=True)
class _Group:
    """A number times a monomial, a sum of masses, a form in velocities and a product of waves."""

    number: Fraction
    mono: Mono
    masses: Inner = _TRIVIAL
    rates: Inner = _TRIVIAL
    waves: Waves = ()


class Reader:
    """Writes the forms of one `Former`.

    Args:
        former: Knows the atoms.
        masses: The parameters that are masses: places in the block "p".
        order: A rank for parameters, by place, in which factors of a product are written.
    """

    def __init__(self, former: Former, masses: frozenset[int], order: Sequence[int]) -> None:
        self.former = former
        self.masses = masses
        self.order = order
        self._ranks: dict[int, tuple[int, int]] = {}
        self._blocks: dict[int, str] = {}
        self._written: dict[int, Formula] = {}

    # --- what an atom is ---------------------------------------------------------------------------------------

    def _block(self, atom: int) -> str:
        if atom not in self._blocks:
            definition = self.former.atoms[atom]
            self._blocks[atom] = str(definition[1]) if definition[0] == "input" else ""
        return self._blocks[atom]

    def _is_mass(self, atom: int) -> bool:
        return self._block(atom) == "p" and self.former.atoms[atom][2] in self.masses

    def _is_rate(self, atom: int) -> bool:
        return self._block(atom) == "v"

    def _is_gain(self, atom: int) -> bool:
        return self._block(atom) == "a"

    def _rank(self, atom: int) -> tuple[int, int]:
        """Where an atom stands in a product: masses, parameters, functions, coordinates, velocities, accelerations."""
        if atom not in self._ranks:
            definition, block = self.former.atoms[atom], self._block(atom)
            place = definition[2] if block else atom
            assert isinstance(place, int)
            if block == "p":
                self._ranks[atom] = (0 if self._is_mass(atom) else 1, self.order[place])
            else:
                self._ranks[atom] = ({"": 2, "q": 3, "v": 5, "a": 6}.get(block, 4), place)
        return self._ranks[atom]

    def _atom(self, atom: int) -> Formula:
        if atom not in self._written:
            self._written[atom] = self._write_atom(atom)
        return self._written[atom]

    def _write_atom(self, atom: int) -> Formula:
        kind, *rest = self.former.atoms[atom]
        if kind == "input":
            block, place = rest
            assert isinstance(block, str) and isinstance(place, int)
            return Sym(block, place)
        if kind == "sum":
            assert isinstance(rest[0], Poly)
            return self.formula(rest[0])
        op, *arguments = rest
        assert isinstance(op, Op)
        return Function(FUNCTIONS[op], tuple(self.formula(x) for x in arguments if isinstance(x, Poly)))

    # --- whole formulas ----------------------------------------------------------------------------------------

    def formula(self, form: Poly) -> Formula:
        """The shortest of the ways in which a form can be written."""
        terms = form.coefficients()
        if not terms:
            return ZERO
        if len(terms) > MOST_TERMS:
            raise TooLarge
        return self._shortest(terms)

    def motion(self, form: Poly) -> Formula:
        """An equation of motion: accelerations with their coefficients, then products of velocities, then the rest."""
        terms = form.coefficients()
        if len(terms) > MOST_TERMS:
            raise TooLarge
        written: list[Formula] = []
        for gain in sorted({atom for mono, _ in terms for atom, _ in mono if self._is_gain(atom)}, key=self._rank):
            share = {
                (tuple(entry for entry in mono if entry[0] != gain), wave): value
                for (mono, wave), value in terms.items()
                if (gain, 1) in mono
            }
            written.append(with_factor(self._shortest(share), self._atom(gain)))
        for wanted in (2, 1, 0):
            rest = {
                key: value
                for key, value in terms.items()
                if not any(self._is_gain(atom) for atom, _ in key[0]) and min(2, self._degree(key[0])) == wanted
            }
            if rest:
                written.append(self._shortest(rest))
        return total(tuple(written))

    def load(self, form: Poly) -> Formula:
        """A reaction: as an equation of motion, or with accelerations gathered at their sines, if that is shorter."""
        return min((self.motion(form), self.formula(form)), key=size)

    def _degree(self, mono: Mono) -> int:
        return sum(exponent for atom, exponent in mono if self._is_rate(atom))

    def _shortest(self, terms: dict[Key, Fraction]) -> Formula:
        """The shortest of the ways in which a sum can be written."""
        common = _common([mono for mono, _ in terms])
        rest = {(_over(mono, common), wave): value for (mono, wave), value in terms.items()}
        waves = {wave for _, wave in rest}
        shared: Waves = ()
        if len(waves) == 1 and ONE not in waves:
            shared = (next(iter(waves)),)
            rest = {(mono, ONE): value for (mono, _), value in rest.items()}
        groups = [_Group(value, mono, waves=() if wave == ONE else (wave,)) for (mono, wave), value in rest.items()]
        outer = _Group(_UNIT, common, waves=shared)
        return min((self._sum(groups, outer, way) for way in self._ways(groups)), key=size)

    def _ways(self, groups: Sequence[_Group]) -> Iterable[tuple[str, ...]]:
        """The ways of grouping that differ here: a step does nothing where nothing belongs to its sums."""
        if len(groups) == 1:
            return ((),)
        atoms = {atom for group in groups for atom, _ in group.mono}
        acts = {
            "masses": any(map(self._is_mass, atoms)),
            "parameters": any(self._block(atom) == "p" for atom in atoms),
            "rates": any(self._is_rate(atom) or self._is_gain(atom) for atom in atoms),
            "waves": any(group.waves for group in groups),
        }
        return dict.fromkeys(tuple(step for step in way if acts[step]) for way in _WAYS)

    def _sum(self, groups: list[_Group], outer: _Group, way: Sequence[str]) -> Formula:
        """The sum of groups, after the steps of a way, times what all of them have."""
        for step in way:
            groups = _STEPS[step](self, groups)
        groups = sorted(groups, key=self._group_rank)
        first, *others = groups
        if not others:
            return self._product(
                replace(first, mono=_joined(first.mono, outer.mono), waves=(*first.waves, *outer.waves))
            )
        if first.masses != _TRIVIAL and all(group.masses == first.masses for group in others):
            outer, groups = replace(outer, masses=first.masses), [replace(x, masses=_TRIVIAL) for x in groups]
        if first.rates != _TRIVIAL and all(group.rates == first.rates for group in others):
            outer, groups = replace(outer, rates=first.rates), [replace(x, rates=_TRIVIAL) for x in groups]
        alone = outer == _Group(_UNIT, ())
        number = _taken_out([group.number for group in groups], alone=alone)
        if number != 1:
            groups = [replace(group, number=group.number / number) for group in groups]
        inner = total(tuple(map(self._product, groups)))
        return inner if alone and number == 1 else self._product(replace(outer, number=number), inner)

    # --- one product -------------------------------------------------------------------------------------------

    def _product(self, group: _Group, inner: Formula | None = None) -> Formula:
        ranked: list[tuple[tuple[int, int], Formula, int]] = [
            (self._rank(atom), self._atom(atom), exponent) for atom, exponent in group.mono
        ]
        number = group.number
        for inside, slot in ((group.masses, 0), (group.rates, 5)):
            if inside != _TRIVIAL:
                # The number joins the first sum, where it may turn fractions into whole numbers.
                outer, written = self._linear(tuple((mono, value * number) for mono, value in inside), slot == 5)
                number = outer.number
                heavy = written is not None and any(
                    self._is_mass(atom) for mono, _ in inside for atom, _ in _over(mono, outer.mono)
                )
                at = (slot, -1 if heavy else 1 << 30) if slot == 5 or heavy else (1, 1 << 30)
                ranked += [(self._rank(atom), self._atom(atom), exponent) for atom, exponent in outer.mono]
                if written is not None:
                    ranked.append((at, *written))
        if inner is not None:
            # A sum stands with the parameters: before velocities and waves, after the symbols.
            ranked.append(((4, 0), inner, 1))
        for kind, angle in group.waves:
            ranked.append(((7, 0 if kind == "sin" else 1), Function(kind, (self._angle(angle),)), 1))
        ranked.sort(key=lambda entry: entry[0])
        merged: list[tuple[Formula, int]] = []
        for _, formula, exponent in ranked:
            index = next((i for i, (other, _) in enumerate(merged) if other == formula), -1)
            if index >= 0:
                merged[index] = (formula, merged[index][1] + exponent)
            else:
                merged.append((formula, exponent))
        above = tuple(_power(formula, exponent) for formula, exponent in merged if exponent > 0)
        below = tuple(_power(formula, -exponent) for formula, exponent in merged if exponent < 0)
        return product(number, above, below)

    def _linear(self, inner: Inner, rates: bool) -> tuple[_Group, tuple[Formula, int] | None]:
        """A sum of monomials as a monomial times a sum, or times a power of one."""
        common = _common([mono for mono, _ in inner])
        rest = [(_over(mono, common), value) for mono, value in inner]
        rest.sort(key=lambda entry: self._mono_rank(entry[0]))
        content = _taken_out([value for _, value in rest], rates=rates)
        rest = [(mono, value / content) for mono, value in rest]
        outer = _Group(content, common)
        if len(rest) == 1:
            return _Group(content * rest[0][1], _joined(common, rest[0][0])), None
        root = self._square_root(dict(rest))
        if root is not None:
            outer = _Group(content * root[0], common)
            terms = [self._product(_Group(value, ((atom, 1),))) for atom, value in root[1]]
            return outer, (Sum(tuple(terms)), 2)
        return outer, (Sum(tuple(self._product(_Group(value, mono)) for mono, value in rest)), 1)

    def _square_root(self, form: dict[Mono, Fraction]) -> tuple[Fraction, list[tuple[int, Fraction]]] | None:
        """The linear form whose square a quadratic form is, and the number before the square; None without one."""
        squares = [(mono[0][0], value) for mono, value in form.items() if len(mono) == 1 and mono[0][1] == 2]
        if len(squares) < 2 or len(form) != len(squares) * (len(squares) + 1) // 2:
            return None
        squares.sort(key=lambda entry: self._rank(entry[0]))
        number = squares[0][1]
        first = squares[0][0]
        linear = [(first, Fraction(1))]
        for atom, _ in squares[1:]:
            linear.append((atom, form.get(tuple(sorted(((first, 1), (atom, 1)))), Fraction(0)) / 2 / number))
        expected: dict[Mono, Fraction] = {}
        for i, (one, a) in enumerate(linear):
            expected[((one, 2),)] = number * a * a
            for other, b in linear[i + 1 :]:
                expected[tuple(sorted(((one, 1), (other, 1))))] = 2 * number * a * b
        return (number, linear) if expected == form else None

    def _angle(self, angle: Angle) -> Formula:
        ranked = sorted(angle, key=lambda entry: self._rank(entry[0]))
        return total(tuple(product(Fraction(factor), (self._atom(atom),)) for atom, factor in ranked))

    # --- order -------------------------------------------------------------------------------------------------

    def _mono_rank(self, mono: Mono) -> tuple[object, ...]:
        return tuple(sorted((*self._rank(atom), -exponent) for atom, exponent in mono))

    def _group_rank(self, group: _Group) -> tuple[object, ...]:
        monos = (group.mono, *(mono for mono, _ in group.rates))
        moving = [atom for mono in monos for atom, _ in mono]
        kind = 0 if any(map(self._is_gain, moving)) else 1 if any(map(self._is_rate, moving)) else 2
        angles = sorted(sum(abs(Fraction(factor)) for _, factor in angle) for _, angle in group.waves)
        # Accelerations first, then velocities; of equals, what has no sine or cosine.
        return (
            kind,
            len(group.waves),
            angles,
            [(kind, [self._rank(atom) for atom, _ in angle]) for kind, angle in group.waves],
            self._mono_rank(tuple(entry for entry in group.rates[0][0] or group.mono if self._is_rate(entry[0]))),
            # Moments of inertia before what has a mass.
            self._mono_rank(tuple(x for x in (*group.mono, *group.masses[0][0]) if self._is_mass(x[0]))),
            self._mono_rank(group.mono),
            self._mono_rank(group.masses[0][0]),
        )

    # --- ways of grouping --------------------------------------------------------------------------------------

    def _add_masses(self, groups: list[_Group]) -> list[_Group]:
        """M a + m a = (M + m) a."""
        return self._gather(groups, self._is_mass, "masses")

    def _add_parameters(self, groups: list[_Group]) -> list[_Group]:
        """The whole coefficient of a product of velocities and waves as one sum of parameters."""
        return self._gather(groups, lambda atom: self._block(atom) == "p", "masses")

    def _add_rates(self, groups: list[_Group]) -> list[_Group]:
        """Products of velocities with the same coefficient, and accelerations too."""
        return self._gather(groups, lambda atom: self._is_rate(atom) or self._is_gain(atom), "rates")

    def _gather(self, groups: list[_Group], belongs: Callable[[int], bool], slot: str) -> list[_Group]:
        found: dict[tuple[Mono, Inner, Inner, Waves], list[tuple[Mono, Fraction]]] = {}
        for group in groups:
            inner = tuple(entry for entry in group.mono if belongs(entry[0]))
            outer = tuple(entry for entry in group.mono if not belongs(entry[0]))
            found.setdefault((outer, group.masses, group.rates, group.waves), []).append((inner, group.number))
        made: list[_Group] = []
        for (outer, masses, rates, waves), members in found.items():
            frame = _Group(_UNIT, outer, masses, rates, waves)
            members.sort(key=lambda entry: self._mono_rank(entry[0]))
            # With a bare number among them, a sum such as (1 + m) is still one of masses; of velocities it is not.
            if len(members) == 1 or (slot != "masses" and not all(mono for mono, _ in members)):
                made += [replace(frame, number=value, mono=_joined(frame.mono, mono)) for mono, value in members]
                continue
            number = members[0][1]
            inner_sum: Inner = tuple((mono, value / number) for mono, value in members)
            made.append(replace(frame, number=number, **{slot: inner_sum}))  # type: ignore[arg-type]
        return made

    def _multiply_waves(self, groups: list[_Group]) -> list[_Group]:
        """Sums of waves of equal size become products, as long as no angle is halved."""
        left, again = list(groups), len(groups) <= _MOST_WAVES
        while again:
            again = False
            alike: dict[object, list[_Group]] = {}
            for group in left:
                alike.setdefault((abs(group.number), group.mono, group.masses, group.rates), []).append(group)
            left = []
            for members in alike.values():
                while (best := _best_pair(members)) is not None:
                    i, j, group = best
                    members = [x for k, x in enumerate(members) if k not in (i, j)]
                    left.append(group)
                    again = True
                left += members
        return left


def _best_pair(groups: Sequence[_Group]) -> tuple[int, int, _Group] | None:
    """The two groups whose waves make the simplest product."""
    best: tuple[Fraction, int, int, _Group] | None = None
    for i, one in enumerate(groups):
        for j in range(i + 1, len(groups)):
            merged = _merged(one, groups[j])
            if merged is not None and (best is None or merged[0] < best[0]):
                best = (merged[0], i, j, merged[1])
    return None if best is None else best[1:]


_STEPS: dict[str, Callable[[Reader, list[_Group]], list[_Group]]] = {
    "masses": Reader._add_masses,
    "parameters": Reader._add_parameters,
    "rates": Reader._add_rates,
    "waves": Reader._multiply_waves,
}
_WAYS: tuple[tuple[str, ...], ...] = (
    ("masses", "rates", "waves"),
    ("waves", "masses", "rates"),
    ("rates", "masses", "waves"),
    ("waves", "rates", "masses"),
    ("masses", "rates"),
    ("parameters", "rates", "waves"),
    ("waves", "parameters", "rates"),
    ("rates", "parameters", "waves"),
)


def _merged(one: _Group, two: _Group) -> tuple[Fraction, _Group] | None:
    """The product of waves that two groups with equal coefficients add up to, and how complicated its angles are."""
    shared, first = [], list(one.waves)
    second = []
    for wave in two.waves:
        if wave in first:
            first.remove(wave)
            shared.append(wave)
        else:
            second.append(wave)
    if len(first) > 1 or len(second) > 1:
        return None
    (kind, a), (other, b) = (first or [ONE])[0], (second or [ONE])[0]
    if kind != other:
        return None
    twice = [combined(a, b, sign) for sign in (1, -1)]
    if any(factor.denominator != 1 or factor.numerator % 2 for angle in twice for _, factor in angle):
        return None
    plus, minus = (tuple((atom, factor.numerator // 2) for atom, factor in angle) for angle in twice)
    same = one.number == two.number
    if kind == "cos":
        kinds, number = (("cos", "cos"), 2) if same else (("sin", "sin"), -2)
    else:
        kinds, number = (("sin", "cos"), 2) if same else (("cos", "sin"), 2)
    made: list[Wave] = []
    for name, angle in zip(kinds, (plus, minus), strict=True):
        half, flip = canonical(name, angle)
        if half is None:
            return None
        number *= flip
        if half != ONE:
            made.append(half)
    weight = sum((abs(Fraction(factor)) for _, angle in made for _, factor in angle), Fraction(0))
    return weight, replace(one, number=one.number * number, waves=tuple(sorted((*shared, *made))))


def _power(formula: Formula, exponent: int) -> Formula:
    return formula if exponent == 1 else Power(formula, exponent)


def _common(monos: Iterable[Mono]) -> Mono:
    """The greatest monomial that divides all."""
    left: dict[int, int] | None = None
    for mono in monos:
        here = dict(mono)
        if left is None:
            left = here
            continue
        left = {
            atom: min(exponent, here[atom]) if exponent > 0 else max(exponent, here[atom])
            for atom, exponent in left.items()
            if atom in here and (exponent > 0) == (here[atom] > 0)
        }
    return tuple(sorted((left or {}).items()))


def _over(mono: Mono, divisor: Mono) -> Mono:
    left = dict(mono)
    for atom, exponent in divisor:
        left[atom] -= exponent
    return tuple((atom, exponent) for atom, exponent in sorted(left.items()) if exponent)


def _joined(first: Mono, second: Mono) -> Mono:
    left = dict(first)
    for atom, exponent in second:
        left[atom] = left.get(atom, 0) + exponent
    return tuple((atom, exponent) for atom, exponent in sorted(left.items()) if exponent)


def _taken_out(numbers: Sequence[Fraction], *, alone: bool = False, rates: bool = False) -> Fraction:
    """The number that is written before a sum.

    Args:
        numbers: The coefficients, in the order in which the terms are written.
        alone: Whether nothing else is taken out: then no sign either, unless all terms have it.
        rates: Whether the sum is a form in velocities, in which whole numbers read best.
    """
    above = math.gcd(*(abs(number.numerator) for number in numbers))
    below = math.lcm(*(number.denominator for number in numbers))
    content = Fraction(above, below)
    least, greatest = min(map(abs, numbers)), max(map(abs, numbers))
    small = rates and greatest <= 12 * content
    if least != greatest and not small and (alone or content.denominator != 1):
        content = Fraction(1)
    negative = numbers[0] < 0 and (not alone or all(number < 0 for number in numbers))
    return -content if negative else content
