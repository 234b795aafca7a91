"""The face: a system of bodies, loaded from a file or a text."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from sistel.engine import Engine, StructureEngine
from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Text, did_you_mean, one_of
from sistel.markup import Document, Loss, include, read_any, read_source
from sistel.model import Body, Model, Structure, Transition, build, check_limits, parameter_values
from sistel.pose import Rotation, Vector3

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from sistel.formulas import Equations
    from sistel.mechanics import Mobility
    from sistel.model import Live, Parameter
    from sistel.proofs import ProofSheet
    from sistel.simulation import Cycle, Run, Simulation
    from sistel.solve import Equilibrium
    from sistel.views import Drawing

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

Precision = Literal["float64", "float32"]
"""What numbers are computed in."""


def load(
    path: str | os.PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | os.PathLike[str] | None = None,
    renumber: bool = False,
) -> System:
    """Read a file: XsysTel, URDF or MJCF, recognised by its content.

    Args:
        path: The file.
        base: For URDF: whether the root body is fixed to the ground or free.
        lock: Names of joints that do not move: at 0, or at the given values [m or rad].
        srdf: For URDF: a file with groups of bodies and named postures.
        renumber: Whether to number the bodies anew, depth first, whatever numbers the file gives.

    Raises:
        SistelError: The file cannot be read or used; it carries all diagnostics, with their places.
    """
    diagnostics = Diagnostics()
    source = read_source(os.fspath(path), diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    return _system(source, diagnostics, base, lock, None if srdf is None else os.fspath(srdf), renumber)


def parse(
    text: str,
    name: str = "<text>",
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | None = None,
    renumber: bool = False,
) -> System:
    """As `load`, for a text; `name` stands for the file in messages, and inclusions are looked for in its folder."""
    return _system(Source(name, text), Diagnostics(), base, lock, srdf, renumber)


def _system(
    source: Source,
    diagnostics: Diagnostics,
    base: Literal["fixed", "free"],
    lock: Collection[str] | Mapping[str, float],
    srdf: str | None,
    renumber: bool,
) -> System:
    document, losses = read_any(source, diagnostics, base=base, lock=lock, srdf=srdf)
    if document is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing was read, and nothing was said about it")
    model = build(document, diagnostics, lambda path, span: include(path, span, diagnostics), renumber=renumber)
    return System(model, source, document, losses)


class System:
    """A system of bodies. Frozen: its methods compute and remember nothing that a caller could see."""

    __slots__ = (
        "__dict__",
        "_calls",
        "_document",
        "_engine",
        "_frames",
        "_losses",
        "_model",
        "_nv",
        "_simulations",
        "_source",
        "_values",
    )

    def __init__(
        self,
        model: Model,
        source: Source,
        document: Document,
        losses: tuple[Loss, ...] = (),
        values: Mapping[str, float] | None = None,
    ) -> None:
        """Use `sistel.load` or `sistel.parse`; `values` are those of parameters that are not the file's."""
        self._model = model
        self._source = source
        self._document = document
        self._losses = losses
        self._engine = Engine(model)
        self._nv = model.nv
        self._values = dict(values or {})
        self._simulations: dict[tuple[float, str, float | None], Simulation] = {}
        self._calls: dict[str, Callable[..., Array]] = {}
        self._frames: dict[tuple[str, str], Callable[..., Array]] = {}

    @property
    def model(self) -> Model:
        """Everything that the file says, in SI."""
        return self._model

    @property
    def source(self) -> Source:
        """The text that the system was read from."""
        return self._source

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What a foreign format said that did not carry over; empty for XsysTel."""
        return self._losses

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._model.name

    @property
    def planar(self) -> bool:
        """Whether the bodies move in parallel planes."""
        return self._model.planar

    @property
    def structure_class(self) -> str:
        """Structural class: СТОВ, СТВ, ДСТОВ, ДСТВ, ДСТ, with П in front for planar systems."""
        return self._model.structure_class

    @property
    def bases(self) -> tuple[int, ...]:
        """СНБТ, the list of base numbers: element i is the base of body i + 1; 0 is the ground."""
        return self._model.bases

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies by number."""
        return self._model.bodies

    @property
    def structures(self) -> tuple[Structure, ...]:
        """The structures that the system can take; the first is the initial one unless the file says otherwise."""
        return self._model.structures

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The passages between structures."""
        return self._model.transitions

    @property
    def nq(self) -> int:
        """How many coordinates."""
        return self._model.nq

    @property
    def nv(self) -> int:
        """How many velocities; a spatial rotation has four coordinates and three velocities."""
        return self._model.nv

    @property
    def fingerprint(self) -> str:
        """A hash of the content, whatever language, spelling or layout says it."""
        return self._model.fingerprint

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes of the reading."""
        return self._model.diagnostics

    def with_parameters(self, changes: Mapping[str, float | str] | None = None, /, **values: float | str) -> System:
        """The same system with other values of its parameters; everything that depends on them follows.

        Args:
            changes: Values by name, for names that are no words of Python.
            values: Values by name: numbers in SI, or texts of the language such as "800 mm" or "2*r".

        Raises:
            SistelError: A name is unknown, a value is beyond its limits, or the file makes no sense with it.
        """
        given = {**self._values, **parameter_values(self._model, {**(changes or {}), **values})}
        names = [body.name for body in self._model.bodies]
        model = self._rebuild(lambda p: p.value, False, given)
        if [body.name for body in model.bodies] != names:
            model = self._rebuild(lambda p: p.value, True, given)
        check_limits(model, given)
        return System(model, self._source, self._document, self._losses, given)

    def _rebuild(self, live: Live, renumber: bool, values: Mapping[str, float] | None = None) -> Model:
        """The model anew from the document, with other things in the places of its parameters."""
        chosen = self._values if values is None else values
        found = Diagnostics()

        def value(parameter: Parameter) -> float:
            return live(replace(parameter, value=chosen.get(parameter.name, parameter.value)))

        return build(self._document, found, lambda a, b: include(a, b, found), renumber=renumber, live=value)

    def body(self, body: str | int) -> Body:
        """A body by name or number."""
        return self._model.bodies[self._number(body) - 1]

    def base(self, body: str | int) -> int:
        """Number of a body's base; 0 is the ground."""
        return self.body(body).base

    def adjacent(self, body: str | int) -> tuple[int, ...]:
        """Numbers of the bodies whose base is the given one; 0 stands for the ground."""
        return self._model.adjacent(0 if body == 0 or body == "0" else self._number(body))

    @property
    def terminal(self) -> tuple[int, ...]:
        """Numbers of the bodies that end branches."""
        return self._model.terminal

    def structure(self, name: str | None = None) -> Structure:
        """A structure by name; the initial one without a name."""
        names = [structure.name for structure in self._model.structures]
        if name is not None and name not in names:
            _unknown("structure", "структуры", name, names)
        return self._model.structure(name)

    def dof(self, structure: str | None = None) -> int:
        """Degrees of freedom of a structure by Grübler's formula."""
        return self.structure(structure).dof

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Array | None = None, dtype: Precision = "float64"
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
        call = self._calls.get("inverse_dynamics") or self._quick_call("inverse_dynamics")
        return call(q, v, a) if out is None else call(q, v, a, out=out)

    def bias_forces(self, q: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Array:
        """Generalized forces of inverse dynamics at zero acceleration: weight, centrifugal and gyroscopic forces.

        Returns:
            Shape (..., nv) [N or N·m].
        """
        call = self._calls.get("bias_forces") or self._quick_call("bias_forces")
        return call(q, v) if out is None else call(q, v, out=out)

    def gravity_forces(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """Generalized forces that hold the system still, shape (..., nv) [N or N·m]."""
        call = self._calls.get("gravity_forces") or self._quick_call("gravity_forces")
        return call(q) if out is None else call(q, out=out)

    def mass_matrix(self, q: ArrayLike, *, dtype: Precision = "float64") -> Array:
        """The mass matrix of the tree of bodies, rotors of motors included, shape (..., nv, nv) [kg, kg·m or kg·m²].

        With `dtype` "float32" it is computed in single precision.
        """
        if dtype != "float64":
            return _matrices(self._single("mass_matrix", dtype, (q,), None), self._nv, self._nv)
        call = self._calls.get("mass_matrix") or self._call("mass_matrix")
        return _matrices(call(q), self._nv, self._nv)

    def applied_forces(self, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0) -> Array:
        """Generalized forces of everything that the file lets act beside weight.

        These are the springs, dampers and friction of joints, soft stops, springs between bodies, and applied forces.

        Args:
            q: Coordinates, shape (..., nq).
            v: Velocities, shape (..., nv).
            t: Time [s], one number or one per state.

        Returns:
            Shape (..., nv) [N or N·m].
        """
        import numpy as np

        return self._call("applied_forces")(q, v, np.asarray(t, dtype=float)[..., np.newaxis])

    def forward_dynamics(
        self,
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
        if structure is None and not applied and dtype == "float64":
            call = self._calls.get("forward_dynamics")
            if call is not None:
                return call(q, v, tau) if out is None else call(q, v, tau, out=out)
        equations = self._structure(structure, applied)
        if dtype != "float64":
            if not equations.is_tree or applied:
                reason = Text("only trees under weight and tau", "только деревья под тяжестью и tau")
                _refuse("no-single", Text("no single precision here", "здесь нет одинарной точности"), (reason,))
            return self._single("forward_dynamics", dtype, (q, v, tau), out)
        if equations.is_tree:
            given = tau
            if applied:
                import numpy as np

                given = np.asarray(tau, dtype=float) + self.applied_forces(q, v, t=t)
            call = self._engine.call("forward_dynamics")
            if structure is None and not applied:
                self._quick_call("forward_dynamics")
            return call(q, v, given) if out is None else call(q, v, given, out=out)
        found = equations.forward_dynamics(q, v, tau, t)
        if out is None:
            return found
        return _put(found, out)

    def reactions(
        self,
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
            `mobility`), those that are kept carry everything.
        """
        return self._structure(structure, applied).reactions(q, v, tau, t)

    def impact(
        self,
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

    def constraint_errors(self, q: ArrayLike, *, structure: str | None = None) -> Array:
        """How far the closures, couplings and sliding contacts of a structure are from being met.

        Returns:
            Shape (..., constraints) [m or rad]; links that hold whatever place they find count as met.
        """
        import numpy as np

        still = np.zeros(self.nv)
        return cast("Array", self._constraints(q, still, structure)[0])

    def constraint_jacobian(self, q: ArrayLike, *, structure: str | None = None) -> Array:
        """The Jacobian of the constraints of a structure: J · v = 0, shape (..., constraints, nv)."""
        import numpy as np

        values, J = self._constraints(q, np.zeros(self.nv), structure)[:2]
        return cast("Array", J.reshape(*values.shape, self.nv))

    def constraint_bias(self, q: ArrayLike, v: ArrayLike, *, structure: str | None = None) -> Array:
        """J̇ · v of the constraints of a structure, which J · a has to cancel, shape (..., constraints)."""
        return cast("Array", self._constraints(q, v, structure)[2])

    def mobility(self, structure: str | None = None, q: Sequence[float] | None = None) -> Mobility:
        """Degrees of freedom by the rank of the constraints, beside Grübler's formula; names what is redundant.

        Args:
            structure: The structure, by default the initial one.
            q: Coordinates; without, those of the start.
        """
        from sistel.mechanics import mobility

        return mobility(self._model, self.structure(structure), q)

    def assemble(self, q: ArrayLike | None = None, *, structure: str | None = None) -> Array:
        """Coordinates that meet the closures and couplings of a structure, shape (nq,).

        Args:
            q: Where to start, shape (nq,). Without, the start of the file, whose given coordinates stay if that is
                possible.
            structure: The structure, by default the initial one.

        Raises:
            SistelError: There are none near the start; it says how far apart the links remain.
        """
        import numpy as np

        from sistel.kernels import as_rows
        from sistel.mechanics import assemble

        chosen, start = self.structure(structure), self._model.start
        fixed: frozenset[int] = frozenset()
        if q is None:
            begin: Sequence[float] = start.q
            simple = [body for body in self.bodies if not body.joint.type.has_quaternion]
            pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
            fixed = frozenset(rate for place, rate in pairs if place in start.given_q)
        else:
            begin = as_rows([("q", self.nq)], [("q", self.nq)], (q,), None).inputs[0][0].tolist()
        found = assemble(self._model, chosen, begin, fixed=fixed)
        if not found.success:
            _refuse(
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

    def energies(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Kinetic and potential energy of all bodies, springs apart, each of the shape of the batch [J]."""
        found = self._call("energies")(q, v)
        return found[..., 0], found[..., 1]

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Angular momentum about the origin of the world, then momentum, shape (..., 6) [N·m·s and N·s]."""
        return self._call("momentum")(q, v)

    def centre_of_mass(self, q: ArrayLike) -> Array:
        """Centre of mass of the whole system in the world, shape (..., 3) [m]."""
        import numpy as np

        coordinates = np.asarray(q, dtype=float)
        still = np.zeros((*coordinates.shape[:-1], self.nv))
        return self._call("energies")(coordinates, still)[..., 2:5]

    def pose(self, q: ArrayLike, name: str) -> Array:
        """Pose of a body, frame or point in the world, shape (..., 4, 4) [m]."""
        call = self._frames.get(("pose", name)) or self._frame("pose", name)
        return _matrices(call(q), 4, 4)

    def jacobian(self, q: ArrayLike, name: str) -> Array:
        """Angular velocity, then velocity of the origin, of a body, frame or point per unit of v, in the world.

        Returns:
            Shape (..., 6, nv): (ω, velocity) = J · v [rad/s and m/s].
        """
        call = self._frames.get(("jacobian", name)) or self._frame("jacobian", name)
        return _matrices(call(q), 6, self._nv)

    def equations(self, structure: str | None = None, *, symbols: bool = False) -> Equations:
        """Equations of motion as formulas, symbolic in the file's parameters, with the constraints of a structure.

        Args:
            structure: The structure, by default the initial one.
            symbols: Whether masses, lengths and moments of inertia that are plain numbers get letters too.
        """
        from sistel.formulas import write_equations

        chosen = self.structure(structure)

        return write_equations(self._model, self._rebuild, chosen, symbols=symbols)

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, name: str) -> Array:
        """The derivative with time of `jacobian`, shape (..., 6, nv): accelerations are J · a + J̇ · v."""
        call = self._frames.get(("jacobian_rate", name)) or self._frame("jacobian_rate", name)
        return _matrices(call(q, v), 6, self._nv)

    def check(self, *, structure: str | None = None, states: int | None = None, seed: int = 1) -> ProofSheet:
        """The proof sheet: every quantity of all structures, or of one, computed in two independent ways."""
        from sistel.proofs import prove
        from sistel.views import draw_proofs

        name = None if structure is None else self.structure(structure).name
        return prove(self._model, structure=name, states=states, seed=seed, draw=draw_proofs)

    def static_forces(
        self,
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
        return static_forces(self._structure(structure, applied), place, self._driven(driven), t)

    def equilibrium(
        self,
        q: ArrayLike | None = None,
        *,
        tau: ArrayLike | None = None,
        structure: str | None = None,
        stable: bool = False,
        applied: bool = True,
        t: float = 0.0,
    ) -> Equilibrium:
        """A posture in which nothing accelerates, searched for from a given one.

        Args:
            q: Where to start, shape (nq,); without, the start of the file.
            tau: Constant driving forces, shape (nv,) [N or N·m]; without, none.
            structure: The structure, by default the initial one.
            stable: Whether to go where the forces push, instead of to the nearest equilibrium.
            applied: Whether the springs and forces of the file act.
            t: Time [s].

        Returns:
            `.q`, `.success`, `.residual`, `.stable`, `.stiffness` and, on failure, `.reason`.
        """
        import numpy as np

        from sistel.kernels import as_rows
        from sistel.solve import equilibrium

        start = self._one_state(self._model.start.q if q is None else q)
        given = np.zeros(self.nv) if tau is None else tau
        forces = as_rows([("tau", self.nv)], [("tau", self.nv)], (given,), None).inputs[0][0]
        return equilibrium(self._structure(structure, applied), start, forces, stable=stable, t=t)

    def simulate(
        self,
        until: float,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        structure: str | None = None,
        t: float | None = None,
        tolerance: float = 2.0**-52,
        longest: float = math.inf,
        progress: Callable[[float, str], None] | None = None,
        resume: Run | None = None,
        method: Literal["auto", "taylor", "radau", "gauss"] = "auto",
        step: float | None = None,
    ) -> Run:
        """The motion from a state to a time, through all structures that its transitions lead to.

        Args:
            until: When to end [s].
            q: Coordinates to begin with, shape (nq,); without, those of the file.
            v: Velocities, shape (nv,); without, those of the file, made to fit the constraints.
            structure: The structure to begin with; without, that of the file.
            t: Time to begin at [s]; without, that of the file.
            tolerance: Relative error of a step; the default is that of the numbers themselves.
            longest: Longest step [s].
            progress: Called now and then with the time reached and the structure.
            method: "taylor" (high order, explicit), "radau" (for stiff systems), "gauss" (symplectic, a fixed step, for
                long runs), or "auto": Taylor's, and Radau's in structures that turn out to be stiff.
            step: Length of the steps of "gauss" [s].
            resume: A run of this system to go on with, as `Run.resume` does; it brings its state and its tolerance.

        Returns:
            The run: `.t`, `.q`, `.v`, `.structure`, `.events`, `run(t)` for any time, `.save(path)`.

        Raises:
            SistelError: The call is wrong, or the motion cannot go on: `simulation.RunError`, whose `run` is valid.
        """
        from sistel.kernels import as_rows
        from sistel.simulation import initial_state

        chosen = self.structure(structure)
        place = None if q is None else self._one_state(q)
        speed = None
        if v is not None:
            speed = as_rows([("v", self.nv)], [("v", self.nv)], (v,), None).inputs[0][0]
        if not tolerance > 0 or math.isnan(until):
            reason = Text("until is a time, tolerance a positive number", "until — время, tolerance — число больше 0")
            _refuse("bad-number", Text("the call is wrong", "вызов неверен"), (reason,))
        if resume is not None:
            if resume.model.fingerprint != self.fingerprint:
                reason = Text("resume is a run of another system", "resume — расчёт другой системы")
                _refuse("other-system", Text("the call is wrong", "вызов неверен"), (reason,))
            return resume.kept_by(self.simulation(resume.tolerance or tolerance), resume.longest).resume(
                until, progress=progress
            )
        simulation = self.simulation(tolerance, method, step)
        plain = place is None and speed is None and t is None
        begin = simulation.start(chosen) if plain else initial_state(self._engine, chosen, place, speed, t)
        return simulation.run(begin, chosen.name, until, longest, progress).kept_by(simulation, longest)

    def cycle(
        self,
        section: str | None = None,
        *,
        mirror: Mapping[str, str] | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        structure: str | None = None,
        until: float = 100.0,
        tolerance: float = 1e-10,
    ) -> Cycle:
        """The limit cycle near the motion from a state, through all structures on its way.

        Args:
            section: The transition after which the cycle begins; without, the first that repeats.
            mirror: Bodies that exchange their roles, such as {"left": "right"}: one step of a walker is then a cycle.
            q: Coordinates to begin with, shape (nq,); with v and structure, as for `simulate`.
            v: Velocities.
            structure: The structure.
            until: How long to wait for a repetition [s].
            tolerance: Largest difference of the states a period apart that counts as none, relative.

        Returns:
            `.period`, `.q`, `.v`, `.multipliers`, `.events`, `.shift`, `.residual`, `.success`, `.reason`.
        """
        from sistel.kernels import as_rows
        from sistel.simulation import find_cycle, initial_state

        chosen = self.structure(structure)
        place = None if q is None else self._one_state(q)
        speed = None if v is None else as_rows([("v", self.nv)], [("v", self.nv)], (v,), None).inputs[0][0]
        begin = initial_state(self._engine, chosen, place, speed, None)
        return find_cycle(self.simulation(), begin, chosen.name, section, mirror, until, tolerance)

    def simulation(
        self,
        tolerance: float = 2.0**-52,
        method: Literal["auto", "taylor", "radau", "gauss"] = "auto",
        step: float | None = None,
    ) -> Simulation:
        """What simulates this system with a tolerance and a method: its compiled structures, which runs share."""
        from sistel.simulation import Run, Simulation
        from sistel.simulation._scheme import Scheme

        reason = None
        if method not in ("auto", "taylor", "radau", "gauss"):
            reason = Text('method is "auto", "taylor", "radau" or "gauss"', "method — auto, taylor, radau или gauss")
        elif method == "gauss" and (step is None or not 0.0 < step < math.inf):
            reason = Text('"gauss" takes a step, a positive number', "для gauss нужен step — число больше 0")
        elif method != "gauss" and step is not None:
            reason = Text('step goes with "gauss"', "step бывает только с gauss")
        if reason is not None:
            _refuse("bad-method", Text("the call is wrong", "вызов неверен"), (reason,))
        key = (tolerance, method, step)
        if key not in self._simulations:
            Run.page = staticmethod(_run_page)
            scheme = None
            if method != "taylor":
                scheme = Scheme("gauss" if method == "gauss" else "radau", tolerance=tolerance, step=step or 0.0)
            self._simulations[key] = Simulation(self._engine, tolerance, scheme, method == "auto")
        return self._simulations[key]

    def _one_state(self, q: ArrayLike) -> Array:
        """Coordinates of one posture, checked."""
        import numpy as np

        from sistel.kernels import as_rows

        rows = as_rows([("q", self.nq)], [("q", self.nq)], (q,), None)
        if rows.count != 1 or not np.isfinite(rows.inputs[0]).all():
            reason = Text(f"q must be {self.nq} finite numbers", f"q — это {self.nq} конечных чисел")
            _refuse("bad-array", Text("one posture is needed", "нужна одна поза"), (reason,))
        return cast("Array", rows.inputs[0][0])

    def _driven(self, names: Sequence[str] | None) -> list[int]:
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
                _unknown("coordinate", "координаты", name, [*model.rate_names])
            found += whole or exact
        return sorted(set(found))

    def _structure(self, name: str | None, applied: bool) -> StructureEngine:
        """The equations of a structure; refused where its motion does not follow from mechanics."""
        chosen = self.structure(name)
        if chosen.why_not:
            _refuse("no-dynamics", Text("the motion cannot be computed", "движение нельзя вычислить"), chosen.why_not)
        return self._engine.structure(chosen, applied)

    def _constraints(self, q: ArrayLike, v: ArrayLike, structure: str | None) -> tuple[Any, ...]:
        """Values, Jacobian, biases and drifts of the constraints of a structure."""
        import numpy as np

        equations = self._engine.structure(self.structure(structure), False)
        if equations.is_tree:
            shape = np.asarray(q, dtype=float).shape[:-1]
            return tuple(np.zeros((*shape, 0)) for _ in range(4))
        time = (np.zeros(1),) if equations.timed else ()
        return cast("tuple[Any, ...]", equations.constraints(q, v, *time))

    def _call(self, quantity: str) -> Callable[..., Array]:
        """What computes a quantity of the tree of bodies."""
        if quantity not in self._calls:
            self._calls[quantity] = self._engine.call(quantity)
        return self._calls[quantity]

    def _quick_call(self, quantity: str) -> Callable[..., Array]:
        """As `_call`; from now on the method of that name is machine code, which leaves what is unusual to this one."""
        call = self._call(quantity)
        quick = self._engine.quick(quantity, MethodType(getattr(System, quantity), self))
        if quick is not None:
            self.__dict__[quantity] = quick
        return call

    def _single(self, quantity: str, dtype: str, blocks: tuple[ArrayLike, ...], out: Array | None) -> Array:
        """A quantity in single precision."""
        if dtype != "float32":
            reason = Text(f'"float64" or "float32", not {dtype!r}', f"«float64» или «float32», а не {dtype!r}")
            _refuse("bad-dtype", Text("dtype is wrong", "неверный dtype"), (reason,))
        call = self._engine.single_call(quantity)
        return call(*blocks) if out is None else call(*blocks, out=out)

    def _frame(self, quantity: str, name: str) -> Callable[..., Array]:
        """What computes a quantity of a body, frame or point."""
        self._frames[quantity, name] = self._engine.frame_call(quantity, *self._place_of(name))
        return self._frames[quantity, name]

    def _place_of(self, name: str) -> tuple[int, Vector3, Rotation]:
        """Body, place and axes of a body, frame or point."""
        model = self._model
        try:
            return model.place_of(name)
        except KeyError:
            known = [thing.name for things in (model.bodies, model.frames, model.points) for thing in things]
            _unknown("body, frame or point", "тела, репера или точки", name, known)
        raise AssertionError

    def structure_graph(self, lang: Literal["en", "ru"] | None = None) -> Drawing:
        """The graph of structures and transitions as the text of an SVG picture, which notebooks show as such.

        Args:
            lang: Language of its words, conditions included; the user's unless told otherwise.
        """
        from sistel.views import draw_structures

        return draw_structures(self._model, lang)

    def to_xml(self, lang: Literal["en", "ru"] = "en") -> str:
        """The system in canonical XsysTel: one spelling, expressions evaluated, inclusions resolved."""
        from sistel.markup import write_document
        from sistel.model import to_document

        return write_document(to_document(self._model), lang)

    def save(self, path: str | os.PathLike[str], lang: Literal["en", "ru"] = "en") -> tuple[Loss, ...]:
        """Write the system to a file: .xml, .urdf or .mjcf; returns what did not carry over."""
        from sistel.markup import write_any
        from sistel.model import to_document

        return write_any(to_document(self._model), os.fspath(path), lang)

    def _number(self, body: str | int) -> int:
        numbers = {known.name: known.number for known in self._model.bodies}
        if isinstance(body, str) and body in numbers:
            return numbers[body]
        if isinstance(body, str) and body.isdigit():
            body = int(body)
        if isinstance(body, int) and 1 <= body <= len(numbers):
            return body
        _unknown("body", "тела", str(body), list(numbers))
        raise AssertionError

    def __repr__(self) -> str:
        bodies = len(self._model.bodies)
        return f"<System {self.name!r}: {bodies} bodies, {self.structure_class}, nq={self.nq}, nv={self.nv}>"

    def _repr_html_(self) -> str:
        from sistel.views import show_html

        return show_html(self._model)


def _run_page(run: Run) -> str:
    """A run as a notebook shows it."""
    from sistel.views._runs import run_html

    return run_html(run)


def _put(found: Array, out: Array) -> Array:
    """Results in an array that was given for them, with the demands that kernels make of it."""
    from sistel.kernels import as_rows

    rows = as_rows([("a", found.shape[-1])], [("a", found.shape[-1])], (found,), out)
    rows.results[0][...] = found
    return cast("Array", rows.results[0])


def _matrices(entries: Array, rows: int, columns: int) -> Array:
    """Rows of numbers as matrices; quick where there is one."""
    return entries.reshape((rows, columns) if entries.ndim == 1 else (*entries.shape[:-1], rows, columns))


def _rates_of(body: Body) -> range:
    return range(body.first_v, body.first_v + body.joint.type.nv)


def _refuse(code: str, message: Text, reasons: Sequence[Text]) -> NoReturn:
    """Say why something cannot be computed."""
    diagnostics = Diagnostics()
    en, ru = "; ".join(reason.en for reason in reasons), "; ".join(reason.ru for reason in reasons)
    diagnostics.error(code, None, Text(f"{message.en}: {en}", f"{message.ru}: {ru}"))
    raise SistelError(diagnostics.sorted())


def _unknown(en: str, ru: str, name: str, known: list[str]) -> None:
    diagnostics = Diagnostics()
    diagnostics.error(
        "unknown-name",
        None,
        Text(f'there is no {en} "{name}"', f"нет {ru} «{name}»"),
        expected=one_of(known),
        hint=did_you_mean(name, known),
    )
    diagnostics.raise_if_failed()
