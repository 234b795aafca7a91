"""A program as C for people to take elsewhere: a documented header and a source file with one function.

The code is C99, needs nothing but ``math.h``, allocates nothing, keeps nothing between calls and contains no loop.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, SistelError, Text
from sistel.expr import Op

if TYPE_CHECKING:
    from sistel.expr import Program

_KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main
_Bool _Complex _Imaginary and and_eq asm bitand bitor bool catch class compl const_cast delete dynamic_cast explicit
export false friend mutable namespace new not not_eq operator or or_eq private protected public reinterpret_cast
static_cast template this throw true try typeid typename using virtual wchar_t xor xor_eq constexpr nullptr"""
_MATHEMATICS = """acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 frexp ilogb ldexp log
log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor nearbyint
rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma
fpclassify isfinite isinf isnan isnormal signbit j0 j1 jn y0 y1 yn signgam drem significand"""
_RESERVED = frozenset(_KEYWORDS.split()) | {name + end for name in _MATHEMATICS.split() for end in ("", "f", "l")}
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}\Z")

_FORMS: dict[int, str] = {
    Op.ADD: "{0} + {1}",
    Op.SUBTRACT: "{0} - {1}",
    Op.MULTIPLY: "{0} * {1}",
    Op.DIVIDE: "{0} / {1}",
    Op.NEGATE: "-{0}",
    Op.SQRT: "sqrt({0})",
    Op.SIN: "sin({0})",
    Op.COS: "cos({0})",
    Op.ATAN2: "atan2({0}, {1})",
    # Not fmin and fmax, which drop a NaN.
    Op.MINIMUM: "({1} < {0} || {1} != {1}) ? {1} : {0}",
    Op.MAXIMUM: "({1} > {0} || {1} != {1}) ? {1} : {0}",
    Op.ABSOLUTE: "fabs({0})",
    Op.LESS: "({0} < {1}) ? 1.0 : 0.0",
    Op.LESS_EQUAL: "({0} <= {1}) ? 1.0 : 0.0",
    Op.EQUAL: "({0} == {1}) ? 1.0 : 0.0",
    Op.AND: "({0} != 0.0 && {1} != 0.0) ? 1.0 : 0.0",
    Op.OR: "({0} != 0.0 || {1} != 0.0) ? 1.0 : 0.0",
    Op.NOT: "({0} == 0.0) ? 1.0 : 0.0",
    Op.SELECT: "({0} != 0.0) ? {1} : {2}",
    Op.EXP: "exp({0})",
    Op.LOG: "log({0})",
    Op.FLOOR: "floor({0})",
}


def to_c(program: Program, name: str) -> tuple[str, str]:
    """Print a program as C.

    Args:
        program: What to compute.
        name: The function's name; the source includes ``<name>.h``.

    Returns:
        The texts of the header and of the source.

    Raises:
        SistelError: The name cannot be one of a C function.
    """
    if not _IDENTIFIER.match(name) or name in _RESERVED:
        raise SistelError(
            [
                Diagnostic(
                    "bad-name",
                    "error",
                    Text(f"{name!r} cannot name a C function", f"{name!r} не может быть именем функции на C"),
                    hint=Text(
                        "Latin letters, digits and underscores; no word of the language and no function of math.h",
                        "латинские буквы, цифры и подчёркивания; не слово языка и не функция из math.h",
                    ),
                )
            ]
        )
    inputs = _parameters(program.inputs, "in", {name})
    outputs = _parameters(program.outputs, "out", {name, *inputs})
    signature = ", ".join([*(f"const double *{x}" for x in inputs), *(f"double *{x}" for x in outputs)]) or "void"
    return (
        _header(program, name, inputs, outputs, f"void {name}({signature});"),
        _source(program, name, inputs, outputs, f"void {name}({signature})"),
    )


def _parameters(blocks: tuple[tuple[str, int], ...], role: str, taken: set[str]) -> list[str]:
    """A C name for every block: its own when that is possible, else its role and number."""
    names: list[str] = []
    for index, (block, _) in enumerate(blocks):
        # v1, in1 and out1 are kept for the lines of the function and for blocks whose own names do not do.
        own = _IDENTIFIER.match(block) and not re.match(r"(v|in|out)\d+\Z", block)
        usable = own and block not in _RESERVED and block not in taken and block not in names
        names.append(block if usable else f"{role}{index}")
    return names


def _comment(text: str) -> str:
    """A name as it may stand in a comment: nothing in it ends or opens one, or continues a line."""
    return "".join(character if character.isalnum() or character in " _-.,()" else "_" for character in text)[:80]


def _header(program: Program, name: str, inputs: list[str], outputs: list[str], declaration: str) -> str:
    guard = f"{name.upper()}_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "", '#ifdef __cplusplus\nextern "C" {\n#endif', ""]
    lines += ["/*", f" * {name}: straight-line code, SI units, double precision.", " *"]
    for parameters, blocks, role in ((inputs, program.inputs, "in "), (outputs, program.outputs, "out")):
        for parameter, (block, size) in zip(parameters, blocks, strict=True):
            remark = "" if parameter == block else f" (block {_comment(block)})"
            lines.append(f" *   {role}  {parameter}[{size}]{remark}")
    lines += [" *", " * Outputs must not overlap inputs. Nothing is allocated and nothing is kept between calls,"]
    lines += [" * so any number of threads may call it.", " */", declaration, ""]
    lines += ["#ifdef __cplusplus\n}\n#endif", "", f"#endif /* {guard} */", ""]
    return "\n".join(lines)


def _source(program: Program, name: str, inputs: list[str], outputs: list[str], signature: str) -> str:
    values: list[str] = []
    body: list[str] = []
    used: set[int] = set()
    for index, (op, a, b, c, number) in enumerate(
        zip(program.operation, program.first, program.second, program.third, program.number, strict=True)
    ):
        if op == Op.CONSTANT:
            values.append(repr(number) if number >= 0.0 else f"({number!r})")
        elif op == Op.INPUT:
            used.add(a)
            values.append(f"{inputs[a]}[{b}]")
        else:
            operands = [values[operand] for operand in (a, b, c) if operand >= 0]
            body.append(f"    const double v{index} = {_FORMS[op].format(*operands)};")
            values.append(f"v{index}")
    place = 0
    stores: list[str] = []
    for output, (_, size) in zip(outputs, program.outputs, strict=True):
        stores += [f"    {output}[{column}] = {values[program.results[place + column]]};" for column in range(size)]
        place += size
    unused = [f"    (void){parameter};" for block, parameter in enumerate(inputs) if block not in used]
    unused += [f"    (void){out};" for out, (_, size) in zip(outputs, program.outputs, strict=True) if not size]
    lines = [f'#include "{name}.h"', "", "#include <math.h>", "", signature, "{", *unused, *body, *stores, "}", ""]
    return "\n".join(lines)
