"""Inverse kinematics: where joints have to be for a frame to be where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from sistel.errors import Text
from sistel.face._dynamics import Dynamics
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.solve import Solution


class InverseKinematics(Dynamics):
    """Where joints have to be for a frame to be where it is wanted."""

    __slots__ = ()

    def inverse_kinematics(
        self,
        target: ArrayLike,
        frame: str = "hand",
        method: Literal["lm", "ccd"] = "lm",
        *,
        q: ArrayLike | None = None,
        task: Literal["pose", "position", "pointing"] | Sequence[float] = "pose",
        limits: bool = True,
        tolerance: float | tuple[float, float] | None = None,
        restarts: int = 100,
        iterations: int | None = None,
        damping: tuple[float, float, float] = (0.1, 4.0, 0.7),
        seed: int = 1,
        several: bool = False,
        structure: str | None = None,
    ) -> Solution:
        """Coordinates that bring a body, frame or point to a pose; success is verified by forward kinematics.

        Args:
            target: The pose in the world, shape (..., 4, 4) [m].
            frame: Name of the body, frame or point.
            method: "lm", Levenberg and Marquardt, or "ccd", cyclic coordinate descent (Wang and Chen): slower, and for
                modest tolerances, but each joint moves by itself.
            q: Where to begin, shape (nq,) or (..., nq) [m or rad]; without, the start of the file. Coordinates that do
                not move the frame stay as they are here.
            task: What is asked for: the whole "pose"; the "position" alone; "pointing", the position and the direction
                of z, the turn about it being free; or six weights: of turns about x, y and z of the target [1/rad²],
                then of ways along them [1/m²]. A weight of 0 leaves a component free.
            limits: Whether coordinates stay within the limits of their joints.
            tolerance: Largest error that is a success [rad and m], one number or a pair; 1e-8 of "lm", 0.01 rad and
                1 mm of "ccd".
            restarts: How many attempts follow the first, from places drawn within the limits.
            iterations: Of an attempt, at most; 40 of "lm", 1000 sweeps of "ccd".
            damping: Of "lm": λ to begin with, in parts of the cost ½eᵀWe at each step, so that it vanishes with the
                error; its factor after a rejected step, and after an accepted one.
            seed: Of the draw of the places: the same call gives the same answer.
            several: Whether all attempts are made and distinct solutions kept; `.q` is then the nearest to the seed.
            structure: The structure, by default the initial one; it may hold nothing but joints.

        Returns:
            `.q`, `.success`, `.residual`, `.nearest`, `.iterations`, `.reason`, `.solutions`.

        Raises:
            SistelError: A target is no pose (not finite, not at right angles, left-handed), or the call is wrong.

        Example:
            >>> import sistel
            >>> arm = sistel.load("models/puma560.xml")
            >>> X = arm.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1], "tool")
            >>> bool(arm.inverse_kinematics(X, "tool").success)
            True
        """
        call = (frame, method, task, limits, tolerance, restarts, iterations, damping, seed, several, structure)
        quick = self._quick_single(call, target, q)
        if quick is not None:
            return quick
        import numpy as np

        from sistel import solve
        from sistel.kernels import as_rows

        wrong = Text("inverse kinematics cannot be called so", "обратную задачу кинематики так не решить")
        pair = _options(method, tolerance, restarts, iterations, damping, seed)
        if isinstance(pair, Text):
            refuse("bad-call", wrong, (pair,))
        whole, chosen = solve.read_task(task, method), self.structure(structure)
        targets, place = solve.read_targets(target), self._place_of(frame)
        if not self._engine.structure(chosen, False).is_tree:
            reason = Text("the structure has links beside its joints", "в структуре есть связи кроме сочленений")
            refuse("no-inverse-kinematics", wrong, (reason,))
        key = place, whole, bool(limits)
        solvers = self.__dict__.setdefault("_solvers", {})
        if key not in solvers:
            joints = solve.moving_joints(self._model, place[0])
            if not joints.places:
                reason = Text(f'no coordinate moves "{frame}"', f"«{frame}» не движет ни одна координата")
                refuse("no-inverse-kinematics", wrong, (reason,))
            solvers[key] = solve.Solver(self._engine, place, joints, whole, bool(limits))
        solver = solvers[key]
        given = self._model.start.q if q is None else q
        begin = np.array(as_rows([("q", self.nq)], [("q", self.nq)], (given,), None).inputs[0], dtype=float)
        if not np.isfinite(begin).all():
            refuse(
                "bad-array", wrong, (Text("q has numbers that are not finite", "в q есть числа, которые не конечны"),)
            )
        begin = begin.reshape(*np.shape(given)[:-1], self.nq)
        try:
            np.broadcast_shapes(begin.shape[:-1], targets.shape[:-2])
        except ValueError:
            reason = Text("q and target have different batches", "у q и target разные пакеты")
            refuse("bad-array", wrong, (reason,))
        if limits:
            places = list(solver.joints.places)
            begin[..., places] = np.clip(begin[..., places], solver.joints.low, solver.joints.high)
        options = solve.Options(
            method=method,
            limits=bool(limits),
            turn=pair[0],
            slide=pair[1],
            restarts=restarts,
            iterations=pair[2],
            damping=damping,
            seed=seed,
            several=bool(several),
        )
        if targets.ndim == 2 and not several and method == "lm":
            with suppress(TypeError):  # arguments that cannot be a key: lists
                self.__dict__.setdefault("_singles", {})[call] = solve.Single(
                    solver, options, np.array(self._model.start.q, dtype=float)
                )
        return solve.inverse_kinematics(solver, targets, begin, options)

    def _quick_single(self, call: tuple[object, ...], target: object, q: object) -> Solution | None:
        """The answer to a plain call for one target, made before with the same options; None for the general way."""
        try:
            single = self.__dict__["_singles"][call]
        except (KeyError, TypeError):
            return None
        if getattr(target, "shape", None) != (4, 4) or not (q is None or getattr(q, "shape", None) == single.shape):
            return None
        found: Solution | None = single(target, q)
        return found


def _options(
    method: str,
    tolerance: float | tuple[float, float] | None,
    restarts: int,
    iterations: int | None,
    damping: tuple[float, float, float],
    seed: int,
) -> Text | tuple[float, float, int]:
    """Tolerances and iterations, or what is wrong."""
    if method not in ("lm", "ccd"):
        return Text('method is "lm" or "ccd"', "method — lm или ccd")
    usual = (1e-8, 1e-8, 40) if method == "lm" else (1e-2, 1e-3, 1000)
    try:
        if tolerance is None:
            turn, slide = usual[:2]
        else:
            turn, slide = (tolerance, tolerance) if isinstance(tolerance, (int, float)) else map(float, tolerance)
        fine = 0.0 < turn < float("inf") and 0.0 < slide < float("inf")
        first, up, down = map(float, damping)
    except (TypeError, ValueError):
        fine, first, up, down = False, 1.0, 2.0, 0.5
        turn = slide = 0.0
    if not fine:
        return Text("tolerance is a positive number, or a pair of them", "tolerance — число больше 0 или пара таких")
    if not (0.0 < first < 1e6 and 1.0 < up < 1e6 and 0.0 < down <= 1.0):
        return Text(
            "damping is (λ > 0, a factor above 1, a factor of at most 1)",
            "damping — (λ > 0, множитель > 1, множитель ≤ 1)",
        )
    steps = usual[2] if iterations is None else iterations
    given: tuple[object, ...] = (restarts, steps, seed)
    whole = all(isinstance(each, int) and not isinstance(each, bool) for each in given)
    if not whole or restarts < 0 or steps < 1 or seed < 0:
        return Text(
            "restarts, iterations and seed are whole numbers, not negative, iterations at least 1",
            "restarts, iterations и seed — целые числа, не меньше 0, iterations не меньше 1",
        )
    return turn, slide, steps
