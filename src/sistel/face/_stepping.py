"""Motion from tick to tick, for programs that say at each what motors do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from sistel.errors import Text
from sistel.face._controlling import with_clock
from sistel.face._motions import first_state, given_state
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.face._system import System
    from sistel.simulation import Beginning, Simulation, Stepper


def stepper(
    self: System,
    period: float | None = None,
    *,
    tolerance: float | Mapping[str, float | Sequence[float]] = 2.0**-52,
    longest: float = math.inf,
    method: Literal["auto", "taylor", "runge-kutta", "radau", "gauss"] = "auto",
    step: float | None = None,
) -> Stepper:
    """The motion from tick to tick, with forces of motors and values of inputs that are said at each: for learning.

    Steps are those of `simulate(control=law, period=period)`, to the bit. It stands at the start, as after `reset`.

    Args:
        period: Time between two ticks [s], the first at the start of the file's time; without, the clock of the
            file's scheme.
        tolerance: As for `simulate`.
        longest: Longest step of the method [s].
        method: As for `simulate`.
        step: As for `simulate`.

    Returns:
        `.reset(q=…, v=…)`, `.step(u)`, `.copy()`; `.t`, `.q`, `.v`, `.structure`, `.events`, `stepper["angle(arm)"]`.

    Raises:
        SistelError: The call is wrong, or no state meets the constraints.
    """
    from sistel.simulation import Stepper, check_call

    system = with_clock(self, *_clock(self, period))
    one = None if isinstance(tolerance, Mapping) else tolerance
    check_call(system._model, system._model.start_time, None, None, tolerance=one, longest=longest)
    own: dict[int, tuple[Simulation, Simulation]] = {}

    def begin(
        *,
        q: ArrayLike | None,
        v: ArrayLike | None,
        structure: str | None,
        t: float | None,
        parameters: Mapping[str, float | str] | None,
        inputs: Mapping[str, float | str] | None,
    ) -> Beginning:
        from sistel.simulation import Beginning, Tuned, input_places, read_inputs

        place, speed = given_state(system, q, v)
        check_call(system._model, system._model.start_time if t is None else t, t, speed)
        found = system.simulation(tolerance, method, step)
        if parameters:
            found = system.tuned(parameters, tolerance, method, step)
        chosen = found.engine.plain.model.structure(system.structure(structure).name)
        y, noted = first_state(found, chosen, place, speed, t)
        if inputs:
            y, places = y.copy(), input_places(system._model)
            for change in read_inputs(system._model, inputs):
                y[places[change.name]] = change.value
        whole, values = (found.whole, found.values) if isinstance(found, Tuned) else (found, None)
        if id(whole) not in own:
            own[id(whole)] = whole, whole.twin()
        return Beginning(simulation=own[id(whole)][1], values=values, y=y, structure=chosen.name, noted=noted)

    return Stepper(begin, longest).reset()


def _clock(system: System, period: float | None) -> tuple[float, float]:
    """The period of ticks and when the first is [s]."""
    start = float(system._model.start_time)
    if period is not None:
        if 1e-9 <= period < math.inf:
            return float(period), start
        wrong = Text("period is a positive time", "period — время больше 0")
        refuse("bad-control", Text("the call is wrong", "вызов неверен"), (wrong,))
    clocks = {scheme.clock for scheme in system._model.schemes if scheme.clock is not None}
    if len(clocks) == 1:
        (clock,) = clocks
        return clock.period, clock.first / clock.parts
    wrong = Text(
        "a stepper takes a period: " + ("the file has several clocks" if clocks else "the file has no clock"),
        "для stepper нужен period: " + ("в файле несколько часов" if clocks else "в файле нет часов"),
    )
    return refuse("bad-control", Text("the call is wrong", "вызов неверен"), (wrong,))
