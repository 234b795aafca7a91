"""Quantities of the tree of bodies, and motion under given forces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, cast

from sistel.errors import Text
from sistel.face._kept import hand_over, often
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.face._system import System


Precision = Literal["float64", "float32"]
"""What numbers are computed in."""


def inverse_dynamics(
    self: System, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Array | None = None, dtype: Precision = "float64"
) -> Array:
    """Generalized forces that give the tree of bodies its accelerations, weight included.

    Closures, contacts and the springs and friction of joints are not part of it: they are forces of their own.

    Args:
        q: Coordinates, shape (..., nq) [m, rad, or numbers of a unit quaternion].
        v: Velocities, shape (..., nv) [m/s or rad/s].
        a: Accelerations, shape (..., nv) [m/s² or rad/s²].
        out: Where to put the result.
        dtype: "float32" computes in single precision: for batches, at half the memory.

    Returns:
        tau, shape (..., nv) [N or N·m].
    """
    if dtype != "float64":
        return self._single("inverse_dynamics", dtype, (q, v, a), out)
    call = _quantity(self, "inverse_dynamics")
    return call(q, v, a) if out is None else call(q, v, a, out=out)


def bias_forces(self: System, q: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Array:
    """Generalized forces of inverse dynamics at zero acceleration: weight, centrifugal and gyroscopic forces.

    Returns:
        Shape (..., nv) [N or N·m].
    """
    call = _quantity(self, "bias_forces")
    return call(q, v) if out is None else call(q, v, out=out)


def gravity_forces(self: System, q: ArrayLike, *, out: Array | None = None) -> Array:
    """Generalized forces that hold the system still, shape (..., nv) [N or N·m]."""
    call = _quantity(self, "gravity_forces")
    return call(q) if out is None else call(q, out=out)


def mass_matrix(self: System, q: ArrayLike, *, dtype: Precision = "float64") -> Array:
    """The mass matrix of the tree of bodies, rotors of motors included, shape (..., nv, nv) [kg, kg·m or kg·m²].

    With `dtype` "float32" it is computed in single precision.
    """
    if dtype != "float64":
        return matrices(self._single("mass_matrix", dtype, (q,), None), self._nv, self._nv)
    found = matrices(self._engine.call("mass_matrix")(q), self._nv, self._nv)
    often(self, "mass_matrix", None, lambda general: self._engine.matrix_method("mass_matrix", general))
    return found


def applied_forces(self: System, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0) -> Array:
    """Generalized forces of everything that the file lets act beside weight.

    These are the springs, dampers and friction of joints, soft stops, springs between bodies, and applied forces.
    Friction of tracks is that of patches which slide, with what they carry in the motion that follows where no motor
    drives: `forward_dynamics` with `applied` knows the loads for other `tau` too.

    Args:
        q: Coordinates, shape (..., nq).
        v: Velocities, shape (..., nv).
        t: Time [s], one number or one per state.

    Returns:
        Shape (..., nv) [N or N·m].
    """
    from sistel.kernels import as_reals

    return self._engine.call("applied_forces")(q, v, as_reals("t", t)[..., None])


def forward_dynamics(
    self: System,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    structure: str | None = None,
    applied: bool = False,
    t: ArrayLike = 0.0,
    out: Array | None = None,
    dtype: Precision = "float64",
) -> Array:
    """Accelerations that generalized forces give, under weight and under everything that holds in a structure.

    Args:
        q: Coordinates, shape (..., nq); in a structure with closures they should meet them (see `assemble`).
        v: Velocities, shape (..., nv).
        tau: Generalized forces, shape (..., nv) [N or N·m], such as those of motors.
        structure: The structure, by default the initial one.
        applied: Whether what the file lets act beside weight acts too, as `applied_forces` gives it.
        t: Time [s], where forces or surfaces depend on it.
        out: Where to put the result.
        dtype: "float32" computes in single precision, for trees on which nothing but weight and `tau` acts.

    Returns:
        a, shape (..., nv) [m/s² or rad/s²]. In postures where constraints depend on each other, the one that is
        nearest to free motion (Gauss).

    Raises:
        SistelError: Some coordinate moves no mass.
    """
    if structure is None and not applied and dtype == "float64" and "forward_dynamics" in self.__dict__:
        call = self._engine.call("forward_dynamics")  # the structure is a tree, or it would not have been handed over
        return call(q, v, tau) if out is None else call(q, v, tau, out=out)
    equations = self._structure(structure, applied)
    if dtype != "float64":
        if not equations.is_tree or applied:
            reason = Text("only trees under weight and tau", "только деревья под тяжестью и tau")
            refuse("no-single", Text("no single precision here", "здесь нет одинарной точности"), (reason,))
        return self._single("forward_dynamics", dtype, (q, v, tau), out)
    if equations.is_tree and not (applied and any(track.friction for track in self._model.tracks)):
        given = tau
        if applied:
            from sistel.kernels import as_reals

            given = as_reals("tau", tau) + self.applied_forces(q, v, t=t)
        usual = structure is None and not applied
        call = _quantity(self, "forward_dynamics") if usual else self._engine.call("forward_dynamics")
        return call(q, v, given) if out is None else call(q, v, given, out=out)
    found = equations.forward_dynamics(q, v, tau, t)
    if out is None:
        return found
    return put_into(found, out)


def reactions(
    self: System,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    structure: str | None = None,
    applied: bool = False,
    t: ArrayLike = 0.0,
) -> dict[str, Array]:
    """What every joint carries, driving forces included, and every closure, contact and lock that holds.

    Args:
        q: Coordinates, shape (..., nq).
        v: Velocities, shape (..., nv).
        tau: As for `forward_dynamics`, as forces in the joints.
        structure: As for `forward_dynamics`.
        applied: As for `forward_dynamics`: springs and forces then act on their bodies.
        t: As for `forward_dynamics`.

    Returns:
        By name, shape (..., 6): moment, then force, in world axes [N·m and N]. Of a joint, on the body from its
        base, about the pole of the body; of a closure or lock, on its first body at its point; of a contact, or of
        a joint that the structure has changed, on the body of its point. Where constraints are redundant (see
        `mobility`), contacts have the shares of least norm, and of other links those that are kept carry everything.
    """
    return self._structure(structure, applied).reactions(q, v, tau, t)


def energies(self: System, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
    """Kinetic and potential energy of the system, springs included, each of the shape of the batch [J].

    Forces of the file, dampers, friction and motors have no potential.
    """
    return self._engine.energies(q, v)


def momentum(self: System, q: ArrayLike, v: ArrayLike) -> Array:
    """Angular momentum about the origin of the world, then momentum, shape (..., 6) [N·m·s and N·s]."""
    return self._engine.call("momentum")(q, v)


def centre_of_mass(self: System, q: ArrayLike) -> Array:
    """Centre of mass of the whole system in the world, shape (..., 3) [m]."""
    import numpy as np

    from sistel.kernels import as_reals

    coordinates = as_reals("q", q)
    still = np.zeros((*coordinates.shape[:-1], self.nv))
    return self._engine.call("energies")(coordinates, still)[..., 2:5]


def pose(self: System, q: ArrayLike, name: str | int) -> Array:
    """Pose of a body, by name or number, of a frame or of a point in the world, shape (..., 4, 4) [m]."""
    call = self._engine.named_call("pose", name) or _frame(self, "pose", name)
    found = matrices(call(q), 4, 4)
    _often_of(self, "pose", name)
    return found


def jacobian(self: System, q: ArrayLike, name: str | int) -> Array:
    """Angular velocity, then velocity of the origin, of a body, frame or point per unit of v, in the world.

    Returns:
        Shape (..., 6, nv): (ω, velocity) = J · v [rad/s and m/s].
    """
    call = self._engine.named_call("jacobian", name) or _frame(self, "jacobian", name)
    found = matrices(call(q), 6, self._nv)
    _often_of(self, "jacobian", name)
    return found


def jacobian_rate(self: System, q: ArrayLike, v: ArrayLike, name: str | int) -> Array:
    """The derivative with time of `jacobian`, shape (..., 6, nv): accelerations are J · a + J̇ · v."""
    call = self._engine.named_call("jacobian_rate", name) or _frame(self, "jacobian_rate", name)
    found = matrices(call(q, v), 6, self._nv)
    _often_of(self, "jacobian_rate", name)
    return found


def _quantity(self: System, name: str) -> Callable[..., Array]:
    """What computes a quantity; from now on the method of that name is machine code, see `hand_over`."""
    call = self._engine.call(name)
    hand_over(self, name, lambda method: self._engine.quick(name, method))
    return call


def _often_of(self: System, quantity: str, name: str | int) -> None:
    """Machine code answers the method for this frame, once it has been called often."""

    def quick(general: Callable[..., Array]) -> Callable[..., Array]:
        return self._engine.frame_method(quantity, self._place_of(name), name, general)

    often(self, quantity, name, quick)


def _frame(self: System, quantity: str, name: str | int) -> Callable[..., Array]:
    """What computes a quantity of a body, frame or point, found by its name from now on."""
    return self._engine.name_call(quantity, name, *self._place_of(name))


def put_into(found: Array, out: Array) -> Array:
    """Results in an array that was given for them, with the demands that kernels make of it."""
    from sistel.kernels import as_rows

    rows = as_rows([("a", found.shape[-1])], [("a", found.shape[-1])], (found,), out)
    rows.results[0][...] = found
    return cast("Array", rows.results[0])


def matrices(entries: Array, rows: int, columns: int) -> Array:
    """Rows of numbers as matrices; quick where there is one."""
    return entries.reshape((rows, columns) if entries.ndim == 1 else (*entries.shape[:-1], rows, columns))
