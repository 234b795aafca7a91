"""Charts: runs and travels over time. `palette` and `png` serve other pictures too, and bring NumPy with them."""

from sistel.views.charts._draw import draw_run, draw_travel, figure_run

__all__ = ["draw_run", "draw_travel", "figure_run"]
