"""What the links of a structure demand, and what holds it still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from sistel.errors import Text
from sistel.face._refusals import refuse, unknown
from sistel.model import Body

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.face._system import System
    from sistel.mechanics import Mobility
    from sistel.solve import Equilibrium


def impact(
    self: System,
    q: ArrayLike,
    v: ArrayLike,
    *,
    structure: str | None = None,
    restitution: float = 0.0,
    t: ArrayLike = 0.0,
) -> tuple[Array, dict[str, Array]]:
    """Velocities after everything that a structure holds begins to hold at once.

    Args:
        q: Coordinates, shape (..., nq).
        v: Velocities before, shape (..., nv).
        structure: The structure that begins.
        restitution: Part of the velocity that comes back, 0 to 1; 0 is a plastic impact.
        t: Time [s], where surfaces move.

    Returns:
        v after the impact, shape (..., nv), and by the name of every link its impulse, shape (..., 6): moment, then
        force, as in `reactions` [N·m·s and N·s].
    """
    return self._structure(structure, False).impact(q, v, restitution, t)


def constraint_errors(self: System, q: ArrayLike, *, structure: str | None = None) -> Array:
    """How far the closures, couplings and sliding contacts of a structure are from being met.

    Returns:
        Shape (..., constraints) [m or rad]; links that hold whatever place they find count as met.
    """
    import numpy as np

    still = np.zeros(self.nv)
    return _constraints(self, q, still, structure)[0]


def constraint_jacobian(self: System, q: ArrayLike, *, structure: str | None = None) -> Array:
    """The Jacobian of the constraints of a structure: J · v = 0, shape (..., constraints, nv)."""
    import numpy as np

    values, J = _constraints(self, q, np.zeros(self.nv), structure)[:2]
    return J.reshape(*values.shape, self.nv)


def constraint_bias(self: System, q: ArrayLike, v: ArrayLike, *, structure: str | None = None) -> Array:
    """J̇ · v of the constraints of a structure, which J · a has to cancel, shape (..., constraints)."""
    return _constraints(self, q, v, structure)[2]


def mobility(self: System, structure: str | None = None, q: Sequence[float] | None = None) -> Mobility:
    """Degrees of freedom by the rank of the constraints, beside Grübler's formula; names what is redundant.

    Args:
        structure: The structure, by default the initial one.
        q: Coordinates; without, those of the start.
    """
    from sistel.mechanics import mobility

    if q is not None:
        from sistel.kernels import as_reals

        given = as_reals("q", q)
        q = given.tolist() if given.ndim == 1 else ()
    return mobility(self._model, self.structure(structure), q)


def assemble(self: System, q: ArrayLike | None = None, *, structure: str | None = None) -> Array:
    """Coordinates that meet the closures and couplings of a structure, shape (nq,).

    Args:
        q: Where to start, shape (nq,). Without, the start of the file, whose given coordinates stay if that is
            possible.
        structure: The structure, by default the initial one.

    Raises:
        SistelError: There are none near the start; it says how far apart the links remain.
    """
    import numpy as np

    from sistel.mechanics import assemble

    chosen, start = self.structure(structure), self._model.start
    fixed: frozenset[int] = frozenset()
    if q is None:
        begin: Sequence[float] = start.q
        simple = [body for body in self.bodies if not body.joint.type.has_quaternion]
        pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
        fixed = frozenset(rate for place, rate in pairs if place in start.given_q)
    else:
        begin = self._one_state(q).tolist()
    found = assemble(self._model, chosen, begin, fixed=fixed)
    if not found.success:
        refuse(
            "no-assembly",
            Text("the system cannot be assembled", "систему нельзя собрать"),
            (
                Text(
                    f"the links remain {found.error:.3g} apart [m or rad]",
                    f"связи расходятся на {found.error:.3g} [м или рад]",
                ),
            ),
        )
    return np.array(found.q)


def static_forces(
    self: System,
    q: ArrayLike,
    *,
    structure: str | None = None,
    driven: Sequence[str] | None = None,
    applied: bool = True,
    t: float = 0.0,
) -> Array:
    """Driving forces that hold the system at rest; the smallest where links make them not unique.

    Args:
        q: Coordinates, shape (nq,).
        structure: The structure, by default the initial one.
        driven: Names of the coordinates at which forces can act, such as "elbow" or "trunk.x"; without, those of
            the file's motors, or all where the file has none.
        applied: Whether the springs and forces of the file act; with False only weight does.
        t: Time [s].

    Returns:
        Shape (nv,) [N or N·m].

    Raises:
        SistelError: These forces cannot hold the posture; it names the coordinates that would move.
    """
    from sistel.solve import static_forces

    place = self._one_state(q)
    return static_forces(self._structure(structure, applied), place, _driven(self, driven), t)


def equilibrium(
    self: System,
    q: ArrayLike | None = None,
    *,
    tau: ArrayLike | None = None,
    inputs: Mapping[str, float] | None = None,
    structure: str | None = None,
    stable: bool = False,
    applied: bool = True,
    t: float = 0.0,
) -> Equilibrium:
    """A posture in which nothing accelerates, searched for from a given one.

    Args:
        q: Where to start, shape (nq,); without, the start of the file.
        tau: Constant driving forces, shape (nv,) [N or N·m]; without, none.
        inputs: Constant forces by the names of motors or coordinates, on top of these [N or N·m].
        structure: The structure, by default the initial one.
        stable: Whether to go where the forces push, instead of to the nearest equilibrium.
        applied: Whether the springs and forces of the file act.
        t: Time [s].

    Returns:
        `.q`, `.tau`, `.success`, `.residual`, `.stable`, `.stiffness` and, on failure, `.reason`.
    """
    import numpy as np

    from sistel.kernels import as_rows
    from sistel.solve import equilibrium

    start = self._one_state(self._model.start.q if q is None else q)
    given = np.zeros(self.nv) if tau is None else tau
    forces = np.array(as_rows([("tau", self.nv)], [("tau", self.nv)], (given,), None).inputs[0][0])
    for name, force in (inputs or {}).items():
        from sistel.linear import read_inputs

        places = read_inputs(self._model, [name])
        if len(places) != 1:
            unknown("single coordinate", "отдельной координаты", name, [*self._model.rate_names])
        forces[places[0].rate] += force
    if not np.isfinite(forces).all():
        reason = Text("tau has numbers that are not finite", "в tau есть числа, которые не конечны")
        refuse("bad-array", Text("an equilibrium cannot be searched for", "равновесие не найти"), (reason,))
    return equilibrium(self._structure(structure, applied), start, forces, stable=stable, t=t)


def _constraints(self: System, q: ArrayLike, v: ArrayLike, structure: str | None) -> tuple[Array, ...]:
    """Values, Jacobian, biases and drifts of the constraints of a structure."""
    import numpy as np

    equations = self._engine.structure(self.structure(structure), False)
    if equations.is_tree:
        from sistel.kernels import as_rows

        rows = as_rows([("q", self.nq), ("v", self.nv)], [("q", 0)], (q, v), None)
        return tuple(np.zeros((*rows.results[0].shape[:-1], 0)) for _ in range(4))
    time = (np.zeros(1),) if equations.timed else ()
    return cast("tuple[Array, ...]", equations.constraints(q, v, *time))


def _driven(self: System, names: Sequence[str] | None) -> list[int]:
    """Velocities at which forces can act."""
    model = self._model
    if names is None:
        motors = [model.bodies[motor.body - 1].first_v + motor.coordinate for motor in model.motors]
        return sorted(set(motors)) or list(range(self.nv))
    found: list[int] = []
    for name in names:
        whole = [i for body in model.bodies if name in (body.name, body.joint.name) for i in _rates_of(body)]
        exact = [i for i, known in enumerate(model.rate_names) if known == name]
        if not whole and not exact:
            unknown("coordinate", "координаты", name, [*model.rate_names])
        found += whole or exact
    return sorted(set(found))


def _rates_of(body: Body) -> range:
    return range(body.first_v, body.first_v + body.joint.type.nv)
