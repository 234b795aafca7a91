"""What people see of a robotic cell: the chart of who does what and when, and tables."""

from sistel.views.cells._gantt import clash_said, draw_chart
from sistel.views.cells._tables import plan_csv, plan_data, plan_heading, plan_tables

__all__ = ["clash_said", "draw_chart", "plan_csv", "plan_data", "plan_heading", "plan_tables"]
