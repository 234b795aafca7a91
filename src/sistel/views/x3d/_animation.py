"""Motion of a scene: a clock, interpolators of every joint and spring that moves, and the routes between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Body
from sistel.records import record
from sistel.views.x3d._keys import continuous
from sistel.views.x3d._motion import Shift
from sistel.views.x3d._nodes import Names, Node, node, number, numbers, rows
from sistel.views.x3d._springs import Coil, Stretch, scales, turns

if TYPE_CHECKING:
    from sistel.arrays import Array


STILL = 1e-9
"""Of the size of the system: what moves less is at rest."""


@record
class Track:
    """The motion of one joint or of one spring at the keys."""

    name: str
    body: Body | None
    """Whose joint moves; None for a spring, whose node has that name."""
    places: Array | None
    """Shape (k, 3) [m]; None where it does not slide."""
    turns: Array | None
    """Axis and angle of every key, shape (k, 4) [rad]; None where it does not turn."""
    scales: Array | None = None
    """Shape (k, 3) [m]; None where it keeps its length."""


def tracks(bodies: tuple[Body, ...], shifts: list[Shift], size: float) -> list[Track]:
    """The joints that move, with their keys."""
    found = []
    for body, shift in zip(bodies, shifts, strict=True):
        moved = np.abs(shift.place - shift.place[:1]).max(initial=0.0) > STILL * size
        turn = continuous(shift.turn)
        turned = np.abs(turn - turn[:1]).max(initial=0.0) > STILL
        if moved or turned:
            places = shift.place if moved else None
            turns = rotations(shift) if turned else None
            found.append(Track(name=body.name, body=body, places=places, turns=turns))
    return found


def spring_tracks(springs: Sequence[tuple[Coil, Stretch]], size: float) -> list[Track]:
    """The springs that move, with their keys."""
    found = []
    for coil, at in springs:
        values = {"places": at.place, "turns": spring_turns(at), "scales": scales(coil, at.length)}
        limits = {"places": STILL * size, "turns": STILL, "scales": STILL * size}
        moving = {
            key: value if np.abs(value - value[:1]).max(initial=0.0) > limits[key] else None
            for key, value in values.items()
        }
        if any(value is not None for value in moving.values()):
            found.append(Track(name=coil.name, body=None, **moving))
    return found


def spring_turns(at: Stretch) -> Array:
    """Axis and angle from y to a spring, shape (n, 4) [rad]."""
    return _axes(continuous(turns(at.direction)))


def rotations(shift: Shift) -> Array:
    """Axis and angle of every turn, such that neighbours are near as quaternions too [rad]."""
    if shift.axis is not None and shift.angle is not None:
        # A turn by 4π changes nothing in the quaternion, not even its sign; large angles lose digits in viewers.
        angle = np.remainder(shift.angle + 2 * math.pi, 4 * math.pi) - 2 * math.pi
        return np.concatenate([np.tile(shift.axis, (len(angle), 1)), angle[:, None]], axis=1)
    return _axes(continuous(shift.turn))


def _axes(turn: Array) -> Array:
    sine = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
    axis = np.where(sine > 0.0, turn[:, 1:] / np.where(sine > 0.0, sine, 1.0), (0.0, 0.0, 1.0))
    return np.concatenate([axis, 2 * np.arctan2(sine, turn[:, :1])], axis=1)


def animation(
    moving: list[Track],
    times: Array,
    names: Names,
    target: Callable[[Track, str], tuple[str, str]],
) -> list[Node]:
    """The clock, the interpolators and the routes.

    Args:
        moving: The joints and springs.
        times: Of the keys [s].
        names: Names of nodes that are taken.
        target: For one of them and "translation", "rotation" or "scale": the node and the field that the motion
            goes to.
    """
    length = float(times[-1] - times[0])
    if not moving or not length > 0.0:
        return []
    clock = names.give("Clock")
    nodes = [node("TimeSensor", {"DEF": clock, "cycleInterval": number(length), "loop": "true"})]
    routes = []
    key = numbers((times - times[0]) / length)
    for track in moving:
        for kind, field, values in (
            ("PositionInterpolator", "translation", track.places),
            ("OrientationInterpolator", "rotation", track.turns),
            ("PositionInterpolator", "scale", track.scales),
        ):
            if values is None:
                continue
            name = names.give(track.name, suffix=f"_{field}")
            nodes.append(node(kind, {"DEF": name, "key": key, "keyValue": rows(values.tolist())}))
            routes.append(_route(clock, "fraction_changed", name, "set_fraction"))
            routes.append(_route(name, "value_changed", *target(track, field)))
    return [*nodes, *routes]


def _route(source: str, out: str, target: str, into: str) -> Node:
    return node("ROUTE", {"fromNode": source, "fromField": out, "toNode": target, "toField": into})
