"""Forward dynamics: M a = τ − bias, solved by the factorisation LᵀDL, which keeps the zeros of the tree."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._tree import Tree
from sistel.mechanics._vectors import Scalar, is_zero, minus, times


def forward_dynamics(
    tree: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    tau: Sequence[Scalar],
    *,
    shared: frozenset[int] = frozenset(),
) -> list[Scalar]:
    """Accelerations that generalized forces give; see `inverse_dynamics` for the arguments.

    Returns:
        a, nv of them [m/s² or rad/s²].
    """
    M = mass_matrix(tree, q, shared=shared)
    bias = inverse_dynamics(tree, q, v, [0.0] * tree.nv, shared=shared)
    return solve([list(row) for row in M], [minus(t, b) for t, b in zip(tau, bias, strict=True)])


def solve(M: list[list[Scalar]], right: list[Scalar]) -> list[Scalar]:
    """X of M x = right, for a symmetric positive definite M whose zeros are those of a tree; M is overwritten.

    M = LᵀDL with L unit lower triangular: eliminating from the last coordinate to the first fills in no zeros, because
    the coordinates that a coordinate is coupled with all lie on its way to the ground, or beyond it.
    """
    size = len(M)
    x = list(right)
    inverse: list[Scalar] = [0.0] * size
    for k in range(size - 1, -1, -1):
        inverse[k] = 1.0 / M[k][k]
        columns = [i for i in range(k) if not is_zero(M[k][i])]
        factors = {i: times(M[k][i], inverse[k]) for i in columns}
        for i in columns:
            for j in columns:
                if j <= i:
                    M[i][j] = minus(M[i][j], times(factors[i], M[k][j]))
            x[i] = minus(x[i], times(factors[i], x[k]))
        for i in columns:
            M[k][i] = factors[i]
    for k in range(size):
        x[k] = times(x[k], inverse[k])
        for i in range(k):
            if not is_zero(M[k][i]):
                x[k] = minus(x[k], times(M[k][i], x[i]))
    return x
