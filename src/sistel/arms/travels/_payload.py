"""A load in the hand of an arm: a body fixed to a frame, as a part of the body that carries the frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from sistel.errors import Text, refuse
from sistel.pose import Vector3, rotate, rotate_inertia

if TYPE_CHECKING:
    from sistel.expr import Scalar, Scalars
    from sistel.model import Inertia, Model

NONE: Inertia = (0.0,) * 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What an arm carries at a frame."""

    mass: float
    """[kg]"""
    centre: Vector3 = (0.0, 0.0, 0.0)
    """Centre of mass in the axes of the frame [m]."""
    inertia: tuple[float, float, float, float, float, float] = NONE
    """About the centre of mass, along the axes of the frame: xx, yy, zz, xy, xz, yz [kg·m²]."""

    def __post_init__(self) -> None:
        _check(self)


def read_payload(given: Payload | float | Sequence[float] | None) -> Payload | None:
    """A load as people say it: a mass, or a mass and the place of its centre, or all of it.

    Args:
        given: A `Payload`; a mass [kg]; or 4, 7 or 10 numbers: mass, centre [m], then moments of inertia xx, yy, zz and
            products xy, xz, yz [kg·m²].

    Raises:
        SistelError: It is none of these, or no body has such numbers.
    """
    if given is None or isinstance(given, Payload):
        return given
    said: object = given
    expected = Text(
        "a mass, or mass, x, y, z, or these and 3 or 6 moments of inertia",
        "масса; масса, x, y, z; или ещё 3 или 6 моментов инерции",
    )
    try:
        numbers = [float(given)] if isinstance(given, int | float) else [float(each) for each in given]
    except (TypeError, ValueError):
        numbers = []
    if isinstance(said, str) or len(numbers) not in (1, 4, 7, 10):
        refuse("bad-payload", Text("this is no load", "это не груз"), expected=expected)
    numbers += [0.0] * (10 - len(numbers))
    inertia = cast("Inertia", tuple(numbers[4:]))
    return Payload(mass=numbers[0], centre=(numbers[1], numbers[2], numbers[3]), inertia=inertia)


def with_payload(model: Model, frame: str, load: Payload) -> Model:
    """The same system, the body of a frame made heavier by a load.

    Masses add, centres of mass balance, and moments of inertia pass to the common centre by Steiner's theorem. Numbers
    of the model may be anything that can be added and multiplied.

    Raises:
        SistelError: The frame is the ground's.
    """
    number, p_BF, R_BF = model.place_of(frame)
    if number == 0:
        refuse(
            "bad-payload",
            Text(
                f'"{frame}" is fixed to the ground: nothing carries a load there',
                f"«{frame}» закреплён на земле: нести груз там нечему",
            ),
        )
    if load.mass == 0.0:
        return model
    body = model.bodies[number - 1]
    p_BL = tuple(a + b for a, b in zip(p_BF, rotate(R_BF, load.centre), strict=True))
    total = body.mass + load.mass
    centre = tuple(
        (body.mass * own + load.mass * other) / total for own, other in zip(body.p_BoBcm_B, p_BL, strict=True)
    )
    inertia = [
        a + b + c + d
        for a, b, c, d in zip(
            body.I_BBcm_B,
            rotate_inertia(R_BF, load.inertia),
            _steiner(body.mass, _apart(body.p_BoBcm_B, centre)),
            _steiner(load.mass, _apart(p_BL, centre)),
            strict=True,
        )
    ]
    made = replace(body, mass=total, p_BoBcm_B=centre, I_BBcm_B=tuple(inertia))  # type: ignore[arg-type]
    bodies = (*model.bodies[: number - 1], made, *model.bodies[number:])
    return replace(model, bodies=bodies)


def _apart(p: Scalars, q: Scalars) -> list[Scalar]:
    return [a - b for a, b in zip(p, q, strict=True)]


def _steiner(mass: Scalar, r: Scalars) -> tuple[Scalar, ...]:
    """Moments and products of inertia of a point: m (r² 1 − r rᵀ)."""
    x, y, z = r
    return (
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -(mass * (x * y)),
        -(mass * (x * z)),
        -(mass * (y * z)),
    )


def _check(load: Payload) -> None:
    import numpy as np

    numbers = [load.mass, *load.centre, *load.inertia]
    if len(numbers) != 10 or not all(math.isfinite(each) for each in numbers) or load.mass < 0.0:
        refuse(
            "bad-payload",
            Text("a load has a mass of at least 0 and finite numbers", "у груза масса не меньше 0 и конечные числа"),
        )
    xx, yy, zz, xy, xz, yz = load.inertia
    principal = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    # Of a real body none of the three is above the sum of the others; a rod just meets that.
    slack = 1e-9 * float(np.abs(principal).max())
    if principal[0] < -slack or principal[2] > principal[0] + principal[1] + slack:
        refuse(
            "bad-payload", Text("no body has these moments of inertia", "таких моментов инерции нет ни у какого тела")
        )
    if load.mass == 0.0 and any(load.inertia):
        refuse("bad-payload", Text("what has no mass has no moments of inertia", "без массы нет и моментов инерции"))
