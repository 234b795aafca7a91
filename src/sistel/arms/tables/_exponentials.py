"""Products of exponentials: an arm by the screws of its joints at zero, and where its tool is then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms.tables._dh import placed
from sistel.errors import Text, refuse
from sistel.pose import Screw, apart, from_screw
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Model


@record
class Exponentials:
    """An arm by its screws, in the ground's frame."""

    screws: Array
    """Of every joint at zero: angular velocity, then velocity at the origin, shape (n, 6); a slide does not turn."""
    home: Array
    """The pose of the tool at zero, shape (4, 4)."""
    names: tuple[str, ...] = ()

    def pose(self, q: Sequence[float]) -> Array:
        """The pose of the tool: the product of the exponentials, times the home."""
        X = np.eye(4)
        for screw, value in zip(self.screws, q, strict=True):
            w, v = screw[:3], screw[3:]
            if np.linalg.norm(w) < 0.5:
                step = np.eye(4)
                step[:3, 3] = float(value) * v
            else:
                point: Array = np.cross(w, v)
                angle, sign = abs(float(value)), math.copysign(1.0, float(value))
                step = from_screw(
                    Screw(
                        axis=sign * w,
                        point=point,
                        angle=np.array(angle),
                        distance=np.array(float(w @ v) * angle * sign),
                    )
                )
            X = X @ step
        return np.asarray(X @ self.home)


def exponentials(screws: ArrayLike, home: ArrayLike, names: Sequence[str] = ()) -> Exponentials:
    """Check the numbers of an arm.

    Raises:
        SistelError: A screw is neither that of a hinge nor that of a slide, or the home is no pose.
    """
    given = np.atleast_2d(np.asarray(screws, dtype=float))
    if given.ndim != 2 or given.shape[1] != 6 or not np.isfinite(given).all():
        refuse("no-arm", Text("every joint has six finite numbers", "у каждого сочленения шесть конечных чисел"))
    for number, (w, v) in enumerate(zip(given[:, :3], given[:, 3:], strict=True), start=1):
        turn, move = float(np.linalg.norm(w)), float(np.linalg.norm(v))
        hinge = abs(turn - 1.0) < 1e-9 and abs(float(w @ v)) < 1e-9
        if not hinge and not (turn < 1e-12 and abs(move - 1.0) < 1e-9):
            refuse(
                "no-arm",
                Text(
                    f"joint {number} is neither a hinge (unit axis, no pitch) nor a slide (unit direction)",
                    f"сочленение {number} — не шарнир (единичная ось без шага) и не ход (единичное направление)",
                ),
            )
    apart(home)
    return Exponentials(screws=given, home=np.asarray(home, dtype=float), names=tuple(names))


def exponentials_of(model: Model, frame: str) -> Exponentials:
    """The screws of the chain of joints that carries a frame.

    Raises:
        SistelError: There is no such frame, or its chain has other joints than hinges and slides.
    """
    chosen, chain = chain_to(model, frame)
    axes, home = axes_at_zero(chosen, chain)
    rows = []
    for point, axis, body in axes:
        if body.joint.type.key not in ("revolute", "prismatic"):
            refuse("no-arm", Text("only hinges and slides have screws", "винты есть только у шарниров и ходов"))
        hinge = body.joint.type.key == "revolute"
        rows.append([*axis, *np.cross(point, axis)] if hinge else [0.0, 0.0, 0.0, *axis])
    return Exponentials(screws=np.array(rows), home=home, names=tuple(body.name for _, _, body in axes))


def exponentials_xml(arm: Exponentials, name: str = "arm", tool: str = "tool") -> str:
    """The arm as a text in XsysTel, which `sistel.parse` reads: frames of all bodies along the ground's at zero."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<system name="{escape(name)}" class="open chain" space="spatial">',
    ]
    before = np.zeros(3)
    for number, screw in enumerate(arm.screws, start=1):
        w, v = screw[:3], screw[3:]
        hinge = np.linalg.norm(w) > 0.5
        point: Array = np.cross(w, v) if hinge else before
        place = np.eye(4)
        place[:3, 3] = point - before
        axis = ", ".join(f"{float(each) + 0.0:.15g}" for each in (w if hinge else v))
        said = {
            "name": arm.names[number - 1] if arm.names else f"link {number}",
            "joint": "revolute" if hinge else "prismatic",
            "axis": axis,
            "place": placed(place)["place"],
        }
        lines.append(
            "  " * number + "<body " + " ".join(f'{key}="{escape(value)}"' for key, value in said.items()) + ">"
        )
        before = point
    last = arm.home.copy()
    last[:3, 3] -= before
    said = placed(last)
    count = len(arm.screws)
    shown = " ".join(f'{key}="{value}"' for key, value in said.items())
    lines.append("  " * (count + 1) + f'<frame name="{escape(tool)}" {shown}/>')
    lines += ["  " * number + "</body>" for number in range(count, 0, -1)]
    return "\n".join([*lines, "</system>"]) + "\n"
