"""Travels of arms as people see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Language, user_language
from sistel.views._graph_svg import Drawing

if TYPE_CHECKING:
    from sistel.arms import Travel


def draw_travel(travel: Travel, lang: Language | None = None) -> Drawing:
    """Positions, velocities, accelerations, driving forces, power and the place of the tool along a trajectory.

    Args:
        travel: What `System.along` gives.
        lang: Language of the words; the user's unless told otherwise.
    """
    from sistel.views._travels_plot import plot_travel

    return Drawing(plot_travel(travel, lang or user_language()))
