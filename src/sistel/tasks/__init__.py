"""Tasks: what is asked of a model in a file of its own, solved and checked in a second way."""

from sistel.tasks._numbers import digits, in_unit, unit_word
from sistel.tasks._read import Read, Task, read_task
from sistel.tasks._results import Answer, Check, Curve, Grid, Head, Result, Solved
from sistel.tasks._solve import solve_task

__all__ = [
    "Answer",
    "Check",
    "Curve",
    "Grid",
    "Head",
    "Read",
    "Result",
    "Solved",
    "Task",
    "digits",
    "in_unit",
    "read_task",
    "solve_task",
    "unit_word",
]
