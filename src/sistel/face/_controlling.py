"""Control from Python: a clock at which a law is asked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.face._refusals import refuse
from sistel.model import asking

if TYPE_CHECKING:
    from sistel.face._system import System


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
    known = system._kept.controlled
    if period not in known:
        model = asking(system._model, float(period), float(system._model.start_time))
        known.setdefault(period, type(system)(model, system._source, system._losses))
    return known[period]
