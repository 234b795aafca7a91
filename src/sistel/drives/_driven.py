"""A model whose joints move as emulated drives have moved, as a text in XsysTel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.drives._load import refuse_moved
from sistel.markup import write_document
from sistel.model import to_document

if TYPE_CHECKING:
    from sistel.drives._emulation import Emulation
    from sistel.model import Model


def driven_text(model: Model, emulated: Emulation, every: int = 10) -> str:
    """The description of a model, with the motion of the drives forced upon its joints.

    Args:
        model: The system; motions of its own for these joints are refused.
        emulated: What the drives have made.
        every: Time between rows of a motion that is not made of trapezoids [ms].

    Raises:
        SistelError: The system moves these joints by a motion of its own.
    """
    refuse_moved(model, emulated.plan)
    text = write_document(to_document(model), "en")
    head, end, _ = text.rpartition("</")
    corners = emulated.corners()
    if corners is None:
        moved = emulated.table(every).motion(interpolation="spline")
    else:
        moved = "\n".join(table.motion(interpolation="parabolic") for table in corners)
    return f"{head}{moved}\n{end}system>\n"
