"""Maxima: the formulas as definitions, and a certificate that the reader's own copy of Maxima computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sistel.errors import Language, Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sym, symbols
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

_CONSTRAINT_CHECK = """\
/* {about} */
rate(f) := sum(diff(f, coordinates[j])*velocities[j] + diff(f, velocities[j])*accelerations[j], j, 1,
  length(coordinates)) + diff(f, {time})$
speeds: makelist(sum(constraint_jacobian[k][j]*velocities[j], j, 1, length(velocities)) + constraint_drift[k], k,
  {rows})$
velocity_residual: ratsimp(trigreduce(expand(map(rate, makelist(constraints[k], k, {rows})) - speeds)))$
acceleration_residual: ratsimp(trigreduce(expand(map(rate, speeds)
  - makelist(sum(constraint_jacobian[k][j]*accelerations[j], j, 1, length(accelerations)) + constraint_bias[k], k,
  {rows}))))$
print("velocity residual:", velocity_residual)$
print("acceleration residual:", acceleration_residual)$
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
    state = (s for key, s in equations.symbols.items() if key.block == "q")
    for symbol in (*equations.used(), *state, *equations.held()):
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
    if equations.constraints:
        lines += _held(equations, infix, listed, lang)
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
    return "\n".join([*lines, *_constraint_check(equations, lang)])


def _held(equations: Equations, infix: Infix, listed: Callable[[Sequence[Formula]], str], lang: Language) -> list[str]:
    """Definitions of what the structure holds."""
    rows = equations.constraints

    def matrix(entries: Sequence[Sequence[Formula]]) -> str:
        inner = ",\n  ".join("[" + ", ".join(map(infix.write, row)) + "]" for row in entries)
        return f"matrix({inner})"

    names = ", ".join(equations.symbols[Sym("lambda", k)].text for k in range(len(rows)))
    order = "; ".join(f"{k + 1} {one.link} {one.part}" for k, one in enumerate(rows))
    says = Text(
        "Constraints: constraints = 0, constraint_jacobian . accelerations + constraint_bias = 0,",
        "Связи: constraints = 0, constraint_jacobian . accelerations + constraint_bias = 0,",
    )
    lines = [
        f"/* {says.say(lang)} */",
        "/* motion = driving_forces + applied_forces + constraint_forces. */",
        f"/* {_comment(order)} */",
        f"multipliers: [{names}]$",
        f"constraints: {listed([one.position or ZERO for one in rows])}$",
        f"constraint_jacobian: {matrix([one.jacobian for one in rows])}$",
        f"constraint_drift: {listed([one.drift for one in rows])}$",
        f"constraint_bias: {listed([one.bias for one in rows])}$",
    ]
    if any(one.drag is not None for one in rows):
        drag = [one.drag or (ZERO,) * len(one.jacobian) for one in rows]
        lines.append(f"friction_jacobian: {matrix(drag)}$")
    lines.append(f"constraint_forces: {listed(equations.constraint_forces())}$")
    lines.append("driving_forces: driving_forces - constraint_forces$")
    for place, link in enumerate(equations.links):
        lines.append(f"/* {_comment(link.name)}: {_comment(link.about.say(lang))} */")
        parts = ",\n  ".join(f"{name} = {infix.write(formula)}" for name, formula in link.components)
        lines.append(f"link_reaction_{place + 1}: [{parts}]$")
    return [*lines, ""]


def _constraint_check(equations: Equations, lang: Language) -> list[str]:
    """A certificate of the constraints, where formulas have no named parts and hold everywhere."""
    named = {key for key, _ in equations.lines}
    exact = [
        k + 1
        for k, one in enumerate(equations.constraints)
        if one.exact
        and one.position is not None
        and not any(symbols(x) & named for x in (one.position, *one.jacobian, one.drift, one.bias))
    ]
    if not exact or equations.model.nq != equations.model.nv:
        return []
    about = Text(
        "Derivatives of the constraints with time minus their Jacobian and bias: all must be 0.",
        "Производные связей по времени минус то, что дают матрица Якоби и γ: всё должно быть 0.",
    )
    return [_CONSTRAINT_CHECK.format(about=about.say(lang), rows=exact, time=equations.symbols[Sym("t", 0)].text)]


def _comment(text: str) -> str:
    """A text that neither ends a comment nor opens another one."""
    return printable(text).replace("*/", "* /").replace("/*", "/ *")
