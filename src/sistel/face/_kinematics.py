"""Inverse kinematics: where joints have to be for a frame to be where it is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from numbers import Integral, Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from sistel.errors import Text
from sistel.face._kept import hand_over
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms import ClosedForm
    from sistel.arrays import Array
    from sistel.face._system import System
    from sistel.solve import Single, Solution, Solver
    from sistel.solve.anfis import IkNets

Method = Literal["lm", "ccd", "analytic", "anfis"]
_KEY = (
    *("frame", "method", "task", "limits", "tolerance", "restarts"),
    *("iterations", "damping", "seed", "several", "structure"),
)
"""Arguments that tell plain calls for one target from each other."""
_REAL = ("f", "i", "u", "b")


def inverse_kinematics(
    self: System,
    target: ArrayLike,
    frame: str = "hand",
    method: Method = "lm",
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
    networks: IkNets | str | PathLike[str] | None = None,
    threads: int | None = None,
    structure: str | None = None,
) -> Solution:
    """Coordinates that bring a body, frame or point to a pose; success is verified by forward kinematics.

    Args:
        target: The pose in the world, shape (..., 4, 4) [m].
        frame: Name of the body, frame or point.
        method: "lm", Levenberg and Marquardt, for every arm; "ccd", cyclic coordinate descent (Wang and Chen),
            slower and for modest tolerances, but each joint moves by itself; "analytic", closed forms with all
            their branches, for arms of 3 to 6 joints whose last (or first) axes meet in a point, the other three
            joints being any, or whose second to fourth axes are parallel; "anfis", what `networks` answer.
        q: Where to begin, shape (nq,) or (..., nq) [m or rad]; without, the start of the file. Coordinates that do
            not move the frame stay as they are here.
        task: What is asked for: the whole "pose"; the "position" alone; "pointing", the position and the direction
            of z, the turn about it being free; or six weights: of turns about x, y and z of the target [1/rad²],
            then of ways along them [1/m²]. A weight of 0 leaves a component free.
        limits: Whether coordinates stay within the limits of their joints.
        tolerance: Largest error that is a success [rad and m], one number or a pair; 1e-8 of "lm" and "analytic",
            0.01 rad and 1 mm of "ccd" and "anfis".
        restarts: How many attempts follow the first, from places drawn within the limits.
        iterations: Of an attempt, at most; 40 of "lm", 1000 sweeps of "ccd".
        damping: Of "lm": λ to begin with, in parts of the cost ½eᵀWe at each step, so that it vanishes with the
            error; its factor after a rejected step, and after an accepted one.
        seed: Of the draw of the places: the same call gives the same answer.
        several: Whether all distinct solutions are kept; `.q` is then the nearest to the seed. Of "lm" those that
            all attempts come to, of "analytic" all that there are. Angles that differ by whole turns are the same
            solution; the one within the limits that is nearest to the seed is given.
        networks: What `sistel.solve.anfis.train_ik` gave for this frame, or the file it was saved to. "anfis"
            answers with them, other methods begin at their answer.
        threads: Of a search for many targets, at most; by default as many as there are cores. What is found does
            not depend on it, and Ctrl-C ends any search.
        structure: The structure, by default the initial one; it may hold nothing but joints.

    Returns:
        `.q`, `.success`, `.residual`, `.nearest`, `.iterations`, `.reason`, `.solutions`. Where "analytic" finds
        nothing, the search of "lm" tells the nearest.

    Raises:
        SistelError: A target is no pose (not finite, not at right angles, left-handed), or the call is wrong; the
            arm has no closed form; the networks learnt another arm.

    Example:
        >>> import sistel
        >>> arm = sistel.load("models/puma560.xml")
        >>> X = arm.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1], "tool")
        >>> bool(arm.inverse_kinematics(X, "tool").success)
        True
    """
    call = (frame, method, task, limits, tolerance, restarts, iterations, damping, seed, several, structure)
    plain = networks is None and (threads is None or (type(threads) is int and threads >= 1))
    quick = _quick_single(self, call, target, q) if plain else None
    if quick is not None:
        return quick
    import numpy as np

    from sistel import solve

    wrong = Text("inverse kinematics cannot be called so", "обратную задачу кинематики так не решить")
    pair = _options(method, tolerance, restarts, iterations, damping, seed, threads)
    if isinstance(pair, Text):
        refuse("bad-call", wrong, (pair,))
    whole, chosen = solve.read_task(task, method), self.structure(structure)
    targets, place = solve.read_targets(target), self._place_of(frame)
    if not self._engine.structure(chosen, False).is_tree:
        reason = Text("the structure has links beside its joints", "в структуре есть связи кроме сочленений")
        refuse("no-inverse-kinematics", wrong, (reason,))
    key = place, whole, bool(limits)
    solvers = self._kept.solvers
    if key not in solvers:
        joints = solve.moving_joints(self._model, place[0])
        if not joints.places:
            reason = Text(f'no hinge or slide moves "{frame}"', f"«{frame}» не движет ни один шарнир или ход")
            refuse("no-inverse-kinematics", wrong, (reason,))
        solvers.setdefault(key, solve.Solver(self._engine, place, joints, whole, bool(limits)))
    solver = solvers[key]
    closed = _closed(self, solver, frame, wrong) if method == "analytic" else None
    if networks is not None or method == "anfis":
        given = _answers(self, networks, frame, targets, q, wrong)
    else:
        given = self._model.start.q if q is None else q
    begin = _beginning(self, given, targets, wrong)
    if limits:
        places = list(solver.joints.places)
        begin[..., places] = np.clip(begin[..., places], solver.joints.low, solver.joints.high)
    options = solve.Options(
        method=method,
        limits=bool(limits),
        turn=pair[0],
        slide=pair[1],
        restarts=int(restarts),
        iterations=pair[2],
        damping=damping,
        seed=int(seed),
        several=bool(several),
        threads=None if threads is None else int(threads),
    )
    if method == "anfis":
        return solve.networks_solution(solver, targets, begin, options)
    plain = networks is None and targets.ndim == 2
    start = np.array(self._model.start.q, dtype=float)
    if closed is not None:
        from sistel.arms import closed_single, closed_solution

        if plain:
            _hand_over(self, call, closed_single(solver, closed, options, start))
        return closed_solution(solver, closed, targets, begin, options)
    if plain and method == "lm" and not several:
        _hand_over(self, call, solve.search_single(solver, options, start))
    return solve.inverse_kinematics(solver, targets, begin, options)


def _beginning(self: System, given: ArrayLike, targets: Array, wrong: Text) -> Array:
    """Where searches begin, shape (..., nq), with as many batches as the targets have or fewer."""
    import numpy as np

    from sistel.kernels import as_rows

    made = as_rows([("q", self.nq)], [("q", self.nq)], (given,), None)
    begin = np.array(made.inputs[0][: made.count], dtype=float)
    if not np.isfinite(begin).all():
        refuse("bad-array", wrong, (Text("q has numbers that are not finite", "в q есть числа, которые не конечны"),))
    begin = begin.reshape(*np.shape(given)[:-1], self.nq)
    try:
        np.broadcast_shapes(begin.shape[:-1], targets.shape[:-2])
    except ValueError:
        reason = Text("q and target have different batches", "у q и target разные пакеты")
        refuse("bad-array", wrong, (reason,))
    return begin


def _hand_over(self: System, call: tuple[object, ...], single: Single) -> None:
    """Let plain calls for one target that are like this one be answered by machine code."""
    from sistel.solve import Recall

    with suppress(TypeError):  # arguments that cannot be a key: lists
        self._kept.singles[call] = single
        hand_over(self, "inverse_kinematics", lambda method: Recall(method, partial(_single_of, self), self.__dict__))


def _closed(self: System, solver: Solver, frame: str, wrong: Text) -> ClosedForm:
    """The closed form of an arm."""
    from sistel.arms import closed_form

    forms = self._kept.closed_forms
    key = solver.place, solver.task
    if key not in forms:
        forms[key] = closed_form(self._model, solver.place, solver.task.weights, len(solver.joints.places))
    found = forms[key]
    if isinstance(found, Text):
        hint = Text('method="lm" solves it', 'method="lm" решает и её')
        refuse("no-closed-form", wrong, (Text(f'"{frame}": {found.en}', f"«{frame}»: {found.ru}"), hint))
    return found


def _answers(
    self: System, networks: IkNets | str | PathLike[str] | None, frame: str, targets: Any, q: object, wrong: Text
) -> Any:
    """What networks answer, shape (..., nq)."""
    from sistel import solve
    from sistel.solve.anfis import as_seed

    if networks is None or q is not None:
        reason = Text(
            '"anfis" needs networks, and where there are networks there is no other q',
            "для «anfis» нужны networks; вместе с networks не задают q",
        )
        refuse("bad-call", wrong, (reason,))
    return as_seed(solve.read_networks(networks, self._model, frame), targets)


def _single_of(self: System, arguments: Mapping[str, Any]) -> Any:
    """What answers a plain call for one target; None for the general way."""
    call = tuple(arguments[name] for name in _KEY)
    return None if arguments["networks"] is not None else self._kept.singles.get(call)


def _quick_single(self: System, call: tuple[object, ...], target: object, q: object) -> Solution | None:
    """The answer to a plain call for one target, made before with the same options; None for the general way."""
    try:
        single = self._kept.singles[call]
    except (KeyError, TypeError):
        return None
    if getattr(target, "shape", None) != (4, 4) or not (q is None or getattr(q, "shape", None) == single.shape):
        return None
    if not _is_real(target) or not (q is None or _is_real(q)):
        return None
    found: Solution | None = single(target, q)
    return found


def _is_real(array: object) -> bool:
    """Whether it is a plain array of real numbers; others would be cast or lose masks, and are for the general way."""
    return type(array).__name__ == "ndarray" and getattr(getattr(array, "dtype", None), "kind", None) in _REAL


def _options(
    method: str,
    tolerance: float | tuple[float, float] | None,
    restarts: int,
    iterations: int | None,
    damping: tuple[float, float, float],
    seed: int,
    threads: int | None,
) -> Text | tuple[float, float, int]:
    """Tolerances and iterations, or what is wrong."""
    known = {
        "lm": (1e-8, 1e-8, 40),
        "ccd": (1e-2, 1e-3, 1000),
        "analytic": (1e-8, 1e-8, 40),
        "anfis": (1e-2, 1e-3, 1),
    }
    usual = known.get(str(method))
    if usual is None:
        return Text(
            'method is "lm", "ccd", "analytic" or "anfis"',
            "method — lm, ccd, analytic или anfis",
        )
    try:
        if tolerance is None:
            turn, slide = usual[:2]
        else:
            given: Any = tolerance
            turn, slide = (float(given),) * 2 if isinstance(given, Real) else map(float, given)
    except (TypeError, ValueError):
        turn = slide = 0.0
    try:
        first, up, down = map(float, damping)
    except (TypeError, ValueError):
        first = up = down = 0.0
    if not (0.0 < turn < float("inf") and 0.0 < slide < float("inf")):
        return Text("tolerance is a positive number, or a pair of them", "tolerance — число больше 0 или пара таких")
    if not (0.0 < first < 1e6 and 1.0 < up < 1e6 and 0.0 < down <= 1.0):
        return Text(
            "damping is (λ > 0, a factor above 1, a factor of at most 1)",
            "damping — (λ > 0, множитель > 1, множитель ≤ 1)",
        )
    steps = usual[2] if iterations is None else iterations
    counts: tuple[object, ...] = (restarts, steps, seed, 1 if threads is None else threads)
    whole = all(isinstance(each, Integral) and not isinstance(each, bool) for each in counts)
    if not whole or restarts < 0 or steps < 1 or seed < 0 or (threads is not None and threads < 1):
        return Text(
            "restarts, iterations, seed and threads are whole numbers, not negative, iterations and threads at least 1",
            "restarts, iterations, seed и threads — целые числа, не меньше 0, iterations и threads не меньше 1",
        )
    return turn, slide, int(steps)
