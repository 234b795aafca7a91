"""The system: what it is, and everything that can be asked of it, by theme."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, cast, final

from sistel.engine import Engine, StructureEngine
from sistel.errors import Diagnostic, Source, Text
from sistel.face import (
    _compute,
    _dynamics,
    _held,
    _kinematics,
    _lesson,
    _linear,
    _motions,
    _pictures,
    _stepping,
    _structures,
    _tabled,
    _travel,
    _workspace,
    _writing,
)
from sistel.face._kept import Kept
from sistel.face._refusals import only_in_the_main_interpreter, refuse, unknown
from sistel.markup import Loss
from sistel.model import Body, Model, Structure, Transition, check_limits, parameter_values
from sistel.pose import Rotation, Vector3

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.automaton import Automaton
    from sistel.model import Recipe


@final
class System:
    """A system of bodies. Frozen: its methods compute and remember nothing that a caller could see.

    Methods are functions of the themes beside this file; here is the list of them.
    """

    __slots__ = ("__dict__", "_engine", "_kept", "_losses", "_model", "_nv", "_source")

    # --- quantities of the tree of bodies, and motion under given forces
    inverse_dynamics = _dynamics.inverse_dynamics
    bias_forces = _dynamics.bias_forces
    gravity_forces = _dynamics.gravity_forces
    mass_matrix = _dynamics.mass_matrix
    applied_forces = _dynamics.applied_forces
    forward_dynamics = _dynamics.forward_dynamics
    reactions = _dynamics.reactions
    energies = _dynamics.energies
    momentum = _dynamics.momentum
    centre_of_mass = _dynamics.centre_of_mass
    pose = _dynamics.pose
    jacobian = _dynamics.jacobian
    jacobian_rate = _dynamics.jacobian_rate
    compute = _compute.compute
    # --- what the links of a structure demand, and what holds it still
    impact = _structures.impact
    constraint_errors = _structures.constraint_errors
    constraint_jacobian = _structures.constraint_jacobian
    constraint_bias = _structures.constraint_bias
    mobility = _structures.mobility
    assemble = _structures.assemble
    static_forces = _structures.static_forces
    equilibrium = _structures.equilibrium
    linearize = _linear.linearize
    # --- motion in time
    simulate = _motions.simulate
    cycle = _motions.cycle
    ensemble = _motions.ensemble
    simulation = _motions.simulation
    tuned = _motions.tuned
    stepper = _stepping.stepper
    with_motion = _tabled.with_motion
    held = _held.held
    # --- arms
    inverse_kinematics = _kinematics.inverse_kinematics
    workspace = _workspace.workspace
    manipulability = _workspace.manipulability
    singularities = _workspace.singularities
    capacity = _workspace.capacity
    along = _travel.along
    through = _travel.through
    lesson = _lesson.lesson
    # --- formulas, files, pictures
    equations = _writing.equations
    check = _writing.check
    to_xml = _writing.to_xml
    save = _writing.save
    structure_graph = _pictures.structure_graph
    scheme = _pictures.scheme
    wiring = _pictures.wiring
    widget = _pictures.widget

    def __init__(self, model: Model, source: Source, losses: tuple[Loss, ...] = ()) -> None:
        """Use `sistel.load` or `sistel.parse`."""
        only_in_the_main_interpreter()
        self._model = model
        self._source = source
        self._losses = losses
        self._engine = Engine.of(model)
        self._nv = model.nv
        self._kept = Kept()

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies and other processes: what was read, without the machine code that was made since."""
        return type(self), (self._model, self._source, self._losses)

    @property
    def model(self) -> Model:
        """Everything that the file says, in SI."""
        return self._model

    @property
    def automaton(self) -> Automaton:
        """The hybrid automaton: state, parameters, outputs, a mode for every structure, an edge for every transition.

        Its graphs are derived when they are first asked for; `print` shows it.
        """
        return self._engine.automaton

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

    def with_parameters(self, changes: Mapping[str, float | str] | None = None, /, **values: float | str) -> Self:
        """The same system with other values of its parameters; everything that depends on them follows.

        Args:
            changes: Values by name, for names that are no words of Python.
            values: Values by name: numbers in SI, or texts of the language such as "800 mm" or "2*r".

        Raises:
            SistelError: A name is unknown, a value is beyond its limits, or the file makes no sense with it.
        """
        model = self._recipe.build(parameter_values(self._model, {**(changes or {}), **values}))
        assert model.recipe is not None
        check_limits(model, dict(model.recipe.values))
        return type(self)(model, self._source, self._losses)

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
            unknown("structure", "структуры", name, names)
        return self._model.structure(name)

    def dof(self, structure: str | None = None) -> int:
        """Degrees of freedom of a structure by Grübler's formula."""
        return self.structure(structure).dof

    @property
    def _recipe(self) -> Recipe:
        """How the model is built."""
        recipe = self._model.recipe
        if recipe is None:
            reason = Text("it was made without a description", "она сделана без описания")
            refuse("no-recipe", Text("the system cannot be built anew", "систему нельзя построить заново"), (reason,))
        return recipe

    def _number(self, body: str | int) -> int:
        numbers = {known.name: known.number for known in self._model.bodies}
        if isinstance(body, str) and body in numbers:
            return numbers[body]
        number = _whole(body)
        if number is not None and 1 <= number <= len(numbers):
            return number
        unknown("body", "тела", str(body), list(numbers))
        raise AssertionError

    def _one_state(self, q: ArrayLike) -> Array:
        """Coordinates of one posture, checked."""
        import numpy as np

        from sistel.kernels import as_rows

        rows = as_rows([("q", self.nq)], [("q", self.nq)], (q,), None)
        if rows.count != 1 or not np.isfinite(rows.inputs[0]).all():
            reason = Text(f"q must be {self.nq} finite numbers", f"q — это {self.nq} конечных чисел")
            refuse("bad-array", Text("one posture is needed", "нужна одна поза"), (reason,))
        return cast("Array", rows.inputs[0][0])

    def _structure(self, name: str | None, applied: bool) -> StructureEngine:
        """The equations of a structure; refused where its motion does not follow from mechanics."""
        chosen = self.structure(name)
        if chosen.why_not:
            refuse("no-dynamics", Text("the motion cannot be computed", "движение нельзя вычислить"), chosen.why_not)
        return self._engine.structure(chosen, applied)

    def _single(self, quantity: str, dtype: str, blocks: tuple[ArrayLike, ...], out: Array | None) -> Array:
        """A quantity in single precision."""
        if dtype != "float32":
            reason = Text(f'"float64" or "float32", not {dtype!r}', f"«float64» или «float32», а не {dtype!r}")
            refuse("bad-dtype", Text("dtype is wrong", "неверный dtype"), (reason,))
        call = self._engine.single_call(quantity)
        return call(*blocks) if out is None else call(*blocks, out=out)

    def _place_of(self, name: str | int) -> tuple[int, Vector3, Rotation]:
        """Body, place and axes of a body, frame or point; bodies by their numbers, too."""
        model = self._model
        try:
            return model.place_of(name if isinstance(name, str) else "")
        except KeyError:
            number = _whole(name)
            if number is not None and 1 <= number <= len(model.bodies):
                return model.place_of(model.bodies[number - 1].name)
            known = [thing.name for things in (model.bodies, model.frames, model.points) for thing in things]
            unknown("body, frame or point", "тела, репера или точки", str(name), known)
        raise AssertionError

    def __repr__(self) -> str:
        bodies = len(self._model.bodies)
        return f"<System {self.name!r}: {bodies} bodies, {self.structure_class}, nq={self.nq}, nv={self.nv}>"

    def _repr_svg_(self) -> str:
        return str(self.scheme())

    def _repr_html_(self) -> str:
        from sistel.views import show_html

        return show_html(self._model)


def _whole(name: object) -> int | None:
    """The number that a body is asked for by: any whole number, NumPy's too, or its digits; else None."""
    if isinstance(name, str):
        return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else None
    if isinstance(name, bool):
        return None
    try:
        return operator.index(name)  # type: ignore[arg-type]
    except TypeError:
        return None
