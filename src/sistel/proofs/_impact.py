"""Claims about impacts: what everything that begins to hold does to the velocities."""

from __future__ import annotations

import numpy as np

from sistel.proofs._claim import Claim, Finding, apart
from sistel.proofs._structure import held, regular, rounded
from sistel.proofs._subject import StructureSubject

RESTITUTIONS = (0.0, 0.5, 1.0)


def _held_still(subject: StructureSubject) -> bool:
    """Whether something holds that does not move by itself."""
    return held(subject) and not any(float(row.drift) for row in subject.rows[0])  # type: ignore[arg-type]


@regular("impact-newton", "impact, e = 0, ½, 1 | удар, e = 0, ½, 1", "J v⁺", "−e J v⁻")
def _newton(subject: StructureSubject) -> Finding:
    """What the constraints see after the impact is −e times what they saw before."""
    units, before, after = subject.units, [], []
    for e in RESTITUTIONS:
        ends = subject.impact(e)[0]
        for s, system in enumerate(subject.systems):
            before.append(-e * (system.J @ (subject.wild[s] * subject.weights[s]) + system.drift))
            after.append(system.J @ (ends[s] * subject.weights[s]) + system.drift)
    return rounded(subject, apart(after, before, units.rate))


@regular("impact-impulses", "impact, e = ½ | удар, e = ½", "M (v⁺ − v⁻)", "in the range of Jᵀ | в образе Jᵀ")
def _impulses(subject: StructureSubject) -> Finding:
    """The momentum that was gained lies in the directions that the constraints push in."""
    units, worst = subject.units, 0.0
    ends = subject.impact(0.5)[0]
    for s in subject.many:
        system = subject.systems[s]
        gained = system.M @ ((ends[s] - subject.wild[s]) * subject.weights[s] / units.rate)
        pushed = np.linalg.lstsq(system.J.T, gained, rcond=None)[0]
        worst = max(worst, apart(gained, system.J.T @ pushed, 1.0))
    return rounded(subject, worst)


@regular(
    "impact-energy",
    "impact, e = 0, ½, 1 | удар, e = 0, ½, 1",
    "energy lost | потеря энергии",
    "½ (1 − e²) J v⁻ · Λ",
    about=_held_still,
)
def _energy(subject: StructureSubject) -> Finding:
    """Energy lost against ½ (1 − e²) of what the constraints see: none at e = 1, never gained below."""
    worst = 0.0
    for e in RESTITUTIONS:
        ends = subject.impact(e)[0]
        for s in subject.many:
            system = subject.systems[s]
            first, last = subject.wild[s] * subject.weights[s], ends[s] * subject.weights[s]
            seen = system.J @ first
            A = system.J @ np.linalg.solve(system.M, system.J.T)
            lost = (1 - e**2) / 2 * float(seen @ np.linalg.solve(A, seen))
            size = float(first @ system.M @ first) / 2
            worst = max(worst, apart(size - float(last @ system.M @ last) / 2, lost, max(size, 1e-300)))
    return rounded(subject, worst)


IMPACT: tuple[Claim[StructureSubject], ...] = (_newton, _impulses, _energy)
