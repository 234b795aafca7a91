"""Constraints and velocities that numbers switch on and off, so that one program serves all combinations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sistel.mechanics import Row, Scalar, Solution, inner, solve_constrained


def solve_holding(
    M: Sequence[Sequence[Scalar]],
    force: Sequence[Scalar],
    rows: Sequence[Row],
    demands: Sequence[Scalar],
    holds: Mapping[int, Scalar],
) -> tuple[Solution, dict[int, Scalar]]:
    """As `solve_constrained`, with some velocities held still: no unknowns are added, their equations are replaced.

    Args:
        M: The mass matrix.
        force: Generalized forces.
        rows: Constraints.
        demands: What J x has to be.
        holds: For velocities by their indices: 1 where x is to be 0, else 0.

    Returns:
        The solution, and the force that holds every one of these velocities.
    """
    if not holds:
        return solve_constrained(M, force, rows, demands), {}
    free = {rate: 1.0 - hold for rate, hold in holds.items()}

    def cut(J: Sequence[Scalar]) -> list[Scalar]:
        return [free[i] * x if i in free else x for i, x in enumerate(J)]

    small = [cut(row) for row in M]
    for rate in holds:
        small[rate] = [free[rate] * x for x in small[rate]]
        small[rate][rate] = free[rate] * M[rate][rate] + holds[rate]
    cut_rows = [replace(row, J=cut(row.J), drag=None if row.drag is None else cut(row.drag)) for row in rows]
    found = solve_constrained(small, cut(force), cut_rows, demands)
    needed: dict[int, Scalar] = {}
    for rate in holds:
        lack = inner(M[rate], found.x) - force[rate]
        for row, multiplier in zip(rows, found.multipliers, strict=True):
            share = row.J[rate] if row.drag is None else row.J[rate] + row.drag[rate]
            lack = lack - multiplier * share
        needed[rate] = lack
    return found, needed


def masked_row(row: Row, mask: Scalar) -> Row:
    """A row that a number switches on (1) or off (0)."""
    return replace(
        row,
        J=[mask * x for x in row.J],
        bias=mask * row.bias,
        value=mask * row.value,
        drift=mask * row.drift,
        rate=None,
        idle=1.0 - mask,
    )


def seated_row(rows: Sequence[Row], seats: Sequence[Scalar], drag: list[Scalar] | None = None) -> Row:
    """The row that sits in a seat: the one of `rows` whose number is 1; none of them where all are 0."""

    def chosen(values: Sequence[Scalar]) -> Scalar:
        return inner(seats, values)

    taken: Scalar = 0.0
    for seat in seats:
        taken = taken + seat
    first = rows[0]
    return Row(
        link=first.link,
        part=first.part,
        J=[chosen([row.J[i] for row in rows]) for i in range(len(first.J))],
        bias=chosen([row.bias for row in rows]),
        value=chosen([row.value for row in rows]),
        drift=chosen([row.drift for row in rows]),
        drag=drag,
        idle=1.0 - taken,
    )
