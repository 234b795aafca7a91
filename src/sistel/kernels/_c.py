"""A program as C for people to take elsewhere: a documented header and a source file with one function.

The code is C99, needs nothing but ``math.h``, allocates nothing, keeps nothing between calls and contains no loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Op, arguments, routine
from sistel.kernels._c_text import (
    SCALARS,
    checked_labels,
    checked_name,
    checked_precision,
    checked_routines,
    definition,
    literal,
    parameters,
    remarks,
)

if TYPE_CHECKING:
    from sistel.expr import Program
    from sistel.kernels._c_text import Labels, Precision

_WORDS = {"float64": "double precision", "float32": "single precision"}


def to_c(program: Program, name: str, *, dtype: str = "float64", labels: Labels | None = None) -> tuple[str, str]:
    """Print a program as C.

    Args:
        program: What to compute.
        name: The function's name; the source includes ``<name>.h``.
        dtype: ``float64``, or ``float32`` for processors without doubles: then nothing is computed in double precision.
        labels: Words about the numbers of blocks, for the header: ``{"q": ["shoulder [rad]", "elbow [rad]"]}``.

    Returns:
        The texts of the header and of the source.

    Raises:
        SistelError: The name cannot be one of a C function, labels do not fit, or a constant is too large for float32.

    Example:
        >>> from sistel.expr import Graph, sin
        >>> graph = Graph()
        >>> (q,) = graph.inputs("q", 1)
        >>> header, source = to_c(graph.program({"tau": [4.905 * sin(q)]}), "gravity", dtype="float32")
        >>> print(source)
        #include "gravity.h"
        <BLANKLINE>
        #include <math.h>
        <BLANKLINE>
        void gravity(const float *q, float *tau)
        {
            const float v1 = sinf(q[0]);
            const float v3 = 4.905f * v1;
            tau[0] = v3;
        }
        <BLANKLINE>
    """
    precision = checked_precision(dtype)
    checked_name(name, "C")
    checked_routines(program, "C", precision)
    labels = checked_labels(labels, (*program.inputs, *program.outputs))
    inputs, outputs = parameters(name, program.inputs, program.outputs)
    scalar = SCALARS[precision]
    arguments = [*(f"const {scalar} *{x}" for x in inputs), *(f"{scalar} *{x}" for x in outputs)]
    signature = f"void {name}({', '.join(arguments) or 'void'})"
    return (
        _header(program, name, inputs, outputs, f"{signature};", labels, precision),
        _source(program, name, inputs, outputs, signature, precision),
    )


def _header(
    program: Program,
    name: str,
    inputs: list[str],
    outputs: list[str],
    declaration: str,
    labels: Labels,
    dtype: Precision,
) -> str:
    guard = f"{name.upper()}_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "", '#ifdef __cplusplus\nextern "C" {\n#endif', ""]
    lines += ["/*", f" * {name}: straight-line code, SI units, {_WORDS[dtype]}.", " *"]
    for names, blocks, role in ((inputs, program.inputs, "in "), (outputs, program.outputs, "out")):
        lines += remarks(names, blocks, labels, f" *   {role}  {{name}}[{{size}}]", " *          [{i}] {label}")
    count = program.count()
    cost = f"{count.multiplications} multiplications, {count.additions} additions, {count.sincos} sines with cosines"
    lines += [" *", f" * One call takes {cost}."]
    lines += [" * Outputs must not overlap inputs. Nothing is allocated and nothing is kept between calls,"]
    lines += [" * so any number of threads may call it.", " */", declaration, ""]
    lines += ["#ifdef __cplusplus\n}\n#endif", "", f"#endif /* {guard} */", ""]
    return "\n".join(lines)


def _source(
    program: Program, name: str, inputs: list[str], outputs: list[str], signature: str, dtype: Precision
) -> str:
    values: list[str] = []
    body: list[str] = []
    used: set[int] = set()
    called: set[tuple[int, int]] = set()
    for index, (op, a, b, c, number) in enumerate(
        zip(program.operation, program.first, program.second, program.third, program.number, strict=True)
    ):
        if op == Op.CONSTANT:
            values.append(literal(number, dtype))
        elif op == Op.INPUT:
            used.add(a)
            values.append(f"{inputs[a]}[{b}]")
        elif op == Op.LIST:
            values.append("")  # no number: calls follow its chain
        elif op == Op.CALL:
            made = f"made{a}_{b}"
            if (a, b) not in called:
                called.add((a, b))
                body += _call(program, index, made, name, values)
            values.append(f"{made}[{int(program.number[c])}]")
        else:
            body.append(definition(index, op, (a, b, c), values, dtype))
            values.append(f"v{index}")
    place = 0
    stores: list[str] = []
    for output, (_, size) in zip(outputs, program.outputs, strict=True):
        stores += [f"    {output}[{column}] = {values[program.results[place + column]]};" for column in range(size)]
        place += size
    unused = [f"    (void){parameter};" for block, parameter in enumerate(inputs) if block not in used]
    unused += [f"    (void){out};" for out, (_, size) in zip(outputs, program.outputs, strict=True) if not size]
    head = [f'#include "{name}.h"', "", "#include <math.h>", *_functions(program, name), ""]
    return "\n".join([*head, signature, "{", *unused, *body, *stores, "}", ""])


def _functions(program: Program, name: str) -> list[str]:
    """The routines of a program, with their data."""
    lines: list[str] = []
    for place, each in enumerate(program.routines()):
        from sistel.kernels.subset import C, text_of

        if not place:
            lines += ["#include <stdint.h>", "#include <stdlib.h>"]
        numbers = ", ".join(literal(number, "float64") for number in each.data or (0.0,))
        lines += ["", text_of(each.functions, f"{name}_{place}_", C)]
        lines += [f"static double {name}_data{place}[] = {{{numbers}}};"]
    return lines


def _call(program: Program, line: int, made: str, name: str, values: list[str]) -> list[str]:
    """The lines that call a routine."""
    called = routine(program.number[program.second[line]])
    place = program.routines().index(called)
    numbers = ", ".join(values[x] for x in arguments(program, line)) or "0.0"
    function = called.functions[0].__name__
    return [
        f"    double {made}[{max(1, called.gives)}], given_{made}[] = {{{numbers}}};",
        f"    {name}_{place}_{function}({name}_data{place}, given_{made}, {made});",
    ]
