"""What the matrices of a linear system tell: poles, and which modes inputs move or outputs show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array

    Complex = NDArray[np.complex128]

ROUNDING = 2.0**-44
"""Part of the largest number of a matrix under which another counts as zero: what rounding leaves."""
WEAK = 1e-10
"""Part of the matrix under which what is newly reached counts as none."""
TAKES_PART = 0.1
"""Part of the largest number of a mode from which on a state is said to take part in it."""


@record
class Reach:
    """Which modes inputs can move, or outputs show."""

    rank: int
    """Dimension of what is reached."""
    size: int
    """Number of the states."""
    poles: Complex
    """Of the modes that are not reached [1/s, or the factor of a step]."""
    states: tuple[str, ...]
    """Names of the states that take part in these.

    A mode that several states make is out of reach as a whole: each of them may be reached in others.
    """
    stable: bool
    """Whether all modes that are not reached die away: then the system can be stabilised, or observed in the end."""

    @property
    def full(self) -> bool:
        """Whether every mode is reached."""
        return self.rank == self.size


def without_noise(A: Array) -> Array:
    """The same with what rounding leaves set to zero."""
    return np.where(np.abs(A) > ROUNDING * np.abs(A).max(initial=0.0), A, 0.0)


def poles(A: Array) -> Complex:
    """Eigenvalues, the slowest to die away last.

    States on which no other depends, or which depend on no other, are taken off first: their eigenvalues stand on the
    diagonal, where a general method would lose half of the digits of those that are zero several times.
    """
    rest, found = without_noise(A), list[complex]()
    while len(rest):
        off = rest - np.diag(np.diag(rest))
        alone = np.flatnonzero(~off.any(axis=0) | ~off.any(axis=1))
        if not len(alone):
            break
        i = int(alone[0])
        found.append(complex(rest[i, i]))
        rest = np.delete(np.delete(rest, i, axis=0), i, axis=1)
    every = np.array([*found, *np.linalg.eigvals(rest)] if len(rest) else found, dtype=complex)
    return np.asarray(every[np.lexsort((every.imag, every.real))])


def reach(A: Array, B: Array, names: tuple[str, ...], period: float | None) -> Reach:
    """What inputs reach, by the staircase of A and B; with transposed matrices, what outputs show."""
    n = len(A)
    size = max(float(np.linalg.norm(A)), 1e-300)
    known = np.zeros((n, 0))
    new = _independent(B, float(np.linalg.norm(B)))
    while new.shape[1]:
        known = np.concatenate([known, new], axis=1)
        new = A @ new
        for _ in range(2):  # twice is enough for the last digits
            new = new - known @ (known.T @ new)
        new = _independent(new, size)
    rank = known.shape[1]
    rest = null_of(known)
    missing = _nearest(poles(A), poles(rest.T @ A @ rest)) if rank < n else np.zeros(0, dtype=complex)
    stable = bool((missing.real < 0.0).all() if period is None else (np.abs(missing) < 1.0).all())
    part = np.abs(rest).max(axis=1, initial=0.0)
    taking = tuple(name for name, x in zip(names, part, strict=True) if rank < n and x > TAKES_PART * part.max())
    return Reach(rank=rank, size=n, poles=missing, states=taking, stable=stable)


def _nearest(every: Complex, some: Complex) -> Complex:
    """Of all poles those that are nearest to some: the same, with their digits."""
    left, found = list(every), list[complex]()
    for pole in some:
        found.append(left.pop(int(np.argmin(np.abs(np.array(left) - pole)))))
    made = np.array(found)
    return np.asarray(made[np.lexsort((made.imag, made.real))])


def null_of(known: Array) -> Array:
    """Orthonormal columns across given ones."""
    return np.asarray(np.linalg.svd(known, full_matrices=True)[0][:, known.shape[1] :])


def _independent(columns: Array, size: float) -> Array:
    """An orthonormal basis of columns, those left out that are small."""
    if not columns.size:
        return np.zeros((len(columns), 0))
    turned, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(turned[:, sizes > WEAK * max(size, 1e-300)])
