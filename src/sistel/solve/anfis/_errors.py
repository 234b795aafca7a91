"""How far predictions are from what is so: figures of a distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.solve.anfis._checks import as_numbers
from sistel.solve.anfis._learning import root_mean_square

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.solve.anfis._network import Anfis


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """A distribution of errors without their signs; all but `count` in the unit of the errors."""

    rmse: float
    mean: float
    median: float
    p95: float
    """19 of 20 errors are not greater."""
    worst: float
    count: int

    @classmethod
    def of(cls, errors: ArrayLike) -> Errors:
        """Figures of errors of any shape, at least one."""
        sizes = np.abs(as_numbers(errors, "errors")).reshape(-1)
        return cls(
            rmse=root_mean_square(sizes),
            mean=float(sizes.mean()),
            median=float(np.median(sizes)),
            p95=float(np.quantile(sizes, 0.95)),
            worst=float(sizes.max()),
            count=len(sizes),
        )

    def say(self, unit: str, factor: float = 1.0) -> str:
        """The figures in a row, each times `factor`."""
        figures = (self.rmse, self.mean, self.median, self.p95, self.worst)
        return "  ".join(f"{factor * figure:10.4g}" for figure in figures) + f"  {unit}"


def measure(network: Anfis, x: ArrayLike, y: ArrayLike) -> Errors:
    """Errors of a network on data [unit of the output]."""
    return Errors.of(network.predict(x) - as_numbers(y, "y").reshape(-1))
