"""What tasks ask of a system, and systems that are made from others: with loads, forced motions, other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from sistel.engine import Engine
from sistel.errors import Span
from sistel.markup import Binary, Call, Expression, Name, Number
from sistel.mechanics import expression_value
from sistel.model import Force, Formula, Memory, Model, Motion, Structure, changed
from sistel.units import ANGLE, ANGULAR_ACCELERATION, ANGULAR_SPEED, FORCE, LENGTH, PLAIN, TIME, Dimension

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms import Capacity, Travel, Workspace
    from sistel.arrays import Array
    from sistel.errors import Source
    from sistel.markup import Loss
    from sistel.simulation import Run
    from sistel.solve import Equilibrium, Solution


class Mechanism(Protocol):
    """A system of bodies, as tasks use it; `System` is one."""

    @property
    def model(self) -> Model:
        """Everything that its file says, in SI."""

    @property
    def source(self) -> Source:
        """Its text."""

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What a foreign format said that did not carry over."""

    def with_parameters(self, changes: Mapping[str, float | str] | None = None, /) -> Mechanism:
        """The same with other values of its parameters."""

    def pose(self, q: ArrayLike, name: str | int) -> Array:
        """Pose of a frame, shape (..., 4, 4)."""

    def jacobian(self, q: ArrayLike, name: str | int) -> Array:
        """Shape (..., 6, nv)."""

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, name: str | int) -> Array:
        """Its rate."""

    def assemble(self, q: ArrayLike | None = None, *, structure: str | None = None) -> Array:
        """Coordinates that meet the links."""

    def static_forces(self, q: ArrayLike, *, structure: str | None = None) -> Array:
        """Driving forces that hold it at rest."""

    def equilibrium(self, q: ArrayLike | None = None, *, structure: str | None = None) -> Equilibrium:
        """A posture in which all forces balance."""

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Generalized forces of accelerations."""

    def applied_forces(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Generalized forces of springs, dampers and forces of the file."""

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, structure: str | None = None, applied: bool = False
    ) -> Array:
        """Accelerations of forces."""


def call(system: Mechanism, method: str, /, *given: object, **options: object) -> Any:
    """What a method of the system answers that takes more options than are worth repeating here."""
    return getattr(system, method)(*given, **options)


def remade(system: Mechanism, change: Callable[[Model], Model]) -> Mechanism:
    """The same system after a change of its model; other values of parameters change it likewise."""
    return with_model(system, changed(system.model, change))


def with_model(system: Mechanism, model: Model) -> Mechanism:
    """A system of the same kind for another model."""
    make = cast("Callable[[Model, Source, tuple[Loss, ...]], Mechanism]", type(system))
    return make(model, system.source, system.losses)


def simulated(system: Mechanism, until: float, **options: object) -> Run:
    """A run."""
    return cast("Run", call(system, "simulate", until, **options))


def solved_pose(system: Mechanism, target: Array, frame: str, method: str, **options: object) -> Solution:
    """Inverse kinematics."""
    return cast("Solution", call(system, "inverse_kinematics", target, frame, method, **options))


def travelled(system: Mechanism, trajectory: object, frame: str, **options: object) -> Travel:
    """Along a trajectory."""
    return cast("Travel", call(system, "along", trajectory, frame, **options))


def held_mass(system: Mechanism, motion: object, frame: str, **options: object) -> Capacity:
    """The largest load."""
    return cast("Capacity", call(system, "capacity", motion, frame, **options))


def reached_space(system: Mechanism, frame: str, **options: object) -> Workspace:
    """What is reached."""
    return cast("Workspace", call(system, "workspace", frame, **options))


# --- changes of models ------------------------------------------------------------------------------------------------


def with_load(model: Model, at: str, mass: float) -> Model:
    """With a point of mass on the body of a frame."""
    from sistel.arms import read_payload, with_payload

    load = read_payload(mass)
    return model if load is None else with_payload(model, at, load)


def with_force(model: Model, at: str, components: Sequence[float]) -> Model:
    """With a constant force at a place, in the axes of the ground [N]."""
    body, p_BP, _ = model.place_of(at)
    formulas = tuple(Formula(expression=_si(x, FORCE, model.span), dimension=FORCE) for x in components)
    force = Force(kind="force", name="task", body=body, p_BP=p_BP, components=formulas, in_body=False, span=model.span)
    return replace(model, forces=(*model.forces, force))


def forced(model: Model, q: Sequence[float], v: Sequence[float], a: Sequence[float], rates: Iterable[int]) -> Model:
    """With some coordinates forced to move as q + v t + a t²/2, whatever schemes and motions the file has.

    Only where velocities are rates of coordinates: of hinges and slides.
    """
    motions = []
    for rate in rates:
        place = rate_place(model, rate)
        turns = model.rate_kinds[rate] == "turn"
        measures = (ANGLE, ANGULAR_SPEED, ANGULAR_ACCELERATION) if turns else _slide()
        formula = _polynomial((q[place], v[rate], 0.5 * a[rate]), measures, model.span)
        motions.append(
            Motion(
                name=f"task {rate + 1}",
                rates=(rate,),
                formulas=(Formula(expression=formula, dimension=measures[0]),),
                times=(),
                rows=(),
                interpolation="cubic",
                repeat=False,
                kp=None,
                kd=None,
                structures=(),
                span=model.span,
            )
        )
    return replace(model, motions=tuple(motions), schemes=(), subschemes=(), ticks=(), memory=_kept(model))


def _kept(model: Model) -> tuple[Memory, ...]:
    """What is still remembered where there are no schemes."""
    return tuple(each for each in model.memory if each.kind in ("counter", "entries", "entered"))


def _slide() -> tuple[Dimension, Dimension, Dimension]:
    speed = LENGTH.over(TIME)
    return LENGTH, speed, speed.over(TIME)


def _polynomial(numbers: Sequence[float], measures: Sequence[Dimension], span: Span) -> Expression:
    time: Expression = Name("t", span)
    whole = _si(numbers[0], measures[0], span)
    for power, (number, measure) in enumerate(zip(numbers[1:], measures[1:], strict=True), 1):
        term: Expression = _si(number, measure, span)
        for _ in range(power):
            term = Binary("*", term, time, span)
        whole = Binary("+", whole, term, span)
    return whole


def _si(value: float, dimension: Dimension, span: Span) -> Expression:
    unit = None if dimension == PLAIN else "SI"
    return Number(value=float(value), dimension=dimension, unit=unit, literal="", span=span)


# --- coordinates and values ------------------------------------------------------------------------------------------


def rate_place(model: Model, rate: int) -> int:
    """Index in q of the coordinate whose rate this is."""
    for body in model.bodies:
        if body.first_v <= rate < body.first_v + body.joint.type.nv:
            return body.first_q + rate - body.first_v
    raise AssertionError("every velocity is that of a body")


def driven_rates(model: Model) -> tuple[int, ...]:
    """Velocities that motors drive; those of all coordinates where the file has no motors."""
    return tuple(sorted(set(motor_rates(model)))) if model.motors else tuple(range(model.nv))


def motor_rates(model: Model) -> list[int]:
    """The velocity that each motor drives."""
    return [model.bodies[motor.body - 1].first_v + motor.coordinate for motor in model.motors]


def motor_torques(model: Model, span: Span) -> list[Expression]:
    """Words for the force of each motor."""
    return [Call("torque", (Name(motor.name, span),), span, span) for motor in model.motors]


def plain_rate(model: Model, rate: int) -> bool:
    """Whether a velocity is the rate of a coordinate: of a hinge or a slide."""
    body = next(each for each in model.bodies if each.first_v <= rate < each.first_v + each.joint.type.nv)
    return not body.joint.type.has_quaternion


def simple_joints(model: Model) -> bool:
    """Whether every velocity is the rate of a coordinate."""
    return not any(body.joint.type.has_quaternion for body in model.bodies)


def values_at(
    model: Model,
    structure: Structure,
    q: Sequence[float],
    v: Sequence[float],
    asked: Sequence[Expression],
    t: float = 0.0,
) -> list[float]:
    """Expressions of the language in one state, worked out number by number, with nothing compiled [SI]."""
    mode = Engine.of(model).automaton.mode(structure)
    state = mode.singular_state([*q, *v, *(each.start for each in model.memory), t], asked)
    return [float(cast("float", expression_value(each, state.names, state))) for each in asked]
