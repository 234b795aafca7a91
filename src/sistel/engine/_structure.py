"""What depends on the links that hold: compiled when first asked for; singular postures are computed in numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from sistel.automaton import Mode
from sistel.errors import Text, refuse
from sistel.once import once_property

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.engine._engine import Engine
    from sistel.engine._types import Derived, Rows, Scalars
    from sistel.kernels import Kernel
    from sistel.mechanics import Mobility, Motion, Setting, Variant

SINGULAR = 1e-8
"""Margin of the constraints (see `mechanics.Solution`) below which a state is solved by singular values instead."""


class StructureEngine:
    """Computes what depends on the links that hold."""

    def __init__(self, engine: Engine, mode: Mode) -> None:
        """Nothing is compiled yet."""
        self.engine = engine
        self.mode = mode
        self.structure = mode.structure
        self.applied = mode.applied

    @property
    def is_tree(self) -> bool:
        """Whether nothing holds beside the joints of the tree."""
        return self.mode.is_tree

    @property
    def setting(self) -> Setting:
        """What the equations are derived for, constraints that say nothing new left out."""
        return self.mode.setting

    @property
    def whole(self) -> Setting:
        """The same with all constraints."""
        return self.mode.whole

    @property
    def mobility(self) -> Mobility:
        """Rank of the constraints at the start of the file."""
        return self.mode.mobility

    @property
    def timed(self) -> bool:
        """Whether the equations contain the time."""
        return self.mode.timed

    @property
    def variant(self) -> Variant:
        """The formulation of the motion with the fewest operations."""
        return self.mode.variant

    @once_property
    def _forward(self) -> Kernel:
        return self._compile("forward_dynamics", lambda: (self.variant.program, ()))[0]

    def _compile(self, quantity: str, derive: Callable[[], Derived]) -> tuple[Kernel, tuple[str, ...]]:
        return self.engine.compile((quantity, self.structure.name, self.applied), derive)

    @once_property
    def _reactions(self) -> tuple[Kernel, tuple[str, ...]]:
        return self._compile("reactions", self.mode.reactions)

    @once_property
    def _impact(self) -> tuple[Kernel, tuple[str, ...]]:
        return self._compile("impact", self.mode.impact)

    @once_property
    def constraints(self) -> Kernel:
        """Values, Jacobian, biases and drifts of all constraints, as functions of q and v (and t)."""
        return self._compile("constraints", lambda: (self.mode.constraints(), ()))[0]

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, t: ArrayLike) -> Array:
        """Accelerations, (..., nv)."""
        blocks = (q, v, tau, *self._time(t))
        names = ("q", "v", "tau", *(("t",) if self.timed else ()))
        sizes = [("forward_dynamics", self.engine.model.nv)]
        if self.engine.large:
            return self.engine.by_rows(names, sizes, _guarded(self._singular_motion, sizes), blocks)[0]
        a, margin = self._forward(*blocks)
        return self._mended((a,), margin, names, sizes, self._singular_motion, blocks)[0]

    def reactions(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, t: ArrayLike) -> dict[str, Array]:
        """What joints and links carry, each (..., 6)."""
        blocks = (q, v, tau, *self._time(t))
        names = ("q", "v", "tau", *(("t",) if self.timed else ()))
        carriers = self._carriers if self.engine.large else self._reactions[1]
        sizes = [("reactions", 6 * len(carriers))]
        if self.engine.large:
            (loads,) = self.engine.by_rows(names, sizes, _guarded(self._singular_reactions, sizes), blocks)
        else:
            loads, margin = self._reactions[0](*blocks)
            (loads,) = self._mended((loads,), margin, names, sizes, self._singular_reactions, blocks)
        return {name: loads[..., 6 * i : 6 * i + 6] for i, name in enumerate(carriers)}

    def impact(self, q: ArrayLike, v: ArrayLike, restitution: float, t: ArrayLike) -> tuple[Array, dict[str, Array]]:
        """Velocities after an impact, and the impulses of the links, each (..., 6)."""
        import numpy as np

        blocks = (q, v, np.array([restitution]), *self._time(t, moving=False))
        names = ("q", "v", "restitution", *(("t",) if len(blocks) == 4 else ()))
        kernel, carriers = self._impact if not self.engine.large else (None, self._links)
        sizes = [("velocities", self.engine.model.nv), ("impulses", 6 * len(carriers))]
        if kernel is None:
            after, impulses = self.engine.by_rows(names, sizes, _guarded(self._singular_impact, sizes), blocks)
        else:
            *found, margin = kernel(*blocks)
            after, impulses = self._mended(found, margin, names, sizes, self._singular_impact, blocks)
        return after, {name: impulses[..., 6 * i : 6 * i + 6] for i, name in enumerate(carriers)}

    def _time(self, t: ArrayLike, moving: bool = True) -> tuple[Array, ...]:
        """The block of the time, where the equations have one."""
        from sistel.kernels import as_reals
        from sistel.mechanics import depends_on_time

        timed = self.timed if moving else depends_on_time(self.engine.model, self.structure, False)
        return (as_reals("t", t)[..., None],) if timed else ()

    def _mended(
        self,
        found: Sequence[Array],
        margin: Array,
        names: Sequence[str],
        sizes: Sequence[tuple[str, int]],
        compute: Rows,
        blocks: Sequence[ArrayLike],
    ) -> list[Array]:
        """Results with those of singular postures replaced."""
        import numpy as np

        wrong = ~(margin[..., 0] > SINGULAR)
        if not wrong.any():
            return list(found)
        chosen = [np.broadcast_to(block, (*wrong.shape, np.shape(block)[-1]))[wrong] for block in blocks]
        mended = [np.array(array) for array in found]
        parts = self.engine.by_rows(names, sizes, _guarded(compute, sizes), chosen)
        for array, part in zip(mended, parts, strict=True):
            array[wrong] = part
        return mended

    # --- singular postures and large systems: numbers instead of machine code ----------------------------------------

    def _singular_motion(self, q: list[float], v: list[float], tau: list[float], *t: list[float]) -> Scalars:
        return self._motion(q, v, tau, *t).a

    def _motion(self, q: list[float], v: list[float], tau: list[float], *t: list[float]) -> Motion:
        import numpy as np

        from sistel.mechanics import solve_sharing, structure_dynamics

        time = t[0][0] if t else 0.0
        links = frozenset(contact.name for contact in self.engine.model.contacts)
        try:
            return structure_dynamics(self.whole, q, v, tau, time, partial(solve_sharing, links=links))
        except np.linalg.LinAlgError:
            no_mass()

    def _singular_reactions(self, q: list[float], v: list[float], tau: list[float], *t: list[float]) -> Scalars:
        from sistel.mechanics import reactions

        found = reactions(self.whole, q, v, self._motion(q, v, tau, *t))
        return [entry for moment, force in found.values() for entry in (*moment, *force)]

    def _singular_impact(self, q: list[float], v: list[float], restitution: list[float], *t: list[float]) -> Scalars:
        from sistel.mechanics import impact, link_loads, solve_singular

        found = impact(self.whole, q, v, restitution[0], t[0][0] if t else 0.0, solve_singular)
        loads = link_loads(found.rows, found.impulses)
        return [*found.v, *(entry for moment, force in loads.values() for entry in (*moment, *force))]

    @once_property
    def _carriers(self) -> tuple[str, ...]:
        joints = (body.joint.name for body in self.engine.model.bodies)
        return tuple(dict.fromkeys((*joints, *self._links)))

    @once_property
    def _links(self) -> tuple[str, ...]:
        model = self.engine.model
        changed = (model.bodies[change.body - 1].joint.name for change in self.structure.changes)
        return tuple(dict.fromkeys((*self.structure.holds, *changed)))


def _guarded(compute: Rows, sizes: Sequence[tuple[str, int]]) -> Rows:
    """The same; states with numbers that are not finite give none that are."""

    def guarded(*state: list[float]) -> Scalars:
        if all(math.isfinite(number) for block in state for number in block):
            return compute(*state)
        return [math.nan] * sum(size for _, size in sizes)

    return guarded


def no_mass() -> NoReturn:
    """Say that a coordinate moves no mass."""
    refuse(
        "no-dynamics",
        Text(
            "the motion cannot be computed: some coordinate moves no mass",
            "движение нельзя вычислить: какая-то координата не перемещает массы",
        ),
    )
