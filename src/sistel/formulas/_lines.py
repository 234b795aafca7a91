"""Graph → formulas with named intermediate variables: how equations too long for one line are written.

What several formulas need, and what grows too long, gets a name. Sines and cosines of sums of coordinates are called
s₁, c₁₂ … as in robotics; what depends on parameters alone comes first and is called k; the rest is called z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sistel.expr import Graph, Op
from sistel.formulas._formula import Formula, Function, Num, Power, Product, Sum, Sym, negated, product, size, total
from sistel.formulas._poly import fraction, is_length, is_sign
from sistel.formulas._readable import FUNCTIONS

LONGEST = 12
"""Numbers and symbols in one line; what is longer gets a name for a part."""

_FREE = (Op.CONSTANT, Op.INPUT, Op.NEGATE)


class Namer:
    """Names intermediate variables of a graph.

    Attributes:
        lines: The variables in the order in which they can be computed.
        angles: For every sine and cosine by name, the places of the coordinates that are added up.
    """

    def __init__(
        self,
        graph: Graph,
        results: Sequence[int],
        parameters: str = "p",
        simplify: Callable[[int], Formula | None] = lambda _: None,
    ) -> None:
        """Name what the results need.

        Args:
            graph: The graph.
            results: What is wanted.
            parameters: The block of inputs whose expressions are computed once.
            simplify: Writes a node of parameters alone as a short formula, or gives up.
        """
        self.graph = graph
        self.lines: list[tuple[Sym, Formula]] = []
        self.angles: dict[Sym, tuple[int, ...]] = {}
        self._block = next((i for i, (name, _) in enumerate(graph.blocks) if name == parameters), -1)
        self._places: dict[str, int] = {"k": 0, "z": 0}
        self._formulas: dict[int, Formula] = {}
        self._early: dict[int, bool] = {}
        self._angle_places: dict[tuple[int, ...], int] = {}
        uses: dict[int, int] = {}
        stack = list(results)
        while stack:
            i = stack.pop()
            if i in uses:
                continue
            uses[i] = 0
            stack.extend(self._operands(i))
        for i in uses:
            for j in self._operands(i):
                uses[j] += 1
        for i in results:
            uses[i] += 1
        order = sorted(uses)
        for i in order:
            block = graph.first[i] if graph.operation[i] == Op.INPUT else None
            self._early[i] = (
                block == self._block if block is not None else all(self._early[j] for j in self._operands(i))
            )
        skipped = self._simplified(order, set(results), simplify)
        for i in order:
            if i not in skipped:
                self._visit(i, uses[i], i in results)
        early = [line for line in self.lines if line[0].block == "k"]
        self.lines = early + [line for line in self.lines if line[0].block != "k"]

    def formula(self, i: int) -> Formula:
        """The formula of a result."""
        return self._formulas[i]

    def _operands(self, i: int) -> tuple[int, ...]:
        graph = self.graph
        if graph.operation[i] in (Op.CONSTANT, Op.INPUT):
            return ()
        return tuple(j for j in (graph.first[i], graph.second[i], graph.third[i]) if j >= 0)

    def _simplified(
        self, order: Sequence[int], results: set[int], simplify: Callable[[int], Formula | None]
    ) -> set[int]:
        """Write what later lines need of the parameters in short; returns all nodes that are done with by that."""
        wanted = {j for i in order if not self._early[i] for j in self._operands(i) if self._early[j]}
        wanted |= {i for i in results if self._early[i]}
        left: set[int] = set()
        for i in sorted(wanted):
            made = None if self.graph.operation[i] in _FREE else simplify(i)
            if made is None:
                left.add(i)
                continue
            # A number times one parameter needs no name.
            self._formulas[i] = made if size(made) <= 2 else self._name(i, self.graph.operation[i], made)
        stack = list(left)
        while stack:
            for j in self._operands(stack.pop()):
                if j not in left and j not in self._formulas:
                    left.add(j)
                    stack.append(j)
        return {i for i in order if self._early[i] and i not in left}

    def _visit(self, i: int, uses: int, result: bool) -> None:
        op = self.graph.operation[i]
        operands = self._operands(i)
        made = self._write(i, op, operands)
        if op in _FREE:
            self._formulas[i] = made
            return
        # A value of parameters that something else uses is named, so that it is computed once.
        if uses > 1 or size(made) > LONGEST or (op in (Op.SIN, Op.COS) and not result):
            made = self._name(i, op, made)
        self._formulas[i] = made

    def _name(self, i: int, op: int, made: Formula) -> Formula:
        if isinstance(made, (Num, Sym)) or (isinstance(made, Product) and made.number == -1 and len(made.factors) == 1):
            return made
        angle = self._angle(made) if isinstance(made, Function) and op in (Op.SIN, Op.COS) else None
        if angle is not None:
            place = self._angle_places.setdefault(angle, len(self._angle_places))
            symbol = Sym("s" if op == Op.SIN else "c", place)
            self.angles[symbol] = angle
        else:
            block = "k" if self._early[i] else "z"
            symbol = Sym(block, self._places[block])
            self._places[block] += 1
        self.lines.append((symbol, made))
        return symbol

    def _angle(self, wave: Function) -> tuple[int, ...] | None:
        """The coordinates that the argument of a sine or cosine is the sum of."""
        (argument,) = wave.arguments
        terms = argument.terms if isinstance(argument, Sum) else (argument,)
        places = [term.place for term in terms if isinstance(term, Sym) and term.block == "q"]
        return tuple(sorted(places)) if len(places) == len(terms) else None

    def _write(self, i: int, op: int, operands: Sequence[int]) -> Formula:
        graph = self.graph
        inner = [self._formulas[j] for j in operands]
        match op:
            case Op.CONSTANT:
                return Num(fraction(graph.number[i]))
            case Op.INPUT:
                return Sym(graph.blocks[graph.first[i]][0], graph.second[i])
            case Op.ADD:
                return _added((inner[0], inner[1]))
            case Op.SELECT if is_sign(graph, i):
                return Function("sign", (self._formulas[graph.second[operands[0]]],))
            case Op.SELECT if is_length(graph, operands[0]):
                return inner[1]
            case Op.SUBTRACT:
                first, second = inner
                minus = tuple(negated(term) for term in second.terms) if isinstance(second, Sum) else (negated(second),)
                return _added((first, *minus))
            case Op.NEGATE:
                return negated(inner[0])
            case Op.MULTIPLY:
                return _times(inner[0], inner[1])
            case Op.DIVIDE:
                number, above, below = _pieces(inner[1])
                return _times(inner[0], product(1 / number, below, above))
            case _:
                return Function(FUNCTIONS[op], tuple(inner))


def _added(parts: tuple[Formula, ...]) -> Formula:
    """A sum without terms that cancel each other."""
    made = total(parts)
    if not isinstance(made, Sum):
        return made
    kept: list[Formula] = []
    for term in made.terms:
        opposite = negated(term)
        if opposite in kept:
            kept.remove(opposite)
        else:
            kept.append(term)
    return total(tuple(kept))


def _pieces(formula: Formula) -> tuple[Fraction, tuple[Formula, ...], tuple[Formula, ...]]:
    match formula:
        case Num(value):
            return value, (), ()
        case Product(number, above, below):
            return number, above, below
        case _:
            return Fraction(1), (formula,), ()


def _times(one: Formula, two: Formula) -> Formula:
    (a, above, below), (b, more, under) = _pieces(one), _pieces(two)
    powers: dict[Formula, int] = {}
    for sign, factors in ((1, (*above, *more)), (-1, (*below, *under))):
        for factor in factors:
            base, exponent = (factor.base, factor.exponent) if isinstance(factor, Power) else (factor, 1)
            powers[base] = powers.get(base, 0) + sign * exponent
    ordered = sorted(powers.items(), key=lambda entry: _order(entry[0]))
    return product(
        a * b,
        tuple(base if n == 1 else Power(base, n) for base, n in ordered if n > 0),
        tuple(base if n == -1 else Power(base, -n) for base, n in ordered if n < 0),
    )


def _order(formula: Formula) -> tuple[int, int]:
    """Parameters, named values, sums, coordinates, velocities, accelerations, sines."""
    if isinstance(formula, Sym):
        blocks = {"p": 0, "k": 1, "z": 2, "q": 4, "v": 5, "a": 6, "s": 7, "c": 7}
        return blocks.get(formula.block, 2), formula.place
    return (3, 0) if isinstance(formula, Sum) else (8, 0)
