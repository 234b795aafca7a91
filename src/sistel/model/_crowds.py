"""Crowds: free bodies that nothing but gravity and shapes which touch acts on."""

from __future__ import annotations

from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.model._contact_elements import Contact
from sistel.model._elements import Body
from sistel.model._model import Model

ALL: Final = 64
"""Contacts of shapes in a system from which on runs are slow: each adds to the equations of all."""


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
    """Whether nothing holds a body, wherever its coordinates begin."""
    joint = body.joint
    own = joint.type.key == "free" and body.base == 0 and body.mass > 0
    return own and not any((*joint.friction, *joint.damping, *joint.stiffness))


def check_boxes(model: Model, diagnostics: Diagnostics) -> None:
    """Refuse boxes that touch boxes where something else acts: the loop of crowds alone takes so many contacts."""
    boxes = [each for each in model.contacts if each.outline is not None and each.outline.of_boxes]
    why = _why_no_crowd(model) if boxes else None
    if why is not None:
        diagnostics.error(
            "boxes-not-alone",
            boxes[0].span,
            Text(
                f"boxes touch boxes only among free bodies under gravity: {why.en}",
                f"коробки касаются коробок только у свободных тел под действием тяжести: {why.ru}",
            ),
            hint=Text(
                "let spheres, capsules or points touch the boxes, or a box a flat surface",
                "пусть коробок касаются шары, капсулы или точки, либо коробка — плоской поверхности",
            ),
        )


def _why_no_crowd(model: Model) -> Text | None:
    """What a system has that those of free bodies in space have not; None where there is nothing."""
    if not only_contacts(model):
        return Text(
            "here are other links, forces, motors or structures", "здесь есть другие связи, силы, приводы или структуры"
        )
    for body in model.bodies:
        if not flies_free(body):
            return Text(f'"{body.name}" is not free', f"тело «{body.name}» не свободно")
        if not min(float(x) for x in body.I_BBcm_B[:3]) > 0.0:
            return Text(
                f'"{body.name}" has no moment of inertia about some axis',
                f"у тела «{body.name}» нет момента инерции относительно какой-то оси",
            )
    for contact in model.contacts:
        if contact.belt is not None or contact.rolls or contact.impact == "none" or not _is_simple(contact):
            return Text(f'contact "{contact.name}" is of another kind', f"контакт «{contact.name}» другого вида")
    return None


def _is_simple(contact: Contact) -> bool:
    """Whether a contact is one of boxes, spheres or points with boxes, spheres or flat surfaces."""
    round_, outline = contact.round, contact.outline
    if contact.height is not None or contact.resistance or contact.spinning:
        return False
    if round_ is not None and (round_.axis is not None or round_.tread):
        return False
    if outline is None or outline.of_boxes:
        return True
    return outline.crossing is None and not any(each.barrel or each.beside for each in outline.solids)


def check_number(model: Model, diagnostics: Diagnostics) -> None:
    """Warn of so many contacts of shapes that runs are slow; those of crowds in the plane are not."""
    shapes = [each for each in model.contacts if each.outline is not None and not each.outline.of_boxes]
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
