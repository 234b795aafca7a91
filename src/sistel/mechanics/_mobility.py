"""Mobility: how many motions the constraints of a structure really leave, and which of them say nothing new.

Grübler's formula counts constraints; the rank of their Jacobian tells how many of them are independent. The rank is
looked at in several postures on the way that the system can move, because single postures can be singular.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.mechanics._constraints import anchors, constraint_rows
from sistel.mechanics._joint_rows import Anchors
from sistel.mechanics._rows import Row
from sistel.mechanics._step import moved
from sistel.mechanics._tree import Tree, build_tree
from sistel.model import Model, Structure
from sistel.records import record
from sistel.shown import NotebookShown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

INDEPENDENT = 1e-7
"""Part of a row, relative to its length, that must be new for the row to count. Singular by rounding are parts of about
1e-16 times the condition of the rows before; true mechanisms have parts well above."""
POSTURES = 3
"""Postures in which the rank is looked at, beside the first."""
MANY = 64
"""Rows that are solved by their singular values, whatever they are."""
CLEARLY = 1e-4
"""Part of the largest pivot of J Jᵀ, as a root, that the smallest must be for rows that are clearly independent."""


@record
class Mobility(NotebookShown):
    """What a structure's constraints leave."""

    dof: int
    """Motions that are left: velocities less independent constraints."""
    places: int
    """The same of coordinates: more than `dof` where something rolls or has a blade, which hold velocities alone."""
    grubler: int
    """The same with every constraint counted, by Grübler's formula."""
    rank: int
    """Independent constraints."""
    rows: tuple[tuple[str, str], ...]
    """Every constraint: its link, and which of its equations."""
    redundant: tuple[int, ...]
    """Indices of the rows that follow from the others: their reactions are not determined by rigid bodies."""
    singular: bool
    """Whether the first posture has fewer independent constraints than its neighbours."""

    @property
    def redundant_links(self) -> tuple[str, ...]:
        """Names of the links with redundant equations."""
        return tuple(dict.fromkeys(self.rows[index][0] for index in self.redundant))


@record
class Assembly:
    """Coordinates that meet the constraints of a structure."""

    q: tuple[float, ...]
    error: float
    """Largest remaining distance [m or rad]."""
    success: bool


TOLERANCE = 1e-11
"""Distance [m or rad] at which a closure counts as met; rounding leaves some 1e-16 of the size."""


def numeric_rows(
    model: Model, tree: Tree, structure: Structure, q: Sequence[float], v: Sequence[float], found: Anchors | None = None
) -> list[Row]:
    """The rows of a structure as numbers."""
    return constraint_rows(model, tree, structure, list(q), list(v), found=found)


def assemble(
    model: Model,
    structure: Structure,
    q: Sequence[float],
    *,
    fixed: frozenset[int] = frozenset(),
    found: Anchors | None = None,
    tree: Tree | None = None,
) -> Assembly:
    """Bring the coordinates to where the constraints are met, by the least change at every step.

    Args:
        model: The system.
        structure: Which links hold.
        q: Where to start.
        fixed: Velocities whose coordinates should stay; they are let go when the others cannot do it.
        found: Anchors of the links that hold a place; by default those at `q`.
        tree: The links of the bodies, when known.
    """
    if found is None and tuple(q) == model.start.q:
        # Runs, pictures and pages all begin there.
        known: dict[object, Assembly] = model.known
        key = "assembly", structure, fixed
        if key not in known:
            known[key] = _assembled(model, structure, q, fixed, None, tree)
        return known[key]
    return _assembled(model, structure, q, fixed, found, tree)


def _assembled(
    model: Model,
    structure: Structure,
    q: Sequence[float],
    fixed: frozenset[int],
    found: Anchors | None,
    tree: Tree | None,
) -> Assembly:
    tree = tree or build_tree(model)
    kept = anchors(model, tree, structure, list(q)) if found is None else found
    best: Assembly | None = None
    for held in (fixed, frozenset[int]()) if fixed else (frozenset[int](),):
        made = _newton(model, structure, list(q), held, kept, tree)
        if made.success:
            return made
        if best is None or made.error < best.error:
            best = made
    assert best is not None
    return best


def _newton(
    model: Model, structure: Structure, q: list[float], fixed: frozenset[int], found: Anchors, tree: Tree
) -> Assembly:
    import numpy as np

    still = [0.0] * model.nv
    free = [i for i in range(model.nv) if i not in fixed]
    error = math.inf
    for _ in range(100):
        rows = [row for row in numeric_rows(model, tree, structure, q, still, found) if row.holds_place]
        values = np.array([row.value for row in rows], dtype=float)
        last, error = error, float(np.abs(values).max(initial=0.0))
        if not math.isfinite(error) or not free or not rows:
            break
        if error < TOLERANCE and error >= 0.25 * last:
            break  # another step would only stir the rounding
        if error == 0.0:
            break
        J = np.array([row.J for row in rows], dtype=float)[:, free]
        change = np.zeros(model.nv)
        change[free] = -_least_change(J, values, 1e-10)
        longest = float(np.abs(change).max())
        step = min(1.0, 0.5 / longest) if longest > 0 else 1.0  # [m or rad]: not past a turning point
        q = moved(model, q, change.tolist(), step)
    return Assembly(q=tuple(q), error=error, success=error < TOLERANCE)


def _least_change(J: Matrix, demand: Matrix, rank: float) -> Matrix:
    """The shortest x with J x = demand, as nearly as that goes.

    Args:
        J: Rows, some of which may depend on others.
        demand: What J x should be.
        rank: Part of the largest singular value below which one counts as none.
    """
    import numpy as np

    if len(J) > MANY:
        # Singular values of so many rows take seconds. Where the rows are clearly independent, they are not needed.
        square = J @ J.T
        try:
            steps = np.diag(np.linalg.cholesky(square))
        except np.linalg.LinAlgError:
            steps = np.zeros(1)
        if steps.min() > CLEARLY * steps.max():
            return np.asarray(J.T @ np.linalg.solve(square, demand))
    return np.asarray(np.linalg.lstsq(J, demand, rcond=rank)[0])


def mobility(model: Model, structure: Structure, q: Sequence[float] | None = None) -> Mobility:
    """Rank of the constraints of a structure, at given coordinates or at the start, and in postures near them."""
    if q is not None and (len(q) != model.nq or not all(math.isfinite(number) for number in q)):
        message = Text(f"q: expected {model.nq} finite numbers", f"q: ожидались конечные числа в количестве {model.nq}")
        refuse("bad-shape", message)
    if q is not None:
        return _mobility(model, structure, q)
    known: dict[object, Mobility] = model.known
    key = "mobility", structure
    if key not in known:
        known[key] = _mobility(model, structure, None)
    return known[key]


def _mobility(model: Model, structure: Structure, q: Sequence[float] | None) -> Mobility:
    import numpy as np

    tree = build_tree(model)
    places = postures(model, structure, tree, q)
    still = [0.0] * model.nv
    rows = [numeric_rows(model, tree, structure, place, still) for place in places]
    jacobians = [np.array([row.J for row in each], dtype=float) for each in rows] if rows[0] else []
    kept, first_rank = _independent(rows[0], jacobians)
    names = tuple((row.link, row.part) for row in rows[0])
    redundant = tuple(index for index in range(len(names)) if index not in kept)
    held = [index for index, row in enumerate(rows[0]) if row.holds_place]
    placed = len(kept)
    if len(held) < len(names):
        longest = max(float(np.linalg.norm(J, axis=1).max(initial=0.0)) for J in jacobians)
        placed = len(_independent([rows[0][i] for i in held], [J[held] for J in jacobians], longest)[0])
    return Mobility(
        dof=model.nv - len(kept),
        places=model.nv - placed,
        grubler=structure.dof,
        rank=len(kept),
        rows=names,
        redundant=redundant,
        singular=first_rank < len(kept),
    )


def postures(
    model: Model, structure: Structure, tree: Tree, q: Sequence[float] | None = None
) -> list[tuple[float, ...]]:
    """Postures that meet the constraints of a structure: one near the start or near q, and some on from there."""
    import numpy as np

    begin = assemble(model, structure, model.start.q if q is None else q, tree=tree).q
    found = anchors(model, tree, structure, list(begin))
    generator = random.Random(1)
    made = [begin]
    for _ in range(POSTURES):
        v = np.array([generator.uniform(-1.0, 1.0) for _ in range(model.nv)])
        rows = numeric_rows(model, tree, structure, made[-1], v.tolist(), found)
        if not rows:
            break
        # Go on along a motion that is left, and back to the constraints.
        J = np.array([row.J for row in rows], dtype=float)
        way = v - _least_change(J, J @ v, 1e-9)
        went = assemble(model, structure, moved(model, made[-1], way.tolist(), 0.1), found=found, tree=tree)
        made.append(went.q if went.success else made[-1])
    return made


def _independent(rows: Sequence[Row], jacobians: Sequence[Matrix], longest: float = 0.0) -> tuple[set[int], int]:
    """Rows that are new in at least one posture, and how many are new in the first.

    Args:
        rows: Some rows.
        jacobians: Of them, in every posture.
        longest: Length of a row beside which others are rounding, where more than the longest of these.
    """
    import numpy as np

    # A row is as long as in the posture where it is longest: what is left of it elsewhere may be rounding.
    lengths = np.max([np.linalg.norm(J, axis=1) for J in jacobians], axis=0, initial=0.0)
    lengths = np.maximum(lengths, INDEPENDENT * lengths.max(initial=longest))
    bases = [np.zeros((min(J.shape), J.shape[1])) for J in jacobians]
    """Directions of the rows that are new, in each posture."""
    sizes = [0] * len(jacobians)
    kept: set[int] = set()
    # Locks and couplings are eliminated, which is cheapest, so they come first.
    order = sorted(range(len(rows)), key=lambda index: (rows[index].rate is None, index))
    for index in order:
        for place, (J, basis) in enumerate(zip(jacobians, bases, strict=True)):
            rest, known = J[index].copy(), basis[: sizes[place]]
            for _ in range(2):  # twice is enough for the last digits
                rest -= (known @ rest) @ known
            new = float(np.linalg.norm(rest))
            if new > INDEPENDENT * lengths[index]:
                kept.add(index)
                basis[sizes[place]] = rest / new
                sizes[place] += 1
    return kept, sizes[0] if sizes else 0
