"""A small typed part of Python that becomes machine code: loops over numbers that all models share.

Integrators, root finders and the like are written as plain functions, which CPython runs as they are (the reference)
and which are compiled once and kept on disk:

    >>> import numpy as np
    >>> from sistel.kernels.subset import Floats, compile_functions
    >>> def horner(c: Floats, degree: int, x: float) -> float:
    ...     total = c[degree]
    ...     for k in range(degree - 1, -1, -1):
    ...         total = total * x + c[k]
    ...     return total
    >>> code = compile_functions([horner], exports=["horner"])
    >>> code.horner(np.array([1.0, 2.0, 3.0]), 2, 10.0)
    321.0

**Types.** ``float`` (a double), ``int`` (64 bits), ``bool``, `Floats` and `Ints` (pointers to numbers side by side;
NumPy arrays in Python) and `Function`, a pointer to a native function, spelt ``Function[[Floats, Floats], None]``, by
itself or through a name of the module (in Python: an object with an ``address`` that keeps the code there, such as
`Native`). A frozen dataclass of these is a *record*: one argument instead of many, whose fields are read as attributes
(``tables.counts[0]``), which is passed on as a whole and made by ``Record(...)``; a record may hold records. Machine
code has an argument for every field that is read. Parameters and results are annotated; a variable has the type of what
is first assigned to it. An int becomes a float in arithmetic, in comparisons and as an argument of `math`, and nowhere
else by itself: write ``float(n)``.

**Statements.** Assignment of one variable or one number of an array, also with an operation (``+=``); ``while``,
``for`` over ``range`` with a constant step, ``if``, ``break``, ``continue``, ``return``, ``pass``, calls, docstrings. A
variable must have a value on every way to where it is read.

**Expressions.** ``+ - * / // %``, ``**`` with a constant int from 0 to 16, ``^ & |`` of ints, comparisons and chains of
them, ``and``, ``or``, ``not``, ``a if c else b``, indices; ``abs``, ``min``, ``max``, ``int``, ``float``; of `math` the
functions acos, asin, atan, atan2, ceil, copysign, cos, cosh, exp, expm1, fabs, floor, fmod, hypot, isfinite, isinf,
isnan, log, log1p, pow, sin, sinh, sqrt, tan, tanh, trunc; `shift` and `poll`; calls of functions that are compiled
together, recursion included, and their names as arguments of type `Function`. Numbers that are module constants are
folded in.
Everything else is a `SubsetError` with its place.

**What machine code does differently from CPython.** It raises nothing: 1.0 / 0.0 is an infinity, the root of a negative
number is NaN; ``n // 0`` and ``n % 0`` are 0 for ints; ints wrap around at 64 bits, and beside a float or under ``/``
they are rounded to doubles first; ``int(x)`` of what does not fit gives the nearest int, of NaN 0. Indices are not
checked (``checked=True`` does that, and divisors, at some cost), and recursion without end ends the process. Sums,
products, quotients, roots and comparisons have CPython's bits. So have the functions of `math` that both take from the
C library; sin and cos are the package's own (1.5 ulp), ``x ** n`` is a product of products, and CPython has a
``hypot`` of its own.

**Interrupts.** Python cannot stop machine code. A function that may run for long takes an `Ints` flag, asks
``poll(flag, 0)`` now and then, and returns when it is not 0. The call lets the interpreter's lock go, so that another
thread can set the flag; since Ctrl-C reaches only Python's main thread, and only between its own instructions, run
the call in a second thread while the main one waits, or return to Python every so many steps.

llvmlite and NumPy are imported when something is compiled, not with this package.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import TYPE_CHECKING

from sistel.kernels.subset._reference import reference
from sistel.kernels.subset._source import SubsetError, functions_of, renamed
from sistel.kernels.subset._types import Floats, Ints, poll, shift

if TYPE_CHECKING:
    from sistel.kernels.subset._call import CompiledFunction, CompiledFunctions
    from sistel.kernels.subset._compile import compile_functions
    from sistel.kernels.subset._text import JS, C, text_of

_HOMES = {
    "CompiledFunction": "sistel.kernels.subset._call",
    "CompiledFunctions": "sistel.kernels.subset._call",
    "compile_functions": "sistel.kernels.subset._compile",
    "JS": "sistel.kernels.subset._text",
    "C": "sistel.kernels.subset._text",
    "text_of": "sistel.kernels.subset._text",
}

__all__ = [
    "JS",
    "C",
    "CompiledFunction",
    "CompiledFunctions",
    "Floats",
    "Function",
    "Ints",
    "SubsetError",
    "compile_functions",
    "functions_of",
    "poll",
    "reference",
    "renamed",
    "shift",
    "text_of",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sistel.kernels.subset' has no attribute {name!r}")
