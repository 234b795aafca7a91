"""What people see of programs for drives: what rounding has done row by row, and how emulated drives follow a table."""

from sistel.views.drives._plot import draw_tracking
from sistel.views.drives._report import plan_csv, plan_data, plan_heading, plan_tables, tracking_data, tracking_table
from sistel.views.drives._sender import draw_sender

__all__ = [
    "draw_sender",
    "draw_tracking",
    "plan_csv",
    "plan_data",
    "plan_heading",
    "plan_tables",
    "tracking_data",
    "tracking_table",
]
