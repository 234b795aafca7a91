"""What every picture of a run needs: that its steps were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.simulation import Run


def check_steps(run: Run) -> None:
    """Refuse a run whose motion was not kept."""
    if not run.keeps_motion:
        refuse(
            "no-steps",
            Text("this run has kept no steps to draw", "этот расчёт не сохранил шагов, рисовать нечего"),
            hint=Text('simulate with keep="steps"', 'моделируйте с keep="steps"'),
        )
