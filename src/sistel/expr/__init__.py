"""Expression graphs: formulas become nodes, equal ones shared; folded, differentiated, counted. Knows no mechanics.

Formulas are written once, with operators and the functions below, and take plain numbers or expressions:

>>> graph = Graph()
>>> a, b = graph.inputs("q", 2)
>>> x = (a - b) * cos(a - b)
>>> x == -((b - a) * cos(b - a))
True
>>> line = graph.program({"x": [x], "slope": gradient(graph, x, [a])})
>>> line
<Program(q[2]) -> (x[1], slope[1]): 2 ×, 2 +, 1 sincos>
>>> evaluate(line, [0.25, 0.25])
[[0.0], [1.0]]
"""

from sistel.expr._count import Count
from sistel.expr._derivative import dependence, derivative, forward_derivative, gradient, reverse_derivative
from sistel.expr._evaluate import evaluate
from sistel.expr._functions import (
    COMPARISONS,
    OfTwo,
    absolute,
    atan2,
    call,
    cos,
    equal,
    exp,
    floor,
    less,
    less_equal,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    select,
    sin,
    sqrt,
)
from sistel.expr._graph import Expr, Graph, Scalar, Scalars, is_constant
from sistel.expr._modes import Modes, Switch, split_modes
from sistel.expr._operation import ARITY, Op
from sistel.expr._program import Program
from sistel.expr._prologue import Prologue, split_prologue
from sistel.expr._replay import replay
from sistel.expr._routine import Routine, arguments, routine
from sistel.expr._series import series, series_order, series_step, series_value
from sistel.expr._traced import LIVE, Trace, Traced, Watched, decide, settled, with_value
from sistel.expr._vectors import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    cross,
    cross_matrix,
    dot,
    is_number,
    is_zero,
    outer,
    symmetric,
    turn_z,
    turn_z_back,
)

__all__ = [
    "ARITY",
    "COMPARISONS",
    "IDENTITY",
    "LIVE",
    "ZERO",
    "Count",
    "Expr",
    "Graph",
    "Matrix",
    "Modes",
    "OfTwo",
    "Op",
    "Program",
    "Prologue",
    "Routine",
    "Scalar",
    "Scalars",
    "Switch",
    "Trace",
    "Traced",
    "Vector",
    "Watched",
    "absolute",
    "arguments",
    "atan2",
    "call",
    "cos",
    "cross",
    "cross_matrix",
    "decide",
    "dependence",
    "derivative",
    "dot",
    "equal",
    "evaluate",
    "exp",
    "floor",
    "forward_derivative",
    "gradient",
    "is_constant",
    "is_number",
    "is_zero",
    "less",
    "less_equal",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "outer",
    "replay",
    "reverse_derivative",
    "routine",
    "select",
    "series",
    "series_order",
    "series_step",
    "series_value",
    "settled",
    "sin",
    "split_modes",
    "split_prologue",
    "sqrt",
    "symmetric",
    "turn_z",
    "turn_z_back",
    "with_value",
]
