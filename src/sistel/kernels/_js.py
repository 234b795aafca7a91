"""A program as JavaScript: an ES module with one documented function, for pages and for node.

The function writes into arrays that it is given, and allocates nothing. Doubles are all JavaScript has, so arithmetic
rounds as everywhere else; ``Math.sin`` and its like come from the engine and may differ in the last digit.

An engine does not optimise functions beyond a certain size (V8: 60 KB of bytecode), and takes long over large ones. So
long programs are cut into parts of `PART` lines; values that are needed behind a seam wait in one `Float64Array`, made
when the module is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Op, arguments, routine
from sistel.kernels._c_text import ARITHMETIC, checked_labels, checked_name, literal, parameters, remarks

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

_FORMS: dict[int, str] = ARITHMETIC | {
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


def to_js(
    program: Program,
    name: str,
    *,
    module: bool = True,
    labels: Labels | None = None,
    part: int = PART,
    compact: bool = False,
) -> str:
    """Print a program as JavaScript.

    Args:
        program: What to compute.
        name: The function's name.
        module: Whether the function is exported; without, the text may stand in any script of a page.
        labels: Words about the numbers of blocks, for the comment: ``{"q": ["shoulder [rad]", "elbow [rad]"]}``.
        part: Lines of one part of a long program.
        compact: Leave out the comment and what else only people need: for pages that carry many functions.

    Returns:
        The text, with the function ``name(inputs…, outputs…)``.

    Raises:
        SistelError: The name cannot be one of a JavaScript function, or labels do not fit.

    Example:
        >>> from sistel.expr import Graph, sin
        >>> graph = Graph()
        >>> (q,) = graph.inputs("q", 1)
        >>> print(to_js(graph.program({"tau": [4.905 * sin(q)]}), "gravity", labels={"q": ["knee [rad]"]}))
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
    return _Printer(program, name, labels, compact).text("export " if module else "", part)


class _Printer:
    def __init__(self, program: Program, name: str, labels: Labels, compact: bool) -> None:
        self.program = program
        self.compact = compact
        self.labels = labels
        self.name = name
        self.routines = program.routines()
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
        computed = [i for i, op in enumerate(self.program.operation) if op not in (Op.CONSTANT, Op.INPUT, Op.LIST)]
        parts = [computed[start : start + part] for start in range(0, len(computed), part)]
        constant = [
            f"  {target} = {self._leaf(i)};"
            for i, targets in self.targets.items()
            if self.program.operation[i] in (Op.CONSTANT, Op.INPUT)
            for target in targets
        ]
        slots, size = self._slots(parts)
        self._uses = self._counted(slots) if self.compact else []
        head = f"{export}function {self.name}({self.arguments}) {{"
        if len(parts) <= 1:
            body = self._part(parts[0], slots) if parts else []
            return "\n".join([*self._functions(), *self._remarks(), head, *body, *constant, "}", ""])
        names = [f"{self.name}_part{number}" for number in range(1, len(parts) + 1)]
        lines = [*self._functions(), f"const {self.name}_seam = new Float64Array({size});", ""]
        arguments = f"{self.arguments}, seam"
        for function, members in zip(names, parts, strict=True):
            lines += [f"function {function}({arguments}) {{", *self._part(members, slots), "}", ""]
        call = f"{self.arguments}, {self.name}_seam"
        calls = [f"  {function}({call});" for function in names]
        return "\n".join([*lines, *self._remarks(), head, *calls, *constant, "}", ""])

    def _remarks(self) -> list[str]:
        if self.compact:
            return []
        lines = ["/**", f" * {self.name}: straight-line code, SI units, double precision.", " *"]
        for names, blocks, role in (
            (self.inputs, self.program.inputs, "in"),
            (self.outputs, self.program.outputs, "out"),
        ):
            start = f" * @param {{{{Float64Array|number[]}}}} {{name}} {role}, size {{size}}"
            lines += remarks(names, blocks, self.labels, start, " *   [{i}] {label}")
        return [*lines, " *", " * Outputs must not overlap inputs. Nothing is allocated.", " */"]

    def _leaf(self, index: int) -> str:
        program = self.program
        if program.operation[index] == Op.CONSTANT:
            return literal(program.number[index], "float64")
        return f"{self.inputs[program.first[index]]}[{program.second[index]}]"

    def _functions(self) -> list[str]:
        """The routines of the program. Each remembers its last call: a program asks for its results one by one."""
        lines: list[str] = []
        for place, each in enumerate(self.routines):
            from sistel.kernels.subset import JS, text_of

            own = f"{self.name}_{place}"
            lines += [text_of(each.functions, f"{own}_", JS)]
            numbers = ",".join(literal(number, "float64").strip("()") for number in each.data)
            lines += [
                f"const {own} = (() => {{",
                f"  const data = Float64Array.of({numbers}), made = new Float64Array({each.gives});",
                f"  const given = new Float64Array({each.takes}).fill(NaN);",
                "  return (place, ...now) => {",
                "    let same = now.length > 0;",
                "    for (let i = 0; i < now.length; i++) {",
                "      if (given[i] !== now[i]) { given[i] = now[i]; same = false; }",
                "    }",
                f"    if (!same) {own}_{each.functions[0].__name__}(data, given, made);",
                "    return made[place];",
                "  };",
                "})();",
            ]
        return lines

    def _form(self, index: int) -> str:
        """How an operation is written."""
        program = self.program
        if program.operation[index] != Op.CALL:
            return _FORMS[program.operation[index]]
        place = self.routines.index(routine(program.number[program.second[index]]))
        given = "".join(f", {{{i}}}" for i in range(len(self._operands(index))))
        return f"{self.name}_{place}({int(program.number[program.third[index]])}{given})"

    def _operands(self, index: int) -> list[int]:
        program = self.program
        if program.operation[index] == Op.CALL:
            return arguments(program, index)
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

    def _counted(self, slots: dict[int, int]) -> list[int]:
        """How often the value of every line is asked for."""
        uses = [0] * len(self.program)
        for line, op in enumerate(self.program.operation):
            if op not in (Op.CONSTANT, Op.INPUT, Op.LIST):
                for operand in self._operands(line):
                    uses[operand] += 2 if op in (Op.MINIMUM, Op.MAXIMUM) else 1
        for line, targets in self.targets.items():
            uses[line] += len(targets)
        for line in slots:
            uses[line] += 1
        return uses

    def _part(self, members: list[int], slots: dict[int, int]) -> list[str]:
        if self.compact:
            return _Compact(self, members, slots).lines()
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
            formula = self._form(line).format(*(names[i] for i in self._operands(line)))
            lines.append(f"  const v{line} = {formula};")
            if line in slots:
                lines.append(f"  seam[{slots[line]}] = v{line};")
            lines += [f"  {target} = v{line};" for target in self.targets.get(line, ())]
        return lines


class _Compact:
    """One part of a program in few characters: what is needed once stands where it is needed, names are short.

    The operations and their order of rounding stay as they are.
    """

    LONGEST = 400
    """Characters of one formula: engines do not like deep ones."""

    def __init__(self, printer: _Printer, members: list[int], slots: dict[int, int]) -> None:
        self.printer, self.members, self.slots = printer, members, slots
        self.taken = {*printer.inputs, *printer.outputs, *_RESERVED}
        self.names: dict[int, str] = {}
        self.waiting: dict[int, tuple[str, int]] = {}
        """Formulas that wait for the one place in which they are needed, and how tightly each binds."""
        self.number = 0

    def lines(self) -> list[str]:
        """The statements."""
        printer, program, inside = self.printer, self.printer.program, set(self.members)
        made: list[str] = []
        declared: list[str] = []

        def settle() -> None:
            if declared:
                made.append(f"const {','.join(declared)};")
                declared.clear()

        for line in self.members:
            for operand in printer._operands(line):
                if operand in inside or operand in self.names:
                    continue
                if program.operation[operand] == Op.CONSTANT:
                    self.names[operand] = _number(program.number[operand])
                elif program.operation[operand] == Op.INPUT and printer._uses[operand] == 1:
                    self.names[operand] = printer._leaf(operand)
                else:
                    from_input = program.operation[operand] == Op.INPUT
                    text = printer._leaf(operand) if from_input else f"seam[{self.slots[operand]}]"
                    self.names[operand] = self._name()
                    declared.append(f"{self.names[operand]}={text}")
            formula, binding = self._formula(line)
            targets = [*printer.targets.get(line, ()), *([f"seam[{self.slots[line]}]"] if line in self.slots else ())]
            once = printer._uses[line] == 1
            if once and targets:
                settle()
                made.append(f"{targets[0]}={formula};")
            elif once and len(formula) <= self.LONGEST:
                self.waiting[line] = formula, binding
            else:
                self.names[line] = self._name()
                declared.append(f"{self.names[line]}={formula}")
                if targets:
                    settle()
                    made += [f"{target}={self.names[line]};" for target in targets]
        settle()
        return made

    def _name(self) -> str:
        while True:
            text, rest = "", self.number
            while True:
                text = _LETTERS[rest % len(_LETTERS)] + text
                rest = rest // len(_LETTERS) - 1
                if rest < 0:
                    break
            self.number += 1
            if text not in self.taken:
                return text

    def _formula(self, line: int) -> tuple[str, int]:
        """The formula of a line, and how tightly it binds."""
        op = self.printer.program.operation[line]
        operands = self.printer._operands(line)
        if op == Op.CALL:
            form, binding, sides = self.printer._form(line).replace(" ", ""), _ATOM, (_CALL,) * len(operands)
        else:
            form, binding, sides = _COMPACT.get(op, (_FORMS.get(op, "").replace(" ", ""), _LOOSE, (_CALL,) * 3))
        texts: list[str] = []
        for operand, least in zip(operands, sides, strict=False):
            text, own = self.waiting.pop(operand) if operand in self.waiting else (self.names[operand], _ATOM)
            if own == _ATOM and text.startswith("-"):
                own = _SIGN
            # Two signs in a row would be a decrement.
            doubled = op == Op.SUBTRACT and bool(texts) and text.startswith("-")
            texts.append(f"({text})" if own < least or doubled else text)
        return form.format(*texts), binding


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CALL, _LOOSE, _SUM, _PRODUCT, _SIGN, _ATOM = range(6)
"""How tightly formulas bind, from arguments of a function to names."""
_COMPACT: dict[int, tuple[str, int, tuple[int, ...]]] = {
    Op.ADD: ("{0}+{1}", _SUM, (_SUM, _PRODUCT)),
    Op.SUBTRACT: ("{0}-{1}", _SUM, (_SUM, _PRODUCT)),
    Op.MULTIPLY: ("{0}*{1}", _PRODUCT, (_PRODUCT, _SIGN)),
    Op.DIVIDE: ("{0}/{1}", _PRODUCT, (_PRODUCT, _SIGN)),
    Op.NEGATE: ("-{0}", _SIGN, (_ATOM,)),
    Op.SQRT: ("Math.sqrt({0})", _ATOM, (_CALL,)),
    Op.SIN: ("Math.sin({0})", _ATOM, (_CALL,)),
    Op.COS: ("Math.cos({0})", _ATOM, (_CALL,)),
    Op.ATAN2: ("Math.atan2({0},{1})", _ATOM, (_CALL, _CALL)),
    Op.ABSOLUTE: ("Math.abs({0})", _ATOM, (_CALL,)),
    Op.EXP: ("Math.exp({0})", _ATOM, (_CALL,)),
    Op.LOG: ("Math.log({0})", _ATOM, (_CALL,)),
    Op.FLOOR: ("Math.floor({0})", _ATOM, (_CALL,)),
    Op.MINIMUM: ("({1}<{0}||{1}!=={1})?{1}:{0}", _LOOSE, (_ATOM, _ATOM)),
    Op.MAXIMUM: ("({1}>{0}||{1}!=={1})?{1}:{0}", _LOOSE, (_ATOM, _ATOM)),
    Op.LESS: ("({0}<{1})?1:0", _LOOSE, (_SUM, _SUM)),
    Op.LESS_EQUAL: ("({0}<={1})?1:0", _LOOSE, (_SUM, _SUM)),
    Op.EQUAL: ("({0}==={1})?1:0", _LOOSE, (_SUM, _SUM)),
    Op.AND: ("({0}!==0&&{1}!==0)?1:0", _LOOSE, (_SUM, _SUM)),
    Op.OR: ("({0}!==0||{1}!==0)?1:0", _LOOSE, (_SUM, _SUM)),
    Op.NOT: ("({0}===0)?1:0", _LOOSE, (_SUM,)),
    Op.SELECT: ("({0}!==0)?{1}:{2}", _LOOSE, (_SUM, _SUM, _SUM)),
}


def _number(value: float) -> str:
    """A literal without what it can do without."""
    text = literal(value, "float64").strip("()")
    return text.removesuffix(".0")
