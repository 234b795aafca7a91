"""Forward dynamics: M a = τ − bias, solved by the factorisation LᵀDL, which keeps the zeros of the tree."""

from __future__ import annotations

from sistel.expr import Scalar, Scalars
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._linear import Factor
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._tree import Tree


def forward_dynamics(
    tree: Tree, q: Scalars, v: Scalars, tau: Scalars, *, shared: frozenset[int] = frozenset()
) -> list[Scalar]:
    """Accelerations that generalized forces give; see `inverse_dynamics` for the arguments.

    Returns:
        a, nv of them [m/s² or rad/s²].
    """
    M = mass_matrix(tree, q, shared=shared)
    bias = inverse_dynamics(tree, q, v, [0.0] * tree.nv, shared=shared)
    return Factor(M).solve([t - b for t, b in zip(tau, bias, strict=True)])
