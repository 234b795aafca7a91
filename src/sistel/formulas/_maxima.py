"""Maxima: the formulas as definitions, and a certificate that the reader's own copy of Maxima computes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sistel.errors import Language, Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sym
from sistel.formulas._infix import Infix
from sistel.formulas._poly import fraction
from sistel.formulas._symbols import printable

_FUNCTIONS = {
    **{
        name: f"{name}({{all}})" for name in ("sin", "cos", "sqrt", "atan2", "min", "max", "abs", "exp", "log", "floor")
    },
    "sign": "signum({0})",
    "less": "(if {0} < {1} then 1 else 0)",
    "less_equal": "(if {0} <= {1} then 1 else 0)",
    "equal": "(if equal({0}, {1}) then 1 else 0)",
    "and": "(if notequal({0}, 0) and notequal({1}, 0) then 1 else 0)",
    "or": "(if notequal({0}, 0) or notequal({1}, 0) then 1 else 0)",
    "not": "(if equal({0}, 0) then 1 else 0)",
    "select": "(if notequal({0}, 0) then {1} else {2})",
}

_CHECK = """\
/* {lagrange} */
residual: block([n: length(coordinates)],
  makelist(ratsimp(trigreduce(expand(
      sum(diff(diff(kinetic_energy, velocities[i]), coordinates[j])*velocities[j]
        + diff(diff(kinetic_energy, velocities[i]), velocities[j])*accelerations[j], j, 1, n)
      - diff(kinetic_energy, coordinates[i]) + diff(potential_energy, coordinates[i]) - motion[i]))), i, 1, n))$
print("residual:", residual)$
"""


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def to_maxima(equations: Equations, *, lang: Language) -> str:
    """The text of a file for Maxima."""
    model = equations.model
    infix = Infix("^", _number, _FUNCTIONS, lambda key: equations.symbols[key].text, False)

    def listed(formulas: Sequence[Formula]) -> str:
        return "[" + ",\n  ".join(infix.write(formula) for formula in formulas) + "]"

    def names(block: str, count: int) -> str:
        return "[" + ", ".join(equations.symbols[Sym(block, i)].text for i in range(count)) + "]"

    title = Text("equations of motion, SI units", "уравнения движения, единицы СИ").say(lang)
    lines = [f"/* {_comment(model.name)}: {title}. */"]
    for symbol in (*equations.used(), *(s for key, s in equations.symbols.items() if key.block == "q")):
        unit = f" [{symbol.unit.say(lang)}]" if symbol.unit.en else ""
        lines.append(f"/* {symbol.text}: {_comment(symbol.about.say(lang)) or '—'}{unit} */")
    lines += [f"/* {_comment(note.say(lang))} */" for note in equations.notes]
    lines += ["", "ratprint: false$"]
    lines += [
        f"coordinates: {names('q', model.nq)}$",
        f"velocities: {names('v', model.nv)}$",
        f"accelerations: {names('a', model.nv)}$",
        "",
    ]
    given = [symbol for symbol in equations.used() if all(key != symbol.key for key, _ in equations.definitions)]
    values = ", ".join(f"{symbol.text} = {_number(fraction(symbol.value or 0.0))}" for symbol in given)
    lines.append(f"parameter_values: [{values}]$")
    for title_, pairs in (("definitions", equations.definitions), ("intermediate", equations.lines)):
        if pairs:
            rows = ",\n  ".join(f"{equations.symbols[key].text} = {infix.write(formula)}" for key, formula in pairs)
            lines.append(f"{title_}: [{rows}]$")
    rows = ",\n  ".join("[" + ", ".join(infix.write(entry) for entry in row) + "]" for row in equations.mass)
    lines += [
        "",
        f"mass_matrix: matrix({rows})$",
        f"coriolis_forces: {listed(equations.coriolis)}$",
        f"gravity_forces: {listed(equations.gravity)}$",
        f"motion: {listed(equations.motion)}$",
    ]
    if any(formula != ZERO for formula in equations.applied):
        lines += [f"applied_forces: {listed(equations.applied)}$", "driving_forces: motion - applied_forces$"]
    else:
        lines.append("driving_forces: motion$")
    lines += [
        f"kinetic_energy: {infix.write(equations.kinetic)}$",
        f"potential_energy: {infix.write(equations.potential)}$",
        "",
    ]
    for load in equations.loads:
        lines.append(f"/* {_comment(load.name)} */")
        rows = ",\n  ".join(f"{name} = {infix.write(formula)}" for name, formula in load.components)
        lines.append(f"reaction_{load.body}: [{rows}]$")
    lines.append("")
    if not equations.lines and model.nq == model.nv:
        lagrange = Text(
            "Lagrange's equations of the energies minus the equations above: all must be 0.",
            "Уравнения Лагранжа по энергиям минус уравнения выше: всё должно быть 0.",
        )
        lines.append(_CHECK.format(lagrange=lagrange.say(lang)))
    return "\n".join(lines)


def _comment(text: str) -> str:
    """A text that neither ends a comment nor opens another one."""
    return printable(text).replace("*/", "* /").replace("/*", "/ *")
