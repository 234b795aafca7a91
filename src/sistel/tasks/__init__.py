"""Tasks: what is asked of a model in a file of its own, solved and checked in a second way."""

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home

if TYPE_CHECKING:
    from sistel.tasks._dynamics import conservative
    from sistel.tasks._marks import Mark, Marked, heading, mark_answers
    from sistel.tasks._motors import read_motors
    from sistel.tasks._numbers import digits, in_unit, told, unit_word
    from sistel.tasks._read import Read, Task, in_words, read_task
    from sistel.tasks._results import Answer, Check, Curve, Grid, Head, Result, Solved
    from sistel.tasks._sheets import MOST_VARIANTS, Sheet, Variant, make_sheet
    from sistel.tasks._solve import solve_task

__getattr__ = names_at_home(
    __name__,
    {
        "conservative": "._dynamics",
        **dict.fromkeys(("Mark", "Marked", "heading", "mark_answers"), "._marks"),
        "read_motors": "._motors",
        **dict.fromkeys(("digits", "in_unit", "told", "unit_word"), "._numbers"),
        **dict.fromkeys(("Read", "Task", "in_words", "read_task"), "._read"),
        **dict.fromkeys(("Answer", "Check", "Curve", "Grid", "Head", "Result", "Solved"), "._results"),
        **dict.fromkeys(("MOST_VARIANTS", "Sheet", "Variant", "make_sheet"), "._sheets"),
        "solve_task": "._solve",
    },
)

__all__ = [
    "MOST_VARIANTS",
    "Answer",
    "Check",
    "Curve",
    "Grid",
    "Head",
    "Mark",
    "Marked",
    "Read",
    "Result",
    "Sheet",
    "Solved",
    "Task",
    "Variant",
    "conservative",
    "digits",
    "heading",
    "in_unit",
    "in_words",
    "make_sheet",
    "mark_answers",
    "read_motors",
    "read_task",
    "solve_task",
    "told",
    "unit_word",
]
