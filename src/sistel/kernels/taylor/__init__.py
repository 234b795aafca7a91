"""Taylor coefficients of the solution of an ordinary differential equation, as machine code.

Every line of a program is a function of time along the solution, a series. Order by order, the coefficients of all
series follow from those of lower orders, and the coefficients of the right-hand side give the next ones of the state.
See `sistel.expr.series` for the recurrences themselves.
"""

from sistel.kernels.taylor._compile import Taylor, compile_taylor
from sistel.kernels.taylor._emit import is_large, is_long

__all__ = ["Taylor", "compile_taylor", "is_large", "is_long"]
