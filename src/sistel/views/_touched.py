"""Where contacts touch at a time of a run, on the body that touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.model import Contact
from sistel.pose import IDENTITY, Vector3

if TYPE_CHECKING:
    from sistel.simulation import Run


def touched(run: Run, contact: Contact, time: float) -> Vector3:
    """The point of a contact, or what of its round shape is nearest to the surface then, in the body [m]."""
    if contact.round is None:
        return contact.p_BP
    from sistel.mechanics import Quantities, tree_of

    model = run.model
    q, v = run(time)
    state = Quantities(model, tree_of(model), q.tolist(), v.tolist(), time)
    axes = state.kinematics.axes(contact.body, IDENTITY)
    x, y, z = axes.T @ (state.touching(contact) - state.kinematics.place(contact.body, (0.0, 0.0, 0.0)))
    return (float(x), float(y), float(z))  # type: ignore[arg-type]
