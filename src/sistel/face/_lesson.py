"""Lessons: a page in which an arm is moved, sent to poses and along trajectories."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.face._system import System
    from sistel.motion.trajectories import Trajectory
    from sistel.solve.anfis import DynamicsNets, IkNets


def lesson(
    self: System,
    path: str | os.PathLike[str] | None = None,
    frame: str | None = None,
    *,
    mode: Literal["forward", "inverse", "trajectory"] = "forward",
    q: ArrayLike | None = None,
    target: ArrayLike | None = None,
    task: Literal["pose", "position", "pointing"] = "pose",
    method: Literal["lm", "ccd", "anfis"] = "lm",
    to: ArrayLike | None = None,
    kind: Literal["cubic", "quintic", "septic", "trapezoid", "scurve"] = "quintic",
    duration: float | None = None,
    trajectory: Trajectory | None = None,
    payload: float = 0.0,
    networks: IkNets | DynamicsNets | Sequence[IkNets | DynamicsNets] = (),
    lang: Literal["en", "ru"] | None = None,
) -> str:
    """One page about an arm: forward kinematics, inverse kinematics, trajectories and the forces that they need.

    It opens anywhere without a network, and computes all of it by itself.

    Args:
        path: Where to write it, .html; without, it is only returned.
        frame: Name of the body, frame or point that is the tool; the last frame unless told otherwise.
        mode: What the page opens with.
        q: Coordinates to begin with, shape (nq,) [m or rad]; those of the file unless told otherwise.
        target: Pose of the tool to solve for, shape (4, 4) [m].
        task: Which part of that pose counts: all of it, the place, or the place and the direction of z.
        method: How it is solved for: Levenberg and Marquardt, cyclic coordinate descent, or trained networks.
        to: Coordinates to go to from `q`, shape (nq,) [m or rad].
        kind: Of that trajectory: a polynomial, or the fastest within limits of speed, acceleration (and jerk).
        duration: Of that trajectory [s].
        trajectory: Of all coordinates, shown as it is, instead of `to`.
        payload: Mass at the place of the tool [kg].
        networks: Trained for this arm: those of inverse kinematics, those of dynamics, or both.
        lang: Language in which the page opens; the user's unless told otherwise. The page has both.

    Returns:
        The page.

    Raises:
        SistelError: The system is no open chain of turns and slides, or values do not fit it.

    Example:
        >>> import sistel
        >>> arm = sistel.load("models/puma560.xml")
        >>> page = arm.lesson(frame="tool", mode="trajectory", to=[0.5, 0.5, -2.0, 0.0, 0.3, 0.0], duration=1.5)
        >>> page.startswith("<!doctype html>")
        True
    """
    from sistel.views.lesson import Opening, lesson_page

    opening = Opening(
        mode=mode,
        q=q,
        target=target,
        task=task,
        method=method,
        to=to,
        kind=kind,
        duration=duration,
        trajectory=trajectory,
        payload=payload,
    )
    page = lesson_page(self._model, frame, opening, networks=networks, lang=lang)
    if path is not None:
        from sistel.markup import write_text

        write_text(os.fspath(path), page)
    return page
