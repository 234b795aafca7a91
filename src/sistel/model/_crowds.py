"""Crowds: free bodies that nothing but gravity and shapes which touch acts on."""

from __future__ import annotations

from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.model._elements import Body
from sistel.model._model import Model

ALL: Final = 64
"""Contacts of shapes in a system from which on runs are slow: each adds to the equations of all."""
_UNTURNED: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def only_contacts(model: Model) -> bool:
    """Whether a system has no links, motors, forces or rules besides contacts, and one structure."""
    parts = (
        model.closures,
        model.blades,
        model.locks,
        model.couplings,
        model.stops,
        model.motions,
        model.memory,
        model.motors,
        model.springs,
        model.forces,
        model.drives,
        model.tracks,
        model.transitions,
        model.counters,
    )
    return not any(parts) and len(model.structures) == 1


def flies_free(body: Body) -> bool:
    """Whether nothing holds a body, and its frame begins as that of the world."""
    joint = body.joint
    own = joint.type.key == "free" and body.base == 0 and body.mass > 0
    if not own or any((*joint.friction, *joint.damping, *joint.stiffness)):
        return False
    return body.p_PB == (0.0, 0.0, 0.0) and all(
        float(x) == y for row, other in zip(body.R_PB, _UNTURNED, strict=True) for x, y in zip(row, other, strict=True)
    )


def check_number(model: Model, diagnostics: Diagnostics) -> None:
    """Warn of so many contacts of shapes that runs are slow; those of crowds in the plane are not."""
    shapes = [contact for contact in model.contacts if contact.outline is not None]
    if len(shapes) <= ALL:
        return
    alike = len(shapes) == len(model.contacts) and all(
        contact.belt is None and contact.impact != "none" for contact in shapes
    )
    if (
        model.planar
        and alike
        and only_contacts(model)
        and all(flies_free(body) and float(body.I_BBcm_B[2]) > 0.0 for body in model.bodies)
    ):
        return
    diagnostics.warning(
        "slow-contacts",
        shapes[ALL].span,
        Text(
            f"{len(shapes)} contacts of shapes come of the file: with more than {ALL} a run is slow, for the "
            "equations have rows for all of them",
            f"из файла получается контактов фигур: {len(shapes)}; если их больше {ALL}, расчёт идёт медленно: в "
            "уравнениях есть строки для всех",
        ),
        hint=Text("declare only pairs that can meet", "объявляйте только пары, которые могут встретиться"),
    )
