"""Hybrid learning (Jang 1993): least squares for the consequents, then a step down the slope of the premises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record
from sistel.solve.anfis._checks import as_count, as_positive
from sistel.solve.anfis._fit import RIDGE, improve_consequents, premise_gradient
from sistel.solve.anfis._network import Anfis
from sistel.solve.anfis._structure import as_pairs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


NARROWEST = 1e-3
"""Least width, of the range of an input: a step may not carry it to zero or below."""
GROW, SHRINK = 1.1, 0.9
"""Jang's: the step grows after four falls of the error in a row, and shrinks after two falls that follow rises."""

End = Literal["epochs", "validation", "asked", "flat"]
"""Why learning ended: all epochs done, validation no better for long, `progress` asked for it, no slope left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    """What is told after every epoch."""

    number: int
    """From 1."""
    of: int
    rmse: float
    """On training data [unit of the output]."""
    validation: float | None
    """RMSE on validation data [unit of the output]."""
    step: float
    """Length of the step that follows, over all premises together, of scaled inputs."""


@record
class Trained:
    """A network that has learnt."""

    network: Anfis
    """The best of all epochs: on validation data where there are some, else on training data."""
    epochs: tuple[Epoch, ...]
    best: int
    """The epoch that `network` is of, from 1."""
    end: End

    @property
    def rmse(self) -> float:
        """On training data, of `network` [unit of the output]."""
        return self.epochs[self.best - 1].rmse

    @property
    def validation(self) -> float | None:
        """On validation data, of `network` [unit of the output]."""
        return self.epochs[self.best - 1].validation


def train(
    network: Anfis,
    x: ArrayLike,
    y: ArrayLike,
    *,
    validation: tuple[ArrayLike, ArrayLike] | None = None,
    epochs: int = 30,
    step: float = 0.01,
    patience: int = 10,
    ridge: float = RIDGE,
    progress: Callable[[Epoch], bool | None] | None = None,
) -> Trained:
    """Let a network learn; the same data always give the same network.

    Args:
        network: Where to begin, see `build_network`.
        x: Inputs, shape (count, n).
        y: Outputs, shape (count,) [unit of the output].
        validation: Inputs and outputs that are not learnt from, to stop before the data are learnt by heart.
        epochs: Most epochs.
        step: First length of a step of all premises together, of inputs scaled to 1.
        patience: Epochs without a better validation error after which learning ends.
        ridge: See `fit_consequents`.
        progress: Told every epoch; an answer of False ends the learning with the best network so far.
    """
    inputs, outputs = _fitting(network, x, y)
    checks = None if validation is None else _fitting(network, *validation)
    epochs, patience = as_count(epochs, "epochs"), as_count(patience, "patience")
    length, ridge = as_positive(step, "step"), as_positive(ridge, "ridge", zero=True)
    history: list[Epoch] = []
    best, best_error, changed = network, np.inf, 0
    best_number = 1
    end: End = "epochs"
    network = improve_consequents(network, inputs, outputs, ridge)
    for number in range(1, epochs + 1):
        network = improve_consequents(network, inputs, outputs, ridge)
        energy, by_centre, by_width = premise_gradient(network, inputs, outputs)
        rmse = float(np.sqrt(2.0 * energy / len(outputs)))
        checked = None if checks is None else root_mean_square(network.predict(checks[0]) - checks[1])
        errors = [epoch.rmse for epoch in history] + [rmse]
        factor = _factor(errors[changed:])
        if factor != 1.0:
            length, changed = length * factor, len(errors) - 1
        history.append(Epoch(number=number, of=epochs, rmse=rmse, validation=checked, step=length))
        error = rmse if checked is None else checked
        if error < best_error:
            best, best_error, best_number = network, error, number
        if progress is not None and progress(history[-1]) is False:
            end = "asked"
            break
        if checks is not None and number - best_number >= patience:
            end = "validation"
            break
        slope = float(np.sqrt((by_centre**2).sum() + (by_width**2).sum()))
        # Errors of the order of rounding have a slope of noise alone.
        if not slope > 0.0 or rmse <= 1e-14 * float(np.abs(outputs).max()):
            end = "flat"
            break
        network = _moved(network, by_centre * (length / slope), by_width * (length / slope))
    return Trained(network=best, epochs=tuple(history), best=best_number, end=end)


def root_mean_square(error: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt((error * error).mean()))


def _fitting(network: Anfis, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    inputs, outputs = as_pairs(x, y)
    if inputs.shape[1] != network.inputs:
        refuse(
            "bad-array",
            Text(
                f"x has {inputs.shape[1]} columns, the network {network.inputs} inputs",
                f"в x столбцов {inputs.shape[1]}, а входов у сети {network.inputs}",
            ),
        )
    return inputs, outputs


def _factor(errors: Sequence[float]) -> float:
    """What the step is multiplied by, from the errors since it last changed."""
    if len(errors) < 5:
        return 1.0
    falls = [after < before for before, after in zip(errors[-5:-1], errors[-4:], strict=True)]
    if all(falls):
        return GROW
    return SHRINK if falls in ([False, True, False, True], [True, False, True, False]) else 1.0


def _moved(network: Anfis, centres: Array, widths: Array) -> Anfis:
    return replace(network, centres=network.centres - centres, widths=np.maximum(network.widths - widths, NARROWEST))
