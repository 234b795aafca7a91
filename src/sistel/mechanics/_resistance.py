"""Resistance to rolling, and friction of spin: moments that a normal force bounds.

A disk or a wheel that rolls presses more on the ground before it than behind: the normal force acts ahead of the place
where it touches by up to a length, and what holds it at rest on a slope is the same moment, as long as that is enough.
About the normal, the place where a ball touches has a size, too, and resists spin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.expr import Scalar, Vector, cross, dot, sqrt
from sistel.mechanics._linear import inner
from sistel.mechanics._rows import Row, Wrench, turn_row, twists
from sistel.model import Contact
from sistel.pose import IDENTITY
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.mechanics._constraints import RowDeriver


@entry
class Turning:
    """What the resistance of a contact does in a structure."""

    contact: str
    spins: bool
    """Whether it is about the normal; else it is of rolling."""
    way: float
    """Sense of the turn that it acts against, 0 where it holds."""


def resisting_rows(deriver: RowDeriver, contact: Contact, spins: bool, link: str) -> list[Row]:
    """The turns that a contact resists: that of the plane, about an axle, about the normal, or two across it."""
    (carrier, other), world = deriver.spots(
        (contact.on, (0.0, 0.0, 0.0), IDENTITY), (contact.body, contact.p_BP, IDENTITY)
    )
    relative = other.spin - carrier.spin
    assert contact.round is not None
    made: list[tuple[Vector, Scalar]] = []
    if deriver.model.planar:
        made = [(Vector(0.0, 0.0, 1.0), 0.0)]
    elif not spins and contact.round.axis is not None:
        # The axle goes with the wheel, not with the ground.
        axle = other.axes @ contact.round.axis
        made = [(axle, dot(cross(relative, axle), relative))]
    else:
        touch, _ = deriver.touch(contact, carrier, other, carrier.axes.T @ (other.place - carrier.place))
        n, bend = touch.n, touch.bend
        if spins:
            made = [(n, 0.0 if bend is None else dot(bend, relative))]
        else:
            # Exact where it does not roll, as where it is used: what is left of the turn then is about the normal.
            made = [
                (along, 0.0 if bend is None else 0.0 - dot(bend, along) * dot(n, relative))
                for along in deriver.across(carrier, n)
            ]
    rows = []
    for axis, more in made:
        J, bias = turn_row(carrier, other, axis)
        row = Row(link, "turning", J, bias + more, 0.0, twists(world, carrier, other, axis, True))
        row.holds_place = False
        rows.append(row)
    return rows


def resist(deriver: RowDeriver, made: list[Row], contacts: Sequence[Contact], turning: Turning) -> None:
    """Add what a resistance does to the rows of a structure: a row that holds, or a moment with the normal force."""
    contact = next(each for each in contacts if each.name == turning.contact)
    rows = resisting_rows(deriver, contact, turning.spins, contact.name)
    if not turning.way:
        made += rows
        return
    normal = next(each for each in made if each.link == contact.name and each.part == "normal")
    against = _against(deriver, rows, turning.way)
    most = contact.spinning if turning.spins else contact.resistance
    pulls = [most * pull for pull in against]
    drag: list[Scalar] = [0.0] * len(normal.J) if normal.drag is None else normal.drag
    for pull, row in zip(pulls, rows, strict=True):
        drag = [a + pull * b for a, b in zip(drag, row.J, strict=True)]
    normal.drag = drag
    more = tuple(
        Wrench(each.body, each.p, pull * each.moment, pull * each.force)
        for pull, row in zip(pulls, rows, strict=True)
        for each in row.wrenches
    )
    normal.dragged = (*normal.dragged, *more)
    if normal.shown is not None:
        moment, force = normal.shown
        for each in more[::2]:
            moment = moment + each.moment
        normal.shown = moment, force


def _against(deriver: RowDeriver, rows: Sequence[Row], way: float) -> list[Scalar]:
    """The direction of a moment against a turn."""
    if len(rows) == 1:
        return [-way]
    speeds = [inner(row.J, deriver.v) for row in rows]
    speed = sqrt(speeds[0] * speeds[0] + speeds[1] * speeds[1])
    return [0.0 - each / speed for each in speeds]
