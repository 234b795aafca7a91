"""Control from Python: a clock at which a law is asked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.face._refusals import refuse
from sistel.model import Model, asking, seed_name

if TYPE_CHECKING:
    from sistel.face._system import System
    from sistel.simulation import InputCourse


def controlled(system: System, control: object, period: float | None) -> System:
    """The system with a clock at which a law is asked; kept, so that equations are compiled once for a period."""
    wrong = None
    if control is None or not callable(control):
        wrong = Text("control is a function of the time and a reading", "control — функция времени и показаний")
    elif period is None or not 1e-9 <= period < math.inf:
        wrong = Text("control takes a period, a positive time", "для control нужен period — время больше 0")
    if wrong is not None:
        refuse("bad-control", Text("the call is wrong", "вызов неверен"), (wrong,))
    assert period is not None
    return with_clock(system, float(period), float(system._model.start_time))


def with_clock(system: System, period: float, offset: float) -> System:
    """The system with a clock at which a law is asked; kept, so that equations are compiled once for it."""
    known = system._kept.controlled
    if (period, offset) not in known:
        model = asking(system._model, period, offset)
        known.setdefault((period, offset), type(system)(model, system._source, system._losses))
    return known[period, offset]


def seeded(model: Model, inputs: Mapping[str, InputCourse], seed: int | None) -> Mapping[str, InputCourse]:
    """Values of inputs, with a seed for the noise of all schemes.

    Raises:
        SistelError: It is no seed, or there is no noise.
    """
    if seed is None:
        return inputs
    noisy = [seed_name(each.name) for each in model.schemes if any(seed_name(each.name) == i.name for i in each.inputs)]
    wrong = None
    if not noisy:
        wrong = Text("no sensor of the file has noise", "ни у одного датчика файла нет шума")
    elif seed != int(seed) or not 0 <= seed < 2**32:
        wrong = Text("seed is a whole number from 0 to 4294967295", "seed — целое число от 0 до 4294967295")
    if wrong is not None:
        refuse("bad-seed", Text("the call is wrong", "вызов неверен"), (wrong,))
    own: dict[str, InputCourse] = {name: float(seed) for name in noisy}
    return own | dict(inputs)
