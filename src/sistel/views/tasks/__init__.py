"""Solved tasks for people and programs: tables on a terminal, CSV, plain data, pages, sheets, marks."""

from sistel.views.tasks._page import result_page
from sistel.views.tasks._sheet import (
    key_csv,
    marks_csv,
    marks_data,
    marks_page,
    marks_tables,
    pictured,
    sheet_data,
    sheet_page,
    sheet_table,
)
from sistel.views.tasks._tables import answer_table, answers_csv, result_data, result_tables, result_text

__all__ = [
    "answer_table",
    "answers_csv",
    "key_csv",
    "marks_csv",
    "marks_data",
    "marks_page",
    "marks_tables",
    "pictured",
    "result_data",
    "result_page",
    "result_tables",
    "result_text",
    "sheet_data",
    "sheet_page",
    "sheet_table",
]
