"""Tables of arms → documents: bodies whose joints are along their z, each in the one before.

The body of a row has its frame on the axis of its joint, as XsysTel wants it. In the modified convention that is the
frame of the row; in the standard one the frame of the row lies behind the link, so what is given there, the centre of
mass, the inertia and the next joint, is moved by a and α.
"""

from __future__ import annotations

import math

from sistel.errors import Diagnostics, Source, Span
from sistel.markup._document import Document, Node, make_node, si
from sistel.markup._losses import Losses
from sistel.markup.chains._rows import Placed, Row, Table
from sistel.markup.formats._foreign import Reading, put, put_numbers
from sistel.pose import IDENTITY, compose, from_axis_angle, roll_pitch_yaw, rotate, rotate_inertia
from sistel.units import ANGLE, INERTIA, LENGTH, MASS, PLAIN


def table_document(table: Table, source: Source, diagnostics: Diagnostics) -> tuple[Document, Losses]:
    """The document of an arm, and names that had to be changed.

    Args:
        table: The arm.
        source: What it was read from.
        diagnostics: Takes the problems.
    """
    losses = Losses()
    reading = Reading(losses, diagnostics)
    whole = next((row.span for row in table.rows if row.span is not None), Span(source, 0, 0))
    system = make_node("system", whole, space="spatial", name=table.name or None)
    carrier, before = system, table.base
    for number, row in enumerate(table.rows, start=1):
        span = row.span or whole
        body = make_node("body", span, joint=row.kind, axis=si((0.0, 0.0, 1.0), PLAIN, span))
        put(body, "name", reading.fresh(row.name or f"link {number}", row.at("name") or span), row.at("name") or span)
        tilt = _tilt(row)
        own: Placed = ((0.0, 0.0, row.d), from_axis_angle((0.0, 0.0, 1.0), row.theta))
        after: Placed = tilt
        if table.convention == "modified":
            own, after = _joined(tilt, own), ((0.0, 0.0, 0.0), IDENTITY)
        _place(body, _joined(before, own), span)
        for key, limit in (("min", row.low), ("max", row.high)):
            if math.isfinite(limit):
                put_numbers(body, key, limit, ANGLE if row.kind == "revolute" else LENGTH, row.at(key) or span)
        _weigh(body, row, after, span)
        carrier.children.append(body)
        carrier, before = body, after
    frame = make_node("frame", whole, name=reading.fresh(table.frame, whole))
    _place(frame, _joined(before, table.tool), whole)
    carrier.children.append(frame)
    return Document(system, source, "en"), losses


def _weigh(body: Node, row: Row, after: Placed, span: Span) -> None:
    """Mass, its centre and inertia, from the frame of the row to that of the body."""
    if row.mass is None:
        return
    put_numbers(body, "mass", row.mass, MASS, row.at("mass") or span)
    place, turn = after
    x, y, z = rotate(turn, row.com)
    com = (place[0] + x, place[1] + y, place[2] + z)
    if any(com):
        put_numbers(body, "com", com, LENGTH, row.at("cx", "cy", "cz") or span)
    if any(row.inertia):
        moments = rotate_inertia(turn, row.inertia)
        put_numbers(body, "inertia", moments, INERTIA, row.at("ixx", "iyy", "izz") or span)


def _place(node: Node, placed: Placed, span: Span) -> None:
    place, turn = placed
    if any(place):
        put_numbers(node, "place", place, LENGTH, span)
    angles = roll_pitch_yaw(turn)
    if any(angles):
        put_numbers(node, "turn", angles, ANGLE, span)


def _tilt(row: Row) -> Placed:
    return (row.a, 0.0, 0.0), from_axis_angle((1.0, 0.0, 0.0), row.alpha)


def _joined(first: Placed, second: Placed) -> Placed:
    (x, y, z), turn = first
    dx, dy, dz = rotate(turn, second[0])
    return (x + dx, y + dy, z + dz), compose(turn, second[1])
