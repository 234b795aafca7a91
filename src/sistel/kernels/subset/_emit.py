"""A set of functions as one module of LLVM assembly.

Every function follows the C convention: numbers by value, arrays and functions as pointers, a bool as C's. In checked
code an array is followed by its length, and a last pointer, ``%fault``, takes what went wrong; a function whose address
is taken has a bridge without them, since those who call by address do not know lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import FunctionType

from sistel.kernels._sincos import far_function, write_sincos
from sistel.kernels._writer import Writer
from sistel.kernels.subset._expressions import argument, returned
from sistel.kernels.subset._frame import SINCOS, Frame, Unit, bridge_text, symbol_text
from sistel.kernels.subset._signature import Signature, signature
from sistel.kernels.subset._source import Source, parse
from sistel.kernels.subset._statements import execute
from sistel.kernels.subset._types import BOOL, NONE, Kind, Value


def symbol(name: str) -> str:
    """What an exported function is called inside the object; the point keeps it apart from every C function."""
    return f"subset.{name}"


def emit(
    sources: Sequence[Source], exports: Sequence[str], *, contract: bool, checked: bool
) -> tuple[str, dict[str, Signature]]:
    """The module, and the signatures of its exported functions by name."""
    trees = [parse(source) for source in sources]
    signatures = {source.function: signature(source, tree) for source, tree in zip(sources, trees, strict=True)}
    symbols: dict[FunctionType, str] = {}
    for place, source in enumerate(sources):
        open_to_all = source.name in exports
        symbols[source.function] = symbol_text(symbol(source.name) if open_to_all else f"own.{place}.{source.name}")
    unit = Unit(sources, signatures, symbols, contract, checked)
    parts = [_function(unit, source, tree, source.name in exports) for source, tree in zip(sources, trees, strict=True)]
    parts += [_bridge(unit, source) for source in sources if source.function in unit.bridges]
    if unit.sincos:
        parts += _sincos(unit)
    parts += sorted(unit.declarations)
    parts += [
        # Loops that fill or copy stay loops: calls of the C library would have to be resolved on loading.
        'attributes #0 = { nounwind "no-builtins" }',
        "attributes #1 = { nounwind willreturn memory(none) }",
        "attributes #2 = { nounwind willreturn memory(read) }",
        '!0 = !{!"branch_weights", i32 1, i32 100000}',
        "!1 = !{}",
        '!2 = !{!"branch_weights", i32 100000, i32 1}',
    ]
    known = {source.name: signatures[source.function] for source in sources if source.name in exports}
    return "\n".join(parts) + "\n", known


def _parameters(of: Signature, checked: bool) -> tuple[str, list[Value]]:
    """The parameters of a definition, and their values inside."""
    texts: list[str] = []
    values: list[Value] = []
    for name, kind in of.leaves:
        given = "%" + symbol_text(f"given.{name}")
        texts.append(f"{kind.llvm}{' zeroext' if kind == BOOL else ''} {given}")
        extent = "%" + symbol_text(f"length.{name}") if checked and kind.is_array else ""
        if extent:
            texts.append(f"i64 {extent}")
        values.append(Value(kind, given, extent=extent))
    leaves = iter(values)
    values = [_gathered(kind, leaves) for kind in of.parameters]
    return ", ".join(texts + ["ptr %fault"] * checked), values


def _gathered(kind: Kind, leaves: Iterator[Value]) -> Value:
    """A value of some kind from what machine code has of it."""
    if not kind.fields:
        return next(leaves)
    return Value(kind, "", parts=tuple(_gathered(inner, leaves) for _, inner in kind.fields))


def _function(unit: Unit, source: Source, node: ast.FunctionDef, exported: bool) -> str:
    of = unit.signatures[source.function]
    f = Frame(unit, source, of)
    text, values = _parameters(of, unit.checked)
    changed = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    for name, value in zip(of.names, values, strict=True):
        if name in changed:
            f.store(node, name, value)
        else:
            f.give(name, value)
    execute(f, node.body)
    if f.assigned is not None:
        if of.result != NONE:
            raise f.error(node, f"{source.name!r} may end without a return")
        f.w.line("ret void")
    unit.declarations |= f.w.declarations
    linkage = "" if exported else "internal "
    head = f"define {linkage}{returned(of.result)} @{unit.symbols[source.function]}({text}) #0 {{"
    return "\n".join([head, "entry:", *f.slots, *f.w.lines, "}"])


def _bridge(unit: Unit, source: Source) -> str:
    """A function without lengths around one with lengths: its arrays have no end that is known."""
    of = unit.signatures[source.function]
    text, values = _parameters(of, checked=False)
    inside = ", ".join([*(argument(value, checked=True) for value in values), "ptr %fault"])
    name, result = unit.symbols[source.function], returned(of.result)
    call = f"call {result} @{name}({inside})"
    closing = (
        [f"  {call}", "  ret void"] if of.result == NONE else [f"  %result = {call}", f"  ret {of.result.llvm} %result"]
    )
    return "\n".join(
        [
            f"define internal {result} @{bridge_text(name)}({text}) #0 {{",
            "  %fault = alloca [3 x i64], align 8",
            "  store i64 0, ptr %fault, align 8",
            *closing,
            "}",
        ]
    )


def _sincos(unit: Unit) -> list[str]:
    w = Writer(1)
    sine, cosine = write_sincos(w, "%x")
    pair = "{ double, double }"
    first = w.value(f"insertvalue {pair} undef, double {sine}, 0")
    w.line(f"ret {pair} {w.value(f'insertvalue {pair} {first}, double {cosine}, 1')}")
    far, declarations = far_function(1)
    unit.declarations |= w.declarations | declarations
    return ["\n".join([f"define internal {pair} @{SINCOS}(double %x) #2 {{", "entry:", *w.lines, "}"]), far]
