"""Inverse kinematics by networks that learnt an arm: what they answer, and how far that is off."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.solve import anfis
from sistel.solve.ik._inverse_kinematics import residuals
from sistel.solve.ik._single import within
from sistel.solve.ik._solution import Solution

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.solve.ik._solver import Options, Solver


def read_networks(given: anfis.IkNets | str | os.PathLike[str], model: Model, frame: str) -> anfis.IkNets:
    """Networks, or those of a file, that learnt this frame of this system.

    Raises:
        SistelError: There is no such file, or it holds something else, or they learnt another arm or frame.
    """
    nets = anfis.load(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(nets, anfis.IkNets):
        refuse(
            "bad-networks",
            Text("these are no networks of inverse kinematics", "это не сети обратной задачи кинематики"),
            expected=Text(
                "what sistel.solve.anfis.train_ik gives, or a file of it",
                "то, что даёт sistel.solve.anfis.train_ik, или его файл",
            ),
        )
    if nets.fingerprint != model.fingerprint:
        refuse(
            "bad-networks",
            Text("the networks learnt another system", "сети учили другую систему"),
            expected=Text(
                "train them anew: any change of an arm makes it another", "обучите заново: любая правка руки важна"
            ),
        )
    if nets.frame != frame:
        refuse(
            "bad-networks",
            Text(f'the networks learnt "{nets.frame}", not "{frame}"', f"сети учили «{nets.frame}», а не «{frame}»"),
            expected=Text(f'frame="{nets.frame}"', f'frame="{nets.frame}"'),
        )
    return nets


def networks_solution(solver: Solver, target: Array, seed: Array, options: Options) -> Solution:
    """What networks answer, as it is.

    Args:
        solver: The frame and the task.
        target: Shape (..., 4, 4) [m].
        seed: Their answers, shape (..., nq), within the limits.
        options: Tolerances.
    """
    batch = np.broadcast_shapes(target.shape[:-2], seed.shape[:-1])
    targets = np.ascontiguousarray(np.broadcast_to(target, (*batch, 4, 4))).reshape(-1, 4, 4)
    q = np.ascontiguousarray(np.broadcast_to(seed, (*batch, seed.shape[-1]))).reshape(-1, seed.shape[-1]).copy()
    pose = solver.pose(q)
    left = residuals(solver.task, targets, pose)
    good = within(left, options)
    reasons = tuple(None if fine else _missed(solver, row, options) for fine, row in zip(good, left, strict=True))
    single, none = not batch, np.zeros(batch, dtype=np.int64)
    several = [each[None][: int(fine)] for each, fine in zip(q, good, strict=True)] if options.several else None
    return Solution(
        q=q.reshape(*batch, q.shape[-1]),
        success=bool(good[0]) if single else good.reshape(batch),
        residual=left.reshape(*batch, 6),
        nearest=pose.reshape(*batch, 4, 4),
        iterations=0 if single else none,
        attempt=0 if single else none.copy(),
        reason=reasons[0] if single else reasons,
        solutions=None if several is None else several[0] if single else tuple(several),
    )


def _missed(solver: Solver, left: Array, options: Options) -> Text:
    """By how much an answer misses its target."""
    turn, slide = math.degrees(math.hypot(*left[:3])), 1e3 * math.hypot(*left[3:])
    en, ru = f"{slide:.3g} mm", f"{slide:.3g} мм"
    if any(solver.task.weights[:3]):
        en, ru = f"{en} and {turn:.3g}°", f"{ru} и {turn:.3g}°"
    return Text(
        f"not reached: the networks miss by {en}, more than {1e3 * options.slide:.3g} mm or"
        f' {math.degrees(options.turn):.3g}°; method="lm" with the same networks goes on from here',
        f"не достигнуто: сети промахнулись на {ru}, больше {1e3 * options.slide:.3g} мм или"
        f" {math.degrees(options.turn):.3g}°; method=«lm» с теми же сетями продолжит отсюда",
    )
