"""Order 0: the values of all lines, sines and cosines several at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sistel.expr import Op
from sistel.kernels._sincos import write_sincos
from sistel.kernels.taylor._plan import operands

if TYPE_CHECKING:
    from sistel.kernels._writer import Writer
    from sistel.kernels.taylor._plan import Plan

_ARITHMETIC: Final = {Op.ADD: "fadd", Op.SUBTRACT: "fsub", Op.MULTIPLY: "fmul", Op.DIVIDE: "fdiv"}
_COMPARISONS: Final = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
_INTRINSICS: Final = {Op.SQRT: "sqrt", Op.ABSOLUTE: "fabs", Op.FLOOR: "floor"}
_LIBRARY: Final = {Op.EXP: "exp", Op.LOG: "log", Op.ATAN2: "atan2"}
_PLAIN: Final = frozenset({Op.CONSTANT, Op.INPUT, Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.NEGATE})


class Start:
    """Writes the values of all lines; `value` has their names by series.

    Args:
        w: Where instructions go.
        plan: What to compute.
        lanes: Doubles in a vector of angles.
        done: Is told every series as soon as its value is there.
        exact: Whether every operation is rounded on its own: then tables give equal bits.
    """

    def __init__(
        self, w: Writer, plan: Plan, lanes: int, done: Callable[[Start, int], None], *, exact: bool = False
    ) -> None:
        self.w = w
        self.plan = plan
        self.lanes = lanes
        self.done = done
        self.contract = "" if exact else " contract"
        self.value: dict[int, str] = {}
        self.sines: dict[int, tuple[str, str]] = {}
        self.widths: set[int] = set()
        """Widths of the vectors of angles."""

    def write(self) -> None:
        self._early_sines()
        program, plan = self.plan.program, self.plan
        for i in range(len(program)):
            self._write(i)
        for angle, pair in plan.pairs.items():
            for series, name in zip(pair, self._pair(angle), strict=True):
                if series not in self.value:
                    self._is(series, name)
        for i, norm in plan.norms.items():
            y, x = (self.value[j] for j in operands(program, i))
            w = self.w
            self._is(norm, self._binary("fadd", w.multiply(x, x), self._binary("fmul", y, y)))

    def _is(self, series: int, name: str) -> None:
        self.value[series] = name
        self.done(self, series)

    def derived(self, what: str, series: int) -> str:
        """A value made of coefficients of order 0.

        Args:
            what: ``value``: itself; ``twice``; ``over``: 1/itself; ``half``: 0.5/itself. ``ratio``: a quotient over its
                divisor. ``across`` and ``along``: x and y of an angle over x² + y². ``second``: whether a minimum or
                maximum is its second operand, or an absolute value the negative of its operand.
            series: Of which.
        """
        w, program = self.w, self.plan.program
        if what == "second":
            return self._second(series)
        value = self.value[series]
        if what == "ratio":
            return w.divide(value, self.value[program.second[series]])
        if what in ("across", "along"):
            part = program.second[series] if what == "across" else program.first[series]
            return w.divide(self.value[part], self.value[self.plan.norms[series]])
        if what == "twice":
            return w.add(value, value)
        if what in ("over", "half"):
            return w.divide(w.constant(1.0 if what == "over" else 0.5), value)
        return value

    def _write(self, i: int) -> None:
        if i in self.value:
            return
        program, w = self.plan.program, self.w
        op = program.operation[i]
        if op == Op.CONSTANT:
            self._is(i, w.constant(program.number[i]))
        elif op == Op.INPUT:
            block = "%y" if program.first[i] == self.plan.state else "%p"
            at = w.value(f"getelementptr double, ptr {block}, i64 {program.second[i]}")
            self._is(i, w.value(f"load double, ptr {at}, align 8"))
        else:
            self._is(i, self._number(i, op, [self.value[j] for j in operands(program, i)]))

    def _number(self, i: int, op: int, names: list[str]) -> str:
        w = self.w
        if op in _ARITHMETIC:
            return self._binary(_ARITHMETIC[Op(op)], *names)
        if op == Op.NEGATE:
            return w.negate(names[0])
        if op in (Op.SIN, Op.COS):
            return self._pair(self.plan.program.first[i])[0 if op == Op.SIN else 1]
        if op in _INTRINSICS:
            return w.intrinsic(_INTRINSICS[Op(op)], *names)
        if op in _LIBRARY:
            return w.library(_LIBRARY[Op(op)], *names)
        if op in (Op.MINIMUM, Op.MAXIMUM):
            return w.select(self._takes_second(i), names[1], names[0])
        if op == Op.SELECT:
            return w.select(self._true(names[0]), names[1], names[2])
        if op in _COMPARISONS:
            truth = w.compare(_COMPARISONS[Op(op)], *names)
        elif op == Op.NOT:
            truth = w.compare("oeq", names[0], w.constant(0.0))
        else:
            word = "and" if op == Op.AND else "or"
            truth = w.value(f"{word} i1 {self._true(names[0])}, {self._true(names[1])}")
        return w.value(f"uitofp i1 {truth} to double")

    def _binary(self, operation: str, a: str, b: str) -> str:
        return self.w.value(f"{operation}{self.contract} double {a}, {b}")

    def _true(self, name: str) -> str:
        # NaN is "not zero", as in Python.
        return self.w.compare("une", name, self.w.constant(0.0))

    def _second(self, i: int) -> str:
        """1 where a minimum or maximum is its second operand, or an absolute value the negative of its operand."""
        w, program = self.w, self.plan.program
        if program.operation[i] == Op.ABSOLUTE:
            truth = w.compare("olt", self.value[program.first[i]], w.constant(0.0))
        else:
            truth = self._takes_second(i)
        return w.value(f"uitofp i1 {truth} to double")

    def _takes_second(self, i: int) -> str:
        """Where the second operand is beyond the first, or is NaN."""
        w, program = self.w, self.plan.program
        a, b = self.value[program.first[i]], self.value[program.second[i]]
        beyond = w.compare("olt" if program.operation[i] == Op.MINIMUM else "ogt", b, a)
        return w.value(f"or i1 {beyond}, {w.compare('uno', b, b)}")

    # --- sines -------------------------------------------------------------------------------------------------

    def _early_sines(self) -> None:
        """Angles that are made of the state by sums and products, in vectors, before everything else."""
        program = self.plan.program
        plain: list[bool] = []
        for i, op in enumerate(program.operation):
            plain.append(op in _PLAIN and (op == Op.INPUT or all(plain[j] for j in operands(program, i))))
        angles = [program.first[i] for i, op in enumerate(program.operation) if op in (Op.SIN, Op.COS)]
        early = [angle for angle in dict.fromkeys(angles) if plain[angle]]
        needed = set(early)
        for i in range(len(program) - 1, -1, -1):
            if i in needed and program.operation[i] != Op.INPUT:
                needed.update(operands(program, i))
        for i in sorted(needed):
            self._write(i)
        for start in range(0, len(early), self.lanes):
            self._sines(early[start : start + self.lanes])

    def _pair(self, angle: int) -> tuple[str, str]:
        if angle not in self.sines:
            self._sines([angle])
        return self.sines[angle]

    def _sines(self, angles: list[int]) -> None:
        # A scalar's bits would travel through general registers: two lanes are quicker than one.
        width = max(1 << (len(angles) - 1).bit_length(), min(2, self.lanes))
        w = self.w.of_width(width)
        names = [self.value[angle] for angle in angles]
        pair = write_sincos(w, w.gather(names + names[:1] * (width - len(names))))
        self.widths.add(width)
        for lane, angle in enumerate(angles):
            self.sines[angle] = (w.extract(pair[0], lane), w.extract(pair[1], lane)) if width > 1 else pair
