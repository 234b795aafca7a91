"""Runs and travels of arms as pictures; what draws them is imported when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sistel.errors import Language, user_language
from sistel.views._drawing import Drawing
from sistel.views._steps import check_steps

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.arrays import Array
    from sistel.simulation import Run


def draw_run(run: Run, quantities: Sequence[str] = (), lang: Language | None = None) -> Drawing:
    """A run as an SVG picture: coordinates, velocities, energies, structures as bands, events as marks.

    Args:
        run: The run.
        quantities: Expressions of the language to be drawn too, each in a panel of its own [SI].
        lang: Language of the words; the user's unless told otherwise.

    Raises:
        SistelError: An expression is wrong, or the run has kept no steps.
    """
    from sistel.views.charts._run_plot import plot_run

    check_steps(run)
    return Drawing(plot_run(run, quantities, lang or user_language()))


def print_run(run: Run, quantities: Sequence[str], lang: Language, tallest: float) -> list[str]:
    """The panels of `draw_run` on sheets of paper, each of a height at most [px], without the name of the system.

    Raises:
        SistelError: As for `draw_run`.
    """
    from sistel.views.charts._run_plot import RunChart

    check_steps(run)
    return list(RunChart(run, tuple(quantities), lang).printed(tallest))


def print_curves(
    t: Array, groups: Sequence[tuple[str, Sequence[tuple[str, Array]]]], lang: Language, tallest: float
) -> list[str]:
    """Curves of any quantities on sheets of paper.

    Args:
        t: Times of all curves [s].
        groups: The unit of a panel, and its curves by name [that unit].
        lang: Language of the words.
        tallest: Height of a sheet [px].
    """
    from sistel.views.charts._curve_sheet import CurveSheet

    return list(CurveSheet(t, groups, lang).printed(tallest))


def figure_run(run: Run, quantities: Sequence[str] = (), lang: Language | None = None) -> Any:
    """A run as a figure of matplotlib, with the panels of `draw_run`: to be changed further, or saved for an article.

    It takes and refuses what `draw_run` does.

    Raises:
        SistelError: matplotlib is not installed, or as for `draw_run`.
    """
    from sistel.views.charts._run_figure import figure_of

    check_steps(run)
    return figure_of(run, quantities, lang or user_language())


def draw_travel(travel: Travel, lang: Language | None = None) -> Drawing:
    """Positions, velocities, accelerations, driving forces, power and the place of the tool along a trajectory.

    Args:
        travel: What `System.along` gives.
        lang: Language of the words; the user's unless told otherwise.
    """
    from sistel.views.charts._travel_plot import plot_travel

    return Drawing(plot_travel(travel, lang or user_language()))
