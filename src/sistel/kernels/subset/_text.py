"""Functions of the subset as text of other languages: JavaScript for pages, C for people to take elsewhere.

What is translated is a part of the subset: no records, no pointers to functions, and whole numbers that stay below 2⁵³
(in bitwise operations: from 0 to 2³² − 1), for JavaScript has no others.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Final

from sistel.kernels.subset._signature import Signature, annotation, signature
from sistel.kernels.subset._source import Source, parse, read_source
from sistel.kernels.subset._types import BOOL, FLOAT, INT, NONE, Kind, shift

_SIGNS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
_ROUNDED: Final = {math.floor: "floor", math.ceil: "ceil", math.trunc: "trunc"}
_TESTS: Final = {math.isnan: "isnan", math.isinf: "isinf", math.isfinite: "isfinite"}
_SAME: Final = {
    getattr(math, name): name
    for name in (
        *(
            "acos",
            "asin",
            "atan",
            "atan2",
            "cos",
            "cosh",
            "exp",
            "expm1",
            "hypot",
            "log",
            "log1p",
            "pow",
            "sin",
            "sinh",
        ),
        *("sqrt", "tan", "tanh"),
    )
}


@dataclass(frozen=True, slots=True)
class Language:
    """How a language says what differs."""

    equal: str
    unequal: str
    helpers: dict[str, str]
    """What the functions below call, by their names; {p} stands for what names begin with."""
    kinds: dict[str, str]
    """Of variables, by kinds of the subset."""
    mathematics: str
    """Before the names of mathematical functions."""
    absolute: dict[str, str]
    """Of floats and of ints."""
    real: str
    whole: str
    """How an int becomes a float, and a float an int."""
    tests: dict[str, str]
    remainder: str
    bits: str
    """A bitwise operation of two whole numbers."""
    part: str
    """Memory from an offset on."""
    head: str
    """Of a function."""
    parameter: str


JS: Final = Language(
    equal="===",
    unequal="!==",
    helpers={
        "min": "const {p}min = (a, b) => b < a ? b : a;",
        "max": "const {p}max = (a, b) => b > a ? b : a;",
        "quotient": "const {p}quotient = (a, b) => Math.floor(a / b);",
        "rest": "const {p}rest = (a, b) => (a % b + b) % b;",
        "copysign": "const {p}copysign = (a, b) => b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a);",
    },
    kinds={"float": "let ", "int": "let ", "bool": "let ", "Floats": "let ", "Ints": "let "},
    mathematics="Math.",
    absolute={"float": "Math.abs", "int": "Math.abs"},
    real="{0}",
    whole="Math.trunc({0})",
    tests={"isnan": "Number.isNaN({0})", "isinf": "(Math.abs({0}) === Infinity)", "isfinite": "Number.isFinite({0})"},
    remainder="({0} % {1})",
    bits="(({0} {2} {1}) >>> 0)",
    part="{0}.subarray({1})",
    head="function {name}({parameters}) {{",
    parameter="{name}",
)
C: Final = Language(
    equal="==",
    unequal="!=",
    helpers={
        "min": "static double {p}min(double a, double b) {{ return b < a ? b : a; }}",
        "max": "static double {p}max(double a, double b) {{ return b > a ? b : a; }}",
        "quotient": (
            "static int64_t {p}quotient(int64_t a, int64_t b)\n"
            "{{\n    const int64_t q = a / b;\n    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;\n}}"
        ),
        "rest": (
            "static int64_t {p}rest(int64_t a, int64_t b)\n"
            "{{\n    const int64_t r = a % b;\n    return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;\n}}"
        ),
        "copysign": "",
    },
    kinds={
        "float": "double ",
        "int": "int64_t ",
        "bool": "int ",
        "Floats": "double *",
        "Ints": "int64_t *",
        "None": "void ",
    },
    mathematics="",
    absolute={"float": "fabs", "int": "llabs"},
    real="(double)({0})",
    whole="(int64_t)({0})",
    tests={"isnan": "isnan({0})", "isinf": "isinf({0})", "isfinite": "isfinite({0})"},
    remainder="fmod({0}, {1})",
    bits="({0} {2} {1})",
    part="({0} + {1})",
    head="static {result}{name}({parameters})\n{{",
    parameter="{kind}{name}",
)


def text_of(functions: Sequence[object], prefix: str, language: Language) -> str:
    """The functions as text, those that are called before those that call them; their names begin with a prefix."""
    sources = [read_source(function) for function in functions]
    trees = [parse(source) for source in sources]
    known = {source.function: signature(source, tree) for source, tree in zip(sources, trees, strict=True)}
    used: set[str] = set()
    parts: dict[FunctionType, str] = {}
    needs: dict[FunctionType, set[FunctionType]] = {}
    for source, tree in zip(sources, trees, strict=True):
        body = _Body(source, known, prefix, language)
        parts[source.function] = body.text(tree)
        needs[source.function] = body.calls - {source.function}
        used |= body.used
    ordered: dict[FunctionType, str] = {}

    def visit(function: FunctionType) -> None:
        if function not in ordered:
            for other in sorted(needs[function], key=lambda one: one.__name__):
                visit(other)
            ordered[function] = parts[function]

    for function in parts:
        visit(function)
    helpers = [language.helpers[name].format(p=prefix) for name in sorted(used)]
    return "\n".join([*(helper for helper in helpers if helper), *ordered.values()])


class _Body:
    """One function."""

    def __init__(self, source: Source, known: dict[FunctionType, Signature], prefix: str, language: Language) -> None:
        self.source, self.known, self.prefix, self.language = source, known, prefix, language
        self.kinds: dict[str, Kind] = {}
        self.used: set[str] = set()
        self.calls: set[FunctionType] = set()
        self.lines: list[str] = []
        self.counters = 0

    def text(self, tree: ast.FunctionDef) -> str:
        of, say = self.known[self.source.function], self.language
        for name, kind in zip(of.names, of.parameters, strict=True):
            if kind.fields or kind.result is not None:
                raise self.source.error(tree, f"{kind.name} has no other language")
            self.kinds[name] = kind
        given = set(self.kinds)
        self.block(tree.body, 1)
        parameters = [say.parameter.format(kind=say.kinds[self.kinds[n].name], name=_word(n)) for n in of.names]
        result = say.kinds.get(of.result.name, "")
        head = say.head.format(name=self.prefix + tree.name, parameters=", ".join(parameters), result=result)
        variables = [
            f"    {say.kinds[kind.name]}{_word(name)};" for name, kind in self.kinds.items() if name not in given
        ]
        # Compilers of C ask whether it was meant that something is not used.
        idle = [f"    (void){_word(name)};" for name in of.names if self.language is C]
        return "\n".join([head, *variables, *idle, *self.lines, "}"])

    # --- statements --------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[ast.stmt], depth: int) -> None:
        for each in statements:
            self.statement(each, depth)

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def statement(self, node: ast.stmt, depth: int) -> None:
        match node:
            case ast.Assign(targets=[target]):
                self.assign(target, *self.value(node.value), depth)
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                self.kinds[name] = annotation(self.source, node.annotation)
                if value is not None:
                    self.assign(node.target, *self.value(value), depth)
            case ast.AugAssign():
                changed = ast.copy_location(ast.BinOp(_read(node.target), node.op, node.value), node)
                self.assign(node.target, *self.value(changed), depth)
            case ast.If():
                self.put(depth, f"if ({self.value(node.test)[0]}) {{")
                self.block(node.body, depth + 1)
                if node.orelse:
                    self.put(depth, "} else {")
                    self.block(node.orelse, depth + 1)
                self.put(depth, "}")
            case ast.While():
                self.put(depth, f"while ({self.value(node.test)[0]}) {{")
                self.block(node.body, depth + 1)
                self.put(depth, "}")
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds)):
                self.loop(name, bounds, node, depth)
            case ast.Break():
                self.put(depth, "break;")
            case ast.Continue():
                self.put(depth, "continue;")
            case ast.Return(value=None) | ast.Return(value=ast.Constant(value=None)):
                self.put(depth, "return;")
            case ast.Return(value=ast.expr() as value):
                self.put(depth, f"return {self.value(value)[0]};")
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr():
                self.put(depth, f"{self.value(node.value)[0]};")
            case _:
                raise self.source.error(node, "this has no other language")

    def assign(self, target: ast.expr, value: str, kind: Kind, depth: int) -> None:
        if isinstance(target, ast.Name):
            self.kinds.setdefault(target.id, kind)
            self.put(depth, f"{_word(target.id)} = {value};")
        else:
            self.put(depth, f"{self.value(_read(target))[0]} = {value};")

    def loop(self, name: str, bounds: list[ast.expr], node: ast.For, depth: int) -> None:
        texts = [self.value(each)[0] for each in bounds]
        first, last = ("0", texts[0]) if len(texts) == 1 else texts[:2]
        step = int(ast.literal_eval(bounds[2])) if len(bounds) > 2 else 1
        self.kinds.setdefault(name, INT)
        self.counters += 1
        at, end = f"at{self.counters}_", f"end{self.counters}_"
        declared = self.language.kinds["int"]
        less = "<" if step > 0 else ">"
        # The variable may be changed meanwhile, which does not move the loop.
        self.put(depth, f"for ({declared}{at} = {first}, {end} = {last}; {at} {less} {end}; {at} += {step}) {{")
        self.put(depth + 1, f"{_word(name)} = {at};{f' (void){_word(name)};' * (self.language is C)}")
        self.block(node.body, depth + 1)
        self.put(depth, "}")

    # --- expressions -------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> tuple[str, Kind]:
        """The text of an expression, in brackets where it has parts; and its kind."""
        say = self.language
        match node:
            case ast.Name(id=name) if name in self.kinds:
                return _word(name), self.kinds[name]
            case ast.Constant() | ast.Name() | ast.Attribute():
                number = node.value if isinstance(node, ast.Constant) else self.source.resolve(node)
                return self.number(node, number)
            case ast.UnaryOp(op=ast.Not()):
                return f"!({self.value(node.operand)[0]})", BOOL
            case ast.UnaryOp():
                text, kind = self.value(node.operand)
                return (f"(-{text})" if isinstance(node.op, ast.USub) else text), kind
            case ast.BoolOp():
                sign = f" {_SIGNS[type(node.op)]} "
                return f"({sign.join(self.value(each)[0] for each in node.values)})", BOOL
            case ast.Compare():
                return self.compare(node), BOOL
            case ast.IfExp():
                (yes, kind), (no, _) = self.value(node.body), self.value(node.orelse)
                return f"({self.value(node.test)[0]} ? {yes} : {no})", kind
            case ast.Subscript():
                array, kind = self.value(node.value)
                return f"{array}[{self.value(node.slice)[0]}]", kind.item
            case ast.BinOp():
                return self.binary(node)
            case ast.Call():
                return self.call(node)
        raise self.source.error(node, f"this has no other language: {ast.unparse(node)}; {say.equal}")

    def number(self, node: ast.AST, number: object) -> tuple[str, Kind]:
        if isinstance(number, bool):
            return ("1" if number else "0"), BOOL
        if isinstance(number, int):
            return (str(number) if number >= 0 else f"({number})"), INT
        if isinstance(number, float) and math.isfinite(number):
            return (repr(number) if number >= 0 else f"({number!r})"), FLOAT
        if isinstance(number, float) and math.isinf(number):
            word = "Infinity" if self.language is JS else "INFINITY"
            return (word if number > 0 else f"(-{word})"), FLOAT
        raise self.source.error(node, "no number")

    def compare(self, node: ast.Compare) -> str:
        sides = [self.value(each)[0] for each in (node.left, *node.comparators)]
        signs = {ast.Eq: self.language.equal, ast.NotEq: self.language.unequal} | _SIGNS
        parts = [f"{a} {signs[type(op)]} {b}" for a, op, b in zip(sides, node.ops, sides[1:], strict=False)]
        return "(" + " && ".join(parts) + ")"

    def binary(self, node: ast.BinOp) -> tuple[str, Kind]:
        (a, kind_a), (b, kind_b) = self.value(node.left), self.value(node.right)
        kind = INT if kind_a == kind_b == INT else FLOAT
        match node.op:
            case ast.Pow():
                times = node.right.value if isinstance(node.right, ast.Constant) else 0
                if not (isinstance(node.left, ast.Name) and isinstance(times, int) and 1 <= times <= 3):
                    raise self.source.error(node, "powers of a variable from 1 to 3 have other languages")
                return "(" + " * ".join([a] * times) + ")", kind_a
            case ast.Div():
                return f"({self.real(a, kind_a)} / {self.real(b, kind_b)})", FLOAT
            case ast.FloorDiv() | ast.Mod() if kind == INT:
                return f"{self.helper('quotient' if isinstance(node.op, ast.FloorDiv) else 'rest')}({a}, {b})", INT
            case ast.BitXor() | ast.BitAnd() | ast.BitOr():
                return self.language.bits.format(a, b, _SIGNS[type(node.op)]), INT
            case ast.Add() | ast.Sub() | ast.Mult():
                return f"({a} {_SIGNS[type(node.op)]} {b})", kind
        raise self.source.error(node, "this operation has no other language")

    def real(self, text: str, kind: Kind) -> str:
        return self.language.real.format(text) if kind == INT else text

    def helper(self, name: str) -> str:
        self.used.add(name)
        return self.prefix + name

    def call(self, node: ast.Call) -> tuple[str, Kind]:
        callee: object = self.source.resolve(node.func)
        given = [self.value(each) for each in node.args]
        texts = [text for text, _ in given]
        if isinstance(callee, FunctionType) and callee in self.known:
            self.calls.add(callee)
            result = self.known[callee].result
            return f"{self.prefix}{callee.__name__}({', '.join(texts)})", result if result != NONE else FLOAT
        handler = _CALLS.get(callee)
        if handler is not None:
            return handler(self, texts, given[0][1])
        say = self.language
        if callee in _SAME:
            reals = [self.real(text, kind) for text, kind in given]
            return f"{say.mathematics}{_SAME[callee]}({', '.join(reals)})", FLOAT
        if callee in _ROUNDED:
            if given[0][1] == INT:
                return texts[0], INT
            return say.whole.format(f"{say.mathematics}{_ROUNDED[callee]}({texts[0]})"), INT
        if callee in _TESTS:
            return say.tests[_TESTS[callee]].format(texts[0]), BOOL
        raise self.source.error(node, f"this has no other language: {ast.unparse(node.func)}")


def _extreme(name: str) -> Callable[[_Body, list[str], Kind], tuple[str, Kind]]:
    def handler(body: _Body, texts: list[str], kind: Kind) -> tuple[str, Kind]:
        found = texts[0]
        for each in texts[1:]:
            found = f"{body.helper(name)}({found}, {each})"
        return (body.language.whole.format(found) if kind == INT and body.language is C else found), kind

    return handler


def _copysign(body: _Body, texts: list[str], kind: Kind) -> tuple[str, Kind]:
    name = body.helper("copysign") if body.language is JS else "copysign"
    return f"{name}({texts[0]}, {texts[1]})", FLOAT


_CALLS: Final[dict[object, Callable[[_Body, list[str], Kind], tuple[str, Kind]]]] = {
    min: _extreme("min"),
    max: _extreme("max"),
    abs: lambda body, texts, kind: (f"{body.language.absolute[kind.name]}({texts[0]})", kind),
    math.fabs: lambda body, texts, kind: (f"{body.language.absolute['float']}({texts[0]})", FLOAT),
    float: lambda body, texts, kind: (body.language.real.format(texts[0]), FLOAT),
    int: lambda body, texts, kind: (body.language.whole.format(texts[0]), INT),
    shift: lambda body, texts, kind: (body.language.part.format(*texts), kind),
    math.fmod: lambda body, texts, kind: (body.language.remainder.format(*texts), FLOAT),
    math.copysign: _copysign,
}


def _read(target: ast.expr) -> ast.expr:
    """What is assigned, as it is read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    assert isinstance(target, ast.Subscript)
    return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)


def _word(name: str) -> str:
    """A name that no language takes for itself."""
    return f"{name}_"
