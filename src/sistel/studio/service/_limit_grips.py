"""Handles for the limits of joints in the plane: the ends of a rail, the ends of an arc."""

from __future__ import annotations

import math

from sistel.markup import Document
from sistel.model import Body, Model
from sistel.pose import Vector3
from sistel.studio.service._grips import Grip, label_with
from sistel.studio.service._slots import slots_of

ARC = 0.45
"""Radius of the arc of a turn, in parts of how far the body reaches."""


def limit_grips(model: Model, document: Document, far: dict[int, Vector3]) -> list[Grip]:
    """Handles for the limits that a text writes.

    Args:
        model: A planar system.
        document: Its text, as data.
        far: What is farthest on each body, in its frame [m].
    """
    bodies = {body.span.start: body for body in model.bodies if body.span.source is document.source}
    made: list[Grip] = []
    for node in document.root.walk():
        body = bodies.get(node.span.start) if node.key == "body" else None
        if body is None or body.joint.type.key not in ("revolute", "prismatic"):
            continue
        turn = body.joint.type.key == "revolute"
        for kind, key in (("low", "min"), ("high", "max")):
            attribute = node.attributes.get(key)
            slots = () if attribute is None else slots_of(attribute, 1, turns=(turn,))
            if not slots or attribute is None or body.joint.type.limits_place(0):
                continue
            made.append(
                Grip(
                    f"{kind}:{body.number}",
                    kind,
                    body.base,
                    body.number,
                    label_with(kind, body.name, slots),
                    lambda model, n=body.number, kind=kind: _at(model.bodies[n - 1], kind, far),  # type: ignore[misc]
                    lambda model, p, n=body.number, kind=kind: (_value(model.bodies[n - 1], kind, far, p),),  # type: ignore[misc]
                    slots,
                    attribute.span.start,
                    attribute.span.end,
                    minor=True,
                )
            )
    return made


def _limit(body: Body, kind: str) -> float:
    return float(body.joint.minimum[0] if kind == "low" else body.joint.maximum[0])


def _arm(body: Body, far: dict[int, Vector3]) -> tuple[float, float]:
    """Radius and angle, in the frame of the body, of the handles of a turn."""
    x, y, _ = far.get(body.number, (0.1, 0.0, 0.0))
    return ARC * math.hypot(x, y), math.atan2(y, x)


def _out(body: Body, x: float, y: float) -> Vector3:
    """From axes at the pole that do not turn with the body to those of its base [m]."""
    R, p = body.R_PB, body.p_PB
    return (float(p[0] + R[0][0] * x + R[0][1] * y), float(p[1] + R[1][0] * x + R[1][1] * y), 0.0)


def _at(body: Body, kind: str, far: dict[int, Vector3]) -> Vector3:
    value = _limit(body, kind)
    if body.joint.type.key == "prismatic":
        return _out(body, value * float(body.joint.axis[0]), value * float(body.joint.axis[1]))
    radius, angle = _arm(body, far)
    return _out(body, radius * math.cos(angle + value), radius * math.sin(angle + value))


def _value(body: Body, kind: str, far: dict[int, Vector3], p: Vector3) -> float:
    """The limit that a place in the base says; it never passes the other one."""
    R = body.R_PB
    dx, dy = float(p[0] - body.p_PB[0]), float(p[1] - body.p_PB[1])
    x, y = float(R[0][0]) * dx + float(R[1][0]) * dy, float(R[0][1]) * dx + float(R[1][1]) * dy
    if body.joint.type.key == "prismatic":
        value = x * float(body.joint.axis[0]) + y * float(body.joint.axis[1])
    else:
        now = _limit(body, kind)
        value = now + math.remainder(math.atan2(y, x) - _arm(body, far)[1] - now, 2.0 * math.pi)
    low, high = float(body.joint.minimum[0]), float(body.joint.maximum[0])
    return min(value, high) if kind == "low" else max(value, low)
