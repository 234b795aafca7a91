"""Reports on paper: one document, set by Typst as PDF, as XSL-FO, or as HTML for print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home

if TYPE_CHECKING:
    from sistel.views.reports._document import Report
    from sistel.views.reports._save import SUFFIXES, report_bytes, report_suffix, require_suffix, save_report
    from sistel.views.reports._task import sheet_report, task_report
    from sistel.views.reports._whole import model_report, run_report

_HOMES = {
    "Report": "sistel.views.reports._document",
    "SUFFIXES": "sistel.views.reports._save",
    "model_report": "sistel.views.reports._whole",
    "report_bytes": "sistel.views.reports._save",
    "report_suffix": "sistel.views.reports._save",
    "require_suffix": "sistel.views.reports._save",
    "run_report": "sistel.views.reports._whole",
    "save_report": "sistel.views.reports._save",
    "sheet_report": "sistel.views.reports._task",
    "task_report": "sistel.views.reports._task",
}

__all__ = [
    "SUFFIXES",
    "Report",
    "model_report",
    "report_bytes",
    "report_suffix",
    "require_suffix",
    "run_report",
    "save_report",
    "sheet_report",
    "task_report",
]

__getattr__ = names_at_home(__name__, _HOMES)
