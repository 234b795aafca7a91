"""Words, numbers and tables: what terminals and notebooks show of systems and runs."""

from sistel.views.text._automaton import automaton_data, automaton_text
from sistel.views.text._linear import linear_data, linear_text
from sistel.views.text._numbers import clean, short, unit, vector
from sistel.views.text._paper import Paper
from sistel.views.text._rows import Summary
from sistel.views.text._runs import asked_tables, final_rows, passed, run_heading, run_tables
from sistel.views.text._summary import summarize
from sistel.views.text._tables import LIMIT, Column, Table, scheme_tables
from sistel.views.text._terminal import show_table, show_text

__all__ = [
    "LIMIT",
    "Column",
    "Paper",
    "Summary",
    "Table",
    "asked_tables",
    "automaton_data",
    "automaton_text",
    "clean",
    "final_rows",
    "linear_data",
    "linear_text",
    "passed",
    "run_heading",
    "run_tables",
    "scheme_tables",
    "short",
    "show_table",
    "show_text",
    "summarize",
    "unit",
    "vector",
]
