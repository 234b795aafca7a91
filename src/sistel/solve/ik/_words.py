"""Why a pose cannot be reached, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.solve.ik._solver import Options, Solver


AT_LIMIT = 1e-9
"""How near a coordinate is to its limit to stand at it [m or rad]."""
PUSH = 1e-3
"""Part of the largest push from which a limit binds."""


def explain(solver: Solver, target: Array, q: Array, left: Array, options: Options) -> Text:
    """Why a target is not reached: what remains, which limits bind, whether joints are too few.

    Args:
        solver: The frame and the task.
        target: Shape (4, 4).
        q: The nearest that was found.
        left: What remains there, shape (6,), in the axes of the target [rad and m].
        options: How it was searched for.
    """
    # Each of three components may be within a tolerance that they are not within together.
    turn, slide = options.turn / 3**0.5, options.slide / 3**0.5
    en, ru = [], []
    for i, value in enumerate(left):
        if abs(value) > (turn if i < 3 else slide):
            axis = "xyz"[i % 3]
            size = f"{math.degrees(value):.3g}°" if i < 3 else f"{1e3 * value:.3g}"
            en.append(f"{size} about {axis}" if i < 3 else f"{size} mm along {axis}")
            ru.append(f"{size} вокруг {axis}" if i < 3 else f"{size} мм по {axis}")
    reasons = [
        Text(
            f"not reached: {', '.join(en)} of the target remain",
            f"не достигнуто: остаётся {', '.join(ru)} (оси цели)",
        )
    ]
    joints = solver.joints
    rows = solver.task.rows
    if solver.engine.model.planar:
        # Places and turns out of the plane are those of the target too.
        rows = sum(weight > 0.0 for weight in solver.task.weights[2:5])
    if rows > len(joints.places):
        count = len(joints.places)
        reasons.append(
            Text(
                f"the task has {rows} components and only {count} coordinates move the frame: most such targets have no"
                " solution",
                f"в задаче {rows} составляющих, а координат, которые двигают репер, только {count}: у большинства"
                " таких целей решения нет",
            )
        )
        if any(solver.task.weights[:3]):
            reasons.append(
                Text(
                    'leave a component free, as task="pointing" or "position" do',
                    "освободите составляющую, как task=«pointing» или «position»",
                )
            )
    binding = _binding(solver, target, q, left) if solver.limits else []
    if binding:
        reasons.append(
            Text(
                "limits that bind: "
                + ", ".join(f'"{name}" at {_value(value, turns, "en")}' for name, value, turns in binding),
                "мешают пределы: "
                + ", ".join(f"«{name}» {_value(value, turns, 'ru')}" for name, value, turns in binding),
            )
        )
    elif options.method == "ccd":
        reasons.append(
            Text(
                'joints that move one at a time did not get further; "lm" may',
                "по одному сочленению дальше не вышло; «lm» может",
            )
        )
    elif rows <= len(joints.places):
        count = options.restarts + 1
        reasons.append(
            Text(
                f"it seems out of reach: attempts made: {count}, none came nearer",
                f"похоже, это вне досягаемости: попыток {count}, ближе не подошла ни одна",
            )
        )
    return Text("; ".join(each.en for each in reasons), "; ".join(each.ru for each in reasons))


def _binding(solver: Solver, target: Array, q: Array, left: Array) -> list[tuple[str, float, bool]]:
    """Coordinates that stand at a limit and would go on: name, limit, whether it is an angle."""
    joints = solver.joints
    J = solver.jacobian(q)
    e = np.concatenate([target[:3, :3] @ left[:3], target[:3, :3] @ left[3:]])
    push = J.T @ e
    worst = float(np.abs(J).max(initial=0.0) * np.abs(e).max())
    found = []
    for k, place in enumerate(joints.places):
        for limit, sign in ((joints.low[k], -1.0), (joints.high[k], 1.0)):
            if abs(q[place] - limit) <= AT_LIMIT and sign * push[k] > PUSH * worst:
                found.append((joints.names[k], limit, joints.turns[k]))
    return found


def _value(value: float, turns: bool, lang: str) -> str:
    return f"{math.degrees(value):.4g}°" if turns else f"{1e3 * value:.4g} {'mm' if lang == 'en' else 'мм'}"
