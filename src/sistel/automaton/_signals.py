"""Names and units of what flows through an automaton: state, inputs, outputs, parameters, clocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sistel.expr import Traced
from sistel.units import si_symbol

if TYPE_CHECKING:
    from sistel.model import Model

Kind = (
    Literal[
        "coordinate", "velocity", "counter", "entries", "entered", "current", "shear", "time", "energy", "force", "load"
    ]
    | Literal["input", "store", "signal", "pending", "tick"]
)

_RATES = {"slide": "m/s", "turn": "rad/s"}
_COORDINATES = {"slide": "m", "turn": "rad"}
_FORCES = {"slide": "N", "turn": "N·m"}
_REMEMBERED = {"counter": "", "entries": "", "entered": "s", "current": "A"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One number, or some that go together."""

    name: str
    kind: Kind
    unit: str
    """SI; empty for plain numbers."""
    size: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of the file."""

    name: str
    value: float
    """Today's [SI]."""
    unit: str
    live: bool
    """Whether equations follow it; else it is folded into them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What ticks at instants of its own: (offset + k · period) / parts seconds."""

    name: str
    period: int
    offset: int
    parts: int
    latency: int


def clocks_of(model: Model) -> tuple[Clock, ...]:
    """The clocks of the schemes, the quickest first."""
    found = [
        Clock(
            name=scheme.name,
            period=scheme.clock.step,
            offset=scheme.clock.first,
            parts=scheme.clock.parts,
            latency=scheme.clock.latency,
        )
        for scheme in model.schemes
        if scheme.clock is not None
    ]
    return tuple(sorted(found, key=lambda clock: clock.period / clock.parts))


def inputs_of(model: Model) -> tuple[Signal, ...]:
    """What comes from outside."""
    return tuple(
        Signal(name=each.name, kind="input", unit=si_symbol(each.dimension))
        for scheme in model.schemes
        for each in scheme.inputs
    )


def state_of(model: Model) -> tuple[Signal, ...]:
    """The numbers of a state, in their order."""
    kinds = [kind for body in model.bodies for _, kind in body.joint.type.coordinates]
    units = {name: si_symbol(dimension) for scheme in model.schemes for name, dimension in scheme.dimensions.items()}
    return (
        *(
            Signal(name=name, kind="coordinate", unit=_COORDINATES.get(kind, ""))
            for name, kind in zip(model.coordinate_names, kinds, strict=True)
        ),
        *(
            Signal(name=f"{name}'", kind="velocity", unit=_RATES[kind])
            for name, kind in zip(model.rate_names, model.rate_kinds, strict=True)
        ),
        *(
            Signal(name=name, kind=each.kind, unit=_REMEMBERED.get(each.kind) or units.get(each.name, ""))
            for name, each in zip(model.memory_names, model.memory, strict=True)
        ),
        Signal(name="t", kind="time", unit="s"),
    )


def outputs_of(model: Model) -> tuple[Signal, ...]:
    """What follows from a state: energies, forces of motors, what joints and links carry."""
    motors = (
        Signal(
            name=motor.name,
            kind="force",
            unit=_FORCES[model.rate_kinds[model.bodies[motor.body - 1].first_v + motor.coordinate]],
        )
        for motor in model.motors
    )
    joints = (body.joint.name for body in model.bodies)
    links = (link for structure in model.structures for link in structure.holds)
    carried = dict.fromkeys((*joints, *links))
    return (
        Signal(name="kinetic", kind="energy", unit="J"),
        Signal(name="potential", kind="energy", unit="J"),
        *motors,
        *(Signal(name=name, kind="load", unit="N·m, N", size=6) for name in carried),
    )


def parameters_of(model: Model) -> tuple[Parameter, ...]:
    """The parameters of the file."""
    return tuple(
        Parameter(
            name=parameter.name,
            value=float(parameter.value),
            unit=si_symbol(parameter.dimension),
            live=isinstance(parameter.value, Traced),
        )
        for parameter in model.parameters
    )
