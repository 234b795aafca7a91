"""C: everything as one function of straight-line code, with the parameters as an array."""

from __future__ import annotations

from sistel.formulas._equations import Equations
from sistel.formulas._formula import Sym
from sistel.formulas._symbols import ascii_name
from sistel.kernels import to_c as program_to_c

_HELD = {
    "lambda": "multipliers, one number a constraint; those of redundant constraints are not read",
    "h": "what links found when they began to hold",
    "constraints": "how far they are from being met",
    "jacobian": "J, row by row",
    "constraint_bias": "the derivative of J, times v",
    "drift": "rates with time alone: J v + drift = 0",
    "friction": "D, row by row: J^T lambda becomes (J + D)^T lambda",
    "link_reactions": "moment and force of every link, in the world",
}


def _held(equations: Equations) -> list[str]:
    """What the header says about constraints."""
    if not equations.constraints:
        return []
    blocks = [name for name, _ in (*equations.program.inputs, *equations.program.outputs)]
    law = "M a + c + g = driving forces + applied + J^T lambda; J a + constraint_bias = 0; constraints = 0."
    words = [f" *   {name:<15} {about}" for name, about in _HELD.items() if name in blocks]
    return [" *", f" * {law}", " *", *words]


def to_c(equations: Equations, name: str) -> str:
    """The text of one file: a documented declaration, and the function."""
    header, source = program_to_c(equations.program, name)
    include = f'#include "{name}.h"\n'
    assert source.startswith(include)
    model = equations.model
    lines = ["/*", f" * {ascii_name(model.name)}: equations of motion, SI units.", " *"]
    for place in range(len([key for key in equations.symbols if key.block == "p"])):
        symbol = equations.symbols[Sym("p", place)]
        unit = f" [{symbol.unit.en}]" if symbol.unit.en.isascii() and symbol.unit.en else ""
        lines.append(f" *   p[{place}] = {symbol.text}, {symbol.value!r} in the description{unit}")
    for symbol in equations.held():
        name_, about = symbol.key.block, " ".join(map(ascii_name, symbol.about.en.split()))
        lines.append(f" *   {name_}[{symbol.key.place}] = {symbol.text}, {about}")
    lines += [
        " *",
        " *   motion        M a + c + g, one number a velocity: driving forces and `applied` together",
        " *   mass_matrix   M, row by row",
        " *   coriolis      c, from products of velocities",
        " *   gravity       g, against weight",
        " *   applied       generalized forces that the description applies",
        " *   reactions     moment and force on every body from its base, in the world, about its pole",
        " *   energies      kinetic, and potential of weight",
        *_held(equations),
        " */",
        "",
    ]
    text = "\n".join(lines) + header + "\n" + source[len(include) :].lstrip("\n")
    for part, line in equations.programs.items():
        header, source = program_to_c(line, f"{name}_{part}")
        text += "\n" + header + "\n" + source.split("#include <math.h>\n", 1)[-1].split('.h"\n', 1)[-1].lstrip("\n")
    return text
