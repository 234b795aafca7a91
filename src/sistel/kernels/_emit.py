"""A program as LLVM assembly.

The function is ``void name(i64 begin, i64 end, ptr arguments)``. The arguments hold, for every input block and then for
every output block, the address of row 0 and the distance between rows [bytes]; the numbers of a row lie side by side
and are aligned to their own size. An input block that is the same for all rows has distance 0. Outputs may not overlap
inputs.

With `width` 1 the rows from begin to end are computed, each by itself, and there must be one; otherwise rows are taken
`width` at a time while there are so many, and what is left over is the scalar function's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels._batch import write_batch
from sistel.kernels._sincos import far_function
from sistel.kernels._single import write_single

if TYPE_CHECKING:
    from sistel.expr import Program

VERSION = 10
"""Part of the cache's key: raise it with every change of the emitted text."""


def emit(
    program: Program,
    width: int,
    name: str,
    *,
    kind: str = "double",
    lanes: int = 1,
    blocked: bool = False,
    exact: bool = False,
) -> str:
    """The module with the function for `width` rows at a time.

    Args:
        program: What to compute.
        width: Rows at a time.
        name: The function's name.
        kind: ``double`` or ``float``.
        lanes: In a function for single rows, lines of one shape are computed so many at a time. The function for
            batches rounds in the same way when it is given the same number.
        blocked: `begin` and `end` count blocks of `width` states, in which the same number of all states lies side by
            side; the arguments hold distances between blocks.
        exact: Whether every operation is rounded on its own, as in a table; for batches only.
    """
    if width == 1:
        text, writer, widths = write_single(program, name, kind, lanes)
    else:
        text, writer, widths = write_batch(program, name, kind, width, lanes, blocked, exact)
    parts, declarations = [text], set(writer.declarations)
    for each in sorted(widths):
        far, more = far_function(each, kind)
        parts.append(far)
        declarations |= more
    attributes = 'nounwind "no-trapping-math"="true"'
    if max(width, lanes) * writer.size > 256:
        attributes += ' "prefer-vector-width"="512" "min-legal-vector-width"="512"'
    parts += sorted(declarations)
    parts += [f"attributes #0 = {{ {attributes} }}", '!0 = !{!"branch_weights", i32 1, i32 100000}']
    return "\n".join(parts) + "\n"
