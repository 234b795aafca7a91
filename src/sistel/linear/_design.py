"""What other packages do for a linear system: feedbacks that are optimal, steps of time, objects of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse, refuse_name
from sistel.linear._analysis import poles
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.linear._analysis import Complex
    from sistel.linear._linear import Linear, Variable

PACKAGES = {"scipy": "SciPy", "control": "python-control"}


@record
class Feedback:
    """A feedback u = -K x."""

    K: Array
    """Shape (inputs, states)."""
    cost: Array
    """X in xᵀXx, the cost that a deviation x takes until it is gone, shape (states, states)."""
    poles: Complex
    """Of the closed system [1/s, or the factor of a step]."""


def _package(name: str) -> ModuleType:
    """A package that need not be installed."""
    owner = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError:
        title = PACKAGES[owner]
        refuse(
            f"no-{owner}",
            Text(f"this needs the package {title}, which is not installed", f"для этого нужен пакет {title}: его нет"),
            hint=Text("pip install 'sistel[control]'", "pip install 'sistel[control]'"),
        )


def discrete(linear: Linear, period: float) -> Linear:
    """As `Linear.discrete`."""
    if linear.period is not None:
        refuse("discrete", Text("the system is discrete already", "система уже дискретная"))
    if not (math.isfinite(period) and period > 0.0):
        refuse("bad-number", Text(f"the period must be positive, not {period}", f"период больше нуля, а не {period}"))
    n, m = linear.B.shape
    both = np.zeros((n + m, n + m))
    both[:n, :n], both[:n, n:] = linear.A, linear.B
    step = np.asarray(_package("scipy.linalg").expm(period * both))
    return replace(linear, A=step[:n, :n], B=step[:n, n:], rates=period * linear.rates, period=float(period))


def lqr(linear: Linear, Q: ArrayLike | Mapping[str, float], R: ArrayLike | Mapping[str, float]) -> Feedback:
    """As `Linear.lqr`."""
    states = _weights("Q", Q, linear.states)
    inputs = _weights("R", R, linear.inputs)
    if not len(linear.inputs):
        refuse("no-input", Text("the system has no inputs", "у системы нет входов"))
    if np.linalg.eigvalsh(states).min(initial=0.0) < -1e-12 * np.abs(states).max(initial=0.0):
        refuse("bad-weights", Text("Q has a negative eigenvalue", "у Q есть отрицательное собственное число"))
    if np.linalg.eigvalsh(inputs).min() <= 0.0:
        refuse("bad-weights", Text("R must be positive definite", "R должна быть положительно определённой"))
    missed = linear.controllability
    if not missed.stable:
        listed = ", ".join(missed.states)
        refuse(
            "not-stabilizable",
            Text(
                f"no feedback makes the system stable: modes of {listed} are out of reach of the inputs",
                f"обратной связью систему не стабилизировать: на движения {listed} входы не действуют",
            ),
            hint=Text(
                "leave out what nothing depends on (`only`), or add motors",
                "уберите то, от чего ничего не зависит (`only`), или добавьте приводы",
            ),
        )
    solver = _package("scipy.linalg")
    A, B = linear.A, linear.B
    try:
        if linear.period is None:
            X = np.asarray(solver.solve_continuous_are(A, B, states, inputs))
            K = np.linalg.solve(inputs, B.T @ X)
        else:
            X = np.asarray(solver.solve_discrete_are(A, B, states, inputs))
            K = np.linalg.solve(inputs + B.T @ X @ B, B.T @ X @ A)
    except np.linalg.LinAlgError:
        refuse(
            "no-lqr",
            Text(
                "these weights have no stabilising feedback: a mode that does not die away costs nothing",
                "при этих весах стабилизирующей обратной связи нет: незатухающее движение ничего не стоит",
            ),
            hint=Text("give every state a weight", "дайте вес каждому состоянию"),
        )
    return Feedback(K=K, cost=X, poles=poles(A - B @ K))


def _weights(name: Literal["Q", "R"], given: ArrayLike | Mapping[str, float], of: tuple[Variable, ...]) -> Array:
    """A symmetric matrix of weights."""
    if isinstance(given, Mapping):
        known = [each.name for each in of]
        for each in given:
            if each not in known:
                what = Text("state", "состояния") if name == "Q" else Text("input", "входа")
                refuse_name(what, each, known)
        given = [float(given.get(each, 0.0)) for each in known]
    made, size = np.asarray(given, dtype=float), len(of)
    if made.ndim == 0:
        made = np.full(size, float(made))
    if made.ndim == 1:
        made = np.diag(made)
    if made.shape != (size, size) or not np.isfinite(made).all():
        refuse(
            "bad-shape",
            Text(f"{name}: expected {size} finite weights, or a matrix of them", f"{name}: нужно весов: {size}"),
        )
    if np.abs(made - made.T).max(initial=0.0) > 1e-12 * np.abs(made).max(initial=0.0):
        refuse("bad-weights", Text(f"{name} is not symmetric", f"{name} не симметрична"))
    return made


def to_scipy(linear: Linear) -> object:
    """As `Linear.to_scipy`."""
    step = {} if linear.period is None else {"dt": linear.period}
    made: object = _package("scipy.signal").StateSpace(linear.A, linear.B, linear.C, linear.D, **step)
    return made


def to_control(linear: Linear) -> object:
    """As `Linear.to_control`."""

    def plain(names: Sequence[str]) -> list[str]:
        return [name.replace(".", "_") for name in names]  # a point leads from a system to its signals there

    made: object = _package("control").StateSpace(
        linear.A,
        linear.B,
        linear.C,
        linear.D,
        0 if linear.period is None else linear.period,
        states=plain(linear.state_names),
        inputs=plain(linear.input_names),
        outputs=plain(linear.output_names),
    )
    return made
