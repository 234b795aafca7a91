"""The chain of bodies that carries a frame, and its joints at zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.model import Body, Frame, Model
from sistel.pose import IDENTITY, Rotation, Vector3, compose, rotate

if TYPE_CHECKING:
    from sistel.arrays import Array


def chain_to(model: Model, frame: str) -> tuple[Frame, list[Body]]:
    """A frame by its name, and the bodies from the ground to it; the name of a body means its own frame.

    Raises:
        SistelError: There is no such frame.
    """
    chosen = next((each for each in model.frames if each.name == frame), None)
    body = next((each for each in model.bodies if each.name == frame), None)
    if chosen is None and body is not None:
        chosen = Frame(name=frame, body=body.number, p_BF=(0.0, 0.0, 0.0), R_BF=IDENTITY, span=body.span)
    if chosen is None:
        refuse("no-frame", Text(f'there is no frame "{frame}"', f"нет репера «{frame}»"))
    chain: list[Body] = []
    number = chosen.body
    while number:
        chain.insert(0, model.bodies[number - 1])
        number = chain[0].base
    return chosen, chain


def axes_at_zero(frame: Frame, chain: Sequence[Body]) -> tuple[list[tuple[Array, Array, Body]], Array]:
    """A point and the direction of every joint that moves, and the pose of the frame, all coordinates zero [m]."""
    R: Rotation = IDENTITY
    p: Vector3 = (0.0, 0.0, 0.0)
    axes: list[tuple[Array, Array, Body]] = []
    for body in chain:
        x, y, z = rotate(R, body.p_PB)
        p, R = (p[0] + x, p[1] + y, p[2] + z), compose(R, body.R_PB)
        if body.joint.type.key != "fixed":
            axes.append((np.array(p), np.array(rotate(R, body.joint.axis)), body))
    x, y, z = rotate(R, frame.p_BF)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = np.array(compose(R, frame.R_BF)), (p[0] + x, p[1] + y, p[2] + z)
    return axes, X
