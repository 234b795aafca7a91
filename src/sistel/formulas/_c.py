"""C: everything as one function of straight-line code, with the parameters as an array."""

from __future__ import annotations

from sistel.formulas._equations import Equations
from sistel.formulas._formula import Sym
from sistel.formulas._symbols import ascii_name
from sistel.kernels import to_c as program_to_c


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
    lines += [
        " *",
        " *   motion        M a + c + g, one number a velocity: driving forces and `applied` together",
        " *   mass_matrix   M, row by row",
        " *   coriolis      c, from products of velocities",
        " *   gravity       g, against weight",
        " *   applied       generalized forces that the description applies",
        " *   reactions     moment and force on every body from its base, in the world, about its pole",
        " *   energies      kinetic and potential",
        " */",
        "",
    ]
    return "\n".join(lines) + header + "\n" + source[len(include) :].lstrip("\n")
