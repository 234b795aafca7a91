"""A program as JavaScript: an ES module with one documented function, for pages and for node.

The function writes into arrays that it is given, and allocates nothing. Doubles are all JavaScript has, so arithmetic
rounds as everywhere else; ``Math.sin`` and its like come from the engine and may differ in the last digit.

An engine does not optimise functions beyond a certain size (V8: 60 KB of bytecode), and takes long over large ones. So
long programs are cut into parts of `PART` lines; values that are needed behind a seam wait in one `Float64Array`, made
when the module is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Op
from sistel.kernels._c_text import checked_labels, checked_name, literal, parameters, remarks

if TYPE_CHECKING:
    from sistel.expr import Program
    from sistel.kernels._c_text import Labels

PART = 1000
"""Lines of one part: measured with node 20, see `benchmarks/bench_js.py`."""

_TAKEN = """abstract arguments as async await boolean break byte case catch char class const continue debugger default
delete do double else enum eval export extends false final finally float for from function get goto if implements import
in instanceof int interface let long native new null of package private protected public return set short static super
switch synchronized this throw throws transient true try typeof undefined var void volatile while with yield
Infinity NaN Math Float64Array Array Object Number globalThis window self document seam"""
_RESERVED = frozenset(_TAKEN.split())

_FORMS: dict[int, str] = {
    Op.ADD: "{0} + {1}",
    Op.SUBTRACT: "{0} - {1}",
    Op.MULTIPLY: "{0} * {1}",
    Op.DIVIDE: "{0} / {1}",
    Op.NEGATE: "-{0}",
    Op.SQRT: "Math.sqrt({0})",
    Op.SIN: "Math.sin({0})",
    Op.COS: "Math.cos({0})",
    Op.ATAN2: "Math.atan2({0}, {1})",
    # Not Math.min and Math.max, which order the two zeros.
    Op.MINIMUM: "({1} < {0} || {1} !== {1}) ? {1} : {0}",
    Op.MAXIMUM: "({1} > {0} || {1} !== {1}) ? {1} : {0}",
    Op.ABSOLUTE: "Math.abs({0})",
    Op.LESS: "({0} < {1}) ? 1.0 : 0.0",
    Op.LESS_EQUAL: "({0} <= {1}) ? 1.0 : 0.0",
    Op.EQUAL: "({0} === {1}) ? 1.0 : 0.0",
    Op.AND: "({0} !== 0.0 && {1} !== 0.0) ? 1.0 : 0.0",
    Op.OR: "({0} !== 0.0 || {1} !== 0.0) ? 1.0 : 0.0",
    Op.NOT: "({0} === 0.0) ? 1.0 : 0.0",
    Op.SELECT: "({0} !== 0.0) ? {1} : {2}",
    Op.EXP: "Math.exp({0})",
    Op.LOG: "Math.log({0})",
    Op.FLOOR: "Math.floor({0})",
}


def to_js(program: Program, name: str, *, module: bool = True, labels: Labels | None = None, part: int = PART) -> str:
    """Print a program as JavaScript.

    Args:
        program: What to compute.
        name: The function's name.
        module: Whether the function is exported; without, the text may stand in any script of a page.
        labels: Words about the numbers of blocks, for the comment: ``{"q": ["shoulder [rad]", "elbow [rad]"]}``.
        part: Lines of one part of a long program.

    Returns:
        The text, with the function ``name(inputs…, outputs…)``.

    Raises:
        SistelError: The name cannot be one of a JavaScript function, or labels do not fit.

    Example:
        >>> from sistel.expr import Graph, program, sin
        >>> graph = Graph()
        >>> (q,) = graph.inputs("q", 1)
        >>> print(to_js(program(graph, {"tau": [4.905 * sin(q)]}), "gravity", labels={"q": ["knee [rad]"]}))
        /**
         * gravity: straight-line code, SI units, double precision.
         *
         * @param {Float64Array|number[]} q in, size 1
         *   [0] knee [rad]
         * @param {Float64Array|number[]} tau out, size 1
         *
         * Outputs must not overlap inputs. Nothing is allocated.
         */
        export function gravity(q, tau) {
          const v0 = q[0];
          const v1 = Math.sin(v0);
          const v3 = 4.905 * v1;
          tau[0] = v3;
        }
    """
    checked_name(name, "JavaScript", _RESERVED)
    if part < 1:
        raise ValueError(f"a part has at least one line, not {part}")
    labels = checked_labels(labels, (*program.inputs, *program.outputs))
    return _Printer(program, name, labels).text("export " if module else "", part)


class _Printer:
    def __init__(self, program: Program, name: str, labels: Labels) -> None:
        self.program = program
        self.labels = labels
        self.name = name
        self.inputs, self.outputs = parameters(name, program.inputs, program.outputs, _RESERVED)
        self.arguments = ", ".join([*self.inputs, *self.outputs])
        # Where each line goes: places of the outputs.
        self.targets: dict[int, list[str]] = {}
        place = 0
        for output, (_, size) in zip(self.outputs, program.outputs, strict=True):
            for column in range(size):
                self.targets.setdefault(program.results[place], []).append(f"{output}[{column}]")
                place += 1

    def text(self, export: str, part: int) -> str:
        computed = [i for i, op in enumerate(self.program.operation) if op not in (Op.CONSTANT, Op.INPUT)]
        parts = [computed[start : start + part] for start in range(0, len(computed), part)]
        constant = [
            f"  {target} = {self._leaf(i)};"
            for i, targets in self.targets.items()
            if self.program.operation[i] in (Op.CONSTANT, Op.INPUT)
            for target in targets
        ]
        slots, size = self._slots(parts)
        head = f"{export}function {self.name}({self.arguments}) {{"
        if len(parts) <= 1:
            body = self._part(parts[0], slots) if parts else []
            return "\n".join([self._remarks(), head, *body, *constant, "}", ""])
        names = [f"{self.name}_part{number}" for number in range(1, len(parts) + 1)]
        lines = [f"const {self.name}_seam = new Float64Array({size});", ""]
        arguments = f"{self.arguments}, seam"
        for function, members in zip(names, parts, strict=True):
            lines += [f"function {function}({arguments}) {{", *self._part(members, slots), "}", ""]
        call = f"{self.arguments}, {self.name}_seam"
        calls = [f"  {function}({call});" for function in names]
        return "\n".join([*lines, self._remarks(), head, *calls, *constant, "}", ""])

    def _remarks(self) -> str:
        lines = ["/**", f" * {self.name}: straight-line code, SI units, double precision.", " *"]
        for names, blocks, role in (
            (self.inputs, self.program.inputs, "in"),
            (self.outputs, self.program.outputs, "out"),
        ):
            start = f" * @param {{{{Float64Array|number[]}}}} {{name}} {role}, size {{size}}"
            lines += remarks(names, blocks, self.labels, start, " *   [{i}] {label}")
        lines += [" *", " * Outputs must not overlap inputs. Nothing is allocated.", " */"]
        return "\n".join(lines)

    def _leaf(self, index: int) -> str:
        program = self.program
        if program.operation[index] == Op.CONSTANT:
            return literal(program.number[index], "float64")
        return f"{self.inputs[program.first[index]]}[{program.second[index]}]"

    def _operands(self, index: int) -> list[int]:
        program = self.program
        return [i for i in (program.first[index], program.second[index], program.third[index]) if i >= 0]

    def _slots(self, parts: list[list[int]]) -> tuple[dict[int, int], int]:
        """The place at the seams of every line that a later part needs, and how many places there are."""
        where = {line: number for number, members in enumerate(parts) for line in members}
        last: dict[int, int] = {}
        for number, members in enumerate(parts):
            for line in members:
                for operand in self._operands(line):
                    if operand in where and where[operand] != number:
                        last[operand] = number
        slots: dict[int, int] = {}
        free: list[int] = []
        size = 0
        ending: dict[int, list[int]] = {}
        for number, members in enumerate(parts):
            # What was last read in the part before is free again; within a part nothing is overwritten.
            free += ending.pop(number - 1, [])
            for line in members:
                if line in last:
                    if free:
                        slots[line] = free.pop()
                    else:
                        slots[line], size = size, size + 1
                    ending.setdefault(last[line], []).append(slots[line])
        return slots, size

    def _part(self, members: list[int], slots: dict[int, int]) -> list[str]:
        program, lines = self.program, list[str]()
        inside = set(members)
        names: dict[int, str] = {}
        for line in members:
            for operand in self._operands(line):
                if operand in names:
                    continue
                if operand not in inside:
                    leaf = self._leaf(operand) if program.operation[operand] in (Op.CONSTANT, Op.INPUT) else ""
                    if program.operation[operand] == Op.CONSTANT:
                        names[operand] = leaf
                        continue
                    lines.append(f"  const v{operand} = {leaf or f'seam[{slots[operand]}]'};")
                names[operand] = f"v{operand}"
            formula = _FORMS[program.operation[line]].format(*(names[i] for i in self._operands(line)))
            lines.append(f"  const v{line} = {formula};")
            if line in slots:
                lines.append(f"  seam[{slots[line]}] = v{line};")
            lines += [f"  {target} = v{line};" for target in self.targets.get(line, ())]
        return lines
