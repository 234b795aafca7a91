"""Python for structures with constraints: the functions beside those of the tree, and a solver of linear equations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sistel.errors import Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sym

Maker = Callable[[str, Sequence[str], Sequence[Formula], str, str], str]
"""Writes a function from its name, the blocks that it takes, formulas, result and description."""

SOLVER = '''\
def solve(matrix, right):
    """{about}"""
    rows = [[*row, x] for row, x in zip(matrix, right)]
    count = len(rows)
    for i in range(count):
        best = max(range(i, count), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for row in rows[i + 1 :]:
            factor = row[i] / rows[i][i]
            if factor:
                for j in range(i, count + 1):
                    row[j] -= factor * rows[i][j]
    found = [0.0] * count
    for i in reversed(range(count)):
        found[i] = (rows[i][count] - sum(rows[i][j] * found[j] for j in range(i + 1, count))) / rows[i][i]
    return found'''


def held_functions(
    equations: Equations,
    write: Callable[[Formula], str],
    function: Maker,
    called: Callable[[str, Sequence[str]], str],
    say: Callable[[str, str], str],
    comment: Callable[[str], str],
) -> list[str]:
    """The functions of a structure's constraints.

    Args:
        equations: What to write.
        write: The text of a formula.
        function: Writes a function.
        called: A call of a function that was written before, with the arguments that it has.
        say: Chooses the language.
        comment: Makes a text fit for a string.
    """
    rows = equations.constraints

    def listed(formulas: Sequence[Formula]) -> str:
        return "[" + ",\n            ".join(map(write, formulas)) + "]"

    def matrix(entries: Sequence[Sequence[Formula]]) -> str:
        return "[" + ",\n            ".join("[" + ", ".join(map(write, row)) + "]" for row in entries) + "]"

    def flat(entries: Sequence[Sequence[Formula]]) -> list[Formula]:
        return [entry for row in entries for entry in row]

    made = []
    if equations.anchors:
        now = [formula for _, formula in equations.anchors]
        about = say(
            "What links that hold a place find at coordinates at which they begin to hold.",
            "Что находят связи, удерживающие место, при координатах начала удержания.",
        )
        made.append(function("anchors", ("q",), now, listed(now), about))
    positions = [one.position or ZERO for one in rows]
    state = ("q", "h") if equations.anchors else ("q",)
    about = say("How far the constraints are from being met.", "Невязки уравнений связей.")
    made.append(function("constraint_errors", state, positions, listed(positions), about))
    jacobian = [one.jacobian for one in rows]
    about = say("Jacobian of the constraints.", "Матрица Якоби связей.")
    made.append(function("constraint_jacobian", ("q",), flat(jacobian), matrix(jacobian), about))
    if any(one.drift != ZERO for one in rows):
        drift = [one.drift for one in rows]
        about = say("Rates of the constraints with time alone.", "Скорости связей от одного лишь времени.")
        made.append(function("constraint_drift", ("q",), drift, listed(drift), about))
    bias = [one.bias for one in rows]
    about = say("The derivative of the Jacobian times the velocities.", "Производная матрицы Якоби на скорости.")
    made.append(function("constraint_bias", ("q", "v"), bias, listed(bias), about))
    nothing = (ZERO,) * len(equations.motion)
    if any(one.drag is not None for one in rows):
        drag = [one.drag or nothing for one in rows]
        about = say("Sliding friction for unit normal forces.", "Трение скольжения при единичных нормальных силах.")
        made.append(function("friction_jacobian", ("q", "v"), flat(drag), matrix(drag), about))
    body = ",\n            ".join(
        f'"{comment(link.name)}": {{' + ", ".join(f'"{name}": {write(x)}' for name, x in link.components) + "}"
        for link in equations.links
    )
    loads = [formula for link in equations.links for _, formula in link.components]
    about = say("Reactions of the links.", "Реакции связей.")
    made.append(function("link_reactions", ("q", "v", "lambda"), loads, "{" + body + "}", about))
    about = say("Solution of linear equations, by elimination.", "Решение линейных уравнений исключением.")
    made.append(SOLVER.format(about=about))
    made.append(_forward(equations, called, say))
    return made


def _forward(equations: Equations, called: Callable[[str, Sequence[str]], str], say: Callable[[str, str], str]) -> str:
    """Accelerations and multipliers, from the functions above."""
    rows = equations.constraints
    kept = [k for k, one in enumerate(rows) if not one.redundant]
    about = Text(
        "Accelerations and multipliers under driving forces; multipliers of redundant constraints are 0.",
        "Ускорения и множители при движущих силах; множители избыточных связей равны 0.",
    )
    timed = _time_argument(equations, called)
    lines = [
        f"def forward_dynamics(coordinates, velocities, forces, {timed}parameters=PARAMETERS):",
        f'    """{say(about.en, about.ru)}"""',
        "    count = len(velocities)",
        "    accelerations, multipliers = [0.0] * count, [0.0] * " + str(len(rows)),
        f"    mass = {called('mass_matrix', ('q',))}",
        f"    jacobian = {called('constraint_jacobian', ('q',))}",
    ]
    shares = "jacobian[k][i]"
    if any(one.drag is not None for one in rows):
        lines.append(f"    friction = {called('friction_jacobian', ('q', 'v'))}")
        shares = "jacobian[k][i] + friction[k][i]"
    lines += [
        f"    bias = {called('constraint_bias', ('q', 'v'))}",
        f"    needed = {called('inverse_dynamics', ('q', 'v', 'a', 'lambda'))}",
        f"    kept = {kept}",
        f"    matrix = [[*mass[i], *(-({shares}) for k in kept)] for i in range(count)]",
        "    matrix += [[*jacobian[k], *(0.0 for _ in kept)] for k in kept]",
        "    right = [force - other for force, other in zip(forces, needed)] + [-bias[k] for k in kept]",
        "    found = solve(matrix, right)",
        "    for k, multiplier in zip(kept, found[count:]):",
        "        multipliers[k] = multiplier",
        "    return found[:count], multipliers",
    ]
    return "\n".join(lines)


def _time_argument(equations: Equations, called: Callable[[str, Sequence[str]], str]) -> str:
    """The argument for the time, where some function needs it."""
    time = equations.symbols[Sym("t", 0)].text
    names = ("mass_matrix", "constraint_jacobian", "constraint_bias", "inverse_dynamics", "friction_jacobian")
    return f"{time}=0.0, " if any(f"{time}=" in called(name, ()) for name in names) else ""
