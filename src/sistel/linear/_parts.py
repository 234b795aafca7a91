"""Linear systems made of others: with fewer states, or with a feedback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse, refuse_name
from sistel.linear._analysis import without_noise

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.linear._linear import Linear


def only(linear: Linear, names: Sequence[str] | None) -> Linear:
    """As `Linear.only`."""
    A, known = without_noise(linear.A), list(linear.state_names)
    shows_states = linear.outputs == linear.states
    if names is None:
        kept = list(range(len(known)))
        while True:
            matter = [i for i in kept if A[kept, i].any() or (not shows_states and linear.C[:, i].any())]
            if matter == kept:
                break
            kept = matter
    else:
        for name in names:
            if name not in known:
                refuse_name(Text("state", "состояния"), name, known)
        kept = [known.index(name) for name in names]
        gone = [i for i in range(len(known)) if i not in kept]
        needed = [known[i] for i in gone if A[kept, i].any()]
        if needed:
            listed = ", ".join(needed)
            refuse(
                "needed-state",
                Text(
                    f"the states that are kept depend on others: {listed}",
                    f"оставленные состояния зависят от других: {listed}",
                ),
                hint=Text("keep these as well", "оставьте и их"),
            )
    shown = kept if shows_states else range(len(linear.outputs))
    states = tuple(linear.states[i] for i in kept)
    return replace(
        linear,
        A=linear.A[np.ix_(kept, kept)],
        B=linear.B[kept],
        C=linear.C[np.ix_(shown, kept)],
        D=linear.D[list(shown)],
        states=states,
        outputs=states if shows_states else linear.outputs,
        rates=linear.rates[kept],
    )


def closed(linear: Linear, K: Array) -> Linear:
    """As `Linear.closed`."""
    shape = len(linear.inputs), len(linear.states)
    if K.shape != shape or not np.isfinite(K).all():
        refuse("bad-shape", Text(f"K: expected finite numbers of shape {shape}", f"K: нужны конечные числа {shape}"))
    return replace(linear, A=linear.A - linear.B @ K, C=linear.C - linear.D @ K)
