"""What people see of a robotic cell: the chart of who does what and when, and tables."""

from sistel.views.cells._gantt import draw_chart
from sistel.views.cells._tables import plan_data, plan_tables

__all__ = ["draw_chart", "plan_data", "plan_tables"]
