"""Motion under constraints: M a = f + Jᵀ λ and J a = −bias, solved with as few operations as the rows allow.

Rows that can be solved for a velocity with a constant factor are: locks, couplings, and feet of a body that moves along
x and y. That costs nothing, and loses no digits however different the masses are. The remaining rows get multipliers,
found from (J M⁻¹ Jᵀ) λ = −bias − J M⁻¹ f with one factorisation of M. Sliding friction turns the force of a row away
from its normal: J M⁻¹ (J + drag)ᵀ. Where bodies are light, rows pull with masses of their own: see `_light`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import Scalar, Scalars, absolute, is_number, is_zero, minimum
from sistel.mechanics._linear import Factor, inner, places_of, solve_general
from sistel.mechanics._rows import Row
from sistel.records import entry

ROUNDING = 1e-3
"""Part of a row below which it is not divided by: what others have left of it may be rounding."""


Partition = tuple[tuple[int, int, float], ...]
"""For every row, in order of elimination: its index, the velocity it is solved for, the square of the entry's size."""


@entry
class Solution:
    """What a system of equations of motion gives."""

    x: list[Scalar]
    """Accelerations, or the changes of the velocities in an impact."""
    multipliers: list[Scalar]
    """One per row: forces [N or N·m], or impulses."""
    margin: Scalar
    """How far the rows are from depending on each other: 1 where they have nothing in common, 0 where they do."""


def solve_constrained(M: Sequence[Scalars], force: Scalars, rows: Sequence[Row], demands: Scalars) -> Solution:
    """X and λ of M x = force + Σ λ (J + drag), J x = demand.

    Args:
        M: The mass matrix.
        force: Generalized forces, nv of them.
        rows: Independent constraints.
        demands: What J x has to be, one per row.
    """
    space = _Space(len(force))
    kept = _eliminated(space, rows, demands)
    explicit = [index for index in range(len(rows)) if index not in kept]
    return _solve(M, force, rows, demands, space, kept, explicit)


def kept_rows(rows: Sequence[Row]) -> list[int]:
    """Indices of the rows that get multipliers, because no velocity has a constant factor in them."""
    return _eliminated(_Space(len(rows[0].J)), rows, [0.0] * len(rows)) if rows else []


def _eliminated(space: _Space, rows: Sequence[Row], demands: Scalars) -> list[int]:
    """Solve for velocities what can be; the indices of the other rows."""
    return [index for index, row in enumerate(rows) if not space.eliminate(row.J, demands[index], _pivots(row))]


def solve_reduced(
    M: Sequence[Scalars], force: Scalars, rows: Sequence[Row], demands: Scalars, partition: Partition
) -> Solution:
    """As `solve_constrained`, with every row solved for a velocity: no multipliers, and as few equations as freedoms.

    Args:
        M: The mass matrix.
        force: Generalized forces, nv of them.
        rows: Independent constraints without friction.
        demands: What J x has to be, one per row.
        partition: Which velocity each row is solved for, in which order; see `choose_partition`.
    """
    space = _Space(len(force))
    margin: Scalar = 1.0
    for index, pivot, size in partition:
        row = space.combine(rows[index].J)
        lead = row.pop(pivot, 0.0)
        if not is_number(lead):
            part = lead * (1.0 / size * lead)
            margin = part if margin == 1.0 else minimum(margin, part)
        space.substitute(pivot, lead, row, demands[index] - space.offset(rows[index].J))
    found = _solve(M, force, rows, demands, space, [], [index for index, _, _ in partition])
    return Solution(found.x, found.multipliers, margin)


def _solve(
    M: Sequence[Scalars],
    force: Scalars,
    rows: Sequence[Row],
    demands: Scalars,
    space: _Space,
    kept: Sequence[int],
    explicit: Sequence[int],
) -> Solution:
    """With some rows solved for velocities, in the given order, and multipliers for the others."""
    small = space.reduced_matrix(M)
    pushed = space.reduced_force(M, force)
    for index in kept:
        if rows[index].weight:
            _weigh(rows[index], demands[index] - space.offset(rows[index].J), space, small, pushed)
    # Elimination begins with the last: coordinates of constant inertia go there, they cost no division.
    order = sorted(range(len(small)), key=lambda i: is_number(small[i][i])) if space.pivots else range(len(small))
    # Half of the matrix is enough: the other half of a large one takes longer to write than to factorise.
    factor = Factor([[small[max(i, j)][min(i, j)] for j in order[: place + 1]] for place, i in enumerate(order)])

    def down(x: Scalars) -> list[Scalar]:
        return factor.down([x[i] for i in order])

    z = down(pushed)
    normals = [down(space.reduced_row(rows[index].J)) for index in kept]
    pushes = [
        normals[i] if rows[index].drag is None else down(space.reduced_row(_applied(rows[index])))
        for i, index in enumerate(kept)
    ]
    scaled = [factor.scaled(push) for push in pushes]
    start = factor.scaled(z)
    right = [
        demands[index] - space.offset(rows[index].J) - inner(normal, start)
        for index, normal in zip(kept, normals, strict=True)
    ]
    dragged = any(rows[index].drag is not None for index in kept)
    found, margin = _multipliers(normals, scaled, right, dragged, [rows[index].idle for index in kept])
    for multiplier, push in zip(found, scaled, strict=True):
        for place in places_of(push):
            start[place] = start[place] + multiplier * push[place]
    found_y = dict(zip(order, factor.up(start), strict=True))
    x = space.whole([found_y[i] for i in range(len(small))])
    multipliers: list[Scalar] = [0.0] * len(rows)
    for index, multiplier in zip(kept, found, strict=True):
        multipliers[index] = multiplier
    _explicit_multipliers(M, force, rows, x, space, kept, explicit, multipliers)
    return Solution(x, multipliers, margin)


def _weigh(row: Row, demand: Scalar, space: _Space, small: list[list[Scalar]], pushed: list[Scalar]) -> None:
    """Let a row pull with a mass of its own, which changes nothing where it is met: see `_light`."""
    J = space.reduced_row(row.J)
    for i, share in enumerate(J):
        if is_zero(share):
            continue
        heavy = row.weight * share
        pushed[i] = pushed[i] + heavy * demand
        for j in range(i + 1):
            small[i][j] = small[i][j] + heavy * J[j]


def _pivots(row: Row) -> list[int]:
    """The velocities that a row can be solved for without dividing by something that may be 0."""
    if row.drag is not None:
        return []
    if row.rate is not None:
        return [row.rate]
    return [index for index, entry in enumerate(row.J) if is_number(entry) and not is_zero(entry)]


def _applied(row: Row) -> list[Scalar]:
    assert row.drag is not None
    return [a + b for a, b in zip(row.J, row.drag, strict=True)]


def _multipliers(
    normals: Sequence[Scalars], scaled: Sequence[Scalars], right: list[Scalar], dragged: bool, idle: Scalars
) -> tuple[list[Scalar], Scalar]:
    if not right:
        return [], 1.0
    count = range(len(right))
    # Rows of a large system have few velocities each, and most of them none in common.
    held, moved = [places_of(x) for x in normals], [set(places_of(x)) for x in scaled]

    def product(i: int, j: int) -> Scalar:
        total: Scalar = 0.0
        for k in held[i]:
            if k in moved[j]:
                total = total + normals[i][k] * scaled[j][k]
        return total

    if dragged:
        A = [[product(i, j) for j in count] for i in count]
        for i in count:
            A[i][i] = A[i][i] + idle[i]
        found, pivots = solve_general(A, right)
    else:
        # Symmetric: only the lower half is looked at.
        A = [[product(i, j) if j <= i else 0.0 for j in count] for i in count]
        for i in count:
            A[i][i] = A[i][i] + idle[i]
        factor = Factor(A)
        found, pivots = factor.solve(right), factor.pivots
    # What elimination leaves of a diagonal entry is the part of its row that the rows before it do not say.
    margin: Scalar = 1.0
    for i in count:
        if pivots[i] != A[i][i]:
            part = absolute(pivots[i] / A[i][i])
            margin = part if margin == 1.0 else minimum(margin, part)
    return found, margin


def _explicit_multipliers(
    M: Sequence[Scalars],
    force: Scalars,
    rows: Sequence[Row],
    x: Scalars,
    space: _Space,
    kept: Sequence[int],
    explicit: Sequence[int],
    multipliers: list[Scalar],
) -> None:
    """Forces of locks and couplings: what is missing in the equations of the eliminated coordinates."""
    if not explicit:
        return
    missing = []
    for pivot in space.pivots:
        lack = inner(M[pivot], x) - force[pivot]
        for index in kept:
            row = rows[index]
            share = row.J[pivot] if row.drag is None else row.J[pivot] + row.drag[pivot]
            lack = lack - multipliers[index] * share
        missing.append(lack)
    matrix = [[rows[index].J[pivot] for index in explicit] for pivot in space.pivots]
    for index, value in zip(explicit, solve_general(matrix, missing)[0], strict=True):
        multipliers[index] = value


class _Space:
    """All velocities as sums of those that are left: x = T y + c."""

    def __init__(self, size: int) -> None:
        self.terms: list[dict[int, Scalar]] = [{i: 1.0} for i in range(size)]
        self.constants: list[Scalar] = [0.0] * size
        self.pivots: list[int] = []

    @property
    def left(self) -> list[int]:
        gone = set(self.pivots)
        return [i for i in range(len(self.terms)) if i not in gone]

    def combine(self, J: Scalars) -> dict[int, Scalar]:
        """A row over the velocities that are left."""
        made: dict[int, Scalar] = {}
        for factor, terms in zip(J, self.terms, strict=True):
            if not is_zero(factor):
                for i, share in terms.items():
                    made[i] = made.get(i, 0.0) + factor * share
        return made

    def offset(self, J: Scalars) -> Scalar:
        return inner(J, self.constants)

    def eliminate(self, J: Scalars, demand: Scalar, pivots: Sequence[int]) -> bool:
        """Express one of some velocities by the others; False where that needs a division by what may be 0."""
        row = self.combine(J)
        sizes = {i: abs(x) for i in pivots if is_number(x := row.get(i, 0.0))}
        pivot = max(sizes, key=lambda i: sizes[i], default=-1)
        lead = row.pop(pivot, 0.0)
        largest = max((abs(x) for x in J if is_number(x)), default=0.0)
        if not is_number(lead) or abs(lead) <= ROUNDING * largest:
            return False
        self.substitute(pivot, lead, row, demand - self.offset(J))
        return True

    def substitute(self, pivot: int, lead: Scalar, row: dict[int, Scalar], demand: Scalar) -> None:
        """Take lead · x[pivot] + row · x = demand for what x[pivot] is."""
        inverse = 1.0 / lead
        shares: dict[int, Scalar] = {i: -(inverse * share) for i, share in row.items() if not is_zero(share)}
        constant = inverse * demand
        for i, terms in enumerate(self.terms):
            factor = terms.pop(pivot, 0.0)
            if is_zero(factor):
                continue
            for j, share in shares.items():
                terms[j] = terms.get(j, 0.0) + factor * share
            self.constants[i] = self.constants[i] + factor * constant
        self.pivots.append(pivot)

    def reduced_row(self, J: Scalars) -> list[Scalar]:
        row = self.combine(J)
        return [row.get(i, 0.0) for i in self.left]

    def reduced_force(self, M: Sequence[Scalars], force: Scalars) -> list[Scalar]:
        """Tᵀ (force − M c)."""
        moved = [f - inner(row, self.constants) for f, row in zip(force, M, strict=True)] if self.pivots else force
        sums: dict[int, Scalar] = dict.fromkeys(self.left, 0.0)
        for value, terms in zip(moved, self.terms, strict=True):
            for i, share in terms.items():
                sums[i] = sums[i] + share * value
        return [sums[i] for i in self.left]

    def reduced_matrix(self, M: Sequence[Scalars]) -> list[list[Scalar]]:
        """Tᵀ M T; only its lower half is used."""
        if not self.pivots:
            return [list(row) for row in M]
        half = [self.combine(row) for row in M]  # M T, row by row
        sums: dict[int, dict[int, Scalar]] = {i: {} for i in self.left}
        for row, terms in zip(half, self.terms, strict=True):
            for i, share in terms.items():
                target = sums[i]
                for j, value in row.items():
                    if j <= i:
                        target[j] = target.get(j, 0.0) + share * value
        return [[sums[i].get(j, 0.0) for j in self.left] for i in self.left]

    def whole(self, y: Scalars) -> list[Scalar]:
        values = dict(zip(self.left, y, strict=True))
        made: list[Scalar] = []
        for terms, constant in zip(self.terms, self.constants, strict=True):
            total = constant
            for i, share in terms.items():
                total = total + share * values[i]
            made.append(total)
        return made
