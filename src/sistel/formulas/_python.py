"""Python: a module of plain functions that needs nothing but `math`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sistel.errors import Language, Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sym, symbols
from sistel.formulas._infix import Infix
from sistel.formulas._numbers import as_fraction
from sistel.formulas._python_held import held_functions
from sistel.formulas._symbols import Symbol, printable

_FUNCTIONS = {
    **{name: f"math.{name}({{all}})" for name in ("sin", "cos", "sqrt", "atan2", "exp", "log", "floor")},
    "min": "min({all})",
    "max": "max({all})",
    "abs": "abs({0})",
    "sign": "(math.copysign(1.0, {0}) if {0} else 0.0)",
    "less": "float({0} < {1})",
    "less_equal": "float({0} <= {1})",
    "equal": "float({0} == {1})",
    "and": "float({0} != 0 and {1} != 0)",
    "or": "float({0} != 0 or {1} != 0)",
    "not": "float({0} == 0)",
    "select": "({1} if {0} else {2})",
}
_STATE = (
    ("q", "coordinates"),
    ("v", "velocities"),
    ("a", "accelerations"),
    ("lambda", "multipliers"),
    ("h", "anchors"),
)


def _number(value: Fraction) -> str:
    if value.denominator == 1 and value < 10**15:
        return str(value.numerator)
    return repr(float(value)) if as_fraction(value, bare=True) is None else f"{value.numerator}/{value.denominator}"


def to_python(equations: Equations, *, lang: Language) -> str:
    """The text of a module."""
    return _Module(equations, lang).text()


class _Module:
    def __init__(self, equations: Equations, lang: Language) -> None:
        self.equations, self.lang = equations, lang
        self.infix = Infix("**", _number, _FUNCTIONS, lambda key: equations.symbols[key].text, True)
        self.defined = dict((*equations.definitions, *equations.lines))
        self.made: dict[str, list[str]] = {}
        """Arguments of the functions so far."""

    def say(self, en: str, ru: str) -> str:
        return Text(en, ru).say(self.lang)

    def text(self) -> str:
        equations, say = self.equations, self.say
        title = _comment(equations.model.name)
        head = [f'"""{title}: {say("equations of motion, SI units", "уравнения движения, единицы СИ")}.', ""]
        head += [f"{_comment(note.say(self.lang))}" for note in equations.notes]
        for key, symbol in equations.symbols.items():
            if key.block == "q":
                head.append(self.described(symbol))
        head += [self.described(symbol) for symbol in equations.held()]
        head += ['"""', "", "import math", "", "PARAMETERS = {"]
        for symbol in equations.used():
            if symbol.key not in self.defined:
                about = _comment(" ".join(x for x in (symbol.about.say(self.lang), symbol.unit.say(self.lang)) if x))
                head.append(f'    "{symbol.text}": {symbol.value!r},' + (f"  # {about}" if about else ""))
        head.append("}")
        mass = (
            "["
            + ",\n            ".join("[" + ", ".join(map(self.infix.write, row)) + "]" for row in equations.mass)
            + "]"
        )
        loads = [formula for load in equations.loads for _, formula in load.components]
        rows = ",\n            ".join(
            f'"{_comment(load.name)}": {{'
            + ", ".join(f'"{name}": {self.infix.write(formula)}' for name, formula in load.components)
            + "}"
            for load in equations.loads
        )
        reactions = "{" + rows + "}"
        flat = [entry for row in equations.mass for entry in row]
        pushes = equations.constraint_forces()
        driving = [
            self.infix.write(left) + "".join(f" - ({self.infix.write(force)})" for force in forces if force != ZERO)
            for left, *forces in zip(equations.motion, equations.applied, pushes, strict=True)
        ]
        more = ("lambda",) if equations.constraints else ()
        parts = [
            self.function("mass_matrix", ("q",), flat, mass, say("Mass matrix.", "Матрица масс.")),
            self.function(
                "coriolis_forces",
                ("q", "v"),
                equations.coriolis,
                self.listed(equations.coriolis),
                say("Forces of products of velocities.", "Силы от произведений скоростей."),
            ),
            self.function(
                "gravity_forces",
                ("q",),
                equations.gravity,
                self.listed(equations.gravity),
                say("Forces against weight.", "Силы против тяжести."),
            ),
            self.function(
                "inverse_dynamics",
                ("q", "v", "a", *more),
                (*equations.motion, *equations.applied, *pushes),
                _list(driving),
                say("Driving forces of given accelerations.", "Движущие силы по ускорениям."),
            ),
            self.function(
                "reactions",
                ("q", "v", "a", *more),
                loads,
                reactions,
                say("Loads of the joints on the bodies.", "Реакции сочленений на тела."),
            ),
            self.function(
                "energies",
                ("q", "v"),
                (equations.kinetic, equations.potential),
                f"({self.infix.write(equations.kinetic)}, {self.infix.write(equations.potential)})",
                say("Kinetic energy, and potential of weight.", "Кинетическая энергия и потенциальная силы тяжести."),
            ),
        ]
        if equations.constraints:
            parts += held_functions(equations, self.infix.write, self.function, self.called, say, _comment)
        return "\n".join(head) + "\n\n\n" + "\n\n\n".join(parts) + "\n"

    def described(self, symbol: Symbol) -> str:
        """A symbol, what it is and its unit, in one line."""
        unit = f" [{symbol.unit.say(self.lang)}]" if symbol.unit.en else ""
        return f"{symbol.text}: {_comment(symbol.about.say(self.lang))}{unit}"

    def called(self, name: str, blocks: Sequence[str]) -> str:
        """A call of a function that is there, with what it takes."""
        words = dict(_STATE)
        given = [words[block] for block in blocks]
        given += [f"{other[:-4]}={other[:-4]}" for other in self.made.get(name, ()) if other.endswith("=0.0")]
        return f"{name}({', '.join([*given, 'parameters=parameters'])})"

    def listed(self, formulas: Sequence[Formula]) -> str:
        return _list([self.infix.write(formula) for formula in formulas])

    def function(self, name: str, state: Sequence[str], formulas: Sequence[Formula], result: str, about: str) -> str:
        """A function with what its formulas need, and no more."""
        needed: set[Sym] = set()
        for formula in formulas:
            needed |= symbols(formula)
        lines: list[str] = []
        for key, formula in reversed(list(self.defined.items())):
            if key in needed:
                needed |= symbols(formula)
                lines.append(f"    {self.equations.symbols[key].text} = {self.infix.write(formula)}")
        arguments = [word for block, word in _STATE if block in state]
        if "a" in state and "lambda" in state:
            arguments[-1] += f"=(0.0,) * {len(self.equations.constraints)}"
        timed = any(key.block == "t" for key in needed)
        if timed:
            arguments.append(self.equations.symbols[Sym("t", 0)].text + "=0.0")
        self.made[name] = arguments
        head = [f"def {name}({', '.join(arguments)}, parameters=PARAMETERS):", f'    """{about}"""']
        for key in sorted(needed, key=lambda key: key.place):
            if key.block == "p" and key not in self.defined:
                text = self.equations.symbols[key].text
                head.append(f'    {text} = parameters["{text}"]')
        for block, word in _STATE:
            taken = sorted(key.place for key in needed if key.block == block)
            head += [f"    {self.equations.symbols[Sym(block, i)].text} = {word}[{i}]" for i in taken]
        return "\n".join([*head, *reversed(lines), f"    return {result}"])


def _list(texts: Sequence[str]) -> str:
    return "[" + ",\n            ".join(texts) + "]"


def _comment(text: str) -> str:
    """A text that ends no string and no line."""
    return printable(text).replace("\\", "/").replace('"', "'")
