"""A motion along a trajectory as a run: its polynomials as they are, and the forces that drive it."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sistel.simulation import Run, Segment

if TYPE_CHECKING:
    from sistel.arms.travels._travel import Travel
    from sistel.arrays import Array


def run_of(travel: Travel) -> Run:
    """The run of a travel; exact, for trajectories are polynomials themselves."""
    from sistel.arms.travels._travel import drives

    model, motion = travel.model, travel.motion
    arm, nq, nv = travel.arm, model.nq, model.nv

    def forces(states: Array, gains: Array | None) -> tuple[Array, dict[str, Array]]:
        q, v, t = states[..., :nq], states[..., nq : nq + nv], states[..., -1]
        a = motion(t)[2] if gains is None else np.where(np.isfinite(gains), gains, 0.0)
        tau = drives(arm, q, v, a, t, travel.applied)
        return tau, {} if model.structure().why_not else arm.reactions(q, v, tau, applied=travel.applied, t=t)

    q, v, _ = motion(motion.t1)
    last = np.concatenate([q, v, [each.start for each in model.memory], [motion.t1]])
    segments = [] if motion.duration <= 0.0 else [_segment(travel)]
    return Run(model, segments, [], last, None, programmed=True, forces=forces)


def _segment(travel: Travel) -> Segment:
    """All pieces, each told from its beginning."""
    model, motion = travel.model, travel.motion
    nq, nv = model.nq, model.nv
    lengths = np.diff(motion.knots)
    chosen = lengths > 0.0
    begins, lengths = motion.knots[:-1][chosen], lengths[chosen]
    powers = _shifted(motion.coefficients[chosen], begins[:, None] - motion.origins[chosen])
    m, degree, _ = powers.shape
    made = np.zeros((m, model.state_size, max(degree, 2)))
    made[:, :nq, :degree] = np.swapaxes(powers, 1, 2)
    made[:, nq : nq + nv, : degree - 1] = np.swapaxes(powers[:, 1:] * np.arange(1, degree)[:, None], 1, 2)
    for i, each in enumerate(model.memory):
        made[:, nq + nv + i, 0] = each.start
    made[:, -1, 0], made[:, -1, 1] = begins, 1.0
    times = np.stack([begins, lengths], axis=1)
    return Segment(structure=model.start_structure, times=times, coefficients=made)


def _shifted(coefficients: Array, by: Array) -> Array:
    """Polynomials of x + by, for polynomials of x, shape (m, d, n) and (m, n)."""
    made = np.zeros_like(coefficients)
    degree = coefficients.shape[1]
    for low in range(degree):
        for high in range(low, degree):
            made[:, low] += comb(high, low) * coefficients[:, high] * by ** (high - low)
    return made
