"""Solved tasks for people and programs: tables on a terminal, CSV, plain data, pages, sheets."""

from sistel.views.tasks._page import result_page
from sistel.views.tasks._tables import answers_csv, result_data, result_tables, result_text

__all__ = ["answers_csv", "result_data", "result_page", "result_tables", "result_text"]
