"""Equilibrium: postures in which nothing accelerates, and whether they are stable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel import shown
from sistel.errors import Text
from sistel.mechanics import anchors, assemble, moved
from sistel.records import record
from sistel.solve._statics import constraint_matrix, loads_at_rest, null_space
from sistel.solve._stiffness import stiffness

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import StructureEngine
    from sistel.mechanics import Assembly


LONGEST = 0.5
"""Longest step of the search [m or rad]."""
ROUNDS = 200
NEUTRAL = 1e-9
"""Part of the largest stiffness under which one counts as none: what is left of rounding and of the search."""


@record
class Equilibrium:
    """A posture in which all forces balance."""

    q: Array
    """Coordinates, shape (nq,)."""
    success: bool
    residual: float
    """Largest force that remains on a possible motion [N or N·m]."""
    stiffness: Array
    """Of the possible motions in a unit of mass [1/s²]: squares of the angular frequencies of small oscillations where
    forces have a potential, ascending; a negative one is a direction of falling."""
    stable: bool
    """Whether every small displacement is driven back; neutral directions are not stable, and damping and friction are
    not looked at."""
    tau: Array
    """The driving forces that were given, shape (nv,) [N or N·m]."""
    reason: Text | None
    """Why there is none."""

    def _repr_html_(self) -> str:
        return shown.html(self)


def equilibrium(
    equations: StructureEngine, q: Array, tau: Array, *, stable: bool = False, t: float = 0.0
) -> Equilibrium:
    """The equilibrium that is found from a posture.

    Args:
        equations: The structure; with `applied`, springs and forces of the file act.
        q: Where to start, shape (nq,).
        tau: Constant driving forces, shape (nv,) [N or N·m].
        stable: Whether to go where the forces push, down to a stable equilibrium, instead of to the nearest one.
        t: Time [s].
    """
    search = _Search(equations, tau, t, q)
    here = search.assembled(q.tolist())
    r, K = search.look(here)
    for _ in range(ROUNDS):
        size = float(abs(r).max(initial=0.0))
        if size <= 1e-13 * search.scale(here):
            break
        y = _direction(r, K, stable)
        here, r, K, better = search.walk(here, y, r, stable)
        if not better:
            break
    residual = float(abs(r).max(initial=0.0))
    success = residual <= 1e-9 * search.scale(here)
    squares = search.frequencies(here, K)
    reason = None
    if not success:
        reason = Text(
            f"the search ended where {residual:.3g} N or N·m remain",
            f"поиск остановился там, где остаётся {residual:.3g} Н или Н·м",
        )
    import numpy as np

    return Equilibrium(
        q=np.array(here),
        success=success,
        residual=residual,
        stiffness=squares,
        stable=success and bool((squares > NEUTRAL * np.abs(squares).max(initial=0.0)).all()),
        tau=tau.copy(),
        reason=reason,
    )


def _direction(r: Array, K: Array, stable: bool) -> Array:
    """Newton's step; with `stable` every direction goes with the force, whatever the curvature says."""
    import numpy as np

    if not stable:
        return np.asarray(np.linalg.lstsq(K, r, rcond=1e-12)[0])
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    floor = 1e-6 * max(1e-12, float(abs(values).max(initial=0.0)))
    return np.asarray(vectors @ ((vectors.T @ r) / np.maximum(abs(values), floor)))


class _Search:
    def __init__(self, equations: StructureEngine, tau: Array, t: float, q: Array) -> None:
        self.equations, self.tau, self.t = equations, tau, t
        engine = equations.engine
        self.model, self.tree = engine.model, engine.tree
        self.found = anchors(self.model, self.tree, equations.structure, q.tolist())

    def assembled(self, q: list[float]) -> list[float]:
        if self.equations.is_tree:
            return q
        made: Assembly = assemble(self.model, self.equations.structure, q, found=self.found, tree=self.tree)
        return list(made.q)

    def force(self, q: list[float]) -> Array:
        import numpy as np

        return loads_at_rest(self.equations, np.array(q), self.t) + self.tau

    def scale(self, q: list[float]) -> float:
        """Size of the forces that balance."""
        import numpy as np

        weights = np.abs(loads_at_rest(self.equations, np.array(q), self.t)).max(initial=0.0)
        masses = sum(body.mass for body in self.model.bodies)
        return max(float(weights), float(np.abs(self.tau).max(initial=0.0)), 1e-3 * masses, 1e-12)

    def motions(self, q: list[float]) -> Array:
        import numpy as np

        J = constraint_matrix(self.equations, np.array(q), self.t)
        return null_space(J, self.model.nv)

    def look(self, q: list[float]) -> tuple[Array, Array]:
        """Forces on the possible motions, and the stiffness against them: −∂r along every motion."""
        import numpy as np

        place = np.array(q)
        J = constraint_matrix(self.equations, place, self.t)
        Z, force = null_space(J, self.model.nv), self.force(q)
        multipliers = np.asarray(np.linalg.lstsq(J.T, force, rcond=1e-9)[0] if len(J) else [], dtype=float)
        return Z.T @ force, stiffness(self.equations, place, self.t, Z, multipliers)

    def walk(self, q: list[float], y: Array, r: Array, stable: bool) -> tuple[list[float], Array, Array, bool]:
        """A step that makes the forces smaller, or goes with them; shortened until it does."""
        import numpy as np

        Z = self.motions(q)
        longest = float(np.abs(Z @ y).max(initial=0.0))
        factor = min(1.0, LONGEST / longest) if longest > 0 else 1.0
        before = float(np.linalg.norm(r))
        for _ in range(30):
            there = self.assembled(moved(self.model, q, (Z @ y).tolist(), factor))
            near = self.motions(there)
            after = near.T @ self.force(there)
            downhill = float((near.T @ Z @ y) @ after) >= -1e-9 * before * float(np.linalg.norm(y))
            if np.linalg.norm(after) < before or (stable and downhill):
                found, K = self.look(there)
                return there, found, K, True
            factor /= 2
        return q, r, self.look(q)[1], False

    def frequencies(self, q: list[float], K: Array) -> Array:
        import numpy as np

        Z = self.motions(q)
        if not Z.shape[1]:
            return np.zeros(0)
        nv = self.model.nv
        M = np.asarray(self.equations.engine.call("mass_matrix")(np.array(q))).reshape(nv, nv)
        L = np.linalg.cholesky(Z.T @ M @ Z)
        half = np.linalg.solve(L, np.linalg.solve(L, (K + K.T).T / 2).T)
        return np.asarray(np.linalg.eigvalsh((half + half.T) / 2))
