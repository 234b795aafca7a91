"""Charts: runs and travels over time.

`chart` has the parts that all charts are made of, `palette` their colours, `png` writes pictures of few colours; they
bring NumPy with them.
"""

from sistel.views.charts._draw import draw_run, draw_travel, figure_run, print_curves, print_run

__all__ = ["draw_run", "draw_travel", "figure_run", "print_curves", "print_run"]
