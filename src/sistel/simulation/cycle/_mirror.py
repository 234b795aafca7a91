"""Mirrors: maps of states that exchange bodies, such as the left leg and the right one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Span, Text, refuse, refuse_name

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Body, Model


def mirror_map(model: Model, mirror: Mapping[str, str]) -> Array:
    """The matrix of a mirror, for states (q, v, t).

    Args:
        model: The system.
        mirror: Pairs of bodies that exchange their coordinates and velocities; a minus in front of the second name
            turns their signs. A body may be paired with itself, to turn its own.

    Raises:
        SistelError: There is no such body, or two bodies have different joints.
    """
    size = model.state_size
    made = np.eye(size)
    bodies = {body.name: body for body in model.bodies}
    used: set[str] = set()
    for first, word in mirror.items():
        second = word if word in bodies else word.removeprefix("-")
        sign = 1.0 if second == word else -1.0
        for name in (first, second):
            if name not in bodies:
                refuse_name(Text("body", "тела"), name, list(bodies))
        if {first, second} & used:
            no_cycle(
                Text(
                    f'the mirror names "{first}" or "{second}" twice',
                    f"в зеркале «{first}» или «{second}» названо дважды",
                )
            )
        used |= {first, second}
        _exchange(model, made, bodies[first], bodies[second], sign)
    return made


def _exchange(model: Model, made: Array, a: Body, b: Body, sign: float) -> None:
    if a.joint.type is not b.joint.type:
        no_cycle(
            Text(
                f'the bodies "{a.name}" and "{b.name}" of the mirror have different joints',
                f"у тел «{a.name}» и «{b.name}» в зеркале разные кинематические пары",
            )
        )
    if a.joint.type.has_quaternion and sign < 0:
        no_cycle(
            Text(
                f'the joint of body "{a.name}" turns in space: no minus in the mirror',
                f"пара тела «{a.name}» поворачивается в пространстве: минус в зеркале не годится",
            )
        )
    for i, j, count in (
        (a.first_q, b.first_q, a.joint.type.nq),
        (model.nq + a.first_v, model.nq + b.first_v, a.joint.type.nv),
    ):
        for k in range(count):
            made[[i + k, j + k]] = 0.0
            made[i + k, j + k] = made[j + k, i + k] = sign


def no_cycle(
    message: Text,
    instead: Text | None = None,
    place: tuple[Span, Text] | None = None,
    related: Sequence[tuple[Span, Text]] = (),
) -> NoReturn:
    """Refuse a search, and say what can be done.

    Args:
        message: What is in the way.
        instead: What can be done.
        place: Where it stands in the file, and what stands there.
        related: Other places that belong to it.
    """
    refuse("no-cycle", message, span=None if place is None else place[0], hint=instead, related=related)
