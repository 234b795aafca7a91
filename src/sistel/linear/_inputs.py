"""What acts on a linear system from outside: forces of motors, voltages, or forces at any coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from sistel.errors import Text, refuse, refuse_name
from sistel.model import Body, Model, Motor, slow
from sistel.records import record
from sistel.units import si_symbol

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Options(TypedDict, total=False):
    """What `System.linearize` and `Run.linearize` take, and explain."""

    tau: ArrayLike | None
    inputs: str | Sequence[str]
    outputs: Sequence[str]
    motions: bool
    applied: bool
    coordinates: Sequence[str] | None


FORCES = {"slide": "N", "turn": "N·m"}


@record
class Input:
    """One input."""

    name: str
    unit: str
    rate: int
    """Index in v of the coordinate that it acts at; -1 for an input of a scheme."""
    motor: Motor | None
    """The electric motor whose voltage it is; None for a force."""
    memory: int | None = None
    """Of an input of a scheme: which number of the memory it is."""

    @property
    def has_current(self) -> bool:
        """Whether the current of the motor is a state."""
        return self.motor is not None and slow(self.motor)


def read_inputs(model: Model, asked: str | Sequence[str]) -> tuple[Input, ...]:
    """The inputs that a call asks for.

    Args:
        model: The system.
        asked: "force": the forces of all motors; "voltage": the voltages of electric ones, the forces of the others;
            or names of motors, of inputs of schemes, and of coordinates that need no motor.

    Raises:
        SistelError: There is no such motor or coordinate, or no electric motor.
    """
    if asked == "voltage" and not any(motor.electric for motor in model.motors):
        refuse(
            "no-winding",
            Text("the system has no electric motor", "в системе нет электродвигателя"),
            hint=Text(
                'a motor with resistance and constant has one; inputs="force" takes forces',
                'он у привода, где заданы сопротивление и постоянная; inputs="force" берёт силы',
            ),
        )
    if isinstance(asked, str) and asked in ("force", "voltage"):
        return tuple(_of_motor(model, motor, asked == "voltage") for motor in model.motors)
    made: list[Input] = []
    for name in [asked] if isinstance(asked, str) else asked:
        made += _named(model, name)
    return tuple(made)


def _of_motor(model: Model, motor: Motor, voltage: bool) -> Input:
    rate = model.bodies[motor.body - 1].first_v + motor.coordinate
    if voltage and motor.electric:
        return Input(name=motor.name, unit="V", rate=rate, motor=motor)
    return Input(name=motor.name, unit=FORCES[model.rate_kinds[rate]], rate=rate, motor=None)


def _named(model: Model, name: str) -> list[Input]:
    for motor in model.motors:
        if motor.name == name:
            return [_of_motor(model, motor, False)]
    for place, each in enumerate(model.memory):
        if each.kind == "input" and each.name == name:
            unit = next(one.dimension for scheme in model.schemes for one in scheme.inputs if one.name == name)
            return [Input(name=name, unit=si_symbol(unit).replace("*", "·"), rate=-1, motor=None, memory=place)]
    whole = [i for body in model.bodies if name in (body.name, body.joint.name) for i in rates_of(body)]
    rates = whole or [i for i, known in enumerate(model.rate_names) if known == name]
    if not rates:
        signals = [each.name for each in model.memory if each.kind == "input"]
        known = [*(motor.name for motor in model.motors), *signals, *model.rate_names]
        refuse_name(Text("motor or coordinate", "привода или координаты"), name, known)
    names = model.rate_names
    return [Input(name=names[i], unit=FORCES[model.rate_kinds[i]], rate=i, motor=None) for i in rates]


def rates_of(body: Body) -> range:
    """Indices in v of the velocities of a joint."""
    return range(body.first_v, body.first_v + body.joint.type.nv)
