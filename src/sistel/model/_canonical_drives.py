"""Couplings, gears, clutches, differentials and speeds of belts in the canonical document."""

from __future__ import annotations

from sistel import units
from sistel.markup import MEASURES, Binary, Expression, Measure, Node, Number, make_node, si
from sistel.model._contact_elements import Contact
from sistel.model._elements import Coupling, Drive
from sistel.model._model import Model


def drive_nodes(model: Model) -> list[Node]:
    """All that joins coordinates."""
    made = [_coupling(model, each) for each in model.couplings]
    # Brakes are written with their motors.
    return made + [_drive(model, each) for each in model.drives if not each.brakes]


def _measured(model: Model, coupling: Coupling, measure: Measure, value: float) -> tuple[Expression, ...] | None:
    """A number that belongs to the driven coordinate; None for 0."""
    kinds = [kind for body in model.bodies for _, kind in body.joint.type.coordinates]
    turns = kinds[coupling.driven] == "turn"
    return si(value, MEASURES[measure][1 if turns else 0][0], coupling.span) if value else None


def _coupling(model: Model, coupling: Coupling) -> Node:
    names = model.coordinate_names
    second = () if coupling.second is None else (names[coupling.second],)
    return make_node(
        "coupling" if coupling.second is None else "differential",
        coupling.span,
        name=coupling.name,
        of=(names[coupling.driven],),
        to=(names[coupling.driver], *second),
        ratio=si(coupling.ratio, units.PLAIN, model.span),
        offset=_measured(model, coupling, "position", coupling.offset),
        holds=None if coupling.always else False,
    )


def _drive(model: Model, drive: Drive) -> Node:
    coupling, names, span = drive.coupling, model.coordinate_names, model.span
    pair = {"of": (names[coupling.driven],), "to": (names[coupling.driver],)}
    ratio = si(coupling.ratio, units.PLAIN, span)
    if drive.limit is not None:
        limit = (drive.limit.expression,)
        return make_node("clutch", drive.span, name=drive.name, **pair, ratio=ratio, limit=limit)
    return make_node(
        "gear",
        drive.span,
        name=drive.name,
        **pair,
        ratio=ratio,
        offset=_measured(model, coupling, "position", coupling.offset),
        backlash=_measured(model, coupling, "position", drive.backlash),
        stiffness=None if drive.stiffness is None else _measured(model, coupling, "stiffness", drive.stiffness),
        damping=_measured(model, coupling, "damping", drive.damping),
        efficiency=si((drive.efficiency, drive.backward), units.PLAIN, span) if drive.loses or drive.tight else None,
        restitution=si(drive.restitution, units.PLAIN, span) if drive.restitution else None,
    )


def belt_values(contact: Contact) -> tuple[Expression, ...] | None:
    """The speed of a surface along itself, in its SI unit; None where it stands."""
    if contact.belt is None:
        return None
    given, scale = contact.belt.expression, contact.belt.scale
    if scale == 1.0:
        return (given,)
    unit = Number(value=scale, dimension=units.SPEED, unit="m/s", literal=repr(scale), span=given.span)
    return (Binary(operator="*", left=given, right=unit, span=given.span),)
