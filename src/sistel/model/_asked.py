"""A system whose motors ask a program what to do, at the ticks of a clock."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm

from sistel.markup import Name
from sistel.model._control import Clock, Command, Input, Scheme
from sistel.model._elements import Formula
from sistel.model._model import Model
from sistel.model._recipe import changed
from sistel.model._ticks import scheme_memory, scheme_transitions
from sistel.records import entry
from sistel.units import FORCE, MOMENT

FINEST = 10**9
"""Parts of a second that a clock counts in at most."""
SCHEME = "control()"
"""Name of the scheme: no file has one like it."""


@entry
class Asking:
    """Adds a clock, and an input for every motor that nothing commands."""

    period: float
    offset: float

    def __call__(self, model: Model) -> Model:
        """The model with them."""
        commanded = {
            command.motor for scheme in model.schemes for command in scheme.commands if command.kind != "brake"
        }
        inputs, commands = [], []
        for motor in model.motors:
            if motor.name in commanded:
                continue
            turns = model.bodies[motor.body - 1].joint.type.rates[motor.coordinate][1] == "turn"
            dimension, name = MOMENT if turns else FORCE, asked_name(motor.name)
            inputs.append(Input(name=name, scheme=SCHEME, dimension=dimension, start=0.0, span=motor.span))
            formula = Formula(expression=Name(name, motor.span), dimension=dimension)
            commands.append(Command(motor=motor.name, kind="force", value=formula, span=motor.span))
        period, offset = (Fraction(time).limit_denominator(FINEST) for time in (self.period, self.offset))
        parts = lcm(period.denominator, offset.denominator)
        scheme = Scheme(
            name=SCHEME,
            clock=Clock(first=int(offset * parts), step=int(period * parts), parts=parts),
            signals=(),
            stores=(),
            inputs=tuple(inputs),
            commands=tuple(commands),
            items=(),
            asks=True,
            span=model.span,
        )
        schemes = (*model.schemes, scheme)
        return replace(
            model,
            schemes=schemes,
            memory=(*model.memory, *scheme_memory([scheme])),
            ticks=tuple(scheme_transitions(schemes)),
        )


def asking(model: Model, period: float, offset: float) -> Model:
    """The system with a clock at whose ticks a program says what its motors and inputs do."""
    return changed(model, Asking(period, offset))


def asked_name(motor: str) -> str:
    """What the force that a program gives a motor is called in states."""
    return f"asked({motor})"
